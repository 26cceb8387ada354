"""Spends what a request may hold in optional fields and in unions, both at once: which field is spelled how.

An optional field is left out of `required` (one optional field, and one union if it is one), or sent required and nullable
(one union), or travels as an entry with the other optional fields of its object (nothing).
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import NamedTuple

from wireshape import ir
from wireshape.budget_text import smallest
from wireshape.cost import Layout, Respelt
from wireshape.dialect import Dialect
from wireshape.grant import Excess, Grant
from wireshape.walk import LEAVES, children
from wireshape.wires import Wire, is_union, name_of

_REQUEST = frozenset({"optional_params", "union_params"})
_SHORT = 8


class Cost(NamedTuple):
    """What a field costs, as often as it is written: optional fields and unions when left out, unions when nullable."""

    optional: int
    union: int
    nullable: int


def allocate(costs: Sequence[Cost], optional: float, union: float) -> frozenset[int] | None:
    """Return which fields to send nullable so that both sums fit, as few as possible; `None` when none fits.

    A field that is sent nullable costs no optional field. Of equally good choices, one with fewer unions is taken, and one
    that leaves the earlier fields as they are.

    >>> sorted(allocate([Cost(1, 0, 1), Cost(1, 1, 1), Cost(1, 0, 1)], 2, 1) or ())
    [1]
    """
    need = sum([cost.optional for cost in costs]) - optional
    room = union - sum([cost.union for cost in costs])
    if room < 0:
        return None
    if need <= 0:
        return frozenset()
    prices = [cost.nullable - cost.union for cost in costs]
    affordable = sum(prices) <= room
    free = [i for i, price in enumerate(prices) if affordable or price == 0]
    free.sort(key=lambda i: (-costs[i].optional, prices[i], -i))
    gains = [0]
    for i in free:
        gains.append(gains[-1] + costs[i].optional)
    priced = [i for i, price in enumerate(prices) if 0 < price <= room and not affordable]
    best: tuple[int, int, list[int]] | None = None
    for (count, spent), (saved, taken) in _choices(priced, costs, room).items():
        more = bisect_left(gains, need - saved)
        if more < len(gains) and (best is None or (count + more, spent) < best[:2]):
            best = count + more, spent, taken
    if best is None:
        return None
    also = best[0] - len(best[2])
    return frozenset([*_later(best[2], priced, costs, need - gains[also]), *free[:also]])


def _choices(
    priced: list[int], costs: Sequence[Cost], room: float
) -> dict[tuple[int, int], tuple[int, list[int]]]:
    """For each (number of fields, unions spent) that the room allows, the most optional fields saved, and by which."""
    alike: dict[int, list[int]] = {}
    for i in priced:
        alike.setdefault(costs[i].nullable - costs[i].union, []).append(i)
    reached: dict[tuple[int, int], tuple[int, list[int]]] = {(0, 0): (0, [])}
    for price, fields in alike.items():
        fields.sort(key=lambda i: (-costs[i].optional, -i))
        del fields[int(room // price) :]
        gains = [0, *accumulate([costs[i].optional for i in fields])]
        after: dict[tuple[int, int], tuple[int, list[int]]] = {}
        for (count, spent), (saved, taken) in reached.items():
            for k, gain in enumerate(gains[: int((room - spent) // price) + 1]):
                key = (count + k, spent + k * price)
                known = after.get(key)
                if known is None or known[0] < saved + gain:
                    after[key] = (saved + gain, taken + fields[:k])
        reached = after
    return reached


def _later(taken: list[int], priced: list[int], costs: Sequence[Cost], need: float) -> list[int]:
    """As many fields at the same prices that save enough: later ones, where more is saved than is needed."""
    chosen = set(taken)
    spare = sum([costs[i].optional for i in taken]) - need
    for i in sorted(taken):
        price = costs[i].nullable - costs[i].union
        for j in reversed(priced):
            less = costs[i].optional - costs[j].optional
            if j <= i:
                break
            if j not in chosen and less <= spare and costs[j].nullable - costs[j].union == price:
                chosen ^= {i, j}
                spare -= less
                break
    return sorted(chosen)


@dataclass(slots=True)
class Respelled:
    """An object of the source that may be respelled, and what its optional fields cost."""

    keys: list[str] = field(default_factory=list[str])
    costs: list[Cost] = field(default_factory=list[Cost])
    nullable: int = 0  # unions of optional fields that are required and nullable already
    left: int = 0  # unions that stay when the fields are entries

    def saving(self, short: Mapping[str, int]) -> int:
        """What entries would save of what is short."""
        optional = sum([cost.optional for cost in self.costs])
        union = sum([cost.union for cost in self.costs]) + self.nullable - self.left
        return max(0, min(optional, short.get("optional_params", 0))) + max(
            0, min(union, short.get("union_params", 0))
        )


class Present(NamedTuple):
    """What the document at hand does not say of its making.

    How often recursion is written out (0 where there is none), the definitions that are written further in, the length
    of the longest description, where a grant bounds it, and whether the last grant saved no bytes.
    """

    unroll: int
    further: frozenset[str]
    longest: int
    stuck: bool


def spend(
    grant: Grant,
    over: Mapping[str, Excess],
    layout: Layout,
    graph: ir.Graph,
    row: Dialect,
    present: Present,
) -> Grant:
    """Return a grant that fits both sums; what it cannot fit by respelling fields becomes JSON text."""
    objects = respellable(layout, graph, row, grant)
    rest = _rest(layout, objects, row)
    sent = _beside((), objects, rest)
    if sent is not None:
        return _nullable(grant, objects, sent)
    if present.unroll > 1:
        layout = layout.without(present.further)
        objects = respellable(layout, graph, row, grant)
        rest = _rest(layout, objects, row)
        sent = _beside((), objects, rest)
        if sent is not None:
            return replace(grant, unroll=present.unroll - 1)
    if present.unroll:
        grant = replace(grant, unroll=1)
    short = {
        rule: layout.total(rule) - getattr(row.limits, rule) for rule in over.keys() & _REQUEST
    }
    short.setdefault("union_params", max(0, layout.total("union_params")))
    why = over.get("optional_params") or over["union_params"]
    order = sorted(
        [at for at, one in objects.items() if one.saving(short)],
        key=lambda at: -objects[at].saving(short),
    )
    chosen = order[: _enough(order, objects, rest)]
    sent = _beside(chosen, objects, rest)
    grown = replace(grant, entries={**grant.entries, **dict.fromkeys(chosen, why)})
    if sent is not None:
        others = {at: one for at, one in objects.items() if at not in grown.entries}
        return _nullable(grown, others, sent)
    texts = _texts(over, layout, row, _gathered(layout, graph, chosen, row))
    new = {at: excess for at, excess in texts.items() if at not in grant.text}
    if new:
        return replace(grown, text={**grown.text, **new})
    return grown if chosen else replace(grant, whole=why)


def _texts(
    over: Mapping[str, Excess], layout: Layout, row: Dialect, after: Respelt
) -> dict[ir.Path, Excess]:
    """The parts to send as JSON text, for what is over still when all fields are gathered that may be."""
    texts: dict[ir.Path, Excess] = {}
    for rule in [rule for rule in over if rule in _REQUEST]:
        weighed = layout.weigh(rule, after)
        need = weighed.total - getattr(row.limits, rule)
        for at in smallest(layout, rule, need, weighed) if need > 0 else ():
            texts.setdefault(at, over[rule])
    return texts


def _rest(
    layout: Layout, objects: Mapping[ir.Path, Respelled], row: Dialect
) -> tuple[float, float]:
    """What the limits leave for the optional fields that may be respelled, beside all else."""
    optional = math.inf if row.limits.optional_params is None else row.limits.optional_params
    union = math.inf if row.limits.union_params is None else row.limits.union_params
    costs = [cost for one in objects.values() for cost in one.costs]
    return (
        optional - layout.total("optional_params") + sum([cost.optional for cost in costs]),
        union - layout.total("union_params") + sum([cost.union for cost in costs]),
    )


def _nullable(grant: Grant, objects: Mapping[ir.Path, Respelled], sent: frozenset[int]) -> Grant:
    keys = [(at, key) for at, one in objects.items() for key in one.keys]
    nullable = dict(grant.nullable)
    for i in sorted(sent):
        at, key = keys[i]
        nullable[at] = nullable.get(at, frozenset()) | {key}
    return replace(grant, nullable=nullable)


def _enough(
    order: list[ir.Path], objects: Mapping[ir.Path, Respelled], rest: tuple[float, float]
) -> int:
    """How many of the objects, in this order, must send entries so that all fits; all of them where nothing does."""
    low, high = 0, len(order)
    while low < high:
        middle = (low + high) // 2
        if _beside(order[:middle], objects, rest) is not None:
            high = middle
        else:
            low = middle + 1
    return low


def _beside(
    gathered: Sequence[ir.Path], objects: Mapping[ir.Path, Respelled], rest: tuple[float, float]
) -> frozenset[int] | None:
    """Which fields of the other objects to send nullable when some send entries; `None` when it does not fit."""
    places = set(gathered)
    freed = sum([objects[at].nullable - objects[at].left for at in places])
    costs = [cost for at, one in objects.items() if at not in places for cost in one.costs]
    return allocate(costs, rest[0], rest[1] + freed)


def respellable(
    layout: Layout, graph: ir.Graph, row: Dialect, grant: Grant
) -> dict[ir.Path, Respelled]:
    """The objects whose optional fields may be respelled, by their place in the source."""
    known = _optional_keys(graph)
    found: dict[ir.Path, dict[str, tuple[Cost, int, int]]] = {}
    for part, facts in layout.parts.items():
        uses = layout.uses.get(part, 0)
        for holder in facts.objects if uses else ():
            at = layout.at(holder)
            if at in known and at not in grant.entries and _is_closed(holder, row):
                _spent(holder, uses, known[at], layout, found.setdefault(at, {}))
    return {at: _object(fields) for at, fields in found.items()}


def _gathered(layout: Layout, graph: ir.Graph, chosen: Sequence[ir.Path], row: Dialect) -> Respelt:
    """What the document would hold if these objects sent entries."""
    known = _optional_keys(graph) if chosen else {}
    places = set(chosen)
    gathered: set[int] = set()
    unions: dict[int, int] = {}
    for facts in layout.parts.values():
        for holder in facts.objects:
            at = layout.at(holder)
            if at in places and _is_closed(holder, row):
                gathered.add(id(holder))
                unions.update(_staying(holder, known[at], layout))
    return Respelt(frozenset(gathered), unions)


def _staying(holder: Wire, optional: frozenset[str], layout: Layout) -> dict[int, int]:
    """The unions that are left of each field of an object that sends entries, by its identity.

    Fields of one type share an entry, and so what is left of them.
    """
    required = frozenset(holder.get("required", ()))
    found: dict[int, int] = {}
    shared: set[str] = set()
    for key, wire in holder["properties"].items():
        if key not in required or key in optional:
            stays = is_union(wire, layout.defs) and _stays(wire, layout)
            if stays and wire.keys() == _REFERENCE:
                stays = wire["$ref"] not in shared
                shared.add(wire["$ref"])
            found[id(wire)] = int(stays)
    return found


_REFERENCE = {"$ref"}


def _spent(
    holder: Wire,
    uses: int,
    optional: frozenset[str],
    layout: Layout,
    fields: dict[str, tuple[Cost, int, int]],
) -> None:
    """Add what each of the `optional` fields of an object costs, now and sent nullable, and the unions that entries leave."""
    required = frozenset(holder.get("required", ()))
    staying = _staying(holder, optional, layout)
    for key, wire in holder["properties"].items():
        if key in required and key not in optional:
            continue
        cost, nullable, stays = fields.get(key, (Cost(0, 0, 0), 0, 0))
        union = uses if is_union(wire, layout.defs) else 0
        if key not in required:
            boxed = union if _admits_null(wire, layout.defs) else 0
            sent = cost.nullable + uses + boxed
            cost = Cost(cost.optional + uses, cost.union + union, sent)
        else:
            nullable += union
        fields[key] = (cost, nullable, stays + uses * staying[id(wire)])


def _object(fields: Mapping[str, tuple[Cost, int, int]]) -> Respelled:
    one = Respelled()
    for key, (cost, nullable, left) in fields.items():
        one.nullable += nullable
        one.left += left
        if cost.optional:
            one.keys.append(key)
            one.costs.append(cost)
    return one


def _admits_null(wire: Wire, defs: Mapping[str, Wire], hops: int = 16) -> bool:
    """Whether null may be a value, so that a nullable field needs a box, whose value is the union that the field was."""
    if "$ref" in wire:
        return hops > 0 and _admits_null(defs[name_of(wire["$ref"])], defs, hops - 1)
    if "enum" in wire or "const" in wire:
        return wire.get("const", ...) is None or None in wire.get("enum", ())
    arms = [*wire.get("anyOf", ()), *wire.get("oneOf", ())]
    if arms:
        return any([_admits_null(arm, defs, hops) for arm in arms])
    return bool(wire.get("type", "null") == "null")


def _is_closed(wire: Wire, row: Dialect) -> bool:
    return wire.get("additionalProperties") is False or row.objects.extras == "unsaid"


def _stays(wire: Wire, layout: Layout) -> bool:
    """Whether the value of an entry would still be a union: one behind a reference, too long to be taken apart."""
    parts = wire.get("anyOf", [wire])
    return "oneOf" in wire or any([_is_long(part, layout) for part in parts])


def _is_long(wire: Wire, layout: Layout) -> bool:
    if "$ref" not in wire or not is_union(wire, layout.defs):
        return False
    arms = layout.defs[name_of(wire["$ref"])].get("anyOf", ())
    return not arms or len(arms) > _SHORT or any([_holds_more(arm) for arm in arms])


def _holds_more(arm: Wire) -> bool:
    return arm.get("type") in ("object", "array") and "enum" not in arm


def _optional_keys(graph: ir.Graph) -> dict[ir.Path, frozenset[str]]:
    """The optional fields of each object of the source, by its place."""
    found: dict[ir.Path, frozenset[str]] = {}
    stack: list[ir.Node] = [graph.root, *graph.defs.values()]
    seen: set[int] = set()
    while stack:
        n = stack.pop()
        if id(n) in seen:
            continue
        seen.add(id(n))
        if type(n) is ir.Object:
            keys = frozenset([f.key for f in n.fields if not f.required])
            found[n.at] = found.get(n.at, frozenset()) | keys
        stack += [child for child in children(n) if type(child) not in LEAVES]
    return found
