r"""Tell what an ECMA-262 pattern uses, and spell it for a dialect whose engine reads patterns differently.

Nothing here matches: a pattern is scanned once, and its text is cut and padded.

    xyz    read as a search    ^[\s\S]*xyz[\s\S]*$    the same strings when the whole text must match
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from wireshape.regex.scan import Scan, scan

if TYPE_CHECKING:
    from wireshape.dialect import Strings

FEATURES = frozenset(
    "lookahead lookbehind backreference word-boundary unicode-property inline-modifier lazy named-group complex-repeat "
    "possessive atomic conditional-group repeat-of-repeat invalid".split()
)
"""What a row may forbid. `complex-repeat`: `{n}`, `{n,}` or `{n,m}` on a group that holds a repeat itself.
`possessive`, `atomic`, `conditional-group` and `repeat-of-repeat` come with `invalid`: ECMA-262 has no such thing."""

_EVERYTHING = r"[\s\S]*"
_NOT_A_LINE_END = r"[^\n\r\u2028\u2029]"


def features(pattern: str) -> frozenset[str]:
    r"""Name the features of `pattern`, out of `FEATURES`; one that does not parse has `invalid` among them.

    >>> sorted(features(r"^(?=a)\bx+?$"))
    ['lazy', 'lookahead', 'word-boundary']
    """
    return scan(pattern).features


def spell(pattern: str, strings: Strings) -> str | None:
    r"""Spell `pattern` so that the row's engine accepts the same strings, or return `None` where that cannot be said.

    Where the engine matches whole texts the result is anchored, so that it means the same under both readings. An anchor
    that is not at the edge of an alternative is given up on. `spell(spell(p)) == spell(p)`.

    >>> from wireshape.dialect import Strings
    >>> spell("^a|b$", Strings(anchoring="full"))
    '^(?:a[\\s\\S]*|[\\s\\S]*b)$'
    """
    s = scan(pattern)
    if s.error is not None:
        return None
    forbidden = s.features & strings.forbid
    if "backreference" not in s.features:
        forbidden -= {"lazy", "named-group"}  # respelled: neither changes which strings match
    if forbidden:
        return None
    if strings.regex != "ecma" and any([t.kind == "none" for t in s.tokens]):
        return None
    texts = _texts(pattern, s, strings)
    if strings.anchoring == "search":
        return "".join(texts)
    return _anchored(s, texts)


def _texts(pattern: str, s: Scan, strings: Strings) -> list[str]:
    """Give the text of each token in the row's syntax."""
    texts = [pattern[t.begin : t.end] for t in s.tokens]
    greedy, unnamed = "lazy" in strings.forbid, "named-group" in strings.forbid
    for i, t in enumerate(s.tokens):
        if t.kind == "dot" and strings.dot_all:
            texts[i] = _NOT_A_LINE_END
        elif t.kind == "any" and strings.regex != "ecma":
            texts[i] = r"[\s\S]"
        elif t.kind == "quant" and greedy and len(texts[i]) > 1:
            texts[i] = texts[i].removesuffix("?")
        elif t.kind == "open" and unnamed and s.groups[i].kind == "named":
            texts[i] = "(?:"
    return texts


class _Arm(NamedTuple):
    """One alternative: its text without edge anchors, and which edges were anchored."""

    body: str
    start: bool
    end: bool


def _anchored(s: Scan, texts: list[str]) -> str | None:
    arms = _arms(s, texts)
    if arms is None:
        return None
    open_start, open_end = not any([a.start for a in arms]), not any([a.end for a in arms])
    parts: list[str] = []
    for a in arms:
        left = "" if a.start or open_start else _EVERYTHING
        right = "" if a.end or open_end else _EVERYTHING
        parts.append(left + a.body + right if a.body else left or right)
    body = parts[0] if len(parts) == 1 else f"(?:{'|'.join(parts)})"
    left = _EVERYTHING if open_start and (body or not open_end) else ""
    return f"^{left}{body}{_EVERYTHING if open_end else ''}$"


def _arms(s: Scan, texts: list[str]) -> list[_Arm] | None:
    """Split into alternatives, through a group that is all of one; `None` when an anchor stands inside one."""
    anchors = [0]
    for t in s.tokens:
        anchors.append(anchors[-1] + (t.kind == "start" or t.kind == "end"))
    unwrap = "backreference" not in s.features
    arms: list[_Arm] = []
    todo = _split(0, len(s.tokens), s.bars)[::-1]
    while todo:
        begin, end = todo.pop()
        low, high = begin, end
        while low < high and s.tokens[low].kind == "start":
            low += 1
        while high > low and s.tokens[high - 1].kind == "end":
            high -= 1
        if anchors[high] == anchors[low]:
            arms.append(_Arm("".join(texts[low:high]), low > begin, high < end))
            continue
        group = s.groups.get(begin)
        if (
            not unwrap
            or group is None
            or group.close != end - 1
            or group.kind not in ("plain", "capture", "named")
        ):
            return None
        todo += _split(begin + 1, end - 1, group.bars)[::-1]
    return arms


def _split(begin: int, end: int, bars: list[int]) -> list[tuple[int, int]]:
    edges = [begin - 1, *bars, end]
    return [(a + 1, b) for a, b in pairwise(edges)]


def as_search(pattern: str, strings: Strings) -> str:
    r"""Write what the row reads in `pattern` as the search pattern of ECMA-262; the inverse of `spell` in meaning.

    One that does not parse is returned as it is, and so is one that `spell` wrote: it means the same both ways.

    >>> from wireshape.dialect import Strings
    >>> as_search("a.", Strings(anchoring="full", dot_all=True))
    '^(?:a[\\s\\S])$'
    """
    s = scan(pattern)
    if s.error is not None or spell(pattern, strings) == pattern:
        return pattern
    if strings.dot_all:
        pattern = "".join(
            [r"[\s\S]" if t.kind == "dot" else pattern[t.begin : t.end] for t in s.tokens]
        )
    return f"^(?:{pattern})$" if strings.anchoring == "full" else pattern
