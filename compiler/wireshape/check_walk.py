"""Walk any JSON as a schema: list its schema nodes and how they hang together, and tell what is malformed.

Only schema positions are entered, so a property called `properties` is a name and an `enum` holds data. Each Python
object is visited once and the walk is a loop: shared subtrees cost nothing and depth is no limit. Rules are elsewhere.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, TypeAlias, TypeGuard
from urllib.parse import unquote

from wireshape.ir import Json, Path

Schema: TypeAlias = dict[str, Any]

TYPES = ("null", "boolean", "integer", "number", "string", "array", "object")

ONE = frozenset(
    "items additionalItems additionalProperties contains contentSchema not if then else propertyNames "
    "unevaluatedItems unevaluatedProperties".split()
)
MANY = frozenset(["anyOf", "oneOf", "allOf", "prefixItems"])
NAMED = frozenset(
    "properties patternProperties $defs definitions $def dependentSchemas dependencies".split()
)
_SAME_VALUE = frozenset("anyOf oneOf allOf not if then else dependentSchemas dependencies".split())
_DEFINITIONS = frozenset(["$defs", "definitions", "$def"])


class Site(NamedTuple):
    """A schema node: `role` is the keyword that holds it, empty at the root."""

    schema: Schema
    path: Path
    role: str
    in_all_of: bool


class Edge(NamedTuple):
    """Two nodes by number: `same` speaks about one value, `optional` enters a property that may be absent, `value` another part."""

    parent: int
    child: int
    kind: Literal["same", "optional", "value"]


class Flaw(NamedTuple):
    """Something malformed: what, and what to do."""

    path: Path
    keyword: str
    what: str
    remedy: str


@dataclass(slots=True)
class Document:
    """What the walk found, in source order."""

    sites: list[Site] = field(default_factory=list[Site])
    numbers: dict[int, int] = field(default_factory=dict[int, int])  # by identity of the node
    edges: list[Edge] = field(default_factory=list[Edge])
    booleans: list[tuple[bool, Path, str]] = field(default_factory=list[tuple[bool, Path, str]])
    flaws: list[Flaw] = field(default_factory=list[Flaw])


def is_object(value: Json) -> TypeGuard[dict[str, Any]]:
    """Tell whether a JSON value is an object."""
    return isinstance(value, dict)


def is_list(value: Json) -> TypeGuard[list[Any]]:
    """Tell whether a JSON value is a list."""
    return isinstance(value, list)


def table(schema: Schema, keyword: str) -> dict[str, Any]:
    """Return the object that a keyword holds, empty when absent or malformed."""
    value = schema.get(keyword)
    return value if is_object(value) else {}


def items_of(schema: Schema, keyword: str) -> list[Any]:
    """Return the list that a keyword holds, empty when absent or malformed."""
    value = schema.get(keyword)
    return value if is_list(value) else []


def required(schema: Schema) -> frozenset[str]:
    """Return the required keys."""
    return frozenset([k for k in items_of(schema, "required") if isinstance(k, str)])


def types_of(schema: Schema) -> list[str]:
    """Return the type names, in lower case, empty when there are none.

    >>> types_of({"type": ["STRING", "null"]})
    ['string', 'null']
    """
    value = schema.get("type")
    names = value if is_list(value) else [value]
    return [t.lower() for t in names if isinstance(t, str)]


def walk(
    root: Json, *, draft: str, closed: Callable[[str], bool], anywhere: bool = False
) -> Document:
    """Visit every schema node under `root`, except under keywords that are `closed` (refused, so never looked into).

    With `anywhere`, a reference makes a schema of what it leads to, wherever that stands.
    """
    document = Document()
    links: list[tuple[int, int, Literal["same", "optional", "value"]]] = []
    todo: list[tuple[Json, Path, str, bool]] = [(root, None, "", False)]
    goals: deque[tuple[Json, Path, str, bool]] = deque()
    while todo or goals:
        value, path, role, in_all_of = todo.pop() if todo else goals.popleft()
        if isinstance(value, bool):
            document.booleans.append((value, path, role))
        elif not is_object(value):
            document.flaws.append(
                Flaw(path, role, "a schema must be an object", "write an object of keywords")
            )
        elif id(value) not in document.numbers:
            document.numbers[id(value)] = len(document.sites)
            document.sites.append(Site(value, path, role, in_all_of))
            children = _children(value, path, in_all_of, document.flaws, draft=draft, closed=closed)
            todo += children[::-1]
            goals += _goal(value, root, closed) if anywhere else []
            links += _links(value, children)
    document.edges += [Edge(document.numbers[p], document.numbers[c], kind) for p, c, kind in links]
    return document


def _links(
    schema: Schema, children: list[tuple[Json, Path, str, bool]]
) -> list[tuple[int, int, Literal["same", "optional", "value"]]]:
    """Pair a node with its children, by identity, but for definitions, which no value enters."""
    found: list[tuple[int, int, Literal["same", "optional", "value"]]] = []
    needed = required(schema)
    for child, at, keyword, _ in children:
        if keyword in _DEFINITIONS or not is_object(child):
            continue
        kind: Literal["same", "optional", "value"] = "same" if keyword in _SAME_VALUE else "value"
        if keyword == "properties" and at and at[1] not in needed:
            kind = "optional"
        found.append((id(schema), id(child), kind))
    return found


def _goal(
    schema: Schema, root: Json, closed: Callable[[str], bool]
) -> list[tuple[Json, Path, str, bool]]:
    """Return the object that the pointer of a `$ref` leads to, unless it stands under a closed keyword."""
    ref = schema.get("$ref")
    if closed("$ref") or not isinstance(ref, str) or not ref.startswith("#/"):
        return []
    tokens = tokens_of(ref)
    goal = follow(root, tokens)
    if closed(tokens[0]) or not is_object(goal):
        return []
    path: Path = None
    for token in tokens:
        path = (path, token)
    return [(goal, path, "$ref", False)]


def tokens_of(ref: str) -> list[str]:
    """Split the fragment of a reference, `#` or `#/...`, into keys.

    >>> tokens_of("#/$defs/a~1b%20c")
    ['$defs', 'a/b c']
    """
    return [unquote(t).replace("~1", "/").replace("~0", "~") for t in ref.split("/")[1:]]


def follow(root: Json, tokens: list[str]) -> Json:
    """Return what keys lead to from the root, `None` when nothing."""
    value = root
    for key in tokens:
        if is_object(value) and key in value:
            value = value[key]
        elif is_list(value) and _is_index(key) and int(key) < len(value):
            value = value[int(key)]
        else:
            return None
    return value


def _is_index(key: str) -> bool:
    return key.isascii() and key.isdigit() and len(key) < 10


def _children(
    schema: Schema, path: Path, in_all_of: bool, flaws: list[Flaw], *, draft: str, closed: Callable[[str], bool]
) -> list[tuple[Json, Path, str, bool]]:  # fmt: skip
    """List the subschemas of one node and report malformed keywords."""
    found: list[tuple[Json, Path, str, bool]] = []
    for keyword, value in schema.items():
        if closed(keyword):
            continue
        here = (path, keyword)
        remedy = malformed(keyword, value, draft)
        if remedy:
            flaws.append(Flaw(here, keyword, f"{keyword!r} holds {kind_of(value)}", remedy))
        elif keyword in NAMED and is_object(value):
            parts = [
                (v, (here, k), keyword, in_all_of)
                for k, v in value.items()
                if not (keyword == "dependencies" and is_list(v))
            ]
            found += parts
        elif keyword in MANY or (keyword == "items" and is_list(value)):
            inside = in_all_of or keyword == "allOf"
            found += [(v, (here, i), keyword, inside) for i, v in enumerate(value)]
        elif keyword in ONE:
            found.append((value, here, keyword, in_all_of))
    return found


def kind_of(value: Json) -> str:
    """Name the JSON type of a value, for messages.

    >>> kind_of([1])
    'a list'
    """
    if value is None or isinstance(value, bool):
        return "null" if value is None else "a boolean"
    if isinstance(value, (int, float)):
        return "a number"
    if isinstance(value, str):
        return "a string"
    return ("an empty list" if not value else "a list") if is_list(value) else "an object"


def malformed(keyword: str, value: Json, draft: str) -> str:
    """Tell what the value of a keyword must be instead, or return nothing when it is well-formed or unknown."""
    if keyword in ("exclusiveMinimum", "exclusiveMaximum") and draft in ("draft4", "openapi-3.0"):
        return "" if isinstance(value, bool) else "write true or false in this draft"
    if keyword == "type":
        return _bad_type(value, draft)
    if keyword == "items" and is_list(value) and draft in ("2020-12", "openapi-3.1", "openapi-3.0"):
        return "write one schema; `items` is no list in this draft"
    shape = _SHAPES.get(keyword)
    if shape is None:
        return ""
    holds, wanted = shape
    return "" if holds(value) else f"write {wanted}"


def _bad_type(value: Json, draft: str) -> str:
    names = value if is_list(value) else [value]
    fold = draft == "openapi-3.0"  # the wire protocol writes STRING, OBJECT ...
    known = all([isinstance(t, str) and (t.lower() if fold else t) in TYPES for t in names])
    if known and names and len(set(names)) == len(names):
        return ""
    return f"write one of {', '.join(TYPES)}, or a list of different ones"


def _is_number(value: Json) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value - value == 0


def _is_count(value: Json) -> bool:
    return _is_number(value) and value >= 0 and value == int(value)


def _is_names(value: Json) -> bool:
    return (
        is_list(value)
        and all([isinstance(v, str) for v in value])
        and len(set(value)) == len(value)
    )


def _is_dependencies(value: Json) -> bool:
    return is_object(value) and all([not is_list(v) or _is_names(v) for v in value.values()])


def _shapes() -> dict[str, tuple[Callable[[Json], bool], str]]:
    rows: tuple[tuple[str, Callable[[Json], bool], str], ...] = (
        ("$ref $id $schema $anchor $dynamicRef $dynamicAnchor $comment title description format pattern", lambda v: isinstance(v, str), "a string"),
        ("minimum maximum exclusiveMinimum exclusiveMaximum", _is_number, "a finite number"),
        ("multipleOf", lambda v: _is_number(v) and v > 0, "a number above 0"),
        ("minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains", _is_count, "a whole number from 0 on"),
        ("uniqueItems deprecated readOnly writeOnly nullable", lambda v: isinstance(v, bool), "true or false"),
        ("required propertyOrdering x-order", _is_names, "a list of different strings"),
        ("enum", lambda v: is_list(v) and bool(v), "a list of one or more values"),
        ("examples", is_list, "a list"),
        (" ".join(MANY), lambda v: is_list(v) and bool(v), "a list of one or more schemas"),
        ("properties patternProperties $defs definitions $def dependentSchemas", is_object, "an object of schemas"),
        ("dependencies", _is_dependencies, "an object of schemas and lists of strings"),
        ("dependentRequired", lambda v: is_object(v) and all([_is_names(k) for k in v.values()]), "an object of lists of strings"),
    )  # fmt: skip
    return {keyword: (holds, wanted) for words, holds, wanted in rows for keyword in words.split()}


_SHAPES = _shapes()
