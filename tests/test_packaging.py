"""What is in the repository is what gets installed."""

from __future__ import annotations

import tomllib
from importlib import metadata, resources
from pathlib import Path

import wireshape as ws
from wireshape.api_protocols import protocols

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def test_every_package_is_listed() -> None:
    listed = set(PROJECT["tool"]["setuptools"]["packages"])
    found = {
        ".".join(p.parent.relative_to(ROOT / "compiler").parts)
        for p in (ROOT / "compiler").rglob("__init__.py")
    }
    assert listed == found | {"wireshape.dialects"}


def test_no_module_is_outside_a_package() -> None:
    folders = {p.parent for p in (ROOT / "compiler" / "wireshape").rglob("*.py")}
    assert [f for f in sorted(folders) if not (f / "__init__.py").exists()] == []


def test_rows_are_installed_as_resources() -> None:
    rows = [
        p.name for p in resources.files("wireshape.dialects").iterdir() if p.name.endswith(".toml")
    ]
    assert sorted(rows) == sorted(p.name for p in (ROOT / "dialects").glob("*.toml"))
    assert sorted(p.removesuffix(".toml") for p in rows) == sorted(ws.dialects())


def test_protocols_are_installed_beside_the_rows() -> None:
    files = sorted(p.stem for p in (ROOT / "dialects" / "protocols").glob("*.toml"))
    assert list(protocols()) == files
    data = PROJECT["tool"]["setuptools"]["package-data"]["wireshape.dialects"]
    assert data == ["*.toml", "protocols/*.toml"]


def test_the_dialects_package_holds_no_code() -> None:
    source = (ROOT / "dialects" / "__init__.py").read_text().strip()
    assert source.startswith('"""')
    assert source.endswith('"""')
    assert source.count('"""') == 2


def test_types_are_marked() -> None:
    assert (ROOT / "compiler" / "wireshape" / "py.typed").exists()
    assert "py.typed" in PROJECT["tool"]["setuptools"]["package-data"]["wireshape"]


def test_metadata_matches_the_project() -> None:
    found = metadata.metadata("wireshape")
    assert found["Version"] == PROJECT["project"]["version"]
    assert found["License-Expression"] == "MIT"
    assert (ROOT / "LICENSE").read_text().startswith("MIT License")
