"""`pincite mcp`: the tools over the Model Context Protocol."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from pathlib import Path
from types import ModuleType

import click

from pincite.agent.extractive.model import ExtractiveModel
from pincite.agent.named_encoder import require_named_encoder
from pincite.cli.options import Setup, command, reranker_option
from pincite.cli.terminal import note
from pincite.corpus.encoder import load_encoder
from pincite.errors import UsageError
from pincite.server.access import Access, read_limits
from pincite.server.address import bind, require_safe
from pincite.server.tenants import Serving
from pincite.server.token_faults import told_of
from pincite.tools.reranker import chosen_reranker


@command("mcp")
@click.option("--http", is_flag=True, help="Serve streamable HTTP at /mcp instead of stdio.")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port", default=8766, show_default=True, type=click.IntRange(0, 65535), help="0 takes a free one."
)
@click.option(
    "--tokens", type=click.Path(path_type=Path), help="TOML file of who may call (docs/serving.md)."
)
@click.option("--limits", type=click.Path(path_type=Path), help="TOML file of limits (docs/serving.md).")
@click.option("--encoder", help="Folder or name of the encoder.")
@reranker_option
def mcp(setup: Setup, *, http: bool, host: str, port: int, tokens: Path | None, limits: Path | None) -> int:
    """Give search, contents, reading and the answer check to a program that speaks MCP."""
    run = _server()
    settings = setup.settings
    require_named_encoder(settings.encoder, setup.open_index())
    load = partial(load_encoder, settings.encoder, progress=note)
    reranker = chosen_reranker(settings.reranker, progress=note)
    serving = Serving(settings.db, lambda _index: ExtractiveModel(None), load, reranker)
    access = Access(tokens, settings.tenant)
    if not http:
        if tokens is not None or limits is not None:
            raise UsageError("--tokens and --limits are for --http: over stdio the caller is who started it")
        run.serve_stdio(serving, access)
        return 0
    require_safe(host, access)
    most = read_limits(limits)
    for fault in told_of(access.entries, settings.db):
        note(fault)
    with bind(host, port) as listening:
        shown = f"[{host}]" if ":" in host else host
        note(f"serving http://{shown}:{listening.getsockname()[1]}/mcp (Ctrl-C ends it)")
        run.serve_http(serving, access, listening, host, most)
    return 0


def _server() -> ModuleType:
    try:
        return import_module("pincite.server.mcp.run")
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "pincite":
            raise
        hint = "pip install 'pincite[mcp]'"
        raise UsageError(f"MCP needs the package {error.name}", code="extra_missing", hint=hint) from error
