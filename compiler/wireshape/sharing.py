"""Shares the limits of one request among its items: who stays strict, in which encoding, and why the others do not.

An item may be spelled more cheaply than its first compilation: optional fields can be sent as required and nullable, which
trades an optional for a union. What an item takes is counted on its compiled schema, so that it cannot differ from what is sent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from wireshape.allocate import Cost, Offer, allocate
from wireshape.analyze import usage
from wireshape.asked import Carrier
from wireshape.codes import CODES
from wireshape.compiled import Compiled
from wireshape.dialect import Dialect, resolve
from wireshape.errors import BudgetError, WireshapeError
from wireshape.memory import Known, Made
from wireshape.options import Options
from wireshape.pipeline import compile  # noqa: A004 - the public verb

_NO_SCHEMA = "tools-lenient"
"""The row for a schema that is not sent."""
_CRUDE = ("WS221", "WS222")
"""Notes of a schema that is partly JSON text."""


@dataclass(slots=True)
class Item:
    """One schema of a request while it is planned; `compiled` is the strict compilation once it is granted."""

    name: str
    description: str | None
    known: Known
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
    plain = [_strict(item, row, options) for item in items]
    spent = [_cost(made, item, limits) for made, item in zip(plain, items, strict=True)]
    choices = [_choices(cost, limits) for cost in spent]
    chosen = _granted(items, choices, limits)
    while not _settled(items, plain, choices, chosen, (row, options)):
        chosen = _granted(items, choices, limits)
    demands = _demands(items, spent, limits)
    for item, index, cost in zip(items, chosen, spent, strict=True):
        if index is None and cost is not None:
            item.compiled = None
            _refuse(item, _told(cost, demands))


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
    plain: Sequence[Made | None],
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
            first.compiled
            if index == 0 and first is not None
            else _within(item, offered[index], *how)
        )
        if item.compiled is None:
            del offered[index]
            settled = False
    return settled


def _strict(item: Item, row: Dialect, options: Options) -> Made | None:
    """The strict compilation; `None`, with a reason, when it is not wanted or no better than none."""
    if item.priority <= 0 and not item.required:
        item.reasons.append("not strict, as asked")
        return None
    if item.carrier == "tool" and "tool" not in row.carriers:
        _refuse(item, f"{row.id} carries no tools")
        return None
    if item.no_arguments and not row.objects.empty:
        return made_for(item, resolve(_NO_SCHEMA), options)
    try:
        made = made_for(item, row, options)
    except WireshapeError as error:
        if item.required:
            raise
        item.reasons.append(f"not strict: {error}")
        return None
    if made.crude and not item.required and row.delivery.relaxed and item.carrier == "tool":
        item.reasons.append(f"not strict: {made.crude.message}")
        return None
    return made


def made_for(item: Item, row: Dialect, options: Options) -> Made:
    """The item, compiled for a row as if it were alone."""
    known, name = item.known, item.name
    return known.made(
        row, None, lambda: _made(compile(known.schema, row, name=name, options=options))
    )


def _made(compiled: Compiled) -> Made:
    notes = compiled.report.notes
    crude = next((note for note in notes if note.code in _CRUDE and not note.quiet), None)
    return Made(compiled, usage(compiled.schema), crude)


def _cost(made: Made | None, item: Item, limits: dict[str, int]) -> Cost | None:
    """What the plain spelling takes of each limit."""
    if made is None:
        return None
    used = {**made.used, "strict_tools": int(item.carrier == "tool")}
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
    cheap = replace(row, limits=limits)
    known, name = item.known, item.name
    made = known.made(
        row,
        (optional, union),
        lambda: _made(compile(known.schema, cheap, name=name, options=options)),
    )
    fits = made.used["optional_params"] <= optional and made.used["union_params"] <= union
    return made.compiled if fits and not made.crude else None


def _refuse(item: Item, why: str) -> None:
    if item.required:
        message = CODES["WS302"].template.format(name=item.name, why=why)
        raise BudgetError(message, code="WS302")
    item.reasons.append(f"not strict: {why}")


class _Demand(NamedTuple):
    """What the items ask for of one limit."""

    rule: str
    limit: int
    total: int
    largest: str


def _demands(
    items: Sequence[Item], spent: Sequence[Cost | None], limits: dict[str, int]
) -> list[_Demand]:
    found: list[_Demand] = []
    for i, (rule, limit) in enumerate(limits.items()):
        asks = [(c[i], item.name) for c, item in zip(spent, items, strict=True) if c is not None]
        most = sorted(asks, key=lambda ask: -ask[0])[:3]
        largest = ", ".join([f"{name} ({amount})" for amount, name in most])
        found.append(_Demand(rule, limit, sum([amount for amount, _ in asks]), largest))
    return found


def _told(cost: Cost, demands: Sequence[_Demand]) -> str:
    """The limit that is asked for most, how much, and by whom; one that the item alone exceeds comes first."""

    def pressing(own: tuple[int, _Demand]) -> tuple[bool, bool, float]:
        amount, one = own
        return one.total > one.limit, amount > one.limit, one.total / (one.limit + 1)

    _, worst = max(zip(cost, demands, strict=True), key=pressing)
    return (
        f"the request needs {worst.total} of {worst.limit} {worst.rule}; largest: {worst.largest}"
    )
