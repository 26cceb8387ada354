"""Array steps: lists item by item, tuples by position or as objects with numbered keys."""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter
from typing import Any, NoReturn

from wireshape.codec.misfit import (
    IDENTITY,
    MOST,
    Builder,
    Misfit,
    Run,
    Table,
    Work,
    at,
    foreign,
    overrun,
    under,
)
from wireshape.ir import kind_of
from wireshape.step import Step

_MISSING: Any = object()
_SEVERAL = 2  # of which `itemgetter` makes a tuple


def _each(table: Table, work: Work) -> Run:
    """Map the items of a list; a list without an item of a type in the table is returned as it is."""
    get = table.get
    spared = table.keys().isdisjoint

    def run_list(value: list[Any]) -> list[Any]:
        if not value or (kind_of(value[0]) not in table and spared(map(kind_of, value))):
            return value
        work[0] += len(value)
        if work[0] > MOST:
            overrun(work)
        out: list[Any] = []
        add = out.append
        try:
            for item in value:
                run = get(kind_of(item))
                add(item if run is None else run(item))
        except Misfit as misfit:
            misfit.path.append(len(out))
            raise
        return out

    return run_list


def _each_of_one_type(kind: object, run: Run, work: Work) -> Run:
    """The same where items of one type are mapped only."""

    def run_list(value: list[Any]) -> list[Any]:
        if not value or (kind_of(value[0]) is not kind and kind not in set(map(kind_of, value))):
            return value
        work[0] += len(value)
        if work[0] > MOST:
            overrun(work)
        out: list[Any] = []
        add = out.append
        try:
            for item in value:
                add(run(item) if kind_of(item) is kind else item)
        except Misfit as misfit:
            misfit.path.append(len(out))
            raise
        return out

    return run_list


def each(table: Table, codec: Builder) -> Run:
    """Build what maps the items of a list."""
    if len(table) == 1:
        [(kind, run)] = table.items()
        return _each_of_one_type(kind, run, codec.work)
    return _each(table, codec.work)


def listed(
    build: Callable[[Builder], Callable[[Step], Table]],
) -> Callable[[tuple[Any, ...], Builder], Table]:
    """Make the builder of a list step, one way."""

    def make(step: tuple[Any, ...], codec: Builder) -> Table:
        return {list: each(build(codec)(step[1]), codec)}

    return make


def positional(
    build: Callable[[Builder], Callable[[Step], Table]],
) -> Callable[[tuple[Any, ...], Builder], Table]:
    """Make the builder of a tuple step, one way."""

    def make(step: tuple[Any, ...], codec: Builder) -> Table:
        gets = [build(codec)(s).get for s in step[1]]
        rest = build(codec)(step[2])
        tail = each(rest, codec)
        size = len(gets)

        def run_tuple(value: list[Any]) -> list[Any]:
            out = [under(i, get, item) for i, (get, item) in enumerate(zip(gets, value))]  # noqa: B905 (either may be longer)
            if len(value) > size:
                out += _shifted(size, tail, value[size:])
            return out

        return {list: run_tuple}

    return make


def decode_numbered(step: tuple[Any, ...], codec: Builder) -> Table:
    """Build an array from numbered keys."""
    _, positions, has_rest, _, fill = step
    tables = [codec.decoder(sub) for sub, _ in positions]  # once: twice would be 2**n times
    run_numbered = _by_number(step, tables, codec)
    size = len(positions)
    if has_rest or size < _SEVERAL:
        return {dict: run_numbered}
    fetch = itemgetter(*[str(i) for i in range(size)])
    mapped = [(i, table.get) for i, table in enumerate(tables) if table is not IDENTITY]
    optional = [i for i, (_, is_optional) in enumerate(positions) if fill and is_optional]

    def run_full(wire: dict[str, Any]) -> Any:
        """The same at once, where every position is given and no other key."""
        if len(wire) != size:
            return run_numbered(wire)
        try:
            out = list(fetch(wire))
        except KeyError:
            return run_numbered(wire)
        if optional and any([out[i] is None for i in optional]):
            return run_numbered(wire)
        for i, get in mapped:
            run = get(kind_of(out[i]))
            if run is not None:
                try:
                    out[i] = run(out[i])
                except Misfit as misfit:
                    misfit.path.append(str(i))
                    raise
        return out

    return {dict: run_full}


def _by_number(step: tuple[Any, ...], tables: list[Table], codec: Builder) -> Run:
    """What goes over the positions one by one."""
    _, positions, has_rest, rest_step, fill = step
    plan = [
        (str(i), table.get, fill and optional)
        for i, (table, (_, optional)) in enumerate(zip(tables, positions, strict=True))
    ]
    rest = codec.decoder(rest_step).get
    known = {key for key, _, _ in plan}
    if has_rest:
        known.add("rest")

    def run_numbered(wire: dict[str, Any]) -> Any:
        if not wire.keys() <= known:
            return wire
        tail = wire.get("rest") if has_rest else None
        if tail is not None and kind_of(tail) is not list:
            return wire
        out: list[Any] = []
        hole = ""
        for key, get, filled in plan:
            item = wire.get(key, _MISSING)
            if item is _MISSING or (item is None and filled):
                hole = hole or key
                continue
            if hole:
                _hole(hole, wire)
            run = get(kind_of(item))
            out.append(item if run is None else under(key, get, item))
        if tail:
            if hole:
                _hole(hole, wire)
            out.extend(under("rest", rest, tail))
        return out

    return run_numbered


def _hole(position: str, wire: dict[str, Any]) -> NoReturn:
    misfit = Misfit(
        "WS613",
        f"position {position} is absent but a later one is given; fill the positions in order",
    )
    raise at(position, misfit) if position in wire else misfit


def _shifted(by: int, run: Run, tail: list[Any]) -> Any:
    """Map the tail of a list, and count the position of an error from the start of the list."""
    try:
        return run(tail)
    except Misfit as misfit:
        if misfit.path and isinstance(last := misfit.path[-1], int):
            misfit.path[-1] = last + by
        raise


def encode_numbered(step: tuple[Any, ...], codec: Builder) -> Table:
    """Build numbered keys from an array."""
    _, positions, has_rest, rest_step, fill = step
    plan = [(str(i), codec.encoder(sub).get) for i, (sub, _) in enumerate(positions)]
    rest = codec.encoder(rest_step).get
    size = len(plan)

    def run_numbered(value: list[Any]) -> Any:
        if len(value) > size and not has_rest:
            raise Misfit("WS621", f"array of {len(value)} items where at most {size} are allowed")
        out: dict[str, Any] = {}
        for i, (key, get) in enumerate(plan):
            if i < len(value):
                out[key] = under(i, get, value[i])
            elif fill:
                out[key] = None
        if has_rest:
            run = rest(list)
            out["rest"] = value[size:] if run is None else _shifted(size, run, value[size:])
        return out

    return {list: run_numbered, dict: foreign}
