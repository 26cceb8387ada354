"""What is known of a reply while it is read, and the outcomes that come of it; it reads nothing itself."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from wireshape.errors import ValidationError
from wireshape.machine import Machine
from wireshape.reply.extract import Reading
from wireshape.reply.judge import Judge, Verdict
from wireshape.reply.numbers import rounded
from wireshape.reply.outcome import Edit, Evidence, Outcome, Rung
from wireshape.reply.quirks.leaks import SUSPECT
from wireshape.reply.retry import retry_text


@dataclass(slots=True)
class Answer:
    """A reading that the gate let out."""

    rung: Rung
    verdict: Verdict
    edits: list[Edit]
    reading: Reading


class Telling:
    """One reply while it is read; `evidence` collects why each reading was not the answer."""

    def __init__(self, machine: Machine, text: str, *, cut: bool) -> None:
        self.judge = Judge(machine)
        self.name = machine.parts.name
        self.text = text
        self.cut = cut
        self.evidence: list[Evidence] = []
        self.attempted: Verdict | None = None
        self._left: Verdict | None = None
        self._cured: set[tuple[str, str]] = set()

    def output(self, answer: Answer, *flags: str) -> Outcome:
        """The outcome of an accepted reading."""
        told = rounded(self.text, answer.reading.start, answer.reading.end)
        edits = (*answer.edits, *told, *answer.verdict.edits)
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
        if not truncated and "ambiguous" not in flags:
            self.evidence += self._more(self._left or near)
        return Outcome(
            kind="failed",
            flags=tuple(sorted(flags)),
            evidence=tuple(self.evidence),
            attempted=None if near is None else near.wire,
            truncated=truncated,
            partial=partial,
            retry_text=retry_text(
                self.text,
                [e for e in self.evidence if (e.pointer, e.message) not in self._cured],
                self._left or near,
                self.judge,
                truncated=truncated,
            ),
            text=self.text,
        )

    def _more(self, near: Verdict | None) -> list[Evidence]:
        """What the first complaint of the gate left unsaid about a value."""
        if near is None or not isinstance(near.error, ValidationError):
            return []
        last = next(e for e in reversed(self.evidence) if e.pointer == near.error.pointer)
        told = [(e.pointer, e.message) for e in self.evidence]
        return [
            replace(last, message=message, pointer=pointer)
            for pointer, message in near.error.more or self.judge.faults(near.value, _FAULTS)
            if not _is_told(pointer, message, told)
        ]

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

    def note_left(
        self, rung: Rung, plain: Verdict, coerced: Verdict, offset: int | None = None
    ) -> None:
        """Record what is wrong even when all is coerced that can be; a model is not told what coercion cures."""
        before, after = plain.error, coerced.error
        assert before is not None, "a value that the gate took is not coerced"
        assert after is not None, "nothing is left of an accepted value"
        problem = (before.pointer, str(before.args[0]))
        if coerced.edits and problem != (after.pointer, str(after.args[0])):
            self._cured.add(problem)
            self._left = self._left or coerced
            self.note_verdict(rung, coerced, offset)


_FAULTS = 8
"""Faults of one value that are told, beside the first complaint."""


def _is_told(pointer: str, message: str, told: list[tuple[str, str]]) -> bool:
    """Whether a place has a complaint already; keys that are missing or odd are told each by each."""
    same = [m for p, m in told if p == pointer]
    key, is_missing, _ = message.partition(" is missing")
    if is_missing or message.startswith("undeclared "):
        head = key if is_missing else "undeclared "
        return any([m.startswith(head) for m in same])
    return bool(same)
