"""Where in a reply the answer is: what surrounds it is taken off, and JSON is found inside other text; it parses strictly or not at all.

`Here you are: {"a": 1}` -> the region `{"a": 1}`. A region is never looked for inside a region, and a region that looks like part
of something larger makes the whole reply uncertain.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Literal

from wireshape.reply.outcome import Edit, shown
from wireshape.reply.quirks.marks import (
    CALL_BEGINS,
    CALL_HEAD,
    CLOSED_ONLY,
    HEADS,
    REASONING,
    TAILS,
)

INVISIBLE = " \t\r\n\ufeff\u200b\u200c\u200d\u2060\u00a0"
_OPENING = re.compile("|".join([re.escape(opening) for opening, _ in REASONING]))
_CLOSERS_OF_ALL = sorted({*[c for _, c in REASONING], *CLOSED_ONLY}, key=len, reverse=True)
_CLOSING = re.compile("|".join(map(re.escape, _CLOSERS_OF_ALL)))
_CLOSER_OF = dict(REASONING)
_HEAD = re.compile("|".join(HEADS))
_TAIL = re.compile("(?:" + "|".join([re.escape(tail) for tail in TAILS]) + r")\Z")
_CALLS = re.compile("|".join(map(re.escape, CALL_BEGINS)))
_LONGEST_TAIL = max(map(len, TAILS))
_MAX_BLOCKS = 64
_FENCED = re.compile(r"(`{3,}|~{3,})[ \t]*([\w+.-]*)[ \t]*\r?\n?")
_TAG = re.compile(r"(?:json|JSON)[ \t]*\r?\n")

REGION = re.compile(
    r"""\{(?=\s*(?:["'“`}\\]|&quot;|//|/\*|\#|[^\W\d][\w$-]*\s*:))"""
    r"""|\[(?=\s*(?:["'“`{\[(\]\\\d.+-]|&quot;|//|/\*|(?:true|false|null|True|False|None)\b))""",
    re.VERBOSE,
)
"""Where a JSON object or array, or what was meant as one, begins."""


@dataclass(slots=True)
class Core:
    """The part `text[start:end]` of a reply that is left when reasoning and wrappers are off, with what was taken off."""

    start: int
    end: int
    edits: list[Edit]
    unfinished: bool = False


def core_of(text: str, *, fenced: bool = True) -> Core:
    r"""Take off invisible characters, reasoning, and one fence around all that is left.

    >>> core = core_of("<think>hm</think>```json\n[1]\n```")
    >>> core.start, core.end, [edit.kind for edit in core.edits]
    (25, 28, ['reasoning', 'fence', 'fence'])
    """
    core = Core(0, len(text), [])
    _trim(text, core)
    marks = _Next(text, REGION), _Next(text, _OPENING), _Next(text, _CLOSING)
    for _ in range(_MAX_BLOCKS):
        if not _reasoning(text, core, marks, leading=not fenced):
            break
        _trim(text, core)
    else:
        core.start, core.unfinished = core.end, True
    _wrapper(text, core)
    if fenced:
        _fence(text, core)
    return core


def without_reasoning(text: str) -> Core:
    """Take off reasoning that begins a text, and what a template puts around it; else nothing.

    >>> core = without_reasoning("<think>hm</think> Hi ")
    >>> core.start, core.end, without_reasoning(" Hi").start
    (18, 20, 0)
    """
    core = core_of(text, fenced=False)
    return core if core.edits and not core.unfinished else Core(0, len(text), [])


def _drop(text: str, core: Core, start: int, end: int, kind: str) -> None:
    core.edits.append(
        Edit(offset=start, kind=kind, before=shown(text[start:end].strip()), after="")
    )


def _trim(text: str, core: Core) -> None:
    while core.start < core.end and text[core.start] in INVISIBLE:
        core.start += 1
    while core.end > core.start and text[core.end - 1] in INVISIBLE:
        core.end -= 1


def _wrapper(text: str, core: Core) -> None:
    """Take off what a template puts around an answer."""
    head = _HEAD.match(text, core.start, core.end)
    if head is not None:
        _drop(text, core, core.start, head.end(), "wrapper")
        core.start = head.end()
    end = core.end
    while (
        tail := _TAIL.search(text, max(core.start, core.end - _LONGEST_TAIL), core.end)
    ) is not None:
        core.end = tail.start()
        _trim(text, core)
    if core.end < end:
        _drop(text, core, core.end, end, "wrapper")
    if head is not None:
        _trim(text, core)


class _Next:
    """The next match of a pattern from a place that only moves on; what was found, or not, is not searched again."""

    __slots__ = ("_found", "_pattern", "_text")

    def __init__(self, text: str, pattern: re.Pattern[str]) -> None:
        self._text = text
        self._pattern = pattern
        self._found: re.Match[str] | Literal["unsearched"] | None = "unsearched"

    def find(self, start: int, end: int) -> re.Match[str] | None:
        found = self._found
        if found is not None and (found == "unsearched" or found.start() < start):
            found = self._found = self._pattern.search(self._text, start, end)
        return found


def _reasoning(text: str, core: Core, marks: tuple[_Next, _Next, _Next], *, leading: bool) -> bool:
    """Take off one reasoning block before the answer, or only a block that begins the text; tell whether there was one."""
    region = marks[0].find(core.start, core.end)
    opening = marks[1].find(core.start, core.end)
    limit = region.start() if region else core.end
    if leading and (core.edits or (opening is not None and opening.start() > core.start)):
        return False
    if opening is not None and CALL_HEAD in text[core.start : opening.start()]:
        return False
    if opening is not None and opening.start() < limit:
        closer = _CLOSER_OF[opening.group()]
        closed = text.find(closer, opening.end(), core.end)
        if closed < 0:
            calls = _CALLS.search(text, opening.end(), core.end)
            if calls is not None:
                _drop(text, core, core.start, calls.start(), "reasoning")
                core.start = calls.start()
                return False
            core.unfinished = True
            _drop(text, core, core.start, core.end, "reasoning")
            core.start = core.end
            return False
        _drop(text, core, core.start, closed + len(closer), "reasoning")
        core.start = closed + len(closer)
        return True
    closing = marks[2].find(core.start, core.end)
    if closing is None or text[core.start] in '{["`' or (closing.group() == "<|end|>"):
        return False
    _drop(text, core, core.start, closing.end(), "reasoning")
    core.start = closing.end()
    return True


def _fence(text: str, core: Core) -> None:
    """Take off a fence that begins the core, when nothing follows its end; a bare word `json` too."""
    opening = _FENCED.match(text, core.start, core.end)
    if opening is None:
        tag = _TAG.match(text, core.start, core.end)
        if tag is not None:
            _drop(text, core, core.start, tag.end(), "fence")
            core.start = tag.end()
            _trim(text, core)
        return
    mark = opening.group(1)
    closing = text.rfind(mark, opening.end(), core.end)
    if closing < 0 or closing + len(mark) != core.end:
        return
    _drop(text, core, core.start, opening.end(), "fence")
    _drop(text, core, closing, core.end, "fence")
    core.start, core.end = opening.end(), closing
    _trim(text, core)


def is_part(text: str, start: int, end: int, low: int, high: int) -> bool:
    """Tell whether the region `text[start:end]` looks like a part of a larger, damaged value in `text[low:high]`.

    >>> is_part('"a": {"b": 1}}', 5, 13, 0, 14), is_part('so: {"b": 1}.', 4, 12, 0, 13)
    (True, False)
    """
    before = text[low:start].rstrip()[-64:]
    if before:
        if _COMMENT.search(text[max(low, start - 4096) : start]):
            return True
        last, rest = before[-1], before[:-1].rstrip()
        if last in "{[\"'\\" or (last == ":" and rest[-1:] in ('"', "'", "\\")):
            return True
        if last == "," and (rest[-1:] in ('"', "'", "}", "]") or rest[-1:].isdigit()):
            return True
    after = text[end : min(high, end + 4096)].lstrip()
    if not after:
        return False
    if after[0] in '"]:\\':
        return True
    return after[0] == "," and after[1:].lstrip()[:1] in ('"', "'", "{", "[", "]", "}", "\\")


_COMMENT = re.compile(r"/\*(?:(?!\*/)[\s\S])*\Z|(?<!:)//[^\n]*\Z")


def only_closers(text: str) -> bool:
    r"""Tell whether a text is closing braces and what ends a reply.

    >>> only_closers("}}\n```"), only_closers("} and"), only_closers("")
    (True, False, False)
    """
    return text.lstrip().startswith("}") and _CLOSERS.fullmatch(text) is not None


_CLOSERS = re.compile(r"[\s}]++(?:`{3}\s*+|<\|[\w-]{1,32}\|>\s*+)*+")
_LABEL = re.compile(
    r"(?im)(?:^|[.!?]\s)[^\n{}\[\]]{0,60}\b(?:final|corrected|revised)\b[^\n{}\[\]]{0,40}:[*_ \t]*\s*(?:`{3}[\w-]*\s*)?\Z"
)


def is_announced(between: str) -> bool:
    r"""Tell whether the text before a region calls it the final answer.

    >>> is_announced("\nFinal answer:\n```json\n"), is_announced(" On reflection ")
    (True, False)
    """
    return _LABEL.search(between[-200:]) is not None


def layers(text: str, start: int, end: int) -> list[tuple[str, str, int]]:
    r"""Undo an escaping of the whole text of a region: `(kind, text, end)` of each way to read it.

    >>> layers(r'{\"a\": 1}', 0, 10)[0]
    ('over-escaped', '{"a": 1}', 10)
    """
    close = "}" if text[start] == "{" else "]"
    stop = text.rfind(close, start, end) + 1
    body = text[start:stop]
    first = _QUOTE.search(body)
    if first is None or '"' in body.replace('\\"', ""):
        return []
    if first.group() == '\\"':
        return [("over-escaped", _unescaped(body), stop)]
    if first.group() == "&quot;" and '"' not in body and "'" not in body:
        return [("html-escaped", one, stop) for one in _without_entities(body)]
    return []


_QUOTE = re.compile(r"""\\?"|&quot;|['`\u201c\u2018]""")


def _unescaped(body: str) -> str:
    """Undo one layer of escapes: of quotes and backslashes if each of them is escaped, else of quotes alone."""
    if _LAYER.fullmatch(body):
        return _ESCAPE.sub(r"\1", body)
    return body.replace('\\"', '"')


_LAYER = re.compile(r'(?:[^"\\]++|\\["\\])*+')
_ESCAPE = re.compile(r'\\(["\\])')


def _without_entities(body: str) -> list[str]:
    quotes_only = body.replace("&quot;", '"')
    whole = quotes_only
    for entity, char in (("&lt;", "<"), ("&gt;", ">"), ("&#39;", "'"), ("&#x27;", "'"), ("&apos;", "'"), ("&amp;", "&")):  # fmt: skip
        whole = whole.replace(entity, char)
    return [whole] if whole == quotes_only else [whole, quotes_only]


def is_blank(text: str) -> bool:
    """Tell whether a text has nothing but white space, with a line break."""
    return not text.strip() and "\n" in text


@dataclass(slots=True)
class Reading:
    """One way to read a part of a reply: the value, what was changed, and how sure it is."""

    value: Any
    start: int
    end: int
    edits: list[Edit]
    strict: bool
    odd: bool = False
    risky: tuple[tuple[str | int, ...], ...] = ()
