"""Cost of decode, of the gate and of encode, as multiples of `json.loads` of the same text.

    python bench/decode.py [--rounds 7]

Each case is a schema with a value of some kilobytes; the three verbs and `json.loads` run in turn in one process, and the
minimum of the rounds counts.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable
from typing import Any

import wireshape as ws

PERSON = {
    "type": "object",
    "properties": {
        "id": {"type": "integer"},
        "name": {"type": "string", "minLength": 1},
        "email": {"type": "string", "format": "email"},
        "tags": {"type": "array", "items": {"type": "string"}},
        "position": {
            "type": "object",
            "properties": {"x": {"type": "number"}, "y": {"type": "number"}},
            "required": ["x", "y"],
        },
        "note": {"type": "string"},
    },
    "required": ["id", "name"],
}
ADA = {
    "id": 12,
    "name": "Ada Lovelace",
    "email": "ada@example.org",
    "tags": ["x", "y"],
    "position": {"x": 1.5, "y": -2.25},
}
SHAPES = [
    {
        "type": "object",
        "properties": {
            "kind": {"const": kind},
            "size": {"type": "integer"},
            "label": {"type": "string"},
        },
        "required": ["kind", "size"],
    }
    for kind in ("circle", "square", "line", "point", "arc", "text", "image", "group")
]
TREE: Any = {
    "$defs": {
        "N": {
            "type": "object",
            "properties": {
                "v": {"type": "integer"},
                "kids": {"type": "array", "items": {"$ref": "#/$defs/N"}},
            },
            "required": ["v"],
        }
    },
    "$ref": "#/$defs/N",
}


def tree(depth: int) -> Any:
    return {"v": depth, "kids": [tree(depth - 1), tree(depth - 1)]} if depth else {"v": 0}


def chain(depth: int) -> Any:
    value: Any = {"v": 0}
    for level in range(depth):
        value = {"v": level, "kids": [value]}
    return value


CASES: dict[str, tuple[Any, Any]] = {
    "records": (
        {
            "type": "object",
            "properties": {"people": {"type": "array", "items": PERSON}},
            "required": ["people"],
        },
        {"people": [ADA] * 60},
    ),
    "small": (PERSON, ADA),
    "maps": (
        {
            "type": "object",
            "properties": {"m": {"type": "object", "additionalProperties": {"type": "integer"}}},
            "required": ["m"],
        },
        {"m": {f"key{i}": i for i in range(400)}},
    ),
    "union of 8": (
        {
            "type": "object",
            "properties": {"shapes": {"type": "array", "items": {"anyOf": SHAPES}}},
            "required": ["shapes"],
        },
        {"shapes": [{"kind": ("text", "image", "group")[i % 3], "size": i} for i in range(200)]},
    ),
    "tuples": (
        {
            "type": "object",
            "properties": {
                "t": {
                    "type": "array",
                    "items": {
                        "type": "array",
                        "prefixItems": [{"type": "number"}, {"type": "string"}],
                        "items": False,
                        "minItems": 2,
                    },
                }
            },
            "required": ["t"],
        },
        {"t": [[i / 2, "label"] for i in range(300)]},
    ),
    "tree": (TREE, tree(7)),
    "32 deep": (TREE, chain(32)),
    "any": ({"type": "object", "properties": {"x": {}}, "required": ["x"]}, {"x": [ADA] * 40}),
}


def best(calls: dict[str, Callable[[], Any]], rounds: int) -> dict[str, float]:
    """Minimum seconds of each call, run in turn."""
    out = dict.fromkeys(calls, float("inf"))
    for _ in range(rounds):
        for name, call in calls.items():
            start = time.perf_counter()
            for _ in range(5):
                call()
            out[name] = min(out[name], (time.perf_counter() - start) / 5)
    return out


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument(
        "--dialects", default="openai-strict,anthropic-strict,gemini-openapi,lenient"
    )
    arguments = parser.parse_args()
    print(f"load average {os.getloadavg()[0]:.2f}; multiples of json.loads of the same text")
    for dialect in arguments.dialects.split(","):
        print(
            f"{dialect:20} {'bytes':>7} {'decode':>8} {'gate':>8} {'both':>8} {'encode':>8} {'parse':>8}"
        )
        for name, (schema, source) in CASES.items():
            value = json.loads(json.dumps(source))
            compiled = ws.compile(schema, dialect)
            wire = json.loads(json.dumps(compiled.encode(value)))
            text = json.dumps(wire)
            back = compiled.decode(wire)
            parse = getattr(compiled, "parse", None)
            calls: dict[str, Callable[[], Any]] = {
                "loads": lambda text=text: json.loads(text),
                "decode": lambda c=compiled, w=wire: c.decode(w),
                "gate": lambda c=compiled, v=back: c.validate(v),
                "encode": lambda c=compiled, v=value: c.encode(v),
            }
            if parse is not None:
                calls["parse"] = lambda p=parse, text=text: p(text)
            seconds = best(calls, arguments.rounds)
            ratio = {key: seconds[key] / seconds["loads"] for key in seconds}
            print(
                f"  {name:18} {len(text):7} {ratio['decode']:7.2f}x {ratio['gate']:7.2f}x {ratio['decode'] + ratio['gate']:7.2f}x "
                f"{ratio['encode']:7.2f}x {ratio.get('parse', float('nan')):7.2f}x"
            )


if __name__ == "__main__":
    main()
