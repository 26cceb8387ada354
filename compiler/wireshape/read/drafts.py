"""The drafts as data: which keywords each defines, how they are grouped, which formats it asserts; it reads nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

# Groups of keywords. Positive ones are bits that a schema's keys add up to.
TYPE: Final = 1
NUM: Final = 2
STR: Final = 4
ARR: Final = 8
OBJ: Final = 16
LIT: Final = 32
COMB: Final = 64
REF: Final = 128
NULLABLE: Final = 256
UNEV: Final = 512

TEXT: Final = -1  # annotation, a string
VALUE: Final = -2  # annotation, any value
FLAG: Final = -3  # annotation, a boolean
LISTED: Final = -4  # annotation, an array
SILENT: Final = -5  # says nothing about values
NAME: Final = -6  # an identifier, a string
FORMAT: Final = -7
DEFS: Final = -8  # an object of schemas
ASIDE: Final = -9  # a schema that asserts nothing
ANCHOR: Final = -12
UNKNOWN: Final = -11
SWITCH: Final = -10  # $recursiveAnchor

Shape: TypeAlias = Literal["one", "list", "map", "one-or-list", "dependencies"]

SHAPES: dict[str, Shape] = {
    **dict.fromkeys(
        "additionalItems additionalProperties contains contentSchema else if not propertyNames then unevaluatedItems unevaluatedProperties".split(),
        "one",
    ),
    **dict.fromkeys("allOf anyOf oneOf prefixItems".split(), "list"),
    **dict.fromkeys(
        "$defs definitions dependentSchemas patternProperties properties".split(), "map"
    ),
    "items": "one-or-list",
    "dependencies": "dependencies",
}
"""Where a keyword holds subschemas."""

REFERENCES: Final = ("$ref", "$dynamicRef", "$recursiveRef")
"""The keywords that refer to a schema, of whatever draft."""

_ANYWHERE: dict[str, int] = {
    **dict.fromkeys(
        "$comment contentEncoding contentMediaType default deprecated discriminator example examples readOnly writeOnly".split(),
        VALUE,
    ),
    **dict.fromkeys("xml externalDocs contentSchema $vocabulary".split(), SILENT),
}

_DRAFT4: dict[str, int] = {
    **_ANYWHERE,
    "title": TEXT,
    "description": TEXT,
    "type": TYPE,
    **dict.fromkeys("maximum minimum exclusiveMaximum exclusiveMinimum multipleOf".split(), NUM),
    **dict.fromkeys("maxLength minLength pattern".split(), STR),
    "format": FORMAT,
    **dict.fromkeys("additionalItems items maxItems minItems uniqueItems".split(), ARR),
    **dict.fromkeys("additionalProperties maxProperties minProperties patternProperties properties required".split(), OBJ),
    "dependencies": OBJ | COMB,
    "enum": LIT,
    **dict.fromkeys("allOf anyOf oneOf not".split(), COMB),
    "$ref": REF,
    "definitions": DEFS,
    "$schema": NAME,
    "id": NAME,
}  # fmt: skip

_DRAFT6: dict[str, int] = {
    **{k: v for k, v in _DRAFT4.items() if k != "id"},
    "$id": NAME,
    "const": LIT,
    "contains": ARR | COMB,
    "propertyNames": OBJ,
    "examples": LISTED,
}

_DRAFT7: dict[str, int] = {
    **_DRAFT6,
    **dict.fromkeys("if then else".split(), COMB),
    **dict.fromkeys("$comment contentEncoding contentMediaType".split(), TEXT),
    **dict.fromkeys("readOnly writeOnly".split(), FLAG),
}

_DRAFT2019: dict[str, int] = {
    **_DRAFT7,
    "$defs": DEFS,
    "$anchor": ANCHOR,
    "$recursiveRef": REF,
    "$recursiveAnchor": SWITCH,
    **dict.fromkeys("maxContains minContains".split(), ARR),
    **dict.fromkeys("dependentRequired dependentSchemas".split(), OBJ | COMB),
    **dict.fromkeys("unevaluatedItems unevaluatedProperties".split(), UNEV),
    "deprecated": FLAG,
    "contentSchema": ASIDE,
}

_DRAFT2020: dict[str, int] = {
    **{
        k: v
        for k, v in _DRAFT2019.items()
        if k not in {"$recursiveRef", "$recursiveAnchor", "additionalItems"}
    },
    "$dynamicRef": REF,
    "$dynamicAnchor": ANCHOR,
    "$recursiveAnchor": ANCHOR,
    "$recursiveRef": NAME,
    "prefixItems": ARR,
}

# What jsonschema-rs 0.61 asserts with `validate_formats=True`, measured per draft 2026-12-01.
_FORMATS4 = frozenset("date date-time time email idn-email hostname ipv4 ipv6 uri regex".split())
_FORMATS6 = _FORMATS4 | frozenset("uri-reference uri-template json-pointer".split())
_FORMATS7 = _FORMATS6 | frozenset("idn-hostname iri iri-reference relative-json-pointer".split())
_FORMATS2019 = _FORMATS7 | {"duration", "uuid"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Spec:
    """One draft. `level` orders them: 4, 6, 7, 2019, 2020."""

    name: str
    level: int
    groups: dict[str, int]
    formats: frozenset[str]
    uri: str
    nullable: bool = False
    silent: frozenset[str] = frozenset()
    """Keywords of a vocabulary that the source's own metaschema does not use."""

    @property
    def id_key(self) -> str:
        """The keyword that names a resource."""
        return "id" if self.level == 4 else "$id"


SPECS: dict[str, Spec] = {
    spec.name: spec
    for spec in (
        Spec(name="draft4", level=4, groups=_DRAFT4, formats=_FORMATS4, uri="http://json-schema.org/draft-04/schema"),
        Spec(name="draft6", level=6, groups=_DRAFT6, formats=_FORMATS6, uri="http://json-schema.org/draft-06/schema"),
        Spec(name="draft7", level=7, groups=_DRAFT7, formats=_FORMATS7, uri="http://json-schema.org/draft-07/schema"),
        Spec(name="2019-09", level=2019, groups=_DRAFT2019, formats=_FORMATS2019, uri="https://json-schema.org/draft/2019-09/schema"),
        Spec(name="2020-12", level=2020, groups=_DRAFT2020, formats=_FORMATS2019, uri="https://json-schema.org/draft/2020-12/schema"),
        Spec(name="openapi-3.0", level=4, groups={**_DRAFT4, "nullable": NULLABLE}, formats=_FORMATS4, uri="https://spec.openapis.org/oas/3.0/schema", nullable=True),
        Spec(name="openapi-3.1", level=2020, groups=_DRAFT2020, formats=_FORMATS2019, uri="https://spec.openapis.org/oas/3.1/dialect/base"),
    )
}  # fmt: skip

VALIDATION = frozenset(
    "type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems minItems uniqueItems maxContains minContains maxProperties minProperties required dependentRequired".split()
)
"""The keywords of the validation vocabulary, which a metaschema may leave out."""

_ALIASES: dict[str, str] = {
    **{name: name for name in SPECS},
    **{f"draft{n}": f"draft{n}" for n in (4, 6, 7)},
    **{f"draft-0{n}": f"draft{n}" for n in (4, 6, 7)},
    **{f"draft0{n}": f"draft{n}" for n in (4, 6, 7)},
    **{f"draft-{n}": f"draft{n}" for n in (4, 6, 7)},
    **{f"{p}{n}": n for p in ("draft", "draft-", "draft/") for n in ("2019-09", "2020-12")},
    "draft201909": "2019-09",
    "draft202012": "2020-12",
    **{f"{p}{n}": f"openapi-{n}" for p in ("openapi", "openapi ", "oas", "oas-") for n in ("3.0", "3.1")},
}  # fmt: skip

_BY_URI: dict[str, str] = {spec.uri.split("://")[1]: spec.name for spec in SPECS.values()}


def spec_named(name: str) -> Spec | None:
    """Return the draft of that name or alias."""
    canonical = _ALIASES.get(name.lower())
    return None if canonical is None else SPECS[canonical]


def spec_of_uri(uri: str) -> Spec | None:
    """Return the draft whose metaschema has that URI, over http or https, with or without an empty fragment."""
    canonical = _BY_URI.get(uri.rstrip("#").rstrip("/").partition("://")[2])
    return None if canonical is None else SPECS[canonical]
