"""Pointers into the wire schema, as text: they are made while it is written, and name what stands there; nothing is read."""

from __future__ import annotations

_NAMING = ("properties", "$defs", "definitions", "$def")


def part(key: str) -> str:
    """Return a key as one part of a JSON pointer.

    >>> part("a/b")
    'a~1b'
    """
    return key.replace("~", "~0").replace("/", "~1") if "~" in key or "/" in key else key


def title(pointer: str) -> str:
    """Return a name for an object that has none: the key or definition that holds it.

    >>> title("/properties/address/items")
    'address'
    """
    parts = pointer.split("/")[1:]
    for i in range(len(parts) - 1, 0, -1):
        if parts[i - 1] in _NAMING:
            return parts[i].replace("~1", "/").replace("~0", "~")
    return "Object"
