"""A reply becomes an `Outcome`: parsed strictly if it can be, repaired only where that is certain, decoded, and gated."""

from __future__ import annotations

from typing import Any

from wireshape.errors import DecodeError, ValidationError
from wireshape.machine import Machine, decode_parsed
from wireshape.plain import fault, is_json
from wireshape.reply import strict
from wireshape.reply.calls import Found
from wireshape.reply.judge import let_out
from wireshape.reply.ladder import Ladder
from wireshape.reply.numbers import rounded
from wireshape.reply.outcome import Call, Edit, Evidence, Outcome
from wireshape.reply.quirks.leaks import SUSPECT
from wireshape.reply.quirks.marks import is_cut_off

__all__ = ["Call", "Edit", "Evidence", "Outcome", "parse"]


def parse(machine: Machine, reply: Any, finish_reason: str | None = None) -> Outcome:
    """Read a reply: text, UTF-8 bytes, a value that was parsed already, or a call that was found in a text."""
    cut = is_cut_off(finish_reason)
    try:
        if isinstance(reply, str):
            return _text(machine, reply, cut=cut)
        if isinstance(reply, bytes | bytearray):
            return _bytes(machine, bytes(reply), cut=cut)
        if isinstance(reply, Found):
            return Ladder(machine, "", cut=cut).called(reply)
        return _value(machine, reply)
    except RecursionError:
        ladder = Ladder(machine, reply if isinstance(reply, str) else "", cut=cut)
        ladder.note("strict", "WS634", "nested deeper than the stack that is left here allows")
        return ladder.failed()


def _text(machine: Machine, text: str, *, cut: bool) -> Outcome:
    try:
        wire, is_doubtful = strict.read(text)
    except strict.NotStrict as error:
        return Ladder(machine, text, cut=cut).climb(error)
    if cut and text.rstrip()[-1:] not in ("}", "]", '"'):
        ladder = Ladder(machine, text, cut=True)
        ladder.note("strict", "WS635", "the provider says that the reply was cut off")
        return ladder.failed(truncated=True)
    try:
        value = let_out(machine, decode_parsed(machine, wire))
    except (DecodeError, ValidationError):
        return Ladder(machine, text, cut=cut).whole(wire, "strict")
    edits = rounded(text, 0, len(text)) if is_doubtful else []
    return Outcome(
        kind="output",
        value=value,
        rung="strict",
        edits=tuple(edits),
        flags=(
            *(["inexact-number"] if edits else []),
            *(["suspect-markup"] if SUSPECT in text else []),
        ),
        text=text,
    )


def _bytes(machine: Machine, reply: bytes, *, cut: bool) -> Outcome:
    try:
        return _text(machine, reply.decode(), cut=cut)
    except UnicodeDecodeError as error:
        ladder = Ladder(machine, reply.decode(errors="replace"), cut=cut)
        ladder.note("strict", "WS633", "bytes that are not UTF-8", error.start)
        return ladder.failed()


def _value(machine: Machine, value: Any) -> Outcome:
    ladder = Ladder(machine, "", cut=False)
    if not is_json(value):
        where, what = fault(value)
        ladder.evidence.append(Evidence(rung="strict", code="WS601", message=what, pointer=where))
        return ladder.failed()
    try:
        strict.survey(value)
    except strict.NotStrict as error:
        ladder.note("strict", error.code, error.message)
        return ladder.failed()
    return ladder.whole(value, "strict")
