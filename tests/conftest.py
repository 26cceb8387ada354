"""What tests share. Hypothesis profiles: `dev` while writing, `ci` derandomised; `HYPOTHESIS_PROFILE` chooses, else the variable CI."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

import wireshape as ws
from wireshape.cli import run

# Schemas and their values are drawn from one budget, so a draw is slow and now and then comes to nothing.
_QUIET = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]

settings.register_profile("dev", max_examples=50, deadline=None, suppress_health_check=_QUIET)
settings.register_profile(
    "ci",
    max_examples=100,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=_QUIET,
)
settings.register_profile("deep", max_examples=3000, deadline=None, suppress_health_check=_QUIET)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") else "dev"))


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Real schemas are too large for this repository: the tests marked `corpus` need the folder that holds them."""
    if item.get_closest_marker("corpus") and not os.environ.get("WIRESHAPE_CORPORA"):
        pytest.skip("WIRESHAPE_CORPORA names no folder of corpora")


@pytest.fixture
def in_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str, str]]:
    """Run a command in an empty folder; returns exit code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)

    def invoke(*args: str, stdin: str | bytes = "") -> tuple[int, str, str]:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        code = run(args)
        out, err = capsys.readouterr()
        return code, out, err

    return invoke


@pytest.fixture
def codes_while_the_stack_runs_out() -> Callable[[Callable[[], ws.Outcome]], set[str]]:
    """Read a reply with less and less of the stack left, and return the codes of the evidence."""

    def codes_of(outcome: Callable[[], ws.Outcome]) -> set[str]:
        def below(levels: int) -> ws.Outcome:
            return below(levels - 1) if levels else outcome()

        codes: set[str] = set()
        for levels in range(100, 1000, 20):
            try:
                codes |= {e.code for e in below(levels).evidence}
            except RecursionError:
                break
        return codes

    return codes_of
