"""The acceptor: each rule refuses a schema and takes its neighbour, and no JSON value surprises it."""

from __future__ import annotations

import json
import pickle
import time
from dataclasses import replace
from decimal import Decimal

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wireshape.check import Violation, check
from wireshape.check_json import fault
from wireshape.check_limits import size
from wireshape.dialect import (
    Arrays,
    Dialect,
    Enums,
    Keywords,
    Limits,
    Nullable,
    Objects,
    Refs,
    Root,
    Strings,
    Tuples,
    Unions,
    dialect,
    dialects,
)
from wireshape.errors import SchemaError

ROWS = dialects()
CLOSED = {"additionalProperties": False}


def rules(wire, d):
    return sorted({v.rule for v in check(wire, d)})


def holding(node, d, **more):
    """Wrap a node as the one property of an object that the row accepts."""
    row = dialect(d) if isinstance(d, str) else d
    closing = {} if row.objects.extras == "unsaid" else CLOSED
    return {"type": "object", "properties": {"p": node}, "required": ["p"], **closing, **more}


GOOD = {"type": "string"}

# row, a property that breaks the rule, its neighbour that does not, the rule
NODES = [
    ("openai-strict", {"type": "object", "properties": {}}, {"type": "object", "properties": {}, **CLOSED}, "objects.extras"),
    ("openai-strict", {"type": "object", **CLOSED}, {"type": "object", "properties": {}, **CLOSED}, "objects.properties_required"),
    ("openai-strict", {"type": "object", "properties": {"a": GOOD}, **CLOSED}, {"type": "object", "properties": {"a": GOOD}, "required": ["a"], **CLOSED}, "objects.all_required"),
    ("openai-strict", {"type": "object", "properties": {}, "required": ["a"], **CLOSED}, GOOD, "objects.all_required"),
    ("openai-strict", {"type": "string", "enum": ["a", None]}, {"type": "string", "enum": ["a"]}, "nullable.in_enum"),
    ("openai-strict", {"enum": ["a"]}, {"type": "string", "enum": ["a"]}, "enums.typed"),
    ("openai-strict", {"type": "array", "items": GOOD, "enum": [[], {}]}, {"type": "boolean", "enum": [True]}, "enums.types"),
    ("openai-strict", {"oneOf": [GOOD]}, {"anyOf": [GOOD]}, "unions.one_of"),
    ("openai-strict", {"allOf": [GOOD]}, GOOD, "unions.all_of"),
    ("openai-strict", {"type": "string", "not": {}}, GOOD, "unions.negation"),
    ("openai-strict", {"type": "string", "if": {}}, GOOD, "unions.conditional"),
    ("openai-strict", {"type": "string", "dependentRequired": {}}, GOOD, "unions.dependent"),
    ("openai-strict", {"type": "string", "unevaluatedProperties": False}, GOOD, "unions.unevaluated"),
    ("openai-strict", {"type": "string", "format": "uri"}, {"type": "string", "format": "uuid"}, "strings.formats"),
    ("openai-strict", {"type": "string", "pattern": "(?=a)"}, {"type": "string", "pattern": "^a"}, "strings.forbid"),
    ("openai-strict", {"type": "string", "pattern": "("}, {"type": "string", "pattern": "()"}, "strings.regex"),
    ("openai-strict", {"type": "array"}, {"type": "array", "items": GOOD}, "arrays.items_required"),
    ("openai-strict", {"type": "array", "items": GOOD, "uniqueItems": True}, {"type": "array", "items": GOOD, "maxItems": 2}, "arrays.unique"),
    ("openai-strict", {"type": "array", "items": GOOD, "contains": GOOD}, GOOD, "arrays.contains"),
    ("openai-strict", {"type": "array", "items": GOOD, "prefixItems": [GOOD]}, GOOD, "tuples.encoding"),
    ("openai-strict", {"type": "string", "examples": ["a"]}, {"type": "string", "title": "a", "default": "a", "description": "b"}, "keywords.accept"),
    ("openai-strict", {"description": "any"}, {"anyOf": [GOOD]}, "keywords.typed_nodes"),
    ("openai-strict", True, GOOD, "keywords.boolean_schemas"),
    ("openai-strict", False, GOOD, "keywords.boolean_schemas"),
    ("openai-strict", {"type": "object", "properties": {}, "patternProperties": {}, **CLOSED}, GOOD, "objects.pattern_properties"),
    ("openai-strict", {"type": "object", "properties": {}, "propertyNames": {}, **CLOSED}, GOOD, "objects.property_names"),
    ("openai-strict", {"type": "object", "properties": {}, "minProperties": 1, **CLOSED}, GOOD, "objects.property_bounds"),
    ("openai-strict", {"type": "string", "nullable": True}, {"type": ["string", "null"]}, "nullable.accepts"),
    ("anthropic-strict", {"type": "string", "minLength": 1}, GOOD, "strings.length"),
    ("anthropic-strict", {"type": "integer", "minimum": 1}, {"type": "integer"}, "numbers.bounds"),
    ("anthropic-strict", {"type": "integer", "exclusiveMinimum": 1}, {"type": "integer"}, "numbers.exclusive"),
    ("anthropic-strict", {"type": "integer", "multipleOf": 2}, {"type": "integer"}, "numbers.multiple_of"),
    ("anthropic-strict", {"type": "array", "items": GOOD, "minItems": 2}, {"type": "array", "items": GOOD, "minItems": 1}, "arrays.min_items"),
    ("anthropic-strict", {"type": "array", "items": GOOD, "maxItems": 2}, {"type": "array", "items": GOOD}, "arrays.max_items"),
    ("anthropic-strict", {"const": 1}, {"enum": [1]}, "enums.const"),
    ("anthropic-strict", {"type": "string", "pattern": r"\ba"}, {"type": "string", "pattern": r"\d+"}, "strings.forbid"),
    ("anthropic-strict", {"allOf": [{"type": "string", "pattern": "a"}, {"type": "string", "pattern": "b"}]}, {"allOf": [{"type": "string", "pattern": "a"}]}, "strings.several_patterns"),
    ("gemini-json-schema", {"type": "string", "enum": [str(i) for i in range(41)]}, {"type": "string", "enum": [str(i) for i in range(40)]}, "enums.max_values"),
    ("gemini-json-schema", {"anyOf": [{"type": "string", "enum": ["a"]}, {"type": "string", "enum": ["b"]}]}, {"anyOf": [{"type": "string", "enum": ["a"]}, {"type": "integer"}]}, "unions.fold_constants"),
    ("gemini-json-schema", {"type": "boolean", "enum": [True]}, {"type": "integer", "enum": [1, 2.0]}, "enums.types"),
    ("gemini-json-schema", {"type": "array", "items": {"type": "object"}, "maxItems": 3}, {"type": "array", "items": GOOD, "maxItems": 3}, "arrays.object_bounds"),
    ("gemini-json-schema", {"type": "array", "items": {"anyOf": [{"type": "object"}, {"type": "null"}]}, "minItems": 3}, {"type": "array", "items": {}}, "arrays.object_bounds"),
    ("gemini-json-schema", {"type": "string", "pattern": "a"}, GOOD, "strings.pattern"),
    ("gemini-openapi", {"type": "object", "properties": {}}, {"type": "object", "properties": {"a": GOOD}}, "objects.empty"),
    ("gemini-openapi", {"type": "object", "properties": {"a": GOOD}, **CLOSED}, GOOD, "objects.extras"),
    ("gemini-openapi", {"type": ["string", "null"]}, {"type": "string", "nullable": True}, "nullable.accepts"),
    ("gemini-openapi", {"type": ["STRING", "NULL"]}, {"anyOf": [GOOD, {"type": "null"}]}, "nullable.accepts"),
    ("gemini-openapi", {"anyOf": [GOOD], "description": "x"}, {"anyOf": [{"type": "string", "description": "x"}]}, "unions.siblings"),
    ("gemini-openapi", {"type": "integer", "enum": [1]}, {"type": "string", "enum": ["1"]}, "enums.types"),
    ("gemini-openapi", {"type": "string", "format": "date"}, {"type": "integer", "format": "int32"}, "strings.formats"),
    ("gemini-openapi", {"$ref": "#/properties/p"}, GOOD, "refs.defs"),
    ("xai-strict", {"allOf": [GOOD, GOOD]}, {"allOf": [GOOD]}, "unions.all_of"),
    ("xai-strict", {"type": "string", "maxLength": 2049}, {"type": "string", "maxLength": 2048}, "strings.length_max"),
    ("xai-strict", {"type": "array", "maxItems": 257}, {"type": "array", "maxItems": 256}, "arrays.bound_max"),
    ("xai-strict", {"type": "object", "maxProperties": 65}, {"type": "object", "maxProperties": 64}, "objects.property_bound_max"),
    ("xai-strict", {"type": "array", "contains": {}}, {"type": "array", "prefixItems": [GOOD]}, "arrays.contains"),
    ("xai-strict", {"type": "string", "format": "hostname"}, {"type": "string", "format": "uri"}, "strings.formats"),
    ("xai-strict", {"type": "string", "not": {}}, {"oneOf": [GOOD]}, "unions.negation"),
    ("xai-strict", {"propertyOrdering": ["a"]}, {}, "objects.ordering"),
    ("xai-strict", {"type": "string", "pattern": r"\p{L}"}, {"type": "string", "pattern": "a?"}, "strings.forbid"),
]  # fmt: skip


def test_an_empty_object_may_stand_at_a_root_that_takes_one() -> None:
    empty = {"type": "object", "properties": {}}
    assert check(empty, "gemini-openapi") == []
    assert "objects.empty" in rules({**empty, **CLOSED}, "cohere-json")
    assert "objects.empty" in rules(holding(empty, "gemini-openapi"), "gemini-openapi")


@pytest.mark.parametrize(
    ("d", "bad", "good", "rule"), NODES, ids=[f"{n[0]}-{n[3]}-{i}" for i, n in enumerate(NODES)]
)
def test_each_rule_of_a_node(d, bad, good, rule):
    assert rule in rules(holding(bad, d), d)
    assert check(holding(good, d), d) == []
    for v in check(holding(bad, d), d):
        assert v.message.endswith(tuple("abcdefghijklmnopqrstuvwxyz`})'"))
        assert v.rule in v.message


@pytest.mark.parametrize(
    ("d", "bad", "rule"),
    [
        ("tools-lenient", {"type": "string"}, "root.object_only"),
        ("tools-lenient", {"type": ["object"]}, "root.object_only"),
        ("tools-lenient", True, "root.object_only"),
        ("tools-lenient", {"properties": {}}, "root.object_only"),
        ("tools-lenient", {"type": "object", "anyOf": [{}]}, "root.unions"),
        ("tools-lenient", {"type": "object", "allOf": [{}]}, "root.unions"),
        ("tools-lenient", {"$ref": "#/$defs/a", "$defs": {"a": {"type": "object"}}}, "root.ref"),
        (
            "anthropic-non-strict",
            {"type": "object", "properties": {"a b": {}}},
            "objects.key_pattern",
        ),
        (
            "anthropic-non-strict",
            {"type": "object", "properties": {"a\n": {}}},
            "objects.key_pattern",
        ),
    ],
)
def test_each_rule_of_the_root(d, bad, rule):
    assert rule in rules(bad, d)
    assert check({"type": "object", "properties": {"a": {"properties": {"a b": {}}}}}, d) == []


def with_defs(node, d, **defs):
    return holding(node, d, **{"$defs": defs})


LOOP = {"type": "object", "properties": {"n": {"$ref": "#/$defs/a"}}, **CLOSED}


@pytest.mark.parametrize(
    ("d", "wire", "rule"),
    [
        (
            "openai-strict",
            with_defs({"$ref": "#/$defs/b"}, "openai-strict", a=GOOD),
            "refs.pointers",
        ),
        ("openai-strict", with_defs({"$ref": "#/$defs"}, "openai-strict", a=GOOD), "refs.pointers"),
        (
            "openai-strict",
            with_defs({"$ref": "http://x/y"}, "openai-strict", a=GOOD),
            "refs.pointers",
        ),
        (
            "openai-strict",
            holding({"type": "array", "items": {"$ref": "#/properties/p"}}, "openai-strict"),
            "refs.pointers",
        ),
        (
            "openai-strict",
            with_defs({"$ref": "#/$defs/a", "description": "x"}, "openai-strict", a=GOOD),
            "refs.siblings",
        ),
        (
            "xai-strict",
            with_defs({"$ref": "#/$defs/a", "minLength": 1}, "xai-strict", a=GOOD),
            "refs.siblings",
        ),
        (
            "gemini-json-schema",
            holding({"type": "object", "properties": {"q": {"$ref": "#"}}}, "gemini-json-schema"),
            "refs.root",
        ),
        (
            "anthropic-strict",
            with_defs({"$ref": "#/$defs/a"}, "anthropic-strict", a=LOOP),
            "refs.recursion",
        ),
        (
            "gemini-json-schema",
            with_defs({"$ref": "#/$defs/a"}, "gemini-json-schema", a={**LOOP, "required": ["n"]}),
            "refs.recursion",
        ),
        (
            "anthropic-strict",
            with_defs({"allOf": [{"$ref": "#/$defs/a"}]}, "anthropic-strict", a=GOOD),
            "unions.all_of",
        ),
        (
            "tools-lenient",
            holding({"anyOf": [{"$ref": "#/properties/p"}]}, "tools-lenient"),
            "schema",
        ),
        (
            "tools-lenient",
            with_defs({"$ref": "#/$defs/a"}, "tools-lenient", a={"$ref": "#/$defs/a"}),
            "schema",
        ),
        (
            "gemini-json-schema",
            with_defs({"$ref": "#/$defs/a"}, "gemini-json-schema", a={"$ref": "#/$defs/a"}),
            "schema",
        ),
        ("tools-lenient", holding({"$ref": "#/properties/q/3"}, "tools-lenient"), "refs.pointers"),
        ("tools-lenient", holding({"$ref": "#/required/0"}, "tools-lenient"), "refs.pointers"),
    ],
)
def test_each_rule_of_references(d, wire, rule):
    assert rules(wire, d) == [rule]


@pytest.mark.parametrize(
    ("d", "wire"),
    [
        ("openai-strict", with_defs({"$ref": "#/$defs/a~1b"}, "openai-strict", **{"a/b": GOOD})),
        ("openai-strict", with_defs({"$ref": "#/$defs/a%20b"}, "openai-strict", **{"a b": GOOD})),
        ("openai-strict", holding({"anyOf": [{"$ref": "#"}, {"type": "null"}]}, "openai-strict")),
        ("openai-strict", with_defs({"$ref": "#/$defs/a"}, "openai-strict", a={**LOOP, "required": ["n"]})),
        ("gemini-json-schema", with_defs({"$ref": "#/$defs/a"}, "gemini-json-schema", a=LOOP)),
        ("xai-strict", with_defs({"$ref": "#/$defs/a", "description": "x"}, "xai-strict", a=GOOD)),
        ("tools-lenient", {"type": "object", "$id": "u:r", "properties": {"a": {"$anchor": "x"}, "b": {"$ref": "#x"}, "c": {"$ref": "u:r#x"}, "d": {"$ref": "u:r"}}}),
        ("tools-lenient", holding({"anyOf": [GOOD, {"$ref": "#/properties/p/anyOf/0"}]}, "tools-lenient")),
        ("tools-lenient", with_defs({"$ref": "#/$defs/t"}, "tools-lenient", t=True)),
    ],
)  # fmt: skip
def test_references_that_lead_somewhere(d, wire):
    assert check(wire, d) == []


def test_a_reference_makes_a_schema_of_what_it_leads_to():
    wire = {
        "type": "object",
        "properties": {"a": {"$ref": "#/x/y/0"}, "b": {"$ref": "#/x/y/0"}},
        "x": {
            "y": [{"type": "strnig", "properties": {"c": {"$ref": "#/x/z"}}}],
            "z": {"minLength": -1},
        },
    }
    assert [(v.rule, v.pointer) for v in check(wire, "tools-lenient")] == [
        ("schema", "/x/y/0/type"),
        ("schema", "/x/z/minLength"),
    ]
    loop = {"type": "object", "properties": {"a": {"$ref": "#/x"}}, "x": {"items": {"$ref": "#/x"}}}
    assert check(loop, "tools-lenient") == []
    assert rules(loop, "xai-strict") == ["refs.pointers"]
    assert rules(loop, replace(dialect("tools-lenient"), refs=Refs(recursion="no"))) == [
        "refs.recursion"
    ]


def test_a_reference_into_what_is_not_read_leads_nowhere():
    wire = with_defs({"$ref": "#/definitions/a"}, "gemini-json-schema", a=GOOD)
    wire["definitions"] = wire.pop("$defs")
    assert rules(wire, "gemini-json-schema") == ["keywords.accept", "refs.pointers"]


def test_one_finding_for_each_cycle():
    wire = with_defs(
        {"$ref": "#/$defs/a"},
        "anthropic-strict",
        a=LOOP,
        b={"type": "object", "properties": {"x": {"$ref": "#/$defs/b"}}, **CLOSED},
    )
    assert [v.pointer for v in check(wire, "anthropic-strict")] == [
        "/$defs/a/properties/n/$ref",
        "/$defs/b/properties/x/$ref",
    ]


LIMITED = Dialect(id="limited", keywords=Keywords())


@pytest.mark.parametrize(
    ("limit", "wire", "field"),
    [
        (Limits(properties=2), {"properties": {"a": {}, "b": {"properties": {"c": {}}}}}, "properties"),
        (Limits(properties=1), {"$defs": {"x": {"properties": {"c": {}, "d": {}}}}}, "properties"),
        (Limits(depth=2), {"type": "array", "items": {"type": "array", "items": {"type": "object"}}}, "depth"),
        (Limits(depth=1), {"properties": {"a": {"$ref": "#/$defs/x"}}, "$defs": {"x": {"type": "array"}}}, "depth"),
        (Limits(depth=1, depth_scope="definition"), {"$defs": {"x": {"type": "array", "items": {"type": "object"}}}}, "depth"),
        (Limits(string_chars=5), {"properties": {"ab": {"enum": ["ab"]}, "c": {"const": "d"}}}, "string_chars"),
        (Limits(enum_values=2), {"properties": {"a": {"enum": [1, 2]}, "b": {"enum": [1]}}}, "enum_values"),
        (Limits(large_enum_values=2, large_enum_chars=5), {"enum": ["ab", "cd", "ef"]}, "large_enum_chars"),
        (Limits(optional_params=1), {"properties": {"a": {}, "b": {}}}, "optional_params"),
        (Limits(optional_params=3), {"required": ["a", "b"], "properties": {k: {"$ref": "#/$defs/x"} for k in "ab"}, "$defs": {"x": {"properties": {"p": {}, "q": {}}}}}, "optional_params"),
        (Limits(union_params=1), {"properties": {"a": {"type": ["string", "null"]}, "b": {"$ref": "#/$defs/x"}}, "$defs": {"x": {"anyOf": [{}]}}}, "union_params"),
        (Limits(max_items_sum=5), {"properties": {"a": {"maxItems": 3}, "b": {"maxItems": 3}}}, "max_items_sum"),
        (Limits(bytes=17), {"title": "abcdef"}, "bytes"),
        (Limits(nesting=2), {"properties": {"a": {}}}, "nesting"),
    ],
)  # fmt: skip
def test_each_limit(limit, wire, field):
    d = replace(LIMITED, limits=limit)
    assert rules(wire, d) == [f"limits.{field}"]
    more = {
        f: getattr(limit, f) + 1
        for f in limit.__slots__
        if isinstance(getattr(limit, f), int) and f != "large_enum_values"
    }
    assert check(wire, replace(d, limits=replace(limit, **more))) == []


def test_limits_follow_definitions_only_where_the_row_says_so():
    wire = {
        "properties": {"a": {"$ref": "#/$defs/x"}},
        "$defs": {"x": {"type": "array", "items": {"$ref": "#/$defs/x"}}},
    }
    assert check(wire, replace(LIMITED, limits=Limits(depth=1, depth_scope="definition"))) == []
    assert rules(wire, replace(LIMITED, limits=Limits(depth=1))) == ["limits.depth"]
    assert rules(wire, replace(LIMITED, limits=Limits(nesting=2))) == ["limits.nesting"]
    enum = {"enum": ["ab", "cd"]}
    assert (
        check(enum, replace(LIMITED, limits=Limits(large_enum_values=2, large_enum_chars=1))) == []
    )


@pytest.mark.parametrize(
    ("d", "bad", "rule"),
    [
        (
            Dialect(id="x", objects=Objects(extras="boolean")),
            {"type": "object", "additionalProperties": {}},
            "objects.extras",
        ),
        (
            Dialect(id="x", keywords=Keywords(annotations=frozenset())),
            {"title": "x"},
            "keywords.annotations",
        ),
        (
            Dialect(id="x", keywords=Keywords(reject=frozenset(["$id"]))),
            {"$id": "x"},
            "keywords.reject",
        ),
        (
            Dialect(id="x", strings=Strings(forbid=frozenset(["lazy"]))),
            {"patternProperties": {"a+?": {}}},
            "strings.forbid",
        ),
        (Dialect(id="x", arrays=Arrays(min_items="ignored")), {"minItems": 1}, "arrays.min_items"),
        (
            Dialect(id="x", enums=Enums(types=frozenset(["integer"]))),
            {"enum": [1.5]},
            "enums.types",
        ),
        (Dialect(id="x", nullable=Nullable(in_enum=False)), {"enum": [None]}, "nullable.in_enum"),
        (Dialect(id="x", unions=Unions(all_of="ignored")), {"allOf": [{}]}, "unions.all_of"),
        (
            Dialect(id="x", refs=Refs(siblings="none"), root=Root()),
            {"$ref": "#/$defs/a", "$defs": {"a": {}}, "title": "x"},
            "refs.siblings",
        ),
    ],
)
def test_rules_that_no_built_in_row_has(d, bad, rule):
    assert rules(bad, d) == [rule]
    assert check({"title": "x"} if rule != "keywords.annotations" else {}, d) == []


@pytest.mark.parametrize(
    "bad",
    [
        {"properties": []}, {"properties": {"a": 1}}, {"type": []}, {"type": "text"}, {"type": ["string", "string"]}, {"type": "STRING"},
        {"required": "a"}, {"required": ["a", "a"]}, {"required": [[]]}, {"enum": []}, {"enum": 1}, {"anyOf": []}, {"anyOf": {}}, {"items": 1},
        {"items": [{}]}, {"minLength": -1}, {"minLength": 1.5}, {"minLength": float("inf")}, {"minimum": "1"}, {"minimum": True}, {"maximum": float("nan")},
        {"multipleOf": 0}, {"uniqueItems": 1}, {"$ref": 1}, {"description": 1}, {"dependentRequired": {"a": "b"}}, {"dependencies": {"a": [1]}},
        {"examples": {}}, {"exclusiveMinimum": True}, {"pattern": 1}, {"format": []}, {"not": None}, {"$defs": {"a": []}},
    ],
)  # fmt: skip
def test_malformed_schemas_are_violations(bad):
    wire = {"type": "object", "properties": {"p": bad}}
    found = check(wire, "tools-lenient")
    assert [v.code for v in found] == ["WS403"]
    assert found[0].rule == "schema"
    assert found[0].pointer.startswith("/properties/p")


@pytest.mark.parametrize("row", ROWS)
@pytest.mark.parametrize("value", [None, 1, "x", [], 1.5])
def test_what_is_no_schema_at_all(row, value):
    if type(value) is str and dialect(row).grammar.syntax != "none":
        value = [value]  # a text is a grammar there
    assert check(value, row)[0].code == "WS403"


def test_well_formed_spellings_of_other_drafts():
    old = Dialect(id="old", draft="draft7")
    assert (
        check(
            {"items": [{}, True], "additionalItems": False, "dependencies": {"a": ["b"], "c": {}}},
            old,
        )
        == []
    )
    assert check({"minimum": 1, "exclusiveMinimum": True}, replace(old, draft="draft4")) == []


def test_bounds_on_objects_are_seen_through_references():
    node = {"type": "array", "items": {"$ref": "#/$defs/a"}, "maxItems": 2}
    assert rules(
        with_defs(node, "gemini-json-schema", a={"type": "object"}), "gemini-json-schema"
    ) == ["arrays.object_bounds"]
    assert check(with_defs(node, "gemini-json-schema", a=GOOD), "gemini-json-schema") == []
    endless = with_defs(node, "gemini-json-schema", a={"$ref": "#/$defs/a"})
    assert rules(endless, "gemini-json-schema") == ["schema"]


def test_tuples_of_old_drafts():
    old = Dialect(id="old", draft="draft7", tuples=Tuples(encoding="items-union"))
    assert rules({"type": "array", "items": [{}]}, old) == ["tuples.encoding"]
    assert check({"type": "array", "items": {}}, old) == []


def test_the_verbatim_row_takes_everything():
    assert check({"properties": []}, "lenient") == []
    assert check(True, "lenient") == []


def test_a_violation_is_data():
    (v,) = check({"type": "object", "properties": {}}, "openai-strict")
    assert v == Violation(
        code="WS405",
        rule="objects.extras",
        keyword="additionalProperties",
        pointer="",
        message="an object is not closed (objects.extras); write `additionalProperties: false`",
        what="an object is not closed",
        remedy="write `additionalProperties: false`",
    )
    assert v.level == v.to_json()["level"] == "error"
    assert v.to_json()["rule"] == "objects.extras"
    assert pickle.loads(pickle.dumps(v)) == v
    assert "write `additionalProperties: false`" in v.message


@pytest.mark.parametrize(
    ("d", "wire", "expected"),
    [
        # a pattern that is ignored is not read
        (Dialect(id="x", strings=Strings(pattern="ignored", forbid=frozenset(["lazy"]))), {"pattern": "(a+?"}, ["strings.pattern"]),
        (Dialect(id="x", objects=Objects(extras="boolean")), {"type": "object"}, []),
        (Dialect(id="x", objects=Objects(extras="boolean")), {"type": "object", "additionalProperties": True}, []),
        (Dialect(id="x", unions=Unions(siblings=False)), {"anyOf": [{}]}, []),
        (Dialect(id="x"), {"anyOf": [{}], "title": "x"}, []),
        # one finding for a keyword that does not pass, not two
        (Dialect(id="x", arrays=Arrays(max_items="no", object_bounds=False)), {"items": {"type": "object"}, "maxItems": 1}, ["arrays.max_items"]),
        (Dialect(id="x", enums=Enums(const=False, typed=True, types=frozenset())), {"const": 1}, ["enums.const"]),
        (Dialect(id="x", arrays=Arrays(object_bounds=False)), {"items": True, "maxItems": 1}, []),
        (Dialect(id="x", arrays=Arrays(object_bounds=False)), {"type": "array", "maxItems": 1}, []),
        (Dialect(id="x", enums=Enums(types=frozenset(["array"]))), {"enum": [[]]}, []),
        (Dialect(id="x", enums=Enums(types=frozenset(["array"]))), {"enum": [{}]}, ["enums.types"]),
        (Dialect(id="x", enums=Enums(types=frozenset(["object"]))), {"enum": [{}]}, []),
        (Dialect(id="x", enums=Enums(types=frozenset(["object"]))), {"enum": [[]]}, ["enums.types"]),
    ],
)  # fmt: skip
def test_exactly_these_rules(d, wire, expected):
    assert rules(wire, d) == expected


@pytest.mark.parametrize(("other", "code"), [("ignored", "WS402"), ("no", "WS412")])
def test_formats_that_are_not_listed(other, code):
    d = Dialect(id="x", strings=Strings(formats=frozenset(["date"]), other_formats=other))
    assert check({"type": "string", "format": "date"}, d) == []
    (v,) = check({"type": "string", "format": "uri"}, d)
    assert (v.code, v.rule) == (code, "strings.formats")


@pytest.mark.parametrize(
    ("keywords", "code"),
    [
        (Keywords(), "WS402"),
        (Keywords(accept=frozenset(["const"]), annotations=frozenset()), "WS411"),
        (
            Keywords(accept=frozenset(["const"]), annotations=frozenset(), unlisted="ignored"),
            "WS411",
        ),
        (Keywords(accept=frozenset(), annotations=frozenset()), "WS411"),
        (Keywords(accept=frozenset(), annotations=frozenset(), unlisted="ignored"), "WS402"),
    ],
)
def test_what_a_row_does_not_read_is_ignored_where_unknown_keywords_are(keywords, code):
    (v,) = check({"const": 1}, Dialect(id="x", keywords=keywords, enums=Enums(const=False)))
    assert (v.code, v.rule) == (code, "enums.const")
    assert v.what == ("'const' is ignored" if code == "WS402" else "'const' is not accepted")


@pytest.mark.parametrize(
    ("code", "level"),
    [
        ("pattern", "warning"),
        ("maxItems", "error"),
        ("const", "warning"),
        ("x-y", "warning"),
        ("nullable", "warning"),
    ],
)
def test_levels(code, level):
    properties = {
        "a": {"type": "string", "pattern": "a", "x-y": 1},
        "b": {"type": "array", "items": {"type": "object"}, "maxItems": 1},
        "c": {"type": "string", "nullable": True},
        "d": {"const": [1]},
    }
    wire = {"type": "object", "properties": properties}
    found = {v.keyword: v.level for v in check(wire, "gemini-json-schema")}
    assert found[code] == level


def looped(holder):
    holder["properties"]["a"]["enum"].append([holder])
    return holder


@pytest.mark.parametrize("row", ROWS)
@pytest.mark.parametrize(
    ("wire", "pointer", "what"),
    [
        ({"properties": {1: {}}}, "/properties", "a key that is a Python int is not JSON"),
        ({"enum": [[(1, 2)]]}, "/enum/0/0", "a Python tuple is not JSON"),
        ({"default": b""}, "/default", "a Python bytes is not JSON"),
        (object(), "", "a Python object is not JSON"),
        (looped({"properties": {"a": {"enum": [1]}}}), "/properties/a/enum/1/0", "a value inside itself is not JSON"),
    ],
)  # fmt: skip
def test_what_is_no_json_is_an_error(row, wire, pointer, what):
    with pytest.raises(SchemaError) as e:
        check(wire, row)
    assert (e.value.code, e.value.pointer, e.value.args[0]) == ("WS111", pointer, what)


def test_shared_parts_and_depth_are_json():
    shared = {"type": "string"}
    assert fault({"properties": {"a": shared, "b": [shared, shared]}}) is None
    wide: dict = {}
    for _ in range(200):
        wide = {"a": wide, "b": [wide]}
    assert fault(wide) is None
    deep: list = []
    for _ in range(50_000):
        deep = [deep]
    assert fault(deep) is None
    assert fault({"a": float("nan"), "b": 10**5000, "c": "\ud800"}) is None


@pytest.mark.parametrize("row", ROWS)
def test_huge_numbers(row):
    huge = 10**5000
    node = {
        "type": "array",
        "items": {"type": "integer", "maximum": huge, "enum": [huge, 1e400, -huge]},
        "maxItems": huge,
        "minItems": huge,
    }
    for v in check({"type": "object", "properties": {"a": node, "b": {"const": huge}}}, row):
        json.dumps(v.to_json())
    assert size([huge]) == 5003


def test_a_rule_is_reported_for_its_first_hundred_places():
    wire = {
        "type": "object",
        "properties": {str(i): {} for i in range(500)},
        "required": [],
        **CLOSED,
    }
    assert len([v for v in check(wire, "openai-strict") if v.rule == "objects.all_required"]) == 100


def test_depth_and_sharing_are_no_limit():
    deep: dict = {"type": "object"}
    for _ in range(5000):
        deep = {"type": "object", "properties": {"a": deep}}
    wide: dict = {"type": "object", "properties": {"a": {}}}
    for _ in range(200):
        wide = {"type": "object", "properties": {"a": wide, "b": wide}}
    expanding: dict = {
        str(i): {"type": "array", "prefixItems": [{"$ref": f"#/$defs/{i + 1}"}] * 2, "maxItems": 2}
        for i in range(200)
    }
    defs = {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/0"}},
        "$defs": {**expanding, "200": {"type": "string"}},
    }
    start = time.process_time()
    for row in ROWS:
        for wire in (deep, wide, defs):
            check(wire, row)
    assert time.process_time() - start < len(ROWS)


words = st.sampled_from(
    "type properties items anyOf oneOf allOf enum const pattern patternProperties format nullable minLength maxItems minItems "
    "exclusiveMinimum minimum not $ref $defs definitions prefixItems additionalProperties required $id $anchor x".split()
)
leaves = (
    st.none() | st.booleans() | st.integers(-3, 3000) | st.floats() | st.text(max_size=3)
    | st.sampled_from(["object", "string", "array", "(", "#", "#/$defs/x", "#/properties/x", "a", "\ud800"])
)  # fmt: skip
values = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=5),
    max_leaves=20,
)


@given(values, st.sampled_from(ROWS))
@settings(deadline=None)
def test_any_json_is_a_question(wire, row):
    before = repr(wire)
    for v in check(wire, row):
        json.dumps(v.to_json())
    assert repr(wire) == before


@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers()
        | st.text(st.characters(codec="utf-8"), max_size=4),
        lambda i: (
            st.lists(i) | st.dictionaries(st.text(st.characters(codec="utf-8"), max_size=3), i)
        ),
    )
)
def test_size(value):
    assert size(value) == len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())


PLAIN = Dialect(id="plain")


@given(st.dictionaries(words, values, max_size=5))
@settings(deadline=None)
def test_what_the_metaschema_refuses_is_a_violation(wire):
    metaschema = jsonschema.Draft202012Validator(jsonschema.Draft202012Validator.META_SCHEMA)
    if not metaschema.is_valid(wire):
        assert check(wire, PLAIN) != []


def test_a_type_is_told_what_is_checked() -> None:
    with pytest.raises(SchemaError, match=r"Decimal is a Python type; `check` takes a wire schema"):
        check(Decimal, "openai-strict")
