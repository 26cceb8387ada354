"""A small server of the Model Context Protocol, on stdio or, given a port, on HTTP."""

import sys
from typing import TypedDict

from mcp.server.mcpserver import MCPServer

server = MCPServer("shelf")


class Count(TypedDict):
    n: int


@server.tool(description="Counts what is on a shelf")
def count(shelf: str, deep: bool = False) -> Count:
    return {"n": len(shelf) + deep}


@server.tool(structured_output=False)
def fail() -> str:
    raise ValueError("no shelf")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        server.run("streamable-http", host="127.0.0.1", port=int(sys.argv[1]))
    else:
        server.run()
