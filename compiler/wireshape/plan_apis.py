"""Which API of a row sends what a plan holds; every item needs a place in the same one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from wireshape.api import Api
from wireshape.codes import CODES
from wireshape.dialect import Dialect, dialect, dialects
from wireshape.dialect_apis import apis_of
from wireshape.errors import DialectError, shown
from wireshape.models import models_of
from wireshape.plan_items import Carrier


class Load(NamedTuple):
    """What an API has to carry: an item, by its carrier, and the row that it was compiled for."""

    carrier: Carrier
    home: Dialect


def api_of(row: Dialect, name: str | None, loads: Sequence[Load] = ()) -> Api:
    """Return an API of a row, by default the first that carries every load, else the first.

    Raises DialectError, which names those that there are.
    """
    apis = apis_of(row)
    if name is None and apis:
        return next((api for api in apis if _takes_all(api, loads)), apis[0])
    for api in apis:
        if api.name == name:
            return api
    known = ", ".join([repr(api.name) for api in apis]) or "none"
    what = f"{row.id} has no API {shown(name)}" if name else f"{row.id} states no API"
    raise _error(what, f"its APIs are {known}")


def place_of(load: Load, asked: Api, row: Dialect) -> Api:
    """Return the templates for a load: those of the same API in the row that it was compiled for, else those of the row itself.

    Raises DialectError when neither carries it.
    """
    found = _place(load, asked)
    if found is not None:
        return found
    others = [repr(api.name) for api in apis_of(row) if _place(load, api) is not None]
    what = f"API {asked.name!r} of {row.id} carries no {load.carrier}"
    raise _error(what, f"of its APIs {', '.join(others) or 'none'} can")


def need_api(row: Dialect, loads: Sequence[Load]) -> None:
    """Raise DialectError when a row states APIs, and none carries all of it; a row without templates sends nothing itself."""
    apis = apis_of(row)
    if not any([api.tool or api.output for api in apis]) or any(
        [_takes_all(api, loads) for api in apis]
    ):
        return
    for load in loads:
        if all([_place(load, api) is None for api in apis]):
            can = ", ".join(_others(row, load.carrier))
            remedy = f"of the same provider, {can} can" if can else "leave it out"
            what = f"no API of {row.id} carries {load.carrier!r}"
            raise _error(what, remedy)
    kinds = " and ".join(sorted({load.carrier for load in loads}))
    what = f"no API of {row.id} carries {kinds} in one request"
    raise _error(what, "split the request")


def _takes_all(api: Api, loads: Sequence[Load]) -> bool:
    return all([_place(load, api) is not None for load in loads])


def _place(load: Load, asked: Api) -> Api | None:
    same = [api for api in apis_of(load.home) if api.name == asked.name]
    return next((api for api in [*same, asked] if _carries(api, load.carrier)), None)


def _carries(api: Api, carrier: Carrier) -> bool:
    if carrier == "tool":
        return bool(api.tool)
    return carrier == "prompt" or bool(api.output)


def _others(row: Dialect, carrier: Carrier) -> list[str]:
    """The built-in rows for the same providers that have an API for it."""
    if row.id not in dialects():
        return []
    mine = set(models_of(row.id).providers)
    return [
        name
        for name in dialects()
        if mine.intersection(models_of(name).providers)
        and any([_carries(api, carrier) for api in apis_of(dialect(name))])
    ]


def _error(what: str, remedy: str) -> DialectError:
    return DialectError(CODES["WS501"].template.format(what=what, remedy=remedy), code="WS501")
