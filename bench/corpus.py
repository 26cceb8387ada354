"""Count the laws over a corpus, per dialect: what breaks, what is lost, how much of the invalid the wire itself refuses.

    python bench/corpus.py --corpora DIR [--sample 2000] [--seed 1] [--dialects openai-strict,...] [--workers 2] [--json OUT]

Corpora are gzipped JSON lines `{id, schema, tests: [{data, valid}]}`. A sample is spread over the whole file. Every schema
runs in a worker process that may take 3 s of the processor for each stage. Bars are printed beside what they bind; the exit status is 1 when one is missed.
"""

from __future__ import annotations

import argparse
import collections
import json
import multiprocessing
import os
import re
import sys
import time
import traceback
from pathlib import Path
from typing import Any

import jsonschema_rs
from limits import Late, alarm
from samples import load

import wireshape as ws
from wireshape.testing import laws, same_json, wire_validator

SECONDS = 3
KEEP = ws.Options(open_objects="keep", absent="box")
REFERENCE = {"WS112", "WS113"}  # unresolvable references
CONTRADICTION = "WS117"
MAX_TESTS = 40
REASON = re.compile(r"(\w+\.\w+) = [^=]*\)$")


def judge_schema(job: tuple[dict[str, Any], str]) -> dict[str, Any]:
    """Run one schema through one dialect; everything countable as JSON."""
    record, dialect = job
    start = time.process_time()
    try:
        try:
            out = run(record, dialect)
        finally:
            alarm(0)
    except Late:
        out = {"status": "timeout", "where": f"after {time.process_time() - start:.1f} s"}
    except Exception as error:  # any crash, whatever its type, is what this counts
        frames = traceback.extract_tb(error.__traceback__)
        last = [f for f in frames if "wireshape" in f.filename][-1:]
        where = f"{last[0].filename.split('/')[-1]}:{last[0].lineno}" if last else repr(error)[:180]
        out = {"status": "crash", "where": f"{type(error).__name__} {where}"}
    return {"id": record["id"], "dialect": dialect, **out}


def run(record: dict[str, Any], dialect: str) -> dict[str, Any]:
    """The counts of one schema; compiling, compiling again, and the instances have seconds of their own."""
    schema = record["schema"]
    alarm(SECONDS)
    try:
        compiled = ws.compile(schema, dialect)
    except ws.WireshapeError as error:
        kind = (
            "reference"
            if error.code in REFERENCE
            else "contradiction"
            if error.code == CONTRADICTION
            else "refused"
        )
        return {"status": kind, "where": f"{type(error).__name__} {error.code} {str(error)[:160]}"}
    out: dict[str, Any] = {"status": "ok", "broken": [], "disagree": 0, "tight": [], "lost": False}
    violations = ws.check(compiled.schema, dialect)
    out["check"] = sorted({f"{v.rule} {v.keyword}" for v in violations})
    out["text"] = text_reasons(compiled)
    out["loud"] = sorted({n.code for n in compiled.report.narrowed if not n.quiet})
    out["exact"] = compiled.report.exact
    out["widened"] = sorted({n.keyword for n in compiled.report.widened})
    alarm(SECONDS)
    out["broken"] += [f"law {b.law}: {b.detail[:160]}" for b in laws.stable(compiled, ws.Options())]
    alarm(SECONDS)
    source = reference_validator(schema)
    out |= {"valid": 0, "lost_why": []}
    if source is None:
        return out
    valid, invalid = sort_tests(record, source)
    gate_disagreements(compiled, valid, invalid, out)
    judge = wire_validator(compiled)
    for value in valid:
        out["broken"] += [
            str(b)[:240]
            for b in [
                *laws.complete(compiled, judge, value),
                *laws.tolerant(compiled, judge, value),
            ]
        ]
    keep = ws.compile(schema, dialect, options=KEEP)
    lost = [why for value in valid if (why := lost_by(keep, value))]
    out["lost"] = bool(lost)
    out["lost_why"] = lost[:1]
    out["tight"] = [tightness(compiled, judge, source, value) for value in invalid]
    out["valid"] = len(valid)
    return out


def text_reasons(compiled: ws.Compiled) -> list[str]:
    """Why parts are sent as JSON text: the field of the row, or the limit."""
    codes = {"WS220": "any", "WS222": "recursion"}
    found = {codes[n.code] for n in compiled.report.notes if n.code in codes}
    for note in compiled.report.notes:
        if note.code == "WS221" and (hit := REASON.search(note.message)):
            found.add(hit[1])
    return sorted(found)


def reference_validator(schema: Any) -> Any:
    """The independent judge: jsonschema-rs itself, of the draft that `$schema` says, else 2020-12."""
    name = schema.get("$schema", "") if isinstance(schema, dict) else ""
    table = {
        "draft-04": jsonschema_rs.Draft4Validator,
        "draft-06": jsonschema_rs.Draft6Validator,
        "draft-07": jsonschema_rs.Draft7Validator,
        "2019-09": jsonschema_rs.Draft201909Validator,
    }
    kind = next(
        (v for k, v in table.items() if isinstance(name, str) and k in name),
        jsonschema_rs.Draft202012Validator,
    )
    try:
        return kind(schema, validate_formats=True, offline=True)
    except ValueError:
        return None


def sort_tests(record: dict[str, Any], source: Any) -> tuple[list[Any], list[Any]]:
    """Valid and invalid instances by the independent judge; contested labels are left out."""
    valid: list[Any] = []
    invalid: list[Any] = []
    for test in record.get("tests", ())[:MAX_TESTS] if source is not None else ():
        if "check" in test or "data" not in test:
            continue
        try:
            (valid if source.is_valid(test["data"]) else invalid).append(test["data"])
        except ValueError:
            continue
    return valid, invalid


def gate_disagreements(
    compiled: ws.Compiled, valid: list[Any], invalid: list[Any], out: dict[str, Any]
) -> None:
    out["disagree"] = sum([not laws.is_valid(compiled, v) for v in valid]) + sum(
        [laws.is_valid(compiled, v) for v in invalid]
    )


def lost_by(compiled: ws.Compiled, value: Any) -> str | None:
    """Why a valid value does not survive both directions."""
    try:
        back = compiled.decode(compiled.encode(value))
    except ws.WireshapeError as error:
        return str(error)[:200]
    return None if same_json(back, value) else f"came back as {json.dumps(back)[:120]}"


def tightness(compiled: ws.Compiled, judge: Any, source: Any, value: Any) -> tuple[str, bool]:
    """The keyword of the first failing source assertion, and whether the wire refuses the value by itself.

    The wire refuses when the value has no wire spelling, unless the report says that this very assertion is widened (an
    encoder may refuse for the sake of a union what the wire would take).
    """
    error = next(iter(source.iter_errors(value)))
    keyword = next(
        (
            str(step)
            for step in reversed(error.schema_path)
            if isinstance(step, str) and step in KEYWORDS
        ),
        "false",
    )
    try:
        wire = compiled.encode(value)
    except ws.EncodeError:
        path = [str(step).replace("~", "~0").replace("/", "~1") for step in error.schema_path]
        at = {"/" + "/".join(path), "/" + "/".join(path[:-1]), "" if len(path) <= 1 else "/"}
        widened = any([n.keyword == keyword and n.pointer in at for n in compiled.report.widened])
        return keyword, not widened
    return keyword, not judge.is_valid(wire)


KEYWORDS = frozenset(
    "type enum const minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern format minItems maxItems "
    "uniqueItems contains minContains maxContains required minProperties maxProperties propertyNames additionalProperties items additionalItems "
    "not anyOf oneOf if then else dependentRequired dependentSchemas dependencies unevaluatedProperties unevaluatedItems false".split()
)


def report(dialect: str, rows: list[dict[str, Any]]) -> list[str]:
    """Print the counts of one dialect and return the bars it misses."""
    total = len(rows)
    status = collections.Counter([row["status"] for row in rows])
    ok = [row for row in rows if row["status"] == "ok"]
    judged = [row for row in ok if row["valid"]]
    tight = [pair for row in ok for pair in row["tight"]]
    held = sum([refused for _, refused in tight])
    strict = ws.dialect(dialect).strict
    numbers = [
        ("crashes", status["crash"], 0),
        ("timeouts", status["timeout"], 0),
        ("check finds something, limits included", sum([bool(row["check"]) for row in ok]), 0),
        ("broken laws (2, 3, 5, 9), schemas", sum([bool(row["broken"]) for row in ok]), 0),
        (
            "of them law 2 (silent losses)",
            sum([any(["law 2" in b for b in row["broken"]]) for row in ok]),
            0,
        ),
        ("gate disagreements", sum([row["disagree"] for row in ok]), 0),
        ("refused, typed", status["refused"], 0.01 * total),
        (
            "lost with keep and box, schemas",
            sum([row["lost"] for row in ok]),
            0.003 * max(1, len(judged)),
        ),
        ("loud narrowed notes, schemas", sum([bool(row["loud"]) for row in ok]), 0.01 * total),
        (
            "JSON text (any and recursion aside)",
            sum([bool(set(row["text"]) - {"any", "recursion"}) for row in ok]),
            {"openai-strict": 0.01, "anthropic-strict": 0.05}.get(dialect, 1.0) * total,
        ),
    ]
    print(
        f"\n{dialect}: {total} schemas, {len(ok)} compiled, {len(judged)} with valid instances, "
        f"{status['reference']} unresolvable references, {status['contradiction']} contradictions, "
        f"{sum([row['exact'] for row in ok])} exact"
    )
    by_reason = collections.Counter([reason for row in ok for reason in row["text"]])
    shares = [f"{reason} {n} ({n / total:.1%})" for reason, n in by_reason.most_common()]
    print("        JSON text, schemas by reason: " + (", ".join(shares) or "none"))
    missed = []
    for name, count, bar in numbers:
        bad = count > bar
        missed += [f"{dialect}: {name} {count} > {bar:.1f}"] if bad else []
        print(f"  {'MISS' if bad else ' ok '}  {name:40} {count:6}   bar {bar:.1f}")
    if tight:
        bar = 0.9 if dialect == "openai-strict" else 0.7 if strict else 0.0
        share = held / len(tight)
        missed += [f"{dialect}: tight {share:.3f} < {bar}"] if share < bar else []
        print(
            f"  {'MISS' if share < bar else ' ok '}  {'tight: invalid refused by the wire':40} {share:6.3f}   bar {bar}   ({len(tight)} instances)"
        )
        by = collections.Counter([word for word, _ in tight])
        let_in = collections.Counter([word for word, refused in tight if not refused])
        print(
            "        let in, by keyword: "
            + ", ".join([f"{word} {n}/{by[word]}" for word, n in let_in.most_common(14)])
        )
    examples(rows)
    return missed


def examples(rows: list[dict[str, Any]]) -> None:
    """Print one schema for each distinct way to fail."""
    seen: dict[str, str] = {}
    count: collections.Counter[str] = collections.Counter()
    for row in rows:
        faults = (
            [f"{row['status']} {row['where'][:70]}"]
            if row["status"] in {"crash", "timeout", "refused"}
            else []
        )
        if row["status"] == "ok":
            faults += [f"check {fault}" for fault in row["check"]]
            faults += sorted({fault[:60] for fault in row["broken"]})
            faults += [f"keep and box: {fault[:60]}" for fault in row["lost_why"]]
            faults += ["gate disagrees"] if row["disagree"] else []
        for fault in faults:
            seen.setdefault(fault, row["id"])
            count[fault] += 1
    for fault, n in count.most_common(25):
        print(f"        {n:4}  {fault}   e.g. {seen[fault]}")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--corpora", default=os.environ.get("WIRESHAPE_CORPORA", "corpora"))
    parser.add_argument(
        "--files",
        default="jsonschemabench.dev:2000,schemastore.dev:0",
        help="name:sample, 0 for all",
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--dialects", default=",".join(ws.dialects()))
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--json", help="write every row there, one a line")
    arguments = parser.parse_args()
    records = []
    for spec in arguments.files.split(","):
        name, _, sample = spec.partition(":")
        part = load(Path(arguments.corpora) / f"{name}.jsonl.gz", int(sample or 0), arguments.seed)
        print(f"{name}: {len(part)} schemas, seed {arguments.seed}")
        records += part
    missed: list[str] = []
    everything: list[dict[str, Any]] = []
    with multiprocessing.Pool(arguments.workers) as pool:
        for dialect in arguments.dialects.split(","):
            start = time.perf_counter()
            rows = list(
                pool.imap_unordered(judge_schema, [(r, dialect) for r in records], chunksize=8)
            )
            everything += rows
            missed += report(dialect, rows)
            print(f"        {time.perf_counter() - start:.0f} s", flush=True)
    if arguments.json:
        Path(arguments.json).write_text(
            "".join([json.dumps(row) + "\n" for row in everything]), "utf-8"
        )
    print(f"\n{len(missed)} bars missed", *missed, sep="\n  ")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
