"""The verb `plan`: the tools of a file as one request, with what each takes of the limits; it sends nothing."""

from __future__ import annotations

from typing import Any

import click

import wireshape as ws
from wireshape.cli.output import print_json, print_table, print_text
from wireshape.cli.sources import find_dialect, json_option, read_json, read_source
from wireshape.sharing import limits_of, taken


@click.command("plan")
@click.argument("source", metavar="TOOLS")
@click.option("--dialect", "-d", "name", required=True, metavar="D", help="Dialect id, or path of a row (.toml).")  # fmt: skip
@click.option("--api", metavar="API", help="The API of the request; the dialect's first one by default.")  # fmt: skip
@click.option("--output", metavar="SCHEMA", help="The form of the reply: a schema file or `module:Model`.")  # fmt: skip
@json_option
def plan_verb(source: str, *, name: str, api: str | None, output: str | None, as_json: bool) -> None:  # fmt: skip
    """Plan the tools of TOOLS as one request: who is strict, what each is called, and the fragment to send.

    TOOLS is a JSON file or `-` for stdin: an MCP `tools/list` result, or a list of tools in the shape of any provider.
    Exit code 1 when a tool is left out.

    \b
    Examples:
      wireshape plan tools.json --dialect anthropic-strict
      wireshape plan tools.json --dialect openai-strict --api responses --json
    """
    tools = ws.tools_from(read_json(source))
    form = None if output is None else read_source(output)
    plan = ws.plan(find_dialect(name), tools, form)
    request = plan.request(api)
    if as_json:
        print_json({"request": request, "items": _items(plan), "reasons": list(plan.reasons)})
    else:
        print_json(request)
        _table(plan)
        for reason in plan.reasons:
            print_text(reason)
    click.get_current_context().exit(1 if plan.failed else 0)


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
