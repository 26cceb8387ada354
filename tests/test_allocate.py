"""Sharing limits: the result is what trying everything finds."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from wireshape.allocate import Offer, allocate


def by_trying(offers: list[Offer], capacity: tuple[int, ...]) -> list[int | None]:
    """The best of all allocations."""
    best: tuple[object, tuple[int, ...]] | None = None
    for combination in product(*[range(-1, len(offer.choices)) for offer in offers]):
        granted = [(o, o.choices[c]) for o, c in zip(offers, combination, strict=True) if c >= 0]
        totals = [sum(cost[i] for _, cost in granted) for i in range(len(capacity))]
        if any(total > most for total, most in zip(totals, capacity, strict=True)):
            continue
        worth = (
            sum(offer.required for offer, _ in granted),
            sum(offer.priority for offer, _ in granted if not offer.required),
            len(granted),
            tuple(-c if c >= 0 else -99 for c in combination),
        )
        if best is None or worth > best[0]:
            best = worth, combination
    assert best is not None
    return [choice if choice >= 0 else None for choice in best[1]]


@st.composite
def requests(draw):
    """A few items, and limits that bind most of the time."""
    limits = draw(st.integers(1, 3))
    cost = st.tuples(*[st.integers(0, 4)] * limits)
    offer = st.builds(
        Offer,
        st.lists(cost, max_size=3).map(tuple),
        st.sampled_from([1.0, 1.0, 2.0, 0.25]),
        st.booleans(),
    )
    capacity = draw(st.tuples(*[st.integers(0, 8)] * limits))
    return draw(st.lists(offer, max_size=6)), capacity


@given(requests())
def test_allocation_equals_trying_everything(request_):
    offers, capacity = request_
    assert allocate(offers, capacity) == by_trying(offers, capacity)


def by_every_capacity(offers: list[Offer], capacity: tuple[int, ...]) -> list[int | None]:
    """The best of all allocations, found for every capacity that can be left."""

    @cache
    def best(position: int, left: tuple[int, ...]) -> tuple[int, Fraction, int, tuple[int, ...]]:
        if position == len(offers):
            return 0, Fraction(0), 0, ()
        offer = offers[position]
        required, total, count, rest = best(position + 1, left)
        found = [(required, total, count, (-99, *rest))]
        for index, cost in enumerate(offer.choices):
            after = tuple(have - take for have, take in zip(left, cost, strict=True))
            if min(after) >= 0:
                required, total, count, rest = best(position + 1, after)
                more = Fraction(0 if offer.required else offer.priority)
                must = required + offer.required
                found.append((must, total + more, count + 1, (-index, *rest)))
        return max(found)

    return [None if taken == -99 else -taken for taken in best(0, capacity)[3]]


@given(st.integers(0, 2**32))
def test_allocation_of_many_equals_trying_every_capacity(seed):
    rng = random.Random(seed)
    limits = rng.randint(1, 3)
    priority = rng.choice([lambda: 1.0, lambda: float(rng.randint(0, 4)), rng.random])
    offers = [
        Offer(
            tuple(
                tuple(rng.randint(0, 4) for _ in range(limits)) for _ in range(rng.randint(0, 3))
            ),
            priority(),
            rng.random() < 0.1,
        )
        for _ in range(24)
    ]
    capacity = tuple(rng.randint(0, 9) for _ in range(limits))
    assert allocate(offers, capacity) == by_every_capacity(offers, capacity)


def test_priorities_may_be_as_far_apart_as_numbers_are():
    offers = [Offer(((1,),), priority) for priority in (5e-324, 1e308, 1.0, 1e308)]
    assert allocate(offers, (2,)) == [None, 0, None, 0]
    assert allocate([*offers, Offer(((2,),), required=True)], (2,)) == [None] * 4 + [0]


def test_greedy_by_priority_would_be_wrong():
    offers = [Offer(((4,),), 2.0), Offer(((2,),), 1.5), Offer(((2,),), 1.5)]
    assert allocate(offers, (4,)) == [None, 0, 0]


def test_a_hundred_equal_items_take_what_there_is():
    offers = [Offer(((i % 4, i % 3, 1),)) for i in range(100)]
    granted = allocate(offers, (24, 16, 20))
    assert sum(choice is not None for choice in granted) == 20
