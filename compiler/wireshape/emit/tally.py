"""What emission returns: the document, where each marked node was written, and how much was written; it spells nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from wireshape import ir

Wire: TypeAlias = dict[str, Any]


@dataclass(slots=True)
class Tally:
    """What was written, each definition once."""

    large_enums: list[tuple[int, int]]  # (values, characters)
    properties: int = 0
    string_chars: int = 0  # of property names, definition names and constants
    enum_values: int = 0
    optional: int = 0
    unions: int = 0
    max_items: int = 0
    deepest: int = 0  # containers entered, from the root or a definition
    depth: int = 0  # where the writer stands


class Emitted(NamedTuple):
    """The document, the pointer at which each marked node (by identity) was first written, and how much was written."""

    document: Wire
    where: dict[int, str]
    tally: Tally
    wires: list[Wire]  # each schema that was written, what is around it after it
    nodes: list[ir.Node]  # the node that each of them spells
