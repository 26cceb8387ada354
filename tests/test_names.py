"""Names: legal, distinct, the same in every process; a legal name is never touched."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wireshape.names import legal_names

PATTERNS = [
    "[a-zA-Z0-9_-]{1,64}",
    "[a-zA-Z_][a-zA-Z0-9_]{0,63}",
    "[a-z]{1,12}",
    "[A-Za-z0-9_.-]{1,128}",
]


@given(st.lists(st.text(max_size=90), max_size=8), st.sampled_from(PATTERNS))
def test_names_are_legal_distinct_and_deterministic(names, pattern):
    legal = legal_names(names, pattern)
    assert len(set(legal)) == len(legal) == len(names)
    assert all(re.fullmatch(pattern, name) for name in legal)
    assert legal == legal_names(names, pattern)
    for name, wire in zip(names, legal, strict=True):
        if re.fullmatch(pattern, name):
            assert wire == name or names.count(name) > 1


def test_truncation_keeps_long_names_apart():
    stem = "srv_" + "x" * 70
    get, delete = legal_names([stem + "_get", stem + "_delete"], PATTERNS[0])
    assert get != delete
    assert get[:50] == delete[:50] == stem[:50]


@pytest.mark.parametrize(
    ("name", "wire"),
    [("find files", "find_files"), ("größe", "grosse"), ("a.b/c", "a_b_c"), ("1st", "t_1st")],
)
def test_names_stay_readable(name, wire):
    assert legal_names([name], PATTERNS[1]) == [wire]


def test_a_rename_leaves_a_legal_name_to_its_owner():
    assert legal_names(["a b", "a_b"], PATTERNS[0])[1] == "a_b"


def test_without_a_pattern_only_repeats_are_renamed():
    first, second = legal_names(["say hi", "say hi"], None)
    assert first == "say hi"
    assert second != first


def test_no_room_is_an_error():
    with pytest.raises(ValueError, match="leaves no room"):
        legal_names(["1", "2", "3"], "[ab]")
