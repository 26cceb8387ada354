"""`check` over files: what it names, in every form it prints, and `diff`."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import wireshape as ws
from corpora import lines_of
from wireshape.declarations import declarations
from wireshape.dialect_evidence import evidence as evidence_of
from wireshape.ir import pointer

TOOLS = """{"jsonrpc": "2.0", "id": 1, "result": {"tools": [
  {"name": "add_cookie",
   "inputSchema": {"type": "object",
     "properties": {
       "name": {"type": "string", "minLength": 1},
       "path": {"oneOf": [{"type": "string"}, {"type": "null"}]}},
     "required": ["name", "path"], "additionalProperties": false},
   "outputSchema": {"type": "object", "properties": {}}}
]}}
"""
CLEAN = {"type": "object", "properties": {}, "additionalProperties": False}
ONE_OF = {n: ws.dialect(n).unions.one_of != "no" for n in ws.dialects()}
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def call(tmp_path: Path, in_folder: Run) -> Run:
    """Run a command in a folder with a file of tools; returns exit code, stdout and stderr."""
    (tmp_path / "tools.json").write_text(TOOLS)
    (tmp_path / "clean.json").write_text(json.dumps(CLEAN))
    return in_folder


def at(document: Any, place: str) -> Any:
    for token in place.split("/")[1:]:
        key = token.replace("~1", "/").replace("~0", "~")
        document = document[int(key)] if isinstance(document, list) else document[key]
    return document


# text


def test_the_text_names_everything(call: Run) -> None:
    code, out, err = call("check", "tools.json", "-d", "openai-strict,anthropic-strict")
    assert (code, err) == (1, "")
    findings, results, evidence, summary = out.split("\n\n")
    lines = findings.splitlines()
    assert lines[0] == "tools.json: add_cookie (input)"
    assert (
        lines[1].split()
        == "5:35 error WS401 /result/tools/0/inputSchema/properties/name/minLength 'minLength' is not accepted; remove it and tell it in the description".split()
    )
    assert lines[2] == "      strings.length: anthropic-strict"
    assert lines[3].split()[:4] == [
        "6:17",
        "error",
        "WS401",
        "/result/tools/0/inputSchema/properties/path/oneOf",
    ]
    assert lines[4] == "      unions.one_of: openai-strict, anthropic-strict"
    assert len(lines) == 5
    assert results.startswith("tools.json: add_cookie (output)\n  8:4 ")
    assert evidence.startswith("evidence\n")
    for name, rule in (("openai-strict", "unions.one_of"), ("anthropic-strict", "strings.length")):
        proof = evidence_of(name)[rule]
        assert f"{proof.confidence}, {proof.date}, {proof.source}" in evidence
    assert summary == (
        "openai-strict: 2 errors, 0 warnings in 2 of 2 schemas\n"
        "anthropic-strict: 3 errors, 0 warnings in 2 of 2 schemas\n"
    )


def test_the_text_of_all_dialects_has_one_line_for_each(call: Run) -> None:
    code, out, _ = call("check", "tools.json", "-d", "all")
    assert code == 1
    summary = out.rstrip().split("\n\n")[-1].splitlines()
    assert [line.partition(":")[0] for line in summary] == ws.dialects()
    assert "lenient: accepted" in summary
    assert max(map(len, out.split("evidence\n")[0].splitlines())) < 200


def test_dialects_that_all_agree_are_not_listed(call: Run) -> None:
    code, out, _ = call("check", "-", "-d", "all", stdin='{"type": "strnig"}')
    assert code == 1
    schemas = [d for d in ws.dialects() if ws.dialect(d).grammar.syntax == "none"]
    assert f"schema: all {len(schemas)} dialects but lenient" in out


def test_long_lists_of_dialects_are_wrapped(call: Run, tmp_path: Path) -> None:
    names = []
    for i in range(30):
        names.append(f"row-of-my-own-{i}.toml")
        (tmp_path / names[-1]).write_text(f'id = "row-of-my-own-{i}"\nextends = "openai-strict"\n')
    names += ws.dialects()
    _, out, _ = call("check", "clean.json", "tools.json", "-d", ",".join(names))
    first, *rest = out[out.index("      unions.one_of: ") :].splitlines()
    listed = [first, *itertools.takewhile(lambda line: line.startswith(" " * 8), rest)]
    assert len(listed) > 3
    assert max(map(len, listed)) <= 110
    assert ", ".join([line.strip(" ,") for line in listed]) == "unions.one_of: " + ", ".join(
        [n.removesuffix(".toml") for n in names if "row-of" in n or not ONE_OF[n]]
    )


def test_warnings_are_what_is_not_enforced(call: Run) -> None:
    schema = '{"type": "object", "properties": {"a": {"type": "string", "pattern": "a"}}}'
    code, out, _ = call("check", "-", "-d", "gemini-json-schema", stdin=schema)
    assert code == 1
    assert "gemini-json-schema: 0 errors, 1 warning in 1 of 1 schema\n" in out
    assert (
        call("check", "-", "-d", "gemini-json-schema", "--fail-on", "error", stdin=schema)[0] == 0
    )
    assert call("check", "tools.json", "-d", "openai-strict", "--fail-on", "error")[0] == 1
    assert call("check", "tools.json", "-d", "openai-strict", "--fail-on", "never")[0] == 0


# exit codes, sources, dialects


def test_exit_codes(call: Run) -> None:
    assert call("check", "clean.json", "-d", "openai-strict") == (
        0,
        "openai-strict: accepted\n",
        "",
    )
    assert call("check", "tools.json", "-d", "openai-strict")[0] == 1
    code, out, err = call("check", "-", "-d", "openai-strict", stdin='{"tools": [1]}')
    assert (code, out) == (2, "")
    assert (
        err
        == "error: WS130 at /tools/0: a tool must stand here; correct the document, or pass the part of it that holds the schemas\n"
    )


def test_several_files(call: Run) -> None:
    code, out, _ = call(
        "check", "clean.json", "tools.json", "-", "tools.json", "-d", "openai-strict", stdin="true"
    )
    assert code == 1
    assert "openai-strict: 3 errors, 0 warnings in 3 of 4 schemas\n" in out
    assert "tools.json: add_cookie (input)" in out
    assert "\n-: schema\n" in out
    code, _, err = call("check", "-", "-", "-d", "openai-strict")
    assert code == 2
    assert "stdin can be read once only" in err


def test_a_broken_file_is_named(call: Run, tmp_path: Path) -> None:
    (tmp_path / "lines.jsonl").write_text('{"type": "object"}\n\n{"type": \n')
    code, _, err = call("check", "clean.json", "lines.jsonl", "-d", "lenient")
    assert code == 2
    assert err.startswith("error: lines.jsonl line 3 is not JSON: line 1 column 10")


def test_json_lines(call: Run, tmp_path: Path) -> None:
    lines = (
        json.dumps(CLEAN)
        + "\r\n\n"
        + json.dumps({"tools": [{"name": "f", "inputSchema": {}}]})
        + "\n"
    )
    code, out, _ = call("check", "-", "-d", "openai-strict", "--json", stdin=lines)
    (first, *_) = json.loads(out)["openai-strict"]
    assert code == 1
    assert (first["tool"], first["pointer"], first["line"]) == ("f", "/1/tools/0/inputSchema", 3)
    (tmp_path / "one.ndjson").write_text('{"type": "object"}')
    _, out, _ = call("check", "one.ndjson", "-d", "openai-strict", "--json")
    assert json.loads(out)["openai-strict"][0]["pointer"] == "/0"
    _, out, _ = call("check", "-", "-d", "openai-strict", "--json", stdin='{"type":\n"object"}')
    assert json.loads(out)["openai-strict"][0]["pointer"] == ""


def test_all_asks_dialects_that_carry_such_schemas(call: Run, tmp_path: Path) -> None:
    tools = {name for name in ws.dialects() if "tool" in ws.dialect(name).carriers}
    outputs = {name for name in ws.dialects() if "output" in ws.dialect(name).carriers}
    assert tools != outputs
    lone = next(n for n in sorted(tools) if n not in outputs)
    form = json.dumps(
        {
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": "f", "schema": {"type": "strnig"}},
            }
        }
    )
    _, out, _ = call("check", "-", "-d", "all", "--json", stdin=form)
    assert {n for n, hits in json.loads(out).items() if hits} == outputs - {"lenient"}
    _, out, _ = call("check", "-", "-d", "all", stdin=form)
    assert f"{lone}: no schema of a kind that it carries\n" in out
    _, out, _ = call("check", "-", "-d", lone, "--json", stdin=form)
    assert json.loads(out)[lone]


def test_results_of_tools_can_be_left_out(call: Run) -> None:
    _, out, _ = call("check", "tools.json", "-d", "openai-strict", "--inputs-only", "--json")
    assert {hit["part"] for hit in json.loads(out)["openai-strict"]} == {"input"}


def test_rows_of_your_own_show_their_evidence(call: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(
        'id = "mine"\n[unions]\none_of = "no"\n[evidence]\n"unions.one_of" = { source = "my notes", date = "today", confidence = "measured" }\n'
    )
    code, out, _ = call(
        "check", "tools.json", "-d", "mine.toml,openai-strict", "-d", "openai-strict"
    )
    assert code == 1
    assert "  unions.one_of in mine: measured, today, my notes\n" in out
    _, out, _ = call("check", "tools.json", "-d", "mine.toml", "--json")
    assert json.loads(out)["mine"][0]["evidence"] == {
        "source": "my notes",
        "date": "today",
        "confidence": "measured",
        "note": "",
    }


def test_python_types_have_no_places(call: Run, tmp_path: Path) -> None:
    (tmp_path / "lint_models.py").write_text("SCHEMA = {'type': 'object'}\n")
    code, out, _ = call("check", "lint_models:SCHEMA", "-d", "openai-strict", "--json")
    (first, *_) = json.loads(out)["openai-strict"]
    assert code == 1
    assert first["tool"] == "SCHEMA"
    assert "line" not in first
    _, out, _ = call("check", "lint_models:SCHEMA", "-d", "openai-strict")
    assert "  -  error  WS405  /  an object is not closed" in out
    _, out, _ = call("check", "lint_models:SCHEMA", "-d", "openai-strict", "--sarif")
    assert (
        "region" not in json.loads(out)["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    )


# JSON


def test_json_has_every_field(call: Run) -> None:
    code, out, err = call("check", "tools.json", "-d", "openai-strict", "--json")
    assert (code, err) == (1, "")
    (first, *_) = json.loads(out)["openai-strict"]
    proof = first.pop("evidence")
    assert set(proof) == {"source", "date", "confidence", "note"}
    assert first == {
        "file": "tools.json", "tool": "add_cookie", "part": "input", "line": 6, "column": 17, "level": "error", "code": "WS401",
        "rule": "unions.one_of", "keyword": "oneOf", "pointer": "/result/tools/0/inputSchema/properties/path/oneOf",
        "message": "'oneOf' is not accepted (unions.one_of); write `anyOf`", "what": "'oneOf' is not accepted", "remedy": "write `anyOf`",
    }  # fmt: skip


def test_pointers_lead_to_what_the_rule_speaks_about(call: Run) -> None:
    _, out, _ = call("check", "tools.json", "-d", "all", "--json")
    for name, hits in json.loads(out).items():
        expected = [
            (pointer(d.path) + v.pointer, v.rule)
            for d in declarations(json.loads(TOOLS))
            for v in ws.check(d.schema, name)
            if {"input": "tool", "output": "output"}[d.part] in ws.dialect(name).carriers
        ]
        assert [(h["pointer"], h["rule"]) for h in hits] == expected
        for hit in hits:
            at(json.loads(TOOLS), hit["pointer"])
            line = TOOLS.splitlines()[hit["line"] - 1][hit["column"] - 1 :]
            key = hit["pointer"].rpartition("/")[2]
            assert line.startswith(f'"{key}"')


def test_json_text_is_placed_at_its_string(call: Run) -> None:
    text = json.dumps({"function": {"name": "f", "parameters": '{"oneOf": []}'}}, indent=1)
    _, out, _ = call("check", "-", "-d", "openai-strict", "--json", stdin=text)
    hits = json.loads(out)["openai-strict"]
    assert hits
    assert {h["line"] for h in hits} == {4}


# SARIF


def sarif_of(call: Run, *args: str, stdin: str = "") -> dict[str, Any]:
    _, out, err = call("check", *args, "--sarif", stdin=stdin)
    assert err == ""
    log = json.loads(out)
    assert set(log) == {"$schema", "version", "runs"}
    assert log["version"] == "2.1.0"
    (one,) = log["runs"]
    return one


def test_sarif_is_what_the_standard_asks_for(call: Run) -> None:
    one = sarif_of(call, "tools.json", "-d", "all")
    rules = one["tool"]["driver"]["rules"]
    assert len({r["id"] for r in rules}) == len(rules) > 3
    assert one["columnKind"] == "unicodeCodePoints"
    for rule in rules:
        assert (
            rule["shortDescription"]["text"]
            and rule["fullDescription"]["text"]
            and rule["help"]["text"]
        )
        assert rule["defaultConfiguration"]["level"] in ("error", "warning")
    prints = [r["partialFingerprints"]["finding/v1"] for r in one["results"]]
    assert len(set(prints)) == len(prints)
    for r in one["results"]:
        assert rules[r["ruleIndex"]]["id"] == r["ruleId"]
        assert r["level"] in ("error", "warning")
        assert r["message"]["text"].startswith("add_cookie (")
        (location,) = r["locations"]
        physical = location["physicalLocation"]
        assert physical["artifactLocation"] == {"uri": "tools.json"}
        region = physical["region"]
        key = location["logicalLocations"][0]["fullyQualifiedName"].rpartition("/")[2]
        assert TOOLS.splitlines()[region["startLine"] - 1][region["startColumn"] - 1 :].startswith(
            f'"{key}"'
        )


def test_a_sarif_result_stands_for_all_dialects_that_agree(call: Run) -> None:
    one = sarif_of(call, "tools.json", "-d", "openai-strict,anthropic-strict,xai-strict")
    (result,) = [r for r in one["results"] if r["ruleId"] == "unions.one_of"]
    assert (
        result["message"]["text"]
        == "add_cookie (input): 'oneOf' is not accepted; write `anyOf` [openai-strict, anthropic-strict]"
    )
    assert result["properties"]["dialects"] == {
        "openai-strict": "unions.one_of",
        "anthropic-strict": "unions.one_of",
    }
    proof = evidence_of("openai-strict")["unions.one_of"]
    assert one["properties"]["evidence"]["openai-strict"]["unions.one_of"]["source"] == proof.source
    assert one["properties"]["schemas"] == {
        "openai-strict": 2,
        "anthropic-strict": 2,
        "xai-strict": 2,
    }


@pytest.mark.corpus
def test_sarif_is_valid(call: Run) -> None:
    lines = [line for line in lines_of("jsonschemabench") if "sarif-2.1.0" in line[:100]]
    standards = [json.loads(line)["schema"] for line in lines]
    assert standards
    _, out, _ = call("check", "tools.json", "clean.json", "-d", "all", "--sarif")
    for standard in standards:
        jsonschema.Draft7Validator(standard).validate(json.loads(out))


def test_sarif_without_findings(call: Run) -> None:
    one = sarif_of(call, "clean.json", "-d", "openai-strict")
    assert one["results"] == one["tool"]["driver"]["rules"] == []


def test_sarif_fingerprints_outlive_moves(call: Run, tmp_path: Path) -> None:
    (tmp_path / "moved.json").write_text(
        "\n\n" + json.dumps([{}, json.loads(TOOLS)["result"]["tools"][0]])
    )

    def prints(name: str, dialects: str) -> set[str]:
        results = sarif_of(call, name, "-d", dialects)["results"]
        return {r["partialFingerprints"]["finding/v1"] for r in results}

    assert prints("tools.json", "openai-strict") <= prints("moved.json", "openai-strict,xai-strict")


def test_sarif_addresses(call: Run, tmp_path: Path) -> None:
    (tmp_path / "a b#.json").write_text("true")
    for source, uri in (
        ("a b#.json", "a%20b%23.json"),
        (str(tmp_path / "a b#.json"), (tmp_path / "a b#.json").as_uri()),
        ("-", "stdin"),
    ):
        (result,) = sarif_of(call, source, "-d", "openai-strict", stdin="true")["results"]
        assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == uri


def test_forms_and_files(call: Run, tmp_path: Path) -> None:
    code, out, _ = call(
        "check", "tools.json", "-d", "openai-strict", "--format", "sarif", "--out", "x.sarif"
    )
    assert (code, out) == (1, "")
    assert json.loads((tmp_path / "x.sarif").read_text())["version"] == "2.1.0"
    code, _, err = call("check", "tools.json", "-d", "openai-strict", "--json", "--sarif")
    assert code == 2
    assert "one of --json and --sarif" in err


# any document


words = st.sampled_from(
    "tools name inputSchema type properties oneOf a ö \ud800 const enum required $ref items minimum".split()
)
leaves = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=3)
)
leaves |= st.sampled_from(["object", "string", "#", "#/tools/0"])
documents = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=4),
    max_leaves=15,
)


@given(documents, st.sampled_from(["text", "json", "sarif"]))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_document_is_linted(call: Run, document: Any, form: str) -> None:
    code, out, err = call("check", "-", "-d", "all", "--format", form, stdin=json.dumps(document))
    assert code in (0, 1, 2)
    assert (code == 2) == bool(err)
    assert err.count("\n") == (code == 2)
    if form != "text" and code != 2:
        json.loads(out)


# diff


SCHEMA = json.dumps(
    {
        "type": "object",
        "properties": {"a": {"type": "string", "maxLength": 3}},
        "additionalProperties": False,
    }
)


def test_diff_shows_both_sides(call: Run) -> None:
    code, out, err = call("diff", "-", "--dialects", "openai-strict,anthropic-strict", stdin=SCHEMA)
    assert (code, err) == (0, "")
    diff, left, right = out.split("\n\n")
    lines = diff.splitlines()
    assert lines[:2] == ["--- openai-strict", "+++ anthropic-strict"]
    assert '+      "description": "at most 3 characters"' in lines
    assert left.splitlines()[0] == "only openai-strict:"
    assert "WS210" in left
    assert right.splitlines()[0] == "only anthropic-strict:"
    assert "WS201" in right


def test_diff_as_json(call: Run) -> None:
    code, out, _ = call(
        "diff", "-", "-d", "openai-strict", "-d", "anthropic-strict", "--json", stdin=SCHEMA
    )
    found = json.loads(out)
    assert (code, found["same"]) == (0, False)
    assert found["diff"][0] == "--- openai-strict"
    left, right = found["sides"]
    assert left["schema"] == ws.compile(json.loads(SCHEMA), "openai-strict").schema
    assert [n["code"] for n in left["only"]] == ["WS210"]
    assert (right["dialect"], right["error"]) == ("anthropic-strict", None)


def test_diff_of_the_same(call: Run) -> None:
    same = json.dumps({"type": "object", "properties": {"a": {"not": {}}, "b": {"type": "string"}}})
    code, out, _ = call("diff", "-", "-d", "openai-non-strict,tools-lenient", stdin=same)
    assert (code, out) == (0, "openai-non-strict and tools-lenient: the same wire schema\n")
    _, out, _ = call("diff", "-", "-d", "openai-non-strict,tools-lenient", "--json", stdin=same)
    assert json.loads(out)["same"] is True


def test_notes_that_differ_in_the_name_of_the_dialect_only_are_the_same(
    call: Run, tmp_path: Path
) -> None:
    (tmp_path / "twin.toml").write_text('id = "twin"\nextends = "anthropic-strict"\n')
    code, out, _ = call("diff", "-", "-d", "twin.toml,anthropic-strict", stdin=SCHEMA)
    assert (code, out) == (0, "twin and anthropic-strict: the same wire schema\n")


def test_diff_where_one_side_has_no_schema(call: Run) -> None:
    args = ("diff", "-", "-d", "openai-strict,anthropic-strict", "--on-loss", "raise")
    code, out, err = call(*args, stdin=SCHEMA)
    assert (code, err) == (0, "")
    assert "anthropic-strict has no wire schema: WS201 at /properties/a: maxLength" in out
    _, out, _ = call(*args, "--json", stdin=SCHEMA)
    assert json.loads(out)["sides"][1]["schema"] is None
    assert json.loads(out)["sides"][1]["error"]["code"] == "WS201"


@pytest.mark.parametrize("names", ["openai-strict", "openai-strict,openai-strict", "all"])
def test_diff_takes_two(call: Run, names: str) -> None:
    code, _, err = call("diff", "-", "-d", names, stdin=SCHEMA)
    assert code == 2
    assert "write --dialects A,B" in err


def test_grammars_are_read_by_the_dialects_that_take_them(call: Run, tmp_path: Path) -> None:
    (tmp_path / "g.lark").write_text("// a note\nstart: b\nb: /x(?=y)/\n")
    code, out, _ = call("check", "g.lark", "-d", "openai-custom-grammar", "--json")
    assert code == 1
    (hit,) = json.loads(out)["openai-custom-grammar"]
    assert (hit["rule"], hit["pointer"], hit["line"]) == ("grammar.forbid", "/b", 3)
    assert hit["evidence"]["confidence"] == "documented"
    (tmp_path / "g.gbnf").write_text('a ::= "x"\n')
    _, out, _ = call("check", "g.gbnf", "-d", "llamacpp-gbnf", "--json")
    assert [(h["pointer"], h["line"]) for h in json.loads(out)["llamacpp-gbnf"]] == [("", 1)]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"foo": 1}', "a tool, a request or a schema"),
        ("[]", "nothing to judge"),
        ('{"tool": [{"name": "x"}]}', "did you mean 'tools'?"),
        ('{"function": {"name": "x", "parametres": {}}}', "did you mean 'parameters'?"),
    ],
)
def test_a_file_of_another_kind_is_bad_input(
    tmp_path: Path, call: Run, text: str, told: str
) -> None:
    (tmp_path / "other.json").write_text(text)
    code, out, err = call("check", "other.json", "-d", "openai-strict")
    assert (code, out) == (2, "")
    assert told in err


def test_no_tools_and_a_bare_schema_are_fine(tmp_path: Path, call: Run) -> None:
    for text in ('{"tools": []}', "true", "{}"):
        (tmp_path / "some.json").write_text(text)
        assert call("check", "some.json", "-d", "lenient")[0] == 0, text


def _findings(call: Run, folder: Path, tools: Any, dialect: str) -> list[tuple[str, str, str]]:
    (folder / "list.json").write_text(json.dumps(tools))
    _, out, _ = call("check", "list.json", "-d", dialect, "--json")
    return [(h["code"], h["rule"], h["pointer"]) for h in json.loads(out)[dialect]]


def test_names_of_tools_are_judged(tmp_path: Path, call: Run) -> None:
    names = ["a b", "ok", "ok", "", "x" * 65]
    tools = {"tools": [{"name": n, "input_schema": CLEAN} for n in names] + [{"name": "now?"}]}
    assert _findings(call, tmp_path, tools, "anthropic-strict") == [
        ("WS418", "names.tool", "/tools/0/name"),
        ("WS418", "request", "/tools/2/name"),
        ("WS418", "request", "/tools/3"),
        ("WS418", "names.tool", "/tools/4/name"),
        ("WS418", "names.tool", "/tools/5/name"),
    ]
    code, out, err = call("check", "list.json", "-d", "anthropic-strict")
    assert (code, err) == (1, "")
    assert "is that of an earlier tool" in out


def test_requests_and_lines_do_not_share_names(tmp_path: Path, call: Run) -> None:
    tool = {"name": "f", "input_schema": CLEAN}
    requests = [{"messages": [], "tools": [tool]}] * 2
    assert _findings(call, tmp_path, requests, "anthropic-strict") == []
    (tmp_path / "l.jsonl").write_text("\n".join([json.dumps(tool)] * 2))
    assert call("check", "l.jsonl", "-d", "anthropic-strict")[0] == 0


def test_numbers_of_tools_are_judged(tmp_path: Path, call: Run) -> None:
    row = ws.dialect("gemini-json-schema")
    most = row.delivery.tools
    assert most is not None
    many = [{"name": f"t{i}", "parametersJsonSchema": CLEAN} for i in range(most + 1)]
    groups = {"tools": [{"functionDeclarations": [tool]} for tool in many]}
    told = _findings(call, tmp_path, groups, row.id)
    assert ("WS414", "delivery.tools", "/tools") in told
    groups["tools"].pop()
    assert ("WS414", "delivery.tools", "/tools") not in _findings(call, tmp_path, groups, row.id)


def test_strict_tools_share_limits(tmp_path: Path, call: Run) -> None:
    limit = ws.dialect("anthropic-strict").limits.optional_params
    assert limit is not None
    loose = {**CLEAN, "properties": {f"p{i}": {"type": "string"} for i in range(limit // 2 + 1)}}
    for strict, told in ((True, [("WS414", "limits.optional_params", "/tools")]), (False, [])):
        tools = [{"name": n, "input_schema": loose, "strict": strict} for n in "ab"]
        assert _findings(call, tmp_path, {"tools": tools}, "anthropic-strict") == told
    many = [{"name": f"t{i}", "input_schema": CLEAN, "strict": True} for i in range(21)]
    assert _findings(call, tmp_path, {"tools": many}, "anthropic-strict") == [
        ("WS414", "delivery.strict_tools", "/tools")
    ]
