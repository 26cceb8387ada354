"""Suites of JSON and almost-JSON (`WIRESHAPE_CORPORA=DIR pytest -m corpus`): what is strict JSON, and what a tolerant peer reads.

`python tests/test_text_parsing.py DIR` prints the agreement with the cases of json_repair, by kind of difference.
"""

from __future__ import annotations

import base64
import gzip
import json
import os
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import wireshape as ws
from wireshape.reply import strict
from wireshape.walk import json_equal

DUPLICATE = "jsontestsuite/y_object_duplicated_key"
"""The one text that the suite accepts and we do not: picking one of two values would lose the other."""

REASONS = {
    "cut off": "the text stops inside a value; the peer closes it, we say that it is truncated and keep what was complete as `partial`",
    "end of a text": "where a text in quotes ends is a matter of opinion, and another reading is as good; the peer picks one",
    "several values": "more than one value, or lists beside objects; the peer joins, drops or picks, we ask for one",
    "same key twice": "the peer keeps one of the values",
    "no JSON": "nothing that begins like an object or array; the peer gives empty text, or takes tuples and bare lists of words",
    "comment": "a comment that has a quote or bracket in it may be a part of a text; the peer drops it",
    "beyond repair": "words, quotes or brackets where a key, a colon or a value is due; the peer drops or invents them",
    "not lossless": "the value is read, and the schema refuses it; the peer makes booleans of words and numbers, drops items, or fills in defaults",
    "text as it stands": "we keep a text whole: white space before its closing quote, a fence with JSON in it, a line break in a key",
    "no default": "the peer fills in a default of the schema; we never add what was not said",
    "option of the peer": "the peer refuses because of an option of its own",
}
"""Kinds of difference, and the argument for each."""
COUNTS = {
    "the same": 79,
    "both refuse": 26,
    "cut off": 51,
    "end of a text": 51,
    "text as it stands": 44,
    "beyond repair": 36,
    "no JSON": 19,
    "several values": 15,
    "not lossless": 14,
    "same key twice": 3,
    "option of the peer": 3,
    "comment": 2,
    "no default": 1,
}
"""Cases of each kind; `docs/replies.md` has this table."""


@cache
def records(folder: str) -> list[dict[str, Any]]:
    with gzip.open(Path(folder) / "text_parsing.dev.jsonl.gz", "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def text_of(record: dict[str, Any]) -> str | None:
    """The text of a case, `None` for bytes that are no text."""
    if "input_spec" in record:
        piece, times = record["input_spec"]
        return str(piece) * int(times)
    if "input" in record:
        return str(record["input"])
    try:
        return base64.b64decode(record["input_b64"]).decode()
    except UnicodeDecodeError:
        return None


def is_strict(text: str | None) -> bool:
    if text is None:
        return False
    try:
        strict.load(text)
    except strict.NotStrict:
        return False
    return True


@pytest.mark.corpus
def test_strict_json_is_what_the_suite_says() -> None:
    cases = [r for r in records(os.environ["WIRESHAPE_CORPORA"]) if r["source"] == "JSONTestSuite"]
    judged = [r for r in cases if r["expect"] in ("accept", "reject")]
    wrong = [r["id"] for r in judged if is_strict(text_of(r)) != (r["expect"] == "accept")]
    assert len(judged) > 150
    assert wrong == [DUPLICATE]


def wanted(record: dict[str, Any]) -> Any:
    """What the peer makes of a case, as a value."""
    options, value = record["options"], record["expected"]
    if options.get("logging") and isinstance(value, list) and len(value) == 2:
        value = value[0]
    if options.get("return_objects") or not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except ValueError:
        return value


def stripped(value: Any) -> Any:
    """A value without white space around its texts and keys, and with one value in parentheses for a list of it."""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, list):
        return [stripped(item) for item in value]
    if isinstance(value, dict):
        return {key.strip(): stripped(item) for key, item in value.items()}
    return value


def difference(record: dict[str, Any], done: ws.Outcome) -> str:
    """Name the kind of a case: the same, or why not."""
    if record["error"]:
        return "both refuse" if done.kind == "failed" else "option of the peer"
    value = wanted(record)
    if done.kind == "output":
        if json_equal(done.value, value):
            return "the same"
        if json_equal(stripped(done.value), stripped(value)):
            return "text as it stands"
        has_default = isinstance(value, dict) and isinstance(done.value, dict) and done.value.items() < value.items()  # fmt: skip
        return "no default" if has_default else "text as it stands"
    last = done.evidence[-1]
    if done.truncated:
        return "cut off"
    if last.code == "WS636":
        return "end of a text" if "may mean" in last.message else "several values"
    if last.code == "WS630":
        if "comment" in last.message:
            return "comment"
        return "several values" if "part of something larger" in last.message else "beyond repair"
    return {"WS631": "same key twice", "WS637": "no JSON", "WS601": "not lossless"}[last.code]


def compared(folder: str) -> dict[str, list[str]]:
    """The cases of the peer by kind."""
    kinds: dict[str, list[str]] = {}
    for record in records(folder):
        if record["source"] != "json_repair" or "schema_is" in record["options"]:
            continue
        try:
            compiled = ws.compile(record["options"].get("schema", True), "lenient")
        except ws.SchemaError:
            assert record["error"]
            kind = "both refuse"
        else:
            kind = difference(record, compiled.parse(record["input"]))
        kinds.setdefault(kind, []).append(record["id"])
    return kinds


@pytest.mark.corpus
def test_every_difference_from_a_tolerant_peer_is_argued() -> None:
    kinds = compared(os.environ["WIRESHAPE_CORPORA"])
    assert set(COUNTS) == {*REASONS, "the same", "both refuse"}
    assert {kind: len(ids) for kind, ids in kinds.items()} == COUNTS


def main(folder: str) -> None:
    kinds = compared(folder)
    total = sum(map(len, kinds.values()))
    agreed = len(kinds["the same"]) + len(kinds["both refuse"])
    lines = [f"{total} cases of json_repair, {agreed} read or refused alike ({agreed / total:.0%})"]
    for kind, ids in sorted(kinds.items(), key=lambda pair: -len(pair[1])):
        lines.append(f"{len(ids):4} {kind:18} {REASONS.get(kind, '')}")
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
