"""What the parts of the codec share: the error of a value that does not fit, and the questions that a step may ask."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol, TypeAlias

from wireshape.ir import kind_of
from wireshape.step import Step

Run: TypeAlias = Callable[[Any], Any]
"""Maps one value; raises Misfit."""


class Misfit(Exception):  # noqa: N818 (never leaves the package: the verbs turn it into a typed error)
    """A value that a step cannot map; `path` is filled from the inside out."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.path: list[str | int] = []


class Predicates(Protocol):
    """Answers the questions of union arms, by index."""

    def wire(self, index: int, value: Any) -> bool:
        """Tell whether a wire value belongs to the arm."""
        ...

    def source(self, index: int, value: Any) -> bool:
        """Tell whether a conceptual value belongs to the arm."""
        ...

    def found(self, regex: str, key: str) -> bool:
        """Tell whether the ECMA-262 `regex` is found in `key`."""
        ...


class Builder(Protocol):
    """Builds the functions of inner steps; `None` is the identity."""

    ask: Predicates

    def decoder(self, step: Step) -> Run | None:
        """Return the function from wire to conceptual."""
        ...

    def encoder(self, step: Step) -> Run | None:
        """Return the function from conceptual to wire."""
        ...


def under(key: str | int, run: Run, value: Any) -> Any:
    """Map a part, and put its key on the path of an error."""
    try:
        return run(value)
    except Misfit as misfit:
        misfit.path.append(key)
        raise


def at(key: str | int, misfit: Misfit) -> Misfit:
    """Put a key on the path of an error."""
    misfit.path.append(key)
    return misfit


def foreign(value: Any, wire: type) -> Any:
    """Leave a value alone that a step does not map, unless it would be read back as one that the step made."""
    if kind_of(value) is wire:
        raise Misfit("WS623", "no wire spelling: on the wire this would be another value")
    return value


def chooser(
    rules: Iterable[tuple[str, Step]],
    default: Step,
    codec: Builder,
    build: Callable[[Step], Run | None],
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
