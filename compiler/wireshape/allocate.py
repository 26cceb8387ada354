"""Which items of a request are granted what they ask for, when limits are shared: solved exactly; it knows no schemas.

An item offers choices, each with a cost per limit (`Offer`). At most one choice of each item is granted, no limit is
exceeded, and the result is the best of all such: every required item first, then the largest sum of priorities, then the
most items, then the items that are declared first, each with its first choice.

It is a knapsack with several limits. A greedy solution tells what can surely be had, each limit taken alone what cannot; the
two mostly meet, and every decision follows. From where they do not, the best of each capacity that can be left is found,
item by item.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
from math import lcm
from typing import NamedTuple, TypeAlias

Cost: TypeAlias = tuple[int, ...]
"""What a choice takes of each limit, in the order of the capacities."""


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
    items = _weighed(offers)
    tails = [_tails(items[start:], len(capacity)) for start in range(len(items) + 1)]
    missing = _greedy(items, capacity)
    if _most(tails[0], capacity) > missing:
        return _exact(items, capacity)
    granted: list[int | None] = []
    for position, (weight, choices) in enumerate(items):
        chosen: int | None = None
        for index, cost in enumerate(choices):
            left = _minus(capacity, cost)
            if left is None or _most(tails[position + 1], left) < missing - weight:
                continue
            if _greedy(items[position + 1 :], left) < missing - weight:
                return granted + _exact(items[position:], capacity)
            chosen, capacity, missing = index, left, missing - weight
            break
        granted.append(chosen)
    return granted


_Item: TypeAlias = tuple[int, tuple[Cost, ...]]
"""Weight and choices: the best allocation is the one with the largest sum of weights."""


def _weighed(offers: Sequence[Offer]) -> list[_Item]:
    """Turn the aims into whole numbers: one more item counts less than any priority, which counts less than a required item."""
    exact = [Fraction(0 if offer.required else max(offer.priority, 0)) for offer in offers]
    scale = lcm(*[p.denominator for p in exact]) * (len(offers) + 1)
    weights = [int(p * scale) + 1 for p in exact]
    more = sum(weights) + 1
    return [
        (weight + more * offer.required, offer.choices)
        for weight, offer in zip(weights, offers, strict=True)
    ]


def _minus(capacity: Cost, cost: Cost) -> Cost | None:
    left = tuple([have - take for have, take in zip(capacity, cost, strict=True)])
    return None if min(left, default=0) < 0 else left


def _greedy(items: Sequence[_Item], capacity: Cost) -> int:
    """What is surely possible: the items that give most for what they take come first."""
    ranked: list[tuple[float, int, Cost]] = []
    for weight, choices in items:
        if choices:
            share, cost = min([(_share(cost, capacity), cost) for cost in choices])
            ranked.append((share / weight, weight, cost))
    total = 0
    for _, weight, cost in sorted(ranked):
        left = _minus(capacity, cost)
        if left is not None:
            capacity = left
            total += weight
    return total


def _share(cost: Cost, capacity: Cost) -> float:
    return sum([take / (have + 1) for take, have in zip(cost, capacity, strict=True)])


class _Tail(NamedTuple):
    """The items from a position on, as one limit sees them: what costs nothing, then running sums, the best value first."""

    free: int
    takes: list[int]
    gives: list[int]


def _tails(items: Sequence[_Item], limits: int) -> list[_Tail]:
    return [_tail(items, limit) for limit in range(limits)]


def _tail(items: Sequence[_Item], limit: int) -> _Tail:
    free = 0
    asking: list[tuple[int, int]] = []
    for weight, choices in items:
        if choices:
            least = min([cost[limit] for cost in choices])
            if least:
                asking.append((weight, least))
            else:
                free += weight
    asking.sort(key=lambda ask: Fraction(*ask), reverse=True)
    takes = list(accumulate([take for _, take in asking], initial=0))
    gives = list(accumulate([give for give, _ in asking], initial=0))
    return _Tail(free, takes, gives)


def _most(tails: list[_Tail], capacity: Cost) -> int:
    """At most this much could follow if only one limit counted, and items could be granted in part."""
    return min([_alone(tail, have) for tail, have in zip(tails, capacity, strict=True)])


def _alone(tail: _Tail, have: int) -> int:
    whole = bisect_right(tail.takes, have) - 1
    bound = tail.free + tail.gives[whole]
    if whole + 1 < len(tail.takes):
        part = (have - tail.takes[whole]) * (tail.gives[whole + 1] - tail.gives[whole])
        bound += part // (tail.takes[whole + 1] - tail.takes[whole])
    return bound


def _exact(items: Sequence[_Item], capacity: Cost) -> list[int | None]:
    """Decide by every capacity that can be left.

    A capacity is packed into one integer, each limit under a guard bit that a subtraction clears when it takes too much.
    """
    width = max([c.bit_length() for c in capacity]) + 1
    guards = sum([1 << (width * i + width - 1) for i in range(len(capacity))])

    def packed(cost: Cost) -> int:
        return sum([take << (width * i) for i, take in enumerate(cost)])

    compact = [
        (weight, [(i, packed(c)) for i, c in enumerate(choices) if _minus(capacity, c) is not None])
        for weight, choices in items
    ]
    layers: list[dict[int, int]] = [{packed(capacity) | guards: 0}]
    for weight, costs in compact:
        after = dict(layers[-1])
        for left, worth in layers[-1].items():
            more = worth + weight
            for _, cost in costs:
                rest = left - cost
                if rest & guards == guards and after.get(rest, -1) < more:
                    after[rest] = more
        layers.append(after)
    return _earliest(compact, layers, guards)


def _earliest(
    items: list[tuple[int, list[tuple[int, int]]]], layers: list[dict[int, int]], guards: int
) -> list[int | None]:
    """Follow the best totals back, then forth along the first decision that leads to one of them."""
    optimum = max(layers[-1].values())
    good = {left for left, worth in layers[-1].items() if worth == optimum}
    decisions: list[dict[int, tuple[int | None, int]]] = []
    for (weight, costs), layer, after in zip(
        reversed(items), reversed(layers[:-1]), reversed(layers[1:]), strict=True
    ):
        first: dict[int, tuple[int | None, int]] = {}
        for left, worth in layer.items():
            if left in good and after[left] == worth:
                first[left] = (None, left)
            for index, cost in reversed(costs):
                rest = left - cost
                if rest & guards == guards and rest in good and after[rest] == worth + weight:
                    first[left] = (index, rest)
        good = set(first)
        decisions.append(first)
    granted: list[int | None] = []
    (left,) = layers[0]
    for first in reversed(decisions):
        decided, left = first[left]
        granted.append(decided)
    return granted
