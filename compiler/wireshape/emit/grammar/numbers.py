"""Numbers as digits: integers between bounds, multiples, and numbers at large.

5..12  ->  [5-9] | 1[0-2]
"""

from __future__ import annotations

import math
from typing import Final

from wireshape import ir
from wireshape.emit.grammar.algebra import Expr, Text, alt, many, opt, seq
from wireshape.emit.grammar.decimals import decimals
from wireshape.emit.grammar.integers import DIGIT, INTEGER, POSITIVE, digits, integers

_LISTED: Final = 64
"""Multiples between bounds are listed up to this many."""


_EXPONENT: Final = seq(
    alt([Text("e"), Text("E")]),
    alt(
        [
            seq(Text("-"), many(DIGIT, 1, 3)),
            seq(
                opt(Text("+")),
                alt(
                    [
                        seq(digits("1", "2"), many(DIGIT, 2, 2)),
                        seq(Text("30"), digits("0", "8")),
                        many(DIGIT, 1, 2),
                    ]
                ),
            ),
        ]
    ),
)
"""One that a double can hold."""

NUMBER: Final = seq(INTEGER, opt(seq(Text("."), many(DIGIT, 1))), opt(_EXPONENT))


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
    natural = alt([*short, seq(POSITIVE, alt([Text(end) for end in ends]))])
    return natural if low == 0 else seq(opt(Text("-")), natural)


def number(n: ir.Number) -> Expr:
    """Write a number of which everything can be said."""
    if not n.integer:
        bounded = any(
            [
                x is not None
                for x in (n.minimum, n.maximum, n.exclusive_minimum, n.exclusive_maximum)
            ]
        )
        return decimals(n) if bounded else NUMBER
    return multiples(n) or integers(*bounds(n))


def says_multiple(n: ir.Number) -> bool:
    """Whether a grammar can say the `multiple_of` of a number."""
    return n.multiple_of is None or multiples(n) is not None
