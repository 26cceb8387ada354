"""Dialect rows: one TOML file of facts becomes one frozen record; code asks the record, never who the provider is.

The defaults of every field describe plain JSON Schema 2020-12, so a row states only what a provider does differently,
and every such fact carries evidence. Built-in rows are trusted at run time (the tests validate them); a user's row is
validated by `dialect_model`, which is imported only then.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import MISSING, asdict, dataclass, field, fields
from difflib import get_close_matches
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Literal, TypeAlias, TypeGuard

from wireshape.api import Api, Delivery, Names
from wireshape.api_protocols import api_of_table
from wireshape.codes import CODES
from wireshape.dialect_grammar import Grammar
from wireshape.errors import DialectError, as_text

Support: TypeAlias = Literal["yes", "no", "ignored"]
"""`no`: refused with an error. `ignored`: accepted and not enforced, so it is never sent."""

NumberSupport: TypeAlias = Literal["yes", "integers", "no", "ignored"]
"""`integers`: enforced on a node of type integer with a whole operand, and not relied on elsewhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Root:
    """What may stand at the root."""

    verbatim: bool = False  # the source document is sent as it is
    object_only: bool = False  # else wrapped under `wrap_key`
    unions: bool = True  # anyOf, oneOf, allOf at the root
    ref: bool = True  # a `$ref` at the root
    bare: bool = False  # the root says `type`, `properties` and `required`, and nothing else
    flat: bool = False  # the root holds no objects, and no lists but those of string enums
    wrap_key: str = "value"


@dataclass(frozen=True, slots=True, kw_only=True)
class Objects:
    """How objects are spelled and read."""

    extras: Literal["schema", "boolean", "false", "unsaid"] = "schema"
    """What `additionalProperties` may hold: any schema; true or false; false and nothing else, on every object; or the keyword is refused."""
    absent_means: Literal["open", "closed"] = "open"
    all_required: bool = False
    empty: bool = True  # an object type without `properties` or with none of them is accepted
    empty_root: bool = False  # one at the root passes the acceptor all the same, and is not written
    properties_required: bool = False  # an object says `properties`, if only `{}`
    some_required: bool = False  # an object requires one of its keys at least
    required_first: bool = False  # required keys are written before the others
    optional_null: bool = False  # what may be left out may be null too: models send null for it
    ordering: Literal["no", "propertyOrdering", "x-order"] = "no"  # the keyword that lists the keys
    titled: bool = False  # an object says `title`
    key_pattern: str | None = None
    key_scope: Literal["top", "all"] = "all"
    pattern_properties: Literal["yes", "closed", "no", "ignored"] = "yes"  # closed: if it is closed
    property_names: Support = "yes"
    property_bounds: Support = "yes"  # minProperties, maxProperties
    property_bound_max: int | None = None  # enforced up to here


@dataclass(frozen=True, slots=True, kw_only=True)
class Nullable:
    """How "or null" is spelled."""

    spelling: Literal["any-of", "type-list", "keyword", "absent"] = "any-of"
    """`absent`: null has no spelling, and the key of a field is left out instead."""
    accepts: frozenset[str] = frozenset({"any-of", "type-list"})
    in_enum: bool = True  # null may be a member of `enum`


@dataclass(frozen=True, slots=True, kw_only=True)
class Tuples:
    """How a list with a schema per position is spelled."""

    encoding: Literal["prefix-items", "fixed-prefix-items", "numbered-object", "items-union"] = (
        "prefix-items"
    )
    """`fixed-prefix-items`: `prefixItems` alone, which says how many there are; other tuples as objects with numbered keys."""
    absent_means: Literal["open", "closed"] = "open"
    """What may follow the positions where `items` is not said."""
    same_as_list: bool = False  # positions that share one schema become a bounded list


@dataclass(frozen=True, slots=True, kw_only=True)
class Anything:
    """How an arbitrary value is spelled."""

    encoding: Literal["empty", "flat", "recursive", "json-text"] = "empty"
    """`{}`; an inline union of the bare types; a recursive definition, its objects as entries where objects are closed; JSON text."""
    typeless: Literal["keep", "root", "type", "split"] = "keep"
    """A schema without `type` keeps all types, is typed by its keywords, or becomes a union of one schema for each type."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unions:
    """Combinators and residual assertions."""

    any_of: Support = "yes"
    one_of: Literal["yes", "as-any-of", "no"] = "yes"  # enforced; read as `anyOf`; refused
    all_of: Literal["yes", "single", "no-ref", "no", "ignored"] = "yes"
    siblings: Literal["any", "annotations", "none"] = "any"  # keywords beside `anyOf`
    negation: Support = "yes"  # not
    conditional: Support = "yes"  # if, then, else
    dependent: Support = "yes"  # dependentRequired, dependentSchemas
    unevaluated: Support = "yes"  # unevaluatedProperties, unevaluatedItems
    fold_constants: bool = False  # a union of constants is only enforced as one enum


@dataclass(frozen=True, slots=True, kw_only=True)
class Refs:
    """Definitions and references."""

    defs: bool = True  # else everything is inlined
    root: bool = True  # `{"$ref": "#"}`
    recursion: Literal["yes", "no", "optional-only"] = "yes"
    siblings: Literal["any", "annotations", "none"] = "any"  # keywords beside `$ref`
    sibling_fix: Literal["wrap", "inline"] = "wrap"
    """In a one-armed `anyOf`, or the target written out."""
    pointers: Literal["any", "definitions"] = "any"
    """What a `$ref` may point at: any place of this document, or `#` and the definitions."""
    keyword: Literal["$defs", "definitions", "$def"] = "$defs"
    inline: bool = False  # small definitions are written out where they are used: models do not see them elsewhere


@dataclass(frozen=True, slots=True, kw_only=True)
class Enums:
    """Which constants may be listed."""

    types: frozenset[str] = frozenset("string number integer boolean null array object".split())
    const: bool = True  # else spelled as a one-value enum
    typed: bool = False  # `type` must stand beside `enum` and `const`
    max_values: int | None = None  # per enum
    text_pattern: str | None = None  # what a listed text is as a whole


@dataclass(frozen=True, slots=True, kw_only=True)
class Strings:
    """What binds strings."""

    formats: frozenset[str] | None = None  # enforced; None: all that JSON Schema defines
    rough_formats: frozenset[str] = frozenset()  # of these, enforced but not to the letter
    other_formats: Support = "ignored"  # formats outside the list
    pattern: Support = "yes"
    several_patterns: bool = True  # as allOf
    one_rule: bool = False  # of format, pattern and lengths only the first that is given binds
    regex: Literal["ecma", "subset", "unspecified", "plain", "python", "rust"] = "ecma"
    r"""The language of patterns, a key of `wireshape.regex.languages`: what `.`, `\d`, `$` match there, what it lacks.
    `plain`: an engine's own, of which nothing of this is known; every shorthand is spelled out."""
    anchoring: Literal["search", "full"] = "search"
    dot_all: bool = False  # `.` matches line terminators too
    forbid: frozenset[str] = frozenset()
    """Features that are refused or ignored, out of `wireshape.regex.FEATURES`. `anchor`: `^` and `$` are left out, which
    needs anchoring 'full'; `json-escape`: the engine compares the JSON text, where a quote is two characters."""
    length: Support = "yes"
    length_max: int | None = None  # enforced up to here


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbers:
    """What binds numbers."""

    bounds: NumberSupport = "yes"  # minimum, maximum
    exclusive: NumberSupport = "yes"
    multiple_of: NumberSupport = "yes"


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrays:
    """What binds lists."""

    items_required: bool = False  # an array must say `items`
    min_items: Literal["yes", "no", "ignored", "0-1"] = "yes"
    max_items: Support = "yes"
    bound_max: int | None = None  # enforced up to here
    object_bounds: bool = True  # bounds on arrays of objects
    unique: Support = "yes"
    contains: Support = "yes"


@dataclass(frozen=True, slots=True, kw_only=True)
class Keywords:
    """Which keywords pass at all."""

    accept: frozenset[str] | None = None  # None: every keyword that `reject` does not name
    unlisted: Literal["no", "ignored"] = "no"  # a keyword that `accept` does not name
    reject: frozenset[str] = frozenset()
    # The annotations that are written. One that is only in `accept` passes the acceptor and is not written.
    annotations: frozenset[str] = frozenset(
        "title description default examples deprecated readOnly writeOnly $comment contentEncoding contentMediaType".split()
    )
    typed_nodes: bool = False  # every node needs a keyword that tells its type
    boolean_schemas: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Documented ceilings; `None` means no documented limit. Only `nesting` has a default, for want of a row that documents one."""

    properties: int | None = None  # over the whole schema
    depth: int | None = None  # containers entered
    depth_scope: Literal["expanded", "definition"] = "expanded"  # references followed, or not
    string_chars: int | None = None  # property names, definition names, enum and const strings
    enum_values: int | None = None  # over all enums
    large_enum_values: int | None = None  # an enum with more values than this ...
    large_enum_chars: int | None = None  # ... may hold this many characters
    optional_params: int | None = None  # per request
    union_params: int | None = None  # per request
    max_items_sum: int | None = None  # per request
    bytes: int | None = None  # of one declaration
    nesting: int = 100  # containers of the document inside one another; many parsers stop at 127


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """What one (provider, mode) accepts and how it reads a schema.

    `draft` is the draft in which the dialect reads ("draft4" ... "2020-12", "openapi-3.0", "openapi-3.1").

    >>> Dialect(id="mine", objects=Objects(all_required=True)).objects.extras
    'schema'
    """

    id: str
    title: str = ""
    family: str = ""
    strict: bool = False
    carriers: tuple[str, ...] = ("output", "tool")
    draft: str = "2020-12"
    root: Root = field(default_factory=Root)
    objects: Objects = field(default_factory=Objects)
    nullable: Nullable = field(default_factory=Nullable)
    tuples: Tuples = field(default_factory=Tuples)
    anything: Anything = field(default_factory=Anything)
    unions: Unions = field(default_factory=Unions)
    refs: Refs = field(default_factory=Refs)
    enums: Enums = field(default_factory=Enums)
    strings: Strings = field(default_factory=Strings)
    numbers: Numbers = field(default_factory=Numbers)
    arrays: Arrays = field(default_factory=Arrays)
    keywords: Keywords = field(default_factory=Keywords)
    limits: Limits = field(default_factory=Limits)
    grammar: Grammar = field(default_factory=Grammar)
    names: Names = field(default_factory=Names)
    delivery: Delivery = field(default_factory=Delivery)
    apis: tuple[Api, ...] | None = None  # None: as the file of the built-in row states them


_PACKAGE = "wireshape.dialects"
SECTIONS: Mapping[str, Callable[[], Any]] = {  # the record of each table of a row
    f.name: f.default_factory for f in fields(Dialect) if f.default_factory is not MISSING
}


def dialects() -> list[str]:
    """List the ids of the built-in rows, sorted.

    >>> "openai-strict" in dialects()
    True
    """
    rows = resources.files(_PACKAGE).iterdir()
    return sorted([f.name.removesuffix(".toml") for f in rows if f.name.endswith(".toml")])


def dialect(name: str) -> Dialect:
    """Load the built-in row of this id once; an unknown id raises `DialectError` and suggests close ones.

    >>> dialect("openai-strict").objects.extras
    'false'
    """
    return loaded(as_text(name))


@cache
def loaded(name: str) -> Dialect:
    """Load a built-in row, once."""
    return build(merged(builtin(name)))


def resolve(d: str | Dialect) -> Dialect:
    """Return a record as it is, and the built-in row for an id."""
    return d if isinstance(d, Dialect) else dialect(d)


def document_of_row(d: Dialect) -> dict[str, Any]:
    """Return a row, every default written out, as a JSON document; `build` reads it back.

    >>> build(document_of_row(dialect("xai-strict"))) == dialect("xai-strict")
    True
    """
    row: dict[str, Any] = json.loads(json.dumps(asdict(d), default=sorted))
    if d.apis is not None:
        row["apis"] = {api.pop("name"): api for api in row["apis"]}
    return row


def load_dialect(path: str | Path) -> Dialect:
    """Read a row of your own; `extends` may name a built-in row.

    An unreadable file, unknown key, bad value or inconsistent row raises `DialectError`, which names file and field. It is read each time.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "mine.toml")
    ...     _ = path.write_text('id = "mine"')
    ...     load_dialect(path).draft
    '2020-12'
    """
    from wireshape.dialect_model import validated_row  # noqa: PLC0415 - pydantic is heavy and only needed here

    return build(validated_row(path))


def merged(row: Mapping[str, Any]) -> dict[str, Any]:
    """Lay a row over the built-in parents that `extends` names: tables key by key, everything else replaced.

    `unset` lists the facts of a parent, or whole tables of them, that do not hold here; `models` is of one row only.

    >>> merged({"id": "x", "extends": "tools-lenient", "root": {"ref": True}, "unset": ["root.unions"]})["root"]
    {'object_only': True, 'ref': True}
    """
    if "extends" not in row:
        return dict(row)
    result = merged(builtin(row["extends"]))
    for word in _OF_ONE_ROW:
        result.pop(word, None)
    for path in row.get("unset", ()):
        table, _, name = path.partition(".")
        if table in result:
            result[table] = {k: v for k, v in result[table].items() if name and k != name}
    for key, value in row.items():
        known: Any = result.get(key)
        result[key] = (
            {**known, **value} if isinstance(value, dict) and isinstance(known, dict) else value
        )
    return result


def build(row: Mapping[str, Any]) -> Dialect:
    """Turn a merged row that is known to be valid into the record."""
    parts: dict[str, Any] = {
        k: v for k, v in row.items() if k not in SECTIONS and k not in _ABOUT_THE_ROW
    }
    if "carriers" in parts:
        parts["carriers"] = tuple(parts["carriers"])
    if row.get("apis") is not None:
        parts["apis"] = tuple([api_of_table(k, v) for k, v in row["apis"].items()])
    for name, factory in SECTIONS.items():
        if name in row:
            parts[name] = factory(**facts_of_table(row[name]))
    return Dialect(**parts)


def facts_of_table(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts of one table as its record holds them: lists become sets."""
    return {k: frozenset(v) if _is_list(v) else v for k, v in table.items()}


_OF_ONE_ROW = ("models", "unset", "evidence")
_ABOUT_THE_ROW = frozenset({"extends", *_OF_ONE_ROW})


def _is_list(value: Any) -> TypeGuard[list[str]]:
    return isinstance(value, list)


@cache
def parts(name: str) -> tuple[str, str, str]:
    """Return the text of a row file: its facts, then its APIs, then its evidence; only the facts are read to compile."""
    if not name.replace("-", "").isalnum():
        raise _unknown(name)
    try:
        text = (resources.files(_PACKAGE) / f"{name}.toml").read_text(encoding="utf-8")
    except OSError:
        raise _unknown(name) from None
    facts, mark, rest = text.partition("\n[evidence]\n")
    facts, head, apis = facts.partition("\n[apis.")
    return facts, head + apis, mark + rest


def _unknown(name: str) -> DialectError:
    known, near = dialects(), get_close_matches(name, dialects(), n=3, cutoff=0.5)
    likely = " or ".join(map(repr, near))
    remedy = f"did you mean {likely}?" if near else f"known are {', '.join(known)}"
    return DialectError(CODES["WS701"].template.format(value=name, remedy=remedy), code="WS701")


@cache
def builtin(name: str) -> dict[str, Any]:
    """Read the facts of one row file as they stand; the result is shared and never changed."""
    return tomllib.loads(parts(name)[0])
