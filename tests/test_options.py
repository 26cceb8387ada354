"""Options refuse what they cannot have, by name."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest
from referencing import Registry

import wireshape as ws


@pytest.mark.parametrize(
    ("name", "value", "choices"),
    [
        ("on_loss", "warn", "'report', 'raise'"),
        ("on_loss", None, "'report', 'raise'"),
        ("describe", 1, "True, False"),
        ("describe", "no", "True, False"),
        ("inexpressible", "drop", "'escape', 'raise'"),
        ("assert_formats", None, "True, False"),
        ("open_objects", ["keep"], "'close', 'keep'"),
        ("absent", "nul", "'null', 'box'"),
        ("unroll", 0, "an int, 1 or more"),
        ("unroll", -1, "an int, 1 or more"),
        ("unroll", True, "an int, 1 or more"),
        ("unroll", 2.0, "an int, 1 or more"),
        ("unroll", "3", "an int, 1 or more"),
        ("registry", [("urn:x", {})], "a dict from URI to document"),
    ],
)
def test_a_value_that_an_option_cannot_have(name: str, value: Any, choices: str) -> None:
    with pytest.raises(ws.SchemaError) as caught:
        ws.Options(**{name: value})
    assert caught.value.code == "WS121"
    assert name in str(caught.value)
    assert repr(value) in str(caught.value)
    assert choices in str(caught.value)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"on_loss": "raise", "inexpressible": "raise"},
        {"describe": False, "assert_formats": False},
        {"open_objects": "keep", "absent": "box", "unroll": 1},
        {"registry": {}},
        {"registry": Registry()},
    ],
)
def test_good_options_are_kept(options: Any) -> None:
    made = ws.Options(**options)
    assert {name: getattr(made, name) for name in options} == options


def test_an_unknown_draft_is_told_by_the_reader() -> None:
    with pytest.raises(ws.SchemaError) as caught:
        ws.compile({}, "lenient", options=ws.Options(draft="draft9"))
    assert caught.value.code == "WS115"


def test_a_huge_value_is_cut() -> None:
    with pytest.raises(ws.SchemaError) as caught:
        ws.Options(absent="x" * 10_000)  # type: ignore[arg-type]
    assert len(str(caught.value)) < 200


def test_every_option_is_checked() -> None:
    for f in fields(ws.Options):
        if f.name != "draft":
            with pytest.raises(ws.SchemaError, match=f.name):
                ws.Options(**{f.name: object()})
