"""Examples of streams: what can be seen when, what stops a feed, and the cases that users of other libraries reported."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import pytest

import wireshape as ws
from wireshape import ir
from wireshape.codec.misfit import MOST
from wireshape.machine import Machine
from wireshape.reply.feed import MAX_BLANK, Feed
from wireshape.reply.growing.guide import guide_of
from wireshape.reply.strict import MAX_CHARS, MAX_DEPTH
from wireshape.step import Step
from wireshape.testing import broken_stream_laws, is_beginning

TEXT = {"type": "string"}
INTEGER = {"type": "integer"}


def record(*required: str, **properties: Any) -> Any:
    return {"type": "object", "properties": properties, "required": list(required)}


def partials(compiled: ws.Compiled, *chunks: str | bytes) -> list[Any]:
    """What can be seen after each chunk."""
    feed = compiled.stream()
    out: list[Any] = []
    for chunk in chunks:
        feed.push(chunk)
        out.append(deepcopy(feed.partial))
    return out


def shown(schema: Any, *chunks: str | bytes, dialect: str = "lenient", **options: Any) -> list[Any]:
    return partials(ws.compile(schema, dialect, options=ws.Options(**options)), *chunks)


def stepped(step: Step, *chunks: str, **steps: Step) -> list[Any]:
    """What can be seen of a value that a step decodes, where nothing else is known about it."""
    compiled = ws.compile(True, "lenient")
    parts = compiled._machine.parts
    fields = {f: getattr(parts, f) for f in parts.__dataclass_fields__}
    compiled._machine = Machine(type(parts)(**{**fields, "step": step, "steps": steps}))
    return partials(compiled, *chunks)


# strings


def test_half_a_pair_of_surrogates_is_held_back() -> None:
    assert shown(record("a", a=TEXT), '{"a": "\\ud83d', '\\ude00!"}') == [
        {"a": ""},
        {"a": "\U0001f600!"},
    ]


@pytest.mark.parametrize("reply", ['{"a": "x"}\ud83d', "\ud83d", '{"a": "x\ud83d"}', '{"a": "x"}'])
def test_half_a_character_at_the_end_counts(reply: str) -> None:
    compiled = ws.compile(record("a", a=TEXT), "lenient")
    for cut in range(len(reply) + 1):
        feed = compiled.stream()
        feed.push(reply[:cut])
        feed.push(reply[cut:])
        assert feed.finish() == compiled.parse(reply)


def test_half_an_escape_is_held_back() -> None:
    plain = {**TEXT, "not": {"const": "x"}}
    assert shown(record("a", a=plain), '{"a": "caf\\u00', "e9") == [{"a": "caf"}, {"a": "café"}]
    assert shown(record("a", a=TEXT), '{"a": "str\\', 'n"}') == [{"a": "str"}, {"a": "str\n"}]


@pytest.mark.parametrize("end", range(1, 13))
def test_an_escape_may_be_cut_anywhere(end: int) -> None:
    escape = "\\uD83d\\uDe00"[:end]
    assert shown(TEXT, f'"a{escape}') == ["a" if end < 12 else "a\U0001f600"]


@pytest.mark.parametrize(
    "bad", ["\\H", "\\ud83dx", "\\ude00", "\\ud83d\\u0041", "\\u00g", "\n", "\ud83d"]
)
def test_what_no_json_string_has_ends_what_can_be_seen(bad: str) -> None:
    assert shown(TEXT, f'"a{bad}bc"') == ["a"]


def test_an_escape_that_json_does_not_know_is_for_the_outcome() -> None:
    feed = ws.compile(record("a", a=TEXT), "lenient").stream()
    for chunk in ('{"a": "App\\', "Http", '"}'):
        feed.push(chunk)
    assert feed.partial == {"a": "App"}
    assert feed.finish().value == {"a": "App\\Http"}


def test_a_string_is_not_validated_before_it_is_finished() -> None:
    schema = record("name", name={"type": "string", "minLength": 5})
    assert shown(schema, '{"name": "Al', 'ice"}') == [{"name": "Al"}, {"name": "Alice"}]


def test_a_character_may_be_cut_in_its_bytes() -> None:
    data = '"é\U0001f600"'.encode()
    assert shown(TEXT, *[data[i : i + 1] for i in range(len(data))]) == [
        "", "", "é", "é", "é", "é", "é\U0001f600", "é\U0001f600",
    ]  # fmt: skip


def test_a_comma_at_the_end_may_belong_to_the_outside() -> None:
    assert shown(record(a=TEXT), '{"a": "x, ', "y,", '"', "}") == [
        {"a": "x"},
        {"a": "x, y"},
        {"a": "x, y"},
        {"a": "x, y,"},
    ]
    assert shown(record(a=TEXT), '{"a": "x, "b": 1}') == [{"a": "x"}]
    assert shown(TEXT, '"x', ",", '"') == ["x", "x", "x,"]
    blank = " " * 300
    assert shown(TEXT, f'"x,{blank}') == [f"x,{blank}"]


# numbers and literals


def test_a_number_is_seen_when_it_is_finished() -> None:
    schema = {"type": "array", "items": {"type": "number"}}
    assert shown(schema, "[1", "2", ".", "5", ",-0.5e-1", " ", "]") == [
        [], [], [], [], [12.5], [12.5, -0.05], [12.5, -0.05],
    ]  # fmt: skip


def test_the_beginning_of_a_fraction_is_no_integer() -> None:
    feed = ws.compile(record("n", n=INTEGER), "lenient").stream()
    assert (feed.push('{"n": 1'), feed.partial) == (True, {})
    assert (feed.push(".5}"), feed.partial) == (False, {})
    assert feed.finish().kind == "failed"


@pytest.mark.parametrize("number", ["01", "1.", "1e", "-", "1e999", "+1", "9" * 60_000, "1x"])
def test_what_is_no_number_is_not_seen(number: str) -> None:
    assert shown({"type": "array"}, f"[{number}, 2]") == [[]]


def test_literals_are_seen_when_they_are_finished() -> None:
    assert shown({"type": "array"}, "[tr", "ue", ",nul", "l, false]") == [
        [], [], [True], [True, None, False],
    ]  # fmt: skip
    assert shown({"type": "array"}, "[nullable]", "[1]") == [[], []]
    assert shown({"type": "array"}, "[truly]") == [[]]


def test_listed_texts_are_seen_when_they_are_finished_and_listed() -> None:
    schema = record(a={"enum": ["red", "green"]})
    assert shown(schema, '{"a": "re', 'd"', "}") == [{}, {}, {"a": "red"}]
    assert shown(schema, '{"a": "Red"}') == [{}]
    assert shown(record(a={"anyOf": [TEXT, {"const": "x"}, {"const": 7}]}), '{"a": "ab', '"}') == [
        {},
        {"a": "ab"},
    ]


def test_a_root_that_is_no_container() -> None:
    assert shown({"type": "integer"}, "12", " ") == [None, 12]
    assert shown({"type": ["integer", "null"]}, " null ") == [None]


# shapes


def test_maps_that_are_pairs() -> None:
    schema = {"type": "object", "additionalProperties": TEXT}
    assert shown(
        schema, '{"value": [', '{"key": "a', '", "value": "on', 'e"}, {"key": "b", "value": "', dialect="openai-strict"
    ) == [{}, {}, {"a": "on"}, {"a": "one", "b": ""}]  # fmt: skip
    odd = [
        '{"value": [{"key": "a", "value": "x"}, {"key": "a", "value": "y"}]}',
        '{"value": [{"key": "a", "value": "x"}, {"value": "y", "key": "b"}]}',
        '{"value": [{"key": "a", "value": "x"}, {"key": "b"}, {"key": "c", "value": "z"}]}',
        '{"value": [{"key": "a", "value": "x"}, {"key": {}}]}',
        '{"value": [{"key": "a", "value": "x"}, 1]}',
        '{"value": [{"key": "a", "value": "x"}, [1]]}',
        '{"value": [{"key": "a", "value": "x", "more": 1}]}',
        '{"value": [{"key": "a", "value": "x"}], "more": 1}',
    ]
    for text in odd:
        assert shown(schema, text, dialect="openai-strict") == [{"a": "x"}], text
    assert shown(schema, "{}", dialect="openai-strict") == [None]


def test_values_whose_step_is_chosen_by_key() -> None:
    inner: Step = ("pairs", (), None, False)
    step: Step = ("pairs", (("^n", None), ("^m", inner)), ("enum", (("1", 1),)), False)
    assert stepped(
        step, '[{"key": "n", "value": "1"}, {"key": "m1", "value": [{"key": "x", "value": 2}]}, {"key": "o", "value": "1"}, '
    ) == [{"n": "1", "m1": {"x": 2}, "o": 1}]  # fmt: skip
    under: Step = ("pairs", (), None, True)
    assert stepped(under, '{"entries": [{"key": "n", "value": 1}') == [{"n": 1}]
    assert stepped(under, "[1,") == [[1]]
    for odd in ("[1, ", "[[1, ", '["a", '):
        assert stepped(inner, odd) == [{}]
    assert stepped(("pairs", (), None, False), '{"a": [1', "]}") == [None, {"a": [1]}]


def test_fields_that_are_null_or_boxed_when_absent() -> None:
    schema = record("a", a=INTEGER, b=TEXT, c={"type": ["string", "null"]})
    text = '{"a": 1, "b": null, "c": '
    assert shown(schema, text, '{"value": "x', dialect="openai-strict", absent="box") == [
        {"a": 1},
        {"a": 1, "c": "x"},
    ]
    assert shown(schema, text + "null}", dialect="openai-strict", absent="box") == [{"a": 1}]


def test_undeclared_keys_that_are_pairs() -> None:
    schema = {**record(a=INTEGER), "additionalProperties": TEXT}
    compiled = ws.compile(schema, "openai-strict")
    extras = next(k for k in compiled.schema["properties"] if k != "a")
    assert partials(compiled, f'{{"a": 1, "{extras}": [', '{"key": "b", "value": "tw') == [
        {"a": 1},
        {"a": 1, "b": "tw"},
    ]
    for odd in ('{"key": "a", "value": "x"}]', '{"key": "b", "value": {'):
        assert partials(compiled, f'{{"a": 1, "{extras}": [{odd}') == [{"a": 1}]
    step: Step = ("object", (), ("more", ("pairs", (), None, False), ("a",)), None)
    assert stepped(step, '{"a": 1, "more": 2, "b": 3}') == [{"a": 1}]
    assert stepped(step, '{"b": 1, "more": [{"key": "a", "value": 2}]}') == [{"b": 1}]
    assert stepped(step, '{"a": 1, "more": {"b": 3}}') == [{"a": 1}]


def test_renamed_absent_and_other_keys() -> None:
    fields = (("w_a", "a", None, "keep"), ("n", "n", None, "omit"))
    step: Step = ("object", fields, None, (("w_a", "n"), (("^x", ("enum", (("1", 1),))),), None))
    assert stepped(step, '{"w_a": 2, "x": "1", "y": "1"', "}") == [
        {"a": 2, "x": 1, "y": "1"},
        {"a": 2, "x": 1, "y": "1", "n": None},
    ]
    assert stepped(step, '{"w_a": 2, "a": 3, "y": 1}') == [{"a": 2}]
    assert stepped(("object", (), None, None), "[1, 2]") == [[1, 2]]
    boxes: Step = ("list", ("wrap", "value", None, True))
    assert stepped(boxes, '[{"value": 1, "value": 2}, ') == [[1]]
    assert stepped(boxes, '[{"value": 1}, {}, {"value": 2}, ') == [[1]]


def test_fields_that_are_entries() -> None:
    rest: Step = ("object", (("w", "a", None, "keep"),), None, None)
    step: Step = ("entries", "more", (("b", None), ("c", ("enum", (("1", 1),)))), rest)
    assert stepped(
        step, '{"w": 1, "more": [{"field": "b", "value": "tw', 'o"}, {"field": "c", "value": "1"}]'
    ) == [{"a": 1, "b": "tw"}, {"a": 1, "b": "two", "c": 1}]
    assert stepped(("entries", "more", (("b", None),), None), '{"b": 1, "x": 2, ') == [
        {"b": 1, "x": 2}
    ]
    for odd in ('[{"field": "z", "value": 1}', '[{"field": 1}', '[{"field": "b", "value": 1}, {"field": "b", "value": 2}'):  # fmt: skip
        assert stepped(step, f'{{"w": 1, "more": {odd}')[0] in ({"a": 1}, {"a": 1, "b": 1})


def test_tuples() -> None:
    schema = {"type": "array", "prefixItems": [TEXT, INTEGER], "items": {"type": "boolean"}}
    assert shown(schema, '["a', '", 2, true', "]") == [["a"], ["a", 2], ["a", 2, True]]
    assert shown({**schema, "items": False}, '["a", 2, true]') == [["a", 2]]
    step: Step = ("tuple", (None, ("enum", (("1", 1),))), ("enum", (("2", 2),)))
    assert stepped(step, '["1", "1", "2", "2", ') == [["1", 1, 2, 2]]


def test_tuples_with_numbered_keys() -> None:
    one: Step = ("enum", (("1", 1),))
    step: Step = ("numbered", ((None, False), (one, True), (None, True)), True, ("list", one), True)
    assert stepped(step, '{"0": "a', '", "1": "1", "2": [', '5], "rest": ["1", "2"') == [
        ["a"],
        ["a", 1, []],
        ["a", 1, [5], 1],
    ]
    assert stepped(step, '{"0": "a", "1": null, "2": null, "rest": []}, ') == [["a"]]
    assert stepped(step, '{"0": "a", "rest": null}') == [["a"]]
    for odd in ('"1": null, "2": "x', '"1": null, "2": 3}', '"1": null, "2": [3]}', '"1": null, "rest": [3]}', '"2": 3}', '"rest": 3}', '"rest": {"a": 1}}', '"rest": [], "1": 3}', '"x": 3}'):  # fmt: skip
        assert stepped(step, '{"0": "a", ' + odd) == [["a"]], odd
    assert stepped(("numbered", ((None, False),), False, None, False), '{"0": "a", "1": 2}') == [
        ["a"]
    ]
    assert stepped(("numbered", ((None, False),), True, None, False), '{"0": "a", "rest": [2,') == [
        ["a", 2]
    ]


def test_json_text_is_seen_when_it_is_complete() -> None:
    assert stepped(("list", ("json", True)), '["[1', ", 2]", '"', ", ") == [
        [], [], [], [[1, 2]],
    ]  # fmt: skip
    assert stepped(("list", ("json", True)), '["word", "[1", 2]') == [["word"]]
    assert stepped(("list", ("json", False)), '["1", "x", "2", ') == [[1]]
    assert stepped(("json", False), '{"a": 1, ') == [{"a": 1}]


def test_unions_by_tag() -> None:
    pairs: Step = ("pairs", (), None, False)
    arms = ((64, 64, "a", pairs, 0), (32, 32, "b", ("list", None), 1), (16, 16, None, None, 2))
    step: Step = ("list", ("union", arms, None, None))
    assert stepped(
        step, '[{"arm": "a", "value": [{"key": "x', '", "value": 1}]}, {"arm": "b", "value": [', "2]}, {}, "
    ) == [[{}], [{"x": 1}, []], [{"x": 1}, [2], {}]]  # fmt: skip
    for odd in ('{"arm": "c"', '{"arm": ["c"', '{"arm": "b"}', '{"arm": "b", "value": [], "x": 1}', '{"arm": "b", "x": 1}'):  # fmt: skip
        assert stepped(step, f'["s", {odd}, ')[0] in (["s"], ["s", []]), odd
    assert stepped(step, '[{"x": 1, ', '"y": [2]}, ') == [[{"x": 1}], [{"x": 1, "y": [2]}]]
    assert stepped(step, '[{"arm": "b", "value": 3}, ') == [[3]]


def test_unions_by_a_constant() -> None:
    object_a: Step = ("object", (("p", "p", ("pairs", (), None, False), "keep"),), None, None)
    arms = (
        (64, 64, None, object_a, 0),
        (64, 64, None, ("object", (("q", "q", None, "null"),), None, None), 1),
    )
    step: Step = ("union", arms, ("kind", (("a", 0), ("b", 1))), None)
    assert stepped(step, '{"kind": "a', '", "p": [{"key": "x", "value": ', "1") == [
        None,
        {"kind": "a", "p": {}},
        {"kind": "a", "p": {}},
    ]
    assert stepped(step, '{"kind": "b", "q": null, "r": 1,') == [{"kind": "b", "r": 1}]
    for odd in ('{"kind": "c", ', '{"kind": [', '{"kind": 1, '):
        assert stepped(step, odd) == [None]


def test_a_constant_that_travels_otherwise() -> None:
    schema = record("a", a={"const": {"m": {"x": 1}}}, b=TEXT)
    compiled = ws.compile(schema, "anthropic-non-strict")
    wire = json.dumps(compiled.encode({"a": {"m": {"x": 1}}, "b": "y"}))
    assert partials(compiled, wire) == [{"a": {"m": {"x": 1}}, "b": "y"}]


def test_unions_without_a_mark_are_seen_when_they_are_complete() -> None:
    schema = {
        "type": "array",
        "items": {
            "anyOf": [
                record("m", m={"type": "object", "additionalProperties": INTEGER}),
                record("n", n=TEXT, o=TEXT),
            ]
        },
    }
    first = '{"value": [{"m": [{"key": "x", "value": 1}'
    assert shown(schema, first, ']}, {"n": "a', dialect="openai-strict") == [[], [{"m": {"x": 1}}]]
    same: Step = ("union", ((32, 32, None, ("list", None), 0), (32, 32, None, ("list", None), 1)), None, None)  # fmt: skip
    assert stepped(same, "[1,") == [[1]]
    assert stepped(same, '{"a": 1,') == [{"a": 1}]
    pairs = {"type": "object", "additionalProperties": INTEGER}
    arms = [{"type": "array", "items": items, "minItems": 1} for items in (pairs, TEXT)]
    lists = {"type": "array", "items": {"anyOf": arms}}
    text = '{"value": [["x"], [[{"key": "a", "value": 1'
    assert shown(lists, text, "}]], [", dialect="openai-strict") == [
        [["x"]],
        [["x"], [{"a": 1}]],
    ]


def test_a_step_that_is_named() -> None:
    schema = {
        "$ref": "#/$defs/T",
        "$defs": {
            "T": record(name=TEXT, sub={"type": "object", "additionalProperties": {"$ref": "#/$defs/T"}})
        },
    }  # fmt: skip
    text = '{"name": "a", "sub": [{"key": "k", "value": {"name": "b'
    assert shown(schema, text, dialect="openai-strict") == [
        {"name": "a", "sub": {"k": {"name": "b"}}}
    ]
    assert stepped(("ref", "T"), "[1, ", T=("ref", "T")) == [[1]]


# what may be seen


@pytest.mark.parametrize(
    ("schema", "text", "partial"),
    [
        (record("a", a=TEXT), '{"result": {"a": "x"}}', {}),
        (record("a", a=TEXT), '{"a": "x", "b": 1, ', {"a": "x", "b": 1}),
        (record("a", a=TEXT), '{" a": "x"}', {}),
        (record("o", o=record("a", a=TEXT)), '{"o": {" a": "x"}}', {"o": {}}),
        (record("a", a=INTEGER), '{"a": "3"}', {}),
        (record("a", a={"type": "array"}), '{"a": "[1]"}', {}),
        (record("a", a=TEXT), '[{"a": "x"}]', None),
        (record("a", a=TEXT), '{"a": "x", "a": "y"}', {"a": "x"}),
        ({"type": "array", "items": TEXT}, '["a", {"b": 1}]', ["a"]),
        (record(a=False), '{"a": 1}', {}),
        ({"const": {"a": 1}}, '{"a": 1', None),
        ({"const": {"a": 1}}, '{"a": 1}', {"a": 1}),
        ({"const": {"a": 1}}, '{"a": 2}', None),
        (record(a={"enum": [[1], "x"]}, b=TEXT), '{"a": [1], "b": "y', {"a": [1], "b": "y"}),
        ({"type": "array"}, "[1 2]", [1]),
        ({"type": "array"}, "[1,]", [1]),
        ({"type": "object"}, "{'a': 1}", {}),
        ({"type": "object"}, '{"a" 1}', {}),
        ({"type": "object"}, '{"a": 1; "b": 2}', {}),
        ({"type": "object"}, '{"a": [] ]', {"a": []}),
        ({"type": "object"}, '{"a": @}', {}),
    ],
)
def test_what_does_not_go_as_the_schema_says_is_not_seen(
    schema: Any, text: str, partial: Any
) -> None:
    feed = ws.compile(schema, "lenient").stream()
    for char in text:
        feed.push(char)
    assert feed.partial == partial


def test_a_place_with_too_many_alternatives_admits_anything() -> None:
    many = ir.Union(tuple([ir.Literal((f"x{i}",)) for i in range(99)]))
    for anything in (many, ir.Any()):
        assert guide_of(ir.Graph(anything, {})).admits({"a": 1})
    assert guide_of(ir.Graph(ir.Union((ir.Never(), ir.Null())), {})).admits(None)
    again = ir.Union((ir.Ref("A"), ir.Ref("A"), ir.Null()))
    assert guide_of(ir.Graph(again, {"A": ir.Boolean()})).admits(value=True)


@pytest.mark.parametrize(
    ("text", "partial"),
    [
        ('<think>{"a": "no"}</think>\n{"a": "x"', {"a": "x"}),
        ('[THINK] {"a": "no"} [/THINK] <think></think>{"a": "x"', {"a": "x"}),
        ('\ufeff ```json\n{"a": "x"', {"a": "x"}),
        ('~~~~\r\n\n{"a": "x"}\n~~~~', {"a": "x"}),
        ('Sure: {"a": "x"}', None),
        ('```{"a": "x"}```\n', None),
        ("`" + "x" * 100, None),
        ('``\n{"a": "x"}', None),
        ('<think> {"a": "no"}', None),
    ],
)
def test_what_stands_before_the_json(text: str, partial: Any) -> None:
    compiled = ws.compile(record("a", a=TEXT), "lenient")
    assert partials(compiled, text)[-1] == partial
    assert partials(compiled, *text)[-1] == partial


def test_white_space_may_stand_anywhere() -> None:
    text = ' [ 1 , { "a" : [ ] , "b" : { } } ] '
    assert partials(ws.compile({"type": "array"}, "lenient"), *text)[-1] == [1, {"a": [], "b": {}}]


# ends


def test_what_is_deeper_than_what_is_read_is_not_seen() -> None:
    feed = ws.compile({"type": "array"}, "lenient").stream()
    feed.push("[" * (MAX_DEPTH + 50))
    depth, at = 0, feed.partial
    while at:
        depth, at = depth + 1, at[0]
    assert depth == MAX_DEPTH - 1


def test_white_space_without_end_stops_the_feed() -> None:
    feed = ws.compile(record("a", a=TEXT), "lenient").stream()
    feed.push('{"a":')
    pushed = 0
    while feed.stopped is None:
        feed.push(" \n")
        pushed += 1
    assert pushed == MAX_BLANK // 2 + 1
    assert feed.stopped == "whitespace-runaway"
    assert not feed.push('"x"}')
    outcome = feed.finish()
    assert (outcome.kind, outcome.flags, outcome.truncated) == ("failed", ("whitespace-runaway",), True)  # fmt: skip
    assert (outcome.partial, outcome.evidence[0].code) == ({}, "WS634")
    assert len(outcome.text or "") == MAX_BLANK + 6
    assert outcome.retry_text


@pytest.mark.parametrize("as_bytes", [False, True])
@pytest.mark.parametrize("size", [1, 7, 5000])
def test_where_white_space_stops_a_feed_does_not_depend_on_the_cuts(
    size: int, *, as_bytes: bool
) -> None:
    text: Any = '{"a": "é' + " " * 3000 + '",\n' + " " * 3000 + "}é"
    text = text.encode()[:-1] if as_bytes else text
    feed = ws.compile(record("a", a=TEXT), "lenient").stream()
    for at in range(0, len(text), size):
        feed.push(text[at : at + size])
    assert feed.stopped == "whitespace-runaway"
    assert feed.partial == {"a": "é" + " " * 3000}
    assert len(feed.finish().text or "") == 8 + 3000 + 2 + MAX_BLANK + 1


def test_short_runs_of_white_space_are_no_runaway() -> None:
    text = "[" + (" " * 2000 + "1,") * 10 + (" " * 2000) + "1]"
    feed = ws.compile({"type": "array"}, "lenient").stream()
    feed.push(text)
    assert feed.finish().value == [1] * 11


def test_a_reply_that_is_too_long_stops_the_feed() -> None:
    feed = ws.compile(TEXT, "lenient").stream()
    for _ in range(40):
        feed.push('"' + "x" * 30_000)
    assert feed.stopped == "too-long"
    outcome = feed.finish()
    assert outcome.flags == ("too-long",)
    assert len(outcome.text or "") == MAX_CHARS + 1
    assert feed.stopped == "too-long"


def test_bytes_that_are_no_text() -> None:
    compiled = ws.compile(record("a", a=TEXT), "lenient")
    for size in (1, 3, 100):
        data = b'{"a": "x\xffy", "b": 1}'
        feed = compiled.stream()
        for at in range(0, len(data), size):
            feed.push(data[at : at + size])
        assert feed.partial == {"a": "x"}
        assert feed.finish() == compiled.parse(data)
    mixed = compiled.stream()
    mixed.push('{"a": "')
    mixed.push(b'x"}')
    assert mixed.finish().value == {"a": "x"}


def test_a_finished_feed_takes_nothing_more() -> None:
    feed = ws.compile({"type": "array"}, "lenient").stream()
    feed.push("[1, 2")
    outcome = feed.finish("length")
    assert (outcome.kind, outcome.truncated, feed.stopped) == ("failed", True, "finished")
    assert not feed.push("]")
    assert feed.finish() is outcome


class Erratic(Feed):
    """Shows how often it was pushed, and does not say so."""

    def push(self, chunk: str | bytes) -> bool:
        super().push(chunk)
        self.count = getattr(self, "count", 0) + 1
        return False

    @property
    def partial(self) -> Any:
        return getattr(self, "count", None)


class Wrong(ws.Compiled):
    """Gives another outcome than its feed, which is erratic."""

    __slots__ = ()

    def stream(self) -> Feed:
        return Erratic(self._machine)

    def parse(self, reply: Any, finish_reason: str | None = None) -> ws.Outcome:
        outcome = super().parse(reply, finish_reason)
        return ws.Outcome(kind=outcome.kind, value=[7], text=outcome.text)


def test_the_laws_of_streams_tell_what_they_see() -> None:
    compiled = ws.compile({"type": "array"}, "lenient")
    assert broken_stream_laws(Wrong(compiled._machine.parts), "[1, 2]", [3]) == [
        "from None to 1, push said False",
        "1 became 2",
        "from 1 to 2, push said False",
        "the outcome is not that of parse",
        "shows 2, or 1, depending on the cuts",
        "shows 2, or 6, depending on the cuts",
        "1 is no beginning of [7]",
        "2 is no beginning of [7]",
    ]
    assert not is_beginning([], {})
    assert not is_beginning([1], [])
    assert not is_beginning({"a": 1}, {"a": True})
    assert not is_beginning({"a": 1}, {})
    assert not is_beginning("b", "ab")


def test_what_the_laws_of_streams_leave_to_the_outcome() -> None:
    announced = '{"a": 1}\nFinal answer: {"a": 2}'
    compiled = ws.compile(record(a=INTEGER), "lenient")
    assert compiled.parse(announced).value == {"a": 2}
    assert not broken_stream_laws(compiled, announced, [4])
    assert not broken_stream_laws(compiled, '{"a": 1,}', [4])
    either = ws.compile({"type": ["object", "array"], "items": TEXT}, "anthropic-non-strict")
    assert either.parse('{"value": [{}]}').value == {"value": [{}]}
    assert not broken_stream_laws(either, '{"value": [{}]}', [11])


def test_looks_do_not_change_each_other() -> None:
    feed = ws.compile(True, "lenient").stream()
    looks: list[Any] = []
    for char in '{"a": ["x", {"b": "yz"}], "c": [1, 2]}':
        feed.push(char)
        looks.append(feed.partial)
    again = ws.compile(True, "lenient").stream()
    for char, look in zip('{"a": ["x", {"b": "yz"}], "c": [1, 2]}', looks, strict=True):
        again.push(char)
        assert json.dumps(again.partial) == json.dumps(look)


def test_a_stream_does_not_count_what_others_decoded() -> None:
    """A union with two arms for objects is decoded when it is complete; what counts very large values plays no part in that."""
    lists: dict[str, Any] = {"type": "array", "items": {"anyOf": [{"$ref": "#/$defs/L"}, record(o=TEXT)]}}  # fmt: skip
    of_lists = {"$ref": "#/$defs/L"}
    arms = [record("a", a=of_lists, x={"type": "integer"}), record("a", a=of_lists, y=TEXT)]
    schema = {"$defs": {"L": lists}, **record("u", u={"anyOf": arms})}
    compiled = ws.compile(schema, "openai-strict")
    compiled.decode({"u": {"a": [[]] * (MOST - 100), "x": None}})
    value = {"u": {"a": [[]] * 200, "x": 1}}
    feed = compiled.stream()
    assert feed.push(json.dumps(value))
    assert feed.partial == value
    assert feed.finish().value == value
