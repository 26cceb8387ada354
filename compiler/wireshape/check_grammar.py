"""The acceptor of grammars: tell what a dialect would refuse in the text of one, made here or not; it builds no parser.

It reads the text itself and shares no code with what writes grammars.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from wireshape.check_gbnf import read_gbnf
from wireshape.check_lark import read_lark
from wireshape.check_pattern import read_pattern
from wireshape.check_texts import Finding, Flaw
from wireshape.dialect import Dialect

_READERS: Final[Mapping[str, Callable[[str], list[Flaw]]]] = {
    "lark": read_lark,
    "gbnf": read_gbnf,
    "regex": read_pattern,
}


def grammar_findings(text: str, d: Dialect) -> Iterator[Finding]:
    """Yield what the row refuses in a grammar."""
    for flaw in _READERS[d.grammar.syntax](text):
        at = None if flaw.place is None else (None, flaw.place)
        if flaw.kind == "malformed":
            yield Finding(
                "WS416", "grammar.syntax", "", at, flaw.what, "write it as the syntax asks"
            )
        elif flaw.kind == "repeat":
            most = d.grammar.repeat_max
            if most is not None and flaw.times > most:
                what = f"a repeat counts to {flaw.times}, over {most}"
                yield Finding("WS417", "grammar.repeat_max", "", at, what, "weaken the bound")
        elif flaw.kind in d.grammar.forbid:
            yield Finding("WS417", "grammar.forbid", flaw.kind, at, flaw.what, "spell it without")
