"""Strict JSON text into a value: exact integers, no NaN, no repeated key, no lone surrogate, capped; it repairs nothing.

The C parser of the standard library reads the text, which is lenient in four places. One walk over the result, level by
level, counts the members and looks for infinities; the text has as many colons as the value has members unless a key
repeats or a string holds one, and only then the text is parsed again with a look at every pair.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from json import JSONDecodeError
from math import inf
from typing import Any, NoReturn, TypeVar

from wireshape.ir import kind_of
from wireshape.plain_text import may_repeat, repeated
from wireshape.reply.numbers import Inexact, are_kept, keeping, kept, number

T = TypeVar("T")

MAX_CHARS = 1 << 20
"""Characters of a reply at most."""
MAX_DEPTH = 128
"""Containers entered at most."""
MAX_DIGITS = 50_000
"""Digits of an integer at most; reading more takes time that is not linear."""

_SHORT = 500  # characters for which it does not pay to judge floats together
_UNREAD: Any = object()
_CHUNK = 600  # the limit of `int` for text is 4300 by default and never below 640


class NotStrict(ValueError):  # noqa: N818 (never leaves the package: it becomes evidence)
    """The text is not strict JSON; `offset` is where, as far as it is known."""

    def __init__(self, code: str, message: str, offset: int | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.offset = offset


def load(text: str) -> Any:
    """Read one JSON text.

    >>> load('{"id": 12345678901234567890}')
    {'id': 12345678901234567890}
    >>> load('{"a": 1, "a": 2}')
    Traceback (most recent call last):
        ...
    wireshape.reply.strict.NotStrict: the key 'a' is given twice
    """
    return read(text)[0]


def read(text: str) -> tuple[Any, bool]:
    """Read one JSON text as `load` does; tell whether a number may have been rounded.

    >>> read("[0.1]"), read("[0.10000000000000000000001]")
    (([0.1], False), ([0.1], True))
    """
    if len(text) > MAX_CHARS:
        raise NotStrict("WS634", f"longer than {MAX_CHARS} characters")
    is_doubtful = False
    value = _UNREAD if len(text) < _SHORT else _at_once(text)
    if value is _UNREAD:
        try:
            value = _decoded(_KEPT, text)
        except Inexact:
            is_doubtful = True
            value = _decoded(_EXACT, text)
    members = survey(value)
    if may_repeat(text, members):
        _decoded(_PAIRS, text)
    if not is_unicode(text):
        raise NotStrict("WS633", "a lone surrogate, which is no Unicode text")
    return value, is_doubtful


def _at_once(text: str) -> Any:
    """Read a text in which nothing is odd: floats are judged together, which costs them a third."""
    texts: list[str] = []
    values: list[float] = []
    decoder = json.JSONDecoder(parse_constant=_constant, parse_float=keeping(texts, values))
    try:
        value = decoder.decode(text)
    except (ValueError, RecursionError, Inexact):
        return _UNREAD
    return value if are_kept(texts, values) else _UNREAD


def load_at(text: str, start: int, depth: int = MAX_DEPTH) -> tuple[Any, int]:
    """Read the JSON value that begins at `start`; return it and where it ends.

    Raises when it is nested deeper than `depth`. Does not look for lone surrogates.
    """
    value, end = _guarded(lambda decoder: decoder.raw_decode(text, start), _PAIRS)
    survey(value, depth)
    return value, end


def _decoded(decoder: json.JSONDecoder, text: str) -> Any:
    return _guarded(lambda either: either.decode(text), decoder)


def _guarded(read: Callable[[json.JSONDecoder], T], decoder: json.JSONDecoder) -> T:
    """Read with a decoder; once more with the one for long integers when an integer is too long for `int`."""
    try:
        return read(decoder)
    except NotStrict:
        raise
    except JSONDecodeError as error:
        raise NotStrict("WS630", _lower(error.msg), error.pos) from None
    except RecursionError:
        raise NotStrict("WS634", f"nested deeper than {MAX_DEPTH}") from None
    except ValueError:
        if decoder is _KEPT:
            raise Inexact from None
        assert decoder is not _EXACT, "reads integers of any length"
        return _guarded(read, _EXACT)


def _lower(message: str) -> str:
    return message[:1].lower() + message[1:]


def survey(value: Any, depth: int = MAX_DEPTH) -> int:
    """Return the number of object members; raise on infinities and on what is nested too deeply."""
    kind = kind_of(value)
    if kind is float and not -inf < value < inf:
        raise NotStrict("WS632", "a number beyond the range of floating point")
    if kind is not dict and kind is not list:
        return 0
    members = 0
    level: list[Any] = [value]
    for _ in range(depth):
        below: list[Any] = []
        add = below.append
        for container in level:
            items = container
            if kind_of(container) is dict:
                members += len(container)
                items = container.values()
            for item in items:
                kind = kind_of(item)
                if kind is dict or kind is list:
                    add(item)
                elif kind is float and not -inf < item < inf:
                    raise NotStrict("WS632", "a number beyond the range of floating point")
        if not below:
            return members
        level = below
    raise NotStrict("WS634", f"nested deeper than {MAX_DEPTH}")


_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_PAIR = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\\\")


def is_unicode(text: str) -> bool:
    r"""Tell whether neither a character nor an escape of a JSON text is a lone surrogate.

    >>> is_unicode(r'"\ud83d\ude00"'), is_unicode(r'"\ud83d"'), is_unicode(r'"\\ud83d"')
    (True, False, True)
    """
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            return False
    return _SURROGATE.search(text) is None or _SURROGATE.search(_PAIR.sub("", text)) is None


def _constant(name: str) -> NoReturn:
    raise NotStrict("WS632", f"{name} is no JSON number")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    out = dict(pairs)
    if len(out) != len(pairs):
        raise NotStrict("WS631", f"the key {str(repeated(pairs))[:40]!r} is given twice")
    return out


def integer(digits: str) -> int:
    """Read an integer of any length up to `MAX_DIGITS`, exactly, whatever the limit of `int` is.

    >>> integer("-" + "9" * 5000) == 1 - 10**5000
    True
    """
    if len(digits) <= _CHUNK:
        return int(digits)
    if len(digits) > MAX_DIGITS:
        raise NotStrict("WS634", f"an integer of more than {MAX_DIGITS} digits")
    whole = digits.lstrip("-")
    parts = [int(whole[max(0, end - _CHUNK) : end]) for end in range(len(whole), 0, -_CHUNK)]
    power = 10**_CHUNK
    while len(parts) > 1:
        if len(parts) % 2:
            parts.append(0)
        parts = [parts[i] + parts[i + 1] * power for i in range(0, len(parts), 2)]
        power *= power
    return -parts[0] if digits[0] == "-" else parts[0]


_KEPT = json.JSONDecoder(parse_constant=_constant, parse_float=kept)
_PAIRS = json.JSONDecoder(parse_constant=_constant, parse_float=number, object_pairs_hook=_unique)
_EXACT = json.JSONDecoder(
    parse_constant=_constant, parse_float=number, object_pairs_hook=_unique, parse_int=integer
)
