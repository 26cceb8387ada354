"""What may stand between the tokens of almost-JSON: white space, comments and invisible characters; linear in total.

A budget counts every character that is looked at, so that no text can make the scanner work longer than its length allows.
"""

from __future__ import annotations

import re

SPACE = re.compile(r"[ \t\r\n]*")
_ODD_SPACE = re.compile("[ \t\r\n\u00a0\u2000-\u200d\u2028\u2029\u202f\u2060\u3000\ufeff]*")
_ODD = frozenset("\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u200b\u200c\u200d\u2028\u2029\u202f\u2060\u3000\ufeff")  # fmt: skip
_BEFORE_COMMENT = frozenset(' \t\r\n,:{}[]()"/')  # what ends a token
_WORK_PER_CHARACTER = 24


class Unreadable(Exception):  # noqa: N818 (never leaves the package: it becomes evidence)
    """The text cannot be read as a value; `truncated` tells that it stops in the middle of one."""

    def __init__(self, code: str, message: str, offset: int, *, truncated: bool = False) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.offset = offset
        self.truncated = truncated


class Gaps:
    """Skips what is no token. Remembers the last comment end found, so that a flood of `/*` stays linear."""

    __slots__ = ("_block", "_line", "budget", "ignored", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.budget = _WORK_PER_CHARACTER * len(text) + 10_000
        self.ignored: dict[int, int] = {}  # where comments and invisible characters begin and end
        self._block = (0, -1)  # searched from, found at; -1 before the first search
        self._line = (0, -1)

    def spend(self, work: int, at: int) -> None:
        """Count work; raise when the budget is gone."""
        self.budget -= work
        if self.budget < 0:
            raise Unreadable("WS634", "too much of the text would have to be read again", at)

    def skip(self, at: int) -> int:
        """Return where the next token begins."""
        text = self.text
        start = at
        while True:
            match = SPACE.match(text, at)
            assert match is not None, "matches the empty text"
            at = match.end()
            char = text[at : at + 1]
            if char in "/#" and char and text[at - 1 : at] not in _BEFORE_COMMENT:
                break
            if char == "/" and text[at + 1 : at + 2] in ("/", "*"):
                end = self._end_of_line(at) if text[at + 1] == "/" else self._end_of_block(at)
                if end < 0:
                    break
            elif char == "#":
                end = self._end_of_line(at)
            elif char in _ODD:
                match = _ODD_SPACE.match(text, at)
                assert match is not None, "matches the empty text"
                end = match.end()
            else:
                break
            if at not in self.ignored and text.find('"', at, end) >= 0:
                raise Unreadable("WS630", "a comment with a quote in it, or a part of a string", at)
            self.ignored[at] = end
            at = end
        self.spend(1 + at - start, start)
        return at

    def _end_of_line(self, at: int) -> int:
        since, found = self._line
        if not since <= at <= found:
            found = self.text.find("\n", at)
            found = len(self.text) if found < 0 else found
            self._line = (at, found)
        return found

    def _end_of_block(self, at: int) -> int:
        """Where a block comment ends; -1 when it never does."""
        since, found = self._block
        if not since <= at <= found - 2:
            found = self.text.find("*/", at + 2)
            found = len(self.text) + 2 if found < 0 else found + 2
            self._block = (at, found)
        return -1 if found > len(self.text) else found
