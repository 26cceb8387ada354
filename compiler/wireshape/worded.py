"""A graph as a model is told it: every bound and rule in the words of a description, and only what shapes an answer left.

    String(min_length=3, ann={description: "A name"})   ->   String(ann={description: "A name (at least 3 characters)"})

What validates an answer is the graph itself: the result takes every value that the graph takes, and more, save that of a
schema without a type only what it speaks of is shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from wireshape import ir
from wireshape.strictify.describe import assertion, join, phrase, quoted
from wireshape.walk import LEAVES, spoken_of, with_ann

_TOLD = ("deprecated", "contentEncoding", "contentMediaType", "format")


def worded(graph: ir.Graph) -> ir.Graph:
    """Return the graph with its rules in words.

    >>> worded(ir.Graph(ir.Number(integer=True, minimum=1), {})).root.ann
    {'description': 'at least 1'}
    """
    defs = {name: _node(n, graph.defs) for name, n in graph.defs.items()}
    return ir.Graph(_node(graph.root, graph.defs), defs)


def _node(n: ir.Node, defs: Mapping[str, ir.Node]) -> ir.Node:
    bare, told = _bare(n, defs)
    return with_ann(bare, _texts(n.ann, told))


def _texts(ann: ir.Ann, told: list[str]) -> ir.Ann:
    """What is left of annotations: one description with all that is told in it, and the default."""
    said = ann or {}
    examples = [phrase("examples", e) for e in said.get("examples", ())[:1]] if ann else []
    told = told + [phrase(word, said[word]) for word in _TOLD if said.get(word)] + examples
    author = said.get("description", said.get("title"))
    text = join(author if type(author) is str else None, told)
    made = {"description": text} if text else {}
    if "default" in said:
        made["default"] = said["default"]
    return made or None


def _bare(n: ir.Node, defs: Mapping[str, ir.Node]) -> tuple[ir.Node, list[str]]:
    """The node without its rules, and the words for them."""
    if type(n) is ir.String:
        told = _between(n.min_length, n.max_length, "Length")
        told += [phrase("pattern", p) for p in n.patterns]
        return ir.String(), told + [phrase("format", f) for f in n.formats]
    if type(n) is ir.Number:
        return ir.Number(n.integer), _bounds(n)
    if type(n) is ir.Object:
        return _object(n, defs)
    if type(n) is ir.List:
        told = _between(n.min_items, n.max_items, "Items")
        told += [phrase("uniqueItems")] if n.unique else []
        items, of_items = _inward(n.items, defs, "each item")
        return ir.List(items), told + of_items
    if type(n) is ir.Tuple:
        count = len(n.prefix)
        rest: ir.Node = ir.Never("no further entries are allowed")
        if type(n.rest) is not ir.Never and (n.max_items is None or n.max_items > count):
            rest = _node(n.rest, defs)
        least = min(n.min_items, count)
        told = _between(n.min_items if n.min_items > count else 0, n.max_items, "Items")
        told = told if type(rest) is not ir.Never else []
        told += [phrase("uniqueItems")] if n.unique else []
        return ir.Tuple(tuple([_node(p, defs) for p in n.prefix]), rest, least), told
    if type(n) is ir.Union:
        return _union(n, defs)
    if type(n) is ir.Refine:
        base, told = _outward(n.base, defs)
        return base, told + [assertion(a, defs) for a in n.assertions]
    if (
        type(n) is ir.Literal
        or type(n) is ir.Boolean
        or type(n) is ir.Null
        or type(n) is ir.Any
        or type(n) is ir.Never
        or type(n) is ir.Ref
    ):
        return with_ann(n, None), []
    assert_never(n)


def _between(least: int, most: int | None, what: str) -> list[str]:
    told = [phrase(f"min{what}", least)] if least else []
    return told if most is None else [*told, phrase(f"max{what}", most)]


def _bounds(n: ir.Number) -> list[str]:
    said = (
        ("minimum", n.minimum),
        ("exclusiveMinimum", n.exclusive_minimum),
        ("maximum", n.maximum),
        ("exclusiveMaximum", n.exclusive_maximum),
        ("multipleOf", n.multiple_of),
    )
    return [phrase(word, bound) for word, bound in said if bound is not None]


def _outward(n: ir.Node, defs: Mapping[str, ir.Node]) -> tuple[ir.Node, list[str]]:
    """What stands for the node around it, whose words are then those of both."""
    made = _node(n, defs)
    text = (made.ann or {}).get("description")
    return with_ann(made, None), [text] if text else []


def _inward(n: ir.Node, defs: Mapping[str, ir.Node], what: str) -> tuple[ir.Node, list[str]]:
    """A part that has no line of its own: the words about a plain one go outward."""
    made = _node(n, defs)
    if type(made) not in LEAVES and type(made) is not ir.Ref:
        return made, []
    text = (made.ann or {}).get("description")
    return with_ann(made, None), [f"{what}: {text}"] if text else []


def _object(n: ir.Object, defs: Mapping[str, ir.Node]) -> tuple[ir.Node, list[str]]:
    told = _between(n.min_properties, n.max_properties, "Properties")
    if n.names is not None:
        told.append(f"each key: {quoted(n.names, defs)}")
    fields = tuple(
        [
            ir.Field(f.key, _node(f.node, defs), f.required)
            for f in n.fields
            if type(f.node) is not ir.Never
        ]
    )
    patterns = tuple([ir.Pattern(p.regex, _node(p.node, defs)) for p in n.patterns])
    if type(n.extras) is ir.Never:
        return ir.Object(fields, ir.Never("no further entries are allowed"), False, patterns), told
    extras = _node(n.extras, defs)
    free = type(extras) is ir.Any and extras.ann is None
    return ir.Object(fields, extras, free, patterns), told


def _union(n: ir.Union, defs: Mapping[str, ir.Node]) -> tuple[ir.Node, list[str]]:
    """The options; of those without a type only the ones that the schema speaks of, which is what it is about."""
    options = spoken_of(n) if n.implied else n.options
    told = ["exactly one of the alternatives"] if n.exclusive and not n.implied else []
    if len(options) == 1:
        return _outward(options[0], defs)
    made: list[ir.Node] = []
    for option in options:
        if len(options) == 2 and ir.Null in (type(options[0]), type(options[1])):
            arm, outward = _inward(option, defs, "unless null")
            told += outward
        else:
            arm = _node(option, defs)
        made.append(arm)
    return ir.Union(tuple(made)), told
