"""A judge of GBNF that is no engine: reads a grammar, and tells which texts it accepts; it shares no code with the writer."""

from __future__ import annotations

import re
import sys
from typing import Any

_TOKEN = re.compile(
    r"\s+|#[^\n]*|(::=)|([a-zA-Z0-9-]+)|(\"(?:\\.|[^\"\\])*\")|(\[(?:\\.|[^\]\\])*\])|([()|*+?])|(\{\d+(?:,\d*)?\})"
)
_DEEP = 50_000
_ESCAPES = {"n": 10, "r": 13, "t": 9}


def _codes(text: str) -> list[tuple[int, bool]]:
    """The characters of a literal or a class, and whether each was written as an escape."""
    found: list[tuple[int, bool]] = []
    for m in re.finditer(
        r"\\x(..)|\\u(....)|\\U(.{8})|\\(.)|(.)", text.replace("\n", r"\n"), re.DOTALL
    ):
        digits = m[1] or m[2] or m[3]
        if digits:
            found.append((int(digits, 16), True))
        elif m[4]:
            found.append((_ESCAPES.get(m[4], ord(m[4])), True))
        else:
            found.append((ord(m[5]), False))
    return found


def _class(text: str) -> tuple[bool, list[tuple[int, int]]]:
    negated = text.startswith("[^")
    codes = _codes(text[2 if negated else 1 : -1])
    ranges: list[tuple[int, int]] = []
    i = 0
    while i < len(codes):
        if i + 2 < len(codes) and codes[i + 1] == (ord("-"), False):
            ranges.append((codes[i][0], codes[i + 2][0]))
            i += 3
        else:
            ranges.append((codes[i][0], codes[i][0]))
            i += 1
    return negated, ranges


class Gbnf:
    r"""A grammar that was read; one that is not well-formed raises ValueError.

    >>> Gbnf('root ::= "a" b{1,2}\nb ::= [x-z]').accepts("axz")
    True
    """

    def __init__(self, text: str) -> None:
        self._rules: dict[str, Any] = {}
        found = list(_TOKEN.finditer(text))
        self._words = [word for m in found if (word := next(filter(None, m.groups()), None))]
        if sum([len(m[0]) for m in found]) != len(text):
            raise ValueError(text)
        self._at = 0
        while self._at < len(self._words):
            name, mark = self._words[self._at : self._at + 2]
            if mark != "::=" or name in self._rules:
                raise ValueError(name)
            self._at += 2
            self._rules[name] = self._alt()
        self._known: dict[tuple[str, int], frozenset[int]] = {}

    def _peek(self) -> str | None:
        more = self._words[self._at : self._at + 2]
        return None if not more or (len(more) == 2 and more[1] == "::=") else more[0]

    def _alt(self) -> Any:
        arms = [self._seq()]
        while self._peek() == "|":
            self._at += 1
            arms.append(self._seq())
        return ("alt", arms)

    def _seq(self) -> Any:
        items: list[Any] = []
        while (word := self._peek()) is not None and word not in "|)":
            self._at += 1
            if word == "(":
                items.append(self._alt())
                if self._peek() != ")":
                    raise ValueError(word)
                self._at += 1
            elif word[0] == '"':
                items.append(("text", "".join([chr(c) for c, _ in _codes(word[1:-1])])))
            elif word[0] == "[":
                items.append(("class", _class(word)))
            elif word in "*+?" or word[0] == "{":
                items[-1] = ("rep", (items[-1], *_counts(word)))
            else:
                items.append(("ref", word))
        return ("seq", items)

    def accepts(self, text: str) -> bool:
        """Whether the whole text is one of `root`."""
        self._known = {}
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(
            max(limit, _DEEP)
        )  # a chain of optional fields is as deep as it is long
        try:
            return len(text) in self._ends(self._rules["root"], text, 0)
        finally:
            sys.setrecursionlimit(limit)

    def _ends(self, n: Any, text: str, at: int) -> set[int]:
        """Where what begins at `at` may end."""
        kind, of = n
        if kind == "text":
            return {at + len(of)} if text.startswith(of, at) else set()
        if kind == "class":
            negated, ranges = of
            inside = at < len(text) and any([low <= ord(text[at]) <= high for low, high in ranges])
            return {at + 1} if at < len(text) and inside != negated else set()
        if kind == "alt":
            return {end for arm in of for end in self._ends(arm, text, at)}
        if kind == "ref":
            if (of, at) not in self._known:
                self._known[of, at] = frozenset(self._ends(self._rules[of], text, at))
            return set(self._known[of, at])
        if kind == "rep":
            return self._repeated(of, text, at)
        places = {at}
        for item in of:
            places = {end for place in places for end in self._ends(item, text, place)}
        return places

    def _repeated(self, of: tuple[Any, int, int | None], text: str, at: int) -> set[int]:
        item, low, high = of
        places = {at}
        found = set(places) if low == 0 else set[int]()
        count = 0
        while places and (high is None or count < high):
            places = {end for place in places for end in self._ends(item, text, place)} - found
            count += 1
            found |= places if count >= low else set()
        return found


_SIGNS: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}


def _counts(word: str) -> tuple[int, int | None]:
    if word in _SIGNS:
        return _SIGNS[word]
    low, comma, high = word[1:-1].partition(",")
    return int(low), int(high) if high else (None if comma else int(low))
