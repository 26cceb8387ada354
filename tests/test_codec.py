"""Each step maps both ways, and says where and why when it cannot."""

from __future__ import annotations

from typing import Any

import pytest

from wireshape import relate
from wireshape.codec import Codec, Misfit, Overrun, busy, doubtful, idle
from wireshape.codec.misfit import MOST
from wireshape.predicates import WrittenPredicates
from wireshape.step import Step

TEXT: Step = ("json", False)
MAP: Step = ("pairs", (), None, False)


def codec(step: Step, *arms: dict[str, Any], **steps: Step) -> Codec:
    return Codec(
        step,
        steps,
        WrittenPredicates({"arms": list(arms)}),
    )


def decode(step: Step, wire: Any, *arms: dict[str, Any], **steps: Step) -> Any:
    run = codec(step, *arms, **steps).decode
    assert run is not None
    return run(wire)


def encode(step: Step, value: Any, *arms: dict[str, Any], **steps: Step) -> Any:
    run = codec(step, *arms, **steps).encode
    assert run is not None
    return run(value)


def refused(verb: Any, step: Step, value: Any, *arms: dict[str, Any], **steps: Step) -> Any:
    """The code and the path, outermost key first, of the error."""
    with pytest.raises(Misfit) as caught:
        verb(step, value, *arms, **steps)
    return caught.value.code, *reversed(caught.value.path)


def field(mode: str, step: Step = None, wire_key: str = "a", key: str = "a") -> Step:
    return ("object", ((wire_key, key, step, mode),), None, None)


BOTH_WAYS: list[tuple[str, Step, Any, Any]] = [
    # name, step, wire, conceptual
    ("keep", field("keep", TEXT), {"a": "[1]", "b": 2}, {"a": [1], "b": 2}),
    ("keep_absent", field("keep", TEXT), {"b": 2}, {"b": 2}),
    ("renamed", field("keep", None, "a_b", "a b"), {"a_b": 1, "c": 2}, {"a b": 1, "c": 2}),
    ("renamed_deep", field("keep", TEXT, "a_b", "a b"), {"a_b": "1"}, {"a b": 1}),
    ("null_absent", field("null"), {"a": None, "b": 1}, {"b": 1}),
    ("null_given", field("null"), {"a": 3}, {"a": 3}),
    ("null_deep_absent", field("null", TEXT), {"a": None}, {}),
    ("null_deep_given", field("null", TEXT), {"a": "{}"}, {"a": {}}),
    ("null_renamed", field("null", None, "w", "k"), {"w": None}, {}),
    ("null_renamed_given", field("null", None, "w", "k"), {"w": 1}, {"k": 1}),
    ("box_absent", field("box"), {"a": None}, {}),
    ("box_null", field("box"), {"a": {"value": None}}, {"a": None}),
    ("box_given", field("box", TEXT), {"a": {"value": "[null]"}}, {"a": [None]}),
    ("fill_given", field("fill", TEXT), {"a": "1"}, {"a": 1}),
    (
        "extras",
        ("object", (), ("more", ("pairs", (), TEXT, False), ("a",)), None),
        {"a": 1, "more": [{"key": "x", "value": "2"}]},
        {"a": 1, "x": 2},
    ),
    (
        "extras_beside_a_renamed_field",
        ("object", (("a_", "a!", None, "keep"),), ("more", MAP, ("a!",)), None),
        {"a_": 1, "more": [{"key": "z", "value": 2}]},
        {"a!": 1, "z": 2},
    ),
    (
        "extras_may_be_called_as_their_key",
        ("object", (), ("extras", MAP, ("a",)), None),
        {"a": 1, "extras": [{"key": "extras", "value": 2}]},
        {"a": 1, "extras": 2},
    ),
    (
        "others",
        ("object", (), None, (("a",), (("^x", TEXT), ("^y", None)), ("list", TEXT))),
        {"a": "1", "x": "1", "y": "1", "z": ["1"]},
        {"a": "1", "x": 1, "y": "1", "z": [1]},
    ),
    ("list", ("list", TEXT), ["1", "[]"], [1, []]),
    (
        "what_was_decoded_is_not_decoded_again",
        field("keep", ("pairs", (), TEXT, False)),
        {"a": [{"key": "k", "value": '"[1]"'}]},
        {"a": {"k": "[1]"}},
    ),
    ("tuple", ("tuple", (None, TEXT), None), ["1", "1", "1"], ["1", 1, "1"]),
    ("tuple_rest", ("tuple", (None,), TEXT), ["1", "1"], ["1", 1]),
    ("tuple_short", ("tuple", (None, TEXT), None), ["1"], ["1"]),
    (
        "numbered",
        ("numbered", ((None, False), (TEXT, False)), False, None, False),
        {"0": "1", "1": "1"},
        ["1", 1],
    ),
    (
        "numbered_short",
        ("numbered", ((None, False), (None, True)), False, None, True),
        {"0": 1, "1": None},
        [1],
    ),
    (
        "numbered_left_out",
        ("numbered", ((None, False), (None, True)), False, None, False),
        {"0": 1},
        [1],
    ),
    (
        "numbered_null_where_null_is_a_value",
        ("numbered", ((None, False), (None, True)), False, None, False),
        {"0": None, "1": None},
        [None, None],
    ),
    (
        "numbered_rest",
        ("numbered", ((None, False),), True, ("list", TEXT), False),
        {"0": 1, "rest": ["1", "2"]},
        [1, 1, 2],
    ),
    (
        "numbered_plain_rest",
        ("numbered", ((None, False),), True, None, False),
        {"0": 1, "rest": [2, 3]},
        [1, 2, 3],
    ),
    ("numbered_no_rest", ("numbered", ((None, False),), True, None, False), {"0": 1, "rest": []}, [1]),
    ("pairs", ("pairs", (), TEXT, False), [{"key": "a", "value": "1"}], {"a": 1}),
    ("pairs_empty", MAP, [], {}),
    ("entries", ("pairs", (), TEXT, True), {"entries": [{"key": "a", "value": "1"}]}, {"a": 1}),
    (
        "pairs_by_rule",
        ("pairs", (("^x", TEXT), ("1$", ("list", TEXT))), None, False),
        [{"key": "x1", "value": "1"}, {"key": "a1", "value": ["2"]}, {"key": "b", "value": "3"}],
        {"x1": 1, "a1": [2], "b": "3"},
    ),
    ("enum", ("enum", (("one", 1), ("map", {"a": [1]}))), "map", {"a": [1]}),
    ("enum_string", ("enum", (("1_", 1), ("1", "1"))), "1", "1"),
    ("json", TEXT, '{"a":[1,null]}', {"a": [1, None]}),
    ("json_string", ("json", True), '"1"', "1"),
    ("wrap", ("wrap", "value", TEXT, False), {"value": "1"}, 1),
    ("wrap_plain", ("wrap", "value", None, False), {"value": [1]}, [1]),
]  # fmt: skip


@pytest.mark.parametrize(("step", "wire", "value"), [c[1:] for c in BOTH_WAYS], ids=[c[0] for c in BOTH_WAYS])  # fmt: skip
def test_both_ways(step: Step, wire: Any, value: Any) -> None:
    before = repr((wire, value))
    assert decode(step, wire) == value
    assert encode(step, value) == wire
    assert repr((wire, value)) == before, "an argument was changed"


def test_what_fill_sends() -> None:
    step = field("fill", TEXT)
    assert encode(step, {}) == {"a": None}
    assert encode(step, {"a": None}) == {"a": "null"}
    assert decode(step, {"a": "null"}) == {"a": None}
    assert codec(field("fill")).decode is None, "null stays null, so that nothing is to be done"


@pytest.mark.parametrize(
    ("step", "value"),
    [
        (field("null"), [1]),
        (("object", (), ("more", MAP, ()), None), "x"),
        (("list", TEXT), {"a": "1"}),
        (("tuple", (TEXT,), None), "1"),
        (("numbered", ((TEXT, False),), False, None, False), 3),
        (("pairs", (), TEXT, False), "x"),
        (("enum", (("one", 1),)), "two"),
    ],
    ids=["object", "extras", "list", "tuple", "numbered", "pairs", "enum"],
)
def test_a_value_of_another_type_passes(step: Step, value: Any) -> None:
    assert decode(step, value) is value
    assert encode(step, value) is value


@pytest.mark.parametrize(
    ("step", "value"),
    [
        (field("box"), {"a": 3}),
        (field("box"), {"a": {"value": 1, "b": 2}}),
        (("object", (), ("more", MAP, ()), None), {"more": 1}),
        (("object", (), ("more", MAP, ()), None), {"b": 1}),
        (("numbered", ((None, False),), False, None, False), {"0": 1, "x": 2}),
        (("numbered", ((None, False),), False, None, False), [1]),
        (("numbered", ((None, False),), True, None, False), {"0": 1, "rest": 3}),
        (("pairs", (), None, True), {"entries": 1}),
        (("pairs", (), None, True), {"a": []}),
        (("pairs", (), None, True), [{"key": "a", "value": 1}]),
        (("pairs", (), TEXT, True), {"entries": [], "x": 1}),
        (("json", False), 7),
        (("json", True), "no JSON"),
        (("json", True), "[1, NaN]"),
        (("json", True), '{"a": 1, "a": 2}'),
        (("enum", (("one", 1),)), {"x": 1}),
        (("wrap", "value", None, False), {"value": 1, "b": 2}),
        (("wrap", "value", TEXT, False), 1),
    ],
    ids=repr,
)
def test_decode_leaves_what_is_conceptual_already(step: Step, value: Any) -> None:
    assert decode(step, value) == value


def test_a_map_in_conceptual_shape_is_decoded_inside() -> None:
    step: Step = ("pairs", (("^x", None),), TEXT, False)
    assert decode(step, {"a": "1", "x": "1"}) == {"a": 1, "x": "1"}
    assert refused(decode, step, {"a": "-"}) == ("WS614", "a")


def test_a_decoded_constant_is_the_caller_s_own() -> None:
    table = {"a": [1]}
    step: Step = ("enum", (("map", table), ("list", [1])))
    decode(step, "map")["a"].append(2)
    decode(step, "list").append(2)
    assert table == {"a": [1]}
    assert decode(step, "list") == [1]


@pytest.mark.parametrize("value", [1, 1.0])
def test_a_constant_is_found_whatever_its_spelling(value: Any) -> None:
    step: Step = ("enum", (("one", {"a": 1, "b": [2.0]}), ("n", 1)))
    assert encode(step, value) == "n"
    assert encode(step, {"b": [2], "a": value}) == "one"
    assert encode(step, True) is True
    odd = {"a": object()}
    assert encode(step, odd) is odd


ENTRIES: Step = ("entries", "o", (("a", None), ("b", TEXT)), field("keep", TEXT, "c", "c"))


def test_entries() -> None:
    value = {"b": [1], "c": 2, "a": None}
    wire = {"c": "2", "o": [{"field": "a", "value": None}, {"field": "b", "value": "[1]"}]}
    assert encode(ENTRIES, value) == wire
    assert list(encode(ENTRIES, value)) == ["c", "o"]
    assert decode(ENTRIES, wire) == value
    assert decode(ENTRIES, value) == value, "what is in place already stays there"
    assert decode(ENTRIES, {"o": {}, "c": "1"}) == {"o": {}, "c": 1}
    for foreign in ([], 1, None):
        assert decode(ENTRIES, foreign) is foreign
        assert encode(ENTRIES, foreign) is foreign


REFUSED: list[tuple[str, Any, Step, Any, tuple[Any, ...]]] = [
    ("duplicate_pair", decode, MAP, [{"key": "a", "value": 1}, {"key": "a", "value": 1}], ("WS612", 1)),
    ("pair_without_value", decode, MAP, [{"key": "a"}], ("WS611", 0)),
    ("pair_with_more", decode, MAP, [{"key": "a", "value": 1, "x": 2}], ("WS611", 0)),
    ("pair_with_more_of_texts", decode, ("pairs", (), TEXT, False), [{"key": "a", "value": "1", "x": 2}], ("WS611", 0)),
    ("pair_with_more_by_rule", decode, ("pairs", (("^a", TEXT),), None, False), [{"key": "a", "value": "1", "x": 2}], ("WS611", 0)),
    ("duplicate_pair_of_texts", decode, ("pairs", (), TEXT, False), [{"key": "a", "value": "1"}, {"key": "a", "value": "1"}], ("WS612", 1)),
    ("pair_without_value_of_texts", decode, ("pairs", (), TEXT, False), [{"key": "b", "value": "1"}, {"key": "a", "x": 1}], ("WS611", 1)),
    ("no_pair_of_texts", decode, ("pairs", (), TEXT, False), [{"key": "a", "value": "1"}, 3], ("WS611", 1)),
    ("pair_of_a_number", decode, MAP, [{"key": 1, "value": 1}], ("WS611", 0)),
    ("no_pair", decode, MAP, [{"key": "a", "value": 1}, 3], ("WS611", 1)),
    ("extras_repeat_a_field", decode, ("object", (), ("more", MAP, ("a",)), None), {"a": 1, "more": [{"key": "a", "value": 1}]}, ("WS612", "more")),
    ("extras_name_an_absent_field", decode, ("object", (), ("more", MAP, ("a",)), None), {"more": [{"key": "a", "value": 1}]}, ("WS612", "more")),
    ("extras_twice", decode, ("object", (), ("more", MAP, ()), None), {"more": [{"key": "a", "value": 1}, {"key": "a", "value": 1}]}, ("WS612", "more", 1)),
    ("entry_twice", decode, ENTRIES, {"o": [{"field": "a", "value": 1}, {"field": "a", "value": 1}]}, ("WS617", "o", 1, "field")),
    ("entry_of_a_field_in_place", decode, ENTRIES, {"a": 1, "o": [{"field": "a", "value": 1}]}, ("WS617", "o", 0, "field")),
    ("entry_of_no_field", decode, ENTRIES, {"o": [{"field": "x", "value": 1}]}, ("WS616", "o", 0)),
    ("entry_of_a_list", decode, ENTRIES, {"o": [{"field": ["a"], "value": 1}]}, ("WS616", "o", 0)),
    ("entry_with_more", decode, ENTRIES, {"o": [{"field": "a", "value": 1, "x": 2}]}, ("WS616", "o", 0)),
    ("no_entry", decode, ENTRIES, {"o": [3]}, ("WS616", "o", 0)),
    ("in_an_entry_of_a_field", decode, ENTRIES, {"o": [{"field": "b", "value": "{"}]}, ("WS614", "o", 0, "value")),
    ("in_the_place_of_an_entry", decode, ENTRIES, {"b": "{"}, ("WS614", "b")),
    ("beside_entries", decode, ENTRIES, {"c": "{"}, ("WS614", "c")),
    ("the_name_of_the_entries", encode, ENTRIES, {"o": 1}, ("WS623", "o")),
    ("nan_in_an_entry", encode, ENTRIES, {"b": float("nan")}, ("WS620", "b")),
    ("hole", decode, ("numbered", ((None, True), (None, True)), False, None, True), {"0": None, "1": 2}, ("WS613", "0")),
    ("hole_left_out", decode, ("numbered", ((None, True), (None, True)), False, None, False), {"1": 2}, ("WS613",)),
    ("hole_before_the_rest", decode, ("numbered", ((None, True),), True, None, True), {"0": None, "rest": [1]}, ("WS613", "0")),
    ("both_names_of_a_key", decode, field("keep", None, "a_b", "a b"), {"a_b": 1, "a b": 2}, ("WS612", "a b")),
    ("nan_in_a_rest_of_another_shape", encode, ("numbered", (), True, TEXT, False), [float("nan")], ("WS620",)),
    ("no_json", decode, TEXT, "{", ("WS614",)),
    ("nan_in_json", decode, TEXT, "NaN", ("WS614",)),
    ("duplicate_key_in_json", decode, TEXT, '{"a": 1, "a": 1}', ("WS614",)),
    ("in_a_list", decode, ("list", ("list", TEXT)), [["1"], ["1", "{"]], ("WS614", 1, 1)),
    ("in_a_tuple", decode, ("tuple", (None, TEXT), None), [1, "{"], ("WS614", 1)),
    ("in_a_position", decode, ("numbered", ((TEXT, False),), False, None, False), {"0": "{"}, ("WS614", "0")),
    ("in_the_rest", decode, ("numbered", (), True, ("list", TEXT), False), {"rest": ["{"]}, ("WS614", "rest", 0)),
    ("in_a_pair", decode, ("pairs", (), TEXT, False), [{"key": "a", "value": "{"}], ("WS614", 0, "value")),
    ("in_an_entry", decode, ("pairs", (), TEXT, True), {"entries": [{"key": "a", "value": "{"}]}, ("WS614", "entries", 0, "value")),

    ("in_a_box", decode, field("box", TEXT), {"a": {"value": "{"}}, ("WS614", "a", "value")),
    ("in_a_wrapper", decode, ("wrap", "value", TEXT, False), {"value": "{"}, ("WS614", "value")),
    ("in_a_field", decode, field("keep", field("null", TEXT)), {"a": {"a": "{"}}, ("WS614", "a", "a")),
    ("among_others", decode, ("object", (), None, ((), (), TEXT)), {"b": "{"}, ("WS614", "b")),
    ("too_long", encode, ("numbered", ((None, False),), False, None, False), [1, 2], ("WS621",)),
    ("no_json_value", encode, ("list", TEXT), [1, [{1, 2}]], ("WS620", 1)),
    ("nan", encode, field("box", TEXT), {"a": float("nan")}, ("WS620", "a")),
    ("nan_under_a_new_name", encode, field("keep", TEXT, "w", "k"), {"k": float("nan")}, ("WS620", "k")),
    ("nan_in_a_map", encode, ("pairs", (), TEXT, False), {"x": float("nan")}, ("WS620", "x")),
    ("nan_among_others", encode, ("object", (), None, ((), (), TEXT)), {"b": float("nan")}, ("WS620", "b")),
    ("null_that_would_be_absent", encode, field("keep", field("null")), {"a": {"a": None}}, ("WS625", "a", "a")),
    ("a_key_that_is_a_new_name", encode, field("keep", None, "a_b", "a b"), {"a b": 1, "a_b": 2}, ("WS624", "a_b")),
    ("nan_in_the_rest", encode, ("numbered", ((None, False),), True, ("list", TEXT), False), [1, 2, float("nan")], ("WS620", 2)),
    ("pairs_that_are_no_map", encode, ("pairs", (), None, False), [], ("WS623",)),
    ("numbers_that_are_no_tuple", encode, ("numbered", ((None, False),), False, None, False), {"0": 1}, ("WS623",)),
    ("nan_in_a_position", encode, ("numbered", ((TEXT, False),), False, None, False), [float("nan")], ("WS620", 0)),
]  # fmt: skip


@pytest.mark.parametrize(("verb", "step", "value", "where"), [c[1:] for c in REFUSED], ids=[c[0] for c in REFUSED])  # fmt: skip
def test_refused(verb: Any, step: Step, value: Any, where: tuple[Any, ...]) -> None:
    assert refused(verb, step, value) == where


# Unions: (wire types, source types, tag, step, predicate).
NUMBER, STRING, ARRAY, OBJECT = relate.NUMBER, relate.STRING, relate.ARRAY, relate.OBJECT


def arm(wire: Any, source: Any = None) -> dict[str, Any]:
    return {"wire": wire, "source": wire if source is None else source}


def test_an_arm_by_its_type() -> None:
    step: Step = (
        "union",
        ((ARRAY, OBJECT, None, MAP, -1), (STRING, ARRAY, None, TEXT, -1), (NUMBER, NUMBER, None, None, -1)),
        None,
        None,
    )  # fmt: skip
    for wire, value in (([{"key": "a", "value": 1}], {"a": 1}), ("[1]", [1]), (3, 3), (2.5, 2.5)):
        assert decode(step, wire) == value
        assert encode(step, value) == wire
    assert decode(step, None) is None
    assert decode(step, True) is True
    assert refused(encode, step, None) == ("WS622",)
    assert refused(decode, step, [1]) == ("WS611", 0)


def test_an_arm_by_its_tag() -> None:
    step: Step = (
        "union",
        ((OBJECT, OBJECT, "map", MAP, 0), (OBJECT, ARRAY, "list", None, 1), (OBJECT, OBJECT, None, None, 2)),
        None,
        None,
    )  # fmt: skip
    number = {"type": "integer"}
    arms = (
        arm({"required": ["arm"]}, {"type": "object", "additionalProperties": number}),
        arm({"required": ["arm"]}, {"type": "array"}),
        arm({"required": ["x"]}),
    )
    tagged = {"arm": "map", "value": [{"key": "a", "value": 1}]}
    assert decode(step, tagged, *arms) == {"a": 1}
    assert encode(step, {"a": 1}, *arms) == tagged
    assert decode(step, {"arm": "list", "value": [1]}, *arms) == [1]
    assert encode(step, [1], *arms) == {"arm": "list", "value": [1]}
    assert decode(step, {"x": "y"}, *arms) == {"x": "y"}
    assert encode(step, {"x": "y"}, *arms) == {"x": "y"}
    other = {"arm": "made up", "value": 1}
    assert decode(step, other, *arms) == other
    assert refused(decode, step, {"arm": "map", "value": [3]}, *arms) == ("WS611", "value", 0)


def kinds(*steps: Step) -> tuple[Any, ...]:
    return tuple([(OBJECT, OBJECT, None, step, i) for i, step in enumerate(steps)])


def test_an_arm_by_its_discriminator() -> None:
    table = ("k", (("a", 0), ("b", 1)))
    step: Step = ("union", kinds(field("keep", TEXT, "x", "x"), field("null", None, "x", "x")), table, table)  # fmt: skip
    arms = (arm({"required": ["k", "x"]}), arm({"required": ["k"]}))
    assert decode(step, {"k": "a", "x": "1"}, *arms) == {"k": "a", "x": 1}
    assert encode(step, {"k": "a", "x": 1}, *arms) == {"k": "a", "x": "1"}
    assert decode(step, {"k": "b", "x": None}, *arms) == {"k": "b"}
    assert encode(step, {"k": "b"}, *arms) == {"k": "b", "x": None}
    # An unknown constant is left to trial.
    assert decode(step, {"k": "c", "x": "1"}, *arms) == {"k": "c", "x": 1}
    assert decode(step, {"k": ["a"], "x": None}, arm(False), arms[1]) == {"k": ["a"]}
    assert encode(step, {"k": ["a"]}, arm(False), arms[1]) == {"k": ["a"], "x": None}
    assert refused(decode, step, {"k": "a", "x": "{"}, *arms) == ("WS614", "x")


def test_the_only_arm_for_a_value_must_spell_it() -> None:
    table = ("k", (("a", 0), ("b", 1)))
    step: Step = ("union", kinds(None, field("null", None, "x", "x")), table, table)
    arms = (arm({"properties": {"y": False}}), arm(True))
    assert encode(step, {"k": "a"}, *arms) == {"k": "a"}
    assert refused(encode, step, {"k": "a", "y": 1}, *arms) == ("WS622",)
    # An arm whose JSON types no other arm has is not asked: only its type counts.
    alone: Step = ("union", ((STRING, OBJECT, None, TEXT, 0), (NUMBER, NUMBER, None, None, 1)), None, None)  # fmt: skip
    assert encode(alone, {}, arm(False), arm(False)) == "{}"
    wrong: Step = ("union", ((ARRAY, OBJECT, None, TEXT, 0), (NUMBER, NUMBER, None, None, 1)), None, None)  # fmt: skip
    assert refused(encode, wrong, {}, arm(True), arm(True)) == ("WS622",)


def test_an_identity_arm_by_its_discriminator() -> None:
    table = ("k", (("a", 0), ("b", 1)))
    step: Step = ("union", kinds(None, field("null", None, "x", "x")), table, table)
    wire = {"k": "a", "x": None}
    assert decode(step, wire, arm(True), arm(True)) is wire
    assert encode(step, wire, arm(True), arm(True)) is wire


def test_an_arm_by_trial() -> None:
    step: Step = ("union", kinds(field("null", None, "x", "x"), None, field("keep", TEXT, "z", "z")), None, None)  # fmt: skip
    arms = (
        arm({"required": ["x"]}, {"not": {"required": ["y"]}}),
        arm({"required": ["y"]}),
        arm({"required": ["z"]}, {"properties": {"z": {"type": "integer"}}, "required": ["z"]}),
    )
    assert decode(step, {"x": None}, *arms) == {}
    assert encode(step, {}, *arms) == {"x": None}
    assert decode(step, {"y": 1}, *arms) == {"y": 1}
    assert encode(step, {"y": 1}, *arms) == {"y": 1}
    assert decode(step, {"z": "3"}, *arms) == {"z": 3}
    # The first arm takes the value but what it encodes to is no wire value: the next one is tried.
    sealed = {"wire": {"required": ["x"], "properties": {"z": False}}, "source": True}
    assert encode(step, {"z": 3}, sealed, arms[1], arms[2]) == {"z": "3"}
    # Conceptual shape that is no wire value passes; what is neither is refused.
    assert decode(step, {"q": 1}, *arms) == {"q": 1}
    closed = tuple([arm({"required": [key]}) for key in "xyz"])
    assert refused(decode, step, {"q": 1}, *closed) == ("WS615",)


def test_arms_that_decode_alike_are_not_tried() -> None:
    step: Step = ("union", kinds(TEXT, TEXT), None, None)
    no = arm(False)
    wire = {"a": 1}
    assert decode(step, wire, no, no) is wire


def test_the_arm_that_a_value_takes_when_none_is_valid() -> None:
    step: Step = ("union", kinds(TEXT, field("null", None, "x", "x")), None, None)
    arms = (arm({"type": "string", "maxLength": 2}, False), arm({"required": ["x"]}, False))
    assert encode(step, {"y": 1}, *arms) == {"y": 1, "x": None}, (
        "the first whose result is wire-valid"
    )
    nowhere = (arm(False), arm(False))
    assert refused(encode, step, {"y": 1}, *nowhere) == ("WS622",)
    misfits: Step = ("union", kinds(TEXT, field("null", None, "x", "x")), None, None)
    odd = {"y": {1}}
    both = (arm(True, False), arm(False, {"required": ["never"]}))
    assert refused(encode, misfits, odd, *both) == ("WS622",)


def test_the_first_reason_is_told_when_no_arm_can_spell_a_value() -> None:
    short: Step = ("numbered", (), False, None, False)
    step: Step = ("union", ((OBJECT, ARRAY, None, short, 0), (OBJECT, ARRAY, None, TEXT, 1)), None, None)  # fmt: skip
    arms = (arm(True), arm(False, True))
    assert refused(encode, step, [1], *arms) == ("WS621",)
    two: Step = ("union", ((OBJECT, ARRAY, None, short, 0), (OBJECT, ARRAY, None, ("list", short), 1)), None, None)  # fmt: skip
    assert refused(encode, two, [[1]], *arms) == ("WS621",), "not that of the item, at 0"
    assert refused(encode, step, [1], arm(False, False), arms[1]) == ("WS622",)


TREE: Step = ("object", (("kids", "kids", ("list", ("ref", "T")), "null"), ("v", "v", TEXT, "keep")), None, None)  # fmt: skip


def test_recursion() -> None:
    wire = {"v": "1", "kids": [{"v": "[2]", "kids": None}]}
    value = {"v": 1, "kids": [{"v": [2]}]}
    assert decode(("ref", "T"), wire, T=TREE) == value
    assert encode(("ref", "T"), value, T=TREE) == {**wire, "kids": [{"v": "[2]", "kids": None}]}
    deep = {"v": "1", "kids": [{"v": "{", "kids": None}]}
    assert refused(decode, ("ref", "T"), deep, T=TREE) == ("WS614", "kids", 0, "v")


def test_mutual_recursion_and_a_definition_without_work() -> None:
    a: Step = ("object", (("b", "b", ("ref", "B"), "keep"), ("n", "n", ("ref", "N"), "keep")), None, None)  # fmt: skip
    b: Step = ("object", (("a", "a", ("ref", "A"), "null"),), None, None)
    wire = {"b": {"a": {"b": {"a": None}, "n": "x"}}}
    steps: dict[str, Step] = {"A": a, "B": b, "N": ("list", ("ref", "N"))}
    assert decode(("ref", "A"), wire, **steps) == {"b": {"a": {"b": {}, "n": "x"}}}


@pytest.mark.parametrize("closed", [False, True], ids=["chain", "ring"])
def test_a_thousand_definitions_are_built_without_recursion(closed: bool) -> None:
    size = 3000
    names = [f"d{i}" for i in range(size)]
    steps: dict[str, Step] = {
        name: field("null", ("ref", names[(i + 1) % size])) for i, name in enumerate(names)
    }
    if not closed:
        steps[names[-1]] = TEXT
    for start in ("d0", names[-3]):
        assert decode(("ref", start), {"a": {"a": None}}, **steps) == {"a": {}}
        assert encode(("ref", start), {"a": {}}, **steps) == {"a": {"a": None}}
    assert refused(decode, ("ref", names[-2]), {"a": "{"}, **{**steps, names[-1]: TEXT}) == (
        "WS614",
        "a",
    )


def test_a_name_that_no_definition_has_does_nothing() -> None:
    assert codec(("list", ("ref", "made up")), A=("ref", "made up")).decode is None


@pytest.mark.parametrize(
    ("step", "steps", "decoding", "encoding"),
    [
        (None, {}, True, True),
        (("list", None), {}, True, True),
        (("tuple", (None, ("ref", "X")), None), {"X": None}, True, True),
        (("ref", "X"), {"X": ("list", ("ref", "X"))}, True, True),
        (("ref", "X"), {"X": ("list", ("ref", "Y")), "Y": TEXT}, False, False),
        (("ref", "X"), {"X": ("ref", "Y"), "Y": ("ref", "X")}, True, True),
        (("ref", "X"), {"Y": field("fill"), "X": ("list", ("ref", "Y"))}, True, False),
        (field("fill"), {}, True, False),
        (field("keep"), {}, True, True),
        (field("null"), {}, False, False),
        (field("keep", None, "a", "b"), {}, False, False),
        (("object", (), ("extras", MAP, ()), None), {}, False, False),
        (("object", (), None, ((), (), None)), {}, True, True),
        (("object", (), None, ((), (("x", TEXT),), None)), {}, False, False),
        (("union", ((1, 1, None, None, -1),), None, None), {}, True, True),
        (("union", ((1, 1, "x", None, -1),), None, None), {}, False, False),
    ],
    ids=repr,
)
def test_the_identity_is_known(
    step: Step, steps: dict[str, Step], decoding: bool, encoding: bool
) -> None:
    for way, expected in ((True, decoding), (False, encoding)):
        assert idle(step, busy(steps, decoding=way), decoding=way) is expected
    built = codec(step, **steps)
    assert ((built.decode is None), (built.encode is None)) == (decoding, encoding)


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        (("json", True), True),
        (TEXT, False),  # where no string is conceptual, one is text
        (("list", field("box")), True),
        (field("null"), False),
        (("wrap", "value", None, True), True),
        (("wrap", "value", None, False), False),
        (("union", ((1, 1, "x", None, -1),), None, None), True),
        (("union", ((1, 1, None, None, -1),), None, None), False),
        (("ref", "X"), True),
        (MAP, False),
    ],
    ids=repr,
)
def test_where_the_side_is_in_doubt(step: Step, expected: bool) -> None:
    assert doubtful(step, {"X": ("pairs", (), ("json", True), False)}) is expected


def test_a_list_whose_items_are_only_partly_mapped() -> None:
    assert decode(("list", MAP), [1, [], "x"]) == [1, {}, "x"]
    same = ["x", 1, None]
    assert decode(("list", MAP), same) is same


WIDE: Step = (
    "object",
    (("d", "d", None, "null"), *[(f"f{i}", f"f{i}", TEXT, "keep") for i in range(20)]),
    None,
    None,
)


def test_an_object_of_many_fields_goes_over_the_keys_that_are_there() -> None:
    assert decode(WIDE, {"f3": "[1]", "d": None, "x": None}) == {"f3": [1], "x": None}
    assert encode(WIDE, {"f3": [1], "x": "y"}) == {"f3": "[1]", "x": "y", "d": None}
    assert refused(decode, WIDE, {"f3": "["}) == ("WS614", "f3")


LATE: Step = (
    "union",
    (
        (relate.OBJECT, relate.OBJECT, None, ("ref", "N"), -1),
        (relate.ARRAY, relate.ARRAY, None, ("list", ("ref", "U")), -1),
    ),
    None,
    None,
)
NODE: Step = ("object", (("a", "a", ("ref", "U"), "null"),), None, None)


def test_arms_and_fields_of_definitions_in_the_making() -> None:
    """The table of `N` is empty when that of `U`, which it refers to, is built."""
    steps = {"N": NODE, "U": LATE}
    for start in ("N", "U"):
        step: Step = ("ref", start)
        assert decode(step, {"a": [{"a": None}, {"a": {"a": None}}, 3]}, **steps) == {
            "a": [{}, {"a": {}}, 3]
        }
        assert encode(step, {"a": [{}]}, **steps) == {"a": [{"a": None}]}
    named = {"A": ("ref", "B"), "B": ("list", ("ref", "A")), **steps}
    assert decode(("tuple", (("ref", "A"), ("ref", "N")), None), [[[]], {"a": None}], **named) == [[[]], {}]  # fmt: skip


def test_definitions_under_two_names() -> None:
    steps: dict[str, Step] = {"B": ("object", (("a", "a", ("ref", "A"), "null"),), None, None), "A": ("ref", "B")}  # fmt: skip
    assert decode(("ref", "A"), {"a": {"a": None}}, **steps) == {"a": {}}
    assert codec(("ref", "A"), A=("ref", "B"), B=("ref", "A")).decode is None


def test_integral_and_other_floats_take_their_own_arms() -> None:
    whole: Step = ("enum", (("one", 1),))
    step: Step = (
        "union",
        (
            (relate.STRING, relate.INTEGER, None, whole, -1),
            (relate.FRACTION, relate.FRACTION, None, None, -1),
        ),
        None,
        None,
    )
    assert [encode(step, v) for v in (1, 1.0, 1.5)] == ["one", "one", 1.5]


def test_rules_of_pairs_tell_where_an_error_is() -> None:
    rules: Step = ("pairs", (("^t", TEXT),), None, False)
    wire = [{"key": "x", "value": "["}, {"key": "t", "value": "["}]
    assert refused(decode, rules, wire) == ("WS614", 1, "value")
    many = {f"t{i}": i for i in range(1100)}  # more keys than a step remembers
    assert decode(rules, encode(rules, many)) == many


LARGE: dict[str, tuple[Step, Any]] = {
    "list": (("list", TEXT), ["1"] * (MOST + 1)),
    "list_of_types": (("list", MAP), [{}] * (MOST + 1)),
    "list_of_objects": (("list", field("null")), [{}] * (MOST + 1)),
    "pairs": (("pairs", (), TEXT, False), [{"key": str(i), "value": "1"} for i in range(MOST + 1)]),
    "pairs_by_rule": (
        ("pairs", (("x", TEXT),), None, False),
        [{"key": str(i), "value": "1"} for i in range(MOST + 1)],
    ),
    "map_in_place": (("pairs", (), TEXT, False), dict.fromkeys(map(str, range(MOST + 1)), "1")),
    "others": (
        ("object", (), None, ((), (), TEXT)),
        dict.fromkeys(map(str, range(MOST + 1)), "1"),
    ),
}


@pytest.mark.parametrize("name", LARGE)
def test_who_decodes_very_much_is_stopped_unless_tireless(name: str) -> None:
    step, wire = LARGE[name]
    if step is not None and step[0] == "object":
        step = ("object", (("b", "b", None, "null"),), None, step[3])
    made = codec(step)
    assert made.decode is not None
    with pytest.raises(Overrun):
        made.decode(wire)
    assert made.tireless.decode is not None
    assert len(made.tireless.decode(wire)) == MOST + 1


def test_positions_all_at_once() -> None:
    pair: Step = ("numbered", ((None, False), (TEXT, True)), False, None, True)
    assert decode(pair, {"1": "[1]", "0": 0}) == [0, [1]]
    assert decode(pair, {"0": 0, "1": None}) == [0]
    assert decode(pair, {"0": 0, "x": 1}) == {"0": 0, "x": 1}
    assert refused(decode, pair, {"0": 0, "1": "["}) == ("WS614", "1")


def test_an_object_whose_nulls_are_partly_absent() -> None:
    step: Step = ("object", tuple([(k, k, None, "null") for k in "abc"]), None, None)
    assert decode(step, {"b": None, "x": None, "c": 1}) == {"x": None, "c": 1}


def test_no_pair_among_mapped_ones() -> None:
    step: Step = ("pairs", (), TEXT, False)
    good = {"key": "a", "value": "1"}
    assert refused(decode, step, [good, {"key": "b", "val": "1"}]) == ("WS611", 1)
    assert refused(decode, step, [good, good]) == ("WS612", 1)
    assert refused(decode, MAP, [good, {"key": "b", "val": "1"}]) == ("WS611", 1)
    by_rule: Step = ("pairs", (("x", TEXT),), None, False)
    assert refused(decode, by_rule, [good, {"key": "x", "value": "["}]) == ("WS614", 1, "value")
    assert refused(decode, step, [good, {"key": "b", "value": "["}]) == ("WS614", 1, "value")


def test_a_list_without_an_item_of_the_type_is_the_very_same() -> None:
    wire = [1, 2]
    assert decode(("list", TEXT), wire) is wire
    assert decode(("list", TEXT), [1, "2"]) == [1, 2]
