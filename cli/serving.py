"""`pincite serve`: the page, the OpenAI-compatible API and the JSON API."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from pathlib import Path
from types import ModuleType

import click

from pincite.agent.model import ChatModel
from pincite.agent.models import resolve_model
from pincite.agent.named_encoder import require_named_encoder
from pincite.cli.options import Setup, beginning_options, command, reranker_option
from pincite.cli.terminal import Page, note
from pincite.cli.tracing import tracing
from pincite.corpus.encoder import load_encoder
from pincite.corpus.encoder_source import LoadEncoder
from pincite.corpus.index import Index
from pincite.corpus.report import SyncReport
from pincite.corpus.sync import sync as sync_folders
from pincite.errors import NoIndexError, UsageError
from pincite.server.access import Access, read_limits
from pincite.server.access import new_token as make_token
from pincite.server.address import bind, require_safe
from pincite.server.tenants import Serving
from pincite.server.token_faults import told_of
from pincite.tools.reranker import chosen_reranker


@command("serve")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port", default=8765, show_default=True, type=click.IntRange(0, 65535), help="0 takes a free one."
)
@click.option("--tokens", type=click.Path(path_type=Path), help="TOML file of who may ask (docs/serving.md).")
@click.option("--limits", type=click.Path(path_type=Path), help="TOML file of limits (docs/serving.md).")
@click.option("--sync", "sync_paths", multiple=True, type=click.Path(path_type=Path, exists=True),
              help="Keep the index up to date with this folder (repeatable).")  # fmt: skip
@click.option(
    "--new-token", metavar="NAME", help="Make a token, print it with its entry for the file, and end."
)
@click.option("--model", help="A model's name, or extractive (default: extractive).")
@click.option("--base-url", help="The model's OpenAI-compatible endpoint.")
@beginning_options
@click.option("--encoder", help="Folder or name of the encoder.")
@reranker_option
def serve(
    setup: Setup,
    *,
    host: str,
    port: int,
    tokens: Path | None,
    limits: Path | None,
    sync_paths: tuple[Path, ...],
    new_token: str | None,
) -> int:
    """Serve a page and two APIs over the index: one as OpenAI's, one of its own (/api/openapi.json).

    Without --tokens everybody on this machine may ask as the owner of the index, and it listens on no
    address beyond.
    """
    if new_token is not None:
        return _make_token(new_token)
    run = _server()
    run.bound_arenas()
    settings = setup.settings
    load = partial(load_encoder, settings.encoder, progress=note)
    paths = tuple(path.expanduser() for path in sync_paths)
    sync_once = partial(_sync, setup, paths, load)
    if paths:
        sync_once()
    index = setup.open_index()
    require_named_encoder(settings.encoder, index)

    def make_model(index: Index) -> ChatModel:
        # An index without vectors was made to do without the encoder.
        compare = load if index.info.encoder is not None else None
        return resolve_model(
            settings.model,
            base_url=settings.base_url,
            encoder=compare,
            calling=settings.calling,
            stream=True,
        )

    make_model(index)
    serving = Serving(
        settings.db,
        make_model,
        load,
        chosen_reranker(settings.reranker, progress=note),
        settings.budget,
        settings.session,
        settings.prices,
        settings.redact,
        settings.beginning,
        tracing(note),
    )
    access = Access(tokens, settings.tenant)
    site = run.Site(serving, access, read_limits(limits))
    require_safe(host, access)
    for fault in told_of(access.entries, settings.db):
        note(fault)
    with bind(host, port) as listening:
        shown = f"[{host}]" if ":" in host else host
        note(f"serving http://{shown}:{listening.getsockname()[1]}/ (Ctrl-C ends it)")
        with run.kept_fresh(site, paths, sync_once):
            run.serve(site, listening, host)
    return 0


def _sync(setup: Setup, paths: tuple[Path, ...], load: LoadEncoder) -> SyncReport:
    """Bring the index up to date; one that was made without vectors stays without."""
    try:
        vectors = setup.open_index().info.encoder is not None
    except NoIndexError:
        vectors = True
    db, tenant = setup.settings.db, setup.settings.tenant
    return sync_folders(paths, db, tenant=tenant, vectors=vectors, encoder=load)


def _server() -> ModuleType:
    """The server's module; UsageError when the packages of the extra are missing."""
    try:
        return import_module("pincite.server.web.run")
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "pincite":
            raise
        raise UsageError(
            f"serving needs the package {error.name}",
            code="extra_missing",
            hint="pip install 'pincite[serve]'",
        ) from error


def _make_token(name: str) -> int:
    token, entry = make_token(name)
    page = Page()
    page.line(f"token: {token}")
    page.line("It is shown this once. In the file of --tokens, with the groups it may see:")
    page.line(entry)
    return 0
