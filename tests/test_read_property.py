"""Random schemas: what was read, written out plainly, gives the verdicts of the source."""

import copy
import json
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wireshape.emit.json_schema import plain
from wireshape.errors import SchemaError
from wireshape.options import Options
from wireshape.read import read

KEYS = ["a", "b", "ab", "c"]
SCALARS = st.sampled_from([None, True, False, 0, 1, 1.0, 2, 3.5, -1, "", "a", "ab", "b"])
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=3)
    ),
    max_leaves=6,
)
SMALL = st.integers(0, 3)
NAMES = st.lists(st.sampled_from(KEYS), max_size=2, unique=True)
REFS = st.sampled_from(["#/$defs/x", "#/$defs/y", "#/$defs/z"])


def schemas(*, modern: bool) -> st.SearchStrategy[Any]:
    return st.recursive(
        st.booleans()
        | st.just({})
        | st.fixed_dictionaries(
            {"type": st.sampled_from(["object", "array", "string", "integer", "number", "null"])}
        ),
        lambda inner: _keywords(inner, modern=modern),
        max_leaves=9,
    )


def _keywords(inner: st.SearchStrategy[Any], *, modern: bool) -> st.SearchStrategy[Any]:
    several = st.lists(inner, min_size=1, max_size=3)
    named = st.dictionaries(st.sampled_from(KEYS), inner, max_size=3)
    keywords: dict[str, st.SearchStrategy[Any]] = {
        "type": st.sampled_from(["object", "array", "string", "integer", "number", ["object", "null"], ["string", "integer", "array"]]),
        "enum": st.lists(VALUES, min_size=1, max_size=4),
        "const": VALUES,
        "minimum": SMALL,
        "exclusiveMaximum": SMALL,
        "multipleOf": st.sampled_from([1, 2, 0.5]),
        "minLength": SMALL,
        "maxLength": SMALL,
        "pattern": st.sampled_from(["a", "^a$", "b"]),
        "minItems": SMALL,
        "maxItems": SMALL,
        "uniqueItems": st.booleans(),
        "items": inner,
        "contains": inner,
        "properties": named,
        "required": NAMES,
        "additionalProperties": inner,
        "patternProperties": st.dictionaries(st.sampled_from(["a", "^b", "c"]), inner, max_size=2),
        "propertyNames": inner,
        "minProperties": SMALL,
        "maxProperties": SMALL,
        "allOf": several,
        "anyOf": several,
        "oneOf": several,
        "not": inner,
        "if": inner,
        "then": inner,
        "else": inner,
        "$ref": REFS,
    }  # fmt: skip
    if modern:
        keywords |= {
            "prefixItems": several,
            "minContains": SMALL,
            "dependentRequired": st.dictionaries(st.sampled_from(KEYS), NAMES, max_size=2),
            "dependentSchemas": named,
            "unevaluatedProperties": inner,
            "unevaluatedItems": inner,
        }
    else:
        keywords |= {
            "dependencies": st.dictionaries(st.sampled_from(KEYS), NAMES | inner, max_size=2)
        }
        keywords["items"] = inner | several
        keywords["additionalItems"] = inner
    common = st.sampled_from(
        [
            "properties",
            "required",
            "allOf",
            "anyOf",
            "oneOf",
            "$ref",
            "type",
            "additionalProperties",
        ]
    )
    return st.lists(
        st.sampled_from(sorted(keywords)) | common, min_size=1, max_size=4, unique=True
    ).flatmap(lambda names: st.fixed_dictionaries({name: keywords[name] for name in names}))


def _document(schema: Any, defs: dict[str, Any], draft: str) -> dict[str, Any]:
    return {"$schema": draft, "allOf": [schema], "$defs": defs}


@pytest.mark.parametrize(
    "draft",
    ["https://json-schema.org/draft/2020-12/schema", "http://json-schema.org/draft-07/schema#"],
)
def test_verdicts_survive_reading(draft: str) -> None:
    modern = "2020" in draft
    schema = schemas(modern=modern)
    validator = jsonschema_rs.Draft202012Validator if modern else jsonschema_rs.Draft7Validator

    @settings(deadline=None)
    @given(
        schema,
        st.fixed_dictionaries({"x": schema, "y": schema, "z": schema}),
        st.lists(VALUES, min_size=4, max_size=12),
    )
    def law(top: Any, defs: dict[str, Any], values: list[Any]) -> None:
        document = _document(top, defs, draft)
        kept = copy.deepcopy(document)
        try:
            graph = read(document, Options()).graph
        except SchemaError as error:
            assert error.code == "WS113", error  # random references may never reach a value
            return
        assert document == kept
        wire = plain(graph)
        source = validator(document, validate_formats=True)
        target = jsonschema_rs.Draft202012Validator(wire, validate_formats=True)
        for value in values:
            assert target.is_valid(value) == source.is_valid(value), (
                json.dumps(document),
                json.dumps(value),
                json.dumps(wire),
            )

    law()
