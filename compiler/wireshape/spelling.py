"""Words that are nearly a known one: a letter too many, too few, another one or two exchanged; case and joints aside."""

from __future__ import annotations

from collections.abc import Iterable


def nearly(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that a misspelt one stands for, the first of several; `None` when none is so near, or it is known.

    >>> nearly("parametres", ["name", "parameters"]), nearly("input-schema", ["inputSchema"])
    ('parameters', 'inputSchema')
    >>> nearly("param", ["parameters"]) is None
    True
    """
    words = list(known)
    if word in words or len(word) > max([len(w) for w in words], default=0) + 4:
        return None
    plain = _plain(word)
    near = [w for w in words if _one_edit(plain, _plain(w))]
    return next((w for w in near if _one_edit(word, w)), near[0] if near else None)


def _plain(word: str) -> str:
    return word.replace("_", "").replace("-", "").lower()


def _one_edit(a: str, b: str) -> bool:
    """Whether at most one letter is added, dropped or replaced, or two neighbours are exchanged."""
    if abs(len(a) - len(b)) > 1 or min(len(a), len(b)) < 3:
        return False
    at = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), None)
    if at is None:
        return True
    left, right = a[at:], b[at:]
    swapped = left[1::-1] + left[2:] if len(left) > 1 else left
    return left[1:] == right[1:] or left[1:] == right or left == right[1:] or swapped == right
