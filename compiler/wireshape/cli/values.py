"""The verb `encode`, and the compilation that it shares with `decode`."""

from __future__ import annotations

from typing import Any

import click

import wireshape as ws
from wireshape.cli.output import print_json
from wireshape.cli.sources import (
    InputError,
    compile_options,
    dialect_option,
    find_dialect,
    json_option,
    options_of,
    read_json,
    read_source,
)


@click.command("encode")
@click.argument("source")
@click.argument("value")
@dialect_option
@compile_options
@json_option
def encode_verb(source: str, value: str, *, dialect: str, as_json: bool, **switches: Any) -> None:
    """Print the wire value of VALUE.

    VALUE is a JSON file or `-`. Exit code 1 when it has no wire spelling. With `--json` the result is one object {dialect, value, wire}.

    \b
    Example:
      wireshape encode order.json order.value.json --dialect openai-strict
    """
    compiled = compiled_for(source, value, dialect, switches)
    conceptual = read_json(value)
    wire = compiled.encode(conceptual)
    print_json(
        {"dialect": compiled.dialect.id, "value": conceptual, "wire": wire} if as_json else wire
    )


def compiled_for(source: str, value: str, dialect: str, switches: dict[str, Any]) -> ws.Compiled:
    """Compile the schema of a verb that reads a value, too."""
    if source == value == "-":
        message = "stdin can be the schema or the value, not both"
        raise InputError(message)
    return ws.compile(read_source(source), find_dialect(dialect), options=options_of(**switches))


VERBS = (encode_verb,)
