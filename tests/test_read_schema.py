"""Reading: shapes of the graph, exact places of errors, drafts, references, names and notes."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from wireshape import ir
from wireshape.errors import SchemaError
from wireshape.options import Options
from wireshape.read import Schema, read

D4 = "http://json-schema.org/draft-04/schema#"
D7 = "http://json-schema.org/draft-07/schema#"


def root(source: Any, **options: Any) -> ir.Node:
    return read(source, Options(**options)).graph.root


def error(source: Any, **options: Any) -> SchemaError:
    with pytest.raises(SchemaError) as caught:
        read(source, Options(**options))
    return caught.value


def test_object() -> None:
    node = root(
        {
            "type": "object",
            "title": "T",
            "properties": {
                "a": {"type": "string", "description": "d"},
                "b": {"type": "integer", "minimum": 1},
            },
            "required": ["a", "z"],
        }
    )
    assert type(node) is ir.Object
    assert node.open
    assert node.ann == {"title": "T"}
    assert [(f.key, f.required) for f in node.fields] == [("a", True), ("b", False), ("z", True)]
    first = node.fields[0].node
    assert type(first) is ir.String
    assert first.ann == {"description": "d"}
    assert ir.pointer(first.at) == "/properties/a"
    assert node.fields[1].node == ir.Number(integer=True, minimum=1)


def test_keyword_names_are_only_names() -> None:
    names = [
        "type",
        "properties",
        "$ref",
        "title",
        "required",
        "items",
        "$id",
        "enum",
        "$anchor",
        "$schema",
    ]
    node = root({"type": "object", "properties": {n: {"type": "string"} for n in names}})
    assert type(node) is ir.Object
    assert [f.key for f in node.fields] == names


def test_identifiers_in_data_are_data() -> None:
    data = {"$id": "http://x/y", "$anchor": "here", "$ref": "#/nowhere"}
    node = root(
        {
            "properties": {
                "a": {"enum": [data]},
                "b": {"const": data},
                "c": {"default": data, "examples": [data]},
            },
            "x-y": data,
        }
    )
    assert type(node) is ir.Union
    assert "unresolved" not in repr(node)
    assert error({"enum": [data], "$ref": "#here"}).code == "WS112"


@pytest.mark.parametrize(
    ("schema", "pointer"),
    [
        ({"properties": {"flag": {"description": None}}}, "/properties/flag/description"),
        ({"properties": {"show": {"type": "enum"}}}, "/properties/show/type"),
        ({"properties": []}, "/properties"),
        ({"properties": {"a": 1}}, "/properties/a"),
        ({"properties": {"a": {"required": True}}}, "/properties/a/required"),
        ({"required": ["a", 1]}, "/required/1"),
        ({"required": ["a", "a"]}, "/required"),
        ({"minLength": -1}, "/minLength"),
        ({"minItems": 1.5}, "/minItems"),
        ({"$ref": 3}, "/$ref"),
        ({"type": ["string", "strin"]}, "/type/1"),
        ({"type": []}, "/type"),
        ({"type": ["string", "string"]}, "/type"),
        ({"anyOf": []}, "/anyOf"),
        ({"allOf": [{"enum": 1}]}, "/allOf/0/enum"),
        ({"items": [{}]}, "/items"),
        ({"prefixItems": []}, "/prefixItems"),
        ({"multipleOf": 0}, "/multipleOf"),
        ({"uniqueItems": 1}, "/uniqueItems"),
        ({"minimum": "1"}, "/minimum"),
        ({"exclusiveMinimum": True}, "/exclusiveMinimum"),
        ({"additionalProperties": "no"}, "/additionalProperties"),
        ({"type": "string", "items": 3}, "/items"),
        ({"$defs": {"unused": {"type": "any"}}}, "/$defs/unused/type"),
        ({"examples": "x"}, "/examples"),
        ({"deprecated": "yes"}, "/deprecated"),
        ({"$anchor": "1"}, "/$anchor"),
        ({"dependentRequired": {"a": [1]}}, "/dependentRequired/a/0"),
        ({"$schema": D4, "items": True}, "/items"),
        ({"$schema": D4, "required": []}, "/required"),
        ({"$schema": D4, "minimum": 1, "exclusiveMinimum": 3}, "/exclusiveMinimum"),
        ({"$schema": D4, "exclusiveMaximum": True}, "/exclusiveMaximum"),
        ({"$schema": D7, "items": []}, "/items"),
        ({"$schema": D7, "then": 1}, "/then"),
    ],
)
def test_malformed(schema: dict[str, Any], pointer: str) -> None:
    caught = error(schema)
    assert caught.code == "WS110"
    assert caught.pointer == pointer
    assert pointer in str(caught)


def test_message_says_what_to_write() -> None:
    assert "'enum'" in str(error({"type": "enum"}))
    assert '"enum": ["a", "b"]' in str(error({"type": "enum"}))
    assert "'integer'" in str(error({"type": "int"}))
    assert "leave `type` out" in str(error({"type": "any"}))
    assert "format" in str(error({"type": "date"}))


@pytest.mark.parametrize(
    ("source", "code", "pointer"),
    [
        ({"minimum": float("nan")}, "WS111", "/minimum"),
        ({"enum": [1, float("inf")]}, "WS111", "/enum/1"),
        ({"properties": {1: {}}}, "WS111", "/properties/1"),
        ({"enum": (1, 2)}, "WS111", "/enum"),
        ({"title": "\ud800"}, "WS111", "/title"),
        ({"default": {"\udfff": 1}}, "WS111", "/default/\\udfff"),
        ('{"a": 1, "a": 2}', "WS111", ""),
        ('{"minimum": NaN}', "WS111", ""),
        ("[1]", "WS110", ""),
        ("{", "WS111", ""),
        ("[" * 100_000, "WS111", ""),
    ],
)
def test_not_json(source: Any, code: str, pointer: str) -> None:
    caught = error(source)
    assert (caught.code, caught.pointer) == (code, pointer)


def test_subclasses_become_plain() -> None:
    class Text(str):
        __slots__ = ()

    class Count(int):
        pass

    class Odd(dict[str, Any]):
        pass

    schema = read(Odd({"enum": [Text("a"), Count(3)], "default": Odd()}), Options())
    assert [type(v) for v in schema.document["enum"]] == [str, int]
    assert type(schema.document["default"]) is dict


def test_document_is_a_private_copy() -> None:
    source = {"properties": {"a": {"enum": [["x"]]}}}
    kept = copy.deepcopy(source)
    schema = read(source, Options())
    assert source == kept
    source["properties"]["a"]["enum"][0].append("y")
    assert schema.document == kept


def test_sources(tmp_path: Path) -> None:
    file = tmp_path / "s.json"
    file.write_text('{"type": "string"}')
    assert root(file) == ir.String()
    assert root('{"type": "string"}') == ir.String()
    assert root("true") == root(True) == ir.Any()
    assert type(root(False)) is ir.Never
    schema = read({"type": "null"}, Options())
    assert read(schema, Options()) is schema
    assert type(schema) is Schema
    assert error(tmp_path / "missing.json").code == "WS111"


@pytest.mark.parametrize(
    ("name", "draft"),
    [
        ("draft-07", "draft7"),
        ("draft2019-09", "2019-09"),
        ("draft2020-12", "2020-12"),
        ("openapi-3.0", "openapi-3.0"),
        ("Draft4", "draft4"),
    ],
)
def test_draft_names(name: str, draft: str) -> None:
    assert read({}, Options(draft=name)).draft == draft


def test_draft_detection() -> None:
    assert read({"$schema": "https://json-schema.org/draft-07/schema"}, Options()).draft == "draft7"
    assert read({"$schema": D4}, Options()).draft == "draft4"
    assert read({}, Options()).draft == "2020-12"
    odd = read({"$schema": "http://example.com/mine"}, Options())
    assert odd.draft == "2020-12"
    assert [n.code for n in odd.notes] == ["WS116"]
    assert all([n.quiet for n in odd.notes])
    assert "draft7" in str(error({}, draft="draft3"))


def test_custom_metaschema_without_validation() -> None:
    mine = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$vocabulary": {"https://json-schema.org/draft/2020-12/vocab/core": True},
    }
    node = root(
        {"$schema": "http://m/", "minimum": 3, "properties": {"a": False}},
        registry={"http://m/": mine},
    )
    assert type(node) is ir.Union
    assert node.implied == ("object",)


def test_draft4_exclusive_bounds() -> None:
    assert root(
        {
            "$schema": D4,
            "type": "number",
            "minimum": 1,
            "exclusiveMinimum": True,
            "maximum": 3,
            "exclusiveMaximum": False,
        }
    ) == ir.Number(exclusive_minimum=1, maximum=3)


def test_ref_siblings_by_draft() -> None:
    schema = {
        "$defs": {"x": {"type": "string"}},
        "properties": {
            "a": {"$ref": "#/$defs/x", "minLength": 3, "description": "d", "default": "e"}
        },
    }
    old = read({"$schema": D7, **schema}, Options())
    field = old.graph.root.options[5].fields[0].node
    assert field == ir.Ref("x", {"description": "d", "default": "e"})
    assert [(n.code, n.keyword, n.pointer) for n in old.notes if n.code == "WS102"] == [
        ("WS102", "minLength", "/properties/a/minLength")
    ]
    new = read({**schema, "type": "object"}, Options()).graph.root.fields[0].node
    assert new == ir.String(min_length=3, ann={"description": "d", "default": "e"})


def test_formats() -> None:
    assert root({"type": "string", "format": "date"}) == ir.String(formats=("date",))
    assert root({"type": "string", "format": "date"}, assert_formats=False) == ir.String(
        ann={"format": "date"}
    )
    odd = read({"type": "string", "format": "uuid", "$schema": D7}, Options())
    assert odd.graph.root == ir.String(ann={"format": "uuid"})
    assert [n.code for n in odd.notes] == ["WS103"]
    assert root({"type": "integer", "format": "date"}) == ir.Number(
        integer=True, ann={"format": "date"}
    )
    assert root({"format": "int32"}) == ir.Any({"format": "int32"})


def test_ledger() -> None:
    notes = read(
        {"nullable": True, "x-mine": 1, "xml": {}, "example": 3, "typ": "string"}, Options()
    ).notes
    assert [(n.code, n.keyword) for n in notes] == [("WS101", "nullable"), ("WS101", "typ")]


def test_nullable() -> None:
    node = root({"type": "string", "nullable": True}, draft="openapi-3.0")
    assert node == ir.Union((ir.String(), ir.Null()))
    assert root({"type": "string", "nullable": False}, draft="openapi-3.0") == ir.String()
    odd = read({"type": "string", "nullable": True, "enum": ["a"]}, Options(draft="openapi-3.0"))
    assert odd.graph.root == ir.Union((ir.Literal(("a",)), ir.Null()))
    assert [n.code for n in odd.notes] == ["WS104"]
    assert root({"type": "string", "nullable": True}, draft="openapi-3.1") == ir.String()


def test_null_that_enum_lists_is_no_finding() -> None:
    listed = {"type": "string", "enum": ["a", None], "nullable": True}
    found = read(listed, Options(draft="openapi-3.0"))
    assert found.graph.root == ir.Union((ir.Literal(("a",)), ir.Null()))
    assert found.notes == ()


@pytest.mark.parametrize("word", ["exclusiveMinimum", "exclusiveMaximum"])
def test_a_bound_that_is_a_boolean_names_the_older_drafts(word: str) -> None:
    schema = {"type": "number", "minimum": 0, "maximum": 5, word: True}
    told = str(error(schema))
    assert 'draft="openapi-3.0"' in told and 'draft="draft4"' in told and "--draft" in told
    for draft in ("openapi-3.0", "draft4"):
        assert f'draft="{draft}"' in told
        read(schema, Options(draft=draft))
    assert "--draft" not in str(error({word: "1"}))


def test_types_and_values() -> None:
    assert root({"type": ["string", "null"], "minLength": 1}) == ir.Union(
        (ir.String(min_length=1), ir.Null())
    )
    assert root({"type": ["integer", "number"]}) == ir.Number()
    assert root({"type": "string", "enum": ["a", "b", "a", 1]}) == ir.Literal(("a", "b"))
    assert root({"enum": [1, 1.0, True]}) == ir.Literal((1, True))
    assert root({"enum": [True, False]}) == ir.Boolean()
    assert root({"const": True}) == ir.Literal((True,))
    assert root({"const": None}) == ir.Null()
    assert type(root({"enum": []})) is ir.Never
    assert root({"anyOf": [{"const": "a"}, {"enum": ["b", "a"]}]}) == ir.Literal(("a", "b"))
    assert root(
        {"anyOf": [{"type": "string", "description": "i"}], "description": "o"}
    ) == ir.String(ann={"description": "o\ni"})
    both = root({"oneOf": [{"const": "a"}, {"const": "a"}, {"const": "b"}]})
    assert type(both) is ir.Union
    assert both.exclusive


def test_typeless() -> None:
    node = root({"minLength": 2, "properties": {"a": {}}})
    assert type(node) is ir.Union
    assert node.implied == ("string", "object")
    assert [type(o) for o in node.options] == [
        ir.Null,
        ir.Boolean,
        ir.Number,
        ir.String,
        ir.List,
        ir.Object,
    ]
    assert root({"title": "t"}) == ir.Any({"title": "t"})


def test_arrays() -> None:
    assert root({"type": "array", "items": {"type": "string"}, "minItems": 1.0}) == ir.List(
        ir.String(), min_items=1
    )
    assert root({"type": "array", "prefixItems": [{"type": "null"}], "items": False}) == ir.Tuple(
        (ir.Null(),), ir.Never("false")
    )
    assert root(
        {
            "$schema": D7,
            "type": "array",
            "items": [{"type": "null"}],
            "additionalItems": {"type": "string"},
        }
    ) == ir.Tuple((ir.Null(),), ir.String())
    assert type(root({"type": "array", "minItems": 3, "maxItems": 2})) is ir.Never


def test_patterns_bind_declared_fields() -> None:
    node = root(
        {
            "type": "object",
            "properties": {"xa": {"type": "string"}},
            "patternProperties": {"^x": {"minLength": 2}},
            "required": ["xb"],
        }
    )
    assert type(node) is ir.Object
    assert node.fields[0].node == ir.String(min_length=2)
    assert type(node.fields[1].node) is ir.Union


def test_assertions() -> None:
    node = root({"type": "object", "anyOf": [{"required": ["a"]}, {"required": ["b"]}]})
    assert type(node) is ir.Refine
    assert [a.keyword for a in node.assertions] == ["anyOf"]
    node = root({"type": "array", "contains": {"type": "string"}, "minContains": 2})
    assert type(node) is ir.Refine
    assert node.assertions[0].value == {"minContains": 2}
    assert type(root({"not": {}})) is ir.Never
    assert root({"type": "string", "not": False}) == ir.String()


def test_references() -> None:
    schema = {"$id": "http://x/root", "type": "object", "properties": {
        "a": {"$ref": "#/$defs/a~1b%25"}, "b": {"$ref": "other#named"}, "c": {"$ref": "http://x/far"}, "d": {"$ref": "#/properties/a"},
        "e": {"$ref": "#/components/schemas/E"}},
        "$defs": {"a/b%": {"type": "string"}, "o": {"$id": "other", "$defs": {"n": {"$anchor": "named", "type": "null"}}}},
        "components": {"schemas": {"E": {"type": "boolean"}}}}  # fmt: skip
    graph = read(schema, Options(registry={"http://x/far": {"type": "integer"}})).graph
    assert graph.defs == {
        "a_b_": ir.String(),
        "n": ir.Null(),
        "far": ir.Number(integer=True),
        "E": ir.Boolean(),
    }
    assert list(graph.defs) == ["a_b_", "n", "far", "E"]
    assert ir.pointer(graph.defs["n"].at) == "/$defs/o/$defs/n"


def test_reference_to_the_root() -> None:
    graph = read(
        {"type": "object", "properties": {"kids": {"type": "array", "items": {"$ref": "#"}}}},
        Options(),
    ).graph
    assert graph.root == ir.Ref("root")
    assert list(graph.defs) == ["root"]


def test_metaschema_is_at_hand() -> None:
    graph = read({"$ref": "https://json-schema.org/draft/2020-12/schema"}, Options()).graph
    assert graph.root == ir.Ref("schema")


@pytest.mark.parametrize(
    ("schema", "code"),
    [
        ({"$ref": "#"}, "WS113"),
        (
            {
                "$ref": "#/$defs/a",
                "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}},
            },
            "WS113",
        ),
        (
            {
                "$ref": "#/$defs/a",
                "$defs": {
                    "a": {"$ref": "#/$defs/b", "title": "a"},
                    "b": {"$ref": "#/$defs/a", "title": "b"},
                },
            },
            "WS113",
        ),
        ({"not": {"$ref": "#"}}, "WS113"),
        ({"$ref": "#/$defs/nope"}, "WS112"),
        ({"$ref": "http://example.com/x"}, "WS112"),
        ({"$ref": "#nope"}, "WS112"),
    ],
)
def test_dead_references(schema: dict[str, Any], code: str) -> None:
    assert error(schema).code == code


def test_left_recursion_is_cut() -> None:
    graph = read({"anyOf": [{"$ref": "#"}, {"type": "integer"}]}, Options()).graph
    assert graph.defs == {"root": ir.Number(integer=True)}
    graph = read({"allOf": [{"$ref": "#"}, {"type": "integer"}]}, Options()).graph
    assert graph.defs == {"root": ir.Number(integer=True)}


def test_dynamic_references() -> None:
    tree = {
        "$id": "http://x/tree",
        "$dynamicAnchor": "node",
        "type": "object",
        "properties": {"kids": {"type": "array", "items": {"$dynamicRef": "#node"}}},
    }
    graph = read(
        {
            "$id": "http://x/strict",
            "$dynamicAnchor": "node",
            "$ref": "tree",
            "unevaluatedProperties": False,
        },
        Options(registry={"http://x/tree": tree}),
    ).graph
    node = graph.defs["root"]
    assert type(node) is ir.Object
    assert type(node.extras) is ir.Never
    kids = node.fields[0].node
    assert kids == ir.List(ir.Ref("root"))


def test_unevaluated() -> None:
    node = root(
        {
            "allOf": [{"type": "object", "properties": {"a": {}}}],
            "properties": {"b": {}},
            "required": ["a"],
            "unevaluatedProperties": False,
        }
    )
    assert type(node) is ir.Object
    assert type(node.extras) is ir.Never
    assert [f.key for f in node.fields] == ["b", "a"] or [f.key for f in node.fields] == ["a", "b"]
    kept = root(
        {"anyOf": [{"properties": {"a": {}}}, {"type": "object"}], "unevaluatedProperties": False}
    )
    assert type(kept) is ir.Refine
    assert kept.assertions[0].keyword == "unevaluatedProperties"


def test_reading_is_deterministic() -> None:
    source = {
        "$defs": {
            n: {"anyOf": [{"$ref": f"#/$defs/{m}"} for m in "cab"] + [{"type": "null"}]}
            for n in "xyz"
        }
        | {n: {"type": "object"} for n in "abc"},
        "properties": {n: {"$ref": f"#/$defs/{n}"} for n in "zyx"},
    }
    first, second = (
        read(source, Options()).graph,
        read(json.loads(json.dumps(source)), Options()).graph,
    )
    assert first == second
    assert list(first.defs) == list(second.defs) == ["z", "c", "a", "b", "y", "x"]


def test_referencing_registry() -> None:
    from referencing import Registry
    from referencing.jsonschema import DRAFT202012

    registry = Registry().with_resource(
        "http://x/far", DRAFT202012.create_resource({"type": "integer"})
    )  # type: ignore[var-annotated]
    graph = read({"$ref": "http://x/far"}, Options(registry=registry)).graph
    assert graph.defs == {"far": ir.Number(integer=True)}


def test_location_independent_identifiers() -> None:
    graph = read(
        {
            "$schema": D7,
            "allOf": [{"$ref": "#foo"}],
            "definitions": {"A": {"$id": "#foo", "type": "integer"}},
        },
        Options(),
    ).graph
    assert graph.defs == {"A": ir.Number(integer=True)}


def test_a_pattern_that_is_no_regular_expression() -> None:
    schema = {"type": "object", "properties": {"a": {}}, "patternProperties": {"(": {}}}
    assert error(schema).pointer == "/patternProperties/("
