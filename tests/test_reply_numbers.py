"""Numbers of a reply: exact where they can be, told where a float rounds them, and never changed without a word."""

from __future__ import annotations

import json
import math
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

import wireshape as ws

ANY = ws.compile({}, "lenient")
INTEGER = ws.compile({"type": "integer"}, "lenient")

_DIGITS = st.text("0123456789", min_size=1, max_size=25)
SPELLED = st.builds(
    "{}{}{}{}".format,
    st.sampled_from(["", "-"]),
    st.integers(0, 10**22),
    _DIGITS.map(".{}".format) | st.just(""),
    st.integers(-400, 280).map("e{}".format) | st.just(""),
)
INTEGRAL = st.builds(
    "{}{}{}".format,
    st.integers(-(10**30), 10**30),
    st.sampled_from([".0", ".000", ""]),
    st.sampled_from(["", "e0", "e7", "E+20"]),
)


class Bill(BaseModel):
    amt: Decimal
    n: int = 0


@given(SPELLED, st.sampled_from([0, 700]))
def test_a_number_is_what_the_text_says_or_it_is_told(text: str, padding: int) -> None:
    reply = json.dumps([text, "\\" + text, "x" * padding]) + "\n"
    done = ANY.parse('{"a": ' + reply + ', "b": [0.30000000000000004, ' + text + "]}")
    assert (done.kind, done.rung) == ("output", "strict")
    value = done.value["b"][1]
    is_exact = Decimal(value if isinstance(value, int) else repr(value)) == Decimal(text)
    if is_exact:
        assert (done.edits, done.flags) == ((), ())
        return
    (edit,) = done.edits
    assert (edit.kind, edit.before, edit.after) == ("inexact-number", text, repr(value))
    assert done.flags == ("inexact-number",)
    assert done.text is not None
    assert edit.offset is not None
    assert done.text[edit.offset :] == text + "]}"


@given(INTEGRAL)
def test_an_integer_is_exact_however_it_is_spelled(text: str) -> None:
    done = INTEGER.parse(text)
    assert (done.kind, done.edits) == ("output", ())
    value = done.value
    assert Decimal(value if isinstance(value, int) else repr(value)) == Decimal(text)


@given(st.recursive(st.floats(allow_nan=False, allow_infinity=False) | st.integers(), st.lists))
def test_what_json_writes_is_read_without_edits(value: Any) -> None:
    done = ANY.parse(json.dumps(value))
    assert (done.value, done.rung, done.edits, done.flags) == (value, "strict", (), ())
    assert json.dumps(done.value) == json.dumps(value)


@given(SPELLED, st.integers(1, 20))
def test_a_stream_ends_as_the_whole_text_does(text: str, size: int) -> None:
    reply = '{"a": [' + text + ", 1]}"
    feed = ANY.stream()
    for at in range(0, len(reply), size):
        feed.push(reply[at : at + size])
    done = feed.finish()
    assert done == ANY.parse(reply)
    assert json.dumps(feed.partial) == json.dumps(done.value)


@pytest.mark.parametrize(
    ("before", "after", "rung"),
    [
        ("", "}", "strict"),
        ("```json\n", "}\n```", "stripped"),
        ("It is ", "}, I think", "span"),
        ("", ",}", "repaired"),
    ],
)
def test_every_rung_tells_what_was_rounded(before: str, after: str, rung: str) -> None:
    c = ws.compile(Bill, "openai-strict")
    reply = before + '{"amt":12345678901234567.89,"n":9007199254740993.0' + after
    done = c.parse(reply)
    assert done.rung == rung
    assert done.value == Bill(amt=Decimal("12345678901234568"), n=9007199254740993)
    (edit,) = [e for e in done.edits if e.kind == "inexact-number"]
    assert edit.offset == reply.index("12345678901234567.89")
    assert (edit.before, edit.after) == ("12345678901234567.89", "1.2345678901234568e+16")
    assert "inexact-number" in done.flags


def test_a_long_integer_beside_it_hides_nothing() -> None:
    digits = "7" * 5000
    done = ANY.parse(f"[{digits}, 0.12345678901234567890]")
    assert [e.before for e in done.edits] == ["0.12345678901234567890"]
    assert done.value[0] == 7 * (10**5000 - 1) // 9


def test_text_becomes_no_number_that_a_float_would_round() -> None:
    c = ws.compile({"type": "number"}, "lenient")
    assert c.parse('"2.50"').value == 2.5
    assert c.parse('"9007199254740993.0"').value == 9007199254740993
    assert c.parse('"12345678901234567.89"').kind == "failed"
    assert c.parse('"1e-400"').kind == "failed"


def test_what_is_beyond_floats_is_refused_and_what_is_next_to_nothing_is_told() -> None:
    assert ANY.parse("[1e400]").kind == "failed"
    done = ANY.parse("[1e-400, 0e-999, -0.0]")
    assert [e.before for e in done.edits] == ["1e-400"]
    assert math.copysign(1, done.value[2]) == -1


LONG = "9" * 5000


@pytest.mark.parametrize("dialect", ["lenient", "openai-strict"])
def test_integers_that_int_does_not_write(dialect: str) -> None:
    """`str` and `json` refuse integers of more than 4,300 digits; whatever holds one is read, and said again, all the same."""
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    value = {"n": 10**5000 - 1}
    compiled = ws.compile(schema, dialect)
    for reply in (f'{{"n": {LONG}}}', f'{{"n": "{LONG}"}}', {"n": LONG}):
        done = compiled.parse(reply)
        assert done.value == value
        assert all([edit.after.startswith("999") for edit in done.edits])


def test_calls_with_integers_that_int_does_not_write() -> None:
    schema = {"type": "object", "properties": {"n": {"type": ["integer", "string"]}}, "required": ["n"]}  # fmt: skip
    plan = ws.plan("openai-non-strict", [ws.Tool("f", schema)])
    value = {"n": 10**5000 - 1}
    text = f"<tool_call><function=f><parameter=n>{LONG}</parameter></function></tool_call>"
    assert plan.route(text).calls[0].arguments == value
    call = {"index": 0, "id": "c", "function": {"name": "f", "arguments": value}}
    feed = plan.stream()
    feed.push({"choices": [{"delta": {"tool_calls": [call]}, "finish_reason": "tool_calls"}]})
    outcomes = feed.finish(), plan.route({"choices": [{"message": {"tool_calls": [call]}}]})
    assert [done.calls[0].arguments for done in outcomes] == [value, value]
    for api in ("chat", "responses"):
        said = plan.history([ws.Turn([ws.Call("f", value, "c")], results=[value])], api)
        assert str(said).count(LONG) == 2


def test_numbers_of_long_texts_are_read_as_those_of_short_ones() -> None:
    """Where floats are judged together, too, those that are integers beyond 2**53 are exact, and what is rounded is told."""
    numbers = ["0.30000000000000004", "9007199254740993.0", "123456789012345678901.0", "12345678901234567.89"]  # fmt: skip
    for text in numbers:
        short, long = ANY.parse(f"[{text}]"), ANY.parse(f"[{text}]" + " " * 600)
        assert [repr(v) for v in short.value] == [repr(v) for v in long.value]
        assert short.flags == long.flags
    assert ANY.parse("[123456789012345678901.0]" + " " * 600).value == [123456789012345678901]
