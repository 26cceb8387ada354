"""The independent acceptor: tell what a dialect would refuse or not enforce in any wire schema, made here or not.

It reads rows and shares no code with the lowering, so that each can convict the other. Any JSON value is a valid
question: malformed schemas are violations, never exceptions. It does not look at carriers or requests.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from wireshape.check_grammar import grammar_findings
from wireshape.check_json import fault
from wireshape.check_limits import excesses
from wireshape.check_refs import References
from wireshape.check_rules import Gates, rules
from wireshape.check_texts import Finding
from wireshape.check_walk import Document, is_object, walk
from wireshape.codes import CODES
from wireshape.dialect import Dialect, resolve
from wireshape.errors import SchemaError
from wireshape.ir import Json, pointer


@dataclass(frozen=True, slots=True, kw_only=True)
class Violation:
    """One thing that the dialect refuses or does not enforce; `level` tells which of the two.

    `message` says everything; `what` and `remedy` are the two halves of it.

    `rule` is the path of the row field that says so (`objects.extras`, `limits.depth`), or `schema` where the JSON is not
    a well-formed schema; `pointer` points into the wire schema.

    >>> v = check({"type": "object", "properties": {"a": {"type": "string"}}}, "openai-strict")[0]
    >>> v.code, v.rule, v.pointer
    ('WS405', 'objects.extras', '')
    >>> v.level, v.remedy
    ('error', 'write `additionalProperties: false`')
    """

    code: str
    rule: str
    keyword: str
    pointer: str
    message: str
    what: str
    remedy: str

    @property
    def level(self) -> Literal["error", "warning"]:
        """`error` when the dialect refuses the schema, `warning` when it takes it and does not enforce this."""
        return "warning" if self.code in _NOT_ENFORCED else "error"

    def to_json(self) -> dict[str, Any]:
        """Return the violation, with its level, as a JSON object."""
        return {"level": self.level} | {name: getattr(self, name) for name in Violation.__slots__}


_NOT_ENFORCED = frozenset(["WS402", "WS415"])


def check(wire: Json, dialect: str | Dialect) -> list[Violation]:
    """List what `dialect` refuses or does not enforce in a wire schema; empty when it takes all of it.

    For a dialect that takes a grammar, `wire` is its text; pointers then name the rule of the grammar.
    A rule that is broken very often is reported for its first 100 places only. A Python value that is no JSON, such as a
    dict with other keys than strings or inside itself, raises `SchemaError`.

    >>> [v.rule for v in check({"type": "object", "properties": {}}, "openai-strict")]
    ['objects.extras']
    """
    d = resolve(dialect)
    if isinstance(wire, type):
        what = f"{wire.__qualname__} is a Python type; `check` takes a wire schema: pass `compile(...).schema`"
        raise SchemaError(what, code="WS111")
    flaw = fault(wire)
    if flaw is not None:
        path, what = flaw
        message = CODES["WS111"].template.format(what=what)
        raise SchemaError(message, code="WS111", pointer=pointer(path))
    if d.grammar.syntax != "none" and isinstance(wire, str):
        findings = _first_of_each(grammar_findings(wire, d))
    elif d.root.verbatim:
        findings = [] if is_object(wire) or isinstance(wire, bool) else [_NO_SCHEMA]
    else:
        findings = _first_of_each(_findings(wire, d))
    return [violation_of(f) for f in findings]


def _first_of_each(findings: Iterator[Finding]) -> list[Finding]:
    """Keep 100 findings of a rule: the pointers of thousands of nested places are quadratic to write down."""
    told: dict[str, int] = {}
    kept: list[Finding] = []
    for f in findings:
        told[f.field] = told.get(f.field, 0) + 1
        if told[f.field] <= 100:
            kept.append(f)
    return kept


_NO_SCHEMA = Finding(
    "WS403", "schema", "", None, "a schema is an object", "write an object of keywords"
)


def violation_of(f: Finding) -> Violation:
    """Write a finding out."""
    message = CODES[f.code].template.format(what=f.what, rule=f.field, remedy=f.remedy)
    return Violation(
        code=f.code,
        rule=f.field,
        keyword=f.keyword,
        pointer=pointer(f.path),
        message=message,
        what=f.what,
        remedy=f.remedy,
    )


def _findings(wire: Json, d: Dialect) -> Iterator[Finding]:
    gates = Gates(d)
    anywhere = d.refs.pointers == "any"
    document = walk(wire, draft=d.draft, closed=gates.closed, anywhere=anywhere)
    references = References(wire, d, document)
    for flaw in document.flaws:
        yield Finding("WS403", "schema", flaw.keyword, flaw.path, flaw.what, flaw.remedy)
    yield from _booleans(document, d)
    for site in document.sites:
        yield from rules(site, d, gates, references.target)
        if d.refs.defs and isinstance(site.schema.get("$ref"), str):
            yield from references.rules(site)
    yield from references.recursion()
    for e in excesses(wire, d, document, references.edges):
        what = f"{e.what} is {e.number}, over {e.limit}"
        yield Finding(
            "WS414",
            f"limits.{e.field}",
            "",
            e.path,
            what,
            "make the schema smaller, or use the relaxed dialect",
        )


_BOOLEAN_HOMES = frozenset(
    ["additionalProperties", "unevaluatedProperties", "unevaluatedItems", "additionalItems"]
)


def _booleans(document: Document, d: Dialect) -> Iterator[Finding]:
    for value, path, role in document.booleans:
        if not role and d.root.object_only:
            yield Finding(
                "WS404",
                "root.object_only",
                "type",
                path,
                "the root is a boolean",
                "write an object schema",
            )
        elif role not in _BOOLEAN_HOMES and not d.keywords.boolean_schemas:
            remedy = "drop the property" if not value else "write a schema that says its type"
            yield Finding(
                "WS407", "keywords.boolean_schemas", role, path, "a schema is a boolean", remedy
            )
