"""What the text after a quote looks like: the end of a string, or more of it; it reads no values."""

from __future__ import annotations

import re
from typing import Any, Literal, TypeAlias

from wireshape.reply.gaps import Gaps, Unreadable
from wireshape.reply.outcome import Edit, shown

Where: TypeAlias = Literal["key", "member", "item"]
Path: TypeAlias = "tuple[str | int, ...]"

CLOSERS = {'"': '"', "'": "'", "`": "`", "\u201c": "\u201d", "\u2018": "\u2019", "\u201e": "\u201c"}
MAX_RISKS = 16
MAX_EDITS = 50_000

_KEY = re.compile(
    r""""(?:[^"\\\n]|\\.){0,200}"|'[^'\\\n]{0,200}'|`[^`\\\n]{0,200}`|“[^”\\\n]{0,200}”|[\w$][\w$-]{0,200}"""
)
_ITEM = re.compile(
    r""""(?:[^"\\\n]|\\.){0,2000}"[ \t\r\n]*[,\])]|['`“{\[(\d+.-]|(?:true|false|null|True|False|None)\b"""
)
_ITEM_LOOSELY = re.compile(r"""["'`“{\[(\d+.-]|(?:true|false|null|True|False|None)\b""")
_END = re.compile(r"[ \t\r\n]*(?:\Z|`{3}|<\||</)")


class Lookahead:
    """The state of one scan, and what the text after a place looks like."""

    __slots__ = (
        "_last_quote",
        "cut",
        "doubt",
        "eager",
        "edits",
        "gaps",
        "odd",
        "opened",
        "risky",
        "text",
    )

    def __init__(self, gaps: Gaps, *, eager: bool, cut: bool) -> None:
        self.gaps = gaps
        self.text = gaps.text
        self._last_quote = max(gaps.text.rfind('"'), 0)
        self.eager = eager
        self.cut = cut
        self.edits: list[Edit] = []
        self.doubt = False
        self.odd = False
        self.risky: list[Path] = []
        self.opened: list[tuple[dict[str, Any] | list[Any], str | None]] = []

    def edit(self, offset: int, kind: str, before: str, after: str) -> None:
        """Record a change."""
        if len(self.edits) >= MAX_EDITS:
            raise Unreadable("WS634", f"more than {MAX_EDITS} places to repair", offset)
        self.edits.append(Edit(offset=offset, kind=kind, before=shown(before), after=shown(after)))

    def risk(self, at: int) -> None:
        """Note that the value being read is only probably what its text means."""
        path: list[str | int] = []
        for container, key in self.opened:
            path.append(len(container) if key is None else key)
        if tuple(path) not in self.risky:
            self.risky.append(tuple(path))
        if len(self.risky) > MAX_RISKS:
            raise Unreadable("WS630", "too many strings whose end is uncertain", at)

    def stop(self, at: int) -> Unreadable:
        """The text ends inside a value."""
        return Unreadable("WS635", "the text ends inside a value", at, truncated=True)

    def closes(self, after: int, where: Where) -> bool:
        """Tell whether a quote ends its string, by the text after it."""
        ignored = self.gaps.ignored
        known = len(ignored)
        closes = self._closes(after, where)
        while not closes and len(ignored) > known:  # no comments: the string goes on over them
            ignored.popitem()
        return closes

    def _closes(self, after: int, where: Where) -> bool:
        text = self.text
        at = self.gaps.skip(after)
        char = text[at : at + 1]
        if not char:
            return True
        if where == "key":
            return char == ":"
        own = "}" if where == "member" else "])"
        if char in own:
            return self._ends(at)
        if char == ",":
            return self._goes_on(self.gaps.skip(at + 1), where, own)
        if char == "+":
            _refuse_sum(self, at)
        if char in "}])":
            return self._perhaps()
        if where == "member":
            return self.is_plain_key(at) and self._perhaps()
        return _ITEM_LOOSELY.match(text, at) is not None and self._perhaps()

    def _goes_on(self, at: int, where: Where, own: str) -> bool:
        """Whether the text after a comma is what follows a string; a key or item that the text ends in counts."""
        char = self.text[at : at + 1]
        if not char or at == self._last_quote:
            return True
        if char == ",":
            raise Unreadable("WS630", "expecting value", at)
        if char in own:
            return self._ends(at)
        return self.is_key(at) if where == "member" else self._is_item(at)

    def _is_item(self, at: int) -> bool:
        self.gaps.spend(16, at)
        if _ITEM.match(self.text, at):
            return True
        return self.text[at : at + 1] == '"' and self._perhaps()

    def _ends(self, at: int) -> bool:
        """Whether the bracket at `at` ends the container of the string, by the text after it."""
        if len(self.opened) == 1:
            return _END.match(self.text, at + 1) is not None or self._perhaps()
        at = self.gaps.skip(at + 1)
        char = self.text[at : at + 1]
        return not char or char in ",}])" or self._perhaps()

    def is_prose(self, after: int) -> bool:
        """Tell whether neither an item nor punctuation of JSON follows."""
        at = self.gaps.skip(after)
        char = self.text[at : at + 1]
        return char not in ",:{}[]" and _ITEM_LOOSELY.match(self.text, at) is None

    def _perhaps(self) -> bool:
        self.doubt = True
        return self.eager

    def is_plain_key(self, at: int) -> bool:
        """Tell whether a key that begins like a name, and a colon, stand here."""
        char = self.text[at : at + 1]
        if char in CLOSERS:
            char = self.text[at + 1 : at + 2]
        return (char.isalnum() or char in "_$") and self.is_key(at)

    def is_key(self, at: int) -> bool:
        """Tell whether a key and a colon stand here."""
        match = _KEY.match(self.text, at)
        self.gaps.spend(8 if match is None else match.end() - at, at)
        if match is None:
            return False
        at = self.gaps.skip(match.end())
        return self.text[at : at + 1] == ":"


def _refuse_sum(scan: Lookahead, at: int) -> None:
    after = scan.gaps.skip(at + 1)
    if scan.text[after : after + 1] in CLOSERS:
        raise Unreadable("WS630", "an expression, not a value", at)
