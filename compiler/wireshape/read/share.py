"""Merged nodes that several places share become definitions, so that writing the graph out stays linear in its parts."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from wireshape import ir
from wireshape.read.children import map_children
from wireshape.walk import LEAVES, children

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

LIGHT = 12
"""Nodes below a shared node, up to which it is written out at every place."""


def hoist(
    root: ir.Node, defs: Mapping[str, ir.Node], claim: Callable[[str], str]
) -> tuple[ir.Node, Mapping[str, ir.Node]]:
    """Name the nodes that several places share."""
    order, uses = _count([root, *defs.values()])
    tops = {id(node) for node in (root, *defs.values())}
    chosen = _heavy(order, uses, tops)
    if not chosen:
        return root, defs
    names: dict[int, str] = {
        id(node): claim(_hint(node)) for node, _, _ in reversed(order) if id(node) in chosen
    }
    done: dict[int, ir.Node] = {}

    def change(node: ir.Node) -> ir.Node:
        name = names.get(id(node))
        return done.get(id(node), node) if name is None else ir.Ref(name, None, node.at)

    out: dict[str, ir.Node] = {}
    for node, _, _ in order:
        done[id(node)] = made = map_children(node, change)
        if id(node) in names:
            out[names[id(node)]] = made
    return done[id(root)], {name: done[id(node)] for name, node in defs.items()} | out


_Counted: TypeAlias = "tuple[ir.Node, list[ir.Node], int]"
"""A node, what weighs in it, and how many others lie in it, which are never shared: they weigh one each."""


def _count(tops: list[ir.Node]) -> tuple[list[_Counted], dict[int, int]]:
    """Every node once, what is in it before it, and from how many places each is used."""
    uses: dict[int, int] = {}
    order: list[_Counted] = []
    seen: set[int] = set()
    stack: list[_Counted | ir.Node] = [*reversed(tops)]
    while stack:
        node = stack.pop()
        if isinstance(node, tuple):
            order.append(node)
        elif id(node) not in seen:
            seen.add(id(node))
            every = children(node)
            heavy = [child for child in every if type(child) not in _LIGHT]
            stack.append((node, heavy, len(every) - len(heavy)))
            for child in heavy:
                uses[id(child)] = uses.get(id(child), 0) + 1
                if id(child) not in seen:
                    stack.append(child)
    return order, uses


_LIGHT = LEAVES - {ir.Literal}


def _heavy(order: list[_Counted], uses: dict[int, int], tops: set[int]) -> set[int]:
    """The shared nodes that hold more than a few others; what is named already weighs no more."""
    chosen: set[int] = set()
    weight: dict[int, int] = {}
    for node, heavy, others in order:
        below = 1 + others + sum([weight.get(id(child), 1) for child in heavy])
        if type(node) is ir.Literal:
            below = len(node.values)
        if (
            below > LIGHT
            and uses.get(id(node), 0) > 1
            and id(node) not in tops
            and type(node) is not ir.Ref
        ):
            chosen.add(id(node))
            below = 1
        weight[id(node)] = below
    return chosen


def _hint(node: ir.Node) -> str:
    at = node.at
    while at is not None and (
        type(at[1]) is int or at[1] in {"allOf", "anyOf", "oneOf", "items", "properties"}
    ):
        at = at[0]
    return "shared" if at is None else str(at[1])
