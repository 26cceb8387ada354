"""The laws of ARCHITECTURE, one property each, for every dialect; a failure prints the schema and the value."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import assume, given, note, settings
from hypothesis import strategies as st
from hypothesis.errors import UnsatisfiedAssumption

import wireshape as ws
from wireshape.dialect_evidence import alias_of
from wireshape.testing import (
    Breach,
    broken_laws,
    json_values,
    laws,
    mutations,
    same_json,
    schemas,
    values,
    wire_validator,
    wire_values,
)
from wireshape.testing.verdicts import without_twins

MAJORS: list[str] = json.loads((Path(__file__).parents[1] / "golden" / "rows.json").read_text())[
    "every_case"
]
OTHERS = [name for name in ws.dialects() if name not in MAJORS and alias_of(name) is None]
GROUPS = {f"others-{i + 1}": OTHERS[i::3] for i in range(3)}
"""The major rows have a run of every property to themselves, the others share three, so that the time is bounded."""
OPTIONS = (
    ws.Options(),
    ws.Options(open_objects="keep", absent="box"),
    ws.Options(describe=False, unroll=1),
)

every_dialect = pytest.mark.parametrize("dialect", [*MAJORS, *GROUPS])
every_row = pytest.mark.parametrize("dialect", [*MAJORS, *OTHERS])


def one_of(dialect: str) -> st.SearchStrategy[str]:
    """The row of this name, or any row of the group."""
    return st.sampled_from(GROUPS.get(dialect, [dialect]))


@st.composite
def compilations(draw: Any, dialect: str, **options: Any) -> tuple[Any, ws.Compiled]:
    """A schema with its compilation; schemas that nothing satisfies are left out."""
    schema = draw(st.integers(2, 9).flatmap(lambda n: schemas(max_leaves=n, **options)))
    chosen = draw(st.sampled_from(OPTIONS))
    dialect = draw(one_of(dialect))
    try:
        compiled = ws.compile(schema, dialect, options=chosen)
    except ws.SchemaError as error:
        assert "no value" in str(error)
        assume(condition=False)
        raise
    note(f"wire {json.dumps(compiled.schema)}")
    note(f"dialect {dialect}, options {chosen}\n{compiled.report}")
    return schema, compiled


def some(data: st.DataObject, strategy: st.SearchStrategy[Any], count: int = 3) -> list[Any]:
    """Up to `count` values; none where the strategy finds none."""
    out: list[Any] = []
    for _ in range(count):
        try:
            out.append(data.draw(strategy))
        except UnsatisfiedAssumption:
            break
    return out


def none_of(breaches: list[Breach]) -> None:
    assert not breaches, "\n".join(map(str, breaches))


def is_grammar(compiled: ws.Compiled) -> bool:
    return not isinstance(compiled.schema, dict | bool)


@every_dialect
@given(st.data())
def test_law_1_accepted_and_law_10_tight(dialect: str, data: st.DataObject) -> None:
    schema, compiled = data.draw(compilations(dialect))
    none_of(laws.accepted(compiled))
    if not is_grammar(compiled):
        wire_validator(compiled)
        jsonschema.Draft202012Validator.check_schema(laws.recompilable(compiled))
    none_of(laws.tight(schema, compiled))


@every_dialect
@given(st.data())
def test_law_2_complete_and_law_9_tolerant(dialect: str, data: st.DataObject) -> None:
    _, compiled = data.draw(compilations(dialect))
    judge = wire_validator(compiled)
    for value in some(data, values(compiled)):
        none_of([b for b in laws.complete(compiled, judge, value) if b.law == 2])
        none_of(laws.tolerant(compiled, judge, value))


@every_dialect
@given(st.data())
def test_law_3_sound(dialect: str, data: st.DataObject) -> None:
    _, compiled = data.draw(compilations(dialect))
    judge = wire_validator(compiled)
    for wire in some(data, wire_values(compiled)):
        none_of([b for b in laws.sound(compiled, wire) if b.law == 3])
        near = data.draw(mutations(wire))
        if judge.is_valid(near):
            none_of([b for b in laws.sound(compiled, near) if b.law == 3])


@every_dialect
@given(st.data())
def test_law_3_what_encode_returns_is_wire_valid_whatever_it_is_given(
    dialect: str, data: st.DataObject
) -> None:
    _, compiled = data.draw(compilations(dialect))
    judge = wire_validator(compiled)
    for value in some(data, values(compiled), 1) + [data.draw(json_values())]:
        near = data.draw(mutations(value))
        try:
            wire = compiled.encode(near)
        except ws.EncodeError:
            continue
        assert judge.is_valid(wire), wire


@every_dialect
@given(st.data())
def test_law_4_gated(dialect: str, data: st.DataObject) -> None:
    """What is JSON is read at rung `strict`, without edits, just when it decodes to a value that the gate lets out."""
    _, compiled = data.draw(compilations(dialect))
    for wire in some(data, wire_values(compiled), 2):
        for given_ in (wire, data.draw(mutations(wire))):
            outcome = compiled.parse(json.dumps(given_))
            as_is = outcome.kind == "output" and outcome.rung == "strict" and not outcome.edits
            try:
                due = compiled.validate(compiled.decode(given_))
            except ws.WireshapeError:
                assert not as_is, given_
                assert outcome.kind != "output" or outcome.edits
            else:
                assert as_is, outcome
                assert same_json(outcome.value, due)
            if outcome.kind == "output":
                compiled.validate(outcome.value)


@every_dialect
@given(st.data())
def test_law_5_stable(dialect: str, data: st.DataObject) -> None:
    schema, compiled = data.draw(compilations(dialect))
    row, text = compiled.dialect, json.dumps(schema)
    again = ws.compile(json.loads(text), row, options=ws.Options())
    assert json.dumps(again.schema) == json.dumps(ws.compile(schema, row).schema)
    assert json.dumps(schema) == text, "the source was changed"
    for options in OPTIONS[:2]:
        none_of(laws.stable(ws.compile(schema, row, options=options), options))
    for wire in some(data, wire_values(compiled), 1):
        second = ws.compile(laws.recompilable(compiled), row)
        assert second.decode(wire) is wire


_SCRIPT = """
import json, sys, wireshape as ws
from wireshape.read import read
dialects, schemas = json.load(sys.stdin)
for schema in schemas:
    try:
        source = read(schema, ws.Options())
    except ws.WireshapeError as error:
        print(error)
        continue
    for dialect in dialects:
        try:
            print(ws.compile(source, dialect).to_json())
        except ws.WireshapeError as error:
            print(error)
"""


@settings(max_examples=3)
@given(st.lists(schemas(), min_size=8, max_size=8))
def test_law_5_the_same_bytes_in_every_process(sources: list[Any]) -> None:
    text = json.dumps([without_twins(ws.dialects()), sources])
    outputs = {_run(_SCRIPT, text, seed) for seed in ("0", "4242")}
    assert len(outputs) == 1


def _run(script: str, text: str, seed: str) -> str:
    env = {**os.environ, "PYTHONHASHSEED": seed}
    done = subprocess.run(
        [sys.executable, "-c", script],
        input=text,
        capture_output=True,
        text=True,
        check=True,
        env=env,
    )
    return done.stdout


PYTHON_VALUES = st.recursive(
    st.none()
    | st.floats()
    | st.integers()
    | st.text(st.characters())
    | st.binary(max_size=3)
    | st.sampled_from([object, 1j, ...]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=3) | st.integers(), inner, max_size=3)
        | st.tuples(inner)
    ),
    max_leaves=6,
)
KEYWORDS = st.sampled_from(
    "type properties items required enum const anyOf oneOf allOf not $ref $defs $id pattern minimum additionalProperties prefixItems "
    "if then format $schema multipleOf uniqueItems propertyNames patternProperties minItems dependentRequired unevaluatedProperties".split()
)
NEARLY_SCHEMAS = st.recursive(
    json_values(max_leaves=2)
    | st.sampled_from(
        ["object", "array", "string", "#", "#/properties/a", "#/$defs/N", ["object", "null"]]
    ),
    lambda inner: (
        st.dictionaries(KEYWORDS | st.just("a"), inner, max_size=4) | st.lists(inner, max_size=3)
    ),
    max_leaves=12,
)


def total(call: Any, *arguments: Any) -> Any:
    """Call; a typed error with a pointer is an answer, anything else propagates."""
    try:
        return call(*arguments)
    except ws.WireshapeError as error:
        assert isinstance(error.pointer, str)
        assert error.code
        assert isinstance(str(error), str)
        return None


@every_dialect
@given(st.data(), NEARLY_SCHEMAS, json_values(), PYTHON_VALUES)
def test_law_6_total_on_any_json_as_a_schema(
    dialect: str, data: st.DataObject, schema: Any, value: Any, odd: Any
) -> None:
    dialect = data.draw(one_of(dialect))
    if not isinstance(schema, dict | bool):
        schema = {"anyOf": schema}
    compiled = total(ws.compile, schema, dialect)
    total(ws.check, schema, dialect)
    for verb in ("encode", "decode", "validate") if compiled is not None else ():
        total(getattr(compiled, verb), value)
        total(getattr(compiled, verb), odd)


@every_dialect
@given(st.data())
def test_law_6_total_on_any_value(dialect: str, data: st.DataObject) -> None:
    _, compiled = data.draw(compilations(dialect))
    for value in [
        data.draw(PYTHON_VALUES),
        *[data.draw(mutations(v)) for v in some(data, wire_values(compiled), 2)],
    ]:
        for verb in ("encode", "decode", "validate"):
            total(getattr(compiled, verb), value)


def nested(depth: int, *, array: bool) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value] if array else {"a": value}
    return value


@pytest.mark.parametrize("dialect", MAJORS)
@pytest.mark.parametrize("array", [True, False], ids=["array", "object"])
@pytest.mark.parametrize("depth", [600, 30_000])
def test_law_6_depth_is_a_typed_error_or_an_answer(dialect: str, depth: int, array: bool) -> None:
    value = nested(depth, array=array)
    sources: list[Any] = [
        {},
        {
            "type": ["object", "array", "integer"],
            "items": {"$ref": "#"},
            "additionalProperties": {"$ref": "#"},
        },
    ]
    for schema in sources:
        compiled = ws.compile(schema, dialect)
        for verb in ("encode", "decode", "validate"):
            total(getattr(compiled, verb), value)
    total(ws.compile, {"const": value}, dialect)
    deep: Any = {"type": "integer"}
    for _ in range(depth):
        deep = (
            {"type": "array", "items": deep}
            if array
            else {"type": "object", "properties": {"a": deep}}
        )
    total(ws.compile, deep, dialect)
    if depth < 1000 or dialect == MAJORS[0]:  # the acceptor goes down in one way for every row
        total(ws.check, deep, dialect)


@given(st.data())
def test_law_7_identity(data: st.DataObject) -> None:
    draft = data.draw(st.sampled_from(["2020-12", "2019-09", "draft7", "draft6", "draft4"]))
    schema = data.draw(schemas(drafts=[draft]))
    try:
        compiled = ws.compile(schema, "lenient")
    except ws.SchemaError as error:
        assert "no value" in str(error)
        return
    assert same_json(compiled.schema, schema)
    assert not compiled.report.widened
    assert not compiled.report.narrowed
    value = data.draw(json_values())
    assert compiled.decode(value) is value
    for valid in some(data, values(compiled)):
        assert compiled.decode(valid) is valid
        assert same_json(compiled.encode(valid), valid)


@every_dialect
@given(st.data())
def test_law_8_honest(dialect: str, data: st.DataObject) -> None:
    schema, compiled = data.draw(compilations(dialect))
    row = compiled.dialect
    fewer = laws.without_one(schema)
    assume(fewer)
    less = data.draw(st.sampled_from(fewer))
    note(f"without one: {json.dumps(less)}")
    one, two = ws.compile(schema, row), total(ws.compile, less, row)
    assume(two is not None)
    found = some(data, values(two)) + some(data, values(one))
    none_of(laws.honest(one, two, found + [data.draw(mutations(value)) for value in found]))


# What a removed keyword looks like on the wire, put back as the source had it.
PLAIN = (
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "uniqueItems",
    "pattern",
    "format",
)


@every_row
@pytest.mark.parametrize("keyword", PLAIN)
def test_law_10_what_the_row_spells_is_on_the_wire(dialect: str, keyword: str) -> None:
    """For one keyword alone: it is removed only if `check` refuses the wire schema that has it."""
    base, operand = {
        "minLength": ("string", 2),
        "maxLength": ("string", 2),
        "pattern": ("string", "^[a-z]+$"),
        "format": ("string", "date"),
        "minItems": ("array", 1),
        "maxItems": ("array", 3),
        "uniqueItems": ("array", True),
    }.get(keyword, ("integer", 2))
    part = {
        "type": base,
        **({"items": {"type": "string", "enum": ["a", "b", "c"]}} if base == "array" else {}),
        keyword: operand,
    }
    compiled = ws.compile(
        {
            "type": "object",
            "properties": {"x": part},
            "required": ["x"],
            "additionalProperties": False,
        },
        dialect,
    )
    sent = compiled.schema["properties"]["x"]
    if any(
        [
            word in sent
            for word in (
                keyword,
                keyword.replace("exclusive", "").lower(),
                keyword.replace("exclusiveM", "m"),
            )
        ]
    ):
        return
    assert any([n.keyword == keyword and n.effect == "widened" for n in compiled.report.notes]), (
        "gone without a note"
    )
    again = json.loads(json.dumps(compiled.schema))
    again["properties"]["x"][keyword] = operand
    assert ws.check(again, dialect), f"check takes {keyword} and it was removed"


# Smallest schemas on which a law once broke: (name, dialect, schema, instances, wire values, everything kept).
PINNED: list[tuple[str, str, Any, list[Any], list[Any], bool]] = [
    ("text_beside_a_reference_to_a_condition", "bedrock-non-strict", {"$ref": "#/$defs/N", "description": "beside", "$defs": {"N": {"type": "object", "properties": {"a": {"type": "string"}, "id": {"type": "string"}}, "additionalProperties": {}, "if": {"properties": {"a": {"enum": ["a"]}}, "required": ["a"]}, "then": {"required": ["id"]}}}}, [{"a": "b"}, {"a": "a", "id": "x"}], [], False),
    ("definition_that_needs_itself_closed", "openai-strict", {"type": "object", "properties": {"c": {"$ref": "#/$defs/N"}}, "$defs": {"N": {"type": "object", "properties": {"c": {"$ref": "#/$defs/N", "additionalProperties": False}}, "required": ["c"]}}}, [{}], [], False),
    ("optional_null_in_a_tagged_arm", "openai-strict", {"type": "object", "properties": {"a": {"anyOf": [{"enum": [{"a": 1}, None]}, {"type": "string", "pattern": "a"}]}}, "additionalProperties": False}, [{"a": None}, {"a": "a"}, {}], [], False),
    ("names_of_a_closed_object", "openai-strict", {"type": "object", "additionalProperties": False, "propertyNames": {"maxLength": 6}}, [{}], [], False),
    ("names_beside_fields", "gemini-openapi", {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "propertyNames": {"pattern": "^a"}}, [{"a": "x"}], [], False),
    ("names_that_are_ignored", "gemini-json-schema", {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": False, "propertyNames": {"maxLength": 6}}, [{"a": "x"}], [], False),
    ("names_forbid_an_optional_field", "openai-strict", {"type": "object", "properties": {"a": {"type": "string"}}, "propertyNames": {"enum": ["z"]}}, [{"z": 1}], [{"a": "x", "z": None}], False),
    ("false_before_a_position", "openai-strict", {"type": "array", "prefixItems": [False, {"type": "string"}], "items": False}, [[]], [], False),
    ("false_after_a_position", "gemini-openapi", {"type": "array", "prefixItems": [{"type": "string"}, False], "items": False}, [[], ["a"]], [], False),
    ("renamed_key_meets_an_undeclared_one", "anthropic-non-strict", {"type": "object", "properties": {"": {"type": "boolean"}}, "required": [""], "additionalProperties": True}, [{"": True, "key": 1}], [{"key": False, "": "x"}], False),
    ("renamed_key_meets_a_typed_undeclared_one", "gemini-json-schema", {"type": "object", "properties": {"": {"type": "boolean"}}, "required": [""], "additionalProperties": {"type": "integer"}}, [{"": True, "key": 1}], [], False),
    ("renamed_key_meets_a_pair", "gemini-openapi", {"type": "object", "properties": {"": True}, "required": [""], "additionalProperties": True}, [{"": -5, "key": None}], [], False),
    ("arm_that_is_widened_to_everything", "deepinfra", {"anyOf": [{"oneOf": [{}, {"type": "string"}, {"type": "string"}]}, {"type": "string"}]}, [1, "a"], [], False),
    ("text_on_any", "openai-strict", {"type": "object", "properties": {"a": {"description": "x"}}, "required": ["a"], "additionalProperties": False}, [{"a": 1}], [], False),
    ("anchored_pattern_again", "xai-strict", {"type": "object", "properties": {"a": {"type": "string", "pattern": "^a"}}, "additionalProperties": False}, [{"a": "ab"}], [], False),
    ("one_of_with_an_any_arm", "gemini-json-schema", {"type": "object", "properties": {"a": {"oneOf": [True, {"type": "boolean", "title": "t"}]}}, "additionalProperties": False}, [{"a": 1}], [], False),
    ("typeless_arm_beside_a_map", "openai-strict", {"type": "object", "properties": {"k": {"anyOf": [{"properties": {"a": {"type": "string"}}, "required": ["a"]}, {"type": "object", "additionalProperties": True}]}}, "required": ["k"], "additionalProperties": False}, [{"k": []}, {"k": {}}, {"k": {"a": "x"}}], [], False),
    ("rule_that_can_hold_nothing", "xai-strict", {"type": "object", "additionalProperties": False, "patternProperties": {"a": False, "b": {"type": "integer"}}}, [{"b": 1}], [{"value": [{"key": "", "value": 1}]}], False),
    ("old_tuple_sent_as_it_is", "lenient", {"$schema": "http://json-schema.org/draft-07/schema#", "items": [{"type": "string"}]}, [["a"]], [], False),
    ("old_bound_sent_as_it_is", "lenient", {"$schema": "http://json-schema.org/draft-04/schema#", "minimum": 1, "exclusiveMinimum": True}, [2], [], False),
    ("old_closed_tuple", "tools-lenient", {"$schema": "http://json-schema.org/draft-04/schema#", "items": [{}], "additionalItems": False}, [[1]], [], False),
    ("one_of_with_a_sibling_bound", "openai-non-strict", {"oneOf": [{"type": "string"}, {"type": "array"}, {"anyOf": [{"type": "object", "properties": {"t": {"const": 1}}, "required": ["t"]}, {"type": "object", "properties": {"t": {"const": 2}}, "required": ["t"]}]}], "maxLength": 3}, ["a", {"t": 1}], [], True),
    ("names_refuse_an_optional_field", "openai-strict", {"type": "object", "properties": {"a": {"type": "string"}, "0": {"type": "string"}}, "additionalProperties": False, "propertyNames": {"pattern": "^[a-z$_]"}}, [{}, {"a": "x"}], [], False),
    ("false_position_in_a_tuple", "xai-strict", {"type": "array", "prefixItems": [False, {"type": "string"}], "items": False}, [[]], [], False),
    ("dependent_schema_under_a_reference", "anthropic-non-strict", {"$ref": "#/$defs/N", "$defs": {"N": {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}, "dependentSchemas": {"a": {"required": ["b"]}}, "unevaluatedProperties": False}}}, [{}, {"a": "x", "b": "y"}], [], False),
    ("typeless_map_given_a_list", "openai-strict", {"additionalProperties": True}, [[], [{"key": "a", "value": 1}]], [], False),
    ("typeless_tuple_given_an_object", "openai-strict", {"prefixItems": [{"type": "string"}]}, [{"0": "a", "rest": []}], [], False),
    ("only_a_forbidden_key", "openai-strict", {"type": "object", "properties": {"k": {"type": "object", "properties": {"a": False}}}}, [{"k": {"b": 1}}, {}], [{"k": [{"key": "a", "value": "x"}]}], False),
    ("names_allow_a_renamed_key", "anthropic-non-strict", {"type": "object", "properties": {"a b": {"type": "string"}}, "required": ["a b"], "propertyNames": {"pattern": "^a b"}}, [{"a b": "x"}, {"a b": "x", "a bc": 1}], [{"a_b": "x", "a bc": 1}], False),
    ("names_list_a_renamed_key", "anthropic-non-strict", {"type": "object", "properties": {"a b": {"type": "string"}}, "propertyNames": {"enum": ["a b", "c"]}}, [{"a b": "x"}, {"c": 1}, {}], [{"a_b": "x", "c": 1}], False),
    ("names_through_a_reference", "xai-strict", {"type": "object", "additionalProperties": {"type": "integer"}, "propertyNames": {"$ref": "#/$defs/K"}, "$defs": {"K": {"pattern": "^a", "minLength": 2}}}, [{"ab": 1}, {}], [{"value": [{"key": "ab", "value": 1}]}, {"value": [{"key": "x", "value": 1}]}], False),
    ("names_are_strings_only", "openai-strict", {"type": "object", "properties": {"m": {"type": "object", "additionalProperties": {"type": "integer"}, "propertyNames": {"anyOf": [{"type": "integer"}, {"type": ["string", "null"], "maxLength": 2}]}}}}, [{"m": {"a": 1}}], [{"m": [{"key": "abc", "value": 1}]}], False),
    ("no_names_at_all", "openai-strict", {"type": "object", "properties": {"m": {"type": "object", "properties": {"a": {}}, "propertyNames": {"type": "integer"}}}}, [{"m": {}}, {}], [{"m": {}}, {"m": {"a": 1}}], False),
    ("names_refuse_a_key_required_in_an_arm", "xai-strict", {"type": "object", "properties": {"u": {"anyOf": [{"type": "string"}, {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}]}, "v": {"allOf": [{"$ref": "#/$defs/M"}, {"required": ["z"]}]}}, "propertyNames": {"maxLength": 1}, "$defs": {"M": {"type": "object", "propertyNames": {"not": {"const": "z"}}}}}, [{"u": "x"}], [{"u": "x", "v": {"z": 1}}], False),
    ("null_or_null", "gemini-openapi", {"type": "object", "properties": {"a": {"anyOf": [{"type": "null"}, {"type": "null"}]}}, "additionalProperties": False}, [{"a": None}, {}], [], False),
    ("root_that_only_refers_on", "anthropic-strict", {"$ref": "#/$defs/B", "$defs": {"A": {"type": "object", "properties": {"n": {"$ref": "#/$defs/A"}}, "additionalProperties": False}, "B": {"oneOf": [False, {"$ref": "#/$defs/A"}], "description": "b"}}}, [{}, {"n": {}}], [], False),
    ("always_true_beside_a_reference", "anthropic-strict", {"$ref": "#/$defs/B", "$defs": {"A": {"type": "object", "properties": {"n": {"$ref": "#/$defs/A"}}, "additionalProperties": False}, "B": {"$ref": "#/$defs/A", "anyOf": [True, {"required": ["n"]}]}}}, [{}, {"n": {}}], [], False),
    ("any_inside_an_inner_union", "gemini-json-schema", {"anyOf": [{"type": "number"}, {"anyOf": [{"anyOf": [{"type": "string"}, {}], "description": "What it is."}, {"type": "string"}]}]}, [1, "a", None], [], False),
    ("text_told_beside_a_reference", "anthropic-strict", {"type": "object", "properties": {"k": {"$ref": "#/$defs/T", "unevaluatedProperties": False}}, "additionalProperties": False, "$defs": {"T": {"anyOf": [{"properties": {"a": {"$ref": "#/$defs/T"}}}, {"properties": {"b": {"type": "string"}}}]}}}, [{"k": {"b": "x"}}], [], False),
    ("arms_that_are_one_with_their_text", "gemini-openapi", {"anyOf": [{"anyOf": [{"type": "string"}, {"type": "string"}]}, {"type": "string", "description": "d"}], "description": "d"}, ["a"], [], False),
    ("unevaluated_beside_alternatives", "tools-lenient", {"type": "object", "properties": {"k": {"type": "object", "properties": {"a": {}}, "anyOf": [{"properties": {"b": {"type": "string"}}}, {"required": ["a"]}], "unevaluatedProperties": False}}}, [{"k": {"a": 1}}, {"k": {"b": "x"}}, {"k": {"c": 1}}], [], False),
    ("unevaluated_items_beside_one_of", "openai-non-strict", {"type": "array", "allOf": [{"prefixItems": [{"type": "string"}]}, {"oneOf": [{"prefixItems": [True, {"type": "integer"}]}, {"items": {"type": "string"}}]}], "unevaluatedItems": False}, [["a"], ["a", 1]], [], False),
    ("an_undeclared_key_named_like_the_extras", "openai-strict", {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": {}}, [{"extras": []}, {"extras": [{"key": "a", "value": 1}]}, {"a": "x", "extras": 1}], [], False),
    ("integers_as_they_are_written", "openai-strict", {"$schema": "http://json-schema.org/draft-04/schema#", "type": "object", "properties": {"n": {"type": "integer"}, "m": {"type": "integer", "enum": [1.0, 2]}}}, [{"n": 1.0}, {"n": 1}, {"m": 1.0}, {"m": 2}], [{"n": 1.0, "m": None}, {"n": 1, "m": 1.0}], False),
    ("field_beside_a_pattern_that_is_text", "bedrock-nova", {"type": "object", "properties": {"xa": {"type": "object", "maxProperties": 0}}, "patternProperties": {"^x": {"$ref": "#"}}}, [{"xb": {"xb": {"xa": {}}, "xa": {}}, "xa": {}}, {"xb": {"xb": {"xb": {"xa": {}}, "xa": {}}, "xa": {}}, "xa": {}}], [], False),
    ("field_beside_a_pattern_that_refers_back", "tools-lenient", {"type": "object", "properties": {"xa": {"type": "object", "maxProperties": 0}}, "patternProperties": {"^x": {"$ref": "#"}}}, [{"xa": {}}, {"xb": {"xa": {}}}], [], False),
    ("positions_of_equal_constants", "gemini-openapi", {"type": "array", "prefixItems": [{"const": "a"}, {"enum": ["a", None], "default": None}], "items": False}, [["a", None]], [], False),
]  # fmt: skip


@pytest.mark.parametrize(
    ("dialect", "schema", "instances", "wires", "kept"),
    [case[1:] for case in PINNED],
    ids=[case[0] for case in PINNED],
)
def test_pinned(
    dialect: str, schema: Any, instances: list[Any], wires: list[Any], kept: bool
) -> None:
    options = OPTIONS[1] if kept else OPTIONS[0]
    none_of(broken_laws(schema, dialect, instances, options))
    compiled = ws.compile(schema, dialect, options=options)
    judge = wire_validator(compiled)
    for wire in wires:
        if judge.is_valid(wire):
            none_of(laws.sound(compiled, wire))


MAYBE = {"type": "string", "maxLength": 3}
LIST = {"type": "array", "items": {"$ref": "#/$defs/A"}, "minItems": 2}
HIDDEN: list[tuple[str, Any, Any]] = [
    ("in_an_arm_that_another_absorbs", {"oneOf": [True, MAYBE]}, {"oneOf": [True, {"type": "string"}]}),
    ("behind_a_reference_in_not", {"not": {"$ref": "#/$defs/A"}, "$defs": {"A": LIST}}, {"not": {"$ref": "#/$defs/A"}, "$defs": {"A": {**LIST, "minItems": 0}}}),
    ("behind_references_in_if", {"type": "string", "if": {"$ref": "#/$defs/A"}, "then": {"maxLength": 5}, "$defs": {"A": {"minLength": 2}}}, {"type": "string", "if": {"$ref": "#/$defs/A"}, "then": {"maxLength": 5}, "$defs": {"A": {}}}),
    ("under_overlapping_patterns", {"type": "object", "patternProperties": {"a": MAYBE, "b": {}}, "additionalProperties": False}, {"type": "object", "patternProperties": {"a": {"type": "string"}, "b": {}}, "additionalProperties": False}),
]  # fmt: skip


@pytest.mark.parametrize("dialect", MAJORS)
@pytest.mark.parametrize(("more", "less"), [h[1:] for h in HIDDEN], ids=[h[0] for h in HIDDEN])
def test_pinned_law_8(dialect: str, more: Any, less: Any) -> None:
    """An assertion that is not on the wire is told there, or in the report."""
    one, two = ws.compile(more, dialect), ws.compile(less, dialect)
    assert (one.schema, one.report.to_json()) != (two.schema, two.report.to_json())
