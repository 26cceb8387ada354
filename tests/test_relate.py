"""What two schemas have in common: a claim is never wrong, and the claims that lowering needs are made."""

from __future__ import annotations

from typing import Any

import jsonschema_rs
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.errors import UnsatisfiedAssumption

import wireshape as ws
from wireshape import ir, relate
from wireshape.emit import plain
from wireshape.read import read
from wireshape.relate import Relations, type_bit
from wireshape.testing import FEATURES, json_values, mutations, schemas, values

S, INT, F, NUL = ir.String(), ir.Number(integer=True), ir.Number(), ir.Null()
NONE = Relations({})


def obj(extras: ir.Node | None = None, **fields: ir.Node) -> ir.Object:
    """An object; a field whose name ends in `_` is optional; closed unless `extras` are given."""
    made = [ir.Field(k.rstrip("_"), n, not k.endswith("_")) for k, n in fields.items()]
    return ir.Object(tuple(made), ir.Never() if extras is None else extras)


def const(*vs: Any) -> ir.Literal:
    return ir.Literal(vs)


@pytest.mark.parametrize(
    ("value", "bit"),
    [
        (None, relate.NULL),
        (True, relate.BOOLEAN),
        (1, relate.INTEGER),
        (1.0, relate.INTEGER),
        (1.5, relate.FRACTION),
        (float("nan"), relate.FRACTION),
        ("", relate.STRING),
        ([], relate.ARRAY),
        ({}, relate.OBJECT),
    ],
)
def test_the_type_of_a_value(value: Any, bit: int) -> None:
    assert type_bit(value) == bit


@pytest.mark.parametrize(
    ("node", "mask"),
    [
        (ir.Any(), relate.ALL),
        (ir.Never(), 0),
        (ir.Boolean(), relate.BOOLEAN),
        (INT, relate.INTEGER),
        (F, relate.NUMBER),
        (ir.Tuple((S,), ir.Never()), relate.ARRAY),
        (const(1, 2.5, "x", None), relate.NUMBER | relate.STRING | relate.NULL),
        (ir.Union((S, NUL)), relate.STRING | relate.NULL),
        (ir.Refine(S, (ir.Assertion("not", (const("a"),)),)), relate.STRING),
        (ir.Ref("A"), relate.ARRAY | relate.STRING),
        (ir.Ref("Loop"), relate.NULL),
    ],
    ids=repr,
)
def test_the_types_of_a_node(node: ir.Node, mask: int) -> None:
    defs: dict[str, ir.Node] = {
        "A": ir.Union((ir.List(ir.Ref("A")), S)),
        "Loop": ir.Union((ir.Ref("Loop"), NUL)),
    }
    relations = Relations(defs)
    assert relations.types(node) == mask
    assert relations.types(node) == mask, "what is known stays"
    assert relations.admits_null(node) is bool(mask & relate.NULL)


def test_what_is_known_can_be_forgotten() -> None:
    defs: dict[str, ir.Node] = {"A": S, "B": S}
    relations = Relations(defs)
    assert (relations.types(ir.Ref("A")), relations.types(ir.Ref("B"))) == (16, 16)
    defs["A"] = defs["B"] = NUL
    relations.forget({"A", "made up"})
    assert (relations.types(ir.Ref("A")), relations.types(ir.Ref("B"))) == (1, 16)


def test_the_head_lies_behind_references_and_assertions() -> None:
    refined = ir.Refine(ir.Ref("B"), (ir.Assertion("not", (S,)),))
    assert Relations({"A": refined, "B": S}).head(ir.Ref("A")) is S
    assert type(Relations({"L": ir.Ref("L")}).head(ir.Ref("L"))) is ir.Ref


KIND_A, KIND_B = obj(k=const("a"), x_=S), obj(k=const("b"), x_=S)
APART: list[tuple[str, ir.Node, ir.Node]] = [
    ("types", S, INT),
    ("never", ir.Never(), ir.Any()),
    ("constants", const("a", 1), const("b", 2)),
    ("constant_and_length", const("abc"), ir.String(max_length=2)),
    ("constant_and_short", const(""), ir.String(min_length=1)),
    ("constant_and_bound", const(5), ir.Number(maximum=4)),
    ("true_is_not_one", const(True), const(1)),
    ("lengths", ir.String(min_length=3), ir.String(max_length=2)),
    ("bounds", ir.Number(minimum=3), ir.Number(maximum=2)),
    ("open_bounds", ir.Number(exclusive_minimum=2), ir.Number(maximum=2)),
    ("both_open", ir.Number(exclusive_minimum=2), ir.Number(exclusive_maximum=2)),
    ("union", ir.Union((const("a"), INT)), ir.Union((const("b"), NUL))),
    ("discriminated", KIND_A, KIND_B),
    ("optional_constant_that_one_requires", obj(k=const("a")), obj(k_=const("b"))),
    ("closed", obj(a=S), obj(b_=S)),
    ("forbidden_key_of_an_open_one", obj(a=S), obj(ir.Any(), a_=ir.Never())),
    ("deep", obj(a=obj(b=const(1))), obj(a=obj(b=const(2)))),
    ("list_lengths", ir.List(S, min_items=3), ir.List(S, max_items=2)),
    ("tuple_is_short", ir.Tuple((S, S), ir.Never()), ir.List(S, min_items=3)),
    ("tuple_is_shorter", ir.Tuple((S, S), ir.Never(), max_items=1), ir.List(S, min_items=2)),
    ("items", ir.List(S, min_items=1), ir.List(INT, min_items=1)),
    ("positions", ir.Tuple((S, INT), ir.Never(), min_items=2), ir.Tuple((S, S), ir.Never(), 2)),
    ("position_in_the_rest", ir.Tuple((S,), INT, min_items=2), ir.Tuple((S,), S, min_items=2)),
]
MEETING: list[tuple[str, ir.Node, ir.Node]] = [
    ("any", ir.Any(), S),
    ("integers_are_numbers", INT, ir.Number(maximum=3)),
    ("equal_constants", const(1), const(1.0)),
    ("touching", ir.Number(minimum=2), ir.Number(maximum=2)),
    ("patterns", ir.String(patterns=("^a",)), ir.String(patterns=("^b",))),
    ("optional", obj(k_=const("a")), obj(k_=const("b"))),
    ("patterned", obj(a=S), ir.Object((), ir.Never(), patterns=(ir.Pattern("a", S),))),
    ("open", obj(ir.Any(), a=S), obj(ir.Any(), b=S)),
    ("empty_lists", ir.List(S), ir.List(INT)),
    ("empty_lists_of_one_type", ir.List(S, max_items=3), ir.Tuple((INT,), ir.Never())),
    ("booleans", ir.Boolean(), ir.Boolean()),
    ("assertions_do_not_count", ir.Refine(S, (ir.Assertion("not", (S,)),)), S),
]


@pytest.mark.parametrize(("a", "b"), [c[1:] for c in APART], ids=[c[0] for c in APART])
def test_disjoint(a: ir.Node, b: ir.Node) -> None:
    assert NONE.disjoint(a, b)
    assert NONE.disjoint(b, a)


@pytest.mark.parametrize(("a", "b"), [c[1:] for c in MEETING], ids=[c[0] for c in MEETING])
def test_not_disjoint(a: ir.Node, b: ir.Node) -> None:
    assert not NONE.disjoint(a, b)
    assert not NONE.disjoint(b, a)


def test_a_question_without_an_end_is_answered_with_no() -> None:
    assert Relations({"L": obj(x=ir.Ref("L"))}).disjoint(ir.Ref("L"), ir.Ref("L")) is False
    wide = ir.Union(tuple([obj(k=ir.List(S), **{f"f{i}_": S}) for i in range(200)]))
    assert not NONE.disjoint(wide, wide), "work is bounded"


REFUSED: list[tuple[str, ir.Node, Any]] = [
    ("type", S, 1),
    ("union", ir.Union((S, INT)), 1.5),
    ("union_of_one_type", ir.Union((const("a"), ir.String(min_length=2))), "b"),
    ("constant", const("a"), "b"),
    ("short", ir.String(min_length=1), ""),
    ("long", ir.String(max_length=1), "ab"),
    ("small", ir.Number(minimum=1), 0),
    ("missing", obj(a=S), {}),
    ("undeclared", obj(a_=S), {"b": 1}),
    ("field", obj(a=S), {"a": 1}),
    ("few", ir.List(S, min_items=1), []),
    ("many", ir.Tuple((S,), ir.Never()), ["a", "b"]),
    ("item", ir.List(S), ["a", 1]),
    ("position", ir.Tuple((S, INT), ir.Never()), ["a", "b"]),
    ("rest", ir.Tuple((S,), INT), ["a", "b"]),
    ("never", ir.Never(), None),
]
NOT_REFUSED: list[tuple[str, ir.Node, Any]] = [
    ("any", ir.Any(), [1]),
    ("null", NUL, None),
    ("boolean", ir.Boolean(), True),
    ("undeclared_in_an_open_object", obj(ir.Any(), a_=S), {"b": 1}),
    ("undeclared_by_a_pattern", ir.Object((), ir.Never(), patterns=(ir.Pattern("b", S),)), {"b": 1}),
    ("ninth_item_is_not_looked_at", ir.List(S), ["a"] * 8 + [1]),
    ("pattern_is_not_looked_at", ir.String(patterns=("^a",)), "b"),
    ("field", obj(a=ir.Union((S, INT))), {"a": 1}),
]  # fmt: skip


@pytest.mark.parametrize(("node", "value"), [c[1:] for c in REFUSED], ids=[c[0] for c in REFUSED])
def test_refuses(node: ir.Node, value: Any) -> None:
    assert NONE.refuses(node, value)


@pytest.mark.parametrize(
    ("node", "value"), [c[1:] for c in NOT_REFUSED], ids=[c[0] for c in NOT_REFUSED]
)
def test_does_not_refuse(node: ir.Node, value: Any) -> None:
    assert not NONE.refuses(node, value)


def test_how_deep_a_value_is_looked_at() -> None:
    deep: ir.Node = const("a")
    value: Any = "b"
    for _ in range(3):
        deep, value = ir.List(deep), [value]
    assert NONE.refuses(deep, value)
    for _ in range(20):
        deep, value = ir.List(deep), [value]
    assert not NONE.refuses(deep, value), "depth is bounded"


# No references: two documents share no names.
LONELY = schemas(max_leaves=5, features=set(FEATURES) - {"ref"})


def drawn(data: st.DataObject, strategy: st.SearchStrategy[Any]) -> list[Any]:
    try:
        return [data.draw(strategy)]
    except (UnsatisfiedAssumption, ws.WireshapeError):
        return []


def judge(graph: ir.Graph) -> jsonschema_rs.Validator:
    return jsonschema_rs.Draft202012Validator(plain(graph), validate_formats=True, offline=True)


@given(st.data())
def test_no_value_belongs_to_two_disjoint_schemas(data: st.DataObject) -> None:
    one, two = data.draw(LONELY), data.draw(LONELY)
    a, b = read(one, ws.Options()).graph, read(two, ws.Options()).graph
    claim = NONE.disjoint(a.root, b.root)
    assert claim == NONE.disjoint(b.root, a.root)
    assume(claim)
    for value in drawn(data, values(one)) + drawn(data, values(two)) + drawn(data, json_values()):
        near = data.draw(mutations(value))
        for v in (value, near):
            assert not (judge(a).is_valid(v) and judge(b).is_valid(v)), v


@given(st.data())
def test_a_valid_value_is_of_a_type_and_not_refused(data: st.DataObject) -> None:
    schema = data.draw(schemas(max_leaves=8))
    graph = read(schema, ws.Options()).graph
    relations = Relations(graph.defs)
    for value in drawn(data, values(schema)):
        for v in (value, data.draw(mutations(value))):
            if judge(graph).is_valid(v):
                assert relations.types(graph.root) & type_bit(v)
                assert not relations.refuses(graph.root, v)


@given(st.data())
def test_arms_of_one_document(data: st.DataObject) -> None:
    """Definitions included: the parts of one schema, two by two."""
    schema = data.draw(schemas(max_leaves=8))
    graph = read(schema, ws.Options()).graph
    relations = Relations(graph.defs)
    nodes = list(graph.defs.values())[:4]
    drawable = list(drawn(data, values(schema)))
    parts = [part for v in drawable for part in ([*v.values()] if isinstance(v, dict) else [v])]
    for a in nodes:
        for b in nodes:
            if relations.disjoint(a, b):
                for v in parts:
                    both = [judge(ir.Graph(n, graph.defs)).is_valid(v) for n in (a, b)]
                    assert not all(both), v
