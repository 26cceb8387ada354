"""Resources, identifiers and anchors: a reference becomes the place that it names, offline; schemas are not read here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple
from urllib.parse import unquote, urldefrag, urljoin

from wireshape.codes import CODES
from wireshape.errors import SchemaError
from wireshape.ir import Json, Path, pointer
from wireshape.read.drafts import SHAPES, SPECS, VALIDATION, Spec, spec_named, spec_of_uri
from wireshape.read.json_copy import copy_json, kind_of


class Target(NamedTuple):
    """A place in a resource."""

    value: Json
    path: Path
    resource: Resource


@dataclass(slots=True)
class Resource:
    """A document, or a part of one that has its own identifier."""

    uri: str
    contents: Json
    path: Path
    spec: Spec
    anchors: dict[str, tuple[Json, Path]]
    dynamic: dict[str, tuple[Json, Path]]
    """Anchors made by `$dynamicAnchor`; the empty name stands for `$recursiveAnchor: true`."""


class Store:
    """Every resource at hand: those of the source, and those of the registry as they are asked for."""

    __slots__ = ("_external", "_resources", "subroots")

    def __init__(self, external: Mapping[str, Any] | Any | None) -> None:
        self._external = external
        self._resources: dict[str, Resource] = {}
        self.subroots: dict[int, Resource] = {}

    def add(self, document: Json, uri: str, spec: Spec, *, scan: bool) -> Resource:
        """Take in a document that the caller owns; `scan` looks for identifiers inside."""
        root = Resource(uri, document, None, spec, {}, {})
        if kind_of(document) is dict:
            own = document.get(spec.id_key)
            if isinstance(own, str) and not own.startswith("#") and not _id_is_dead(document, spec):
                root.uri = urldefrag(urljoin(uri, own)).url
        self._resources.setdefault(uri, root)
        self._resources[root.uri] = root
        if scan:
            self._scan(root)
        return root

    def _scan(self, root: Resource) -> None:
        """Register the identifiers at the places where the draft has schemas."""
        stack: list[tuple[Json, Path, Resource]] = [(root.contents, None, root)]
        while stack:
            schema, path, resource = stack.pop()
            if kind_of(schema) is not dict:
                continue
            if path is not None:
                resource = self._enter(schema, path, resource)
            self._anchor(schema, path, resource)
            if resource.spec.level <= 7 and isinstance(schema.get("$ref"), str):
                schema = {k: v for k, v in schema.items() if k == "definitions"}
            stack.extend(
                [(sub, at, resource) for sub, at in subschemas(schema, path, resource.spec)]
            )

    def _enter(self, schema: dict[str, Json], path: Path, outer: Resource) -> Resource:
        declared = schema.get("$schema")
        spec = (spec_of_uri(declared) if isinstance(declared, str) else None) or outer.spec
        own = schema.get(outer.spec.id_key)
        if not isinstance(own, str) or own.startswith("#") or _id_is_dead(schema, spec):
            return outer
        uri = urldefrag(urljoin(outer.uri, own)).url
        inner = Resource(uri, schema, path, spec, {}, {})
        self._resources.setdefault(uri, inner)
        self.subroots[id(schema)] = inner
        return inner

    def _anchor(self, schema: dict[str, Json], path: Path, resource: Resource) -> None:
        spec = resource.spec
        if spec.level <= 7:
            own = schema.get(spec.id_key)
            if isinstance(own, str) and "#" in own and not _id_is_dead(schema, spec):
                resource.anchors[own.partition("#")[2]] = (schema, path)
            return
        anchor = schema.get("$anchor")
        if isinstance(anchor, str):
            resource.anchors[anchor] = (schema, path)
        dynamic = schema.get("$dynamicAnchor")
        if isinstance(dynamic, str) and spec.level == 2020:
            resource.anchors[dynamic] = resource.dynamic[dynamic] = (schema, path)
        if (
            schema.get("$recursiveAnchor") is True
            and spec.level == 2019
            and schema is resource.contents
        ):
            resource.dynamic[""] = (schema, path)

    def lookup(self, uri: str, spec: Spec) -> Resource | None:
        """Find the resource of that URI, from the source, the registry or the standard metaschemas."""
        found = self._resources.get(uri)
        if found is not None:
            return found
        document = self._from_registry(uri)
        if document is None:
            return None
        copy = copy_json(document)
        own = copy.value.get("$schema") if kind_of(copy.value) is dict else None
        spec = (spec_of_uri(own) if isinstance(own, str) else None) or spec
        return self.add(copy.value, uri, spec, scan=True)

    def _from_registry(self, uri: str) -> Json:
        external: Any = self._external
        if isinstance(self._external, Mapping):
            for key in (uri, uri + "#", uri.rstrip("/")):
                if key in external:
                    return getattr(external[key], "contents", external[key])
        elif external is not None:
            found = _contents(external, uri)
            if found is not None:
                return found
        if "json-schema.org/" in uri:
            from jsonschema_specifications import REGISTRY  # type: ignore[import-untyped]  # noqa: PLC0415 - heavy, seldom needed, has no stubs

            return _contents(REGISTRY, uri)
        return None

    def resolve(self, ref: str, base: Resource, at: Path) -> Target:
        """Follow one reference, or raise a SchemaError at its place."""
        if ref.startswith("#"):
            resource, fragment = base, ref[1:]
        else:
            uri, fragment = urldefrag(_join(base.uri, ref))
            found = self.lookup(uri, base.spec)
            if found is None:
                hint = f"no document {uri!r} here or in `Options.registry`, and nothing is fetched"
                raise _unresolved(ref, at, hint)
            resource = found
        if "%" in fragment:
            fragment = unquote(fragment)
        if not fragment:
            return Target(resource.contents, resource.path, resource)
        if fragment.startswith("/"):
            return self._walk(fragment, resource, ref, at)
        if fragment in resource.anchors:
            value, path = resource.anchors[fragment]
            return Target(value, path, resource)
        raise _unresolved(ref, at, f"there is no anchor {fragment!r}")

    def _walk(self, fragment: str, resource: Resource, ref: str, at: Path) -> Target:
        value: Json = resource.contents
        path: Path = resource.path
        for raw in fragment[1:].split("/"):
            part = raw.replace("~1", "/").replace("~0", "~") if "~" in raw else raw
            if kind_of(value) is dict and part in value:
                value, path = value[part], (path, part)
            elif kind_of(value) is list and part.isdecimal() and int(part) < len(value):
                value, path = value[int(part)], (path, int(part))
            else:
                raise _unresolved(
                    ref, at, f"there is nothing at {part!r} under {pointer(path) or '/'}"
                )
            if self.subroots:
                resource = self.subroots.get(id(value), resource)
        return Target(value, path, resource)


def subschemas(schema: dict[str, Json], path: Path, spec: Spec) -> Iterator[tuple[Json, Path]]:
    """Yield the schemas directly inside a schema, with their places."""
    for key, value in schema.items():
        shape = SHAPES.get(key)
        if shape is None or (key not in spec.groups and key not in {"$defs", "definitions"}):
            continue
        here: Path = (path, key)
        if kind_of(value) is list:
            if shape in {"list", "one-or-list"}:
                yield from [(sub, (here, i)) for i, sub in enumerate(value)]
        elif kind_of(value) is dict:
            if shape in {"map", "dependencies"}:
                yield from [(sub, (here, k)) for k, sub in value.items()]
            elif shape != "list":
                yield value, here


def _id_is_dead(schema: dict[str, Json], spec: Spec) -> bool:
    """Drafts up to 7 ignore an identifier beside `$ref`."""
    return spec.level <= 7 and isinstance(schema.get("$ref"), str)


def _join(base: str, ref: str) -> str:
    if not base or base.startswith("urn:"):
        return ref
    return urljoin(base, ref)


def _contents(registry: Any, uri: str) -> Json:
    """Find the document of that URI in a `referencing.Registry`, without retrieving anything new."""
    for key in (uri, uri + "#"):
        found = registry.get(key)
        if found is not None:
            return found.contents
    return None


def _unresolved(ref: str, at: Path, hint: str) -> SchemaError:
    message = CODES["WS112"].template.format(value=ref, hint=hint)
    return SchemaError(message, code="WS112", pointer=pointer(at))


def detect(document: Json, asked: str | None, store: Store) -> tuple[Spec, str | None]:
    """Return the draft of a document, and its `$schema` when that is none that we know."""
    if asked is not None:
        spec = spec_named(asked)
        if spec is None:
            message = CODES["WS115"].template.format(value=asked, hint=", ".join(SPECS))
            raise SchemaError(message, code="WS115")
        return spec, None
    latest = SPECS["2020-12"]
    declared = document.get("$schema") if kind_of(document) is dict else None
    if not isinstance(declared, str):
        return latest, None
    silent = frozenset[str]()
    for _ in range(8):
        if not isinstance(declared, str):
            return latest, None
        spec = spec_of_uri(declared)
        if spec is not None:
            return (replace(spec, silent=silent) if silent else spec), None
        own = store.lookup(urldefrag(declared).url, latest)
        if (
            own is None
            or kind_of(own.contents) is not dict
            or own.contents.get("$schema") == declared
        ):
            return latest, declared
        used = own.contents.get("$vocabulary")
        if kind_of(used) is dict and not any(["/vocab/validation" in uri for uri in used]):
            silent = VALIDATION
        declared = own.contents.get("$schema")
    return latest, None
