"""Writes a wire graph as a grammar of its JSON texts, in the syntax that a row asks for; it decides spelling only."""

from __future__ import annotations

from wireshape import ir
from wireshape.dialect import Dialect
from wireshape.emit.grammar.gbnf import spell_gbnf
from wireshape.emit.grammar.lark import spell_lark
from wireshape.emit.grammar.regular import spell_regex
from wireshape.emit.grammar.shapes import grammar_of

__all__ = ["grammar_text"]


def grammar_text(graph: ir.Graph, row: Dialect) -> str | None:
    """Write a graph in the row's grammar syntax; `None` for a row that takes schemas."""
    if row.grammar.syntax == "none":
        return None
    grammar = grammar_of(graph, row.grammar.spaces)
    if row.grammar.syntax == "lark":
        return spell_lark(grammar)
    if row.grammar.syntax == "gbnf":
        return spell_gbnf(grammar)
    return spell_regex(grammar)
