"""Runs steps both ways: builds closures from plain-data steps, once; it knows neither schemas nor dialects.

`decode` is tolerant: a part that is not in its wire form passes unchanged and is left to the gate. What it never does is
lose or guess: a duplicate pair, text that is not JSON, a hole in a tuple are errors. `encode` does not judge the value.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from typing import Any, TypeAlias

from wireshape.codec import arrays, objects, unions, values
from wireshape.codec.misfit import Builder, Misfit, Predicates, Run
from wireshape.step import Step, parts

__all__ = ["Codec", "Misfit", "Predicates", "doubtful"]


class Codec:
    """Closures for a step and the definitions that it refers to; built on first use, safe to share."""

    def __init__(self, step: Step, steps: Mapping[str, Step], predicates: Predicates) -> None:
        self.ask = predicates
        self._busy = {way: busy(steps, decoding=way) for way in (True, False)}
        self._decoders: dict[str, Run] = {}
        self._encoders: dict[str, Run] = {}
        for name in _parts_first(steps):
            for built, run in (
                (self._decoders, self.decoder(steps[name])),
                (self._encoders, self.encoder(steps[name])),
            ):
                if run is not None:
                    built[name] = run
        self.decode = self.decoder(step)
        self.encode = self.encoder(step)

    def decoder(self, step: Step) -> Run | None:
        """Return the function from wire to conceptual, or `None` when it is the identity."""
        if step is None or idle(step, self._busy[True], decoding=True):
            return None
        if step[0] == "ref":
            return _reference(step[1], self._decoders)
        return _DECODERS[step[0]](step, self)

    def encoder(self, step: Step) -> Run | None:
        """Return the function from conceptual to wire, or `None` when it is the identity."""
        if step is None or idle(step, self._busy[False], decoding=False):
            return None
        if step[0] == "ref":
            return _reference(step[1], self._encoders)
        return _ENCODERS[step[0]](step, self)


def _reference(name: str, built: dict[str, Run]) -> Run:
    """The function of a definition; one that is not built yet, in a cycle, is looked up at call time."""
    if name in built:
        return built[name]

    def run(value: Any) -> Any:
        return built[name](value)

    return run


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
                if wire_key != key or mode in ("null", "box") or (mode == "fill" and not decoding):
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
    """Definitions after those that they refer to, save for cycles; nothing recurses."""
    order: list[str] = []
    seen: set[str] = set()
    for start in steps:
        stack = [(start, False)]
        while stack:
            name, entered = stack.pop()
            if entered:
                order.append(name)
            elif name not in seen and name in steps:
                seen.add(name)
                stack.append((name, True))
                stack.extend([(to, False) for to in _references(steps[name])])
    return order


def doubtful(step: Step, steps: Mapping[str, Step]) -> bool:
    """Tell whether a conceptual part may look like JSON text, a box, a wrapper, a renamed key or a tagged arm.

    Then only the whole value tells on which side it is.
    """
    for at in _reach(step, steps):
        op = at[0]
        if op == "json" or (op == "wrap" and at[3]):
            return True
        if op == "union" and any([arm[2] is not None for arm in at[1]]):
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


_Make: TypeAlias = Callable[[tuple[Any, ...], Builder], Run]


def _decoding(codec: Builder) -> Callable[[Step], Run | None]:
    return codec.decoder


def _encoding(codec: Builder) -> Callable[[Step], Run | None]:
    return codec.encoder


_DECODERS: dict[str, _Make] = {
    "object": objects.decode_object,
    "list": arrays.listed(_decoding),
    "tuple": arrays.positional(_decoding),
    "numbered": arrays.decode_numbered,
    "pairs": values.decode_pairs,
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
    "enum": values.encode_enum,
    "json": values.encode_json,
    "wrap": values.encode_wrap,
    "union": unions.encode_union,
}
