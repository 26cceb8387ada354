r"""Characters as JSON text spells them: a set of code points becomes what may stand for one of them between quotes.

{é}  ->  é | \u00e9          {"}  ->  \"
"""

from __future__ import annotations

from typing import Final

from wireshape.emit.grammar.algebra import Chars, Expr, Ref, Rule, Seq, Text, alt, many, seq
from wireshape.regex.sets import Ranges, complement, union

_SHORT: Final = {0x08: "b", 0x09: "t", 0x0A: "n", 0x0C: "f", 0x0D: "r", 0x22: '"', 0x5C: "\\"}
_MUST_ESCAPE: Final[Ranges] = ((0x00, 0x1F), (0x22, 0x22), (0x5C, 0x5C))
SURROGATES: Final = (0xD800, 0xDFFF)
RAW: Final[Ranges] = complement(union([*_MUST_ESCAPE, SURROGATES]))
_MAY_ESCAPE: Final[Ranges] = ((0x7F, 0xD7FF), (0xE000, 0xFFFF))
"""What writers escape as they please: all but printable ASCII."""
_PAIRS: Final[Ranges] = ((0x10000, 0x10FFFF),)
_BEYOND: Final = union([*_MAY_ESCAPE, *_PAIRS])
_HEX: Final = Chars(((0x30, 0x39), (0x41, 0x46), (0x61, 0x66)))

CHAR: Final = Ref("CHAR")
"""One character of a string, in any spelling that JSON has for it."""
KEY_CHAR: Final = Ref("KEY_CHAR")
"""One character of a key: ASCII in one way only, so that a key which is looked for cannot be written in another."""
ESCAPE: Final = Ref("ESCAPE")
"""What `KEY_CHAR` escapes: what must be, and what is not ASCII."""
_UNICODE_ESCAPE: Final = Ref("UNICODE_ESCAPE")


def _hex_digit(low: int, high: int) -> Expr:
    """A hexadecimal digit in a range, in either case."""
    codes = [ord(c) for d in range(low, high + 1) for c in {f"{d:x}", f"{d:X}"}]
    return Chars(union([(c, c) for c in codes]))


def _hex(low: str, high: str) -> Expr:
    """The numbers from `low` to `high`, as many hexadecimal digits each."""
    if not low:
        return Seq()
    size = len(low) - 1
    if set(low) == {"0"} and set(high) == {"f"}:
        return many(_HEX, size + 1, size + 1)
    first, last = int(low[0], 16), int(high[0], 16)
    if first == last:
        return seq(_hex_digit(first, first), _hex(low[1:], high[1:]))
    arms: list[Expr] = []
    if low[1:].strip("0"):
        arms.append(seq(_hex_digit(first, first), _hex(low[1:], "f" * size)))
        first += 1
    if high[1:].strip("f"):
        arms.append(seq(_hex_digit(last, last), _hex("0" * size, high[1:])))
        last -= 1
    if first <= last:
        arms.insert(0, seq(_hex_digit(first, last), many(_HEX, size, size)))
    return alt(arms)


def _escapes(parts: Ranges) -> list[Expr]:
    r"""`\uXXXX` for code points that fit, and two of them for others."""
    return [seq(Text("\\u"), _hex(f"{low:04x}", f"{high:04x}")) for low, high in parts]


def _lead(code: int) -> int:
    return 0xD800 + ((code - 0x10000) >> 10)


def _trail(code: int) -> int:
    return 0xDC00 + (code & 0x3FF)


def _pairs(low: int, high: int) -> list[Expr]:
    """Code points beyond 0xFFFF as surrogate pairs."""
    arms: list[Expr] = []
    while low <= high:
        lead = _lead(low)
        if low & 0x3FF == 0 and high - low >= 0x3FF:
            last = _lead(high + 1 - 0x400)
            trail = (0xDC00, 0xDFFF)
            following = 0x10000 + ((last - 0xD800 + 1) << 10)
        else:
            last = lead
            end = min(high, low | 0x3FF)
            trail = (_trail(low), _trail(end))
            following = end + 1
        arms.append(seq(*_escapes(((lead, last),)), *_escapes((trail,))))
        low = following
    return arms


def within(parts: Ranges, whole: Ranges) -> Ranges:
    """What two sets share."""
    return complement(union([*complement(parts), *complement(whole)]))


_ALL_ESCAPES: Final = alt([*_escapes(_MAY_ESCAPE), *_pairs(*_PAIRS[0])])
_ANY_ESCAPE: Final = alt([*_escapes(((0x0000, 0xD7FF), (0xE000, 0xFFFF))), *_pairs(*_PAIRS[0])])


def _needed(parts: Ranges) -> list[Expr]:
    """The escapes of characters that no string holds as they are."""
    codes = [c for low, high in parts for c in range(low, high + 1)]
    short = [Text(_SHORT[c]) for c in codes if c in _SHORT]
    return [
        *([seq(Text("\\"), alt(short))] if short else []),
        *_escapes(union([(c, c) for c in codes if c not in _SHORT])),
    ]


TOKENS: Final = {
    "UNICODE_ESCAPE": Rule(_ALL_ESCAPES, token=True),
    "CHAR": Rule(
        alt([Chars(RAW), seq(Text("\\"), alt([Text(c) for c in '"\\/bfnrt'])), _ANY_ESCAPE]),
        token=True,
    ),
    "KEY_CHAR": Rule(alt([Chars(RAW), ESCAPE]), token=True),
    "ESCAPE": Rule(alt([*_needed(_MUST_ESCAPE), _UNICODE_ESCAPE]), token=True),
}
"""What `one_of` and its callers refer to."""


def one_of(parts: Ranges) -> Expr:
    r"""One character out of a set, as `json.dumps` may write it, with or without `ensure_ascii`; ASCII in one way only.

    >>> one_of(((0x61, 0x63),)), one_of(((0x0A, 0x0A),))
    (Chars(ranges=((97, 99),)), Text(text='\\n'))
    """
    arms: list[Expr] = []
    raw = within(parts, RAW)
    if raw:
        arms.append(Chars(raw))
    needed, beyond = within(parts, _MUST_ESCAPE), within(parts, _BEYOND)
    if (needed, beyond) == (_MUST_ESCAPE, _BEYOND):
        return alt([*arms, ESCAPE])
    arms += _needed(needed)
    if beyond == _BEYOND:
        arms.append(_UNICODE_ESCAPE)
    else:
        arms += _escapes(within(beyond, _MAY_ESCAPE))
        for low, high in within(beyond, _PAIRS):
            arms += _pairs(low, high)
    return alt(arms)


def is_plain(c: str) -> bool:
    """Whether a character stands for itself and is spelled in no other way."""
    return c.isascii() and c.isprintable() and c not in '"\\'


def spelled(text: str) -> Expr:
    r"""A text without its quotes.

    >>> spelled('a"')
    Text(text='a\\"')
    """
    return seq(*[one_of(((ord(c), ord(c)),)) for c in text])


def quoted(content: Expr) -> Expr:
    """A string with this content."""
    return seq(Text('"'), content, Text('"'))
