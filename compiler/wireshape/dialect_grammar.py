"""What a dialect row states about grammars, for dialects that take one instead of a schema; a plain record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

FEATURES: Final = frozenset(
    "backreference declare import lazy look-around newline priority template unbounded-ignore".split()
)
"""What a row may forbid in a grammar: in patterns, and among the directives and definitions of Lark.

`unbounded-ignore` is a pattern to be ignored without an end; `newline`, a line feed in a pattern that is all of the grammar.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grammar:
    """The grammar that says which texts may be written."""

    syntax: Literal["none", "lark", "gbnf", "regex"] = "none"  # none: schemas are sent
    spaces: int = 20  # of white space, at most, after `{ [ , :` and before `} ]`
    forbid: frozenset[str] = frozenset()
    """Features that are refused, out of `FEATURES`."""
    repeat_max: int | None = None  # the largest count of a repeat
