"""The decoded value of a text that is still coming, as the scanner tells it: what is open, what can be seen of it."""

from __future__ import annotations

from typing import Any

from wireshape.ir import kind_of
from wireshape.machine import Machine
from wireshape.relate import ARRAY, OBJECT
from wireshape.reply.growing.frames import Frame, Members, Odd
from wireshape.reply.growing.guide import guide_of
from wireshape.reply.growing.opening import Undecided, opened
from wireshape.reply.growing.ways import Ways
from wireshape.reply.strict import MAX_DEPTH

_LONGEST_TAIL = 200


class Tree:
    """Takes containers, keys, items and scalars in the order of the text; raises Odd or Misfit when they do not go well.

    `changes` counts what can be seen; `in_list` tells, for each open container, whether it is an array.
    """

    def __init__(self, machine: Machine) -> None:
        self._ways = Ways(machine)
        self._root: list[Any] = []
        base = Frame(guide_of(machine.wire_graph), (self._root, None), self._root)
        base.step = machine.parts.step
        self._stack: list[Frame] = [base]
        self._parts: list[str] = []
        self._tail = ""
        self._ended: tuple[str, ...] = ()
        self._held = 0
        self._shows = False
        self.changes = 0
        self.in_list: list[bool] = []

    def value(self) -> tuple[Any, ...]:
        """Return what there is of the value: a tuple of it, or an empty one.

        What is still open is copied, what is finished is shared.
        """
        copies: dict[int, Any] = {id(self._root): self._root.copy()}
        for frame in self._stack[1:]:
            if frame.is_held:
                break
            if frame.is_placed:
                copies[id(frame.out)] = copy = frame.out.copy()
                target, key = frame.home
                copies[id(target)][-1 if key is None else key] = copy
        if self._shows and not self._held:
            self._parts = ["".join(self._parts)]
            target, key = self._stack[-1].slot
            copies[id(target)][-1 if key is None else key] = self._parts[0]
        return tuple(copies[id(self._root)])

    def open(self, char: str) -> None:
        """Take the beginning of a container."""
        frame = self._stack[-1]
        fits = frame.guide.types & (OBJECT if char == "{" else ARRAY)
        if not fits or len(self._stack) > MAX_DEPTH:
            raise Odd
        new = frame.open(char) or opened(self._ways, char, frame.step, frame.guide, frame.slot)
        if len(self._stack) == 1 and type(new) is Members:
            new.is_root = True
        self._stack.append(new)
        self.in_list.append(char == "[")
        self._held += new.is_held
        if new.is_placed:
            self._changed()

    def close(self) -> None:
        """Take the end of the innermost container."""
        frame = self._stack.pop()
        self.in_list.pop()
        self._held -= frame.is_held
        if frame.close():
            self._changed()

    def name(self, key: str) -> None:
        """Take the key of a member."""
        frame = self._stack[-1]
        frame.name(key)
        self._settle(frame)

    def item(self) -> None:
        """Expect another item."""
        self._stack[-1].item()

    def put(self, value: Any) -> None:
        """Take a finished scalar."""
        frame = self._stack[-1]
        if not frame.guide.admits(value):
            raise Odd
        run = self._ways.scalar(frame.step, kind_of(value))
        if frame.put(value if run is None else run(value)):
            self._changed()
        self._settle(frame)

    def begin(self) -> None:
        """Take the beginning of a string, which is shown when it may be any text and stays as it is."""
        self._parts = []
        self._tail = ""
        frame = self._stack[-1]
        if frame.guide.is_free and not frame.quiet and self._ways.scalar(frame.step, str) is None:
            frame.put("")
            self._shows = True
            self._changed()

    def grow(self, part: str) -> None:
        """Add to a string. A comma at its end may stand outside of it, should its quote be missing: that shows later."""
        if not self._shows:
            self._parts.append(part)
            return
        part = self._tail + part
        solid = part.rstrip(" \t\r\n")
        keep = len(part)
        if solid[-1:] == "," and keep - len(solid) < _LONGEST_TAIL:
            keep = len(solid) - 1
        self._tail = part[keep:]
        if keep:
            self._parts.append(part[:keep])
            self._changed()

    def end(self) -> None:
        """Take the end of a string."""
        value = "".join(self._parts)
        if self._shows:
            self._shows = False
            target, key = self._stack[-1].slot
            target[-1 if key is None else key] = value
        else:
            self._ended = (value,)
        if not self.in_list:
            self.confirm()

    def confirm(self) -> None:
        """Let a string count as finished, when what follows its quote shows that it is."""
        if self._ended:
            (value,), self._ended = self._ended, ()
            self.put(value)
        elif self._tail:
            target, key = self._stack[-1].slot
            target[-1 if key is None else key] += self._tail
            self._tail = ""
            self._changed()

    def _settle(self, frame: Frame) -> None:
        """Let an object of a union be what its first key says."""
        if type(frame) is Undecided and frame.became is not None:
            self._stack[-1] = frame.became
            self._held += frame.became.is_held
            if frame.became.is_placed:
                self._changed()

    def _changed(self) -> None:
        if not self._held:
            self.changes += 1
