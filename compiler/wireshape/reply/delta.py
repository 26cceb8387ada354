"""One piece of a streamed reply, the same for every protocol: what the readers of events make, and what a feed takes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

DeltaKind: TypeAlias = Literal[
    "text",
    "reasoning",
    "refusal",
    "call",
    "begin",
    "reply",
    "masked",
    "block",
    "stop",
    "error",
    "usage",
]


@dataclass(frozen=True, slots=True)
class Delta:
    """What one provider event adds to a reply.

    | kind | fields |
    | --- | --- |
    | `text`, `reasoning`, `refusal` | `text`, which is appended |
    | `call` | what the event says of a call: `index` (position, or whatever else the protocol counts by), `id`, `name`; `arguments`, a fragment of JSON text, or all of them (text or a value) when `whole`; `kept`, what is wanted back with it |
    | `begin` | none; what came before is no part of the reply |
    | `reply` | `body`, all of the reply as it was read from one body |
    | `masked` | none; a filter changed parts of the text, which is no reason to drop it |
    | `block` | what is wanted back with the next call: `body`; or `text`, or bytes in `body`, appended in the place `into` of the one at its `index` |
    | `stop` | `stop`, the provider's word for why the reply ended |
    | `error` | `text`, its message; `body`, the event as it came, which may carry what the model attempted |
    | `usage` | `body` |

    What an event does not say is `None`: never an index, an id or a name that was made up.

    >>> Delta("call", index=0, id="c1", name="search", arguments='{"q": ').whole
    False
    """

    kind: DeltaKind
    text: str = ""
    index: int | str | None = None
    id: str | None = None
    name: str | None = None
    arguments: Any = None
    whole: bool = False
    stop: str | None = None
    into: str = ""
    kept: Any = None
    body: Any = None


def add_piece(parts: list[str], piece: str) -> None:
    r"""Append a piece of a text; the halves of a character that was cut in two (two escapes in two events) become one.

    >>> parts = ["a\ud83d"]
    >>> add_piece(parts, "\ude00b"); parts
    ['a', '😀b']
    """
    if piece and "\udc00" <= piece[0] <= "\udfff":
        last = next((i for i in reversed(range(len(parts))) if parts[i]), None)
        if last is not None and "\ud800" <= parts[last][-1] <= "\udbff":
            high, parts[last] = parts[last][-1], parts[last][:-1]
            piece = whole_character(high, piece[0]) + piece[1:]
    parts.append(piece)


def whole_character(high: str, low: str) -> str:
    """Join the two halves of a character."""
    return chr(0x10000 + ((ord(high) - 0xD800) << 10) + ord(low) - 0xDC00)
