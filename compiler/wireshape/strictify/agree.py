"""Whether two arms of a union decode every value that fits both of them alike; says no when it is not certain.

{a: int, b?: str} and {a: int}, b null = absent in the first  ->  agree: null never reaches the second
"""

from __future__ import annotations

from wireshape import ir
from wireshape.relate import Relations
from wireshape.step import Step

_DEPTH = 4


def agree(
    a: ir.Node, a_step: Step, b: ir.Node, b_step: Step, target: Relations, depth: int = _DEPTH
) -> bool:
    """Compare the decoding of wire nodes `a` and `b` on the values that both accept."""
    if a_step == b_step:
        return True
    if depth == 0:
        return False
    a, b = target.head(a), target.head(b)
    if (
        type(a) is ir.Object
        and type(b) is ir.Object
        and _is(a_step, "object")
        and _is(b_step, "object")
    ):
        return _objects(a, a_step, b, b_step, target, depth)
    if type(a) is ir.List and type(b) is ir.List and _is(a_step, "list") and _is(b_step, "list"):
        inner = (None if a_step is None else a_step[1], None if b_step is None else b_step[1])
        return agree(a.items, inner[0], b.items, inner[1], target, depth - 1)
    return False


def _is(step: Step, name: str) -> bool:
    return step is None or step[0] == name


def _objects(
    a: ir.Object, a_step: Step, b: ir.Object, b_step: Step, target: Relations, depth: int
) -> bool:
    _, a_touched, a_extras, a_others = a_step or ("object", (), None, None)
    _, b_touched, b_extras, b_others = b_step or ("object", (), None, None)
    if a_extras != b_extras or a_others != b_others:
        return False
    mine = {t[0]: t for t in a_touched}
    others = {t[0]: t for t in b_touched}
    a_fields = {f.key: f.node for f in a.fields}
    b_fields = {f.key: f.node for f in b.fields}
    for key in mine.keys() | others.keys():
        x = mine.get(key, (key, key, None, "keep"))
        y = others.get(key, (key, key, None, "keep"))
        if x == y:
            continue
        if key not in a_fields or key not in b_fields:
            if (key in mine and key not in a_fields) or (key in others and key not in b_fields):
                return False
            missing = b if key not in b_fields else a
            if type(missing.extras) is ir.Never and not missing.patterns:
                continue  # a value with this key never reaches the closed one, a value without it is decoded alike
            return False
        if x[1] != y[1] or "box" in (x[3], y[3]):
            return False
        if x[3] != y[3] and target.admits_null(a_fields[key]) and target.admits_null(b_fields[key]):
            return False
        if not agree(a_fields[key], x[2], b_fields[key], y[2], target, depth - 1):
            return False
    return True
