"""Patterns: what they use, and that a spelling accepts the same strings as the pattern."""

from __future__ import annotations

import re
import time
from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import wireshape as ws
from wireshape.dialect import Strings, dialect
from wireshape.regex import FEATURES, as_search, features, rewritten, spell, with_strict_patterns

FULL = Strings(anchoring="full", dot_all=True)
ROWS = [
    Strings(),
    FULL,
    *[dialect(n).strings for n in ("openai-strict", "anthropic-strict", "xai-strict")],
]


@pytest.mark.parametrize(
    ("pattern", "names"),
    [
        ("^[a-z]+(b|c)?$", "anchor"),
        ("a", "unanchored"),
        ("^a|b$", "anchor unanchored"),
        ("^(^a|(b$))$", "anchor"),
        ("^a^$", "anchor inner-anchor"),
        ("^(a$)+$", "anchor inner-anchor"),
        ("^(?=^)$", "anchor inner-anchor lookahead"),
        ("(^a)b$", "anchor unanchored"),
        ("(a$)b$", "anchor inner-anchor unanchored"),
        ("^(?=a)(?!b)$", "anchor lookahead"),
        ("^(?<=a)(?<!b)$", "anchor lookbehind"),
        (r"^(a)\1$", "anchor backreference escaped-digit"),
        (r"^(?<x>a)\k<x>$", "anchor backreference named-group"),
        (r"^\ba\B$", "anchor word-boundary"),
        (r"^[\b]$", "anchor json-escape"),
        (r"^\p{L}\P{Script=Greek}$", "anchor json-escape unicode-property"),
        (r"^[\p{Lu}x]$", "anchor unicode-property"),
        (r"^[\p{P}]$", "anchor json-escape unicode-property"),
        ("^(?i:a)$", "anchor inline-modifier"),
        ("^a+?b??c{2}?$", "anchor counted-repeat lazy"),
        ("^(?:a+){2}$", "anchor complex-repeat counted-repeat non-capturing-group"),
        ("^((a?)b){2,}$", "anchor complex-repeat counted-repeat"),
        ("^(a){2}(b{2})+$", "anchor counted-repeat"),
        (r"^\@\-\u0041\x41\u{1F600}[a-][--a][C-a]$", "anchor json-escape"),
        (r"^\cA\0$", "anchor control-letter escaped-digit json-escape"),
        ("^{ a{1 x{,3} ] }$", "anchor bare-bracket"),
        (r"^[{}[]\{a{2}$", "anchor counted-repeat"),
        (r"^\d[\w]$", "anchor shorthand"),
        (r"^\s$", "anchor json-escape shorthand"),
        (r"^[^\s\S]$", "anchor negated-class shorthand"),
        ("^[^]$", "anchor empty-class json-escape negated-class"),
        ("^[]$", "anchor empty-class"),
        ("^.$", "anchor dot json-escape"),
        (r"^(?!.)\\$", "anchor dot json-escape lookahead"),
        ("^(?!.)a$", "anchor dot lookahead"),
        (r"""^[^\x00-\x1f"\\]$""", "anchor negated-class"),
        *[(p, "invalid") for p in [
            "(", "a)", "*", "^*", "|+", "[a", "[z-a]", r"[\x62-a]", "a{2,1}", r"\Z", r"\u{110000}", "\\", r"[\1]", "(?x",
            "(?=a)*", "(?i)a", "a++", "a**", "(?>a)", "(?P<n>a)", "(?P=n)", "(?(1)a)", r"\1", "(?<x>a)(?<x>b)", r"\k<x>",
        ]],
        *[(p, "too-large") for p in ["a" * 10_001, "(" * 33 + ")" * 33, "(" * 10_000, "a{1000000000}"]],
    ],
    ids=lambda text: text[:40],
)  # fmt: skip
def test_features(pattern, names):
    assert features(pattern) == set(names.split())
    assert features(pattern) <= FEATURES
    if "invalid" in names:
        assert spell(pattern, Strings()) is None
        assert as_search(pattern, FULL) == pattern


def test_a_pattern_too_large_to_be_read_is_sent_only_where_nothing_has_to_change():
    pattern = "a" * 10_001
    assert spell(pattern, Strings()) == pattern
    for strings in (FULL, Strings(regex="rust"), Strings(forbid=frozenset(["lookahead"]))):
        assert spell(pattern, strings) is None
        assert as_search(pattern, strings) == pattern


@pytest.mark.parametrize(
    ("pattern", "spelled"),
    [
        ("^a+$", "^a+$"),
        ("abc", r"^[\s\S]*abc[\s\S]*$"),
        ("^abc", r"^abc[\s\S]*$"),
        ("abc$", r"^[\s\S]*abc$"),
        ("a|b", r"^[\s\S]*(?:a|b)[\s\S]*$"),
        ("^a|b$", r"^(?:a[\s\S]*|[\s\S]*b)$"),
        ("^a$|^b$", "^(?:a|b)$"),
        ("^(a|b)$", "^(a|b)$"),
        ("(^$)|(^https://)", r"^(?:|https://[\s\S]*)$"),
        ("((^a$))", "^a$"),
        ("", r"^[\s\S]*$"),
        ("$", r"^[\s\S]*$"),
        ("^$", "^$"),
        ("^.$", r"^[^\n\r\u2028\u2029]$"),
        ("a$b", None),
        ("$^", None),
        ("^(?:^a|b)$", "^(?:a|b)$"),
        ("(^|-)a($|-)", r"^(|[\s\S]*-)a(|-[\s\S]*)$"),
        (r".*a\s*", r"^[\s\S]*a[\s\S]*$"),
        (r"^(?:a)\1", None),
        (r"(a*)\1", r"^[\s\S]*(a*)\1[\s\S]*$"),
        ("(a|^b)c", r"^([\s\S]*a|b)c[\s\S]*$"),
        ("(?m:^a)", None),
        ("(^a)+", None),
        (r"(^a)\1", None),
        ("(?=a$)a", None),
    ],
)
def test_spell_for_whole_text_engines(pattern, spelled):
    assert spell(pattern, FULL) == spelled


def test_spell_says_no_to_what_a_row_forbids():
    subset = Strings(regex="subset", forbid=frozenset(["lazy", "named-group", "lookahead"]))
    assert spell("(?=a)", subset) is None
    assert spell("(?<x>a+?)b??c{2}?", subset) == "(?:a+)b?c{2}"
    named = Strings(regex="subset", forbid=frozenset(["lazy"]))
    assert spell("(?<x>a+?)(b)", named) == "(?<x>a+)(b)"
    assert spell(r"(?<x>a)\k<x>", subset) is None
    assert spell("[^]", subset) == r"[\s\S]"
    assert spell("[]", subset) is None
    assert spell("[^]|[]", Strings()) == "[^]|[]"
    assert spell("a.b", Strings()) == "a.b"


def test_as_search():
    assert as_search("a|.", FULL) == r"^(?:a|[\s\S])$"
    assert as_search("a|.", Strings()) == "a|."


atoms = st.sampled_from(["a", "b", ".", "[ab]", "[^a]", r"\n", r"\d", "^", "$", r"a\$"])
patterns = st.recursive(
    atoms,
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3).map("".join),
        st.lists(inner, min_size=1, max_size=3).map("|".join),
        inner.map(lambda p: f"({p})"),
        st.tuples(inner, st.sampled_from(["*", "+", "?", "{2}", "*?"])).map(
            lambda t: f"(?:{t[0]}){t[1]}"
        ),
    ),
    max_leaves=6,
)


def python(pattern: str, *, dot_all: bool = False) -> re.Pattern[str]:
    """Translate the grammar above: in ECMA-262 `$` is the very end and `.` leaves out four line ends."""
    text = re.sub(
        r"\\.|\$|\.|\[[^]]*\]",
        lambda m: {"$": r"\Z", ".": r"[\s\S]" if dot_all else r"[^\n\r\u2028\u2029]"}.get(
            m[0], m[0]
        ),
        pattern,
    )
    return re.compile(text)


@given(patterns, st.text("ab1\n\r$", max_size=5))
@example("^a|b$", "a1")
@example("(^$)|(^a)", "\n")
@example(".", "\n")
def test_the_spelling_accepts_the_same_strings(pattern, text):
    expected = python(pattern).search(text) is not None
    for strings in ROWS:
        spelled = spell(pattern, strings)
        if spelled is None:
            assert (
                "invalid" in features(pattern)
                or strings.anchoring == "full"
                or strings.forbid & features(pattern)
            )
            continue
        compiled = python(spelled, dot_all=strings.dot_all)
        assert (compiled.search(text) is not None) == expected
        if strings.anchoring == "full":
            assert (compiled.fullmatch(text) is not None) == expected
            assert (python(as_search(spelled, strings)).search(text) is not None) == expected
        assert spell(spelled, strings) == spelled


@given(st.text(r"ab\^$.|*+?(){}[]<>=!:-,1k", max_size=20))
def test_any_text_is_scanned(pattern):
    features(pattern)
    for strings in ROWS:
        spelled = spell(pattern, strings)
        assert spelled is None or spell(spelled, strings) == spelled


@pytest.mark.parametrize(
    "pattern",
    ["(" * 5000 + "^a" + ")" * 5000, "a|" * 5000, "[a" * 5000, "(" * 10_000, "(a{2}" * 2000 + "){2}" * 2000, "\\" * 9999, "{1" * 5000, "a{" + "9" * 9000 + "}"],
    ids=str.__len__,
)  # fmt: skip
def test_long_patterns_take_linear_time(pattern):
    start = time.perf_counter()
    features(pattern)
    spell(pattern, FULL)
    assert time.perf_counter() - start < 2


@pytest.mark.parametrize(
    ("pattern", "strict"),
    [
        ("^{id}", r"^\{id\}"),
        (r"[\w-.]", r"[\w\-.]"),
        ("[^]", r"[\s\S]"),
        (r"\ud83d\ude00", "\U0001f600"),
        ("[]", "[]"),
        ("^a+$", "^a+$"),
        ("(", "("),
    ],
)
def test_the_leniences_of_the_web_are_written_out(pattern, strict):
    assert rewritten(pattern) == strict


def test_a_schema_with_lenient_patterns_is_judged():
    c = ws.compile({"properties": {"a": {"pattern": "^{id}"}}, "patternProperties": {"x{": False}}, "lenient")  # fmt: skip
    c.validate({"a": "{id}"})
    for wrong in ({"a": "id"}, {"x{": 1}):
        with pytest.raises(ws.ValidationError):
            c.validate(wrong)
    assert ws.testing.wire_validator(c).is_valid({"a": "{id}"})


def test_strict_patterns_leave_data_and_names_alone():
    same = {
        "properties": {"pattern": {"const": {"pattern": "a{"}}},
        "patternProperties": {"^x": {}},
    }
    assert with_strict_patterns(same) is same
    shared = {"pattern": "a{"}
    document = {"$defs": {"a": shared, "b": shared}, "patternProperties": {"a{": shared}}
    strict = {"pattern": r"a\{"}
    assert with_strict_patterns(document) == {
        "$defs": {"a": strict, "b": strict},
        "patternProperties": {r"a\{": strict},
    }


def test_a_pattern_that_nothing_can_read_is_refused_and_a_long_one_is_told():
    with pytest.raises(ws.SchemaError):
        ws.compile({"type": "string", "pattern": "(" * 5000 + ")" * 5000}, "openai-strict")
    c = ws.compile({"type": "string", "pattern": "a|" * 20_000 + "b"}, "openai-strict")
    assert "WS203" in {n.code for n in c.report.notes}


def test_keys_bound_by_pattern_are_spelled_like_strings():
    row = dialect("lenient")
    row = replace(row, root=replace(row.root, verbatim=False), strings=Strings(regex="rust"))
    c = ws.compile({"type": "object", "patternProperties": {r"^\d$": {"type": "integer"}}}, row)
    assert list(c.schema["patternProperties"]) == ["^[0-9]$"]
