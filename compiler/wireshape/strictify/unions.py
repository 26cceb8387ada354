"""Unions: each arm is lowered, and arms whose wire values could be mistaken for one another are tagged.

    anyOf: [map of A, list of B]  ->  anyOf: [{arm: "map", value: [pairs]}, {arm: "list", value: [B]}]     WS223

Decoding finds the arm by JSON type, then by a discriminating constant, then by the first wire predicate that holds;
encoding takes the first arm in which the value is valid, encodes, and is wire-valid. The predicates travel with the step.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from wireshape import ir, relate
from wireshape.relate import NEVER_NULL, Relations
from wireshape.step import Step
from wireshape.strictify import describe
from wireshape.strictify.agree import agree
from wireshape.strictify.cases import Case
from wireshape.strictify.context import Arm, Ctx, Lowered, annotate
from wireshape.strictify.joins import absorbing, constants, fold, union_of
from wireshape.strictify.overlap import meeting
from wireshape.strictify.refine import carrying
from wireshape.walk import joined, spoken_of, with_ann

_HOPS = 64


def strictify_union(n: ir.Union, ctx: Ctx) -> Lowered:
    """Lower a union, arm by arm."""
    if n.at is not None and type(n.at[1]) is Case:
        ctx.note("WS240", n.at[1].of, n.at[1])
        n = replace(n, at=n.at[0])
    if n.ann and "discriminator" in n.ann:
        n = _unhinted(n, n.ann, ctx)
    if _is_or_null(n) and ctx.row.unions.any_of == "yes":
        return _or_null(n, ctx)
    narrows = bool(n.implied) and _narrows(n, ctx)
    if narrows and ctx.narrowing:
        return _typed(n, ctx)
    if n.implied and (narrows or ctx.row.anything.typeless == "split") and not ctx.evaluating:
        return ctx.lower(ir.Union(n.options, ann=n.ann, at=n.at), ctx)
    if n.exclusive and ctx.row.unions.one_of != "yes" and ir.Any in [type(o) for o in n.options]:
        told: list[str] = []
        arms = describe.assertion(ir.Assertion("oneOf", n.options), ctx.defs)
        ctx.lost("WS204", n, "oneOf", told, arms, n.options)
        return ctx.lower(ir.Any(_told(n.ann, told), n.at), ctx)
    if not n.exclusive and not n.implied and not ctx.evaluating:
        for option in n.options:
            if _takes_all(option, ctx):
                return ctx.lower(ir.Any(joined(n.ann, option.ann), n.at), ctx)
    folded = _fold(n, ctx)
    if folded is not None:
        return folded
    if all([type(o) is ir.Null for o in n.options]) and not n.exclusive:
        return ctx.lower(ir.Null(joined(n.ann, n.options[0].ann), n.at), ctx)
    if ctx.row.unions.any_of != "yes" and not n.implied:
        return ctx.escape(n, "a choice of types", "unions.any_of", ctx.row.unions.any_of)
    lowered = [
        (o, None) if type(o) is ir.Null and not o.ann else ctx.lower(o, ctx) for o in n.options
    ]
    return _joined(n, lowered, ctx)


def _unhinted(n: ir.Union, ann: Mapping[str, ir.Json], ctx: Ctx) -> ir.Union:
    """The union without OpenAPI's `discriminator` where each arm fixes the key by itself: then it tells nothing more.

    It is a hint, which "MUST NOT change the validation outcome of the schema" (OpenAPI 3.0.4, 3.1.1, Discriminator Object).
    """
    key = describe.discriminating(ann["discriminator"])
    for option in n.options:
        head = ctx.source.head(option)
        fields = head.fields if type(head) is ir.Object else ()
        if not any([f.key == key and _is_listed(f.node, ctx) for f in fields]):
            return n
    ctx.mark("WS231", n, "discriminator")
    return replace(n, ann={k: v for k, v in ann.items() if k != "discriminator"} or None)


def _is_listed(n: ir.Node, ctx: Ctx) -> bool:
    return type(ctx.source.head(n)) is ir.Literal


_SINGLE: frozenset[type] = frozenset({*NEVER_NULL, ir.Literal})


def _is_or_null(n: ir.Union) -> bool:
    """Whether the union is the commonest one, a value of one kind or null: most questions about arms do not arise."""
    options = n.options
    return (
        len(options) == 2
        and type(options[1]) is ir.Null
        and not options[1].ann
        and type(options[0]) in _SINGLE
        and not n.exclusive
        and not n.implied
    )


def _or_null(n: ir.Union, ctx: Ctx) -> Lowered:
    some, null = n.options
    wire, step = ctx.lower(some, ctx)
    if step is not None or type(wire) not in NEVER_NULL:
        return _joined(n, [(wire, step), (null, None)], ctx)
    ann = annotate(n, ctx)
    same = wire is some and ann is n.ann
    return (n if same else ir.Union((wire, null), False, (), ann, n.at)), None


def _joined(n: ir.Union, lowered: list[Lowered], ctx: Ctx) -> Lowered:
    """The union of what the options were lowered to."""
    told: list[str] = []
    exclusive = n.exclusive and ctx.row.unions.one_of == "yes"
    if n.exclusive and not exclusive and not _all_disjoint(list(n.options), ctx.source):
        ctx.lost("WS204", n, "oneOf", told, "exactly one alternative fits")
    if all([step is None for _, step in lowered]):
        return _identity(
            n, [wire for wire, _ in lowered], exclusive, annotate(n, ctx, told), ctx
        ), None
    if exclusive and not _all_disjoint(list(n.options), ctx.source):
        ctx.lost("WS204", n, "oneOf", told, "exactly one alternative fits")
    return _arms(n, lowered, ctx, annotate(n, ctx, told))


def _takes_all(n: ir.Node, ctx: Ctx) -> bool:
    """Whether the node is plainly an arbitrary value, so that a union with it is one too."""
    for _ in range(_HOPS):
        if type(n) is not ir.Ref:
            break
        n = ctx.defs[n.name]
    if type(n) is ir.Union and not n.exclusive and not n.implied:
        return any(
            [type(o) is ir.Any or _takes_all(o, ctx) for o in n.options if type(o) is not ir.Ref]
        )
    return type(n) is ir.Any


def _told(ann: ir.Ann, told: list[str]) -> ir.Ann:
    text = describe.join((ann or {}).get("description"), told)
    return {**(ann or {}), "description": text} if text else ann


def _narrows(n: ir.Union, ctx: Ctx) -> bool:
    typeless = ctx.row.anything.typeless
    return typeless == "type" or (typeless == "root" and n.options is ctx.top_options)


def _typed(n: ir.Union, ctx: Ctx) -> Lowered:
    """A schema without `type` gets the types that its keywords speak about."""
    options = spoken_of(n)
    ctx.note("WS216", n, "type", value=", ".join(n.implied))
    if len(options) == 1:
        only = options[0]
        return ctx.lower(replace(only, ann=joined(n.ann, only.ann), at=n.at), ctx)
    return ctx.lower(ir.Union(options, ann=n.ann, at=n.at), ctx)


def _fold(n: ir.Union, ctx: Ctx) -> Lowered | None:
    """Constants among the arms become one enum; what each was said to mean goes to the description."""
    if not ctx.row.unions.fold_constants or n.implied:
        return None
    listed = {
        i: one for i, o in enumerate(n.options) if (one := constants(o, ctx.defs)) is not None
    }
    found = list(listed)
    if len(found) < 2 or (n.exclusive and not _all_disjoint(list(n.options), ctx.source)):
        return None
    enum = replace(fold(list(listed.values())), at=n.at)
    if len(found) == len(n.options):
        if n.ann:
            text = describe.join(
                n.ann.get("description"), [enum.ann["description"]] if enum.ann else []
            )
            enum = ir.Literal(enum.values, {**n.ann, "description": text} if text else n.ann, n.at)
        return ctx.lower(enum, ctx)
    rest = [
        enum if i == found[0] else o
        for i, o in enumerate(n.options)
        if i == found[0] or i not in found
    ]
    return ctx.lower(replace(n, options=tuple(rest)), ctx)


def _identity(n: ir.Union, wires: list[ir.Node], exclusive: bool, ann: ir.Ann, ctx: Ctx) -> ir.Node:
    free = None if n.implied or exclusive or ctx.evaluating else absorbing(wires, ctx)
    if free is not None:
        return ir.Any(joined(ann, free.ann), n.at)  # an arm was widened to everything
    if not exclusive and all([type(w) is ir.Null for w in wires]):
        return ir.Null(joined(ann, wires[0].ann), n.at)
    if n.implied:
        for wire in wires:
            ann = joined(ann, wire.ann)
        wires = [wire if wire.ann is None else with_ann(wire, None) for wire in wires]
    if n.implied or exclusive:
        if ann is n.ann and all([w is o for w, o in zip(wires, n.options, strict=True)]):
            return n
        return ir.Union(tuple(wires), exclusive, n.implied, ann, n.at)
    if _are_apart(wires):
        same = (
            not n.exclusive
            and ann is n.ann
            and all([w is o for w, o in zip(wires, n.options, strict=True)])
        )
        return n if same else ir.Union(tuple(wires), False, (), ann, n.at)
    wire = union_of(wires, ctx)
    return carrying(replace(wire, at=n.at), joined(ann, wire.ann), ctx)


def _are_apart(wires: list[ir.Node]) -> bool:
    """Whether the nodes are of different kinds, so that none repeats another, and none is a union itself."""
    kinds = {type(w) for w in wires}
    return len(kinds) == len(wires) and ir.Union not in kinds


def _all_disjoint(options: list[ir.Node], relations: Relations) -> bool:
    if _discriminator(options, relations) is not None:
        return True
    pairs = meeting(options, relations)
    return pairs is not None and all(relations.disjoint(options[i], options[j]) for i, j in pairs)


def _arms(n: ir.Union, lowered: list[Lowered], ctx: Ctx, ann: ir.Ann) -> Lowered:
    wires = [wire for wire, _ in lowered]
    steps = [step for _, step in lowered]
    ctx.consulted = True
    tagged = set(range(len(wires))) if ctx.tag_all else _suspects(wires, steps, ctx.target)
    labels = _labels(n, tagged) if tagged else {}
    if tagged:
        like = ir.Object(
            (
                ir.Field("arm", ir.Literal(tuple(labels.values())), True),
                ir.Field("value", ir.Any(), True),
            ),
            ir.Never(),
        )
        for i, wire in enumerate(wires):
            if i not in tagged and not ctx.target.disjoint(wire, like):
                tagged.add(i)
        labels = _labels(n, tagged)
        ctx.note("WS223", n, "anyOf")
    for i in tagged:
        label, _ = ctx.lower(ir.Literal((labels[i],)), ctx)
        wires[i] = ir.Object(
            (ir.Field("arm", label, True), ir.Field("value", wires[i], True)), ir.Never()
        )
    wire_types = [ctx.target.types(w) for w in wires]
    source_types = [ctx.source.types(o) for o in n.options]
    arms: list[tuple[int, int, str | None, Step, int]] = []
    shared = relate.shared(wire_types), relate.shared(source_types)
    for i, step in enumerate(steps):
        index = -1
        if wire_types[i] & shared[0] or source_types[i] & shared[1]:
            index = len(ctx.arms)
            ctx.arms.append(Arm(wires[i], n.options[i]))
        arms.append((wire_types[i], source_types[i], labels.get(i), step, index))
    step = (
        "union",
        tuple(arms),
        _discriminator(wires, ctx.target),
        _discriminator(list(n.options), ctx.source),
    )
    wire = union_of(wires, ctx)
    return carrying(replace(wire, at=n.at), joined(ann, wire.ann), ctx), step


def _suspects(wires: list[ir.Node], steps: list[Step], target: Relations) -> set[int]:
    """The arms of every pair that shares values and decodes them differently."""
    pairs = meeting(wires, target, [repr(step) for step in steps])
    if pairs is None:
        return set(range(len(wires)))
    suspects: set[int] = set()
    for i, j in pairs:
        if target.disjoint(wires[i], wires[j]) or agree(
            wires[i], steps[i], wires[j], steps[j], target
        ):
            continue
        suspects |= {i, j}
    return suspects


def _discriminator(
    nodes: list[ir.Node], relations: Relations
) -> tuple[str, tuple[tuple[ir.Json, int], ...]] | None:
    """A key that every object arm requires and whose constants differ between all of them, with constant -> arm."""
    tables: list[tuple[int, dict[str, tuple[ir.Json, ...]]]] = []
    for i, node in enumerate(nodes):
        types = relations.types(node)
        if not types & relate.OBJECT:
            continue
        head = relations.head(node)
        if type(head) is not ir.Object:
            return None
        constants: dict[str, tuple[ir.Json, ...]] = {}
        for f in head.fields:
            if f.required:
                value = relations.head(f.node)
                if type(value) is ir.Literal:
                    constants[f.key] = value.values
        tables.append((i, constants))
    if len(tables) < 2:
        return None
    for key in tables[0][1]:
        found: dict[str, int] = {}
        pairs: list[tuple[ir.Json, int]] = []
        for i, constants in tables:
            for value in constants.get(key, ()):
                if type(value) is not str or found.setdefault(value, i) != i:
                    break
                pairs.append((value, i))
            else:
                if key in constants:
                    continue
            break
        else:
            return key, tuple(pairs)
    return None


def _labels(n: ir.Union, tagged: set[int]) -> dict[int, str]:
    """A short name for each tagged arm: its definition, its title, or its type."""
    labels: dict[int, str] = {}
    taken: set[str] = set()
    count: dict[str, int] = {}
    for i in sorted(tagged):
        option = n.options[i]
        title = (option.ann or {}).get("title")
        stem = (
            option.name
            if type(option) is ir.Ref
            else title
            if isinstance(title, str)
            else type(option).__name__.lower()
        )
        label = stem
        while label in taken:
            count[stem] = count.get(stem, 1) + 1
            label = f"{stem}_{count[stem]}"
        taken.add(label)
        labels[i] = label
    return labels
