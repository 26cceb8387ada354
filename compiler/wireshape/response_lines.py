r"""The bytes of a stream become events: server-sent events, JSON lines, one JSON array that comes in pieces, or binary frames.

`data: {"a": 1}\n\n` -> `{"a": 1}`. What an event means is `response`'s business.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from typing import Any, Literal

from wireshape.ir import kind_of
from wireshape.response_frames import Damaged, Frames

MAX_EVENT = 1 << 23
"""Characters of one event at most; what is longer is damage."""
_LINE = re.compile(r"\r\n|\n|\r")
_MARK = re.compile(r'["{}\[\]]')
_DONE = "[DONE]"
_BETWEEN = " \t\r\n,[]"
"""What stands between the items of an array and around them."""


class EventLines:
    r"""Takes the pieces of one stream as they come, text or bytes, and gives the events that are complete.

    >>> lines = EventLines()
    >>> list(lines.feed(b'event: x\ndata: {"a"')), list(lines.feed(b': 1}\n\ndata: [DONE]\n\n'))
    ([], [{'a': 1, 'type': 'x'}])
    """

    __slots__ = (
        "_data",
        "_decoder",
        "_depth",
        "_escaped",
        "_form",
        "_frames",
        "_in_text",
        "_name",
        "_parts",
        "_size",
        "is_done",
    )

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self._form: Literal["lines", "values"] | None = None
        self._frames: Frames | None = None
        self._parts: list[str] = []  # of the line or value that is not complete
        self._size = 0  # of these, or of the data of the event
        self._name = ""
        self._data: list[str] = []
        self._depth, self._in_text, self._escaped = 0, False, False
        self.is_done = False  # the mark for the end came

    def is_framed(self, piece: bytes) -> bool:
        """Tell whether bytes are those of frames: the first one of a length is zero, and no text begins so."""
        if self._frames is None and self._form is None and piece[:1] == b"\0":
            self._frames = Frames()
        return self._frames is not None

    def feed(self, piece: str | bytes) -> Iterator[Any]:
        """Yield the events that this piece completes; a `Damaged` text for one that cannot be read."""
        if isinstance(piece, bytes) and self.is_framed(piece) and self._frames is not None:
            return self._frames.feed(piece)
        return self._take(piece if isinstance(piece, str) else self._decoder.decode(piece))

    def close(self) -> Iterator[Any]:
        """Yield what is left at the end of the stream."""
        if self._frames is not None:
            yield from self._frames.close()
        yield from self._take(self._decoder.decode(b"", final=True) + "\n\n")
        rest = "".join(self._parts).strip(_BETWEEN)
        self._parts = []
        if rest:
            yield Damaged(rest[:_SHOWN])

    def _take(self, text: str) -> Iterator[Any]:
        if self._form is None:
            text = text.lstrip("\ufeff \t\r\n")
            if not text:
                return
            self._form = "values" if text[0] in "{[" else "lines"
        yield from self._lines(text) if self._form == "lines" else self._values(text)

    def _lines(self, text: str) -> Iterator[Any]:
        if "\n" not in text and "\r" not in text:
            self._keep(text)
            return
        held_back = "".join(self._parts)
        self._parts, self._size = [], self._size - len(held_back)
        text = held_back + text
        # A carriage return at the end may be half of a line break.
        held = text.endswith("\r")
        *lines, rest = _LINE.split(text[:-1] if held else text)
        for line in lines:
            field, _, value = line.partition(":")
            if field == "data":
                self._data.append(value.removeprefix(" "))
                self._size += len(value)
            elif field == "event":
                self._name = value.removeprefix(" ")
            elif not line:
                yield from self._event()
        self._keep(rest + "\r" if held else rest)

    def _keep(self, text: str) -> None:
        """Hold what is not complete; of what is too long, no more than is needed to tell so."""
        if self._size <= MAX_EVENT:
            self._parts.append(text)
            self._size += len(text)

    def _event(self) -> Iterator[Any]:
        text, name, size = "\n".join(self._data), self._name, self._size
        self._data, self._name, self._size = [], "", 0
        if text.strip() == _DONE:
            self.is_done = True
        elif text:
            event = _parsed(text, size)
            if name and kind_of(event) is dict and not event.keys() & {"type", "event_type"}:
                event["type"] = name
            yield event

    def _values(self, text: str) -> Iterator[Any]:
        """Objects one after another, or as the items of one array; each character is looked at once."""
        begin = 0
        for mark in _MARK.finditer(text):
            at, char = mark.start(), mark.group()
            if self._in_text:
                if char == '"' and not self._is_escaped(text, at):
                    self._in_text = False
            elif char == '"':
                self._in_text = True
            elif char == "{" or (char == "[" and self._depth):
                self._depth += 1
            elif char in "}]" and self._depth:
                self._depth -= 1
                if self._depth == 0:
                    self._keep(text[begin : at + 1])
                    yield _parsed("".join(self._parts).lstrip(_BETWEEN), self._size)
                    self._parts, self._size, begin = [], 0, at + 1
        rest = text[begin:]
        if rest and (self._depth or self._parts or rest.strip(_BETWEEN)):
            self._keep(rest)
        self._escaped = self._in_text and self._is_escaped(text, len(text))

    def _is_escaped(self, text: str, at: int) -> bool:
        """Whether an odd number of backslashes stands before a place, those of earlier pieces included."""
        before = at
        while before and text[before - 1] == "\\":
            before -= 1
        return (at - before + (self._escaped and before == 0)) % 2 == 1


def _parsed(text: str, size: int) -> Any:
    if size > MAX_EVENT:
        return Damaged(text[:_SHOWN])
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return Damaged(text[:_SHOWN])


_SHOWN = 200
