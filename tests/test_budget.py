"""Limits are met: exactly where that can be, at the least loss where not; both sums of a request are solved at once."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.errors import UnsatisfiedAssumption

import wireshape as ws
from wireshape import budget_reach, pipeline
from wireshape.budget_fields import Cost, allocate
from wireshape.dialect import Dialect, Limits
from wireshape.testing import (
    broken_laws,
    laws,
    mutations,
    schemas,
    values,
    wire_validator,
    wire_values,
)

TEXT: Any = {"type": "string"}
NULLABLE: Any = {"type": ["string", "null"]}
NONE = Limits()
ROWS = ("anthropic-strict", "openai-strict", "xai-strict", "gemini-json-schema")


def limited(dialect: str, **limits: Any) -> Dialect:
    row = ws.dialect(dialect)
    return replace(row, limits=replace(NONE, **limits))


def closed(properties: dict[str, Any], required: tuple[str, ...] = (), **more: Any) -> Any:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
        **more,
    }


def fields(count: int, node: Any = TEXT, stem: str = "f") -> dict[str, Any]:
    return {f"{stem}{i}": node for i in range(count)}


@pytest.fixture
def lowered(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The grants under which a graph was lowered."""
    grants: list[Any] = []
    lower = pipeline.strictify

    def counting(graph: Any, row: Dialect, options: ws.Options, grant: Any = None) -> Any:
        grants.append(grant)
        return lower(graph, row, options, grant)

    monkeypatch.setattr(pipeline, "strictify", counting)
    return grants


def codes(compiled: ws.Compiled) -> set[str]:
    return {note.code for note in compiled.report.notes}


def fits(compiled: ws.Compiled) -> bool:
    return ws.check(compiled.schema, compiled.dialect) == []


# -- both sums at once


def brute_force(costs: list[Cost], optional: int, union: int) -> int | None:
    """The fewest fields to send nullable, by trying every choice."""
    for size in range(len(costs) + 1):
        for chosen in combinations(range(len(costs)), size):
            left = [cost for i, cost in enumerate(costs) if i not in chosen]
            sent = sum([costs[i].nullable for i in chosen])
            if (
                sum([c.optional for c in left]) <= optional
                and sum([c.union for c in left]) + sent <= union
            ):
                return size
    return None


COSTS = st.tuples(st.integers(1, 4), st.integers(0, 4), st.integers(0, 4)).map(
    lambda c: Cost(c[0], min(c[1], c[0]), c[0] + min(c[2], c[1], c[0]))
)


@given(st.lists(COSTS, max_size=8), st.integers(-1, 12), st.integers(-1, 12))
@settings(max_examples=400)
def test_the_joint_allocation_is_that_of_brute_force(
    costs: list[Cost], optional: int, union: int
) -> None:
    found = allocate(costs, optional, union)
    best = brute_force(costs, optional, union)
    assert (None if found is None else len(found)) == best
    if found is not None:
        left = [cost for i, cost in enumerate(costs) if i not in found]
        sent = sum([costs[i].nullable for i in found])
        assert sum([c.optional for c in left]) <= optional
        assert sum([c.union for c in left]) + sent <= union


def test_of_fields_at_one_price_the_later_one_is_sent_nullable() -> None:
    assert allocate([Cost(3, 0, 1), Cost(1, 0, 1)], 3, 1) == {1}
    assert allocate([Cost(3, 0, 1), Cost(1, 0, 1)], 2, 1) == {0}


def test_forty_optional_fields_need_no_entries() -> None:
    compiled = ws.compile(closed(fields(40)), "anthropic-strict")
    assert fits(compiled)
    assert compiled.report.exact
    assert codes(compiled) == {"WS210"}
    assert len(compiled.schema["required"]) == 16
    assert compiled.schema["required"] == [f"f{i}" for i in range(24, 40)], "the first stay plain"


def test_a_nullable_field_that_is_required_keeps_absent_and_null_apart() -> None:
    row = limited("anthropic-strict", optional_params=1, union_params=3)
    schema = closed({"a": NULLABLE, "b": NULLABLE})
    assert broken_laws(schema, row, [{}, {"a": None}, {"b": None, "a": "x"}]) == []
    compiled = ws.compile(schema, row)
    assert codes(compiled) == {"WS212"}
    assert compiled.decode(compiled.encode({"b": None})) == {"b": None}


# -- entries


def test_entries_take_any_number_of_fields() -> None:
    schema = closed({**fields(60), **fields(60, NULLABLE, "n"), "id": {"type": "integer"}}, ("id",))
    compiled = ws.compile(schema, "anthropic-strict")
    assert fits(compiled)
    assert compiled.report.exact
    assert codes(compiled) == {"WS242"}
    value = {"id": 1, "f3": "x", "n59": None, "n0": "y"}
    assert compiled.encode(value) == {
        "id": 1,
        "optional": [
            {"field": "f3", "value": "x"},
            {"field": "n0", "value": "y"},
            {"field": "n59", "value": None},
        ],
    }
    assert broken_laws(schema, "anthropic-strict", [value, {"id": 2}, compiled.encode(value)]) == []


def test_only_the_objects_that_save_most_send_entries() -> None:
    schema = closed({"big": closed(fields(50)), "small": closed(fields(20))}, ("big", "small"))
    compiled = ws.compile(schema, "anthropic-strict")
    assert [n.pointer for n in compiled.report.notes if n.code == "WS242"] == ["/properties/big"]
    assert fits(compiled)


def test_entries_of_a_definition_save_as_often_as_it_is_used() -> None:
    uses = {f"u{i}": {"$ref": "#/$defs/P"} for i in range(9)}
    schema = closed(
        {**uses, "o": closed(fields(12))}, (*uses, "o"), **{"$defs": {"P": closed(fields(8))}}
    )
    compiled = ws.compile(schema, "anthropic-strict")
    assert [n.pointer for n in compiled.report.notes if n.code == "WS242"] == ["/$defs/P"]
    assert fits(compiled)


def test_a_field_of_two_references_to_one_type_is_listed_once() -> None:
    one = {"anyOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}]}
    named = {
        "A": {"anyOf": [TEXT, {"type": "integer"}]},
        "B": {"anyOf": [TEXT, {"type": "boolean"}]},
    }
    schema = closed(fields(30, one), (), **{"$defs": named})
    row = limited("anthropic-strict", optional_params=5, union_params=0)
    row = replace(row, refs=replace(row.refs, inline=False))
    compiled = ws.compile(schema, row)
    assert fits(compiled)
    entries = compiled.schema["properties"]["optional"]["items"]["anyOf"]
    assert all([len({*e["properties"]["field"]["enum"]}) == 30 for e in entries])
    assert broken_laws(schema, row, [{"f0": "x", "f1": 3, "f2": True}]) == []


def test_a_repeated_entry_is_an_error_and_a_note_names_it() -> None:
    compiled = ws.compile(closed(fields(50)), "anthropic-strict")
    twice = {"optional": [{"field": "f1", "value": "x"}, {"field": "f1", "value": "y"}]}
    assert wire_validator(compiled).is_valid(twice)
    with pytest.raises(ws.DecodeError) as error:
        compiled.decode(twice)
    assert (error.value.code, error.value.pointer) == ("WS617", "/optional/1/field")
    assert laws.sound(compiled, twice) == []


def test_the_name_of_the_entries_is_free() -> None:
    schema = closed({**fields(50), "optional": TEXT})
    compiled = ws.compile(schema, "anthropic-strict")
    value = {"optional": "x", "f1": "y"}
    assert compiled.encode(value)["optional_2"] == [
        {"field": "f1", "value": "y"},
        {"field": "optional", "value": "x"},
    ]
    assert broken_laws(schema, "anthropic-strict", [value]) == []


def test_entries_beside_undeclared_keys() -> None:
    schema = {
        "type": "object",
        "properties": fields(50),
        "additionalProperties": {"type": "integer"},
    }
    value = {"f1": "x", "extras": 1, "optional": 2}
    assert broken_laws(schema, "anthropic-strict", [value, {}]) == []
    compiled = ws.compile(schema, "anthropic-strict")
    assert codes(compiled) == {"WS215", "WS242"}
    clash = {"optional": [], "extras": [{"key": "f1", "value": 1}]}
    with pytest.raises(ws.DecodeError, match="WS612"):
        compiled.decode(clash)


def test_an_artifact_carries_entries() -> None:
    compiled = ws.compile(
        closed(fields(50, {"type": "object", "additionalProperties": TEXT})), "anthropic-strict"
    )
    again = ws.Compiled.from_json(compiled.to_json())
    value = {"f7": {"a": "b"}}
    assert again.encode(value) == compiled.encode(value)
    assert again.decode(compiled.encode(value)) == value


# -- text, in the end


def test_unions_beyond_the_limit_become_text_one_by_one() -> None:
    schema = closed(fields(18, NULLABLE), tuple(fields(18)))
    compiled = ws.compile(schema, "anthropic-strict")
    texts = [n for n in compiled.report.notes if n.code == "WS221"]
    assert len(texts) == 2
    assert "the number of unions is 18, limits.union_params = 16" in texts[0].message
    assert fits(compiled)
    assert ws.can_express(schema, "anthropic-strict")
    with pytest.raises(ws.InexpressibleError, match="over the limit of 16"):
        ws.compile(schema, "anthropic-strict", options=ws.Options(inexpressible="raise"))


def test_what_only_a_text_reaches_is_told_by_the_text_alone() -> None:
    inner = closed({"codes": {"type": "array", "uniqueItems": True}, **fields(20, NULLABLE)})
    part = closed({"inner": {"$ref": "#/$defs/Inner"}, **fields(20)}, ("inner",))
    schema = closed(
        {"part": {"$ref": "#/$defs/Part"}, "name": TEXT},
        ("part", "name"),
        **{"$defs": {"Part": part, "Inner": inner}},
    )
    compiled = ws.compile(schema, limited("openai-strict", properties=8))
    assert fits(compiled)
    assert [n.code for n in compiled.report.notes if n.effect != "exact"] == ["WS221"]
    assert "uniqueItems" in compiled.report.notes[0].message
    assert (
        broken_laws(schema, compiled.dialect, [{"part": {"inner": {"codes": [1]}}, "name": "n"}])
        == []
    )


def chain(name: str, size: int, more: Any) -> dict[str, Any]:
    """Definitions that each refer to the next."""
    links = {
        f"{name}{i}": closed({**more, "next": {"$ref": f"#/$defs/{name}{i + 1}"}}, ("next",))
        for i in range(size)
    }
    return {**links, f"{name}{size}": closed(more)}


def test_a_text_takes_with_it_what_only_it_reaches_and_no_other_is_needed_there() -> None:
    schema = closed(
        {"long": {"$ref": "#/$defs/A0"}, "other": {"$ref": "#/$defs/B0"}, "name": TEXT},
        ("long", "other", "name"),
        **{"$defs": {**chain("A", 30, fields(4)), **chain("B", 10, fields(4))}},
    )
    row = limited("openai-strict", properties=70)
    row = replace(row, refs=replace(row.refs, inline=False))
    compiled = ws.compile(schema, row)
    assert fits(compiled)
    assert len([n for n in compiled.report.notes if n.code == "WS221"]) <= 2
    assert len(compiled.schema["$defs"]) > 10


def test_parts_that_hold_little_go_with_what_is_behind_them() -> None:
    """No definition is longer than a text would be, all together are: the chain is cut, and the root stays."""
    schema = closed(
        {"long": {"$ref": "#/$defs/A0"}, "other": {"$ref": "#/$defs/B0"}, "name": TEXT},
        ("long", "other", "name"),
        **{"$defs": {**chain("A", 60, {}), **chain("B", 10, {})}},
    )
    row = limited("openai-strict", bytes=4000)
    row = replace(row, refs=replace(row.refs, inline=False))
    compiled = ws.compile(schema, row)
    assert fits(compiled)
    assert len([n for n in compiled.report.notes if n.code == "WS221"]) == 1
    assert list(compiled.schema["properties"]) == ["long", "other", "name"]
    assert "B9" in compiled.schema["$defs"]


def test_in_a_very_large_document_the_largest_parts_are_tried(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(budget_reach, "_WORK", 200)
    schema = closed(
        {"long": {"$ref": "#/$defs/A0"}, "name": TEXT},
        ("long", "name"),
        **{"$defs": chain("A", 60, {})},
    )
    row = limited("openai-strict", bytes=4000)
    compiled = ws.compile(schema, replace(row, refs=replace(row.refs, inline=False)))
    assert fits(compiled)
    many = closed({"a": {"$ref": "#/$defs/A0"}}, ("a",), **{"$defs": chain("A", 30, fields(4))})
    row = limited("openai-strict", properties=70)
    assert fits(ws.compile(many, replace(row, refs=replace(row.refs, inline=False))))


def test_a_flat_root_over_the_limit_is_text_under_the_wrap_key() -> None:
    schema = closed(fields(30), tuple(fields(30)))
    row = limited("openai-strict", properties=20)
    compiled = ws.compile(schema, row)
    assert list(compiled.schema["properties"]) == ["value"]
    assert fits(compiled)
    assert broken_laws(schema, row, [dict.fromkeys(fields(30), "x")]) == []


def test_a_limit_that_nothing_meets_is_a_typed_error() -> None:
    row = limited("openai-strict", properties=0)
    with pytest.raises(ws.BudgetError, match="number of properties"):
        ws.compile(closed({"a": TEXT}), row)
    assert ws.can_express(closed({"a": TEXT}), row)


# -- sizes


def test_the_largest_enums_give_way_first() -> None:
    schema = closed(
        {
            "a": {"enum": [f"a{i}" for i in range(30)]},
            "b": {"enum": [f"b{i}" for i in range(60)]},
            "c": {"enum": [f"c{i}" for i in range(50)]},
        },
        ("a", "b", "c"),
    )
    compiled = ws.compile(schema, limited("openai-strict", enum_values=80))
    assert [n.pointer for n in compiled.report.notes] == ["/properties/b"]
    assert "one of: b0, b1" in compiled.schema["properties"]["b"]["description"]
    assert "b59" in compiled.schema["properties"]["b"]["description"]
    assert fits(compiled)


def test_a_large_enum_with_too_many_letters_gives_way() -> None:
    schema = closed(
        {"a": {"enum": [f"{i:09}" for i in range(20)]}, "b": {"enum": ["x", "y"]}}, ("a", "b")
    )
    row = limited("openai-strict", large_enum_values=10, large_enum_chars=100)
    compiled = ws.compile(schema, row)
    assert "enum" not in compiled.schema["properties"]["a"]
    assert "enum" in compiled.schema["properties"]["b"]
    assert fits(compiled)


def test_names_of_entries_may_be_a_large_enum() -> None:
    """What is over the limit then has no place in the source."""
    part = closed(fields(3, stem="p"))
    schema = closed({**fields(8), "part": {"$ref": "#/$defs/P"}}, (), **{"$defs": {"P": part}})
    row = limited("openai-strict", large_enum_values=2, large_enum_chars=1, union_params=0)
    assert fits(ws.compile(schema, row))


def test_the_largest_bounds_give_way_first() -> None:
    items = {"type": "array", "items": TEXT}
    schema = closed(
        {
            "a": {**items, "maxItems": 5},
            "b": {**items, "maxItems": 900},
            "c": {**items, "maxItems": 20},
        }
    )
    compiled = ws.compile(schema, "gemini-json-schema")
    assert [n.pointer for n in compiled.report.widened] == ["/properties/b"]
    assert compiled.schema["properties"]["b"]["description"] == "at most 900 items"
    assert fits(compiled)


def test_long_descriptions_are_cut_before_anything_else() -> None:
    schema = closed(
        {"a": {**TEXT, "description": "long " * 400}, "b": {**TEXT, "description": "short"}}
    )
    compiled = ws.compile(schema, limited("gemini-json-schema", bytes=1500))
    assert codes(compiled) == {"WS246"}
    assert compiled.schema["properties"]["a"]["description"].endswith("long ...")
    assert compiled.schema["properties"]["b"]["description"] == "short"
    assert 1300 < len(json.dumps(compiled.schema, separators=(",", ":"))) <= 1500


@given(st.integers(500, 2500))
def test_descriptions_that_were_joined_are_cut_until_all_fits(most: int) -> None:
    name = {**TEXT, "description": "inner " * 200}
    schema = closed({"a": {"$ref": "#/$defs/Name", "description": "outer " * 200}}, (), **{"$defs": {"Name": name}})  # fmt: skip
    compiled = ws.compile(schema, limited("gemini-json-schema", bytes=most))
    assert codes(compiled) <= {"WS246", "WS218"}
    assert fits(compiled)
    assert len(json.dumps(compiled.schema)) > min(most, 2400) * 2 // 3, "little more than has to be"


def test_what_fewer_words_leave_over_is_text_in_the_same_turn(lowered: list[Any]) -> None:
    part = closed({**fields(30, {**TEXT, "description": "some words " * 30})})
    schema = closed({"a": part, "b": part, "c": TEXT}, ("a", "b", "c"))
    compiled = ws.compile(schema, limited("gemini-json-schema", bytes=9000))
    assert fits(compiled)
    assert [bool(g and g.words and g.text) for g in lowered] == [False, True]
    texts = [n.pointer for n in compiled.report.notes if n.code == "WS221"]
    assert texts in (["/properties/a"], ["/properties/b"])


def test_descriptions_that_were_joined_are_cut_one_by_one(lowered: list[Any]) -> None:
    part = closed({"x": TEXT}, ("x",), description="what it is, at length " * 20)
    ref = {"$ref": "#/$defs/Part", "description": "what it is here, at length " * 20}
    schema = closed(fields(8, ref), tuple(fields(8)), **{"$defs": {"Part": part}})
    compiled = ws.compile(schema, limited("gemini-json-schema", bytes=5000))
    assert fits(compiled)
    assert len(lowered) == 2
    assert len(json.dumps(compiled.schema, separators=(",", ":"))) > 4800


def nested(depth: int, leaf: Any = TEXT) -> Any:
    node = leaf
    for i in range(depth):
        node = closed({f"in{depth - i}": node, "id": TEXT}, (f"in{depth - i}", "id"))
    return node


@given(st.integers(1, 40), st.integers(1, 6))
def test_deep_parts_are_hoisted(depth: int, most: int) -> None:
    row = limited("openai-strict", depth=most, depth_scope="definition")
    compiled = ws.compile(nested(depth), row)
    assert fits(compiled)
    assert compiled.report.exact
    assert len(compiled.schema.get("$defs", {})) == (depth - 1) // most, "as few as will do"
    assert laws.stable(compiled, ws.Options()) == []
    assert all([n.wire_pointer.startswith("/$defs/") for n in compiled.report.notes])


def test_hoisted_parts_have_names_that_are_free() -> None:
    schema = nested(12)
    schema["properties"]["more"] = {"$ref": "#/$defs/in2"}
    schema["$defs"] = {"in2": closed({"a": TEXT, "b": {"$ref": "#/$defs/in2"}})}
    row = limited("openai-strict", depth=10, depth_scope="definition")
    compiled = ws.compile(schema, row)
    assert list(compiled.schema["$defs"]) == ["in2_2", "in2"]
    assert laws.stable(compiled, ws.Options()) == []


def test_what_lies_deeper_than_references_reach_is_text() -> None:
    schema = closed({"a": {"$ref": "#/$defs/P"}}, ("a",), **{"$defs": {"P": nested(3)}})
    row = limited("openai-strict", depth=3)
    compiled = ws.compile(schema, row)
    assert [n.pointer for n in compiled.report.widened] == [
        "/$defs/P/properties/in1/properties/in2"
    ]
    assert fits(compiled)


def test_recursion_is_written_out_fewer_times_when_limits_bind() -> None:
    tree = closed({"name": TEXT, "left": {"$ref": "#"}, "right": {"$ref": "#"}}, ("name",))
    whole = ws.compile(tree, limited("anthropic-strict"))
    assert "unrolled 3 times" in str(whole.report)
    compiled = ws.compile(tree, limited("anthropic-strict", properties=7))
    assert "unrolled 2 times" in str(compiled.report)
    assert fits(compiled)


# -- everything at once

BOUNDS = {
    "properties": st.integers(1, 20),
    "depth": st.integers(1, 5),
    "string_chars": st.integers(8, 120),
    "enum_values": st.integers(1, 8),
    "large_enum_chars": st.integers(1, 20),
    "optional_params": st.integers(0, 8),
    "union_params": st.integers(0, 6),
    "max_items_sum": st.integers(0, 8),
    "bytes": st.integers(200, 2000),
}


@st.composite
def tiny_limits(draw: st.DrawFn) -> Limits:
    """A few limits that bind."""
    names = draw(st.lists(st.sampled_from(sorted(BOUNDS)), min_size=1, max_size=3, unique=True))
    scope = draw(st.sampled_from(["expanded", "definition"]))
    chosen: Any = {name: draw(BOUNDS[name]) for name in names}
    return Limits(depth_scope=scope, large_enum_values=2, **chosen)


@st.composite
def crowded(draw: st.DrawFn) -> Any:
    """An object with many optional fields and unions, in places the same part again."""
    parts = [draw(schemas(max_leaves=4)) for _ in range(draw(st.integers(1, 3)))]
    parts = [part for part in parts if "$defs" not in json.dumps(part)]
    node = st.sampled_from(
        [TEXT, NULLABLE, {"$ref": "#/$defs/P"}, {"type": ["integer", "string", "null"]}, *parts]
    )
    keys = [f"k{i}" for i in range(draw(st.integers(2, 9)))]
    required = draw(st.lists(st.sampled_from(keys), unique=True, max_size=4))
    inner = closed(
        {key: draw(node) for key in keys[:3]}, tuple(k for k in required if k in keys[:3])
    )
    inner = json.loads(json.dumps(inner).replace("#/$defs/P", "#/$defs/Q"))
    return {
        **closed({key: draw(node) for key in keys}, tuple(required)),
        "$defs": {"P": inner, "Q": draw(st.sampled_from([TEXT, NULLABLE]))},
    }


@pytest.mark.parametrize("dialect", ROWS)
@given(data=st.data())
def test_every_schema_fits_every_limit(dialect: str, data: st.DataObject) -> None:
    row = replace(ws.dialect(dialect), limits=data.draw(tiny_limits()))
    schema = data.draw(crowded() | schemas(max_leaves=8))
    try:
        compiled = ws.compile(schema, row)
    except ws.BudgetError:
        return
    except ws.SchemaError as error:
        assert "no value" in str(error)
        return
    assert ws.check(compiled.schema, row) == []
    assert laws.stable(compiled, ws.Options()) == []
    judge = wire_validator(compiled)
    for strategy in (values(compiled), wire_values(compiled)):
        try:
            value = data.draw(strategy)
        except UnsatisfiedAssumption:
            continue
        near = data.draw(mutations(value))
        for one in (value, near):
            if laws.is_valid(compiled, one):
                assert laws.complete(compiled, judge, one) == []
                assert laws.tolerant(compiled, judge, one) == []
            if judge.is_valid(one):
                assert laws.sound(compiled, one) == []


@given(st.integers(0, 40), st.integers(0, 24), st.integers(0, 20))
@example(30, 0, 0)
@example(24, 16, 16)
def test_fields_alone_are_exact_as_long_as_required_unions_fit(
    plain: int, nullable: int, unions: int
) -> None:
    schema = closed(
        {**fields(plain), **fields(nullable, NULLABLE, "n"), **fields(unions, NULLABLE, "u")},
        tuple(fields(unions, stem="u")),
    )
    compiled = ws.compile(schema, "anthropic-strict")
    assert fits(compiled)
    assert compiled.report.exact == (unions <= 16)


# -- few lowerings


def test_texts_of_ours_are_not_cut_at_length(lowered: list[Any]) -> None:
    listed = {"enum": [f"value {i}" for i in range(1200)], "description": "one of many " * 20}
    schema = closed({"a": TEXT, "listed": listed}, ("a", "listed"))
    compiled = ws.compile(schema, limited("openai-strict", bytes=6000))
    assert fits(compiled)
    assert compiled.schema["properties"]["a"] == TEXT
    assert len(lowered) <= 5


def test_recursion_that_cannot_fit_is_written_out_once_at_once(lowered: list[Any]) -> None:
    node = closed({**fields(60), "next": {"$ref": "#/$defs/N"}}, ())
    schema = closed({"n": {"$ref": "#/$defs/N"}}, ("n",), **{"$defs": {"N": node}})
    compiled = ws.compile(schema, "anthropic-strict")
    assert fits(compiled)
    assert [grant and grant.unroll for grant in lowered[:2]] == [None, 1]


def test_recursion_that_may_fit_is_written_out_as_often_as_it_does(lowered: list[Any]) -> None:
    node = closed({**fields(9), "next": {"$ref": "#/$defs/N"}}, ())
    schema = closed({"n": {"$ref": "#/$defs/N"}}, ("n",), **{"$defs": {"N": node}})
    compiled = ws.compile(schema, limited("anthropic-strict", optional_params=20, union_params=0))
    assert fits(compiled)
    assert lowered[-1].unroll == 2


def test_entries_and_nullable_fields_are_decided_together(lowered: list[Any]) -> None:
    many, few = closed(fields(60)), closed(fields(30))
    schema = closed({"many": many, "few": few}, ("many", "few"))
    compiled = ws.compile(schema, "anthropic-strict")
    assert fits(compiled)
    assert "WS242" in codes(compiled)
    assert [bool(grant and grant.entries and grant.nullable) for grant in lowered] == [False, True]
