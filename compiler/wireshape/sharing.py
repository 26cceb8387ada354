"""Shares the limits of one request among its items: who stays strict, in which encoding, and why the others do not.

An item may be spelled more cheaply than its first compilation: optional fields can be sent as required and nullable, which
trades an optional for a union. What an item takes is counted on its compiled schema, so that it cannot differ from what is sent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from wireshape.allocate import Cost, Offer, allocate, room_for
from wireshape.analyze import usage
from wireshape.budget_spellings import Spelling
from wireshape.codes import CODES
from wireshape.compiled import Compiled
from wireshape.dialect import Dialect, resolve
from wireshape.errors import BudgetError, WireshapeError
from wireshape.grant import Excess, Grant
from wireshape.options import Options
from wireshape.pipeline import Lowering, lowering
from wireshape.plan_items import Carrier
from wireshape.plan_memory import Known, Made

_NO_SCHEMA = "tools-lenient"
"""The row for a schema that is not sent."""
_WORDS = {
    "optional_params": "the number of optional fields",
    "union_params": "the number of unions",
}
"""The limits for which an item may be respelled."""


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
        "properties": row.delivery.strict_properties,
    }
    return {rule: limit for rule, limit in shared.items() if limit is not None}


def taken(schema: Any, carrier: Carrier) -> dict[str, int]:
    """What a strict wire schema takes of them."""
    return {**usage(schema), "strict_tools": int(carrier == "tool")}


class _Choice(NamedTuple):
    """One way to spell an item, and what it takes; `spelling` is `None` for the way it is compiled alone."""

    cost: Cost
    spelling: Spelling | None = None


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
    choices = [_plain(made, item, limits) for made, item in zip(plain, items, strict=True)]
    demands = _demands(items, choices, limits)
    if any([one.total > one.limit for one in demands if one.rule in _WORDS]):
        choices = [_choices(made, one, limits) for made, one in zip(plain, choices, strict=True)]
    ask = [item.priority for item in items], [item.required for item in items]
    granted = _granted(choices, ask, limits)
    while not _settled(items, plain, choices, granted, _Way(row, options, limits, demands)):
        granted = _granted(choices, ask, limits)
    offers = _offers(choices, *ask)
    rooms = room_for(offers, tuple(limits.values()), granted)
    for item, offered, index, room in zip(items, choices, granted, rooms, strict=True):
        if index is None and offered:
            instead = None if room is None else items[room].name
            _refuse(item, _told(offered[0].cost, demands, instead))
    if row.delivery.strict_together:
        _together([item for item in items if item.carrier == "tool"])


def _together(tools: Sequence[Item]) -> None:
    """Where one flag is for all tools, one that is not strict makes the others follow."""
    loose = next((tool for tool in tools if tool.compiled is None), None)
    if loose is not None:
        why = f"all tools of a request are strict or none is, and {loose.name!r} is not"
        for tool in tools:
            if tool.compiled is not None:
                _refuse(tool, why)
                tool.compiled = None


def _offers(
    choices: Sequence[list[_Choice]], priorities: list[float], required: list[bool]
) -> tuple[Offer, ...]:
    return tuple(
        [
            Offer(tuple([choice.cost for choice in offered]), priority, must)
            for offered, priority, must in zip(choices, priorities, required, strict=True)
        ]
    )


def _granted(
    choices: Sequence[list[_Choice]], ask: tuple[list[float], list[bool]], limits: dict[str, int]
) -> tuple[int | None, ...]:
    """Which choice each item gets."""
    return tuple(allocate(_offers(choices, *ask), tuple(limits.values())))


class _Way(NamedTuple):
    """How items are compiled, and why some are respelled."""

    row: Dialect
    options: Options
    limits: dict[str, int]
    demands: Sequence[_Demand]


def _settled(
    items: Sequence[Item],
    plain: Sequence[Made | None],
    choices: Sequence[list[_Choice]],
    granted: Sequence[int | None],
    way: _Way,
) -> bool:
    """Compile every item as it was granted; a choice that takes other than foretold is corrected, or struck out."""
    settled = True
    for item, first, offered, index in zip(items, plain, choices, granted, strict=True):
        item.compiled = None
        if index is None or first is None:
            continue
        cost, spelling = offered[index]
        if spelling is None:
            item.compiled = first.compiled
            continue
        made = _respelled(item, first, spelling, way)
        if made.crude and not first.crude:
            del offered[index]
            settled = False
            continue
        takes = _cost(made, item, way.limits)
        if takes != cost:
            offered[index] = _Choice(takes, spelling)
            settled = False
        item.compiled = made.compiled
    if settled:
        for item, offered, index in zip(items, choices, granted, strict=True):
            _tell_spelling(item, None if index is None else offered[index].spelling, way.demands)
    return settled


def _tell_spelling(item: Item, spelling: Spelling | None, demands: Sequence[_Demand]) -> None:
    """Tell that an item is spelled otherwise than alone, and why."""
    if spelling is None:
        return
    ways: list[str] = []
    if spelling.nullable:
        count = len(spelling.nullable)
        ways.append(f"{count} optional fields are sent as null where they are absent")
    if spelling.entries:
        ways.append(f"those of {len(spelling.entries)} objects as entries")
    item.reasons.append(f"{', '.join(ways)}: {_pressing(demands).told}")


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
    schema, name, again = item.known.schema, item.name, _again(item, row, options)
    return item.known.made(
        row, None, lambda: Made(lowering(schema, row, name, None, options), again)
    )


def _again(item: Item, row: Dialect, options: Options) -> Callable[[Grant], Lowering]:
    """What compiles the item under a grant; it holds nothing of the item but what it needs."""
    schema, name = item.known.schema, item.name
    return lambda grant: lowering(schema, row, name, None, options, grant)


def _respelled(item: Item, first: Made, spelling: Spelling, way: _Way) -> Made:
    again = _again(item, way.row, way.options)
    worst = _pressing([one for one in way.demands if one.rule in _WORDS])
    why = Excess(worst.rule, f"{_WORDS[worst.rule]} of the request", worst.total, worst.limit)
    grant = spelling.grant(first.lowering.grant, why)
    return item.known.made(
        way.row,
        (spelling.nullable, spelling.entries, why),
        lambda: Made(again(grant), again),
    )


def _plain(made: Made | None, item: Item, limits: dict[str, int]) -> list[_Choice]:
    return [] if made is None else [_Choice(_cost(made, item, limits))]


def _cost(made: Made, item: Item, limits: dict[str, int]) -> Cost:
    """What an item takes of each limit."""
    used = {**made.used, "strict_tools": int(item.carrier == "tool")}
    return tuple([used[rule] for rule in limits])


def _choices(made: Made | None, plain: list[_Choice], limits: dict[str, int]) -> list[_Choice]:
    """The ways to spell an item, the plain one first."""
    if made is None or not plain:
        return plain
    cost = plain[0].cost
    key = (tuple(limits), cost)
    if key not in made.choices:
        made.choices[key] = [*plain, *_others(made, dict(zip(limits, cost, strict=True)))]
    return list(made.choices[key])


def _others(made: Made, cost: dict[str, int]) -> list[_Choice]:
    if not cost.get("optional_params", 0) and not cost.get("union_params", 0):
        return []
    found: list[_Choice] = []
    for one in made.spellings[1:]:
        takes = {**cost, "optional_params": one.optional, "union_params": one.union}
        found.append(_Choice(tuple([takes[rule] for rule in cost]), one))
    return found


def _refuse(item: Item, why: str) -> None:
    if item.required:
        message = CODES["WS302"].template.format(name=item.name, why=why)
        raise BudgetError(message, code="WS302")
    item.reasons.append(f"not strict: {why}")


class _Demand(NamedTuple):
    """What the items ask for of one limit, spelled as if each were alone."""

    rule: str
    limit: int
    total: int
    largest: str

    @property
    def told(self) -> str:
        """The limit, the count, and who takes most."""
        return (
            f"the request needs {self.total} of {self.limit} {self.rule}; largest: {self.largest}"
        )


def _demands(
    items: Sequence[Item], choices: Sequence[list[_Choice]], limits: dict[str, int]
) -> list[_Demand]:
    found: list[_Demand] = []
    for i, (rule, limit) in enumerate(limits.items()):
        asks = [(c[0].cost[i], item.name) for c, item in zip(choices, items, strict=True) if c]
        most = sorted(asks, key=lambda ask: -ask[0])[:3]
        largest = ", ".join([f"{name} ({amount})" for amount, name in most])
        found.append(_Demand(rule, limit, sum([amount for amount, _ in asks]), largest))
    return found


def _pressing(demands: Sequence[_Demand]) -> _Demand:
    """The limit that is exceeded most."""
    return max(demands, key=lambda one: (one.total > one.limit, one.total / (one.limit + 1)))


def _told(cost: Cost, demands: Sequence[_Demand], instead: str | None) -> str:
    """Why an item is not strict: a limit that it alone exceeds, else the one that is exceeded most; and what would help."""
    alone = [one for amount, one in zip(cost, demands, strict=True) if amount > one.limit]
    help_ = "split the request" if instead is None else f"it would be if {instead!r} were not"
    return f"{_pressing(alone or demands).told}; {help_}"
