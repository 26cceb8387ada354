"""What a dialect refuses in lists of tools, whatever their schemas say: names, numbers, and limits that strict ones share.

Tools of one list belong to one request. Those that say `strict: true` are counted as they stand; a form of the reply
beside them, which may take of the same limits, is not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from wireshape.check_limits import counts
from wireshape.check_refs import References
from wireshape.check_rules import Gates
from wireshape.check_texts import Finding
from wireshape.check_walk import walk
from wireshape.declarations import Declared, list_of_tool, place_of_tool
from wireshape.dialect import Dialect
from wireshape.ir import Json, Path, pointer

_SHARED = {
    "optional_params": "optional properties",
    "union_params": "properties that are unions",
    "max_items_sum": "items by `maxItems`",
}


class ToolFinding(NamedTuple):
    """A finding, and the tool that it is about; a list of tools is a declaration of its own, without a name."""

    declared: Declared
    finding: Finding


def tool_findings(tools: Sequence[Declared], d: Dialect, *, lines: bool) -> Iterator[ToolFinding]:
    """Yield what the row refuses in the lists that tools stand in; `lines` tells that each of a document is one by itself."""
    lists: dict[str, tuple[Path, dict[str, Declared]]] = {}
    for tool in tools:
        at = list_of_tool(tool, lines=lines)
        own = lists.setdefault(pointer(at), (at, {}))[1]
        where = pointer(place_of_tool(tool))
        if where not in own or tool.part == "input":
            own[where] = tool
    for at, own in lists.values():
        yield from _names(list(own.values()), d)
        whole = Declared("", "tools", None, at)
        for finding in _numbers(list(own.values()), d, at):
            yield ToolFinding(whole, finding)


def _names(tools: Sequence[Declared], d: Dialect) -> Iterator[ToolFinding]:
    known: set[str] = set()
    for tool in tools:
        at, name, legal = (place_of_tool(tool), "name"), tool.name, d.names.tool
        if not name:
            what = "the tool has no name"
            yield ToolFinding(tool, Finding("WS418", "request", "name", at[0], what, "name it"))
        elif legal is not None and re.fullmatch(legal, name) is None:
            what, remedy = f"the name {name:.80} is refused", f"write one that matches {legal}"
            yield ToolFinding(tool, Finding("WS418", "names.tool", "name", at, what, remedy))
        if name and name in known:
            what = f"the name {name:.80} is that of an earlier tool"
            remedy = "rename one of them; no call could tell which is meant"
            yield ToolFinding(tool, Finding("WS418", "request", "name", at, what, remedy))
        known.add(name)


def _numbers(tools: Sequence[Declared], d: Dialect, at: Path) -> Iterator[Finding]:
    most = d.delivery.tools
    if most is not None and len(tools) > most:
        yield _excess("delivery.tools", at, f"{len(tools)} tools", most, "leave some out")
    strict = [tool for tool in tools if tool.strict] if d.strict else []
    remedy = "make fewer of them strict; `plan` chooses which"
    most = d.delivery.strict_tools
    if most is not None and len(strict) > most:
        yield _excess("delivery.strict_tools", at, f"{len(strict)} strict tools", most, remedy)
    if len(strict) < 2:
        return  # one alone is judged by its schema
    rows = [(f"limits.{f}", f, what, getattr(d.limits, f)) for f, what in _SHARED.items()]
    whole = ("delivery.strict_properties", "properties", "properties", d.delivery.strict_properties)
    asked = [(*named, limit) for *named, limit in [*rows, whole] if limit is not None]
    spent = [_spent(t.schema, d, [field for _, field, _, _ in asked]) for t in strict]
    for rule, field, what, limit in asked:
        number = sum([one[field] for one in spent])
        if number > limit:
            told = f"the strict tools together have {number} {what}"
            yield _excess(rule, at, told, limit, remedy)


def _excess(rule: str, at: Path, what: str, limit: int, remedy: str) -> Finding:
    return Finding("WS414", rule, "tools", at, f"{what}, over {limit}", remedy)


def _spent(schema: Json, d: Dialect, fields: Sequence[str]) -> dict[str, int]:
    """What a schema takes of limits."""
    anywhere = d.refs.pointers == "any"
    document = walk(schema, draft=d.draft, closed=Gates(d).closed, anywhere=anywhere)
    return counts(fields, document, References(schema, d, document).edges)
