"""The corpora of real schemas and replies, in the folder that WIRESHAPE_CORPORA names: gzipped JSON lines, one record each."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def lines_of(name: str) -> Iterator[str]:
    """Read the lines of a corpus."""
    path = Path(os.environ["WIRESHAPE_CORPORA"]) / f"{name}.dev.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from lines


def records_of(name: str) -> Iterator[dict[str, Any]]:
    """Read the records of a corpus."""
    yield from map(json.loads, lines_of(name))
