r"""Strings: lengths, patterns and formats become what may stand between quotes; what cannot be said together is named.

{pattern: ^[a-z]+$, maxLength: 5}  ->  "[a-z]{1,5}"
"""

from __future__ import annotations

from functools import lru_cache

from wireshape import ir
from wireshape.emit.grammar.algebra import Expr, alt, many, seq
from wireshape.emit.grammar.chars import CHAR, KEY_CHAR, one_of, quoted, spelled
from wireshape.emit.grammar.formats import FORMATS
from wireshape.regex.facts import facts
from wireshape.regex.nodes import (
    Alt,
    Dot,
    Group,
    Node,
    Repeat,
    Seq,
    Set,
    Shorthand,
    Text,
)
from wireshape.regex.sets import LINE_ENDS, SHORTHANDS, complement, ranges, union
from wireshape.regex.whole import UnsayableError, whole


def string(n: ir.String) -> Expr:
    """A string, quotes included; of what `unsaid` names nothing is said."""
    return quoted(content(n))


def content(n: ir.String) -> Expr:
    """What may stand between the quotes."""
    core = _core(n)
    if core is None:
        return many(CHAR, n.min_length, n.max_length)
    tree = _tree(core)
    assert tree is not None
    fitted = _fitted(tree, n.min_length, n.max_length)
    return _alt(tree if fitted is None else fitted)


def unsaid(n: ir.String) -> list[tuple[str, object]]:
    """Name the keywords of a string, with their operands, that a grammar cannot say beside its first pattern or format.

    >>> unsaid(ir.String(patterns=("^[a-z]+$", "^.?x"), max_length=5))
    [('pattern', '^.?x')]
    """
    core = _core(n)
    lost: list[tuple[str, object]] = [("pattern", p) for p in n.patterns if p != core]
    lost += [("format", f) for f in n.formats if FORMATS.get(f) != core]
    tree = None if core is None else _tree(core)
    if tree is not None and _fitted(tree, n.min_length, n.max_length) is None:
        low, high = _width(tree)
        if n.min_length > low:
            lost.append(("minLength", n.min_length))
        if n.max_length is not None and (high is None or high > n.max_length):
            lost.append(("maxLength", n.max_length))
    return lost


def largest_count(pattern: str) -> int:
    """The largest number in the repeats of a pattern.

    >>> largest_count("^(a{2,30}b*)?$")
    30
    """
    tree = _tree(pattern)
    return 0 if tree is None else _count(tree)


def _count(tree: Alt) -> int:
    counts = [0]
    for n in [item for arm in tree.arms for item in arm.items]:
        while isinstance(n, Repeat):
            counts += [n.low, n.high or 0]
            n = n.node  # noqa: PLW2901 - down to what is repeated
        if isinstance(n, Group):
            counts.append(_count(n.body))
    return max(counts)


def _core(n: ir.String) -> str | None:
    """The pattern that is said."""
    patterns = [*n.patterns, *[FORMATS[f] for f in n.formats if f in FORMATS]]
    return next((p for p in patterns if _tree(p) is not None), None)


@lru_cache(maxsize=512)
def _tree(pattern: str) -> Alt | None:
    """What must match the whole text, without anchors; `None` where no grammar says it."""
    tree = facts(pattern).tree
    if tree is None:
        return None
    try:
        plain = whole(tree, Set((), negated=True), numbered=False)
        _alt(plain)
    except UnsayableError:
        return None
    return plain


def _fitted(tree: Alt, low: int, high: int | None) -> Alt | None:
    """The tree within bounds on the length: itself, or its one repeat tightened; `None` where neither will do."""
    least, most = _width(tree)
    if least >= low and (high is None or (most is not None and most <= high)):
        return tree
    items = [item for arm in tree.arms for item in arm.items]
    loose = [i for i, item in enumerate(items) if _width_of(item)[0] != _width_of(item)[1]]
    if len(tree.arms) > 1 or len(loose) != 1:
        return None
    repeat = items[loose[0]]
    if not isinstance(repeat, Repeat) or _width_of(repeat.node) != (1, 1):
        return None
    fixed = least - repeat.low
    first = max(repeat.low, low - fixed)
    ends = [end for end in (repeat.high, None if high is None else high - fixed) if end is not None]
    if ends and min(ends) < first:
        return None
    new = Repeat(repeat.node, first, min(ends, default=None))
    return Alt((Seq((*items[: loose[0]], new, *items[loose[0] + 1 :])),))


def _width(tree: Alt) -> tuple[int, int | None]:
    """The least and the greatest number of characters."""
    sizes = [_sum([_width_of(item) for item in arm.items]) for arm in tree.arms]
    highs = [high for _, high in sizes]
    return min([low for low, _ in sizes]), None if None in highs else max([h or 0 for h in highs])


def _sum(sizes: list[tuple[int, int | None]]) -> tuple[int, int | None]:
    highs = [high for _, high in sizes]
    return sum([low for low, _ in sizes]), None if None in highs else sum([h or 0 for h in highs])


def _width_of(n: Node) -> tuple[int, int | None]:
    match n:
        case Text(text):
            return len(text), len(text)
        case Repeat(node, low, high):
            least, most = _width_of(node)
            return least * low, None if high is None or most is None else most * high
        case Group(body):
            return _width(body)
        case _:
            return 1, 1


def _alt(tree: Alt) -> Expr:
    return alt([seq(*[_expr(item) for item in arm.items]) for arm in tree.arms])


def _expr(n: Node) -> Expr:
    match n:
        case Text(text):
            if any(["\ud800" <= c <= "\udfff" for c in text]):
                raise UnsayableError("half a surrogate pair")
            return spelled(text)
        case Dot():
            return one_of(complement(LINE_ENDS))
        case Shorthand(letter):
            parts = union(SHORTHANDS[letter.lower()])
            return one_of(complement(parts) if letter.isupper() else parts)
        case Set():
            return _class(n)
        case Repeat(node, low, high):
            return many(_expr(node), low, high)
        case Group(body, kind) if kind != "flags":
            return _alt(body)
        case _:
            raise UnsayableError("a part that looks around")


def _class(n: Set) -> Expr:
    found = ranges(n)
    if found is None:
        raise UnsayableError("a Unicode property")
    if found == ((0, 0x10FFFF),):
        return KEY_CHAR
    if not complement(union([*complement(found), (0xD800, 0xDFFF)])):
        raise UnsayableError("nothing matches the class")
    return one_of(found)
