"""The codec, which is built for speed, decodes as the steps are worded, whatever arrives."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import wireshape as ws
from wireshape import plain_text
from wireshape.codec import Codec, Misfit, Predicates, busy, idle
from wireshape.relate import OBJECT, type_bit
from wireshape.step import Step
from wireshape.testing import mutations, schemas, wire_values

ROWS = ("openai-strict", "anthropic-strict", "gemini-json-schema", "gemini-openapi", "xai-strict")


class RefusedError(Exception):
    """The value does not decode."""


class PlainDecoder:
    """Decodes as `step.py` words it: one function per operation, nothing prepared."""

    def __init__(self, steps: Mapping[str, Step], ask: Predicates) -> None:
        self.steps = steps
        self.ask = ask
        self.busy = busy(steps, decoding=True)

    def decode(self, step: Step, wire: Any) -> Any:
        """Map a value, or raise RefusedError."""
        step = self.resolved(step)
        if step is None or not self.maps(step, wire):
            return wire
        run = {
            "object": self._object,
            "list": self._list,
            "tuple": self._tuple,
            "numbered": self._numbered,
            "entries": self._entries,
            "pairs": self._pairs,
            "enum": self._enum,
            "json": self._json,
            "wrap": self._wrap,
            "union": self._union,
        }[step[0]]
        return run(step, wire)

    def resolved(self, step: Step) -> Step:
        seen: set[str] = set()
        while step is not None and step[0] == "ref" and step[1] not in seen:
            seen.add(step[1])
            step = self.steps[step[1]]
        return None if step is not None and step[0] == "ref" else step

    def maps(self, step: Step, wire: Any) -> bool:
        """Whether a step does anything to values of this JSON type."""
        step = self.resolved(step)
        if step is None or idle(step, self.busy, decoding=True):
            return False
        op = step[0]
        if op == "union":
            return isinstance(wire, dict | list | str)
        if op == "pairs":
            return isinstance(wire, dict) or (isinstance(wire, list) and not step[3])
        if op in ("list", "tuple"):
            return isinstance(wire, list)
        return isinstance(wire, str if op in ("enum", "json") else dict)

    def _object(self, step: Any, wire: dict[str, Any]) -> dict[str, Any]:
        _, fields, extras, others = step
        by_key = {wire_key: (key, sub, mode) for wire_key, key, sub, mode in fields}
        out: dict[str, Any] = {}
        for wire_key, given_value in wire.items():
            key, sub, mode = by_key.get(wire_key, (wire_key, None, "keep"))
            if given_value is None and mode in ("null", "box"):
                continue
            if extras is not None and wire_key == extras[0] and isinstance(given_value, list):
                continue
            value = given_value
            if mode == "box":
                if isinstance(value, dict) and value.keys() == {"value"}:
                    value = self.decode(sub, given_value["value"])
            elif wire_key in by_key:
                value = self.decode(sub, given_value)
            elif others is not None and wire_key not in others[0]:
                value = self.decode(self.ruled(others[1], others[2], wire_key), given_value)
            if key in out:
                raise RefusedError
            out[key] = value
        for _, key, _, mode in fields:
            if mode == "omit":
                out.setdefault(key, None)
        if extras is not None and isinstance(wire.get(extras[0]), list):
            for key, value in self._pairs(extras[1], wire[extras[0]]).items():
                if key in out or key in extras[2]:
                    raise RefusedError
                out[key] = value
        return out

    def ruled(self, rules: Any, default: Step, key: str) -> Step:
        return next((sub for regex, sub in rules if self.ask.found(regex, key)), default)

    def _list(self, step: Any, wire: list[Any]) -> list[Any]:
        return [self.decode(step[1], item) for item in wire]

    def _tuple(self, step: Any, wire: list[Any]) -> list[Any]:
        steps = [*step[1], *[step[2]] * len(wire)]
        return [self.decode(sub, item) for sub, item in zip(steps, wire, strict=False)]

    def _numbered(self, step: Any, wire: dict[str, Any]) -> Any:
        _, positions, rest, rest_step, fill = step
        keys = [str(i) for i in range(len(positions))]
        tail = wire.get("rest") if rest else None
        if set(wire) - {*keys, *(["rest"] if rest else [])} or not isinstance(
            tail, list | type(None)
        ):
            return wire
        given = [
            k in wire and not (wire[k] is None and fill and optional)
            for k, (_, optional) in zip(keys, positions, strict=True)
        ]
        size = given.index(False) if False in given else len(given)
        if any(given[size:]) or (tail and size < len(given)):
            raise RefusedError
        out = [self.decode(positions[i][0], wire[keys[i]]) for i in range(size)]
        return out + (self.decode(rest_step, tail) if tail else [])

    def _entries(self, step: Any, wire: dict[str, Any]) -> dict[str, Any]:
        _, key, fields, inner = step
        steps = dict(fields)
        entries = wire.get(key)
        own = {k: v for k, v in wire.items() if k != key or not isinstance(entries, list)}
        own = {k: self.decode(steps[k], v) if k in steps else v for k, v in own.items()}
        out = self.decode(inner, own)
        for entry in entries if isinstance(entries, list) else []:
            if not isinstance(entry, dict) or entry.keys() != {"field", "value"}:
                raise RefusedError
            field = entry["field"]
            if not isinstance(field, str) or field not in steps or field in out:
                raise RefusedError
            out[field] = self.decode(steps[field], entry["value"])
        return out

    def _pairs(self, step: Any, wire: Any) -> Any:
        _, rules, default, entries = step
        if isinstance(wire, dict):
            if not entries:
                return {k: self.decode(self.ruled(rules, default, k), v) for k, v in wire.items()}
            if wire.keys() != {"entries"} or not isinstance(wire["entries"], list):
                return wire
            wire = wire["entries"]
        out: dict[str, Any] = {}
        for pair in wire:
            if not isinstance(pair, dict) or pair.keys() != {"key", "value"}:
                raise RefusedError
            key = pair["key"]
            if not isinstance(key, str) or key in out:
                raise RefusedError
            out[key] = self.decode(self.ruled(rules, default, key), pair["value"])
        return out

    def _enum(self, step: Any, wire: str) -> Any:
        return dict(step[1]).get(wire, wire)

    def _json(self, step: Any, wire: str) -> Any:
        try:
            return plain_text.load(wire)
        except ValueError as error:
            if step[1]:
                return wire
            raise RefusedError from error

    def _wrap(self, step: Any, wire: dict[str, Any]) -> Any:
        return self.decode(step[2], wire[step[1]]) if wire.keys() == {step[1]} else wire

    def _union(self, step: Any, wire: Any) -> Any:
        _, arms, wire_keys, _ = step
        if isinstance(wire, dict) and wire.keys() == {"arm", "value"}:
            for _, _, tag, sub, _ in arms:
                if tag is not None and tag == wire["arm"]:
                    return self.decode(sub, wire["value"])
        if isinstance(wire, dict) and wire_keys is not None:
            constant = wire.get(wire_keys[0])
            if isinstance(constant, str) and constant in dict(wire_keys[1]):
                return self.decode(arms[dict(wire_keys[1])[constant]][3], wire)
        bit = type_bit(wire)
        live = [arm for arm in arms if arm[0] & bit and not (bit == OBJECT and arm[2] is not None)]
        if not any([self.maps(arm[3], wire) for arm in live]):
            return wire
        if all([arm[3] == live[0][3] for arm in live]):
            return self.decode(live[0][3], wire)
        for arm in live:
            if self.ask.wire(arm[4], wire):
                return self.decode(arm[3], wire)
        if any([arm[4] < 0 or self.ask.source(arm[4], wire) for arm in arms if arm[1] & bit]):
            return wire
        raise RefusedError


def told(value: Any) -> str:
    """A value as text in which kinds of numbers count, and the order of keys does not."""
    return json.dumps(value, sort_keys=True)


def quick(codec: Codec, wire: Any) -> str:
    try:
        return told(wire if codec.decode is None else codec.decode(wire))
    except Misfit:
        return "refused"


def plain(decoder: PlainDecoder, step: Any, wire: Any) -> str:
    try:
        return told(decoder.decode(step, wire))
    except RefusedError:
        return "refused"


@pytest.mark.parametrize("dialect", ROWS)
@given(data=st.data())
def test_the_codec_decodes_as_the_steps_are_worded(dialect: str, data: st.DataObject) -> None:
    options = data.draw(st.sampled_from([ws.Options(), ws.Options(open_objects="keep", absent="box")]))  # fmt: skip
    try:
        compiled = ws.compile(data.draw(schemas(max_leaves=7)), dialect, options=options)
    except ws.WireshapeError:
        assume(False)
        return
    parts = compiled._machine.parts
    assume(parts.step is not None)
    ask = compiled._machine.predicates
    decoder = PlainDecoder(parts.steps, ask)
    codecs = [Codec(parts.step, parts.steps, ask, tireless=t) for t in (False, True)]
    wire = data.draw(wire_values(compiled))
    for _ in range(3):
        before = told(wire)
        for codec in codecs:
            assert quick(codec, wire) == plain(decoder, parts.step, wire)
        assert told(wire) == before
        wire = data.draw(mutations(wire))
