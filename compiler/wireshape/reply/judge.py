"""What a reading of a reply is worth: decoded, gated, coerced where that loses nothing, and asked for its rivals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from wireshape import ir
from wireshape.errors import DecodeError, ValidationError
from wireshape.ir import kind_of
from wireshape.machine import Machine, as_instance, decode_parsed
from wireshape.reply.calls import Found
from wireshape.reply.coerce import Coercion
from wireshape.reply.extract import Reading
from wireshape.reply.faults import faults
from wireshape.reply.outcome import Edit

_TEXTUAL: frozenset[object] = frozenset({str, dict, list})


@dataclass(slots=True)
class Verdict:
    """A wire value and what became of it: `value` is decoded, `result` what the caller gets; `error` tells why the gate did not let it out."""

    wire: Any
    value: Any = None
    result: Any = None
    error: DecodeError | ValidationError | None = None
    edits: tuple[Edit, ...] = ()


def let_out(machine: Machine, value: Any) -> Any:
    """Return the decoded value of a parser, plain JSON of bounded depth, if the gate takes it; raise otherwise."""
    if machine.doubtful or not machine.gate.accepts(
        value
    ):  # JSON text inside may be what no parser makes
        machine.gate.check(value)
    return as_instance(machine.parts.source.type, value)


class Judge:
    """Judges the readings of one reply by one compilation."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self._coercions: list[Coercion] | None = None

    def plain(self, wire: Any) -> Verdict:
        """Decode and gate, nothing else."""
        verdict = Verdict(wire)
        try:
            verdict.value = decode_parsed(self.machine, wire)
            verdict.result = let_out(self.machine, verdict.value)
        except (DecodeError, ValidationError) as error:
            verdict.error = error
        return verdict

    def coerced(self, wire: Any, *, filling: bool) -> Verdict:
        """Coerce by the wire schema and by the source, and judge the first result that passes.

        When none does, the first that was changed is judged; its `edits` tell what was.
        """
        first: Verdict | None = None
        for coercion, decoded in zip(self._both(), (False, True), strict=False):
            value = wire
            if decoded:
                try:
                    value = decode_parsed(self.machine, wire)
                except DecodeError:
                    continue
            proposal = coercion.propose(value, filling=filling)
            edits = tuple(coercion.edits)
            if not edits:
                continue
            verdict = self.plain(proposal)
            verdict.edits = edits
            if verdict.error is None:
                return verdict
            first = first or verdict
        return first or self.plain(wire)

    def typed(self, call: Found) -> tuple[Any, str | None]:
        """Give types to parameters that came as text; return the key of one that has parts and might be text, too."""
        coercion, texts = self._both()[0], call.texts or {}
        value = coercion.typed(texts, call.told)
        for key in coercion.doubts:
            if call.told.get(key) == "parts":
                return value, key
            as_text = {**value, key: texts[key]}
            if self.plain(value).error is not None and self.plain(as_text).error is None:
                value = as_text
        return value, None

    def _both(self) -> list[Coercion]:
        if self._coercions is None:
            machine = self.machine
            wire, source = machine.wire_graph, machine.source.graph
            names = frozenset(
                [n for n in (machine.parts.name, machine.parts.dialect.root.wrap_key) if n]
            )
            graphs = [wire] if wire is source else [wire, source]
            self._coercions = [Coercion(g.root, g.defs, names) for g in graphs]
        return self._coercions

    def takes(self, types: int) -> bool:
        """Tell whether the source admits one of some JSON types at the root."""
        return bool(self._both()[-1].root_types & types)

    def bare(self, text: str) -> str | None:
        """Return the text when the root is an enum that lists it."""
        return text if text in self._both()[-1].root_texts else None

    def node_at(self, pointer: str) -> ir.Node:
        """Return the node of the source that speaks about a place of a value; `Any` where it cannot be told."""
        return self._both()[-1].node_at(pointer)

    def faults(self, value: Any, limit: int) -> list[tuple[str, str]]:
        """Return what is plainly wrong with a decoded value, by pointer, when all is coerced that can be."""
        coercion = self._both()[-1]
        return faults(coercion, coercion.propose(value), limit)

    def has_rival(self, reading: Reading) -> bool:
        r"""Tell whether a risky reading may be another value: one in which a string goes on over its neighbours.

        `{"a": "x" "b": "y"}` is `{"a": "x", "b": "y"}` without a comma, unless `{"a": "x\" \"b\": \"y"}` is valid too.
        """
        for path in reading.risky:
            for rival in _rivals(reading.value, path):
                if rival is None or self.plain(rival).error is None:
                    return True
        return False


def _rivals(root: Any, path: tuple[str | int, ...]) -> Iterator[Any]:
    """The value without the member that a string would swallow, for each object on the way; `None` for a list of several."""
    at = root
    for depth, key in enumerate(path):
        if kind_of(at) is list:
            if len(at) > 1:
                yield None
        else:
            keys = list(at)
            place = keys.index(cast("str", key))
            if _has_text([at[k] for k in keys[:place]]):
                yield _without(root, path[:depth], key)
            if _has_text([at[k] for k in keys[place + 1 :]]):
                yield _without(root, path[:depth], keys[place + 1])
        at = at[key]


def _has_text(values: list[Any]) -> bool:
    """Whether one of the values is, or may hold, a string."""
    return any([kind_of(v) in _TEXTUAL for v in values])


def _without(root: Any, path: tuple[str | int, ...], key: str | int) -> Any:
    """A copy of `root` in which the object at `path` lacks a key."""
    if not path:
        return {k: v for k, v in root.items() if k != key}
    head, rest = path[0], path[1:]
    inner = _without(root[head], rest, key)
    if kind_of(root) is dict:
        return {**root, cast("str", head): inner}
    return [inner if i == head else item for i, item in enumerate(root)]
