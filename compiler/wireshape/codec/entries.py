"""Entry steps: optional fields that travel as an array of `{field, value}` beside the other fields of their object."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from wireshape.codec.misfit import Builder, Misfit, Table, at, under
from wireshape.ir import kind_of

_ENTRY = {"field", "value"}


def decode_entries(step: tuple[Any, ...], codec: Builder) -> Table:
    """Build an object from its entries and the rest of it."""
    _, key, fields, inner = step
    gets = {field: codec.decoder(sub).get for field, sub in fields}
    rest = codec.decoder(inner).get(dict)  # an object step is built at once

    def run_entries(wire: dict[str, Any]) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for name, value in wire.items():
            if name != key or kind_of(value) is not list:
                out[name] = under(name, gets[name], value) if name in gets else value
        if rest is not None:
            out = rest(out)
        entries: Any = wire.get(key)
        if kind_of(entries) is list:
            for i, entry in enumerate(entries):
                try:
                    add(entry, out)
                except Misfit as misfit:
                    misfit.path += [i, key]
                    raise
        return out

    def add(entry: Any, out: dict[str, Any]) -> None:
        is_entry = kind_of(entry) is dict and entry.keys() == _ENTRY
        field: Any = entry["field"] if is_entry else None
        if kind_of(field) is not str or field not in gets:
            raise Misfit("WS616", f"not an entry; send `field` (one of {_some(gets)}) and `value`")
        if field in out:
            raise at(
                "field", Misfit("WS617", f"entry repeats the field {field!r}; send each field once")
            )
        out[field] = under("value", gets[field], entry["value"])

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
