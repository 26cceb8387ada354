"""The same graph in the spelling of each row option, and back: what is written means what the graph means."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.errors import UnsatisfiedAssumption

import wireshape as ws
from wireshape import ir
from wireshape.dialect import Arrays, Dialect, Enums, Keywords, Nullable, Objects, Refs, Unions
from wireshape.emit import emit, plain, stacks
from wireshape.read import read
from wireshape.testing import mutations, schemas, values

PLAIN = Dialect(id="plain")
S, N, NUL, ANY, NEVER = ir.String(), ir.Number(), ir.Null(), ir.Any(), ir.Never()
TEXT: Any = {"type": "string"}
NAMED = {"description": "d"}


def row(**parts: Any) -> Dialect:
    return replace(PLAIN, **parts)


def written(node: ir.Node, dialect: Dialect = PLAIN, **defs: ir.Node) -> Any:
    return emit(ir.Graph(node, defs), dialect).document


def obj(extras: ir.Node = NEVER, **more: Any) -> ir.Object:
    return ir.Object((ir.Field("a", S, required=True), ir.Field("b", S)), extras, **more)


PLAINLY: list[tuple[str, ir.Node, Any]] = [
    ("any", ANY, {}),
    ("never", NEVER, {"not": {}}),
    ("null", ir.Null(NAMED), {"type": "null", "description": "d"}),
    ("boolean", ir.Boolean(), {"type": "boolean"}),
    ("integer", ir.Number(True, 1.0, 9, 0, 10.0, 2.0), {"type": "integer", "minimum": 1, "exclusiveMinimum": 0, "maximum": 9, "exclusiveMaximum": 10, "multipleOf": 2}),
    ("number", ir.Number(minimum=0.5, ann=NAMED), {"type": "number", "description": "d", "minimum": 0.5}),
    ("string", ir.String(1, 2, ("a",), ("date",), NAMED), {"type": "string", "description": "d", "minLength": 1, "maxLength": 2, "pattern": "a", "format": "date"}),
    ("patterns", ir.String(patterns=("a", "b"), formats=("date", "time")), {"type": "string", "pattern": "a", "format": "date", "allOf": [{"pattern": "b"}, {"format": "time"}]}),
    ("constant", ir.Literal((1,), NAMED), {"type": "integer", "description": "d", "const": 1}),
    ("numbers", ir.Literal((1, 2.5)), {"type": "number", "enum": [1, 2.5]}),
    ("mixed", ir.Literal((1, "a")), {"enum": [1, "a"]}),
    ("list", ir.List(S, 1, 2, unique=True, ann=NAMED), {"type": "array", "description": "d", "items": TEXT, "minItems": 1, "maxItems": 2, "uniqueItems": True}),
    ("free_list", ir.List(ANY), {"type": "array"}),
    ("named_items", ir.List(ir.Any(NAMED)), {"type": "array", "items": NAMED}),
    ("no_items", ir.List(NEVER), {"type": "array", "items": False}),
    ("tuple", ir.Tuple((S, N), NEVER, 1, ann=NAMED), {"type": "array", "description": "d", "prefixItems": [TEXT, {"type": "number"}], "items": False, "minItems": 1}),
    ("open_tuple", ir.Tuple((S,), ANY), {"type": "array", "prefixItems": [TEXT]}),
    ("tuple_with_rest", ir.Tuple((S,), N, max_items=3), {"type": "array", "prefixItems": [TEXT], "items": {"type": "number"}, "maxItems": 3}),
    ("closed", obj(ann=NAMED), {"type": "object", "description": "d", "properties": {"a": TEXT, "b": TEXT}, "required": ["a"], "additionalProperties": False}),
    ("open", obj(ANY, open=True), {"type": "object", "properties": {"a": TEXT, "b": TEXT}, "required": ["a"]}),
    ("said_to_be_open", obj(ANY), {"type": "object", "properties": {"a": TEXT, "b": TEXT}, "required": ["a"], "additionalProperties": True}),
    ("map", ir.Object((), S), {"type": "object", "additionalProperties": TEXT}),
    ("key_rules", ir.Object((), ANY, True, (ir.Pattern("^x", S),), S, 1, 2), {"type": "object", "patternProperties": {"^x": TEXT}, "propertyNames": TEXT, "minProperties": 1, "maxProperties": 2}),
    ("forbidden_key", ir.Object((ir.Field("a", NEVER),), ANY, open=True), {"type": "object", "properties": {"a": False}}),
    ("union", ir.Union((S, NUL), ann=NAMED), {"description": "d", "anyOf": [TEXT, {"type": "null"}]}),
    ("exclusive", ir.Union((S, N), exclusive=True), {"oneOf": [TEXT, {"type": "number"}]}),
    ("reference", ir.Ref("A", NAMED), {"$ref": "#/$defs/A", "description": "d", "$defs": {"A": TEXT}}),
    ("root_reference", ir.Ref("A"), TEXT),
    ("root_of_a_circle", ir.Ref("L"), {"type": "array", "items": {"$ref": "#"}}),
    ("order_of_first_use", ir.Tuple((ir.Ref("B"), ir.Ref("A"), ir.Ref("B")), ANY), {"type": "array", "prefixItems": [{"$ref": "#/$defs/B"}, {"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}], "$defs": {"B": {"type": "array", "items": {"$ref": "#/$defs/A"}}, "A": TEXT}}),
    ("not", ir.Refine(S, (ir.Assertion("not", (ir.Literal(("a",)),)),), NAMED), {"type": "string", "description": "d", "not": {"type": "string", "const": "a"}}),
    ("if", ir.Refine(S, (ir.Assertion("if", (S, N, ANY)),)), {"type": "string", "if": TEXT, "then": {"type": "number"}}),
    ("else", ir.Refine(S, (ir.Assertion("if", (S, ANY, NEVER)),)), {"type": "string", "if": TEXT, "else": False}),
    ("contains", ir.Refine(ir.List(ANY), (ir.Assertion("contains", (S,), {"maxContains": 2}),)), {"type": "array", "contains": TEXT, "maxContains": 2}),
    ("dependent", ir.Refine(obj(), (ir.Assertion("dependentRequired", (), {"a": ["b"]}), ir.Assertion("dependentSchemas", (N,), ["b"]))), {**plain(ir.Graph(obj(), {})), "dependentRequired": {"a": ["b"]}, "dependentSchemas": {"b": {"type": "number"}}}),
    ("twice", ir.Refine(S, (ir.Assertion("not", (N,)), ir.Assertion("not", (NUL,)))), {"type": "string", "allOf": [{"not": {"type": "number"}}, {"not": {"type": "null"}}]}),
    ("met_by_the_base", ir.Refine(ir.Union((S, N)), (ir.Assertion("anyOf", (S, NUL)),)), {"anyOf": [TEXT, {"type": "number"}], "allOf": [{"anyOf": [TEXT, {"type": "null"}]}]}),
    ("unevaluated", ir.Refine(S, (ir.Assertion("unevaluatedItems", (NEVER, S)),)), {"type": "string", "allOf": [{"allOf": [TEXT], "unevaluatedItems": False}]}),
    ("only_required_in_an_assertion", ir.Refine(S, (ir.Assertion("not", (ir.Object((ir.Field("z", ANY, required=True),), ANY, open=True),)),)), {"type": "string", "not": {"type": "object", "required": ["z"]}}),
    ("bag", ir.Union((NUL, ir.Boolean(), N, ir.String(1), ir.List(S), ir.Object((), ANY, open=True)), implied=("string", "array")), {"minLength": 1, "items": TEXT}),
]  # fmt: skip


@pytest.mark.parametrize(("node", "document"), [c[1:] for c in PLAINLY], ids=[c[0] for c in PLAINLY])  # fmt: skip
def test_plain(node: ir.Node, document: Any) -> None:
    defs: dict[str, ir.Node] = {"A": S, "B": ir.List(ir.Ref("A")), "L": ir.List(ir.Ref("L"))}
    assert json.dumps(plain(ir.Graph(node, defs))) == json.dumps(document)


CLOSED = row(objects=Objects(extras="false", absent_means="closed", all_required=True))
KEYWORD = row(nullable=Nullable(spelling="keyword", accepts=frozenset({"keyword"})))
SUNK = row(unions=Unions(siblings="none"))
BY_ROW: list[tuple[str, Dialect, ir.Node, Any]] = [
    ("constant_as_enum", row(enums=Enums(const=False)), ir.Literal(("a",)), {"type": "string", "enum": ["a"]}),
    ("items_said", row(arrays=Arrays(items_required=True)), ir.List(ANY), {"type": "array", "items": {}}),
    ("no_booleans", row(keywords=Keywords(boolean_schemas=False)), ir.Tuple((S,), NEVER), {"type": "array", "prefixItems": [TEXT], "maxItems": 1}),
    ("no_booleans_and_fewer", row(keywords=Keywords(boolean_schemas=False)), ir.Tuple((S, S), NEVER, max_items=1), {"type": "array", "prefixItems": [TEXT, TEXT], "maxItems": 1}),
    ("no_booleans_in_lists", row(keywords=Keywords(boolean_schemas=False)), ir.List(NEVER), {"type": "array", "items": {"not": {}}}),
    ("extras_unsaid", row(objects=Objects(extras="unsaid")), obj(), {"type": "object", "properties": {"a": TEXT, "b": TEXT}, "required": ["a"]}),
    ("said_where_absent_is_closed", row(objects=Objects(absent_means="closed")), ir.Object((), ANY, open=True), {"type": "object", "additionalProperties": True}),
    ("empty_said", CLOSED, ir.Object((), NEVER), {"type": "object", "properties": {}, "required": [], "additionalProperties": False}),
    ("ordering", row(objects=Objects(ordering="propertyOrdering")), obj(), {"type": "object", "properties": {"a": TEXT, "b": TEXT}, "required": ["a"], "additionalProperties": False, "propertyOrdering": ["a", "b"]}),
    ("nullable", KEYWORD, ir.Union((S, NUL), ann=NAMED), {"type": "string", "description": "d", "nullable": True}),
    ("nullable_union", KEYWORD, ir.Union((S, N, NUL)), {"anyOf": [{"type": "string", "nullable": True}, {"type": "number"}]}),
    ("one_of_read_as_any_of", row(unions=Unions(one_of="as-any-of")), ir.Union((S, N), exclusive=True), {"anyOf": [TEXT, {"type": "number"}]}),
    ("text_sinks", SUNK, ir.Union((S, N), ann=NAMED), {"anyOf": [{"type": "string", "description": "d"}, {"type": "number"}]}),
    ("text_meets_text", SUNK, ir.Union((ir.String(ann={"title": "t", "description": "e"}), N), ann=NAMED), {"anyOf": [{"type": "string", "title": "t", "description": "d\ne"}, {"type": "number"}]}),
    ("unions_dissolve", SUNK, ir.Union((S, ir.Union((N, S, NUL)))), {"anyOf": [TEXT, {"type": "number"}, {"type": "null"}]}),
    ("no_sibling_of_a_reference", row(refs=Refs(siblings="none")), ir.List(ir.Ref("A", NAMED)), {"type": "array", "items": {"description": "d", "anyOf": [{"$ref": "#/$defs/A"}]}, "$defs": {"A": TEXT}}),
    ("assertion_beside_a_reference", row(refs=Refs(siblings="annotations")), ir.Refine(ir.Ref("A"), (ir.Assertion("not", (N,)),)), {"$ref": "#/$defs/A", "allOf": [{"not": {"type": "number"}}], "$defs": {"A": TEXT}}),
    ("no_root_reference", row(refs=Refs(root=False)), ir.Ref("L"), {"type": "array", "items": {"$ref": "#/$defs/L"}, "$defs": {"L": {"type": "array", "items": {"$ref": "#/$defs/L"}}}}),
    ("other_word", row(refs=Refs(keyword="definitions")), ir.List(ir.Ref("A")), {"type": "array", "items": {"$ref": "#/definitions/A"}, "definitions": {"A": TEXT}}),
]  # fmt: skip


@pytest.mark.parametrize(("dialect", "node", "document"), [c[1:] for c in BY_ROW], ids=[c[0] for c in BY_ROW])  # fmt: skip
def test_by_row(dialect: Dialect, node: ir.Node, document: Any) -> None:
    defs: dict[str, ir.Node] = {"A": S, "L": ir.List(ir.Ref("L"))}
    assert json.dumps(written(node, dialect, **defs)) == json.dumps(document)


def test_parts_of_a_typeless_schema_that_share_a_keyword() -> None:
    """Both kinds describe themselves, so one of them stands apart."""
    six = (NUL, ir.Boolean(), ir.Number(ann={"title": "n"}), ir.String(1, ann={"title": "s"}))
    bag = ir.Union((*six, ir.List(ANY), ir.Object((), ANY, open=True)), implied=("string",))
    assert written(bag) == {"title": "n", "allOf": [{"title": "s", "minLength": 1}]}
    more = ir.Union((NUL, ir.Boolean(), ir.Number(ann={"title": "n"}), ir.String(ann={"title": "s"}, patterns=("a", "b")), *bag.options[4:]), implied=("string",))  # fmt: skip
    assert written(more) == {"title": "n", "allOf": [{"title": "s", "pattern": "a", "allOf": [{"pattern": "b"}]}]}  # fmt: skip


def test_where_a_marked_node_was_written_first() -> None:
    inner, named = ir.String(ann=NAMED), ir.List(S)
    defs: dict[str, ir.Node] = {"A": named}
    node = ir.Object((ir.Field("x/y", inner, required=True), ir.Field("z", ir.Ref("A"))), inner)
    out = emit(ir.Graph(node, defs), PLAIN, {id(inner), id(named), id(S)})
    assert out.where == {
        id(inner): "/properties/x~1y",
        id(named): "/$defs/A",
        id(S): "/$defs/A/items",
    }
    sunk = ir.Union((inner, N), ann={"title": "t"})
    assert emit(ir.Graph(sunk, {}), SUNK, {id(inner)}).where[id(inner)] == ""


def test_how_much_was_written() -> None:
    node = ir.Object(
        (
            ir.Field("ab", ir.List(ir.Literal(("x", "yz")), max_items=3), required=True),
            ir.Field("c", ir.Union((S, N))),
            ir.Field("d", ir.Tuple((ir.Ref("Def"),), NEVER, max_items=1)),
        ),
        NEVER,
    )
    tally = emit(ir.Graph(node, {"Def": obj()}), PLAIN).tally
    assert (tally.properties, tally.optional, tally.unions) == (5, 3, 1)
    assert (tally.string_chars, tally.enum_values, tally.large_enums) == (12, 2, [(2, 3)])
    assert (tally.max_items, tally.deepest, tally.depth) == (4, 2, 0)


def test_assertions_that_need_a_place_of_their_own() -> None:
    words = ("not", "not", "if", "allOf", "unevaluatedItems")
    assert stacks(ir.Refine(S, tuple([ir.Assertion(w) for w in words]))) == {"not", "allOf", "unevaluatedItems"}  # fmt: skip


@given(st.data())
def test_what_is_written_means_the_source(data: st.DataObject) -> None:
    """Read, write plainly: both schemas take and refuse the same values."""
    source = data.draw(schemas(max_leaves=8))
    graph = read(source, ws.Options()).graph
    document = plain(graph)
    assert json.dumps(plain(graph)) == json.dumps(document)
    one, two = [jsonschema_rs.Draft202012Validator(d, validate_formats=True, offline=True) for d in (source, document)]  # fmt: skip
    try:
        value = data.draw(values(source))
    except (UnsatisfiedAssumption, ws.WireshapeError):
        value = {}
    for v in (value, data.draw(mutations(value)), data.draw(mutations(value))):
        assert one.is_valid(v) == two.is_valid(v), v
