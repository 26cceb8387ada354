"""Drive one constrained-decoding engine: a JSON question a line in, a JSON answer a line out; it judges nothing itself.

It is run as a script by `wireshape.testing.engines`, by any Python that has the engine, and so imports nothing of this
package. Engines are driven byte by byte: token `i` is byte `i`, and one more token ends the text. A question is
`{"schema", "syntax", "texts", "samples", "seed", "steps", "lenient"}`, where a grammar may stand for a schema, an answer `{"refused", "accepted", "samples", "stuck"}`.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable
from importlib import import_module, metadata
from typing import Any, Protocol

END = 256


class Machine(Protocol):
    """A schema that an engine took, at some place of a text."""

    def reset(self) -> None:
        """Go back to the empty text."""
        ...

    def push(self, byte: int) -> bool:
        """Go on by one byte, if the engine lets it."""
        ...

    def choices(self) -> tuple[bytes, bool]:
        """Return the bytes that may follow, and whether the text may end here."""
        ...


class RefusedError(Exception):
    """The engine takes no such schema; the message is its own."""


class LLGuidance:
    """llguidance, byte tokenizer, white space anywhere or nowhere; `lenient` takes what it does not know and ignores it."""

    tokenizer: Any = None

    def __init__(self, schema: Any, *, syntax: str, spaced: bool, lenient: bool) -> None:
        engine = import_module("llguidance")
        if LLGuidance.tokenizer is None:
            LLGuidance.tokenizer = engine.LLTokenizer("byte")
        matcher = engine.LLMatcher
        try:
            if syntax == "lark":
                grammar = matcher.grammar_from_lark(schema)
            elif syntax == "gbnf":
                lark = import_module("llguidance.gbnf_to_lark").any_to_lark(schema)
                grammar = matcher.grammar_from_lark(lark)
            elif syntax == "regex":
                grammar = matcher.grammar_from_regex(schema)
            else:
                grammar = matcher.grammar_from_json_schema(
                    json.dumps(schema), defaults={"whitespace_flexible": spaced, "lenient": lenient}
                )
        except ValueError as error:
            raise RefusedError(str(error)) from error
        self.matcher = engine.LLMatcher(self.tokenizer, grammar, log_level=0)
        if self.matcher.is_error():
            raise RefusedError(self.matcher.get_error())

    def reset(self) -> None:
        self.matcher.reset()

    def push(self, byte: int) -> bool:
        return bool(self.matcher.try_consume_tokens([byte]) == 1)

    def choices(self) -> tuple[bytes, bool]:
        if self.matcher.is_stopped():
            return b"", bool(self.matcher.is_accepting())
        mask = self.matcher.compute_bitmask()
        return listed(mask[:32]), bool(self.matcher.is_accepting())


class XGrammar:
    """xgrammar in its default mode, which closes what a schema leaves open."""

    compiler: Any = None

    def __init__(self, schema: Any, *, syntax: str, spaced: bool, lenient: bool) -> None:
        del lenient  # it never refuses a keyword for being unknown
        engine = import_module("xgrammar")
        if XGrammar.compiler is None:
            words = [bytes([i]) for i in range(END)] + [b"<end>"]
            info = engine.TokenizerInfo(words, vocab_size=END + 1, stop_token_ids=[END])
            XGrammar.compiler = engine.GrammarCompiler(info, max_threads=1, cache_enabled=False)
        try:
            if syntax == "gbnf":
                self.grammar = self.compiler.compile_grammar(schema)
            else:
                self.grammar = self.compiler.compile_json_schema(
                    json.dumps(schema),
                    any_whitespace=spaced,
                    separators=None if spaced else (",", ":"),
                )
        except (RuntimeError, ValueError) as error:
            raise RefusedError(str(error).strip().splitlines()[-1]) from error
        self.engine = engine
        self.mask = engine.allocate_token_bitmask(1, END + 1)
        self.reset()

    def reset(self) -> None:
        self.matcher = self.engine.GrammarMatcher(self.grammar)

    def push(self, byte: int) -> bool:
        return bool(self.matcher.accept_token(byte))

    def choices(self) -> tuple[bytes, bool]:
        if self.matcher.is_terminated():
            return b"", True
        self.matcher.fill_next_token_bitmask(self.mask)
        mask = self.mask.numpy().tobytes()
        return listed(mask[:32]), bool(mask[32] & 1)


ENGINES: dict[str, tuple[str, Callable[..., Machine]]] = {
    "llguidance": ("llguidance", LLGuidance),
    "xgrammar": ("xgrammar", XGrammar),
}
"""For each engine its distribution and its driver."""

_LISTS: dict[bytes, bytes] = {}


def listed(mask: bytes) -> bytes:
    """Return the numbers of the bits that are set."""
    known = _LISTS.get(mask)
    if known is None:
        known = bytes([i for i in range(END) if mask[i >> 3] >> (i & 7) & 1])
        _LISTS[mask] = known
    return known


def accepts(machine: Machine, text: str) -> bool:
    """Tell whether the engine would let a model write exactly this text."""
    machine.reset()
    return (
        all(machine.push(byte) for byte in text.encode("utf-8", "surrogatepass"))
        and machine.choices()[1]
    )


def weight(byte: int, *, hurried: bool) -> float:
    """How likely a byte is to be drawn: what closes is likely, most of all in a hurry; white space is not."""
    letter = chr(byte)
    if letter in '"]}':
        return 4000.0 if hurried else 8.0
    if letter in ",[{":
        return 0.05 if hurried else 2.0
    if letter in " \t\n\r":
        return 0.01
    if letter in "eE.\\":
        return 0.05 if hurried else 0.4
    if byte < 128:
        return 1.0 if letter.isalnum() or letter in ":-" else 0.3
    return 0.05


_TABLES: dict[tuple[bytes, bool, bool], tuple[list[int], list[float]]] = {}


def table(allowed: bytes, *, may_end: bool, hurried: bool) -> tuple[list[int], list[float]]:
    """Return the choices and their weights, summed up."""
    key = (allowed, may_end, hurried)
    known = _TABLES.get(key)
    if known is None:
        sums: list[float] = []
        total = 0.0
        in_text = len(allowed) > 64  # most bytes are allowed: inside a string only its quote closes
        closes = not {*b'"]}'}.isdisjoint(allowed)
        for byte in allowed:
            # a comma that ends a number is the way out, where nothing closes
            leaves = hurried and byte == 0x2C and not closes
            plain = in_text and byte in b"[]{},"
            total += 0.3 if plain else 4000.0 if leaves else weight(byte, hurried=hurried)
            sums.append(total)
        numbers = list(allowed)
        if may_end:
            numbers.append(END)
            sums.append(total + (50_000.0 if hurried else 20.0))
        known = _TABLES[key] = (numbers, sums)
    return known


def sample(machine: Machine, draw: random.Random, steps: int) -> str | None:
    """Write a text by drawing among what the engine allows; None when it came to a dead end, or to none in time."""
    machine.reset()
    text = bytearray()
    hurry = draw.choice((20, 60, 200))
    for step in range(steps):
        allowed, may_end = machine.choices()
        if not allowed and not may_end:
            return None
        if len(allowed) == 1 and not may_end:
            byte = allowed[0]
        else:
            numbers, sums = table(allowed, may_end=may_end, hurried=step > hurry)
            byte = draw.choices(numbers, cum_weights=sums)[0]
        if byte == END:
            return text.decode("utf-8", "surrogateescape")
        if not machine.push(byte):
            return None
        text.append(byte)
    return None


def answer(make: Callable[..., Machine], question: dict[str, Any]) -> dict[str, Any]:
    """Answer one question."""
    accepted: list[bool] = []
    samples: list[str] = []
    stuck = 0
    try:
        asked = {name: question[name] for name in ("syntax", "lenient")}
        machine = make(question["schema"], spaced=True, **asked)
        accepted = [accepts(machine, text) for text in question["texts"]]
        if question["samples"]:
            machine = make(question["schema"], spaced=False, **asked)
            draw = random.Random(question["seed"])  # noqa: S311 - to be repeatable, not secret
            for _ in range(question["samples"]):
                text = sample(machine, draw, question["steps"])
                if text is None:
                    stuck += 1
                else:
                    samples.append(text)
    except RefusedError as refusal:
        return {"refused": str(refusal), "accepted": [], "samples": [], "stuck": 0}
    return {"refused": None, "accepted": accepted, "samples": samples, "stuck": stuck}


def main() -> None:
    """Say the engine's version, then answer until the input ends."""
    distribution, make = ENGINES[sys.argv[1]]
    import_module(distribution)  # some take long; the first question need not wait for it
    sys.stdout.write(json.dumps({"version": metadata.version(distribution)}) + "\n")
    sys.stdout.flush()
    for line in sys.stdin:
        sys.stdout.write(json.dumps(answer(make, json.loads(line))) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
