"""Parameters in XML that leaked into the text of the parameter before them; found only where a required key is missing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from wireshape.ir import kind_of

SUSPECT = "<parameter name="


def leaked(
    value: dict[str, Any], missing: str, required: Sequence[str]
) -> tuple[str, str, str] | None:
    r"""Return `(host, its own text, text of the missing key)` when exactly one text holds the missing parameter.

    >>> leaked({"a": 'one</a>\n<parameter name="b">two'}, "b", ["a", "b"])
    ('a', 'one', 'two')
    """
    found = [
        (key, match.group(1), match.group(2))
        for key, text in value.items()
        if kind_of(text) is str and SUSPECT in text
        for match in [_leak(key, missing).fullmatch(text)]
        if match is not None
    ]
    if len(found) != 1 or missing not in required or SUSPECT in found[0][2]:
        return None
    return found[0]


def _leak(host: str, missing: str) -> re.Pattern[str]:
    return re.compile(
        rf'([^<]*)</(?:{re.escape(host)}|parameter)>\s*<parameter name="{re.escape(missing)}">(.*?)(?:</parameter>|</{re.escape(missing)}>)?\s*',
        re.DOTALL,
    )
