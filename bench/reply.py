"""Cost of reading replies, as multiples of `json.loads` of the same JSON, and of hostile texts in milliseconds.

    python bench/reply.py [--rounds 7]

The verbs run in turn in one process and the minimum of the rounds counts. "valid" includes decoding and the gate.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable
from typing import Any

from decode import PERSON, best

import wireshape as ws

SCHEMA = {
    "type": "object",
    "properties": {"people": {"type": "array", "items": PERSON}},
    "required": ["people"],
}


def people(count: int) -> Any:
    return {
        "people": [
            {
                "id": i,
                "name": "Ada Lovelace",
                "email": "ada@example.org",
                "tags": ["x", "y"],
                "position": {"x": 1.5, "y": -2.25},
                "note": f"see https://example.org/{i}",
            }
            for i in range(count)
        ]
    }


HOSTILE: dict[str, str] = {
    "[ x 100,000": "[" * 100_000,
    "[ x 1,000,000": "[" * 1_000_000,
    '{"a": x 150,000': '{"a":' * 150_000,
    "unclosed lists": "[1,[2,[3,[4,5],6],7],[8,9]," * 37_000,
    "quotes": '"' * 1_000_000,
    "quotes in a member": '{"a": "' + '"' * 1_000_000,
    "quotes with commas": '{"a": "' + '", "' * 260_000,
    "comment openings": '{"a": "' + '"/*' * 340_000,
    "comments": '{"a": "' + '"//\n' * 260_000,
    "braces": "{" * 500_000 + "}" * 500_000,
    "closing braces": "{}" + "}" * 1_000_000 + "x",
    "backslashes": '{"a": "' + "\\" * 1_000_000,
    "over-escaped": '{\\"a' * 200_000,
    "entities": "{&quot;a" * 110_000,
    "objects": '{"a": 1} ' * 110_000,
    "reasoning": "<think></think>" * 69_000,
    "open reasoning": "<think>" * 149_000,
    "calls": '<tool_call>{"name": "f", "arguments": {}}</tool_call>' * 19_000,
    "open calls": "<tool_call>" * 95_000,
    "parameters": "<function=f>" + "<parameter=a>" * 80_000,
    "calls of tokens": ']<]minimax[>[<invoke name="f">]<]minimax[>[</invoke>' * 20_000,
    "quotes of tokens": "<|tool_call>call:f{" + '<|"|>' * 200_000 + "<tool_call|>",
    "ends of turns": '{"a": 1}' + "<|im_end|>" * 100_000,
    "ends of reasoning": "</think>" * 120_000,
    "digits": "[" + "7" * 1_000_000 + "]",
    "integers of 40,000 digits": "[" + ",".join(["7" * 40_000] * 26) + ",]",
    "spaces": '{"a": 1' + " " * 1_000_000,
    "surrogates": '["' + "\\ud83d" * 170_000 + '"]',
}


def replies(text: str) -> dict[str, str]:
    """The same value as models send it."""
    return {
        "valid": text,
        "indented": json.dumps(json.loads(text), indent=2),
        "fenced": f"```json\n{text}\n```",
        "fenced, trailing comma": f"```json\n{text[:-1]},}}\n```",
        "trailing comma inside": text.replace("}]}", "},]}"),
        "trailing commas everywhere": text.replace("}, {", ",}, {"),
        "Python": repr(json.loads(text)),
        "prose around": f"Here you are: {text} Anything else?",
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=7)
    arguments = parser.parse_args()
    print(f"load average {os.getloadavg()[0]:.2f}")
    for dialect in ("lenient", "openai-strict"):
        compiled = ws.compile(SCHEMA, dialect)
        text = json.dumps(compiled.encode(people(620)))
        cases = replies(text)
        for reply in cases.values():
            assert compiled.parse(reply).kind == "output"
        calls: dict[str, Callable[[], Any]] = {"loads": lambda text=text: json.loads(text)}
        calls |= {name: lambda c=compiled, r=r: c.parse(r) for name, r in cases.items()}
        seconds = best(calls, arguments.rounds, 1)
        print(f"{dialect}: {len(text)} characters, json.loads {seconds['loads'] * 1000:.2f} ms")
        for name in cases:
            print(f"  {name:28} {seconds[name] / seconds['loads']:7.2f}x")
    print("hostile texts, milliseconds to parse and to route")
    plan = ws.plan("lenient", [ws.Tool("f", {"type": "object"})])
    compiled = ws.compile(True, "lenient", name="f")
    for name, text in HOSTILE.items():
        start = time.process_time()
        outcome = compiled.parse(text)
        parsed, start = time.process_time() - start, time.process_time()
        routed = plan.route(text)
        both = parsed * 1000, (time.process_time() - start) * 1000
        print(
            f"  {name:28} {len(text):9} {both[0]:8.1f} {both[1]:8.1f}  {outcome.kind}, {routed.kind}"
        )


if __name__ == "__main__":
    main()
