"""What lies inside a wire schema that was written: schemas, definitions, references; it counts nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from wireshape.ir import kind_of

Wire: TypeAlias = dict[str, Any]

ROOT = "the root"
HOLDERS = ("$defs", "definitions", "$def")
_HOPS = 16
HOLDS = {
    **dict.fromkeys(
        "additionalProperties items propertyNames not if then else contains unevaluatedItems unevaluatedProperties".split(),
        "one",
    ),
    **dict.fromkeys("prefixItems anyOf oneOf allOf".split(), "list"),
    **dict.fromkeys("properties patternProperties dependentSchemas".split(), "table"),
}
_CONTAINERS = ("object", "array")
_COUNTED = frozenset({"$ref", "enum", "const", *HOLDS})
"""The keywords of a schema that holds something besides itself."""
_RARE = frozenset(HOLDS) - {"properties", "items", "anyOf", "additionalProperties"}
UNITING = frozenset({"anyOf", "oneOf", "$ref"})
"""The keywords of what may be a union."""


def holds(wire: Wire) -> bool:
    """Whether a schema may hold something besides a plain value."""
    return wire.get("type") in _CONTAINERS or not _COUNTED.isdisjoint(wire)


def below(wire: Wire) -> tuple[list[Wire], int]:
    """The schemas directly inside a schema, its properties first, and how many these are; no definitions, no booleans.

    The commonest keywords are looked up, which is faster than to go through all.
    """
    found: list[Wire] = []
    if "properties" in wire:
        found = [v for v in wire["properties"].values() if kind_of(v) is dict]
    properties = len(found)
    if "anyOf" in wire:
        found += [v for v in wire["anyOf"] if kind_of(v) is dict]
    if "items" in wire and kind_of(wire["items"]) is dict:
        found.append(wire["items"])
    extras = wire.get("additionalProperties")
    if extras is not None and kind_of(extras) is dict:
        found.append(extras)
    if not _RARE.isdisjoint(wire):
        found += _rare(wire)
    return found, properties


def _rare(wire: Wire) -> list[Wire]:
    """The schemas inside a schema under keywords that few have."""
    found: list[Wire] = []
    for keyword in [k for k in wire if k in _RARE]:
        value = wire[keyword]
        held = HOLDS[keyword]
        inner = [value] if held == "one" else value if held == "list" else value.values()
        found += [v for v in inner if kind_of(v) is dict]
    return found


def is_container(wire: Wire) -> bool:
    """Whether the values of a schema are objects or arrays, by what it says itself."""
    if "enum" in wire or "const" in wire:
        return False
    kind = wire.get("type")
    if kind is None:
        return "properties" in wire or "items" in wire
    return kind in _CONTAINERS


def name_of(target: str) -> str:
    """The name of the definition that a reference of the compiler points to."""
    return ROOT if target == "#" else target.split("/", 2)[2]


def definitions(document: Wire) -> dict[str, Wire]:
    """The root and each definition, by name."""
    found: Wire = {}
    for word in HOLDERS:
        found = document.get(word) or found
    return {ROOT: document, **found}


def is_union(wire: Wire | bool, defs: Mapping[str, Wire]) -> bool:
    """Whether a schema is a union, by itself or through references."""
    for _ in range(_HOPS):
        if isinstance(wire, bool):
            return False
        if "anyOf" in wire or "oneOf" in wire:
            return True
        if "$ref" not in wire:
            return False
        wire = defs[name_of(wire["$ref"])]
    return False
