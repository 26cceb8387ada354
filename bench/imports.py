"""What `import wireshape` costs and loads, against an empty interpreter and against `import jsonschema`.

python bench/imports.py [--rounds 15]
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time

HEAVY = {"jsonschema", "jsonschema_rs", "pydantic", "lark", "click", "hypothesis", "referencing"}
STATEMENTS = {
    "nothing": "pass",
    "import wireshape": "import wireshape",
    "compile one schema": "import wireshape as ws; ws.compile({'type': 'object', 'properties': {'a': {'type': 'integer'}}}, 'openai-strict')",
    "decode one value": "import wireshape as ws; ws.compile({'type': 'object', 'properties': {'a': {'type': 'integer'}}}, 'openai-strict').decode({'a': None})",
    "import jsonschema": "import jsonschema",
    "import pydantic": "import pydantic; pydantic.BaseModel",
}


def seconds(code: str) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return time.perf_counter() - start


def loaded(code: str) -> set[str]:
    script = f"{code}\nimport sys; print(*{{name.partition('.')[0] for name in sys.modules}})"
    done = subprocess.run(
        [sys.executable, "-c", script], check=True, capture_output=True, text=True
    )
    return set(done.stdout.split())


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=15)
    arguments = parser.parse_args()
    best = dict.fromkeys(STATEMENTS, float("inf"))
    for _ in range(arguments.rounds):
        for name, code in STATEMENTS.items():
            best[name] = min(best[name], seconds(code))
    base = best["nothing"]
    for name, code in STATEMENTS.items():
        heavy = sorted(loaded(code) & HEAVY)
        print(
            f"{name:22} {1000 * best[name]:7.1f} ms  {best[name] / base:5.2f}x an empty interpreter  loads {heavy or 'nothing heavy'}"
        )
    return 1 if loaded("import wireshape") & HEAVY else 0


if __name__ == "__main__":
    sys.exit(main())
