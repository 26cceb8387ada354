"""Requests that hurt people in the wild: limits, envelopes, names, strictness, what was said before. Each names its public threads."""

from __future__ import annotations

import json
import re

import pytest

import wireshape as ws
from wireshape.testing import wire_validator

CITY = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}


def strings(count: int, required: int, *, nullable: bool = False) -> dict:
    """An object with so many string fields, some of them required."""
    kind = {"type": ["string", "null"] if nullable else "string"}
    fields = {f"f{i}": kind for i in range(count)}
    return {"type": "object", "properties": fields, "required": list(fields)[:required]}


def test_too_many_optional_fields_of_one_tool():
    """genkit-ai/genkit 5230, vercel/ai 17268: 400 for 30 optional fields where 24 are allowed."""
    (tool,) = ws.plan("anthropic-strict", [ws.Tool("t1", strings(30, 0))]).tools
    wire = tool.compiled.schema
    assert tool.strict
    assert len(wire["properties"]) - len(wire["required"]) == 24
    assert len([note for note in tool.compiled.report.notes if note.code == "WS210"]) == 6
    assert sum("anyOf" in field for field in wire["properties"].values()) == 6


def test_too_many_unions_of_one_tool():
    """vercel/ai 17268: 400 for 20 nullable fields where 16 unions are allowed; required ones can only go non-strict."""
    plan = ws.plan("anthropic-strict", [ws.Tool("t1", strings(20, 20, nullable=True))])
    (tool,) = plan.tools
    assert not tool.strict
    assert "the number of unions is 20, limits.union_params = 16" in plan.reasons[0]
    assert "strict" not in plan.request()["tools"][0]


@pytest.mark.parametrize("parameters", [{"parameters": None}, {}])
def test_parameters_that_are_null_or_absent(parameters):
    """openclaw/openclaw 106464, Vizards/deepseek-v4-for-copilot 280: one such tool is a 400 for the whole list."""
    tools = ws.tools_from({"tools": [{"name": "poke", **parameters}, {"name": "last"}]})
    for dialect in ("deepseek-strict", "deepseek-non-strict"):
        sent = ws.plan(dialect, tools).request()["tools"]
        assert [tool["function"]["parameters"]["type"] for tool in sent] == ["object", "object"]


def test_a_host_without_json_schema_gets_json_mode_and_the_schema_in_the_prompt():
    """BerriAI/litellm 31466: 400, json_schema is unavailable."""
    for schema in (CITY, {}):
        plan = ws.plan("deepseek-non-strict", output=schema)
        assert plan.request() == {"response_format": {"type": "json_object"}}
        assert (
            plan.reasons[0]
            == "output: sent in the prompt: deepseek-non-strict takes no form of the output"
        )
        assert plan.prompt is not None
        assert "JSON" in plan.prompt


def test_one_of_two_schema_fields_and_its_own_keywords():
    """zavora-ai/adk-rust 548: JSON Schema under `parameters` is fatal; the dialect and the field are one decision."""
    schema = {
        "type": "object",
        "properties": {"n": {"type": "integer", "minimum": 1}},
        "required": ["n"],
        "additionalProperties": False,
    }
    for dialect, field in (
        ("gemini-json-schema", "parametersJsonSchema"),
        ("gemini-openapi", "parameters"),
    ):
        body = ws.plan(dialect, [ws.Tool("book", schema)]).request()
        (tool,) = body["tools"][0]["functionDeclarations"]
        assert {"parameters", "parametersJsonSchema"} & tool.keys() == {field}
        assert tool[field]["properties"]["n"]["minimum"] == 1


def test_a_pattern_that_makes_a_server_fail_open():
    """ggml-org/llama.cpp 19051: a grammar that does not parse is only logged, and the answer comes unconstrained.

    The pattern is respelled without the escape that the server cannot read, and every reply meets the gate.
    """
    schema = {
        "type": "object",
        "properties": {"g": {"type": "string", "pattern": "^hi\\!$"}},
        "required": ["g"],
    }
    plan = ws.plan("llamacpp", output=ws.Output(schema, strict="require"))
    assert plan.output is not None
    assert plan.output.compiled.schema["properties"]["g"]["pattern"] == "^hi!$"
    free = {"choices": [{"message": {"content": '{"g": "ho"}'}, "finish_reason": "stop"}]}
    assert plan.route(free, "chat").kind == "failed"


def test_a_host_that_accepts_a_schema_and_does_not_enforce_it():
    """pydantic/pydantic-ai 4917, 4160: hosted models answer 200 with any JSON. No plan can know; the gate refuses it."""
    plan = ws.plan(
        "ollama",
        output={"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]},
    )
    body = {"message": {"role": "assistant", "content": '{"b": 1}'}, "done": True}
    assert plan.route(body, "native").kind == "failed"


def test_long_names_that_differ_at_the_end():
    """anomalyco/opencode 43684, activepieces 11544, mcp-link 2: cut to 64 characters, `get` and `delete` were one tool."""
    names = ["srv_" + "x" * 66 + "_get", "srv_" + "x" * 66 + "_delete"]
    plans = [ws.plan("openai-strict", [ws.Tool(n, CITY) for n in names]) for _ in range(2)]
    wire = [tool.name for tool in plans[0].tools]
    assert wire == [tool.name for tool in plans[1].tools]
    assert len(set(wire)) == 2
    assert all(re.fullmatch("[A-Za-z0-9_-]{1,64}", name) for name in wire)
    asked = [
        {"id": "1", "type": "function", "function": {"name": n, "arguments": '{"a":"x"}'}}
        for n in wire
    ]
    body = {"choices": [{"message": {"tool_calls": asked}, "finish_reason": "tool_calls"}]}
    assert [call.name for call in plans[0].route(body).calls] == names


def test_strict_has_a_field_or_a_mode_or_is_refused():
    """future-agi/future-agi 2890: `strict: true` has no field in the target and disappeared."""
    tools = ws.tools_from([{"name": "t", "strict": True, "parameters": CITY}])
    assert ws.plan("anthropic-strict", tools).request()["tools"][0]["strict"] is True
    body = ws.plan("gemini-json-schema", tools).request()
    assert body["toolConfig"]["functionCallingConfig"]["mode"] == "VALIDATED"
    plan = ws.plan("gemini-non-strict", tools)
    assert plan.reasons == ("t: not strict: gemini-non-strict is not strict",)
    with pytest.raises(ws.BudgetError):
        ws.plan("gemini-non-strict", [ws.Tool("t", CITY, strict="require")])


@pytest.mark.parametrize(
    ("bad", "code", "pointer"),
    [({"type": "object", "properties": []}, "WS110", "/properties"), (True, "WS118", "")],
)
def test_one_bad_tool_does_not_fail_the_list(bad, code, pointer):
    """marianfoo/mcp-sap-docs 51, anthropics/claude-code 44788, HolmesGPT 2450: the provider only says `tools.N`."""
    inner = {"type": "object", "properties": {"x": True}, "required": ["x"]}
    tools = [ws.Tool("good", CITY), ws.Tool("bad", bad), ws.Tool("inner", inner)]
    plan = ws.plan("openai-strict", tools)
    assert [tool.name for tool in plan.tools] == ["good", "inner"]
    assert [(f.index, f.name, f.error.code, f.error.pointer) for f in plan.failed] == [
        (1, "bad", code, pointer)
    ]
    with pytest.raises(ws.SchemaError):
        ws.plan("openai-strict", tools, on_error="raise")


def test_tools_and_a_json_reply_that_exclude_each_other():
    """googleapis/python-genai 867, symfony/ai 803, openai-agents-python 656: the output goes out through a tool of its own."""
    clock = ws.Tool("clock", {"type": "object", "properties": {}})
    form = {"type": "object", "properties": {"t": {"type": "string"}}, "required": ["t"]}
    plan = ws.plan("gemini-json-schema", [clock], form, model="gemini-2.5-flash")
    body = plan.request()
    declared = [tool["name"] for tool in body["tools"][0]["functionDeclarations"]]
    assert declared == ["clock", "output"]
    assert "generationConfig" not in body
    assert plan.reasons == (
        "output: sent as a tool: gemini-json-schema takes no form of the output beside tools",
    )


def test_a_form_of_the_output_has_a_name_and_keeps_its_schema():
    """Cerebras/cerebras-cloud-sdk-python 4: a 400 about something else. elizaOS/eliza 30866: the schema was thrown away."""
    form = {
        "type": "object",
        "properties": {"n": {"type": "string"}, "o": {"type": "integer"}},
        "required": ["n"],
    }
    sent = ws.plan("cerebras-strict", output=form).request()["response_format"]
    assert sent["type"] == "json_schema"
    assert re.fullmatch("[A-Za-z0-9_-]{1,64}", sent["json_schema"]["name"])
    assert list(sent["json_schema"]["schema"]["properties"]) == ["n", "o"]
    assert sent["json_schema"]["strict"] is True


def test_arguments_that_are_sent_again():
    """openclaw 50749, 97834, Xoshbin/asyar 513: the native API wants an object, the compatible one text."""
    tool = ws.Tool(
        "w", {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
    )
    said = [ws.Turn([ws.Call("w", {"a": 1})])]
    (native,) = ws.plan("ollama-tools", [tool]).history(said, "native")
    (chat,) = ws.plan("openai-strict", [tool]).history(said, "chat")
    assert native["tool_calls"][0]["function"]["arguments"] == {"a": 1}
    assert chat["tool_calls"][0]["function"]["arguments"] == '{"a":1}'


def test_ids_of_nine_characters():
    """vllm-project/vllm 5649: the chat template takes no other ids; call and result agree."""
    plan = ws.plan("mistral-strict", [ws.Tool("w")])
    call = ws.Call("w", {}, "call_0123456789abcdef")
    asked, answered = plan.history([ws.Turn([call], ["done"])])
    id_ = asked["tool_calls"][0]["id"]
    assert re.fullmatch("[A-Za-z0-9]{9}", id_)
    assert answered["tool_call_id"] == id_


def test_a_reply_that_never_ends():
    """vllm 8350, 38696, omlx 2990: white space or an open string up to the last token.

    A length that the source does not have is none of ours to add; a reply that was cut is told as such, and nothing in
    it is closed.
    """
    form = {
        "type": "object",
        "properties": {"age": {"type": "integer"}, "bio": {"type": "string"}},
        "required": ["age", "bio"],
    }
    plan = ws.plan("vllm", output=form)
    assert plan.output is not None
    assert "maxLength" not in json.dumps(plan.output.compiled.schema)
    message = {"content": '{"age": 3, "bio": "a   ' + " " * 500}
    done = plan.route({"choices": [{"message": message, "finish_reason": "length"}]}, "chat")
    assert (done.kind, done.truncated, done.value) == ("failed", True, None)


def test_many_tools_are_as_small_as_they_can_be_said():
    """anomalyco/opencode 17405: "grammar is too complex" for 120 tools. No limit is documented but the number of tools.

    Nothing is added to what the tools say: no union, no definition, and each is accepted alone.
    """
    each = {
        "type": "object",
        "properties": {
            "p": {"type": "string"},
            "q": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["p"],
    }
    plan = ws.plan("xai-strict", [ws.Tool(f"t{i}", each) for i in range(120)])
    assert len(plan.tools) == 120
    wire = plan.tools[0].compiled
    assert not ws.check(wire.schema, "xai-strict")
    assert wire_validator(wire).is_valid({"p": "x"})
    assert len(json.dumps(wire.schema)) < 1.4 * len(json.dumps(each))
    assert len(ws.plan("xai-strict", [ws.Tool(f"t{i}", each) for i in range(130)]).failed) == 2
