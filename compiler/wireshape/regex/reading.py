r"""Write what a row reads in a pattern as a search pattern of ECMA-262: the inverse of `spell` in meaning.

\d.    read by Rust    \p{Nd}[^\n]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from wireshape.regex.facts import facts
from wireshape.regex.languages import LANGUAGES, Language, reads_as_written
from wireshape.regex.nodes import (
    Alt,
    Dot,
    End,
    Group,
    Look,
    Node,
    Property,
    Range,
    Repeat,
    Seq,
    Set,
    Shorthand,
    Text,
)
from wireshape.regex.sets import ANY, LINE_ENDS
from wireshape.regex.spell import NOT_BEFORE_NEWLINE, spell
from wireshape.regex.write import write

if TYPE_CHECKING:
    from wireshape.dialect import Strings

_LOOSE_END: Final = Look(Alt((Seq((Repeat(Text("\n"), 0, 1), End())),)))


class _Source(NamedTuple):
    language: Language
    dot: Set | Dot


def as_search(pattern: str, strings: Strings) -> str:
    r"""Write what the row reads in `pattern` as the search pattern of ECMA-262.

    One that does not parse is returned as it is, and so is one that `spell` wrote: it means the same both ways.

    >>> from wireshape.dialect import Strings
    >>> as_search("a.", Strings(anchoring="full", dot_all=True))
    '^(?:a[\\s\\S])$'
    """
    if reads_as_written(strings):
        return pattern
    tree = facts(pattern).tree
    if tree is None or spell(pattern, strings) == pattern:
        return pattern
    language = LANGUAGES[strings.regex]
    dot: Set | Dot = Set(tuple([Range(*r) for r in language.dot_skips]), negated=True)
    if strings.dot_all:
        dot = ANY
    elif language.dot_skips == LINE_ENDS:
        dot = Dot()
    read = _alt(tree, _Source(language, dot))
    text = pattern if read == tree else write(read)
    return f"^(?:{text})$" if strings.anchoring == "full" else text


def _alt(tree: Alt, source: _Source) -> Alt:
    return Alt(tuple([_seq(arm, source) for arm in tree.arms]))


def _seq(arm: Seq, source: _Source) -> Seq:
    items = [_node(item, source) for item in arm.items]
    if source.language.strict_end:
        return Seq(tuple(items))
    read: list[Node] = []
    for item in items:
        if item == NOT_BEFORE_NEWLINE and read and read[-1] == _LOOSE_END:
            read[-1] = End()  # both together are the very end
        else:
            read.append(_LOOSE_END if item == End() else item)
    return Seq(tuple(read))


def _node(n: Node, source: _Source) -> Node:
    meanings = source.language.shorthands
    match n:
        case Dot():
            return source.dot
        case Shorthand(letter) if meanings is not None:
            return Set(meanings[letter.lower()], letter.isupper())
        case Set(members, negated) if meanings is not None:
            return _set(members, meanings, negated=negated)
        case Repeat(node, low, high, lazy):
            return Repeat(_node(node, source), low, high, lazy)
        case Look(body, behind, negated):
            return Look(_alt(body, source), behind, negated)
        case Group(body, kind, label):
            return Group(_alt(body, source), kind, label)
        case _:
            return n


def _set(
    members: tuple[Range | Shorthand | Property, ...],
    meanings: dict[str, tuple[Range | Property, ...]],
    *,
    negated: bool,
) -> Set:
    """Write out the shorthands in a class; the opposite of one that is several things is left, the nearest there is."""
    letters = {m.letter for m in members if isinstance(m, Shorthand)}
    if any([letter.swapcase() in letters for letter in letters]):
        return Set(ANY.members, negated)
    read: list[Range | Shorthand | Property] = []
    for m in members:
        meant = meanings[m.letter.lower()] if isinstance(m, Shorthand) else ()
        if not isinstance(m, Shorthand):
            read.append(m)
        elif m.letter.islower():
            read += meant
        elif len(meant) == 1 and isinstance(meant[0], Property):
            read.append(Property(meant[0].name, not meant[0].negated))
        else:
            read.append(m)
    return Set(tuple(read), negated)
