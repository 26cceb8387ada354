"""The verbs about values: `encode` and `decode`."""

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
    compiled = _compiled(source, value, dialect, switches)
    conceptual = read_json(value)
    wire = compiled.encode(conceptual)
    print_json(
        {"dialect": compiled.dialect.id, "value": conceptual, "wire": wire} if as_json else wire
    )


@click.command("decode")
@click.argument("source")
@click.argument("wire")
@dialect_option
@compile_options
@click.option(
    "--gate/--no-gate",
    default=True,
    show_default=True,
    help="Validate the decoded value against the source schema.",
)
@json_option
def decode_verb(
    source: str, wire: str, *, dialect: str, gate: bool, as_json: bool, **switches: Any
) -> None:
    """Print the conceptual value of WIRE.

    WIRE is a JSON file or `-`. Exit code 1 when it does not decode or is not valid. With `--json` the result is one object {dialect, wire, value}.

    \b
    Examples:
      wireshape decode order.json wire-value.json --dialect openai-strict
      wireshape encode order.json order.value.json -d xai-strict | wireshape decode order.json - -d xai-strict
    """
    compiled = _compiled(source, wire, dialect, switches)
    sent = read_json(wire)
    value = compiled.decode(sent)
    if gate:
        compiled.validate(value)
    print_json({"dialect": compiled.dialect.id, "wire": sent, "value": value} if as_json else value)


def _compiled(source: str, value: str, dialect: str, switches: dict[str, Any]) -> ws.Compiled:
    if source == value == "-":
        message = "stdin can be the schema or the value, not both"
        raise InputError(message)
    return ws.compile(read_source(source), find_dialect(dialect), options=options_of(**switches))


VERBS = (encode_verb, decode_verb)
