"""Spells a schema without `type` from the parts for each JSON type, written already: their keywords share one schema.

[{"type": "string", "minLength": 1}, {"type": "array", "maxItems": 3}, ...]  ->  {"minLength": 1, "maxItems": 3}
"""

from __future__ import annotations

from wireshape import ir
from wireshape.dialect import Dialect
from wireshape.emit.tally import Wire


def bag(n: ir.Union, parts: list[Wire], row: Dialect, *, asserting: bool) -> Wire:
    """Put what `parts` say of the options of `n` into one schema: keywords of different types never meet."""
    wire: Wire = dict(n.ann or {})
    more: list[Wire] = []
    for option, part in zip(n.options, parts, strict=True):
        part.pop("type", None)
        if type(option) is ir.Object and "properties" not in part:
            _unclosed(part, option, row, asserting=asserting)
        if part.keys() & wire.keys():
            more.append(part)
        else:
            wire.update(part)
    if more:
        wire["allOf"] = [*wire.get("allOf", ()), *more]
    return wire


def _unclosed(part: Wire, n: ir.Object, row: Dialect, *, asserting: bool) -> None:
    """Without type or properties, a row that closes objects by itself sees none here."""
    closes = row.objects.absent_means == "closed"
    if closes and asserting and part.get("additionalProperties") is True:
        del part["additionalProperties"]
    if row.objects.extras == "unsaid" and type(n.extras) is ir.Never:
        part["properties"] = {}
