r"""The tree of an ECMA-262 pattern: what it says, not how it was written.

`a(\.|b)*` is `Alt((Seq((Text("a"), Repeat(Group(Alt((Seq((Text("."),)), Seq((Text("b"),)))), "capture"), 0, None))),))`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias


@dataclass(frozen=True, slots=True)
class Text:
    """Characters that stand for themselves, one after the other; never empty, never two in a row."""

    text: str


@dataclass(frozen=True, slots=True)
class Dot:
    """`.`: every character that ends no line."""


@dataclass(frozen=True, slots=True)
class Shorthand:
    r"""`\d`, `\w`, `\s`, or the opposite of one in upper case."""

    letter: str


@dataclass(frozen=True, slots=True)
class Property:
    r"""`\p{name}`; `\P{name}` is negated."""

    name: str
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Range:
    """Code points from `low` to `high`, both included."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Set:
    """`[...]`: one character out of the members, or out of all others; `[]` matches nothing and `[^]` everything."""

    members: tuple[Range | Shorthand | Property, ...]
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Start:
    """`^`."""


@dataclass(frozen=True, slots=True)
class End:
    """`$`: the very end, also where the last character ends a line."""


@dataclass(frozen=True, slots=True)
class Boundary:
    r"""`\b`; `\B` is negated."""

    negated: bool = False


@dataclass(frozen=True, slots=True)
class Backreference:
    r"""`\1` or `\k<name>`."""

    to: int | str


@dataclass(frozen=True, slots=True)
class Repeat:
    """`node` from `low` times up to `high`, or without an end."""

    node: Node
    low: int
    high: int | None
    lazy: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """A group; `label` is the name of a named one and the flags (`i-s`) of one that changes flags."""

    body: Alt
    kind: Literal["capture", "named", "plain", "flags"] = "plain"
    label: str = ""


@dataclass(frozen=True, slots=True)
class Look:
    """An assertion about the text before or behind this place."""

    body: Alt
    behind: bool = False
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Seq:
    """One alternative: its parts in order."""

    items: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True)
class Alt:
    """Alternatives; at least one."""

    arms: tuple[Seq, ...]


Node: TypeAlias = (
    Text
    | Dot
    | Shorthand
    | Property
    | Set
    | Start
    | End
    | Boundary
    | Backreference
    | Repeat
    | Group
    | Look
)
