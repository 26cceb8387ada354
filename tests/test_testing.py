"""What users of `wireshape.testing` rely on: well-formed schemas, valid values, an honest judge of the wire."""

from __future__ import annotations

import doctest
import json
from importlib import import_module
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample, Unsatisfiable, UnsatisfiedAssumption

import wireshape as ws
import wireshape.testing as testing
from wireshape.documents import OpenApi
from wireshape.testing import (
    FEATURES,
    Verdicts,
    broken_laws,
    json_values,
    laws,
    mutations,
    same_json,
    schemas,
    values,
    wire_validator,
    wire_values,
)
from wireshape.testing.laws import Breach
from wireshape.testing.verdicts import without_twins

DRAFTS = {
    "draft4": jsonschema.Draft4Validator,
    "draft6": jsonschema.Draft6Validator,
    "draft7": jsonschema.Draft7Validator,
    "2019-09": jsonschema.Draft201909Validator,
    "2020-12": jsonschema.Draft202012Validator,
    "openapi-3.0": jsonschema.Draft4Validator,
}
SMALL = settings(max_examples=30, suppress_health_check=list(HealthCheck), phases=[Phase.generate])


@pytest.mark.parametrize("draft", DRAFTS)
def test_schemas_are_well_formed_in_their_draft(draft: str) -> None:
    @SMALL
    @given(schemas(drafts=[draft]))
    def check(schema: Any) -> None:
        DRAFTS[draft].check_schema(schema)

    check()


@pytest.mark.parametrize("draft", DRAFTS)
def test_values_are_valid_by_the_second_opinion(draft: str) -> None:
    @SMALL
    @given(schemas(drafts=[draft], features=FEATURES - {"format"}), st.data())
    def check(schema: Any, data: st.DataObject) -> None:
        try:
            value = data.draw(values(schema, ws.Options(draft=draft)))
        except (UnsatisfiedAssumption, ws.SchemaError):
            return
        document = OpenApi(schema).document if draft == "openapi-3.0" else schema
        assert DRAFTS[draft](document).is_valid(value)

    check()


def keywords(schema: Any) -> set[str]:
    if isinstance(schema, dict):
        return set(schema) | {k for v in schema.values() for k in keywords(v)}
    return {k for v in schema for k in keywords(v)} if isinstance(schema, list) else set()


def test_features_cover_the_vocabulary() -> None:
    seen: set[str] = set()

    @settings(SMALL, max_examples=600, derandomize=True)
    @given(schemas())
    def collect(schema: Any) -> None:
        seen.update(keywords(schema))

    collect()
    due = (
        "type enum const minimum maximum multipleOf minLength maxLength pattern format minItems maxItems uniqueItems items prefixItems "
        "properties required additionalProperties patternProperties propertyNames minProperties anyOf oneOf allOf $ref $defs not description"
    )
    assert set(due.split()) <= seen


def test_features_limit_what_is_used() -> None:
    @SMALL
    @given(schemas(features={"object", "string"}))
    def check(schema: Any) -> None:
        assert not keywords(schema) & {
            "anyOf",
            "oneOf",
            "$ref",
            "minLength",
            "pattern",
            "enum",
            "items",
        }

    check()
    with pytest.raises(ValueError, match="made-up"):
        schemas(features={"made-up"})


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string", "pattern": "^[A-Z]{3}-\\d+$"},
        {"type": "string", "pattern": "b", "minLength": 4},
        {"type": "string", "format": "date-time"},
        {"type": "array", "uniqueItems": True, "items": {"enum": [1, 2, 3]}, "minItems": 3},
        {"type": "array", "contains": {"const": "needle"}, "items": {"type": "string"}},
        {
            "type": "object",
            "propertyNames": {"pattern": "^x"},
            "minProperties": 2,
            "additionalProperties": {"type": "integer"},
        },
        {
            "type": "object",
            "patternProperties": {"^a": {"type": "integer"}},
            "additionalProperties": False,
        },
        {
            "type": "object",
            "properties": {"a": {"type": "integer"}, "b": {"type": "null"}},
            "dependentRequired": {"a": ["b"]},
        },
        {
            "type": "object",
            "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
            "anyOf": [{"required": ["a"]}, {"required": ["b"]}],
        },
        {
            "$defs": {
                "N": {
                    "type": "object",
                    "properties": {"next": {"anyOf": [{"$ref": "#/$defs/N"}, {"type": "null"}]}},
                    "required": ["next"],
                }
            },
            "$ref": "#/$defs/N",
        },
        {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
        {"type": "integer", "multipleOf": 7, "minimum": 50, "maximum": 60},
        {"oneOf": [{"type": "integer", "minimum": 3}, {"type": "integer", "maximum": 5}]},
        {
            "prefixItems": [{"type": "string"}, {"type": "integer"}],
            "items": False,
            "type": "array",
            "minItems": 1,
        },
        {},
        True,
    ],
)
def test_values_are_found(schema: Any) -> None:
    found: list[Any] = []

    @settings(SMALL, max_examples=15)
    @given(values(schema))
    def collect(value: Any) -> None:
        found.append(value)

    collect()
    assert found
    assert all([jsonschema.Draft202012Validator(schema).is_valid(value) for value in found])


def test_values_of_nothing_are_unsatisfiable() -> None:
    with pytest.raises((NoSuchExample, Unsatisfiable)):
        find(values(False), lambda value: True)


def test_values_of_a_compilation_are_those_of_its_source() -> None:
    compiled = ws.compile({"enum": ["a"]}, "openai-strict")
    assert find(values(compiled), lambda value: True) == "a"
    assert find(wire_values(compiled), lambda wire: True) == {"value": "a"}


def test_wire_values_have_slack() -> None:
    compiled = ws.compile(
        {
            "type": "object",
            "properties": {"m": {"type": "object", "additionalProperties": {"type": "integer"}}},
            "required": ["m"],
            "additionalProperties": False,
        },
        "openai-strict",
    )

    def repeats(wire: Any) -> bool:
        keys = [entry["key"] for entry in wire["m"]]
        return len(set(keys)) < len(keys)

    wire = find(wire_values(compiled), repeats)
    with pytest.raises(ws.DecodeError):
        compiled.decode(wire)


@given(json_values(), st.data())
def test_mutations_are_json_and_leave_the_value_alone(value: Any, data: st.DataObject) -> None:
    text = json.dumps(value)
    json.dumps(data.draw(mutations(value)))
    assert json.dumps(value) == text


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        (1, 1.0, True),
        (True, 1, False),
        (0, False, False),
        (None, 0, False),
        ("1", 1, False),
        ([1], [1.0], True),
        ([1], [1, 1], False),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ({"a": 1}, {"b": 1}, False),
        ([], {}, False),
        ([], 0, False),
        (1, [], False),
    ],
)
def test_json_equality(left: Any, right: Any, same: bool) -> None:
    assert same_json(left, right) is same


def test_json_equality_of_deep_values() -> None:
    left, right = 1, 1
    for _ in range(50_000):
        left, right = [left], [right]  # type: ignore[assignment]
    assert same_json(left, right)


def test_the_wire_validator_judges_in_the_reading_of_the_dialect() -> None:
    judge = wire_validator(
        ws.compile(
            {
                "type": "object",
                "properties": {"d": {"type": "string", "format": "date"}},
                "required": ["d"],
            },
            "openai-strict",
        )
    )
    assert judge.is_valid({"d": "2024-01-01"})
    assert not judge.is_valid({"d": "soon"})
    assert not judge.is_valid({"d": "\ud800"})
    assert [error.kind.name for error in judge.iter_errors({})] == ["required"]


def test_broken_laws_are_told() -> None:
    assert broken_laws({"type": "string"}, "openai-strict", ["a", 1]) == []
    assert str(Breach(law=2, value=[1], detail="lost")) == "law 2: lost; value [1]"


def test_verdicts_on_values_are_shared_by_rows_that_send_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Not by rows that read the same text differently, nor by those whose codec or report differs."""
    verdicts = Verdicts({"type": "object", "properties": {"n": {"type": "integer"}}}, [{"n": 1}])

    def tell(compiled: ws.Compiled, *_: Any) -> list[Breach]:
        return [Breach(law=2, value=None, detail=compiled.dialect.id)]

    monkeypatch.setattr(laws, "complete", tell)
    rows = ["openai-strict", "azure-openai-strict", "lenient", "gemini-openapi"]
    judged = [[b.detail for b in verdicts.broken(row)] for row in rows]
    assert judged == [["openai-strict"], ["openai-strict"], ["lenient"], ["gemini-openapi"]]


def test_rows_are_twins_where_they_state_the_same_about_schemas() -> None:
    assert without_twins(["sambanova", "together", "xai-strict"]) == ["sambanova", "xai-strict"]
    differ = ["azure-openai-strict", "openai-strict"]
    assert [row for row in without_twins(ws.dialects()) if row in differ] == differ


def test_what_could_be_sent_and_is_not_breaks_a_law() -> None:
    told = ws.compile({"type": "string", "maxLength": 3}, "anthropic-strict")
    assert laws.tight({"type": "string", "maxLength": 3}, told) == []
    artifact = json.loads(told.to_json())
    artifact["dialect"] = json.loads(ws.compile({}, "lenient").to_json())["dialect"]
    takes_all = ws.Compiled.from_json(json.dumps(artifact))
    assert [b.law for b in laws.tight({"type": "string", "maxLength": 3}, takes_all)] == [10]


def test_a_count_of_keys_that_are_partly_in_pairs_cannot_be_sent() -> None:
    schema = {"type": "object", "additionalProperties": True, "minProperties": 1}
    keys = {"properties": {"a": {}}, "propertyNames": {"pattern": "^a"}}
    told = ws.compile(schema | keys, "llguidance")
    assert {note.code for note in told.report.notes} >= {"WS201", "WS215"}
    assert laws.tight(schema | keys, told) == []


def test_a_changed_schema_or_value_is_not_identical() -> None:
    same = ws.compile({"type": "string"}, "lenient")
    assert laws.identical({"type": "string"}, same, "a") == []
    assert [b.law for b in laws.identical({"type": "integer"}, same, "a")] == [7]
    pairs = {"type": "object", "additionalProperties": {"type": "integer"}}
    mapped = ws.compile(pairs, "openai-strict")
    assert [b.law for b in laws.identical(mapped.schema, mapped, {"value": []})] == [7]


def test_unknown_names_are_attribute_errors() -> None:
    with pytest.raises(AttributeError, match="nothing"):
        testing.nothing  # noqa: B018


@pytest.mark.parametrize(
    "name", ["equality", "laws", "schema_strategies", "value_strategies", "verdicts", "wire"]
)
def test_doctests(name: str) -> None:
    result = doctest.testmod(import_module(f"wireshape.testing.{name}"))
    assert result.attempted
    assert not result.failed
