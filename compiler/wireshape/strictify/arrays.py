"""Lists and tuples: bounds that the row can say stay, positions are spelled the way the row spells them.

prefixItems: [A, B], items: false  ->  {"0": A, "1": B}     step ("numbered", ...), WS217
"""

from __future__ import annotations

from dataclasses import replace

from wireshape import ir
from wireshape.relate import OBJECT
from wireshape.step import Step
from wireshape.strictify import describe
from wireshape.strictify.context import Ctx, Lowered, annotate, placed
from wireshape.strictify.joins import boxed, nullable, union_of
from wireshape.strictify.scalars import weaken


def strictify_list(n: ir.List, ctx: Ctx) -> Lowered:
    """Lower a list; items that may be anything stay unsaid where the row lets them."""
    if type(n.items) is ir.Never:
        return strictify_list(replace(n, items=ir.Null(), max_items=0, min_items=0), ctx)
    if ctx.row.root.flat and not _lists_strings(ctx.source.head(n.items)):
        return ctx.escape(n, "a list", "root.flat", "true")
    bare = type(n.items) is ir.Any and not n.items.ann and not ctx.row.arrays.items_required
    items, step = (n.items, None) if bare else ctx.lower(n.items, ctx)
    if not n.min_items and n.max_items is None and not n.unique:
        ann = annotate(n, ctx)
        wire = n if items is n.items and ann is n.ann else ir.List(items, 0, None, False, ann, n.at)
        return wire, (None if step is None else ("list", step))
    told: list[str] = []
    low, high, unique = bounds(n, ctx, items, told, identity=step is None)
    wire = ir.List(items, low, high, unique, annotate(n, ctx, told), n.at)
    return wire, (None if step is None else ("list", step))


def _lists_strings(items: ir.Node) -> bool:
    return type(items) is ir.Literal and all([type(v) is str for v in items.values])


def bounds(
    n: ir.List | ir.Tuple | ir.Object, ctx: Ctx, items: ir.Node, told: list[str], *, identity: bool
) -> tuple[int, int | None, bool]:
    """The array bounds that the row can say, for an array of wire `items` that stands for `n`."""
    row = ctx.row.arrays
    words = ("minProperties", "maxProperties") if type(n) is ir.Object else ("minItems", "maxItems")
    low, high = (
        (n.min_properties, n.max_properties) if type(n) is ir.Object else (n.min_items, n.max_items)
    )
    unique = type(n) is not ir.Object and n.unique
    if not low and high is None and not unique:
        return 0, None, False
    allowed = row.object_bounds or not ctx.target.types(items) & OBJECT or type(items) is ir.Any
    if low and (row.min_items == "0-1" or row.bound_max is not None) and allowed:
        most = 1 if row.min_items == "0-1" else row.bound_max
        if most is not None and low > most:
            weaken(n, ctx, words[0], low, most, told)
            low = most
    if low and (row.min_items in ("no", "ignored") or not allowed):
        ctx.drop(n, words[0], low, told)
        low = 0
    if high is not None:
        beyond = row.bound_max is not None and high > row.bound_max
        if row.max_items != "yes" or beyond or not allowed:
            ctx.drop(n, words[1], high, told)
            high = None
    if high is not None and ctx.grant is not None and n.at in ctx.grant.unbounded:
        why = ctx.grant.unbounded[n.at].fields()
        ctx.lost("WS245", n, words[1], told, describe.phrase(words[1], high), value=high, **why)
        high = None
    if unique and row.unique != "yes":
        ctx.drop(n, "uniqueItems", True, told)
        unique = False
    elif unique and not identity:
        ctx.lost("WS229", n, "uniqueItems", told, describe.phrase("uniqueItems"))
    return low, high, unique


def strictify_tuple(n: ir.Tuple, ctx: Ctx) -> Lowered:
    """Lower an array with a schema per position."""
    n = _canonical(n)
    row = ctx.row.tuples
    if not n.prefix:
        items: ir.Node = n.rest
        return ctx.lower(ir.List(items, n.min_items, n.max_items, n.unique, n.ann, n.at), ctx)
    if ctx.row.root.flat:
        return ctx.escape(n, "a list", "root.flat", "true")
    if row.encoding == "items-union" and _same(n):
        return strictify_list(
            ir.List(n.prefix[0], n.min_items, _most(n), n.unique, n.ann, n.at), ctx
        )
    if (
        row.same_as_list
        and _same(n)
        and ctx.row.arrays.max_items == "yes"
        and ctx.row.arrays.min_items == "yes"
    ):
        return strictify_list(
            ir.List(n.prefix[0], n.min_items, _most(n), n.unique, n.ann, n.at), ctx
        )
    fixed = type(n.rest) is ir.Never and n.min_items == len(n.prefix) and not n.unique
    if row.encoding == "prefix-items" or (row.encoding == "fixed-prefix-items" and fixed):
        return _prefix(n, ctx)
    if row.encoding in ("numbered-object", "fixed-prefix-items"):
        return _numbered(n, ctx)
    return _items_union(n, ctx)


def _canonical(n: ir.Tuple) -> ir.Tuple:
    """Close a tuple whose bounds, or a position that can hold nothing, leave no room for more items."""
    dead = next((i for i, p in enumerate(n.prefix) if type(p) is ir.Never), None)
    if dead is not None:
        n = replace(n, prefix=n.prefix[:dead], rest=ir.Never(), max_items=None)
    if n.max_items is not None and n.max_items <= len(n.prefix):
        return replace(n, prefix=n.prefix[: n.max_items], rest=ir.Never(), max_items=None)
    return n


def _most(n: ir.Tuple) -> int | None:
    return len(n.prefix) if type(n.rest) is ir.Never else n.max_items


def _same(n: ir.Tuple) -> bool:
    first = n.prefix[0]
    return all([p == first for p in n.prefix]) and (type(n.rest) is ir.Never or n.rest == first)


def _prefix(n: ir.Tuple, ctx: Ctx) -> Lowered:
    lowered = [ctx.lower(p, ctx) for p in n.prefix]
    rest, rest_step = _rest(n, ctx)
    step: Step = None
    if rest_step is not None or any([s is not None for _, s in lowered]):
        step = ("tuple", tuple([s for _, s in lowered]), rest_step)
    told: list[str] = []
    low, high, unique = bounds(n, ctx, rest, told, identity=step is None)
    wire = ir.Tuple(
        tuple([w for w, _ in lowered]), rest, low, high, unique, annotate(n, ctx, told), n.at
    )
    return wire, step


def _rest(n: ir.Tuple, ctx: Ctx) -> Lowered:
    bare = type(n.rest) is ir.Any and not n.rest.ann and not ctx.row.arrays.items_required
    if type(n.rest) is ir.Never or bare:
        return n.rest, None
    return ctx.lower(n.rest, ctx)


def _numbered(n: ir.Tuple, ctx: Ctx) -> Lowered:
    """An object with keys "0" to "n-1", and "rest" for what may follow."""
    ctx.note("WS217", n, "prefixItems")
    objects, has_rest = ctx.row.objects, type(n.rest) is not ir.Never
    all_required = objects.all_required or (
        objects.some_required and not n.min_items and not has_rest
    )
    fields: list[ir.Field] = []
    steps: list[tuple[Step, bool]] = []
    for i, item in enumerate(n.prefix):
        wire, step = ctx.lower(item, ctx)
        optional = i >= n.min_items
        if optional and all_required:
            if ctx.target.admits_null(wire):
                wire, step = boxed(wire), ("wrap", "value", step, False)
            else:
                wire = nullable(wire)
        fields.append(ir.Field(str(i), wire, all_required or not optional))
        steps.append((step, optional))
    rest_step: Step = None
    if has_rest:
        size = len(n.prefix)
        high = None if n.max_items is None else n.max_items - size
        tail = ir.List(n.rest, max(0, n.min_items - size), high, at=n.at)
        wire, rest_step = ctx.lower(tail, ctx)
        fields.append(ir.Field("rest", wire, required=True))
    told: list[str] = []
    if n.unique:
        ctx.drop(n, "uniqueItems", True, told)
    ann = annotate(n, ctx, told)
    wire = ir.Object(tuple(placed(fields, ctx)), ir.Never(), ann=ann, at=n.at)
    return wire, ("numbered", tuple(steps), has_rest, rest_step, all_required)


def _items_union(n: ir.Tuple, ctx: Ctx) -> Lowered:
    """A list of any of the positions; which position an item fits is the gate's question."""
    told: list[str] = []
    lowered = [ctx.lower(p, ctx) for p in n.prefix]
    steps = tuple([s for _, s in lowered])
    rest_step: Step = None
    options: list[ir.Node] = [w for w, _ in lowered]
    if type(n.rest) is not ir.Never:
        wire, rest_step = ctx.lower(n.rest, ctx)
        options.append(wire)
    items = union_of(options, ctx)
    closed = type(n.rest) is ir.Never
    words = [describe.kind(p) for p in n.prefix]
    ctx.lost(
        "WS218",
        n,
        "prefixItems",
        told,
        ("in order: " if closed else "first, in order: ") + ", ".join(words),
    )
    whole = replace(n, max_items=_most(n))
    exactly = closed and n.min_items == len(n.prefix)
    low, high, unique = bounds(whole, ctx, items, [] if exactly else told, identity=True)
    identity = rest_step is None and not any([s is not None for s in steps])
    wire = ir.List(items, low, high, unique, annotate(n, ctx, told), n.at)
    return wire, (None if identity else ("tuple", steps, rest_step))
