"""What a caller has of a stream becomes its events: pieces of the response, cut anywhere or line by line, or events as they are."""

from __future__ import annotations

from typing import Any

from wireshape.ir import kind_of
from wireshape.reply.assembly import Balance
from wireshape.response_lines import EventLines

_NAMES = ("event:", "id:", "retry:")
_FIELDS = ("data:", *_NAMES)


class Pieces:
    r"""Takes text, bytes and events in turn. A line that came without its end has one when nothing else can be meant.

    >>> pieces = Pieces()
    >>> pieces.push("event: x"), pieces.push('data: {"a": 1}'), pieces.push(b'data: {"b"'), pieces.push(": 2}\n\n")
    ([], [{'a': 1, 'type': 'x'}], [], [{'b': 2}])
    >>> pieces.push({"c": 3})
    [{'c': 3}]
    """

    __slots__ = ("_is_begun", "_is_named", "_lines")

    def __init__(self) -> None:
        self._lines = EventLines()
        self._is_begun = False  # a line is
        self._is_named = False  # and it came as one piece, with the name of an event

    def push(self, event: Any) -> list[Any]:
        """Return the events that a piece completes."""
        if isinstance(event, bytes | bytearray):
            event = bytes(event)
            if self._lines.is_framed(event):
                return list(self._lines.feed(event))
        elif kind_of(event) is not str:
            return [event]
        text = event if isinstance(event, str) else event.decode(errors="replace")
        events: list[Any] = []
        if self._is_named and text.startswith(_FIELDS):
            events += self._lines.feed("\n")
            self._is_begun = False
        events += self._lines.feed(event)
        before, end, last = text.replace("\r", "\n").rpartition("\n")
        is_line = not self._is_begun or bool(end)
        self._is_named = is_line and last.startswith(_NAMES)
        self._is_begun = bool(last) or (self._is_begun and not before and not end)
        if is_line and last.startswith("data:") and Balance().push(last):
            events += self._lines.feed("\n\n")
            self._is_begun = False
        return events

    @property
    def is_done(self) -> bool:
        """Whether the mark came that ends server-sent events."""
        return self._lines.is_done

    def close(self) -> list[Any]:
        """Return what is left at the end of the stream."""
        return list(self._lines.close())
