"""The notation: what a graph holds is written and comes back equal, and a text that is none is told where."""

from __future__ import annotations

import contextlib
import pickle
import random
import time
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given, settings

import wireshape as ws
from wireshape import ir
from wireshape.emit.notation import notation
from wireshape.notation.grammar import parse
from wireshape.notation.layout import laid_out
from wireshape.notation.source import read_text
from wireshape.options import Options
from wireshape.read import read
from wireshape.testing import FEATURES, schemas
from wireshape.testing.schema_writer import DRAFTS

DEFAULTS = Options()


def graph_of(text: str) -> ir.Graph:
    return read_text(text, DEFAULTS).graph


def comes_back(graph: ir.Graph) -> None:
    for dense in (False, True):
        text = notation(graph, dense=dense)
        again = graph_of(text)
        assert again == graph, text
        assert list(again.defs) == list(graph.defs), text
        assert notation(again, dense=dense) == text
    assert laid_out(parse(notation(graph))) == notation(graph)


@given(schemas(drafts=DRAFTS, max_leaves=14))
def test_a_written_graph_reads_back(schema: ir.Json) -> None:
    try:
        graph = read(schema, DEFAULTS).graph
    except ws.SchemaError:
        return
    comes_back(graph)


def _string(**more: object) -> dict[str, object]:
    return {"type": "string", **more}


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "properties": dict.fromkeys(("any", "type", "a b", "", "é", "$x", '"', "a\nb", "`", "true", "0", "closed", "enum", "///"), True)},
        {"properties": {"a": {"$ref": "#/$defs/a"}, "b": {"$ref": "#/$defs/b"}}, "$defs": {"a": {"type": "object", "$ref": "#/$defs/b"}, "b": {"type": "object", "properties": {"c": True}}}},
        {"enum": [1, 1.5, -0.0, 1e300, 2**70, 10**3900, 1e-9, "1", True]},
        {"enum": ["a", None, [], {"b": [1, {}]}]},
        {"anyOf": [{"const": "a"}, {"enum": ["b", "c"]}, {"const": 1}, {"type": "null"}, {"const": None}]},
        {"oneOf": [{"const": "a"}, {"const": "a"}, {"type": "object"}]},
        {"anyOf": [{"title": "x", "anyOf": [{"type": "string"}, {"type": "null"}]}, {"type": "integer"}]},
        {"enum": ["\"'\\/\n\t\u2028\x00", "/", "//", "`"], "description": "a\r\nb"},
        {"description": "one\n\n two \n/ three", "type": "object", "properties": {"a": {"description": "", "default": None}}},
        {"type": "array", "items": _string(description="an item", pattern=r"^a/b\/c\d$")},
        {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "minItems": 2, "maxItems": 2},
        {"type": "array", "prefixItems": [{"type": "string"}], "items": False},
        {"type": "array", "prefixItems": [{"type": "string"}], "items": {"type": "null"}, "minItems": 4, "uniqueItems": True},
        {"type": "array", "prefixItems": [True, {"type": "integer"}], "minItems": 1},
        {"type": "object", "additionalProperties": {"type": "integer", "title": "n"}, "minProperties": 1, "maxProperties": 3},
        {"type": "object", "additionalProperties": True, "properties": {"a": {"type": "string"}}},
        {"type": "object", "additionalProperties": False},
        {"type": "object", "propertyNames": {"pattern": "^[a-z]+$"}, "properties": {"a": True}, "additionalProperties": {"type": "string"}},
        {"type": "object", "patternProperties": {"^x-": {"type": "string"}, "/": True, "": {"minLength": 1}}, "properties": {"x-a": {"maxLength": 3}}},
        {"required": ["a"], "minLength": 3, "title": "no type"},
        {"type": "string", "allOf": [{"pattern": "a"}, {"pattern": "b"}, {"format": "email"}], "format": "made-up"},
        {"type": "number", "allOf": [{"multipleOf": 0.3}, {"multipleOf": 0.7}], "exclusiveMinimum": 0, "maximum": 9.5},
        {"type": "string", "not": {"const": "a"}, "if": {"minLength": 3}, "then": {"maxLength": 5}, "else": {"pattern": "x"}},
        {"type": "array", "contains": {"type": "string"}, "minContains": 2, "maxContains": 3},
        {"type": "object", "dependentRequired": {"a": ["b", "c d"]}, "dependentSchemas": {"e f": {"required": ["g"]}}},
        {"type": "object", "properties": {"a": {"$ref": "#"}}, "additionalProperties": False},
        {"$ref": "#/$defs/any", "$defs": {"any": _string(), "type": True}, "title": "root"},
        {"type": "object", "properties": {"a": {"$ref": "#/$defs/a.b-c"}, "b": {"$ref": "#/$defs/enum", "description": "d"}}, "$defs": {"a.b-c": _string(), "enum": {"enum": [1]}}},
        {"type": "integer", "format": "int32", "deprecated": True, "readOnly": False, "examples": [1, [2]], "$comment": "c", "default": {"a": [None]}},
        {"$schema": "http://json-schema.org/draft-07/schema#", "type": "string", "format": "uuid", "title": "not asserted"},
        {"type": "object", "unevaluatedProperties": False, "anyOf": [{"properties": {"a": {"type": "string"}}}, {"required": ["b"]}]},
        {"type": "string", "enum": [1]},
        True,
        False,
    ],
)  # fmt: skip
def test_what_is_hard_to_write_comes_back(schema: ir.Json) -> None:
    comes_back(read(schema, DEFAULTS).graph)


def test_definitions_are_in_the_order_of_equal_graphs_however_much_is_shared() -> None:
    """What two definitions got from a third one leads to the one of them that lies in it."""
    had: ir.Json = {"properties": {"x": {"properties": {"a": {"$ref": "#/$defs/A"}, "b": {"$ref": "#/$defs/B"}}}}}  # fmt: skip
    of_base = [{"$ref": "#/$defs/base"}, {"properties": {"z": {"$ref": "#/$defs/C"}}}]
    leaves = {"B": {"properties": {"b": True}}, "C": {"properties": {"c": True}}}
    schema: ir.Json = {"allOf": of_base, "$defs": {"base": had, "A": {"allOf": of_base}, **leaves}}
    graph = read(schema, DEFAULTS).graph
    assert list(graph.defs) == ["A", "B", "C"]
    comes_back(graph)


def test_a_definition_that_became_another_one_is_not_written() -> None:
    """Of its alternatives one turns out to be impossible, by a definition that merging makes."""
    either = {"anyOf": [{"allOf": [{"type": "array"}, {"$ref": "#/$defs/A"}]}, {"$ref": "#/$defs/C"}]}  # fmt: skip
    again = {"properties": {"u": {"$ref": "#/$defs/F"}}}
    schema: ir.Json = {"$ref": "#/$defs/C", "$defs": {"A": {"type": "integer"}, "C": again, "F": either}}  # fmt: skip
    graph = read(schema, DEFAULTS).graph
    assert list(graph.defs) == ["C"]
    comes_back(graph)


def test_what_is_impossible_is_written_in_place_at_any_depth() -> None:
    deep = {"properties": {"z": {"properties": {"z": {"allOf": [{"$ref": "#/$defs/F"}, {"type": "string"}]}, "v": {"$ref": "#/$defs/C"}}}}}  # fmt: skip
    both = {"anyOf": [{"allOf": [{"$ref": "#/$defs/F"}, {"$ref": "#/$defs/B"}]}, {"allOf": [{"type": "integer"}, {"type": "array"}]}]}  # fmt: skip
    schema: ir.Json = {"$ref": "#/$defs/B", "$defs": {"B": deep, "C": both, "F": {"type": "object"}}}  # fmt: skip
    graph = read(schema, DEFAULTS).graph
    assert not [name for name, node in graph.defs.items() if type(node) is ir.Never]
    comes_back(graph)


def test_what_no_source_leads_to_comes_back() -> None:
    open_but_bound = ir.Object((), ir.String(), open=True)
    comes_back(ir.Graph(open_but_bound, {}))
    described = ir.Refine(
        ir.String(ann={"title": "inside"}),
        (ir.Assertion("not", (ir.String(max_length=3),)),),
        {"title": "around"},
    )
    comes_back(ir.Graph(described, {}))
    both = ir.Union((ir.Null(), ir.String()), ann={"title": "either"})
    comes_back(ir.Graph(ir.Refine(both, (ir.Assertion("not", (ir.Null(),)),)), {}))
    documented = ir.Literal((1,), ann={"description": "one"})
    comes_back(ir.Graph(ir.Union((documented, ir.Literal((2, 3)), ir.String())), {}))


TEXT = """\
/// What was ordered.
type Order = closed {
  /// Which one.
  /// More.
  id: string @pattern(/^[A-Z]{2}\\d+$/)
  size?: "s" | 'm' | 3 = "s"  /// how large
  lines: Line[] @min(1) @unique; note?: string | null, point?: [number, number, ...number[]]
  [/^x-/]: any
  next?: Order
}
type Line = { sku: string @min(3), count: integer @min(1) @below(100), [key: string]: Shape }  // a comment
type Shape =
  /// round
  | { kind: "circle", r: number @above(0) }
  /// with corners
  | { kind: "square", side: number @multipleOf(0.5) } @not({ side: 13 })
"""


def test_a_text_means_its_json_schema() -> None:
    schema = ws.compile(TEXT, "lenient").schema
    jsonschema.Draft202012Validator.check_schema(schema)
    judge = jsonschema.Draft202012Validator(schema).is_valid
    line = {"sku": "abc", "count": 1, "other": {"kind": "circle", "r": 1}}
    good = {"id": "AB1", "lines": [line], "point": [1, 2, 3], "x-y": 1}
    assert judge(good)
    assert judge({**good, "next": good, "note": None, "size": 3})
    for wrong in (
        {"y": 1}, {"id": "ab"}, {"size": "l"}, {"lines": []}, {"lines": [line, line]}, {"point": [1]}, {"point": [1, 2, "3"]},
        {"next": {}}, {"lines": [{**line, "count": 100}]}, {"lines": [{**line, "other": {"kind": "square", "side": 13}}]},
        {"lines": [{**line, "other": {"kind": "circle", "r": 0}}]},
    ):  # fmt: skip
        assert not judge({**good, **wrong}), wrong
    assert schema["properties"]["id"]["description"] == "Which one.\nMore."
    assert schema["properties"]["size"] == {"description": "how large", "default": "s", "enum": ["s", "m", 3]}  # fmt: skip
    assert [arm["description"] for arm in schema["$defs"]["Shape"]["anyOf"]] == ["round", "with corners"]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "schema"),
    [
        ("object", {"type": "object"}),
        ("closed {}", {"type": "object", "additionalProperties": False}),
        ("string[] @max(2.0)", {"type": "array", "items": {"type": "string"}, "maxItems": 2}),
        ("type A = integer @min(3) @max(1)", {"not": {}}),
        ("type A = A | { b?: A }", {"type": "object", "properties": {"b": {"$ref": "#"}}}),
        ("type A = B & { a: C } type B = { b: C } type C = string", {"type": "object", "properties": {"b": {"$ref": "#/$defs/C"}, "a": {"$ref": "#/$defs/C"}}, "required": ["b", "a"], "$defs": {"C": {"type": "string"}}}),
        ("{ ... }", {"type": "object", "additionalProperties": True}),
        ("{ [id: string @min(2)]: any }", {"type": "object", "propertyNames": {"type": "string", "minLength": 2}, "additionalProperties": True}),
        ('"a" | "b" | null', {"anyOf": [{"enum": ["a", "b"], "type": "string"}, {"type": "null"}]}),
        ("true | false", {"type": "boolean"}),
        ("[string, integer?]", {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "items": False, "minItems": 1}),
        ("{ a: string } & { b: integer }", {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "integer"}}, "required": ["a", "b"]}),
        ("string @format(\"email\")", {"type": "string", "format": "email"}),
        ("any(string @min(1))", {"minLength": 1}),
        ("(A | B) @exclusive type A = string type B = integer", {"oneOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}], "$defs": {"A": {"type": "string"}, "B": {"type": "integer"}}}),
        ("{ [/^a/]: string @min(1), ab: string @max(2) }", {"type": "object", "properties": {"ab": {"type": "string", "minLength": 1, "maxLength": 2}}, "required": ["ab"], "patternProperties": {"^a": {"type": "string", "minLength": 1}}}),
        ("type A = { b?: B } type B = string", {"type": "object", "properties": {"b": {"$ref": "#/$defs/B"}}, "$defs": {"B": {"type": "string"}}}),
        ("type `Größe` = { b?: `Größe` }", {"type": "object", "properties": {"b": {"$ref": "#"}}}),
    ],
)  # fmt: skip
def test_short_spellings(text: str, schema: ir.Json) -> None:
    assert read_text(text, DEFAULTS).document == schema


def test_impossible_types_are_told_when_they_are_compiled() -> None:
    with pytest.raises(ws.SchemaError, match="WS117"):
        ws.compile("integer @min(3) @max(1)", "openai-strict")


FAULTS = [
    ("{\n  name: strng\n}", 2, 9, "no type is called 'strng'; write string"),
    ("{ a: string @min(3 }", 1, 20, "unexpected '}'; expected `)` or `,`"),
    ("{ a: string", 1, 12, "the text ends; expected"),
    ("{ a string }", 1, 5, "unexpected 'string'; expected `:` or `?`"),
    ("type A = {\n  /// nothing\n}", 3, 1, "unexpected '}'; expected `[`, a name or a string"),
    ('{ a: "x }', 1, 6, "a string that does not end on its line"),
    ("{ a: string = yes }", 1, 15, "'yes' is no JSON value"),
    ("{ a: 01 }", 1, 6, "unexpected '0'"),
    ('{ a: "\\q" }', 1, 6, "no string: a backslash begins one of"),
    ('{ a: "\\ud800" }', 1, 6, "a lone surrogate"),
    ("{ a: \ud800 }", 1, 6, "a lone surrogate"),
    ("{ a: 1e999 }", 1, 6, "a number beyond the range"),
    ("{ a: " + "9" * 4001 + " }", 1, 6, "an integer of more than 3913 digits"),
    ('any @default({"a": 1, "a": 2})', 1, 23, "the key 'a' is given twice"),
    ("{ a: string, a: string }", 1, 14, "the key 'a' is declared twice"),
    ("{ ..., [key: string]: any }", 1, 8, "other keys are spoken of twice"),
    ("closed { ... }", 1, 10, "the object is closed"),
    ("{ [/a/]: any, [/a/]: any }", 1, 15, "the pattern 'a' is given twice"),
    ("{ [/(/]: any }", 1, 3, "is no regular expression"),
    ("string @pattern(/(/)", 1, 8, "is no regular expression"),
    ("string @min(-1)", 1, 8, "`@min` takes a whole number"),
    ("string @min(1) @min(2)", 1, 16, "`@min` is given twice"),
    ("string @min", 1, 8, "`@min` takes a number"),
    ('number @min("1")', 1, 8, "`@min` takes a number"),
    ("number @multipleOf(0)", 1, 8, "takes a number above zero"),
    ("string[] @unique(true)", 1, 10, "stands alone"),
    ("string @title(1)", 1, 8, "takes a string"),
    ('string @title("a") @title("b")', 1, 20, "`@title` is given twice"),
    ("string @nope", 1, 8, "no annotation is called `@nope`"),
    ("boolean @min(1)", 1, 9, "`@min` binds a string or a number or an array or an object, and this is a boolean"),
    ("(string) @min(1)", 1, 10, "belongs inside the parentheses"),
    ("string | null @exclusive", 1, 15, "`@exclusive` binds a union, and this is null"),
    ("string @min(\n  /// x\n1)", 2, 3, "a `///` line where nothing can be documented"),
    ("{ /// x\n}", 1, 3, "a `///` line where nothing can be documented"),
    ("any(string @min(1)) @exclusive", 1, 21, "stands behind a union in parentheses"),
    ("string[] @min(1.5)", 1, 10, "`@min` takes a whole number"),
    ("object @keys(string, string)", 1, 8, "`@keys` takes one type"),
    ("any @annotation(1, 2)", 1, 5, "takes a keyword and a value"),
    ('any @assert("min", 2)', 1, 5, 'takes "multipleOf", "pattern" or "format"'),
    ("any @if(any, any)", 1, 5, "takes a condition"),
    ("any @contains(any, least: 1)", 1, 5, "takes a type, then bounds"),
    ("any @contains(min: 1)", 1, 5, "takes a type, then bounds"),
    ("any @not(any, any)", 1, 5, "takes one type"),
    ("any @anyOf()", 1, 5, "takes 1 or more types"),
    ("any @dependentSchemas(any)", 1, 5, "takes a type per key"),
    ('any @dependentRequired({"a": 1})', 1, 5, "takes lists of keys"),
    ("[string?, string]", 1, 11, "a position without `?`"),
    ("[...string[], string]", 1, 15, "nothing may follow the rest"),
    ("[...string]", 1, 2, "the rest of a tuple is an array"),
    ("[...string[]]", 1, 1, "a tuple has positions"),
    ("any(any)", 1, 5, "which values this type speaks of is not plain"),
    ("any(string, string)", 1, 13, "two types speak of every string"),
    ("type A = A", 1, 1, "leads back to itself"),
    ("type A = string\ntype A = string", 2, 1, "the type 'A' is declared twice"),
    ("type any = string", 1, 1, "'any' is a word of the notation"),
    ("  ", 1, 1, "the text is empty"),
    ("string" + "[]" * 5000, 1, 7, "nested too deeply"),
    ("(" * 5000 + "string" + ")" * 5000, 1, 5000, "nested too deeply"),
    ("{a:" * 120 + "any" + "}" * 120, 1, 358, "nested deeper"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line", "column", "what"), FAULTS)
def test_a_fault_has_a_place_and_says_what_is_due(
    text: str, line: int, column: int, what: str
) -> None:
    with pytest.raises(ws.NotationError) as caught:
        read_text(text, DEFAULTS)
    error = caught.value
    assert (error.line, error.column) == (line, column), str(error)
    assert what in str(error)
    head, row, caret = str(error).rsplit("\n", 2)
    assert f"line {line}, column {column}" in head
    assert caret.endswith("^")
    assert row[len(caret) - 1 : len(caret)] == text.split("\n")[line - 1][column - 1 : column]


def test_an_error_travels() -> None:
    with pytest.raises(ws.SchemaError) as caught:
        ws.compile("{ a: strng }", "lenient")
    again = pickle.loads(pickle.dumps(caught.value))
    assert isinstance(again, ws.NotationError)
    assert (str(again), again.line, again.column) == (str(caught.value), 1, 6)


_BITS = [*"{}[]()|&@?:=,;\"'`/\\.\n-0a_ \t", "///", "//", "enum(", "any(", "closed {", "type A = ", "...", "@min(", "@not(", "\ud800", "null", "[]", "\x00", "é", "@if(", "merged /", "1e999"]  # fmt: skip


def _broken(text: str, dice: random.Random) -> str:
    for _ in range(dice.choice([1, 1, 1, 2, 3])):
        i = dice.randrange(len(text) + 1)
        j = min(len(text), i + dice.choice([1, 1, 2, 5, 20]))
        text = dice.choice(
            [
                text[:i] + text[j:],
                text[:i] + dice.choice(_BITS) + text[i:],
                text[:i] + dice.choice(_BITS) + text[j:],
                text[:i],
                text[:i] + text[i:j] * 2 + text[j:],
            ]
        )
    return text


def test_broken_texts_are_read_or_refused_at_a_place() -> None:
    dice = random.Random(7)
    texts = [TEXT, notation(graph_of(TEXT)), notation(graph_of(TEXT), dense=True)]
    texts += [text for text, *_ in FAULTS if len(text) < 200]
    refused = 0
    for _ in range(1500):
        text = _broken(dice.choice(texts), dice)
        try:
            read_text(text, DEFAULTS)
        except ws.NotationError as error:
            refused += 1
            rows = text.split("\n")
            assert 1 <= error.line <= len(rows)
            assert 1 <= error.column <= len(rows[error.line - 1]) + 1
    assert refused >= 1000


def test_a_thousand_lines_are_read_within_a_second() -> None:
    fields = [f"  /// Field number {i}.\n  field_{i}?: string @min(1) | null = null" for i in range(500)]  # fmt: skip
    text = "{\n" + "\n".join(fields) + "\n}\n"
    read_text("string", DEFAULTS)  # loads lark
    start = time.process_time()
    read_text(text, DEFAULTS)
    assert time.process_time() - start < 1


@pytest.mark.parametrize(
    "text",
    ["\n" * 50_000 + "x y", "/// x\n" * 20_000, "// x\n" * 20_000 + "{", '"a"' + '|"a"' * 20_000, "{a:" * 20_000, "any @default(" + "[" * 20_000],
)  # fmt: skip
def test_hostile_texts_take_linear_time(text: str) -> None:
    start = time.process_time()
    with contextlib.suppress(ws.NotationError):
        read_text(text, DEFAULTS)
    assert time.process_time() - start < 5


def test_sources(tmp_path: Path) -> None:
    file = tmp_path / "order.shape"
    file.write_text("\ufeff" + TEXT, encoding="utf-8")
    assert ws.compile(file, "lenient").schema == ws.compile(TEXT, "lenient").schema
    file.write_text('{ "a b": string }', encoding="utf-8")
    assert ws.compile(file, "lenient").schema["required"] == ["a b"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('{"type": "object",}', "WS111"),
        ('{"a": 1, "a": 2}', "WS111"),
        ("{", "WS111"),
        ("", "WS111"),
        ('"a"', "WS110"),
        ("{ a: strin }", "WS161"),
        ("hello world", "WS160"),
        ('{type: "object", properties: {a: {type: "string"}}}', "WS161"),
    ],
)
def test_what_is_neither_json_nor_notation(text: str, code: str) -> None:
    with pytest.raises(ws.SchemaError) as caught:
        ws.compile(text, "lenient")
    assert caught.value.code == code


def test_an_object_without_keys_is_not_an_object_of_which_nothing_is_said() -> None:
    for text, schema in (
        ("object @max(3)", {"type": "object", "maxProperties": 3}),
        ("{} @max(3)", {"type": "object", "properties": {}, "maxProperties": 3}),
    ):
        for dialect in ("openai-strict", "anthropic-strict"):
            assert ws.compile(text, dialect).schema == ws.compile(schema, dialect).schema
        assert ws.to_notation(schema) == text + "\n"


# Without what is merged into many definitions, which are named and shared by how they came about, and without texts, whose
# order is that of the notation.
PLAIN = FEATURES - {"annotations", "pattern_properties", "all_of", "siblings", "unevaluated", "if", "dependent", "not"}  # fmt: skip


@settings(max_examples=30)
@given(schemas(max_leaves=6, features=PLAIN))
def test_a_text_compiles_as_its_source_does(schema: ir.Json) -> None:
    try:
        text = ws.to_notation(schema)
    except ws.SchemaError:
        return
    for dialect in ("openai-strict", "gemini-openapi", "tools-lenient"):
        made: list[object] = []
        for source in (schema, text):
            try:
                made.append(ws.compile(source, dialect).schema)
            except ws.WireshapeError as error:
                made.append(type(error))
        assert made[0] == made[1], text


@pytest.mark.parametrize(
    "schema",
    [
        {"const": True},
        {"const": "a"},
        {"type": "null"},
        {"const": 1},
        {"type": "object", "properties": {}},
    ],
)
def test_a_text_is_never_json_by_chance(schema: ir.Json) -> None:
    text = ws.to_notation(schema)
    assert read(text, DEFAULTS).graph == read(schema, DEFAULTS).graph
    text = ws.to_notation({"type": "object", "properties": {"a b": schema}})
    assert read(text, DEFAULTS).graph.root == read({"type": "object", "properties": {"a b": schema}}, DEFAULTS).graph.root  # fmt: skip


def test_formats_that_assert_nothing_are_texts_and_noted() -> None:
    made = read_text('{ a: string @format("made-up") }', DEFAULTS)
    assert [(n.code, n.pointer) for n in made.notes] == [("WS103", "/properties/a/format")]
    loose = read_text('string @format("email")', Options(assert_formats=False))
    assert loose.graph.root == ir.String(ann={"format": "email"})
    assert loose.notes == ()
