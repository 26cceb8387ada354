"""What a dialect row states about requests: legal names, how schemas ride, and the protocols; plain records."""

from __future__ import annotations

from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Api:
    """One request protocol: where schemas stand in a request, and where a reply has what was asked for.

    Templates are JSON with the placeholders `$name`, `$description`, `$schema` and `$schema_text` (the schema as JSON
    text) as whole values; a key whose placeholder has nothing to say is left out. Places are JSON pointers; `-` appends,
    `*` stands for every item. `only` conditions read `type=text` or `has=text`, joined by `,`.
    """

    name: str
    output: str = ""  # template of the form of the output
    output_at: str = ""
    beside_output: str = ""  # JSON object: pointer -> value, set with it
    tool: str = ""  # template of one tool
    tool_at: str = ""
    beside_tools: str = ""  # JSON object: pointer -> value, set when tools are strict
    forced_tool: str = ""  # JSON object: pointer -> value, set to demand the tool called `$name`
    texts: str = ""  # the parts of a reply that may hold text
    texts_only: str = ""
    text: str = ""  # the text within one
    refusal: str = ""
    calls: str = ""  # the parts of a reply that may hold a call
    calls_only: str = ""
    call_name: str = ""
    call_id: str = ""
    arguments: str = ""
    arguments_as: Literal["object", "text"] = "text"
    stop: str = ""  # why the reply ended
    truncated: frozenset[str] = frozenset()
    blocked: frozenset[str] = frozenset()
