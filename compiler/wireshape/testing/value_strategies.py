"""Generate valid JSON values from our own IR; the gate has the last word on each."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Protocol, TypeAlias

from hypothesis import reject
from hypothesis import strategies as st

from wireshape import ir
from wireshape.compiled import Compiled
from wireshape.gate import Gate
from wireshape.options import Options
from wireshape.read import read
from wireshape.testing.equality import items, members
from wireshape.testing.value_writer import Dead, Draw, ValueWriter, heights, write
from wireshape.testing.wire import wire_validator

_TRIES = 4


def json_values(*, max_leaves: int = 6) -> st.SearchStrategy[ir.Json]:
    """Return a strategy of arbitrary JSON values.

    >>> from hypothesis import find
    >>> find(json_values(), lambda value: isinstance(value, list))
    []
    """
    scalars = st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-(2**70), 2**70),
        st.floats(allow_nan=False, allow_infinity=False),
        st.text(max_size=6),
    )
    return st.recursive(
        scalars,
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
        ),
        max_leaves=max_leaves,
    )


def values(
    schema: ir.Json | Compiled, options: Options | None = None
) -> st.SearchStrategy[ir.Json]:
    """Return a strategy of values that are valid under a schema, or under the source of a compilation.

    A schema for which no value is found leads to an unsatisfiable strategy; formats are asserted unless the options
    say otherwise.

    >>> from hypothesis import find
    >>> find(values({"type": "object", "properties": {"n": {"minimum": 3, "type": "integer"}}, "required": ["n"]}), bool)
    {'n': 3}
    """
    options = options or Options()
    if isinstance(schema, Compiled):
        own = json.loads(schema.to_json())["source"]
        options = Options(
            draft=own["draft"], assert_formats=own["assert_formats"], registry=own.get("registry")
        )
        schema = own["document"]
    source = read(schema, options)
    gate = Gate(
        source.document,
        source.draft,
        assert_formats=options.assert_formats,
        registry=options.registry,
    )
    return _accepted(_Aim(source.graph, gate))


def wire_values(compiled: Compiled) -> st.SearchStrategy[ir.Json]:
    """Return a strategy of values that are valid on the wire, slack such as duplicate pair keys included.

    >>> import wireshape as ws
    >>> from hypothesis import find
    >>> find(wire_values(ws.compile({"enum": ["a"]}, "openai-strict")), lambda wire: True)
    {'value': 'a'}
    """
    judge = wire_validator(compiled)
    if compiled.dialect.root.verbatim:
        return values(compiled)
    graph = read(judge.schema, Options(draft="2020-12")).graph
    return _accepted(_Aim(graph, judge)).flatmap(lambda wire: _slack(wire).filter(judge.is_valid))


class _Judge(Protocol):
    def is_valid(self, value: ir.Json, /) -> bool: ...


class _Aim:
    """What to draw and who judges it; hypothesis shows arguments, and a graph is too long to show."""

    __slots__ = ("graph", "heights", "judge")

    def __init__(self, graph: ir.Graph, judge: _Judge) -> None:
        self.graph = graph
        self.judge = judge
        self.heights = heights(graph.defs)

    def __repr__(self) -> str:
        return "..."


@st.composite
def _accepted(draw: Draw, aim: _Aim) -> ir.Json:
    for _ in range(_TRIES):
        try:
            value = write(aim.graph.root, ValueWriter(draw, aim.graph.defs, aim.heights))
        except Dead:
            continue
        if aim.judge.is_valid(value):
            return value
    return reject()


def _slack(wire: ir.Json) -> st.SearchStrategy[ir.Json]:
    """Mostly the value; now and then with an entry of some array repeated."""
    arrays = [path for path, item in _parts(wire) if isinstance(item, list) and item]
    if not arrays:
        return st.just(wire)
    repeated = st.sampled_from(arrays).map(
        lambda path: _changed(wire, path, lambda items: [*items, items[0]])
    )
    return st.one_of(st.just(wire), st.just(wire), repeated)


_Path: TypeAlias = "tuple[str | int, ...]"


def _members(value: ir.Json) -> list[tuple[str | int, ir.Json]]:
    if isinstance(value, dict):
        return list(members(value).items())
    return list(enumerate(items(value))) if isinstance(value, list) else []


def _parts(value: ir.Json, path: _Path = ()) -> Iterator[tuple[_Path, ir.Json]]:
    yield path, value
    for step, member in _members(value):
        yield from _parts(member, (*path, step))


def _changed(value: ir.Json, path: _Path, change: Callable[[ir.Json], ir.Json]) -> ir.Json:
    """Return a copy in which the part at `path` is changed."""
    if not path:
        return change(value)
    changed = [
        (s, _changed(m, path[1:], change) if s == path[0] else m) for s, m in _members(value)
    ]
    return {str(s): m for s, m in changed} if isinstance(value, dict) else [m for _, m in changed]


@st.composite
def mutations(draw: Draw, value: ir.Json) -> ir.Json:
    """Return a strategy of neighbours of a value: one part replaced, dropped, added or repeated; mostly invalid ones.

    >>> from hypothesis import find
    >>> find(mutations({"a": 1}), lambda other: other != {"a": 1}) is None
    True
    """
    path, part = draw(st.sampled_from(list(_parts(value))))
    return _changed(value, path, lambda _: draw(st.sampled_from(_neighbours(part))))


def _neighbours(part: ir.Json) -> list[ir.Json]:
    others: list[ir.Json] = [None, True, 0, -1, 2.5, "", "zz", [], {}, [part], {"a": part}]
    parts = _members(part)
    if isinstance(part, dict):
        others += [dict([m for m in parts if m[0] != key]) for key, _ in parts]
        others += [
            dict([*parts, ("undeclared", 1)]),
            dict([*parts, ("a", None)]),
            dict(parts[::-1]),
        ]
    elif isinstance(part, list):
        own = items(part)
        others += [own[1:], own[:-1], [*own, *own[:1]], [*own, None], own[::-1]]
    elif isinstance(part, str):
        others += [part + "x", part[:-1], part.upper(), part + "\n", json.dumps(part)]
    elif isinstance(part, (int, float)) and not isinstance(part, bool):
        others += [part + 1, part - 1, part + 0.5 if abs(part) < 2**50 else part, -part, str(part)]
    return others
