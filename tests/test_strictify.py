"""One case per rule of lowering: its note, its wire value both ways, and that hostile schemas end in bounded time."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import wireshape as ws
from wireshape.dialect import Dialect, Numbers, Strings
from wireshape.testing import same_json, wire_validator

MAJORS: list[str] = json.loads(
    (Path(__file__).parents[1] / "golden" / "rows.json").read_text("utf-8")
)["every_case"]

INTEGER: Any = {"type": "integer"}
TEXT: Any = {"type": "string"}
MAP: Any = {"type": "object", "additionalProperties": INTEGER}
KEEP = ws.Options(open_objects="keep")
BOX = ws.Options(absent="box")
OPENAI, ANTHROPIC, XAI = "openai-strict", "anthropic-strict", "xai-strict"
GEMINI, OPENAPI, LENIENT = "gemini-json-schema", "gemini-openapi", "tools-lenient"


def closed(required: str = "", /, **properties: Any) -> Any:
    """A closed object; `required` names the required keys, `*` all."""
    keys = list(properties) if required == "*" else required.split()
    return {"type": "object", "properties": properties, "required": keys, "additionalProperties": False}  # fmt: skip


def within(schema: Any, **more: Any) -> Any:
    """The schema as the one required field `v` of a closed object."""
    return {**closed("*", v=schema), **more}


def entry(key: str, value: Any) -> Any:
    return {"key": key, "value": value}


TREE: Any = {"$defs": {"T": closed("v", v=INTEGER, kids={"type": "array", "items": {"$ref": "#/$defs/T"}})}}  # fmt: skip
UNIQUE = replace(
    ws.dialect(OPENAI),
    arrays=replace(ws.dialect(OPENAI).arrays, unique="yes"),
    keywords=replace(ws.dialect(OPENAI).keywords, accept=None),
)
BARE = ws.Options(describe=False)
SAME = object()

# name, schema, dialect, options, codes (with ? when quiet), pairs of conceptual value and wire value
ROWS: list[tuple[str, Any, Any, ws.Options | None, str, list[tuple[Any, Any]]]] = [
    ("optional_null", closed(a=INTEGER), OPENAI, None, "WS210?", [({}, {"a": None}), ({"a": 1}, SAME)]),
    ("optional_left_out", closed(a=INTEGER), ANTHROPIC, None, "", [({}, SAME), ({"a": 1}, SAME)]),
    ("nullable_left_out", closed(a={"type": ["integer", "null"]}), ANTHROPIC, None, "", [({}, SAME), ({"a": None}, SAME)]),
    ("nullable_filled", closed(a={"type": ["integer", "null"]}), OPENAI, None, "WS211?", [({"a": None}, SAME), ({"a": 1}, SAME)]),
    ("nullable_boxed", closed(a={"type": ["integer", "null"]}), OPENAI, BOX, "WS212?", [({}, {"a": None}), ({"a": None}, {"a": {"value": None}}), ({"a": 1}, {"a": {"value": 1}})]),
    ("open_closed", {"type": "object", "properties": {"a": INTEGER}, "required": ["a"]}, OPENAI, None, "WS213?", [({"a": 1}, SAME)]),
    ("open_kept", {"type": "object", "properties": {"a": INTEGER}, "required": ["a"]}, ANTHROPIC, KEEP, "WS215? WS220?", [({"a": 1, "b": [2]}, {"a": 1, "extras": [entry("b", "[2]")]})]),
    ("open_stays_open", {"type": "object", "properties": {"a": INTEGER}, "required": ["a"]}, LENIENT, None, "", [({"a": 1, "b": [2]}, SAME)]),
    ("map_pairs", within(MAP), OPENAI, None, "WS214?", [({"v": {"x": 1}}, {"v": [entry("x", 1)]}), ({"v": {}}, {"v": []})]),
    ("map_stays", within(MAP), LENIENT, None, "", [({"v": {"x": 1}}, SAME)]),
    ("fields_and_extras", {**closed("a", a=INTEGER), "additionalProperties": TEXT}, OPENAI, None, "WS215?", [({"a": 1, "b": "x"}, {"a": 1, "extras": [entry("b", "x")]})]),
    ("a_field_called_extras", {**closed("extras", extras=INTEGER), "additionalProperties": TEXT}, OPENAI, None, "WS215?", [({"extras": 1, "b": "x"}, {"extras": 1, "extras_2": [entry("b", "x")]})]),
    ("pattern_keys", within({"type": "object", "patternProperties": {"^x": INTEGER}, "additionalProperties": False}), OPENAI, None, "WS214?", [({"v": {"x1": 1}}, {"v": [entry("x1", 1)]})]),
    ("overlapping_patterns", within({"type": "object", "patternProperties": {"^x": INTEGER, "y$": TEXT}, "additionalProperties": False}), OPENAI, None, "WS214? WS227", [({"v": {"x": 1, "y": "a"}}, {"v": [entry("x", 1), entry("y", "a")]})]),
    ("key_names", within({**MAP, "propertyNames": {**TEXT, "pattern": "^k"}}), OPENAI, None, "WS214?", [({"v": {"k": 1}}, {"v": [entry("k", 1)]})]),
    ("listed_key_names", within({**MAP, "propertyNames": {"enum": ["a", "b"]}}), OPENAI, None, "WS210?", [({"v": {"a": 1}}, {"v": {"a": 1, "b": None}})]),
    ("required_undeclared", {**MAP, "required": ["k"]}, OPENAI, None, "WS215?", [({"k": 1, "l": 2}, {"k": 1, "extras": [entry("l", 2)]})]),
    ("typeless", within({"properties": {"a": INTEGER}, "required": ["a"]}), OPENAI, None, "WS213? WS216?", [({"v": {"a": 1}}, SAME)]),
    ("tuple_items", within({"type": "array", "prefixItems": [INTEGER, TEXT], "items": False, "minItems": 2}), LENIENT, None, "", [({"v": [1, "a"]}, SAME)]),
    ("tuple_numbered", within({"type": "array", "prefixItems": [INTEGER, TEXT], "items": INTEGER, "minItems": 1}), OPENAI, None, "WS217?", [({"v": [1]}, {"v": {"0": 1, "1": None, "rest": []}}), ({"v": [1, "a", 2]}, {"v": {"0": 1, "1": "a", "rest": [2]}})]),
    ("tuple_union", within({"type": "array", "prefixItems": [INTEGER, MAP], "items": False, "minItems": 2}), ANTHROPIC, None, "WS201 WS202 WS214? WS218", [({"v": [1, {"a": 2}]}, {"v": [1, [entry("a", 2)]]})]),
    ("tuple_of_one_kind", within({"type": "array", "prefixItems": [INTEGER, INTEGER], "items": False, "minItems": 2}), OPENAI, None, "", [({"v": [1, 2]}, SAME)]),
    ("any_recursive", within({}), OPENAI, None, "WS219?", [({"v": {"a": [1, {}]}}, {"v": {"entries": [entry("a", [1, {"entries": []}])]}}), ({"v": "x"}, SAME)]),
    ("any_as_text", within({}), ANTHROPIC, None, "WS220?", [({"v": {"a": 1}}, {"v": '{"a":1}'}), ({"v": "1"}, {"v": '"1"'})]),
    ("any_stays", within({}), LENIENT, None, "", [({"v": {"a": 1}}, SAME)]),
    ("free_object", within({"type": "object"}), OPENAI, None, "WS214? WS219?", [({"v": {"a": 1}}, {"v": [entry("a", 1)]})]),
    ("free_list", within({"type": "array"}), OPENAI, None, "WS219?", [({"v": [1, "a"]}, SAME)]),
    ("recursion_stays", {"$ref": "#/$defs/T", **TREE}, OPENAI, None, "WS210?", [({"v": 1, "kids": [{"v": 2}]}, {"v": 1, "kids": [{"v": 2, "kids": None}]})]),
    ("recursion_unrolled", {"$ref": "#/$defs/T", **TREE}, ANTHROPIC, None, "WS222", [({"v": 1, "kids": [{"v": 2, "kids": [{"v": 3, "kids": [{"v": 4}]}]}]}, {"v": 1, "kids": [{"v": 2, "kids": [{"v": 3, "kids": ['{"v":4}']}]}]})]),
    ("recursion_once", {"$ref": "#/$defs/T", **TREE}, ANTHROPIC, ws.Options(unroll=1), "WS222", [({"v": 1, "kids": [{"v": 2}]}, {"v": 1, "kids": ['{"v":2}']})]),
    ("one_of_disjoint", within({"oneOf": [INTEGER, TEXT]}), OPENAI, None, "", [({"v": 1}, SAME), ({"v": "a"}, SAME)]),
    ("one_of_overlapping", within({"oneOf": [{"type": "number", "minimum": 1}, {"type": "number", "maximum": 2}]}), OPENAI, None, "WS204", [({"v": 3}, SAME)]),
    ("one_of_stays", within({"oneOf": [{"type": "number", "minimum": 1}, {"type": "number", "maximum": 2}]}), "openai-non-strict", None, "", [({"v": 3}, SAME)]),
    ("union_by_type", within({"anyOf": [MAP, INTEGER]}), OPENAI, None, "WS214?", [({"v": {"a": 1}}, {"v": [entry("a", 1)]}), ({"v": 1}, SAME)]),
    ("union_tagged", within({"anyOf": [MAP, {"type": "array", "items": INTEGER}]}), OPENAI, None, "WS214? WS223?", [({"v": {}}, {"v": {"arm": "object", "value": []}}), ({"v": [1]}, {"v": {"arm": "list", "value": [1]}})]),
    ("union_tagged_by_title", within({"anyOf": [{**MAP, "title": "m"}, {"$ref": "#/$defs/L"}]}, **{"$defs": {"L": {"type": "array", "items": INTEGER}}}), OPENAI, BARE, "WS214? WS223?", [({"v": {}}, {"v": {"arm": "m", "value": []}}), ({"v": [1]}, {"v": {"arm": "L", "value": [1]}})]),
    ("union_discriminated", within({"anyOf": [closed("k m", k={"const": "a"}, m=MAP), closed("k m", k={"const": "b"}, m={"type": "array", "items": INTEGER})]}), OPENAI, None, "WS214?", [({"v": {"k": "a", "m": {}}}, {"v": {"k": "a", "m": []}}), ({"v": {"k": "b", "m": [1]}}, SAME)]),
    ("all_of_merged", {"allOf": [{"type": "object", "properties": {"a": INTEGER}, "required": ["a"]}, {"properties": {"b": TEXT}, "required": ["b"]}]}, OPENAI, None, "WS213?", [({"a": 1, "b": "x"}, SAME)]),
    ("unevaluated_closes", {"allOf": [{"type": "object", "properties": {"a": INTEGER}, "required": ["a"]}], "unevaluatedProperties": False}, OPENAI, None, "", [({"a": 1}, SAME)]),
    ("residual_assertion", within({"type": "object", "properties": {"a": INTEGER}, "required": ["a"], "not": {"required": ["b"]}}), OPENAI, None, "WS201 WS213?", [({"v": {"a": 1}}, SAME)]),
    ("enum_of_objects", within({"enum": [{"a": 1}, 2, "2"]}), OPENAI, None, "WS224?", [({"v": {"a": 1}}, {"v": '{"a":1}'}), ({"v": 2}, {"v": "2_"}), ({"v": "2"}, SAME)]),
    ("enum_with_null", within({"enum": ["a", None]}), OPENAI, None, "", [({"v": None}, SAME), ({"v": "a"}, SAME)]),
    ("enum_of_integers_as_strings", within({"enum": [1, 2]}), OPENAPI, None, "WS224?", [({"v": 1}, {"v": "1"})]),
    ("bound_told", within({"type": "array", "items": INTEGER, "maxItems": 3}), ANTHROPIC, None, "WS201", [({"v": [1]}, SAME)]),
    ("bound_weakened", within({"type": "array", "items": INTEGER, "minItems": 3}), ANTHROPIC, None, "WS202", [({"v": [1, 2, 3]}, SAME)]),
    ("unique_told", within({"type": "array", "items": INTEGER, "uniqueItems": True}), OPENAI, None, "WS201", [({"v": [1]}, SAME)]),
    ("unique_of_another_shape", within({"type": "array", "items": MAP, "uniqueItems": True}), UNIQUE, None, "WS214? WS229", [({"v": [{"a": 1}]}, {"v": [[entry("a", 1)]]})]),
    ("format_told", within({**TEXT, "format": "iri"}), OPENAI, None, "WS201", [({"v": "http://a"}, SAME)]),
    ("pattern_refused", within({**TEXT, "pattern": "^(?=a)"}), OPENAI, None, "WS203", [({"v": "ab"}, SAME)]),
    ("root_wrapped", INTEGER, OPENAI, None, "WS225?", [(1, {"value": 1})]),
    ("root_union_wrapped", {"anyOf": [closed("*", a=INTEGER), closed("*", b=INTEGER)]}, OPENAI, None, "WS225?", [({"a": 1}, {"value": {"a": 1}})]),
    ("key_renamed", closed("*", **{"a b": INTEGER, "a_b": INTEGER}), ANTHROPIC, None, "WS226?", [({"a b": 1, "a_b": 2}, {"a_b_2": 1, "a_b": 2})]),
    ("annotation_told", within({**INTEGER, "default": 3}), OPENAI, None, "WS228?", [({"v": 1}, SAME)]),
    ("annotation_left_out", within({**INTEGER, "readOnly": True}), OPENAI, None, "WS231?", [({"v": 1}, SAME)]),
    ("reference_sibling", within({"$ref": "#/$defs/I", "description": "how many"}, **{"$defs": {"I": INTEGER}}), OPENAI, None, "", [({"v": 1}, SAME)]),
    ("never_dropped", closed("a", a=INTEGER, b=False), OPENAI, None, "", [({"a": 1}, SAME)]),
]  # fmt: skip


@pytest.mark.parametrize(("schema", "dialect", "options", "codes", "both"), [c[1:] for c in ROWS], ids=[c[0] for c in ROWS])  # fmt: skip
def test_rule(
    schema: Any,
    dialect: str | Dialect,
    options: ws.Options | None,
    codes: str,
    both: list[tuple[Any, Any]],
) -> None:
    compiled = ws.compile(schema, dialect, options=options or ws.Options())
    noted = sorted([n.code + "?" * n.quiet for n in compiled.report.notes])
    assert noted == sorted(codes.split())
    judge = wire_validator(compiled)
    assert ws.check(compiled.schema, compiled.dialect) == []
    for value, wire in both:
        expected = value if wire is SAME else wire
        assert compiled.encode(value) == expected
        assert judge.is_valid(expected)
        assert same_json(compiled.decode(expected), value)
        assert compiled.validate(value) == value


def description(schema: Any, dialect: str = ANTHROPIC) -> str:
    wire = ws.compile(within(schema), dialect).schema
    return str(wire["properties"]["v"]["description"])


@pytest.mark.parametrize(
    ("schema", "dialect", "words"),
    [
        ({"type": "array", "items": TEXT, "minItems": 3}, ANTHROPIC, "at least 3 items"),
        ({"type": "array", "items": TEXT, "maxItems": 1}, ANTHROPIC, "at most 1 item"),
        ({**TEXT, "format": "iri", "description": "Link."}, OPENAI, "Link. (format: iri)"),
        ({**TEXT, "pattern": "^(?=a)"}, OPENAI, "matches the regular expression ^(?=a)"),
        ({**INTEGER, "default": 3}, OPENAI, "default: 3"),
        ({"enum": [{"a": 1}], "description": "x"}, OPENAI, "x"),
        (
            {**TEXT, "not": {"const": "a"}},
            OPENAI,
            'must not match {"type": "string", "const": "a"}',
        ),
    ],
    ids=repr,
)
def test_what_the_wire_cannot_enforce_is_told(schema: Any, dialect: str, words: str) -> None:
    assert description(schema, dialect) == words


def test_texts_that_may_not_be_listed_have_others_that_stand_for_them() -> None:
    row = ws.dialect(OPENAI)
    row = replace(row, enums=replace(row.enums, text_pattern="[a-z_]+"))
    values = ["ok", "it's", "it_s", {"a": 1}, ""]
    compiled = ws.compile(within({"enum": values}), row)
    wire = compiled.schema["properties"]["v"]["enum"]
    assert wire[0] == "ok"
    assert wire[2] == "it_s"
    assert len(set(wire)) == len(values)
    assert all(re.fullmatch("[a-z_]+", text) for text in wire)
    assert [n.code for n in compiled.report.notes] == ["WS224"]
    assert not compiled.report.widened
    for value in values:
        assert compiled.decode(compiled.encode({"v": value})) == {"v": value}
    assert ws.check(compiled.schema, row) == []
    assert [v.rule for v in ws.check(within({"type": "string", "enum": ["it's"]}), row)] == [
        "enums.text_pattern"
    ]
    assert not ws.compile(within({"enum": ["ok"]}), row).report.notes


def test_an_enum_over_the_cap_is_told_in_full() -> None:
    row = ws.dialect(OPENAI)
    row = replace(row, enums=replace(row.enums, max_values=2))
    compiled = ws.compile(within({"enum": ["a", "b", "c"]}), row)
    (note,) = compiled.report.notes
    assert (note.code, note.effect, note.quiet) == ("WS205", "widened", False)
    assert compiled.schema["properties"]["v"] == {"type": "string", "description": "one of: a, b, c"}  # fmt: skip
    for value in ({"v": "c"}, {"v": "z"}):
        assert compiled.decode(compiled.encode(value)) == value
    with pytest.raises(ws.ValidationError):
        compiled.validate({"v": "z"})
    numbers = ws.compile(within({"enum": [1, 2, 3, None, True]}), row)
    assert numbers.decode(numbers.encode({"v": None})) == {"v": None}


@pytest.mark.parametrize(
    ("integer", "bounds", "wire", "codes"),
    [
        (True, {"exclusiveMinimum": 1, "exclusiveMaximum": 4.5}, {"minimum": 2, "maximum": 4}, []),
        (True, {"exclusiveMinimum": 1, "minimum": 5}, {"minimum": 5}, []),
        (True, {"exclusiveMaximum": 9, "maximum": 5.5}, {"maximum": 5}, []),
        (False, {"exclusiveMinimum": 1}, {"minimum": 1}, ["WS202"]),
        (False, {"exclusiveMaximum": 4, "maximum": 3}, {"maximum": 3}, ["WS202"]),
        (False, {"exclusiveMinimum": 4, "minimum": 3}, {"minimum": 4}, ["WS202"]),
    ],
)
def test_exclusive_bounds_where_there_are_none(
    integer: bool, bounds: Any, wire: Any, codes: list[str]
) -> None:
    row = replace(ws.dialect(LENIENT), numbers=Numbers(exclusive="no"))
    kind = "integer" if integer else "number"
    compiled = ws.compile(within({"type": kind, **bounds}), row, options=BARE)
    assert compiled.schema["properties"]["v"] == {"type": kind, **wire}
    assert [n.code for n in compiled.report.notes] == codes


def test_bounds_of_numbers_and_strings_that_a_row_refuses() -> None:
    row = replace(
        ws.dialect(LENIENT),
        numbers=Numbers(bounds="no", exclusive="no", multiple_of="no"),
        strings=Strings(length="no", pattern="no", formats=frozenset()),
    )
    number = {"type": "number", "minimum": 1, "exclusiveMaximum": 9, "multipleOf": 2}
    text = {**TEXT, "minLength": 1, "maxLength": 9, "pattern": "a", "format": "date"}
    compiled = ws.compile(closed("*", n=number, s=text), row)
    assert compiled.schema["properties"] == {
        "n": {"type": "number", "description": "at least 1; less than 9; a multiple of 2"},
        "s": {
            "type": "string",
            "description": "at least 1 character; at most 9 characters; matches the regular expression a; format: date",
        },
    }
    assert {n.code for n in compiled.report.notes} == {"WS201"}
    short = replace(row, strings=Strings(length_max=5))
    compiled = ws.compile(within({**TEXT, "minLength": 7, "maxLength": 9}), short, options=BARE)
    assert compiled.schema["properties"]["v"] == {"type": "string", "minLength": 5}
    assert [n.code for n in compiled.report.notes] == ["WS202", "WS201"]


def test_a_schema_that_nothing_satisfies() -> None:
    for schema in (False, {"type": "string", "const": 1}, {"allOf": [TEXT, INTEGER]}):
        for dialect in ws.dialects():
            if ws.dialect(dialect).root.verbatim:
                continue
            with pytest.raises(ws.SchemaError) as caught:
                ws.compile(schema, dialect)
            assert caught.value.code == "WS117"


# Hostile schemas.


def nested(count: int, wrap: Callable[[Any], Any], leaf: Any = INTEGER) -> Any:
    for _ in range(count):
        leaf = wrap(leaf)
    return leaf


def cyclic() -> Any:
    schema: dict[str, Any] = {"type": "object"}
    schema["properties"] = {"a": schema}
    return schema


def doubling(depth: int) -> Any:
    """A small document whose parts, written out, would be 2**depth."""
    return {
        "$ref": "#/$defs/d0",
        "$defs": {
            **{
                f"d{i}": closed(
                    "*", a={"$ref": f"#/$defs/d{i + 1}"}, b={"$ref": f"#/$defs/d{i + 1}"}
                )
                for i in range(depth)
            },
            f"d{depth}": INTEGER,
        },
    }


HOSTILE: dict[str, Callable[[], Any]] = {
    "deep_objects": lambda: nested(2000, lambda s: {"type": "object", "properties": {"a": s}}),
    "deep_lists": lambda: nested(2000, lambda s: {"type": "array", "items": s}),
    "deep_unions": lambda: nested(2000, lambda s: {"anyOf": [s, TEXT]}),
    "deep_conjunctions": lambda: nested(2000, lambda s: {"allOf": [s]}),
    "deep_negations": lambda: nested(2000, lambda s: {"not": s}),
    "very_deep": lambda: nested(100_000, lambda s: {"items": s}),
    "half_deep": lambda: nested(60, lambda s: {"type": "object", "properties": {"a": s}}),
    "deep_default": lambda: {"default": nested(2000, lambda s: [s])},
    "properties": lambda: {"type": "object", "properties": {f"p{i}": INTEGER for i in range(100_000)}},
    "itself": lambda: {"$ref": "#"},
    "each_other": lambda: {"$ref": "#/$defs/A", "$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}}},
    "itself_in_all_of": lambda: {"allOf": [{"$ref": "#"}]},
    "itself_in_any_of": lambda: {"anyOf": [{"$ref": "#"}, INTEGER]},
    "itself_in_not": lambda: {"not": {"$ref": "#"}},
    "chain_of_references": lambda: {"$ref": "#/$defs/d0", "$defs": {**{f"d{i}": {"$ref": f"#/$defs/d{i + 1}"} for i in range(3000)}, "d3000": INTEGER}},
    "chain_of_objects": lambda: {"$ref": "#/$defs/d0", "$defs": {**{f"d{i}": closed(n={"$ref": f"#/$defs/d{i + 1}"}) for i in range(1000)}, "d1000": INTEGER}},
    "doubling": lambda: doubling(40),
    "ten_megabytes": lambda: {"type": "object", "properties": {f"p{i}": {**TEXT, "description": "x" * 1000} for i in range(10_000)}},
    "large_enum": lambda: {"enum": ["y" * 90 + str(i) for i in range(100_000)]},
    "many_arms": lambda: {"anyOf": [{"type": "object", "properties": {"k": {**TEXT, "pattern": f"^{i}"}}, "required": ["k"]} for i in range(200)]},
    "many_maps": lambda: {"anyOf": [{"type": "object", "additionalProperties": {"type": "integer", "minimum": i}} for i in range(200)]},
    "product": lambda: {"type": "object", "allOf": [{"anyOf": [{"required": [f"{x}{i}"]} for x in "abc"]} for i in range(12)]},
    "nan": lambda: {"minimum": float("nan")},
    "infinity": lambda: {"const": float("inf")},
    "number_as_key": lambda: {"properties": {3: {}}},
    "number_as_key_at_the_root": lambda: {1: 2},
    "cycle": cyclic,
    "surrogate": lambda: {"title": "\ud800"},
    "object": lambda: {"const": object()},
    "catastrophic_pattern": lambda: {**TEXT, "pattern": "^(a+)+$"},
    "catastrophic_key_pattern": lambda: {"type": "object", "patternProperties": {"^(a|a)*b$": INTEGER}, "properties": {"a" * 60: INTEGER}},
    "broken_pattern": lambda: {**TEXT, "pattern": "("},
    "huge_bound": lambda: {"type": "integer", "minimum": 10**400},
}  # fmt: skip
REFUSED = {
    "deep_objects": "WS114",
    "very_deep": "WS114",
    "cycle": "WS114",
    "itself": "WS113",
    "each_other": "WS113",
    "itself_in_all_of": "WS113",
    "nan": "WS111",
    "infinity": "WS111",
    "number_as_key": "WS111",
    "number_as_key_at_the_root": "WS111",
    "surrogate": "WS111",
    "object": "WS111",
}


@pytest.mark.parametrize("dialect", MAJORS)
@pytest.mark.parametrize("name", list(HOSTILE))
def test_a_hostile_schema_is_a_result_or_a_typed_error(name: str, dialect: str) -> None:
    schema = HOSTILE[name]()
    start = time.process_time()
    try:
        compiled = ws.compile(schema, dialect)
    except ws.WireshapeError as error:
        assert error.code == REFUSED.get(name, error.code)
        assert name not in {"properties", "ten_megabytes", "doubling", "half_deep"}
    else:
        assert name not in REFUSED
        if name == "properties":  # jsonschema-rs takes quadratic time over a long `required`
            return
        for verb in (compiled.encode, compiled.decode, compiled.validate):
            try:
                verb({"a" * 60 + "!": "a" * 60 + "!"})
            except ws.WireshapeError as error:
                assert error.code
    assert time.process_time() - start < 20


@pytest.mark.parametrize(
    ("key", "wire"),
    [("größe", "grosse"), ("café au lait", "cafe_au_lait"), ("用户", "key"), ("a/b", "a_b")],
)
def test_renamed_keys_stay_readable(key: str, wire: str) -> None:
    source = {
        "type": "object",
        "properties": {key: TEXT},
        "required": [key],
        "additionalProperties": False,
    }
    assert list(ws.compile(source, "gemini-openapi").schema["properties"]) == [wire]


def test_definitions_are_written_out_up_to_a_bound() -> None:
    whole = ws.compile(doubling(12), "bedrock-nova")
    assert "JSON text" not in str(whole.report)
    assert json.dumps(whole.schema).count('"a": {') == 2**12 - 1
    cut = ws.compile(doubling(24), "bedrock-nova")
    assert "too large to be written out here" in str(cut.report)
    with pytest.raises(ws.InexpressibleError) as caught:
        ws.compile(doubling(24), "bedrock-nova", options=ws.Options(inexpressible="raise"))
    assert caught.value.code == "WS221"


@pytest.mark.parametrize(
    "heavy",
    [{"enum": [f"v{i}" for i in range(900)]}, {"examples": [{"a": list(range(900))}]}],
    ids=["enum", "examples"],
)
def test_definitions_are_written_out_only_as_far_as_the_whole_can_be_read_again(
    heavy: dict[str, Any],
) -> None:
    source = {"properties": {f"p{i}": {"$ref": "#/$defs/E"} for i in range(1200)}}
    defs = {"E": {"type": "string", **heavy}}
    compiled = ws.compile({"type": "object", **source, "$defs": defs}, "outlines-core")
    assert "too large to be written out here" in str(compiled.report)
    assert ws.compile(compiled.schema, "outlines-core").schema == compiled.schema


PETS: dict[str, Any] = {
    "oneOf": [{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Dog"}],
    "discriminator": {
        "propertyName": "kind",
        "mapping": {"cat": "#/components/schemas/Cat", "dog": "Dog"},
    },
}


def pets(kinds: dict[str, Any]) -> dict[str, Any]:
    schemas = {
        name: {"type": "object", "properties": {"kind": kind}, "required": ["kind"]}
        for name, kind in kinds.items()
    }
    return {**PETS, "components": {"schemas": schemas}}


def test_what_a_discriminator_maps_is_told() -> None:
    """It is a hint and no assertion: the values are told, and nothing else is refused."""
    source = pets({"Cat": {"type": "string"}, "Dog": {"type": "string"}})
    c = ws.compile(source, "openai-strict", options=ws.Options(draft="openapi-3.0"))
    assert 'kind: "cat" for Cat, "dog" for Dog' in c.schema["properties"]["value"]["description"]
    assert "WS228" in {n.code for n in c.report.notes if n.keyword == "discriminator"}
    assert c.decode({"value": {"kind": "cow"}}) == {"kind": "cow"}


def test_what_arms_say_of_their_kind_is_not_told_again() -> None:
    source = pets({"Cat": {"type": "string", "enum": ["cat"]}, "Dog": {"enum": ["dog"]}})
    c = ws.compile(source, "openai-strict", options=ws.Options(draft="openapi-3.0"))
    assert "description" not in c.schema["properties"]["value"]
    assert "WS231" in {n.code for n in c.report.notes if n.keyword == "discriminator"}


@pytest.mark.parametrize("hint", [3, [], {"propertyName": 1}, {"propertyName": "k", "mapping": 3}])
def test_a_discriminator_that_is_none_is_harmless(hint: Any) -> None:
    source = {**pets({"Cat": {"type": "string"}, "Dog": {"type": "string"}}), "discriminator": hint}
    assert ws.compile(source, "openai-strict", options=ws.Options(draft="openapi-3.0")).schema
