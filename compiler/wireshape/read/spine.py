"""Reference cycles with no value in between: harmless ones are cut by least fixpoint, the others are errors."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from wireshape import ir
from wireshape.read import build
from wireshape.read.build import And
from wireshape.read.scope import cyclic

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wireshape.read.build import Raw

_IN_PLACE = frozenset({"not", "if", "anyOf", "oneOf", "allOf", "dependentSchemas"})


def cut_cycles(defs: dict[str, Raw]) -> bool:
    """Cut self-references in place: an alternative that is the definition itself adds nothing, nor does such a conjunct.

    Tells whether there were any.
    """
    edges = {
        name: dict.fromkeys(_spine(node))
        for name, node in defs.items()
        if type(node) in _TRANSPARENT
    }
    found = False
    for name in list(edges):
        if name in edges[name]:
            found = True
            edges[name].pop(name)
            cut = _cut(defs[name], name, inside_union=False)
            if type(cut) is ir.Ref and cut.name == name:
                raise cyclic(name, cut.at, "a definition that is only itself")
            defs[name] = cut
    _reject(edges, defs)
    return found


def _reject(edges: dict[str, dict[str, None]], defs: dict[str, Raw]) -> None:
    done: set[str] = set()
    for start, onward in edges.items():
        if start in done:
            continue
        path: dict[str, Iterator[str]] = {start: iter(onward)}
        while path:
            name = next(reversed(path))
            following = next(path[name], None)
            if following is None:
                path.pop(name)
                done.add(name)
            elif following in path:
                names = list(path)
                round_trip = " -> ".join([*names[names.index(following) :], following])
                raise cyclic(following, defs[following].at, round_trip[:200])
            elif following in edges and following not in done:
                path[following] = iter(edges[following])


def _spine(node: Raw) -> Iterator[str]:
    """Yield the definitions that speak about the same value as the node does."""
    stack: list[Raw] = [node]
    while stack:
        one = stack.pop()
        if type(one) is ir.Ref:
            yield one.name
        elif type(one) is And:
            stack.extend(one.parts)
        elif type(one) is ir.Union:
            stack.extend(one.options)
        elif type(one) is ir.Refine:
            stack.append(one.base)
            for assertion in one.assertions:
                stack.extend(_in_place(assertion))


def _in_place(assertion: ir.Assertion) -> tuple[ir.Node, ...]:
    """The schemas of an assertion that speak about the very same value."""
    if assertion.keyword.startswith("unevaluated"):
        return assertion.nodes[1:]
    return assertion.nodes if assertion.keyword in _IN_PLACE else ()


def _cut(node: Raw, name: str, *, inside_union: bool) -> Raw:
    if type(node) is ir.Ref and node.name == name and inside_union:
        return ir.Never("the alternative is the definition itself", None, node.at)
    if type(node) is And:
        kept = [p for p in node.parts if inside_union or not (type(p) is ir.Ref and p.name == name)]
        return replace(node, parts=tuple([_cut(p, name, inside_union=inside_union) for p in kept]))
    if type(node) is ir.Union:
        if node.exclusive and name in list(_spine(node)):
            raise cyclic(name, node.at, "inside `oneOf`")
        options = [_cut(o, name, inside_union=True) for o in node.options]
        made = (
            build.one_of(options, node.ann, node.at)
            if node.exclusive
            else build.union(options, node.ann, node.at)
        )
        return node if node.implied else made
    if type(node) is ir.Refine:
        if any([name in list(_spine(n)) for a in node.assertions for n in _in_place(a)]):
            raise cyclic(name, node.at, "inside an assertion about the same value")
        base = _cut(node.base, name, inside_union=inside_union)
        if type(base) is ir.Ref and base.name == name:
            base = build.ANY
        return build.refine(base, node.assertions, node.ann, node.at)
    return node


_TRANSPARENT = frozenset({ir.Ref, And, ir.Union, ir.Refine})
