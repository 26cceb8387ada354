"""What was said before, sent again: the inverse of routing, ids to the rule of each API, a result for each call."""

from __future__ import annotations

import copy
import json
import pickle
import re
from dataclasses import replace
from enum import StrEnum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wireshape as ws
from wireshape.dialect_apis import apis_of
from wireshape.reply import Evidence

ADD = {
    "type": "object",
    "properties": {
        "a": {"type": "number"},
        "by name": {"type": "object", "additionalProperties": {"type": "integer"}},
    },
    "required": ["a"],
    "additionalProperties": False,
}
TOOLS = [ws.Tool("add it", ADD), ws.Tool("now"), ws.Tool("add_it", {"type": "object"})]
PLACES = [
    (name, api.name, api.protocol)
    for name in ws.dialects()
    for api in apis_of(ws.dialect(name))
    if api.history.call
    and "tool" in ws.dialect(name).carriers
    and name not in ("lmstudio", "trtllm")  # no tools
]
RESPONSES = {
    "chat": lambda said: {"choices": [{"message": said[0]}]},
    "chat-custom": lambda said: {"choices": [{"message": said[0]}]},
    "cohere-chat": lambda said: {"message": said[0]},
    "ollama-chat": lambda said: {"message": said[0]},
    "responses": lambda said: {"output": said},
    "responses-custom": lambda said: {"output": said},
    "messages": lambda said: said[0],
    "converse": lambda said: {"output": {"message": said[0]}},
    "generate": lambda said: {"candidates": [{"content": said[0]}]},
    "interactions": lambda said: {"steps": said},
}
IDS_OF = {
    "chat": lambda m: (
        [call["id"] for call in m.get("tool_calls", [])],
        [m["tool_call_id"]] if "tool_call_id" in m else [],
    ),
    "responses": lambda m: tuple(
        [m["call_id"]] if m.get("type") == kind else []
        for kind in ("function_call", "function_call_output")
    ),
    "messages": lambda m: (
        [part["id"] for part in m["content"] if part["type"] == "tool_use"],
        [part["tool_use_id"] for part in m["content"] if part["type"] == "tool_result"],
    ),
    "converse": lambda m: tuple(
        [part[kind]["toolUseId"] for part in m["content"] if kind in part]
        for kind in ("toolUse", "toolResult")
    ),
}
"""The ids of the calls and of the results in one message."""
IDS = st.none() | st.text(max_size=12) | st.sampled_from(["call_0123456789abcdef", "x" * 80, "a b"])


def test_what_carries_tools_takes_calls_back():
    without = {
        (name, api.name)
        for name in ws.dialects()
        for api in apis_of(ws.dialect(name))
        if api.tool and not api.history.call
    }
    assert without == {("mcp-input", "tools")}  # a call is a request of its own there


@pytest.mark.parametrize(("dialect", "api", "protocol"), PLACES)
def test_what_is_sent_again_is_read_as_what_was_said(dialect, api, protocol):
    plan = ws.plan(dialect, TOOLS)
    calls = [
        ws.Call("add it", {"a": 1, "by name": {"x": 2}}, "one"),
        ws.Call("now", {}, "two"),
        ws.Call("add_it", {}),
    ]
    said = plan.history([ws.Turn(calls, text="So.")], api)
    done = plan.route(RESPONSES[protocol](json.loads(json.dumps(said))), api)
    assert [(c.name, c.arguments) for c in done.calls] == [(c.name, c.arguments) for c in calls]
    assert not any(c.problems for c in done.calls)


@given(st.lists(st.tuples(st.lists(IDS, max_size=3), st.booleans()), max_size=4))
@pytest.mark.parametrize(
    ("dialect", "api", "rule"),
    [
        ("mistral-strict", "chat", "[A-Za-z0-9]{9}"),
        ("openai-strict", "chat", "[A-Za-z0-9_-]{1,40}"),
        ("openai-strict", "responses", "[A-Za-z0-9_-]{1,64}"),
        ("anthropic-strict", "messages", "[A-Za-z0-9_-]{1,64}"),
        ("bedrock-claude-strict", "converse", "[A-Za-z0-9_.:-]{1,64}"),
    ],
)
def test_ids_keep_the_rule_stay_apart_and_agree(dialect, api, rule, turns):
    plan = ws.plan(dialect, TOOLS)
    said = [
        ws.Turn([ws.Call("now", {}, id_) for id_ in ids], ["noon"] * len(ids) if known else None)
        for ids, known in turns
    ]
    messages = plan.history(said, api)
    calls = [id_ for message in messages for id_ in IDS_OF[api](message)[0]]
    results = [id_ for message in messages for id_ in IDS_OF[api](message)[1]]
    given_ids = [id_ for ids, _ in turns for id_ in ids]
    assert len(calls) == len(set(calls)) == len(given_ids)
    assert all(re.fullmatch(rule, id_) for id_ in calls)
    assert len(results) == sum(len(ids) for ids, known in turns if known)
    assert set(results) <= set(calls)
    for id_, sent in zip(given_ids, calls, strict=True):
        if id_ and re.fullmatch(rule, id_) and given_ids.count(id_) == 1:
            assert sent == id_
    assert messages == plan.history(said, api)


def test_arguments_are_text_or_an_object_as_the_api_wants():
    said = [ws.Turn([ws.Call("add it", {"a": 1})])]
    (chat,) = ws.plan("openai-strict", TOOLS).history(said)
    (native,) = ws.plan("ollama-tools", TOOLS).history(said)
    assert json.loads(chat["tool_calls"][0]["function"]["arguments"]) == {"a": 1, "by name": None}
    assert native["tool_calls"][0]["function"]["arguments"] == {"a": 1}


def test_ids_that_an_api_may_leave_out_are_sent_where_there_are_some():
    said = [ws.Turn([ws.Call("now", {}, "c1"), ws.Call("now", {})], ["noon", "night"])]
    asked, *answers = ws.plan("ollama-tools", TOOLS).history(said)
    assert [call.get("id", "none") for call in asked["tool_calls"]] == ["c1", "none"]
    assert [answer.get("tool_call_id", "none") for answer in answers] == ["c1", "none"]


def test_a_result_is_an_object_where_the_api_wants_one():
    plan = ws.plan("gemini-json-schema", TOOLS)
    calls = [ws.Call("now", {})] * 3
    results = [{"at": 1}, [1], ws.CallResult("late", failed=True)]
    _, answered = plan.history([ws.Turn(calls, results)])
    said = [part["functionResponse"]["response"] for part in answered["parts"]]
    assert said == [{"at": 1}, {"result": [1]}, {"error": "late"}]


def test_messages_of_the_api_stay_where_they_are():
    plan = ws.plan("openai-strict", TOOLS)
    ask = {"role": "user", "content": "When?"}
    said = plan.history([ask, ws.Turn([ws.Call("now", {})], ["noon"]), ask, ws.Turn(text="Noon.")])
    assert [m["role"] for m in said] == ["user", "assistant", "tool", "user", "assistant"]
    assert said[0] is ask
    assert plan.history([ws.Turn()]) == []


def test_a_call_without_a_result_and_one_that_could_not_be_made():
    plan = ws.plan("anthropic-strict", TOOLS)
    problem = Evidence(rung="strict", code="WS601", message="not a number", pointer="/a")
    bad = ws.Call("add it", None, "b", (problem, problem))
    gone = ws.Call("no longer there", {"x": 1}, "g")
    asked, answered = plan.history([ws.Turn([bad, gone, ws.Call("now", {}, "n")], [None, None])])
    assert [part["name"] for part in asked["content"]] == [
        "add_it_7fbf4747",
        "no_longer_there",
        "now",
    ]
    assert [part["input"] for part in asked["content"]] == [{}, {"x": 1}, {}]
    assert [(p["content"], p.get("is_error")) for p in answered["content"]] == [
        ("This call could not be made: /a: not a number", True),
        ("null", None),
        ("No result", True),
    ]


def test_what_has_no_wire_spelling_or_is_no_json_is_a_typed_error():
    plan = ws.plan("openai-strict", TOOLS)
    with pytest.raises(ws.EncodeError):
        plan.history([ws.Turn([ws.Call("add it", {"a": {1}})])])
    with pytest.raises(ws.EncodeError):
        plan.history([ws.Turn([ws.Call("now", {})], [{"at": float("nan")}])])
    with pytest.raises(ws.EncodeError):
        plan.history([ws.Turn([ws.Call("gone", {"a": {1}})])])
    with pytest.raises(ws.DialectError, match="takes no calls back"):
        ws.plan("mcp-input", TOOLS).history([ws.Turn([ws.Call("now", {})])])


def test_a_call_of_a_name_that_is_no_text_is_a_typed_error():
    body = {"choices": [{"message": {"tool_calls": [{"function": {"name": "\ud800", "arguments": "{}"}}]}}]}  # fmt: skip
    plan = ws.plan("openai-strict", TOOLS)
    with pytest.raises(ws.EncodeError, match="surrogate"):
        plan.history([ws.Turn(plan.route(body).calls)])
    for turn in (ws.Turn(text="\ud800"), ws.Turn([ws.Call("now", {}, "\ud800")])):
        with pytest.raises(ws.EncodeError, match="surrogate"):
            plan.history([turn])


def test_names_and_texts_may_be_of_a_kind_of_text():
    class Name(StrEnum):
        NOW = "now"

    plan = ws.plan("openai-strict", TOOLS)
    said = plan.history([ws.Turn([ws.Call(Name.NOW, {}, Name.NOW)], text=Name.NOW)])
    assert said == plan.history([ws.Turn([ws.Call("now", {}, "now")], text="now")])


def test_an_integer_that_python_does_not_write_is_said_again():
    plan = ws.plan("openai-strict", [ws.Tool("f", {"properties": {"a": {"type": "integer"}}})])
    arguments = f'{{"a":1{"0" * 5000}}}'
    made = [{"id": "c", "function": {"name": "f", "arguments": arguments}}]
    done = plan.route({"choices": [{"message": {"tool_calls": made}}]})
    assert done.calls[0].arguments == {"a": 10**5000}
    asked, answered = plan.history([ws.Turn(done.calls, [10**5000])])
    assert asked["tool_calls"][0]["function"]["arguments"] == arguments
    assert answered["content"] == arguments[5:-1]


def test_more_results_than_calls_are_an_error():
    plan = ws.plan("openai-strict", TOOLS)
    for calls in ([], [ws.Call("now", {}, "one")]):
        with pytest.raises(ws.EncodeError, match=f"3 results for {len(calls)} calls") as caught:
            plan.history([ws.Turn(calls, results=["a", "b", "c"])])
        assert caught.value.code == "WS626"


# what a provider wants back with a call

FREE = [
    ws.Tool(name, {"type": "object", "properties": {"a": {"type": "integer"}}}) for name in "fg"
]


def thinking(text: str, signature: str) -> Any:
    return {"type": "thinking", "thinking": text, "signature": signature}


def reasoning(text: str, signature: str) -> Any:
    return {"reasoningContent": {"reasoningText": {"text": text, "signature": signature}}}


REDACTED = {"type": "redacted_thinking", "data": "xyz"}
USES = [{"type": "tool_use", "id": f"c{n}", "name": "fg"[n], "input": {"a": n}} for n in (0, 1)]
TOOL_USES = [
    {"toolUse": {"toolUseId": f"c{n}", "name": "fg"[n], "input": {"a": n}}} for n in (0, 1)
]
PARTS = [{"functionCall": {"id": f"c{n}", "name": "fg"[n], "args": {"a": n}}} for n in (0, 1)]
CALLS = [
    {"id": f"c{n}", "type": "function", "function": {"name": "fg"[n], "arguments": f'{{"a":{n}}}'}}
    for n in (0, 1)
]
ITEMS = [
    {"type": "function_call", "call_id": f"c{n}", "name": "fg"[n], "arguments": f'{{"a":{n}}}'}
    for n in (0, 1)
]
THOUGHTS = [
    {"type": "reasoning", "id": f"rs{n}", "summary": [], "encrypted_content": "e"} for n in (0, 1)
]
EXTRA = {"extra_content": {"google": {"thought_signature": "sig"}}}  # fmt: skip


def started(index: int, block: Any) -> Any:
    return {"type": "content_block_start", "index": index, "content_block": block}


def grown(index: int, kind: str, **more: Any) -> Any:
    return {"type": "content_block_delta", "index": index, "delta": {"type": kind, **more}}


def delta_of(index: int, **delta: Any) -> Any:
    return {"contentBlockDelta": {"contentBlockIndex": index, "delta": delta}}


def chunk(**delta: Any) -> Any:
    return {"choices": [{"index": 0, "delta": delta}]}


WANTED_BACK: dict[str, tuple[str, Any, list[Any], Any]] = {
    "messages": (
        "anthropic-non-strict",
        {"content": [thinking("hm", "s0"), REDACTED, {"type": "text", "text": "So"}, USES[0], thinking("", "s1"), USES[1]]},
        [
            started(0, {"type": "thinking", "thinking": "", "signature": ""}),
            *[grown(0, "thinking_delta", thinking=t) for t in "hm"],
            grown(0, "signature_delta", signature="s0"),
            started(1, REDACTED),
            started(2, {"type": "text", "text": "So"}),
            started(3, USES[0]),
            started(4, {"type": "thinking", "thinking": ""}),
            grown(4, "signature_delta", signature="s1"),
            started(5, USES[1]),
        ],
        [{"role": "assistant", "content": [thinking("hm", "s0"), REDACTED, {"type": "text", "text": "So"}, USES[0], thinking("", "s1"), USES[1]]}],
    ),
    "converse": (
        "bedrock-non-strict",
        {"output": {"message": {"content": [reasoning("hm", "s0"), {"text": "So"}, *TOOL_USES]}}},
        [
            *[delta_of(0, reasoningContent={"text": t}) for t in "hm"],
            delta_of(0, reasoningContent={"signature": "s0"}),
            delta_of(1, text="So"),
            *[e for n, use in enumerate(TOOL_USES) for e in (
                {"contentBlockStart": {"contentBlockIndex": n + 2, "start": {"toolUse": {k: v for k, v in use["toolUse"].items() if k != "input"}}}},
                delta_of(n + 2, toolUse={"input": json.dumps(use["toolUse"]["input"])}),
            )],
        ],
        [{"role": "assistant", "content": [reasoning("hm", "s0"), {"text": "So"}, *TOOL_USES]}],
    ),
    "responses": (
        "openai-non-strict",
        {"output": [THOUGHTS[0], {"type": "message", "content": [{"type": "output_text", "text": "So"}]}, ITEMS[0], THOUGHTS[1], ITEMS[1]]},
        [
            {"type": "response.output_item.done", "output_index": 0, "item": THOUGHTS[0]},
            {"type": "response.output_text.delta", "output_index": 1, "delta": "So"},
            {"type": "response.output_item.done", "output_index": 2, "item": ITEMS[0]},
            {"type": "response.output_item.done", "output_index": 3, "item": THOUGHTS[1]},
            {"type": "response.output_item.done", "output_index": 4, "item": ITEMS[1]},
        ],
        [THOUGHTS[0], {"role": "assistant", "content": "So"}, ITEMS[0], THOUGHTS[1], ITEMS[1]],
    ),
    "generate": (
        "gemini-json-schema",
        {"candidates": [{"content": {"parts": [{"text": "So"}, {**PARTS[0], "thoughtSignature": "sig"}, PARTS[1]]}}]},
        [
            {"candidates": [{"content": {"parts": [{"text": "So"}, {**PARTS[0], "thoughtSignature": "sig"}]}}]},
            {"candidates": [{"content": {"parts": [PARTS[1]]}}]},
        ],
        [{"role": "model", "parts": [{"text": "So"}, {**PARTS[0], "thoughtSignature": "sig"}, PARTS[1]]}],
    ),
    "chat": (
        "openai-non-strict",
        {"choices": [{"message": {"content": "So", "tool_calls": [{**CALLS[0], **EXTRA}, CALLS[1]]}}]},
        [chunk(content="So"), chunk(tool_calls=[{**CALLS[0], **EXTRA, "index": 0}]), chunk(tool_calls=[{**CALLS[1], "index": 1}])],
        [{"role": "assistant", "content": "So", "tool_calls": [{**CALLS[0], **EXTRA}, CALLS[1]]}],
    ),
}  # fmt: skip


def replies(name: str) -> tuple[ws.Plan, list[ws.Outcome]]:
    row, body, events, _ = WANTED_BACK[name]
    plan = ws.plan(row, FREE)
    feed = plan.stream(name)
    for event in events:
        feed.push(event)
    return plan, [plan.route(body, name), feed.finish("tool_calls")]


@pytest.mark.parametrize("name", WANTED_BACK)
def test_what_a_provider_wants_back_goes_back_as_it_came(name: str) -> None:
    plan, outcomes = replies(name)
    for outcome in outcomes:
        assert outcome.kind == "tool_calls", outcome
        before = copy.deepcopy([call.state for call in outcome.calls])
        said = plan.history([ws.Turn(outcome.calls, text=outcome.text)], api=name)
        assert said == WANTED_BACK[name][3]
        said[0].clear()
        assert [call.state for call in outcome.calls] == before
        again = pickle.loads(pickle.dumps(outcome))
        assert again == outcome
        assert [call.state for call in again.calls] == before
        plain = [replace(call, state=None) for call in outcome.calls]
        assert plain == list(outcome.calls)


@pytest.mark.parametrize("name", WANTED_BACK)
def test_another_api_is_not_sent_it(name: str) -> None:
    _, outcomes = replies(name)
    for other in WANTED_BACK.keys() - {name}:
        plan, _ = replies(other)
        plain = [replace(call, state=None) for call in outcomes[0].calls]
        said = plan.history([ws.Turn(outcomes[0].calls, text="So")], api=other)
        assert said == plan.history([ws.Turn(plain, text="So")], api=other)


ENCRYPTED = {
    "client": ([b"\x00a", b"b"], b"\x00ab"),
    "json": (["AGE=", "Yg=="], "AGFi"),
    "damaged": (["AGE=", "?"], "AGE=?"),
}


@pytest.mark.parametrize("form", ENCRYPTED)
def test_encrypted_reasoning_goes_back_as_the_client_gave_it(form: str) -> None:
    pieces, whole = ENCRYPTED[form]
    plan, _ = replies("converse")
    blocks = [{"reasoningContent": {"redactedContent": whole}}, TOOL_USES[0]]
    feed = plan.stream("converse")
    for piece in pieces:
        feed.push(delta_of(0, reasoningContent={"redactedContent": piece}))
    start = {"toolUse": {"toolUseId": "c0", "name": "f"}}
    feed.push({"contentBlockStart": {"contentBlockIndex": 1, "start": start}})
    feed.push(delta_of(1, toolUse={"input": '{"a":0}'}))
    for done in (feed.finish("tool_use"), plan.route({"output": {"message": {"content": blocks}}})):
        assert plan.history([ws.Turn(done.calls)], "converse") == [
            {"role": "assistant", "content": blocks}
        ]


def test_a_signature_in_a_later_piece_of_a_call() -> None:
    plan, _ = replies("generate")
    feed = plan.stream("generate")
    call = {
        "name": "f",
        "partialArgs": [{"jsonPath": "$.a", "numberValue": 1}],
        "willContinue": True,
    }
    for part in ({"functionCall": call}, {"functionCall": {}, "thoughtSignature": "sig"}):
        feed.push({"candidates": [{"content": {"parts": [part]}}]})
    done = feed.finish("STOP")
    assert done.calls[0].arguments == {"a": 1}
    assert done.calls[0].state == {"protocol": "generate", "kept": "sig"}


def test_a_call_that_cannot_be_made_keeps_it_and_others_must_be_json() -> None:
    plan, _ = replies("generate")
    part = {"functionCall": {"name": "nobody", "args": {}}, "thoughtSignature": "sig"}
    done = plan.route({"candidates": [{"content": {"parts": [part]}}]})
    said = plan.history([ws.Turn(done.calls, results=[])])
    assert said[0]["parts"][0]["thoughtSignature"] == "sig"
    odd = ws.Call("f", {}, state={"protocol": "generate", "kept": b"sig"})
    with pytest.raises(ws.EncodeError):
        plan.history([ws.Turn([odd])])
