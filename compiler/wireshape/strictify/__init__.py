"""Lowering: turns a conceptual graph into a wire graph that the row can say, with the step that maps values both ways.

One bottom-up pass of small rules. A rule is `strictify_<kind>(node, ctx) -> (wire node, step)`, so the shape and its
decoding cannot drift; what the row cannot say becomes a note, never silence. Spelling is `emit`'s business.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias, assert_never, final

from wireshape import ir
from wireshape.dialect import Dialect
from wireshape.errors import SchemaError
from wireshape.grant import CUT, Grant
from wireshape.options import Options
from wireshape.relate import Relations
from wireshape.step import Step
from wireshape.strictify.anything import strictify_any, strictify_text
from wireshape.strictify.arrays import strictify_list, strictify_tuple
from wireshape.strictify.context import Arm, Ctx, Lowered, Pending, annotate
from wireshape.strictify.definitions import lower_definitions, room_of
from wireshape.strictify.hidden import Known
from wireshape.strictify.objects import strictify_object
from wireshape.strictify.refine import strictify_ref, strictify_refine
from wireshape.strictify.root import strictify_root
from wireshape.strictify.scalars import (
    is_bare,
    strictify_literal,
    strictify_number,
    strictify_string,
)
from wireshape.strictify.unions import strictify_union
from wireshape.walk import with_ann

__all__ = ["Arm", "Program", "strictify"]


@final
@ir.node
class Program:
    """The result of lowering: the wire graph, the codec as plain steps, the predicates of union arms, and the notes.

    `further` names the definitions that write a recursive one again, inside itself; `longest` is the length of the longest
    description, where a grant bounds it.
    """

    graph: ir.Graph
    step: Step
    steps: dict[str, Step]
    arms: tuple[Arm, ...]
    notes: tuple[Pending, ...]
    further: frozenset[str]
    longest: int


def strictify(
    graph: ir.Graph, row: Dialect, options: Options, grant: Grant | None = None
) -> Program:
    """Lower a conceptual graph for a row, as cheaply as `grant` asks.

    Raises SchemaError when nothing satisfies the schema, InexpressibleError when the row cannot say it and
    `options.inexpressible` is "raise".
    """
    wire: dict[str, ir.Node] = {}
    source = Relations(graph.defs)
    ctx = Ctx(
        row,
        options,
        graph.defs,
        source,
        Relations(wire),
        wire,
        {},
        lower,
        {},
        [],
        [],
        [],
        {},
        {},
        {},
        {},
        row.keywords.annotations,
        set(),
        Known({}, {}),
    )
    if grant is not None:
        ctx.grant, ctx.lower = grant, _lower_granted
        if grant.whole is not None:
            ctx.defs = {}
    while ctx.any_name in graph.defs:
        ctx.any_name += "_"
    root = graph.root
    head = source.head(root)
    if type(head) is ir.Never:
        raise _unsatisfiable(head)
    ctx.top_options = head.options if type(head) is ir.Union else None
    ctx.top_fields = _top_fields(head)
    if ctx.defs:
        lower_definitions(root, ctx)
    ctx.room = room_of(ctx.row)
    node, step = ctx.lower(root, ctx)
    node, step = strictify_root(root, node, step, ctx)
    steps: dict[str, Step] = {name: s for name, s in ctx.steps.items() if s is not None}
    return Program(
        graph=ir.Graph(node, wire),
        step=step,
        steps=steps,
        arms=tuple(ctx.arms),
        notes=tuple(ctx.notes),
        further=frozenset(ctx.further),
        longest=ctx.longest,
    )


def _unsatisfiable(n: ir.Never) -> SchemaError:
    message = f"no value satisfies this schema ({n.reason}); check for contradicting keywords"
    return SchemaError(message, code="WS117", pointer=ir.pointer(n.at))


def _top_fields(head: ir.Node) -> tuple[ir.Field, ...] | None:
    if type(head) is ir.Union and "object" in head.implied:
        head = head.options[5]
    return head.fields if type(head) is ir.Object else None


_SCALARS: frozenset[type] = frozenset({ir.String, ir.Number, ir.Boolean})


def lower(n: ir.Node, ctx: Ctx) -> Lowered:
    """Dispatch to the rule of the node's kind, and point the notes that it made at the wire node."""
    if type(n) in _SCALARS and is_bare(n, ctx):
        return n, None
    loose = ctx.loose
    mark = len(loose)
    if type(n) is ir.Object:
        lowered = strictify_object(n, ctx)
    elif type(n) is ir.Ref:
        lowered = strictify_ref(n, ctx)
    elif type(n) is ir.Union:
        lowered = strictify_union(n, ctx)
    elif type(n) is ir.List:
        lowered = strictify_list(n, ctx)
    else:
        lowered = _rule(n, ctx)
    if len(loose) > mark:
        for note in loose[mark:]:
            note.node = lowered[0]
        del loose[mark:]
    return lowered


_Rest: TypeAlias = (
    ir.String
    | ir.Number
    | ir.Literal
    | ir.Boolean
    | ir.Null
    | ir.Any
    | ir.Tuple
    | ir.Refine
    | ir.Never
)


def _rule(n: _Rest, ctx: Ctx) -> Lowered:
    if type(n) is ir.String:
        return strictify_string(n, ctx)
    if type(n) is ir.Number:
        return strictify_number(n, ctx)
    if type(n) is ir.Boolean:
        ann = annotate(n, ctx)
        return (n if ann is n.ann else ir.Boolean(ann, n.at)), None
    if type(n) is ir.Literal:
        return strictify_literal(n, ctx)
    if type(n) is ir.Null:
        return _null(n, ctx)
    if type(n) is ir.Any:
        return strictify_any(n, ctx)
    if type(n) is ir.Tuple:
        return strictify_tuple(n, ctx)
    if type(n) is ir.Refine:
        return strictify_refine(n, ctx)
    if type(n) is ir.Never:
        return n, None
    assert_never(n)


def _lower_granted(n: ir.Node, ctx: Ctx) -> Lowered:
    """Lower a node under a grant, which may ask for JSON text."""
    grant = ctx.grant
    assert grant is not None
    why = grant.whole
    if why is None and grant.text and n.at is not None:  # a place is slow to look up
        why = grant.text.get(n.at)
    if grant.words is not None and n.ann and "description" in n.ann:
        size = len(n.ann["description"] or "")
        ctx.longest = max(ctx.longest, min(size, grant.words))
        if size > grant.words:
            n = _shortened(n, n.ann, grant.words, ctx)
    return lower(n, ctx) if why is None else strictify_text(n, why, ctx)


def _shortened(n: ir.Node, ann: Mapping[str, ir.Json], words: int, ctx: Ctx) -> ir.Node:
    """The node with the start of its description."""
    ctx.note("WS246", n, "description", value=words)
    text = ann["description"][: words - len(CUT)].rstrip() + CUT
    return with_ann(n, {**ann, "description": text})


def _null(n: ir.Null, ctx: Ctx) -> Lowered:
    """Null alone; a row that has no type for it gets a one-value enum."""
    if ctx.row.nullable.spelling in ("keyword", "absent"):
        ctx.note("WS224", n, "type")
        return ir.Literal(("null",), annotate(n, ctx), n.at), ("enum", (("null", None),))
    ann = annotate(n, ctx)
    return (n if ann is n.ann else ir.Null(ann, n.at)), None
