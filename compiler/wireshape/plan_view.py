"""What can be seen of a reply to a plan while it comes: its text, the output and the calls, each through its own feed."""

from __future__ import annotations

from typing import Any

from wireshape.api import Api
from wireshape.ir import kind_of
from wireshape.reply import Call
from wireshape.reply.assembly import Assembly, OpenCall
from wireshape.reply.blocks import Blocks
from wireshape.reply.delta import Delta, add_piece
from wireshape.reply.feed import Feed
from wireshape.reply.quirks.syntaxes import bare_name
from wireshape.request import written
from wireshape.response import Asked, Reply, state_of
from wireshape.routing import Addressee, Desk


class View:
    """Takes the pieces of one reply. `changes` counts what can be seen, `halted` is a feed that stopped.

    `flags` tells what the pieces were not: `restarted`, when a reply was begun again, and `pieces-differ`, when the whole at
    its end was another.
    """

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.changes = 0
        self.flags: set[str] = set()
        self.halted: Feed | None = None
        self._begin(desk)

    def _begin(self, desk: Desk) -> None:
        self._output = desk.output
        self._known = desk.known
        if desk.as_tool and desk.output is not None:
            self._known[desk.output.wire_name] = desk.output
        self._answer = None if desk.output is None else desk.output.compiled.stream()
        self._feeds: dict[int, Feed] = {}
        self._said: dict[str, list[str]] = {"text": [], "reasoning": [], "refusal": []}
        self._whole: Reply | None = None
        self._masked = False
        self._blocks = Blocks()
        self.assembly = Assembly()

    def take(self, delta: Delta) -> None:
        """Take a piece of text, reasoning, refusal or a call; a new beginning, or the whole."""
        if delta.kind == "call":
            self._grow(self.assembly.take(delta), delta)
        elif delta.kind == "reply":
            self._whole = delta.body
        elif delta.kind == "block":
            self._blocks.take(delta, len(self.assembly.calls))
        elif delta.kind == "masked":
            self._masked = True
        elif delta.kind == "begin":
            if self.assembly.calls or any(self._said.values()):
                self.flags.add("restarted")
                self.changes += 1
            self._begin(self._desk)
        elif delta.kind in self._said and delta.text:
            add_piece(self._said[delta.kind], delta.text)
            if delta.kind == "text":
                self.changes += 1
                if self._answer is not None:
                    self._push(self._answer, delta.text)

    @property
    def is_whole(self) -> bool:
        """Whether an event repeated the whole reply, as the last one of a stream does."""
        return self._whole is not None

    @property
    def text(self) -> str:
        """The text so far."""
        self._said["text"] = ["".join(self._said["text"])]
        return self._said["text"][0]

    @property
    def partial(self) -> Any:
        """The output so far, from a call of it if there is one."""
        feed = self._answer
        for call in self.assembly.calls:
            if self._output is not None and self._addressee(call) is self._output:
                feed = self._feeds.get(id(call))
                break
        return None if feed is None else feed.partial

    @property
    def calls(self) -> tuple[Call, ...]:
        """The calls so far that have a name."""
        out: list[Call] = []
        for call in self.assembly.calls:
            tool = self._addressee(call)
            feed = self._feeds.get(id(call))
            if call.name is not None and (tool is None or tool is not self._output):
                name = call.name if tool is None else tool.name
                out.append(Call(name, None if feed is None else feed.partial, call.id))
        return tuple(out)

    def reply(self, stop: str | None, api: Api) -> Reply:
        """Return what came as a body would have held it: the whole, if one came that says anything, or its pieces."""
        calls = tuple(
            [
                Asked(
                    call.name or "",
                    call.arguments,
                    call.id,
                    state_of(api, self._blocks.before(i), call.kept),
                )
                for i, call in enumerate(self.assembly.calls)
                if call.name or call.arguments
            ]
        )
        said = {kind: "".join(parts) for kind, parts in self._said.items()}
        text, reasoning, refusal = said["text"], said["reasoning"], said["refusal"]
        whole = self._whole
        if whole is None or not (whole.text or whole.calls or whole.refusal):
            said_now = (text or None, calls, reasoning or None, refusal or None)
            return Reply(*said_now, stop, masked=self._masked)
        told = (whole.text or "", [call[:3] for call in whole.calls], whole.refusal or "")
        if told != (text, [call[:3] for call in calls], refusal):
            self.flags.add("pieces-differ")
        return whole._replace(stop=stop, error=None, masked=whole.masked or self._masked)

    def _grow(self, call: OpenCall, delta: Delta) -> None:
        """Show more of a call."""
        feed, tool = self._feeds.get(id(call)), self._addressee(call)
        self.changes += bool(delta.name and call.name == delta.name and feed is None)
        if tool is None:
            return
        if feed is None or (delta.whole and call.whole != "".join(call.parts)):
            feed = self._feeds[id(call)] = tool.compiled.stream()
            self._push(feed, _as_text(call.arguments))
        elif not delta.whole:
            self._push(feed, _as_text(delta.arguments))

    def _push(self, feed: Feed, text: str) -> None:
        self.changes += feed.push(text)
        if feed.stopped is not None:
            self.halted = feed

    def _addressee(self, call: OpenCall) -> Addressee | None:
        """The item that a call names."""
        if call.name is None:
            return None
        return self._known.get(call.name) or self._known.get(bare_name(call.name))


def _as_text(arguments: Any) -> str:
    if arguments is None:
        return ""
    return arguments if kind_of(arguments) is str else written(arguments)
