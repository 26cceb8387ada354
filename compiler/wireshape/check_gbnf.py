"""Reads the text of a GBNF grammar: its rules, what they refer to, and what llama's parser refuses, such as left recursion.

root ::= root "a"  ->  [Flaw("malformed", "root", "'root' begins with itself")]
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple, TypeAlias

from wireshape.check_texts import Flaw

_TOKEN: Final = re.compile(
    r"(?P<blank>[ \t]+|#[^\n]*)|(?P<line>\r?\n)|(?P<is>::=)|(?P<name>[a-zA-Z0-9-]+)|(?P<string>\"(?:\\.|[^\"\\\n])*\")"
    r"|(?P<class>\[(?:\\.|[^\]\\\n])*\]|\.)|(?P<count>\{\d+(?:,\d*)?\})|(?P<repeat>[*+?])|(?P<open>\()|(?P<close>\))|(?P<bar>\|)"
)


class _Token(NamedTuple):
    kind: str
    text: str


_Edge: TypeAlias = tuple[set[str], bool]
"""The rules that a part may begin with, and whether it may be empty."""


def read_gbnf(text: str) -> list[Flaw]:
    """Return what stands out in a grammar."""
    rules, flaws = _rules(text)
    if flaws:
        return flaws
    if "root" not in rules:
        flaws.append(Flaw("malformed", None, "there is no rule `root`"))
    for name, body in rules.items():
        for token in body:
            if token.kind == "name" and token.text not in rules:
                flaws.append(Flaw("malformed", name, f"{token.text!r} is not defined"))
            elif token.kind == "count":
                counts = [int(n) for n in re.findall(r"\d+", token.text)]
                flaws.append(Flaw("repeat", name, "", max(counts)))
        flaws += _order(name, body)
    return flaws if any([f.kind == "malformed" for f in flaws]) else [*flaws, *_left(rules)]


def _rules(text: str) -> tuple[dict[str, list[_Token]], list[Flaw]]:
    """Split a text into rules; one ends with its line, unless a bracket is open or a bar follows or comes before."""
    rules: dict[str, list[_Token]] = {}
    line: list[_Token] = []
    flaws: list[Flaw] = []
    place, depth = 0, 0
    while place < len(text):
        found = _TOKEN.match(text, place)
        if found is None:
            number = text.count("\n", 0, place) + 1
            return rules, [*flaws, Flaw("malformed", None, f"line {number} is not readable")]
        place, kind = found.end(), found.lastgroup or ""
        depth += (kind == "open") - (kind == "close")
        if kind == "line" and depth <= 0 and line and line[-1].kind not in ("bar", "is"):
            flaws += _add(rules, line)
            line = []
        elif kind not in ("blank", "line"):
            line.append(_Token(kind, found[0]))
    return rules, [*flaws, *(_add(rules, line) if line else [])]


def _add(rules: dict[str, list[_Token]], line: list[_Token]) -> list[Flaw]:
    if [token.kind for token in line[:2]] != ["name", "is"]:
        return [Flaw("malformed", None, f"{line[0].text!r} begins no rule")]
    name = line[0].text
    twice = name in rules
    rules[name] = line[2:]
    return [Flaw("malformed", name, f"{name!r} is defined twice")] if twice else []


def _order(name: str, body: list[_Token]) -> list[Flaw]:
    """Look for brackets that do not match, and for repeats of nothing."""
    depth, item = 0, False
    for token in body:
        if token.kind in ("repeat", "count") and not item:
            return [Flaw("malformed", name, "nothing stands before a repeat")]
        if token.kind == "is":
            return [Flaw("malformed", name, "a rule begins inside another")]
        depth += (token.kind == "open") - (token.kind == "close")
        if depth < 0:
            break
        item = token.kind not in ("open", "bar")
    return [Flaw("malformed", name, "brackets do not match")] if depth else []


def _left(rules: dict[str, list[_Token]]) -> list[Flaw]:
    """Find the rules that may begin with themselves."""
    empty: set[str] = set()
    size = -1
    while size != len(empty):
        size = len(empty)
        empty |= {name for name, body in rules.items() if _edge(body, empty)[1]}
    begins = {name: _edge(body, empty)[0] for name, body in rules.items()}
    flaws: list[Flaw] = []
    for name in rules:
        seen: set[str] = set()
        stack = [*begins[name]]
        while stack:
            at = stack.pop()
            if at not in seen:
                seen.add(at)
                stack += begins[at]
        if name in seen:
            flaws.append(Flaw("malformed", name, f"{name!r} begins with itself"))
    return flaws


def _edge(body: list[_Token], empty: set[str]) -> _Edge:
    """What a body may begin with; the stack holds, for each open bracket, the arms before and the arm so far."""
    stack: list[tuple[_Edge, _Edge]] = []
    arms: _Edge = (set(), False)
    arm: _Edge = (set(), True)
    last: _Edge = (set(), False)
    before: _Edge = arm
    for token in body:
        if token.kind == "open":
            stack.append((arms, arm))
            arms, arm = (set(), False), (set(), True)
            continue
        if token.kind == "bar":
            arms, arm = (arms[0] | arm[0], arms[1] or arm[1]), (set(), True)
            continue
        if token.kind in ("repeat", "count"):
            if token.text in "*?" or token.text.startswith("{0"):
                arm = (before[0] | (last[0] if before[1] else set()), before[1])
            continue
        if token.kind == "close":
            last = (arms[0] | arm[0], arms[1] or arm[1])
            arms, arm = stack.pop()
        elif token.kind == "name":
            last = ({token.text}, token.text in empty)
        else:
            last = (set(), token.text == '""')
        before = arm
        arm = (arm[0] | (last[0] if arm[1] else set()), arm[1] and last[1])
    return arms[0] | arm[0], arms[1] or arm[1]
