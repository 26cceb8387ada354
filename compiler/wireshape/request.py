"""Request fragments: the templates of an API are filled in and put in their places; who is granted what is `plan`'s business.

{"at": "/tools/-"}, one tool  ->  {"tools": [{"type": "function", ...}]}
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple, TypeAlias

from wireshape.api import Api
from wireshape.ir import kind_of
from wireshape.plain_text import dump

Body: TypeAlias = dict[str, Any]


class Part(NamedTuple):
    """What a template says of one schema."""

    name: str
    description: str | None
    schema: Any
    grammar: str | None = None


_NOBODY = Part("", None, None)


def put_output(body: Body, api: Api, part: Part) -> None:
    """Put the form of the output into a request body."""
    place(body, api.output_at, filled(api.output, part))
    put_all(body, api.beside_output)


def put_tool(body: Body, api: Api, part: Part) -> None:
    """Put one more tool into a request body."""
    place(body, api.tool_at, filled(api.tool, part))


def put_all(body: Body, template: str, part: Part = _NOBODY) -> None:
    """Put every value at its pointer; the template is a JSON object of those, or empty."""
    if template:
        for pointer, value in filled(template, part).items():
            place(body, pointer, value)


def filled(template: str, part: Part) -> Any:
    """Fill in a template; a key whose placeholder has nothing to say is left out. The schema is the caller's own, to be changed.

    >>> filled('{"name": "$name", "description": "$description", "parameters": "$schema"}', Part("add", None, {"type": "object"}))
    {'name': 'add', 'parameters': {'type': 'object'}}
    """
    values: dict[str, Any] = {
        "$name": part.name,
        "$description": part.description,
        "$schema": _filled(part.schema, {}),
        "$grammar": part.grammar,
    }
    if "$schema_text" in template:
        values["$schema_text"] = compact(part.schema)
    return filled_with(template, values)


def filled_with(template: str, values: Mapping[str, Any]) -> Any:
    """Fill in a template with the values of its placeholders; a key whose value is `None` is left out."""
    return _filled(_parsed(template), values)


def compact(value: Any) -> str:
    """Write JSON text without a space.

    >>> compact({"a": [1, 2]})
    '{"a":[1,2]}'
    """
    return dump(value, _COMPACT)


_COMPACT = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def written(value: Any) -> str:
    """Write what a client gave as JSON text; nothing for what is no JSON.

    >>> written([1]), written([b"a"])
    ('[1]', '')
    """
    try:
        return dump(value)
    except (TypeError, ValueError, RecursionError):
        return ""


@cache
def _parsed(template: str) -> Any:
    return json.loads(template)


def _filled(node: Any, values: Mapping[str, Any]) -> Any:
    if kind_of(node) is dict:
        return {
            key: _filled(value, values)
            for key, value in node.items()
            if not (kind_of(value) is str and value in values and values[value] is None)
        }
    if kind_of(node) is list:
        return [_filled(value, values) for value in node]
    if kind_of(node) is str:
        return values.get(node, node)
    return node


def place(body: Body, pointer: str, value: Any) -> None:
    """Put a value at a JSON pointer, making what leads to it; `-` appends to a list.

    >>> body = {}
    >>> place(body, "/tools/0/functions/-", 1)
    >>> place(body, "/tools/0/functions/-", 2)
    >>> body
    {'tools': [{'functions': [1, 2]}]}
    """
    steps = pointer.split("/")[1:]
    here: Any = body
    for step, following in zip(steps, [*steps[1:], None], strict=True):
        fresh: Any = value if following is None else [] if following in ("-", "0") else {}
        if kind_of(here) is dict:
            if following is None:
                here[step] = value
            here = here.setdefault(step, fresh)
        elif step == "-" or int(step) == len(here):
            here.append(fresh)
            here = fresh
        else:
            here = here[int(step)]
