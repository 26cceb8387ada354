"""Budget: from what a wire schema holds over the limits of its row to a grant that spells parts of it more cheaply.

It never lowers. `pipeline` lowers under the grant, counts again, and asks for more until nothing is over; a grant only
grows, so that this ends, at the latest with the whole schema as JSON text. Exact remedies come before those that lose.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from wireshape import ir
from wireshape.analyze import Count
from wireshape.budget_fields import Present, spend
from wireshape.budget_text import smallest
from wireshape.budget_words import FEWEST, bytes_of, fewer_words, long_texts, saved_by
from wireshape.cost import Layout, Respelt, Site, layout_of
from wireshape.dialect import Dialect
from wireshape.emit import Emitted
from wireshape.grant import Excess, Grant
from wireshape.wires import ROOT, name_of

_ENUMS = frozenset({"enum_values", "large_enum_chars", "string_chars"})
_NESTING = frozenset({"depth", "nesting"})
_REQUEST = frozenset({"optional_params", "union_params"})


def grow(
    grant: Grant, count: Count, emitted: Emitted, graph: ir.Graph, row: Dialect, present: Present
) -> Grant:
    """Return a larger grant; the same one when nothing is left to try.

    `present` is how the schema was lowered.
    """
    layout = layout_of(emitted, count.parts)
    over = {excess.rule: excess for excess in count.found}
    if over.keys() & _REQUEST:
        grown = spend(grant, over, layout, graph, row, present)
        if grown != grant:
            return grown
    unroll = present.unroll
    start = grant
    for rule, why in over.items():
        if rule == "max_items_sum":
            grant = _unbounded(grant, why, layout)
        elif rule in _ENUMS:
            if grant.plain is start.plain:  # what one of these counts needs may do for the others
                grant = _plain(grant, why, layout, row)
        elif rule == "bytes" and grant.words != FEWEST:
            grant = _shorter(grant, why, layout, graph, present)
        elif unroll > 1 and rule not in _REQUEST:
            grant = replace(grant, unroll=unroll - 1)
        else:
            grant = replace(grant, unroll=1) if unroll else grant
            if rule in _NESTING:
                grant = _shallow(grant, why, layout)
            else:
                grant = _written(grant, why, smallest(layout, rule, why.count - why.limit))
    return grant


def _shorter(grant: Grant, why: Excess, layout: Layout, graph: ir.Graph, present: Present) -> Grant:
    """Keep fewer words of descriptions; what is clear not to suffice is granted on top of that."""
    texts = long_texts(layout, graph)
    words = fewer_words(grant.words, why, texts.values(), present)
    grant = replace(grant, words=words)
    if present.unroll > 1:
        fewer = why.count - why.limit > bytes_of(texts.values())
        return replace(grant, unroll=present.unroll - 1) if fewer else grant
    if words == FEWEST:
        saved = saved_by(words, texts)
        need = why.count - why.limit - sum(saved.values())
        if need > 0:
            places = smallest(layout, "bytes", need, layout.weigh("bytes", Respelt(saved=saved)))
            return _written(grant, why, places) if places else grant
    return grant


def _written(grant: Grant, why: Excess, places: Iterable[ir.Path]) -> Grant:
    """Send the places as JSON text, or the whole where there are none."""
    new = {place: why for place in places if place not in grant.text}
    if not new:
        return replace(grant, whole=why)
    return replace(grant, text={**grant.text, **new})


def _unbounded(grant: Grant, why: Excess, layout: Layout) -> Grant:
    """Give up `maxItems`, the largest first."""
    counts: dict[ir.Path, int] = {}
    for site in layout.sites:
        most = layout.facts(site.wire).max_items_sum
        if most and site.at not in grant.unbounded:
            count = most * layout.uses[site.part]
            counts[site.at] = counts.get(site.at, 0) + count
    taken = _largest(counts, why.count - why.limit)
    if not taken:
        return _written(grant, why, smallest(layout, why.rule, why.count - why.limit))
    return replace(grant, unbounded={**grant.unbounded, **dict.fromkeys(taken, why)})


def _plain(grant: Grant, why: Excess, layout: Layout, row: Dialect) -> Grant:
    """Send enums as their plain type, the largest first."""
    long = set(_long_enums(why, layout, row)) if why.rule == "large_enum_chars" else set[ir.Path]()
    counts: dict[ir.Path, int] = {}
    for site in layout.sites:
        for values, chars in layout.facts(site.wire).large_enums:
            if values < 2 or site.at in grant.plain:
                continue
            if why.rule == "large_enum_chars":
                if site.at in long:
                    counts[site.at] = chars
            else:
                count = values if why.rule == "enum_values" else chars
                counts[site.at] = counts.get(site.at, 0) + count
    need = why.count - why.limit
    if why.rule == "large_enum_chars" and not counts:
        return _written(grant, why, _long_enums(why, layout, row))
    taken = list(counts) if why.rule == "large_enum_chars" else _largest(counts, need)
    if not taken:
        return _written(grant, why, smallest(layout, why.rule, why.count - why.limit))
    return replace(grant, plain={**grant.plain, **dict.fromkeys(taken, why)})


def _long_enums(why: Excess, layout: Layout, row: Dialect) -> list[ir.Path]:
    most = row.limits.large_enum_values or 0
    return [
        site.at
        for site in layout.sites
        if any(
            [
                values > most and chars > why.limit
                for values, chars in layout.facts(site.wire).large_enums
            ]
        )
    ]


def _largest(counts: dict[ir.Path, int], need: int) -> list[ir.Path]:
    """The places with the largest counts, as few as add up to `need`; none where all together do not."""
    taken: list[ir.Path] = []
    for place, count in sorted(counts.items(), key=lambda item: -item[1]):
        if need <= 0:
            break
        if count:
            taken.append(place)
            need -= count
    return taken if need <= 0 else []


def _shallow(grant: Grant, why: Excess, layout: Layout) -> Grant:
    """Send as JSON text what lies deeper than the limit, references followed."""
    most = why.levels or why.limit
    around = dict.fromkeys(layout.uses, 0)
    for name in layout.uses:  # users first
        for to, depth in layout.parts[name].reference_depth.items():
            if to in around and to != ROOT:
                around[to] = max(around[to], around[name] + depth)
    made = {
        name
        for name, i in layout.laid.starts.items()
        if name != ROOT and layout.sites[i].at is None
    }
    places: dict[ir.Path, None] = {}
    for site in layout.sites:
        if site.part in made:
            continue  # no part of the source: where it is referred to is
        up = layout.sites[site.parent] if site.parent >= 0 else None
        outer = around[site.part]
        deep = outer + site.depth > most and (up is None or outer + up.depth <= most)
        to = name_of(site.wire["$ref"]) if "$ref" in site.wire else ROOT
        if deep or (to in made and outer + site.depth + layout.height(to) > most):
            places[_place(site, layout)] = None
    return _written(grant, why, [] if None in places else places)


def _place(site: Site, layout: Layout) -> ir.Path:
    """The place of the nearest schema around that has one of its own."""
    at = site.at
    up = layout.sites[site.parent] if site.parent >= 0 else None
    while up is not None and (at is None or at == up.at):
        at, up = up.at, layout.sites[up.parent] if up.parent >= 0 else None
    return at
