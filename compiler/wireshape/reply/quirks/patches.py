"""Arguments that a stream writes value by value: each piece names its place by a JSON path, text comes in several pieces."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

from wireshape.ir import kind_of

_STEP = re.compile(r"""\.([^.\[\]]+)|\[(\d{1,6})\]|\['([^']*)'\]|\["([^"]*)"\]""")
_VALUES = ("stringValue", "string_value", "numberValue", "number_value", "boolValue", "bool_value")
_NULLS = ("nullValue", "null_value")
_PATHS = ("jsonPath", "json_path")


def patched(root: dict[str, Any], pieces: Any) -> bool:
    """Write the pieces into `root`; tell whether each of them could be.

    >>> root = {}
    >>> patched(root, [{"jsonPath": "$.a[0].b", "stringValue": "x"}, {"jsonPath": "$.a[0].b", "stringValue": "y"}])
    True
    >>> root
    {'a': [{'b': 'xy'}]}
    """
    if kind_of(pieces) is not list:
        return False
    return all([_write(root, piece) for piece in pieces])


def _write(root: dict[str, Any], piece: Any) -> bool:
    if kind_of(piece) is not dict:
        return False
    path = next((piece[k] for k in _PATHS if kind_of(piece.get(k)) is str), None)
    given = [piece[k] for k in _VALUES if piece.get(k) is not None]
    steps = None if path is None else _steps(path)
    if not steps or len(given) > 1 or not (given or any([k in piece for k in _NULLS])):
        return False
    here: Any = root
    for step, following in pairwise(steps):
        fresh: Any = [] if kind_of(following) is int else {}
        if not _room(here, step):
            return False
        here = _at(here, step, fresh)
    last, value = steps[-1], given[0] if given else None
    if not _room(here, last):
        return False
    old = _at(here, last, value)
    if kind_of(old) is str and kind_of(value) is str and old is not value:
        here[last] = old + value
    return True


def _room(here: Any, step: str | int) -> bool:
    """Whether a step can be taken: a key of an object, or an item that is there or follows the last."""
    if isinstance(step, str):
        return kind_of(here) is dict
    return kind_of(here) is list and step <= len(here)


def _at(here: Any, step: Any, fresh: Any) -> Any:
    if kind_of(here) is dict:
        return here.setdefault(step, fresh)
    if step == len(here):
        here.append(fresh)
    return here[step]


def _steps(path: str) -> list[str | int] | None:
    steps: list[str | int] = []
    at = 1
    while at < len(path):
        step = _STEP.match(path, at)
        if step is None:
            return None
        plain, index, *quoted = step.groups()
        steps.append(int(index) if index else plain or next(q for q in quoted if q is not None))
        at = step.end()
    return steps if path.startswith("$") else None
