"""Samples of corpora, which are gzipped JSON lines, one record each: the same for the same seed."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path
from typing import Any


def load(path: Path, sample: int = 0, seed: int = 1) -> list[dict[str, Any]]:
    """Read `sample` records spread evenly over a file; all of them for 0."""
    lines = _lines(path)
    if sample and sample < len(lines):
        lines = _spread(lines, sample, random.Random(seed))
    return [json.loads(line) for line in lines]


def shares(folder: Path, names: list[str], count: int, seed: int) -> list[dict[str, Any]]:
    """Read `count` records, an equal share from each corpus, spread over it; a short one gives all it has."""
    draw = random.Random(seed)
    files = sorted([_lines(folder / f"{name}.dev.jsonl.gz") for name in names], key=len)
    picked: list[str] = []
    for i, lines in enumerate(files):
        share = min(len(lines), (count - len(picked)) // (len(files) - i))
        picked += _spread(lines, share, draw)
    return [json.loads(line) for line in picked]


def _lines(path: Path) -> list[str]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return file.readlines()


def _spread(lines: list[str], count: int, draw: random.Random) -> list[str]:
    """Pick one line at random of each of `count` equal stretches."""
    step = len(lines) / count
    return [lines[min(len(lines) - 1, int((i + draw.random()) * step))] for i in range(count)]
