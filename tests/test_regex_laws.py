r"""Patterns as laws: written trees parse to themselves, and a spelling accepts what the pattern accepts, engine by engine.

The judges know nothing of the spelling code: Python's `re` on a translation of the tree that is made here, jsonschema-rs
for ECMA-262, Python's `re` itself for the language of Python, and, where it is installed, llguidance for that of Rust.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

import jsonschema_rs
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from corpora import records_of
from wireshape.dialect import Strings, dialect, dialects
from wireshape.regex import FEATURES, as_search, features, reads_as_written, refused, spell
from wireshape.regex.grammar import PatternError, parse
from wireshape.regex.nodes import (
    Alt,
    Backreference,
    Boundary,
    Dot,
    End,
    Group,
    Look,
    Property,
    Range,
    Repeat,
    Seq,
    Set,
    Shorthand,
    Start,
    Text,
)
from wireshape.regex.write import write

LETTERS = 'ab1_- \n\r\t\u2028\x1c\x85\u00e9\u0665\ufeff"\\^$.&~{}[]()|/\U0001f600'
TEXTS = st.text('ab1_- \n\r\u2028\x1c\u00e9\u0665\ufeff"\\\U0001f600', max_size=5)


# Trees


def ranges(letters: str):
    ends = st.tuples(st.sampled_from(letters), st.sampled_from(letters)).map(sorted)
    return st.one_of(
        st.sampled_from(letters).map(lambda c: Range(ord(c), ord(c))),
        ends.map(lambda pair: Range(ord(pair[0]), ord(pair[1]))),
    )


def trees(letters: str = LETTERS, *, properties: bool = True, looks: bool = True):
    """Every tree that `parse` can give, but for names and back-references."""
    shorthands = st.sampled_from("dDwWsS").map(Shorthand)
    props = st.builds(Property, st.sampled_from(["L", "Nd", "Script=Greek"]), st.booleans())
    kinds = [ranges(letters), shorthands, *([props] if properties else [])]
    sets = st.builds(Set, st.lists(st.one_of(kinds), max_size=3).map(tuple), st.booleans())
    one = st.one_of(
        st.sampled_from(letters).map(Text),
        st.just(Dot()),
        shorthands,
        sets,
        *([props] if properties else []),
    )
    words = st.text(letters, min_size=1, max_size=3).map(Text)
    edges = st.sampled_from([Start(), End()])

    def more(inner):
        groups = st.builds(Group, inner, st.sampled_from(["capture", "plain"]))
        asserted = st.builds(Look, inner, st.just(value=False), st.booleans())
        counts = st.sampled_from([(0, None), (1, None), (0, 1), (2, 2), (1, 2), (2, None)])
        repeats = st.builds(
            lambda n, c, lazy: Repeat(n, *c, lazy), st.one_of(one, groups), counts, st.booleans()
        )
        parts = [words, edges, one, groups, repeats, *([asserted] if looks else [])]
        return alternatives(st.one_of(parts))

    return st.recursive(alternatives(st.one_of(words, one, edges)), more, max_leaves=5)


def alternatives(parts):
    arms = st.lists(parts, max_size=3).map(lambda items: Seq(tuple(joined(items))))
    return st.lists(arms, min_size=1, max_size=3).map(lambda found: Alt(tuple(found)))


def joined(items):
    out = []
    for item in items:
        if out and isinstance(item, Text) and isinstance(out[-1], Text):
            out[-1] = Text(out[-1].text + item.text)
        else:
            out.append(item)
    return out


def parts_of(tree: Alt):
    todo = [tree]
    while todo:
        n = todo.pop()
        yield n
        for inner in ("arms", "items"):
            todo += getattr(n, inner, ())
        todo += [getattr(n, name) for name in ("body", "node") if hasattr(n, name)]


# An independent meaning: Python's `re`, written from the tree

SPACES = "\t\n\v\f\r \xa0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff" + "".join(map(chr, range(0x2000, 0x200B)))  # fmt: skip
MEANS = {"d": "0-9", "w": "0-9A-Za-z_", "s": "".join([f"\\u{ord(c):04x}" for c in SPACES])}


def meaning(tree: Alt, *, dot: str = r"[^\n\r\u2028\u2029]") -> re.Pattern[str]:
    return re.compile(python(tree, dot))


def python(n, dot: str) -> str:
    again = lambda inner: python(inner, dot)  # noqa: E731
    match n:
        case Alt(arms):
            return "|".join(map(again, arms))
        case Seq(items):
            return "".join(map(again, items))
        case Text(text):
            return re.escape(text)
        case Dot():
            return dot
        case Shorthand(letter):
            return f"[{'^' if letter.isupper() else ''}{MEANS[letter.lower()]}]"
        case Set(members, negated):
            inside = "|".join(
                [
                    again(m) if isinstance(m, Shorthand) else f"[\\U{m.low:08x}-\\U{m.high:08x}]"
                    for m in members
                ]
            )
            return (rf"(?:(?!{inside})[\s\S])" if members else r"[\s\S]") if negated else f"(?:{inside or '(?!)'})"  # fmt: skip
        case Start():
            return r"\A"
        case End():
            return r"\Z"
        case Boundary(negated):
            return r"(?a:\B)" if negated else r"(?a:\b)"
        case Backreference(to):
            return f"\\{to}" if isinstance(to, int) else f"(?P={to})"
        case Repeat(node, low, high, lazy):
            inside = again(node)
            return f"(?:{inside}){{{low},{'' if high is None else high}}}{'?' if lazy else ''}"
        case Look(body, behind, negated):
            return f"(?{'<' if behind else ''}{'!' if negated else '='}{again(body)})"
        case Group(body, kind, label):
            opening = {"capture": "(", "plain": "(?:", "named": f"(?P<{label}>"}.get(
                kind, f"(?{label}:"
            )
            return f"{opening}{again(body)})"
    raise AssertionError(n)


@lru_cache(maxsize=512)
def ecma(pattern: str):
    return jsonschema_rs.Draft202012Validator({"pattern": pattern}).is_valid


# Laws


@given(trees(), st.booleans())
@example(parse(r"^a{2,}?(?<n>b)\k<n>(c)\2(?:1)0(?<!x)(?i-s:y)\1\x30*$"), False)
@example(parse(r"[\ud800\u{dc00}]\udfff[&&~~\[\]^-]"), False)
@example(parse(r"[\--a][&-&]"), True)
def test_a_written_tree_parses_to_itself(tree, raw):
    assert parse(write(tree, raw=raw)) == tree


@given(st.text(r"ab\^$.|*+?(){}[]<>=!:-,1kdpLnux0 ", max_size=20))
@example(r"[a-\d--z]")
@example("a{,3}")
def test_what_parses_can_be_written(pattern):
    try:
        tree = parse(pattern)
    except PatternError:
        assert features(pattern) & {"invalid", "too-large"}
        return
    for raw in (False, True):
        assert parse(write(tree, raw=raw)) == tree


@given(trees(properties=False), TEXTS)
@example(parse("^a$|b"), "a\n")
def test_the_meaning_that_the_laws_go_by_is_that_of_ecma_262(tree, text):
    try:
        judge = ecma(write(tree))
    except jsonschema_rs.ValidationError:  # it takes no `[]`, `[^]` and `(?:)*`
        assume(False)
    assert (meaning(tree).search(text) is not None) == judge(text)


FULL = Strings(anchoring="full")
SHAPES = {
    "search": Strings(),
    "subset": Strings(regex="subset", forbid=frozenset(["lazy", "non-capturing-group"])),
    "full": FULL,
    "full, dot matches all": replace(FULL, regex="subset", dot_all=True),
    "full, no anchors": replace(FULL, forbid=frozenset(["anchor"])),
    "full, no shorthands": replace(FULL, regex="subset", forbid=frozenset(["shorthand", "dot", "lazy"])),
    "plain": replace(FULL, regex="plain"),
    "plain, no anchors": replace(FULL, regex="plain", forbid=frozenset(["anchor", "lookahead"])),
    "python": Strings(regex="python"),
    "python, full": replace(FULL, regex="python"),
    "rust": Strings(regex="rust"),
    "rust, full": replace(FULL, regex="rust"),
}  # fmt: skip


def matches(spelled: str, strings: Strings, text: str) -> bool:
    """What an engine of that kind says."""
    if strings.regex == "python":
        compiled = re.compile(spelled)
    elif strings.regex == "plain":  # the same under any reading
        results = {
            re.compile(spelled, flags).fullmatch(text) is not None
            for flags in (0, re.ASCII, re.DOTALL)
        }
        assert len(results) == 1
        return results.pop()
    else:
        dot = r"[\s\S]" if strings.dot_all else r"[^\n]" if strings.regex == "rust" else r"[^\n\r\u2028\u2029]"  # fmt: skip
        if strings.regex == "rust":
            assert not re.search(r"\\[dDwWsS]", spelled.replace(r"[\s\S]", ""))
        compiled = meaning(parse(spelled), dot=dot)
    found = compiled.fullmatch(text) if strings.anchoring == "full" else compiled.search(text)
    return found is not None


@pytest.mark.parametrize("name", SHAPES)
@given(trees(properties=False), TEXTS)
@example(parse("^a|b$"), "a1")
@example(parse("(^$)|(^a)"), "\n")
@example(parse("(^|-)a(-|$)"), "-a-b")
@example(parse("^.$"), "\u2028")
@example(parse(r"^[\W_]$"), "\u00e9")
@example(parse(r"\s$"), "\ufeff")
@example(parse("a$"), "a\n")
@example(parse(r"^\d$"), "\u0665")
@example(parse("x*?"), "")
@example(parse("^[^]$"), "\n")
def test_a_spelling_accepts_the_same_strings(name, tree, text):
    strings, pattern = SHAPES[name], write(tree)
    spelled = spell(pattern, strings)
    if spelled is None:
        return
    expected = meaning(tree).search(text) is not None
    assert matches(spelled, strings, text) == expected
    assert not features(spelled) & refused(strings)
    read = as_search(spelled, strings)
    assert (meaning(parse(read)).search(text) is not None) == expected
    assert spell(read, strings) == spelled


@pytest.mark.parametrize("name", SHAPES)
@given(trees(looks=False))
def test_what_a_row_takes_is_spelled(name, tree):
    """Only anchors inside, classes of nothing and refused features are given up on."""
    strings = SHAPES[name]
    inner = [n for n in parts_of(tree) if isinstance(n, (Start, End))]
    edges = strings.anchoring == "full" and inner
    nothing = any([n == Set(()) or (isinstance(n, Set) and n.negated) for n in parts_of(tree)])
    mixed = any([isinstance(n, Set) and any([isinstance(m, Property) for m in n.members]) for n in parts_of(tree)])  # fmt: skip
    used = features(write(tree)) & (strings.forbid | {"unicode-property"}) - {"lazy", "dot", "shorthand", "non-capturing-group"}  # fmt: skip
    if spell(write(tree), strings) is None:
        assert edges or nothing or mixed or used or tree == Alt((Seq(),))


@given(trees(properties=False, looks=False))
@example(parse("(^|-)a(-|$)"))
@example(parse("(^a)+"))
def test_anchors_are_given_up_on_where_facts_find_them_inside(tree):
    used = features(write(tree))
    assert (spell(write(tree), FULL) is None) == ("inner-anchor" in used)


@given(trees(), TEXTS)
def test_what_rust_reads_is_written_for_ecma_262(tree, text):
    pattern = write(tree)
    read = as_search(pattern, Strings(regex="rust"))
    assert read == pattern or not reads_as_written(Strings(regex="rust"))
    assert as_search(pattern, Strings()) == pattern
    if not features(pattern) & {"empty-class", "shorthand", "dot"}:
        assert parse(read) == tree


@pytest.mark.parametrize(
    ("pattern", "language", "text", "found"),
    [
        (r"^\d$", "rust", "\u0665", True),
        (r"^\w$", "rust", "\u00e9", True),
        (r"^[\D\W]$", "rust", "\u00e9", True),
        (r"^\s$", "rust", "\x85", True),
        (r"^\s$", "rust", "\ufeff", False),
        ("^.$", "rust", "\u2028", True),
        ("^a$", "rust", "a\n", False),
        ("^a$", "python", "a\n", True),
        (r"^a$(?!\n)", "python", "a\n", False),
        (r"^\s$", "python", "\x1c", True),
        (r"^[^\w]$", "python", "\u00e9", False),
        (r"^[\d\D]$", "python", "\n", True),
    ],
)
def test_what_other_languages_read(pattern, language, text, found):
    assert ecma(as_search(pattern, Strings(regex=language)))(text) is found


# Real patterns


def real_patterns() -> set[str]:
    found: set[str] = set()
    for name in ("ci_sample", "jsonschemabench", "schemastore", "mcp_tools"):
        todo: list[object] = list(records_of(name))
        while todo:
            at = todo.pop()
            if isinstance(at, dict):
                found.update([p for p in (at.get("pattern"),) if isinstance(p, str)])
                keys = at.get("patternProperties")
                found.update(keys if isinstance(keys, dict) else ())
                todo += at.values()
            elif isinstance(at, list):
                todo += at
    return found


@pytest.mark.corpus
def test_real_patterns_parse_or_are_no_patterns():
    rows = {dialect(name).strings for name in dialects()} | set(SHAPES.values())
    patterns = sorted(real_patterns())
    assert len(patterns) > 1000
    refused_ones = [p for p in patterns if features(p) & {"invalid", "too-large"}]
    assert len(refused_ones) < len(patterns) / 200
    for pattern in patterns:
        assert features(pattern) <= FEATURES
        if pattern in refused_ones:
            continue
        assert parse(write(parse(pattern))) == parse(pattern)
    for pattern in patterns[::7]:
        for strings in rows:
            spelled = spell(pattern, strings)
            if spelled is not None:
                assert not features(spelled) & refused(strings)
                assert spell(as_search(spelled, strings), strings) == spelled
