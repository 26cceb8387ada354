"""Runs steps both ways: builds closures from plain-data steps, once; it knows neither schemas nor dialects.

`decode` is tolerant: a part that is not in its wire form passes unchanged and is left to the gate. What it never does is
lose or guess: a duplicate pair, text that is not JSON, a hole in a tuple are errors. `encode` does not judge the value.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NoReturn, Protocol, TypeAlias

from wireshape.relate import OBJECT, type_bit
from wireshape.step import Step

Run: TypeAlias = Callable[[Any], Any]

_MISSING: Any = object()


class Misfit(Exception):
    """A value that a step cannot map; `path` is filled from the inside out."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.path: list[str | int] = []


class Predicates(Protocol):
    """Answers the questions of union arms, by index."""

    def wire(self, index: int, value: Any) -> bool:
        """Whether a wire value belongs to the arm."""
        ...

    def source(self, index: int, value: Any) -> bool:
        """Whether a conceptual value belongs to the arm."""
        ...

    def found(self, regex: str, key: str) -> bool:
        """Whether the ECMA-262 `regex` is found in `key`."""
        ...


def idle(step: Step, steps: Mapping[str, Step], *, decoding: bool) -> bool:
    """Whether a step, and all that it refers to, leaves every value as it is."""
    seen: set[str] = set()
    stack: list[Any] = [step]
    while stack:
        at = stack.pop()
        if at is None:
            continue
        op = at[0]
        if op == "ref":
            if at[1] not in seen:
                seen.add(at[1])
                stack.append(steps.get(at[1]))
        elif op == "list":
            stack.append(at[1])
        elif op == "tuple":
            stack.extend([*at[1], at[2]])
        elif op == "union" and not any([arm[2] for arm in at[1]]):
            stack.extend([arm[3] for arm in at[1]])
        elif op == "object" and at[2] is None:
            for wire_key, key, sub, mode in at[1]:
                if wire_key != key or mode in ("null", "box") or (mode == "fill" and not decoding):
                    return False
                stack.append(sub)
            if at[3] is not None:
                stack.extend([*[rule[1] for rule in at[3][1]], at[3][2]])
        else:
            return False
    return True


def doubtful(step: Step, steps: Mapping[str, Step]) -> bool:
    """Whether a conceptual part may look like JSON text, a box, a wrapper or a tagged arm, so that only the whole value tells."""
    seen: set[str] = set()
    stack: list[Any] = [step]
    while stack:
        at = stack.pop()
        if at is None:
            continue
        op = at[0]
        if op == "ref":
            if at[1] not in seen:
                seen.add(at[1])
                stack.append(steps.get(at[1]))
        elif op == "list":
            stack.append(at[1])
        elif op == "tuple":
            stack.extend([*at[1], at[2]])
        elif op == "numbered":
            stack.extend([*[s for s, _ in at[1]], at[3]])
        elif op == "pairs":
            stack.extend([*[s for _, s in at[1]], at[2]])
        elif op == "json":
            return True
        elif op == "wrap":
            if at[3]:
                return True
            stack.append(at[2])
        elif op == "union":
            if any([arm[2] is not None for arm in at[1]]):
                return True
            stack.extend([arm[3] for arm in at[1]])
        elif op == "object":
            if any([mode == "box" for _, _, _, mode in at[1]]):
                return True
            stack.extend([s for _, _, s, _ in at[1]])
            if at[2] is not None:
                stack.append(at[2][1])
            if at[3] is not None:
                stack.extend([*[s for _, s in at[3][1]], at[3][2]])
    return False


class Codec:
    """Closures for a step and the definitions that it refers to; built on first use, safe to share."""

    def __init__(self, step: Step, steps: Mapping[str, Step], predicates: Predicates) -> None:
        self._steps = steps
        self._ask = predicates
        self._decoders: dict[str, Run | None] = {}
        self._encoders: dict[str, Run | None] = {}
        self.decode = self.decoder(step)
        self.encode = self.encoder(step)

    def decoder(self, step: Step) -> Run | None:
        """The function from wire to conceptual, or `None` when it is the identity."""
        if step is None or idle(step, self._steps, decoding=True):
            return None
        op = step[0]
        if op == "ref":
            return self._reference(step[1], self._decoders, self.decoder)
        return _DECODERS[op](step, self)

    def encoder(self, step: Step) -> Run | None:
        """The function from conceptual to wire, or `None` when it is the identity."""
        if step is None or idle(step, self._steps, decoding=False):
            return None
        op = step[0]
        if op == "ref":
            return self._reference(step[1], self._encoders, self.encoder)
        return _ENCODERS[op](step, self)

    def _reference(self, name: str, built: dict[str, Run | None], build: Callable[[Step], Run | None]) -> Run:
        if name not in built:
            built[name] = None  # while it is being built, the name is looked up at call time
            built[name] = build(self._steps[name])

        def run(value: Any) -> Any:
            inner = built[name]
            return value if inner is None else inner(value)

        return built[name] or run

    @property
    def ask(self) -> Predicates:
        return self._ask


def _under(key: str | int, run: Run, value: Any) -> Any:
    try:
        return run(value)
    except Misfit as misfit:
        misfit.path.append(key)
        raise


# objects


def _decode_object(step: tuple[Any, ...], codec: Codec) -> Run:
    _, touched, extras, others = step
    drops: list[str] = []
    subs: list[tuple[str, Run, bool]] = []
    boxes: list[tuple[str, Run | None]] = []
    renames: list[tuple[str, str]] = []
    for wire_key, key, sub, mode in touched:
        run = codec.decoder(sub)
        if mode == "box":
            boxes.append((wire_key, run))
        elif run is not None:
            subs.append((wire_key, run, mode == "null"))
        elif mode == "null":
            drops.append(wire_key)
        if wire_key != key:
            renames.append((wire_key, key))
    names = dict(renames)
    rest = _decode_others(others, codec) if others is not None else None
    unpack = codec.decoder(extras[1]) if extras is not None else None

    def run_object(wire: Any) -> Any:
        if type(wire) is not dict:
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
        for key, box in boxes:
            if key in out:
                _unbox(out, key, box)
        if rest is not None:
            rest(out)
        if extras is not None and type(out.get(extras[0])) is list:
            _unpack(out, extras, unpack)
        if names:
            out = {names.get(key, key): value for key, value in out.items()}
        return out

    return run_object


def _unbox(out: dict[str, Any], key: str, run: Run | None) -> None:
    value = out[key]
    if value is None:
        del out[key]
    elif type(value) is dict and value.keys() == {"value"}:
        out[key] = value["value"] if run is None else _under(key, run, value["value"])


def _unpack(out: dict[str, Any], extras: tuple[Any, ...], unpack: Run | None) -> None:
    key, _, declared = extras
    assert unpack is not None, "pairs always decode"
    more = _under(key, unpack, out.pop(key))
    for name in more:
        if name in declared or name in out:
            misfit = Misfit("WS612", f"pair repeats the key {name!r}; send each key once")
            misfit.path.append(key)
            raise misfit
    out.update(more)


def _decode_others(others: tuple[Any, ...], codec: Codec) -> Callable[[dict[str, Any]], None]:
    declared = frozenset(others[0])
    choose = _chooser(others[1], others[2], codec, codec.decoder)

    def run_others(out: dict[str, Any]) -> None:
        for key, value in out.items():
            if key not in declared:
                run = choose(key)
                if run is not None:
                    out[key] = _under(key, run, value)

    return run_others


def _chooser(
    rules: Iterable[tuple[str, Step]], default: Step, codec: Codec, build: Callable[[Step], Run | None]
) -> Callable[[str], Run | None]:
    """Which function maps the value under an undeclared key: that of the first pattern found in it."""
    runs = [(regex, build(step)) for regex, step in rules]
    fallback = build(default)
    found = codec.ask.found

    def choose(key: str) -> Run | None:
        for regex, run in runs:
            if found(regex, key):
                return run
        return fallback

    return choose


def _encode_object(step: tuple[Any, ...], codec: Codec) -> Run:
    _, touched, extras, others = step
    plan = [(wire_key, key, codec.encoder(sub), mode) for wire_key, key, sub, mode in touched]
    names = {key: wire_key for wire_key, key, _, _ in plan if key != wire_key}
    declared = frozenset([names.get(k, k) for k in extras[2]]) | frozenset(names.values()) if extras is not None else frozenset[str]()
    pack = codec.encoder(extras[1]) if extras is not None else None
    known = frozenset(others[0]) if others is not None else frozenset[str]()
    choose = _chooser(others[1], others[2], codec, codec.encoder) if others is not None else None

    def run_object(value: Any) -> Any:
        if type(value) is not dict:
            return value
        out: dict[str, Any] = {names.get(k, k): v for k, v in value.items()} if names else value.copy()
        for wire_key, key, run, mode in plan:
            if wire_key not in out:
                if mode != "keep":
                    out[wire_key] = None
                continue
            inner = out[wire_key]
            if run is not None:
                inner = _under(key, run, inner)
            out[wire_key] = {"value": inner} if mode == "box" else inner
        if choose is not None:
            for key in out:
                if key not in known and (run := choose(key)) is not None:
                    out[key] = _under(key, run, out[key])
        if extras is not None:
            more = {key: out[key] for key in out if key not in declared}
            for key in more:
                del out[key]
            assert pack is not None, "pairs always encode"
            out[extras[0]] = pack(more)
        return out

    return run_object


# arrays


def _each(run: Run) -> Run:
    def run_list(value: Any) -> Any:
        if type(value) is not list:
            return value
        try:
            return [run(item) for item in value]
        except Misfit:
            return [_under(i, run, item) for i, item in enumerate(value)]

    return run_list


def _list(build: Callable[[Codec], Callable[[Step], Run | None]]) -> Callable[[tuple[Any, ...], Codec], Run]:
    def make(step: tuple[Any, ...], codec: Codec) -> Run:
        run = build(codec)(step[1])
        assert run is not None, "idle lists are pruned"
        return _each(run)

    return make


def _tuple(build: Callable[[Codec], Callable[[Step], Run | None]]) -> Callable[[tuple[Any, ...], Codec], Run]:
    def make(step: tuple[Any, ...], codec: Codec) -> Run:
        runs = [build(codec)(s) for s in step[1]]
        rest = build(codec)(step[2])

        def run_tuple(value: Any) -> Any:
            if type(value) is not list:
                return value
            out: list[Any] = []
            for i, item in enumerate(value):
                run = runs[i] if i < len(runs) else rest
                out.append(item if run is None else _under(i, run, item))
            return out

        return run_tuple

    return make


def _decode_numbered(step: tuple[Any, ...], codec: Codec) -> Run:
    _, positions, has_rest, rest_step, fill = step
    runs = [codec.decoder(s) for s, _ in positions]
    rest = codec.decoder(rest_step)
    keys = [str(i) for i in range(len(runs))]
    known = {*keys, "rest"} if has_rest else set(keys)

    def run_numbered(wire: Any) -> Any:
        if type(wire) is not dict or not wire.keys() <= known:
            return wire
        out: list[Any] = []
        hole = -1
        for i, key in enumerate(keys):
            item = wire.get(key, _MISSING)
            if item is _MISSING or (item is None and fill and positions[i][1]):
                hole = i if hole < 0 else hole
                continue
            if hole >= 0:
                _hole(hole)
            run = runs[i]
            out.append(item if run is None else _under(key, run, item))
        tail = wire.get("rest") if has_rest else None
        if tail:
            if hole >= 0:
                _hole(hole)
            out.extend(tail if rest is None else _under("rest", rest, tail))
        return out

    return run_numbered


def _hole(position: int) -> NoReturn:
    misfit = Misfit("WS613", f"position {position} is absent but a later one is given; fill the positions in order")
    misfit.path.append(str(position))
    raise misfit


def _encode_numbered(step: tuple[Any, ...], codec: Codec) -> Run:
    _, positions, has_rest, rest_step, fill = step
    runs = [codec.encoder(s) for s, _ in positions]
    rest = codec.encoder(rest_step)

    def run_numbered(value: Any) -> Any:
        if type(value) is not list:
            return value
        if len(value) > len(runs) and not has_rest:
            raise Misfit("WS621", f"array of {len(value)} items where at most {len(runs)} are allowed")
        out: dict[str, Any] = {}
        for i, run in enumerate(runs):
            if i < len(value):
                out[str(i)] = value[i] if run is None else _under(i, run, value[i])
            elif fill:
                out[str(i)] = None
        if has_rest:
            tail = value[len(runs) :]
            out["rest"] = tail if rest is None else rest(tail)
        return out

    return run_numbered


# pairs, tables, text


def _decode_pairs(step: tuple[Any, ...], codec: Codec) -> Run:
    _, rules, default, entries = step
    choose = _chooser(rules, default, codec, codec.decoder)

    def run_pairs(wire: Any) -> Any:
        if type(wire) is dict:
            if entries:
                if wire.keys() != {"entries"} or type(wire["entries"]) is not list:
                    return wire
                wire = wire["entries"]
            else:
                return {k: v if (run := choose(k)) is None else _under(k, run, v) for k, v in wire.items()}
        elif type(wire) is not list or entries:
            return wire
        out: dict[str, Any] = {}
        for i, pair in enumerate(wire):
            if type(pair) is not dict or pair.keys() != {"key", "value"} or type(pair["key"]) is not str:
                raise _at(i, Misfit("WS611", "not a pair; send an object with `key` (a string) and `value`"))
            key = pair["key"]
            if key in out:
                raise _at(i, Misfit("WS612", f"pair repeats the key {key!r}; send each key once"))
            run = choose(key)
            out[key] = pair["value"] if run is None else _under(i, run, pair["value"])
        return out

    return run_pairs


def _at(key: str | int, misfit: Misfit) -> Misfit:
    misfit.path.append(key)
    return misfit


def _encode_pairs(step: tuple[Any, ...], codec: Codec) -> Run:
    _, rules, default, entries = step
    choose = _chooser(rules, default, codec, codec.encoder)

    def run_pairs(value: Any) -> Any:
        if type(value) is not dict:
            return value
        out: list[Any] = []
        for key, item in value.items():
            run = choose(key)
            out.append({"key": key, "value": item if run is None else _under(key, run, item)})
        return {"entries": out} if entries else out

    return run_pairs


def _decode_enum(step: tuple[Any, ...], codec: Codec) -> Run:
    table: dict[str, Any] = dict(step[1])

    def run_enum(wire: Any) -> Any:
        if type(wire) is str and wire in table:
            value = table[wire]
            return json.loads(json.dumps(value)) if isinstance(value, (dict, list)) else value
        return wire

    return run_enum


def canonical(value: Any) -> str:
    """One text per JSON value: 1 and 1.0 are one, key order does not count."""
    return json.dumps(_integral(value), sort_keys=True, ensure_ascii=True)


def _integral(value: Any) -> Any:
    if type(value) is float and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {k: _integral(v) for k, v in value.items()}
    if isinstance(value, list):
        return [_integral(v) for v in value]
    return value


def _encode_enum(step: tuple[Any, ...], codec: Codec) -> Run:
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


def _decode_json(step: tuple[Any, ...], codec: Codec) -> Run:
    strings = step[1]

    def run_json(wire: Any) -> Any:
        if type(wire) is not str:
            return wire
        try:
            return _parse(wire)
        except ValueError as error:
            if strings:
                return wire
            raise Misfit("WS614", f"not JSON text ({error}); send one JSON value as a string") from error

    return run_json


def _encode_json(step: tuple[Any, ...], codec: Codec) -> Run:
    def run_json(value: Any) -> Any:
        try:
            return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        except (TypeError, ValueError) as error:
            raise Misfit("WS620", f"not a JSON value ({error})") from error

    return run_json


def _decode_wrap(step: tuple[Any, ...], codec: Codec) -> Run:
    _, key, sub, _ = step
    run = codec.decoder(sub)
    only = {key}

    def run_wrap(wire: Any) -> Any:
        if type(wire) is dict and wire.keys() == only:
            return wire[key] if run is None else _under(key, run, wire[key])
        return wire

    return run_wrap


def _encode_wrap(step: tuple[Any, ...], codec: Codec) -> Run:
    _, key, sub, _ = step
    run = codec.encoder(sub)

    def run_wrap(value: Any) -> Any:
        return {key: value if run is None else run(value)}

    return run_wrap


# unions


def _buckets(arms: tuple[Any, ...], side: int) -> dict[int, list[int]]:
    """For each JSON type, the arms that admit it on one side (0 wire, 1 source)."""
    return {1 << bit: [i for i, arm in enumerate(arms) if arm[side] >> bit & 1] for bit in range(7)}


def _decode_union(step: tuple[Any, ...], codec: Codec) -> Run:
    _, arms, wire_keys, _ = step
    runs = [codec.decoder(arm[3]) for arm in arms]
    tags = {arm[2]: i for i, arm in enumerate(arms) if arm[2] is not None}
    buckets: dict[int, list[int]] = {}
    for bit, members in _buckets(arms, 0).items():
        live = [i for i in members if arms[i][2] is None] if bit == OBJECT else members
        same = live and all([arms[i][3] == arms[live[0]][3] for i in live])
        buckets[bit] = live[:1] if same else live
    table = dict(wire_keys[1]) if wire_keys is not None else {}
    ask = codec.ask

    def run_union(wire: Any) -> Any:
        bit = type_bit(wire)
        if bit == OBJECT and type(wire) is dict:
            if tags and wire.keys() == {"arm", "value"} and type(wire["arm"]) is str and wire["arm"] in tags:
                run = runs[tags[wire["arm"]]]
                return wire["value"] if run is None else _under("value", run, wire["value"])
            if table and type(constant := wire.get(wire_keys[0])) is str and constant in table:
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
        if not live or any([arm[1] & bit and (arm[4] < 0 or ask.source(arm[4], wire)) for arm in arms]):
            return wire
        raise Misfit("WS615", "no arm of the union fits this value; send one of the alternatives")

    return run_union


def _encode_union(step: tuple[Any, ...], codec: Codec) -> Run:
    _, arms, _, source_keys = step
    runs = [codec.encoder(arm[3]) for arm in arms]
    buckets = _buckets(arms, 1)
    table = dict(source_keys[1]) if source_keys is not None else {}
    ask = codec.ask

    def through(i: int, value: Any) -> Any:
        run = runs[i]
        out = value if run is None else run(value)
        tag = arms[i][2]
        return out if tag is None else {"arm": tag, "value": out}

    def run_union(value: Any) -> Any:
        bit = type_bit(value)
        live = buckets[bit]
        if bit == OBJECT and table and type(constant := value.get(source_keys[0])) is str and constant in table:
            live = [table[constant]]
        if len(live) == 1:
            return through(live[0], value)
        failed: Misfit | None = None
        spare: list[int] = []
        for i in live:
            if not ask.source(arms[i][4], value):
                spare.append(i)
                continue
            try:
                out = through(i, value)
            except Misfit as misfit:
                failed = failed or misfit
                continue
            if ask.wire(arms[i][4], out):
                return out
            failed = failed or Misfit("WS622", "no arm of the union can spell this value on the wire")
        if failed is None:
            for i in spare:
                try:
                    out = through(i, value)
                except Misfit:
                    continue
                if ask.wire(arms[i][4], out):
                    return out
        raise failed or Misfit("WS622", "no arm of the union takes this value")

    return run_union


_Make: TypeAlias = Callable[[tuple[Any, ...], Codec], Run]


def _by_decoder(codec: Codec) -> Callable[[Step], Run | None]:
    return codec.decoder


def _by_encoder(codec: Codec) -> Callable[[Step], Run | None]:
    return codec.encoder


_DECODERS: dict[str, _Make] = {
    "object": _decode_object,
    "list": _list(_by_decoder),
    "tuple": _tuple(_by_decoder),
    "numbered": _decode_numbered,
    "pairs": _decode_pairs,
    "enum": _decode_enum,
    "json": _decode_json,
    "wrap": _decode_wrap,
    "union": _decode_union,
}
_ENCODERS: dict[str, _Make] = {
    "object": _encode_object,
    "list": _list(_by_encoder),
    "tuple": _tuple(_by_encoder),
    "numbered": _encode_numbered,
    "pairs": _encode_pairs,
    "enum": _encode_enum,
    "json": _encode_json,
    "wrap": _encode_wrap,
    "union": _encode_union,
}
