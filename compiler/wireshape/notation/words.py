"""What the words of the notation stand for: constants that its reader and its writer share."""

from __future__ import annotations

from typing import Final

from wireshape import ir
from wireshape.read.drafts import SPECS

NO_MORE: Final = "no further entries are allowed"
"""Why a closed object or tuple refuses other entries."""
NO_REASON: Final = "false"
"""Why `never` refuses, when no reason is given."""

FREE: Final[dict[str, ir.Node]] = {
    "null": ir.Null(),
    "boolean": ir.Boolean(),
    "number": ir.Number(),
    "string": ir.String(),
    "array": ir.List(ir.Any()),
    "object": ir.Object((), ir.Any(), open=True),
}
"""What `any(...)` admits of each JSON type that it does not speak of."""

FLAGS: Final = frozenset("deprecated readOnly writeOnly".split())
"""Annotations that stand alone for true."""
SIMPLE: Final[dict[str, str]] = {
    **{
        word: word
        for word in "title description default contentEncoding contentMediaType discriminator example".split()
    },
    "comment": "$comment",
}
"""Annotations of one value, by the word that spells them."""

FORMATS: Final = SPECS["2020-12"].formats


def is_known_format(name: ir.Json) -> bool:
    """Whether a format asserts something of strings."""
    return type(name) is str and name in FORMATS
