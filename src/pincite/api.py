"""The main job from Python: sync folders, ask a question."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from functools import partial
from os import PathLike
from pathlib import Path

from pincite.agent.answer import Answer
from pincite.agent.beginning import Beginning, FirstSearch
from pincite.agent.budget import Budgets, Price
from pincite.agent.model import ChatModel
from pincite.agent.models import resolve_model
from pincite.agent.named_encoder import require_named_encoder
from pincite.agent.session import narrowed, open_session, require_answerable
from pincite.corpus.encoder import load_encoder
from pincite.corpus.index import Index
from pincite.corpus.pointer import DEFAULT_TENANT
from pincite.corpus.scope import Scope
from pincite.corpus.sync import SyncReport
from pincite.corpus.sync import sync as sync_folders
from pincite.errors import UsageError
from pincite.tools.reranker import chosen_reranker
from pincite.transcripts.otel.live import process_tracing

StrPath = str | PathLike[str]


def _names(values: Iterable[str], what: str) -> tuple[str, ...]:
    """The values; a lone string would be read letter by letter, an empty one stands for no name."""
    if isinstance(values, str):
        raise UsageError(f"{what} takes a list of names, not one string", hint=f'{what}=["{values[:40]}"]')
    names = tuple(values)
    if not all(name.strip() for name in names):
        raise UsageError(f"{what}: a name is empty", hint="name it, or leave it out")
    return names


def sync(
    *paths: StrPath,
    db: StrPath,
    tenant: str = DEFAULT_TENANT,
    groups: Iterable[str] = (),
    vectors: bool = True,
    allow_empty: bool = False,
    encoder: str | None = None,
) -> SyncReport:
    """Bring the index in the folder `db` up to date with folders and files; `~` is your home.

    Without `vectors`, or where there is no encoder, documents are found by their words only. Files that
    cannot be read are in the report's `failed`. Raises PinciteError.
    """
    return sync_folders(
        [Path(path).expanduser() for path in paths],
        Path(db).expanduser(),
        tenant=tenant,
        groups=_names(groups, "groups"),
        vectors=vectors,
        allow_empty=allow_empty,
        encoder=partial(load_encoder, encoder),
    )


def open_index(db: StrPath, tenant: str = DEFAULT_TENANT) -> Index:
    """The index in the folder `db`. Raises NoIndexError and other PinciteErrors."""
    return Index.open(Path(db).expanduser(), tenant)


def ask(
    question: str,
    *,
    db: StrPath,
    tenant: str = DEFAULT_TENANT,
    model: str | ChatModel | None = None,
    base_url: str | None = None,
    documents: Iterable[str] = (),
    groups: Iterable[str] | None = None,
    as_of: date | None = None,
    budgets: Budgets | None = None,
    prices: Mapping[str, Price] | None = None,
    encoder: str | None = None,
    reranker: str | None = None,
    whole_corpus: bool = False,
    first_search: FirstSearch = "none",
) -> Answer:
    """Answer one question from the index in the folder `db`; every citation of the answer was checked.

    `model` is a model, its name at an OpenAI-compatible endpoint (`base_url`), or None for the built-in
    extractive mode. `documents` narrows to those (id, path or title), `groups` to what their members may
    see, `as_of` to what is in force on that day. `budgets` limit the question; one of money needs the model's
    price for a million tokens in `prices`. `reranker` is a cross-encoder's folder or hub name, "none", or None
    for the default where it is on this machine. With `whole_corpus` all that may be seen is given to the model
    at once where it fits into a request; `first_search` searches before its first turn, for "question", or also
    for what the model makes of it: "rewrite", "decompose", "hypothetical". A question that cannot be answered
    is no error: look at the answer's `status`. Raises PinciteError when there is nothing to ask.
    """
    index = open_index(db, tenant)
    scope = Scope(groups=None if groups is None else frozenset(_names(groups, "groups")), as_of=as_of)
    require_named_encoder(encoder, index)
    load = partial(load_encoder, encoder)
    if model is None or isinstance(model, str):
        compare = load if index.info.encoder is not None else None
        model = resolve_model(model, base_url=base_url, encoder=compare)
    seen = narrowed(index, scope, _names(documents, "documents"))
    require_answerable(question, index, seen, budgets)
    agent = open_session(
        index,
        model,
        scope=seen,
        encoder=load,
        reranker=chosen_reranker(reranker),
        budgets=budgets,
        prices=prices,
        beginning=Beginning(whole_corpus=whole_corpus, first_search=first_search),
        tracing=process_tracing(),
    )
    try:
        return agent.ask(question)
    finally:
        agent.close()
