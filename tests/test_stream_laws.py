"""What a stream shows is a beginning of what comes out, for any schema, dialect and cuts."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import assume, given, note
from hypothesis import strategies as st
from hypothesis.errors import UnsatisfiedAssumption

import wireshape as ws
from wireshape.testing import (
    broken_stream_laws,
    json_values,
    mutations,
    same_json,
    schemas,
    values,
    wire_values,
)

OPTIONS = (ws.Options(), ws.Options(open_objects="keep", absent="box"), ws.Options(unroll=1))
STYLES: tuple[dict[str, Any], ...] = ({}, {"indent": 1, "ensure_ascii": False})


@pytest.mark.parametrize("origin", ["value", "wire", "near", "any"])
@given(data=st.data())
def test_streams_of_json(origin: str, data: st.DataObject) -> None:
    schema = data.draw(st.integers(2, 9).flatmap(lambda n: schemas(max_leaves=n)))
    dialect = data.draw(st.sampled_from(ws.dialects()))
    try:
        compiled = ws.compile(schema, dialect, options=data.draw(st.sampled_from(OPTIONS)))
        if origin == "value":
            wire = compiled.encode(data.draw(values(compiled)))
        else:
            wire = data.draw(json_values() if origin == "any" else wire_values(compiled))
            wire = data.draw(mutations(wire)) if origin == "near" else wire
        text = json.dumps(wire, **data.draw(st.sampled_from(STYLES)))
        text.encode()
    except (ws.WireshapeError, UnsatisfiedAssumption, UnicodeEncodeError):
        assume(condition=False)
        raise
    note(f"{dialect} {json.dumps(compiled.schema)}\n{text}")
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=len(text))))
    assert not broken_stream_laws(compiled, text, cuts)
    if origin == "value" and not isinstance(wire, int | float | None):
        feed = compiled.stream()
        feed.push(text + " ")
        outcome = feed.finish()
        if outcome.kind == "output":
            assert same_json(feed.partial, outcome.value)
