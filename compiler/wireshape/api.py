"""What a dialect row states about requests and replies: legal names, how schemas ride, and the protocols; plain records."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """Regular expressions that a name matches as a whole."""

    tool: str | None = None
    output: str | None = None  # the form of the output


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """How schemas ride in a request."""

    relaxed: str | None = None
    """The row that a tool falls back to when strictness is given up; this one when it is not strict itself."""
    always_strict: bool = False  # the form of the output has no relaxed mode
    output_beside_tools: bool = True
    forced_tool: bool = True  # a request may demand one tool
    tools: int | None = None  # in one request
    strict_tools: int | None = None  # in one request
    strict_properties: int | None = None  # in all strict schemas of one request
    strict_together: bool = False  # all tools of a request are strict, or none is
    prompt: Literal["json-schema", "notation"] = "json-schema"
    """How a schema is written that rides in the prompt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One thing that a body or a stream event may hold: the parts that hold it, and the paths within a part.

    Paths are those of `api_paths`. `text` is also where a `stop` has its word and an `error` its message; left out, it
    is the part itself. A `value` is an output that was parsed already. A path of a call that is left out is not said there.
    `pieces` are arguments of a call that come value by value, as long as there is something at `more`. `begin` is where a
    reply begins, with its `id`; one with another id that comes before the end of the last takes its place. `reply` is a
    body: all of the reply once more, which counts in place of the pieces if it says anything. `masked` is where a filter tells
    that it only changed parts of the text: then a word of `blocked` does not count.

    What a provider wants back with a call is not read: `kept` is its place in the part of a call, `blocks` a condition for
    parts that are no calls but stand before them. A `block` of a stream is such a part at `arguments`, or a `text` that goes
    on with the one at its `index`, in a place of it (`into`).
    """

    gives: Literal[
        "text",
        "value",
        "reasoning",
        "refusal",
        "call",
        "pieces",
        "begin",
        "reply",
        "masked",
        "block",
        "stop",
        "error",
    ]
    at: str = ""
    text: str = ""
    index: str = ""
    id: str = ""
    name: str = ""
    arguments: str = ""
    more: str = ""
    kept: str = ""
    blocks: str = ""
    into: str = ""
    blob: bool = False  # what goes on is bytes, each piece as such or as base64 text
    whole: bool = False  # the arguments of a stream event are all that come
    announced: bool = False  # counts only for an index that a call has been announced for


@dataclass(frozen=True, slots=True, kw_only=True)
class Replies:
    """How the replies of a protocol read: what stands where in a body, and in the events of a stream.

    `inside` lists where in a body a part of it belongs that comes alone (a message without its envelope); `attempts` where
    a rejection has what the model wrote. `truncated`, `blocked` and `malformed` are words for why a reply ended.
    """

    body: tuple[Rule, ...] = ()
    events: tuple[Rule, ...] = ()
    inside: tuple[str, ...] = ()
    attempts: tuple[str, ...] = ()
    truncated: frozenset[str] = frozenset()
    blocked: frozenset[str] = frozenset()
    malformed: frozenset[str] = frozenset()

    @property
    def has_end_words(self) -> bool:
        """Whether a stream of the protocol says why it ended."""
        return any([rule.gives == "stop" for rule in self.events])


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """How a protocol takes back what was said: a turn of the model, its calls, and what they came to.

    Templates, as in `Api`. Those of a call have `$id`, `$name`, `$arguments` and `$arguments_text`, those of a result
    `$result` (always an object) and `$result_text` too. A call or a result without a place is a message of its own.
    """

    turn: str = ""  # a message with the text of the model, or with its calls
    text: str = ""  # `$text` in it
    text_at: str = ""
    call: str = ""
    call_at: str = ""  # in the message of the turn
    results: str = ""  # a message that holds the results of one turn
    result: str = ""
    result_at: str = ""  # in that message
    failed: str = ""  # JSON object: pointer -> value, set on the result of a call that failed
    kept_at: str = ""  # in the call: what came with it and is wanted back
    ids: str = ""  # what an id matches as a whole; empty: any, or none
    id_stem: str = ""  # how an id begins that is made up for a call without one


@dataclass(frozen=True, slots=True, kw_only=True)
class Api:
    """One request protocol: where schemas stand in a request, and how replies read.

    Templates are JSON with the placeholders `$name`, `$description`, `$schema`, `$schema_text` (the schema as JSON
    text) and `$grammar` as whole values; a key whose placeholder has nothing to say is left out. Places are JSON pointers;
    `-` appends.
    `protocol` names a file of `dialects/protocols`, from which `reply` and `history` are taken where the row does not state
    them itself.
    """

    name: str
    output: str = ""  # template of the form of the output
    output_at: str = ""
    beside_output: str = ""  # JSON object: pointer -> value, set with it
    beside_prompt: str = ""  # JSON object: pointer -> value, set when the form is in the prompt
    tool: str = ""  # template of one tool
    tool_at: str = ""
    beside_tools: str = ""  # JSON object: pointer -> value, set when tools are strict
    forced_tool: str = ""  # JSON object: pointer -> value, set to demand the tool called `$name`
    protocol: str = ""
    reply: Replies = field(default_factory=Replies)
    history: History = field(default_factory=History)
