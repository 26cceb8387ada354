"""Checks of keyword values: what a draft's metaschema would refuse becomes a SchemaError at the exact place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wireshape import ir
from wireshape.read.drafts import SHAPES
from wireshape.read.json_copy import kind_of
from wireshape.read.patterns import holds
from wireshape.read.scope import malformed
from wireshape.regex import features

if TYPE_CHECKING:
    from wireshape.read.scope import Scope


_STRINGS = {str}


def count(value: ir.Json, at: ir.Path, cx: Scope) -> int:
    """Check a length or number of things: a non-negative integer."""
    if type(value) is int and value >= 0:
        return value
    if type(value) is float and value.is_integer() and value >= 0 and cx.spec.level > 4:
        return int(value)
    raise malformed(at, value, "write a non-negative integer")


def num(value: ir.Json, at: ir.Path) -> int | float:
    """Check a number."""
    if type(value) is int or type(value) is float:
        return value
    raise malformed(at, value, "write a number")


def flag(value: ir.Json, at: ir.Path) -> bool:
    """Check a boolean."""
    if value is True or value is False:
        return bool(value)
    raise malformed(at, value, "write true or false")


def text(value: ir.Json, at: ir.Path) -> str:
    """Check a string."""
    if type(value) is str:
        return value
    raise malformed(at, value, "write a string, or leave the keyword out")


def pattern(value: ir.Json, at: ir.Path) -> str:
    """Check a regular expression."""
    source = text(value, at)
    if not is_pattern(source):
        raise malformed(at, value, "write a regular expression of ECMA-262")
    return source


def is_pattern(source: str) -> bool:
    """Whether a string is a regular expression of ECMA-262."""
    used = features(source)
    return "invalid" not in used and (
        "too-large" not in used or holds("pattern", source, "") is not None
    )


def mapping(value: ir.Json, at: ir.Path) -> dict[str, ir.Json]:
    """Check an object, of schemas mostly."""
    if kind_of(value) is dict:
        entries: dict[str, ir.Json] = value
        return entries
    raise malformed(at, value, "write an object with one entry per name")


def schemas(value: ir.Json, at: ir.Path) -> list[ir.Json]:
    """Check a non-empty array of schemas."""
    if kind_of(value) is list and value:
        listed: list[ir.Json] = value
        return listed
    raise malformed(at, value, "write a non-empty array of schemas")


def strings(value: ir.Json, at: ir.Path, cx: Scope) -> list[str]:
    """Check an array of distinct strings; not empty in draft 4."""
    if kind_of(value) is not list:
        hint = "write an array of names"
        if value is True or value is False:
            hint = "`required` belongs to the object and lists the names of its required properties"
        raise malformed(at, value, hint)
    if not set(map(type, value)) <= _STRINGS:
        index = next(i for i, name in enumerate(value) if type(name) is not str)
        raise malformed((at, index), value[index], "write a name, as a string")
    if len(set(value)) < len(value):
        raise malformed(at, value, "list each name once")
    if not value and cx.spec.level == 4:
        raise malformed(
            at, value, "in draft 4 the array must name at least one property, else leave it out"
        )
    names: list[str] = value
    return names


def is_off_path(at: ir.Path, cx: Scope) -> bool:
    """Whether the place is under an unknown keyword, where no metaschema looks: only a reference made a schema of it."""
    keys: list[str | int] = []
    while at is not None:
        at, key = at
        keys.append(key)
    keys.reverse()
    index = 0
    while index < len(keys):
        key = str(keys[index])
        shape = SHAPES.get(key)
        if shape is None or key not in cx.groups:
            return True
        inner = index + 1 < len(keys) and type(keys[index + 1]) is int
        index += (
            2
            if shape in {"list", "map", "dependencies"} or (shape == "one-or-list" and inner)
            else 1
        )
    return False
