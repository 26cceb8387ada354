"""Which of many arms may share a value: pairs found through tables of types, constants and keys, not by trying each with each.

[{kind: a}, {kind: b}, {kind: b | c}, string]  ->  [(1, 2)]
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TypeAlias

from wireshape import ir, relate
from wireshape.relate import Relations
from wireshape.walk import is_closed, json_key

MOST_PAIRS = 20_000
"""Pairs that are worth a closer look."""
_MOST_LOOKS = 400_000


@dataclass(slots=True)
class _Face:
    """What tells an object arm from others: its required constants, its required keys, and whether it admits other keys."""

    constants: Mapping[str, Sequence[ir.Json]]
    required: Sequence[str]
    keys: Iterable[str]
    closed: bool


def meeting(
    nodes: Sequence[ir.Node], relations: Relations, groups: Sequence[Hashable] | None = None
) -> list[tuple[int, int]] | None:
    """List the pairs that may share a value, as far as tables tell; of different `groups`, where these are given.

    `None` when there are too many to look at.
    """
    masks = [relations.types(n) for n in nodes]
    if not relate.shared(masks):
        return []
    found: list[tuple[int, int]] = []
    looks = _MOST_LOOKS
    for bit in (1 << i for i in range(7)):
        here = [i for i, mask in enumerate(masks) if mask & bit]
        if len(here) < 2 or (groups is not None and len({groups[i] for i in here}) == 1):
            continue
        table = (_objects if bit == relate.OBJECT else _constants)(here, nodes, relations)
        for i in here:
            for j in chain.from_iterable(table.get(i, (here,))):
                looks -= 1
                if looks < 0 or len(found) > MOST_PAIRS:
                    return None
                if j <= i or masks[i] & masks[j] & (bit - 1):
                    continue  # seen from the other side, or under another type
                if groups is None or groups[i] != groups[j]:
                    found.append((i, j))
    return list(dict.fromkeys(found))


_Table: TypeAlias = "dict[int, Sequence[Sequence[int]]]"
"""For an arm, the lists of arms that may meet it; all of them where it has no entry."""


def _constants(here: list[int], nodes: Sequence[ir.Node], relations: Relations) -> _Table:
    """An arm of constants meets the arms that have one of them, and those that are no constants."""
    values: dict[int, Sequence[ir.Json]] = {}
    for i in here:
        head = relations.head(nodes[i])
        if type(head) is ir.Literal:
            values[i] = head.values
    return _tabled(values, [i for i in here if i not in values])


def _tabled(values: Mapping[int, Sequence[ir.Json]], rest: list[int]) -> _Table:
    keys = {i: [json_key(v) for v in listed] for i, listed in values.items()}
    table: dict[Hashable, list[int]] = {}
    for i, own in keys.items():
        for key in own:
            table.setdefault(key, []).append(i)
    return {i: [*[table[key] for key in own], rest] for i, own in keys.items()}


def _objects(here: list[int], nodes: Sequence[ir.Node], relations: Relations) -> _Table:
    """An object arm meets the arms that share its constant, and only those that may hold a key that it requires."""
    faces: dict[int, _Face] = {}
    for i in here:
        head = relations.head(nodes[i])
        if type(head) is ir.Object:
            faces[i] = _face(head, relations)
    open_arms = [i for i in here if i not in faces or not faces[i].closed]
    holders: dict[str, list[int]] = {}
    count: dict[str, int] = {}
    for i, face in faces.items():
        for key in face.keys if face.closed else ():
            holders.setdefault(key, []).append(i)
        for key in face.constants:
            count[key] = count.get(key, 0) + 1
    tag = max(count, key=count.__getitem__, default="")
    tagged = {i: face.constants[tag] for i, face in faces.items() if tag in face.constants}
    table = _tabled(tagged, [i for i in here if i not in tagged])
    for i, face in faces.items():
        if face.required:
            rarest = min(face.required, key=lambda key: len(holders.get(key, ())))
            lists = (holders.get(rarest, ()), open_arms)
            if i not in table or _size(lists) < _size(table[i]):
                table[i] = lists
    return table


def _size(lists: Sequence[Sequence[int]]) -> int:
    return sum([len(one) for one in lists])


def _face(n: ir.Object, relations: Relations) -> _Face:
    constants: dict[str, Sequence[ir.Json]] = {}
    for f in n.fields:
        if f.required:
            value = relations.head(f.node)
            if type(value) is ir.Literal:
                constants[f.key] = value.values
    required = [f.key for f in n.fields if f.required]
    keys = [f.key for f in n.fields if type(f.node) is not ir.Never]
    return _Face(constants, required, keys, is_closed(n))
