"""Documents in a form that the validator takes: references as URIs, OpenAPI 3.0 as draft 4; the meaning stays the same."""

from __future__ import annotations

import re
from typing import Any, cast
from urllib.parse import quote

from wireshape import ir
from wireshape.ir import kind_of

# References

_NO_URI = re.compile(r"[^A-Za-z0-9_.~!$&'()*+,;=:@/?#%-]|%(?![0-9A-Fa-f]{2})|#.*#")
_SAFE = "!$&'()*+,;=:@/?%~"
_NAMED = frozenset(
    "properties patternProperties definitions $defs dependentSchemas dependencies".split()
)
_DATA = frozenset(["enum", "const", "default", "examples", "example"])
_REFERENCES = frozenset(["$ref", "$dynamicRef", "$recursiveRef"])


def with_uris(document: ir.Json) -> ir.Json:
    """Percent-encode references that people write as they read them; the very same document where none is so.

    >>> with_uris({"items": {"$ref": "#/$defs/Page[Größe]"}})
    {'items': {'$ref': '#/$defs/Page%5BGr%C3%B6%C3%9Fe%5D'}}
    """
    found: list[dict[str, Any]] = []
    seen: set[int] = set()
    stack: list[tuple[Any, bool]] = [(document, False)]
    while stack:
        at, named = stack.pop()
        if id(at) in seen:
            continue
        seen.add(id(at))
        if kind_of(at) is dict:
            part = cast("dict[str, Any]", at)
            if not named and any([_is_odd(part, word) for word in _REFERENCES]):
                found.append(part)
            stack.extend(
                [(v, not named and k in _NAMED) for k, v in part.items() if named or k not in _DATA]
            )
        elif kind_of(at) is list:
            stack.extend([(v, False) for v in at])
    return _encoded(document, {id(part) for part in found}, {}) if found else document


def _is_odd(part: dict[str, Any], word: str) -> bool:
    ref = part.get(word)
    return isinstance(ref, str) and _NO_URI.search(ref) is not None


def _encoded(at: Any, odd: set[int], known: dict[int, Any]) -> Any:
    """Copy what holds such references; depth and size are those of a schema that was read."""
    if kind_of(at) is not dict and kind_of(at) is not list:
        return at
    if id(at) not in known:
        if kind_of(at) is list:
            known[id(at)] = [_encoded(v, odd, known) for v in at]
        else:
            part = cast("dict[str, Any]", at)
            copy = known[id(at)] = {k: _encoded(v, odd, known) for k, v in part.items()}
            if id(at) in odd:
                copy.update({w: _uri(part[w]) for w in _REFERENCES if _is_odd(part, w)})
    return known[id(at)]


def _uri(ref: str) -> str:
    base, hash_, fragment = ref.partition("#")
    text = quote(base, safe=_SAFE) + hash_ + quote(fragment, safe=_SAFE)
    return re.sub(r"%(?![0-9A-Fa-f]{2})", "%25", text)


# OpenAPI 3.0

_MAPS = frozenset({"properties", "patternProperties", "definitions", "$defs"})
_ARRAYS = frozenset({"allOf", "anyOf", "oneOf"})
_SINGLE = frozenset({"items", "not", "additionalProperties"})


def plain_openapi(schema: ir.Json) -> ir.Json:
    """Turn an OpenAPI 3.0 schema into one of draft 4: `nullable` becomes a null type; nothing else changes.

    >>> plain_openapi({"type": "string", "nullable": True, "enum": ["a"]})
    {'type': ['string', 'null'], 'enum': ['a', None]}
    """
    if not isinstance(schema, dict):
        return schema
    source = cast("dict[str, Any]", schema)
    nullable = source.get("nullable") is True and "$ref" not in source
    out: dict[str, Any] = {}
    for key, value in source.items():
        if key in _MAPS and isinstance(value, dict):
            out[key] = {k: plain_openapi(v) for k, v in cast("dict[str, Any]", value).items()}
        elif key in _ARRAYS and isinstance(value, list):
            out[key] = _each(cast("Any", value))
        elif key in _SINGLE:
            out[key] = plain_openapi(value)
        elif key != "nullable":
            out[key] = value
    return _with_null(out) if nullable else out


def _each(schemas: list[ir.Json]) -> list[ir.Json]:
    return [plain_openapi(schema) for schema in schemas]


def _with_null(schema: dict[str, Any]) -> dict[str, Any]:
    """Admit null: in place, so that pointers into the schema hold, save for combinators, which get a null arm."""
    out = dict(schema)
    if isinstance(out.get("type"), str):
        out["type"] = [out["type"], "null"]
    if isinstance(out.get("enum"), list) and None not in out["enum"]:
        out["enum"] = [*out["enum"], None]
    combined = {k: out.pop(k) for k in ("allOf", "anyOf", "oneOf", "not") if k in out}
    if combined:
        out["anyOf"] = [{"type": "null"}, combined]
    return out


def refers(document: ir.Json) -> bool:
    """Tell whether a document holds any reference, which may lead a validator into every level of a value.

    >>> refers({"items": {"$ref": "#"}}), refers({"items": {"type": "string"}})
    (True, False)
    """
    stack: list[Any] = [document]
    while stack:
        at = stack.pop()
        if kind_of(at) is dict:
            if not at.keys().isdisjoint(_REFERENCES):
                return True
            stack += at.values()
        elif kind_of(at) is list:
            stack += at
    return False
