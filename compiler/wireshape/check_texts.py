"""The words of the acceptor: what a broken rule says and what to do about it; which rules are broken is elsewhere."""

from __future__ import annotations

import json
from typing import Final, NamedTuple

from wireshape.ir import Json, Path, kind_of


class Finding(NamedTuple):
    """A broken rule: `field` is the row's field, `what` the fact, `remedy` what to do."""

    code: str
    field: str
    keyword: str
    path: Path
    what: str
    remedy: str


class Flaw(NamedTuple):
    """What stands out in the text of a grammar, whatever a row says of it.

    `kind` is "malformed", "repeat" with its number of `times`, or a feature; `place` names the rule.
    """

    kind: str
    place: str | None
    what: str
    times: int = 0


def quoted(text: Json) -> str:
    """Quote a text of the schema, cut where it is long."""
    shown = repr(text if kind_of(text) is str else json.loads(json.dumps(text)))  # of no subclass
    return shown if len(shown) <= 60 else shown[:57] + "..."


def broken(rule: str, at: Path, keyword: str = "", **names: object) -> Finding:
    """Make the finding of a rule; what follows a colon in its name tells cases of one field apart."""
    code, word, what, remedy = _TEXTS[rule]
    keyword = keyword or word
    field = rule.partition(":")[0]
    return Finding(
        code, field, keyword, at, what.format(keyword=keyword, **names), remedy.format(**names)
    )


_REMEDIES: Final = {
    "oneOf": "write `anyOf`", "allOf": "merge the members into one schema", "const": "write an enum of one value",
    "nullable": "admit null by type", "prefixItems": "spell the tuple otherwise", "additionalProperties": "leave it out",
    "$ref": "write the definition out", "$defs": "write the definitions out", "definitions": "write the definitions out",
}  # fmt: skip


def remedy_of(keyword: str) -> str:
    """Tell what to do about a keyword that does not pass."""
    return _REMEDIES.get(keyword, _REMOVED if keyword in _TELLING else "remove it")


_REMOVED: Final = "remove it and tell it in the description"
_TELLING: Final = frozenset(
    "default examples example deprecated readOnly writeOnly format pattern minLength maxLength minimum maximum exclusiveMinimum "
    "exclusiveMaximum multipleOf minItems maxItems uniqueItems contains minContains maxContains patternProperties propertyNames "
    "minProperties maxProperties not if then else dependentRequired dependentSchemas dependencies unevaluatedProperties "
    "unevaluatedItems contentEncoding contentMediaType contentSchema".split()
)  # fmt: skip
"""Keywords that say something which the model can be told."""

NULL: Final = {
    "any-of": "write `anyOf` with null as an arm", "type-list": "write null into the list of `type`", "keyword": "write `nullable: true`",
    "absent": "require the key no more, and leave it out for null",
}  # fmt: skip

_TOLD = "tell it in the description"
_TEXTS: Final[dict[str, tuple[str, str, str, str]]] = {
    "root.ref": ("WS404", "$ref", "the root is a reference", "write the definition out at the root"),
    "root.object_only": ("WS404", "type", "the root does not say `type: object`", "wrap it as an object under {wrap!r}"),
    "root.unions": ("WS404", "anyOf", "{keyword!r} stands at the root", "wrap it in an object under {wrap!r}, or merge it"),
    "root.bare": ("WS404", "", "{keyword!r} stands at the root", "leave it out there, or wrap the root in an object"),
    "root.flat": ("WS404", "", "a property holds an object, or a list of something else than listed strings", "send JSON text"),
    "keywords.typed_nodes": ("WS407", "type", "a schema does not say its type", "write `type`"),
    "nullable.accepts:list": ("WS406", "type", "`type` is a list", "{spelling}"),
    "nullable.accepts:type": ("WS406", "type", "null is a type of its own", "{spelling}"),
    "nullable.in_enum": ("WS411", "enum", "null is a member of `enum`", "{spelling}"),
    "objects.extras:open": ("WS405", "additionalProperties", "an object is not closed", "write `additionalProperties: false`"),
    "objects.extras:schema": ("WS405", "additionalProperties", "undeclared keys have a schema", "write true or false, or send pairs"),
    "objects.empty": ("WS405", "properties", "an object has no properties", "declare one, or send JSON text"),
    "objects.some_required": ("WS405", "required", "an object requires none of its keys", "require one and admit null"),
    "objects.titled": ("WS405", "title", "an object has no title", "write one"),
    "objects.ordering": ("WS405", "x-order", "an object does not list its keys in `x-order`", "list them"),
    "objects.properties_required": ("WS405", "properties", "an object does not say `properties`", "write `properties: {{}}`"),
    "objects.pattern_properties": ("WS402", "patternProperties", "`patternProperties` does not bind an open object", "close it, or send pairs"),
    "objects.key_pattern": ("WS405", "properties", "the key does not match {pattern}", "rename it"),
    "objects.all_required:optional": ("WS405", "required", "{key} is not required", "require it and admit null"),
    "objects.all_required:undeclared": ("WS405", "required", "{key} is required and not declared", "declare it"),
    "objects.property_bound_max": ("WS415", "", "{keyword!r} is above {most} and not enforced", _TOLD),
    "arrays.items_required": ("WS413", "items", "an array does not say `items`", "write `items`"),
    "arrays.min_items": ("WS413", "minItems", "`minItems` is above 1", "write 1 and tell the rest in the description"),
    "arrays.object_bounds": ("WS413", "", "{keyword!r} binds a list of objects", _TOLD),
    "arrays.bound_max": ("WS415", "", "{keyword!r} is above {most} and not enforced", _TOLD),
    "tuples.encoding": ("WS413", "items", "`items` is a list", "spell the tuple otherwise"),
    "tuples.encoding:fixed": ("WS413", "prefixItems", "a tuple has no fixed length", "spell it otherwise"),
    "unions.siblings": ("WS408", "anyOf", "keywords stand beside `anyOf`", "move them into its arms"),
    "unions.all_of:several": ("WS402", "allOf", "`allOf` has {count} members", "merge them into one schema"),
    "unions.all_of:ref": ("WS408", "$ref", "a reference stands inside `allOf`", "write the definition out"),
    "unions.fold_constants": ("WS402", "", "{keyword!r} lists constants one by one", "write one enum"),
    "enums.typed": ("WS411", "", "no `type` stands beside {keyword!r}", "write the type of the values"),
    "enums.max_values": ("WS411", "enum", "{count} values, over {most}", "send the plain type and list the values in the description"),
    "enums.text_pattern": ("WS411", "", "{keyword!r} holds a text that does not match {pattern}", "send another text that stands for it"),
    "enums.types": ("WS411", "", "{keyword!r} holds {kinds}", "send strings that stand for the values"),
    "strings.formats:ignored": ("WS402", "format", "format {name} is ignored", _TOLD),
    "strings.formats:refused": ("WS412", "format", "format {name} is not accepted", _TOLD),
    "strings.regex": ("WS403", "pattern", "{pattern} is no ECMA-262 pattern", "correct it"),
    "strings.forbid": ("WS412", "pattern", "the pattern uses {names}", "write it otherwise, or tell it in the description"),
    "strings.several_patterns": ("WS412", "allOf", "several patterns bind one string", "keep one, tell the others in the description"),
    "strings.one_rule": ("WS402", "", "{keyword!r} is ignored beside {first!r}", _TOLD),
    "numbers.bounds": ("WS415", "", "{keyword!r} is enforced on integers only", _TOLD),
    "numbers.exclusive": ("WS415", "", "{keyword!r} is enforced on integers only", _TOLD),
    "numbers.multiple_of": ("WS415", "", "{keyword!r} is enforced on integers only", _TOLD),
    "strings.length_max": ("WS415", "", "{keyword!r} is above {most} and not enforced", _TOLD),
}  # fmt: skip
