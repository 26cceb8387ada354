"""Files and functions stay small enough to read."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "compiler" / "wireshape"
MODULES = sorted(PACKAGE.rglob("*.py"))

SOFT, HARD, FUNCTION, METHODS = 400, 600, 60, 12
# Modules over the soft limit, each with the reason why it is one piece.
LARGE: dict[str, str] = {}


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_sizes(path: Path) -> None:
    text = path.read_text("utf-8")
    where = str(path.relative_to(PACKAGE))
    lines = text.count("\n")
    assert lines <= HARD
    assert lines <= SOFT or where in LARGE, f"{lines} lines; split it, or give the reason in LARGE"
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            assert length <= FUNCTION, f"{node.name}: {length} lines"
        elif isinstance(node, ast.ClassDef):
            methods = [
                n
                for n in node.body
                if isinstance(n, ast.FunctionDef) and not n.name.startswith("__")
            ]
            assert len(methods) <= METHODS, f"{node.name}: {len(methods)} methods"


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_every_module_says_what_it_does(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text("utf-8")))


def test_no_drawer_modules() -> None:
    assert not {p.stem for p in MODULES} & {"utils", "helpers", "common", "misc", "base"}
