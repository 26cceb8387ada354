"""The typed errors: what happened, where, and what to do about it; they carry data, `report` renders notes."""

from __future__ import annotations

import reprlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

from wireshape.codes import CODES

if TYPE_CHECKING:
    from wireshape.report import Note


class WireshapeError(Exception):
    """Base of every error that this package raises for bad input.

    `code` is a stable identifier (`wireshape explain CODE` tells what it means), `pointer` a JSON pointer into the
    schema or value at fault.

    >>> import wireshape as ws
    >>> try:
    ...     ws.compile({"properties": {"a": {"type": "strnig"}}}, "openai-strict")
    ... except ws.WireshapeError as error:
    ...     print(error.code, error.pointer)
    WS110 /properties/a/type
    """

    def __init__(
        self, message: str, *, code: str, pointer: str = "", note: Note | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.pointer = pointer
        self.note = note

    def __str__(self) -> str:
        return f"{self.code} at {self.pointer or '/'}: {self.args[0]}"

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self.args[0], self.code, self.pointer, self.note)


def _rebuild(
    cls: type[WireshapeError], message: str, code: str, pointer: str, note: Note | None
) -> WireshapeError:
    return cls(message, code=code, pointer=pointer, note=note)


class SchemaError(WireshapeError):
    """The source is not a schema that can be read: malformed, contradictory, or with a reference that does not resolve."""


class NotationError(SchemaError):
    """A text in the notation is none: the message shows the line with a caret; `line` and `column` count from 1."""

    def __init__(self, message: str, *, code: str, line: int, column: int) -> None:
        super().__init__(message, code=code)
        self.line = line
        self.column = column

    def __str__(self) -> str:
        return f"{self.code}: {self.args[0]}"

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild_notation, (self.args[0], self.code, self.line, self.column)


def _rebuild_notation(message: str, code: str, line: int, column: int) -> NotationError:
    return NotationError(message, code=code, line=line, column=column)


class DialectError(WireshapeError):
    """A dialect does not exist, or its row is wrong; the message names file and field."""


class InexpressibleError(WireshapeError):
    """The dialect cannot say this schema, and the caller asked for an error instead of an escape."""


class LossError(WireshapeError):
    """The compilation would lose something and `on_loss="raise"` was asked."""


class BudgetError(WireshapeError):
    """A limit of the dialect cannot be met."""


class EncodeError(WireshapeError):
    """The value has no wire spelling; `note` is the narrowing that bites, when there is one."""


class DecodeError(WireshapeError):
    """The wire value is not one that decodes; nothing is guessed."""


class ValidationError(WireshapeError):
    """The value does not satisfy the conceptual schema; `more` has the further problems that a Python type told at once: pointers and messages."""

    more: tuple[tuple[str, str], ...] = ()

    def __reduce__(self) -> tuple[object, ...]:
        return *super().__reduce__(), {"more": self.more}


def expect(name: str, value: object, kinds: type | tuple[type, ...], wanted: str) -> None:
    """Refuse the value of an argument that is of none of the kinds, in words that tell what is wanted.

    >>> expect("options", None, (int, str), "a number or a text")
    Traceback (most recent call last):
    wireshape.errors.SchemaError: WS122 at /: argument 'options' is None; give a number or a text
    """
    if not isinstance(value, kinds):
        raise wrong_argument(name, value, wanted)


def expect_text(name: str, value: object) -> None:
    """Refuse the value of an argument that is neither a text nor None."""
    expect(name, value, (str, type(None)), "a text, or None")


def expect_list(name: str, value: object, wanted: str) -> None:
    """Refuse the value of an argument that is no list or tuple; a text is a sequence, but none that is meant."""
    if not isinstance(value, Sequence) or isinstance(value, str | bytes | bytearray):
        raise wrong_argument(name, value, wanted)


def wrong_argument(name: str, value: object, wanted: str) -> SchemaError:
    """Build the error for an argument that has no such value."""
    message = CODES["WS122"].template.format(name=name, value=shown(value), wanted=wanted)
    return SchemaError(message, code="WS122")


def shown(value: object) -> str:
    """Write any Python value for a message, in short; one that cannot be written is named by its type.

    >>> shown({"a": "b"}), shown([10**5000])
    ("{'a': 'b'}", '[an integer of 16610 bits]')
    """
    return _SHORT.repr(value)[:_SHOWN]


def as_text(value: object) -> str:
    """Return a text as it is, and any other value as a message shows it."""
    return str.__str__(value) if isinstance(value, str) else shown(value)


class _Short(reprlib.Repr):
    """What `repr` writes, but for objects whose own code fails, and for integers that Python refuses to write."""

    def repr_int(self, x: int, level: int) -> str:  # noqa: ARG002  the name is that of the parent
        return repr(x) if x.bit_length() < _WRITTEN else f"an integer of {x.bit_length()} bits"


_SHOWN = 80
_WRITTEN = 256  # bits; beyond, nobody reads the digits
_SHORT = _Short()
_SHORT.maxstring = _SHORT.maxother = _SHOWN
