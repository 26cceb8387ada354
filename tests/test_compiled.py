"""A compilation is immutable, can be shared and sent, and answers any value with a result or a typed error."""

from __future__ import annotations

import copy
import json
import pickle
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

import wireshape as ws

MAJORS: list[str] = json.loads(
    (Path(__file__).parents[1] / "golden" / "rows.json").read_text("utf-8")
)["every_case"]

INTEGER: Any = {"type": "integer"}
MAP: Any = {"type": "object", "additionalProperties": INTEGER}
ORDER: Any = {
    "type": "object",
    "properties": {
        "id": INTEGER,
        "note": {"type": "string"},
        "lines": {"type": "array", "items": {"$ref": "#/$defs/Line"}},
        "meta": MAP,
        "more": {"anyOf": [MAP, {"type": "array", "items": INTEGER}]},
    },
    "required": ["id"],
    "additionalProperties": False,
    "$defs": {
        "Line": {
            "type": "object",
            "properties": {"sku": {"type": "string"}, "sub": {"$ref": "#/$defs/Line"}},
            "additionalProperties": False,
        }
    },
}
VALUE: Any = {
    "id": 1,
    "lines": [{"sku": "a", "sub": {"sku": "b"}}, {}],
    "meta": {"x": 1},
    "more": {"y": 2},
}
WIRE: Any = {
    "id": 1,
    "note": None,
    "lines": [
        {"sku": "a", "sub": {"sku": "b", "sub": None}},
        {"sku": None, "sub": None},
    ],
    "meta": [{"key": "x", "value": 1}],
    "more": {"arm": "object", "value": [{"key": "y", "value": 2}]},
}


def order() -> ws.Compiled:
    return ws.compile(copy.deepcopy(ORDER), "openai-strict", name="order")


def nested(depth: int, key: str | None = None) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value] if key is None else {key: value}
    return value


def test_both_directions() -> None:
    compiled = order()
    assert compiled.encode(VALUE) == WIRE
    assert compiled.decode(WIRE) == VALUE
    assert compiled.validate(VALUE) is VALUE


def test_what_it_tells_of_itself() -> None:
    compiled = order()
    assert compiled.name == "order"
    assert compiled.dialect is ws.dialect("openai-strict")
    assert repr(compiled) == "<Compiled for openai-strict: exact, 9 notes>"
    assert len(compiled.report.notes) == 9
    loose = ws.compile({"not": INTEGER}, "openai-strict")
    assert repr(loose).startswith("<Compiled for openai-strict: not exact")


@pytest.mark.parametrize("dialect", ws.dialects())
def test_pickle(dialect: str) -> None:
    compiled = ws.compile(ORDER, dialect)
    wire = compiled.encode(VALUE)
    again = pickle.loads(pickle.dumps(compiled))
    assert again.schema == compiled.schema
    assert again.report == compiled.report
    assert again.encode(VALUE) == wire
    assert again.decode(wire) == VALUE
    assert again.to_json() == compiled.to_json()


class Line(BaseModel):
    sku: str
    count: int = 1


def test_pickle_of_what_is_bound_to_a_type() -> None:
    again = pickle.loads(pickle.dumps(ws.compile(Line, "openai-strict")))
    assert again.validate(again.decode({"sku": "a", "count": None})) == Line(sku="a")


def test_errors_survive_pickling() -> None:
    with pytest.raises(ws.DecodeError) as caught:
        order().decode({**WIRE, "meta": [3]})
    again = pickle.loads(pickle.dumps(caught.value))
    assert (type(again), str(again)) == (ws.DecodeError, str(caught.value))
    assert (again.code, again.pointer, again.note) == ("WS611", "/meta/0", None)


def test_no_attribute_can_be_set() -> None:
    compiled = order()
    for name in ("schema", "report", "name", "other"):
        with pytest.raises(AttributeError):
            setattr(compiled, name, 1)


@pytest.mark.parametrize("dialect", ws.dialects())
def test_the_source_may_change_afterwards(dialect: str) -> None:
    source = copy.deepcopy(ORDER)
    compiled = ws.compile(source, dialect)
    before = compiled.to_json()
    source["properties"]["id"]["type"] = "string"
    source["$defs"]["Line"]["properties"].clear()
    source["required"].append("made up")
    source["properties"]["late"] = {}
    assert compiled.to_json() == before
    assert compiled.decode(compiled.encode(VALUE)) == VALUE
    assert compiled.validate(VALUE) is VALUE


def test_a_registry_may_change_afterwards() -> None:
    registry: dict[str, Any] = {"urn:x": {"type": "integer"}}
    compiled = ws.compile({"$ref": "urn:x"}, "openai-strict", options=ws.Options(registry=registry))
    assert compiled.validate(1) == 1
    registry["urn:x"]["type"] = "string"
    assert compiled.validate(1) == 1


@pytest.mark.parametrize("dialect", ws.dialects())
def test_arguments_and_results_are_not_shared_with_the_schema(dialect: str) -> None:
    compiled = ws.compile({"enum": [{"a": [1]}, [2]]}, dialect)
    wire = compiled.encode({"a": [1]})
    got = compiled.decode(wire)
    if got is not wire:
        got["a"].append(2)
    assert compiled.decode(compiled.encode({"a": [1]})) == {"a": [1]}


def test_threads_share_one_compilation() -> None:
    for _ in range(20):
        compiled = (
            order()
        )  # fresh: codec, gate and judge are built at the first use, in all threads at once
        start = threading.Barrier(8)

        def work(_: int, compiled: ws.Compiled = compiled, start: Any = start) -> Any:
            start.wait()
            wire = compiled.encode(VALUE)
            return wire, compiled.decode(wire), compiled.validate(VALUE), compiled.to_json()

        with ThreadPoolExecutor(8) as pool:
            results = list(pool.map(work, range(8)))
        assert results == [(WIRE, VALUE, VALUE, compiled.to_json())] * 8


@pytest.mark.parametrize("wire", [{"a": 1}, [1], "x", 1.0, None, nested(100_000)], ids=type)
def test_the_identity_returns_the_very_object(wire: Any) -> None:
    for schema, dialect in (({}, "lenient"), (INTEGER, "lenient"), ({}, "tools-lenient")):
        compiled = ws.compile(schema, dialect)
        if json.loads(compiled.to_json())["codec"]["step"] is None:
            assert compiled.decode(wire) is wire


CYCLE: dict[str, Any] = {}
CYCLE["a"] = CYCLE
LOOP: list[Any] = []
LOOP.append(LOOP)


class Text(str):
    __slots__ = ()


ODD: dict[str, Any] = {
    "nan": float("nan"),
    "infinity": float("-inf"),
    "nan_inside": {"a": [float("nan")]},
    "number_as_key": {"a": {1: 2}},
    "tuple_as_key": {(1,): 1},
    "cycle": CYCLE,
    "loop": LOOP,
    "tuple": (1, 2),
    "set": {1},
    "bytes": b"x",
    "object": object(),
    "surrogate": "\ud800",
    "surrogate_as_key": {"\ud800": 1},
    "text_of_a_subclass": {"a": Text("x")},
    "digits": {"a": 10**5000},
    "deep_lists": nested(100_000),
    "deep_objects": nested(100_000, "a"),
    "half_deep": nested(600, "a"),
    "tag_that_is_none": {"arm": [1], "value": 1},
    "constant_that_is_none": {"kind": {}},
}
SCHEMAS: dict[str, Any] = {
    "any": {},
    "map": MAP,
    "optional": {"type": "object", "properties": {"a": {"type": ["integer", "null"]}}},
    "order": ORDER,
    "tuple": {"type": "array", "prefixItems": [INTEGER, {}]},
    "tagged": {"anyOf": [MAP, {"type": "array"}, {"required": ["arm"], "type": "object"}]},
    "kinds": {
        "anyOf": [
            {"type": "object", "properties": {"kind": {"const": k}, "m": MAP}, "required": ["kind"]}
            for k in "ab"
        ]
    },
    "constants": {"enum": [1, "a", {"x": 1}, None]},
    "patterns": {"type": "object", "patternProperties": {"^x": MAP}},
    "recursive": {
        "$ref": "#/$defs/N",
        "$defs": {
            "N": {
                "anyOf": [
                    {"type": "array", "items": {"$ref": "#/$defs/N"}},
                    {"type": "object", "additionalProperties": {"$ref": "#/$defs/N"}},
                    INTEGER,
                ]
            }
        },
    },
}
OPTIONS = (ws.Options(), ws.Options(open_objects="keep", absent="box"))


@pytest.mark.parametrize("dialect", MAJORS)
@pytest.mark.parametrize("schema", list(SCHEMAS.values()), ids=list(SCHEMAS))
def test_every_value_is_a_result_or_a_typed_error(schema: Any, dialect: str) -> None:
    start = time.process_time()
    for options in OPTIONS:
        compiled = ws.compile(schema, dialect, options=options)
        for name, value in ODD.items():
            for verb in (compiled.encode, compiled.decode, compiled.validate):
                try:
                    verb(value)
                except ws.WireshapeError as error:
                    assert error.code, name
    assert time.process_time() - start < 30


@pytest.mark.parametrize("name", sorted(set(ODD) - {"digits", "tag_that_is_none", "constant_that_is_none"}))  # fmt: skip
def test_what_is_no_json_is_not_encoded(name: str) -> None:
    for dialect in ws.dialects():
        with pytest.raises(ws.EncodeError) as caught:
            ws.compile({}, dialect).encode(ODD[name])
        assert caught.value.code == "WS620"


@pytest.mark.parametrize(
    ("value", "pointer"),
    [
        ({"a": [1, float("nan")]}, "/a/1"),
        ({"a": {"b/c": {3}}}, "/a/b~1c"),
        ({"a": {1: 2}}, "/a"),
        ([{"x": "\ud800"}], "/0/x"),
    ],
    ids=repr,
)
def test_the_pointer_of_what_is_no_json(value: Any, pointer: str) -> None:
    with pytest.raises(ws.EncodeError) as caught:
        ws.compile({}, "openai-strict").encode(value)
    assert caught.value.pointer == pointer


def test_depth_is_an_error_with_a_code() -> None:
    tree: Any = {"$ref": "#/$defs/N", "$defs": {"N": {"type": "object", "properties": {"n": {"$ref": "#/$defs/N"}}}}}  # fmt: skip
    compiled = ws.compile(tree, "openai-strict")
    for verb, code in ((compiled.decode, "WS610"), (compiled.encode, "WS620")):
        with pytest.raises(ws.WireshapeError) as caught:
            verb(nested(100_000, "n"))
        assert caught.value.code == code
    bottom: Any = {}
    for _ in range(500):
        bottom = {"n": bottom}
    assert compiled.validate(bottom) is bottom
    for verb, code in ((compiled.decode, "WS610"), (compiled.encode, "WS620")):
        with pytest.raises(ws.WireshapeError, match="nested too deeply") as caught:
            verb(bottom)
        assert caught.value.code == code


@pytest.mark.parametrize(
    ("change", "code", "pointer"),
    [
        ({"meta": [{"key": "x", "value": 1}, {"key": "x", "value": 1}]}, "WS612", "/meta/1"),
        ({"meta": [{"key": "x"}]}, "WS611", "/meta/0"),
        ({"more": {"arm": "object", "value": ["x"]}}, "WS611", "/more/value/0"),
    ],
    ids=["repeated", "no_pair", "in_a_tag"],
)
def test_a_decode_error_points_into_the_wire(change: Any, code: str, pointer: str) -> None:
    with pytest.raises(ws.DecodeError) as caught:
        order().decode({**WIRE, **change})
    assert (caught.value.code, caught.value.pointer) == (code, pointer)


def test_an_encode_error_carries_the_narrowing() -> None:
    compiled = ws.compile(
        {"type": "object", "properties": {"a": {"type": "object", "properties": {"b": INTEGER}}}},
        "openai-strict",
    )
    with pytest.raises(ws.EncodeError) as caught:
        compiled.encode({"a": {"c": 1}})
    assert caught.value.pointer == "/a/c"
    assert caught.value.note in compiled.report.narrowed
    assert caught.value.code == "WS623"
    with pytest.raises(ws.EncodeError) as caught:
        ws.compile(ORDER, "openai-strict").encode({"id": "x"})
    assert (caught.value.code, caught.value.note) == ("WS623", None)


def test_a_key_that_a_closed_object_has_no_place_for_carries_the_narrowing() -> None:
    schema = {"type": "object", "properties": {"filter[id]": {"type": "string"}}}
    compiled = ws.compile(schema, "anthropic-strict")  # the key is sent as `filter_id`
    with pytest.raises(ws.EncodeError) as raised:
        compiled.encode({"filter_id": ""})
    assert raised.value.note is not None
    assert raised.value.note.code == "WS213"


def test_a_misfit_while_encoding_has_a_pointer() -> None:
    pair = {"type": "array", "prefixItems": [INTEGER, {"type": "string"}], "items": False}
    compiled = ws.compile(
        {"type": "object", "properties": {"p": pair}, "required": ["p"], "additionalProperties": False},
        "openai-strict",
    )  # fmt: skip
    with pytest.raises(ws.EncodeError) as caught:
        compiled.encode({"p": [1, "a", 3]})
    assert (caught.value.code, caught.value.pointer, caught.value.note) == ("WS621", "/p", None)


def test_what_a_value_means_is_asked_of_the_whole_value() -> None:
    """A user's own `{value: 1}` inside the wrapper, and a conceptual value that is no wire value."""
    compiled = ws.compile({}, "openai-strict")
    for value in ({"value": {"value": 1}}, {"value": 1}, [{"entries": []}], "x"):
        assert compiled.decode(compiled.encode(value)) == value
    boxed = ws.compile(
        {"type": "object", "properties": {"a": {}}, "additionalProperties": False},
        "openai-strict",
        options=ws.Options(absent="box"),
    )
    assert boxed.decode({"a": {"value": 1, "x": 2}}) == {"a": {"value": 1, "x": 2}}


@pytest.mark.parametrize("dialect", MAJORS)
def test_a_catastrophic_pattern_costs_nothing(dialect: str) -> None:
    start = time.process_time()
    compiled = ws.compile({"type": "object", "properties": {"s": {"type": "string", "pattern": "^(a+)+$"}}, "patternProperties": {"^(b|b)*c$": MAP}, "additionalProperties": {"type": "boolean"}}, dialect)  # fmt: skip
    evil = {"s": "a" * 5000 + "!", "b" * 5000: True}
    for verb in (compiled.encode, compiled.decode, compiled.validate):
        try:
            verb(evil)
        except ws.WireshapeError as error:
            assert error.code
    assert time.process_time() - start < 5
