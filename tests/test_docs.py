"""Every example in the docs runs: doctests of all modules, and the Python and shell blocks of the README."""

from __future__ import annotations

import doctest
import importlib
import json
import pkgutil
import re
import shlex
from pathlib import Path

import pytest

import wireshape
from wireshape.cli import run
from wireshape.codes import CODES
from wireshape.notation.format import format_text

ROOT = Path(__file__).parents[1]
PAGES = [
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "docs/replies.md",
    "docs/notation.md",
    "docs/forms.md",
]
MODULES = ["wireshape", *[m.name for m in pkgutil.walk_packages(wireshape.__path__, "wireshape.")]]


def blocks(page: str, language: str) -> list[str]:
    return re.findall(
        rf"^```{language}\n(.*?)^```", (ROOT / page).read_text(), re.MULTILINE | re.DOTALL
    )


@pytest.mark.parametrize("module", MODULES)
def test_doctests(module: str) -> None:
    found = doctest.testmod(importlib.import_module(module), optionflags=doctest.ELLIPSIS)
    assert found.failed == 0


def test_every_public_name_has_an_example() -> None:
    shown = [getattr(wireshape, name) for name in wireshape.__all__]
    base = wireshape.WireshapeError
    errors = [e for e in shown if isinstance(e, type) and issubclass(e, base) and e is not base]
    assert [x.__name__ for x in shown if x not in errors and ">>>" not in (x.__doc__ or "")] == []
    for record in (wireshape.Compiled, wireshape.Report):
        members = [m for k, m in vars(record).items() if k in _SHOWN]
        assert [m for m in members if ">>>" not in (m.__doc__ or "")] == []


_SHOWN = {"encode", "decode", "validate", "bind", "report", "widened", "narrowed"}


@pytest.mark.parametrize("page", ["README.md", "docs/notation.md", "docs/forms.md"])
def test_python_examples_of_a_page_run_in_order(page: str) -> None:
    examples = blocks(page, "python")
    assert examples
    session: dict[str, object] = {}
    parser = doctest.DocTestParser()
    for i, example in enumerate(examples):
        if ">>>" in example:
            test = parser.get_doctest(example, session, f"{page} block {i + 1}", page, 0)
            assert (
                doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
                .run(test, clear_globs=False)
                .failed
                == 0
            )
            session.update(test.globs)
        else:
            exec(compile(example, f"{page} block {i + 1}", "exec"), session)


def test_notation_of_the_docs_is_laid_out() -> None:
    shown = [*blocks("docs/notation.md", "shape"), (ROOT / "examples/order.shape").read_text()]
    for text in shown:
        assert format_text(text) == text
        assert wireshape.compile(text, "lenient").report.exact


@pytest.mark.parametrize(("page", "least"), [("README.md", 5), ("docs/notation.md", 4)])
def test_shell_examples_of_a_page_run(
    page: str,
    least: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    lines = [line for block in blocks(page, "console") for line in block.splitlines()]
    commands = [
        line.removeprefix("$ ").split("  #")[0] for line in lines if line.startswith("$ wireshape ")
    ]
    assert len(commands) >= least
    for file in (ROOT / "examples").iterdir():
        if file.is_file():
            (tmp_path / file.name).write_bytes(file.read_bytes())
    monkeypatch.chdir(tmp_path)
    for command in commands:
        capsys.readouterr()
        words = shlex.split(command)
        if ">" in words:
            target = words.pop()
            words.remove(">")
            assert run(words[1:]) == 0, command
            Path(target).write_text(capsys.readouterr().out)
        else:
            assert run(words[1:]) == 0, command


@pytest.mark.parametrize("page", PAGES)
def test_pages_name_files_that_exist(page: str) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", (ROOT / page).read_text()):
        assert target.startswith("https://") or ((ROOT / page).parent / target).exists(), target


def test_the_module_map_is_complete() -> None:
    """Every module is named: `check_walk.py` by `check_*.py`, a package by its folder."""
    page = (ROOT / "ARCHITECTURE.md").read_text()
    tops = {m.split(".")[1] for m in MODULES if "." in m} - {"dialects"}
    shown = {
        m
        for m in tops
        if f"`{m}.py`" in page or f"`{m}/`" in page or f"`{m.split('_')[0]}_*.py`" in page
    }
    assert tops - shown == set()
    named = re.findall(
        r"`([a-z_]+)(?:\.py|/)`", page.split("## Modules")[1].split("## What holds")[0]
    )
    assert set(named) - tops == {"dialects"}


@pytest.mark.parametrize("page", PAGES)
def test_codes_that_pages_name_are_registered(page: str) -> None:
    named = set(re.findall(r"\bWS\d{3}\b", (ROOT / page).read_text()))
    assert named <= set(CODES)


def test_the_table_of_dialects_says_what_the_compiler_does() -> None:
    session: dict[str, object] = {}
    test = doctest.DocTestParser().get_doctest(
        blocks("README.md", "python")[0], session, "README", None, 0
    )
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, clear_globs=False)
    rows = re.findall(
        r"^\| `([a-z-]+)` \|.*\| (\d+) \| (\d+) \| (\d+) \|$",
        (ROOT / "README.md").read_text(),
        re.MULTILINE,
    )
    every_case = json.loads((ROOT / "golden" / "rows.json").read_text())["every_case"]
    assert [row[0] for row in rows] == every_case
    for dialect, *counts in rows:
        notes = wireshape.compile(test.globs["match"], dialect).report.notes
        effects = [n.effect for n in notes]
        found = [effects.count("exact"), effects.count("widened"), effects.count("narrowed")]
        assert [int(c) for c in counts] == found, dialect
