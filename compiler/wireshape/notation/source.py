"""A notation text becomes what any source becomes: a graph, the JSON Schema that means the same, and notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wireshape import ir
from wireshape.emit import plain
from wireshape.errors import SchemaError
from wireshape.notation import tree
from wireshape.notation.faults import Fault, deepest, located, meaning
from wireshape.notation.grammar import parse
from wireshape.notation.nodes import Context, described, node
from wireshape.notation.spelling import needs_quotes
from wireshape.notation.words import FORMATS
from wireshape.read.graph import Document, refuse_tangled, settle
from wireshape.read.json_copy import copy_json
from wireshape.read.scope import claim_name
from wireshape.read.spine import cut_cycles
from wireshape.read.ways import ENDLESS
from wireshape.walk import children

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wireshape.options import Options
    from wireshape.read.build import Raw


def read_text(text: str, options: Options, *, inline: bool = False) -> Document:
    """Read a text; raise `NotationError` at the place that cannot be meant.

    An `inline` text, which no file name calls notation, must not look like JSON Schema without quotes.

    >>> from wireshape.options import Options
    >>> read_text("{ size: integer @min(1) }", Options()).document["properties"]
    {'size': {'type': 'integer', 'minimum': 1}}
    """
    text = text.removeprefix("\ufeff")
    try:
        file = parse(text)
        if inline:
            _refuse_json_schema(file)
        return _read(file, options)
    except Fault as fault:
        raise located(fault, text) from None
    except SchemaError as error:  # what the merged graph cannot be
        start = deepest(text) if error.code == "WS114" else 0
        raise located(Fault(str(error.args[0]), start, error.code), text) from None
    except RecursionError:
        what = "nested too deeply; name parts of it as types"
        raise located(Fault(what, deepest(text), "WS114"), text) from None


def _read(file: tree.File, options: Options) -> Document:
    if not file.definitions:
        raise Fault("the text is empty; expected a type", 0)
    used: dict[str, int] = {}
    names: dict[str, str] = {}
    for d in file.definitions:
        if d.name is not None:
            _declare(d, names, used)
    cx = Context(names, FORMATS if options.assert_formats else frozenset())
    first, *others = file.definitions
    root = described(node(first.type, None, cx), first.docs)
    defs: dict[str, Raw] = {}
    for d in others:
        assert d.name is not None
        name = names[d.name]
        defs[name] = described(node(d.type, ((None, "$defs"), name), cx), d.docs)
    if first.name is not None:
        defs = {names[first.name]: root, **defs}
        root = ir.Ref(names[first.name])
    tangled = _cut(defs, file, names)
    lazy = cx.lazies > 0
    made = settle(root, defs, lambda name: claim_name(used, name), cx.size, merging=lazy)
    graph, top = made.graph, made.graph.root
    if type(top) is ir.Ref and first.name is not None and not _refers(graph, top.name):
        rest = {name: d for name, d in graph.defs.items() if name != top.name}
        graph = ir.Graph(graph.defs[top.name], rest)
    refuse_tangled(graph)
    conditional, parts = _counted(graph)
    if tangled:
        parts += ENDLESS
    document = copy_json(plain(graph)).value  # no deeper than what any source may be
    notes = tuple(cx.notes)
    return Document(graph, document, "2020-12", notes, conditional, parts, made.partly)


def _refuse_json_schema(file: tree.File) -> None:
    """Refuse what is JSON Schema in the way of JavaScript: as notation it would mean quite another thing."""
    body = file.definitions[0].type if file.definitions else None
    if type(body) is not tree.Body:
        return
    keys = {m.key: m.type for m in body.members if type(m) is tree.Member}
    said = keys.get("type")
    if type(said) is tree.Value and said.value in _TYPE_NAMES and not _STRUCTURE.isdisjoint(keys):
        what = "this reads as JSON Schema with unquoted keys; quote them, or name the type: `type Name = {...}`"
        raise meaning(what, body.start)


_TYPE_NAMES = frozenset({*ir.KINDS, "integer"})
_STRUCTURE = frozenset({"properties", "items", "required", "enum", "additionalProperties"})


def _declare(d: tree.Definition, names: dict[str, str], used: dict[str, int]) -> None:
    assert d.name is not None
    if not d.quoted and needs_quotes(d.name):
        msg = f"{d.name!r} is a word of the notation; call the type `{d.name}` with backticks"
        raise meaning(
            msg,
            d.start,
        )
    if d.name in names:
        msg = f"the type {d.name!r:.60} is declared twice"
        raise meaning(msg, d.start)
    names[d.name] = claim_name(used, d.name)


def _cut(defs: dict[str, Raw], file: tree.File, names: Mapping[str, str]) -> bool:
    """Cut what leads back to itself; where that leaves no meaning, the fault is in the first such type."""
    try:
        return cut_cycles(defs)
    except SchemaError as error:
        starts = {names[d.name]: d.start for d in file.definitions if d.name is not None}
        parts = error.pointer.split("/")
        name = parts[2] if len(parts) > 2 else next(iter(starts))
        raise meaning(str(error.args[0]), starts.get(name, 0)) from None


def _refers(graph: ir.Graph, name: str) -> bool:
    """Whether a definition refers to `name`."""
    seen: set[int] = set()
    stack = list(graph.defs.values())
    while stack:
        n = stack.pop()
        if type(n) is ir.Ref and n.name == name:
            return True
        if id(n) not in seen:
            seen.add(id(n))
            stack += children(n)
    return False


_CONDITIONS = frozenset({"if", "dependentRequired", "dependentSchemas"})


def _counted(graph: ir.Graph) -> tuple[bool, int]:
    """Whether some assertion binds only where a condition holds, and how many parts speak about the value of another."""
    conditional, parts = False, 0
    stack: list[ir.Node] = [graph.root, *graph.defs.values()]
    while stack:
        n = stack.pop()
        if type(n) is ir.Refine:
            parts += len(children(n))
            conditional = conditional or any([a.keyword in _CONDITIONS for a in n.assertions])
        elif type(n) is ir.Union:
            parts += len(n.options)
        elif type(n) is ir.Ref:
            parts += 1
        stack += children(n)
    return conditional, parts
