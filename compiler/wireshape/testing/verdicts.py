"""The laws of one source, asked for many dialects: it is read once, and what is equal on the wire is judged once."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from wireshape import pipeline
from wireshape.api import Delivery, Names
from wireshape.artifact import codec_document
from wireshape.compiled import Compiled
from wireshape.dialect import Dialect, resolve
from wireshape.ir import Json
from wireshape.machine import Machine
from wireshape.options import Options
from wireshape.read import Schema, read
from wireshape.testing import laws
from wireshape.testing.laws import Breach
from wireshape.testing.wire import wire_validator


class Verdicts:
    """The breaches of laws 1, 2, 3, 5 and 9 seen on a source and some instances, dialect by dialect.

    Laws 2, 3 and 9 speak of the wire schema as the dialect reads it, of the codec and of the report. Where these are those
    of a dialect that was asked before, so are the breaches. Raises what reading the source raises.

    >>> verdicts = Verdicts({"type": "object", "properties": {"n": {"type": "integer"}}}, [{"n": 1}, {}, 3])
    >>> [verdicts.broken(row) for row in ("openai-strict", "xai-strict")]
    [[], []]
    """

    def __init__(
        self, schema: Any, instances: Iterable[Json] = (), options: Options | None = None
    ) -> None:
        self._options = options or Options()
        self._source = read(schema, self._options)
        self._instances = list(instances)
        self._of_values: dict[tuple[str, ...], list[Breach]] = {}
        self._read_back: dict[str, Schema] = {}

    def broken(self, dialect: str | Dialect) -> list[Breach]:
        """Compile for a dialect, and return every breach. Raises what `compile` raises."""
        made = pipeline.lowering(self._source, resolve(dialect), None, None, self._options)
        compiled = made.compiled
        found = laws.accepted(compiled)
        found += laws.stable(compiled, self._options, self._read_back)
        key = (
            str(compiled.dialect.root.verbatim),
            json.dumps(laws.recompilable(compiled)),
            json.dumps(codec_document(Machine(made.parts))),
            *[f"{note.code} {note.pointer}/{note.keyword}" for note in compiled.report.notes],
        )
        of_values = self._of_values.get(key)
        if of_values is None:
            of_values = self._of_values[key] = self._judged(compiled)
        return found + of_values

    def _judged(self, compiled: Compiled) -> list[Breach]:
        """What the instances tell."""
        judge = wire_validator(compiled)
        found: list[Breach] = []
        for value in self._instances:
            if laws.is_valid(compiled, value):
                found += laws.complete(compiled, judge, value)
                found += laws.tolerant(compiled, judge, value)
            if judge.is_valid(value):
                found += laws.sound(compiled, value)
        return found


def broken_laws(
    schema: Any,
    dialect: str | Dialect,
    instances: Iterable[Json] = (),
    options: Options | None = None,
) -> list[Breach]:
    """Compile, and return every breach of laws 1, 2, 3, 5 and 9 seen on the schema and the instances.

    Raises what `compile` raises. Instances may be valid or not; those that are valid go both directions, all of them
    are tried as wire values.

    >>> broken_laws({"type": "object", "properties": {"n": {"type": "integer"}}}, "openai-strict", [{"n": 1}, {}, 3])
    []
    """
    return Verdicts(schema, instances, options).broken(dialect)


def without_twins(dialects: Iterable[str]) -> list[str]:
    """Return, of the dialects that state the same about schemas, the first: the laws speak of no other facts.

    >>> without_twins(["anthropic-strict", "anthropic-vertex-strict", "xai-strict"])
    ['anthropic-strict', 'xai-strict']
    """
    first: dict[Dialect, str] = {}
    for name in dialects:
        row = resolve(name)
        facts = replace(
            row,
            id="",
            title="",
            family="",
            carriers=(),
            names=Names(),
            delivery=Delivery(),
            apis=(),
        )
        first.setdefault(facts, name)
    return list(first.values())
