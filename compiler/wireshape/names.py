"""Names that a dialect accepts: what it refuses becomes a legal name that is readable, unique, and maps back; no policy.

"search/files"  ->  "search_files"        a name of 200 characters  ->  its first 55, "_" and a hash of the whole
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import cache
from hashlib import sha256

_HASH = 8
_LONGEST = 256


def legal_names(names: Sequence[str], pattern: str | None) -> list[str]:
    """Return a distinct name for each, in order, that `pattern` matches as a whole; `None` accepts every name.

    A name that is legal already is kept by the first that bears it, whatever else is renamed; the result depends on
    nothing but the names and the pattern.

    >>> legal_names(["find files", "find_files", "find files"], "[a-z_]{1,16}")
    ['find_fi_ajiekmjd', 'find_files', 'tajiekmjdggjlfjh']
    """
    taken: set[str] = set()
    kept: set[int] = set()
    for index, name in enumerate(names):
        if name not in taken and _is_legal(name, pattern):
            taken.add(name)
            kept.add(index)
    legal: list[str] = []
    for index, name in enumerate(names):
        wire = name if index in kept else _renamed(name, pattern, taken)
        taken.add(wire)
        legal.append(wire)
    return legal


def _is_legal(name: str, pattern: str | None) -> bool:
    return pattern is None or re.fullmatch(pattern, name) is not None


def _renamed(name: str, pattern: str | None, taken: set[str]) -> str:
    """The readable name when it is free, else its stem and a hash; the hash is salted until the name is free."""
    room = _LONGEST if pattern is None else _room(pattern)
    stem = readable(name, pattern, "t_")
    if 0 < len(stem) <= room and stem not in taken and _is_legal(stem, pattern):
        return stem
    head = stem[: max(0, room - _HASH - 1)].rstrip("_-.")
    salt = 0
    while True:
        text = name if salt == 0 else f"{name}\0{salt}"
        digest = _letters(sha256(text.encode("utf-8", "surrogatepass")).hexdigest(), pattern)
        for candidate in (f"{head}_{digest[:_HASH]}", f"t{digest[: room - 1]}"):
            if candidate not in taken and _is_legal(candidate, pattern):
                return candidate
        salt += 1
        if salt > _LONGEST:
            message = f"the pattern {pattern!r} leaves no room for {len(taken)} names"
            raise ValueError(message)


def readable(name: str, pattern: str | None, head: str) -> str:
    """The name in letters that the pattern takes, accents dropped, anything else an underscore; `head` where it must not begin so.

    >>> readable("2. Größe (cm)", "[a-zA-Z_][a-zA-Z0-9_]*", "key_")
    'key_2_Grosse_cm'
    """
    plain = unicodedata.normalize("NFKD", name.replace("\u00df", "ss"))
    letters = [c if _is_letter(c, pattern) else "_" for c in plain if not unicodedata.combining(c)]
    stem = re.sub("__+", "_", "".join(letters)).strip("_")
    return f"{head}{stem}" if stem and not _is_legal(stem[:1], pattern) else stem


def _letters(digest: str, pattern: str | None) -> str:
    """The digest; where digits are refused, in letters."""
    if _is_letter("0", pattern):
        return digest
    return digest.translate(str.maketrans("0123456789", "ghijklmnop"))


@cache
def _is_letter(c: str, pattern: str | None) -> bool:
    """Whether the character may stand inside a name."""
    if pattern is None:
        return True
    if not (c.isalnum() or c in "_-."):
        return False
    room = _room(pattern)
    names = [name for head in ("a", "A", "_") for name in (head + c, (head + c).ljust(room, "a"))]
    return any([re.fullmatch(pattern, name) is not None for name in names])


@cache
def _room(pattern: str) -> int:
    """How many characters a name may have."""
    return max([n for n in range(1, _LONGEST + 1) if re.fullmatch(pattern, "a" * n)], default=1)
