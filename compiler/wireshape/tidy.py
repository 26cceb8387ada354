"""Writes an encoded value the way a model would: keys in wire-schema order, integral floats as integers; same JSON value."""

from __future__ import annotations

from typing import Any

from wireshape import ir
from wireshape.ir import kind_of
from wireshape.relate import Relations, type_bit


def tidy(value: Any, n: ir.Node, relations: Relations) -> Any:
    """Return an equal value in schema order.

    >>> n = ir.Object((ir.Field("a", ir.Number()), ir.Field("b", ir.Number())), ir.Never())
    >>> tidy({"b": 1.0, "a": 2}, n, Relations({}))
    {'a': 2, 'b': 1}
    """
    kind = kind_of(value)
    if kind is float:
        return int(value) if value.is_integer() else value
    if kind is dict:
        return _object(value, _arm(n, value, relations), relations)
    if kind is list:
        head = _arm(n, value, relations)
        if type(head) is ir.List:
            items = head.items
            return [tidy(v, items, relations) for v in value]
        if type(head) is ir.Tuple:
            size = len(head.prefix)
            return [
                tidy(v, head.prefix[i] if i < size else head.rest, relations)
                for i, v in enumerate(value)
            ]
        return [tidy(v, _ANY, relations) for v in value]
    return value


_ANY = ir.Any()


def _object(value: dict[str, Any], head: ir.Node, relations: Relations) -> dict[str, Any]:
    if type(head) is not ir.Object:
        return {k: tidy(v, _ANY, relations) for k, v in value.items()}
    out = {f.key: tidy(value[f.key], f.node, relations) for f in head.fields if f.key in value}
    if len(out) < len(value):
        for key, v in value.items():
            if key not in out:
                out[key] = tidy(v, head.extras if not head.patterns else _ANY, relations)
    return out


def _arm(n: ir.Node, value: Any, relations: Relations) -> ir.Node:
    """The node that describes the value: the first arm of a union that does not refuse it."""
    for _ in range(32):
        n = relations.head(n)
        if type(n) is not ir.Union:
            return n
        kind = type_bit(value)
        fitting = [option for option in n.options if relations.types(option) & kind]
        for option in fitting:
            if len(fitting) == 1 or not relations.refuses(option, value):
                n = option
                break
        else:
            return _ANY
    return _ANY
