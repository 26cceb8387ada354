"""Numbers as digits: integers between bounds, multiples, and numbers at large.

5..12  ->  [5-9] | 1[0-2]
"""

from __future__ import annotations

import math
from typing import Final

from wireshape import ir
from wireshape.emit.grammar.algebra import Chars, Expr, Seq, Text, alt, many, opt, seq

_LISTED: Final = 64
"""Multiples between bounds are listed up to this many."""


def _digits(low: str, high: str) -> Expr:
    digit = Chars(((ord(low), ord(high)),))
    return Text(low) if low == high else digit


_ANY: Final = _digits("0", "9")
_POSITIVE: Final = seq(_digits("1", "9"), many(_ANY))
_WHOLE: Final = alt([_POSITIVE, Text("0")])
_EXPONENT: Final = seq(
    alt([Text("e"), Text("E")]),
    alt(
        [
            seq(Text("-"), many(_ANY, 1, 3)),
            seq(
                opt(Text("+")),
                alt(
                    [
                        seq(_digits("1", "2"), many(_ANY, 2, 2)),
                        seq(Text("30"), _digits("0", "8")),
                        many(_ANY, 1, 2),
                    ]
                ),
            ),
        ]
    ),
)
"""One that a double can hold."""

INTEGER: Final = seq(opt(Text("-")), _WHOLE)
NUMBER: Final = seq(INTEGER, opt(seq(Text("."), many(_ANY, 1))), opt(_EXPONENT))


def _at_least(low: str) -> Expr:
    """As many digits as `low` has, and no less."""
    if not low.strip("0"):
        return many(_ANY, len(low), len(low))
    head, rest = low[0], low[1:]
    same = seq(Text(head), _at_least(rest)) if rest else Text(head)
    if head == "9":
        return same
    return alt([seq(_digits(chr(ord(head) + 1), "9"), many(_ANY, len(rest), len(rest))), same])


def _at_most(high: str) -> Expr:
    """As many digits as `high` has, and no more."""
    if not high.strip("9"):
        return many(_ANY, len(high), len(high))
    head, rest = high[0], high[1:]
    same = seq(Text(head), _at_most(rest)) if rest else Text(head)
    if head == "0":
        return same
    return alt([seq(_digits("0", chr(ord(head) - 1)), many(_ANY, len(rest), len(rest))), same])


def _of_size(low: str, high: str) -> Expr:
    """Numbers of as many digits as both bounds have."""
    if not low:
        return Seq()
    size = len(low) - 1
    if low[0] == high[0]:
        return seq(Text(low[0]), _of_size(low[1:], high[1:]))
    if not size:
        return _digits(low, high)
    arms: list[Expr] = []
    first, last = low[0], high[0]
    if low[1:].strip("0"):
        arms.append(seq(Text(first), _at_least(low[1:])))
        first = chr(ord(first) + 1)
    if high[1:].strip("9"):
        arms.append(seq(Text(last), _at_most(high[1:])))
        last = chr(ord(last) - 1)
    if first <= last:
        arms.append(seq(_digits(first, last), many(_ANY, size, size)))
    return alt(arms)


def _natural(low: int, high: int | None) -> Expr:
    """Whole numbers from `low`, which is not negative, up to `high`."""
    text = str(low)
    size = len(text)
    if high is None:
        if low == 0:
            return _WHOLE
        return alt([_of_size(text, "9" * size), seq(_digits("1", "9"), many(_ANY, size))])
    end = str(high)
    if size == len(end):
        return _of_size(text, end)
    arms = [_of_size(text, "9" * size), _of_size("1" + "0" * (len(end) - 1), end)]
    if len(end) > size + 1:
        arms.append(seq(_digits("1", "9"), many(_ANY, size, len(end) - 2)))
    return alt(arms)


def integers(low: int | None, high: int | None) -> Expr:
    """Whole numbers between bounds, either of which may be missing.

    >>> from wireshape.emit.grammar.algebra import matches
    >>> [n for n in range(-20, 20) if matches(integers(-12, 3), str(n), {})]
    [-12, -11, -10, -9, -8, -7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3]
    """
    if low is None and high is None:
        return INTEGER
    arms: list[Expr] = []
    if high is None or high >= 0:
        arms.append(_natural(max(low or 0, 0), high))
    if low is None or low < 0:
        least = 1 if high is None or high >= 0 else -high
        arms.append(seq(Text("-"), _natural(least, None if low is None else -low)))
    return alt(arms)


def bounds(n: ir.Number) -> tuple[int | None, int | None]:
    """The least and the greatest whole number that the bounds of `n` let in."""
    lows = [math.ceil(x) for x in (n.minimum,) if x is not None]
    lows += [math.floor(x) + 1 for x in (n.exclusive_minimum,) if x is not None]
    highs = [math.floor(x) for x in (n.maximum,) if x is not None]
    highs += [math.ceil(x) - 1 for x in (n.exclusive_maximum,) if x is not None]
    return max(lows, default=None), min(highs, default=None)


def multiples(n: ir.Number) -> Expr | None:
    """The multiples that an integer asks for: those between its bounds, or by their last digits; `None` where it takes more.

    >>> from wireshape.emit.grammar.algebra import matches
    >>> five = multiples(ir.Number(integer=True, multiple_of=5, minimum=0))
    >>> five and [i for i in range(-10, 21) if matches(five, str(i), {})]
    [0, 5, 10, 15, 20]
    """
    step = n.multiple_of
    if step is None or step % 1:
        return None
    step, (low, high) = int(step), bounds(n)
    if low is not None and high is not None and (high - low) // step < _LISTED:
        first = -(-low // step) * step
        listed = [Text(str(i)) for i in range(first, high + 1, step)]
        return alt(listed) if listed else None
    places = next((k for k in range(1, 7) if 10**k % step == 0), None)
    if places is None or 10**places // step > _LISTED or high is not None or low not in (None, 0):
        return None
    ends = [str(i).rjust(places, "0") for i in range(0, 10**places, step)]
    short = [Text(str(i)) for i in range(0, 10**places, step)]
    natural = alt([*short, seq(_POSITIVE, alt([Text(end) for end in ends]))])
    return natural if low == 0 else seq(opt(Text("-")), natural)


def number(n: ir.Number) -> Expr:
    """Everything that a number which `says` lets through may be."""
    if not n.integer:
        return NUMBER
    return multiples(n) or integers(*bounds(n))


def says(n: ir.Number) -> bool:
    """Whether a grammar can say the `multiple_of` of a number."""
    return n.multiple_of is None or multiples(n) is not None
