r"""Spells a grammar in GBNF: `root`, names with dashes, classes of characters; tokens are rules like any other.

Seq((Text("1."), Rep(Chars(((48, 57),)), 1, None)))  ->  "1." [0-9]+
"""

from __future__ import annotations

from typing import Final, NamedTuple, assert_never

from wireshape.emit.grammar.algebra import Alt, Chars, Expr, Grammar, Ref, Rep, Seq, Text
from wireshape.emit.grammar.spelling import bracket, times

_NAMED: Final = {"\n": r"\n", "\r": r"\r", "\t": r"\t", '"': r"\"", "\\": r"\\"}


_SHORT: Final = 8


def spell_gbnf(grammar: Grammar) -> str:
    """Write the rules, `root` first.

    >>> from wireshape.emit.grammar.algebra import Rule
    >>> print(spell_gbnf(Grammar(start="start", rules={"start": Rule(Text("a"), token=False)})), end="")
    root ::= "a"
    """
    lines: list[str] = []
    for name, rule in grammar.rules.items():
        lines += [f"# {line}" for line in rule.about]
        lines += _rule(_name(name), rule.expr)
    return "".join([f"{line}\n" for line in lines])


def _rule(name: str, expr: Expr) -> list[str]:
    """A rule, and one for each group in it that is repeated often: rules within a group count once for each repeat."""
    groups: list[str] = []
    line = f"{name} ::= {_Writer(name, groups).expr(expr, tight=False)}"
    return [line, *groups]


def _name(name: str) -> str:
    """`start` is `root`; tokens keep their upper case."""
    return "root" if name == "start" else name.replace("_", "-")


class _Writer(NamedTuple):
    name: str
    groups: list[str]

    def expr(self, expr: Expr, *, tight: bool) -> str:
        """Write an expression; a `tight` one is a single operand."""
        match expr:
            case Ref(name):
                return _name(name)
            case Text(text):
                return f'"{"".join([_char(ord(c)) for c in text])}"'
            case Chars(ranges):
                return bracket(ranges, _in_class)
            case Seq(items):
                text = " ".join([self.expr(item, tight=True) for item in items]) or '""'
                return f"({text})" if tight and len(items) > 1 else text
            case Alt(arms):
                text = " | ".join([self.expr(arm, tight=False) for arm in arms])
                return f"({text})" if tight else text
            case Rep():
                return self.repeated(expr)
            case _:
                assert_never(expr)

    def repeated(self, expr: Rep) -> str:
        """Write a repeat."""
        item, low, high = expr.item, expr.low, expr.high
        inner = self.expr(item, tight=True)
        if max(low, high or 0) > _SHORT and not isinstance(item, Ref | Chars):
            name = f"{self.name}--{len(self.groups) + 1}"
            self.groups.append(f"{name} ::= {inner}")
            inner = name
        elif isinstance(item, Rep):
            inner = f"({inner})"
        return f"{inner}{times(low, high)}"


def _in_class(code: int) -> str:
    return f"\\x{code:02X}" if chr(code) in '-^]"[' else _char(code)


def _char(code: int) -> str:
    c = chr(code)
    if c in _NAMED:
        return _NAMED[c]
    if c.isprintable():
        return c
    if code <= 0xFF:
        return f"\\x{code:02X}"
    return f"\\u{code:04X}" if code <= 0xFFFF else f"\\U{code:08X}"
