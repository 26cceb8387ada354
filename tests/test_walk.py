"""Children, references, annotations and equality."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wireshape as ws
from wireshape import ir
from wireshape.read import read
from wireshape.testing import json_values, same_json, schemas
from wireshape.walk import children, is_closed, json_equal, references, with_ann

S, N, B = ir.String(), ir.Number(), ir.Boolean()
A, C = ir.Ref("A"), ir.Ref("C")

CHILDREN: list[tuple[ir.Node, list[ir.Node]]] = [
    (S, []),
    (A, []),
    (
        ir.Object(
            (ir.Field("a", S, required=True), ir.Field("b", N)),
            B,
            patterns=(ir.Pattern("x", A),),
            names=C,
        ),
        [S, N, A, B, C],
    ),
    (ir.Object((), B), [B]),
    (ir.List(S), [S]),
    (ir.Tuple((S, N), B), [S, N, B]),
    (ir.Union((S, N)), [S, N]),
    (
        ir.Refine(S, (ir.Assertion("not", (N,)), ir.Assertion("if", (A, B, C)))),
        [S, N, A, B, C],
    ),
]


@pytest.mark.parametrize(("node", "expected"), CHILDREN, ids=lambda x: type(x).__name__)
def test_children(node: ir.Node, expected: list[ir.Node]) -> None:
    assert children(node) == expected


def test_no_node_is_left_out() -> None:
    """Every field that holds nodes is walked: what a kind holds and what its children are agree."""
    for node, expected in CHILDREN:
        held = [getattr(node, f.name) for f in fields(node)]  # type: ignore[arg-type] # records
        assert len(expected) == count(held)


def count(held: Any) -> int:
    if isinstance(held, list | tuple):
        return sum([count(part) for part in held])
    if isinstance(held, ir.Field | ir.Pattern):
        return count([held.node])
    if isinstance(held, ir.Assertion):
        return count(held.nodes)
    return isinstance(held, get_args(ir.Node))


def test_references_tell_what_may_be_left_out() -> None:
    node = ir.Object(
        (ir.Field("a", ir.List(A)), ir.Field("b", ir.Union((C, S)), required=True)), ir.Ref("E")
    )
    assert sorted(references(node)) == [("A", True), ("C", False), ("E", False)]
    inner = ir.Object((ir.Field("x", A, required=True),), ir.Never())
    outer = ir.Object((ir.Field("y", inner),), ir.Never())
    assert list(references(outer)) == [("A", True)]
    assert list(references(A)) == [("A", False)]
    assert list(references(S)) == []


EVERY_KIND: list[ir.Node] = [
    ir.Any(),
    ir.Never("because"),
    ir.Null(),
    ir.Boolean(),
    ir.Number(True, 1, 9, 0, 10, 2),
    ir.String(1, 2, ("a",), ("date",)),
    ir.Literal((1, "a")),
    ir.List(S, 1, 2, unique=True),
    ir.Tuple((S,), N, 1, 2, unique=True),
    ir.Object((ir.Field("a", S),), N, True, (ir.Pattern("x", S),), S, 1, 2),
    ir.Union((S, N), exclusive=True, implied=("string",)),
    ir.Ref("A"),
    ir.Refine(S, (ir.Assertion("not", (N,)),)),
]


def test_every_kind_is_listed() -> None:
    assert {type(n) for n in EVERY_KIND} == set(get_args(ir.Node))


@pytest.mark.parametrize("node", EVERY_KIND, ids=lambda n: type(n).__name__)
def test_other_annotations_change_nothing_else(node: ir.Node) -> None:
    at: ir.Path = (None, "x")
    placed = replace(node, at=at)
    ann = {"title": "T"}
    named = with_ann(placed, ann)
    assert named == replace(placed, ann=ann)
    assert named.at is at
    assert named.ann is ann
    assert with_ann(named, ann) is named
    assert with_ann(placed, None) is placed
    assert placed.ann is None


@pytest.mark.parametrize(
    ("node", "closed"),
    [
        (ir.Object((), ir.Never()), True),
        (ir.Object((), ir.Any()), False),
        (ir.Object((), ir.Never(), patterns=(ir.Pattern("a", S),)), False),
    ],
)
def test_closed(node: ir.Object, closed: bool) -> None:
    assert is_closed(node) is closed


@pytest.mark.parametrize(
    ("a", "b", "equal"),
    [
        (1, 1.0, True),
        (True, 1, False),
        (0, False, False),
        (True, True, True),
        (None, None, True),
        (None, False, False),
        ("a", "a", True),
        ("1", 1, False),
        ([1, [2.0]], [1.0, [2]], True),
        ([1], [1, 2], False),
        ([1], {"0": 1}, False),
        ({"a": 1, "b": [True]}, {"b": [True], "a": 1.0}, True),
        ({"a": 1}, {"a": True}, False),
        ({"a": 1}, {"b": 1}, False),
        ({}, [], False),
        (2**60, float(2**60), True),
    ],
    ids=repr,
)
def test_equality(a: Any, b: Any, equal: bool) -> None:
    assert json_equal(a, b) is equal
    assert json_equal(b, a) is equal


@given(json_values(), json_values(), st.booleans())
def test_equality_is_that_of_json(a: Any, b: Any, copy: bool) -> None:
    other = json.loads(json.dumps(a)) if copy else b
    assert json_equal(a, other) == same_json(a, other)
    assert json_equal(a, a)


@given(schemas(max_leaves=8))
def test_references_name_definitions(schema: Any) -> None:
    graph = read(schema, ws.Options()).graph
    for node in (graph.root, *graph.defs.values()):
        assert {name for name, _ in references(node)} <= set(graph.defs)
