"""Picks the parts of a wire schema to send as JSON text so that one count comes under its limit and little is lost."""

from __future__ import annotations

from dataclasses import dataclass, field

from wireshape import ir
from wireshape.budget_reach import needed, with_what_is_behind
from wireshape.cost import SPREAD, Layout, Weighed

_PIECE = 4  # what one more text costs a reader, in schemas


@dataclass(slots=True)
class _Part:
    """A place in the source and all that was written for it: what it saves, and how many schemas it holds."""

    at: ir.Path
    order: int
    saving: int = 0
    size: int = 0
    sites: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])


def smallest(layout: Layout, rule: str, need: int, weighed: Weighed | None = None) -> list[ir.Path]:
    """Return the places to send as text, in source order; none where no choice of parts saves enough."""
    weighed = weighed or layout.weigh(rule)
    parts = _parts(layout, rule, weighed)
    alone = min(
        [p for p in parts if p.saving >= need], key=lambda p: (p.size, p.order), default=None
    )
    several = _several(parts, need, len(layout.laid.wires))
    if alone is not None and (not several or alone.size + _PIECE <= _loss(several)):
        several = [alone]
    several.sort(key=lambda p: p.order)
    if rule in SPREAD or len(layout.defs) == 1 or len(several) == 1:
        return [p.at for p in several]
    if not several:
        return with_what_is_behind(layout, rule, need, weighed)
    return needed(layout, rule, need, weighed, {p.at: p.sites for p in several})


def _loss(parts: list[_Part]) -> int:
    return sum([p.size + _PIECE for p in parts])


def _parts(layout: Layout, rule: str, weighed: Weighed) -> list[_Part]:
    """Every part with a place of its own that saves something; the root is none."""
    found: dict[ir.Path, _Part] = {}
    inner: list[tuple[int, ir.Path]] = []  # the ends and places around the schema at hand
    sums, uses = weighed.sums, 1
    laid = layout.laid
    for i, (wire, end) in enumerate(zip(laid.wires, laid.ends, strict=True)):
        uses = weighed.uses.get(i, uses)
        saving = (sums[end] - sums[i]) * uses
        if rule == "bytes":
            saving -= weighed.text(wire)
        if saving <= 0 and (end == i + 1 or rule != "bytes"):
            continue
        while inner and inner[-1][0] <= i:
            inner.pop()
        place = layout.at(wire)
        known = place is None or any([place == at for _, at in inner[-_NEAR:]])
        inner.append((end, place))
        if saving > 0 and not known:
            part = found.setdefault(place, _Part(place, i))
            part.saving += saving
            part.size += end - i
            part.sites.append((i, end))
    return list(found.values())


_NEAR = 4


def _several(parts: list[_Part], need: int, count: int) -> list[_Part]:
    """The parts that lose least for what they save, none inside another, as few as add up."""
    inside, starts = bytearray(count), bytearray(count)
    taken: list[_Part] = []
    left = need
    for part in sorted(parts, key=lambda p: ((p.size + _PIECE) / p.saving, p.order)):
        if left <= 0:
            break
        if any([inside[i] or starts.find(1, i, end) >= 0 for i, end in part.sites]):
            continue
        taken.append(part)
        left -= part.saving
        for i, end in part.sites:
            inside[i:end] = b"\1" * (end - i)
            starts[i] = 1
    if left > 0:
        return []
    for part in sorted(taken, key=lambda p: -p.size):
        if part.saving <= -left:
            taken.remove(part)
            left += part.saving
    return taken
