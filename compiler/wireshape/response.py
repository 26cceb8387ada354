"""What a response body or a stream event holds, found where the API of a row says; nothing is repaired or judged here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from wireshape.api import Api, Replies, Rule
from wireshape.api_paths import first, found
from wireshape.ir import kind_of
from wireshape.reply.delta import Delta
from wireshape.reply.quirks.patches import patched
from wireshape.request import Body, place, written
from wireshape.response_frames import Damaged
from wireshape.response_lines import EventLines


class Asked(NamedTuple):
    """One call as it stands in a response: `arguments` is JSON text or a value, as the API has it; `name` may be empty."""

    name: str
    arguments: Any
    id: str | None
    state: dict[str, Any] | None = None


class Reply(NamedTuple):
    """What a response holds. `attempt` is the text that a rejection repeats, `error` the message of one.

    `masked`: a filter changed parts of the text and let the rest through.
    """

    text: str | None = None
    calls: tuple[Asked, ...] = ()
    reasoning: str | None = None
    refusal: str | None = None
    stop: str | None = None
    error: str | None = None
    attempt: str | None = None
    masked: bool = False

    @property
    def says_something(self) -> bool:
        """Whether there is anything that a model or a filter said."""
        said = (self.text, self.reasoning, self.refusal, self.attempt)
        return bool(self.calls) or any([part is not None for part in said])


class EventReader:
    r"""Reads the events of one stream in turn, parsed (`read`) or as the bytes of the response (`feed`, at last `close`).

    >>> import wireshape as ws
    >>> from wireshape.dialect_apis import apis_of
    >>> chat = apis_of(ws.dialect("openai-strict"))[0]
    >>> [d.text for d in EventReader(chat).read({"choices": [{"index": 0, "delta": {"content": "Hi"}}]})]
    ['Hi']
    >>> [d.text for d in EventReader(chat).feed(b'data: {"choices": [{"delta": {"content": "Hi"}}]}\n\n')]
    ['Hi']
    """

    __slots__ = ("_announced", "_api", "_begun", "_has_ended", "_lines", "_open", "_reply")

    def __init__(self, api: Api) -> None:
        self._api = api
        self._reply = api.reply
        self._begun: str | None = None
        self._has_ended = False
        self._lines = EventLines()
        self._announced: set[int | str] = set()
        self._open: Delta | None = None

    def feed(self, piece: str | bytes) -> Iterator[Delta]:
        """Yield what the events add that this piece of the response completes."""
        for event in self._lines.feed(piece):
            yield from self.read(event)

    def close(self) -> Iterator[Delta]:
        """Yield what is left when the response has ended."""
        for event in self._lines.close():
            yield from self.read(event)
        if self._open is not None:
            yield self._cut()

    def read(self, event: Any) -> Iterator[Delta]:
        """Yield what one event adds to the reply, in the order of the rules of the API.

        An event is a JSON value or an object of a client; one that says nothing yields nothing. One that repeats what the model
        wrote, because it was refused, is an error whose `body` it is; and an exception is an error whatever its body holds.
        """
        if isinstance(event, Damaged):
            yield Delta("error", text=f"an event of the stream {event.why}", body=str(event))
            return
        event, failure = plain_of(event), raised(event)
        told = False
        for rule in self._reply.events:
            if rule.gives in _SPECIAL:
                for part in found(event, rule.at):
                    yield from self._special(part, rule)
                continue
            for delta in _deltas(event, rule):
                if delta.kind == "call" and rule.announced and delta.index not in self._announced:
                    continue
                if delta.kind == "call" and delta.name is not None and delta.index is not None:
                    self._announced.add(delta.index)
                if delta.kind == "stop" and self._open is not None:
                    yield self._cut()
                self._has_ended = self._has_ended or delta.kind == "stop"
                told = told or delta.kind == "error"
                yield delta
        if not told and (failure is not None or _attempt(event, self._reply) is not None):
            yield Delta("error", text=failure or "", body=event)

    def _special(self, part: Any, rule: Rule) -> Iterator[Delta]:
        if rule.gives == "pieces":
            yield from self._pieces(part, rule)
        elif rule.gives == "reply":
            yield Delta("reply", body=_read(part, self._api))
        else:
            yield from self._begin(_text(first(part, rule.id)))

    def _begin(self, name: str | None) -> Iterator[Delta]:
        """A reply with another id while one is open takes its place; one after the end goes on with it."""
        is_other = name is not None and self._begun not in (None, name)
        if is_other and not self._has_ended:
            self._announced, self._open = set(), None
            yield Delta("begin")
        self._begun, self._has_ended = name or self._begun, False

    def _pieces(self, part: Any, rule: Rule) -> Iterator[Delta]:
        begun, pieces, more = _call(part, rule), first(part, rule.arguments), first(part, rule.more)
        if begun.name is not None and (pieces is not None or more):
            if self._open is not None:
                yield self._cut()
            self._open = replace(begun, arguments={}, whole=True)
        if self._open is not None and self._open.kept is None:
            self._open = replace(self._open, kept=begun.kept)
        call = self._open
        if call is None or (begun.name is not None and not (pieces or more)):
            return
        if pieces is not None and not patched(call.arguments, pieces):
            yield self._cut()
        elif not more:
            self._open = None
            yield call

    def _cut(self) -> Delta:
        """What there is of a call that does not come to its end: JSON text without its end."""
        call, self._open = self._open, None
        assert call is not None, "only an open call can be cut"
        return replace(call, arguments=written(call.arguments)[:-1] or "{", whole=True)


_SPECIAL = frozenset({"pieces", "begin", "reply"})


def plain_of(response: Any) -> Any:
    """Return what a client gave as JSON: an object that can dump itself, or an error that has a body, as that; else as it is.

    >>> class Message:
    ...     def to_dict(self):
    ...         return {"content": "hi"}
    >>> plain_of(Message())
    {'content': 'hi'}
    """
    if kind_of(response) in _PLAIN:
        return response
    if isinstance(response, BaseException):
        return plain_of(getattr(response, "body", None))
    dump = getattr(response, "model_dump", None)
    if callable(dump):
        return dump(mode="json", exclude_none=True)
    dump = getattr(response, "to_dict", None)
    return dump() if callable(dump) else response


def raised(response: Any) -> str | None:
    """Return what an exception tells; `None` for what is no exception.

    >>> raised(TimeoutError("no answer")), raised({})
    ('TimeoutError: no answer', None)
    """
    if not isinstance(response, BaseException):
        return None
    return f"{type(response).__name__}: {' '.join(str(response).split())}".rstrip(": ")


_PLAIN: frozenset[object] = frozenset({dict, list, str, bytes, int, float, bool, type(None)})


def read_response(body: Any, api: Api, *, part: bool = False) -> Reply:
    """Find what a response body holds; `part`: what a part of one holds that comes alone.

    >>> import wireshape as ws
    >>> from wireshape.dialect_apis import apis_of
    >>> chat = apis_of(ws.dialect("openai-strict"))[0]
    >>> read_response({"choices": [{"message": {"content": "{}"}, "finish_reason": "stop"}]}, chat).text
    '{}'
    >>> read_response({"role": "assistant", "content": "{}"}, chat, part=True).text
    '{}'
    """
    if not part:
        return _read(body, api)
    best = Reply()
    for pointer in api.reply.inside if kind_of(body) in _CONTAINERS else ():
        whole: Body = {}
        place(whole, pointer, body)
        inner = _read(whole, api)
        if inner.says_something:
            return inner
        best = inner if best == Reply() else best
    return best


_CONTAINERS: frozenset[object] = frozenset({dict, list})


def _read(body: Any, api: Api) -> Reply:
    deltas = [delta for rule in api.reply.body for delta in _deltas(body, rule)]
    calls: list[Asked] = []
    before: list[Any] = []
    for d in deltas:
        if d.kind == "block":
            before.append(d.body)
        elif d.kind == "call" and (d.name or d.arguments):
            calls.append(Asked(d.name or "", d.arguments, d.id, state_of(api, before, d.kept)))
            before = []
    stops = [d.stop for d in deltas if d.kind == "stop"]
    return Reply(
        _joined(deltas, "text"),
        tuple(calls),
        _joined(deltas, "reasoning"),
        _joined(deltas, "refusal"),
        stops[0] if stops else None,
        _joined(deltas, "error"),
        _attempt(body, api.reply),
        any([d.kind == "masked" for d in deltas]),
    )


def state_of(api: Api, before: list[Any], kept: Any) -> dict[str, Any] | None:
    """What an API wants back with a call: the blocks before it, and what was kept of it; `None` when there is nothing."""
    held = {"before": before, "kept": kept}
    given = {word: what for word, what in held.items() if what}
    return {"protocol": protocol_of(api), **given} if given else None


def protocol_of(api: Api) -> str:
    """The name by which states are known to be of an API."""
    return api.protocol or api.name


def _attempt(body: Any, rules: Replies) -> str | None:
    """What the model wrote, where a rejection repeats it."""
    texts = [_text(text) for path in rules.attempts for text in found(body, path)]
    return next(filter(None, texts), None)


def _joined(deltas: list[Delta], kind: str) -> str | None:
    return "".join([d.text for d in deltas if d.kind == kind]) or None


def _deltas(value: Any, rule: Rule) -> Iterator[Delta]:
    for part in found(value, rule.at):
        if rule.gives == "call":
            yield _call(part, rule)
            continue
        if rule.gives == "block":
            yield _block(part, rule)
            continue
        text = first(part, rule.text)
        if rule.gives == "masked":
            yield Delta("masked")
        elif rule.gives == "error":
            yield Delta("error", text=_text(text) or "", body=value)
        elif rule.gives == "stop":
            if isinstance(text, str):
                yield Delta("stop", stop=str.__str__(text))
        elif rule.gives == "value":
            yield Delta("text", text=text if kind_of(text) is str else written(text))
        elif rule.gives in ("text", "reasoning", "refusal") and kind_of(text) is str:
            yield Delta(rule.gives, text=text)


def _block(part: Any, rule: Rule) -> Delta:
    index = first(part, rule.index)
    piece = first(part, rule.text) if rule.into else None
    return Delta(
        "block",
        index=index if kind_of(index) in _COUNTED else None,
        text=_text(piece) or "",
        into=rule.into,
        body=first(part, rule.arguments) if not rule.into else piece if rule.blob else None,
    )


def _call(part: Any, rule: Rule) -> Delta:
    if rule.blocks and first(part, rule.blocks) is not None:
        return Delta("block", body=part)
    index = first(part, rule.index) if rule.index else None
    arguments = first(part, rule.arguments) if rule.arguments else None
    return Delta(
        "call",
        index=index if kind_of(index) in _COUNTED else None,
        id=_text(first(part, rule.id)) if rule.id else None,
        name=_text(first(part, rule.name)) if rule.name else None,
        arguments=arguments,
        kept=first(part, rule.kept) if rule.kept else None,
        whole=rule.whole or not isinstance(arguments, str | None),  # a value comes in one piece
    )


_COUNTED: frozenset[object] = frozenset({int, str})


def _text(value: Any) -> str | None:
    return value if kind_of(value) is str and value else None
