"""The `wireshape` command: click verbs over the public API, one small module per family; it decides nothing itself.

Exit codes: 0 fine, 1 findings or loss, 2 usage or bad input.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import click

from wireshape import errors
from wireshape.cli import (
    checking,
    compiling,
    differing,
    golden,
    notating,
    planning,
    replies,
    rows,
    values,
)


@click.group(
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="wireshape", message="%(package)s %(version)s")
@click.pass_context
def cli(context: click.Context) -> None:
    """Compile one schema for any LLM provider: a wire schema, a codec, and a report of every difference.

    Exit codes: 0 fine, 1 findings or loss, 2 usage or bad input.

    \b
    Example:
      wireshape compile order.json --dialect openai-strict
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


for _verb in (
    *compiling.VERBS,
    *notating.VERBS,
    *checking.VERBS,
    *differing.VERBS,
    *planning.VERBS,
    *values.VERBS,
    *replies.VERBS,
    *rows.VERBS,
    *golden.VERBS,
):
    cli.add_command(_verb)


def main() -> None:
    """Run the command line and exit with its code."""
    sys.exit(run(sys.argv[1:]))


def run(args: Sequence[str]) -> int:
    """Run one command and return its exit code; every error is one line on stderr.

    >>> run(["dialects", "no-such-dialect"])
    2
    """
    try:
        code = _answered(args)
        if sys.stdout is not None:  # it is closed from the start
            sys.stdout.flush()
    except BrokenPipeError:  # the reader left
        _drop_output()
        return 141
    except OSError as e:
        _drop_output()
        return _fail(f"cannot write {e.filename or 'the output'}: {e.strerror}", 2)
    return code


def _answered(args: Sequence[str]) -> int:
    try:
        with cli.make_context("wireshape", list(args)) as context:
            cli.invoke(context)
    except click.exceptions.Exit as e:
        return e.exit_code
    except click.ClickException as e:
        return _fail(e.format_message() + _hint(e), 2)
    except errors.NotationError as e:
        click.echo(f"error: {e}", err=True)  # with the line and its caret
        return 2
    except errors.WireshapeError as e:
        bad_input = isinstance(e, errors.SchemaError | errors.DialectError)
        return _fail(str(e), 2 if bad_input else 1)
    except (click.Abort, KeyboardInterrupt):
        return _fail("interrupted", 130)
    return 0


def _drop_output() -> None:
    """Lead stdout to nowhere: Python flushes it once more on exit, which must not fail either."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def _fail(message: str, code: int) -> int:
    click.echo("error: " + " ".join(message.split()), err=True)
    return code


def _hint(error: click.ClickException) -> str:
    if isinstance(error, click.UsageError) and error.ctx is not None:
        return f" (`{error.ctx.command_path} --help` tells more)"
    return ""
