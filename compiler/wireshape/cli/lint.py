"""Judge every schema that files declare by the rules of every dialect asked for; how findings are printed is elsewhere."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, NamedTuple

import wireshape as ws
from wireshape.check import violation_of
from wireshape.check_tools import tool_findings
from wireshape.check_walk import is_object
from wireshape.cli.places import Place, places
from wireshape.cli.sources import (
    SHAPE,
    InputError,
    Selected,
    Text,
    is_type,
    read_documents,
    read_source,
    read_text,
)
from wireshape.declarations import Declared, Part, declarations, declared_tools
from wireshape.dialect_evidence import Evidence
from wireshape.ir import pointer


class Hit(NamedTuple):
    """One rule that one schema breaks in one dialect; `pointer` points into the file, `place` is where that is written."""

    file: str
    schema: Declared
    dialect: str
    violation: ws.Violation
    pointer: str
    place: Place | None
    evidence: Evidence | None

    def to_json(self) -> dict[str, Any]:
        """Return the hit as a JSON object, the violation's fields among its own."""
        at = {"line": self.place.line, "column": self.place.column} if self.place else {}
        whose = {"file": self.file, "tool": self.schema.name, "part": self.schema.part, **at}
        proof = None if self.evidence is None else asdict(self.evidence)
        return {**whose, **self.violation.to_json(), "pointer": self.pointer, "evidence": proof}


class Lint(NamedTuple):
    """Everything that was found: the hits, and how many schemas each dialect was asked about, in the order asked."""

    hits: list[Hit]
    asked: dict[str, int]

    @property
    def by_dialect(self) -> dict[str, list[Hit]]:
        """The hits of each dialect, also of those that have none."""
        found: dict[str, list[Hit]] = {name: [] for name in self.asked}
        for h in self.hits:
            found[h.dialect].append(h)
        return found


_CARRIERS: dict[Part, str] = {
    "input": "tool",
    "none": "tool",
    "tools": "tool",
    "output": "output",
    "format": "output",
}


def lint(sources: Sequence[str], dialects: Sequence[Selected], *, inputs_only: bool) -> Lint:
    """Check each schema of each source in each dialect: those named, and of the others those that carry such schemas."""
    hits: list[Hit] = []
    asked = {d.row.id: 0 for d in dialects}
    for source in sources:
        if dialects and all([d.row.grammar.syntax != "none" for d in dialects]):
            hits += _grammar_hits(source, dialects, asked)
            continue
        text, schemas = _schemas(source)
        found: list[Hit] = []
        for schema in [s for s in schemas if not (inputs_only and s.part == "output")]:
            for d in [d for d in dialects if _carries(d, schema.part)]:
                asked[d.row.id] += 1
                found += _hits(source, schema, d)
        if text is not None:
            found += _tool_hits(source, text, [d for d in dialects if _carries(d, "tools")])
        hits += found if text is None else _placed(found, text)
    return Lint(hits, asked)


def _tool_hits(source: str, text: Text, dialects: Sequence[Selected]) -> list[Hit]:
    """Check the lists of tools of a document."""
    tools = declared_tools(text.document)
    hits: list[Hit] = []
    for d in dialects:
        for declared, finding in tool_findings(tools, d.row, lines=text.lines):
            v = violation_of(finding)
            hits.append(Hit(source, declared, d.row.id, v, v.pointer, None, _evidence(v, d)))
    return hits


def _grammar_hits(source: str, dialects: Sequence[Selected], asked: dict[str, int]) -> list[Hit]:
    """Check a file that holds a grammar; a finding stands where its rule begins."""
    text = read_text(source)
    declared = Declared("grammar", "schema", text, None)
    hits: list[Hit] = []
    for d in dialects:
        asked[d.row.id] += 1
        hits += [h._replace(place=_rule_place(text, h.pointer)) for h in _hits(source, declared, d)]
    return hits


def _rule_place(text: str, pointer: str) -> Place:
    found = re.search(rf"^[?!]?{re.escape(pointer[1:])}(?![\w-])", text, re.MULTILINE)
    return Place(1 + text.count("\n", 0, found.start() if found and pointer else 0), 1)


def _schemas(source: str) -> tuple[Text | None, list[Declared]]:
    if is_type(source):
        value = read_source(source)
        whole = (
            value
            if is_object(value) or isinstance(value, bool)
            else ws.compile(value, ws.dialect("lenient")).schema
        )
        return None, [Declared(source.rpartition(":")[2], "schema", whole, None)]
    if source.endswith(SHAPE):
        return None, [Declared(source, "schema", ws.to_json_schema(read_source(source)), None)]
    text = read_documents(source)
    if text.document == []:
        message = f'{source} holds nothing to judge; pass tools, a request or a schema (no tools at all are {{"tools": []}})'
        raise InputError(message)
    return text, declarations(text.document)


def _carries(d: Selected, part: Part) -> bool:
    if d.row.grammar.syntax != "none" and not d.named:
        return False  # it takes grammars, not schemas
    return d.named or part == "schema" or _CARRIERS[part] in d.row.carriers


def _hits(source: str, schema: Declared, d: Selected) -> list[Hit]:
    top = pointer(schema.path)
    found = ws.check(schema.schema, d.row)
    return [Hit(source, schema, d.row.id, v, top + v.pointer, None, _evidence(v, d)) for v in found]


def _evidence(v: ws.Violation, d: Selected) -> Evidence | None:
    """Find why the row states the rule; a rule that comes from JSON Schema itself has no evidence."""
    return d.evidence.get(v.rule)


def _placed(hits: list[Hit], text: Text) -> list[Hit]:
    known = places(text.text, [h.pointer for h in hits], lines=text.lines) if hits else {}
    return [h._replace(place=known[h.pointer]) for h in hits]


class Group(NamedTuple):
    """Hits that tell the same about the same place, in several dialects."""

    first: Hit
    hits: list[Hit]

    @property
    def rules(self) -> dict[str, list[Hit]]:
        """The hits by rule: dialects may forbid one thing in different fields of their rows."""
        found: dict[str, list[Hit]] = {}
        for h in self.hits:
            found.setdefault(h.violation.rule, []).append(h)
        return found


def grouped(hits: Sequence[Hit]) -> list[Group]:
    """Put together what differs in the dialect only; groups come in the order of their places in the file."""
    found: dict[tuple[str, ...], Group] = {}
    for h in hits:
        v = h.violation
        key = (h.file, pointer(h.schema.path), h.pointer, v.level, v.what, v.remedy)
        found.setdefault(key, Group(h, [])).hits.append(h)
    files = {name: i for i, name in enumerate(dict.fromkeys([h.file for h in hits]))}
    return sorted(found.values(), key=lambda g: (files[g.first.file], g.first.place or (0, 0)))
