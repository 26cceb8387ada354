"""Arguments of another kind than a function takes: a typed error that names the argument, and a code."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import wireshape as ws
from wireshape.api_protocols import api_of_table

SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}}
TOOL = ws.Tool("t", SCHEMA)
ROW = "openai-strict"
CALL = ws.Call("t", {})
Call = Callable[[Any], object]


def said(calls: Any, results: Any = None, text: Any = None) -> object:
    return ws.plan(ROW, [TOOL]).history([ws.Turn(calls, results, text)])


CALLS: dict[str, tuple[str, Call, list[Any]]] = {
    "tools": ("tools", lambda v: ws.plan(ROW, v), [None, 5, TOOL, "x", {"t": TOOL}, b"x"]),
    "one_tool": (
        "tools[1]",
        lambda v: ws.plan(ROW, [TOOL, v]),
        [5, None, {"name": "t", "parameters": SCHEMA}],
    ),
    "model": ("model", lambda v: ws.plan(ROW, [TOOL], model=v), [5, []]),
    "on_error": ("on_error", lambda v: ws.plan(ROW, [TOOL], on_error=v), [5, "never", None]),
    "plan_options": ("options", lambda v: ws.plan(ROW, [TOOL], options=v), [5, {}, None]),
    "options": ("options", lambda v: ws.compile(SCHEMA, ROW, options=v), [5, {}, None]),
    "name": ("name", lambda v: ws.compile(SCHEMA, ROW, name=v), [5, []]),
    "description": ("description", lambda v: ws.compile(SCHEMA, ROW, description=v), [5, []]),
    "tool_name": ("name", ws.Tool, [5, None]),
    "tool_description": ("description", lambda v: ws.Tool("t", None, v), [5, []]),
    "output_name": ("name", lambda v: ws.Output(SCHEMA, v), [5, None]),
    "carrier": ("carrier", lambda v: ws.Output(SCHEMA, carrier=v), ["x", 5, []]),
    "said": ("said", lambda v: ws.plan(ROW, [TOOL]).history(v), [5, None]),
    "one_turn": ("said[0]", lambda v: ws.plan(ROW, [TOOL]).history([v]), [5, "x"]),
    "said_text": ("said", lambda v: ws.plan(ROW, [TOOL]).history(v), ["", "x", b"x", {}]),
    "turn_calls": ("said[0].calls", lambda v: said(calls=v), [5, None, "x", {}]),
    "turn_call": ("said[0].calls[1]", lambda v: said(calls=[CALL, v]), [5, None, {"name": "t"}]),
    "turn_results": ("said[0].results", lambda v: said([CALL], v), [5, "x", {}, iter([1])]),
    "turn_text": ("said[0].text", lambda v: said([CALL], None, v), [5, [], b"x"]),
    "call_name": ("said[0].calls[0].name", lambda v: said([ws.Call(v, {})]), [5, None, []]),
    "call_id": ("said[0].calls[0].id", lambda v: said([ws.Call("t", {}, v)]), [5, [], {}]),
    "call_problems": (
        "said[0].calls[0].problems",
        lambda v: said([ws.Call("t", {}, None, v)]),
        [5, None, "x"],
    ),
    "call_problem": (
        "said[0].calls[0].problems[0]",
        lambda v: said([ws.Call("t", {}, None, (v,))]),
        [5, None, "x"],
    ),
    "call_state": (
        "said[0].calls[0].state",
        lambda v: said([ws.Call("t", {}, None, (), v)]),
        [5, [1], "x"],
    ),
    "state_before": (
        "said[0].calls[0].state['before']",
        lambda v: said([ws.Call("t", {}, None, (), {"protocol": "chat", "before": v})]),
        [5, "x", None, {}],
    ),
    "path": ("path", ws.load_dialect, [5, None, []]),
    "provider": ("provider", lambda v: ws.dialect_for(v, "m"), [5, None]),
    "for_model": ("model", lambda v: ws.dialect_for("openai", v), [5, None]),
}


@pytest.mark.parametrize("case", CALLS)
def test_the_error_names_the_argument(case: str) -> None:
    name, call, values = CALLS[case]
    for value in values:
        with pytest.raises(ws.SchemaError) as caught:
            call(value)
        assert caught.value.code == "WS122"
        assert repr(name) in str(caught.value) or f'"{name}"' in str(caught.value)


HUGE = 10**5000
"""An integer that Python itself refuses to write."""


class Mute:
    def __repr__(self) -> str:
        raise RuntimeError


@pytest.mark.parametrize(
    "value",
    [HUGE, [HUGE], {"a": HUGE}, Mute(), [Mute()]],
    ids=["integer", "list", "dict", "object", "objects"],
)
def test_what_cannot_be_written_is_named_all_the_same(value: Any) -> None:
    calls: list[Call] = [
        lambda v: ws.plan(v, [TOOL]),
        lambda v: ws.plan(ROW, [TOOL], model=v),
        lambda v: ws.plan(ROW, [v]),
        lambda v: ws.plan(ROW, [ws.Tool("t", SCHEMA, strict=v)], on_error="raise"),
        lambda v: ws.plan(ROW, [ws.Tool("t", {"type": v})], on_error="raise"),
        lambda v: ws.plan(ROW, [TOOL]).request(v),
        lambda v: ws.compile(v if type(v) is not dict else {HUGE: 1}, ROW),
        lambda v: ws.Options(absent=v),
        lambda v: said([v]),
        lambda v: ws.compile(dict[str, Any], ROW).encode({HUGE: v}),
    ]
    for call in calls:
        with pytest.raises(ws.WireshapeError) as caught:
            call(value)
        assert len(str(caught.value)) < 2000  # those of rows list all of them


@pytest.mark.parametrize("value", [5, None, [], "nope"])
def test_what_is_no_dialect(value: Any) -> None:
    calls: list[Call] = [
        lambda v: ws.compile(SCHEMA, v),
        lambda v: ws.plan(v, [TOOL]),
        lambda v: ws.check(SCHEMA, v),
        ws.dialect,
    ]
    for call in calls:
        with pytest.raises(ws.DialectError) as caught:
            call(value)
        assert caught.value.code == "WS701"


@pytest.mark.parametrize("kind", [ws.Tool, ws.Output])
@pytest.mark.parametrize(
    "strict",
    [[], "never ever", "requird", float("nan"), float("inf"), 10**400, 10**5000],
    ids=["list", "text", "misspelt", "nan", "inf", "large", "huge"],
)
def test_a_strictness_that_is_none_is_refused_at_once(kind: Any, strict: Any) -> None:
    with pytest.raises(ws.SchemaError) as caught:
        kind("t", strict=strict)
    assert caught.value.code == "WS121"


def test_a_tool_has_a_name() -> None:
    with pytest.raises(ws.SchemaError) as caught:
        ws.Tool("")
    assert caught.value.code == "WS122"


@pytest.mark.parametrize(
    ("document", "code", "place"),
    [
        ({"foo": 1}, "WS130", ""),
        ({"tools": [{"inputSchema": {}}]}, "WS130", "/tools/0/name"),
        ({"function": {"name": 1, "parameters": {}}}, "WS130", "/function/name"),
        ({"tools": [{"nme": "y", "inputSchema": {}}]}, "WS131", "/tools/0/nme"),
    ],
)
def test_a_document_without_tools_is_none(document: Any, code: str, place: str) -> None:
    with pytest.raises(ws.SchemaError) as caught:
        ws.tools_from(document)
    assert (caught.value.code, caught.value.pointer) == (code, place)


def test_tools_may_come_in_any_iterable() -> None:
    assert [len(ws.plan(ROW, v).tools) for v in ((TOOL,), [TOOL], iter([TOOL]))] == [1, 1, 1]


@pytest.mark.parametrize(
    "table",
    [
        {"protocol": "chat", "reply": {"nope": []}},
        {"protocol": "chat", "reply": {"body": [{"nope": 1}]}},
        {"protocol": "chat", "reply": {"body": [5]}},
        {"protocol": "chat", "reply": {"refused": 5}},
        {"protocol": "chat", "history": {"nope": 1}},
        {"protocol": "no-such-file"},
        {"nope": 1},
    ],
)
def test_a_broken_protocol_is_an_error_of_the_row(table: dict[str, Any]) -> None:
    with pytest.raises(ws.DialectError) as caught:
        api_of_table("mine", table)
    assert caught.value.code == "WS702"


def test_an_api_that_is_not_there_cannot_be_unset(tmp_path: Path) -> None:
    row = tmp_path / "mine.toml"
    row.write_text('id = "mine"\nextends = "openai-strict"\nunset = ["apis.reponses"]', "utf-8")
    with pytest.raises(ws.DialectError, match=r"did you mean 'apis\.responses'") as caught:
        ws.load_dialect(row)
    assert caught.value.code == "WS702"
    row.write_text('id = "mine"\nextends = "openai-strict"\nunset = ["apis.responses"]', "utf-8")
    assert [api.name for api in ws.load_dialect(row).apis or ()] == ["chat"]
