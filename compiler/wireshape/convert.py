"""One schema in another form: any source as notation, or as the JSON Schema that means the same; no dialect is asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from wireshape import ir
from wireshape.codes import CODES
from wireshape.emit import plain
from wireshape.emit.notation import notation
from wireshape.errors import SchemaError
from wireshape.options import Options
from wireshape.read import read

T = TypeVar("T")

_DEFAULTS = Options()


def to_notation(schema: Any, *, compact: bool = False, options: Options = _DEFAULTS) -> str:
    """Return a schema in the notation: laid out for people, or `compact` for a model.

    `schema` is whatever `compile` takes. Reading the text gives an equal schema again. Raises SchemaError.

    >>> print(to_notation({"type": "object", "properties": {"n": {"type": "integer", "minimum": 1}}, "required": ["n"]}), end="")
    { n: integer @min(1) }
    """
    return _written(schema, options, lambda graph: notation(graph, dense=compact))


def to_json_schema(schema: Any, *, options: Options = _DEFAULTS) -> Any:
    """Return a schema as JSON Schema 2020-12 with exactly its meaning, references merged and resolved.

    `schema` is whatever `compile` takes. Raises SchemaError.

    >>> to_json_schema("{ tags?: string[] @max(3) }")["properties"]
    {'tags': {'type': 'array', 'items': {'type': 'string'}, 'maxItems': 3}}
    """
    return _written(schema, options, plain)


def _written(schema: Any, options: Options, write: Callable[[ir.Graph], T]) -> T:
    graph = read(schema, options).graph
    try:
        return write(graph)
    except RecursionError:
        message = CODES["WS114"].template.format(what="nested too deeply to be written")
        raise SchemaError(message, code="WS114") from None
