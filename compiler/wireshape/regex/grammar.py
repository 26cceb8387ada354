r"""Parse an ECMA-262 pattern into its tree, by a grammar of lark; it judges syntax only and matches nothing.

The syntax is that of the `u` flag, with the leniences of the web (Annex B) that authors of schemas rely on: escapes of
punctuation (`\-`, `\@`), and braces and brackets that stand for themselves. lark is loaded by the first pattern.
"""

from __future__ import annotations

import re
from functools import cache
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final

from wireshape.regex import nodes

if TYPE_CHECKING:
    from collections.abc import Callable

    from lark import Token

MAX_LENGTH: Final = 10_000
MAX_DEPTH: Final = 32
"""Longer and deeper patterns are not parsed: real ones are far below, and passes over the tree may recurse."""


class PatternError(ValueError):
    """No ECMA-262 pattern, or `TooLargeError`."""


class TooLargeError(PatternError):
    """A pattern beyond what is parsed."""


# How one character can be written with a backslash, and what begins a quantifier.
_PAIRED = r"\\u[dD][89abAB][0-9A-Fa-f]{2}\\u[dD][c-fC-F][0-9A-Fa-f]{2}"
_ESCAPED = rf"{_PAIRED}|\\(?:[^A-Za-z0-9]|[tnvfr]|0(?![0-9])|c[A-Za-z]|x[0-9A-Fa-f]{{2}}|u[0-9A-Fa-f]{{4}}|u\{{0*(?:10|[0-9A-Fa-f])?[0-9A-Fa-f]{{1,4}}\}})"
_QUANTIFIER = r"[*+?]|\{[0-9]+(?:,[0-9]*)?\}"
_OUTSIDE = rf"(?:[^\\^$.*+?()\[|{{]|\{{(?![0-9]+(?:,[0-9]*)?\}})|{_ESCAPED})"
_INSIDE = rf"(?:[^\]\\]|{_ESCAPED}|\\b)"

_GRAMMAR = rf"""
start: _arms
_arms: seq ("|" seq)*
seq: _term*
_term: atom | repeat | START | END | BOUNDARY | look
repeat: atom QUANTIFIER
?atom: TEXT | DOT | SHORTHAND | PROPERTY | BACKREFERENCE | group | set
group: OPEN _arms ")"
look: LOOK _arms ")"
set: SET _member* "]"
_member: RANGE | MEMBERS | SHORTHAND | PROPERTY

START: "^"
END: "$"
DOT: "."
BOUNDARY: /\\[bB]/
BACKREFERENCE: /\\(?:[1-9][0-9]*|k<[^>]*>)/
SHORTHAND: /\\[dDsSwW]/
PROPERTY: /\\[pP]\{{[A-Za-z0-9_]+(?:=[A-Za-z0-9_]+)?\}}/
QUANTIFIER: /(?:{_QUANTIFIER})\??/
OPEN: /\((?!\?)|\(\?(?:<[A-Za-z_$][\w$]*>|[ims]*(?:-[ims]*)?:)/
LOOK: /\(\?<?[=!]/
SET: /\[\^?/
TEXT: /(?:{_OUTSIDE}(?!{_QUANTIFIER}))+|{_OUTSIDE}/
RANGE.2: /{_INSIDE}-{_INSIDE}/
MEMBERS: /(?:{_INSIDE}(?!-{_INSIDE}))+/
"""


def parse(pattern: str) -> nodes.Alt:
    """Parse a pattern; raise `PatternError` where it has no meaning, `TooLargeError` where it is not looked at.

    >>> parse("^ab+")
    Alt(arms=(Seq(items=(Start(), Text(text='a'), Repeat(node=Text(text='b'), low=1, high=None, lazy=False))),))
    """
    if len(pattern) > MAX_LENGTH or (
        pattern.count("(") > MAX_DEPTH and _depth(pattern) > MAX_DEPTH
    ):
        raise TooLargeError("too long or too deep")
    run, refused = _parser()
    try:
        tree = run(pattern)
    except refused:
        raise PatternError("no pattern of ECMA-262") from None
    if _REFERS.search(pattern):
        _resolve(tree)
    return tree


@cache
def _parser() -> tuple[Callable[[str], nodes.Alt], type[Exception]]:
    from lark import Lark, UnexpectedInput  # noqa: PLC0415 - heavy, and many schemas have no pattern

    build: Any = SimpleNamespace(**_BUILD)
    lark: Any = Lark(_GRAMMAR, parser="lalr", lexer="contextual", transformer=build)
    return lark.parse, UnexpectedInput


_SKIPPED = re.compile(r"\\.|\[(?:\\.|[^\]\\])*\]|([()])", re.DOTALL)


def _depth(pattern: str) -> int:
    depth = deepest = 0
    for m in _SKIPPED.finditer(pattern):
        if m[1]:
            depth += 1 if m[1] == "(" else -1
            deepest = max(deepest, depth)
    return deepest


_ONE = re.compile(_INSIDE, re.DOTALL)
_UNESCAPE = re.compile(
    r"\\(?:u\{([0-9A-Fa-f]+)\}|x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|c(.)|(.))", re.DOTALL
)
_CONTROL: Final = {"t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r", "0": "\0"}
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")


def _unescape(text: str, *, inside: bool = False) -> str:
    if "\\" not in text:
        return text

    def one(m: re.Match[str]) -> str:
        code = m[1] or m[2] or m[3]
        if code:
            return chr(int(code, 16))
        if m[4]:
            return chr(ord(m[4]) % 32)
        return "\b" if inside and m[5] == "b" else _CONTROL.get(m[5], m[5])

    return _PAIR.sub(
        lambda m: m[0].encode("utf-16", "surrogatepass").decode("utf-16"), _UNESCAPE.sub(one, text)
    )


def _text(token: Token) -> nodes.Text:
    return nodes.Text(_unescape(str(token)))


def _property(token: Token) -> nodes.Property:
    return nodes.Property(str(token[3:-1]), token[1] == "P")


def _backreference(token: Token) -> nodes.Backreference:
    return nodes.Backreference(token[3:-1] if token[1] == "k" else _number(token[1:]))


def _range(token: Token) -> nodes.Range:
    dash = _ONE.match(token)
    assert dash is not None  # the grammar's RANGE begins so
    low, high = (_unescape(c, inside=True) for c in (token[: dash.end()], token[dash.end() + 1 :]))
    if ord(high) < ord(low):
        raise PatternError("a range out of order")
    return nodes.Range(ord(low), ord(high))


def _members(token: Token) -> list[nodes.Range]:
    return [nodes.Range(ord(c), ord(c)) for c in _unescape(token, inside=True)]


def _set(parts: list[Any]) -> nodes.Set:
    members: list[nodes.Range | nodes.Shorthand | nodes.Property] = []
    for part in parts[1:]:
        if type(part) is list:
            members += part
        else:
            members.append(part)
    return nodes.Set(tuple(members), parts[0] == "[^")


def _number(digits: str) -> int:
    if len(digits) > 9:
        raise TooLargeError("a huge number")
    return int(digits)


def _repeat(parts: list[Any]) -> nodes.Repeat:
    node, token = parts
    lazy = len(token) > 1 and token[-1] == "?"
    if token[0] != "{":
        return nodes.Repeat(node, int(token[0] == "+"), 1 if token[0] == "?" else None, lazy)
    low, comma, high = token.rstrip("?")[1:-1].partition(",")
    most = _number(high) if high else None if comma else _number(low)
    if most is not None and most < _number(low):
        raise PatternError("a repeat whose numbers are out of order")
    return nodes.Repeat(node, _number(low), most, lazy)


def _group(parts: list[Any]) -> nodes.Group:
    opening: str = parts[0]
    body = nodes.Alt(tuple(parts[1:]))
    if opening == "(":
        return nodes.Group(body, "capture")
    if opening == "(?:":
        return nodes.Group(body, "plain")
    if opening[2] == "<":
        return nodes.Group(body, "named", opening[3:-1])
    return nodes.Group(body, "flags", opening[2:-1])


def _look(parts: list[Any]) -> nodes.Look:
    opening: str = parts[0]
    return nodes.Look(nodes.Alt(tuple(parts[1:])), "<" in opening, opening[-1] == "!")


def _seq(parts: list[nodes.Node]) -> nodes.Seq:
    """Join characters that an escape or a repeat had kept apart."""
    items: list[nodes.Node] = []
    for part in parts:
        if type(part) is nodes.Text and items and type(items[-1]) is nodes.Text:
            items[-1] = nodes.Text(items[-1].text + part.text)
        else:
            items.append(part)
    return nodes.Seq(tuple(items))


def _start(parts: list[nodes.Seq]) -> nodes.Alt:
    return nodes.Alt(tuple(parts))


def _constant(node: nodes.Node) -> Callable[[Token], nodes.Node]:
    return lambda _: node


_BUILD: Final[dict[str, Callable[[Any], object]]] = {
    "start": _start, "seq": _seq, "repeat": _repeat, "group": _group, "look": _look, "set": _set,
    "TEXT": _text, "DOT": _constant(nodes.Dot()), "START": _constant(nodes.Start()), "END": _constant(nodes.End()),
    "SHORTHAND": lambda token: nodes.Shorthand(token[1]), "BOUNDARY": lambda token: nodes.Boundary(token[1] == "B"),
    "PROPERTY": _property, "BACKREFERENCE": _backreference, "RANGE": _range, "MEMBERS": _members,
}  # fmt: skip
"""What becomes of each rule and terminal of the grammar."""

_REFERS = re.compile(r"\\[1-9k]|\(\?<[^=!]")


def _resolve(tree: nodes.Alt) -> None:
    """Find the group of each back-reference, and no name twice."""
    names: set[str] = set()
    captures = 0
    references: list[int | str] = []
    todo: list[nodes.Node | nodes.Seq | nodes.Alt] = [tree]
    while todo:
        n = todo.pop()
        if isinstance(n, nodes.Alt):
            todo += n.arms
        elif isinstance(n, nodes.Seq):
            todo += n.items
        elif isinstance(n, nodes.Repeat):
            todo.append(n.node)
        elif isinstance(n, nodes.Look):
            todo.append(n.body)
        elif isinstance(n, nodes.Group):
            todo.append(n.body)
            captures += n.kind in ("capture", "named")
            if n.kind == "named" and n.label in names:
                raise PatternError("two groups of one name")
            if n.kind == "named":
                names.add(n.label)
        elif isinstance(n, nodes.Backreference):
            references.append(n.to)
    for to in references:
        if (to > captures) if isinstance(to, int) else (to not in names):
            raise PatternError("a back-reference to no group")
