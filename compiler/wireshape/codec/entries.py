"""Entry steps: optional fields that travel as an array of `{field, value}` beside the other fields of their object."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from wireshape.codec.misfit import Builder, Misfit, Table, at, under
from wireshape.ir import kind_of

_ENTRY = ("field", "value")


def decode_entries(step: tuple[Any, ...], codec: Builder) -> Table:
    """Build an object from its entries and the rest of it."""
    _, key, fields, inner = step
    gets = {field: codec.decoder(sub).get for field, sub in fields}
    rest = codec.decoder(inner).get(dict)  # an object step is built at once

    def run_entries(wire: dict[str, Any]) -> dict[str, Any]:
        entries: Any = wire.get(key)
        out = wire.copy()
        if kind_of(entries) is list:
            del out[key]
        for name in gets.keys() & out.keys():  # fields in their conceptual place
            out[name] = under(name, gets[name], out[name])
        if rest is not None:
            out = rest(out)
        if kind_of(entries) is list:
            try:
                add(entries, out)
            except Misfit as misfit:
                raise at(key, misfit) from None
        return out

    def add(entries: list[Any], out: dict[str, Any]) -> None:
        for i, entry in enumerate(entries):
            if (
                kind_of(entry) is not dict
                or len(entry) != len(_ENTRY)
                or kind_of(field := entry.get("field")) is not str
                or field not in gets
                or "value" not in entry
            ):
                said = f"not an entry; send `field` (one of {_some(gets)}) and `value`"
                raise at(i, Misfit("WS616", said))
            if field in out:
                said = f"entry repeats the field {field!r}; send each field once"
                raise at(i, at("field", Misfit("WS617", said)))
            value = entry["value"]
            run = gets[field](kind_of(value))
            if run is not None:
                try:
                    value = run(value)
                except Misfit as misfit:
                    misfit.path += ["value", i]
                    raise
            out[field] = value

    return {dict: run_entries}


def _some(fields: Iterable[str]) -> str:
    names = [repr(name) for name in fields]
    return ", ".join(names[:8]) + (" ..." if len(names) > 8 else "")


def encode_entries(step: tuple[Any, ...], codec: Builder) -> Table:
    """Build the entries of an object, in the order of the schema, and the rest of it."""
    _, key, fields, inner = step
    gets = [(field, codec.encoder(sub).get) for field, sub in fields]
    gathered = frozenset([field for field, _ in fields])
    rest = codec.encoder(inner).get(dict)

    def run_entries(value: dict[str, Any]) -> dict[str, Any]:
        out: dict[str, Any] = {k: v for k, v in value.items() if k not in gathered}
        if rest is not None:
            out = rest(out)
        if key in out:
            raise at(key, Misfit("WS623", f"{key!r} is the wire name of the optional fields"))
        out[key] = [
            {"field": field, "value": under(field, get, value[field])}
            for field, get in gets
            if field in value
        ]
        return out

    return {dict: run_entries}
