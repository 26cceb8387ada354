"""One piece of a streamed reply, the same for every protocol: what the readers of events make, and what a feed takes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

DeltaKind: TypeAlias = Literal[
    "text", "reasoning", "refusal", "call", "begin", "reply", "stop", "error", "usage"
]


@dataclass(frozen=True, slots=True)
class Delta:
    """What one provider event adds to a reply.

    | kind | fields |
    | --- | --- |
    | `text`, `reasoning`, `refusal` | `text`, which is appended |
    | `call` | what the event says of a call: `index` (position, or whatever else the protocol counts by), `id`, `name`; `arguments`, a fragment of JSON text, or all of them (text or a value) when `whole` |
    | `begin` | none; what came before is no part of the reply |
    | `reply` | `body`, all of the reply as it was read from one body |
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
    body: Any = None
