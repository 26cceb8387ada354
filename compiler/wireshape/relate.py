"""How two schemas relate: which JSON types each admits, whether they can share a value; conservative, bounded work.

disjoint({type: string}, {const: 3})  ->  True        disjoint({pattern: a}, {pattern: b})  ->  False (not proven)
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import assert_never

from wireshape import ir
from wireshape.ir import kind_of
from wireshape.walk import json_key

NULL, BOOLEAN, INTEGER, FRACTION, STRING, ARRAY, OBJECT = (1 << i for i in range(7))
NUMBER = INTEGER | FRACTION
ALL = 127

NEVER_NULL: frozenset[type] = frozenset(
    {ir.Object, ir.String, ir.Number, ir.List, ir.Boolean, ir.Tuple}
)
"""Kinds of which null is no value."""

_DEPTH = 6
_WORK = 4000


def type_bit(value: ir.Json) -> int:
    """Return the bit of the JSON type of a value; integral floats are integers."""
    kind = kind_of(value)
    if kind is str:
        return STRING
    if kind is bool:
        return BOOLEAN
    if kind is int:
        return INTEGER
    if kind is float:
        return INTEGER if value.is_integer() else FRACTION
    if kind is dict:
        return OBJECT
    if kind is list:
        return ARRAY
    return NULL


def shared(masks: Iterable[int]) -> int:
    """Return the types that several of the masks hold.

    >>> shared([STRING, NUMBER | NULL, STRING | NULL]) == STRING | NULL
    True
    """
    once = several = 0
    for mask in masks:
        several |= once & mask
        once |= mask
    return several


class Relations:
    """Answers about nodes whose references are looked up in `defs`; answers are kept per definition name."""

    __slots__ = ("_keyed", "_listed", "_types", "_work", "defs")

    def __init__(self, defs: Mapping[str, ir.Node]) -> None:
        self.defs = defs
        self._types: dict[str, int] = {}
        self._keyed: dict[
            int, tuple[ir.Object, dict[str, ir.Field]]
        ] = {}  # by identity; holds the object, so that none takes its place
        self._listed: dict[int, tuple[ir.Literal, frozenset[Hashable]]] = {}
        self._work = 0

    def types(self, n: ir.Node) -> int:
        """Return the JSON types that `n` may admit, as a mask."""
        known = _KIND_TYPES.get(type(n))
        if known is not None:
            return known
        if type(n) is ir.Ref:
            known = self._types.get(n.name)
            if known is None:
                self._types[n.name] = 0  # a cycle without a value in between adds no type
                known = self._types[n.name] = self.types(self.defs[n.name])
            return known
        if type(n) is ir.Union:
            mask = 0
            for option in n.options:
                known = _KIND_TYPES.get(type(option))
                mask |= self.types(option) if known is None else known
            return mask
        if type(n) is ir.Refine:
            return self.types(n.base)
        if type(n) is ir.Literal:
            mask = 0
            for value in n.values:
                mask |= type_bit(value)
            return mask
        assert type(n) is ir.Number
        return INTEGER if n.integer else NUMBER

    def admits_null(self, n: ir.Node) -> bool:
        """Whether null may be a value of `n`."""
        return bool(self.types(n) & NULL)

    def forget(self, names: set[str]) -> None:
        """Drop what is known about definitions that are about to change."""
        for name in names:
            self._types.pop(name, None)

    def head(self, n: ir.Node) -> ir.Node:
        """Follow references and refinements to the node that decides the shape."""
        hops = 64
        while hops and (type(n) is ir.Ref or type(n) is ir.Refine):
            n = self.defs[n.name] if type(n) is ir.Ref else n.base
            hops -= 1
        return n

    def disjoint(self, a: ir.Node, b: ir.Node) -> bool:
        """Whether it is certain that no value belongs to both."""
        self._work = _WORK
        return self._disjoint(a, b, _DEPTH)

    def _disjoint(self, a: ir.Node, b: ir.Node, depth: int) -> bool:
        if not self.types(a) & self.types(b):
            return True
        self._work -= 1
        if depth == 0 or self._work < 0:
            return False
        a, b = self.head(a), self.head(b)
        if type(a) is ir.Union:
            return self._none_meets(a, b, depth)
        if type(b) is ir.Union:
            return self._none_meets(b, a, depth)
        if type(a) is ir.Literal:
            if type(b) is ir.Literal:
                return self._values(a).isdisjoint(self._values(b))
            return all(self.refuses(b, value) for value in a.values)
        if type(b) is ir.Literal:
            return all(self.refuses(a, value) for value in b.values)
        if type(a) is ir.Object and type(b) is ir.Object:
            return self._objects(a, b, depth)
        if type(a) is ir.Number and type(b) is ir.Number:
            return _numbers(a, b)
        if type(a) is ir.String and type(b) is ir.String:
            return _beyond(a.min_length, b.max_length) or _beyond(b.min_length, a.max_length)
        if isinstance(a, (ir.List, ir.Tuple)) and isinstance(b, (ir.List, ir.Tuple)):
            return self._arrays(a, b, depth)
        return type(a) is ir.Never or type(b) is ir.Never

    def _none_meets(self, union: ir.Union, other: ir.Node, depth: int) -> bool:
        """Whether no option shares a value with the other node; stops at the first that may."""
        mask = self.types(other)
        for option in union.options:
            if self.types(option) & mask and not self._disjoint(option, other, depth - 1):
                return False
        return True

    def _objects(self, a: ir.Object, b: ir.Object, depth: int) -> bool:
        others, mine = self.fields(b), self.fields(a)
        if _forbids(b, others, mine) or _forbids(a, mine, others):
            return True
        for key, f in mine.items():
            other = others.get(key)
            if (
                other is not None
                and (f.required or other.required)
                and self._disjoint(f.node, other.node, depth - 1)
            ):
                return True
        return False

    def fields(self, n: ir.Object) -> dict[str, ir.Field]:
        """Return the declared fields of an object by key; kept, so that each object is looked through once."""
        known = self._keyed.get(id(n))
        if known is None:
            known = self._keyed[id(n)] = (n, {f.key: f for f in n.fields})
        return known[1]

    def _values(self, n: ir.Literal) -> frozenset[Hashable]:
        known = self._listed.get(id(n))
        if known is None:
            known = self._listed[id(n)] = (n, frozenset([json_key(v) for v in n.values]))
        return known[1]

    def _arrays(self, a: ir.List | ir.Tuple, b: ir.List | ir.Tuple, depth: int) -> bool:
        if _beyond(a.min_items, _longest(b)) or _beyond(b.min_items, _longest(a)):
            return True
        shared = max(a.min_items, b.min_items)
        return any(
            self._disjoint(_item(a, i), _item(b, i), depth - 1) for i in range(min(shared, 4))
        )

    def refuses(self, n: ir.Node, value: ir.Json, depth: int = _DEPTH) -> bool:
        """Whether it is certain that `value` does not belong to `n`."""
        if not self.types(n) & type_bit(value):
            return True
        n = self.head(n)
        if type(n) is ir.Union:
            return depth > 0 and all(self.refuses(option, value, depth - 1) for option in n.options)
        if type(n) is ir.Literal:
            return json_key(value) not in self._values(n)
        if type(n) is ir.String:
            return len(value) < n.min_length or _beyond(len(value), n.max_length)
        if type(n) is ir.Number:
            return _numbers(n, ir.Number(minimum=value, maximum=value))
        if type(n) is ir.Object:
            keys = self.fields(n)
            if any([f.required and f.key not in value for f in n.fields]):
                return True
            if (
                type(n.extras) is ir.Never
                and not n.patterns
                and any([k not in keys for k in value])
            ):
                return True
            return depth > 0 and any(
                self.refuses(f.node, value[k], depth - 1) for k, f in keys.items() if k in value
            )
        if isinstance(n, (ir.List, ir.Tuple)):
            if len(value) < n.min_items or _beyond(len(value), _longest(n)):
                return True
            return depth > 0 and any(
                self.refuses(_item(n, i), v, depth - 1) for i, v in enumerate(value[:8])
            )
        if type(n) is ir.Never:
            return True
        if (
            type(n) is ir.Any
            or type(n) is ir.Null
            or type(n) is ir.Boolean
            or type(n) is ir.Ref
            or type(n) is ir.Refine
        ):
            return False
        assert_never(n)


_KIND_TYPES: dict[type, int] = {
    ir.Object: OBJECT,
    ir.String: STRING,
    ir.List: ARRAY,
    ir.Tuple: ARRAY,
    ir.Boolean: BOOLEAN,
    ir.Null: NULL,
    ir.Any: ALL,
    ir.Never: 0,
}


def _beyond(low: float, high: float | None) -> bool:
    return high is not None and low > high


def _numbers(a: ir.Number, b: ir.Number) -> bool:
    return _below(a, b) or _below(b, a)


def _below(a: ir.Number, b: ir.Number) -> bool:
    """Whether every value of `a` is less than every value of `b`."""
    for high, open_high in ((a.maximum, False), (a.exclusive_maximum, True)):
        for low, open_low in ((b.minimum, False), (b.exclusive_minimum, True)):
            if (
                high is not None
                and low is not None
                and (high < low or (high == low and (open_high or open_low)))
            ):
                return True
    return False


def _forbids(
    closed: ir.Object, fields: Mapping[str, ir.Field], others: Mapping[str, ir.Field]
) -> bool:
    """Whether `closed` refuses a key that the other object requires."""
    if type(closed.extras) is not ir.Never or closed.patterns:
        return any(
            [
                f.required and k in fields and type(fields[k].node) is ir.Never
                for k, f in others.items()
            ]
        )
    return any([f.required and k not in fields for k, f in others.items()])


def _longest(n: ir.List | ir.Tuple) -> int | None:
    if type(n) is ir.Tuple and type(n.rest) is ir.Never:
        return len(n.prefix) if n.max_items is None else min(len(n.prefix), n.max_items)
    return n.max_items


def _item(n: ir.List | ir.Tuple, i: int) -> ir.Node:
    if type(n) is ir.List:
        return n.items
    return n.prefix[i] if i < len(n.prefix) else n.rest
