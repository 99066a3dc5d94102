"""Where a server listens."""

from __future__ import annotations

import ipaddress
import socket

from pincite.errors import UsageError
from pincite.server.access import Access


def require_safe(host: str, access: Access) -> None:
    """Raises UsageError for an address beyond this machine without tokens."""
    if access.open and not is_loopback(host):
        raise UsageError(
            f"{host} can be reached from elsewhere, and no tokens are set: everybody could read everything",
            code="tokens_needed",
            hint="name a file with --tokens (--new-token NAME makes an entry), or use --host 127.0.0.1",
        )


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches the address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def bind(host: str, port: int) -> socket.socket:
    """A listening socket; port 0 takes a free one. Raises UsageError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host.strip("[]"), port))
        listening.listen(512)
    except (OSError, OverflowError) as error:
        listening.close()
        why = getattr(error, "strerror", None) or str(error)
        raise UsageError(
            f"cannot listen on {host} port {port}: {why}", hint="choose another --port"
        ) from error
    return listening


def own_names(host: str, access: Access) -> frozenset[str] | None:
    """The names that are answered, as `Guard` takes them: with tokens any."""
    return frozenset({host.strip("[]").lower()}) if access.open else None
