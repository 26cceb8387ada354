"""Paths into the JSON of replies, as rows write them: keys, `*` for every item, and conditions in brackets.

`/choices/*[not=index]/message/tool_calls/*[type=function|]` -> every function call of the first choice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from wireshape.errors import shown
from wireshape.ir import kind_of


class Condition(NamedTuple):
    """A condition on a part: the value at `path` is one of `values` (`""`: there is none); or `has`, `not`, `there`.

    What is empty counts as nothing for `has` and `not`, but it is `there`.
    """

    path: str
    word: str
    values: frozenset[str]


class Step(NamedTuple):
    """One step down; `other` is the same key in snake case, as clients write that dump their objects."""

    key: str
    other: str
    tests: tuple[Condition, ...]


_STEP = re.compile(r"/([^/\[\]]*)(?:\[([^\]]*)\])?")
_HEAD = re.compile(r"\[([^\]]*)\]")
_HUMP = re.compile(r"(?<=[a-z0-9])([A-Z])")


@cache
def steps_of(path: str) -> tuple[Step, ...]:
    """Take a path apart; the first step is the whole and has conditions only.

    Raises ValueError for what is no path.

    >>> [step.key for step in steps_of("[type=a]/b/*")]
    ['', 'b', '*']
    """
    head = _HEAD.match(path)
    at = head.end() if head else 0
    steps = [Step("", "", _tests(head.group(1)) if head else ())]
    while at < len(path):
        step = _STEP.match(path, at)
        if step is None:
            raise ValueError(path)
        key = step.group(1)
        other = _HUMP.sub(lambda m: "_" + m.group(1).lower(), key)
        steps.append(Step(key, other, _tests(step.group(2) or "")))
        at = step.end()
    return tuple(steps)


def _tests(text: str) -> tuple[Condition, ...]:
    tests: list[Condition] = []
    for condition in [c for c in text.split(",") if c]:
        word, mark, value = condition.partition("=")
        if not mark:
            raise ValueError(text)
        if word in ("has", "not", "there"):
            tests.append(
                Condition(value if value.startswith("/") else f"/{value}", word, frozenset())
            )
        else:
            place = word if word.startswith("/") else f"/{word}"
            tests.append(Condition(place, "is", frozenset(value.split("|"))))
    return tuple(tests)


def found(value: Any, path: str) -> Iterator[Any]:
    """Yield every part at a path; a value that is null is none.

    >>> body = {"parts": [{"type": "text", "text": "a"}, {"type": "image"}, {"text": "b"}]}
    >>> list(found(body, "/parts/*[type=text|]/text"))
    ['a', 'b']
    """
    return _found(value, steps_of(path), 0)


def first(value: Any, path: str) -> Any:
    """Return the first part at a path, `None` when there is none."""
    return next(found(value, path), None)


def _found(value: Any, steps: tuple[Step, ...], at: int) -> Iterator[Any]:
    for test in steps[at].tests:
        if not _passes(value, test):
            return
    at += 1
    if at == len(steps):
        if value is not None:
            yield value
        return
    step, kind = steps[at], kind_of(value)
    if step.key == "*":
        if kind is list:
            for item in value:
                yield from _found(item, steps, at)
    elif kind is dict:
        here = value.get(step.key)
        if here is None and step.other != step.key:
            here = value.get(step.other)
        if here is not None:
            yield from _found(here, steps, at)
    elif kind is list and step.key.isdecimal() and int(step.key) < len(value):
        yield from _found(value[int(step.key)], steps, at)


def _passes(value: Any, test: Condition) -> bool:
    here = first(value, test.path)
    if test.word == "has":
        return bool(here)
    if test.word == "not":
        return not here
    if test.word == "there":
        return here is not None
    return (here if isinstance(here, str) else "" if here is None else shown(here)) in test.values
