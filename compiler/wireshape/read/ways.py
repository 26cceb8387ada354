"""Counts the ways in which a validator comes to schemas that speak about one value; it changes and refuses nothing.

A = {allOf: [B, B]}, B = {allOf: [C, C]}  ->  4 ways to C: a validator that follows each reference takes all of them,
so a few dozen such definitions stop it. The count is linear in the size of the schema.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from contextlib import suppress
from typing import TypeVar

from wireshape import ir
from wireshape.errors import SchemaError
from wireshape.read.drafts import REFERENCES, SPECS
from wireshape.read.json_copy import kind_of
from wireshape.read.refs import Resource, Store, subschemas

N = TypeVar("N")

_LISTS = ("allOf", "anyOf", "oneOf")
_ONES = ("not", "if", "then", "else")
_MAPS = ("dependentSchemas", "dependencies")


def ways_in_document(document: ir.Json, draft: str, registry: object = None) -> int:
    """Return the most ways to come to a value from any schema of a document that was read before.

    >>> ways_in_document({"allOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/A"}], "$defs": {"A": {"anyOf": [True, False]}}}, "2020-12")
    4
    """
    store = Store(registry)
    root = store.add(document, "", SPECS[draft], scan=True)
    follow = _Follow(store)
    stack: list[tuple[ir.Json, Resource]] = [(document, root)]
    starts: list[tuple[ir.Json, Resource]] = []
    while stack:
        schema, resource = stack.pop()
        if kind_of(schema) is dict:
            resource = store.subroots.get(id(schema), resource)
            starts.append((schema, resource))
            stack += [(sub, resource) for sub, _ in subschemas(schema, None, resource.spec)]
    return _most(starts, follow, lambda place: id(place[0]))


MOST_WAYS = 20_000
"""Ways that a validator can be let to take at each value."""
ENDLESS = 10**9
"""The ways where a schema leads back to itself at the same value, whose meaning JSON Schema leaves open."""
_FEWEST = 27  # as many parts, in threes, make 3 ** 9 ways


def is_tangled(
    document: ir.Json, draft: str, registry: object = None, parts: int | None = None
) -> bool:
    """Whether a validator should not be given the document as it is: more than `MOST_WAYS` lead to one value.

    `parts` counts the subschemas that may speak about the value of another, where that is known. Validators differ on a
    schema that leads back to itself at one value; the reader takes the least that satisfies it.

    >>> is_tangled({"anyOf": [{"type": "string"}, {"type": "null"}]}, "2020-12")
    False
    """
    few = parts is not None and parts < _FEWEST
    return not few and ways_in_document(document, draft, registry) > MOST_WAYS


class _Follow:
    """From a schema to those that speak about the same value."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def __call__(self, place: tuple[ir.Json, Resource]) -> list[tuple[ir.Json, Resource]]:
        schema, resource = place
        if kind_of(schema) is not dict:
            return []
        resource = self._store.subroots.get(id(schema), resource)
        found: list[ir.Json] = []
        for word in _LISTS:
            if kind_of(schema.get(word)) is list:
                found += schema[word]
        found += [schema[word] for word in _ONES if word in schema]
        for word in _MAPS:
            if kind_of(schema.get(word)) is dict:
                found += schema[word].values()
        out = [(sub, resource) for sub in found]
        for word in REFERENCES:
            if type(schema.get(word)) is str:
                with suppress(SchemaError):  # whoever judges says what does not resolve
                    target = self._store.resolve(schema[word], resource, None)
                    out.append((target.value, target.resource))
        return out


def ways_in_graph(graph: ir.Graph) -> int:
    """Return the most ways to come to a value from the root or a definition of a graph."""
    defs = graph.defs

    def follow(n: ir.Node) -> Iterable[ir.Node]:
        if type(n) is ir.Ref:
            return [defs[n.name]]
        if type(n) is ir.Union:
            return [o for o in n.options if type(o) in _THROUGH]
        if type(n) is ir.Refine:
            parts = [p for a in n.assertions if a.keyword in _IN_PLACE for p in a.nodes]
            return [p for p in (n.base, *parts) if type(p) in _THROUGH]
        return []

    starts = [n for n in (graph.root, *defs.values()) if type(n) in _THROUGH]
    return _most(starts, follow, id)


_THROUGH = frozenset({ir.Ref, ir.Union, ir.Refine})
_IN_PLACE = frozenset(
    {
        "not",
        "if",
        "anyOf",
        "oneOf",
        "allOf",
        "dependentSchemas",
        "unevaluatedProperties",
        "unevaluatedItems",
    }
)


def _most(
    starts: Iterable[N], follow: Callable[[N], Iterable[N]], key: Callable[[N], Hashable]
) -> int:
    """Count paths, each node once; a cycle has no end."""
    ways: dict[Hashable, int] = {}
    for start in starts:
        stack: list[tuple[N, list[N] | None]] = [(start, None)]
        while stack:
            node, onward = stack.pop()
            name = key(node)
            if onward is None:
                if ways.get(name) == 0:
                    return ENDLESS
                if name not in ways:
                    ways[name] = 0
                    onward = list(follow(node))
                    stack.append((node, onward))
                    stack += [(other, None) for other in onward]
            else:
                ways[name] = sum([ways[key(other)] for other in onward]) or 1
    return max(ways.values(), default=1)
