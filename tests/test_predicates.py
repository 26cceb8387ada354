"""The predicates of union arms: from nodes, from an artifact, and over patterns."""

from __future__ import annotations

from typing import Any

import pytest

import wireshape as ws
from wireshape import ir
from wireshape.predicates import ArmPredicates, WrittenPredicates, judge

ARMS = ((ir.Ref("W"), ir.Ref("S")), (ir.Never(), ir.Any()))
DEFS: tuple[dict[str, ir.Node], dict[str, ir.Node]] = (
    {"W": ir.String(min_length=1)},
    {"S": ir.List(ir.Ref("S"), max_items=1)},
)


@pytest.mark.parametrize("written", [False, True])
def test_both_sides_of_every_arm(written: bool) -> None:
    made = ArmPredicates(ARMS, *DEFS)
    ask = WrittenPredicates(made.documents()) if written else made
    assert ask.documents() == [
        {
            "wire": {"type": "string", "minLength": 1},
            "source": {"type": "array", "items": {"$ref": "#"}, "maxItems": 1},
        },
        {"wire": {"not": {}}, "source": {}},
    ]
    for _ in range(2):  # built at the first question, kept for the next one
        assert [ask.wire(0, v) for v in ("a", "", [])] == [True, False, False]
        assert [ask.source(0, v) for v in ([], [[]], [[], []], "a")] == [True, True, False, False]
        assert [ask.wire(1, 1), ask.source(1, 1)] == [False, True]
    assert ask.found("^a.$", "ab")
    assert not ask.found("^a.$", "abc")


@pytest.mark.parametrize("value", [{1}, float("nan"), {1: 2}, "\ud800", object()], ids=repr)
def test_what_is_no_json_belongs_nowhere(value: Any) -> None:
    assert not judge({"type": ["string", "object", "integer"]})(value)


def test_a_schema_that_is_too_deep_to_judge() -> None:
    deep: Any = {}
    for _ in range(1000):
        deep = {"items": deep}
    with pytest.raises(ws.SchemaError) as caught:
        judge(deep)
    assert caught.value.code == "WS114"
