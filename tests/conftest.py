"""What holds for every test: no network but loopback, no settings of the person who runs them."""

from __future__ import annotations

import ipaddress
import os
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

# Before any test module imports a library that reads these once.
os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1", TOKENIZERS_PARALLELISM="false")
for _name in [name for name in os.environ if name.startswith(("OPENAI_", "OTEL_", "PINCITE_"))]:
    del os.environ[_name]


class NetworkBlockedError(OSError):
    """A test tried to reach something other than this machine."""


def _is_loopback(host: object) -> bool:
    name = host.decode() if isinstance(host, bytes) else str(host)
    if name in {"localhost", ""}:
        return True
    try:
        return ipaddress.ip_address(name.split("%")[0]).is_loopback
    except ValueError:
        return False


def _refuse(host: object) -> None:
    if not _is_loopback(host):
        raise NetworkBlockedError(f"tests run offline, but something wanted to reach {host!r}")


def _check_address(connection: socket.socket, address: Any) -> None:
    if connection.family in {socket.AF_INET, socket.AF_INET6}:
        _refuse(address[0])


@pytest.fixture(scope="session", autouse=True)
def no_network() -> Iterator[None]:
    """Only loopback addresses can be reached; looking up another host's name fails too."""
    connect, connect_ex, lookup = socket.socket.connect, socket.socket.connect_ex, socket.getaddrinfo

    def guarded_connect(self: socket.socket, address: Any) -> None:
        _check_address(self, address)
        connect(self, address)

    def guarded_connect_ex(self: socket.socket, address: Any) -> int:
        _check_address(self, address)
        return connect_ex(self, address)

    def guarded_lookup(host: Any, *args: Any, **kwargs: Any) -> Any:
        if host is not None:
            _refuse(host)
        return lookup(host, *args, **kwargs)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", guarded_connect)
        patch.setattr(socket.socket, "connect_ex", guarded_connect_ex)
        patch.setattr(socket, "getaddrinfo", guarded_lookup)
        yield


@pytest.fixture(scope="session", autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """An empty home, so that no setting or cache of the person who runs the tests is read or written."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(home))
        for name, folder in {
            "XDG_CONFIG_HOME": ".config",
            "XDG_CACHE_HOME": ".cache",
            "XDG_DATA_HOME": ".local/share",
            "XDG_STATE_HOME": ".local/state",
        }.items():
            patch.setenv(name, str(home / folder))
        yield home
