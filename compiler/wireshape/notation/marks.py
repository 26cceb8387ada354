"""What annotations say: a bound or rule of the kind before them, a residual assertion, or a text; it builds no type.

string @min(3)   ->   min_length of the String        any @not(string)   ->   an assertion        T @title("x")   ->   a text
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from wireshape import ir
from wireshape.ir import kind_of
from wireshape.notation import tree
from wireshape.notation.faults import Fault, meaning
from wireshape.notation.words import FLAGS, SIMPLE
from wireshape.read.checks import is_pattern

ASSERTIONS: Final = frozenset(
    "not if anyOf oneOf allOf contains dependentSchemas unevaluatedProperties unevaluatedItems dependentRequired assert".split()
)
TEXTS: Final = frozenset(SIMPLE) | FLAGS | {"examples", "annotation", "format"}


class _Rule(NamedTuple):
    """A field of a kind that an annotation fills, and what it may hold."""

    field: str
    check: Callable[[tree.Mark], Any]
    many: bool = False


def _count(mark: tree.Mark) -> int:
    value = _one(mark, "a number: 0, 1, 2 ...")
    if type(value) is int and value >= 0:
        return value
    if type(value) is float and value.is_integer() and value >= 0:
        return int(value)
    raise _wrong(mark, "takes a whole number that is not negative")


def _number(mark: tree.Mark) -> int | float:
    value = _one(mark, "a number")
    if type(value) is int or type(value) is float:
        return value
    raise _wrong(mark, "takes a number")


def _step(mark: tree.Mark) -> int | float:
    value = _number(mark)
    if value <= 0:
        raise _wrong(mark, "takes a number above zero")
    return value


def _pattern(mark: tree.Mark) -> str:
    value = _text(mark)
    if not is_pattern(value):
        msg = f"{value!r:.60} is no regular expression of ECMA-262"
        raise meaning(msg, mark.start)
    return value


def _text(mark: tree.Mark) -> str:
    value = _one(mark, "a string")
    if type(value) is str:
        return value
    raise _wrong(mark, "takes a string")


def _flag(mark: tree.Mark) -> bool:
    if mark.called:
        raise _wrong(mark, "stands alone, without parentheses")
    return True


def _one(mark: tree.Mark, what: str) -> ir.Json:
    if len(mark.values) != 1:
        raise _wrong(mark, f"takes {what} in parentheses, one and no more")
    return mark.values[0]


def _wrong(mark: tree.Mark, what: str) -> Fault:
    return meaning(f"`@{mark.name}` {what}", mark.start)


_LISTS: Final = {
    "min": _Rule("min_items", _count),
    "max": _Rule("max_items", _count),
    "unique": _Rule("unique", _flag),
}
_RULES: Final[Mapping[type, Mapping[str, _Rule]]] = {
    ir.String: {
        "min": _Rule("min_length", _count),
        "max": _Rule("max_length", _count),
        "pattern": _Rule("patterns", _pattern, many=True),
        "format": _Rule("formats", _text, many=True),
    },
    ir.Number: {
        "min": _Rule("minimum", _number),
        "max": _Rule("maximum", _number),
        "above": _Rule("exclusive_minimum", _number),
        "below": _Rule("exclusive_maximum", _number),
        "multipleOf": _Rule("multiple_of", _step),
    },
    ir.List: _LISTS,
    ir.Tuple: _LISTS,
    ir.Object: {
        "min": _Rule("min_properties", _count),
        "max": _Rule("max_properties", _count),
        "open": _Rule("open", _flag),
    },
    ir.Never: {"because": _Rule("reason", _text)},
}
"""The annotations that each kind takes."""

_CALLED: Final[Mapping[type, str]] = {
    ir.String: "a string",
    ir.Number: "a number",
    ir.List: "an array",
    ir.Tuple: "a tuple",
    ir.Object: "an object",
    ir.Never: "never",
    ir.Ref: "a named type",
    ir.Union: "a union",
    ir.Literal: "a constant",
    ir.Boolean: "a boolean",
    ir.Null: "null",
    ir.Any: "any",
}


def is_own(kind: type, mark: tree.Mark, formats: frozenset[str]) -> bool:
    """Whether an annotation is a rule of the kind itself; a format that is not known is a text."""
    if mark.name not in _RULES.get(kind, ()):
        return False
    return mark.name != "format" or (len(mark.values) == 1 and mark.values[0] in _strings(formats))


def _strings(formats: frozenset[str]) -> frozenset[ir.Json]:
    return formats


def filled(kind: type, marks: Sequence[tree.Mark]) -> dict[str, Any]:
    """Return the fields of a kind that annotations fill."""
    found: dict[str, Any] = {}
    for mark in marks:
        rule = _RULES[kind][mark.name]
        value = rule.check(mark)
        if rule.many:
            found[rule.field] = (*found.get(rule.field, ()), value)
        elif rule.field in found:
            raise _wrong(mark, "is given twice")
        else:
            found[rule.field] = value
    return found


def misplaced(kind: type, mark: tree.Mark, *, grouped: bool) -> Fault:
    """Say why an annotation cannot stand where it does."""
    takers = [k for k, rules in _RULES.items() if mark.name in rules and k is not ir.Tuple]
    if mark.name == "keys" or mark.name == "exclusive":
        takers = [ir.Object] if mark.name == "keys" else [ir.Union]
    if not takers:
        return meaning(f"no annotation is called `@{mark.name}`", mark.start)
    whom = " or ".join([_CALLED[k] for k in takers])
    if grouped and kind in takers:
        return _wrong(mark, "belongs inside the parentheses, behind the type that it binds")
    if kind is ir.Union and mark.name == "exclusive":
        return _wrong(mark, "stands behind a union in parentheses: (A | B) @exclusive")
    return _wrong(mark, f"binds {whom}, and this is {_CALLED.get(kind, 'no such type')}")


def text(mark: tree.Mark) -> tuple[str, ir.Json]:
    """Return the annotation keyword and its value that a mark says."""
    name = mark.name
    if name == "annotation":
        if len(mark.values) != 2 or type(mark.values[0]) is not str:
            raise _wrong(mark, 'takes a keyword and a value: @annotation("keyword", value)')
        return mark.values[0], mark.values[1]
    if name == "examples":
        return name, list(mark.values)
    if name in FLAGS:
        return name, _one(mark, "true or false") if mark.called else True
    if name == "title" or name == "description" or name == "format":
        return name, _text(mark)
    return SIMPLE[name], _one(mark, "a value")


def residual(mark: tree.Mark, nodes: Sequence[ir.Node], at: ir.Path) -> ir.Assertion:
    """Return the assertion that a mark says, of the nodes of its arguments."""
    name = mark.name
    if name == "assert":
        return _spoken(mark, at)
    here: ir.Path = (at, name)
    if name == "dependentRequired":
        value = _one(mark, "an object")
        if kind_of(value) is not dict or not all([_is_keys(v) for v in value.values()]):
            raise _wrong(mark, 'takes lists of keys: @dependentRequired({"a": ["b"]})')
        return ir.Assertion(name, (), value, here)
    labels = [a.label for a in mark.types]
    if name == "dependentSchemas":
        if None in labels or len(set(labels)) < len(labels) or not labels:
            raise _wrong(mark, "takes a type per key: @dependentSchemas(key: T)")
        return ir.Assertion(name, tuple(nodes), labels, here)
    if name == "if":
        return _condition(mark, nodes, here)
    if name == "contains":
        return _contains(mark, nodes, here)
    least, most = _ARGUMENTS[name]
    if any(labels) or len(nodes) < least or (most is not None and len(nodes) > most):
        raise _wrong(mark, "takes one type" if most == 1 else f"takes {least} or more types")
    return ir.Assertion(name, tuple(nodes), None, here)


_ARGUMENTS: Final[Mapping[str, tuple[int, int | None]]] = {
    "not": (1, 1),
    "anyOf": (1, None),
    "oneOf": (1, None),
    "allOf": (1, None),
    "unevaluatedProperties": (2, None),
    "unevaluatedItems": (2, None),
}


def _is_keys(value: ir.Json) -> bool:
    return (
        kind_of(value) is list
        and all([type(v) is str for v in value])
        and len(set(value)) == len(value)
    )


def _spoken(mark: tree.Mark, at: ir.Path) -> ir.Assertion:
    if len(mark.values) != 2 or mark.values[0] not in ("multipleOf", "pattern", "format"):
        raise _wrong(mark, 'takes "multipleOf", "pattern" or "format", and its operand')
    word, operand = mark.values
    check = {"multipleOf": _step, "pattern": _pattern, "format": _text}[word]
    check(tree.Mark(word, (operand,), (), called=True, start=mark.start))
    return ir.Assertion(word, (), operand, at)


def _condition(mark: tree.Mark, nodes: Sequence[ir.Node], at: ir.Path) -> ir.Assertion:
    labels = [a.label for a in mark.types]
    if labels not in ([None], [None, "then"], [None, "else"], [None, "then", "else"]):
        raise _wrong(mark, "takes a condition and what follows: @if(C, then: T, else: E)")
    said = dict(zip(labels, nodes, strict=True))
    branches = [said.get(word, ir.Any()) for word in ("then", "else")]
    return ir.Assertion("if", (nodes[0], *branches), None, at)


_BOUNDS: Final = {"min": "minContains", "max": "maxContains"}


def _contains(mark: tree.Mark, nodes: Sequence[ir.Node], at: ir.Path) -> ir.Assertion:
    labels = [a.label for a in mark.types]
    bounds: dict[str, int] = {}
    for argument in mark.types[1:]:
        word, value = argument.label, argument.type
        if word not in _BOUNDS or type(value) is not tree.Value or _BOUNDS[word] in bounds:
            raise _wrong(mark, "takes a type, then bounds: @contains(T, min: 1, max: 3)")
        asked = tree.Mark(f"contains({word})", (value.value,), (), called=True, start=value.start)
        bounds[_BOUNDS[word]] = _count(asked)
    if not labels or labels[0] is not None:
        raise _wrong(mark, "takes a type, then bounds: @contains(T, min: 1, max: 3)")
    return ir.Assertion("contains", (nodes[0],), bounds, at)
