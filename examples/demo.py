"""Compile every example for every dialect, send a value there and back, and show one of them in full."""

from __future__ import annotations

import json
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import wireshape as ws

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
import models  # noqa: E402 - found beside this script

SHOWN = ("order", "openai-strict")
WIDTH = 100
OPTIONS = {"ticket.openapi": ws.Options(draft="openapi-3.0")}


class Example(NamedTuple):
    name: str
    source: Any
    value: Any
    options: ws.Options


def examples() -> Iterator[Example]:
    """Every schema that has a value beside it, and the Pydantic model."""
    for file in sorted(HERE.glob("*.value.json")):
        name = file.name.removesuffix(".value.json")
        options = OPTIONS.get(name, ws.Options())
        yield Example(name, Path(HERE / f"{name}.json"), json.loads(file.read_text()), options)
    yield Example("models:Booking", models.Booking, models.EXAMPLE, ws.Options())


def line(example: Example, dialect: str) -> str:
    """One row of the table: sizes, notes by effect, and whether the value came back."""
    c = ws.compile(example.source, dialect, options=example.options)
    wire = c.encode(example.value)
    back = c.validate(c.decode(wire))
    effects = [n.effect for n in c.report.notes]
    sizes = [f"{len(json.dumps(x)):>6,}" for x in (c.schema, wire)]
    counts = [f"{effects.count(e):>7}" for e in ("exact", "widened", "narrowed")]
    verdict = "yes" if back == example.value else "absent became null"
    return "  ".join([f"  {dialect:<22}", *sizes, *counts, f"  {verdict}"])


def pretty(document: Any, indent: int = 0, key: str = "") -> str:
    """JSON with every part that fits on one line."""
    name = f"{json.dumps(key)}: " if key else ""
    flat = name + json.dumps(document, ensure_ascii=False)
    if not isinstance(document, dict | list) or len(flat) + indent < WIDTH:
        return flat
    if isinstance(document, dict):
        parts = [pretty(v, indent + 2, k) for k, v in document.items()]
    else:
        parts = [pretty(v, indent + 2) for v in document]
    opening, closing = "{}" if isinstance(document, dict) else "[]"
    return "\n".join([name + opening, textwrap.indent(",\n".join(parts), "  "), closing])


def show(title: str, document: Any) -> None:
    """Print a heading and an indented document."""
    text = document if isinstance(document, str) else pretty(document)
    print(f"\n-- {title}\n")
    print(textwrap.indent(text, "   "))


def main() -> None:
    """Print the tables, then one example in full."""
    found = list(examples())
    print(
        f"{len(found)} schemas, {len(ws.dialects())} dialects. Sizes are bytes of JSON; `notes` count the differences that"
    )
    print(
        "each compilation reports: exact (another spelling), widened (checked after decoding), narrowed."
    )
    for e in found:
        print(f"\n{e.name}")
        print(f"  {'dialect':<22}  schema   value    exact  widened  narrowed  came back")
        for dialect in ws.dialects():
            print(line(e, dialect))

    name, dialect = SHOWN
    e = next(e for e in found if e.name == name)
    c = ws.compile(e.source, dialect, options=e.options)
    wire = c.encode(e.value)
    print(f"\n\n{name} for {dialect}, in full")
    show("source schema", json.loads(e.source.read_text()))
    show("wire schema: c.schema", c.schema)
    show("a value", e.value)
    show("on the wire: c.encode(value)", wire)
    show("back, and valid: c.validate(c.decode(wire))", c.validate(c.decode(wire)))
    show("every difference: c.report", str(c.report))


if __name__ == "__main__":
    main()
