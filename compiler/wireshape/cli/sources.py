"""Turn command-line arguments into sources, values, dialects and options; every bad one is an `InputError`."""

from __future__ import annotations

import importlib
import json
import os
import re
import sys
from collections.abc import Callable, Sequence
from functools import reduce, wraps
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import click

import wireshape as ws
from wireshape import plain_text
from wireshape.check_walk import is_object
from wireshape.dialect_evidence import Evidence, evidence, load_evidence
from wireshape.ir import Json
from wireshape.read import is_notation

F = TypeVar("F", bound=Callable[..., Any])

_TYPE = re.compile(r"[^\W\d][\w.]*:[^\W\d][\w.]*")


class InputError(click.ClickException):
    """An argument names something that cannot be read; the message says what, and what to pass instead."""

    exit_code = 2


def read_source(argument: str) -> Any:
    """Read a schema file (JSON, or notation where it ends in `.shape`), stdin (`-`) or a Python type (`module:Model`)."""
    if is_type(argument):
        return _import(argument)
    text = read_text(argument)
    if argument.endswith(SHAPE):
        return Path(argument)
    if argument == "-" and is_notation(text):
        return text
    schema = _parse(text, argument)
    if type(schema) not in (dict, bool):
        message = (
            f"{argument}: a schema is an object or a boolean, this is {json.dumps(schema)[:40]}"
        )
        raise InputError(message)
    return schema


SHAPE = ".shape"
"""How the names of files in the notation end."""


def is_type(argument: str) -> bool:
    """Tell whether an argument names a Python type, as `module:Model` does where no such file exists."""
    return _TYPE.fullmatch(argument) is not None and not Path(argument).exists()


def read_json(argument: str) -> Json:
    """Read a JSON document from a file or stdin (`-`); a repeated key is refused, for one of the two would be lost."""
    return _parse(read_text(argument), argument)


class Text(NamedTuple):
    """A document and its text; `lines` tells that it is JSON Lines, of which the document is the list."""

    document: Json
    text: str
    lines: bool


def read_documents(argument: str) -> Text:
    """Read a JSON document, or JSON Lines, from a file or stdin (`-`)."""
    text = read_text(argument)
    if not argument.endswith(_LINES) and not _is_lines(text):
        return Text(_parse(text, argument), text, lines=False)
    rows = enumerate(_END.split(text), 1)
    documents = [_parse(row, f"{argument} line {n}") for n, row in rows if row.strip()]
    return Text(documents, text, lines=True)


_LINES = (".jsonl", ".ndjson")
_END = re.compile(r"\r\n|\r|\n")


def _is_lines(text: str) -> bool:
    """Tell whether the first line is a document of its own and another one follows."""
    first, _, rest = text.lstrip().partition("\n")
    if not rest.strip():
        return False
    try:
        json.loads(first)
    except (ValueError, RecursionError):
        return False
    return True


def read_text(argument: str) -> str:
    """Read the text of a file or of stdin (`-`)."""
    try:
        if argument != "-":
            return Path(argument).read_text(encoding="utf-8-sig")
        if sys.stdin is None:
            raise InputError("cannot read stdin: it is closed")
        return sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as e:
        message = f"{argument} is not UTF-8 text (byte {e.start}); save it as UTF-8"
        raise InputError(message) from e
    except (OSError, ValueError) as e:  # ValueError: no file can have such a name
        why = e.strerror if isinstance(e, OSError) else e
        message = f"cannot read {argument!r}: {why}; pass a file, `-` for stdin, or `module:Model` for a schema"
        raise InputError(message) from e


def _parse(text: str, name: str) -> Json:
    try:
        return plain_text.load(text)
    except json.JSONDecodeError as e:
        message = f"{name} is not JSON: line {e.lineno} column {e.colno}: {e.msg}"
        raise InputError(message) from e
    except ValueError as e:
        message = f"{name} is not JSON: {e}"
        raise InputError(message) from e
    except RecursionError as e:
        message = f"{name} is nested too deep to be read"
        raise InputError(message) from e


def _import(argument: str) -> Any:
    module, _, name = argument.partition(":")
    sys.path.insert(0, os.getcwd())
    try:
        return reduce(getattr, name.split("."), importlib.import_module(module))
    except ImportError as e:
        message = f"cannot import {module!r}: {e}; modules are found from the current folder"
        raise InputError(message) from e
    except AttributeError as e:
        message = f"cannot find {name!r} in module {module!r}: {e}"
        raise InputError(message) from e
    except (Exception, SystemExit) as e:  # importing runs the user's code, which may raise anything
        message = f"importing {module!r} failed: {type(e).__name__}: {e}"
        raise InputError(message) from e
    finally:
        sys.path.pop(0)


def find_dialects(arguments: Sequence[str]) -> list[Selected]:
    """Return the dialects that arguments name, commas and `all` included, each once and with its evidence."""
    names = [n for argument in arguments for n in argument.split(",") if n]
    if not names:
        raise InputError("no dialect is named; `wireshape dialects` lists them, `all` means all")
    listed = [m for n in names for m in (ws.dialects() if n == "all" else [n])]
    return [_selected(n, named=n in names) for n in dict.fromkeys(listed)]


class Selected(NamedTuple):
    """A dialect to judge by; `named` tells that it was asked for by name."""

    row: ws.Dialect
    evidence: dict[str, Evidence]
    named: bool


def _selected(name: str, *, named: bool) -> Selected:
    facts = load_evidence(name) if name.endswith(".toml") else evidence(name)
    return Selected(find_dialect(name), facts, named)


def find_dialect(argument: str) -> ws.Dialect:
    """Return the built-in dialect of that id, or the row in a TOML file of that path."""
    if argument.endswith(".toml"):
        return ws.load_dialect(argument)
    return ws.dialect(argument)


def dialect_of_model(model: str, api: str | None = None) -> tuple[ws.Dialect, str]:
    """Return the row for PROVIDER/MODEL, and the name of the model.

    >>> row, model = dialect_of_model("groq/openai/gpt-oss-120b")
    >>> row.id, model
    ('groq-strict', 'openai/gpt-oss-120b')
    """
    named = _PROVIDER.match(model)
    if named is None:
        message = f"{model!r} names no provider; say PROVIDER/MODEL"
        raise InputError(message)
    return ws.dialect_for(named.group(1), model[named.end() :], api), model[named.end() :]


_PROVIDER = re.compile(r"([^/:]+)[/:](?=.)")


def dialect_option(function: Callable[..., None]) -> Callable[..., None]:
    """Add the options `--dialect` and `--model`, one of which most verbs need; the verb takes `dialect`."""

    @wraps(function)
    def verb(*, dialect: str | None, model: str | None, **rest: Any) -> None:
        if (dialect is None) == (model is None):
            raise InputError("name one of --dialect and --model")
        row = dialect_of_model(model)[0].id if model is not None else dialect
        function(dialect=row, **rest)

    text = "A dialect id (see `wireshape dialects`), or the path of a row of your own (.toml)."
    by_id = click.option("--dialect", "-d", "dialect", metavar="D", help=text)
    by_model = click.option("--model", metavar="P/M", help="In place of a dialect: a provider and its model, PROVIDER/MODEL.")  # fmt: skip
    return by_id(by_model(verb))


def json_option(function: F) -> F:
    """Add the `--json` switch: one JSON document on stdout, for programs."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")(
        function
    )


def compile_options(function: F) -> F:
    """Add the switches that fill `ws.Options`; the verb takes them as keyword arguments for `options_of`."""
    switches = (
        click.option(
            "--open-objects",
            type=click.Choice(["close", "keep"]),
            default="close",
            show_default=True,
            help="Objects that do not say additionalProperties: close them, or keep other keys as pairs.",
        ),
        click.option(
            "--absent",
            type=click.Choice(["null", "box"]),
            default="null",
            show_default=True,
            help="An optional field that admits null: merge absent into null, or box the value.",
        ),
        click.option("--unroll", type=click.IntRange(min=1), default=3, show_default=True, metavar="N", help="How often recursion is written out where a dialect has none."),
        click.option("--draft", metavar="X", help="draft4, draft6, draft7, 2019-09, 2020-12, openapi-3.0 or openapi-3.1."),
        click.option(
            "--on-loss",
            type=click.Choice(["report", "raise"]),
            default="report",
            show_default=True,
            help="Whether a loud widened or narrowed note is an error.",
        ),
        click.option(
            "--inexpressible",
            type=click.Choice(["escape", "raise"]),
            default="escape",
            show_default=True,
            help="What a dialect cannot spell: send it as JSON text, or make it an error.",
        ),
        click.option("--no-describe", is_flag=True, help="Leave descriptions alone: tell nothing there that the wire cannot enforce."),
        click.option("--no-formats", is_flag=True, help="Formats are annotations and are not checked."),
        click.option(
            "--registry",
            multiple=True,
            metavar="[URI=]FILE",
            help="A document that references may point into, under its `$id` or the URI given. Repeatable.",
        ),
    )  # fmt: skip
    for switch in reversed(switches):
        function = switch(function)
    return function


def options_of(
    *, registry: Sequence[str], no_describe: bool, no_formats: bool, **switches: Any
) -> ws.Options:
    """Fill `ws.Options` from the switches of `compile_options`."""
    documents = dict([_registered(r) for r in registry])
    return ws.Options(
        registry=documents or None,
        describe=not no_describe,
        assert_formats=not no_formats,
        **switches,
    )


def _registered(argument: str) -> tuple[str, Json]:
    uri, _, path = argument.rpartition("=")
    document = read_json(path)
    if not uri and is_object(document):
        uri = str(document.get("$id", document.get("id", "")))
    if not uri:
        message = f"{path} has no `$id`; write --registry URI={path}"
        raise InputError(message)
    return uri, document
