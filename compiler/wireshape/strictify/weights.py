"""Weighs wire nodes: how many JSON values they spell at most, as the reader counts them; it writes nothing.

List(String)  ->  8     {"type": "array", "items": {"type": "string"}}: two objects and three members, which is 5
"""

from __future__ import annotations

from typing import TypeAlias

from wireshape import ir
from wireshape.ir import kind_of
from wireshape.walk import children

Weights: TypeAlias = dict[int, tuple[ir.Node, int]]
"""Nodes by identity, with what they weigh; it keeps them alive, so that no other one gets the identity."""

_BARE = 4  # a schema of two keywords, in a list or under a key
_FIELD = 1  # its name in `required`


def weight(n: ir.Node, known: Weights) -> int:
    """Count the values that a node spells at most, with all that is written out in it.

    >>> weight(ir.List(ir.Literal(("a", "b"))), {})
    12
    """
    found = known.get(id(n))
    if found is not None:
        return found[1]
    total = _BARE + (_values(list(n.ann.values())) if n.ann else 0)
    if type(n) is ir.Literal:
        total += _values(list(n.values)) + 1
    elif type(n) is ir.Object:
        total += _FIELD * len(n.fields) + _BARE
    for inner in children(n):
        total += weight(inner, known)
    known[id(n)] = n, total
    return total


def _values(value: ir.Json) -> int:
    """The values inside a value: a container counts as one, and each of its members."""
    count = 0
    stack = [value]
    while stack:
        at = stack.pop()
        if kind_of(at) is dict:
            count += len(at) + 1
            stack.extend(at.values())
        elif kind_of(at) is list:
            count += len(at) + 1
            stack.extend(at)
    return count
