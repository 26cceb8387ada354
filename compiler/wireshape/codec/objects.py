"""Object steps: fields that are null when absent, boxed or renamed, and undeclared keys in place or as pairs."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from typing import Any, TypeAlias

from wireshape.codec.misfit import (
    IDENTITY,
    MOST,
    Builder,
    Get,
    Misfit,
    Run,
    Table,
    at,
    chooser,
    overrun,
    under,
)
from wireshape.ir import kind_of

_FEW = 8


def decode_object(step: tuple[Any, ...], codec: Builder) -> Table:
    """Build an object without the nulls that stand for absent fields, its parts decoded, its keys renamed."""
    _, touched, extras, others = step
    drops = tuple([wire_key for wire_key, _, _, mode in touched if mode == "null"])
    tables = [(wire_key, codec.decoder(sub)) for wire_key, _, sub, mode in touched if mode != "box"]
    tables = [(key, table) for key, table in tables if table is not IDENTITY]
    finish = _finisher(touched, extras, others, codec)
    if max(len(drops), len(tables)) <= _FEW:
        return {dict: _patch_few(drops, tables, finish)}
    patch = _patch_many(frozenset(drops), {key: table.get for key, table in tables})
    return {dict: patch if finish is None else lambda wire: finish(patch(wire))}


def _patch_few(drops: tuple[str, ...], tables: list[tuple[str, Table]], finish: Run | None) -> Run:
    """Copy an object, drop nulls and map parts, going over the fields in question."""
    typed = [(key, kind, run) for key, table in tables for kind, run in table.items()]
    late = [(key, table.get) for key, table in tables if not table]  # of definitions in the making

    def patch(wire: dict[str, Any]) -> dict[str, Any]:
        out = wire.copy()
        try:
            for key in drops:
                if out[key] is None:
                    del out[key]
        except KeyError:  # a field is absent already
            for key in drops:
                if key in out and out[key] is None:
                    del out[key]
        for key, kind, run in typed:
            if key in wire and kind_of(value := wire[key]) is kind:
                try:
                    out[key] = run(value)
                except Misfit as misfit:
                    misfit.path.append(key)
                    raise
        for key, get in late:
            if key in out:
                out[key] = under(key, get, out[key])
        return out if finish is None else finish(out)

    return patch


def _patch_many(drops: Container[str], parts: Mapping[str, Get]) -> Run:
    """The same, going over the keys that are there, which may be far fewer than the fields."""

    def patch(wire: dict[str, Any]) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for key, value in wire.items():
            if value is None:
                if key not in drops:
                    out[key] = None
            elif key in parts and (run := parts[key](kind_of(value))) is not None:
                try:
                    out[key] = run(value)
                except Misfit as misfit:
                    misfit.path.append(key)
                    raise
            else:
                out[key] = value
        return out

    return patch


def _finisher(
    touched: Iterable[tuple[Any, ...]],
    extras: tuple[Any, ...] | None,
    others: tuple[Any, ...] | None,
    codec: Builder,
) -> Run | None:
    """What is left to do when the fields are decoded: boxes, new names and undeclared keys; mostly nothing."""
    boxes = [(key, codec.decoder(sub).get) for key, _, sub, mode in touched if mode == "box"]
    names = {wire_key: key for wire_key, key, _, _ in touched if wire_key != key}
    nulls = [wire_key for wire_key, _, _, mode in touched if mode == "omit"]
    rest = _decode_others(others, codec) if others is not None else None
    unpack = _unpacker(extras, codec) if extras is not None else None
    if not (boxes or names or nulls or rest is not None):
        return unpack

    def finish(out: dict[str, Any]) -> dict[str, Any]:
        for key in nulls:
            out.setdefault(key, None)
        for key, box in boxes:
            if key in out:
                _unbox(out, key, box)
        if rest is not None:
            rest(out)
        if names:
            out = _renamed(out, names)
        return out if unpack is None else unpack(out)

    return finish


def _renamed(out: dict[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    again = {names.get(key, key): value for key, value in out.items()}
    if len(again) < len(out):
        key = next(key for wire_key, key in names.items() if wire_key in out and key in out)
        raise at(key, Misfit("WS612", f"the key {key!r} is given twice, once under its wire name"))
    return again


def _unbox(out: dict[str, Any], key: str, get: Get) -> None:
    value = out[key]
    if value is None:
        del out[key]
    elif kind_of(value) is dict and value.keys() == {"value"}:
        try:
            out[key] = under("value", get, value["value"])
        except Misfit as misfit:
            raise at(key, misfit) from None


def _unpacker(extras: tuple[Any, ...], codec: Builder) -> Run:
    """Put pairs among the fields."""
    key, step, declared = extras
    run = codec.decoder(step)[list]
    taken = frozenset(declared)

    def unpack(out: dict[str, Any]) -> dict[str, Any]:
        pairs: Any = out.get(key)
        if kind_of(pairs) is not list:
            return out
        del out[key]
        if not pairs:
            return out
        try:
            more = run(pairs)
        except Misfit as misfit:
            raise at(key, misfit) from None
        for name in more:
            if name in taken or name in out:
                raise at(key, Misfit("WS612", f"pair repeats the key {name!r}; send each key once"))
        out.update(more)
        return out

    return unpack


def _decode_others(others: tuple[Any, ...], codec: Builder) -> Callable[[dict[str, Any]], None]:
    declared = frozenset(others[0])
    choose, _ = chooser(others[1], others[2], codec, codec.decoder)
    work = codec.work

    def run_others(out: dict[str, Any]) -> None:
        work[0] += len(out)
        if work[0] > MOST:
            overrun(work)
        for key, value in out.items():
            if key not in declared:
                out[key] = under(key, choose(key), value)

    return run_others


def encode_object(step: tuple[Any, ...], codec: Builder) -> Table:
    """Build an object with null or a box for what may be absent, its keys renamed, undeclared ones moved or mapped."""
    _, touched, extras, others = step
    plan = [
        (wire_key, key, codec.encoder(sub).get, mode)
        for wire_key, key, sub, mode in touched
        if mode != "keep"
    ]
    kept = [
        (key, wire_key, codec.encoder(sub))
        for wire_key, key, sub, mode in touched
        if mode == "keep"
    ]
    parts = {wire_key: (key, table.get) for key, wire_key, table in kept if table is not IDENTITY}
    split = _splitter(touched, extras)
    pack = codec.encoder(extras[1])[dict] if extras is not None else None
    known = frozenset(others[0]) if others is not None else frozenset[str]()
    choose = chooser(others[1], others[2], codec, codec.encoder)[0] if others is not None else None

    def run_object(value: dict[str, Any]) -> dict[str, Any]:
        out, more = (value.copy(), None) if split is None else split(value)
        for wire_key in parts if len(parts) <= len(out) else tuple(out):
            if wire_key in out and wire_key in parts:
                key, get = parts[wire_key]
                out[wire_key] = under(key, get, out[wire_key])
        for wire_key, key, get, mode in plan:
            lost = mode in ("omit", "lose")
            if wire_key not in out:
                if not lost:
                    out[wire_key] = None
                continue
            if lost and out[wire_key] is None:
                del out[wire_key]
                continue
            inner = under(key, get, out[wire_key])
            if inner is None and mode == "null":
                raise at(
                    key,
                    Misfit("WS625", "null has no wire spelling here: it stands for an absent key"),
                )
            out[wire_key] = {"value": inner} if mode == "box" else inner
        if choose is not None:
            for key, inner in out.items():
                if key not in known:
                    out[key] = under(key, choose(key), inner)
        if extras is not None and pack is not None:
            out[extras[0]] = pack(more)
        return out

    return {dict: run_object}


_Split: TypeAlias = Callable[[dict[str, Any]], tuple[dict[str, Any], dict[str, Any]]]


def _splitter(touched: Iterable[tuple[Any, ...]], extras: tuple[Any, ...] | None) -> _Split | None:
    """Separate what is declared, under its wire keys, from what goes to the extras."""
    names: dict[str, str] = {key: wire_key for wire_key, key, _, _ in touched if key != wire_key}
    if not names and extras is None:
        return None
    taken = frozenset(names.values())
    declared = frozenset(extras[2]) if extras is not None else None

    def split(value: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        out: dict[str, Any] = {}
        more: dict[str, Any] = {}
        for key, inner in value.items():
            if declared is not None and key not in declared:
                more[key] = inner
            elif key in names:
                out[names[key]] = inner
            elif key in taken:
                raise at(key, Misfit("WS624", f"{key!r} is the wire name of another key"))
            else:
                out[key] = inner
        return out, more

    return split
