"""What was read and compiled of a source, found again while the source holds the same; it compiles nothing by itself.

A plan of the same tools need not compile them again. What a source holds is compared, not which object it is, so a dict that
was changed is read anew.
"""

from __future__ import annotations

import marshal
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from wireshape.analyze import usage
from wireshape.budget_spellings import Spelling, Written, spellings
from wireshape.dialect import Dialect
from wireshape.grant import Grant
from wireshape.ir import kind_of
from wireshape.options import Options
from wireshape.pipeline import Lowering
from wireshape.read import Schema
from wireshape.report import Note

_CRUDE = ("WS221", "WS222")
"""Notes of a schema that is partly JSON text."""


class Made:
    """A compilation, and what a plan asks of it, each found at first use; `again` compiles under another grant."""

    def __init__(self, lowering: Lowering, again: Callable[[Grant], Lowering]) -> None:
        self.compiled = lowering.compiled
        self.lowering = lowering
        self._again = again
        self.choices: dict[Hashable, list[Any]] = {}  # what a plan made of the spellings, by limits

    @cached_property
    def used(self) -> Mapping[str, int]:
        """What it takes of each limit."""
        return usage(self.compiled.schema)

    @cached_property
    def crude(self) -> Note | None:
        """The first note of what the dialect can only say as JSON text."""
        notes = self.compiled.report.notes
        return next((note for note in notes if note.code in _CRUDE and not note.quiet), None)

    @cached_property
    def spellings(self) -> Sequence[Spelling]:
        """What it would take spelled otherwise; the spelling at hand is the first."""
        first = _written(self.lowering)
        if first is None:
            return ()

        def again(grant: Grant) -> Written | None:
            made = Made(self._again(grant), self._again)
            return None if made.crude and not self.crude else _written(made.lowering)

        return spellings(first, self.compiled.dialect, again)


def _written(lowering: Lowering) -> Written | None:
    emitted, graph, grant = lowering.written, lowering.graph, lowering.grant
    return None if emitted is None else Written(emitted, graph, grant)


@dataclass(frozen=True, slots=True)
class Known:
    """One source as it was read, and what was made of it."""

    schema: Schema
    _made: dict[Hashable, tuple[Dialect, Made]] = field(
        default_factory=dict[Hashable, tuple[Dialect, Made]]
    )

    def made(self, row: Dialect, way: Hashable, make: Callable[[], Made]) -> Made:
        """What was made for a row, made now when nothing was; `way` tells several for one row apart."""
        found = self._made.get((row.id, way))
        if found is None or found[0] is not row:
            found = self._made[row.id, way] = row, make()
        return found[1]


class Memory:
    """What is known of a source, for the options that it was last asked for with. Threads may share it; it is not pickled.

    >>> from wireshape.read import read
    >>> memory, options, source = Memory(), Options(), {"type": "string"}
    >>> first = memory.recall(source, options, lambda: Known(read(source, options)))
    >>> memory.recall(source, options, lambda: Known(read(source, options))) is first
    True
    >>> source["type"] = "integer"
    >>> memory.recall(source, options, lambda: Known(read(source, options))) is first
    False
    """

    __slots__ = ("_latest",)

    def __init__(self) -> None:
        self._latest: tuple[Any, Options, Known] | None = None

    def __reduce__(self) -> tuple[object, ...]:
        return Memory, ()

    def recall(self, source: Any, options: Options, make: Callable[[], Known]) -> Known:
        """What is known of the source, made when nothing is; what `make` raises is not remembered."""
        latest = self._latest
        if latest is not None and latest[1] == options and _same(latest[0], _content(source)):
            return latest[2]
        known = make()
        content = _content(
            source
        )  # after reading: how strings are written tells whether others hold them too
        if content is not None and options.registry is None:
            self._latest = content, options, known
        return known


def _same(one: Any, other: Any) -> bool:
    return one is other or (type(one) is bytes and type(other) is bytes and one == other)


def _content(source: Any) -> Any:
    """What tells whether a source is still the same; `None` when nothing does."""
    if kind_of(source) is dict:
        try:
            return marshal.dumps(source)
        except ValueError:  # a value of another kind inside, or nested too deeply
            return None
    return None if isinstance(source, Path) else source
