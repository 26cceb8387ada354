r"""Sets of code points: what ECMA-262 means by `.`, `\d`, `\w`, `\s` and a class, as sorted ranges.

`[\w-]` is ((45, 45), (48, 57), (65, 90), (95, 95), (97, 122)).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias

from wireshape.regex import nodes

Ranges: TypeAlias = tuple[tuple[int, int], ...]

LAST: Final = 0x10FFFF
EVERYTHING: Final[Ranges] = ((0, LAST),)
LINE_ENDS: Final[Ranges] = ((0x0A, 0x0A), (0x0D, 0x0D), (0x2028, 0x2028), (0x2029, 0x2029))
"""What `.` leaves out; written as single characters, so not merged."""
ESCAPED_IN_JSON: Final[Ranges] = ((0x00, 0x1F), (0x22, 0x22), (0x5C, 0x5C))

SHORTHANDS: Final[dict[str, Ranges]] = {
    "d": ((0x30, 0x39),),
    "w": ((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A)),
    "s": ((0x09, 0x0D), (0x20, 0x20), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A), (0x2028, 0x2029),
          (0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000), (0xFEFF, 0xFEFF)),
}  # fmt: skip

ANY: Final = nodes.Set((nodes.Shorthand("s"), nodes.Shorthand("S")))
r"""Every character, `[\s\S]`; in languages with `\s` of any meaning."""
ANY_PLAIN: Final = nodes.Group(
    nodes.Alt(
        (
            nodes.Seq((nodes.Text("\n"),)),
            nodes.Seq((nodes.Set((nodes.Range(0x0A, 0x0A),), negated=True),)),
        )
    )
)
r"""Every character without a shorthand, `(?:\n|[^\n])`."""


def ranges(s: nodes.Set) -> Ranges | None:
    r"""Give what a class matches; `None` where it asks for a Unicode property.

    >>> ranges(nodes.Set((nodes.Shorthand("D"),), negated=True))
    ((48, 57),)
    """
    found: list[tuple[int, int]] = []
    for member in s.members:
        if isinstance(member, nodes.Property):
            return None
        if isinstance(member, nodes.Range):
            found.append((member.low, member.high))
        else:
            base = SHORTHANDS[member.letter.lower()]
            found += complement(base) if member.letter.isupper() else base
    merged = union(found)
    return complement(merged) if s.negated else merged


def union(parts: Iterable[tuple[int, int]]) -> Ranges:
    """Sort and merge ranges."""
    merged: list[tuple[int, int]] = []
    for low, high in sorted(parts):
        if merged and low <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(merged[-1][1], high))
        else:
            merged.append((low, high))
    return tuple(merged)


def complement(parts: Ranges) -> Ranges:
    """All other code points."""
    rest: list[tuple[int, int]] = []
    begin = 0
    for low, high in parts:
        if low > begin:
            rest.append((begin, low - 1))
        begin = high + 1
    if begin <= LAST:
        rest.append((begin, LAST))
    return tuple(rest)


def overlap(a: Ranges, b: Ranges) -> bool:
    """Whether two sets share a code point."""
    return any([low <= top and bottom <= high for low, high in a for bottom, top in b])


def spelled_out(parts: Ranges) -> nodes.Set:
    """Write a set as a class without shorthands; one that holds the last code point as all but the others."""
    if parts and parts[-1][1] == LAST:
        return nodes.Set(
            tuple([nodes.Range(low, high) for low, high in complement(parts)]), negated=True
        )
    return nodes.Set(tuple([nodes.Range(low, high) for low, high in parts]))
