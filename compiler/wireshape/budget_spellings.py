"""The ways to spell one schema that differ in what they take of a request: optional fields left out, sent as null, or as entries.

It decides nothing: a plan picks one of them for each of its schemas.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple, TypeAlias

from wireshape import ir
from wireshape.analyze import definitions, facts_by_name
from wireshape.budget_fields import Respelled, respellable
from wireshape.cost import layout_of
from wireshape.dialect import Dialect
from wireshape.emit import Emitted
from wireshape.grant import Excess, Grant

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


def spellings(emitted: Emitted, graph: ir.Graph, row: Dialect, grant: Grant) -> list[Spelling]:
    """List the spellings, the one at hand first, then those that respell the fewest fields; entries come last.

    Left out are those that take no less of anything than one before. What they take is foretold from what is written now: too much
    where entries join two fields of one definition, so whoever picks one counts again.
    """
    layout = layout_of(emitted, facts_by_name(definitions(emitted.document)))
    sums = layout.total("optional_params"), layout.total("union_params")
    most = row.limits.union_params
    reached: _Reached = {sums: (0, None)}
    for at, one in reversed(respellable(layout, graph, row, grant).items()):
        gathered = _gathered(reached, at, one, most)
        reached = _nullable(reached, at, one, most)
        for to, found in gathered.items():
            _keep(reached, to, found)
    ways = sorted([(words, sums, way) for sums, (words, way) in reached.items()], key=_order)
    kept: list[Spelling] = []
    for _, (optional, union), way in ways:
        if not any([one.optional <= optional and one.union <= union for one in kept]):
            kept.append(_spelling(optional, union, way))
    return kept


def _order(way: tuple[int, _Sums, _Way]) -> tuple[int, _Sums]:
    return way[:2]


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
