"""Collects the rules of a grammar while it is written: names that are free, equal parts once, and the tokens of JSON."""

from __future__ import annotations

import re
from typing import Final

from wireshape.emit.grammar.algebra import (
    EMPTY,
    Alt,
    Chars,
    Expr,
    Grammar,
    Ref,
    Rule,
    Seq,
    Text,
    many,
    references,
    seq,
)
from wireshape.emit.grammar.chars import CHAR, TOKENS, quoted
from wireshape.emit.grammar.integers import INTEGER
from wireshape.emit.grammar.numbers import NUMBER

_START: Final = "start"
_SPACES: Final = Chars(((0x09, 0x0A), (0x0D, 0x0D), (0x20, 0x20)))
_STEM: Final = 40


def either(*arms: Expr) -> Expr:
    """Offer a choice between parts of a text, whatever characters they are made of."""
    kept = list(
        dict.fromkeys([a for arm in arms for a in (arm.arms if isinstance(arm, Alt) else (arm,))])
    )
    return kept[0] if len(kept) == 1 else Alt(tuple(kept))


class Book:
    """The rules so far; `spaces` characters of white space may stand between the parts of a value."""

    def __init__(self, spaces: int) -> None:
        self.rules: dict[str, Rule] = {}
        self._names: dict[Rule, str] = {}
        self._taken = {_START, "root", *[name.lower() for name in TOKENS]}
        blank = many(_SPACES, 0, spaces)
        self.comma = self._part("COMMA", seq(Text(","), blank))
        self.colon = self._part("COLON", seq(Text(":"), blank))
        self._open = {c: self._part(name, seq(Text(c), blank)) for c, name in _OPENINGS.items()}
        self._close = {c: self._part(name, seq(blank, Text(c))) for c, name in _CLOSINGS.items()}
        self.string = self._part("STRING", quoted(many(CHAR)))
        self.integer = self._part("INTEGER", INTEGER)
        self.number = self._part("NUMBER", NUMBER)
        self.boolean = self._part("BOOLEAN", Alt((Text("true"), Text("false"))))
        self.null = Text("null")
        for name, rule in TOKENS.items():
            self.rules[name] = rule

    def _part(self, name: str, expr: Expr) -> Expr:
        """A token of JSON that every grammar has, under its usual name."""
        self._taken.add(name.lower())
        self._names[Rule(expr, token=True)] = name
        self.rules[name] = Rule(expr, token=True)
        return Ref(name)

    def name(self, hint: str, *, token: bool = False) -> str:
        """A free name that reminds of `hint`, upper case for a token; no two differ in case only."""
        stem = re.sub(r"[^a-z0-9]+", "_", hint.lower())[:_STEM].strip("_")
        stem = stem if stem[:1].isalpha() else f"part_{stem}".strip("_")
        name, i = stem, 2
        while name in self._taken:
            name, i = f"{stem}_{i}", i + 1
        self._taken.add(name)
        return name.upper() if token else name

    def token(self, expr: Expr, hint: str) -> Expr:
        """A token; a plain text stands for itself."""
        return expr if isinstance(expr, Text | Ref) else self._kept(Rule(expr, token=True), hint)

    def rule(self, expr: Expr, hint: str, about: tuple[str, ...] = ()) -> Expr:
        """A rule; what is short already stands for itself, unless there is something to tell `about` it."""
        if isinstance(expr, Text | Ref) and not about:
            return expr
        return self._kept(Rule(expr, token=False, about=about), hint)

    def _kept(self, rule: Rule, hint: str) -> Expr:
        known = self._names.get(rule)
        if known is None:
            known = self._names[rule] = self.name(hint, token=rule.token)
            self.rules[known] = rule
        return Ref(known)

    def adopt(self, name: str, expr: Expr, about: tuple[str, ...]) -> None:
        """Give an expression a name that was taken before; a rule that it refers to is written in its place."""
        known = self.rules.get(expr.name) if isinstance(expr, Ref) else None
        if known is not None and not known.token:
            self.rules[name] = known._replace(about=known.about or about)
        else:
            self.rules[name] = Rule(expr, token=False, about=about)

    def enclosed(self, opening: str, first: Expr, *, empty: bool) -> Expr:
        """Brackets around a non-empty inside, or, where it may be `empty`, around nothing."""
        closing = _PARTNERS[opening]
        nothing = Text(closing)
        if first == EMPTY:
            return seq(self._open[opening], nothing)
        inside = seq(first, self._close[closing])
        return (
            Seq((self._open[opening], either(inside, nothing)))
            if empty
            else seq(self._open[opening], inside)
        )

    def listed(self, item: Expr, low: int = 0, high: int | None = None) -> Expr:
        """One item or more, `low` up to `high` of them, separated by commas."""
        more = many(seq(self.comma, item), max(low - 1, 0), None if high is None else high - 1)
        return EMPTY if high == 0 else seq(item, more)

    def grammar(self, root: Expr, about: tuple[str, ...]) -> Grammar:
        """Close the book: the rules that are in use, those that are reached first in front."""
        self.adopt(_START, root, about)
        order: dict[str, None] = {_START: None}
        queue = [_START]
        for name in queue:
            new = [n for n in _in_order(self.rules[name].expr) if n not in order]
            order.update(dict.fromkeys(new))
            queue += new
        tokens = [n for n in order if self.rules[n].token]
        rules = [n for n in order if not self.rules[n].token]
        return Grammar(start=_START, rules={n: self.rules[n] for n in [*rules, *tokens]})


_OPENINGS: Final = {"{": "LBRACE", "[": "LBRACKET"}
_CLOSINGS: Final = {"}": "RBRACE", "]": "RBRACKET"}
_PARTNERS: Final = {"{": "}", "[": "]"}


def _in_order(expr: Expr) -> list[str]:
    return sorted(references(expr))
