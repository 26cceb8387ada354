"""JSON text is read as strictly by the fast way as by the slow one."""

from __future__ import annotations

import json

import pytest
from hypothesis import given

from wireshape.plain import MAX_DEPTH, is_shallow
from wireshape.plain_text import load, may_repeat
from wireshape.testing import json_values

LONG = json.dumps(
    [{"a:b": 'x":'}] * 30
)  # longer than what is read with a look at every pair at once


@given(json_values())
def test_a_text_is_read_as_what_it_was_written_from(value: object) -> None:
    for text in (json.dumps(value), json.dumps(value, indent=1), f" {json.dumps(value)}\n"):
        assert load(text) == value
        assert load(f"[{text}, {LONG}]") == [value, json.loads(LONG)]


@pytest.mark.parametrize("text", ['{"a": 1, "a": 1}', '{"a":1,"b":{"c":1,"c":2}}', '{"a" : 1, "\\u0061": 2}'])  # fmt: skip
def test_a_key_that_stands_twice_is_refused(text: str) -> None:
    for whole in (text, f"[{text}, {LONG}]", f"[{LONG}, {text}]"):
        with pytest.raises(ValueError, match="stands twice"):
            load(whole)


@pytest.mark.parametrize("text", ["", "{", "[1] 2", "NaN", "[Infinity]", "'a'", "{" * 50])
def test_what_is_no_json_is_refused(text: str) -> None:
    for whole in (text, f"[{LONG}, {text}]"):
        with pytest.raises(ValueError, match=r"\w"):
            load(whole)


def test_only_texts_that_may_repeat_are_read_twice() -> None:
    assert not may_repeat('{"a": "x:y"}', 1)
    assert not may_repeat('{"a" :\n1}', 1)
    assert may_repeat('{"a": 1, "a": 2}', 1)


def test_depth_is_told_of_any_value() -> None:
    def nested(depth: int) -> object:
        value: object = 1
        for level in range(depth):
            value = ([value], (value,), {"a": value})[level % 3]
        return value

    assert is_shallow(nested(MAX_DEPTH))
    assert not is_shallow(nested(MAX_DEPTH + 2))
    assert is_shallow(nested(20), 20)
    assert not is_shallow([[1] * 100_000] * 200)
    assert is_shallow([object(), print, pytest])
