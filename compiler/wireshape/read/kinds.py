"""Keywords about one JSON type become the node of that kind; what concerns several types is `json_schema`'s business."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wireshape import ir
from wireshape.read import build, checks
from wireshape.read.json_copy import kind_of
from wireshape.read.names import of_keys
from wireshape.read.patterns import listed_keys
from wireshape.read.scope import malformed

if TYPE_CHECKING:
    from collections.abc import Callable

    from wireshape.read.build import Raw
    from wireshape.read.scope import Scope

    Reader = Callable[[ir.Json, ir.Path, Scope], Raw]

ANY = build.ANY
_OLD_BOUND = 'write a number, or name the older draft: `draft="openapi-3.0"` or `draft="draft4"` (`--draft` on the command line)'


def read_number(
    s: dict[str, ir.Json], at: ir.Path, ann: ir.Ann, cx: Scope, *, integer: bool
) -> ir.Node:
    """Read the numeric keywords."""
    low = high = above = below = step = None
    for key, value in s.items():
        if key == "minimum":
            low = checks.num(value, (at, key))
        elif key == "maximum":
            high = checks.num(value, (at, key))
        elif key == "exclusiveMinimum":
            above = _bound(value, (at, key), cx)
        elif key == "exclusiveMaximum":
            below = _bound(value, (at, key), cx)
        elif key == "multipleOf":
            step = checks.num(value, (at, key))
            if step <= 0:
                raise malformed((at, key), value, "write a number above zero")
    if cx.spec.level == 4:
        if "exclusiveMinimum" in s:
            if low is None:
                raise malformed(
                    (at, "exclusiveMinimum"), above, "in draft 4 it stands beside `minimum`"
                )
            low, above = (None, low) if above is True else (low, None)
        if "exclusiveMaximum" in s:
            if high is None:
                raise malformed(
                    (at, "exclusiveMaximum"), below, "in draft 4 it stands beside `maximum`"
                )
            high, below = (None, high) if below is True else (high, None)
    return build.number(ir.Number(integer, low, high, above, below, step, ann, at))


def _bound(value: ir.Json, at: ir.Path, cx: Scope) -> int | float:
    if cx.spec.level > 4:
        if value is True or value is False:
            raise malformed(at, value, _OLD_BOUND)
        return checks.num(value, at)
    if value is True or value is False:
        return bool(value)
    raise malformed(at, value, "in draft 4 this is true or false, beside the bound")


def read_string(s: dict[str, ir.Json], at: ir.Path, ann: ir.Ann, cx: Scope) -> ir.Node:
    """Read the string keywords; a format counts where the draft asserts it."""
    least, most = 0, None
    patterns: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()
    for key, value in s.items():
        if key == "minLength":
            least = checks.count(value, (at, key), cx)
        elif key == "maxLength":
            most = checks.count(value, (at, key), cx)
        elif key == "pattern":
            patterns = (checks.pattern(value, (at, key)),)
        elif key == "format" and value in cx.formats:
            formats = (value,)
    return build.string(ir.String(least, most, patterns, formats, ann, at))


def read_array(s: dict[str, ir.Json], at: ir.Path, ann: ir.Ann, cx: Scope, read: Reader) -> ir.Node:
    """Read the array keywords, save `contains`."""
    least, most, unique = 0, None, False
    prefix: list[Raw] = []
    items: Raw = ANY
    positional = cx.spec.level < 2020 and kind_of(s.get("items")) is list
    inner = cx.child
    for key, value in s.items():
        here: ir.Path = (at, key)
        if key == "items":
            if positional:
                if not value and cx.spec.level <= 2019:
                    raise malformed(here, value, "write a schema, or a non-empty array of schemas")
                prefix = [read(sub, (here, i), inner) for i, sub in enumerate(value)]
                items = (
                    _extra(s["additionalItems"], (at, "additionalItems"), cx, read)
                    if "additionalItems" in s
                    else items
                )
            else:
                items = _items(value, here, cx, read)
        elif key == "prefixItems" and cx.spec.level >= 2020:
            prefix = [
                read(sub, (here, i), inner) for i, sub in enumerate(checks.schemas(value, here))
            ]
        elif key == "minItems":
            least = checks.count(value, here, cx)
        elif key == "maxItems":
            most = checks.count(value, here, cx)
        elif key == "uniqueItems":
            unique = checks.flag(value, here)
        elif key == "additionalItems" and not positional and cx.spec.level < 2020:
            _extra(value, here, cx, read)
        elif key in {"minContains", "maxContains"} and cx.spec.level >= 2019:
            checks.count(value, here, cx)
    if not prefix:
        return build.array(ir.List(build.lazy(items), least, most, unique, ann, at))
    nodes = tuple([build.lazy(p) for p in prefix])
    return build.array(ir.Tuple(nodes, build.lazy(items), least, most, unique, ann, at))


def _items(value: ir.Json, at: ir.Path, cx: Scope, read: Reader) -> Raw:
    if kind_of(value) is list:
        raise malformed(
            at,
            value,
            "since 2020-12 `items` is one schema; list schemas per position under `prefixItems`",
        )
    return read(value, at, cx.child)


def _extra(value: ir.Json, at: ir.Path, cx: Scope, read: Reader) -> Raw:
    """`additionalProperties` or `additionalItems`: also a boolean in draft 4."""
    if value is True:
        return ANY
    if value is False:
        return ir.Never("no further entries are allowed", None, at)
    return read(value, at, cx.child)


_NOTHING: dict[str, ir.Json] = {}
_OBJECT = frozenset(
    "properties additionalProperties patternProperties propertyNames minProperties maxProperties".split()
)


def read_object(
    s: dict[str, ir.Json], at: ir.Path, ann: ir.Ann, cx: Scope, read: Reader
) -> ir.Node:
    """Read the object keywords, save `dependent*`."""
    fields: list[ir.Field] = []
    patterns: tuple[ir.Pattern, ...] = ()
    extras: Raw = ANY
    is_open = True
    names: Raw | None = None
    least, most = 0, None
    required: list[str] = []
    if "required" in s:
        required = checks.strings(s["required"], (at, "required"), cx)
    for key, value in s.items():
        if key not in _OBJECT:
            continue
        if key == "properties":
            fields = _fields(value, (at, key), required, cx.child, read)
        elif key == "additionalProperties":
            extras, is_open = _extra(value, (at, key), cx, read), False
        elif key == "patternProperties":
            patterns = _patterns(value, (at, key), cx, read)
        elif key == "propertyNames" and cx.spec.level > 4:
            names = of_keys(read(value, (at, key), cx.child))
        elif key == "minProperties":
            least = checks.count(value, (at, key), cx)
        elif key == "maxProperties":
            most = checks.count(value, (at, key), cx)
    if patterns:
        fields += _spelled_out(patterns, fields, required)
        fields = _under_patterns(patterns, fields, at, cx)
        patterns = tuple([p for p in patterns if not listed_keys(p.regex)])
    missing: list[str] = []
    if cx.evaluating:
        declared = {f.key for f in fields}
        missing = [k for k in required if k not in declared]
    elif required and not s.get("properties", _NOTHING).keys() >= set(required):
        fields += _undeclared(required, fields, patterns, extras, (at, cx))
    named = None if names is None else build.lazy(names)
    if names is not None and (fields or type(names) is not ir.String):
        cx.st.lazies += 1  # to be put on the keys once all is merged
    node = build.obj(
        ir.Object(
            tuple(fields),
            build.lazy(extras),
            is_open,
            patterns,
            named,
            least,
            most,
            ann,
            at,
            "properties" in s,
        )
    )
    return _present(node, missing, at) if missing else node


def _present(node: ir.Node, keys: list[str], at: ir.Path) -> ir.Node:
    """Say required keys without declaring them, since a declaration would evaluate them."""
    without = [ir.Object((ir.Field(key, ir.Never()),), build.ANY, open=True, at=at) for key in keys]
    return build.settled(
        build.refine(node, [ir.Assertion("not", (w,), None, at) for w in without], None, at)
    )


def _fields(
    value: ir.Json, at: ir.Path, required: list[str], cx: Scope, read: Reader
) -> list[ir.Field]:
    if kind_of(value) is not dict:
        raise malformed(at, value, "write an object with one schema per property name")
    needed = set(required) if len(required) > 8 else required
    return [ir.Field(key, read(sub, (at, key), cx), key in needed) for key, sub in value.items()]  # type: ignore[arg-type]  # lazy until merged


def _patterns(value: ir.Json, at: ir.Path, cx: Scope, read: Reader) -> tuple[ir.Pattern, ...]:
    rules = checks.mapping(value, at)
    return tuple(
        [
            ir.Pattern(
                checks.pattern(regex, (at, regex)), build.lazy(read(sub, (at, regex), cx.child))
            )
            for regex, sub in rules.items()
        ]
    )


def _spelled_out(
    patterns: tuple[ir.Pattern, ...], fields: list[ir.Field], required: list[str]
) -> list[ir.Field]:
    """Declare the keys that patterns spell out."""
    declared = {f.key for f in fields}
    keys = dict.fromkeys([key for p in patterns for key in listed_keys(p.regex)])
    return [ir.Field(key, ANY, key in required) for key in keys if key not in declared]


def _by_key(patterns: tuple[ir.Pattern, ...]) -> dict[str | None, dict[int, ir.Pattern]]:
    """The rules by the keys that they spell out, and under None those that spell none; each with its position."""
    rules: dict[str | None, dict[int, ir.Pattern]] = {None: {}}
    for i, pattern in enumerate(patterns):
        for key in listed_keys(pattern.regex) or (None,):
            rules.setdefault(key, {})[i] = pattern
    return rules


def _under_patterns(
    patterns: tuple[ir.Pattern, ...], fields: list[ir.Field], at: ir.Path, cx: Scope
) -> list[ir.Field]:
    """Let each field follow the patterns that its key matches."""
    rules = _by_key(patterns) if fields else {}
    return [_under_rules(f, rules, at, cx) for f in fields]


def _under_rules(
    field: ir.Field, rules: dict[str | None, dict[int, ir.Pattern]], at: ir.Path, cx: Scope
) -> ir.Field:
    found = {**rules[None], **rules.get(field.key, {})}
    hits = build.matching(tuple([found[i] for i in sorted(found)]), field.key, at)
    if not hits:
        return field
    node = build.conj([field.node, *[p.node for p in hits]], ((at, "properties"), field.key))
    if node is field.node:
        return field
    cx.st.lazies += type(node) is build.And
    return ir.Field(field.key, build.lazy(node), field.required)


def _undeclared(
    required: list[str],
    fields: list[ir.Field],
    patterns: tuple[ir.Pattern, ...],
    extras: Raw,
    where: tuple[ir.Path, Scope],
) -> list[ir.Field]:
    """Let required keys that no property declares follow the patterns, else the extras."""
    at, cx = where
    made: list[ir.Field] = []
    declared = {f.key for f in fields}
    for key in required:
        if key not in declared:
            hits = build.matching(patterns, key, at)
            node = build.conj([p.node for p in hits], at) if hits else extras
            cx.st.lazies += type(node) is build.And
            made.append(ir.Field(key, build.lazy(node), required=True))
    return made
