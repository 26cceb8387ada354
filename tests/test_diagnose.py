"""The narrowing that keeps a value off the wire, and where in the value it bites."""

from __future__ import annotations

from typing import Any

import pytest

import wireshape as ws
from wireshape.diagnose import narrowing_at
from wireshape.read import read

INTEGER: Any = {"type": "integer"}
OPEN: Any = {"type": "object", "properties": {"a": INTEGER}}
TYPELESS: Any = {"properties": {"a": INTEGER}, "required": ["a"]}


def closed(**properties: Any) -> Any:
    return {"type": "object", "properties": properties, "additionalProperties": False}


NARROWED: list[tuple[str, Any, Any, str, str, str]] = [
    # name, schema, value, code, pointer of the note, pointer into the value
    ("root", OPEN, {"a": 1, "b": 2}, "WS213", "", "/b"),
    ("field", closed(x=OPEN, y=OPEN), {"x": {}, "y": {"q/~": 1}}, "WS213", "/properties/y", "/y/q~1~0"),
    ("first_in_value_order", closed(x=OPEN, y=OPEN), {"y": {"r": 1}, "x": {"q": 1}}, "WS213", "/properties/y", "/y/r"),
    ("list", {"type": "array", "items": OPEN}, [{}, {"a": 1}, {"b": 1}], "WS213", "/items", "/2/b"),
    ("tuple", {"type": "array", "prefixItems": [INTEGER, OPEN], "items": False}, [1, {"b": 1}], "WS213", "/prefixItems/1", "/1/b"),
    ("rest", {"type": "array", "prefixItems": [INTEGER], "items": OPEN}, [1, {}, {"b": 1}], "WS213", "/items", "/2/b"),
    ("map", {"type": "object", "additionalProperties": OPEN}, {"k": {}, "l": {"b": 1}}, "WS213", "/additionalProperties", "/l/b"),
    ("pattern", {"type": "object", "patternProperties": {"^k": OPEN}, "additionalProperties": False}, {"k": {"b": 1}}, "WS213", "/patternProperties/^k", "/k/b"),
    ("arm", closed(u={"anyOf": [{"type": "string"}, OPEN]}), {"u": {"b": 1}}, "WS213", "/properties/u/anyOf/1", "/u/b"),
    ("the_arm_that_takes_it", closed(u={"anyOf": [{**OPEN, "required": ["a"]}, {"type": "object", "properties": {"c": INTEGER}}]}), {"u": {"c": 1, "b": 1}}, "WS213", "/properties/u/anyOf/1", "/u/b"),
    ("reference", {**closed(u={"$ref": "#/$defs/O"}), "$defs": {"O": OPEN}}, {"u": {"b": 1}}, "WS213", "/$defs/O", "/u/b"),
    ("recursion", {"$ref": "#/$defs/N", "$defs": {"N": {"type": "object", "properties": {"n": {"$ref": "#/$defs/N"}}}}}, {"n": {"n": {"z": 1}}}, "WS213", "/$defs/N", "/n/n/z"),
    ("refined", closed(u={**OPEN, "not": {"required": ["c"]}}), {"u": {"b": 1}}, "WS213", "/properties/u", "/u/b"),
    ("type", TYPELESS, 5, "WS216", "", ""),
    ("type_inside", closed(t=TYPELESS), {"t": "x"}, "WS216", "/properties/t", "/t"),
    ("closed_by_its_type", closed(t=TYPELESS), {"t": {"a": 1, "b": 2}}, "WS213", "/properties/t", "/t/b"),
]  # fmt: skip


@pytest.mark.parametrize(("schema", "value", "code", "at", "where"), [c[1:] for c in NARROWED], ids=[c[0] for c in NARROWED])  # fmt: skip
def test_what_bites(schema: Any, value: Any, code: str, at: str, where: str) -> None:
    compiled = ws.compile(schema, "openai-strict")
    assert compiled.validate(value) == value
    with pytest.raises(ws.EncodeError) as caught:
        compiled.encode(value)
    assert caught.value.note is not None
    assert (caught.value.note.code, caught.value.note.pointer) == (code, at)
    assert caught.value.pointer == where
    assert caught.value.note in compiled.report.narrowed


def test_without_a_narrowing_there_is_none_to_blame() -> None:
    assert narrowing_at([], read(OPEN, ws.Options()), {"b": 1}) == (None, "")


def test_where_none_bites_there_is_none() -> None:
    compiled = ws.compile(OPEN, "openai-strict")
    source = read(OPEN, ws.Options())
    notes = compiled.report.narrowed
    for value in ({"a": 1}, "x", [1], None):
        assert narrowing_at(notes, source, value) == (None, "")


def test_the_search_is_bounded() -> None:
    schema = {"type": "array", "items": OPEN}
    compiled = ws.compile(schema, "openai-strict")
    value = [{"a": 1}] * 200_000 + [{"b": 1}]
    source, notes = read(schema, ws.Options()), compiled.report.narrowed
    assert narrowing_at(notes, source, value) == (None, "")
    assert narrowing_at(notes, source, value[-10:]) == (notes[0], "/9/b")
