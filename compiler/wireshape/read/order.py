"""Lists definitions in the order in which they are first reached, which is that of a depth-first walk; it changes none.

A node that two definitions share may lead to itself: what it refers to leads to the other one. Whoever skips what was
seen before comes out there in another order than a graph without sharing, so that one is taken for both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wireshape import ir
from wireshape.walk import LEAVES, children

if TYPE_CHECKING:
    from collections.abc import Mapping


def ordered(root: ir.Node, defs: Mapping[str, ir.Node]) -> dict[str, ir.Node]:
    """List the definitions that are reached, in the order that equal graphs have.

    What several definitions share is walked for each of them.

    >>> both = ir.Tuple((ir.Ref("A"), ir.Ref("B")), ir.Never())
    >>> defs = {"B": ir.Null(), "A": ir.Tuple((both,), ir.Ref("C")), "C": ir.Null()}
    >>> list(ordered(both, defs))
    ['A', 'B', 'C']
    """
    found: dict[str, ir.Node] = {}
    left = _names(root, {}, 1)
    while left:
        name = left.pop()
        if name not in found:
            found[name] = defs[name]
            left += _names(defs[name], {}, 1)
    return found


def reached(
    root: ir.Node, defs: Mapping[str, ir.Node], count: dict[str, int] | None = None
) -> dict[str, ir.Node]:
    """List the definitions that are reached, in an order that sharing may change, with no more work than there are nodes.

    `count` is filled with the references to each; what two places share counts as often, up to two.
    """
    found: dict[str, ir.Node] = {}
    seen: dict[int, int] = {}
    most = 1 if count is None else 2
    left = _names(root, seen, most)
    while left:
        name = left.pop()
        if count is not None:
            count[name] = count.get(name, 0) + 1
        if name not in found:
            found[name] = defs[name]
            left += _names(defs[name], seen, most)
    return found


def _names(top: ir.Node, seen: dict[int, int], most: int) -> list[str]:
    """List the names that a node refers to, the first one last; nodes that were `seen` as often as `most` are left out."""
    names: list[str] = []
    stack = [top]
    while stack:
        n = stack.pop()
        if type(n) is ir.Ref:
            names.append(n.name)
            continue
        if type(n) in LEAVES:
            continue
        times = seen.get(id(n), 0)
        if times == most:
            continue
        seen[id(n)] = times + 1
        if type(n) is ir.Object:
            if type(n.extras) not in LEAVES or n.patterns or n.names is not None:
                stack.extend(reversed(children(n)[len(n.fields) :]))
            stack.extend([f.node for f in reversed(n.fields) if type(f.node) not in LEAVES])
        elif type(n) is ir.List:
            stack.append(n.items)
        else:
            stack.extend(reversed(children(n)))
    names.reverse()
    return names
