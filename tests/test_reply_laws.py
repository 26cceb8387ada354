"""Whatever is done to the text of a value, what comes back is that value or a rejection, never another value."""

from __future__ import annotations

import html
import json
import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wireshape as ws
from wireshape.reply import strict
from wireshape.testing import broken_stream_laws, same_json

TEXT: Any = {"type": "string"}
SCHEMAS: list[Any] = [
    True,
    {"type": "object"},
    {"type": "array"},
    {
        "type": "object",
        "properties": {"a": TEXT, "b": TEXT, "c": TEXT},
        "additionalProperties": False,
    },
    {
        "type": "object",
        "properties": {
            "a": TEXT,
            "b": {"type": "integer"},
            "c": {"type": "array", "items": TEXT},
        },
        "required": ["a"],
    },
    {"type": "array", "items": TEXT},
    {"type": "object", "additionalProperties": TEXT},
    {
        "type": "array",
        "items": {
            "type": "object",
            "properties": {"a": TEXT, "b": {"type": ["integer", "null"]}},
            "required": ["a", "b"],
        },
    },
    {
        "$ref": "#/$defs/N",
        "$defs": {
            "N": {
                "type": "object",
                "properties": {
                    "a": TEXT,
                    "c": {"type": "array", "items": {"$ref": "#/$defs/N"}},
                    "b": {"anyOf": [TEXT, {"type": "object"}, {"type": "null"}]},
                },
            }
        },
    },
    {
        "type": "object",
        "properties": {"a": TEXT, "b": {"type": "number"}, "c": {"type": "boolean"}},
        "required": ["a", "b", "c"],
        "additionalProperties": False,
    },
    {
        "anyOf": [
            TEXT,
            {"type": "object", "properties": {"a": TEXT}},
            {"type": "array", "items": TEXT},
        ]
    },
]
COMPILED = [
    [ws.compile(schema, d) for d in ("lenient", "openai-strict", "gemini-openapi")]
    for schema in SCHEMAS
]
# Pieces of texts that look like JSON, like marks around JSON, or like comments.
PIECES = [
    *"\"',:{}[]\\\n\t abcz1.-+`#",
    *["true", "null", "None", "it's", "x y", "\u00e9", "\U0001f600", "\u201c", "```", "//", "/*", "*/"],
    *['", "', '": "', '"b": "', '"}', '}]', 'c":', '{"a": "x"}', ',\n"a":', "\\n", "\\d", "\\u"],
    *["<think>", "</think>", "<tool_call>", "&quot;", "&amp;"],
]  # fmt: skip


class Writer:
    """Draws values that schemas like those above admit."""

    def __init__(self, draw: random.Random) -> None:
        self.draw = draw

    def text(self) -> str:
        return "".join(self.draw.choices(PIECES, k=self.draw.choice((0, 1, 1, 2, 3, 4, 6))))

    def any(self, depth: int) -> Any:
        kind = self.draw.random()
        if depth <= 0 or kind < 0.45:
            return self.draw.choice((self.text(), self.text(), 1, 0, -2, 1.5, True, False, None))
        if kind < 0.75:
            return {
                k: self.any(depth - 1) for k in self.draw.sample("abc", self.draw.randint(0, 3))
            }
        return [self.any(depth - 1) for _ in range(self.draw.randint(0, 3))]

    def value(self, schema: Any, root: Any) -> Any:
        if schema is True:
            return self.any(2)
        if "$ref" in schema:
            return self.value(root["$defs"]["N"], root)
        if "anyOf" in schema:
            return self.value(self.draw.choice(schema["anyOf"]), root)
        kind = schema["type"]
        kind = self.draw.choice(kind) if isinstance(kind, list) else kind
        if kind == "array":
            items = schema.get("items", True)
            return [self.value(items, root) for _ in range(self.draw.choice((0, 1, 1, 2)))]
        if kind == "object" and "properties" in schema:
            due = schema.get("required", ())
            members = schema["properties"].items()
            return {
                k: self.value(v, root) for k, v in members if k in due or self.draw.random() < 0.6
            }
        if kind == "object":
            extra = schema.get("additionalProperties", True)
            keys = self.draw.sample("abcd", self.draw.randint(0, 3))
            return {key: self.value(extra, root) for key in keys}
        scalars: dict[str, Any] = {
            "string": self.text,
            "integer": lambda: self.draw.choice((0, 1, 7, -3)),
            "number": lambda: self.draw.choice((0, 1.5, -2)),
            "boolean": lambda: self.draw.random() < 0.5,
            "null": lambda: None,
        }
        return scalars[kind]()


STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
Damage = Callable[[random.Random, Any, str], "str | None"]


def _put(text: str, match: re.Match[str], new: str) -> str:
    return text[: match.start()] + new + text[match.end() :]


def _one(draw: random.Random, text: str, wanted: Callable[[re.Match[str]], object]) -> Any:
    """One of the strings of a text."""
    found = [m for m in STRING.finditer(text) if wanted(m)]
    return draw.choice(found) if found else None


def _is_key(match: re.Match[str]) -> bool:
    return match.string[match.end() :].lstrip()[:1] == ":"


def _boundaries(text: str) -> list[int]:
    """Where white space could stand."""
    spots: list[int] = []
    at = 0
    for m in [*STRING.finditer(text), None]:
        spots += range(at, len(text) + 1 if m is None else m.start() + 1)
        at = len(text) if m is None else m.end()
    return [
        i for i in spots if not (0 < i < len(text) and re.match(r"[\w.+-]{2}", text[i - 1 : i + 1]))
    ]


def cut(draw: random.Random, wire: Any, text: str) -> str | None:
    """Nobody can tell that a number was cut; what has an end shows it."""
    return text[: draw.randrange(len(text))] if isinstance(wire, dict | list | str) else None


def delete(draw: random.Random, wire: Any, text: str) -> str | None:
    """Without one character of JSON: a bracket, comma, colon or quote."""
    inside = {i for m in STRING.finditer(text) for i in range(m.start() + 1, m.end() - 1)}
    spots = [i for i, c in enumerate(text) if c in '{}[]:,"' and i not in inside]
    if not spots:
        return None
    at = draw.choice(spots)
    return text[:at] + text[at + 1 :]


def delete_quote(draw: random.Random, wire: Any, text: str) -> str | None:
    m = _one(draw, text, lambda m: True)
    at = -1 if m is None else draw.choice((m.start(), m.end() - 1))
    return None if m is None else text[:at] + text[at + 1 :]


def trailing_comma(draw: random.Random, wire: Any, text: str) -> str | None:
    spots = [
        i
        for i in _boundaries(text)
        if text[i : i + 1] in ("}", "]") and text[:i].rstrip()[-1:] not in "{["
    ]
    at = draw.choice(spots) if spots else 0
    return text[:at] + "," + text[at:] if spots else None


def comment(draw: random.Random, wire: Any, text: str) -> str | None:
    at = draw.choice(_boundaries(text))
    return text[:at] + draw.choice(('// it\'s "x"\n', '/* {"a": 1} */', "# no\n")) + text[at:]


def python(draw: random.Random, wire: Any, text: str) -> str | None:
    return repr(wire)


def python_words(draw: random.Random, wire: Any, text: str) -> str | None:
    words = {"true": "True", "false": "False", "null": "None"}
    return re.sub(
        STRING.pattern + "|true|false|null", lambda m: words.get(m.group(), m.group()), text
    )


def unescape_quote(draw: random.Random, wire: Any, text: str) -> str | None:
    found = list(re.finditer(r'(?<!\\)(?:\\\\)*\\"', text))
    m = draw.choice(found) if found else None
    return None if m is None else text[: m.end() - 2] + text[m.end() - 1 :]


def unescape_quotes(draw: random.Random, wire: Any, text: str) -> str | None:
    m = _one(draw, text, lambda m: '\\"' in m.group())
    if m is None:
        return None
    plain = re.sub(r"\\(.)", lambda e: '"' if e.group(1) == '"' else e.group(), m.group()[1:-1])
    return _put(text, m, f'"{plain}"')


def unescape_controls(draw: random.Random, wire: Any, text: str) -> str | None:
    m = _one(draw, text, lambda m: re.search(r"\\[nt]", m.group()))
    raw = {"\\n": "\n", "\\t": "\t"}
    return m and _put(text, m, re.sub(r"\\.", lambda e: raw.get(e.group(), e.group()), m.group()))


def halve_backslashes(draw: random.Random, wire: Any, text: str) -> str | None:
    """Plain backslashes before what is no escape."""
    m = _one(draw, text, lambda m: re.search(r"\\\\(?![\\\"/bfnrtu'xU])", m.group()))
    pattern = r"(\\\\)(?![\\\"/bfnrtu'xU])|\\."
    return m and _put(
        text, m, re.sub(pattern, lambda e: "\\" if e.group(1) else e.group(), m.group())
    )


def escape_all(draw: random.Random, wire: Any, text: str) -> str | None:
    return json.dumps(text, ensure_ascii=False)[1:-1]


def quote_all(draw: random.Random, wire: Any, text: str) -> str | None:
    return json.dumps(text)


def entities(draw: random.Random, wire: Any, text: str) -> str | None:
    return html.escape(text, quote=True)


def bare_key(draw: random.Random, wire: Any, text: str) -> str | None:
    m = _one(draw, text, lambda m: _is_key(m) and re.fullmatch(r'"[A-Za-z_]\w*"', m.group()))
    return m and _put(text, m, m.group()[1:-1])


def bare_value(draw: random.Random, wire: Any, text: str) -> str | None:
    """A text that begins with a letter, and not with a literal of JSON or Python: that would be the literal."""
    m = _one(
        draw,
        text,
        lambda m: (
            not _is_key(m)
            and re.fullmatch(r'"[A-Za-z][^"\\]*"', m.group())
            and not re.match(r'"(?:none|null|true|false)\b', m.group(), re.IGNORECASE)
        ),
    )
    return m and _put(text, m, m.group()[1:-1])


def smart_quotes(draw: random.Random, wire: Any, text: str) -> str | None:
    if "\u201c" in text:
        return None
    return STRING.sub(lambda m: f"\u201c{m.group()[1:-1]}\u201d", text)


def backticks(draw: random.Random, wire: Any, text: str) -> str | None:
    m = _one(draw, text, lambda m: "`" not in m.group())
    return m and _put(text, m, f"`{m.group()[1:-1]}`")


def single_quotes(draw: random.Random, wire: Any, text: str) -> str | None:
    """Apostrophes stay as they are; only those inside words are certain."""
    if "'" in re.sub(r"(?<=[A-Za-z])'(?=[A-Za-z])", "", text):
        return None
    return STRING.sub(lambda m: "'" + m.group()[1:-1].replace('\\"', '"') + "'", text)


WRAPPERS = [
    "```json\n%s\n```", "Here: %s", "%s hope {this} helps", '<think>maybe {"a":"no"}</think>%s',
    "\ufeff%s\u200b", 'Sure!\n```\n%s\n```\nDone "ok".', "json\n%s", "%s<|im_end|>", "%s}", "%s\n%s",
]  # fmt: skip


def wrap(draw: random.Random, wire: Any, text: str) -> str | None:
    return draw.choice(WRAPPERS).replace("%s", text)


def wrap_and_cut(draw: random.Random, wire: Any, text: str) -> str | None:
    before = draw.choice(WRAPPERS).partition("%s")[0]
    return (
        before + text[: draw.randrange(len(text))] if isinstance(wire, dict | list | str) else None
    )


DAMAGES: list[Damage] = [
    cut, delete, delete_quote, trailing_comma, comment, python, python_words, unescape_quote, unescape_quotes,
    unescape_controls, halve_backslashes, escape_all, quote_all, entities, bare_key, bare_value, smart_quotes,
    backticks, single_quotes, wrap, wrap_and_cut,
]  # fmt: skip


def _valid_pair(draw: random.Random) -> tuple[ws.Compiled, Any, Any] | None:
    """A compilation, a wire value, and what that decodes to."""
    which = draw.randrange(len(SCHEMAS))
    compiled = draw.choice(COMPILED[which])
    value = Writer(draw).value(SCHEMAS[which], SCHEMAS[which])
    try:
        wire = compiled.encode(value)
        return compiled, wire, compiled.validate(compiled.decode(wire))
    except ws.WireshapeError:
        return None


def _written(draw: random.Random, wire: Any) -> str:
    style: dict[str, Any] = draw.choice(({}, {}, {"indent": 2}, {"separators": (",", ":")}))
    return json.dumps(wire, ensure_ascii=draw.random() < 0.3, **style)


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda d: d.__name__)
@given(draw=st.randoms(use_true_random=False))
def test_a_damaged_text_is_the_value_or_nothing(damage: Damage, draw: random.Random) -> None:
    pair = _valid_pair(draw)
    if pair is None:
        return
    compiled, wire, value = pair
    damaged = damage(draw, wire, _written(draw, wire))
    if damaged is None:
        return
    try:
        read = strict.load(damaged)
    except strict.NotStrict:
        pass
    else:
        if not same_json(read, wire):  # simply the JSON of another value
            return
    outcome = compiled.parse(damaged)
    assert outcome.kind == "failed" or same_json(outcome.value, value)
    assert outcome.text == damaged
    if outcome.kind == "failed":
        assert outcome.evidence
        assert 0 < len(outcome.retry_text or "") <= 4096
    elif outcome.rung != "strict":
        assert outcome.edits or damaged.strip("\ufeff\u200b \n\t") != damaged


@given(draw=st.randoms(use_true_random=False))
def test_undamaged_json_is_read_as_decoding_and_the_gate_do(draw: random.Random) -> None:
    which = draw.randrange(len(SCHEMAS))
    compiled = draw.choice(COMPILED[which])
    wire = Writer(draw).any(3) if draw.random() < 0.5 else None
    if wire is None:
        pair = _valid_pair(draw)
        if pair is None:
            return
        compiled, wire, _ = pair
    outcome = compiled.parse(_written(draw, wire))
    try:
        due = compiled.validate(compiled.decode(wire))
    except ws.WireshapeError:
        assert outcome.kind == "failed" or outcome.edits
        if outcome.kind == "output":
            compiled.validate(outcome.value)
    else:
        assert (outcome.kind, outcome.rung, outcome.edits) == ("output", "strict", ())
        assert same_json(outcome.value, due)
        if not isinstance(wire, str):  # which would be text
            assert same_json(compiled.parse(wire).value, due)


@pytest.mark.parametrize("damage", [None, *DAMAGES], ids=lambda d: d.__name__ if d else "none")
@given(draw=st.randoms(use_true_random=False))
def test_what_a_stream_shows_is_the_beginning_of_what_comes_out(
    damage: Damage | None, draw: random.Random
) -> None:
    pair = _valid_pair(draw)
    if pair is None:
        return
    compiled, wire, value = pair
    text: str | None = _written(draw, wire)
    if damage is not None:
        text = damage(draw, wire, text or "")
    if text is None:
        return
    assert not broken_stream_laws(compiled, text, range(1, len(text)))
    feed = compiled.stream()
    feed.push(text)
    if damage is None and isinstance(wire, dict | list):
        assert same_json(feed.partial, value)
