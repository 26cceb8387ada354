"""Strings of almost-JSON: foreign quotes, raw control characters, odd escapes, quotes that nobody escaped.

Where a string ends is decided by what follows the quote. A string with unescaped quotes inside is taken only when they come
in pairs and its brackets balance; it is noted as `risky`, for the caller to ask whether the text may mean something else.
"""

from __future__ import annotations

import json
import re

from wireshape.reply.gaps import Unreadable
from wireshape.reply.scan_ahead import CLOSERS, Lookahead, Where

MAX_INNER = 10_000

_CHUNKS = {
    close: re.compile(r"[^\\\x00-\x1f" + close + "]*") for close in (*CLOSERS.values(), "\u201c")
}
_RUN = re.compile(r'(?:\\["\\/bfnrt])+')
_HEX4 = re.compile(r"[0-9a-fA-F]{4}")
_HEX2 = re.compile(r"[0-9a-fA-F]{2}")
_CUT = re.compile(r",[ \t\r\n]*\Z")


class Strings(Lookahead):
    """Reads strings."""

    __slots__ = ()

    def string(self, start: int, where: Where) -> tuple[str, int]:
        """Read the string whose quote is at `start`."""
        text, quote = self.text, self.text[start]
        if quote == '"' and text.startswith('"""', start) and where != "key":
            done = self._tripled(start)
            if done is not None:
                return done
        close = CLOSERS[quote]
        if quote != '"':
            self.edit(start, "quotes", quote, '"')
        run = _String(self, start, where, close)
        return run.read()

    def _tripled(self, start: int) -> tuple[str, int] | None:
        end = self.text.find('"""', start + 3)
        body = self.text[start + 3 : end]
        if end < 0 or "\n" not in body or "\\" in body or self.text[end + 3 : end + 4] == '"':
            return None
        self.gaps.spend(end - start, start)
        self.edit(start, "triple-quotes", '"""', '"')
        return body, end + 3


class _String:
    """One string while it is read."""

    __slots__ = ("close", "inner", "kept", "last", "meant", "parts", "scan", "start", "where")

    def __init__(self, scan: Lookahead, start: int, where: Where, close: str) -> None:
        self.scan = scan
        self.start = start
        self.where: Where = where
        self.close = close
        self.parts: list[str] = []
        self.inner = 0
        self.last = start
        self.kept = False
        self.meant = False

    def read(self) -> tuple[str, int]:
        scan, text, close = self.scan, self.scan.text, self.close
        chunk, at = _CHUNKS[close], self.start + 1
        while True:
            match = chunk.match(text, at)
            assert match is not None, "matches the empty text"
            if match.end() > at:
                self.parts.append(match.group())
                at = match.end()
            char = text[at : at + 1]
            if not char:
                raise scan.stop(at)
            if char == "\\":
                at = self._escape(at)
            elif char != close:
                scan.edit(at, "control-character", char, f"\\u{ord(char):04x}")
                self.parts.append(char)
                at += 1
            elif scan.closes(at + 1, self.where):
                return self._done(at), at + 1
            elif self.where == "key":
                raise Unreadable("WS630", "expecting ':'", at + 1)
            elif (cut := self._cut(at)) is not None:
                return cut
            else:
                if self.inner >= MAX_INNER:
                    raise Unreadable("WS634", f"more than {MAX_INNER} unescaped quotes", at)
                self._beside(at)
                self.inner += 1
                scan.edit(at, "unescaped-quote", char, "\\" + char)
                self.parts.append(char)
                at += 1

    def _beside(self, at: int) -> None:
        """Doubt a string in which two quotes stand side by side: there are rather two strings."""
        if not self.scan.text[self.last + 1 : at].strip(" \t\r\n,:+"):
            self.scan.odd = True
        self.last = at
        if self.where == "item" and not self.scan.is_prose(at + 1):
            self.scan.odd = True

    def _done(self, at: int) -> str:
        scan = self.scan
        value = "".join(self.parts)
        if self.kept and self.meant:
            raise Unreadable("WS630", "a string that mixes escapes with plain backslashes", self.start)  # fmt: skip
        if self.inner:
            scan.doubt = True
            scan.risk(self.start)
            self.where = "member"
            self._beside(at)
            if self.close == "`" or (self.close == '"' and self.inner % 2):
                scan.odd = True
            if value.count("{") != value.count("}") or value.count("[") != value.count("]"):
                scan.odd = True
        return value

    def _cut(self, at: int) -> tuple[str, int] | None:
        """Where the closing quote is missing: end before a comma when the quote at `at` opens the next key."""
        scan = self.scan
        if not scan.cut or self.where != "member" or self.inner or not scan.is_plain_key(at):
            return None
        value = "".join(self.parts)
        match = _CUT.search(value[-200:])
        if match is None or not value[: len(value) - len(match.group())].strip():
            return None
        end = at - len(match.group())
        scan.edit(end, "missing-quote", "", self.close)
        scan.risk(self.start)
        self.parts = [value[: len(value) - len(match.group())]]
        return self._done(at), end

    def _escape(self, at: int) -> int:
        """Read the escape at `at`; one that JSON does not know is a plain backslash, or is refused."""
        scan, text = self.scan, self.scan.text
        run = _RUN.match(text, at)
        if run is not None:
            escapes = run.group()
            self.parts.append(json.loads(f'"{escapes}"'))
            self.meant = self.meant or len(escapes) > 2 * escapes.count('\\"')
            return run.end()
        char = text[at + 1 : at + 2]
        if not char:
            raise scan.stop(at)
        if char == "u" and _HEX4.match(text, at + 2):
            return self._unicode(at)
        if char == "u" and len(text) - at < 6:
            raise scan.stop(at)
        if char == self.close or char == "'":
            scan.edit(at, "escape", "\\" + char, char)
            self.parts.append(char)
            return at + 2
        self.kept = True
        if char == "x" and (match := _HEX2.match(text, at + 2)):
            code = int(match.group(), 16)
            if code < 0xA0:
                raise Unreadable("WS630", "an escape that JSON does not know", at)
            scan.edit(at, "escape", text[at : at + 4], chr(code))
            self.parts.append(chr(code))
            return at + 4
        if char == "U" or char < " ":
            raise Unreadable("WS630", "an escape that JSON does not know", at)
        scan.edit(at, "escape", "\\" + char, "\\\\" + char)
        self.parts.append("\\" + char)
        return at + 2

    def _unicode(self, at: int) -> int:
        text = self.scan.text
        code = int(text[at + 2 : at + 6], 16)
        self.meant = True
        if 0xD800 <= code < 0xDC00 and text.startswith("\\u", at + 6):
            low = _HEX4.match(text, at + 8)
            if low is not None and 0xDC00 <= int(low.group(), 16) < 0xE000:
                pair = (code - 0xD800) * 0x400 + int(low.group(), 16) - 0xDC00
                self.parts.append(chr(0x10000 + pair))
                return at + 12
        if 0xD800 <= code < 0xE000:
            raise Unreadable("WS633", "a lone surrogate, which is no Unicode text", at)
        self.parts.append(chr(code))
        return at + 6
