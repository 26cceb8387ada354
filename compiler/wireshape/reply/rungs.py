"""The lower rungs of the ladder: JSON inside other text, repaired where that is certain, one value per line, a bare word."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from wireshape.relate import OBJECT, STRING
from wireshape.reply.calls import first_region
from wireshape.reply.extract import Core, Reading, is_announced, is_blank
from wireshape.reply.outcome import Edit, Outcome, Rung, shown
from wireshape.reply.regions import Regions, partial_of, stretched
from wireshape.reply.telling import Answer, Telling
from wireshape.walk import json_equal

_UNSURE: Any = object()
_ESCAPED = ("&quot;", '\\"')
_QUOTES = frozenset("\"'`\u201c\u201d\u2018\u2019")


class Rungs(Telling):
    """Reads the regions of a text."""

    def regions(self, core: Core) -> Outcome:
        """Take the one answer among the regions of a text."""
        if self.judge.takes(STRING) and _is_quoted(self.text[core.start : core.end]):
            self.note("span", "WS630", "a text in quotes that is no JSON string", core.start)
            part = self.text[core.start : core.end]
            return self.failed(truncated=part.count('"') == 1)
        regions = Regions(self.text, core.start, core.end)
        if regions.fault is not None:
            fault = regions.fault
            self.note("span", fault.code, fault.message, fault.offset)
            partial = self.partial(core) if fault.truncated and not regions.found else None
            return self.failed(truncated=fault.truncated, partial=partial)
        if not regions.found:
            return self._bare(core)
        for coerce in (False, True):
            answers = [
                a for ways in regions.found for a in self._answers(ways, core, coerce=coerce)
            ]
            if answers:
                return self.only(answers)
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
                elif verdict.edits:
                    self.note_left(rung, self.judge.plain(way.value), verdict, way.start)
            elif self._is_doubtful(way, core):
                self.note(rung, "WS636", "the text may mean another value, too", way.start)
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

    def only(self, answers: list[Answer]) -> Outcome:
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

    def partial(self, core: Core) -> Any:
        """What is complete of the region that begins last, decoded as far as it can be."""
        start = first_region(self.text, core.start, core.end)
        if start == core.end:
            return None
        wire = partial_of(self.text[: core.end], start)
        verdict = self.judge.plain(wire)
        return wire if verdict.value is None else verdict.value


def _around(text: str, way: Reading, core: Core) -> list[Edit]:
    """The text on both sides of a region, as edits that drop it."""
    sides = ((core.start, way.start), (way.end, core.end))
    return [
        Edit(offset=a, kind="dropped-text", before=shown(text[a:b].strip()), after="")
        for a, b in sides
        if text[a:b].strip()
    ]


def _is_quoted(part: str) -> bool:
    """Whether a text begins or ends like a string, which no JSON inside it is the answer of."""
    if part.startswith(_ESCAPED) or part.endswith(_ESCAPED):
        return True
    if part[0] in _QUOTES and not part.startswith("```"):
        return True
    return part[-1] in _QUOTES and part[0] not in "{[" and not part.endswith("```")
