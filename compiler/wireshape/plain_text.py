"""JSON text into plain values, as strict as the standard says: no key twice in one object, no NaN; and back. It repairs nothing.

The C parser of the standard library takes the last of two equal keys. A text has as many colons as its value has members
unless a key repeats or a string holds one; only then the text is read again with a look at every pair, which is slow.
"""

from __future__ import annotations

import json
import re
from decimal import Decimal
from gc import get_referents
from typing import Any, NoReturn

from wireshape.ir import kind_of


def load(text: str) -> Any:
    """Read one JSON text. Raises ValueError (JSONDecodeError where the text is no JSON at all) or RecursionError.

    >>> load('{"a": [1, "b:c"]}')
    {'a': [1, 'b:c']}
    >>> load('{"a": 1, "a": 2}')
    Traceback (most recent call last):
        ...
    ValueError: the key 'a' stands twice in one object
    """
    if len(text) < _SHORT:
        return _read(_PAIRS, text)
    value = _read(_PLAIN, text)
    if may_repeat(text, _members(value)):
        _read(_PAIRS, text)
    return value


def _read(decoder: json.JSONDecoder, text: str) -> Any:
    """What `decode` of the decoder returns; it is slower for texts without white space around them."""
    try:
        value, end = decoder.raw_decode(text)
    except json.JSONDecodeError:
        return decoder.decode(text)
    return value if end == len(text) else decoder.decode(text)


def may_repeat(text: str, members: int) -> bool:
    """Whether a text may have more members than its value has: every member has a quote, then a colon."""
    if text.count(":") == members:
        return False
    if '" :' in text or "\n" in text or "\t" in text or "\r" in text:
        return len(_KEY_END.findall(text)) != members
    return text.count('":') != members


_SHORT = 200  # characters that are read with a look at every pair before a walk has begun
_KEY_END = re.compile(r'"[ \t\r\n]*:')


def _members(value: Any) -> int:
    """The number of object members of what the parser made, which shares no parts."""
    members = 0
    level = [value]
    while level:
        members += sum([len(item) for item in level if kind_of(item) is dict])
        level = get_referents(*level)
    return members


def repeated(pairs: list[tuple[str, Any]]) -> str | None:
    """The first key that stands twice."""
    seen: set[str] = set()
    for key, _ in pairs:
        if key in seen:
            return key
        seen.add(key)
    return None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    out = dict(pairs)
    if len(out) < len(pairs):
        message = f"the key {repeated(pairs)!r} stands twice in one object"
        raise ValueError(message)
    return out


def _refuse(name: str) -> NoReturn:
    message = f"{name} is no JSON number"
    raise ValueError(message)


_PLAIN = json.JSONDecoder(parse_constant=_refuse)
_PAIRS = json.JSONDecoder(parse_constant=_refuse, object_pairs_hook=_unique)


_SPACED = json.JSONEncoder()


def dump(value: Any, encoder: json.JSONEncoder = _SPACED) -> str:
    """Write what `encoder` writes, and integers of any length, which `int` refuses to write as it refuses to read them.

    >>> dump({"a": [1, True]}), len(dump([10**5000]))
    ('{"a": [1, true]}', 5003)
    """
    try:
        return encoder.encode(value)
    except ValueError:
        return _at_length(value, encoder)


def _at_length(value: Any, encoder: json.JSONEncoder) -> str:
    kind = kind_of(value)
    if kind is int:
        return format(Decimal(value), "f")
    if kind is list:
        return f"[{encoder.item_separator.join([_at_length(v, encoder) for v in value])}]"
    if kind is dict:
        members = [
            encoder.encode(key) + encoder.key_separator + _at_length(v, encoder)
            for key, v in value.items()
        ]
        return f"{{{encoder.item_separator.join(members)}}}"
    return encoder.encode(value)
