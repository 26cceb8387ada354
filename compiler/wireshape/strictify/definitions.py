"""Definitions in dependency order: a recursive group is lowered until its assumptions hold, or written out level by level.

Tree (recursive), row without recursion  ->  Tree, Tree_2, Tree_3, then JSON text     WS222
"""

from __future__ import annotations

from collections.abc import Mapping

from wireshape import ir
from wireshape.dialect import Dialect
from wireshape.errors import InexpressibleError
from wireshape.read.endless import endless
from wireshape.step import Step, is_alike
from wireshape.strictify.context import Ctx, Pending
from wireshape.strictify.weights import weight
from wireshape.walk import CONTAINERS, references

_ROUNDS = 8
_ROOM = 800_000  # weight of one definition, or of the root, with all that is written out in it
_VALUE_BYTES = 4  # what a value takes, spelled as briefly as can be
_LEVEL = 6_000  # weight of a level of recursion that is written out once more


def lower_definitions(root: ir.Node, ctx: Ctx) -> None:
    """Fill `ctx.wire` and `ctx.steps` for every definition that the root reaches."""
    edges = _edges(root, ctx)
    in_order = groups({name: [to for to, _ in out] for name, out in edges.items()})
    recursive = {
        group[0]: len(group) > 1 or any([to == group[0] for to, _ in edges[group[0]]])
        for group in in_order
    }
    if any(recursive.values()):  # nothing else can be without an end
        ctx.narrowing = not _narrows_to_nothing(ctx)
    for group in in_order:
        if not recursive[group[0]]:
            _settle(group[0], group[0], ctx)
        elif _may_recurse(group, edges, ctx):
            _fixpoint(group, ctx)
        else:
            _unroll(group, edges, ctx)


def _narrows_to_nothing(ctx: Ctx) -> bool:
    """Whether types that are not said and keys that are not declared are all that gives some definition an end."""
    typed = ctx.row.anything.typeless in ("type", "root")
    closed = ctx.row.objects.extras in ("false", "unsaid") and ctx.options.open_objects == "close"
    return (typed or closed) and bool(endless(ctx.defs, typed=typed, closed=closed))


def _edges(root: ir.Node, ctx: Ctx) -> Mapping[str, list[tuple[str, bool]]]:
    """What each definition refers to, of those that the root reaches; what is granted as JSON text leads nowhere."""
    texts = ctx.grant.text if ctx.grant is not None else None
    if not texts:
        return {name: references(node) for name, node in ctx.defs.items()}

    def ends(n: ir.Node) -> bool:
        return n.at is not None and n.at in texts and type(ctx.source.head(n)) in CONTAINERS

    edges: dict[str, list[tuple[str, bool]]] = {}
    stack = [to for to, _ in references(root, ends)]
    while stack:
        name = stack.pop()
        if name not in edges:
            edges[name] = references(ctx.defs[name], ends)
            stack += [to for to, _ in edges[name]]
    return {name: edges[name] for name in ctx.defs if name in edges}


def room_of(row: Dialect) -> int:
    """Values that one definition may spell with all that is written out in it: no more than a reader takes, or than the bytes of a declaration.

    >>> import wireshape as ws
    >>> room_of(ws.dialect("gemini-openapi")), room_of(ws.dialect("outlines-core"))
    (15000, 800000)
    """
    return _ROOM if row.limits.bytes is None else min(_ROOM, row.limits.bytes // _VALUE_BYTES)


def _settle(name: str, as_name: str, ctx: Ctx) -> None:
    ctx.room, ctx.hop = room_of(ctx.row), 0
    wire, ctx.steps[as_name] = ctx.lower(ctx.defs[name], ctx)
    ctx.wire[as_name], ctx.hops[as_name] = wire, ctx.hop + 1
    ctx.sizes[as_name] = 0 if ctx.row.refs.defs else weight(wire, ctx.weights)


def groups(edges: Mapping[str, list[str]]) -> list[list[str]]:
    """Strongly connected components, each after those that it refers to, members in order of first visit.

    >>> groups({"a": ["b"], "b": ["a", "c"], "c": []})
    [['c'], ['a', 'b']]
    """
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    waiting: set[str] = set()
    found: list[list[str]] = []
    for start in edges:
        if start in index:
            continue
        index[start] = low[start] = len(index)
        stack.append(start)
        waiting.add(start)
        work = [(start, iter(edges[start]))]
        while work:
            at, rest = work[-1]
            for to in rest:
                if to not in index:
                    index[to] = low[to] = len(index)
                    stack.append(to)
                    waiting.add(to)
                    work.append((to, iter(edges[to])))
                    break
                if to in waiting:
                    low[at] = min(low[at], index[to])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[at])
                if low[at] == index[at]:
                    members = [stack.pop()]
                    while members[-1] != at:
                        members.append(stack.pop())
                    members.reverse()
                    waiting.difference_update(members)
                    found.append(members)
    return found


def _may_recurse(group: list[str], edges: Mapping[str, list[tuple[str, bool]]], ctx: Ctx) -> bool:
    row = ctx.row.refs
    if not row.defs or row.recursion == "no":
        return False
    if row.recursion == "yes":
        return True
    members = set(group)
    hard = {
        name: [to for to, optional in edges[name] if to in members and not optional]
        for name in group
    }
    return all([len(g) == 1 and g[0] not in hard[g[0]] for g in groups(hard)])


def _fixpoint(group: list[str], ctx: Ctx) -> None:
    """Assume that nothing changes, lower, and repeat with what came out until it is what was assumed."""
    marks = len(ctx.notes), len(ctx.arms)
    members = set(group)
    for name in group:
        ctx.wire[name], ctx.steps[name] = ctx.defs[name], None
    for turn in range(_ROUNDS + 1):
        before = {
            name: (ctx.wire[name], ctx.steps[name], ctx.target.types(ctx.wire[name]))
            for name in group
        }
        loose = {name for name in group if name in ctx.sizes}
        ctx.consulted = bool(loose)
        ctx.tag_all = turn == _ROUNDS
        ctx.target.forget(members)
        del ctx.notes[marks[0] :]
        del ctx.arms[marks[1] :]
        ctx.room = room_of(ctx.row)
        notes: dict[str, list[Pending]] = {}
        for name in reversed(group):  # what is referred to comes before what refers to it, mostly
            mark = len(ctx.notes)
            types = ctx.target.types(ctx.wire[name])
            ctx.wire[name], ctx.steps[name] = ctx.lower(ctx.defs[name], ctx)
            notes[name] = ctx.notes[mark:]
            del ctx.notes[mark:]
            ctx.target.forget({name})
            if ctx.target.types(ctx.wire[name]) != types:
                ctx.target.forget(members)
        ctx.notes += [note for name in group for note in notes[name]]
        ctx.target.forget(members)
        _loosen(group, ctx)
        same = loose == {name for name in group if name in ctx.sizes}
        if (same and all([_holds(before[name], name, ctx) for name in group])) or ctx.tag_all:
            break
    ctx.tag_all = False


def _loosen(group: list[str], ctx: Ctx) -> None:
    """Let definitions that are recursive no more on the wire be written out where that is small."""
    members = set(group)
    inner = {name: [to for to, _ in references(ctx.wire[name]) if to in members] for name in group}
    for part in groups(inner):
        if len(part) == 1 and part[0] not in inner[part[0]]:
            ctx.sizes[part[0]] = _ROOM
        else:
            for name in part:
                ctx.sizes.pop(name, None)


def _holds(before: tuple[ir.Node, Step, int], name: str, ctx: Ctx) -> bool:
    wire, step, types = before
    if (step is None) != (ctx.steps[name] is None) or types != ctx.target.types(ctx.wire[name]):
        return False
    return not ctx.consulted or (wire == ctx.wire[name] and is_alike(step, ctx.steps[name]))


def _unroll(group: list[str], edges: Mapping[str, list[tuple[str, bool]]], ctx: Ctx) -> None:
    """Write the group out level by level, the deepest first; the level rises where a reference goes back."""
    first = ctx.defs[group[0]]
    if ctx.options.inexpressible == "raise":
        cycle = " -> ".join([*group, group[0]])
        message = f"{ctx.row.id} has no recursion (refs.recursion) and {cycle} refer to one another; bound the depth, or allow JSON text"
        raise InexpressibleError(message, code="WS222", pointer=ir.pointer(first.at))
    most = 1 if ctx.row.root.flat else ctx.options.unroll  # nothing deeper is flat
    if ctx.grant is not None and ctx.grant.unroll is not None:
        most = min(most, ctx.grant.unroll)
    order = {name: i for i, name in enumerate(group)}
    marks = len(ctx.notes), len(ctx.arms)
    for levels in range(max(1, most), 0, -1):
        del ctx.notes[marks[0] :]
        del ctx.arms[marks[1] :]
        ctx.note(
            "WS222", first, "$ref", names=", ".join(group), count=levels, field="refs.recursion"
        )
        for level in range(levels, 0, -1):
            for name in reversed(group):
                for to, _ in edges[name]:
                    if to in order:
                        on = level + (order[to] <= order[name])
                        ctx.names[to] = _level_name(to, on, ctx) if on <= levels else None
                as_name = _level_name(name, level, ctx)
                if level > 1:
                    ctx.further.add(as_name)
                ctx.target.forget({as_name})
                _settle(name, as_name, ctx)
        if ctx.row.refs.defs or levels == 1 or max([ctx.sizes[name] for name in group]) < _LEVEL:
            break
    for name in group:
        ctx.names[name] = name


def _level_name(name: str, level: int, ctx: Ctx) -> str:
    if level == 1:
        return name
    as_name = f"{name}_{level}"
    while as_name in ctx.defs:
        as_name += "_"
    return as_name
