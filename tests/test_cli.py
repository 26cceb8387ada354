"""The command line: every verb, both output forms, exit codes, and errors of one line."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest

import wireshape as ws
from wireshape import cli
from wireshape.cli import run
from wireshape.codes import CODES

SCHEMA = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "tags": {"type": "object", "additionalProperties": {"type": "integer"}},
    },
    "required": ["name"],
}
VALUE = {"name": "Ada", "tags": {"a": 1}}
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def call(tmp_path: Path, in_folder: Run) -> Run:
    """Run a command in a folder with a schema and a value; returns exit code, stdout and stderr."""
    (tmp_path / "s.json").write_text(json.dumps(SCHEMA))
    (tmp_path / "v.json").write_text(json.dumps(VALUE))
    return in_folder


def test_no_verb_prints_help(call: Run) -> None:
    code, out, _ = call()
    assert code == 0
    assert "Exit codes: 0 fine, 1 findings or loss, 2 usage or bad input." in out


@pytest.mark.parametrize("verb", sorted(cli.cli.commands))
def test_every_verb_has_help_with_an_example(call: Run, verb: str) -> None:
    code, out, _ = call(verb, "--help")
    assert code == 0
    assert "Example" in out
    assert f"  wireshape {verb}" in out or f"| wireshape {verb}" in out
    assert "--json" in out


def test_version(call: Run) -> None:
    code, out, _ = call("--version")
    assert code == 0
    assert out.startswith("wireshape ")


# compile


def test_compile_prints_the_schema_and_the_report(call: Run) -> None:
    code, out, err = call("compile", "s.json", "--dialect", "openai-strict")
    c = ws.compile(SCHEMA, "openai-strict")
    assert code == 0
    assert json.loads(out) == c.schema
    assert list(json.loads(out)) == list(c.schema)
    assert err == f"{c.report}\n"


@pytest.mark.parametrize("model", ["openai/gpt-5.2", "openai:gpt-5.2", "OpenAI/gpt-5.2"])
def test_a_model_names_the_dialect(call: Run, model: str) -> None:
    assert call("compile", "s.json", "--model", model) == call("compile", "s.json", "-d", "openai-strict")  # fmt: skip
    assert call("encode", "s.json", "v.json", "--model", model)[0] == call("encode", "s.json", "v.json", "-d", "openai-strict")[0]  # fmt: skip
    code, _, err = call("compile", "s.json", "--model", "nobody/gpt-5.2")
    assert code != 0
    assert "WS704" in err


def test_compile_json(call: Run) -> None:
    code, out, err = call("compile", "s.json", "-d", "openai-strict", "--json")
    c = ws.compile(SCHEMA, "openai-strict")
    assert (code, err) == (0, "")
    assert json.loads(out) == {
        "dialect": "openai-strict",
        "schema": c.schema,
        "report": c.report.to_json(),
    }


def test_compile_from_stdin_to_a_file(call: Run, tmp_path: Path) -> None:
    code, out, _ = call(
        "compile", "-", "-d", "lenient", "--out", "w.json", stdin="\ufeff" + json.dumps(SCHEMA)
    )
    assert (code, out) == (0, "")
    assert json.loads((tmp_path / "w.json").read_text()) == SCHEMA


def test_the_help_of_compile_reads_in_paragraphs(call: Run) -> None:
    _, out, _ = call("compile", "--help")
    assert "The report goes to stderr.\n\n  SOURCE is a schema file" in out


@pytest.mark.parametrize(
    ("switches", "options"),
    [
        (["--no-describe"], ws.Options(describe=False)),
        (["--no-formats"], ws.Options(assert_formats=False)),
        ([], ws.Options()),
    ],
)
def test_switches_reach_the_compiler(call: Run, switches: list[str], options: ws.Options) -> None:
    schema = {
        "type": "object",
        "properties": {"d": {"type": "string", "format": "date", "maxLength": 9}},
    }
    code, out, _ = call(
        "compile", "-", "-d", "gemini-openapi", *switches, "--json", stdin=json.dumps(schema)
    )
    compiled = ws.compile(schema, "gemini-openapi", options=options)
    assert code == 0
    assert json.loads(out)["schema"] == compiled.schema
    assert json.loads(out)["report"] == compiled.report.to_json()


def test_what_cannot_be_spelled_can_be_an_error(call: Run) -> None:
    anything = json.dumps({"type": "object", "properties": {"a": {}}})
    assert call("compile", "-", "-d", "gemini-openapi", stdin=anything)[0] == 0
    code, out, err = call(
        "compile", "-", "-d", "gemini-openapi", "--inexpressible", "raise", stdin=anything
    )
    assert (code, out) == (1, "")
    assert err.startswith("error: WS2")


def test_compile_options_reach_the_compiler(call: Run) -> None:
    _, out, _ = call(
        "compile",
        "s.json",
        "-d",
        "openai-strict",
        "--open-objects",
        "keep",
        "--absent",
        "box",
        "--unroll",
        "1",
        "--json",
    )
    options = ws.Options(open_objects="keep", absent="box", unroll=1)
    assert json.loads(out)["schema"] == ws.compile(SCHEMA, "openai-strict", options=options).schema
    old = json.dumps({"type": "number", "minimum": 0, "exclusiveMinimum": True})
    code, out, _ = call("compile", "-", "-d", "lenient", "--draft", "draft4", stdin=old)
    assert code == 0


def test_compile_raises_on_loss(call: Run) -> None:
    lossy = json.dumps(
        {
            "type": "object",
            "properties": {"a": {"not": {"const": 1}, "type": "integer"}},
            "additionalProperties": False,
        }
    )
    assert call("compile", "-", "-d", "openai-strict", stdin=lossy)[0] == 0
    code, out, err = call("compile", "-", "-d", "openai-strict", "--on-loss", "raise", stdin=lossy)
    assert (code, out) == (1, "")
    assert err.startswith("error: WS")
    assert err.count("\n") == 1


def test_compile_with_a_registry(call: Run, tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text(
        json.dumps({"$id": "https://x.test/other", "type": "integer"})
    )
    (tmp_path / "anonymous.json").write_text(json.dumps({"type": "boolean"}))
    both = {
        "type": "array",
        "prefixItems": [{"$ref": "https://x.test/other"}, {"$ref": "urn:b"}],
        "items": False,
        "minItems": 2,
    }
    registry = ["--registry", "other.json", "--registry", "urn:b=anonymous.json"]
    code, _, err = call(
        "encode", "-", "v2.json", "-d", "openai-strict", *registry, stdin=json.dumps(both)
    )
    assert code == 2
    (tmp_path / "v2.json").write_text("[1, true]")
    code, _, err = call(
        "encode", "-", "v2.json", "-d", "openai-strict", *registry, stdin=json.dumps(both)
    )
    assert code == 0, err
    code, _, err = call("compile", "-", "-d", "openai-strict", stdin=json.dumps(both))
    assert code == 2
    code, _, err = call("compile", "s.json", "-d", "openai-strict", "--registry", "anonymous.json")
    assert code == 2
    assert "write --registry URI=anonymous.json" in err


def test_compile_a_python_type(call: Run, tmp_path: Path) -> None:
    (tmp_path / "shop_models.py").write_text(
        "from pydantic import BaseModel\n\n\nclass Order(BaseModel):\n    sku: str\n\n    class Line(BaseModel):\n        n: int\n"
    )
    code, out, _ = call("compile", "shop_models:Order", "-d", "openai-strict")
    assert code == 0
    assert list(json.loads(out)["properties"]) == ["sku"]
    code, out, _ = call("compile", "shop_models:Order.Line", "-d", "openai-strict")
    assert list(json.loads(out)["properties"]) == ["n"]
    (tmp_path / "o.json").write_text('{"sku": "x"}')
    code, out, _ = call("decode", "shop_models:Order", "o.json", "-d", "openai-strict")
    assert (code, json.loads(out)) == (0, {"sku": "x"})
    code, out, _ = call("check", "shop_models:Order", "-d", "lenient")
    assert (code, out) == (0, "lenient: accepted\n")
    assert str(tmp_path) not in sys.path


# check, explain


def test_check_finds_violations(call: Run) -> None:
    code, out, _ = call("check", "s.json", "--dialect", "openai-strict", "-d", "lenient")
    assert code == 1
    assert "openai-strict: " in out
    assert "lenient: accepted" in out
    assert "  WS4" in out


def test_check_all_as_json(call: Run) -> None:
    code, out, _ = call("check", "s.json", "--dialect", "all", "--json")
    found = json.loads(out)
    assert code == 1
    assert list(found) == ws.dialects()
    assert found["lenient"] == []
    assert {"code", "pointer", "message"} <= set(found["openai-strict"][0])


def test_check_accepts_what_compile_makes(call: Run) -> None:
    for dialect in ws.dialects():
        _, wire, _ = call("compile", "s.json", "-d", dialect)
        assert call("check", "-", "-d", dialect, stdin=wire)[0] == 0, dialect


def test_explain_a_code(call: Run) -> None:
    code, out, _ = call("explain", "ws213")
    assert code == 0
    assert out.startswith("WS213 (narrowed, quiet)\nopen object is closed")
    code, out, _ = call("explain", "WS201", "--json")
    assert json.loads(out)["effect"] == "widened"
    code, out, _ = call("explain", "WS611")
    assert out.startswith("WS611\nnot a pair; <remedy>\n")
    code, text, _ = call("explain", "WS611", "--json")
    assert json.loads(text)["effect"] is None
    code, text, _ = call("explain", "WS116")
    assert text.startswith("WS116 (exact, quiet)\n")
    assert "`{key, value}`" in out
    code, _, err = call("explain", "WS299")
    assert code == 2
    assert "near it: WS246, WS245, WS244" in err


def test_every_code_in_the_source_can_be_explained() -> None:
    package = Path(cli.__file__).parents[1]
    text = "".join(f.read_text("utf-8") for f in package.rglob("*.py"))
    assert set(re.findall(r"\"(WS\d{3})\"", text)) <= set(CODES)


def test_explain_a_schema(call: Run) -> None:
    code, out, _ = call("explain", "s.json", "-d", "openai-strict")
    assert code == 0
    assert "WS214" in out
    assert "at /properties/tags" in out
    code, out, _ = call("explain", "s.json", "-d", "openai-strict", "--json")
    assert json.loads(out)["report"] == ws.compile(SCHEMA, "openai-strict").report.to_json()
    code, out, _ = call("explain", "s.json", "-d", "lenient")
    assert "carries this schema exactly" in out
    code, _, err = call("explain", "s.json")
    assert code == 2
    assert "--dialect" in err


# encode, decode


@pytest.mark.parametrize("dialect", ws.dialects())
def test_encode_and_decode_are_inverse(call: Run, dialect: str) -> None:
    code, wire, _ = call("encode", "s.json", "v.json", "-d", dialect)
    assert code == 0
    assert json.loads(wire) == ws.compile(SCHEMA, dialect).encode(VALUE)
    code, out, _ = call("decode", "s.json", "-", "-d", dialect, stdin=wire)
    assert (code, json.loads(out)) == (0, VALUE)


def test_encode_and_decode_as_json(call: Run, tmp_path: Path) -> None:
    _, out, _ = call("encode", "s.json", "v.json", "-d", "openai-strict", "--json")
    wire = ws.compile(SCHEMA, "openai-strict").encode(VALUE)
    assert json.loads(out) == {"dialect": "openai-strict", "value": VALUE, "wire": wire}
    (tmp_path / "w.json").write_text(json.dumps(wire))
    _, out, _ = call("decode", "s.json", "w.json", "-d", "openai-strict", "--json")
    told = json.loads(out)
    assert (told["dialect"], told["kind"], told["value"]) == ("openai-strict", "output", VALUE)
    assert (told["rung"], told["edits"], told["evidence"]) == ("strict", [], [])
    _, out, _ = call("decode", "s.json", "w.json", "-d", "openai-strict", "--no-gate", "--json")
    assert json.loads(out) == {"dialect": "openai-strict", "wire": wire, "value": VALUE}


def test_encode_fails_where_the_wire_has_no_spelling(call: Run) -> None:
    code, out, err = call(
        "encode", "s.json", "-", "-d", "openai-strict", stdin='{"name": "Ada", "extra": 1}'
    )
    assert (code, out) == (1, "")
    assert err.startswith("error: WS")
    assert err.count("\n") == 1


def test_decode_gates_unless_told_not_to(call: Run, tmp_path: Path) -> None:
    (tmp_path / "n.json").write_text(
        json.dumps(
            {
                "type": "object",
                "properties": {"n": {"type": "integer", "not": {"const": 0}}},
                "required": ["n"],
                "additionalProperties": False,
            }
        )
    )
    code, out, err = call("decode", "n.json", "-", "-d", "openai-strict", stdin='{"n": 0}')
    assert (code, out) == (1, "")
    assert "at /n" in err
    code, out, _ = call(
        "decode", "n.json", "-", "-d", "openai-strict", "--no-gate", stdin='{"n": 0}'
    )
    assert (code, json.loads(out)) == (0, {"n": 0})
    code, _, err = call(
        "decode",
        "s.json",
        "-",
        "-d",
        "openai-strict",
        stdin='{"name": "Ada", "tags": [{"key": "a", "value": 1}, {"key": "a", "value": 2}]}',
    )
    assert code == 1
    assert "at /tags" in err


def test_decode_reads_messy_text_and_tells_how(call: Run) -> None:
    reply = "Here: {'name': 'Ada', 'tags': [{'key': 'a', 'value': '1'}],}"
    code, out, err = call("decode", "s.json", "-", "-d", "openai-strict", stdin=reply)
    assert (code, json.loads(out)) == (0, VALUE)
    assert err.startswith("read as repaired, ")
    assert "trailing-comma at character 58: ','" in err
    assert "coerced at /tags/0/value: '1' -> '1'" in err
    code, out, _ = call("decode", "s.json", "-", "-d", "openai-strict", "--json", stdin=reply)
    told = json.loads(out)
    assert (code, told["rung"], told["value"]) == (0, "repaired", VALUE)
    assert {"offset": 58, "pointer": None, "kind": "trailing-comma", "before": ",", "after": ""} in told["edits"]  # fmt: skip


def test_decode_tells_why_there_is_no_answer(call: Run) -> None:
    code, out, err = call("decode", "s.json", "-", "-d", "openai-strict", stdin='{"name": "A')
    assert (code, out) == (1, "")
    assert err == "error: WS635 at /: the text ends inside a value (at character 11)\n"
    code, out, err = call(
        "decode", "s.json", "-", "-d", "lenient", "--json", "--finish-reason", "length", stdin="{'name': 'A'}"
    )  # fmt: skip
    told = json.loads(out)
    assert (code, err, told["kind"], told["truncated"]) == (1, "", "failed", True)


def test_decode_of_a_model_prints_json(call: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    (tmp_path / "reply_models.py").write_text(
        "import datetime, pydantic\nclass Day(pydantic.BaseModel):\n    day: datetime.date\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    code, out, _ = call(
        "decode", "reply_models:Day", "-", "-d", "lenient", stdin='{"day": "2026-05-01",}'
    )
    assert (code, json.loads(out)) == (0, {"day": "2026-05-01"})
    lines = '"{\\"day\\": \\"2026-05-01\\"}"\n'
    code, out, _ = call("decode", "reply_models:Day", "-", "-d", "lenient", "--jsonl", stdin=lines)
    assert (code, json.loads(out)["value"]) == (0, {"day": "2026-05-01"})


@pytest.mark.parametrize("jobs", [[], ["--jobs", "1"], ["--jobs", "2"]])
@pytest.mark.parametrize("count", [3, 300])
def test_decode_reads_a_file_of_replies(
    call: Run, tmp_path: Path, jobs: list[str], count: int
) -> None:
    replies = [
        {"id": n, "out": [{"text": f'{{"name": "A{n}"{"," if n % 3 else ""}}}'}]}
        for n in range(count)
    ]
    text = "\n".join([json.dumps(r) for r in replies])
    (tmp_path / "r.jsonl").write_text(text + '\n\n{"out": []}\nno\n{"out": [{"text": "{"}]}\n3\n')
    code, out, err = call("decode", "s.json", "r.jsonl", "-d", "lenient", "--jsonl", "--at", "/out/0/text", *jobs)  # fmt: skip
    assert code == 1
    told = [json.loads(line) for line in out.splitlines()]
    assert [t["value"] for t in told[:count]] == [{"name": f"A{n}"} for n in range(count)]
    assert [t["line"] for t in told] == [
        *range(1, count + 1),
        count + 2,
        count + 3,
        count + 4,
        count + 5,
    ]
    assert [t["kind"] for t in told[count:]] == ["failed"] * 4
    assert f"{count + 4} replies: {count} outputs, 4 failed" in err
    assert "strict" in err
    assert "no reply" in err


def test_decode_of_lines_that_all_fit(call: Run) -> None:
    args = ("decode", "s.json", "-", "-d", "lenient", "--jsonl")
    code, out, err = call(*args, stdin='{"name": "A"}\n"{\'name\': \'B\'}"\n')
    assert [json.loads(line)["value"]["name"] for line in out.splitlines()] == ["A", "B"]
    assert (code, "2 replies: 2 outputs, 0 failed" in err) == (0, True)
    code, out, err = call(*args, stdin=json.dumps('{"name": "A", "n": ' + "9" * 5000 + "}"))
    assert (code, "unprintable" in err) == (1, True)
    code, out, err = call("decode", "s.json", "-", "-d", "lenient", stdin='{"name": "A", "n": ' + "9" * 5000 + "}")  # fmt: skip
    assert (code, out, "cannot be printed" in err) == (2, "", True)
    code, _, err = call(*args, "--at", "text", stdin="1\n")
    assert code == 2
    assert "no JSON pointer" in err


def test_stdin_cannot_be_both(call: Run) -> None:
    code, _, err = call("encode", "-", "-", "-d", "lenient")
    assert code == 2
    assert "not both" in err


def test_values_that_stdout_cannot_print_are_escaped(
    call: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(sys.stdout), "encoding", "ascii", raising=False)
    code, out, _ = call("encode", "-", "v.json", "-d", "lenient", stdin="true")
    assert code == 0
    code, out, _ = call("compile", "-", "-d", "lenient", stdin='{"description": "größer"}')
    assert "gr\\u00f6\\u00dfer" in out or "größer" in out


# dialects


def test_dialects_are_listed(call: Run) -> None:
    code, out, _ = call("dialects")
    lines = out.splitlines()
    assert code == 0
    assert lines[0].split() == ["id", "family", "mode", "carriers", "draft", "title"]
    assert [line.split()[0] for line in lines[1:]] == ws.dialects()
    code, out, _ = call("dialects", "--json")
    assert [row["id"] for row in json.loads(out)] == ws.dialects()


@pytest.mark.parametrize("dialect", ws.dialects())
def test_a_dialect_is_shown_with_its_evidence(call: Run, dialect: str) -> None:
    code, out, _ = call("dialects", dialect)
    assert code == 0
    assert out.startswith(f'id = "{dialect}"\n')
    assert "\n[objects]\n" in out
    code, out, _ = call("dialects", dialect, "--json")
    row = json.loads(out)
    assert row["id"] == dialect
    assert "evidence" in row


def test_every_piece_of_evidence_is_printed(call: Run) -> None:
    _, out, _ = call("dialects", "openai-strict")
    _, row, _ = call("dialects", "openai-strict", "--json")
    for entry in json.loads(row)["evidence"].values():
        assert entry["source"] in out


def test_rows_of_your_own(call: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('id = "mine"\nextends = "openai-strict"\n')
    code, out, _ = call("dialects", "--check", "mine.toml")
    assert (code, out) == (0, "mine: the row is sound\n")
    code, out, _ = call("dialects", "--check", "openai-strict", "--json")
    assert json.loads(out) == {"id": "openai-strict", "sound": True}
    code, out, _ = call("compile", "s.json", "-d", "mine.toml", "--json")
    assert json.loads(out)["dialect"] == "mine"
    (tmp_path / "wrong.toml").write_text('id = "wrong"\n[objects]\nall_requierd = true\n')
    code, _, err = call("dialects", "--check", "wrong.toml")
    assert code == 2
    assert "wrong.toml" in err
    assert "all_requierd" in err
    code, _, err = call("dialects", "wrong.toml")
    assert code == 2
    assert "all_requierd" in err


def test_a_row_of_your_own_is_shown_with_its_facts_and_evidence(call: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(
        'id = "mine"\nextends = "openai-strict"\n[models]\nproviders = ["me"]\n[limits]\ndepth = 4\n'
        '[evidence]\n"limits.depth" = { source = "my page", date = "2026", confidence = "measured" }\n'
    )
    code, out, _ = call("dialects", "mine.toml", "--json")
    mine, parent = json.loads(out), json.loads(call("dialects", "openai-strict", "--json")[1])
    assert (code, mine["id"], mine["limits"]["depth"]) == (0, "mine", 4)
    assert mine["models"] == {"providers": ["me"]}
    assert (mine["apis"], mine["objects"]) == (parent["apis"], parent["objects"])
    assert mine["evidence"]["limits.depth"]["source"] == "my page"
    assert mine["evidence"]["objects.extras"] == parent["evidence"]["objects.extras"]
    code, out, _ = call("dialects", "mine.toml")
    assert code == 0
    assert "depth = 4\n    measured, 2026, my page\n" in out


# errors


@pytest.mark.parametrize(
    ("args", "stdin", "text"),
    [
        (
            ["compile", "nowhere.json", "-d", "lenient"],
            "",
            "cannot read 'nowhere.json': No such file",
        ),
        (["compile", ".", "-d", "lenient"], "", "cannot read '.'"),
        (["compile", "-", "-d", "lenient"], '{"a": 1,\n "b" 2}', "- is not JSON: line 2 column 6"),
        (["compile", "-", "-d", "lenient"], "[" * 200_000, "nested too deep"),
        (["compile", "-", "-d", "lenient"], b"\xff\xfe{}", "not UTF-8"),
        (["compile", "-", "-d", "lenient"], '{"minimum": NaN}', "NaN is no JSON number"),
        (["compile", "-", "-d", "lenient"], '{"a": 1, "a": 2}', "key 'a' stands twice"),
        (
            ["compile", "-", "-d", "lenient"],
            "[1]",
            "a schema is an object or a boolean, this is [1]",
        ),
        (["compile", "-", "-d", "lenient"], "", "line 1 column 1"),
        (["compile", "-", "-d", "openai-strict"], '{"type": "strnig"}', "WS1"),
        (["compile", "-", "-d", "openai-strict"], '{"$ref": "#/nowhere"}', "error: WS"),
        (["compile", "s.json", "-d", "openai-stirct"], "", "openai-strict"),
        (["compile", "s.json", "-d", "nowhere.toml"], "", "nowhere.toml"),
        (
            ["compile", "s.json", "-d", "lenient", "--out", "no/such/folder.json"],
            "",
            "cannot write",
        ),
        (
            ["compile", "no_such_module:Order", "-d", "lenient"],
            "",
            "cannot import 'no_such_module'",
        ),
        (["compile", "json:Nope", "-d", "lenient"], "", "cannot find 'Nope' in module 'json'"),
        (["compile", "json:loads", "-d", "lenient"], "", "is not a type"),
        (
            ["compile", "broken_module:X", "-d", "lenient"],
            "",
            "importing 'broken_module' failed: ZeroDivisionError",
        ),
        (
            ["compile", "exiting_module:X", "-d", "lenient"],
            "",
            "importing 'exiting_module' failed: SystemExit",
        ),
        (["compile", "s.json"], "", "name one of --dialect and --model"),
        (
            ["compile", "s.json", "-d", "lenient", "--model", "openai/x"],
            "",
            "name one of --dialect and --model",
        ),
        (["compile", "s.json", "--model", "gpt-5.2"], "", "names no provider"),
        (["compile", "s.json", "--model", "/gpt-5.2"], "", "names no provider"),
        (["plan", "s.json"], "", "name a --dialect or a --model"),
        (["compile", "s.json", "-d", "lenient", "--absent", "maybe"], "", "'maybe' is not one of"),
        (["compile", "s.json", "-d", "lenient", "--unroll", "0"], "", "--unroll"),
        (["frobnicate"], "", "No such command 'frobnicate'"),
        (["encode", "s.json", "-", "-d", "lenient"], "{", "line 1 column 2"),
        (["golden", "--root", "nowhere"], "", "holds no cases"),
    ],
    ids=lambda v: "-".join(v)[:40] if isinstance(v, list) else None,
)
def test_bad_input_is_one_line_and_exit_code_2(
    call: Run, tmp_path: Path, args: list[str], stdin: str | bytes, text: str
) -> None:
    (tmp_path / "broken_module.py").write_text("1 / 0\n")
    (tmp_path / "exiting_module.py").write_text("import sys\nsys.exit(3)\n")
    code, out, err = call(*args, stdin=stdin)
    assert (code, out) == (2, "")
    assert err.startswith("error: ")
    assert text in err
    assert err.count("\n") == 1


def test_an_interrupt_is_one_line(call: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(ws, "compile", interrupted)
    code, _, err = call("compile", "s.json", "-d", "lenient")
    assert (code, err.strip()) == (130, "error: interrupted")


def test_a_closed_pipe_is_silent() -> None:
    script = (
        "import sys; from wireshape.cli import run; sys.exit(run(['dialects', 'openai-strict']))"
    )
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-c", script], stdout=write, stderr=subprocess.PIPE, check=False
    )
    os.close(write)
    assert done.returncode == 141
    assert done.stderr == b""


def test_a_closed_pipe_is_told_by_the_exit_code(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def closed() -> list[str]:
        raise BrokenPipeError

    with (tmp_path / "out").open("w") as out:
        monkeypatch.setattr(sys, "stdout", out)
        monkeypatch.setattr(ws, "dialects", closed)
        assert run(["dialects"]) == 141


@pytest.mark.parametrize(
    "args", [["dialects", "openai-strict"], ["check", "s.json", "-d", "all"], ["--help"]]
)
def test_a_full_disk_is_one_line(
    call: Run,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    args: list[str],
) -> None:
    def full() -> None:
        raise OSError(28, "No space left on device")

    with (tmp_path / "out").open("w") as out:
        monkeypatch.setattr(sys, "stdout", out)
        monkeypatch.setattr(out, "flush", full, raising=False)
        code = run(args)
        monkeypatch.undo()
    assert code == 2
    assert capsys.readouterr().err == "error: cannot write the output: No space left on device\n"


@pytest.mark.parametrize(
    ("closed", "code", "told"),
    [("stdin", 2, "error: cannot read stdin: it is closed\n"), ("stdout", 1, "")],
)
def test_streams_that_are_closed_from_the_start(closed: str, code: int, told: str) -> None:
    script = f"import sys; sys.{closed} = None; from wireshape.cli import run; sys.exit(run(['check', '-', '-d', 'openai-strict']))"
    done = subprocess.run(
        [sys.executable, "-c", script], input="true", capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (code, told)


HOSTILE = {
    "bytes.json": bytes(range(256)),
    "utf16.json": '{"type": "object"}'.encode("utf-16"),
    "bom.json": b'\xef\xbb\xbf{"type": "object"}',
    "boms.json": b"\xef\xbb\xbf\xef\xbb\xbf{}",
    "nul.json": b"\0",
    "empty.json": b"",
    "nan.json": b'{"minimum": NaN}',
    "large.json": b'{"minimum": 1e999, "enum": [1e999]}',
    "digits.json": b'{"minimum": ' + b"9" * 4200 + b"}",
    "too_many_digits.json": b'{"minimum": ' + b"9" * 5000 + b"}",
    "deep.json": b'{"items":' * 400 + b"{}" + b"}" * 400,
    "too_deep.json": b"[" * 100_000,
    "surrogate.json": b'{"properties": {"\\ud800": {"oneOf": []}}, "type": "\\udfff"}',
    "twice.json": b'{"a": 1, "a": 2}',
    "rest.json": b"{} x",
    "scalar.json": b'"x"',
    "lines.jsonl": b'{}\n\n[]\n"x"\n',
    "row.toml": b'id = "x"\n[objects]\nextras = 3\n',
    "bytes.toml": b"\xff\xfe",
    "hostile_models.py": b"A = {1: 2}\nB = {}\nB['not'] = B\nC = {'default': {1}}\n",
}
VERBS = [
    ["compile", "X"],
    ["check", "X"],
    ["explain", "X"],
    ["diff", "X"],
    ["encode", "X", "v.json"],
    ["encode", "s.json", "X"],
    ["decode", "X", "v.json"],
    ["decode", "s.json", "X"],
]


@pytest.mark.parametrize("verb", VERBS, ids="-".join)
@pytest.mark.parametrize("as_json", [False, True], ids=["text", "json"])
def test_hostile_input_is_an_answer_or_one_line(
    call: Run, tmp_path: Path, verb: list[str], as_json: bool
) -> None:
    for name, content in HOSTILE.items():
        (tmp_path / name).write_bytes(content)
    sources = [
        *HOSTILE,
        ".",
        "nowhere",
        "",
        "\0",
        "a\udcff",
        "hostile_models:A",
        "hostile_models:B",
        "hostile_models:C",
        "hostile_models:D",
        "http://x.test/y",
    ]
    for source in sources:
        dialects = "openai-strict,xai-strict" if verb[0] == "diff" else "openai-strict"
        args = [source if word == "X" else word for word in verb]
        code, out, err = call(*args, "-d", dialects, *["--json"][: int(as_json)])
        assert code in (0, 1, 2), args
        told = verb[0] == "check" or (verb[0] == "decode" and as_json and out)
        if code == 2 or (code == 1 and not told):
            assert err.startswith("error: ") and err.count("\n") == 1 and out == "", args
        elif as_json:
            json.loads(out)
    for row in ("row.toml", "bytes.toml", "nowhere.toml", "", ",", "\0"):
        code, _, err = call("check", "s.json", "-d", row)
        assert (code, err.count("\n")) == (2, 1), row


def test_the_console_script_runs(
    call: Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["wireshape", "frobnicate"])
    with pytest.raises(SystemExit) as e:
        cli.main()
    assert e.value.code == 2
    assert capsys.readouterr().err.startswith("error: No such command 'frobnicate'")


def test_options_are_described() -> None:
    for verb in cli.cli.commands.values():
        for parameter in verb.params:
            if isinstance(parameter, click.Option):
                assert parameter.help, (verb.name, parameter.name)


def test_an_unknown_code_names_the_few_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "WS999"]) == 2
    assert "near it: WS704, WS703, WS702" in capsys.readouterr().err
