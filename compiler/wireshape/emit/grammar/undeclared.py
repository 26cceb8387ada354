r"""Keys that are none of the declared ones: a walk down the common beginnings of words, linear in their length.

ab, a  ->  ([^a] | a[^b] | ab[^], each with any end) | "" | escapes after "", a or ab      neither "a" nor "ab"
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from wireshape.emit.grammar.algebra import EMPTY, Chars, Expr, alt, many, opt, seq
from wireshape.emit.grammar.chars import ESCAPE, KEY_CHAR, RAW, is_plain, one_of, spelled, within
from wireshape.regex.sets import complement, union

_DEEP: Final = 12
_LARGE: Final = 200
"""Places of one part; llama.cpp limits what stands inside a group that is repeated."""


@dataclass(slots=True)
class _Place:
    """A common beginning of words, `depth` characters long."""

    depth: int
    word: bool = False
    size: int = 1
    following: dict[str, _Place] = field(default_factory=dict[str, "_Place"])
    leaves: Expr = EMPTY
    """On to a character that no word has there, which is not escaped or only so."""
    along: Expr = EMPTY
    """On to a place where any escape leaves the words."""
    short: Expr | None = None
    """On to an end that is no word, if there is one."""


def other_than(words: list[str], cut: Callable[[Expr], Expr] = lambda part: part) -> Expr:
    """The content of every string but these.

    `cut` may give a part a name, every few characters, so that nothing is nested deeply.

    >>> from wireshape.emit.grammar.algebra import matches
    >>> from wireshape.emit.grammar.chars import TOKENS
    >>> [matches(other_than(["ab", "a"]), text, TOKENS) for text in ("", "a", "ab", "abc", "b")]
    [True, False, False, True, True]
    """
    if not words:
        return many(KEY_CHAR)
    places = _places(words)
    for place in reversed(places):
        place.size += sum([to.size for to in place.following.values()])
        if (place.depth and place.depth % _DEEP == 0) or place.size > _LARGE:
            _write(place, cut)
            place.size = 1
        else:
            _write(place, lambda part: part)
    root = places[0]
    other = seq(alt([root.leaves, seq(root.along, ESCAPE)]), many(KEY_CHAR))
    return other if root.short is None else alt([other, root.short])


def _places(words: list[str]) -> list[_Place]:
    """Every common beginning, each before those that go on from it."""
    places = [_Place(0)]
    for word in words:
        at = places[0]
        for depth, c in enumerate(word, 1):
            if c not in at.following:
                at.following[c] = _Place(depth)
                places.append(at.following[c])
            at = at.following[c]
        at.word = True
    return places


def _write(place: _Place, cut: Callable[[Expr], Expr]) -> None:
    """Write what leads away from a place, which is known of those that follow it."""
    following = sorted(place.following.items())
    taken = union([(ord(c), ord(c)) for c, _ in following])
    plain = all([is_plain(c) for c, _ in following])
    here = Chars(within(complement(taken), RAW)) if plain else one_of(complement(taken))
    place.leaves = cut(alt([here, *[seq(spelled(c), to.leaves) for c, to in following]]))
    along = [seq(spelled(c), to.along) for c, to in following]
    place.along = cut(alt(along)) if along else EMPTY
    if plain:
        place.along = opt(place.along)
    short = [seq(spelled(c), to.short) for c, to in following if to.short is not None]
    place.short = cut(alt(short)) if short else None
    if not place.word:
        place.short = EMPTY if place.short is None else opt(place.short)
