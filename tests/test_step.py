"""Steps survive JSON, and name the steps inside them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.errors import UnsatisfiedAssumption

import wireshape as ws
from wireshape.step import Step, from_json, parts, to_json
from wireshape.testing import same_json, schemas, values, wire_values

MAJORS: list[str] = json.loads(
    (Path(__file__).parents[1] / "golden" / "rows.json").read_text("utf-8")
)["every_case"]

INNER: Step = ("json", True)
OTHER: Step = ("ref", "A")
EVERY: dict[str, tuple[Step, list[Step]]] = {
    "none": (None, []),
    "object": (("object", (("w", "k", INNER, "box"),), None, None), [INNER]),
    "object_extras": (("object", (), ("extras", OTHER, ("a", "b")), None), [OTHER]),
    "object_others": (
        ("object", (), None, (("a",), (("^x", INNER), ("y$", None)), OTHER)),
        [INNER, None, OTHER],
    ),
    "list": (("list", INNER), [INNER]),
    "tuple": (("tuple", (None, INNER), OTHER), [None, INNER, OTHER]),
    "numbered": (
        ("numbered", ((None, False), (INNER, True)), True, OTHER, True),
        [None, INNER, OTHER],
    ),
    "entries": (("entries", "optional", (("a", INNER), ("b", None)), OTHER), [INNER, None, OTHER]),
    "pairs": (("pairs", (("^x", INNER),), OTHER, True), [INNER, OTHER]),
    "enum": (("enum", (("1", 1), ('{"a":[1]}', {"a": [1]}))), []),
    "json": (("json", False), []),
    "wrap": (("wrap", "value", INNER, True), [INNER]),
    "ref": (("ref", "A"), []),
    "union": (
        (
            "union",
            ((16, 16, None, None, -1), (64, 64, "map", INNER, 0)),
            ("arm", (("map", 1),)),
            None,
        ),
        [None, INNER],
    ),
    "union_of_two_keys": (
        ("union", ((64, 64, None, OTHER, 0),), None, ("kind", (("a", 0), ("b", 0)))),
        [OTHER],
    ),
}
every_step = pytest.mark.parametrize(
    ("step", "inside"), list(EVERY.values()), ids=list(EVERY.keys())
)


@every_step
def test_json_and_back(step: Step, inside: list[Step]) -> None:
    text = json.dumps(to_json(step))
    assert from_json(json.loads(text)) == step
    assert hash_of_shape(from_json(json.loads(text))) == hash_of_shape(step)


def hash_of_shape(step: Any) -> Any:
    """Types as well as contents: a list where a tuple was would make steps unequal."""
    if isinstance(step, tuple | list):
        return type(step), tuple([hash_of_shape(part) for part in step])
    return json.dumps(step)


@every_step
def test_the_steps_inside(step: Step, inside: list[Step]) -> None:
    assert parts(step) == inside


@pytest.mark.parametrize(
    "document",
    [
        [],
        {},
        "list",
        7,
        ["made up"],
        ["list"],
        ["list", None, None],
        [["list"], None],
        ["object", [["a", "b"]], None, None],
        ["object", [], ["extras"], None],
        ["object", [], None, [["a"]]],
        ["pairs", [["x"]], None, False],
        ["enum", [[1]]],
        ["entries", "optional", [["a"]], None],
        ["numbered", [[None]], False, None, False],
        ["union", [[1, 2]], None, None],
        ["union", [], ["key"], None],
    ],
    ids=json.dumps,
)
def test_what_is_no_step(document: Any) -> None:
    with pytest.raises((ValueError, TypeError, KeyError, IndexError)):
        from_json(document)


@pytest.mark.parametrize("dialect", MAJORS)
@given(st.data())
def test_an_artifact_maps_as_its_compilation(dialect: str, data: st.DataObject) -> None:
    schema = data.draw(schemas(max_leaves=6))
    try:
        compiled = ws.compile(
            schema, dialect, options=ws.Options(open_objects="keep", absent="box")
        )
    except ws.SchemaError:
        return
    written = ws.Compiled.from_json(compiled.to_json())
    assert written.to_json() == compiled.to_json()
    try:
        pairs = [
            (compiled.encode, written.encode, data.draw(values(compiled))),
            (compiled.decode, written.decode, data.draw(wire_values(compiled))),
        ]
    except UnsatisfiedAssumption:
        return
    for one, two, value in pairs:
        assert outcome(one, value) == outcome(two, value)


def outcome(verb: Any, value: Any) -> Any:
    try:
        return json.dumps(verb(value))
    except (ws.EncodeError, ws.DecodeError) as error:
        return error.code


def test_a_chain_of_every_operation_survives_both_ways() -> None:
    """One schema whose codec uses each operation, read back from its artifact."""
    number, text = {"type": "integer"}, {"type": "string"}
    closed: Any = {"type": "object", "additionalProperties": False}
    schema = {
        "type": "object",
        "additionalProperties": {"type": "boolean"},
        "required": ["map", "pair", "any", "enum", "u"],
        "properties": {
            "map": {"type": "object", "additionalProperties": {"$ref": "#/$defs/N"}},
            "pair": {"type": "array", "prefixItems": [number, text], "items": number},
            "any": {},
            "enum": {"enum": [{"a": 1}, [2]]},
            "u": {
                "anyOf": [
                    {"type": "object", "additionalProperties": number},
                    {"type": "array", "items": number},
                ]
            },
            "maybe": {"type": ["string", "null"]},
        },
        "$defs": {"N": {**closed, "properties": {"n": {"$ref": "#/$defs/N"}, "v": number}}},
    }
    value = {
        "map": {"x": {"n": {"v": 1}}, "y": {}},
        "pair": [1, "a", 2],
        "any": {"k": [None, {"q": 1}]},
        "enum": [2],
        "u": {"z": 1},
        "more": True,
    }
    compiled = ws.compile(schema, "openai-strict", options=ws.Options(absent="box"))
    written = ws.Compiled.from_json(compiled.to_json())
    ops = set()
    stack = [from_json(json.loads(compiled.to_json())["codec"]["step"])]
    stack += [from_json(s) for s in json.loads(compiled.to_json())["codec"]["steps"].values()]
    while stack:
        step = stack.pop()
        if step is not None:
            ops.add(step[0])
            stack += parts(step)
    assert ops >= {"object", "list", "numbered", "pairs", "enum", "ref", "union"}
    wire = written.encode(value)
    assert wire == compiled.encode(value)
    assert same_json(written.decode(wire), value)
