"""Grammars: engines, and readers of our own, accept the text of every valid value; what else they accept decodes and is valid, or a note tells."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import wireshape as ws
from corpora import lines_of
from wireshape import ir
from wireshape.check_gbnf import read_gbnf
from wireshape.check_lark import read_lark
from wireshape.check_pattern import read_pattern
from wireshape.dialect_model import problems
from wireshape.emit.grammar import members, texts
from wireshape.emit.grammar.algebra import EMPTY, Ref, Rule, Seq, Text, alt, many, matches, seq
from wireshape.emit.grammar.chars import TOKENS, one_of, quoted
from wireshape.emit.grammar.decimals import decimals, says_bounds
from wireshape.emit.grammar.formats import FORMATS
from wireshape.emit.grammar.gbnf import spell_gbnf
from wireshape.emit.grammar.integers import integers
from wireshape.emit.grammar.shapes import grammar_of
from wireshape.emit.grammar.undeclared import other_than
from wireshape.regex.sets import union
from wireshape.testing import Engine, laws, trial
from wireshape.testing.engines import Written, texts_of
from wireshape.testing.gbnf_reader import Gbnf
from wireshape.testing.lark_reader import Lark

RECORDS = [
    record
    for line in (Path(__file__).parent / "data/features.jsonl").read_text("utf-8").splitlines()
    if "error" not in (record := json.loads(line))
]
LARK, GBNF, REGEX = "openai-custom-grammar", "llamacpp-gbnf", "openai-custom-regex"
ROWS = (LARK, GBNF, REGEX)


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine("llguidance") as running:
        yield running


def compiled_for(record: dict[str, Any], dialect: str, **more: Any) -> ws.Compiled:
    options = ws.Options(draft=record.get("draft"), **more)
    return ws.compile(record["schema"], dialect, options=options)


def judge_of(compiled: ws.Compiled) -> Any:
    """A judge that is no engine: the lark library, a reader of GBNF, or Python's `re`."""
    text = compiled.text
    assert text is not None
    if compiled.dialect.grammar.syntax == "gbnf":
        return Gbnf(text).accepts
    if compiled.dialect.grammar.syntax == "regex":
        return re.compile(text).fullmatch
    return Lark(text, quick=False).accepts


@pytest.mark.parametrize("dialect", ROWS)
def test_the_engine_holds_the_laws(engine: Engine, dialect: str) -> None:
    """Both ways, and each sample decodes to a valid value unless a note names what is widened."""
    found: list[str] = []
    samples = passed = 0
    for record in RECORDS:
        for more in ({}, {"open_objects": "keep", "absent": "box"}):
            compiled = compiled_for(record, dialect, **more)
            values = [json.loads(text) for text in [*record["valid"], *record["invalid"]]]
            result = trial(compiled, engine, values, samples=2, seed=1)
            # the engine reads GBNF through a translation to Lark, whose lexer is greedy where GBNF has none
            kept = [b for b in result.breaches if dialect != GBNF or b.law != 2]
            found += [f"{record['name']}: {breach}" for breach in kept]
            samples, passed = samples + result.samples, passed + result.passed
    assert found == []
    assert samples > 800
    assert passed > 0.85 * samples


@pytest.mark.parametrize("dialect", ROWS)
def test_another_reader_accepts_what_is_encoded(dialect: str) -> None:
    wrong: list[str] = []
    for record in RECORDS:
        compiled = compiled_for(record, dialect)
        accepts = judge_of(compiled)
        for text in [*record["valid"], *record["invalid"]]:
            value = json.loads(text)
            try:
                wire = compiled.encode(value)
            except ws.EncodeError:
                continue
            valid = laws.is_valid(compiled, value)
            for spelling in [t for t in texts_of(wire) if len(t) < 3000]:
                taken = bool(accepts(spelling))
                if (valid and not taken) or (taken and not valid and not compiled.report.widened):
                    wrong.append(f"{record['name']}: {spelling}")
    assert wrong == []


@pytest.mark.parametrize("dialect", ROWS)
def test_texts_that_are_no_json_are_refused(engine: Engine, dialect: str) -> None:
    for record in RECORDS:
        compiled = compiled_for(record, dialect)
        texts = record.get("malformed", [])
        asked = engine.ask(Written(compiled.dialect.grammar.syntax, compiled.text or ""), texts)
        assert not any(asked.accepted), record["name"]


SAID: list[tuple[str, Any, list[Any], list[Any]]] = [
    # name, schema, values that the grammar must accept, values whose JSON it must refuse
    ("lengths", {"type": "string", "minLength": 2, "maxLength": 3}, ["ab", 'a"\n', "é☃😀"], ["", "a", "abcd", "é"]),
    ("integer range", {"type": "integer", "minimum": -12, "exclusiveMaximum": 130}, [-12, 0, 129], [-13, 130, 1000, 1.5]),
    ("open range", {"type": "integer", "minimum": 95}, [95, 99, 100, 10**30], [94, 9, -95, 0]),
    ("negative range", {"type": "integer", "maximum": -5}, [-5, -10, -(10**20)], [-4, 0, 5]),
    ("fractions", {"type": "number", "minimum": -0.5, "exclusiveMaximum": 12.25}, [-0.5, 0, 1e-7, -5e-324, 7, 12.2499], [-0.51, -1, 12.25, 12.3, 100]),
    ("one side", {"type": "number", "exclusiveMinimum": 0}, [5e-324, 1e-300, 0.001, 10**20], [0, -1, -1e-7]),
    ("multiples", {"type": "integer", "multipleOf": 25}, [0, 25, -100, 1075], [5, 30, 101]),
    ("few multiples", {"type": "integer", "multipleOf": 7, "minimum": 7, "maximum": 70}, [7, 70], [0, 8, 77]),
    ("counts", {"type": "array", "items": {"type": "boolean"}, "minItems": 1, "maxItems": 2}, [[True], [True, False]], [[], [True] * 3]),
    ("map counts", {"type": "object", "additionalProperties": {"type": "null"}, "minProperties": 1, "maxProperties": 2}, [{"a": None}], [{}, {"a": None, "b": None, "c": None}]),
    ("one of the keys", {"type": "object", "properties": {"a": {}, "b": {}}, "additionalProperties": False, "minProperties": 1}, [{"a": 1}, {"b": 1}], [{}]),
    ("date", {"type": "string", "format": "date"}, ["2024-02-29", "1999-12-31"], ["2023-02-29", "2024-04-31", "2024-13-01", "24-01-01"]),
    ("uuid", {"type": "string", "format": "uuid"}, ["2eb8aa08-aa98-11ea-b4aa-73b441d16380"], ["2eb8aa08aa9811eab4aa73b441d16380"]),
    ("ipv4", {"type": "string", "format": "ipv4"}, ["127.0.0.1"], ["256.0.0.1", "01.2.3.4"]),
    ("ipv6", {"type": "string", "format": "ipv6"}, ["::", "::ffff:1.2.3.4", "1:2:3:4:5:6:7:8"], [":", "1::2::3", "12345::"]),
    ("pattern", {"type": "string", "pattern": "^[a-zà-ÿ]+\\d{2}$"}, ["ab12", "é12"], ["12", "ab123", "AB12"]),
    ("search", {"type": "string", "pattern": "b"}, ["abc", '"b"'], ["", "ac"]),
    ("escapes in a pattern", {"type": "string", "pattern": '^["\\\\\\n]$'}, ['"', "\\", "\n"], ["n", ""]),
    ("pattern and length", {"type": "string", "pattern": "^x[a-z]*$", "minLength": 2, "maxLength": 3}, ["xa", "xab"], ["x", "xabc"]),
    ("enum", {"enum": ["a", 1, 2.5, None, {"k": [1], "j": "é"}]}, ["a", 1, 2.5, None, {"j": "é", "k": [1]}], ["b", 2, {"k": [2], "j": "é"}, []]),
    ("tuple", {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}], "items": {"type": "null"}, "minItems": 1, "maxItems": 4}, [[1], [1, "a"], [1, "a", None]], [[], ["a"], [1, 2], [1, "a", "b"], [1, "a", None, None, None]]),
    ("keys by pattern", {"type": "object", "properties": {"z": {"type": "null"}}, "patternProperties": {"^x": {"type": "integer"}}, "additionalProperties": False}, [{"x1": 1}, {"z": None, "x": 2}], [{"y": 1}, {"x": "1"}]),
    ("key names", {"type": "object", "propertyNames": {"maxLength": 2}, "additionalProperties": {"type": "integer"}}, [{}, {"ab": 1}], [{"abc": 1}, {"a": "b"}]),
    ("extras", {"type": "object", "properties": {"ab": {"type": "integer"}}, "additionalProperties": {"type": "string"}}, [{"ab": 1, "a": "x"}, {"abc": "x"}, {}], [{"ab": "x"}, {"a": 1}]),
    ("recursion", {"$ref": "#/$defs/root", "$defs": {"root": {"type": "object", "properties": {"t": {"type": "array", "items": {"$ref": "#/$defs/root"}}}, "required": ["t"], "additionalProperties": False}}}, [{"t": [{"t": []}]}], [{}, {"t": [1]}]),
    ("any", {}, [None, 1e-7, 1.5e300, -0.5, "\u2028", [[]], {"a": {"b": []}}], []),
]  # fmt: skip


@pytest.mark.parametrize("dialect", [LARK, GBNF])
@pytest.mark.parametrize(("schema", "good", "bad"), [c[1:] for c in SAID], ids=[c[0] for c in SAID])
def test_what_a_grammar_says_exactly(
    engine: Engine, dialect: str, schema: Any, good: list[Any], bad: list[Any]
) -> None:
    compiled = ws.compile(schema, dialect)
    assert not compiled.report.widened
    assert ws.check(compiled.text, dialect) == []
    fine = [text for value in good for text in texts_of(compiled.encode(value))]
    wrong = [text for value in bad for text in texts_of(value)]
    accepts = judge_of(compiled)
    assert [text for text in fine if not accepts(text)] == []
    assert [text for text in wrong if accepts(text)] == []
    if dialect == LARK:
        answer = engine.ask(Written("lark", compiled.text or ""), [*fine, *wrong])
        assert answer.accepted == (True,) * len(fine) + (False,) * len(wrong)


UNSAID: list[tuple[str, Any, str, Any]] = [
    ("look-around", {"type": "string", "pattern": "^(?!a)"}, "pattern", "a"),
    ("two patterns", {"type": "string", "allOf": [{"pattern": "^a"}, {"pattern": "b$"}]}, "pattern", "ac"),
    ("pattern beside a length", {"type": "string", "pattern": "a.*b", "maxLength": 3}, "maxLength", "axxb"),
    ("length beside a pattern", {"type": "string", "pattern": "^a+b+$", "minLength": 3}, "minLength", "ab"),
    ("format beside a pattern", {"type": "string", "pattern": "^1", "format": "ipv4"}, "format", "1"),
    ("unknown format", {"type": "string", "format": "iri"}, "format", "no iri"),
    ("tiny bounds", {"type": "number", "minimum": 1e-7}, "minimum", 1e-8),
    ("endless bounds", {"type": "integer", "maximum": 10**80}, "maximum", 10**81),
    ("steps", {"type": "integer", "multipleOf": 7}, "multipleOf", 8),
    ("unique", {"type": "array", "uniqueItems": True}, "uniqueItems", [1, 1]),
    ("counted keys", {"type": "object", "properties": {"a": {}, "b": {}, "c": {}}, "maxProperties": 1}, "maxProperties", {"a": 1, "b": 2}),
    ("negation", {"type": "integer", "not": {"const": 3}}, "not", 3),
    ("key rules", {"type": "object", "properties": {"a": {}}, "propertyNames": {"maxLength": 2}}, "propertyNames", {"abc": 1}),
]  # fmt: skip


@pytest.mark.parametrize("dialect", [LARK, GBNF])
@pytest.mark.parametrize(("schema", "keyword", "value"), [c[1:] for c in UNSAID], ids=[c[0] for c in UNSAID])  # fmt: skip
def test_what_a_grammar_does_not_say_is_told(
    dialect: str, schema: Any, keyword: str, value: Any
) -> None:
    compiled = ws.compile(schema, dialect)
    assert keyword in {note.keyword for note in compiled.report.widened}
    assert judge_of(compiled)(json.dumps(value))
    mark = "// " if dialect == LARK else "# "
    assert mark in (compiled.text or "")
    with pytest.raises(ws.ValidationError):
        compiled.validate(value)


def test_counts_beyond_what_the_engine_repeats_are_told() -> None:
    schema = {"type": "string", "pattern": "^(a{3000})*$"}
    assert [n.keyword for n in ws.compile(schema, GBNF).report.widened] == ["pattern"]
    assert not ws.compile(schema, LARK).report.widened
    long = ws.compile(
        {"type": "array", "items": {"const": 1}, "minItems": 900, "maxItems": 2000}, GBNF
    )
    assert ws.check(long.text, GBNF) == []
    assert re.search(r"^root--1 ::= \(", long.text or "", re.MULTILINE)


@pytest.mark.parametrize("dialect", ROWS)
@pytest.mark.parametrize("required", list(itertools.product([False, True], repeat=3)), ids=str)
def test_commas_stand_between_fields_only(dialect: str, required: tuple[bool, ...]) -> None:
    """Every choice of fields, in order, is accepted, and nothing with a comma too many or too few."""
    keys = "abc"
    schema = {
        "type": "object",
        "properties": {k: {"type": "integer"} for k in keys},
        "required": [k for k, needed in zip(keys, required, strict=True) if needed],
        "additionalProperties": False,
    }
    compiled = ws.compile(schema, dialect)
    accepts = judge_of(compiled)
    for chosen in itertools.product([False, True], repeat=3):
        value = {k: 1 for k, there in zip(keys, chosen, strict=True) if there}
        if all(there or not needed for there, needed in zip(chosen, required, strict=True)):
            text = json.dumps(compiled.encode(value))
            assert accepts(text)
            for worse in (text.replace("{", "{,"), text.replace("}", ",}"), text.replace(",", "")):
                assert worse == text or not accepts(worse)
        else:
            assert not accepts(json.dumps(value))
    assert not accepts('{"b": 1, "a": 1, "c": 1}')


@given(st.integers(), st.integers() | st.none(), st.integers())
@example(-(10**9), 10**9, 0)
@example(99, 100, 100)
def test_integers_between_bounds(low: int, high: int | None, n: int) -> None:
    if high is not None and high < low:
        low, high = high, low
    expr = integers(low, high)
    for i in (n, low, low - 1, low + 1, *([] if high is None else [high, high + 1, high - 1])):
        inside = low <= i and (high is None or i <= high)
        assert matches(expr, str(i), {}) == inside
    assert matches(integers(None, low), str(n), {}) == (n <= low)


_BOUND = st.decimals(-200, 200, places=2).map(float) | st.integers(-200, 200)


@given(_BOUND, _BOUND, st.tuples(st.booleans(), st.booleans()), _BOUND | st.floats(-1e-4, 1e-4))
@example(0, 0.05, (False, False), 0.05)
@example(-1.5, -1.25, (True, True), -1.5)
def test_numbers_between_bounds(
    low: float, high: float, included: tuple[bool, bool], x: float
) -> None:
    low, high = min(low, high), max(low, high)
    n = ir.Number(
        minimum=low if included[0] else None,
        exclusive_minimum=None if included[0] else low,
        maximum=high if included[1] else None,
        exclusive_maximum=None if included[1] else high,
    )
    if not says_bounds(n):
        assert low == high
        return
    expr = decimals(n)
    for value in (x, low, high):
        v = int(value) if float(value).is_integer() else value
        inside = (low <= v if included[0] else low < v) and (v <= high if included[1] else v < high)
        text = json.dumps(v)
        assert matches(expr, text, {}) == inside
        if "e" not in text:
            assert matches(expr, text + ("0" if "." in text else ".0"), {}) == inside


@given(st.lists(st.text(max_size=4), max_size=6), st.text(max_size=5))
@example(["", "a", "ab"], "a")
def test_other_keys(words: list[str], word: str) -> None:
    text = json.dumps(word)[1:-1]
    for spelling in (text, json.dumps(word, ensure_ascii=False)[1:-1]):
        taken = matches(other_than(words), spelling, TOKENS)
        if not any([0xD800 <= ord(c) <= 0xDFFF for c in word]):
            assert taken == (word not in words)


@given(st.lists(st.tuples(st.integers(0, 0x10FFFF), st.integers(0, 0x400)), min_size=1, max_size=4), st.integers(0, 0x10FFFF))  # fmt: skip
@example([(0x10000, 0x400), (0xFFFF, 0)], 0x10400)
@example([(0x10401, 0x399)], 0x10400)
def test_characters_of_a_set(parts: list[tuple[int, int]], code: int) -> None:
    ranges = union([(low, min(low + size, 0x10FFFF)) for low, size in parts])
    for c in (code, ranges[0][0], ranges[-1][1]):
        if 0xD800 <= c <= 0xDFFF:
            continue
        inside = any([low <= c <= high for low, high in ranges])
        for text in (json.dumps(chr(c)), json.dumps(chr(c), ensure_ascii=False)):
            assert matches(quoted(one_of(ranges)), text, TOKENS) == inside


def test_every_format_is_one_that_the_gate_knows() -> None:
    for name in FORMATS:
        compiled = ws.compile({"type": "string", "format": name}, LARK)
        assert (name in compiled.dialect.strings.rough_formats) == bool(compiled.report.widened)


@pytest.mark.parametrize("dialect", ROWS)
def test_the_text_grows_as_the_schema_does(dialect: str) -> None:
    def size(n: int) -> int:
        fields = {f"field_{i:04}": {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "string"}}} for i in range(n)}  # fmt: skip
        compiled = ws.compile({"type": "object", "properties": fields}, dialect)
        return len(compiled.text or "")

    assert size(120) < 2.2 * size(60)


def test_many_undeclared_keys_are_told_in_parts() -> None:
    """llama.cpp limits what stands inside a group that is repeated: no group holds hundreds of others."""
    fields = {f"{c}{d}_of_some_length_{i}": True for c in "abcdef" for d in "xyz" for i in range(9)}
    text = ws.compile({"type": "object", "properties": fields}, GBNF).text or ""
    keys = [line for line in text.splitlines() if re.match(r"VALUE-KEY\S* ::=", line)]
    assert len(keys) > 3
    assert max(line.count("(") for line in keys) < 500


def test_a_long_undeclared_key_is_told_in_shallow_parts() -> None:
    """Readers of grammars refuse groups inside one another: llguidance's of GBNF does at the depth of long keys."""
    schema = {"type": "object", "properties": {"a_key_of_" + "very_" * 12 + "long_name": True}}
    text = ws.compile(schema, GBNF).text or ""
    for line in [line for line in text.splitlines() if line.startswith("VALUE-KEY")]:
        depth = list(itertools.accumulate((c == "(") - (c == ")") for c in line))
        assert max(depth, default=0) <= 14


def test_a_schema_of_shared_parts_is_written_once() -> None:
    def deep(n: int) -> dict[str, Any]:
        defs = {f"d{i}": {"type": "object", "properties": {"a": {"$ref": f"#/$defs/d{i + 1}"}, "b": {"$ref": f"#/$defs/d{i + 1}"}}} for i in range(n)}  # fmt: skip
        return {"$ref": "#/$defs/d0", "$defs": {**defs, f"d{n}": {"type": "null"}}}

    for dialect in (LARK, GBNF):
        assert len(ws.compile(deep(40), dialect).text or "") < 30_000


def test_descriptions_are_comments() -> None:
    schema = {"type": "object", "description": "an order\n\nof  goods", "properties": {"n": {"type": "integer", "description": "how many"}}, "additionalProperties": False}  # fmt: skip
    compiled = ws.compile(schema, LARK)
    assert (compiled.text or "").startswith('// an order\n// of  goods\n// "n": how many\nstart: ')
    assert not compiled.report.widened
    assert (ws.compile(schema, GBNF).text or "").startswith("# an order\n")


def test_the_algebra_is_tidy() -> None:
    assert seq(EMPTY, Text("a"), seq(Text("b"))) == Text("ab")
    assert alt([EMPTY]) == EMPTY
    assert many(Text("a"), 0, 0) == EMPTY
    assert many(many(Text("ab"), 1, 4), 0, 1) == many(Text("ab"), 0, 4)
    assert matches(many(Ref("A"), 2, 2), "aa", {"A": Rule(Text("a"), token=True)})
    assert not matches(Seq((Text("a"), alt([Text("b"), Text("cd")]))), "ac", {})


def test_nodes_that_only_some_rows_would_send() -> None:
    never, null = ir.Never(), ir.Null()
    text = "".join(
        [
            spell_gbnf(grammar_of(ir.Graph(node, {}), 1))
            for node in (
                ir.List(never),
                ir.Tuple((null, never, null), null),
                ir.Tuple((null,) * 10, never),
                ir.Object((ir.Field("a", never), ir.Field("b", null)), ir.String()),
                ir.Refine(null, ()),
                ir.Literal(({"a": 1.0},)),
            )
        ]
    )
    assert text.count("root ::=") == 6
    with pytest.raises(AssertionError, match="no reason"):
        grammar_of(ir.Graph(ir.Never("no reason"), {}), 1)


def test_patterns_that_no_grammar_says() -> None:
    for pattern in (
        "(",
        "a(?=b)",
        r"\bx",
        r"\p{L}",
        r"[\p{L}]",
        r"[^\s\S]",
        "[]",
        "(?i:a)",
        "\ud83d",
        "a" * 20_000,
    ):
        assert texts.unsaid(ir.String(patterns=(pattern,))) == [("pattern", pattern)]
    for pattern, low, high in (("^(ab)*$", 0, 3), ("^a{2}b{3,4}$", 9, 10), ("^a?b?$", 2, 2)):
        lost = texts.unsaid(ir.String(low, high, patterns=(pattern,)))
        assert lost
        assert {keyword for keyword, _ in lost} <= {"minLength", "maxLength"}
    nested = ws.compile({"type": "string", "pattern": "^(a{2,3}){2}$"}, GBNF)
    assert Gbnf(nested.text or "").accepts('"aaaaa"')


def test_long_keys() -> None:
    schema = {"type": "object", "properties": {"k" * 3000: {"type": "null"}}}
    for dialect in (LARK, GBNF):
        compiled = ws.compile(schema, dialect)
        assert ws.check(compiled.text, dialect) == []
        assert 100_000 < len(compiled.text or "") < 200_000


@pytest.mark.parametrize("size", [23, 24, 25, 48, 49, 100])
def test_keys_that_are_named_in_parts(engine: Engine, size: int) -> None:
    word = ("abcdefghij" * 10)[:size]
    fields: dict[str, Any] = {word: {"type": "integer"}, word[:-3] + "zz": {"type": "integer"}}
    good = [{word: 1}, {word[:-1]: "x"}, {word + "k": "x"}, {word[:-1] + "é": "x", "": 0}]
    bad = [{word: "1"}, {word[:-3] + "zz": "1"}]
    for dialect in (LARK, GBNF):
        compiled = ws.compile({"type": "object", "properties": fields}, dialect)
        accepts = judge_of(compiled)
        fine = [text for value in good for text in texts_of(value)]
        wrong = [text for value in bad for text in texts_of(value)]
        assert [text for text in fine if not accepts(text)] == []
        assert [text for text in wrong if accepts(text)] == []
        if dialect == LARK:
            answer = engine.ask(Written("lark", compiled.text or ""), [*fine, *wrong])
            assert answer.accepted == (True,) * len(fine) + (False,) * len(wrong)


@pytest.mark.parametrize("required", [[], ["k20"]])
def test_many_optional_fields(required: list[str]) -> None:
    """The lark library writes out each way in which the optional parts of one rule may be absent."""
    fields = {f"k{i}": {"type": "integer"} for i in range(40)}
    schema = {"type": "object", "properties": fields, "required": required, "additionalProperties": False}  # fmt: skip
    grammar = Lark(ws.compile(schema, LARK).text or "")
    assert grammar.is_lalr
    for keys in (["k20"], ["k0", "k20", "k39"], list(fields)):
        assert grammar.accepts_at_once(json.dumps(dict.fromkeys(keys, 1)))
    for keys in (["k20", "k0"], ["k19", "k20", "k20"], ["x", "k20"]):
        assert not grammar.accepts("{" + ", ".join([f'"{k}": 1' for k in keys]) + "}")


def test_many_key_names() -> None:
    names = [f"k{i}" for i in range(300)]
    schema = {"type": "object", "propertyNames": {"enum": names}, "additionalProperties": True}
    for dialect in (LARK, GBNF):
        compiled = ws.compile(schema, dialect)
        accepts = judge_of(compiled)
        assert accepts('{"k299": 1}')
        assert not accepts('{"k300": 1}')
    rule = ir.Object((), never := ir.Never(), patterns=(ir.Pattern(r"^\bx", never),))
    assert not members.says_patterns(rule)


@pytest.mark.parametrize(
    "text", ['root ::= "a', 'root := "a"', 'root ::= ("a"', 'a ::= "x"\na ::= "y"']
)
def test_the_reader_of_gbnf_refuses(text: str) -> None:
    with pytest.raises(ValueError):
        Gbnf(text)


REFUSED: list[tuple[str, str, list[tuple[str, str]]]] = [
    (LARK, 'start: "a"{2,3} (b | /[a-z]+/)?\n  | B~2..4 // note\nb: ["x" B]\nB: "b"i', []),
    (LARK, "%import common.INT\nstart: INT -> n", []),
    (LARK, "start: a", [("/start", "'a' is not defined")]),
    (LARK, 'x: "a"', [("", "there is no rule `start`")]),
    (LARK, 'start: "a"\nstart: "b"', [("/start", "'start' is defined twice")]),
    (LARK, 'start: A\nA: B\nB: "x" A', [("/A", "the token 'A' refers to itself")]),
    (LARK, 'start: A\nA: b\nb: "x"', [("/A", "the token refers to the rule 'b'")]),
    (LARK, 'start: ("a"', [("/start", "brackets do not match")]),
    (LARK, 'start: "a")', [("/start", "brackets do not match")]),
    (LARK, "start: *", [("/start", "nothing stands before a repeat")]),
    (LARK, 'start: "a" : "b"', [("/start", "':' stands inside a definition")]),
    (LARK, 'start "a"', [("/start", "a line is no definition")]),
    (LARK, "start: 'a'", [("", "line 1 is not readable")]),
    (LARK, 'start: "a"\n%nonsense x', [("", "no directive is called %nonsense")]),
    (LARK, "start: /a(?=b)/", [("/start", "a pattern looks around")]),
    (LARK, "start: /(?<!a)b/", [("/start", "a pattern looks around")]),
    (LARK, "start: /a+?/", [("/start", "a pattern has a lazy repeat")]),
    (LARK, "start: /a{2,}?/", [("/start", "a pattern has a lazy repeat")]),
    (LARK, "start: /(a)\\1/", [("/start", "a pattern refers back to a group")]),
    (LARK, "start: /(a/", [("/start", "the brackets of a pattern do not match")]),
    (LARK, "start: /a)/", [("/start", "the brackets of a pattern do not match")]),
    (LARK, "start: /[a/", [("/start", "a pattern has a loose '['")]),
    (LARK, "start: /+a/", [("/start", "a pattern repeats nothing")]),
    (LARK, 'start.2: "a"', [("/start", "'start' has a priority")]),
    (LARK, 'start: "a"\nt{x}: x', [("/t", "'t' is a template"), ("/t", "'x' is not defined")]),
    (LARK, 'start: t{"a"}\nt: "b"', [("/start", "'start' uses a template")]),
    (LARK, "start: X\n%declare X", [("", "`%declare` names tokens that are defined nowhere"), ("/start", "'X' is not defined")]),
    (LARK, "%import other.X\nstart: X", [("", "`%import other.X`")]),
    (LARK, 'start: "a"\n%ignore /\\s+/', [("", "`%ignore /\\s+/` has no end")]),
    (LARK, 'start: "a"\n%ignore /[ \\t]{0,3}/', []),
    (GBNF, "# note\nroot ::= (\n  [a-z]{2,3} b |\n  \"x\"\n)\nb ::= . | \"\"", []),
    (GBNF, 'a ::= "b"', [("", "there is no rule `root`")]),
    (GBNF, "root ::= x", [("/root", "'x' is not defined")]),
    (GBNF, 'root ::= root "a"', [("/root", "'root' begins with itself")]),
    (GBNF, 'root ::= ("x"? b) "a"\nb ::= c* root\nc ::= "y"', [("/root", "'root' begins with itself"), ("/b", "'b' begins with itself")]),
    (GBNF, 'root ::= "x"+ root | "y" (root | "z")', []),
    (GBNF, 'root ::= "a"{2001}', [("/root", "a repeat counts to 2001, over 2000")]),
    (GBNF, 'root ::= "a"\nroot ::= "b"', [("/root", "'root' is defined twice")]),
    (GBNF, 'root ::= ("a"', [("/root", "brackets do not match")]),
    (GBNF, 'root ::= "a")', [("/root", "brackets do not match")]),
    (GBNF, "root ::= *", [("/root", "nothing stands before a repeat")]),
    (GBNF, 'root ::= ("a" b ::= "c")', [("/root", "'b' is not defined"), ("/root", "a rule begins inside another")]),
    (GBNF, '"a"', [("", "'\"a\"' begins no rule")]),
    (GBNF, "root ::= 'a'", [("", "line 1 is not readable")]),
    (REGEX, r"\{[a-z]+\}", []),
    (REGEX, "a(?!b)", [("", "a pattern looks around")]),
    (REGEX, "a\nb", [("", "the pattern holds a line feed")]),
]  # fmt: skip


@pytest.mark.parametrize(("dialect", "text", "found"), REFUSED, ids=range(len(REFUSED)))
def test_the_acceptor_of_grammars(dialect: str, text: str, found: list[tuple[str, str]]) -> None:
    violations = ws.check(text, dialect)
    assert [(v.pointer, v.what) for v in violations] == found
    assert {v.level for v in violations} <= {"error"}


def test_a_row_says_what_it_refuses_in_a_grammar() -> None:
    row = ws.dialect(LARK)
    lenient = replace(row, id="mine", grammar=replace(row.grammar, forbid=frozenset()))
    assert ws.check('start.2: "a"', lenient) == []
    assert [v.rule for v in ws.check('start.2: "a"', row)] == ["grammar.forbid"]
    for field, bad in (("forbid", frozenset(["x"])), ("spaces", 0)):
        wrong = replace(row, grammar=replace(row.grammar, **{field: bad}))
        assert [p.partition(":")[0] for p in problems(wrong)] == [f"grammar.{field}"]
    bare = replace(ws.dialect("openai-strict"), carriers=("grammar",))
    assert [p.partition(":")[0] for p in problems(bare)] == ["grammar.syntax"]


@given(st.text(max_size=40) | st.text(alphabet='ab:=|"/()[]{}*+?~.%\n ', max_size=30))
def test_the_acceptor_reads_any_text(text: str) -> None:
    for read in (read_lark, read_gbnf, read_pattern):
        read(text)


@pytest.mark.parametrize("dialect", ROWS)
def test_artifacts_keep_the_grammar(dialect: str) -> None:
    compiled = ws.compile({"enum": ["a", "b"]}, dialect)
    again = ws.Compiled.from_json(compiled.to_json())
    assert again.text == compiled.text is not None
    assert again.parse('"b"').value == "b"
    assert "text" not in json.loads(ws.compile({"enum": ["a", "b"]}, "openai-strict").to_json())


ADD = {"type": "object", "properties": {"a": {"type": "number"}}, "required": ["a"]}


@pytest.mark.parametrize(("dialect", "syntax"), [(LARK, "lark"), (REGEX, "regex")])
def test_custom_tools(dialect: str, syntax: str) -> None:
    plan = ws.plan(dialect, [ws.Tool("add it", ADD, "adds")])
    grammar = {"syntax": syntax, "definition": plan.tools[0].compiled.text}
    chat = plan.request("chat")["tools"][0]
    assert chat == {"type": "custom", "custom": {"name": "add_it", "description": "adds", "format": {"type": "grammar", "grammar": grammar}}}  # fmt: skip
    flat = plan.request("responses")["tools"][0]
    assert flat == {"type": "custom", "name": "add_it", "description": "adds", "format": {"type": "grammar", **grammar}}  # fmt: skip
    call = {"id": "c1", "type": "custom", "custom": {"name": "add_it", "input": '{"a": 1}'}}
    body = {"choices": [{"message": {"tool_calls": [call]}, "finish_reason": "tool_calls"}]}
    item = {"type": "custom_tool_call", "call_id": "c1", "name": "add_it", "input": '{"a": "x"}'}
    done = plan.route(body, "chat")
    assert (done.kind, done.calls[0].name, done.calls[0].arguments) == ("tool_calls", "add it", {"a": 1})  # fmt: skip
    assert plan.route({"output": [item]}, "responses").kind == "failed"
    assert plan.history([ws.Turn(done.calls)], "chat")[0]["tool_calls"] == [
        call | {"custom": {"name": "add_it", "input": '{"a":1}'}}
    ]
    told = plan.history([ws.Turn(done.calls, results=[3])], "responses")
    assert told[-2:] == [
        {"type": "custom_tool_call", "call_id": "c1", "name": "add_it", "input": '{"a":1}'},
        {"type": "custom_tool_call_output", "call_id": "c1", "output": "3"},
    ]


def test_a_grammar_of_the_output() -> None:
    plan = ws.plan(GBNF, [], ws.Output({"type": "integer", "minimum": 1}))
    assert plan.output is not None
    assert (plan.output.carrier, plan.output.strict) == ("grammar", True)
    assert plan.request("native") == {"grammar": plan.output.compiled.text} == plan.request()
    assert plan.route({"content": "7"}, "native").value == 7
    with pytest.raises(ws.DialectError, match="no API of llamacpp-gbnf carries 'tool'"):
        ws.plan(GBNF, [ws.Tool("add", ADD)])


def sampled(step: int) -> list[dict[str, Any]]:
    return [json.loads(line) for line in itertools.islice(lines_of("ci_sample"), 0, None, step)]


def instances(record: dict[str, Any]) -> list[Any]:
    tests = record.get("tests", ())
    return [t["data"] for t in tests if "data" in t and not {"check", "raw"} & t.keys()]


@pytest.mark.corpus
@pytest.mark.parametrize("dialect", ROWS)
def test_real_schemas(engine: Engine, dialect: str) -> None:
    found: list[str] = []
    for record in sampled(6):
        try:
            compiled = ws.compile(record["schema"], dialect)
        except ws.SchemaError:
            continue
        result = trial(compiled, engine, instances(record), samples=3, seed=1)
        assert ws.check(compiled.text, dialect) == []
        found += [f"{record['id']}: {b}" for b in result.breaches if dialect != GBNF or b.law != 2]
    assert found == []


@pytest.mark.corpus
def test_real_schemas_before_the_lark_library(engine: Engine) -> None:
    """It accepts what is encoded, and what the engine writes; one token ahead decides nearly always."""
    found: list[str] = []
    schemas = quick = 0
    for record in sampled(20):
        try:
            compiled = ws.compile(record["schema"], LARK)
        except ws.SchemaError:
            continue
        grammar = Lark(compiled.text or "")
        schemas, quick = schemas + 1, quick + grammar.is_lalr
        texts = list(engine.ask(Written("lark", compiled.text or ""), samples=3, seed=1).samples)
        for value in [v for v in instances(record) if laws.is_valid(compiled, v)]:
            texts += texts_of(compiled.encode(value))
        found += [f"{record['id']}: {text}" for text in texts if not grammar.accepts(text)]
    assert found == []
    assert quick > 0.95 * schemas


@pytest.mark.parametrize("dialect", [LARK, GBNF])
@pytest.mark.parametrize("ring", [False, True], ids=["chain", "ring"])
def test_a_thousand_definitions_in_a_row(dialect: str, ring: bool) -> None:
    """Definitions are written one after the other, not inside one another."""
    last = {"anyOf": [{"$ref": "#/$defs/D0"}, {"type": "null"}]} if ring else {"type": "null"}
    nodes = [*[{"$ref": f"#/$defs/D{i}"} for i in range(1, 1_000)], last]
    defs = {
        f"D{i}": {"type": "object", "properties": {"a": node}, "required": ["a"]}
        for i, node in enumerate(nodes)
    }
    compiled = ws.compile({"$ref": "#/$defs/D0", "$defs": defs}, dialect)
    assert not laws.accepted(compiled)
    assert compiled.text is not None
    assert "d999" in compiled.text


def test_lists_in_lists_do_not_make_a_pattern_of_any_size() -> None:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(60):
        schema = {"type": "array", "items": schema}
    compiled = ws.compile(schema, REGEX)
    assert len(compiled.text or "") < 30_000
    assert "limits.depth" in str(compiled.report)


def test_comments_full_of_slashes_are_read_in_one_way() -> None:
    text = f'start: b\n// {"//a" * 60}\nb: "x"\n'
    assert ws.check(text, LARK) == []
