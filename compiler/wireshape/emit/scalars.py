"""Spells strings, numbers and constants; what holds other nodes is spelled in `json_schema`.

Number(integer=True, minimum=1.0)  ->  {"type": "integer", "minimum": 1}
"""

from __future__ import annotations

from wireshape import ir
from wireshape.dialect import Dialect
from wireshape.emit.tally import Tally, Wire
from wireshape.walk import is_unbounded


def string(n: ir.String) -> Wire:
    """Spell a string."""
    wire: Wire = {"type": "string", **n.ann} if n.ann else {"type": "string"}
    if not (n.patterns or n.formats or n.min_length) and n.max_length is None:
        return wire
    if n.min_length:
        wire["minLength"] = n.min_length
    if n.max_length is not None:
        wire["maxLength"] = n.max_length
    if n.patterns:
        wire["pattern"] = n.patterns[0]
    if n.formats:
        wire["format"] = n.formats[0]
    if len(n.patterns) > 1 or len(n.formats) > 1:
        more: list[Wire] = [{"pattern": p} for p in n.patterns[1:]]
        wire["allOf"] = more + [{"format": f} for f in n.formats[1:]]
    return wire


def number(n: ir.Number) -> Wire:
    """Spell a number."""
    name = "integer" if n.integer else "number"
    wire: Wire = {"type": name, **n.ann} if n.ann else {"type": name}
    if is_unbounded(n):
        return wire
    if n.minimum is not None:
        wire["minimum"] = _integral(n.minimum)
    if n.exclusive_minimum is not None:
        wire["exclusiveMinimum"] = _integral(n.exclusive_minimum)
    if n.maximum is not None:
        wire["maximum"] = _integral(n.maximum)
    if n.exclusive_maximum is not None:
        wire["exclusiveMaximum"] = _integral(n.exclusive_maximum)
    if n.multiple_of is not None:
        wire["multipleOf"] = _integral(n.multiple_of)
    return wire


def boolean(n: ir.Boolean) -> Wire:
    """Spell a boolean."""
    return {"type": "boolean", **n.ann} if n.ann else {"type": "boolean"}


def _integral(x: float) -> float:
    return int(x) if type(x) is float and x.is_integer() else x


def literal(n: ir.Literal, row: Dialect, tally: Tally) -> Wire:
    """Spell an enum or a constant, and count it."""
    wire: Wire = {}
    name = _type_of(n.values)
    if name is not None:
        wire["type"] = name
    chars = (
        sum(map(len, n.values))
        if name == "string"
        else sum([len(v) for v in n.values if type(v) is str])
    )
    tally.string_chars += chars
    tally.enum_values += len(n.values)
    tally.large_enums.append((len(n.values), chars))
    if n.ann:
        wire.update(n.ann)
    if len(n.values) == 1 and row.enums.const:
        wire["const"] = n.values[0]
    else:
        wire["enum"] = list(n.values)
    return wire


def _type_of(values: tuple[ir.Json, ...]) -> str | None:
    names = {ir.TYPE_NAMES[kind] for kind in set(map(type, values))}
    if names == {"integer", "number"}:
        return "number"
    return names.pop() if len(names) == 1 else None
