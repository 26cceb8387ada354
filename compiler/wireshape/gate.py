"""The gate: judge a value by the conceptual schema, with jsonschema-rs; it never changes a value and never guesses.

What is checked before the validator sees a value, because jsonschema-rs 0.61 was measured to

- overflow the stack (the process dies) on a value some 14,000 levels deep under a recursive schema: depth is capped;
- accept NaN, infinities, tuples, `Decimal`, sets and keys that are no strings wherever no assertion looks at them;
- refuse lone surrogates only in strings that an assertion reads.

A pattern over its backtracking limit is an error of the validator that no `not` turns round, so it always refuses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, Protocol, TypeAlias, cast
from urllib.parse import unquote

import jsonschema_rs

from wireshape import ir
from wireshape.documents import OpenApi, with_uris
from wireshape.errors import SchemaError, ValidationError
from wireshape.ir import kind_of
from wireshape.plain import fault, is_json
from wireshape.predicates import with_required_apart
from wireshape.regex import with_strict_patterns
from wireshape.walk import json_equal

_CODE = "WS601"
_SCHEMA_CODE = "WS110"
_Step: TypeAlias = "str | int"
_Find: TypeAlias = Callable[[str], ir.Json]

_VALIDATORS: Mapping[str, type[jsonschema_rs.Validator]] = {
    "draft4": jsonschema_rs.Draft4Validator,
    "draft6": jsonschema_rs.Draft6Validator,
    "draft7": jsonschema_rs.Draft7Validator,
    "2019-09": jsonschema_rs.Draft201909Validator,
    "2020-12": jsonschema_rs.Draft202012Validator,
    "openapi-3.0": jsonschema_rs.Draft4Validator,
    "openapi-3.1": jsonschema_rs.Draft202012Validator,
}


class _Retrievable(Protocol):
    """The part of `referencing.Registry` that the gate needs."""

    def contents(self, uri: str) -> Any: ...


class Gate:
    """Judge values by one document; the validator is built at first use.

    >>> gate = Gate({"properties": {"age": {"type": "integer"}}}, "2020-12")
    >>> gate.is_valid({"age": 1}), gate.is_valid({"age": "1"}), gate.is_valid({"age": float("nan")})
    (True, False, False)
    >>> gate.check({"age": "1"})
    Traceback (most recent call last):
        ...
    wireshape.errors.ValidationError: WS601 at /age: string where `type` asks for integer; send integer
    """

    __slots__ = ("_assert_formats", "_document", "_draft", "_registry", "_validator")

    def __init__(
        self,
        document: ir.Json,
        draft: str,
        *,
        assert_formats: bool = True,
        registry: Mapping[str, Any] | _Retrievable | None = None,
    ) -> None:
        self._document = document
        self._draft = draft
        self._assert_formats = assert_formats
        self._registry = registry
        self._validator: jsonschema_rs.Validator | None = None

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (self._document, self._draft, self._assert_formats, self._registry)

    @property
    def validator(self) -> jsonschema_rs.Validator:
        """The jsonschema-rs validator itself, for values that are known to be plain JSON."""
        return self._validator or self._build()

    def is_valid(self, value: ir.Json) -> bool:
        """Tell whether `value` is a JSON value that the document accepts; no exception but `SchemaError`."""
        return is_json(value) and self.accepts(value)

    def accepts(self, value: ir.Json) -> bool:
        """Tell the same of a value that is known to be plain JSON of bounded depth, such as a parser's."""
        validator = self._validator or self._build()
        try:
            return validator.is_valid(value)
        except ValueError:  # a lone surrogate (UnicodeEncodeError), or a type that is not JSON
            return False

    def check(self, value: ir.Json) -> None:
        """Raise a `ValidationError` at the most specific cause, unless the document accepts `value`."""
        if not is_json(value):
            where, what = fault(value)
            raise ValidationError(what, code=_CODE, pointer=where)
        validator = self._validator or self._build()
        try:
            if validator.is_valid(value):
                return
            first = _first(validator, value)
        except ValueError as error:
            msg = f"not a JSON value: {error}"
            raise ValidationError(msg, code=_CODE) from error
        cause = _cause(first)
        where = _pointer(_located(value, cause))
        raise ValidationError(_tell(cause), code=_CODE, pointer=where)

    def _build(self) -> jsonschema_rs.Validator:
        try:
            kind = _VALIDATORS[self._draft]
        except KeyError:
            known = ", ".join(_VALIDATORS)
            msg = f"draft {self._draft!r} is not known; use one of {known}"
            raise SchemaError(msg, code="WS115") from None
        document, find = self._document, self._registered
        if self._draft == "openapi-3.0":
            plain = OpenApi(document, self._registry)
            document, find = plain.document, plain.retrieve
        document = with_required_apart(document)
        retrieve = partial(_retrieved, find)
        try:
            try:
                self._validator = self._made(kind, document, retrieve)
            except (ValueError, jsonschema_rs.ReferencingError):
                spelled = with_strict_patterns(with_uris(document))
                if spelled is document:
                    raise
                self._validator = self._made(kind, spelled, retrieve)
        except jsonschema_rs.ValidationError as error:
            raise SchemaError(
                _first_line(error), code=_SCHEMA_CODE, pointer=_pointer(error.instance_path)
            ) from error
        except (ValueError, jsonschema_rs.ReferencingError) as error:
            raise SchemaError(_first_line(error), code=_SCHEMA_CODE) from error
        return self._validator

    def _made(
        self, kind: type[jsonschema_rs.Validator], document: ir.Json, retrieve: _Find
    ) -> jsonschema_rs.Validator:
        return kind(document, validate_formats=self._assert_formats, retriever=retrieve)

    def _registered(self, uri: str) -> ir.Json:
        return _document(self._registry, uri)


def _first(validator: jsonschema_rs.Validator, value: ir.Json) -> jsonschema_rs.ValidationError:
    """Return the first error of a refused value; `iter_errors` would build them all, which may be exponentially many."""
    try:
        validator.validate(value)
    except jsonschema_rs.ValidationError as error:
        return error
    raise AssertionError("the value is refused")


def _rebuild(document: ir.Json, draft: str, assert_formats: bool, registry: Any) -> Gate:
    return Gate(document, draft, assert_formats=assert_formats, registry=registry)


def _retrieved(find: _Find, uri: str) -> ir.Json:
    """Find a document of the registry; asked for only when a reference leads there, and nothing else is fetched."""
    try:
        return with_uris(find(uri))
    except LookupError:
        msg = f"{uri!r} is not in the registry"
        raise ValueError(msg) from None


def _document(registry: Mapping[str, Any] | _Retrievable | None, uri: str) -> ir.Json:
    if registry is None:
        raise LookupError(uri)
    if isinstance(registry, Mapping) and not hasattr(registry, "contents"):
        names = (uri, uri + "#", unquote(uri), unquote(uri) + "#")
        return registry[next((name for name in names if name in registry), uri)]
    return cast("_Retrievable", registry).contents(uri)


def _first_line(error: Exception) -> str:
    return f"the schema does not compile: {str(error).partition(chr(10))[0]}; correct it"


# the most specific cause


def _cause(error: jsonschema_rs.ValidationError) -> jsonschema_rs.ValidationError:
    """Descend into the arm of a union that came furthest; stay at the union when no arm did."""
    while True:
        branches: list[list[jsonschema_rs.ValidationError]] = getattr(error.kind, "context", [])
        firsts = [max(branch, key=_depth) for branch in branches if branch]
        apart = [e for e in firsts if _depth(e) > len(error.instance_path) or not _picks_arm(e)]
        if not apart:
            return error
        best = max(apart, key=_depth)
        if len(apart) > 1 and _depth(best) == len(error.instance_path):
            return error
        error = best


def _located(value: ir.Json, error: jsonschema_rs.ValidationError) -> list[_Step]:
    """The path to what an error is about; jsonschema-rs 0.61 leaves out empty keys, and takes the key "0" for a position."""
    steps = list(error.instance_path)
    stack: list[tuple[Any, int, list[_Step]]] = [(value, 0, [])]
    while stack:
        at, done, path = stack.pop()
        if done == len(steps) and json_equal(at, error.instance):
            return path
        if kind_of(at) is dict and "" in at:
            stack.append((at[""], done, [*path, ""]))
        if done < len(steps):
            key = steps[done]
            if kind_of(at) is dict and str(key) in at:
                stack.append((at[str(key)], done + 1, [*path, key]))
            elif kind_of(at) is list and isinstance(key, int) and key < len(at):
                stack.append((at[key], done + 1, [*path, key]))
    return steps


def _depth(error: jsonschema_rs.ValidationError) -> int:
    branches: list[list[jsonschema_rs.ValidationError]] = getattr(error.kind, "context", [])
    return max([len(error.instance_path), *[_depth(e) for branch in branches for e in branch]])


def _picks_arm(error: jsonschema_rs.ValidationError) -> bool:
    """Whether the error only tells that the value is of another arm."""
    return isinstance(error.kind, _KIND.Type | _KIND.Constant | _KIND.Enum)


_KIND = jsonschema_rs.ValidationErrorKind


def _keyword(error: jsonschema_rs.ValidationError) -> str:
    last = error.schema_path[-1] if error.schema_path else ""
    if isinstance(error.kind, _KIND.FalseSchema):
        named = isinstance(last, str) and last in {
            "additionalProperties",
            "items",
            "additionalItems",
            "unevaluatedProperties",
            "unevaluatedItems",
        }
        return str(last) if named else "false"
    return (
        error.kind.name
        if isinstance(error.kind, _KIND.PropertyNames) or not isinstance(last, str)
        else last
    )


def _tell(error: jsonschema_rs.ValidationError) -> str:
    """Say what is wrong and what to do about it, without repeating the value."""
    kind, word = error.kind, _keyword(error)
    match kind:
        case _KIND.Type(types):
            due = " or ".join(types)
            return f"{_name(error.instance)} where `type` asks for {due}; send {due}"
        case _KIND.Required(key):
            return f"key {key!r} is missing, asked for by `{word}`; add it"
        case _KIND.AdditionalProperties(keys) | _KIND.UnevaluatedProperties(keys):
            return f"undeclared {_listed(keys)} refused by `{word}`; leave them out"
        case _KIND.FalseSchema():
            return f"no value is allowed here by `{word}`; leave it out"
        case _KIND.Enum(options):
            return f"not one of the values of `enum`; send one of {_listed(options)}"
        case _KIND.Constant(due):
            return f"not the value of `const`; send {_brief(due)}"
        case _KIND.Pattern(pattern):
            return f"text in which `pattern` {_brief(pattern)} is not found; send text that matches"
        case _KIND.Format(name):
            return f"text that is no {name!r}, asked for by `format`; send one"
        case _KIND.AnyOf(arms) | _KIND.OneOfNotValid(arms):
            due = " or ".join(_types_due(arms))
            if not due:
                return f"fits no arm of `{word}`; send a value of one arm"
            return f"{_name(error.instance)} where `{word}` asks for {due}; send {due}"
        case _KIND.OneOfMultipleValid():
            return "fits several arms of `oneOf`; send a value of exactly one"
        case _KIND.BacktrackLimitExceeded() | _KIND.RegexEngineFailure():
            return "`pattern` gave up on this text, which counts as refused; simplify the pattern"
        case _KIND.PropertyNames(inner):
            return f"a key is refused by `propertyNames`: {_tell(inner)}"
        case _:
            what, remedy = _BOUNDS.get(word, ("refused by", "correct the value"))
            return f"{what} `{word}`{_operand(kind)}; {remedy}"


_BOUNDS = {
    "minimum": ("less than", "send a number that is not"),
    "maximum": ("greater than", "send a number that is not"),
    "exclusiveMinimum": ("not greater than", "send a number that is"),
    "exclusiveMaximum": ("not less than", "send a number that is"),
}


def _types_due(arms: list[list[jsonschema_rs.ValidationError]]) -> list[str]:
    """The types that the arms of a union ask for, if each arm refuses the value for its type."""
    kinds = [next((e.kind for e in arm if isinstance(e.kind, _KIND.Type)), None) for arm in arms]
    due = [name for kind in kinds if kind is not None for name in kind.types]
    return list(dict.fromkeys(due)) if None not in kinds else []


def _operand(kind: jsonschema_rs.ValidationErrorKind) -> str:
    fields: dict[str, Any] = kind.as_dict()
    limits = [fields[k] for k in ("limit", "multiple_of") if k in fields]
    return f" {limits[0]}" if limits else ""


def _listed(values: list[Any]) -> str:
    shown = ", ".join([_brief(v) for v in values[:8]])
    return f"{shown} and {len(values) - 8} more" if len(values) > 8 else shown


def _brief(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."


def _name(value: Any) -> str:
    if isinstance(value, bool):
        return "boolean"
    names: list[tuple[type, str]] = [
        (dict, "object"),
        (list, "array"),
        (str, "string"),
        (type(None), "null"),
    ]
    return next((name for kind, name in names if isinstance(value, kind)), "number")


def _pointer(path: Iterable[_Step]) -> str:
    return "".join(["/" + str(step).replace("~", "~0").replace("/", "~1") for step in path])
