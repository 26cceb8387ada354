"""What becomes of each rule of the grammar: the parts of a rule become one part of the tree; nothing is looked up.

field: key "?" ":" type   ->   Member(key, type, optional=True)
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from wireshape.ir import Json
from wireshape.notation import tree
from wireshape.notation.faults import Fault

if TYPE_CHECKING:
    from collections.abc import Callable

    from lark import Token


class Comment(NamedTuple):
    """A `//` line, and where it begins."""

    text: str
    start: int


def _at(token: Token) -> int:
    return token.start_pos or 0


def _start(parts: list[tree.Definition]) -> tree.File:
    return tree.File(tuple(parts))


def _body(parts: list[Any]) -> tree.Definition:
    docs, rest = _apart(parts)
    return tree.Definition(None, rest[0], docs, start=rest[0].start)


def _definition(parts: list[Any]) -> tree.Definition:
    docs, (word, name, node) = _apart(parts)
    return tree.Definition(name.name, node, docs, name.quoted, _at(word))


def _apart(parts: list[Any]) -> tuple[str | None, list[Any]]:
    """The text of all `///` lines, and the other parts."""
    docs: list[str] = []
    rest: list[Any] = []
    for part in parts:
        name = getattr(part, "type", None)
        if name == "BEFORE" or name == "AFTER":
            docs.append(_said(part))
        else:
            rest.append(part)
    return "\n".join(docs) if docs else None, rest


_MARKER = re.compile(r"(?:^|\n)[ \t\r\f]*/// ?")


def _said(token: str) -> str:
    """The text of a run of `///` lines."""
    lines = _MARKER.split(token)[1:]
    return "\n".join([line[:-1] if line.endswith("\r") else line for line in lines])


def _name(parts: list[Token]) -> tree.Word:
    token = parts[0]
    if token.type == "QUOTED":
        return tree.Word(str(token[1:-1]), True, _at(token))
    return tree.Word(str(token), False, _at(token))


def _word(parts: list[Token]) -> tree.Word | tree.Value:
    word = _name(parts)
    if not word.quoted and (word.name == "true" or word.name == "false"):
        return tree.Value(word.name == "true", word.start)
    return word


def _value(parts: list[Token]) -> tree.Value:
    return tree.Value(_scalar(parts), _at(parts[0]))


def _scalar(parts: list[Token]) -> Json:
    token = parts[0]
    return _string(token) if token.type == "STRING" else _number(token)


_QUOTES = re.compile(r'\\(.)|"', re.DOTALL)


def _string(token: Token) -> str:
    written: str = token
    if written[0] == "'":
        inner = _QUOTES.sub(
            lambda m: "'" if m[1] == "'" else m[0] if m[1] else '\\"', written[1:-1]
        )
        written = f'"{inner}"'
    try:
        text: str = json.loads(written, strict=False)
    except ValueError:
        what = 'no string: a backslash begins one of \\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX'
        raise Fault(what, _at(token)) from None
    if _SURROGATE.search(text):
        raise Fault("a lone surrogate, which is no Unicode text", _at(token))
    return text


_SURROGATE = re.compile("[\ud800-\udfff]")


_LONGEST: Final = 3913
_INFINITE: Final = frozenset([float("inf"), float("-inf")])


def _number(token: Token) -> int | float:
    written = str(token)
    if not {".", "e", "E"}.isdisjoint(written):
        number = float(written)
        if number in _INFINITE:
            raise Fault("a number beyond the range of floating point", _at(token))
        return number
    if len(written) > _LONGEST:
        msg = f"an integer of more than {_LONGEST} digits"
        raise Fault(msg, _at(token))
    return int(written)


_CONSTANTS: Final[dict[str, Json]] = {"true": True, "false": False, "null": None}


def _json_word(parts: list[Token]) -> Json:
    word = str(parts[0])
    if word not in _CONSTANTS:
        what = f"{word!r} is no JSON value: strings are quoted, the words are true, false and null"
        raise Fault(what, _at(parts[0]))
    return _CONSTANTS[word]


def _json_list(parts: list[Any]) -> list[Json]:
    return parts[1:]


def _pair(parts: list[Any]) -> tuple[Token, Json]:
    return parts[0], parts[1]


def _json_object(parts: list[Any]) -> dict[str, Json]:
    made: dict[str, Json] = {}
    for token, value in parts[1:-1]:
        key = _string(token)
        if key in made:
            msg = f"the key {key!r} is given twice"
            raise Fault(msg, _at(token))
        made[key] = value
    return made


def _listed(parts: list[Any]) -> tree.Listed:
    return tree.Listed(tuple(parts[1:]), _at(parts[0]))


def _array(parts: list[Any]) -> tree.Array:
    return tree.Array(parts[0], parts[0].start)


def _group(parts: list[Any]) -> tree.Group:
    return tree.Group(parts[1], _at(parts[0]))


def _speaking(parts: list[Any]) -> tree.Speaking:
    return tree.Speaking(tuple(parts[1:]), _at(parts[0]))


def _tuple(parts: list[Any]) -> tree.Tuple:
    return tree.Tuple(tuple(parts[1:]), _at(parts[0]))


def _item(parts: list[Any]) -> tree.Item:
    first, last = parts[0], parts[-1]
    if getattr(first, "type", None) == "DOTS":
        return tree.Item(last, False, True, _at(first))
    return tree.Item(first, len(parts) == 2, False, first.start)


def _object(parts: list[Any]) -> tree.Body:
    closed = parts[0].type == "CLOSED"
    members = tuple(parts[1 + closed : -1])
    return tree.Body(members, closed, _at(parts[0]), _at(parts[-1]))


class _Key(NamedTuple):
    text: str
    start: int


def _key(parts: list[Token]) -> _Key:
    token = parts[0]
    text = _string(token) if token.type == "STRING" else str(token)
    return _Key(text, _at(token))


class _Default(NamedTuple):
    value: Json


def _default(parts: list[Json]) -> _Default:
    return _Default(parts[0])


def _field(parts: list[Any]) -> tree.Member:
    docs, rest = _apart(parts)
    key: _Key = rest.pop(0)
    optional = getattr(rest[0], "type", None) == "OPTIONAL"
    node = rest[optional]
    default = rest[-1].value if type(rest[-1]) is _Default else None
    has_default = type(rest[-1]) is _Default
    return tree.Member(key.text, node, optional, default, has_default, docs, key.start)


def _rule(parts: list[Any]) -> tree.Rule:
    docs, rest = _apart(parts)
    start, node = _at(rest[0]), rest[-1]
    first = rest[1]
    if first.type == "NAME":
        return tree.Rule(node, rest[2], docs=docs, start=start)
    written = rest[2] if first.type == "MERGED" else first
    regex = _string(written) if written.type == "STRING" else str(written[1:-1])
    return tree.Rule(node, None, regex, first.type == "MERGED", docs, start)


def _open(parts: list[Token]) -> tree.Open:
    return tree.Open(_at(parts[0]))


def _arm(parts: list[Any]) -> tree.Arm:
    return tree.Arm(parts[-1], _said(parts[0]) if len(parts) == 2 else None)


def _alternatives(parts: list[Any]) -> tree.Alt:
    arms = tuple([p if type(p) is tree.Arm else tree.Arm(p) for p in parts])
    return tree.Alt(arms, arms[0].type.start)


def _parts(parts: list[Any]) -> tree.Both:
    return tree.Both(tuple(parts), parts[0].start)


def _marked(parts: list[Any]) -> tree.Noted:
    return tree.Noted(parts[0], tuple(parts[1:]), parts[0].start)


def _argument(parts: list[Any]) -> tree.Argument:
    if len(parts) == 2:
        return tree.Argument(parts[1], parts[0].text, parts[0].start)
    return tree.Argument(parts[0], None, parts[0].start)


def _mark(parts: list[Any]) -> tree.Mark:
    token, *rest = parts
    if token.type == "TYPES":
        return tree.Mark(str(token[1:-1]), (), tuple(rest), True, _at(token))
    if token.type == "VALUES":
        values = tuple([_regex(v) for v in rest])
        return tree.Mark(str(token[1:-1]), values, (), True, _at(token))
    return tree.Mark(str(token[1:]), (), (), False, _at(token))


def _regex(value: Any) -> Json:
    """A value, where `/.../` is the string between the slashes."""
    if getattr(value, "type", None) == "REGEX":
        return str(value[1:-1])
    return value


ACTIONS: Final[dict[str, Callable[[Any], object]]] = {
    "start": _start, "body": _body, "definition": _definition, "name": _name, "word": _word, "value": _value,
    "listed": _listed, "array": _array, "group": _group, "speaking": _speaking, "tuple": _tuple, "item": _item,
    "object": _object, "field": _field, "default": _default, "rule": _rule, "open": _open, "key": _key, "arm": _arm,
    "alternatives": _alternatives, "parts": _parts, "marked": _marked, "argument": _argument, "mark": _mark,
    "json_word": _json_word, "json_scalar": _scalar, "json_list": _json_list, "json_object": _json_object, "pair": _pair,
}  # fmt: skip
"""What becomes of each rule of the grammar."""
