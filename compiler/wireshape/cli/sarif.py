"""Write what a lint found as SARIF 2.1.0, the form in which code hosts and editors take findings."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any
from urllib.parse import quote

import wireshape as ws
from wireshape.cli.lint import Group, Lint, grouped
from wireshape.cli.lint_text import title
from wireshape.codes import CODES
from wireshape.ir import pointer


def sarif(found: Lint) -> dict[str, Any]:
    """Return the log: one run, one rule for each row field that was broken, one result for each finding.

    A result stands for all dialects that agree; its properties list them, each with the evidence.
    """
    groups = grouped(found.hits)
    rules: dict[str, int] = {}
    for g in groups:
        rules.setdefault(g.first.violation.rule, len(rules))
    driver = {
        "name": "wireshape",
        "version": ws.__version__,
        "semanticVersion": ws.__version__,
        "rules": [_rule(r, groups) for r in rules],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(g, rules) for g in groups],
        "properties": {"schemas": found.asked, "evidence": _evidence(found)},
    }
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [run],
    }


def _rule(rule: str, groups: Sequence[Group]) -> dict[str, Any]:
    hits = [g.first.violation for g in groups if g.first.violation.rule == rule]
    about = CODES[hits[0].code].about
    help_text = f"{about} `wireshape dialects ID` shows the row field `{rule}` with its evidence."
    return {
        "id": rule,
        "shortDescription": {"text": f"{rule} of a dialect is not met"},
        "fullDescription": {"text": about},
        "help": {"text": help_text},
        "defaultConfiguration": {"level": hits[0].level},
    }


def _result(g: Group, rules: Mapping[str, int]) -> dict[str, Any]:
    first, v = g.first, g.first.violation
    names = ", ".join(dict.fromkeys([h.dialect for h in g.hits]))
    physical: dict[str, Any] = {"artifactLocation": {"uri": _uri(first.file)}}
    if first.place is not None:
        physical["region"] = {"startLine": first.place.line, "startColumn": first.place.column}
    logical = {"name": first.schema.name or first.schema.part, "fullyQualifiedName": first.pointer}
    return {
        "ruleId": v.rule,
        "ruleIndex": rules[v.rule],
        "level": v.level,
        "message": {"text": f"{title(first)}: {v.what}; {v.remedy} [{names}]"},
        "locations": [{"physicalLocation": physical, "logicalLocations": [logical]}],
        "partialFingerprints": {"finding/v1": _fingerprint(g)},
        "properties": {
            "code": v.code,
            "dialects": {h.dialect: h.violation.rule for h in g.hits},
        },
    }


def _evidence(found: Lint) -> dict[str, dict[str, Any]]:
    """Collect why the rules that were broken are believed, by dialect and rule."""
    known: dict[str, dict[str, Any]] = {}
    for h in found.hits:
        if h.evidence is not None:
            known.setdefault(h.dialect, {}).setdefault(h.violation.rule, asdict(h.evidence))
    return known


def _fingerprint(g: Group) -> str:
    """Identify a finding by what it says, so that it stays the same when lines move or dialects are added."""
    first = g.first
    inside = first.pointer.removeprefix(pointer(first.schema.path))
    parts = (
        first.schema.name or pointer(first.schema.path),
        first.schema.part,
        inside,
        first.violation.level,
        first.violation.what,
        first.violation.remedy,
    )
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _uri(file: str) -> str:
    if file == "-":
        return "stdin"
    path = Path(file)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix(), errors="surrogateescape")
