"""Array steps: lists item by item, tuples by position or as objects with numbered keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from wireshape.codec.misfit import Builder, Misfit, Run, at, foreign, under
from wireshape.ir import kind_of
from wireshape.step import Step

_MISSING: Any = object()


def _each(run: Run) -> Run:
    def run_list(value: Any) -> Any:
        if kind_of(value) is not list:
            return value
        try:
            return [run(item) for item in value]
        except Misfit:
            return [under(i, run, item) for i, item in enumerate(value)]

    return run_list


def listed(
    build: Callable[[Builder], Callable[[Step], Run | None]],
) -> Callable[[tuple[Any, ...], Builder], Run]:
    """Make the builder of a list step, one way."""

    def make(step: tuple[Any, ...], codec: Builder) -> Run:
        run = build(codec)(step[1])
        assert run is not None, "idle lists are pruned"
        return _each(run)

    return make


def positional(
    build: Callable[[Builder], Callable[[Step], Run | None]],
) -> Callable[[tuple[Any, ...], Builder], Run]:
    """Make the builder of a tuple step, one way."""

    def make(step: tuple[Any, ...], codec: Builder) -> Run:
        runs = [build(codec)(s) for s in step[1]]
        rest = build(codec)(step[2])

        def run_tuple(value: Any) -> Any:
            if kind_of(value) is not list:
                return value
            out: list[Any] = []
            for i, item in enumerate(value):
                run = runs[i] if i < len(runs) else rest
                out.append(item if run is None else under(i, run, item))
            return out

        return run_tuple

    return make


def decode_numbered(step: tuple[Any, ...], codec: Builder) -> Run:
    """Build an array from numbered keys."""
    _, positions, has_rest, rest_step, fill = step
    runs = [codec.decoder(s) for s, _ in positions]
    rest = codec.decoder(rest_step)
    keys = [str(i) for i in range(len(runs))]
    known = {*keys, "rest"} if has_rest else set(keys)

    def run_numbered(wire: Any) -> Any:
        if kind_of(wire) is not dict or not wire.keys() <= known:
            return wire
        tail = wire.get("rest") if has_rest else None
        if tail is not None and kind_of(tail) is not list:
            return wire
        out: list[Any] = []
        hole = -1
        for i, key in enumerate(keys):
            item = wire.get(key, _MISSING)
            if item is _MISSING or (item is None and fill and positions[i][1]):
                hole = i if hole < 0 else hole
                continue
            if hole >= 0:
                _hole(hole, wire)
            run = runs[i]
            out.append(item if run is None else under(key, run, item))
        if tail:
            if hole >= 0:
                _hole(hole, wire)
            out.extend(tail if rest is None else under("rest", rest, tail))
        return out

    return run_numbered


def _hole(position: int, wire: dict[str, Any]) -> NoReturn:
    misfit = Misfit(
        "WS613",
        f"position {position} is absent but a later one is given; fill the positions in order",
    )
    raise at(str(position), misfit) if str(position) in wire else misfit


def _shifted(by: int, run: Run, tail: list[Any]) -> Any:
    """Map the tail of a list, and count the position of an error from the start of the list."""
    try:
        return run(tail)
    except Misfit as misfit:
        if misfit.path and isinstance(last := misfit.path[-1], int):
            misfit.path[-1] = last + by
        raise


def encode_numbered(step: tuple[Any, ...], codec: Builder) -> Run:
    """Build numbered keys from an array."""
    _, positions, has_rest, rest_step, fill = step
    runs = [codec.encoder(s) for s, _ in positions]
    rest = codec.encoder(rest_step)

    def run_numbered(value: Any) -> Any:
        if kind_of(value) is not list:
            return foreign(value, dict)
        if len(value) > len(runs) and not has_rest:
            raise Misfit(
                "WS621", f"array of {len(value)} items where at most {len(runs)} are allowed"
            )
        out: dict[str, Any] = {}
        for i, run in enumerate(runs):
            if i < len(value):
                out[str(i)] = value[i] if run is None else under(i, run, value[i])
            elif fill:
                out[str(i)] = None
        if has_rest:
            tail = value[len(runs) :]
            out["rest"] = tail if rest is None else _shifted(len(runs), rest, tail)
        return out

    return run_numbered
