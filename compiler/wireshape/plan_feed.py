"""A streamed reply to a plan: events become text and calls that can be seen as they grow, then the outcome of the whole."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from wireshape.api import Api, Replies
from wireshape.plan_view import View
from wireshape.reply import Call, Outcome
from wireshape.reply.delta import Delta
from wireshape.reply.feed import Stopped
from wireshape.reply.quirks.marks import CUT_OFF, finish_word
from wireshape.response import EventReader, Reply, read_response
from wireshape.response_pieces import Pieces
from wireshape.routing import Desk, may_go_on, route_reply


class PlanFeed:
    """Takes the events of a streamed response, and shows the output, the calls and the text so far.

    An event is a JSON value, an object of a client, or a piece of the response: server-sent events or JSON lines, as text
    or bytes, cut anywhere or line by line. Pieces of calls find together by id, by index and by order. `push` tells whether
    more can be seen; `finish` gives the outcome, the same that `Plan.route` gives for the body that a response without
    streaming would have had. `stopped` is that of `Feed`: reasons to cancel the request.

    Where another reply begins before the end of the one that came so far (a proxy that tried again), that one is dropped, with
    the flag `restarted`: what was shown of it is taken back. Where the last event of a stream repeats all of the reply, that
    counts, and the flag `pieces-differ` tells that the pieces were not the same.

    A stream without the word that its API has for the end, and without `finish_reason`, has the flag `no-end`: it may have
    broken off. An output that could go on, such as the number `4`, which may be the beginning of `42`, is cut off then.

    A stream with an error in it before its end is `failed`, unless the error repeats what the model wrote; an exception of a
    client that is pushed is an error. A call whose
    arguments never came, not even as an empty piece, was cut off, if the stream has no word for its end. A piece of a call whose index nothing was
    announced for goes to the call that is open, with the flag `index-drift`. Nothing that arrives raises.

    >>> import wireshape as ws
    >>> find = ws.Tool("find it", {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]})
    >>> feed = ws.plan("openai-strict", [find]).stream()
    >>> def chunk(**delta):
    ...     return {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
    >>> for function in ({"name": "find_it", "arguments": ""}, {"arguments": '{"q": "ca'}, {"arguments": 'ts"}'}):
    ...     if feed.push(chunk(tool_calls=[{"index": 0, "function": function}])):
    ...         print(feed.calls)
    (Call(name='find it', arguments=None, id=None, problems=()),)
    (Call(name='find it', arguments={'q': 'ca'}, id=None, problems=()),)
    (Call(name='find it', arguments={'q': 'cats'}, id=None, problems=()),)
    >>> feed.finish().calls
    (Call(name='find it', arguments={'q': 'cats'}, id=None, problems=()),)
    """

    def __init__(self, apis: Sequence[Api], desk: Desk) -> None:
        self._desk = desk
        self._readers = [(api, EventReader(api)) for api in apis]
        self._pieces = Pieces()
        self._view = View(desk)
        self._errors: list[Delta] = []
        self._stop: str | None = None
        self._outcome: Outcome | None = None
        self.stopped: Stopped | None = None

    def push(self, event: Any) -> bool:
        """Take an event or a piece of the response; tell whether `text`, `partial` or `calls` changed.

        A feed that stopped takes nothing more.

        >>> import wireshape as ws
        >>> feed = ws.plan("openai-strict", output={"type": "object"}).stream()
        >>> feed.push(b'data: {"choices": [{"delta": {"content": "{"}}]}'), feed.push("data: [DO"), feed.push("NE]")
        (True, False, False)
        """
        before = self._view.changes
        for one in self._pieces.push(event) if self.stopped is None else ():
            self._read(one)
        return self._view.changes > before

    @property
    def text(self) -> str:
        """The text so far, calls and reasoning left out.

        >>> import wireshape as ws
        >>> feed = ws.plan("anthropic-strict").stream()
        >>> delta = {"type": "text_delta", "text": "Hi"}
        >>> feed.push({"type": "content_block_delta", "index": 0, "delta": delta}), feed.text
        (True, 'Hi')
        """
        return self._view.text

    @property
    def partial(self) -> Any:
        """The output so far, as `Feed.partial` has it; `None` when there is nothing.

        >>> import wireshape as ws
        >>> feed = ws.plan("gemini-openapi", output={"type": "array", "items": {"type": "integer"}}).stream()
        >>> feed.push({"candidates": [{"content": {"parts": [{"text": '{"value": [1, 2'}]}}]}), feed.partial
        (True, [1])
        """
        return self._view.partial

    @property
    def calls(self) -> tuple[Call, ...]:
        """The calls so far, under the names of the caller, with the arguments as `Feed.partial` has them.

        >>> import wireshape as ws
        >>> feed = ws.plan("ollama-tools", [ws.Tool("now")]).stream()
        >>> feed.push({"message": {"tool_calls": [{"function": {"name": "now", "arguments": {}}}]}}), feed.calls
        (True, (Call(name='now', arguments={}, id=None, problems=()),))
        """
        return self._view.calls

    def finish(self, finish_reason: str | None = None) -> Outcome:
        """Give the outcome of all that came; the feed takes nothing more.

        `finish_reason` is for streams that do not say it; `incomplete` for one that broke off.

        >>> import wireshape as ws
        >>> feed = ws.plan("openai-strict", output={"type": "object"}).stream()
        >>> outcome = feed.finish()
        >>> outcome.kind, outcome.flags
        ('failed', ('empty',))
        """
        if self._outcome is None:
            for event in self._pieces.close():
                self._read(event)
            if len(self._readers) == 1:
                self._take(self._readers[0][1].close())
            self._outcome = self._routed(finish_reason)
            self.stopped = self.stopped or "finished"
        return self._outcome

    def _read(self, event: Any) -> None:
        """Read an event by the first API that finds more in it than an error, which from then on reads them all."""
        found: list[Delta] = []
        for api, reader in self._readers:
            deltas = list(reader.read(event))
            if any([delta.kind != "error" for delta in deltas]):
                self._readers, found = [(api, reader)], deltas
                break
            found = found or deltas
        self._take(found)

    def _take(self, deltas: Iterable[Delta]) -> None:
        """Take what one event adds. An error after the end of the reply is none of it; of two words for the end the first counts."""
        has_ended = self._stop is not None
        stops: list[str] = []
        for delta in deltas:
            if self.stopped is not None:
                return
            if delta.kind == "stop":
                stops += [delta.stop] if delta.stop else []
            elif delta.kind == "error":
                self._errors += [] if has_ended else [delta]
            else:
                if delta.kind == "begin":
                    self._errors = []
                self._view.take(delta)
                self.stopped = None if self._view.halted is None else self._view.halted.stopped
        self._stop = stops[0] if stops else self._stop

    def _routed(self, finish_reason: Any) -> Outcome:
        """Route what came as if it had come in one body."""
        if self._view.halted is not None:
            return self._view.halted.finish()
        api, stop = self._readers[0][0], self._stop or finish_word(finish_reason)
        rules, reply = api.reply, self._view.reply(stop, api)
        if self._errors:
            return self._broken(reply, rules)
        calls, text = self._view.assembly.calls, reply.text or reply.reasoning or ""
        is_ended = self._view.is_whole or self._pieces.is_done or finish_reason is not None
        no_end = bool(calls or text) and rules.has_end_words and not (self._stop or is_ended)
        cut = replace(rules, truncated=frozenset({_NO_END}))
        if stop is None and calls and calls[-1].is_bare:
            reply, rules = reply._replace(stop=_NO_END), cut
        elif stop is not None and self._stop is None and stop.lower() in CUT_OFF:
            rules = replace(rules, truncated=frozenset({stop}))
        outcome = route_reply(reply, rules, self._desk)
        if no_end and not calls and outcome.kind == "output" and may_go_on(text):
            outcome = route_reply(reply._replace(stop=_NO_END), cut, self._desk)
        return _flagged(outcome, self._view, *(["no-end"] if no_end else []))

    def _broken(self, reply: Reply, rules: Replies) -> Outcome:
        """A reply that an error ended: what the error repeats of it, or nothing."""
        told = "; ".join(dict.fromkeys([error.text for error in self._errors]))
        attempts = [
            read_response(error.body, api).attempt
            for error in self._errors
            for api, _ in self._readers
        ]
        attempt = next(filter(None, attempts), None)
        outcome = route_reply(
            Reply(error=told, attempt=attempt, stop=reply.stop), rules, self._desk
        )
        if attempt is not None or not reply.says_something:
            return outcome
        return replace(outcome, text=reply.text, truncated=True, partial=self.partial)


def _flagged(outcome: Outcome, view: View, *flags: str) -> Outcome:
    """The outcome with what was odd about the pieces."""
    odd = {*flags, *view.flags, *(["index-drift"] if view.assembly.has_drifted else [])}
    return replace(outcome, flags=tuple(sorted({*outcome.flags, *odd}))) if odd else outcome


_NO_END = "no word for the end"
