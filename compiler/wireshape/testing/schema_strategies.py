"""Generate JSON Schemas of every draft for property tests: well-formed, and most of them can hold some value."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from hypothesis import strategies as st

from wireshape import ir
from wireshape.testing.schema_writer import DRAFTS, URIS, Draw, Writer

Schema: TypeAlias = ir.Json

FEATURES = frozenset(
    "string number boolean null any literal bounds pattern format object array tuple map pattern_properties "
    "property_names any_of one_of all_of discriminated ref siblings not if dependent unevaluated contains "
    "typeless boolean_schemas type_list annotations odd_names".split()
)
"""What `schemas(features=...)` may choose from."""

_KEYS = ("a", "b", "c", "id", "kind", "value", "key")
_ODD_KEYS = (
    "type",
    "properties",
    "$ref",
    "arm",
    "entries",
    "a/b~c",
    "x-é",
    "0",
    "",
    "filter[id]",
    "enum",
    "_extra",
)
_PATTERNS = ("^a", "^[a-z]+$", r"^\d{2,4}$", "^(x|y)-", "b$", r"^\w+@\w+$", "^[A-Z]{3}$", "^x")
_KEY_PATTERNS = ("^x-", "^[a-z]$", "1$", "^a", "_id$")
_FORMATS = tuple("date-time date time email uuid ipv4 ipv6 uri hostname duration made-up".split())
_TYPES = ("string", "integer", "number", "boolean", "null", "object", "array")
_SCALARS: tuple[Schema, ...] = ("a", "b", "red", "", 0, 1, -1, 2.5, 1.0, True, False, None)
_CONSTANTS: tuple[Schema, ...] = (
    *_SCALARS,
    *(
        [],
        [1],
        {},
        {"a": 1},
        {"key": "k", "value": 1},
        {"arm": "0", "value": 1},
        "1",
        "null",
        "[]",
        2**60,
        1e300,
    ),
)


def schemas(
    *,
    drafts: Iterable[str] = ("2020-12",),
    max_leaves: int = 10,
    features: Iterable[str] = FEATURES,
) -> st.SearchStrategy[Schema]:
    """Return a strategy of JSON Schemas; one of another draft than 2020-12 says so in `$schema`.

    OpenAPI documents have no `$schema`: pass `Options(draft=...)` along. `features` limits what is used; an unknown one
    is a ValueError.

    >>> from hypothesis import find
    >>> find(schemas(features={"string"}), lambda schema: True)
    {'type': 'string'}
    """
    chosen = frozenset(features)
    if unknown := chosen - FEATURES:
        msg = f"features {sorted(unknown)} are not known; choose from FEATURES"
        raise ValueError(msg)
    newest_first = sorted(drafts, key=DRAFTS.index, reverse=True)
    return st.sampled_from(newest_first).flatmap(
        lambda draft: _documents(draft, max_leaves, chosen)
    )


@st.composite
def _documents(draw: Draw, draft: str, leaves: int, features: frozenset[str]) -> Schema:
    w = Writer(draw, draft, leaves, features)
    definitions: dict[str, Schema] = {}
    if w.has("object") and w.may("ref", 40):
        w.names = ("N", "M", "a/b%")[: w.count(1, 3 if w.has("odd_names") else 2)]
        for name in w.names:
            definitions[name] = _object(w, 1)
    root = _node(w, 0)
    if isinstance(root, bool):
        return root
    head: dict[str, Schema] = {"$schema": URIS[draft]} if draft in URIS else {}
    tail: dict[str, Schema] = {w.defs_key: definitions} if definitions else {}
    return head | root | tail


# One entry per kind: the feature that allows it, how often it is drawn, and whether it holds others.
_Rule: TypeAlias = "Callable[[Writer, int], Schema]"


def _node(w: Writer, depth: int) -> Schema:
    """Draw one subschema; leaves only, when the budget or the depth is spent."""
    w.left -= 1
    leaf = w.left <= 0 or depth >= 4
    rules: list[_Rule] = []
    for feature, weight, holds, rule in _RULES:
        if w.has(feature) and not (leaf and holds) and not (rule is _ref and not w.names):
            rules += [rule] * weight
    node = w.pick(rules or [_string])(w, depth)
    return node if isinstance(node, bool) else _annotate(w, node)


def _annotate(w: Writer, node: dict[str, Schema]) -> Schema:
    if not w.may("annotations", 15):
        return node
    texts = {
        "title": "A title",
        "description": "What it is.",
        "default": None,
        "examples": [1],
        "x-made-up": True,
    }
    if not w.since("draft6"):
        del texts["examples"]
    return {**node, **{k: texts[k] for k in w.some(sorted(texts), least=1, most=2)}}


def _string(w: Writer, _depth: int) -> Schema:
    out: dict[str, Schema] = {"type": "string"}
    if w.may("bounds", 30):
        low = w.count(0, 3)
        out |= w.pick(
            [{"minLength": low}, {"maxLength": low + 3}, {"minLength": low, "maxLength": low + 4}]
        )
    elif w.may("pattern", 30):
        out["pattern"] = w.pick(_PATTERNS)
    elif w.may("format", 30):
        out["format"] = w.pick(_FORMATS)
    return out


def _number(w: Writer, _depth: int) -> Schema:
    out: dict[str, Schema] = {"type": w.pick(["integer", "number"])}
    if not w.may("bounds", 50):
        return out
    low = w.count(-3, 3)
    for word in w.some(
        ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
        least=1,
        most=2,
    ):
        value: float = {"multipleOf": w.pick([2, 1, 0.5, 3])}.get(
            word, low if word.lower().endswith("minimum") else low + 6
        )
        if word.startswith("exclusive") and not w.since("draft6"):
            plain = "minimum" if word.endswith("Minimum") else "maximum"
            out |= {plain: value, word: True}
        else:
            out[word] = value
    return out


def _boolean(_w: Writer, _depth: int) -> Schema:
    return {"type": "boolean"}


def _null(w: Writer, _depth: int) -> Schema:
    return {"type": "null"} if w.draft != "openapi-3.0" else {"type": "string", "nullable": True}


def _any(_w: Writer, _depth: int) -> Schema:
    return {}


def _flag(w: Writer, _depth: int) -> Schema:
    return bool(w.chance(70)) if w.since("draft6") else {}


def _literal(w: Writer, _depth: int) -> Schema:
    if w.since("draft6") and w.chance(40):
        return {"const": w.pick(_CONSTANTS)}
    pool = w.pick([("a", "b", "red", ""), _SCALARS, _CONSTANTS])
    distinct: list[Schema] = []
    for value in w.some(pool, least=1, most=4):
        if not any(
            [value == v and type(value) is not bool and type(v) is not bool for v in distinct]
        ):
            distinct.append(value)
    return {"enum": distinct}


def _type_list(w: Writer, depth: int) -> Schema:
    if w.draft == "openapi-3.0":
        base = _string(w, depth)
        return {**base, "nullable": True}
    types = w.some(_TYPES, least=1, most=3)
    if "integer" in types and "number" in types:
        types.remove("integer")
    out: dict[str, Schema] = {"type": types}
    if "object" in types and w.chance(50):
        out["properties"] = {"a": _node(w, depth + 1)}
    if "array" in types:
        out["items"] = _node(w, depth + 1)
    if w.may("bounds", 30):
        out |= {"minimum": 0, "maxLength": 4}
    return out


def _array(w: Writer, depth: int) -> Schema:
    out: dict[str, Schema] = {"type": "array"}
    if w.chance(90):
        out["items"] = _node(w, depth + 1)
    if w.may("bounds", 35):
        low = w.count(0, 2)
        out |= w.pick(
            [{"minItems": low}, {"maxItems": low + 1}, {"minItems": low, "maxItems": low + 2}]
        )
    if w.may("bounds", 10):
        out["uniqueItems"] = True
    if w.since("draft6") and w.may("contains", 15):
        out["contains"] = _node(w, depth + 1)
        if w.since("2019-09") and w.chance(50):
            out |= {"minContains": w.count(0, 1), "maxContains": 2}
    return out


def _tuple(w: Writer, depth: int) -> Schema:
    positions = [_node(w, depth + 1) for _ in range(w.count(1, 3))]
    modern = w.since("2020-12")
    if w.draft == "openapi-3.0":
        return {"type": "array", "items": positions[0]}
    out: dict[str, Schema] = {"type": "array", ("prefixItems" if modern else "items"): positions}
    match w.pick(["closed", "open", "rest"]):
        case "closed":
            out["items" if modern else "additionalItems"] = False
        case "rest":
            out["items" if modern else "additionalItems"] = _node(w, depth + 1)
        case _:
            pass
    if w.chance(60):
        out["minItems"] = w.count(0, len(positions))
    return out


def _object(w: Writer, depth: int) -> Schema:
    out: dict[str, Schema] = {"type": "object"}
    keys = w.some(_KEYS + (_ODD_KEYS if w.has("odd_names") else ()), least=0, most=4)
    if keys or w.chance(70):
        out["properties"] = {key: _node(w, depth + 1) for key in keys}
    if required := [key for key in keys if w.chance(50)]:
        out["required"] = required
    if w.chance(5):
        out["required"] = [*required, "undeclared"]
    match w.pick(["unsaid", "closed", "open", "typed"]):
        case "closed" if "undeclared" not in out.get("required", ()):
            out["additionalProperties"] = False
        case "open":
            out["additionalProperties"] = True
        case "typed" if w.has("map"):
            out["additionalProperties"] = _node(w, depth + 1)
        case _:
            pass
    return _key_rules(w, depth, out, keys)


def _key_rules(w: Writer, depth: int, out: dict[str, Schema], keys: list[str]) -> Schema:
    """Add rules about keys, and conditions between them."""
    if w.draft != "openapi-3.0" and w.may("pattern_properties", 12):
        patterns = w.some(_KEY_PATTERNS, least=1, most=2)
        out["patternProperties"] = {pattern: _node(w, depth + 1) for pattern in patterns}
    if w.since("draft6") and w.may("property_names", 8):
        out["propertyNames"] = w.pick(
            [{"pattern": "^[a-z$_]"}, {"maxLength": 6}, {"enum": [*keys, "z"]}]
        )
    if w.may("bounds", 10):
        out |= w.pick([{"minProperties": 1}, {"maxProperties": len(keys) + 1}])
    if len(keys) > 1 and w.since("draft4") and w.may("dependent", 12):
        if w.since("2019-09"):
            word = w.pick(["dependentRequired", "dependentSchemas"])
            then: Schema = [keys[1]] if word == "dependentRequired" else {"required": [keys[1]]}
        else:
            word, then = "dependencies", w.pick([[keys[1]], {"required": [keys[1]]}])
        out[word] = {keys[0]: then}
    if keys and w.since("draft7") and w.may("if", 10):
        out |= {"if": {"properties": {keys[0]: _literal(w, depth)}, "required": [keys[0]]}}
        out |= {
            w.pick(["then", "else"]): w.pick(
                [{"required": [keys[-1]]}, {"properties": {keys[-1]: _node(w, 9)}}]
            )
        }
    if w.may("not", 8):
        out["not"] = w.pick(
            [{"required": ["z"]}, {"properties": {"a": {"type": "null"}}, "required": ["a"]}]
        )
    if w.since("2019-09") and "additionalProperties" not in out and w.may("unevaluated", 10):
        out["unevaluatedProperties"] = w.pick([False, {"type": "string"}])
    return out


def _map(w: Writer, depth: int) -> Schema:
    out: dict[str, Schema] = {"type": "object", "additionalProperties": _node(w, depth + 1)}
    if w.since("draft6") and w.may("property_names", 15):
        out["propertyNames"] = {"pattern": w.pick(_KEY_PATTERNS)}
    return out


def _union(word: str) -> _Rule:
    def union(w: Writer, depth: int) -> Schema:
        arms = [_node(w, depth + 1) for _ in range(w.count(2, 3))]
        out: dict[str, Schema] = {word: arms}
        if w.may("siblings", 15):
            out |= w.pick([{"type": ["object", "array", "null"]}, {"minimum": 0}, {"maxLength": 3}])
            if w.draft == "openapi-3.0" and "type" in out:
                del out["type"]
        return out

    return union


def _all_of(w: Writer, depth: int) -> Schema:
    arms = [_object(w, depth + 1), w.pick([_object, _assertion])(w, depth + 1)]
    out: dict[str, Schema] = {"allOf": arms if w.chance(80) else arms[:1]}
    if w.since("2019-09") and w.may("unevaluated", 15):
        out["unevaluatedProperties"] = False
    return out


def _assertion(w: Writer, _depth: int) -> Schema:
    return w.pick(
        [
            {"required": ["a"]},
            {"minProperties": 1},
            {"anyOf": [{"required": ["a"]}, {"required": ["b"]}]},
        ]
    )


def _discriminated(w: Writer, depth: int) -> Schema:
    key = w.pick(["kind", "type"])
    arms: list[Schema] = []
    for tag in ("cat", "dog", "emu")[: w.count(2, 3)]:
        constant: Schema = {"const": tag} if w.since("draft6") else {"enum": [tag]}
        fields = {
            key: constant,
            **{k: _node(w, depth + 2) for k in w.some(("a", "b", "c"), least=0, most=2)},
        }
        arm: Schema = {"type": "object", "properties": fields, "required": [key]}
        arms.append({**arm, "additionalProperties": False} if w.chance(60) else arm)
    return {w.pick(["oneOf", "anyOf"]): arms}


def _typeless(w: Writer, depth: int) -> Schema:
    return w.pick(
        [
            lambda: {"properties": {"a": _node(w, depth + 1)}, "required": ["a"]},
            lambda: {"items": _node(w, depth + 1)},
            lambda: {"minLength": 2},
            lambda: {"minimum": 1, "properties": {"a": _node(w, depth + 1)}},
            lambda: {"not": {"type": "string"}},
        ]
    )()


def _ref(w: Writer, _depth: int) -> Schema:
    name = w.pick(w.names).replace("~", "~0").replace("/", "~1").replace("%", "%25")
    out: dict[str, Schema] = {"$ref": f"#/{w.defs_key}/{name}"}
    if w.may("siblings", 20):
        out |= w.pick([{"description": "beside"}, {"required": ["a"]}, {"minProperties": 1}])
    return out


_RULES: tuple[tuple[str, int, bool, _Rule], ...] = (
    ("string", 5, False, _string),
    ("number", 4, False, _number),
    ("boolean", 2, False, _boolean),
    ("null", 1, False, _null),
    ("literal", 3, False, _literal),
    ("any", 1, False, _any),
    ("boolean_schemas", 1, False, _flag),
    ("ref", 5, False, _ref),
    ("object", 9, True, _object),
    ("array", 4, True, _array),
    ("tuple", 2, True, _tuple),
    ("map", 2, True, _map),
    ("type_list", 2, True, _type_list),
    ("any_of", 3, True, _union("anyOf")),
    ("one_of", 3, True, _union("oneOf")),
    ("all_of", 2, True, _all_of),
    ("discriminated", 2, True, _discriminated),
    ("typeless", 1, True, _typeless),
)
