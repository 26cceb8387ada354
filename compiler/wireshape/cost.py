"""What each part of a wire schema costs, by the limit: the counts of `analyze`, kept per schema and tied to the source.

A document is laid out as a list of sites, parents first, so that what lies inside a site is the stretch up to its `end`.
It decides nothing; `budget` does.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from wireshape import ir
from wireshape.analyze import (
    ROOT,
    Facts,
    Wire,
    count_one,
    definitions,
    expanded,
    facts_by_name,
    inside,
    is_container,
    is_union,
    name_of,
    nesting,
)
from wireshape.emit import Emitted

SPREAD = frozenset({"optional_params", "union_params", "max_items_sum"})
"""The limits that count what lies behind a reference once for each use."""
_COUNTED = frozenset({"properties", "enum", "const", "maxItems"})
_NESTING = frozenset({"$defs", "definitions"})
_CEILING = 10**12
_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


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
    keyword: str
    key: str | int | None
    at: ir.Path
    depth: int  # containers around it and itself, in its definition
    union: bool  # a property that is a union
    end: int = 0


class Layout:
    """The sites of a document whose `parts` were counted, and what each of them adds to a count."""

    def __init__(
        self, defs: Mapping[str, Wire], parts: Mapping[str, Facts], nodes: Mapping[int, ir.Node]
    ) -> None:
        self.defs = defs
        self.parts = parts
        self._nodes = nodes
        self._known: dict[str, list[int]] = {}

    def without(self, names: frozenset[str]) -> Layout:
        """The layout of the same document where some definitions hold nothing."""
        defs = {name: {} if name in names else wire for name, wire in self.defs.items()}
        return Layout(defs, facts_by_name(defs), self._nodes)

    def at(self, wire: Wire) -> ir.Path:
        """The place in the source of what a schema spells, `None` where that is unknown."""
        node = self._nodes.get(id(wire))
        return None if node is None else node.at

    @cached_property
    def sites(self) -> list[Site]:
        """Every schema, parents first, the root and each definition one after the other."""
        sites: list[Site] = []
        for name, wire in self.defs.items():
            self._enter(wire, (-1, 0), ("", None), (name, sites))
        return sites

    @cached_property
    def starts(self) -> dict[str, int]:
        """The number of the site of the root and of each definition."""
        return {site.part: i for i, site in enumerate(self.sites) if site.parent < 0}

    def _enter(
        self,
        wire: Wire,
        around: tuple[int, int],
        place: tuple[str, str | int | None],
        part: tuple[str, list[Site]],
    ) -> None:
        """Add the site of a schema and of all inside it: the number and depth of what is `around` it are known."""
        parent, depth = around
        keyword, key = place
        name, sites = part
        depth += is_container(wire)
        union = keyword == "properties" and is_union(wire, self.defs)
        site = Site(wire, name, parent, keyword, key, self.at(wire), depth, union)
        here = len(sites), depth
        sites.append(site)
        for word, inner_key, inner in inside(wire):
            self._enter(inner, here, (word, inner_key), part)
        site.end = len(sites)

    def facts(self, site: Site) -> Facts:
        """What a schema holds by itself."""
        facts = Facts([], {}, {}, [])
        if not _COUNTED.isdisjoint(site.wire):
            count_one(site.wire, 0, facts, self.defs)
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

    def cost(self, rule: str, i: int) -> int:
        """What the site and all inside it add to the count of a limit."""
        sums = self._known.get(rule)
        if sums is None:
            sums = self._known[rule] = self._sums(rule)
        site = self.sites[i]
        inner = sums[site.end] - sums[i]
        return inner * self.uses[site.part] if rule in SPREAD else inner

    def _sums(self, rule: str) -> list[int]:
        """Running totals of what each site adds by itself, what it refers to included where the limit says so."""
        behind: dict[str, int] = {}
        if rule in SPREAD:
            own = {name: int(getattr(facts, rule)) for name, facts in self.parts.items()}
            expanded(ROOT, self.parts, own, behind)
        sums = [0]
        for site in self.sites:
            if rule == "union_params":
                count = int(site.union)
            elif rule == "bytes":
                count = _own_bytes(site.wire)
            else:
                count = int(getattr(self.facts(site), rule))
            if behind and "$ref" in site.wire:
                count += behind.get(name_of(site.wire["$ref"]), 0)
            sums.append(sums[-1] + count)
        return sums


def _own_bytes(wire: Wire) -> int:
    """The bytes of a schema as JSON text without the schemas inside it."""
    parts = inside(wire)
    if not parts and _NESTING.isdisjoint(wire):
        return len(_JSON.encode(wire).encode())
    held = {keyword for keyword, _, _ in parts} | _NESTING
    own = {keyword: value for keyword, value in wire.items() if keyword not in held}
    words = sum([len(keyword) + 6 for keyword in held if keyword in wire])
    keys = sum([len(key) + 4 if isinstance(key, str) else 1 for _, key, _ in parts])
    return len(_JSON.encode(own).encode()) + words + keys


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
