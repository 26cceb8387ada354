"""One schema object becomes one node, or a lazy conjunction where keywords meet; references become named definitions.

Nothing is merged here (`normalise` does), and no reference is followed further than to its name.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wireshape import ir
from wireshape.read import build, checks, combine, kinds
from wireshape.read.drafts import (
    ANCHOR,
    ARR,
    ASIDE,
    COMB,
    DEFS,
    FLAG,
    FORMAT,
    LISTED,
    LIT,
    NAME,
    NULLABLE,
    NUM,
    OBJ,
    REF,
    STR,
    SWITCH,
    TEXT,
    TYPE,
    UNEV,
    UNKNOWN,
    VALUE,
)
from wireshape.read.json_copy import kind_of
from wireshape.read.scope import malformed

if TYPE_CHECKING:
    from wireshape.read.build import Raw
    from wireshape.read.scope import Scope

_COMPOSITE = LIT | COMB | REF | NULLABLE | UNEV
_ABOUT_KINDS = NUM | STR | ARR | OBJ
_KINDS = TYPE | _ABOUT_KINDS
_GROUP_OF = {
    "string": STR,
    "object": OBJ,
    "array": ARR,
    "integer": NUM,
    "number": NUM,
    "boolean": 0,
    "null": 0,
}
_ANCHOR = re.compile(r"[A-Za-z_][-A-Za-z0-9._:]*")
_STRINGS = {str}
_FLAGS = frozenset({"deprecated", "readOnly", "writeOnly"})
_TEXTS = frozenset({"$comment", "contentEncoding", "contentMediaType"})
_MISTAKES = {
    "str": "string", "text": "string", "int": "integer", "long": "integer", "float": "number", "double": "number",
    "bool": "boolean", "dict": "object", "map": "object", "list": "array", "tuple": "array", "none": "null",
    "nil": "null", "nullable": "null",
}  # fmt: skip


def read_schema(s: ir.Json, at: ir.Path, cx: Scope) -> Raw:
    """Read one schema at one place."""
    if kind_of(s) is not dict:
        return _boolean(s, at, cx)
    if cx.subroots or cx.spec.silent:
        s, cx = _placed(s, cx)
    bits = 0
    ann: dict[str, ir.Json] | None = None
    groups = cx.groups
    for key, value in s.items():
        group = groups.get(key, UNKNOWN)
        if group > 0:
            bits |= group
        elif group == FORMAT and type(value) is str and value in cx.formats:
            bits |= STR
        elif (group == TEXT and type(value) is str) or _aside(group, key, value, at, cx):
            if ann is None:
                ann = {key: value}
            else:
                ann[key] = value
    if bits & _COMPOSITE:
        return _compose(s, at, ann, bits, cx)
    if bits == TYPE and type(s["type"]) is str and s["type"] in _GROUP_OF:
        return _bare(s["type"], at, ann)
    return _kind(s, at, ann, bits, cx)


def _placed(s: dict[str, ir.Json], cx: Scope) -> tuple[dict[str, ir.Json], Scope]:
    """Enter the resource that a schema begins, and leave out what its vocabularies do not have."""
    inner = cx.subroots.get(id(s))
    if inner is not None and inner is not cx.resource:
        cx = cx.enter(inner)
    if cx.spec.silent:
        s = {k: v for k, v in s.items() if k not in cx.spec.silent}
    return s, cx


def _aside(group: int, key: str, value: ir.Json, at: ir.Path, cx: Scope) -> bool:
    """Check a keyword that asserts nothing; whether it is an annotation to keep."""
    if group == VALUE:
        return _says(key, value)
    if group == UNKNOWN:
        if key[:2] != "x-":
            cx.note("WS101", at, key)
        return False
    if group == FORMAT:
        checks.text(value, (at, key))
        if cx.st.assert_formats:
            cx.note("WS103", at, key, value=value)
        return True
    if group in {FLAG, LISTED}:
        if type(value) is not (bool if group == FLAG else list):
            if checks.is_off_path(at, cx):
                return False
            hint = "write true or false" if group == FLAG else "write an array of example values"
            raise malformed((at, key), value, hint)
        return True
    _check(group, key, value, at, cx)
    return False


def _check(group: int, key: str, value: ir.Json, at: ir.Path, cx: Scope) -> None:
    """Check a keyword that leaves nothing in the node."""
    if group == DEFS:
        cx.st.pending.append((checks.mapping(value, (at, key)), (at, key), cx))
    elif group in {NAME, TEXT}:
        if type(value) is not str and not checks.is_off_path(at, cx):
            checks.text(value, (at, key))
    elif group == ANCHOR:
        if _ANCHOR.fullmatch(checks.text(value, (at, key))) is None:
            raise malformed(
                (at, key),
                value,
                "write a plain name: a letter or `_`, then letters, digits, `-`, `_`, `.`",
            )
    elif group == SWITCH:
        checks.flag(value, (at, key))
    elif group == ASIDE:
        read_schema(value, (at, key), dry(cx))


def _says(key: str, value: ir.Json) -> bool:
    """Whether an annotation of a draft that does not define it is worth keeping: as later drafts would have it."""
    if key in _FLAGS:
        return type(value) is bool
    if key == "examples":
        return kind_of(value) is list
    return key not in _TEXTS or type(value) is str


def _boolean(s: ir.Json, at: ir.Path, cx: Scope) -> ir.Node:
    if s is True and cx.spec.level > 4:
        return ir.Any(None, at)
    if s is False and cx.spec.level > 4:
        return ir.Never("false", None, at)
    hint = (
        "in draft 4 a schema is an object"
        if cx.spec.level == 4
        else "a schema is an object, true or false"
    )
    raise malformed(at, s, hint)


def dry(cx: Scope) -> Scope:
    """Return the scope that reads for errors only."""
    return cx if cx.dry else cx.enter(cx.resource, dry=True)


def _kind(s: dict[str, ir.Json], at: ir.Path, ann: ir.Ann, bits: int, cx: Scope) -> Raw:
    """Return the node of `type` and of the keywords about single types."""
    if not bits & TYPE:
        return _typeless(s, at, ann, bits, cx) if bits else ir.Any(ann, at)
    name = s["type"]
    if kind_of(name) is list:
        return _several(s, at, ann, bits, cx)
    if type(name) is not str or name not in _GROUP_OF:
        raise _bad_type(name, (at, "type"))
    own = _GROUP_OF[name]
    if bits & ~own & _ABOUT_KINDS:
        ann = _misplaced(s, at, ann, bits & ~own & _ABOUT_KINDS, cx)
    return _one(name, s, at, ann, bits & own, cx)


def _one(
    name: str, s: dict[str, ir.Json], at: ir.Path, ann: ir.Ann, own: int, cx: Scope
) -> ir.Node:
    """Return the node of one JSON type; `own` tells whether keywords speak about it."""
    if not own:
        return _bare(name, at, ann)
    if name == "object":
        return kinds.read_object(s, at, ann, cx, read_schema)
    if name == "array":
        return kinds.read_array(s, at, ann, cx, read_schema)
    if name == "string":
        return kinds.read_string(s, at, ann, cx)
    return kinds.read_number(s, at, ann, cx, integer=name == "integer")


def _bare(name: str, at: ir.Path, ann: ir.Ann) -> ir.Node:
    """Return the node of one JSON type of which nothing more is said."""
    if name == "string":
        return ir.String(0, None, (), (), ann, at)
    if name == "integer" or name == "number":
        return ir.Number(name == "integer", None, None, None, None, None, ann, at)
    if name == "boolean":
        return ir.Boolean(ann, at)
    if name == "object":
        return ir.Object((), build.ANY, True, (), None, 0, None, ann, at)
    if name == "array":
        return ir.List(build.ANY, 0, None, False, ann, at)
    return ir.Null(ann, at)


def _misplaced(s: dict[str, ir.Json], at: ir.Path, ann: ir.Ann, other: int, cx: Scope) -> ir.Ann:
    """Keywords about other types never count, but must be well-formed; a format is kept as a text."""
    for name, group in (("string", STR), ("number", NUM), ("array", ARR), ("object", OBJ)):
        if other & group:
            _one(name, s, at, None, group, dry(cx))
    if other & STR and "format" in s and "format" not in (ann or {}):
        return {**(ann or {}), "format": s["format"]}
    return ann


def _bad_type(name: ir.Json, at: ir.Path) -> Exception:
    hint = "write one of null, boolean, object, array, number, string, integer, or an array of them"
    if type(name) is str:
        low = name.lower()
        if low == "enum":
            hint = 'list the allowed values instead: "enum": ["a", "b"]; ' + hint
        elif low in {"any", "mixed", "object|string"}:
            hint = "leave `type` out to allow any value"
        elif low in _GROUP_OF or low in _MISTAKES:
            hint = f"write {_MISTAKES.get(low, low)!r}"
        elif low in {"date", "date-time", "datetime", "time", "email", "uuid", "uri"}:
            hint = 'write "type": "string" with a `format`'
    return malformed(at, name, hint)


def type_names(s: dict[str, ir.Json], at: ir.Path) -> list[str]:
    """Return the checked names under `type`."""
    names: ir.Json = s["type"]
    if kind_of(names) is not list:
        if type(names) is not str or names not in _GROUP_OF:
            raise _bad_type(names, (at, "type"))
        return [names]
    if not names:
        raise malformed((at, "type"), names, "name at least one type, or leave `type` out")
    if set(map(type, names)) != _STRINGS or not _GROUP_OF.keys() >= set(names):
        wrong = [type(name) is not str or name not in _GROUP_OF for name in names].index(True)
        raise _bad_type(names[wrong], ((at, "type"), wrong))
    if len(set(names)) < len(names):
        raise malformed((at, "type"), names, "name each type once")
    checked: list[str] = names
    return checked


def _several(s: dict[str, ir.Json], at: ir.Path, ann: ir.Ann, bits: int, cx: Scope) -> Raw:
    names = type_names(s, at)
    if bits == TYPE and len(names) == 2 and names[1] == "null":  # the commonest
        options = _bare(names[0], at, None), ir.Null(None, at)
        return ir.Union(options, False, (), ann, at)
    if "number" in names:
        names = [n for n in names if n != "integer"]
    if bits == TYPE and len(names) > 1:
        return ir.Union(tuple([_bare(name, at, None) for name in names]), False, (), ann, at)
    covered = 0
    for name in names:
        covered |= _GROUP_OF[name]
    other = bits & ~covered & _ABOUT_KINDS
    if other:
        ann = _misplaced(s, at, ann, other, cx)
    if len(names) == 1:
        return _one(names[0], s, at, ann, bits & covered, cx)
    return build.union([_one(n, s, at, None, bits & _GROUP_OF[n], cx) for n in names], ann, at)


def _typeless(s: dict[str, ir.Json], at: ir.Path, ann: ir.Ann, bits: int, cx: Scope) -> Raw:
    """Keywords without a type: one option per JSON type, and which of them the keywords speak of."""
    options: list[ir.Node] = []
    implied: list[str] = []
    for name in ir.KINDS:
        own = bits & _GROUP_OF[name]
        option = _one(name, s, at, None, own, cx)
        if own and not build.is_free(option):
            implied.append(name)
        options.append(option)
    if not implied and not cx.evaluating:
        return ir.Any(ann, at)
    return build.typeless(options, tuple(implied), ann, at)


def _compose(s: dict[str, ir.Json], at: ir.Path, ann: ir.Ann, bits: int, cx: Scope) -> Raw:
    """Read a schema where references, values or combinators meet other keywords."""
    if bits & REF:
        if cx.spec.level <= 7:
            return combine.lone_ref(s, at, ann, cx)
        if bits == REF and "$ref" in s and len(s) == 1 + len(ann or ()):
            return combine.ref(s, "$ref", at, ann, cx)
    if bits == LIT | TYPE and s["type"] == "string" and "const" not in s:
        values = s["enum"]
        if kind_of(values) is list and set(map(type, values)) == _STRINGS:
            return ir.Literal(tuple(dict.fromkeys(values)), ann, at)
    parts: list[Raw] = []
    if bits & REF:
        parts.extend(combine.refs(s, at, cx))
    if bits & LIT:
        parts.extend(_literals(s, at, bits, cx))
    elif bits & _KINDS:
        parts.append(_kind(s, at, None, bits, cx))
    assertions: list[ir.Assertion] = []
    if bits & COMB:
        allowed = type_names(s, at) if bits & TYPE else ir.KINDS
        combine.combinators(s, at, (parts, assertions), allowed, cx)
    if bits & UNEV:
        combine.unevaluated(s, at, (parts, assertions), cx)
    node = build.conj(parts, at) if parts else ir.Any(None, at)
    cx.st.lazies += type(node) is build.And
    if assertions:
        node = build.refine(node, assertions, None, at)
    if bits & NULLABLE and checks.flag(s["nullable"], (at, "nullable")):
        if bits & LIT and None not in s["enum"]:
            cx.note("WS104", at, "nullable")
        node = build.union([node, ir.Null(None, at)], None, at)
    return build.with_ann(node, ann)


def _literals(s: dict[str, ir.Json], at: ir.Path, bits: int, cx: Scope) -> list[Raw]:
    """`enum` and `const`, filtered by `type` where that is all there is beside them."""
    parts: list[Raw] = []
    names = type_names(s, at) if bits & TYPE else None
    rest = bits & _ABOUT_KINDS
    for values in combine.literal_values(s, at, cx):
        kept = values if names is None else combine.of_types(values, names)
        if not kept and values:
            parts.append(ir.Never("no value in `enum` is of the type", None, at))
        else:
            parts.append(build.literal(kept, None, at))
    if rest:
        parts.append(_kind(s, at, None, bits, cx))
    return parts
