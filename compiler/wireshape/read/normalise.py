"""Definitions with lazy conjunctions become definitions of plain kinds: heads are merged, children follow by need.

Parts that meet again share their merge: it is keyed by the set of the original parts, so recursion comes back to a name.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from wireshape import ir
from wireshape.codes import CODES
from wireshape.errors import SchemaError
from wireshape.read import build, merge
from wireshape.read.build import And
from wireshape.read.values import Tester, has_type

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from wireshape.read.build import Raw

MAX_PRODUCT = 64
"""Options of a product of two unions; beyond it one of them stays an assertion."""
MAX_ORIGINALS = 200
"""Parts of one conjunction that are looked at to recognise it."""
MAX_SPINE = 100
"""References followed to find out what one conjunction is."""
MAX_INLINE = 16
"""Conjunctions merged inside each other before the next one gets a name."""
_PLACES = frozenset({"allOf", "anyOf", "oneOf", "items", "properties", "additionalProperties"})
_LEAVES = frozenset({ir.String, ir.Number, ir.Boolean, ir.Null, ir.Any, ir.Literal, ir.Never})


class Normaliser:
    """One run over the definitions of one source."""

    __slots__ = ("_claim", "_dead", "_heads", "_inline", "_memo", "_named", "_open", "_out", "_queue", "_raw", "_spine", "_tester", "_work")

    def __init__(self, raw: Mapping[str, Raw], claim: Callable[[str], str], work: int, dead: frozenset[str]) -> None:
        self._raw = dict(raw)
        self._claim = claim
        self._work = work
        self._dead = dead
        self._heads: dict[str, ir.Node] = {}
        self._memo: dict[int, tuple[Raw, ir.Node]] = {}
        self._named: dict[frozenset[int | str], str] = {}
        self._inline: dict[frozenset[int | str], tuple[Raw, ir.Node]] = {}
        self._open: set[frozenset[int | str]] = set()
        self._out: dict[str, ir.Node] = {}
        self._queue: list[str] = []
        self._spine = 0
        self._tester = Tester(self._raw.__getitem__)

    def run(self, root: Raw) -> tuple[ir.Node, dict[str, ir.Node]]:
        """Normalise the root and every definition."""
        for name, node in self._raw.items():
            if type(node) is And:
                self._named.setdefault(self._key(_flat(node)[0]), name)
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
        parts, ann = _flat(raw)
        node = build.conj(self._absorb(parts), raw.at)
        if type(node) is not And:
            return build.settled(build.with_ann(self.child(node), ann))
        return build.settled(build.with_ann(self._finish(self.head(node)), ann))

    # heads

    def head(self, raw: Raw) -> ir.Node:
        """What the node is, seen through references and conjunctions; its children stay lazy."""
        if type(raw) is ir.Ref:
            known = self._heads.get(raw.name)
            if known is None:
                self._spine += 1
                if self._spine > MAX_SPINE:
                    what = f"merged through more than {MAX_SPINE} references in a row"
                    message = CODES["WS114"].template.format(what=what)
                    raise SchemaError(message, code="WS114", pointer=ir.pointer(raw.at))
                known = self._heads[raw.name] = self.head(self._raw[raw.name])
                self._spine -= 1
            return build.settled(build.with_ann(known, raw.ann))
        if type(raw) is not And:
            return raw
        parts, ann = _flat(raw)
        if self._work < 0:
            return ir.Refine(build.ANY, (ir.Assertion("allOf", tuple([build.lazy(p) for p in parts]), None, raw.at),), ann, raw.at)
        result: ir.Node = build.ANY
        for part in parts:
            result = self.meet(result, self.head(part))
        if result.at != raw.at and raw.at is not None:
            result = replace(result, at=raw.at)
        return build.settled(build.with_ann(result, ann))

    def meet(self, a: ir.Node, b: ir.Node) -> ir.Node:
        """The head of what satisfies both heads."""
        if a is b or build.is_trivial(b):
            return a
        if build.is_trivial(a):
            return b
        ann = build.join_ann(a.ann, b.ann)
        made = self._meet(build.settled(build.bare(a)), build.settled(build.bare(b)))
        return build.settled(build.with_ann(made, ann))

    def _meet(self, a: ir.Node, b: ir.Node) -> Raw:
        self._work -= 1
        if type(a) is ir.Never or type(b) is ir.Any:
            return a
        if type(b) is ir.Never or type(a) is ir.Any:
            return b
        if type(a) is ir.Refine:
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
            return ir.Never(f"{merge.type_of(a)} and {merge.type_of(b)} have no value in common", None, a.at)
        if type(a) is ir.Object and type(b) is ir.Object:
            self._work -= len(a.fields) + len(b.fields)
        return met()

    def _filter(self, values: ir.Literal, node: ir.Node) -> Raw:
        """The values that the node admits; it stays as an assertion where that is not sure."""
        self._work -= len(values.values)
        verdicts = [self._tester.test(v, node) for v in values.values]
        kept = [v for v, verdict in zip(values.values, verdicts, strict=True) if verdict is not False]
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
        implied = tuple([t for t in merge.ORDER if t in a.implied or t in b.implied])
        return build.typeless(options, implied, None, a.at)

    def _distribute(self, union: ir.Union, other: ir.Node, *, first: bool) -> Raw:
        """Put the other conjunct into every option."""
        keyword = "oneOf" if union.exclusive else "anyOf"
        width = len(other.options) if type(other) is ir.Union and not other.implied else 1
        if len(union.options) * width > MAX_PRODUCT * (1 if width > 1 else 64) or self._work < 0:
            return build.refine(other, [ir.Assertion(keyword, union.options, None, union.at)], None, union.at)
        met = [self._into(o, other, first=first) for o in union.options]
        if not union.exclusive:
            return build.union(met, None, union.at)
        if not any([type(m) is ir.Union and build.is_plain(m) for m in met]):
            return build.one_of(met, None, union.at)
        product = build.union(met, None, union.at)
        return build.refine(product, [ir.Assertion(keyword, union.options, None, union.at)], None, union.at)

    def _into(self, option: ir.Node, other: ir.Node, *, first: bool) -> ir.Node:
        """One option met with the other conjunct; a reference stays one where nothing is added."""
        head = self.head(option)
        if type(option) is ir.Ref and build.is_bare_kind(other) and merge.type_of(head) == merge.type_of(other):
            return option
        return self.meet(head, other) if first else self.meet(other, head)

    # children

    def child(self, raw: Raw) -> ir.Node:
        """The final node for a place below a head."""
        if type(raw) is And:
            return self._conjunction(raw)
        if type(raw) is ir.Ref:
            return ir.Never("the definition can hold nothing", raw.ann, raw.at) if raw.name in self._dead else raw
        if type(raw) in _LEAVES:
            return raw
        known = self._memo.get(id(raw))
        if known is None:
            known = self._memo[id(raw)] = (raw, self._finish(raw))
        return known[1]

    def _conjunction(self, raw: And) -> ir.Node:
        parts, ann = _flat(raw)
        node = build.conj(self._absorb(parts), raw.at)
        if type(node) is not And:
            return build.settled(build.with_ann(self.child(node), ann))
        key = self._key(node.parts)
        name = self._named.get(key)
        if name is not None:
            return ir.Ref(name, ann, raw.at)
        known = self._inline.get(key)
        if known is not None:
            return build.settled(build.with_ann(known[1], ann))
        names = [p.name for p in node.parts if type(p) is ir.Ref]
        if names or key in self._open or len(self._open) > MAX_INLINE:
            name = self._name(key, names, node)
            if key not in self._open:
                self._raw[name] = node
                self._queue.append(name)
            return ir.Ref(name, ann, raw.at)
        self._open.add(key)
        made = self._finish(self.head(node))
        self._open.remove(key)
        name = self._named.get(key)
        if name is not None:  # it came back to itself below
            self._raw[name] = node
            self._out[name] = made
            return ir.Ref(name, ann, raw.at)
        self._inline[key] = (node, made)
        return build.settled(build.with_ann(made, ann))

    def _absorb(self, parts: list[Raw]) -> list[Raw]:
        """The parts without those that only repeat the JSON type of another."""
        kept = list(parts)
        for part in parts:
            if type(part) is And or not build.is_bare_kind(part):
                continue
            name = merge.type_of(part)
            if any([other is not part and self._is_only(other, name, 12) for other in kept]):
                kept.remove(part)
        return kept

    def _is_only(self, raw: Raw, name: str | None, fuel: int) -> bool:
        """Whether every value of the node is plainly of that JSON type."""
        if fuel == 0:
            return False
        if type(raw) is ir.Ref:
            return self._is_only(self._raw[raw.name], name, fuel - 1)
        if type(raw) is And:
            return any([self._is_only(p, name, fuel - 1) for p in raw.parts])
        if type(raw) is ir.Union:
            return all([self._is_only(o, name, fuel - 1) for o in raw.options])
        if type(raw) is ir.Literal:
            return name is not None and all([has_type(v, name) for v in raw.values])
        return type(raw) is not ir.Any and merge.type_of(build.settled(raw)) == name

    def _name(self, key: frozenset[int | str], names: list[str], node: And) -> str:
        place = node.at
        while place is not None and (type(place[1]) is int or place[1] in _PLACES):
            place = place[0]
        if len(names) < 2 and place is not None:
            names = [*names, str(place[1])]
        name = self._named[key] = self._claim("_and_".join(names)[:64])
        return name

    def _key(self, parts: Sequence[Raw]) -> frozenset[int | str]:
        """The set of original parts: a definition that is a conjunction stands for its own parts."""
        found: set[int | str] = set()
        stack = list(parts)
        while stack and len(found) < MAX_ORIGINALS:
            part = stack.pop()
            if type(part) is not ir.Ref:
                found.add(id(part))
            elif part.name not in found:
                found.add(part.name)
                behind = self._raw[part.name]
                if type(behind) is And:
                    stack.extend(_flat(behind)[0])
        found.update([p.name if type(p) is ir.Ref else id(p) for p in stack])
        return frozenset([f for f in found if type(f) is int or type(self._raw[str(f)]) is not And or len(found) >= MAX_ORIGINALS])

    def _finish(self, n: ir.Node) -> ir.Node:
        """Normalise the children of a head; the same object when nothing changes."""
        if type(n) is ir.Object:
            return self._object(n)
        if type(n) is ir.List:
            items = self.child(n.items)
            return n if items is n.items else build.array(replace(n, items=items))
        if type(n) is ir.Tuple:
            prefix = tuple([self.child(p) for p in n.prefix])
            return build.array(replace(n, prefix=prefix, rest=self.child(n.rest)))
        if type(n) is ir.Union:
            return build.settled(self._options(n))
        if type(n) is ir.Refine:
            assertions = tuple([self._assertion(a) for a in n.assertions])
            return build.settled(build.refine(self.child(n.base), assertions, n.ann, n.at))
        return n

    def _assertion(self, a: ir.Assertion) -> ir.Assertion:
        nodes = tuple([self.child(node) for node in a.nodes])
        return a if all([x is y for x, y in zip(nodes, a.nodes, strict=True)]) else replace(a, nodes=nodes)

    def _options(self, n: ir.Union) -> Raw:
        options = [self.child(o) for o in n.options]
        if all([x is y for x, y in zip(options, n.options, strict=True)]):
            return n
        if n.implied:
            return build.typeless(options, n.implied, n.ann, n.at)
        return build.one_of(options, n.ann, n.at) if n.exclusive else build.union(options, n.ann, n.at)

    def _object(self, n: ir.Object) -> ir.Node:
        fields: list[ir.Field] = []
        changed = False
        for field in n.fields:
            node = self.child(field.node)
            if node is field.node:
                fields.append(field)
            else:
                changed = True
                fields.append(ir.Field(field.key, node, field.required))
        extras = self.child(n.extras)
        patterns = tuple([p if (node := self.child(p.node)) is p.node else ir.Pattern(p.regex, node) for p in n.patterns])
        names = None if n.names is None else self.child(n.names)
        if not changed and extras is n.extras and names is n.names and all([p is q for p, q in zip(patterns, n.patterns, strict=True)]):
            return build.obj(n)
        return build.obj(replace(n, fields=tuple(fields), extras=extras, patterns=patterns, names=names))


def _flat(raw: And) -> tuple[list[Raw], ir.Ann]:
    """The original parts of a conjunction, and the annotations around them."""
    parts: list[Raw] = []
    ann = raw.ann
    for part in raw.parts:
        if type(part) is And:
            inner, texts = _flat(part)
            parts.extend(inner)
            ann = build.join_ann(ann, texts)
        elif type(part) is ir.Ref and part.ann is not None:
            parts.append(build.bare(part))
            ann = build.join_ann(ann, part.ann)
        else:
            parts.append(part)
    return parts, ann
