"""Replies of every protocol, as a body and as a stream, small ones of our own; real ones are in `test_recorded`."""

from __future__ import annotations

import enum
import json
import pickle
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import pytest

import wireshape as ws
from wireshape import api_protocols
from wireshape.api import Api
from wireshape.api_paths import first, found, steps_of
from wireshape.api_protocols import ABOUT, api_of_table, protocol_file, protocols, replies
from wireshape.dialect_apis import apis_of
from wireshape.dialect_model import validate_protocol
from wireshape.plan_feed import PlanFeed
from wireshape.reply.delta import Delta
from wireshape.response import Asked, EventReader, plain_of, read_response
from wireshape.response_frames import Damaged
from wireshape.response_lines import MAX_EVENT, EventLines
from wireshape.routing import route_reply


class Case(NamedTuple):
    """What one protocol sends for a thought, a text in two parts, two calls and a word for the end."""

    body: dict[str, Any]
    events: list[dict[str, Any]]
    stop: str
    stops: str | None = None  # of the stream, where it differs


def chat(**delta: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]}


def block(index: int, **block: Any) -> dict[str, Any]:
    return {"type": "content_block_start", "index": index, "content_block": block}


def grown(index: int, **delta: Any) -> dict[str, Any]:
    return {"type": "content_block_delta", "index": index, "delta": delta}


def part(*parts: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"candidates": [{"content": {"role": "model", "parts": list(parts)}, **more}]}


def step(index: int, **delta: Any) -> dict[str, Any]:
    return {"event_type": "step.delta", "index": index, "delta": delta}


A, B = {"q": "é"}, {}
ADD = {"id": "c1", "type": "function", "function": {"name": "add", "arguments": '{"q": "é"}'}}
NOW = {"id": "c2", "type": "function", "function": {"name": "now", "arguments": ""}}
CASES: dict[str, Case] = {
    "chat": Case(
        {
            "choices": [
                {
                    "index": 0,
                    "message": {
                        "role": "assistant",
                        "content": [{"type": "text", "text": "Hi "}, {"type": "text", "text": "you"}],
                        "reasoning_content": "hm",
                        "refusal": None,
                        "tool_calls": [ADD, NOW],
                    },
                    "finish_reason": "tool_calls",
                },
                {"index": 1, "message": {"content": "another"}},
            ]
        },
        [
            chat(role="assistant", content=""),
            chat(reasoning_content="hm"),
            chat(content="Hi "),
            {"choices": [{"index": 1, "delta": {"content": "another"}}]},
            chat(content="you"),
            chat(tool_calls=[{**ADD, "index": 0, "function": {"name": "add", "arguments": ""}}]),
            chat(tool_calls=[{"index": 0, "function": {"arguments": '{"q"'}}]),
            chat(tool_calls=[{"index": 0, "function": {"arguments": ': "é"}'}}]),
            chat(tool_calls=[{**NOW, "index": 1}]),
            {"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]},
            {"choices": [], "usage": {"total_tokens": 3}},
        ],
        "tool_calls",
    ),
    "responses": Case(
        {
            "status": "completed",
            "incomplete_details": None,
            "output": [
                {"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}]},
                {
                    "type": "message",
                    "content": [
                        {"type": "output_text", "text": "Hi "},
                        {"type": "output_text", "text": "you"},
                    ],
                },
                {"type": "web_search_call", "id": "w1", "status": "completed"},
                {"type": "function_call", "call_id": "c1", "name": "add", "arguments": '{"q": "é"}'},
                {"type": "function_call", "call_id": "c2", "name": "now", "arguments": ""},
            ],
        },
        [
            {"type": "response.created", "response": {"output": [], "status": "in_progress"}},
            {"type": "response.reasoning_summary_text.delta", "output_index": 0, "delta": "hm"},
            {"type": "response.output_text.delta", "output_index": 1, "delta": "Hi "},
            {"type": "response.output_text.delta", "output_index": 1, "delta": "you"},
            {"type": "response.output_text.done", "output_index": 1, "text": "Hi you"},
            {
                "type": "response.output_item.added",
                "output_index": 2,
                "item": {"type": "function_call", "call_id": "c1", "name": "add", "arguments": ""},
            },
            {"type": "response.function_call_arguments.delta", "output_index": 2, "delta": '{"q":'},
            {"type": "response.function_call_arguments.delta", "output_index": 2, "delta": ' "é"}'},
            {
                "type": "response.output_item.done",
                "output_index": 2,
                "item": {
                    "type": "function_call",
                    "call_id": "c1",
                    "name": "add",
                    "arguments": '{"q": "é"}',
                },
            },
            {
                "type": "response.output_item.done",
                "output_index": 3,
                "item": {"type": "function_call", "call_id": "c2", "name": "now", "arguments": ""},
            },
            {"type": "response.completed", "response": {"status": "completed", "output": []}},
        ],
        "completed",
    ),
    "messages": Case(
        {
            "type": "message",
            "content": [
                {"type": "thinking", "thinking": "hm"},
                {"type": "text", "text": "Hi "},
                {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"x": 1}},
                {"type": "text", "text": "you"},
                {"type": "tool_use", "id": "c1", "name": "add", "input": A},
                {"type": "tool_use", "id": "c2", "name": "now", "input": B},
            ],
            "stop_reason": "tool_use",
        },
        [
            {"type": "message_start", "message": {"content": [], "stop_reason": None}},
            block(0, type="thinking", thinking=""),
            grown(0, type="thinking_delta", thinking="hm"),
            block(1, type="text", text=""),
            grown(1, type="text_delta", text="Hi "),
            block(2, type="server_tool_use", id="s1", name="web_search", input={}),
            grown(2, type="input_json_delta", partial_json='{"x": 1}'),
            block(3, type="text", text="you"),
            block(4, type="tool_use", id="c1", name="add", input={}),
            grown(4, type="input_json_delta", partial_json='{"q": '),
            grown(4, type="input_json_delta", partial_json='"é"}'),
            block(5, type="tool_use", id="c2", name="now", input={}),
            {"type": "message_delta", "delta": {"stop_reason": "tool_use"}},
        ],
        "tool_use",
    ),
    "converse": Case(
        {
            "output": {
                "message": {
                    "content": [
                        {"reasoningContent": {"reasoningText": {"text": "hm"}}},
                        {"text": "Hi "},
                        {"text": "you"},
                        {"toolUse": {"toolUseId": "s1", "name": "run", "input": {}, "type": "server_tool_use"}},
                        {"toolUse": {"toolUseId": "c1", "name": "add", "input": A}},
                        {"toolUse": {"toolUseId": "c2", "name": "now", "input": B}},
                    ]
                }
            },
            "stopReason": "tool_use",
        },
        [
            {"messageStart": {"role": "assistant"}},
            {"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"reasoningContent": {"text": "hm"}}}},
            {"contentBlockDelta": {"contentBlockIndex": 1, "delta": {"text": "Hi "}}},
            {"contentBlockDelta": {"contentBlockIndex": 1, "delta": {"text": "you"}}},
            {"contentBlockStart": {"contentBlockIndex": 2, "start": {"toolUse": {"toolUseId": "s1", "name": "run", "type": "server_tool_use"}}}},
            {"contentBlockDelta": {"contentBlockIndex": 2, "delta": {"toolUse": {"input": "{}"}}}},
            {"contentBlockStart": {"contentBlockIndex": 3, "start": {"toolUse": {"toolUseId": "c1", "name": "add"}}}},
            {"contentBlockDelta": {"contentBlockIndex": 3, "delta": {"toolUse": {"input": '{"q": "é"'}}}},
            {"contentBlockDelta": {"contentBlockIndex": 3, "delta": {"toolUse": {"input": "}"}}}},
            {"contentBlockStop": {"contentBlockIndex": 3}},
            {"contentBlockStart": {"contentBlockIndex": 4, "start": {"toolUse": {"toolUseId": "c2", "name": "now"}}}},
            {"messageStop": {"stopReason": "tool_use"}},
        ],
        "tool_use",
    ),
    "generate": Case(
        part(
            {"text": "hm", "thought": True},
            {"text": "Hi "},
            {"text": "you"},
            {"functionCall": {"id": "c1", "name": "add", "args": A}},
            {"functionCall": {"id": "c2", "name": "now", "args": B}},
            finishReason="STOP",
        ),
        [
            part({"text": "hm", "thought": True}),
            part({"text": "Hi "}),
            part({"text": "you"}),
            part({"functionCall": {"id": "c1", "name": "add", "args": A}}),
            part({"functionCall": {"id": "c2", "name": "now"}}, finishReason="STOP"),
            {"usageMetadata": {"totalTokenCount": 3}},
        ],
        "STOP",
    ),
    "interactions": Case(
        {
            "status": "requires_action",
            "steps": [
                {"type": "thought", "summary": [{"type": "text", "text": "hm"}]},
                {"type": "model_output", "content": [{"type": "text", "text": "Hi "}, {"type": "text", "text": "you"}]},
                {"type": "function_call", "id": "c1", "name": "add", "arguments": A},
                {"type": "function_call", "id": "c2", "name": "now", "arguments": B},
            ],
        },
        [
            {"event_type": "step.start", "index": 0, "step": {"type": "thought"}},
            step(0, type="thought_summary", content={"text": "hm"}),
            step(1, type="text", text="Hi "),
            step(1, type="text", text="you"),
            {"event_type": "step.start", "index": 2, "step": {"type": "function_call", "id": "c1", "name": "add", "arguments": {}}},
            step(2, type="arguments_delta", arguments='{"q": "é"}'),
            {"event_type": "step.start", "index": 3, "step": {"type": "function_call", "id": "c2", "name": "now"}},
            {"event_type": "interaction.completed", "interaction": {"status": "requires_action"}},
        ],
        "requires_action",
    ),
    "cohere-chat": Case(
        {
            "message": {
                "content": [{"type": "text", "text": "Hi "}, {"type": "text", "text": "you"}],
                "tool_plan": "hm",
                "tool_calls": [ADD, NOW],
            },
            "finish_reason": "TOOL_CALL",
        },
        [
            {"type": "message-start", "delta": {"message": {"content": [], "tool_calls": []}}},
            {"type": "tool-plan-delta", "delta": {"message": {"tool_plan": "hm"}}},
            {"type": "content-start", "index": 0, "delta": {"message": {"content": {"type": "text", "text": "Hi "}}}},
            {"type": "content-delta", "index": 0, "delta": {"message": {"content": {"text": "you"}}}},
            {"type": "tool-call-start", "index": 0, "delta": {"message": {"tool_calls": {**ADD, "function": {"name": "add", "arguments": ""}}}}},
            {"type": "tool-call-delta", "index": 0, "delta": {"message": {"tool_calls": {"function": {"arguments": '{"q": "é"}'}}}}},
            {"type": "tool-call-start", "index": 1, "delta": {"message": {"tool_calls": NOW}}},
            {"type": "message-end", "delta": {"finish_reason": "TOOL_CALL"}},
        ],
        "TOOL_CALL",
    ),
    "cohere-v1": Case(
        {
            "generation_id": "g1",
            "text": "Hi you",
            "tool_calls": [{"name": "add", "parameters": A}, {"name": "now", "parameters": B}],
            "finish_reason": "COMPLETE",
        },
        [
            {"event_type": "stream-start", "is_finished": False},
            {"event_type": "text-generation", "text": "Hi "},
            {"event_type": "text-generation", "text": "you"},
            {"event_type": "tool-calls-generation", "tool_calls": [{"name": "add", "parameters": A}, {"name": "now", "parameters": B}]},
            {"event_type": "stream-end", "finish_reason": "COMPLETE", "response": {"text": "Hi you"}},
        ],
        "COMPLETE",
    ),
    "ollama-chat": Case(
        {
            "message": {
                "content": "Hi you",
                "thinking": "hm",
                "tool_calls": [
                    {"id": "c1", "function": {"index": 0, "name": "add", "arguments": A}},
                    {"id": "c2", "function": {"index": 1, "name": "now", "arguments": B}},
                ],
            },
            "done": True,
            "done_reason": "stop",
        },
        [
            {"message": {"content": "", "thinking": "hm"}, "done": False},
            {"message": {"content": "Hi "}, "done": False},
            {"message": {"content": "you"}, "done": False},
            {"message": {"content": "", "tool_calls": [{"id": "c1", "function": {"index": 0, "name": "add", "arguments": A}}]}},
            {"message": {"content": "", "tool_calls": [{"id": "c2", "function": {"index": 1, "name": "now", "arguments": B}}]}},
            {"message": {"content": ""}, "done": True, "done_reason": "stop"},
        ],
        "stop",
    ),
    "sampler": Case(
        {
            "outputs": [
                {"message": {"role": "ROLE_ASSISTANT", "reasoning_content": "hm", "content": "Hi "}},
                {"index": 1, "message": {"role": "ROLE_TOOL", "content": "42"}},
                {
                    "index": 2,
                    "message": {
                        "role": "ROLE_ASSISTANT",
                        "content": "you",
                        "tool_calls": [
                            {"id": "s1", "type": "TOOL_CALL_TYPE_MCP_TOOL", "function": {"name": "run", "arguments": "{}"}},
                            {**ADD, "type": "TOOL_CALL_TYPE_CLIENT_SIDE_TOOL"},
                            {"id": "c2", "function": {"name": "now", "arguments": ""}},
                        ],
                    },
                    "finish_reason": "REASON_TOOL_CALLS",
                },
            ]
        },
        [
            {"outputs": [{"delta": {"role": "ROLE_ASSISTANT", "reasoning_content": "hm"}}]},
            {"outputs": [{"delta": {"role": "ROLE_ASSISTANT", "content": "Hi "}}]},
            {"outputs": [{"index": 1, "delta": {"role": "ROLE_TOOL", "content": "42"}}]},
            {"outputs": [{"index": 2, "delta": {"role": "ROLE_ASSISTANT", "content": "you"}}]},
            {"outputs": [{"index": 2, "delta": {"tool_calls": [{**ADD, "type": "TOOL_CALL_TYPE_CLIENT_SIDE_TOOL"}]}}]},
            {"outputs": [{"index": 2, "delta": {"tool_calls": [{"id": "c2", "function": {"name": "now"}}]}}]},
            {"outputs": [{"index": 2, "delta": {}, "finish_reason": "REASON_TOOL_CALLS"}]},
        ],
        "REASON_TOOL_CALLS",
    ),
    "chat-custom": Case(
        {
            "choices": [
                {
                    "message": {
                        "content": "Hi you",
                        "reasoning": "hm",
                        "tool_calls": [
                            {"id": "c1", "type": "custom", "custom": {"name": "add", "input": '{"q": "é"}'}},
                            {"id": "c2", "type": "custom", "custom": {"name": "now", "input": ""}},
                        ],
                    },
                    "finish_reason": "tool_calls",
                }
            ]
        },
        [
            chat(reasoning="hm", content="Hi you"),
            chat(tool_calls=[{"index": 0, "id": "c1", "type": "custom", "custom": {"name": "add", "input": ""}}]),
            chat(tool_calls=[{"index": 0, "custom": {"input": '{"q": "é"}'}}]),
            chat(tool_calls=[{"index": 1, "id": "c2", "type": "custom", "custom": {"name": "now", "input": ""}}]),
            {"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]},
        ],
        "tool_calls",
    ),
    "responses-custom": Case(
        {
            "status": "completed",
            "output": [
                {"type": "reasoning", "content": [{"type": "reasoning_text", "text": "hm"}]},
                {"type": "message", "content": [{"type": "output_text", "text": "Hi you"}]},
                {"type": "custom_tool_call", "call_id": "c1", "name": "add", "input": '{"q": "é"}'},
                {"type": "custom_tool_call", "call_id": "c2", "name": "now", "input": ""},
            ],
        },
        [
            {"type": "response.reasoning_text.delta", "output_index": 0, "delta": "hm"},
            {"type": "response.output_text.delta", "output_index": 1, "delta": "Hi you"},
            {"type": "response.output_item.added", "output_index": 2, "item": {"type": "custom_tool_call", "call_id": "c1", "name": "add", "input": ""}},
            {"type": "response.custom_tool_call_input.delta", "output_index": 2, "delta": '{"q": '},
            {"type": "response.custom_tool_call_input.delta", "output_index": 2, "delta": '"é"}'},
            {"type": "response.output_item.done", "output_index": 2, "item": {"type": "custom_tool_call", "call_id": "c1", "name": "add", "input": '{"q": "é"}'}},
            {"type": "response.output_item.done", "output_index": 3, "item": {"type": "custom_tool_call", "call_id": "c2", "name": "now", "input": ""}},
            {"type": "response.completed", "response": {"status": "completed"}},
        ],
        "completed",
    ),
}  # fmt: skip
NO_THOUGHTS = {"cohere-v1"}
NO_IDS = {"cohere-v1"}


def api_for(protocol: str) -> Api:
    return api_of_table("x", {"protocol": protocol})


def parsed(arguments: Any) -> Any:
    """Arguments as a value; text, an object and nothing at all are the same to a caller."""
    return json.loads(arguments or "{}") if isinstance(arguments, str | None) else arguments


def gathered(deltas: list[Delta]) -> list[tuple[str | None, str | None, Any]]:
    """The calls of a stream: `(name, id, arguments)`, pieces with the same index joined."""
    calls: list[dict[str, Any]] = []
    by_index: dict[int | str, dict[str, Any]] = {}
    for delta in deltas:
        fresh: dict[str, Any] = {"name": None, "id": None, "text": "", "whole": None}
        if delta.index is None:
            call = fresh
            calls.append(call)
        else:
            if delta.index not in by_index:
                calls.append(by_index.setdefault(delta.index, fresh))
            call = by_index[delta.index]
        call["name"], call["id"] = call["name"] or delta.name, call["id"] or delta.id
        if delta.whole:
            call["whole"] = delta.arguments
        else:
            call["text"] += delta.arguments or ""
    return [
        (c["name"], c["id"], parsed(c["text"] if c["whole"] is None else c["whole"])) for c in calls
    ]


def test_every_protocol_has_a_case() -> None:
    assert set(CASES) | {"completion"} == set(protocols())


@pytest.mark.parametrize("name", CASES)
def test_a_body_and_a_stream_say_the_same(name: str) -> None:
    case, api = CASES[name], api_for(name)
    ids = (None, None) if name in NO_IDS else ("c1", "c2")
    calls = [("add", ids[0], A), ("now", ids[1], B)]
    thought = None if name in NO_THOUGHTS else "hm"
    body = read_response(case.body, api)
    assert (body.text, body.reasoning, body.stop) == ("Hi you", thought, case.stop)
    assert [(c.name, c.id, parsed(c.arguments)) for c in body.calls] == calls
    assert body.refusal is None
    assert body.error is None
    reader = EventReader(api)
    deltas = [delta for event in case.events for delta in reader.read(event)]
    assert "".join([d.text for d in deltas if d.kind == "text"]) == "Hi you"
    assert "".join([d.text for d in deltas if d.kind == "reasoning"]) == (thought or "")
    assert [d.stop for d in deltas if d.kind == "stop"] == [case.stop]
    assert gathered([d for d in deltas if d.kind == "call"]) == calls


@pytest.mark.parametrize("output", [None, {"type": "string"}])
@pytest.mark.parametrize("name", CASES)
def test_a_stream_comes_to_what_the_body_does(name: str, output: Any) -> None:
    case, api = CASES[name], api_for(name)
    add = {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]}
    for tools in ([ws.Tool("add", add), ws.Tool("now")], [ws.Tool("now")], []):
        desk = ws.plan("tools-lenient", tools, output).desk
        feed = PlanFeed([api], desk)
        assert sum([feed.push(event) for event in case.events]) > 1
        due = route_reply(read_response(case.body, api), api.reply, desk)
        assert feed.text == "Hi you"
        outcome = feed.finish()
        assert [(c.name, c.arguments, c.id) for c in outcome.calls] == [
            (c.name, c.arguments, c.id) for c in due.calls
        ]
        # No arguments may come as `{}` in a body, and as nothing in a stream, which is told.
        for flag in {"empty-as-object"} & {*outcome.flags} - {*due.flags}:
            due = replace(due, flags=(*due.flags, flag))
        assert outcome == due


@pytest.mark.parametrize(
    ("body", "text", "stop"),
    [
        ({"content": "{}", "stop_type": "limit"}, "{}", "limit"),
        ({"text": "{}", "meta_info": {"finish_reason": {"type": "stop"}}}, "{}", "stop"),
        ({"generated_text": "{}"}, "{}", None),
        ({"generation": "{}", "stop_reason": "length"}, "{}", "length"),
        ({"completion": "{}", "stop_reason": "stop_sequence"}, "{}", "stop_sequence"),
        ({"results": [{"outputText": "{}", "completionReason": "FINISH"}]}, "{}", "FINISH"),
        ({"completions": [{"data": {"text": "{}"}, "finishReason": {"reason": "endoftext"}}]}, "{}", "endoftext"),
        ({"choices": [{"text": "{}", "finish_reason": "length"}]}, "{}", "length"),
        ({"outputs": [{"text": "{}", "stop_reason": "stop"}]}, "{}", "stop"),
    ],
)  # fmt: skip
def test_completions_have_one_text(body: Any, text: str, stop: str | None) -> None:
    reply = read_response(body, api_for("completion"))
    assert (reply.text, reply.stop) == (text, stop)


PARTS: list[tuple[str, Any]] = [
    ("chat", CASES["chat"].body["choices"][0]),
    ("chat", CASES["chat"].body["choices"][0]["message"]),
    ("responses", CASES["responses"].body["output"]),
    ("messages", CASES["messages"].body["content"]),
    ("converse", CASES["converse"].body["output"]),
    ("converse", CASES["converse"].body["output"]["message"]),
    ("converse", CASES["converse"].body["output"]["message"]["content"]),
    ("generate", CASES["generate"].body["candidates"][0]),
    ("generate", CASES["generate"].body["candidates"][0]["content"]),
    ("generate", CASES["generate"].body["candidates"][0]["content"]["parts"]),
    ("interactions", CASES["interactions"].body["steps"]),
    ("cohere-chat", CASES["cohere-chat"].body["message"]),
    ("ollama-chat", CASES["ollama-chat"].body["message"]),
]


@pytest.mark.parametrize(("name", "piece"), PARTS)
def test_a_part_of_a_body_may_come_alone(name: str, piece: Any) -> None:
    reply = read_response(piece, api_for(name), part=True)
    assert reply.text == "Hi you"
    assert [call.name for call in reply.calls] == ["add", "now"]


def snake(value: Any) -> Any:
    """A body as clients dump it: keys in snake case, all that is absent as null."""
    if isinstance(value, list):
        return [snake(item) for item in value]
    if not isinstance(value, dict):
        return value
    keys = {"".join(["_" + c.lower() if c.isupper() else c for c in key]): key for key in value}
    return {new: value[old] if new in ("args", "input") else snake(value[old]) for new, old in keys.items()} | {"video_metadata": None}  # fmt: skip


@pytest.mark.parametrize("name", ["generate", "converse"])
def test_clients_dump_keys_in_snake_case(name: str) -> None:
    api = api_for(name)
    dumped, sent = (read_response(b, api) for b in (snake(CASES[name].body), CASES[name].body))
    assert [call[:3] for call in dumped.calls] == [call[:3] for call in sent.calls]
    assert dumped._replace(calls=()) == sent._replace(calls=())


def test_objects_of_clients_are_bodies() -> None:
    class Message:
        def model_dump(self, *, mode: str, exclude_none: bool) -> dict[str, Any]:
            assert (mode, exclude_none) == ("json", True)
            return CASES["messages"].body

    class Old:
        def to_dict(self) -> dict[str, Any]:
            return {"content": "hi"}

    class Refused(Exception):  # noqa: N818 - named like those of clients
        body: ClassVar = {"error": {"message": "no"}}

    assert plain_of(Message()) is CASES["messages"].body
    assert plain_of(Old()) == {"content": "hi"}
    assert plain_of(Refused()) == Refused.body
    assert plain_of(ValueError()) is None
    assert plain_of("text") == "text"
    other = object()
    assert plain_of(other) is other


@pytest.mark.parametrize(
    ("name", "body", "message"),
    [
        ("chat", {"error": {"message": "bad", "code": 400}}, "bad"),
        ("responses", {"error": {"message": "bad"}, "status": "failed"}, "bad"),
        ("messages", {"type": "error", "error": {"type": "x", "message": "bad"}}, "bad"),
        ("converse", {"message": "bad"}, "bad"),
        ("generate", {"error": {"code": 400, "message": "bad"}}, "bad"),
        ("cohere-chat", {"id": "1", "message": "bad"}, "bad"),
        ("cohere-v1", {"message": "bad"}, "bad"),
        ("ollama-chat", {"error": "bad"}, "bad"),
    ],
)
def test_an_error_body_is_an_error(name: str, body: Any, message: str) -> None:
    reply = read_response(body, api_for(name))
    assert reply.error == message
    assert not reply.says_something


@pytest.mark.parametrize(
    ("name", "event"),
    [
        ("chat", {"error": {"message": "bad"}}),
        ("responses", {"type": "error", "message": "bad"}),
        ("responses", {"type": "response.failed", "response": {"error": {"message": "bad"}}}),
        ("messages", {"type": "error", "error": {"type": "overloaded_error", "message": "bad"}}),
        ("converse", {"modelStreamErrorException": {"message": "bad"}}),
        ("generate", {"error": {"message": "bad"}}),
        ("interactions", {"event_type": "error", "error": {"message": "bad"}}),
        ("ollama-chat", {"error": "bad"}),
    ],
)
def test_an_error_event_is_an_error(name: str, event: Any) -> None:
    found = [d for d in EventReader(api_for(name)).read(event) if d.kind == "error"]
    assert [(d.text, d.body) for d in found] == [("bad", event)]


@pytest.mark.parametrize(
    ("name", "event", "attempt"),
    [
        ("chat", {"error": {"message": "no", "failed_generation": "x"}}, "x"),
        ("generate", part(finishReason="MALFORMED_FUNCTION_CALL", finishMessage="f()"), "f()"),
    ],
)
def test_an_event_that_repeats_the_attempt_is_an_error(name: str, event: Any, attempt: str) -> None:
    errors = [d for d in EventReader(api_for(name)).read(event) if d.kind == "error"]
    assert [d.body for d in errors] == [event]
    assert read_response(errors[0].body, api_for(name)).attempt == attempt


def test_what_a_host_calls_for_itself_is_no_call() -> None:
    other = {"type": "mcp_call", "name": "f", "arguments": "{}", "call_id": "x"}
    assert read_response({"output": [other]}, api_for("responses")).calls == ()
    empty = {"choices": [{"message": {"content": "4", "tool_calls": [{"id": "", "function": {"name": "", "arguments": ""}}]}}]}  # fmt: skip
    assert read_response(empty, api_for("chat")).calls == ()


def test_arguments_may_be_an_object_and_the_type_absent() -> None:
    call = {"function": {"name": "f", "arguments": {"a": 1}}}
    reply = read_response({"tool_calls": [call]}, api_for("chat"), part=True)
    assert reply.calls == (Asked("f", {"a": 1}, None),)
    legacy = {"choices": [{"message": {"function_call": {"name": "f", "arguments": "{}"}}}]}
    assert read_response(legacy, api_for("chat")).calls == (Asked("f", "{}", None),)


def test_a_stream_may_have_arguments_as_an_object() -> None:
    call = {"index": 0, "id": "c", "function": {"name": "f", "arguments": {"a": 1}}}
    (delta,) = EventReader(api_for("chat")).read(chat(tool_calls=[call]))
    assert (delta.arguments, delta.whole) == ({"a": 1}, True)
    fragment = {"index": 0, "function": {"arguments": "{"}}
    (delta,) = EventReader(api_for("chat")).read(chat(tool_calls=[fragment]))
    assert (delta.arguments, delta.whole) == ("{", False)


def test_a_word_may_be_a_member_of_an_enum() -> None:

    class Reason(str, enum.Enum):  # noqa: UP042 - as clients have them
        STOP = "STOP"

    reply = read_response(part({"text": "x"}, finishReason=Reason.STOP), api_for("generate"))
    assert reply.stop == "STOP"
    assert type(reply.stop) is str


def pieces(*given: dict[str, Any], more: bool = True, **begun: Any) -> dict[str, Any]:
    call = {**begun, **({"partialArgs": list(given)} if given else {})}
    return part({"functionCall": {**call, **({"willContinue": True} if more else {})}})


def test_arguments_that_come_value_by_value() -> None:
    events = [
        pieces(name="add", id="c1"),
        pieces({"jsonPath": "$.items[0].name", "stringValue": "ap", "willContinue": True}),
        pieces({"jsonPath": "$.items[0].name", "stringValue": "ple"}),
        pieces({"jsonPath": "$.items[0].price", "numberValue": 0.5}),
        pieces({"jsonPath": "$.items[1].name", "stringValue": "pear"}, {"jsonPath": "$['a b']", "boolValue": True}),
        pieces({"jsonPath": "$.none", "nullValue": "NULL_VALUE"}),
        part({"functionCall": {}}),
        part({"functionCall": {"name": "now"}}),
    ]  # fmt: skip
    reader = EventReader(api_for("generate"))
    deltas = [delta for event in events for delta in reader.read(event)]
    wanted = {
        "items": [{"name": "apple", "price": 0.5}, {"name": "pear"}],
        "a b": True,
        "none": None,
    }
    assert [(d.name, d.id, d.arguments, d.whole) for d in deltas] == [
        ("add", "c1", wanted, True),
        ("now", None, None, True),
    ]


@pytest.mark.parametrize(
    "bad",
    [
        {"jsonPath": "$.a[2]", "stringValue": "x"},
        {"jsonPath": "a", "stringValue": "x"},
        {"jsonPath": "$.a..b", "stringValue": "x"},
        {"jsonPath": "$", "stringValue": "x"},
        {"jsonPath": "$.a"},
        {"stringValue": "x"},
        {"jsonPath": "$.a", "stringValue": "x", "numberValue": 1},
        {"jsonPath": "$.q.r", "stringValue": "x"},
        {"jsonPath": "$.q[0]", "stringValue": "x"},
        {"jsonPath": "$.q.r.s", "stringValue": "x"},
        "x",
    ],
)
def test_pieces_that_do_not_fit_leave_an_unfinished_call(bad: Any) -> None:
    reader = EventReader(api_for("generate"))
    first_piece = pieces({"jsonPath": "$.q", "stringValue": "x"}, name="add")
    assert list(reader.read(first_piece)) == []
    (cut,) = reader.read(pieces(bad))
    assert cut.name == "add"
    with pytest.raises(ValueError):
        json.loads(cut.arguments)


def test_a_call_that_never_ends_is_unfinished() -> None:
    reader = EventReader(api_for("generate"))
    assert list(reader.read(pieces({"jsonPath": "$.q", "stringValue": "x"}, name="add"))) == []
    (cut, stop) = reader.read(part(finishReason="MAX_TOKENS"))
    assert (cut.arguments, stop.stop) == ('{"q": "x"', "MAX_TOKENS")
    reader = EventReader(api_for("generate"))
    assert list(reader.read(pieces(name="add"))) == []
    (cut,) = reader.read(pieces(name="now"))
    assert (cut.name, cut.arguments) == ("add", "{")
    (cut,) = reader.close()
    assert (cut.name, cut.arguments) == ("now", "{")
    broken = {"name": "add", "partialArgs": "x", "willContinue": True}
    (cut,) = reader.read(part({"functionCall": broken}))
    assert cut.arguments == "{"
    assert list(reader.read(part(finishReason=7))) == []


def test_paths() -> None:
    body = {"a": [{"k": "x", "n": 0}, {"k": "y", "n": 1}, {"n": {"m": True}}, "z"]}
    assert list(found(body, "/a/*/k")) == ["x", "y"]
    assert list(found(body, "/a/*[k=x|]/n")) == [0, {"m": True}]
    assert list(found(body, "/a/*[has=k,not=n]/k")) == ["x"]
    assert list(found(body, "/a/*[has=/n/m]/n")) == [{"m": True}]
    assert first(body, "[has=a]/a/1/k") == "y"
    assert first(body, "/a/x") is None
    assert first(body, "/a/9") is None
    assert list(found(3, "/a")) == []
    assert list(found(None, "")) == []
    assert list(found({"n": 7}, "[n=7]/n")) == [7]
    for bad in ("a", "/a[b", "/a]b", "/a[b]"):
        with pytest.raises(ValueError):
            steps_of(bad)


@pytest.mark.parametrize("name", protocols())
def test_a_protocol_is_data_with_a_source(name: str) -> None:
    validate_protocol(name)
    table = protocol_file(name)
    assert set(ABOUT) - {"extends", "note"} <= set(table)
    assert table["confidence"] in ("documented", "sdk", "measured", "reported")
    rules = replies(name)
    assert rules.body
    assert rules.events
    assert pickle.loads(pickle.dumps(rules)) == rules
    for rule in [*rules.body, *rules.events]:
        for path in (rule.at, rule.text, rule.index, rule.id, rule.name, rule.arguments, rule.more):
            steps_of(path)


def test_every_api_of_every_row_can_be_read() -> None:
    for name in ws.dialects():
        for api in apis_of(ws.dialect(name)):
            assert api.reply.body or name == "apple-fm", (name, api.name)
    mcp = {api.name: api for api in apis_of(ws.dialect("mcp-output"))}["tools"]
    reply = read_response({"result": {"structuredContent": {"a": 1}}}, mcp)
    assert json.loads(reply.text or "") == {"a": 1}
    run = {api.name: api for api in apis_of(ws.dialect("cloudflare"))}["run"]
    assert read_response({"result": {"response": "{}"}}, run).text == "{}"


@pytest.mark.parametrize(
    ("word", "code", "truncated"),
    [("CONTINUATION", "WS630", True), ("STOP", "WS630", False), ("MODEL_ARMOR", "WS641", False)],
)
def test_words_for_the_end_that_came_late_count(word: str, code: str, truncated: bool) -> None:
    plan = ws.plan("gemini-json-schema", output={"type": "object"})
    parts = [] if code == "WS641" else [{"text": '{"a"; 1}'}]
    done = plan.route({"candidates": [{"content": {"parts": parts}, "finishReason": word}]})
    assert (done.evidence[0].code, done.truncated) == (code, truncated)


def own_row(tmp_path: Path, apis: str) -> ws.Dialect:
    path = tmp_path / "mine.toml"
    path.write_text(f'id = "mine"\nextends = "tools-lenient"\n\n{apis}\n')
    return ws.load_dialect(path)


def test_a_row_of_your_own_states_how_its_replies_read(tmp_path: Path) -> None:
    page = (Path(__file__).parents[1] / "docs" / "replies.md").read_text("utf-8")
    row = own_row(tmp_path, page.split("```toml\n")[1].split("```")[0])
    call = {"id": "1", "name": "f", "args": {"a": 1}}
    plan = ws.plan(row, [ws.Tool("f", {"type": "object"})])
    done = plan.route({"answer": "so", "calls": [call, {**call, "type": "web"}]}, "mine")
    assert [(c.name, c.arguments, c.id) for c in done.calls] == [("f", {"a": 1}, "1")]
    cut = ws.plan(row, output={"type": "object"}).route({"answer": '{"a": ', "why": "too long"})
    assert cut.truncated
    again = ws.Compiled.from_json(ws.compile({"type": "object"}, row).to_json()).dialect
    assert again == row
    shared = own_row(tmp_path, '[apis.mine]\nprotocol = "chat"\nreply.truncated = ["enough"]')
    (api,) = apis_of(shared)
    assert api.reply.body == replies("chat").body
    assert api.reply.truncated == {"enough"}


@pytest.mark.parametrize(
    ("apis", "message"),
    [
        ('[apis.mine]\nprotocol = "chats"', "no protocol is called 'chats'; known are .*chat, "),
        ('[apis.mine]\nreply.body = [{ gives = "text", at = "a" }]', "'a' is no path"),
        ('[apis.mine]\nreply.attempts = ["/a[b]"]', r"'/a\[b\]' is no path"),
        ('[apis.mine]\nreply.body = [{ gives = "song" }]', "reply"),
        ("[apis.mine]\nreply.bodies = []", "bodies"),
    ],
)
def test_a_bad_table_of_an_api_is_a_typed_error(tmp_path: Path, apis: str, message: str) -> None:
    with pytest.raises(ws.DialectError, match=message):
        own_row(tmp_path, apis)


GOOD = 'truncated = ["cut"]\nbody = [{ gives = "text", at = "/a" }]\n'


@pytest.fixture
def own_protocols(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder of protocols, in the place of the package's."""
    cached = (protocols, protocol_file, replies)
    folder = tmp_path / "protocols"
    folder.mkdir()
    monkeypatch.setattr(api_protocols, "folder", lambda: folder)
    for function in cached:
        function.cache_clear()
    yield folder
    for function in cached:
        function.cache_clear()


@pytest.mark.parametrize(
    ("text", "pointer", "message"),
    [
        ('body = [{ gives = "text", at = "/a", foo = 1 }]', "/body/0/foo", "'body.0.foo'"),
        ('events = [{ gives = "song" }]', "/events/0/gives", "'events.0.gives'"),
        ('events = [{ at = "/a" }]', "/events/0/gives", "'events.0.gives'"),
        ('body = [{ gives = "text", at = 1 }]', "/body/0/at", "'body.0.at'"),
        ('body = ["/a"]', "/body/0", "'body.0'"),
        ("body = 1", "/body", "'body'"),
        ('truncated = "cut"', "/truncated", "'truncated'"),
        ("inside = [1]", "/inside/0", "'inside.0'"),
        ("bodies = []", "/bodies", "'bodies'"),
        ("title = 1", "/title", "'title'"),
        ("history = 1", "/history", "'history'"),
        ("[history]\nturns = ''", "/history/turns", "'history.turns'"),
        ("[history]\nturn = {}", "/history/turn", "'history.turn'"),
        ('body = [{ gives = "text", at = "a" }]', "", "'a' is no path"),
        ('extends = "other"', "/extends", "no protocol is called 'other'; known are child, x"),
        ('extends = "x"', "/extends", "it extends itself"),
        ("body = [", "", "not TOML"),
    ],
)
@pytest.mark.parametrize("name", ["x", "child"])
def test_a_bad_protocol_is_a_typed_error(
    own_protocols: Path, tmp_path: Path, text: str, pointer: str, message: str, name: str
) -> None:
    (own_protocols / "child.toml").write_text('extends = "x"')
    (own_protocols / "x.toml").write_text(GOOD)
    assert own_row(tmp_path, f'[apis.mine]\nprotocol = "{name}"').apis
    (own_protocols / "x.toml").write_text(text)
    with pytest.raises(ws.DialectError, match=message) as caught:
        own_row(tmp_path, f'[apis.mine]\nprotocol = "{name}"')
    assert (caught.value.code, caught.value.pointer) == ("WS702", pointer)
    assert "dialects/protocols/x.toml" in str(caught.value)


def test_a_bad_protocol_of_a_parent_is_a_typed_error(own_protocols: Path, tmp_path: Path) -> None:
    row = tmp_path / "child.toml"
    row.write_text('id = "child"\nextends = "sambanova"')
    with pytest.raises(ws.DialectError, match=r"protocols/chat\.toml: cannot be read"):
        ws.load_dialect(row)
    (own_protocols / "chat.toml").write_text("body = [{ foo = 1 }]")
    with pytest.raises(ws.DialectError, match=r"protocols/chat\.toml: field 'body\.0"):
        ws.load_dialect(row)


def events_of(*parts: str | bytes) -> list[Any]:
    lines = EventLines()
    return [event for piece in parts for event in lines.feed(piece)] + list(lines.close())


VALUES = [{"a": 'é\n\\"}{][', "b": [1, {"c": None}]}, {"a": ["{", "\\"]}, {}]
FORMS = {
    "server-sent": "".join([f"id: 7\ndata: {json.dumps(v)}\n\n" for v in VALUES]) + "data: [DONE]\n\n",
    "carriage": "".join([f": ping\r\ndata:{json.dumps(v)}\r\n\r\n" for v in VALUES]),
    "lines-of-data": "\ufeff" + "".join(["".join([f"data: {line}\n" for line in json.dumps(v, indent=1).split("\n")]) + "\n" for v in VALUES]),
    "carriages-of-data": "".join(["".join([f"data: {line}\r\n" for line in json.dumps(v, indent=1).split("\n")]) + "\r\n" for v in VALUES]),
    "json-lines": "".join([json.dumps(v, ensure_ascii=False) + "\n" for v in VALUES]),
    "array": json.dumps(VALUES, indent=2, ensure_ascii=False),
    "array-at-once": json.dumps(VALUES),
    "no-end": "".join([f"data: {json.dumps(v)}\n\n" for v in VALUES]).rstrip("\n"),
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_a_stream_is_events_however_it_is_cut(form: str, size: int) -> None:
    raw = FORMS[form].encode()
    cut = [raw[i : i + size] for i in range(0, len(raw), size)]
    assert events_of(*cut) == VALUES
    assert (
        events_of(*[FORMS[form][i : i + size] for i in range(0, len(FORMS[form]), size)]) == VALUES
    )


@pytest.mark.parametrize(
    "text",
    [
        'data: {"a": \n\n',
        '{"a": }\n',
        '{"a": "x',
        "[1, 2",
        "data: " + "[" * 100_000 + "\n\n",
        "{} garbage",
    ],
)
def test_an_event_that_is_no_json_is_told(text: str) -> None:
    assert any(isinstance(event, Damaged) for event in events_of(text))
    deltas = [
        d
        for reader in [EventReader(api_for("chat"))]
        for d in [*reader.feed(text), *reader.close()]
    ]
    assert [d.kind for d in deltas] == ["error"] or text.startswith("{}")


def test_an_event_may_be_named_beside_its_data() -> None:
    assert events_of('event: ping\ndata: {"a": 1}\n\ndata: {"type": "x"}\n\n') == [
        {"a": 1, "type": "ping"},
        {"type": "x"},
    ]
    assert events_of('event: a\ndata: {"event_type": "x"}\n\n', "", b"") == [{"event_type": "x"}]
    assert events_of("", "\n \n") == []


def test_an_event_has_a_greatest_size() -> None:
    half = "x" * (MAX_EVENT // 2 + 1)
    (event,) = events_of(f"data: {half}\ndata: {half}\n\n")
    assert isinstance(event, Damaged)
    assert len(event) < MAX_EVENT
    events = events_of('{"a": "' + half, half, 'x"}', '{"b": 1}')
    assert isinstance(events[0], Damaged)
    assert events[1] == {"b": 1}


JUNK: list[Any] = [None, "", "x", 0, -1, True, 1.5, [], {}, [[]], [{}], {"a": []}, ["x"], {"type": "text"}, 10**5000, [10**5000], b"x", object()]  # fmt: skip


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()  # fmt: skip
    for key, item in items:
        yield from places(item, (*path, key))


def with_junk(value: Any, path: tuple[Any, ...], junk: Any) -> Any:
    if not path:
        return junk
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = with_junk(value[path[0]], path[1:], junk)
    return copy


@pytest.mark.parametrize("name", CASES)
def test_no_body_and_no_event_raises(name: str) -> None:
    """Every part of a body and of an event of every protocol, replaced by what does not belong there."""
    case = CASES[name]
    api = api_for(name)
    add = {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]}
    plans = [
        ws.plan("lenient", [ws.Tool("add", add), ws.Tool("now")]),
        ws.plan("lenient", output=add),
    ]
    for path in places(case.body):
        for junk in JUNK:
            body = with_junk(case.body, path, junk)
            for plan in plans:
                assert plan.route(body).kind in ("output", "tool_calls", "failed")
    for i, event in enumerate(case.events):
        for path in places(event):
            for junk in JUNK:
                reader = EventReader(api)
                events = [*case.events[:i], with_junk(event, path, junk), *case.events[i + 1 :]]
                deltas = [delta for one in events for delta in reader.read(one)]
                assert all(isinstance(delta.text, str) for delta in deltas)
                assert all(isinstance(delta.name, str | None) for delta in deltas)


MASKED = {"guardrail": {"actionReason": "Guardrail masked."}}
BLOCKED = {"guardrail": {"actionReason": "Guardrail blocked."}}


@pytest.mark.parametrize("trace", [MASKED, BLOCKED, None])
def test_a_filter_that_only_masks_lets_the_reply_through(trace: Any) -> None:
    plan = ws.plan("bedrock-claude-strict", output={"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]})  # fmt: skip
    text = '{"a": "{EMAIL}"}'
    content = [{"text": text}]
    body = {"output": {"message": {"content": content}}, "stopReason": "guardrail_intervened", "trace": trace}  # fmt: skip
    feed = plan.stream("converse")
    for event in (
        {"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"text": text}}},
        {"messageStop": {"stopReason": "guardrail_intervened"}},
        {"metadata": {"usage": {}, "trace": trace}},
    ):
        feed.push(event)
    for outcome in (plan.route(body), feed.finish()):
        if trace is MASKED:
            assert (outcome.value, outcome.flags) == ({"a": "{EMAIL}"}, ("masked",))
        else:
            assert (outcome.kind, outcome.flags) == ("failed", ("blocked",))
