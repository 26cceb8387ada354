"""Streams to a plan: pieces of calls that find together whatever hosts do to indexes and ids, and what ends a stream."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wireshape as ws
from wireshape.reply.assembly import Assembly
from wireshape.reply.blocks import Blocks
from wireshape.reply.delta import Delta, add_piece
from wireshape.reply.feed import MAX_BLANK
from wireshape.testing import is_beginning

TEXT = {"type": "string"}


def taking(*required: str, **properties: Any) -> Any:
    return {"type": "object", "properties": properties, "required": list(required)}


LETTER = taking("a", a=TEXT)
PLAN = ws.plan(
    "openai-non-strict",
    [
        ws.Tool("w", LETTER),
        ws.Tool("k", LETTER),
        ws.Tool("s", LETTER),
        ws.Tool("ping"),
        ws.Tool("maps it", taking(m={"type": "object", "additionalProperties": {"type": "integer"}})),
    ],
)  # fmt: skip
CLAUDE = ws.plan("anthropic-non-strict", [ws.Tool("s", LETTER)])
STRICT = ws.plan("openai-strict", [ws.Tool("maps it", taking(m={"type": "object", "additionalProperties": TEXT}))])  # fmt: skip
ANSWER = ws.plan("openai-strict", output=taking("a", "n", a=TEXT, n={"type": "integer"}))


def piece(index: Any = None, id: Any = None, name: Any = None, arguments: Any = None) -> Any:  # noqa: A002
    function = {k: v for k, v in (("name", name), ("arguments", arguments)) if v is not None}
    call = {k: v for k, v in (("index", index), ("id", id)) if v is not None}
    return {"choices": [{"index": 0, "delta": {"tool_calls": [{**call, "function": function}]}}]}


def said(text: str) -> Any:
    return {"choices": [{"index": 0, "delta": {"content": text}}]}


def end(reason: str = "tool_calls") -> Any:
    return {"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}


def streamed(plan: ws.Plan, *events: Any, api: str | None = None) -> ws.Outcome:
    feed = plan.stream(api)
    for event in events:
        feed.push(event)
    return feed.finish()


def called(outcome: ws.Outcome) -> list[tuple[str | None, str, Any]]:
    assert outcome.kind == "tool_calls", outcome
    return [(call.id, call.name, call.arguments) for call in outcome.calls]


# how pieces find together

P, Q = '{"a":"p"}', '{"a":"q"}'
TWO = [("c1", "s", {"a": "p"}), ("c2", "s", {"a": "q"})]
ONE = [("c1", "s", {"a": "p"})]


@pytest.mark.parametrize(
    ("pieces", "calls", "flags"),
    [
        (
            [piece(id="c1", name="w", arguments='{"a":"x"}'), piece(id="c2", name="k", arguments='{"a":"y"}')],
            [("c1", "w", {"a": "x"}), ("c2", "k", {"a": "y"})],
            (),
        ),
        ([piece(0, "c1", "s", P), piece(0, "c2", "s", Q)], TWO, ()),
        ([piece(0, "c1", "s", '{"a":'), piece(1, arguments='"p'), piece(2, arguments='"}')], ONE, ("index-drift",)),
        ([piece(0, "c1", "ping", ""), piece(0, arguments="")], [("c1", "ping", {})], ("empty-as-object",)),
        ([piece(0, "c1", "ping", ""), piece(0, "c2", "ping", "")], [("c1", "ping", {}), ("c2", "ping", {})], ("empty-as-object",)),
        ([piece(0, "c1", "ping")], [("c1", "ping", {})], ("empty-as-object",)),
        ([piece(0, "c1", "s", ""), piece(1, "c2", "s", ""), piece(0, arguments=P), piece(1, arguments=Q)], TWO, ()),
        ([piece(0, "c1", "s", '{"a":'), piece(0, "c1", "s", '"p"'), piece(0, "c1", "s", "}")], ONE, ()),
        ([piece(0, "c1", "s", '{"a":'), piece(0, "c7", arguments='"p"'), piece(0, "c8", arguments="}")], ONE, ()),
        ([piece(0, "c1", "s"), piece(id="c1", arguments='{"a":"p'), piece(id="c1", arguments='"}')], ONE, ()),
        ([piece(0, None, "s", P), piece(0, None, "s", Q)], [(None, "s", {"a": "p"}), (None, "s", {"a": "q"})], ()),
        ([piece(None, None, "s", P), piece(None, None, "s", Q)], [(None, "s", {"a": "p"}), (None, "s", {"a": "q"})], ()),
        ([piece(None, None, "s", '{"a":'), piece(None, None, "s", '"p"'), piece(arguments="}")], [(None, "s", {"a": "p"})], ()),
        ([piece(0, "c1", "s", '{"a":'), piece(0, None, "k", Q), piece(0, arguments="")], [("c1", "s", None), (None, "k", {"a": "q"})], ()),
        ([piece(0, arguments='{"a":'), piece(0, "c1", "s"), piece(0, arguments='"p"}')], ONE, ()),
        ([piece(0, "c1", "s", P), piece(0, "c1", "s", " \n"), piece(5, arguments=" ")], ONE, ()),
        ([piece(0, "c1", "s", {"a": "p"}), piece(0, "c1", None, "{}")], ONE, ()),
        ([piece(0, "c1", "s", P), piece(1, "c2", "s", '{"a":'), piece(0, arguments='"q"}')], TWO, ("index-drift",)),
        ([piece(0, "c1", "s", P), piece(0, "c1", "k", Q)], [("c1", "s", {"a": "p"}), ("c1", "k", {"a": "q"})], ()),
        ([piece(0, "c1", "s", '{"a":"\\'), piece(0, arguments='"}'), piece(0, arguments='"}')], [("c1", "s", {"a": '"}'})], ()),
    ],
)  # fmt: skip
def test_pieces_of_calls_find_together(pieces: list[Any], calls: Any, flags: Any) -> None:
    outcome = streamed(PLAN, *pieces, end())
    assert called(outcome) == calls
    assert set(flags) == set(outcome.flags)


def test_pieces_without_a_call_are_a_call_without_a_name() -> None:
    outcome = streamed(PLAN, piece(0, "c1", "s", P), piece(1, arguments=Q), end())
    assert called(outcome) == [("c1", "s", {"a": "p"}), (None, "", None)]
    assert outcome.calls[1].problems[0].code == "WS643"


def test_arguments_that_are_damaged_are_never_none() -> None:
    plan = ws.plan("anthropic-non-strict", [ws.Tool("echo", taking("text", text=TEXT))])
    start = {"type": "tool_use", "id": "c1", "name": "echo", "input": {}}
    delta = {"type": "input_json_delta", "partial_json": '{"text": "a\u201d}'}
    outcome = streamed(
        plan,
        {"type": "content_block_start", "index": 0, "content_block": start},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "message_delta", "delta": {"stop_reason": "tool_use"}},
    )
    assert (outcome.kind, outcome.calls[0].id, outcome.calls[0].name) == ("failed", "c1", "echo")
    assert outcome.calls[0].arguments is None
    assert outcome.calls[0].problems


@given(
    calls=st.lists(st.tuples(st.sampled_from("wks"), st.text(max_size=8)), min_size=1, max_size=4),
    data=st.data(),
)
def test_calls_that_are_cut_anywhere_and_interleaved(
    calls: list[tuple[str, str]], data: st.DataObject
) -> None:
    """The outcome is that of the body, and every look is the beginning of the next."""
    texts = [json.dumps({"a": value}) for _, value in calls]
    queues = [
        [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]
        for text in texts
        for cuts in [sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=5)))]
    ]
    feed = PLAN.stream()
    begun: set[int] = set()
    looks: list[Any] = []
    while any(queues):
        free = [i for i, queue in enumerate(queues) if queue and (i in begun or i == len(begun))]
        at = data.draw(st.sampled_from(free))
        name = calls[at][0] if at not in begun else None
        feed.push(piece(at, f"c{at}" if name else None, name, queues[at].pop(0)))
        begun.add(at)
        looks.append([call.arguments for call in feed.calls])
    feed.push(end())
    body = {
        "choices": [
            {
                "message": {
                    "tool_calls": [
                        {"id": f"c{i}", "function": {"name": name, "arguments": texts[i]}}
                        for i, (name, _) in enumerate(calls)
                    ]
                },
                "finish_reason": "tool_calls",
            }
        ]
    }
    assert feed.finish() == PLAN.route(body)
    for look in looks:
        for arguments, (_, value) in zip(look, calls, strict=False):
            assert arguments is None or is_beginning(arguments, {"a": value})


def test_an_assembly_takes_what_came_whole() -> None:
    def gathered(*deltas: Delta) -> list[Any]:
        assembly = Assembly()
        for delta in deltas:
            assembly.take(delta)
        return [call.arguments for call in assembly.calls]

    def whole(arguments: Any, index: int | None = None, name: str | None = "s") -> Delta:
        return Delta("call", name=name, index=index, arguments=arguments, whole=True)

    assert gathered(whole({}), whole({}), whole({"a": 1})) == [{}, {}, {"a": 1}]
    text = Delta("call", index=0, name=None, arguments="[1]")
    assert gathered(whole({}, 0), text) == ["[1]"]
    assert gathered(text, whole({}, 0, None)) == ["[1]"]
    assert gathered(text, whole("[1]", 0, None)) == ["[1]"]
    assert gathered(whole("", 0)) == [""]
    assert gathered(Delta("call", name="s")) == [None]


# what can be seen


def test_calls_are_seen_as_they_grow_under_their_own_names() -> None:
    feed = STRICT.stream()
    assert feed.push(piece(0, "c1", "maps_it", '{"m": [{"key": "x", "val'))
    assert feed.calls == (ws.Call("maps it", {"m": {}}, "c1"),)
    assert not feed.push(piece(0, arguments='ue": '))
    assert feed.push(piece(0, arguments='"on'))
    assert feed.calls == (ws.Call("maps it", {"m": {"x": "on"}}, "c1"),)
    assert feed.push(piece(0, arguments='e"}]}'))
    assert called(feed.finish()) == [("c1", "maps it", {"m": {"x": "one"}})]


def test_calls_that_have_no_name_yet_or_none_that_is_known() -> None:
    feed = PLAN.stream()
    assert not feed.push(piece(0, "c1", None, '{"a": "p'))
    assert feed.calls == ()
    assert feed.push(piece(0, name="s"))
    assert feed.calls == (ws.Call("s", {"a": "p"}, "c1"),)
    assert feed.push(piece(1, "c2", "functions.k:1", '{"a": "q'))
    assert feed.calls[1] == ws.Call("k", {"a": "q"}, "c2")
    assert feed.push(piece(2, "c3", "nobody", '{"a": "q'))
    assert feed.calls[2] == ws.Call("nobody", None, "c3")


def test_arguments_that_come_again_as_a_whole() -> None:
    def item(kind: str, arguments: str) -> Any:
        call = {"type": "function_call", "call_id": "c1", "name": "s", "arguments": arguments}
        return {"type": f"response.output_item.{kind}", "output_index": 0, "item": call}

    def grown(text: str) -> Any:
        kind = "response.function_call_arguments.delta"
        return {"type": kind, "output_index": 0, "delta": text}

    feed = PLAN.stream("responses")
    assert feed.push(item("added", ""))
    assert feed.push(grown('{"a": "p'))
    assert feed.push(grown('"}')) is feed.push(item("done", '{"a": "p"}')) is False
    assert feed.calls == (ws.Call("s", {"a": "p"}, "c1"),)
    assert feed.push(item("done", '{"a": "pq"}'))
    assert feed.calls == (ws.Call("s", {"a": "pq"}, "c1"),)


def test_the_output_is_seen_as_it_grows() -> None:
    feed = ANSWER.stream()
    for text in ('{"a": "x', 'y", "n": 1', "}"):
        assert feed.push(said(text))
    feed.push(end("stop"))
    assert (feed.partial, feed.text) == ({"a": "xy", "n": 1}, '{"a": "xy", "n": 1}')
    assert feed.finish().value == {"a": "xy", "n": 1}
    assert ws.plan("openai-strict").stream().partial is None


def test_an_output_that_is_a_call() -> None:
    output = ws.Output(LETTER, name="done", carrier="tool")
    plan = ws.plan("anthropic-non-strict", [ws.Tool("s", LETTER)], output)
    feed = plan.stream("messages")
    start = {"type": "tool_use", "id": "c1", "name": "done", "input": {}}
    assert feed.push({"type": "content_block_start", "index": 1, "content_block": start})
    for text in ("", '{"a": "x'):
        delta = {"type": "input_json_delta", "partial_json": text}
        feed.push({"type": "content_block_delta", "index": 1, "delta": delta})
    assert (feed.partial, feed.calls) == ({"a": "x"}, ())
    other = {"type": "tool_use", "id": "c0", "name": "s", "input": {"a": "y"}}
    both = plan.stream("messages")
    for block in (other, {**start, "input": {"a": "x"}}):
        both.push({"type": "content_block_start", "index": block["id"], "content_block": block})
    assert (both.partial, both.calls) == ({"a": "x"}, (ws.Call("s", {"a": "y"}, "c0"),))
    delta = {"type": "input_json_delta", "partial_json": '"}'}
    feed.push({"type": "content_block_delta", "index": 1, "delta": delta})
    assert feed.finish().value == {"a": "x"}


# ends


def test_a_reply_that_was_cut_off() -> None:
    outcome = streamed(ANSWER, said('{"a": "x", "n": 12'), end("length"))
    assert (outcome.kind, outcome.truncated, outcome.partial) == ("failed", True, {"a": "x"})
    outcome = streamed(PLAN, piece(0, "c1", "s", '{"a": "x'), end("length"))
    assert (outcome.kind, outcome.truncated) == ("failed", True)


def test_a_call_whose_arguments_never_came() -> None:
    outcome = streamed(PLAN, piece(0, "c1", "ping", ""))
    assert (outcome.kind, outcome.truncated) == ("failed", True)
    assert called(streamed(PLAN, piece(0, "c1", "ping", ""), piece(0, arguments=""))) == [
        ("c1", "ping", {})
    ]
    feed = PLAN.stream()
    feed.push(piece(0, "c1", "ping", ""))
    assert called(feed.finish("tool_calls")) == [("c1", "ping", {})]


def test_a_stream_that_broke_off() -> None:
    feed = PLAN.stream()
    feed.push(piece(0, "c1", "s", {"a": "x"}))
    outcome = feed.finish("incomplete")
    assert (outcome.kind, outcome.truncated) == ("failed", True)
    feed = PLAN.stream()
    feed.push(piece(0, "c1", "s", {"a": "x"}))
    feed.push(end())
    assert called(feed.finish("incomplete")) == [("c1", "s", {"a": "x"})]


def test_refusals_and_filters() -> None:
    refusal = {"choices": [{"index": 0, "delta": {"refusal": "I can"}}]}
    outcome = streamed(ANSWER, refusal, {"choices": [{"index": 0, "delta": {"refusal": "not"}}]})
    assert (outcome.flags, outcome.text) == (("refusal",), "I cannot")
    assert streamed(ANSWER, said('{"a": "'), end("content_filter")).flags == ("blocked",)
    assert streamed(ANSWER, end(""), end("stop")).flags == ("empty",)


def test_an_api_that_found_something_reads_the_rest() -> None:
    def parts(*texts: str, **more: Any) -> Any:
        return {"candidates": [{"content": {"parts": [{"text": t} for t in texts]}, **more}]}

    feed = ANSWER.stream()
    feed.push(parts('{"a": "x"'))
    feed.push(said("not of this API"))
    feed.push(parts(', "n": 1}', finishReason="RECITATION"))
    assert feed.partial == {"a": "x", "n": 1}
    assert feed.finish().flags == ("blocked",)


def test_an_error_ends_a_reply() -> None:
    error = {"error": {"message": "overloaded", "type": "server_error"}}
    outcome = streamed(ANSWER, said('{"a": "x", "n": 1}'), error, end("stop"))
    assert (outcome.kind, outcome.flags, outcome.truncated) == ("failed", ("error",), True)
    assert (outcome.partial, outcome.text) == ({"a": "x", "n": 1}, '{"a": "x", "n": 1}')
    assert "overloaded" in outcome.evidence[0].message
    assert streamed(ANSWER, error) == ANSWER.route(error)
    assert streamed(ANSWER, said('{"a": "x", "n": 1}'), end("stop"), error).kind == "output"
    broken = streamed(ANSWER, said('{"a": "x'), b'data: {"choices": [\n\n', said('y", "n": 1}'))
    assert (broken.kind, broken.flags) == ("failed", ("error",))


def test_an_error_that_repeats_what_the_model_wrote() -> None:
    attempt = '{"name": "s", "arguments": {"a": "p"}}'
    error = {"error": {"message": "bad call", "code": "tool_use_failed", "failed_generation": attempt}}  # fmt: skip
    assert streamed(PLAN, error) == PLAN.route(error)
    assert called(streamed(PLAN, said("hm"), error)) == [(None, "s", {"a": "p"})]


def test_white_space_without_end_stops_the_stream() -> None:
    feed = PLAN.stream()
    feed.push(piece(0, "c1", "s", '{"a": "p", '))
    count = 0
    while feed.stopped is None:
        feed.push(piece(0, arguments=" \n"))
        count += 1
    assert count <= MAX_BLANK
    assert not feed.push(piece(0, arguments="}"))
    outcome = feed.finish()
    assert (outcome.kind, outcome.flags) == ("failed", ("whitespace-runaway",))
    assert outcome.partial == {"a": "p"}
    assert feed.finish() is outcome
    text = ANSWER.stream()
    text.push(said('{"a":' + " " * 5000))
    text.push({"choices": [{"delta": {"content": "x", "refusal": "y"}}]})
    assert text.stopped == "whitespace-runaway"
    both = ws.plan("openai-strict", [ws.Tool("s", LETTER)], output=LETTER).stream()
    both.push({"choices": [{"delta": {"content": "{" + " " * 5000, "tool_calls": [{"id": "c"}]}}]})
    assert (both.stopped, both.calls) == ("whitespace-runaway", ())


def test_a_finished_stream_takes_nothing_more() -> None:
    feed = ANSWER.stream()
    feed.push(said('{"a": "x", "n": 1}'))
    outcome = feed.finish("stop")
    assert (outcome.kind, feed.stopped) == ("output", "finished")
    assert not feed.push(said("more"))
    assert feed.finish() is outcome


@pytest.mark.parametrize("event", [None, 7, [], {}, "", b"", "\x00", b"\xff", {"choices": 3}, object()])  # fmt: skip
def test_nothing_that_arrives_raises(event: Any) -> None:
    assert streamed(ANSWER, event, event).kind == "failed"
    assert streamed(ANSWER, said('{"a": "x",'), event, said(' "n": 1}')).kind == "output" or isinstance(event, str | bytes)  # fmt: skip


@pytest.mark.parametrize(
    "given", [b"x", 10**5000, [10**5000], {"a": b"x"}, object(), float("nan")], ids=range(6)
)
def test_arguments_that_are_no_json_do_not_raise(given: Any) -> None:
    plan = ws.plan("openai-non-strict", [ws.Tool("f", taking(a={"type": "string"}))])
    for arguments in (given, {"a": given}):
        made = [{"id": "c", "index": 0, "function": {"name": "f", "arguments": arguments}}]
        feed = plan.stream("chat")
        feed.push({"choices": [{"delta": {"tool_calls": made}}]})
        assert feed.calls[0].arguments is None or "a" not in feed.calls[0].arguments
        body = {"choices": [{"message": {"tool_calls": made}}]}
        outcome = feed.finish("tool_calls")
        assert [c.arguments for c in plan.route(body, "chat").calls] == [None]
        assert outcome.kind == "failed"


def test_an_api_that_the_row_does_not_have() -> None:
    with pytest.raises(ws.DialectError):
        PLAN.stream("nothing")


# a reply that is begun again, or comes once more as a whole


def message(id_: str | None, *content: Any, stop: str | None = None) -> Any:
    return {
        "type": "message_start",
        "message": {"id": id_, "content": list(content), "stop_reason": stop},
    }


def tool_use(index: int, id_: str, name: str = "s", **given: Any) -> Any:
    block = {"type": "tool_use", "id": id_, "name": name, "input": given}
    return {"type": "content_block_start", "index": index, "content_block": block}


def input_json(index: int, text: str) -> Any:
    delta = {"type": "input_json_delta", "partial_json": text}
    return {"type": "content_block_delta", "index": index, "delta": delta}


STOP = {"type": "message_delta", "delta": {"stop_reason": "tool_use"}}


def test_a_reply_that_is_begun_again_takes_the_place_of_the_first() -> None:
    feed = CLAUDE.stream("messages")
    for event in (message("m1"), tool_use(1, "c1"), input_json(1, '{"a": "p')):
        feed.push(event)
    feed.push({"type": "error", "error": {"message": "overloaded"}})
    assert feed.calls == (ws.Call("s", {"a": "p"}, "c1"),)
    assert feed.push(message("m2"))
    assert feed.calls == ()
    for event in (tool_use(1, "c2"), input_json(1, '{"a": "q"}'), STOP):
        feed.push(event)
    outcome = feed.finish()
    assert called(outcome) == [("c2", "s", {"a": "q"})]
    assert outcome.flags == ("restarted",)


def test_a_beginning_that_comes_twice_or_says_nothing_new() -> None:
    rest = [tool_use(0, "c1"), input_json(0, '{"a": "p"}'), STOP]
    for begun in ([message("m1"), message("m1")], [message(None), message("m1")], [message("m0"), message("m1")]):  # fmt: skip
        outcome = streamed(CLAUDE, *begun, *rest, api="messages")
        assert (called(outcome), outcome.flags) == (ONE, ())
    split = streamed(CLAUDE, message("m1"), rest[0], message("m1"), message(None), *rest[1:], api="messages")  # fmt: skip
    assert (called(split), split.flags) == (ONE, ())


def test_a_reply_after_the_end_of_another_goes_on_with_it() -> None:
    first = [message("m1"), tool_use(0, "c1"), input_json(0, P), STOP]
    outcome = streamed(CLAUDE, *first, message("m2"), tool_use(0, "c2"), input_json(0, Q), STOP, api="messages")  # fmt: skip
    assert (called(outcome), outcome.flags) == (TWO, ())


def test_calls_that_come_with_the_beginning() -> None:
    block = {"type": "tool_use", "id": "c1", "name": "s", "input": {"a": "p"}}
    begun = message("m1", {"type": "text", "text": "So"}, block, stop="tool_use")
    outcome = streamed(CLAUDE, begun, {"type": "message_stop"}, api="messages")
    assert (called(outcome), outcome.text) == (ONE, "So")


def answered(*output: Any, kind: str = "completed", **more: Any) -> Any:
    return {"type": f"response.{kind}", "response": {"status": kind, "output": list(output), **more}}  # fmt: skip


def test_a_reply_that_comes_once_more_as_a_whole() -> None:
    item = {"type": "message", "content": [{"type": "output_text", "text": '{"a": "xy", "n": 1}'}]}
    pieces = [{"type": "response.output_text.delta", "delta": d} for d in ('{"a": "x', 'y", "n": 1}')]  # fmt: skip
    for some, flags in ((pieces, ()), (pieces[:1], ("pieces-differ",)), (pieces[1:], ("pieces-differ",)), ([], ("pieces-differ",))):  # fmt: skip
        outcome = streamed(ANSWER, *some, answered(item), api="responses")
        assert (outcome.value, outcome.flags) == ({"a": "xy", "n": 1}, flags)
    for last in (answered(), answered({"type": "reasoning", "summary": []})):
        assert streamed(ANSWER, *pieces, last, api="responses").value == {"a": "xy", "n": 1}
    half = {"type": "message", "content": [{"type": "output_text", "text": '{"a": "x'}]}
    cut = answered(half, kind="incomplete", incomplete_details={"reason": "max_output_tokens"})
    assert streamed(ANSWER, pieces[0], cut, api="responses").truncated
    call = {"type": "function_call", "call_id": "c1", "name": "s", "arguments": P}
    outcome = streamed(PLAN, answered(call), api="responses")
    assert (called(outcome), outcome.flags) == (ONE, ("pieces-differ",))
    body = answered(call)["response"]
    assert outcome.calls == PLAN.route(body, "responses").calls


# characters that were cut in two


@pytest.mark.parametrize("empty", [[], [""]])
def test_the_halves_of_a_character_in_two_events(empty: list[str]) -> None:
    for text in ('{"a": "x\U0001f600y", "n": 1}', '{"a": "\U0001f600\U0001f601", "n": 1}'):
        pieces: list[str] = []
        for char in text:
            code = ord(char) - 0x10000
            pieces += [char] if code < 0 else [chr(0xD800 + (code >> 10)), *empty, chr(0xDC00 + (code & 0x3FF))]  # fmt: skip
        feed = ANSWER.stream()
        for one in pieces:
            feed.push(said(one))
            assert not any("\ud800" <= c <= "\udfff" for c in str(feed.partial))
        assert (feed.text, feed.partial) == (text, json.loads(text))
        assert feed.finish().value == json.loads(text)
    halves = ['{"a": "\ud83d', *empty, '\ude00"}']
    for way in ([piece(0, "c1", "s", halves[0]), *[piece(0, arguments=h) for h in halves[1:]]],):
        assert called(streamed(PLAN, *way, end())) == [("c1", "s", {"a": "\U0001f600"})]


def test_pieces_that_complete_nothing_stay_as_they_are() -> None:
    for before, piece_ in ((["a"], "\ude00"), ([""], "\ude00"), (["\ud83d"], "x")):
        parts = [*before]
        add_piece(parts, piece_)
        assert parts == [*before, piece_]
    blocks = Blocks()
    for odd in (Delta("block"), Delta("block", index=1, body="text")):
        blocks.take(odd, 0)
    assert blocks.before(0) == []


def test_half_a_character_is_none() -> None:
    for texts in (['{"a": "\ud83d', '", "n": 1}'], ['{"a": "\ude00', '", "n": 1}']):
        outcome = streamed(ANSWER, *[said(text) for text in texts])
        assert outcome.kind == "failed"
    feed = ws.compile(LETTER, "lenient").stream()
    for chunk in ('{"a": "\ud83d', b'\xf0\x9f\x98\x80"}'):
        feed.push(chunk)
    assert feed.finish().kind == "failed"


# pieces of the response

EVENTS = [said('{"a": "x'), said('é", "n"'), said(": 1}"), end("stop")]
SSE = "".join([f"event: e\ndata: {json.dumps(e, ensure_ascii=False)}\n\n" for e in EVENTS])


@pytest.mark.parametrize("size", [1, 5, 64, 10_000])
def test_the_bytes_of_a_response(size: int) -> None:
    for whole in (SSE + "data: [DONE]\n\n", "".join([json.dumps(e) + "\n" for e in EVENTS])):
        raw = whole.encode()
        outcome = streamed(ANSWER, *[raw[i : i + size] for i in range(0, len(raw), size)])
        assert outcome.value == {"a": "xé", "n": 1}
        assert outcome == streamed(ANSWER, *EVENTS)


def test_a_response_that_ends_inside_an_event() -> None:
    raw = SSE.encode()[:-30]
    outcome = streamed(ANSWER, raw)
    assert (outcome.kind, outcome.flags, outcome.truncated) == ("failed", ("error",), True)
    assert streamed(ANSWER, SSE.rstrip().removesuffix("}")).flags == ("error",)


def test_the_lines_of_a_response() -> None:
    lines = (SSE + "data: [DONE]\n\n").split("\n")
    ways: list[list[Any]] = [
        lines,
        [line for line in lines if line],
        [line.encode() for line in lines],
        [line + "\n" for line in lines],
        (SSE + "data: [DONE]\n\n").split("\n\n"),
    ]
    for way in ways:
        feed = ANSWER.stream()
        for line in way:
            feed.push(line)
        assert feed.partial == {"a": "xé", "n": 1}
        assert feed.finish().value == {"a": "xé", "n": 1}


def test_objects_of_a_client() -> None:
    class Chunk:
        """Dumps itself."""

        def __init__(self, event: Any) -> None:
            self.event = event

        def model_dump(self, **_: Any) -> Any:
            return self.event

    outcome = streamed(ANSWER, *[Chunk(event) for event in EVENTS])
    assert outcome.value == {"a": "xé", "n": 1}
