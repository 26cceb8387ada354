r"""Turn a pattern that is searched for into one that must match the whole text, so that the same texts are accepted.

    abc  ->  [\s\S]*abc[\s\S]*          ^a|b$  ->  a[\s\S]*|[\s\S]*b          (^|-)a$  ->  (|[\s\S]*-)a

Anchors are given up on where they stand neither first nor last.
"""

from __future__ import annotations

from typing import NamedTuple

from wireshape.regex import nodes
from wireshape.regex.sets import ANY_PLAIN


class UnsayableError(ValueError):
    """No pattern of the wanted kind accepts these texts, as far as is known here."""


class _Side(NamedTuple):
    """One end of the text: its anchor, what any text is there, and whether groups must stay as they are."""

    anchor: nodes.Start | nodes.End
    any_text: nodes.Repeat
    numbered: bool

    @property
    def first(self) -> bool:
        return isinstance(self.anchor, nodes.Start)


def whole(tree: nodes.Alt, any_one: nodes.Node, *, numbered: bool) -> nodes.Alt:
    """Match the whole text; `any_one` is any character. With `numbered` groups, back-references hold them in place."""
    tree = flat(tree, numbered=numbered)
    for anchor in (nodes.Start(), nodes.End()):
        side = _Side(anchor, nodes.Repeat(any_one, 0, None), numbered)
        if len(tree.arms) > 1 and not _anchored(tree, anchor):
            tree = nodes.Alt((nodes.Seq((nodes.Group(tree),)),))
        tree = _alternatives(tree, side, padded=True)
    return flat(tree, numbered=numbered)


def flat(tree: nodes.Alt, *, numbered: bool) -> nodes.Alt:
    """Take apart groups that are all of an alternative; ones that capture only where an anchor is inside."""
    arms: list[nodes.Seq] = []
    todo = list(tree.arms[::-1])
    while todo:
        arm = todo.pop()
        group = arm.items[0] if len(arm.items) == 1 else None
        if isinstance(group, nodes.Group) and (
            (group.kind == "plain" and group != ANY_PLAIN)
            or (group.kind != "flags" and not numbered and _holds_anchor(group.body))
        ):
            todo += group.body.arms[::-1]
        else:
            arms.append(arm)
    return nodes.Alt(tuple(arms))


def _alternatives(tree: nodes.Alt, side: _Side, *, padded: bool) -> nodes.Alt:
    return nodes.Alt(tuple([_arm(arm, side, padded=padded) for arm in tree.arms]))


def _arm(arm: nodes.Seq, side: _Side, *, padded: bool) -> nodes.Seq:
    """Drop the anchor at this end of an alternative, or let any text stand there."""
    items = list(arm.items if side.first else arm.items[::-1])
    while items and items[0] == side.anchor:
        del items[0]
        padded = False
    if any([_holds(item, side.anchor) for item in items[1:]]):
        raise UnsayableError("an anchor inside")
    if items and _holds(items[0], side.anchor):
        items[0] = _group(items[0], side, padded=padded)
    elif padded:
        while items and _is_swallowed(items[0], side):
            del items[0]
        items.insert(0, side.any_text)
    return nodes.Seq(tuple(items if side.first else items[::-1]))


def _group(n: nodes.Node, side: _Side, *, padded: bool) -> nodes.Group:
    if not isinstance(n, nodes.Group) or n.kind == "flags" or (side.numbered and n.kind != "plain"):
        raise UnsayableError("an anchor inside")
    return nodes.Group(_alternatives(n.body, side, padded=padded), n.kind, n.label)


def _is_swallowed(n: nodes.Node, side: _Side) -> bool:
    """Whether any text makes this part needless: it may be empty, and nothing else looks at it."""
    return (
        isinstance(n, nodes.Repeat)
        and n.low == 0
        and not (side.numbered and isinstance(n.node, nodes.Group))
        and not _holds_anchor(nodes.Alt((nodes.Seq((n,)),)))
    )


def _anchored(tree: nodes.Alt, anchor: nodes.Start | nodes.End) -> bool:
    return any([_holds(item, anchor) for arm in tree.arms for item in arm.items])


def _holds_anchor(tree: nodes.Alt) -> bool:
    return _anchored(tree, nodes.Start()) or _anchored(tree, nodes.End())


def _holds(n: nodes.Node, anchor: nodes.Start | nodes.End) -> bool:
    match n:
        case nodes.Group(body) | nodes.Look(body):
            return _anchored(body, anchor)
        case nodes.Repeat(node):
            return _holds(node, anchor)
        case _:
            return n == anchor


def numbered(tree: nodes.Alt) -> bool:
    """Whether a back-reference asks for groups by number or name."""

    def refers(n: nodes.Node) -> bool:
        match n:
            case nodes.Group(body) | nodes.Look(body):
                return numbered(body)
            case nodes.Repeat(node):
                return refers(node)
            case _:
                return isinstance(n, nodes.Backreference)

    return any([refers(item) for arm in tree.arms for item in arm.items])
