"""Objects: fields made required or left out, keys renamed, the object closed or its undeclared keys sent as pairs.

{a?: string}, closed  ->  {a: string | null}, closed     step ("object", (("a", "a", None, "null"),), None, None)
"""

from __future__ import annotations

import re
from dataclasses import replace

from wireshape import ir
from wireshape.grant import Excess
from wireshape.names import readable
from wireshape.relate import NEVER_NULL
from wireshape.step import Mode, Step
from wireshape.strictify import describe
from wireshape.strictify.context import Ctx, Lowered, annotate, placed
from wireshape.strictify.entries import entries
from wireshape.strictify.grammars import says_sizes, writes_grammar
from wireshape.strictify.joins import boxed, nullable
from wireshape.strictify.maps import also_named, keyed_fields, open_extras, pairs, reads_patterns
from wireshape.walk import is_closed, joined, with_ann

_KEY_LENGTH = 64
_STEM = 56
_NEVER = ir.Never()


def strictify_object(n: ir.Object, ctx: Ctx) -> Lowered:
    """Lower an object, or a map when it has no fields."""
    row = ctx.row.objects
    top = n.fields is ctx.top_fields
    closing = row.extras in ("false", "unsaid")
    n = _declare(n, ctx)
    if closing and n.open and _lists(n) and ctx.options.open_objects == "close" and ctx.narrowing:
        ctx.mark("WS213", n, "additionalProperties")
        n = _answered(n, _NEVER)
    elif n.open and row.absent_means == "closed":
        n = _answered(n, n.extras)  # it is written out, and so reads the same as one that said so
    if n.names is not None and row.property_names != "yes" and is_closed(n):
        n = replace(n, names=None)  # it has had its say on the declared keys
    closed = is_closed(n)
    plain = closed or not (
        closing or n.patterns or n.names is not None or type(n.extras) is not ir.Any or n.extras.ann
    )
    if ctx.row.root.flat and not (top and plain):
        return ctx.escape(n, "an object", "root.flat", "true")
    if not n.fields and not plain and (closing or _key_rule(n, ctx)):
        return pairs(n, ctx)
    if closed and not n.fields and not row.empty:
        return ctx.lower(ir.Literal(({},), n.ann, n.at), ctx)
    rename = _renames(n, ctx) if top or row.key_scope == "all" else {}
    if rename:
        n = _without_dead(n, rename, ctx)
    told: list[str] = []
    if closed and row.extras == "unsaid" and row.absent_means == "open":
        ctx.lost("WS230", n, "additionalProperties", told, "no other keys")
    if ctx.grant is not None and n.at in ctx.grant.entries:
        moves = any([not f.required and type(f.node) is not ir.Never for f in n.fields])
        if moves and (closed or (not plain and (closing or _key_rule(n, ctx)))):
            return _gathered(n, ctx.grant.entries[n.at], ctx, told, plain=plain, rename=rename)
    return _fields(n, ctx, told, plain=plain, rename=rename)


def _lists(n: ir.Object) -> bool:
    """Whether the object says which keys it has, if only none, so that closing it leaves what is meant."""
    if n.fields or any([type(p.node) is not ir.Never for p in n.patterns]):
        return True
    return n.listed and not n.patterns and n.names is None and not n.min_properties


def _gathered(
    n: ir.Object, why: Excess, ctx: Ctx, told: list[str], *, plain: bool, rename: dict[str, str]
) -> Lowered:
    """The object with its optional fields as entries beside the others."""
    kept = tuple([f for f in n.fields if f.required or type(f.node) is ir.Never])
    moved = [f for f in n.fields if not (f.required or type(f.node) is ir.Never)]
    if n.min_properties > len(kept):
        ctx.drop(n, "minProperties", n.min_properties, told)
    if n.max_properties is not None and (n.max_properties < len(n.fields) or not is_closed(n)):
        ctx.drop(n, "maxProperties", n.max_properties, told)
    key = _free_key("optional", {f.key for f in n.fields} | set(rename.values()))
    rest = ir.Object(kept, n.extras, n.open, n.patterns, n.names, 0, None, n.ann, n.at, n.listed)
    staying = {f.key: rename[f.key] for f in kept if f.key in rename}
    wire, step = _fields(rest, ctx, told, plain=plain, rename=staying)
    assert type(wire) is ir.Object
    if step is not None and step[2] is not None:
        _, touched, (name, unpack, _), others = step
        step = ("object", touched, (name, unpack, tuple([f.key for f in n.fields])), others)
    listed, steps = entries(moved, n, ctx)
    ctx.note("WS242", n, "required", on=listed, value=key, **why.fields())
    fields = (*wire.fields, ir.Field(key, listed, required=True))
    sizes = wire.min_properties, wire.max_properties
    wire = ir.Object(
        fields, wire.extras, wire.open, wire.patterns, wire.names, *sizes, wire.ann, wire.at
    )
    return wire, ("entries", key, steps, step)


def _without_dead(n: ir.Object, rename: dict[str, str], ctx: Ctx) -> ir.Object:
    """A key that must not be given, and that the row does not let us name, is left to the gate."""
    dead = [f for f in n.fields if type(f.node) is ir.Never and f.key in rename]
    for f in dead:
        ctx.note("WS230", f.node, "properties", dialect=ctx.row.id)
    return replace(n, fields=tuple([f for f in n.fields if f not in dead])) if dead else n


def _answered(n: ir.Object, extras: ir.Node) -> ir.Object:
    """The object with the question of undeclared keys answered."""
    sizes = n.min_properties, n.max_properties
    return ir.Object(n.fields, extras, False, n.patterns, n.names, *sizes, n.ann, n.at)


def _key_rule(n: ir.Object, ctx: Ctx) -> bool:
    """Whether pairs can enforce a rule on keys that an open object of this row cannot."""
    row = ctx.row
    patterns = bool(n.patterns) and not reads_patterns(n, ctx)
    names = type(n.names) is ir.String and row.objects.property_names != "yes"
    return (patterns or names) and row.strings.pattern == "yes"


def _declare(n: ir.Object, ctx: Ctx) -> ir.Object:
    """Drop fields that can hold nothing, and turn a closed list of allowed keys into fields."""
    if n.names is not None and (ctx.row.objects.property_names != "yes" or writes_grammar(ctx)):
        n = keyed_fields(n, ctx)
    if any([type(f.node) is ir.Never for f in n.fields]):
        row = ctx.row.objects
        live = n.patterns or any([type(f.node) is not ir.Never for f in n.fields])
        closes = live and n.open and row.extras != "schema"
        closes = closes and ctx.options.open_objects == "close"
        if not is_closed(n) and (n.patterns or not closes):
            if row.extras == "schema" and ctx.row.keywords.boolean_schemas:
                return n
            for f in n.fields:
                if type(f.node) is ir.Never:
                    ctx.note("WS230", f.node, "properties", dialect=ctx.row.id)
        n = replace(n, fields=tuple([f for f in n.fields if type(f.node) is not ir.Never]))
    return n


def _fields(
    n: ir.Object, ctx: Ctx, told: list[str], *, plain: bool, rename: dict[str, str]
) -> Lowered:
    beside = not plain and (ctx.row.objects.extras in ("false", "unsaid") or _key_rule(n, ctx))
    enough = _enough(n) if ctx.row.objects.some_required and not beside else None
    fields, touched = _declared(n, ctx, rename, enough)
    extras: tuple[str, Step, tuple[str, ...]] | None = None
    others: Step = None
    wire_extras, patterns, names, is_open = n.extras, n.patterns, n.names, n.open
    if not plain:
        if beside:
            key = _free_key("extras", {f.key for f in fields} | {f.key for f in n.fields})
            rest = replace(n, fields=(), min_properties=0, max_properties=None, ann=None)
            node, unpack = pairs(rest, ctx, beside=True)
            ctx.note("WS215", n, "additionalProperties", value=key)
            fields.append(ir.Field(key, node, required=True))
            extras = (key, unpack, tuple([f.key for f in n.fields]))
            wire_extras, patterns, names, is_open = ir.Never(), (), None, False
        else:
            wire_extras, patterns, names, others = open_extras(
                n,
                ctx,
                told,
                tuple([f.key for f in fields]),
                {key: step for _, key, step, _ in touched if step is not None},
            )
            if rename and names is not None:
                names = also_named(names, rename, ctx)
    if rename and not (extras is not None or is_closed(n)):
        ctx.lost("WS230", n, "properties", told, "no other keys named " + ", ".join(rename))
        ctx.note("WS232", n, "properties", value=", ".join(rename.values()))
    fields = placed(fields, ctx)
    low, high = n.min_properties, n.max_properties
    if low or high is not None:
        modes = {key: mode for key, _, _, mode in touched if mode != "keep"}
        moved = extras is not None or bool(modes)
        padded = extras is None and {f.required for f in fields if f.key in modes} == {False}
        padded = padded and set(modes.values()) == {"null"}
        low, high = _sizes(n, ctx, told, moved=moved, padded=padded)
    step = (
        ("object", tuple(touched), extras, others)
        if touched or extras is not None or others is not None
        else None
    )
    ann = annotate(n, ctx, told)
    same = plain and ann is n.ann and low == n.min_properties and high == n.max_properties
    if same and not touched and all([f is g for f, g in zip(fields, n.fields, strict=True)]):
        return n, step
    return ir.Object(
        tuple(fields), wire_extras, is_open, patterns, names, low, high, ann, n.at
    ), step


def _enough(n: ir.Object) -> ir.Field | None:
    """The optional field to require where an object must require one."""
    live = [f for f in n.fields if type(f.node) is not ir.Never]
    return None if not live or any([f.required for f in live]) else live[0]


def _declared(
    n: ir.Object, ctx: Ctx, rename: dict[str, str], enough: ir.Field | None
) -> tuple[list[ir.Field], list[tuple[str, str, Step, Mode]]]:
    """Lower each field; the second list tells what the codec has to do."""
    all_required, optional_null = ctx.row.objects.all_required, ctx.row.objects.optional_null
    no_null = ctx.row.nullable.spelling == "absent"
    sent = ctx.grant.nullable.get(n.at) if ctx.grant is not None else None
    fields: list[ir.Field] = []
    touched: list[tuple[str, str, Step, Mode]] = []
    lower = ctx.lower
    for f in n.fields:
        node, key, required = f.node, f.key, f.required
        if type(node) is ir.Never:
            fields.append(f)
            continue
        rest = _without_null(node, ctx) if no_null else None
        wire, step = lower(node if rest is None else rest, ctx)
        mode: Mode = "keep"
        if rest is not None:
            mode = "omit" if required else "lose"
            ctx.mark("WS233" if required else "WS234", node, "type", wire)
            required = False
        elif not required and (
            all_required or f is enough or (sent and rename.get(key, key) in sent)
        ):
            if type(wire) in NEVER_NULL:  # the commonest by far
                wire, mode = nullable(wire), "null"
                ctx.mark("WS210", node, "required", wire)
            else:
                exact = not all_required and f is not enough
                wire, mode = _optional(f, wire, ctx, exact=exact)
            required = True
        elif not required and optional_null and _may_be_null(f, wire, n, ctx):
            wire, mode = nullable(wire), "null"
            ctx.mark("WS235", node, "required", wire)
        if rename and key in rename:
            key = rename[key]
            ctx.note("WS226", node, "properties", on=wire, value=key)
        elif step is None and mode == "keep":
            fields.append(f if wire is node else ir.Field(key, wire, required))
            continue
        fields.append(ir.Field(key, wire, required))
        touched.append((key, f.key, step, mode))
    return fields, touched


def _may_be_null(f: ir.Field, wire: ir.Node, n: ir.Object, ctx: Ctx) -> bool:
    """Whether null may be added to a field: it is not there yet, and no pattern that binds the key refuses it."""
    if ctx.asserting or ctx.target.admits_null(wire):
        return False
    if not n.patterns or not reads_patterns(n, ctx):
        return True
    from wireshape.predicates import found  # noqa: PLC0415 (loads jsonschema-rs)

    rules = [p for p in n.patterns if not ctx.source.admits_null(p.node)]
    return not any([found(p.regex, f.key) for p in rules])


def _without_null(n: ir.Node, ctx: Ctx) -> ir.Node | None:
    """A node that admits null beside other values, without null; `None` for any other node."""
    head = ctx.source.head(n)
    ann = joined(n.ann, head.ann) if n is not head else n.ann
    if type(head) is ir.Literal and None in head.values and len(head.values) > 1:
        return ir.Literal(tuple([v for v in head.values if v is not None]), ann, n.at)
    if type(head) is not ir.Union or head.implied:
        return None
    options = [o for o in head.options if type(o) is not ir.Null]
    if len(options) == len(head.options) or any([ctx.source.admits_null(o) for o in options]):
        return None
    if len(options) > 1:
        return ir.Union(tuple(options), head.exclusive, ann=ann, at=n.at)
    return with_ann(options[0], joined(ann, options[0].ann))


def _optional(f: ir.Field, wire: ir.Node, ctx: Ctx, *, exact: bool) -> tuple[ir.Node, Mode]:
    """An optional field that is required on the wire."""
    if not ctx.target.admits_null(wire):
        wire = nullable(wire)
        ctx.mark("WS210", f.node, "required", wire)
        return wire, "null"
    if ctx.options.absent == "null" and not exact:
        ctx.mark("WS211", f.node, "required", wire)
        return wire, "fill"
    wire = boxed(wire)
    ctx.mark("WS212", f.node, "required", wire)
    return wire, "box"


def _sizes(
    n: ir.Object, ctx: Ctx, told: list[str], *, moved: bool, padded: bool
) -> tuple[int, int | None]:
    """The bounds on the number of keys that the row can say; those that the fields imply are dropped.

    `moved`: the wire may hold other keys than the value; `padded`: more of them, which are null.
    """
    low, high = n.min_properties, n.max_properties
    if low and low <= sum([f.required for f in n.fields]):
        low = 0
    if high is not None and type(n.extras) is ir.Never and not n.patterns and high >= len(n.fields):
        high = None
    row = ctx.row.objects
    sayable = row.property_bounds == "yes" and not moved
    most = row.property_bound_max
    says_low, says_high = says_sizes(replace(n, min_properties=low), ctx)
    if low and padded and row.property_bounds == "yes" and (most is None or low <= most):
        ctx.lost("WS229", n, "minProperties", told, describe.phrase("minProperties", low))
    elif low and not (sayable and says_low and (most is None or low <= most)):
        ctx.drop(n, "minProperties", low, told)
        low = 0
    if high is not None and not (sayable and says_high and (most is None or high <= most)):
        ctx.drop(n, "maxProperties", high, told)
        high = None
    return low, high


def _free_key(stem: str, keys: set[str]) -> str:
    key, i = stem, 2
    while key in keys:
        key, i = f"{stem}_{i}", i + 1
    return key


def _renames(n: ir.Object, ctx: Ctx) -> dict[str, str]:
    """The keys that the row refuses, each with a legal key that nothing else uses."""
    row = ctx.row.objects
    if row.key_pattern is None:
        return {}
    legal = re.compile(row.key_pattern)
    bad = {f.key for f in n.fields if not legal.fullmatch(f.key)}
    if not bad:
        return {}
    taken = {f.key for f in n.fields}
    renamed: dict[str, str] = {}
    for f in n.fields:
        if f.key in bad:
            bound = [p.regex for p in n.patterns if reads_patterns(n, ctx)]
            renamed[f.key] = new = _legal_key(f.key, legal, taken, bound)
            taken.add(new)
    return renamed


def _legal_key(key: str, legal: re.Pattern[str], taken: set[str], bound: list[str]) -> str:
    """A legal name; one that no pattern of the object binds, unless the pattern binds the key itself."""
    stem = readable(key, legal.pattern, "key_") or "key"
    names = [stem, *[f"{stem[:_STEM]}_{i}" for i in range(2, len(taken) + 3)]]
    names += [stem[:_STEM] + end for end in ("_key", "Key", "0")]
    free = [name[:_KEY_LENGTH] for name in names if name[:_KEY_LENGTH] not in taken]
    if not bound:
        return free[0]
    from wireshape.predicates import found  # noqa: PLC0415 (loads jsonschema-rs)

    bound = [regex for regex in bound if not found(regex, key)]
    return next(
        (name for name in free if not any([found(regex, name) for regex in bound])), free[0]
    )
