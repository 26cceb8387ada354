"""What a step means for a value that is still growing: how its parts decode and where they go, worked out at first sight."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from wireshape.codec.misfit import Misfit, Run, Table
from wireshape.machine import Machine
from wireshape.relate import ARRAY, OBJECT
from wireshape.step import Step

_HOPS = 64
_SCALARS = frozenset({"enum", "json", "union"})
"""Steps that change a scalar."""

Inner: TypeAlias = Callable[[str], "tuple[bool, Step]"]
"""Tells whether a key may come, and the step of the value under it."""


@dataclass(frozen=True, slots=True)
class Gathering:
    """How the items of an array become members of an object: what they are called in it, and which keys they may not name."""

    words: tuple[str, str]
    inner: Inner
    taken: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Member:
    """Where a member of an object goes: the key there, its step, whether null drops it; `gathering` when its items do."""

    key: str
    step: Step = None
    drops: bool = False
    gathering: Gathering | None = None


@dataclass(slots=True)
class Plan:
    """An object step by wire key. `filled` are the keys that are null when they do not come."""

    members: dict[str, Member] = field(default_factory=dict[str, Member])
    other: Callable[[str], Step] | None = None
    filled: tuple[str, ...] = ()


class Ways:
    """The steps of one compilation, for values that grow."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._steps = machine.parts.steps
        self._known: dict[int, tuple[Step, Plan]] = {}
        self._tables: dict[int, tuple[Step, Table]] = {}

    def resolved(self, step: Step) -> Step:
        """Follow references."""
        for _ in range(_HOPS):
            if step is None or step[0] != "ref":
                return step
            step = self._steps[step[1]]
        return None

    def run(self, step: tuple[Any, ...], kind: object) -> Run | None:
        """Return what decodes a finished value of one JSON type; `None` when nothing does.

        What was read from a text shares no parts, so nothing is counted: see Note [Work] in `codec/misfit.py`.
        """
        known = self._tables.get(id(step))
        if known is None:
            codec = self._machine.codec
            assert codec is not None, "there is a step"
            known = self._tables[id(step)] = (step, codec.tireless.decoder(step))
        return known[1].get(kind)

    def scalar(self, step: Step, kind: object) -> Run | None:
        """Return what decodes a finished scalar."""
        step = self.resolved(step)
        if step is None or step[0] not in _SCALARS:
            return None
        run = self.run(step, kind)
        return _certain(run) if run is not None and kind is str and step[0] == "json" else run

    def sole(self, step: tuple[Any, ...], kind: object) -> tuple[bool, Step]:
        """Tell whether one step decodes every value of a JSON type in a union, and which."""
        bit = OBJECT if kind is dict else ARRAY
        arms = [arm for arm in step[1] if arm[0] & bit and (kind is not dict or arm[2] is None)]
        if not arms:
            return True, None
        first = arms[0][3]
        return all([arm[3] == first for arm in arms]), first

    def plan(self, step: tuple[Any, ...]) -> Plan:
        """Return the plan of an object step, or of one whose optional fields are entries."""
        known = self._known.get(id(step))
        if known is None:
            made = self._entries(step) if step[0] == "entries" else self._object(step)
            known = self._known[id(step)] = (step, made)
        return known[1]

    def _object(self, step: tuple[Any, ...]) -> Plan:
        _, touched, extras, others = step
        plan = Plan()
        for wire_key, key, sub, mode in touched:
            inner = ("wrap", "value", sub, True) if mode == "box" else sub
            plan.members[wire_key] = Member(key, inner, mode in ("null", "box"))
        plan.filled = tuple([key for _, key, _, mode in touched if mode == "omit"])
        if extras is not None:
            wire_key, pairs, declared = extras
            gathering = self.pairs(pairs, frozenset(declared))
            plan.members[wire_key] = Member(wire_key, gathering=gathering)
        if others is not None:
            declared, rules, default = others
            by_rule = self._by_rule(rules, default)
            plan.other = lambda key: None if key in declared else by_rule(key)
        return plan

    def _entries(self, step: tuple[Any, ...]) -> Plan:
        _, key, fields, rest = step
        rest = self.resolved(rest)
        plan = self._object(rest) if rest is not None and rest[0] == "object" else Plan()
        listed = dict(fields)
        entries = Gathering(("field", "value"), lambda name: (name in listed, listed.get(name)))
        plan.members = {
            **{name: Member(name, sub) for name, sub in fields},
            **plan.members,
            key: Member(key, gathering=entries),
        }
        return plan

    def pairs(self, step: Step, taken: frozenset[str] = frozenset()) -> Gathering:
        """Return how the pairs of a map are gathered."""
        step = self.resolved(step)
        assert step is not None, "a map has a step"
        by_rule = self._by_rule(step[1], step[2])
        return Gathering(("key", "value"), lambda key: (True, by_rule(key)), taken)

    def _by_rule(self, rules: Any, default: Step) -> Callable[[str], Step]:
        found = self._machine.predicates.found
        if not rules:
            return lambda _key: default
        return lambda key: next((sub for regex, sub in rules if found(regex, key)), default)


def _certain(run: Run) -> Run:
    """Doubt a text that begins like JSON text and is none: it may have lost its end."""

    def run_text(text: str) -> Any:
        out = run(text)
        if out is text and text.lstrip()[:1] in ("{", "[", '"'):
            raise Misfit("WS614", "not JSON text")
        return out

    return run_text
