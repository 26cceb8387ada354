"""What each part of a wire schema costs, by the limit: the counts of `analyze`, kept per schema and tied to the source.

A document is laid out as a list of sites, parents first, so that what lies inside a site is the stretch up to its `end`.
It decides nothing; `budget` does.
"""

from __future__ import annotations

import marshal
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any, NamedTuple

from wireshape import ir
from wireshape.analyze import Facts, count_one, expanded, facts_by_name, nesting
from wireshape.emit import Emitted
from wireshape.ir import kind_of
from wireshape.wires import (
    HOLDS,
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

SPREAD = frozenset({"optional_params", "union_params", "max_items_sum"})
"""The limits that count what lies behind a reference once for each use."""
_COUNTED = frozenset({"properties", "enum", "const", "maxItems"})
_NESTING = frozenset({"$defs", "definitions"})
_CEILING = 10**12


def layout_of(emitted: Emitted, parts: Mapping[str, Facts]) -> Layout:
    """Lay out what was written and counted."""
    # What is around a schema may spell the same dict, and comes after it.
    nodes = {id(w): n for w, n in zip(emitted.wires, emitted.nodes, strict=True)}
    return Layout(definitions(emitted.document), parts, nodes)


@dataclass(slots=True)
class Site:
    """One schema of a wire document; `at` is the place in the source of what it spells, `None` where that is unknown."""

    wire: Wire
    part: str
    parent: int
    at: ir.Path
    depth: int  # containers around it and itself, in its definition
    union: bool  # a property that is a union
    end: int


class Respelt(NamedTuple):
    """What a document would hold under a grant that it was not written under yet, by the identity of its schemas.

    Objects that gather their optional fields, what counts as a union for each property that is gathered, and the bytes that
    shorter descriptions save.
    """

    gathered: frozenset[int] = frozenset()
    unions: Mapping[int, int] = {}
    saved: Mapping[int, int] = {}


_AS_IT_IS = Respelt()


class Laid(NamedTuple):
    """The schemas of a document, the end of each, whether it is a property, and where each definition starts."""

    wires: list[Wire]
    ends: list[int]
    fields: bytearray
    starts: dict[str, int]


class Layout:
    """The sites of a document whose `parts` were counted, and what each of them adds to a count."""

    def __init__(
        self, defs: Mapping[str, Wire], parts: Mapping[str, Facts], nodes: Mapping[int, ir.Node]
    ) -> None:
        self.defs = defs
        self.parts = parts
        self._nodes = nodes

    def without(self, names: frozenset[str]) -> Layout:
        """The layout of the same document where some definitions hold nothing."""
        defs = {name: {} if name in names else wire for name, wire in self.defs.items()}
        return Layout(defs, facts_by_name(defs), self._nodes)

    def at(self, wire: Wire) -> ir.Path:
        """The place in the source of what a schema spells, `None` where that is unknown."""
        node = self._nodes.get(id(wire))
        return None if node is None else node.at

    @cached_property
    def laid(self) -> Laid:
        """Every schema, parents first, the root and each definition one after the other."""
        laid = Laid([], [], bytearray(), {})
        for name, wire in self.defs.items():
            laid.starts[name] = len(laid.wires)
            _enter(wire, laid, is_field=False)
        return laid

    @cached_property
    def sites(self) -> list[Site]:
        """Every schema as it was laid, with what is around it."""
        sites: list[Site] = []
        parent, part = -1, ROOT
        wires, ends, fields, _ = self.laid
        starts = {i: name for name, i in self.laid.starts.items()}
        for i, wire in enumerate(wires):
            part = starts.get(i, part)
            while parent >= 0 and sites[parent].end <= i:
                parent = sites[parent].parent
            depth = (sites[parent].depth if parent >= 0 else 0) + is_container(wire)
            union = bool(fields[i]) and is_union(wire, self.defs)
            sites.append(Site(wire, part, parent, self.at(wire), depth, union, ends[i]))
            parent = i
        return sites

    def facts(self, wire: Wire) -> Facts:
        """What a schema holds by itself."""
        facts = Facts([], {}, {}, [])
        if not _COUNTED.isdisjoint(wire):
            count_one(wire, 0, facts, self.defs)
        return facts

    @cached_property
    def uses(self) -> dict[str, int]:
        """How often each definition is written with references multiplied out; recursion counts once."""
        order = _users_first(self.parts)
        uses = dict.fromkeys(order, 0)
        uses[ROOT] = 1
        done: set[str] = set()
        for name in order:
            done.add(name)
            for to, count in self.parts[name].references.items():
                if to not in done:
                    uses[to] = min(uses[to] + count * uses[name], _CEILING)
        return uses

    def height(self, part: str) -> int:
        """The containers on the longest way into a definition, references followed."""
        return nesting(part, self.parts, {})

    def total(self, rule: str) -> int:
        """The count of a limit."""
        own = {name: int(getattr(facts, rule)) for name, facts in self.parts.items()}
        return expanded(ROOT, self.parts, own, {}) if rule in SPREAD else sum(own.values())

    def weigh(self, rule: str, after: Respelt = _AS_IT_IS) -> Weighed:
        """What each schema and all inside it add to the count of a limit, as it is or as it would be `after`."""
        wires, ends, _, starts = self.laid
        own = self._own(rule, after)
        sums = [0, *accumulate(own)]
        uses = dict.fromkeys(self.defs, 1)
        total = sums[-1]
        if rule in SPREAD:
            uses = self.uses
            parts = {name: sums[ends[i]] - sums[i] for name, i in starts.items()}
            behind: dict[str, int] = {}
            total = expanded(ROOT, self.parts, parts, behind)
            for i, wire in enumerate(wires):
                if "$ref" in wire:
                    own[i] += behind.get(name_of(wire["$ref"]), 0)
            sums = [0, *accumulate(own)]
        return Weighed(
            sums, {i: uses.get(name, 0) for name, i in starts.items()}, total, after.saved
        )

    def _own(self, rule: str, after: Respelt) -> list[int]:
        """What each schema adds by itself."""
        wires = self.laid.wires
        if rule == "union_params":
            defs, unions = self.defs, after.unions
            return [
                0
                if not field or UNITING.isdisjoint(wire)
                else unions.get(id(wire), int(is_union(wire, defs)))
                for wire, field in zip(wires, self.laid.fields, strict=True)
            ]
        if rule == "optional_params":
            return [
                len(wire["properties"].keys() - wire.get("required", ()))
                if "properties" in wire and id(wire) not in after.gathered
                else 0
                for wire in wires
            ]
        if rule == "bytes":
            saved = after.saved
            return [_own_bytes(wire) - saved.get(id(wire), 0) for wire in wires]
        return [int(getattr(self.facts(wire), rule)) for wire in wires]


class Weighed(NamedTuple):
    """Running totals over the schemas of a layout, how often each part counts, by its first schema, and the whole count."""

    sums: list[int]
    uses: Mapping[int, int]
    total: int
    saved: Mapping[int, int]  # bytes that descriptions will be shorter by

    def text(self, wire: Wire) -> int:
        """The bytes that are written for a schema as JSON text, its description among them."""
        return _TEXT_BYTES + 2 * (len(wire.get("description", "")) - self.saved.get(id(wire), 0))


_TEXT_BYTES = 120


def _enter(wire: Wire, laid: Laid, *, is_field: bool) -> None:
    """Add a schema and all inside it."""
    wires, ends, fields, _ = laid
    i = len(wires)
    wires.append(wire)
    fields.append(is_field)
    ends.append(i + 1)
    if holds(wire):
        inner, properties = below(wire)
        for k, part in enumerate(inner):
            if holds(part):
                _enter(part, laid, is_field=k < properties)
            else:
                wires.append(part)
                fields.append(k < properties)
                ends.append(len(wires))
        ends[i] = len(wires)


def _own_bytes(wire: Wire) -> int:
    """The bytes of a schema as JSON text without the schemas inside it, as its marshal format tells, which is written faster."""
    frame = 0
    if not _FRAMES.isdisjoint(wire):
        frame = sum([_frame(keyword, wire[keyword]) for keyword in wire.keys() & _FRAMES])
        wire = {keyword: value for keyword, value in wire.items() if keyword not in _FRAMES}
    if len(wire) > 2 or "enum" in wire:
        lists: list[list[Any]] = [v for v in wire.values() if type(v) is list]
        frame -= sum([3 + 2 * len(listed) for listed in lists])
    text = marshal.dumps(wire, 2)
    return len(text) + text.count(b"\\") + text.count(b'"') - 4 * len(wire) + frame


def _frame(keyword: str, value: Any) -> int:
    """What is written around the schemas of a keyword: its name, their keys and commas."""
    if HOLDS.get(keyword) == "one":
        return len(keyword) + (4 if kind_of(value) is dict else 9)
    keys = sum(map(len, value)) + 3 * len(value) if kind_of(value) is dict else 0
    return len(keyword) + 6 + keys + len(value)


_FRAMES = HOLDS.keys() | _NESTING


def _users_first(parts: Mapping[str, Facts]) -> list[str]:
    """Definitions before those that they refer to, save for cycles, from the root on."""
    order: list[str] = []
    seen = {ROOT}
    stack = [(ROOT, iter(parts[ROOT].references))]
    while stack:
        name, rest = stack[-1]
        for to in rest:
            if to not in seen:
                seen.add(to)
                stack.append((to, iter(parts[to].references)))
                break
        else:
            order.append(name)
            stack.pop()
    order.reverse()
    return order
