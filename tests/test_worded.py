"""A schema in a prompt: rules in words, no description lost, no valid answer forbidden."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wireshape as ws
from wireshape import ir
from wireshape.emit import plain
from wireshape.notation.source import read_text
from wireshape.options import Options
from wireshape.prompts import by_prompt
from wireshape.read import read
from wireshape.testing import FEATURES, schemas, values
from wireshape.walk import children
from wireshape.worded import worded

ORDER = {
    "type": "object",
    "title": "Order",
    "properties": {
        "id": {"type": "string", "minLength": 3, "pattern": "^A", "description": "Which."},
        "count": {"type": "integer", "minimum": 1, "exclusiveMaximum": 10, "default": 2},
        "tags": {"type": "array", "items": {"type": "string", "format": "date"}, "uniqueItems": True, "maxItems": 4},
        "who": {"anyOf": [{"type": "string", "maxLength": 5}, {"type": "null"}], "examples": ["Ada", "Bob"]},
        "sums": {"type": "object", "additionalProperties": {"type": "number", "minimum": 0}, "maxProperties": 3},
        "at": {"type": "array", "prefixItems": [{"type": "number"}, {"type": "number"}], "minItems": 2, "maxItems": 2},
        "more": {"type": "array", "prefixItems": [{"type": "number"}], "items": {"type": "string"}, "minItems": 2, "uniqueItems": True},
        "kind": {"oneOf": [{"$ref": "#/$defs/A"}, {"type": "null"}]},
        "free": {"minLength": 2, "description": "anything"},
        "gone": {"not": {}},
        "keys": {"type": "object", "propertyNames": {"pattern": "^k"}, "patternProperties": {"^ka": {"type": "integer"}}},
    },
    "required": ["id"],
    "not": {"required": ["tags", "sums"]},
    "additionalProperties": False,
    "$defs": {"A": {"type": "object", "description": "the a", "properties": {"kind": {"const": "a"}, "next": {"$ref": "#/$defs/A"}}}},
}  # fmt: skip


def test_a_prompt_in_notation() -> None:
    assert (
        by_prompt(ORDER, "notation").partition("\n\n")[0]
        == """\
/// Order (these must not be given together: tags, sums)
closed {
id:string /// Which. (at least 3 characters; matches the regular expression ^A)
count?:integer=2 /// at least 1; less than 10
tags?:string[] /// at most 4 items; items are distinct; each item: format: date
who?:string|null /// unless null: at most 5 characters; for example: Ada
/// at most 3 keys
sums?:{
[key:string]:number /// at least 0
}
at?:[number, number]
more?:[number, ...string[]] /// at least 2 items; items are distinct
kind?:A|null /// exactly one of the alternatives
free?:string /// anything (at least 2 characters)
/// each key: {"type": "string", "pattern": "^k"}
keys?:{
[/^ka/]:integer
}
}
/// the a
type A={
kind?:"a"
next?:A
}"""
    )


@pytest.mark.parametrize(("row", "form"), [("moonshot-non-strict", "notation"), ("qwen-json-object", "json-schema")])  # fmt: skip
def test_rows_say_which_form_their_models_get(row: str, form: Any) -> None:
    plan = ws.plan(row, output=ws.Output(ORDER, carrier="prompt"))
    assert plan.output is not None
    assert plan.prompt == by_prompt(plan.output.compiled.schema, form)
    assert ws.dialect(row).delivery.prompt == form


def descriptions(graph: ir.Graph) -> list[str]:
    found: list[str] = []
    stack = [graph.root, *graph.defs.values()]
    while stack:
        n = stack.pop()
        if n.ann and "description" in n.ann:
            found.append(n.ann["description"])
        stack += children(n) if type(n) is not ir.Refine else [n.base]
    return found


TYPED = FEATURES - {"typeless", "unevaluated", "dependent", "siblings", "not", "if"}


@given(st.data())
def test_every_valid_value_fits_what_a_model_is_told(data: st.DataObject) -> None:
    schema = data.draw(schemas(max_leaves=8, features=TYPED))
    try:
        source = read(schema, Options())
        value = data.draw(values(schema))
    except (ws.SchemaError, ValueError):
        return
    told = worded(source.graph)
    if any([type(n) is ir.Union and n.implied for n in _all(source.graph)]):
        return
    assert jsonschema.Draft202012Validator(plain(told)).is_valid(value)
    text = by_prompt(schema, "notation").rpartition("\n\n")[0]
    assert read_text(text, Options()).graph.root is not None
    lines = {line.strip(" /") for line in text.splitlines()}
    for description in descriptions(source.graph):
        assert any([description in line for line in lines]), (description, text)


def _all(graph: ir.Graph) -> list[ir.Node]:
    found: list[ir.Node] = []
    stack = [graph.root, *graph.defs.values()]
    while stack:
        found.append(stack.pop())
        stack += children(found[-1])
    return found
