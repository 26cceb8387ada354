"""Numbers, literals and bare words of almost-JSON; a number that JSON does not know is refused unless its meaning is plain."""

from __future__ import annotations

import re
from math import isfinite
from typing import Any

from wireshape.reply.gaps import Unreadable
from wireshape.reply.numbers import number
from wireshape.reply.scan_ahead import Where
from wireshape.reply.scan_strings import Strings
from wireshape.reply.strict import NotStrict, integer

_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_EXACT = re.compile(r"-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?", re.ASCII)
_WORD = re.compile(r"[^\W\d][\w$-]*")
_BARE = re.compile(r"""[^"'`“”{}\[\]()\\\n]*""")
_WORDS: dict[str, Any] = {"true": True, "false": False, "null": None}
_PYTHON: dict[str, Any] = {"True": True, "False": False, "None": None}
_NO_VALUES = frozenset("true false null none undefined nan inf infinity nil nul void".split())
"""Words that mean no text when they are written without quotes, in any case."""


class Scalars(Strings):
    """Reads what is neither a container nor a string."""

    __slots__ = ()

    def number(self, at: int) -> tuple[Any, int]:
        """Read the number at `at`."""
        text = self.text
        match = _NUMBER.match(text, at)
        if match is None:
            raise Unreadable("WS630", "expecting value", at)
        end, digits = match.end(), match.group()
        after = self.gaps.skip(end)
        char = text[after : after + 1]
        if not char:
            raise self.stop(at)
        if after == end and char not in ",]})":
            raise Unreadable("WS630", "expecting ','", end)
        exact = _EXACT.fullmatch(digits)
        if exact is None:
            respelled = _respelled(digits)
            self.edit(at, "number", digits, respelled)
            digits = respelled
            exact = _EXACT.fullmatch(digits)
            if exact is None:
                raise Unreadable("WS630", "a number that JSON does not know", at)
        try:
            if exact.group(1) is None and exact.group(2) is None:
                return integer(digits), end
        except NotStrict as error:
            raise Unreadable(error.code, error.message, at) from None
        value = number(digits)
        if not isfinite(value):
            raise Unreadable("WS632", "a number beyond the range of floating point", at)
        return value, end

    def word(self, at: int, where: Where) -> tuple[Any, int]:
        """Read the literal at `at`, or a text without quotes."""
        text = self.text
        match = _WORD.match(text, at)
        if match is None:
            raise Unreadable("WS630", "expecting value", at)
        word, end = match.group(), match.end()
        after = self.gaps.skip(end)
        char = text[after : after + 1]
        if word in _WORDS or word in _PYTHON:
            if not char:
                raise self.stop(at)
            if char in ",]})" or after > end:
                if word in _PYTHON:
                    self.edit(
                        at, "python-literal", word, {None: "null"}.get(_PYTHON[word], word.lower())
                    )
                return _WORDS[word] if word in _WORDS else _PYTHON[word], end
        if not char:
            raise self.stop(at)
        if where != "member":
            raise Unreadable("WS630", "expecting value", at)
        return self._bare(at)

    def _is_led(self, at: int) -> bool:
        """Whether the space before a value without an opening quote is surely none of its own."""
        colon = self.text.rfind(":", 0, at)
        between = self.text[colon + 1 : at]
        if between != " ":
            return not between
        self.gaps.spend(len(self.text), at)
        colons = self.text.count(":")
        return colons > 1 and self.text.count(": ") == colons

    def _bare(self, at: int) -> tuple[str, int]:
        """A value without its opening quote, or without quotes."""
        text = self.text
        match = _BARE.match(text, at)
        assert match is not None, "matches the empty text"
        end = match.end()
        self.gaps.spend(end - at, at)
        if end == len(text):
            raise self.stop(at)
        if not self._is_led(at):
            raise Unreadable("WS630", "expecting value", at)
        if text[end] == '"' and self.closes(end + 1, "member"):
            self.edit(at, "missing-quote", "", '"')
            self.doubt = True
            self.risk(at)
            return match.group(), end + 1
        value = match.group().rstrip("\r,")
        if self.eager:
            value = value.partition(",")[0].rstrip("\r")
        if (
            value != value.rstrip()
            or value.lower() in _NO_VALUES
            or any([c in value for c in ("//", "/*", "#")])
        ):
            raise Unreadable("WS630", "expecting value", at)
        if self.eager and ":" in value:
            raise Unreadable("WS630", "expecting value", at)
        comma = at + len(value)
        after = self.gaps.skip(comma + 1) if text[comma : comma + 1] == "," else comma
        if after > comma and text[after : after + 1] == "}":
            raise Unreadable("WS630", "a comma that may be part of a text without quotes", comma)
        self.edit(at, "unquoted-value", value, f'"{value}"')
        self.doubt = True
        self.risk(at)
        return value, comma


def _respelled(digits: str) -> str:
    """`.5`, `5.` and `+5` as JSON spells them."""
    sign = "-" if digits[0] == "-" else ""
    rest = digits.lstrip("+-")
    rest = "0" + rest if rest[0] == "." else rest
    return sign + re.sub(r"\.(?=\Z|[eE])", ".0", rest)
