"""Optional fields as an array of entries: one union of closed objects, however many fields there are.

{a?: string, b?: string | null}  ->  [{field: "a", value: string} | {field: "b", value: string} | {field: "b", value: null}]

An alternative of a field has an entry of its own, so that no `value` is a union where that can be helped; fields with
the same plain value share one.
"""

from __future__ import annotations

from dataclasses import replace

from wireshape import ir
from wireshape.step import Step
from wireshape.strictify.context import Ctx, annotate
from wireshape.walk import LEAVES, joined, with_ann

_ONCE = "each field at most once; leave out what does not apply"
_FEW = 8
_NEVER = ir.Never()


def entries(
    fields: list[ir.Field], n: ir.Object, ctx: Ctx
) -> tuple[ir.List, tuple[tuple[str, Step], ...]]:
    """Lower the optional fields of an object to the array of their entries, and tell the step of each field."""
    steps: list[tuple[str, Step]] = []
    shared: dict[str, tuple[list[str], ir.Node, ir.Ann]] = {}
    for f in fields:
        wire, step = ctx.lower(f.node, ctx)
        steps.append((f.key, step))
        alone: list[tuple[ir.Node, ir.Ann]] = []
        for value, ann in alternatives(wire, ctx):
            alike = _likeness(value) if not ann else None
            if alike is None:
                if (value, ann) in alone:
                    continue
                alone.append((value, ann))
                alike = f"{len(alone)} {f.key}"
            names, _, _ = shared.setdefault(alike, ([], value, ann))
            if f.key not in names[-1:]:
                names.append(f.key)
    arms: list[ir.Node] = []
    most = ctx.row.enums.max_values
    for names, value, ann in shared.values():
        size = len(names) if most is None else most
        for start in range(0, len(names), size):
            field = ir.Field("field", ir.Literal(tuple(names[start : start + size])), True)
            parts = (field, ir.Field("value", value, True))
            arms.append(ir.Object(parts, _NEVER, ann=ann))
    told = [_ONCE] if ctx.options.describe else []
    ann = annotate(ir.Null(at=n.at), ctx, told)
    items = arms[0] if len(arms) == 1 else ir.Union(tuple(arms))  # no two are equal
    return ir.List(items, ann=ann, at=n.at), tuple(steps)


def alternatives(wire: ir.Node, ctx: Ctx) -> list[tuple[ir.Node, ir.Ann]]:
    """The values that may each have an entry of their own, with the text that goes to the entry."""
    head = wire
    if type(wire) is ir.Ref:
        target = ctx.wire[wire.name]
        if type(target) is ir.Union and _is_short(target):
            head = with_ann(target, joined(wire.ann, target.ann))
        elif wire.ann:
            return [(ir.Ref(wire.name, None, wire.at), wire.ann)]
    if type(head) is not ir.Union or head.exclusive or head.implied:
        return [(wire, None)]
    if ctx.row.nullable.spelling == "keyword":
        return [(wire, None)]
    return [
        part if part[1] else (part[0], None if type(option) is ir.Null else head.ann)
        for option in head.options
        for part in alternatives(option, ctx)
    ]


def _is_short(union: ir.Union) -> bool:
    return len(union.options) <= _FEW and all(
        [type(o) in LEAVES or type(o) is ir.Ref for o in union.options]
    )


def _likeness(n: ir.Node) -> str | None:
    """A text that equals that of another node only if the two are the same; `None` for what holds nodes."""
    if type(n) is ir.Ref:
        return f"Ref {n.name}" if not n.ann else None
    if type(n) is ir.String:  # the commonest by far
        return repr((n.min_length, n.max_length, n.patterns, n.formats, n.ann))
    return repr(replace(n, at=None)) if type(n) in LEAVES else None
