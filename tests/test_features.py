"""Schemas of one feature each, with valid and invalid instances: the laws hold for every row, with no exception list."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import wireshape as ws
from wireshape.testing import broken_laws, laws

RECORDS = [
    json.loads(line)
    for line in (Path(__file__).parent / "data/features.jsonl").read_text("utf-8").splitlines()
]
"""`valid` and `invalid` are JSON texts, `malformed` are texts that are no JSON. `error` is the code of the SchemaError."""
KEEP = {"open_objects": "keep", "absent": "box"}


def options_of(record: dict[str, Any], **more: Any) -> ws.Options:
    return ws.Options(draft=record.get("draft"), **more)


def instances_of(record: dict[str, Any]) -> list[Any]:
    return [json.loads(text) for text in [*record["valid"], *record["invalid"]]]


@pytest.mark.parametrize("dialect", ws.dialects())
def test_the_laws_hold(dialect: str) -> None:
    broken: list[str] = []
    for record in RECORDS:
        for more in ({}, KEEP):
            options = options_of(record, **more)
            try:
                found = broken_laws(record["schema"], dialect, instances_of(record), options)
            except ws.SchemaError as error:
                assert error.code == record.get("error"), (record["name"], str(error))
                continue
            broken += [f"{record['name']} {more}: {breach}" for breach in found]
    assert not broken, "\n".join(broken)


@pytest.mark.parametrize("dialect", ws.dialects())
def test_no_assertion_is_lost_in_silence_or_without_need(dialect: str) -> None:
    broken: list[str] = []
    for record in RECORDS:
        if "error" in record:
            continue
        compiled = ws.compile(record["schema"], dialect, options=options_of(record))
        broken += [f"{record['name']}: {b}" for b in laws.tight(record["schema"], compiled)]
        for source in laws.without_one(record["schema"]):
            try:
                less = ws.compile(source, dialect, options=options_of(record))
            except ws.SchemaError:
                continue
            found = laws.honest(compiled, less, instances_of(record))
            broken += [f"{record['name']} less {json.dumps(source)}: {breach}" for breach in found]
    assert not broken, "\n".join(broken)


@pytest.mark.parametrize("dialect", ws.dialects())
def test_any_value_is_an_answer_or_a_typed_error(dialect: str) -> None:
    strange = [
        None,
        True,
        -0.0,
        10**400,
        "\ud800",
        "",
        [[[]]],
        {"": {}},
        {"v": {"v": None}},
        [{"key": 1}],
    ]
    for record in RECORDS:
        if "error" in record:
            continue
        compiled = ws.compile(record["schema"], dialect, options=options_of(record))
        for value in strange:
            for verb in (compiled.encode, compiled.decode, compiled.validate):
                try:
                    verb(value)
                except ws.WireshapeError as error:
                    assert error.code


def test_a_dialect_that_takes_all_changes_nothing() -> None:
    for record in RECORDS:
        if "error" in record:
            continue
        compiled = ws.compile(record["schema"], "lenient", options=options_of(record))
        respelled = str(record.get("draft")).startswith("openapi")  # it is no JSON Schema
        schema = compiled.schema if respelled else record["schema"]
        for value in instances_of(record):
            assert laws.identical(schema, compiled, value) == [], record["name"]


def test_the_gate_tells_valid_from_invalid() -> None:
    for record in RECORDS:
        if "error" in record and record["error"] != "WS117":
            continue
        try:
            compiled = ws.compile(record["schema"], "lenient", options=options_of(record))
        except ws.SchemaError:
            assert record["error"] == "WS117"
            continue
        for text in record["valid"]:
            assert laws.is_valid(compiled, json.loads(text)), (record["name"], text)
        for text in record["invalid"]:
            assert not laws.is_valid(compiled, json.loads(text)), (record["name"], text)
        for text in record.get("malformed", ()):
            with pytest.raises(ValueError):
                json.loads(text, parse_constant=int)
