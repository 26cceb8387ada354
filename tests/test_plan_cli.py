"""`wireshape plan`: a file of tools becomes a request, a table of what it takes, and reasons."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from wireshape.cli import run

ADD = {"type": "object", "properties": {"a": {"type": "number"}}}


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the tools of a server, one of them broken."""
    monkeypatch.chdir(tmp_path)
    listed = [{"name": "add numbers", "description": "adds", "inputSchema": ADD}]
    Path("tools.json").write_text(json.dumps({"tools": listed}))
    listed.append({"name": "bad", "description": "", "inputSchema": {"type": "list"}})
    Path("broken.json").write_text(json.dumps({"tools": listed}))
    Path("form.json").write_text(json.dumps(ADD))
    return tmp_path


def test_the_request_and_what_it_takes(tools, capsys):
    assert run(["plan", "tools.json", "-d", "anthropic-strict", "--output", "form.json"]) == 0
    out = capsys.readouterr().out
    request, _ = json.JSONDecoder().raw_decode(out)
    assert request["tools"][0]["name"] == "add_numbers"
    assert request["output_config"]["format"]["type"] == "json_schema"
    table = [line.split() for line in out.splitlines()[-5:]]
    assert table == [
        ["name", "carrier", "optional_params", "union_params", "strict_tools", "strict"],
        ["add_numbers", "tool", "1", "0", "1", "strict"],
        ["output", "output", "1", "0", "0", "strict"],
        ["total", "2", "0", "1"],
        ["limit", "24", "16", "20"],
    ]


def test_the_dialect_of_a_model(tools, capsys):
    def planned(*arguments: str) -> str:
        assert run(["plan", "tools.json", *arguments]) == 0
        return capsys.readouterr().out

    assert planned("--model", "anthropic/claude-sonnet-4-5") == planned("-d", "anthropic-strict")
    assert planned("--model", "groq/openai/gpt-oss-120b") == planned("-d", "groq-strict")
    assert planned("-d", "groq-strict", "--model", "openai/gpt-oss-120b") == planned("-d", "groq-strict")  # fmt: skip


def test_a_tool_that_is_left_out_is_named(tools, capsys):
    assert run(["plan", "broken.json", "-d", "openai-strict", "--api", "responses", "--json"]) == 1
    shown = json.loads(capsys.readouterr().out)
    assert [item["wire_name"] for item in shown["items"]] == ["add_numbers"]
    assert shown["request"]["tools"][0]["name"] == "add_numbers"
    assert shown["reasons"][0].startswith("bad: left out; WS110 at /type")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["tools.json", "-d", "openai-strict", "--api", "grpc"],
            "its APIs are 'chat', 'responses'",
        ),
        (["none.json", "-d", "openai-strict"], "cannot read 'none.json'"),
        (["tools.json", "-d", "llguidance"], "states no API"),
    ],
)
def test_bad_arguments_are_one_line(tools, capsys, arguments, message):
    assert run(["plan", *arguments]) == 2
    err = capsys.readouterr().err
    assert message in err
    assert err.count("\n") == 1


def test_reasons_are_printed_and_a_row_may_have_no_limits(tools, capsys):
    assert run(["plan", "broken.json", "-d", "xai-strict"]) == 1
    out = capsys.readouterr().out
    assert "bad: left out; WS110 at /type" in out
    assert "limit" not in out.split("bad: left out")[0].split("name", 1)[1]
