"""Unions of wire nodes: flattened, nullable, boxed, and constants folded where the row only enforces one enum."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TypeGuard

from wireshape import ir
from wireshape.relate import ALL
from wireshape.strictify import describe
from wireshape.strictify.context import Ctx
from wireshape.strictify.refine import beside
from wireshape.walk import distinct, is_plain_text, is_unbounded, joined, json_key, with_ann

_HOPS = 16
_NULL = ir.Null()
_TEXT_OR_NULL = (ir.String(), _NULL)
_FLAG_OR_NULL = (ir.Boolean(), _NULL)
_INTEGER_OR_NULL = (ir.Number(integer=True), _NULL)
_NUMBER_OR_NULL = (ir.Number(), _NULL)


def union_of(options: list[ir.Node], ctx: Ctx) -> ir.Node:
    """Join wire nodes in a plain union, flattened and without repeats."""
    if len(options) == 1 and type(options[0]) is not ir.Union:
        return options[0]
    arms = options if ctx.row.unions.siblings != "none" else [_sunk(o, ctx) for o in options]
    flat = distinct([part for arm in arms for part in (arm.options if is_plain(arm) else (arm,))])
    free = absorbing(flat, ctx)
    if free is not None:
        return ir.Any(free.ann, free.at)
    if ctx.row.unions.fold_constants:
        flat = _folded(flat, ctx)
    return flat[0] if len(flat) == 1 else ir.Union(tuple(flat))


def _folded(flat: list[ir.Node], ctx: Ctx) -> list[ir.Node]:
    """The arms with those that only list texts, by themselves or behind a reference, as one."""
    listed = {i: found for i, arm in enumerate(flat) if (found := _texts(arm, ctx)) is not None}
    if len(listed) < 2:
        return flat
    enum, _ = ctx.lower(fold(list(listed.values())), ctx)  # together they may be too many
    first = next(iter(listed))
    return [
        enum if i == first else arm for i, arm in enumerate(flat) if i not in listed or i == first
    ]


def _texts(arm: ir.Node, ctx: Ctx) -> ir.Literal | None:
    if type(arm) is ir.Ref and arm.name not in ctx.sizes:
        return None  # it is recursive, and so no list of texts
    found = constants(arm, ctx.wire)
    return found if found and all([type(v) is str for v in found.values]) else None


def constants(arm: ir.Node, defs: Mapping[str, ir.Node]) -> ir.Literal | None:
    """What an arm lists, by itself or behind references, with the texts on the way; None where it does not just list values.

    >>> constants(ir.Ref("A", {"title": "t"}), {"A": ir.Literal(("a",))})
    Literal(values=('a',), ann={'title': 't'}, at=None)
    """
    ann = arm.ann
    for _ in range(_HOPS):
        if type(arm) is not ir.Ref:
            break
        arm = defs[arm.name]
        ann = joined(ann, arm.ann)
    if type(arm) is not ir.Literal:
        return None
    return arm if ann is arm.ann else ir.Literal(arm.values, ann, arm.at)


def absorbing(wires: list[ir.Node], ctx: Ctx) -> ir.Node | None:
    """The first arm that admits everything, and so makes a union of it."""
    if ctx.evaluating:
        return None
    for wire in wires:
        if type(wire) is ir.Any:
            return wire
        if type(wire) is ir.Ref and ctx.target.types(wire) == ALL:
            ctx.consulted = ctx.consulted or wire.name not in ctx.sizes
            if type(ctx.target.head(wire)) is ir.Any:
                return wire
    return None


def _sunk(n: ir.Node, ctx: Ctx) -> ir.Node:
    """Give the text of a union to its first arm, where nothing may stand beside `anyOf`."""
    if type(n) is not ir.Union or not n.ann or n.exclusive or n.implied:
        return n
    first, *rest = n.options
    bearer = beside(with_ann(first, {**(first.ann or {}), **n.ann}), ctx)
    return ir.Union((bearer, *rest), at=n.at)


def is_plain(n: ir.Node) -> TypeGuard[ir.Union]:
    """Tell whether the arms of `n` may stand for `n` itself inside another union."""
    return type(n) is ir.Union and not n.exclusive and not n.ann and not n.implied


def fold(literals: list[ir.Literal]) -> ir.Literal:
    """Make one enum of several; what each constant was said to mean goes to the description.

    >>> fold([ir.Literal(("a",), {"title": "first"}), ir.Literal(("b",))]).ann
    {'description': '"a": first'}
    """
    values: dict[Hashable, ir.Json] = {}
    said: list[str] = []
    for literal in literals:
        for value in literal.values:
            values.setdefault(json_key(value), value)
        ann = literal.ann or {}
        text = ann.get("description") or ann.get("title")
        if text:
            said.append(f"{', '.join([describe.compact(v) for v in literal.values])}: {text}")
    return ir.Literal(
        tuple(values.values()), {"description": "; ".join(said)} if said else None, literals[0].at
    )


def nullable(wire: ir.Node) -> ir.Node:
    """`wire` or null, with the annotations on the outside."""
    ann = wire.ann
    if type(wire) is ir.String and is_plain_text(wire):  # the commonest by far
        return ir.Union(_TEXT_OR_NULL, False, (), ann, wire.at)
    if type(wire) is ir.Boolean:
        return ir.Union(_FLAG_OR_NULL, False, (), ann, wire.at)
    if type(wire) is ir.Number and is_unbounded(wire):
        either = _INTEGER_OR_NULL if wire.integer else _NUMBER_OR_NULL
        return ir.Union(either, False, (), ann, wire.at)
    bare = wire if ann is None else with_ann(wire, None)
    if type(bare) is ir.Union and is_plain(bare):
        return ir.Union((*bare.options, _NULL), False, (), ann, wire.at)
    return ir.Union((bare, _NULL), False, (), ann, wire.at)


def boxed(wire: ir.Node) -> ir.Node:
    """Null, or `{"value": wire}`."""
    box = ir.Object((ir.Field("value", with_ann(wire, None), required=True),), ir.Never())
    return ir.Union((ir.Null(), box), ann=wire.ann, at=wire.at)
