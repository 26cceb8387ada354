"""Tools of a Model Context Protocol server, listed and called live, and their results held against `outputSchema`.

The package `mcp` (extra `mcp`) is imported when a server is asked; results are judged without it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any, TypeAlias

from wireshape.codes import CODES
from wireshape.errors import SchemaError, ValidationError
from wireshape.history import CallResult
from wireshape.ir import kind_of
from wireshape.pipeline import compile  # noqa: A004 - the public verb
from wireshape.plan_items import Tool, tools_from
from wireshape.reply.strict import NotStrict, load_at

Server: TypeAlias = "str | Sequence[str]"
"""The URL of an HTTP server, or the command of one on stdio and its arguments."""

_PAGES = 1000


def list_tools(server: Server, *, seconds: float = 30) -> list[Tool]:
    """Start or reach a server, list all its tools, and let it go again. For use where no event loop runs; see `tools_of`.

    Raises SchemaError when there is no such server, it does not answer in time, or what it lists is no tool.

    >>> list_tools(["/no/such/server"])
    Traceback (most recent call last):
    ...
    wireshape.errors.SchemaError: WS503 at /: the tools of '/no/such/server' cannot be listed: ...
    """
    name = server if isinstance(server, str) else " ".join(server)
    if _in_loop():
        raise _unlisted(name, "an event loop runs here; connect a client and await `tools_of`")
    try:
        package = import_module("mcp")
    except ImportError as error:
        reason = "the package `mcp` is not there; install `wireshape[mcp]`"
        raise _unlisted(name, reason) from error
    try:
        with _silent():
            listed = asyncio.run(asyncio.wait_for(_listed(server, package), seconds))
    except TimeoutError as error:
        raise _unlisted(name, f"no answer within {seconds:g} seconds") from error
    except (OSError, ValueError, package.MCPError, ExceptionGroup) as error:
        raise _unlisted(name, _reason(error)) from error
    return tools_from({"tools": listed})


def _in_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


@contextmanager
def _silent() -> Generator[None]:
    """Keep what the package logs to itself: the error that is raised tells it."""
    logger, handler = logging.getLogger("mcp"), logging.NullHandler()
    before = logger.propagate
    logger.propagate = False
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.propagate = before
        logger.removeHandler(handler)


async def tools_of(client: Any) -> list[Tool]:
    """List all tools of an `mcp.Client` that is connected, page after page."""
    return tools_from({"tools": await _pages(client)})


async def call(client: Any, tool: Tool, arguments: Mapping[str, Any]) -> CallResult:
    """Call a tool through an `mcp.Client` that is connected, and hold the result against what the tool says of it."""
    return result_of(tool, await client.call_tool(tool.name, dict(arguments)))


def result_of(tool: Tool, result: Any) -> CallResult:
    """Return what a call came to: its structured content, else its text, else its parts; `failed` when the server says so.

    `result` is that of `tools/call`, as JSON or as an object of the package. Where the tool declares the form of its results
    (`Tool.returns`), the structured content must have it; the JSON text of an older server may stand in for it.

    Raises ValidationError, with a pointer into `result`, when it has not, or when `result` is none.

    >>> count = Tool("count", None, returns={"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]})
    >>> result_of(count, {"content": [], "structuredContent": {"n": 3}})
    CallResult(value={'n': 3}, failed=False)
    >>> result_of(count, {"content": [], "structuredContent": {"n": "3"}})
    Traceback (most recent call last):
    ...
    wireshape.errors.ValidationError: WS502 at /structuredContent/n: ...
    """
    body = plain(result) if hasattr(result, "model_dump") else result
    if kind_of(body) is not dict:
        raise _unfit(tool, "is no object", "")
    content = _parts(tool, body)
    texts = {i: text for i, part in enumerate(content) if (text := _text(part)) is not None}
    said: Any = "\n".join(texts.values()) if len(texts) == len(content) else content
    structured = body.get("structuredContent")
    if body.get("isError"):
        return CallResult(said, failed=True)
    if tool.returns is None:
        return CallResult(said if structured is None else structured)
    if "structuredContent" in body:
        return CallResult(_valid(tool, structured, "/structuredContent"))
    if len(texts) == 1:
        [(at, text)] = texts.items()
        value = _json(text.strip())
        if value is not None:
            return CallResult(_valid(tool, value, f"/content/{at}/text"))
    what = "has no structured content, which its output schema asks for"
    raise _unfit(tool, what, "/structuredContent")


def _parts(tool: Tool, body: dict[str, Any]) -> list[dict[str, Any]]:
    content: Any = body.get("content") or []
    if kind_of(content) is not list:
        raise _unfit(tool, "has content that is no list", "/content")
    for i, part in enumerate(content):
        if kind_of(part) is not dict:
            raise _unfit(tool, "has content that is no object", f"/content/{i}")
    parts: list[dict[str, Any]] = content
    return parts


def plain(value: Any) -> dict[str, Any]:
    """Return an object of the package as JSON, under the names of the protocol; JSON is returned as it is."""
    document: dict[str, Any] = (
        value
        if kind_of(value) is dict
        else value.model_dump(mode="json", by_alias=True, exclude_none=True)
    )
    return document


def _valid(tool: Tool, value: Any, pointer: str) -> Any:
    try:
        return compile(tool.returns, "lenient").validate(value)
    except ValidationError as error:
        raise _unfit(tool, f"does not fit: {error}", pointer + error.pointer) from error


def _unfit(tool: Tool, what: str, pointer: str) -> ValidationError:
    message = CODES["WS502"].template.format(name=tool.name, what=what)
    return ValidationError(message, code="WS502", pointer=pointer)


def _text(part: dict[str, Any]) -> str | None:
    text = part.get("text") if part.get("type") == "text" else None
    return text if isinstance(text, str) else None


def _json(text: str) -> Any:
    """The value of a JSON text, however long; `None` when it is none, or gives a key twice."""
    try:
        value, end = load_at(text, 0)
    except NotStrict:
        return None
    return value if end == len(text) else None


async def _listed(server: Server, package: Any) -> list[dict[str, Any]]:
    if isinstance(server, str):
        target: Any = server
    else:
        target = package.StdioServerParameters(command=server[0], args=list(server[1:]))
    async with package.Client(target) as client:
        return await _pages(client)


async def _pages(client: Any) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = []
    cursor: str | None = None
    for _ in range(_PAGES):
        page = await client.list_tools(cursor=cursor)
        listed += [plain(tool) for tool in page.tools]
        cursor = page.next_cursor
        if not cursor:
            break
    return listed


def _reason(error: BaseException) -> str:
    """What the first error of a group says."""
    inner = getattr(error, "exceptions", None)
    return _reason(inner[0]) if inner else str(error)


def _unlisted(name: str, reason: str) -> SchemaError:
    return SchemaError(CODES["WS503"].template.format(name=name, reason=reason), code="WS503")
