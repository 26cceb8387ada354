"""Merged nodes that several places share become definitions, so that writing the graph out stays linear in its parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wireshape import ir
from wireshape.read.children import map_children
from wireshape.walk import children

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
        id(node): claim(_hint(node)) for node in reversed(order) if id(node) in chosen
    }
    done: dict[int, ir.Node] = {}

    def change(node: ir.Node) -> ir.Node:
        name = names.get(id(node))
        return done.get(id(node), node) if name is None else ir.Ref(name, None, node.at)

    out: dict[str, ir.Node] = {}
    for node in order:
        done[id(node)] = made = map_children(node, change)
        if id(node) in names:
            out[names[id(node)]] = made
    return done[id(root)], {name: done[id(node)] for name, node in defs.items()} | out


def _count(tops: list[ir.Node]) -> tuple[list[ir.Node], dict[int, int]]:
    """Every node once, children before parents, and from how many places each is used."""
    uses: dict[int, int] = {}
    order: list[ir.Node] = []
    seen: set[int] = set()
    stack: list[tuple[ir.Node, bool]] = [(top, False) for top in reversed(tops)]
    while stack:
        node, left = stack.pop()
        if left:
            order.append(node)
        elif id(node) not in seen:
            seen.add(id(node))
            stack.append((node, True))
            for child in children(node):
                uses[id(child)] = uses.get(id(child), 0) + 1
                if id(child) not in seen:
                    stack.append((child, False))
    return order, uses


def _heavy(order: list[ir.Node], uses: dict[int, int], tops: set[int]) -> set[int]:
    """The shared nodes that hold more than a few others; what is named already weighs no more."""
    chosen: set[int] = set()
    weight: dict[int, int] = {}
    for node in order:
        below = sum([weight.get(id(child), 1) for child in children(node)], 1)
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
