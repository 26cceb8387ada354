"""Ask a real constrained-decoding engine about a wire schema: which texts it accepts, and what it lets a model write.

Each engine has a process of its own, since engines may hang, panic, or print in native code. This module starts and ends
it and knows no engine; `engine_worker` does.
"""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, NamedTuple, Self

from wireshape import reading
from wireshape.compiled import Compiled
from wireshape.errors import DecodeError, EncodeError
from wireshape.ir import Json
from wireshape.testing import laws
from wireshape.testing.laws import Breach
from wireshape.testing.wire import WireValidator, wire_validator

_WORKER = Path(__file__).with_name("engine_worker.py")


class EngineError(Exception):
    """The engine's process died, or did not answer in time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What an engine says about one schema.

    `refused` is its error message, `None` when it takes the schema. `accepted` has one answer for each text. `samples` are
    texts that it let a random model write, to their end; `stuck` counts those that came to none. `warnings` are the lines
    that it wrote to the error stream meanwhile.
    """

    refused: str | None
    accepted: tuple[bool, ...]
    samples: tuple[str, ...]
    stuck: int
    warnings: tuple[str, ...]


class Written(NamedTuple):
    """A grammar in a syntax that rows name."""

    syntax: str
    text: str


class Engine:
    """A running engine: `llguidance` or `xgrammar`, which must be installed for `python` (this interpreter, if not given).

    >>> with Engine("llguidance") as engine:
    ...     engine.ask({"type": "integer", "minimum": 5}, texts=["4", "17"]).accepted
    (False, True)
    """

    def __init__(self, name: str, *, python: str | None = None, seconds: float = 20) -> None:
        self.name = name
        self.seconds = seconds
        self.version = ""
        self._command = [python or sys.executable, "-P", str(_WORKER), name]
        self._process: subprocess.Popen[str] | None = None
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the engine
        self._start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def ask(
        self,
        schema: Any,
        texts: Sequence[str] = (),
        *,
        samples: int = 0,
        seed: int = 0,
        steps: int = 3000,
        lenient: bool = False,
    ) -> Answer:
        """Ask about a schema or a `Written` grammar; `lenient` tells an engine to ignore what it would else refuse, where it has such a mode.

        Raises `EngineError` when no answer comes within the engine's `seconds`; the next question starts it anew.
        """
        if self._process is None:
            self._start()
        question = {
            "schema": schema.text if isinstance(schema, Written) else schema,
            "texts": list(texts),
            "samples": samples,
            "seed": seed,
            "steps": steps,
            "lenient": lenient,
            "syntax": schema.syntax if isinstance(schema, Written) else "none",
        }
        reply = self._exchange(json.dumps(question))
        return Answer(
            refused=reply["refused"],
            accepted=tuple(reply["accepted"]),
            samples=tuple(reply["samples"]),
            stuck=reply["stuck"],
            warnings=tuple(self._said()),
        )

    def close(self) -> None:
        """End the process; nothing can be asked after that."""
        self._stop()
        self._errors.close()

    def _start(self) -> None:
        self._lines = queue.SimpleQueue()
        self._process = subprocess.Popen(  # noqa: S603 - the interpreter is the caller's choice
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
            encoding="utf-8",
        )
        threading.Thread(
            target=_read, args=(self._process.stdout, self._lines), daemon=True
        ).start()
        try:
            self.version = self._exchange(None, seconds=120)["version"]
        except EngineError:
            self._errors.close()
            raise

    def _exchange(self, line: str | None, *, seconds: float | None = None) -> dict[str, Any]:
        process = self._process
        assert process is not None
        assert process.stdin is not None
        try:
            if line is not None:
                process.stdin.write(line + "\n")
                process.stdin.flush()
            text = self._lines.get(timeout=seconds or self.seconds)
        except (queue.Empty, OSError) as error:
            self._stop()
            message = f"{self.name} gave no answer"
            raise EngineError(message) from error
        if not text:
            self._stop()
            message = f"{self.name} died: {' '.join(self._said()[-1:])}"
            raise EngineError(message)
        reply: dict[str, Any] = json.loads(text)
        return reply

    def _said(self) -> list[str]:
        """Take what was written to the error stream."""
        self._errors.seek(0)
        lines = self._errors.read().decode("utf-8", "replace").splitlines()
        self._errors.seek(0)
        self._errors.truncate()
        return [line for line in lines if line.strip()]

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                stream.close()


def _read(stream: IO[str], lines: queue.SimpleQueue[str]) -> None:
    """Pass lines on until the stream ends, and its end as an empty one."""
    for line in stream:
        lines.put(line)
    lines.put("")


def texts_of(wire: Any) -> list[str]:
    r"""Write a value as compact and as spaced JSON, with and without escapes for what is not ASCII.

    >>> texts_of([1, "é"])
    ['[1,"é"]', '[1, "é"]', '[1,"\\u00e9"]', '[1, "\\u00e9"]']
    """
    spellings = [
        json.dumps(wire, ensure_ascii=ascii_only, separators=separators)
        for ascii_only in (False, True)
        for separators in ((",", ":"), (", ", ": "))
    ]
    return list(dict.fromkeys(spellings))


@dataclass(slots=True, kw_only=True)
class Trial:
    """What came of putting one compilation before an engine.

    Of the `samples` that are wire values, `passed` got through the gate and `slack` did not decode for a reason that a note
    names. `foreign` counts texts that the engine wrote outside the wire language: what is no JSON, or cannot be held as
    such (numbers beyond a double, lone surrogates), and what a keyword forbids that the engine ignores.
    """

    refused: str | None = None
    breaches: list[Breach] = field(default_factory=list[Breach])
    samples: int = 0
    passed: int = 0
    slack: int = 0
    foreign: int = 0
    stuck: int = 0


def trial(
    compiled: Compiled,
    engine: Engine,
    instances: Iterable[Json] = (),
    *,
    samples: int = 0,
    seed: int = 0,
    own: bool = False,
) -> Trial:
    """Put a compilation before an engine, both ways, and return every breach of laws 1 to 3 that it shows.

    The text of each valid instance must be accepted; the text of an invalid one refused, unless a note says what is widened;
    each sample must decode, to a valid value unless something is widened. `own` says that the dialect is the engine's own:
    it is sent the wire schema as it stands, and refusing it breaks law 1. Else it is sent what the dialect reads in it.

    >>> import wireshape as ws
    >>> compiled = ws.compile({"type": "object", "properties": {"n": {"type": "integer"}}}, "openai-strict")
    >>> with Engine("llguidance") as engine:
    ...     result = trial(compiled, engine, [{"n": 1}, {}, {"n": "x"}], samples=5)
    >>> result.breaches, result.passed
    ([], 5)
    """
    result = Trial()
    texts: list[tuple[Json, Json, bool, list[str]]] = []
    for value in instances:
        try:
            wire = compiled.encode(value)
        except EncodeError:
            continue  # whether that is right is the business of law 2
        texts.append((value, wire, laws.is_valid(compiled, value), texts_of(wire)))
    asked = [text for *_, spellings in texts for text in spellings]
    written = compiled.text is not None
    own = own or written
    answer = engine.ask(
        _sent(compiled, own=own),
        asked,
        samples=samples,
        seed=seed,
        lenient=not own,
    )
    result.refused, result.stuck = answer.refused, answer.stuck
    if answer.refused is not None:
        if own:
            detail = f"{engine.name} {engine.version} refuses it: {answer.refused[:200]}"
            result.breaches.append(Breach(law=1, value=compiled.schema, detail=detail))
        return result
    verdicts = iter(answer.accepted)
    for value, wire, valid, spellings in texts:
        given = [next(verdicts) for _ in spellings]
        taken = any(given)
        if valid and not (all(given) if written else taken):
            refused = spellings[given.index(False)]
            detail = f"{engine.name} does not accept {refused[:200]}"
            result.breaches.append(Breach(law=2, value=value, detail=detail))
        elif taken and not valid:
            result.breaches += laws.sound(compiled, wire)
    judge = wire_validator(compiled)
    for text in answer.samples:
        _try_sample(compiled, judge, text, result, own=own)
    return result


def _sent(compiled: Compiled, *, own: bool) -> Any:
    """The grammar if there is one, else the wire schema as it stands or as it is read."""
    if compiled.text is not None:
        return Written(compiled.dialect.grammar.syntax, compiled.text)
    return compiled.schema if own else reading.as_json_schema(compiled.schema, compiled.dialect)


def _try_sample(
    compiled: Compiled, judge: WireValidator, text: str, result: Trial, *, own: bool
) -> None:
    """Decode and gate one sample."""
    try:
        wire = json.loads(text)
    except ValueError:
        result.foreign += 1
        return
    if not _is_plain(wire) or not (own or judge.is_valid(wire)):
        result.foreign += 1
        return
    result.samples += 1
    result.breaches += laws.sound(compiled, wire)
    try:
        result.passed += laws.is_valid(compiled, compiled.decode(wire))
    except DecodeError:
        result.slack += 1


def _is_plain(wire: Json) -> bool:
    """Tell whether a parsed text can be written as JSON again."""
    try:
        json.dumps(wire, ensure_ascii=False, allow_nan=False).encode()
    except ValueError:
        return False
    return True
