"""Pairs, string tables, JSON text and wrappers: values whose wire form has another JSON type."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from wireshape.codec.misfit import Builder, Misfit, Run, at, chooser, foreign, under
from wireshape.ir import kind_of


def decode_pairs(step: tuple[Any, ...], codec: Builder) -> Run:
    """Build a map from pairs."""
    _, rules, default, entries = step
    choose = chooser(rules, default, codec, codec.decoder)
    fixed = codec.decoder(default)

    def run_pairs(wire: Any) -> Any:
        if kind_of(wire) is dict:
            if entries:
                if wire.keys() != {"entries"} or kind_of(wire["entries"]) is not list:
                    return wire
                return under("entries", unpair, wire["entries"])
            return {
                k: v if (run := choose(k)) is None else under(k, run, v) for k, v in wire.items()
            }
        return wire if kind_of(wire) is not list or entries else unpair(wire)

    def unpair(wire: list[Any]) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for i, pair in enumerate(wire):
            if (
                kind_of(pair) is not dict
                or len(pair) != 2
                or kind_of(pair.get("key")) is not str
                or "value" not in pair
            ):
                raise at(
                    i,
                    Misfit("WS611", "not a pair; send an object with `key` (a string) and `value`"),
                )
            key = pair["key"]
            if key in out:
                raise at(i, Misfit("WS612", f"pair repeats the key {key!r}; send each key once"))
            run = choose(key) if rules else fixed
            try:
                out[key] = pair["value"] if run is None else run(pair["value"])
            except Misfit as misfit:
                misfit.path += ["value", i]
                raise
        return out

    return run_pairs


def encode_pairs(step: tuple[Any, ...], codec: Builder) -> Run:
    """Build pairs from a map."""
    _, rules, default, entries = step
    choose = chooser(rules, default, codec, codec.encoder)

    def run_pairs(value: Any) -> Any:
        if kind_of(value) is not dict:
            return value if entries else foreign(value, list)
        out: list[Any] = []
        for key, item in value.items():
            run = choose(key)
            out.append({"key": key, "value": item if run is None else under(key, run, item)})
        return {"entries": out} if entries else out

    return run_pairs


def decode_enum(step: tuple[Any, ...], _codec: Builder) -> Run:
    """Build the look-up of listed strings."""
    table: dict[str, Any] = dict(step[1])

    def run_enum(wire: Any) -> Any:
        if kind_of(wire) is str and wire in table:
            value = table[wire]
            return (
                json.loads(json.dumps(value))
                if kind_of(value) is dict or kind_of(value) is list
                else value
            )
        return wire

    return run_enum


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


def encode_enum(step: tuple[Any, ...], _codec: Builder) -> Run:
    """Build the look-up of the string that stands for a value."""
    table = {canonical(value): wire for wire, value in step[1]}

    def run_enum(value: Any) -> Any:
        try:
            return table.get(canonical(value), value)
        except (TypeError, ValueError):
            return value

    return run_enum


def _refuse_constant(text: str) -> NoReturn:
    raise ValueError(text)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    out = dict(pairs)
    if len(out) != len(pairs):
        raise ValueError("duplicate key")
    return out


_parse = json.JSONDecoder(parse_constant=_refuse_constant, object_pairs_hook=_unique).decode


def decode_json(step: tuple[Any, ...], _codec: Builder) -> Run:
    """Build the parser of JSON text."""
    strings = step[1]

    def run_json(wire: Any) -> Any:
        if kind_of(wire) is not str:
            return wire
        try:
            return _parse(wire)
        except ValueError as error:
            if strings:
                return wire
            raise Misfit(
                "WS614", f"not JSON text ({error}); send one JSON value as a string"
            ) from error

    return run_json


def encode_json(_step: tuple[Any, ...], _codec: Builder) -> Run:
    """Build the writer of JSON text."""

    def run_json(value: Any) -> Any:
        try:
            return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        except (TypeError, ValueError) as error:
            raise Misfit("WS620", f"not a JSON value ({error})") from error

    return run_json


def decode_wrap(step: tuple[Any, ...], codec: Builder) -> Run:
    """Build the unwrapping of a one-key object."""
    _, key, sub, _ = step
    run = codec.decoder(sub)
    only = {key}

    def run_wrap(wire: Any) -> Any:
        if kind_of(wire) is dict and wire.keys() == only:
            return wire[key] if run is None else under(key, run, wire[key])
        return wire

    return run_wrap


def encode_wrap(step: tuple[Any, ...], codec: Builder) -> Run:
    """Build the wrapping in a one-key object."""
    _, key, sub, _ = step
    run = codec.encoder(sub)

    def run_wrap(value: Any) -> Any:
        return {key: value if run is None else run(value)}

    return run_wrap
