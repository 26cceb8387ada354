"""Replies that never came, broke off, or met a validator that failed: each is told for what it is, to the caller and to the model."""

from __future__ import annotations

from typing import Any

import pytest

import wireshape as ws

TEXT = {"type": "string"}
OBJECT = {"type": "object", "properties": {"q": TEXT}, "required": ["q"]}
TOOL = ws.Tool("find", OBJECT)


class StatusError(Exception):
    """Named and made like those of clients."""

    def __init__(self, message: str, body: Any) -> None:
        super().__init__(message)
        self.body = body


PLANS = [
    ws.plan(row, *given, **named)
    for row in ("openai-strict", "anthropic-strict", "gemini-json-schema", "ollama-tools")
    for given, named in (([], {"output": OBJECT}), ([[TOOL]], {}), ([], {}))
]


@pytest.mark.parametrize(
    "error",
    [
        StatusError("Error code: 502", "<html>Bad gateway</html>"),
        StatusError("Error code: 502", b"<html>Bad gateway</html>"),
        StatusError("Error code: 502", '{"q": "no"}'),
        StatusError("Request timed out.", None),
        StatusError("Error code: 500", {"detail": "no"}),
        TimeoutError(),
        ConnectionResetError(104, "reset"),
    ],
    ids=repr,
)
@pytest.mark.parametrize("plan", PLANS)
def test_an_exception_is_an_error_of_the_provider_and_not_what_a_model_wrote(
    plan: ws.Plan, error: BaseException
) -> None:
    feed = plan.stream()
    feed.push(error)
    for outcome in (plan.route(error), feed.finish()):
        assert (outcome.kind, outcome.flags, outcome.retry_text) == ("failed", ("error",), None)
        assert [e.code for e in outcome.evidence] == ["WS644"]
        assert type(error).__name__ in outcome.evidence[0].message


def test_an_exception_ends_a_stream_unless_the_reply_had_ended() -> None:
    plan = ws.plan("openai-strict", output=OBJECT)
    said = {"choices": [{"index": 0, "delta": {"content": '{"q": "x"}'}}]}
    end = {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
    feed = plan.stream()
    for event in (said, ConnectionResetError("reset")):
        feed.push(event)
    broken = feed.finish()
    assert (broken.kind, broken.truncated, broken.partial) == ("failed", True, {"q": "x"})
    assert [e.code for e in broken.evidence] == ["WS644"]
    feed = plan.stream()
    for event in (said, end, ConnectionResetError("reset")):
        feed.push(event)
    assert feed.finish().value == {"q": "x"}
