"""What the syntaxes of grammars have in common: repeats by their counts, and classes of characters; characters differ."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from wireshape.emit.grammar.chars import SURROGATES
from wireshape.regex.sets import LAST, Ranges, complement, union

SIGNS: Final[dict[tuple[int, int | None], str]] = {(0, None): "*", (1, None): "+", (0, 1): "?"}
"""The repeats that have a sign of their own."""


def times(low: int, high: int | None) -> str:
    """Write how often something is repeated.

    >>> times(0, None), times(2, 2), times(2, None), times(1, 3)
    ('*', '{2}', '{2,}', '{1,3}')
    """
    sign = SIGNS.get((low, high))
    if sign is not None:
        return sign
    if high is None:
        return f"{{{low},}}"
    return f"{{{low}}}" if low == high else f"{{{low},{high}}}"


def bracket(ranges: Ranges, char: Callable[[int], str]) -> str:
    """Write a class; one that holds the last code point as all but the others.

    >>> bracket(((48, 57), (97, 98)), chr)
    '[0-9ab]'
    """
    if ranges[-1][1] == LAST:
        return f"[^{_members(complement(union([*ranges, SURROGATES])), char)}]"
    return f"[{_members(ranges, char)}]"


def _members(ranges: Ranges, char: Callable[[int], str]) -> str:
    parts: list[str] = []
    for low, high in ranges:
        parts.append(char(low))
        if high > low:
            parts.append(("-" if high > low + 1 else "") + char(high))
    return "".join(parts)
