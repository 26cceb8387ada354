r"""How the regular expressions of other languages differ from ECMA-262, as data; rows name a language by `strings.regex`.

`\d` of Rust is `\p{Nd}`, and its `.` leaves out `\n` only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from wireshape.regex.nodes import Property, Range
from wireshape.regex.sets import LINE_ENDS, Ranges

if TYPE_CHECKING:
    from wireshape.dialect import Strings


class Language(NamedTuple):
    """One language; the defaults are ECMA-262."""

    shorthands: dict[str, tuple[Range | Property, ...]] | None = None
    r"""What `\d`, `\w`, `\s` match there, where that is not what ECMA-262 says: they are sent as classes."""
    dot_skips: Ranges = LINE_ENDS
    strict_end: bool = True  # else `$` also matches before a line feed that ends the text
    own_syntax: bool = (
        False  # escapes differ: patterns are written anew, in what all languages read
    )
    lacks: frozenset[str] = frozenset()  # features that are refused
    differs: frozenset[str] = frozenset()  # features that mean something else


_NEWLINE: Final[Ranges] = ((0x0A, 0x0A),)
_DIGITS: Final = (Property("Nd"),)
_SPACES: Final = (Property("White_Space"),)

LANGUAGES: Final[dict[str, Language]] = {
    "ecma": Language(),
    # Documented without a name, or as a subset of ECMA-262: what is not refused is read as ECMA-262.
    "unspecified": Language(lacks=frozenset(["empty-class"])),
    "subset": Language(lacks=frozenset(["empty-class"])),
    # An engine of its own: no shorthand, dot or escape is relied on.
    "plain": Language(
        dot_skips=_NEWLINE,
        own_syntax=True,
        lacks=frozenset(["bare-bracket", "control-letter", "empty-class"]),
        differs=frozenset(["dot", "inline-modifier", "shorthand"]),
    ),
    "python": Language(
        shorthands={
            "d": _DIGITS,
            "w": (Property("L"), Property("N"), Range(0x5F, 0x5F)),
            "s": (*_SPACES, Range(0x1C, 0x1F)),
        },
        dot_skips=_NEWLINE,
        strict_end=False,
        own_syntax=True,
        lacks=frozenset(["control-letter", "empty-class", "named-group", "unicode-property"]),
        differs=frozenset(["inline-modifier", "word-boundary"]),
    ),
    "rust": Language(
        shorthands={
            "d": _DIGITS,
            "w": tuple([Property(n) for n in ("Alphabetic", "M", "Nd", "Pc", "Join_Control")]),
            "s": _SPACES,
        },
        dot_skips=_NEWLINE,
        own_syntax=True,
        lacks=frozenset(
            "backreference bare-bracket control-letter empty-class escaped-digit lookahead lookbehind".split()
        ),
        differs=frozenset(["inline-modifier", "word-boundary"]),
    ),
}


def refused(strings: Strings) -> frozenset[str]:
    """The features that a row's engine does not take."""
    return strings.forbid | LANGUAGES[strings.regex].lacks


def reads_as_written(strings: Strings) -> bool:
    """Whether a row reads every pattern that it takes as ECMA-262 searches."""
    language = LANGUAGES[strings.regex]
    return (
        strings.anchoring == "search"
        and not strings.dot_all
        and language.shorthands is None
        and language.dot_skips == LINE_ENDS
        and language.strict_end
    )
