"""One schema in another form: any source as notation, or as the JSON Schema that means the same; no dialect is asked."""

from __future__ import annotations

from typing import Any

from wireshape.codes import CODES
from wireshape.emit import plain
from wireshape.emit.notation import notation
from wireshape.errors import SchemaError
from wireshape.options import Options
from wireshape.read import read

_DEFAULTS = Options()


def to_notation(schema: Any, *, compact: bool = False, options: Options = _DEFAULTS) -> str:
    """Return a schema in the notation: laid out for people, or `compact` for a model.

    `schema` is whatever `compile` takes. Reading the text gives an equal schema again. Raises SchemaError.

    >>> print(to_notation({"type": "object", "properties": {"n": {"type": "integer", "minimum": 1}}, "required": ["n"]}), end="")
    { n: integer @min(1) }
    """
    source = read(schema, options)
    try:
        return notation(source.graph, dense=compact)
    except RecursionError:
        raise _too_deep() from None


def to_json_schema(schema: Any, *, options: Options = _DEFAULTS) -> Any:
    """Return a schema as JSON Schema 2020-12 with exactly its meaning, references merged and resolved.

    `schema` is whatever `compile` takes. Raises SchemaError.

    >>> to_json_schema("{ tags?: string[] @max(3) }")["properties"]
    {'tags': {'type': 'array', 'items': {'type': 'string'}, 'maxItems': 3}}
    """
    source = read(schema, options)
    try:
        return plain(source.graph)
    except RecursionError:
        raise _too_deep() from None


def _too_deep() -> SchemaError:
    message = CODES["WS114"].template.format(what="nested too deeply to be written")
    return SchemaError(message, code="WS114")
