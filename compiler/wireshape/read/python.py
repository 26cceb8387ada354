"""Turn Python types into JSON Schema documents, and their instances into JSON and back; it reads no schema itself.

The document is pydantic's validation schema by alias, with times as pydantic takes them. Values travel under the same names: `dump` writes what
`load` and the document read, so a field with two aliases is dumped under the one that validates, and computed
fields, which nothing validates, stay out. The only module that imports pydantic; it is reached lazily.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping
from dataclasses import is_dataclass
from functools import lru_cache
from types import GenericAlias
from typing import Any, Final, Literal, TypeAlias, TypeVar, cast

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import (
    PydanticSerializationError,
    SchemaSerializer,
    to_jsonable_python,
)

from wireshape import errors
from wireshape.ir import Json, Path, pointer
from wireshape.plain import is_json
from wireshape.read.kept import loss

Adapter: TypeAlias = TypeAdapter[Any]

_to_text = json.JSONEncoder(allow_nan=False).encode
_FIELDS: Final = frozenset({"model-field", "dataclass-field", "typed-dict-field"})
_SCALARS: Final[frozenset[object]] = frozenset({str, int, float, bool, type(None)})
_CONTAINERS: Final[frozenset[object]] = frozenset({dict, list, tuple})
_OPAQUE: Final = frozenset({"metadata", "default", "expected", "cls", "config"})
"""Keys of a core schema that hold the user's objects, not schemas."""


_DAY: Final = "[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
_CLOCK: Final = r"([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]+)?)?"
_ZONE: Final = "([Zz]|[+-]([01][0-9]|2[0-3]):?[0-5][0-9])"
_SPAN: Final = (
    r"^[+-]?P([0-9]+Y)?([0-9]+M)?([0-9]+W)?([0-9]+D)?(T([0-9]+H)?([0-9]+M)?([0-9]+(\.[0-9]+)?S)?)?$"
)


def _timed(found: Any, schema: Any, what: str, pattern: str) -> Any:
    """Say a time as pydantic reads and writes it; the formats of JSON Schema ask for a zone, which only some types do."""
    zone = schema.get("tz_constraint")
    if zone not in {None, "naive"} or "format" not in found:
        return found
    end = "$" if zone == "naive" else f"{_ZONE}?$"
    return _iso(what, pattern + end)


def _iso(what: str, pattern: str) -> Any:
    """A text that a pattern holds, named for who cannot read patterns; what a field says of itself takes its place."""
    return {"type": "string", "pattern": pattern, "description": f"{what}, ISO 8601"}


class _Document(GenerateJsonSchema):
    """Pydantic's generator without its warnings: a default that is no JSON is left out, which loses no value."""

    ignored_warning_kinds = {"skipped-choice", "non-serializable-default"}  # noqa: RUF012 (pydantic's name and type)

    def complex_schema(self, schema: Any) -> Any:
        return self.handle_invalid_for_json_schema(schema, "complex numbers, which JSON lacks")

    def model_fields_schema(self, schema: Any) -> Any:
        by_name = self._config.populate_by_name or self._config.validate_by_name
        for name, field in schema["fields"].items():
            alias = field.get("validation_alias")
            if alias is not None and not by_name and _validation_name(alias) is None:
                message = f"the field {name!r} is read from a path ({alias!r}) and not from a key of its own; give it an alias that is a key"
                raise errors.SchemaError(message, code="WS150")
        return super().model_fields_schema(schema)

    def datetime_schema(self, schema: Any) -> Any:
        return _timed(
            super().datetime_schema(schema), schema, "date and time", f"^{_DAY}[Tt_ ]{_CLOCK}"
        )

    def time_schema(self, schema: Any) -> Any:
        return _timed(super().time_schema(schema), schema, "time", f"^{_CLOCK}")

    def timedelta_schema(self, schema: Any) -> Any:
        found = super().timedelta_schema(schema)
        return _iso("duration", _SPAN) if found.get("format") == "duration" else found

    def encode_default(self, dft: Any) -> Any:
        encoded = super().encode_default(dft)
        try:
            _to_text(encoded)
        except ValueError as e:  # infinite, or no number
            raise PydanticSerializationError(str(e)) from e
        return encoded


def document_of(tp: Any) -> dict[str, Json]:
    """Return the JSON Schema (2020-12, validation mode, by alias) of whatever a pydantic `TypeAdapter` takes.

    Raises `SchemaError` for what is no type, and for types that JSON Schema cannot describe.

    >>> document_of(list[int])
    {'items': {'type': 'integer'}, 'type': 'array'}
    """
    try:
        return adapter(tp).json_schema(by_alias=True, schema_generator=_Document)
    except errors.SchemaError:
        raise
    except Exception as e:  # runs the user's code, which may raise anything
        raise _unreadable(tp, e) from e


def adapter(tp: Any) -> Adapter:
    """Return the `TypeAdapter` of a type, built once per type; `SchemaError` when there is none.

    >>> adapter(int) is adapter(int)
    True
    """
    if _is_no_type(tp):
        message = f"{_name(tp)} is not a type; pass a Pydantic model, a dataclass, a TypedDict or a type annotation"
        raise errors.SchemaError(message, code="WS150")
    try:
        return _adapter(tp, _name(tp)) if _hashable(tp) else TypeAdapter(tp)
    except Exception as e:  # runs the user's code, which may raise anything
        raise _unreadable(tp, e) from e


@lru_cache(maxsize=512)
def _adapter(tp: Any, _text: str) -> Adapter:
    """`_text` tells apart what `typing` calls equal: `int | str` and `str | int`, literals in another order."""
    return TypeAdapter(tp)


def dump(tp: Any, value: Any) -> Json:
    """Return the JSON of a value that may hold instances anywhere; a plain JSON value is returned as it is.

    Raises `EncodeError` when something in it cannot be written as JSON.

    >>> import datetime as dt
    >>> dump(dict[str, dt.date], {"d": dt.date(2026, 1, 2)})
    {'d': '2026-01-02'}
    """
    try:
        return value if is_json(value) else _dump(tp, value)
    except RecursionError as e:
        message = "the value is nested too deep or contains itself"
        raise errors.EncodeError(message, code="WS603") from e


def load(tp: Any, value: Json) -> Any:
    """Return the instance that a JSON value stands for; `ValidationError` with the place of the first problem,
    and the others in `more`. What a validator of the type raises, whatever it is, is one, too, at the root, and its cause.

    >>> load(tuple[int, int], [1, 2])
    (1, 2)
    """
    try:
        text = _to_text(value)
    except (RecursionError, ValueError) as e:
        raise _no_json(e) from e
    try:
        return adapter(tp).validate_json(text, by_alias=True)
    except ValidationError as e:
        found = e.errors(include_url=False, include_context=False)[: 1 + _MORE]
        (place, message), *more = [
            _problem(value, one["loc"], one["type"], one["msg"]) for one in found
        ]
        error = errors.ValidationError(message, code="WS602", pointer=place)
        error.more = tuple(more)
        raise error from e
    except (RecursionError, ValueError) as e:
        raise _no_json(e) from e
    except errors.SchemaError:
        raise
    except Exception as e:  # runs the user's code, which may raise anything
        message = f"a validator of {_name(tp)} failed with {type(e).__name__}"
        raise errors.ValidationError(message, code="WS602") from e


_MORE: Final = 8
"""Problems of one value that are told, beside the first."""


def _no_json(cause: Exception) -> errors.ValidationError:
    return errors.ValidationError(f"the value is not JSON: {cause}", code="WS602")


def _problem(value: Json, loc: tuple[int | str, ...], kind: str, told: str) -> tuple[str, str]:
    """The place of what pydantic tells, and its words."""
    place, missing = _place(value, loc)
    return place, f"{told}: {missing!r}" if kind == "missing" else told


def _unreadable(tp: Any, cause: Exception) -> errors.SchemaError:
    name = _name(tp)
    reason = " ".join(str(cause).split("\n\n", maxsplit=1)[0].split())
    return errors.SchemaError(f"{name} has no JSON Schema: {reason}", code="WS150")


def _name(tp: Any) -> str:
    """Write a type; what the user's own code would write is not asked for, since it may raise."""
    if isinstance(tp, type) and _kind(tp) is not GenericAlias:  # which claims to be a type
        return tp.__qualname__
    return errors.shown(tp) if _is_typing(tp) else object.__repr__(tp)


def _is_no_type(tp: Any) -> bool:
    if inspect.isroutine(tp) or isinstance(tp, str | TypeVar):
        return True
    return not (isinstance(tp, type) or _is_typing(tp))


def _is_typing(tp: Any) -> bool:
    return type(tp).__module__ in _TYPING


_TYPING: Final = frozenset({"typing", "typing_extensions", "types", "builtins", "collections.abc"})


def _hashable(tp: Any) -> bool:
    try:
        hash(tp)
    except TypeError:
        return False
    return True


def _kind(value: object) -> object:
    return type(value)


def _dump(tp: Any, value: Any) -> Json:
    """Dump by the declared type where the value is one of it, else each instance by its own type."""
    try:
        written = _serializer(tp)(value, strict=True)
    except ValueError:
        return _dump_mixed(value, None)
    try:
        _check_kept(tp, value, written, None)
    except errors.EncodeError:
        if _kind(value) in _CONTAINERS:  # each instance in it may be written by its own type
            return _dump_mixed(value, None)
        raise
    return written


def _check_kept(tp: Any, value: Any, written: Json, at: Path) -> None:
    """Refuse an instance that its JSON does not stand for."""
    try:
        found = loss(value, load(tp, written), load, at)
    except errors.ValidationError as e:
        message = f"what {type(value).__qualname__} is written as is not valid for {_name(tp)}: {e.args[0]}"
        where = pointer(at) + e.pointer
        raise errors.EncodeError(message, code="WS603", pointer=where) from e
    if found is None:
        return
    if found.came == found.was:
        what = f"{found.was} does not come back as it was: its type hides, leaves out or changes it in JSON"
    elif found.came is None:
        what = f"{found.was} is left out when {_name(tp)} is written as JSON, which does not declare it"
    else:
        what = f"is {found.was} where {found.came} is declared, and would come back as that"
    message = f"{what}; give an instance of the declared type, or a plain JSON value"
    raise errors.EncodeError(message, code="WS603", pointer=pointer(found.at))


def _dump_mixed(value: Json, at: Path) -> Json:
    kind = _kind(value)
    if kind is dict:
        named = [(_key(k, at), v) for k, v in value.items()]
        return {k: _dump_mixed(v, (at, k)) for k, v in named}
    if kind in _CONTAINERS:
        return [_dump_mixed(v, (at, i)) for i, v in enumerate(value)]
    if kind in _SCALARS:
        return value
    try:
        if isinstance(value, BaseModel) or is_dataclass(value):
            written = _serializer(kind)(value, strict=False)
            _check_kept(kind, value, written, at)
            return written
        return to_jsonable_python(value)
    except ValueError as e:
        message = f"{type(value).__qualname__} cannot be written as JSON: {e}"
        raise errors.EncodeError(message, code="WS603", pointer=pointer(at)) from e


def _key(key: Any, at: Path) -> str:
    try:
        return str(next(iter(to_jsonable_python({key: None}))))
    except ValueError as e:
        message = f"the key {errors.shown(key)} cannot be written as JSON: {e}"
        raise errors.EncodeError(message, code="WS603", pointer=pointer(at)) from e


class _Serializer:
    """Writes instances under the names that validate, computed fields left out."""

    def __init__(self, found: Adapter) -> None:
        core = found.core_schema
        renamed = _as_validated(core)
        own = renamed is not core
        # A model brings its prebuilt serializer, which knows the original aliases only.
        self._write = (
            SchemaSerializer(renamed, None, _use_prebuilt=False) if own else found.serializer
        )

    def __call__(self, value: Any, *, strict: bool) -> Json:
        """Write JSON-ready data; `strict` raises a `ValueError` when the value is not of the type."""
        warnings: Literal["error", "none"] = "error" if strict else "none"
        try:
            return self._write.to_python(
                value, mode="json", by_alias=True, round_trip=True, warnings=warnings
            )
        except (TypeError, AttributeError) as e:  # a class, not an instance
            raise ValueError(str(e)) from e


def _serializer(tp: Any) -> _Serializer:
    return _cached_serializer(tp, _name(tp)) if _hashable(tp) else _Serializer(adapter(tp))


@lru_cache(maxsize=512)
def _cached_serializer(tp: Any, _text: str) -> _Serializer:
    return _Serializer(adapter(tp))


def _as_validated(schema: Any) -> Any:
    """Return a core schema that serializes by the aliases it validates; the same object when it already does."""
    if isinstance(schema, Mapping):
        found = cast("Mapping[str, Any]", schema)
        changed = {k: v if k in _OPAQUE else _as_validated(v) for k, v in found.items()}
        if found.get("type") in _FIELDS:
            _align(changed)
        same = len(changed) == len(found) and all([changed.get(k) is v for k, v in found.items()])
        return found if same else changed
    kind = _kind(schema)
    if kind is list or kind is tuple:
        new = [_as_validated(v) for v in schema]
        same = all([a is b for a, b in zip(new, schema, strict=True)])
        return schema if same else new if kind is list else tuple(new)
    return schema


def _align(field: dict[str, Any]) -> None:
    alias = _validation_name(field.get("validation_alias"))
    if alias == field.get("serialization_alias"):
        return
    if alias is None:
        del field["serialization_alias"]
    else:
        field["serialization_alias"] = alias


def _validation_name(alias: Any) -> str | None:
    """Name a field as pydantic's JSON Schema does: the alias, or the first choice that is a single key."""
    if alias is None or isinstance(alias, str):
        return alias
    paths = [path for path in cast("list[Any]", alias) if _kind(path) is list]
    return next((p[0] for p in paths if len(p) == 1 and isinstance(p[0], str)), None)


def _place(value: Json, loc: tuple[int | str, ...]) -> tuple[str, int | str | None]:
    """Follow an error's place through the value, past the labels that pydantic adds for union members.

    Returns the JSON pointer, and the last key when the value has no such place.
    """
    at: Path = None
    missing: int | str | None = None
    for key in loc:
        kind = _kind(value)
        missing = None
        if (kind is dict and key in value) or (
            kind is list and isinstance(key, int) and -1 < key < len(value)
        ):
            at, value = (at, key), value[key]
        else:
            missing = key
    return pointer(at), missing
