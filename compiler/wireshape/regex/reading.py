r"""Write what a row reads in a pattern as a search pattern of ECMA-262: the inverse of `spell` in meaning.

\d.    read by Rust    \p{Nd}[^\n]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from wireshape.regex import nodes
from wireshape.regex.facts import facts
from wireshape.regex.languages import LANGUAGES, Language, reads_as_written
from wireshape.regex.sets import ANY, LINE_ENDS
from wireshape.regex.spell import NOT_BEFORE_NEWLINE, spell
from wireshape.regex.write import write

if TYPE_CHECKING:
    from wireshape.dialect import Strings

_LOOSE_END: Final = nodes.Look(
    nodes.Alt((nodes.Seq((nodes.Repeat(nodes.Text("\n"), 0, 1), nodes.End())),))
)


class _Source(NamedTuple):
    language: Language
    dot: nodes.Set | nodes.Dot


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
    dot: nodes.Set | nodes.Dot = nodes.Set(
        tuple([nodes.Range(*r) for r in language.dot_skips]), negated=True
    )
    if strings.dot_all:
        dot = ANY
    elif language.dot_skips == LINE_ENDS:
        dot = nodes.Dot()
    read = _alt(tree, _Source(language, dot))
    text = pattern if read == tree else write(read)
    return f"^(?:{text})$" if strings.anchoring == "full" else text


def _alt(tree: nodes.Alt, source: _Source) -> nodes.Alt:
    return nodes.Alt(tuple([_seq(arm, source) for arm in tree.arms]))


def _seq(arm: nodes.Seq, source: _Source) -> nodes.Seq:
    items = [_node(item, source) for item in arm.items]
    if source.language.strict_end:
        return nodes.Seq(tuple(items))
    read: list[nodes.Node] = []
    for item in items:
        if item == NOT_BEFORE_NEWLINE and read and read[-1] == _LOOSE_END:
            read[-1] = nodes.End()  # both together are the very end
        else:
            read.append(_LOOSE_END if item == nodes.End() else item)
    return nodes.Seq(tuple(read))


def _node(n: nodes.Node, source: _Source) -> nodes.Node:
    meanings = source.language.shorthands
    match n:
        case nodes.Dot():
            return source.dot
        case nodes.Shorthand(letter) if meanings is not None:
            return nodes.Set(meanings[letter.lower()], letter.isupper())
        case nodes.Set(members, negated) if meanings is not None:
            return _set(members, meanings, negated=negated)
        case nodes.Repeat(node, low, high, lazy):
            return nodes.Repeat(_node(node, source), low, high, lazy)
        case nodes.Look(body, behind, negated):
            return nodes.Look(_alt(body, source), behind, negated)
        case nodes.Group(body, kind, label):
            return nodes.Group(_alt(body, source), kind, label)
        case _:
            return n


def _set(
    members: tuple[nodes.Range | nodes.Shorthand | nodes.Property, ...],
    meanings: dict[str, tuple[nodes.Range | nodes.Property, ...]],
    *,
    negated: bool,
) -> nodes.Set:
    """Write out the shorthands in a class; the opposite of one that is several things is left, the nearest there is."""
    letters = {m.letter for m in members if isinstance(m, nodes.Shorthand)}
    if any([letter.swapcase() in letters for letter in letters]):
        return nodes.Set(ANY.members, negated)
    read: list[nodes.Range | nodes.Shorthand | nodes.Property] = []
    for m in members:
        meant = meanings[m.letter.lower()] if isinstance(m, nodes.Shorthand) else ()
        if not isinstance(m, nodes.Shorthand):
            read.append(m)
        elif m.letter.islower():
            read += meant
        elif len(meant) == 1 and isinstance(meant[0], nodes.Property):
            read.append(nodes.Property(meant[0].name, not meant[0].negated))
        else:
            read.append(m)
    return nodes.Set(tuple(read), negated)
