"""Tell plain JSON from other Python values; it neither converts nor repairs them."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from typing import Any, TypeAlias, cast

from wireshape import ir
from wireshape.ir import kind_of

MAX_DEPTH = 512
"""Containers entered: far below what overflows the stack of a small thread, far above any real reply."""
MAX_CONTAINERS = 1_000_000
"""Containers visited: stops a value that shares its parts so often that no walk would end."""

_Container: TypeAlias = "dict[Any, Any] | list[Any]"
_MANY = 16
_none = type(None)
_ATOMS: frozenset[object] = frozenset({int, bool, type(None)})


def is_json(value: ir.Json) -> bool:  # noqa: C901  inlined on purpose: a call per container doubles the time
    """Tell whether `value` is built of exactly dict with str keys, list, str, finite numbers, bool and None.

    Subclasses, NaN, lone surrogates, cycles and depths over `MAX_DEPTH` are not. Walks by level, so that nothing recurses.

    >>> is_json({"a": [1, None, "x"]}), is_json({1: 2}), is_json((1,)), is_json(float("inf"))
    (True, False, False, False)
    """
    level: list[_Container] = [value] if type(value) is dict or type(value) is list else [[value]]
    left = MAX_CONTAINERS
    for _ in range(MAX_DEPTH):
        left -= len(level)
        if left < 0:
            return False
        below: list[_Container] = []
        for container in level:
            items: Iterable[Any] = container
            if type(container) is dict:
                for key in container:
                    if type(key) is not str or not (key.isascii() or _encodes(key)):
                        return False
                items = container.values()
            elif len(container) > _MANY and _ATOMS.issuperset(map(kind_of, container)):
                continue
            for item in items:
                kind = kind_of(item)
                if kind is str:
                    if not (item.isascii() or _encodes(item)):
                        return False
                elif kind is dict or kind is list:
                    below.append(item)
                elif kind is float:
                    if not -inf < item < inf:
                        return False
                elif kind is not int and kind is not _none and kind is not bool:
                    return False
        if not below:
            return True
        level = below
    return False


def _encodes(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def fault(value: ir.Json) -> tuple[str, str]:
    """Say where and why `is_json` said no: the same walk, with paths."""
    level: list[tuple[ir.Path, Any]] = [(None, value)]
    seen = 0
    for _ in range(MAX_DEPTH + 1):
        below: list[tuple[ir.Path, Any]] = []
        for path, item in level:
            if what := _item_fault(item):
                return ir.pointer(path), what
            if type(item) is dict:
                below += [
                    ((path, key), member) for key, member in cast("dict[str, Any]", item).items()
                ]
            elif type(item) is list:
                below += [((path, index), member) for index, member in enumerate(_list(item))]
        level = below
        seen += sum([type(member) is dict or type(member) is list for _, member in below])
        if seen > MAX_CONTAINERS:
            return (
                "",
                f"more than {MAX_CONTAINERS} containers, shared ones counted each time; send less",
            )
    where = ir.pointer(level[0][0]) if level else ""
    return where, f"nested deeper than {MAX_DEPTH}, or inside itself; flatten it"


def _list(value: Any) -> list[Any]:
    return list(value)


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
