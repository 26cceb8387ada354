"""The verb `diff`: one schema under two dialects, as the difference of the two wire schemas and of the two reports."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import Any, NamedTuple

import click

import wireshape as ws
from wireshape.cli.output import json_text, print_json, print_text
from wireshape.cli.sources import (
    InputError,
    compile_options,
    find_dialects,
    json_option,
    options_of,
    read_source,
)


class Side(NamedTuple):
    """What one dialect makes of the schema: a compilation, or the error that says why there is none."""

    name: str
    compiled: ws.Compiled | None
    error: ws.WireshapeError | None

    @property
    def text(self) -> str:
        """The wire schema as indented JSON, empty when there is none."""
        return "" if self.compiled is None else json_text(self.compiled.schema)

    @property
    def notes(self) -> tuple[ws.Note, ...]:
        """The notes of the report."""
        return () if self.compiled is None else self.compiled.report.notes

    def to_json(self, other: Side) -> dict[str, Any]:
        """Return the side as a JSON object, with the notes that the other one has not."""
        return {
            "dialect": self.name,
            "schema": self.compiled and self.compiled.schema,
            "only": [n.to_json() for n in _only(self, other)],
            "error": self.error and {"code": self.error.code, "pointer": self.error.pointer, "message": self.error.args[0]},
        }  # fmt: skip


@click.command("diff")
@click.argument("source")
@click.option("--dialects", "--dialect", "-d", "names", multiple=True, required=True, metavar="A,B", help="Two dialect ids or paths of rows (.toml), comma separated.")  # fmt: skip
@compile_options
@json_option
def diff_verb(source: str, *, names: tuple[str, ...], as_json: bool, **switches: Any) -> None:
    """Show SOURCE under two dialects.

    The wire schema of A is compared with that of B as a unified diff, and the notes that only one report has are
    listed. With `--json` the result is one object {same, diff, sides}.

    \b
    Example:
      wireshape diff order.json --dialects openai-strict,anthropic-strict
    """
    rows = [d.row for d in find_dialects(names)]
    if len(rows) != 2:
        message = (
            f"a difference is one of two dialects, {len(rows)} are given; write --dialects A,B"
        )
        raise InputError(message)
    schema, options = read_source(source), options_of(**switches)
    left, right = [_side(schema, row, options) for row in rows]
    diff = _diff(left, right)
    if as_json:
        sides = [left.to_json(right), right.to_json(left)]
        same = not diff and not sides[0]["only"] and not sides[1]["only"]
        print_json({"same": same, "diff": diff, "sides": sides})
    else:
        print_text(
            "\n".join(diff) if diff else f"{left.name} and {right.name}: the same wire schema"
        )
        for side, other in ((left, right), (right, left)):
            _print_notes(side, other)


def _side(schema: Any, row: ws.Dialect, options: ws.Options) -> Side:
    """Compile for one dialect; what only the dialect cannot do is told beside the other one's result."""
    try:
        return Side(row.id, ws.compile(schema, row, options=options), None)
    except (ws.InexpressibleError, ws.LossError, ws.BudgetError) as e:
        return Side(row.id, None, e)


def _diff(left: Side, right: Side) -> list[str]:
    lines = (left.text.splitlines(), right.text.splitlines())
    return list(difflib.unified_diff(*lines, left.name, right.name, lineterm=""))


def _only(side: Side, other: Side) -> list[ws.Note]:
    """List the notes that the other report does not have, wherever they stand on the wire."""
    known = {_said(n, other.name) for n in other.notes}
    return [n for n in side.notes if _said(n, side.name) not in known]


def _said(note: ws.Note, dialect: str) -> tuple[str, str, str]:
    """What a note says, but for the name of the dialect."""
    return note.code, note.pointer, note.message.replace(dialect, "")


def _print_notes(side: Side, other: Side) -> None:
    if side.error is not None:
        print_text(f"\n{side.name} has no wire schema: {side.error}")
    notes: Sequence[ws.Note] = _only(side, other)
    if notes:
        print_text(f"\nonly {side.name}:\n{_indented(str(ws.Report(tuple(notes))))}")


def _indented(text: str) -> str:
    return "\n".join(["  " + line for line in text.splitlines()])


VERBS = (diff_verb,)
