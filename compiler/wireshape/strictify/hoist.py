"""Hoisting: parts of a wire graph that lie deeper than a limit counts in one definition become definitions of their own.

{a: {b: {c: {}}}}, two levels a definition  ->  {a: {$ref: b}}, b = {b: {c: {}}}     WS243

Only the wire graph changes: a reference means what it points to, so the steps stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from wireshape import ir
from wireshape.grant import Excess
from wireshape.strictify.context import Pending
from wireshape.walk import CONTAINERS, LEAVES

_STEM = 40


class _Hoist:
    def __init__(self, most: int, why: Excess, taken: set[str]) -> None:
        self.most = most
        self.why = why
        self.taken = taken
        self.defs: dict[str, ir.Node] = {}
        self.notes: list[Pending] = []
        self.moved: dict[
            int, tuple[ir.Node, ir.Node]
        ] = {}  # by identity: what it was and what it became

    def level(self, n: ir.Node, key: str) -> tuple[ir.Node, int]:
        """The node with what is too deep hoisted, and the containers that are left in it."""
        if type(n) in LEAVES or type(n) is ir.Ref:
            return n, 0
        own = type(n) in CONTAINERS
        new, depth = self._parts(n, key, self.most - own)
        if new is not n:
            self.moved[id(n)] = (n, new)
        return new, depth + own

    def _parts(self, n: ir.Node, key: str, most: int) -> tuple[ir.Node, int]:
        deepest = 0

        def at(part: ir.Node, name: str) -> ir.Node:
            nonlocal deepest
            new, depth = self.level(part, name)
            if depth > most:
                return self._out(new, name)
            deepest = max(deepest, depth)
            return new

        if type(n) is ir.Object:
            return self._object(n, key, at), deepest
        if type(n) is ir.List:
            items = at(n.items, key)
            new: ir.Node = n if items is n.items else replace(n, items=items)
        elif type(n) is ir.Union:
            options = tuple([at(o, key) for o in n.options])
            new = n if _same(options, n.options) else replace(n, options=options)
        elif type(n) is ir.Tuple:
            prefix, rest = tuple([at(p, key) for p in n.prefix]), at(n.rest, key)
            same = rest is n.rest and _same(prefix, n.prefix)
            new = n if same else replace(n, prefix=prefix, rest=rest)
        elif type(n) is ir.Refine:
            base = at(n.base, key)
            new = n if base is n.base else replace(n, base=base)
        else:
            new = n
        return new, deepest

    def _object(self, n: ir.Object, key: str, at: Callable[[ir.Node, str], ir.Node]) -> ir.Object:
        nodes = tuple([at(f.node, f.key) for f in n.fields])
        bound = tuple([at(p.node, key) for p in n.patterns])
        extras = at(n.extras, key)
        old = tuple([f.node for f in n.fields]), tuple([p.node for p in n.patterns])
        if extras is n.extras and _same(nodes, old[0]) and _same(bound, old[1]):
            return n
        fields = [ir.Field(f.key, new, f.required) for f, new in zip(n.fields, nodes, strict=True)]
        patterns = [ir.Pattern(p.regex, new) for p, new in zip(n.patterns, bound, strict=True)]
        return replace(n, fields=tuple(fields), patterns=tuple(patterns), extras=extras)

    def _out(self, n: ir.Node, key: str) -> ir.Node:
        stem = re.sub(r"[^A-Za-z0-9_]+", "_", key).strip("_")[:_STEM] or "part"
        name, i = stem, 2
        while name in self.taken:
            name, i = f"{stem}_{i}", i + 1
        self.taken.add(name)
        self.defs[name] = n
        self.notes.append(Pending("WS243", "", n.at, {"value": name, **self.why.fields()}, n))
        return ir.Ref(name, at=n.at)


def _same(new: tuple[ir.Node, ...], old: tuple[ir.Node, ...]) -> bool:
    return all([a is b for a, b in zip(new, old, strict=True)])


def hoist(
    graph: ir.Graph, notes: tuple[Pending, ...], why: Excess
) -> tuple[ir.Graph, tuple[Pending, ...]]:
    """Return the graph with no definition of more levels than may be, and the notes with those of what was hoisted.

    >>> deep = ir.List(ir.List(ir.List(ir.Null())))
    >>> graph, _ = hoist(ir.Graph(deep, {}), (), Excess("depth", "the nesting", 3, 2))
    >>> list(graph.defs)
    ['part']
    """
    work = _Hoist(why.levels or why.limit, why, set(graph.defs))
    root, _ = work.level(graph.root, "")
    defs: Mapping[str, ir.Node] = {name: work.level(n, name)[0] for name, n in graph.defs.items()}
    known = [_moved(note, work) for note in notes]
    return ir.Graph(root, {**defs, **work.defs}), (*known, *work.notes)


def _moved(note: Pending, work: _Hoist) -> Pending:
    """The note about what a node became."""
    found = work.moved.get(id(note.node))
    return note if found is None else replace(note, node=found[1])
