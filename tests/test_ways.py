"""Definitions that multiply at one value: counted in linear time, judged after merging, refused where merging cannot help."""

from __future__ import annotations

import time
from typing import Any

import pytest

import wireshape as ws
from wireshape import ir
from wireshape.gate import Gate
from wireshape.options import Options
from wireshape.read import read
from wireshape.read.ways import is_tangled, ways_in_document, ways_in_graph
from wireshape.testing import broken_laws
from wireshape.testing.laws import is_valid


def diamonds(levels: int, word: str, twins: str = "DD") -> dict[str, Any]:
    """Each definition refers twice to the next one, or to both next ones."""
    defs: dict[str, Any] = {}
    for i in range(levels):
        below = [{"$ref": f"#/$defs/{letter}{i + 1}"} for letter in twins]
        defs |= {f"{letter}{i}": {word: below} for letter in dict.fromkeys(twins)}
    for letter in dict.fromkeys(twins):
        key = letter.lower()
        defs[f"{letter}{levels}"] = {
            "type": "object",
            "properties": {key: {"type": "string"}},
            "required": [key],
        }
    return {"$ref": "#/$defs/D0", "$defs": defs}


@pytest.mark.parametrize("levels", [3, 40, 4_000])
@pytest.mark.parametrize("word", ["allOf", "anyOf", "oneOf"])
def test_ways_are_counted_in_linear_time(levels: int, word: str) -> None:
    start = time.process_time()
    assert ways_in_document(diamonds(levels, word, "DE"), "2020-12") == 2**levels
    assert time.process_time() - start < 3


@pytest.mark.parametrize(
    ("schema", "draft", "count"),
    [
        (True, "2020-12", 1),
        ({"not": {"anyOf": [{}, {}]}, "if": {}, "then": {}, "else": {}}, "2020-12", 5),
        ({"properties": {"a": {"anyOf": [{}, {}, {}]}}}, "2020-12", 3),
        ({"anyOf": [{"type": "null"}, {"properties": {"a": {"$ref": "#"}}}]}, "2020-12", 2),
        ({"dependencies": {"a": {"allOf": [{}, {}]}, "b": ["a"]}}, "draft7", 3),
        ({"dependentSchemas": {"a": {}, "b": {}}}, "2020-12", 2),
        ({"allOf": [{"$ref": "other"}, {"$ref": "other"}], "$defs": {"o": {"$id": "other", "oneOf": [{"$ref": "#/$defs/x"}, {}], "$defs": {"x": {"allOf": [{}, {}]}}}}}, "2020-12", 6),
        ({"allOf": [{"$ref": "#/nowhere"}, {"$ref": "#/nowhere"}]}, "2020-12", 2),
    ],
)  # fmt: skip
def test_ways(schema: Any, draft: str, count: int) -> None:
    assert ways_in_document(schema, draft) == count


def test_ways_in_a_graph() -> None:
    graph = read(diamonds(3, "oneOf", "DE"), Options()).graph
    assert ways_in_graph(graph) == 8
    assert ways_in_graph(ir.Graph(ir.String(), {})) == 1


VALUES: list[Any] = [{"d": "x"}, {"e": "x"}, {"d": "x", "e": "y"}, {"d": 1}, {}, 5]


@pytest.mark.parametrize("draft", ["2020-12", "draft7"])
@pytest.mark.parametrize(("word", "twins"), [("allOf", "DD"), ("anyOf", "DD"), ("allOf", "DE")])
def test_multiplied_definitions_are_judged_after_merging(word: str, twins: str, draft: str) -> None:
    few, many = diamonds(4, word, twins), diamonds(40, word, twins)
    start = time.process_time()
    same = Gate(few, draft)
    compiled = ws.compile(many, "openai-strict", options=Options(draft=draft))
    assert [is_valid(compiled, v) for v in VALUES] == [same.is_valid(v) for v in VALUES]
    again = ws.Compiled.from_json(compiled.to_json())
    assert [is_valid(again, v) for v in VALUES] == [same.is_valid(v) for v in VALUES]
    with pytest.raises(ws.ValidationError) as caught:
        compiled.validate(5)
    assert caught.value.pointer == ""
    assert time.process_time() - start < 3


@pytest.mark.parametrize("dialect", ["openai-strict", "lenient"])
@pytest.mark.parametrize("word", ["oneOf", "anyOf"])
def test_what_no_merge_can_settle_is_an_error(dialect: str, word: str) -> None:
    start = time.process_time()
    with pytest.raises(ws.SchemaError) as caught:
        ws.compile(diamonds(40, word, "DE"), dialect)
    assert caught.value.code == "WS114"
    assert time.process_time() - start < 3


def test_few_forks_need_no_count() -> None:
    assert not is_tangled(diamonds(13, "allOf"), "2020-12")
    assert is_tangled({"anyOf": [{"type": "boolean"}, {"$ref": "#"}]}, "2020-12")
    assert is_tangled(diamonds(15, "allOf"), "2020-12")
    assert not is_tangled(diamonds(15, "allOf"), "2020-12", parts=2)
    assert read({"anyOf": [{"type": "string"}, {"allOf": [{}, {}, {}]}]}, Options()).parts == 5


@pytest.mark.parametrize("dialect", ["lenient", "tools-lenient", "openai-strict"])
def test_an_alternative_that_is_the_schema_itself_adds_nothing(dialect: str) -> None:
    """JSON Schema leaves open what such a schema means (core, section 9.4.1); gate and wire must agree on one meaning."""
    source = {"anyOf": [{"type": "boolean"}, {"$ref": "#"}]}
    compiled = ws.compile(source, dialect)
    for one in (compiled, ws.Compiled.from_json(compiled.to_json())):
        assert [is_valid(one, value) for value in (True, False, 1, None, {})] == [
            True,
            True,
            False,
            False,
            False,
        ]
    if not ws.dialect(
        dialect
    ).root.verbatim:  # there the wire is the source, whatever it means to others
        assert not broken_laws(source, dialect, [True, False, 1, None])
