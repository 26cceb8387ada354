r"""Scan an ECMA-262 pattern into a flat list of tokens, groups resolved; it neither matches nor builds a tree.

`a(b|c)*` becomes `a`, `(`, `b`, `|`, `c`, `)`, `*`, where the `(` knows its bars and its end. One pass, no recursion,
so that a pattern of any nesting costs time linear in its length. The grammar is that of the `u` flag, with two leniences
that real schemas need: escapes of punctuation (`\-`, `\@`), and braces and brackets that stand for themselves.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple


class Token(NamedTuple):
    """`kind`: atom, dot, any (`[^]`), none (`[]`), open, close, alt, quant, start, end, boundary."""

    kind: str
    begin: int
    end: int


@dataclass(slots=True)
class Group:
    """An open parenthesis: `kind` is capture, named, plain, modifier, lookahead or lookbehind; the rest are token numbers."""

    kind: str
    open: int
    bars: list[int] = field(default_factory=list[int])
    close: int = -1
    repeats: bool = False  # holds a quantifier


@dataclass(frozen=True, slots=True)
class Scan:
    """A scanned pattern; `error` is None when it parses, and `tokens` stop at the error otherwise."""

    tokens: list[Token]
    groups: dict[int, Group]  # by token number of the parenthesis
    bars: list[int]  # at the top level
    features: frozenset[str]
    error: str | None


@lru_cache(maxsize=2048)
def scan(pattern: str) -> Scan:
    """Scan a pattern; the result is shared, so do not change it."""
    return _Scanner(pattern).run()


_QUANTIFIER = re.compile(r"[*+?]|\{(\d+)(?:(,)(\d*))?\}")
_ESCAPE = re.compile(
    r"\\(?:([1-9][0-9]*|k<[^>]*>)|([bB])|([pP]\{[A-Za-z0-9_]+(?:=[A-Za-z0-9_]+)?\})"
    r"|[dDsSwWtnvfr]|0(?![0-9])|c[A-Za-z]|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|u\{0*(?:10|[0-9A-Fa-f])?[0-9A-Fa-f]{1,4}\}|[^A-Za-z0-9])",
    re.DOTALL,
)
_GROUP = re.compile(r"\((?:\?(?:(:)|(=|!)|(<=|<!)|(<[A-Za-z_$][\w$]*>)|([ims]*(?:-[ims]*)?:)))?")
_FOREIGN: Final = (  # syntax of other engines, worth a name of its own
    ("(?>", "atomic"), ("(?P=", "backreference"), ("(?P<", "named-group"), ("(?(", "conditional-group"),
    ("(?i", "inline-modifier"), ("(?m", "inline-modifier"), ("(?s", "inline-modifier"), ("(?x", "inline-modifier"),
)  # fmt: skip
_GROUP_FEATURE: Final = {
    "named": "named-group", "modifier": "inline-modifier", "lookahead": "lookahead", "lookbehind": "lookbehind",
}  # fmt: skip
_SIMPLE: Final = {"start", "end", "boundary", "alt", "open", ""}  # nothing to repeat after these


class _Scanner:
    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.tokens: list[Token] = []
        self.groups: dict[int, Group] = {}
        self.stack: list[Group] = []
        self.bars: list[int] = []
        self.features: set[str] = set()
        self.captures = 0
        self.names: set[str] = set()
        self.references: list[str] = []

    def run(self) -> Scan:
        error = self._tokens() or self._dangling()
        if error:
            self.features.add("invalid")
        return Scan(self.tokens, self.groups, self.bars, frozenset(self.features), error)

    def _tokens(self) -> str | None:
        at, pattern, size = 0, self.pattern, len(self.pattern)
        step = {
            "\\": self._escape,
            "[": self._class,
            "(": self._open,
            ")": self._close,
            "|": self._bar,
        }
        while at < size:
            c = pattern[at]
            begin, error = len(self.tokens), None
            if c in step:
                error = step[c](at)
            elif c in "*+?" or (c == "{" and _QUANTIFIER.match(pattern, at)):
                error = self._quantifier(at)
            else:
                self._put({"^": "start", "$": "end", ".": "dot"}.get(c, "atom"), at, at + 1)
            if error:
                return f"{error} at {at}"
            at = self.tokens[begin].end
        return "a group is not closed" if self.stack else None

    def _dangling(self) -> str | None:
        for reference in self.references:
            known = (
                int(reference) <= self.captures
                if reference.isdigit()
                else reference[2:-1] in self.names
            )
            if not known:
                return f"\\{reference} refers to no group"
        return None

    def _put(self, kind: str, begin: int, end: int) -> None:
        self.tokens.append(Token(kind, begin, end))

    def _escape(self, at: int) -> str | None:
        m = _ESCAPE.match(self.pattern, at)
        if m is None:
            return "an escape that means nothing"
        reference, boundary, category = m.groups()
        if reference:
            self.references.append(reference)
            self.features.add("backreference")
        if boundary:
            self.features.add("word-boundary")
        if category:
            self.features.add("unicode-property")
        self._put("boundary" if boundary else "atom", at, m.end())
        return None

    def _class(self, at: int) -> str | None:
        """Skip `[...]`; in this syntax `[]` holds nothing and `[^]` everything."""
        pattern, size = self.pattern, len(self.pattern)
        i = at + 2 if pattern.startswith("^", at + 1) else at + 1
        first, low, ranged = i, None, False
        while i < size and pattern[i] != "]":
            begin = i
            if pattern[i] == "\\":
                m = _ESCAPE.match(pattern, i)
                if m is None or m[1] or m[2] == "B":
                    return "an escape that means nothing in a class"
                if m[3]:
                    self.features.add("unicode-property")
                i = m.end()
            else:
                i += 1
            member = _code_point(pattern[begin:i])
            if ranged:
                if low is not None and member is not None and member < low:
                    return "a range out of order"
                low, ranged = None, False
            elif (
                pattern[begin] == "-"
                and begin > first
                and low is not None
                and i < size
                and pattern[i] != "]"
            ):
                ranged = True
            else:
                low = member
        if i >= size:
            return "a class is not closed"
        kind = "atom" if i > first else "any" if first == at + 2 else "none"
        self._put(kind, at, i + 1)
        return None

    def _open(self, at: int) -> str | None:
        for prefix, feature in _FOREIGN:
            if self.pattern.startswith(prefix, at):
                self.features.add(feature)
        m = _GROUP.match(self.pattern, at)
        if m is None or (m.end() == at + 1 and self.pattern.startswith("?", at + 1)):
            return "a group of another syntax"
        kind = "capture"
        for name, text in zip(
            ("plain", "lookahead", "lookbehind", "named", "modifier"), m.groups(), strict=True
        ):
            kind = name if text else kind
        if kind == "named":
            if m[4][1:-1] in self.names:
                return "a group name given twice"
            self.names.add(m[4][1:-1])
        if kind in ("capture", "named"):
            self.captures += 1
        if kind in _GROUP_FEATURE:
            self.features.add(_GROUP_FEATURE[kind])
        group = Group(kind, len(self.tokens))
        self.groups[group.open] = group
        self.stack.append(group)
        self._put("open", at, m.end())
        return None

    def _close(self, at: int) -> str | None:
        if not self.stack:
            return "a group is not open"
        group = self.stack.pop()
        group.close = len(self.tokens)
        if group.repeats and self.stack:
            self.stack[-1].repeats = True
        self.groups[group.close] = group
        self._put("close", at, at + 1)
        return None

    def _bar(self, at: int) -> str | None:
        (self.stack[-1].bars if self.stack else self.bars).append(len(self.tokens))
        self._put("alt", at, at + 1)
        return None

    def _quantifier(self, at: int) -> str | None:
        m = _QUANTIFIER.match(self.pattern, at)
        last = self.tokens[-1].kind if self.tokens else ""
        group = self.groups[len(self.tokens) - 1] if last == "close" else None
        if m is None or last in _SIMPLE or (group and group.kind.startswith("look")):
            return "nothing to repeat"
        if last == "quant":
            self.features.add("possessive" if self.pattern[at] == "+" else "repeat-of-repeat")
            return "a repeat of a repeat"
        if m[1] and m[3] and _less(m[3], m[1]):
            return "a repeat whose numbers are out of order"
        if m[1] and group and group.repeats:
            self.features.add("complex-repeat")
        if self.stack:
            self.stack[-1].repeats = True
        end = m.end()
        if self.pattern.startswith("?", end):
            self.features.add("lazy")
            end += 1
        self._put("quant", at, end)
        return None


def _less(a: str, b: str) -> bool:
    """Compare digit strings of any length as numbers (`int` refuses very long ones)."""
    a, b = a.lstrip("0"), b.lstrip("0")
    return (len(a), a) < (len(b), b)


def _code_point(text: str) -> int | None:
    r"""Give the code point of one class member, `None` for a set such as `\d`."""
    if text[0] != "\\":
        return ord(text)
    head, rest = text[1], text[2:].strip("{}")
    if head in "xu" and rest:
        return int(rest, 16)
    if head in "dDsSwWpP":
        return None
    if head == "c" and rest:
        return ord(rest) % 32
    return {"t": 9, "n": 10, "v": 11, "f": 12, "r": 13, "0": 0, "b": 8}.get(head, ord(head))
