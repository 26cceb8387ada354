"""Definitions with lazy conjunctions become definitions of plain kinds: heads are merged, children follow by need.

Parts that meet again share their merge: it is keyed by the set of the original parts, so recursion comes back to a name.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from wireshape import ir
from wireshape.read import build, names
from wireshape.read.build import And
from wireshape.read.children import map_children
from wireshape.read.heads import Heads, absorb, flat

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from wireshape.read.build import Raw

MAX_ORIGINALS = 200
"""Parts of one conjunction that are looked at to recognise it."""
MAX_INLINE = 16
"""Conjunctions merged inside each other before the next one gets a name."""
MAX_SPLICED = 8
"""Definitions written in place inside each other."""
_PLACES = frozenset({"allOf", "anyOf", "oneOf", "items", "properties", "additionalProperties"})
_LEAVES = frozenset({ir.String, ir.Number, ir.Boolean, ir.Null, ir.Any, ir.Literal, ir.Never})


class Normaliser:
    """One run over the definitions of one source; references named in `spliced` are written in place."""

    __slots__ = (
        "_claim",
        "_depth",
        "_heads",
        "_inline",
        "_memo",
        "_named",
        "_open",
        "_out",
        "_queue",
        "_raw",
        "_spliced",
        "made",
    )

    def __init__(
        self,
        raw: Mapping[str, Raw],
        claim: Callable[[str], str],
        work: int,
        spliced: Mapping[str, ir.Node],
    ) -> None:
        self._raw = dict(raw)
        self._claim = claim
        self._spliced = spliced
        self._depth = 0
        self._heads = Heads(self._raw, work)
        self._memo: dict[int, tuple[Raw, ir.Node]] = {}
        self._named: dict[frozenset[int | str], str] = {}
        self._inline: dict[frozenset[int | str], tuple[Raw, ir.Node]] = {}
        self._open: set[frozenset[int | str]] = set()
        self._out: dict[str, ir.Node] = {}
        self._queue: list[str] = []
        self.made: set[str] = set()
        """Names given to merged definitions."""

    @property
    def work(self) -> int:
        """What may still be spent on merging; less than nothing when some of it was left undone."""
        return self._heads.work

    def run(self, root: Raw) -> tuple[ir.Node, dict[str, ir.Node]]:
        """Normalise the root and every definition."""
        for name, node in self._raw.items():
            if type(node) is And:
                self._named.setdefault(_key(flat(node)[0], self._raw), name)
        for name, node in list(self._raw.items()):
            self._out[name] = self._top(node)
        top = self._top(root)
        while self._queue:
            name = self._queue.pop()
            self._out[name] = self._top(self._raw[name])
        return top, self._out

    def _top(self, raw: Raw) -> ir.Node:
        if type(raw) is not And:
            return self.child(raw)
        parts, ann = absorb(*flat(raw), self._raw)
        node = build.conj(parts, raw.at)
        if type(node) is not And:
            return build.settled(build.with_ann(self.child(node), ann))
        return build.settled(build.with_ann(self._finish(self._heads.head(node)), ann))

    def child(self, raw: Raw) -> ir.Node:
        """Return the final node for a place below a head."""
        if type(raw) is And:
            return self._conjunction(raw)
        if type(raw) is ir.Ref:
            behind = self._spliced.get(raw.name)
            return raw if behind is None else self._splice(raw, behind)
        if type(raw) in _LEAVES:
            return raw
        known = self._memo.get(id(raw))
        if known is None:
            known = self._memo[id(raw)] = (raw, self._finish(raw))
        return known[1]

    def _splice(self, ref: ir.Ref, behind: ir.Node) -> ir.Node:
        if type(behind) in _LEAVES:
            return build.settled(build.with_ann(behind, ref.ann))
        if self._depth == MAX_SPLICED:
            return ref
        self._depth += 1
        node = self.child(behind)
        self._depth -= 1
        return build.settled(build.with_ann(node, ref.ann))

    def _conjunction(self, raw: And) -> ir.Node:
        parts, ann = absorb(*flat(raw), self._raw)
        node = build.conj(parts, raw.at)
        if type(node) is not And:
            return build.settled(build.with_ann(self.child(node), ann))
        key = _key(node.parts, self._raw)
        name = self._named.get(key)
        if name is not None:
            return ir.Ref(name, ann, raw.at)
        known = self._inline.get(key)
        if known is not None:
            return build.settled(build.with_ann(known[1], ann))
        refs = [p.name for p in node.parts if type(p) is ir.Ref]
        if refs or key in self._open or len(self._open) > MAX_INLINE:
            name = self._name(key, refs, node)
            if key not in self._open:
                self._raw[name] = node
                self._queue.append(name)
            return ir.Ref(name, ann, raw.at)
        self._open.add(key)
        made = self._finish(self._heads.head(node))
        self._open.remove(key)
        name = self._named.get(key)
        if name is not None:  # it came back to itself below
            self._raw[name] = node
            self._out[name] = made
            return ir.Ref(name, ann, raw.at)
        self._inline[key] = (node, made)
        return build.settled(build.with_ann(made, ann))

    def _name(self, key: frozenset[int | str], refs: list[str], node: And) -> str:
        place = node.at
        while place is not None and (type(place[1]) is int or place[1] in _PLACES):
            place = place[0]
        if len(refs) < 2 and place is not None:
            refs = [*refs, str(place[1])]
        name = self._named[key] = self._claim("_and_".join(refs)[:64])
        self.made.add(name)
        return name

    def _finish(self, n: ir.Node) -> ir.Node:
        if type(n) is not ir.Object or n.names is None:
            return map_children(n, self.child)
        head = self._heads.head(n.names)
        said = names.of_keys(head)
        if said is not head:
            n = replace(n, names=None if said is None else build.lazy(said))
        made = map_children(n, self.child)
        return names.apply(made, self._heads.tester) if type(made) is ir.Object else made


def _key(parts: Sequence[Raw], raw: Mapping[str, Raw]) -> frozenset[int | str]:
    """Return the set of original parts: a definition that is a conjunction stands for its own parts."""
    found: set[int | str] = set()
    expanded: set[str] = set()
    stack = list(parts)
    while stack:
        part = stack.pop()
        if type(part) is not ir.Ref:
            found.add(id(part))
        elif part.name not in expanded and part.name not in found:
            behind = raw[part.name]
            if type(behind) is And:
                expanded.add(part.name)
                stack.extend(flat(behind)[0])
            else:
                found.add(part.name)
        if len(found) + len(expanded) > MAX_ORIGINALS:
            return frozenset([p.name if type(p) is ir.Ref else id(p) for p in parts])
    return frozenset(found)
