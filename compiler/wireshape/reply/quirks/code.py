"""A tool call that a model wrote as Python: one call with literal keyword arguments; nothing is evaluated."""

from __future__ import annotations

import ast
import re
from typing import Any

from wireshape.ir import kind_of

_MAX = 20_000
_PREFIX = re.compile(r"\A\s*[Mm]alformed function call:")


def from_code(text: str, names: frozenset[str]) -> tuple[str, dict[str, Any]] | None:
    """Return name and arguments when the text is a single call of one of `names`, perhaps inside `print`.

    >>> from_code("print(default_api.mul(a=157.3, b=-1))", frozenset({"mul"}))
    ('mul', {'a': 157.3, 'b': -1})
    >>> from_code("print(157.3 * 1.04)", frozenset({"mul"})) is None
    True
    """
    if len(text) > _MAX:
        return None
    try:
        tree = ast.parse(_PREFIX.sub("", text).strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name) and tree.func.id == "print" and len(tree.args) == 1 and not tree.keywords:  # fmt: skip
        tree = tree.args[0]
    if not isinstance(tree, ast.Call) or tree.args:
        return None
    name = (
        tree.func.attr if isinstance(tree.func, ast.Attribute) else getattr(tree.func, "id", None)
    )
    if not isinstance(name, str) or name not in names:
        return None
    arguments: dict[str, Any] = {}
    for keyword in tree.keywords:
        if keyword.arg is None:
            return None
        try:
            arguments[keyword.arg] = _json(ast.literal_eval(keyword.value))
        except (ValueError, TypeError, RecursionError, MemoryError):
            return None
    return name, arguments


def _json(value: Any) -> Any:
    kind = kind_of(value)
    if kind is dict:
        if not all([kind_of(key) is str for key in value]):
            raise TypeError
        return {key: _json(item) for key, item in value.items()}
    if kind is list or kind is tuple:
        return [_json(item) for item in value]
    if kind in _SCALARS:
        return value
    raise TypeError


_SCALARS: frozenset[object] = frozenset({str, bool, int, float, type(None)})
