"""Conjunctions become heads: one node that says what all parts say about the value itself; its children stay lazy."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from wireshape import ir
from wireshape.codes import CODES
from wireshape.errors import SchemaError
from wireshape.read import build, merge
from wireshape.read.build import And
from wireshape.read.values import Tester, has_type
from wireshape.walk import joined

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wireshape.read.build import Raw

MAX_PRODUCT = 64
"""Options of a product of two unions; beyond it one of them stays an assertion."""
MAX_OPTIONS = 4096
"""Options of one union that another conjunct is put into."""
MAX_SPINE = 100
"""References followed to find out what one conjunction is."""


class Heads:
    """Heads of one set of definitions; `work` is what may still be spent on merging."""

    __slots__ = ("_apart", "_known", "_raw", "_spine", "tester", "work")

    def __init__(self, raw: Mapping[str, Raw], work: int) -> None:
        self.work = work
        self._apart = work < 0
        self._raw = raw
        self._known: dict[str, ir.Node] = {}
        self._spine = 0
        self.tester = Tester(raw.__getitem__)

    def head(self, raw: Raw) -> ir.Node:
        """Say what the node is, seen through references and conjunctions; its children stay lazy."""
        if type(raw) is ir.Ref:
            known = self._known.get(raw.name)
            if known is None:
                self._spine += 1
                if self._spine > MAX_SPINE:
                    what = f"merged through more than {MAX_SPINE} references in a row"
                    message = CODES["WS114"].template.format(what=what)
                    raise SchemaError(message, code="WS114", pointer=ir.pointer(raw.at))
                known = self._known[raw.name] = self.head(self._raw[raw.name])
                self._spine -= 1
            return build.settled(build.with_ann(known, raw.ann))
        if type(raw) is ir.Refine:
            base = self.head(raw.base)
            made = raw if base is raw.base else build.refine(base, raw.assertions, raw.ann, raw.at)
            return build.settled(made)
        if type(raw) is not And:
            return raw
        parts, ann = flat(raw)
        if self.work < 0:
            return self._left(parts, ann, raw.at)
        result: ir.Node = build.ANY
        for part in parts:
            result = self.meet(result, self.head(part))
        if result.at != raw.at and raw.at is not None:
            result = replace(result, at=raw.at)
        return build.settled(build.with_ann(result, ann))

    def _left(self, parts: list[Raw], ann: ir.Ann, at: ir.Path) -> ir.Node:
        """A conjunction that is not merged: of what some are, one part is, which tells most where the others cannot be said."""
        chief = None
        if not self._apart:
            chief = next((p for p in parts if type(p) is ir.Ref), parts[0])
        others = tuple([build.lazy(p) for p in parts if p is not chief])
        base = build.ANY if chief is None else self.head(chief)
        made = build.refine(base, [ir.Assertion("allOf", others, None, at)], ann, at)
        return build.settled(made)

    def meet(self, a: ir.Node, b: ir.Node) -> ir.Node:
        """Return the head of what satisfies both heads."""
        if a is b or build.is_trivial(b):
            return a
        if build.is_trivial(a):
            return b
        ann = joined(a.ann, b.ann)
        made = self._meet(build.settled(build.bare(a)), build.settled(build.bare(b)))
        return build.settled(build.with_ann(made, ann))

    def _meet(self, a: ir.Node, b: ir.Node) -> Raw:
        self.work -= 1
        if type(a) is ir.Never or type(b) is ir.Any:
            return a
        if type(b) is ir.Never or type(a) is ir.Any:
            return b
        if type(a) is ir.Refine:
            if type(b) is ir.Refine:
                return build.refine(
                    self.meet(a.base, b.base), (*a.assertions, *b.assertions), None, a.at
                )
            return build.refine(self.meet(a.base, b), a.assertions, None, a.at)
        if type(b) is ir.Refine:
            return build.refine(self.meet(a, b.base), b.assertions, None, a.at)
        if type(a) is ir.Literal:
            return self._filter(a, b)
        if type(b) is ir.Literal:
            return self._filter(b, a)
        if type(a) is ir.Union or type(b) is ir.Union:
            return self._unions(a, b)
        met = merge.same_kind(a, b)
        if met is None:
            return ir.Never(
                f"{merge.type_of(a)} and {merge.type_of(b)} have no value in common", None, a.at
            )
        if type(a) is ir.Object and type(b) is ir.Object:
            self.work -= len(a.fields) + len(b.fields)
        return met()

    def _filter(self, values: ir.Literal, node: ir.Node) -> Raw:
        """Keep the values that the node admits; it stays as an assertion where that is not sure."""
        self.work -= len(values.values)
        verdicts = [self.tester.verdict(v, node) for v in values.values]
        kept = [
            v for v, verdict in zip(values.values, verdicts, strict=True) if verdict is not False
        ]
        if not kept:
            return ir.Never("no listed value satisfies the other constraints", None, values.at)
        literal = build.literal(kept, None, values.at)
        if None not in verdicts:
            return literal
        if type(node) is ir.String:
            left = [ir.Assertion("pattern", (), p, node.at) for p in node.patterns]
            left += [ir.Assertion("format", (), f, node.at) for f in node.formats]
        else:
            left = [ir.Assertion("allOf", (node,), None, node.at)]
        return build.refine(literal, left, None, values.at)

    def _unions(self, a: ir.Node, b: ir.Node) -> Raw:
        if type(a) is ir.Union and a.implied and type(b) is ir.Union and b.implied:
            return self._pointwise(a, b)
        for one, other, first in ((a, b, True), (b, a, False)):
            if type(one) is ir.Union and one.implied and type(other) is not ir.Union:
                name = merge.type_of(other)
                arm = next((o for o in one.options if merge.type_of(o) == name), None)
                if arm is None:
                    return ir.Never(f"{name} is excluded", None, a.at)
                return self.meet(arm, other) if first else self.meet(other, arm)
        if type(a) is ir.Union and not a.implied:
            return self._distribute(a, b, first=True)
        assert type(b) is ir.Union
        return self._distribute(b, a, first=False)

    def _pointwise(self, a: ir.Union, b: ir.Union) -> Raw:
        options: list[ir.Node] = []
        theirs = {merge.type_of(o): o for o in b.options}
        for option in a.options:
            other = theirs.get(merge.type_of(option))
            if other is not None:
                options.append(self.meet(option, other))
        implied = tuple([t for t in ir.KINDS if t in a.implied or t in b.implied])
        return build.typeless(options, implied, None, a.at)

    def _distribute(self, union: ir.Union, other: ir.Node, *, first: bool) -> Raw:
        """Put the other conjunct into every option."""
        keyword = "oneOf" if union.exclusive else "anyOf"
        width = len(other.options) if type(other) is ir.Union and not other.implied else 1
        if (
            len(union.options) * width > (MAX_PRODUCT if width > 1 else MAX_OPTIONS)
            or self.work < 0
        ):
            return build.refine(
                other, [ir.Assertion(keyword, union.options, None, union.at)], None, union.at
            )
        met = [self._into(o, other, first=first) for o in union.options]
        if not union.exclusive:
            return build.union(met, None, union.at)
        return build.one_of(met, None, union.at)

    def _into(self, option: ir.Node, other: ir.Node, *, first: bool) -> ir.Node:
        """One option met with the other conjunct; a reference stays one where nothing is added."""
        head = self.head(option)
        if (
            type(option) is ir.Ref
            and build.is_bare_kind(other)
            and merge.type_of(head) == merge.type_of(other)
        ):
            return option
        return self.meet(head, other) if first else self.meet(other, head)


def flat(raw: And) -> tuple[list[Raw], ir.Ann]:
    """Return the original parts of a conjunction, and the annotations around them."""
    parts: list[Raw] = []
    ann = raw.ann
    for part in raw.parts:
        if type(part) is And:
            inner, texts = flat(part)
            parts.extend(inner)
            ann = joined(ann, texts)
        elif type(part) is ir.Ref and part.ann is not None:
            parts.append(build.bare(part))
            ann = joined(ann, part.ann)
        else:
            parts.append(part)
    return parts, ann


def absorb(parts: list[Raw], ann: ir.Ann, raw: Mapping[str, Raw]) -> tuple[list[Raw], ir.Ann]:
    """Leave out the parts that only repeat the JSON type of another; their texts join those around."""
    kept = list(parts)
    for part in parts:
        if type(part) is And or not build.is_bare_kind(part):
            continue
        name = merge.type_of(part)
        if any([other is not part and _is_only(other, name, raw, [100]) for other in kept]):
            kept = [k for k in kept if k is not part]
            ann = joined(ann, part.ann)
    return kept, ann


def _is_only(node: Raw, name: str | None, raw: Mapping[str, Raw], fuel: list[int]) -> bool:
    """Whether every value of the node is plainly of that JSON type."""
    fuel[0] -= 1
    if fuel[0] < 0:
        return False
    if type(node) is ir.Ref:
        return _is_only(raw[node.name], name, raw, fuel)
    if type(node) is And:
        return any([_is_only(p, name, raw, fuel) for p in node.parts])
    if type(node) is ir.Union:
        return all([_is_only(o, name, raw, fuel) for o in node.options])
    if type(node) is ir.Literal:
        return name is not None and all([has_type(v, name) for v in node.values])
    return type(node) is not ir.Any and merge.type_of(build.settled(node)) == name
