r"""Spells a grammar, or a part of one, as a regular expression that Rust and Python read alike.

Seq((Text("1."), Rep(Chars(((48, 57),)), 1, None)))  ->  1\.[0-9]+
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, assert_never

from wireshape.emit.grammar.algebra import Alt, Chars, Expr, Grammar, Ref, Rep, Rule, Seq, Text
from wireshape.emit.grammar.spelling import bracket, times
from wireshape.regex.sets import Ranges

_NAMED: Final = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}
_BACKSLASHED: Final = r'\\"'
"""The lark library takes the quote after a backslash for an escaped one, whatever stands before the backslash."""
_NO_RULES: Final[Mapping[str, Rule]] = {}


def spell_regex(grammar: Grammar) -> str:
    """Write a grammar whose rules do not refer to themselves as one pattern for the whole text.

    >>> spell_regex(Grammar(start="a", rules={"a": Rule(Ref("B"), False), "B": Rule(Text("b"), True)}))
    'b'
    """
    return pattern(grammar.rules[grammar.start].expr, grammar.rules)


def pattern(expr: Expr, rules: Mapping[str, Rule] = _NO_RULES) -> str:
    """Write an expression; where two arms could begin alike the longer one comes first."""
    match expr:
        case Text(text):
            return "".join([_char(ord(c)) for c in text]).replace(_BACKSLASHED, r"\\\x22")
        case Chars(ranges):
            return _class(ranges)
        case Seq(items):
            return "".join([_operand(i, rules, times=False) for i in _flat(items, rules)])
        case Alt(arms):
            longest = sorted(arms, key=lambda arm: -_width(arm, rules))
            return "|".join([pattern(arm, rules) for arm in longest])
        case Rep(item, low, high):
            return f"{_operand(item, rules, times=True)}{times(low, high)}"
        case Ref(name):
            return pattern(rules[name].expr, rules)
        case _:
            assert_never(expr)


def _operand(expr: Expr, rules: Mapping[str, Rule], *, times: bool) -> str:
    """A part of a sequence, or what is repeated."""
    while isinstance(expr, Ref):
        expr = rules[expr.name].expr
    text = pattern(expr, rules)
    single = isinstance(expr, Chars) or (isinstance(expr, Text) and len(expr.text) == 1)
    bare = single if times else not isinstance(expr, Alt)
    return text if bare else f"(?:{text})"


def _flat(items: tuple[Expr, ...], rules: Mapping[str, Rule]) -> list[Expr]:
    """The items of a sequence, with those of the sequences in it: rules that end in the next one nest as deep as they are many."""
    flat: list[Expr] = []
    stack = [*items[::-1]]
    while stack:
        item = stack.pop()
        while isinstance(item, Ref) and item.name in rules:
            item = rules[item.name].expr
        if isinstance(item, Seq):
            stack += item.items[::-1]
        else:
            flat.append(item)
    return flat


def _width(expr: Expr, rules: Mapping[str, Rule]) -> float:
    """The greatest number of characters."""
    match expr:
        case Text(text):
            return len(text)
        case Chars():
            return 1
        case Seq(items):
            return sum([_width(item, rules) for item in _flat(items, rules)])
        case Alt(arms):
            return max([_width(arm, rules) for arm in arms])
        case Rep(item, _, high):
            return float("inf") if high is None else _width(item, rules) * high
        case Ref(name):
            return _width(rules[name].expr, rules) if name in rules else float("inf")
        case _:
            assert_never(expr)


def _class(ranges: Ranges) -> str:
    (low, high), *more = ranges
    return _char(low) if low == high and not more else bracket(ranges, _char)


def _char(code: int) -> str:
    """A character that means itself, within a class and outside."""
    c = chr(code)
    if c in _NAMED:
        return _NAMED[c]
    if c.isascii() and c.isprintable():
        return c if c.isalnum() or c in " !\"#%',:;<=>@_`" else f"\\{c}"
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
