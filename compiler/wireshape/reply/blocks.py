"""What a provider wants back with a call, unread: the blocks of a stream that stand before calls, put together from their pieces."""

from __future__ import annotations

from typing import Any

from wireshape.ir import kind_of
from wireshape.reply.delta import Delta, add_piece


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
        self._found: list[tuple[int, dict[str, Any], dict[str, list[str]]]] = []
        self._by_index: dict[int | str | None, int] = {}

    def take(self, delta: Delta, calls: int) -> None:
        """Take a block, or a piece of text of one; `calls` is how many calls have begun."""
        at = self._by_index.get(delta.index)
        if delta.into and at is None:
            at = self._begun(delta.index, calls, {})
        if delta.into and at is not None:
            add_piece(self._found[at][2].setdefault(delta.into, []), delta.text)
        elif kind_of(delta.body) is dict:
            self._begun(delta.index, calls, delta.body)

    def before(self, calls: int) -> list[dict[str, Any]]:
        """Return the blocks that came when so many calls had begun."""
        return [_whole(given, texts) for before, given, texts in self._found if before == calls]

    def _begun(self, index: int | str | None, calls: int, given: dict[str, Any]) -> int:
        self._found.append((calls, given, {}))
        self._by_index[index] = len(self._found) - 1
        return len(self._found) - 1


def _whole(given: dict[str, Any], texts: dict[str, list[str]]) -> dict[str, Any]:
    """A block with the texts that came in pieces in their places."""
    out = given
    for pointer, parts in texts.items():
        out = _with_text(out, pointer.split("/")[1:], "".join(parts))
    return out


def _with_text(value: Any, steps: list[str], text: str) -> Any:
    """A copy of a value in which the text at some keys goes on."""
    if not steps:
        return value + text if kind_of(value) is str else text
    held: dict[str, Any] = value if kind_of(value) is dict else {}
    return {**held, steps[0]: _with_text(held.get(steps[0]), steps[1:], text)}
