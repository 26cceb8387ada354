"""Strings against regular expressions and formats, with the gate's own engine; it reads no schemas."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from wireshape.codes import CODES
from wireshape.errors import SchemaError
from wireshape.ir import pointer
from wireshape.regex import rewritten

if TYPE_CHECKING:
    from collections.abc import Callable

    from wireshape.ir import Path


@lru_cache(maxsize=1024)
def _predicate(keyword: str, operand: str) -> Callable[[str], bool] | None:
    import jsonschema_rs  # noqa: PLC0415 - heavy, and few schemas need it

    spellings = [operand, rewritten(operand)] if keyword == "pattern" else [operand]
    for spelling in dict.fromkeys(spellings):
        try:
            return jsonschema_rs.Draft202012Validator(
                {keyword: spelling}, validate_formats=True
            ).is_valid
        except (jsonschema_rs.ValidationError, ValueError):
            continue
    return None


_LISTED = re.compile(r"\^(?:([\w-]+)|\((?:\?:)?([\w-]+(?:\|[\w-]+)*)\))\$", re.ASCII)
_FEW = 16


def listed_keys(regex: str) -> list[str]:
    """List the keys in which a pattern is found, where it spells each of them out, and few.

    >>> listed_keys("^(red|green)$"), listed_keys("^red")
    (['red', 'green'], [])
    """
    found = _LISTED.fullmatch(regex)
    keys = (found[1] or found[2]).split("|") if found else []
    return keys if len(keys) <= _FEW else []


def is_match(regex: str, key: str, at: Path) -> bool:
    """Whether the regular expression is found in the key; a SchemaError when it is none."""
    predicate = _predicate("pattern", regex)
    if predicate is None:
        message = CODES["WS110"].template.format(
            value=repr(regex), keyword="pattern", hint="it is no ECMA-262 regular expression"
        )
        raise SchemaError(message, code="WS110", pointer=pointer((at, "patternProperties")))
    return predicate(key)


def holds(keyword: str, operand: str, text: str) -> bool | None:
    """Whether a string satisfies one `pattern` or `format`; None when the operand cannot be evaluated."""
    predicate = _predicate(keyword, operand)
    return None if predicate is None else predicate(text)
