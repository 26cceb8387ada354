"""The predicates of union arms: JSON Schemas judged by jsonschema-rs, built when first asked; they change nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, TypeAlias

import jsonschema_rs

from wireshape import ir
from wireshape.emit import plain
from wireshape.errors import SchemaError
from wireshape.regex import with_strict_patterns

Judge: TypeAlias = Callable[[Any], bool]
Document: TypeAlias = dict[str, Any]


def _validator(document: Any) -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator(document, validate_formats=True, offline=True)


def judge(document: Any) -> Judge:
    """Build the predicate of a 2020-12 schema; a value that is no JSON does not belong."""
    try:
        try:
            validator = _validator(document)
        except jsonschema_rs.ValidationError:
            validator = _validator(with_strict_patterns(document))
    except ValueError as error:  # more nested than the validator follows
        message = f"the schema cannot be judged ({error}); name parts of it as definitions"
        raise SchemaError(message, code="WS114") from error

    def is_valid(value: Any) -> bool:
        try:
            return validator.is_valid(value)
        except ValueError:
            return False

    return is_valid


@lru_cache(maxsize=2048)
def _finder(regex: str) -> Judge:
    return judge({"pattern": regex})


def found(regex: str, key: str) -> bool:
    """Tell whether an ECMA-262 regular expression is found in a key.

    >>> found("^x-", "x-trace")
    True
    """
    return _finder(regex)(key)


class ArmPredicates:
    """Both sides of every arm; the schemas are written only when an arm is first tried."""

    def __init__(
        self,
        arms: tuple[tuple[ir.Node, ir.Node], ...],
        wire_defs: Mapping[str, ir.Node],
        source_defs: Mapping[str, ir.Node],
    ) -> None:
        self._arms = arms
        self._defs = wire_defs, source_defs
        self._judges: dict[tuple[int, int], Judge] = {}

    def documents(self) -> list[dict[str, Document]]:
        """Both schemas of every arm, as JSON."""
        return [
            {"wire": self._document(i, 0), "source": self._document(i, 1)}
            for i in range(len(self._arms))
        ]

    def _document(self, index: int, side: int) -> Document:
        return plain(ir.Graph(self._arms[index][side], self._defs[side]))

    def _judge(self, index: int, side: int) -> Judge:
        known = self._judges.get((index, side))
        if known is None:
            known = self._judges[index, side] = judge(self._document(index, side))
        return known

    def wire(self, index: int, value: Any) -> bool:
        """Whether a wire value belongs to the arm."""
        return self._judge(index, 0)(value)

    def source(self, index: int, value: Any) -> bool:
        """Whether a conceptual value belongs to the arm."""
        return self._judge(index, 1)(value)

    def found(self, regex: str, key: str) -> bool:
        """Whether the ECMA-262 `regex` is found in `key`."""
        return found(regex, key)


class WrittenPredicates:
    """The same, from the documents of an artifact."""

    def __init__(self, documents: list[dict[str, Document]]) -> None:
        self._documents = documents
        self._judges: dict[tuple[int, str], Judge] = {}

    def documents(self) -> list[dict[str, Document]]:
        """Both schemas of every arm, as JSON."""
        return self._documents

    def _judge(self, index: int, side: str) -> Judge:
        known = self._judges.get((index, side))
        if known is None:
            known = self._judges[index, side] = judge(self._documents[index][side])
        return known

    def wire(self, index: int, value: Any) -> bool:
        """Whether a wire value belongs to the arm."""
        return self._judge(index, "wire")(value)

    def source(self, index: int, value: Any) -> bool:
        """Whether a conceptual value belongs to the arm."""
        return self._judge(index, "source")(value)

    def found(self, regex: str, key: str) -> bool:
        """Whether the ECMA-262 `regex` is found in `key`."""
        return found(regex, key)
