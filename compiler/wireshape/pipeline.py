"""The compiler: the passes in order, from a source to a `Compiled`; each pass is a plain function on plain data.

read -> strictify -> emit -> count -> (budget -> strictify -> emit -> count, until it fits) -> Compiled
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

from wireshape import ir
from wireshape.analyze import Count, counted
from wireshape.budget import grow
from wireshape.budget_fields import Present
from wireshape.codes import CODES
from wireshape.compiled import Compiled
from wireshape.dialect import Dialect, resolve
from wireshape.documents import described
from wireshape.emit import Emitted, emit
from wireshape.emit.grammar import grammar_text
from wireshape.emit.pointers import part
from wireshape.errors import (
    BudgetError,
    InexpressibleError,
    LossError,
    SchemaError,
    expect,
    expect_text,
)
from wireshape.grant import Grant
from wireshape.ir import kind_of
from wireshape.machine import Parts
from wireshape.options import Options
from wireshape.read import Schema, read
from wireshape.report import Note, Report, make_note
from wireshape.strictify import Program, strictify
from wireshape.strictify.cases import split
from wireshape.strictify.hoist import hoist
from wireshape.walk import children

_DEFAULTS = Options()
_NOTHING = Grant()
_HOISTS = 3  # where some levels hold more containers than others, fewer of them fit
_TURNS = 24  # lowerings under a grant; the last one sends the whole schema as JSON text


def compile(
    schema: Any,
    dialect: str | Dialect,
    *,
    name: str | None = None,
    description: str | None = None,
    options: Options = _DEFAULTS,
) -> Compiled:
    """Compile a schema for a dialect: the wire schema, the codec both ways, and the report of every difference.

    `schema` is a JSON Schema (dict, bool, JSON text or the Path of a file), a Pydantic model, any other Python type, or a
    `Schema` that was read before. `description` replaces that of the root.

    Raises SchemaError (not a schema, a reference that does not resolve, or nothing satisfies it), DialectError (no such
    dialect), InexpressibleError and LossError as the options ask.

    >>> c = compile({"type": "object", "properties": {"tags": {"type": "object", "additionalProperties": {"type": "integer"}}}}, "openai-strict")
    >>> c.encode({"tags": {"a": 1}})
    {'tags': [{'key': 'a', 'value': 1}]}
    >>> c.decode({"tags": None})
    {}
    """
    expect("options", options, Options, "an `Options`")
    expect_text("name", name)
    expect_text("description", description)
    return lowering(schema, resolve(dialect), name, description, options).compiled


class Lowering(NamedTuple):
    """A compilation, its parts, and what it takes to spell it otherwise: the source as lowered, what was written, the grant."""

    compiled: Compiled
    parts: Parts
    graph: ir.Graph
    written: Emitted | None  # None where the source is sent as it is
    grant: Grant


def lowering(
    schema: Any,
    row: Dialect,
    name: str | None,
    description: str | None,
    options: Options,
    grant: Grant = _NOTHING,
) -> Lowering:
    """Compile as `compile` does, parts of the schema spelled as cheaply as the grant says from the start."""
    try:
        return _lowering(read(schema, options), row, name, description, options, grant)
    except RecursionError:
        raise SchemaError(
            "the schema is nested too deeply; name parts of it as definitions", code="WS114"
        ) from None


def _lowering(
    source: Schema,
    row: Dialect,
    name: str | None,
    description: str | None,
    options: Options,
    grant: Grant,
) -> Lowering:
    if not row.root.verbatim:
        _refuse_api(source.document)
    sent_to = row
    if source.partly and not row.root.verbatim:
        source, row = _unmerged(source, row, options)
    if description is not None:
        graph = source.graph
        root = replace(graph.root, ann={**(graph.root.ann or {}), "description": description})
        source = replace(source, graph=ir.Graph(root, graph.defs))
    if row.root.verbatim and not source.draft.startswith("openapi"):
        parts = _verbatim(source, row, name, description, options)
        return Lowering(Compiled(parts), parts, source.graph, None, grant)
    graph, made = _by_cases(source, row, options)
    source = source if graph is source.graph else replace(source, graph=graph)
    if made is None or grant is not _NOTHING:
        made = _made(graph, row, options, grant)
    program, emitted, count = made
    if count.found:
        program, emitted, grant = _fitted(graph, row, options, made, grant)
    report = Report((*source.notes, *_integers(source), *_notes(program, emitted)))
    _refuse_loss(report, options)
    parts = Parts(
        schema=emitted.document,
        text=grammar_text(program.graph, row),
        dialect=sent_to,
        report=report,
        source=source,
        name=name,
        step=program.step,
        steps=program.steps,
        arms=program.arms,
        wire=program.graph,
        assert_formats=options.assert_formats,
        registry=options.registry,
    )
    return Lowering(Compiled(parts), parts, graph, emitted, grant)


def _refuse_api(document: ir.Json) -> None:
    """Refuse a whole OpenAPI document, which as a schema would allow anything."""
    found = described(document)
    if found is None:
        return
    first = found[0] if found else "#/..."
    hint = f'add a reference to the one that is meant: {{"$ref": "{first}", ...the document}}'
    if found[1:]:
        more = ", ".join(found[1:4]) + (", ..." if found[4:] else "")
        hint += f" (or {more})"
    message = CODES["WS110"].template.format(
        value="a whole OpenAPI document", keyword="schema", hint=hint
    )
    raise SchemaError(message, code="WS110")


def _unmerged(source: Schema, row: Dialect, options: Options) -> tuple[Schema, Dialect]:
    """The source with conjunctions left, and the row to lower it for: none is merged where that is exact, else what is left is told.

    What is told leaves nothing on the wire that is merged when it is read again, which would come out otherwise.
    """
    if source.apart is not None and row.unions.all_of == "yes":
        notes = strictify(source.apart, row, options).notes
        if all([CODES[note.code].effect == "exact" for note in notes]):
            return replace(source, graph=source.apart), row
    unions = replace(row.unions, all_of="no")
    return source, replace(
        row, unions=unions, objects=replace(row.objects, pattern_properties="no")
    )


_Made: TypeAlias = tuple[Program, Emitted, Count]


def _made(graph: ir.Graph, row: Dialect, options: Options, grant: Grant = _NOTHING) -> _Made:
    """A graph, lowered, written and counted."""
    program = strictify(graph, row, options, None if grant is _NOTHING else grant)
    emitted = _written(program, row)
    return program, emitted, counted(emitted, row)


def _written(program: Program, row: Dialect) -> Emitted:
    return emit(program.graph, row, {id(note.node) for note in program.notes})


def _by_cases(source: Schema, row: Dialect, options: Options) -> tuple[ir.Graph, _Made | None]:
    """The source with conditions as alternatives, unless those break a limit of the row or end as JSON text.

    What was made of it to find out is returned, too.
    """
    graph = split(source.graph, row) if source.conditional else source.graph
    if graph is source.graph:
        return graph, None
    made = _made(graph, row, options)
    cost = _crudeness(made)
    if cost:
        plain = _made(source.graph, row, options)
        if cost > _crudeness(plain):
            return source.graph, plain
    return graph, made


def _crudeness(made: _Made) -> int:
    """How many limits a schema breaks, and how many of its parts become JSON text."""
    program, _, count = made
    texts = {ir.pointer(note.at) for note in program.notes if note.code == "WS221"}
    return len(texts) + len(count.found)


def _fitted(
    graph: ir.Graph, row: Dialect, options: Options, first: _Made, grant: Grant
) -> tuple[Program, Emitted, Grant]:
    """Lower again under a growing grant until no limit of the row is exceeded."""
    program, emitted, count = _hoisted(first, row)
    size = 0
    for turn in range(_TURNS, 0, -1):
        if not count.found:
            return program, emitted, grant
        often = [note.fields["count"] for note in program.notes if note.code == "WS222"]
        last, size = size, next((e.count for e in count.found if e.rule == "bytes"), 0)
        present = Present(max(often, default=0), program.further, program.longest, size == last)
        grown = grow(grant, count, emitted, graph, row, present)
        if grown == grant or turn == 1:
            grown = replace(grant, whole=count.found[0])
        grant = grown
        program, emitted, count = _hoisted(_made(graph, row, options, grant), row)
        if count.found and grant.whole is not None:
            break
    if count.found:
        worst = count.found[0]
        message = CODES["WS301"].template.format(**worst.fields(), largest=worst.largest)
        raise BudgetError(message, code="WS301")
    return program, emitted, grant


def _hoisted(made: _Made, row: Dialect) -> _Made:
    """What is nested too deep for one definition in definitions of its own, written and counted again."""
    rules = {"nesting", "depth"} if row.limits.depth_scope == "definition" else {"nesting"}
    for _ in range(_HOISTS if row.refs.defs else 0):
        program, _, count = made
        deep = next((excess for excess in count.found if excess.rule in rules), None)
        if deep is None:
            break
        graph, notes = hoist(program.graph, program.notes, deep)
        program = replace(program, graph=graph, notes=notes)
        emitted = _written(program, row)
        made = program, emitted, counted(emitted, row)
    return made


def _verbatim(
    source: Schema, row: Dialect, name: str | None, description: str | None, options: Options
) -> Parts:
    """The document as it is; a draft that was only told in the options is written down."""
    document = source.document
    if kind_of(document) is dict and "$schema" not in document and source.draft != "2020-12":
        document = {"$schema": _URIS[source.draft], **document}
    if kind_of(document) is dict and description is not None:
        document = {**document, "description": description}
    return Parts(
        schema=document,
        text=None,
        dialect=row,
        report=Report(source.notes),
        source=source,
        name=name,
        step=None,
        steps={},
        arms=(),
        wire=source.graph,
        assert_formats=options.assert_formats,
        registry=options.registry,
    )


_URIS = {
    "draft4": "http://json-schema.org/draft-04/schema#",
    "draft6": "http://json-schema.org/draft-06/schema#",
    "draft7": "http://json-schema.org/draft-07/schema#",
    "2019-09": "https://json-schema.org/draft/2019-09/schema",
}


def _integers(source: Schema) -> list[Note]:
    """Tell of the first integer, where the draft goes by how a number is written."""
    if source.draft not in _WRITTEN:
        return []
    stack: list[ir.Node] = [source.graph.root, *source.graph.defs.values()]
    seen: set[int] = set()
    while stack:
        n = stack.pop()
        if type(n) is ir.Number and n.integer:
            return [make_note("WS241", ir.pointer(n.at), "type", "", {"draft": source.draft})]
        if type(n) is ir.Literal and any([type(v) is float and v.is_integer() for v in n.values]):
            return [make_note("WS241", ir.pointer(n.at), "enum", "", {"draft": source.draft})]
        if id(n) not in seen:
            seen.add(id(n))
            stack.extend(children(n))
    return []


_WRITTEN = frozenset({"draft4", "openapi-3.0"})


def _notes(program: Program, emitted: Emitted) -> list[Note]:
    """Render what strictify noted; a definition that was written out twice tells it once."""
    notes: list[Note] = []
    first: dict[str, Note] = {}
    more: set[tuple[str, ...]] = set()
    known: dict[int, str] = {}
    where = emitted.where
    parent: ir.Path = None
    head = ""
    for pending in program.notes:
        pointer = ""
        if pending.at is not None:
            onto, key = pending.at
            if onto is not parent:  # what lies side by side is told of in a row, mostly
                parent, head = onto, _render(onto, known)
            pointer = f"{head}/{part(key) if type(key) is str else key}"
        place = where.get(id(pending.node), "")
        note = make_note(pending.code, pointer, pending.keyword, place, pending.fields)
        other = first.setdefault(pointer, note)
        if other is not note:
            told = _told(note)
            if told in more or (other.code == note.code and told == _told(other)):
                continue
            more.add(told)
        notes.append(note)
    return notes


def _told(note: Note) -> tuple[str, ...]:
    return (note.pointer, note.code, note.keyword, note.message)


def _render(path: ir.Path, known: dict[int, str]) -> str:
    """Render a path as a JSON pointer; `known` keeps what was rendered of its parents, which paths share."""
    if path is None:
        return ""
    text = known.get(id(path))
    if text is None:
        parent, key = path
        text = f"{_render(parent, known)}/{part(key) if type(key) is str else key}"
        known[id(path)] = text
    return text


def _refuse_loss(report: Report, options: Options) -> None:
    if options.on_loss == "raise":
        for note in report.notes:
            if note.effect != "exact" and not note.quiet:
                raise LossError(note.message, code=note.code, pointer=note.pointer, note=note)


def can_express(schema: Any, dialect: str | Dialect, *, options: Options = _DEFAULTS) -> list[str]:
    """Tell why a dialect cannot say the structure of a schema; empty when it can. A removed bound is no reason.

    >>> can_express({"type": "object", "properties": {"n": {"type": "integer"}}}, "openai-strict")
    []
    """
    row = resolve(dialect)
    reasons: list[str] = []
    try:
        compiled = compile(schema, row, options=options)
    except (BudgetError, InexpressibleError, LossError) as error:
        return [str(error)]
    for note in compiled.report.notes:
        if note.code in ("WS220", "WS221", "WS222"):
            reasons.append(f"{note.pointer or '/'}: {note.message}")
    return reasons
