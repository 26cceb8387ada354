"""The words for what a wire schema cannot enforce: every text that we add to a description is made here."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from wireshape import ir
from wireshape.emit import plain
from wireshape.ir import kind_of
from wireshape.walk import children, references

_LONGEST = 240
_JSON = json.JSONEncoder(ensure_ascii=False)  # `json.dumps` would make one for each text

_PHRASES = {
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "pattern": "matches the regular expression {}",
    "format": "format: {}",
    "minimum": "at least {}",
    "maximum": "at most {}",
    "exclusiveMinimum": "greater than {}",
    "exclusiveMaximum": "less than {}",
    "multipleOf": "a multiple of {}",
    "minItems": "at least {} items",
    "maxItems": "at most {} items",
    "minProperties": "at least {} keys",
    "maxProperties": "at most {} keys",
    "default": "default: {}",
    "examples": "for example: {}",
    "enum": "one of: {}",
    "const": "always {}",
    "contentEncoding": "encoded as {}",
    "contentMediaType": "content type: {}",
}


def phrase(keyword: str, value: Any = None) -> str:
    """Say one keyword in words.

    >>> phrase("minItems", 3)
    'at least 3 items'
    """
    if keyword == "discriminator":
        return _hint(value)
    if keyword == "uniqueItems":
        return "items are distinct"
    if keyword == "deprecated":
        return "deprecated"
    template = _PHRASES.get(keyword, keyword + ": {}")
    if value == 1 and template.endswith("s"):
        template = template[:-1]
    return template.format(value if isinstance(value, str) else compact(value))


def discriminating(value: ir.Json) -> str | None:
    """Return the key that OpenAPI's `discriminator` names, if it does."""
    key = value.get("propertyName") if kind_of(value) is dict else None
    return key if type(key) is str else None


def _hint(value: ir.Json) -> str:
    """Say which value of a key names which schema; nothing where the annotation is no `discriminator`.

    >>> _hint({"propertyName": "kind", "mapping": {"cat": "#/components/schemas/Cat", "dog": "Dog"}})
    'kind: "cat" for Cat, "dog" for Dog'
    """
    key = discriminating(value)
    if key is None:
        return ""
    names = value.get("mapping")
    pairs = list(names.items()) if kind_of(names) is dict else []
    said = [f"{compact(k)} for {v.rpartition('/')[2]}" for k, v in pairs if type(v) is str]
    return f"{key}: {', '.join(said)}" if said else f"{key} names the alternative"


def compact(value: Any) -> str:
    """Return JSON text, cut when long."""
    text = _JSON.encode(value)
    return text if len(text) <= _LONGEST else text[:_LONGEST] + " ..."


def listed(values: Iterable[Any]) -> str:
    """Say all members of an enum; none is left out."""
    return "one of: " + ", ".join([v if isinstance(v, str) else _JSON.encode(v) for v in values])


def join(text: str | None, told: Sequence[str]) -> str:
    """Append what is told to the author's text.

    >>> join("Cards", ["at least 8 items"])
    'Cards (at least 8 items)'
    """
    words = "; ".join(dict.fromkeys(told))
    if not text:
        return words
    return f"{text} ({words})" if words else text


def kind(n: ir.Node) -> str:
    """Name what a node admits in a word or two.

    >>> kind(ir.Union((ir.String(), ir.Null())))
    'string or null'
    """
    if type(n) is ir.Ref:
        return n.name
    if type(n) is ir.Refine:
        return kind(n.base)
    if type(n) is ir.Union:
        kinds = list(dict.fromkeys([kind(o) for o in n.options]))
        return " or ".join(kinds[:_FEW]) + (" ..." if len(kinds) > _FEW else "")
    if type(n) is ir.Literal:
        return " or ".join([compact(v) for v in n.values[:_FEW]]) + (
            " ..." if len(n.values) > _FEW else ""
        )
    if type(n) is ir.Number:
        return "integer" if n.integer else "number"
    if type(n) is ir.String:
        return " that ".join(["string", *[phrase("pattern", p) for p in n.patterns]])
    return _WORDS[type(n)]


_FEW = 8
_WORDS: dict[type, str] = {
    ir.Object: "object",
    ir.List: "array",
    ir.Tuple: "array",
    ir.Boolean: "boolean",
    ir.Null: "null",
    ir.Any: "anything",
    ir.Never: "not allowed",
}


def assertion(a: ir.Assertion, defs: Mapping[str, ir.Node]) -> str:
    """Say a residual assertion; short schemas are quoted, with the definitions they use, long ones named."""
    if a.keyword == "dependentRequired":
        return "; ".join(
            [f"if {key} is given, so must be {', '.join(keys)}" for key, keys in a.value.items()]
        )
    groups = [_required_only(n) for n in a.nodes]
    if a.keyword in ("anyOf", "oneOf") and all(groups):
        words = " or ".join([" with ".join(g) for g in groups if g])
        return f"{'exactly one' if a.keyword == 'oneOf' else 'at least one'} of these must be given: {words}"
    if a.keyword == "not" and groups[0]:
        return f"these must not be given together: {', '.join(groups[0])}"
    if not a.nodes:
        return phrase(a.keyword, a.value)
    if a.keyword.startswith("unevaluated"):
        return "no other keys" if a.keyword == "unevaluatedProperties" else "no other items"
    if not all([_is_short(n, defs) for n in a.nodes]):
        return f"a rule holds that only the full schema tells (`{a.keyword}`)"
    said = [_in_words(n) or f"it matches {compact(plain(ir.Graph(n, defs)))}" for n in a.nodes]
    if a.keyword == "if":
        text = f"if {said[0]} then {said[1]}"
        return text if type(a.nodes[2]) is ir.Any else f"{text}, else {said[2]}"
    if a.keyword == "dependentSchemas":
        return "; ".join(
            [f"if {key} is given then {text}" for key, text in zip(a.value, said, strict=True)]
        )
    if a.keyword == "not":
        return f"never so that {said[0]}".replace("never so that it matches", "must not match")
    if a.keyword == "contains":
        fits = " that match" if a.value else " that matches"
        text = f"contains {_how_many(a.value or {})} so that {said[0]}"
        return text.replace(" so that it matches", fits)
    return f"{_COUNTS.get(a.keyword, a.keyword)} of: {'; '.join(said)}"


def _how_many(bounds: Mapping[str, Any]) -> str:
    """Say how many items of a list a `contains` asks for."""
    if not bounds:
        return "an item"
    low, high = bounds.get("minContains", 1), bounds.get("maxContains")
    least = [f"at least {low}"] if low else []
    return " and ".join([*least, *([] if high is None else [f"at most {high}"])]) + " items"


def quoted(n: ir.Node, defs: Mapping[str, ir.Node]) -> str:
    """Quote a node that says more than its type, if it is short; else name it.

    >>> quoted(ir.String(max_length=3), {}), quoted(ir.Any(), {})
    ('{"type": "string", "maxLength": 3}', 'anything')
    """
    bare = type(n) is ir.Any or type(n) is ir.Never or not _is_short(n, defs)
    return kind(n) if bare else compact(plain(ir.Graph(n, defs)))


def _is_short(n: ir.Node, defs: Mapping[str, ir.Node]) -> bool:
    """Whether few definitions are behind the node, and few nodes in those."""
    names: set[str] = set()
    stack = [n]
    for _ in range(_MOST_SHORT):
        if not stack:
            return True
        at = stack.pop()
        if type(at) is not ir.Ref:
            stack += children(at) if names else [ir.Ref(name) for name, _ in references(at)]
        elif at.name not in names:
            names.add(at.name)
            stack.append(defs[at.name])
    return not stack


_MOST_SHORT = 24
_COUNTS = {"anyOf": "at least one", "oneOf": "exactly one", "allOf": "all"}


def _in_words(n: ir.Node) -> str | None:
    """Say an object condition key by key, or nothing when it says more than constants and presence."""
    only = _of_objects(n)
    bare = (
        ir.Object(only.fields, ir.Any(), open=only.open, ann=only.ann) if only is not None else None
    )
    if only is None or only != bare or not only.fields:
        return None
    said: list[str] = []
    for f in only.fields:
        if type(f.node) is ir.Literal:
            said.append(f"{f.key} is {' or '.join([compact(v) for v in f.node.values])}")
        elif type(f.node) is ir.Any and f.required:
            said.append(f"{f.key} is given")
        elif type(f.node) is ir.Never:
            said.append(f"{f.key} is not given")
        else:
            return None
    return " and ".join(said)


def _of_objects(n: ir.Node) -> ir.Object | None:
    """The node itself, or what a schema without type says of objects when it speaks of nothing else."""
    if type(n) is ir.Union and n.implied == ("object",):
        n = n.options[-1]
    return n if type(n) is ir.Object else None


def _required_only(n: ir.Node) -> list[str]:
    """The keys of `{required: [...]}`, or nothing when the node says more."""
    only = _of_objects(n)
    if only is None or not all([type(f.node) is ir.Any and f.required for f in only.fields]):
        return []
    bare = ir.Object(only.fields, ir.Any(), open=only.open, ann=only.ann)
    return [f.key for f in only.fields] if only == bare else []


def exact(value: Any) -> str:
    """Return compact JSON text, never cut."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
