"""Validate a dialect row: the shape of each table by a Pydantic model derived from the record, the whole by rules.

Built-in rows are validated in tests only; a user's row on every load. Nothing is converted here: `dialect.build` does.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import MISSING, asdict, fields
from difflib import get_close_matches
from functools import cache
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, get_type_hints

from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from wireshape.api import Api, History, Replies, Rule
from wireshape.api_paths import steps_of
from wireshape.api_protocols import ABOUT, file_of, protocols
from wireshape.codes import CODES
from wireshape.dialect import (
    SECTIONS,
    Dialect,
    build,
    builtin,
    dialect,
    dialects,
    merged,
)
from wireshape.dialect_apis import api_tables, own_apis, tables_of_row
from wireshape.dialect_evidence import Evidence, own_evidence
from wireshape.dialect_grammar import FEATURES as GRAMMAR_FEATURES
from wireshape.errors import DialectError, expect
from wireshape.models import Models
from wireshape.regex import FEATURES


def validated_row(file: str | Path) -> dict[str, Any]:
    """Read, validate and merge the row in a file; every failure is a `DialectError` that names file and field."""
    expect("path", file, (str, Path), "the path of a TOML file")
    path = Path(file)
    row = _read(path)
    parent = row.get("extends")
    if parent is not None and parent not in dialects():
        raise _error(
            path,
            "WS702",
            "/extends",
            f"no built-in row is called {parent!r}; known are {', '.join(dialects())}",
        )
    validate_row(row, path)
    result = merged(row)
    tables = tables_of_row(row)
    for table in tables.values():
        validate_protocol(table.get("protocol", ""))
    result |= {"apis": tables} if tables else {}
    for problem in problems(build(result)):
        pointer = "/" + problem.partition(":")[0].replace(".", "/")
        raise _error(path, "WS703", pointer, f"the row contradicts itself: {problem}")
    return result


def validate_builtin(name: str) -> None:
    """Raise `DialectError` for what is wrong in the file of a built-in row, missing evidence included."""
    path, given = Path(f"dialects/{name}.toml"), own_evidence(name)
    row = builtin(name) | own_apis(name)
    validate_row({**row, "evidence": {field: asdict(e) for field, e in given.items()}}, path)
    for problem in problems(dialect(name)):
        pointer = "/" + problem.partition(":")[0].replace(".", "/")
        raise _error(path, "WS703", pointer, f"the row contradicts itself: {problem}")
    stated = set(row.get("unset", ())) | {"draft", "carriers"} & row.keys()
    stated |= {f"{table}.{field}" for table in (*SECTIONS, "apis") for field in row.get(table, ())}
    if set(row.get("models", ())) - {"providers"}:
        stated.add("models")
    for field in sorted(stated ^ given.keys()):
        what = "has no evidence" if field in stated else "is evidence for nothing that the row says"
        raise _error(path, "WS702", "/evidence", f"{field!r} {what}")


def validate_row(row: dict[str, Any], path: Path) -> None:
    """Raise `DialectError` for the first unknown field or bad value of an unmerged row."""
    _check_shape(row_model(), row, path)
    of_parent = api_tables(row["extends"]) if "extends" in row else {}
    known = {*FIELDS, *[f"apis.{name}" for name in of_parent]}
    for field in row.get("unset", ()):
        if field not in known:
            near = get_close_matches(field, sorted(known), n=1)
            meant = f"; did you mean {near[0]!r}?" if near else ""
            raise _error(path, "WS702", "/unset", f"no field is called {field!r}{meant}")
    apis: dict[str, dict[str, Any]] = row.get("apis") or {}
    for name, table in apis.items():
        _check_api(table, f"/apis/{name}", path)


def validate_protocol(name: str) -> None:
    """Raise `DialectError` for what is wrong in the file of a shared protocol, or of one that it extends."""
    seen: list[str] = []
    while name:
        path = Path(f"dialects/protocols/{name}.toml")
        seen.append(name)
        table = _read(path, file_of(name))
        _check_shape(protocol_model(), table, path)
        _check_paths(table, "", path)
        name = table.get("extends", "")
        if name and (name in seen or name not in protocols()):
            what = f"no protocol is called {name!r}" if name not in seen else "it extends itself"
            raise _error(path, "WS702", "/extends", f"{what}; known are {', '.join(protocols())}")


def _check_shape(model: type[BaseModel], table: dict[str, Any], path: Path) -> None:
    try:
        model.model_validate_json(json.dumps(table, default=str))
    except ValidationError as error:
        first = error.errors()[0]
        where = [str(part) for part in first["loc"]]
        what = f"field {'.'.join(where)!r}: {first['msg'][:1].lower()}{first['msg'][1:]}"
        raise _error(path, "WS702", "".join(["/" + part for part in where]), what) from error


def _check_api(table: dict[str, Any], pointer: str, path: Path) -> None:
    """Raise `DialectError` for a protocol that does not exist, or a path that is none."""
    protocol = table.get("protocol", "")
    if protocol and protocol not in protocols():
        known = ", ".join(protocols())
        what = f"no protocol is called {protocol!r}; known are {known}"
        raise _error(path, "WS702", f"{pointer}/protocol", what)
    validate_protocol(protocol)
    _check_paths(table.get("reply", {}), f"{pointer}/reply", path)


def _check_paths(reply: dict[str, Any], pointer: str, path: Path) -> None:
    rules = [rule for word in ("body", "events") for rule in reply.get(word, ())]
    paths = [text for rule in rules for word, text in rule.items() if word in _PATHS]
    for text in [*paths, *reply.get("attempts", ())]:
        try:
            steps_of(text)
        except ValueError:
            raise _error(path, "WS702", pointer, f"{text!r} is no path") from None


_PATHS = frozenset({f.name for f in fields(Rule)} - {"gives", "whole", "announced", "blob"})


@cache
def row_model() -> type[BaseModel]:
    """Derive the model of a row file from the record, so that the two cannot differ."""
    return _model(
        Dialect,
        extends=(str | None, None),
        unset=(list[str], []),
        models=(_model(Models), {}),
        evidence=(dict[str, Evidence], {}),
    )


@cache
def protocol_model() -> type[BaseModel]:
    """Derive the model of a protocol file: the records of replies and history, and what the file says of itself."""
    about: dict[str, Any] = dict.fromkeys(ABOUT, (str, ""))
    return _model(Replies, **about, history=(_model(History), {}))


FIELDS = frozenset(
    [*SECTIONS, *[f"{name}.{f.name}" for name, make in SECTIONS.items() for f in fields(make())]]
)


def _model(record: type[Any], **more: Any) -> type[BaseModel]:
    hints = get_type_hints(record)
    members: dict[str, Any] = dict(more)
    for f in fields(record):
        hint: Any = hints[f.name]
        if f.name in SECTIONS and record is Dialect:
            model = _model(hint)
            members[f.name] = (model, model())
        elif f.name == "apis" and record is Dialect:
            api: Any = _model(Api)
            members[f.name] = (dict[str, api] | None, None)
        elif record is Api and f.name == "reply":
            members[f.name] = (_model(Replies), {})
        elif record is Api and f.name == "history":
            members[f.name] = (_model(History), {})
        elif record is Replies and f.name in ("body", "events"):
            rule: Any = _model(Rule)
            members[f.name] = (list[rule], [])
        elif not (record is Api and f.name == "name"):
            members[f.name] = (hint, ... if f.default is MISSING else f.default)
    return create_model(
        record.__name__, __config__=ConfigDict(extra="forbid", strict=True), **members
    )


def problems(d: Dialect) -> list[str]:
    """Tell what is inconsistent in a row, one line each, led by the field at fault; empty when it can be used."""
    return [f"{field}: {text}" for field, text in _problems(d)]


def _problems(d: Dialect) -> Iterator[tuple[str, str]]:
    if d.objects.extras == "unsaid" and d.objects.absent_means == "open" and d.strict:
        yield (
            "objects.absent_means",
            "a strict row that cannot close an object must read absent as 'closed'",
        )
    for field, pattern in (
        ("objects.key_pattern", d.objects.key_pattern),
        ("enums.text_pattern", d.enums.text_pattern),
    ):
        if pattern is not None and not _compiles(pattern):
            yield field, "not a regular expression"
    if d.objects.all_required and d.unions.any_of != "yes" and d.nullable.spelling == "any-of":
        yield "objects.all_required", "absent fields are sent as null, and no `anyOf` can admit it"
    yield from _nullable(d)
    yield from _anything(d)
    if d.strings.formats is not None and not d.strings.rough_formats <= d.strings.formats:
        yield "strings.rough_formats", "not among strings.formats"
    if d.tuples.encoding == "fixed-prefix-items" and d.tuples.absent_means == "open":
        yield "tuples.absent_means", "a tuple without `items` is closed where its length is fixed"
    if not d.refs.defs and d.refs.recursion != "no":
        yield "refs.recursion", "without definitions there is no recursion; say 'no'"
    if (
        d.refs.siblings != "any"
        and d.refs.sibling_fix == "wrap"
        and d.unions.any_of != "yes"
        and d.refs.defs
    ):
        yield "refs.sibling_fix", "wrapping needs `anyOf`"
    closes = d.keywords.boolean_schemas or d.arrays.max_items == "yes"
    if d.tuples.encoding == "prefix-items" and not closes:
        yield (
            "tuples.encoding",
            "'prefix-items' ends in `items: false` or `maxItems`; both are refused",
        )
    yield from _keywords(d)
    if (d.limits.large_enum_values is None) != (d.limits.large_enum_chars is None):
        yield "limits.large_enum_values", "goes together with large_enum_chars"
    yield from _patterns(d)
    yield from _grammar(d)
    if not d.carriers:
        yield "carriers", "a row rides in at least one carrier"


def _grammar(d: Dialect) -> Iterator[tuple[str, str]]:
    unknown = d.grammar.forbid - GRAMMAR_FEATURES
    if unknown:
        yield "grammar.forbid", f"no such feature of a grammar: {', '.join(sorted(unknown))}"
    if "grammar" in d.carriers and d.grammar.syntax == "none":
        yield "grammar.syntax", "a schema that rides as a grammar needs a syntax"
    if d.grammar.spaces < 1:
        yield "grammar.spaces", "models and programs write a space after `,` and `:`"


def _patterns(d: Dialect) -> Iterator[tuple[str, str]]:
    unknown = d.strings.forbid - FEATURES
    if unknown:
        yield "strings.forbid", f"no such feature of a pattern: {', '.join(sorted(unknown))}"
    if "anchor" in d.strings.forbid and d.strings.anchoring == "search":
        yield "strings.anchoring", "an engine without anchors must match the whole text; say 'full'"


def _nullable(d: Dialect) -> Iterator[tuple[str, str]]:
    if d.nullable.spelling not in d.nullable.accepts:
        yield "nullable.spelling", "not among nullable.accepts"
    if d.nullable.spelling == "keyword" and d.draft != "openapi-3.0":
        yield "nullable.spelling", f"draft {d.draft!r} does not read `nullable`"
    if d.nullable.spelling == "absent" and d.unions.any_of == "yes":
        yield "nullable.spelling", "'absent' is for rows without unions; null can be an arm of one"
    if d.objects.optional_null and d.unions.any_of != "yes":
        yield "objects.optional_null", "null is an arm of `anyOf`"
    if d.nullable.spelling == "any-of" and d.unions.any_of != "yes":
        yield "nullable.spelling", "'any-of' needs unions.any_of"


def _anything(d: Dialect) -> Iterator[tuple[str, str]]:
    encoding = d.anything.encoding
    if encoding in ("flat", "recursive") and d.unions.any_of != "yes":
        yield "anything.encoding", f"{encoding!r} needs unions.any_of"
    if encoding == "recursive" and (not d.refs.defs or d.refs.recursion != "yes"):
        yield "anything.encoding", "'recursive' needs refs.defs and refs.recursion"
    if encoding == "flat" and d.objects.extras != "schema" and d.objects.extras != "boolean":
        yield "anything.encoding", "'flat' needs open objects"
    if encoding == "empty" and d.keywords.typed_nodes:
        yield "anything.encoding", "'empty' is an untyped node, which keywords.typed_nodes refuses"


def _keywords(d: Dialect) -> Iterator[tuple[str, str]]:
    accept = d.keywords.accept
    if accept is None:
        if d.keywords.unlisted != "no":
            yield (
                "keywords.unlisted",
                "says something about keywords that keywords.accept does not name",
            )
        return
    if d.keywords.reject & accept:
        yield "keywords.reject", f"also accepted: {', '.join(sorted(d.keywords.reject & accept))}"
    if not d.keywords.annotations <= accept:
        yield (
            "keywords.annotations",
            f"not accepted: {', '.join(sorted(d.keywords.annotations - accept))}",
        )
    needed = {word for word, used in _spelled(d) if used}
    if not needed <= accept:
        yield "keywords.accept", f"the row spells with {', '.join(sorted(needed - accept))}"


def _spelled(d: Dialect) -> Iterator[tuple[str, bool]]:
    """Pair each keyword with whether the other fields say that it is sent."""
    yield from [(word, True) for word in ("type", "properties", "required", "items", "enum")]
    yield "additionalProperties", d.objects.extras != "unsaid"
    yield d.objects.ordering, d.objects.ordering != "no"
    yield "title", d.objects.titled
    yield "patternProperties", d.objects.pattern_properties in ("yes", "closed")
    yield "propertyNames", d.objects.property_names == "yes"
    yield "minProperties", d.objects.property_bounds == "yes"
    yield "nullable", d.nullable.spelling == "keyword"
    yield "prefixItems", d.tuples.encoding in ("prefix-items", "fixed-prefix-items")
    yield "anyOf", d.unions.any_of == "yes"
    yield "oneOf", d.unions.one_of != "no"
    yield "allOf", d.unions.all_of not in ("no", "ignored")
    yield "not", d.unions.negation == "yes"
    yield "if", d.unions.conditional == "yes"
    yield "dependentRequired", d.unions.dependent == "yes"
    yield "unevaluatedProperties", d.unions.unevaluated == "yes"
    yield "$ref", d.refs.defs
    yield d.refs.keyword, d.refs.defs
    yield "const", d.enums.const
    yield "format", d.strings.formats != frozenset()
    yield "pattern", d.strings.pattern == "yes"
    yield "maxLength", d.strings.length == "yes"
    yield "minimum", d.numbers.bounds in ("yes", "integers")
    yield "exclusiveMinimum", d.numbers.exclusive in ("yes", "integers")
    yield "multipleOf", d.numbers.multiple_of in ("yes", "integers")
    yield "minItems", d.arrays.min_items in ("yes", "0-1")
    yield "maxItems", d.arrays.max_items == "yes"
    yield "uniqueItems", d.arrays.unique == "yes"
    yield "contains", d.arrays.contains == "yes"


def _compiles(pattern: str) -> bool:
    try:
        re.compile(pattern)
    except re.error:
        return False
    return True


def _read(path: Path, file: Traversable | None = None) -> dict[str, Any]:
    try:
        return tomllib.loads((file or path).read_text(encoding="utf-8"))
    except OSError as error:
        raise _error(path, "WS702", "", f"cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise _error(path, "WS702", "", f"not TOML: {error}") from error


def _error(path: Path, code: str, pointer: str, what: str) -> DialectError:
    return DialectError(
        CODES[code].template.format(value=path, what=what), code=code, pointer=pointer
    )
