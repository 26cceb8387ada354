"""`import wireshape` costs the standard library only; each heavy package is loaded by what needs it."""

from __future__ import annotations

import subprocess
import sys

import pytest

import wireshape as ws

HEAVY = (
    "jsonschema",
    "jsonschema_rs",
    "pydantic",
    "lark",
    "click",
    "hypothesis",
    "referencing",
    "attrs",
    "rpds",
)


def loaded(code: str) -> set[str]:
    """Top-level modules that a fresh interpreter has loaded after running `code`."""
    script = (
        f"{code}\nimport sys\nprint(*sorted({{name.partition('.')[0] for name in sys.modules}}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


@pytest.mark.parametrize(
    "code",
    [
        "import wireshape",
        "import wireshape.testing",
        "import wireshape as ws; ws.dialects(); ws.dialect('lenient')",
    ],
)
def test_nothing_heavy(code: str) -> None:
    assert not loaded(code) & set(HEAVY)


def test_a_compilation_of_a_dict_needs_no_pydantic() -> None:
    code = "import wireshape as ws; c = ws.compile({'type': 'object', 'properties': {'a': {'type': 'integer'}}}, 'openai-strict'); c.decode(c.encode({'a': 1}))"
    assert not loaded(code) & {"pydantic", "lark", "click", "hypothesis"}


def test_the_wire_validator_needs_no_hypothesis() -> None:
    code = "import wireshape as ws, wireshape.testing as t; t.wire_validator(ws.compile({}, 'lenient')); t.same_json(1, 1.0)"
    assert "hypothesis" not in loaded(code)


def test_every_name_is_public_and_there() -> None:
    assert all([hasattr(ws, name) for name in ws.__all__])
    assert {
        "compile",
        "check",
        "dialects",
        "dialect",
        "Options",
        "WireshapeError",
        "EncodeError",
    } <= set(ws.__all__)


def test_testing_is_there_when_it_is_asked_for() -> None:
    code = "import sys, wireshape as ws; assert 'wireshape.testing' not in sys.modules; ws.testing.same_json(1, 1.0)"
    assert not loaded(code) & set(HEAVY)
    with pytest.raises(AttributeError, match="no attribute 'tested'"):
        _ = ws.tested  # type: ignore[attr-defined]


def test_only_what_is_public_is_listed() -> None:
    assert dir(ws) == sorted([*ws.__all__, "testing"])
    public = {name for name in vars(ws) if not name.startswith("_")}
    assert "import_module" not in public
