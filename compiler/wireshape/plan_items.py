"""What a caller asks a plan for: tools, and the form of the reply; plain records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from sys import float_info
from typing import Any, Literal, TypeAlias, get_args

from wireshape.codes import CODES
from wireshape.declarations import declared_tools, place_of_tool
from wireshape.errors import SchemaError, expect, expect_text, shown, wrong_argument
from wireshape.ir import pointer
from wireshape.plan_memory import Memory

Carrier: TypeAlias = Literal["output", "tool", "grammar", "prompt"]

Strictness: TypeAlias = Literal["require", "prefer", "never"] | float
"""Raise when it cannot be strict; strict where there is room; never strict; or a priority, where "prefer" is 1."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool to plan for: `parameters` is whatever `compile` takes, `None` for a tool without arguments.

    `returns` is the schema of its results where it declares one; it is not sent.

    >>> Tool("now").strict
    'prefer'
    """

    name: str
    parameters: Any = None
    description: str | None = None
    strict: Strictness = "prefer"
    returns: Any = None
    memory: Memory = field(default_factory=Memory, init=False, repr=False, compare=False)
    """What is known of `parameters`, so that the next plan need not compile them again."""

    def __post_init__(self) -> None:
        expect("name", self.name, str, "the name of the tool")
        if not self.name:
            raise wrong_argument("name", self.name, "the name of the tool")
        expect_text("description", self.description)
        priority_of(self.strict)


def tools_from(document: Any) -> list[Tool]:
    """Read the tools of a JSON document: an MCP `tools/list` result, a list of tools in the shape of any provider, a request.

    A tool that declares no arguments takes none; one that a provider runs itself is left out. Raises SchemaError at the place of what is no tool,
    or has no name.

    >>> tools_from({"tools": [{"name": "add", "description": "adds", "inputSchema": {"type": "object"}}]})
    [Tool(name='add', parameters={'type': 'object'}, description='adds', strict='prefer', returns=None)]
    """
    tools: list[Tool] = []
    for d in declared_tools(document):
        if not d.name:
            message = CODES["WS130"].template.format(wanted="the name of the tool")
            at = pointer((place_of_tool(d), "name"))
            raise SchemaError(message, code="WS130", pointer=at)
        if d.part != "output":
            strict: Strictness = "never" if d.strict is False else "prefer"
            tools.append(Tool(d.name, d.schema, d.description or None, strict))
        elif tools and tools[-1].name == d.name:
            tools[-1] = replace(tools[-1], returns=d.schema)
    return tools


@dataclass(frozen=True, slots=True)
class Output:
    """The form of the reply: `schema` is whatever `compile` takes; `carrier` overrides how it is delivered.

    >>> Output({"type": "object"}).name
    'output'
    """

    schema: Any
    name: str = "output"
    description: str | None = None
    strict: Strictness = "prefer"
    carrier: Carrier | None = None
    memory: Memory = field(default_factory=Memory, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        expect("name", self.name, str, "the name of the output")
        expect_text("description", self.description)
        priority_of(self.strict)
        if self.carrier is not None and self.carrier not in get_args(Carrier):
            raise wrong_argument("carrier", self.carrier, "one of " + ", ".join(get_args(Carrier)))


def priority_of(strict: object) -> float:
    """The priority that a strictness stands for: nothing for "never". Raises SchemaError for what is none."""
    if isinstance(strict, int | float) and abs(strict) <= float_info.max:
        return float(strict)
    if isinstance(strict, str) and strict in _PRIORITIES:
        return _PRIORITIES[strict]
    choices = "'require', 'prefer', 'never' or a number"
    message = CODES["WS121"].template.format(name="strict", value=shown(strict), choices=choices)
    raise SchemaError(message, code="WS121")


_PRIORITIES: dict[object, float] = {"require": 1.0, "prefer": 1.0, "never": 0.0}


def tools_of(tools: Any) -> list[Tool]:
    """List the tools of a plan, each a `Tool`; a document that declares some is not read here."""
    if not _is_listing(tools):
        raise wrong_argument("tools", tools, f"{_TOOLS}, in a list")
    found: list[Tool] = []
    given: list[object] = list(tools)
    for i, tool in enumerate(given):
        if not isinstance(tool, Tool):
            where = f"tools[{i}]"
            raise wrong_argument(where, tool, _TOOLS)
        found.append(tool)
    return found


def _is_listing(value: object) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, str | bytes | Mapping)


_TOOLS = "a `Tool` (`tools_from` reads documents)"
