"""Where a response goes: to the tools that it calls, or to the output; each part is parsed, decoded and gated by its own item."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from wireshape.api import Api
from wireshape.codes import CODES
from wireshape.compiled import Compiled
from wireshape.reply import Call, Evidence, Outcome
from wireshape.response import Asked, Reply, read_response

_RETRY = 4096


@dataclass(frozen=True, slots=True)
class Addressee:
    """One item of a plan as a response can name it."""

    wire_name: str
    name: str
    compiled: Compiled


def route_reply(
    response: Any, api: Api, tools: list[Addressee], output: Addressee | None, *, as_tool: bool
) -> Outcome:
    """Read a response body: its calls if it has any, else its text as the output. Never raises for what it holds."""
    reply = read_response(response, api)
    if reply.calls:
        return _called(reply, tools, output if as_tool else None)
    if reply.refusal is not None:
        return _failed("WS640", "refusal", reply.refusal)
    if reply.stop is not None and reply.stop in api.reply.blocked:
        return _failed("WS641", "blocked", reply.text, reason=reply.stop)
    if reply.text is None:
        return _failed("WS642", "empty", None)
    if output is None:
        return Outcome(kind="output", value=reply.text, rung="strict", text=reply.text)
    cut = reply.stop is not None and reply.stop in api.reply.truncated
    return output.compiled.parse(reply.text, "length" if cut else None)


def _called(reply: Reply, tools: list[Addressee], output: Addressee | None) -> Outcome:
    known = {tool.wire_name: tool for tool in tools}
    calls: list[Call] = []
    outcomes: list[Outcome] = []
    for asked in reply.calls:
        if output is not None and asked.name == output.wire_name:
            return output.compiled.parse(asked.arguments)
        call, outcome = _call(asked, known.get(asked.name))
        calls.append(call)
        if outcome is not None:
            outcomes.append(outcome)
    bad = [call for call in calls if call.problems]
    return Outcome(
        kind="failed" if len(bad) == len(calls) else "tool_calls",
        calls=tuple(calls),
        rung=None if bad or any([o.rung != "strict" for o in outcomes]) else "strict",
        edits=tuple([edit for o in outcomes for edit in o.edits]),
        flags=tuple(sorted({flag for o in outcomes for flag in o.flags})),
        evidence=tuple([problem for call in bad for problem in call.problems]),
        truncated=any([o.truncated for o in outcomes]),
        retry_text=_retry(bad) if bad else None,
        text=reply.text,
    )


def _call(asked: Asked, tool: Addressee | None) -> tuple[Call, Outcome | None]:
    if tool is None:
        problem = _evidence("WS643", name=asked.name[:80])
        return Call(asked.name, None, asked.id, (problem,)), None
    given = asked.arguments
    if given is None or given == "":
        given = {}
    outcome = tool.compiled.parse(given)
    if outcome.kind == "output":
        return Call(tool.name, outcome.value, asked.id), outcome
    problems = outcome.evidence or (_evidence("WS642"),)
    return Call(tool.name, None, asked.id, problems), outcome


def _retry(bad: list[Call]) -> str:
    """What to tell the model: each call that failed, where and why; nothing of what it sent but the names."""
    lines = ["Some calls cannot be made; send them again, corrected:"]
    for call in bad:
        told = {(p.pointer, p.message): None for p in call.problems[:4]}
        where = "; ".join([f"{pointer or '/'}: {message:.400}" for pointer, message in told])
        lines.append(f"- {call.name:.80}: {where}")
    return "\n".join(lines)[:_RETRY]


def _failed(code: str, flag: str, text: str | None, **fields: str) -> Outcome:
    return Outcome(kind="failed", flags=(flag,), evidence=(_evidence(code, **fields),), text=text)


def _evidence(code: str, **fields: str) -> Evidence:
    return Evidence(rung="strict", code=code, message=CODES[code].template.format(**fields))
