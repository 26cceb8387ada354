"""Real constrained-decoding engines judge what is compiled: what they let a model write decodes, what is encoded they take.

llguidance is a development dependency. Tests marked `engines` ask xgrammar, in the interpreter that the variable
WIRESHAPE_ENGINES_PYTHON names, and are not run without it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import wireshape as ws
from wireshape.testing import Engine, EngineError, trial
from wireshape.testing.engines import texts_of

RECORDS = [
    json.loads(line)
    for line in (Path(__file__).parent / "data/features.jsonl").read_text("utf-8").splitlines()
]
PYTHON = os.environ.get("WIRESHAPE_ENGINES_PYTHON")


@pytest.fixture(scope="module")
def llguidance() -> Iterator[Engine]:
    with Engine("llguidance") as engine:
        yield engine


def compiled_for(record: dict[str, Any], dialect: str) -> ws.Compiled:
    options = ws.Options(draft=record.get("draft"), open_objects="keep", absent="box")
    return ws.compile(record["schema"], dialect, options=options)


def instances_of(record: dict[str, Any]) -> list[Any]:
    return [json.loads(text) for text in [*record["valid"], *record["invalid"]]]


def judged(engine: Engine, dialect: str, samples: int) -> list[str]:
    """What the engine of a row has to say against the row, over all features."""
    found: list[str] = []
    for record in RECORDS:
        if "error" in record:
            continue
        compiled = compiled_for(record, dialect)
        for text in record["valid"]:
            compiled.encode(json.loads(text))
        result = trial(compiled, engine, instances_of(record), samples=samples, seed=1, own=True)
        found += [f"{record['name']}: {breach}" for breach in result.breaches]
        if "malformed" in record:
            answer = engine.ask(compiled.schema, record["malformed"])
            found += [
                f"{record['name']}: takes {text!r}, which is no JSON"
                for text, taken in zip(record["malformed"], answer.accepted, strict=True)
                if taken
            ]
    return found


def test_llguidance_judges_its_own_row(llguidance: Engine) -> None:
    assert judged(llguidance, "llguidance", samples=4) == []


@pytest.mark.engines
@pytest.mark.skipif(PYTHON is None, reason="WIRESHAPE_ENGINES_PYTHON names no interpreter")
def test_xgrammar_judges_its_own_row() -> None:
    with Engine("xgrammar", python=PYTHON, seconds=120) as engine:
        assert judged(engine, "xgrammar", samples=4) == []


@pytest.mark.parametrize("dialect", ws.dialects())
def test_what_the_engine_writes_decodes(llguidance: Engine, dialect: str) -> None:
    """The engine stands in for a provider that reads the wire schema as the row says."""
    found: list[str] = []
    samples = passed = 0
    for record in RECORDS[::4]:
        if "error" in record:
            continue
        result = trial(
            compiled_for(record, dialect), llguidance, instances_of(record), samples=4, seed=2
        )
        found += [f"{record['name']}: {breach}" for breach in result.breaches if breach.law != 2]
        samples, passed = samples + result.samples, passed + result.passed
    assert found == []
    assert samples > 100
    flat = ws.dialect(dialect).root.flat  # what holds objects is JSON text there
    assert passed > (0.5 if flat else 0.6) * samples


def test_a_wrong_codec_is_convicted(llguidance: Engine) -> None:
    """A row that claims more than its engine does is found out, in each of the three laws."""
    row = replace(ws.dialect("llguidance"), id="braggart")
    names = replace(row, objects=replace(row.objects, property_names="yes"))
    refused = trial(ws.compile({"type": "object", "propertyNames": {"maxLength": 2}, "additionalProperties": True}, names), llguidance, own=True)  # fmt: skip
    assert [b.law for b in refused.breaches] == [1]
    multiple = replace(row, numbers=replace(row.numbers, multiple_of="yes"))
    narrow = trial(ws.compile({"type": "number", "multipleOf": 0.25}, multiple), llguidance, [1.5], own=True)  # fmt: skip
    assert [b.law for b in narrow.breaches] == [2]
    exact = replace(row, strings=replace(row.strings, rough_formats=frozenset()))
    loose = trial(ws.compile({"type": "string", "format": "time"}, exact), llguidance, samples=60, own=True)  # fmt: skip
    assert {b.law for b in loose.breaches} == {3}


def test_invalid_values_that_the_engine_takes_need_a_note(llguidance: Engine) -> None:
    source = {"type": "array", "items": {"type": "integer"}, "uniqueItems": True}
    result = trial(ws.compile(source, "llguidance"), llguidance, [[1, 1], [1, 2]], own=True)
    assert result.breaches == []
    assert trial(ws.compile(True, "llguidance"), llguidance, [1], own=True).refused is None


def test_an_engine_says_what_it_takes() -> None:
    with Engine("llguidance") as engine:
        assert engine.version
        answer = engine.ask({"type": "integer", "minimum": 3}, ["2", "3", "x"], samples=5, seed=4)
        assert answer.accepted == (False, True, False)
        assert all(json.loads(text) >= 3 for text in answer.samples)
        again = engine.ask({"type": "integer", "minimum": 3}, samples=5, seed=4)
        assert again.samples == answer.samples
        assert engine.ask({"uniqueItems": True, "type": "array"}).refused
        assert engine.ask({"uniqueItems": True, "type": "array"}, lenient=True).refused is None
        endless = engine.ask({"type": "array", "minItems": 2000, "items": {"type": "string"}}, samples=1, steps=50)  # fmt: skip
        assert (endless.samples, endless.stuck) == ((), 1)


def test_an_engine_that_does_not_answer_is_ended_and_started_anew() -> None:
    with Engine("llguidance") as engine:
        engine.seconds = 0.001
        with pytest.raises(EngineError, match="no answer"):
            engine.ask({"type": "string"}, samples=400)
        engine.seconds = 20
        assert engine.ask({"type": "string"}, ['"a"']).accepted == (True,)


def test_an_engine_that_dies_is_told() -> None:
    with pytest.raises(EngineError, match="died: KeyError"):
        Engine("no-such-engine")


def test_texts_of_what_is_not_ascii() -> None:
    assert texts_of("☃") == ['"☃"', '"\\u2603"']
