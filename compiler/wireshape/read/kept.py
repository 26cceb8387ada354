"""Tell where an instance that was written and read back is not what it was; it knows nothing of schemas.

What is compared is the data: the fields of models and dataclasses, not what they cache or keep private; a subclass that
adds no data is as good as its base.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, Final, NamedTuple, TypeAlias, cast

from wireshape.errors import WireshapeError
from wireshape.ir import Path
from wireshape.plain import is_json

Read: TypeAlias = Callable[[Any, Any], Any]
"""Reads JSON as an instance of a type."""

_ABSENT: Final = object()
_SEQUENCES: Final = (list, tuple, deque)


class Loss(NamedTuple):
    """A part that does not come back as it was: its place, its type, and the type of what came, if anything did."""

    at: Path
    was: str
    came: str | None


def loss(value: Any, back: Any, read: Read, at: Path = None) -> Loss | None:
    """Return the first part of `value` that `back` lacks or holds otherwise; `None` when nothing is lost.

    An instance that came back as plain JSON, where any value may stand, is read again as what it was.

    >>> loss({"a": [1, {2}]}, {"a": (1, [2])}, lambda tp, back: tp(back)) is None
    True
    >>> loss({"a": [1, 2]}, {"a": [1, 3]}, lambda tp, back: back).at
    ((None, 'a'), 1)
    """
    if value is back:
        return None
    if _is(value, _SEQUENCES) and _is(back, _SEQUENCES):
        parts: dict[int, Any] = dict(enumerate(cast("list[Any]", value)))
        others: dict[int, Any] = dict(enumerate(cast("list[Any]", back)))
        fits = len(value) == len(back)
        return _first(parts, others, read, at) if fits else _lost(value, back, at)
    if _is(value, Mapping) and _is(back, Mapping):
        return _first(value, back, read, at)
    if type(value) is not type(back):
        if is_json(value):
            return None  # a default that nothing validated: written as it is, like any JSON
        if is_json(back):
            return _reread(value, back, read, at)
    data = _data(value)
    if data is not None and _is(value, type(back)):
        return _first(data, _data(back) or {}, read, at)
    return None if _is_same(value, back) else _lost(value, back, at)


def _reread(value: Any, back: Any, read: Read, at: Path) -> Loss | None:
    try:
        again = read(type(value), back)
    except WireshapeError:
        return _lost(value, back, at)
    return _lost(value, back, at) if is_json(again) else loss(value, again, read, at)


def _first(
    parts: Mapping[Any, Any], others: Mapping[Any, Any], read: Read, at: Path
) -> Loss | None:
    for key, part in parts.items():
        other = others.get(key, _ABSENT)
        here: Path = (at, key if isinstance(key, int) else str(key))
        gone = other is _ABSENT
        found = Loss(here, _named(part), None) if gone else loss(part, other, read, here)
        if found is not None:
            return found
    return None


def _data(value: Any) -> dict[Any, Any] | None:
    """Return the fields of an instance; `None` for what has none or tells on its own what it equals."""
    kind: Any = cast("Any", type(value))
    declared: Any = getattr(kind, "model_fields", None)
    if declared is not None:
        extra: dict[str, Any] = getattr(value, "__pydantic_extra__", None) or {}
        return {k: v for k, v in _held(value).items() if k in declared} | extra
    if is_dataclass(value):
        names = [f.name for f in fields(value) if f.compare]
        return {name: getattr(value, name) for name in names if hasattr(value, name)}
    if kind.__eq__ is object.__eq__:
        return _held(value)
    return None


def _held(value: Any) -> dict[str, Any]:
    return getattr(value, "__dict__", {})


def _is_same(value: Any, back: Any) -> bool:
    try:
        return bool(value == back) or bool(value != value and back != back)  # noqa: PLR0124 (no number)
    except ValueError:  # an array, which compares by its elements
        return True


def _lost(value: Any, back: Any, at: Path) -> Loss:
    return Loss(at, _named(value), _named(back))


def _is(value: Any, kinds: Any) -> bool:
    """`isinstance`, which leaves `Any` as it is for type checkers."""
    return isinstance(value, kinds)


def _named(value: Any) -> str:
    return type(value).__qualname__
