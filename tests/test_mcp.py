"""Tools of a Model Context Protocol server: listed live, called, and their results held against what they declare."""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

import wireshape as ws
from wireshape.cli import run
from wireshape.integrations.mcp import call, list_tools, result_of, tools_of

SERVER = str(Path(__file__).parent / "data" / "mcp_server.py")
COUNT = ws.Tool(
    "count",
    returns={
        "type": "object",
        "properties": {"n": {"type": "integer", "minimum": 0}},
        "required": ["n"],
    },
)


def said(*texts: str, **more: object) -> dict:
    return {"content": [{"type": "text", "text": text} for text in texts], **more}


@pytest.mark.parametrize(
    ("tool", "result", "value", "failed"),
    [
        (COUNT, said("3", structuredContent={"n": 3}), {"n": 3}, False),
        (COUNT, said('{"n": 3}'), {"n": 3}, False),
        (COUNT, said("no shelf", isError=True), "no shelf", True),
        (ws.Tool("any"), said("a", "b"), "a\nb", False),
        (ws.Tool("any"), said("a", structuredContent={"n": "x"}), {"n": "x"}, False),
        (ws.Tool("any"), {"content": [{"type": "image", "data": ""}]}, [{"type": "image", "data": ""}], False),
        (ws.Tool("any"), {}, "", False),
    ],
)  # fmt: skip
def test_what_a_call_came_to(tool, result, value, failed):
    assert result_of(tool, result) == ws.CallResult(value, failed)


@pytest.mark.parametrize(
    ("result", "pointer"),
    [
        (said("3", structuredContent={"n": -3}), "/structuredContent/n"),
        (said("3", structuredContent={}), "/structuredContent"),
        (said("3", structuredContent=None), "/structuredContent"),
        (said('{"n": "3"}'), "/content/0/text/n"),
        (said("three"), "/structuredContent"),
        (said("[" * 99999), "/structuredContent"),
        (said('{"n": 3}', '{"n": 3}'), "/structuredContent"),
        ({"content": [{"type": "text", "text": 3}]}, "/structuredContent"),
        ({}, "/structuredContent"),
    ],
)
def test_a_result_that_is_not_as_declared_is_a_typed_error(result, pointer):
    with pytest.raises(ws.ValidationError, match="the result of 'count'") as caught:
        result_of(COUNT, result)
    assert (caught.value.code, caught.value.pointer) == ("WS502", pointer)


@pytest.mark.parametrize("tool", [COUNT, ws.Tool("plain")])
@pytest.mark.parametrize(
    ("result", "pointer"),
    [
        (None, ""),
        ([], ""),
        ("text", ""),
        ({"content": "text"}, "/content"),
        ({"content": [{"type": "image"}, None]}, "/content/1"),
        ({"content": [3], "isError": True}, "/content/0"),
    ],
)
def test_what_is_no_result_is_a_typed_error(tool, result, pointer):
    with pytest.raises(ws.ValidationError) as caught:
        result_of(tool, result)
    assert (caught.value.code, caught.value.pointer) == ("WS502", pointer)


def test_a_text_that_gives_a_key_twice_is_no_structured_content():
    parts = [{"type": "text", "text": ' {"n": 1, "n": 2}'}]
    with pytest.raises(ws.ValidationError):
        result_of(COUNT, {"content": parts})
    with pytest.raises(ws.ValidationError):
        result_of(COUNT, {"content": [{"type": "text", "text": '{"n": 1} and more'}]})
    long = {"content": [{"type": "text", "text": " " * 1_100_000 + '{"n": 1}\n'}]}
    assert result_of(COUNT, long).value == {"n": 1}


def test_structured_content_that_is_null_is_none():
    """Servers write null for what is not there; the text is not lost."""
    said = {"content": [{"type": "text", "text": "done"}], "structuredContent": None}
    assert result_of(ws.Tool("plain"), said).value == "done"


def test_a_text_that_is_none_stays_a_part():
    parts = [{"type": "text", "text": None}]
    assert result_of(ws.Tool("plain"), {"content": parts}).value == parts
    pointed = {"content": [{"type": "image"}, {"type": "text", "text": '{"n": "1"}'}]}
    with pytest.raises(ws.ValidationError) as caught:
        result_of(COUNT, pointed)
    assert caught.value.pointer == "/content/1/text/n"


def test_a_declaration_that_is_no_schema_is_a_typed_error():
    with pytest.raises(ws.SchemaError):
        result_of(ws.Tool("t", returns={"type": "nothing"}), said("a", structuredContent={}))


def test_what_tools_declare_of_their_results_is_read():
    listed = {
        "tools": [
            {"name": "count", "inputSchema": {"type": "object"}, "outputSchema": COUNT.returns}
        ]
    }
    assert [tool.returns for tool in ws.tools_from(listed)] == [COUNT.returns]
    assert ws.tools_from({"name": "f", "parameters": {"type": "object"}})[0].returns is None


def test_without_the_package_a_server_cannot_be_asked(monkeypatch):
    monkeypatch.setitem(sys.modules, "mcp", None)
    with pytest.raises(ws.SchemaError, match=r"install `wireshape\[mcp\]`"):
        list_tools(["server"])


@pytest.mark.parametrize(
    "arguments", [[], ["tools.json", "--mcp", "x"], ["--mcp", ""], ["--mcp", "'"]]
)
def test_tools_come_from_one_place(arguments, capsys):
    assert run(["plan", *arguments, "-d", "openai-strict"]) == 2


@pytest.fixture
def mcp():
    """The package, where it is installed."""
    return pytest.importorskip("mcp")


@pytest.fixture
def url(mcp):
    """Where the small server listens on HTTP."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with subprocess.Popen([sys.executable, SERVER, str(port)], stderr=subprocess.DEVNULL) as server:
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}/mcp"
        server.terminate()


@pytest.mark.mcp
@pytest.mark.filterwarnings("ignore")
def test_a_server_on_stdio_is_listed_and_called(mcp):
    tools = list_tools([sys.executable, SERVER])
    assert [(t.name, t.returns is not None) for t in tools] == [("count", True), ("fail", False)]

    async def talk() -> list[ws.CallResult]:
        server = mcp.StdioServerParameters(command=sys.executable, args=[SERVER])
        async with mcp.Client(server) as client:
            count, fail = await tools_of(client)
            return [await call(client, count, {"shelf": "abc"}), await call(client, fail, {})]

    counted, failed = asyncio.run(talk())
    assert counted == ws.CallResult({"n": 3})
    assert failed.failed


@pytest.mark.mcp
@pytest.mark.filterwarnings("ignore")
def test_a_server_on_http_is_listed(mcp, url):
    assert [tool.name for tool in list_tools(url)] == ["count", "fail"]


@pytest.mark.mcp
@pytest.mark.filterwarnings("ignore")
def test_the_command_line_plans_the_tools_of_a_server(mcp, capsys):
    command = f"{sys.executable} {SERVER}"
    assert run(["plan", "--mcp", command, "-d", "anthropic-strict", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert [tool["name"] for tool in shown["request"]["tools"]] == ["count", "fail"]


@pytest.mark.mcp
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("server", "reason"),
    [
        (["/no/such/server"], "No such file"),
        ([sys.executable, "-c", ""], "Connection closed"),
        ([sys.executable, "-c", "import time; time.sleep(60)"], "no answer within 1 seconds"),
        ("http://127.0.0.1:9/mcp", "connection attempts failed"),
        ("no url", ""),
    ],
)
def test_a_server_that_cannot_be_asked_is_a_typed_error(mcp, server, reason):
    with pytest.raises(ws.SchemaError, match=f"cannot be listed: .*{reason}"):
        list_tools(server, seconds=1)


@pytest.mark.mcp
def test_all_pages_are_read():
    pytest.importorskip("mcp")
    types = pytest.importorskip("mcp.types")

    class Client:
        async def list_tools(self, cursor=None):
            n = int(cursor or 0)
            tool = types.Tool(name=f"t{n}", input_schema={"type": "object"})
            return types.ListToolsResult(tools=[tool], next_cursor=str(n + 1) if n < 2 else None)

    assert [tool.name for tool in asyncio.run(tools_of(Client()))] == ["t0", "t1", "t2"]


def test_a_server_whose_pages_never_end():
    class Page:
        tools: tuple[()] = ()
        next_cursor = "again"

    class Client:
        async def list_tools(self, cursor=None):
            return Page

    assert asyncio.run(tools_of(Client())) == []


def test_results_of_a_tool_that_a_provider_runs_are_nobodys():
    listed = [{"type": "search", "name": "web", "outputSchema": {"type": "object"}}]
    assert ws.tools_from({"tools": listed}) == []


def test_no_server_is_listed_where_a_loop_runs() -> None:
    async def inside() -> None:
        list_tools(["/no/such/server"])

    with pytest.raises(ws.SchemaError, match="tools_of"):
        asyncio.run(inside())


def test_what_the_package_logs_is_not_shown(caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(ws.SchemaError):
        list_tools(["echo", "hello"], seconds=5)
    assert not caplog.records
