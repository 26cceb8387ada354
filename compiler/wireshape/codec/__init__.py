"""Runs steps both ways: builds functions by JSON type from plain-data steps, once; it knows neither schemas nor dialects.

`decode` is tolerant: a part that is not in its wire form passes unchanged and is left to the gate. What it never does is
lose or guess: a duplicate pair, text that is not JSON, a hole in a tuple are errors. `encode` does not judge the value.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from functools import cached_property
from math import inf
from typing import Any, TypeAlias

from wireshape.codec import arrays, entries, objects, unions, values
from wireshape.codec.misfit import (
    IDENTITY,
    MOST,
    Builder,
    Misfit,
    Overrun,
    Predicates,
    Run,
    Table,
    Work,
    overrun,
)
from wireshape.ir import kind_of
from wireshape.step import Step, parts
from wireshape.walk import parts_first

__all__ = ["Codec", "Misfit", "Overrun", "Predicates", "doubtful"]


class Codec:
    """Tables for a step and the definitions that it refers to; built on first use, safe to share.

    A run that decodes very much ends in Overrun unless it is `tireless`: see Note [Work] in `misfit.py`.
    """

    def __init__(
        self,
        step: Step,
        steps: Mapping[str, Step],
        predicates: Predicates,
        *,
        tireless: bool = False,
    ) -> None:
        self.ask = predicates
        self._parts = step, steps
        self.tries = False  # until a decoder asks which arm of a union a value belongs to
        self.work: Work = [-inf if tireless else 0]
        self._busy = {way: busy(steps, decoding=way) for way in (True, False)}
        self._branches = branches(step, steps)
        aliases = {name: _target(name, steps) for name in steps}
        self._decoders: dict[str, Table] = {name: {} for name in steps}
        self._encoders: dict[str, Table] = {name: {} for name in steps}
        for tables in (self._decoders, self._encoders):
            tables.update({name: tables[target] for name, target in aliases.items()})
        order = [name for name in _parts_first(steps) if aliases[name] == name]
        for name in order:
            self._decoders[name].update(self.decoder(steps[name]))
        self.decode = _whole(self.decoder(step))
        self.work = [-inf]  # what is encoded was measured
        for name in order:
            self._encoders[name].update(self.encoder(steps[name]))
        self.encode = _whole(self.encoder(step))

    @cached_property
    def tireless(self) -> Codec:
        """The same for values that were measured, however large they are."""
        return Codec(*self._parts, self.ask, tireless=True)

    def decoder(self, step: Step) -> Table:
        """Return the table from wire to conceptual."""
        if step is None or idle(step, self._busy[True], decoding=True):
            return IDENTITY
        if step[0] == "ref":
            return self._decoders[step[1]]
        table = _DECODERS[step[0]](step, self)
        if self._branches and step[0] in _BRANCHING:
            return {kind: _counted(run, self.work) for kind, run in table.items()}
        return table

    def encoder(self, step: Step) -> Table:
        """Return the table from conceptual to wire."""
        if step is None or idle(step, self._busy[False], decoding=False):
            return IDENTITY
        if step[0] == "ref":
            return self._encoders[step[1]]
        return _ENCODERS[step[0]](step, self)


def _whole(table: Table) -> Run | None:
    """The function of a whole value, `None` when it is the identity."""
    if table is IDENTITY:
        return None
    get = table.get

    def run(value: Any) -> Any:
        mapped = get(kind_of(value))
        return value if mapped is None else mapped(value)

    return run


def _counted(run: Run, work: Work) -> Run:
    """Count each value."""

    def run_counted(value: Any) -> Any:
        work[0] += 1
        if work[0] > MOST:
            overrun(work)
        return run(value)

    return run_counted


def _target(name: str, steps: Mapping[str, Step]) -> str:
    """The definition that a definition is another name of, or itself."""
    seen = {name}
    while (step := steps.get(name)) is not None and step[0] == "ref" and step[1] in steps:
        name = step[1]
        if name in seen:
            break
        seen.add(name)
    return name


def idle(step: Step, busy: Container[str], *, decoding: bool) -> bool:
    """Tell whether a step leaves every value as it is; `busy` names the definitions that do not."""
    stack: list[Step] = [step]
    while stack:
        at = stack.pop()
        if at is None:
            continue
        op = at[0]
        if op == "object":
            for wire_key, key, _, mode in at[1]:
                if wire_key != key or mode in ("null", "box", "omit"):
                    return False
                if mode in ("fill", "lose") and not decoding:
                    return False
            if at[2] is not None:
                return False
        elif op == "union":
            if any([arm[2] is not None for arm in at[1]]):
                return False
        elif op == "ref":
            if at[1] in busy:
                return False
        elif op not in ("list", "tuple"):
            return False
        stack.extend(parts(at))
    return True


def busy(steps: Mapping[str, Step], *, decoding: bool) -> set[str]:
    """Return the definitions that change some value: by themselves, or through what they refer to."""
    found = {name for name, step in steps.items() if not idle(step, (), decoding=decoding)}
    users: dict[str, list[str]] = {}
    for name, step in steps.items():
        for to in _references(step):
            users.setdefault(to, []).append(name)
    stack = list(found)
    while stack:
        new = [name for name in users.get(stack.pop(), ()) if name not in found]
        found.update(new)
        stack.extend(new)
    return found


def branches(step: Step, steps: Mapping[str, Step]) -> bool:
    """Tell whether decoding may visit one part very often without going into a list or map, which count themselves.

    >>> branches(("ref", "A"), {"A": ("object", (("a", "a", ("ref", "A"), "null"),), None, None)})
    True
    >>> branches(("ref", "A"), {"A": ("list", ("ref", "A"))})
    False
    """
    visits: dict[str, float] = {}
    for name in _parts_first(steps):
        visits[name] = _visits(steps[name], visits)
    return max([_visits(step, visits), *visits.values()]) > MOST


def _visits(step: Step, visits: Mapping[str, float]) -> float:
    """How many values a step visits at most, not counting the parts of lists and maps."""
    total = 0.0
    stack: list[Step] = [step]
    while stack:
        at = stack.pop()
        total += 1
        if at is None or at[0] in ("list", "pairs"):
            continue
        if at[0] == "ref":
            total += visits.get(at[1], inf)
        elif at[0] == "object":
            stack += [sub for _, _, sub, _ in at[1]]
        else:
            stack += parts(at)
    return total


_BRANCHING = frozenset(["object", "tuple", "numbered", "entries"])


def _references(step: Step) -> list[str]:
    """The definitions that a step names, each as often as it does."""
    names: list[str] = []
    stack: list[Step] = [step]
    while stack:
        at = stack.pop()
        if at is not None and at[0] == "ref":
            names.append(at[1])
        else:
            stack.extend(parts(at))
    return names


def _parts_first(steps: Mapping[str, Step]) -> list[str]:
    return parts_first({name: _references(step) for name, step in steps.items()})


def doubtful(step: Step, steps: Mapping[str, Step]) -> bool:
    """Tell whether a conceptual part may look like JSON text (a string where strings are conceptual too), a box, a wrapper, a renamed key, an array of extras or a tagged arm.

    Then only the whole value tells on which side it is.
    """
    for at in _reach(step, steps):
        op = at[0]
        if (op == "json" and at[1]) or (op == "wrap" and at[3]):
            return True
        if op == "union" and any([arm[2] is not None for arm in at[1]]):
            return True
        if op == "object" and at[2] is not None:
            return True
        if op == "object" and any(
            [mode == "box" or wire_key != key for wire_key, key, _, mode in at[1]]
        ):
            return True
    return False


def _reach(step: Step, steps: Mapping[str, Step]) -> Iterator[tuple[Any, ...]]:
    """Yield a step and every step that it reaches, each definition once."""
    seen: set[str] = set()
    stack: list[Step] = [step]
    while stack:
        at = stack.pop()
        if at is None:
            continue
        yield at
        if at[0] != "ref":
            stack.extend(parts(at))
        elif at[1] not in seen:
            seen.add(at[1])
            stack.append(steps.get(at[1]))


_Make: TypeAlias = Callable[[tuple[Any, ...], Builder], Table]


def _decoding(codec: Builder) -> Callable[[Step], Table]:
    return codec.decoder


def _encoding(codec: Builder) -> Callable[[Step], Table]:
    return codec.encoder


_DECODERS: dict[str, _Make] = {
    "object": objects.decode_object,
    "list": arrays.listed(_decoding),
    "tuple": arrays.positional(_decoding),
    "numbered": arrays.decode_numbered,
    "pairs": values.decode_pairs,
    "entries": entries.decode_entries,
    "enum": values.decode_enum,
    "json": values.decode_json,
    "wrap": values.decode_wrap,
    "union": unions.decode_union,
}
_ENCODERS: dict[str, _Make] = {
    "object": objects.encode_object,
    "list": arrays.listed(_encoding),
    "tuple": arrays.positional(_encoding),
    "numbered": arrays.encode_numbered,
    "pairs": values.encode_pairs,
    "entries": entries.encode_entries,
    "enum": values.encode_enum,
    "json": values.encode_json,
    "wrap": values.encode_wrap,
    "union": unions.encode_union,
}
