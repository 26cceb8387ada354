r"""Spells a grammar in Lark: tokens in upper case, which a lexer reads greedily, and rules in lower case.

Only what both the lark library and llguidance read is used: no look-around, no lazy repeats, no imports, no templates.
"""

from __future__ import annotations

from typing import Final, assert_never

from wireshape.emit.grammar.algebra import (
    Alt,
    Chars,
    Expr,
    Grammar,
    Ref,
    Rep,
    Rule,
    Seq,
    Text,
    references,
)
from wireshape.emit.grammar.regular import pattern
from wireshape.emit.grammar.spelling import SIGNS

_WIDE: Final = 100


def spell_lark(grammar: Grammar) -> str:
    """Write the rules, the start rule first and the tokens last.

    >>> print(spell_lark(Grammar(start="start", rules={"start": Rule(Text("a"), token=False)})), end="")
    start: "a"
    """
    tokens = [rule.expr for rule in grammar.rules.values() if rule.token]
    joined = {name for expr in tokens for name in _joined(expr)}
    return "".join(
        [_rule(name, rule, joined=name in joined) for name, rule in grammar.rules.items()]
    )


def _joined(expr: Expr) -> set[str]:
    """Name what is referred to in a sequence: the lark library puts its pattern there without brackets."""
    found: set[str] = set()
    stack = [expr]
    while stack:
        at = stack.pop()
        if isinstance(at, Seq):
            found |= {item.name for item in at.items if isinstance(item, Ref)}
            stack += at.items
        elif isinstance(at, Alt):
            stack += at.arms
        elif isinstance(at, Rep):
            stack.append(at.item)
    return found


def _rule(name: str, rule: Rule, *, joined: bool) -> str:
    about = "".join([f"// {line}\n" for line in rule.about])
    expr = rule.expr
    if isinstance(expr, Alt) and not (rule.token and not references(expr)):
        arms = _arms(expr.arms, token=rule.token)
        line = " | ".join(arms)
        body = line if len(line) <= _WIDE else "\n    | ".join(arms)
    else:
        body = _expr(expr, tight=joined, token=rule.token)
    return f"{about}{name}: {body}\n"


def _expr(expr: Expr, *, tight: bool, token: bool = True) -> str:
    """Write an expression; a `tight` one is a single operand."""
    match expr:
        case Ref(name):
            return name
        case Text(text):
            return _quoted(text) if _is_plain(text) else f"/{pattern(expr)}/"
        case Chars():
            return f"/{pattern(expr)}/"
        case Seq(items):
            if token and not references(expr):
                return f"/{pattern(expr)}/" if items else '""'
            return _group(" ".join(_parts(items, token)), tight and len(items) != 1)
        case Alt(arms):
            if token and not references(expr):
                return f"/(?:{pattern(expr)})/" if tight else f"/{pattern(expr)}/"
            return _group(" | ".join(_arms(arms, token=token)), tight)
        case Rep(item, low, high):
            if token and not references(expr):
                return f"/{pattern(expr)}/"
            return _times(_expr(item, tight=True, token=token), low, high, tight=tight)
        case _:
            assert_never(expr)


def _arms(arms: tuple[Expr, ...], *, token: bool) -> list[str]:
    """Write the arms of a choice; in a token, those without references are one pattern."""
    plain = [arm for arm in arms if token and not references(arm)]
    named = [arm for arm in arms if not token or references(arm)]
    written = [_expr(arm, tight=False, token=token) for arm in named]
    return [*([f"/{pattern(Alt(tuple(plain)))}/"] if plain else []), *written]


def _parts(items: tuple[Expr, ...], token: bool) -> list[str]:
    """Write the parts of a sequence; in a token, neighbours without references are one pattern."""
    written: list[str] = []
    run: list[Expr] = []
    for item in [*items, None]:
        if item is not None and token and not references(item):
            run.append(item)
            continue
        if run:
            joined = run[0] if len(run) == 1 else Seq(tuple(run))
            written.append(_expr(joined, tight=True, token=token))
            run = []
        if item is not None:
            written.append(_expr(item, tight=True, token=token))
    return written


def _group(text: str, tight: bool) -> str:
    return f"({text})" if tight else text


def _times(item: str, low: int, high: int | None, *, tight: bool) -> str:
    short = SIGNS.get((low, high))
    if short is not None:
        return f"{item}{short}"
    if high is None:
        return _group(f"{item}~{low} {item}*", tight)
    return f"{item}~{low}" if low == high else f"{item}~{low}..{high}"


def _is_plain(text: str) -> bool:
    return text.isprintable() and text.isascii()


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
