"""The golden files are what the compiler says, and the comparison notices when they are not."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import wireshape as ws
from wireshape.cli import run
from wireshape.cli.golden import differences, golden_of, shown, write
from wireshape.cli.sources import InputError
from wireshape.dialect_evidence import row_document

ROOT = Path(__file__).parents[1] / "golden"
CASES = sorted(p.stem for p in (ROOT / "cases").glob("*.json"))


def kept(dialect: str) -> list[str]:
    sources = {case: json.loads((ROOT / "cases" / f"{case}.json").read_text()) for case in CASES}
    return shown(ROOT, dialect, sources)


def test_rows_that_show_every_case_and_rows_that_show_a_few() -> None:
    assert kept("openai-strict") == CASES
    assert 20 <= len(kept("azure-openai-strict")) <= 30
    assert kept("gemini-interactions") == []
    assert {d for d in ws.dialects() if kept(d) == CASES} == set(
        json.loads((ROOT / "rows.json").read_text())["every_case"]
    )


def test_golden_files_are_up_to_date() -> None:
    """When this fails: `wireshape golden --write`, then read the diff as the provider would."""
    found = list(differences(ROOT))
    assert [(d.kind, d.path, d.diff[:8]) for d in found[:5]] == []


@pytest.mark.parametrize("case", CASES)
def test_a_case_says_what_it_shows(case: str) -> None:
    document = json.loads((ROOT / "cases" / f"{case}.json").read_text())
    assert set(document) <= {"about", "every_row", "schema", "values", "options"}
    assert document["about"]
    assert "\n" not in document["about"]
    for value in document["values"]:
        options = ws.Options(**document.get("options", {}))
        assert ws.compile(document["schema"], "lenient", options=options).validate(value) == value


@pytest.mark.parametrize("dialect", ws.dialects())
def test_every_golden_value_comes_back(dialect: str) -> None:
    for case in kept(dialect):
        document = json.loads((ROOT / dialect / f"{case}.json").read_text())
        lost = [v for v in document.get("values", []) if "lost" in v]
        assert lost == [], case


def test_every_golden_wire_is_accepted() -> None:
    for dialect in ws.dialects():
        for case in kept(dialect):
            document = json.loads((ROOT / dialect / f"{case}.json").read_text())
            found = ws.check(document["wire"], dialect) if "wire" in document else []
            assert found == [], (dialect, case)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "cases").mkdir()
    for case in ("optional_field", "schema_false", "open_object"):
        shutil.copy(ROOT / "cases" / f"{case}.json", tmp_path / "cases")
    write(tmp_path)
    return tmp_path


def test_written_files_are_as_expected(folder: Path) -> None:
    assert list(differences(folder)) == []
    assert write(folder) == []
    text = (folder / "openai-strict" / "optional_field.json").read_text()
    assert text.endswith("}\n")
    assert text.startswith('{\n  "wire": {')


def test_missing_orphaned_and_changed_files_are_found(folder: Path) -> None:
    (folder / "openai-strict" / "row.json").unlink()
    (folder / "openai-strict" / "stray.json").write_text("{}")
    (folder / "no-such-dialect").mkdir()
    (folder / "no-such-dialect" / "row.json").write_text("{}")
    changed = folder / "xai-strict" / "optional_field.json"
    changed.write_text(changed.read_text().replace("string", "strong"))
    found = {d.path: d for d in differences(folder)}
    assert {p: d.kind for p, d in found.items()} == {
        "openai-strict/row.json": "missing",
        "openai-strict/stray.json": "orphaned",
        "no-such-dialect/row.json": "orphaned",
        "xai-strict/optional_field.json": "changed",
    }
    assert any(
        line.startswith("-") and "strong" in line
        for line in found["xai-strict/optional_field.json"].diff
    )
    assert {d.path for d in write(folder)} == set(found)
    assert list(differences(folder)) == []


def test_a_part_is_compared_alone(folder: Path) -> None:
    (folder / "openai-strict" / "row.json").unlink()
    (folder / "openai-strict" / "stray.json").write_text("{}")
    assert list(differences(folder, ["xai-strict"])) == []
    assert list(differences(folder, cases=["optional_field"])) == []
    assert {d.kind for d in differences(folder, ["openai-strict"])} == {"missing", "orphaned"}


def test_unknown_cases_and_folders_are_refused(folder: Path) -> None:
    with pytest.raises(InputError, match="no case is called 'x'"):
        list(differences(folder, cases=["x"]))
    with pytest.raises(InputError, match="holds no cases"):
        list(differences(folder / "openai-strict"))


def test_errors_are_golden_too() -> None:
    found = golden_of({"schema": False, "values": []}, "openai-strict")
    assert found["error"]["type"] == "SchemaError"
    found = golden_of(
        json.loads((ROOT / "cases" / "open_object.json").read_text()), "openai-strict"
    )
    assert "error" in found["values"][1]


def test_a_value_that_does_not_come_back_is_told() -> None:
    schema = {
        "type": "object",
        "properties": {"n": {"type": "integer", "not": {"const": 0}}},
        "required": ["n"],
        "additionalProperties": False,
    }
    found = golden_of({"schema": schema, "values": [{"n": 0}]}, "openai-strict")
    assert found["values"] == [{"value": {"n": 0}, "wire": {"n": 0}, "lost": "WS601"}]


def test_the_verb_checks_and_writes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = ["--root", str(folder)]
    assert run(["golden", *root]) == 0
    assert "all golden files are as expected" in capsys.readouterr().out
    changed = folder / "xai-strict" / "row.json"
    changed.write_text("[\n" + "1,\n" * 40 + "1]\n")
    assert run(["golden", "--check", *root]) == 1
    out = capsys.readouterr().out
    assert f"changed: {changed}" in out
    assert "more lines" in out
    changed.write_text(
        json.dumps(row_document("xai-strict"), indent=2, ensure_ascii=False) + "\n\n"
    )
    assert run(["golden", "--check", *root]) == 1
    assert "more lines" not in capsys.readouterr().out
    assert run(["golden", "--check", "--json", *root]) == 1
    assert [d["path"] for d in json.loads(capsys.readouterr().out)] == ["xai-strict/row.json"]
    assert run(["golden", "--write", *root, "--dialect", "xai-strict"]) == 0
    assert "1 golden files written or removed" in capsys.readouterr().out
    missing, stray = folder / "xai-strict" / "optional_field.json", folder / "no-row" / "row.json"
    missing.unlink()
    stray.parent.mkdir()
    stray.write_text("{}")
    assert run(["golden", "--check", *root]) == 1
    out = capsys.readouterr().out
    assert (f"missing: {missing}" in out, f"orphaned: {stray}" in out) == (True, True)
    assert run(["golden", "--write", *root]) == 0
    out = capsys.readouterr().out
    assert (f"written: {missing}" in out, f"removed: {stray}" in out) == (True, True)
    assert "missing" not in out
    assert run(["golden", "--check", *root]) == 0
