"""Find the lines and columns of JSON pointers in the text of a document; the text is known to be JSON."""

from __future__ import annotations

import itertools
import json
import re
from bisect import bisect_right
from collections.abc import Iterable
from typing import NamedTuple


class Place(NamedTuple):
    """A line and a column, both from 1 on, in characters."""

    line: int
    column: int


_SPACE = re.compile(r"[ \t\r\n]*")
_LINE_END = re.compile(r"\r\n|\r|\n")
_STRING = r'"[^"\\]*(?:\\.[^"\\]*)*"'
_ATOM = re.compile(_STRING + r"|[^\[\]{}, \t\r\n:]+")
_BRACKET = re.compile(_STRING + r"|[\[\]{}]")


def places(text: str, pointers: Iterable[str], *, lines: bool = False) -> dict[str, Place]:
    """Return where each pointer leads: to the key of a member, to the start of an item or of the document.

    A pointer that leads nowhere gets the place of the last part of it that exists. With `lines`, the text is JSON Lines,
    and the first token of a pointer counts its documents.

    >>> places('{"a":\\n  [1, 22]}', ["/a/1", "/a", "/b"])
    {'/a/1': Place(line=2, column=7), '/a': Place(line=1, column=2), '/b': Place(line=1, column=1)}
    """
    asked = {p: _tokens(p) for p in pointers}
    root = _tree(asked.values())
    root.start = at = _skip(text, 0)
    if not lines:
        _enter(text, at, root)
    for index in itertools.count() if lines else ():
        if at >= len(text):
            break
        document = root.parts.get(str(index), _Part())
        document.start = at
        at = _skip(text, _enter(text, at, document))
    ends = [0, *[m.end() for m in _LINE_END.finditer(text)]]
    return {p: _place(_nearest(root, tokens), ends) for p, tokens in asked.items()}


class _Part:
    """A part that is asked for, or on the way to one: where it starts, -1 while unknown, and its parts."""

    __slots__ = ("parts", "start")

    def __init__(self) -> None:
        self.start = -1
        self.parts: dict[str, _Part] = {}


def _tokens(pointer: str) -> tuple[str, ...]:
    return tuple([t.replace("~1", "/").replace("~0", "~") for t in pointer.split("/")[1:]])


def _tree(paths: Iterable[tuple[str, ...]]) -> _Part:
    root = _Part()
    for path in paths:
        part = root
        for token in path:
            part = part.parts.setdefault(token, _Part())
    return root


def _nearest(root: _Part, tokens: tuple[str, ...]) -> int:
    part = root
    for token in tokens:
        if part.parts[token].start < 0:
            break
        part = part.parts[token]
    return part.start


_NOTHING = _Part()


def _enter(text: str, at: int, part: _Part) -> int:
    """Go through the value that starts at `at` and note where its parts start; return where it ends.

    What nobody asks for is skipped.
    """
    stack: list[
        tuple[_Part, int]
    ] = []  # open containers; -1 for an object, else the index of the next item
    while True:
        if part.parts and text[at] in "{[":
            stack.append((part, -1 if text[at] == "{" else 0))
            at = _skip(text, at + 1)
        else:
            at = _skip(text, _end(text, at))
        while stack and text[at] in "}]":
            stack.pop()
            at = _skip(text, at + 1)
        if not stack:
            return at
        at = _skip(text, at + 1) if text[at] == "," else at
        holder, index = stack[-1]
        start = at
        if index < 0:
            at = _end(text, at)
            token = str(json.loads(text[start:at]))
            at = _skip(text, _skip(text, at) + 1)  # over the colon
        else:
            token = str(index)
            stack[-1] = (holder, index + 1)
        part = holder.parts.get(token, _NOTHING)
        if part is not _NOTHING:
            part.start = start


def _end(text: str, at: int) -> int:
    """Return where the value that starts at `at` ends; a loop, for its depth is no limit."""
    if text[at] not in "{[":
        atom = _ATOM.match(text, at)
        return len(text) if atom is None else atom.end()
    depth = 0
    for bracket in _BRACKET.finditer(text, at):
        depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(bracket[0], 0)
        if depth == 0:
            return bracket.end()
    return len(text)


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return at if match is None else match.end()


def _place(offset: int, ends: list[int]) -> Place:
    line = bisect_right(ends, offset)
    return Place(line, offset - ends[line - 1] + 1)
