"""Real schemas in the notation: each comes back equal, and laying it out again changes nothing."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from corpora import lines_of
from wireshape import ir
from wireshape.emit.notation import notation
from wireshape.errors import SchemaError
from wireshape.notation.grammar import parse
from wireshape.notation.layout import laid_out
from wireshape.notation.source import read_text
from wireshape.options import Options
from wireshape.read import read

pytestmark = pytest.mark.corpus
EVERY = {"bfcl": 5, "mcp_tools": 1, "schemastore": 20, "jsonschemabench": 30}
"""Of so many schemas one is taken; `WIRESHAPE_ALL` takes all of them."""
LONGEST = 400_000  # characters of JSON, in the sample


def graphs(name: str, every: int) -> Iterator[tuple[str, ir.Graph]]:
    for line in islice(lines_of(name), 0, None, every):
        if every > 1 and len(line) > LONGEST:
            continue
        record: dict[str, Any] = json.loads(line)
        schema = record["schema"]
        if record["draft"] in ("draft3", "v1"):
            continue
        says = isinstance(schema, dict) and "$schema" in schema
        try:
            graph = read(schema, Options(draft=None if says else record["draft"])).graph
        except SchemaError:  # a reference to a document that is not at hand
            continue
        yield record["id"], graph


@pytest.mark.parametrize("name", list(EVERY))
def test_real_schemas_come_back(name: str) -> None:
    every = 1 if os.environ.get("WIRESHAPE_ALL") else EVERY[name]
    seen = 0
    for key, graph in graphs(name, every):
        seen += 1
        text = notation(graph)
        again = read_text(text, Options()).graph
        assert again == graph, key
        assert list(again.defs) == list(graph.defs), key
        assert laid_out(parse(text)) == text, key
        dense = read_text(notation(graph, dense=True), Options()).graph
        assert dense == graph, key
    assert seen > 20
