"""Facts about the shape of the IR: children, equality of JSON values, copies with other annotations; no policy."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace

from wireshape import ir
from wireshape.ir import kind_of

LEAVES: frozenset[type] = frozenset(
    {ir.String, ir.Number, ir.Boolean, ir.Null, ir.Literal, ir.Any, ir.Never}
)
"""The kinds that hold no other node and refer to none."""

CONTAINERS: frozenset[type] = frozenset({ir.Object, ir.List, ir.Tuple})
"""The kinds whose values hold values."""


def children(n: ir.Node) -> list[ir.Node]:
    """List the direct children of a node."""
    if type(n) is ir.Object:
        nodes = [f.node for f in n.fields]
        if n.patterns:
            nodes += [p.node for p in n.patterns]
        nodes.append(n.extras)
        if n.names is not None:
            nodes.append(n.names)
        return nodes
    if type(n) is ir.List:
        return [n.items]
    if type(n) is ir.Union:
        return list(n.options)
    if type(n) is ir.Tuple:
        return [*n.prefix, n.rest]
    if type(n) is ir.Refine:
        return [n.base, *[part for a in n.assertions for part in a.nodes]]
    return []


def references(n: ir.Node, ends: Callable[[ir.Node], bool] | None = None) -> list[tuple[str, bool]]:
    """List every reference inside `n`, with whether an optional field lies on the way to it; none below a node that `ends` the way."""
    found: list[tuple[str, bool]] = []
    stack: list[tuple[ir.Node, bool]] = [(n, False)]
    while stack:
        at, optional = stack.pop()
        if ends is not None and ends(at):
            continue
        if type(at) is ir.Ref:
            found.append((at.name, optional))
        elif type(at) is ir.Object:
            for f in at.fields:
                if type(f.node) not in LEAVES:
                    stack.append((f.node, optional or not f.required))
            if type(at.extras) not in LEAVES or at.patterns or at.names is not None:
                others = children(at)[len(at.fields) :]
                stack.extend([(child, optional) for child in others])
        elif type(at) not in LEAVES:
            stack.extend([(child, optional) for child in children(at)])
    return found


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
        return ir.Object(
            n.fields, n.extras, n.open, n.patterns, n.names, *sizes, ann, n.at, n.listed
        )
    return replace(n, ann=ann)


def joined(outer: ir.Ann, inner: ir.Ann) -> ir.Ann:
    r"""Merge annotations: the outer one wins, but no description is lost, and none is said twice.

    >>> joined({"description": "here"}, {"description": "a city", "title": "City"})
    {'description': 'here\na city', 'title': 'City'}
    >>> joined({"description": "a city"}, {"description": "here\na city"})
    {'description': 'here\na city'}
    """
    if not outer or not inner or inner is outer:
        return outer or inner
    merged = {**inner, **outer}
    first, second = outer.get("description"), inner.get("description")
    if first and second and f"\n{second}\n" not in f"\n{first}\n":
        within = f"\n{first}\n" in f"\n{second}\n"
        merged["description"] = second if within else f"{first}\n{second}"
    return merged


def parts_first(edges: Mapping[str, Sequence[str]]) -> list[str]:
    """List definitions after those that they refer to, save for cycles; nothing recurses.

    >>> parts_first({"a": ["b", "c"], "b": [], "c": ["b", "a"]})
    ['b', 'c', 'a']
    """
    order: list[str] = []
    seen: set[str] = set()
    for start in edges:
        stack = [(start, False)]
        while stack:
            name, entered = stack.pop()
            if entered:
                order.append(name)
            elif name not in seen and name in edges:
                seen.add(name)
                stack.append((name, True))
                stack.extend([(to, False) for to in edges[name]])
    return order


def is_plain_text(n: ir.String) -> bool:
    """Whether any text is allowed."""
    return not (n.patterns or n.formats or n.min_length) and n.max_length is None


def is_unbounded(n: ir.Number) -> bool:
    """Whether any number is allowed, or any integer."""
    return (
        n.minimum is None
        and n.maximum is None
        and n.exclusive_minimum is None
        and n.exclusive_maximum is None
        and n.multiple_of is None
    )


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


def json_key(value: ir.Json) -> Hashable:
    """Return a hashable that is equal for equal JSON values: 1 and 1.0 are, 1 and true are not.

    >>> json_key([1]) == json_key([1.0]), json_key(True) == json_key(1)
    (True, False)
    """
    if type(value) is str:
        return value
    kind = kind_of(value)
    if value is None or kind is bool:
        return ("constant", str(value))
    if kind is list:
        return ("array", tuple([json_key(v) for v in value]))
    if kind is dict:
        return ("object", frozenset([(k, json_key(v)) for k, v in value.items()]))
    return ("number", value)


def distinct(nodes: Iterable[ir.Node]) -> list[ir.Node]:
    """Leave out the nodes that equal an earlier one.

    >>> [type(n).__name__ for n in distinct([ir.Null(), ir.String(), ir.Null()])]
    ['Null', 'String']
    """
    every = list(nodes)
    if len({type(n) for n in every}) == len(every):
        return every
    if len({_outline(n, 1) for n in every}) == len(every):  # a glance tells most apart
        return every
    kept: list[ir.Node] = []
    table: dict[Hashable, list[ir.Node]] = {}
    for n in every:
        alike = table.setdefault(_outline(n, _DEEP), [])
        if n not in alike:
            alike.append(n)
            kept.append(n)
    return kept


_DEEP = 3


def _outline(n: ir.Node, deep: int) -> Hashable:
    """A part of what a node says: equal for equal nodes, different for most others."""
    said = (n.ann or {}).get("description")
    ann = said if type(said) is str else bool(n.ann)
    if type(n) is ir.String:
        return (ann, n.min_length, n.max_length, n.patterns, n.formats)
    if type(n) is ir.Literal:
        return (ann, "enum", tuple([v for v in n.values if type(v) is str or type(v) is int]))
    if type(n) is ir.Number:
        bounds = n.minimum, n.maximum, n.exclusive_minimum, n.exclusive_maximum
        return (ann, n.integer, n.multiple_of, *bounds)
    if type(n) is ir.Ref:
        return (ann, "ref", n.name)
    if deep == 0:
        return (ann, type(n))
    if type(n) is ir.Object:
        fields = [(f.key, f.required, _outline(f.node, deep - 1)) for f in n.fields]
        others = [(p.regex, _outline(p.node, deep - 1)) for p in n.patterns]
        rest = _outline(n.extras, deep - 1), n.min_properties, n.max_properties
        return (ann, tuple(fields), tuple(others), rest)
    parts = tuple([_outline(child, deep - 1) for child in children(n)])
    if type(n) is ir.List or type(n) is ir.Tuple:
        return (ann, parts, n.min_items, n.max_items)
    return (ann, type(n), parts)


def spoken_of(n: ir.Union) -> tuple[ir.Node, ...]:
    """The options of a union without a type, of which its keywords speak.

    >>> [option] = spoken_of(ir.Union(tuple([ir.String()] * 6), implied=("string",)))
    >>> type(option).__name__
    'String'
    """
    return tuple([o for kind, o in zip(ir.KINDS, n.options, strict=True) if kind in n.implied])
