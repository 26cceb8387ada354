"""Recorded replies of providers, read by the rows (`WIRESHAPE_CORPORA=DIR pytest -m corpus`): text and calls, bodies and streams.

The expected readings of the corpus come from a small reader of its own. Where it and we differ is listed with the reason.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

import wireshape as ws
from corpora import records_of
from wireshape.api import Api
from wireshape.dialect_apis import apis_of
from wireshape.plan_view import View
from wireshape.response import EventReader, read_response
from wireshape.routing import Desk

READ_BY = {
    "openai-chat": ("openai-strict", "chat"),
    "openai-responses": ("openai-strict", "responses"),
    "anthropic-messages": ("anthropic-strict", "messages"),
    "bedrock-converse": ("bedrock-claude-strict", "converse"),
    "bedrock-invoke": ("bedrock-claude-strict", "invoke"),
    "gemini-generateContent": ("gemini-json-schema", "generate"),
    "gemini-interactions": ("gemini-interactions", "interactions"),
    "cohere-v2-chat": ("cohere-tools", "chat"),
    "cohere-v1-chat": ("cohere-json", "v1"),
    "ollama-chat": ("ollama-tools", "native"),
    "xai-grpc": ("xai-strict", "sampler"),
}
NOT_DECODED = {"cohere-v1-chat", "xai-grpc"}
"""The corpus has no expected reading of these; they are compared with the field that repeats the text, or with its pieces."""
SERVER_TOOL = "the host runs the tool itself: it is nothing that the caller could answer"
PIECES = "the corpus takes each piece of an argument for a call of its own, as its description says ('naive')"
NAMELESS = "the host sends a call without name, id and arguments beside the text"
ARGUED: dict[str, str] = {
    "langchain/langchain_anthropic/test_programmatic_tool_use_streaming#0": "the input comes whole when the block begins, and no pieces follow; the corpus has pieces only",
    "vercel-ai/anthropic/anthropic-programmatic-tool-calling.1.stream#0": "the input comes whole when the block begins, and no pieces follow; the corpus has pieces only",
    "pydantic-ai/models/test_bedrock/test_bedrock_model_with_code_execution_tool#0": SERVER_TOOL,
    "pydantic-ai/models/test_bedrock/test_bedrock_model_with_code_execution_tool#1": SERVER_TOOL,
    "pydantic-ai/models/test_bedrock/test_bedrock_model_code_execution_tool_stream#0": SERVER_TOOL,
    "vercel-ai/google/google-stream-no-args-tool-call.stream#0": PIECES,
    "vercel-ai/google/google-stream-tool-call-arguments.stream#0": PIECES,
    "vercel-ai/google/google-stream-tool-call-array-arguments-missing-terminal-function-call.stream#0": PIECES,
    "vercel-ai/google/google-vertex-stream-tool-call-arguments-nested.1.stream#0": PIECES,
    "pydantic-ai/models/test_snowflake/test_snowflake_model_simple#0": NAMELESS,
    "pydantic-ai/models/test_snowflake/test_snowflake_native_output#0": NAMELESS,
    "pydantic-ai/models/test_snowflake/test_snowflake_thinking#0": NAMELESS,
    "pydantic-ai/models/test_snowflake/test_snowflake_thinking#1": NAMELESS,
    "openllmetry/writer/test_chat/test_writer_async_streaming_chat_multiple_choices_legacy#0": "two choices were asked for; the corpus mixes their texts, we read the first",
}
"""Records whose expected reading is not ours, and why ours is right."""


@cache
def records(api: str) -> list[dict[str, Any]]:
    return [row for row in every_record() if row["api"] == api]


@cache
def every_record() -> list[dict[str, Any]]:
    return list(records_of("provider_responses"))


def api_called(name: str) -> Api:
    row, api = READ_BY[name]
    return next(a for a in apis_of(ws.dialect(row)) if a.name == api)


def value_of(arguments: Any) -> Any:
    """Arguments as a value, if their text is JSON; no arguments are an empty object."""
    if arguments in (None, ""):
        return {}
    try:
        return json.loads(arguments) if isinstance(arguments, str) else arguments
    except ValueError:
        return arguments


def read_events(events: list[Any], api: Api) -> tuple[str, list[Any]]:
    """Text and calls of a stream."""
    reader, view = EventReader(api), View(Desk())
    for delta in [delta for event in events for delta in reader.read(event)]:
        view.take(delta)
    reply = view.reply(None, api)
    return reply.text or "", [(c.name or None, value_of(c.arguments)) for c in reply.calls]


def read(record: dict[str, Any], api: Api) -> tuple[str, list[Any]]:
    body = record.get("response_body") or {}
    events = record.get("response_events") or body.get("_grpc_chunks")
    if events is not None:
        return read_events(events, api)
    reply = read_response(body, api)
    return reply.text or "", [(c.name, value_of(c.arguments)) for c in reply.calls]


def expected(record: dict[str, Any]) -> tuple[str, list[Any]]:
    if record["api"] == "cohere-v1-chat":
        last = record.get("response_body") or record["response_events"][-1]["response"]
        return last.get("text", ""), []
    if record["api"] == "xai-grpc":
        outputs = [o for c in record["response_body"]["_grpc_chunks"] for o in c.get("outputs", ())]
        said = [o["delta"] for o in outputs if o["delta"].get("role") == "ROLE_ASSISTANT"]
        return "".join([delta.get("content", "") for delta in said]), []
    decoded = record["decoded"]
    return decoded["text"] or "", [(c["name"], value_of(c["arguments"])) for c in decoded["tool_calls"]]  # fmt: skip


@pytest.mark.corpus
@pytest.mark.parametrize("kind", ["body", "stream"])
@pytest.mark.parametrize("name", READ_BY)
def test_text_and_calls_of_recorded_replies(name: str, kind: str) -> None:
    api = api_called(name)
    mine = [r for r in records(name) if ("response_events" in r) == (kind == "stream")]
    differ = {r["id"] for r in mine if read(r, api) != expected(r)}
    same = 1 - len(differ) / max(1, len(mine))
    assert differ == {r["id"] for r in mine} & set(ARGUED), f"{same:.2%} the same"
    assert mine or name == "xai-grpc"


def tools_of(record: dict[str, Any]) -> list[ws.Tool]:
    try:
        return ws.tools_from(record["request"]) if record["request"] else []
    except ws.SchemaError:
        return []


@pytest.mark.corpus
@pytest.mark.parametrize("name", sorted(set(READ_BY) - NOT_DECODED))
def test_recorded_bodies_go_to_the_tools_of_their_request(name: str) -> None:
    """No call is made up or lost; what is not as the corpus has it has a typed problem; other replies give their text."""
    for record in [r for r in records(name) if "response_body" in r and r["id"] not in ARGUED]:
        text, calls = expected(record)
        done = ws.plan("lenient", tools_of(record)).route(record["response_body"])
        if "from-rejection" in done.flags:
            assert record["status"] == 400
            continue
        assert [call.name for call in done.calls] == [called for called, _ in calls], record["id"]
        for call, (_, arguments) in zip(done.calls, calls, strict=True):
            codes = {problem.code for problem in call.problems}
            assert call.arguments == arguments or codes & {"WS601", "WS643"}, record["id"]
        if done.kind == "output":
            assert text.endswith(done.value) or not text, record["id"]
        elif not calls:
            assert done.evidence[0].code in ("WS640", "WS641", "WS642", "WS644", "WS646"), record[
                "id"
            ]


@pytest.mark.corpus
def test_every_argument_is_about_a_record() -> None:
    assert set(ARGUED) <= {r["id"] for name in READ_BY for r in records(name)}


@pytest.mark.corpus
def test_texts_of_models_with_a_body_of_their_own() -> None:
    rows = records("bedrock-invoke")
    own = [r for r in rows if not r["decoded"]["text"] and not r["decoded"]["tool_calls"]]
    api = ws.dialect("llamacpp")
    completion = next(a for a in apis_of(api) if a.name == "native")
    converse = api_called("bedrock-converse")
    read_now = [r["model"] for r in own if read(r, completion)[0] or read(r, converse)[0]]
    silent = [r["model"] for r in own if r["model"] not in read_now]
    assert len(read_now) > 6
    assert all("embed" in model or "inference-profile" in model for model in silent)
