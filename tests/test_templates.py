"""Raw texts of models under 44 chat templates (`WIRESHAPE_CORPORA=DIR pytest -m corpus`): the calls and the content, as the server reads them.

The server knows the template; we are given the text alone, with the tools or the schema of the request.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

import wireshape as ws
from corpora import records_of

KEPT = "reasoning is asked to stay in the content; here it is never part of the answer"
HOST = "a call of a tool of the host, which the server drops; here it stays text"
ARGUED: dict[str, str] = {
    "Cohere2MoE/60": KEPT,
    "CohereForAI-c4ai-command-r7b-12-2024-tool_use/55": KEPT,
    "NVIDIA-Nemotron-3-Nano-30B-A3B-BF16/44": KEPT,
    "Qwen3.5-4B/11": KEPT,
    "google-gemma-4-31B-it/75": KEPT,
    "mistralai-Ministral-3-14B-Reasoning-2512/34": KEPT,
    "openai-gpt-oss-120b/327": KEPT,
    "openai-gpt-oss-120b/336": HOST,
    "openai-gpt-oss-120b/337": HOST,
    "Kimi-K3/189": "only the template tells that this is reasoning: nothing opens or closes it",
    "MiniMax-M3/250": "the parameter may be a string or an object and has elements inside: the server takes their markup for the string, the template writes objects so; here it is refused",
    "meta-llama-Llama-3.1-8B-Instruct/314": "the corpus lost the schema of the request; without one a fence is part of the text",
    "meetkai-functionary-medium-v3.2/267": "only the template tells that the first line, `all`, is no part of the text",
}
"""What differs, by the end of the record's id, and why."""


@cache
def records() -> list[dict[str, Any]]:
    return [
        row for row in records_of("llamacpp_chat") if row["options"].get("is_partial") != "true"
    ]


def tool_of(declared: Any) -> ws.Tool:
    if isinstance(declared, dict):
        return ws.Tool(declared["name"], declared["parameters"])
    name, _, parameters = declared
    return ws.Tool(name, json.loads(parameters))


def read(record: dict[str, Any]) -> tuple[list[Any], str | None]:
    """The calls of a text, or its content; content that a schema was asked for is compared as a value."""
    options = record["options"]
    schema = options.get("json_schema")
    schema = None if schema is None or "_id" in schema else schema
    plan = ws.plan("lenient", [tool_of(t) for t in options.get("tools") or []], schema)
    done = plan.route(record["input"])
    if done.kind == "tool_calls":
        return [(c.name, c.arguments, len(c.problems)) for c in done.calls], None
    content = done.value if schema is None else json.dumps(done.value)
    return [], (content or "").strip()


def is_expected(record: dict[str, Any]) -> bool:
    wanted = record["expected"]
    calls, content = read(record)
    if calls or wanted["tool_calls"]:
        return calls == [(c["name"], json.loads(c["arguments"]), 0) for c in wanted["tool_calls"]]
    expected = wanted["content"].strip()
    if record["options"].get("json_schema") and expected.startswith("{"):
        expected = json.dumps(json.loads(expected))
    if record["options"].get("add_generation_prompt") == "false":  # a text that goes on
        return expected.endswith(str(content))
    return content == expected


@pytest.mark.corpus
def test_calls_and_contents_are_those_of_the_server() -> None:
    differ = {r["id"].removeprefix("llamacpp_chat/") for r in records() if not is_expected(r)}
    assert differ == set(ARGUED)
    assert 1 - len(differ) / len(records()) > 0.95


@pytest.mark.corpus
def test_no_call_is_made_up() -> None:
    for record in records():
        calls, _ = read(record)
        wanted = [(c["name"], json.loads(c["arguments"]), 0) for c in record["expected"]["tool_calls"]]  # fmt: skip
        assert not calls or calls == wanted
