r"""Scans a regular expression for what engines refuse: look-around, lazy repeats, back-references, open brackets.

a(?=b)  ->  [Flaw("look-around", None, "a pattern looks around")]
"""

from __future__ import annotations

import re
from typing import Final

from wireshape.check_texts import Flaw

_PART: Final = re.compile(
    r"\\(?P<escape>[\s\S])|(?P<look>\(\?(?:<?[=!]))|(?P<open>\((?:\?(?:P?<\w+>|[a-zA-Z-]*:))?)|(?P<close>\))"
    r"|(?P<class>\[\^?\]?(?:\\[\s\S]|[^\]\\])*\])|(?P<repeat>[*+?]|\{\d+(?:,\d*)?\})(?P<lazy>\??)|(?P<bar>\|)|(?P<other>[\s\S])"
)


def read_pattern(text: str) -> list[Flaw]:
    """Return what stands out in a pattern that is all of a grammar."""
    flaws = pattern_flaws(text, None)
    return (
        [*flaws, Flaw("newline", None, "the pattern holds a line feed")] if "\n" in text else flaws
    )


def pattern_flaws(text: str, place: str | None) -> list[Flaw]:
    """Return what stands out in a pattern, told at `place`."""
    flaws: list[Flaw] = []
    depth, operand = 0, False
    for part in _PART.finditer(text):
        kind = part.lastgroup if part.lastgroup != "lazy" else "repeat"
        if part["escape"] is not None and part["escape"] in "123456789k":
            flaws.append(Flaw("backreference", place, "a pattern refers back to a group"))
        elif part["look"]:
            flaws.append(Flaw("look-around", place, "a pattern looks around"))
        elif part["repeat"]:
            flaws += _repeat(part, place, operand=operand)
        elif kind == "other" and part["other"] in "[]{":
            flaws.append(Flaw("malformed", place, f"a pattern has a loose {part['other']!r}"))
        if kind in ("look", "open"):
            depth += 1
        elif kind == "close":
            depth -= 1
        operand = kind not in ("look", "open", "bar", "repeat")
        if depth < 0:
            break
    if depth:
        flaws.append(Flaw("malformed", place, "the brackets of a pattern do not match"))
    return flaws


def _repeat(part: re.Match[str], place: str | None, *, operand: bool) -> list[Flaw]:
    if not operand:
        return [Flaw("malformed", place, "a pattern repeats nothing")]
    counts = [int(n) for n in re.findall(r"\d+", part["repeat"])]
    flaws = [Flaw("repeat", place, "", max(counts))] if counts else []
    if part["lazy"]:
        flaws.append(Flaw("lazy", place, "a pattern has a lazy repeat"))
    return flaws


def is_endless(text: str) -> bool:
    r"""Whether a pattern repeats something without an end.

    >>> is_endless(r"[ *]{0,3}"), is_endless(" +")
    (False, True)
    """
    repeats = [part["repeat"] for part in _PART.finditer(text) if part["repeat"]]
    return any([repeat in "*+" or repeat.endswith(",}") for repeat in repeats])
