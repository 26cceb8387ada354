"""What is known of a reply while it is read, and the outcomes that come of it; it reads nothing itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

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
        return Outcome(
            kind="failed",
            flags=tuple(sorted(flags)),
            evidence=tuple(self.evidence),
            attempted=None if near is None else near.wire,
            truncated=truncated,
            partial=partial,
            retry_text=retry_text(
                [e for e in self.evidence if (e.pointer, e.message) not in self._cured],
                self._left or near,
                self.judge,
                truncated=truncated,
            ),
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
