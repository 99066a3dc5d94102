"""Runs the MCP server over stdio or streamable HTTP."""

from __future__ import annotations

import socket

import anyio
import uvicorn
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings

from pincite.server.access import Access, bearer
from pincite.server.address import own_names
from pincite.server.guard import App, Guard, Receive, Scope, Send, refuse
from pincite.server.limits import Rate, ServerLimits, TooManyError
from pincite.server.mcp.app import make_mcp
from pincite.server.tenants import Serving, Tenants

_MOST_SESSIONS = 256


def serve_stdio(serving: Serving, access: Access) -> None:
    """Serve the program that started this one, until it closes the pipe."""
    server = make_mcp(Tenants(serving), access, one_client=True)

    async def run() -> None:
        async with stdio_server() as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())

    anyio.run(run)


def make_http_app(
    serving: Serving, access: Access, hosts: frozenset[str] | None, limits: ServerLimits | None = None
) -> App:
    """The application behind `/mcp`; `hosts` as for `Guard`, which checks them.

    Of the limits those of requests and of their bodies hold here: nothing else is asked over MCP.
    """
    most = limits or ServerLimits()
    app = make_mcp(Tenants(serving), access, one_client=False).streamable_http_app(
        max_request_body_size=most.body_bytes,
        max_sessions=_MOST_SESSIONS,
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )
    gate = TokenGate(app, access, Rate(most.requests_per_minute))
    return Guard(gate, most.body_bytes, hosts, most.body_seconds)


def serve_http(
    serving: Serving, access: Access, listening: socket.socket, host: str, limits: ServerLimits
) -> None:
    """Serve `/mcp` until the process is told to stop."""
    config = uvicorn.Config(
        make_http_app(serving, access, own_names(host, access), limits),
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=5,
    )
    uvicorn.Server(config).run(sockets=[listening])


class TokenGate:
    """Lets nobody without a token begin anything, and nobody ask faster than they may."""

    def __init__(self, app: App, access: Access, rate: Rate) -> None:
        self._app = app
        self._access = access
        self._rate = rate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it with 401 or 429."""
        if scope["type"] == "http":
            header = dict(scope["headers"]).get(b"authorization", b"").decode("latin-1")
            caller = self._access.caller(bearer(header))
            if caller is None:
                told = [(b"www-authenticate", b"Bearer")]
                await refuse(send, 401, "unauthorized", "a valid bearer token is needed", more=told)
                return
            try:
                self._rate.take(f"{caller.tenant}/{caller.owner}")
            except TooManyError as error:
                told = [(b"retry-after", str(error.retry_after).encode())]
                await refuse(send, 429, error.code, error.message, more=told)
                return
        await self._app(scope, receive, send)
