"""Finds the narrowing that keeps a value off the wire, and where in the value it bites; runs only after a refusal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from wireshape import ir
from wireshape.ir import kind_of
from wireshape.relate import Relations, type_bit
from wireshape.report import Note
from wireshape.walk import spoken_of

if TYPE_CHECKING:
    from wireshape.read import Schema

_MOST = 20_000
_IN_PLACE = frozenset(["allOf", "anyOf", "oneOf", "if", "dependentSchemas"])


def narrowing_at(notes: list[Note], source: Schema, value: Any) -> tuple[Note | None, str]:
    """Return the narrowed note that the value runs into, and the pointer into the value.

    Walks value and conceptual schema side by side and looks at the nodes that notes point to. Returns `(None, "")`
    where none bites.
    """
    if not notes:
        return None, ""
    narrowed = {(one.pointer, one.code): one for one in reversed(notes)}
    places = {one.pointer for one in notes}
    relations = Relations(source.graph.defs)
    stack: list[tuple[Any, ir.Node, ir.Path]] = [(value, source.graph.root, None)]
    seen = 0
    while stack and seen < _MOST:
        seen += 1
        at, n, path = stack.pop()
        place = ir.pointer(n.at)
        if place in places:
            bite = _bites(at, n, relations)
            note = None if bite is None else narrowed.get((place, bite.code))
            if bite is not None and note is not None:
                return note, ir.pointer(path if bite.key is None else (path, bite.key))
        stack.extend(reversed(_inside(at, n, path, relations)))
    return None, ""


class _Bite(NamedTuple):
    """The code of a narrowing, and the key at fault when it is not the value itself."""

    code: str
    key: str | None = None


def _bites(value: Any, n: ir.Node, relations: Relations) -> _Bite | None:
    """What a value runs into: a type that was narrowed away, or a key that the closed object does not declare."""
    if type(n) is ir.Union and n.implied:
        typed = any([relations.types(o) & type_bit(value) for o in spoken_of(n)])
        return None if typed else _Bite("WS216")
    head = relations.head(n)
    if type(head) is ir.Object and kind_of(value) is dict:
        declared = {f.key for f in head.fields}
        return next((_Bite("WS213", key) for key in value if key not in declared), None)
    return None


def _inside(
    value: Any, n: ir.Node, path: ir.Path, relations: Relations
) -> list[tuple[Any, ir.Node, ir.Path]]:
    """The parts of node and value that belong together."""
    if type(n) is ir.Ref:
        return [(value, relations.defs[n.name], path)]
    if type(n) is ir.Refine:
        held = [p for a in n.assertions if a.keyword in _IN_PLACE for p in a.nodes]
        return [(value, part, path) for part in (n.base, *held)]
    if type(n) is ir.Union:
        return [
            (value, option, path) for option in n.options if not relations.refuses(option, value)
        ]
    if type(n) is ir.Object and kind_of(value) is dict:
        fields = {f.key: f.node for f in n.fields}
        rest = [p.node for p in n.patterns] + [n.extras]
        return [
            (v, node, (path, k))
            for k, v in value.items()
            for node in ([fields[k]] if k in fields else rest)
        ]
    if type(n) is ir.List and kind_of(value) is list:
        return [(v, n.items, (path, i)) for i, v in enumerate(value)]
    if type(n) is ir.Tuple and kind_of(value) is list:
        return [
            (v, n.prefix[i] if i < len(n.prefix) else n.rest, (path, i))
            for i, v in enumerate(value)
        ]
    return []
