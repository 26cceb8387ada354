r"""Turns a wire graph into a grammar of its JSON texts: keys in the order of the schema, each part in one way of writing.

{a: integer, b?: string}, closed  ->  start: LBRACE "\"a\"" COLON INTEGER (COMMA "\"b\"" COLON STRING)? RBRACE
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import assert_never

from wireshape import ir
from wireshape.emit.grammar import members, numbers, texts
from wireshape.emit.grammar.algebra import EMPTY, Expr, Grammar, Ref, Rule, Text, many, opt, seq
from wireshape.emit.grammar.book import Book, either
from wireshape.emit.grammar.chars import quoted, spelled
from wireshape.ir import kind_of

_DEEP = 8


def grammar_of(graph: ir.Graph, spaces: int) -> Grammar:
    """Write a graph as a grammar; everything in it must be sayable."""
    book = Book(spaces)
    out = _Out(book, {}, {}, [])
    root = _node(graph.root, out, "value")
    for name in out.waiting:  # grows while definitions are written
        target = graph.defs[name]
        book.adopt(out.names[name], _written(target, out, name), _about(target))
    return book.grammar(root, _about(graph.root))


@dataclass(slots=True)
class _Out:
    book: Book
    names: dict[str, str]  # of definitions
    known: dict[int, tuple[ir.Node, Expr]]
    waiting: list[str]  # definitions to be written
    anything: Expr | None = field(default=None)


def _about(n: ir.Node) -> tuple[str, ...]:
    """What the description of a node says, by line."""
    text = (n.ann or {}).get("description")
    return (
        tuple([line.strip() for line in text.splitlines() if line.strip()])
        if type(text) is str
        else ()
    )


def _node(n: ir.Node, out: _Out, hint: str) -> Expr:
    known = out.known.get(id(n))
    if known is None:
        known = out.known[id(n)] = (n, _written(n, out, hint))
    return known[1]


def _written(n: ir.Node, out: _Out, hint: str) -> Expr:
    book = out.book
    if type(n) is ir.String:
        return book.token(texts.string(n), hint)
    if type(n) is ir.Object:
        return _object(n, out, hint)
    if type(n) is ir.Ref:
        return _ref(n, out)
    if type(n) is ir.Number:
        return book.token(numbers.number(n), hint)
    if type(n) is ir.List:
        return _list(n, out, hint)
    if type(n) is ir.Union:
        arms = [_node(option, out, f"{hint}_{i}") for i, option in enumerate(n.options, 1)]
        return book.rule(either(*arms), hint)
    if type(n) is ir.Literal:
        return _literal(n, out, hint)
    if type(n) is ir.Boolean:
        return book.boolean
    if type(n) is ir.Null:
        return book.null
    if type(n) is ir.Any:
        return _anything(out)
    if type(n) is ir.Tuple:
        return _tuple(n, out, hint)
    if type(n) is ir.Refine:
        return _node(n.base, out, hint)
    if type(n) is ir.Never:
        raise AssertionError(n.reason)
    assert_never(n)


def _ref(n: ir.Ref, out: _Out) -> Expr:
    """A definition, which is written later: a chain of them may be longer than the stack."""
    name = out.names.get(n.name)
    if name is None:
        name = out.names[n.name] = out.book.name(n.name)
        out.waiting.append(n.name)
    return Ref(name)


def _literal(n: ir.Literal, out: _Out, hint: str) -> Expr:
    scalars: list[Expr] = []
    others: list[Expr] = []
    for value in n.values:
        holds = kind_of(value) is list or kind_of(value) is dict
        (others if holds else scalars).append(constant(value, out.book))
    one = [out.book.token(either(*scalars), hint)] if scalars else []
    return out.book.rule(either(*one, *others), hint)


def constant(value: ir.Json, book: Book) -> Expr:
    """One value; the keys of objects in the order that they have."""
    if type(value) is str:
        return quoted(spelled(value))
    if kind_of(value) is list:
        items = [constant(v, book) for v in value]
        return book.enclosed("[", _joined(items, book), empty=False)
    if kind_of(value) is dict:
        pairs = [seq(constant(k, book), book.colon, constant(v, book)) for k, v in value.items()]
        return book.enclosed("{", _joined(pairs, book), empty=False)
    if type(value) is float and value.is_integer():
        value = int(value)
    return Text(json.dumps(value))


def _joined(parts: list[Expr], book: Book) -> Expr:
    joined = [part for p in parts for part in (book.comma, p)]
    return seq(*joined[1:])


def _list(n: ir.List, out: _Out, hint: str) -> Expr:
    book = out.book
    if type(n.items) is ir.Never or n.max_items == 0:
        return book.enclosed("[", EMPTY, empty=False)
    item = book.rule(_node(n.items, out, f"{hint}_item"), f"{hint}_item")
    listed = book.listed(item, n.min_items, n.max_items)
    return book.rule(book.enclosed("[", listed, empty=n.min_items == 0), hint)


def _tuple(n: ir.Tuple, out: _Out, hint: str) -> Expr:
    book = out.book
    most = n.max_items
    inside: Expr = EMPTY
    if type(n.rest) is not ir.Never and (most is None or most > len(n.prefix)):
        rest = book.rule(_node(n.rest, out, f"{hint}_rest"), f"{hint}_rest")
        least = max(n.min_items - len(n.prefix), 0)
        inside = many(seq(book.comma, rest), least, None if most is None else most - len(n.prefix))
    said = list(n.prefix if most is None else n.prefix[:most])
    dead = next((i for i, p in enumerate(said) if type(p) is ir.Never), len(said))
    if dead < len(said):
        said, inside = said[:dead], EMPTY
    for i in range(len(said) - 1, -1, -1):
        item = _node(said[i], out, f"{hint}_{i}")
        inside = seq(book.comma, item, inside) if i else seq(item, inside)
        if i and i >= n.min_items:
            inside = opt(inside)
        if i and i % _DEEP == 0:
            inside = book.rule(inside, f"{hint}_from_{i}")
    return book.rule(book.enclosed("[", inside, empty=n.min_items == 0), hint)


def _object(n: ir.Object, out: _Out, hint: str) -> Expr:
    book = out.book
    about = list(_about(n))
    fields: list[members.Member] = []
    for f in n.fields:
        if type(f.node) is ir.Never:
            continue
        about += [f"{json.dumps(f.key, ensure_ascii=False)}: {line}" for line in _about(f.node)]
        pair = seq(
            book.token(quoted(spelled(f.key)), f"{f.key}_key"),
            book.colon,
            _node(f.node, out, f.key),
        )
        fields.append(members.Member(pair, f.required))
    extra = _extra(n, out, hint)
    inside, empty = members.inside(fields, extra, n, book, hint)
    return book.rule(book.enclosed("{", inside, empty=empty), hint, tuple(about))


def _extra(n: ir.Object, out: _Out, hint: str) -> Expr | None:
    """A pair with an undeclared key, `None` where there is none."""
    book = out.book
    node: ir.Node = n.patterns[0].node if n.patterns else n.extras
    if type(node) is ir.Never:
        return None
    key = book.token(quoted(members.key_content(n, book, hint)), f"{hint}_key")
    value = book.rule(_node(node, out, f"{hint}_value"), f"{hint}_value")
    return book.rule(seq(key, book.colon, value), f"{hint}_pair")


def _anything(out: _Out) -> Expr:
    """Any value, as rules that refer to themselves."""
    if out.anything is None:
        book = out.book
        name = book.name("json_value")
        out.anything = value = Ref(name)
        pair = book.rule(seq(book.string, book.colon, value), "json_pair")
        items = book.rule(book.enclosed("[", book.listed(value), empty=True), "json_array")
        pairs = book.rule(book.enclosed("{", book.listed(pair), empty=True), "json_object")
        arms = either(pairs, items, book.string, book.number, book.boolean, book.null)
        book.rules[name] = Rule(arms, token=False)
    return out.anything
