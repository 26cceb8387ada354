"""The verb `plan`: the tools of a file as one request, with what each takes of the limits; it sends nothing."""

from __future__ import annotations

import shlex
from typing import Any

import click

import wireshape as ws
from wireshape.cli.output import print_json, print_table, print_text
from wireshape.cli.sources import (
    InputError,
    dialect_of_model,
    find_dialect,
    json_option,
    read_json,
    read_source,
)
from wireshape.integrations.mcp import list_tools
from wireshape.sharing import limits_of, taken


@click.command("plan")
@click.argument("source", metavar="[TOOLS]", required=False)
@click.option("--mcp", metavar="SERVER", help="Ask an MCP server for its tools: its URL, or the command that starts it.")  # fmt: skip
@click.option("--dialect", "-d", "name", metavar="D", help="Dialect id, or path of a row (.toml).")
@click.option("--model", metavar="M", help="The model: PROVIDER/MODEL in place of a dialect, or its name beside one.")  # fmt: skip
@click.option("--api", metavar="API", help="The API of the request; the dialect's first one by default.")  # fmt: skip
@click.option("--output", metavar="SCHEMA", help="The form of the reply: a schema file or `module:Model`.")  # fmt: skip
@json_option
def plan_verb(
    source: str | None,
    *,
    mcp: str | None,
    output: str | None,
    as_json: bool,
    **asked: str | None,
) -> None:
    """Plan the tools of TOOLS as one request: who is strict, what each is called, and the fragment to send.

    TOOLS is a JSON file or `-` for stdin: an MCP `tools/list` result, or a list of tools in the shape of any provider. Live
    servers are asked through the package `mcp` (extra `mcp`). Exit code 1 when a tool is left out.

    \b
    Examples:
      wireshape plan tools.json --dialect anthropic-strict
      wireshape plan tools.json --dialect openai-strict --api responses --json
      wireshape plan tools.json --model google/gemini-3-pro
      wireshape plan --mcp "npx some-server --flag" --dialect gemini-json-schema
    """
    tools = _tools(source, mcp)
    form = None if output is None else read_source(output)
    row, model = _row(**asked)
    plan = ws.plan(row, tools, form, model=model)
    request = plan.request(asked["api"])
    if as_json:
        print_json({"request": request, "items": _items(plan), "reasons": list(plan.reasons)})
    else:
        print_json(request)
        _table(plan)
        for reason in plan.reasons:
            print_text(reason)
    click.get_current_context().exit(1 if plan.failed else 0)


def _row(*, name: str | None, model: str | None, api: str | None) -> tuple[ws.Dialect, str | None]:
    """The dialect of a plan, and the name of the model, if it is known."""
    if name is not None:
        return find_dialect(name), model
    if model is None:
        raise InputError("name a --dialect or a --model")
    return dialect_of_model(model, api)


def _tools(source: str | None, server: str | None) -> list[ws.Tool]:
    """The tools of a file or of a live server."""
    if source is not None and server is None:
        return ws.tools_from(read_json(source))
    if server is None or source is not None:
        raise InputError("name one of TOOLS and --mcp")
    return list_tools(server if server.startswith(("http://", "https://")) else _split(server))


def _split(command: str) -> list[str]:
    try:
        parts = shlex.split(command)
    except ValueError as error:
        message = f"{command!r} is no command: {error}"
        raise InputError(message) from error
    if not parts:
        raise InputError("the command of the server is empty")
    return parts


def _items(plan: ws.Plan) -> list[dict[str, Any]]:
    return [
        {
            "name": item.source,
            "wire_name": item.name,
            "strict": item.strict,
            "carrier": item.carrier,
            "dialect": item.compiled.dialect.id,
            "takes": taken(item.compiled.schema, item.carrier) if item.strict else {},
        }
        for item in plan.items
    ]


def _table(plan: ws.Plan) -> None:
    """What each item takes of the limits that the request shares, and what there is."""
    limits = limits_of(plan.dialect)
    rows: list[list[str]] = []
    total = dict.fromkeys(limits, 0)
    for item in _items(plan):
        for rule in limits:
            total[rule] += item["takes"].get(rule, 0)
        counts = [str(item["takes"].get(rule, 0)) for rule in limits]
        way = "strict" if item["strict"] else "not strict"
        rows.append([item["wire_name"], item["carrier"], *counts, way])
    if limits:
        rows.append(["total", "", *[str(n) for n in total.values()], ""])
        rows.append(["limit", "", *[str(n) for n in limits.values()], ""])
    print_table(["name", "carrier", *limits, "strict"], rows)


VERBS = (plan_verb,)
