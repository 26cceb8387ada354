"""Count what a dialect limits in a wire schema: as the document stands, and with references expanded.

Every count is one memoised pass over the nodes, so that a definition used a thousand times is visited once. Cycles are
cut where they close. Lowering counts for itself, in `analyze`; this module shares nothing with it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from math import log10
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
from wireshape.plain import containers

_CEILING = 10**12  # counts of hugely shared schemas stop growing here


class Excess(NamedTuple):
    """A count above its limit; `field` is the name of the limit."""

    field: str
    what: str
    number: int
    limit: int
    path: Path


_WHATS = {
    "properties": "the number of properties",
    "string_chars": "the length of all names and constants",
    "enum_values": "the number of enum values",
    "optional_params": "the number of optional properties",
    "max_items_sum": "the sum of `maxItems`",
    "union_params": "the number of properties that are unions",
}


def counts(fields: Sequence[str], document: Document, references: list[Edge]) -> dict[str, int]:
    """Count what the limits of these names are about."""
    sites = document.sites
    if not sites:
        return dict.fromkeys(fields, 0)
    tree = Plan(len(sites), _tree(document))
    spread = Plan(len(sites), [*document.edges, *references])
    ways: dict[str, tuple[Plan, Callable[[Schema], int]]] = {
        "properties": (tree, _properties),
        "string_chars": (tree, _chars),
        "enum_values": (tree, _enum_values),
        "optional_params": (spread, _optional),
        "max_items_sum": (spread, _max_items),
    }
    found: dict[str, int] = {}
    for field in fields:
        if field == "union_params":
            found[field] = spread.sums(_union_counts(document, references))[0]
        else:
            plan, own = ways[field]
            found[field] = plan.sums([own(s.schema) for s in sites])[0]
    return found


def excesses(root: Json, d: Dialect, document: Document, references: list[Edge]) -> list[Excess]:
    """List every documented limit that the schema exceeds."""
    sites, limits = document.sites, d.limits
    if not sites:
        return []
    asked = [field for field in _WHATS if getattr(limits, field) is not None]
    found = [
        Excess(field, _WHATS[field], number, getattr(limits, field), None)
        for field, number in counts(asked, document, references).items()
    ]
    spread = Plan(len(sites), [*document.edges, *references])
    deep = containers(root, limits.nesting + 1)
    found.append(Excess("nesting", "the nesting of the document", deep, limits.nesting, None))
    if limits.bytes is not None:
        found.append(Excess("bytes", "the size in bytes", size(root), limits.bytes, None))
    found += _depths(d, document, spread)
    found += _large_enums(d, document)
    return [e for e in found if e.number > e.limit]


def _depths(d: Dialect, document: Document, spread: Plan) -> Iterator[Excess]:
    limit, sites = d.limits.depth, document.sites
    if limit is None:
        return
    tops, plan = [0], spread
    if d.limits.depth_scope == "definition":
        plan = Plan(len(sites), document.edges)
        tops += [i for i, s in enumerate(sites) if s.role in ("$defs", "definitions", "$def")]
    depths = plan.depths([_is_container(s.schema) for s in sites])
    for i in tops:
        yield Excess("depth", "the nesting", depths[i], limit, sites[i].path)


def _large_enums(d: Dialect, document: Document) -> Iterator[Excess]:
    most, limit = d.limits.large_enum_values, d.limits.large_enum_chars
    for s in document.sites if most is not None and limit is not None else ():
        values = items_of(s.schema, "enum")
        if most is not None and limit is not None and len(values) > most:
            what = f"the length of an enum of {len(values)} values"
            yield Excess("large_enum_chars", what, _strings(values), limit, (s.path, "enum"))


class Plan:
    """Nodes and what they hold, in an order where every node comes after its parts, as far as cycles allow."""

    def __init__(self, count: int, edges: list[Edge]) -> None:
        self.parts: list[list[int]] = [[] for _ in range(count)]
        for e in edges:
            self.parts[e.parent].append(e.child)
        self._order: list[int] | None = None

    @property
    def order(self) -> list[int]:
        """The node numbers, parts first; worked out on first use."""
        if self._order is None:
            self._order = _parts_first(self.parts)
        return self._order

    def sums(self, own: list[int]) -> list[int]:
        """Add up each node's own count and those of its parts."""
        result = [0] * len(own)
        for i in self.order:
            result[i] = min(own[i] + sum([result[c] for c in self.parts[i]]), _CEILING)
        return result

    def depths(self, container: list[bool]) -> list[int]:
        """Count the containers on the longest way down from each node."""
        result = [0] * len(container)
        for i in self.order:
            result[i] = container[i] + max([result[c] for c in self.parts[i]], default=0)
        return result


def _tree(document: Document) -> list[Edge]:
    """Add the definitions, which the document holds although no value enters them, as children of their holder."""
    holders: list[Edge] = []
    for i, s in enumerate(document.sites):
        for keyword in ("$defs", "definitions", "$def"):
            for v in table(s.schema, keyword).values():
                if id(v) in document.numbers:
                    holders.append(Edge(i, document.numbers[id(v)], "value"))
    return [*document.edges, *holders]


def _parts_first(parts: list[list[int]]) -> list[int]:
    order: list[int] = []
    seen = bytearray(len(parts))
    for root in range(len(parts)):
        stack = [] if seen[root] else [(root, 0)]
        seen[root] = 1
        while stack:
            node, at = stack.pop()
            if at < len(parts[node]):
                stack.append((node, at + 1))
                child = parts[node][at]
                if not seen[child]:
                    seen[child] = 1
                    if parts[child]:
                        stack.append((child, 0))
                    else:
                        order.append(child)
            else:
                order.append(node)
    return order


def _is_container(schema: Schema) -> bool:
    if "enum" in schema or "const" in schema:
        return False
    types = types_of(schema)
    return (
        "object" in types
        or "array" in types
        or (not types and ("properties" in schema or "items" in schema))
    )


def _properties(schema: Schema) -> int:
    return len(table(schema, "properties"))


def _optional(schema: Schema) -> int:
    return len(table(schema, "properties").keys() - required(schema))


def _max_items(schema: Schema) -> int:
    value = schema.get("maxItems")
    return (
        min(int(value), _CEILING)
        if isinstance(value, (int, float)) and 0 <= value < _CEILING
        else 0
    )


def _enum_values(schema: Schema) -> int:
    return len(items_of(schema, "enum"))


def _strings(values: list[Json]) -> int:
    return sum([len(v) for v in values if isinstance(v, str)])


def _chars(schema: Schema) -> int:
    names = [
        k for word in ("properties", "$defs", "definitions", "$def") for k in table(schema, word)
    ]
    return _strings([*names, *items_of(schema, "enum"), schema.get("const")])


def _union_counts(document: Document, references: list[Edge]) -> list[int]:
    """Count, for each node, the properties whose own schema is a union, through references."""
    union = [
        bool({"anyOf", "oneOf"} & s.schema.keys()) or is_list(s.schema.get("type"))
        for s in document.sites
    ]
    targets = Plan(len(union), references)
    for i in targets.order:
        union[i] = union[i] or any([union[t] for t in targets.parts[i]])
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
            known[id(v)] = _written(v)
        elif entered:
            keys = sum([size(k) + 1 for k in v]) if is_object(v) else 0
            known[id(v)] = min(
                sum([known.get(id(p), 0) for p in parts]) + keys + len(parts) + 1, _CEILING
            )
        else:
            todo.append((v, True))
            todo += [(p, False) for p in parts]
    return known[id(value)]


def _written(leaf: Json) -> int:
    if isinstance(leaf, int) and leaf.bit_length() > 10_000:  # Python refuses to print it
        return int(leaf.bit_length() * log10(2)) + 1
    return len(json.dumps(leaf, ensure_ascii=False).encode("utf-8", "surrogatepass"))
