"""The words for what a wire schema cannot enforce: every text that we add to a description is made here."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from wireshape import ir
from wireshape.emit import plain
from wireshape.walk import references

_LONGEST = 240

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
    if keyword == "uniqueItems":
        return "items are distinct"
    if keyword == "deprecated":
        return "deprecated"
    template = _PHRASES.get(keyword, keyword + ": {}")
    if value == 1 and template.endswith("s"):
        template = template[:-1]
    return template.format(value if isinstance(value, str) else compact(value))


def compact(value: Any) -> str:
    """Return JSON text, cut when long."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else text[:_LONGEST] + " ..."


def listed(values: Iterable[Any]) -> str:
    """Say all members of an enum; none is left out."""
    return "one of: " + ", ".join([v if isinstance(v, str) else json.dumps(v, ensure_ascii=False) for v in values])


def join(text: str | None, told: list[str]) -> str:
    """Append what is told to the author's text.

    >>> join("Cards", ["at least 8 items"])
    'Cards (at least 8 items)'
    """
    words = "; ".join(dict.fromkeys(told))
    if not text:
        return words
    return f"{text} ({words})" if words else text


def assertion(a: ir.Assertion) -> str:
    """Say a residual assertion; short schemas are quoted, long ones named."""
    if a.keyword == "dependentRequired":
        return "; ".join([f"if {key} is given, so must be {', '.join(keys)}" for key, keys in a.value.items()])
    groups = [_required_only(n) for n in a.nodes]
    if a.keyword in ("anyOf", "oneOf") and all(groups):
        words = " or ".join([" with ".join(g) for g in groups if g])
        return f"{'exactly one' if a.keyword == 'oneOf' else 'at least one'} of these must be given: {words}"
    if a.keyword == "not" and groups[0]:
        return f"these must not be given together: {', '.join(groups[0])}"
    if not a.nodes:
        return phrase(a.keyword, a.value)
    if any([True for n in a.nodes for _ in references(n)]):
        return f"a rule holds that only the full schema tells (`{a.keyword}`)"
    quoted = [compact(plain(ir.Graph(n, {}))) for n in a.nodes]
    if a.keyword == "if":
        text = f"if it matches {quoted[0]} then {quoted[1]}"
        return text if type(a.nodes[2]) is ir.Any else f"{text} else {quoted[2]}"
    if a.keyword.startswith("unevaluated"):
        return "no other keys" if a.keyword == "unevaluatedProperties" else "no other items"
    if a.keyword == "dependentSchemas":
        return "; ".join([f"with {key} it must match {text}" for key, text in zip(a.value, quoted, strict=True)])
    if a.keyword == "not":
        return f"must not match {quoted[0]}"
    if a.keyword == "contains":
        return f"contains an item that matches {quoted[0]}"
    return f"{a.keyword}: {', '.join(quoted)}"


def _required_only(n: ir.Node) -> list[str]:
    """The keys of `{required: [...]}`, or nothing when the node says more."""
    options = [o for o in n.options if type(o) is ir.Object] if type(n) is ir.Union and n.implied == ("object",) else [n]
    only = options[0]
    if type(only) is not ir.Object or not all([type(f.node) is ir.Any and f.required for f in only.fields]):
        return []
    bare = ir.Object(only.fields, ir.Any(), open=only.open, ann=only.ann)
    return [f.key for f in only.fields] if only == bare else []


def exact(value: Any) -> str:
    """Return compact JSON text, never cut."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
