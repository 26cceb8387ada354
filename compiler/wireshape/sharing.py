"""Shares the limits of one request among its items: who stays strict, in which encoding, and why the others do not.

An item may be spelled more cheaply than its first compilation: optional fields can be sent as required and nullable, which
trades an optional for a union. What an item takes is counted on its compiled schema, so that it cannot differ from what is sent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

from wireshape.allocate import Cost, Offer, allocate
from wireshape.analyze import usage
from wireshape.codes import CODES
from wireshape.compiled import Compiled
from wireshape.dialect import Dialect
from wireshape.errors import BudgetError, WireshapeError
from wireshape.options import Options
from wireshape.pipeline import compile  # noqa: A004 - the public verb
from wireshape.read import Schema

Carrier: TypeAlias = Literal["output", "tool", "prompt"]

_NO_SCHEMA = "tools-lenient"
"""The row for a schema that is not sent."""
_CRUDE = ("WS221", "WS222")
"""Notes of a schema that is partly JSON text."""


@dataclass(slots=True)
class Item:
    """One schema of a request while it is planned; `compiled` is the strict compilation once it is granted."""

    name: str
    description: str | None
    schema: Schema
    priority: float  # 0: never strict
    required: bool
    carrier: Carrier
    no_arguments: bool = False
    compiled: Compiled | None = None
    reasons: list[str] = field(default_factory=list[str])


def limits_of(row: Dialect) -> dict[str, int]:
    """The limits of a row that the strict items of a request share."""
    limits = row.limits
    shared = {
        "optional_params": limits.optional_params,
        "union_params": limits.union_params,
        "max_items_sum": limits.max_items_sum,
        "strict_tools": row.delivery.strict_tools,
    }
    return {rule: limit for rule, limit in shared.items() if limit is not None}


def taken(schema: Any, carrier: Carrier) -> dict[str, int]:
    """What a strict wire schema takes of them."""
    return {**usage(schema), "strict_tools": int(carrier == "tool")}


def share(items: Sequence[Item], row: Dialect, options: Options) -> None:
    """Grant strictness to the items that have it in the best plan; the others get a reason.

    Raises BudgetError, or the error of its schema, for a required item that cannot be strict.
    """
    if not row.strict:
        for item in items:
            _refuse(item, f"{row.id} is not strict")
        return
    limits = limits_of(row)
    plain = [_compiled(item, row, options) for item in items]
    spent = [_cost(c, item, limits) for c, item in zip(plain, items, strict=True)]
    choices = [_choices(cost, limits) for cost in spent]
    chosen = _granted(items, choices, limits)
    while not _settled(items, plain, choices, chosen, (row, options)):
        chosen = _granted(items, choices, limits)
    for item, index, cost in zip(items, chosen, spent, strict=True):
        if index is None and cost is not None:
            item.compiled = None
            _refuse(item, _told(cost, items, spent, limits))


def _granted(
    items: Sequence[Item], choices: Sequence[list[Cost]], limits: dict[str, int]
) -> list[int | None]:
    """Which choice each item gets."""
    if not limits:
        return [0 if offered else None for offered in choices]
    offers = [
        Offer(tuple(offered), item.priority, item.required)
        for item, offered in zip(items, choices, strict=True)
    ]
    return allocate(offers, tuple(limits.values()))


def _settled(
    items: Sequence[Item],
    plain: Sequence[Compiled | None],
    choices: Sequence[list[Cost]],
    chosen: Sequence[int | None],
    how: tuple[Dialect, Options],
) -> bool:
    """Compile every item as it was granted; a choice that turns out to be impossible is struck out."""
    settled = True
    for item, first, offered, index in zip(items, plain, choices, chosen, strict=True):
        if index is None:
            continue
        item.compiled = (
            first if index == 0 and first is not None else _within(item, offered[index], *how)
        )
        if item.compiled is None:
            del offered[index]
            settled = False
    return settled


def _compiled(item: Item, row: Dialect, options: Options) -> Compiled | None:
    """The strict compilation; `None`, with a reason, when it is not wanted or no better than none."""
    if item.priority <= 0 and not item.required:
        item.reasons.append("not strict, as asked")
        return None
    if item.carrier == "tool" and "tool" not in row.carriers:
        _refuse(item, f"{row.id} carries no tools")
        return None
    if item.no_arguments and not row.objects.empty:
        return compile(item.schema, _NO_SCHEMA, name=item.name, options=options)
    try:
        compiled = compile(item.schema, row, name=item.name, options=options)
    except WireshapeError as error:
        if item.required:
            raise
        item.reasons.append(f"not strict: {error}")
        return None
    crude = [note for note in compiled.report.notes if note.code in _CRUDE and not note.quiet]
    if crude and not item.required and row.delivery.relaxed and item.carrier == "tool":
        item.reasons.append(f"not strict: {crude[0].message}")
        return None
    return compiled


def _cost(compiled: Compiled | None, item: Item, limits: dict[str, int]) -> Cost | None:
    """What the plain spelling takes of each limit."""
    if compiled is None:
        return None
    used = taken(compiled.schema, item.carrier)
    return tuple([used[rule] for rule in limits])


def _choices(cost: Cost | None, limits: dict[str, int]) -> list[Cost]:
    """What the item can take, the plain spelling first; each further choice sends one more optional field as nullable."""
    if cost is None:
        return []
    if list(limits)[:2] != ["optional_params", "union_params"]:
        return [cost]
    optional, union, *rest = cost
    return [(optional - traded, union + traded, *rest) for traded in range(optional + 1)]


def _within(item: Item, cost: Cost, row: Dialect, options: Options) -> Compiled | None:
    """The compilation that takes no more than the cost, `None` when there is none as good."""
    optional, union = cost[:2]
    limits = replace(row.limits, optional_params=optional, union_params=union)
    compiled = compile(item.schema, replace(row, limits=limits), name=item.name, options=options)
    used = usage(compiled.schema)
    crude = any([note.code in _CRUDE and not note.quiet for note in compiled.report.notes])
    fits = used["optional_params"] <= optional and used["union_params"] <= union
    return compiled if fits and not crude else None


def _refuse(item: Item, why: str) -> None:
    if item.required:
        message = CODES["WS302"].template.format(name=item.name, why=why)
        raise BudgetError(message, code="WS302")
    item.reasons.append(f"not strict: {why}")


def _told(
    cost: Cost, items: Sequence[Item], spent: Sequence[Cost | None], limits: dict[str, int]
) -> str:
    """The limit that is asked for most, how much, and by whom."""
    asked = {
        rule: [(c[i], item.name) for c, item in zip(spent, items, strict=True) if c is not None]
        for i, rule in enumerate(limits)
    }
    totals = {rule: sum([amount for amount, _ in asks]) for rule, asks in asked.items()}
    own = dict(zip(limits, cost, strict=True))

    def pressing(rule: str) -> tuple[bool, float]:
        return own[rule] > limits[rule], totals[rule] / (limits[rule] + 1)

    over = [rule for rule, limit in limits.items() if totals[rule] > limit]
    worst = max(over or limits, key=pressing)
    most = sorted(asked[worst], key=lambda ask: -ask[0])[:3]
    largest = ", ".join([f"{name} ({amount})" for amount, name in most])
    return f"the request needs {totals[worst]} of {limits[worst]} {worst}; largest: {largest}"
