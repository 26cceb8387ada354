"""Find the schemas that a document declares: tool lists and request bodies of every known shape, or a schema itself.

A shape is told by its keys alone, never by who uses it. The schemas are handed on as they stand; whether they are
well-formed, and what a dialect says of them, is the question of others.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias, TypeGuard

from wireshape.codes import CODES
from wireshape.errors import SchemaError
from wireshape.ir import Json, Path, pointer
from wireshape.spelling import nearly

Part: TypeAlias = Literal["input", "output", "format", "schema", "none", "tools"]
"""Arguments of a tool; results of a tool; the form of a reply; a schema that nobody says the use of; a tool without arguments;
a whole list of tools, which no schema stands for."""


class Declared(NamedTuple):
    """One schema of a document: whose it is, and `path`, where it stands.

    `text` tells that it is written there as JSON text. `strict` is what the document says, `None` when it does not.
    """

    name: str
    part: Part
    schema: Json
    path: Path
    description: str = ""
    strict: bool | None = None
    text: bool = False


def declarations(document: Json) -> list[Declared]:
    """List the schemas of a document in its order; an empty list when it has a known shape and declares none.

    The shapes: results of `tools/list`, bare or in their envelope; lists of tools; one tool; request bodies and the parts
    of them that hold tools or the form of the reply; lists of any of these; and a bare schema. A tool without a schema,
    such as one that a provider runs itself, declares none. Where a tool or a schema must stand and something else does, or a
    key is nearly one of these shapes, `SchemaError` names the place.

    >>> tools = {"tools": [{"name": "add", "inputSchema": {"type": "object"}}]}
    >>> [(d.name, d.part, d.schema) for d in declarations(tools)]
    [('add', 'input', {'type': 'object'})]
    >>> declarations({"type": "object"})[0].part
    'schema'
    """
    return [d for d in _document(document, None, 0) if d.part != "none"]


def declared_tools(document: Json) -> list[Declared]:
    """List what the tools of a document declare, those without arguments included, as part "none".

    >>> [(d.name, d.part) for d in declared_tools({"tools": [{"name": "now"}, {"type": "web_search"}]})]
    [('now', 'none')]
    """
    return [d for d in _document(document, None, 0) if d.part in ("input", "output", "none")]


def place_of_tool(declared: Declared) -> Path:
    """Return where the tool stands that declares this: the object that holds its name.

    >>> [d] = declarations({"function": {"name": "f", "parameters": {}}})
    >>> pointer(place_of_tool(d))
    '/function'
    """
    path = declared.path
    while declared.part != "none" and path is not None:
        path, key = path
        if key in _INPUTS or key in _OUTPUTS:
            break
    return path


def list_of_tool(declared: Declared, *, lines: bool) -> Path:
    """Return where the list stands that holds the tool for a request; the tool itself where it is in none, as in `lines`.

    >>> [d] = declarations({"tools": [{"functionDeclarations": [{"name": "f", "parameters": {}}]}]})
    >>> pointer(list_of_tool(d, lines=False))
    '/tools'
    """
    own = place_of_tool(declared)
    above: list[Path] = []
    path = own
    while path is not None:
        above.append(path)
        path = path[0]
    named = [at for at in above if at is not None and at[1] in _LISTS]
    if named:
        return named[-1]
    within = [at[0] for at in above if at is not None and isinstance(at[1], int)]
    found = within[0] if within else own
    return own if lines and found is None else found


_MAX_DEPTH = 16
"""Documents inside documents."""
_ANYTHING = "a tool, a request or a schema"
_WRAPPERS = frozenset(
    "body request requests params result extra_body sampling_params toolConfig tool_config config generationConfig "
    "generation_config generateContentConfig output_config outputConfig text".split()
)
"""Keys that lead to a document inside this one."""
_LISTS = frozenset("tools functions functionDeclarations function_declarations".split())
_FORMATS = frozenset(
    "response_format responseFormat format output_format textFormat structured_outputs".split()
)
_SCHEMAS = frozenset(
    "responseSchema responseJsonSchema response_schema response_json_schema requestedSchema guided_json json_schema".split()
)
_CHATTER = frozenset("messages message contents input inputText prompt texts taskType".split())
"""Keys that tell a request, which may declare nothing."""
_INPUTS = "inputSchema input_schema parameters parametersJsonSchema parameters_json_schema".split()
_OUTPUTS = "outputSchema output_schema response responseJsonSchema response_json_schema".split()
_BODIES = ("toolSpec", "function", "custom")
"""Keys under which a tool holds what it declares."""
_TOOL_KEYS = (
    "name",
    "description",
    "strict",
    *_INPUTS,
    *[k for k in _OUTPUTS if k != "response"],
    *_BODIES,
)
_DOCUMENT_KEYS = tuple(sorted(_LISTS | _FORMATS | _SCHEMAS))
_FORMAT_TYPES = frozenset("json_schema json_object json text".split())
_INNER_FORMATS = ("json_schema", "structure", "jsonSchema", "text")
_KEYWORDS = frozenset(
    "$schema $id $anchor $comment $dynamicRef $recursiveRef type enum const title description default examples format pattern minLength "
    "maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf items prefixItems contains minItems maxItems uniqueItems "
    "additionalProperties patternProperties propertyNames required minProperties maxProperties not if nullable".split()
)
"""Words of which an object has one at least, when nothing else tells that it is a schema."""
_READ = frozenset([*_TOOL_KEYS, *_DOCUMENT_KEYS, *_OUTPUTS, *_WRAPPERS, *_CHATTER, *_KEYWORDS])
_TYPES = frozenset("null boolean integer number string array object".split())


def _document(value: Json, path: Path, depth: int) -> Iterator[Declared]:
    if depth > _MAX_DEPTH:
        raise _misplaced(path, _ANYTHING)
    if _is_list(value):
        for i, item in enumerate(value):
            yield from _document(item, (path, i), depth + 1)
    elif isinstance(value, bool):
        yield Declared("", "schema", value, path)
    elif not _is_object(value):
        raise _misplaced(path, _ANYTHING)
    elif _is_schema(value):
        yield Declared("", "schema", value, path)
    elif _is_tool(value):
        yield from _tool(value, path)
    elif _is_format(value):
        yield from _format(value, path)
    elif _is_request(value):
        yield from _request(value, path, depth)
    elif not value or _KEYWORDS & value.keys():
        yield Declared("", "schema", value, path)
    else:
        _spelt(value, path, [*_DOCUMENT_KEYS, *_TOOL_KEYS])
        raise _misplaced(path, _ANYTHING)


def _is_object(value: Json) -> TypeGuard[dict[str, Any]]:
    return isinstance(value, dict)


def _is_list(value: Json) -> TypeGuard[list[Any]]:
    return isinstance(value, list)


def _is_schema(value: dict[str, Any]) -> bool:
    """Tell whether an object is a schema for sure; such a one may have any further key."""
    said = value.get("type")
    if _is_list(said) or (isinstance(said, str) and said.lower() in _TYPES):
        return True
    words = ("properties", "$ref", "anyOf", "oneOf", "allOf", "$defs", "definitions")
    return any([w in value for w in words])


def _is_tool(value: dict[str, Any]) -> bool:
    if value.get("type") == "function" or any([_is_object(value.get(k)) for k in _BODIES]):
        return True
    return isinstance(value.get("name"), str) and any([k in value for k in _INPUTS])


def _is_format(value: dict[str, Any]) -> bool:
    said, held = value.get("type"), value.get("schema")
    if isinstance(said, str) and said in _FORMAT_TYPES:
        return True
    return isinstance(value.get("name"), str) and (_is_object(held) or isinstance(held, bool))


def _is_request(value: dict[str, Any]) -> bool:
    for key, part in value.items():
        if key in _CHATTER or (_is_list(part) and (key in _LISTS or key == "requests")):
            return True
        if _is_object(part) and (key in _WRAPPERS or key in _FORMATS or key in _SCHEMAS):
            return True
    return False


def _spelt(value: dict[str, Any], path: Path, known: Sequence[str]) -> None:
    """Refuse a key that is read nowhere and is nearly a known one."""
    for key in [key for key in value if key not in _READ]:
        meant = nearly(key, known)
        if meant is not None and meant not in value:
            message = CODES["WS131"].template.format(key=key, hint=meant)
            raise SchemaError(message, code="WS131", pointer=pointer((path, key)))


def _request(value: dict[str, Any], path: Path, depth: int) -> Iterator[Declared]:
    _spelt(value, path, _DOCUMENT_KEYS)
    for key, part in value.items():
        here = (path, key)
        if key in _LISTS and part is not None:
            yield from _tools(part, here, depth + 1)
        elif key in _FORMATS and _is_object(part):
            yield from _format(part, here)
        elif key in _SCHEMAS and part is not None:
            yield _declared("", "format", part, here)
        elif key in _WRAPPERS and _is_object(part) and not _is_schema(part):
            if _is_tool(part) or _is_format(part) or _is_request(part):
                yield from _document(part, here, depth + 1)
        elif key == "requests" and _is_list(part):
            yield from _document(part, here, depth + 1)


def _tools(part: Json, path: Path, depth: int) -> Iterator[Declared]:
    if not _is_list(part) or depth > _MAX_DEPTH:
        raise _misplaced(path, "a list of tools")
    for i, tool in enumerate(part):
        at = (path, i)
        if not _is_object(tool):
            raise _misplaced(at, "a tool")
        for key in [k for k in tool if k in _LISTS]:
            yield from _tools(tool[key], (at, key), depth + 1)
        yield from _tool(tool, at)


def _tool(tool: dict[str, Any], path: Path) -> Iterator[Declared]:
    """Yield what a tool declares, in its own body or in itself."""
    _spelt(tool, path, _TOOL_KEYS)
    strict, plain = tool.get("strict"), tool.get("type") in (None, "function")
    for key in _BODIES:
        body = tool.get(key)
        if _is_object(body):
            tool, path = body, (path, key)
            _spelt(tool, path, _TOOL_KEYS)
            break
    strict = tool.get("strict", strict)
    if plain and tool.get("name") and all([tool.get(key) is None for key in _INPUTS]):
        yield _declared(tool["name"], "none", None, path, tool.get("description"), strict)
    parts: list[tuple[Part, Sequence[str]]] = [("input", _INPUTS), ("output", _OUTPUTS)]
    for part, keys in parts:
        for key in keys:
            schema, at = tool.get(key), (path, key)
            if _is_object(schema) and schema.keys() == {"json"}:
                schema, at = schema["json"], (at, "json")
            if schema is not None:
                yield _declared(tool.get("name"), part, schema, at, tool.get("description"), strict)


def _format(form: dict[str, Any], path: Path) -> Iterator[Declared]:
    """Yield the schema of a reply's form: beside its name, below one of the keys that wrap it, or the form itself."""
    for _ in range(_MAX_DEPTH):
        for key in ("schema", "json"):
            if form.get(key) is not None and not _is_schema(form):
                name, told = form.get("name"), form.get("description")
                yield _declared(name, "format", form[key], (path, key), told, form.get("strict"))
                return
        wrapper = next((k for k in _INNER_FORMATS if _is_object(form.get(k))), None)
        if wrapper is None or _is_schema(form):
            break
        form, path = form[wrapper], (path, wrapper)
    said = form.get("type")
    if _is_schema(form) or not (said in _FORMAT_TYPES if isinstance(said, str) else "name" in form):
        yield _declared("", "format", form, path)


def _declared(
    name: Json, part: Part, schema: Json, path: Path, description: Json = None, strict: Json = None
) -> Declared:
    text = isinstance(schema, str)
    return Declared(
        name if isinstance(name, str) else "",
        part,
        _parsed(schema) if isinstance(schema, str) else schema,
        path,
        description if isinstance(description, str) else "",
        strict if isinstance(strict, bool) else None,
        text,
    )


def _parsed(text: str) -> Json:
    """Read JSON text; text that is none stands for itself, which is no schema."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _misplaced(path: Path, wanted: str) -> SchemaError:
    message = CODES["WS130"].template.format(wanted=wanted)
    return SchemaError(message, code="WS130", pointer=pointer(path))
