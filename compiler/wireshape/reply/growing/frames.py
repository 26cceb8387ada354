"""The open containers of a wire value, each with the place in the decoded value where its parts go.

The scanner tells a frame of keys, items and finished scalars; the frame says what may come (`guide`), how it decodes
(`step`) and where it goes (`slot`). What does not go as expected is `Odd`: nothing more is shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias, cast

from wireshape.reply.growing.guide import Guide
from wireshape.reply.growing.ways import Gathering, Member, Plan
from wireshape.step import Step

Slot: TypeAlias = "tuple[Any, str | None]"
"""A container and a key in it; a list and `None` for its end."""


TAG = ("arm", "value")
"""The keys of a tagged value, in order."""


class Odd(Exception):  # noqa: N818 (never leaves the package: the feed shows nothing more)
    """The value goes on in a way that may mean something else."""


def put(slot: Slot, value: Any) -> None:
    """Place a finished or opened value."""
    target, key = slot
    if key is None:
        cast("list[Any]", target).append(value)
    else:
        target[key] = value


class Frame:
    """An open container. `out` is its decoded container, which `is_placed` in `home`; some have none of their own.

    `slot`, `step` and `guide` are those of the part that comes next; a `quiet` part is not shown.
    """

    __slots__ = (
        "drops",
        "guide",
        "home",
        "is_held",
        "is_placed",
        "out",
        "own",
        "quiet",
        "slot",
        "step",
    )

    def __init__(self, own: Guide, home: Slot, out: Any) -> None:
        self.own = own
        self.guide = own
        self.home = home
        self.out = out
        self.slot = home
        self.step: Any = None
        self.drops = False
        self.quiet = False
        self.is_held = False
        self.is_placed = False

    if TYPE_CHECKING:

        def name(self, _key: str, /) -> None:
            """Take the key of the next member; objects do."""

        def item(self) -> None:
            """Expect another item; arrays do."""

    def put(self, value: Any, /) -> bool:
        """Take a finished scalar, decoded; tell whether it can be seen."""
        if value is None and self.drops:
            return False
        put(self.slot, value)
        return True

    def open(self, _char: str, /) -> Frame | None:
        """Return the frame of the container that the next part is; `None` when the step tells."""
        if self.quiet:
            raise Odd
        return None

    def close(self) -> bool:
        """Take the end of the container; tell whether that can be seen."""
        return False

    def _guided(self, guide: Guide | None) -> None:
        """Let the next part have a guide; it has none where it may not be."""
        if guide is None:
            raise Odd
        self.guide = guide


class Members(Frame):
    """An object that stays one: fields renamed, absent or boxed, other keys in place, pairs and entries spread among them."""

    __slots__ = ("_gathering", "_plan", "_seen", "is_root")

    def __init__(self, own: Guide, home: Slot, plan: Plan | None = None) -> None:
        super().__init__(own, home, {})
        self._plan = plan
        self._seen: set[str] = set()
        self._gathering: Gathering | None = None
        self.is_root = False

    def name(self, key: str, /) -> None:
        """Take the key of the next member."""
        if key in self._seen:
            raise Odd
        if self.is_root and not self.own.declares(key) and not self.own.due() <= self._seen:
            raise Odd  # rather a wrapper around the value
        self._seen.add(key)
        self._guided(self.own.member(key))
        plan = self._plan
        if plan is None:
            self.slot = (self.out, key)
            return
        member = plan.members.get(key)
        if member is None:
            member = Member(key, None if plan.other is None else plan.other(key))
        if member.key in self.out:
            raise Odd
        self.slot = (self.out, member.key)
        self.step, self.drops = member.step, member.drops
        self._gathering = member.gathering
        self.quiet = member.gathering is not None

    def put(self, value: Any, /) -> bool:
        """Take a finished scalar, decoded."""
        if self._gathering is not None:
            raise Odd
        return super().put(value)

    def open(self, char: str, /) -> Frame | None:
        """Return the frame of the container that the next part is."""
        if self._gathering is None:
            return None
        if char != "[":
            raise Odd
        return Pairs(self.guide, self.slot, self._gathering, self.out)

    def close(self) -> bool:
        """Take the end of the object: what was sent as absent is null."""
        before = len(self.out)
        for key in () if self._plan is None else self._plan.filled:
            self.out.setdefault(key, None)
        return len(self.out) > before


class Items(Frame):
    """An array that stays one. `steps` are those of its positions, `rest` that of every later item."""

    __slots__ = ("_count", "_is_empty", "_rest", "_steps")

    def __init__(
        self,
        own: Guide,
        home: Slot,
        steps: tuple[Step, ...] = (),
        rest: Step = None,
        into: list[Any] | None = None,
        is_empty: bool = False,
    ) -> None:
        super().__init__(own, home, [] if into is None else into)
        self._is_empty = is_empty
        self._steps = steps
        self._rest = rest
        self._count = 0
        self.slot = (self.out, None)

    def item(self) -> None:
        """Expect another item."""
        at = self._count
        self._guided(None if self._is_empty else self.own.item(at))
        self.step = self._steps[at] if at < len(self._steps) else self._rest
        self._count = at + 1


class Pairs(Frame):
    """An array of pairs, which is a map, or of entries."""

    __slots__ = ("_count", "_gathering")

    def __init__(self, own: Guide, home: Slot, gathering: Gathering, out: dict[str, Any]) -> None:
        super().__init__(own, home, out)
        self._gathering = gathering
        self._count = 0
        self.quiet = True

    def item(self) -> None:
        """Expect another pair."""
        self._guided(self.own.item(self._count))
        self._count += 1

    def put(self, _value: Any, /) -> bool:
        """Refuse a scalar."""
        raise Odd

    def open(self, char: str, /) -> Frame | None:
        """Return the frame of a pair."""
        if char != "{":
            raise Odd
        return Pair(self.guide, self.home, self._gathering, self.out)


class Pair(Frame):
    """One `{key, value}` in that order; the key tells what the value is."""

    __slots__ = ("_gathering", "_key", "_map", "_stage")

    def __init__(self, own: Guide, home: Slot, gathering: Gathering, out: dict[str, Any]) -> None:
        super().__init__(own, home, None)
        self._gathering = gathering
        self._map = out
        self._key = ""
        self._stage = 0

    def name(self, key: str, /) -> None:
        """Take `key`, then `value`."""
        if self._stage > 1 or key != self._gathering.words[self._stage]:
            raise Odd
        self._guided(self.own.member(key))
        self.quiet = self._stage == 0
        if self._stage == 1:
            self.slot = (self._map, self._key)
        self._stage += 1

    def put(self, value: Any, /) -> bool:
        """Take the key or a scalar value."""
        if not self.quiet:
            return super().put(value)
        if type(value) is not str or value in self._map or value in self._gathering.taken:
            raise Odd
        known, self.step = self._gathering.inner(value)
        if not known:
            raise Odd
        self._key = value
        return False

    def close(self) -> bool:
        """Take the end of the pair."""
        if self._stage < len(self._gathering.words):
            raise Odd
        return False


class Wrapped(Frame):
    """An object with one key, which stands for what it holds."""

    __slots__ = ("_is_full", "_key")

    def __init__(self, own: Guide, home: Slot, key: str, step: Any) -> None:
        super().__init__(own, home, None)
        self._key = key
        self._is_full = False
        self.step = step

    def name(self, key: str, /) -> None:
        """Take the one key."""
        if self._is_full or key != self._key:
            raise Odd
        self._is_full = True
        self._guided(self.own.member(key))

    def close(self) -> bool:
        """Take the end of the object."""
        if not self._is_full:
            raise Odd
        return False


class Tagged(Frame):
    """`{arm, value}` in that order; the tag tells what the value is."""

    __slots__ = ("_arms", "_stage")

    def __init__(self, own: Guide, home: Slot, arms: dict[str, Step]) -> None:
        super().__init__(own, home, None)
        self._arms = arms
        self._stage = 0

    def name(self, key: str, /) -> None:
        """Take `arm`, then `value`."""
        if self._stage >= len(TAG) or key != TAG[self._stage]:
            raise Odd
        self._guided(self.own.member(key))
        self.quiet = self._stage == 0
        self._stage += 1

    def put(self, value: Any, /) -> bool:
        """Take the tag or a scalar value."""
        if not self.quiet:
            return super().put(value)
        if value not in self._arms:
            raise Odd
        self.step = self._arms[value]
        return False

    def close(self) -> bool:
        """Take the end of the object."""
        if self._stage < len(TAG):
            raise Odd
        return False


class Numbered(Frame):
    """A tuple as an object with numbered keys, in order; a position that is null may stand for one that is absent."""

    __slots__ = ("_at", "_fill", "_has_rest", "_is_absent", "_is_tail", "_rest", "_steps")

    def __init__(self, own: Guide, home: Slot, step: tuple[Any, ...], rest: Step) -> None:
        super().__init__(own, home, [])
        _, self._steps, self._has_rest, _, self._fill = step
        self._rest = rest
        self._at = 0
        self._is_absent = False
        self._is_tail = False
        self.slot = (self.out, None)

    def name(self, key: str, /) -> None:
        """Take the next position, or `rest`."""
        at, size = self._at, len(self._steps)
        self._guided(self.own.member(key))
        if key == "rest" and self._has_rest and not self._is_tail:
            self._is_absent = self._is_absent or at < size
            self._is_tail = True
        elif not self._is_tail and at < size and key == str(at):
            self.step, optional = self._steps[at]
            self.drops = self._fill and optional
            self._at = at + 1
        else:
            raise Odd

    def put(self, value: Any, /) -> bool:
        """Take a scalar; null stands for an absent position, after which there is none."""
        if value is None and (self.drops or self._is_tail):
            self._is_absent = True
            return False
        if self._is_absent or self._is_tail:
            raise Odd
        return super().put(value)

    def open(self, char: str, /) -> Frame | None:
        """Return the frame of a position, or of the later items."""
        if not self._is_tail:
            if self._is_absent:
                raise Odd
            return None
        if char != "[":
            raise Odd
        return Items(
            self.guide, self.slot, rest=self._rest, into=self.out, is_empty=self._is_absent
        )
