"""The state of one lowering: the row, the definitions of both sides, and the notes as they are made; it holds no rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from wireshape import ir
from wireshape.codes import CODES
from wireshape.dialect import Dialect
from wireshape.errors import InexpressibleError
from wireshape.grant import Grant
from wireshape.options import Options
from wireshape.relate import Relations
from wireshape.step import Step
from wireshape.strictify import describe
from wireshape.strictify.hidden import Known, Rules
from wireshape.strictify.weights import Weights

Lowered: TypeAlias = tuple[ir.Node, Step]

_NOTHING: Mapping[str, Any] = {}


@dataclass(slots=True)
class Pending:
    """A note before emission: `node` is the wire node at which it will point."""

    code: str
    keyword: str
    at: ir.Path
    fields: Mapping[str, Any]
    node: ir.Node | None = None


class Arm(NamedTuple):
    """The two predicates of a union's arm."""

    wire: ir.Node
    source: ir.Node


@dataclass(slots=True)
class Ctx:
    """`defs` are conceptual, `wire` and `steps` are what they were lowered to (or what is assumed while in progress).

    `names` maps a conceptual definition to the wire definition that stands for it here, or to `None` where recursion is
    cut. `lower` is the dispatcher; rules reach it through the context so that they need not import one another.
    """

    row: Dialect
    options: Options
    defs: Mapping[str, ir.Node]
    source: Relations
    target: Relations
    wire: dict[str, ir.Node]
    steps: dict[str, Step]
    lower: Callable[[ir.Node, Ctx], Lowered]
    names: dict[str, str | None]
    notes: list[Pending]
    loose: list[Pending]  # notes about the wire node being made
    arms: list[Arm]
    sizes: dict[str, int]  # settled definitions: what they weigh, where all are written out
    small: dict[str, tuple[ir.Node, tuple[int, int] | None]]  # nodes and containers, if few
    weights: Weights  # what wire nodes weigh, where all are written out
    hops: dict[str, int]  # definitions written out inside one another
    kept: frozenset[str]  # the annotations that the row writes
    further: set[str]  # definitions that write a recursive one again
    hidden: Known  # what rules lie behind definitions
    longest: int = 0  # characters of a description, where the grant bounds them
    hop: int = 0
    evaluating: bool = False  # within `unevaluated*`: an arm counts for what it evaluates, even one that accepts everything
    asserting: bool = False  # within an assertion, which looks at values and does not hold them
    narrowing: bool = True  # whether what the source leaves open may be answered as one expects
    top_options: tuple[ir.Node, ...] | None = None  # the options of a root without type
    top_fields: tuple[ir.Field, ...] | None = (
        None  # the fields of the root object, where key rules may bind
    )
    any_name: str = "Any"
    room: int = 0  # values that may still be written out in the definition at hand
    consulted: bool = False  # whether a rule looked into wire definitions that may still change
    grant: Grant | None = None  # how to fit the limits of the row
    tag_all: bool = False  # give up telling arms apart: the definitions at hand did not settle

    def note(
        self,
        code: str,
        n: ir.Node | ir.Assertion,
        keyword: str = "",
        /,
        *,
        on: ir.Node | None = None,
        **fields: Any,
    ) -> None:
        """Record a note about the source node `n`; it points at wire node `on`, else at the one being made."""
        pending = Pending(code, keyword, n.at, fields, on)
        self.notes.append(pending)
        if on is None:
            self.loose.append(pending)

    def mark(self, code: str, n: ir.Node, keyword: str, on: ir.Node | None = None, /) -> None:
        """Record a note as `note` does, without further fields: the commonest notes are made this way."""
        pending = Pending(code, keyword, n.at, _NOTHING, on)
        self.notes.append(pending)
        if on is None:
            self.loose.append(pending)

    def lost(
        self,
        code: str,
        n: ir.Node | ir.Assertion,
        keyword: str,
        told: list[str],
        text: str,
        within: Sequence[ir.Node] = (),
        /,
        **fields: Any,
    ) -> None:
        """Record that an assertion is not on the wire as it stands, and say it in words; the report names the rules `within`."""
        rules = self.rules(within) if within else ""
        pending = Pending(code, keyword, n.at, {"dialect": self.row.id, "rules": rules, **fields})
        self.notes.append(pending)
        self.loose.append(pending)
        if self.options.describe:
            told.append(text)

    def drop(self, n: ir.Node, keyword: str, value: Any, told: list[str]) -> None:
        """Record that a keyword is told instead of enforced."""
        self.lost("WS201", n, keyword, told, describe.phrase(keyword, value))

    def rules(self, nodes: Sequence[ir.Node]) -> Rules:
        """Name the rules below the nodes, for a note."""
        return Rules(nodes, self.source.defs, self.hidden)

    def all_exact(self, mark: int) -> bool:
        """Whether every note since `mark` is exact."""
        return all([CODES[note.code].effect == "exact" for note in self.notes[mark:]])

    def escape(self, n: ir.Node, what: str, field: str, value: str) -> Lowered:
        """Send a node as JSON text, the last resort."""
        if self.options.inexpressible == "raise":
            message = f"{what} cannot be said in {self.row.id} ({field} = {value!r}); choose another dialect or allow JSON text"
            raise InexpressibleError(message, code="WS221", pointer=ir.pointer(n.at))
        self.note("WS221", n, "type", what=what, field=field, value=value, rules=self.rules([n]))
        said = describe.quoted(n, self.defs)
        wire = self.json_text(n, what, f": {said}" if said.startswith("{") else "")
        return wire, ("json", bool(self.source.types(n) & 16))

    def json_text(self, n: ir.Node, what: str, more: str = "") -> ir.Node:
        """The wire node of JSON text."""
        told = [f"{what} as JSON text{more}"] if self.options.describe else []
        return ir.String(ann=annotate(n, self, told), at=n.at)


def placed(fields: list[ir.Field], ctx: Ctx) -> list[ir.Field]:
    """The fields of a wire object in the order in which the row writes their keys.

    a?, b  ->  b, a?        where required keys come first
    """
    if not ctx.row.objects.required_first:
        return fields
    return sorted(fields, key=lambda f: not f.required)


def annotate(n: ir.Node, ctx: Ctx, told: Sequence[str] = ()) -> ir.Ann:
    """The annotations of a wire node: those that the row accepts, the rest and what is told in the description."""
    ann = n.ann
    if not ann:
        return {"description": describe.join(None, told)} if told else None
    keep = ctx.kept
    if not told and keep.issuperset(ann):
        return ann
    said: list[str] = []
    text = ann.get("description")
    for keyword, value in ann.items():
        if keyword in keep or keyword == "description":
            continue
        if keyword == "title" and _echoes(value, n.at):
            continue
        if keyword == "title" and not text:
            text = value
        elif keyword in _TOLD and ctx.options.describe:
            phrase = describe.phrase(_TOLD[keyword], value)
            said += [phrase] if phrase else []
            ctx.mark("WS228" if phrase else "WS231", n, keyword)
        else:
            ctx.mark("WS231", n, keyword)
    kept = {k: v for k, v in ann.items() if k in keep and k != "description"}
    whole = describe.join(text, [*said, *told])
    if whole and "description" in keep:
        kept = {"description": whole, **kept}
    return kept or None


_TOLD = {
    "default": "default",
    "examples": "examples",
    "example": "examples",
    "format": "format",
    "deprecated": "deprecated",
    "discriminator": "discriminator",
    "contentEncoding": "contentEncoding",
    "contentMediaType": "contentMediaType",
}


def _echoes(title: str, at: ir.Path) -> bool:
    """Whether a title only repeats the key or definition that it names."""
    if at is None:
        return False
    return _letters(title) == _letters(str(at[1]))


def _letters(text: str) -> str:
    return _NO_LETTERS.sub("", text.lower())


_NO_LETTERS = re.compile(r"[\W_]+")
