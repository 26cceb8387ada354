"""Schemas that once came out otherwise when their wire schema was compiled again: accepted, and the same bytes both times."""

from __future__ import annotations

from functools import reduce
from typing import Any

import pytest

import wireshape as ws
from wireshape.testing import broken_laws, laws


def within(part: Any, key: str) -> Any:
    return {**CLOSED, "properties": {key: part}, "required": [key]}


CLOSED = {"type": "object", "additionalProperties": False}
BIG = {f"k{i}": {"type": "integer"} for i in range(60)}
DEEP = reduce(within, [f"d{i}" for i in range(13)], {"type": "string"})
ARM = {"type": "object", "properties": {"b": {"$ref": "#/$defs/N", "required": ["y"]}}}
MAPS: Any = reduce(lambda m, _: {"type": "object", "additionalProperties": m}, range(70), {})
TWICE: dict[str, tuple[str, Any]] = {
    "what_a_reference_leaves_unevaluated": (
        "tools-lenient",
        {
            "unevaluatedProperties": False,
            "$ref": "#/$defs/U",
            "$defs": {
                "U": {
                    "properties": {"a": {"type": "string"}},
                    "anyOf": [
                        {"properties": {"x": {"type": "string"}}, "required": ["x"]},
                        {"properties": {"y": {"type": "integer"}}},
                    ],
                }
            },
        },
    ),
    "what_a_dynamic_reference_leaves_unevaluated": (
        "mcp-input",
        {
            "$id": "https://example.com/one",
            "$ref": "./base",
            "$defs": {
                "more": {"$dynamicAnchor": "more", "properties": {"b": {"type": "string"}}},
                "base": {
                    "$id": "./base",
                    "unevaluatedProperties": False,
                    "properties": {"a": {"type": "string"}},
                    "$dynamicRef": "#more",
                    "$defs": {"none": {"$dynamicAnchor": "more"}},
                },
            },
        },
    ),
    "pairs_of_free_definitions": (
        "llamacpp",
        {
            **CLOSED,
            "properties": {"a": {"type": "string"}},
            "patternProperties": {"^x": {"$ref": "#/$defs/X"}, "^y": {"$ref": "#/$defs/Y"}},
            "$defs": {"X": {"description": "ignored"}, "Y": {"description": "a comment"}},
        },
    ),
    "text_of_a_union_of_references_written_out": (
        "moonshot-mfjs",
        {
            **CLOSED,
            "properties": {"lib": {"$ref": "#/$defs/U", "description": "paths"}},
            "$defs": {
                "S": {"type": "string"},
                "L": {"type": "array", "items": {"$ref": "#/$defs/S"}, "uniqueItems": True},
                "U": {"anyOf": [{"$ref": "#/$defs/S"}, {"$ref": "#/$defs/L"}]},
            },
        },
    ),
    "text_of_a_large_definition_without_unions": (
        "apple-fm",
        {
            **CLOSED,
            "properties": {
                "a": {"$ref": "#/$defs/Big", "description": "one"},
                "b": {"$ref": "#/$defs/Big"},
            },
            "required": ["a", "b"],
            "$defs": {"Big": {**CLOSED, "properties": BIG}},
        },
    ),
    "parts_that_were_hoisted_stay_out": (
        "openai-compatible-strict",
        {
            **CLOSED,
            "required": ["a"],
            "properties": {"a": {"$ref": "#/$defs/Deep"}},
            "$defs": {"Deep": DEEP},
        },
    ),
    "text_of_a_field_beside_its_pattern": (
        "groq-non-strict",
        {
            "type": "object",
            "properties": {"x1": {"$ref": "#/$defs/T", "description": "here"}},
            "patternProperties": {"^x": {"$ref": "#/$defs/T", "description": "every x"}},
            "$defs": {"T": {"type": "string", "description": "a text"}},
        },
    ),
    "null_that_a_pattern_refuses": (
        "groq-non-strict",
        {
            "type": "object",
            "properties": {"search": {"type": "boolean"}},
            "patternProperties": {".*": {"type": "boolean"}},
        },
    ),
    "text_of_keywords_without_a_type": (
        "fireworks",
        {
            "type": "object",
            "properties": {
                "p": {
                    "description": "by id",
                    "patternProperties": {
                        ".+": {"type": "object", "properties": {"a": {"type": "string"}}}
                    },
                }
            },
        },
    ),
    "presence_beside_fields_of_a_closing_row": (
        "fireworks",
        {
            "type": "object",
            "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
            "anyOf": [{"required": ["a"]}, {"required": ["b"]}],
        },
    ),
    "closed_without_type_or_fields": (
        "ollama-tools",
        {
            "type": "object",
            "properties": {
                "a": {
                    "anyOf": [
                        {"additionalProperties": False},
                        {"properties": {"f": {"type": "string"}}},
                    ]
                }
            },
        },
    ),
    "a_definition_that_only_names_the_root": (
        "openai-strict",
        {
            "$schema": "http://json-schema.org/draft-04/schema#",
            "type": "object",
            "properties": {"parts": {"type": "array", "items": {"$ref": "#/definitions/Part"}}},
            "definitions": {"Part": {"$ref": "#", "type": "object"}},
        },
    ),
    "lists_of_texts_behind_references_among_pairs": (
        "gemini-json-schema",
        {
            **CLOSED,
            "patternProperties": {
                "^a": {"enum": ["x", "y"]},
                "^b": {"$ref": "#/$defs/Z"},
                "^c": {"type": "integer"},
            },
            "$defs": {"Z": {"enum": ["z"], "description": "the last"}},
        },
    ),
    "an_open_object_that_only_says_what_keys_it_does_not_have": (
        "openai-strict",
        {
            **CLOSED,
            "properties": {"a": {"patternProperties": {"^x": False}, "minProperties": 1}},
            "required": ["a"],
        },
    ),
    "recursion_through_a_constraint_beside_a_reference": (
        "gemini-openapi",
        {
            "$ref": "#/$defs/N",
            "$defs": {
                "N": {
                    "type": "object",
                    "properties": {
                        "x": within({"anyOf": [{"type": "string"}, ARM]}, "a"),
                        "y": True,
                    },
                }
            },
        },
    ),
    "recursion_of_many_definitions_written_out": (
        "gemini-openapi",
        {
            "allOf": [{"$ref": f"#/$defs/{name}0"} for name in "xyz"],
            "$defs": {
                f"{name}{i}": {
                    "type": "object",
                    "properties": {"a": {"$ref": f"#/$defs/{name}{(i + 1) % many}"}},
                    "minProperties": i % 2,
                }
                for name, many in {"x": 2, "y": 3, "z": 5}.items()
                for i in range(many)
            },
        },
    ),
    "maps_inside_maps_hoisted": ("groq-strict", MAPS),
    "maps_inside_maps_where_there_are_no_definitions": ("outlines-core", MAPS),
    "a_form_that_holds_itself": (
        "mcp-elicitation",
        {"type": "object", "properties": {"name": {"type": "string"}, "next": {"$ref": "#"}}},
    ),
}


MORE: dict[str, Any] = {
    "keys": {"patternProperties": {"^p": {"$ref": "#/$defs/x0"}, "q$": {"type": "string"}}},
    "arms": {"oneOf": [{"required": ["x"]}, {"required": ["y"]}]},
}


def many_to_merge(more: dict[str, Any]) -> dict[str, Any]:
    """Four rings of definitions, all about the same value: merged they are a ring of 210, which is too much work."""
    rings = {"x": 2, "y": 3, "z": 5, "w": 7}
    return {
        "allOf": [{"$ref": f"#/$defs/{name}0"} for name in rings],
        "$defs": {
            f"{name}{i}": {
                "type": "object",
                "properties": {
                    "a": {"$ref": f"#/$defs/{name}{(i + 1) % many}"},
                    name: {"type": "string", "minLength": i},
                },
                **(more if name == "x" else {}),
            }
            for name, many in rings.items()
            for i in range(many)
        },
    }


@pytest.mark.parametrize("more", MORE)
@pytest.mark.parametrize("dialect", ["chat-compat", "cloudflare", "fireworks", "groq-non-strict"])
def test_what_is_not_merged_stays_so(dialect: str, more: str) -> None:
    schema = many_to_merge(MORE[more])
    assert not broken_laws(schema, dialect, [{"a": {"a": {}}}, {"x": "1", "y": "2"}])


def test_what_is_not_merged_keeps_the_shape_of_a_part() -> None:
    compiled = ws.compile(many_to_merge({}), "groq-strict")
    codes = {note.code for note in compiled.report.notes}
    assert "WS229" in codes
    assert "WS219" not in codes, "an arbitrary value"


def test_that_part_is_a_reference_where_there_is_one() -> None:
    schema = many_to_merge({})
    for definition in schema["$defs"].values():
        of_a = definition["properties"]
        of_a["a"] = {"allOf": [{"not": {"required": ["no"]}}, of_a["a"]]}
    compiled = ws.compile(schema, "groq-strict")
    codes = {note.code for note in compiled.report.notes}
    assert "WS229" in codes
    assert "WS219" not in codes, "an arbitrary value"


@pytest.mark.parametrize("name", TWICE)
def test_the_second_time_is_the_first(name: str) -> None:
    dialect, schema = TWICE[name]
    compiled = ws.compile(schema, dialect)
    broken = [*laws.accepted(compiled), *laws.stable(compiled, ws.Options())]
    assert not broken, "\n".join(map(str, broken))
