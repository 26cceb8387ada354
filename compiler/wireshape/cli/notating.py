"""The verbs about the notation: `fmt` lays files out, `convert` writes a schema in another form."""

from __future__ import annotations

from typing import Any

import click

import wireshape as ws
from wireshape.cli.output import json_text, print_json, print_text, write_text
from wireshape.cli.sources import (
    SHAPE,
    compile_options,
    json_option,
    options_of,
    read_source,
    read_text,
)
from wireshape.notation.format import format_text


@click.command("fmt")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--check", is_flag=True, help="Change nothing; exit code 1 when a file is laid out otherwise.")  # fmt: skip
@json_option
def fmt_verb(files: tuple[str, ...], *, check: bool, as_json: bool) -> None:
    """Lay out notation files in place.

    FILE is a `.shape` file, or `-` for stdin, which goes to stdout; files of other names are left alone. Comments stay. With `--json` the result is one
    object {changed}: the files that were, or with `--check` would be, laid out otherwise; stdin is then only judged.

    \b
    Examples:
      wireshape fmt order.shape
      wireshape fmt --check order.shape
    """
    for file in [file for file in files if file != "-" and not file.endswith(SHAPE)]:
        message = f"{file} is no {SHAPE} file; write it as one with `wireshape convert {file} --to notation`"
        raise click.UsageError(message, click.get_current_context())
    changed: list[str] = []
    for file in files:
        before = read_text(file)
        after = format_text(before)
        if after != before:
            changed.append(file)
        if file == "-":
            print_text("" if check or as_json else after, nl=False)
        elif after != before and not check:
            write_text(file, after)
    if as_json:
        print_json({"changed": changed})
    for file in changed if check else ():
        click.echo(f"{file} is laid out otherwise", err=True)
    click.get_current_context().exit(1 if check and changed else 0)


@click.command("convert")
@click.argument("source")
@click.option("--to", "form", type=click.Choice(["notation", "json-schema"]), required=True, help="The form to write.")  # fmt: skip
@click.option("--compact", is_flag=True, help="Notation in few tokens, as a prompt has it.")
@click.option("--out", metavar="FILE", help="Write the result here instead of to stdout.")
@compile_options
@json_option
def convert_verb(
    source: str, *, form: str, compact: bool, out: str | None, as_json: bool, **switches: Any
) -> None:
    """Write SOURCE in another form.

    The result means the same; what SOURCE says and no schema asserts, such as unknown keywords, is told on stderr. SOURCE
    is a schema file, `-` for stdin, or `module:Model` for a Python type. With `--json` the result is one object {schema, notes};
    notation is then a string.

    \b
    Examples:
      wireshape convert order.json --to notation
      wireshape convert order.shape --to json-schema --out order.schema.json
    """
    options = options_of(**switches)
    schema = read_source(source)
    made: Any = (
        ws.to_notation(schema, compact=compact, options=options).rstrip("\n") + "\n"
        if form == "notation"
        else ws.to_json_schema(schema, options=options)
    )
    notes = ws.compile(schema, "lenient", options=options).report.notes
    if as_json:
        text = json_text({"schema": made, "notes": [n.to_json() for n in notes]})
    else:
        text = made if form == "notation" else json_text(made)
        for note in notes:
            click.echo(f"{note.code} at {note.pointer or '/'}: {note.message}", err=True)
    if out is None:
        print_text(text, nl=False)
    else:
        write_text(out, text)


VERBS = (fmt_verb, convert_verb)
