"""Cost of planning a whole request: a hundred tools, the first time and again with the same objects; and of the allocation alone.

    python bench/plan.py [--corpora DIR] [--tools 100] [--dialects openai-strict,...]

Tools are those of real servers (`mcp_tools.dev`; without corpora, small ones that are built here). CPU time, the minimum of
the rounds. Prints milliseconds of the first plan, of the second one, and of the fragment.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from samples import load

import wireshape as ws
from wireshape.allocate import Offer, allocate

ROUNDS = 5
LIMITS = (24, 16, 20)
FIRST, SECOND = 50.0, 2.0
"""Milliseconds that a hundred tools may take."""


def least(call: Callable[[], Any], before: Callable[[], Any] = lambda: None) -> float:
    """Milliseconds of CPU of the fastest round; `before` is not counted."""
    best = float("inf")
    for _ in range(ROUNDS):
        before()
        start = time.process_time()
        call()
        best = min(best, time.process_time() - start)
    return best * 1e3


def built(count: int) -> list[tuple[str, Any]]:
    """Tools with two to six fields each."""
    kinds: list[dict[str, Any]] = [
        {"type": "string", "description": "what to look for"},
        {"type": "integer", "minimum": 1},
        {"type": "array", "items": {"type": "string"}},
        {"enum": ["asc", "desc"]},
        {"type": "boolean"},
    ]
    return [
        (
            f"tool_{i}",
            {
                "type": "object",
                "properties": {f"f{j}": dict(kinds[(i + j) % 5]) for j in range(2 + i % 5)},
                "required": ["f0"],
            },
        )
        for i in range(count)
    ]


def real(path: Path, count: int) -> list[tuple[str, Any]]:
    """Tools spread over those of many servers."""
    return [(record["name"], record["schema"]) for record in load(path, count, 1)]


def planned(dialect: str, source: list[tuple[str, Any]]) -> None:
    tools: list[ws.Tool] = []

    def fresh() -> None:
        tools[:] = [ws.Tool(name, json.loads(json.dumps(schema))) for name, schema in source]

    fresh()
    ws.plan(dialect, tools)
    first = least(lambda: ws.plan(dialect, tools), fresh)
    second = least(lambda: ws.plan(dialect, tools))
    plan = ws.plan(dialect, tools)
    fragment = least(plan.request)
    late = "" if first < FIRST and second < SECOND else "   over the bar"
    strict = sum([tool.strict for tool in plan.tools])
    print(
        f"  {dialect:24} first {first:7.1f} ms  again {second:6.2f} ms  fragment {fragment:5.2f} ms"
        f"  strict {strict} of {len(plan.tools)}{late}"
    )


def allocated() -> None:
    """Random priorities and costs under three limits that all bind."""
    rng = random.Random(1)
    for name, priority in (
        ("equal", lambda: 1.0),
        ("whole", lambda: float(rng.randint(1, 9))),
        ("random", lambda: rng.random() * 10),
    ):
        offers = [
            Offer(
                tuple([(o - k, u + k, 1) for k in range(o + 1)]),
                priority(),
            )
            for o, u in [(rng.randint(0, 5), rng.randint(0, 3)) for _ in range(100)]
        ]
        fresh = iter(range(ROUNDS))  # no two rounds ask the same, so that nothing is remembered
        taken = least(
            lambda offers=offers, fresh=fresh: allocate(
                [*offers, Offer((), float(next(fresh)))], LIMITS
            )
        )
        print(f"  allocation, {name:7} priorities, three limits: {taken:8.2f} ms")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--corpora", default=os.environ.get("WIRESHAPE_CORPORA", "corpora"))
    parser.add_argument("--tools", type=int, default=100)
    parser.add_argument(
        "--dialects",
        default="openai-strict,anthropic-strict,gemini-json-schema,gemini-openapi,xai-strict,groq-strict,mistral-strict",
    )
    arguments = parser.parse_args()
    print(f"load average {os.getloadavg()[0]:.2f}, CPU time, minimum of {ROUNDS} rounds")
    path = Path(arguments.corpora) / "mcp_tools.dev.jsonl.gz"
    sources = {"built tools": built(arguments.tools)}
    if path.exists():
        sources["tools of real servers"] = real(path, arguments.tools)
    for what, source in sources.items():
        size = sum([len(json.dumps(schema)) for _, schema in source])
        print(f"{len(source)} {what}, {size} bytes")
        for dialect in arguments.dialects.split(","):
            planned(dialect, source)
    allocated()


if __name__ == "__main__":
    main()
