"""References and residual assertions: written where the row can say them, told and left to the gate where not.

{type: object, not: {required: [a, b]}}  ->  {type: object, description: "these must not be given together: a, b"}
"""

from __future__ import annotations

from dataclasses import replace

from wireshape import ir
from wireshape.strictify import describe
from wireshape.strictify.context import Ctx, Lowered, annotate
from wireshape.walk import CONTAINERS, LEAVES, children, joined, with_ann

_SMALL = 48
_HOPS = 16  # definitions written out inside one another


def strictify_ref(n: ir.Ref, ctx: Ctx) -> Lowered:
    """Lower a reference: kept, written out where the row has no definitions, or cut where it has no recursion."""
    name = ctx.names.get(n.name, n.name)
    if name is None:
        return _cut(n, ctx)
    while type(alias := ctx.wire.get(name)) is ir.Ref and not alias.ann and name in ctx.sizes:
        name = alias.name
    step = ("ref", name) if ctx.steps.get(name) is not None else None
    row = ctx.row.refs
    if not row.defs:
        size = ctx.sizes[name]
        if size > ctx.room or ctx.hops[name] >= _HOPS:
            return ctx.escape(
                n, f"{n.name!r}, too large to be written out here,", "refs.defs", "false"
            )
        ctx.room -= size
        ctx.hop = max(ctx.hop, ctx.hops[name])
        return _written_out(ctx.wire[name], annotate(n, ctx), ctx), step
    ann = annotate(n, ctx)
    if row.inline and name in ctx.sizes and _is_small(name, ctx):
        return _written_out(ctx.wire[name], ann, ctx), step
    if ann is n.ann and name == n.name:
        return beside(n, ctx), step
    return beside(ir.Ref(name, ann, n.at), ctx), step


def beside(n: ir.Node, ctx: Ctx) -> ir.Node:
    """A wire node with its text: the target of a reference is written out, where a row takes no text beside one."""
    row = ctx.row.refs
    if type(n) is not ir.Ref or not n.ann or row.siblings != "none" or row.sibling_fix != "inline":
        return n
    made_here = n.name not in ctx.defs and ctx.row.unions.siblings == "none"
    if (n.name in ctx.sizes or made_here) and _is_small(n.name, ctx):
        return _written_out(ctx.wire[n.name], n.ann, ctx)
    wrapped = ctx.row.unions.siblings != "none" and ctx.row.unions.any_of == "yes"
    return n if wrapped else _without_text(n, ctx)


def _without_text(n: ir.Ref, ctx: Ctx) -> ir.Ref:
    """A reference in a row that takes text neither beside it nor beside an `anyOf` around it."""
    for keyword in n.ann or ():
        ctx.note("WS231", n, keyword)
    return ir.Ref(n.name, at=n.at)


def _written_out(target: ir.Node, ann: ir.Ann, ctx: Ctx) -> ir.Node:
    """The target with the text of the reference in front of its own."""
    return carrying(target, joined(ann, target.ann), ctx)


def carrying(wire: ir.Node, ann: ir.Ann, ctx: Ctx) -> ir.Node:
    """A wire node with this text, which the first of several references carries where none may stand beside `anyOf`."""
    if (
        ann
        and type(wire) is ir.Union
        and ctx.row.unions.siblings == "none"
        and {type(o) for o in wire.options} == {ir.Ref}
    ):
        first, *rest = wire.options
        bearer = carrying(first, joined(ann, first.ann), ctx)
        return ir.Union((bearer, *rest), wire.exclusive, wire.implied, None, wire.at)
    return beside(with_ann(wire, ann), ctx)


def _is_small(name: str, ctx: Ctx) -> bool:
    """Whether writing the target out costs less than it is worth."""
    wire = ctx.wire[name]
    known = ctx.small.get(name)
    if known is None or known[0] is not wire:
        limits = ctx.row.limits
        hoisting = limits.depth is not None and limits.depth_scope == "definition"
        extent = _extent(wire, ctx, limits.depth or 0) if hoisting else _own_extent(wire)
        known = ctx.small[name] = (wire, extent)
    return known[1] is not None


def _extent(wire: ir.Node, ctx: Ctx, most: int) -> tuple[int, int] | None:
    """How many nodes a definition and all behind it hold, and how many containers inside one another.

    None where that is not small, or as deep as what is hoisted, which is to stay hoisted.
    """
    count = deepest = 0
    stack: list[tuple[ir.Node, int]] = [(wire, 0)]
    while stack:
        at, depth = stack.pop()
        if type(at) is ir.Ref and at.name in ctx.sizes:
            behind = ctx.wire[at.name]
            known = ctx.small.get(at.name)
            if known is None or known[0] is not behind:
                stack.append((behind, depth))
                continue
            if known[1] is None:
                return None
            count += known[1][0]
            depth += known[1][1]
        else:
            depth += type(at) in CONTAINERS
            count += 1
            for child in children(at):
                if type(child) in LEAVES:
                    count += 1
                elif type(child) is ir.Union and LEAVES.issuperset(map(type, child.options)):
                    count += 1 + len(child.options)  # optional texts, mostly: no need to come back
                else:
                    stack.append((child, depth))
        deepest = max(deepest, depth)
        if depth >= most or count + len(stack) > _SMALL:
            return None
    return count, deepest


def _own_extent(n: ir.Node) -> tuple[int, int] | None:
    """The same of a definition alone, where nesting does not matter."""
    count, stack = 1, [n]
    while stack:
        at = stack.pop()
        if type(at) is ir.Object and count + len(at.fields) >= _SMALL:
            return None
        below = children(at)
        count += len(below)
        if count > _SMALL:
            return None
        stack += [child for child in below if type(child) not in LEAVES]
    return count, 0


def _cut(n: ir.Ref, ctx: Ctx) -> Lowered:
    return ctx.json_text(n, n.name), ("json", bool(ctx.source.types(n) & 16))


def strictify_refine(n: ir.Refine, ctx: Ctx) -> Lowered:
    """Lower what the base says, then each assertion."""
    base = n.base
    if n.ann:
        base = replace(base, ann={**(base.ann or {}), **n.ann})
    wire, step = ctx.lower(base, ctx)
    kept: list[ir.Assertion] = []
    told: list[str] = []
    for a in n.assertions:
        if (
            not ctx.evaluating
            and a.keyword == "if"
            and type(a.nodes[1]) is ir.Any
            and type(a.nodes[2]) is ir.Any
        ):
            continue  # a condition without consequences
        said = _say(a, ctx) if step is None else None
        if said is not None:
            kept.append(said)
            continue
        code = (
            "WS229"
            if a.keyword.endswith("Of") or (step is not None and _supported(a, ctx))
            else "WS201"
        )
        ctx.lost(code, a, a.keyword, told, describe.assertion(a, ctx.defs), a.nodes)
    if told:
        wire = tell(wire, ctx, told)
    if not kept:
        return wire, step
    if type(wire) is ir.Refine:
        return replace(wire, assertions=(*wire.assertions, *kept)), step
    return ir.Refine(wire, tuple(kept), at=n.at), step


def tell(wire: ir.Node, ctx: Ctx, told: list[str]) -> ir.Node:
    """Add to the description of a wire node."""
    if "description" not in ctx.row.keywords.annotations:
        return wire
    ann = wire.ann or {}
    text = describe.join(ann.get("description"), told)
    return beside(replace(wire, ann={**ann, "description": text}), ctx)


def _supported(a: ir.Assertion, ctx: Ctx) -> bool:
    row = ctx.row.unions
    word = a.keyword
    if word == "not":
        return row.negation == "yes"
    if word == "if":
        return row.conditional == "yes"
    if word in ("dependentRequired", "dependentSchemas"):
        return row.dependent == "yes"
    if word == "contains":
        return ctx.row.arrays.contains == "yes"
    if word == "anyOf":
        return row.any_of == "yes" and row.siblings == "any" and row.all_of == "yes"
    if word == "oneOf":
        return row.one_of == "yes" and row.siblings == "any" and row.all_of == "yes"
    if word == "multipleOf":
        return ctx.row.numbers.multiple_of == "yes" and row.all_of == "yes"
    if word in ("unevaluatedProperties", "unevaluatedItems"):
        return row.unevaluated == "yes" and row.all_of == "yes"
    return row.all_of == "yes"


def _say(a: ir.Assertion, ctx: Ctx) -> ir.Assertion | None:
    """The assertion on wire nodes, when each part is said exactly and unchanged in shape."""
    if not _supported(a, ctx):
        return None
    mark = len(ctx.notes)
    nodes: list[ir.Node] = []
    before = ctx.evaluating, ctx.asserting
    ctx.evaluating, ctx.asserting = ctx.evaluating or a.keyword.startswith("unevaluated"), True
    exact = True
    for part in a.nodes:
        wire, step = (part, None) if type(part) is ir.Never else ctx.lower(part, ctx)
        exact = exact and step is None and ctx.all_exact(mark)
        nodes.append(wire)
    ctx.evaluating, ctx.asserting = before
    if not exact:
        del ctx.notes[mark:]
        return None
    return replace(a, nodes=tuple(nodes))
