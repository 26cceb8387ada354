"""The root: what a row does not let stand there is wrapped in an object, or stripped of what may not stand beside its keys.

["a"]  ->  {"value": ["a"]}     step ("wrap", "value", None, False), WS225
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeGuard

from wireshape import ir
from wireshape.emit import stacks
from wireshape.relate import OBJECT
from wireshape.step import Step
from wireshape.strictify.cases import placed
from wireshape.strictify.context import Ctx, Lowered


def strictify_root(root: ir.Node, node: ir.Node, step: Step, ctx: Ctx) -> Lowered:
    """Wrap what may not stand at the root; `node` and `step` are what `root` was lowered to."""
    row = ctx.row.root
    while type(node) is ir.Ref and (row.object_only or not row.ref):
        target = ctx.wire[node.name]
        if not node.ann and type(target) is not ir.Ref:
            break
        node = replace(target, ann={**(target.ann or {}), **(node.ann or {})} or None)
    head = ctx.wire[node.name] if type(node) is ir.Ref else node
    if _may_stand(head, ctx):
        return (_bare(root, head, ctx) if row.bare else node), step
    if row.object_only and row.unions and _are_objects(head, ctx):
        arms = ir.Assertion("oneOf" if head.exclusive else "anyOf", nodes=head.options)
        return ir.Refine(
            ir.Object((), ir.Any(), open=True, ann=head.ann), (arms,), at=head.at
        ), step
    ctx.note("WS225", placed(root), "", value=row.wrap_key)
    if row.bare:
        ctx.note("WS230", placed(root), "", dialect=ctx.row.id)
    field = ir.Field(row.wrap_key, node, required=True)
    wrapped = ir.Object((field,), ir.Any() if row.bare else ir.Never(), open=row.bare)
    return wrapped, ("wrap", row.wrap_key, step, bool(ctx.source.types(root) & OBJECT))


def _may_stand(head: ir.Node, ctx: Ctx) -> bool:
    row = ctx.row.root
    if row.object_only and type(ctx.target.head(head)) is not ir.Object:
        return False
    if row.bare and not _is_bare(head):
        return False
    if row.unions:
        return True
    if type(head) is ir.Refine:
        return not stacks(head) and not any([a.keyword.endswith("Of") for a in head.assertions])
    return type(head) is not ir.Union


def _are_objects(head: ir.Node, ctx: Ctx) -> TypeGuard[ir.Union]:
    """Whether `type: object` may stand beside the arms of a union."""
    return type(head) is ir.Union and not head.implied and ctx.target.types(head) == OBJECT


def _is_bare(head: ir.Node) -> bool:
    """Whether fields say all that an object says, apart from its text and from being closed."""
    if type(head) is not ir.Object or head.patterns or head.names is not None:
        return False
    if head.min_properties or head.max_properties is not None:
        return False
    return type(head.extras) is ir.Never or (type(head.extras) is ir.Any and not head.extras.ann)


def _bare(root: ir.Node, head: ir.Node, ctx: Ctx) -> ir.Node:
    """The root object with its keys alone: no text, and open, since nothing there could close it."""
    assert type(head) is ir.Object, "nothing else may stand at a bare root"
    for keyword in head.ann or ():
        ctx.note("WS231", placed(root), keyword)
    if type(head.extras) is ir.Never:
        ctx.note("WS230", placed(root), "additionalProperties", dialect=ctx.row.id)
    return ir.Object(head.fields, ir.Any(), open=True, at=head.at)
