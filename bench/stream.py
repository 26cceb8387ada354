"""Cost of streaming a reply in chunks, a look at the partial value after each, as a multiple of re-parsing with jiter.

    pip install jiter; python bench/stream.py [--rounds 7] [--chunk 64]

Without jiter only milliseconds are printed. The verbs run in turn in one process and the minimum of the rounds counts.
"decoded" has maps as pairs and optional fields as null, which jiter leaves as they are.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
from collections.abc import Callable
from typing import Any

from decode import best

import wireshape as ws

TEXT = {"type": "string"}
RECORD = {
    "type": "object",
    "properties": {
        "id": {"type": "integer"},
        "name": TEXT,
        "tags": {"type": "array", "items": TEXT},
        "score": {"type": "number"},
        "labels": {"type": "object", "additionalProperties": TEXT},
        "note": TEXT,
    },
    "required": ["id", "name"],
    "additionalProperties": False,
}
SCHEMAS: dict[str, Any] = {
    "records": {
        "type": "object",
        "properties": {"records": {"type": "array", "items": RECORD}},
        "required": ["records"],
        "additionalProperties": False,
    },
    "one long text": {
        "type": "object",
        "properties": {"text": TEXT},
        "required": ["text"],
        "additionalProperties": False,
    },
    "numbers": {"type": "array", "items": {"type": "number"}},
}


def values(size: int) -> dict[str, Any]:
    """A value for each schema, of about `size` characters."""
    record = {
        "id": 1,
        "name": "Ada Lovelace",
        "tags": ["x", "y"],
        "score": 2.5,
        "labels": {"a": "one", "b": "two"},
        "note": 'said "no" \u2014 twice\n',
    }
    return {
        "records": {"records": [record] * (size // 170)},
        "one long text": {"text": 'Lorem ipsum "dolor" sit amet, \n' * (size // 34)},
        "numbers": [i * 1.5 for i in range(size // 8)],
    }


def streamed(compiled: ws.Compiled, chunks: list[str], *, look: bool = True) -> Any:
    """Push every chunk, and look at the partial value."""
    feed = compiled.stream()
    seen: Any = None
    for chunk in chunks:
        if feed.push(chunk) and look:
            seen = feed.partial
    return feed, seen


def reparsed(from_json: Callable[..., Any], chunks: list[str]) -> Any:
    """Parse all that there is after every chunk."""
    text, seen = b"", None
    for chunk in chunks:
        text += chunk.encode()
        seen = from_json(text, partial_mode="trailing-strings")
    return seen


def jiter() -> Callable[..., Any] | None:
    """The parser to compare with, if it is installed."""
    try:
        module = importlib.import_module("jiter")
    except ImportError:
        return None
    return module.from_json  # type: ignore[no-any-return]  # the module is optional


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--chunk", type=int, default=64)
    arguments = parser.parse_args()
    print(f"load average {os.getloadavg()[0]:.2f}")
    from_json = jiter()
    for size in (25_000, 100_000):
        for name, value in values(size).items():
            calls: dict[str, Callable[[], Any]] = {}
            for dialect in ("lenient", "openai-strict"):
                compiled = ws.compile(SCHEMAS[name], dialect)
                text = json.dumps(compiled.encode(value))
                chunks = [
                    text[at : at + arguments.chunk] for at in range(0, len(text), arguments.chunk)
                ]
                feed, seen = streamed(compiled, chunks)
                assert seen == value
                assert feed.finish().value == value
                kind = "decoded" if dialect == "openai-strict" else "plain"
                calls[kind] = lambda c=compiled, k=chunks: streamed(c, k)
                calls[f"{kind}, unseen"] = lambda c=compiled, k=chunks: streamed(c, k, look=False)
                if from_json is not None:
                    calls[f"jiter of {kind}"] = lambda f=from_json, k=chunks: reparsed(f, k)
            seconds = best(calls, arguments.rounds if size < 100_000 else 2, 1)
            print(f"{name}, {size} characters")
            for kind, took in seconds.items():
                rival = seconds.get(f"jiter of {kind.partition(',')[0]}")
                ratio = "" if rival is None else f"{took / rival:7.2f}x of jiter"
                print(f"  {kind:18} {took * 1000:8.2f} ms {ratio}")


if __name__ == "__main__":
    main()
