"""Which frame a container gets: by the step that decodes it, by its first key in a union, or none before it is complete."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from wireshape.codec.misfit import Run
from wireshape.relate import ARRAY, OBJECT
from wireshape.reply.growing.frames import (
    TAG,
    Frame,
    Items,
    Members,
    Numbered,
    Odd,
    Pairs,
    Slot,
    Tagged,
    Wrapped,
    put,
)
from wireshape.reply.growing.guide import ANYTHING, Guide
from wireshape.reply.growing.ways import Ways
from wireshape.step import Step


class Held(Frame):
    """A container that says what it is only when it is complete; it is gathered as it comes, then decoded as a whole."""

    __slots__ = ("_inner", "_run")

    def __init__(self, inner: Frame, run: Run) -> None:
        super().__init__(inner.own, inner.home, inner.out)
        self._inner = inner
        self._run = run
        self.is_held = True

    def name(self, key: str, /) -> None:
        """Take a key as it is."""
        self._inner.name(key)
        self.slot, self.guide = self._inner.slot, self._inner.guide

    def item(self) -> None:
        """Take an item as it is."""
        self._inner.item()
        self.slot, self.guide = self._inner.slot, self._inner.guide

    def close(self) -> bool:
        """Decode the whole, and place it."""
        put(self.home, self._run(self.out))
        return True


class Undecided(Frame):
    """An object of a union, until its first key: a tag, a constant that names the arm, or neither; then it is what it `became`."""

    __slots__ = ("_ways", "_whole", "became")

    def __init__(self, own: Guide, home: Slot, whole: tuple[Any, ...], ways: Ways) -> None:
        super().__init__(own, home, None)
        self._ways = ways
        self._whole = whole
        self.became: Frame | None = None

    def name(self, key: str, /) -> None:
        """Take the first key."""
        _, arms, wire_keys, _ = self._whole
        tags = {arm[2]: arm[3] for arm in arms if arm[2] is not None}
        if tags and key == TAG[0]:
            self.became = Tagged(self.own, self.home, tags)
            self.became.name(key)
        elif wire_keys is not None and key == wire_keys[0]:
            self._guided(self.own.member(key))
            self.quiet = True
        else:
            self.became = self._other()
            self.became.name(key)

    def put(self, value: Any, /) -> bool:
        """Take the constant, and become the arm that it names."""
        _, arms, (key, constants), _ = self._whole
        at = next((at for constant, at in constants if constant == value), None)
        if at is None or type(value) is not str:
            raise Odd
        self.became = opened(self._ways, "{", arms[at][3], self.own, self.home)
        self.became.name(key)
        run = self._ways.scalar(self.became.step, str)
        return self.became.put(value if run is None else run(value))

    def close(self) -> bool:
        """Take the end of an object without keys."""
        other = self._other()
        return other.close() or other.is_placed

    def _other(self) -> Frame:
        return _by_type(self._ways, "{", self._whole, self.own, self.home)


def opened(ways: Ways, char: str, step: Step, guide: Guide, home: Slot) -> Frame:
    """Return the frame of a container that opens where `step` decodes, its own container placed."""
    step = ways.resolved(step)
    op = None if step is None else step[0]
    if guide.only_lists(OBJECT if char == "{" else ARRAY):
        return _listed_whole(ways, char, step, guide, home)
    if step is None or op not in _OPENERS[char]:
        return _placed(Members(guide, home) if char == "{" else Items(guide, home))
    return _OPENERS[char][op](ways, step, guide, home)


def _placed(frame: Frame) -> Frame:
    frame.is_placed = True
    put(frame.home, frame.out)
    return frame


def _listed_whole(ways: Ways, char: str, step: Step, guide: Guide, home: Slot) -> Frame:
    """One of the constants, shown when it is complete."""
    kind = dict if char == "{" else list
    run = None if step is None else ways.run(step, kind)

    def checked(value: Any) -> Any:
        if not guide.admits(value):
            raise Odd
        return value if run is None else run(value)

    return Held((Members if char == "{" else Items)(ANYTHING, home), checked)


def _members(ways: Ways, step: tuple[Any, ...], guide: Guide, home: Slot) -> Frame:
    return _placed(Members(guide, home, ways.plan(step)))


def _wrapped(_ways: Ways, step: tuple[Any, ...], guide: Guide, home: Slot) -> Frame:
    return Wrapped(guide, home, step[1], step[2])


def _numbered(ways: Ways, step: tuple[Any, ...], guide: Guide, home: Slot) -> Frame:
    rest = ways.resolved(step[3])
    later = rest[1] if rest is not None and rest[0] == "list" else None
    return _placed(Numbered(guide, home, step, later))


def _listed(_ways: Ways, step: tuple[Any, ...], guide: Guide, home: Slot) -> Frame:
    return _placed(Items(guide, home, rest=step[1]))


def _positional(_ways: Ways, step: tuple[Any, ...], guide: Guide, home: Slot) -> Frame:
    return _placed(Items(guide, home, step[1], step[2]))


def _pairs(ways: Ways, step: tuple[Any, ...], guide: Guide, home: Slot) -> Frame:
    if step[3]:  # the pairs are under a key
        return _placed(Items(guide, home))
    return _placed(Pairs(guide, home, ways.pairs(step), {}))


def _map(ways: Ways, step: tuple[Any, ...], guide: Guide, home: Slot) -> Frame:
    """A map as an object: pairs under a key, or in conceptual shape."""
    if step[3]:
        return Wrapped(guide, home, "entries", (*step[:3], False))
    run = ways.run(step, dict)
    assert run is not None, "decodes an object in place"
    return Held(Members(guide, home), run)


def _union(ways: Ways, step: tuple[Any, ...], guide: Guide, home: Slot) -> Frame:
    if step[2] is not None or any([arm[2] is not None for arm in step[1]]):
        return Undecided(guide, home, step, ways)
    return _by_type(ways, "{", step, guide, home)


def _array(ways: Ways, step: tuple[Any, ...], guide: Guide, home: Slot) -> Frame:
    return _by_type(ways, "[", step, guide, home)


def _by_type(ways: Ways, char: str, step: tuple[Any, ...], guide: Guide, home: Slot) -> Frame:
    """The arm that alone has the JSON type, or what is decoded when it is complete."""
    kind = dict if char == "{" else list
    is_sole, arm = ways.sole(step, kind)
    if is_sole:
        return opened(ways, char, arm, guide, home)
    frame = Members(guide, home) if char == "{" else Items(guide, home)
    run = ways.run(step, kind)
    return _placed(frame) if run is None else Held(frame, run)


_Opener: TypeAlias = Callable[[Ways, "tuple[Any, ...]", Guide, Slot], Frame]
_OPENERS: dict[str, dict[str | None, _Opener]] = {
    "{": {
        "object": _members,
        "entries": _members,
        "wrap": _wrapped,
        "numbered": _numbered,
        "pairs": _map,
        "union": _union,
    },
    "[": {"list": _listed, "tuple": _positional, "pairs": _pairs, "union": _array},
}
