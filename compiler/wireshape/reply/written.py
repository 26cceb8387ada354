"""Finds the tool calls that are written into a text; each syntax is searched once, so that many calls stay linear."""

from __future__ import annotations

import re

from wireshape.reply.calls import Found, first_region
from wireshape.reply.gaps import Unreadable
from wireshape.reply.quirks.syntaxes import SYNTAXES
from wireshape.reply.regions import readings_at

MAX_CALLS = 128


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
