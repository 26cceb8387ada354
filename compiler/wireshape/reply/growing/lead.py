"""What may stand before the JSON of a reply, taken off as it comes: invisible characters, reasoning, the line of a fence."""

from __future__ import annotations

import re

from wireshape.reply.extract import INVISIBLE
from wireshape.reply.quirks.marks import REASONING

_FENCE_LINE = re.compile(r"(?:`{3,}|~{3,})[ \t]*[\w+.-]*[ \t]*\r?\n[ \t\r\n]*")
_LONGEST_LINE = 80
_JSON = frozenset('{["-0123456789tfn')


class Lead:
    r"""Holds text back until it is known where JSON begins; `is_lost` when that is for the whole reply to tell.

    >>> lead = Lead()
    >>> lead.push("<thi"), lead.push('nk>{"a"'), lead.push(": 0}</think>\n```js"), lead.push('on\n{"a": 1')
    ('', '', '', '{"a": 1')
    """

    __slots__ = ("_closer", "_fenced", "_held", "is_done", "is_lost")

    def __init__(self) -> None:
        self._held = ""
        self._closer = ""
        self._fenced = False
        self.is_done = False
        self.is_lost = False

    def push(self, text: str) -> str:
        """Take more text; return what is JSON of it, once that has begun."""
        if self.is_done:
            return text
        if self.is_lost:
            return ""
        self._held += text
        while True:
            if self._closer:
                at = self._held.find(self._closer)
                if at < 0:
                    self._held = self._held[1 - len(self._closer) :]
                    return ""
                self._held = self._held[at + len(self._closer) :]
                self._closer = ""
            if not self._step():
                break
        return self._begun()

    def _begun(self) -> str:
        if not self.is_done:
            return ""
        text, self._held = self._held, ""
        return text

    def _step(self) -> bool:
        """Look at what comes first; tell whether to go on looking."""
        held = self._held = self._held.lstrip(INVISIBLE)
        if not held:
            return False
        if not self._fenced:
            for opening, closer in REASONING:
                if held.startswith(opening):
                    self._held, self._closer = held[len(opening) :], closer
                    return True
                if opening.startswith(held):
                    return False
            if held[0] in "`~":
                return self._fence(held)
        self.is_done = held[0] in _JSON
        self.is_lost = not self.is_done
        return False

    def _fence(self, held: str) -> bool:
        if "\n" not in held:
            self.is_lost = len(held) > _LONGEST_LINE
            return False
        line = _FENCE_LINE.match(held)
        if line is None:
            self.is_lost = True
            return False
        self._held = held[line.end() :]
        self._fenced = True
        return True
