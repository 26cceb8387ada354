"""Where a reply goes: to the tools that it calls, or to the output; each part is parsed, decoded and gated by its own item."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from wireshape.api import Api, Replies
from wireshape.codes import CODES
from wireshape.compiled import Compiled
from wireshape.ir import kind_of
from wireshape.reply import Call, Evidence, Outcome
from wireshape.reply.extract import without_reasoning
from wireshape.reply.gaps import Unreadable
from wireshape.reply.outcome import RETRY_LIMIT, Rung
from wireshape.reply.quirks.syntaxes import bare_name
from wireshape.reply.strict import MAX_CHARS
from wireshape.reply.written import calls_in
from wireshape.response import Asked, Reply, plain_of, raised, read_response

_FLAGS = {"WS640": "refusal", "WS641": "blocked", "WS642": "empty", "WS644": "error"}
_NOTHING = ("", "null")


@dataclass(frozen=True, slots=True)
class Addressee:
    """One item of a plan as a response can name it."""

    wire_name: str
    name: str
    compiled: Compiled


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """What a plan has to send parts of a reply to. `as_tool`: the output rides in a tool."""

    tools: tuple[Addressee, ...] = ()
    output: Addressee | None = None
    as_tool: bool = False

    @property
    def known(self) -> dict[str, Addressee]:
        """The tools by the names that the model knows."""
        return {tool.wire_name: tool for tool in self.tools}


def read_any(response: Any, apis: Sequence[Api]) -> tuple[Reply, Replies]:
    """Read a response by the first of some APIs that finds anything in it: a whole body first, then a part of one.

    Text, and bytes as UTF-8, are the text of a reply. What no API can read is an empty reply. An exception is an error of the
    provider, unless its body holds what the model wrote; a body that is text is none of the model's.
    """
    body, failure = plain_of(response), raised(response)
    if isinstance(body, bytes | bytearray):
        body = bytes(body).decode(errors="replace")
    if kind_of(body) is str:
        return (Reply(text=body) if failure is None else Reply(error=failure)), Replies()
    best: tuple[Reply, Replies] = (Reply(), Replies())
    for part in (False, True):
        for api in apis:
            reply = read_response(body, api, part=part)
            if reply.says_something:
                return reply, api.reply
            if best[0] == Reply() and reply != best[0]:
                best = reply, api.reply
    if failure is not None and best[0].error is None:
        return best[0]._replace(error=failure), best[1]
    return best


def route_reply(reply: Reply, rules: Replies, desk: Desk) -> Outcome:
    """Send a reply to the tools that it calls, or to the output. Never raises for what it holds."""
    try:
        outcome = _routed(reply, rules, desk)
        return _flagged(outcome, "masked") if reply.masked else outcome
    except RecursionError:
        problem = Evidence(
            rung="call",
            code="WS634",
            message="nested deeper than the stack that is left here allows",
        )
        return Outcome(kind="failed", evidence=(problem,), text=reply.text)


def _routed(reply: Reply, rules: Replies, desk: Desk) -> Outcome:
    cut = reply.stop is not None and reply.stop in rules.truncated
    if reply.calls:
        return _called(reply, desk, cut=cut)
    if reply.attempt is not None:
        return _rejected(reply.attempt, reply, desk, cut=cut)
    if reply.refusal is not None:
        return _failed("WS640", reply.refusal)
    if reply.stop is not None and reply.stop in rules.blocked and not reply.masked:
        return _failed("WS641", reply.text, reason=reply.stop)
    if reply.text is not None and reply.text.strip():
        outcome = _text(reply.text, desk, cut=cut)
        if outcome.kind == "failed" and reply.stop in rules.malformed:
            return replace(outcome, flags=tuple(sorted({*outcome.flags, "malformed"})))
        return outcome
    if reply.reasoning is not None and desk.output is not None:
        outcome = desk.output.compiled.parse(reply.reasoning, "length" if cut else None)
        if outcome.kind == "output" and outcome.rung in ("strict", "stripped", "bare"):
            return _flagged(outcome, "from-reasoning")
    if reply.error is not None:
        return _failed("WS644", reply.text, reason=f"{reply.error:.400}")
    if reply.stop is not None and reply.stop in rules.malformed:
        return _failed("WS646", reply.text, reason=reply.stop)
    failed = _failed("WS642", reply.text)
    return replace(failed, truncated=True) if cut else failed


def _rejected(attempt: str, reply: Reply, desk: Desk, *, cut: bool) -> Outcome:
    """Read what a provider refused to take: calls or an output that the gate takes, and nothing else."""
    outcome = _text(attempt, desk, cut=cut)
    if outcome.kind == "output" and desk.output is None:
        outcome = _failed("WS646", attempt, reason=reply.stop or "it is no call of a tool")
    return _flagged(outcome, "from-rejection", reply.error)


def _flagged(outcome: Outcome, flag: str, error: str | None = None) -> Outcome:
    """The outcome with one more flag, and with the error that the provider gave."""
    told = () if not error else (_evidence("WS644", reason=f"{error:.400}"),)
    return replace(
        outcome, flags=tuple(sorted({*outcome.flags, flag})), evidence=(*outcome.evidence, *told)
    )


def _text(text: str, desk: Desk, *, cut: bool) -> Outcome:
    """Read a text: calls that are written into it, then the output, then the text as it is."""
    output = desk.output
    finish = "length" if cut else None
    known = desk.known
    if desk.as_tool and output is not None:
        known[output.wire_name] = output
    if not known or len(text) > MAX_CHARS:
        return output.compiled.parse(text, finish) if output is not None else _plain(text)
    try:
        written = calls_in(text, frozenset(known))
    except Unreadable as error:
        problem = Evidence(rung="call", code=error.code, message=error.message, offset=error.offset)
        return Outcome(
            kind="failed",
            flags=("from-content",),
            evidence=(problem,),
            truncated=error.truncated,
            retry_text=_retry([Call("", None, None, (problem,))]),
            text=text,
        )
    ours = [call for call in written.calls if call.name in known]
    if output is not None and not (written.marked and ours):
        outcome = output.compiled.parse(text, finish)
        if not ours or (outcome.kind == "output" and outcome.rung in ("strict", "stripped")):
            return outcome
    if not written.calls:
        return _plain(text)
    asked = [Asked(call.name, call, None) for call in written.calls]
    outcome = _called(Reply(text=text, calls=tuple(asked)), desk, cut=False)
    return replace(
        _flagged(outcome, "from-content"),
        rung=None if outcome.kind == "failed" else "call",
        edits=(*written.edits, *outcome.edits),
    )


def may_go_on(text: str) -> bool:
    r"""Tell whether a text ends in a word or number that nothing shows the end of, and holds no other value.

    >>> may_go_on("4"), may_go_on("4\n"), may_go_on('{"a": 4} is it'), may_go_on("<think>{}</think>tr")
    (True, False, False, True)
    """
    core = without_reasoning(text)
    return _OPEN_WORD.fullmatch(text, core.start) is not None


_OPEN_WORD = re.compile(r'[^{}\[\]"]*[\w.+-]')


def _plain(text: str) -> Outcome:
    """A text that nothing is asked of; reasoning before it is taken off."""
    core = without_reasoning(text)
    rung: Rung = "stripped" if core.edits else "strict"
    return Outcome(
        kind="output",
        value=text[core.start : core.end],
        rung=rung,
        edits=tuple(core.edits),
        flags=tuple(sorted({edit.kind for edit in core.edits})),
        text=text,
    )


def _called(reply: Reply, desk: Desk, *, cut: bool) -> Outcome:
    known = desk.known
    output = desk.output if desk.as_tool or not desk.tools else None
    ends = [output is not None and _is_finish(asked, output, desk) for asked in reply.calls]
    if output is not None and all(ends):
        return _finished(output, reply, cut=cut)
    calls: list[Call] = []
    outcomes: list[Outcome] = []
    for at, asked in enumerate(reply.calls):
        if ends[at]:
            continue
        call, outcome = _call(asked, known, cut=cut and at == len(ends) - 1)
        calls.append(call)
        if outcome is not None:
            outcomes.append(outcome)
    bad = [call for call in calls if call.problems]
    notes = [_evidence("WS645")] if any(ends) else []
    return Outcome(
        kind="failed" if len(bad) == len(calls) else "tool_calls",
        calls=tuple(calls),
        rung=None if bad or any([o.rung != "strict" for o in outcomes]) else "strict",
        edits=tuple([edit for o in outcomes for edit in o.edits]),
        flags=tuple(sorted({flag for o in outcomes for flag in o.flags})),
        evidence=(*[problem for call in bad for problem in call.problems], *notes),
        truncated=cut or any([o.truncated for o in outcomes]),
        retry_text=_retry(bad) if bad else None,
        text=reply.text,
    )


def _is_finish(asked: Asked, output: Addressee, desk: Desk) -> bool:
    """Whether a call is meant as the output: by its name, or because nothing else could be meant."""
    return bare_name(asked.name) == output.wire_name or not desk.tools


def _finished(output: Addressee, reply: Reply, *, cut: bool) -> Outcome:
    """The output that came as a call; of several that say the same, to the letter, one."""
    outcomes = [_read(asked.arguments, output, cut=cut) for asked in reply.calls]
    good = [o for o in outcomes if o.kind == "output"]
    first = good[0] if good else outcomes[0]
    if len({repr(o.value) for o in good}) > 1 or len(good) < len(outcomes) > 1:
        problem = Evidence(
            rung="strict", code="WS636", message=CODES["WS636"].template.format(count=len(outcomes))
        )
        return Outcome(
            kind="failed",
            flags=("ambiguous",),
            evidence=(problem,),
            attempted=first.attempted,
            retry_text="Your reply calls for the output more than once. Call it once.",
            text=reply.text,
        )
    return replace(first, text=first.text if reply.text is None else reply.text)


def _call(asked: Asked, known: dict[str, Addressee], *, cut: bool) -> tuple[Call, Outcome | None]:
    """One call, decoded and gated; or with its problems."""
    name = asked.name if asked.name in known else bare_name(asked.name)
    tool = known.get(name)
    if tool is None:
        names = ", ".join([repr(k) for k in list(known)[:20]]) or "no tools at all"
        problem = _evidence("WS643", name=asked.name[:80], remedy=f"there are {names}"[:1000])
        return Call(asked.name, None, asked.id, (problem,), asked.state), None
    outcome = _read(asked.arguments, tool, cut=cut)
    if name != asked.name:
        outcome = _flagged(outcome, "name-repaired")
    if outcome.kind == "output":
        return Call(tool.name, outcome.value, asked.id, (), asked.state), outcome
    return Call(tool.name, None, asked.id, outcome.evidence, asked.state), outcome


def _read(given: Any, item: Addressee, *, cut: bool) -> Outcome:
    """Parse the arguments of a call. No arguments are an empty object, if the tool takes that, and nothing was cut off."""
    nothing = given is None or (kind_of(given) is str and given.strip() in _NOTHING)
    if cut and (nothing or kind_of(given) is not str):
        # What the provider has parsed already may lack its end, and nothing would tell.
        return Outcome(
            kind="failed",
            evidence=(_evidence("WS635"),),
            attempted=given,
            truncated=True,
            text=None,
        )
    if not nothing:
        return item.compiled.parse(given, "length" if cut else None)
    outcome = item.compiled.parse({})
    if outcome.kind == "output":
        return _flagged(outcome, "empty-as-object")
    return replace(outcome, evidence=(_evidence("WS647"), *outcome.evidence))


def _retry(bad: Sequence[Call]) -> str:
    """What to tell the model: each call that failed, where and why; nothing of what it sent but the names."""
    lines = ["Some calls cannot be made; send them again, corrected:"]
    for call in bad[:_TOLD]:
        told = {(p.pointer, p.message): None for p in call.problems[:_PROBLEMS]}
        where = "; ".join([f"{pointer or '/'}: {message:.400}" for pointer, message in told])
        lines.append(f"- {call.name or 'a call':.80}: {where}")
    if len(bad) > _TOLD:
        lines.append(f"- and {len(bad) - _TOLD} more")
    text = "\n".join(lines)
    return text if len(text) <= RETRY_LIMIT else text[: RETRY_LIMIT - 3] + "..."


_TOLD = 16
_PROBLEMS = 8
_AGAIN = {
    "WS640": None,
    "WS641": None,
    "WS642": "Your reply is empty. Send the answer.",
    "WS644": None,
    "WS646": "Your call could not be read. Send it again as a call, not as code or text.",
}


def _failed(code: str, text: str | None, **fields: str) -> Outcome:
    return Outcome(
        kind="failed",
        flags=(_FLAGS.get(code, "malformed"),),
        evidence=(_evidence(code, **fields),),
        retry_text=_AGAIN[code],
        text=text,
    )


def _evidence(code: str, **fields: str) -> Evidence:
    return Evidence(rung="strict", code=code, message=CODES[code].template.format(**fields))
