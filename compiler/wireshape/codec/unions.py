"""Union steps: which arm arrived, and which arm a value takes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from wireshape.codec.misfit import IDENTITY, KINDS, Builder, Misfit, Predicates, Run, Table, under
from wireshape.ir import kind_of
from wireshape.relate import FRACTION, INTEGER, OBJECT, type_bit
from wireshape.step import Step


def _run_of(table: Table, kind: object) -> Run | None:
    """What an arm does to values of one type; looked up at call time while the arm's definition is being built."""
    if table or table is IDENTITY:
        return table.get(kind)

    def run_late(value: Any) -> Any:
        run = table.get(kind)
        return value if run is None else run(value)

    return run_late


def _same(value: Any) -> Any:
    return value


def _by_type(choose: Callable[[object, int], Run | None]) -> Table:
    """Build a table from the answer for each type; that of a float depends on whether it is integral."""
    table: Table = {}
    for kind, mask in KINDS.items():
        run = choose(kind, mask) if kind is not float else _number(choose)
        if run is not None:
            table[kind] = run
    return table


def _number(choose: Callable[[object, int], Run | None]) -> Run | None:
    whole, fraction = choose(float, INTEGER), choose(float, FRACTION)
    if whole is None and fraction is None:
        return None
    integral, other = whole or _same, fraction or _same

    def run_number(value: float) -> Any:
        return integral(value) if value.is_integer() else other(value)

    return run_number


def decode_union(step: tuple[Any, ...], codec: Builder) -> Table:
    """Build the choice of the arm that arrived."""
    _, arms, wire_keys, _ = step
    tables = [codec.decoder(arm[3]) for arm in arms]

    def choose(kind: object, bit: int) -> Run | None:
        """What maps the values of one type: the arm that has it for itself, or the first whose predicate holds."""
        live = [
            i for i, arm in enumerate(arms) if arm[0] & bit and (kind is not dict or arm[2] is None)
        ]
        runs = [_run_of(tables[i], kind) for i in live]
        if not any(runs):
            return None
        first: Step = arms[live[0]][3]
        if all([arms[i][3] == first for i in live]):
            return runs[0]
        codec.tries = True
        return _tried(arms, bit, list(zip(live, runs, strict=True)), codec.ask)

    table = _by_type(choose)
    if wire_keys is not None:
        listed: list[tuple[str, int]] = list(wire_keys[1])
        known = {constant: _run_of(tables[i], dict) or _same for constant, i in listed}
        table[dict] = _constant(wire_keys[0], known, table.get(dict) or _same)
    tags = {arm[2]: tables[i].get for i, arm in enumerate(arms) if arm[2] is not None}
    if tags:
        table[dict] = _untagged(tags, table.get(dict))
    return table


def _tried(
    arms: tuple[Any, ...], bit: int, live: list[tuple[int, Run | None]], ask: Predicates
) -> Run:
    """Choose among arms of one JSON type: the first whose wire predicate holds."""
    trials = [(arms[i][4], run) for i, run in live]
    sources = [arm[4] for arm in arms if arm[1] & bit]

    def run_tried(wire: Any) -> Any:
        for index, run in trials:
            if ask.wire(index, wire):
                return wire if run is None else run(wire)
        if any([index < 0 or ask.source(index, wire) for index in sources]):
            return wire
        raise Misfit("WS615", "no arm of the union fits this value; send one of the alternatives")

    return run_tried


def _constant(key: str, known: dict[str, Run], other: Run) -> Run:
    """Choose by the constant under a key; a value without one goes the other way."""

    def run_constant(value: dict[str, Any]) -> Any:
        constant: Any = value.get(key)
        if kind_of(constant) is str and constant in known:
            return known[constant](value)
        return other(value)

    return run_constant


def _untagged(tags: dict[str, Any], other: Run | None) -> Run:
    """Take the arm that a tag names; what has no tag goes the other way."""

    def run_tagged(wire: dict[str, Any]) -> Any:
        if (
            len(wire) == 2
            and kind_of(tag := wire.get("arm")) is str
            and tag in tags
            and "value" in wire
        ):
            return under("value", tags[tag], wire["value"])
        return wire if other is None else other(wire)

    return run_tagged


def encode_union(step: tuple[Any, ...], codec: Builder) -> Table:
    """Build the choice of the arm that a value takes."""
    _, arms, _, source_keys = step
    tables = [codec.encoder(arm[3]) for arm in arms]
    shared = _shared([arm[0] for arm in arms])
    fits = [_fitness(arm, not arm[0] & shared, codec.ask) for arm in arms]

    def only(i: int, kind: object, bit: int) -> Run | None:
        """What maps a value that can take one arm only."""
        way = _through(arms[i], tables[i], kind)
        if way is None and arms[i][0] & bit and not arms[i][0] & shared:
            return None
        return _checked(way, fits[i])

    def choose(kind: object, bit: int) -> Run | None:
        live = [i for i, arm in enumerate(arms) if arm[1] & bit]
        if len(live) == 1:
            return only(live[0], kind, bit)
        ways = [_through(arms[i], tables[i], kind) or _same for i in live]
        return _first_fit(
            [(arms[i][4], way, fits[i]) for i, way in zip(live, ways, strict=True)], codec.ask
        )

    table = _by_type(choose)
    if source_keys is not None:
        known = {constant: only(i, dict, OBJECT) or _same for constant, i in source_keys[1]}
        table[dict] = _constant(source_keys[0], known, table.get(dict) or _same)
    return table


def _shared(masks: Iterable[int]) -> int:
    """The JSON types that several arms have."""
    seen = shared = 0
    for mask in masks:
        shared |= seen & mask
        seen |= mask
    return shared


def _fitness(arm: tuple[Any, ...], alone: bool, ask: Predicates) -> Callable[[Any], bool]:
    """Tell whether a wire value is the arm's own: cheap where no other arm has its JSON types."""
    types, index = arm[0], arm[4]
    if alone:
        return lambda out: bool(types & type_bit(out))
    return lambda out: bool(types & type_bit(out)) and ask.wire(index, out)


def _through(arm: tuple[Any, ...], table: Table, kind: object) -> Run | None:
    """Map a value through an arm."""
    run, tag = _run_of(table, kind), arm[2]
    if tag is None:
        return run
    return lambda value: {"arm": tag, "value": value if run is None else run(value)}


def _checked(way: Run | None, fits: Callable[[Any], bool]) -> Run:
    """Map a value and refuse a result that is not the arm's own."""

    def run_checked(value: Any) -> Any:
        out = value if way is None else way(value)
        if not fits(out):
            raise _unspelled()
        return out

    return run_checked


def _unspelled() -> Misfit:
    return Misfit("WS622", "no arm of the union can spell this value on the wire")


_Way: TypeAlias = "tuple[int, Run, Callable[[Any], bool]]"


def _first_fit(ways: list[_Way], ask: Predicates) -> Run:
    """Take the first arm where the value is valid, encodes, and is wire-valid; in need, one that only is wire-valid."""

    def run_trials(value: Any) -> Any:
        failed: Misfit | None = None
        spare: list[_Way] = []
        for way in ways:
            index, run, fits = way
            if not ask.source(index, value):
                spare.append(way)
                continue
            try:
                out = run(value)
            except Misfit as misfit:
                failed = failed or misfit
                continue
            if fits(out):
                return out
            failed = failed or _unspelled()
        if failed is not None:
            raise failed
        for _, run, fits in spare:
            try:
                out = run(value)
            except Misfit:
                continue
            if fits(out):
                return out
        raise Misfit("WS622", "no arm of the union takes this value")

    return run_trials
