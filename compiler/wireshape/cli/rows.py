"""The verb about dialect rows: `dialects`."""

from __future__ import annotations

import json

import click

import wireshape as ws
from wireshape.check_walk import is_object
from wireshape.cli.output import print_json, print_table, print_text
from wireshape.cli.sources import json_option
from wireshape.dialect_evidence import alias_of, own_row_document, row_document
from wireshape.dialect_model import validate_builtin
from wireshape.ir import Json


@click.command("dialects")
@click.argument("name", metavar="[ID|PATH]", required=False)
@click.option(
    "--check", "checked", metavar="ID|PATH", help="Validate a row and say whether it is sound."
)
@json_option
def dialects_verb(name: str | None, *, checked: str | None, as_json: bool) -> None:
    """List the dialects, or show one.

    With an ID, or the PATH of a row of your own (.toml): every fact of it, with its evidence.

    \b
    Examples:
      wireshape dialects
      wireshape dialects openai-strict
      wireshape dialects my-row.toml
      wireshape dialects --check my-row.toml
    """
    if checked is not None:
        _check(checked, as_json=as_json)
    elif name is not None:
        _show(name, as_json=as_json)
    else:
        _list(as_json=as_json)


def _list(*, as_json: bool) -> None:
    found = [ws.dialect(d) for d in ws.dialects()]
    if as_json:
        print_json(
            [
                {
                    "id": d.id,
                    "family": d.family,
                    "strict": d.strict,
                    "carriers": list(d.carriers),
                    "draft": d.draft,
                    "title": d.title,
                }
                for d in found
            ]
        )
        return
    cells = [
        (
            d.id,
            d.family,
            "strict" if d.strict else "relaxed",
            ", ".join(d.carriers),
            d.draft,
            d.title,
        )
        for d in found
    ]
    print_table(("id", "family", "mode", "carriers", "draft", "title"), cells)


def _show(name: str, *, as_json: bool) -> None:
    own = name.endswith(".toml")
    row = own_row_document(name) if own else row_document(name)
    if as_json:
        print_json(row)
        return
    evidence: dict[str, dict[str, str]] = row.pop("evidence")
    tables = {name: facts for name, facts in row.items() if is_object(facts)}
    for field, value in row.items():
        if field not in tables:
            _fact(field, value, evidence)
    same = None if own else alias_of(name)
    if same is not None:
        print_text(f"    an alias: the facts are those of {same}")
    for table, facts in tables.items():
        print_text(f"\n[{table}]")
        _source(table, evidence)
        for key, value in facts.items():
            _fact(key, value, evidence, f"{table}.{key}")


def _fact(
    name: str, value: Json, evidence: dict[str, dict[str, str]], path: str | None = None
) -> None:
    print_text(f"{name} = {json.dumps(value, ensure_ascii=False)}")
    _source(path or name, evidence)


def _source(path: str, evidence: dict[str, dict[str, str]]) -> None:
    entry = evidence.get(path)
    if entry is not None:
        note = f": {entry['note']}" if entry["note"] else ""
        print_text(f"    {entry['confidence']}, {entry['date']}, {entry['source']}{note}")


def _check(argument: str, *, as_json: bool) -> None:
    if argument.endswith(".toml"):
        row = ws.load_dialect(argument)
    else:
        row = ws.dialect(argument)
        validate_builtin(argument)
    if as_json:
        print_json({"id": row.id, "sound": True})
    else:
        print_text(f"{row.id}: the row is sound")


VERBS = (dialects_verb,)
