"""Emission: spells an IR graph as JSON; it decides spelling only, never meaning."""

from __future__ import annotations

from wireshape.emit.json_schema import emit, plain, stacks
from wireshape.emit.tally import Emitted

__all__ = ["Emitted", "emit", "plain", "stacks"]
