"""Imports point one way, and no module knows a provider."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "compiler" / "wireshape"

# Lowest first; a module may import its own level and those before it.
LEVELS: list[set[str]] = [
    {"ir", "step"},
    {"walk", "relate"},
    {"codes", "names", "spelling", "report", "errors", "options", "plain"},
    {"api", "dialect", "dialect_model", "models", "regex", "grant"},
    {"read", "emit", "notation"},
    # Limits are about what is written, so `analyze` reads what `emit` tallied; a predicate is a schema that `emit` wrote.
    {"analyze", "predicates", "wires"},
    {"cost"},
    {"budget"},
    {"strictify"},
    {"codec", "tidy"},
    {"declarations", "documents"},
    {"check", "gate", "reading", "diagnose"},
    {"machine"},
    {"reply"},
    {"artifact"},
    {"compiled", "convert", "pipeline", "worded"},
    {
        "allocate",
        "prompts",
        "request",
        "response",
        "routing",
        "history",
        "sharing",
        "plan",
    },
    {"wireshape"},
    {"integrations"},
    {"cli", "testing"},
]
_LEVEL = {name: level for level, names in enumerate(LEVELS) for name in names}


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def level(name: str) -> int:
    """Level of a top-level module; a satellite such as `check_walk` has that of the module it is named for."""
    while name not in _LEVEL:
        name, _, rest = name.rpartition("_")
        assert rest and name, f"{rest or name!r} has no level: add it to LEVELS"
    return _LEVEL[name]


def imported(tree: ast.AST) -> set[str]:
    """Names of the top-level modules of this package that a tree imports."""
    out: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == "wireshape":
            out |= {
                alias.name
                if (PACKAGE / f"{alias.name}.py").exists() or (PACKAGE / alias.name).is_dir()
                else "wireshape"
                for alias in node.names
            }
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("wireshape."):
            out.add(str(node.module).split(".")[1])
        elif isinstance(node, ast.Import):
            out |= {
                (alias.name.split(".") + ["wireshape"])[1]
                for alias in node.names
                if alias.name.split(".")[0] == "wireshape"
            }
    return out


def test_every_level_names_modules_that_exist() -> None:
    there = {p.relative_to(PACKAGE).parts[0].removesuffix(".py") for p in modules()}
    assert set(_LEVEL) - there == {"wireshape"}


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_point_down(path: Path) -> None:
    own = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    mine = level("wireshape" if own == "__init__" else own)
    names = imported(ast.parse(path.read_text("utf-8")))
    if own == "__init__":
        names -= {"testing"}  # for the type checkers; imported when asked for
    up = {name for name in names if level(name) > mine}
    assert not up, f"{path.name} imports {sorted(up)} from above"


def test_the_acceptor_shares_no_code_with_the_compiler() -> None:
    for path in modules():
        if path.name.startswith(("check", "reading", "gate")):
            names = imported(ast.parse(path.read_text("utf-8")))
            assert not names & {"strictify", "emit", "codec"}, path.name


PROVIDERS = (
    "openai",
    "anthropic",
    "gemini",
    "google",
    "xai",
    "groq",
    "mistral",
    "cerebras",
    "deepseek",
    "ollama",
    "bedrock",
    "azure",
    "cohere",
    "fireworks",
    "moonshot",
)


def _strings(tree: ast.Module) -> list[str]:
    """Every string of a module that is no docstring."""
    documented = (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    docs = {
        id(n.body[0].value)
        for n in ast.walk(tree)
        if isinstance(n, documented) and n.body and isinstance(n.body[0], ast.Expr)
    }
    docs |= {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr)}
    return [
        n.value
        for n in ast.walk(tree)
        if isinstance(n, ast.Constant) and isinstance(n.value, str) and id(n) not in docs
    ]


@pytest.mark.parametrize(
    "path",
    [p for p in modules() if p.parent != PACKAGE / "reply" / "quirks"],
    ids=lambda p: str(p.relative_to(PACKAGE)),
)
def test_no_provider_is_named(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"))
    names = [n.id for n in ast.walk(tree) if isinstance(n, ast.Name)] + [
        n.attr for n in ast.walk(tree) if isinstance(n, ast.Attribute)
    ]
    hits = [text for text in _strings(tree) + names for p in PROVIDERS if p in text.lower()]
    assert not hits, hits
