"""The predicates of union arms: JSON Schemas judged by jsonschema-rs, built when first asked; they change nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, TypeAlias

import jsonschema_rs

from wireshape import ir
from wireshape.emit import plain
from wireshape.errors import SchemaError
from wireshape.ir import kind_of
from wireshape.regex import with_strict_patterns

Judge: TypeAlias = Callable[[Any], bool]
Document: TypeAlias = dict[str, Any]


def _validator(document: Any) -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator(document, validate_formats=True, offline=True)


_NAMED = frozenset(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"])
_DATA = frozenset(["enum", "const", "default", "examples"])
_MOST_REQUIRED = 1000


def with_required_apart(document: Any) -> Any:
    """Move long lists of required keys of closed objects to an `allOf`; the very same document where there are none.

    Side by side, jsonschema-rs 0.61 builds them in quadratic time: 18 s for 100,000 keys.

    >>> with_required_apart({"required": ["a"], "additionalProperties": False})
    {'required': ['a'], 'additionalProperties': False}
    """
    found: list[list[Any]] = []
    seen: set[int] = set()
    stack: list[tuple[Any, ir.Path, bool]] = [(document, None, False)]
    while stack:
        at, path, named = stack.pop()
        if id(at) in seen:
            continue
        if kind_of(at) is dict or kind_of(at) is list:
            seen.add(id(at))
        if kind_of(at) is dict:
            if not named and _is_long(at):
                found.append(_steps(path))
            for key, part in at.items():
                if named or key not in _DATA:
                    stack.append((part, (path, key), not named and key in _NAMED))
        elif kind_of(at) is list:
            stack.extend([(part, (path, i), False) for i, part in enumerate(at)])
    if not found:
        return document
    copy = json.loads(json.dumps(document))
    for steps in found:
        at = copy
        for step in steps:
            at = at[step]
        at["allOf"] = [*at.get("allOf", []), {"required": at.pop("required")}]
    return copy


def _is_long(schema: dict[str, Any]) -> bool:
    required: Any = schema.get("required")
    return (
        schema.get("additionalProperties") is False
        and kind_of(required) is list
        and len(required) > _MOST_REQUIRED
    )


def _steps(path: ir.Path) -> list[Any]:
    """A path, outermost step first."""
    steps: list[Any] = []
    while path is not None:
        path, step = path
        steps.append(step)
    return steps[::-1]


def _built(document: Any) -> Judge:
    """Build the validator of a 2020-12 schema; what it returns may raise ValueError on a value that is no JSON."""
    document = with_required_apart(document)
    try:
        try:
            return _validator(document).is_valid
        except jsonschema_rs.ValidationError:
            return _validator(with_strict_patterns(document)).is_valid
    except (ValueError, jsonschema_rs.ReferencingError) as error:  # too nested, or no schema
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


_Judged: TypeAlias = tuple[frozenset[str], Judge]


def _judged(document: Document) -> _Judged:
    """The predicate of an arm, and the keys that every object of it has: without them it need not be asked."""
    judge = _built(document)  # which refuses what is no schema
    required: set[str] = set()
    stack: list[Any] = [document]
    for _ in range(_MOST_HEADS):
        if not stack:
            break
        head = stack.pop()
        if kind_of(head) is dict:
            required.update(head.get("required", []))
            stack += head.get("allOf", [])
            name = head.get("$ref", "").removeprefix("#/$defs/")
            stack.append(document.get("$defs", {}).get(name))
    return frozenset(required), judge


_MOST_HEADS = 16  # places that speak about the root of an arm


class _Predicates:
    """Both sides of every arm; validators are built when an arm is first tried."""

    def __init__(self, document: Callable[[int, int], Document]) -> None:
        self._document = document  # the schema of one side (0 wire, 1 source) of an arm
        self._judges: tuple[dict[int, _Judged], dict[int, _Judged]] = {}, {}

    def _ask(self, index: int, side: int, value: Any) -> bool:
        judged = self._judges[side].get(index)
        if judged is None:
            judged = self._judges[side][index] = _judged(self._document(index, side))
        required, asked = judged
        if kind_of(value) is dict and not value.keys() >= required:
            return False
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
        super().__init__(self.document)
        self._arms = arms
        self._defs = wire_defs, source_defs

    def document(self, index: int, side: int) -> Document:
        """The schema of one side of an arm."""
        return plain(ir.Graph(self._arms[index][side], self._defs[side]))

    def written(self) -> Document:
        """Both schemas of every arm, as JSON; each definition is written once, whatever arms refer to it."""
        sides: list[Document] = []
        for side, defs in enumerate(self._defs):
            nodes = tuple([arm[side] for arm in self._arms])
            sides.append(plain(ir.Graph(ir.Tuple(nodes, ir.Any()), defs)))
        wires, sources = [side.get("prefixItems", []) for side in sides]
        out: Document = {
            "arms": [{"wire": w, "source": s} for w, s in zip(wires, sources, strict=True)]
        }
        definitions = {
            name: side["$defs"] for name, side in zip(_SIDES, sides, strict=True) if "$defs" in side
        }
        return {**out, "definitions": definitions} if definitions else out


class WrittenPredicates(_Predicates):
    """From the schemas in an artifact."""

    def __init__(self, written: Document) -> None:
        super().__init__(self.document)
        self._written = written

    def document(self, index: int, side: int) -> Document:
        """The schema of one side of an arm."""
        name = _SIDES[side]
        defs = self._written.get("definitions", {}).get(name, {})
        return {"$defs": defs, "allOf": [self._written["arms"][index][name]]}

    def written(self) -> Document:
        """Both schemas of every arm, as JSON."""
        return self._written


_SIDES = ("wire", "source")
