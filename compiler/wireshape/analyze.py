"""Facts about a wire schema: how much of each documented limit it uses, and a loud note for a limit that is exceeded.

It counts what was written, each definition once; references are multiplied out only where the limit says so.
"""

from __future__ import annotations

import json
import marshal
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from wireshape.dialect import Dialect, Limits
from wireshape.emit import Emitted
from wireshape.ir import kind_of
from wireshape.report import Note, make_note

_NONE = Limits()
_ROOT = "the root"
_HOPS = 16
_HOLDERS = ("$defs", "definitions", "$def")

Wire: TypeAlias = dict[str, Any]


@dataclass(slots=True)
class Facts:
    """What one definition holds, references not followed."""

    large_enums: list[tuple[int, int]]
    """Values and characters of each enum."""
    references: dict[str, int]
    """How often each definition is referred to."""
    reference_depth: dict[str, int]
    """Containers around the deepest reference to each definition."""
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
    facts = Facts([], {}, {})
    _count(wire, 0, facts, defs)
    return facts


def _count(wire: Wire, depth: int, facts: Facts, defs: Mapping[str, Wire]) -> None:
    target = wire.get("$ref")
    if target is not None:
        name = _name(target)
        facts.references[name] = facts.references.get(name, 0) + 1
        facts.reference_depth[name] = max(depth, facts.reference_depth.get(name, 0))
    if "enum" in wire or "const" in wire:
        _constants(wire, facts)
    if _is_container(wire):
        depth += 1
        facts.depth = max(facts.depth, depth)
        facts.max_items_sum += wire.get("maxItems", 0)
    if "properties" in wire:
        _fields(wire, facts, defs)
    for inner in _inside(wire):
        _count(inner, depth, facts, defs)


def _fields(wire: Wire, facts: Facts, defs: Mapping[str, Wire]) -> None:
    properties: dict[str, Wire] = wire["properties"]
    facts.properties += len(properties)
    required = set(wire.get("required", ()))
    for key, inner in properties.items():
        facts.string_chars += len(key)
        facts.optional_params += key not in required
        facts.union_params += _is_union(inner, defs)


def _constants(wire: Wire, facts: Facts) -> None:
    values: list[Any] = wire.get("enum", [])
    chars = sum([len(v) for v in [*values, wire.get("const")] if type(v) is str])
    facts.string_chars += chars
    facts.enum_values += len(values)
    if values:
        facts.large_enums.append((len(values), chars))


def _is_container(wire: Wire) -> bool:
    if "enum" in wire or "const" in wire:
        return False
    kind = wire.get("type")
    if kind is None:
        return "properties" in wire or "items" in wire
    return kind in ("object", "array")


_ONE = frozenset(
    "additionalProperties items propertyNames not if then else contains unevaluatedItems unevaluatedProperties".split()
)
_LISTS = frozenset({"prefixItems", "anyOf", "oneOf", "allOf"})
_TABLES = frozenset({"properties", "patternProperties", "dependentSchemas"})


def _inside(wire: Wire) -> list[Wire]:
    """The schemas directly inside a schema, without its definitions; booleans hold nothing."""
    found: list[Wire] = []
    for keyword, value in wire.items():
        if keyword in _ONE:
            if kind_of(value) is dict:
                found.append(value)
        elif keyword in _LISTS:
            found += [part for part in value if kind_of(part) is dict]
        elif keyword in _TABLES:
            found += [part for part in value.values() if kind_of(part) is dict]
    return found


def _name(target: str) -> str:
    return _ROOT if target == "#" else target.split("/", 2)[2]


def _definitions(document: Wire) -> dict[str, Wire]:
    found: Wire = {}
    for word in _HOLDERS:
        found = document.get(word) or found
    return {_ROOT: document, **found}


def _is_union(wire: Wire | bool, defs: Mapping[str, Wire]) -> bool:
    for _ in range(_HOPS):
        if isinstance(wire, bool):
            return False
        if "anyOf" in wire or "oneOf" in wire:
            return True
        if "$ref" not in wire:
            return False
        wire = defs[_name(wire["$ref"])]
    return False


def exceeded(emitted: Emitted, row: Dialect) -> list[Note]:
    """Return a loud note for each limit of the row that the wire schema exceeds."""
    limits = row.limits
    if limits == _NONE:
        return []
    size = _bytes(emitted.document, limits)
    if _surely_within(emitted, limits, size):
        return []
    defs = _definitions(emitted.document)
    parts = {name: facts_of(wire, defs) for name, wire in defs.items()}
    found: list[_Found] = [
        *_totals(parts, limits),
        *_spread(parts, limits),
        (
            "depth",
            "the nesting",
            _nesting(parts, limits),
            limits.depth,
            {n: f.depth for n, f in parts.items()},
        ),
        (
            "large_enum_chars",
            "the length of a large enum",
            _large_enum(parts, limits),
            limits.large_enum_chars,
            {},
        ),
    ]
    if limits.bytes is not None:
        counts = {n: f.properties for n, f in parts.items()}
        found.append(("bytes", "the size in bytes", size, limits.bytes, counts))
    return [
        _note(rule, what, count, limit, counts)
        for rule, what, count, limit, counts in found
        if limit is not None and count > limit
    ]


def _note(rule: str, what: str, count: int, limit: int, counts: Mapping[str, int]) -> Note:
    fields = {
        "what": what,
        "count": count,
        "limit": limit,
        "field": f"limits.{rule}",
        "largest": _largest(counts),
    }
    return make_note("WS301", "", fields=fields)


_Found: TypeAlias = "tuple[str, str, int, int | None, Mapping[str, int]]"


def _surely_within(emitted: Emitted, limits: Limits, size: int) -> bool:
    """Whether the writer's own tally already shows that nothing can be exceeded."""
    tally = emitted.tally
    document = emitted.document
    multiplied = any([word in document for word in (*_HOLDERS, "anyOf", "oneOf")])
    counts = (
        (limits.properties, tally.properties, False),
        (limits.string_chars, tally.string_chars, False),
        (limits.enum_values, tally.enum_values, False),
        (limits.optional_params, tally.optional, multiplied and tally.optional > 0),
        (limits.union_params, tally.unions, multiplied),  # a reference may be one too
        (limits.max_items_sum, tally.max_items, multiplied and tally.max_items > 0),
        (limits.depth, tally.deepest, multiplied and limits.depth_scope == "expanded"),
        (limits.large_enum_chars, max([chars for _, chars in tally.large_enums], default=0), False),
    )
    for limit, count, grows in counts:
        if limit is not None and (count > limit or grows):
            return False
    return limits.bytes is None or size <= limits.bytes


_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def _bytes(document: Wire, limits: Limits) -> int:
    """The size as JSON text, or some size within the limit where it is certain to be within.

    Version 2 of the marshal format shares nothing, and is written four times faster than text. What grows most is a
    boolean or a control character, at one byte each.
    """
    if limits.bytes is None:
        return 0
    most = 7 * len(marshal.dumps(document, 2))
    return most if most <= limits.bytes else len(_JSON.encode(document).encode())


def _totals(parts: Mapping[str, Facts], limits: Limits) -> list[_Found]:
    """What the document holds, each definition once."""
    found: list[_Found] = []
    for rule, what in _TOTALS.items():
        names = sum([len(name) for name in parts if name != _ROOT]) if rule == "string_chars" else 0
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
            (rule, what, 0 if limit is None else _expanded(_ROOT, parts, counts, {}), limit, counts)
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
    return _depth(_ROOT, parts, {})


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


def _expanded(
    name: str, parts: Mapping[str, Facts], own: Mapping[str, int], known: dict[str, int]
) -> int:
    """The count with references multiplied out; a recursive reference counts once."""
    if name not in known:
        known[name] = 0
        inner = [
            uses * _expanded(to, parts, own, known) for to, uses in parts[name].references.items()
        ]
        known[name] = own[name] + sum(inner)
    return known[name]


def _depth(name: str, parts: Mapping[str, Facts], known: dict[str, int]) -> int:
    if name not in known:
        known[name] = 0
        facts = parts[name]
        inner = [around + _depth(to, parts, known) for to, around in facts.reference_depth.items()]
        known[name] = max([facts.depth, *inner])
    return known[name]
