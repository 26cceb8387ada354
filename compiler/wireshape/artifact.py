"""The artifact of a compilation: everything that another process or language needs, as one JSON text, and back."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from typing import Any, Literal, get_args, get_origin, get_type_hints

from wireshape import ir
from wireshape.codec import Codec
from wireshape.dialect import SECTIONS, Dialect, build, document_of_row
from wireshape.errors import SchemaError, WireshapeError
from wireshape.machine import Machine, Parts
from wireshape.read import Schema
from wireshape.report import Note, Report
from wireshape.step import Step, from_json, parts, to_json

_FORMAT = 2


def codec_document(machine: Machine) -> dict[str, Any]:
    """Return the steps, the steps of definitions, both predicates of each union arm and their definitions, as JSON."""
    parts = machine.parts
    return {
        "step": to_json(parts.step),
        "steps": {name: to_json(step) for name, step in parts.steps.items()},
        **machine.predicates.written(),
    }


def write(machine: Machine) -> str:
    """Return the artifact as JSON text."""
    parts = machine.parts
    source: dict[str, Any] = {
        "document": parts.source.document,
        "draft": parts.source.draft,
        "assert_formats": parts.assert_formats,
    }
    if parts.registry is not None:
        source["registry"] = _documents(parts.registry)
    document = {
        "format": _FORMAT,
        "dialect": document_of_row(parts.dialect),
        "name": parts.name,
        "schema": parts.schema,
        **({} if parts.text is None else {"text": parts.text}),
        "codec": codec_document(machine),
        "report": parts.report.to_json(),
        "source": source,
    }
    return json.dumps(document, ensure_ascii=False)


def _documents(registry: Any) -> dict[str, Any]:
    return {
        uri: registry[uri] if isinstance(registry, dict) else registry.contents(uri)
        for uri in registry
    }


def read_parts(text: str) -> Parts:
    """Read an artifact; its row is the one it was compiled for. Raises SchemaError when it is not one."""
    from wireshape.predicates import WrittenPredicates  # noqa: PLC0415 (loads jsonschema-rs)

    try:
        document = json.loads(text)
        if document["format"] != _FORMAT:
            message = f"artifact of format {document['format']!r}; this version reads {_FORMAT}"
            raise SchemaError(message, code="WS120")
        source, codec = document["source"], document["codec"]
        step = from_json(codec["step"])
        steps = {name: from_json(step) for name, step in codec["steps"].items()}
        arms = _arms(codec, [step, *steps.values()])
        Codec(step, steps, WrittenPredicates(arms))  # what is no step does not build
        return Parts(
            schema=document["schema"],
            text=_known(document.get("text"), str, type(None)),
            dialect=_row(document["dialect"]),
            report=Report(tuple([Note(**note) for note in document["report"]["notes"]])),
            source=Schema(
                graph=ir.Graph(ir.Any(), {}),
                document=source["document"],
                draft=_known(source["draft"], str),
                notes=(),
            ),
            name=_known(document["name"], str, type(None)),
            step=step,
            steps=steps,
            arms=arms,
            wire=None,
            assert_formats=_known(source["assert_formats"], bool),
            registry=source.get("registry"),
        )
    except WireshapeError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError) as error:
        message = f"not an artifact of `Compiled.to_json` ({error!r}); write it again"
        raise SchemaError(message, code="WS120") from error


def _known(value: Any, *kinds: type) -> Any:
    if type(value) not in kinds:
        message = f"{value!r} where {kinds[0].__name__} is due"
        raise TypeError(message)
    return value


def _arms(codec: Any, steps: list[Step]) -> dict[str, Any]:
    """The predicates of union arms, of which steps name none that is not there."""
    arms = [{"wire": arm["wire"], "source": arm["source"]} for arm in codec["arms"]]
    while steps:
        step = steps.pop()
        steps.extend(parts(step))
        if step is not None and step[0] == "union":
            for arm in step[1]:
                if not -1 <= _known(arm[4], int) < len(arms):
                    message = f"arm {arm[4]} has no predicates"
                    raise IndexError(message)
    definitions = {side: dict(defs) for side, defs in codec.get("definitions", {}).items()}
    return {"arms": arms, "definitions": definitions} if definitions else {"arms": arms}


def _row(document: Any) -> Dialect:
    """Rebuild the row; ValueError when a field holds what no row can hold. Pydantic would be a heavy way to ask."""
    if not isinstance(document.get("carriers", []), list):
        message = "the carriers of the dialect are no list"
        raise TypeError(message)
    row = build(document)
    for section, hints in _hints().items():
        record = getattr(row, section) if section else row
        for name, hint in hints.items():
            value = getattr(record, name)
            if not _fits(value, hint):
                message = f"field {name!r} of the dialect is {value!r}"
                raise ValueError(message)
    return row


@cache
def _hints() -> dict[str, dict[str, Any]]:
    """The types of the fields of a row by section; the row itself is the section ""."""
    sections = {name: get_type_hints(record) for name, record in SECTIONS.items()}
    return {"": get_type_hints(Dialect), **sections}


def _fits(value: Any, hint: Any) -> bool:
    """Whether a value has a type that is used in rows: `bool`, `Literal[...]`, `frozenset[str]`, `int | None` ..."""
    origin = get_origin(hint)
    if origin is Literal:
        return type(value) is str and value in get_args(hint)
    if origin in (frozenset, tuple):
        return _holds(value, origin, get_args(hint)[0])
    if origin is None:
        return type(value) is hint
    return any([_fits(value, option) for option in get_args(hint)])


def _holds(value: Iterable[object], kind: type[Any], item: type[Any]) -> bool:
    return isinstance(value, kind) and all([type(v) is item for v in value])
