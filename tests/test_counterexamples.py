"""Schemas and values that broke earlier designs: each value survives both directions, or the named note or error appears."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import wireshape as ws
from wireshape.testing import broken_laws, laws, same_json, wire_validator

MAJORS: list[str] = json.loads(
    (Path(__file__).parents[1] / "golden" / "rows.json").read_text("utf-8")
)["every_case"]

CASES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent / "data" / "counterexamples.json").read_text("utf-8")
)
KEEP = ws.Options(open_objects="keep", absent="box")

every_case = pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])


@every_case
def test_by_default(case: dict[str, Any]) -> None:
    compiled = ws.compile(case["schema"], case["dialect"])
    value = case["value"]
    assert same_json(compiled.validate(value), value)
    if "refused" in case:
        code, pointer = case["refused"]
        with pytest.raises(ws.EncodeError) as caught:
            compiled.encode(value)
        assert caught.value.note in compiled.report.narrowed
        assert (caught.value.note.code, caught.value.pointer) == (code, pointer)
        return
    wire = compiled.encode(value)
    assert wire_validator(compiled).is_valid(wire)
    absent = dict.fromkeys(case.get("absent", ()))
    assert same_json(compiled.decode(wire), {**value, **absent} if absent else value)
    assert bool(absent) <= any([n.code == "WS211" for n in compiled.report.notes])


@every_case
def test_with_everything_kept(case: dict[str, Any]) -> None:
    compiled = ws.compile(case["schema"], case["dialect"], options=KEEP)
    value = case["value"]
    if case.get("refused", [""])[0] == "WS216":
        with pytest.raises(ws.EncodeError) as caught:  # typed by its keywords whatever the options
            compiled.encode(value)
        assert caught.value.note is not None
        assert caught.value.note.code == "WS216"
        return
    assert same_json(compiled.decode(compiled.encode(value)), value)


@every_case
@pytest.mark.parametrize("options", [ws.Options(), KEEP], ids=["default", "keep"])
@pytest.mark.parametrize("dialect", MAJORS)
def test_no_law_breaks_in_any_dialect(
    case: dict[str, Any], options: ws.Options, dialect: str
) -> None:
    breaches = broken_laws(case["schema"], dialect, [case["value"]], options)
    assert not breaches, "\n".join(map(str, breaches))


WIRES = {
    "any_as_text_holds_a_number_in_quotes": {"a": '"1"'},
    "arms_that_differ_in_required_only": {"a": 1, "b": None},
    "short_tuple_with_nullable_tail": {"0": 1, "1": None},
    "closed_base_forbids_new_fields": {"a": 1},
    "required_field_that_can_hold_nothing": {"a": 1},
    "extras_beside_fields": {"a": 1, "extras": [{"key": "z", "value": 2}]},
}


@pytest.mark.parametrize("name", WIRES)
def test_wire_values(name: str) -> None:
    case = next(c for c in CASES if c["name"] == name)
    assert ws.compile(case["schema"], case["dialect"]).encode(case["value"]) == WIRES[name]


def by_name(name: str) -> ws.Compiled:
    case = next(c for c in CASES if c["name"] == name)
    return ws.compile(case["schema"], case["dialect"])


@pytest.mark.parametrize(
    ("name", "wire"),
    [
        ("short_tuple_with_nullable_tail", {"0": None, "1": 2}),
        ("extras_beside_fields", {"a": 1, "extras": [{"key": "a", "value": 2}]}),
        (
            "extras_beside_fields",
            {"a": 1, "extras": [{"key": "z", "value": 2}, {"key": "z", "value": 3}]},
        ),
        ("bounded_map", {"value": [{"key": "a", "value": 1}, {"key": "a", "value": 1}]}),
        ("pattern_rule_chosen_by_key", {"value": [{"key": "x1", "value": [1]}]}),
    ],
)
def test_slack_never_gives_a_valid_guess(name: str, wire: Any) -> None:
    compiled = by_name(name)
    try:
        value = compiled.decode(wire)
    except ws.DecodeError:
        return
    assert not laws.is_valid(compiled, value)


def test_no_field_that_can_hold_nothing_is_sent() -> None:
    assert list(by_name("closed_base_forbids_new_fields").schema["properties"]) == ["a"]


def test_thirty_optional_fields_fit_the_budget_and_survive() -> None:
    compiled = by_name("thirty_optional_fields")
    assert ws.check(compiled.schema, "anthropic-strict") == []
    assert compiled.report.exact
    for value in ({}, {"f3": 1}, {f"f{i}": i for i in range(30)}):
        assert compiled.decode(compiled.encode(value)) == value


def test_the_wire_of_a_product_stays_small() -> None:
    assert len(json.dumps(by_name("product_of_unions").schema)) < 20_000
