"""The protocols that rows share (`dialects/protocols/*.toml`): how replies read and how calls are sent again; `apis` tables become records."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

from wireshape.api import Api, History, Replies, Rule
from wireshape.codes import CODES
from wireshape.errors import DialectError


def folder() -> Traversable:
    """Return the folder of the shared protocols."""
    return resources.files("wireshape.dialects") / "protocols"


def file_of(name: str) -> Traversable:
    """Return the file of a shared protocol."""
    return folder() / f"{name}.toml"


@cache
def protocols() -> tuple[str, ...]:
    """List the shared protocols, sorted.

    >>> "chat" in protocols()
    True
    """
    names = [f.name.removesuffix(".toml") for f in folder().iterdir() if f.name.endswith(".toml")]
    return tuple(sorted(names))


@cache
def protocol_file(name: str) -> dict[str, Any]:
    """Read one protocol, title and source included; its rules come after those of the one that it extends, which has the rest."""
    own = tomllib.loads(file_of(name).read_text("utf-8"))
    if "extends" not in own:
        return own
    parent = protocol_file(own["extends"])
    rules = {word: [*parent.get(word, ()), *own.get(word, ())] for word in _RULES}
    history = {**parent.get("history", {}), **own.get("history", {})}
    return {**parent, **own, **rules, "history": history}


@cache
def replies(name: str) -> Replies:
    """Return how the replies of a shared protocol read.

    >>> sorted(replies("messages").blocked)
    ['refusal']
    """
    try:
        return _replies(_read(name))
    except (TypeError, AttributeError) as error:
        raise _broken(name, error) from error


def api_of_table(name: str, table: Mapping[str, Any]) -> Api:
    """Return the record of one `apis` table; what its `reply` and `history` do not state is that of its protocol.

    >>> api_of_table("x", {"protocol": "messages"}).reply == replies("messages")
    True
    """
    facts = {k: v for k, v in table.items() if k not in ("reply", "history")}
    protocol: str = table.get("protocol", "")
    shared = _read(protocol) if protocol else {}
    try:
        reply = _replies({**shared, **table.get("reply", {})})
        history = History(**{**shared.get("history", {}), **table.get("history", {})})
        return Api(name=name, **facts, reply=reply, history=history)
    except (TypeError, AttributeError) as error:
        raise _broken(protocol, error, name) from error


def _read(protocol: str) -> dict[str, Any]:
    try:
        return protocol_file(protocol)
    except (OSError, ValueError) as error:
        raise _broken(protocol, error) from error


def _broken(protocol: str, error: Exception, api: str | None = None) -> DialectError:
    what = f"dialects/protocols/{protocol}.toml" if protocol else "an API without protocol"
    where = what if api is None else f"API {api!r} by {what}"
    message = CODES["WS702"].template.format(value=where, what=error)
    return DialectError(message, code="WS702")


def _replies(table: Mapping[str, Any]) -> Replies:
    facts: dict[str, Any] = {}
    for key, value in table.items():
        if key in _RULES:
            facts[key] = tuple([Rule(**rule) for rule in value])
        elif key in _SETS:
            facts[key] = frozenset(value)
        elif key not in ABOUT and key != "history":
            facts[key] = tuple(value)
    return Replies(**facts)


ABOUT = ("extends", "title", "source", "date", "confidence", "note")
"""What the file of a protocol says of itself."""
_RULES = ("body", "events")
_SETS = ("truncated", "blocked", "malformed")
