"""Picks parts to send as JSON text by all that goes with them: the definitions that nothing else refers to.

It is asked where what the parts hold themselves is not enough, since it takes longer.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple, TypeAlias

from wireshape import ir
from wireshape.cost import Layout, Weighed
from wireshape.wires import ROOT, name_of

_PIECE = 4  # what one more text costs a reader, in schemas
_TRIED = 64  # parts, those that save most
_TAKEN = 16
_WORK = 500_000

Stretches: TypeAlias = list[tuple[int, int]]


class _Left(NamedTuple):
    """What is left of a document: the count, and the number of schemas."""

    total: int
    schemas: int


class _Document:
    def __init__(self, layout: Layout, rule: str, weighed: Weighed) -> None:
        self.laid = layout.laid
        self.weighed = weighed
        self.is_bytes = rule == "bytes"
        self.names, self.firsts = list(self.laid.starts), list(self.laid.starts.values())
        self.refers: dict[str, list[tuple[int, str]]] = {}
        for name, start in self.laid.starts.items():
            self.refers[name] = [
                (i, name_of(self.laid.wires[i]["$ref"]))
                for i in range(start, self.laid.ends[start])
                if "$ref" in self.laid.wires[i]
            ]

    def affordable(self) -> int:
        """How many times it may be asked what is left: the work is linear in the size of a large document."""
        return _WORK // (len(self.laid.wires) // 8 + sum(map(len, self.refers.values())) + 1)

    def without(self, gone: Stretches) -> _Left:
        """What is left when these stretches are texts, and the root reaches less."""
        sums, ends = self.weighed.sums, self.laid.ends
        hidden = bytearray(len(self.laid.wires))
        for a, b in gone:
            hidden[a:b] = b"\1" * (b - a)
        count = schemas = 0
        seen = {ROOT}
        stack = [ROOT]
        while stack:
            name = stack.pop()
            start = self.laid.starts[name]
            count += sums[ends[start]] - sums[start]
            schemas += ends[start] - start
            for i, to in self.refers[name]:
                if to not in seen and not hidden[i]:
                    seen.add(to)
                    stack.append(to)
        for a, b in gone:
            if self.names[bisect_right(self.firsts, a) - 1] in seen:
                count -= sums[b] - sums[a]
                count += self.weighed.text(self.laid.wires[a]) if self.is_bytes else 0
                schemas -= b - a
        return _Left(count, schemas)


def with_what_is_behind(layout: Layout, rule: str, need: int, weighed: Weighed) -> list[ir.Path]:
    """Return the places to send as text; none where no choice of them saves enough."""
    document = _Document(layout, rule, weighed)
    whole = document.without([])
    places = _places(layout)
    many = document.affordable()
    if len(places) > many:
        size = {at: sum([b - a for a, b in stretches]) for at, stretches in places.items()}
        largest = set(sorted(places, key=lambda at: -size[at])[:many])
        places = {at: stretches for at, stretches in places.items() if at in largest}
    first = {at: document.without(stretches).total for at, stretches in places.items()}
    tried = sorted([at for at in places if first[at] < whole.total], key=lambda at: first[at])[
        :_TRIED
    ]
    taken: list[ir.Path] = []
    gone: Stretches = []
    left = whole
    while whole.total - left.total < need and len(taken) < _TAKEN:
        short = need - (whole.total - left.total)
        best: tuple[float, ir.Path, _Left] | None = None
        for at in tried:
            if any([a < d and c < b for a, b in places[at] for c, d in gone]):
                continue
            after = document.without(gone + places[at])
            saving = min(left.total - after.total, short)
            if saving > 0:
                loss = (left.schemas - after.schemas + _PIECE) / saving
                if best is None or loss < best[0]:
                    best = loss, at, after
        if best is None:
            return []
        _, at, left = best
        taken.append(at)
        gone += places[at]
    return (
        _needed(document, need, {at: places[at] for at in taken})
        if left.total <= whole.total - need
        else []
    )


def needed(
    layout: Layout, rule: str, need: int, weighed: Weighed, places: dict[ir.Path, Stretches]
) -> list[ir.Path]:
    """Leave out the places that others make needless by all that goes with them."""
    return _needed(_Document(layout, rule, weighed), need, places)


def _needed(document: _Document, need: int, places: dict[ir.Path, Stretches]) -> list[ir.Path]:
    if len(places) > document.affordable():
        return list(places)
    most = document.without([]).total - need
    taken = sorted(places, key=lambda at: document.without(places[at]).total)
    for at in list(taken):  # what takes most with it first
        others = [stretch for other in taken if other is not at for stretch in places[other]]
        if document.without(others).total <= most:
            taken.remove(at)
    return [at for at in places if at in taken]


def _places(layout: Layout) -> dict[ir.Path, Stretches]:
    """Every place of the source that holds schemas or refers to some, and all that was written for it; the root is none."""
    laid = layout.laid
    found: dict[ir.Path, Stretches] = {}
    for i, (wire, end) in enumerate(zip(laid.wires, laid.ends, strict=True)):
        if end > i + 1 or "$ref" in wire:
            at = layout.at(wire)
            stretches = found.setdefault(at, [])
            if not stretches or stretches[-1][1] <= i:
                stretches.append((i, end))
    found.pop(None, None)
    return found
