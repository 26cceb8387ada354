"""Real requests as wholes: the tools of real servers and of a benchmark (`WIRESHAPE_CORPORA=DIR pytest -m corpus`).

Limits are counted here, not by the planner; a response is built here around what the codec encodes.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from functools import lru_cache
from typing import Any

import pytest

import wireshape as ws
from corpora import records_of

pytestmark = pytest.mark.corpus
SERVER_ROWS = [
    "openai-strict",
    "anthropic-strict",
    "gemini-json-schema",
    "gemini-openapi",
    "bedrock-claude-strict",
    "xai-strict",
    "mistral-strict",
    "groq-strict",
]


@lru_cache
def records(name: str) -> list[dict[str, Any]]:
    return list(records_of(name))


@lru_cache
def servers() -> dict[str, list[ws.Tool]]:
    """The tools of each server, as `tools/list` gave them."""
    found: defaultdict[str, list[ws.Tool]] = defaultdict(list)
    for record in records("mcp_tools"):
        found[record["source"]].append(
            ws.Tool(record["name"], record["schema"], record["description"])
        )
    return dict(found)


class Count:
    """What a wire schema holds, references multiplied out; recursion once."""

    def __init__(self, schema: dict[str, Any]) -> None:
        self.defs = schema.get("$defs", schema.get("definitions", {}))
        self.optional = self.unions = self.items = 0
        self.walk(schema, ())

    def walk(self, node: Any, inside: tuple[str, ...]) -> None:
        if not isinstance(node, dict):
            return
        if "$ref" in node:
            name = node["$ref"].rpartition("/")[2]
            if name not in inside and name in self.defs:
                self.walk(self.defs[name], (*inside, name))
        for key, field in node.get("properties", {}).items():
            self.optional += key not in node.get("required", [])
            self.unions += self.is_union(field, ())
            self.walk(field, inside)
        self.items += node.get("maxItems", 0) if isinstance(node.get("maxItems"), int) else 0
        for word in ("anyOf", "oneOf", "allOf", "prefixItems"):
            for arm in node.get(word, []):
                self.walk(arm, inside)
        for word in ("items", "additionalProperties"):
            self.walk(node.get(word), inside)

    def is_union(self, field: Any, inside: tuple[str, ...]) -> bool:
        if not isinstance(field, dict):
            return False
        name = str(field.get("$ref", "")).rpartition("/")[2]
        if name and name in self.defs and name not in inside:
            return self.is_union(self.defs[name], (*inside, name))
        return "anyOf" in field or "oneOf" in field or isinstance(field.get("type"), list)


@pytest.mark.parametrize("dialect", SERVER_ROWS)
def test_the_tools_of_each_server_as_one_request(dialect: str) -> None:
    row = ws.dialect(dialect)
    for server, tools in servers().items():
        plan = ws.plan(row, tools)
        assert not plan.failed or row.delivery.tools is not None, server
        body = json.loads(json.dumps(plan.request()))
        assert len(body.get("tools", body.get("toolConfig", ()))), server
        names = [tool.name for tool in plan.tools]
        assert len(set(names)) == len(names), server
        assert [t.source for t in plan.tools] == [t.name for t in tools][: len(names)], server
        if row.names.tool:
            assert all(re.fullmatch(row.names.tool, name) for name in names), server
        strict = [tool for tool in plan.tools if tool.strict]
        counts = [Count(tool.compiled.schema) for tool in strict]
        limits = row.limits
        for limit, total in (
            (limits.optional_params, sum(c.optional for c in counts)),
            (limits.union_params, sum(c.unions for c in counts)),
            (limits.max_items_sum, sum(c.items for c in counts)),
            (row.delivery.strict_tools, len(strict)),
            (row.delivery.tools, len(plan.tools)),
        ):
            assert limit is None or total <= limit, (server, limit, total)
        for tool in plan.tools:
            assert not ws.check(tool.compiled.schema, tool.compiled.dialect), (server, tool.name)
            assert tool.strict or tool.reasons, (server, tool.name)


def chat(calls: list[tuple[str, Any]]) -> dict[str, Any]:
    made = [
        {"id": f"c{i}", "type": "function", "function": {"name": n, "arguments": json.dumps(a)}}
        for i, (n, a) in enumerate(calls)
    ]
    message = {"role": "assistant", "content": None, "tool_calls": made}
    return {"choices": [{"message": message, "finish_reason": "tool_calls"}]}


def messages(calls: list[tuple[str, Any]]) -> dict[str, Any]:
    made = [
        {"type": "tool_use", "id": f"c{i}", "name": n, "input": a} for i, (n, a) in enumerate(calls)
    ]
    return {"role": "assistant", "content": made, "stop_reason": "tool_use"}


def generate(calls: list[tuple[str, Any]]) -> dict[str, Any]:
    made = [{"functionCall": {"name": n, "args": a}} for n, a in calls]
    return {"candidates": [{"content": {"role": "model", "parts": made}, "finishReason": "STOP"}]}


MAJORS = [
    ("openai-strict", chat),
    ("anthropic-strict", messages),
    ("gemini-json-schema", generate),
    ("xai-strict", chat),
]


@lru_cache
def benchmark() -> list[tuple[str, list[ws.Tool], list[tuple[str, Any]]]]:
    """Requests with their tools, and calls with the index of their tool, as the benchmark wants them."""
    tools = {r["id"]: r for r in records("bfcl")}
    found: list[tuple[str, list[ws.Tool], list[tuple[str, Any]]]] = []
    for record in records("bfcl_requests"):
        offered = [tools[name] for name in record["tool_ids"] if name in tools]
        found.append(
            (
                record["id"],
                [ws.Tool(t["name"], t["schema"], t.get("description")) for t in offered],
                [(call["name"], call["arguments"]) for call in record["calls"]],
            )
        )
    return found


@pytest.mark.parametrize(("dialect", "respond"), MAJORS)
def test_the_calls_of_each_request_come_back(dialect: str, respond: Any) -> None:
    wrong: list[str] = []
    refused: list[str] = []
    for name, tools, calls in benchmark():
        plan = ws.plan(dialect, tools, options=ws.Options(open_objects="keep", absent="box"))
        planned = {tool.source: tool for tool in plan.tools}
        wanted = [(n, a) for n, a in calls if n in planned and valid(planned[n], a)]
        sent = [(planned[n].name, planned[n].compiled.encode(a)) for n, a in wanted]
        if not sent:
            refused += [name] if plan.failed else []
            continue
        body = json.loads(json.dumps(respond(sent)))
        done = plan.route(body)
        got = [(call.name, call.arguments) for call in done.calls]
        if got != wanted or any(call.problems for call in done.calls):
            wrong.append(name)
    assert wrong == []
    assert len(refused) <= 1, refused


def valid(tool: ws.Planned, arguments: Any) -> bool:
    """Whether the benchmark's own call is valid under the schema that it goes with; some are not."""
    try:
        tool.compiled.validate(arguments)
    except ws.ValidationError:
        return False
    return True
