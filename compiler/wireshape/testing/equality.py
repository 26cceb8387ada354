"""JSON equality: 1 equals 1.0, true differs from 1, and the order of keys says nothing."""

from __future__ import annotations

from typing import Any, cast

from wireshape import ir


def same_json(left: ir.Json, right: ir.Json) -> bool:
    """Tell whether two JSON values are equal as JSON.

    >>> same_json({"a": [1]}, {"a": [1.0]}), same_json(True, 1)
    (True, False)
    """
    pairs: list[tuple[Any, Any]] = [(left, right)]
    while pairs:
        a, b = pairs.pop()
        if isinstance(a, dict) and isinstance(b, dict):
            if cast("dict[str, Any]", a).keys() != cast("dict[str, Any]", b).keys():
                return False
            pairs += [(a[key], b[key]) for key in cast("dict[str, Any]", a)]
        elif isinstance(a, list) and isinstance(b, list):
            if _size(a) != _size(b):
                return False
            pairs += zip(cast("Any", a), cast("Any", b), strict=True)
        elif isinstance(a, bool) is not isinstance(b, bool) or not _same_scalar(a, b):
            return False
    return True


def _size(items: Any) -> int:
    return len(items)


def _same_scalar(a: Any, b: Any) -> bool:
    if isinstance(a, (dict, list)) or isinstance(b, (dict, list)):
        return False
    if a is None or b is None or isinstance(a, str) or isinstance(b, str):
        return type(a) is type(b) and bool(a == b)
    return bool(a == b)
