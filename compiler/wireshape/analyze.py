"""Facts about a wire schema: how much of each documented limit it uses, and which limits it exceeds.

It counts what was written, each definition once; references are multiplied out only where the limit says so.
"""

from __future__ import annotations

import json
import marshal
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from wireshape.dialect import Dialect, Limits
from wireshape.emit import Emitted
from wireshape.grant import Excess
from wireshape.ir import kind_of
from wireshape.plain import containers
from wireshape.wires import (
    HOLDERS,
    ROOT,
    UNITING,
    Wire,
    below,
    definitions,
    holds,
    is_container,
    is_union,
    name_of,
)

_SHALLOW = 12  # containers, with what is written between two of them
_DEEPEST = 10_000
_AROUND = 6  # containers around a definition, and in an enum or a list of keys
_MULTIPLYING = frozenset({*HOLDERS, "anyOf", "oneOf"})


@dataclass(slots=True)
class Facts:
    """What one definition holds, references not followed."""

    large_enums: list[tuple[int, int]]
    """Values and characters of each enum."""
    references: dict[str, int]
    """How often each definition is referred to."""
    reference_depth: dict[str, int]
    """Containers around the deepest reference to each definition."""
    objects: list[Wire]
    """The schemas that declare properties, what is around them first."""
    properties: int = 0
    string_chars: int = 0
    enum_values: int = 0
    optional_params: int = 0
    union_params: int = 0
    max_items_sum: int = 0
    depth: int = 0


def facts_of(wire: Wire, defs: Mapping[str, Wire]) -> Facts:
    """Count one definition; `defs` only tell which references are unions.

    >>> facts_of({"type": "object", "properties": {"a": {"type": "array", "maxItems": 3}}}, {}).depth
    2
    """
    facts = Facts([], {}, {}, [])
    _count(wire, 0, facts, defs)
    return facts


def _count(wire: Wire, depth: int, facts: Facts, defs: Mapping[str, Wire]) -> None:
    depth += count_one(wire, depth, facts, defs)
    for inner in below(wire)[0]:
        if holds(inner):
            _count(inner, depth, facts, defs)


def count_one(wire: Wire, depth: int, facts: Facts, defs: Mapping[str, Wire]) -> bool:
    """Add what one schema holds by itself to `facts`, and tell whether it is a container."""
    if "$ref" in wire:
        name = name_of(wire["$ref"])
        facts.references[name] = facts.references.get(name, 0) + 1
        if depth >= facts.reference_depth.get(name, 0):
            facts.reference_depth[name] = depth
    if "enum" in wire or "const" in wire:
        _constants(wire, facts)
        contains = False
    else:
        contains = is_container(wire)
        if contains:
            if depth >= facts.depth:
                facts.depth = depth + 1
            if "maxItems" in wire:
                facts.max_items_sum += wire["maxItems"]
    if "properties" in wire:
        _fields(wire, facts, defs)
    return contains


def _fields(wire: Wire, facts: Facts, defs: Mapping[str, Wire]) -> None:
    properties: dict[str, Wire] = wire["properties"]
    facts.objects.append(wire)
    facts.properties += len(properties)
    facts.string_chars += sum(map(len, properties))
    facts.optional_params += len(properties.keys() - wire.get("required", ()))
    for inner in properties.values():
        if kind_of(inner) is dict and not UNITING.isdisjoint(inner):
            facts.union_params += is_union(inner, defs)


def _constants(wire: Wire, facts: Facts) -> None:
    values: list[Any] = wire.get("enum", [])
    chars = sum([len(v) for v in [*values, wire.get("const")] if type(v) is str])
    facts.string_chars += chars
    facts.enum_values += len(values)
    if values:
        facts.large_enums.append((len(values), chars))


def facts_by_name(defs: Mapping[str, Wire]) -> dict[str, Facts]:
    """Count the root and each definition."""
    return {name: facts_of(wire, defs) for name, wire in defs.items()}


class Count(NamedTuple):
    """Each limit that is exceeded, and the facts of each definition, where they were needed to tell."""

    found: list[Excess]
    parts: Mapping[str, Facts]


def counted(emitted: Emitted, row: Dialect) -> Count:
    """Return each limit of the row that the wire schema exceeds, with the count and where most of it lies."""
    count = _limited(emitted, row.limits)
    if emitted.tally.deepest <= _SHALLOW or "depth" in [excess.rule for excess in count.found]:
        return count
    why = _nested(emitted, row.limits.nesting)
    if why is None:
        return count
    return Count([*count.found, why], count.parts or facts_by_name(definitions(emitted.document)))


def _nested(emitted: Emitted, limit: int) -> Excess | None:
    """What a document is nested too deep, in containers, and how many schemas of containers may lie inside one another."""
    found = containers(emitted.document, _DEEPEST)
    if found <= limit:
        return None
    levels = max(1, emitted.tally.deepest * (limit - _AROUND) // found)
    return Excess("nesting", "the nesting of the document", found, limit, levels=levels)


def _limited(emitted: Emitted, limits: Limits) -> Count:
    size = _bytes(emitted.document, limits)
    if _surely_within(emitted, limits, size):
        return Count([], {})
    parts = facts_by_name(definitions(emitted.document))
    depths = {n: f.depth for n, f in parts.items()}
    nesting, enum = _nesting(parts, limits), _large_enum(parts, limits)
    found: list[_Found] = [
        *_totals(parts, limits),
        *_spread(parts, limits),
        ("depth", "the nesting", nesting, limits.depth, depths),
        ("large_enum_chars", "the length of a large enum", enum, limits.large_enum_chars, {}),
    ]
    if limits.bytes is not None:
        counts = {n: f.properties for n, f in parts.items()}
        found.append(("bytes", "the size in bytes", size, limits.bytes, counts))
    over = [
        Excess(rule, what, count, limit, _largest(counts))
        for rule, what, count, limit, counts in found
        if limit is not None and count > limit
    ]
    return Count(over, parts)


def usage(document: Wire) -> dict[str, int]:
    """Count what a wire schema takes of the limits that a request shares out, references multiplied out.

    >>> usage({"type": "object", "properties": {"a": {"type": "array", "maxItems": 3}}})
    {'optional_params': 1, 'union_params': 0, 'max_items_sum': 3, 'properties': 1}
    """
    parts = facts_by_name(definitions(document))
    used = {
        rule: expanded(ROOT, parts, {n: int(getattr(f, rule)) for n, f in parts.items()}, {})
        for rule in _SPREAD
    }
    return {**used, "properties": sum([facts.properties for facts in parts.values()])}


_Found: TypeAlias = "tuple[str, str, int, int | None, Mapping[str, int]]"


def _surely_within(emitted: Emitted, limits: Limits, size: int) -> bool:
    """Whether the writer's own tally already shows that nothing can be exceeded."""
    tally, grows = emitted.tally, not _MULTIPLYING.isdisjoint(emitted.document)
    optional, unions, items = limits.optional_params, limits.union_params, limits.max_items_sum
    chars = limits.large_enum_chars
    over = (
        (limits.properties is not None and tally.properties > limits.properties)
        or (limits.string_chars is not None and tally.string_chars > limits.string_chars)
        or (limits.enum_values is not None and tally.enum_values > limits.enum_values)
        or (chars is not None and any([most > chars for _, most in tally.large_enums]))
        or (limits.depth is not None and tally.deepest > limits.depth)
        or (limits.depth is not None and grows and limits.depth_scope == "expanded")
        or (optional is not None and tally.optional > (0 if grows else optional))
        or (unions is not None and (grows or tally.unions > unions))  # a reference may be one too
        or (items is not None and tally.max_items > (0 if grows else items))
    )
    return not over and (limits.bytes is None or size <= limits.bytes)


_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_ASCII = json.JSONEncoder(separators=(",", ":"))


def _bytes(document: Wire, limits: Limits) -> int:
    """The size as JSON text, or some size within the limit where it is certain to be within.

    Version 2 of the marshal format shares nothing, and is written four times faster than text. What grows most is a
    boolean or a control character, at one byte each. Text in ASCII comes next: it is faster than other text, never
    shorter, and as long where nothing is escaped.
    """
    if limits.bytes is None:
        return 0
    most = 7 * len(marshal.dumps(document, 2))
    if most <= limits.bytes:
        return most
    text = _ASCII.encode(document)
    within = len(text) <= limits.bytes or "\\u" not in text
    return len(text) if within else len(_JSON.encode(document).encode())


def _totals(parts: Mapping[str, Facts], limits: Limits) -> list[_Found]:
    """What the document holds, each definition once."""
    found: list[_Found] = []
    for rule, what in _TOTALS.items():
        names = sum([len(name) for name in parts if name != ROOT]) if rule == "string_chars" else 0
        counts = {name: int(getattr(facts, rule)) for name, facts in parts.items()}
        found.append((rule, what, sum(counts.values()) + names, getattr(limits, rule), counts))
    return found


def _spread(parts: Mapping[str, Facts], limits: Limits) -> list[_Found]:
    """What the document holds with references multiplied out."""
    found: list[_Found] = []
    for rule, what in _SPREAD.items():
        counts = {name: int(getattr(facts, rule)) for name, facts in parts.items()}
        limit = getattr(limits, rule)
        found.append(
            (rule, what, 0 if limit is None else expanded(ROOT, parts, counts, {}), limit, counts)
        )
    return found


_TOTALS = {
    "properties": "the number of properties",
    "string_chars": "the length of names and constants",
    "enum_values": "the number of enum values",
}
_SPREAD = {
    "optional_params": "the number of optional fields",
    "union_params": "the number of unions",
    "max_items_sum": "the sum of `maxItems`",
}


def _nesting(parts: Mapping[str, Facts], limits: Limits) -> int:
    if limits.depth_scope == "definition":
        return max([facts.depth for facts in parts.values()])
    return nesting(ROOT, parts, {})


def _large_enum(parts: Mapping[str, Facts], limits: Limits) -> int:
    least = limits.large_enum_values
    if least is None:
        return 0
    return max(
        [
            chars
            for facts in parts.values()
            for values, chars in facts.large_enums
            if values > least
        ],
        default=0,
    )


def _largest(counts: Mapping[str, int]) -> str:
    top = sorted(counts.items(), key=lambda item: -item[1])[:3]
    return ", ".join([f"{name} ({count})" for name, count in top])


def expanded(
    name: str, parts: Mapping[str, Facts], own: Mapping[str, int], known: dict[str, int]
) -> int:
    """The count with references multiplied out; a recursive reference counts once."""
    if name not in known:
        known[name] = 0
        inner = [
            uses * expanded(to, parts, own, known) for to, uses in parts[name].references.items()
        ]
        known[name] = own[name] + sum(inner)
    return known[name]


def nesting(name: str, parts: Mapping[str, Facts], known: dict[str, int]) -> int:
    """The containers on the longest way down, references followed; a recursive one ends it."""
    if name not in known:
        known[name] = 0
        facts = parts[name]
        inner = [around + nesting(to, parts, known) for to, around in facts.reference_depth.items()]
        known[name] = max([facts.depth, *inner])
    return known[name]
