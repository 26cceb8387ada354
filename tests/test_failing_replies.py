"""Replies that never came, broke off, or met a validator that failed: each is told for what it is, to the caller and to the model."""

from __future__ import annotations

import json
import pickle
from typing import Any

import pytest
from pydantic import BaseModel, field_validator

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


def chat(text: str, stop: str | None = None) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": stop}]}


def streamed(output: Any, *events: Any, reason: str | None = None) -> ws.Outcome:
    feed = ws.plan("lenient", output=output).stream()
    for event in events:
        feed.push(event)
    return feed.finish(reason)


SCALARS = [
    ({"type": "integer"}, "4"),
    ({"type": "number"}, "-1.5"),
    ({"type": ["boolean", "integer"]}, "true"),
    ({"enum": ["red", "reddish"]}, "red"),
    ({"type": "integer"}, "<think>{}</think>4"),
]


@pytest.mark.parametrize(("schema", "text"), SCALARS)
def test_a_scalar_whose_end_nothing_shows_was_cut_off(schema: Any, text: str) -> None:
    broken = streamed(schema, chat(text))
    assert (broken.kind, broken.truncated, "no-end" in broken.flags) == ("failed", True, True)


@pytest.mark.parametrize(("schema", "text"), SCALARS)
def test_a_scalar_whose_end_is_told_is_whole(schema: Any, text: str) -> None:
    done = "data: [DONE]\n\n"
    for outcome in (
        streamed(schema, chat(text, "stop")),
        streamed(schema, chat(text), chat("", "stop")),
        streamed(schema, chat(text), reason="stop"),
        streamed(schema, f"data: {json.dumps(chat(text))}\n\n", done),
    ):
        assert (outcome.kind, "no-end" in outcome.flags) == ("output", False)


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        ({"type": "integer"}, "4\n"),
        (OBJECT, '{"q": "x"}'),
        (OBJECT, 'Here it is: {"q": "x"}\nGood'),
        ({"type": "string"}, '"re"'),
        ({"type": "array", "items": {"type": "integer"}}, "[4]"),
    ],
)
def test_a_value_that_shows_its_end_has_a_flag_without_the_word_for_it(
    schema: Any, text: str
) -> None:
    outcome = streamed(schema, chat(text))
    assert (outcome.kind, "no-end" in outcome.flags) == ("output", True)
    assert outcome.value == ws.compile(schema, "lenient").parse(text).value


def test_text_and_calls_without_the_word_for_the_end_have_a_flag() -> None:
    plain = ws.plan("anthropic-strict").stream()
    delta = {"type": "text_delta", "text": "The answer is 4"}
    plain.push({"type": "content_block_delta", "index": 0, "delta": delta})
    outcome = plain.finish()
    assert (outcome.value, outcome.flags) == ("The answer is 4", ("no-end",))
    called = ws.plan("ollama-tools", [TOOL]).stream()
    called.push({"message": {"tool_calls": [{"function": {"name": "find", "arguments": {"q": "x"}}}]}})  # fmt: skip
    outcome = called.finish()
    assert (outcome.kind, outcome.flags) == ("tool_calls", ("no-end",))
    assert streamed(OBJECT).flags == ("empty",)


class Order(BaseModel):
    item: int
    count: int = 1
    price: int = 1

    @field_validator("item")
    @classmethod
    def _looks_up(cls, item: int) -> int:
        return {1: 1, 2: 2 // (item - 2 or 1)}[item] if item < 9 else item // (item - 9)

    @field_validator("count", "price")
    @classmethod
    def _is_small(cls, number: int) -> int:
        if number > 3:
            message = "too much"
            raise ValueError(message)
        return number


ORDER = ws.compile(Order, "openai-strict")


@pytest.mark.parametrize(("item", "cause"), [(5, KeyError), (9, ZeroDivisionError)])
def test_whatever_a_validator_raises_is_a_typed_error(item: int, cause: type[Exception]) -> None:
    value = {"item": item, "count": 1, "price": 1}
    with pytest.raises(ws.ValidationError, match=cause.__name__) as caught:
        ORDER.validate(value)
    assert (caught.value.code, type(caught.value.__cause__)) == ("WS602", cause)
    outcome = ORDER.parse(json.dumps(value))
    assert (outcome.kind, outcome.evidence[0].code) == ("failed", "WS602")
    plan = ws.plan("openai-strict", [ws.Tool("order", Order), TOOL])
    calls = [("order", value), ("find", {"q": "x"})]
    wire = [{"function": {"name": name, "arguments": json.dumps(a)}} for name, a in calls]
    done = plan.route({"choices": [{"message": {"tool_calls": wire}, "finish_reason": "stop"}]})
    assert done.kind == "tool_calls"
    assert [bool(call.problems) for call in done.calls] == [True, False]
    assert done.calls[1].arguments == {"q": "x"}


def test_all_that_a_python_type_finds_wrong_is_told() -> None:
    outcome = ORDER.parse('{"item": 1, "count": 7, "price": 8}')
    assert [e.pointer for e in outcome.evidence] == ["/count", "/price"]
    for pointer in ("/count", "/price"):
        assert f"- {pointer}: Value error, too much" in str(outcome.retry_text)
    with pytest.raises(ws.ValidationError) as caught:
        ORDER.validate({"item": 1, "count": 7, "price": 8})
    assert pickle.loads(pickle.dumps(caught.value)).more == (("/price", "Value error, too much"),)


@pytest.mark.parametrize("text", ["I cannot do that.", "<think>Hm.</think>", "4 of 5, perhaps"])
def test_a_reply_without_json_is_not_called_empty(text: str) -> None:
    told = str(ws.compile(OBJECT, "openai-strict").parse(text).retry_text)
    assert "empty" not in told
    if "4" not in text:
        assert "no JSON value was found in it" in told


@pytest.mark.parametrize("text", ["", " \n"])
def test_an_empty_reply_is_called_so(text: str) -> None:
    assert "it is empty" in str(ws.compile(OBJECT, "openai-strict").parse(text).retry_text)


@pytest.mark.parametrize("chunk", [3, None, ["{}"], ConnectionError("reset")])
def test_a_chunk_that_is_neither_text_nor_bytes_is_a_typed_error(chunk: Any) -> None:
    feed = ws.compile(OBJECT, "openai-strict").stream()
    with pytest.raises(ws.SchemaError, match="'chunk'"):
        feed.push(chunk)
    for part in (bytearray(b'{"q": '), memoryview(b'"x"'), "}"):
        feed.push(part)
    assert feed.finish().value == {"q": "x"}
