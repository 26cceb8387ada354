"""Encoded values are written as the wire schema lists their keys, and stay equal."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.errors import UnsatisfiedAssumption

import wireshape as ws
from wireshape import ir
from wireshape.read import read
from wireshape.relate import Relations
from wireshape.testing import json_values, mutations, same_json, schemas, values
from wireshape.tidy import Tidier

S, N = ir.String(), ir.Number()


def obj(*keys: str, extras: ir.Node | None = None, **nodes: ir.Node) -> ir.Object:
    fields = [ir.Field(k, N) for k in keys] + [ir.Field(k, n) for k, n in nodes.items()]
    return ir.Object(tuple(fields), ir.Never() if extras is None else extras)


AB = obj("a", "b")
BA: Any = {"b": 1.0, "a": 2}
CASES: list[tuple[str, ir.Node, Any, str]] = [
    ("integral", N, 3.0, "3"),
    ("fraction", N, 3.5, "3.5"),
    ("huge", N, 1e300, str(int(1e300))),
    ("boolean", ir.Any(), True, "true"),
    ("text", S, "x", '"x"'),
    ("object", AB, BA, '{"a": 2, "b": 1}'),
    ("some_absent", obj("a", "b", "c"), BA, '{"a": 2, "b": 1}'),
    ("undeclared_last", obj("a", extras=N), {"x": 1.0, "a": 2, "y": 3}, '{"a": 2, "x": 1, "y": 3}'),
    ("in_extras", obj(extras=AB), {"x": BA}, '{"x": {"a": 2, "b": 1}}'),
    ("list", ir.List(AB), [BA, BA], '[{"a": 2, "b": 1}, {"a": 2, "b": 1}]'),
    ("tuple", ir.Tuple((S, AB), AB), ["x", BA, BA], '["x", {"a": 2, "b": 1}, {"a": 2, "b": 1}]'),
    ("in_any", ir.Any(), {"b": [1.0], "a": 2}, '{"b": [1], "a": 2}'),
    ("list_of_any", ir.Any(), [1.0, {"b": 2.0}], '[1, {"b": 2}]'),
    ("reference", ir.Ref("AB"), BA, '{"a": 2, "b": 1}'),
    ("recursive", ir.Ref("L"), {"n": {"n": {}, "v": 1.0}, "v": 2}, '{"v": 2, "n": {"v": 1, "n": {}}}'),
    ("refined", ir.Refine(AB, (ir.Assertion("not", (S,)),)), BA, '{"a": 2, "b": 1}'),
    ("first_arm_that_takes_it", ir.Union((S, obj("a"), AB, obj("b", "a"))), BA, '{"a": 2, "b": 1}'),
    ("union_in_union", ir.Union((S, ir.Union((N, AB)))), BA, '{"a": 2, "b": 1}'),
    ("no_arm", ir.Union((S, obj("z"))), {"b": 1.0, "a": 2}, '{"b": 1, "a": 2}'),
    ("endless_union", ir.Ref("U"), {"b": 1.0, "a": 2}, '{"b": 1, "a": 2}'),
    (
        "patterns",
        ir.Object((ir.Field("a", N),), AB, patterns=(ir.Pattern("^x", ir.Any()),)),
        {"x": BA, "a": 1.0},
        '{"a": 1, "x": {"b": 1, "a": 2}}',
    ),
]  # fmt: skip
DEFS: dict[str, ir.Node] = {
    "AB": AB,
    "L": obj("v", n=ir.Ref("L")),
    "U": ir.Union((ir.Ref("U"), AB)),
}


@pytest.mark.parametrize(("node", "value", "text"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])  # fmt: skip
def test_order_and_numbers(node: ir.Node, value: Any, text: str) -> None:
    before = json.dumps(value)
    assert json.dumps(Tidier(Relations(DEFS)).tidy(value, node)) == text
    assert json.dumps(value) == before


@given(st.data())
def test_the_value_stays_equal(data: st.DataObject) -> None:
    schema = data.draw(schemas(max_leaves=8))
    graph = read(schema, ws.Options()).graph
    try:
        value = data.draw(values(schema))
    except (UnsatisfiedAssumption, ws.WireshapeError):
        value = data.draw(json_values())
    for v in (value, data.draw(mutations(value))):
        assert same_json(Tidier(Relations(graph.defs)).tidy(v, graph.root), v)


def test_arms_that_share_a_constant_are_told_apart_by_the_rest() -> None:
    """The text under the key leaves the arms that ask for it; of these, the first that does not refuse."""

    def arm(text: str, value: ir.Node) -> ir.Object:
        fields = (ir.Field("field", ir.Literal((text,)), True), ir.Field("value", value, True))
        return ir.Object(fields, ir.Never())

    union = ir.Union((arm("a", S), arm("a", AB), arm("b", N)))
    tidier = Tidier(Relations({}))
    written = [
        ({"value": BA, "field": "a"}, '{"field": "a", "value": {"a": 2, "b": 1}}'),
        ({"value": 1.0, "field": "b"}, '{"field": "b", "value": 1}'),
        ({"value": 1.0, "field": "c"}, '{"value": 1, "field": "c"}'),
        ({"value": 1.0, "field": 3}, '{"value": 1, "field": 3}'),
    ]
    for value, text in written:
        assert json.dumps(tidier.tidy(value, union)) == text


FIRST = [id for id in ws.dialects() if ws.dialect(id).objects.required_first]
PAIR: Any = {"type": "array", "prefixItems": [{"type": "integer"}], "items": {"type": "string"}}


def orders(wire: Any) -> Iterator[list[bool]]:
    """Whether each key of an object is required, for every object of a wire schema."""
    if isinstance(wire, dict):
        if isinstance(wire.get("properties"), dict) and isinstance(wire.get("type"), str):
            yield [key in wire.get("required", ()) for key in wire["properties"]]
        for part in wire.values():
            yield from orders(part)
    elif isinstance(wire, list):
        for part in wire:
            yield from orders(part)


@pytest.mark.parametrize("dialect", FIRST)
@given(schemas(max_leaves=10))
def test_required_keys_come_first_where_the_row_writes_them_so(dialect: str, schema: Any) -> None:
    try:
        wire = ws.compile(schema, dialect).schema
    except ws.SchemaError:
        return
    for order in orders(wire):
        assert order == sorted(order, reverse=True)


@pytest.mark.parametrize(
    ("parts", "value", "text"),
    [
        ({"a": True, "b": True, "c": True}, {"a": 1, "c": 2, "b": 3}, '{"b": 3, "a": 1, "c": 2}'),
        ({"a": {"enum": ["x"]}, "b": PAIR}, {"a": "x", "b": [1, "y"]}, '{"b": {"rest": ["y"], "0": 1}, "a": "x"}'),
    ],
)  # fmt: skip
def test_encoded_keys_are_in_the_order_of_the_engine(parts: Any, value: Any, text: str) -> None:
    """An engine that writes required keys first refuses any other order, and takes them within each group as declared."""
    schema = {"type": "object", "properties": parts, "required": ["b"], "additionalProperties": False}  # fmt: skip
    compiled = ws.compile(schema, "llamacpp")
    wire = compiled.encode(value)
    assert json.dumps(wire) == text
    assert compiled.decode(wire) == value
