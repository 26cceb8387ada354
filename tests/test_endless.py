"""Recursion without an end: refused at the root, `false` elsewhere; recursion that some value ends is none of it."""

from __future__ import annotations

import time
from typing import Any

import pytest

import wireshape as ws
from wireshape import ir
from wireshape.read.endless import endless
from wireshape.testing import broken_laws

A: dict[str, Any] = {"$ref": "#/$defs/A"}


def holding(part: Any, **more: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {"a": part}, "required": ["a"], **more}


def with_a(root: Any, definition: Any, **more: Any) -> dict[str, Any]:
    return {**root, "$defs": {"A": definition, **more}}


ENDLESS: dict[str, Any] = {
    "itself": with_a(A, holding(A)),
    "the_root": holding({"$ref": "#"}),
    "one_another": with_a(A, holding({"$ref": "#/$defs/B"}), B=holding(A)),
    "items": with_a(A, {"type": "array", "items": A, "minItems": 1}),
    "positions": with_a(A, {"type": "array", "prefixItems": [{}, A], "minItems": 2}),
    "rest": with_a(A, {"type": "array", "prefixItems": [{}], "items": A, "minItems": 2}),
    "every_arm": with_a(
        A, holding({"anyOf": [A, {"$ref": "#/$defs/B"}]}), B=holding({"type": "array", **A})
    ),
    "enough_keys": with_a(A, {"type": "object", "additionalProperties": A, "minProperties": 1}),
    "a_merged_base": holding(
        A, **{"$defs": {"A": {"allOf": [holding(A), {"properties": {"b": {"type": "string"}}}]}}}
    ),
    "what_holds_it": holding(
        {"type": "array", "items": A, "minItems": 1}, **with_a({}, holding(A))
    ),
}
ENDING: dict[str, tuple[Any, list[Any]]] = {
    "an_arm": (
        with_a(A, holding({"anyOf": [A, {"type": "null"}]})),
        [{"a": None}, {"a": {"a": 1}}],
    ),
    "optional": (with_a(A, holding(A, required=[])), [{}, {"a": {}}]),
    "no_items": (with_a(A, {"type": "array", "items": A}), [[], [[]]]),
    "other_types": (with_a(A, {"properties": {"a": A}, "required": ["a"]}), [3, {"a": 3}]),
    "other_keys": (
        {"type": "object", "properties": {"a": {"$ref": "#"}}, "minProperties": 1},
        [{"b": 1}, {"a": {"b": 1}}],
    ),
    "an_optional_part": (
        {
            "type": "object",
            "properties": {"x": A, "y": {"type": "string"}},
            "$defs": {"A": holding(A)},
        },
        [{}, {"y": "s"}, {"x": {}}],
    ),
    "a_list_of_nothing": (
        holding({"type": "array", "items": A}, **with_a({}, holding(A))),
        [{"a": []}, {"a": [{}]}],
    ),
    "an_arm_of_nothing": (
        {"anyOf": [A, holding({"type": "integer"})], "$defs": {"A": holding(A)}},
        [{"a": 1}, {"a": {}}],
    ),
}
ROWS = [
    "openai-strict",
    "chat-compat",
    "gemini-openapi",
    "mistral-strict",
    "apple-fm",
    "llguidance",
]


@pytest.mark.parametrize("name", ENDLESS)
@pytest.mark.parametrize("dialect", ROWS)
def test_recursion_without_an_end_is_refused(dialect: str, name: str) -> None:
    with pytest.raises(ws.SchemaError) as caught:
        ws.compile(ENDLESS[name], dialect)
    assert caught.value.code == "WS117"


@pytest.mark.parametrize("name", ENDING)
@pytest.mark.parametrize("dialect", ROWS)
def test_recursion_that_ends_compiles(dialect: str, name: str) -> None:
    schema, values = ENDING[name]
    assert not broken_laws(schema, dialect, values)


def test_the_error_says_where_and_why() -> None:
    with pytest.raises(ws.SchemaError, match="without an end") as caught:
        ws.compile(ENDLESS["itself"], "openai-strict")
    assert caught.value.pointer == "/$defs/A"


def test_a_part_of_nothing_is_left_out_as_false_is() -> None:
    schema, _ = ENDING["an_optional_part"]
    plain = {**schema, "properties": {**schema["properties"], "x": False}}
    for dialect in ROWS:
        assert ws.compile(schema, dialect).schema == ws.compile(plain, dialect).schema


def test_lenient_sends_it_as_it_is() -> None:
    assert ws.compile(ENDLESS["itself"], "lenient").schema == ENDLESS["itself"]


def test_many_that_need_a_chain_take_linear_time() -> None:
    """One definition needs each of a chain, which is listed from its beginning or its end."""
    count = 8_000
    chain: dict[str, ir.Node] = {
        f"D{i}": ir.Object((ir.Field("n", ir.Ref(f"D{i + 1}"), required=True),), ir.Any())
        for i in range(count)
    }
    last: dict[str, ir.Node] = {f"D{count}": ir.Null()}
    needs = tuple([ir.Field(name, ir.Ref(name), required=True) for name in chain])
    every: dict[str, ir.Node] = {"every": ir.Object(needs, ir.Any())}
    start = time.process_time()
    for defs in ({**chain, **last, **every}, {**last, **dict([*chain.items()][::-1]), **every}):
        assert endless(defs) == []
    assert time.process_time() - start < 3


def test_many_references_to_one_count_once() -> None:
    names = [f"D{i}" for i in range(4_000)]
    holder = ir.Object(tuple([ir.Field(n, ir.Ref("one"), required=True) for n in names]), ir.Any())
    ended: dict[str, ir.Node] = {"one": ir.List(ir.Ref("two"), 1), "two": ir.Null()}
    never: dict[str, ir.Node] = {"itself": ir.List(ir.Ref("itself"), 1)}
    both = ir.Tuple((holder, ir.Ref("itself")), ir.Any(), 2)
    start = time.process_time()
    assert endless({**dict([*ended.items()][::-1]), **never, "both": both}) == ["itself", "both"]
    assert time.process_time() - start < 1


@pytest.mark.parametrize("order", [1, -1])
def test_long_chains_take_linear_time(order: int) -> None:
    names = [f"D{i}" for i in range(5_000)]
    following = [*names[1:], names[0]]
    defs: dict[str, ir.Node] = {
        name: ir.Object((ir.Field("n", ir.Ref(to), required=True),), ir.Any())
        for name, to in list(zip(names, following, strict=True))[::order]
    }
    start = time.process_time()
    assert len(endless(defs)) == 5_000
    assert endless({**defs, "D2500": ir.List(ir.Ref("D0"))}) == []
    assert time.process_time() - start < 2
