"""Schemas of one feature each, with valid and invalid instances: the laws hold for every row, with no exception list."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import wireshape as ws
from wireshape.read import Schema, read
from wireshape.testing import Verdicts, laws
from wireshape.testing.verdicts import without_twins

RECORDS = [
    json.loads(line)
    for line in (Path(__file__).parent / "data/features.jsonl").read_text("utf-8").splitlines()
]
"""`valid` and `invalid` are JSON texts, `malformed` are texts that are no JSON. `error` is the code of the SchemaError."""
KEEP = {"open_objects": "keep", "absent": "box"}
ROWS = without_twins(ws.dialects())
SHARES = 16
"""The records are dealt out to this many tests, so that workers share them evenly; a schema is read once for all rows."""
every_share = pytest.mark.parametrize("share", range(SHARES))


def options_of(record: dict[str, Any], **more: Any) -> ws.Options:
    return ws.Options(draft=record.get("draft"), **more)


def instances_of(record: dict[str, Any]) -> list[Any]:
    return [json.loads(text) for text in [*record["valid"], *record["invalid"]]]


def compilations(schema: Any, options: ws.Options) -> list[ws.Compiled | None]:
    """A schema for every row, `None` where it is refused; it is read once."""
    try:
        source = read(schema, options)
    except ws.SchemaError:
        return []
    return [compiled_for(source, dialect, options) for dialect in ROWS]


def compiled_for(source: Schema, dialect: str, options: ws.Options) -> ws.Compiled | None:
    try:
        return ws.compile(source, dialect, options=options)
    except ws.SchemaError:
        return None


def breaches(record: dict[str, Any], options: ws.Options) -> Iterator[str]:
    try:
        verdicts = Verdicts(record["schema"], instances_of(record), options)
    except ws.SchemaError as error:
        assert error.code == record.get("error"), (record["name"], str(error))
        return
    for dialect in ROWS:
        try:
            yield from [f"{record['name']} {dialect}: {b}" for b in verdicts.broken(dialect)]
        except ws.SchemaError as error:
            assert error.code == record.get("error"), (record["name"], dialect, str(error))


@every_share
@pytest.mark.parametrize("more", [{}, KEEP], ids=["default", "keep"])
def test_the_laws_hold(share: int, more: dict[str, Any]) -> None:
    broken: list[str] = []
    for record in RECORDS[share::SHARES]:
        broken += breaches(record, options_of(record, **more))
    assert not broken, "\n".join(broken)


@every_share
def test_no_assertion_is_lost_in_silence_or_without_need(share: int) -> None:
    broken: list[str] = []
    for record in RECORDS[share::SHARES]:
        options, instances = options_of(record), instances_of(record)
        whole = compilations(record["schema"], options)
        broken += [
            f"{record['name']}: {b}" for c in whole if c for b in laws.tight(record["schema"], c)
        ]
        for source in laws.without_one(record["schema"]) if any(whole) else ():
            for compiled, less in zip(whole, compilations(source, options), strict=False):
                broken += [
                    f"{record['name']} less {json.dumps(source)}: {breach}"
                    for breach in (
                        laws.honest(compiled, less, instances) if compiled and less else ()
                    )
                ]
    assert not broken, "\n".join(broken)


STRANGE: list[Any] = [
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


@every_share
def test_any_value_is_an_answer_or_a_typed_error(share: int) -> None:
    for record in RECORDS[share::SHARES]:
        for compiled in filter(None, compilations(record["schema"], options_of(record))):
            for value in STRANGE:
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
