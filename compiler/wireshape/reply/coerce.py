"""Fit a value to a schema without losing anything: JSON text where a container is due, "3" for an integer, padded keys.

Guided by the nodes of a schema, conceptual or wire. Only a part whose JSON type or constant the node does not admit is touched,
never one that already fits; nothing is rounded, dropped or made up, save null for a missing key that must be there and may be
null. What comes out is a proposal: the gate decides.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from wireshape import ir
from wireshape.ir import kind_of
from wireshape.plain_text import dump
from wireshape.relate import (
    ALL,
    ARRAY,
    BOOLEAN,
    INTEGER,
    NULL,
    NUMBER,
    OBJECT,
    STRING,
    type_bit,
)
from wireshape.reply import strict
from wireshape.reply.calls import Told
from wireshape.reply.fits import Shape
from wireshape.reply.numbers import is_rounded, number
from wireshape.reply.outcome import Edit, shown
from wireshape.reply.quirks.leaks import leaked
from wireshape.walk import json_equal

_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,4})?")
_TRUTH = {"true": True, "false": False, "True": True, "False": False}
_WRAPPERS = frozenset("value result output answer data response arguments parameters".split())
_SCHEMA_KEYS = frozenset(
    "type properties required additionalProperties title description $schema".split()
)
_WORK = 200_000


class Coercion(Shape):
    """Proposals for one schema; `edits` and `warnings` tell what the last proposal changed.

    >>> from wireshape.options import Options
    >>> from wireshape.read import read
    >>> graph = read({"properties": {"n": {"type": "integer"}}, "type": "object"}, Options()).graph
    >>> coercion = Coercion(graph.root, graph.defs)
    >>> coercion.propose({"n": "3"}), [(e.pointer, e.kind) for e in coercion.edits]
    ({'n': 3}, [('/n', 'coerced')])
    """

    def __init__(
        self, root: ir.Node, defs: Mapping[str, ir.Node], wrappers: frozenset[str] = frozenset()
    ) -> None:
        super().__init__(root, defs, _WORK)
        self._wrappers = _WRAPPERS | wrappers
        self._filling = True
        self.edits: list[Edit] = []
        self.doubts: list[str] = []

    def propose(self, value: Any, *, filling: bool = True) -> Any:
        """Return the value with every part that does not fit coerced where that loses nothing.

        Without `filling`, a missing key stays missing.
        """
        self.edits = []
        self._filling = filling
        self.fits.work = _WORK
        out = self._fit(value, self.root, None)
        if not self.edits or not self.fits.admits(self.root, out):
            inner = self._unwrapped(value)
            if inner is not None:
                return inner
        return out

    def typed(self, texts: Mapping[str, str], told: Mapping[str, Told]) -> dict[str, Any]:
        """Return an object of texts that have no types of their own, each as the type that its place asks for.

        See Note [Parameters]; `doubts` lists the keys of objects and arrays that may be meant as text, too.
        """
        self.edits, self.doubts = [], []
        self.fits.work = _WORK
        root = self.resolved(self.root)
        declared = {f.key: f.node for f in root.fields} if type(root) is ir.Object else {}
        return {
            key: self._typed_text(text, declared.get(key), key, told.get(key))
            for key, text in texts.items()
        }

    # Note [Parameters]: a call that has a tag for each parameter does not quote text, so `5` may be a number or text.
    # What the syntax itself says of a parameter counts. Else it is the first thing that its text spells and its place takes,
    # and text at last, as in llama.cpp, vLLM, SGLang and mlx-lm. Where text is taken, too, that must lose nothing: `1.10`
    # stays text, for 1.1 is not how it was written, and so does JSON that does not fit. Elements inside a parameter are an
    # object or a list by the template of the model; where text is taken, too, llama.cpp keeps the markup as text and others
    # do not, so neither is taken.

    def _typed_text(self, text: str, n: ir.Node | None, key: str, told: Told | None) -> Any:
        """Give a text the type that its place asks for; text where nothing else fits, or is asked for."""
        path = (None, key)
        types = ALL if n is None else self.relations.types(n)
        takes_text = types & STRING != 0 and types != ALL and told != "value"
        if told == "text" and types & STRING:
            return text if n is None else self._fit(text, n, path)
        stripped = text.strip()
        nothing = stripped == "None" and types & NULL and not types & STRING
        found = None if nothing else _scalar(stripped, types & ~STRING)
        if found is not _NOTHING and not (takes_text and text != dump(found)):
            return found
        if stripped[:1] in ("{", "[") and types & (OBJECT | ARRAY):
            try:
                inner = strict.load(stripped)
            except strict.NotStrict:
                return text
            if types & type_bit(inner):
                self.doubts += [key] if takes_text else []
                return inner if n is None else self._fit(inner, n, path)
        return text if n is None else self._fit(text, n, path)

    # wrappers

    def _unwrapped(self, value: Any) -> Any:
        """Return what a wrapper key holds, when that fits and the whole does not; `None` otherwise."""
        if kind_of(value) is not dict or self.fits.admits(self.root, value):
            return None
        key = next(iter(value), None)
        if (
            "properties" in value
            and value.keys() <= _SCHEMA_KEYS
            and kind_of(value["properties"]) is dict
        ):
            key = "properties"
        elif len(value) != 1 or key not in self._wrappers:
            return None
        before, self.edits = self.edits, []
        inner = self._fit(value[key], self.root, None)
        if inner is None or not self.fits.admits(self.root, inner):
            self.edits = before
            return None
        self.edits = [_edit(None, "unwrapped", key, ""), *self.edits]
        return inner

    # nodes

    def _fit(self, value: Any, n: ir.Node, path: ir.Path) -> Any:
        self.fits.work -= 1
        n = self.resolved(n)
        kind = type(n)
        if kind is ir.Any or kind is ir.Never or self.fits.work < 0:
            return value
        if type(n) is ir.Union:
            return self._union(value, n, path)
        if type(n) is ir.Literal:
            return self._literal(value, n, path)
        bit = type_bit(value)
        if not self.relations.types(n) & bit:
            value = self._retyped(value, self.relations.types(n), path)
            bit = type_bit(value)
        if bit == OBJECT and type(n) is ir.Object:
            return self._object(value, n, path)
        if bit == ARRAY and type(n) is ir.List:
            return self._items(value, [n.items] * len(value), path)
        if bit == ARRAY and type(n) is ir.Tuple:
            nodes = [*n.prefix, *[n.rest] * (len(value) - len(n.prefix))]
            return self._items(value, nodes[: len(value)], path)
        return value

    def _retyped(self, value: Any, types: int, path: ir.Path) -> Any:
        """Read text as a value of a JSON type that is due, if it is the text of one."""
        if kind_of(value) is not str:
            return value
        text = value.strip()
        if text[:1] in ("{", "[") and types & (OBJECT | ARRAY):
            try:
                inner = strict.load(text)
            except strict.NotStrict:
                return value
            if types & type_bit(inner):
                self.edits.append(_edit(path, "embedded-json", text, ""))
                return inner
            return value
        found = _scalar(value, types)
        if found is _NOTHING:
            return value
        self.edits.append(_edit(path, "coerced", value, dump(found)))
        return found

    def _literal(self, value: Any, n: ir.Literal, path: ir.Path) -> Any:
        if kind_of(value) is not str or any([json_equal(v, value) for v in n.values]):
            return value
        folded = value.strip().casefold()
        same = [v for v in n.values if kind_of(v) is str and v.casefold() == folded]
        if not same:
            found = _scalar(value, self.relations.types(n) & ~STRING)
            same = [v for v in n.values if found is not _NOTHING and json_equal(v, found)]
        if len(same) != 1:
            return value
        self.edits.append(_edit(path, "coerced", value, dump(same[0])))
        return same[0]

    def _union(self, value: Any, n: ir.Union, path: ir.Path) -> Any:
        """Coerce by the arms; taken only when one result comes of it."""
        if self.fits.admits(n, value):
            return value
        kept = self.edits
        found: list[tuple[Any, list[Edit]]] = []
        for option in n.options:
            self.edits = []
            out = self._fit(value, option, path)
            if self.fits.admits(option, out) and not any([json_equal(out, o) for o, _ in found]):
                found.append((out, self.edits))
        self.edits = kept
        if len(found) != 1:
            return value
        self.edits = [*kept, *found[0][1]]
        return found[0][0]

    def _object(self, value: dict[str, Any], n: ir.Object, path: ir.Path) -> Any:
        declared = {f.key: f for f in n.fields}
        out = self._keys(value, declared, path)
        for key, item in list(out.items()):
            field = declared.get(key)
            if field is not None:
                out[key] = self._fit(item, field.node, (path, key))
            elif not n.patterns:
                out[key] = self._fit(item, n.extras, (path, key))
        for field in n.fields:
            if field.required and field.key not in out:
                self._missing(out, field, declared, path)
        return (
            out
            if out.keys() != value.keys() or any([out[k] is not value[k] for k in out])
            else value
        )

    def _keys(
        self, value: dict[str, Any], declared: Mapping[str, ir.Field], path: ir.Path
    ) -> dict[str, Any]:
        """Take padding off undeclared keys, where that gives a declared key that is not there."""
        out: dict[str, Any] = {}
        for key, item in value.items():
            bare = key.strip()
            if key not in declared and bare in declared and bare not in value and bare not in out:
                self.edits.append(_edit((path, key), "padded-key", key, bare))
                key = bare  # noqa: PLW2901 (the key that is kept)
            out[key] = item
        return out

    def _missing(
        self, out: dict[str, Any], field: ir.Field, declared: Mapping[str, ir.Field], path: ir.Path
    ) -> None:
        """Find a required key that is not there: trapped in the text of another one, or null that was left out."""
        if not self._filling:
            return
        found = leaked(out, field.key, [k for k, f in declared.items() if f.required])
        if found is not None:
            host, before, text = found
            out[host], out[field.key] = before, self._fit(text, field.node, (path, field.key))
            self.edits.append(_edit((path, field.key), "xml-leak", text, ""))
        elif NULL & self.relations.types(field.node) != 0 and not self.is_any(field.node):
            out[field.key] = None
            self.edits.append(_edit((path, field.key), "filled-null", "", "null"))

    def _items(self, value: list[Any], nodes: list[ir.Node], path: ir.Path) -> Any:
        out = [
            self._fit(item, node, (path, i))
            for i, (item, node) in enumerate(zip(value, nodes, strict=True))
        ]
        return out if any([a is not b for a, b in zip(out, value, strict=True)]) else value


_NOTHING = object()


def _scalar(text: str, types: int) -> Any:
    """Return the scalar that a text spells exactly, of the types that are due; `_NOTHING` when there is none."""
    if types & BOOLEAN and text in _TRUTH:
        return _TRUTH[text]
    if types & NULL and text == "null":
        return None
    if types & INTEGER and len(text) <= strict.MAX_DIGITS and _INTEGER.fullmatch(text):
        return strict.integer(text)
    if types & NUMBER == NUMBER and len(text) < 64 and _NUMBER.fullmatch(text):
        value = number(text)
        return _NOTHING if abs(value) == float("inf") or is_rounded(text) else value
    return _NOTHING


def _edit(path: ir.Path, kind: str, before: str, after: str) -> Edit:
    return Edit(
        offset=None, pointer=ir.pointer(path), kind=kind, before=shown(before), after=shown(after)
    )
