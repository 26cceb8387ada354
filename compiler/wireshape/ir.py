"""The intermediate representation: one frozen record per kind of schema; it holds meaning, never spelling.

The same kinds describe a conceptual schema (what `read` returns) and a wire schema (what `strictify` returns).

Invariants of what `read` returns:

- a node stands for exactly the values that its source accepts; what no kind can say is an `Assertion` of a `Refine`;
- `Union` has two or more options, none of them a plain `Union`; no option is `Never`;
- `Object.fields` holds every declared key once, in source order; a field whose key matches a pattern of the same
  object already carries that pattern's schema, so `patterns` and `extras` speak only of other keys;
- numbers are finite, `Literal.values` are distinct under JSON equality (1 equals 1.0, true differs from 1);
- every `Ref` names an entry of `Graph.defs`; there is no reference cycle without a value in between.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias, TypeVar, dataclass_transform, final
from typing import Any as _Any

T = TypeVar("T")

if TYPE_CHECKING:

    @dataclass_transform(frozen_default=True)
    def node(cls: type[T]) -> type[T]:
        """Make a record."""
        ...
else:
    node = dataclass(slots=True)  # see CONTRIBUTING "Frozen for the checkers only"

Json: TypeAlias = _Any
"""A JSON value: None, bool, int, float, str, list of Json, dict of str to Json."""

kind_of: Callable[[object], object] = type
"""The exact type of a JSON value, without the narrowing that leaves the checkers with containers of unknown items."""

KINDS = ("null", "boolean", "number", "string", "array", "object")
"""The JSON types; a union that stands for a schema without a type has one option for each, in this order."""

TYPE_NAMES: Mapping[type, str] = {
    str: "string",
    bool: "boolean",
    int: "integer",
    float: "number",
    type(None): "null",
    list: "array",
    dict: "object",
}
"""The JSON type of a value, by its Python type."""

Path: TypeAlias = "tuple[Path, str | int] | None"
"""A pointer as linked (parent, key) pairs; `None` is the root. Becomes a string only inside a note."""

Ann: TypeAlias = Mapping[str, Json] | None
"""Annotation keywords (title, description, default, examples ...) in source order, or `None`."""


@final
@node
class Any:
    """Every JSON value."""

    ann: Ann = None
    at: Path = field(default=None, compare=False)


@final
@node
class Never:
    """No value at all; `reason` says which assertions contradict each other."""

    reason: str = "false"
    ann: Ann = None
    at: Path = field(default=None, compare=False)


@final
@node
class Null:
    ann: Ann = None
    at: Path = field(default=None, compare=False)


@final
@node
class Boolean:
    ann: Ann = None
    at: Path = field(default=None, compare=False)


@final
@node
class Number:
    """A number; `integer` restricts it to integral values (1.0 is one, except where the draft says otherwise)."""

    integer: bool = False
    minimum: int | float | None = None
    maximum: int | float | None = None
    exclusive_minimum: int | float | None = None
    exclusive_maximum: int | float | None = None
    multiple_of: int | float | None = None
    ann: Ann = None
    at: Path = field(default=None, compare=False)


@final
@node
class String:
    """A string; lengths count code points; all `patterns` must be found (ECMA-262, search) and all `formats` hold."""

    min_length: int = 0
    max_length: int | None = None
    patterns: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()
    ann: Ann = None
    at: Path = field(default=None, compare=False)


@final
@node
class Literal:
    """One of the listed JSON values (`enum`, `const`)."""

    values: tuple[Json, ...]
    ann: Ann = None
    at: Path = field(default=None, compare=False)

    def __eq__(self, other: object) -> bool:
        """Compare as JSON does, where true is not 1."""
        if type(other) is not Literal or self.values != other.values or self.ann != other.ann:
            return False
        return repr(self.values) == repr(other.values)

    __hash__ = None  # type: ignore[assignment]  # like every node: values may hold lists


@final
@node
class List:
    """An array whose items share one schema."""

    items: Node
    min_items: int = 0
    max_items: int | None = None
    unique: bool = False
    ann: Ann = None
    at: Path = field(default=None, compare=False)


@final
@node
class Tuple:
    """An array with a schema per position, then `rest` for every later item; positions from `min_items` on are optional."""

    prefix: tuple[Node, ...]
    rest: Node
    min_items: int = 0
    max_items: int | None = None
    unique: bool = False
    ann: Ann = None
    at: Path = field(default=None, compare=False)


@final
@node
class Field:
    """One declared key of an object."""

    key: str
    node: Node
    required: bool = False


@final
@node
class Pattern:
    """`node` binds every undeclared key in which `regex` is found."""

    regex: str
    node: Node


@final
@node
class Object:
    """An object or a map: declared fields, then pattern rules, then `extras` for any other key.

    `extras` is `Never` when closed. `open` tells that the source left the question open (no keyword at all), which a
    dialect that closes objects may answer by closing; `listed` that it listed the keys, if only none. `names` binds
    every key.
    """

    fields: tuple[Field, ...]
    extras: Node
    open: bool = False
    patterns: tuple[Pattern, ...] = ()
    names: Node | None = None
    min_properties: int = 0
    max_properties: int | None = None
    ann: Ann = None
    at: Path = field(default=None, compare=False)
    listed: bool = field(default=False, compare=False)


@final
@node
class Union:
    """A value of any option; of exactly one when `exclusive`.

    `implied` is not empty when the source gave no type: it names the JSON types that its keywords speak about, and the
    options then are one per JSON type, in the order of `KINDS`.
    """

    options: tuple[Node, ...]
    exclusive: bool = False
    implied: tuple[str, ...] = ()
    ann: Ann = None
    at: Path = field(default=None, compare=False)


@final
@node
class Ref:
    """The definition `name`; `ann` are annotations beside the reference."""

    name: str
    ann: Ann = None
    at: Path = field(default=None, compare=False)


@final
@node
class Assertion:
    """A keyword that no kind can say, in the 2020-12 meaning, with its parts.

    | keyword | nodes | value |
    | --- | --- | --- |
    | not | one | - |
    | if | condition, then, else (`Any()` when absent) | - |
    | anyOf, oneOf, allOf | the arms | - |
    | contains | one | {"minContains": n, "maxContains": n} (either may be missing) |
    | dependentRequired | - | {key: [keys]} |
    | dependentSchemas | one per key | [keys] |
    | multipleOf, pattern, format | - | the operand, where merging left more than a kind can hold |
    | unevaluatedProperties, unevaluatedItems | its schema, then the conjuncts that evaluate beside it | - |
    """

    keyword: str
    nodes: tuple[Node, ...] = ()
    value: Json = None
    at: Path = field(default=None, compare=False)


@final
@node
class Refine:
    """`base`, and every assertion holds too."""

    base: Node
    assertions: tuple[Assertion, ...]
    ann: Ann = None
    at: Path = field(default=None, compare=False)


Node: TypeAlias = (
    Object
    | String
    | Ref
    | Number
    | List
    | Union
    | Literal
    | Boolean
    | Null
    | Any
    | Tuple
    | Refine
    | Never
)


@final
@node
class Graph:
    """A whole schema: `root`, and `defs` in the order in which they are first reached.

    When something refers to the root itself, `root` is a `Ref` to its definition.
    """

    root: Node
    defs: Mapping[str, Node]


def pointer(path: Path) -> str:
    """Render a linked path as a JSON pointer.

    >>> pointer(((None, "properties"), "a/b"))
    '/properties/a~1b'
    """
    parts: list[str] = []
    while path is not None:
        path, key = path
        part = key if type(key) is str else str(key)
        if "~" in part or "/" in part:
            part = part.replace("~", "~0").replace("/", "~1")
        parts.append(part)
    return "".join(["/" + p for p in reversed(parts)])
