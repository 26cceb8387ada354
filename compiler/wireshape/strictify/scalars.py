"""Strings, numbers and constants: bounds, formats and patterns that the row can say stay, the rest is told.

{type: string, format: iri}  ->  {type: string, description: "format: iri"}     step None, WS201
"""

from __future__ import annotations

import math
import re
from dataclasses import replace

from wireshape import ir, regex
from wireshape.names import legal_names
from wireshape.strictify import describe
from wireshape.strictify.context import Ctx, Lowered, annotate
from wireshape.strictify.grammars import said_string, says_bounds, says_multiple
from wireshape.walk import is_unbounded, with_ann


def is_bare(n: ir.Node, ctx: Ctx) -> bool:
    """Whether a scalar is sent as it stands in every row: nothing binds it, and all its texts are kept."""
    if n.ann is not None and not ctx.kept.issuperset(n.ann):
        return False
    if type(n) is ir.String:
        return not (n.patterns or n.formats or n.min_length) and n.max_length is None
    return type(n) is ir.Boolean or (type(n) is ir.Number and is_unbounded(n))


def strictify_string(n: ir.String, ctx: Ctx) -> Lowered:
    """Lower a string; the lengths, pattern and format that the row enforces stay."""
    row = ctx.row.strings
    told: list[str] = []
    low, high = n.min_length, n.max_length
    if low and row.length != "yes":
        ctx.drop(n, "minLength", low, told)
        low = 0
    elif low and row.length_max is not None and low > row.length_max:
        weaken(n, ctx, "minLength", low, row.length_max, told)
        low = row.length_max
    if high is not None and (
        row.length != "yes" or (row.length_max is not None and high > row.length_max)
    ):
        ctx.drop(n, "maxLength", high, told)
        high = None
    crowded = row.one_rule and any([row.formats is None or f in row.formats for f in n.formats])
    patterns = _patterns(n, ctx, told, crowded=crowded)
    formats = _formats(n, ctx, told)
    if row.one_rule and (formats or patterns):
        if low:
            ctx.drop(n, "minLength", low, told)
        if high is not None:
            ctx.drop(n, "maxLength", high, told)
        low, high = 0, None
    said = said_string(ir.String(low, high, tuple(patterns), tuple(formats), at=n.at), ctx, told)
    return with_ann(said, annotate(n, ctx, told)), None


def _formats(n: ir.String, ctx: Ctx, told: list[str]) -> list[str]:
    """The formats that the row enforces; a note tells where it does so roughly."""
    row = ctx.row.strings
    several = row.several_patterns and not row.one_rule
    formats: list[str] = []
    for name in n.formats:
        if (row.formats is not None and name not in row.formats) or (formats and not several):
            ctx.drop(n, "format", name, told)
            continue
        formats.append(name)
        if name in row.rough_formats:
            ctx.note("WS206", n, "format", value=name, dialect=ctx.row.id)
    return formats


def _patterns(n: ir.String, ctx: Ctx, told: list[str], *, crowded: bool) -> list[str]:
    row = ctx.row.strings
    several = row.several_patterns and not row.one_rule
    patterns: list[str] = []
    for source in n.patterns:
        if row.pattern != "yes" or crowded or (patterns and not several):
            ctx.drop(n, "pattern", source, told)
            continue
        spelled = regex.spell(source, row)
        if spelled is None:
            ctx.lost("WS203", n, "pattern", told, describe.phrase("pattern", source), value=source)
        else:
            patterns.append(spelled)
    return patterns


def weaken(
    n: ir.Node, ctx: Ctx, keyword: str, value: float, weaker: object, told: list[str]
) -> None:
    """Record that a bound is sent with a smaller operand."""
    ctx.lost("WS202", n, keyword, told, describe.phrase(keyword, value), value=value, weaker=weaker)


def strictify_number(n: ir.Number, ctx: Ctx) -> Lowered:
    """Lower a number; an exclusive bound of an integer becomes an inclusive one where the row needs it."""
    row = ctx.row.numbers
    if is_unbounded(n):
        ann = annotate(n, ctx)
        return (n if ann is n.ann else _plain_number(n, ann)), None
    told: list[str] = []
    enforcing = ("yes", "integers") if n.integer else ("yes",)
    if n.integer:
        n = _whole(n)
    if row.exclusive not in enforcing and row.bounds in enforcing:
        n = _inclusive(n, ctx, told)
    low, high, above, below, multiple = (
        n.minimum,
        n.maximum,
        n.exclusive_minimum,
        n.exclusive_maximum,
        n.multiple_of,
    )
    if row.bounds not in enforcing:
        _tell(n, ctx, told, minimum=low, maximum=high)
        low = high = None
    if row.exclusive not in enforcing:
        _tell(n, ctx, told, exclusiveMinimum=above, exclusiveMaximum=below)
        above = below = None
    fraction = row.multiple_of == "integers" and multiple is not None and multiple % 1 != 0
    if row.multiple_of not in enforcing or fraction:
        _tell(n, ctx, told, multipleOf=None if n.integer and multiple == 1 else multiple)
        multiple = None
    if not says_bounds(ir.Number(n.integer, low, high, above, below), ctx):
        _tell(
            n, ctx, told, minimum=low, maximum=high, exclusiveMinimum=above, exclusiveMaximum=below
        )
        low = high = above = below = None
    if not says_multiple(ir.Number(n.integer, low, high, above, below, multiple), ctx):
        _tell(n, ctx, told, multipleOf=multiple)
        multiple = None
    return ir.Number(
        n.integer, low, high, above, below, multiple, annotate(n, ctx, told), n.at
    ), None


def _plain_number(n: ir.Number, ann: ir.Ann) -> ir.Number:
    return ir.Number(n.integer, None, None, None, None, None, ann, n.at)


def _whole(n: ir.Number) -> ir.Number:
    """Round the bounds of an integer to whole numbers, which say the same."""
    low, high, above, below = n.minimum, n.maximum, n.exclusive_minimum, n.exclusive_maximum
    if not any([type(bound) is float for bound in (low, high, above, below)]):
        return n
    return replace(
        n,
        minimum=None if low is None else math.ceil(low),
        maximum=None if high is None else math.floor(high),
        exclusive_minimum=None if above is None else math.floor(above),
        exclusive_maximum=None if below is None else math.ceil(below),
    )


def _tell(n: ir.Number, ctx: Ctx, told: list[str], **operands: float | None) -> None:
    for keyword, operand in operands.items():
        if operand is not None:
            ctx.drop(n, keyword, operand, told)


def _inclusive(n: ir.Number, ctx: Ctx, told: list[str]) -> ir.Number:
    """Turn exclusive bounds into inclusive ones: exactly for integers, weaker for other numbers."""
    low, high, above, below = n.minimum, n.maximum, n.exclusive_minimum, n.exclusive_maximum
    if n.integer:
        if above is not None:
            low, above = (
                max([math.floor(above) + 1] + ([] if low is None else [math.ceil(low)])),
                None,
            )
        if below is not None:
            high, below = (
                min([math.ceil(below) - 1] + ([] if high is None else [math.floor(high)])),
                None,
            )
    else:
        if above is not None:
            weaken(n, ctx, "exclusiveMinimum", above, f"minimum {above}", told)
            low, above = max([above] + ([] if low is None else [low])), None
        if below is not None:
            weaken(n, ctx, "exclusiveMaximum", below, f"maximum {below}", told)
            high, below = min([below] + ([] if high is None else [high])), None
    return replace(n, minimum=low, maximum=high, exclusive_minimum=above, exclusive_maximum=below)


def strictify_literal(n: ir.Literal, ctx: Ctx) -> Lowered:
    """Lower an enum: as it is, split by type, as strings with a table, or as the plain type when it is too long."""
    row = ctx.row.enums
    if len(n.values) == 2 and type(n.values[0]) is bool and type(n.values[1]) is bool:
        return ctx.lower(ir.Boolean(n.ann, n.at), ctx)
    count = len(n.values)
    names = [ir.TYPE_NAMES[kind] for kind in dict.fromkeys(map(type, n.values))]
    if (
        "null" in names
        and count > 1
        and ctx.row.unions.any_of == "yes"
        and not (ctx.row.nullable.in_enum and "null" in row.types)
    ):
        rest = replace(n, values=tuple([v for v in n.values if v is not None]))
        wire, step = ctx.lower(rest, ctx)
        ann = wire.ann
        bare = replace(wire, ann=None)
        options = bare.options if type(bare) is ir.Union else (bare,)
        return ir.Union((*options, ir.Null()), ann=ann, at=n.at), step
    if row.max_values is not None and count > row.max_values:
        return _widened(n, ctx, "WS205", count=count, limit=row.max_values)
    if ctx.grant is not None and n.at in ctx.grant.plain and count > 1:
        return _widened(n, ctx, "WS244", **ctx.grant.plain[n.at].fields())
    if not all(
        [name in row.types or (name == "integer" and "number" in row.types) for name in names]
    ) or not _are_legal(n.values, row.text_pattern):
        return _table(n, ctx)
    ann = annotate(n, ctx)
    if row.typed and len(names) > 1:
        groups: dict[str, list[ir.Json]] = {}
        number = "number" if "number" in names else "integer"
        for value in n.values:
            name = ir.TYPE_NAMES[type(value)]
            groups.setdefault(number if name == "integer" else name, []).append(value)
        apart = ctx.row.unions.any_of == "yes" and not ctx.row.unions.fold_constants
        if len(groups) > 1 and not apart:
            return _table(n, ctx)
        if len(groups) > 1:
            kinds: list[ir.Node] = [
                ir.Boolean() if len(g) == 2 and name == "boolean" else ir.Literal(tuple(g))
                for name, g in groups.items()
            ]
            return ir.Union(tuple(kinds), ann=ann, at=n.at), None
    return (n if ann is n.ann else ir.Literal(n.values, ann, n.at)), None


def _widened(n: ir.Literal, ctx: Ctx, code: str, **fields: object) -> Lowered:
    """The plain type of the values, with every value listed in words."""
    told: list[str] = []
    ctx.lost(code, n, "enum", told, describe.listed(n.values), **fields)
    kinds: dict[str, ir.Node] = {}
    for value in n.values:
        name = ir.TYPE_NAMES[type(value)]
        kinds.setdefault("number" if name == "integer" else name, _KINDS[name])
    if "number" in kinds and not any([type(v) is float for v in n.values]):
        kinds["number"] = ir.Number(integer=True)
    options = tuple(kinds.values())
    plain = options[0] if len(options) == 1 else ir.Union(options)
    wire, step = ctx.lower(replace(plain, at=n.at), ctx)
    text = describe.join((n.ann or {}).get("description"), told)
    return replace(
        wire,
        ann={**(wire.ann or {}), **(annotate(n, ctx) or {}), "description": text}
        if text
        else wire.ann,
    ), step


_KINDS: dict[str, ir.Node] = {
    "string": ir.String(),
    "integer": ir.Number(),
    "number": ir.Number(),
    "boolean": ir.Boolean(),
    "null": ir.Null(),
    "array": ir.List(ir.Any()),
    "object": ir.Object((), ir.Any(), open=False),
}


def _are_legal(values: tuple[ir.Json, ...], pattern: str | None) -> bool:
    """Whether every text may be listed."""
    return pattern is None or all(
        [type(v) is not str or re.fullmatch(pattern, v) is not None for v in values]
    )


def _table(n: ir.Literal, ctx: Ctx) -> Lowered:
    """A string enum, and the value that each string stands for."""
    taken = {v for v in n.values if type(v) is str}
    table: list[tuple[str, ir.Json]] = []
    for value in n.values:
        text = value
        if type(value) is not str:
            text = describe.exact(value)
            while text in taken:
                text += "_"
            taken.add(text)
        table.append((text, value))
    ctx.note("WS224", n, "enum")
    texts = legal_names([text for text, _ in table], ctx.row.enums.text_pattern)
    wire = ir.Literal(tuple(texts), annotate(n, ctx), n.at)
    return wire, ("enum", tuple(zip(texts, n.values, strict=True)))
