"""The JSON regions of a text, each read in every way that is defensible; what cannot be read makes the whole uncertain."""

from __future__ import annotations

from wireshape.reply import extract, strict
from wireshape.reply.extract import REGION, Reading, layers
from wireshape.reply.gaps import Unreadable
from wireshape.reply.outcome import Edit, shown
from wireshape.reply.scan import Scanner

MAX_REGIONS = 64
_QUIET = frozenset('"{}[]')
"""Characters that may not follow a value whose end is uncertain."""


def readings_at(text: str, start: int, stop: int) -> list[Reading]:
    """Return the ways to read the region at `start`: one if it is strict JSON.

    Raises Unreadable when there is none.

    >>> [(r.value, r.strict) for r in readings_at("so {'a': 1,} it is", 3, 18)]
    [({'a': 1}, False)]
    """
    part = text if stop == len(text) else text[:stop]
    try:
        value, end = strict.load_at(part, start)
    except strict.NotStrict as error:
        if error.code not in ("WS630", "WS634"):
            raise Unreadable(error.code, error.message, start) from None
        if error.code == "WS634":
            raise Unreadable(error.code, error.message, start) from None
    else:
        if not strict.is_unicode(part[start:end]):
            raise Unreadable("WS633", "a lone surrogate, which is no Unicode text", start)
        return [Reading(value, start, end, [], strict=True)]
    layered = _layered(part, start, stop)
    return layered or _scanned(part, start)


def _layered(text: str, start: int, stop: int) -> list[Reading]:
    """Readings of a region that was escaped once more as a whole."""
    out: list[Reading] = []
    for kind, body, end in layers(text, start, stop):
        try:
            value = strict.load(body)
        except strict.NotStrict:
            try:
                value, done = Scanner(body, eager=True).read(0)
            except Unreadable:
                continue
            if body[done:].strip():
                continue
        edit = Edit(offset=start, kind=kind, before=shown(text[start:end]), after=shown(body))
        out.append(Reading(value, start, end, [edit], strict=False))
    return out


def _scanned(text: str, start: int) -> list[Reading]:
    out: list[Reading] = []
    first: Unreadable | None = None
    for eager, cut in ((True, False), (False, False), (True, True)):
        if out and cut:
            break
        scanner = Scanner(text, eager=eager, cut=cut)
        try:
            value, end = scanner.read(start)
        except Unreadable as error:
            first = first or error
            if error.code != "WS630" and not error.truncated:
                break
            continue
        odd = scanner.odd or (not scanner.edits)
        if not any([r.value == value and r.end == end for r in out]):
            out.append(
                Reading(
                    value,
                    start,
                    end,
                    scanner.edits,
                    strict=False,
                    odd=odd,
                    risky=tuple(scanner.risky),
                )
            )
        if not scanner.doubt:
            break
    if not out:
        assert first is not None, "a scan that gives no value raises"
        raise first
    return out


def stretched(text: str, start: int) -> Reading | None:
    """Read the region at `start` so that its strings go on as long as they can; `None` when that is not possible."""
    scanner = Scanner(text, eager=False)
    try:
        value, end = scanner.read(start)
    except Unreadable:
        return None
    kinds = {edit.kind for edit in scanner.edits}
    if {"control-character", "unescaped-quote"} <= kinds:  # two kinds of damage at once
        return None
    return Reading(value, start, end, scanner.edits, strict=False)


def partial_of(text: str, start: int) -> object:
    """Return what is complete of the region at `start`."""
    scanner = Scanner(text, eager=True)
    try:
        return scanner.read(start)[0]
    except Unreadable:
        return scanner.partial()


class Regions:
    """The regions of `text[start:end]` in order; `fault` is set when one cannot be read or is part of something else."""

    __slots__ = ("fault", "found")

    def __init__(self, text: str, start: int, end: int) -> None:
        self.found: list[list[Reading]] = []
        self.fault: Unreadable | None = None
        at = start
        while (begin := REGION.search(text, at, end)) is not None:
            if len(self.found) == MAX_REGIONS:
                self.fault = Unreadable(
                    "WS634", f"more than {MAX_REGIONS} pieces of JSON", begin.start()
                )
                return
            try:
                ways = readings_at(text, begin.start(), end)
            except Unreadable as error:
                self.fault = error
                return
            at = max([way.end for way in ways])
            ways = [way for way in ways if not self._is_part(text, way, start, end)]
            if not ways:
                self.fault = Unreadable(
                    "WS630", "JSON that seems to be a part of something larger", begin.start()
                )
                return
            self.found.append(ways)
        self._check_gaps(text, start, end)

    def _check_gaps(self, text: str, start: int, end: int) -> None:
        """Text around the regions with a quote or bracket too many is rather a part of a value."""
        at = start
        for ways in [*self.found, None]:
            stop = end if ways is None else ways[0].start
            gap = text[at:stop]
            uneven = (
                gap.count('"') % 2
                or gap.count("{") != gap.count("}")
                or gap.count("[") != gap.count("]")
            )
            if self.found and uneven and not extract.only_closers(gap):
                self.fault = Unreadable("WS630", "quotes or brackets that match nothing", at)
                return
            if ways is not None:
                at = max([way.end for way in ways])

    @staticmethod
    def _is_part(text: str, way: Reading, low: int, high: int) -> bool:
        rest = text[way.end : min(high, way.end + 64)].lstrip()
        if rest[:1] == "}":
            tail = text[way.end : high]
            if not way.strict or not extract.only_closers(tail):
                return True
            way.edits.append(
                Edit(offset=way.end, kind="extra-closer", before=shown(tail), after="")
            )
        if way.risky and not _QUIET.isdisjoint(text[way.end : high]):
            return True
        return extract.is_part(text, way.start, way.end, low, high)
