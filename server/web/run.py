"""Runs the server."""

from __future__ import annotations

import socket
import threading

import uvicorn

from pincite.errors import PinciteError
from pincite.server.address import own_names
from pincite.server.guard import App
from pincite.server.memory import bound_arenas
from pincite.server.web.app import make_app
from pincite.server.web.freshness import kept_fresh
from pincite.server.web.running import Site

_SECONDS_TO_STOP = 10

__all__ = ["Site", "bound_arenas", "kept_fresh", "make_server", "serve"]


def serve(site: Site, listening: socket.socket, host: str) -> None:
    """Serve until the process is told to stop."""
    threading.Thread(target=_warm, args=(site,), daemon=True, name="pincite-warm").start()
    app = make_app(site, own_names(host, site.access))
    make_server(app).run(sockets=[listening])


def make_server(app: App) -> uvicorn.Server:
    """The server around an application."""
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=_SECONDS_TO_STOP,
        h11_max_incomplete_event_size=64_000,
        ws="none",
        lifespan="on",
    )
    return uvicorn.Server(config)


def _warm(site: Site) -> None:
    """Load what the first question would wait for; what is wrong with an index is said when it is asked."""
    try:
        site.tenants.ground(site.access.tenant).retriever.prepare()
    except PinciteError:
        return
