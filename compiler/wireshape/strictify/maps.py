"""Undeclared keys: maps and extras as arrays of pairs, or left in place with the key rules that the row can say.

{additionalProperties: integer}  ->  [{key: string, value: integer}]     step ("pairs", (), None, False), WS214
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from wireshape import ir, regex
from wireshape.step import Step, keeps
from wireshape.strictify import describe
from wireshape.strictify.arrays import bounds
from wireshape.strictify.context import Ctx, Lowered, annotate
from wireshape.strictify.grammars import says_names, says_patterns
from wireshape.strictify.joins import absorbing, union_of

_NEVER = ir.Never()


def pairs(n: ir.Object, ctx: Ctx, *, beside: bool = False) -> Lowered:
    """Send the undeclared keys of `n` as `{key, value}` pairs; `beside` fields, or as the whole value."""
    if not beside:
        ctx.mark("WS214", n, "additionalProperties")
    told: list[str] = []
    several = len(n.patterns) + (type(n.extras) is not ir.Never) > 1
    if several and ctx.row.unions.any_of != "yes":
        _tell_rules(n, ctx, told, loose=True)
        n = replace(n, patterns=(), extras=ir.Any())
    rules, wires = _rules(n, ctx)
    live = [p.regex for p in n.patterns if type(p.node) is not ir.Never]
    default: Step = None
    if type(n.extras) is not ir.Never:
        wire, default = ctx.lower(n.extras, ctx)
        wires.append(wire)
    if len(wires) > 1 or len(live) < len(n.patterns):
        _tell_rules(n, ctx, told, loose=absorbing(wires, ctx) is not None)
    base = _key_node(n, ctx, told)
    pair = _pairs_by_rule(n, base, live, wires, ctx)
    sized = n if wires else replace(n, max_properties=0)
    low, high, _ = bounds(sized, ctx, pair, told, identity=True)
    wire = ir.List(pair, low, high, False, annotate(n, ctx, told), n.at)
    return wire, ("pairs", rules, default, False)


def _pair(key: ir.Node, value: ir.Node) -> ir.Object:
    return ir.Object((ir.Field("key", key, True), ir.Field("value", value, True)), _NEVER)


def _pairs_by_rule(
    n: ir.Object, base: ir.String, live: list[str], wires: list[ir.Node], ctx: Ctx
) -> ir.Node:
    """One pair per rule where the row can tell keys apart by pattern, else one pair for all."""
    closed = type(n.extras) is ir.Never
    keys = [replace(base, patterns=tuple(dict.fromkeys([regex, *base.patterns]))) for regex in live]
    if not wires:
        return _pair(ctx.lower(base, ctx)[0], ctx.lower(ir.Null(at=n.at), ctx)[0])
    if len(wires) == 1:
        return _pair(ctx.lower(keys[0] if keys else base, ctx)[0], wires[0])
    strings = ctx.row.strings
    if strings.pattern != "yes" or not all([regex.spell(p, strings) for p in live]):
        value = ir.Any() if absorbing(wires, ctx) else union_of(wires, ctx)
        return _pair(ctx.lower(base, ctx)[0], value)
    arms = [_pair(ctx.lower(key, ctx)[0], wire) for key, wire in zip(keys, wires, strict=False)]
    if not closed:
        arms.append(_pair(ctx.lower(base, ctx)[0], wires[-1]))
    return union_of(list(arms), ctx)


def _tell_rules(n: ir.Object, ctx: Ctx, told: list[str], *, loose: bool) -> None:
    """Say which keys hold what; in full where the wire is loose, and tells nothing of it."""

    def words(node: ir.Node) -> str:
        return describe.quoted(node, ctx.defs) if loose else describe.kind(node)

    said = [f"keys matching {p.regex}: {words(p.node)}" for p in n.patterns]
    if type(n.extras) is not ir.Never:
        said.append(f"other keys: {words(n.extras)}")
    within = [*[p.node for p in n.patterns], n.extras] if loose else ()
    ctx.lost("WS227", n, "patternProperties", told, "; ".join(said), within)


def _rules(n: ir.Object, ctx: Ctx) -> tuple[tuple[tuple[str, Step], ...], list[ir.Node]]:
    """Lower what each pattern says; a key that several patterns match would need all of them."""
    rules: list[tuple[str, Step]] = []
    wires: list[ir.Node] = []
    for p in n.patterns:
        if type(p.node) is not ir.Never:
            wire, step = ctx.lower(p.node, ctx)
            wires.append(wire)
            rules.append((p.regex, step))
    return tuple(rules), wires


def _key_node(n: ir.Object, ctx: Ctx, told: list[str]) -> ir.String:
    """What `propertyNames` says of keys, where it is about strings; else it is told."""
    if type(n.names) is ir.String:
        return replace(n.names, ann=None)
    if n.names is not None:
        text = f"keys: {describe.kind(n.names)}"
        ctx.lost("WS201", n, "propertyNames", told, text, [n.names])
    return ir.String(at=n.at)


def keyed_fields(n: ir.Object, ctx: Ctx) -> ir.Object:
    """Turn `propertyNames: {enum: [...]}` into a field for each allowed key, and see other rules through references.

    What a pattern says about such a key is only known where no pattern is left.
    """
    names = n.names
    while type(names) is ir.Ref:
        names = ctx.defs[names.name]
    if names is not n.names:
        n = replace(n, names=None if names == ir.String(ann=names and names.ann) else names)
    if type(names) is not ir.Literal or n.patterns or len(names.values) > 256:
        return n
    if type(n.extras) is ir.Never:
        return replace(n, names=None)
    declared = {f.key for f in n.fields}
    value = replace(n.extras, at=names.at) if n.extras.at is None else n.extras
    new = [ir.Field(key, value) for key in names.values if key not in declared]
    return replace(n, fields=(*n.fields, *new), extras=ir.Never(), open=False, names=None)


def also_named(names: ir.Node, rename: Mapping[str, str], ctx: Ctx) -> ir.Node:
    """The rule on keys, which now have their wire names."""
    renamed = ir.Literal(tuple(rename.values()))
    if type(names) is ir.Literal:
        return replace(names, values=tuple([rename.get(v, v) for v in names.values]))
    return union_of([names, renamed], ctx)


def reads_patterns(n: ir.Object, ctx: Ctx) -> bool:
    """Whether the row enforces `patternProperties` on this object."""
    support = ctx.row.objects.pattern_properties
    reads = support == "yes" or (support == "closed" and type(n.extras) is ir.Never)
    return reads and says_patterns(n, ctx)


def _at_odds(
    n: ir.Object, steps: tuple[tuple[str, Step], ...], moved: Mapping[str, Step], ctx: Ctx
) -> bool:
    """Whether a pattern on the wire would bind a field that looks otherwise there than what the pattern says."""
    if not moved and all([s is None for _, s in steps]):
        return False
    ctx.consulted = True
    odd = {key for key, step in moved.items() if not keeps(step, ctx.steps)}
    rules = [(rule, keeps(step, ctx.steps)) for rule, step in steps]
    from wireshape.predicates import found  # noqa: PLC0415 (loads jsonschema-rs)

    return any([found(r, f.key) for r, same in rules for f in n.fields if not same or f.key in odd])


def open_extras(
    n: ir.Object, ctx: Ctx, told: list[str], declared: tuple[str, ...], moved: Mapping[str, Step]
) -> tuple[ir.Node, tuple[ir.Pattern, ...], ir.Node | None, Step]:
    """Lower extras, patterns and key names in place, for a row that has open objects; `moved` fields look otherwise there."""
    row = ctx.row.objects
    names = n.names
    if names is not None and row.property_names == "yes" and says_names(n, ctx):
        names, _ = ctx.lower(names, ctx)
    elif names is not None:
        text = f"keys: {describe.kind(names)}"
        ctx.lost("WS201", n, "propertyNames", told, text, [names])
        names = None
    steps, wires = _rules(n, ctx)
    default: Step = None
    extras: ir.Node = n.extras
    if type(extras) is not ir.Never and not (type(extras) is ir.Any and not extras.ann):
        extras, default = ctx.lower(extras, ctx)
    others: Step = None
    if default is not None or any([s is not None for _, s in steps]):
        others = (declared, steps, default)
    keys = [regex.spell(p.regex, ctx.row.strings) for p in n.patterns]
    sayable = None not in keys and len(set(keys)) == len(keys)
    if not (ctx.row.keywords.boolean_schemas or ctx.row.unions.negation == "yes"):
        sayable = sayable and not any([type(p.node) is ir.Never for p in n.patterns])
    unmoved = all([s is None or ctx.row.strings.pattern == "yes" for _, s in steps])
    if reads_patterns(n, ctx) and sayable and unmoved and not _at_odds(n, steps, moved, ctx):
        rest = iter(wires)
        nodes = [p.node if type(p.node) is ir.Never else next(rest) for p in n.patterns]
        patterns = [ir.Pattern(key or "", w) for key, w in zip(keys, nodes, strict=True)]
        return extras, tuple(patterns), names, others
    if n.patterns:
        loose = absorbing([extras, *wires], ctx)
        whole = (
            union_of([*wires, *([] if type(extras) is ir.Never else [extras])], ctx)
            if wires or type(extras) is not ir.Never
            else extras
        )
        if len(n.patterns) == 1 and type(extras) is ir.Never:
            ctx.lost("WS201", n, "patternProperties", told, f"keys match {n.patterns[0].regex}")
        else:
            _tell_rules(n, ctx, told, loose=loose is not None)
        return (ir.Any() if loose else whole), (), names, others
    return extras, (), names, others
