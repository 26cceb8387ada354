"""Facts about a wire graph: how much of each documented limit it uses, and a loud note for a limit that is exceeded.

It counts what is emitted, each definition once; references are multiplied out only where the limit says so.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from wireshape import ir
from wireshape.dialect import Dialect, Limits
from wireshape.emit import Emitted
from wireshape.report import Note, make_note
from wireshape.walk import children

_NONE = Limits()
_ROOT = "the root"
_HOPS = 16


@dataclass(slots=True)
class Facts:
    """What one definition holds, references not followed."""

    properties: int = 0
    string_chars: int = 0
    enum_values: int = 0
    optional_params: int = 0
    union_params: int = 0
    max_items_sum: int = 0
    depth: int = 0
    large_enums: list[tuple[int, int]] = field(
        default_factory=list[tuple[int, int]]
    )  # (values, characters)
    references: dict[str, int] = field(default_factory=dict[str, int])  # name -> uses
    reference_depth: dict[str, int] = field(
        default_factory=dict[str, int]
    )  # name -> containers around its deepest use


def facts_of(n: ir.Node, defs: Mapping[str, ir.Node]) -> Facts:
    """Count one definition; `defs` only tell which references are unions.

    >>> facts_of(ir.Object((ir.Field("a", ir.List(ir.String(), max_items=3)),), ir.Never()), {}).depth
    2
    """
    facts = Facts()
    _count(n, 0, facts, defs)
    return facts


def _count(n: ir.Node, depth: int, facts: Facts, defs: Mapping[str, ir.Node]) -> None:
    if type(n) is ir.String or type(n) is ir.Number or type(n) is ir.Boolean:
        return
    if type(n) is ir.Object:
        depth += 1
        facts.depth = max(facts.depth, depth)
        facts.properties += len(n.fields)
        for f in n.fields:
            facts.string_chars += len(f.key)
            facts.optional_params += not f.required
            facts.union_params += _is_union(f.node, defs)
            _count(f.node, depth, facts, defs)
        if n.patterns or type(n.extras) is not ir.Never:
            for inner in (*[p.node for p in n.patterns], n.extras):
                _count(inner, depth, facts, defs)
    elif type(n) is ir.Ref:
        facts.references[n.name] = facts.references.get(n.name, 0) + 1
        facts.reference_depth[n.name] = max(depth, facts.reference_depth.get(n.name, 0))
    elif type(n) is ir.List or type(n) is ir.Tuple:
        depth += 1
        facts.depth = max(facts.depth, depth)
        facts.max_items_sum += n.max_items or 0
        for inner, _ in children(n):
            _count(inner, depth, facts, defs)
    elif type(n) is ir.Literal:
        chars = sum([len(v) for v in n.values if type(v) is str])
        facts.string_chars += chars
        facts.enum_values += len(n.values)
        facts.large_enums.append((len(n.values), chars))
    else:
        for inner, _ in children(n):
            _count(inner, depth, facts, defs)


def _is_union(n: ir.Node, defs: Mapping[str, ir.Node]) -> bool:
    for _ in range(_HOPS):
        if type(n) is not ir.Ref:
            break
        n = defs[n.name]
    return type(n) is ir.Union


def exceeded(graph: ir.Graph, emitted: Emitted, row: Dialect) -> list[Note]:
    """Return a loud note for each limit of the row that the wire schema exceeds."""
    limits = row.limits
    if limits == _NONE or _surely_within(emitted, limits):
        return []
    parts = {_ROOT: facts_of(graph.root, graph.defs)}
    stack = list(parts[_ROOT].references)
    while stack:
        name = stack.pop()
        if name not in parts:
            parts[name] = facts_of(graph.defs[name], graph.defs)
            stack.extend(parts[name].references)
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
        found.append(
            (
                "bytes",
                "the size in bytes",
                _bytes(emitted),
                limits.bytes,
                {n: f.properties for n, f in parts.items()},
            )
        )
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


def _surely_within(emitted: Emitted, limits: Limits) -> bool:
    """Whether the writer's own tally already shows that nothing can be exceeded."""
    tally = emitted.tally
    multiplied = "$defs" in emitted.document or "definitions" in emitted.document
    counts = (
        (limits.properties, tally.properties, False),
        (limits.string_chars, tally.string_chars, False),
        (limits.enum_values, tally.enum_values, False),
        (limits.optional_params, tally.optional, True),
        (limits.union_params, tally.unions, True),
        (limits.max_items_sum, tally.max_items, True),
        (limits.depth, tally.deepest, limits.depth_scope == "expanded"),
        (limits.large_enum_chars, max([chars for _, chars in tally.large_enums], default=0), False),
    )
    for limit, count, expands in counts:
        if limit is not None and (count > limit or (expands and multiplied)):
            return False
    return limits.bytes is None or _bytes(emitted) <= limits.bytes


def _bytes(emitted: Emitted) -> int:
    return len(json.dumps(emitted.document, ensure_ascii=False).encode())


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
