"""Name what a pattern uses; rows refuse features by these names.

Facts are read off the tree and the text alone: they know of no dialect and of no spelling.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from wireshape.regex import nodes
from wireshape.regex.grammar import PatternError, TooLargeError, parse
from wireshape.regex.sets import ESCAPED_IN_JSON, overlap, ranges

FEATURES: Final = frozenset(
    "anchor backreference bare-bracket complex-repeat control-letter counted-repeat dot empty-class escaped-digit "
    "inline-modifier inner-anchor invalid json-escape lazy lookahead lookbehind named-group negated-class non-capturing-group shorthand "
    "too-large unanchored unicode-property word-boundary".split()
)
r"""What a row may forbid. Those that do not say what they are:

`bare-bracket`: a brace or bracket that stands for itself; `complex-repeat`: `{n}`, `{n,}` or `{n,m}` on a group that holds a
repeat; `control-letter`: `\cA`; `escaped-digit`: `\0` or `\1`; `inner-anchor`: a `^` that need not be the first or a `$` that
need not be the last thing of an alternative; `json-escape`: may match a character that JSON text escapes,
a quote, a backslash or a control character; `shorthand`: `\d \w \s`; `too-large`: not looked at; `unanchored`: not
`^...$` as a whole.
"""


class Facts(NamedTuple):
    """A pattern that was looked at; `tree` is None where it is invalid or too large."""

    tree: nodes.Alt | None
    features: frozenset[str]


@lru_cache(maxsize=2048)
def facts(pattern: str) -> Facts:
    """Parse a pattern and name what it uses."""
    try:
        tree = parse(pattern)
    except TooLargeError:
        return Facts(None, frozenset(["too-large"]))
    except PatternError:
        return Facts(None, frozenset(["invalid"]))
    return Facts(tree, of_tree(tree) | of_text(pattern))


def of_tree(tree: nodes.Alt) -> frozenset[str]:
    """Name what a tree uses, however it is written."""
    found: set[str] = set()
    _alt(tree, found)
    items = tree.arms[0].items
    if (
        len(tree.arms) > 1
        or len(items) < 2
        or items[0] != nodes.Start()
        or items[-1] != nodes.End()
    ):
        found.add("unanchored")
    if "anchor" in found and not _at_edges(tree, first=True, last=True):
        found.add("inner-anchor")
    return frozenset(found)


def _at_edges(tree: nodes.Alt, *, first: bool, last: bool) -> bool:
    """Whether each anchor is where its end of the text is; `first` and `last` say which ends these alternatives touch."""
    for arm in tree.arms:
        items = arm.items
        begin = next((i for i, item in enumerate(items) if item != nodes.Start()), len(items))
        end = next((i for i, item in enumerate(reversed(items)) if item != nodes.End()), len(items))
        end = len(items) - end
        if (begin and not first) or (end < len(items) and not last):
            return False
        for i, item in enumerate(items[begin:end], begin):
            if isinstance(item, nodes.Group) and item.kind != "flags":
                leads, ends = first and i == begin, last and i == end - 1
                if not _at_edges(item.body, first=leads, last=ends):
                    return False
            elif _holds_anchor(item):
                return False
    return True


def _holds_anchor(n: nodes.Node) -> bool:
    found: set[str] = set()
    _node(n, found)
    return "anchor" in found


_ESCAPES = re.compile(r"\\(.)", re.DOTALL)
_BARE = re.compile(
    r"\\(?:[pPu]\{[^}]*\}|.)|\[\^?(?:\\.|[^\]\\])*\]|\{[0-9]+(?:,[0-9]*)?\}|([{}\]])", re.DOTALL
)


def of_text(pattern: str) -> frozenset[str]:
    """Name what only the text of a valid pattern shows."""
    found: set[str] = set()
    if "\\" in pattern:
        escaped = set(_ESCAPES.findall(pattern))
        if escaped & set("0123456789"):
            found.add("escaped-digit")
        if "c" in escaped:
            found.add("control-letter")
    if ("{" in pattern or "}" in pattern or "]" in pattern) and any(
        [m[1] for m in _BARE.finditer(pattern)]
    ):
        found.add("bare-bracket")
    return frozenset(found)


def _alt(tree: nodes.Alt, found: set[str]) -> bool:
    """Collect what alternatives use; whether a repeat is among them."""
    return any([_node(item, found) for arm in tree.arms for item in arm.items])


def _node(n: nodes.Node, found: set[str]) -> bool:
    match n:
        case nodes.Repeat():
            return _repeat(n, found)
        case nodes.Look(body, behind):
            found.add("lookbehind" if behind else "lookahead")
            inner: set[str] = set()
            repeats = _alt(body, inner)
            found |= inner - {"json-escape"}  # it consumes nothing
            return repeats
        case nodes.Group(body, kind):
            if kind != "capture":
                found.add(_GROUPS[kind])
            return _alt(body, found)
        case nodes.Set():
            _set(n, found)
        case nodes.Text(text):
            if any([c in '"\\' or c < " " for c in text]):
                found.add("json-escape")
        case nodes.Shorthand(letter):
            found |= {"shorthand"} if letter in "dw" else {"shorthand", "json-escape"}
        case nodes.Property():
            found |= {"unicode-property"} if _harmless(n) else {"unicode-property", "json-escape"}
        case nodes.Dot():
            found |= {"dot", "json-escape"}
        case nodes.Start() | nodes.End() | nodes.Boundary() | nodes.Backreference():
            found.add(_NAMES[type(n)])
    return False


_NAMES: Final = {
    nodes.Start: "anchor",
    nodes.End: "anchor",
    nodes.Boundary: "word-boundary",
    nodes.Backreference: "backreference",
}


_GROUPS: Final = {
    "named": "named-group",
    "plain": "non-capturing-group",
    "flags": "inline-modifier",
}


def _repeat(n: nodes.Repeat, found: set[str]) -> bool:
    if n.lazy:
        found.add("lazy")
    inner = _node(n.node, found)
    if (n.low, n.high) not in ((0, None), (1, None), (0, 1)):
        found.add("counted-repeat")
        if inner:
            found.add("complex-repeat")
    return True


def _set(n: nodes.Set, found: set[str]) -> None:
    if n.negated:
        found.add("negated-class")
    if not n.members:
        found.add("empty-class")
    for member in n.members:
        if isinstance(member, nodes.Shorthand):
            found.add("shorthand")
        elif isinstance(member, nodes.Property):
            found.add("unicode-property")
    matched = ranges(n)
    if (
        overlap(matched, ESCAPED_IN_JSON)
        if matched is not None
        else n.negated or not all([_harmless(m) for m in n.members])
    ):
        found.add("json-escape")


def _harmless(member: nodes.Range | nodes.Shorthand | nodes.Property) -> bool:
    """Whether a member of a class with properties matches nothing that JSON escapes, as far as can be told."""
    if isinstance(member, nodes.Property):
        return not member.negated and member.name[:1] in "LMN" and len(member.name) <= 2
    return not overlap(ranges(nodes.Set((member,))) or (), ESCAPED_IN_JSON)
