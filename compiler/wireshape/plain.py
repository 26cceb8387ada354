"""Tell plain JSON from other Python values; it neither converts nor repairs them."""

from __future__ import annotations

from gc import get_referents
from itertools import islice
from math import inf
from typing import Any, TypeAlias

from wireshape import ir
from wireshape.ir import kind_of

MAX_DEPTH = 512
"""Containers entered: far below what overflows the stack of a small thread, far above any real reply."""
MAX_CONTAINERS = 1_000_000
"""Containers visited: stops a value that shares its parts so often that no walk would end."""
MAX_MEMBERS = 10_000_000
"""Members visited: a long list of one long list holds more than any walk can see."""

_Container: TypeAlias = "dict[Any, Any] | list[Any]"
_SOON = 4096
"""Containers visited before the depth is looked at: a value inside itself is not walked round and round."""
_QUICK = 100_000
_MANY = 16
_FEW = 32
_none = type(None)
_ATOMS: frozenset[object] = frozenset({int, bool, type(None)})
_KINDS: frozenset[object] = _ATOMS | {str, float, dict, list}


def is_json(value: ir.Json, most: int = _SOON) -> bool:  # noqa: C901, PLR0912  inlined on purpose: a call per container doubles the time
    """Tell whether `value` is built of exactly dict with str keys, list, str, finite numbers, bool and None.

    Subclasses, NaN, lone surrogates, cycles and depths over `MAX_DEPTH` are not. Nothing recurses: containers queue up. After
    `most` of them the depth is judged, and the walk starts again.

    >>> is_json({"a": [1, None, "x"]}), is_json({1: 2}), is_json((1,)), is_json(float("inf"))
    (True, False, False, False)
    """
    queue: list[_Container] = [value] if type(value) is dict or type(value) is list else [[value]]
    add = queue.append
    left = MAX_MEMBERS
    for container in islice(queue, most):
        if len(container) > _MANY:
            left -= len(container)
            if left < 0:
                return False
        if type(container) is dict:
            for key, item in container.items():
                if type(key) is not str or not (key.isascii() or _encodes(key)):
                    return False
                kind = kind_of(item)
                if kind is str:
                    if not (item.isascii() or _encodes(item)):
                        return False
                elif kind is dict or kind is list:
                    add(item)
                elif kind is float:
                    if not -inf < item < inf:
                        return False
                elif kind is not int and kind is not _none and kind is not bool:
                    return False
        elif len(container) <= _MANY or not _ATOMS.issuperset(map(kind_of, container)):
            for item in container:
                kind = kind_of(item)
                if kind is str:
                    if not (item.isascii() or _encodes(item)):
                        return False
                elif kind is dict or kind is list:
                    add(item)
                elif kind is float:
                    if not -inf < item < inf:
                        return False
                elif kind is not int and kind is not _none and kind is not bool:
                    return False
    if len(queue) <= MAX_DEPTH:
        return True
    if len(queue) <= most:
        return most == MAX_CONTAINERS or is_shallow(value)
    return most < MAX_CONTAINERS and is_shallow(value) and is_json(value, MAX_CONTAINERS)


def is_shallow(value: Any, depth: int = MAX_DEPTH) -> bool:
    """Tell whether a value, of whatever parts, is nested `depth` levels at most and holds at most `MAX_MEMBERS`.

    Tuples and subclasses count, as validators look into them; goes down the levels at the speed of C.

    >>> is_shallow({"a": [[1]]})
    True
    """
    level, left = get_referents(value), _QUICK  # at first whatever kinds of objects they are
    for _ in range(depth):
        if not level:
            return True
        left -= len(level)
        if left < 0:
            break
        level = get_referents(*level) if len(level) <= _FEW else _referents(level, left)
    return _is_shallow(value, depth)


def _is_shallow(value: Any, depth: int) -> bool:
    """The same, looking at the parts of JSON containers and tuples only."""
    level, left = [value], MAX_MEMBERS
    for _ in range(depth + 1):
        if not _KINDS.issuperset(map(kind_of, level)):
            level = [item for item in level if issubclass(type(item), dict | list | tuple)]
        level = _referents(level, left)
        if not level:
            return True
        left -= len(level)
        if left < 0:
            return False
    return False


def _referents(level: list[Any], most: int) -> list[Any]:
    """The parts of several objects, some more than `most` if there are; not found at once, as a shared part counts each time."""
    below: list[Any] = []
    for start in range(0, len(level), _FEW):
        below += get_referents(*level[start : start + _FEW])
        if len(below) > most:
            break
    return below


def _encodes(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def fault(value: ir.Json) -> tuple[str, str]:
    """Say where and why `is_json` said no: the same walk, with paths."""
    if what := _item_fault(value):
        return "", what
    level: list[tuple[ir.Path, Any]] = [(None, value)]
    containers = members = 0
    for _ in range(MAX_DEPTH):
        below: list[tuple[ir.Path, Any]] = []
        containers += len(level)
        for path, container in level:
            members += len(container)
            if members > MAX_MEMBERS or containers + len(below) > MAX_CONTAINERS:
                what = f"more than {MAX_CONTAINERS} containers or {MAX_MEMBERS} members, shared ones counted each time"
                return "", f"{what}; send less"
            if kind_of(container) is list and _ATOMS.issuperset(map(kind_of, container)):
                continue
            for key, member in (
                container.items() if kind_of(container) is dict else enumerate(container)
            ):
                if what := _item_fault(member):
                    return ir.pointer((path, key)), what
                if kind_of(member) is dict or kind_of(member) is list:
                    below.append(((path, key), member))
        level = below
    where = ir.pointer(level[0][0]) if level else ""
    return where, f"nested deeper than {MAX_DEPTH}, or inside itself; flatten it"


def _item_fault(item: Any) -> str | None:
    kind = kind_of(item)
    if kind is dict:
        for key in item:
            if type(key) is not str:
                return f"a key is a {type(key).__name__}; JSON keys are strings"
            if not _encodes(key):
                return f"key {key!r} holds a lone surrogate; it is no Unicode text"
        return None
    if kind is str:
        return None if _encodes(item) else "text with a lone surrogate; it is no Unicode text"
    if kind is float:
        return None if -inf < item < inf else f"{item} is not a JSON number"
    if kind is list or kind in _ATOMS:
        return None
    return f"a {type(item).__name__} is not a JSON value; convert it to dict, list, str, int, float, bool or None"


def containers(value: ir.Json, most: int) -> int:
    """Count the containers inside one another on the deepest way into a value, up to `most`.

    >>> containers({"a": [1, {}]}, 100), containers([[[[]]]], 3), containers("text", 100)
    (3, 3, 0)
    """
    depth, level = 0, [value]
    while depth <= most:
        inner = {id(v): v for v in level if kind_of(v) is dict or kind_of(v) is list}
        if not inner:
            break
        depth += 1
        level = [v for c in inner.values() for v in (c.values() if kind_of(c) is dict else c)]
    return min(depth, most)
