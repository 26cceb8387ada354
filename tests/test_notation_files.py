"""Notation as files and commands: laid out once and for all, comments kept, converted both ways, a source everywhere."""

from __future__ import annotations

import io
import json
import random
import sys
from pathlib import Path

import pytest
from hypothesis import given

import wireshape as ws
from wireshape import ir
from wireshape.cli import run
from wireshape.notation.dense import compact
from wireshape.notation.format import format_text
from wireshape.notation.grammar import parse
from wireshape.notation.source import read_text
from wireshape.options import Options
from wireshape.read import read
from wireshape.testing import schemas

MESSY = """// the file
/// An order.
type Order = {id:string,   // behind
  // before
  lines : Line[]@min( 1 ) ; // of goods
  // of two
  // lines
  shape?:| {kind:"circle"} // round
   | { kind : 'square', /* no comment */ }
}"""
TEXT = """// the file
/// An order.
type Order = {
  id: string  // behind
  // before
  lines: Line[] @min(1)  // of goods
  // of two
  // lines
  shape?: { kind: "circle" } | { kind: "square" }
  inner: {
    a: null
    // last
  }  // about inner
}

// about lines
type Line = "a" | "b" | 3  // values

// the end
"""


def test_layout_of_a_file() -> None:
    messy = MESSY.replace("/* no comment */", "").removesuffix("}")
    messy += "inner:{a:null // last\n// really\n}}\n// the end"
    laid = format_text(messy + "\ntype Line=string")
    assert format_text(laid) == laid
    assert [line.strip() for line in laid.splitlines() if "//" in line] == [
        "// the file", "/// An order.", "id: string  // behind", "// before", "lines: Line[] @min(1)  // of goods",
        "// of two", "// lines", 'shape?: { kind: "circle" } | { kind: "square" }  // round', "a: null  // last", "// really", "// the end",
    ]  # fmt: skip


def test_what_is_laid_out_stays() -> None:
    assert format_text(TEXT) == TEXT


@given(schemas(max_leaves=12))
def test_layout_changes_no_meaning(schema: ir.Json) -> None:
    text = ws.to_notation(schema, compact=True)
    laid = format_text(text)
    assert format_text(laid) == laid
    assert read_text(laid, Options()).graph == read_text(text, Options()).graph


def test_comments_are_kept_wherever_they_stand() -> None:
    dice = random.Random(3)
    for _ in range(100):
        lines = TEXT.splitlines()
        marks = [f"// c{i}!" for i in range(4)]
        for mark in marks:
            at = dice.randrange(len(lines))
            if dice.random() < 0.5:
                lines.insert(at, mark)
            elif "//" not in lines[at]:
                lines[at] += " " + mark
            else:
                lines.append(mark)
        text = "\n".join(lines)
        laid = format_text(text)
        assert format_text(laid) == laid, text
        assert sorted(marks) == sorted([m for m in marks if m in laid])
        assert read_text(laid, Options()).graph == read_text(text, Options()).graph


LONG = """type A = { alpha: string, beta: string, gamma: string, delta: string, epsilon: string } & {
  zeta: string
  eta: string
  theta: string
  iota: string
  kappa: string
  lambda: string
  mu: string
}

type B = enum(
  null,
  "the first of several long values",
  "the second of several long values",
  "the third of several long values"
)

type C = any({
  /// documented
  a: B
})

type D = object @not({
  /// documented
  a: A
}) @if(
  {
    /// documented
    b: C
  },
  then: { [key: "a" | "b"]: any }
)

type E = [
  {
    /// documented
    a: null
  },
  string?,
  ...any[]
] @unique

type F = (
  | "one of many values" | "another one of many values" | "yet another one of many values"
  | "last"
  | { a: null }
)[]
"""


def test_long_types_are_broken_one_way() -> None:
    assert format_text(LONG) == LONG
    assert compact(parse("type A = B & { a?: `any` }")) == "type A=B & {\na?:`any`\n}"


def test_what_is_too_deep_to_be_written_is_told() -> None:
    deep: ir.Json = {"type": "string"}
    for _ in range(70):
        deep = {"items": deep, "type": "array"}
    schema = read(deep, Options())

    def down(levels: int) -> str:
        return down(levels - 1) if levels else ws.to_notation(schema)

    with pytest.raises(ws.SchemaError, match="nested too deeply to be written"):
        down(sys.getrecursionlimit() - 150)


def test_a_broken_file_is_told() -> None:
    with pytest.raises(ws.NotationError, match="line 2, column 4"):
        format_text("{\n  }}")
    with pytest.raises(ws.NotationError, match="nested"):
        format_text("(" * 3000 + "string" + ")" * 3000)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "o.shape").write_text("{id:string @min(2),   n?:integer|null}")
    (tmp_path / "bad.shape").write_text("{\n  id: strng\n}")
    return tmp_path


def test_fmt(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(["fmt", "--check", "o.shape"]) == 1
    assert "o.shape is laid out otherwise" in capsys.readouterr().err
    assert run(["fmt", "o.shape"]) == 0
    assert (folder / "o.shape").read_text() == "{ id: string @min(2), n?: integer | null }\n"
    assert run(["fmt", "--check", "o.shape"]) == 0
    assert run(["fmt", "bad.shape"]) == 0
    assert run(["fmt", "missing.shape"]) == 2
    capsys.readouterr()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"{a:string}")))
    assert run(["fmt", "-"]) == 0
    assert capsys.readouterr().out == "{ a: string }\n"
    (folder / "o.shape").write_text("{id:string}")
    assert run(["fmt", "--check", "--json", "o.shape", "bad.shape"]) == 1
    assert json.loads(capsys.readouterr().out) == {"changed": ["o.shape"]}


@pytest.mark.parametrize("switches", [[], ["--check"], ["--json"]])
def test_fmt_leaves_files_of_other_names_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], switches: list[str]
) -> None:
    kept = {tmp_path / "o.shape": "type   A = string\n", tmp_path / "o.json": '{"type": "object"}'}
    for path, text in kept.items():
        path.write_text(text)
    assert run(["fmt", *switches, *[str(path) for path in kept]]) == 2
    assert {path: path.read_text() for path in kept} == kept
    assert "--to notation" in capsys.readouterr().err


def test_convert_there_and_back(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(["convert", "o.shape", "--to", "json-schema", "--out", "o.json"]) == 0
    assert json.loads((folder / "o.json").read_text())["required"] == ["id"]
    assert run(["convert", "o.json", "--to", "notation"]) == 0
    assert capsys.readouterr().out == "{ id: string @min(2), n?: integer | null }\n"
    assert run(["convert", "o.json", "--to", "notation", "--compact"]) == 0
    assert capsys.readouterr().out == "{\nid:string @min(2)\nn?:integer|null\n}\n"
    (folder / "odd.json").write_text('{"type": "string", "frobnicate": 1}')
    assert run(["convert", "odd.json", "--to", "json-schema"]) == 0
    told = capsys.readouterr()
    assert json.loads(told.out) == {"type": "string"}
    assert "WS101 at /frobnicate" in told.err
    assert run(["convert", "odd.json", "--to", "notation", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["schema"], [n["code"] for n in answer["notes"]]) == ("string\n", ["WS101"])
    text = b"{ a: string }"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
    assert run(["convert", "-", "--to", "json-schema"]) == 0
    assert json.loads(capsys.readouterr().out)["required"] == ["a"]


def test_every_verb_takes_notation(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "v.json").write_text('{"id": "ab"}')
    for words in (
        ["compile", "o.shape", "-d", "openai-strict"],
        ["explain", "o.shape", "-d", "openai-strict"],
        ["diff", "o.shape", "-d", "openai-strict,lenient"],
        ["encode", "o.shape", "v.json", "-d", "openai-strict"],
        ["decode", "o.shape", "v.json", "-d", "openai-strict"],
        ["check", "o.shape", "-d", "tools-lenient"],
    ):
        assert run(words) == 0, words
    (folder / "tools.json").write_text("[]")
    assert run(["plan", "tools.json", "-d", "openai-strict", "--output", "o.shape"]) == 0
    capsys.readouterr()
    assert run(["compile", "bad.shape", "-d", "openai-strict"]) == 2
    assert capsys.readouterr().err == (
        "error: WS161: line 2, column 7: no type is called 'strng'; write string\n    id: strng\n        ^\n"
    )


def test_the_forms_of_a_schema() -> None:
    schema = {"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}}, "$defs": {"A": {"type": "null"}}}  # fmt: skip
    assert ws.to_notation(schema) == "{ a?: A }\n\ntype A = null\n"
    assert ws.to_json_schema(ws.to_notation(schema)) == schema
    deep: ir.Json = {"type": "string"}
    for _ in range(150):
        deep = {"not": deep}
    try:
        text = ws.to_notation(deep)
    except ws.SchemaError as error:
        assert error.code == "WS114"
    else:
        assert text.count("@not") == 150
