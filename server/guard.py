"""What every request passes: a size limit, a check of where it comes from, and headers on the way back."""

from __future__ import annotations

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
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


class Guard:
    """Around the whole application. With `hosts` only those names are answered, which stops a web page that
    points its own name at this machine; without, tokens say who calls."""

    def __init__(self, app: App, body_bytes: int, hosts: frozenset[str] | None) -> None:
        self._app = app
        self._most = body_bytes
        self._hosts = None if hosts is None else hosts | _LOOPBACK

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])

        seen = 0

        async def with_headers(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                names = {name for name, _ in message["headers"]}
                message["headers"] = [*message["headers"], *(h for h in _HEADERS if h[0] not in names)]
            await send(message)

        refusal = self._refusal(headers)
        if refusal is not None:
            await refuse(with_headers, *refusal)
            return

        async def counted() -> MutableMapping[str, Any]:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > self._most:
                raise BodyTooLargeError
            return message

        refused = False

        async def unless_too_long(message: MutableMapping[str, Any]) -> None:
            nonlocal refused
            if seen <= self._most:
                await with_headers(message)
            elif not refused:
                # Whatever the application makes of the cut body, this is what is wrong with it.
                refused = True
                await refuse(with_headers, *_TOO_LONG)

        try:
            await self._app(scope, counted, unless_too_long)
        except BodyTooLargeError:
            if not refused:
                await refuse(with_headers, *_TOO_LONG)

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


class BodyTooLargeError(Exception):
    """More came than a request may hold."""


def _name(host: str | None) -> str:
    return (host or "").lower()


async def refuse(
    send: Send, status: int, code: str, message: str, more: Sequence[tuple[bytes, bytes]] = ()
) -> None:
    """Answer with an error, in the shape that both APIs give to theirs; `more` are headers."""
    error: dict[str, Any] = {
        "code": code,
        "message": message,
        "hint": "",
        "near": [],
        "type": "invalid_request_error",
        "param": None,
    }
    body = json.dumps({"error": error}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode()), *more]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
