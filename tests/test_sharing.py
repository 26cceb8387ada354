"""Sharing the limits of a request: the plan is as good as trying every way to spell every tool, and tells why and what would help."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wireshape as ws
from wireshape import plan_memory
from wireshape.api import Delivery
from wireshape.dialect import Limits, Root
from wireshape.grant import Excess, Grant
from wireshape.pipeline import Lowering, lowering

STRING = {"type": "string"}
FIELDS = {
    "text": STRING,
    "maybe": {"type": ["string", "null"]},
    "either": {"anyOf": [{"type": "integer"}, STRING]},
    "inner": {
        "type": "object",
        "properties": {"x": STRING, "y": {"type": "integer"}},
        "required": ["x"],
        "additionalProperties": False,
    },
    "shared": {"$ref": "#/$defs/part"},
    "again": {"$ref": "#/$defs/part"},
}
PART = {"type": "object", "properties": {"p": STRING}, "additionalProperties": False}
WHY = Excess("optional_params", "fields", 2, 1)


def counted(schema: dict) -> tuple[int, int]:
    """Optional and union fields with references multiplied out, by another count than the planner's."""
    defs = schema.get("$defs", {})

    def union(field: dict) -> bool:
        if "$ref" in field:
            return union(defs[field["$ref"].rpartition("/")[2]])
        return "anyOf" in field or isinstance(field.get("type"), list)

    optional = unions = 0
    stack = [schema]
    while stack:
        here = stack.pop()
        if "$ref" in here:
            here = defs[here["$ref"].rpartition("/")[2]]
        for key, field in here.get("properties", {}).items():
            optional += key not in here.get("required", [])
            unions += union(field)
            stack.append(field)
        stack += here.get("anyOf", [])
        if isinstance(here.get("items"), dict):
            stack.append(here["items"])
    return optional, unions


def subsets(values):
    return chain.from_iterable(combinations(values, n) for n in range(len(values) + 1))


def ways(schema: dict, row: ws.Dialect) -> set[tuple[int, int]]:
    """What a schema takes in every spelling: any optional fields sent as null, any objects as entries."""
    places = {(): list(schema["properties"])}
    fields = schema["properties"]
    found: set[tuple[int, int]] = set()
    paths = {None: [k for k in fields if k not in schema["required"]]}
    for key, field in fields.items():
        if "properties" in field:
            paths[((None, "properties"), key)] = ["y"]
    if any("$ref" in field for field in fields.values()):
        paths[((None, "$defs"), "part")] = ["p"]
    assert places
    options = [
        [*[("null", frozenset(s)) for s in subsets(keys)], ("entries", frozenset())]
        for keys in paths.values()
    ]
    free = replace(row, limits=replace(row.limits, optional_params=None, union_params=None))
    for picked in product(*options):
        nullable = {
            at: keys
            for at, (way, keys) in zip(paths, picked, strict=True)
            if way == "null" and keys
        }
        entries = {at: WHY for at, (way, _) in zip(paths, picked, strict=True) if way == "entries"}
        grant = Grant(nullable=nullable, entries=entries)
        made = lowering(schema, free, None, None, ws.Options(), grant)
        if not any(note.code == "WS221" for note in made.compiled.report.notes):
            found.add(counted(made.compiled.schema))
    return found


def best(tools: list[ws.Tool], row: ws.Dialect) -> tuple[float, int]:
    """The largest sum of priorities and number of strict tools, by trying everything."""
    limits = row.limits.optional_params, row.limits.union_params
    taken = {(0, 0): (0.0, 0)}
    for tool in tools:
        priority = 1.0 if tool.strict == "prefer" else float(tool.strict)
        after = dict(taken)
        for (optional, union), (total, count) in taken.items():
            for more, unions in ways(tool.parameters, row):
                to = optional + more, union + unions
                if to[0] <= limits[0] and to[1] <= limits[1]:
                    after[to] = max(after.get(to, (0.0, 0)), (total + priority, count + 1))
        taken = after
    return max(taken.values())


@st.composite
def tools(draw):
    """A tool with a few fields, some of them optional."""
    keys = draw(st.lists(st.sampled_from(list(FIELDS)), min_size=1, max_size=3, unique=True))
    required = draw(st.sets(st.sampled_from(keys)))
    schema = {
        "type": "object",
        "properties": {k: FIELDS[k] for k in keys},
        "required": [k for k in keys if k in required],
        "additionalProperties": False,
    }
    if {"shared", "again"} & set(keys):
        schema["$defs"] = {"part": PART}
    return schema, draw(st.sampled_from(["prefer", 2, 0.5]))


@given(st.lists(tools(), min_size=1, max_size=3), st.integers(0, 4), st.integers(0, 3))
def test_the_plan_is_as_good_as_trying_every_spelling(asked, optional, union):
    row = ws.dialect("anthropic-strict")
    row = replace(row, limits=replace(row.limits, optional_params=optional, union_params=union))
    planned = [ws.Tool(f"t{i}", schema, strict=strict) for i, (schema, strict) in enumerate(asked)]
    plan = ws.plan(row, planned)
    strict = [tool for tool in plan.tools if tool.strict]
    counts = [counted(tool.compiled.schema) for tool in strict]
    assert sum(o for o, _ in counts) <= optional
    assert sum(u for _, u in counts) <= union
    priorities = [1.0 if t.strict == "prefer" else float(t.strict) for t in planned]
    total = sum(p for p, tool in zip(priorities, plan.tools, strict=True) if tool.strict)
    assert (total, len(strict)) == best(planned, row)
    for tool in plan.tools:
        assert tool.strict or tool.reasons
        assert not ws.check(
            tool.compiled.schema, replace(tool.compiled.dialect, limits=ws.Dialect(id="x").limits)
        )


def flat(optional: int, nullable: int = 0) -> dict:
    fields = {f"o{i}": STRING for i in range(optional)}
    fields |= {f"n{i}": {"type": ["string", "null"]} for i in range(nullable)}
    required = [k for k in fields if k[0] != "o"]
    return {
        "type": "object",
        "properties": fields,
        "required": required,
        "additionalProperties": False,
    }


def test_entries_come_before_strictness_is_given_up():
    plan = ws.plan("anthropic-strict", [ws.Tool(f"t{i}", flat(6, 2)) for i in range(7)])
    assert all(tool.strict for tool in plan.tools)
    counts = [counted(tool.compiled.schema) for tool in plan.tools]
    assert sum(o for o, _ in counts) <= 24
    assert sum(u for _, u in counts) <= 16
    (last,) = [tool for tool in plan.tools if any("entries" in reason for reason in tool.reasons)][
        -1:
    ]
    assert (
        "the request needs 42 of 24 optional_params; largest: t0 (6), t1 (6), t2 (6)"
        in last.reasons[0]
    )
    value = {"n0": "x", "n1": None, "o3": "y"}
    assert last.compiled.decode(last.compiled.encode(value)) == value
    (note,) = [note for note in last.compiled.report.notes if note.code == "WS242"]
    assert "of the request is 42, over the limit of 24" in note.message


def test_a_reason_names_the_limit_the_count_the_largest_and_what_would_help():
    small = [ws.Tool(f"t{i}", flat(0, 5), strict=2) for i in range(3)]
    plan = ws.plan("anthropic-strict", [*small, ws.Tool("all", flat(0, 16))])
    assert [tool.strict for tool in plan.tools] == [True, True, True, False]
    assert plan.tools[3].reasons == (
        "not strict: the request needs 31 of 16 union_params; largest: all (16), t0 (5), t1 (5); split the request",
    )


@pytest.mark.parametrize("strict", ["require", 3])
def test_what_would_help_is_another_tool_that_may_give_way(strict):
    tools = [
        ws.Tool("must", flat(0, 9), strict=strict),
        ws.Tool("low", flat(0, 7), strict=0.5),
        ws.Tool("mid", flat(0, 7), strict=0.4),
    ]
    reason = ws.plan("anthropic-strict", tools).tools[2].reasons[0]
    assert reason.endswith("it would be if 'low' were not")


def test_entries_that_join_fields_of_one_definition_are_counted_as_they_are_written():
    part = {
        "type": "object",
        "properties": {"p": STRING, "q": STRING},
        "additionalProperties": False,
    }
    fields = {key: {"$ref": "#/$defs/part"} for key in "abc"}
    schema = {
        "type": "object",
        "properties": fields,
        "additionalProperties": False,
        "$defs": {"part": part},
    }
    row, options = ws.dialect("anthropic-strict"), ws.Options()
    row = replace(row, limits=replace(row.limits, union_params=0))

    def again(grant: Grant) -> Lowering:
        return lowering(schema, row, None, None, options, grant)

    flat_row = replace(row, limits=replace(row.limits, depth=2))
    first = lowering(schema, flat_row, None, None, options)
    crude = plan_memory.Made(
        first, lambda grant: lowering(schema, flat_row, None, None, options, grant)
    )
    assert [(one.optional, len(one.entries)) for one in crude.spellings] == [(9, 0)]
    made = plan_memory.Made(lowering(schema, row, None, None, options), again)
    assert [(one.optional, len(one.entries)) for one in made.spellings] == [(9, 0), (2, 1), (0, 2)]
    for one in made.spellings:
        wire = again(one.grant(Grant(), WHY)).compiled.schema
        assert counted(wire) == (one.optional, one.union)


@pytest.mark.parametrize("wrong", [-1, 1])
def test_a_spelling_that_takes_other_than_foretold_is_counted_again(monkeypatch, wrong):
    true = plan_memory.spellings

    def foretold(*given):
        first, *others = true(*given)
        return [first, *[one._replace(optional=max(0, one.optional + wrong)) for one in others]]

    monkeypatch.setattr(plan_memory, "spellings", foretold)
    row = ws.dialect("anthropic-strict")
    row = replace(row, limits=replace(row.limits, optional_params=5, union_params=2))
    plan = ws.plan(row, [ws.Tool(f"t{i}", flat(3)) for i in range(3)])
    counts = [counted(tool.compiled.schema) for tool in plan.tools if tool.strict]
    assert sum(o for o, _ in counts) <= 5
    assert sum(u for _, u in counts) <= 2
    assert len(counts) == 3


def test_a_spelling_that_ends_as_text_is_none():
    row = ws.dialect("anthropic-strict")
    row = replace(row, limits=replace(row.limits, optional_params=1, union_params=0, depth=1))
    plan = ws.plan(row, [ws.Tool("first", flat(1)), ws.Tool("second", flat(1))])
    assert [tool.strict for tool in plan.tools] == [True, False]
    assert plan.tools[1].reasons == (
        "not strict: the request needs 2 of 1 optional_params; largest: first (1), second (1); "
        "it would be if 'first' were not",
    )


def test_what_was_spelled_before_is_spelled_again():
    tools = [ws.Tool(f"t{i}", flat(6, 2)) for i in range(7)]
    first, again = (ws.plan("anthropic-strict", tools) for _ in range(2))
    assert first.request() == again.request()
    assert [a.compiled for a in first.tools] == [b.compiled for b in again.tools]


def test_a_limit_on_optional_fields_alone():
    row = ws.dialect("anthropic-strict")
    row = replace(row, limits=replace(row.limits, optional_params=3, union_params=None))
    plan = ws.plan(row, [ws.Tool(f"t{i}", flat(3, 1)) for i in range(3)])
    assert all(tool.strict for tool in plan.tools)
    assert sum(counted(tool.compiled.schema)[0] for tool in plan.tools) <= 3


def test_a_row_that_sends_the_source_as_it_is():
    row = ws.Dialect(
        id="mine",
        strict=True,
        root=Root(verbatim=True),
        limits=Limits(optional_params=1),
        delivery=Delivery(relaxed="tools-lenient"),
    )
    plan = ws.plan(row, [ws.Tool("a", flat(1)), ws.Tool("b", flat(1))])
    assert [tool.strict for tool in plan.tools] == [True, False]


def test_a_schema_that_the_row_cannot_say():
    anything = {
        "type": "object",
        "properties": {"x": {"not": {"type": "string"}}},
        "required": ["x"],
    }
    options = ws.Options(on_loss="raise")
    plan = ws.plan(
        "openai-strict", [ws.Tool("t", anything), ws.Tool("u", flat(1))], options=options
    )
    assert [t.strict for t in plan.tools] == [False, True]
    assert plan.tools[0].reasons[0].startswith("not strict: WS2")
    with pytest.raises(ws.LossError):
        ws.plan("openai-strict", [ws.Tool("t", anything, strict="require")], options=options)


def test_a_tool_that_takes_nothing_stays_as_it_is():
    row = ws.dialect("anthropic-strict")
    row = replace(row, limits=replace(row.limits, optional_params=2))
    plan = ws.plan(row, [ws.Tool("none", flat(0)), ws.Tool("a", flat(2)), ws.Tool("b", flat(2))])
    assert all(tool.strict for tool in plan.tools)
    assert plan.tools[0].reasons == ()
