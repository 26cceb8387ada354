"""A private, checked copy: any Python value that is JSON becomes own dicts and lists; it does not read keywords."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from typing import Any

from wireshape.codes import CODES
from wireshape.errors import SchemaError, shown
from wireshape.ir import Json

kind_of: Callable[[object], object] = type
"""The exact type of a JSON value, opaque to the checkers, which would narrow to containers of unknown things."""

MAX_DEPTH = 160
"""Nested containers; the reader then needs fewer frames than half the interpreter's default limit of 1000 leaves."""

MAX_VALUES = 1_000_000
"""Values counted as a tree, so that shared Python dicts cannot blow up."""

_IDENTIFIERS = frozenset(
    {"$id", "id", "$anchor", "$dynamicAnchor", "$recursiveAnchor", "$dynamicRef", "$recursiveRef"}
)


_MAX_BITS = 13_000  # Python refuses to print what has more than 4,300 digits


class _Bad(Exception):  # noqa: N818 - internal signal, turned into a SchemaError by its only caller
    def __init__(self, code: str, what: str) -> None:
        super().__init__(what)
        self.code = code
        self.path: list[str] = []


class Copy:
    """The result: `value`, how many values it holds, and whether identifiers other than the root's may occur."""

    __slots__ = ("identified", "size", "value")

    def __init__(self) -> None:
        self.value: Json = None
        self.size = 0
        self.identified = False

    def scalar(self, value: Json) -> Json:
        """Check a value that is no dict, list or ASCII string."""
        if value is None or value is True or value is False:
            return value
        if isinstance(value, str):
            text = str.__str__(value)
            try:
                text.encode()
            except UnicodeEncodeError:
                raise _Bad("WS111", "a string with a lone surrogate") from None
            return text
        if isinstance(value, int):
            if value.bit_length() > _MAX_BITS:
                raise _Bad("WS114", "too large: an integer of more than 4,000 digits")
            return int(value)
        if isinstance(value, float):
            if not isfinite(value):
                raise _Bad("WS111", f"the number {value!r}")
            return float(value)
        raise _Bad("WS111", f"a Python {type(value).__name__}")

    def mapping(self, source: dict[Any, Any], depth: int) -> dict[str, Json]:
        """Copy an object."""
        self.size += len(source) + 1
        if depth <= 0 or self.size > MAX_VALUES:
            raise self._too_large(depth)
        out: dict[str, Json] = {}
        key: Any = ""
        try:
            for key, value in source.items():
                if type(key) is not str or not key.isascii():
                    key = self._key(key)  # noqa: PLW2901
                kind = kind_of(value)
                if kind is str and value.isascii():
                    out[key] = value
                elif kind is dict:
                    out[key] = self.mapping(value, depth - 1)
                elif kind is list:
                    out[key] = self.sequence(value, depth - 1)
                else:
                    out[key] = self._other(value, depth)
        except _Bad as bad:
            bad.path.append(str(key) if isinstance(key, str) else shown(key))
            raise
        if not _IDENTIFIERS.isdisjoint(out) and depth != MAX_DEPTH:
            self.identified = True
        return out

    def sequence(self, source: list[Any], depth: int) -> list[Json]:
        """Copy an array."""
        self.size += len(source) + 1
        if depth <= 0 or self.size > MAX_VALUES:
            raise self._too_large(depth)
        out: list[Json] = []
        for index, value in enumerate(source):
            kind = kind_of(value)
            if kind is str and value.isascii():
                out.append(value)
                continue
            try:
                if kind is dict:
                    out.append(self.mapping(value, depth - 1))
                elif kind is list:
                    out.append(self.sequence(value, depth - 1))
                else:
                    out.append(self._other(value, depth))
            except _Bad as bad:
                bad.path.append(str(index))
                raise
        return out

    def _other(self, value: Any, depth: int) -> Json:
        if issubclass(type(value), dict):
            return self.mapping(value, depth - 1)
        if issubclass(type(value), list):
            return self.sequence(value, depth - 1)
        return self.scalar(value)

    def _key(self, key: object) -> str:
        if not isinstance(key, str):
            raise _Bad("WS111", f"the key {shown(key)}")
        text: str = self.scalar(key)
        return text

    @staticmethod
    def _too_large(depth: int) -> _Bad:
        if depth <= 0:
            return _Bad("WS114", f"nested deeper than {MAX_DEPTH} containers (or cyclic)")
        return _Bad("WS114", f"larger than {MAX_VALUES} values")


def copy_json(source: Json) -> Copy:
    """Copy a JSON document, or raise a SchemaError that points at what is not JSON."""
    copy = Copy()
    try:
        if issubclass(type(source), dict):
            copy.value = copy.mapping(source, MAX_DEPTH)
        elif issubclass(type(source), list):
            copy.value = copy.sequence(source, MAX_DEPTH)
        else:
            copy.value = copy.scalar(source)
    except _Bad as bad:
        pointer = "".join(
            ["/" + part.replace("~", "~0").replace("/", "~1") for part in reversed(bad.path)]
        )
        pointer = pointer.encode("utf-8", "backslashreplace").decode()
        message = CODES[bad.code].template.format(what=bad.args[0])
        raise SchemaError(message, code=bad.code, pointer=pointer) from None
    return copy
