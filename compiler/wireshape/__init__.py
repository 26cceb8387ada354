"""wireshape: a schema compiler for LLM structured output and tool calling.

`compile(schema, dialect)` gives the wire schema that a dialect accepts, the codec that maps values both ways, and an honest
report of every difference.
"""

from __future__ import annotations

import wireshape.dialects  # noqa: F401  loaded first: a later import would put the package in the place of the function
from wireshape.check import Violation, check
from wireshape.compiled import Compiled
from wireshape.dialect import Dialect, dialect, dialects, load_dialect
from wireshape.errors import (
    BudgetError,
    DecodeError,
    DialectError,
    EncodeError,
    InexpressibleError,
    LossError,
    SchemaError,
    ValidationError,
    WireshapeError,
)
from wireshape.options import Options
from wireshape.pipeline import can_express, compile
from wireshape.read import Schema
from wireshape.report import Note, Report

__version__ = "0.1.0"

__all__ = [
    "BudgetError",
    "Compiled",
    "DecodeError",
    "Dialect",
    "DialectError",
    "EncodeError",
    "InexpressibleError",
    "LossError",
    "Note",
    "Options",
    "Report",
    "Schema",
    "SchemaError",
    "ValidationError",
    "Violation",
    "WireshapeError",
    "can_express",
    "check",
    "compile",
    "dialect",
    "dialects",
    "load_dialect",
]
