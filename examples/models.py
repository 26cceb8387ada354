"""The same kinds of schema as Pydantic models: compile one with `wireshape compile models:Booking -d openai-strict`."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field


class Board(StrEnum):
    """What meals are included."""

    none = "none"
    breakfast = "breakfast"
    full = "full"


class Guest(BaseModel):
    name: str
    born: dt.date | None = None
    wishes: dict[str, str] = {}


class ByCard(BaseModel):
    kind: Literal["card"]
    last4: Annotated[str, Field(pattern=r"^\d{4}$")]


class AtDesk(BaseModel):
    kind: Literal["desk"]
    deposit: Decimal = Field(gt=0, decimal_places=2)


class Booking(BaseModel):
    """A booking of a hotel room."""

    model_config = ConfigDict(populate_by_name=True)

    room: int = Field(alias="roomNumber", ge=1)
    nights: tuple[dt.date, dt.date] = Field(description="arrival and departure")
    board: Board = Board.breakfast
    guests: list[Guest] = Field(min_length=1)
    payment: ByCard | AtDesk = Field(discriminator="kind")


EXAMPLE = Booking(
    room=12,
    nights=(dt.date(2026, 5, 1), dt.date(2026, 5, 4)),
    guests=[Guest(name="Ada", born=dt.date(1985, 12, 10), wishes={"pillow": "soft"})],
    payment=AtDesk(kind="desk", deposit=Decimal("50.00")),
)
