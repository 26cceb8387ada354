"""Pairs of arms that may meet: no pair that shares a value is missing, and many arms take few looks."""

from __future__ import annotations

import time
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wireshape as ws
from wireshape import ir
from wireshape.options import Options
from wireshape.predicates import judge
from wireshape.read import read
from wireshape.relate import Relations
from wireshape.strictify.overlap import MOST_PAIRS, meeting
from wireshape.testing import json_values, schemas
from wireshape.testing.laws import is_valid

NEVER = ir.Never()


def closed(*keys: str, **constants: str) -> ir.Object:
    required = [ir.Field(k, ir.Literal((v,)), required=True) for k, v in constants.items()]
    return ir.Object((*required, *[ir.Field(k, ir.Any(), required=True) for k in keys]), NEVER)


def opened(*keys: str, **constants: str) -> ir.Object:
    made = closed(*keys, **constants)
    return ir.Object(made.fields, ir.Any(), open=True)


@pytest.mark.parametrize(
    ("nodes", "pairs"),
    [
        ([ir.String(), ir.Null(), ir.String(1)], [(0, 2)]),
        ([ir.Literal(("a", 1)), ir.Literal((1.0,)), ir.Literal((True,)), ir.Number()], [(0, 1), (0, 3), (1, 3)]),
        ([ir.Literal(("a",)), ir.String(), ir.Literal(("b",))], [(0, 1), (1, 2)]),
        ([closed(kind="a"), closed(kind="b"), closed(kind="a")], [(0, 2)]),
        ([opened(kind="a"), opened("x", kind="b"), opened("x")], [(0, 2), (1, 2)]),
        ([closed("a"), closed("b"), closed("a", "b")], []),
        ([closed("a"), opened("b"), opened()], [(0, 2), (1, 2)]),
        ([closed("a"), ir.Any(), closed("b")], [(0, 1), (1, 2)]),
        ([closed(), closed(), ir.Union((ir.String(), closed("a")))], [(0, 1)]),
        ([ir.Any(), ir.Any()], [(0, 1)]),
    ],
)  # fmt: skip
def test_pairs(nodes: list[ir.Node], pairs: list[tuple[int, int]]) -> None:
    found = meeting(nodes, Relations({}))
    assert found is not None
    assert set(found) >= set(pairs)
    sure = Relations({})
    assert [p for p in found if not sure.disjoint(nodes[p[0]], nodes[p[1]])] == pairs


@given(st.lists(schemas(max_leaves=4), min_size=2, max_size=6), st.lists(json_values(), max_size=8))
def test_no_pair_that_shares_a_value_is_missing(sources: list[Any], values: list[Any]) -> None:
    graphs = [read(source, Options()).graph for source in sources]
    defs = {f"{i}_{name}": n for i, g in enumerate(graphs) for name, n in g.defs.items()}
    if defs:
        return
    pairs = set(meeting([g.root for g in graphs], Relations({})) or ())
    judges = [judge(source) for source in sources]
    for value in values:
        hits = [i for i, accepts in enumerate(judges) if accepts(value)]
        assert pairs >= set(combinations(hits, 2)), value


def test_groups_leave_out_pairs() -> None:
    nodes: list[ir.Node] = [ir.String(), ir.String(1), ir.String(2)]
    assert meeting(nodes, Relations({}), ["a", "a", "b"]) == [(0, 2), (1, 2)]
    assert meeting(nodes, Relations({}), ["a", "a", "a"]) == []


def test_too_many_pairs() -> None:
    count = int((2 * MOST_PAIRS) ** 0.5) + 3
    assert meeting([ir.String(i) for i in range(count)], Relations({})) is None
    assert meeting([closed(kind=f"k{i}") for i in range(count)], Relations({})) == []


def arm(i: int, **more: Any) -> dict[str, Any]:
    fields = {"kind": {"const": f"k{i}"}, f"f{i}": {"type": "string"}, **more}
    return {
        "type": "object",
        "properties": fields,
        "required": ["kind"],
        "additionalProperties": False,
    }


N = 2_000
MANY: list[tuple[str, Any, Any]] = [
    ("discriminated", {"anyOf": [arm(i) for i in range(N)]}, {"kind": f"k{N - 1}"}),
    ("exclusive", {"oneOf": [arm(i) for i in range(N)]}, {"kind": f"k{N - 1}", f"f{N - 1}": "x"}),
    ("required_keys", {"anyOf": [{"type": "object", "properties": {f"k{i}": {}, "o": {"type": "string"}}, "required": [f"k{i}"], "additionalProperties": False} for i in range(N)]}, {f"k{N - 1}": 1}),
    ("constants", {"oneOf": [{"const": f"c{i}", "title": f"T{i}"} for i in range(N)]}, f"c{N - 1}"),
    ("numbers", {"anyOf": [{"const": i, "title": f"T{i}"} for i in range(N)]}, N - 1),
    ("patterns", {"type": "object", "patternProperties": {f"^k{i}$": {"type": "integer", "maximum": i} for i in range(N)}, "additionalProperties": False}, {f"k{N - 1}": N - 1}),
    ("maps", {"anyOf": [{"type": "object", "additionalProperties": {"maximum": i, "type": "integer"}} for i in range(N)]}, {"x": N - 1}),
]  # fmt: skip


@pytest.mark.parametrize("dialect", ["openai-strict", "xai-strict", "gemini-openapi"])
@pytest.mark.parametrize(("part", "value"), [m[1:] for m in MANY], ids=[m[0] for m in MANY])
def test_many_arms(dialect: str, part: Any, value: Any) -> None:
    source = {"type": "object", "properties": {"u": part}, "required": ["u"]}
    start = time.process_time()
    compiled = ws.compile(source, dialect)
    assert time.process_time() - start < 8  # quadratic work took 10 s and more
    assert compiled.decode(compiled.encode({"u": value})) == {"u": value}
    assert is_valid(compiled, {"u": value})
    assert "WS223" not in {note.code for note in compiled.report.notes} or part is MANY[-1][1]
