"""Turn results into text on stdout: JSON documents and aligned tables."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from wireshape.cli.sources import InputError
from wireshape.ir import Json


def json_text(value: Json) -> str:
    """Return indented JSON with a final newline, in ASCII when stdout could not print it otherwise.

    >>> json_text({"a": [1]})
    '{\\n  "a": [\\n    1\\n  ]\\n}\\n'
    """
    text = json.dumps(value, ensure_ascii=False, indent=2) + "\n"
    try:
        text.encode(_encoding())
    except UnicodeEncodeError:
        text = json.dumps(value, indent=2) + "\n"
    return text


def _encoding() -> str:
    """The encoding of stdout, which may be closed or know none."""
    return getattr(sys.stdout, "encoding", None) or "utf-8"


def print_json(value: Json) -> None:
    """Print one JSON document."""
    print_text(json_text(value), nl=False)


def print_text(text: str, *, nl: bool = True) -> None:
    """Print text; what stdout cannot print is written as an escape."""
    encoding = _encoding()
    click.echo(text.encode(encoding, "backslashreplace").decode(encoding), nl=nl)


def write_text(path: str, text: str) -> None:
    """Write a file; where that is impossible, `InputError` tells why."""
    try:
        Path(path).write_text(text, encoding="utf-8", errors="backslashreplace")
    except (OSError, ValueError) as e:  # ValueError: no file can have such a name
        message = f"cannot write {path!r}: {e.strerror if isinstance(e, OSError) else e}"
        raise InputError(message) from e


def print_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows in aligned columns; the last column is free."""
    widths = [max([len(row[i]) for row in (header, *rows)]) for i in range(len(header) - 1)]
    for row in (header, *rows):
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        print_text("  ".join([*cells, row[-1]]).rstrip())
