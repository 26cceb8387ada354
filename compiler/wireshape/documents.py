"""Documents in a form that the validator takes: references as URIs, OpenAPI 3.0 as draft 4; the meaning stays the same."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any, cast
from urllib.parse import quote, unquote

from wireshape import ir
from wireshape.errors import SchemaError
from wireshape.ir import kind_of
from wireshape.read.drafts import SPECS
from wireshape.read.refs import Resource, Store, Target, subschemas

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

_COMBINATORS = ("allOf", "anyOf", "oneOf", "not")


class OpenApi:
    """An OpenAPI 3.0 document and those of its registry as draft 4: `nullable` becomes a null type; nothing else changes.

    A schema is the document itself, what stands in one by the draft, and whatever a reference leads to, wherever it stands.

    >>> nullable = {"type": "string", "nullable": True}
    >>> OpenApi({"$ref": "#/x-a", "x-a": nullable, "x-b": nullable.copy()}).document
    {'$ref': '#/x-a', 'x-a': {'type': ['string', 'null']}, 'x-b': {'type': 'string', 'nullable': True}}
    """

    __slots__ = ("_root", "_schemas", "_store")

    def __init__(self, document: ir.Json, registry: Any = None) -> None:
        self._store = Store(registry)
        self._root = self._store.add(document, "", SPECS["openapi-3.0"], scan=True)
        self._schemas: dict[int, Resource] = {}
        self._reach(Target(document, None, self._root))

    @property
    def document(self) -> ir.Json:
        """The document itself."""
        return self._plain(self._root.contents)

    def retrieve(self, uri: str) -> ir.Json:
        """Return a document of the registry, or raise a `LookupError`."""
        for name in (uri, unquote(uri)):
            found = self._store.lookup(name, self._root.spec)
            if found is not None:
                self._reach(Target(found.contents, found.path, found))
                return self._plain(found.contents)
        raise LookupError(uri)

    def _reach(self, first: Target) -> None:
        """Find every schema from the first on; a reference that leads nowhere is for the validator to tell."""
        stack = [first]
        while stack:
            at, path, resource = stack.pop()
            if kind_of(at) is not dict or id(at) in self._schemas:
                continue
            resource = self._schemas[id(at)] = self._store.subroots.get(id(at), resource)
            part = cast("dict[str, Any]", at)
            if isinstance(part.get("$ref"), str):
                with suppress(SchemaError):
                    stack.append(self._store.resolve(part["$ref"], resource, path))
                part = {k: v for k, v in part.items() if k == "definitions"}
            stack += [Target(v, p, resource) for v, p in subschemas(part, path, resource.spec)]

    def _plain(self, at: Any) -> Any:
        """Copy a part; depth and size are those of a schema that was read."""
        if kind_of(at) is list:
            return [self._plain(v) for v in at]
        if kind_of(at) is not dict:
            return at
        resource = self._schemas.get(id(at))
        if resource is None or not resource.spec.nullable:
            return {k: self._plain(v) for k, v in at.items()}
        out = {k: v if k == "enum" else self._plain(v) for k, v in at.items() if k != "nullable"}
        if isinstance(out.get("$ref"), str):
            out["$ref"] = self._moved(out["$ref"], resource)
        return _with_null(out) if self._is_nullable(at) else out

    def _is_nullable(self, at: Any) -> bool:
        resource = self._schemas.get(id(at))
        if resource is None or not resource.spec.nullable:
            return False
        return at.get("nullable") is True and "$ref" not in at

    def _moved(self, ref: str, resource: Resource) -> str:
        """Let a reference follow what went into an arm beside null."""
        base, _, fragment = ref.partition("#")
        fragment = unquote(fragment)
        if not fragment.startswith("/"):
            return ref
        steps: list[str] = []
        try:
            self._store.resolve(ref, resource, None)
            at: Any = self._store.resolve(base + "#", resource, None).value
        except SchemaError:
            return ref
        parts = fragment.split("/")[1:]
        for part in parts:
            if self._is_nullable(at) and part in _COMBINATORS:
                steps += _ARM
            steps.append(part)
            key = part.replace("~1", "/").replace("~0", "~")
            at = at[int(key)] if kind_of(at) is list else at[key]
        return ref if steps == parts else f"{base}#/{quote('/'.join(steps), safe=_SAFE)}"


_ARM = ("anyOf", "1")


def _with_null(schema: dict[str, Any]) -> dict[str, Any]:
    """Admit null: in place, save for combinators, which get a null arm."""
    out = dict(schema)
    if isinstance(out.get("type"), str):
        out["type"] = [out["type"], "null"]
    if isinstance(out.get("enum"), list) and None not in out["enum"]:
        out["enum"] = [*out["enum"], None]
    combined = {k: out.pop(k) for k in _COMBINATORS if k in out}
    if combined:
        out["anyOf"] = [{"type": "null"}, combined]
    return out


_API = frozenset(["openapi", "swagger"])
_SAYS = frozenset(
    [key for spec in SPECS.values() for key, group in spec.groups.items() if group > 0]
)


def described(document: ir.Json) -> list[str] | None:
    """Return the references to the schemas of a whole OpenAPI document; `None` for what may be meant as a schema itself.

    >>> described({"openapi": "3.1.0", "paths": {}, "components": {"schemas": {"Pet": {}}}})
    ['#/components/schemas/Pet']
    >>> described({"openapi": "3.1.0", "paths": {}, "type": "object"}) is None
    True
    """
    if kind_of(document) is not dict or not _SAYS.isdisjoint(document):
        return None
    whole = cast("dict[str, Any]", document)
    parts = [k for k in ("paths", "components", "definitions") if kind_of(whole.get(k)) is dict]
    if not parts or not any([isinstance(whole.get(k), str) for k in _API]):
        return None
    at: ir.Path = ((None, "components"), "schemas")
    named: Any = whole["components"].get("schemas") if "components" in parts else None
    if kind_of(named) is not dict:
        at, named = (None, "definitions"), whole.get("definitions")
    return ["#" + ir.pointer((at, key)) for key in named] if kind_of(named) is dict else []


_LISTS = frozenset(["items", "prefixItems", "additionalItems", "unevaluatedItems", "contains"])
_MAPS = frozenset(["additionalProperties", "patternProperties", "unevaluatedProperties"])
_FEW_LISTS = 2
_FAR = _REFERENCES | {"uniqueItems"}


def spreads(document: ir.Json) -> bool:
    """Tell whether a validator may go as deep as a value, or look at parts that the value shares more often than squared.

    Any reference may lead into every level, and `uniqueItems` compares what lies below it, whatever it is; otherwise lists and
    maps in one another count.

    >>> spreads({"items": {"$ref": "#"}}), spreads({"items": {"type": "string"}})
    (True, False)
    """
    stack: list[tuple[Any, int]] = [(document, 0)]
    while stack:
        at, inside = stack.pop()
        if kind_of(at) is dict:
            if inside > _FEW_LISTS or not at.keys().isdisjoint(_FAR):
                return True
            stack += [(part, inside + (key in _LISTS or key in _MAPS)) for key, part in at.items()]
        elif kind_of(at) is list:
            stack += [(part, inside) for part in at]
    return False
