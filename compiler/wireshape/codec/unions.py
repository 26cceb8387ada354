"""Union steps: which arm arrived, and which arm a value takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from wireshape import relate
from wireshape.codec.misfit import Builder, Misfit, Run, under
from wireshape.ir import kind_of
from wireshape.relate import OBJECT, type_bit


def _buckets(arms: tuple[Any, ...], side: int) -> dict[int, list[int]]:
    """For each JSON type, the arms that admit it on one side (0 wire, 1 source)."""
    return {1 << bit: [i for i, arm in enumerate(arms) if arm[side] >> bit & 1] for bit in range(7)}


def _table(keys: tuple[str, Any] | None) -> tuple[str, dict[str, int]]:
    """The discriminating key of one side, and the arm of each constant."""
    return ("", {}) if keys is None else (keys[0], dict(keys[1]))


def decode_union(step: tuple[Any, ...], codec: Builder) -> Run:
    """Build the choice of the arm that arrived."""
    _, arms, wire_keys, _ = step
    runs = [codec.decoder(arm[3]) for arm in arms]
    tags = {arm[2]: i for i, arm in enumerate(arms) if arm[2] is not None}
    buckets: dict[int, list[int]] = {}
    for bit, members in _buckets(arms, 0).items():
        live = [i for i in members if arms[i][2] is None] if bit == OBJECT else members
        same = live and all([arms[i][3] == arms[live[0]][3] for i in live])
        buckets[bit] = live[:1] if same else live
    key, table = _table(wire_keys)
    ask = codec.ask
    idle = frozenset(
        [
            kind
            for kind, bits in _SCALARS.items()
            if all([_is_idle(buckets[bit], runs) for bit in bits])
        ]
    )

    def run_union(wire: Any) -> Any:
        if kind_of(wire) in idle:
            return wire
        bit = type_bit(wire)
        if bit == OBJECT:
            if (
                tags
                and wire.keys() == {"arm", "value"}
                and kind_of(wire["arm"]) is str
                and wire["arm"] in tags
            ):
                run = runs[tags[wire["arm"]]]
                return wire["value"] if run is None else under("value", run, wire["value"])
            if table and kind_of(constant := wire.get(key)) is str and constant in table:
                run = runs[table[constant]]
                return wire if run is None else run(wire)
        live = buckets[bit]
        if len(live) == 1:
            run = runs[live[0]]
            return wire if run is None else run(wire)
        for i in live:
            if ask.wire(arms[i][4], wire):
                run = runs[i]
                return wire if run is None else run(wire)
        if not live or any(
            [arm[1] & bit and (arm[4] < 0 or ask.source(arm[4], wire)) for arm in arms]
        ):
            return wire
        raise Misfit("WS615", "no arm of the union fits this value; send one of the alternatives")

    return run_union


_SCALARS: dict[object, tuple[int, ...]] = {
    str: (relate.STRING,),
    int: (relate.INTEGER,),
    float: (relate.INTEGER, relate.FRACTION),
    bool: (relate.BOOLEAN,),
    type(None): (relate.NULL,),
}


def _is_idle(live: list[int], runs: list[Run | None]) -> bool:
    """Whether values of one JSON type have one arm, which leaves them as they are."""
    return len(live) == 1 and runs[live[0]] is None


def encode_union(step: tuple[Any, ...], codec: Builder) -> Run:
    """Build the choice of the arm that a value takes."""
    _, arms, _, source_keys = step
    runs = [codec.encoder(arm[3]) for arm in arms]
    buckets = _buckets(arms, 1)
    key, table = _table(source_keys)
    ask = codec.ask

    def through(i: int, value: Any) -> Any:
        run = runs[i]
        out = value if run is None else run(value)
        tag = arms[i][2]
        return out if tag is None else {"arm": tag, "value": out}

    types = [arm[0] for arm in arms]
    alone = [not any([a & b for j, b in enumerate(types) if j != i]) for i, a in enumerate(types)]

    def fits(i: int, out: Any) -> bool:
        """Tell whether a wire value is the arm's own: cheap where no other arm has its JSON types."""
        return bool(types[i] & type_bit(out)) and (alone[i] or ask.wire(arms[i][4], out))

    def run_union(value: Any) -> Any:
        bit = type_bit(value)
        live = buckets[bit]
        if (
            bit == OBJECT
            and table
            and kind_of(constant := value.get(key)) is str
            and constant in table
        ):
            live = [table[constant]]
        if len(live) == 1:
            out = through(live[0], value)
            if not fits(live[0], out):
                raise Misfit("WS622", "no arm of the union can spell this value on the wire")
            return out
        return _first_fit(live, lambda i: ask.source(arms[i][4], value), fits, through, value)

    return run_union


def _first_fit(
    live: list[int],
    valid: Callable[[int], bool],
    fits: Callable[[int, Any], bool],
    through: Callable[[int, Any], Any],
    value: Any,
) -> Any:
    """Take the first arm where the value is valid, encodes, and is wire-valid; in need, one that only is wire-valid."""
    failed: Misfit | None = None
    spare: list[int] = []
    for i in live:
        if not valid(i):
            spare.append(i)
            continue
        try:
            out = through(i, value)
        except Misfit as misfit:
            failed = failed or misfit
            continue
        if fits(i, out):
            return out
        failed = failed or Misfit("WS622", "no arm of the union can spell this value on the wire")
    if failed is not None:
        raise failed
    for i in spare:
        try:
            out = through(i, value)
        except Misfit:
            continue
        if fits(i, out):
            return out
    raise Misfit("WS622", "no arm of the union takes this value")
