"""What is known of a reply while it is read, and the outcomes that come of it; it reads nothing itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from wireshape.machine import Machine
from wireshape.reply.extract import Reading
from wireshape.reply.judge import Judge, Verdict
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
