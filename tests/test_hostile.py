"""Law 6, total: any schema and any value is a result or a typed error, in bounded time, whatever a caller sends."""

from __future__ import annotations

import json
import time
from collections import OrderedDict
from collections.abc import Callable
from decimal import Decimal
from enum import Enum
from math import inf, nan
from typing import Any, TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wireshape as ws
from wireshape.documents import spreads
from wireshape.testing import json_values, schemas, values

DIALECTS = ("openai-strict", "anthropic-strict", "gemini-openapi", "xai-strict", "lenient")
SECONDS = 6.0  # of this process, for what takes well under one: a machine under load must not fail


Wrap: TypeAlias = Callable[[Any], Any]


def total(run: Callable[..., Any], *args: Any) -> Any:
    """What a verb returns, or the typed error; both in bounded time."""
    start = time.process_time()
    try:
        out = run(*args)
    except ws.WireshapeError as error:
        assert error.code
        assert error.pointer == "" or error.pointer.startswith("/")
        out = error
    assert time.process_time() - start < SECONDS
    return out


def everything(schema: Any, dialect: str, *given_values: Any) -> list[Any]:
    """Run each verb on a schema and on values; return what `validate` says of the values, last."""
    total(ws.check, schema, dialect)
    compiled = total(ws.compile, schema, dialect)
    if isinstance(compiled, ws.WireshapeError):
        return [compiled]
    total(ws.check, compiled.schema, dialect)
    again = ws.Compiled.from_json(total(compiled.to_json))
    told: list[Any] = []
    for value in given_values:
        for each in (compiled, again):
            wire = total(each.encode, value)
            if not isinstance(wire, ws.WireshapeError):
                total(each.decode, wire)
            total(each.decode, value)
        told.append(total(compiled.validate, value))
    return told


def repeated(times: int, wrap: Callable[[Any], Any], leaf: Any) -> Any:
    for _ in range(times):
        leaf = wrap(leaf)
    return leaf


def keyed(value: Any) -> Any:
    return {"a": value}


STRING: Any = {"type": "string"}
NESTED: dict[str, Callable[[Any], Any]] = {
    "properties": lambda s: {"type": "object", "properties": {"a": s}, "required": ["a"]},
    "maps": lambda s: {"type": "object", "additionalProperties": s},
    "items": lambda s: {"type": "array", "items": s},
    "prefix": lambda s: {"type": "array", "prefixItems": [s]},
    "anyOf": lambda s: {"anyOf": [s, {"type": "null"}]},
    "oneOf": lambda s: {"oneOf": [s, {"type": "null"}]},
    "allOf": lambda s: {"allOf": [s]},
    "not": lambda s: {"not": s},
    "if": lambda s: {"if": s, "then": {"type": "string"}},
    "contains": lambda s: {"type": "array", "contains": s},
}


@pytest.mark.parametrize("dialect", ["openai-strict", "lenient"])
@pytest.mark.parametrize("kind", NESTED)
@pytest.mark.parametrize("depth", [40, 2000])
def test_nested_schemas(kind: str, depth: int, dialect: str) -> None:
    schema = repeated(depth, NESTED[kind], STRING)
    everything(schema, dialect, repeated(depth, keyed, "x"), repeated(depth, lambda v: [v], "x"))


PARTS: list[Wrap] = [lambda v: v, lambda v: {"x": v}, lambda v: {"x": [[v]]}, lambda v: {"a": {"x": {"y": v}}}]  # fmt: skip
TREE: Any = {
    "$defs": {
        "N": {
            "type": "object",
            "properties": {
                "a": {"$ref": "#/$defs/N"},
                "l": {"type": "array", "items": {"$ref": "#/$defs/N"}},
                "x": {},
            },
        }
    },
    "$ref": "#/$defs/N",
}


def cyclic(container: Any) -> Any:
    if container == []:
        container.append(container)
    else:
        container["a"] = container
    return container


class Text(str):
    __slots__ = ()


class Whole(int):
    pass


class Keys(dict[str, Any]):
    pass


class Items(list[Any]):
    pass


class Color(Enum):
    RED = "red"


NOT_JSON: list[Any] = [
    nan, inf, -inf, "\ud800", {"\udfff": 1}, {1: 2}, {None: 1}, {("a",): 1}, (1,), {1}, b"x", 1j, ...,
    Decimal(1), Color.RED, object(), Text("x"), {Text("k"): 1}, Whole(1), Keys(a=1), Items(), OrderedDict(),
    cyclic({}), cyclic([]), repeated(2000, keyed, 1), repeated(100_000, lambda v: [v], 1),
]  # fmt: skip
DOUBLED = repeated(60, lambda v: [v, v], 1)  # 60 lists, 2**60 places


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("place", PARTS)
def test_values_that_are_no_json(place: Callable[[Any], Any], dialect: str) -> None:
    """No verb but `decode`, which leaves alone what it does not know, lets one through."""
    loose: Any = {"type": "object", "properties": {"x": {}}}
    for schema in (TREE, loose):
        compiled = ws.compile(schema, dialect)
        again = ws.Compiled.from_json(compiled.to_json())
        for bad in NOT_JSON:
            for each in (compiled, again):
                assert isinstance(total(each.encode, place(bad)), ws.EncodeError)
                assert isinstance(total(each.validate, place(bad)), ws.ValidationError)
                total(each.decode, place(bad))


ARMS: Any = {
    "$defs": {
        "N": {
            "anyOf": [
                {"type": "object", "properties": {"a": {"$ref": "#/$defs/N"}, "m": {"type": "object", "additionalProperties": {"type": "integer"}}}, "required": ["a"]},
                {"type": "object", "properties": {"a": {"$ref": "#/$defs/N"}, "z": {"type": "integer"}}, "required": ["a", "z"]},
                {"type": "null"},
            ]
        }
    },
    "$ref": "#/$defs/N",
}  # fmt: skip
OPEN: Any = {"type": "object", "properties": {"a": {"$ref": "#"}, "b": {}}, "additionalProperties": {"type": "integer"}}  # fmt: skip


@pytest.mark.parametrize("schema", [ARMS, OPEN], ids=["arms", "extras"])
@pytest.mark.parametrize("dialect", DIALECTS)
def test_wire_values_without_end(schema: Any, dialect: str) -> None:
    """Validators that follow references would overflow the stack, which ends the process."""
    compiled = ws.compile(schema, dialect)
    endless: Any = {"m": None, "b": None, "extras": []}
    endless["a"] = endless
    deep: Any = {"m": None, "a": None, "b": None, "extras": []}
    for wire in (endless, repeated(100_000, lambda v: {**deep, "a": v}, deep), {"b": repeated(100_000, lists, 1)}):  # fmt: skip
        for value in (wire, {"value": wire}):
            total(compiled.decode, value)


def test_a_value_that_shares_its_parts() -> None:
    compiled = ws.compile(TREE, "openai-strict")
    assert isinstance(total(compiled.encode, DOUBLED), ws.EncodeError)
    for bad in (DOUBLED, [[[1] * 100_000] * 100_000]):
        assert isinstance(total(compiled.validate, {"x": bad}), ws.ValidationError)
        assert isinstance(total(compiled.encode, {"x": bad}), ws.EncodeError)
    assert isinstance(total(ws.compile, {"enum": [DOUBLED]}, "openai-strict"), ws.SchemaError)
    total(ws.check, {"default": DOUBLED}, "openai-strict")


def doubled(times: int, wrap: Callable[[Any], Any]) -> Any:
    """A value that is 2**times as large as what it takes in memory."""
    return repeated(times, wrap, 1)


SHARED: dict[str, Any] = {
    "lists": {"x": doubled(60, lambda v: [v, v])},
    "objects": doubled(60, lambda v: {"a": v, "b": v}),
    "pairs": {"x": doubled(60, lambda v: {"entries": [{"key": k, "value": v} for k in "ab"]})},
    "wide": {"x": [[[[{"x": 1}] * 300] * 300] * 300] * 300},
}
FORKS: dict[str, Any] = {
    "any": {"type": "object", "properties": {"x": {}}, "required": ["x"]},
    "fork": {"type": "object", "properties": {"a": {"$ref": "#"}, "b": {"$ref": "#"}}},
    "lists": {
        "type": "object",
        "properties": {"x": repeated(4, lambda s: {"type": "array", "items": s}, {"type": "object", "properties": {"x": STRING, "y": STRING}})},
        "required": ["x"],
    },
    "diamonds": {
        "$ref": "#/$defs/D0",
        "$defs": {f"D{i}": {"type": "object", "properties": {k: {"$ref": f"#/$defs/D{i + 1}"} for k in "ab"}} for i in range(40)}
        | {"D40": {"type": "object", "properties": {"a": STRING}}},
    },
}  # fmt: skip


@pytest.mark.parametrize("schema", FORKS)
@pytest.mark.parametrize("dialect", ["openai-strict", "anthropic-strict", "lenient"])
def test_wire_values_that_share_their_parts(schema: str, dialect: str) -> None:
    """Decoding ends with a typed error before the parts are built as often as they are found."""
    compiled = ws.compile(FORKS[schema], dialect)
    for value in SHARED.values():
        for wire in (value, {"value": value}):
            out = total(compiled.decode, wire)
            assert out is wire or isinstance(out, ws.DecodeError | dict | list | int)


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (True, False),
        ({"items": {"additionalProperties": {"properties": {"a": STRING}}}}, False),
        ({"items": {"additionalProperties": {"items": {"items": STRING}}}}, True),
        ({"anyOf": [{"properties": {"a": {"$ref": "#"}}}]}, True),
        ({"properties": {"a": {"uniqueItems": True}}}, True),
    ],
    ids=range(5),
)
def test_where_a_validator_may_go_far(document: Any, expected: bool) -> None:
    assert spreads(document) is expected


def test_items_that_are_compared_and_share_their_parts() -> None:
    """`u$` gets another name on the wire, so that the source is asked, too, what the value is."""
    schema = {"properties": {"u$": {"type": "array", "uniqueItems": True}}, "type": "object"}
    compiled = ws.compile(schema, "gemini-json-schema")
    items: list[Any] = []
    for i in range(20):
        part: Any = [i]
        for _ in range(60):
            part = [part, part]
        items.append(part)
    out = total(compiled.decode, {"u$": items})
    assert isinstance(out, ws.DecodeError)


def test_a_large_value_that_shares_nothing_is_decoded() -> None:
    compiled = ws.compile(FORKS["lists"], "openai-strict")
    wire = {"x": [[[[{"x": None, "y": "y"}] for _ in range(60)] for _ in range(60)] for _ in range(60)]}  # fmt: skip
    value = {"x": [[[[{"y": "y"}] for _ in range(60)] for _ in range(60)] for _ in range(60)]}
    for _ in range(2):
        assert compiled.decode(wire) == value


class Meta(type):
    def __repr__(cls) -> str:
        raise RuntimeError("no name")


class Nameless(metaclass=Meta):
    def __repr__(self) -> str:
        raise RuntimeError("no text")


class Mute(str):
    __slots__ = ()

    def __repr__(self) -> str:
        raise RuntimeError("no text")


@pytest.mark.parametrize("bad", [Nameless, Nameless(), Mute("x"), {Mute("k"): 1}], ids=range(4))
def test_what_cannot_be_shown(bad: Any) -> None:
    """No message asks for the text of what is not JSON."""
    for schema in (bad, {"properties": {"a": bad}}, {"enum": [bad]}, {"type": bad}, {"$ref": bad}):
        total(ws.compile, schema, "openai-strict")
        total(ws.check, schema, "openai-strict")
    compiled = ws.compile(TREE, "openai-strict")
    for place in PARTS:
        assert isinstance(total(compiled.encode, place(bad)), ws.EncodeError)
        assert isinstance(total(compiled.validate, place(bad)), ws.ValidationError)
        total(compiled.decode, place(bad))
        total(compiled.parse, place(bad))


@pytest.mark.parametrize("bad", NOT_JSON, ids=lambda v: type(v).__name__)
def test_schemas_that_are_no_json(bad: Any) -> None:
    for schema in (
        bad,
        {"properties": {"a": bad}},
        {"enum": [bad]},
        {"const": bad},
        {"default": bad},
    ):
        total(ws.compile, schema, "openai-strict")
        total(ws.check, schema, "openai-strict")


def test_a_schema_inside_itself() -> None:
    schema: Any = {"type": "object"}
    schema["properties"] = {"a": schema}
    for verb in (ws.compile, ws.check):
        assert isinstance(total(verb, schema, "openai-strict"), ws.SchemaError)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#"},
        {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}},
        {"$ref": "#/$defs/a", "$defs": {"a": {"allOf": [{"$ref": "#/$defs/a"}]}}},
        {"$ref": "#/$defs/a", "$defs": {"a": {"anyOf": [{"$ref": "#/$defs/a"}, {"type": "null"}]}}},
        {"$ref": "#/$defs/a", "$defs": {"a": {"not": {"$ref": "#/$defs/a"}}}},
        {"properties": {"x": {"$ref": "#/properties/x"}}},
        {"$ref": "#/$defs/0", "$defs": {str(i): {"$ref": f"#/$defs/{i + 1}"} for i in range(2000)} | {"2000": {"type": "integer"}}},
        {"$ref": "#/$defs/0", "$defs": {str(i): {"properties": {"a": {"$ref": f"#/$defs/{i + 1}"}, "b": {"$ref": f"#/$defs/{i + 1}"}}} for i in range(30)} | {"30": {"type": "integer"}}},
        {"$ref": "#/$defs/0", "$defs": {str(i): {"allOf": [{"$ref": f"#/$defs/{i + 1}"}, {"$ref": f"#/$defs/{i + 1}"}]} for i in range(30)} | {"30": {"type": "integer"}}},
    ],
    ids=["self", "cycle", "allOf", "anyOf", "not", "property", "chain", "diamonds", "allOf_diamonds"],
)  # fmt: skip
def test_references_that_go_round(schema: Any, dialect: str) -> None:
    everything(schema, dialect, 1, {"x": 1}, {"a": {"b": {}}})


EVIL = "^(a+)+$"
LONG = "a" * 5000 + "!"


PATTERNS: list[tuple[Any, Wrap]] = [
    ({"type": "object", "properties": {"s": {"type": "string", "pattern": EVIL}}}, lambda t: {"s": t}),
    ({"type": "object", "patternProperties": {EVIL: {"type": "integer"}}, "additionalProperties": False}, lambda t: {t: 1}),
    ({"type": "object", "patternProperties": {EVIL: {"type": "object", "additionalProperties": {"type": "integer"}}, "^b": {"type": "integer"}}}, lambda t: {t: {}}),
    ({"type": "object", "propertyNames": {"pattern": EVIL}, "additionalProperties": {"type": "integer"}}, lambda t: {t: 1}),
    ({"anyOf": [
        {"type": "object", "properties": {"s": {"type": "string", "pattern": EVIL}, "o": {"type": "integer"}}, "required": ["s"]},
        {"type": "object", "properties": {"s": {"type": "string"}, "p": {"type": "object", "additionalProperties": {"type": "string"}}}},
    ]}, lambda t: {"s": t}),
]  # fmt: skip


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    ("schema", "place"),
    PATTERNS,
    ids=["pattern", "patternProperties", "pattern_rules", "propertyNames", "union"],
)
def test_a_catastrophic_pattern(schema: Any, place: Callable[[str], Any], dialect: str) -> None:
    *_, refused = everything(schema, dialect, place("a" * 30), place("a" * 40 + "!"), place(LONG))
    if "anyOf" not in schema and "^b" not in schema.get("patternProperties", {}):
        assert isinstance(refused, ws.ValidationError)


MANY: dict[str, tuple[Any, Any]] = {
    "properties": (
        {"type": "object", "properties": {f"p{i}": {"type": "integer"} for i in range(3000)}},
        {"p1": 1, "p2999": 2},
    ),
    "renamed": (
        {"type": "object", "properties": {f"p {i}": {"type": "integer"} for i in range(1000)}},
        {"p 1": 1},
    ),
    "enum": ({"type": "object", "properties": {"e": {"enum": [*range(5000)]}}}, {"e": 4999}),
    "arms": (
        {"anyOf": [
            {"type": "object", "properties": {"k": {"const": f"k{i}"}, "o": {"type": "string"}}, "required": ["k"]}
            for i in range(800)
        ]},
        {"k": "k799"},
    ),
    "arms_of_references": (
        {
            "type": "object",
            "properties": {"x": {"anyOf": [{"$ref": f"#/$defs/D{i}"} for i in range(300)]}},
            "required": ["x"],
            "$defs": {
                f"D{i}": {"type": "object", "properties": {"k": {"const": f"k{i}"}, "n": {"$ref": f"#/$defs/D{(i + 1) % 300}"}}, "required": ["k"]}
                for i in range(300)
            },
        },
        {"x": {"k": "k7", "n": {"k": "k8"}}},
    ),
    "patterns": (
        {"type": "object", "patternProperties": {f"^p{i}_": {"type": "integer"} for i in range(100)}},
        {f"p{i}_x": i for i in range(100)},
    ),
    "required": ({"type": "object", "required": [f"p{i}" for i in range(1500)]}, {}),
}  # fmt: skip


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("what", MANY)
def test_thousands_of_parts(what: str, dialect: str) -> None:
    schema, value = MANY[what]
    everything(schema, dialect, value, {}, "x")


LARGE: dict[str, Any] = {  # 10 MB each
    "enum": {"enum": [f"value number {i}" for i in range(500_000)]},
    "description": {"type": "string", "description": "x" * 10_000_000},
    "ordinary": {
        "type": "object",
        "properties": {
            f"p{i}": {
                "type": "object",
                "description": f"the part number {i}",
                "properties": {"a": {"type": "string"}, "b": {"type": "array", "items": {"type": "integer"}}},
                "required": ["a"],
            }
            for i in range(60_000)
        },
    },
}  # fmt: skip


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("what", LARGE)
def test_ten_megabytes(what: str, dialect: str) -> None:
    compiled = total(ws.compile, {"type": "object", "properties": {"x": LARGE[what]}}, dialect)
    assert isinstance(compiled, ws.Compiled | ws.SchemaError)


def test_an_artifact_grows_with_the_schema() -> None:
    """Arms share what they refer to."""
    schema = MANY["arms_of_references"][0]
    artifact = ws.compile(schema, "openai-strict").to_json()
    assert len(artifact) < 15 * len(json.dumps(schema))


def test_wide_values() -> None:
    """A thousand small objects under a schema of a thousand fields cost what they hold."""
    fields = {
        f"f{i}": {"type": "object", "additionalProperties": {"type": "integer"}}
        for i in range(1000)
    }
    schema = {"type": "object", "properties": {"l": {"type": "array", "items": {"type": "object", "properties": fields}}}}  # fmt: skip
    value = {"l": [{f"f{i}": {"a": i}} for i in range(1000)]}
    compiled = ws.compile(schema, "gemini-openapi")
    wire = total(compiled.encode, value)
    assert total(compiled.decode, wire) == value


def lists(value: Any) -> Any:
    return [value]


def pairs(value: Any) -> Any:
    return [{"key": "a", "value": value}]


LOOSE: Any = {"type": "object", "properties": {"x": {}}}


@pytest.mark.parametrize("wrap", [lists, pairs])
def test_an_error_far_inside(wrap: Wrap) -> None:
    """Each level once: a second look per level would take 2**200 steps."""
    bad: Any = {"entries": [{"key": "k", "value": 1}, {"key": "k", "value": 2}]}
    compiled = ws.compile({**LOOSE, "required": ["x"]}, "openai-strict")
    error = total(compiled.decode, {"x": repeated(200, lists, bad)})
    assert isinstance(error, ws.DecodeError)
    assert error.pointer == "/x" + "/0" * 200 + "/entries/1"
    for kind in ("array", "object"):
        total(ws.compile({"type": kind}, "openai-strict").decode, {"value": repeated(200, wrap, 1)})


def test_numbers() -> None:
    schema = {
        "type": "object",
        "properties": {"n": {"type": "number"}, "i": {"type": "integer"}, "x": {}},
    }
    for dialect in DIALECTS:
        compiled = ws.compile(schema, dialect, options=ws.Options(absent="box"))
        for text in ("1e400", "-1e400", "NaN", "1e-400", "9" * 4000, "1" + "0" * 400 + ".5"):
            for key in "nix":
                value = json.loads(f'{{"{key}": {text}}}')
                wire = total(compiled.encode, value)
                if not isinstance(wire, ws.WireshapeError):
                    assert total(compiled.decode, wire) == value
                told = total(compiled.validate, value)
                if text in ("1e400", "-1e400", "NaN"):
                    assert isinstance(wire, ws.EncodeError)
                    assert isinstance(told, ws.ValidationError)


@pytest.mark.parametrize(
    "bound", [10**5000, -(10**400), 1e308, 5e-324, 0.1, 10**22 + 1], ids=range(6)
)
def test_bounds(bound: Any) -> None:
    for keyword in (
        "minimum",
        "exclusiveMaximum",
        "multipleOf",
        "maxLength",
        "minItems",
        "maxProperties",
    ):
        for dialect in DIALECTS:
            everything({keyword: bound}, dialect, 1, 10**400, "x", [], {})


@pytest.mark.parametrize(
    "text",
    ['{"a": 1, "a": 2}', '{"a": NaN}', "1e400", '"\\ud800"', "[" * 50_000, "{" * 10, "", "nul", '"\x00"', "9" * 5000],
    ids=range(10),
)  # fmt: skip
def test_json_text_inside_the_wire(text: str) -> None:
    """The wire of a part that a dialect can only carry as text: what is no JSON is itself or an error."""
    for schema in (LOOSE, TREE):
        for dialect in DIALECTS:
            compiled = ws.compile(schema, dialect)
            for wire in ({"x": text}, {"a": text}, {"a": {"x": text}}, text):
                total(compiled.decode, wire)


@pytest.mark.parametrize("text", ['{"a": 1, "a": 2}', '{"type": NaN}', '{"minimum": 1e400}', "[" * 50_000, "", "\ud800"])  # fmt: skip
def test_schema_text(text: str) -> None:
    total(ws.compile, text, "openai-strict")


ARTIFACT: Any = json.loads(
    ws.compile(
        {
            "type": "object",
            "properties": {
                "m": {"type": "object", "additionalProperties": {"type": "integer"}},
                "a b": {"type": "array", "prefixItems": [{"type": "string"}], "items": {}},
                "u": {"anyOf": [{"type": "object", "additionalProperties": True}, {"type": "array", "items": {"type": "object", "additionalProperties": {}}}]},
            },
        },
        "openai-strict",
    ).to_json()
)  # fmt: skip


def places(document: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path of every part."""
    found = [path] if path else []
    keys: list[Any] = []
    if isinstance(document, dict | list):
        keys = list(document) if isinstance(document, dict) else list(range(len(document)))  # type: ignore[arg-type]  # JSON
    for key in keys:
        found += places(document[key], (*path, key))
    return found


PLACES = [
    path for path in places(ARTIFACT) if path[0] in ("codec", "source", "schema", "format", "name")
]


@settings(max_examples=60)
@given(st.sampled_from(PLACES), json_values())
def test_artifacts_with_a_part_exchanged(path: tuple[Any, ...], part: Any) -> None:
    changed = json.loads(json.dumps(ARTIFACT))
    at = changed
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = part
    compiled = total(ws.Compiled.from_json, json.dumps(changed))
    if not isinstance(compiled, ws.WireshapeError):
        for value in (
            {},
            {"m": {"a": 1}},
            {"m": [{"key": "a", "value": 1}], "u": []},
            {"a_b": {"0": "x"}},
            part,
        ):
            total(compiled.decode, value)
            total(compiled.encode, value)
            total(compiled.validate, value)


@given(json_values(), json_values())
def test_any_document_is_an_answer_or_a_typed_error(schema: Any, value: Any) -> None:
    for dialect in ("openai-strict", "lenient"):
        everything(schema, dialect, value)


@given(st.data())
def test_any_value_for_a_schema_is_an_answer_or_a_typed_error(data: st.DataObject) -> None:
    schema = data.draw(schemas())
    everything(schema, data.draw(st.sampled_from(DIALECTS)), data.draw(json_values()))


@pytest.mark.parametrize("schema", [repeated(2000, NESTED["properties"], STRING), {"$ref": "#"}, {"not": {}}, {"pattern": EVIL}, {"enum": []}])  # fmt: skip
def test_strategies(schema: Any) -> None:
    """The testing strategies raise typed errors for what they cannot make values of."""
    total(values, schema)
