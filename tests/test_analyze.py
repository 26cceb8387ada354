"""Limits: what the compiler counts is what the acceptor counts, and what is over a limit is said out loud."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wireshape as ws
from wireshape import ir
from wireshape.analyze import counted as count_limits
from wireshape.analyze import facts_by_name, facts_of
from wireshape.cost import layout_of
from wireshape.dialect import Dialect, Limits
from wireshape.emit import emit
from wireshape.grant import Excess
from wireshape.options import Options
from wireshape.read import read
from wireshape.strictify import strictify
from wireshape.testing import schemas
from wireshape.wires import definitions

MAJORS: list[str] = json.loads(
    (Path(__file__).parents[1] / "golden" / "rows.json").read_text("utf-8")
)["every_case"]

TEXT: Any = {"type": "string"}
NOTHING = Limits(
    properties=0,
    depth=0,
    string_chars=0,
    enum_values=0,
    optional_params=0,
    union_params=0,
    max_items_sum=0,
    bytes=0,
    large_enum_values=1,
    large_enum_chars=0,
)
COUNTS = ("properties", "string_chars", "enum_values", "optional_params", "max_items_sum")


def limited(dialect: str, limits: Limits) -> Dialect:
    return replace(ws.dialect(dialect), limits=limits)


def counted(schema: Any, row: Dialect) -> tuple[ir.Graph, list[Excess]]:
    """What is written when no limit is heeded, and what of it is over a limit."""
    options = Options()
    program = strictify(read(schema, options).graph, row, options)
    return program.graph, count_limits(emit(program.graph, row), row).found


def noted(schema: Any, row: Dialect) -> dict[str, int]:
    """What the compiler counts, by limit."""
    return {excess.rule: excess.count for excess in counted(schema, row)[1]}


def violated(schema: Any, row: Dialect) -> dict[str, int]:
    """What the acceptor counts: the most, where it counts each definition."""
    counts: dict[str, int] = {}
    for v in ws.check(emit(counted(schema, row)[0], row).document, row):
        if v.rule.startswith("limits."):
            hit = re.search(r" is (\d+), over", v.message)
            rule = v.rule.removeprefix("limits.")
            counts[rule] = max(counts.get(rule, 0), int(hit[1]) if hit else 0)
    return counts


@given(schemas())
def test_the_sites_of_a_definition_count_what_it_counts(schema: Any) -> None:
    row = ws.dialect("openai-strict")
    try:
        graph, _ = counted(schema, row)
    except ws.SchemaError:
        return
    emitted = emit(graph, row)
    parts = facts_by_name(definitions(emitted.document))
    layout = layout_of(emitted, parts)
    for name, start in layout.laid.starts.items():
        sites = layout.sites[start : layout.sites[start].end]
        assert sum([site.union for site in sites]) == parts[name].union_params
        assert max([site.depth for site in sites]) == parts[name].depth
        for rule in COUNTS:
            own = sum([getattr(layout.facts(site.wire), rule) for site in sites])
            assert own == getattr(parts[name], rule)


ENUM = {"type": "string", "enum": [f"w{i}" for i in range(300)]}
OBJECT = {
    "type": "object",
    "properties": {
        f"field{i}": {
            "type": "string",
            "description": 'It is "what"\n' + "x" * i,
            "enum": ["a", "b"],
        }
        for i in range(50)
    },
    "required": [f"field{i}" for i in range(50)],
    "additionalProperties": False,
}
SIZED: dict[str, Any] = {
    "enum": ENUM,
    "object": OBJECT,
    "list": {"type": "array", "items": OBJECT, "maxItems": 5},
    "union": {"anyOf": [OBJECT, ENUM, {"type": "integer", "minimum": 1, "maximum": 10}]},
}


@pytest.mark.parametrize("name", SIZED)
def test_the_bytes_of_parts_are_near_those_of_the_document(name: str) -> None:
    """Which parts give way is decided by them; whether the document fits, by its own count."""
    compiled = ws.compile(SIZED[name], "tools-lenient")
    emitted = emit(compiled._machine.parts.wire, compiled.dialect)
    layout = layout_of(emitted, facts_by_name(definitions(emitted.document)))
    size = len(json.dumps(emitted.document, separators=(",", ":")))
    assert abs(layout.weigh("bytes").total - size) < size * 0.05


@pytest.mark.parametrize("scope", ["expanded", "definition"])
@pytest.mark.parametrize("dialect", [d for d in MAJORS if d != "lenient"])
@given(data=st.data())
def test_the_acceptor_counts_the_same(dialect: str, scope: Any, data: st.DataObject) -> None:
    row = limited(dialect, replace(NOTHING, depth_scope=scope))
    schema = data.draw(schemas(max_leaves=8))
    try:
        assert noted(schema, row) == violated(schema, row)
    except ws.SchemaError:
        return


@given(data=st.data())
def test_a_limit_that_is_met_to_the_letter_is_no_excess(data: st.DataObject) -> None:
    schema = data.draw(schemas(max_leaves=8))
    try:
        counts = noted(schema, limited("anthropic-strict", NOTHING))
    except ws.SchemaError:
        return
    within = replace(NOTHING, **counts)
    assert noted(schema, limited("anthropic-strict", within)) == {}
    for rule, count in counts.items():
        tight = replace(within, **{rule: count - 1})
        assert noted(schema, limited("anthropic-strict", tight)) == {rule: count}


def fields(count: int, node: Any = TEXT, required: bool = False) -> dict[str, Any]:
    keys = [f"f{i}" for i in range(count)]
    return {
        "type": "object",
        "properties": dict.fromkeys(keys, node),
        "required": keys if required else [],
        "additionalProperties": False,
    }


NAMED: Any = {
    "type": "object",
    "properties": {"a": {"$ref": "#/$defs/Part"}, "b": {"$ref": "#/$defs/Part"}, "c": TEXT},
    "required": ["a", "b", "c"],
    "additionalProperties": False,
    "$defs": {"Part": fields(13)},
}


def largest(schema: Any, row: Dialect) -> tuple[int, str]:
    (excess,) = counted(schema, row)[1]
    return excess.count, excess.largest


def test_references_are_multiplied_out_for_what_a_request_may_hold() -> None:
    assert largest(NAMED, ws.dialect("anthropic-strict")) == (26, "Part (13), the root (0)")


def test_definitions_count_once_for_what_a_document_may_hold() -> None:
    row = limited("anthropic-strict", Limits(properties=15))
    assert largest(NAMED, row) == (16, "Part (13), the root (3)")
    names = limited("anthropic-strict", Limits(string_chars=1))
    assert noted(NAMED, names) == {"string_chars": 3 + 10 * 2 + 3 * 3 + 4}


def test_the_largest_three_are_named() -> None:
    schema: Any = {
        **fields(0),
        "properties": {f"p{i}": {"$ref": f"#/$defs/D{i}"} for i in range(5)},
        "required": [f"p{i}" for i in range(5)],
        "$defs": {f"D{i}": {**fields(i + 7), "description": str(i)} for i in range(5)},
    }
    assert largest(schema, ws.dialect("anthropic-strict"))[1] == "D4 (11), D3 (10), D2 (9)"


@pytest.mark.parametrize(("scope", "depth"), [("expanded", 4), ("definition", 2)])
def test_nesting(scope: Any, depth: int) -> None:
    part = fields(1, {"type": "array", "items": TEXT}, required=True)
    schema = {**fields(1, {"type": "array", "items": {"$ref": "#/$defs/P"}}, required=True)}
    schema["$defs"] = {"P": part}
    row = limited("openai-strict", Limits(depth=1, depth_scope=scope))
    assert noted(schema, row) == {"depth": depth}


@pytest.mark.parametrize("values", [5, 11, 70])
def test_only_a_large_enum_counts_its_letters(values: int) -> None:
    schema = fields(1, {"enum": [f"{i:02}" for i in range(values)]}, required=True)
    row = limited("openai-strict", Limits(large_enum_values=10, large_enum_chars=20))
    assert noted(schema, row) == ({"large_enum_chars": values * 2} if values > 10 else {})
    loose = limited("openai-strict", Limits(large_enum_chars=1))
    assert noted(schema, loose) == {}, "large is not said"


def test_a_union_behind_a_reference_is_one() -> None:
    union: Any = {"anyOf": [TEXT, fields(1, required=True)]}
    schema = {**fields(2, {"$ref": "#/$defs/U"}, required=True), "$defs": {"U": {"$ref": "#/$defs/V"}, "V": union}}  # fmt: skip
    row = limited("anthropic-strict", Limits(union_params=1))
    assert noted(schema, row) == {"union_params": 2}


def test_a_union_that_leads_back_to_the_root() -> None:
    defs: dict[str, Any] = {"the root": {"properties": {"a": {"$ref": "#"}}, "anyOf": [{}, {}]}}
    assert facts_of(defs["the root"], defs).union_params == 1
    loop: dict[str, Any] = {"A": {"$ref": "#/$defs/A"}}
    assert facts_of({"properties": {"a": {"$ref": "#/$defs/A"}}}, loop).union_params == 0


def test_bytes_are_those_of_compact_text() -> None:
    row = limited("openai-strict", Limits(bytes=10))
    schema = fields(1, {**TEXT, "description": "é"}, required=True)
    document = emit(counted(schema, row)[0], row).document
    compact = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    assert noted(schema, row) == {"bytes": len(compact.encode())}


def test_a_recursive_reference_counts_once() -> None:
    node = {**fields(2), "properties": {"n": {"$ref": "#/$defs/N"}, "v": TEXT}}
    schema = {**fields(1, {"$ref": "#/$defs/N"}, required=True), "$defs": {"N": node}}
    row = limited("openai-non-strict", Limits(optional_params=1, depth=1))
    assert noted(schema, row) == {"optional_params": 2, "depth": 2}


def test_every_keyword_that_holds_schemas_is_entered() -> None:
    leaf = {"type": "array", "maxItems": 1}
    wire: dict[str, Any] = {
        **dict.fromkeys(
            "additionalProperties items propertyNames not if then else contains unevaluatedItems unevaluatedProperties".split(),
            leaf,
        ),
        **{key: [leaf, True] for key in ("prefixItems", "anyOf", "oneOf", "allOf")},
        **{
            key: {"a": leaf, "b": False}
            for key in ("properties", "patternProperties", "dependentSchemas")
        },
    }
    assert facts_of(wire, {}).max_items_sum == 17
    assert facts_of({"additionalProperties": False, "items": True}, {}).max_items_sum == 0
    assert facts_of({"default": leaf, "const": leaf}, {}).max_items_sum == 0
