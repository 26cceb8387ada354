"""Definitions made by reading that say the same as another become that one, so that reading what was made adds nothing.

A_and_B = {next: A_and_B_and_B}, A_and_B_and_B = {next: A_and_B_and_B}  ->  A_and_B = {next: A_and_B}

All that look alike are taken for one, and told apart while they differ under that assumption; what is left is equal,
however the definitions refer to one another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wireshape import ir
from wireshape.read.children import map_children
from wireshape.walk import LEAVES, children

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping
    from collections.abc import Set as AbstractSet

MOST = 256
"""Definitions that are compared with one another."""
LARGEST = 200
"""Nodes of a definition that is compared."""
ROUNDS = 16
"""Rounds of telling them apart."""


def united(
    root: ir.Node, defs: dict[str, ir.Node], made: AbstractSet[str]
) -> tuple[ir.Node, dict[str, ir.Node]]:
    """Let one definition stand for all that equal it; one that was not `made` on the way, if there is one."""
    looks: dict[Hashable, list[str]] = {}
    if len(made) > MOST:
        return root, defs
    for name in sorted([n for n in defs if _is_small(defs[n])], key=made.__contains__):
        looks.setdefault(_look(defs[name]), []).append(name)
    groups = [names for names in looks.values() if len(names) > 1 and not made.isdisjoint(names)]
    count, rounds = 0, ROUNDS
    while count != len(groups):
        if rounds == 0 or sum([len(names) for names in groups]) > MOST:
            return root, defs
        count, rounds = len(groups), rounds - 1
        chief = {name: names[0] for names in groups for name in names}
        groups = [part for names in groups for part in _parted(names, defs, chief)]
    chief = {name: names[0] for names in groups for name in names if name in made}
    if all([name == to for name, to in chief.items()]):
        return root, defs
    renamed = _renaming(chief)
    kept = {name: node for name, node in defs.items() if chief.get(name, name) == name}
    return renamed(root), {name: renamed(node) for name, node in kept.items()}


def _is_small(n: ir.Node) -> bool:
    """Whether few nodes are written out in a definition."""
    stack = [n]
    for _ in range(LARGEST):
        if not stack:
            return True
        stack += children(stack.pop())
    return not stack


def _look(n: ir.Node) -> Hashable:
    """What is seen of a node without following references; equal for equal nodes."""
    said = (n.ann or {}).get("description")
    keys = tuple([(f.key, f.required) for f in n.fields]) if type(n) is ir.Object else ()
    values = repr(n.values) if type(n) is ir.Literal else ""
    return (type(n), str(said), keys, values, tuple([type(child) for child in children(n)]))


def _parted(
    names: list[str], defs: Mapping[str, ir.Node], chief: Mapping[str, str]
) -> list[list[str]]:
    """Those that equal each other if all that `chief` takes for one are one."""
    parts: list[tuple[ir.Node, list[str]]] = []
    renamed = _renaming(chief)
    for name in names:
        node = renamed(defs[name])
        alike = next((part for other, part in parts if other == node), None)
        if alike is None:
            parts.append((node, [name]))
        else:
            alike.append(name)
    return [part for _, part in parts]


def _renaming(chief: Mapping[str, str]) -> Callable[[ir.Node], ir.Node]:
    """Rename references; a node that several places share is renamed once, and stays shared."""
    known: dict[
        int, tuple[ir.Node, ir.Node]
    ] = {}  # by identity; holds the node, so that none takes its place

    def renamed(n: ir.Node) -> ir.Node:
        if type(n) is ir.Ref:
            name = chief.get(n.name, n.name)
            return n if name == n.name else ir.Ref(name, n.ann, n.at)
        if type(n) in LEAVES:
            return n
        if id(n) not in known:
            known[id(n)] = n, map_children(n, renamed)
        return known[id(n)][1]

    return renamed
