"""Definitions that say the same become one, however they refer to one another; those that differ anywhere stay apart."""

from __future__ import annotations

from wireshape import ir
from wireshape.read import alike
from wireshape.read.alike import united


def link(to: str, last: ir.Node | None = None) -> ir.Object:
    fields = [ir.Field("next", ir.Ref(to))]
    return ir.Object(tuple(fields if last is None else [*fields, ir.Field("last", last)]), ir.Any())


def names(root: ir.Node, defs: dict[str, ir.Node], made: set[str]) -> list[str]:
    return sorted(united(root, defs, made)[1])


def test_a_merged_definition_becomes_the_one_that_it_equals() -> None:
    root, defs = united(ir.Ref("b"), {"b": link("b"), "a": link("b")}, {"b"})
    assert root == ir.Ref("a")
    assert defs == {"a": link("a")}


def test_those_that_differ_behind_a_reference_stay() -> None:
    ends: dict[str, ir.Node] = {"x": ir.String(3), "y": ir.String(4)}
    chain: dict[str, ir.Node] = {"a": link("x"), "b": link("y"), "c": link("a"), "d": link("b")}
    defs = {**ends, **chain}
    assert names(ir.Ref("c"), defs, set(defs)) == sorted(defs)
    same: dict[str, ir.Node] = {**chain, "x": ir.String(3), "y": ir.String(3)}
    assert names(ir.Ref("c"), same, set(same)) == ["a", "c", "x"]


def test_what_was_not_merged_keeps_its_name() -> None:
    defs: dict[str, ir.Node] = {"a": link("a"), "b": link("b")}
    assert names(ir.Ref("a"), defs, set()) == ["a", "b"]


def test_work_is_bounded() -> None:
    rows = alike.ROUNDS + 2
    long: dict[str, ir.Node] = {f"d{i}": link(f"d{i + 1}") for i in range(rows)}
    long[f"d{rows}"] = link("d0", ir.Null())
    assert names(ir.Ref("d0"), long, set(long)) == sorted(long)
    many: dict[str, ir.Node] = {f"d{i}": link(f"d{i}") for i in range(alike.MOST + 1)}
    assert names(ir.Ref("d0"), many, set(many)) == sorted(many)
