"""Reads the text of a Lark grammar: its definitions, what they refer to, and the features that engines refuse.

start: a.2  ->  [Flaw("malformed", "start", "'a' is not defined"), ...]
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from wireshape.check_pattern import is_endless, pattern_flaws
from wireshape.check_texts import Flaw

_TOKEN: Final = re.compile(
    r"(?P<blank>[ \t]+|//[^\n]*)|(?P<line>\r?\n)|(?P<directive>%[a-z]+[^\n]*)|(?P<name>[?!]?[_a-zA-Z][_a-zA-Z0-9]*)"
    r"|(?P<string>\"(?:\\.|[^\"\\\n])*\"i?)|(?P<regex>/(?![/*])(?:\\.|[^/\\\n])+/[imslux]*)"
    r"|(?P<count>~[ ]*\d+(?:[ ]*\.\.[ ]*\d+)?|\{\d*,?\d*\})|(?P<priority>\.-?\d+)|(?P<repeat>[*+?])"
    r"|(?P<open>[(\[])|(?P<close>[)\]])|(?P<bar>\|)|(?P<colon>:)|(?P<alias>->[ ]*[_a-z][_a-z0-9]*)|(?P<template>\{[^{}\n]*\})"
)
_GOES_ON: Final = re.compile(r"(?:[ \t\r\n]++|//[^\n]*+)*+\|")
_ITEMS: Final = frozenset(["name", "string", "regex", "close"])


class _Token(NamedTuple):
    kind: str
    text: str


class _Definition(NamedTuple):
    name: str
    body: list[_Token]
    flaws: list[Flaw]

    @property
    def token(self) -> bool:
        return self.name.strip("_").isupper()


def read_lark(text: str) -> list[Flaw]:
    """Return what stands out in a grammar: what is wrong anywhere, and each feature that a dialect may refuse."""
    lines, flaws = _lines(text)
    if flaws:
        return flaws
    definitions: dict[str, _Definition] = {}
    imported: set[str] = set()
    for line in lines:
        if line[0].kind == "directive":
            flaws += _directive(line[0].text, imported)
            continue
        definition = _definition(line)
        if definition.name in definitions:
            flaws.append(
                Flaw("malformed", definition.name, f"{definition.name!r} is defined twice")
            )
        definitions[definition.name] = definition
        flaws += definition.flaws
    if "start" not in definitions:
        flaws.append(Flaw("malformed", None, "there is no rule `start`"))
    for definition in definitions.values():
        flaws += _body(definition, definitions, imported)
    return [*flaws, *_circles(definitions)]


def _lines(text: str) -> tuple[list[list[_Token]], list[Flaw]]:
    """Split a text into definitions and directives; a line that begins with a bar, or within brackets, goes on."""
    lines: list[list[_Token]] = [[]]
    place, depth = 0, 0
    while place < len(text):
        found = _TOKEN.match(text, place)
        if found is None:
            line = text.count("\n", 0, place) + 1
            return [li for li in lines if li], [
                Flaw("malformed", None, f"line {line} is not readable")
            ]
        place = found.end()
        kind = found.lastgroup or ""
        depth += (kind == "open") - (kind == "close")
        if kind == "line" and depth <= 0:
            if _GOES_ON.match(text, place) is None:
                lines.append([])
        elif kind not in ("blank", "line"):
            lines[-1].append(_Token(kind, found[0]))
    return [line for line in lines if line], []


def _directive(text: str, imported: set[str]) -> list[Flaw]:
    word, _, rest = text[1:].partition(" ")
    rest = rest.strip()
    if word == "declare":
        return [Flaw("declare", None, "`%declare` names tokens that are defined nowhere")]
    if word == "import":
        imported.add(rest.split("->")[-1].split(".")[-1].strip())
        return [] if rest.startswith("common.") else [Flaw("import", None, f"`%import {rest}`")]
    if word == "ignore":
        pattern = rest.strip("/") if rest.startswith("/") else rest
        endless = rest.startswith("/") and is_endless(pattern)
        return [Flaw("unbounded-ignore", None, f"`%ignore {rest}` has no end")] if endless else []
    return [Flaw("malformed", None, f"no directive is called %{word}")]


def _definition(line: list[_Token]) -> _Definition:
    """Take the head of a definition off its body."""
    head = line[0]
    at = next((i for i, token in enumerate(line) if token.kind == "colon"), None)
    name = head.text.lstrip("?!")
    if head.kind != "name" or at is None:
        return _Definition(name, [], [Flaw("malformed", name, "a line is no definition")])
    flaws: list[Flaw] = []
    for token in line[1:at]:
        if token.kind == "priority":
            flaws.append(Flaw("priority", name, f"{name!r} has a priority"))
        else:
            flaws.append(Flaw("template", name, f"{name!r} is a template"))
            break
    return _Definition(name, line[at + 1 :], flaws)


def _body(d: _Definition, known: dict[str, _Definition], imported: set[str]) -> list[Flaw]:
    """Read the body of a definition from left to right."""
    flaws: list[Flaw] = []
    depth, item = 0, False
    for token in d.body:
        kind = token.kind
        if kind == "name":
            flaws += _name(token.text, d, known, imported)
        elif kind == "regex":
            flaws += pattern_flaws(token.text[1 : token.text.rindex("/")], d.name)
        elif kind in ("repeat", "count") and not item:
            flaws.append(Flaw("malformed", d.name, "nothing stands before a repeat"))
        elif kind == "template":
            flaws.append(Flaw("template", d.name, f"{d.name!r} uses a template"))
        elif kind in ("colon", "priority", "directive"):
            flaws.append(Flaw("malformed", d.name, f"{token.text!r} stands inside a definition"))
        if kind == "count":
            flaws.append(
                Flaw("repeat", d.name, "", max([0, *map(int, re.findall(r"\d+", token.text))]))
            )
        depth += (kind == "open") - (kind == "close")
        item = kind in _ITEMS
        if depth < 0:
            break
    if depth:
        flaws.append(Flaw("malformed", d.name, "brackets do not match"))
    return flaws


def _name(
    name: str, d: _Definition, known: dict[str, _Definition], imported: set[str]
) -> list[Flaw]:
    if name not in known and name not in imported:
        return [Flaw("malformed", d.name, f"{name!r} is not defined")]
    if d.token and name in known and not known[name].token:
        return [Flaw("malformed", d.name, f"the token refers to the rule {name!r}")]
    return []


def _circles(known: dict[str, _Definition]) -> list[Flaw]:
    """Find the tokens that refer to themselves, through others or not."""
    uses = {
        name: [t.text for t in d.body if t.kind == "name" and t.text in known]
        for name, d in known.items()
        if d.token
    }
    done: set[str] = set()
    flaws: list[Flaw] = []
    for name in uses:
        stack: list[tuple[str, int]] = [(name, 0)]
        path = {name}
        while stack:
            at, i = stack.pop()
            if at in done or i == len(uses.get(at, ())):
                done.add(at)
                path.discard(at)
                continue
            stack.append((at, i + 1))
            to = uses[at][i]
            if to in path:
                flaws.append(Flaw("malformed", to, f"the token {to!r} refers to itself"))
                done.add(to)
            elif to in uses and to not in done:
                path.add(to)
                stack.append((to, 0))
    return flaws
