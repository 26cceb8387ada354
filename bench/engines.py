"""Put compilations before real constrained-decoding engines and print what holds, per row.

    python bench/engines.py samples --corpora DIR [--schemas 2000] [--count 20000] [--dialects a,b] [--seed 1]
    python bench/engines.py features [--engines llguidance,xgrammar] [--python /path/to/python]

`samples`: an engine writes answers at random under what each row reads in its wire schema; each is decoded and gated. The
share that passes the gate is the measure of tightness. `features`: every schema of tests/data/features.jsonl, compiled for
the engine's own row, both ways. The exit status is 1 when a bar is missed.
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

from limits import Late, alarm
from samples import shares

import wireshape as ws
from wireshape.testing import Engine, EngineError, trial

ROOT = Path(__file__).resolve().parents[1]
HOSTED = "openai-strict,anthropic-strict,gemini-json-schema,xai-strict"
FILES = "jsonschemabench,bfcl,mcp_tools"
SECONDS = 5


def sampled(job: tuple[str, list[dict[str, Any]], int, int]) -> collections.Counter[str]:
    """Sample each schema under one row, in this process, with an engine of its own."""
    dialect, records, per_schema, seed = job
    count: collections.Counter[str] = collections.Counter()
    with Engine("llguidance", seconds=SECONDS) as engine:
        for record in records:
            try:
                alarm(4 * SECONDS)
                try:
                    one(record, dialect, engine, per_schema, seed, count)
                finally:
                    alarm(0)
            except Late:
                count["too slow"] += 1
    return count


def one(record: dict[str, Any], dialect: str, engine: Engine, per_schema: int, seed: int, count: collections.Counter[str]) -> None:  # fmt: skip
    try:
        compiled = ws.compile(record["schema"], dialect)
    except ws.SchemaError:
        count["no schema"] += 1
        return
    try:
        result = trial(compiled, engine, samples=per_schema, seed=seed)
    except EngineError as error:
        count[f"engine: {error}"[:60]] += 1
        return
    count["schemas"] += 1
    if result.refused is not None:
        count["refused"] += 1
        count[f"refused: {result.refused.splitlines()[0][:70]}"] += 1
    for name in ("samples", "passed", "slack", "foreign", "stuck"):
        count[name] += getattr(result, name)
    count["breaches"] += len(result.breaches)
    count["exact samples"] += 0 if compiled.report.widened else result.samples
    for breach in result.breaches[:1]:
        count[f"breach: {record['id']}: {str(breach)[:600]}"] += 1


def samples(arguments: argparse.Namespace) -> list[str]:
    """Run the sampling loop over every row and return the bars that are missed."""
    dialects = arguments.dialects.split(",")
    records = shares(
        Path(arguments.corpora), arguments.files.split(","), arguments.schemas, arguments.seed
    )
    per_schema = -(-arguments.count // (len(dialects) * len(records)))
    print(f"{len(records)} schemas, {per_schema} samples each, {len(dialects)} rows")
    missed: list[str] = []
    with multiprocessing.Pool(arguments.workers) as pool:
        for dialect in dialects:
            start = time.perf_counter()
            chunks = [records[i :: 4 * arguments.workers] for i in range(4 * arguments.workers)]
            jobs = [(dialect, chunk, per_schema, arguments.seed) for chunk in chunks]
            count: collections.Counter[str] = collections.Counter()
            for part in pool.imap_unordered(sampled, jobs):
                count += part
            missed += tell(dialect, count, time.perf_counter() - start)
    return missed


def tell(dialect: str, count: collections.Counter[str], seconds: float) -> list[str]:
    """Print the counts of one row."""
    total = count["samples"]
    share = count["passed"] / max(1, total)
    print(
        f"\n{dialect}: {count['schemas']} schemas, {total} samples, {share:.1%} pass the gate, "
        f"{count['slack']} in named slack, {count['breaches']} breaches ({seconds:.0f} s)"
    )
    print(
        f"  {count['exact samples']} samples of schemas without a widened note; {count['foreign']} texts outside the wire "
        f"language, {count['stuck']} without an end; engine refused {count['refused']} schemas; "
        f"{count['no schema']} do not compile, {count['too slow']} too slow"
    )
    for line, n in sorted(count.items(), key=lambda pair: -pair[1]):
        if line.startswith(("refused: ", "breach: ", "engine: ")):
            print(f"    {n:5} {line}")
    return [f"{dialect}: {count['breaches']} breaches"] if count["breaches"] else []


def features(arguments: argparse.Namespace) -> list[str]:
    """Compile each single-feature schema for the row of each engine, and ask the engine."""
    lines = (ROOT / "tests/data/features.jsonl").read_text("utf-8").splitlines()
    missed: list[str] = []
    for name in arguments.engines.split(","):
        count: collections.Counter[str] = collections.Counter()
        with Engine(name, python=arguments.python) as engine:
            for record in map(json.loads, lines):
                options = ws.Options(draft=record.get("draft"), open_objects="keep")
                try:
                    compiled = ws.compile(record["schema"], name, options=options)
                except ws.SchemaError as error:
                    count["refused by the reader"] += 1
                    if error.code != record.get("error"):
                        missed.append(f"{name} {record['name']}: {error}")
                    continue
                texts = [*record["valid"], *record["invalid"]]
                result = trial(
                    compiled,
                    engine,
                    [json.loads(text) for text in texts],
                    samples=arguments.per_feature,
                    seed=arguments.seed,
                    own=True,
                )
                count["exact"] += not compiled.report.widened
                count["taken"] += result.refused is None
                for key in ("samples", "passed", "stuck"):
                    count[key] += getattr(result, key)
                missed += [f"{name} {record['name']}: {str(b)[:300]}" for b in result.breaches]
            print(
                f"{name} {engine.version}: {len(lines)} schemas, {count['taken']} taken, {count['refused by the reader']} are "
                f"no schema; {count['exact']} exact; {count['samples']} samples, {count['passed']} pass the gate"
            )
    return missed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("part", choices=["samples", "features"])
    parser.add_argument("--corpora")
    parser.add_argument("--files", default=FILES)
    parser.add_argument("--schemas", type=int, default=2000)
    parser.add_argument("--count", type=int, default=20000)
    parser.add_argument("--dialects", default=HOSTED)
    parser.add_argument("--engines", default="llguidance")
    parser.add_argument("--python", help="an interpreter that has the engine")
    parser.add_argument("--per-feature", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    arguments = parser.parse_args()
    missed = samples(arguments) if arguments.part == "samples" else features(arguments)
    print(f"\n{len(missed)} bars missed", *missed[:60], sep="\n  ")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
