"""Calls from the pieces of a stream: by id, by index, by order, whatever of these a host sends, drops or repeats.

An id or a name that is new begins a call. A piece with neither goes on with the call at its index, or with the last one:
an index that nothing was announced for drifted.
"""

from __future__ import annotations

import re
from typing import Any

from wireshape.ir import kind_of
from wireshape.reply.delta import Delta, add_piece

_SAID_TWICE = 2
_MARK = re.compile(r'\\[\s\S]?|["{}\[\]]')


class Balance:
    r"""Tells whether the brackets of a JSON text that comes in pieces match; each piece is looked at once.

    >>> balance = Balance()
    >>> balance.push('{"a": "}\\'), balance.push('"", "b": ['), balance.push("]}")
    (False, False, True)
    """

    __slots__ = ("_depth", "_has_begun", "_in_text", "_is_escaped")

    def __init__(self) -> None:
        self._depth = 0
        self._has_begun = self._in_text = self._is_escaped = False

    def push(self, text: str) -> bool:
        """Take more of the text; tell whether it is closed."""
        if self._is_escaped:
            text = "\\" + text
        self._is_escaped = False
        for mark in _MARK.finditer(text):
            char = mark.group()
            if char[0] == "\\":
                self._is_escaped = len(char) == 1
            elif char == '"':
                self._in_text = not self._in_text
            elif not self._in_text:
                self._depth += 1 if char in "{[" else -1
                self._has_begun = True
        return self._has_begun and self._depth == 0


class OpenCall:
    """One call as far as it has come. `whole` holds arguments that came at once, instead of the pieces of text."""

    __slots__ = ("_balance", "id", "is_closed", "kept", "name", "parts", "whole")

    def __init__(self) -> None:
        self.id: str | None = None
        self.name: str | None = None
        self.parts: list[str] = []
        self.whole: Any = None
        self.kept: Any = None
        self.is_closed = False
        self._balance = Balance()

    @property
    def arguments(self) -> Any:
        """What the call has for arguments: JSON text, or a value that came whole; `None` when nothing came."""
        if self.whole is not None:
            return self.whole
        return "".join(self.parts) if self.parts else None

    @property
    def is_bare(self) -> bool:
        """Whether no arguments came, nor an empty piece of them after the beginning, which says that there are none."""
        return not self.arguments and len(self.parts) < _SAID_TWICE

    def add(self, delta: Delta) -> None:
        """Take the id, the name and the arguments that a piece has."""
        self.id = self.id or delta.id
        self.name = self.name or delta.name
        self.kept = delta.kept if self.kept is None else self.kept
        given = delta.arguments
        if kind_of(given) is str and not delta.whole:
            if not self.whole:
                self.whole = None
                add_piece(self.parts, given)
                self.is_closed = self._balance.push(given)
        elif given or (given is not None and not self.parts):
            self.whole = given
            self.is_closed = bool(given)


class Assembly:
    """The calls of one stream, in the order in which they began.

    >>> calls = Assembly()
    >>> for index, name, text in ((0, "add", '{"a":'), (1, None, "1}"), (0, "now", "{}")):
    ...     call = calls.take(Delta("call", index=index, name=name, arguments=text))
    >>> [(c.name, c.arguments) for c in calls.calls], calls.has_drifted
    ([('add', '{"a":1}'), ('now', '{}')], True)
    """

    def __init__(self) -> None:
        self.calls: list[OpenCall] = []
        self.has_drifted = False
        self._by_id: dict[str, OpenCall] = {}
        self._by_index: dict[int | str, OpenCall] = {}

    def take(self, delta: Delta) -> OpenCall:
        """Take a piece of a call; return the call that it belongs to."""
        call = self._owner(delta)
        if call is None:
            call = OpenCall()
            self.calls.append(call)
        call.add(delta)
        if delta.id:
            self._by_id[delta.id] = call
        if delta.index is not None:
            self._by_index[delta.index] = call
        return call

    def _owner(self, delta: Delta) -> OpenCall | None:
        """The call that a piece goes on with; `None` when it begins one."""
        if delta.id in self._by_id:
            known = self._by_id[delta.id]
            return known if _is_same(known, delta) or not known.is_closed else None
        if delta.whole and delta.index is None:
            return None
        last = self.calls[-1] if self.calls else None
        there = last if delta.index is None else self._by_index.get(delta.index)
        if delta.id or delta.name:
            return there if there is not None and _goes_on(there, delta) else None
        if not delta.arguments or (kind_of(delta.arguments) is str and delta.arguments.isspace()):
            return there or last
        if last is None or last.is_closed or last is there:
            return there
        if there is None or there.is_closed:
            self.has_drifted = True
            return last
        return there


def _is_same(call: OpenCall, delta: Delta) -> bool:
    return not delta.name or call.name is None or call.name == delta.name


def _goes_on(call: OpenCall, delta: Delta) -> bool:
    """Whether a piece with an id or a name that is not known may belong to a call: it says what was missing, or repeats."""
    if call.is_closed or not _is_same(call, delta):
        return False
    return not delta.id or call.id is None or not delta.name
