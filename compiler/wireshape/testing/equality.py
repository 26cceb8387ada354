"""JSON equality: 1 equals 1.0, true differs from 1, and the order of keys says nothing."""

from __future__ import annotations

from typing import cast

from wireshape import ir


def items(value: ir.Json) -> list[ir.Json]:
    """Type a value that is known to be an array."""
    return cast("list[ir.Json]", value)


def members(value: ir.Json) -> dict[str, ir.Json]:
    """Type a value that is known to be an object."""
    return cast("dict[str, ir.Json]", value)


def same_json(left: ir.Json, right: ir.Json) -> bool:
    """Tell whether two JSON values are equal as JSON.

    >>> same_json({"a": [1]}, {"a": [1.0]}), same_json(True, 1)
    (True, False)
    """
    pairs: list[tuple[ir.Json, ir.Json]] = [(left, right)]
    while pairs:
        a, b = pairs.pop()
        if isinstance(a, dict) and isinstance(b, dict):
            mine, theirs = members(a), members(b)
            if mine.keys() != theirs.keys():
                return False
            pairs += [(mine[key], theirs[key]) for key in mine]
        elif isinstance(a, list) and isinstance(b, list):
            if len(items(a)) != len(items(b)):
                return False
            pairs += zip(items(a), items(b), strict=True)
        elif isinstance(a, bool) is not isinstance(b, bool) or not _same_scalar(a, b):
            return False
    return True


def is_beginning(partial: ir.Json, value: ir.Json) -> bool:
    """Tell whether a value may go on from a partial one.

    A text begins with the characters, an array with the items, whose last may itself be a beginning, an object has the
    members, each of which may be a beginning; other scalars are equal.

    >>> is_beginning({"a": ["x"]}, {"a": ["xy", 1], "b": True}), is_beginning([1], [12])
    (True, False)
    """
    pairs: list[tuple[ir.Json, ir.Json]] = [(partial, value)]
    while pairs:
        a, b = pairs.pop()
        if isinstance(a, dict) and isinstance(b, dict):
            mine, theirs = members(a), members(b)
            if not mine.keys() <= theirs.keys():
                return False
            pairs += [(mine[key], theirs[key]) for key in mine]
        elif isinstance(a, list) and isinstance(b, list):
            if len(items(a)) > len(items(b)):
                return False
            pairs += zip(items(a), items(b), strict=False)
        elif isinstance(a, str) and isinstance(b, str):
            if not b.startswith(a):
                return False
        elif not same_json(a, b):
            return False
    return True


def _same_scalar(a: ir.Json, b: ir.Json) -> bool:
    if a is None or b is None or isinstance(a, str) or isinstance(b, str):
        return type(a) is type(b) and bool(a == b)
    return not isinstance(a, dict | list) and not isinstance(b, dict | list) and bool(a == b)
