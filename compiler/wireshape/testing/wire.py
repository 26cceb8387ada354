"""The wire's own judge: a plain JSON Schema validator of what was compiled, in the dialect's reading."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import jsonschema_rs

from wireshape import reading
from wireshape.compiled import Compiled
from wireshape.gate import Gate
from wireshape.regex import with_strict_patterns


class WireValidator:
    """Judge wire values by `c.schema` as the dialect reads it, formats asserted; knows nothing of the codec."""

    __slots__ = ("_validator", "schema")

    def __init__(self, schema: Any, validator: jsonschema_rs.Validator) -> None:
        self.schema = schema
        self._validator = validator

    def is_valid(self, wire: Any) -> bool:
        """Tell whether the wire schema accepts `wire`; text that is no Unicode is refused."""
        try:
            return self._validator.is_valid(wire)
        except ValueError:
            return False

    def iter_errors(self, wire: Any) -> Iterator[jsonschema_rs.ValidationError]:
        """Yield jsonschema-rs errors."""
        return iter(self._validator.iter_errors(wire))


def wire_validator(compiled: Compiled) -> WireValidator:
    """Return a validator of the wire schema, independent of the compiler.

    >>> import wireshape as ws
    >>> judge = wire_validator(ws.compile({"type": "object", "properties": {"n": {"type": "integer"}}}, "openai-strict"))
    >>> judge.is_valid({"n": None}), judge.is_valid({})
    (True, False)
    """
    if compiled.dialect.root.verbatim:
        source = json.loads(compiled.to_json())["source"]
        gate = Gate(
            compiled.schema,
            source["draft"],
            assert_formats=source["assert_formats"],
            registry=source.get("registry"),
        )
        return WireValidator(compiled.schema, gate.validator)
    schema = reading.as_json_schema(compiled.schema, compiled.dialect)
    return WireValidator(schema, _validator(schema))


def _validator(schema: Any) -> jsonschema_rs.Validator:
    kind = jsonschema_rs.Draft202012Validator
    try:
        return kind(schema, validate_formats=True, offline=True)
    except jsonschema_rs.ValidationError:
        return kind(with_strict_patterns(schema), validate_formats=True, offline=True)
