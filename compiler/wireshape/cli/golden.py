"""The `golden` verb: compile every case for every dialect, and compare with, or write, the files kept in `golden/`."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import click

import wireshape as ws
from wireshape.cli.output import print_json, print_text
from wireshape.cli.sources import InputError, json_option, read_json
from wireshape.dialect_evidence import alias_of, row_document
from wireshape.ir import Json
from wireshape.walk import json_equal

_SHOWN = 12
"""Lines of a diff that are printed for one file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One golden file that is not as it should be; `diff` is a unified diff for a changed one."""

    path: str
    kind: Literal["missing", "orphaned", "changed"]
    diff: tuple[str, ...] = ()


def golden_of(case: dict[str, Json], dialect: str) -> dict[str, Json]:
    """Return what the golden file of a case holds for a dialect."""
    try:
        compiled = ws.compile(
            case["schema"], dialect, options=ws.Options(**case.get("options", {}))
        )
    except ws.WireshapeError as e:
        return {
            "error": {
                "type": type(e).__name__,
                "code": e.code,
                "pointer": e.pointer,
                "message": e.args[0],
            }
        }
    return {
        "wire": compiled.schema,
        **({} if compiled.text is None else {"grammar": compiled.text.splitlines()}),
        "codec": json.loads(compiled.to_json())["codec"],
        "report": compiled.report.to_json(),
        "values": [_trip(compiled, v) for v in case["values"]],
    }


def _trip(compiled: ws.Compiled, value: Json) -> dict[str, Json]:
    """Encode a value and decode it again; what comes back is told only when it differs."""
    try:
        wire = compiled.encode(value)
    except ws.EncodeError as e:
        return {"value": value, "error": e.code}
    try:
        back = compiled.decode(wire)
        compiled.validate(back)
    except (ws.DecodeError, ws.ValidationError) as e:
        return {"value": value, "wire": wire, "lost": e.code}
    return {"value": value, "wire": wire} | ({} if json_equal(back, value) else {"decoded": back})


def expected(
    root: Path, dialects: Sequence[str] = (), cases: Sequence[str] = ()
) -> Iterator[tuple[str, str]]:
    """Yield path below `root` and text of every golden file, of the named dialects and cases or of all.

    `rows.json` lists the rows that show every case; the others show those that are marked `every_row`, and an alias
    shows its row only.
    """
    known = {p.stem: p for p in sorted((root / "cases").glob("*.json"))}
    if not known:
        message = (
            f"{root / 'cases'} holds no cases; run from the top of the repository or pass --root"
        )
        raise InputError(message)
    unknown = [c for c in cases if c not in known]
    if unknown:
        message = f"no case is called {unknown[0]!r}; cases are the files of {root / 'cases'}"
        raise InputError(message)
    sources: dict[str, Any] = {name: read_json(str(known[name])) for name in cases or known}
    for dialect in dialects or ws.dialects():
        if not cases:
            yield f"{dialect}/row.json", _text(row_document(dialect))
        for name in shown(root, dialect, sources):
            yield f"{dialect}/{name}.json", _text(golden_of(sources[name], dialect))


def shown(root: Path, dialect: str, sources: Mapping[str, Any]) -> list[str]:
    """Return the names of the cases, out of `sources`, that are kept for a dialect."""
    file = root / "rows.json"
    if not file.exists() or dialect in read_json(str(file))["every_case"]:
        return list(sources)
    if alias_of(dialect) is not None:
        return []
    return [name for name, case in sources.items() if case.get("every_row")]


def _text(document: Json) -> str:
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def differences(
    root: Path, dialects: Sequence[str] = (), cases: Sequence[str] = ()
) -> Iterator[Difference]:
    """Compare the files below `root` with what the compiler says now; orphans are looked for in a full comparison."""
    seen: set[str] = set()
    for path, text in expected(root, dialects, cases):
        seen.add(path)
        file = root / path
        if not file.exists():
            yield Difference(path=path, kind="missing")
        elif (known := file.read_text(encoding="utf-8")) != text:
            lines = difflib.unified_diff(
                known.splitlines(), text.splitlines(), "kept", "now", lineterm="", n=1
            )
            yield Difference(path=path, kind="changed", diff=tuple(lines))
    for path in [] if cases else _orphans(root, dialects, seen):
        yield Difference(path=path, kind="orphaned")


def _orphans(root: Path, dialects: Sequence[str], seen: set[str]) -> list[str]:
    files = [p.relative_to(root).as_posix() for p in sorted(root.glob("*/*.json"))]
    kept = [f for f in files if not f.startswith("cases/") and f not in seen]
    return [f for f in kept if not dialects or f.split("/", 1)[0] in dialects]


def write(root: Path, dialects: Sequence[str] = (), cases: Sequence[str] = ()) -> list[Difference]:
    """Make the files below `root` what the compiler says now, and return what was different."""
    found = list(differences(root, dialects, cases))
    texts = dict(expected(root, dialects, cases))
    for difference in found:
        file = root / difference.path
        if difference.kind == "orphaned":
            file.unlink()
            continue
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(texts[difference.path], encoding="utf-8")
    return found


@click.command("golden")
@click.option(
    "--check/--write",
    "checking",
    default=True,
    help="Compare (exit code 1 on a difference), or update.",
)
@click.option(
    "--dialect", "-d", "dialects", multiple=True, metavar="D", help="Only this dialect. Repeatable."
)
@click.option(
    "--case", "-c", "cases", multiple=True, metavar="C", help="Only this case. Repeatable."
)
@click.option(
    "--root",
    default="golden",
    show_default=True,
    metavar="DIR",
    help="The folder of the golden files.",
)
@json_option
@click.pass_context
def golden_verb(context: click.Context, *, checking: bool, dialects: tuple[str, ...], cases: tuple[str, ...], root: str, as_json: bool) -> None:  # fmt: skip
    """Check or write the golden files.

    They hold what the compiler makes of the cases for each dialect.

    \b
    Examples:
      wireshape golden --check
      wireshape golden --write --dialect xai-strict --case map_of_objects
    """
    folder = Path(root)
    found = (
        list(differences(folder, dialects, cases)) if checking else write(folder, dialects, cases)
    )
    if as_json:
        print_json([{"path": d.path, "kind": d.kind, "diff": list(d.diff)} for d in found])
    else:
        for d in found:
            _print(d, folder, d.kind if checking else _DONE[d.kind])
        verb = "differ" if checking else "written or removed"
        print_text(
            f"{len(found)} golden files {verb}" if found else "all golden files are as expected"
        )
    context.exit(1 if checking and found else 0)


_DONE = {"missing": "written", "changed": "changed", "orphaned": "removed"}
"""What became of a file that was written anew."""


def _print(difference: Difference, root: Path, word: str) -> None:
    print_text(f"{word}: {root / difference.path}")
    for line in difference.diff[2 : 2 + _SHOWN]:
        print_text(f"    {line}")
    if len(difference.diff) > 2 + _SHOWN:
        print_text(f"    ... {len(difference.diff) - 2 - _SHOWN} more lines")


VERBS = (golden_verb,)
