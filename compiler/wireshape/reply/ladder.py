"""A reply that is not simply JSON, read in the least invasive way that the gate accepts; two different answers are none.

The rungs: the whole text; the text without reasoning and wrappers; the arguments of a call; JSON inside other text, strict or
repaired. Each reading is judged as it is, then coerced. Nothing is closed that was cut off.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wireshape import ir
from wireshape.ir import kind_of
from wireshape.reply import strict
from wireshape.reply.calls import Found, from_json
from wireshape.reply.extract import Core, Reading, core_of
from wireshape.reply.gaps import Unreadable
from wireshape.reply.judge import Verdict
from wireshape.reply.outcome import Edit, Evidence, Outcome, Rung, shown
from wireshape.reply.quirks.code import from_code
from wireshape.reply.rungs import Rungs
from wireshape.reply.telling import Answer
from wireshape.reply.written import find_calls


class Ladder(Rungs):
    """The steps over one reply, from the whole text down."""

    def climb(self, complaint: strict.NotStrict) -> Outcome:
        """Read a text that is not strict JSON as a whole."""
        self.note("strict", complaint.code, complaint.message, complaint.offset)
        if complaint.code == "WS634" and len(self.text) > strict.MAX_CHARS:
            return self.failed("too-long")
        core = core_of(self.text)
        if core.start == core.end:
            self.note("stripped", "WS637", "no answer, only reasoning" if core.edits else "no text")
            return self.failed(truncated=self.cut or core.unfinished)
        if core.edits or core.end - core.start < len(self.text):
            done = self._stripped(core)
            if done is not None:
                return done
        if self.cut:
            return self._cut_off(core)
        return self._called(core) or self.regions(core)

    def whole(self, value: Any, rung: Rung, edits: Sequence[Edit] = (), start: int = 0) -> Outcome:
        """Judge a value that is all of the reply; nothing smaller is looked for inside it."""
        verdict = self.judge.plain(value)
        reading = Reading(value, start, len(self.text), list(edits), strict=True)
        if verdict.error is None:
            return self.output(Answer(rung, verdict, list(edits), reading))
        self.note_verdict(rung, verdict)
        coerced = self.judge.coerced(value, filling=True)
        if coerced.error is None:
            return self.output(Answer(rung, coerced, list(edits), reading))
        called = self._own_call(value)
        if called is not None:
            edit = Edit(
                offset=None, pointer="", kind="call", before=shown(str(self.name)), after=""
            )
            called.edits = (edit, *called.edits)
            return self.output(Answer("call", called, list(edits), reading))
        self.note_left(rung, verdict, coerced)
        return self.failed()

    def called(self, call: Found) -> Outcome:
        """Judge the arguments of a call that was found in a text."""
        value, verdict = self._arguments(call)
        if verdict is None:
            return self.failed("ambiguous")
        if verdict.error is not None:
            self.note_verdict("call", verdict, call.start)
            return self.failed()
        edit = Edit(offset=call.start, kind="call", before=shown(call.name), after="")
        reading = Reading(value, call.start, call.end, call.edits, strict=True)
        return self.output(Answer("call", verdict, [edit, *call.edits], reading))

    def _arguments(self, call: Found) -> tuple[Any, Verdict | None]:
        """The arguments of a call and what they are worth; no verdict when a parameter may mean two things."""
        if call.texts is None:
            return call.arguments, self._judged(call.arguments, filling=not call.edits)
        value, doubt = self.judge.typed(call)
        if doubt is None:
            return value, self._judged(value, filling=not call.edits)
        what = "an object" if kind_of(value[doubt]) is dict else "an array"
        message = f"may be text or {what}, and the call does not tell which; send plain text"
        pointer = ir.pointer((None, doubt))
        self.evidence.append(Evidence(rung="call", code="WS636", message=message, pointer=pointer))
        return value, None

    def _own_call(self, value: Any) -> Verdict | None:
        """Judge the arguments of a value that is a call of this very schema, by its name."""
        calls = from_json(value)
        if self.name is None or calls is None or len(calls) != 1 or calls[0][0] != self.name:
            return None
        verdict = self._judged(calls[0][1], filling=True)
        return verdict if verdict.error is None else None

    def _judged(self, value: Any, *, filling: bool) -> Verdict:
        verdict = self.judge.plain(value)
        return verdict if verdict.error is None else self.judge.coerced(value, filling=filling)

    def _stripped(self, core: Core) -> Outcome | None:
        part = self.text[core.start : core.end]
        try:
            value = strict.load(part)
        except strict.NotStrict as error:
            if core.edits:
                offset = None if error.offset is None else core.start + error.offset
                self.note("stripped", error.code, error.message, offset)
            return None
        if self.cut and part[-1:] not in ("}", "]", '"'):
            return None
        return self.whole(value, "stripped", core.edits, core.start)

    def _cut_off(self, core: Core) -> Outcome:
        self.note("stripped", "WS635", "the provider says that the reply was cut off")
        return self.failed(truncated=True, partial=self.partial(core))

    def _called(self, core: Core) -> Outcome | None:
        """Take the arguments of a call in the text, when it is a call of this schema or of a name that nobody knows."""
        try:
            found = find_calls(self.text, core.start, core.end)
        except Unreadable as error:
            self.note("call", error.code, error.message, error.offset)
            return self.failed(truncated=error.truncated)
        if not found and self.name is not None:
            code = from_code(self.text[core.start : core.end], frozenset({self.name}))
            found = [] if code is None else [Found(code[0], core.start, core.end, code[1])]
        if not found:
            return None
        answers: list[Answer] = []
        for call in found:
            if self.name is not None and call.name != self.name:
                self.note(
                    "call",
                    "WS638",
                    f"a call of {call.name[:64]!r}, which is not {self.name!r}",
                    call.start,
                )
                continue
            value, verdict = self._arguments(call)
            if verdict is None:
                return self.failed("ambiguous")
            if verdict.error is not None:
                self.note_verdict("call", verdict, call.start)
                continue
            edit = Edit(offset=call.start, kind="call", before=shown(call.name), after="")
            reading = Reading(value, call.start, call.end, call.edits, strict=True)
            answers.append(Answer("call", verdict, [*core.edits, edit, *call.edits], reading))
        return self.only(answers)
