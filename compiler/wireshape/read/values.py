"""JSON values against nodes: a three-valued test that is sure only where it can be."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from wireshape import ir
from wireshape.read.json_copy import kind_of
from wireshape.read.patterns import holds
from wireshape.walk import json_key

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

    from wireshape.read.build import Raw

MAX_STEPS = 2_000
MAX_DEPTH = 40
Verdict: TypeAlias = "bool | None"
"""True, False, or None when this module cannot tell (an odd pattern, a decimal `multipleOf`, what takes too long)."""


def is_integer(value: ir.Json) -> bool:
    """Whether the value is an integral number."""
    return type(value) is int or (type(value) is float and value.is_integer())


def is_number(value: ir.Json) -> bool:
    """Whether the value is a number."""
    return type(value) is int or type(value) is float


def has_type(value: ir.Json, name: str) -> bool:
    """Whether the value is of the JSON Schema type of that name."""
    if name == "string":
        return type(value) is str
    if name == "integer":
        return is_integer(value)
    if name == "number":
        return is_number(value)
    if name == "object":
        return kind_of(value) is dict
    if name == "array":
        return kind_of(value) is list
    return value is None if name == "null" else type(value) is bool


def all_of(verdicts: Iterable[Verdict]) -> Verdict:
    """Return the conjunction of verdicts."""
    unsure = False
    for verdict in verdicts:
        if verdict is False:
            return False
        unsure = unsure or verdict is None
    return None if unsure else True


def _any_of(verdicts: list[Verdict], *, exclusive: bool) -> Verdict:
    sure = verdicts.count(True)
    if exclusive and sure > 1:
        return False
    if sure and not exclusive:
        return True
    return None if None in verdicts else sure == 1


class Tester:
    """Tests values; `expand` gives the node behind a name."""

    __slots__ = ("_expand", "_keys", "_steps")

    def __init__(self, expand: Callable[[str], Raw]) -> None:
        self._expand = expand
        self._keys: dict[int, tuple[ir.Literal, frozenset[Hashable]]] = {}
        self._steps = 0

    def verdict(self, value: ir.Json, node: Raw) -> Verdict:
        """Whether the value satisfies the node; unsure when that takes too long to find out."""
        self._steps = MAX_STEPS
        return self.test(value, node, MAX_DEPTH)

    def test(self, value: ir.Json, node: Raw, fuel: int) -> Verdict:
        """Whether the value satisfies the node, looking no deeper than `fuel`."""
        self._steps -= 1
        if fuel == 0 or self._steps < 0:
            return None
        kind = type(node)
        if kind is ir.Any:
            return True
        if kind is ir.Never:
            return False
        if type(node) is ir.Ref:
            return self.test(value, self._expand(node.name), fuel - 1)
        if type(node) is ir.Literal:
            return json_key(value) in self._keys_of(node)
        if type(node) is ir.Union:
            return self._union(value, node, fuel - 1)
        if type(node) is ir.Refine:
            base = self.test(value, node.base, fuel - 1)
            if base is False:
                return False
            return all_of([base, *[self._assertion(value, a, fuel - 1) for a in node.assertions]])
        parts: tuple[Raw, ...] | None = getattr(node, "parts", None)
        if parts is not None:
            return all_of([self.test(value, part, fuel - 1) for part in parts])
        return self._plain(value, node, fuel - 1)

    def _assertion(self, value: ir.Json, a: ir.Assertion, fuel: int) -> Verdict:
        kind, word = kind_of(value), a.keyword
        if word in {"pattern", "format"}:
            return holds(word, a.value, value) if type(value) is str else True
        if word == "multipleOf":
            return None if is_number(value) else True
        if word == "contains":
            return None if kind is list else True
        if word == "dependentRequired":
            return kind is not dict or all(
                [key not in value or value.keys() >= set(needed) for key, needed in a.value.items()]
            )
        if word == "dependentSchemas":
            nodes = [
                n for key, n in zip(a.value, a.nodes, strict=True) if kind is dict and key in value
            ]
            return all_of([self.test(value, n, fuel) for n in nodes])
        if word.startswith("unevaluated"):
            beside = all_of([self.test(value, n, fuel) for n in a.nodes[1:]])
            about = dict if word == "unevaluatedProperties" else list
            return None if beside and kind is about else beside
        if word == "if":
            condition = self.test(value, a.nodes[0], fuel)
            return None if condition is None else self.test(value, a.nodes[2 - condition], fuel)
        verdicts = [self.test(value, n, fuel) for n in a.nodes]
        if word == "allOf":
            return all_of(verdicts)
        if word == "not":
            return None if verdicts[0] is None else not verdicts[0]
        return _any_of(verdicts, exclusive=word == "oneOf")

    def _keys_of(self, node: ir.Literal) -> frozenset[Hashable]:
        known = self._keys.get(id(node))
        if known is None:
            known = self._keys[id(node)] = (node, frozenset([json_key(v) for v in node.values]))
        return known[1]

    def _union(self, value: ir.Json, node: ir.Union, fuel: int) -> Verdict:
        return _any_of(
            [self.test(value, option, fuel) for option in node.options], exclusive=node.exclusive
        )

    def _plain(self, value: ir.Json, node: Raw, fuel: int) -> Verdict:
        if type(node) is ir.String:
            return _string(value, node)
        if type(node) is ir.Number:
            return _number(value, node)
        if type(node) is ir.Object:
            return self._object(value, node, fuel)
        if type(node) is ir.List or type(node) is ir.Tuple:
            return self._array(value, node, fuel)
        return value is None if type(node) is ir.Null else type(value) is bool

    def _array(self, value: ir.Json, node: ir.List | ir.Tuple, fuel: int) -> Verdict:
        if kind_of(value) is not list or len(value) < node.min_items:
            return False
        if node.max_items is not None and len(value) > node.max_items:
            return False
        if node.unique and len({json_key(v) for v in value}) < len(value):
            return False
        if type(node) is ir.List:
            return all_of([self.test(v, node.items, fuel) for v in value])
        schemas = [*node.prefix[: len(value)], *[node.rest] * (len(value) - len(node.prefix))]
        return all_of([self.test(v, s, fuel) for v, s in zip(value, schemas, strict=True)])

    def _object(self, value: ir.Json, node: ir.Object, fuel: int) -> Verdict:
        if kind_of(value) is not dict or len(value) < node.min_properties:
            return False
        if node.max_properties is not None and len(value) > node.max_properties:
            return False
        declared = {f.key: f for f in node.fields}
        if any([f.required and f.key not in value for f in node.fields]):
            return False
        verdicts: list[Verdict] = []
        for key, item in value.items():
            if node.names is not None:
                verdicts.append(self.test(key, node.names, fuel))
            if key in declared:
                verdicts.append(self.test(item, declared[key].node, fuel))
            else:
                verdicts.append(self._undeclared(key, item, node, fuel))
        return all_of(verdicts)

    def _undeclared(self, key: str, item: ir.Json, node: ir.Object, fuel: int) -> Verdict:
        bound: list[Verdict] = []
        for pattern in node.patterns:
            hit = holds("pattern", pattern.regex, key)
            if hit is None:
                return None
            if hit:
                bound.append(self.test(item, pattern.node, fuel))
        return all_of(bound) if bound else self.test(item, node.extras, fuel)


def _string(value: ir.Json, node: ir.String) -> Verdict:
    if type(value) is not str or len(value) < node.min_length:
        return False
    if node.max_length is not None and len(value) > node.max_length:
        return False
    if not node.patterns and not node.formats:
        return True
    verdicts = [holds("pattern", p, value) for p in node.patterns]
    return all_of(verdicts + [holds("format", f, value) for f in node.formats])


def _number(value: ir.Json, node: ir.Number) -> Verdict:
    if not (is_integer(value) if node.integer else is_number(value)):
        return False
    inside = (
        (node.minimum is None or value >= node.minimum)
        and (node.maximum is None or value <= node.maximum)
        and (node.exclusive_minimum is None or value > node.exclusive_minimum)
        and (node.exclusive_maximum is None or value < node.exclusive_maximum)
    )
    if not inside or node.multiple_of is None:
        return inside
    if type(value) is int and type(node.multiple_of) is int:
        return value % node.multiple_of == 0
    return None
