"""Check the references of a wire schema: where they lead, what stands beside them, and which cycles they close."""

from __future__ import annotations

from collections.abc import Iterator

from wireshape.check_rules import ANNOTATIONS
from wireshape.check_texts import Finding
from wireshape.check_walk import Document, Edge, Schema, Site, follow, is_object, tokens_of
from wireshape.dialect import Dialect
from wireshape.ir import Json


class References:
    """Where the references of one document lead."""

    def __init__(self, wire: Json, d: Dialect, document: Document) -> None:
        self.wire, self.dialect, self.document = wire, d, document
        self.anchors = _anchors(document)
        self.edges: list[Edge] = []
        for i, site in enumerate(document.sites):
            goal = self.find(site.schema.get("$ref"))
            if is_object(goal) and id(goal) in document.numbers:
                self.edges.append(Edge(i, document.numbers[id(goal)], "same"))

    def find(self, ref: Json) -> Json:
        """Return what a `$ref` points at, `None` when nothing here."""
        if not isinstance(ref, str):
            return None
        if ref in self.anchors:
            return self.anchors[ref]
        if ref != "#" and not ref.startswith("#/"):
            return None
        return follow(self.wire, tokens_of(ref))

    def target(self, schema: Json) -> Json:
        """Follow the references of a schema; a loop of them ends at some member."""
        seen: set[int] = set()
        while is_object(schema) and "$ref" in schema and id(schema) not in seen:
            seen.add(id(schema))
            schema = self.find(schema["$ref"])
        return schema

    def rules(self, site: Site) -> Iterator[Finding]:
        """Yield what is wrong with the `$ref` of a node."""
        ref, refs, at = site.schema["$ref"], self.dialect.refs, (site.path, "$ref")
        goal = self.find(ref)
        here = isinstance(goal, bool) or (is_object(goal) and id(goal) in self.document.numbers)
        if not here:
            yield Finding(
                "WS409",
                "refs.pointers",
                "$ref",
                at,
                "the reference leads to no schema of this document",
                "define it under `$defs`",
            )
        elif ref == "#" and not refs.root:
            yield Finding(
                "WS409",
                "refs.root",
                "$ref",
                at,
                "the reference leads to the root",
                "define the root under `$defs`",
            )
        elif refs.pointers == "definitions" and ref != "#" and not _is_definition(ref):
            yield Finding(
                "WS409",
                "refs.pointers",
                "$ref",
                at,
                "the reference leads to no definition",
                "define it under `$defs`",
            )
        allowed = (
            self.dialect.keywords.annotations | ANNOTATIONS
            if refs.siblings == "annotations"
            else frozenset[str]()
        )
        others = [
            k
            for k in site.schema
            if k not in allowed and k != "definitions" and not k.startswith("$")
        ]
        if refs.siblings != "any" and others:
            yield Finding(
                "WS409",
                "refs.siblings",
                others[0],
                (site.path, others[0]),
                "keywords stand beside `$ref`",
                _SIBLING_FIXES[refs.sibling_fix],
            )

    def recursion(self) -> Iterator[Finding]:
        """Yield one finding for each cycle of references that the row refuses, or that has no value in between."""
        every, mode, count = (
            [*self.document.edges, *self.edges],
            self.dialect.refs.recursion,
            len(self.document.sites),
        )
        endless = components(count, [e for e in every if e.kind == "same"])
        yield from self._cycles(
            endless,
            "schema",
            "the schema refers to itself without a value in between",
            "break the cycle",
        )
        if mode == "no":
            rest = [
                e for e in every if endless[e.parent] < 0 or endless[e.parent] != endless[e.child]
            ]
            what, remedy = (
                "the schema is recursive",
                "write it out a few levels deep",
            )
        elif mode == "optional-only":
            rest = [
                e
                for e in every
                if e.kind != "optional" and (endless[e.parent] < 0 or e.kind == "value")
            ]
            what, remedy = (
                "the schema recurs outside an optional property",
                "make a property on the cycle optional",
            )
        else:
            return
        yield from self._cycles(components(count, rest), "refs.recursion", what, remedy)

    def _cycles(self, group: list[int], rule: str, what: str, remedy: str) -> Iterator[Finding]:
        told: set[int] = set()
        for e in self.edges:
            component = group[e.parent]
            if component >= 0 and component == group[e.child] and component not in told:
                told.add(component)
                yield Finding(
                    "WS410",
                    rule,
                    "$ref",
                    (self.document.sites[e.parent].path, "$ref"),
                    what,
                    remedy,
                )


_SIBLING_FIXES = {
    "wrap": "put the reference into an `anyOf` of one arm",
    "inline": "write the definition out in its place",
}


def _is_definition(ref: str) -> bool:
    parts = ref.split("/")
    return len(parts) == 3 and parts[0] == "#" and parts[1] in ("$defs", "definitions", "$def")


def _anchors(document: Document) -> dict[str, Schema]:
    """Map `#name`, `$id` and `$id#name` to their nodes."""
    found: dict[str, Schema] = {}
    base = ""
    for site in document.sites:
        name, anchor = site.schema.get("$id"), site.schema.get("$anchor")
        if isinstance(name, str):
            found.setdefault(name, site.schema)
            base = name if not site.role else base
        if isinstance(anchor, str):
            found.setdefault("#" + anchor, site.schema)
            found.setdefault(f"{base}#{anchor}", site.schema)
    return found


def components(count: int, edges: list[Edge]) -> list[int]:
    """Give each node the number of its cycle (a strongly connected component), -1 when it is on none.

    Tarjan's algorithm as a loop; linear in nodes and edges.

    >>> components(3, [Edge(0, 1, "value"), Edge(1, 2, "value"), Edge(2, 1, "value")])
    [-1, 1, 1]
    """
    children: list[list[int]] = [[] for _ in range(count)]
    loops: set[int] = set()
    for e in edges:
        children[e.parent].append(e.child)
        if e.parent == e.child:
            loops.add(e.parent)
    index, low, group = [-1] * count, [0] * count, [-1] * count
    pending: list[int] = []
    on, clock = bytearray(count), 0
    for root in range(count):
        entering = [root] if index[root] < 0 else []
        todo: list[tuple[int, Iterator[int]]] = []
        while entering or todo:
            if entering:
                node = entering.pop()
                index[node] = low[node] = clock
                clock += 1
                on[node] = 1
                pending.append(node)
                todo.append((node, iter(children[node])))
            node, rest = todo[-1]
            child = next(rest, -1)
            if child >= 0 and index[child] < 0:
                entering.append(child)
            elif child >= 0:
                low[node] = min(low[node], index[child]) if on[child] else low[node]
            else:
                todo.pop()
                if todo:
                    low[todo[-1][0]] = min(low[todo[-1][0]], low[node])
                if low[node] == index[node]:
                    _close(node, pending, on, group, loops)
    return group


def _close(node: int, pending: list[int], on: bytearray, group: list[int], loops: set[int]) -> None:
    """Take a finished component off the stack; a single node counts only when it points at itself."""
    members: list[int] = []
    while not members or members[-1] != node:
        members.append(pending.pop())
        on[members[-1]] = 0
    if len(members) > 1 or node in loops:
        for m in members:
            group[m] = node
