"""Arbitrary values: the row's spelling of "any", which must tell its objects from its lists.

{}  ->  {$ref: Any}, Any = string | number | boolean | null | [Any] | {entries: [{key, value: Any}]}
"""

from __future__ import annotations

from wireshape import ir, relate
from wireshape.errors import InexpressibleError
from wireshape.grant import Excess
from wireshape.step import Step
from wireshape.strictify import describe
from wireshape.strictify.context import Ctx, Lowered, annotate
from wireshape.strictify.refine import beside


def strictify_any(n: ir.Any, ctx: Ctx) -> Lowered:
    """Lower a schema that accepts everything."""
    encoding = ctx.row.anything.encoding
    if encoding == "empty":
        ann = annotate(n, ctx)
        return (n if ann is n.ann else ir.Any(ann, n.at)), None
    if encoding == "flat":
        return ir.Union(_FLAT, ann=annotate(n, ctx), at=n.at), None
    if encoding == "recursive":
        ctx.note("WS219", n, "", dialect=ctx.row.id)
        name = _definition(ctx)
        step = ("ref", name) if ctx.steps[name] is not None else None
        return beside(ir.Ref(name, annotate(n, ctx), n.at), ctx), step
    if ctx.options.inexpressible == "raise":
        message = f"any value cannot be said in {ctx.row.id} (anything.encoding = {encoding!r}); give it a type, or allow JSON text"
        raise InexpressibleError(message, code="WS220", pointer=ir.pointer(n.at))
    ctx.note("WS220", n, "", field="anything.encoding", value=encoding)
    return ctx.json_text(n, "any JSON value"), ("json", True)


def strictify_text(n: ir.Node, why: Excess, ctx: Ctx) -> Lowered:
    """Send a node as JSON text, because of a limit."""
    what = describe.kind(n)
    if ctx.options.inexpressible == "raise":
        message = f"{why.what} is {why.count}, over the limit of {why.limit} of {ctx.row.id} (limits.{why.rule}); split the schema, choose another dialect or allow JSON text"
        raise InexpressibleError(message, code="WS221", pointer=ir.pointer(n.at))
    wire = ctx.json_text(n, what)
    field = f"{why.what} is {why.count}, limits.{why.rule}"
    rules = ctx.rules([n])
    ctx.note("WS221", n, "type", on=wire, what=what, field=field, value=why.limit, rules=rules)
    return wire, ("json", bool(ctx.source.types(n) & relate.STRING))


_FLAT: tuple[ir.Node, ...] = (
    ir.String(),
    ir.Number(),
    ir.Boolean(),
    ir.Null(),
    ir.List(ir.Any()),
    ir.Object((), ir.Any(), open=False),
)


def _definition(ctx: Ctx) -> str:
    """Make the recursive definition once; a user's own `Any` keeps its name."""
    name = ctx.any_name
    if name not in ctx.wire:
        me = ir.Ref(name)
        if ctx.row.objects.extras == "schema":
            anything = ir.Object((), me, open=False)
            scalars = (ir.String(), ir.Number(), ir.Boolean(), ir.Null())
            ctx.wire[name] = ir.Union((*scalars, ir.List(me), anything))
            ctx.steps[name] = None
            return name
        pair = ir.Object(
            (ir.Field("key", ir.String(), required=True), ir.Field("value", me, required=True)),
            ir.Never(),
        )
        entries = ir.Object((ir.Field("entries", ir.List(pair), required=True),), ir.Never())
        ctx.wire[name] = ir.Union(
            (ir.String(), ir.Number(), ir.Boolean(), ir.Null(), ir.List(me), entries)
        )
        step: Step = ("ref", name)
        arms = (
            (relate.STRING, relate.STRING, None, None, -1),
            (relate.NUMBER, relate.NUMBER, None, None, -1),
            (relate.BOOLEAN, relate.BOOLEAN, None, None, -1),
            (relate.NULL, relate.NULL, None, None, -1),
            (relate.ARRAY, relate.ARRAY, None, ("list", step), -1),
            (relate.OBJECT, relate.OBJECT, None, ("pairs", (), step, True), -1),
        )
        ctx.steps[name] = ("union", arms, None, None)
    return name
