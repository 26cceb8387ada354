"""Spells an IR graph as JSON Schema (or the OpenAPI subset) in the way one dialect row asks for.

Everything in the graph must already be sayable: nothing is lowered, dropped or reported here.

    Union(String, Null)  ->  {"anyOf": [{"type": "string"}, {"type": "null"}]}   or   {"type": "string", "nullable": true}
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, assert_never

from wireshape import ir
from wireshape.dialect import Dialect
from wireshape.emit.pointers import part, title
from wireshape.emit.scalars import boolean, literal, number, string
from wireshape.emit.tally import Emitted, Tally, Wire
from wireshape.emit.typeless import bag
from wireshape.walk import distinct, joined, with_ann

_PLAIN = Dialect(id="plain")


@dataclass(slots=True)
class _Out:
    row: Dialect
    graph: ir.Graph
    root_name: str | None
    marks: frozenset[int] | set[int]
    names: list[str]  # definitions, in the order of their first use
    seen: set[str]
    tally: Tally
    where: dict[int, str]
    or_null: bool  # "or null" is an `anyOf` of two, with the text beside it
    wires: list[Wire]  # beside `nodes`: two lists cost the garbage collector nothing, pairs would
    nodes: list[ir.Node]
    asserting: bool = False  # within an assertion: a key that is only required need not be declared


def plain(graph: ir.Graph) -> Wire:
    """Spell a graph as JSON Schema 2020-12 with exactly its meaning.

    >>> plain(ir.Graph(ir.List(ir.String(min_length=1)), {}))
    {'type': 'array', 'items': {'type': 'string', 'minLength': 1}}
    """
    return emit(graph, _PLAIN).document


def emit(
    graph: ir.Graph,
    row: Dialect,
    marks: frozenset[int] | set[int] = frozenset(),
) -> Emitted:
    """Spell a graph for a row; definitions follow in the order in which they are first referred to.

    `marks` are the identities of the nodes whose places are asked for.
    """
    root = graph.root
    name = root.name if type(root) is ir.Ref and not root.ann else None
    or_null = row.unions.siblings != "none" and row.nullable.spelling != "keyword"
    top = name if row.refs.root else None
    out = _Out(row, graph, top, marks, [], set(), Tally([]), {}, or_null, [], [])
    if name is not None:
        root = graph.defs[name]
    document = _node(root, out, "")
    if out.names:
        keyword = row.refs.keyword
        defs: Wire = {}
        for ref in out.names:  # grows while definitions are written
            out.tally.string_chars += len(ref)
            defs[ref] = _node(graph.defs[ref], out, f"/{keyword}/{part(ref)}")
        document[keyword] = defs
    return Emitted(document, out.where, out.tally, out.wires, out.nodes)


def _node(n: ir.Node, out: _Out, path: str) -> Wire:
    if id(n) in out.marks:
        out.where.setdefault(id(n), path)
    if type(n) is ir.Union:
        wire = _union(n, out, path)
    elif type(n) is ir.Ref:
        wire = _ref(n, out)
    elif type(n) is ir.Object:
        wire = _object(n, out, path)
    elif type(n) is ir.List:
        wire = _list(n, out, path)
    elif type(n) is ir.String:
        wire = string(n)
    elif type(n) is ir.Literal:
        wire = literal(n, out.row, out.tally)
    elif type(n) is ir.Number:
        wire = number(n)
    elif type(n) is ir.Boolean:
        wire = boolean(n)
    elif type(n) is ir.Null or type(n) is ir.Any or type(n) is ir.Never:
        wire = _BARE[type(n)].copy()
        if n.ann:
            wire.update(n.ann)
    elif type(n) is ir.Tuple:
        wire = _tuple(n, out, path)
    elif type(n) is ir.Refine:
        wire = _refine(n, out, path)
    else:
        assert_never(n)
    out.wires.append(wire)
    out.nodes.append(n)
    return wire


_SCALARS: dict[type, Callable[[Any], Wire]] = {
    ir.String: string,
    ir.Number: number,
    ir.Boolean: boolean,
}
"""What spells the commonest kinds, which hold no other node and count towards no limit."""
_BARE: dict[type, Wire] = {
    ir.Null: {"type": "null"},
    ir.Any: {},
    ir.Never: {"not": {}},
}


def _ref(n: ir.Ref, out: _Out) -> Wire:
    if n.name == out.root_name:
        target = "#"
    else:
        if n.name not in out.seen:
            out.seen.add(n.name)
            out.names.append(n.name)
        target = f"#/{out.row.refs.keyword}/{n.name}"
    if not n.ann:
        return {"$ref": target}
    if out.row.refs.siblings == "none":
        return {**n.ann, "anyOf": [{"$ref": target}]}
    return {"$ref": target, **n.ann}


def _bounds(n: ir.List | ir.Tuple, wire: Wire) -> None:
    if n.min_items:
        wire["minItems"] = n.min_items
    if n.max_items is not None:
        wire["maxItems"] = n.max_items
    if n.unique:
        wire["uniqueItems"] = True


def _list(n: ir.List, out: _Out, path: str) -> Wire:
    wire: Wire = {"type": "array", **n.ann} if n.ann else {"type": "array"}
    tally = out.tally
    _enter(tally)
    if type(n.items) is not ir.Any or n.items.ann or out.row.arrays.items_required:
        wire["items"] = _sub(n.items, out, path + "/items")
    if n.min_items or n.max_items is not None or n.unique:
        _bounds(n, wire)
        tally.max_items += n.max_items or 0
    tally.depth -= 1
    return wire


def _enter(tally: Tally) -> None:
    tally.depth = depth = tally.depth + 1
    tally.deepest = max(tally.deepest, depth)


def _tuple(n: ir.Tuple, out: _Out, path: str) -> Wire:
    wire: Wire = {"type": "array"}
    _enter(out.tally)
    if n.ann:
        wire.update(n.ann)
    wire["prefixItems"] = [_sub(p, out, f"{path}/prefixItems/{i}") for i, p in enumerate(n.prefix)]
    row = out.row
    said = row.keywords.boolean_schemas and row.tuples.encoding == "prefix-items"
    if type(n.rest) is ir.Never:
        if said:
            wire["items"] = False
    elif type(n.rest) is not ir.Any or n.rest.ann or row.tuples.absent_means == "closed":
        wire["items"] = _sub(n.rest, out, path + "/items")
    _bounds(n, wire)
    if type(n.rest) is ir.Never and not said:
        wire["maxItems"] = min(
            len(n.prefix), n.max_items if n.max_items is not None else len(n.prefix)
        )
    out.tally.depth -= 1
    out.tally.max_items += wire.get("maxItems", 0)
    return wire


def _sub(n: ir.Node, out: _Out, path: str) -> Wire | bool:
    """A subschema in a position where `true` and `false` may stand."""
    row = out.row
    if type(n) is ir.Never and row.keywords.boolean_schemas:
        return _node(n, out, path) if n.ann and row.unions.negation == "yes" else False
    return _node(n, out, path)


def _object(n: ir.Object, out: _Out, path: str) -> Wire:
    row = out.row.objects
    wire: Wire = {"type": "object"}
    if row.titled and "title" not in (n.ann or ()):
        wire["title"] = title(path)
    if n.ann:
        wire.update(n.ann)
    _enter(out.tally)
    if n.fields or (row.extras == "false"):
        required = _properties(n, out, path, wire)
        if required or row.all_required:
            wire["required"] = required
    if n.patterns:
        here = path + "/patternProperties/"
        wire["patternProperties"] = {
            p.regex: _sub(p.node, out, here + part(p.regex)) for p in n.patterns
        }
    if type(n.extras) is ir.Never and row.extras != "unsaid":  # the commonest
        wire["additionalProperties"] = False
    else:
        _extras(n, out, path, wire)
    if n.names is not None:
        wire["propertyNames"] = _sub(n.names, out, path + "/propertyNames")
    if n.min_properties:
        wire["minProperties"] = n.min_properties
    if n.max_properties is not None:
        wire["maxProperties"] = n.max_properties
    if row.ordering != "no" and "properties" in wire:
        wire[row.ordering] = [f.key for f in n.fields]
    out.tally.depth -= 1
    return wire


def _properties(n: ir.Object, out: _Out, path: str, wire: Wire) -> list[str]:
    """Write and count the declared fields; returns the keys of those that are required."""
    here = path + "/properties/"
    required: list[str] = []
    properties: Wire = {}
    marks = out.marks
    unions = 0
    for f in n.fields:
        key, node = f.key, f.node
        if f.required:
            required.append(key)
        write = _SCALARS.get(type(node))
        if write is not None and id(node) not in marks:  # most fields, which need no pointer
            properties[key] = text = write(node)
            out.wires.append(text)
            out.nodes.append(node)
            continue
        if type(node) is ir.Union or type(node) is ir.Refine:
            unions += 1
        at = here + (part(key) if "/" in key or "~" in key else key)
        properties[key] = (
            _node(node, out, at) if type(node) is not ir.Never else _sub(node, out, at)
        )
    if not out.asserting or not all([_only_required(f, n) for f in n.fields]):
        wire["properties"] = properties
    tally = out.tally
    tally.properties += len(n.fields)
    tally.optional += len(n.fields) - len(required)
    tally.string_chars += sum(map(len, properties))
    tally.unions += unions
    return required


def _only_required(f: ir.Field, n: ir.Object) -> bool:
    return f.required and type(f.node) is ir.Any and not f.node.ann and type(n.extras) is ir.Any


def _extras(n: ir.Object, out: _Out, path: str, wire: Wire) -> None:
    if (row := out.row.objects).extras == "unsaid":
        return
    if type(n.extras) is not ir.Any or n.extras.ann:
        wire["additionalProperties"] = _sub(n.extras, out, path + "/additionalProperties")
    elif row.absent_means == "closed" or not n.open:
        wire["additionalProperties"] = True


def _or_null(n: ir.Union, some: ir.Node, null: ir.Null, out: _Out, path: str) -> Wire:
    """The commonest union, a node or null."""
    write = _SCALARS.get(type(some))
    if write is not None and id(some) not in out.marks:
        wire = write(some)
        out.wires.append(wire)
        out.nodes.append(some)
    else:
        wire = _node(some, out, path + "/anyOf/0")
    if null.ann or id(null) in out.marks:
        arms = [wire, _node(null, out, path + "/anyOf/1")]
    else:
        arms = [wire, {"type": "null"}]
    return {**n.ann, "anyOf": arms} if n.ann else {"anyOf": arms}


def _union(n: ir.Union, out: _Out, path: str) -> Wire:
    if out.or_null and len(n.options) == 2:
        some, null = n.options
        if type(null) is ir.Null and not n.exclusive:
            return _or_null(n, some, null, out, path)
    if n.implied:
        parts = [_node(option, out, path) for option in n.options]
        return bag(n, parts, out.row, asserting=out.asserting)
    row = out.row
    ann = n.ann
    arms: Sequence[ir.Node] = n.options
    if row.unions.siblings == "none":
        arms, ann = _sunk(n, out, path), None
        if len(arms) == 1:
            return _node(arms[0], out, path)
    nullable = row.nullable.spelling == "keyword" and ir.Null in [type(a) for a in arms]
    if nullable:
        arms = [a for a in arms if type(a) is not ir.Null]
        if len(arms) == 1:
            wire = _node(arms[0], out, path)
            wire.update(ann or {})
            wire["nullable"] = True
            return wire
    keyword = "oneOf" if n.exclusive and row.unions.one_of == "yes" else "anyOf"
    wires = [_node(a, out, f"{path}/{keyword}/{i}") for i, a in enumerate(arms)]
    if nullable:
        wires[0]["nullable"] = True
    return {**ann, keyword: wires} if ann else {keyword: wires}


def _sunk(n: ir.Union, out: _Out, path: str) -> list[ir.Node]:
    """The arms of a union whose text may not stand beside `anyOf`: the first one carries it, inner unions dissolve."""
    arms: list[ir.Node] = []
    mute = out.row.refs.siblings == "none"
    bearer = next((i for i, o in enumerate(n.options) if not (mute and type(o) is ir.Ref)), 0)
    for i, option in enumerate(n.options):
        arm = with_ann(option, joined(n.ann, option.ann)) if i == bearer and n.ann else option
        if arm is not option and id(option) in out.marks:
            out.where.setdefault(id(option), path)
        arms.extend(_sunk(arm, out, path) if type(arm) is ir.Union and not arm.implied else [arm])
    return distinct(arms)


def _refine(n: ir.Refine, out: _Out, path: str) -> Wire:
    wire = _node(n.base, out, path)
    if n.ann:
        head: Wire = {k: wire.pop(k) for k in ("type", "$ref") if k in wire}
        wire = {**head, **n.ann, **{k: v for k, v in wire.items() if k not in n.ann}}
    alone: list[Wire] = list(wire.pop("allOf", ()))
    beside = "$ref" not in wire or out.row.refs.siblings == "any"
    stacked = stacks(n)
    for a in sorted(n.assertions, key=_keyword):
        part = _assertion(a, out, path)
        if beside and a.keyword not in stacked and not part.keys() & wire.keys():
            wire.update(part)
        else:
            alone.append(part)
    if alone:
        wire["allOf"] = alone
    return wire


def _keyword(a: ir.Assertion) -> str:
    return a.keyword


def stacks(n: ir.Refine) -> set[str]:
    """The keywords of assertions that need an `allOf`: those that come twice, and those that look at their neighbours."""
    words = [a.keyword for a in n.assertions]
    return {w for w in words if words.count(w) > 1 or w.startswith("unevaluated") or w == "allOf"}


def _assertion(a: ir.Assertion, out: _Out, path: str) -> Wire:
    word = a.keyword
    outer, out.asserting = out.asserting, not word.startswith("unevaluated")
    nodes: list[Wire | bool] = [_sub(n, out, f"{path}/{word}") for n in a.nodes]
    out.asserting = outer
    if word == "if":
        wire: Wire = {"if": nodes[0]}
        if type(a.nodes[1]) is not ir.Any:
            wire["then"] = nodes[1]
        if type(a.nodes[2]) is not ir.Any:
            wire["else"] = nodes[2]
        return wire
    if word == "not":
        return {"not": nodes[0]}
    if word == "contains":
        return {"contains": nodes[0], **(a.value or {})}
    if word == "dependentSchemas":
        return {word: dict(zip(a.value, nodes, strict=True))}
    if word in ("unevaluatedProperties", "unevaluatedItems"):
        return {"allOf": nodes[1:], word: nodes[0]}
    if nodes:
        return {word: nodes}
    return {word: a.value}
