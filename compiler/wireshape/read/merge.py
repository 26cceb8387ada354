"""Two nodes of one kind become the node of their common values; children stay lazy conjunctions, nothing is looked up."""

from __future__ import annotations

from dataclasses import replace
from math import gcd
from typing import TYPE_CHECKING, TypeVar

from wireshape import ir
from wireshape.read import build
from wireshape.read.patterns import is_match

if TYPE_CHECKING:
    from collections.abc import Callable

    from wireshape.read.build import Raw

    N = TypeVar("N", int, float, "int | float")


def type_of(node: ir.Node) -> str | None:
    """Return the JSON type of a node that has exactly one by its kind."""
    if type(node) is ir.Refine:
        return type_of(node.base)
    return _TYPE_OF.get(type(node))


_TYPE_OF: dict[type, str] = {
    ir.Null: "null",
    ir.Boolean: "boolean",
    ir.Number: "number",
    ir.String: "string",
    ir.List: "array",
    ir.Tuple: "array",
    ir.Object: "object",
}


def _most(a: int | float | None, b: int | float | None) -> int | float | None:
    return b if a is None else a if b is None else max(a, b)


def _least(a: int | float | None, b: int | float | None) -> int | float | None:
    return b if a is None else a if b is None else min(a, b)


def _cap(a: int | None, b: int | None) -> int | None:
    return b if a is None else a if b is None else min(a, b)


def meet_numbers(a: ir.Number, b: ir.Number) -> Raw:
    """Meet two kinds of numbers."""
    step, left = a.multiple_of, None
    if step is None or step == b.multiple_of:
        step = b.multiple_of if step is None else step
    elif b.multiple_of is not None:
        if type(step) is int and type(b.multiple_of) is int:
            step = step * b.multiple_of // gcd(step, b.multiple_of)
        else:
            left = b.multiple_of
    node = build.number(
        ir.Number(
            a.integer or b.integer,
            _most(a.minimum, b.minimum),
            _least(a.maximum, b.maximum),
            _most(a.exclusive_minimum, b.exclusive_minimum),
            _least(a.exclusive_maximum, b.exclusive_maximum),
            step,
            None,
            a.at,
        )
    )
    return (
        node
        if left is None
        else build.refine(node, [ir.Assertion("multipleOf", (), left, b.at)], None, a.at)
    )


def meet_strings(a: ir.String, b: ir.String) -> Raw:
    """Meet two kinds of strings."""
    patterns = tuple(dict.fromkeys(a.patterns + b.patterns))
    formats = tuple(dict.fromkeys(a.formats + b.formats))
    least = max(a.min_length, b.min_length)
    return build.string(
        ir.String(least, _cap(a.max_length, b.max_length), patterns, formats, None, a.at)
    )


def meet_arrays(a: ir.List | ir.Tuple, b: ir.List | ir.Tuple) -> Raw:
    """Meet two kinds of arrays, position by position."""
    least = max(a.min_items, b.min_items)
    most = _cap(a.max_items, b.max_items)
    unique = a.unique or b.unique
    rest = build.lazy(build.conj([_item(a, None), _item(b, None)], a.at))
    length = max(_length(a), _length(b))
    if not length:
        return build.array(ir.List(rest, least, most, unique, None, a.at))
    prefix = tuple(
        [build.lazy(build.conj([_item(a, i), _item(b, i)], a.at)) for i in range(length)]
    )
    return build.array(ir.Tuple(prefix, rest, least, most, unique, None, a.at))


def _length(node: ir.List | ir.Tuple) -> int:
    return len(node.prefix) if type(node) is ir.Tuple else 0


def _item(node: ir.List | ir.Tuple, index: int | None) -> ir.Node:
    if type(node) is ir.List:
        return node.items
    return node.prefix[index] if index is not None and index < len(node.prefix) else node.rest


def meet_objects(a: ir.Object, b: ir.Object) -> Raw:
    """Meet two kinds of objects, key by key: closed where either is, for the keys that it does not know."""
    first = {f.key: f for f in a.fields}
    second = {f.key: f for f in b.fields}
    fields: list[ir.Field] = []
    for key in {**first, **second}:
        mine, theirs = first.get(key), second.get(key)
        if theirs is None and mine is not None and not b.patterns and build.is_trivial(b.extras):
            fields.append(mine)
            continue
        if mine is None and theirs is not None and not a.patterns and build.is_trivial(a.extras):
            fields.append(theirs)
            continue
        required = (mine is not None and mine.required) or (theirs is not None and theirs.required)
        node = build.conj([*_rules(a, mine, key), *_rules(b, theirs, key)], _place(mine or theirs))
        if required and _clash(mine, theirs):
            return ir.Never(f"required property {key!r} can hold nothing", None, a.at)
        fields.append(ir.Field(key, build.lazy(node), required))
    node = build.obj(
        ir.Object(
            tuple(fields),
            build.lazy(build.conj([a.extras, b.extras], a.at)),
            a.open and b.open,
            _meet_patterns(a, b, fields),
            _meet_names(a, b),
            max(a.min_properties, b.min_properties),
            _cap(a.max_properties, b.max_properties),
            None,
            a.at,
            a.listed or b.listed,
        )
    )
    left = [build.untyped(side) for side, other in ((a, b), (b, a)) if _loses(side, other, fields)]
    if not left:
        return node
    return build.refine(node, [ir.Assertion("allOf", tuple(left), None, a.at)], None, a.at)


def _place(field: ir.Field | None) -> ir.Path:
    return None if field is None else field.node.at


def _rules(node: ir.Object, field: ir.Field | None, key: str) -> list[ir.Node]:
    if field is not None:
        return [field.node]
    return [p.node for p in build.matching(node.patterns, key, node.at)] or [node.extras]


def _clash(a: ir.Field | None, b: ir.Field | None) -> bool:
    """Whether two lists of strings have nothing in common: settles discriminators early."""
    if a is None or b is None or type(a.node) is not ir.Literal or type(b.node) is not ir.Literal:
        return False
    if not all([type(v) is str for v in a.node.values + b.node.values]):
        return False
    return set(a.node.values).isdisjoint(b.node.values)


def _meet_patterns(a: ir.Object, b: ir.Object, fields: list[ir.Field]) -> tuple[ir.Pattern, ...]:
    """Both sides' rules; where one side has none, its extras bind the keys of the other's."""
    if not a.patterns and not b.patterns:
        return ()
    if not b.patterns:
        return _bound(a.patterns, b.extras, fields)
    if not a.patterns:
        return _bound(b.patterns, a.extras, fields)
    theirs = {p.regex: p.node for p in b.patterns}
    mine = {p.regex for p in a.patterns}
    both = [_with(p, theirs[p.regex]) if p.regex in theirs else p for p in a.patterns]
    return tuple(both + [p for p in b.patterns if p.regex not in mine])


def _bound(
    patterns: tuple[ir.Pattern, ...], extras: ir.Node, fields: list[ir.Field]
) -> tuple[ir.Pattern, ...]:
    """Put the rules under the other side's extras. A rule also meets declared keys, so it must not say more than they do."""
    if type(extras) is ir.Never:
        return ()
    return tuple([p if _declared(p, fields) else _with(p, extras) for p in patterns])


def _declared(pattern: ir.Pattern, fields: list[ir.Field]) -> bool:
    return any([is_match(pattern.regex, f.key, pattern.node.at) for f in fields])


def _with(pattern: ir.Pattern, node: ir.Node) -> ir.Pattern:
    return replace(pattern, node=build.lazy(build.conj([pattern.node, node], pattern.node.at)))


def _loses(side: ir.Object, other: ir.Object, fields: list[ir.Field]) -> bool:
    """Whether `side` binds, by its extras, keys that only a pattern of `other` matches, in a way that no rule can say."""
    if build.is_trivial(build.bare(side.extras)) or not other.patterns:
        return False
    if side.patterns:
        return not {p.regex for p in other.patterns} <= {p.regex for p in side.patterns}
    return type(side.extras) is not ir.Never and any([_declared(p, fields) for p in other.patterns])


def _meet_names(a: ir.Object, b: ir.Object) -> ir.Node | None:
    if a.names is None or b.names is None:
        return a.names or b.names
    return build.lazy(build.conj([a.names, b.names], a.at))


def same_kind(a: ir.Node, b: ir.Node) -> Callable[[], Raw] | None:
    """Return the meet of two nodes of one JSON type, or `None` when their types differ."""
    if type(a) is ir.Object and type(b) is ir.Object:
        return lambda: meet_objects(a, b)
    if type(a) is ir.String and type(b) is ir.String:
        return lambda: meet_strings(a, b)
    if type(a) is ir.Number and type(b) is ir.Number:
        return lambda: meet_numbers(a, b)
    if (type(a) is ir.List or type(a) is ir.Tuple) and (type(b) is ir.List or type(b) is ir.Tuple):
        return lambda: meet_arrays(a, b)
    return (lambda: a) if type(a) is type(b) else None
