"""The dialect's reading of a wire schema, as standard JSON Schema."""

from __future__ import annotations

import copy
from dataclasses import replace

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wireshape.dialect import Dialect, Strings, Unions, dialect, dialects
from wireshape.reading import as_json_schema

XAI, OPENAPI, GEMINI = (
    dialect("xai-strict"),
    dialect("gemini-openapi"),
    dialect("gemini-json-schema"),
)
OLD = Dialect(id="old", draft="draft4")


@pytest.mark.parametrize("name", ["lenient", "tools-lenient", "openai-strict", "anthropic-strict"])
def test_rows_that_read_plainly_return_the_same_object(name):
    wire = {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object"}
    assert as_json_schema(wire, dialect(name)) is wire


def test_a_verbatim_row_is_never_rewritten():
    wire = {"type": "STRING"}
    assert as_json_schema(wire, replace(XAI, root=dialect("lenient").root)) is wire


@pytest.mark.parametrize(
    ("d", "wire", "read"),
    [
        (XAI, {"type": "object"}, {"type": "object", "additionalProperties": False}),
        (XAI, {"properties": {}}, {"properties": {}, "additionalProperties": False}),
        (XAI, {"type": ["object", "null"]}, {"type": ["object", "null"], "additionalProperties": False}),
        (XAI, {"type": "object", "additionalProperties": True}, {"type": "object", "additionalProperties": True}),
        (XAI, {"$ref": "#/$defs/a"}, {"$ref": "#/$defs/a"}),
        (XAI, {"type": "string", "pattern": "a."}, {"type": "string", "pattern": r"^(?:a[\s\S])$"}),
        (XAI, {"maxLength": 2048, "minLength": 2049}, {"maxLength": 2048}),
        (XAI, {"maxItems": 257, "minItems": 256}, {"minItems": 256}),
        (XAI, {"maxProperties": 65, "minProperties": 1}, {"minProperties": 1}),
        (XAI, {"format": "hostname"}, {}),
        (XAI, {"format": "uuid"}, {"format": "uuid"}),
        (XAI, {"oneOf": [{"type": "string"}]}, {"anyOf": [{"type": "string"}]}),
        (XAI, {"oneOf": [{}], "anyOf": [{"not": {}}]}, {"anyOf": [{}], "allOf": [{"anyOf": [{}]}]}),
        (XAI, {"oneOf": [{}], "anyOf": [{}], "allOf": [True]}, {"anyOf": [{}], "allOf": [True, {"anyOf": [{}]}]}),
        (XAI, {"allOf": [{}, {}]}, {}),
        (XAI, {"allOf": [{}]}, {"allOf": [{}]}),
        (GEMINI, {"type": "string", "pattern": "a", "minLength": 1, "not": {}, "uniqueItems": True}, {"type": "string"}),
        (GEMINI, {"type": ["STRING", "null"], "maximum": 3}, {"type": ["string", "null"], "maximum": 3}),
        (OPENAPI, {"type": "STRING", "nullable": True}, {"type": ["string", "null"]}),
        (OPENAPI, {"type": "null", "nullable": True}, {"type": "null"}),
        (OPENAPI, {"type": "string", "nullable": False}, {"type": "string"}),
        (OPENAPI, {"type": "string", "enum": ["a"], "nullable": True}, {"type": ["string", "null"], "enum": ["a", None]}),
        (OPENAPI, {"type": "string", "enum": [None], "nullable": True}, {"type": ["string", "null"], "enum": [None]}),
        (OPENAPI, {"anyOf": [{"type": "string", "nullable": True}]}, {"anyOf": [{"type": ["string", "null"]}]}),
        (OPENAPI, {"nullable": True, "anyOf": [{"type": "string"}], "$defs": {}}, {"$defs": {}, "anyOf": [{"anyOf": [{"type": "string"}]}, {"type": "null"}]}),
        (OPENAPI, {"minimum": 1, "exclusiveMinimum": True}, {"exclusiveMinimum": 1}),
        (OPENAPI, {"maximum": 1, "exclusiveMaximum": False}, {"maximum": 1}),
        (OLD, {"items": [{"type": "string"}], "additionalItems": False}, {"prefixItems": [{"type": "string"}], "items": False}),
        (OLD, {"items": [{"type": "string"}]}, {"prefixItems": [{"type": "string"}]}),
    ],
)  # fmt: skip
def test_reading(d, wire, read):
    before = copy.deepcopy(wire)
    assert as_json_schema(wire, d) == read
    assert wire == before


def test_names_and_data_are_not_keywords():
    wire = {
        "type": "object",
        "properties": {"pattern": {"type": "string"}, "not": {"enum": [{"type": "OBJECT"}]}},
        "default": {"type": "object", "not": 1},
        "additionalProperties": False,
        "examples": [{"oneOf": []}],
    }
    assert as_json_schema(wire, GEMINI) == wire


def test_parts_are_reached_everywhere_and_stay_shared():
    shared = {"type": "string", "format": "hostname"}
    wire = {
        "type": "array",
        "prefixItems": [shared],
        "items": shared,
        "anyOf": [shared],
        "$defs": {"a": shared},
        "additionalProperties": {"items": shared},
    }
    read = as_json_schema(wire, XAI)
    assert read["items"] == {"type": "string"}
    assert read["items"] is read["prefixItems"][0] is read["anyOf"][0] is read["$defs"]["a"]
    assert read["additionalProperties"]["items"] is read["items"]


def test_depth_and_sharing_are_no_limit():
    deep: dict = {"type": "object"}
    for _ in range(5000):
        deep = {"type": "object", "properties": {"a": deep}}
    wide: dict = {"type": "string"}
    for _ in range(100):
        wide = {"anyOf": [wide, wide]}
    for d in (XAI, OPENAPI, GEMINI):
        as_json_schema(deep, d)
        as_json_schema(wide, d)


words = st.sampled_from(
    "type properties items anyOf oneOf allOf enum const pattern format nullable minLength maxItems exclusiveMinimum "
    "minimum not $ref $defs prefixItems additionalProperties required".split()
)
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 3000)
    | st.floats()
    | st.sampled_from(["object", "string", "(", "a", "#"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=4),
    max_leaves=12,
)


@given(
    st.dictionaries(words, values, max_size=5),
    st.sampled_from([dialect(n) for n in dialects()] + [OLD]),
)
def test_any_json_is_read(wire, d):
    before = repr(wire)
    as_json_schema(wire, d)
    assert repr(wire) == before


def test_a_boolean_is_its_own_reading():
    assert as_json_schema(True, XAI) is True  # type: ignore[arg-type]


def test_the_reading_is_a_schema():
    wire = {
        "type": "OBJECT",
        "properties": {"a": {"type": "INTEGER", "nullable": True, "minimum": 0}},
        "required": ["a"],
    }
    read = as_json_schema(wire, OPENAPI)
    jsonschema.Draft202012Validator.check_schema(read)
    valid = jsonschema.Draft202012Validator(read).is_valid
    assert (
        valid({"a": None})
        and valid({"a": 1})
        and not valid({"a": 1, "b": 2})
        and not valid({"a": -1})
    )


def test_only_rows_that_ignore_lose_keywords():
    d = Dialect(
        id="x",
        strings=Strings(formats=frozenset(["uuid"]), other_formats="no"),
        unions=Unions(negation="ignored"),
    )
    assert as_json_schema({"format": "date", "not": {}}, d) == {}
