"""Facts about the shape of the IR: children, equality of JSON values, copies with other annotations; no policy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from wireshape import ir
from wireshape.ir import kind_of


def children(n: ir.Node) -> Iterator[tuple[ir.Node, bool]]:
    """Yield each direct child with whether a value may leave it out (an optional field)."""
    if type(n) is ir.Object:
        for f in n.fields:
            yield f.node, not f.required
        for p in n.patterns:
            yield p.node, False
        yield n.extras, False
        if n.names is not None:
            yield n.names, False
    elif type(n) is ir.List:
        yield n.items, False
    elif type(n) is ir.Union:
        for option in n.options:
            yield option, False
    elif type(n) is ir.Tuple:
        for item in n.prefix:
            yield item, False
        yield n.rest, False
    elif type(n) is ir.Refine:
        yield n.base, False
        for a in n.assertions:
            for part in a.nodes:
                yield part, False


def references(n: ir.Node) -> Iterator[tuple[str, bool]]:
    """Yield every reference inside `n`, with whether an optional field lies on the way to it."""
    stack: list[tuple[ir.Node, bool]] = [(n, False)]
    while stack:
        at, optional = stack.pop()
        if type(at) is ir.Ref:
            yield at.name, optional
        else:
            stack.extend([(child, optional or o) for child, o in children(at)])


def with_ann(n: ir.Node, ann: ir.Ann) -> ir.Node:
    """Return the node with other annotations; the same object when nothing changes."""
    if n.ann is ann:
        return n
    if type(n) is ir.String:
        return ir.String(n.min_length, n.max_length, n.patterns, n.formats, ann, n.at)
    if type(n) is ir.Ref:
        return ir.Ref(n.name, ann, n.at)
    if type(n) is ir.List:
        return ir.List(n.items, n.min_items, n.max_items, n.unique, ann, n.at)
    if type(n) is ir.Boolean:
        return ir.Boolean(ann, n.at)
    if type(n) is ir.Literal:
        return ir.Literal(n.values, ann, n.at)
    if type(n) is ir.Number:
        low, high, above, below = n.minimum, n.maximum, n.exclusive_minimum, n.exclusive_maximum
        return ir.Number(n.integer, low, high, above, below, n.multiple_of, ann, n.at)
    if type(n) is ir.Union:
        return ir.Union(n.options, n.exclusive, n.implied, ann, n.at)
    if type(n) is ir.Object:
        sizes = n.min_properties, n.max_properties
        return ir.Object(n.fields, n.extras, n.open, n.patterns, n.names, *sizes, ann, n.at)
    return replace(n, ann=ann)


def is_closed(n: ir.Object) -> bool:
    """Whether no undeclared key is allowed."""
    return type(n.extras) is ir.Never and not n.patterns


def json_equal(a: ir.Json, b: ir.Json) -> bool:
    """Compare as JSON: 1 equals 1.0, true differs from 1.

    >>> json_equal([1], [1.0]), json_equal(True, 1)
    (True, False)
    """
    kind, other = kind_of(a), kind_of(b)
    if kind is bool or other is bool:
        return a is b
    if kind is dict:
        return (
            other is dict
            and a.keys() == b.keys()
            and all([json_equal(v, b[k]) for k, v in a.items()])
        )
    if kind is list:
        return (
            other is list
            and len(a) == len(b)
            and all([json_equal(x, y) for x, y in zip(a, b, strict=True)])
        )
    return bool(a == b)
