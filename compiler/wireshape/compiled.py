"""The result of a compilation: the wire schema, the codec, the gate and the report in one immutable object."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from wireshape import ir
from wireshape.codec import Codec, Misfit, doubtful
from wireshape.dialect import Dialect, resolve
from wireshape.diagnose import narrowing_at
from wireshape.errors import DecodeError, EncodeError, SchemaError, ValidationError, WireshapeError
from wireshape.options import Options
from wireshape.plain import fault, is_json
from wireshape.read import Schema, read
from wireshape.reading import as_json_schema
from wireshape.relate import Relations
from wireshape.report import Note, Report
from wireshape.step import Step, from_json, to_json
from wireshape.tidy import tidy

if TYPE_CHECKING:
    from wireshape.gate import Gate
    from wireshape.predicates import ArmPredicates, Judge, WrittenPredicates

_FORMAT = 1


class Compiled:
    """One schema, compiled for one dialect.

    `schema` is the wire schema (treat it as read-only), `dialect` the row, `report` every difference. Safe to share between
    threads, to pickle, and to keep.

    >>> import wireshape as ws
    >>> c = ws.compile({"type": "object", "properties": {"n": {"type": "integer"}}}, "openai-strict")
    >>> c.encode({}), c.decode({"n": None}), c.validate({"n": 1})
    ({'n': None}, {}, {'n': 1})
    """

    def __init__(
        self,
        *,
        schema: dict[str, Any] | bool,
        dialect: Dialect,
        report: Report,
        source: Schema,
        name: str | None,
        step: Step,
        steps: dict[str, Step],
        arms: tuple[tuple[ir.Node, ir.Node], ...] | list[dict[str, Any]],
        wire: ir.Graph | None,
        options: dict[str, Any],
    ) -> None:
        self.schema: Any = schema
        self.dialect = dialect
        self.report = report
        self.name = name
        self._source = source
        self._step = step
        self._steps = steps
        self._arms = arms
        self._wire = wire
        self._options = options

    def __reduce__(self) -> tuple[object, ...]:
        state = {k: v for k, v in self.__dict__.items() if k.startswith("_") is False}
        return _rebuild, (
            {**state, "source": self._source, "step": self._step, "steps": self._steps, "arms": self._arms, "wire": self._wire, "options": self._options},
        )

    def __repr__(self) -> str:
        return f"<Compiled for {self.dialect.id}: {'exact' if self.report.exact else 'not exact'}, {len(self.report.notes)} notes>"

    # what the first use builds

    @cached_property
    def _predicates(self) -> ArmPredicates | WrittenPredicates:
        from wireshape.predicates import ArmPredicates, WrittenPredicates  # noqa: PLC0415 (loads jsonschema-rs)

        if isinstance(self._arms, list):
            return WrittenPredicates(self._arms)
        wire = self._wire.defs if self._wire is not None else {}
        return ArmPredicates(self._arms, wire, self._source.graph.defs)

    @cached_property
    def _codec(self) -> Codec | None:
        if self._step is None:
            return None
        return Codec(self._step, self._steps, self._predicates)

    @cached_property
    def _doubtful(self) -> bool:
        """Whether a conceptual value may look like a wire value, so that only the whole value tells."""
        return doubtful(self._step, self._steps)

    @cached_property
    def _gate(self) -> Gate:
        from wireshape.gate import Gate  # noqa: PLC0415 (loads jsonschema-rs)

        source = self._source
        return Gate(source.document, source.draft, assert_formats=self._options["assert_formats"], registry=self._options["registry"])

    @cached_property
    def _wire_judge(self) -> Judge:
        from wireshape.predicates import judge  # noqa: PLC0415 (loads jsonschema-rs)

        return judge(as_json_schema(self.schema, self.dialect))

    @cached_property
    def _wire_graph(self) -> tuple[ir.Graph, Relations]:
        graph = self._wire
        if graph is None:
            from wireshape.options import Options  # noqa: PLC0415
            from wireshape.read import read  # noqa: PLC0415
    
            graph = read(as_json_schema(self.schema, self.dialect), Options()).graph
        return graph, Relations(graph.defs)

    # the four verbs

    def decode(self, wire: Any) -> Any:
        """Map a wire value to its conceptual value; a part that is already conceptual stays.

        Returns the very same object when the codec is the identity. Raises DecodeError with a pointer into `wire`; does not
        judge the result: `validate` does.
        """
        codec = self._codec
        if codec is None or codec.decode is None:
            return wire
        try:
            if self._doubtful and not self._wire_judge(wire) and self._gate.is_valid(wire):
                return wire
            return codec.decode(wire)
        except RecursionError:
            raise DecodeError("nested too deeply to be decoded; send a flatter value", code="WS610") from None
        except Misfit as misfit:
            raise DecodeError(str(misfit), code=misfit.code, pointer=_pointer(misfit.path)) from None

    def encode(self, value: Any) -> Any:
        """Map a conceptual value (or an instance of the Python type) to the wire.

        The result is always wire-valid, with keys in the order of the wire schema. Raises EncodeError with a pointer into
        `value` when it has no wire spelling; `.note` is the narrowing that bites, if one does.
        """
        if self._source.type is not None:
            from wireshape.read.python import dump  # noqa: PLC0415 (loads pydantic)

            value = dump(self._source.type, value)
        try:
            wire = self._encoded(value)
            graph, relations = self._wire_graph
            wire = tidy(wire, graph.root, relations)
            if self._wire_judge(wire):
                return wire
        except RecursionError:
            raise EncodeError("nested too deeply to be encoded; use a flatter value", code="WS620") from None
        except Misfit as misfit:
            raise EncodeError(str(misfit), code=misfit.code, pointer=_pointer(misfit.path), note=self._narrowing()) from None
        except (TypeError, ValueError, OverflowError, AttributeError) as error:
            raise EncodeError(f"not a JSON value ({error}); pass what json.dumps takes", code="WS620") from error
        note, where = narrowing_at(self.report.narrowed, self._source, value)
        reason = note.message if note is not None else "the wire schema refuses what it encodes to"
        raise EncodeError(f"no wire spelling: {reason}", code="WS623", pointer=where, note=note)

    def _encoded(self, value: Any) -> Any:
        if not is_json(value):
            where, what = fault(value)
            raise EncodeError(what, code="WS620", pointer=where)
        codec = self._codec
        return value if codec is None or codec.encode is None else codec.encode(value)

    def _narrowing(self) -> Note | None:
        narrowed = self.report.narrowed
        return narrowed[0] if narrowed else None

    def validate(self, value: Any) -> Any:
        """Let a value out: return it (an instance when the source is a Python type) or raise ValidationError.

        The conceptual JSON Schema judges first, then the Python type, in JSON mode.
        """
        try:
            self._gate.check(value)
        except RecursionError:
            raise ValidationError("nested too deeply to be validated; send a flatter value", code="WS601") from None
        if self._source.type is None:
            return value
        from wireshape.read.python import load  # noqa: PLC0415 (loads pydantic)

        return load(self._source.type, value)

    # the artifact

    def codec_json(self) -> dict[str, Any]:
        """Return the steps, the steps of definitions, and the predicates of union arms, as JSON."""
        arms = self._predicates.documents() if self._arms else []
        return {"step": to_json(self._step), "steps": {k: to_json(s) for k, s in self._steps.items()}, "arms": arms}

    def to_json(self) -> str:
        """Return the artifact: everything that another process or language needs to encode, decode and gate.

        >>> import wireshape as ws
        >>> c = ws.compile({"type": "object", "properties": {"n": {"type": "integer"}}}, "openai-strict")
        >>> ws.Compiled.from_json(c.to_json()).decode({"n": None})
        {}
        """
        registry = self._options["registry"]
        document = {
            "format": _FORMAT,
            "dialect": self.dialect.id,
            "name": self.name,
            "schema": self.schema,
            "codec": self.codec_json(),
            "report": self.report.to_json(),
            "source": {"document": self._source.document, "draft": self._source.draft, "assert_formats": self._options["assert_formats"]},
        }
        if registry is not None:
            document["source"]["registry"] = _documents(registry)
        return json.dumps(document, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read an artifact. Raises SchemaError when it is not one, DialectError when its dialect is unknown.

        Instances of a Python type need `bind` afterwards.
        """
        try:
            document = json.loads(text)
            source = document["source"]
            codec = document["codec"]
            if document["format"] != _FORMAT:
                raise SchemaError(f"artifact of format {document['format']!r}; this version reads {_FORMAT}", code="WS120")
            notes = tuple([Note(**note) for note in document["report"]["notes"]])
            schema = Schema(graph=ir.Graph(ir.Any(), {}), document=source["document"], draft=source["draft"], notes=())
            return cls(
                schema=document["schema"],
                dialect=resolve(document["dialect"]),
                report=Report(notes),
                source=schema,
                name=document["name"],
                step=from_json(codec["step"]),
                steps={name: from_json(step) for name, step in codec["steps"].items()},
                arms=list(codec["arms"]),
                wire=None,
                options={"assert_formats": source["assert_formats"], "registry": source.get("registry")},
            )
        except WireshapeError:
            raise
        except (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError) as error:
            raise SchemaError(f"not an artifact of `Compiled.to_json` ({error!r}); write it again", code="WS120") from error

    def bind(self, tp: Any) -> Compiled:
        """Return the same compilation whose `validate` gives instances of `tp` and whose `encode` takes them."""
        _, (state,) = self.__reduce__()
        return _rebuild({**state, "source": replace(self._source, type=tp)})  # type: ignore[dict-item]


def _rebuild(state: dict[str, Any]) -> Compiled:
    return Compiled(**state)


def _documents(registry: Any) -> dict[str, Any]:
    return {uri: registry[uri] if isinstance(registry, dict) else registry.contents(uri) for uri in registry}


def _pointer(path: Iterable[str | int]) -> str:
    """Render a path that was collected from the inside out."""
    linked: ir.Path = None
    for key in reversed(list(path)):
        linked = (linked, key)
    return ir.pointer(linked)


