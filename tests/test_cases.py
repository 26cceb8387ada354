"""Conditions become alternatives exactly: the same values, on every row that lacks them, and nothing else changes."""

from __future__ import annotations

import json
from itertools import product
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wireshape as ws
from wireshape import ir
from wireshape.dialect import resolve
from wireshape.emit import plain
from wireshape.options import Options
from wireshape.read import read
from wireshape.strictify.cases import MAX_ARMS, split
from wireshape.testing import broken_laws

ROW = resolve("openai-strict")
LACKING = [d for d in ws.dialects() if ws.dialect(d).unions.conditional != "yes"]
KIND = {"enum": ["a", "b", "c"]}
BASE: dict[str, Any] = {
    "type": "object",
    "properties": {"kind": KIND, "on": {"type": "boolean"}, "x": {"type": "string"}, "y": {"type": "integer"}},
    "required": ["kind"],
    "additionalProperties": False,
}  # fmt: skip


def values() -> list[Any]:
    """Every object over a few keys and values."""
    choices: list[list[tuple[str, Any]]] = [
        [("kind", v) for v in ("a", "b", "c", 1)],
        [("on", v) for v in (True, False)],
        [("x", v) for v in ("s", "", 1)],
        [("y", v) for v in (1, "s")],
    ]
    absent: tuple[str, Any] = ("", None)
    spots = product(*[[absent, *choice] for choice in choices])
    return [{k: v for k, v in spot if k} for spot in spots]


VALUES = values()


def is_(kind: Any, *, required: bool = False) -> dict[str, Any]:
    test: dict[str, Any] = {"properties": {"kind": kind}}
    return {**test, "required": ["kind"]} if required else test


A, B = {"const": "a"}, {"const": "b"}
X, Y = {"required": ["x"]}, {"required": ["y"]}

SPLIT: list[tuple[str, Any, int]] = [
    ("constant", {**BASE, "if": is_(A), "then": X}, 2),
    ("with_required", {**BASE, "required": [], "if": is_(A, required=True), "then": X, "else": Y}, 2),
    ("without_required", {**BASE, "required": [], "if": is_(A), "then": X}, 2),
    ("typed_condition", {**BASE, "if": {"type": "object", **is_(A)}, "then": X}, 2),
    ("several", {**BASE, "allOf": [{"if": is_(A), "then": X}, {"if": is_(B), "then": Y}]}, 3),
    ("else_if", {**BASE, "if": is_(A), "then": X, "else": {"if": is_(B), "then": Y}}, 3),
    ("negated", {**BASE, "if": {"not": is_(A)}, "then": X}, 2),
    ("negated_value", {**BASE, "if": is_({"not": A}), "then": X}, 2),
    ("any_of", {**BASE, "if": {"anyOf": [is_(A), is_(B)]}, "then": X}, 2),
    ("two_keys", {**BASE, "if": {"properties": {"kind": A, "on": {"const": True}}, "required": ["on"]}, "then": X}, 3),
    ("presence", {**BASE, "if": {"required": ["on"]}, "then": Y}, 2),
    ("absence", {**BASE, "if": {"properties": {"on": False}}, "then": Y}, 2),
    ("always", {**BASE, "if": True, "then": X}, 1),
    ("one_arm_left", {**BASE, "if": is_(A), "then": X, "else": False}, 1),
    ("dependent_required", {**BASE, "dependentRequired": {"on": ["y"]}}, 2),
    ("mutual", {**BASE, "required": [], "dependentRequired": {"on": ["kind"], "kind": ["on"]}}, 2),
    ("dependent_schemas", {**BASE, "dependentSchemas": {"kind": X, "on": {"properties": {"x": {"minLength": 1}}}}}, 2),
    ("old_dependencies", {"$schema": "http://json-schema.org/draft-07/schema#", **BASE, "required": [], "dependencies": {"kind": ["y"], "on": {"required": ["y"]}}}, 3),
    ("open_object", {**BASE, "additionalProperties": {}, "if": is_(A), "then": {"properties": {"z": {"type": "null"}}, "required": ["z"]}}, 2),
    ("by_reference", {"$ref": "#/$defs/O", "if": is_(A), "then": {"$ref": "#/$defs/T"}, "$defs": {"O": BASE, "T": X}}, 2),
    ("nullable_constant", {**BASE, "properties": {**BASE["properties"], "kind": {"oneOf": [{**A, "title": "first"}, {**B, "title": "second"}, {"type": "null"}]}}, "if": is_({"type": "null"}), "then": X}, 2),
]  # fmt: skip

KEPT: list[tuple[str, Any]] = [
    ("no_list_of_values", {**BASE, "properties": {**BASE["properties"], "kind": {"type": "string"}}, "if": is_(A), "then": X}),
    ("a_bound_of_another_key", {**BASE, "if": {"properties": {"y": {"minimum": 3}}}, "then": X}),
    ("a_key_without_a_list", {**BASE, "if": X, "then": Y}),
    ("a_dependent_of_such_a_key", {**BASE, "dependentRequired": {"x": ["y"], "on": ["x"]}}),
    ("a_number_of_keys", {**BASE, "if": {"minProperties": 3}, "then": X}),
    ("any_type", {"properties": {"kind": KIND}, "required": ["kind"], "if": is_(A), "then": X}),
]  # fmt: skip


@pytest.mark.parametrize(("source", "arms"), [s[1:] for s in SPLIT], ids=[s[0] for s in SPLIT])
def test_split_is_exact(source: Any, arms: int) -> None:
    graph = split(read(source, Options()).graph, ROW)
    root = graph.root
    if arms == 1:
        assert type(root) is ir.Object
    else:
        assert type(root) is ir.Union
        assert len(root.options) == arms
    is_valid, is_same = (jsonschema_rs.validator_for(s).is_valid for s in (source, plain(graph)))
    for value in [*VALUES, *[{**v, "z": None} for v in VALUES[::5]], 1, None, []]:
        assert is_valid(value) is is_same(value), value


@pytest.mark.parametrize("source", [s[1] for s in KEPT], ids=[s[0] for s in KEPT])
def test_what_cannot_be_shown_stays(source: Any) -> None:
    graph = read(source, Options()).graph
    after = split(graph, ROW)
    assert after is graph


def test_more_cases_than_arms_stay() -> None:
    kinds = [f"k{i}" for i in range(2 * MAX_ARMS)]
    rules = [{"if": is_({"const": k}), "then": {"minProperties": i}} for i, k in enumerate(kinds)]
    source = {
        "type": "object",
        "properties": {"kind": {"enum": kinds}},
        "required": ["kind"],
        "allOf": rules,
    }
    root = split(read(source, Options()).graph, ROW).root
    assert type(root) is ir.Refine
    assert type(root.base) is ir.Union
    assert len(root.base.options) == MAX_ARMS
    assert len(root.assertions) > MAX_ARMS - 2


def test_a_rule_that_was_given_up_decides_nothing_for_the_next() -> None:
    kinds = [f"k{i}" for i in range(2 * MAX_ARMS)]
    ends = [{"minProperties": i} for i in range(2 * MAX_ARMS)]
    conditions = list(zip(kinds, ends, strict=True))  # twice as many as there may be arms
    conditions += [(kinds[i], ends[i + 1]) for i in range(8)]
    source = {
        "type": "object",
        "properties": {"kind": {"enum": kinds}},
        "required": ["kind"],
        "allOf": [{"if": is_({"const": kind}), "then": end} for kind, end in conditions],
    }
    graph = split(read(source, Options()).graph, ROW)
    is_valid, is_same = (jsonschema_rs.validator_for(s).is_valid for s in (source, plain(graph)))
    for kind in kinds:
        for size in range(2 * MAX_ARMS):
            value = {"kind": kind, **{f"x{i}": 0 for i in range(size)}}
            assert is_valid(value) is is_same(value), value


def test_a_row_that_has_conditions_keeps_them() -> None:
    for dialect in set(ws.dialects()) - set(LACKING):
        graph = read(SPLIT[0][1], Options()).graph
        assert split(graph, resolve(dialect)) is graph


@pytest.mark.parametrize("dialect", LACKING)
@pytest.mark.parametrize("source", [s[1] for s in SPLIT], ids=[s[0] for s in SPLIT])
def test_laws_of_what_was_split(dialect: str, source: Any) -> None:
    for options in (ws.Options(), ws.Options(absent="box", open_objects="keep")):
        compiled = ws.compile(source, dialect, options=options)
        crude = any([n.code == "WS221" for n in compiled.report.notes])  # the row has no such arms
        told = [n for n in compiled.report.widened if n.keyword in {"if", "dependentRequired"}]
        assert not told or crude or ws.dialect(dialect).unions.any_of != "yes"
        assert not broken_laws(source, dialect, VALUES[::7], options)


def test_the_note_names_the_keyword_of_the_source() -> None:
    sources = {name: source for name, source, _ in SPLIT}
    notes = ws.compile(sources["old_dependencies"], "openai-strict").report.notes
    assert [(n.code, n.keyword, n.pointer) for n in notes if n.code == "WS240"] == [
        ("WS240", "dependencies", "/dependencies")
    ]
    assert [n.pointer for n in notes if n.code == "WS225"] == [""]


def test_a_limit_of_the_row_keeps_the_condition() -> None:
    optional = {f"o{i}": {"type": "string"} for i in range(20)}
    source = {**BASE, "properties": {**BASE["properties"], **optional}, "if": is_(A), "then": X}
    compiled = ws.compile(
        {"type": "object", "properties": {"v": source}, "required": ["v"]}, "anthropic-strict"
    )
    assert [n.keyword for n in compiled.report.widened] == ["if"]
    assert "anyOf" not in json.dumps(compiled.schema)


CONDITIONS = st.sampled_from([is_(A), is_(B, required=True), X, Y, {"not": is_(A)}, is_({"enum": ["b", "c"]}), {"properties": {"on": {"const": True}}}, {"properties": {"x": {"minLength": 1}}}])  # fmt: skip
RULES = st.recursive(
    st.sampled_from([X, Y, {"properties": {"y": False}}, {"properties": {"kind": {"enum": ["a", "b"]}}}, {"dependentRequired": {"on": ["x"]}}, True, False]),
    lambda inner: st.fixed_dictionaries({"if": CONDITIONS}, optional={"then": inner, "else": inner}),
    max_leaves=4,
)  # fmt: skip


@given(st.lists(RULES, min_size=1, max_size=4), st.sampled_from([["kind"], []]), st.booleans())
def test_any_rules(rules: list[Any], required: list[str], closed: bool) -> None:
    source = {**BASE, "required": required, "additionalProperties": not closed, "allOf": rules}
    graph = split(read(source, Options()).graph, ROW)
    is_valid, is_same = (jsonschema_rs.validator_for(s).is_valid for s in (source, plain(graph)))
    for value in VALUES:
        assert is_valid(value) is is_same(value), value
    assert type(graph.root) is not ir.Union or len(graph.root.options) <= MAX_ARMS**2
