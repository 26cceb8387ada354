"""wireshape: a schema compiler for LLM structured output and tool calling.

`compile(schema, dialect)` gives the wire schema that a dialect accepts, the codec that maps values both ways, and an honest
report of every difference.
"""

from __future__ import annotations

from importlib import import_module as _import_module
from typing import TYPE_CHECKING

from wireshape.check import Violation, check
from wireshape.compiled import Compiled
from wireshape.convert import to_json_schema, to_notation
from wireshape.dialect import Dialect, dialect, load_dialect
from wireshape.errors import (
    BudgetError,
    DecodeError,
    DialectError,
    EncodeError,
    InexpressibleError,
    LossError,
    NotationError,
    SchemaError,
    ValidationError,
    WireshapeError,
)
from wireshape.history import CallResult, Turn
from wireshape.models import dialect_for
from wireshape.options import Options
from wireshape.pipeline import can_express, compile  # noqa: A004 (the public verb)
from wireshape.plan import Plan, Planned, plan
from wireshape.plan_feed import PlanFeed
from wireshape.plan_items import Output, Tool, tools_from
from wireshape.read import Schema
from wireshape.reply import Call, Outcome
from wireshape.reply.feed import Feed
from wireshape.report import Note, Report

# First: a later import would put the package in the place of the function.
_import_module("wireshape.dialects")
from wireshape.dialect import dialects  # noqa: E402

if TYPE_CHECKING:
    from types import ModuleType

    from wireshape import testing as testing
else:

    def __getattr__(name: str) -> ModuleType:
        """Import `wireshape.testing` when it is asked for."""
        if name != "testing":
            message = f"module {__name__!r} has no attribute {name!r}"
            raise AttributeError(message)
        return _import_module("wireshape.testing")


__version__ = "0.1.0"

__all__ = [
    "BudgetError",
    "Call",
    "CallResult",
    "Compiled",
    "DecodeError",
    "Dialect",
    "DialectError",
    "EncodeError",
    "Feed",
    "InexpressibleError",
    "LossError",
    "NotationError",
    "Note",
    "Options",
    "Outcome",
    "Output",
    "Plan",
    "PlanFeed",
    "Planned",
    "Report",
    "Schema",
    "SchemaError",
    "Tool",
    "Turn",
    "ValidationError",
    "Violation",
    "WireshapeError",
    "can_express",
    "check",
    "compile",
    "dialect",
    "dialect_for",
    "dialects",
    "load_dialect",
    "plan",
    "to_json_schema",
    "to_notation",
    "tools_from",
]


def __dir__() -> list[str]:
    return sorted([*__all__, "testing"])
