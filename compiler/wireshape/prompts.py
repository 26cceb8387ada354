"""All text that tells a model how to answer, for schemas that ride in the prompt; one module, so that it can be read at once."""

from __future__ import annotations

import json
from typing import Any

_ONLY_JSON = (
    "Answer with one JSON value that is valid under this JSON Schema, and with nothing else: no code fences, no text before or "
    "after it. Do not repeat the schema."
)


def by_prompt(schema: Any) -> str:
    """Tell a model to answer in the form of a schema.

    >>> print(by_prompt({"type": "integer"}))
    {"type":"integer"}
    <BLANKLINE>
    Answer with one JSON value that is valid under this JSON Schema, and with nothing else: no code fences, no text before or after it. Do not repeat the schema.
    """
    text = json.dumps(schema, ensure_ascii=False, separators=(",", ":"))
    return f"{text}\n\n{_ONLY_JSON}"
