"""What runs a compilation: codec, gate and wire judge, each built at first use from plain parts; it compiles nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, final

from wireshape import ir
from wireshape.codec import Codec, Misfit, Overrun, doubtful
from wireshape.diagnose import narrowing_at
from wireshape.dialect import Dialect
from wireshape.documents import spreads
from wireshape.emit import plain
from wireshape.errors import DecodeError, EncodeError, SchemaError, ValidationError
from wireshape.options import Options
from wireshape.plain import MAX_DEPTH, fault, is_json, is_shallow
from wireshape.read import Schema, read
from wireshape.read.ways import is_tangled
from wireshape.reading import as_json_schema
from wireshape.relate import Relations
from wireshape.report import Note, Report
from wireshape.step import Step
from wireshape.tidy import Tidier

if TYPE_CHECKING:
    from wireshape.gate import Gate
    from wireshape.predicates import ArmPredicates, Judge, WrittenPredicates


_DEEPEST = 3 * MAX_DEPTH  # a level of a value is up to three on the wire: entries, pair, value


@final
@ir.node
class Parts:
    """The plain data of one compilation.

    `arms` are the predicates of union arms: pairs of (wire, conceptual) nodes, or what an artifact has of them. `wire` is the
    wire graph, `None` in what was read from an artifact.
    """

    schema: Any
    text: str | None
    dialect: Dialect
    report: Report
    source: Schema
    name: str | None
    step: Step
    steps: dict[str, Step]
    arms: tuple[tuple[ir.Node, ir.Node], ...] | dict[str, Any]
    wire: ir.Graph | None
    assert_formats: bool
    registry: Any


class Machine:
    """Runs the parts; safe to share between threads (what two build at once is equal)."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts

    @cached_property
    def predicates(self) -> ArmPredicates | WrittenPredicates:
        """The predicates of union arms."""
        from wireshape.predicates import ArmPredicates, WrittenPredicates  # noqa: PLC0415 (loads jsonschema-rs)

        parts = self.parts
        if isinstance(parts.arms, dict):
            return WrittenPredicates(parts.arms)
        wire: Mapping[str, ir.Node] = parts.wire.defs if parts.wire is not None else {}
        return ArmPredicates(parts.arms, wire, parts.source.graph.defs)

    @cached_property
    def codec(self) -> Codec | None:
        """What runs the steps; `None` when there are none."""
        parts = self.parts
        return None if parts.step is None else Codec(parts.step, parts.steps, self.predicates)

    @cached_property
    def doubtful(self) -> bool:
        """Whether a conceptual part may look like a wire form, so that only the whole value tells."""
        return doubtful(self.parts.step, self.parts.steps)

    @cached_property
    def _winds(self) -> bool:
        """Whether decoding asks validators that may go as deep as a value does, or look at a shared part too often."""
        parts, codec = self.parts, self.codec
        asks = self.doubtful or (codec is not None and codec.tries)
        return asks and (spreads(parts.source.document) or spreads(parts.schema))

    @cached_property
    def gate(self) -> Gate:
        """Validation against the source."""
        from wireshape.gate import Gate  # noqa: PLC0415 (loads jsonschema-rs)

        parts, source = self.parts, self.parts.source
        document, draft = source.document, source.draft
        if is_tangled(
            document, draft, parts.registry, source.parts
        ):  # what was merged has fewer ways
            document, draft = plain(self.source.graph), "2020-12"
        return Gate(document, draft, assert_formats=parts.assert_formats, registry=parts.registry)

    @cached_property
    def is_wire(self) -> Judge:
        """Tells whether the wire schema accepts a value, read as the dialect reads it."""
        from wireshape.predicates import judge  # noqa: PLC0415 (loads jsonschema-rs)

        if self.parts.dialect.root.verbatim:
            return self.gate.is_valid
        return judge(as_json_schema(self.parts.schema, self.parts.dialect))

    @cached_property
    def source(self) -> Schema:
        """The source as it was read; that of an artifact is read again."""
        parts, source = self.parts, self.parts.source
        if parts.wire is not None:
            return source
        options = Options(
            draft=source.draft, registry=parts.registry, assert_formats=parts.assert_formats
        )
        return read(source.document, options)

    @cached_property
    def _tidier(self) -> tuple[Tidier, ir.Node]:
        graph = self.wire_graph
        return Tidier(Relations(graph.defs)), graph.root

    @cached_property
    def wire_graph(self) -> ir.Graph:
        """The nodes of the wire schema; those of the source where the wire schema is the source."""
        parts = self.parts
        if parts.wire is not None:
            return parts.wire
        if parts.dialect.root.verbatim:
            return self.source.graph
        try:
            return read(as_json_schema(parts.schema, parts.dialect), Options()).graph
        except SchemaError:  # larger than what is read: any value, keys in the order they have
            return ir.Graph(ir.Any(), {})

    def decode(self, wire: Any) -> Any:
        """Map a wire value, of whatever parts, to its conceptual value."""
        codec = self.codec
        if codec is None or codec.decode is None:
            return wire
        if self._winds and not is_shallow(wire, _DEEPEST):
            raise _too_deep()
        return decode_parsed(self, wire)

    def encode(self, value: Any) -> Any:
        """Map a conceptual value to the wire, and let nothing out that is not wire-valid."""
        narrowed = self.parts.report.narrowed
        if self.parts.source.type is not None:
            from wireshape.read.python import dump  # noqa: PLC0415 (loads pydantic)

            value = dump(self.parts.source.type, value)
        if not is_json(value):
            where, what = fault(value)
            raise EncodeError(what, code="WS620", pointer=where)
        codec = self.codec
        try:
            wire = value if codec is None or codec.encode is None else codec.encode(value)
            tidier, root = self._tidier
            wire = tidier.tidy(wire, root)
        except RecursionError:
            raise EncodeError(
                "nested too deeply to be encoded; use a flatter value", code="WS620"
            ) from None
        except Misfit as misfit:
            note, where = _narrowing_at(self, value)
            taken = next((n for n in narrowed if n.code == "WS232"), None)
            if misfit.code == "WS624" and taken is not None:
                note, where = taken, _pointer(misfit.path)
            elif note is None:
                where = _pointer(misfit.path)
            raise EncodeError(str(misfit), code=misfit.code, pointer=where, note=note) from None
        if self.is_wire(wire):
            return wire
        raise _refusal(self, value)

    def validate(self, value: Any) -> Any:
        """Judge by the conceptual JSON Schema, then by the Python type."""
        self.gate.check(value)
        return as_instance(self.parts.source.type, value)


def decode_parsed(machine: Machine, wire: Any, *, is_measured: bool = False) -> Any:
    """Do what `Machine.decode` does with what a parser made: plain JSON of bounded depth that does not share its parts."""
    codec = machine.codec
    run = None if codec is None else codec.tireless.decode if is_measured else codec.decode
    if run is None:
        return wire
    try:
        if machine.doubtful and machine.gate.accepts(wire) and not machine.is_wire(wire):
            return wire  # asked in this order: the source mostly refuses a wire value at once
        return run(wire)
    except Overrun:
        if is_shallow(wire, _DEEPEST):
            return decode_parsed(machine, wire, is_measured=True)
        raise _too_deep() from None
    except RecursionError:
        raise _too_deep() from None
    except Misfit as misfit:
        raise DecodeError(str(misfit), code=misfit.code, pointer=_pointer(misfit.path)) from None


def as_instance(tp: Any, value: Any) -> Any:
    """Return a value that the gate let out as an instance of the Python type; as it is when there is none."""
    if tp is None:
        return value
    from wireshape.read.python import load  # noqa: PLC0415 (loads pydantic)

    return load(tp, value)


def _too_deep() -> DecodeError:
    what = "nested too deeply to be decoded, or sharing its parts too often; send a flatter value"
    return DecodeError(what, code="WS610")


def _refusal(machine: Machine, value: Any) -> EncodeError:
    """Why a value whose wire form the wire schema refuses cannot be sent: a narrowing, or it is not valid at all."""
    note, where = _narrowing_at(machine, value)
    if note is not None:
        return EncodeError(
            f"no wire spelling: {note.message}", code="WS623", pointer=where, note=note
        )
    try:
        machine.gate.check(value)
    except ValidationError as error:
        message = f"no wire spelling, and not valid: {error.args[0]}"
        return EncodeError(message, code="WS623", pointer=error.pointer)
    narrowed = machine.parts.report.narrowed
    reason = (
        f"one of {len(narrowed)} narrowed notes bites" if narrowed else "please report the schema"
    )
    message = (
        f"no wire spelling: the wire schema refuses what this valid value encodes to; {reason}"
    )
    return EncodeError(message, code="WS623", note=narrowed[0] if narrowed else None)


def _narrowing_at(machine: Machine, value: Any) -> tuple[Note | None, str]:
    narrowed = machine.parts.report.narrowed
    return narrowing_at(narrowed, machine.source, value) if narrowed else (None, "")


def _pointer(path: Iterable[str | int]) -> str:
    """Render a path that was collected from the inside out."""
    linked: ir.Path = None
    for key in reversed(list(path)):
        linked = (linked, key)
    return ir.pointer(linked)
