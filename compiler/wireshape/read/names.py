"""`propertyNames` put to work: narrowed to what it says of strings, as keys are, and applied to the declared keys.

{properties: {a, b}, required: [a], propertyNames: {pattern: ^b}}  ->  Never, since `a` must be given and may not be
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from wireshape import ir
from wireshape.read import build

if TYPE_CHECKING:
    from wireshape.read.build import Raw
    from wireshape.read.values import Tester

_OTHER = frozenset({ir.Null, ir.Boolean, ir.Number, ir.List, ir.Tuple, ir.Object, ir.Never})
_STRING = 3  # the place of strings among the options of a schema without type


def of_keys(names: Raw) -> Raw | None:
    """Return what the node says of strings, or `None` where it says nothing; the same object where it is about strings only."""
    if type(names) is ir.String:
        return None if names.ann is None and build.is_bare_kind(names) else names
    if type(names) is ir.Any:
        return None
    if type(names) is ir.Literal:
        kept = tuple([v for v in names.values if type(v) is str])
        return names if len(kept) == len(names.values) else build.literal(kept, names.ann, names.at)
    if type(names) is ir.Union:
        return _alternatives(names)
    if type(names) is ir.Refine:
        base = of_keys(names.base)
        if base is names.base:
            return names
        return build.refine(base or build.ANY, names.assertions, names.ann, names.at)
    if type(names) in _OTHER:
        return ir.Never("no key is allowed", names.ann, names.at)
    return names


def _alternatives(names: ir.Union) -> Raw | None:
    if names.implied:
        return of_keys(build.with_ann(names.options[_STRING], names.ann))
    options = [of_keys(option) for option in names.options]
    if all([a is b for a, b in zip(options, names.options, strict=True)]):
        return names
    if names.exclusive:
        return build.one_of([o or ir.String() for o in options], names.ann, names.at)
    if None in options:
        return None
    return build.union([o for o in options if o is not None], names.ann, names.at)


def apply(n: ir.Object, tester: Tester) -> ir.Node:
    """Leave out the fields whose key the rule refuses; nothing is possible where such a field is required."""
    names = n.names
    if names is None:
        return n
    if type(names) is ir.Never:
        n = replace(
            n, extras=ir.Never("no key is allowed", None, names.at), patterns=(), open=False
        )
    if type(names) is ir.Literal and n.min_properties > len(names.values):
        return ir.Never("`propertyNames` leaves too few keys", n.ann, n.at)
    kept: list[ir.Field] = []
    for f in n.fields:
        if tester.verdict(f.key, names) is not False:
            kept.append(f)
        elif f.required:
            return ir.Never(
                f"required property {f.key!r} is refused by `propertyNames`", n.ann, n.at
            )
    if type(names) is ir.Never:
        return build.obj(replace(n, fields=(), names=None))
    return n if len(kept) == len(n.fields) else build.obj(replace(n, fields=tuple(kept)))
