"""The JSON-Schema-Test-Suite as a ratchet: each case has a category on record; better passes, worse fails.

Needs the corpora (`WIRESHAPE_CORPORA=DIR pytest -m corpus tests/test_suite.py`). `python tests/test_suite.py DIR` writes the
record anew; read the diff before it is committed.
"""

from __future__ import annotations

import gzip
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

import wireshape as ws
from wireshape.testing import laws, same_json, wire_validator

BASELINE = Path(__file__).with_name("suite_baseline.json")
DIALECTS = ("lenient", "tools-lenient")
DRAFTS = ("draft4", "draft6", "draft7", "2019-09", "2020-12")
# From best to worst; a category of the record is the worst of its values.
RANK = ("pass", "narrowed", "refused", "lost", "wrong")


def load(directory: Path) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    with gzip.open(
        directory / "json_schema_test_suite.dev.jsonl.gz", "rt", encoding="utf-8"
    ) as file:
        everything = [json.loads(line) for line in file]
    records = [record for record in everything if draft(record) in DRAFTS]
    with gzip.open(directory / "jsts_remotes.json.gz", "rt", encoding="utf-8") as file:
        return records, json.load(file)


def draft(record: dict[str, Any]) -> str:
    name = str(record["draft"])
    return name.removeprefix("draft") if "20" in name else name


def options(record: dict[str, Any], remotes: dict[str, Any]) -> ws.Options:
    return ws.Options(
        draft=draft(record),
        registry=remotes,
        assert_formats=bool(record.get("format")),
        open_objects="keep",
        absent="box",
    )


def category(record: dict[str, Any], dialect: str, remotes: dict[str, Any]) -> str:
    """The worst that happens to a record."""
    try:
        compiled = ws.compile(record["schema"], dialect, options=options(record, remotes))
        found = [verdict(compiled, test) for test in record["tests"] if "check" not in test]
    except ws.SchemaError as error:
        nothing = error.code == "WS117" and not any([test["valid"] for test in record["tests"]])
        return "pass" if nothing else "refused"
    return max(found, key=RANK.index, default="pass")


def verdict(compiled: ws.Compiled, test: dict[str, Any]) -> str:
    value = test["data"]
    if laws.is_valid(compiled, value) is not test["valid"]:
        return "wrong"
    if not test["valid"]:
        return "pass"
    try:
        wire = compiled.encode(value)
    except ws.EncodeError as error:
        return "narrowed" if error.note in compiled.report.narrowed else "lost"
    return (
        "pass"
        if wire_validator(compiled).is_valid(wire) and same_json(compiled.decode(wire), value)
        else "lost"
    )


def categories(directory: Path) -> dict[str, dict[str, str]]:
    """What does not pass, by dialect and record."""
    records, remotes = load(directory)
    found = {d: {r["id"]: category(r, d, remotes) for r in records} for d in DIALECTS}
    return {d: {k: v for k, v in sorted(each.items()) if v != "pass"} for d, each in found.items()}


@pytest.mark.corpus
@pytest.mark.parametrize("dialect", DIALECTS)
def test_no_case_gets_worse(dialect: str) -> None:
    directory = Path(os.environ["WIRESHAPE_CORPORA"])
    recorded: dict[str, str] = json.loads(BASELINE.read_text("utf-8"))[dialect]
    records, remotes = load(directory)
    worse = []
    for record in records:
        before, now = recorded.get(record["id"], "pass"), category(record, dialect, remotes)
        if RANK.index(now) > RANK.index(before):
            worse.append(f"{record['id']} ({record.get('name')}): {before} -> {now}")
    assert not worse, "\n".join(worse)


if __name__ == "__main__":
    BASELINE.write_text(json.dumps(categories(Path(sys.argv[1])), indent=1) + "\n", "utf-8")
