"""Finds the tool calls that are written into a text; each syntax is searched once, so that many calls stay linear."""

from __future__ import annotations

import re
from typing import NamedTuple

from wireshape.reply.calls import Found, first_region, from_json, read_json
from wireshape.reply.extract import core_of
from wireshape.reply.gaps import Unreadable
from wireshape.reply.outcome import Edit
from wireshape.reply.quirks.code import from_code
from wireshape.reply.quirks.syntaxes import SYNTAXES, bare_name
from wireshape.reply.regions import readings_at

MAX_CALLS = 128


class Written(NamedTuple):
    """The calls of a text. `marked`: a syntax of calls says so; else they are all of the text, as JSON or as code."""

    calls: list[Found]
    edits: list[Edit]
    marked: bool


def calls_in(text: str, names: frozenset[str]) -> Written:
    """Return the calls that a text asks for: marked ones, or a text that is nothing but calls of tools with these names.

    Raises Unreadable when a marked call is cut off or cannot be read.

    >>> [(c.name, c.arguments) for c in calls_in('{"name": "f", "arguments": {}}', frozenset({"f"})).calls]
    [('f', {})]
    >>> calls_in('For example {"name": "f", "arguments": {}}', frozenset({"f"})).calls
    []
    """
    core = core_of(text)
    found = find_calls(text, core.start, core.end)
    if found:
        return Written(found, core.edits, marked=True)
    found = _all_json(text, core.start, core.end) or _under_name(text, core.start, core.end)
    if not found:
        code = from_code(text[core.start : core.end], names)
        found = [] if code is None else [Found(code[0], core.start, core.end, code[1])]
    if not names.issuperset([call.name for call in found]):
        found = []
    return Written(found, core.edits, marked=False)


def _under_name(text: str, start: int, end: int) -> list[Found]:
    """The call of a text that is a name on a line of its own and then its arguments."""
    head = _NAME_LINE.match(text, start, end)
    if head is None:
        return []
    try:
        values = list(read_json(text, head.end(), end, readings_at))
    except Unreadable:
        return []
    if len(values) != 1 or text[values[0][0].end : end].strip():
        return []
    reading, value = values[0]
    return [Found(head.group(1), head.start(), reading.end, value, edits=reading.edits)]


_NAME_LINE = re.compile(r"(?:>>>)?([\w.-]{1,128})\n(?=\{)")


def _all_json(text: str, start: int, end: int) -> list[Found]:
    """The calls of a text that is call objects and nothing else."""
    found: list[Found] = []
    at = start
    try:
        for reading, value in read_json(text, start, end, readings_at):
            named = from_json(value)
            if named is None or len(found) + len(named) > MAX_CALLS:
                return []
            found += [
                Found(bare_name(n), reading.start, reading.end, a, edits=reading.edits)
                for n, a in named
            ]
            at = reading.end
    except Unreadable:
        return []
    return found if not text[at:end].strip(" \t\r\n,;") else []


def find_calls(text: str, start: int, end: int) -> list[Found]:
    """Return the calls that are written into `text[start:end]` by a known syntax, if one begins before any JSON does.

    Raises Unreadable when a call is cut off or cannot be read.

    >>> [(c.name, c.arguments) for c in find_calls('<tool_call>{"name": "f", "arguments": {}}</tool_call>', 0, 53)]
    [('f', {})]
    """
    found: list[Found] = []
    marks = [
        (mark, n)
        for n, (pattern, _) in enumerate(SYNTAXES)
        if (mark := pattern.search(text, start, end))
    ]
    limit = first_region(text, start, end) + 1
    while marks:
        mark, n = min(marks, key=lambda pair: (pair[0].start(), pair[1]))
        if mark.start() > limit:
            return found
        calls, at = SYNTAXES[n][1](text, mark, end, readings_at)
        at = max(at, mark.end())
        found += calls
        if len(found) > MAX_CALLS:
            raise Unreadable("WS634", f"more than {MAX_CALLS} calls", at)
        marks = [pair for old, i in marks if (pair := _from(old, i, at, text, end))]
        if limit <= at:
            limit = first_region(text, at, end) + 1
    return found


def _from(
    mark: re.Match[str], n: int, at: int, text: str, end: int
) -> tuple[re.Match[str], int] | None:
    """The first mark of a syntax that is not before `at`; one that was found earlier is not searched again."""
    if mark.start() >= at:
        return mark, n
    found = SYNTAXES[n][0].search(text, at, end)
    return None if found is None else (found, n)
