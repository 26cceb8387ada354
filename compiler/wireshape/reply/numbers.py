"""Numbers with a fraction or an exponent: read as floats, as exact integers where only that keeps them, and told where neither does."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from math import inf

from wireshape.ir import kind_of
from wireshape.reply.outcome import Edit, shown

_EXACT = 2.0**53
_SHORT = 16
"""A float keeps what is written with no more characters, unless it is tiny."""
_TINY = 1e-290
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
    value = float(text)
    if len(text) <= _SHORT and not (-_TINY < value < _TINY and ("e" in text or "E" in text)):
        return value
    if repr(value) == text:
        return value
    if is_rounded(text):
        raise Inexact
    return number(text)


def keeping(texts: list[str], values: list[float]) -> Callable[[str], int | float]:
    """Make what reads as `kept` does, but collects numbers that are written at length, to be judged together.

    >>> texts, values = [], []
    >>> read = keeping(texts, values)
    >>> read("0.5"), read("0.30000000000000001"), texts, are_kept(texts, values)
    (0.5, 0.3, ['0.30000000000000001'], False)
    """

    def read(text: str) -> int | float:
        value = float(text)
        if len(text) > _SHORT:
            if "e" in text or "E" in text:
                return kept(text)
            texts.append(text)
            values.append(value)
        elif -_TINY < value < _TINY and ("e" in text or "E" in text):
            return kept(text)
        return value

    return read


def are_kept(texts: list[str], values: list[float]) -> bool:
    """Tell whether `kept` reads these values of the texts, and rounds none."""
    if not texts:
        return True
    from jsonschema_rs import canonical  # noqa: PLC0415 (loads jsonschema-rs)

    written = canonical.json.to_string(values)[1:-1].split(",")  # the shortest spellings
    odd = [text for text, short in zip(texts, written, strict=True) if text != short]
    return all([not is_rounded(text) and kind_of(number(text)) is float for text in odd])


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
