"""What the type checkers must see of the public API; read by mypy and pyright, never run."""

from __future__ import annotations

from pathlib import Path
from typing import Any, assert_type

from pydantic import BaseModel

import wireshape as ws


class Order(BaseModel):
    sku: str


def sources() -> None:
    """Everything that compiles."""
    ws.compile({"type": "object"}, "openai-strict")
    ws.compile(True, "openai-strict")
    ws.compile('{"type": "object"}', "openai-strict")
    ws.compile(Path("order.json"), "openai-strict")
    ws.compile(Order, ws.dialect("xai-strict"))
    ws.compile(
        list[int], "lenient", name="numbers", description="a few", options=ws.Options(absent="box")
    )


def compiled() -> None:
    """One compilation."""
    c = ws.compile(Order, "openai-strict")
    assert_type(c, ws.Compiled)
    assert_type(c.schema, Any)
    assert_type(c.dialect, ws.Dialect)
    assert_type(c.report, ws.Report)
    assert_type(c.to_json(), str)
    assert_type(ws.Compiled.from_json(c.to_json()), ws.Compiled)
    assert_type(c.bind(Order), ws.Compiled)
    wire = c.encode(Order(sku="x"))
    c.validate(c.decode(wire))
    assert_type(c.stream(), ws.Feed)
    assert_type(c.stream().push(b"{"), bool)
    assert_type(c.stream().finish(), ws.Outcome)


def report(r: ws.Report) -> None:
    """The report and its notes."""
    assert_type(r.exact, bool)
    assert_type(r.widened, list[ws.Note])
    assert_type(r.narrowed, list[ws.Note])
    assert_type(r.notes, tuple[ws.Note, ...])
    assert_type(r.to_json(), dict[str, Any])
    for note in r.notes:
        assert_type(note.code, str)
        assert_type(note.quiet, bool)
        assert_type(note.pointer, str)
        assert_type(note.wire_pointer, str)


def dialects() -> None:
    """Rows."""
    assert_type(ws.dialects(), list[str])
    assert_type(ws.dialect("xai-strict"), ws.Dialect)
    assert_type(ws.load_dialect(Path("row.toml")), ws.Dialect)
    assert_type(ws.dialect_for("xai", "grok-5", api="tool"), ws.Dialect)


def failures() -> None:
    """Errors share one base and carry data."""
    try:
        ws.compile(False, "openai-strict")
    except ws.WireshapeError as e:
        assert_type(e.code, str)
        assert_type(e.pointer, str)
        assert_type(e.note, ws.Note | None)
    kinds: list[type[ws.WireshapeError]] = [
        ws.SchemaError,
        ws.DialectError,
        ws.InexpressibleError,
        ws.LossError,
        ws.BudgetError,
        ws.EncodeError,
        ws.DecodeError,
        ws.ValidationError,
    ]
    assert kinds


def requests() -> None:
    """A whole request, and what was said before."""
    tools = [ws.Tool("find", Order, strict="prefer", returns={"type": "object"}), ws.Tool("now")]
    p = ws.plan("anthropic-strict", tools, Order, model="claude-sonnet-5")
    assert_type(p, ws.Plan)
    assert_type(p.request("messages"), dict[str, Any])
    assert_type(p.reasons, tuple[str, ...])
    call = ws.Call("find", {"sku": "x"}, "id")
    said: list[ws.Turn | dict[str, Any]] = [
        ws.Turn([call], [ws.CallResult("gone", failed=True)]),
        {"role": "user"},
    ]
    assert_type(p.history(said), list[dict[str, Any]])
    assert_type(p.route({}), ws.Outcome)
