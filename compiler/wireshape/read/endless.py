"""Finds the definitions that no finite value satisfies, since each such value would hold another one; it changes none.

A = {next: A}, next required  ->  A        A = {next: A}, next optional  ->  nothing
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wireshape import ir
from wireshape.walk import LEAVES, parts_first, references, spoken_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def endless(defs: Mapping[str, ir.Node], *, typed: bool = False, closed: bool = False) -> list[str]:
    """Name the definitions of which every value would hold others without an end.

    With `typed` a schema without type counts for the types that its keywords speak about, with `closed` open objects have
    no undeclared keys.

    >>> again = ir.Object((ir.Field("next", ir.Ref("A"), required=True),), ir.Any())
    >>> endless({"A": again, "B": ir.List(ir.Ref("A"), 1), "C": ir.List(ir.Ref("A"))})
    ['A', 'B']
    """
    run = _Ends(defs, typed=typed, closed=closed)
    left = [name for name in reversed(list(defs)) if not run.settles(name)]
    if not left:
        return []
    users: dict[str, list[str]] = {}
    needs: dict[str, list[str]] = {}
    for name in left:
        found = references(defs[name])
        needs[name] = [to for to, is_optional in found if not is_optional]
        for to in {to: None for to, _ in found}:
            users.setdefault(to, []).append(name)
    queue = [
        name for name in parts_first(needs) if run.settles(name)
    ]  # so that most settle at once
    while queue:
        queue += [name for name in users.get(queue.pop(), ()) if run.settles(name)]
    return [name for name in defs if name not in run.ended]


class _Ends:
    """What is known so far: a definition is `ended` when some value of it needs only what has an end."""

    __slots__ = ("_closed", "_defs", "_known", "_typed", "ended")

    def __init__(self, defs: Mapping[str, ir.Node], *, typed: bool, closed: bool) -> None:
        self._defs = defs
        self._typed = typed
        self._closed = closed
        self._known: dict[int, bool] = {}
        self.ended: set[str] = set()

    def settles(self, name: str) -> bool:
        """Whether a definition is found to have an end now, and was not before."""
        self._known.clear()
        if name in self.ended or not self._has(self._defs[name]):
            return False
        self.ended.add(name)
        return True

    def _has(self, n: ir.Node) -> bool:
        if type(n) in LEAVES:
            return type(n) is not ir.Never
        if type(n) is ir.Ref:
            return n.name in self.ended
        found = self._known.get(id(n))
        if found is None:
            found = self._known[id(n)] = self._holds(n)
        return found

    def _every(self, nodes: Sequence[ir.Node]) -> bool:
        return all([self._has(one) for one in nodes])

    def _holds(self, n: ir.Node) -> bool:
        """Whether all that a value has to hold has an end."""
        if type(n) is ir.Object:
            needed = [f.node for f in n.fields if f.required and type(f.node) not in LEAVES]
            return self._every(needed) and (not n.min_properties or self._fills(n))
        if type(n) is ir.Union:
            options = spoken_of(n) if n.implied and self._typed else n.options
            return any([self._has(one) for one in options])
        if type(n) is ir.List:
            return not n.min_items or self._has(n.items)
        if type(n) is ir.Tuple:
            rest = (n.rest,) if n.min_items > len(n.prefix) else ()
            return self._every((*n.prefix[: n.min_items], *rest))
        if type(n) is ir.Refine:
            parts = [one for a in n.assertions if a.keyword == "allOf" for one in a.nodes]
            return self._every((n.base, *parts))
        return True

    def _fills(self, n: ir.Object) -> bool:
        """Whether as many keys as the object must have can hold something."""
        others = [p.node for p in n.patterns]
        if not (self._closed and n.open):
            others.append(n.extras)
        if any([self._has(one) for one in others]):
            return True
        return len([f for f in n.fields if self._has(f.node)]) >= n.min_properties
