"""Cost of a cold compilation, report and codec included, as a multiple of `copy.deepcopy` of the same schema.

    python bench/compile.py --corpora DIR [--sample 150] [--seed 1] [--dialects openai-strict,...]

Schemas are spread over the file (without corpora, those of golden/ and examples/ stand in); each is timed interleaved with its deepcopy, the minimum of the rounds counts. Prints
median, 90th percentile and worst ratio per dialect, the worst ones by name, and the ratio of the sums.
"""

from __future__ import annotations

import argparse
import copy
import json
import os
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from samples import load

import wireshape as ws

ROUNDS = 5


def interleaved(one: Callable[[], Any], two: Callable[[], Any]) -> tuple[float, float]:
    """Minimum seconds of each, run in turn."""
    best = [float("inf"), float("inf")]
    for _ in range(ROUNDS):
        for index, call in enumerate((one, two)):
            start = time.perf_counter()
            call()
            best[index] = min(best[index], time.perf_counter() - start)
    return best[0], best[1]


def cold(schema: Any, dialect: str) -> Callable[[], Any]:
    def run() -> None:
        compiled = ws.compile(schema, dialect)
        compiled.report.to_json()

    return run


def scaling(dialect: str) -> None:
    """Objects with 1, 2, 4 ... times as many fields: what is linear keeps its ratio."""
    ratios = []
    for size in (50, 100, 200, 400, 800):
        fields = {
            f"f{i}": {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
            for i in range(size)
        }
        schema = {"type": "object", "properties": fields, "required": list(fields)}
        seconds, base = interleaved(
            cold(schema, dialect), lambda schema=schema: copy.deepcopy(schema)
        )
        ratios.append(f"{size}: {seconds / base:.1f}x")
    print(f"  {dialect:22} scaling  {'  '.join(ratios)}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--corpora", default=os.environ.get("WIRESHAPE_CORPORA", "corpora"))
    parser.add_argument(
        "--files", default="bfcl.dev:100,jsonschemabench.dev:100,schemastore.dev:30"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--dialects", default="openai-strict,anthropic-strict,gemini-openapi,tools-lenient"
    )
    arguments = parser.parse_args()
    print(
        f"load average {os.getloadavg()[0]:.2f}, minimum of {ROUNDS} interleaved rounds, seed {arguments.seed}"
    )
    for spec in arguments.files.split(","):
        name, _, sample = spec.partition(":")
        path = Path(arguments.corpora) / f"{name}.jsonl.gz"
        if not path.exists():
            continue
        records = load(path, int(sample), arguments.seed)
        print(
            f"{name}: {len(records)} schemas, {sum([len(json.dumps(r['schema'])) for r in records]) // len(records)} bytes on average"
        )
        for dialect in arguments.dialects.split(","):
            timed(dialect, records)
    if not arguments.corpora or not Path(arguments.corpora).is_dir():
        print("no corpora: the cases of golden/ and examples/ stand in")
        for dialect in arguments.dialects.split(","):
            timed(dialect, built_in())
    for dialect in arguments.dialects.split(","):
        scaling(dialect)


def built_in() -> list[dict[str, Any]]:
    """The schemas that come with the repository."""
    root = Path(__file__).parent.parent
    cases = [
        {"id": path.stem, "schema": json.loads(path.read_text())["schema"]}
        for path in sorted((root / "golden" / "cases").glob("*.json"))
    ]
    examples = [
        {"id": path.stem, "schema": json.loads(path.read_text())}
        for path in sorted((root / "examples").glob("*.json"))
        if not path.name.endswith(".value.json")
    ]
    return cases + examples


def timed(dialect: str, records: list[dict[str, Any]]) -> None:
    ratios: list[tuple[float, str]] = []
    total = [0.0, 0.0]
    for record in records:
        schema = record["schema"]
        try:
            seconds, base = interleaved(
                cold(schema, dialect), lambda schema=schema: copy.deepcopy(schema)
            )
        except ws.WireshapeError:
            continue
        ratios.append((seconds / base, record["id"]))
        total = [total[0] + seconds, total[1] + base]
    ratios.sort()
    values = [ratio for ratio, _ in ratios]
    worst = "  ".join([f"{ratio:.0f}x {name}" for ratio, name in ratios[-3:]])
    print(
        f"  {dialect:22} median {statistics.median(values):5.1f}x  p90 {values[int(len(values) * 0.9)]:6.1f}x  "
        f"worst {values[-1]:7.1f}x  sum {total[0] / total[1]:5.1f}x   {worst}"
    )


if __name__ == "__main__":
    main()
