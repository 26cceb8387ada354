"""The laws over a small stratified sample of real schemas, for every dialect (`WIRESHAPE_CORPORA=DIR pytest -m corpus`)."""

from __future__ import annotations

import json
import os
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

import wireshape as ws
from corpora import records_of
from wireshape.testing import Verdicts
from wireshape.testing.verdicts import without_twins

KEEP = ws.Options(open_objects="keep", absent="box")
MAJORS: list[str] = json.loads(
    (Path(__file__).parents[1] / "golden" / "rows.json").read_text("utf-8")
)["every_case"]
OTHERS = [d for d in without_twins([*MAJORS, *ws.dialects()]) if d not in MAJORS]
EVERY = 1 if os.environ.get("WIRESHAPE_ALL") else 3
"""Of so many records the other rows meet one each, in turns; `WIRESHAPE_ALL` has them meet all."""
SHARES = 32
"""The records are dealt out to this many tests, so that workers share them evenly; a source is read once for all rows."""


@lru_cache(maxsize=1)
def records() -> list[dict[str, Any]]:
    return list(records_of("ci_sample"))


def options_of(record: dict[str, Any], base: ws.Options) -> ws.Options:
    """Records of the test suite name their draft; others say it in `$schema`."""
    draft = record.get("draft", "")
    named = {"draft2020-12": "2020-12", "draft2019-09": "2019-09"}.get(draft, draft)
    return (
        ws.Options(draft=named, open_objects=base.open_objects, absent=base.absent)
        if record["id"].startswith("jsts/")
        else base
    )


def row_of(sent: dict[str, Any]) -> str | None:
    """The row of a recorded request, where its provider is no gateway to others."""
    provider, field = sent["provider"], sent["field"].lower()
    mode = "strict" if sent["strict"] else "non-strict"
    if provider == "anthropic":
        return "anthropic-strict" if sent["strict"] or "output" in field else "anthropic-non-strict"
    if provider.startswith("google"):
        return "gemini-json-schema" if "json" in field else "gemini-openapi"
    fixed = {"xai": "xai-strict", "bedrock": "bedrock-non-strict", "cohere": "cohere-tools"}
    named = {"openai": "openai", "openai-codex": "openai", "groq": "groq", "mistral": "mistral"}
    return fixed.get(provider) or (f"{named[provider]}-{mode}" if provider in named else None)


@pytest.mark.corpus
def test_what_providers_took_is_no_error() -> None:
    """Recorded requests with a good answer: `check` has no error for the schemas in them."""
    wrong = [
        f"{one['id']} {row}: {v.message}"
        for one in records_of("wire_schemas")
        if one["n_ok"] and (row := row_of(one)) is not None
        for v in ws.check(one["schema"], row)
        if v.level == "error"
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.corpus
@pytest.mark.parametrize("share", range(SHARES))
def test_laws(share: int) -> None:
    """The major rows meet every record, with open objects closed and kept; the other rows a third of them, each another.

    So that CI ends in time: the whole takes twice as long. What a row states otherwise than its neighbours is tried apart
    from this, on every schema of tests/test_features.py and on generated ones.
    """
    broken: list[str] = []
    for at in range(share, len(records()), SHARES):
        record = records()[at]
        others = [row for i, row in enumerate(OTHERS, start=at) if i % EVERY == 0]
        values = [
            test["data"] for test in record["tests"] if "data" in test and "check" not in test
        ]
        for base, dialects in ((ws.Options(), [*MAJORS, *others]), (KEEP, MAJORS)):
            try:
                verdicts = Verdicts(record["schema"], values[:20], options_of(record, base))
            except ws.SchemaError:
                continue
            for dialect in dialects:
                try:
                    found = verdicts.broken(dialect)
                except ws.SchemaError:
                    continue
                broken += [
                    f"{record['id']} for {dialect}, open objects {base.open_objects}: {breach}"[
                        :300
                    ]
                    for breach in found
                ]
    assert not broken, "\n".join(broken)
