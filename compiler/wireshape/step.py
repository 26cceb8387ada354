"""Steps: the plain-data record of how one wire node maps to its conceptual node; `codec` runs them, both ways.

A step is `None` (the value is the same on both sides) or a tuple whose first item names the operation:

| step | wire value | conceptual value |
| --- | --- | --- |
| `("object", fields, extras, others)` | object | object; see below |
| `("list", step)` | array | array, item by item |
| `("tuple", (step, ...), rest)` | array | array, position by position |
| `("numbered", ((step, optional), ...), rest, rest_step, fill)` | `{"0": a, "1": b, "rest": [...]}` | array; `rest` tells whether the key exists, `fill` whether null stands for an absent position |
| `("entries", key, ((field, step), ...), step)` | object with an array of `{field, value}` under `key` | object; the entries are its other fields, `step` maps the rest of it |
| `("pairs", ((regex, step), ...), step, entries)` | array of `{key, value}`, under "entries" if so | object; the first rule found in the key decodes the value |
| `("enum", ((wire, value), ...))` | a listed string | the value beside it |
| `("json", strings)` | string of JSON text | the value; text that is no JSON is itself where `strings` |
| `("wrap", key, step, ambiguous)` | `{key: x}` | x; `ambiguous` when x may be an object itself |
| `("ref", name)` | | the step of definition `name` |
| `("union", arms, wire_keys, source_keys)` | | the step of the arm that matches |

`fields` are `(wire key, key, step, mode)`, only those that need work. Modes: `keep`; `null` (null is absent); `box` (null is
absent, `{"value": x}` is x); `fill` (absent is sent as null, null stays); `omit` (null is sent as absent, absent is null);
`lose` (null is sent as absent, absent stays). `extras` is `None` or
`(wire key, step, declared keys)`: undeclared keys as pairs under that key. `others` is `None` or `(declared wire keys, ((regex, step), ...), step)`: undeclared keys in place.

An arm of a union is `(wire types, source types, tag, step, predicate)`: type masks of `relate`, the tag or `None`, the index of
its predicates. `wire_keys` and `source_keys` are `None` or `(key, ((constant, arm index), ...))`: the discriminator of the
object arms on each side.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeAlias

from wireshape.ir import kind_of

Step: TypeAlias = tuple[Any, ...] | None
Mode: TypeAlias = Literal["keep", "null", "box", "fill", "omit", "lose"]


def parts(step: Step) -> list[Step]:
    """Return the steps directly inside a step; those of definitions are only named.

    >>> parts(("tuple", (None, ("ref", "A")), None))
    [None, ('ref', 'A'), None]
    """
    if step is None:
        return []
    op = step[0]
    if op == "object":
        extras, others = step[2], step[3]
        inner = [sub for _, _, sub, _ in step[1]]
        if extras is not None:
            inner.append(extras[1])
        return inner if others is None else [*inner, *[sub for _, sub in others[1]], others[2]]
    if op == "list":
        return [step[1]]
    if op == "tuple":
        return [*step[1], step[2]]
    if op == "numbered":
        return [*[sub for sub, _ in step[1]], step[3]]
    if op == "pairs":
        return [*[sub for _, sub in step[1]], step[2]]
    if op == "entries":
        return [*[sub for _, sub in step[2]], step[3]]
    if op == "wrap":
        return [step[2]]
    if op == "union":
        return [arm[3] for arm in step[1]]
    return []


def keeps(step: Step, steps: Mapping[str, Step]) -> bool:
    """Whether a value stands on the wire as it is: the step at most reads null as an absent key.

    >>> keeps(("list", ("object", (("a", "a", None, "null"),), None, None)), {}), keeps(("json", False), {})
    (True, False)
    """
    stack, seen = [step], set[str]()
    while stack:
        at = stack.pop()
        if at is None:
            continue
        op = at[0]
        if op == "ref":
            if at[1] not in seen:
                seen.add(at[1])
                stack.append(steps.get(at[1]))
            continue
        if op == "object":
            moved = [key != name or mode not in ("keep", "null") for name, key, _, mode in at[1]]
            if any(moved) or at[2] is not None:
                return False
        elif op == "union":
            if any([tag is not None for _, _, tag, _, _ in at[1]]):
                return False
        elif op not in ("list", "tuple"):
            return False
        stack += parts(at)
    return True


def is_alike(a: Any, b: Any) -> bool:
    """Whether two steps are equal but for the indices of predicates, which count what was lowered before.

    >>> is_alike(("union", ((64, 64, None, None, 0),), None, None), ("union", ((64, 64, None, None, 7),), None, None))
    True
    """
    if a == b:
        return True
    if kind_of(a) is not tuple or kind_of(b) is not tuple or len(a) != len(b):
        return False
    if len(a) == _UNION and a[0] == b[0] == "union" and kind_of(a[1]) is tuple:
        return a[2:] == b[2:] and is_alike(_without_index(a[1]), _without_index(b[1]))
    return all([is_alike(x, y) for x, y in zip(a, b, strict=True)])


_UNION = 4


def _without_index(arms: Any) -> tuple[Any, ...]:
    return tuple([(wire, source, tag, step, index < 0) for wire, source, tag, step, index in arms])


def to_json(step: Step) -> Any:
    """Return a step as JSON: tuples become arrays."""
    if isinstance(step, tuple):
        return [to_json(part) for part in step]
    return step


def from_json(document: Any) -> Step:
    """Inverse of `to_json`. Raises ValueError, TypeError, KeyError or IndexError on what is no step."""
    if document is None:
        return None
    op, *rest = document
    return (op, *_READERS[op](*rest))


def _object(touched: Any, extras: Any, others: Any) -> tuple[Any, ...]:
    fields = tuple(
        [(wire_key, key, from_json(step), mode) for wire_key, key, step, mode in touched]
    )
    pairs = None if extras is None else (extras[0], from_json(extras[1]), tuple(extras[2]))
    return (
        fields,
        pairs,
        None if others is None else (tuple(others[0]), _rules(others[1]), from_json(others[2])),
    )


def _rules(rules: Any) -> tuple[tuple[str, Step], ...]:
    return tuple([(regex, from_json(step)) for regex, step in rules])


def _union(arms: Any, wire_keys: Any, source_keys: Any) -> tuple[Any, ...]:
    read = tuple(
        [(wire, source, tag, from_json(step), index) for wire, source, tag, step, index in arms]
    )
    return read, _keys(wire_keys), _keys(source_keys)


def _keys(keys: Any) -> tuple[Any, ...] | None:
    return (
        None if keys is None else (keys[0], tuple([(constant, arm) for constant, arm in keys[1]]))
    )


def _list(step: Any) -> tuple[Any, ...]:
    return (from_json(step),)


def _tuple(steps: Any, rest: Any) -> tuple[Any, ...]:
    return tuple([from_json(step) for step in steps]), from_json(rest)


def _numbered(positions: Any, rest: Any, rest_step: Any, fill: Any) -> tuple[Any, ...]:
    return (
        tuple([(from_json(step), optional) for step, optional in positions]),
        rest,
        from_json(rest_step),
        fill,
    )


def _pairs(rules: Any, step: Any, entries: Any) -> tuple[Any, ...]:
    return _rules(rules), from_json(step), entries


def _entries(key: Any, fields: Any, rest: Any) -> tuple[Any, ...]:
    return key, _rules(fields), from_json(rest)


def _enum(table: Any) -> tuple[Any, ...]:
    return (tuple([(wire, value) for wire, value in table]),)


def _json(strings: Any) -> tuple[Any, ...]:
    return (strings,)


def _wrap(key: Any, step: Any, ambiguous: Any) -> tuple[Any, ...]:
    return key, from_json(step), ambiguous


def _ref(name: Any) -> tuple[Any, ...]:
    return (name,)


_READERS: dict[str, Callable[..., tuple[Any, ...]]] = {
    "object": _object,
    "list": _list,
    "tuple": _tuple,
    "numbered": _numbered,
    "pairs": _pairs,
    "entries": _entries,
    "enum": _enum,
    "json": _json,
    "wrap": _wrap,
    "ref": _ref,
    "union": _union,
}
