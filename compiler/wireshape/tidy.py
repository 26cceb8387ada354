"""Writes an encoded value the way a model would: keys in wire-schema order, integral floats as integers; same JSON value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from wireshape import ir
from wireshape.ir import kind_of
from wireshape.relate import OBJECT, Relations, type_bit
from wireshape.walk import json_equal

_ANY = ir.Any()
_DONE: frozenset[object] = frozenset({str, int, bool, type(None)})


class _Choice(NamedTuple):
    """A union, prepared: its options by JSON type, and those of objects by the constant that they ask for under a key."""

    union: ir.Union  # held, so that no other node takes its place
    options: Mapping[int, list[ir.Node]]
    key: str
    constants: Mapping[str, list[ir.Node]]


class Tidier:
    """Writes values of one wire graph; what it learns about unions and objects is kept.

    >>> n = ir.Object((ir.Field("a", ir.Number()), ir.Field("b", ir.Number())), ir.Never())
    >>> Tidier(Relations({})).tidy({"b": 1.0, "a": 2}, n)
    {'a': 2, 'b': 1}
    """

    def __init__(self, relations: Relations) -> None:
        self._relations = relations
        self._choices: dict[int, _Choice] = {}
        self._fields: dict[int, tuple[ir.Object, dict[str, tuple[int, ir.Node]]]] = {}

    def tidy(self, value: Any, n: ir.Node) -> Any:
        """Return an equal value in the order of the schema."""
        kind = kind_of(value)
        if kind in _DONE:
            return value
        if kind is float:
            return int(value) if value.is_integer() else value
        head = self._head(n, value)
        tidy = self.tidy
        if type(head) is ir.Literal:
            value = next((v for v in head.values if json_equal(v, value)), value)
            head = _ANY
        if kind is list:
            if _DONE.issuperset(map(kind_of, value)):
                return value
            if type(head) is ir.Tuple:
                size = len(head.prefix)
                return [
                    tidy(v, head.prefix[i] if i < size else head.rest) for i, v in enumerate(value)
                ]
            items = head.items if type(head) is ir.List else _ANY
            return [tidy(v, items) for v in value]
        if type(head) is not ir.Object:
            return {k: v if kind_of(v) in _DONE else tidy(v, _ANY) for k, v in value.items()}
        fields = self._declared(head)
        out: dict[str, Any] = {}
        for key in fields if len(fields) <= 2 * len(value) else _in_order(value, fields):
            if key in value:
                v = value[key]
                out[key] = v if kind_of(v) in _DONE else tidy(v, fields[key][1])
        if len(out) < len(value):
            extras = _others(head)
            for key, v in value.items():
                if key not in fields:
                    out[key] = tidy(v, extras)
        return out

    def _declared(self, n: ir.Object) -> dict[str, tuple[int, ir.Node]]:
        """Position and node of each field."""
        known = self._fields.get(id(n))
        if known is None:
            places = {f.key: (i, f.node) for i, f in enumerate(n.fields)}
            known = self._fields[id(n)] = (n, places)
        return known[1]

    def _head(self, n: ir.Node, value: Any) -> ir.Node:
        """The node that describes the value: the first arm of a union that does not refuse it."""
        for _ in range(32):
            n = self._relations.head(n)
            if type(n) is not ir.Union:
                return n
            n = self._arm(n, value)
        return _ANY

    def _arm(self, n: ir.Union, value: Any) -> ir.Node:
        choice = self._choices.get(id(n))
        if choice is None:
            choice = self._choices[id(n)] = self._prepared(n)
        bit = type_bit(value)
        fitting = choice.options[bit]
        if bit == OBJECT and kind_of(constant := value.get(choice.key)) is str:
            fitting = choice.constants.get(constant, fitting)
        if len(fitting) == 1:
            return fitting[0]
        refuses = self._relations.refuses
        return next((option for option in fitting if not refuses(option, value)), _ANY)

    def _prepared(self, n: ir.Union) -> _Choice:
        types = [(option, self._relations.types(option)) for option in n.options]
        options = {1 << i: [option for option, mask in types if mask >> i & 1] for i in range(7)}
        return _Choice(n, options, *self._constants(options[OBJECT]))

    def _constants(self, options: list[ir.Node]) -> tuple[str, dict[str, list[ir.Node]]]:
        """A key under which each option requires one of its own texts, and the options of each text."""
        tables: dict[str, dict[str, list[ir.Node]]] = {}
        count: dict[str, int] = {}
        for option in options:
            head = self._relations.head(option)
            for f in head.fields if type(head) is ir.Object else ():
                value = self._relations.head(f.node)
                if f.required and type(value) is ir.Literal:
                    count[f.key] = count.get(f.key, 0) + 1
                    for text in [v for v in value.values if kind_of(v) is str]:
                        tables.setdefault(f.key, {}).setdefault(text, []).append(option)
        whole = [key for key in tables if count[key] == len(options)]
        best = max(whole, key=lambda key: len(tables[key]), default="")
        return best, tables.get(best, {})


def _others(n: ir.Object) -> ir.Node:
    """What describes the undeclared keys, where it is one node for all of them."""
    if not n.patterns:
        return n.extras
    only = len(n.patterns) == 1 and type(n.extras) is ir.Never
    return n.patterns[0].node if only else _ANY


def _in_order(value: dict[str, Any], fields: Mapping[str, tuple[int, ir.Node]]) -> list[str]:
    """The declared keys of a value in the order of the schema, which declares far more."""
    return sorted([key for key in value if key in fields], key=lambda key: fields[key][0])
