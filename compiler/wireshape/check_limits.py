"""Count what a dialect limits in a wire schema: as the document stands, and with references expanded.

Every count is one memoised pass over the nodes, so that a definition used a thousand times is visited once. Cycles are
cut where they close. Counting for lowering is `cost`; this module shares nothing with it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import NamedTuple

from wireshape.check_walk import (
    Document,
    Edge,
    Schema,
    is_list,
    is_object,
    items_of,
    required,
    table,
    types_of,
)
from wireshape.dialect import Dialect
from wireshape.ir import Json, Path

_CEILING = 10**12  # counts of hugely shared schemas stop growing here


class Excess(NamedTuple):
    """A count above its limit; `field` is the name of the limit."""

    field: str
    what: str
    number: int
    limit: int
    path: Path


def excesses(root: Json, d: Dialect, document: Document, references: list[Edge]) -> Iterator[Excess]:
    """Yield every documented limit that the schema exceeds."""
    sites, limits = document.sites, d.limits
    tree = _lists(len(sites), _tree(document))
    spread = _lists(len(sites), [*document.edges, *references])

    def over(field: str, what: str, number: int, limit: int | None, path: Path = None) -> Iterator[Excess]:
        if limit is not None and number > limit:
            yield Excess(field, what, number, limit, path)

    def total(children: list[list[int]], own: Callable[[Schema], int]) -> int:
        return _sums([own(s.schema) for s in sites], children)[0] if sites else 0

    yield from over("properties", "the number of properties", total(tree, _properties), limits.properties)
    yield from over("string_chars", "the length of all names and constants", total(tree, _chars), limits.string_chars)
    yield from over("enum_values", "the number of enum values", total(tree, _enum_values), limits.enum_values)
    yield from over("optional_params", "the number of optional properties", total(spread, _optional), limits.optional_params)
    yield from over("max_items_sum", "the sum of `maxItems`", total(spread, _max_items), limits.max_items_sum)
    if limits.union_params is not None:
        unions = _sums(_union_counts(document, references), spread)[0] if sites else 0
        yield from over("union_params", "the number of properties that are unions", unions, limits.union_params)
    if limits.bytes is not None:
        yield from over("bytes", "the size in bytes", size(root), limits.bytes)
    if limits.depth is not None and sites:
        within = limits.depth_scope == "definition"
        edges = document.edges if within else [*document.edges, *references]
        depths = _depths([_is_container(s.schema) for s in sites], _lists(len(sites), edges))
        tops = [i for i, s in enumerate(sites) if within and s.role in ("$defs", "definitions")]
        for i in [0, *tops]:
            yield from over("depth", "the nesting", depths[i], limits.depth, sites[i].path)
    if limits.large_enum_values is not None:
        for s in sites:
            values = items_of(s.schema, "enum")
            if len(values) > limits.large_enum_values:
                what = f"the length of an enum of {len(values)} values"
                yield from over("large_enum_chars", what, _strings(values), limits.large_enum_chars, (s.path, "enum"))


def _tree(document: Document) -> list[Edge]:
    """Add the definitions, which the document holds although no value enters them, as children of their holder."""
    holders: list[Edge] = []
    for i, s in enumerate(document.sites):
        for keyword in ("$defs", "definitions"):
            for v in table(s.schema, keyword).values():
                if id(v) in document.numbers:
                    holders.append(Edge(i, document.numbers[id(v)], "value"))
    return [*document.edges, *holders]


def _lists(count: int, edges: list[Edge]) -> list[list[int]]:
    children: list[list[int]] = [[] for _ in range(count)]
    for e in edges:
        children[e.parent].append(e.child)
    return children


def postorder(children: list[list[int]]) -> list[int]:
    """Put every node after its children, as far as cycles allow."""
    order: list[int] = []
    seen = bytearray(len(children))
    for root in range(len(children)):
        stack = [] if seen[root] else [(root, 0)]
        seen[root] = 1
        while stack:
            node, at = stack.pop()
            if at < len(children[node]):
                stack.append((node, at + 1))
                child = children[node][at]
                if not seen[child]:
                    seen[child] = 1
                    stack.append((child, 0))
            else:
                order.append(node)
    return order


def _sums(own: list[int], children: list[list[int]]) -> list[int]:
    result = [0] * len(own)
    for i in postorder(children):
        result[i] = min(own[i] + sum([result[c] for c in children[i]]), _CEILING)
    return result


def _depths(container: list[bool], children: list[list[int]]) -> list[int]:
    result = [0] * len(container)
    for i in postorder(children):
        result[i] = container[i] + max([result[c] for c in children[i]], default=0)
    return result


def _is_container(schema: Schema) -> bool:
    types = types_of(schema)
    return "object" in types or "array" in types or (not types and ("properties" in schema or "items" in schema))


def _properties(schema: Schema) -> int:
    return len(table(schema, "properties"))


def _optional(schema: Schema) -> int:
    return len(table(schema, "properties").keys() - required(schema))


def _max_items(schema: Schema) -> int:
    value = schema.get("maxItems")
    return min(int(value), _CEILING) if isinstance(value, (int, float)) and 0 <= value < _CEILING else 0


def _enum_values(schema: Schema) -> int:
    return len(items_of(schema, "enum"))


def _strings(values: list[Json]) -> int:
    return sum([len(v) for v in values if isinstance(v, str)])


def _chars(schema: Schema) -> int:
    names = [k for word in ("properties", "$defs", "definitions") for k in table(schema, word)]
    return _strings([*names, *items_of(schema, "enum"), schema.get("const")])


def _union_counts(document: Document, references: list[Edge]) -> list[int]:
    """Count, for each node, the properties whose own schema is a union, through references."""
    union = [bool({"anyOf", "oneOf"} & s.schema.keys()) or is_list(s.schema.get("type")) for s in document.sites]
    targets = _lists(len(union), references)
    for i in postorder(targets):
        union[i] = union[i] or any([union[t] for t in targets[i]])
    counts: list[int] = []
    for s in document.sites:
        numbers = [document.numbers.get(id(v), -1) for v in table(s.schema, "properties").values()]
        counts.append(sum([i >= 0 and union[i] for i in numbers]))
    return counts


def size(value: Json) -> int:
    """Count the bytes of a JSON value written compactly in UTF-8; depth and sharing are no limit.

    >>> size({"a": [1, "é"]})
    14
    """
    known: dict[int, int] = {}
    todo: list[tuple[Json, bool]] = [(value, False)]
    while todo:
        v, entered = todo.pop()
        if id(v) in known:
            continue
        parts: list[Json] = list(v.values()) if is_object(v) else v if is_list(v) else []
        if not parts:
            known[id(v)] = len(json.dumps(v, ensure_ascii=False).encode("utf-8", "surrogatepass"))
        elif entered:
            keys = sum([size(k) + 1 for k in v]) if is_object(v) else 0
            known[id(v)] = min(sum([known.get(id(p), 0) for p in parts]) + keys + len(parts) + 1, _CEILING)
        else:
            todo.append((v, True))
            todo += [(p, False) for p in parts]
    return known[id(value)]
