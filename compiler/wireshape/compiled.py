"""The result of a compilation: the wire schema, the codec, the gate and the report in one immutable object."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from wireshape import artifact
from wireshape.dialect import Dialect
from wireshape.machine import Machine, Parts
from wireshape.reply import Outcome
from wireshape.reply import parse as parse_reply
from wireshape.reply.feed import Feed
from wireshape.report import Report


class _Result:
    """What a compilation came to, as its parts say it."""

    __slots__ = ("_machine",)

    def __init__(self, parts: Parts) -> None:
        self._machine = Machine(parts)

    @property
    def schema(self) -> Any:
        """The wire schema, a JSON-ready dict (of the `lenient` dialect: the source, which may be a boolean). Read-only."""
        return self._machine.parts.schema

    @property
    def text(self) -> str | None:
        r"""The grammar, for a dialect that takes one; `None` for those that take the wire schema.

        The wire schema then says what the grammar says; the codec speaks of that.

        >>> import wireshape as ws
        >>> print(ws.compile({"enum": ["a", "b"]}, "openai-custom-grammar").text, end="")
        start: VALUE
        VALUE: /"a"|"b"/
        >>> ws.compile({"enum": ["a", "b"]}, "openai-strict").text is None
        True
        """
        return self._machine.parts.text

    @property
    def dialect(self) -> Dialect:
        """The row that it was compiled for."""
        return self._machine.parts.dialect

    @property
    def report(self) -> Report:
        """Every difference between the source and the wire schema.

        >>> import wireshape as ws
        >>> ws.compile({"type": "object", "additionalProperties": False}, "openai-strict").report.exact
        True
        """
        return self._machine.parts.report

    @property
    def name(self) -> str | None:
        """The name that was given to `compile`."""
        return self._machine.parts.name


class Compiled(_Result):
    """One schema, compiled for one dialect. Safe to share between threads, to pickle, and to keep.

    >>> import wireshape as ws
    >>> c = ws.compile({"type": "object", "properties": {"n": {"type": "integer"}}}, "openai-strict")
    >>> c.encode({}), c.decode({"n": None}), c.validate({"n": 1})
    ({'n': None}, {}, {'n': 1})
    """

    __slots__ = ()

    def __reduce__(self) -> tuple[object, ...]:
        return Compiled, (self._machine.parts,)

    def __repr__(self) -> str:
        notes = self.report.notes
        return f"<Compiled for {self.dialect.id}: {'exact' if self.report.exact else 'not exact'}, {len(notes)} notes>"

    def decode(self, wire: Any) -> Any:
        """Map a wire value to its conceptual value; a part that is already conceptual stays.

        Returns the very same object when the codec is the identity. Raises DecodeError with a pointer into `wire`; does not
        judge the result: `validate` does.

        >>> import wireshape as ws
        >>> c = ws.compile({"type": "object", "additionalProperties": {"type": "integer"}}, "openai-strict")
        >>> c.decode({"value": [{"key": "a", "value": 1}]})
        {'a': 1}
        """
        return self._machine.decode(wire)

    def encode(self, value: Any) -> Any:
        """Map a conceptual value (or an instance of the Python type) to the wire.

        The result is always wire-valid, with keys in the order of the wire schema. Raises EncodeError with a pointer into
        `value` when it has no wire spelling; `.note` is the narrowing that bites, if one does.

        >>> import wireshape as ws
        >>> c = ws.compile({"type": "object", "additionalProperties": {"type": "integer"}}, "openai-strict")
        >>> c.encode({"a": 1})
        {'value': [{'key': 'a', 'value': 1}]}
        """
        return self._machine.encode(value)

    def validate(self, value: Any) -> Any:
        """Let a value out: return it (an instance when the source is a Python type) or raise ValidationError.

        The conceptual JSON Schema judges first, then the Python type, in JSON mode.

        >>> import wireshape as ws
        >>> ws.compile({"type": "integer", "minimum": 1}, "openai-strict").validate(3)
        3
        """
        return self._machine.validate(value)

    def parse(self, reply: Any, finish_reason: str | None = None) -> Outcome:
        r"""Read what came back: repair it where that is certain, decode it, and gate it.

        `reply` is text (bytes are read as UTF-8) or a value that was parsed already. With a `finish_reason` that says that the
        reply was cut off, only what is complete on its own is taken. Never raises for what a model may send; the outcome is
        an `output` only if the gate let the value out.

        >>> import wireshape as ws
        >>> c = ws.compile({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}, "openai-strict")
        >>> done = c.parse("Sure: ```json\n{'n': 3,}\n```")
        >>> done.kind, done.value, done.rung
        ('output', {'n': 3}, 'repaired')
        >>> c.parse('{"n": 3} or {"n": 4}').flags
        ('ambiguous',)
        """
        return parse_reply(self._machine, reply, finish_reason)

    def stream(self) -> Feed:
        """Return a feed for a reply that comes in chunks: partial values on the way, then the outcome.

        Text has no word for its end. `finish` is the caller's that it is whole, so that `4` is the number 4; of a reply that
        broke off, say `finish("incomplete")`, and `4` may be the beginning of `42`.

        >>> import wireshape as ws
        >>> feed = ws.compile({"type": "object", "properties": {"q": {"type": "string"}}}, "openai-strict").stream()
        >>> for chunk in ('{"q": "cat', 's"', "}"):
        ...     if feed.push(chunk):
        ...         print(feed.partial)
        {'q': 'cat'}
        {'q': 'cats'}
        >>> feed.finish().value
        {'q': 'cats'}
        """
        return Feed(self._machine)

    def to_json(self) -> str:
        """Return the artifact: everything that another process or language needs to encode, decode and gate.

        >>> import wireshape as ws
        >>> c = ws.compile({"type": "object", "properties": {"n": {"type": "integer"}}}, "openai-strict")
        >>> ws.Compiled.from_json(c.to_json()).decode({"n": None})
        {}
        """
        return artifact.write(self._machine)

    @classmethod
    def from_json(cls, text: str) -> Compiled:
        """Read an artifact; `bind` it to its Python type to get instances again.

        Raises SchemaError when it is not one.
        """
        return cls(artifact.read_parts(text))

    def bind(self, tp: Any) -> Compiled:
        """Return the same compilation whose `validate` gives instances of `tp` and whose `encode` takes them.

        >>> import wireshape as ws
        >>> c = ws.Compiled.from_json(ws.compile(set[int], "openai-strict").to_json())
        >>> c.bind(set[int]).validate([1])
        {1}
        """
        parts = self._machine.parts
        return Compiled(replace(parts, source=replace(parts.source, type=tp)))
