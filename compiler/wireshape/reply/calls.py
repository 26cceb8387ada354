"""Tool calls that a model wrote into its text: found by the syntaxes of `quirks`, their arguments read; nothing is validated here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, cast

from wireshape.ir import kind_of
from wireshape.reply.extract import REGION, Reading
from wireshape.reply.gaps import Unreadable
from wireshape.reply.outcome import Edit

Readings: TypeAlias = Callable[[str, int, int], list[Reading]]
"""Reads the region of `text` that begins at `start`, looking no further than `end`; raises Unreadable."""


Told: TypeAlias = Literal["text", "value", "parts"]
"""What a syntax says of a parameter: it is text, it is JSON, or it was written in parts, which are JSON now."""


@dataclass(slots=True)
class Found:
    """One call in a text. `texts` holds parameters that came as plain text, in place of `arguments`; `told` what is said of some."""

    name: str
    start: int
    end: int
    arguments: Any = None
    texts: dict[str, str] | None = None
    told: dict[str, Told] = field(default_factory=dict[str, Told])
    edits: list[Edit] = field(default_factory=list[Edit])


def cut_off(at: int) -> Unreadable:
    """The complaint about a call that does not come to its end."""
    return Unreadable("WS635", "the text ends inside a tool call", at, truncated=True)


_NAMES = ("name", "tool_name", "tool")
_ARGUMENTS = ("arguments", "parameters", "args", "input")


def from_json(value: Any) -> list[tuple[str, Any]] | None:
    """Return the name and arguments of each call that a JSON value spells; `None` when it spells none.

    >>> from_json({"tool_calls": [{"function": {"name": "f"}, "parameters": {"a": 1}}]})
    [('f', {'a': 1})]
    >>> from_json({"name": "Ann"}) is None
    True
    """
    if kind_of(value) is list:
        calls = [from_json(item) for item in value]
        return (
            [call for one in calls for call in one or ()] if calls and None not in calls else None
        )
    if kind_of(value) is not dict:
        return None
    if value.keys() == {"tool_calls"}:
        return from_json(value["tool_calls"])
    inner = value.get("function")
    merged: dict[str, Any] = {**value, **inner} if kind_of(inner) is dict else value
    name = next((merged[k] for k in _NAMES if kind_of(merged.get(k)) is str), None)
    if name is None and kind_of(inner) is str:
        name = inner
    given = [k for k in _ARGUMENTS if k in merged]
    if name is None or len(given) != 1:
        return None
    return [(cast("str", name), merged[given[0]])]


def read_json(
    text: str, at: int, stop: int, readings: Readings, *, close: str = ""
) -> Iterator[tuple[Reading, Any]]:
    """Yield the JSON values that follow one another from `at`, up to `close` or what is no JSON."""
    while True:
        while at < stop and text[at] in " \t\r\n,;":
            at += 1
        if at >= stop or text[at] not in "{[" or (close and text.startswith(close, at)):
            return
        found = [r for r in readings(text, at, stop) if not r.odd]
        if len(found) != 1 or found[0].risky:
            raise Unreadable("WS630", "arguments that cannot be read for certain", at)
        yield found[0], found[0].value
        at = found[0].end


def first_region(text: str, start: int, end: int) -> int:
    """Return where the first JSON region begins, or `end`."""
    region = REGION.search(text, start, end)
    return region.start() if region else end
