"""Where replies go: native calls, calls in text, rejections, reasoning; every damaged form has a typed problem."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

import wireshape as ws
from wireshape.reply import strict
from wireshape.reply.outcome import RETRY_LIMIT
from wireshape.reply.written import MAX_CALLS


def fields(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


FIND = ws.Tool("find", fields(q={"type": "string"}))
NOW = ws.Tool("now", {"type": "object", "properties": {}})
MUL = ws.Tool("mul", fields(a={"type": "number"}, b={"type": "number"}))
CITY = fields(city={"type": "string"})
TOOLS = ws.plan("lenient", [FIND, NOW, MUL])
BOTH = ws.plan("openai-strict", [FIND, NOW], CITY)
OUTPUT = ws.plan("openai-strict", output=CITY)


def called(outcome: ws.Outcome) -> list[tuple[str, Any]]:
    assert outcome.kind == "tool_calls", outcome.evidence
    assert not any(call.problems for call in outcome.calls)
    return [(call.name, call.arguments) for call in outcome.calls]


def message(**fields: Any) -> dict[str, Any]:
    stop = fields.pop("stop", "stop")
    return {"choices": [{"message": fields, "finish_reason": stop}]}


def native(*calls: tuple[str, Any], **fields: Any) -> dict[str, Any]:
    wire = [{"id": f"c{i}", "type": "function", "function": {"name": n, "arguments": a}} for i, (n, a) in enumerate(calls)]  # fmt: skip
    return message(tool_calls=wire, **fields)


IN_TEXT = [
    '{"name": "find", "arguments": {"q": "x"}}',
    '```json\n{"name": "find", "arguments": {"q": "x"}}\n```',
    '<think>{"name": "now", "arguments": {}}</think>{"name": "find", "arguments": {"q": "x"}}',
    '[{"name": "find", "parameters": {"q": "x"}}]',
    '{"tool_calls": [{"function": {"name": "find"}, "parameters": {"q": "x"}}]}',
    '{"name": "find", "arguments": "{\\"q\\": \\"x\\"}"}',
    "{'name': 'find', 'arguments': {'q': 'x'},}",
    'I look it up.\n<tool_call>\n{"name": "find", "arguments": {"q": "x"}}\n</tool_call>',
    "<function=find><parameter=q>x</parameter></function>",
    '<x:tool_call><invoke name="find"><parameter name="q">x</parameter></invoke></x:tool_call>',
    '<|tool_call_begin|>functions.find:48<|tool_call_argument_begin|>{"q": "x"}<|tool_call_end|>',
    'commentary to=functions.find json{"q": "x"}',
    '[TOOL_CALLS][{"name": "find", "arguments": {"q": "x"}}]',
    'find(q="x")',
    'find\n{"q": "x"}',
    '>>>find\n{"q": "x"}',
    'print(default_api.find(q="x"))',
]


@pytest.mark.parametrize("text", IN_TEXT)
@pytest.mark.parametrize("plan", [TOOLS, BOTH], ids=["tools", "both"])
def test_calls_that_are_written_into_the_text(plan: ws.Plan, text: str) -> None:
    done = plan.route(text)
    assert called(done) == [("find", {"q": "x"})]
    assert (done.rung, done.text) == ("call", text)
    assert {"from-content", "call"} <= set(done.flags)
    assert called(plan.route(message(content=text))) == [("find", {"q": "x"})]


def test_several_calls_in_a_text() -> None:
    one = '{"name": "find", "arguments": {"q": "a"}}'
    two = '{"name": "now", "arguments": {}}'
    wanted = [("find", {"q": "a"}), ("now", {})]
    assert called(TOOLS.route(f"{one} {two}")) == wanted
    assert called(TOOLS.route(f"[{one}, {two}]")) == wanted
    assert called(TOOLS.route(f"<tool_call>{one}\n{two}</tool_call>")) == wanted


NO_CALLS = [
    "Hello.",
    'For example {"name": "find", "arguments": {"q": "x"}}',
    '{"name": "find", "arguments": {"q": "x"}} is how you call it',
    '{"name": "other", "arguments": {"q": "x"}}',
    '{"name": "find", "arguments": {"q": "x"}} {"name": "other", "arguments": {}}',
    '{"name": "find"}',
    '{"q": "x"}',
    "find(q=open('x'))",
    "other(q='x')",
    '{"name": "find", "name": "now", "arguments": {}}',
    '{"name": "find", "arguments": {"q": "x "y" z"}}',
    'other\n{"q": "x"}',
    'find\n{"q": "x"}\nor so',
    'find\n{"q": "x"} {"q": "y"}',
    'find\n{"q": "x" "y"',
    "1 + 1",
    json.dumps([{"name": "now", "arguments": {}}] * (MAX_CALLS + 1)),
]


@pytest.mark.parametrize("text", NO_CALLS)
def test_text_that_is_no_call_stays_text(text: str) -> None:
    done = TOOLS.route(text)
    assert (done.kind, done.value, done.rung) == ("output", text, "strict")


def test_an_output_that_looks_like_a_call_is_the_output() -> None:
    plan = ws.plan("lenient", [ws.Tool("city", CITY)], fields(name={"type": "string"}))
    text = '{"name": "city", "arguments": {"city": "Rome"}}'
    assert plan.route(text).value == {"name": "city", "arguments": {"city": "Rome"}}
    assert called(plan.route(text[:-1] + ",}")) == [("city", {"city": "Rome"})]
    marked = f"<tool_call>{text}</tool_call>"
    assert called(plan.route(marked)) == [("city", {"city": "Rome"})]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("<think>hm</think>\nHi", "Hi"),
        ("hm</think>Hi", "Hi"),
        ("<|START_RESPONSE|>Hi<|END_RESPONSE|>", "Hi"),
        ("<|channel>thought\n<channel|>Hi<channel|>", "Hi"),
        ("Write <think>so</think> before it", "Write <think>so</think> before it"),
        (" Hi ", " Hi "),
        ("<think> It is 30 degrees.", "<think> It is 30 degrees."),
    ],
)
def test_text_without_its_wrapping(text: str, value: str) -> None:
    assert TOOLS.route(text).value == value


def test_reasoning_is_no_part_of_a_text() -> None:
    done = TOOLS.route("<think>hm</think>```py\n1\n```")
    assert (done.value, done.rung, done.flags) == ("```py\n1\n```", "stripped", ("reasoning",))
    assert BOTH.route('<think>{"city": "A"}</think>{"city": "B"}').value == {"city": "B"}


BROKEN: list[tuple[str, str, bool]] = [
    ('<tool_call>{"name": "find", "arguments": {"q": "x', "WS635", True),
    ("<tool_call>", "WS635", True),
    ("<function=find><parameter=q>x", "WS635", True),
    ('<tool_call>{"q": "x"}</tool_call>', "WS638", False),
    ('<tool_call>{"name": "other", "arguments": {}}</tool_call>', "WS643", False),
    ('<tool_call>{"name": "find", "arguments": {"p": "x"}}</tool_call>', "WS601", False),
    ("<function=find><parameter=q>x</parameter><parameter=q>y</parameter></function>", "WS631", False),
]  # fmt: skip


@pytest.mark.parametrize(("text", "code", "truncated"), BROKEN)
def test_a_broken_call_in_a_text_is_told(text: str, code: str, truncated: bool) -> None:
    done = TOOLS.route(text)
    assert (done.kind, done.truncated) == ("failed", truncated)
    assert done.evidence[0].code == code
    assert "from-content" in done.flags
    assert done.retry_text
    assert done.text == text


EMPTY = [None, "", "  ", "null", {}]


@pytest.mark.parametrize("given", EMPTY)
def test_no_arguments_are_an_empty_object(given: Any) -> None:
    done = TOOLS.route(native(("now", given)))
    assert called(done) == [("now", {})]
    assert ("empty-as-object" in done.flags) == (given != {})
    needs = TOOLS.route(native(("find", given)))
    assert needs.kind == "failed"
    codes = [problem.code for problem in needs.calls[0].problems]
    assert codes == (["WS601"] if given == {} else ["WS647", "WS601"])
    assert "q" in str(needs.retry_text)


GIVEN = [
    {"q": "x"},
    '{"q": "x"}',
    '"{\\"q\\": \\"x\\"}"',
    '{"q": "x",}',
    '```json\n{"q": "x"}\n```',
]


@pytest.mark.parametrize("given", GIVEN)
def test_arguments_in_every_form(given: Any) -> None:
    assert called(TOOLS.route(native(("find", given)))) == [("find", {"q": "x"})]


PROBLEMS: list[tuple[str, Any, str, str]] = [
    ("find", {"q": 1}, "WS601", "/q"),
    ("find", {"q": None}, "WS601", "/q"),
    ("find", '{"q": "x"', "WS635", ""),
    ("find", '{"q": "x"} {"q": "y"}', "WS636", ""),
    ("find", '{"q": "x", "q": "y"}', "WS631", ""),
    ("find", "nothing of that kind", "WS637", ""),
    ("find", [], "WS601", ""),
    ("find", {"q": {1, 2}}, "WS601", "/q"),
    ("seek", {"q": "x"}, "WS643", ""),
    ("", {"q": "x"}, "WS643", ""),
]


@pytest.mark.parametrize(("name", "given", "code", "pointer"), PROBLEMS)
def test_a_call_that_cannot_be_made_says_why(
    name: str, given: Any, code: str, pointer: str
) -> None:
    done = TOOLS.route(native(("now", {}), (name, given)))
    good, bad = done.calls
    assert done.kind == "tool_calls"
    assert (good.arguments, good.problems, good.id) == ({}, (), "c0")
    assert (bad.arguments, bad.id) == (None, "c1")
    assert (code, pointer) in [(problem.code, problem.pointer) for problem in bad.problems]
    assert done.evidence[: len(bad.problems)] == bad.problems
    assert done.retry_text
    assert done.rung is None


def test_a_name_may_carry_what_is_no_part_of_it() -> None:
    for name in ("find<|channel|>commentary", "functions.find", "find:3", "default_api.find"):
        done = TOOLS.route(native((name, {"q": "x"})))
        assert called(done) == [("find", {"q": "x"})]
        assert "name-repaired" in done.flags


def test_names_come_back_as_the_caller_gave_them() -> None:
    plan = ws.plan("openai-strict", [ws.Tool("look up / find", FIND.parameters)])
    wire = plan.tools[0].name
    assert wire != "look up / find"
    for done in (plan.route(native((wire, '{"q": "x"}'))), plan.route(f'<tool_call>{{"name": "{wire}", "arguments": {{"q": "x"}}}}</tool_call>')):  # fmt: skip
        assert called(done) == [("look up / find", {"q": "x"})]


def test_a_reply_that_was_cut_off_ends_in_no_call() -> None:
    done = TOOLS.route(native(("find", '{"q": "a"}'), ("find", '{"q": "b'), stop="length"))
    assert [bool(call.problems) for call in done.calls] == [False, True]
    assert (done.kind, done.truncated) == ("tool_calls", True)
    closed = TOOLS.route(native(("find", {"q": "a"}), ("find", '{"q": "b"}'), stop="length"))
    assert called(closed) == [("find", {"q": "a"}), ("find", {"q": "b"})]
    whole = TOOLS.route(native(("find", '{"q": "a"}'), stop="length"))
    assert called(whole) == [("find", {"q": "a"})]
    assert whole.truncated
    for given in ("", None, {"q": "b"}):
        unsure = TOOLS.route(native(("now", "{}"), ("find", given), stop="length"))
        assert [bool(call.problems) for call in unsure.calls] == [False, True]
        assert unsure.calls[1].problems[0].code == "WS635"
    text = OUTPUT.route(message(content='{"city": "Rome"', stop="length"))
    assert (text.kind, text.truncated, text.partial) == ("failed", True, {"city": "Rome"})
    assert OUTPUT.route(message(content='{"city": "Rome"}', stop="length")).kind == "output"
    nothing = OUTPUT.route(message(content="", stop="length"))
    assert (nothing.truncated, nothing.flags) == (True, ("empty",))


def test_a_rejection_that_repeats_the_attempt() -> None:
    def refused(attempt: str, code: str = "tool_use_failed") -> dict[str, Any]:
        return {"error": {"message": "no", "code": code, "failed_generation": attempt}}

    done = TOOLS.route(refused('<tool_call>{"name": "find", "arguments": {"q": "x"}}</tool_call>'))
    assert called(done) == [("find", {"q": "x"})]
    assert {"from-rejection", "from-content"} <= set(done.flags)
    assert done.evidence[-1].code == "WS644"
    output = OUTPUT.route(refused('{"city": "Rome"}', "json_validate_failed"))
    assert (output.kind, output.value) == ("output", {"city": "Rome"})
    assert output.flags == ("from-rejection",)
    bad = OUTPUT.route(refused('{"town": "Rome"}', "json_validate_failed"))
    assert (bad.kind, bad.attempted) == ("failed", {"town": "Rome"})
    lost = TOOLS.route(refused("Sorry."))
    assert (lost.kind, lost.evidence[0].code) == ("failed", "WS646")
    assert lost.text == "Sorry."

    class Refused(Exception):  # noqa: N818 - named like those of clients
        body = refused('{"name": "find", "arguments": {"q": "x"}}')

    assert called(TOOLS.route(Refused())) == [("find", {"q": "x"})]


def test_a_call_that_the_provider_could_not_read() -> None:
    def malformed(finish: str) -> dict[str, Any]:
        return {"candidates": [{"finishReason": "MALFORMED_FUNCTION_CALL", "finishMessage": finish}]}  # fmt: skip

    plan = ws.plan("gemini-json-schema", [MUL])
    text = "Malformed function call: print(default_api.mul(a=157.3, b=-1))"
    assert called(plan.route(malformed(text))) == [("mul", {"a": 157.3, "b": -1})]
    for bad in ("print(157.3 * 1.04)", "default_api.mul(a=open('x'), b=1)", "mul(1, 2)"):
        done = plan.route(malformed(bad))
        assert (done.kind, done.evidence[0].code) == ("failed", "WS646")
        assert bad not in str(done.retry_text)
    silent = plan.route({"candidates": [{"finishReason": "MALFORMED_FUNCTION_CALL"}]})
    assert (silent.evidence[0].code, silent.flags) == ("WS646", ("malformed",))
    said = ws.plan("gemini-json-schema", output=CITY).route({"candidates": [{"finishReason": "MALFORMED_RESPONSE", "content": {"parts": [{"text": "{"}]}}]})  # fmt: skip
    assert (said.kind, "malformed" in said.flags) == ("failed", True)


def test_an_empty_refusal_is_none() -> None:
    done = OUTPUT.route(message(content='{"city": "Rome"}', refusal="", reasoning_content=""))
    assert done.value == {"city": "Rome"}


def test_an_answer_that_lies_in_the_reasoning_only() -> None:
    done = OUTPUT.route(message(content=None, reasoning_content='{"city": "Rome"}'))
    assert (done.value, done.flags) == ({"city": "Rome"}, ("from-reasoning",))
    decoy = OUTPUT.route(message(content=None, reasoning_content='maybe {"city": "Rome"}?'))
    assert (decoy.kind, decoy.flags) == ("failed", ("empty",))
    first = OUTPUT.route(message(content='{"city": "B"}', reasoning_content='{"city": "A"}'))
    assert first.value == {"city": "B"}


def test_an_output_that_rides_in_a_tool() -> None:
    plan = ws.plan("openai-strict", [FIND], ws.Output(CITY, carrier="tool"))
    good = ("output", '{"city": "Rome"}')
    assert plan.route(native(good)).value == {"city": "Rome"}
    assert plan.route(native(good, good)).value == {"city": "Rome"}
    two = plan.route(native(good, ("output", '{"city": "Oslo"}')))
    assert (two.kind, two.flags) == ("failed", ("ambiguous",))
    one = plan.route(native(good, ("output", '{"town": "Oslo"}')))
    assert (one.kind, one.flags) == ("failed", ("ambiguous",))
    beside = plan.route(native(good, ("find", '{"q": "x"}')))
    assert called(beside) == [("find", {"q": "x"})]
    assert [e.code for e in beside.evidence] == ["WS645"]
    assert plan.route(native(("final", '{"city": "Rome"}'))).kind == "failed"
    assert plan.route('{"city": "Rome"}').value == {"city": "Rome"}
    text = '<tool_call>{"name": "output", "arguments": {"city": "Rome"}}</tool_call>'
    assert plan.route(text).value == {"city": "Rome"}
    alone = ws.plan("openai-strict", output=ws.Output(CITY, carrier="tool"))
    assert alone.route(native(("final", '{"city": "Rome"}'))).value == {"city": "Rome"}
    assert OUTPUT.route(native(("json", '{"city": "Rome"}'))).value == {"city": "Rome"}
    assert OUTPUT.route(native(("json", '{"town": "Rome"}'))).attempted == {"town": "Rome"}


def test_a_response_is_read_by_the_api_that_fits() -> None:
    plan = ws.plan("openai-strict", output=CITY)
    part = {"type": "output_text", "text": '{"city": "Rome"}'}
    body = {"output": [{"type": "message", "content": [part]}], "status": "completed"}
    assert plan.route(body).value == {"city": "Rome"}
    assert plan.route(body, "chat").flags == ("empty",)
    anthropic = {"role": "assistant", "content": [{"type": "text", "text": '{"city": "Rome"}'}]}
    assert plan.route(anthropic).value == {"city": "Rome"}
    block = {"type": "tool_use", "id": "t", "name": "find", "input": {"q": "x"}}
    text = {"type": "text", "text": "So:"}
    assert called(TOOLS.route({"content": [text, block]})) == [("find", {"q": "x"})]
    lone = {"role": "assistant", "content": "So:", "tool_calls": native(("find", {"q": "x"}))["choices"][0]["message"]["tool_calls"]}  # fmt: skip
    assert called(TOOLS.route(lone)) == [("find", {"q": "x"})]
    assert called(TOOLS.route(lone["tool_calls"])) == [("find", {"q": "x"})]
    assert called(TOOLS.route(b'<tool_call>{"name": "now", "arguments": {}}')) == [("now", {})]


def test_items_of_custom_tools_are_calls_where_the_row_says_so() -> None:
    item = {"type": "custom_tool_call", "call_id": "c", "name": "find", "input": '{"q": "x"}'}
    said = {"type": "message", "content": [{"type": "output_text", "text": "So."}]}
    body = {"output": [item, said], "status": "completed"}
    row = ws.plan("openai-custom-grammar", [FIND])
    assert called(row.route(body, "responses")) == [("find", {"q": "x"})]
    for plan in (ws.plan("xai-strict", [FIND]), TOOLS):
        assert plan.route(body).value == "So."


@pytest.mark.parametrize(
    ("response", "flag", "code"),
    [
        ({"error": {"message": "overloaded"}}, "error", "WS644"),
        ({"type": "error", "error": {"message": "overloaded"}}, "error", "WS644"),
        (message(refusal="No."), "refusal", "WS640"),
        (message(content="{", stop="content_filter"), "blocked", "WS641"),
        (message(content=None), "empty", "WS642"),
        (message(content="  \n"), "empty", "WS642"),
        ({}, "empty", "WS642"),
        ([], "empty", "WS642"),
        (None, "empty", "WS642"),
        (7, "empty", "WS642"),
        (object(), "empty", "WS642"),
        ("", "empty", "WS642"),
    ],
)
def test_what_holds_no_answer_has_a_reason(response: Any, flag: str, code: str) -> None:
    for plan in (TOOLS, BOTH, OUTPUT):
        done = plan.route(response)
        assert (done.kind, done.flags, done.evidence[0].code) == ("failed", (flag,), code)


def test_what_to_tell_the_model_names_call_and_place() -> None:
    told = str(TOOLS.route(native(("find", {"q": 1}), ("find", {}))).retry_text).splitlines()
    assert [line.partition(": ")[0] for line in told[1:]] == ["- find", "- find"]
    assert [line.split(": ")[1] for line in told[1:]] == ["/q", "/"]


def test_what_to_tell_the_model_is_short_and_holds_no_values() -> None:
    secret = "sk-" + "x" * 50_000
    calls = [("find", {"q": 1, "password": secret}), (secret, {"q": secret}), ("find", secret)]
    done = TOOLS.route(native(*calls * 20))
    assert done.kind == "failed"
    assert len(done.calls) == 60
    text = str(done.retry_text)
    assert len(text) <= RETRY_LIMIT
    assert secret[:100] not in text
    assert "and 44 more" in text
    assert text.startswith("Some calls cannot be made")
    wide = ws.plan("lenient", [ws.Tool(f"tool_{i:0200}", CITY) for i in range(40)])
    told = wide.route(native(*[("other", {})] * 16))
    assert len(str(told.retry_text)) == RETRY_LIMIT


def test_a_stack_that_runs_out_is_a_failure(
    codes_while_the_stack_runs_out: Callable[..., set[str]],
) -> None:
    deep = "[" * 100 + "1," + "]" * 100
    body = message(
        content=f'<tool_call>{{"name": "now", "arguments": {{"x": {deep}}}}}</tool_call>'
    )
    assert called(TOOLS.route(body))[0][0] == "now"
    assert codes_while_the_stack_runs_out(lambda: TOOLS.route(body)) == {"WS634"}


def test_a_text_over_the_cap_is_not_searched_for_calls() -> None:
    text = "x" * strict.MAX_CHARS + '<tool_call>{"name": "now", "arguments": {}}</tool_call>'
    assert TOOLS.route(text).value == text
    assert BOTH.route(text).flags == ("too-long",)
