"""Whether a value fits a node as far as types, constants, keys and counts tell; bounded work, and no verdict: the gate decides."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wireshape import ir
from wireshape.relate import ARRAY, OBJECT, Relations, type_bit
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
