"""Object steps: fields that are null when absent, boxed or renamed, and undeclared keys in place or as pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from wireshape.codec.misfit import Builder, Misfit, Run, at, chooser, under
from wireshape.ir import kind_of


def decode_object(step: tuple[Any, ...], codec: Builder) -> Run:
    """Build an object without the nulls that stand for absent fields, its parts decoded, its keys renamed."""
    _, touched, extras, others = step
    drops, subs = _plan(touched, codec)
    finish = _finisher(touched, extras, others, codec)

    def run_object(wire: Any) -> Any:
        if kind_of(wire) is not dict:
            return wire
        out: dict[str, Any] = wire.copy()
        for key in drops:
            if key in out and out[key] is None:
                del out[key]
        for key, sub, drop in subs:
            if key in out:
                value = out[key]
                if drop and value is None:
                    del out[key]
                    continue
                try:
                    out[key] = sub(value)
                except Misfit as misfit:
                    misfit.path.append(key)
                    raise
        return out if finish is None else finish(out)

    return run_object


def _plan(
    touched: Iterable[tuple[Any, ...]], codec: Builder
) -> tuple[list[str], list[tuple[str, Run, bool]]]:
    """The keys whose null is dropped, and what maps the other ones, with whether their null is dropped first."""
    drops: list[str] = []
    subs: list[tuple[str, Run, bool]] = []
    for wire_key, _, sub, mode in touched:
        run = None if mode == "box" else codec.decoder(sub)
        if run is not None:
            subs.append((wire_key, run, mode == "null"))
        elif mode == "null":
            drops.append(wire_key)
    return drops, subs


def _finisher(
    touched: Iterable[tuple[Any, ...]],
    extras: tuple[Any, ...] | None,
    others: tuple[Any, ...] | None,
    codec: Builder,
) -> Callable[[dict[str, Any]], dict[str, Any]] | None:
    """What is left to do when the fields are decoded: boxes, new names and undeclared keys; mostly nothing."""
    boxes = [(wire_key, codec.decoder(sub)) for wire_key, _, sub, mode in touched if mode == "box"]
    names = {wire_key: key for wire_key, key, _, _ in touched if wire_key != key}
    rest = _decode_others(others, codec) if others is not None else None
    unpack = codec.decoder(extras[1]) if extras is not None else None
    if not (boxes or names or rest is not None or extras is not None):
        return None

    def finish(out: dict[str, Any]) -> dict[str, Any]:
        for key, box in boxes:
            if key in out:
                _unbox(out, key, box)
        if rest is not None:
            rest(out)
        if names:
            out = _renamed(out, names)
        if extras is not None and kind_of(out.get(extras[0])) is list:
            _unpack(out, extras, unpack)
        return out

    return finish


def _renamed(out: dict[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    again = {names.get(key, key): value for key, value in out.items()}
    if len(again) < len(out):
        key = next(key for wire_key, key in names.items() if wire_key in out and key in out)
        raise at(key, Misfit("WS612", f"the key {key!r} is given twice, once under its wire name"))
    return again


def _unbox(out: dict[str, Any], key: str, run: Run | None) -> None:
    value = out[key]
    if value is None:
        del out[key]
    elif kind_of(value) is dict and value.keys() == {"value"}:
        inner = value["value"]
        if run is not None:
            try:
                inner = under("value", run, inner)
            except Misfit as misfit:
                raise at(key, misfit) from None
        out[key] = inner


def _unpack(out: dict[str, Any], extras: tuple[Any, ...], unpack: Run | None) -> None:
    key, _, declared = extras
    assert unpack is not None, "pairs always decode"
    more = under(key, unpack, out.pop(key))
    for name in more:
        if name in declared or name in out:
            raise at(key, Misfit("WS612", f"pair repeats the key {name!r}; send each key once"))
    out.update(more)


def _decode_others(others: tuple[Any, ...], codec: Builder) -> Callable[[dict[str, Any]], None]:
    declared = frozenset(others[0])
    choose = chooser(others[1], others[2], codec, codec.decoder)

    def run_others(out: dict[str, Any]) -> None:
        for key, value in out.items():
            if key not in declared:
                run = choose(key)
                if run is not None:
                    out[key] = under(key, run, value)

    return run_others


def encode_object(step: tuple[Any, ...], codec: Builder) -> Run:
    """Build an object with null or a box for what may be absent, its keys renamed, undeclared ones moved or mapped."""
    _, touched, extras, others = step
    plan = [(wire_key, key, codec.encoder(sub), mode) for wire_key, key, sub, mode in touched]
    split = _splitter(touched, extras)
    pack = codec.encoder(extras[1]) if extras is not None else None
    known = frozenset(others[0]) if others is not None else frozenset[str]()
    choose = chooser(others[1], others[2], codec, codec.encoder) if others is not None else None

    def run_object(value: Any) -> Any:
        if kind_of(value) is not dict:
            return value
        out, more = (value.copy(), None) if split is None else split(value)
        for wire_key, key, run, mode in plan:
            if wire_key not in out:
                if mode != "keep":
                    out[wire_key] = None
                continue
            inner = out[wire_key]
            if run is not None:
                inner = under(key, run, inner)
            if inner is None and mode == "null":
                raise at(
                    key,
                    Misfit("WS625", "null has no wire spelling here: it stands for an absent key"),
                )
            out[wire_key] = {"value": inner} if mode == "box" else inner
        if choose is not None:
            for key, inner in out.items():
                if key not in known and (run := choose(key)) is not None:
                    out[key] = under(key, run, inner)
        if extras is not None:
            assert pack is not None, "pairs always encode"
            out[extras[0]] = pack(more)
        return out

    return run_object


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
