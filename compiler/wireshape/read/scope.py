"""What reading needs beside the schema at hand: the state of one run, and the draft, resource and dynamic environment."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from wireshape import ir
from wireshape.codes import CODES
from wireshape.errors import SchemaError, shown
from wireshape.read.json_copy import kind_of
from wireshape.report import Note, make_note

if TYPE_CHECKING:
    from collections.abc import Callable

    from wireshape.read.build import Raw
    from wireshape.read.drafts import Spec
    from wireshape.read.refs import Resource, Store, Target

    Reader = Callable[[ir.Json, ir.Path, "Scope"], Raw]

_UNSAFE = re.compile(r"[^A-Za-z0-9_.\-]")
_NO_SIBLINGS = frozenset({"$ref", "definitions", "$defs", "$schema"})


class State:
    """One run: definitions by key and name, what is still to read, notes."""

    __slots__ = (
        "assert_formats",
        "conditions",
        "defs",
        "keys",
        "lazies",
        "notes",
        "parts",
        "pending",
        "queue",
        "read",
        "root_key",
        "scopes",
        "seen",
        "store",
        "used",
    )

    def __init__(self, store: Store, read: Reader, *, assert_formats: bool) -> None:
        self.store = store
        self.read = read
        self.assert_formats = assert_formats
        self.notes: list[Note] = []
        self.keys: dict[tuple[object, object], str] = {}
        self.used: dict[str, int] = {}
        self.queue: list[tuple[str, Target, Scope]] = []
        self.defs: dict[str, Raw] = {}
        self.root_key: tuple[object, object] = (None, None)
        self.seen: set[int] = set()
        self.pending: list[tuple[dict[str, Any], ir.Path, Scope]] = []
        self.scopes: dict[object, Scope] = {}
        self.lazies = 0
        """How many conjunctions were made: none means that nothing needs merging."""
        self.conditions = 0
        """How many assertions bind only where a condition holds."""
        self.parts = 0
        """How many subschemas may speak about the value of another."""

    def close(self) -> None:
        """Let go of the scopes, which refer back: then nothing has to wait for the cycle collector."""
        for scope in self.scopes.values():
            del scope.child
        self.scopes.clear()

    def claim(self, name: str) -> str:
        """Return a free definition name near the wished one."""
        return claim_name(self.used, name)


def claim_name(used: dict[str, int], name: str) -> str:
    """Return a name that is not `used`, near the wished one."""
    name = _UNSAFE.sub("_", name) or "_"
    free, count = name, used.get(name, 0)
    while free in used:
        count += 1
        free = f"{name}_{count + 1}"
    used[name] = count
    used.setdefault(free, 0)
    return free


class Scope:
    """Where a schema stands. `dry` reads for errors only; `evaluating` keeps what `unevaluated*` can observe."""

    __slots__ = (
        "child",
        "dry",
        "env",
        "evaluating",
        "formats",
        "groups",
        "key",
        "names",
        "resource",
        "spec",
        "st",
        "subroots",
    )

    def __init__(
        self,
        st: State,
        resource: Resource,
        env: dict[str, Resource],
        *,
        dry: bool,
        evaluating: bool,
    ) -> None:
        self.st = st
        self.resource = resource
        self.spec: Spec = resource.spec
        self.groups = self.spec.groups
        self.formats = self.spec.formats if st.assert_formats else frozenset[str]()
        self.subroots = st.store.subroots
        self.env = env
        self.dry = dry
        self.evaluating = evaluating
        self.key = (_env_key(env), evaluating)
        self.names: dict[tuple[str, str], str] = {}
        self.child: Scope = self if not evaluating else scope_for(st, resource, env, dry=dry)

    def enter(
        self, resource: Resource, *, dry: bool | None = None, evaluating: bool | None = None
    ) -> Scope:
        """Return the scope inside a resource, reached from here."""
        env = self.env
        if resource.dynamic:
            env = {**resource_env(resource), **env}
        elif resource is self.resource and dry is evaluating is None:
            return self
        return scope_for(
            self.st,
            resource,
            env,
            dry=self.dry if dry is None else dry,
            evaluating=self.evaluating if evaluating is None else evaluating,
        )

    def note(self, code: str, at: ir.Path, keyword: str = "", **fields: str) -> None:
        """Leave a note about a keyword."""
        if not self.dry:
            pointer = ir.pointer((at, keyword) if keyword else at)
            self.st.notes.append(make_note(code, pointer, keyword, fields=fields))

    def name_of(self, keyword: str, ref: str, at: ir.Path) -> str:
        """Return the definition name of a reference; what is new is queued for reading."""
        known = self.names.get((keyword, ref))
        if known is not None:
            return known
        target = self.target(keyword, ref, at)
        scope = self.enter(target.resource)
        if (onward := _only_ref(target.value)) is not None:
            target, scope = scope._onward(onward, target, ref, at)  # noqa: SLF001
        place: object = id(target.value)
        if kind_of(target.value) is not dict:
            place = (id(target.resource), ir.pointer(target.path))
        key = (place, scope.key)
        st = self.st
        name = st.keys.get(key)
        if name is None:
            name = st.keys[key] = st.claim(_hint(target, ref))
            st.seen.add(id(target.value))
            if key != st.root_key:
                st.queue.append((name, target, scope))
        self.names[keyword, ref] = name
        return name

    def _onward(
        self, onward: str | None, target: Target, ref: str, at: ir.Path
    ) -> tuple[Target, Scope]:
        """Follow what is only a reference to what it leads to."""
        scope, seen = self, {id(target.value)}
        while onward is not None:
            target = scope.target("$ref", onward, (target.path, "$ref"))
            scope = scope.enter(target.resource)
            if id(target.value) in seen:
                raise cyclic(ref, at, "only references in between")
            seen.add(id(target.value))
            onward = _only_ref(target.value)
        return target, scope

    def target(self, keyword: str, ref: str, at: ir.Path) -> Target:
        """Resolve a reference from here, a dynamic one by the resources that were entered."""
        target = self.st.store.resolve(ref, self.resource, at)
        if keyword == "$ref":
            return target
        anchor = "" if keyword == "$recursiveRef" else ref.partition("#")[2]
        bookend = target.resource.dynamic.get(anchor)
        if bookend is None or bookend[0] is not target.value:
            return target
        outermost = self.env.get(anchor, target.resource)
        value, path = outermost.dynamic[anchor]
        return target._replace(value=value, path=path, resource=outermost)


def scope_for(
    st: State, resource: Resource, env: dict[str, Resource], *, dry: bool, evaluating: bool = False
) -> Scope:
    """Return the one scope of that description."""
    key = (id(resource), _env_key(env), dry, evaluating)
    found = st.scopes.get(key)
    if found is None:
        found = st.scopes[key] = Scope(st, resource, env, dry=dry, evaluating=evaluating)
    return found


def _env_key(env: dict[str, Resource]) -> tuple[tuple[str, int], ...]:
    return tuple([(name, id(env[name])) for name in sorted(env)]) if env else ()


def resource_env(resource: Resource) -> dict[str, Resource]:
    """Return the dynamic anchors that a resource brings."""
    return dict.fromkeys(resource.dynamic, resource)


def malformed(at: ir.Path, value: ir.Json, hint: str) -> SchemaError:
    """Build the error for a keyword value that the draft forbids; `at` is the place of the value."""
    keyword = str(at[1]) if at is not None else "schema"
    message = CODES["WS110"].template.format(value=shown(value), keyword=keyword, hint=hint)
    return SchemaError(message, code="WS110", pointer=ir.pointer(at))


def cyclic(ref: str, at: ir.Path, hint: str) -> SchemaError:
    """Build the error for a reference that never reaches a value."""
    message = CODES["WS113"].template.format(value=ref, hint=hint)
    return SchemaError(message, code="WS113", pointer=ir.pointer(at))


def _only_ref(value: ir.Json) -> str | None:
    if kind_of(value) is dict and "$ref" in value and _NO_SIBLINGS.issuperset(value):
        ref = value["$ref"]
        return ref if type(ref) is str else None
    return None


def _hint(target: Target, ref: str) -> str:
    if target.path is not None:
        return str(target.path[1])
    name = target.resource.uri.rstrip("/").rpartition("/")[2]
    if ref.startswith("#") or not name:
        return "root"
    return name
