"""Put the Lark grammars of real schemas before two acceptors, llguidance and the lark library, and print what holds.

    python bench/grammars.py --corpora DIR [--schemas 1000] [--seconds 60] [--samples 3] [--seed 1] [--workers 2]

Both are asked about the texts of each schema's own instances, in every spelling, and the lark library also about what
llguidance writes at random under the grammar. Valid texts must be accepted, invalid ones refused or named by a widened
note. The library tries LALR(1) first and Earley, within `--seconds` of processor time a text, for what that refuses. The
exit status is 1 when a breach is found.
"""

from __future__ import annotations

import argparse
import collections
import json
import multiprocessing
import sys
import time
from pathlib import Path
from typing import Any

import lark
from engines import FILES
from limits import Late, alarm
from samples import shares

import wireshape as ws
from wireshape.testing import Engine, EngineError, laws, trial
from wireshape.testing.engines import Written, texts_of
from wireshape.testing.lark_reader import Lark

ROW = "openai-custom-grammar"


class Out:
    """What was counted, and what is wrong."""

    def __init__(self) -> None:
        self.count: collections.Counter[str] = collections.Counter()
        self.breaches: list[str] = []


def instances(record: dict[str, Any]) -> list[Any]:
    tests = record.get("tests", ())
    return [t["data"] for t in tests if "data" in t and not {"check", "raw"} & t.keys()]


def one(record: dict[str, Any], engine: Engine, asked: argparse.Namespace, out: Out) -> None:
    """Try one schema with both."""
    name = record["id"]
    try:
        compiled = ws.compile(record["schema"], ROW)
    except ws.SchemaError:
        out.count["no schema"] += 1
        return
    out.count["schemas"] += 1
    values = instances(record)
    samples: tuple[str, ...] = ()
    try:
        result = trial(compiled, engine, values, samples=asked.samples, seed=asked.seed)
        samples = engine.ask(Written("lark", compiled.text or ""), samples=asked.samples, seed=asked.seed).samples  # fmt: skip
        out.breaches += [f"llguidance: {name}: {breach}" for breach in result.breaches]
        for key in ("samples", "passed"):
            out.count[f"llguidance {key}"] += getattr(result, key)
    except EngineError as error:
        out.count[f"llguidance: {error}"[:60]] += 1
    grammar = read(compiled.text or "", name, asked.seconds, out)
    if grammar is None:
        return
    for value in values:
        try:
            wire = compiled.encode(value)
        except ws.EncodeError:
            out.count["no wire"] += 1
            continue
        if laws.is_valid(compiled, value):
            for text in texts_of(wire):
                ask(grammar, text, "valid", name, asked.seconds, out)
        elif ask(grammar, json.dumps(wire), "invalid", name, asked.seconds, out):
            out.breaches += [f"lark: {name}: {b}" for b in laws.sound(compiled, wire)]
    for text in samples:
        ask(grammar, text, "sample", name, asked.seconds, out)


def read(text: str, name: str, seconds: float, out: Out) -> Lark | None:
    """Let the library read a grammar."""
    try:
        alarm(seconds)
        grammar = Lark(text)
        out.count["lark LALR(1)" if grammar.is_lalr else "lark Earley only"] += 1
    except lark.exceptions.LarkError as error:
        out.breaches.append(f"lark: {name}: refused: {str(error)[:200]}")
        return None
    except Late:
        out.count["lark too slow to read"] += 1
        print("too slow to read:", name, len(text), flush=True)
        return None
    finally:
        alarm(0)
    return grammar


def ask(grammar: Lark, text: str, kind: str, name: str, seconds: float, out: Out) -> bool:
    """Let the library judge a text."""
    try:
        alarm(seconds)
        quick = grammar.accepts_at_once(text)
        taken = quick or grammar.accepts(text)
    except Late:
        out.count[f"lark {kind} out of time"] += 1
        return False
    finally:
        alarm(0)
    how = "accepted at once" if quick else "accepted" if taken else "refused"
    out.count[f"lark {kind} {how}"] += 1
    if kind != "invalid" and not taken:
        out.breaches.append(f"lark: {name}: does not accept {text[:300]}")
    return taken


def part(job: tuple[list[dict[str, Any]], argparse.Namespace]) -> Out:
    """Try some schemas, in this process, with an engine of its own."""
    records, asked = job
    out = Out()
    with Engine("llguidance") as engine:
        for record in records:
            one(record, engine, asked, out)
    return out


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("--corpora", type=Path, required=True)
    parser.add_argument("--files", default=FILES)
    parser.add_argument("--schemas", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--samples", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    asked = parser.parse_args()
    start = time.perf_counter()
    records = shares(asked.corpora, asked.files.split(","), asked.schemas, asked.seed)
    chunks = [(records[i::100], asked) for i in range(min(100, len(records)))]
    count: collections.Counter[str] = collections.Counter()
    breaches: list[str] = []
    with multiprocessing.Pool(asked.workers) as pool:
        for i, out in enumerate(pool.imap_unordered(part, chunks), 1):
            count += out.count
            breaches += out.breaches
            print(f"{i} of {len(chunks)} parts, {len(breaches)} breaches, {time.perf_counter() - start:.0f} s", flush=True)  # fmt: skip
            for breach in out.breaches:
                print("  ", breach[:600], flush=True)
    for key, n in sorted(count.items()):
        print(f"  {n:7} {key}")
    print(f"{len(breaches)} breaches")
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
