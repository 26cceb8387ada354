"""Facts about a wire graph: how much of each documented limit it uses, and a loud note for a limit that is exceeded.

It counts what is emitted, each definition once; references are multiplied out only where the limit says so.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from wireshape import ir
from wireshape.dialect import Dialect, Limits
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
    large_enums: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])  # (values, characters)
    references: dict[str, int] = field(default_factory=dict[str, int])  # name -> uses
    reference_depth: dict[str, int] = field(default_factory=dict[str, int])  # name -> containers around its deepest use


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


def exceeded(graph: ir.Graph, document: Any, row: Dialect) -> list[Note]:
    """Return a loud note for each limit of the row that the wire schema exceeds."""
    limits = row.limits
    if limits == _NONE:
        return []
    parts = {_ROOT: facts_of(graph.root, graph.defs)}
    stack = list(parts[_ROOT].references)
    while stack:
        name = stack.pop()
        if name not in parts:
            parts[name] = facts_of(graph.defs[name], graph.defs)
            stack.extend(parts[name].references)
    notes: list[Note] = []

    def over(what: str, count: int, limit: int | None, rule: str, largest: str) -> None:
        if limit is not None and count > limit:
            notes.append(make_note("WS301", pointer="", what=what, count=count, limit=limit, field=f"limits.{rule}", largest=largest))

    for rule, what in (("properties", "the number of properties"), ("string_chars", "the length of names and constants"), ("enum_values", "the number of enum values")):
        names = sum([len(name) for name in parts if name != _ROOT]) if rule == "string_chars" else 0
        counts = {name: int(getattr(facts, rule)) for name, facts in parts.items()}
        over(what, sum(counts.values()) + names, getattr(limits, rule), rule, _largest(counts))
    for rule, what in (("optional_params", "the number of optional fields"), ("union_params", "the number of unions"), ("max_items_sum", "the sum of `maxItems`")):
        if getattr(limits, rule) is not None:
            counts = {name: int(getattr(facts, rule)) for name, facts in parts.items()}
            over(what, _expanded(_ROOT, parts, counts, {}), getattr(limits, rule), rule, _largest(counts))
    depths = {name: facts.depth for name, facts in parts.items()}
    deepest = max(depths.values()) if limits.depth_scope == "definition" else _depth(_ROOT, parts, {})
    over("the nesting", deepest, limits.depth, "depth", _largest(depths))
    if limits.large_enum_values is not None and limits.large_enum_chars is not None:
        large = [chars for facts in parts.values() for values, chars in facts.large_enums if values > limits.large_enum_values]
        over("the length of a large enum", max(large, default=0), limits.large_enum_chars, "large_enum_chars", f"{len(large)} enums")
    if limits.bytes is not None:
        over("the size in bytes", len(json.dumps(document, ensure_ascii=False).encode()), limits.bytes, "bytes", _largest(counts_of(parts)))
    return notes


def counts_of(parts: Mapping[str, Facts]) -> dict[str, int]:
    """Properties by definition, the best single measure of size."""
    return {name: facts.properties for name, facts in parts.items()}


def _largest(counts: Mapping[str, int]) -> str:
    top = sorted(counts.items(), key=lambda item: -item[1])[:3]
    return ", ".join([f"{name} ({count})" for name, count in top])


def _expanded(name: str, parts: Mapping[str, Facts], own: Mapping[str, int], known: dict[str, int]) -> int:
    """The count with references multiplied out; a recursive reference counts once."""
    if name not in known:
        known[name] = 0
        inner = [uses * _expanded(to, parts, own, known) for to, uses in parts[name].references.items()]
        known[name] = own[name] + sum(inner)
    return known[name]


def _depth(name: str, parts: Mapping[str, Facts], known: dict[str, int]) -> int:
    if name not in known:
        known[name] = 0
        facts = parts[name]
        inner = [around + _depth(to, parts, known) for to, around in facts.reference_depth.items()]
        known[name] = max([facts.depth, *inner])
    return known[name]
