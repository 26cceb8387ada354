"""Numbers with a fraction or an exponent: read as floats, as exact integers where only that keeps them, and told where neither does."""

from __future__ import annotations

import re
from decimal import Decimal
from math import inf

from wireshape.ir import kind_of
from wireshape.reply.outcome import Edit, shown

_EXACT = 2.0**53
_SHORT = 16
"""A float keeps what is written with no more characters, save where there is an exponent."""
_MAYBE = re.compile(r"[0-9.]{16}|[eE]-0*[1-9][0-9]{2}")
_TOKEN = re.compile(
    r'"[^"\\]*(?:\\.[^"\\]*)*"?|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?', re.DOTALL
)
_FRACTION = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+(?:[eE][+-]?[0-9]+)?|[eE][+-]?[0-9]+)")


def number(text: str) -> int | float:
    """Read a JSON number with a fraction or an exponent; an integer that no float spells is an `int`.

    >>> number("2.50"), number("1e3"), number("9007199254740993.0"), number("1e400")
    (2.5, 1000.0, 9007199254740993, inf)
    """
    value = float(text)
    if -_EXACT < value < _EXACT or not -inf < value < inf:
        return value
    exact = Decimal(text)
    if exact == Decimal(repr(value)):
        return value
    whole = int(exact)
    return whole if whole == exact else value


class Inexact(Exception):  # noqa: N818 (never leaves the package: the text is read once more)
    """A number of a text is rounded."""


def kept(text: str) -> int | float:
    """Read what `number` reads; raise Inexact when it has to round.

    >>> kept("2.50"), kept("9007199254740993.0")
    (2.5, 9007199254740993)
    """
    if len(text) <= _SHORT and "e" not in text and "E" not in text:
        return float(text)
    value = float(text)
    if repr(value) == text:
        return value
    if is_rounded(text):
        raise Inexact
    return number(text)


def is_rounded(text: str) -> bool:
    """Tell whether a text is a JSON number that `number` cannot keep: a float of it is written otherwise.

    >>> [is_rounded(t) for t in ("0.1", "0.10000000000000000000001", "1e-400", "9007199254740993.0", "12345678901234567.89")]
    [False, True, True, False, True]
    """
    if _FRACTION.fullmatch(text) is None:
        return False
    value = number(text)
    if kind_of(value) is not float or repr(value) == text or not -inf < value < inf:
        return False
    if value == 0:
        return any([c in "123456789" for c in re.split("[eE]", text)[0]])
    return Decimal(text) != Decimal(repr(value))


def rounded(text: str, start: int, end: int) -> list[Edit]:
    """Tell each number of the JSON in `text[start:end]` that was rounded, and to what.

    >>> rounded('{"12345678901234567.89": 12345678901234567.89}', 0, 46)
    [Edit(offset=25, pointer=None, kind='inexact-number', before='12345678901234567.89', after='1.2345678901234568e+16')]
    """
    part = text[start:end]
    if _MAYBE.search(part) is None:
        return []
    return [
        Edit(
            offset=start + found.start(),
            kind="inexact-number",
            before=shown(found.group()),
            after=repr(number(found.group())),
        )
        for found in _TOKEN.finditer(part)
        if found.group()[0] != '"' and is_rounded(found.group())
    ]
