"""Scans JSON text as it comes, each character once, and tells what it finds to a tree; strict, or nothing more.

What is not strict JSON, or does not go as the schema says, stops the growth where it is: what was shown stays, and the
reply as a whole is read when it is complete.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from math import inf

from wireshape.codec.misfit import Misfit
from wireshape.machine import Machine
from wireshape.reply.growing.frames import Odd
from wireshape.reply.growing.tree import Tree
from wireshape.reply.numbers import number
from wireshape.reply.strict import NotStrict, integer

_BLANK = re.compile(r"[ \t\r\n]*")
_PLAIN = re.compile('[^"\\\\\x00-\x1f\ud800-\udfff]*')
_BARE = re.compile(r"[-+.0-9A-Za-z]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")
_ESCAPE = re.compile(
    r"\\(?:([\"\\/bfnrt])"
    r"|u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})"
    r"|u((?![dD][89a-fA-F])[0-9a-fA-F]{4}))"
)
_HALF = re.compile(
    r"\\(?:u(?:[0-9a-fA-F]{0,3}|[dD][89abAB][0-9a-fA-F]{2}(?:\\(?:u(?:[dD](?:[c-fC-F][0-9a-fA-F]?)?)?)?)?)?)?"
)
_MEANT = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_WORDS = {"true": True, "false": False, "null": None}
_AFTER_SCALAR = frozenset(",]} \t\r\n")


class Growth:
    """One value that grows: the scanner, which tells its `tree` what it finds."""

    def __init__(self, machine: Machine) -> None:
        self.tree = Tree(machine)
        self._state: Callable[[str, int], int] = self._value
        self._carry = ""
        self._parts: list[str] = []
        self._is_key = False

    def push(self, text: str) -> None:
        """Take more of the text."""
        if self._carry:
            text, self._carry = self._carry + text, ""
        at, size = 0, len(text)
        try:
            while at < size:
                at = self._state(text, at)
        except (Odd, Misfit):
            self._state = _ignore

    @property
    def in_string(self) -> bool:
        """Whether the text stopped inside a string."""
        return self._state == self._string

    def _value(self, text: str, at: int) -> int:
        at = _skip(text, at)
        if at == len(text):
            return at
        char = text[at]
        self._parts = []
        if char == '"':
            self._is_key = False
            self._state = self._string
            self.tree.begin()
            return at + 1
        if char in "{[":
            self.tree.open(char)
            self._state = self._first
            return at + 1
        if char not in "-0123456789tfn":
            raise Odd
        self._state = self._bare
        return at

    def _first(self, text: str, at: int) -> int:
        """An item or a key, or the end of the container."""
        at = _skip(text, at)
        if at == len(text):
            return at
        is_list = self.tree.in_list[-1]
        if text[at] == ("]" if is_list else "}"):
            self.tree.close()
            self._go_on()
            return at + 1
        if not is_list:
            return self._key(text, at)
        self.tree.item()
        return self._value(text, at)

    def _key(self, text: str, at: int) -> int:
        at = _skip(text, at)
        if at == len(text):
            return at
        if text[at] != '"':
            raise Odd
        self._parts = []
        self._is_key = True
        self._state = self._string
        return at + 1

    def _colon(self, text: str, at: int) -> int:
        at = _skip(text, at)
        if at == len(text):
            return at
        if text[at] != ":":
            raise Odd
        self._state = self._value
        return at + 1

    def _more(self, text: str, at: int) -> int:
        """A comma, or the end of a container."""
        at = _skip(text, at)
        if at == len(text):
            return at
        char, is_list = text[at], self.tree.in_list[-1]
        if char in ",]}":
            self.tree.confirm()
        if char == ("]" if is_list else "}"):
            self.tree.close()
            self._go_on()
        elif char != ",":
            raise Odd
        elif is_list:
            self.tree.item()
            self._state = self._value
        else:
            self._state = self._key
        return at + 1

    def _go_on(self) -> None:
        """Expect what follows a value; nothing is read after the root."""
        self._state = self._more if self.tree.in_list else _ignore

    def _bare(self, text: str, at: int) -> int:
        """A number or a word; it is finished when something else follows."""
        end = _end_of(_BARE, text, at)
        self._parts.append(text[at:end])
        if end < len(text):
            if text[end] not in _AFTER_SCALAR:
                raise Odd
            self.tree.put(_read_bare("".join(self._parts)))
            self._go_on()
        return end

    def _string(self, text: str, at: int) -> int:
        end = _end_of(_PLAIN, text, at)
        if end > at:
            self._add(text[at:end])
        if end == len(text):
            return end
        if text[end] == "\\":
            return self._escape(text, end)
        if text[end] != '"':
            raise Odd
        if self._is_key:
            self.tree.name("".join(self._parts))
            self._state = self._colon
        else:
            self.tree.end()
            self._go_on()
        return end + 1

    def _add(self, part: str) -> None:
        if self._is_key:
            self._parts.append(part)
        else:
            self.tree.grow(part)

    def _escape(self, text: str, at: int) -> int:
        match = _ESCAPE.match(text, at)
        if match is None:
            if _HALF.fullmatch(text, at) is None:
                raise Odd
            self._carry = text[at:]
            return len(text)
        char, high, low, code = match.groups()
        if char is not None:
            self._add(_MEANT[char])
        elif code is not None:
            self._add(chr(int(code, 16)))
        else:
            self._add(chr(0x10000 + ((int(high, 16) & 0x3FF) << 10) + (int(low, 16) & 0x3FF)))
        return match.end()


def _ignore(text: str, _at: int) -> int:
    return len(text)


def _end_of(pattern: re.Pattern[str], text: str, at: int) -> int:
    """Where a pattern that matches the empty text ends."""
    match = pattern.match(text, at)
    assert match is not None, "matches the empty text"
    return match.end()


def _skip(text: str, at: int) -> int:
    return _end_of(_BLANK, text, at)


def _read_bare(text: str) -> float | None:
    """Read a number or a word."""
    if text in _WORDS:
        return _WORDS[text]
    match = _NUMBER.fullmatch(text)
    if match is None:
        raise Odd
    if match.group(1) is None and match.group(2) is None:
        try:
            return integer(text)
        except NotStrict:
            raise Odd from None
    value = number(text)
    if not -inf < value < inf:
        raise Odd
    return value
