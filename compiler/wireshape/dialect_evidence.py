"""What stands behind the built-in rows: the evidence for each fact, which row is only an alias; nothing compiles with it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

from wireshape.dialect import Dialect, build, builtin, dialect, document_of_row, parts
from wireshape.dialect_apis import api_tables

Confidence: TypeAlias = Literal[
    "documented", "sdk", "measured", "reported", "conflicting", "assumed"
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Why a row states a fact: `source` by title, `date` of the page, release or measurement.

    `documented`: the provider says so. `sdk`: a published client or library relies on it. `measured`: somebody tried it.
    `reported`: users or error messages say so. `conflicting`: sources differ; `note` names both sides, and the row takes
    the safe one. `assumed`: `source` is silent; `note` says what the row goes by instead.
    """

    source: str
    date: str
    confidence: Confidence
    note: str = ""


def evidence(name: str) -> dict[str, Evidence]:
    """Return the evidence of a built-in row by field path (`objects.extras`), that of its parents included.

    `models` is why the row's model patterns are what they are; a row does not inherit it.
    """
    return _inherited(builtin(name)) | own_evidence(name)


def _inherited(row: Mapping[str, Any]) -> dict[str, Evidence]:
    """The evidence of the parent, save for what the row unsets."""
    if "extends" not in row:
        return {}
    gone = ("models", *row.get("unset", ()))
    found = evidence(row["extends"])
    return {p: e for p, e in found.items() if p not in gone and p.partition(".")[0] not in gone}


def load_evidence(path: str | Path) -> dict[str, Evidence]:
    """Return the evidence of a row of your own, as `evidence` does for a built-in one."""
    return _evidence_of(_validated(path))


def _validated(path: str | Path) -> dict[str, Any]:
    from wireshape.dialect_model import validated_row  # noqa: PLC0415 - as in `load_dialect`

    return validated_row(path)


def _evidence_of(row: Mapping[str, Any]) -> dict[str, Evidence]:
    own = {field: Evidence(**entry) for field, entry in row.get("evidence", {}).items()}
    return _inherited(row) | own


def own_evidence(name: str) -> dict[str, Evidence]:
    """Return the evidence that a row states itself."""
    entries = tomllib.loads(parts(name)[2]).get("evidence", {})
    return {path: Evidence(**entry) for path, entry in entries.items()}


def row_document(name: str) -> dict[str, Any]:
    """Return a built-in row, every default written out, as a JSON document, with its model patterns and evidence."""
    return _document(dialect(name), api_tables(name), builtin(name), evidence(name))


def own_row_document(path: str | Path) -> dict[str, Any]:
    """Return a row of your own, as `row_document` does for a built-in one."""
    row = _validated(path)
    return _document(build(row), row.get("apis", {}), row, _evidence_of(row))


def _document(
    d: Dialect, apis: dict[str, Any], row: Mapping[str, Any], found: Mapping[str, Evidence]
) -> dict[str, Any]:
    document = document_of_row(d)
    document["apis"] = apis
    document["models"] = row.get("models", {})
    document["evidence"] = {path: asdict(entry) for path, entry in sorted(found.items())}
    return document


_NO_FACTS = frozenset(
    {"id", "extends", "family", "title", "models", "unset", "names", "delivery", "apis"}
)


def alias_of(name: str) -> str | None:
    """Return the built-in row that a row only renames, `None` for a row with facts of its own.

    >>> alias_of("gemini-interactions"), alias_of("openai-strict")
    ('gemini-json-schema', None)
    """
    row = builtin(name)
    if "extends" not in row or not row.keys() <= _NO_FACTS:
        return None
    return alias_of(row["extends"]) or row["extends"]
