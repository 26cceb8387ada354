"""Cost of decode, of the gate and of encode, as multiples of `json.loads` of the same text.

    python bench/decode.py [--rounds 7]
    python bench/decode.py --corpora DIR [--sample 300] [--dialects openai-strict,...]

Each case is a schema with a value of some kilobytes; the three verbs and `json.loads` run in turn in one process, and the
minimum of the rounds counts. With `--corpora`, the cases are the valid instances of real schemas (gzipped JSON lines
`{schema, tests: [{data, valid}]}`): the median and the total of the ratios, by size of the text, where there is a codec.
`decode` and `parse` are measured against `json.loads` of the wire text, the gate against that of the value that it judges,
`encode` in the corpora against `json.dumps` of the value. Times are CPU times of the process.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from samples import load

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


CORPORA = ("jsonschemabench", "schemastore", "mcp_tools", "bfcl")
SIZES = (0, 256, 2048, 16384)


def best(calls: dict[str, Callable[[], Any]], rounds: int, number: int = 5) -> dict[str, float]:
    """Minimum seconds of each call, run in turn."""
    out = dict.fromkeys(calls, float("inf"))
    for _ in range(rounds):
        for name, call in calls.items():
            start = time.process_time()
            for _ in range(number):
                call()
            out[name] = min(out[name], (time.process_time() - start) / number)
    return out


def times(compiled: ws.Compiled, value: Any, rounds: int) -> tuple[int, dict[str, float]]:
    """The length of the wire text, and the seconds of each verb and of `json` on the text of the wire or of the value."""
    wire = json.loads(json.dumps(compiled.encode(value)))
    text = json.dumps(wire, ensure_ascii=False)  # as models write
    back = compiled.decode(wire)
    own = json.dumps(back, ensure_ascii=False)
    calls: dict[str, Callable[[], Any]] = {
        "loads": lambda: json.loads(text),
        "own loads": lambda: json.loads(own),
        "own dumps": lambda: json.dumps(value),
        "decode": lambda: compiled.decode(wire),
        "gate": lambda: compiled.validate(back),
        "encode": lambda: compiled.encode(value),
    }
    if hasattr(compiled, "parse"):
        parse: Callable[[str], Any] = vars(type(compiled))["parse"].__get__(compiled)
        calls["parse"] = lambda: parse(text)
    number = max(3, min(200, 40_000 // (len(text) + 100)))
    return len(text), best(calls, rounds, number)


def cases(dialects: list[str], rounds: int) -> None:
    """Print the ratios of each named case."""
    for dialect in dialects:
        print(
            f"{dialect:20} {'bytes':>7} {'decode':>8} {'gate':>8} {'both':>8} {'encode':>8} {'parse':>8}"
        )
        for name, (schema, source) in CASES.items():
            compiled = ws.compile(schema, dialect)
            size, seconds = times(compiled, json.loads(json.dumps(source)), rounds)
            ratio = {key: seconds[key] / seconds["loads"] for key in seconds}
            ratio["gate"] = seconds["gate"] / seconds["own loads"]
            print(
                f"  {name:18} {size:7} {ratio['decode']:7.2f}x {ratio['gate']:7.2f}x "
                f"{ratio['decode'] + ratio['gate']:7.2f}x {ratio['encode']:7.2f}x {ratio.get('parse', float('nan')):7.2f}x"
            )


def instances(folder: Path, sample: int, least: int) -> Iterator[tuple[str, Any, list[Any]]]:
    """Schemas spread over each corpus, with their longest valid instances; `least` is the length of a text."""
    for name in CORPORA:
        records = load(folder / f"{name}.dev.jsonl.gz")
        for record in records[:: max(1, len(records) // sample)]:
            valid = [t["data"] for t in record["tests"] if t["valid"] and "check" not in t]
            valid = [v for v in valid if len(json.dumps(v)) >= least]
            if valid:
                yield f"{name}/{record['id']}", record["schema"], valid[:3]


def corpus(arguments: argparse.Namespace) -> None:
    """Print median and total of the ratios over the corpora, by size."""
    for dialect in arguments.dialects.split(","):
        rows: list[tuple[int, str, dict[str, float]]] = []
        for name, schema, values in instances(arguments.corpora, arguments.sample, arguments.least):
            try:
                compiled = ws.compile(schema, dialect)
            except ws.WireshapeError:
                continue
            if json.loads(compiled.to_json())["codec"]["step"] is None:
                continue
            for value in values:
                try:
                    size, seconds = times(compiled, value, arguments.rounds)
                except ws.WireshapeError:
                    continue
                rows.append((size, name, seconds))
        report(dialect, rows, arguments.worst)


def report(dialect: str, rows: list[tuple[int, str, dict[str, float]]], worst: int) -> None:
    """Print one dialect: decode as a multiple of `loads` of the wire text; the gate and encode, of that of the value."""
    print(f"{dialect:20} {'bytes':>12} {'values':>7} {'':8} median   total     p90")
    for low, high in zip(SIZES, [*SIZES[1:], None], strict=True):
        picked = [row for row in rows if row[0] >= low and (high is None or row[0] < high)]
        for verb, unit in (
            ("decode", "loads"),
            ("gate", "own loads"),
            ("parse", "loads"),
            ("encode", "own dumps"),
        ):
            pairs = [(s[verb], s[unit]) for _, _, s in picked if verb in s]
            if pairs:
                ratios = sorted([a / b for a, b in pairs])
                total = sum([a for a, _ in pairs]) / sum([b for _, b in pairs])
                span = f"{low}-{high or ''}" if verb == "decode" else ""
                print(
                    f"{'':20} {span:>12} {len(pairs):7} {verb:8} {statistics.median(ratios):5.2f}x {total:6.2f}x "
                    f"{ratios[len(ratios) * 9 // 10]:6.2f}x"
                )
    for size, name, s in sorted(rows, key=lambda row: -row[2]["decode"] / row[2]["loads"])[:worst]:
        print(f"    {s['decode'] / s['loads']:6.2f}x {size:8} {name}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument(
        "--dialects", default="openai-strict,anthropic-strict,gemini-openapi,lenient"
    )
    parser.add_argument("--corpora", type=Path, help="folder of corpora to take the cases from")
    parser.add_argument("--sample", type=int, default=300, help="schemas of each corpus")
    parser.add_argument("--least", type=int, default=0, help="shortest instance, as JSON text")
    parser.add_argument("--worst", type=int, default=0, help="list the slowest decodes")
    arguments = parser.parse_args()
    print(f"load average {os.getloadavg()[0]:.2f}; multiples of json.loads of the same text")
    if arguments.corpora is not None:
        corpus(arguments)
    else:
        cases(arguments.dialects.split(","), arguments.rounds)


if __name__ == "__main__":
    main()
