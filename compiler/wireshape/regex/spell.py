r"""Spell a pattern for a row's regular expressions, so that the accepted strings stay the same.

    \d.    for Rust    [0-9][^\n\r\u2028\u2029]

What differs is data: `languages` says what `.` or `\d` mean there, the row what it refuses and whether it searches.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from wireshape.regex import nodes
from wireshape.regex.facts import facts, of_text, of_tree
from wireshape.regex.languages import LANGUAGES, Language, reads_as_written
from wireshape.regex.sets import (
    ANY,
    ANY_PLAIN,
    EVERYTHING,
    LINE_ENDS,
    SHORTHANDS,
    ranges,
    spelled_out,
)
from wireshape.regex.whole import UnsayableError, numbered, whole
from wireshape.regex.write import write

if TYPE_CHECKING:
    from wireshape.dialect import Strings

NOT_BEFORE_NEWLINE: Final = nodes.Look(nodes.Alt((nodes.Seq((nodes.Text("\n"),)),)), negated=True)


class _Target(NamedTuple):
    """What a pattern is respelled for."""

    dot: nodes.Set | nodes.Dot
    any_one: nodes.Set | nodes.Group
    spelled_out: bool  # no shorthands
    greedy: bool
    unnamed: bool
    capturing: bool  # no other groups
    empty_class: bool
    half_pairs: bool  # halves of surrogate pairs can be written
    strict_end: bool


@lru_cache(maxsize=2048)
def spell(pattern: str, strings: Strings) -> str | None:
    r"""Spell `pattern` so that the row's engine accepts the same strings, or return `None` where that cannot be said.

    Where the engine matches whole texts the result is anchored if the row takes anchors, so that it means the same under
    both readings. A pattern that is right as it is stays as it is, letter for letter.

    >>> from wireshape.dialect import Strings
    >>> spell("^a|b$", Strings(anchoring="full"))
    '^(?:a[\\s\\S]*|[\\s\\S]*b)$'
    >>> spell(r"^\d$", Strings(regex="rust"))
    '^[0-9]$'
    """
    tree, used = facts(pattern)
    language = LANGUAGES[strings.regex]
    avoid = strings.forbid | language.lacks | language.differs
    if tree is None:
        unchanged = reads_as_written(strings) and not avoid
        return pattern if unchanged and "too-large" in used else None
    held = numbered(tree)
    target = _target(strings, language, avoid, held=held)
    try:
        full = strings.anchoring == "full"
        new = _fitted(whole(tree, target.any_one, numbered=held), strings) if full else tree
        new = _alt(new, target)
    except UnsayableError:
        return None
    if of_tree(new) & avoid:
        return None
    if new == tree and not language.own_syntax and not of_text(pattern) & avoid:
        return pattern
    text = write(new, raw=language.own_syntax)
    if of_text(text) & avoid:
        return None
    # without its name a group may turn out to be of no use
    return spell(text, strings) if target.unnamed and "named-group" in used else text


@lru_cache(maxsize=2048)
def rewritten(pattern: str) -> str:
    r"""Write a pattern anew, without the leniences of the web, for readers that do not know them.

    >>> rewritten(r"^{[\w-.]}")
    '^\\{[\\w\\-.]\\}'
    """
    tree = facts(pattern).tree
    if tree is None:
        return pattern
    try:
        return write(_alt(tree, _STRICT))
    except UnsayableError:
        return write(tree)


_STRICT: Final = _Target(
    dot=nodes.Dot(),
    any_one=ANY,
    spelled_out=False,
    greedy=False,
    unnamed=False,
    capturing=False,
    empty_class=False,
    half_pairs=True,
    strict_end=True,
)


def _fitted(tree: nodes.Alt, strings: Strings) -> nodes.Alt:
    """Anchor both ends where the row takes anchors."""
    if "anchor" in strings.forbid:
        if tree == nodes.Alt((nodes.Seq(),)):
            raise UnsayableError("the empty pattern looks like none")
        return tree
    items = tree.arms[0].items if len(tree.arms) == 1 else (nodes.Group(tree),)
    return nodes.Alt((nodes.Seq((nodes.Start(), *items, nodes.End())),))


def _target(strings: Strings, language: Language, avoid: frozenset[str], *, held: bool) -> _Target:
    same_dot = not strings.dot_all and language.dot_skips == LINE_ENDS and "dot" not in avoid
    return _Target(
        dot=nodes.Dot()
        if same_dot
        else nodes.Set(tuple([nodes.Range(*r) for r in LINE_ENDS]), negated=True),
        any_one=ANY_PLAIN if "shorthand" in avoid else ANY,
        spelled_out=language.shorthands is not None or "shorthand" in avoid,
        greedy="lazy" in avoid and not held,
        unnamed="named-group" in avoid and not held,
        capturing="non-capturing-group" in avoid and not held,
        empty_class="empty-class" not in avoid,
        half_pairs=not language.own_syntax,
        strict_end=language.strict_end,
    )


def _alt(tree: nodes.Alt, target: _Target) -> nodes.Alt:
    return nodes.Alt(tuple([_seq(arm, target) for arm in tree.arms]))


def _seq(arm: nodes.Seq, target: _Target) -> nodes.Seq:
    items = tuple([_node(item, target) for item in arm.items])
    if target.strict_end or nodes.End() not in items:
        return nodes.Seq(items)
    strict: list[nodes.Node] = []
    for i, item in enumerate(items):
        strict.append(item)
        if item == nodes.End() and items[i + 1 : i + 2] != (NOT_BEFORE_NEWLINE,):
            strict.append(NOT_BEFORE_NEWLINE)
    return nodes.Seq(tuple(strict))


def _node(n: nodes.Node, target: _Target) -> nodes.Node:
    match n:
        case nodes.Text(text):
            if not target.half_pairs and any(["\ud800" <= c <= "\udfff" for c in text]):
                raise UnsayableError("half a surrogate pair")
            return n
        case nodes.Dot():
            return target.dot
        case nodes.Shorthand(letter) if target.spelled_out:
            parts = SHORTHANDS[letter.lower()]
            return nodes.Set(tuple([nodes.Range(*r) for r in parts]), letter.isupper())
        case nodes.Set():
            return _set(n, target)
        case nodes.Repeat(node, low, high, lazy):
            return nodes.Repeat(_node(node, target), low, high, lazy and not target.greedy)
        case nodes.Look(body, behind, negated):
            return nodes.Look(_alt(body, target), behind, negated)
        case nodes.Group(body, kind, label):
            if kind == "named" and target.unnamed:
                kind, label = "plain", ""
            if kind == "plain" and target.capturing:
                kind = "capture"
            return nodes.Group(_alt(body, target), kind, label)
        case _:
            return n


def _set(n: nodes.Set, target: _Target) -> nodes.Node:
    """Write a class without what the language lacks."""
    if not n.members and not target.empty_class:
        if not n.negated:
            raise UnsayableError("nothing matches the empty class")
        return target.any_one
    codes = [c for m in n.members if isinstance(m, nodes.Range) for c in (m.low, m.high)]
    if not target.half_pairs and any([0xD800 <= c <= 0xDFFF for c in codes]):
        raise UnsayableError("half a surrogate pair")
    letters = "".join([m.letter for m in n.members if isinstance(m, nodes.Shorthand)])
    if not letters or not target.spelled_out:
        return n
    if letters.islower():
        members: list[nodes.Range | nodes.Shorthand | nodes.Property] = []
        for m in n.members:
            members += (
                [nodes.Range(*r) for r in SHORTHANDS[m.letter]]
                if isinstance(m, nodes.Shorthand)
                else [m]
            )
        return nodes.Set(tuple(members), n.negated)
    parts = ranges(n)
    if not parts:
        raise UnsayableError("nothing, or the opposite of a shorthand beside a property")
    return target.any_one if parts == EVERYTHING else spelled_out(parts)
