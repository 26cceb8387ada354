"""What the options of a compilation change, and what a dialect can express."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

import wireshape as ws
from wireshape.read import read

INTEGER: Any = {"type": "integer"}
BOUNDED: Any = {"type": "object", "properties": {"v": {"type": "array", "items": INTEGER, "maxItems": 3}}, "required": ["v"], "additionalProperties": False}  # fmt: skip
OPEN: Any = {"type": "object", "properties": {"a": INTEGER}, "required": ["a"]}
TREE: Any = {"$ref": "#/$defs/T", "$defs": {"T": {"type": "object", "properties": {"t": {"$ref": "#/$defs/T"}}, "additionalProperties": False}}}  # fmt: skip


class Model(BaseModel):
    """A model."""

    a: int


def test_every_kind_of_source(tmp_path: Path) -> None:
    file = tmp_path / "schema.json"
    file.write_text(json.dumps(BOUNDED), encoding="utf-8")
    wires = [
        ws.compile(source, "openai-strict").schema
        for source in (BOUNDED, json.dumps(BOUNDED), file, read(BOUNDED, ws.Options()))
    ]
    assert wires == [wires[0]] * 4
    assert ws.compile(Model, "openai-strict").validate({"a": 1}) == Model(a=1)
    assert ws.compile(True, ws.dialect("openai-strict")).encode("x") == {"value": "x"}


def test_an_unknown_dialect() -> None:
    with pytest.raises(ws.DialectError) as caught:
        ws.compile({}, "made-up")
    assert caught.value.code == "WS701"


def test_loss_is_raised_when_it_is_loud() -> None:
    strict = ws.Options(on_loss="raise")
    with pytest.raises(ws.LossError) as caught:
        ws.compile(BOUNDED, "anthropic-strict", options=strict)
    error = caught.value
    assert (error.code, error.pointer) == ("WS201", "/properties/v")
    (note,) = ws.compile(BOUNDED, "anthropic-strict").report.notes
    assert error.note == note
    # A quiet narrowing and a loud limit lose nothing that is not expected.
    assert ws.compile(OPEN, "openai-strict", options=strict).report.narrowed
    fields = {"type": "object", "properties": {f"f{i}": INTEGER for i in range(30)}, "additionalProperties": False}  # fmt: skip
    assert ws.compile(fields, "anthropic-strict", options=strict).report.exact


def test_what_cannot_be_said_is_escaped_or_raised() -> None:
    raising = ws.Options(inexpressible="raise")
    with pytest.raises(ws.InexpressibleError) as caught:
        ws.compile(TREE, "anthropic-strict", options=raising)
    assert (caught.value.code, caught.value.pointer) == ("WS222", "/$defs/T")
    assert ws.compile(TREE, "openai-strict", options=raising).report.exact
    escaped = ws.compile(TREE, "anthropic-strict")
    assert [n.code for n in escaped.report.widened] == ["WS222"]


def test_descriptions_are_left_alone() -> None:
    told = ws.compile(BOUNDED, "anthropic-strict")
    bare = ws.compile(BOUNDED, "anthropic-strict", options=ws.Options(describe=False))
    assert told.schema["properties"]["v"]["description"] == "at most 3 items"
    assert "description" not in bare.schema["properties"]["v"]
    assert bare.report == told.report
    for schema in ({}, {"enum": [1, 2]}, TREE, {"not": INTEGER}):
        for dialect in ws.dialects():
            wire = ws.compile(schema, dialect, options=ws.Options(describe=False)).schema
            assert '"description"' not in json.dumps(wire)


@pytest.mark.parametrize(
    "dialect", [d for d in ws.dialects() if d != "lenient" and not ws.dialect(d).root.bare]
)
def test_the_description_of_the_root(dialect: str) -> None:
    schema = {**BOUNDED, "description": "old", "title": "T"}
    wire = ws.compile(schema, dialect, description="new", name="n")
    assert wire.schema["description"] == "new"
    assert wire.name == "n"
    assert ws.compile(schema, dialect).schema["description"] == "old"
    named = ws.compile({"$ref": "#/$defs/A", "$defs": {"A": BOUNDED}}, dialect, description="new")
    assert "new" in json.dumps(named.schema)
    assert schema["description"] == "old"


@pytest.mark.parametrize(
    ("schema", "dialect", "words"),
    [
        (BOUNDED, "anthropic-strict", []),
        (OPEN, "openai-strict", []),
        ({}, "openai-strict", []),
        (TREE, "openai-strict", []),
        (TREE, "anthropic-strict", ["/$defs/T: recursion through T is unrolled"]),
        ({"type": "object", "properties": {"a": {}}}, "anthropic-strict", ["/properties/a: any value is sent as JSON text"]),
        ({}, "anthropic-strict", ["/: any value is sent as JSON text"]),
    ],
)  # fmt: skip
def test_what_a_dialect_can_express(schema: Any, dialect: str, words: list[str]) -> None:
    reasons = ws.can_express(schema, dialect)
    assert len(reasons) == len(words)
    for reason, start in zip(reasons, words, strict=True):
        assert reason.startswith(start)


def test_what_a_dialect_can_express_under_options() -> None:
    for options, code in (
        (ws.Options(inexpressible="raise"), "WS222"),
        (ws.Options(on_loss="raise"), "WS222"),
    ):
        (reason,) = ws.can_express(TREE, "anthropic-strict", options=options)
        assert reason.startswith(f"{code} at /$defs/T")
    with pytest.raises(ws.SchemaError):
        ws.can_express(False, "openai-strict")


@pytest.mark.parametrize(
    ("draft", "uri"),
    [
        ("draft4", "http://json-schema.org/draft-04/schema#"),
        ("draft6", "http://json-schema.org/draft-06/schema#"),
        ("draft7", "http://json-schema.org/draft-07/schema#"),
        ("2019-09", "https://json-schema.org/draft/2019-09/schema"),
        ("2020-12", None),
    ],
)
def test_a_draft_that_only_the_options_tell_is_written_down(draft: str, uri: str | None) -> None:
    compiled = ws.compile(INTEGER, "lenient", options=ws.Options(draft=draft))
    assert compiled.schema == ({"$schema": uri, **INTEGER} if uri else INTEGER)
    own = {"$schema": uri or "https://json-schema.org/draft/2020-12/schema", **INTEGER}
    assert ws.compile(own, "lenient").schema == own
    assert ws.compile(True, "lenient", options=ws.Options(draft="draft6")).schema is True


def test_a_dialect_that_takes_all_reads_openapi_as_json_schema() -> None:
    nullable = {"type": "string", "nullable": True}
    compiled = ws.compile(nullable, "lenient", options=ws.Options(draft="openapi-3.0"))
    assert compiled.decode(compiled.encode(None)) is None
    assert compiled.schema == {"anyOf": [{"type": "string"}, {"type": "null"}]}


def test_notes_point_into_both_schemas() -> None:
    schema = {"type": "object", "properties": {"a/b": {"$ref": "#/$defs/P"}}, "required": ["a/b"], "additionalProperties": False, "$defs": {"P": BOUNDED}}  # fmt: skip
    (note,) = ws.compile(schema, "anthropic-strict").report.widened
    assert note.pointer == "/$defs/P/properties/v"
    at: Any = ws.compile(schema, "anthropic-strict").schema
    for key in note.wire_pointer.split("/")[1:]:
        at = at[key.replace("~1", "/")]
    assert at["description"] == "at most 3 items"


def test_a_definition_that_is_written_out_twice_is_noted_once() -> None:
    """Without definitions on the wire each use is written out, and a renamed key in it is lowered each time."""
    part = {"type": "object", "properties": {"n": {"type": "array", "prefixItems": [INTEGER], "items": {"$ref": "#/$defs/P"}}}, "additionalProperties": False}  # fmt: skip
    notes = ws.compile({"$ref": "#/$defs/P", "$defs": {"P": part}}, "anthropic-strict").report.notes
    told = [(n.code, n.keyword, n.pointer, n.message) for n in notes]
    assert "WS218" in [n.code for n in notes]
    assert len(told) == len(set(told))


PET = {"type": "object", "properties": {"name": {"type": "string"}}}
API = {"openapi": "3.1.0", "info": {"title": "Pets"}, "paths": {}}


@pytest.mark.parametrize(
    ("document", "named"),
    [
        ({**API, "components": {"schemas": {"Pet": PET, "a/b": PET}}}, ["Pet", "a~1b"]),
        ({"swagger": "2.0", "paths": {}, "definitions": {"Pet": PET}}, ["#/definitions/Pet"]),
        (API, ["$ref"]),
    ],
)
def test_a_whole_api_document_names_the_references_to_use(document: Any, named: list[str]) -> None:
    with pytest.raises(ws.SchemaError, match="whole OpenAPI document") as caught:
        ws.compile(document, "openai-strict")
    assert caught.value.code == "WS110"
    for name in named:
        assert name in str(caught.value)
    assert ws.compile(document, "lenient").schema == document


@pytest.mark.parametrize(
    "document",
    [
        {**API, "components": {"schemas": {"Pet": PET}}, "$ref": "#/components/schemas/Pet"},
        {**API, "type": "object"},
        {"openapi": "3.1.0"},
        {"openapi": {"type": "string"}, "paths": {}},
        {"components": {"schemas": {"Pet": PET}}},
    ],
)
def test_what_may_be_meant_as_a_schema_is_one(document: Any) -> None:
    ws.compile(document, "openai-strict")
