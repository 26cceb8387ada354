"""What a plan remembers of its tools: found again while they hold the same, and never when they do not."""

from __future__ import annotations

import pickle
from collections import OrderedDict
from copy import deepcopy
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

import wireshape as ws
from wireshape import pipeline
from wireshape.testing import schemas

CITY = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}


@pytest.fixture
def lowered(monkeypatch):
    """The dialects that something was lowered for."""
    seen: list[str] = []
    strictify = pipeline.strictify

    def noted(graph, row, *rest):
        seen.append(row.id)
        return strictify(graph, row, *rest)

    monkeypatch.setattr(pipeline, "strictify", noted)
    return seen


class Place(BaseModel):
    name: str


@pytest.mark.parametrize("source", [CITY, Place, '{"type": "object"}', None])
def test_the_same_tools_are_compiled_once_for_each_dialect(lowered, source):
    tools = [ws.Tool("find", source, strict="prefer")]
    first = ws.plan("openai-strict", tools)
    again = ws.plan("openai-strict", tools)
    assert lowered == ["openai-strict"]
    assert again.tools[0].compiled is first.tools[0].compiled
    ws.plan("anthropic-strict", tools)
    ws.plan("openai-strict", tools)
    assert lowered == ["openai-strict", "anthropic-strict"]


@pytest.mark.parametrize(
    "change",
    [
        lambda s: s["properties"]["city"].update(type="integer"),
        lambda s: s["properties"].update(city=True),
        lambda s: s.update(properties=dict(reversed(s["properties"].items()))),
        lambda s: s["required"].append("more"),
        lambda s: s["properties"]["more"].update(minimum=1),
        lambda s: s["properties"]["more"].update(minimum=False),
        lambda s: s["properties"]["more"].update(minimum=0.0),
    ],
)
def test_a_schema_that_was_changed_is_planned_as_it_is_now(change):
    schema = {
        "type": "object",
        "properties": {"city": {"type": "string"}, "more": {"type": "number", "minimum": 0}},
        "required": ["city"],
    }
    tools = [ws.Tool("find", schema)]
    ws.plan("xai-strict", tools)
    change(schema)
    now, fresh = (
        ws.plan("xai-strict", planned) for planned in (tools, [ws.Tool("find", deepcopy(schema))])
    )
    assert repr([t.compiled.schema for t in now.tools]) == repr(
        [t.compiled.schema for t in fresh.tools]
    )
    assert [f.error.pointer for f in now.failed] == [f.error.pointer for f in fresh.failed]


@pytest.mark.parametrize("dialect", ["openai-strict", "gemini-json-schema", "openai-custom-regex"])
def test_a_body_that_was_changed_changes_no_other(dialect):
    """Clients and callers edit what they send; what is remembered is not theirs."""

    def spoil(value):
        if isinstance(value, dict):
            for each in list(value.values()):
                spoil(each)
            value["spoiled"] = True
        elif isinstance(value, list):
            for each in value:
                spoil(each)
            value.append("spoiled")

    tools, source = [ws.Tool("find", CITY), ws.Tool("now")], deepcopy(CITY)
    plan = ws.plan(dialect, tools)
    body = plan.request()
    sent = deepcopy(body)
    spoil(body)
    assert body != sent
    assert plan.request() == ws.plan(dialect, tools).request() == sent
    assert source == CITY


def test_other_options_are_other_compilations():
    tool = ws.Tool("find", CITY)
    closed = ws.plan("openai-strict", [tool])
    kept = ws.plan("openai-strict", [tool], options=ws.Options(open_objects="keep"))
    assert closed.tools[0].compiled.schema != kept.tools[0].compiled.schema
    plain = ws.plan("openai-strict", [tool]).tools[0].compiled.schema
    assert plain == closed.tools[0].compiled.schema


def test_a_registry_may_change_and_so_may_a_file(tmp_path: Path):
    part = {"type": "string"}
    options = ws.Options(registry={"https://example.org/part": part})
    tool = ws.Tool(
        "a", {"type": "object", "properties": {"p": {"$ref": "https://example.org/part"}}}
    )
    ws.plan("xai-strict", [tool], options=options)
    part["type"] = "integer"
    assert '"integer"' in str(ws.plan("xai-strict", [tool], options=options).request()).replace(
        "'", '"'
    )
    file = tmp_path / "s.json"
    file.write_text('{"type": "object"}')
    tool = ws.Tool("a", file)
    ws.plan("xai-strict", [tool])
    file.write_text('{"type": "array"}')
    assert ws.plan("xai-strict", [tool]).failed


def test_another_row_of_the_same_name_is_another_row(tmp_path: Path):
    path = tmp_path / "mine.toml"
    tool = ws.Tool("a", CITY)
    path.write_text('id = "mine"\nextends = "xai-strict"')
    assert "required" in ws.plan(ws.load_dialect(path), [tool]).tools[0].compiled.schema
    path.write_text('id = "mine"\nextends = "xai-strict"\n[objects]\ntitled = true')
    assert "title" in ws.plan(ws.load_dialect(path), [tool]).tools[0].compiled.schema


def test_what_is_no_json_and_what_is_too_deep_is_read_each_time():
    deep: dict = {"type": "object"}
    for _ in range(3000):
        deep = {"not": deep}
    odd = {"type": "object", "default": {1, 2}, "x": object()}
    for schema in (deep, odd):
        tool = ws.Tool("a", schema)
        for _ in range(2):
            failed = ws.plan("openai-strict", [tool]).failed
            assert [type(f.error) for f in failed] == [ws.SchemaError]


def test_what_holds_a_kind_of_its_own_is_read_each_time(lowered):
    tool = ws.Tool("a", {"type": "object", "properties": OrderedDict(x={"type": "string"})})
    for _ in range(2):
        assert ws.plan("openai-strict", [tool]).tools[0].strict
    assert len(lowered) == 2


def test_tools_are_equal_and_pickled_without_what_is_remembered():
    tool = ws.Tool("find", CITY)
    ws.plan("openai-strict", [tool])
    assert tool == ws.Tool("find", deepcopy(CITY))
    assert len(pickle.dumps(tool)) < 400
    again = pickle.loads(pickle.dumps(tool))
    assert ws.plan("openai-strict", [again]).request() == ws.plan("openai-strict", [tool]).request()


@given(st.lists(schemas(), max_size=4))
def test_a_second_plan_equals_the_first(sources):
    tools = [
        ws.Tool(f"t{i}", {"type": "object", "properties": {"x": s}}) for i, s in enumerate(sources)
    ]
    first, again = (ws.plan("anthropic-strict", tools) for _ in range(2))
    assert first.request() == again.request()
    assert first.reasons == again.reasons
