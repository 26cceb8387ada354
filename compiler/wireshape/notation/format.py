"""Lay a text out anew; what it says stays, and so do its comments, each at the field or type that it stands by.

A comment behind a field stays behind it, any other one stands on a line of its own before what follows. One in the middle
of a type moves to the next field.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from wireshape.notation import tree
from wireshape.notation.actions import Comment
from wireshape.notation.faults import Fault, deepest, located
from wireshape.notation.grammar import parse
from wireshape.notation.layout import Remarks, laid_out


def format_text(text: str) -> str:
    r"""Return a text in its one layout; raise `NotationError` where it is no notation.

    >>> format_text("{a:string // first\n// then\nb ?: integer}")
    '{\n  a: string  // first\n  // then\n  b?: integer\n}\n'
    """
    text = text.removeprefix("\ufeff")
    comments: list[Comment] = []
    try:
        file = parse(text, comments)
        return laid_out(file, _placed(comments, file, text))
    except Fault as fault:
        raise located(fault, text) from None
    except RecursionError:
        raise located(Fault("nested too deeply", deepest(text), "WS114"), text) from None


class _Anchor(NamedTuple):
    """What a comment may stand by: where it begins, and where the braces around it close."""

    start: int
    until: int
    is_end: bool


def _placed(comments: list[Comment], file: tree.File, text: str) -> Remarks:
    before: dict[int, list[str]] = {}
    behind: dict[int, list[str]] = {}
    anchors = sorted(_anchors(file, len(text)))
    for comment in comments:
        line = text[text.rfind("\n", 0, comment.start) + 1 : comment.start].rstrip()
        owners = [a for a in anchors if a.start < comment.start < a.until and not a.is_end]
        if line and line[-1] not in "{[(|" and owners:
            behind.setdefault(owners[-1].start, []).append(comment.text)
            continue
        onward = next((a.start for a in anchors if a.start > comment.start), -1)
        before.setdefault(onward, []).append(comment.text)
    return Remarks(before, behind)


def _anchors(file: tree.File, end: int) -> Iterator[_Anchor]:
    for definition in file.definitions:
        yield _Anchor(definition.start, end + 1, is_end=False)
        stack: list[tree.Type] = [definition.type]
        while stack:
            t = stack.pop()
            stack += tree.parts(t)
            if type(t) is tree.Body:
                yield _Anchor(t.end, t.end, is_end=True)
                for m in t.members:
                    yield _Anchor(m.start, t.end, is_end=False)
