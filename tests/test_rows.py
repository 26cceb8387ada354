"""Strategies that only a few rows ask for: what they make of a schema, and what the acceptor says without them."""

from __future__ import annotations

from typing import Any

import pytest

import wireshape as ws
from wireshape.testing import wire_validator

NULLABLE = {"anyOf": [{"type": "integer"}, {"type": "null"}]}


def closed(required: list[str] | None = None, **properties: Any) -> dict[str, Any]:
    needed = list(properties) if required is None else required
    return {
        "type": "object",
        "properties": properties,
        "required": needed,
        "additionalProperties": False,
    }


CASES: list[tuple[str, str, Any, Any, str, list[tuple[Any, Any]]]] = [
    # name, dialect, schema, part of the wire schema, note, (value, wire value)
    ("null_as_absent", "apple-fm", closed(a=NULLABLE), {"properties": {"a": {"type": "integer"}}}, "WS233", [({"a": None}, {}), ({"a": 1}, {"a": 1})]),
    ("null_in_an_enum_as_absent", "apple-fm", closed(a={"enum": ["x", None]}), {"properties": {"a": {"type": "string", "enum": ["x"]}}}, "WS233", [({"a": None}, {}), ({"a": "x"}, {"a": "x"})]),
    ("null_behind_a_reference", "apple-fm", {**closed(a={"$ref": "#/$defs/N"}), "$defs": {"N": NULLABLE}}, {"properties": {"a": {"type": "integer"}}}, "WS233", [({"a": None}, {})]),
    ("null_in_a_list", "apple-fm", closed(a={"type": "array", "items": NULLABLE}), {"properties": {"a": {"type": "array", "items": {"type": "string", "description": "a choice of types as JSON text: {\"anyOf\": [{\"type\": \"integer\"}, {\"type\": \"null\"}]}"}}}}, "WS221", [({"a": [None, 1]}, {"a": ["null", "1"]})]),
    ("null_as_absent_renamed", "mcp-elicitation", closed(a={"enum": [1, None]}), {"properties": {"a": {"type": "string", "enum": ["1"]}}}, "WS224", [({"a": None}, {}), ({"a": 1}, {"a": "1"})]),
    ("titles_and_order", "apple-fm", closed(b={"type": "integer"}, a=closed(c={"type": "string"})), {"title": "Object", "x-order": ["b", "a"]}, "", [({"b": 1, "a": {"c": "x"}}, {"b": 1, "a": {"c": "x"}})]),
    ("several_key_rules_without_unions", "apple-fm", closed(m={"type": "object", "patternProperties": {"^a": {"type": "integer"}, "^b": {"type": "string"}}, "additionalProperties": False}), {}, "WS227", [({"m": {"a": 1, "b": "x"}}, {"m": [{"key": "a", "value": "1"}, {"key": "b", "value": '"x"'}]})]),
    ("flat_object", "mcp-elicitation", closed(a=closed(b={"type": "integer"})), {"properties": {"a": {"type": "string", "description": 'an object as JSON text: {"type": "object", "properties": {"b": {"type": "integer"}}, "required": ["b"], "additionalProperties": false}'}}}, "WS221", [({"a": {"b": 1}}, {"a": '{"b":1}'})]),
    ("flat_list_of_choices", "mcp-elicitation", closed(a={"type": "array", "items": {"enum": ["x", "y"]}}), {"properties": {"a": {"type": "array", "items": {"type": "string", "enum": ["x", "y"]}}}}, "", [({"a": ["y"]}, {"a": ["y"]})]),
    ("flat_tuple", "mcp-elicitation", closed(a={"prefixItems": [{"type": "integer"}], "type": "array", "items": False}), {"properties": {"a": {"type": "string", "description": 'a list as JSON text: {"type": "array", "prefixItems": [{"type": "integer"}], "items": false}'}}}, "WS221", [({"a": [1]}, {"a": "[1]"})]),
    ("flat_map_at_the_root", "mcp-elicitation", {"type": "object", "additionalProperties": {"type": "integer"}}, {"properties": {"value": {"type": "string", "description": 'an object as JSON text: {"type": "object", "additionalProperties": {"type": "integer"}}'}}}, "WS221", [({"a": 1}, {"value": '{"a":1}'})]),
    ("one_required", "cohere-json", closed([], a={"type": "string"}, b={"type": "integer"}), {"properties": {"a": {"anyOf": [{"type": "string"}, {"type": "null"}]}, "b": {"type": "integer"}}, "required": ["a"]}, "WS210", [({}, {"a": None}), ({"b": 1}, {"a": None, "b": 1})]),
    ("one_required_in_a_tuple", "cohere-json", closed(t={"type": "array", "prefixItems": [{"type": "integer"}], "items": False}), {}, "WS217", [({"t": []}, {"t": {"0": None}}), ({"t": [1]}, {"t": {"0": 1}})]),
    ("optional_may_be_null", "groq-non-strict", closed([], a={"type": "string"}), {"properties": {"a": {"anyOf": [{"type": "string"}, {"type": "null"}]}}}, "WS235", [({"a": "x"}, {"a": "x"}), ({}, {"a": None})]),
    ("bare_root", "bedrock-nova", {"description": "d", **closed(a={"type": "integer"})}, {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}, "WS230", [({"a": 1}, {"a": 1})]),
    ("bare_root_of_a_map", "bedrock-nova", {"type": "object", "additionalProperties": {"type": "integer"}}, {"properties": {"value": {"type": "object", "additionalProperties": {"type": "integer"}}}}, "WS225", [({"a": 1}, {"value": {"a": 1}})]),
    ("union_beside_object", "mcp-input", {"oneOf": [closed(a={"const": 1}), closed(a={"const": 2})]}, {"type": "object"}, "", [({"a": 2}, {"a": 2})]),
    ("union_that_is_no_object", "mcp-input", {"anyOf": [closed(a={"type": "integer"}), {"type": "null"}]}, {"required": ["value"]}, "WS225", [(None, {"value": None})]),
    ("definitions_by_another_name", "deepseek-strict", closed(t={"$ref": "#/$defs/T"}) | {"$defs": {"T": closed(kids={"type": "array", "items": {"$ref": "#/$defs/T"}})}}, {"properties": {"t": {"$ref": "#/$def/T"}}}, "", [({"t": {"kids": []}}, {"t": {"kids": []}})]),
    ("definitions_written_out", "openai-compatible-strict", closed(a={"$ref": "#/$defs/A"}, b={"$ref": "#/$defs/A"}) | {"$defs": {"A": {"type": "integer"}}}, {"properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}}, "", [({"a": 1, "b": 2}, {"a": 1, "b": 2})]),
    ("any_with_open_objects", "moonshot-mfjs", closed(a={}), {"properties": {"a": {"$ref": "#/$defs/Any"}}}, "WS219", [({"a": {"b": [1]}}, {"a": {"b": [1]}})]),
    ("reserved_key", "moonshot-mfjs", closed(anyOf={"type": "integer"}), {"required": ["anyOf_2"]}, "WS226", [({"anyOf": 1}, {"anyOf_2": 1})]),
    ("text_beside_a_large_reference", "moonshot-mfjs", closed(a={"$ref": "#/$defs/T", "description": "told"}) | {"$defs": {"T": {"type": "object", "properties": {"t": {"$ref": "#/$defs/T"}}, "additionalProperties": False}}}, {"properties": {"a": {"$ref": "#/$defs/T"}}}, "WS231", [({"a": {}}, {"a": {}})]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("dialect", "schema", "part", "code", "trips"),
    [c[1:] for c in CASES],
    ids=[c[0] for c in CASES],
)
def test_strategy(
    dialect: str, schema: Any, part: dict[str, Any], code: str, trips: list[tuple[Any, Any]]
) -> None:
    compiled = ws.compile(schema, dialect)
    assert {k: compiled.schema[k] for k in part} == part
    assert not code or code in {n.code for n in compiled.report.notes}
    assert ws.check(compiled.schema, dialect) == []
    judge = wire_validator(compiled)
    for value, wire in trips:
        assert compiled.encode(value) == wire
        assert judge.is_valid(wire)
        assert compiled.decode(wire) == value
        assert compiled.validate(value) == value


def test_absent_and_null_are_one_where_there_is_no_null() -> None:
    compiled = ws.compile(closed([], a=NULLABLE), "apple-fm")
    assert [n.code for n in compiled.report.narrowed] == ["WS234"]
    assert compiled.encode({"a": None}) == compiled.encode({}) == {}
    assert compiled.decode({}) == {}
    assert compiled.decode({"a": None}) == {"a": None}


TITLED = {"title": "Object", "x-order": ["a"]}


@pytest.mark.parametrize(
    ("dialect", "wire", "rule"),
    [
        ("bedrock-nova", closed(a={"type": "integer"}), "root.bare"),
        ("mcp-elicitation", {"type": "object", "properties": {"a": {"type": "object", "properties": {}}}}, "root.flat"),
        ("mcp-elicitation", {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "string"}}}}, "root.flat"),
        ("cohere-json", closed([], a={"type": "integer"}), "objects.some_required"),
        ("apple-fm", {**closed(a={"type": "integer"}), "x-order": ["a"]}, "objects.titled"),
        ("apple-fm", {**closed(a={"type": "integer"}), **TITLED, "x-order": []}, "objects.ordering"),
        ("apple-fm", {**closed(a=NULLABLE), **TITLED}, "unions.any_of"),
        ("apple-fm", {**closed(a={"type": "null"}), **TITLED}, "nullable.accepts"),
        ("moonshot-mfjs", closed(anyOf={"type": "integer"}), "objects.key_pattern"),
    ],
)  # fmt: skip
def test_the_acceptor_knows_it(dialect: str, wire: Any, rule: str) -> None:
    assert rule in {v.rule for v in ws.check(wire, dialect)}
