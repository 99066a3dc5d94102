"""`pincite ask`: one question, an answer with numbered citations."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import click

from pincite.agent.answer import Answer
from pincite.agent.events import Done, Found, Notice, Progress, Reading, Retrying, Searching, Thinking
from pincite.agent.models import EXTRACTIVE, resolve_model
from pincite.agent.outcome import Status
from pincite.agent.session import narrowed, open_session, require_answerable
from pincite.cli.answers import print_answer
from pincite.cli.options import Setup, command, documents_option, scope_options
from pincite.cli.terminal import Page, complain, note, print_json, stderr_is_terminal
from pincite.corpus.encoder import load_encoder
from pincite.corpus.scope import Scope
from pincite.errors import PinciteError, ServiceError


@command("ask")
@click.argument("question")
@click.option("--model", help="A model's name, or extractive (default: extractive).")
@click.option("--base-url", help="The model's OpenAI-compatible endpoint.")
@documents_option
@scope_options
@click.option("--encoder", help="Folder or name of the encoder.")
def ask(setup: Setup, *, question: str, documents: tuple[str, ...], scope: Scope) -> int:
    """Answer QUESTION from the documents."""
    settings = setup.settings
    load = partial(load_encoder, settings.encoder, progress=note)
    index = setup.open_index()
    seen = narrowed(index, scope, documents)
    require_answerable(question, index, seen)
    model = resolve_model(settings.model, base_url=settings.base_url, encoder=load)
    if settings.model is None and not setup.as_json:
        note(f"no model is set: answering in the built-in {EXTRACTIVE} mode, with sentences of the documents")
    agent = open_session(index, model, scope=seen, encoder=load)
    try:
        answer = follow(agent.events(question), _teller())
    finally:
        agent.close()
    if setup.as_json:
        print_json(answer.model_dump(mode="json"))
    elif not ended_without_answer(answer):
        print_answer(Page(), answer)
    if ended_without_answer(answer):
        complain(_failure(answer))
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


def _failure_text(event: Progress) -> str:
    return event.answer.text if isinstance(event, Done) else ""


def _failure(answer: Answer) -> PinciteError:
    hint = "pincite doctor says what is reachable" if answer.stop_reason == "model_error" else ""
    return ServiceError(answer.text.rstrip("."), hint=hint)


def _teller() -> Callable[[Progress], None]:
    """What is told on stderr: on a terminal each step, elsewhere only what a person must know."""
    moving = stderr_is_terminal()
    held: list[str] = []

    def tell(event: Progress) -> None:
        # Held back for one event: what ends the question is said once, as its failure.
        repeated = isinstance(event, Done) and ended_without_answer(event.answer)
        for message in held:
            if not (repeated and message in _failure_text(event)):
                note(f"note: {message}")
        held.clear()
        match event:
            case Notice():
                held.append(event.message)
            case Retrying():
                note(f"{event.message}; trying again in {event.wait_s:.1f} s")
            case Searching() if moving:
                note(f'searching "{event.query}"')
            case Reading() if moving:
                note(f"reading {event.section or 'the contents'} of {event.document or 'the index'}")
            case Thinking() if moving and event.model != EXTRACTIVE:
                note(f"asking {event.model}")
            case Found() if moving and event.error:
                note(f"{event.tool}: {event.error}")
            case _:
                pass

    return tell
