"""Any source becomes a `Schema`: its graph of nodes, an own copy of its document, its draft and the notes of reading."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wireshape import ir, plain_text
from wireshape.codes import CODES
from wireshape.errors import SchemaError, shown
from wireshape.options import Options
from wireshape.read.graph import Document, read_document
from wireshape.report import Note


@dataclass(frozen=True, slots=True, kw_only=True)
class Schema:
    """A source that has been read: pass it to `compile` again to save the reading.

    `document` is an own copy of the source (of the JSON Schema of a Python type), `type` the Python type if it was one. `conditional` tells that
    some assertion binds only where a condition holds, `parts` how many subschemas speak about the value of another one;
    `partly` tells that merging all conjunctions takes too much work, so that some are left; `apart` then is the graph with
    none of them merged, unless a validator would take too many ways through it.

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
    partly: bool = False
    apart: ir.Graph | None = None


def read(source: Any, options: Options) -> Schema:
    """Read a schema from a dict, a boolean, JSON text, notation, a file, a Python type, or what was read before.

    A text that begins as JSON Schema does (`{"type":`, `[{` ...) is JSON, any other one notation, and so are files that end in
    `.shape`. Raises `SchemaError` with a pointer when the source is no schema, `NotationError` with a place in the text.

    >>> read('{"enum": [1, 2]}', Options()).graph.root.values
    (1, 2)
    >>> read('"a" | "b"', Options()).graph.root.values
    ('a', 'b')
    """
    if isinstance(source, Schema):
        return source
    python: Any = None
    text, noted, inline = None, False, False
    if not isinstance(source, _DOCUMENTS):
        if isinstance(source, Path):
            text, noted = _decode(source), source.suffix == ".shape"
        elif isinstance(source, str):
            text, noted, inline = source, is_notation(source), True
        else:
            from wireshape.read.python import document_of  # noqa: PLC0415 - loads pydantic

            python, source = source, document_of(source)
    try:
        if text is None:
            made = read_document(source, options)
        else:
            made = (_noted if noted else _json)(text, options, inline=inline)
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
        partly=made.partly,
        apart=made.apart,
    )


_DOCUMENTS = (dict, bool)


def _noted(text: str, options: Options, *, inline: bool) -> Document:
    from wireshape.notation.source import read_text  # noqa: PLC0415 - loads lark

    return read_text(text, options, inline=inline)


def _json(text: str, options: Options, *, inline: bool) -> Document:  # noqa: ARG001 - as `_noted`
    return read_document(_parse(text), options)


_JSON = re.compile(r"(?:\s*\[)*\s*(?:\Z|\{\s*(?:\"(?:[^\W\d]|\$)[\w$]*\"\s*:|\Z))")


def is_notation(text: str) -> bool:
    """Whether a text is notation: what begins as only JSON does is not, however it goes on."""
    if _JSON.match(text):
        return False
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return True
    return False


def _decode(path: Path) -> str:
    try:
        return path.read_bytes().decode()
    except (OSError, UnicodeDecodeError) as error:
        message = CODES["WS111"].template.format(what=f"the file {str(path)!r} ({error})")
        raise SchemaError(message, code="WS111") from error


def _parse(text: str) -> Any:
    try:
        value = plain_text.load(text)
    except (ValueError, RecursionError) as error:
        message = CODES["WS111"].template.format(what=f"the text ({error})")
        raise SchemaError(message, code="WS111") from error
    if not issubclass(type(value), dict | bool):
        raise _not_a_schema(value)
    return value


def _not_a_schema(value: Any) -> SchemaError:
    message = CODES["WS110"].template.format(
        value=shown(value),
        keyword="schema",
        hint="the text must hold an object, true or false, or a type in the notation",
    )
    return SchemaError(message, code="WS110")
