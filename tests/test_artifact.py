"""An artifact holds all that another process needs; what is no artifact is refused."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel
from referencing import Registry, Resource

import wireshape as ws

MAP: Any = {"type": "object", "additionalProperties": {"type": "integer"}}
UNION: Any = {"anyOf": [MAP, {"type": "array", "items": {"type": "integer"}}]}
SOURCE: Any = {
    "type": "object",
    "properties": {"u": UNION, "n": {"type": "integer", "minimum": 3}},
    "required": ["u"],
}


def document(**change: Any) -> Any:
    made: dict[str, Any] = json.loads(ws.compile(SOURCE, "openai-strict", name="x").to_json())
    return {**made, **change}


def read(made: Any) -> ws.Compiled:
    return ws.Compiled.from_json(json.dumps(made))


def test_everything_comes_back() -> None:
    compiled = ws.compile(SOURCE, "openai-strict", name="x")
    again = ws.Compiled.from_json(compiled.to_json())
    assert again.schema == compiled.schema
    assert again.report == compiled.report
    assert again.name == "x"
    assert again.dialect == compiled.dialect
    assert again.to_json() == compiled.to_json()
    for value in ({"u": {"a": 1}}, {"u": [1], "n": 3}):
        wire = compiled.encode(value)
        assert again.encode(value) == wire
        assert again.decode(wire) == value
        assert again.validate(value) is value
    with pytest.raises(ws.ValidationError):
        again.validate({"u": [], "n": 2})
    with pytest.raises(ws.EncodeError) as caught:
        again.encode({"u": [], "z": 1})
    assert caught.value.note in again.report.narrowed
    assert caught.value.pointer == "/z"


def test_keys_are_encoded_in_wire_order() -> None:
    again = ws.Compiled.from_json(ws.compile(SOURCE, "openai-strict").to_json())
    assert json.dumps(again.encode({"n": 3.0, "u": []})) == '{"u": {"arm": "list", "value": []}, "n": 3}'  # fmt: skip


def test_both_predicates_of_an_arm_are_written() -> None:
    arms = document()["codec"]["arms"]
    assert [arm["source"] for arm in arms] == UNION["anyOf"]
    assert arms[0]["wire"]["properties"]["arm"] == {"type": "string", "const": "object"}
    assert document(codec={})["codec"] == {}


def test_the_shape_of_the_document() -> None:
    made = document()
    assert list(made) == ["format", "dialect", "name", "schema", "codec", "report", "source"]
    assert made["format"] == 2
    assert made["source"] == {"document": SOURCE, "draft": "2020-12", "assert_formats": True}
    assert made["codec"]["step"][0] == "object"


def test_another_process_reads_it() -> None:
    code = "import sys, json, wireshape as ws; c = ws.Compiled.from_json(sys.stdin.read()); print(json.dumps(c.decode(c.encode({'u': {'a': 1}}))))"
    text = ws.compile(SOURCE, "openai-strict").to_json()
    done = subprocess.run([sys.executable, "-c", code], input=text, capture_output=True, text=True, check=True)  # fmt: skip
    assert json.loads(done.stdout) == {"u": {"a": 1}}


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", "3", '"x"', "{}", "[" * 100_000],
    ids=["empty", "cut", "list", "null", "number", "text", "no_keys", "deep"],
)
def test_text_that_is_no_artifact(text: str) -> None:
    with pytest.raises(ws.SchemaError) as caught:
        ws.Compiled.from_json(text)
    assert caught.value.code == "WS120"
    assert "write it again" in str(caught.value)


@pytest.mark.parametrize(
    "change",
    [
        {"codec": None},
        {"codec": {"step": ["made up"], "steps": {}, "arms": []}},
        {"codec": {"step": ["list"], "steps": {}, "arms": []}},
        {"codec": {"step": None, "steps": {"A": 3}, "arms": []}},
        {"codec": {"step": None, "steps": [], "arms": []}},
        {"codec": {"step": None, "steps": {}}},
        {"report": {"notes": [{"code": "WS201"}]}},
        {"report": []},
        {"source": {"document": {}}},
        {"source": []},
    ],
    ids=json.dumps,
)
def test_parts_that_are_no_artifact(change: Any) -> None:
    with pytest.raises(ws.SchemaError) as caught:
        read(document(**change))
    assert caught.value.code == "WS120"


@pytest.mark.parametrize("missing", list(document()))
def test_a_missing_part(missing: str) -> None:
    made = document()
    del made[missing]
    with pytest.raises(ws.SchemaError):
        read(made)


def test_another_format() -> None:
    with pytest.raises(ws.SchemaError, match="format 3; this version reads 2"):
        read(document(format=3))


MINE = 'id = "mine"\nextends = "openai-strict"\n[tuples]\nencoding = "items-union"\n'


def test_a_row_of_your_own_comes_back(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(MINE)
    row = ws.load_dialect(tmp_path / "mine.toml")
    compiled = ws.compile(SOURCE, row)
    (tmp_path / "mine.toml").unlink()
    again = ws.Compiled.from_json(compiled.to_json())
    assert again.dialect == row
    assert again.to_json() == compiled.to_json()
    assert again.decode(again.encode({"u": {"a": 1}})) == {"u": {"a": 1}}


def test_the_row_is_that_of_the_artifact_and_not_the_built_in_one() -> None:
    made = document()
    made["dialect"]["limits"]["properties"] = 7
    assert read(made).dialect.limits.properties == 7
    assert ws.dialect("openai-strict").limits.properties != 7


@pytest.mark.parametrize("dialect", ws.dialects())
def test_every_row_comes_back(dialect: str) -> None:
    again = ws.Compiled.from_json(ws.compile({"type": "object"}, dialect).to_json())
    assert again.dialect == ws.dialect(dialect)


@pytest.mark.parametrize(
    "dialect",
    [
        "openai-strict",
        None,
        [],
        {},
        {"id": 3},
        {"id": "x", "objects": None},
        {"id": "x", "colour": "red"},
        {"id": "x", "carriers": "tool"},
        {"id": "x", "carriers": [1]},
        {"id": "x", "strict": 1},
        {"id": "x", "objects": {"made_up": True}},
        {"id": "x", "objects": {"extras": "maybe"}},
        {"id": "x", "objects": {"extras": ["false"]}},
        {"id": "x", "limits": {"depth": True}},
        {"id": "x", "strings": {"formats": "date"}},
        {"id": "x", "strings": {"formats": [{}]}},
    ],
    ids=json.dumps,
)
def test_a_row_that_is_none(dialect: Any) -> None:
    with pytest.raises(ws.SchemaError) as caught:
        read(document(dialect=dialect))
    assert caught.value.code == "WS120"
    assert "write it again" in str(caught.value)


REFERRING: Any = {"type": "object", "properties": {"p": {"$ref": "urn:p"}}, "required": ["p"]}
P: Any = {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "integer", "minimum": 7}  # fmt: skip
REGISTRIES = {
    "mapping": {"urn:p": P},
    "registry": Registry().with_resource("urn:p", Resource.from_contents(P)),
}


@pytest.mark.parametrize("registry", list(REGISTRIES.values()), ids=list(REGISTRIES))
@pytest.mark.parametrize("dialect", ["openai-strict", "lenient"])
def test_the_registry_is_kept(dialect: str, registry: Any) -> None:
    compiled = ws.compile(REFERRING, dialect, options=ws.Options(registry=registry))
    made = json.loads(compiled.to_json())
    assert made["source"]["registry"] == {"urn:p": P}
    again = ws.Compiled.from_json(compiled.to_json())
    for one in (compiled, again):
        assert one.validate({"p": 7}) == {"p": 7}
        with pytest.raises(ws.ValidationError) as caught:
            one.validate({"p": 6})
        assert caught.value.pointer == "/p"
        assert one.decode(one.encode({"p": 7})) == {"p": 7}
    assert again.to_json() == compiled.to_json()


@pytest.mark.parametrize("asserting", [True, False])
def test_whether_formats_count_is_kept(asserting: bool) -> None:
    options = ws.Options(assert_formats=asserting)
    text = ws.compile({"type": "string", "format": "date"}, "lenient", options=options).to_json()
    again = ws.Compiled.from_json(text)
    if asserting:
        with pytest.raises(ws.ValidationError):
            again.validate("x")
    else:
        assert again.validate("x") == "x"


def test_the_draft_is_kept() -> None:
    old: Any = {"type": "integer", "maximum": 3, "exclusiveMaximum": True}
    text = ws.compile(old, "openai-strict", options=ws.Options(draft="draft4")).to_json()
    assert ws.Compiled.from_json(text).validate(2) == 2
    with pytest.raises(ws.ValidationError):
        ws.Compiled.from_json(text).validate(3)


class Line(BaseModel):
    sku: str
    count: int = 1


def test_bind_gives_instances_again() -> None:
    again = ws.Compiled.from_json(ws.compile(Line, "openai-strict").to_json())
    wire = {"sku": "a", "count": None}
    assert again.validate(again.decode(wire)) == {"sku": "a"}
    bound = again.bind(Line)
    assert bound.validate(bound.decode(wire)) == Line(sku="a")
    assert bound.encode(Line(sku="b", count=2)) == {"sku": "b", "count": 2}
    assert again.validate({"sku": "a"}) == {"sku": "a"}, "the first one is what it was"
