"""References, values, combinators and the assertions that no kind can say: their parts, read and put side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wireshape import ir
from wireshape.read import build, checks
from wireshape.read import unevaluated as unev
from wireshape.read.drafts import DEFS, NULLABLE, REFERENCES
from wireshape.read.json_copy import kind_of
from wireshape.read.scope import malformed
from wireshape.read.values import has_type

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wireshape.read.build import Raw
    from wireshape.read.kinds import Reader
    from wireshape.read.scope import Scope

    Parts = tuple[list[Raw], list[ir.Assertion]]

_ASSERTION_ONLY = frozenset(
    "required not dependentRequired dependentSchemas dependencies minProperties maxProperties $comment title description".split()
)


def refs(s: dict[str, ir.Json], at: ir.Path, cx: Scope) -> list[Raw]:
    """Return the references of one schema, as nodes."""
    cx.st.parts += 1
    return [ref(s, key, at, None, cx) for key in REFERENCES if key in s and key in cx.groups]


def ref(s: dict[str, ir.Json], key: str, at: ir.Path, ann: ir.Ann, cx: Scope) -> ir.Node:
    """Read one reference."""
    to = s[key]
    if type(to) is not str:
        raise malformed((at, key), to, "write a reference, as a string")
    if cx.dry:
        return ir.Any(ann, at)
    return ir.Ref(cx.name_of(key, to, (at, key)), ann, at)


def lone_ref(s: dict[str, ir.Json], at: ir.Path, ann: ir.Ann, cx: Scope) -> ir.Node:
    """Read a reference in a draft that ignores its siblings; texts are kept, the rest is checked and noted."""
    others = {k: v for k, v in s.items() if k != "$ref"}
    if others:
        counted = [k for k in others if cx.groups.get(k, DEFS) > 0]
        for key in counted:
            cx.note("WS102", at, key)
        if counted:
            cx.st.read(others, at, cx if cx.dry else cx.enter(cx.resource, dry=True))
    if ann is not None and "format" in ann:
        ann = {k: v for k, v in ann.items() if k != "format"} or None
    return ref(s, "$ref", at, ann, cx)


def literal_values(s: dict[str, ir.Json], at: ir.Path, cx: Scope) -> list[list[ir.Json]]:
    """List the values of `enum` and `const`."""
    lists: list[list[ir.Json]] = []
    if "enum" in s:
        values = s["enum"]
        if kind_of(values) is not list:
            raise malformed((at, "enum"), values, "write an array of the allowed values")
        lists.append(values)
    if "const" in s and "const" in cx.groups:
        lists.append([s["const"]])
    return lists


def of_types(values: list[ir.Json], names: Sequence[str]) -> list[ir.Json]:
    """List the values that are of one of the JSON types."""
    return [v for v in values if any([has_type(v, name) for name in names])]


def combinators(
    s: dict[str, ir.Json], at: ir.Path, into: Parts, allowed: Sequence[str], cx: Scope
) -> None:
    """Read `allOf`, `anyOf`, `oneOf`, `not`, `if`, `contains` and `dependent*`: conjuncts and residual assertions."""
    read = cx.st.read
    parts, assertions = into
    groups = cx.groups
    for key, value in s.items():
        here: ir.Path = (at, key)
        if key == "allOf":
            for i, sub in enumerate(checks.schemas(value, here)):
                known = _residual(sub, (here, i), cx) if len(s) + len(value) > 2 else []
                assertions.extend(known)
                if not known:
                    parts.append(read(sub, (here, i), cx))
            cx.st.parts += len(value)
        elif key == "anyOf" or key == "oneOf":
            options = [
                read(sub, (here, i), cx) for i, sub in enumerate(checks.schemas(value, here))
            ]
            cx.st.parts += len(options)
            if key == "anyOf" and not cx.evaluating and ir.Any in [type(o) for o in options]:
                parts.extend([o for o in options if type(o) is ir.Any])  # always true; texts stay
            elif all([_asserts_only(sub) for sub in value]) and len(value) > 1:
                nodes = tuple([build.lazy(o) for o in options])
                assertions.append(ir.Assertion(key, nodes, None, here))
            else:
                parts.append((build.union if key == "anyOf" else build.one_of)(options, None, at))
        elif key == "not":
            assertions.append(ir.Assertion(key, (build.lazy(read(value, here, cx)),), None, here))
        elif key == "contains" and key in groups:
            _contains(s, here, assertions, "array" in allowed, cx, read)
        elif key == "if" and key in groups:
            _conditional(s, at, assertions, cx, read)
        elif key in {"then", "else"} and key in groups and "if" not in s:
            read(value, here, cx if cx.dry else cx.enter(cx.resource, dry=True))
        elif key.startswith("depend") and key in groups:
            _dependent(key, value, here, assertions if "object" in allowed else [], cx, read)


def _asserts_only(arm: ir.Json) -> bool:
    """Whether the arm has no structure of its own, so that distributing over it would only multiply."""
    return (
        kind_of(arm) is dict
        and bool(arm)
        and all(
            [
                key in _ASSERTION_ONLY
                or (
                    key in {"anyOf", "oneOf", "allOf"}
                    and kind_of(value) is list
                    and all([_asserts_only(a) for a in value])
                )
                for key, value in arm.items()
            ]
        )
    )


def _contains(
    s: dict[str, ir.Json],
    at: ir.Path,
    assertions: list[ir.Assertion],
    applies: bool,
    cx: Scope,
    read: Reader,
) -> None:
    node = read(s["contains"], at, cx.child if applies else cx.enter(cx.resource, dry=True).child)
    bounds: dict[str, int] = {}
    if cx.spec.level >= 2019:
        parent = at[0] if at is not None else None
        bounds = {
            k: checks.count(s[k], (parent, k), cx) for k in ("minContains", "maxContains") if k in s
        }
    pointless = bounds == {"minContains": 0} and not cx.evaluating
    if not applies or pointless:
        return
    made = ir.Assertion("contains", (build.lazy(node),), bounds, at)
    if (
        cx.evaluating and cx.spec.level == 2019
    ):  # there it evaluates nothing, and a double negation says so
        inner = build.refine(
            build.ANY,
            [ir.Assertion("not", (build.lazy(build.refine(build.ANY, [made])),), None, at)],
        )
        made = ir.Assertion("not", (build.lazy(inner),), None, at)
    assertions.append(made)


def _conditional(
    s: dict[str, ir.Json], at: ir.Path, assertions: list[ir.Assertion], cx: Scope, read: Reader
) -> None:
    nodes = [read(s[k], (at, k), cx) if k in s else build.ANY for k in ("if", "then", "else")]
    cx.st.conditions += 1
    cx.st.parts += 3
    if "then" in s or "else" in s or cx.evaluating:
        assertions.append(
            ir.Assertion("if", tuple([build.lazy(n) for n in nodes]), None, (at, "if"))
        )


def _dependent(
    key: str, value: ir.Json, at: ir.Path, assertions: list[ir.Assertion], cx: Scope, read: Reader
) -> None:
    """`dependentRequired`, `dependentSchemas`, and `dependencies`, which is either."""
    cx.st.conditions += 1
    cx.st.parts += len(value) if kind_of(value) is dict else 0
    names: dict[str, list[str]] = {}
    subs: dict[str, Raw] = {}
    for name, rule in checks.mapping(value, at).items():
        if key == "dependentRequired" or (key == "dependencies" and kind_of(rule) is list):
            names[name] = checks.strings(rule, (at, name), cx)
        else:
            subs[name] = read(rule, (at, name), cx)
    if names:
        assertions.append(ir.Assertion("dependentRequired", (), names, at))
    if subs:
        nodes = tuple([build.lazy(n) for n in subs.values()])
        assertions.append(ir.Assertion("dependentSchemas", nodes, list(subs), at))


def _residual(s: ir.Json, at: ir.Path, cx: Scope) -> list[ir.Assertion]:
    """An assertion about what a schema does not evaluate, as `emit` writes it beside what the schema says anyway."""
    if kind_of(s) is not dict or s.keys() not in _RESIDUAL or cx.dry or cx.evaluating:
        return []
    if kind_of(s["allOf"]) is not list or len(s["allOf"]) != 1:
        return []
    parts: list[Raw] = []
    assertions: list[ir.Assertion] = []
    unevaluated(s, at, (parts, assertions), cx)
    return [] if parts else assertions


_RESIDUAL = ({"allOf", "unevaluatedProperties"}, {"allOf", "unevaluatedItems"})


def unevaluated(s: dict[str, ir.Json], at: ir.Path, into: Parts, cx: Scope) -> None:
    """`unevaluatedProperties` and `unevaluatedItems`: closed where that is static, else a residual assertion."""
    read = cx.st.read
    parts, assertions = into
    for key in ("unevaluatedProperties", "unevaluatedItems"):
        if key not in s:
            continue
        here: ir.Path = (at, key)
        node = read(s[key], here, cx.child)
        if build.is_trivial(build.bare(node)) and not cx.evaluating:
            continue
        closing = None if cx.dry or cx.evaluating else unev.closing(key, s, at, node, cx)
        if closing is not None:
            parts.append(closing)
            continue
        rest = {
            k: v
            for k, v in s.items()
            if k not in {key, "$id", "$defs", "definitions"} and cx.groups.get(k) != NULLABLE
        }
        conjunct = read(rest, at, cx if cx.dry else cx.enter(cx.resource, evaluating=True))
        nodes = (build.lazy(node), build.lazy(conjunct))
        assertions.append(ir.Assertion(key, nodes, None, here))
