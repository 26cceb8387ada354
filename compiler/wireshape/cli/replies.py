"""The verb `decode`: one reply, or a file of them on all cores; what a reply means is `Compiled.parse`'s to say."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import click

import wireshape as ws
from wireshape.cli.output import print_json, print_text
from wireshape.cli.sources import (
    InputError,
    compile_options,
    dialect_option,
    is_type,
    json_option,
    read_json,
    read_source,
    read_text,
)
from wireshape.cli.values import compiled_for
from wireshape.ir import Json, kind_of

_FEW = 256
"""Replies that are decoded faster in this process than by starting others."""


@click.command("decode")
@click.argument("source")
@click.argument("reply")
@dialect_option
@compile_options
@click.option(
    "--gate/--no-gate",
    default=True,
    show_default=True,
    help="Validate the decoded value against the source schema. Without it REPLY must be JSON, and nothing is repaired.",
)
@click.option(
    "--finish-reason",
    metavar="REASON",
    help="Why the provider says that the reply ended, such as length.",
)
@click.option("--jsonl", is_flag=True, help="REPLY holds one reply per line, as JSON.")
@click.option(
    "--at",
    metavar="POINTER",
    default="",
    help="With --jsonl, the JSON pointer of the reply in each line, such as /response/text.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1),
    default=None,
    help="With --jsonl, processes to use; all cores by default.",
)
@json_option
def decode_verb(source: str, reply: str, *, dialect: str, as_json: bool, **switches: Any) -> None:
    """Print the conceptual value of REPLY.

    REPLY is a file or `-` with what a model sent: JSON, or text with JSON in it. How it was read goes to stderr. Exit code 1
    when there is no answer in it that the schema accepts. With `--json` the result is one object {dialect, kind, value, rung,
    edits, flags, evidence, attempted, truncated, partial, retry_text}.

    With `--jsonl` each line of REPLY is a reply: a JSON string is text, any other value was parsed already. One such object per
    line goes to stdout, with the number of the line; a summary goes to stderr.

    \b
    Examples:
      wireshape decode order.json reply.txt --dialect openai-strict
      wireshape encode order.json order.value.json -d xai-strict | wireshape decode order.json - -d xai-strict
      wireshape decode order.json replies.jsonl -d openai-strict --jsonl --at /text
    """
    gate, jsonl = switches.pop("gate"), switches.pop("jsonl")
    finish, at, jobs = (switches.pop(name) for name in ("finish_reason", "at", "jobs"))
    compiled = compiled_for(source, reply, dialect, switches)
    if jsonl:
        _decode_lines(compiled, source, reply, at, jobs or os.cpu_count() or 1)
        return
    if not gate:
        wire = read_json(reply)
        value = compiled.decode(wire)
        print_json(
            {"dialect": compiled.dialect.id, "wire": wire, "value": value} if as_json else value
        )
        return
    outcome = compiled.parse(read_text(reply), finish)
    if as_json:
        _print({"dialect": compiled.dialect.id, **document_of(outcome, _type_of(source))})
    elif outcome.kind == "output":
        _print(_plain(outcome.value, _type_of(source)))
        _tell(outcome)
    if outcome.kind == "failed":
        if as_json:
            raise click.exceptions.Exit(1)
        raise _refusal(outcome)


def _print(document: Json) -> None:
    """Print JSON, in which an integer may have more digits than Python writes."""
    try:
        print_json(document)
    except ValueError as error:
        message = f"the value cannot be printed: {error}"
        raise InputError(message) from None


def _refusal(outcome: ws.Outcome) -> ws.WireshapeError:
    """What to say of a reply that has no answer: why the last reading was not one."""
    last = outcome.evidence[-1]
    where = "" if last.offset is None else f" (at character {last.offset})"
    return ws.ValidationError(last.message + where, code=last.code, pointer=last.pointer)


def _tell(outcome: ws.Outcome) -> None:
    """Say on stderr how a reply was read, unless it was simply JSON."""
    if outcome.rung == "strict" and not outcome.edits:
        return
    click.echo(f"read as {outcome.rung}, {len(outcome.edits)} edits", err=True)
    for edit in outcome.edits:
        where = edit.pointer if edit.offset is None else f"character {edit.offset}"
        change = f"{edit.before!r} -> {edit.after!r}" if edit.after else repr(edit.before)
        click.echo(f"  {edit.kind} at {where or '/'}: {change}", err=True)


def _type_of(source: str) -> Any:
    return read_source(source) if is_type(source) else None


def _plain(value: Any, tp: Any) -> Json:
    """A value as JSON: an instance of the Python type is dumped."""
    if tp is None:
        return value
    from wireshape.read.python import dump  # noqa: PLC0415 (loads pydantic)

    return dump(tp, value)


def document_of(outcome: ws.Outcome, tp: Any = None) -> dict[str, Json]:
    """An outcome as JSON, without the text."""
    return {
        "kind": outcome.kind,
        "value": _plain(outcome.value, tp) if outcome.kind == "output" else None,
        "rung": outcome.rung,
        "edits": [
            {
                "offset": e.offset,
                "pointer": e.pointer,
                "kind": e.kind,
                "before": e.before,
                "after": e.after,
            }
            for e in outcome.edits
        ],
        "flags": list(outcome.flags),
        "evidence": [
            {
                "rung": e.rung,
                "code": e.code,
                "message": e.message,
                "pointer": e.pointer,
                "offset": e.offset,
            }
            for e in outcome.evidence
        ],
        "attempted": outcome.attempted,
        "truncated": outcome.truncated,
        "partial": outcome.partial,
        "retry_text": outcome.retry_text,
    }


# many replies


_job: tuple[ws.Compiled, str, Any]


def _start(compiled: ws.Compiled, at: str, source: str) -> None:
    """Give a process what it needs for every line."""
    global _job  # noqa: PLW0603 (once per process, before any line)
    _job = (compiled, at, _type_of(source))


def _line(numbered: tuple[int, str]) -> tuple[str, str]:
    """Decode one line; return what to print, and what it counts as."""
    number, line = numbered
    compiled, at, tp = _job
    try:
        found = _found(json.loads(line), at)
    except (ValueError, RecursionError):
        return json.dumps(
            {"line": number, "kind": "failed", "error": "not a line of JSON"}
        ), "no JSON"
    except LookupError:
        return json.dumps(
            {"line": number, "kind": "failed", "error": f"nothing at {at}"}
        ), "no reply"
    outcome = compiled.parse(found)
    document = {"line": number, **document_of(outcome, tp)}
    try:
        printed = json.dumps(document)
    except ValueError as error:  # an integer with more digits than Python writes
        return json.dumps({"line": number, "kind": "failed", "error": str(error)}), "unprintable"
    failure = "truncated" if outcome.truncated else "failed"
    counted = str(outcome.rung) if outcome.kind == "output" else failure
    return printed, counted


def _found(value: Any, pointer: str) -> Any:
    """Return what is at a JSON pointer; LookupError when there is nothing."""
    for token in pointer.split("/")[1:]:
        key = token.replace("~1", "/").replace("~0", "~")
        if kind_of(value) is list and key.isdecimal():
            value = value[int(key)]
        elif kind_of(value) is dict:
            value = value[key]
        else:
            raise LookupError(token)
    return value


def _decode_lines(compiled: ws.Compiled, source: str, reply: str, at: str, jobs: int) -> None:
    if at and not at.startswith("/"):
        message = f"--at {at!r} is no JSON pointer; it begins with a slash"
        raise InputError(message)
    lines = [(n, line) for n, line in enumerate(read_text(reply).split("\n"), 1) if line.strip()]
    counts: Counter[str] = Counter()
    with click.progressbar(
        _results(compiled, source, lines, at, jobs),
        length=len(lines),
        label="decoding",
        file=sys.stderr,
    ) as results:
        for text, counted in results:
            print_text(text)
            counts[counted] += 1
    good = sum([n for name, n in counts.items() if name not in _BAD])
    click.echo(f"{len(lines)} replies: {good} outputs, {len(lines) - good} failed", err=True)
    for name, n in counts.most_common():
        click.echo(f"  {n:8} {name}", err=True)
    if good < len(lines):
        raise click.exceptions.Exit(1)


_BAD = frozenset({"failed", "truncated", "no JSON", "no reply", "unprintable"})


def _results(
    compiled: ws.Compiled, source: str, lines: list[tuple[int, str]], at: str, jobs: int
) -> Iterator[tuple[str, str]]:
    """The result of each line in order, by as many processes as are worth starting."""
    if jobs == 1 or len(lines) < _FEW:
        _start(compiled, at, source)
        yield from map(_line, lines)
        return
    with ProcessPoolExecutor(jobs, initializer=_start, initargs=(compiled, at, source)) as pool:
        chunk = max(1, min(64, len(lines) // (4 * jobs)))
        results: Iterable[tuple[str, str]] = pool.map(_line, lines, chunksize=chunk)
        yield from results


VERBS = (decode_verb,)
