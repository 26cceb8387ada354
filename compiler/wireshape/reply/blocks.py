"""What a provider wants back with a call, unread: the blocks of a stream that stand before calls, put together from their pieces."""

from __future__ import annotations

from base64 import b64decode, b64encode
from typing import Any, NamedTuple

from wireshape.ir import kind_of
from wireshape.reply.delta import Delta, add_piece


class _Block(NamedTuple):
    """One block: how many calls came before it, how it began, and by place what goes on there."""

    calls: int
    given: dict[str, Any]
    texts: dict[str, list[str]]
    blobs: dict[str, list[bytes | str]]


class Blocks:
    """The blocks of one stream, each with the number of calls that came before it.

    >>> blocks = Blocks()
    >>> blocks.take(Delta("block", index=0, body={"type": "thinking", "thinking": ""}), 0)
    >>> blocks.take(Delta("block", index=0, into="/thinking", text="h"), 0)
    >>> blocks.take(Delta("block", index=0, into="/signature", text="s1"), 0)
    >>> blocks.before(0), blocks.before(1)
    ([{'type': 'thinking', 'thinking': 'h', 'signature': 's1'}], [])
    """

    def __init__(self) -> None:
        self._found: list[_Block] = []
        self._by_index: dict[int | str | None, int] = {}

    def take(self, delta: Delta, calls: int) -> None:
        """Take a block, or a piece of text of one; `calls` is how many calls have begun."""
        at = self._by_index.get(delta.index)
        if delta.into and at is None:
            at = self._begun(delta.index, calls, {})
        if delta.into and at is not None and kind_of(delta.body) in _BLOB:
            self._found[at].blobs.setdefault(delta.into, []).append(delta.body)
        elif delta.into and at is not None:
            add_piece(self._found[at].texts.setdefault(delta.into, []), delta.text)
        elif kind_of(delta.body) is dict:
            self._begun(delta.index, calls, delta.body)

    def before(self, calls: int) -> list[dict[str, Any]]:
        """Return the blocks that came when so many calls had begun."""
        return [_whole(block) for block in self._found if block.calls == calls]

    def _begun(self, index: int | str | None, calls: int, given: dict[str, Any]) -> int:
        self._found.append(_Block(calls, given, {}, {}))
        self._by_index[index] = len(self._found) - 1
        return len(self._found) - 1


_BLOB: frozenset[object] = frozenset({bytes, str})


def _whole(block: _Block) -> dict[str, Any]:
    """A block with the texts and bytes that came in pieces in their places."""
    out = block.given
    for pointer, parts in block.texts.items():
        out = _with(out, pointer.split("/")[1:], "".join(parts))
    for pointer, pieces in block.blobs.items():
        out = _with(out, pointer.split("/")[1:], _joined(pieces))
    return out


def _joined(pieces: list[bytes | str]) -> bytes | str:
    """Bytes that came in pieces: as bytes where a client gave such, else as base64 text, which may not just be appended."""
    try:
        whole = b"".join(
            [p if isinstance(p, bytes) else b64decode(p, validate=True) for p in pieces]
        )
    except ValueError:  # no base64: as it came
        return "".join([p for p in pieces if isinstance(p, str)])
    return whole if any([isinstance(p, bytes) for p in pieces]) else b64encode(whole).decode()


def _with(value: Any, steps: list[str], more: bytes | str) -> Any:
    """A copy of a value in which the text at some keys goes on."""
    if not steps:
        return value + more if kind_of(value) is str and isinstance(more, str) else more
    held: dict[str, Any] = value if kind_of(value) is dict else {}
    return {**held, steps[0]: _with(held.get(steps[0]), steps[1:], more)}
