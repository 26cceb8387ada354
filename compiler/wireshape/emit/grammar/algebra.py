"""A small algebra of grammars: characters, sequences, choices, repeats and references; it knows no syntax and no JSON.

Seq((Text("a"), Rep(Chars(((48, 57),)), 1, None)))  is  a[0-9]+
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias, assert_never

from wireshape.regex.sets import Ranges, union


@dataclass(frozen=True, slots=True)
class Text:
    """These characters, one after the other; never none."""

    text: str


@dataclass(frozen=True, slots=True)
class Chars:
    """One character out of sorted ranges of code points; never none."""

    ranges: Ranges


@dataclass(frozen=True, slots=True)
class Seq:
    """The parts in order; without parts, the empty text."""

    items: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class Alt:
    """One of two arms or more."""

    arms: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Rep:
    """`item` from `low` times up to `high`, or without an end."""

    item: Expr
    low: int
    high: int | None


@dataclass(frozen=True, slots=True)
class Ref:
    """What the rule `name` says."""

    name: str


Expr: TypeAlias = Text | Chars | Seq | Alt | Rep | Ref

EMPTY: Final[Expr] = Seq()


class Rule(NamedTuple):
    """A named part; a `token` is regular, refers to tokens only and is never empty. `about` are lines of text for readers."""

    expr: Expr
    token: bool
    about: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Grammar:
    """Rules by name, each before those that refer to it where that can be; a text is a `start`."""

    start: str
    rules: Mapping[str, Rule]


def seq(*items: Expr) -> Expr:
    """Join parts; texts that meet become one.

    >>> seq(Text("a"), seq(Text("b"), EMPTY))
    Text(text='ab')
    """
    flat: list[Expr] = []
    for item in items:
        for part in item.items if isinstance(item, Seq) else (item,):
            last = flat[-1] if flat else None
            if isinstance(part, Chars):
                part = _single(part)  # noqa: PLW2901 - the same part, written shorter
            if isinstance(part, Text) and isinstance(last, Text):
                flat[-1] = Text(last.text + part.text)
            else:
                flat.append(part)
    return flat[0] if len(flat) == 1 else Seq(tuple(flat))


def alt(arms: Iterable[Expr]) -> Expr:
    """Offer a choice; arms that are one character each become one class, and an empty arm makes the rest optional.

    >>> alt([Text("a"), Text("b"), EMPTY])
    Rep(item=Chars(ranges=((97, 98),)), low=0, high=1)
    """
    kept: dict[Expr, None] = {}
    ranges: list[tuple[int, int]] = []
    for arm in arms:
        for part in arm.arms if isinstance(arm, Alt) else (arm,):
            if isinstance(part, Chars):
                ranges += part.ranges
            elif isinstance(part, Text) and len(part.text) == 1:
                ranges.append((ord(part.text), ord(part.text)))
            else:
                kept[part] = None
    empty = kept.pop(EMPTY, 0) is None
    parts: list[Expr] = [_single(Chars(union(ranges)))] if ranges else []
    parts += kept
    if not parts:
        return EMPTY
    one = parts[0] if len(parts) == 1 else Alt(tuple(parts))
    return opt(one) if empty else one


def _single(chars: Chars) -> Expr:
    """A class of one character as a text."""
    (low, high), *more = chars.ranges
    return Text(chr(low)) if low == high and not more else chars


def opt(item: Expr) -> Expr:
    """Offer `item` or nothing."""
    return many(item, 0, 1)


def many(item: Expr, low: int = 0, high: int | None = None) -> Expr:
    """Repeat `item`.

    >>> many(Text("ab"), 1, 1), many(Text("ab"), 0, 0), many(many(Text("a"), 0, 1), 0, 1)
    (Text(text='ab'), Seq(items=()), Rep(item=Text(text='a'), low=0, high=1))
    """
    if high == 0 or item == EMPTY:
        return EMPTY
    if (low, high) == (1, 1):
        return item
    if isinstance(item, Rep) and item.low <= 1 and (low, high) == (0, 1):
        return Rep(item.item, 0, item.high)
    return Rep(item, low, high)


def references(expr: Expr) -> set[str]:
    """Name the rules that an expression refers to."""
    found: set[str] = set()
    stack = [expr]
    while stack:
        at = stack.pop()
        if isinstance(at, Ref):
            found.add(at.name)
        elif isinstance(at, Rep):
            stack.append(at.item)
        elif isinstance(at, Seq):
            stack += at.items
        elif isinstance(at, Alt):
            stack += at.arms
    return found


def matches(expr: Expr, text: str, rules: Mapping[str, Rule]) -> bool:
    """Tell whether the whole text is one that the expression says; rules must not refer to themselves.

    >>> matches(seq(Text("a"), many(Chars(((48, 57),)), 1)), "a10", {})
    True
    """
    return len(text) in _ends(expr, text, 0, rules)


def _ends(expr: Expr, text: str, at: int, rules: Mapping[str, Rule]) -> set[int]:
    """Where a match that begins at `at` may end."""
    match expr:
        case Text(word):
            return {at + len(word)} if text.startswith(word, at) else set()
        case Chars(ranges):
            if at == len(text):
                return set()
            code = ord(text[at])
            return {at + 1} if any([low <= code <= high for low, high in ranges]) else set()
        case Seq(items):
            places = {at}
            for item in items:
                places = {end for place in places for end in _ends(item, text, place, rules)}
            return places
        case Alt(arms):
            return {end for arm in arms for end in _ends(arm, text, at, rules)}
        case Rep(item, low, high):
            return _repeated(item, (low, high), text, at, rules)
        case Ref(name):
            return _ends(rules[name].expr, text, at, rules)
        case _:
            assert_never(expr)


def _repeated(
    item: Expr, times: tuple[int, int | None], text: str, at: int, rules: Mapping[str, Rule]
) -> set[int]:
    low, high = times
    places, found, count = {at}, set[int](), 0
    if low == 0:
        found |= places
    while places and (high is None or count < high) and count <= len(text) + low:
        places = {end for place in places for end in _ends(item, text, place, rules)}
        count += 1
        if count >= low:
            if places <= found:
                break
            found |= places
    return found
