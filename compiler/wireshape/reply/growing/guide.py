"""What may stand at a place of a wire value, as far as types, constants and keys tell: the ground on which a part is shown.

What does not fit will be coerced or refused when the reply is complete, so it is not shown before.
"""

from __future__ import annotations

from typing import Any

from wireshape import ir
from wireshape.relate import STRING, Relations, type_bit
from wireshape.walk import json_equal

_MOST_HEADS = 64


class Guide:
    """The alternatives at one place; parts are looked up when they are asked for and remembered.

    `types` is the mask of JSON types, `is_free` tells whether a text may be any text, so that its beginning says something.

    >>> guide = guide_of(ir.Graph(ir.Object((ir.Field("n", ir.Number(integer=True)),), ir.Never()), {}))
    >>> guide.member("n").admits(1), guide.member("n").admits(1.5), guide.member("x")
    (True, False, None)
    """

    __slots__ = (
        "_heads",
        "_items",
        "_listed",
        "_members",
        "_others",
        "_relations",
        "is_free",
        "types",
    )

    def __init__(self, heads: tuple[ir.Node, ...], relations: Relations) -> None:
        self._heads = heads
        self._relations = relations
        self._members: dict[str, Guide | None] = {}
        self._items: dict[int, Guide | None] = {}
        self._others: tuple[Guide | None, ...] = ()
        self._listed = [h for h in heads if type(h) is ir.Literal]
        self.types = 0
        listed = 0
        for head in heads:
            self.types |= relations.types(head)
            if type(head) is ir.Literal:
                listed |= relations.types(head)
        self.is_free = bool(self.types & STRING) and not listed & STRING

    def only_lists(self, types: int) -> bool:
        """Tell whether what may stand here of some JSON types is listed, value by value."""
        fit = [h for h in self._heads if self._relations.types(h) & types]
        return bool(fit) and all([type(h) is ir.Literal for h in fit])

    def admits(self, value: Any) -> bool:
        """Tell whether a finished value may stand here, as far as its type and the listed values tell."""
        bit = type_bit(value)
        if not self.types & bit:
            return False
        if not self._listed:
            return True
        plain = [h for h in self._heads if type(h) is not ir.Literal]
        return any([self._relations.types(h) & bit for h in plain]) or any(
            [json_equal(value, v) for h in self._listed for v in h.values]
        )

    def member(self, key: str) -> Guide | None:
        """Return the guide of a member of the object here, `None` when it has no place."""
        if key in self._members:
            return self._members[key]
        if not self.declares(key):
            bare = key.strip()
            return None if bare != key and self.declares(bare) else self._other()
        found: list[ir.Node] = []
        for head in self._heads:
            if type(head) is ir.Object:
                field = self._relations.fields(head).get(key)
                found += _other_nodes(head) if field is None else [field.node]
        return self._members.setdefault(key, self._of(found))

    def declares(self, key: str) -> bool:
        """Tell whether an alternative here declares a key."""
        return any([type(h) is ir.Object and key in self._relations.fields(h) for h in self._heads])

    def due(self) -> frozenset[str]:
        """Return the keys that every object here has."""
        due = [
            frozenset([f.key for f in h.fields if f.required])
            for h in self._heads
            if type(h) is ir.Object
        ]
        return frozenset[str]().union(*due[:1]).intersection(*due)

    def _other(self) -> Guide | None:
        """The guide of an undeclared member."""
        if not self._others:
            found = [n for h in self._heads if type(h) is ir.Object for n in _other_nodes(h)]
            is_any = any([type(h) is ir.Any for h in self._heads])
            self._others = (ANYTHING if is_any else self._of(found),)
        return self._others[0]

    def item(self, index: int) -> Guide | None:
        """Return the guide of an item of the array here, `None` when it has no place."""
        index = min(
            index, max([len(h.prefix) for h in self._heads if type(h) is ir.Tuple], default=0)
        )
        if index not in self._items:
            found: list[ir.Node] = []
            for head in self._heads:
                if type(head) is ir.List:
                    found.append(head.items)
                elif type(head) is ir.Tuple:
                    found.append(head.prefix[index] if index < len(head.prefix) else head.rest)
                elif type(head) is ir.Any:
                    return self._items.setdefault(index, ANYTHING)
            self._items[index] = self._of(found)
        return self._items[index]

    def _of(self, nodes: list[ir.Node]) -> Guide | None:
        heads = _heads(nodes, self._relations)
        return ANYTHING if heads is None else Guide(heads, self._relations) if heads else None


def _other_nodes(n: ir.Object) -> list[ir.Node]:
    """What undeclared members of an object may be."""
    return [*[pattern.node for pattern in n.patterns], n.extras]


def _heads(nodes: list[ir.Node], relations: Relations) -> tuple[ir.Node, ...] | None:
    """The alternatives behind references, refinements and unions; `None` when anything is one of them."""
    out: list[ir.Node] = []
    seen: set[str] = set()
    stack = nodes[::-1]
    while stack:
        n = stack.pop()
        if type(n) is ir.Ref:
            if n.name not in seen:
                seen.add(n.name)
                stack.append(relations.defs[n.name])
        elif type(n) is ir.Refine:
            stack.append(n.base)
        elif type(n) is ir.Union:
            stack.extend(n.options[::-1])
        elif type(n) is ir.Any:
            return None
        elif type(n) is not ir.Never:
            out.append(n)
    return tuple(out) if len(out) <= _MOST_HEADS else None


def guide_of(graph: ir.Graph) -> Guide:
    """Return the guide of the root of a schema."""
    relations = Relations(graph.defs)
    heads = _heads([graph.root], relations)
    return ANYTHING if heads is None else Guide(heads, relations)


ANYTHING = Guide((ir.Any(),), Relations({}))
"""The guide of a place that admits every value."""
