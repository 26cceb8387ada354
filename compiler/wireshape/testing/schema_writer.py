"""The state of one generated schema: what it may use and what it has spent; it writes no schema itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from hypothesis import strategies as st

Draw: TypeAlias = Callable[[st.SearchStrategy[Any]], Any]

DRAFTS = ("openapi-3.0", "draft4", "draft6", "draft7", "2019-09", "2020-12", "openapi-3.1")
"""Oldest meaning first."""

URIS = {
    "draft4": "http://json-schema.org/draft-04/schema#",
    "draft6": "http://json-schema.org/draft-06/schema#",
    "draft7": "http://json-schema.org/draft-07/schema#",
    "2019-09": "https://json-schema.org/draft/2019-09/schema",
}


@dataclass(slots=True)
class Writer:
    """Draws for one document; `left` counts the leaves that it may still have."""

    draw: Draw
    draft: str
    left: int
    features: frozenset[str]
    names: tuple[str, ...] = ()

    def has(self, feature: str) -> bool:
        return feature in self.features

    def since(self, draft: str) -> bool:
        """Whether the document's draft is `draft` or a later one."""
        return DRAFTS.index(self.draft) >= DRAFTS.index(draft)

    def chance(self, percent: int) -> bool:
        """Shrinks towards no."""
        return bool(self.draw(st.integers(0, 99)) >= 100 - percent)

    def may(self, feature: str, percent: int) -> bool:
        return feature in self.features and self.chance(percent)

    def pick(self, options: Sequence[Any]) -> Any:
        return self.draw(st.sampled_from(options))

    def count(self, least: int, most: int) -> int:
        return int(self.draw(st.integers(least, most)))

    def some(self, options: Sequence[Any], *, least: int, most: int) -> list[Any]:
        """Draw distinct members, in the order drawn."""
        picked: list[Any] = self.draw(
            st.lists(st.sampled_from(options), unique_by=repr, min_size=least, max_size=most)
        )
        return picked

    @property
    def defs_key(self) -> str:
        return "$defs" if self.since("2019-09") else "definitions"
