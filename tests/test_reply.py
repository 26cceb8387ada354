"""Replies as models send them: what is read, what is repaired and how it is told, and what is refused."""

from __future__ import annotations

import dataclasses
import json
import pickle
from collections.abc import Callable, Iterator
from enum import IntEnum
from typing import Any

import pytest
from pydantic import BaseModel, field_validator

import wireshape as ws
from wireshape.reply import strict
from wireshape.reply.outcome import RETRY_LIMIT
from wireshape.testing import same_json

PERSON: Any = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
    "required": ["name", "age"],
    "additionalProperties": False,
}
ANN: Any = {"name": "Ann", "age": 3}
TEXT: Any = {
    "type": "object",
    "properties": {"text": {"type": "string"}},
    "required": ["text"],
    "additionalProperties": False,
}
TAGS: Any = {
    "type": "object",
    "properties": {"tags": {"type": "array", "items": {"type": "string"}}},
    "required": ["tags"],
}
ROWS: Any = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {"id": {"type": "integer"}, "v": {"type": "string"}},
        "required": ["id", "v"],
    },
}
COLOUR: Any = {"type": "string", "enum": ["red", "blue", "3"]}
ANY: Any = True


def parse(schema: Any, reply: Any, finish: str | None = None, **options: Any) -> ws.Outcome:
    return ws.compile(schema, "lenient", **options).parse(reply, finish)


# schema, reply, value, rung, kinds of edits
READ: list[tuple[Any, str, Any, str, str]] = [
    (PERSON, '{"name":"Ann","age":3}', ANN, "strict", ""),
    (PERSON, '{"name":"Ann","age":3.0}', ANN, "strict", ""),
    (TEXT, '{"text":"a &lt;b&gt; ```x```"}', {"text": "a &lt;b&gt; ```x```"}, "strict", ""),
    ({"type": "integer"}, "12345678901234567890", 12345678901234567890, "strict", ""),
    # what surrounds it
    (PERSON, '```json\n{"name":"Ann","age":3}\n```', ANN, "stripped", "fence"),
    (PERSON, '~~~\n{"name":"Ann","age":3}\n~~~', ANN, "stripped", "fence"),
    (PERSON, 'json\n{"name":"Ann","age":3}', ANN, "stripped", "fence"),
    (PERSON, '\ufeff\u200b{"name":"Ann","age":3}\u200d', ANN, "stripped", ""),
    (PERSON, '<think>{"name":"Bob","age":1}?</think>{"name":"Ann","age":3}', ANN, "stripped", "reasoning"),
    (PERSON, 'Bob?</think>\n{"name":"Ann","age":3}', ANN, "stripped", "reasoning"),
    (PERSON, '<think>a</think><think>b</think>{"name":"Ann","age":3}', ANN, "stripped", "reasoning"),
    (PERSON, '```json\n{"name":"Ann","age":3}', ANN, "span", "dropped-text"),
    (PERSON, 'Here {as asked}: {"name":"Ann","age":3}.', ANN, "span", "dropped-text"),
    (PERSON, '{"name":"Ann","age":3} -- hope {this} helps', ANN, "span", "dropped-text"),
    (PERSON, '{"name":"Ann","age":3}<|im_end|>', ANN, "stripped", "wrapper"),
    (PERSON, '{"name":"Ann","age":3}}', ANN, "span", "dropped-text extra-closer"),
    (PERSON, '{"name":"Ann","age":3}{"name":"Ann","age":3}', ANN, "span", "dropped-text"),
    (PERSON, 'Draft:\n```json\n{"name":"Bob","age":1}\n```\nFinal answer:\n```json\n{"name":"Ann","age":3}\n```', ANN, "span", "dropped-text"),
    (ROWS, '{"id":1,"v":"a"}\n{"id":2,"v":"b"}', [{"id": 1, "v": "a"}, {"id": 2, "v": "b"}], "joined", "joined-lines"),
    (COLOUR, "red", "red", "bare", "bare-text"),
    (COLOUR, "<think>blue?</think>red", "red", "bare", "bare-text reasoning"),
    (TEXT, '{"text":"x"} say "hi" ok', {"text": "x"}, "span", "dropped-text"),
    (TEXT, '{"text":"go"}\n{"text":"go"}', {"text": "go"}, "span", "dropped-text"),
    # syntax
    (PERSON, '{"name":"Ann","age":3,}', ANN, "repaired", "trailing-comma"),
    (TAGS, '{"tags":["a",],}', {"tags": ["a"]}, "repaired", "trailing-comma"),
    (PERSON, "{'name': 'Ann', 'age': 3}", ANN, "repaired", "quotes"),
    (TEXT, "{'text': 'it's fine'}", {"text": "it's fine"}, "repaired", "quotes unescaped-quote"),
    (TEXT, r"{'text': 'it\'s'}", {"text": "it's"}, "repaired", "escape quotes"),
    (PERSON, '{name: "Ann", age: 3}', ANN, "repaired", "unquoted-key"),
    (PERSON, "{name: Ann, age: 3}", ANN, "repaired", "unquoted-key unquoted-value"),
    (PERSON, '{\n"name": Ann\n,"age": 3}', ANN, "repaired", "unquoted-value"),
    (PERSON, '{"name": Ann", "age": 3}', ANN, "repaired", "missing-quote"),
    (PERSON, '{"name":Ann", "age": 3}', ANN, "repaired", "missing-quote"),
    (PERSON, '{"name": "Ann, "age": 3}', ANN, "repaired", "missing-quote"),
    (PERSON, '{"name":"Ann" "age":3}', ANN, "repaired", "missing-comma"),
    (PERSON, '{"name":"A "n" n" "age":3}', {"name": 'A "n" n', "age": 3}, "repaired", "missing-comma unescaped-quote"),
    ({"type": "array", "items": {**PERSON, "properties": {"name": PERSON, "age": TEXT}}}, '[{"name": {"name":"Ann" "age":3}, "age": {"text": "x"}}]', [{"name": ANN, "age": {"text": "x"}}], "repaired", "missing-comma"),
    ({**TEXT, "required": ["text", "b"], "properties": {"text": TEXT, "b": TEXT}}, '{"text": {"text": "a "b" c"}, "b": {"text": "x"}}', {"text": {"text": 'a "b" c'}, "b": {"text": "x"}}, "repaired", "unescaped-quote"),
    (TEXT, '{"text": "it "is" /* c */ so"}', {"text": 'it "is" /* c */ so'}, "repaired", "unescaped-quote"),
    ({"type": "object"}, '{\n"u": "http://x",\n"v": "a:b"}', {"u": "http://x", "v": "a:b"}, "strict", ""),
    ({"type": "object", "properties": {"n": {"type": "integer"}}, "patternProperties": {"^x": {}}}, '{"n": "1", "x": "2"}', {"n": 1, "x": "2"}, "strict", "coerced"),
    (PERSON, '{"age":3 "name":"Ann"}', ANN, "repaired", "missing-comma"),
    ({"type": "array"}, "[1 -2 null true]", [1, -2, None, True], "repaired", "missing-comma"),
    (PERSON, "{\u201cname\u201d: \u201cAnn\u201d, \u201cage\u201d: 3}", ANN, "repaired", "quotes"),
    (TEXT, '{"text": `hello`}', {"text": "hello"}, "repaired", "quotes"),
    (TEXT, '{"text": """a\n"b" c"""}', {"text": 'a\n"b" c'}, "repaired", "triple-quotes"),
    (TEXT, '{"text": "a\nb\tc"}', {"text": "a\nb\tc"}, "repaired", "control-character"),
    (TEXT, '{"text": "she said "hi" to me"}', {"text": 'she said "hi" to me'}, "repaired", "unescaped-quote"),
    ({"type": "array"}, '["she said "hi" to me"]', ['she said "hi" to me'], "repaired", "unescaped-quote"),
    (TEXT, r'{"text":"\d+\.\d+ \"x\""}', {"text": r'\d+\.\d+ "x"'}, "repaired", "escape"),
    (TEXT, r'{"text":"App\Http"}', {"text": r"App\Http"}, "repaired", "escape"),
    (TEXT, r'{"text":"\underbrace{x}"}', {"text": r"\underbrace{x}"}, "repaired", "escape"),
    (TEXT, r'{"text":"caf\xe9"}', {"text": "caf\u00e9"}, "repaired", "escape"),
    (TEXT, r'{"text":"\ud83d\ude00 \u00e9 \n",}', {"text": "\U0001f600 \u00e9 \n"}, "repaired", "trailing-comma"),
    (PERSON, '{\n// the name\n"name": "Ann", /* years */ "age": 3 # now\n}', ANN, "repaired", "comment"),
    (TEXT, '{"text":"http://x.y//z /* n */ # m",}', {"text": "http://x.y//z /* n */ # m"}, "repaired", "trailing-comma"),
    (PERSON, '{"name":\u00a0"Ann", "age": 3}', ANN, "repaired", "comment"),
    ({"type": "object"}, "{'a': None, 'b': True, 'c': False, 'd': null}", {"a": None, "b": True, "c": False, "d": None}, "repaired", "python-literal quotes"),
    (TAGS, '{"tags": ("a", "b")}', {"tags": ["a", "b"]}, "repaired", "tuple"),
    (TAGS, '{"tags":["a","b"}', {"tags": ["a", "b"]}, "repaired", "missing-closer"),
    ({"type": "array"}, '[{"a":1]', [{"a": 1}], "repaired", "missing-closer"),
    ({"type": "array"}, "[.5, -.5, +2, 5., 1.e2, 1E2]", [0.5, -0.5, 2, 5.0, 100.0, 100.0], "repaired", "number"),
    (PERSON, '{&quot;name&quot;:&quot;Ann&quot;,&quot;age&quot;:3}', ANN, "repaired", "html-escaped"),
    (PERSON, r'{\"name\":\"Ann\",\"age\":3}', ANN, "repaired", "over-escaped"),
    (TEXT, r'{\"text\":\"l1\\nl2\"}', {"text": "l1\nl2"}, "repaired", "over-escaped"),
    (TEXT, r'{\"text\":\"l1\nl2\"}', {"text": "l1\nl2"}, "repaired", "over-escaped"),
    (TEXT, r'{\"text\":\"l1\", }', {"text": "l1"}, "repaired", "over-escaped"),
    # the value
    (PERSON, r'"{\"name\":\"Ann\",\"age\":3}"', ANN, "strict", "embedded-json"),
    (PERSON, '{"name":"Ann","age":"3"}', ANN, "strict", "coerced"),
    (PERSON, '{"name ":"Ann"," age":3}', ANN, "strict", "padded-key"),
    (PERSON, '{"type":"object","properties":{"name":"Ann","age":3}}', ANN, "strict", "unwrapped"),
    (PERSON, '{"result":{"name":"Ann","age":"3"}}', ANN, "strict", "coerced unwrapped"),
    (COLOUR, '{"value":"red"}', "red", "strict", "unwrapped"),
    (COLOUR, '" RED "', "red", "strict", "coerced"),
    ({"enum": [3, "x"]}, '"3"', 3, "strict", "coerced"),
    ({"type": "boolean"}, '"True"', True, "strict", "coerced"),
    ({"type": "number"}, '"1.5e1"', 15.0, "strict", "coerced"),
    ({"type": "null"}, '"null"', None, "strict", "coerced"),
    ({"type": "object", "additionalProperties": {"type": "integer"}}, '{"a":"1","b":2}', {"a": 1, "b": 2}, "strict", "coerced"),
    ({"type": "array", "prefixItems": [{"type": "integer"}], "items": {"type": "boolean"}}, '["1","true"]', [1, True], "strict", "coerced"),
    (PERSON, "Here: {'name':'Ann','age':'3'}", ANN, "repaired", "coerced dropped-text quotes"),
    # calls
    (PERSON, '<tool_call>{"name":"f","arguments":{"name":"Ann","age":"3"}}</tool_call>', ANN, "call", "call coerced"),
    (PERSON, '<tool_call>{"name":"f","arguments":{"name":"Ann","age":3,}}</tool_call>', ANN, "call", "call trailing-comma"),
    (PERSON, '<function=f><parameter=name>Ann</parameter><parameter=age>3</parameter></function>', ANN, "call", "call"),
]  # fmt: skip


@pytest.mark.parametrize(("schema", "reply", "value", "rung", "kinds"), READ)
def test_read(schema: Any, reply: str, value: Any, rung: str, kinds: str) -> None:
    outcome = parse(schema, reply)
    assert outcome.kind == "output", outcome.evidence
    assert same_json(outcome.value, value)
    assert outcome.rung == rung
    assert " ".join(sorted({e.kind for e in outcome.edits})) == kinds
    assert {e.kind for e in outcome.edits} <= set(outcome.flags)
    assert (outcome.text, outcome.truncated, outcome.retry_text) == (reply, False, None)
    for edit in outcome.edits:
        assert (edit.offset is None) is (edit.pointer is not None)
        if edit.offset is not None and edit.before and edit.kind != "call":
            shown = edit.before.removesuffix("...")
            assert shown in reply[edit.offset : edit.offset + len(reply)]


# schema, reply, code of the last evidence
REFUSED: list[tuple[Any, str, str]] = [
    (PERSON, "", "WS637"),
    (PERSON, " \n\t", "WS637"),
    (PERSON, "I'm sorry, but I can't help with that.", "WS637"),
    (TEXT, "I'm sorry, but I can't help with that.", "WS637"),
    ({"type": "string"}, "plain prose", "WS637"),
    (COLOUR, "not red", "WS637"),
    (PERSON, "null", "WS601"),
    ({"type": "number"}, "NaN", "WS637"),
    (ANY, '{"a": NaN}', "WS632"),
    (ANY, '{"a": -Infinity,}', "WS632"),
    (TEXT, '{"text":"{"a":"b"}"}', "WS636"),
    (ANY, '{"a": 1e400}', "WS632"),
    (ANY, '{"a": 1e400,}', "WS632"),
    (ANY, '{"a": {"b": 1e400},}', "WS632"),
    (ANY, '{"a":1,"a":2}', "WS631"),
    (ANY, '{"a":1,"a":2,}', "WS631"),
    (ANY, '{"c":{"a":1,"a":2},}', "WS631"),
    (ANY, r'{"a":"\ud83d"}', "WS633"),
    (ANY, r'{"a":"\ud83d",}', "WS633"),
    (ANY, r'{"a":"\ude00\ud83d",}', "WS633"),
    (ANY, r'so: ["\ud83d"]', "WS633"),
    (PERSON, '{"name":"Ann","age":3} {"name":"Bob","age":4}', "WS636"),
    (PERSON, 'First {"name":"Ann","age":3}. On reflection {"name":"Bob","age":4}', "WS636"),
    (ANY, '{"a":"x"} foo"}', "WS630"),
    (ANY, '{"a": "x" "b": "y"}', "WS636"),
    (ANY, '{"a": [{"a": "x "q" y"}, {"a": "z"}]}', "WS636"),
    (ANY, '{"k":"v","a": "x "q" y", "b": "z"}', "WS636"),
    (ANY, '["a" "b"]', "WS636"),
    (ANY, '["x "a", "b" y", "z"]', "WS636"),
    (ANY, '"a": {"b": 1}}', "WS630"),
    (ANY, '{"a": 1}, {"a": 2}', "WS630"),
    (ANY, '3, {"a": 2}', "WS630"),
    (ANY, '["x"]]', "WS630"),
    (ANY, '/* {"a": 1} */', "WS630"),
    (ANY, "'{\"a\": 1}'", "WS630"),
    (ANY, "&quot;[] x&quot;", "WS630"),
    (ANY, '{"a": 1', "WS635"),
    (ANY, '{"a": "b', "WS635"),
    (ANY, '{"a": "b\\', "WS635"),
    (ANY, '{"a": "b\\u00', "WS635"),
    (ANY, '{"a', "WS635"),
    (ANY, '{a: tru', "WS635"),
    (ANY, '{a', "WS637"),
    (ANY, '{"a": true', "WS635"),
    (ANY, '{"a": bare', "WS635"),
    (ANY, '{"a": bare ', "WS635"),
    (ANY, '{"a":', "WS635"),
    (ANY, '{"a"', "WS635"),
    (ANY, '{"a":1,', "WS635"),
    (ANY, '[1, 2', "WS635"),
    (ANY, '["a", ', "WS635"),
    (ANY, '[', "WS637"),
    (TAGS, '{"tags":["a","b",...]}', "WS630"),
    (ANY, '{"tags":["a",,"b"]}', "WS630"),
    (ANY, '{"a": 007}', "WS630"),
    (ANY, '{"a": 0x1F}', "WS630"),
    (ANY, '{"a": 1,234.5}', "WS630"),
    (ANY, '{"a": undefined}', "WS630"),
    (ANY, '{"a" "x", "b": 3}', "WS630"),
    (ANY, '{"a"="x"}', "WS630"),
    (ANY, '{"a": "x" + "y"}', "WS630"),
    (ANY, '{"a":  x", "b": 3}', "WS630"),
    (ANY, '{"a": x"}', "WS630"),
    (ANY, '{a: x:y}', "WS630"),
    (ANY, r'{"a": "\d\n"}', "WS630"),
    (ANY, r'{"a": "\x1b"}', "WS630"),
    (ANY, r'{"a": "\U0001f600"}', "WS630"),
    (ANY, '{"a": ``x``}', "WS636"),
    (ANY, '{"a": "b", // it"s\n}', "WS630"),
    (ANY, '{"a": 1 /* b }', "WS630"),
    (ANY, '{"a": 1, /* "b": 2 */ }', "WS630"),
    (ANY, '{"a": 1/2}', "WS630"),
    (ANY, '{"a": "x"# y"\n}', "WS630"),
    (ANY, '[{"a":{"x":1}]', "WS630"),
    (ANY, '{"a":1]', "WS630"),
    (ANY, '{"a": [red, green]}', "WS630"),
    (ANY, r'{\"a\": }', "WS630"),
    (ANY, r'{\"a\": 1,} x {\"b\": 2}', "WS630"),
    (PERSON, "{'name': \"x \"q\" y\", 'age': '3'}", "WS601"),
    ({"enum": ["red", "blue"], "not": {"const": "red"}}, "red", "WS637"),
    (ANY, '{"a": 1, b', "WS635"),
    (ANY, '["a"', "WS635"),
    (ANY, '{"a": 1 "b', "WS630"),
    (ANY, '{"a": "x" + y"}', "WS636"),
    (ANY, "{'a': 1, \"b\": " + "7" * (strict.MAX_DIGITS + 1) + "}", "WS634"),
    (ANY, '{"a": ?}', "WS630"),
    (ANY, '{"a": x:y, "b": 1}', "WS630"),
    (ANY, '[{"k": "v", "a": "x "q" y"}]', "WS636"),
    (ANY, '{"a": true"x"}', "WS630"),
    (ANY, '{"a": bare x', "WS635"),
    (ANY, '{"a": x // y\n}', "WS630"),
    (ANY, '{ {"a": 1} }', "WS630"),
    (PERSON, '{"name": "Ann "age": 3}', "WS635"),
    (ANY, r"{'a': '\ud83d\u0041'}", "WS633"),
    ({"type": "number"}, "1e400", "WS637"),
    ({"type": "string"}, '"\ud83d"', "WS630"),
    (ANY, '{"a": 1}, "b"', "WS630"),
    (ANY, "[" + ", ".join([f'{{"k{i}": "a "b" c"}}' for i in range(17)]) + "]", "WS630"),
    (ANY, "{'a': (1, 2], }", "WS630"),
    (ANY, "{-: 1}", "WS637"),
    (ANY, '{"a": 1, -: 2}', "WS630"),
    (ANY, '{"a": 1, b 2}', "WS630"),
    (PERSON, '{"name":"Ann","age":3.7}', "WS601"),
    (PERSON, '{"name":"Ann","age":"3.7"}', "WS601"),
    (PERSON, '{"name":"Ann","age":"1e1000000000"}', "WS601"),
    (PERSON, '{"name":"Ann"}', "WS601"),
    (PERSON, '{"name":"Ann","age":3,"note":"x"}', "WS601"),
    (PERSON, '{"person":{"name":"Ann","age":3}}', "WS601"),
    (PERSON, '{"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer"}},"required":["name","age"]}', "WS601"),
    (COLOUR, '"red one"', "WS601"),
    (COLOUR, '"not blue"', "WS601"),
    (PERSON, r'"{\"name\":\"Ann\",\"a"', "WS601"),
    ({"enum": ["a", "A"]}, '" a"', "WS601"),
    (ROWS, '{"id":1,"v":"a"}\n{"id":2}', "WS601"),
    (ROWS, '{"id":1,"v":"a"} and {"id":2,"v":"b"}', "WS601"),
    (PERSON, '<tool_call>{"name":"f","arguments":{"name":"Ann"}}</tool_call>', "WS601"),
    (PERSON, '<tool_call>{"name":"f","arguments":{"name":"Ann"', "WS635"),
    (PERSON, '<tool_call>{"nome":"f"}</tool_call>', "WS638"),
    (PERSON, '<tool_call>{"name":"f","arguments":{"name":"Ann","age":3}}{"name":"f","arguments":{"name":"Bob","age":3}}</tool_call>', "WS636"),
]  # fmt: skip


@pytest.mark.parametrize(("schema", "reply", "code"), REFUSED)
def test_refused(schema: Any, reply: str, code: str) -> None:
    outcome = parse(schema, reply)
    assert outcome.kind == "failed", outcome.value
    assert outcome.value is None
    assert outcome.evidence[-1].code == code, outcome.evidence
    assert outcome.truncated is (code == "WS635")
    assert outcome.text == reply
    assert outcome.retry_text
    assert len(outcome.retry_text) <= RETRY_LIMIT


# truncation


def test_reasoning_without_an_end_is_cut_off() -> None:
    outcome = parse(PERSON, '<think>{"name":"Ann","age":3}')
    assert (outcome.kind, outcome.truncated) == ("failed", True)
    assert parse(PERSON, "<think></think>" * 65 + '{"name":"Ann","age":3}').kind == "failed"


@pytest.mark.parametrize(
    ("reply", "partial"),
    [
        ('{"a":"Ann","b":"x@exa', {"a": "Ann"}),
        ('{"u":{"n":"Ann","r":["a","b', {"u": {"n": "Ann", "r": ["a"]}}),
        ('[{"i":1},{"i":2},{"i":3,"v', [{"i": 1}, {"i": 2}]),
        ('{"n":"Ann","age":3', {"n": "Ann"}),
        ('{"u":{"r":[]},"on":tr', {"u": {"r": []}}),
        ('{"n":"Ann","ag', {"n": "Ann"}),
        ('{"t":"abc\\', {}),
        ('{"t":"caf\\u00e', {}),
        ('{"t":["alpha","be', {"t": ["alpha"]}),
        ('```json\n{"t":"The quick', {}),
    ],
)
def test_truncated_text_is_never_closed(reply: str, partial: Any) -> None:
    for finish in (None, "length"):
        outcome = parse(ANY, reply, finish)
        assert (outcome.kind, outcome.truncated) == ("failed", True)
        assert outcome.partial == partial
        assert "cut off" in (outcome.retry_text or "")


@pytest.mark.parametrize("finish", ["length", "MAX_TOKENS", "max_output_tokens"])
def test_a_finish_reason_decides_before_any_repair(finish: str) -> None:
    assert parse(ANY, '{"a": 1}', finish).kind == "output"
    assert parse(ANY, '```json\n{"a": 1}\n```', finish).kind == "output"
    for reply in ("12", " 12 ", "```json\n12\n```", '{"a": 1,}', 'So: {"a": 1}', "prose"):
        outcome = parse(ANY, reply, finish)
        assert (outcome.kind, outcome.truncated) == ("failed", True), reply
    assert parse(ANY, "12", "stop").value == 12


class Finish(IntEnum):
    """As clients of protocol buffers say why a reply ended."""

    STOP = 1
    MAX_TOKENS = 2


@pytest.mark.parametrize(
    ("finish", "is_cut"),
    [(Finish.STOP, False), (Finish.MAX_TOKENS, True), (2, False), (["length"], False)],
)
def test_a_finish_reason_may_be_of_any_kind(finish: Any, is_cut: bool) -> None:
    plan = ws.plan("chat-compat", output={"type": "array", "items": {"type": "integer"}})
    feed, events = ws.compile(ANY, "lenient").stream(), plan.stream()
    feed.push("12")
    events.push({"choices": [{"index": 0, "delta": {"content": "prose"}}]})
    for outcome in (parse(ANY, "12", finish), feed.finish(finish)):
        assert (outcome.kind, outcome.truncated) == (
            ("failed", True) if is_cut else ("output", False)
        )
    assert events.finish(finish).truncated is is_cut


def test_a_partial_value_is_decoded() -> None:
    compiled = ws.compile(
        {"type": "object", "properties": {"m": {"type": "object", "additionalProperties": {"type": "integer"}}}},
        "openai-strict",
    )  # fmt: skip
    outcome = compiled.parse('{"m": [{"key": "a", "value": 1}, {"key": "b", "val')
    assert outcome.partial == {"m": {"a": 1}}
    twice = compiled.parse('{"m": [{"key": "a", "value": 1}, {"key": "a", "value": 1}, {"k')
    assert twice.partial == {"m": [{"key": "a", "value": 1}, {"key": "a", "value": 1}]}


# other sources and rows


class Order(BaseModel):
    sku: str
    tags: dict[str, int] = {}

    @field_validator("sku")
    @classmethod
    def known(cls, sku: str) -> str:
        if not sku.startswith("A"):
            raise ValueError("unknown sku")
        return sku


def test_instances_come_out_and_their_validators_are_asked() -> None:
    compiled = ws.compile(Order, "openai-strict")
    outcome = compiled.parse("So: {'sku': 'A1', 'tags': [{'key': 'x', 'value': '1'}]}")
    assert outcome.value == Order(sku="A1", tags={"x": 1})
    refused = compiled.parse('{"sku": "B1", "tags": []}')
    assert (refused.kind, refused.evidence[-1].code) == ("failed", "WS602")


def test_wire_forms_are_decoded_and_conceptual_ones_stay() -> None:
    schema = {"type": "object", "properties": {"m": {"type": "object", "additionalProperties": {"type": "integer"}}}, "required": ["m"]}  # fmt: skip
    compiled = ws.compile(schema, "openai-strict")
    due = {"m": {"a": 1}}
    for reply in (
        {"m": [{"key": "a", "value": 1}]},
        {"m": {"a": 1}},
        {"m": '[{"key": "a", "value": 1}]'},
        {"m": [{"key": "a", "value": "1"}]},
        {"m": {"a": "1"}},
        {"m": '{"a": 1}'},
    ):
        assert compiled.parse(reply).value == due
        assert compiled.parse(json.dumps(reply)).value == due
    again = compiled.parse({"m": [{"key": "a", "value": 1}, {"key": "a", "value": 2}]})
    assert (again.kind, again.evidence[0].code) == ("failed", "WS612")


def test_null_is_filled_in_only_where_a_key_must_be_there() -> None:
    schema = {
        "type": "object",
        "properties": {"t": {"type": "string"}, "r": {"type": ["string", "null"]}, "x": {}},
        "required": ["t", "r"],
    }
    outcome = parse(schema, '{"t": "x"}')
    assert (outcome.value, outcome.flags) == ({"t": "x", "r": None}, ("filled-null",))
    assert parse(schema, '{"t": "x",}').kind == "failed"
    assert parse({**schema, "required": ["t", "r", "x"]}, '{"t": "x"}').kind == "failed"


def test_parameters_that_leaked_into_a_text() -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
        "required": ["a", "b"],
    }
    leak = 'one</a>\n<parameter name="b">two'
    assert parse(schema, {"a": leak}).value == {"a": "one", "b": "two"}
    kept = parse({**schema, "required": ["a"]}, {"a": leak})
    assert kept.value == {"a": leak}
    assert parse({**schema, "required": ["a"]}, json.dumps({"a": leak})).flags == (
        "suspect-markup",
    )
    assert parse(schema, {"a": leak + leak}).kind == "failed"


def test_a_union_is_coerced_inside_one_arm() -> None:
    arm = lambda tag, kind: {"type": "object", "properties": {"t": {"const": tag}, "n": {"type": kind}}, "required": ["t"]}  # noqa: E731  # fmt: skip
    schema = {"anyOf": [arm("t1", "string"), arm("t2", "integer")]}
    assert parse(schema, {"t": "t2", "n": "5"}).value == {"t": "t2", "n": 5}
    assert parse(schema, {"t": "t1", "n": "5"}).value == {"t": "t1", "n": "5"}
    assert parse(schema, {"t": "t3", "n": "5"}).kind == "failed"
    both = {"anyOf": [{"type": "integer"}, {"type": "boolean"}, {"type": "null"}]}
    assert parse(both, '"1"').value == 1
    two = {"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "array", "items": {"type": "boolean"}}]}  # fmt: skip
    assert parse(two, ["1", "true"]).kind == "failed"


def test_calls_of_this_schema_and_of_others() -> None:
    call = '<tool_call>{"name": "answer", "arguments": {"name": "Ann", "age": 3}}</tool_call>'
    assert parse(PERSON, call, name="answer").value == ANN
    other = parse(PERSON, call, name="other")
    assert (other.kind, other.evidence[-1].code) == ("failed", "WS638")
    bare = {"name": "answer", "arguments": '{"name": "Ann", "age": 3}'}
    assert parse(PERSON, bare, name="answer").rung == "call"
    assert parse(PERSON, bare).kind == "failed"
    code = "print(default_api.answer(name='Ann', age=3))"
    assert parse(PERSON, code, name="answer").value == ANN
    assert parse(PERSON, code).kind == "failed"
    inside = json.dumps({"name": call, "age": 3})
    assert parse(PERSON, f"So {inside}").value == {"name": call, "age": 3}


# values, bytes, caps


def test_values_that_were_parsed_already() -> None:
    assert parse(PERSON, ANN).value == ANN
    assert parse({"type": "null"}, None).kind == "output"
    bad = parse(ANY, {"a": [float("nan")]})
    assert (bad.kind, bad.evidence[0].pointer) == ("failed", "/a/0")
    assert parse(ANY, {1: 2}).kind == "failed"
    deep: Any = 1
    for _ in range(200):
        deep = [deep]
    assert parse(ANY, deep).evidence[0].code == "WS634"


def test_bytes_are_utf8() -> None:
    assert parse(ANY, '"\u00e9"'.encode()).value == "\u00e9"
    assert parse(ANY, bytearray(b"[1]")).value == [1]
    bad = parse(ANY, b'"\xff"')
    assert (bad.kind, bad.evidence[0].code, bad.text) == ("failed", "WS633", '"\ufffd"')


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        '{"a":' * 100_000,
        "[" * 129 + "]" * 129,
        "[" * 129 + "1,]" + "]" * 128,
        "[" * 100 + "1," + "[" * 60 + "]" * 160,
        '{"a": "' + '"' * 200_000,
        '{"a": "' + '"/*' * 60_000,
        '{"a": "' + 'x"y ' * 60_000 + '"}',
        '{"a": "' + "\n" * 200_000 + '"}',
        "{}" + "}" * 300_000 + "x",
        '{"a": 1} ' * 10_000,
        "<think></think>" * 10_000,
        '<tool_call>{"name": "f", "arguments": {}}</tool_call>' * 10_000,
        "<function=f>" + "<parameter=a>" * 10_000,
        "x" * (strict.MAX_CHARS + 1),
        "[" + "7" * (strict.MAX_DIGITS + 1) + "]",
        "[" + "7" * (strict.MAX_DIGITS + 1) + ",]",
    ],
    ids=lambda text: f"{text[:12]}-{len(text)}",
)
def test_hostile_texts_are_refused(text: str) -> None:
    outcome = parse(ANY, text)
    assert outcome.kind == "failed"
    assert len(outcome.retry_text or "") <= RETRY_LIMIT


def test_what_is_just_within_the_caps() -> None:
    assert parse(ANY, "[" * 128 + "]" * 128).kind == "output"
    long = 10**20_000 - 1
    assert parse(ANY, '{"n": ' + "9" * 20_000 + "}").value == {"n": long}
    assert parse(ANY, "so [-" + "9" * 20_000 + "]").value == [-long]


def test_little_stack_is_a_failure_not_an_error() -> None:
    compiled = ws.compile(ANY, "lenient")
    compiled.parse("[1]")

    def deeper(levels: int) -> ws.Outcome | None:
        try:
            return deeper(levels + 1)
        except RecursionError:
            return None

    deeper(0)
    text = "[" * 120 + "]" * 120
    outcomes = [ws.Outcome(kind="failed")]

    def fill(levels: int) -> None:
        outcomes[0] = compiled.parse(text)
        if levels:
            fill(levels - 1)

    fill(100)
    assert outcomes[0].kind == "output"


def test_a_stack_that_runs_out_while_repairing_is_told(
    codes_while_the_stack_runs_out: Callable[..., set[str]],
) -> None:
    compiled = ws.compile(ANY, "lenient")
    text = "[" * 100 + "1," + "]" * 100
    assert compiled.parse(text).kind == "output"

    assert codes_while_the_stack_runs_out(lambda: compiled.parse(text)) == {"WS630", "WS634"}


def test_the_work_of_a_scan_is_bounded() -> None:
    from wireshape.reply.gaps import Gaps, Unreadable

    gaps = Gaps("x")
    with pytest.raises(Unreadable, match="read again"):
        gaps.spend(20_000, 0)


def test_fitting_stops_when_the_work_is_spent() -> None:
    from wireshape import ir
    from wireshape.reply.fits import Fits

    defs: dict[str, ir.Node] = {"N": ir.Any()}
    assert Fits(defs, 9).admits(ir.Ref("N"), 1)
    assert not Fits(defs, 0).admits(ir.Any(), 1)


# what is told


def test_evidence_begins_with_the_complaint_about_the_untouched_text() -> None:
    outcome = parse(PERSON, 'x {"name": 1, "age": 2}')
    assert [(e.rung, e.code, e.offset) for e in outcome.evidence] == [
        ("strict", "WS630", 0),
        ("span", "WS601", 2),
    ]
    assert outcome.attempted == {"name": 1, "age": 2}


MANY: Any = {
    "type": "object",
    "properties": {
        "n": {"type": "integer", "minimum": 3},
        "b": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 9},
        "m": {"type": "number", "maximum": 3},
        "c": {"enum": ["red", "blue", None]},
        "t": {"type": "string", "minLength": 2, "maxLength": 3},
        "l": {"type": "array", "items": {"type": "boolean"}, "minItems": 1, "maxItems": 2},
        "p": {"type": "array", "prefixItems": [{"type": "string"}], "items": {"type": "null"}},
        "u": {"anyOf": [{"type": "integer"}, {"type": "object", "required": ["x"], "properties": {"x": {"type": "string"}}}]},
        "w": {"anyOf": [{"type": "object", "required": ["a"]}, {"type": "object", "required": ["b"]}]},
        "z": False,
        "k": {"type": "object", "additionalProperties": {"type": "integer"}},
        "f": {"$ref": "#"},
    },
    "required": ["n"],
    "additionalProperties": False,
}  # fmt: skip


@pytest.mark.parametrize(
    ("value", "places"),
    [
        ({"n": "x", "c": "no", "t": "a"}, ["/n", "/c", "/t"]),
        ({"n": 1, "b": 0, "m": 4, "l": []}, ["/n", "/b", "/m", "/l"]),
        ({"n": 1, "b": 9, "t": "long", "l": [1, "x", True]}, ["/n", "/b", "/t", "/l", "/l/0", "/l/1"]),
        ({"n": 1.5, "p": [1, 2], "u": "s"}, ["/n", "/p/0", "/p/1", "/u"]),
        ({"u": {"x": 1}, "w": {}, "k": {"a": 1, "b": "c"}}, ["/", "/u/x", "/k/b"]),
        ({"n": 0, "odd": 1, "f": {"n": "y", "other": 2, "f": {}}}, ["/n", "/", "/f", "/f/n", "/f/f"]),
        ({"n": "x", "c": "red"}, ["/n"]),
        ([], ["/"]),
    ],
)  # fmt: skip
def test_the_retry_text_tells_several_faults_at_once(value: Any, places: list[str]) -> None:
    outcome = parse(MANY, json.dumps(value))
    text = outcome.retry_text or ""
    told = [line[2:].partition(": ")[0] for line in text.splitlines() if line.startswith("- ")]
    assert sorted(told) == sorted(places), text
    compiled = ws.compile(MANY, "lenient")
    with pytest.raises(ws.ValidationError) as caught:
        compiled.validate(value)
    assert (caught.value.pointer or "/") in told
    routed = ws.plan("lenient", [ws.Tool("f", MANY)]).route(json.dumps({"name": "f", "arguments": value}))  # fmt: skip
    problems = {p.pointer or "/" for p in routed.calls[0].problems}
    assert set(places) <= problems


def test_many_faults_stay_within_the_limit() -> None:
    names = [f"key number {i} " + "x" * 300 for i in range(60)]
    wide = {"type": "object", "properties": {k: {"enum": ["y" * 300, 1]} for k in names}, "required": names}  # fmt: skip
    outcome = parse(wide, json.dumps(dict.fromkeys(names, "secret")))
    assert 5 < (outcome.retry_text or "").count("- /key") <= 8
    assert len(outcome.retry_text or "") <= RETRY_LIMIT
    assert "secret" not in (outcome.retry_text or "")
    deep: Any = {
        "$defs": {f"d{i}": {"allOf": [{"$ref": f"#/$defs/d{i + 1}"}] * 2} for i in range(30)}
    }
    deep = {"$defs": {**deep["$defs"], "d30": {"type": "array", "items": {"$ref": "#/$defs/d0"}}}, "$ref": "#/$defs/d0"}  # fmt: skip
    assert parse(deep, json.dumps([[[[]] * 9] * 99] * 9 + [1])).kind == "failed"


def test_the_retry_text_names_places_and_keys_but_no_values() -> None:
    secret = "hunter2" * 1000
    outcome = parse(PERSON, {"name": 3, "pass": secret, secret: 1})
    text = outcome.retry_text or ""
    assert "'age'" in text or "/name" in text
    assert "'pass'" in text
    assert secret not in text
    nested = {
        "type": "object",
        "properties": {"p": PERSON, "l": {"type": "array", "items": PERSON}},
    }
    told = parse(nested, {"l": [{"name": "x", "years": 3}]}).retry_text or ""
    assert "/l/0" in told
    assert "'years'" in told
    quoted = parse(nested, {"p": '{"name": "x"'}).retry_text or ""
    assert "without quotes" in quoted
    pairs = ws.compile({"type": "object", "properties": {"m": {"type": "object", "additionalProperties": TAGS}}}, "openai-strict")  # fmt: skip
    assert "/m/a/tags/0" in (
        pairs.parse({"m": [{"key": "a", "value": {"tags": [1]}}]}).retry_text or ""
    )
    many = parse({"enum": ["x" * 3000, "y" * 3000]}, '"z"').retry_text or ""
    assert len(many) <= RETRY_LIMIT


@pytest.mark.parametrize("around", ["{}", "Here: {} is it", "```json\n{}\n```"])
def test_the_retry_text_does_not_name_what_would_have_been_coerced(around: str) -> None:
    small = {"type": "integer", "maximum": 5}
    limited = {
        "type": "object",
        "properties": {"a": {"type": "integer"}, "y": small},
        "required": ["a", "y"],
    }

    class Judged(BaseModel):
        a: int
        y: int

        @field_validator("y")
        @classmethod
        def small(cls, y: int) -> int:
            if y > 5:
                raise ValueError("more than five")
            return y

    def told(schema: Any, reply: str) -> list[str]:
        text = parse(schema, around.replace("{}", reply)).retry_text or ""
        return [line for line in text.splitlines() if line.startswith("- ")]

    refused = "- /y: greater than `maximum` 5; send a number that is not"
    for reply in ('{"a":"3","y":9}', '{"a":"3","y":"9"}', '{"a":3,"y":9}'):
        assert told(limited, reply) == [refused], reply
    (line,) = told(Judged, '{"a":"3","y":9}')
    assert line.startswith("- /y: ")
    assert "more than five" in line
    due = "- /a: string where `type` asks for integer; send integer"
    for schema in (limited, Judged):
        assert told(schema, '{"a":"x","y":"3"}') == [due]
    done = parse(limited, '{"a":"3","y":9}')
    assert done.evidence[0].pointer == "/a"
    assert done.attempted == {"a": "3", "y": 9}


def test_outcomes_are_frozen_and_can_be_sent() -> None:
    outcome = parse(PERSON, "{'name': 'Ann', 'age': 3}")
    assert pickle.loads(pickle.dumps(outcome)) == outcome
    with pytest.raises(dataclasses.FrozenInstanceError):
        outcome.kind = "failed"  # type: ignore[misc]


def test_artifacts_parse_as_what_they_were_made_of() -> None:
    compiled = ws.compile(TAGS, "openai-strict")
    again = ws.Compiled.from_json(compiled.to_json())
    for reply in ("{'tags': ['a',]}", '{"tags": "[\\"a\\"]"}', '{"tags": 1}'):
        assert again.parse(reply) == compiled.parse(reply)
    lenient = ws.Compiled.from_json(ws.compile(TAGS, "lenient").to_json())
    assert lenient.parse('{"tags": "[\\"a\\"]"}').value == {"tags": ["a"]}


# calls in every syntax

TEXT_ONLY = {"type": "string"}
TOOL: Any = {
    "type": "object",
    "properties": {
        "city": {"type": "string"},
        "n": {"type": "integer"},
        "on": {"type": "boolean"},
        "l": {"type": "array", "items": {"type": "integer"}},
        "m": {"type": ["string", "null"]},
        "x": {},
    },
    "required": ["city"],
    "additionalProperties": False,
}
OSLO: Any = {"city": "Oslo", "n": 3}
JSON = '{"city": "Oslo", "n": 3}'
WRITTEN = [
    f'<tool_call>{{"name": "f", "arguments": {JSON}}}</tool_call>',
    f'Sure.\n<tool_call>\n{{"name": "f", "arguments": {JSON}}}',
    f'<tool_calls>[{{"name": "f", "parameters": {JSON}}}]</tool_calls>',
    f'<TOOLCALL>[{{"name": "f", "arguments": {JSON}}}]</TOOLCALL>',
    f'<function_call>{{"function": "f", "args": {JSON}}}</function_call>',
    f'[TOOL_CALLS][{{"name": "f", "arguments": {JSON}, "id": "1"}}]',
    f"[TOOL_CALLS]f[CALL_ID]123[ARGS]{JSON}",
    f"[TOOL_CALLS]f{JSON}",
    f'<|START_ACTION|>[{{"tool_call_id": "0", "tool_name": "f", "parameters": {JSON}}}]<|END_ACTION|>',
    f'<|tools_prefix|>[{{"f": {JSON}}}]<|tools_suffix|>',
    f'functools[{{"name": "f", "arguments": {JSON}}}]',
    f'<|message_sep|>\n\nfunction call<|role_sep|>\n{{"name": "f", "arguments": {JSON}}}',
    f"<function=f>{JSON}</function>",
    "<function=f>\n<parameter=city>\nOslo\n</parameter>\n<parameter=n>3</parameter></function>",
    '<invoke name="f"><parameter name="city">Oslo</parameter><parameter name="n">3</parameter></invoke>',
    '<function name="f"><param name="city"><![CDATA[Oslo]]></param><param name="n">3</param></function>',
    '<\uff5cDSML\uff5cinvoke name="f"><\uff5cDSML\uff5cparameter name="city" string="true">Oslo</\uff5cDSML\uff5cparameter>'
    '<\uff5cDSML\uff5cparameter name="n" string="false">3</\uff5cDSML\uff5cparameter></\uff5cDSML\uff5cinvoke>',
    "<tool_call>f\n<arg_key>city</arg_key>\n<arg_value>Oslo</arg_value><arg_key>n</arg_key><arg_value>3</arg_value></tool_call>",
    f"<|tool_calls_section_begin|><|tool_call_begin|>functions.f:48<|tool_call_argument_begin|>{JSON}<|tool_call_end|>",
    f"<\uff5ctool\u2581call\u2581begin\uff5c>function<\uff5ctool\u2581sep\uff5c>f\n```json\n{JSON}```<\uff5ctool\u2581call\u2581end\uff5c>",
    f"<\uff5ctool\u2581call\u2581begin\uff5c>f<\uff5ctool\u2581sep\uff5c>{JSON}<\uff5ctool\u2581call\u2581end\uff5c>",
    f"<|channel|>commentary to=functions.f <|constrain|>json<|message|>{JSON}<|call|>",
    f"commentary to=functions.f json{JSON}",
    f'<|channel|>analysis<|message|>{{"city": "no"}}<|end|><|start|>assistant to=functions.f<|channel|>commentary<|message|>{JSON}',
    '<|open|>tools<|sep|><|open|>call tool="f" index="1"<|sep|><|open|>argument key="city" type="string"<|sep|>Oslo'
    '<|close|>argument<|sep|><|open|>argument key="n" type="number"<|sep|>3<|close|>argument<|sep|><|close|>call<|sep|>',
    f" to=functions.f<|channel|>analysis<|message|>{JSON}",
    '<|tool_call>call:f{city:<|"|>Oslo<|"|>,n:3}<tool_call|>',
    ']<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name="f">]<]minimax[>[<city>Oslo]<]minimax[>[</city>]<]minimax[>[<n>3]<]minimax[>[</n>]<]minimax[>[</invoke>',
    f'Action:\n```json\n[{{"tool_name": "f", "parameters": {JSON}}}]\n```',
    f"<think>hm<|tool_calls_section_begin|><|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{JSON}",
    "print(default_api.f(city='Oslo', n=3))",
    "f(city='Oslo', n=3)",
    f'{{"name": "f", "arguments": {JSON}}}',
    f'{{"tool_calls": [{{"function": {{"name": "f"}}, "parameters": {JSON}}}]}}',
]


def elements(*pieces: str) -> str:
    """A call whose tags are led by a token; `pieces` stand between two of these."""
    lead = "]<]minimax[>["
    return f'{lead}<invoke name="f">{lead.join(pieces)}{lead}</invoke>'


@pytest.mark.parametrize("text", WRITTEN, ids=lambda t: t[:24])
def test_calls_are_read_in_every_syntax(text: str) -> None:
    outcome = parse(TOOL, text, name="f")
    assert outcome.kind == "output", outcome.evidence
    assert outcome.value == OSLO
    assert outcome.rung == "call"
    assert parse(TOOL, text, name="g").kind == "failed"


def test_parameters_as_text_get_the_type_of_their_place() -> None:
    texts = {"city": "30", "n": "3", "on": "True", "l": "[1, 2]", "m": "null", "x": '{"a": 1}'}
    tags = "".join([f"<parameter={k}>{v}</parameter>" for k, v in texts.items()])
    outcome = parse(TOOL, f"<function=f>{tags}</function>")
    assert outcome.value == {
        "city": "30",
        "n": 3,
        "on": True,
        "l": [1, 2],
        "m": None,
        "x": {"a": 1},
    }
    free = parse({"type": "object"}, "<function=f><parameter=a>7</parameter><parameter=b>[1</parameter></function>")  # fmt: skip
    assert free.value == {"a": 7, "b": "[1"}
    listed = '<function=f><parameter=city>x</parameter><parameter=l>{"a": 1}</parameter></function>'
    assert parse(TOOL, listed).kind == "failed"
    wrong = "<function=f><parameter=city>x</parameter><parameter=l>y</parameter></function>"
    assert parse(TOOL, wrong).kind == "failed"
    assert parse(ANY, wrong).value == {"city": "x", "l": "y"}


UNIONS: Any = {
    "type": "object",
    "properties": {
        "n": {"type": ["string", "number", "boolean", "null"]},
        "o": {"anyOf": [TEXT_ONLY, {"type": "object", "properties": {"a": {"type": "integer"}}}]},
        "l": {"anyOf": [TEXT_ONLY, {"type": "array", "items": TEXT_ONLY}]},
    },
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("n", "5", 5),
        ("n", "-1.5", -1.5),
        ("n", "true", True),
        ("n", "null", None),
        ("n", "1.10", "1.10"),
        ("n", "1e3", "1e3"),
        ("n", "-0", "-0"),
        ("n", " 5", " 5"),
        ("n", "True", "True"),
        ("o", '{"a": 1}', {"a": 1}),
        ("o", '{"a": "x"}', '{"a": "x"}'),
        ("o", "{not JSON", "{not JSON"),
        ("l", '["a"]', ["a"]),
        ("l", "[1]", "[1]"),
    ],
)
def test_parameters_where_text_is_taken_too_are_what_they_spell_without_loss(
    key: str, text: str, value: Any
) -> None:
    outcome = parse(UNIONS, f"<function=f><parameter={key}>{text}</parameter></function>")
    assert json.dumps(outcome.value) == json.dumps({key: value})


@pytest.mark.parametrize(
    ("says", "value"),
    [('string="true"', '{"a": 1}'), ('string="false"', {"a": 1}), ('type="string"', '{"a": 1}'), ('type="object"', {"a": 1}), ('x="y"', {"a": 1})],
)  # fmt: skip
def test_what_a_syntax_says_of_a_parameter_counts(says: str, value: Any) -> None:
    tags = f'<invoke name="f"><parameter name="o" {says}>{{"a": 1}}</parameter></invoke>'
    assert parse(UNIONS, tags).value == {"o": value}
    tokens = f'<|open|>call tool="f" index="1"<|sep|><|open|>argument key="o" {says}<|sep|>{{"a": 1}}<|close|>argument<|sep|><|close|>call<|sep|>'
    assert parse(UNIONS, tokens).value == {"o": value}
    number = '<invoke name="f"><parameter name="n" string="true">5</parameter></invoke>'
    assert parse(UNIONS, number).value == {"n": "5"}
    lists = tags.replace("{", "[").replace("}", "]").replace('"a": 1', "1")
    assert parse({"properties": {"o": {"type": "array"}}}, lists).value == {"o": [1]}


@pytest.mark.parametrize(
    "text", ['{"b":b,}', '{"b":b</think>,}', '{"b":b,\n}', '{"a":1,"b":b,/* c */ }']
)
def test_a_comma_after_a_text_without_quotes_may_be_part_of_it(text: str) -> None:
    schema = {"type": "object", "properties": {"b": {"type": "string"}}, "required": ["b"]}
    assert parse(schema, text).kind == "failed"
    assert parse(schema, '{"b":b}').value == {"b": "b"}


def test_elements_where_text_is_taken_too_are_neither() -> None:
    call = elements("", "<o>", "<a>1", "</a>", "</o>")
    outcome = parse(UNIONS, call, name="f")
    assert (outcome.kind, outcome.flags) == ("failed", ("ambiguous",))
    assert (outcome.evidence[-1].code, outcome.evidence[-1].pointer) == ("WS636", "/o")
    assert parse({"properties": {"o": UNIONS["properties"]["o"]["anyOf"][1]}}, call).value == {"o": {"a": 1}}  # fmt: skip
    assert parse({"properties": {"o": {}}}, call).value == {"o": {"a": "1"}}
    assert parse(UNIONS, elements("", "<o>x", "</o>")).value == {"o": "x"}
    plan = ws.plan("lenient", [ws.Tool("f", UNIONS)])
    routed = plan.route(elements("", "<l>", "<item>a", "</item>", "</l>"))
    assert (routed.kind, routed.calls[0].problems[0].code) == ("failed", "WS636")
    assert "an array" in str(routed.retry_text)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("<function=f><parameter=city>Oslo", "WS635"),
        ("<function=f><parameter=city>Oslo</parameter>", "WS635"),
        ("<function=f><parameter=city>a</parameter><parameter=city>b</parameter></function>", "WS631"),
        ("<tool_call>f<arg_key>city</arg_key><arg_value>Oslo", "WS635"),
        ("<tool_call>f<arg_key>city</arg_key><arg_value>Oslo</arg_value>", "WS635"),
        ("[TOOL_CALLS]f[ARGS]{\"city\": ", "WS635"),
        ("<|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>", "WS635"),
        ("<|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>none", "WS638"),
        ("<tool_call>", "WS635"),
        ('<|open|>call tool="f"<|sep|><|open|>argument key="city"<|sep|>Oslo', "WS635"),
        ('<|open|>call tool="f"<|sep|>', "WS635"),
        ("<tool_call>[1]</tool_call>", "WS638"),
        ("<tool_call>{\"f\": 1}</tool_call>", "WS638"),
        ("<tool_call>{\"name\": \"f\", \"arguments\": {\"city\": \"x \"y\" z\"}}</tool_call>", "WS630"),
        ('<|tool_call>call:f{city:<|"|>Oslo', "WS635"),
        ('<|tool_call>call:f{city:<|"|>Oslo<|"|>}', "WS635"),
        ('<|tool_call>call:f{city:<|"|>Oslo<tool_call|>', "WS635"),
        ('<|tool_call>call:f{city:<|"|>Oslo<|"|>} so<tool_call|>', "WS630"),
        (']<]minimax[>[<invoke name="f">]<]minimax[>[<city>Oslo', "WS635"),
        (elements("Oslo"), "WS630"),
        (elements("", "<city>Oslo"), "WS630"),
        (elements("", "<city>Oslo", "</town>"), "WS630"),
        (elements("", "<city>Oslo", "</city>", "</city>"), "WS630"),
        (elements("", "<city>Oslo", "</city>x"), "WS630"),
        (elements("", "<city>Oslo", "Rome", "</city>"), "WS630"),
        (elements("", "<city>Oslo", "<a>1", "</a>", "</city>"), "WS630"),
        (elements("", "<city>Oslo", "</city>", "<city>Rome", "</city>"), "WS631"),
        (elements("", *["<a>"] * 40, *["</a>"] * 40), "WS630"),
        ("f(*a)", "WS637"),
        ("f(**a)", "WS637"),
        ("f(city=open('x'))", "WS637"),
        ("f(city={1: 2})", "WS637"),
        ("f(city={1})", "WS637"),
        ("f(city=b'x')", "WS637"),
        ("g(city='Oslo')", "WS637"),
        ("(f)(city='Oslo')(1)", "WS637"),
        ("f(city='Oslo'", "WS637"),
        ("f(city='" + "x" * 20_000 + "')", "WS637"),
        ("f(city=['Oslo', None, (1, True), {'a': 1.5}])", "WS601"),
    ],
)  # fmt: skip
def test_calls_that_are_none(text: str, code: str) -> None:
    outcome = parse(TOOL, text, name="f")
    assert (outcome.kind, outcome.evidence[-1].code) == ("failed", code), outcome.evidence
    assert outcome.truncated is (code == "WS635")


def test_several_calls_must_agree() -> None:
    one = f'<tool_call>{{"name": "f", "arguments": {JSON}}}</tool_call>'
    assert parse(TOOL, one + one).value == OSLO
    other = "<function=f><parameter=city>Rome</parameter></function>"
    assert parse(TOOL, one + other).flags == ("ambiguous",)
    assert parse(TOOL, one + other.replace("=f", "=g"), name="f").value == OSLO
    assert parse(TOOL, one * 129).kind == "failed"


def test_elements_inside_a_parameter_are_its_value() -> None:
    schema = {
        "type": "object",
        "properties": {
            "rows": {"type": "array", "items": {"type": "object", "properties": {"i": {"type": "integer"}}}},
            "tags": {"type": "array", "items": {"type": "string"}},
            "at": {"type": "object", "properties": {"x": {"type": "number"}}},
        },
    }  # fmt: skip
    text = elements(
        "", "<rows>", "<item>", "<i>1", "</i>", "</item>", "<item>", "<i>2", "</i>", "</item>", "</rows>",
        "<tags>", "<item>a", "</item>", "</tags>", "<at>", "<x>-2.5", "</x>", "</at>",
    )  # fmt: skip
    outcome = parse(schema, text, name="f")
    assert outcome.value == {"rows": [{"i": 1}, {"i": 2}], "tags": ["a"], "at": {"x": -2.5}}


def test_text_between_tokens_is_as_it_stands() -> None:
    wanted = {"city": 'a "b" {c: [1]} <tool_call|> \\n', "l": [1, 2]}
    text = f'<|tool_call>call:f{{city:<|"|>{wanted["city"]}<|"|>,l:[1,2]}}<tool_call|>'
    assert parse(TOOL, text, name="f").value == wanted


@pytest.mark.parametrize(
    "text",
    [
        "<|START_RESPONSE|>{}<|END_RESPONSE|>",
        "hm<|END_THINKING|><|START_TEXT|>{}<|END_TEXT|>",
        "<|CHATBOT_TOKEN|>{}<|END_OF_TURN_TOKEN|>",
        "<|open|>response<|sep|>{}<|close|>response<|sep|><|close|>message<|sep|>",
        "<|im_start|>assistant\n{}<|im_end|>\n",
        "<|channel|>final<|message|>{}<|return|>",
        "<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final <|constrain|>json<|message|>{}",
        "hm<|end|><|start|>assistant<|channel|>final<|message|>{}",
        "<|channel|>commentary to=assistant<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>{}",
        "<|channel>thought\nhm<channel|>{}<|channel>thought\n<channel|><channel|>",
    ],
)
def test_what_a_template_puts_around_an_answer(text: str) -> None:
    for answer in ('{"city": "Oslo"}', '```json\n{"city": "Oslo"}\n```'):
        outcome = parse(TOOL, text.replace("{}", answer))
        assert (outcome.value, outcome.rung) == ({"city": "Oslo"}, "stripped")


def test_a_coercion_looks_into_refined_arms() -> None:
    arm = fields(n={"type": "integer"}) | {"not": {"required": ["z"]}}
    schema = fields(p={"anyOf": [arm, {"type": "array", "items": {"type": "integer"}}]})
    assert parse(schema, '{"p": {"n": "3"}}').value == {"p": {"n": 3}}


def test_a_missing_comma_inside_a_list_asks_for_its_rivals() -> None:
    pair = fields(a={"type": "string"}, b={"type": "string"})
    text = '{"rows": [{"a": "x" "b": "y"}]}'
    assert parse(fields(rows={"type": "array", "items": pair}), text).value == {"rows": [{"a": "x", "b": "y"}]}  # fmt: skip
    either = pair | {"required": ["a"]}
    assert parse(fields(rows={"type": "array", "items": either}), text).flags == ("ambiguous",)


def fields(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": (1,), "b": (), "c": (1, 2)}', {"a": [1], "b": [], "c": [1, 2]}),
        ('{"a": "v", 5: "w"}', {"a": "v", "5": "w"}),
        ('{"a": 1, 0: 2}', {"a": 1, "0": 2}),
    ],
)
def test_what_python_writes(text: str, value: Any) -> None:
    assert parse(ANY, text).value == value


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('{"a": (1)}', "WS630"),
        ('{"a": ("x")}', "WS630"),
        ('{"a": 1, 05: 2}', "WS630"),
        ('{"a": 1, 5.5: 2}', "WS630"),
        ('{"a": x: y, "b": 1}', "WS630"),
    ],
)
def test_what_only_looks_like_it(text: str, code: str) -> None:
    done = parse(ANY, text)
    assert (done.kind, done.evidence[-1].code) == ("failed", code)


def test_a_section_of_character_data_may_hold_marks() -> None:
    section = '<param name="city"><![CDATA[<param name="n"> </param>]]></param>'
    done = parse(TOOL, f'<function name="f">{section}</function>', name="f")
    assert done.value == {"city": '<param name="n"> </param>'}


def damaged(text: str) -> Iterator[str]:
    """A text that is cut anywhere, or lost one of its marks; white space is a matter of taste."""
    for at, char in enumerate(text):
        yield text[:at]
        if not (char.isalnum() or char.isspace()):
            yield text[:at] + text[at + 1 :]


@pytest.mark.parametrize("text", WRITTEN, ids=lambda t: t[:24])
def test_a_damaged_call_is_that_call_or_none(text: str) -> None:
    compiled = ws.compile(TOOL, "lenient", name="f")
    plan = ws.plan("lenient", [ws.Tool("f", TOOL)])
    for one in damaged(text):
        alone = compiled.parse(one)
        assert alone.kind == "failed" or alone.value == OSLO, one
        routed = plan.route(one)
        if routed.kind == "tool_calls":
            assert [call.arguments for call in routed.calls] == [OSLO], one
