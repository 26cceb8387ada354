"""Well-formed responses: the texts, calls and the end of a reply, found where the API of a row says; nothing is repaired."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from wireshape.api import Api
from wireshape.ir import kind_of


class Asked(NamedTuple):
    """One call as it stands in a response: `arguments` is JSON text or a value, as the API has it."""

    name: str
    arguments: Any
    id: str | None


class Reply(NamedTuple):
    """What a response holds."""

    text: str | None
    calls: tuple[Asked, ...]
    refusal: str | None
    stop: str | None


def read_response(body: Any, api: Api) -> Reply:
    """Find what a response body holds.

    >>> import wireshape as ws
    >>> from wireshape.dialect_apis import apis_of
    >>> chat = apis_of(ws.dialect("openai-strict"))[0]
    >>> read_response({"choices": [{"message": {"content": "{}"}, "finish_reason": "stop"}]}, chat).text
    '{}'
    """
    texts = [
        text
        for part in (_found(body, api.texts, api.texts_only) if api.text else ())
        for text in _at(part, api.text)
        if type(text) is str
    ]
    calls: list[Asked] = []
    for part in _found(body, api.calls, api.calls_only) if api.call_name else ():
        name = _first(part, api.call_name)
        if type(name) is str:
            id_ = _first(part, api.call_id) if api.call_id else None
            calls.append(
                Asked(name, _first(part, api.arguments), id_ if type(id_) is str else None)
            )
    refusal = _first(body, api.refusal) if api.refusal else None
    stop = _first(body, api.stop) if api.stop else None
    return Reply(
        "".join(texts) if texts else None,
        tuple(calls),
        refusal if type(refusal) is str else None,
        stop if type(stop) is str else None,
    )


def _found(body: Any, pointer: str, only: str) -> Iterator[Any]:
    for part in _at(body, pointer):
        if all([_holds(part, condition) for condition in only.split(",") if condition]):
            yield part


def _holds(part: Any, condition: str) -> bool:
    word, _, value = condition.partition("=")
    if kind_of(part) is not dict:
        return False
    if word == "has":
        return value in part
    if word == "not":
        return not part.get(value)
    return bool(part.get(word) == value)


def _first(value: Any, pointer: str) -> Any:
    return next(_at(value, pointer), None)


def _at(value: Any, pointer: str) -> Iterator[Any]:
    """Every value at a pointer in which `*` stands for each item."""
    step, _, rest = pointer[1:].partition("/")
    if not pointer:
        yield value
        return
    rest = f"/{rest}" if rest else ""
    if step == "*":
        if kind_of(value) is list:
            for item in value:
                yield from _at(item, rest)
    elif kind_of(value) is dict:
        if step in value:
            yield from _at(value[step], rest)
    elif kind_of(value) is list and step.isdecimal() and int(step) < len(value):
        yield from _at(value[int(step)], rest)
