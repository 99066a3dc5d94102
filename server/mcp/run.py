"""Runs the MCP server over stdio or streamable HTTP."""

from __future__ import annotations

import json
import socket

import anyio
import uvicorn
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings

from pincite.server.access import Access, bearer
from pincite.server.address import own_names
from pincite.server.guard import App, Guard, Receive, Scope, Send
from pincite.server.mcp.app import make_mcp
from pincite.server.tenants import Serving, Tenants

_BODY_BYTES = 1_000_000
_MOST_SESSIONS = 256


def serve_stdio(serving: Serving, access: Access) -> None:
    """Serve the program that started this one, until it closes the pipe."""
    server = make_mcp(Tenants(serving), access, one_client=True)

    async def run() -> None:
        async with stdio_server() as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())

    anyio.run(run)


def make_http_app(serving: Serving, access: Access, hosts: frozenset[str] | None) -> App:
    """The application behind `/mcp`; `hosts` as for `Guard`, which checks them."""
    app = make_mcp(Tenants(serving), access, one_client=False).streamable_http_app(
        max_request_body_size=_BODY_BYTES,
        max_sessions=_MOST_SESSIONS,
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )
    return Guard(TokenGate(app, access), _BODY_BYTES, hosts)


def serve_http(serving: Serving, access: Access, listening: socket.socket, host: str) -> None:
    """Serve `/mcp` until the process is told to stop."""
    config = uvicorn.Config(
        make_http_app(serving, access, own_names(host, access)),
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=5,
    )
    uvicorn.Server(config).run(sockets=[listening])


class TokenGate:
    """Lets nobody without a token begin anything."""

    def __init__(self, app: App, access: Access) -> None:
        self._app = app
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it with 401."""
        if scope["type"] == "http":
            header = dict(scope["headers"]).get(b"authorization", b"").decode("latin-1")
            if self._access.caller(bearer(header)) is None:
                body = json.dumps({"error": "a valid bearer token is needed"}).encode()
                headers = [(b"content-type", b"application/json"), (b"www-authenticate", b"Bearer")]
                await send({"type": "http.response.start", "status": 401, "headers": headers})
                await send({"type": "http.response.body", "body": body})
                return
        await self._app(scope, receive, send)
