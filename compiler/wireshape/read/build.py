"""Small constructors that keep the invariants of the IR, and the lazy conjunction; they never look at a source."""

from __future__ import annotations

from math import ceil, floor
from typing import TYPE_CHECKING, TypeAlias, final

from wireshape import ir, walk
from wireshape.read.patterns import is_match
from wireshape.walk import json_key

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence


@final
@ir.node
class And:
    """All `parts` hold. Lives between the two phases of reading only."""

    parts: tuple[Raw, ...]
    ann: ir.Ann = None
    at: ir.Path = None


Raw: TypeAlias = "ir.Node | And"


def lazy(raw: Raw) -> ir.Node:
    """Let a conjunction stand where a node is declared; `normalise` removes every one."""
    return raw  # type: ignore[return-value]  # the one place where And passes for a node


def lazies(raws: Iterable[Raw]) -> tuple[ir.Node, ...]:
    """Let conjunctions stand where nodes are declared."""
    return tuple(raws)  # type: ignore[arg-type]  # as in `lazy`


ANY = ir.Any()
FEW = 8


def is_trivial(raw: Raw) -> bool:
    """Whether the node says nothing, not even a text."""
    return type(raw) is ir.Any and raw.ann is None


def conj(parts: Sequence[Raw], at: ir.Path = None) -> Raw:
    """Return the lazy conjunction of parts: flat, without repetitions and trivial parts."""
    if len(parts) == 1 and type(parts[0]) is not And:
        return parts[0] if parts[0].ann is not None or type(parts[0]) is not ir.Any else ANY
    flat: list[Raw] = []
    seen: set[int | str] = set()
    for part in parts:
        if type(part) is And and part.ann is None:
            for one in part.parts:
                key = _identity(one)
                if key not in seen:
                    seen.add(key)
                    flat.append(one)
        elif type(part) is ir.Never:
            return part
        elif type(part) is not ir.Any or part.ann is not None:
            key = _identity(part)
            if key not in seen:
                seen.add(key)
                flat.append(part)
    if not flat:
        return ANY
    return flat[0] if len(flat) == 1 else And(tuple(flat), at=at)


def _identity(raw: Raw) -> int | str:
    return raw.name if type(raw) is ir.Ref and raw.ann is None else id(raw)


def with_ann(raw: Raw, ann: ir.Ann) -> Raw:
    """Return the node with further annotations around its own."""
    if ann is None:
        return raw
    both = walk.joined(ann, raw.ann)
    if both is raw.ann:
        return raw
    return And(raw.parts, both, raw.at) if type(raw) is And else walk.with_ann(raw, both)


def bare(raw: Raw) -> Raw:
    """Return the node without annotations."""
    if raw.ann is None:
        return raw
    return And(raw.parts, None, raw.at) if type(raw) is And else walk.with_ann(raw, None)


def literal(values: Iterable[ir.Json], ann: ir.Ann = None, at: ir.Path = None) -> ir.Node:
    """Allow one of the values: distinct, and spelled as a kind where one says the same."""
    distinct: dict[Hashable, ir.Json] = {}
    for value in values:
        distinct.setdefault(json_key(value), value)
    kept = tuple(distinct.values())
    if not kept:
        return ir.Never("no value is allowed", ann, at)
    if len(kept) == 1 and kept[0] is None:
        return ir.Null(ann, at)
    if len(kept) == 2 and {id(kept[0]), id(kept[1])} == {id(True), id(False)}:
        return ir.Boolean(ann, at)
    return ir.Literal(kept, ann, at)


def union(options: Iterable[Raw], ann: ir.Ann = None, at: ir.Path = None) -> Raw:
    """Allow any of the options: flat, without impossible ones and repeated references."""
    flat: list[Raw] = []
    names: set[str] = set()
    for option in options:
        parts: Sequence[Raw] = (option,)
        if type(option) is ir.Union and is_plain(option) and option.ann is None:
            parts = option.options
        for part in parts:
            if type(part) is ir.Ref and part.ann is None:
                if part.name not in names:
                    names.add(part.name)
                    flat.append(part)
            elif type(part) is not ir.Never:
                flat.append(part)
    if len(flat) < 2:
        return with_ann(flat[0], ann) if flat else ir.Never("no alternative is possible", ann, at)
    values = _all_values(flat)
    if values is not None:
        return literal(values, ann, at)
    return ir.Union(lazies(flat), False, (), ann, at)


def one_of(options: Iterable[Raw], ann: ir.Ann = None, at: ir.Path = None) -> Raw:
    """Allow exactly one of the options, without impossible ones."""
    kept = [o for o in options if type(o) is not ir.Never]
    if len(kept) < 2:
        return with_ann(kept[0], ann) if kept else ir.Never("no alternative is possible", ann, at)
    values = _all_values(kept)
    if values is not None and len({json_key(v) for v in values}) == len(values):
        return literal(values, ann, at)
    return ir.Union(lazies(kept), True, (), ann, at)


def is_plain(node: ir.Union) -> bool:
    """Whether the union is an ordinary inclusive one, written as such."""
    return not node.exclusive and not node.implied


def _all_values(options: Sequence[Raw]) -> list[ir.Json] | None:
    values: list[ir.Json] = []
    for option in options:
        if type(option) is not ir.Literal or option.ann is not None:
            return None
        values.extend(option.values)
    return values


def refine(
    base: Raw, assertions: Iterable[ir.Assertion], ann: ir.Ann = None, at: ir.Path = None
) -> Raw:
    """Return the base with further assertions; trivial ones are dropped, impossible ones give `Never`."""
    kept: list[ir.Assertion] = []
    if type(base) is ir.Refine:
        ann = walk.joined(ann, base.ann)
        kept.extend(base.assertions)
        base = base.base
    for one in assertions:
        if one.keyword == "not":
            if type(one.nodes[0]) is ir.Any:
                return ir.Never("not: everything is excluded", ann, at)
            if type(one.nodes[0]) is ir.Never:
                continue
        if len(kept) > FEW or one not in kept:  # comparing many large assertions would be quadratic
            kept.append(one)
    if type(base) is ir.Never:
        return with_ann(base, ann)
    if not kept:
        return with_ann(base, ann)
    return ir.Refine(lazy(base), tuple(kept), ann, at)


def number(node: ir.Number) -> ir.Node:
    """Return the node, or `Never` when its bounds leave nothing."""
    low, high = node.minimum, node.maximum
    above, below = node.exclusive_minimum, node.exclusive_maximum
    if (low is None and above is None) or (high is None and below is None):
        return node
    lows = [ceil(low) if node.integer else low] if low is not None else []
    highs = [floor(high) if node.integer else high] if high is not None else []
    if node.integer:
        lows += [floor(above) + 1] if above is not None else []
        highs += [ceil(below) - 1] if below is not None else []
        empty = max(lows) > min(highs)
    else:
        least = max([b for b in (low, above) if b is not None])
        most = min([b for b in (high, below) if b is not None])
        empty = least > most or (least == most and (above == least or below == most))
    return ir.Never("the bounds leave no number", node.ann, node.at) if empty else node


def string(node: ir.String) -> ir.Node:
    """Return the node, or `Never` when its lengths leave nothing."""
    if node.max_length is not None and node.max_length < node.min_length:
        return ir.Never("the lengths leave no string", node.ann, node.at)
    return node


def array(node: ir.List | ir.Tuple) -> ir.Node:
    """Return the node, or `Never` when its lengths and items leave nothing."""
    if node.max_items is not None and node.max_items < node.min_items:
        return ir.Never("the lengths leave no array", node.ann, node.at)
    if node.min_items:
        if type(node) is ir.List:
            items: tuple[ir.Node, ...] = (node.items,)
        else:
            needed = node.prefix[: node.min_items]
            items = needed if node.min_items <= len(node.prefix) else (*needed, node.rest)
        if any([type(item) is ir.Never for item in items]):
            return ir.Never("a required item can hold nothing", node.ann, node.at)
    return node


def obj(node: ir.Object) -> ir.Node:
    """Return the node, or `Never` when a required property or the number of properties leaves nothing."""
    for field in node.fields:
        if type(field.node) is ir.Never and field.required:
            reason = f"required property {field.key!r} can hold nothing"
            return ir.Never(reason, node.ann, node.at)
    if node.max_properties is not None:
        needed = sum([field.required for field in node.fields])
        if node.max_properties < max(needed, node.min_properties):
            return ir.Never("the numbers of properties leave no object", node.ann, node.at)
    if (
        node.min_properties > len(node.fields)
        and type(node.extras) is ir.Never
        and not node.patterns
    ):
        return ir.Never("the numbers of properties leave no object", node.ann, node.at)
    return node


def matching(patterns: tuple[ir.Pattern, ...], key: str, at: ir.Path) -> list[ir.Pattern]:
    """List the pattern rules that bind a key."""
    return [p for p in patterns if is_match(p.regex, key, at)]


def matching_any(regexes: Iterable[str], key: str, at: ir.Path) -> bool:
    """Whether any of the regular expressions is found in the key."""
    return any([is_match(regex, key, at) for regex in regexes])


def settled(raw: Raw) -> ir.Node:
    """Return the node, known not to be a conjunction."""
    assert type(raw) is not And
    return raw


def typeless(
    options: list[ir.Node], implied: tuple[str, ...], ann: ir.Ann = None, at: ir.Path = None
) -> ir.Node:
    """Return the union of one option per JSON type; when one became impossible, no more than a plain union."""
    kept = tuple([o for o in options if type(o) is not ir.Never])
    if len(kept) == 6:
        return ir.Union(kept, implied=implied, ann=ann, at=at)
    return settled(union(kept, ann, at))


def is_bare_kind(node: ir.Node) -> bool:
    """Whether the node says a JSON type and nothing more."""
    if type(node) is ir.Object:
        said = node.fields or node.patterns or node.names or node.min_properties
        return not said and node.open and node.max_properties is None
    if type(node) is ir.List:
        said = node.min_items or node.unique or node.max_items is not None
        return not said and is_trivial(node.items)
    if type(node) is ir.String:
        return not (node.min_length or node.patterns or node.formats) and node.max_length is None
    return type(node) is ir.Null or type(node) is ir.Boolean


def is_free(node: ir.Node) -> bool:
    """Whether the node admits every value of its JSON type."""
    if type(node) is ir.Number:
        return node == ir.Number(node.integer) and not node.integer
    return is_bare_kind(node)


def untyped(node: ir.Object) -> ir.Node:
    """Say of objects what the node says, and nothing of other values."""
    at = node.at
    others = (
        ir.Null(None, at),
        ir.Boolean(None, at),
        ir.Number(at=at),
        ir.String(at=at),
        ir.List(ANY, at=at),
    )
    return ir.Union((*others, node), implied=("object",), at=at)
