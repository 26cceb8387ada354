"""Which keys and items a schema evaluates, where that is plain from its text; otherwise it says nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wireshape import ir
from wireshape.read import build
from wireshape.read.drafts import REF, REFERENCES
from wireshape.read.json_copy import kind_of
from wireshape.read.scope import malformed

if TYPE_CHECKING:
    from wireshape.read.build import Raw
    from wireshape.read.refs import Target
    from wireshape.read.scope import Scope

_DYNAMIC = frozenset("anyOf oneOf if dependentSchemas dependencies contains".split())
_BRANCHES = ("if", "then", "else")
_EVALUATES_ALL = {
    "unevaluatedProperties": ("additionalProperties", "unevaluatedProperties"),
    "unevaluatedItems": ("unevaluatedItems", "additionalItems"),
}


class _Seen:
    """What is evaluated statically: keys, key patterns, a count of positions, or everything."""

    def __init__(self) -> None:
        self.keys: dict[str, None] = {}
        self.patterns: dict[str, None] = {}
        self.positions = 0
        self.everything = False
        self.targets: set[tuple[int, object]] = set()
        self.perhaps: _Seen | None = None

    def covers(self, other: _Seen) -> bool:
        """Whether what another schema may evaluate is evaluated here anyway."""
        inner = other.perhaps is None or self.covers(other.perhaps)
        known = (
            other.keys.keys() <= self.keys.keys() and other.patterns.keys() <= self.patterns.keys()
        )
        return self.everything or (inner and known and not other.everything)


def closing(key: str, s: dict[str, ir.Json], at: ir.Path, rest: Raw, cx: Scope) -> Raw | None:
    """Return a conjunct that puts `rest` on what nothing evaluates, or `None` when that depends on the value."""
    seen = _Seen()
    own = {k: v for k, v in s.items() if k != key}
    if not _collect(key, own, at, cx, seen, 0):
        return None
    if seen.perhaps is not None and not seen.covers(seen.perhaps):
        return None
    if seen.everything:
        return build.ANY
    if key == "unevaluatedProperties":
        fields = tuple(
            [
                ir.Field(k, build.ANY)
                for k in seen.keys
                if not build.matching_any(seen.patterns, k, at)
            ]
        )
        rules = tuple([ir.Pattern(regex, build.ANY) for regex in seen.patterns])
        return build.untyped(ir.Object(fields, build.lazy(rest), patterns=rules, at=at))
    prefix = tuple([build.ANY] * seen.positions)
    items: ir.Node = ir.List(build.lazy(rest), at=at)
    if prefix:
        items = ir.Tuple(prefix, build.lazy(rest), at=at)
    others = (ir.Null(None, at), ir.Boolean(None, at), ir.Number(at=at), ir.String(at=at))
    return ir.Union(
        (*others, items, ir.Object((), build.ANY, open=True, at=at)), implied=("array",), at=at
    )


def _collect(key: str, s: ir.Json, at: ir.Path, cx: Scope, seen: _Seen, depth: int) -> bool:
    if kind_of(s) is not dict:
        return True
    if depth > 60:
        return False
    if not _DYNAMIC.isdisjoint(s) and not _collect_perhaps(key, s, at, cx, seen, depth):
        return False
    if depth and id(s) in cx.subroots:
        cx = cx.enter(cx.subroots[id(s)])
    if cx.spec.level <= 7 and "$ref" in s:
        s = {"$ref": s["$ref"]}
    if any(
        [
            k in s
            and k in cx.groups
            and (k != "additionalItems" or kind_of(s.get("items")) is list)
            for k in _EVALUATES_ALL[key]
        ]
    ):
        seen.everything = True
    if key == "unevaluatedProperties":
        for name, into in (("properties", seen.keys), ("patternProperties", seen.patterns)):
            if kind_of(s.get(name)) is dict:
                into.update(dict.fromkeys(s[name]))
    else:
        _positions(s, cx, seen)
    for word in REFERENCES:
        if word in s and not _through(key, _target(s, word, at, cx), cx, seen, depth):
            return False
    arms = s.get("allOf")
    return kind_of(arms) is not list or all(
        [_collect(key, arm, at, cx, seen, depth + 1) for arm in arms]
    )


def _collect_perhaps(
    key: str, s: dict[str, ir.Json], at: ir.Path, cx: Scope, seen: _Seen, depth: int
) -> bool:
    """Collect what branches may evaluate, which only depends on the value where nothing else evaluates it."""
    if key != "unevaluatedProperties":
        return False
    perhaps = seen.perhaps = seen.perhaps or _Seen()
    arms: list[ir.Json] = [s[word] for word in _BRANCHES if word in s and "if" in s]
    for word in ("anyOf", "oneOf"):
        arms.extend(s[word] if kind_of(s.get(word)) is list else ())
    for word in ("dependentSchemas", "dependencies"):
        arms.extend(s[word].values() if kind_of(s.get(word)) is dict else ())
    return all([_collect(key, arm, at, cx, perhaps, depth + 1) for arm in arms])


def _positions(s: dict[str, ir.Json], cx: Scope, seen: _Seen) -> None:
    items: ir.Json = s.get("items")
    if cx.spec.level >= 2020:
        seen.everything = seen.everything or "items" in s
        items = s.get("prefixItems")
    elif "items" in s and kind_of(items) is not list:
        seen.everything = True
    if kind_of(items) is list:
        seen.positions = max(seen.positions, len(items))


def _through(key: str, target: Target | None, cx: Scope, seen: _Seen, depth: int) -> bool:
    if target is None:
        return False
    inner = cx.enter(target.resource)
    place = (id(target.value), inner.key)
    if place in seen.targets:
        return True
    seen.targets.add(place)
    return _collect(key, target.value, target.path, inner, seen, depth + 1)


def _target(s: dict[str, ir.Json], word: str, at: ir.Path, cx: Scope) -> Target | None:
    """Where a reference leads; nowhere by a word of another draft."""
    ref = s[word]
    if type(ref) is not str:
        raise malformed((at, word), ref, "write a reference, as a string")
    return cx.target(word, ref, (at, word)) if cx.groups.get(word) == REF else None
