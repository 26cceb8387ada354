"""The gate: verdicts, causes, and everything that jsonschema-rs does not do by itself."""

from __future__ import annotations

import decimal
import enum
import json
import pickle
import subprocess
import sys
import threading
import time
from typing import Any

import jsonschema
import jsonschema_rs
import pytest
import referencing
from hypothesis import example, given
from hypothesis import strategies as st

import wireshape as ws
from wireshape.documents import OpenApi
from wireshape.errors import SchemaError, ValidationError
from wireshape.gate import Gate
from wireshape.plain import MAX_DEPTH, fault, is_json

LATEST = "2020-12"


def gate(schema: Any, draft: str = LATEST, **options: Any) -> Gate:
    return Gate(schema, draft, **options)


def refusal(schema: Any, value: Any, draft: str = LATEST) -> ValidationError:
    judge = gate(schema, draft)
    assert not judge.is_valid(value)
    with pytest.raises(ValidationError) as caught:
        judge.check(value)
    assert caught.value.code == "WS601"
    return caught.value


def nested(depth: int, leaf: Any = 1) -> Any:
    for _ in range(depth):
        leaf = [leaf]
    return leaf


class Colour(enum.Enum):
    RED = "red"


class Count(enum.IntEnum):
    ONE = 1


class Text(str):
    __slots__ = ()


def cycle() -> Any:
    loop: list[Any] = []
    loop.append(loop)
    return loop


def shared(depth: int) -> Any:
    value: Any = []
    for _ in range(depth):
        value = [value, value]
    return value


NOT_JSON = {
    "nan": float("nan"),
    "infinity": float("inf"),
    "minus infinity": -float("inf"),
    "tuple": (1,),
    "set": {1},
    "bytes": b"a",
    "decimal": decimal.Decimal(1),
    "enum": Colour.RED,
    "int enum": Count.ONE,
    "str subclass": Text("a"),
    "object": object(),
    "complex": 1j,
    "int key": {1: 1},
    "bool key": {True: 1},
    "None key": {None: 1},
    "str subclass key": {Text("a"): 1},
    "lone surrogate": "\ud800",
    "lone surrogate key": {"\udfff": 1},
    "too deep": nested(MAX_DEPTH + 1),
    "far too deep": nested(100_000),
    "cycle": cycle(),
}


@pytest.mark.parametrize("value", NOT_JSON.values(), ids=NOT_JSON)
@pytest.mark.parametrize(
    "schema",
    [True, {}, {"items": {"$ref": "#"}, "additionalProperties": {"$ref": "#"}}],
    ids=["true", "empty", "recursive"],
)
@pytest.mark.parametrize("place", ["root", "item", "member"])
def test_what_is_not_json_is_refused_wherever_it_stands(
    value: Any, schema: Any, place: str
) -> None:
    whole = {"root": value, "item": [0, value], "member": {"a": {"b": value}}}[place]
    error = refusal(schema, whole)
    if place == "member" and not isinstance(value, list):
        assert error.pointer == "/a/b"


def test_parts_shared_without_end_are_refused_in_time() -> None:
    start = time.monotonic()
    assert "containers" in str(refusal({}, shared(60)))
    assert time.monotonic() - start < 20


def test_deep_values_are_judged_up_to_the_cap_even_in_a_thread() -> None:
    schema = {"anyOf": [{"type": "integer"}, {"type": "array", "items": {"$ref": "#"}}]}
    seen: list[bool] = []
    stack = threading.stack_size(512 * 1024)
    try:
        thread = threading.Thread(
            target=lambda: seen.append(gate(schema).is_valid(nested(MAX_DEPTH)))
        )
        thread.start()
        thread.join()
    finally:
        threading.stack_size(stack)
    assert seen == [True]


@pytest.mark.parametrize(
    ("schema", "value", "valid"),
    [
        ({"type": "integer"}, 1.0, True),
        ({"type": "integer"}, 10**400, True),
        ({"multipleOf": 3}, 3 * 10**400, True),
        ({"multipleOf": 3}, 10**400, False),
        ({"maximum": 10**400}, 10**401, False),
        ({"minimum": 9007199254740993}, 9007199254740992, False),
        ({"multipleOf": 0.01}, 19.99, True),
        ({"multipleOf": 0.1}, 0.3, True),
        ({"multipleOf": 1e-8}, 12391239123, True),
        ({"const": 1.0}, 1, True),
        ({"const": 1}, True, False),
        ({"enum": [[1]]}, [1.0], True),
        ({"uniqueItems": True}, [1, True], True),
        ({"uniqueItems": True}, [{"a": 1}, {"a": 1.0}], False),
        ({"minLength": 2}, "😀", False),
        ({"const": 0}, -0.0, True),
        ({"pattern": "^a$"}, "a\n", False),
        ({"pattern": r"^\p{L}+$"}, "é", True),
        ({"pattern": r"^\p{L}+$"}, "1", False),
        ({"pattern": r"^\d$"}, "\u0661", False),
        ({"pattern": r"^\s$"}, "\ufeff", True),
        ({"pattern": "^.$"}, "\u2028", False),
        ({"pattern": "^.$"}, "😀", True),
        ({"pattern": "^(?!foo)"}, "foo", False),
        ({"pattern": r"^(a)\1$"}, "aa", True),
        ({"format": "date"}, "2023-02-29", False),
        ({"format": "uuid"}, "x", False),
        ({"format": "made-up"}, "x", True),
    ],
)
def test_the_text_of_json_schema_decides(schema: Any, value: Any, valid: bool) -> None:
    assert gate(schema).is_valid(value) is valid


@pytest.mark.parametrize(
    "pattern", ["^(a|aa)+(?!b)$", r"^((a+)\2?)+$", "^(?:a|a)+(?<=c)$", "(a+)+$", "^(a+)+$"]
)
@pytest.mark.parametrize("shape", ["plain", "not", "if", "property names", "contains", "one of"])
def test_a_pattern_that_gives_up_never_accepts(pattern: str, shape: str) -> None:
    text = "a" * 60 + "b"
    p = {"pattern": pattern}
    schema, value = {
        "plain": (p, text),
        "not": ({"not": p}, text),
        "if": ({"if": p, "then": False, "else": False}, text),
        "property names": ({"propertyNames": p}, {text: 1}),
        "contains": ({"contains": p}, [text]),
        "one of": ({"oneOf": [p, {"maxLength": 3}]}, text),
    }[shape]
    start = time.monotonic()
    if shape == "not" and pattern in {"(a+)+$", "^(a+)+$"}:
        assert gate(schema).is_valid(value)  # linear engine: the pattern is simply not found
    else:
        refusal(schema, value)
    assert time.monotonic() - start < 3


def test_formats_are_asserted_unless_told_otherwise() -> None:
    assert not gate({"format": "email"}).is_valid("nobody")
    assert gate({"format": "email"}, assert_formats=False).is_valid("nobody")


@pytest.mark.parametrize(
    ("schema", "value", "pointer", "words"),
    [
        ({"type": "string"}, 1, "", ["number", "`type`", "string"]),
        (
            {"properties": {"a/b": {"type": ["null", "string"]}}},
            {"a/b": []},
            "/a~1b",
            ["array", "null or string"],
        ),
        ({"required": ["a"]}, {}, "", ["'a'", "`required`", "add"]),
        (
            {"additionalProperties": False, "properties": {"a": True}},
            {"x": 1, "a": 1},
            "",
            ["'x'", "`additionalProperties`"],
        ),
        ({"additionalProperties": False}, {"x": 1}, "", ["`additionalProperties`"]),
        ({"properties": {"a": False}}, {"a": 1}, "/a", ["`false`"]),
        ({"unevaluatedProperties": False}, {"x": 1}, "", ["'x'", "`unevaluatedProperties`"]),
        ({"enum": [1, 2]}, 3, "", ["`enum`", "1, 2"]),
        ({"enum": list(range(20))}, 30, "", ["12 more"]),
        ({"const": "a"}, "b", "", ["`const`", "'a'"]),
        ({"pattern": "^a"}, "b", "", ["`pattern`", "'^a'"]),
        ({"pattern": "a" * 200}, "b", "", ["..."]),
        ({"format": "date"}, "b", "", ["`format`", "'date'"]),
        ({"minimum": 3}, 1, "", ["`minimum`", "3"]),
        ({"multipleOf": 3}, 1, "", ["`multipleOf`", "3"]),
        ({"minItems": 3}, [], "", ["`minItems`", "3"]),
        ({"uniqueItems": True}, [1, 1], "", ["`uniqueItems`"]),
        ({"not": {}}, 1, "", ["`not`"]),
        ({"propertyNames": {"maxLength": 1}}, {"ab": 1}, "", ["`propertyNames`", "maxLength"]),
        ({"oneOf": [{}, {}]}, 1, "", ["several", "`oneOf`"]),
        ({"pattern": "^(a|aa)+(?!b)$"}, "a" * 60 + "b", "", ["gave up"]),
        ({"dependentRequired": {"a": ["b"]}}, {"a": 1}, "", ["'b'", "`dependentRequired`"]),
        ({"contains": {"type": "null"}}, [True], "", ["`contains`"]),
        ({"items": False}, [1], "/0", ["`items`"]),
        ({"if": True, "then": {"type": "string"}}, True, "", ["boolean"]),
        ({"type": "string"}, None, "", ["null"]),
        ({"type": "string"}, {}, "", ["object"]),
    ],
)
def test_the_message_tells_what_where_and_what_to_do(
    schema: Any, value: Any, pointer: str, words: list[str]
) -> None:
    error = refusal(schema, value)
    assert error.pointer == pointer
    assert all([word in str(error) for word in words]), str(error)


PETS = {
    "anyOf": [
        {
            "type": "object",
            "properties": {"kind": {"const": "cat"}, "lives": {"type": "integer"}},
            "required": ["kind"],
        },
        {
            "type": "object",
            "properties": {
                "kind": {"const": "dog"},
                "toys": {"type": "array", "items": {"type": "string"}},
            },
            "required": ["kind"],
        },
        {"type": "null"},
    ]
}


@pytest.mark.parametrize(
    ("schema", "value", "pointer", "word"),
    [
        (PETS, {"kind": "dog", "toys": ["ball", 3]}, "/toys/1", "type"),
        (PETS, 3, "", "anyOf"),
        (
            {"properties": {"pet": PETS}},
            {"pet": {"kind": "dog", "toys": [3]}},
            "/pet/toys/0",
            "type",
        ),
        ({"oneOf": [{"type": "null"}, {"type": "string", "minLength": 3}]}, "a", "", "minLength"),
        ({"oneOf": [{"const": 1}, {"const": 2}]}, 3, "", "oneOf"),
        (
            {
                "anyOf": [
                    {"anyOf": [{"type": "null"}, {"properties": {"x": {"type": "null"}}}]},
                    {"type": "null"},
                ]
            },
            {"x": 1},
            "/x",
            "type",
        ),
        ({"anyOf": [{"minimum": 3}, {"maximum": 1}]}, 2, "", "anyOf"),
    ],
)
def test_the_cause_is_the_arm_that_came_furthest(
    schema: Any, value: Any, pointer: str, word: str
) -> None:
    error = refusal(schema, value)
    assert (error.pointer, f"`{word}`" in str(error)) == (pointer, True), str(error)


def test_what_no_value_may_be_and_what_no_key_may_be() -> None:
    refused = refusal({"properties": {"a": False}}, {"a": 1})
    assert (refused.pointer, "`false`" in str(refused)) == ("/a", True)
    named = refusal({"propertyNames": {"maxLength": 1}}, {"ab": 1})
    assert (named.pointer, "`propertyNames`" in str(named)) == ("", True)


@pytest.mark.parametrize(
    ("draft", "schema", "value", "valid"),
    [
        ("draft4", {"minimum": 1, "exclusiveMinimum": True}, 1, False),
        ("draft4", {"type": "integer"}, 1.0, False),
        ("draft6", {"type": "integer"}, 1.0, True),
        ("draft7", {"if": {"const": 1}, "then": False}, 1, False),
        ("2019-09", {"unevaluatedProperties": False}, {"a": 1}, False),
        ("openapi-3.1", {"type": ["string", "null"]}, None, True),
        ("openapi-3.0", {"type": "string", "nullable": True}, None, True),
        ("openapi-3.0", {"type": "string", "nullable": False}, None, False),
        ("openapi-3.0", {"type": "string", "nullable": True, "enum": ["a"]}, None, True),
        ("openapi-3.0", {"type": "string", "nullable": True, "enum": ["a"]}, "b", False),
        ("openapi-3.0", {"nullable": True, "anyOf": [{"type": "string"}]}, None, True),
        (
            "openapi-3.0",
            {"properties": {"nullable": {"type": "boolean"}}, "example": {"nullable": True}},
            {"nullable": 1},
            False,
        ),
        (
            "openapi-3.0",
            {"items": {"type": "string", "nullable": True}, "allOf": [{"type": "array"}]},
            [None],
            True,
        ),
        ("openapi-3.0", {"minimum": 1, "exclusiveMinimum": True}, 1, False),
        ("2020-12", {"type": "string", "nullable": True}, None, False),
        ("2020-12", True, None, True),
    ],
)
def test_drafts(draft: str, schema: Any, value: Any, valid: bool) -> None:
    assert gate(schema, draft).is_valid(value) is valid


def test_openapi_conversion_touches_schema_positions_only() -> None:
    source = {
        "default": {"nullable": True},
        "enum": [{"nullable": True}],
        "properties": {"a": True},
    }
    assert OpenApi(source).document == source
    assert OpenApi({"$ref": "#/a", "nullable": True}).document == {"$ref": "#/a"}


NULLABLE = {"type": "object", "properties": {"b": {"type": "string", "nullable": True}}}
DEEP = {"x-a": [{"$ref": "#/x-b~1c/d e"}], "x-b/c": {"d e": NULLABLE}}
REACHED: dict[str, tuple[Any, dict[str, Any]]] = {
    "component": ({"$ref": "#/components/schemas/D", "components": {"schemas": {"D": NULLABLE}}}, {}),
    "extension": ({"allOf": [{"$ref": "#/x-foo"}], "x-foo": NULLABLE}, {}),
    "chain": ({"$ref": "#/x-a/0", **DEEP}, {}),
    "percent": ({"$ref": "#/x-b~1c/d%20e", **DEEP}, {}),
    "default": ({"$ref": "#/default", "default": NULLABLE}, {}),
    "under not": ({"$ref": "#/x-t", "x-t": {"type": "object", "not": {"not": {"additionalProperties": {"type": "string", "nullable": True}}}}}, {}),
    "in an arm beside null": ({"$ref": "#/x-n/anyOf/0", "x-n": {"nullable": True, "anyOf": [NULLABLE]}}, {}),
    "in nested arms": ({"$ref": "#/x-n/allOf/0/oneOf/1", "x-n": {"nullable": True, "allOf": [{"nullable": True, "oneOf": [False, NULLABLE]}]}}, {}),
    "another document": ({"$ref": "https://example.org/api#/components/schemas/D"}, {"components": {"schemas": {"D": NULLABLE}}}),
    "arm in another document": ({"$ref": "https://example.org/api#/x-n/oneOf/0"}, {"x-n": {"nullable": True, "oneOf": [NULLABLE]}}),
    "chain in another document": ({"$ref": "https://example.org/api#/x-a"}, {"x-a": {"$ref": "#/x-b"}, "x-b": NULLABLE}),
    "back from another document": ({"id": "https://example.org/me", "properties": {"q": {"$ref": "https://example.org/api#/x-a"}}, "allOf": [{"$ref": "https://example.org/api#/x-a"}], "x-own": NULLABLE}, {"x-a": {"$ref": "https://example.org/me#/x-own"}}),
}  # fmt: skip


@pytest.mark.parametrize(("schema", "other"), REACHED.values(), ids=REACHED)
def test_openapi_holds_wherever_a_reference_leads(schema: Any, other: Any) -> None:
    before = json.dumps([schema, other])
    registry = {"https://example.org/api": other}
    judge = gate(schema, "openapi-3.0", registry=registry)
    assert judge.is_valid({"b": None}) and judge.is_valid({"b": "x"})
    assert not judge.is_valid({"b": 1}) and not judge.is_valid(None)
    options = ws.Options(draft="openapi-3.0", registry=registry)
    compiled = ws.compile(schema, "openai-strict", options=options)
    assert compiled.decode(compiled.encode({"b": None})) == {"b": None}
    assert json.dumps([schema, other]) == before


def test_openapi_anchors_stay_as_they_are() -> None:
    named = {"id": "#a/b", "type": "string", "nullable": True}
    judge = gate({"items": {"$ref": "#a/b"}, "definitions": {"x": named}}, "openapi-3.0")
    assert judge.is_valid([None, "a"]) and not judge.is_valid([1])


def test_a_document_in_another_draft_has_no_nullable() -> None:
    other = {
        "$schema": "http://json-schema.org/draft-04/schema#",
        "definitions": {"n": {"nullable": True, "anyOf": [{"type": "string"}]}},
    }
    schema = {"items": [{"$ref": "urn:o#/definitions/n"}, {"$ref": "urn:o#/definitions/n/anyOf/0"}]}
    judge = gate(schema, "openapi-3.0", registry={"urn:o": other})
    assert judge.is_valid(["a", "a"])
    assert not judge.is_valid([None]) and not judge.is_valid(["a", None])


def test_openapi_positions_and_dependencies_admit_null() -> None:
    text = {"type": "string", "nullable": True}
    judge = gate({"items": [text], "additionalItems": text}, "openapi-3.0")
    assert judge.is_valid([None, None, "a"]) and not judge.is_valid([None, 1])
    judge = gate({"dependencies": {"a": {"properties": {"b": text}}}}, "openapi-3.0")
    assert judge.is_valid({"a": 1, "b": None}) and not judge.is_valid({"a": 1, "b": 1})


def test_registry_documents_are_found_and_nothing_is_fetched() -> None:
    schema = {"$ref": "https://example.org/n"}
    assert not gate(schema, registry={"https://example.org/n": {"type": "integer"}}).is_valid("a")
    resource = referencing.Resource.opaque({"type": "integer"})
    assert not gate(
        schema, registry=referencing.Registry().with_resource("https://example.org/n", resource)
    ).is_valid("a")
    with pytest.raises(SchemaError):
        gate(schema).is_valid(1)


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "nothing"},
        {"pattern": "("},
        {"$ref": "#/$defs/none"},
        {"const": "\ud800"},
        {"minLength": -1},
        5,
    ],
)
def test_a_schema_that_does_not_compile_is_a_schema_error(schema: Any) -> None:
    with pytest.raises(SchemaError) as caught:
        gate(schema).check(1)
    assert caught.value.code == "WS110"
    assert "\n" not in str(caught.value)


def test_an_unknown_draft_is_a_schema_error() -> None:
    with pytest.raises(SchemaError, match="draft9"):
        gate({}, "draft9").is_valid(1)


def test_a_gate_pickles_with_and_without_its_validator() -> None:
    judge = gate(
        {"$ref": "https://example.org/n"}, registry={"https://example.org/n": {"type": "integer"}}
    )
    for _ in range(2):
        assert not pickle.loads(pickle.dumps(judge)).is_valid("a")
        judge.is_valid(1)


def test_values_of_a_parser_skip_the_walk() -> None:
    assert gate({"type": "object"}).accepts({"a": 1})
    assert not gate({"type": "string"}).accepts("\ud800")
    assert not gate({"type": "string"}).accepts(object())


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(JSON)
def test_every_json_value_is_plain_json(value: Any) -> None:
    assert is_json(json.loads(json.dumps(value)))
    assert gate({}).is_valid(value)


PYTHON = st.recursive(
    st.none()
    | st.integers()
    | st.floats()
    | st.text(st.characters())
    | st.binary()
    | st.sampled_from([Colour.RED, Count.ONE, Text("a"), object, 1j]),
    lambda inner: (
        st.lists(inner)
        | st.tuples(inner)
        | st.dictionaries(st.none() | st.integers() | st.text(), inner, max_size=3)
    ),
    max_leaves=8,
)
STRICT = {
    "anyOf": [
        {
            "type": ["array", "object"],
            "items": {"$ref": "#"},
            "additionalProperties": {"$ref": "#"},
        },
        {"type": ["number", "string"]},
    ]
}


@given(PYTHON)
@example([(1, {2: 3})])
def test_total_on_python_values(value: Any) -> None:
    judge = gate(STRICT)
    if judge.is_valid(value):
        judge.check(value)
        assert is_json(value)
    else:
        with pytest.raises(ValidationError):
            judge.check(value)
    if not is_json(value):
        assert fault(value)[1]


@given(
    JSON,
    st.sampled_from(
        [
            STRICT,
            PETS,
            {"uniqueItems": True},
            {"minProperties": 1},
            {"not": {"type": "array"}},
            {"multipleOf": 2},
        ]
    ),
)
def test_the_second_opinion_agrees(value: Any, schema: Any) -> None:
    assert gate(schema).is_valid(value) is jsonschema.Draft202012Validator(schema).is_valid(value)


def test_the_validator_alone_would_die_on_depth() -> None:
    """Why depth is capped: when this fails, jsonschema-rs no longer overflows the stack and the cap may go."""
    code = "import jsonschema_rs as j\nx = 1\nfor _ in range(100_000): x = [x]\nj.Draft202012Validator({'items': {'$ref': '#'}}).is_valid(x)"
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, check=False).returncode
        != 0
    )


def test_the_validator_alone_would_take_what_is_not_json() -> None:
    """Why values are walked first."""
    judge = jsonschema_rs.Draft202012Validator({})
    assert all(
        [
            judge.is_valid([bad])
            for bad in (float("nan"), (1,), {1}, {1: 1}, decimal.Decimal(1), "\ud800")
        ]
    )


@pytest.mark.parametrize("name", ["Größe", "List[int]", "a b", "Foo<Bar>", "a#b", "用户"])
def test_references_that_are_written_as_they_read(name: str) -> None:
    schema = {
        "properties": {"x": {"$ref": f"#/$defs/{name}"}, "$ref": {"enum": [{"$ref": "é"}]}},
        "$defs": {name: {"type": "integer"}},
    }
    held = gate(schema)
    assert held.is_valid({"x": 1, "$ref": {"$ref": "é"}})
    assert not held.is_valid({"x": "1"})


def test_an_error_among_exponentially_many_is_found_at_once() -> None:
    arms = {f"d{i}": {"allOf": [{"$ref": f"#/$defs/d{i + 1}"}] * 2} for i in range(40)}
    held = gate({"$ref": "#/$defs/d0", "$defs": {**arms, "d40": {"type": "string"}}})
    with pytest.raises(ValidationError, match="`type`"):
        held.check(3)


@pytest.mark.parametrize(
    ("schema", "value", "pointer"),
    [
        ({"properties": {"": {"type": "integer"}}}, {"": "x"}, "/"),
        ({"properties": {"": {"additionalProperties": {"type": "integer"}}}}, {"": {"": "x", "a": 1}}, "//"),
        ({"items": {"additionalProperties": {"additionalProperties": {"type": "null"}}}}, [{"": {}}, {"a": {"": 1}}], "/1/a/"),
        ({"additionalProperties": {"required": ["b"]}}, {"": {}}, "/"),
        ({"properties": {"": {}, "a": {"type": "null"}}}, {"": {"a": 2}, "a": 1}, "/a"),
        ({"required": ["b"]}, {"": {}}, ""),
    ],
)  # fmt: skip
def test_the_empty_key_is_in_the_pointer(schema: Any, value: Any, pointer: str) -> None:
    with pytest.raises(ValidationError) as caught:
        gate(schema).check(value)
    assert caught.value.pointer == pointer


@pytest.mark.parametrize(
    ("value", "pointer"),
    [
        ({"0": None, "": []}, "/0"),
        ({"": {"0": None}, "0": "a"}, "//0"),
        ({"": [[]], "0": [None]}, "//0"),
    ],
)
def test_where_keys_are_empty_or_look_like_positions(value: Any, pointer: str) -> None:
    only: Any = {"enum": ["a"]}
    schema = {
        "properties": {
            "0": {"anyOf": [only, {"type": ["null", "array"]}]} if pointer != "/0" else only,
            "": {"properties": {"0": only}, "items": {"items": only, "minItems": 1}},
        }
    }
    with pytest.raises(ValidationError) as caught:
        Gate(schema, "2020-12").check(value)
    assert caught.value.pointer == pointer


def test_a_reference_into_a_part_of_a_nullable_schema_finds_it() -> None:
    part = {"type": "string", "minLength": 2}
    source = {"properties": {"b": {"$ref": "#/definitions/x/allOf/0"}}, "definitions": {"x": {"nullable": True, "allOf": [part]}}}  # fmt: skip
    c = ws.compile(source, "lenient", options=ws.Options(draft="openapi-3.0"))
    assert c.validate({"b": "ab"}) == {"b": "ab"}
    with pytest.raises(ws.ValidationError, match="minLength"):
        c.validate({"b": "a"})
