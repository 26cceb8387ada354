"""What the parts of the codec share: tables of functions by JSON type, the error of a value that does not fit, the count of work.

Note [Work]: a value that shares its parts may be exponentially larger than what it takes in memory, and then decoding does not
end, as it builds each part as often as it is found. To measure each value beforehand costs half of decoding it. So lists and
maps count their members as they are decoded, and objects count where they branch without them. When MOST is reached, by whatever
runs, a run ends in Overrun; its value is measured, and decoded by a tireless codec. The count is not of one value alone, and
threads may spoil it: it only says when to measure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NoReturn, Protocol, TypeAlias

from wireshape import relate
from wireshape.ir import kind_of
from wireshape.step import Step

Run: TypeAlias = Callable[[Any], Any]
"""Maps one value of the type that it is listed under; raises Misfit."""

Table: TypeAlias = dict[object, Run]
"""What maps a value, by its exact Python type. A value whose type is not listed is left alone.

The table of a definition exists before it is filled, so that recursive steps can hold it.
"""

IDENTITY: Table = {}
"""The table of a step that leaves every value as it is; other empty tables are not filled yet."""

_MOST_KEYS = 1024
"""How many undeclared keys a step remembers the rule of."""

Get: TypeAlias = Callable[[object], "Run | None"]

KINDS: dict[object, int] = {
    dict: relate.OBJECT,
    list: relate.ARRAY,
    str: relate.STRING,
    int: relate.INTEGER,
    float: relate.NUMBER,
    bool: relate.BOOLEAN,
    type(None): relate.NULL,
}
"""The Python types of JSON values, with the JSON types that their values may have."""


class Misfit(Exception):  # noqa: N818 (never leaves the package: the verbs turn it into a typed error)
    """A value that a step cannot map; `path` is filled from the inside out."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.path: list[str | int] = []


MOST = 1 << 18
"""Members decoded until some value is measured."""

Work: TypeAlias = "list[float]"
"""The count of one codec, its only item."""


class Overrun(Exception):  # noqa: N818 (never leaves the package: the value is measured and decoded once more)
    """So much was decoded that the value may be without end."""


def overrun(work: Work) -> NoReturn:
    """End a run, and count anew."""
    work[0] = 0
    raise Overrun


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
    """Builds the tables of inner steps; an empty one is the identity, or is not filled yet."""

    ask: Predicates
    tries: bool
    work: Work

    def decoder(self, step: Step) -> Table:
        """Return the table from wire to conceptual."""
        ...

    def encoder(self, step: Step) -> Table:
        """Return the table from conceptual to wire."""
        ...


def under(key: str | int, get: Get, value: Any) -> Any:
    """Map a part, and put its key on the path of an error."""
    run = get(kind_of(value))
    if run is None:
        return value
    try:
        return run(value)
    except Misfit as misfit:
        misfit.path.append(key)
        raise


def at(key: str | int, misfit: Misfit) -> Misfit:
    """Put a key on the path of an error."""
    misfit.path.append(key)
    return misfit


def foreign(_value: Any) -> Any:
    """Refuse a value that a step does not map, because it would be read back as one that the step made."""
    raise Misfit("WS623", "no wire spelling: on the wire this would be another value")


def chooser(
    rules: Iterable[tuple[str, Step]],
    default: Step,
    codec: Builder,
    build: Callable[[Step], Table],
) -> tuple[Callable[[str], Get], Table | None]:
    """Which table maps the value under an undeclared key, that of the first pattern found in it; the table, if one does all.

    Parts are built once: what builds them twice takes 2**n steps for n nested maps.
    """
    tables = [(regex, build(step)) for regex, step in rules]
    fallback = build(default)
    if all([table is fallback for _, table in tables]):
        return (lambda _key: fallback.get), fallback
    gets = [(regex, table.get) for regex, table in tables]
    found = codec.ask.found
    known: dict[str, Get] = {}

    def choose(key: str) -> Get:
        get = known.get(key)
        if get is None:
            get = next((get for regex, get in gets if found(regex, key)), fallback.get)
            if len(known) < _MOST_KEYS:
                known[key] = get
        return get

    return choose, None
