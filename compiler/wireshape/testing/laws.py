"""Check the laws of a compilation on given instances, without hypothesis; it decides nothing about the schema itself."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields
from typing import cast

from wireshape import pipeline, reading
from wireshape.check import check
from wireshape.compiled import Compiled
from wireshape.dialect import SECTIONS
from wireshape.errors import DecodeError, EncodeError, ValidationError, WireshapeError
from wireshape.ir import Json
from wireshape.options import Options
from wireshape.read import Schema, read
from wireshape.testing.equality import items, members, same_json
from wireshape.testing.wire import WireValidator

_PAIRS = frozenset({"WS214", "WS215", "WS219", "WS230"})
SLACK: Mapping[str, frozenset[str]] = {
    "WS611": _PAIRS,
    "WS612": _PAIRS,
    "WS613": frozenset({"WS217"}),
    "WS617": frozenset({"WS242"}),
    "WS614": frozenset({"WS221", "WS222"}),
}
"""For each code of a DecodeError, the notes whose wire shape lets such a value in: repeated keys, holes, no JSON."""
_ANYWHERE = frozenset(
    {"WS218", "WS227"}
)  # the step is chosen by position or key, the wire by neither

_ASSERTIONS = frozenset(
    "enum const minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern minItems maxItems uniqueItems "
    "contains minContains maxContains required minProperties maxProperties propertyNames patternProperties not if then else "
    "dependentRequired dependentSchemas unevaluatedProperties additionalProperties".split()
)
_NAMED = frozenset(["properties", "$defs", "patternProperties"])
_ONE = frozenset("items additionalProperties not if then else contains propertyNames".split())
_MANY = frozenset(["anyOf", "oneOf", "allOf", "prefixItems"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Breach:
    """A law that does not hold: its number, the value it was seen on, and what happened."""

    law: int
    value: Json
    detail: str

    def __str__(self) -> str:
        return f"law {self.law}: {self.detail}; value {json.dumps(self.value)[:200]}"


def is_valid(compiled: Compiled, value: Json) -> bool:
    """Tell whether the gate lets `value` out."""
    try:
        compiled.validate(value)
    except ValidationError:
        return False
    return True


def accepted(compiled: Compiled) -> list[Breach]:
    """Law 1: the acceptor finds nothing, limits included."""
    violations = check(compiled.schema, compiled.dialect)
    if compiled.text is not None:
        violations += check(compiled.text, compiled.dialect)
    return [Breach(law=1, value=compiled.schema, detail=str(v)) for v in violations]


def complete(compiled: Compiled, judge: WireValidator, value: Json) -> list[Breach]:
    """Law 2: a valid value survives both directions, or an EncodeError carries the narrowing that bites."""
    try:
        wire = compiled.encode(value)
    except EncodeError as error:
        excused = error.note is not None and error.note in compiled.report.narrowed
        return (
            []
            if excused
            else [Breach(law=2, value=value, detail=f"encode refuses without a note: {error}")]
        )
    if not judge.is_valid(wire):
        return [Breach(law=2, value=value, detail=f"not wire-valid: {_short(wire)}")]
    try:
        back = compiled.decode(wire)
    except DecodeError as error:
        return [Breach(law=2, value=value, detail=f"{_short(wire)} does not decode: {error}")]
    if not same_json(back, value) and not same_but_absent(compiled, value, back):
        return [
            Breach(law=2, value=value, detail=f"came back as {_short(back)} from {_short(wire)}")
        ]
    return sound(compiled, wire)


def same_but_absent(compiled: Compiled, value: Json, back: Json) -> bool:
    """Whether `back` is `value` with null where a WS211 note says that absent is sent as null."""
    sent_as_absent = any([n.code == "WS234" for n in compiled.report.notes])
    if sent_as_absent and same_json(_without_nulls(back), _without_nulls(value)):
        return True
    pointers = [n.pointer for n in compiled.report.notes if n.code == "WS211"]
    keys: set[str] = set()
    for pointer in pointers:
        *_, holder, last = ["", *pointer.split("/")]
        if holder in {"properties", "prefixItems", "items"}:
            keys.add(last.replace("~1", "/").replace("~0", "~"))
        else:  # an undeclared key that a rule about names or `required` brought in
            keys |= set(_keys(back))
    return bool(pointers) and same_json(_without(back, value, keys), value)


def _without_nulls(value: Json) -> Json:
    if isinstance(value, dict):
        return {k: _without_nulls(v) for k, v in members(value).items() if v is not None}
    return [_without_nulls(v) for v in items(value)] if isinstance(value, list) else value


def _keys(value: Json) -> Iterable[str]:
    if isinstance(value, dict):
        for key, part in members(value).items():
            yield key
            yield from _keys(part)
    elif isinstance(value, list):
        for part in items(value):
            yield from _keys(part)


def _without(back: Json, value: Json, keys: set[str]) -> Json:
    """Drop from `back` the nulls under `keys` that `value` does not have."""
    if isinstance(back, dict) and isinstance(value, dict):
        theirs, mine = members(back), members(value)
        added = {k for k, v in theirs.items() if k not in mine and v is None and k in keys}
        return {k: _without(v, mine.get(k), keys) for k, v in theirs.items() if k not in added}
    if isinstance(back, list) and isinstance(value, list):
        longer, fewer = items(back), items(value)
        kept = list(longer)
        while len(kept) > len(fewer) and kept[-1] is None and str(len(kept) - 1) in keys:
            kept.pop()
        return [_without(v, fewer[i] if i < len(fewer) else None, keys) for i, v in enumerate(kept)]
    return cast("Json", back)


def sound(compiled: Compiled, wire: Json) -> list[Breach]:
    """Law 3: a wire-valid value decodes; to a valid one when nothing is widened."""
    try:
        value = compiled.decode(wire)
    except DecodeError as error:
        if _slack(compiled, error):
            return []
        return [Breach(law=3, value=wire, detail=f"wire-valid, does not decode: {error}")]
    valid = is_valid(compiled, value)
    if not valid and not compiled.report.widened:
        return [
            Breach(law=3, value=wire, detail=f"nothing is widened, yet {_short(value)} is invalid")
        ]
    return []


def _slack(compiled: Compiled, error: DecodeError) -> bool:
    """Whether a note names the slack that the error fell into."""
    codes = {note.code for note in compiled.report.notes}
    return bool(codes & (SLACK.get(error.code, frozenset()) | _ANYWHERE))


def honest(compiled: Compiled, less: Compiled, instances: Iterable[Json]) -> list[Breach]:
    """Law 8: where a source with one assertion less gives the same wire and report, no instance tells the two apart."""
    if json.dumps(compiled.schema) != json.dumps(less.schema):
        return []
    if compiled.report.to_json() != less.report.to_json():
        return []
    return [
        Breach(law=8, value=value, detail="tells two sources of the same wire and report apart")
        for value in instances
        if is_valid(compiled, value) is not is_valid(less, value)
    ]


def without_one(schema: Json) -> list[Json]:
    """Return every schema that lacks one assertion keyword of `schema`.

    >>> without_one({"type": "integer", "minimum": 1})
    [{'type': 'integer'}]
    """
    found: list[Json] = []
    if not isinstance(schema, dict):
        return found
    node = members(schema)
    for key, part in node.items():
        if key in _ASSERTIONS:
            found.append({k: v for k, v in node.items() if k != key})
        if key in _NAMED and isinstance(part, dict):
            table = members(part)
            found += [
                {**node, key: {**table, name: less}}
                for name, sub in table.items()
                for less in without_one(sub)
            ]
        elif key in _ONE:
            found += [{**node, key: less} for less in without_one(part)]
        elif key in _MANY and isinstance(part, list):
            arms = items(part)
            found += [
                {**node, key: [*arms[:i], less, *arms[i + 1 :]]}
                for i, sub in enumerate(arms)
                for less in without_one(sub)
            ]
    return found


def stable(
    compiled: Compiled, options: Options, known: dict[str, Schema] | None = None
) -> list[Breach]:
    """Law 5: the wire schema, read back and compiled for the same dialect, is itself with the identity codec.

    `known` keeps what was read back under the same options, by its text, for other dialects that send the same.
    """
    if compiled.dialect.root.verbatim:
        return []  # the wire is the source, byte for byte; law 7 says so
    if compiled.text is not None:
        return []  # what is sent is a grammar, which no reader takes
    same = Options(draft="2020-12", open_objects=options.open_objects, absent=options.absent)
    try:
        source = _read_back(compiled, same, {} if known is None else known)
        again = pipeline.lowering(source, compiled.dialect, None, None, same)
    except WireshapeError as error:
        return [Breach(law=5, value=compiled.schema, detail=f"does not compile again: {error}")]
    first, second = json.dumps(compiled.schema), json.dumps(again.compiled.schema)
    if first != second:
        return [Breach(law=5, value=compiled.schema, detail=f"recompiled to {second[:400]}")]
    if again.parts.step is not None:
        return [Breach(law=5, value=compiled.schema, detail="the second codec is not the identity")]
    return []


def _read_back(compiled: Compiled, options: Options, known: dict[str, Schema]) -> Schema:
    wire = recompilable(compiled)
    text = json.dumps(wire)
    if text not in known:
        known[text] = read(wire, options)
    return known[text]


def identical(schema: Json, compiled: Compiled, value: Json) -> list[Breach]:
    """Law 7: a dialect that takes any schema as it is changes neither the schema nor a value."""
    sent: Json = compiled.schema
    if isinstance(sent, dict) and "$schema" not in schema:  # a draft that only the options told
        sent = {k: v for k, v in members(sent).items() if k != "$schema"}
    if not same_json(sent, schema) or compiled.report.widened or compiled.report.narrowed:
        return [Breach(law=7, value=compiled.schema, detail="the schema is not as it was")]
    if compiled.decode(value) is not value:
        return [Breach(law=7, value=value, detail="decodes to another object")]
    return []


def tight(schema: Json, compiled: Compiled) -> list[Breach]:
    """Law 10: no assertion is told that the acceptor takes and the dialect reads; what is crude names its reason."""
    row = compiled.dialect
    found: list[Breach] = []
    paired = {note.pointer for note in compiled.report.notes if note.code in _PAIRS}
    for one in compiled.report.notes:
        if one.code in _CRUDE and not _names_a_field(one.message):
            found.append(Breach(law=10, value=schema, detail=f"no field in {one.message!r}"))
        if one.code not in _TOLD:
            continue
        place = one.pointer.removesuffix("/" + one.keyword)
        if one.keyword in _COUNTS and place in paired:
            continue  # some keys are in pairs, so the keys of the wire are another number
        source, again = _at(schema, place), copy.deepcopy(compiled.schema)
        node = _at(again, one.wire_pointer)
        if node is None or source is None or one.keyword not in source:
            continue  # it was merged from several places
        operand = node[one.keyword] = source[one.keyword]
        if not _speaks(one.keyword, node) or check(again, row):
            continue
        read = _at(reading.as_json_schema(again, row), one.wire_pointer)
        if compiled.text is not None:  # what the acceptor takes of a schema, a grammar may not say
            read = _at(pipeline.compile(again, row).schema, one.wire_pointer)
        if read is not None and same_json(read.get(one.keyword), operand):
            detail = f"{one.keyword} could be sent at {one.wire_pointer!r}"
            found.append(Breach(law=10, value=schema, detail=detail))
    return found


_CRUDE = frozenset({"WS220", "WS221", "WS222"})
_TOLD = frozenset({"WS201", "WS202", "WS203"})
_COUNTS = frozenset(["minProperties", "maxProperties"])
_OF: Mapping[str, str] = {
    word: name
    for name, words in {
        "string": "minLength maxLength pattern format",
        "array": "minItems maxItems uniqueItems contains",
        "number": "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf",
        "object": "minProperties maxProperties propertyNames patternProperties dependentRequired dependentSchemas",
    }.items()
    for word in words.split()
}
"""The JSON type that a keyword binds."""


def _speaks(keyword: str, node: dict[str, Json]) -> bool:
    """Whether the keyword says something about values of the node's type."""
    name = node.get("type")
    name = "number" if name == "integer" else name
    return not isinstance(name, str) or _OF.get(keyword, name) == name


def _names_a_field(message: str) -> bool:
    names = [f"{table}.{f.name}" for table, make in SECTIONS.items() for f in fields(make())]
    return any([name in message for name in names])


def _at(document: Json, pointer: str) -> dict[str, Json] | None:
    """The object at a pointer, if there is one."""
    for part in pointer.split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        if isinstance(document, dict) and key in document:
            document = members(document)[key]
        elif isinstance(document, list) and key.isdecimal() and int(key) < len(items(document)):
            document = items(document)[int(key)]
        else:
            return None
    return members(document) if isinstance(document, dict) else None


def recompilable(compiled: Compiled) -> Json:
    """Return the wire schema as a plain 2020-12 source."""
    return reading.as_json_schema(compiled.schema, compiled.dialect)


def tolerant(compiled: Compiled, judge: WireValidator, value: Json) -> list[Breach]:
    """Law 9: a value in conceptual shape that is no wire value decodes to itself, save for parts that are wire values."""
    if judge.is_valid(value):
        return []
    try:
        back = compiled.decode(value)
    except DecodeError as error:
        return [Breach(law=9, value=value, detail=f"a valid value does not decode: {error}")]
    with suppress(EncodeError):
        if same_json(back, value) or _only_wire_parts(value, back, compiled.encode(back)):
            return []
    return [Breach(law=9, value=value, detail=f"decodes to {_short(back)}")]


def _only_wire_parts(value: Json, back: Json, wire: Json) -> bool:
    """Whether `value` differs from what it decodes to only in parts that are those of the wire value."""
    if same_json(value, back) or same_json(value, wire):
        return True
    if isinstance(value, dict) and isinstance(back, dict) and isinstance(wire, dict):
        own, their, sent = members(value), members(back), members(wire)
        return own.keys() >= their.keys() and all(
            [
                _only_wire_parts(v, their[k], sent.get(k, their[k]))
                if k in their
                else k in sent and same_json(v, sent[k])  # null, which decodes to an absent field
                for k, v in own.items()
            ]
        )
    if isinstance(value, list) and isinstance(back, list) and isinstance(wire, list):
        lists = (items(value), items(back), items(wire))
        return len({len(part) for part in lists}) == 1 and all(
            [_only_wire_parts(*parts) for parts in zip(*lists, strict=True)]
        )
    return False


def _short(value: Json) -> str:
    text = json.dumps(value)
    return text if len(text) <= 160 else text[:157] + "..."
