"""What a reply turned out to be: an output, tool calls or a typed failure, with everything that was done to get there."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

Kind: TypeAlias = Literal["output", "tool_calls", "failed"]
Rung: TypeAlias = Literal["strict", "stripped", "call", "span", "joined", "bare", "repaired"]

SHOWN = 80
"""Characters of the text that an edit or a message repeats at most."""
RETRY_LIMIT = 4096
"""Characters of `retry_text` at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """One change that was made to read a reply.

    `offset` counts characters of the original text; it is `None` for a change to a value, which has a `pointer` instead.
    `before` and `after` show at most 80 characters.

    >>> import wireshape as ws
    >>> ws.compile({"type": "array"}, "lenient").parse("[1, 2,]").edits
    (Edit(offset=5, pointer=None, kind='trailing-comma', before=',', after=''),)
    """

    offset: int | None
    pointer: str | None = None
    kind: str
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Why one reading of a reply was not taken; the first one is the complaint about the untouched text."""

    rung: Rung
    code: str
    message: str
    pointer: str = ""
    offset: int | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call that a reply asks for; with `problems`, its `arguments` are `None`.

    `state` is what the provider wants back with it, as it came (signatures, blocks of reasoning): `Plan.history` sends it
    again to the same API. It is plain JSON, but for bytes that a client gave; it does not count when calls are compared.

    >>> Call("add", {"a": 1}, "call_1").problems
    ()
    """

    name: str
    arguments: Any
    id: str | None = None
    problems: tuple[Evidence, ...] = ()
    state: dict[str, Any] | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a reply turned out to be.

    | field | is |
    | --- | --- |
    | `kind` | `output`: `value` passed the gate; `tool_calls`: `calls`; `failed`: neither, and `evidence` tells why |
    | `rung` | the least invasive reading that was accepted: `strict` (nothing done), `stripped` (reasoning, fences or invisible characters around one JSON text), `call` (arguments of a call in the text), `span` (JSON inside other text), `joined` (one value per line), `bare` (an enum member without quotes), `repaired` |
    | `edits` | each change to the text or the value |
    | `flags` | kinds of the edits, and warnings that changed nothing, sorted |
    | `attempted` | for a failure, the value that came closest, before the gate |
    | `truncated`, `partial` | the reply stops in the middle; what was complete before that |
    | `retry_text` | for a failure, a short message for the model; never echoes values |
    | `text` | the reply as it came |

    >>> import wireshape as ws
    >>> c = ws.compile({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}, "lenient")
    >>> done = c.parse('Here it is: {"n": 1}')
    >>> done.kind, done.value, done.rung
    ('output', {'n': 1}, 'span')
    >>> cut = c.parse('{"n": 1')
    >>> cut.kind, cut.truncated, cut.partial
    ('failed', True, {})
    """

    kind: Kind
    value: Any = None
    calls: tuple[Call, ...] = ()
    rung: Rung | None = None
    edits: tuple[Edit, ...] = ()
    flags: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    attempted: Any = None
    truncated: bool = False
    partial: Any = None
    retry_text: str | None = None
    text: str | None = None


def shown(text: str) -> str:
    """Cut a text to what an edit may repeat.

    >>> shown("x" * 100)[-4:]
    'x...'
    """
    return text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."
