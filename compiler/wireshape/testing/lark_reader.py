"""Judges texts by a Lark grammar with the lark library: LALR(1) with a lexer that picks one token, and Earley where that will not do.

What the first accepts is accepted. It may refuse what the grammar says, since of two tokens that fit it takes one, and some
grammars have no such parser at all; only what the second refuses, too, is refused. This module knows no JSON.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import lark


class Lark:
    r"""A grammar that the lark library has read.

    >>> grammar = Lark('start: A | B "!"\nA: /a+/\nB: /a[a-z]*/')
    >>> grammar.accepts("aa"), grammar.accepts("ab!"), grammar.accepts("b")
    (True, True, False)
    """

    def __init__(self, text: str, *, quick: bool = True) -> None:
        self._text = text
        self._lalr: lark.Lark | None = None
        if not quick:  # tables of LALR(1) take long where many optional fields may come first
            return
        try:
            self._lalr = lark.Lark(text, parser="lalr", lexer="contextual")
        except lark.exceptions.GrammarError:
            _ = self._earley  # tells whether it is a grammar at all

    @property
    def is_lalr(self) -> bool:
        """Whether one token ahead decides everything."""
        return self._lalr is not None

    def accepts(self, text: str) -> bool:
        """Whether a text is one of the grammar's."""
        quick = self._lalr is not None and _parses(self._lalr, text)
        return quick or _parses(self._earley, text)

    def accepts_at_once(self, text: str) -> bool:
        """Whether the quick parser accepts a text."""
        return self._lalr is not None and _parses(self._lalr, text)

    @cached_property
    def _earley(self) -> lark.Lark:
        return lark.Lark(self._text, parser="earley", lexer="dynamic")


def _parses(parser: Any, text: str) -> bool:
    try:
        parser.parse(text)
    except lark.exceptions.LarkError:
        return False
    return True
