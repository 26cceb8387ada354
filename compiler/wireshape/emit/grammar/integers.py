"""Whole numbers between bounds, compared digit by digit.

5..12  ->  [5-9] | 1[0-2]
"""

from __future__ import annotations

from typing import Final

from wireshape.emit.grammar.algebra import Chars, Expr, Seq, Text, alt, many, opt, seq


def digits(low: str, high: str) -> Expr:
    """One digit out of a range."""
    return Text(low) if low == high else Chars(((ord(low), ord(high)),))


DIGIT: Final = digits("0", "9")
POSITIVE: Final = seq(digits("1", "9"), many(DIGIT))
WHOLE: Final = alt([POSITIVE, Text("0")])
INTEGER: Final = seq(opt(Text("-")), WHOLE)


def _at_least(low: str) -> Expr:
    """As many digits as `low` has, and no less."""
    if not low.strip("0"):
        return many(DIGIT, len(low), len(low))
    head, rest = low[0], low[1:]
    same = seq(Text(head), _at_least(rest)) if rest else Text(head)
    if head == "9":
        return same
    return alt([seq(digits(chr(ord(head) + 1), "9"), many(DIGIT, len(rest), len(rest))), same])


def _at_most(high: str) -> Expr:
    """As many digits as `high` has, and no more."""
    if not high.strip("9"):
        return many(DIGIT, len(high), len(high))
    head, rest = high[0], high[1:]
    same = seq(Text(head), _at_most(rest)) if rest else Text(head)
    if head == "0":
        return same
    return alt([seq(digits("0", chr(ord(head) - 1)), many(DIGIT, len(rest), len(rest))), same])


def _of_size(low: str, high: str) -> Expr:
    """Numbers of as many digits as both bounds have."""
    if not low:
        return Seq()
    size = len(low) - 1
    if low[0] == high[0]:
        return seq(Text(low[0]), _of_size(low[1:], high[1:]))
    if not size:
        return digits(low, high)
    arms: list[Expr] = []
    first, last = low[0], high[0]
    if low[1:].strip("0"):
        arms.append(seq(Text(first), _at_least(low[1:])))
        first = chr(ord(first) + 1)
    if high[1:].strip("9"):
        arms.append(seq(Text(last), _at_most(high[1:])))
        last = chr(ord(last) - 1)
    if first <= last:
        arms.append(seq(digits(first, last), many(DIGIT, size, size)))
    return alt(arms)


def natural(low: int, high: int | None) -> Expr:
    """Whole numbers from `low`, which is not negative, up to `high`."""
    text = str(low)
    size = len(text)
    if high is None:
        if low == 0:
            return WHOLE
        return alt([_of_size(text, "9" * size), seq(digits("1", "9"), many(DIGIT, size))])
    end = str(high)
    if size == len(end):
        return _of_size(text, end)
    arms = [_of_size(text, "9" * size), _of_size("1" + "0" * (len(end) - 1), end)]
    if len(end) > size + 1:
        arms.append(seq(digits("1", "9"), many(DIGIT, size, len(end) - 2)))
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
        arms.append(natural(max(low or 0, 0), high))
    if low is None or low < 0:
        least = 1 if high is None or high >= 0 else -high
        arms.append(seq(Text("-"), natural(least, None if low is None else -low)))
    return alt(arms)
