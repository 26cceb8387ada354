"""The rules of a dialect for one schema node: each asks the row and yields what breaks it.

References, recursion and limits span nodes and are elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

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
from wireshape.regex import features


class Finding(NamedTuple):
    """A broken rule: `field` is the row's field, `what` the fact, `remedy` what to do."""

    code: str
    field: str
    keyword: str
    path: Path
    what: str
    remedy: str


Target = Callable[[Json], Json]
"""Follow the references of a schema to the schema that they name."""

_DEFINITIONS = frozenset(["$defs", "definitions"])
_COMBINATORS = ("anyOf", "oneOf", "allOf")
ANNOTATIONS: Final = frozenset("title description default examples deprecated readOnly writeOnly $comment example".split())


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
            return None if keyword in words.accept else ("WS401", "keywords.accept")
        if keyword in ANNOTATIONS and keyword not in words.annotations and keyword != "example":
            return "WS401", "keywords.annotations"
        return None


def _support(d: Dialect) -> dict[str, tuple[str, str]]:
    """Pair each keyword that the row speaks about with the field and its answer."""
    plain = "yes" if d.refs.defs else "no"
    rows = (
        ("patternProperties", "objects.pattern_properties", d.objects.pattern_properties),
        ("propertyNames", "objects.property_names", d.objects.property_names),
        ("minProperties maxProperties", "objects.property_bounds", d.objects.property_bounds),
        ("propertyOrdering", "objects.ordering", "yes" if d.objects.ordering else "ignored"),
        ("additionalProperties", "objects.extras", "no" if d.objects.extras == "unsaid" else "yes"),
        ("nullable", "nullable.accepts", "yes" if "keyword" in d.nullable.accepts else "no"),
        ("prefixItems additionalItems", "tuples.encoding", "yes" if d.tuples.encoding == "prefix-items" else "no"),
        ("anyOf", "unions.any_of", d.unions.any_of),
        ("oneOf", "unions.one_of", "no" if d.unions.one_of == "no" else "yes"),
        ("allOf", "unions.all_of", d.unions.all_of if d.unions.all_of in ("no", "ignored") else "yes"),
        ("not", "unions.negation", d.unions.negation),
        ("if then else", "unions.conditional", d.unions.conditional),
        ("dependentRequired dependentSchemas dependencies", "unions.dependent", d.unions.dependent),
        ("unevaluatedProperties unevaluatedItems", "unions.unevaluated", d.unions.unevaluated),
        ("$ref $defs definitions $dynamicRef $recursiveRef", "refs.defs", plain),
        ("const", "enums.const", "yes" if d.enums.const else "no"),
        ("pattern", "strings.pattern", d.strings.pattern),
        ("minLength maxLength", "strings.length", d.strings.length),
        ("minimum maximum", "numbers.bounds", d.numbers.bounds),
        ("exclusiveMinimum exclusiveMaximum", "numbers.exclusive", d.numbers.exclusive),
        ("multipleOf", "numbers.multiple_of", d.numbers.multiple_of),
        ("minItems", "arrays.min_items", "yes" if d.arrays.min_items == "0-1" else d.arrays.min_items),
        ("maxItems", "arrays.max_items", d.arrays.max_items),
        ("uniqueItems", "arrays.unique", d.arrays.unique),
        ("contains minContains maxContains", "arrays.contains", d.arrays.contains),
    )
    return {keyword: (field, str(support)) for words, field, support in rows for keyword in words.split()}


def rules(site: Site, d: Dialect, gates: Gates, target: Target) -> Iterator[Finding]:
    """Yield every rule of the row that one node breaks by itself."""
    n = site.schema
    yield from _keywords(site, d, gates)
    if not site.role:
        yield from _root(n, d)
    yield from _typing(site, d)
    if _says(n, "object", ("properties", "additionalProperties")):
        yield from _objects(site, d)
    if _says(n, "array", ("items", "prefixItems")):
        yield from _arrays(site, d, target)
    yield from _unions(site, d)
    yield from _enums(site, d)
    yield from _strings(site, d)
    yield from _bounds(site, d)


def _says(n: Schema, name: str, words: tuple[str, ...]) -> bool:
    types = types_of(n)
    return name in types if types else any([w in n for w in words])


def _keywords(site: Site, d: Dialect, gates: Gates) -> Iterator[Finding]:
    for keyword in site.schema:
        verdict = gates.verdict(keyword)
        if verdict is None:
            continue
        code, field = verdict
        fate = "is ignored" if code == "WS402" else "is not accepted"
        remedy = _REMEDIES.get(keyword, "remove it and tell it in the description")
        yield Finding(code, field, keyword, (site.path, keyword), f"{keyword!r} {fate} by {d.id}", remedy)


_REMEDIES: Final = {
    "oneOf": "write `anyOf`", "allOf": "merge the members into one schema", "const": "write an enum of one value",
    "nullable": "admit null by type", "prefixItems": "spell the tuple otherwise", "additionalProperties": "leave it out",
    "$ref": "write the definition out", "$defs": "write the definitions out", "definitions": "write the definitions out",
}  # fmt: skip


def _root(n: Schema, d: Dialect) -> Iterator[Finding]:
    said = n.get("type")
    if "$ref" in n and not d.root.ref:
        yield Finding("WS404", "root.ref", "$ref", (None, "$ref"), "the root is a reference", "write the definition out at the root")
    elif d.root.object_only and "$ref" not in n and (not isinstance(said, str) or types_of(n) != ["object"]):
        remedy = f"wrap it as an object under {d.root.wrap_key!r}"
        yield Finding("WS404", "root.object_only", "type", None, "the root does not say `type: object`", remedy)
    for keyword in _COMBINATORS:
        if keyword in n and not d.root.unions:
            remedy = f"wrap it in an object under {d.root.wrap_key!r}, or merge it"
            yield Finding("WS404", "root.unions", keyword, (None, keyword), f"{keyword!r} stands at the root", remedy)


_TYPE_BEARERS = ("type", "$ref", "anyOf", "oneOf", "allOf", "enum", "const")


def _typing(site: Site, d: Dialect) -> Iterator[Finding]:
    n, said = site.schema, site.schema.get("type")
    if d.keywords.typed_nodes and not any([w in n for w in _TYPE_BEARERS]):
        yield Finding("WS407", "keywords.typed_nodes", "type", site.path, "a schema does not say its type", "write `type`")
    if is_list(said) and "type-list" not in d.nullable.accepts:
        yield Finding("WS406", "nullable.accepts", "type", (site.path, "type"), "`type` is a list", f"use the spelling {d.nullable.spelling!r}")
    elif isinstance(said, str) and said.lower() == "null" and "any-of" not in d.nullable.accepts:
        yield Finding("WS406", "nullable.accepts", "type", (site.path, "type"), "null is a type of its own", f"use the spelling {d.nullable.spelling!r}")


def _objects(site: Site, d: Dialect) -> Iterator[Finding]:
    n, o = site.schema, d.objects
    properties = table(n, "properties")
    if o.extras == "false" and n.get("additionalProperties") is not False:
        yield Finding("WS405", "objects.extras", "additionalProperties", site.path, "an object is not closed", "write `additionalProperties: false`")
    if o.extras == "boolean" and not isinstance(n.get("additionalProperties", True), bool):
        yield Finding("WS405", "objects.extras", "additionalProperties", (site.path, "additionalProperties"), "undeclared keys have a schema", "write true or false, or send pairs")
    if not o.empty and not properties:
        yield Finding("WS405", "objects.empty", "properties", site.path, "an object has no properties", "declare one, or send JSON text")
    elif o.properties_required and "properties" not in n:
        yield Finding("WS405", "objects.properties_required", "properties", site.path, "an object does not say `properties`", "write `properties: {}`")
    if o.all_required:
        yield from _all_required(site, properties)
    if o.key_pattern is not None and (o.key_scope == "all" or not site.role):
        for key in properties:
            if re.fullmatch(o.key_pattern, key) is None:
                yield Finding("WS405", "objects.key_pattern", "properties", ((site.path, "properties"), key), f"the key does not match {o.key_pattern}", "rename it")


def _all_required(site: Site, properties: Schema) -> Iterator[Finding]:
    needed = required(site.schema)
    for key in properties:
        if key not in needed:
            yield Finding("WS405", "objects.all_required", "required", ((site.path, "properties"), key), f"{_quoted(key)} is not required", "require it and admit null")
    for key in sorted(needed - properties.keys()):
        yield Finding("WS405", "objects.all_required", "required", (site.path, "required"), f"{_quoted(key)} is required and not declared", "declare it")


def _arrays(site: Site, d: Dialect, target: Target) -> Iterator[Finding]:
    n, a = site.schema, d.arrays
    if a.items_required and "items" not in n and "prefixItems" not in n:
        yield Finding("WS413", "arrays.items_required", "items", site.path, "an array does not say `items`", "write `items`")
    if is_list(n.get("items")) and d.tuples.encoding != "prefix-items":
        yield Finding("WS413", "tuples.encoding", "items", (site.path, "items"), "`items` is a list", "spell the tuple otherwise")
    least = n.get("minItems")
    if a.min_items == "0-1" and isinstance(least, (int, float)) and least > 1:
        yield Finding("WS413", "arrays.min_items", "minItems", (site.path, "minItems"), "`minItems` is above 1", "write 1 and tell the rest in the description")
    if not a.object_bounds and _holds_objects(n.get("items"), target):
        for keyword in ("minItems", "maxItems"):
            if keyword in n:
                yield Finding("WS413", "arrays.object_bounds", keyword, (site.path, keyword), f"{keyword!r} binds a list of objects", "tell it in the description")


def _holds_objects(items: Json, target: Target) -> bool:
    """Tell whether items are objects, or a union with an object among its arms, through references."""
    items = target(items)
    if not is_object(items):
        return False
    arms = [target(arm) for word in ("anyOf", "oneOf") for arm in items_of(items, word)]
    return any([is_object(n) and _says(n, "object", ("properties",)) for n in [items, *arms]])


def _unions(site: Site, d: Dialect) -> Iterator[Finding]:
    n, u = site.schema, d.unions
    if "anyOf" in n and not u.siblings and len(n) > 1:
        yield Finding("WS408", "unions.siblings", "anyOf", site.path, "keywords stand beside `anyOf`", "move them into its arms")
    members = items_of(n, "allOf")
    if u.all_of == "single" and len(members) > 1:
        yield Finding("WS408", "unions.all_of", "allOf", (site.path, "allOf"), f"`allOf` has {len(members)} members", "merge them into one schema")
    if u.all_of == "no-ref" and site.in_all_of and "$ref" in n:
        yield Finding("WS408", "unions.all_of", "$ref", (site.path, "$ref"), "a reference stands inside `allOf`", "write the definition out")
    if not d.strings.several_patterns and sum([is_object(m) and "pattern" in m for m in [n, *members]]) > 1:
        yield Finding("WS412", "strings.several_patterns", "allOf", (site.path, "allOf"), "several patterns bind one string", "keep one, tell the others in the description")
    for keyword in ("anyOf", "oneOf"):
        arms = items_of(n, keyword)
        if u.fold_constants and len(arms) > 1 and all([_is_constant(arm) for arm in arms]):
            yield Finding("WS408", "unions.fold_constants", keyword, (site.path, keyword), f"{keyword!r} lists constants one by one", "write one enum")


def _is_constant(arm: Json) -> bool:
    return is_object(arm) and ("const" in arm or len(items_of(arm, "enum")) == 1)


def _enums(site: Site, d: Dialect) -> Iterator[Finding]:
    n, e = site.schema, d.enums
    for keyword in ("enum", "const"):
        if keyword not in n:
            continue
        values = items_of(n, "enum") if keyword == "enum" else [n["const"]]
        at = (site.path, keyword)
        if e.typed and "type" not in n:
            yield Finding("WS411", "enums.typed", keyword, site.path, f"no `type` stands beside {keyword!r}", "write the type of the values")
        if e.max_values is not None and len(values) > e.max_values:
            yield Finding("WS411", "enums.max_values", keyword, at, f"{len(values)} values, over {e.max_values}", "send the plain type and list the values in the description")
        bad = sorted({kind_of(v) for v in values if not _listable(v, e.types) and (v is not None or d.nullable.in_enum or keyword == "const")})
        if bad:
            yield Finding("WS411", "enums.types", keyword, at, f"{keyword!r} holds {' and '.join(bad)}", "send strings that stand for the values")
        if keyword == "enum" and not d.nullable.in_enum and any([v is None for v in values]):
            yield Finding("WS411", "nullable.in_enum", keyword, at, "null is a member of `enum`", f"admit null by {d.nullable.spelling!r}")


def _listable(value: Json, types: frozenset[str]) -> bool:
    if value is None or isinstance(value, bool):
        return ("null" if value is None else "boolean") in types
    if isinstance(value, (int, float)):
        return "number" in types or ("integer" in types and value == value // 1)
    return ("string" if isinstance(value, str) else "array" if is_list(value) else "object") in types


def _strings(site: Site, d: Dialect) -> Iterator[Finding]:
    n, s = site.schema, d.strings
    name = n.get("format")
    listed = s.formats is None or not isinstance(name, str) or name in s.formats
    if not listed and s.other_formats != "yes" and _says(n, "string", ("format",)):
        code, fate = ("WS402", "ignored") if s.other_formats == "ignored" else ("WS412", "not accepted")
        yield Finding(code, "strings.formats", "format", (site.path, "format"), f"format {_quoted(name)} is {fate} by {d.id}", "tell it in the description")
    patterns = [(n.get("pattern"), (site.path, "pattern"))] if s.pattern == "yes" else []
    if d.objects.pattern_properties == "yes":
        patterns += [(k, ((site.path, "patternProperties"), k)) for k in table(n, "patternProperties")]
    for pattern, at in patterns:
        if isinstance(pattern, str):
            yield from _pattern(pattern, at, d)


def _pattern(pattern: str, at: Path, d: Dialect) -> Iterator[Finding]:
    used = features(pattern)
    if "invalid" in used:
        yield Finding("WS403", "strings.regex", "pattern", at, f"{_quoted(pattern)} is no ECMA-262 pattern", "correct it")
    elif used & d.strings.forbid:
        what = f"the pattern uses {', '.join(sorted(used & d.strings.forbid))}"
        yield Finding("WS412", "strings.forbid", "pattern", at, what, "write it otherwise, or tell it in the description")


def _bounds(site: Site, d: Dialect) -> Iterator[Finding]:
    rows = (
        ("strings.length_max", ("minLength", "maxLength"), d.strings.length_max),
        ("arrays.bound_max", ("minItems", "maxItems"), d.arrays.bound_max),
        ("objects.property_bound_max", ("minProperties", "maxProperties"), d.objects.property_bound_max),
    )
    for field, words, most in rows:
        for keyword in words if most is not None else ():
            value = site.schema.get(keyword)
            if most is not None and isinstance(value, (int, float)) and value > most:
                what = f"{keyword!r} is above {most}, which {d.id} does not enforce"
                yield Finding("WS415", field, keyword, (site.path, keyword), what, "tell it in the description")


def _quoted(text: Json) -> str:
    shown = repr(text)
    return shown if len(shown) <= 60 else shown[:57] + "..."
