"""The request protocols of a row: the API tables of its file and its parents, read when a request is planned, not before."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Any

from wireshape.api import Api
from wireshape.api_protocols import api_of_table, protocol_file, protocols
from wireshape.dialect import Dialect, builtin, dialects, parts


def apis_of(d: Dialect) -> tuple[Api, ...]:
    """Return the request protocols of a row, the usual one first.

    >>> from wireshape.dialect import dialect
    >>> [api.name for api in apis_of(dialect("openai-strict"))]
    ['chat', 'responses']
    """
    return _builtin_apis(d.id) if d.apis is None else d.apis


@cache
def _builtin_apis(name: str) -> tuple[Api, ...]:
    return tuple([api_of_table(k, v) for k, v in api_tables(name).items()])


def readers_of(d: Dialect) -> tuple[Api, ...]:
    """Return the request protocols of a row, then all that rows share: a response of a row that states none can be read, too.

    A protocol that extends another reads what only some hosts mean so; it is for rows that name it.
    """
    common = [name for name in protocols() if "extends" not in protocol_file(name)]
    shared = [api_of_table(name, {"protocol": name}) for name in common]
    return (*apis_of(d), *shared)


def api_tables(name: str) -> dict[str, Any]:
    """Return the API tables of a built-in row, those of its parents included."""
    return tables_of_row(builtin(name) | own_apis(name)) if name in dialects() else {}


def tables_of_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the API tables of an unmerged row, those of its parents included, save for what it unsets.

    >>> list(tables_of_row({"extends": "openai-strict", "unset": ["apis.responses"], "apis": {"mine": {}}}))
    ['chat', 'mine']
    """
    tables = api_tables(row["extends"]) if "extends" in row else {}
    gone = [path.removeprefix("apis.") for path in row.get("unset", ())]
    kept = {k: v for k, v in tables.items() if k not in gone}
    own: dict[str, Any] = row.get("apis", {})
    return kept | own


def own_apis(name: str) -> dict[str, Any]:
    """Return `{"apis": tables}` as the file of a built-in row has them, or nothing."""
    return tomllib.loads(parts(name)[1])
