"""Names the rules behind what the wire tells in words or carries as JSON text, for the report; it decides nothing.

{type: string, minLength: 3, pattern: "^a"}  ->  ": minLength 3, pattern ^a"
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import filterfalse
from typing import TypeAlias

from wireshape import ir
from wireshape.strictify.describe import exact
from wireshape.walk import children

Tally: TypeAlias = "tuple[Counter[str], list[str]]"
"""How often a rule occurs in a definition, and the definitions that it refers to."""

_FEW = 8
_LONGEST = 60
_MOST = 20_000  # nodes of one definition
_MOST_NAMES = 200


@dataclass(slots=True)
class Known:
    """What was found before: in each definition, and behind the references of some nodes."""

    own: dict[str, Tally]
    behind: dict[tuple[str, ...], Counter[str]]


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules below `nodes`, through references; a text that is only made when it is read.

    >>> str(Rules([ir.String(3), ir.List(ir.String(3), max_items=2)], {}, Known({}, {})))
    ': minLength 3 (2 times), maxItems 2'
    """

    nodes: Sequence[ir.Node]
    defs: Mapping[str, ir.Node]
    known: Known

    def __str__(self) -> str:
        return _listed(self.nodes, self.defs, self.known)


def _listed(nodes: Sequence[ir.Node], defs: Mapping[str, ir.Node], known: Known) -> str:
    total, names = _own(nodes)
    key = tuple(names)
    if names and key not in known.behind:
        known.behind[key] = _behind(names, defs, known.own)
    for rule, count in known.behind[key].items() if names else ():
        total[rule] += count
    said = [rule if n == 1 else f"{rule} ({n} times)" for rule, n in list(total.items())[:_FEW]]
    more = total.total() - sum(list(total.values())[:_FEW])
    return (": " + ", ".join(said) if said else "") + (f" and {more} more" if more else "")


def _behind(names: list[str], defs: Mapping[str, ir.Node], known: dict[str, Tally]) -> Counter[str]:
    """The rules of the definitions with these names and of those that they refer to."""
    total: Counter[str] = Counter()
    names = list(names)
    seen: set[str] = set()
    while names and len(seen) < _MOST_NAMES:
        name = names.pop()
        if name not in seen:
            seen.add(name)
            if name not in known:
                known[name] = _own([defs[name]])
            own, more_names = known[name]
            for rule, count in own.items():
                total[rule] += count
            names.extend(filterfalse(seen.__contains__, more_names))
    return total


def _own(nodes: Sequence[ir.Node]) -> Tally:
    total: Counter[str] = Counter()
    names: list[str] = []
    stack = list(reversed(nodes))
    for _ in range(_MOST):
        if not stack:
            break
        n = stack.pop()
        if type(n) is ir.Ref:
            names.append(n.name)
            continue
        for keyword, operand in _rules(n):
            plain = isinstance(operand, str) and keyword != "const"
            text = operand if plain else exact(operand)
            total[f"{keyword} {text[:_LONGEST]}".rstrip()] += 1
        stack.extend(reversed(children(n)))
    return total, [*dict.fromkeys(reversed(names))][::-1]


def _rules(n: ir.Node) -> list[tuple[str, ir.Json]]:
    """The keywords of one node, each with its operand; empty where that is a schema."""
    found: list[tuple[str, ir.Json]] = []
    if type(n) is ir.String:
        found = [("minLength", n.min_length or None), ("maxLength", n.max_length)]
        found += [("pattern", p) for p in n.patterns]
        found += [("format", f) for f in n.formats]
    elif type(n) is ir.Number:
        found = [("minimum", n.minimum), ("maximum", n.maximum), ("multipleOf", n.multiple_of)]
        found.append(("exclusiveMinimum", n.exclusive_minimum))
        found.append(("exclusiveMaximum", n.exclusive_maximum))
    elif type(n) is ir.Literal:
        found = [("const", n.values[0]) if len(n.values) == 1 else ("enum", list(n.values))]
    elif type(n) is ir.List or type(n) is ir.Tuple:
        found = [("minItems", n.min_items or None), ("maxItems", n.max_items)]
        found.append(("uniqueItems", n.unique or None))
    elif type(n) is ir.Object:
        found = [("required", f.key) for f in n.fields if f.required]
        found += [("patternProperties", p.regex) for p in n.patterns]
        found.append(("propertyNames", None if n.names is None else ""))
        found.append(("additionalProperties", False if type(n.extras) is ir.Never else None))
        found.append(("minProperties", n.min_properties or None))
        found.append(("maxProperties", n.max_properties))
    elif type(n) is ir.Union and n.exclusive:
        found = [("oneOf", "")]
    elif type(n) is ir.Refine:
        found = [(a.keyword, "" if a.value is None else a.value) for a in n.assertions]
    return [rule for rule in found if rule[1] is not None or rule[0] in ("const", "enum")]
