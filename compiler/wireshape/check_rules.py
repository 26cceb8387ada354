"""The rules of a dialect for one schema node: each asks the row and yields what breaks it.

References, recursion and limits span nodes and are elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Final

from wireshape.check_texts import NULL, Finding, quoted, remedy_of
from wireshape.check_texts import broken as _broken
from wireshape.check_walk import (
    Schema,
    Site,
    is_list,
    is_object,
    items_of,
    kind_of,
    required,
    table,
    types_of,
)
from wireshape.dialect import Dialect
from wireshape.ir import Json, Path
from wireshape.regex import features, refused

PREFIXES: Final = ("prefix-items", "fixed-prefix-items")

Target = Callable[[Json], Json]
"""Follow the references of a schema to the schema that they name."""

_AT_THE_TOP = frozenset("$defs definitions $schema $id".split())
_COMBINATORS = ("anyOf", "oneOf", "allOf")
ANNOTATIONS: Final = frozenset(
    "title description default examples deprecated readOnly writeOnly $comment example".split()
)


class Gates:
    """Which keywords pass in a row, by keyword; computed once for a check."""

    def __init__(self, d: Dialect) -> None:
        self.dialect = d
        self.known: dict[str, tuple[str, str] | None] = {}
        self.support = _support(d)

    def verdict(self, keyword: str) -> tuple[str, str] | None:
        """Return code and field of the rule that stops a keyword, `None` when it passes."""
        if keyword not in self.known:
            self.known[keyword] = self._judge(keyword)
        return self.known[keyword]

    def closed(self, keyword: str) -> bool:
        """Tell whether a keyword is stopped, so that nobody need look into it."""
        return self.verdict(keyword) is not None

    def _judge(self, keyword: str) -> tuple[str, str] | None:
        field, support = self.support.get(keyword, ("", "yes"))
        words = self.dialect.keywords
        if support != "yes":
            code = "WS402" if support == "ignored" else "WS411" if keyword == "const" else "WS401"
            return code, field
        if keyword in words.reject:
            return "WS401", "keywords.reject"
        if words.accept is not None:
            code = "WS402" if words.unlisted == "ignored" else "WS401"
            return None if keyword in words.accept else (code, "keywords.accept")
        if keyword in ANNOTATIONS and keyword not in words.annotations and keyword != "example":
            return "WS401", "keywords.annotations"
        return None


@lru_cache(maxsize=64)
def _support(d: Dialect) -> dict[str, tuple[str, str]]:
    """Pair each keyword that the row speaks about with the field and its answer."""
    plain = "yes" if d.refs.defs else "no"
    all_of = d.unions.all_of if d.unions.all_of in ("no", "ignored") else "yes"
    rows = (
        ("patternProperties", "objects.pattern_properties", _mostly(d.objects.pattern_properties)),
        ("propertyNames", "objects.property_names", d.objects.property_names),
        ("minProperties maxProperties", "objects.property_bounds", d.objects.property_bounds),
        *[
            (word, "objects.ordering", "yes" if d.objects.ordering == word else "ignored")
            for word in ("propertyOrdering", "x-order")
        ],
        ("additionalProperties", "objects.extras", "no" if d.objects.extras == "unsaid" else "yes"),
        (
            "nullable",
            "nullable.accepts",
            "yes" if "keyword" in d.nullable.accepts else _unread("nullable", d),
        ),
        (
            "prefixItems additionalItems",
            "tuples.encoding",
            "yes" if d.tuples.encoding in PREFIXES else "no",
        ),
        ("anyOf", "unions.any_of", d.unions.any_of),
        ("oneOf", "unions.one_of", "no" if d.unions.one_of == "no" else "yes"),
        ("allOf", "unions.all_of", all_of),
        ("not", "unions.negation", d.unions.negation),
        ("if then else", "unions.conditional", d.unions.conditional),
        ("dependentRequired dependentSchemas dependencies", "unions.dependent", d.unions.dependent),
        ("unevaluatedProperties unevaluatedItems", "unions.unevaluated", d.unions.unevaluated),
        ("$ref $defs definitions $def $dynamicRef $recursiveRef", "refs.defs", plain),
        ("const", "enums.const", "yes" if d.enums.const else _unread("const", d)),
        ("pattern", "strings.pattern", d.strings.pattern),
        ("minLength maxLength", "strings.length", d.strings.length),
        ("minimum maximum", "numbers.bounds", _mostly(d.numbers.bounds)),
        ("exclusiveMinimum exclusiveMaximum", "numbers.exclusive", _mostly(d.numbers.exclusive)),
        ("multipleOf", "numbers.multiple_of", _mostly(d.numbers.multiple_of)),
        (
            "minItems",
            "arrays.min_items",
            "yes" if d.arrays.min_items == "0-1" else d.arrays.min_items,
        ),
        ("maxItems", "arrays.max_items", d.arrays.max_items),
        ("uniqueItems", "arrays.unique", d.arrays.unique),
        ("contains minContains maxContains", "arrays.contains", d.arrays.contains),
    )
    return {
        keyword: (field, str(support))
        for words, field, support in rows
        for keyword in words.split()
    }


def _unread(keyword: str, d: Dialect) -> str:
    """Tell what becomes of a keyword that the dialect does not read: it is ignored where unknown ones are."""
    accept = d.keywords.accept
    known = accept is not None and (keyword in accept or d.keywords.unlisted == "no")
    return "no" if known else "ignored"


def _mostly(support: str) -> str:
    """What a row says of a keyword that it enforces somewhere; another rule tells where not."""
    return "yes" if support in ("integers", "closed") else support


def rules(site: Site, d: Dialect, gates: Gates, target: Target) -> Iterator[Finding]:
    """Yield every rule of the row that one node breaks by itself."""
    n = site.schema
    yield from _keywords(site, gates)
    if not site.role:
        yield from _root(n, d)
    yield from _typing(site, d)
    if n.keys() <= {"type", "title", "description"} and n.get("type") in _SCALARS:
        return  # the commonest: no rule below speaks of it
    constant = "const" in n or "enum" in n  # which says all that is to say about an object
    if not constant and _says(n, "object", ("properties", "additionalProperties")):
        yield from _objects(site, d)
    if _says(n, "array", ("items", "prefixItems")):
        yield from _arrays(site, d, gates, target)
    yield from _unions(site, d)
    yield from _enums(site, d, gates)
    yield from _strings(site, d)
    yield from _numbers(site, d)
    yield from _bounds(site, d)


_SCALARS = ("string", "integer", "number", "boolean")


def _says(n: Schema, name: str, words: tuple[str, ...]) -> bool:
    return name in (types_of(n) or [name for word in words if word in n])


def _keywords(site: Site, gates: Gates) -> Iterator[Finding]:
    for keyword in site.schema:
        verdict = gates.verdict(keyword)
        if verdict is None:
            continue
        code, field = verdict
        fate = "is ignored" if code == "WS402" else "is not accepted"
        remedy = remedy_of(keyword)
        what = f"{quoted(keyword)} {fate}"
        yield Finding(code, field, keyword, (site.path, keyword), what, remedy)


def _root(n: Schema, d: Dialect) -> Iterator[Finding]:
    said = n.get("type")
    plain = isinstance(said, str) and types_of(n) == ["object"]
    if "$ref" in n and not d.root.ref:
        yield _broken("root.ref", (None, "$ref"))
    elif d.root.object_only and "$ref" not in n and not plain:
        yield _broken("root.object_only", None, wrap=d.root.wrap_key)
    for keyword in n if d.root.bare else ():
        if keyword not in ("type", "properties", "required"):
            yield _broken("root.bare", (None, keyword), keyword)
    for keyword in _COMBINATORS:
        if keyword in n and not d.root.unions:
            yield _broken("root.unions", (None, keyword), keyword, wrap=d.root.wrap_key)


_TYPE_BEARERS = ("type", "$ref", "anyOf", "oneOf", "allOf", "enum", "const")


def _typing(site: Site, d: Dialect) -> Iterator[Finding]:
    n, said, at = site.schema, site.schema.get("type"), (site.path, "type")
    if d.keywords.typed_nodes and not any([w in n for w in _TYPE_BEARERS]):
        yield _broken("keywords.typed_nodes", site.path)
    if is_list(said) and "type-list" not in d.nullable.accepts:
        yield _broken("nullable.accepts:list", at, spelling=NULL[d.nullable.spelling])
    elif said in ("null", "NULL") and "any-of" not in d.nullable.accepts:
        yield _broken("nullable.accepts:type", at, spelling=NULL[d.nullable.spelling])


def _objects(site: Site, d: Dialect) -> Iterator[Finding]:
    n, o = site.schema, d.objects
    properties, extras = table(n, "properties"), n.get("additionalProperties")
    if o.extras == "false" and extras is not False:
        yield _broken("objects.extras:open", site.path)
    if o.extras == "boolean" and extras is not None and not isinstance(extras, bool):
        yield _broken("objects.extras:schema", (site.path, "additionalProperties"))
    if o.pattern_properties == "closed" and "patternProperties" in n and extras is not False:
        yield _broken("objects.pattern_properties", (site.path, "patternProperties"))
    if not (o.empty or properties or (o.empty_root and not site.role)):
        yield _broken("objects.empty", site.path)
    elif o.properties_required and "properties" not in n:
        yield _broken("objects.properties_required", site.path)
    if o.all_required:
        yield from _all_required(site, properties)
    if o.some_required and properties and not required(n) & properties.keys():
        yield _broken("objects.some_required", site.path)
    if o.titled and "title" not in n:
        yield _broken("objects.titled", site.path)
    if o.ordering == "x-order" and n.get("x-order") != list(properties):
        yield _broken("objects.ordering", site.path)
    if d.root.flat and site.role:
        yield _broken("root.flat", site.path, "type")
    if o.key_pattern is not None and (o.key_scope == "all" or not site.role):
        for key in properties:
            if re.fullmatch(o.key_pattern, key) is None:
                at = ((site.path, "properties"), key)
                yield _broken("objects.key_pattern", at, pattern=o.key_pattern)


def _all_required(site: Site, properties: Schema) -> Iterator[Finding]:
    needed = required(site.schema)
    for key in properties:
        if key not in needed:
            at = ((site.path, "properties"), key)
            yield _broken("objects.all_required:optional", at, key=quoted(key))
    for key in sorted(needed - properties.keys()):
        yield _broken("objects.all_required:undeclared", (site.path, "required"), key=quoted(key))


_ITEMS_SAID = frozenset({"items", "prefixItems", "const", "enum"})


def _arrays(site: Site, d: Dialect, gates: Gates, target: Target) -> Iterator[Finding]:
    n, a = site.schema, d.arrays
    if d.root.flat and not _strings_only(n.get("items")):
        yield _broken("root.flat", site.path, "items")
    if a.items_required and n.keys().isdisjoint(_ITEMS_SAID):
        yield _broken("arrays.items_required", site.path)
    if is_list(n.get("items")) and d.tuples.encoding not in PREFIXES:
        yield _broken("tuples.encoding", (site.path, "items"))
    if d.tuples.encoding == "fixed-prefix-items" and "prefixItems" in n:
        size = len(items_of(n, "prefixItems"))
        if "items" in n or n.get("minItems", size) != size or n.get("maxItems", size) != size:
            yield _broken("tuples.encoding:fixed", site.path)
    least = n.get("minItems")
    if a.min_items == "0-1" and isinstance(least, (int, float)) and least > 1:
        yield _broken("arrays.min_items", (site.path, "minItems"))
    if not a.object_bounds and _holds_objects(n.get("items"), target):
        for keyword in ("minItems", "maxItems"):
            if keyword in n and not gates.closed(keyword):
                yield _broken("arrays.object_bounds", (site.path, keyword), keyword)


def _strings_only(items: Json) -> bool:
    values = items_of(items, "enum") if is_object(items) else []
    return bool(values) and all([isinstance(v, str) for v in values])


def _holds_objects(items: Json, target: Target) -> bool:
    """Tell whether items are objects, or a union with an object among its arms, through references."""
    items = target(items)
    if not is_object(items):
        return False
    arms = [target(arm) for word in ("anyOf", "oneOf") for arm in items_of(items, word)]
    return any([is_object(n) and _says(n, "object", ("properties",)) for n in [items, *arms]])


def _unions(site: Site, d: Dialect) -> Iterator[Finding]:
    n, u, members = site.schema, d.unions, items_of(site.schema, "allOf")
    if "anyOf" in n and u.siblings != "any":
        texts = ANNOTATIONS | d.keywords.annotations if u.siblings == "annotations" else set[str]()
        if n.keys() - {"anyOf"} - _AT_THE_TOP - texts:
            yield _broken("unions.siblings", site.path)
    if u.all_of == "single" and len(members) > 1:
        yield _broken("unions.all_of:several", (site.path, "allOf"), count=len(members))
    if u.all_of == "no-ref" and site.in_all_of and "$ref" in n:
        yield _broken("unions.all_of:ref", (site.path, "$ref"))
    patterned = [m for m in [n, *members] if is_object(m) and "pattern" in m]
    if not d.strings.several_patterns and len(patterned) > 1:
        yield _broken("strings.several_patterns", (site.path, "allOf"))
    for keyword in ("anyOf", "oneOf"):
        arms = items_of(n, keyword)
        if u.fold_constants and len(arms) > 1 and all([_is_constant(arm) for arm in arms]):
            yield _broken("unions.fold_constants", (site.path, keyword), keyword)


def _is_constant(arm: Json) -> bool:
    return is_object(arm) and ("const" in arm or len(items_of(arm, "enum")) == 1)


def _enums(site: Site, d: Dialect, gates: Gates) -> Iterator[Finding]:
    n, e = site.schema, d.enums
    for keyword in ("enum", "const"):
        if keyword not in n or gates.closed(keyword):
            continue
        values = items_of(n, "enum") if keyword == "enum" else [n["const"]]
        at = (site.path, keyword)
        if e.typed and "type" not in n:
            yield _broken("enums.typed", site.path, keyword)
        if e.max_values is not None and len(values) > e.max_values:
            yield _broken("enums.max_values", at, count=len(values), most=e.max_values)
        null = keyword == "enum" and not d.nullable.in_enum
        if null and any([v is None for v in values]):
            yield _broken("nullable.in_enum", at, spelling=NULL[d.nullable.spelling])
        rest = [v for v in values if not (null and v is None)]
        bad = sorted({kind_of(v) for v in rest if not _listable(v, e.types)})
        if bad:
            yield _broken("enums.types", at, keyword, kinds=" and ".join(bad))
        legal = e.text_pattern
        if legal and not all([re.fullmatch(legal, v) for v in values if type(v) is str]):
            yield _broken("enums.text_pattern", at, keyword, pattern=legal)


def _listable(value: Json, types: frozenset[str]) -> bool:
    if value is None or isinstance(value, bool):
        return ("null" if value is None else "boolean") in types
    if isinstance(value, (int, float)):
        return "number" in types or ("integer" in types and value == value // 1)
    return (
        "string" if isinstance(value, str) else "array" if is_list(value) else "object"
    ) in types


def _strings(site: Site, d: Dialect) -> Iterator[Finding]:
    n, s, name = site.schema, d.strings, site.schema.get("format")
    listed = s.formats is None or not isinstance(name, str) or name in s.formats
    if not listed and s.other_formats != "yes" and _says(n, "string", ("format",)):
        rule = (
            "strings.formats:ignored" if s.other_formats == "ignored" else "strings.formats:refused"
        )
        yield _broken(rule, (site.path, "format"), name=quoted(name))
    if s.one_rule:
        bind = [
            w
            for w in ("format", "pattern", "minLength", "maxLength")
            if w in n and (w != "format" or listed)
        ]
        for keyword in bind[1:]:
            if bind[0] != "minLength" or keyword != "maxLength":
                yield _broken("strings.one_rule", (site.path, keyword), keyword, first=bind[0])
    patterns: list[tuple[Json, Path]] = []
    if s.pattern == "yes":
        patterns.append((n.get("pattern"), (site.path, "pattern")))
    if d.objects.pattern_properties in ("yes", "closed"):
        here = (site.path, "patternProperties")
        patterns += [(k, (here, k)) for k in table(n, "patternProperties")]
    for pattern, at in patterns:
        used = features(pattern) if isinstance(pattern, str) else frozenset[str]()
        if "invalid" in used:
            yield _broken("strings.regex", at, pattern=quoted(pattern))
        elif used & refused(s):
            yield _broken("strings.forbid", at, names=", ".join(sorted(used & refused(s))))


def _numbers(site: Site, d: Dialect) -> Iterator[Finding]:
    """Yield what binds a number where the row only enforces it on integers."""
    rows = (
        ("numbers.bounds", ("minimum", "maximum"), d.numbers.bounds),
        ("numbers.exclusive", ("exclusiveMinimum", "exclusiveMaximum"), d.numbers.exclusive),
        ("numbers.multiple_of", ("multipleOf",), d.numbers.multiple_of),
    )
    integer = "integer" in types_of(site.schema) and "number" not in types_of(site.schema)
    for field, words, support in rows:
        for keyword in words if support == "integers" else ():
            operand = site.schema.get(keyword)
            if isinstance(operand, (int, float)) and not (integer and operand % 1 == 0):
                yield _broken(field, (site.path, keyword), keyword)


def _bounds(site: Site, d: Dialect) -> Iterator[Finding]:
    rows = (
        ("strings.length_max", ("minLength", "maxLength"), d.strings.length_max),
        ("arrays.bound_max", ("minItems", "maxItems"), d.arrays.bound_max),
        ("objects.property_bound_max", ("minProperties", "maxProperties"), d.objects.property_bound_max),
    )  # fmt: skip
    for field, words, most in rows:
        for keyword in words if most is not None else ():
            value = site.schema.get(keyword)
            if most is not None and isinstance(value, (int, float)) and value > most:
                yield _broken(field, (site.path, keyword), keyword, most=most)
