"""Places of pointers in JSON text: whatever the layout, the place of a pointer is where its part is written."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wireshape.cli.places import Place, places

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4)
    ),
    max_leaves=20,
)
layouts = st.sampled_from(
    [{"indent": 2}, {"indent": None}, {"separators": (",", ":")}, {"indent": "\t"}]
)


def parts(value, pointer=""):
    yield pointer, value
    if isinstance(value, dict):
        for key, v in value.items():
            yield from parts(v, f"{pointer}/{key.replace('~', '~0').replace('/', '~1')}")
    elif isinstance(value, list):
        for i, v in enumerate(value):
            yield from parts(v, f"{pointer}/{i}")


def offset(text, place):
    lines = text.split("\n")
    return sum([len(line) + 1 for line in lines[: place.line - 1]]) + place.column - 1


@given(values, layouts, st.booleans())
def test_a_place_is_where_the_part_is_written(value, layout, ascii_only):
    text = "\n " + json.dumps(value, ensure_ascii=ascii_only, **layout) + "\n"
    expected = dict(parts(value))
    found = places(text, expected)
    assert list(found) == list(expected)
    decoder = json.JSONDecoder()
    for pointer, part in expected.items():
        written, end = decoder.raw_decode(text, offset(text, found[pointer]))
        parent = expected[pointer.rpartition("/")[0]] if pointer else None
        if isinstance(parent, dict):
            assert written == pointer.rpartition("/")[2].replace("~1", "/").replace("~0", "~")
            colon = text.index(":", end)
            rest = text[colon + 1 :]
            written, _ = decoder.raw_decode(rest.lstrip())
        assert written == part


@given(values, layouts, st.data())
def test_what_is_not_asked_for_changes_nothing(value, layout, data):
    text = json.dumps(value, **layout)
    every = places(text, dict(parts(value)))
    some = data.draw(st.lists(st.sampled_from(sorted(every)), max_size=3))
    assert places(text, some) == {p: every[p] for p in some}


@given(st.lists(values, max_size=4))
def test_json_lines_count_their_documents(documents):
    text = "\n\n".join([json.dumps(d) for d in documents]) + "\n"
    found = places(text, [f"/{i}" for i in range(len(documents))], lines=True)
    assert [p.line for p in found.values()] == [1 + 2 * i for i in range(len(documents))]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_line_end_counts(end):
    text = "{" + end + '"a": [' + end + "  1," + end + "  2]}"
    assert places(text, ["/a/1"]) == {"/a/1": Place(4, 3)}


def test_a_pointer_to_nothing_gets_the_place_of_what_is_there():
    text = '{"a": {"b": "c"},\n "d": []}'
    assert places(text, ["/a/b/x", "/d/3", "/e", "/a/e"]) == {
        "/a/b/x": Place(1, 8),
        "/d/3": Place(2, 2),
        "/e": Place(1, 1),
        "/a/e": Place(1, 2),
    }


def test_depth_is_no_limit():
    text = "[" * 100_000 + "]" * 100_000
    assert places(text, ["/0/0", "/1"]) == {"/0/0": Place(1, 3), "/1": Place(1, 1)}
    assert places(text, ["/0" * 50_000])["/0" * 50_000] == Place(1, 50_001)
