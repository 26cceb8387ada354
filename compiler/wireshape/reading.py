"""Write a wire schema as the JSON Schema 2020-12 that means what the dialect reads; it neither checks nor compiles.

    {"type": "object", "properties": {"a": {"type": "STRING", "nullable": true}}}

    read by a dialect where absent `additionalProperties` means closed and `nullable` counts:

    {"type": "object", "properties": {"a": {"type": ["string", "null"]}}, "additionalProperties": false}

Only schema positions are entered: a property called `pattern` is a name, and `enum`, `const`, `default` and `examples`
hold data. Each shared part is read once and stays shared; unread parts are the caller's own objects.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias, TypeGuard

from wireshape.dialect import Dialect
from wireshape.ir import Json
from wireshape.regex import as_search, reads_as_written

Schema: TypeAlias = dict[str, Any]

_ONE = frozenset(
    "items additionalItems additionalProperties contains not if then else propertyNames unevaluatedItems "
    "unevaluatedProperties".split()
)
_MANY = frozenset(["anyOf", "oneOf", "allOf", "prefixItems", "items"])
_NAMED = frozenset("properties patternProperties $defs definitions $def dependentSchemas".split())
_AT_THE_TOP = frozenset(["$defs", "definitions", "$def", "$id", "$schema"])
_BINDS_NULL = frozenset("anyOf oneOf allOf not if const $ref".split())
_SAYS_ALL = frozenset(["$ref", "const", "enum"])  # objects beside these are not closed
_OLD_TUPLES = frozenset(["draft4", "draft6", "draft7", "2019-09"])
_OLD_BOUNDS = frozenset(["draft4", "openapi-3.0"])


def as_json_schema(wire: Schema, dialect: Dialect) -> Schema:
    """Return what `dialect` reads in `wire`, as JSON Schema 2020-12; `wire` itself where the two are the same.

    `wire` is not changed. It need not be a schema that the dialect accepts; what is malformed stays as it is.

    >>> from wireshape.dialect import dialect
    >>> as_json_schema({"type": "object"}, dialect("xai-strict"))
    {'type': 'object', 'additionalProperties': False}
    """
    plan = _plan(dialect)
    if plan is None or not _is_object(wire):
        return wire
    root: Schema = {}
    known: dict[int, Schema] = {id(wire): root}
    todo: list[tuple[Schema, Schema]] = [(wire, root)]

    def part(value: Json) -> Json:
        if not _is_object(value):
            return value
        new = known.get(id(value))
        if new is None:
            new = known[id(value)] = {}
            todo.append((value, new))
        return new

    while todo:
        old, new = todo.pop()
        for keyword, value in old.items():
            if keyword in plan.ignored:
                continue
            if keyword in _NAMED and _is_object(value):
                new[keyword] = {k: part(v) for k, v in value.items()}
            elif keyword in _MANY and _is_list(value):
                new[keyword] = [part(v) for v in value]
            else:
                new[keyword] = part(value) if keyword in _ONE else value
        _reread(new, plan)
    return root


class _Plan(NamedTuple):
    """What one row reads differently from JSON Schema 2020-12."""

    dialect: Dialect
    ignored: frozenset[str]
    most: tuple[tuple[str, int], ...]  # bounds and how far they are enforced
    closed: bool
    patterns: bool
    whole: frozenset[str]  # what is enforced on integers only


def _is_object(value: Json) -> TypeGuard[Schema]:
    return isinstance(value, dict)


def _is_list(value: Json) -> TypeGuard[list[Any]]:
    return isinstance(value, list)


@lru_cache(maxsize=64)
def _plan(d: Dialect) -> _Plan | None:
    """Work out what to change, `None` for nothing at all."""
    rows = (
        (d.objects.pattern_properties, "patternProperties"),
        (d.objects.property_names, "propertyNames"),
        (d.objects.property_bounds, "minProperties maxProperties"),
        (d.unions.any_of, "anyOf"),
        (d.unions.all_of, "allOf"),
        (d.unions.negation, "not"),
        (d.unions.conditional, "if then else"),
        (d.unions.dependent, "dependentRequired dependentSchemas dependencies"),
        (d.unions.unevaluated, "unevaluatedProperties unevaluatedItems"),
        (d.strings.pattern, "pattern"),
        (d.strings.length, "minLength maxLength"),
        (d.numbers.bounds, "minimum maximum"),
        (d.numbers.exclusive, "exclusiveMinimum exclusiveMaximum"),
        (d.numbers.multiple_of, "multipleOf"),
        (d.arrays.min_items, "minItems"),
        (d.arrays.max_items, "maxItems"),
        (d.arrays.unique, "uniqueItems"),
        (d.arrays.contains, "contains minContains maxContains"),
    )
    limits = (
        (d.strings.length_max, "minLength maxLength"),
        (d.arrays.bound_max, "minItems maxItems"),
        (d.objects.property_bound_max, "minProperties maxProperties"),
    )
    plan = _Plan(
        dialect=d,
        ignored=frozenset(
            [word for support, words in rows if support == "ignored" for word in words.split()]
        ),
        most=tuple(
            [(word, most) for most, words in limits if most is not None for word in words.split()]
        ),
        closed=d.objects.absent_means == "closed",
        patterns=not reads_as_written(d.strings),
        whole=frozenset(
            [word for support, words in rows if support == "integers" for word in words.split()]
        ),
    )
    formats = d.strings.formats is not None and d.strings.other_formats == "ignored"
    unions = d.unions.one_of == "as-any-of" or d.unions.all_of == "single"
    renamed = d.refs.keyword == "$def"
    formats = formats or d.strings.one_rule or d.tuples.absent_means == "closed"
    differs = (
        bool(plan.ignored or plan.most or plan.whole)
        or renamed
        or plan.closed
        or plan.patterns
        or formats
        or unions
    )
    return (
        None if d.root.verbatim or (not differs and d.draft in ("2020-12", "openapi-3.1")) else plan
    )


def _reread(n: Schema, plan: _Plan) -> None:
    """Change one fresh node from the dialect's reading to the standard one."""
    d = plan.dialect
    _types(n)
    if d.refs.keyword == "$def":
        _definitions(n)
    _unenforced(n, plan)
    if d.unions.all_of == "single" and _is_list(n.get("allOf")) and len(n["allOf"]) > 1:
        del n["allOf"]  # best effort only
    if d.unions.one_of == "as-any-of" and "oneOf" in n:
        arms = n.pop("oneOf")
        if "anyOf" in n:
            others = n.get("allOf")
            n["allOf"] = [*(others if _is_list(others) else []), {"anyOf": arms}]
        else:
            n["anyOf"] = arms
    said = _SAYS_ALL & n.keys()
    if plan.closed and "additionalProperties" not in n and not said and _is_object_node(n):
        n["additionalProperties"] = False
    if d.tuples.absent_means == "closed" and "prefixItems" in n:
        _closed_tuple(n, d)
    if d.draft in _OLD_TUPLES and _is_list(n.get("items")):
        n["prefixItems"] = n.pop("items")
        if "additionalItems" in n:
            n["items"] = n.pop("additionalItems")
    if d.draft in _OLD_BOUNDS:
        _exclusive(n, "minimum", "exclusiveMinimum")
        _exclusive(n, "maximum", "exclusiveMaximum")
    if d.draft == "openapi-3.0" and n.pop("nullable", False) is True:
        _admit_null(n)


def _definitions(n: Schema) -> None:
    """Write `$def` as `$defs`, and references into it."""
    if "$def" in n:
        n["$defs"] = n.pop("$def")
    ref = n.get("$ref")
    if isinstance(ref, str) and ref.startswith("#/$def/"):
        n["$ref"] = "#/$defs/" + ref.removeprefix("#/$def/")


def _unenforced(n: Schema, plan: _Plan) -> None:
    """Take away the rules about one value that the dialect does not enforce here, and reread patterns."""
    d = plan.dialect
    for keyword, most in plan.most:
        bound = n.get(keyword)
        if isinstance(bound, (int, float)) and bound > most:
            del n[keyword]
    if plan.whole and not (_says(n, "integer") and not _says(n, "number")):
        for keyword in plan.whole & n.keys():
            del n[keyword]
    name = n.get("format")
    if isinstance(name, str) and d.strings.formats is not None and name not in d.strings.formats:
        del n["format"]
    if d.strings.one_rule:
        _one_rule(n)
    if plan.patterns and isinstance(n.get("pattern"), str):
        n["pattern"] = as_search(n["pattern"], d.strings)
    keys = n.get("patternProperties")
    if plan.patterns and _is_object(keys):
        read = {as_search(key, d.strings): sub for key, sub in keys.items()}
        n["patternProperties"] = read if len(read) == len(keys) else keys


def _closed_tuple(n: Schema, d: Dialect) -> None:
    """Say that nothing follows the positions, and that all are given where the length is fixed."""
    n.setdefault("items", False)
    if d.tuples.encoding == "fixed-prefix-items" and _is_list(n["prefixItems"]):
        n["minItems"] = len(n["prefixItems"])


def _one_rule(n: Schema) -> None:
    """Keep the first rule about strings."""
    words = [w for w in ("format", "pattern") if w in n]
    for keyword in [*words[1:], *(["minLength", "maxLength"] if words else [])]:
        n.pop(keyword, None)


def _types(n: Schema) -> None:
    said = n.get("type")
    if isinstance(said, str):
        n["type"] = said.lower()
    elif _is_list(said):
        n["type"] = [t.lower() if isinstance(t, str) else t for t in said]


def _is_object_node(n: Schema) -> bool:
    return "properties" in n if n.get("type") is None else _says(n, "object")


def _says(n: Schema, name: str) -> bool:
    said = n.get("type")
    return said == name or (_is_list(said) and name in said)


def _exclusive(n: Schema, bound: str, exclusive: str) -> None:
    """Turn the flag of the old drafts into a bound."""
    if isinstance(n.get(exclusive), bool) and n.pop(exclusive) and bound in n:
        n[exclusive] = n.pop(bound)


def _admit_null(n: Schema) -> None:
    """Let null in beside what a node says."""
    if isinstance(n.get("type"), str) and not _BINDS_NULL & n.keys():
        n["type"] = n["type"] if n["type"] == "null" else [n["type"], "null"]
        if _is_list(n.get("enum")):
            n["enum"] = n["enum"] if any([v is None for v in n["enum"]]) else [*n["enum"], None]
        return
    inner = {k: v for k, v in n.items() if k not in _AT_THE_TOP}
    for keyword in inner:
        del n[keyword]
    n["anyOf"] = [inner, {"type": "null"}]
