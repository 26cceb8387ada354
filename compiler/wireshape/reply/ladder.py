"""A reply that is not simply JSON, read in the least invasive way that the gate accepts; two different answers are none.

The rungs: the whole text; the text without reasoning and wrappers; the arguments of a call; JSON inside other text, strict or
repaired. Each reading is judged as it is, then coerced. Nothing is closed that was cut off.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from wireshape.machine import Machine
from wireshape.relate import OBJECT, STRING
from wireshape.reply import strict
from wireshape.reply.calls import Found, first_region, from_json
from wireshape.reply.extract import Core, Reading, core_of, is_announced, is_blank
from wireshape.reply.gaps import Unreadable
from wireshape.reply.judge import Judge, Verdict
from wireshape.reply.outcome import Edit, Evidence, Outcome, Rung, shown
from wireshape.reply.quirks.code import from_code
from wireshape.reply.quirks.leaks import SUSPECT
from wireshape.reply.regions import Regions, partial_of, stretched
from wireshape.reply.retry import retry_text
from wireshape.reply.written import find_calls
from wireshape.walk import json_equal


@dataclass(slots=True)
class Answer:
    """A reading that the gate let out."""

    rung: Rung
    verdict: Verdict
    edits: list[Edit]
    reading: Reading


class Ladder:
    """The steps over one reply; `evidence` collects why each was not the answer."""

    def __init__(self, machine: Machine, text: str, *, cut: bool) -> None:
        self.judge = Judge(machine)
        self.name = machine.parts.name
        self.text = text
        self.cut = cut
        self.evidence: list[Evidence] = []
        self.attempted: Verdict | None = None

    # outcomes

    def output(self, answer: Answer, *flags: str) -> Outcome:
        """The outcome of an accepted reading."""
        edits = (*answer.edits, *answer.verdict.edits)
        warned = [*flags, *(["suspect-markup"] if SUSPECT in self.text else [])]
        return Outcome(
            kind="output",
            value=answer.verdict.result,
            rung=answer.rung,
            edits=edits,
            flags=tuple(sorted({*[edit.kind for edit in edits], *warned})),
            evidence=tuple(self.evidence),
            text=self.text,
        )

    def failed(self, *flags: str, truncated: bool = False, partial: Any = None) -> Outcome:
        """The outcome of a reply that holds no answer."""
        near = self.attempted
        return Outcome(
            kind="failed",
            flags=tuple(sorted(flags)),
            evidence=tuple(self.evidence),
            attempted=None if near is None else near.wire,
            truncated=truncated,
            partial=partial,
            retry_text=retry_text(self.evidence, near, self.judge, truncated=truncated),
            text=self.text,
        )

    def note(self, rung: Rung, code: str, message: str, offset: int | None = None) -> None:
        """Record why a reading was not taken."""
        self.evidence.append(Evidence(rung=rung, code=code, message=message, offset=offset))

    def note_verdict(self, rung: Rung, verdict: Verdict, offset: int | None = None) -> None:
        """Record why the gate did not take a value; the first such value is the near miss."""
        error = verdict.error
        assert error is not None, "an accepted value is no near miss"
        self.evidence.append(
            Evidence(
                rung=rung,
                code=error.code,
                message=str(error.args[0]),
                pointer=error.pointer,
                offset=offset,
            )
        )
        if self.attempted is None:
            self.attempted = verdict

    # rungs

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
        return self._called(core) or self._regions(core)

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
        return self.failed()

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
        return self.failed(truncated=True, partial=self._partial(core))

    def _partial(self, core: Core) -> Any:
        """What is complete of the region that begins last, decoded as far as it can be."""
        start = first_region(self.text, core.start, core.end)
        if start == core.end:
            return None
        wire = partial_of(self.text[: core.end], start)
        verdict = self.judge.plain(wire)
        return wire if verdict.value is None else verdict.value

    # calls

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
            value = self.judge.typed(call.texts) if call.texts is not None else call.arguments
            verdict = self._judged(value, filling=not call.edits)
            if verdict.error is not None:
                self.note_verdict("call", verdict, call.start)
                continue
            edit = Edit(offset=call.start, kind="call", before=shown(call.name), after="")
            reading = Reading(value, call.start, call.end, call.edits, strict=True)
            answers.append(Answer("call", verdict, [*core.edits, edit, *call.edits], reading))
        return self._only(answers)

    # regions

    def _regions(self, core: Core) -> Outcome:
        if self.judge.takes(STRING) and not _QUOTES.isdisjoint(
            (self.text[core.start], self.text[core.end - 1])
        ):
            self.note("span", "WS630", "a text in quotes that is no JSON string", core.start)
            return self.failed(truncated=self.text[core.start : core.end].count('"') == 1)
        regions = Regions(self.text, core.start, core.end)
        if regions.fault is not None:
            fault = regions.fault
            self.note("span", fault.code, fault.message, fault.offset)
            partial = self._partial(core) if fault.truncated and not regions.found else None
            return self.failed(truncated=fault.truncated, partial=partial)
        if not regions.found:
            return self._bare(core)
        for coerce in (False, True):
            answers = [
                a for ways in regions.found for a in self._answers(ways, core, coerce=coerce)
            ]
            if answers:
                return self._only(answers)
            if not coerce:
                joined = self._joined(regions, core)
                if joined is not None:
                    return joined
        return self.failed()

    def _answers(self, ways: list[Reading], core: Core, *, coerce: bool) -> list[Answer]:
        """The accepted readings of one region."""
        out: list[Answer] = []
        for way in ways:
            if coerce and (way.risky or way.odd):
                continue
            verdict = (
                self.judge.coerced(way.value, filling=way.strict)
                if coerce
                else self.judge.plain(way.value)
            )
            rung: Rung = "span" if way.strict else "repaired"
            if verdict.error is not None:
                if not coerce:
                    self.note_verdict(rung, verdict, way.start)
            elif self._is_doubtful(way, core):
                self.note(rung, "WS636", "the text may mean another value, too", way.start)
                if not coerce:
                    self.attempted = self.attempted or verdict
                out.append(Answer(rung, replace(verdict, result=_UNSURE, value=_UNSURE), [], way))
            else:
                out.append(
                    Answer(
                        rung,
                        verdict,
                        [*core.edits, *_around(self.text, way, core), *way.edits],
                        way,
                    )
                )
        return out

    def _is_doubtful(self, way: Reading, core: Core) -> bool:
        if way.odd or self.judge.has_rival(way):
            return True
        if not way.strict or '"' not in self.text[way.end : core.end]:
            return False
        other = stretched(self.text[: core.end], way.start)
        return (
            other is not None
            and other.end > way.end
            and not self.text[other.end : core.end].strip()
            and self.judge.plain(other.value).error is None
        )

    def _only(self, answers: list[Answer]) -> Outcome:
        """Give the one answer; none when there are several that differ, unless the last is announced as final."""
        if not answers:
            return self.failed()
        last = answers[-1]
        if any([a.verdict.value is _UNSURE for a in answers]):
            return self.failed("ambiguous")
        if all([json_equal(a.verdict.value, last.verdict.value) for a in answers]):
            return self.output(answers[0], *(["duplicate-dropped"] if len(answers) > 1 else []))
        before = max(
            [a.reading.end for a in answers if a.reading.start < last.reading.start], default=0
        )
        if 0 < before <= last.reading.start and is_announced(
            self.text[before : last.reading.start]
        ):
            return self.output(last, "announced-final")
        self.note(last.rung, "WS636", f"{len(answers)} different values, each of which would do")
        return self.failed("ambiguous")

    def _joined(self, regions: Regions, core: Core) -> Outcome | None:
        """One value per line, where the schema takes a list and no object."""
        ways = [ways[0] for ways in regions.found]
        if len(ways) < 2 or not all([way.strict for way in ways]) or self.judge.takes(OBJECT):
            return None
        edges = [core.start, *[e for way in ways for e in (way.start, way.end)], core.end]
        between = [self.text[a:b] for a, b in zip(edges[::2], edges[1::2], strict=True)]
        if (
            between[0].strip()
            or between[-1].strip()
            or not all([is_blank(b) for b in between[1:-1]])
        ):
            return None
        verdict = self.judge.plain([way.value for way in ways])
        if verdict.error is not None:
            self.note_verdict("joined", verdict)
            return None
        edit = Edit(offset=core.start, kind="joined-lines", before="", after="[")
        reading = Reading(verdict.wire, core.start, core.end, [], strict=True)
        return self.output(Answer("joined", verdict, [*core.edits, edit], reading))

    def _bare(self, core: Core) -> Outcome:
        """A text without any JSON: a member of an enum, or nothing."""
        part = self.text[core.start : core.end]
        text = self.judge.bare(part)
        if text is not None:
            verdict = self.judge.plain(text)
            if verdict.error is None:
                edit = Edit(
                    offset=core.start,
                    kind="bare-text",
                    before=shown(part),
                    after=shown(f'"{part}"'),
                )
                reading = Reading(text, core.start, core.end, [], strict=True)
                return self.output(Answer("bare", verdict, [*core.edits, edit], reading))
        self.note("span", "WS637", "no JSON in the text")
        return self.failed(truncated=part[:1] == '"' and part.count('"') == 1)


_UNSURE: Any = object()
_QUOTES = frozenset("\"'`\u201c\u201d\u2018\u2019")


def _around(text: str, way: Reading, core: Core) -> list[Edit]:
    """The text on both sides of a region, as edits that drop it."""
    sides = ((core.start, way.start), (way.end, core.end))
    return [
        Edit(offset=a, kind="dropped-text", before=shown(text[a:b].strip()), after="")
        for a, b in sides
        if text[a:b].strip()
    ]
