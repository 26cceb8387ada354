r"""The bytes of a stream in binary frames (`application/vnd.amazon.eventstream`) become events; checksums are checked, nothing is mended.

A frame is the length of all, the length of the headers, a checksum of both, headers, payload, a checksum of all; numbers are
big-endian. Source: "Event stream encoding", the Amazon Lex and Amazon Transcribe developer guides; CRC32 is that of gzip.
"""

from __future__ import annotations

import base64
import binascii
import json
import struct
import zlib
from collections.abc import Iterator
from typing import Any

from wireshape.ir import kind_of

MAX_FRAME = 1 << 24
"""Bytes of one frame at most."""
_PRELUDE, _END = 12, 4
_SIZES = {0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 8: 8, 9: 16}
"""Bytes of a header value by its type; types 6 and 7, bytes and text, tell their own length."""
_TEXT = 7
_SHOWN = 200


class Damaged(str):
    """The text of an event that cannot be read, where the event would stand; `why` goes on with "an event of the stream"."""

    __slots__ = ()
    why = "is no JSON"


class DamagedFrame(Damaged):
    """What is wrong with a frame; what follows it cannot be found any more."""

    __slots__ = ()
    why = "is a damaged frame"


class Frames:
    r"""Takes the bytes of one stream, cut anywhere, and gives the events of its frames.

    An event has one key, the type of the event; a chunk of another stream in base64 is that, and an exception is an error event.

    >>> headers = b"\x0d:message-type\x07\x00\x05event\x0b:event-type\x07\x00\x04stop"
    >>> prelude = struct.pack(">II", 16 + len(headers) + 2, len(headers))
    >>> frame = prelude + struct.pack(">I", zlib.crc32(prelude)) + headers + b"{}"
    >>> frames = Frames()
    >>> list(frames.feed(frame)), list(frames.feed(struct.pack(">I", zlib.crc32(frame))))
    ([], [{'stop': {}}])
    """

    __slots__ = ("_held", "_is_lost")

    def __init__(self) -> None:
        self._held = bytearray()
        self._is_lost = False

    def feed(self, piece: bytes) -> Iterator[Any]:
        """Yield the events of the frames that this piece completes; after a damaged one, nothing more."""
        if self._is_lost:
            return
        self._held += piece
        at = 0
        while len(self._held) - at >= _PRELUDE and not self._is_lost:
            total, headers = struct.unpack_from(">II", self._held, at)
            fault = self._fault(at, total, headers)
            if fault is None and len(self._held) - at < total:
                break
            frame = bytes(self._held[at : at + total])
            if fault is None and zlib.crc32(frame[:-_END]) != int.from_bytes(frame[-_END:]):
                fault = "the checksum of a frame does not match"
            at += total
            if fault is None:
                begin = _PRELUDE + headers
                yield from self._event(frame[_PRELUDE:begin], frame[begin:-_END])
            else:
                yield self._lost(fault)
        del self._held[:at]

    def close(self) -> Iterator[Any]:
        """Yield what is wrong when the stream ends inside a frame."""
        if self._held and not self._is_lost:
            yield self._lost("the stream ends inside a frame")

    def _lost(self, fault: str) -> DamagedFrame:
        self._is_lost = True
        return DamagedFrame(fault)

    def _fault(self, at: int, total: int, headers: int) -> str | None:
        """What is wrong with the first bytes of a frame."""
        told = int.from_bytes(self._held[at + 8 : at + _PRELUDE])
        if zlib.crc32(self._held[at : at + 8]) != told:
            return "the checksum of the lengths of a frame does not match"
        if not _PRELUDE + _END + headers <= total <= MAX_FRAME:
            return "the lengths of a frame cannot be right"
        return None

    def _event(self, headers: bytes, payload: bytes) -> Iterator[Any]:
        said = _headers(headers)
        if said is None:
            yield self._lost("the headers of a frame cannot be read")
            return
        kind = said.get(":message-type", "event")
        try:
            value: Any = json.loads(payload or b"{}")
        except (ValueError, RecursionError):
            yield Damaged(payload.decode(errors="replace")[:_SHOWN])
            return
        if kind == "event":
            yield _plain(said.get(":event-type", ""), value)
            return
        code = said.get(":exception-type") or said.get(":error-code") or kind
        told: Any = value.get("message") if kind_of(value) is dict else None
        message = told if isinstance(told, str) else said.get(":error-message")
        yield {"type": "error", "error": {"code": code, "message": message or code}}


def _plain(name: str, value: Any) -> Any:
    """The event under its name, or the event in a chunk."""
    inner = value.get("bytes") if kind_of(value) is dict else None
    if not isinstance(inner, str):
        return {name: value} if name else value
    try:
        text = base64.b64decode(inner, validate=True)
        return json.loads(text)
    except (binascii.Error, ValueError, RecursionError):
        return Damaged(inner[:_SHOWN])


def _headers(data: bytes) -> dict[str, str] | None:
    """The headers that are text, by name; `None` for what are no headers."""
    out: dict[str, str] = {}
    at = 0
    try:
        while at < len(data):
            begin = at + 1 + data[at]
            name, kind = data[at + 1 : begin].decode(), data[begin]
            at = begin + 1
            if kind in _SIZES:
                size = _SIZES[kind]
            else:
                size = int.from_bytes(data[at : at + 2])
                at += 2
            if kind > 9 or at + size > len(data):
                return None
            if kind == _TEXT:
                out[name] = data[at : at + size].decode()
            at += size
    except (IndexError, UnicodeDecodeError):
        return None
    return out
