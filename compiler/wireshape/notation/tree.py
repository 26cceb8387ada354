"""The tree of a notation text: what is written, with its places, before it means anything; both directions share it.

    size?: integer @min(1) = 3   ->   Member("size", Noted(Word("integer"), (Mark("min", (1,)),)), optional, default 3)

Offsets count characters of the text; what a program writes has none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, final

from wireshape.ir import Json


@final
@dataclass(frozen=True, slots=True)
class Word:
    """A built-in word, or the name of a type; `quoted` is always a name."""

    name: str
    quoted: bool = False
    start: int = -1


@final
@dataclass(frozen=True, slots=True)
class Value:
    """A string, number or boolean that stands for itself."""

    value: Json
    start: int = -1


@final
@dataclass(frozen=True, slots=True)
class Listed:
    """`enum(...)`: any JSON values."""

    values: tuple[Json, ...]
    start: int = -1


@final
@dataclass(frozen=True, slots=True)
class Array:
    """`T[]`."""

    item: Type
    start: int = -1


@final
@dataclass(frozen=True, slots=True)
class Item:
    """One position of a tuple; `rest` stands for all later ones, and `type` is then what each of them is."""

    type: Type
    optional: bool = False
    rest: bool = False
    start: int = -1


@final
@dataclass(frozen=True, slots=True)
class Tuple:
    """`[A, B?, ...C[]]`."""

    items: tuple[Item, ...]
    start: int = -1


@final
@dataclass(frozen=True, slots=True)
class Member:
    """`key?: T = default`; `docs` is the text of its `///` lines."""

    key: str
    type: Type
    optional: bool = False
    default: Json = None
    has_default: bool = False
    docs: str | None = None
    start: int = -1


@final
@dataclass(frozen=True, slots=True)
class Rule:
    """`[key: K]: T` for all other keys, or with `regex` for those in which it is found.

    `merged` tells that the declared keys in which it is found say all that it says.
    """

    type: Type
    keys: Type | None = None
    regex: str | None = None
    merged: bool = False
    docs: str | None = None
    start: int = -1


@final
@dataclass(frozen=True, slots=True)
class Open:
    """`...`: other keys are asked for, whatever they hold."""

    start: int = -1


@final
@dataclass(frozen=True, slots=True)
class Body:
    """`{...}`, with `closed` before it where other keys are refused; `end` is where its brace closes."""

    members: tuple[Member | Rule | Open, ...]
    closed: bool = False
    start: int = -1
    end: int = -1


@final
@dataclass(frozen=True, slots=True)
class Arm:
    """One alternative, and its `///` lines."""

    type: Type
    docs: str | None = None


@final
@dataclass(frozen=True, slots=True)
class Alt:
    """`A | B`."""

    arms: tuple[Arm, ...]
    start: int = -1


@final
@dataclass(frozen=True, slots=True)
class Both:
    """`A & B`."""

    parts: tuple[Type, ...]
    start: int = -1


@final
@dataclass(frozen=True, slots=True)
class Group:
    """`( T )`."""

    type: Type
    start: int = -1


@final
@dataclass(frozen=True, slots=True)
class Argument:
    """A type in parentheses, perhaps with a label."""

    type: Type
    label: str | None = None
    start: int = -1


@final
@dataclass(frozen=True, slots=True)
class Speaking:
    """`any(T, ...)`: any value, but one of the JSON type of a `T` has to be one."""

    arguments: tuple[Argument, ...]
    start: int = -1


@final
@dataclass(frozen=True, slots=True)
class Mark:
    """An annotation; its arguments are values, or types where it is about types."""

    name: str
    values: tuple[Json, ...] = ()
    types: tuple[Argument, ...] = ()
    called: bool = False
    start: int = -1


@final
@dataclass(frozen=True, slots=True)
class Noted:
    """A type and the annotations behind it."""

    type: Type
    marks: tuple[Mark, ...]
    start: int = -1


Type: TypeAlias = (
    Word | Value | Noted | Array | Body | Alt | Group | Listed | Tuple | Speaking | Both
)


@final
@dataclass(frozen=True, slots=True)
class Definition:
    """`type Name = T`; the body of a file has no name."""

    name: str | None
    type: Type
    docs: str | None = None
    quoted: bool = False
    start: int = -1


@final
@dataclass(frozen=True, slots=True)
class File:
    """A whole text: at most one body, which comes first, and the named types."""

    definitions: tuple[Definition, ...]


WORDS: Final = frozenset("any never null boolean number integer string object".split())
"""What no type can be called without quotes, beside `RESERVED`."""
RESERVED: Final = frozenset("type true false enum array".split())
TYPES: Final = frozenset(
    "not if anyOf oneOf allOf contains dependentSchemas unevaluatedProperties unevaluatedItems keys".split()
)
"""The annotations whose arguments are types."""

Kind: TypeAlias = Literal["null", "boolean", "number", "string", "array", "object"]


def parts(t: Type) -> list[Type]:
    """List the types inside a type, those of its annotations included."""
    if type(t) is Body:
        rules = [m.keys for m in t.members if type(m) is Rule and m.keys is not None]
        return [*[m.type for m in t.members if type(m) is not Open], *rules]
    if type(t) is Noted:
        return [t.type, *[a.type for m in t.marks for a in m.types]]
    if type(t) is Alt:
        return [arm.type for arm in t.arms]
    if type(t) is Array:
        return [t.item]
    if type(t) is Group:
        return [t.type]
    if type(t) is Tuple:
        return [i.type for i in t.items]
    if type(t) is Speaking:
        return [a.type for a in t.arguments]
    return list(t.parts) if type(t) is Both else []
