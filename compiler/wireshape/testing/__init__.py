"""Property tests for schemas and codecs: strategies of schemas and values, a validator of the wire, the laws.

The strategies need hypothesis (`pip install wireshape[testing]`); `wire_validator`, `same_json` and the laws do not, and
nothing is imported before it is used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wireshape.testing.engines import Answer as Answer
    from wireshape.testing.engines import Engine as Engine
    from wireshape.testing.engines import EngineError as EngineError
    from wireshape.testing.engines import Trial as Trial
    from wireshape.testing.engines import trial as trial
    from wireshape.testing.equality import is_beginning as is_beginning
    from wireshape.testing.equality import same_json as same_json
    from wireshape.testing.laws import Breach as Breach
    from wireshape.testing.schema_strategies import FEATURES as FEATURES
    from wireshape.testing.schema_strategies import schemas as schemas
    from wireshape.testing.streaming import broken_stream_laws as broken_stream_laws
    from wireshape.testing.value_strategies import (
        json_values as json_values,
    )
    from wireshape.testing.value_strategies import (
        mutations as mutations,
    )
    from wireshape.testing.value_strategies import (
        values as values,
    )
    from wireshape.testing.value_strategies import (
        wire_values as wire_values,
    )
    from wireshape.testing.verdicts import Verdicts as Verdicts
    from wireshape.testing.verdicts import broken_laws as broken_laws
    from wireshape.testing.wire import (
        WireValidator as WireValidator,
    )
    from wireshape.testing.wire import (
        wire_validator as wire_validator,
    )

_HOMES = {
    "Answer": "engines",
    "Engine": "engines",
    "EngineError": "engines",
    "Trial": "engines",
    "trial": "engines",
    "is_beginning": "equality",
    "same_json": "equality",
    "Breach": "laws",
    "broken_laws": "verdicts",
    "FEATURES": "schema_strategies",
    "schemas": "schema_strategies",
    "broken_stream_laws": "streaming",
    "json_values": "value_strategies",
    "mutations": "value_strategies",
    "values": "value_strategies",
    "wire_values": "value_strategies",
    "Verdicts": "verdicts",
    "WireValidator": "wire",
    "wire_validator": "wire",
}

__all__ = [
    "FEATURES",
    "Answer",
    "Breach",
    "Engine",
    "EngineError",
    "Trial",
    "Verdicts",
    "WireValidator",
    "broken_laws",
    "broken_stream_laws",
    "is_beginning",
    "json_values",
    "mutations",
    "same_json",
    "schemas",
    "trial",
    "values",
    "wire_validator",
    "wire_values",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
