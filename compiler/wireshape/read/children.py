"""A node with other children: rebuilt by the constructors that keep the invariants, or the same object."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from wireshape import ir
from wireshape.read import build

if TYPE_CHECKING:
    from collections.abc import Callable

    from wireshape.read.build import Raw

    Change = Callable[[ir.Node], ir.Node]


def map_children(n: ir.Node, change: Change) -> ir.Node:
    """Change the children of a node; the same object when none changes."""
    if type(n) is ir.Object:
        return _object(n, change)
    if type(n) is ir.List:
        items = change(n.items)
        return n if items is n.items else build.array(replace(n, items=items))
    if type(n) is ir.Tuple:
        prefix = tuple([change(p) for p in n.prefix])
        rest = change(n.rest)
        if rest is n.rest and _same(prefix, n.prefix):
            return n
        return build.array(replace(n, prefix=prefix, rest=rest))
    if type(n) is ir.Union:
        return build.settled(_options(n, change))
    if type(n) is ir.Refine:
        base = change(n.base)
        assertions = tuple([_assertion(a, change) for a in n.assertions])
        if base is n.base and all([x is y for x, y in zip(assertions, n.assertions, strict=True)]):
            return n
        return build.settled(build.refine(base, assertions, n.ann, n.at))
    return n


def _same(a: tuple[ir.Node, ...], b: tuple[ir.Node, ...]) -> bool:
    return all([x is y for x, y in zip(a, b, strict=True)])


def _assertion(a: ir.Assertion, change: Change) -> ir.Assertion:
    nodes = tuple([change(node) for node in a.nodes])
    return a if _same(nodes, a.nodes) else replace(a, nodes=nodes)


def _options(n: ir.Union, change: Change) -> Raw:
    options = tuple([change(o) for o in n.options])
    if _same(options, n.options):
        return n
    if n.implied:
        return build.typeless(list(options), n.implied, n.ann, n.at)
    return (build.one_of if n.exclusive else build.union)(options, n.ann, n.at)


def _object(n: ir.Object, change: Change) -> ir.Node:
    fields: list[ir.Field] = []
    changed = False
    for field in n.fields:
        node = change(field.node)
        if node is field.node:
            fields.append(field)
        else:
            changed = True
            fields.append(ir.Field(field.key, node, field.required))
    extras = change(n.extras)
    patterns = tuple([ir.Pattern(p.regex, change(p.node)) for p in n.patterns])
    names = None if n.names is None else change(n.names)
    if any([p.node is not q.node for p, q in zip(patterns, n.patterns, strict=True)]):
        changed = True
    if not changed and extras is n.extras and names is n.names:
        return build.obj(n)
    return build.obj(
        replace(n, fields=tuple(fields), extras=extras, patterns=patterns, names=names)
    )
