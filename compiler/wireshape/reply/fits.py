"""Whether a value fits a node as far as types, constants, keys and counts tell; bounded work, and no verdict: the gate decides."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wireshape import ir
from wireshape.ir import kind_of
from wireshape.relate import ALL, ARRAY, OBJECT, Relations, type_bit
from wireshape.walk import json_equal


class Fits:
    """Answers about the nodes of one schema; `work` is what may still be looked at.

    >>> Fits({}, 100).admits(ir.List(ir.Boolean()), [True, 1])
    False
    """

    def __init__(self, defs: Mapping[str, ir.Node], work: int) -> None:
        self._defs = defs
        self._relations = Relations(defs)
        self.work = work

    def admits(self, n: ir.Node, value: Any) -> bool:
        """Tell whether `value` looks like one of `n`; no when the work is spent."""
        self.work -= 1
        if self.work < 0:
            return False
        if type(n) is ir.Any:
            return True
        if type(n) is ir.Ref:
            return self.admits(self._defs[n.name], value)
        if type(n) is ir.Refine:
            return self.admits(n.base, value)
        if type(n) is ir.Union:
            return any([self.admits(option, value) for option in n.options])
        if type(n) is ir.Literal:
            return any([json_equal(v, value) for v in n.values])
        bit = type_bit(value)
        if not self._relations.types(n) & bit:
            return False
        if bit == OBJECT and type(n) is ir.Object:
            return self._object(n, value)
        if bit == ARRAY and type(n) is ir.List:
            return all([self.admits(n.items, item) for item in value])
        if bit == ARRAY and type(n) is ir.Tuple:
            nodes = [*n.prefix, *[n.rest] * max(0, len(value) - len(n.prefix))]
            return len(value) >= n.min_items and all(
                [self.admits(m, v) for m, v in zip(nodes, value, strict=False)]
            )
        return True

    def _object(self, n: ir.Object, value: dict[str, Any]) -> bool:
        declared = {f.key: f for f in n.fields}
        if any([f.required and f.key not in value for f in n.fields]):
            return False
        for key, item in value.items():
            field = declared.get(key)
            if field is not None:
                if not self.admits(field.node, item):
                    return False
            elif not n.patterns and not self.admits(n.extras, item):
                return False
        return True


class Shape:
    """One schema, and what may be asked of it without a verdict."""

    def __init__(self, root: ir.Node, defs: Mapping[str, ir.Node], work: int) -> None:
        self.root = root
        self.fits = Fits(defs, work)
        self.relations = Relations(defs)

    @property
    def root_types(self) -> int:
        """The JSON types that the root may admit."""
        return self.relations.types(self.root)

    @property
    def root_texts(self) -> frozenset[str]:
        """The texts that the root lists, when it lists values."""
        root = self.resolved(self.root)
        values = root.values if type(root) is ir.Literal else ()
        return frozenset([v for v in values if kind_of(v) is str])

    def node_at(self, pointer: str) -> ir.Node:
        """Return the node that speaks about a place of a value; `Any` where it cannot be told."""
        n = self.resolved(self.root)
        for token in pointer.split("/")[1:]:
            key = token.replace("~1", "/").replace("~0", "~")
            if type(n) is ir.Object:
                n = next((f.node for f in n.fields if f.key == key), n.extras)
            elif type(n) is ir.List:
                n = n.items
            else:
                return ir.Any()
            n = self.resolved(n)
        return n

    def resolved(self, n: ir.Node) -> ir.Node:
        """Return the node behind references and refinements."""
        while type(n) is ir.Ref or type(n) is ir.Refine:
            n = self.relations.defs[n.name] if type(n) is ir.Ref else n.base
        return n

    def is_any(self, n: ir.Node) -> bool:
        """Tell whether a node admits every JSON type."""
        return self.relations.types(n) == ALL
