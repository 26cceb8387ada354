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


def _built(document: Any) -> Judge:
    """Build the validator of a 2020-12 schema; what it returns may raise ValueError on a value that is no JSON."""
    try:
        try:
            return _validator(document).is_valid
        except jsonschema_rs.ValidationError:
            return _validator(with_strict_patterns(document)).is_valid
    except ValueError as error:  # more nested than the validator follows
        message = f"the schema cannot be judged ({error}); name parts of it as definitions"
        raise SchemaError(message, code="WS114") from error


def judge(document: Any) -> Judge:
    """Build the predicate of a 2020-12 schema; a value that is no JSON does not belong."""
    asked = _built(document)

    def is_valid(value: Any) -> bool:
        try:
            return asked(value)
        except ValueError:
            return False

    return is_valid


@lru_cache(maxsize=2048)
def _finder(regex: str) -> Judge:
    return _built({"pattern": regex})


def found(regex: str, key: str) -> bool:
    """Tell whether an ECMA-262 regular expression is found in a key.

    >>> found("^x-", "x-trace")
    True
    """
    try:
        return _finder(regex)(key)
    except ValueError:  # a lone surrogate
        return False


class _Predicates:
    """Both sides of every arm; validators are built when an arm is first tried."""

    def __init__(self) -> None:
        self._judges: tuple[dict[int, Judge], dict[int, Judge]] = {}, {}

    def document(self, index: int, side: int) -> Document:
        """The schema of one side (0 wire, 1 source) of an arm, as JSON."""
        raise NotImplementedError

    def _ask(self, index: int, side: int, value: Any) -> bool:
        asked = self._judges[side].get(index)
        if asked is None:
            asked = self._judges[side][index] = _built(self.document(index, side))
        try:
            return asked(value)
        except ValueError:
            return False

    def wire(self, index: int, value: Any) -> bool:
        """Whether a wire value belongs to the arm."""
        return self._ask(index, 0, value)

    def source(self, index: int, value: Any) -> bool:
        """Whether a conceptual value belongs to the arm."""
        return self._ask(index, 1, value)

    def found(self, regex: str, key: str) -> bool:
        """Whether the ECMA-262 `regex` is found in `key`."""
        return found(regex, key)


class ArmPredicates(_Predicates):
    """From nodes; the schemas are written only when an arm is first tried."""

    def __init__(
        self,
        arms: tuple[tuple[ir.Node, ir.Node], ...],
        wire_defs: Mapping[str, ir.Node],
        source_defs: Mapping[str, ir.Node],
    ) -> None:
        super().__init__()
        self._arms = arms
        self._defs = wire_defs, source_defs

    def documents(self) -> list[dict[str, Document]]:
        """Both schemas of every arm, as JSON."""
        return [
            {"wire": self.document(i, 0), "source": self.document(i, 1)}
            for i in range(len(self._arms))
        ]

    def document(self, index: int, side: int) -> Document:
        """The schema of one side of an arm."""
        return plain(ir.Graph(self._arms[index][side], self._defs[side]))


class WrittenPredicates(_Predicates):
    """From the documents of an artifact."""

    def __init__(self, documents: list[dict[str, Document]]) -> None:
        super().__init__()
        self._documents = documents

    def documents(self) -> list[dict[str, Document]]:
        """Both schemas of every arm, as JSON."""
        return self._documents

    def document(self, index: int, side: int) -> Document:
        """The schema of one side of an arm."""
        return self._documents[index][_SIDES[side]]


_SIDES = ("wire", "source")
