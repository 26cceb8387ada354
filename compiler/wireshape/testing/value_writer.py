"""Draw one value that a node of the IR should accept; what no kind can say is only aimed at, the gate decides."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, floor
from typing import Any, TypeAlias, assert_never, cast

from hypothesis import strategies as st

from wireshape import ir
from wireshape.testing.equality import items, members, same_json

Draw: TypeAlias = Callable[[st.SearchStrategy[Any]], Any]

_ENDLESS = 1 << 30
_DEPTH = 5
_EXTRA_KEYS = ("x1", "x-y", "zz", "a", "key", "é", "type")
_SAMPLES: Mapping[str, tuple[str, ...]] = {
    "date-time": ("2024-02-29T12:00:00Z", "1999-12-31T23:59:59.25+02:00"),
    "date": ("2024-02-29", "1999-12-31"),
    "time": ("12:00:00Z", "23:59:59.5+01:00"),
    "duration": ("P1D", "PT36H", "P2Y3M"),
    "email": ("ada@example.org", "a.b+c@example.co"),
    "idn-email": ("ada@example.org",),
    "hostname": ("example.org", "a-b.example"),
    "idn-hostname": ("example.org",),
    "ipv4": ("127.0.0.1", "10.0.255.1"),
    "ipv6": ("::1", "2001:db8::7"),
    "uri": ("https://example.org/a?b=c#d", "urn:isbn:0451450523"),
    "uri-reference": ("/a/b", "https://example.org/"),
    "iri": ("https://example.org/é",),
    "iri-reference": ("/é",),
    "uri-template": ("/a/{b}",),
    "uuid": ("123e4567-e89b-12d3-a456-426614174000",),
    "json-pointer": ("", "/a/0"),
    "relative-json-pointer": ("0", "1/a"),
    "regex": ("^a+$", "x|y"),
}


_TEXT = st.text(st.sampled_from('abxyzABZ019 _-/~"é😀'), max_size=5)
_SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 5),
    st.sampled_from([1.5, -0.0, 1e300, 2**70, "1", "null", '"a"', "{}"]),
    _TEXT,
)
_SHAPES: tuple[ir.Json, ...] = (
    *([], {}, [1, "x"], {"a": 1}, {"key": "k", "value": 1}, [{"key": "k", "value": 1}]),
    *({"value": 1}, {"arm": "0", "value": [1]}, {"entries": []}, [[{}]], {"a": {"b": []}}),
)
_ANYTHING = st.one_of(
    _SCALARS,
    st.sampled_from(_SHAPES),
    st.dictionaries(_TEXT, _SCALARS, max_size=2),
    st.lists(_SCALARS, max_size=2),
)
_KEYS = st.one_of(st.sampled_from(_EXTRA_KEYS), _TEXT)
_PERCENT = st.integers(0, 99)


class Dead(Exception):  # noqa: N818  a branch without values, no error
    """No value here; the caller takes another branch."""


@dataclass(slots=True)
class ValueWriter:
    """Draws for one value; `heights` tells for each definition how deep its shallowest value is."""

    draw: Draw
    defs: Mapping[str, ir.Node]
    heights: Mapping[str, int]
    depth: int = 0

    def chance(self, percent: int) -> bool:
        return bool(self.draw(_PERCENT) >= 100 - percent)

    def count(self, least: int, most: int) -> int:
        return int(self.draw(st.integers(least, most)))

    @property
    def tired(self) -> bool:
        return self.depth >= _DEPTH

    def below(self, node: ir.Node) -> ir.Json:
        if self.depth > _DEPTH * 8:
            raise Dead
        self.depth += 1
        try:
            return write(node, self)
        finally:
            self.depth -= 1


def height(node: ir.Node, known: Mapping[str, int]) -> int:
    """Return how many containers the shallowest value of `node` nests, `_ENDLESS` where none is known."""
    if type(node) is ir.Never:
        return _ENDLESS
    if type(node) is ir.Ref:
        return known.get(node.name, _ENDLESS)
    if type(node) is ir.Union:
        return min([height(option, known) for option in node.options])
    if type(node) is ir.Refine:
        return height(node.base, known)
    if type(node) is ir.Object:
        due = [height(f.node, known) for f in node.fields if f.required]
        if node.min_properties > len(due):
            others = [f.node for f in node.fields if not f.required]
            rules = [*others, *[p.node for p in node.patterns], node.extras]
            due.append(min([height(rule, known) for rule in rules]))
        return 1 + max([0, *due])
    if type(node) is ir.List:
        return 1 + (height(node.items, known) if node.min_items else 0)
    if type(node) is ir.Tuple:
        return 1 + max([0, *[height(item, known) for item in node.prefix[: node.min_items]]])
    return 0


def heights(defs: Mapping[str, ir.Node]) -> Mapping[str, int]:
    """Return the height of every definition: the least fixpoint."""
    known: dict[str, int] = {}
    while True:
        again = {name: min(height(node, known), _ENDLESS) for name, node in defs.items()}
        if again == known:
            return known
        known = again


def write(node: ir.Node, w: ValueWriter) -> ir.Json:
    """Draw a value of `node`; raise `Dead` when there is none."""
    if type(node) is ir.Object:
        return _object(node, w)
    if type(node) is ir.String:
        return _string(node, w)
    if type(node) is ir.Ref:
        if w.heights[node.name] >= _ENDLESS:
            raise Dead
        return write(w.defs[node.name], w)
    if type(node) is ir.Number:
        return _number(node, w)
    if type(node) is ir.List:
        return _list(node, w)
    if type(node) is ir.Union:
        return _union(node, w)
    if type(node) is ir.Tuple:
        return _tuple(node, w)
    if type(node) is ir.Refine:
        return _refine(node, w)
    return _leaf(node, w)


def _leaf(node: ir.Literal | ir.Boolean | ir.Null | ir.Any | ir.Never, w: ValueWriter) -> ir.Json:
    if type(node) is ir.Literal:
        return w.draw(st.sampled_from(node.values))
    if type(node) is ir.Boolean:
        return w.draw(st.booleans())
    if type(node) is ir.Null:
        return None
    if type(node) is ir.Any:
        return w.draw(_SCALARS if w.tired else _ANYTHING)
    if type(node) is ir.Never:
        raise Dead
    assert_never(node)


def _number(node: ir.Number, w: ValueWriter) -> ir.Json:
    lows = [b for b in (node.minimum, node.exclusive_minimum) if b is not None]
    highs = [b for b in (node.maximum, node.exclusive_maximum) if b is not None]
    low = max(lows) if lows else (min(highs) - 10 if highs else -5)
    high = min(highs) if highs else low + 10
    step = node.multiple_of
    if step is None and not node.integer and w.chance(40):
        return w.draw(st.floats(float(low), float(high), width=64)) if low <= high else 0
    step = 1 if step is None or (node.integer and step < 1) else step
    first, last = ceil(low / step), floor(high / step)
    if node.exclusive_minimum is not None and first * step <= node.exclusive_minimum:
        first += 1
    if node.exclusive_maximum is not None and last * step >= node.exclusive_maximum:
        last -= 1
    if first > last:
        raise Dead
    value = w.count(first, last) * step
    return float(value) if w.chance(10) else int(value) if float(value).is_integer() else value


def _string(node: ir.String, w: ValueWriter) -> str:
    most = node.max_length if node.max_length is not None else node.min_length + 6
    if node.min_length > most:
        raise Dead
    if samples := [s for name in node.formats for s in _SAMPLES.get(name, ())]:
        return cast("str", w.draw(st.sampled_from(samples)))
    if node.patterns and (strategy := _from_pattern(node.patterns[0])) is not None:
        text = str(w.draw(strategy))
        return text + "x" * (node.min_length - len(text)) if len(text) <= most else text[:most]
    return cast(
        "str",
        w.draw(
            st.text(st.sampled_from("abxyzABZ019 _-é😀"), min_size=node.min_length, max_size=most)
        ),
    )


@lru_cache(maxsize=512)
def _from_pattern(pattern: str) -> st.SearchStrategy[str] | None:
    """Translate what differs between ECMA-262 and Python as far as tests need it; `None` when it does not compile."""
    text = (
        re.sub(r"(?<!\\)\$", r"\\Z", pattern)
        .replace(r"\p{L}", "[A-Za-zé]")
        .replace(r"\p{N}", r"\d")
        .replace("(?<", "(?P<")
    )
    text = text.replace("(?P<=", "(?<=").replace("(?P<!", "(?<!")
    try:
        return st.from_regex(
            re.compile(text, re.ASCII),
            alphabet=st.characters(min_codepoint=32, max_codepoint=233, exclude_characters="\x7f"),
        )
    except (re.error, ValueError, OverflowError):
        return None


def _list(node: ir.List, w: ValueWriter) -> ir.Json:
    most = node.min_items + (0 if w.tired else 2)
    size = w.count(
        node.min_items,
        most if node.max_items is None else max(node.min_items, min(most, node.max_items)),
    )
    if node.min_items > 50:
        raise Dead
    out: list[ir.Json] = []
    for _ in range(size * (3 if node.unique else 1)):
        if len(out) == size:
            break
        try:
            item = w.below(node.items)
        except Dead:
            if node.min_items:
                raise
            return []
        if not (node.unique and any([same_json(item, seen) for seen in out])):
            out.append(item)
    return out


def _tuple(node: ir.Tuple, w: ValueWriter) -> ir.Json:
    most = len(node.prefix) + 2 if node.max_items is None else node.max_items
    size = (
        node.min_items
        if w.tired
        else w.count(node.min_items, max(node.min_items, min(most, node.min_items + 4)))
    )
    out: list[ir.Json] = []
    for index in range(size):
        try:
            out.append(w.below(node.prefix[index] if index < len(node.prefix) else node.rest))
        except Dead:
            if len(out) < node.min_items:
                raise
            break
    return out


def _object(node: ir.Object, w: ValueWriter) -> ir.Json:
    out: dict[str, ir.Json] = {}
    for f in node.fields:
        if not f.required and (w.tired or not w.chance(55)):
            continue
        try:
            out[f.key] = w.below(f.node)
        except Dead:
            if f.required:
                raise
    room = _ENDLESS if node.max_properties is None else node.max_properties - len(out)
    wanted = 0 if w.tired else w.count(0, 2)
    _fill(node, w, out, min(max(wanted, node.min_properties - len(out)), room))
    return out


def _fill(node: ir.Object, w: ValueWriter, out: dict[str, ir.Json], wanted: int) -> None:
    """Add up to `wanted` undeclared keys, each with a value of the rule that binds it."""
    declared = {f.key for f in node.fields}
    for _ in range(max(0, wanted)):
        key, rule = _undeclared(node, w)
        if key in declared or key in out:
            continue
        try:
            out[key] = w.below(rule)
        except Dead:
            continue


def _undeclared(node: ir.Object, w: ValueWriter) -> tuple[str, ir.Node]:
    if node.patterns and w.chance(70):
        pattern = w.draw(st.sampled_from(node.patterns))
        strategy = _from_pattern(pattern.regex)
        key = str(w.draw(strategy)) if strategy is not None else "x"
    elif node.names is not None and w.chance(70):
        try:
            key = str(write(node.names, w))
        except Dead:
            key = ""
    else:
        key = w.draw(_KEYS)
    for pattern in node.patterns:
        if _found(pattern.regex, key):
            return key, pattern.node
    return key, node.extras


def _found(pattern: str, text: str) -> bool:
    try:
        return re.search(pattern, text, re.ASCII) is not None
    except re.error:
        return False


def _union(node: ir.Union, w: ValueWriter) -> ir.Json:
    if w.tired:
        low = min([height(option, w.heights) for option in node.options])
        options = [o for o in node.options if height(o, w.heights) == low]
    else:
        options = list(node.options)
    while options:
        option = w.draw(st.sampled_from(options))
        try:
            return write(option, w)
        except Dead:
            options.remove(option)
    raise Dead


def _refine(node: ir.Refine, w: ValueWriter) -> ir.Json:
    """Draw from the base, then move towards what the assertions ask for."""
    value = write(node.base, w)
    for assertion in node.assertions:
        value = _towards(assertion, value, node.base, w)
    return value


def _towards(assertion: ir.Assertion, value: ir.Json, base: ir.Node, w: ValueWriter) -> ir.Json:
    try:
        if assertion.keyword in {"anyOf", "oneOf", "allOf"} and assertion.nodes:
            arms = (
                assertion.nodes
                if assertion.keyword == "allOf"
                else [w.draw(st.sampled_from(assertion.nodes))]
            )
            for arm in arms:
                value = _joined(value, write(arm, w), base, w)
        elif assertion.keyword == "contains" and isinstance(value, list):
            return [w.below(assertion.nodes[0]), *items(value)]
        elif assertion.keyword == "dependentRequired" and isinstance(value, dict):
            table: Mapping[str, list[str]] = assertion.value
            missing = {
                key: None for trigger, keys in table.items() if trigger in value for key in keys
            }
            return _joined(value, missing, base, w)
    except Dead:
        pass
    return cast("ir.Json", value)


def _joined(value: ir.Json, other: ir.Json, base: ir.Node, w: ValueWriter) -> ir.Json:
    """Give an object the keys of another; where the base declares one, by the base's schema."""
    if not (isinstance(value, dict) and isinstance(other, dict)):
        stays = isinstance(value, dict) or not w.chance(50)
        return cast("ir.Json", value if stays else other)
    mine, theirs = members(value), members(other)
    fields = {f.key: f.node for f in base.fields} if type(base) is ir.Object else {}
    added = {
        k: w.below(fields[k]) if k in fields else v for k, v in theirs.items() if k not in mine
    }
    return mine | added
