"""The verbs about compiling: `compile` and `explain`."""

from __future__ import annotations

import re
from typing import Any

import click

import wireshape as ws
from wireshape.cli.output import json_text, print_json, print_text, write_text
from wireshape.cli.sources import (
    InputError,
    compile_options,
    dialect_option,
    find_dialect,
    json_option,
    options_of,
    read_source,
)
from wireshape.codes import CODES, Code

_CODE = re.compile(r"WS[0-9]{3}", re.IGNORECASE)


@click.command("compile")
@click.argument("source")
@dialect_option
@compile_options
@click.option("--out", metavar="FILE", help="Write the result here instead of to stdout.")
@json_option
def compile_verb(
    source: str, *, dialect: str, out: str | None, as_json: bool, **switches: Any
) -> None:
    """Print the wire schema of SOURCE, or its grammar for a dialect that takes one.

    The report goes to stderr.

    SOURCE is a schema file, `-` for stdin, or `module:Model` for a Python type found from the current folder. With
    `--json` the result is one object {dialect, schema, report}, and `grammar` where there is one.

    \b
    Examples:
      wireshape compile order.json --dialect openai-strict
      wireshape compile models:Order --dialect anthropic-strict --json
      wireshape compile order.json --model openai/gpt-5.2
      wireshape compile order.json -d openai-strict --on-loss raise   # exit code 1 when something is lost
    """
    row = find_dialect(dialect)
    compiled = ws.compile(read_source(source), row, options=options_of(**switches))
    document = {"dialect": row.id, "schema": compiled.schema, "report": compiled.report.to_json()}
    if compiled.text is not None:
        document["grammar"] = compiled.text
    text = json_text(document if as_json else compiled.schema)
    if compiled.text is not None and not as_json:
        text = compiled.text
    if out is None:
        print_text(text, nl=False)
    else:
        write_text(out, text)
    if not as_json:
        click.echo(str(compiled.report), err=True)


@click.command("explain")
@click.argument("source")
@click.option("--dialect", "-d", "dialect", metavar="D", help="A dialect id, or the path of a row (.toml). Needed for a schema, not for a code.")  # fmt: skip
@compile_options
@json_option
def explain_verb(source: str, *, dialect: str | None, as_json: bool, **switches: Any) -> None:
    """Explain a report, or a code such as WS213.

    For a schema: what compiling SOURCE for a dialect changes, and why. For a code: its effect and meaning.

    \b
    Examples:
      wireshape explain order.json --dialect openai-strict
      wireshape explain WS213
    """
    if _CODE.fullmatch(source):
        _explain_code(source.upper(), as_json=as_json)
        return
    if dialect is None:
        message = "explaining a schema needs --dialect"
        raise click.UsageError(message, click.get_current_context())
    row = find_dialect(dialect)
    report = ws.compile(read_source(source), row, options=options_of(**switches)).report
    if as_json:
        print_json({"dialect": row.id, "report": report.to_json()})
    else:
        print_text(_explained(report, row.id))


def _explain_code(code: str, *, as_json: bool) -> None:
    if code not in CODES:
        by_number = sorted(
            CODES, key=lambda c: (c[:3] != code[:3], abs(int(c[2:]) - int(code[2:])))
        )
        near = ", ".join(by_number[:3])
        message = f"no code is called {code!r}; known ones near it: {near}"
        raise InputError(message)
    entry = CODES[code]
    if as_json:
        fields = {"effect": entry.effect, "quiet": entry.quiet, "template": entry.template}
        print_json({"code": code, **fields, "about": entry.about})
    else:
        print_text(
            f"{code}{_effect(entry)}\n{_readable(entry.template)}\n\n{_readable(entry.about)}"
        )


def _effect(entry: Code) -> str:
    """Name the effect of a note; errors and violations, which have no text of their own to fill in, have none."""
    return "" if entry.effect is None else f" ({entry.effect}{', quiet' if entry.quiet else ''})"


def _readable(template: str) -> str:
    """Write the blanks of a message template as `<name>`."""
    blanks = re.sub(r"(?<!\{)\{(\w+)(!r)?\}(?!\})", r"<\1>", template)
    return blanks.replace("{{", "{").replace("}}", "}")


def _explained(report: ws.Report, name: str) -> str:
    """Group the notes by code, each code with its meaning."""
    if not report.notes:
        return f"{name} carries this schema exactly; value and wire value are the same."
    summary = f"{name}: {len(report.widened)} widened, {len(report.narrowed)} narrowed, {len(report.notes)} notes in all"
    lines = [summary]
    for code in dict.fromkeys([n.code for n in report.notes]):
        notes = [n for n in report.notes if n.code == code]
        entry = CODES[code]
        lines += ["", f"{code}{_effect(entry)}: {_readable(entry.about)}"]
        lines += [f"  at {n.pointer or '/'}: {n.message}" for n in notes]
    return "\n".join(lines)


VERBS = (compile_verb, explain_verb)
