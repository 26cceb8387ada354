"""Merging by true intersection: closedness, unions, literals, recursion, sharing and limits."""

from __future__ import annotations

import json
import time
from typing import Any

import jsonschema_rs
import pytest

from wireshape import ir
from wireshape.emit.json_schema import plain
from wireshape.errors import SchemaError
from wireshape.options import Options
from wireshape.read import read


def graph(source: Any) -> ir.Graph:
    return read(source, Options()).graph


def root(source: Any) -> ir.Node:
    return graph(source).root


def test_closed_base_forbids_new_fields() -> None:
    node = root(
        {
            "allOf": [
                {
                    "type": "object",
                    "properties": {"a": {"type": "integer"}},
                    "required": ["a"],
                    "additionalProperties": False,
                },
                {"properties": {"b": {"type": "integer"}}},
            ]
        }
    )
    assert type(node) is ir.Object
    assert type(node.extras) is ir.Never
    assert type(node.fields[1].node) is ir.Never
    assert not node.open


def test_required_new_field_of_a_closed_base_is_impossible() -> None:
    closed = {"type": "object", "properties": {"a": {}}, "additionalProperties": False}
    assert type(root({"allOf": [closed, {"required": ["b"]}]})) is ir.Never
    assert root(
        {"anyOf": [{"allOf": [closed, {"required": ["b"]}]}, {"type": "integer"}]}
    ) == ir.Number(integer=True)


def test_extras_meet_fields_of_the_other_side() -> None:
    node = root(
        {
            "type": "object",
            "additionalProperties": {"type": "integer"},
            "allOf": [{"properties": {"a": {"minimum": 3}}}],
        }
    )
    assert type(node) is ir.Object
    assert node.fields[0].node == ir.Number(integer=True, minimum=3)


def test_numbers_and_strings() -> None:
    assert root(
        {
            "allOf": [
                {"type": "number", "minimum": 1, "multipleOf": 4},
                {"type": "integer", "maximum": 9, "multipleOf": 6},
            ]
        }
    ) == ir.Number(True, 1, 9, multiple_of=12)
    odd = root({"allOf": [{"type": "number", "multipleOf": 0.5}, {"multipleOf": 3}]})
    assert type(odd) is ir.Refine
    assert odd.assertions[0].value == 3
    assert root(
        {
            "type": "string",
            "pattern": "a",
            "allOf": [{"pattern": "b", "maxLength": 4}, {"pattern": "a", "minLength": 2}],
        }
    ) == ir.String(2, 4, ("a", "b"))
    assert type(root({"type": "string", "minLength": 3, "allOf": [{"maxLength": 2}]})) is ir.Never
    assert type(root({"allOf": [{"type": "string"}, {"type": "number"}]})) is ir.Never


def test_arrays_positionwise() -> None:
    node = root(
        {
            "type": "array",
            "items": {"type": "integer"},
            "allOf": [{"prefixItems": [{"minimum": 1}]}],
        }
    )
    assert node == ir.Tuple((ir.Number(True, 1),), ir.Number(True))


def test_literals_are_filtered_exactly() -> None:
    assert root(
        {"enum": ["a", "bb", 3, None], "type": ["string", "null"], "minLength": 2}
    ) == ir.Literal(("bb", None))
    assert root({"enum": ["ax", "b"], "pattern": "^a"}) == ir.Literal(("ax",))
    assert root(
        {
            "enum": [{"a": 1}, {"a": "x"}, {}],
            "required": ["a"],
            "properties": {"a": {"type": "integer"}},
        }
    ) == ir.Literal(({"a": 1},))
    assert type(root({"const": 1, "enum": [2, True]})) is ir.Never
    kept = root({"const": {"a": 1}, "allOf": [{"not": {"required": ["b"]}}]})
    assert type(kept) is ir.Refine


def test_unions_distribute() -> None:
    node = root(
        {
            "type": "object",
            "properties": {"k": {"type": "string"}},
            "oneOf": [
                {"properties": {"k": {"const": "a"}, "x": {}}, "required": ["k"]},
                {"properties": {"k": {"const": "b"}}, "required": ["k"]},
            ],
        }
    )
    assert type(node) is ir.Union
    assert node.exclusive
    assert [type(o) for o in node.options] == [ir.Object, ir.Object]
    both = root(
        {
            "allOf": [
                {"anyOf": [{"type": "string"}, {"type": "integer"}]},
                {"anyOf": [{"type": "integer"}, {"type": "null"}]},
            ]
        }
    )
    assert both == ir.Number(integer=True)


def test_exclusive_times_inclusive_stays_exclusive() -> None:
    schema = {
        "oneOf": [
            {"type": "object", "properties": {"a": {"type": "integer"}}},
            {"type": "object", "required": ["b"]},
        ],
        "anyOf": [
            {"type": "object", "minProperties": 1},
            {"type": "object", "properties": {"c": {"type": "null"}}},
        ],
    }
    node = root(schema)
    assert type(node) is ir.Union
    assert node.exclusive
    assert [type(option) for option in node.options] == [ir.Union, ir.Union]
    same_verdicts(
        schema, [{}, {"a": 1}, {"b": 1}, {"a": "x", "b": 1}, {"a": "x"}, {"c": 1, "b": 1}, 3]
    )


def test_references_keep_their_names_beside_a_bare_type() -> None:
    defs = {
        "A": {"type": "object", "properties": {"k": {"const": "a"}}},
        "B": {"type": "object", "properties": {"k": {"const": "b"}}},
    }
    node = root(
        {"type": "object", "oneOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}], "$defs": defs}
    )
    assert node == ir.Union((ir.Ref("A"), ir.Ref("B")), exclusive=True)
    assert root({"type": "object", "$ref": "#/$defs/A", "$defs": defs}) == ir.Ref("A")


def test_recursive_conjunction_comes_back_to_its_name() -> None:
    made = graph(
        {
            "$ref": "#/$defs/N",
            "$defs": {
                "N": {
                    "allOf": [
                        {"$ref": "#/$defs/B"},
                        {"properties": {"kids": {"type": "array", "items": {"$ref": "#/$defs/N"}}}},
                    ]
                },
                "B": {
                    "type": "object",
                    "properties": {
                        "id": {"type": "integer"},
                        "kids": {"type": "array", "items": {"$ref": "#/$defs/B"}},
                    },
                    "required": ["id"],
                },
            },
        }
    )
    assert list(made.defs) == ["N"]
    node = made.defs["N"]
    assert type(node) is ir.Object
    assert node.fields[1].node == ir.List(ir.Ref("N"))


def test_patterns_under_a_closed_side() -> None:
    schema = {
        "allOf": [
            {"type": "object", "patternProperties": {"^x": {"type": "integer"}}},
            {"properties": {"xa": {}, "b": {}}, "additionalProperties": False},
        ]
    }
    same_verdicts(schema, [{"xa": 1}, {"xa": "s"}, {"b": "s"}, {"xb": 1}, {}])
    schema = {
        "allOf": [
            {"type": "object", "patternProperties": {"a": {"type": "integer"}}},
            {"patternProperties": {"b": {"minimum": 3}}, "additionalProperties": {"maximum": 9}},
        ]
    }
    same_verdicts(schema, [{"a": 1}, {"a": 10}, {"ab": 10}, {"ab": 1}, {"b": 12}, {"c": 10}])


def test_shared_children_are_named_once() -> None:
    deep = {
        "type": "object",
        "properties": {
            c: {"type": "object", "properties": {d: {"type": "string"} for d in "uvwxyz"}}
            for c in "abc"
        },
    }
    made = graph(
        {
            "type": "object",
            "properties": {"big": deep},
            "anyOf": [{"properties": {f"k{i}": {"type": "null"}}} for i in range(20)],
        }
    )
    assert list(made.defs) == ["big"]
    assert len(json.dumps(plain(made))) < 6_000


def same_verdicts(schema: dict[str, Any], values: list[Any]) -> None:
    source, target = (jsonschema_rs.Draft202012Validator(s) for s in (schema, plain(graph(schema))))
    for value in values:
        assert source.is_valid(value) == target.is_valid(value), value


def nested(keyword: str, depth: int, *others: Any) -> Any:
    schema: Any = {"type": "string"}
    for _ in range(depth):
        schema = {keyword: [schema, *others] if keyword.endswith("Of") else schema}
    return schema


@pytest.mark.parametrize(
    "keyword", ["items", "not", "additionalProperties", "if", "propertyNames", "contains"]
)
def test_depth(keyword: str) -> None:
    read(nested(keyword, 158), Options())
    with pytest.raises(SchemaError) as caught:
        read(nested(keyword, 2_000), Options())
    assert caught.value.code == "WS114"


@pytest.mark.parametrize("keyword", ["allOf", "anyOf", "oneOf"])
def test_depth_of_combinators(keyword: str) -> None:
    for others in ((), ({"type": ["string", "null"]},), ({"properties": {"a": {}}},)):
        read(nested(keyword, 78, *others), Options())


def chain(count: int, link: Any, last: Any = None) -> dict[str, Any]:
    defs = {f"d{i}": link(i, {"$ref": f"#/$defs/d{i + 1}"}) for i in range(count)}
    return {"$ref": "#/$defs/d0", "$defs": {**defs, f"d{count}": last or {"type": "object"}}}


HOSTILE: dict[str, Any] = {
    "many properties": lambda: {"type": "object", "properties": {f"p{i}": {"type": "string"} for i in range(100_000)}},
    "many merged properties": lambda: {"allOf": [{"type": "object", "properties": {f"p{i}": {k: 1} for i in range(4_000)}} for k in ("minimum", "maximum")]},
    "long chain": lambda: chain(10_000, lambda _i, ref: ref),
    "long chain with texts": lambda: chain(10_000, lambda i, ref: {**ref, "description": str(i)}),
    "long chain of properties": lambda: chain(5_000, lambda _i, ref: {"properties": {"a": ref}}),
    "long chain of merges": lambda: chain(2_000, lambda _i, ref: {"properties": {"a": {"allOf": [ref, {"minProperties": 1}]}}}),
    "long chain of unions": lambda: chain(1_000, lambda _i, ref: {"properties": {"a": {"minProperties": 1, "oneOf": [ref, {"type": "object", "allOf": [ref]}]}}}),
    "diamonds": lambda: chain(34, lambda _i, ref: {"properties": {"l": ref, "r": ref}}),
    "allOf diamonds": lambda: chain(34, lambda _i, ref: {"allOf": [{"properties": {"l": ref}}, {"properties": {"l": ref, "r": ref}}]}),
    "union diamonds": lambda: chain(18, lambda _i, ref: {"anyOf": [{**ref, "minProperties": 1}, {**ref, "maxProperties": 2}]}),
    "assertion-only arms": lambda: {"type": "object", "allOf": [{"anyOf": [{"required": [f"{c}{i}"]} for c in "abc"]} for i in range(8)]},
    "products": lambda: {"type": "object", "allOf": [{"oneOf": [{"properties": {f"{c}{i}": {"type": "string"}}, "required": [f"{c}{i}"]} for c in "abc"]} for i in range(8)]},
    "recursive products": lambda: {"allOf": [{"$ref": f"#/$defs/u{i}"} for i in range(20)], "$defs": {f"u{i}": {"oneOf": [{"type": "object", "properties": {"n": {"$ref": "#"}, f"k{i}": {"const": j}}} for j in range(2)]} for i in range(20)}},
    "one base, many subtypes": lambda: {"anyOf": [{"allOf": [{"$ref": "#/$defs/B"}, {"properties": {f"x{i}": {}}}]} for i in range(200)], "$defs": {"B": {"type": "object", "properties": {f"b{j}": {"type": "string"} for j in range(200)}}}},
    "automata": lambda: {"allOf": [{"$ref": f"#/$defs/m{n}_0"} for n in (2, 3, 5, 7, 11)], "$defs": {f"m{n}_{i}": {"properties": {"next": {"$ref": f"#/$defs/m{n}_{(i + 1) % n}"}}} for n in (2, 3, 5, 7, 11) for i in range(n)}},
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_inputs_are_bounded(name: str) -> None:
    source = HOSTILE[name]()
    size = len(json.dumps(source))
    start = time.perf_counter()
    made = graph(source)
    assert time.perf_counter() - start < 20
    assert len(json.dumps(plain(made))) < 40 * size + 20_000


def test_too_long_a_spine_is_an_error() -> None:
    with pytest.raises(SchemaError) as caught:
        graph(chain(10_000, lambda i, ref: {"allOf": [ref, {"properties": {f"a{i}": {}}}]}))
    assert caught.value.code == "WS114"


def test_python_cycles_and_shared_parts_are_errors() -> None:
    cyclic: dict[str, Any] = {}
    cyclic["properties"] = {"a": cyclic}
    shared: dict[str, Any] = {"type": "string"}
    for _ in range(40):
        shared = {"properties": {"l": shared, "r": shared}}
    for source in (cyclic, shared):
        with pytest.raises(SchemaError) as caught:
            graph(source)
        assert caught.value.code == "WS114"


def test_union_of_references_that_comes_back_to_itself() -> None:
    schema = {
        "$ref": "#/$defs/A",
        "$defs": {
            "A": {
                "type": "object",
                "properties": {
                    "k": {"minProperties": 1, "anyOf": [{"$ref": "#/$defs/A"}, {"type": "null"}]}
                },
            }
        },
    }
    made = graph(schema)
    assert list(made.defs) == ["A", "k"]
    same_verdicts(
        schema, [{}, {"k": {}}, {"k": {"k": None}}, {"k": {"k": {}}}, {"k": None}, {"k": 1}]
    )


def test_static_items() -> None:
    schema: dict[str, Any] = {
        "type": "array",
        "allOf": [{"prefixItems": [{"type": "string"}]}],
        "unevaluatedItems": False,
    }
    node = root(schema)
    assert type(node) is ir.Tuple
    same_verdicts(schema, [[], ["a"], [1], ["a", 1]])
    open_ended = {**schema, "allOf": [{"items": {"type": "string"}}]}
    same_verdicts(open_ended, [[], ["a", "b"], [1]])


def test_what_evaluates_stays_visible() -> None:
    schema: dict[str, Any] = {
        "$ref": "#/$defs/B",
        "properties": {"p": {"type": "null"}},
        "unevaluatedProperties": {"type": "integer"},
        "$defs": {
            "B": {"anyOf": [{"properties": {"a": {}}, "required": ["r"]}, {"required": ["a"]}]}
        },
    }
    same_verdicts(
        schema,
        [{"a": "x"}, {"a": "x", "r": 1}, {"a": "x", "r": "y"}, {"a": 1}, {"p": None, "a": 2}],
    )


def test_formats_of_listed_values_are_decided() -> None:
    assert root({"enum": ["2020-01-01", "x"], "format": "date"}) == ir.Literal(("2020-01-01",))


def test_too_many_products_stay_assertions() -> None:
    arms = [{"properties": {f"a{i}": {"type": "string"}}} for i in range(9)]
    node = root({"type": "object", "allOf": [{"anyOf": arms}, {"anyOf": arms[::-1]}]})
    assert type(node) is ir.Refine
    assert node.assertions[0].keyword == "anyOf"


def test_a_required_key_that_the_names_refuse_leaves_nothing() -> None:
    refused = {"required": ["ab"], "propertyNames": {"pattern": "^z"}}
    assert root({"type": "object", **refused}) == ir.Never(
        "required property 'ab' is refused by `propertyNames`"
    )
    apart = {"type": "object", "allOf": [{"required": ["ab"]}, {"propertyNames": {"maxLength": 1}}]}
    assert type(root(apart)) is ir.Never
    assert (
        type(root({"type": "object", "propertyNames": {"enum": ["a"]}, "minProperties": 2}))
        is ir.Never
    )
    within = {
        "type": "object",
        "properties": {"k": {"anyOf": [{"type": "string"}, {"type": "object", **refused}]}},
    }
    assert root(within) == root({"type": "object", "properties": {"k": {"type": "string"}}})
    through = {**refused, "type": "object", "propertyNames": {"$ref": "#/$defs/K"}}
    assert (
        type(
            root(
                {**through, "$defs": {"K": {"anyOf": [{"const": "a"}, {"not": {"minLength": 1}}]}}}
            )
        )
        is ir.Never
    )
    assert type(root({**through, "$defs": {"K": {"minLength": 2}}})) is ir.Object


def test_an_optional_key_that_the_names_refuse_is_left_out() -> None:
    node = root(
        {
            "type": "object",
            "properties": {"a": {}, "b": {}},
            "propertyNames": {"not": {"const": "b"}},
        }
    )
    assert type(node) is ir.Object
    assert [f.key for f in node.fields] == ["a"]


@pytest.mark.parametrize(
    ("rule", "names"),
    [
        ({"pattern": "^a"}, ir.String(patterns=("^a",))),
        ({"pattern": "^a", "minimum": 3}, ir.String(patterns=("^a",))),
        ({"type": "string"}, None),
        ({"description": "any key"}, None),
        ({"type": ["string", "integer"], "maxLength": 3}, ir.String(max_length=3)),
        ({"enum": ["a", 1, None]}, ir.Literal(("a",))),
        ({"anyOf": [{"type": "null"}, {"minimum": 3}]}, None),
        ({"oneOf": [{"const": "a"}, {"minimum": 3}]}, ir.Union((ir.Literal(("a",)), ir.String()), exclusive=True)),
        ({"allOf": [{"minLength": 1}, {"maxLength": 3}]}, ir.String(1, 3)),
        ({"not": {"const": "a"}}, ir.Refine(ir.Any(), (ir.Assertion("not", (ir.Literal(("a",)),)),))),
    ],
)  # fmt: skip
def test_names_are_about_strings(rule: dict[str, Any], names: ir.Node | None) -> None:
    source = {"type": "object", "propertyNames": rule}
    node = root(source)
    assert type(node) is ir.Object
    assert node.names == names
    same_verdicts(source, [{}, {"a": 1}, {"b": 1}, {"abcd": 1}, {"": 1}, {"z": 1, "a": 2}])


def test_names_that_are_no_strings_leave_no_key() -> None:
    for rule in ({"type": "integer"}, {"enum": [1]}, False, {"type": "array"}):
        source = {"type": "object", "properties": {"a": {}}, "propertyNames": rule}
        node = root(source)
        assert type(node) is ir.Object
        assert not node.fields
        assert type(node.extras) is ir.Never
        same_verdicts(source, [{}, {"a": 1}, {"b": 1}])


@pytest.mark.parametrize(
    ("rule", "kept"),
    [
        ({"not": {"const": "a"}}, "b cc"),
        ({"allOf": [{"pattern": "c"}, {"not": {"type": "integer"}}]}, "cc"),
        ({"if": {"minLength": 2}, "then": {"const": "dd"}, "else": {"pattern": "b"}}, "b"),
        ({"if": {"const": "a"}, "else": False}, "a"),
        ({"oneOf": [{"minLength": 1}, {"const": "a"}]}, "b cc"),
        ({"dependentRequired": {"a": ["m"]}, "dependentSchemas": {"a": False}}, "a b cc"),
        ({"contains": {"const": 2}, "not": {"const": "a"}, "unevaluatedItems": False}, "b cc"),
    ],
)
def test_assertions_are_decided_for_keys(rule: dict[str, Any], kept: str) -> None:
    fields = {"a": True, "b": True, "cc": True}
    source = {"type": "object", "properties": fields, "propertyNames": rule}
    node = root(source)
    assert type(node) is ir.Object
    assert [f.key for f in node.fields] == kept.split()
    same_verdicts(source, [{}, {"a": 1}, {"b": 1}, {"cc": 1}, {"dd": 1}])


@pytest.mark.parametrize(
    ("rule", "kept"),
    [
        ({"dependentRequired": {"k": ["m"]}}, [{}, {"k": 1, "m": 1}, [1]]),
        ({"dependentSchemas": {"k": {"required": ["m"]}}}, [{}, {"k": 1, "m": 1}, [1]]),
        ({"anyOf": [{"required": ["k"]}, {"minProperties": 1}]}, [{"k": 1}, {"k": 1, "m": 1}, [1]]),
        ({"not": {"required": ["m"]}}, [{}, {"k": 1}]),
    ],
)
def test_assertions_are_decided_for_listed_values(rule: dict[str, Any], kept: list[Any]) -> None:
    listed = [[{}], [{"k": 1}], [{"k": 1, "m": 1}], [[1]]]
    source = {"enum": listed, "items": rule}
    assert root(source) == ir.Literal(tuple([[v] for v in kept]))
    same_verdicts(source, [*listed, []])
    for undecided in (
        {"contains": {"const": 1}},
        {"multipleOf": 0.1},
        {"unevaluatedProperties": False},
    ):
        same_verdicts(
            {"enum": [[[1]], [[2]], [0.5], [{"a": 1}]], "items": undecided},
            [[[1]], [[2]], [0.5], [{"a": 1}]],
        )
