"""The members of an object in order, with commas just where they belong; as long as the fields are many, not longer.

a?, b, c?  ->  (a COMMA)? b (COMMA c)?          a?, b?  ->  a after_a | b,  after_a: (COMMA b)?
"""

from __future__ import annotations

from typing import Final, NamedTuple

from wireshape import ir
from wireshape.emit.grammar import texts
from wireshape.emit.grammar.algebra import EMPTY, Expr, alt, many, matches, opt, seq
from wireshape.emit.grammar.book import Book, either
from wireshape.emit.grammar.chars import CHAR, TOKENS, spelled
from wireshape.emit.grammar.undeclared import other_than

_FREE: Final = 3
"""The fields of one rule that may be absent."""


class Member(NamedTuple):
    """A key with its value."""

    pair: Expr
    required: bool


def inside(
    fields: list[Member], extra: Expr | None, n: ir.Object, book: Book, hint: str
) -> tuple[Expr, bool]:
    """What stands between the braces if anything does, and whether nothing may."""
    if not fields:
        if extra is None:
            return EMPTY, False
        return book.listed(extra, n.min_properties, n.max_properties), n.min_properties == 0
    more = EMPTY if extra is None else many(seq(book.comma, extra))
    first = next((i for i, f in enumerate(fields) if f.required), None)
    if first is None:
        return _any_first(fields, extra, more, book, hint), n.min_properties == 0
    return _in_order(fields, first, more, book, hint), False


def _in_order(fields: list[Member], first: int, more: Expr, book: Book, hint: str) -> Expr:
    """The fields around the `first` that is required; one rule holds few that may be absent: readers write out each way."""
    rest, free = more, 0
    for i in range(len(fields) - 1, -1, -1):
        field = fields[i]
        comma_first = seq(book.comma, field.pair)
        pair = (
            field.pair if i == first else comma_first if i > first else seq(field.pair, book.comma)
        )
        rest = seq(pair if field.required else opt(pair), rest)
        free += not field.required
        if free == _FREE and i:
            rest, free = book.rule(rest, f"{hint}_from_{i + 1}"), 0
    return rest


def _any_first(fields: list[Member], extra: Expr | None, more: Expr, book: Book, hint: str) -> Expr:
    """Any of the optional fields comes first; a rule for each says what may follow."""
    arms: list[Expr] = [] if extra is None else [seq(extra, more)]
    rest = more
    for i in range(len(fields) - 1, -1, -1):
        pair = book.rule(fields[i].pair, f"{hint}_{i + 1}")
        arms.append(seq(pair, rest))
        if i:
            rest = book.rule(seq(opt(seq(book.comma, pair)), rest), f"{hint}_from_{i + 1}")
    return either(*arms[::-1])


def says_sizes(n: ir.Object) -> tuple[bool, bool]:
    """Whether a grammar can say the least and the greatest number of keys: of maps, and that there is one at least."""
    fields = [f for f in n.fields if type(f.node) is not ir.Never]
    least = not fields or (n.min_properties == 1 and not any([f.required for f in fields]))
    return least, not fields


def key_content(n: ir.Object, book: Book, hint: str) -> Expr:
    """What an undeclared key may be, without its quotes."""
    declared = [f.key for f in n.fields]
    if n.patterns:
        return texts.content(ir.String(patterns=(n.patterns[0].regex,)))
    if n.names is None or declared:
        if not declared:
            return many(CHAR)
        return other_than(declared, lambda part: book.token(part, f"{hint}_key"))
    if type(n.names) is ir.String:
        return texts.content(n.names)
    assert type(n.names) is ir.Literal
    return alt([spelled(word) for word in n.names.values])


def says_patterns(n: ir.Object) -> bool:
    """Whether a grammar can say the key patterns of a closed object: one pattern, which matches no declared key."""
    if len(n.patterns) != 1 or type(n.extras) is not ir.Never or n.names is not None:
        return False
    rule = ir.String(patterns=(n.patterns[0].regex,))
    if texts.unsaid(rule):
        return False
    expr = seq(texts.content(rule))
    return not any([matches(expr, f.key, TOKENS) for f in n.fields])


def says_names(n: ir.Object) -> bool:
    """Whether a grammar can say what `propertyNames` asks for: of maps, and where it is about strings alone."""
    if n.fields or n.patterns:
        return False
    if type(n.names) is ir.Literal:
        return all([type(v) is str for v in n.names.values])
    return type(n.names) is ir.String and not texts.unsaid(n.names)
