"""All text that tells a model how to answer, for schemas that ride in the prompt; one module, so that it can be read at once."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

_ONLY_JSON = (
    "Answer with one JSON value that is valid under this JSON Schema, and with nothing else: no code fences, no text before or "
    "after it. Do not repeat the schema."
)
_NOT_MADE = "This call could not be made"
_NO_RESULT = "No result"


def by_prompt(schema: Any) -> str:
    """Tell a model to answer in the form of a schema.

    >>> print(by_prompt({"type": "integer"}))
    {"type":"integer"}
    <BLANKLINE>
    Answer with one JSON value that is valid under this JSON Schema, and with nothing else: no code fences, no text before or after it. Do not repeat the schema.
    """
    text = json.dumps(schema, ensure_ascii=False, separators=(",", ":"))
    return f"{text}\n\n{_ONLY_JSON}"


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
