"""What every request passes: a size limit, a check of where it comes from, and headers on the way back."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from typing import Any
from urllib.parse import urlsplit

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

_CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = [
    (b"content-security-policy", _CSP.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
    (b"cache-control", b"no-store"),
]
_TOO_LONG = (413, "body_too_large", "the request is too long")
_TOO_SLOW = (408, "body_too_slow", "the rest of the request did not come in time")
# A connection is not kept for what was given up; one that still sends would be reset before it reads this.
_ENDING = {_TOO_SLOW: ((b"connection", b"close"),)}
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


class Guard:
    """Around the whole application. With `hosts` only those names are answered, which stops a web page that
    points its own name at this machine; without, tokens say who calls."""

    def __init__(
        self, app: App, body_bytes: int, hosts: frozenset[str] | None, body_seconds: float = 30.0
    ) -> None:
        self._app = app
        self._most = body_bytes
        self._seconds = body_seconds
        self._hosts = None if hosts is None else hosts | _LOOPBACK

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])

        path = str(scope["path"])
        seen, whole = 0, False
        fault: tuple[int, str, str] | None = None
        deadline = asyncio.get_running_loop().time() + self._seconds

        async def with_headers(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                names = {name for name, _ in message["headers"]}
                message["headers"] = [*message["headers"], *(h for h in _HEADERS if h[0] not in names)]
            await send(message)

        refusal = self._refusal(headers)
        if refusal is not None:
            await refuse(with_headers, *refusal, path=path)
            return

        async def bounded() -> MutableMapping[str, Any]:
            nonlocal seen, whole, fault
            try:
                # Behind a whole body there is only the end of the connection to wait for.
                async with asyncio.timeout_at(None if whole else deadline):
                    message = await receive()
            except TimeoutError:
                fault = fault or _TOO_SLOW
                raise BodyRefusedError from None
            seen += len(message.get("body", b""))
            whole = whole or not message.get("more_body", False)
            if seen > self._most:
                fault = fault or _TOO_LONG
                raise BodyRefusedError
            return message

        begun = refused = False

        async def unless_refused(message: MutableMapping[str, Any]) -> None:
            nonlocal begun, refused
            if fault is None or begun:
                begun = True
                await with_headers(message)
            elif not refused:
                # Whatever the application makes of the cut body, this is what is wrong with it.
                refused = True
                await refuse(with_headers, *fault, more=_ENDING.get(fault, ()), path=path)

        try:
            await self._app(scope, bounded, unless_refused)
        except BodyRefusedError:
            if fault is not None and not (begun or refused):
                await refuse(with_headers, *fault, more=_ENDING.get(fault, ()), path=path)

    def _refusal(self, headers: dict[bytes, bytes]) -> tuple[int, str, str] | None:
        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or int(length) > self._most:
            return _TOO_LONG
        if self._hosts is None:
            return None
        host = urlsplit(f"//{headers.get(b'host', b'').decode('latin-1')}")
        if _name(host.hostname) not in self._hosts:
            return 421, "wrong_host", "this server is not called that"
        origin = headers.get(b"origin")
        if origin is not None and urlsplit(origin.decode("latin-1")).netloc != host.netloc:
            return 403, "wrong_origin", "this server answers its own page only"
        return None


class BodyRefusedError(Exception):
    """More came than a request may hold, or it came too slowly."""


def _name(host: str | None) -> str:
    return (host or "").lower()


async def refuse(
    send: Send,
    status: int,
    code: str,
    message: str,
    *,
    more: Sequence[tuple[bytes, bytes]] = (),
    path: str = "",
) -> None:
    """Answer with an error, below /v1 in the shape of OpenAI's; `more` are headers."""
    error: dict[str, Any] = {"code": code, "message": message}
    if path.startswith("/v1"):
        error |= {"type": "invalid_request_error", "param": None}
    else:
        error |= {"hint": "", "near": []}
    body = json.dumps({"error": error}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode()), *more]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
