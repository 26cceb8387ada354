"""The laws of streaming, checked on one text cut at given places: nothing but the beginning of the outcome is ever shown."""

from __future__ import annotations

import json
from collections.abc import Iterable
from copy import deepcopy
from itertools import pairwise
from typing import Any

from wireshape.compiled import Compiled
from wireshape.errors import WireshapeError
from wireshape.testing.equality import is_beginning, same_json
from wireshape.testing.wire import wire_validator


def broken_stream_laws(compiled: Compiled, text: str, cuts: Iterable[int]) -> list[str]:
    """Stream a text that is cut at the given places, and tell which laws do not hold.

    - `push` is true just when what can be seen changed;
    - each partial value is a beginning of the next;
    - the outcome is that of `parse`, and what can be seen depends on the text alone, as text or as bytes, cut or not;
    - if the outcome is an output, every partial value is a beginning of it. Excepted are outcomes that were announced as
      final after another, and what is not wire-valid where the codec judges by the whole value.

    >>> import wireshape as ws
    >>> broken_stream_laws(ws.compile({"type": "array"}, "lenient"), "[1, 2]", [2, 3])
    []
    """
    broken: list[str] = []
    feed = compiled.stream()
    partials: list[Any] = [None]
    for part in _parts(text, cuts):
        changed = feed.push(part)
        partials.append(deepcopy(feed.partial))
        before, now = partials[-2:]
        if before is not None and not is_beginning(before, now):
            broken.append(f"{before!r} became {now!r}")
        if now is not None and changed == (before is not None and same_json(before, now)):
            broken.append(f"from {before!r} to {now!r}, push said {changed}")
    outcome = compiled.parse(text)
    if repr(feed.finish()) != repr(outcome):
        broken.append("the outcome is not that of parse")
    ways: list[list[str] | list[bytes]] = [[text], [bytes([byte]) for byte in text.encode()]]
    for parts in ways:
        other = compiled.stream()
        for piece in parts:
            other.push(piece)
        if repr(other.partial) != repr(feed.partial):
            broken.append(f"shows {feed.partial!r}, or {other.partial!r}, depending on the cuts")
    if outcome.kind == "output" and not _is_excepted(compiled, text, outcome.flags):
        value = outcome.value
        broken += [
            f"{p!r} is no beginning of {value!r}"
            for p in partials
            if p is not None and not is_beginning(p, value)
        ]
    return broken


def _parts(text: str, cuts: Iterable[int]) -> list[str]:
    edges = [0, *cuts, len(text)]
    return [text[a:b] for a, b in pairwise(edges)]


def _is_excepted(compiled: Compiled, text: str, flags: tuple[str, ...]) -> bool:
    if "announced-final" in flags:
        return True
    try:
        wire: Any = json.loads(text)
        return compiled.decode(wire) == wire and not wire_validator(compiled).is_valid(wire)
    except (ValueError, WireshapeError):
        return False
