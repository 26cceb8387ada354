"""The ways to spell one schema that differ in what they take of a request: optional fields left out, sent as null, or as entries.

It decides nothing: a plan picks one of them for each of its schemas.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple, TypeAlias

from wireshape import ir
from wireshape.analyze import facts_by_name
from wireshape.budget_fields import Respelled, respellable
from wireshape.cost import Layout, layout_of
from wireshape.dialect import Dialect
from wireshape.emit import Emitted
from wireshape.grant import Excess, Grant
from wireshape.wires import definitions

_OBJECTS = 4  # that are tried as entries, each with each, where what they take cannot be foretold
_FORETELLING = Excess("optional_params", "the number of optional fields", 0, 0)
_ENTRIES = 1000  # an object with entries counts as many fields that are sent as null


class Spelling(NamedTuple):
    """What a schema takes when some optional fields are sent as null and some objects send theirs as entries."""

    optional: int
    union: int
    nullable: tuple[tuple[ir.Path, str], ...] = ()
    entries: tuple[ir.Path, ...] = ()

    def grant(self, base: Grant, why: Excess) -> Grant:
        """What makes a schema be spelled so, on top of what it was granted already."""
        nullable = dict(base.nullable)
        for at, key in self.nullable:
            nullable[at] = nullable.get(at, frozenset()) | {key}
        entries = {**base.entries, **dict.fromkeys(self.entries, why)}
        return replace(base, nullable=nullable, entries=entries)


_Sums: TypeAlias = tuple[int, int]
_Way: TypeAlias = "tuple[_Way, ir.Path, str | None] | None"
_Reached: TypeAlias = dict[_Sums, tuple[int, _Way]]


class Written(NamedTuple):
    """A schema as it was written: its source as it was lowered, and what it was granted."""

    emitted: Emitted
    graph: ir.Graph
    grant: Grant


def spellings(
    first: Written, row: Dialect, again: Callable[[Grant], Written | None]
) -> list[Spelling]:
    """List the spellings, the one at hand first, then those that respell the fewest fields; entries come last.

    Left out are those that take no less of anything than one before. What they take is foretold from what is written; where
    entries may join fields of one definition, which is then written fewer times, that is written `again` under a grant, `None` if it is
    no better than none.
    """
    layout = _layout(first)
    if not any([uses > 1 for facts in layout.parts.values() for uses in facts.references.values()]):
        return _kept(_reached(first, layout, row, entries=True))
    places = list(respellable(layout, first.graph, row, first.grant))[:_OBJECTS]
    found: list[_Found] = []
    for count in range(len(places) + 1):
        for chosen in combinations(places, count):
            written = first
            if chosen:
                grant = Spelling(0, 0, entries=chosen).grant(first.grant, _FORETELLING)
                made = again(grant)
                if made is None:
                    continue
                written = made
            ways = _reached(written, _layout(written), row, entries=False)
            found += [
                (words + _ENTRIES * count, one._replace(entries=chosen)) for words, one in ways
            ]
    return _kept(found)


_Found: TypeAlias = tuple[int, Spelling]
"""A spelling, after how much it changes."""


def _layout(written: Written) -> Layout:
    return layout_of(written.emitted, facts_by_name(definitions(written.emitted.document)))


def _kept(found: list[_Found]) -> list[Spelling]:
    kept: list[Spelling] = []
    for _, one in sorted(found, key=lambda way: (way[0], way[1][:2])):
        if not any([k.optional <= one.optional and k.union <= one.union for k in kept]):
            kept.append(one)
    return kept


def _reached(written: Written, layout: Layout, row: Dialect, *, entries: bool) -> list[_Found]:
    """What respelling the optional fields of each object comes to, each sum by the fewest changes."""
    sums = layout.total("optional_params"), layout.total("union_params")
    most = row.limits.union_params
    reached: _Reached = {sums: (0, None)}
    for at, one in reversed(respellable(layout, written.graph, row, written.grant).items()):
        gathered = _gathered(reached, at, one, most) if entries else {}
        reached = _nullable(reached, at, one, most)
        for to, found in gathered.items():
            _keep(reached, to, found)
    return [(words, _spelling(*to, way)) for to, (words, way) in reached.items()]


def _keep(reached: _Reached, to: _Sums, found: tuple[int, _Way]) -> None:
    known = reached.get(to)
    if known is None or found[0] < known[0]:
        reached[to] = found


def _nullable(reached: _Reached, at: ir.Path, one: Respelled, most: int | None) -> _Reached:
    """Each field of an object left out or sent as null, the last ones first."""
    after = dict(reached)
    for key, cost in zip(reversed(one.keys), reversed(one.costs), strict=True):
        for (optional, union), (words, way) in list(after.items()):
            more = union if most is None else union + cost.nullable - cost.union
            if most is None or more <= max(most, union):
                _keep(after, (optional - cost.optional, more), (words + 1, (way, at, key)))
    return after


def _gathered(
    reached: Mapping[_Sums, tuple[int, _Way]], at: ir.Path, one: Respelled, most: int | None
) -> _Reached:
    """The optional fields of an object as entries; unions that are not limited are not counted."""
    fewer = sum([cost.optional for cost in one.costs])
    freed = sum([cost.union for cost in one.costs]) + one.nullable - one.left
    freed = 0 if most is None else freed
    return {
        (optional - fewer, union - freed): (words + _ENTRIES, (way, at, None))
        for (optional, union), (words, way) in reached.items()
    }


def _spelling(optional: int, union: int, way: _Way) -> Spelling:
    nullable: list[tuple[ir.Path, str]] = []
    entries: list[ir.Path] = []
    while way is not None:
        way, at, key = way
        if key is None:
            entries.append(at)
        else:
            nullable.append((at, key))
    return Spelling(optional, union, tuple(reversed(nullable)), tuple(reversed(entries)))
