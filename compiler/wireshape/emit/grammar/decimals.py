r"""Numbers between bounds that need not be whole, compared digit by digit; what is tiny may have an exponent.

0..1.5  ->  0(\.[0-9]+)? | 1(\.([0-4][0-9]*|50*))?
"""

from __future__ import annotations

from decimal import Decimal
from typing import Final, NamedTuple

from wireshape import ir
from wireshape.emit.grammar.algebra import EMPTY, Chars, Expr, Text, alt, many, opt, seq
from wireshape.emit.grammar.integers import DIGIT, natural

_LONGEST: Final = 60
_TINY: Final = Decimal("0.0001")
"""`json.dumps` writes what is smaller with an exponent."""
_SOME: Final = Chars(((0x31, 0x39),))
_MINUS: Final = seq(alt([Text("e"), Text("E")]), Text("-"))
_SMALL: Final = alt(
    [
        seq(Text("3"), Chars(((0x30, 0x31),)), DIGIT),
        seq(Text("32"), Chars(((0x30, 0x33),))),
        seq(Chars(((0x31, 0x32),)), DIGIT, DIGIT),
        seq(_SOME, DIGIT),
        seq(Text("0"), Chars(((0x35, 0x39),))),
    ]
)
_MORE: Final = opt(seq(Text("."), many(DIGIT, 1)))
_TINY_NUMBER: Final = alt(
    [
        seq(Chars(((0x33, 0x39),)), _MORE, _MINUS, Text("324")),
        seq(_SOME, _MORE, _MINUS, _SMALL),
    ]
)
"""Down to the smallest double that is not zero."""


class _End(NamedTuple):
    """One end of a range: its digits, and whether it belongs to the range."""

    whole: str
    fraction: str
    included: bool

    @property
    def value(self) -> Decimal:
        return Decimal(f"{self.whole}.{self.fraction or '0'}")


def _end(value: Decimal, *, included: bool) -> _End:
    whole, _, fraction = format(abs(value), "f").partition(".")
    return _End(whole, fraction.rstrip("0"), included)


def decimals(n: ir.Number) -> Expr:
    """Write the numbers between the bounds of `n`, for which `says_bounds` holds.

    >>> from wireshape.emit.grammar.algebra import matches
    >>> half = decimals(ir.Number(minimum=-0.5, exclusive_maximum=2))
    >>> [matches(half, text, {}) for text in ("-0.5", "-0.51", "1.99", "2", "2.0", "1e-07")]
    [True, False, True, False, False, True]
    """
    low, high = _ends(n)
    arms: list[Expr] = []
    if high is None or high[0] >= 0:
        least = _end(low[0], included=low[1]) if low and low[0] > 0 else _zero(low)
        arms += _between(least, None if high is None else _end(high[0], included=high[1]))
    if low is None or low[0] < 0:
        least = _end(high[0], included=high[1]) if high and high[0] < 0 else _zero(high)
        found = _between(least, None if low is None else _end(low[0], included=low[1]))
        arms += [seq(Text("-"), arm) for arm in found]
    return alt(arms)


def says_bounds(n: ir.Number) -> bool:
    """Whether a grammar can say the bounds of a number: they are not tiny, have few digits, and leave something."""
    low, high = _ends(n)
    given = [end[0] for end in (low, high) if end is not None]
    if any([len(format(abs(x), "f")) > _LONGEST for x in given]):
        return False
    if low and high and (low[0] > high[0] or (low[0] == high[0] and not (low[1] and high[1]))):
        return False
    return n.integer or not any([x and abs(x) < _TINY for x in given])


def _ends(n: ir.Number) -> tuple[tuple[Decimal, bool] | None, tuple[Decimal, bool] | None]:
    """The tighter bound at each end, and whether it is included."""
    lows = [(_decimal(n.minimum), True), (_decimal(n.exclusive_minimum), False)]
    highs = [(_decimal(n.maximum), True), (_decimal(n.exclusive_maximum), False)]
    low = [(x, i) for x, i in lows if x is not None]
    high = [(x, i) for x, i in highs if x is not None]
    return (
        max(low, key=lambda end: (end[0], not end[1]), default=None),
        min(high, key=lambda end: (end[0], end[1]), default=None),
    )


def _decimal(bound: float | None) -> Decimal | None:
    return None if bound is None else Decimal(repr(bound))


def _zero(other: tuple[Decimal, bool] | None) -> _End:
    """Zero as the least magnitude; left out where it is the bound and that is left out."""
    return _End("0", "", other is None or other[0] != 0 or other[1])


def _between(low: _End, high: _End | None) -> list[Expr]:
    """Numbers without a sign; larger ones come first, as a reader that takes the first arm that fits needs it."""
    first, last = int(low.whole), None if high is None else int(high.whole)
    arms: list[Expr | None] = []
    if first == last:
        arms.append(_pointed(low, high))
    else:
        if high is not None:
            arms.append(_pointed(None, high))
        if last is None or last - first > 1:
            inner = natural(first + 1, None if last is None else last - 1)
            arms.append(seq(inner, opt(seq(Text("."), many(DIGIT, 1)))))
        arms.append(_pointed(low, None))
    if low.value == 0 and (high is None or high.value >= _TINY):
        arms.insert(0, _TINY_NUMBER)
    return [arm for arm in arms if arm is not None]


def _pointed(low: _End | None, high: _End | None) -> Expr | None:
    """One whole part, and the fractions that it may have."""
    whole = low or high
    assert whole is not None
    digits = _digits(low and low.fraction, high and high.fraction, low, high)
    arms: list[Expr] = (
        [EMPTY] if _holds_zero(low and low.fraction, high and high.fraction, low, high) else []
    )
    if digits is not None:
        arms.append(seq(Text("."), digits))
    return seq(Text(whole.whole), alt(arms)) if arms else None


def _holds_zero(b: str | None, d: str | None, low: _End | None, high: _End | None) -> bool:
    """Whether no more digits are within the digits of both ends, `None` for an end that is far already."""
    above = b is None or (b == "" and low is not None and low.included)
    below = d is None or d != "" or (high is not None and high.included)
    return above and below


def _digits(b: str | None, d: str | None, low: _End | None, high: _End | None) -> Expr | None:
    """One digit or more within the digits of both ends; `None` where there are none."""
    if d is None and b == "":
        kept = low is not None and low.included
        return many(DIGIT, 1) if kept else seq(many(Text("0")), _SOME, many(DIGIT))
    if d == "" and not b:
        return many(Text("0"), 1) if _holds_zero(b, d, low, high) else None
    first, last = (b or "0")[0] if b is not None else "0", "9" if d is None else (d or "0")[0]
    arms: list[Expr] = []
    inner = [c for c in "0123456789" if (b is None or c > first) and (d is None or c < last)]
    if inner:
        arms.append(seq(Chars(((ord(inner[0]), ord(inner[-1])),)), many(DIGIT)))
    if b is not None and d is not None and first == last:
        arms += _after(first, b[1:], d[1:], low, high)
    else:
        if b is not None and (d is None or first < last):
            arms += _after(first, b[1:], None, low, high)
        if d is not None and (b is None or last > first):
            arms += _after(last, None, d[1:], low, high)
    return alt(arms) if arms else None


def _after(
    digit: str, b: str | None, d: str | None, low: _End | None, high: _End | None
) -> list[Expr]:
    """What begins with a digit that is one of an end; nothing, or one expression."""
    more = _digits(b, d, low, high)
    arms: list[Expr] = [EMPTY] if _holds_zero(b, d, low, high) else []
    arms += [] if more is None else [more]
    return [seq(Text(digit), alt(arms))] if arms else []
