"""Notes and the report: every difference between the conceptual schema and the wire, as data first, text second."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from wireshape.codes import CODES, Effect

_NOTHING: Mapping[str, object] = {}


_SAID: dict[str, tuple[Effect, bool, str, bool]] = {
    c.code: (c.effect, c.quiet, c.template, "{" not in c.template)
    for c in CODES.values()
    if c.effect is not None
}
"""What the notes of each code have in common; the last tells that the message is the same for all."""


class Note(NamedTuple):
    """One diagnostic. `pointer` points into the source schema, `wire_pointer` into the wire schema.

    `quiet` marks a convention that everyone expects; policies such as `on_loss="raise"` look at loud notes only.

    >>> import wireshape as ws
    >>> note = ws.compile({"type": "object", "additionalProperties": {}}, "openai-strict").report.notes[0]
    >>> note.code, note.effect, note.pointer
    ('WS214', 'exact', '')
    """

    code: str
    effect: Effect
    quiet: bool
    keyword: str
    pointer: str
    wire_pointer: str
    message: str

    def to_json(self) -> dict[str, Any]:
        """Return the note as a JSON object."""
        code, effect, quiet, keyword, pointer, wire_pointer, message = self
        return {
            "code": code,
            "effect": effect,
            "quiet": quiet,
            "keyword": keyword,
            "pointer": pointer,
            "wire_pointer": wire_pointer,
            "message": message,
        }


_made = partial(tuple[Any, ...].__new__, Note)
"""What `Note(...)` does, at half its price: a named tuple is made by a Python function otherwise."""


def make_note(
    code: str,
    pointer: str,
    keyword: str = "",
    wire_pointer: str = "",
    fields: Mapping[str, object] = _NOTHING,
) -> Note:
    """Build the note of a registered code; `fields` fill its message template."""
    effect, quiet, message, fixed = _SAID[code]
    if not fixed or fields:
        message = message.format(keyword=keyword, **fields)
    said = (code, effect, quiet, keyword, pointer, wire_pointer, message)
    return _made(said)


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that differs between source and wire.

    >>> Report(()).exact
    True
    """

    notes: tuple[Note, ...]

    @property
    def widened(self) -> list[Note]:
        """Where the wire lets in values that the source forbids (the gate catches them).

        >>> import wireshape as ws
        >>> [n.code for n in ws.compile({"type": "string", "maxLength": 3}, "anthropic-strict").report.widened]
        ['WS201']
        """
        return [n for n in self.notes if n.effect == "widened"]

    @property
    def narrowed(self) -> list[Note]:
        """Where some valid values cannot be said on the wire.

        >>> import wireshape as ws
        >>> point = {"type": "object", "properties": {"x": {"type": "number"}}, "required": ["x"]}
        >>> [n.code for n in ws.compile(point, "openai-strict").report.narrowed]
        ['WS213']
        """
        return [n for n in self.notes if n.effect == "narrowed"]

    @property
    def exact(self) -> bool:
        """Whether wire and source accept the same values, codec applied."""
        return not any(n.effect != "exact" for n in self.notes)  # the first often tells

    def to_json(self) -> dict[str, Any]:
        """Return `{"exact": bool, "notes": [...]}`."""
        return {"exact": self.exact, "notes": [n.to_json() for n in self.notes]}

    def __str__(self) -> str:
        if not self.notes:
            return "exact: no differences"
        rows = [
            (n.code, n.effect + (" (quiet)" if n.quiet else ""), n.pointer or "/", n.message)
            for n in self.notes
        ]
        widths = [max(len(row[i]) for row in rows) for i in range(3)]
        lines = [
            "  ".join([*(c.ljust(w) for c, w in zip(row, widths, strict=False)), row[3]])
            for row in rows
        ]
        return "\n".join(lines)
