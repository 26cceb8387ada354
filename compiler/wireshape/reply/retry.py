"""What to tell the model when its reply failed: short, with the place and the cure, and without any value of the reply."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wireshape import ir
from wireshape.ir import kind_of
from wireshape.reply.judge import Judge, Verdict
from wireshape.reply.outcome import RETRY_LIMIT, Evidence

_LINES = 8
_LINE = 400
_KEYS = 8


def retry_text(
    text: str, evidence: Sequence[Evidence], near: Verdict | None, judge: Judge, *, truncated: bool
) -> str:
    """Say what was wrong and what to send instead, in at most 4,096 characters."""
    codes = {e.code for e in evidence}
    lines: list[str] = []
    if truncated:
        lines.append(
            "Your reply was cut off before it was complete. Send all of it again, shorter."
        )
    elif "WS636" in codes:
        lines.append(
            "Your reply can be read as more than one value. Send exactly one JSON value and nothing else."
        )
    elif near is not None:
        lines.append("Your reply does not fit the schema:")
        seen = {
            (e.pointer, e.message): None
            for e in evidence
            if e.code in ("WS601", "WS602") or e.code.startswith("WS61")
        }
        lines += [
            f"- {pointer or '/'}: {_short(message)}" for pointer, message in list(seen)[:_LINES]
        ]
        lines += _extra(near, judge)
        lines.append("Send the whole value again, corrected, as JSON and nothing else.")
    else:
        what = _short(evidence[-1].message) if evidence else "it is empty"
        if "WS637" in codes:
            what = "no JSON value was found in it" if text.strip() else "it is empty"
        lines.append(
            f"Your reply is not one JSON value: {what}. Send exactly one JSON value and nothing else."
        )
    told = "\n".join(lines)
    return told if len(told) <= RETRY_LIMIT else told[: RETRY_LIMIT - 3] + "..."


def _short(message: str) -> str:
    return message if len(message) <= _LINE else message[: _LINE - 3] + "..."


def _extra(near: Verdict, judge: Judge) -> list[str]:
    """Name keys that the schema does not declare, and text that should have been an object or array."""
    pointer = near.error.pointer if near.error is not None else ""
    value, node = near.wire, judge.node_at(pointer)
    for token in pointer.split("/")[1:]:
        value = _step(value, token.replace("~1", "/").replace("~0", "~"))
    out: list[str] = []
    if kind_of(value) is dict and type(node) is ir.Object:
        declared = {f.key for f in node.fields}
        odd = [key for key in value if key not in declared][:_KEYS]
        if odd:
            names = ", ".join([repr(key[:40]) for key in odd])
            out.append(f"- {pointer or '/'}: not declared here: {names}")
    elif (
        kind_of(value) is str
        and value[:1] in ("{", "[")
        and type(node) in (ir.Object, ir.List, ir.Tuple)
    ):
        out.append(
            f"- {pointer or '/'}: this is JSON inside a string, and it does not parse; send it as it is, without quotes around it"
        )
    return out


def _step(value: Any, token: str) -> Any:
    if kind_of(value) is dict:
        return value.get(token)
    if kind_of(value) is list and token.isdigit() and int(token) < len(value):
        return value[int(token)]
    return None
