"""Almost-JSON text into a value in one pass, with a record of every edit; what it cannot read for certain it refuses.

Truncation is found here, before any repair: text that ends inside a value is never closed. Where quotes inside a string are
not escaped, the end of the string is a matter of opinion, and there are two: `eager` ends it at the first quote after which
the text goes on as JSON would but for a missing comma, the other only where it goes on exactly as JSON would. `doubt` tells
that they may differ; the caller reads both ways and compares.
"""

from __future__ import annotations

import re
from typing import Any, TypeAlias, cast

from wireshape.ir import kind_of
from wireshape.reply.gaps import Gaps, Unreadable
from wireshape.reply.scan_ahead import CLOSERS, Where
from wireshape.reply.scan_scalars import Scalars
from wireshape.reply.strict import MAX_DEPTH, NotStrict, load_at

_WORD = re.compile(r"[^\W\d][\w$-]*|(?:0|[1-9][0-9]{0,19})(?![\w.+-])")
_PLAIN: frozenset[object] = frozenset({int, float, bool, type(None)})

Container: TypeAlias = "dict[str, Any] | list[Any]"


class Scanner(Scalars):
    """Reads one value of `text`; `edits`, `doubt`, `odd`, `risky` and `partial` tell how it went.

    >>> scanner = Scanner("{'a': 1,}", eager=True)
    >>> scanner.read(0), [edit.kind for edit in scanner.edits]
    (({'a': 1}, 9), ['quotes', 'trailing-comma'])
    """

    __slots__ = ("_strict_work",)

    def __init__(self, text: str, *, eager: bool, cut: bool = False) -> None:
        super().__init__(Gaps(text), eager=eager, cut=cut)
        self._strict_work = 16 * len(text) + 4096

    def read(self, start: int) -> tuple[Any, int]:
        """Read the object or array at `start`; return it and where it ends."""
        value, end = self._value(start, "item")
        for at, stop in self.gaps.ignored.items():
            self.edit(at, "comment", self.text[at:stop], "")
        self.edits.sort(key=lambda edit: edit.offset or 0)
        return value, end

    def partial(self) -> Any:
        """What was complete when the text stopped: finished members, and items of lists that are whole."""
        root = at = self.opened[0][0]
        for (_, key), (inner, _) in zip(self.opened, self.opened[1:], strict=False):
            if key is None:
                break
            cast("dict[str, Any]", at)[key] = inner
            at = inner
        return root

    def _value(self, at: int, where: Where) -> tuple[Any, int]:
        char = self.text[at : at + 1]
        if not char:
            raise self.stop(at)
        if char in "{[(":
            return self._container(at, char)
        if char in CLOSERS:
            return self.string(at, where)
        if char in "+-." or char.isdigit():
            return self.number(at)
        return self.word(at, where)

    def _container(self, at: int, char: str) -> tuple[Any, int]:
        if len(self.opened) >= MAX_DEPTH:
            raise Unreadable("WS634", f"nested deeper than {MAX_DEPTH}", at)
        if char == "(":
            self.edit(at, "tuple", "(", "[")
        elif self.opened and self._strict_work > 0:
            done = self._strictly(at)
            if done is not None:
                return done
        return self._object(at) if char == "{" else self._list(at, "]" if char == "[" else ")")

    def _strictly(self, at: int) -> tuple[Any, int] | None:
        """Read an inner container as strict JSON, which is many times faster; `None` when it is not."""
        try:
            value, end = load_at(self.text, at, MAX_DEPTH - len(self.opened))
        except NotStrict as error:
            self._strict_work -= 64 + (0 if error.offset is None else error.offset - at)
            if error.code != "WS630":
                raise Unreadable(error.code, error.message, at) from None
            return None
        self._strict_work -= 64 + end - at
        after = self.gaps.skip(end)
        char = self.text[after : after + 1]
        return (value, end) if not char or char in ",}])" else None

    def _object(self, at: int) -> tuple[Any, int]:
        out: dict[str, Any] = {}
        self.opened.append((out, None))
        text, skip = self.text, self.gaps.skip
        at = skip(at + 1)
        while text[at : at + 1] != "}":
            key, at = self._key(at)
            if key in out:
                raise Unreadable("WS631", f"the key {key[:40]!r} is given twice", at)
            self.opened[-1] = (out, key)
            out[key], at = self._member(skip(at))
            at = skip(at)
            char = text[at : at + 1]
            if char == ",":
                at = self._comma(at, "}")
            elif not char:
                raise self.stop(at)
            elif char in "])":
                return self._unclosed(out, at, "}", dict)
            elif char != "}":
                if not self.is_plain_key(at):
                    raise Unreadable("WS630", "expecting ',' or '}'", at)
                # Risky, for the text may be one string with quotes in it.
                self.edit(at, "missing-comma", "", ",")
                self.doubt = True
                self.risk(at)
        self.opened.pop()
        return out, at + 1

    def _member(self, at: int) -> tuple[Any, int]:
        """Read the value of a member whose colon is at `at`."""
        if at == len(self.text):
            raise self.stop(at)
        return self._value(self.gaps.skip(at + 1), "member")

    def _key(self, at: int) -> tuple[str, int]:
        char = self.text[at : at + 1]
        if not char:
            raise self.stop(at)
        if char in CLOSERS:
            return self.string(at, "key")
        match = _WORD.match(self.text, at)
        if match is None:
            raise Unreadable("WS630", "expecting a key", at)
        if match.end() == len(self.text):
            raise self.stop(at)
        colon = self.gaps.skip(match.end())
        if self.text[colon : colon + 1] != ":":
            raise Unreadable("WS630", "expecting ':'", match.end())
        self.edit(at, "unquoted-key", match.group(), f'"{match.group()}"')
        return match.group(), match.end()

    def _list(self, at: int, close: str) -> tuple[Any, int]:
        out: list[Any] = []
        self.opened.append((out, None))
        text, skip = self.text, self.gaps.skip
        at = skip(at + 1)
        while text[at : at + 1] != close:
            item, at = self._value(at, "item")
            out.append(item)
            at = skip(at)
            char = text[at : at + 1]
            if char == ",":
                at = self._comma(at, close)
            elif not char:
                raise self.stop(at)
            elif char == close == ")" and len(out) == 1:
                raise Unreadable("WS630", "parentheses around one value, which is no list", at)
            elif char == "}" and close == "]":
                return self._unclosed(out, at, "]", list)
            elif char != close:
                self._missing_item_comma(at, item)
        self.opened.pop()
        return out, at + 1

    def _comma(self, at: int, close: str) -> int:
        after = self.gaps.skip(at + 1)
        if self.text[after : after + 1] == close:
            self.edit(at, "trailing-comma", ",", "")
        return after

    def _missing_item_comma(self, at: int, item: Any) -> None:
        """Put a comma between two items that are no text; between texts it would be a guess."""
        plain = kind_of(item) in _PLAIN
        if not plain or self.text[at] not in "-+.0123456789tfnTFN":
            raise Unreadable("WS630", "expecting ',' or ']'", at)
        self.edit(at, "missing-comma", "", ",")

    def _unclosed(self, out: Any, at: int, close: str, kind: type) -> tuple[Any, int]:
        """Close a container before the bracket of its parent, unless a part of the same kind may be what was not closed."""
        parent = self.opened[-2][0] if len(self.opened) > 1 else None
        parts = out.values() if kind is dict else out
        if parent is None or kind_of(parent) is kind or any([kind_of(p) is kind for p in parts]):
            raise Unreadable("WS630", f"expecting ',' or '{close}'", at)
        self.edit(at, "missing-closer", "", close)
        self.opened.pop()
        return out, at
