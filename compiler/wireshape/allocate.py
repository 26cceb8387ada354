"""Which items of a request are granted what they ask for, when limits are shared: solved exactly; it knows no schemas.

An item offers choices, each with a cost per limit (`Offer`). At most one choice of each item is granted, no limit is
exceeded, and the result is the best of all such: every required item first, then the largest sum of priorities, then the
most items, then the items that are declared first, each with its first choice.

It is a knapsack with several limits, solved item by item over the capacities that can be left; see Note [Prices].

Note [Prices]: give each limit a price. What is left to decide cannot bring more than the price of the capacity that is left,
plus, for each later item, its weight beyond the price of its best choice: one sum per position, whatever was decided before.
A capacity from which that does not reach what is surely possible is dropped. Good prices leave few; any prices keep the best.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from math import gcd, lcm
from operator import itemgetter
from typing import NamedTuple, TypeAlias

Cost: TypeAlias = tuple[int, ...]
"""What a choice takes of each limit, in the order of the capacities."""

_ROUNDS = 60  # in which prices get better
_STUCK = 3  # rounds without progress before the steps get smaller
_FINE = 64  # bits of a price


class Offer(NamedTuple):
    """What one item asks for: `choices` in order of preference, none when nothing can be granted to it."""

    choices: tuple[Cost, ...]
    priority: float = 1.0
    required: bool = False


def allocate(offers: Sequence[Offer], capacity: Cost) -> list[int | None]:
    """Return the index of the choice that each item is granted, or `None`.

    >>> allocate([Offer(((3,), (1,))), Offer(((2,),)), Offer(((2,),))], (5,))
    [1, 0, 0]
    >>> allocate([Offer(((3,),)), Offer(((2,),)), Offer(((2,),), priority=5)], (4,))
    [None, 0, 0]
    """
    return list(_allocated(tuple(offers), capacity))


@lru_cache(maxsize=64)
def _allocated(offers: tuple[Offer, ...], capacity: Cost) -> tuple[int | None, ...]:
    firsts = [offer.choices[0] for offer in offers if offer.choices]
    if _fits([sum(takes) for takes in zip(*firsts, strict=True)], capacity):
        return tuple([0 if offer.choices else None for offer in offers])
    items = _items(offers, capacity)
    prices, floor = _prices(items, capacity)
    problem = _priced(items, capacity, prices)
    least = floor + max(gcd(*[item.weight for item in items]), 1)
    most = problem.start + problem.later[0]
    for aim in (most - (most - least) // 8, most - (most - least) // 3, least):  # few reach much
        granted = _best(problem, aim)
        if granted is not None:
            return granted
    return _first(problem, floor)


@lru_cache(maxsize=64)
def room_for(
    offers: tuple[Offer, ...], capacity: Cost, granted: tuple[int | None, ...]
) -> tuple[int | None, ...]:
    """For each item that is granted nothing, another one without which it could be granted something; the least missed.

    >>> room_for((Offer(((2,),)), Offer(((2,),)), Offer(((9,),))), (3,), (0, None, None))
    (None, 0, None)
    """
    costs = [None if i is None else o.choices[i] for o, i in zip(offers, granted, strict=True)]
    left = capacity
    for taken in costs:
        if taken is not None:
            left = tuple([have - take for have, take in zip(left, taken, strict=True)])
    freed: dict[Cost, int] = {}
    for i in sorted(range(len(offers)), key=lambda i: (offers[i].priority, -i)):
        cost = costs[i]
        if cost is not None and not offers[i].required:
            freed.setdefault(tuple([a + b for a, b in zip(left, cost, strict=True)]), i)
    known: dict[tuple[Cost, ...], int | None] = {}
    for offer, index in zip(offers, granted, strict=True):
        if index is None and offer.choices not in known:
            rooms = [i for room, i in freed.items() if any([_fits(c, room) for c in offer.choices])]
            known[offer.choices] = rooms[0] if rooms else None
    return tuple(
        [
            known[offer.choices] if index is None else None
            for offer, index in zip(offers, granted, strict=True)
        ]
    )


def _fits(cost: Sequence[int], capacity: Cost) -> bool:
    return all([take <= have for take, have in zip(cost, capacity, strict=False)])


class _Item(NamedTuple):
    """The best allocation is the one with the largest sum of weights; what is forced has to be in it."""

    weight: int
    choices: list[tuple[int, Cost]]  # those that fit at all, by their index
    forced: bool


def _items(offers: Sequence[Offer], capacity: Cost) -> list[_Item]:
    """Turn the aims into whole numbers: one more item counts less than any priority.

    Required items that fit together are forced; where they do not, each counts more than all priorities.
    """
    required = [offer._replace(required=False, priority=1.0) for offer in offers if offer.required]
    forced = bool(required) and None not in _allocated(tuple(required), capacity)
    exact = [Fraction(0 if offer.required else max(offer.priority, 0)) for offer in offers]
    scale = lcm(*[p.denominator for p in exact]) * (len(offers) + 1)
    weights = [int(p * scale) + 1 for p in exact]
    more = sum(weights) + 1
    return [
        _Item(
            0 if forced and offer.required else weight + more * offer.required,
            [(i, cost) for i, cost in enumerate(offer.choices) if _fits(cost, capacity)],
            forced and offer.required,
        )
        for weight, offer in zip(weights, offers, strict=True)
    ]


def _prices(items: Sequence[_Item], capacity: Cost) -> tuple[list[int], int]:
    """What one unit of each limit is worth, so that the bound is low, and a total that can be had.

    Each round asks every item for its best choice at the prices, and makes dearer what is asked for too much. Granted by what
    they are worth beyond their price while there is room, the same choices are an allocation.
    """
    top = max([item.weight for item in items]) or 1
    rows = [(i.weight / top, i, [cost for _, cost in i.choices]) for i in items if i.choices]
    price = best = [0.0] * len(capacity)
    lowest, floor, step, stuck = float("inf"), 0, 1.0, 0
    slope = slack = list(capacity)
    for _ in range(_ROUNDS):
        bound = sum([p * have for p, have in zip(price, capacity, strict=True)])
        asked = [(*_dearest(share, costs, price), item) for share, item, costs in rows]
        asked.sort(key=lambda one: (one[2].forced, one[0]), reverse=True)
        slack, left, total = list(capacity), capacity, 0
        for gain, cost, item in asked:
            if gain > 0 or item.forced:
                bound += gain
                slack = [have - take for have, take in zip(slack, cost, strict=True)]
            if _fits(cost, left):
                left = tuple([have - take for have, take in zip(left, cost, strict=True)])
                total += item.weight
            elif item.forced:  # no allocation, so nothing more is to fit
                total, left = 0, (-1, *left[1:])
        floor = max(floor, total)
        stuck = 0 if bound < lowest * (1 - 1e-4) else stuck + 1
        if bound < lowest:
            best, lowest, slope = price, bound, slack
        if stuck == _STUCK:
            price, slack, step, stuck = best, slope, step / 2, 0
        far = lowest - floor / top
        norm = sum([s * s for s, p in zip(slack, price, strict=True) if p or s < 0])
        if far <= 0 or not norm:
            break
        price = [max(0.0, p - step * far / norm * s) for p, s in zip(price, slack, strict=True)]
    return [int(p * (1 << _FINE)) * top >> _FINE for p in best], floor


def _dearest(share: float, costs: list[Cost], price: list[float]) -> tuple[float, Cost]:
    """The choice that is worth most beyond its price."""
    least, best = float("inf"), costs[0]
    for cost in costs:
        total = 0.0
        for p, take in zip(price, cost, strict=True):
            total += p * take
        if total < least:
            least, best = total, cost
    return share - least, best


class _Problem(NamedTuple):
    """The items with packed costs: each limit under a guard bit that a subtraction clears when it takes too much."""

    capacity: int
    guards: int
    choices: list[list[tuple[int, int, int]]]  # index, packed cost, weight beyond its price
    forced: list[bool]
    later: list[int]  # what the items from a position on can bring beyond their price
    prices: list[int]
    width: int  # bits of one limit
    start: int  # the price of the whole capacity


def _priced(items: Sequence[_Item], capacity: Cost, prices: list[int]) -> _Problem:
    width = max([c.bit_length() for c in capacity]) + 1

    def priced(cost: Cost) -> int:
        return sum([p * take for p, take in zip(prices, cost, strict=True)])

    def packed(cost: Cost) -> int:
        return sum([take << (width * i) for i, take in enumerate(cost)])

    guards = sum([1 << (width * i + width - 1) for i in range(len(capacity))])
    choices = [[(i, packed(c), it.weight - priced(c)) for i, c in it.choices] for it in items]
    gains = [
        max([gain for _, _, gain in given] + ([] if item.forced else [0]))
        for given, item in zip(choices, items, strict=True)
    ]
    later = list(accumulate(reversed(gains), initial=0))
    return _Problem(
        capacity=packed(capacity) | guards,
        guards=guards,
        choices=choices,
        forced=[item.forced for item in items],
        later=later[::-1],
        prices=prices,
        width=width,
        start=priced(capacity),
    )


_Path: TypeAlias = "tuple[_Path, int | None] | None"
"""The last decision and those before it."""


def _best(problem: _Problem, floor: int) -> tuple[int | None, ...] | None:
    """The best allocation, `None` when none is worth `floor`.

    A capacity is kept with the worth of what was granted and the price of what is left, added up. Capacities stand in the order
    of the decisions that lead to them, so that the first of equals grants what is declared first.
    """
    guards = problem.guards
    layer: dict[int, tuple[int, _Path]] = {problem.capacity: (problem.start, None)}
    rows = zip(problem.choices, problem.forced, problem.later[1:], strict=True)
    for given, forced, later in rows:
        least = floor - later
        after: dict[int, tuple[int, _Path]] = {}
        for left, (value, path) in layer.items():
            for index, cost, gain in given:
                rest, more = left - cost, value + gain
                if more >= least and rest & guards == guards:
                    known = after.get(rest)
                    if known is None or known[0] < more:
                        after.pop(rest, None)  # it stands behind what was decided before
                        after[rest] = more, (path, index)
            if value >= least and not forced:
                known = after.get(left)
                if known is None or known[0] < value:
                    after.pop(left, None)
                    after[left] = value, (path, None)
        layer = after
    found = [(value - _price(left, problem), path) for left, (value, path) in layer.items()]
    worth, path = max(found, key=itemgetter(0), default=(floor - 1, None))
    return None if worth < floor else _decisions(path)


def _decisions(path: _Path) -> tuple[int | None, ...]:
    granted: list[int | None] = []
    while path is not None:
        path, index = path
        granted.append(index)
    return tuple(reversed(granted))


def _first(problem: _Problem, worth: int) -> tuple[int | None, ...]:
    """The first allocation, in the order of the decisions, that is worth so much; what cannot come to that is left at once."""
    guards, last = problem.guards, len(problem.choices)
    tried: list[dict[int, int]] = [{} for _ in range(last)]
    stack: list[tuple[int, int, int, _Path]] = [(0, problem.capacity, problem.start, None)]
    while True:  # there is one
        position, left, value, path = stack.pop()
        if position == last:
            if value - _price(left, problem) == worth:
                return _decisions(path)
            continue
        if tried[position].get(left, -1) >= value:
            continue
        tried[position][left] = value
        least = worth - problem.later[position + 1]
        if value >= least and not problem.forced[position]:
            stack.append((position + 1, left, value, (path, None)))
        for index, cost, gain in reversed(problem.choices[position]):
            rest, more = left - cost, value + gain
            if rest & guards == guards and more >= least:
                stack.append((position + 1, rest, more, (path, index)))


def _price(left: int, problem: _Problem) -> int:
    """The price of a packed capacity."""
    total, limit = 0, (1 << (problem.width - 1)) - 1
    for price in problem.prices:
        total += price * (left & limit)
        left >>= problem.width
    return total
