"""How long descriptions may be so that the bytes of a wire schema fit, and what that saves; it cuts nothing itself.

A description of the wire may be several of the source, one after the other, each of which is cut by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from wireshape import ir
from wireshape.budget_fields import Present
from wireshape.cost import Layout
from wireshape.grant import CUT, Excess
from wireshape.walk import LEAVES, children

FEWEST = 120  # characters that a description keeps


def long_texts(layout: Layout, graph: ir.Graph) -> dict[int, list[str]]:
    """The long descriptions of the source in each description of the wire, by the identity of the schema."""
    sources = _sources(graph)
    found: dict[int, list[str]] = {}
    for wire in layout.laid.wires:
        text = wire.get("description", "")
        if len(text) > FEWEST:
            pieces = _pieces(text, sources)
            if pieces:
                found[id(wire)] = pieces
    return found


def _sources(graph: ir.Graph) -> dict[str, str]:
    """The long descriptions of the source by how they start, the longest of those that start alike."""
    found: dict[str, str] = {}
    stack: list[ir.Node] = [graph.root, *graph.defs.values()]
    seen: set[int] = set()
    while stack:
        n = stack.pop()
        if n.ann and "description" in n.ann:
            text = n.ann["description"] or ""
            if len(text) > FEWEST:
                start = text[: FEWEST - len(CUT)]
                found[start] = max(text, found.get(start, ""), key=len)
        if type(n) not in LEAVES and id(n) not in seen:
            seen.add(id(n))
            stack += children(n)
    return found


def _pieces(text: str, sources: Mapping[str, str]) -> list[str]:
    """The parts of a text that are descriptions of the source, whole or cut."""
    pieces: list[str] = []
    at = 0
    while len(text) - at > FEWEST:
        source = sources.get(text[at : at + FEWEST - len(CUT)], "")
        size = len(source)
        if source and not text.startswith(source, at):
            size = text.find(CUT, at) + len(CUT) - at
        if size > FEWEST:
            pieces.append(text[at : at + size])
        at = text.find("\n", at + size) + 1
        if at == 0:
            break
    return pieces


def saved_by(words: int, texts: Mapping[int, list[str]]) -> dict[int, int]:
    """The bytes that each schema is shorter by when descriptions have that many characters; what is escaped counts once."""
    return {
        key: sum([_bytes(piece) - _bytes(piece[:words]) for piece in pieces])
        for key, pieces in texts.items()
    }


def bytes_of(texts: Iterable[list[str]]) -> int:
    """The bytes of all these descriptions."""
    return sum([_bytes(piece) for pieces in texts for piece in pieces])


def _bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode())


def fewer_words(
    words: int | None, why: Excess, texts: Iterable[list[str]], present: Present
) -> int:
    """How long a description may be now: less than before."""
    if words is not None:
        if present.stuck and words <= present.longest:
            return FEWEST  # what is cut is not what is long
        words = min(words, present.longest)
    sizes = [len(piece) for pieces in texts for piece in pieces]
    fewer = _fitting(sizes, why.count - why.limit)
    if words is None or fewer < words:
        return fewer
    return max(FEWEST, words - max(words // 64, 1))


def _fitting(sizes: list[int], need: int) -> int:
    """How long a description may be so that all together are short enough, or the least that is left of one."""
    sizes.sort(reverse=True)
    for i, size in enumerate(sizes):
        rest = sizes[i + 1] if i + 1 < len(sizes) else FEWEST
        if (size - rest) * (i + 1) >= need:
            return max(FEWEST, size - -(-need // (i + 1)) - len(CUT))
        need -= (size - rest) * (i + 1)
    return FEWEST
