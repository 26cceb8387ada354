"""Schemas that hurt people in the wild, each with what must hold of its wire schema, its codec and its gate.

`data/reports.json` holds one case a line: the schema, `seen` (the public threads), and expectations. `wire` lists checks
`[name, pointer, operand]` on the wire schema, `both_ways` values that survive, `decodes` pairs of wire value and value,
`valid` and `invalid` the verdict of the gate, `widened` pointer and keyword of a note, `refused` what an error mentions.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import wireshape as ws
from wireshape.testing import laws, same_json, wire_validator

CASES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent / "data" / "reports.json").read_text("utf-8")
)

NAMED = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
LISTED = ("anyOf", "oneOf", "allOf", "prefixItems")
SINGLE = (
    "items",
    "additionalProperties",
    "not",
    "if",
    "then",
    "else",
    "contains",
    "propertyNames",
    "unevaluatedProperties",
)


def nodes(schema: Any) -> Iterator[dict[str, Any]]:
    """Every schema object of a document, schema positions only."""
    if not isinstance(schema, dict):
        return
    yield schema
    for key in NAMED:
        for part in schema.get(key, {}).values():
            yield from nodes(part)
    for key in LISTED:
        for part in schema.get(key, ()):
            yield from nodes(part)
    for key in SINGLE:
        yield from nodes(schema.get(key))


def follow(root: Any, node: Any, *, token: str | None = None) -> Any:
    """Step through local references, and through an `anyOf` with one arm that is not null."""
    while isinstance(node, dict) and (token is None or token not in node):
        arms = [arm for arm in node.get("anyOf", ()) if arm != {"type": "null"}]
        if isinstance(node.get("$ref"), str):
            node = root if node["$ref"] == "#" else find(root, node["$ref"][1:])
        elif token is not None and len(arms) == 1:
            node = arms[0]
        else:
            break
    return node


def find(root: Any, pointer: str) -> Any:
    node = root
    for raw in pointer.split("/")[1:]:
        token = raw.replace("~1", "/").replace("~0", "~")
        node = follow(root, node, token=token)
        node = node[int(token)] if isinstance(node, list) else node[token]
    return node


def types(node: dict[str, Any]) -> list[str]:
    kind = node.get("type", [])
    return [kind] if isinstance(kind, str) else kind


def objects(schema: Any) -> list[dict[str, Any]]:
    return [n for n in nodes(schema) if "object" in types(n) or "properties" in n]


def texts(schema: Any) -> str:
    return "\n".join([str(n.get("description", "")) for n in nodes(schema)]).lower()


def there(root: Any, pointer: str) -> tuple[bool, Any]:
    try:
        return True, find(root, pointer)
    except (KeyError, IndexError, TypeError):
        return False, None


def admits(compiled: ws.Compiled, pointer: str, value: Any) -> bool:
    """Whether the wire takes `value` at a pointer: a validator of that part alone."""
    import jsonschema

    root = laws.recompilable(compiled)
    defs = {k: root[k] for k in ("$defs", "definitions") if k in root}
    return jsonschema.Draft202012Validator({**defs, "allOf": [find(root, pointer)]}).is_valid(value)


def wire_holds(compiled: ws.Compiled, name: str, pointer: str, operand: Any) -> bool:  # noqa: C901  one case per check
    """One check; the names are those of the data file."""
    schema = compiled.schema
    exists, node = there(schema, pointer)
    own = follow(schema, node)
    match name:
        case "equals":
            return exists and same_json(node, operand)
        case "not_equals":
            return not exists or not same_json(node, operand)
        case "absent":
            return not exists
        case "present":
            return exists
        case "no_keyword":
            return not [k for n in nodes(schema) for k in operand if k in n]
        case "keyword_in":
            return node.get(operand[0]) in operand[1]
        case "at_most_one_of" | "not_both":
            return len([k for k in operand if k in node]) < 2
        case "has_properties":
            return set(operand) <= set(own.get("properties", {}))
        case "required_set":
            return set(own.get("required", ())) == set(operand)
        case "accepts_null":
            return admits(compiled, pointer, None)
        case "rejects_null":
            return not admits(compiled, pointer, None)
        case "description_mentions" | "text_kept":
            words = [operand] if isinstance(operand, str) else operand
            return all([str(word).lower() in texts(node) for word in words])
        case "kept_or_reported":
            told = {n.keyword for n in compiled.report.notes}
            return all([k in told or [n for n in nodes(schema) if k in n] for k in operand])
        case "not_empty_object":
            return not (
                "object" in types(own)
                and not own.get("properties")
                and own.get("additionalProperties", False) is False
            )
        case "implies_type":
            return operand in types(own)
        case "value_kept":
            return json.dumps(operand) in json.dumps(schema)
        case _:
            return all([node_holds(name, schema, n, operand) for n in nodes(schema)])


def node_holds(name: str, root: Any, node: dict[str, Any], operand: Any) -> bool:  # noqa: C901  one case per check
    """A check of every node."""
    match name:
        case "all_objects_closed":
            return node not in objects(node)[:1] or node.get("additionalProperties") is False
        case "all_refs_resolve":
            return "$ref" not in node or there(root, node["$ref"][1:])[0]
        case "no_boolean_schemas":
            parts = [
                *node.get("properties", {}).values(),
                *[a for k in LISTED for a in node.get(k, ())],
                node.get("items"),
            ]
            return not [part for part in parts if isinstance(part, bool)]
        case "keys_match":
            return all([re.search(operand, key) for key in node.get("properties", {})])
        case "enums_all_strings":
            return all([isinstance(v, str) for v in node.get("enum", ())])
        case "no_ref_siblings":
            return "$ref" not in node or not set(node) - {"$ref", "$defs", "definitions"}
        case "every_array_has_items":
            return "array" not in types(node) or "items" in node or "prefixItems" in node
        case "every_union_branch_typed":
            return all(
                [
                    set(arm) & {"type", "$ref", "anyOf", "enum", "const"}
                    for arm in node.get("anyOf", ())
                ]
            )
        case "required_subset_of_properties":
            return set(node.get("required", ())) <= set(node.get("properties", {}))
        case "no_unknown_formats":
            return node.get("format", "date") in {
                "date",
                "time",
                "date-time",
                "duration",
                "email",
                "uuid",
                "ipv4",
                "ipv6",
                "uri",
                "hostname",
            }
        case "no_regex_feature":
            return not re.search(r"\(\?<?[=!]", node.get("pattern", ""))
        case "type_list_members_in":
            return not isinstance(node.get("type"), list) or set(node["type"]) <= set(operand)
        case "enum_matches_type":
            named = {
                str: "string",
                int: "integer",
                float: "number",
                bool: "boolean",
                type(None): "null",
                list: "array",
                dict: "object",
            }
            return not types(node) or all(
                [named[type(v)] in types(node) for v in node.get("enum", ())]
            )
        case "wire_keys_unique":
            return True  # a dict cannot hold a key twice; the round trips tell whether one was lost
        case _:
            pytest.fail(f"no check is called {name!r}")


def gate_takes(compiled: ws.Compiled, value: Any) -> bool:
    return laws.is_valid(compiled, value)


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_case(case: dict[str, Any]) -> None:
    inexpressible: Any = "raise" if "refused" in case else "escape"
    options = ws.Options(inexpressible=inexpressible, draft=case.get("draft"))
    try:
        compiled = ws.compile(case["schema"], case["dialect"], options=options)
    except (ws.SchemaError, ws.InexpressibleError) as error:
        assert "refused" in case or case.get("may_be_refused"), str(error)
        assert all([word in str(error) for word in case.get("refused", ())]), str(error)
        return
    assert "refused" not in case, f"compiled to {json.dumps(compiled.schema)}"
    wire = json.dumps(compiled.schema)
    for name, pointer, *operand in case.get("wire", ()):
        assert wire_holds(compiled, name, pointer, *(operand or [None])), (
            f"{name} {pointer} {operand}: {wire}"
        )
    judge = wire_validator(compiled)
    for value in case.get("both_ways", ()):
        sent = compiled.encode(value)
        assert judge.is_valid(sent)
        assert same_json(compiled.decode(sent), value)
    for sent, value in case.get("decodes", ()):
        assert same_json(compiled.decode(sent), value)
    assert all([gate_takes(compiled, value) for value in case.get("valid", ())])
    assert not any([gate_takes(compiled, value) for value in case.get("invalid", ())])
    for effect in ("widened", "exact"):
        for pointer, keyword in case.get(effect, ()):
            noted = [
                n
                for n in compiled.report.notes
                if (n.effect, n.keyword) == (effect, keyword) and n.pointer.startswith(pointer)
            ]
            assert noted, f"no {effect} note for {keyword} at {pointer!r}\n{compiled.report}"
    assert not ws.check(compiled.schema, case["dialect"])


def nested(depth: int) -> Any:
    schema: Any = {"type": "string"}
    for _ in range(depth):
        schema = {
            "type": "object",
            "properties": {"a": schema},
            "required": ["a"],
            "additionalProperties": False,
        }
    return schema


def test_a_depth_that_a_stale_client_refused_is_no_limit() -> None:
    report = ws.compile(nested(7), "openai-strict").report
    assert not [n for n in report.notes if "limits." in n.message]


def test_the_note_of_a_limit_names_count_and_limit() -> None:
    limits = ws.dialect("openai-strict").limits
    count = (limits.properties or 0) + 1
    properties = {f"p{i}": {"type": "string"} for i in range(count)}
    compiled = ws.compile(
        {"type": "object", "properties": properties, "required": list(properties)}, "openai-strict"
    )
    note = next(n for n in compiled.report.notes if "limits." in n.message)
    assert str(count) in note.message
    assert str(limits.properties) in note.message
    assert "limits.properties" in note.message
