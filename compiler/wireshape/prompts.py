"""All text that tells a model how to answer, for schemas that ride in the prompt; one module, so that it can be read at once."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Literal

from wireshape.emit.notation import notation
from wireshape.options import Options
from wireshape.read import read
from wireshape.worded import worded

_DEFAULTS = Options()

_ONLY_JSON = (
    "Answer with one JSON value {fitting}, and with nothing else: no code fences, no text before or after it. Do not repeat the "
    "{form}."
)
_NOTATION = "of this type (`?`: the key may be left out; `closed`: no other keys)"
_NOT_MADE = "This call could not be made"
_NO_RESULT = "No result"


def by_prompt(schema: Any, form: Literal["json-schema", "notation"] = "json-schema") -> str:
    """Tell a model to answer in the form of a schema, which is written as JSON Schema or as notation, rules in words.

    >>> print(by_prompt({"type": "integer"}))
    {"type":"integer"}
    <BLANKLINE>
    Answer with one JSON value that is valid under this JSON Schema, and with nothing else: no code fences, no text before or after it. Do not repeat the schema.
    >>> print(by_prompt({"type": "array", "items": {"type": "integer", "minimum": 1}, "maxItems": 3}, "notation").partition(" JSON")[0])
    /// at most 3 items; each item: at least 1
    integer[]
    <BLANKLINE>
    Answer with one
    """
    if form == "notation":
        text = notation(worded(read(schema, _DEFAULTS).graph), dense=True)
        return f"{text}\n\n{_ONLY_JSON.format(fitting=_NOTATION, form='type')}"
    text = json.dumps(schema, ensure_ascii=False, separators=(",", ":"))
    fitting = "that is valid under this JSON Schema"
    return f"{text}\n\n{_ONLY_JSON.format(fitting=fitting, form='schema')}"


def failed_call(problems: Iterable[tuple[str, str]]) -> str:
    """Tell a model why a call could not be made, by the place in its arguments and what is wrong there.

    >>> failed_call([("/a", "not a number")])
    'This call could not be made: /a: not a number'
    """
    told = dict.fromkeys([f"{pointer or '/'}: {message:.400}" for pointer, message in problems])
    return f"{_NOT_MADE}: {'; '.join(list(told)[:4])}"


def no_result() -> str:
    """Tell a model that a call came to nothing.

    >>> no_result()
    'No result'
    """
    return _NO_RESULT
