"""Plans: limits kept by an independent count, names that map back, one bad tool that harms no other, fragments per API."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wireshape as ws
from wireshape.dialect_apis import apis_of

ROWS = [name for name in ws.dialects() if apis_of(ws.dialect(name))]
CITY = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
    "required": ["city"],
    "additionalProperties": False,
}


def flat(optional: int, nullable: int = 0, required: int = 0) -> dict:
    """An object with so many fields of each kind."""
    fields = {f"o{i}": {"type": "string"} for i in range(optional)}
    fields |= {f"n{i}": {"type": ["string", "null"]} for i in range(nullable)}
    fields |= {f"r{i}": {"type": "string"} for i in range(required)}
    return {
        "type": "object",
        "properties": fields,
        "required": [k for k in fields if k[0] != "o"],
        "additionalProperties": False,
    }


def counted(schema: dict) -> tuple[int, int]:
    """Optional and union fields of an object of scalars or entries, by another count than the planner's."""
    optional = union = 0
    stack = [schema]
    while stack:
        here = stack.pop()
        for key, field in here.get("properties", {}).items():
            optional += key not in here.get("required", [])
            union += "anyOf" in field
            stack.append(field)
        stack += here.get("anyOf", [])
        if isinstance(here.get("items"), dict):
            stack.append(here["items"])
    return optional, union


@given(
    st.lists(
        st.tuples(
            st.integers(0, 6), st.integers(0, 4), st.sampled_from(["prefer", "never", 3, 0.5])
        ),
        max_size=14,
    )
)
def test_what_is_strict_keeps_the_limits_of_the_request(shapes):
    tools = [ws.Tool(f"t{i}", flat(o, n), strict=s) for i, (o, n, s) in enumerate(shapes)]
    plan = ws.plan("anthropic-strict", tools)
    counts = [counted(t.compiled.schema) for t in plan.tools if t.strict]
    assert sum(o for o, _ in counts) <= 24
    assert sum(u for _, u in counts) <= 16
    assert len(counts) <= 20
    for tool, (_, _, strict) in zip(plan.tools, shapes, strict=True):
        assert not (tool.strict and strict == "never")
        assert tool.strict or tool.reasons
        assert not ws.check(tool.compiled.schema, tool.compiled.dialect)


def test_the_first_of_equals_is_strict_and_the_rest_are_told_why():
    plan = ws.plan("anthropic-strict", [ws.Tool(f"t{i}", flat(0)) for i in range(22)])
    assert [t.strict for t in plan.tools] == [True] * 20 + [False] * 2
    assert plan.tools[20].reasons == (
        "not strict: the request needs 22 of 20 strict_tools; largest: t0 (1), t1 (1), t2 (1); "
        "it would be if 't19' were not",
    )


def test_an_item_is_spelled_more_cheaply_before_it_gives_up_strictness():
    plan = ws.plan("anthropic-strict", [ws.Tool(f"t{i}", flat(4)) for i in range(8)])
    assert all(tool.strict for tool in plan.tools)
    assert [
        sum(c) for c in zip(*[counted(t.compiled.schema) for t in plan.tools], strict=True)
    ] == [
        24,
        8,
    ]
    traded = plan.tools[-1].compiled
    assert traded.decode(traded.encode({"o1": "x"})) == {"o1": "x"}


def test_priority_beats_order_and_required_beats_priority():
    tools = [ws.Tool(f"t{i}", flat(0)) for i in range(20)]
    tools += [ws.Tool("high", flat(0), strict=5), ws.Tool("must", flat(0), strict="require")]
    strict = {t.name for t in ws.plan("anthropic-strict", tools).tools if t.strict}
    assert {"high", "must"} <= strict
    assert len(strict) == 20


def test_what_is_required_and_does_not_fit_is_an_error():
    tools = [ws.Tool(f"t{i}", flat(0), strict="require") for i in range(21)]
    with pytest.raises(ws.BudgetError, match="'t20' cannot be strict"):
        ws.plan("anthropic-strict", tools)


def test_one_bad_tool_harms_no_other():
    tools = [
        ws.Tool("good", CITY),
        ws.Tool("bad", {"type": "object", "properties": []}),
        ws.Tool("any", True),
        ws.Tool("list", {"type": "array"}),
        ws.Tool("inner", {"type": "object", "properties": {"x": True}, "required": ["x"]}),
    ]
    plan = ws.plan("openai-strict", tools)
    assert [t.name for t in plan.tools] == ["good", "inner"]
    assert [(f.index, f.name, f.error.code, f.error.pointer) for f in plan.failed] == [
        (1, "bad", "WS110", "/properties"),
        (2, "any", "WS118", ""),
        (3, "list", "WS118", ""),
    ]
    with pytest.raises(ws.SchemaError):
        ws.plan("openai-strict", tools, on_error="raise")


def test_a_tool_whose_schema_contradicts_itself_is_told_so():
    kinds = {"type": "array", "items": {"type": "string"}, "enum": ["a", "b"]}
    schema = {"type": "object", "properties": {"kinds": kinds}, "required": ["kinds"]}
    (failed,) = ws.plan("xai-strict", [ws.Tool("t", schema), ws.Tool("good", CITY)]).failed
    assert failed.error.code == "WS117"
    assert "kinds" in str(failed.error)


def test_more_tools_than_a_request_takes():
    plan = ws.plan("openai-strict", [ws.Tool(f"t{i}") for i in range(130)])
    assert len(plan.tools) == 128
    assert [f.error.code for f in plan.failed] == ["WS303", "WS303"]


@pytest.mark.parametrize("name", ROWS)
def test_every_api_of_every_row_has_a_fragment(name):
    row = ws.dialect(name)
    for api in apis_of(row):
        tools = [ws.Tool("find files", CITY, "Finds"), ws.Tool("now")] if api.tool else []
        plan = ws.plan(row, tools, ws.Output(CITY, carrier="output") if api.output else None)
        body = json.loads(json.dumps(plan.request(api.name)))
        text = json.dumps(body)
        assert "$name" not in text
        assert "$schema" not in text
        assert "$description" not in text
        for tool in plan.tools:
            assert json.dumps(tool.name) in text
            assert row.names.tool is None or re.fullmatch(row.names.tool, tool.name)


def test_a_tool_without_arguments():
    for name, spelled in [
        ("openai-strict", {"type": "object", "properties": {}, "required": [], "additionalProperties": False}),
        ("deepseek-non-strict", {"type": "object", "additionalProperties": False}),
    ]:  # fmt: skip
        (tool,) = ws.plan(name, [ws.Tool("now")]).request()["tools"]
        assert tool["function"]["parameters"] == spelled
    (tools,) = ws.plan("gemini-openapi", [ws.Tool("now")]).request()["tools"]
    assert tools["functionDeclarations"] == [{"name": "now"}]


def test_an_output_that_cannot_ride_beside_tools():
    alone = ws.plan("groq-strict", output=CITY)
    assert alone.output is not None
    assert alone.prompt is None
    assert (alone.output.carrier, alone.output.strict) == ("output", True)
    beside = ws.plan("groq-strict", [ws.Tool("now")], CITY)
    assert beside.output is not None
    assert beside.output.carrier == "prompt"
    assert "response_format" not in beside.request()
    assert json.dumps(CITY["properties"], separators=(",", ":")) in (beside.prompt or "")


def test_an_output_that_rides_in_a_tool_is_demanded():
    plan = ws.plan("openai-strict", output=ws.Output(CITY, name="answer", carrier="tool"))
    body = plan.request("responses")
    assert body["tool_choice"] == {"type": "function", "name": "answer"}
    assert "text" not in body
    assert "tool_choice" not in ws.plan("openai-strict", [ws.Tool("now")], CITY).request()


def test_flags_that_are_sent_with_strict_tools():
    body = ws.plan("azure-openai-strict", [ws.Tool("t", CITY)]).request()
    assert body["parallel_tool_calls"] is False
    body = ws.plan("azure-openai-strict", [ws.Tool("t", CITY, strict="never")]).request()
    assert "parallel_tool_calls" not in body
    assert body["tools"][0]["function"]["strict"] is False


def test_a_wrong_api_is_a_typed_error():
    plan = ws.plan("anthropic-strict", [ws.Tool("t", CITY)])
    with pytest.raises(ws.DialectError, match="its APIs are 'messages'"):
        plan.request("chat")
    with pytest.raises(ws.SchemaError, match="'require', 'prefer', 'never' or a number"):
        ws.plan("openai-strict", [ws.Tool("t", CITY, strict="maybe")], on_error="raise")  # type: ignore[arg-type]


def test_an_api_that_carries_no_output():
    with pytest.raises(ws.DialectError, match="'output'; of the same provider, ollama can"):
        ws.plan("ollama-tools", output=ws.Output(CITY, carrier="output"))
    plan = ws.plan("ollama", [ws.Tool("t", CITY)])
    with pytest.raises(ws.DialectError, match="carries no tool; of its APIs 'native' can"):
        plan.request("chat")
    assert plan.request() == plan.request("native")


NODE = {
    "type": "object",
    "properties": {
        "v": {"type": "number"},
        "kids": {"type": "array", "items": {"$ref": "#/$defs/N"}},
    },
    "required": ["v"],
}
TREE = {
    "type": "object",
    "properties": {"node": {"$ref": "#/$defs/N"}},
    "required": ["node"],
    "$defs": {"N": NODE},
}


@pytest.mark.parametrize("strict", ["require", "prefer", "never"])
@pytest.mark.parametrize("schema", [CITY, TREE, None])
@pytest.mark.parametrize("name", ROWS)
def test_what_can_be_planned_can_be_sent(name, schema, strict):
    tool = ws.Tool("t", schema, strict=strict)
    form = None if schema is None else ws.Output(schema, strict=strict)
    for tools, output in [([tool], None), ([], form), ([tool], form)]:
        try:
            plan = ws.plan(name, tools, output)
        except (ws.DialectError, ws.BudgetError, ws.InexpressibleError):
            continue
        body = plan.request()
        for item in plan.items:
            spelled = item.compiled.text or item.compiled.schema
            if item.has_schema and item.carrier != "prompt":
                assert holds(body, spelled)


def holds(body: object, spelled: object) -> bool:
    """A schema stands somewhere in a body, as it is or as text."""
    if body in (spelled, json.dumps(spelled, ensure_ascii=False, separators=(",", ":"))):
        return True
    parts = list(body.values()) if isinstance(body, dict) else body
    return isinstance(parts, list) and any(holds(part, spelled) for part in parts)


def test_rows_without_a_place_for_tools_say_so_at_once():
    refused = set()
    for name in ROWS:
        try:
            ws.plan(name, [ws.Tool("t", CITY)])
        except ws.DialectError as error:
            assert error.code == "WS501"
            refused.add(name)
    assert refused >= {"apple-fm", "llamacpp-gbnf", "lmstudio", "trtllm"}
    assert not refused & {"ollama", "cloudflare", "cohere-json", "gemini-interactions"}


@pytest.mark.parametrize("name", ROWS)
def test_a_row_carries_only_what_one_of_its_apis_has_a_place_for(name):
    row, apis = ws.dialect(name), apis_of(ws.dialect(name))
    assert "tool" not in row.carriers or any(api.tool for api in apis)
    assert not {"output", "grammar"} & {*row.carriers} or any(api.output for api in apis)


def test_tools_that_are_always_strict_stay_so():
    plan = ws.plan("xai-strict", [ws.Tool("t", TREE), ws.Tool("u", TREE, strict="never")])
    assert {tool.compiled.dialect.id for tool in plan.tools} == {"xai-strict"}
    assert plan.tools[0].strict


def test_the_report_points_at_the_item():
    plan = ws.plan("openai-strict", [ws.Tool("t", CITY)], CITY)
    assert [note.pointer for note in plan.report.notes] == [
        "/tools/0/properties/days",
        "/output/properties/days",
    ]


def test_tools_are_read_from_the_result_of_a_server():
    result = {"tools": [{"name": "a b", "inputSchema": CITY, "outputSchema": CITY}]}
    assert [t.name for t in ws.plan("xai-strict", ws.tools_from(result)).tools] == ["a_b"]


BODIES = {
    "chat": lambda calls: {
        "choices": [
            {
                "message": {
                    "content": None,
                    "tool_calls": [
                        {"id": "c1", "type": "function", "function": {"name": n, "arguments": json.dumps(a)}}
                        for n, a in calls
                    ],
                },
                "finish_reason": "tool_calls",
            }
        ]
    },
    "messages": lambda calls: {
        "content": [{"type": "tool_use", "id": "c1", "name": n, "input": a} for n, a in calls],
        "stop_reason": "tool_use",
    },
    "generate": lambda calls: {
        "candidates": [
            {
                "content": {"parts": [{"functionCall": {"id": "c1", "name": n, "args": a}} for n, a in calls]},
                "finishReason": "STOP",
            }
        ]
    },
}  # fmt: skip
MAJORS = [
    ("openai-strict", "chat"),
    ("anthropic-strict", "messages"),
    ("gemini-json-schema", "generate"),
    ("xai-strict", "chat"),
]
TAGS = {
    "type": "object",
    "properties": {"tags": {"type": "object", "additionalProperties": {"type": "integer"}}},
    "additionalProperties": False,
}


@pytest.mark.parametrize(("dialect", "api"), MAJORS)
def test_calls_come_back_under_their_own_names(dialect, api):
    plan = ws.plan(dialect, [ws.Tool("where is it", CITY), ws.Tool("tag", TAGS), ws.Tool("now")])
    wanted = [("where is it", {"city": "Rome"}), ("tag", {"tags": {"a": 1}}), ("now", {})]
    planned = {tool.source: tool for tool in plan.tools}
    sent = [(planned[n].name, planned[n].compiled.encode(a)) for n, a in wanted]
    done = plan.route(BODIES[api](sent), api)
    assert done.kind == "tool_calls"
    assert [(call.name, call.arguments) for call in done.calls] == wanted
    assert not any(call.problems for call in done.calls)


def test_a_call_that_cannot_be_made_is_told():
    plan = ws.plan("anthropic-strict", [ws.Tool("city", CITY)])
    calls = [("city", {"city": "Rome"}), ("city", {"days": "many"}), ("county", {"city": "X"})]
    done = plan.route(BODIES["messages"](calls))
    good, bad, unknown = done.calls
    assert done.kind == "tool_calls"
    assert good.arguments == {"city": "Rome"}
    assert bad.arguments is None
    assert bad.problems
    assert [problem.code for problem in unknown.problems] == ["WS643"]
    assert done.retry_text is not None
    assert "many" not in done.retry_text
    assert plan.route(BODIES["messages"](calls[1:])).kind == "failed"


def test_an_output_is_read_where_the_api_has_it():
    plan = ws.plan("openai-strict", output=CITY)
    done = plan.route({"choices": [{"message": {"content": '{"city":"Rome","days":null}'}}]})
    assert (done.kind, done.value) == ("output", {"city": "Rome"})
    parts = [
        {"type": "output_text", "text": '{"city":'},
        {"type": "output_text", "text": '"Rome","days":2}'},
    ]
    body = {"output": [{"type": "message", "content": parts}]}
    assert plan.route(body, "responses").value == {"city": "Rome", "days": 2}
    demanded = ws.plan("openai-strict", output=ws.Output(CITY, carrier="tool"))
    assert demanded.route(BODIES["chat"]([("output", {"city": "Rome", "days": 1})])).value == {
        "city": "Rome",
        "days": 1,
    }


def test_hosts_with_an_envelope_of_their_own():
    plan = ws.plan("ollama", output=CITY)
    body = {"message": {"content": '{"city": "Rome"}'}, "done_reason": "stop"}
    assert plan.route(body, "native").value == {"city": "Rome"}
    plan = ws.plan("llamacpp", output=CITY)
    assert plan.route({"content": '{"city": "Rome"}'}, "native").value == {"city": "Rome"}
    assert plan.route({"content": '{"city"', "stop_type": "limit"}, "native").truncated


def test_a_cut_refused_blocked_or_empty_reply_fails():
    plan = ws.plan("openai-strict", output=CITY)

    def body(reason: str, **message: object) -> dict:
        return {"choices": [{"message": message, "finish_reason": reason}]}

    cut = plan.route(body("length", content='{"city":"Ro'))
    assert (cut.kind, cut.truncated) == ("failed", True)
    assert plan.route(body("stop", content=None, refusal="No.")).flags == ("refusal",)
    assert plan.route(body("content_filter", content="{")).flags == ("blocked",)
    assert plan.route(body("stop", content=None)).flags == ("empty",)
    assert plan.route({"error": 1}).kind == "failed"
    assert plan.route(None).kind == "failed"


def test_text_without_an_output_is_text():
    done = ws.plan("openai-strict", [ws.Tool("now")]).route(
        {"choices": [{"message": {"content": "Hi"}}]}
    )
    assert (done.kind, done.value) == ("output", "Hi")


def test_models_that_take_less_than_their_row():
    form = ws.Output(CITY, carrier="tool")
    for dialect in ("anthropic-strict", "bedrock-claude-strict", "anthropic-non-strict"):
        plan = ws.plan(dialect, output=form, model="claude-sonnet-4-5")
        refusing = ws.plan(dialect, output=form, model="us.anthropic.claude-opus-5-5")
        key = "toolConfig" if dialect.startswith("bedrock") else "tool_choice"
        asked, kept = plan.request(), refusing.request()
        if key == "toolConfig":
            asked, kept, key = asked[key], kept[key], "toolChoice"
        assert key in asked
        assert key not in kept
    beside = [ws.Tool("clock")]
    old, new = (
        ws.plan("gemini-json-schema", beside, CITY, model=model)
        for model in ("gemini-2.5-pro", "models/gemini-3-pro")
    )
    assert old.output is not None
    assert new.output is not None
    assert (old.output.carrier, new.output.carrier) == ("tool", "output")
    assert old.output.reasons == (
        "sent as a tool: gemini-json-schema takes no form of the output beside tools",
    )
    assert old.route(BODIES["generate"]([("output", {"city": "Rome"})])).value == {"city": "Rome"}


@pytest.mark.parametrize("dialect", ["cerebras-strict", "cohere-strict-tools"])
def test_where_all_tools_are_strict_or_none_is(dialect):
    tools = [ws.Tool("a", CITY), ws.Tool("b", CITY)]
    assert all(tool.strict for tool in ws.plan(dialect, tools).tools)
    plan = ws.plan(dialect, [*tools, ws.Tool("c", CITY, strict="never")])
    assert not any(tool.strict for tool in plan.tools)
    assert plan.tools[0].reasons == (
        "not strict: all tools of a request are strict or none is, and 'c' is not",
    )
    assert "strict_tools" not in plan.request()
    with pytest.raises(ws.BudgetError, match="all tools of a request are strict or none is"):
        ws.plan(dialect, [ws.Tool("a", CITY, strict="require"), ws.Tool("c", strict="never")])


def test_properties_that_a_request_shares():
    plan = ws.plan("cohere-strict-tools", [ws.Tool(f"t{i}", flat(0, 0, 60)) for i in range(4)])
    assert not any(tool.strict for tool in plan.tools)
    assert "the request needs 240 of 200 properties" in plan.tools[3].reasons[0]
    assert all(
        t.strict
        for t in ws.plan(
            "cohere-strict-tools", [ws.Tool(f"t{i}", flat(0, 0, 60)) for i in range(3)]
        ).tools
    )
