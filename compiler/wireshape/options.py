"""The options of one compilation, as one frozen record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from wireshape.codes import CODES
from wireshape.errors import SchemaError, shown

_CHOICES: Mapping[str, tuple[object, ...]] = {
    "on_loss": ("report", "raise"),
    "describe": (True, False),
    "inexpressible": ("escape", "raise"),
    "assert_formats": (True, False),
    "open_objects": ("close", "keep"),
    "absent": ("null", "box"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How a schema is read and how far it may be bent.

    - `draft`: "draft4", "draft6", "draft7", "2019-09", "2020-12", "openapi-3.0" or "openapi-3.1"; `None` means what
      `$schema` says, else 2020-12.
    - `registry`: URI to document, or a `referencing.Registry`; nothing is ever fetched.
    - `on_loss`: "raise" turns the first loud widened or narrowed note into a `LossError`.
    - `describe`: tell in the description what the wire cannot enforce.
    - `inexpressible`: "escape" falls back to JSON text, "raise" gives an `InexpressibleError`.
    - `assert_formats`: whether `format` binds; when not, formats are annotations.
    - `open_objects`: an object that does not say `additionalProperties` is closed where the dialect closes objects, or
      keeps undeclared keys as pairs.
    - `absent`: an optional field that admits null is sent as null when absent, or boxed so that both survive.
    - `unroll`: how often recursion is written out where the dialect has none, at least once.

    A value that an option cannot have raises SchemaError; an unknown `draft` does when a schema is read.

    >>> Options(open_objects="keep").absent
    'null'
    """

    draft: str | None = None
    registry: Mapping[str, Any] | Any | None = None
    on_loss: Literal["report", "raise"] = "report"
    describe: bool = True
    inexpressible: Literal["escape", "raise"] = "escape"
    assert_formats: bool = True
    open_objects: Literal["close", "keep"] = "close"
    absent: Literal["null", "box"] = "null"
    unroll: int = 3

    def __post_init__(self) -> None:
        for name, choices in _CHOICES.items():
            value = getattr(self, name)
            if not any([type(value) is type(choice) and value == choice for choice in choices]):
                raise _refused(name, value, "one of " + ", ".join(map(repr, choices)))
        if type(self.unroll) is not int or self.unroll < 1:
            raise _refused("unroll", self.unroll, "an int, 1 or more")
        if self.registry is not None and not isinstance(self.registry, Mapping):
            raise _refused(
                "registry",
                self.registry,
                "a dict from URI to document, or a `referencing.Registry`",
            )


def _refused(name: str, value: object, choices: str) -> SchemaError:
    message = CODES["WS121"].template.format(name=name, value=shown(value), choices=choices)
    return SchemaError(message, code="WS121")
