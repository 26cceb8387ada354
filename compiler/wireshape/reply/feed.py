"""A reply as it comes, chunk by chunk: what can be seen of the value so far, then the outcome of the whole text."""

from __future__ import annotations

import codecs
import re
from typing import Any, Literal, TypeAlias

from wireshape.errors import expect
from wireshape.machine import Machine
from wireshape.reply import parse, strict
from wireshape.reply.delta import whole_character
from wireshape.reply.growing.growth import Growth
from wireshape.reply.growing.lead import Lead
from wireshape.reply.outcome import Outcome
from wireshape.reply.telling import Telling

MAX_BLANK = 2048
"""Blank characters in a row at most, outside strings; a model that writes more has lost its way."""

Stopped: TypeAlias = Literal["finished", "too-long", "whitespace-runaway"]

_BLANK = re.compile(r"[ \t\r\n]*")
_RUN = re.compile(r"[ \t\r\n]{64,}")


class Feed:
    r"""Takes a reply in chunks of text or UTF-8 bytes, cut anywhere, and shows its beginning as a conceptual value.

    `push` takes a chunk and tells whether more can be seen; `partial` is what can be seen; `finish` gives the outcome, the
    same that `Compiled.parse` gives for the whole text. `stopped` tells why nothing more is taken: `too-long` and
    `whitespace-runaway` are reasons to cancel the request. None of them raises for what a model may send.

    A partial value is the beginning of the value that comes out in the end. Objects have some of their members, arrays
    their first items, open strings their first characters; numbers, literals and listed texts are there when they are
    finished, and what the codec must see as a whole is there when it is complete. Where the reply does not go as strict
    JSON that fits the schema, the partial value stays as it is and the outcome decides. (What the outcome had to coerce,
    or took from a later place because it was announced as final, differs from it.) It is plain JSON even where the source
    is a Python type, and `None` as long as there is nothing. What is still open in it is copied for each look, what is
    finished is shared between looks: do not change it.

    Work is linear in the text, and a look costs what is open: the members of the open objects, the items of the open
    arrays, the characters of the open string. One feed belongs to one thread.

    >>> import wireshape as ws
    >>> schema = {"type": "object", "additionalProperties": {"type": "string"}}
    >>> feed = ws.compile(schema, "openai-strict").stream()
    >>> for chunk in ('{"value": [{"key": "a", "val', 'ue": "caf\\u00', 'e9"}, {"key', '": "b"'):
    ...     print(feed.push(chunk), feed.partial)
    True {}
    True {'a': 'caf'}
    True {'a': 'café'}
    False {'a': 'café'}
    >>> feed.push(', "value": "x"}]}')
    True
    >>> feed.finish().value
    {'a': 'café', 'b': 'x'}
    """

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._chunks: list[str | bytes] = []
        self._size = 0
        self._half = ""  # of a character that was cut in two
        self._blank = 0
        self._is_blind = False
        self._utf8 = codecs.getincrementaldecoder("utf-8")("strict")
        self._lead = Lead()
        self._growth = Growth(machine)
        self._seen = 0
        self._partial: Any = None
        self._outcome: Outcome | None = None
        self.stopped: Stopped | None = None

    def push(self, chunk: str | bytes) -> bool:
        """Take more of the reply; tell whether `partial` changed.

        A feed that stopped takes nothing more: the chunk is dropped. What is neither text nor bytes is a SchemaError; of a
        client's error, `finish("incomplete")` tells.

        >>> import wireshape as ws
        >>> feed = ws.compile({"type": "array", "items": {"type": "integer"}}, "lenient").stream()
        >>> feed.push("[1, 2"), feed.partial
        (True, [1])
        """
        expect("chunk", chunk, (str, bytes, bytearray, memoryview), "text or bytes")
        if self.stopped is not None:
            return False
        before = self._growth.tree.changes
        if isinstance(chunk, str):
            chunk = self._joined(chunk)
        elif self._half:
            self._chunks.append(self._half)
            self._half = ""
        text = chunk if isinstance(chunk, str) else self._decoded(chunk)
        end = self._take(text)
        self._chunks.append(chunk if end == len(text) else self._cut(chunk, text, end))
        return self._growth.tree.changes > before

    @property
    def partial(self) -> Any:
        """The conceptual value as far as it can be seen; `None` when nothing can.

        >>> import wireshape as ws
        >>> feed = ws.compile({"type": "object"}, "lenient").stream()
        >>> feed.push('{"n": 1.'), feed.partial, feed.push("5,"), feed.partial
        (True, {}, True, {'n': 1.5})
        """
        if self._seen < self._growth.tree.changes:
            self._seen = self._growth.tree.changes
            self._partial = next(iter(self._growth.tree.value()), None)
        return self._partial

    def finish(self, finish_reason: str | None = None) -> Outcome:
        """Give the outcome of all that was taken, that of `Compiled.parse`; the feed takes nothing more.

        After a runaway of white space the outcome is `failed`, with the flag `whitespace-runaway`. Asked again, it is the
        same outcome.

        >>> import wireshape as ws
        >>> feed = ws.compile({"type": "array"}, "lenient").stream()
        >>> feed.push("[1, 2"), feed.finish("length").partial
        (True, [1])
        """
        if self._outcome is None:
            self._chunks.append(self._half)
            whole = self._whole()
            if self.stopped == "whitespace-runaway":
                self._outcome = self._ran_away(whole)
            else:
                self._outcome = parse(self._machine, whole, finish_reason)
            self.stopped = self.stopped or "finished"
        return self._outcome

    def _joined(self, chunk: str) -> str:
        """Put back the half of a character that the last chunk ended in, and hold back that of this one."""
        if self._half and chunk:
            is_low = "\udc00" <= chunk[0] <= "\udfff"
            chunk = (
                whole_character(self._half, chunk[0]) + chunk[1:] if is_low else self._half + chunk
            )
            self._half = ""
        if chunk and "\ud800" <= chunk[-1] <= "\udbff":
            chunk, self._half = chunk[:-1], chunk[-1]
        return chunk

    def _decoded(self, chunk: bytes) -> str:
        try:
            return self._utf8.decode(chunk)
        except UnicodeDecodeError as error:  # which the outcome tells
            self._take(error.object[: error.start].decode())
            self._is_blind = True
            self._utf8 = codecs.getincrementaldecoder("utf-8")("replace")
            return ""

    def _take(self, text: str) -> int:
        """Take a text, as much of it as there may be; return how much that is."""
        size = min(len(text), strict.MAX_CHARS + 1 - self._size)
        at = 0
        while (end := self._limit(text, at, size)) is not None:
            self._grow(text[at:end])
            at = end
            if not self._growth.in_string:
                self.stopped = "whitespace-runaway"
                return end
            self._blank = 0
        self._grow(text[at:size])
        self._size += size
        if self._size > strict.MAX_CHARS:
            self.stopped = "too-long"
        return size

    def _grow(self, text: str) -> None:
        if not self._is_blind:
            self._growth.push(self._lead.push(text))

    def _limit(self, text: str, at: int, size: int) -> int | None:
        """Where there are too many blank characters in a row."""
        lead = _BLANK.match(text, at, size)
        assert lead is not None, "matches the empty text"
        if self._blank + lead.end() - at > MAX_BLANK:
            return at + MAX_BLANK + 1 - self._blank
        if lead.end() == size:
            self._blank += size - at
            return None
        if size - at > MAX_BLANK:
            for run in _RUN.finditer(text, at, size):
                if run.end() - run.start() > MAX_BLANK:
                    return run.start() + MAX_BLANK + 1
        self._blank = size - len(text[:size].rstrip(" \t\r\n"))
        return None

    def _cut(self, chunk: str | bytes, text: str, end: int) -> str | bytes:
        """What was taken of a chunk."""
        if isinstance(chunk, str):
            return chunk[:end]
        open_bytes = len(self._utf8.getstate()[0])
        return chunk[: len(chunk) - open_bytes - len(text[end:].encode())]

    def _whole(self) -> str | bytes:
        if any([not isinstance(chunk, str) for chunk in self._chunks]):
            parts = [
                chunk.encode("utf-8", "surrogatepass") if isinstance(chunk, str) else bytes(chunk)
                for chunk in self._chunks
            ]
            return b"".join(parts)
        return "".join([chunk for chunk in self._chunks if isinstance(chunk, str)])

    def _ran_away(self, whole: str | bytes) -> Outcome:
        text = whole if isinstance(whole, str) else whole.decode(errors="replace")
        telling = Telling(self._machine, text, cut=True)
        telling.note(
            "strict", "WS634", f"more than {MAX_BLANK} blank characters in a row", len(text)
        )
        return telling.failed("whitespace-runaway", truncated=True, partial=self.partial)
