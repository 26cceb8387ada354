"""Hypothesis profiles: `dev` while writing, `ci` derandomised; `HYPOTHESIS_PROFILE` chooses, else the variable CI."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

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
