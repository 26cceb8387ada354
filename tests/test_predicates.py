"""The predicates of union arms: from nodes, from an artifact, and over patterns."""

from __future__ import annotations

import json
from typing import Any

import pytest

import wireshape as ws
from wireshape import ir
from wireshape.predicates import ArmPredicates, WrittenPredicates, judge, with_required_apart

ARMS = ((ir.Ref("W"), ir.Ref("S")), (ir.Never(), ir.Any()))
DEFS: tuple[dict[str, ir.Node], dict[str, ir.Node]] = (
    {"W": ir.String(min_length=1)},
    {"S": ir.List(ir.Ref("S"), max_items=1)},
)
PROBES: tuple[list[Any], list[Any]] = ["a", "", []], [[], [[]], [[], []], "a"]


@pytest.mark.parametrize("written", [False, True])
def test_both_sides_of_every_arm(written: bool) -> None:
    made = ArmPredicates(ARMS, *DEFS)
    ask = WrittenPredicates(made.written()) if written else made
    assert ask.written() == {
        "arms": [
            {"wire": {"$ref": "#/$defs/W"}, "source": {"$ref": "#/$defs/S"}},
            {"wire": False, "source": {}},
        ],
        "definitions": {
            "wire": {"W": {"type": "string", "minLength": 1}},
            "source": {"S": {"type": "array", "items": {"$ref": "#/$defs/S"}, "maxItems": 1}},
        },
    }
    for _ in range(2):  # built at the first question, kept for the next one
        assert [ask.wire(0, v) for v in PROBES[0]] == [True, False, False]
        assert [ask.source(0, v) for v in PROBES[1]] == [True, True, False, False]
        assert [ask.wire(1, 1), ask.source(1, 1)] == [False, True]
    assert ask.found("^a.$", "ab")
    assert not ask.found("^a.$", "abc")
    assert not ask.found("^a.$", "a\ud800")
    assert not ask.wire(0, "\ud800")


@pytest.mark.parametrize(
    "value",
    [{1}, float("nan"), {1: 2}, "\ud800", object()],
    ids=["set", "nan", "number-key", "surrogate", "object"],
)
def test_what_is_no_json_belongs_nowhere(value: Any) -> None:
    assert not judge({"type": ["string", "object", "integer"]})(value)


def test_a_schema_that_is_too_deep_to_judge() -> None:
    deep: Any = {}
    for _ in range(1000):
        deep = {"items": deep}
    with pytest.raises(ws.SchemaError) as caught:
        judge(deep)
    assert caught.value.code == "WS114"


def test_a_definition_is_written_once() -> None:
    """What an artifact says of arms grows with the arms, not with the arms times what they refer to."""
    defs: dict[str, ir.Node] = {
        f"D{i}": ir.Object((ir.Field("n", ir.Ref(f"D{(i + 1) % 300}")),), ir.Any())
        for i in range(300)
    }
    arms = tuple([(node, node) for node in map(ir.Ref, defs)])
    assert len(json.dumps(ArmPredicates(arms, defs, defs).written())) < 100_000


def test_many_required_keys_beside_a_closed_object_move_apart() -> None:
    keys = [f"p{i}" for i in range(1001)]
    names: dict[str, Any] = {key: {} for key in keys}
    long = {"required": keys, "additionalProperties": False, "properties": names}
    apart = {**long, "allOf": [{"required": keys}]}
    del apart["required"]
    again = dict(long)
    tree = {"properties": {"enum": long}, "anyOf": [again, {"required": keys}], "const": long}
    before = json.dumps(tree)
    assert with_required_apart(tree) == {
        "properties": {"enum": apart},
        "anyOf": [apart, {"required": keys}],
        "const": long,
    }
    assert json.dumps(tree) == before
    assert with_required_apart({"allOf": [True], **long})["allOf"] == [True, {"required": keys}]
    assert with_required_apart(small := {"required": keys[1:]}) is small
    full = dict.fromkeys(keys, 1)
    assert [judge(long)(full), judge(long)({**full, "x": 1}), judge(long)({})] == [
        True,
        False,
        False,
    ]
