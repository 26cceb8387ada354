"""Conditions on constants become alternatives, where the row lacks them and both say the same: one arm per case.

kind: a | b, if kind is a then x is required  ->  {kind: a, x} | {kind: b, x?}     WS240

A condition counts when it only looks at keys whose values the object lists. Every combination of such values is a cell,
in which each condition is decided; cells with the same consequences are one arm. Anything else stays an assertion.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import TypeAlias, final

from wireshape import ir
from wireshape.dialect import Dialect
from wireshape.read import build
from wireshape.read.graph import merge
from wireshape.read.values import Tester
from wireshape.walk import children, json_key

MAX_ARMS = 24
"""Alternatives of one object; with more, the assertion is told instead."""
_MAX_CELLS = 512
_ROOM = 1_000  # fields written out anew in all arms together
_ROUNDS = 6  # conditions inside the consequences of others
_FUEL = 64
_WORK = 20_000

Raw: TypeAlias = build.Raw
_Box: TypeAlias = "tuple[frozenset[int], ...]"
_Boxes: TypeAlias = "dict[_Box, frozenset[int]]"
"""Which consequences bind in a box: for each key a set of its choices."""
_ABSENT = object()


@final
class Case(str):
    """The last part of the place of a union that stands for the assertion `of`."""

    of: ir.Assertion


@dataclass(slots=True)
class _Rule:
    """One condition; what follows where it holds, and where not; and the keys that it looks at."""

    test: ir.Node
    then: int
    other: int
    keys: Sequence[str]


def placed(n: ir.Node) -> ir.Node:
    """The node at the place of the whole object, where it stands for an assertion."""
    return replace(n, at=n.at[0]) if n.at is not None and type(n.at[1]) is Case else n


def split(graph: ir.Graph, row: Dialect) -> ir.Graph:
    """Turn the conditions that the row lacks into unions; the same graph where there are none, or none can."""
    words = _wanted(row)
    for _ in range(_ROUNDS if words else 0):
        run = _Splitter(graph.defs, words)
        root, defs = run.change(graph.root), {k: run.change(n) for k, n in graph.defs.items()}
        if not run.split:
            break
        merged = merge(root, defs, _WORK)
        if merged is None:
            break
        graph = merged
    return graph


def _wanted(row: Dialect) -> frozenset[str]:
    """The assertions that the row cannot say, where it can say alternatives."""
    if row.unions.any_of != "yes":
        return frozenset()
    words = ["if"] if row.unions.conditional != "yes" else []
    if row.unions.dependent != "yes":
        words += ["dependentRequired", "dependentSchemas"]
    return frozenset(words)


class _Splitter:
    """One round over a graph; what an assertion holds is left alone, since it may be looked at in other ways."""

    def __init__(self, defs: Mapping[str, ir.Node], words: frozenset[str]) -> None:
        self._defs = defs
        self._words = words
        self._tester = Tester(defs.__getitem__)
        self._done: dict[int, ir.Node] = {}
        self._decided: dict[tuple[int, tuple[object, ...]], tuple[_Rule, bool | None]] = {}
        self._room = _ROOM
        self.split = False

    def change(self, n: ir.Node) -> ir.Node:
        """Return the node with unions of conjunctions in it, to be merged."""
        if not children(n):
            return n
        known = self._done.get(id(n))
        if known is None:
            known = self._done[id(n)] = self._rebuilt(n)
        return known

    def _rebuilt(self, n: ir.Node) -> ir.Node:
        if type(n) is ir.Refine:
            base = self.change(n.base)
            made = n if base is n.base else replace(n, base=base)
            return build.lazy(self._alternatives(made, n.base) or made)
        return _with_children(n, self.change)

    def _alternatives(self, n: ir.Refine, base: ir.Node) -> Raw | None:
        while type(base) is ir.Ref:
            base = self._defs[base.name]
        if type(base) is not ir.Object:
            return None
        rules: list[_Rule] = []
        axes: dict[str, list[object]] = {}
        boxes: _Boxes = {}
        ends: list[ir.Node] = [build.ANY]
        done: list[ir.Assertion] = []
        for a in n.assertions:
            more = self._rules(a, ends) if a.keyword in self._words else None
            wider = None if more is None else self._axes(axes, more, base)
            if more is None or wider is None:
                continue
            found = self._boxes(wider, [*rules, *more])
            if found is not None and len(found) <= MAX_ARMS:
                rules, axes, boxes = [*rules, *more], wider, found
                done.append(a)
        self._room -= len(boxes) * len(base.fields)
        if not done or self._room < 0:
            return None
        self.split = True
        arms = [
            build.conj(
                [build.bare(n.base), _narrowed(axes, box), *[ends[i] for i in sorted(bound)]], n.at
            )
            for box, bound in boxes.items()
        ]
        left = [a for a in n.assertions if a not in done]
        place = Case(done[0].keyword if done[0].at is None else done[0].at[1])
        place.of = done[0]
        union = build.union(arms, n.base.ann, (n.at, place))
        return build.refine(union, left, n.ann, n.at)

    def _rules(self, a: ir.Assertion, ends: list[ir.Node]) -> list[_Rule] | None:
        """The conditions of one assertion; None where one looks at more than keys. `ends` collects what follows."""
        if a.keyword == "if":
            keys = self._keys(a.nodes[0], _FUEL)
            test, then, other = a.nodes
            if keys is None:
                return None
            return [_Rule(test, _end(then, ends), _end(other, ends), keys)]
        names: list[str] = list(a.value)
        follow: Sequence[ir.Node] = a.nodes or [_given(needed) for needed in a.value.values()]
        return [
            _Rule(_given([key]), _end(then, ends), 0, [key])
            for key, then in zip(names, follow, strict=True)
        ]

    def _keys(self, n: ir.Node, fuel: int) -> list[str] | None:
        """The keys that a condition looks at; None where it looks at more."""
        if fuel == 0:
            return None
        if type(n) is ir.Ref:
            return self._keys(self._defs[n.name], fuel - 1)
        if type(n) is ir.Object:
            plain = ir.Object(n.fields, ir.Any(), open=n.open, ann=n.ann)
            return [f.key for f in n.fields] if n == plain else None
        if type(n) is ir.Union:
            return self._all_keys(n.options[-1:] if n.implied else n.options, fuel)
        if type(n) is ir.Refine:
            if any([a.keyword not in _BOOLEAN for a in n.assertions]):
                return None
            return self._all_keys([n.base, *[p for a in n.assertions for p in a.nodes]], fuel)
        return None if type(n) is ir.Literal else []

    def _all_keys(self, parts: Sequence[ir.Node], fuel: int) -> list[str] | None:
        keys: list[str] = []
        for part in parts:
            found = self._keys(part, fuel - 1)
            if found is None:
                return None
            keys += found
        return keys

    def _axes(
        self, axes: Mapping[str, list[object]], rules: list[_Rule], base: ir.Object
    ) -> dict[str, list[object]] | None:
        """For each key, what it may be: absent, or one of its values; None where those are not listed."""
        fields = {f.key: f for f in base.fields}
        out = dict(axes)
        cells = 1
        for key in dict.fromkeys([key for rule in rules for key in rule.keys]):
            field = fields.get(key)
            choices: list[object] = [] if field is not None and field.required else [_ABSENT]
            if field is not None and type(field.node) is not ir.Never:
                values = self._values(field.node, _FUEL)
                if values is None:
                    return None
                choices += values
            elif field is None and type(base.extras) is not ir.Never:
                return None
            out[key] = choices
        for choices in out.values():
            cells *= len(choices)
        return out if cells <= _MAX_CELLS else None

    def _values(self, n: ir.Node, fuel: int) -> list[object] | None:
        """Every value of a node, where it lists them."""
        if type(n) is ir.Literal:
            return list(n.values)
        if type(n) is ir.Boolean:
            return [False, True]
        if type(n) is ir.Null:
            return [None]
        if type(n) is ir.Ref and fuel:
            return self._values(self._defs[n.name], fuel - 1)
        if type(n) is not ir.Union or n.implied or not fuel:
            return None
        found: list[object] = []
        for option in n.options:
            values = self._values(option, fuel - 1)
            if values is None:
                return None
            found += values
        return found if len({json_key(v) for v in found}) == len(found) else None

    def _boxes(self, axes: Mapping[str, list[object]], rules: list[_Rule]) -> _Boxes | None:
        """The cells as boxes, those where the same follows put together key by key; None where one is not certain."""
        cells: _Boxes = {}
        for spot in product(*[range(len(choices)) for choices in axes.values()]):
            value = {
                key: choices[i]
                for (key, choices), i in zip(axes.items(), spot, strict=True)
                if choices[i] is not _ABSENT
            }
            decided = [self._verdict(value, rule) for rule in rules]
            if None in decided:
                return None
            follow = {r.then if v else r.other for r, v in zip(rules, decided, strict=True)}
            cells[tuple([frozenset([i]) for i in spot])] = frozenset(follow - {0})
        for axis in range(len(axes)):
            joined: dict[object, tuple[_Box, frozenset[int]]] = {}
            for box, bound in cells.items():
                key = (box[:axis], box[axis + 1 :], bound)
                known = joined.get(key)
                whole = box[axis] if known is None else known[0][axis] | box[axis]
                joined[key] = ((*box[:axis], whole, *box[axis + 1 :]), bound)
            cells = dict(joined.values())
        return cells

    def _verdict(self, value: dict[str, object], rule: _Rule) -> bool | None:
        seen = (id(rule), tuple([json_key(value[k]) if k in value else _ABSENT for k in rule.keys]))
        if seen not in self._decided:  # with the rule, so that no other one takes its identity
            self._decided[seen] = rule, self._tester.verdict(value, rule.test)
        return self._decided[seen][1]


_BOOLEAN = frozenset({"not", "anyOf", "oneOf", "allOf", "if"})


def _given(keys: Sequence[str]) -> ir.Object:
    return ir.Object(
        tuple([ir.Field(key, build.ANY, required=True) for key in keys]), build.ANY, open=True
    )


def _narrowed(axes: Mapping[str, list[object]], box: _Box) -> ir.Node:
    """What the keys are in one box."""
    fields: list[ir.Field] = []
    for (key, choices), spots in zip(axes.items(), box, strict=True):
        if len(spots) == len(choices):
            continue
        kept = [choices[i] for i in sorted(spots)]
        values = [v for v in kept if v is not _ABSENT]
        node: ir.Node = build.literal(values)
        if not values:
            node = ir.Never("absent in this case")
        elif len(values) == len([c for c in choices if c is not _ABSENT]):
            node = build.ANY
        fields.append(ir.Field(key, node, required=len(values) == len(kept)))
    return ir.Object(tuple(fields), build.ANY, open=True)


def _end(n: ir.Node, ends: list[ir.Node]) -> int:
    """The number of a consequence for objects; equal ones have the same."""
    if type(n) is ir.Union and n.implied and n.ann is None:
        n = n.options[-1]
    if build.is_bare_kind(n) and type(n) is ir.Object and n.ann is None:
        return 0
    if n not in ends:
        ends.append(n)
    return ends.index(n)


def _with_children(n: ir.Node, change: Callable[[ir.Node], ir.Node]) -> ir.Node:
    """The node with changed children, which may be lazy; the same object when none changes."""
    if type(n) is ir.Object:
        fields = tuple(
            [f if (m := change(f.node)) is f.node else replace(f, node=m) for f in n.fields]
        )
        rules = tuple(
            [p if (m := change(p.node)) is p.node else replace(p, node=m) for p in n.patterns]
        )
        extras = change(n.extras)
        if extras is n.extras and _same(fields, n.fields) and _same(rules, n.patterns):
            return n
        return replace(n, fields=fields, patterns=rules, extras=extras)
    if type(n) is ir.List:
        items = change(n.items)
        return n if items is n.items else replace(n, items=items)
    if type(n) is ir.Tuple:
        prefix, rest = tuple([change(p) for p in n.prefix]), change(n.rest)
        return (
            n
            if rest is n.rest and _same(prefix, n.prefix)
            else replace(n, prefix=prefix, rest=rest)
        )
    if type(n) is ir.Union:
        options = tuple([change(o) for o in n.options])
        return n if _same(options, n.options) else replace(n, options=options)
    return n


def _same(a: Sequence[object], b: Sequence[object]) -> bool:
    return all([x is y for x, y in zip(a, b, strict=True)])
