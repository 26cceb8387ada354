"""What else is wrong with a refused value, beside the first complaint of the gate: types, keys, constants and bounds; bounded work.

The gate decides; this only tells a model more of what to mend at once. Where a union or a rule is in doubt, nothing is said.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wireshape import ir
from wireshape.relate import (
    ALL,
    ARRAY,
    BOOLEAN,
    FRACTION,
    INTEGER,
    NULL,
    NUMBER,
    OBJECT,
    STRING,
    type_bit,
)
from wireshape.reply.fits import Shape
from wireshape.walk import json_equal

_NAMES = ((OBJECT, "object"), (ARRAY, "array"), (STRING, "string"), (NUMBER, "number"), (INTEGER, "integer"), (BOOLEAN, "boolean"), (NULL, "null"))  # fmt: skip
_SHOWN = 80
_LISTED = 8
_WORK = 20_000


def faults(shape: Shape, value: Any, limit: int) -> list[tuple[str, str]]:
    """Return at most `limit` faults, each with its pointer, in the order of the value; values are never repeated.

    >>> from wireshape.options import Options
    >>> from wireshape.read import read
    >>> graph = read({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n", "m"]}, Options()).graph
    >>> faults(Shape(graph.root, graph.defs, 1000), {"n": "3"}, 8)
    [('', "key 'm' is missing; add it"), ('/n', 'integer is due, not string; send integer')]
    """
    shape.fits.work = _WORK
    out: list[tuple[str, str]] = []
    for path, message in _faults(shape, shape.root, value, None):
        out.append((ir.pointer(path), message))
        if len(out) == limit:
            break
    return out


def _faults(shape: Shape, at: ir.Node, value: Any, path: ir.Path) -> Iterator[tuple[ir.Path, str]]:
    shape.fits.work -= 1
    n = _arm(shape, shape.resolved(at), value)
    if shape.fits.work < 0 or n is None:
        return
    types, bit = shape.relations.types(n), type_bit(value)
    if type(n) is ir.Literal:
        if not any([json_equal(v, value) for v in n.values]):
            yield path, f"not one of the values that are due; send one of {_listed(n.values)}"
    elif types != ALL and not types & bit:
        due = _named(types)
        yield (
            path,
            f"{due} is due, not {_named(NUMBER if bit == FRACTION else bit)}; send {due}"
            if due
            else "no value is allowed",
        )
    elif type(n) is ir.Object and bit == OBJECT:
        yield from _object(shape, n, value, path)
    elif (type(n) is ir.List or type(n) is ir.Tuple) and bit == ARRAY:
        yield from _array(shape, n, value, path)
    elif type(n) is ir.String:
        yield from _sized(len(value), n.min_length, n.max_length, "characters", path)
    elif type(n) is ir.Number:
        yield from _bounds(n, value, path)


def _arm(shape: Shape, n: ir.Node, value: Any) -> ir.Node | None:
    """The arm of a union that a value is meant for, if its type tells."""
    while type(n) is ir.Union:
        arms = [shape.resolved(option) for option in n.options]
        same = [arm for arm in arms if shape.relations.types(arm) & type_bit(value)]
        if not same:
            return n
        if len(same) > 1:
            return None
        n = same[0]
    return n


def _object(
    shape: Shape, n: ir.Object, value: dict[str, Any], path: ir.Path
) -> Iterator[tuple[ir.Path, str]]:
    declared = {f.key: f.node for f in n.fields}
    for field in n.fields:
        if field.required and field.key not in value:
            yield path, f"key {field.key!r} is missing; add it"
    if type(n.extras) is ir.Never and not n.patterns:
        odd = [key for key in value if key not in declared]
        if odd:
            yield path, f"undeclared {_listed(odd)}; leave them out"
    for key, item in value.items():
        if key in declared:
            yield from _faults(shape, declared[key], item, (path, key))
        elif not n.patterns and type(n.extras) is not ir.Never:
            yield from _faults(shape, n.extras, item, (path, key))


def _array(
    shape: Shape, n: ir.List | ir.Tuple, value: list[Any], path: ir.Path
) -> Iterator[tuple[ir.Path, str]]:
    yield from _sized(len(value), n.min_items, n.max_items, "items", path)
    for i, item in enumerate(value):
        yield from _faults(shape, _place(n, i), item, (path, i))


def _place(n: ir.List | ir.Tuple, i: int) -> ir.Node:
    """The node of an item."""
    if type(n) is ir.Tuple:
        return n.prefix[i] if i < len(n.prefix) else n.rest
    assert type(n) is ir.List, "nothing else has items"
    return n.items


def _sized(
    size: int, least: int, most: int | None, what: str, path: ir.Path
) -> Iterator[tuple[ir.Path, str]]:
    if size < least:
        yield path, f"fewer than {least} {what}; send more"
    if most is not None and size > most:
        yield path, f"more than {most} {what}; send fewer"


def _bounds(n: ir.Number, value: float, path: ir.Path) -> Iterator[tuple[ir.Path, str]]:
    if n.minimum is not None and value < n.minimum:
        yield path, f"less than {n.minimum}; send a number that is not"
    if n.maximum is not None and value > n.maximum:
        yield path, f"greater than {n.maximum}; send a number that is not"
    if n.exclusive_minimum is not None and value <= n.exclusive_minimum:
        yield path, f"not greater than {n.exclusive_minimum}; send a number that is"
    if n.exclusive_maximum is not None and value >= n.exclusive_maximum:
        yield path, f"not less than {n.exclusive_maximum}; send a number that is"


def _named(types: int) -> str:
    """The JSON types of a mask in words."""
    names: list[str] = []
    for bits, name in _NAMES:
        if types & bits == bits:
            names.append(name)
            types &= ~bits
    return " or ".join(names)


def _listed(values: tuple[Any, ...] | list[Any]) -> str:
    shown = [text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..." for text in map(repr, values[:_LISTED])]  # fmt: skip
    more = f" and {len(values) - _LISTED} more" if len(values) > _LISTED else ""
    return ", ".join(shown) + more
