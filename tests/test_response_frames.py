"""Binary frames of a stream: the events in them however they are cut, exceptions, and damage, which is always told."""

from __future__ import annotations

import base64
import json
import struct
import zlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wireshape as ws
from wireshape.response_frames import MAX_FRAME, Damaged, DamagedFrame, Frames

TEXT = {"type": "string"}
TOOL = ws.Tool("add", {"type": "object", "properties": {"q": TEXT}, "required": ["q"]})
CONVERSE = ws.plan("bedrock-claude-strict", [TOOL])
EMPTY = bytes.fromhex("000000100000000005c248eb7d98c8ff")
"""A frame without headers and payload, with the checksums of the reference implementation."""


def header(name: str, value: str) -> bytes:
    return bytes([len(name)]) + name.encode() + b"\7" + struct.pack(">H", len(value)) + value.encode()  # fmt: skip


def framed(headers: bytes, payload: bytes) -> bytes:
    prelude = struct.pack(">II", 16 + len(headers) + len(payload), len(headers))
    begin = prelude + struct.pack(">I", zlib.crc32(prelude)) + headers + payload
    return begin + struct.pack(">I", zlib.crc32(begin))


def event(name: str, payload: Any, kind: str = "event", word: str = ":event-type") -> bytes:
    headers = header(":message-type", kind) + header(word, name)
    return framed(
        headers + header(":content-type", "application/json"), json.dumps(payload).encode()
    )


def events_of(raw: bytes, size: int = 1 << 20) -> list[Any]:
    frames = Frames()
    out = [e for i in range(0, len(raw), size) for e in frames.feed(raw[i : i + size])]
    return [*out, *frames.close()]


USE = {"toolUse": {"toolUseId": "c1", "name": "add"}}
EVENTS: list[tuple[str, Any]] = [
    ("messageStart", {"role": "assistant", "p": "abc"}),
    ("contentBlockDelta", {"contentBlockIndex": 0, "delta": {"text": "Sure é"}}),
    ("contentBlockStart", {"contentBlockIndex": 1, "start": USE}),
    ("contentBlockDelta", {"contentBlockIndex": 1, "delta": {"toolUse": {"input": '{"q": '}}}),
    ("contentBlockDelta", {"contentBlockIndex": 1, "delta": {"toolUse": {"input": '"x"}'}}}),
    ("messageStop", {"stopReason": "tool_use"}),
]
STREAM = b"".join([event(name, payload) for name, payload in EVENTS])


def streamed(plan: ws.Plan, *pieces: Any, api: str | None = None) -> ws.Outcome:
    feed = plan.stream(api)
    for piece in pieces:
        feed.push(piece)
    return feed.finish()


@pytest.mark.parametrize("size", [1, 7, 100, 1 << 20])
def test_frames_hold_the_events_that_a_client_would_give(size: int) -> None:
    assert events_of(STREAM, size) == [{name: payload} for name, payload in EVENTS]
    pieces = [STREAM[i : i + size] for i in range(0, len(STREAM), size)]
    outcome = streamed(CONVERSE, *[b"", *pieces])
    assert outcome == streamed(CONVERSE, *[{name: payload} for name, payload in EVENTS])
    assert outcome.calls == (ws.Call("add", {"q": "x"}, "c1"),)
    assert outcome.text == "Sure é"


def test_a_frame_of_the_reference() -> None:
    assert framed(b"", b"") == EMPTY
    assert events_of(EMPTY) == [{}]


def test_headers_of_every_type_are_passed_over() -> None:
    fixed = {0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 8: 8, 9: 16}
    others = b"".join([b"\x01x" + bytes([kind]) + b"\xff" * size for kind, size in fixed.items()])
    headers = others + b"\x01y\x06\x00\x02\xff\xff" + header(":event-type", "a")
    assert events_of(framed(headers, b"[1]")) == [{"a": [1]}]


def test_chunks_are_events_of_another_stream() -> None:
    inner = {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Hi"}}  # fmt: skip
    chunk = {"bytes": base64.b64encode(json.dumps(inner).encode()).decode(), "p": "abcd"}
    assert events_of(event("chunk", chunk)) == [inner]
    assert streamed(CONVERSE, event("chunk", chunk), api="invoke").value == "Hi"
    for broken in ("!", base64.b64encode(b"{").decode(), base64.b64encode(b"\xff").decode()):
        (one,) = events_of(event("chunk", {"bytes": broken}))
        assert isinstance(one, Damaged)


@pytest.mark.parametrize("api", ["converse", "invoke"])
def test_exceptions_are_errors(api: str) -> None:
    throttled = event("throttlingException", {"message": "slow down"}, "exception", ":exception-type")  # fmt: skip
    outcome = streamed(CONVERSE, throttled, api=api)
    assert (outcome.kind, outcome.flags) == ("failed", ("error",))
    assert "slow down" in outcome.evidence[0].message
    headers = header(":message-type", "error") + header(":error-code", "Internal")
    assert events_of(framed(headers + header(":error-message", "oh"), b"")) == [
        {"type": "error", "error": {"code": "Internal", "message": "oh"}}
    ]
    assert events_of(framed(header(":message-type", "odd"), b"3")) == [
        {"type": "error", "error": {"code": "odd", "message": "odd"}}
    ]


@given(st.integers(0, len(STREAM) - 1), st.integers(1, 255), st.integers(1, 500))
def test_a_changed_byte_is_always_told(at: int, change: int, size: int) -> None:
    raw = bytearray(STREAM)
    raw[at] ^= change
    events = events_of(bytes(raw), size)
    assert isinstance(events[-1], DamagedFrame)
    assert events[:-1] == [{name: payload} for name, payload in EVENTS][: len(events) - 1]
    assert at > 0 or change == 0 or streamed(CONVERSE, bytes(raw)).kind == "failed"
    if at > 0:
        outcome = streamed(CONVERSE, bytes(raw))
        assert (outcome.kind, outcome.flags) == ("failed", ("error",))


@given(st.integers(1, len(STREAM) - 1))
def test_a_stream_that_ends_early_is_no_reply(end: int) -> None:
    outcome = streamed(CONVERSE, STREAM[:end])
    is_whole = end in {sum(len(event(*e)) for e in EVENTS[:n]) for n in range(len(EVENTS))}
    assert outcome.kind == "failed" or is_whole
    assert isinstance(events_of(STREAM[:end])[-1], DamagedFrame) or is_whole


@pytest.mark.parametrize(
    "prelude",
    [struct.pack(">II", 15, 0), struct.pack(">II", 17, 2), struct.pack(">II", MAX_FRAME + 1, 0)],
)
def test_lengths_that_cannot_be_right(prelude: bytes) -> None:
    frames = Frames()
    (told,) = frames.feed(prelude + struct.pack(">I", zlib.crc32(prelude)) + b"x" * 9)
    assert isinstance(told, DamagedFrame)
    assert list(frames.feed(STREAM)) == list(frames.close()) == []


@pytest.mark.parametrize("headers", [b"\x05ab", b"\x01\xff\x00", b"\x01a\x0a\x00\x00", b"\x01a\x07\x00\x09x", b"\x01a", b"\x01a\x07\x00\x01\xff"])  # fmt: skip
def test_headers_that_cannot_be_read(headers: bytes) -> None:
    (told,) = events_of(framed(headers, b"{}") + EMPTY)
    assert isinstance(told, DamagedFrame)


def test_a_payload_that_is_no_json_is_damage_of_one_event() -> None:
    events = events_of(framed(header(":event-type", "a"), b"{") + EMPTY)
    assert isinstance(events[0], Damaged)
    assert events[1] == {}
