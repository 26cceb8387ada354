"""Print what a lint found for people: findings by place, each with the dialects it hits, then evidence, then a summary."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from wireshape.cli.lint import Group, Hit, Lint, grouped


def lint_text(found: Lint) -> str:
    """Return the whole text, without a final newline."""
    blocks = [
        *_findings(grouped(found.hits), [name for name, n in found.asked.items() if n]),
        *_evidence(found.hits),
        "\n".join(_summary(found)),
    ]
    return "\n\n".join(blocks)


def _findings(groups: Sequence[Group], asked: Sequence[str]) -> Iterator[str]:
    """Yield one block for each schema with findings."""
    blocks: dict[tuple[str, str], list[Group]] = {}
    for g in groups:
        blocks.setdefault((g.first.file, title(g.first)), []).append(g)
    for (file, whose), members in blocks.items():
        cells = [_cells(g) for g in members]
        widths = [max([len(row[i]) for row in cells]) for i in range(4)]
        lines = [f"{file}: {whose}"]
        for row, g in zip(cells, members, strict=True):
            columns = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
            lines.append("  " + "  ".join([*columns, row[4]]))
            for rule, hits in g.rules.items():
                lines += _wrapped(f"{rule}: {_names([h.dialect for h in hits], asked)}")
        yield "\n".join(lines)


def title(hit: Hit) -> str:
    """Name a schema of a file: the tool and the part of it, or the kind of schema."""
    name, part = hit.schema.name, hit.schema.part
    return f"{name} ({part})" if name else part


def _cells(g: Group) -> tuple[str, ...]:
    v, place = g.first.violation, g.first.place
    where = f"{place.line}:{place.column}" if place else "-"
    return where, v.level, v.code, g.first.pointer or "/", f"{v.what}; {v.remedy}"


def _names(hit: Sequence[str], asked: Sequence[str]) -> str:
    """List dialects, or those that are missing where that is much shorter."""
    missing = [name for name in asked if name not in hit]
    if len(asked) > 5 and len(missing) <= 3:
        return f"all {len(asked)} dialects" + (f" but {', '.join(missing)}" if missing else "")
    return ", ".join(hit)


def _wrapped(text: str) -> list[str]:
    """Break a long line between words, never inside one."""
    return textwrap.wrap(
        text,
        110,
        initial_indent=" " * 6,
        subsequent_indent=" " * 8,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _evidence(hits: Sequence[Hit]) -> Iterator[str]:
    """Yield one block that tells why each rule is believed, each source once with the dialects that cite it."""
    known: dict[tuple[str, str], list[str]] = {}
    for h in hits:
        e = h.evidence
        if e is not None:
            cited = known.setdefault(
                (h.violation.rule, f"{e.confidence}, {e.date}, {e.source}"), []
            )
            if h.dialect not in cited:
                cited.append(h.dialect)
    rows = sorted(known.items())
    lines = [f"  {rule} in {', '.join(names)}: {told}" for (rule, told), names in rows]
    if lines:
        yield "\n".join(["evidence", *lines])


def _summary(found: Lint) -> Iterator[str]:
    """Yield one line for each dialect."""
    for name, hits in found.by_dialect.items():
        schemas = found.asked[name]
        errors = sum([h.violation.level == "error" for h in hits])
        hit = len({(h.file, h.schema.path) for h in hits if h.schema.part not in ("none", "tools")})
        told = f"{_count(errors, 'error')}, {_count(len(hits) - errors, 'warning')} in {hit} of {_count(schemas, 'schema')}"
        clean = "accepted" if schemas else "no schema of a kind that it carries"
        yield f"{name}: {told if hits else clean}"


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"
