"""`pincite chat`: many questions in one session."""

from __future__ import annotations

import sys
from functools import partial

import click

from pincite.agent.budget import Budgets
from pincite.agent.chat import Ground, open_chat, resume_chat
from pincite.agent.models import EXTRACTIVE, resolve_model
from pincite.agent.named_encoder import require_named_encoder
from pincite.agent.session import narrowed, require_answerable
from pincite.cli.answers import print_answer, print_origin
from pincite.cli.asking import ended_without_answer, failure_of, follow
from pincite.cli.asking_interrupts import first_ctrl_c_cancels
from pincite.cli.asking_live import watch_question
from pincite.cli.chat_commands import Conversation, run_command
from pincite.cli.chat_lines import Lines
from pincite.cli.options import (
    Setup,
    beginning_options,
    command,
    documents_option,
    reranker_option,
    scope_options,
)
from pincite.cli.terminal import Page, complain, note, print_json, stderr_is_terminal
from pincite.cli.tracing import tracing
from pincite.corpus.encoder import load_encoder
from pincite.corpus.scope import Scope
from pincite.errors import PinciteError
from pincite.tools.reranker import chosen_reranker
from pincite.tools.retrieve import Retriever


@command("chat")
@click.option("--model", help="A model's name, or extractive (default: extractive).")
@click.option("--base-url", help="The model's OpenAI-compatible endpoint.")
@click.option(
    "--calling",
    type=click.Choice(["auto", "native", "json"]),
    help="How the model calls tools (default: auto, found out and remembered).",
)
@click.option("--budget", multiple=True, metavar="KEY=VALUE", help="A limit of each question (repeatable).")
@beginning_options
@click.option("--resume", "session", help="Go on with this session.")
@documents_option
@scope_options
@click.option("--encoder", help="Folder or name of the encoder.")
@reranker_option
def chat(setup: Setup, *, session: str | None, documents: tuple[str, ...], scope: Scope) -> int:
    """Ask many questions in one session; /help lists its commands.

    A question may leave out what was said before: "and for the bond fund?". Ctrl-C stops the question, Ctrl-D
    ends the session, which can be resumed. Questions can also be piped in, one a line.
    """
    settings = setup.settings
    index = setup.open_index()
    require_named_encoder(settings.encoder, index)
    seen = narrowed(index, scope, documents)
    require_answerable("anything", index, seen, settings.budget)
    load = partial(load_encoder, settings.encoder, progress=note)
    # An index without vectors was made to do without the encoder.
    compare = load if index.info.encoder is not None else None
    model = resolve_model(
        settings.model,
        base_url=settings.base_url,
        encoder=compare,
        calling=settings.calling,
        stream=stderr_is_terminal(),
    )
    retriever = Retriever(index, load, chosen_reranker(settings.reranker, progress=note))
    ground = Ground(
        index,
        retriever,
        model,
        settings.budget,
        settings.session,
        settings.prices,
        redact=settings.redact,
        beginning=settings.beginning,
        tracing=tracing(),
    )
    held = resume_chat(ground, session, seen) if session else open_chat(ground, seen)
    talk = Conversation(ground, seen, held)
    try:
        lines = Lines()
        if lines.interactive and not setup.as_json:
            note(f"session {held.session}; model {model.name}; /help lists the commands, Ctrl-D ends it")
            if settings.model is None:
                note(
                    f"no model is set: the built-in {EXTRACTIVE} mode answers with sentences of the documents"
                )
        return _converse(talk, lines, as_json=setup.as_json)
    finally:
        talk.chat.close()


def _converse(talk: Conversation, lines: Lines, *, as_json: bool) -> int:
    """Read and answer until the input ends; the exit code of the last question that was piped in."""
    code = 0
    for line in lines:
        try:
            if line.startswith("/"):
                if not run_command(talk, line):
                    break
            else:
                code = _answer(talk, line, as_json=as_json)
        except PinciteError as error:
            complain(error)
            code = error.exit_code
        except KeyboardInterrupt:
            note("stopped; the session goes on")
            code = 130
        sys.stdout.flush()
    return 0 if lines.interactive else code


def _answer(talk: Conversation, question: str, *, as_json: bool) -> int:
    with watch_question() as watcher, first_ctrl_c_cancels(talk.chat.cancel, watcher.say):
        answer = follow(talk.chat.events(question), watcher.tell)
    talk.answers = [*talk.answers, (question, answer)]
    if as_json:
        print_json(answer.model_dump(mode="json"))
    elif ended_without_answer(answer):
        print_origin(Page(), answer)
        Page().line()
    else:
        print_answer(Page(), answer)
        Page().line()
    if ended_without_answer(answer):
        complain(failure_of(answer, talk.ground.budgets or Budgets()))
    return answer.exit_code
