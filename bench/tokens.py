"""Tokens of schemas in each form, as shares of the same schema as minified JSON Schema, by a public tokenizer.

    pip install tiktoken
    WIRESHAPE_CORPORA=... python bench/tokens.py [--encoding o200k_base] [--corpus bfcl]

tiktoken loads the encoding once, from the network or from the folder that TIKTOKEN_CACHE_DIR names. "words alone" counts the
descriptions, keys and listed values with nothing between them, "words, a line each" with a line end behind each: no notation
that keeps them can be shorter. "no descriptions" compares both forms without any.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import tiktoken
from samples import load

import wireshape as ws
from wireshape.emit.notation import notation
from wireshape.read import read
from wireshape.worded import worded

_TEXTS = ("description", "title", "$comment")


def records(name: str) -> Iterator[tuple[Any, ws.Options]]:
    path = Path(os.environ["WIRESHAPE_CORPORA"]) / f"{name}.dev.jsonl.gz"
    for record in load(path):
        says = isinstance(record["schema"], dict) and "$schema" in record["schema"]
        yield record["schema"], ws.Options(draft=None if says else record["draft"])


def words(schema: Any) -> list[str]:
    """Descriptions, keys and listed values of a schema."""
    found: list[str] = []
    stack = [schema]
    while stack:
        s = stack.pop()
        if isinstance(s, list):
            stack += s
        elif isinstance(s, dict):
            if isinstance(s.get("description"), str):
                found.append(s["description"])
            found += [str(v) for v in s.get("enum", ()) if isinstance(s.get("enum"), list)]
            properties = s.get("properties")
            if isinstance(properties, dict):
                found += properties
                stack += properties.values()
            stack += [v for k, v in s.items() if k not in ("properties", "default", "examples")]
    return found


def silent(schema: Any) -> Any:
    """The schema without descriptions; a property that is called so stays."""
    if isinstance(schema, list):
        return [silent(s) for s in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        k: {name: silent(sub) for name, sub in v.items()}
        if k == "properties" and isinstance(v, dict)
        else silent(v)
        for k, v in schema.items()
        if not (k in _TEXTS and isinstance(v, str))
    }


def minified(schema: Any) -> str:
    return json.dumps(schema, ensure_ascii=False, separators=(",", ":"))


def shares(schema: Any, options: ws.Options, count: Callable[[str], int]) -> dict[str, float]:
    whole = count(minified(schema))
    graph = read(schema, options).graph
    bare = silent(schema)
    return {
        "laid out": count(notation(graph)) / whole,
        "compact": count(notation(graph, dense=True)) / whole,
        "in a prompt": count(notation(worded(graph), dense=True)) / whole,
        "words, a line each": sum([count(f" {w}\n") for w in words(schema)]) / whole,
        "words alone": sum([count(" " + w) for w in words(schema)]) / whole,
        "no descriptions": count(ws.to_notation(bare, compact=True, options=options))
        / count(minified(bare)),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--encoding", default="o200k_base")
    parser.add_argument("--corpus", action="append")
    asked = parser.parse_args()
    encoding = tiktoken.get_encoding(asked.encoding)

    def count(text: str) -> int:
        return len(encoding.encode(text, disallowed_special=()))

    print(f"median (mean) share of minified JSON Schema, {asked.encoding}")
    for name in asked.corpus or ["bfcl", "mcp_tools"]:
        rows: list[dict[str, float]] = []
        for schema, options in records(name):
            try:
                rows.append(shares(schema, options, count))
            except ws.SchemaError:
                continue
        print(f"\n{name}: {len(rows)} schemas")
        for form in rows[0]:
            values = [row[form] for row in rows]
            print(f"  {form:<18} {statistics.median(values):.3f} ({statistics.mean(values):.3f})")


if __name__ == "__main__":
    main()
