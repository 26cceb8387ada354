"""The verb `check`: lint the schemas of files for dialects, as text, JSON or SARIF."""

from __future__ import annotations

from typing import Any, Literal

import click

from wireshape.cli.lint import Hit, Lint, lint
from wireshape.cli.lint_text import lint_text
from wireshape.cli.output import json_text, print_text, write_text
from wireshape.cli.sarif import sarif
from wireshape.cli.sources import InputError, find_dialects, json_option

Format = Literal["text", "json", "sarif"]


@click.command("check")
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@click.option("--dialect", "-d", "names", multiple=True, required=True, metavar="D", help="Dialect ids or paths of rows (.toml), comma separated, or `all`. Repeatable.")  # fmt: skip
@click.option("--format", "form", type=click.Choice(["text", "json", "sarif"]), default="text", show_default=True, help="How to print the findings.")  # fmt: skip
@click.option("--sarif", "as_sarif", is_flag=True, help="The same as `--format sarif`.")
@click.option("--out", metavar="FILE", help="Write the result here instead of to stdout.")
@click.option("--fail-on", type=click.Choice(["warning", "error", "never"]), default="warning", show_default=True, help="The least level of a finding that makes the exit code 1.")  # fmt: skip
@click.option("--inputs-only", is_flag=True, help="Leave out the schemas of what tools return.")
@json_option
def check_verb(
    sources: tuple[str, ...], *, names: tuple[str, ...], as_json: bool, **switches: Any
) -> None:  # fmt: skip
    """Tell whether dialects accept the schemas of SOURCE.

    SOURCE is a JSON or JSON Lines file, `-` for stdin, or `module:Model`. It holds tools (a `tools/list` result, a list
    of tools in the shape of any provider), a request body, the form of a reply, or a bare schema; or the text of a grammar,
    for dialects that take one. Nothing is compiled.

    What a dialect refuses is an error; what it accepts and does not enforce is a warning. `all` asks every dialect that
    carries such schemas. Exit code 1 when there are findings, 2 when a source cannot be read.

    \b
    Examples:
      wireshape check wire.json --dialect openai-strict
      wireshape check tools.json --dialect openai-strict,anthropic-strict --fail-on error
      wireshape check tools/*.json --dialect all --sarif --out wireshape.sarif
    """
    if as_json and switches["as_sarif"]:
        message = "choose one of --json and --sarif"
        raise click.UsageError(message, click.get_current_context())
    if sources.count("-") > 1:
        message = "stdin can be read once only; pass `-` once"
        raise InputError(message)
    form: Format = "json" if as_json else "sarif" if switches["as_sarif"] else switches["form"]
    unique = list(dict.fromkeys(sources))
    found = lint(unique, find_dialects(names), inputs_only=switches["inputs_only"])
    text = _rendered(found, form)
    if switches["out"] is None:
        print_text(text, nl=False)
    else:
        write_text(switches["out"], text)
    click.get_current_context().exit(
        1 if any([_fails(h, switches["fail_on"]) for h in found.hits]) else 0
    )


def _rendered(found: Lint, form: Format) -> str:
    if form == "text":
        return lint_text(found) + "\n"
    if form == "sarif":
        return json_text(sarif(found))
    return json_text({name: [h.to_json() for h in hits] for name, hits in found.by_dialect.items()})


def _fails(hit: Hit, fail_on: str) -> bool:
    return fail_on == "warning" or (fail_on == "error" and hit.violation.level == "error")


VERBS = (check_verb,)
