"""Sends again what was said before: decoded calls and their results become messages of an API; the inverse of `routing`.

Turn((Call("add it", {"a": 1}, "t1"),), results=[3])  ->  [{"role": "assistant", "tool_calls": [...]}, {"role": "tool", ...}]
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from types import NoneType
from typing import Any, NamedTuple, TypeAlias

from wireshape.api import Api, History
from wireshape.codes import CODES
from wireshape.compiled import Compiled
from wireshape.errors import DialectError, EncodeError, expect, expect_list, expect_text
from wireshape.ir import kind_of
from wireshape.names import legal_names
from wireshape.plain import fault, is_json
from wireshape.prompts import failed_call, no_result
from wireshape.reply import Call, Evidence
from wireshape.request import Body, compact, filled_with, place, put_all
from wireshape.response import protocol_of


@dataclass(frozen=True, slots=True)
class CallResult:
    """What a call came to: any JSON value; `failed` when it is the error that the model should see.

    >>> CallResult("no such file", failed=True).value
    'no such file'
    """

    value: Any
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Turn:
    """What a model said once: its calls, as `route` gave them, and what they came to, in the same order.

    A result is a JSON value or a `CallResult`. `None` for all of them: they are not known yet. A call without one is told to the
    model as a call without a result, and one with `problems` as a call that could not be made; it is sent with empty arguments,
    since `route` gives it none. More results than calls are an EncodeError when the turn is sent.

    What a provider wants back with a call, such as signatures and blocks of reasoning, is its `Call.state`, and goes back as it
    came where the API is the same: so pass on the very calls that `route` or a feed gave. A turn without calls has none.

    >>> Turn(text="Hello").calls
    ()
    """

    calls: Sequence[Call] = ()
    results: Sequence[Any] | None = None
    text: str | None = None


class Speaker(NamedTuple):
    """What calls itself by a name of the caller, and is called by another on the wire."""

    wire_name: str
    compiled: Compiled


Said: TypeAlias = "Turn | Body"
"""A turn, or a message that is the API's own already."""


def replayed(
    said: Sequence[Said], api: Api, known: Mapping[str, Speaker], names: str | None
) -> list[Body]:
    """The messages of an API that say again what was said; `names` is the rule for names of tools that are not known any more."""
    how = api.history
    if not how.call:
        message = CODES["WS501"].template.format(
            what=f"API {api.name!r} takes no calls back", remedy="send its own messages again"
        )
        raise DialectError(message, code="WS501")
    expect_list("said", said, "`Turn`s in a list")
    for i, turn in enumerate(said):
        expect(f"said[{i}]", turn, (Turn, Mapping), "a `Turn`, or a message of the API")
        if isinstance(turn, Turn):
            _need_parts(f"said[{i}]", turn)
    turns = [turn for turn in said if isinstance(turn, Turn)]
    ids = iter(_ids([call for turn in turns for call in turn.calls], how))
    messages: list[Body] = []
    for turn in said:
        if isinstance(turn, Turn):
            sent = [_sent(call, next(ids), known, names) for call in turn.calls]
            states = [_state(call, protocol_of(api)) for call in turn.calls]
            messages += _spoken(turn, sent, states, how)
            messages += [] if turn.results is None else _answered(turn, turn.results, sent, how)
        else:
            messages.append(turn)
    return messages


def _need_parts(where: str, turn: Turn) -> None:
    """Refuse a turn that holds something else than it can, in words that name the place."""
    expect_list(f"{where}.calls", turn.calls, "`Call`s in a list")
    for i, call in enumerate(turn.calls):
        at = f"{where}.calls[{i}]"
        expect(at, call, Call, "a `Call`, as `route` gives it")
        expect(f"{at}.name", call.name, str, "the name of a tool")
        _need_text(f"{at}.name", call.name)
        _need_text(f"{at}.id", call.id)
        expect_list(f"{at}.problems", call.problems, "what `route` gave")
        for n, problem in enumerate(call.problems):
            expect(f"{at}.problems[{n}]", problem, Evidence, "`Evidence`")
        expect(f"{at}.state", call.state, (dict, NoneType), "what `route` gave, or None")
        before = (call.state or {}).get("before", [])
        expect_list(f"{at}.state['before']", before, "what `route` gave")
    if turn.results is not None:
        expect_list(f"{where}.results", turn.results, "results in a list, or None")
    _need_text(f"{where}.text", turn.text)


def _need_text(where: str, text: str | None) -> None:
    """A model may write what is no Unicode text, and no client sends that."""
    expect_text(where, text)
    plain = None if text is None else str.__str__(text)
    if not is_json(plain):
        message = f"{where} is {fault(plain)[1]}"
        raise EncodeError(message, code="WS620")


def _ids(calls: Sequence[Call], how: History) -> list[str | None]:
    """Ids to the rule of the API, distinct and the same each time; one that is legal stays."""
    if not how.ids:
        return [call.id for call in calls]
    wanted = [
        call.id or how.id_stem + sha256(f"{i}\0{call.name}".encode()).hexdigest()[:24]
        for i, call in enumerate(calls)
    ]
    return list(legal_names(wanted, how.ids))


def _sent(
    call: Call, id_: str | None, known: Mapping[str, Speaker], names: str | None
) -> dict[str, Any]:
    """The values of a call for the templates."""
    speaker = known.get(call.name)
    arguments: Any = {} if call.arguments is None else call.arguments
    if speaker is not None and not call.problems:
        name, arguments = speaker.wire_name, speaker.compiled.encode(arguments)
    else:
        name = speaker.wire_name if speaker else legal_names([call.name], names)[0]
        _need_json(arguments)
    return {
        "$id": id_,
        "$name": name,
        "$arguments": arguments,
        "$arguments_text": compact(arguments),
    }


def _state(call: Call, protocol: str) -> tuple[list[Any], Any]:
    """What the API wants back with a call, if it came from the same: the blocks before it, and what was kept of it."""
    state = call.state or {}
    if state.get("protocol") != protocol:
        return [], None
    _need_json({**state, "before": _without_bytes(state.get("before", []), _BLOCK_DEPTH)})
    return copy.deepcopy((list(state.get("before", ())), state.get("kept")))


_BLOCK_DEPTH = 64
"""How deep in a block of reasoning bytes may be."""


def _without_bytes(value: Any, depth: int) -> Any:
    """What of a block must be JSON: a client that gives some of it as bytes takes them so again."""
    kind = kind_of(value)
    if kind is dict and depth:
        return {k: _without_bytes(v, depth - 1) for k, v in value.items()}
    if kind is list and depth:
        return [_without_bytes(v, depth - 1) for v in value]
    return "" if kind is bytes else value


def _spoken(
    turn: Turn,
    sent: Sequence[dict[str, Any]],
    states: Sequence[tuple[list[Any], Any]],
    how: History,
) -> list[Body]:
    """What the model said: one message, or one for the text and one for each call; blocks before the text are first."""
    messages: list[Body] = []
    if not how.call_at:
        messages += states[0][0] if states else []
    if turn.text or (sent and how.call_at):
        message: Body = filled_with(how.turn, {})
        messages.append(message)
        for block in states[0][0] if states and how.call_at else ():
            place(message, how.call_at, block)
        if turn.text:
            place(message, how.text_at, filled_with(how.text, {"$text": turn.text}))
    for i, values in enumerate(sent):
        before, kept = states[i]
        call = filled_with(how.call, values)
        if kept is not None and how.kept_at:
            place(call, how.kept_at, kept)
        parts = [*(before if i else []), call]
        if not how.call_at:
            messages += parts
        for part in parts if how.call_at else ():
            place(messages[0], how.call_at, part)
    return messages


def _answered(
    turn: Turn, results: Sequence[Any], sent: Sequence[dict[str, Any]], how: History
) -> list[Body]:
    """What the calls came to."""
    if len(results) > len(turn.calls):
        message = CODES["WS626"].template.format(given=len(results), asked=len(turn.calls))
        raise EncodeError(message, code="WS626")
    messages: list[Body] = []
    for i, (call, values) in enumerate(zip(turn.calls, sent, strict=True)):
        given = results[i] if i < len(results) else None
        if call.problems and given is None:
            given = CallResult(failed_call([(p.pointer, p.message) for p in call.problems]), True)
        elif i >= len(results):
            given = CallResult(no_result(), failed=True)
        one = given if isinstance(given, CallResult) else CallResult(given)
        result = filled_with(how.result, {**values, **_result_values(one)})
        if one.failed:
            put_all(result, how.failed)
        if not how.result_at:
            messages.append(result)
            continue
        if not messages:
            messages.append(filled_with(how.results, {}))
        place(messages[0], how.result_at, result)
    return messages


def _result_values(one: CallResult) -> dict[str, Any]:
    _need_json(one.value)
    text = one.value if type(one.value) is str else compact(one.value)
    whole: Any = {"error": one.value} if one.failed else {"result": one.value}
    if kind_of(one.value) is dict and not one.failed:
        whole = one.value
    return {"$result": whole, "$result_text": text}


def _need_json(value: Any) -> None:
    if not is_json(value):
        where, what = fault(value)
        raise EncodeError(what, code="WS620", pointer=where)
