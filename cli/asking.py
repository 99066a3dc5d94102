"""`pincite ask`: one question, an answer with numbered citations."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import click

from pincite.agent.answer import Answer
from pincite.agent.budget import Budgets
from pincite.agent.events import Done, Progress
from pincite.agent.models import EXTRACTIVE, resolve_model
from pincite.agent.named_encoder import require_named_encoder
from pincite.agent.outcome import Status
from pincite.agent.question import read_question
from pincite.agent.resuming import resume_session
from pincite.agent.session import narrowed, open_session, require_answerable
from pincite.cli.answers import print_answer, print_origin
from pincite.cli.asking_interrupts import first_ctrl_c_cancels
from pincite.cli.asking_live import watch_question
from pincite.cli.asking_words import what_to_do
from pincite.cli.options import (
    Setup,
    beginning_options,
    command,
    documents_option,
    reranker_option,
    scope_options,
)
from pincite.cli.sessions import find_transcript
from pincite.cli.terminal import Page, complain, print_json, stderr_is_terminal
from pincite.cli.tracing import tracing
from pincite.corpus.encoder import load_encoder
from pincite.corpus.scope import Scope
from pincite.errors import PinciteError, ServiceError
from pincite.tools.reranker import chosen_reranker

_NO_MODEL = f"no model is set: answering in the built-in {EXTRACTIVE} mode, with sentences of the documents"


@command("ask")
@click.argument("question")
@click.option("--model", help="A model's name, or extractive (default: extractive).")
@click.option("--base-url", help="The model's OpenAI-compatible endpoint.")
@click.option(
    "--calling",
    type=click.Choice(["auto", "native", "json"]),
    help="How the model calls tools (default: auto, found out and remembered).",
)
@click.option(
    "--budget",
    multiple=True,
    metavar="KEY=VALUE",
    help="A limit, such as seconds=60 (repeatable).",
)
@beginning_options
@click.option("--resume", metavar="SESSION", help="Go on with a recorded session, with its passages.")
@documents_option
@scope_options
@click.option("--encoder", help="Folder or name of the encoder.")
@reranker_option
def ask(setup: Setup, *, question: str, resume: str | None, documents: tuple[str, ...], scope: Scope) -> int:
    """Answer QUESTION from the documents."""
    settings = setup.settings
    read_question(question, settings.budget.request_tokens)
    index = setup.open_index()
    require_named_encoder(settings.encoder, index)
    seen = narrowed(index, scope, documents)
    require_answerable(question, index, seen, settings.budget)
    with watch_question() as watcher:
        load = partial(load_encoder, settings.encoder, progress=watcher.say)
        # An index without vectors was made to do without the encoder.
        compare = load if index.info.encoder is not None else None
        model = resolve_model(
            settings.model,
            base_url=settings.base_url,
            encoder=compare,
            calling=settings.calling,
            # Where somebody watches, statements are shown while the model still writes.
            stream=stderr_is_terminal(),
        )
        options: dict[str, Any] = {
            "scope": seen,
            "encoder": load,
            "reranker": chosen_reranker(settings.reranker, progress=watcher.say),
            "budgets": settings.budget,
            "session_limits": settings.session,
            "prices": settings.prices,
            "redact": settings.redact,
            "beginning": settings.beginning,
            "tracing": tracing(),
        }
        if resume is None:
            agent = open_session(index, model, **options)
        else:
            agent = resume_session(find_transcript(setup, resume), index, model, **options)
        if settings.model is None and not setup.as_json:
            watcher.say(_NO_MODEL)
        try:
            with first_ctrl_c_cancels(agent.cancel, watcher.say):
                answer = follow(agent.events(question), watcher.tell)
        finally:
            agent.close()
    if setup.as_json:
        print_json(answer.model_dump(mode="json"))
    elif ended_without_answer(answer):
        print_origin(Page(), answer)
    else:
        print_answer(Page(), answer)
    if ended_without_answer(answer):
        complain(failure_of(answer, settings.budget))
    return answer.exit_code


def ended_without_answer(answer: Answer) -> bool:
    """Whether there is nothing but a failure to show."""
    return answer.status is Status.incomplete and not answer.withheld


def follow(events: Iterator[Progress], tell: Callable[[Progress], None]) -> Answer:
    """Pass on what happens; the answer at the end."""
    for event in events:
        tell(event)
        if isinstance(event, Done):
            return event.answer
    raise AssertionError("a question ends with Done")


def failure_of(answer: Answer, budgets: Budgets) -> PinciteError:
    """The complaint about a question that ended without an answer."""
    return ServiceError(answer.text.rstrip("."), hint=what_to_do(answer, budgets))
