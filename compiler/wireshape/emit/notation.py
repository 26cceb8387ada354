"""Spells an IR graph in the notation; whatever the graph holds is written, and reads back to an equal graph.

Object((Field("a", String(min_length=1), required=True),), Any(), open=True)   ->   {a: string @min(1)}
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, assert_never

from wireshape import ir
from wireshape.ir import kind_of
from wireshape.notation import tree
from wireshape.notation.dense import compact
from wireshape.notation.layout import laid_out
from wireshape.notation.spelling import needs_quotes
from wireshape.notation.words import (
    FLAGS,
    FREE,
    NO_MORE,
    NO_REASON,
    SIMPLE,
    is_known_format,
)
from wireshape.read.patterns import is_match
from wireshape.walk import references

_SHORT: Final = {v: k for k, v in SIMPLE.items()}
_SPOKEN: Final = frozenset("multipleOf pattern format dependentRequired".split())


def notation(graph: ir.Graph, *, dense: bool = False) -> str:
    """Write a graph as text, laid out for people, or `dense` for a model.

    >>> print(notation(ir.Graph(ir.List(ir.String(min_length=1)), {})), end="")
    (string @min(1))[]
    """
    file = file_of(graph)
    return compact(file) if dense else laid_out(file)


def file_of(graph: ir.Graph) -> tree.File:
    """Return the tree of a graph: the root first, then the definitions in their order."""
    made = [_definition(name, node) for name, node in graph.defs.items()]
    root = graph.root
    first = next(iter(graph.defs), None)
    if type(root) is ir.Ref and not root.ann and root.name == first and _is_used(graph, root.name):
        return tree.File(tuple(made))
    body = _definition(None, root)
    if type(body.type) is tree.Value:  # bare, it would be JSON
        body = replace(body, type=tree.Listed((body.type.value,)))
    elif body.type == tree.Word("null") or body.type == tree.Body(()):
        body = replace(body, type=tree.Group(body.type))
    return tree.File((body, *made))


def _is_used(graph: ir.Graph, name: str) -> bool:
    return any([name == ref for n in graph.defs.values() for ref, _ in references(n)])


def _definition(name: str | None, n: ir.Node) -> tree.Definition:
    docs = documentation(n.ann)
    quoted = name is not None and needs_quotes(name)
    return tree.Definition(name, _type(n, _without(n.ann, docs)), docs, quoted)


def documentation(ann: ir.Ann) -> str | None:
    """The description, where `///` lines can hold it."""
    text = (ann or {}).get("description")
    return text if type(text) is str and "\r" not in text else None


def _without(ann: ir.Ann, docs: str | None, default: bool = False) -> ir.Ann:
    if ann is None or (docs is None and not default):
        return ann
    gone = {"description"} if docs is not None else set[str]()
    if default:
        gone.add("default")
    return {k: v for k, v in ann.items() if k not in gone}


def _plain(n: ir.Node) -> tree.Type:
    return _type(n, n.ann)


def _type(n: ir.Node, ann: ir.Ann) -> tree.Type:
    """The tree of a node; `ann` are its annotations that are not said elsewhere."""
    base, marks = _core(n)
    for name, value in (ann or {}).items():
        marks.append(_annotation(n, name, value))
    if not marks:
        return base
    if type(base) is tree.Alt or type(base) is tree.Noted or type(base) is tree.Both:
        base = tree.Group(base)
    return tree.Noted(base, tuple(marks))


def _annotation(n: ir.Node, name: str, value: ir.Json) -> tree.Mark:
    if name in FLAGS and value is True:
        return tree.Mark(name)
    if name == "examples" and kind_of(value) is list:
        return tree.Mark(name, tuple(value), (), called=True)
    if name == "$comment":
        return _mark("comment", value)
    fits = name in SIMPLE.values() or name in FLAGS
    if name == "format":
        fits = not (type(n) is ir.String and is_known_format(value))
    return _mark(name, value) if fits else tree.Mark("annotation", (name, value), (), called=True)


def _mark(name: str, *values: ir.Json) -> tree.Mark:
    return tree.Mark(name, values, (), called=True)


def _typed(name: str, *types: tree.Argument) -> tree.Mark:
    return tree.Mark(name, (), types, called=True)


def _core(n: ir.Node) -> tuple[tree.Type, list[tree.Mark]]:
    """What a node says beside its annotations."""
    if type(n) is ir.String:
        return tree.Word("string"), _string(n)
    if type(n) is ir.Object:
        return _object(n)
    if type(n) is ir.Ref:
        return tree.Word(n.name, needs_quotes(n.name)), []
    if type(n) is ir.Number:
        return tree.Word("integer" if n.integer else "number"), _number(n)
    if type(n) is ir.Union:
        return _union(n)
    if type(n) is ir.Literal:
        return _literal(n.values), []
    if type(n) is ir.List:
        return tree.Array(_postfix(_plain(n.items))), _lengths(n.min_items, n.max_items, n.unique)
    if type(n) is ir.Boolean:
        return tree.Word("boolean"), []
    if type(n) is ir.Null:
        return tree.Word("null"), []
    if type(n) is ir.Any:
        return tree.Word("any"), []
    if type(n) is ir.Never:
        return tree.Word("never"), [] if n.reason == NO_REASON else [_mark("because", n.reason)]
    if type(n) is ir.Tuple:
        return _tuple(n)
    if type(n) is ir.Refine:
        return _refine(n)
    assert_never(n)


def _postfix(t: tree.Type) -> tree.Type:
    """A type that `[]` may follow."""
    if type(t) is tree.Alt or type(t) is tree.Noted or type(t) is tree.Both:
        return tree.Group(t)
    return t


def _string(n: ir.String) -> list[tree.Mark]:
    marks = _lengths(n.min_length, n.max_length)
    marks += [_mark("pattern", p) for p in n.patterns]
    return marks + [_mark("format", f) for f in n.formats]


def _lengths(least: int, most: int | None, unique: bool = False) -> list[tree.Mark]:
    marks = [_mark("min", least)] if least else []
    if most is not None:
        marks.append(_mark("max", most))
    return [*marks, tree.Mark("unique")] if unique else marks


def _number(n: ir.Number) -> list[tree.Mark]:
    said = (
        ("min", n.minimum),
        ("above", n.exclusive_minimum),
        ("max", n.maximum),
        ("below", n.exclusive_maximum),
        ("multipleOf", n.multiple_of),
    )
    return [_mark(name, bound) for name, bound in said if bound is not None]


def _literal(values: tuple[ir.Json, ...], *, apart: bool = False) -> tree.Type:
    """The values with bars between them; those of other types, or kept `apart` from neighbours, in `enum(...)`."""
    if apart or not all([kind_of(v) in _BARE for v in values]):
        return tree.Listed(values)
    if len(values) == 1:
        return tree.Value(values[0])
    return tree.Alt(tuple([tree.Arm(_bare(v)) for v in values]))


def _bare(v: ir.Json) -> tree.Type:
    return tree.Value(v)


_BARE: Final[frozenset[object]] = frozenset({str, int, float, bool})


def _object(n: ir.Object) -> tuple[tree.Type, list[tree.Mark]]:
    marks = _lengths(n.min_properties, n.max_properties)
    if n.names is not None:
        marks.append(_typed("keys", tree.Argument(_plain(n.names))))
    members: list[tree.Member | tree.Rule | tree.Open] = [_member(f) for f in n.fields]
    if n.patterns:
        members += [_pattern(p, n.fields) for p in n.patterns]
    extras = n.extras
    closed = type(extras) is ir.Never and extras.ann is None and extras.reason == NO_MORE
    if type(extras) is ir.Any and extras.ann is None:
        if not n.open:
            members.append(tree.Open())
    elif not closed:
        docs = documentation(extras.ann)
        members.append(tree.Rule(_type(extras, _without(extras.ann, docs)), docs=docs))
    if n.open and (type(extras) is not ir.Any or extras.ann is not None):
        marks.append(tree.Mark("open"))
    if not members and not closed and not n.listed:
        return tree.Word("object"), marks
    return tree.Body(tuple(members), closed), marks


def _member(f: ir.Field) -> tree.Member:
    ann = f.node.ann
    docs = documentation(ann)
    has_default = ann is not None and "default" in ann
    default = ann["default"] if ann is not None and has_default else None
    node = _type(f.node, _without(ann, docs, has_default))
    return tree.Member(f.key, node, not f.required, default, has_default, docs)


def _pattern(p: ir.Pattern, fields: tuple[ir.Field, ...]) -> tree.Rule:
    docs = documentation(p.node.ann)
    node = _type(p.node, _without(p.node.ann, docs))
    return tree.Rule(node, None, p.regex, _is_merged(p, fields), docs)


def _is_merged(p: ir.Pattern, fields: tuple[ir.Field, ...]) -> bool:
    """Whether declared keys are bound by the rule, which they then say themselves."""
    trivial = type(p.node) is ir.Any and p.node.ann is None
    return not trivial and any([is_match(p.regex, f.key, p.node.at) for f in fields])


def _tuple(n: ir.Tuple) -> tuple[tree.Type, list[tree.Mark]]:
    items = [tree.Item(_plain(p), optional=i >= n.min_items) for i, p in enumerate(n.prefix)]
    count, most, rest = len(n.prefix), n.max_items, n.rest
    bare = rest.ann is None
    full = most is not None and most <= count
    silent = (
        (type(rest) is ir.Any and full)
        if full
        else (type(rest) is ir.Never and rest.reason == NO_MORE)
    )
    if not (bare and silent):
        items.append(tree.Item(tree.Array(_postfix(_plain(rest))), rest=True))
    least = n.min_items if n.min_items > count else 0
    return tree.Tuple(tuple(items)), _lengths(least, most, n.unique)


def _union(n: ir.Union) -> tuple[tree.Type, list[tree.Mark]]:
    if n.implied:
        arguments = [
            _argument(kind, option)
            for kind, option in zip(ir.KINDS, n.options, strict=True)
            if kind in n.implied or option != FREE[kind]
        ]
        return tree.Speaking(tuple(arguments)), []
    arms: list[tree.Arm] = []
    after_value = False
    for option in n.options:
        if type(option) is ir.Literal and option.ann is None:
            node = _literal(option.values, apart=after_value)
            arms += node.arms if type(node) is tree.Alt else [tree.Arm(node)]
            after_value = type(node) is not tree.Listed
            continue
        after_value = False
        docs = documentation(option.ann)
        node = _type(option, _without(option.ann, docs))
        arms.append(tree.Arm(tree.Group(node) if type(node) is tree.Alt else node, docs))
    alt = tree.Alt(tuple(arms))
    return (tree.Group(alt), [tree.Mark("exclusive")]) if n.exclusive else (alt, [])


def _argument(kind: str, option: ir.Node) -> tree.Argument:
    named = kind if type(option) in (ir.Ref, ir.Union, ir.Literal, ir.Any, ir.Never) else None
    return tree.Argument(_plain(option), named)


def _refine(n: ir.Refine) -> tuple[tree.Type, list[tree.Mark]]:
    base, marks = _core(n.base)
    if n.base.ann:
        base, marks = tree.Group(_plain(n.base)), []
    if type(base) is tree.Alt:
        base = tree.Group(base)
    return base, marks + [_assertion(a) for a in n.assertions]


def _assertion(a: ir.Assertion) -> tree.Mark:
    types = [tree.Argument(_plain(n)) for n in a.nodes]
    word = a.keyword
    if word == "dependentRequired":
        return _mark(word, a.value)
    if word in _SPOKEN:
        return _mark("assert", word, a.value)
    if word == "if":
        labels = ("then", "else")
        branches = [
            tree.Argument(t.type, label)
            for label, t, n in zip(labels, types[1:], a.nodes[1:], strict=True)
            if type(n) is not ir.Any or n.ann is not None
        ]
        return _typed(word, types[0], *branches)
    if word == "contains":
        return _typed(word, *types, *_bounds(a.value))
    if word == "dependentSchemas":
        return _typed(
            word, *[tree.Argument(t.type, key) for key, t in zip(a.value, types, strict=True)]
        )
    return _typed(word, *types)


def _bounds(value: Mapping[str, int] | None) -> list[tree.Argument]:
    words = {"minContains": "min", "maxContains": "max"}
    return [tree.Argument(tree.Value(v), words[k]) for k, v in (value or {}).items()]
