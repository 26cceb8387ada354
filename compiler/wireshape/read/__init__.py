"""Any source becomes a `Schema`: its graph of nodes, an own copy of its document, its draft and the notes of reading."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wireshape import ir
from wireshape.codes import CODES
from wireshape.errors import SchemaError
from wireshape.options import Options
from wireshape.read.graph import read_document
from wireshape.report import Note


@dataclass(frozen=True, slots=True, kw_only=True)
class Schema:
    """A source that has been read: pass it to `compile` again to save the reading.

    `document` is an own copy of the source (of the JSON Schema of a Python type), `type` the Python type if it was one. `conditional` tells that
    some assertion binds only where a condition holds, `parts` how many subschemas speak about the value of another one.

    >>> schema = read({"type": "string"}, Options())
    >>> schema.draft
    '2020-12'
    """

    graph: ir.Graph
    document: ir.Json
    draft: str
    notes: tuple[Note, ...]
    type: Any = None
    conditional: bool = False
    parts: int | None = None


def read(source: Any, options: Options) -> Schema:
    """Read a schema from a dict, a boolean, JSON text, a file, a Python type, or what was read before.

    Raises `SchemaError` with a pointer when the source is no schema.

    >>> read('{"enum": [1, 2]}', Options()).graph.root.values
    (1, 2)
    """
    if isinstance(source, Schema):
        return source
    python: Any = None
    if isinstance(source, Path):
        source = _decode(source)
    if isinstance(source, str):
        source = _parse(source)
    elif not isinstance(source, dict | bool):
        from wireshape.read.python import document_of  # noqa: PLC0415 - loads pydantic

        python, source = source, document_of(source)
    try:
        made = read_document(source, options)
    except RecursionError:
        message = CODES["WS114"].template.format(
            what="nested too deeply for the stack that is left here"
        )
        raise SchemaError(message, code="WS114") from None
    return Schema(
        graph=made.graph,
        document=made.document,
        draft=made.draft,
        notes=made.notes,
        type=python,
        conditional=made.conditional,
        parts=made.parts,
    )


def _decode(path: Path) -> str:
    try:
        return path.read_bytes().decode()
    except (OSError, UnicodeDecodeError) as error:
        message = CODES["WS111"].template.format(what=f"the file {str(path)!r} ({error})")
        raise SchemaError(message, code="WS111") from error


def _parse(text: str) -> Any:
    try:
        value = json.loads(text, object_pairs_hook=_distinct, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        message = CODES["WS111"].template.format(what=f"the text ({error})")
        raise SchemaError(message, code="WS111") from error
    if not issubclass(type(value), dict | bool):
        raise _not_a_schema(value)
    return value


def _not_a_schema(value: Any) -> SchemaError:
    message = CODES["WS110"].template.format(
        value=f"{value!r:.80}", keyword="schema", hint="the text must hold an object, true or false"
    )
    return SchemaError(message, code="WS110")


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                message = f"the key {key!r} occurs twice in one object"
                raise ValueError(message)
            seen.add(key)
    return made


def _refuse(name: str) -> Any:
    message = f"{name} is not a JSON number"
    raise ValueError(message)
