"""Pairs, string tables, JSON text and wrappers: values whose wire form has another JSON type."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from wireshape import plain_text
from wireshape.codec.misfit import (
    IDENTITY,
    KINDS,
    MOST,
    Builder,
    Get,
    Misfit,
    Run,
    Table,
    Work,
    at,
    chooser,
    foreign,
    overrun,
    under,
)
from wireshape.ir import kind_of


def decode_pairs(step: tuple[Any, ...], codec: Builder) -> Table:
    """Build a map from pairs."""
    _, rules, default, entries = step
    choose, table = chooser(rules, default, codec, codec.decoder)
    values, work = _values(choose), codec.work
    unpair = _by_key(choose, work) if table is None else _alike(table, work)

    def in_place(wire: dict[str, Any]) -> dict[str, Any]:
        work[0] += len(wire)
        if work[0] > MOST:
            overrun(work)
        out = wire.copy()
        values(out)
        return out

    def run_entries(wire: dict[str, Any]) -> Any:
        if len(wire) != 1 or kind_of(pairs := wire.get("entries")) is not list:
            return wire
        try:
            return unpair(pairs)
        except Misfit as misfit:
            raise at("entries", misfit) from None

    return {dict: run_entries} if entries else {list: unpair, dict: in_place}


def _alike(table: Table, work: Work) -> Run:
    """Collect pairs whose values are all mapped in one way."""
    get = table.get

    def unpair(wire: list[Any]) -> dict[str, Any]:
        work[0] += len(wire)
        if work[0] > MOST:
            overrun(work)
        out: dict[str, Any] = {}
        pair: Any = None
        try:
            for pair in wire:
                if kind_of(pair) is dict and len(pair) == 2 and kind_of(pair["key"]) is str:
                    value = pair["value"]
                    run = get(kind_of(value))
                    out[pair["key"]] = value if run is None else run(value)
        except KeyError:
            raise _unfit(wire) from None
        except Misfit as misfit:
            misfit.path += ["value", next(i for i, p in enumerate(wire) if p is pair)]
            raise
        if len(out) < len(wire):
            raise _unfit(wire)
        return out

    return _collected if table is IDENTITY else unpair


def _by_key(choose: Callable[[str], Get], work: Work) -> Run:
    """Collect pairs whose values are mapped by the rule of their key."""

    def unpair(wire: list[Any]) -> dict[str, Any]:
        work[0] += len(wire)
        if work[0] > MOST:
            overrun(work)
        out = _collected(wire)
        for key, value in out.items():
            run = choose(key)(kind_of(value))
            if run is not None:
                try:
                    out[key] = run(value)
                except Misfit as misfit:
                    misfit.path += ["value", list(out).index(key)]
                    raise
        return out

    return unpair


def _collected(wire: list[Any]) -> dict[str, Any]:
    """Make a map of pairs, whose values stay as they are."""
    out: dict[str, Any] = {}
    try:
        for pair in wire:
            if kind_of(pair) is dict and len(pair) == 2 and kind_of(key := pair["key"]) is str:
                out[key] = pair["value"]
    except KeyError:
        raise _unfit(wire) from None
    if len(out) < len(wire):
        raise _unfit(wire)
    return out


def _unfit(wire: list[Any]) -> Misfit:
    """Why pairs make no map of their number: one is none, or has the key of another."""
    for i, pair in enumerate(wire):
        if kind_of(pair) is not dict or pair.keys() != _PAIR or kind_of(pair["key"]) is not str:
            what = "not a pair; send an object with `key` (a string) and `value`"
            return at(i, Misfit("WS611", what))
    key = plain_text.repeated([(pair["key"], None) for pair in wire])
    position = [i for i, pair in enumerate(wire) if pair["key"] == key][1]
    return at(position, Misfit("WS612", f"pair repeats the key {key!r}; send each key once"))


def _values(choose: Callable[[str], Get]) -> Callable[[dict[str, Any]], None]:
    """What maps the values of a map in place."""

    def values(out: dict[str, Any]) -> None:
        for key, value in out.items():
            out[key] = under(key, choose(key), value)

    return values


_PAIR = frozenset(["key", "value"])


def encode_pairs(step: tuple[Any, ...], codec: Builder) -> Table:
    """Build pairs from a map."""
    _, rules, default, entries = step
    values = _values(chooser(rules, default, codec, codec.encoder)[0])

    def run_pairs(value: dict[str, Any]) -> Any:
        mapped = value.copy()
        values(mapped)
        out = [{"key": key, "value": item} for key, item in mapped.items()]
        return {"entries": out} if entries else out

    return {dict: run_pairs} if entries else {dict: run_pairs, list: foreign}


def decode_enum(step: tuple[Any, ...], _codec: Builder) -> Table:
    """Build the look-up of listed strings."""
    table: dict[str, Any] = dict(step[1])
    fresh = {wire: json.dumps(value) for wire, value in step[1] if isinstance(value, dict | list)}

    def run_enum(wire: str) -> Any:
        return json.loads(fresh[wire]) if wire in fresh else table.get(wire, wire)

    return {str: run_enum}


def canonical(value: Any) -> str:
    """One text per JSON value: 1 and 1.0 are one, key order does not count."""
    return json.dumps(_integral(value), sort_keys=True, ensure_ascii=True)


def _integral(value: Any) -> Any:
    if kind_of(value) is float and value.is_integer():
        return int(value)
    if kind_of(value) is dict:
        return {k: _integral(v) for k, v in value.items()}
    if kind_of(value) is list:
        return [_integral(v) for v in value]
    return value


def encode_enum(step: tuple[Any, ...], _codec: Builder) -> Table:
    """Build the look-up of the string that stands for a value."""
    texts = {canonical(value): wire for wire, value in step[1]}

    def run_enum(value: Any) -> Any:
        try:
            return texts.get(canonical(value), value)
        except (TypeError, ValueError):
            return value

    return dict.fromkeys(KINDS, run_enum)


def decode_json(step: tuple[Any, ...], _codec: Builder) -> Table:
    """Build the parser of JSON text."""
    strings = step[1]

    def run_json(wire: str) -> Any:
        try:
            return plain_text.load(wire)
        except ValueError as error:
            if strings:
                return wire
            raise Misfit(
                "WS614", f"not JSON text ({error}); send one JSON value as a string"
            ) from error

    return {str: run_json}


def encode_json(_step: tuple[Any, ...], _codec: Builder) -> Table:
    """Build the writer of JSON text."""

    def run_json(value: Any) -> Any:
        try:
            return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        except (TypeError, ValueError) as error:
            raise Misfit("WS620", f"not a JSON value ({error})") from error

    return dict.fromkeys(KINDS, run_json)


def decode_wrap(step: tuple[Any, ...], codec: Builder) -> Table:
    """Build the unwrapping of a one-key object."""
    _, key, sub, _ = step
    get = codec.decoder(sub).get

    def run_wrap(wire: dict[str, Any]) -> Any:
        return under(key, get, wire[key]) if len(wire) == 1 and key in wire else wire

    return {dict: run_wrap}


def encode_wrap(step: tuple[Any, ...], codec: Builder) -> Table:
    """Build the wrapping in a one-key object."""
    _, key, sub, _ = step
    get = codec.encoder(sub).get

    def run_wrap(value: Any) -> dict[str, Any]:
        run = get(kind_of(value))
        return {key: value if run is None else run(value)}

    return dict.fromkeys(KINDS, run_wrap)
