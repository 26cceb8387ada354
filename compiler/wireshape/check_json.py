"""Tell where a Python value that is to be checked is no JSON document; what the document says is not looked at.

Each object is visited once and the walk is a loop, so shared subtrees cost nothing and depth is no limit.
"""

from __future__ import annotations

from wireshape.check_walk import is_list, is_object
from wireshape.ir import Json, Path


def fault(root: Json) -> tuple[Path, str] | None:
    """Return path and name of the first part that is no JSON: a key, an object of another kind, a part inside itself.

    >>> fault({"enum": [1, {2}]})
    (((None, 'enum'), 1), 'a Python set')
    >>> fault({"type": "object"})
    """
    entered: dict[int, bool] = {}  # whether the walk is still inside it
    todo: list[tuple[Json, Path, bool]] = [(root, None, False)]
    while todo:
        value, path, leaving = todo.pop()
        if leaving:
            entered[id(value)] = False
        elif is_object(value) or is_list(value):
            inside = entered.get(id(value))
            if inside:
                return path, "a value inside itself"
            if inside is None:
                entered[id(value)] = True
                todo.append((value, path, True))
                if is_object(value):
                    for key in value:
                        if not _is_key(key):
                            return path, f"a key that is {_named(key)}"
                    todo += [(v, (path, k), False) for k, v in value.items() if not _is_scalar(v)]
                else:
                    todo += [
                        (v, (path, i), False) for i, v in enumerate(value) if not _is_scalar(v)
                    ]
        elif not _is_scalar(value):
            return path, _named(value)
    return None


def _is_scalar(value: Json) -> bool:
    return value is None or isinstance(value, (str, int, float))


def _is_key(value: object) -> bool:
    return isinstance(value, str)


def _named(value: object) -> str:
    return f"a Python {type(value).__name__}"
