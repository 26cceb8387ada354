"""What a budget decided about one schema, as plain frozen data: which parts of the source are spelled in a cheaper way.

Parts are named by their place in the source. `budget` makes grants, `strictify` follows them; an empty one changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from wireshape import ir

CUT = " ..."
"""What stands for the rest of a description that was too long."""


@dataclass(frozen=True, slots=True)
class Excess:
    """A count of a wire schema that is over a limit of the row; `rule` is the name of the limit.

    `levels` are the schemas of objects and arrays that may lie inside one another, where that is what it is about.
    """

    rule: str
    what: str
    count: int
    limit: int
    largest: str = ""
    levels: int | None = None

    def fields(self) -> dict[str, object]:
        """What a note about it says."""
        return {
            "what": self.what,
            "count": self.count,
            "limit": self.limit,
            "field": f"limits.{self.rule}",
        }


_Why: TypeAlias = Mapping[ir.Path, Excess]


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """Decisions by place in the source, each with the excess that is the reason.

    - `nullable`: the optional fields of an object, by wire key, that are sent required and nullable;
    - `entries`: objects whose optional fields travel as `{field, value}` entries;
    - `plain`: enums that are sent as their plain type;
    - `unbounded`: arrays that are sent without `maxItems`;
    - `text`: parts that are sent as JSON text;
    - `whole`: the reason why the whole schema is sent as JSON text;
    - `words`: how many characters a description keeps at most;
    - `unroll`: how often recursion is written out at most.

    >>> Grant().text
    {}
    """

    nullable: Mapping[ir.Path, frozenset[str]] = field(
        default_factory=dict[ir.Path, frozenset[str]]
    )
    entries: _Why = field(default_factory=dict[ir.Path, Excess])
    plain: _Why = field(default_factory=dict[ir.Path, Excess])
    unbounded: _Why = field(default_factory=dict[ir.Path, Excess])
    text: _Why = field(default_factory=dict[ir.Path, Excess])
    whole: Excess | None = None
    words: int | None = None
    unroll: int | None = None
