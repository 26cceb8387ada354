"""What documents declare: every known shape, real requests, and no document that surprises the reader."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora import records_of
from wireshape.declarations import Declared, declarations
from wireshape.errors import SchemaError
from wireshape.ir import pointer

S = {"type": "object", "properties": {"a": {"type": "string"}}}
CHAT = {
    "type": "function",
    "function": {"name": "f", "description": "d", "parameters": S, "strict": True},
}
FLAT = {"type": "function", "name": "f", "description": "d", "parameters": S, "strict": False}
SNAKE = {"name": "f", "description": "d", "input_schema": S}
CAMEL = {"name": "f", "description": "d", "inputSchema": S, "outputSchema": {"type": "array"}}
NAMED = {"name": "f", "schema": S, "strict": True}
FORM = {"type": "json_schema", "json_schema": NAMED}


def declared(document):
    return [(d.name, d.part, pointer(d.path)) for d in declarations(document)]


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        # schemas
        (S, [("", "schema", "")]),
        (True, [("", "schema", "")]),
        ({"message": "hi", "name": "x"}, []),
        ({}, [("", "schema", "")]),
        ({"description": "anything"}, [("", "schema", "")]),
        ({"$schema": "https://json-schema.org/draft/2020-12/schema", "const": 1}, [("", "schema", "")]),
        ({"type": ["object", "null"], "tools": [1]}, [("", "schema", "")]),
        ({"properties": {"tools": S}, "name": "f", "inputSchema": S}, [("", "schema", "")]),
        ([S, True], [("", "schema", "/0"), ("", "schema", "/1")]),
        # tools, alone and in lists
        (CHAT, [("f", "input", "/function/parameters")]),
        (FLAT, [("f", "input", "/parameters")]),
        (SNAKE, [("f", "input", "/input_schema")]),
        ({"name": "f", "parameters": S}, [("f", "input", "/parameters")]),
        (CAMEL, [("f", "input", "/inputSchema"), ("f", "output", "/outputSchema")]),
        ([CHAT, SNAKE], [("f", "input", "/0/function/parameters"), ("f", "input", "/1/input_schema")]),
        ({"toolSpec": {"name": "f", "inputSchema": {"json": S}}}, [("f", "input", "/toolSpec/inputSchema/json")]),
        ({"function": {"name": "f", "parameters": json.dumps(S)}}, [("f", "input", "/function/parameters")]),
        ({"name": "f", "parametersJsonSchema": S, "responseJsonSchema": S}, [("f", "input", "/parametersJsonSchema"), ("f", "output", "/responseJsonSchema")]),
        ({"name": "f", "parameters": None}, []),
        ({"type": "function", "name": "f"}, []),
        ({"type": "custom", "custom": {"name": "f", "format": {"type": "grammar"}}}, []),
        # results of tools/list
        ({"tools": [CAMEL]}, [("f", "input", "/tools/0/inputSchema"), ("f", "output", "/tools/0/outputSchema")]),
        ({"jsonrpc": "2.0", "id": 1, "result": {"tools": [SNAKE], "nextCursor": "x"}}, [("f", "input", "/result/tools/0/input_schema")]),
        ({"tools": []}, []),
        # requests
        ({"model": "m", "messages": [], "tools": [CHAT], "response_format": FORM}, [("f", "input", "/tools/0/function/parameters"), ("f", "format", "/response_format/json_schema/schema")]),
        ({"model": "m", "input": "hi", "tools": [FLAT, {"type": "web_search"}], "text": {"format": {"type": "json_schema", **NAMED}}}, [("f", "input", "/tools/0/parameters"), ("f", "format", "/text/format/schema")]),
        ({"messages": [], "output_config": {"format": {"type": "json_schema", "schema": S}}}, [("", "format", "/output_config/format/schema")]),
        ({"messages": [], "functions": [{"name": "f", "parameters": S}]}, [("f", "input", "/functions/0/parameters")]),
        ({"contents": [], "tools": [{"functionDeclarations": [{"name": "f", "parameters": S}, {"name": "g"}]}, {"googleSearch": {}}]}, [("f", "input", "/tools/0/functionDeclarations/0/parameters")]),
        ({"function_declarations": [{"name": "f", "parameters": S}]}, [("f", "input", "/function_declarations/0/parameters")]),
        ({"contents": [], "generationConfig": {"responseJsonSchema": S, "temperature": 0}}, [("", "format", "/generationConfig/responseJsonSchema")]),
        ({"generationConfig": {"responseFormat": {"text": {"mimeType": "application/json", "schema": S}}}}, [("", "format", "/generationConfig/responseFormat/text/schema")]),
        ({"toolConfig": {"tools": [{"toolSpec": {"name": "f", "inputSchema": {"json": S}}}]}}, [("f", "input", "/toolConfig/tools/0/toolSpec/inputSchema/json")]),
        ({"outputConfig": {"textFormat": {"type": "json_schema", "structure": {"jsonSchema": {"schema": json.dumps(S), "name": "f"}}}}}, [("f", "format", "/outputConfig/textFormat/structure/jsonSchema/schema")]),
        ({"messages": [], "format": S}, [("", "format", "/format")]),
        ({"messages": [], "format": "json"}, []),
        ({"messages": [], "guided_json": S}, [("", "format", "/guided_json")]),
        ({"messages": [], "extra_body": {"structured_outputs": {"json": S}}}, [("", "format", "/extra_body/structured_outputs/json")]),
        ({"prompt": "hi", "json_schema": S}, [("", "format", "/json_schema")]),
        ({"text": "hi", "sampling_params": {"json_schema": json.dumps(S)}, "contents": 1}, []),
        ({"params": {"message": "m", "requestedSchema": S}}, [("", "format", "/params/requestedSchema")]),
        ({"messages": [], "tools": None}, []),
        ({"messages": [{"role": "user"}]}, []),
        ({"result": {"content": []}, "body": 1}, []),
        # forms of a reply, alone
        (FORM, [("f", "format", "/json_schema/schema")]),
        (NAMED, [("f", "format", "/schema")]),
        ({"type": "json_object", "schema": S}, [("", "format", "/schema")]),
        ({"type": "json_object", "json_schema": S}, [("", "format", "/json_schema")]),
        ({"type": "json_schema", "json_schema": S}, [("", "format", "/json_schema")]),
        ({"type": "json_object"}, []),
        ({"type": "json_schema", "json_schema": {"name": "f"}}, []),
        ({"response_format": {"type": "text"}}, []),
        ({"response_format": {"type": "text", "mime_type": "application/json", "schema": S}}, [("", "format", "/response_format/schema")]),
        ({"response_format": S}, [("", "format", "/response_format")]),
        ({"format": {"type": "json_schema", "schema": S}}, [("", "format", "/format/schema")]),
        # batches
        ({"custom_id": "1", "body": {"messages": [], "response_format": FORM}}, [("f", "format", "/body/response_format/json_schema/schema")]),
        ({"requests": [{"custom_id": "1", "params": {"messages": [], "tools": [SNAKE]}}]}, [("f", "input", "/requests/0/params/tools/0/input_schema")]),
        ([{"messages": [], "tools": [SNAKE]}, S], [("f", "input", "/0/tools/0/input_schema"), ("", "schema", "/1")]),
    ],
)  # fmt: skip
def test_each_shape(document, expected):
    assert declared(document) == expected


def test_what_is_told_of_a_tool():
    (d,) = declarations([CHAT])
    assert d == Declared("f", "input", S, (((None, 0), "function"), "parameters"), "d", strict=True)
    assert declarations([FLAT])[0].strict is False
    assert declarations([{**CHAT, "function": SNAKE, "strict": True}])[0].strict is True
    assert declarations([SNAKE])[0].strict is None
    (d,) = declarations(
        {"name": 1, "type": "function", "description": [], "parameters": S, "strict": "yes"}
    )
    assert (d.name, d.description, d.strict) == ("", "", None)


def test_json_text_is_parsed():
    (d,) = declarations({"function": {"name": "f", "parameters": json.dumps(S)}})
    assert (d.schema, d.text) == (S, True)
    (d,) = declarations({"function": {"name": "f", "parameters": "{"}})
    assert (d.schema, d.text) == ("{", True)
    (d,) = declarations({"function": {"name": "f", "parameters": "[" * 200_000}})
    assert d.text
    assert declarations(SNAKE)[0].text is False


@pytest.mark.parametrize(
    ("document", "place"),
    [
        (1, ""),
        ("x", ""),
        (None, ""),
        ([S, 1], "/1"),
        ([S, {"foo": 1}], "/1"),
        ({"messages": [], "tools": {"f": S}}, "/tools"),
        ({"tools": [SNAKE, "g"]}, "/tools/1"),
        ({"result": {"tools": [[]]}}, "/result/tools/0"),
        ({"tools": [{"functionDeclarations": {}}]}, "/tools/0/functionDeclarations"),
    ],
)
def test_what_must_stand_elsewhere_is_named(document, place):
    with pytest.raises(SchemaError) as e:
        declarations(document)
    assert (e.value.code, e.value.pointer) == ("WS130", place)


@pytest.mark.parametrize(
    ("document", "place", "meant"),
    [
        ({"tool": [SNAKE]}, "/tool", "tools"),
        ({"messages": [], "Tools": [SNAKE]}, "/Tools", "tools"),
        ({"messages": [], "respose_format": FORM}, "/respose_format", "response_format"),
        ({"function": {"name": "x", "parametres": S}}, "/function/parametres", "parameters"),
        ({"type": "function", "functoin": {"name": "x"}}, "/functoin", "function"),
        ({"tools": [{"nme": "y", "inputSchema": S}]}, "/tools/0/nme", "name"),
        ({"tools": [{"name": "y", "input-schema": S}]}, "/tools/0/input-schema", "input_schema"),
        ({"name": "y", "inptSchema": S}, "/inptSchema", "inputSchema"),
    ],
)  # fmt: skip
def test_a_misspelt_key_is_named(document, place, meant):
    with pytest.raises(SchemaError, match=f"did you mean '{meant}'") as e:
        declarations(document)
    assert (e.value.code, e.value.pointer) == ("WS131", place)


def test_documents_in_documents_end():
    nests = (
        lambda d: {"params": d},
        lambda d: {"requests": [d]},
        lambda d: [d],
        lambda d: {"tools": [d]},
    )
    for nest in nests:
        deep = {"tools": [SNAKE]}
        for _ in range(2000):
            deep = nest(deep)
        with pytest.raises(SchemaError):
            declarations(deep)
    loop: dict = {"messages": []}
    loop["params"] = loop
    with pytest.raises(SchemaError):
        declarations(loop)
    loop = {"name": "f", "schema": {}}
    loop = {"type": "json_schema", "json_schema": loop}
    loop["json_schema"] = {"text": loop}
    assert declarations(loop) == []


words = st.sampled_from(
    "tools functions function name parameters inputSchema input_schema outputSchema type schema json_schema response_format text format "
    "output_config toolSpec json toolConfig functionDeclarations result params requests messages structure jsonSchema strict custom x".split()
)
leaves = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from(["function", "json_schema", "object", "{}", "x"])
)
documents = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=4),
    max_leaves=15,
)


def at(document, path):
    return document if path is None else at(document, path[0])[path[1]]


@given(documents)
def test_any_document_is_answered(document):
    before = repr(document)
    try:
        found = declarations(document)
    except SchemaError as e:
        assert e.code in ("WS130", "WS131")
        assert e.pointer == "" or e.pointer.startswith("/")
    else:
        for d in found:
            there = at(document, d.path)
            assert there is d.schema or d.text
            assert isinstance(there, str) == d.text
    assert repr(document) == before


@pytest.mark.corpus
def test_real_requests_declare_the_schemas_that_were_sent():
    """Every schema that was recorded as sent is found in the request it came from."""
    requests = {r["id"]: r["request"] for r in records_of("provider_responses") if r["request"]}
    found = {i: [d.schema for d in declarations(r)] for i, r in requests.items()}
    assert sum(map(len, found.values())) > 500
    missed = [
        (record["id"], request)
        for record in records_of("wire_schemas")
        for request in record["requests"]
        if request in found and record["schema"] not in found[request]
    ]
    assert missed == []
