r"""Schemas for validators that read patterns strictly: the leniences of the web are written out, the meaning stays.

{"pattern": "^{id}"}  ->  {"pattern": "^\\{id\\}"}
"""

from __future__ import annotations

from typing import Any, Final, cast

from wireshape.ir import Json, kind_of
from wireshape.regex.spell import rewritten

_NAMED: Final = frozenset(
    "properties patternProperties definitions $defs dependentSchemas dependencies".split()
)
_DATA: Final = frozenset("enum const default examples example".split())


def with_strict_patterns(document: Json) -> Json:
    r"""Rewrite the patterns of a schema; the very same document where none has to change.

    >>> with_strict_patterns({"items": {"pattern": "a{"}, "enum": [{"pattern": "a{"}]})
    {'items': {'pattern': 'a\\{'}, 'enum': [{'pattern': 'a{'}]}
    """
    known: dict[tuple[int, bool], tuple[Any, Any]] = {}
    todo: list[tuple[Any, Any, bool]] = []
    changed = False

    def part(at: Json, *, named: bool = False) -> Json:
        """The copy of a part, filled in later."""
        if kind_of(at) is not dict and kind_of(at) is not list:
            return at
        found = known.get((id(at), named))
        if found is None:
            copy: Any = {} if kind_of(at) is dict else []
            found = known[id(at), named] = (
                at,
                copy,
            )  # the part is kept, so that its id stays its own
            todo.append((at, copy, named))
        return found[1]

    root = part(document)
    while todo:
        at, copy, named = todo.pop()
        if kind_of(at) is list:
            copy.extend([part(item) for item in at])
            continue
        for key, value in cast("dict[str, Any]", at).items():
            new = value
            if not named and key == "pattern" and kind_of(value) is str:
                new = rewritten(value)
            elif not named and key == "patternProperties" and kind_of(value) is dict:
                new = {rewritten(k): v for k, v in value.items()}
                new = value if new.keys() == value.keys() or len(new) < len(value) else new
            changed = changed or (new is not value and new != value)
            copy[key] = (
                new if not named and key in _DATA else part(new, named=not named and key in _NAMED)
            )
    return root if changed else document
