"""What a grammar cannot say although the facts of its row let each keyword pass: it is told instead, like all that is lost.

{pattern: "a.*", maxLength: 5}  ->  {pattern: "a.*", description: "at most 5 characters"}     WS201
"""

from __future__ import annotations

from dataclasses import replace

from wireshape import ir
from wireshape.emit.grammar import members, numbers, texts
from wireshape.emit.grammar.decimals import says_bounds as decimals_say
from wireshape.strictify.context import Ctx


def writes_grammar(ctx: Ctx) -> bool:
    """Whether the row takes a grammar."""
    return ctx.row.grammar.syntax != "none"


def said_string(n: ir.String, ctx: Ctx, told: list[str]) -> ir.String:
    """The string with what a grammar says of it."""
    if not writes_grammar(ctx):
        return n
    most = ctx.row.grammar.repeat_max
    for pattern in n.patterns:
        if most is not None and texts.largest_count(pattern) > most:
            ctx.drop(n, "pattern", pattern, told)
            n = replace(n, patterns=tuple([p for p in n.patterns if p != pattern]))
    for keyword, value in texts.unsaid(n):
        ctx.drop(n, keyword, value, told)
        if keyword == "minLength":
            n = replace(n, min_length=0)
        elif keyword == "maxLength":
            n = replace(n, max_length=None)
        elif keyword == "pattern":
            n = replace(n, patterns=tuple([p for p in n.patterns if p != value]))
        else:
            n = replace(n, formats=tuple([f for f in n.formats if f != value]))
    return n


def says_multiple(n: ir.Number, ctx: Ctx) -> bool:
    """Whether `multipleOf` can be said of a number with these bounds."""
    return not writes_grammar(ctx) or numbers.says_multiple(n)


def says_bounds(n: ir.Number, ctx: Ctx) -> bool:
    """Whether the bounds of a number can be said."""
    return not writes_grammar(ctx) or decimals_say(n)


def says_sizes(n: ir.Object, ctx: Ctx) -> tuple[bool, bool]:
    """Whether the least and the greatest number of keys can be said."""
    return members.says_sizes(n) if writes_grammar(ctx) else (True, True)


def says_patterns(n: ir.Object, ctx: Ctx) -> bool:
    """Whether the key patterns of an object can be said."""
    return not writes_grammar(ctx) or members.says_patterns(n)


def says_names(n: ir.Object, ctx: Ctx) -> bool:
    """Whether a rule on keys can be said."""
    return not writes_grammar(ctx) or members.says_names(n)
