"""`pincite eval answers` and `pincite eval locate`: the loop over one's own questions."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path

import click

from pincite.agent.model import ChatModel
from pincite.agent.models import EXTRACTIVE, resolve_model
from pincite.cli.options import Setup, command, reranker_option, scope_options
from pincite.cli.terminal import Page, note, print_json, spelled
from pincite.corpus.encoder import load_encoder
from pincite.corpus.scope import Scope
from pincite.evals.answering import AnswerFigures, Bench, evaluate_answers, row
from pincite.evals.locating import LocateReport, locate
from pincite.evals.questions import Question, read_questions
from pincite.tools.chain import Chain, RetrievalSettings
from pincite.tools.reranker import chosen_reranker
from pincite.tools.retrieve import Retriever

_SHOWN = 20

data_argument = click.argument("data", type=click.Path(path_type=Path, exists=True, dir_okay=False))
model_option = click.option("--model", help="A model's name, or extractive (default: extractive).")
base_url_option = click.option("--base-url", help="The model's OpenAI-compatible endpoint.")


@command("answers")
@data_argument
@model_option
@base_url_option
@scope_options
@click.option("--encoder", help="Folder or name of the encoder.")
@reranker_option
def answers(setup: Setup, *, data: Path, scope: Scope) -> int:
    """Ask the questions in DATA and measure the answers.

    DATA is a file of questions about the documents in --db, as for "eval retrieval"; "answers" in a line
    holds right answers in short. The built-in extractive mode is the row to compare with.
    """
    questions = read_questions(data)
    bench, _ = _bench(setup, scope)
    names = dict.fromkeys([setup.settings.model or EXTRACTIVE, EXTRACTIVE])
    rows: list[AnswerFigures] = []
    details = []
    for name in names:
        figures, asked = evaluate_answers(bench, _model(setup, name), questions, partial(_tell, name))
        rows.append(figures)
        details.append([row(one) for one in asked])
    if setup.as_json:
        main, *baseline = (figures.model_dump(mode="json") for figures in rows)
        print_json({**main, "baseline": baseline[0] if baseline else None, "by_question": details[0]})
    else:
        _print_answers(rows)
    return 0


@command("locate")
@data_argument
@model_option
@base_url_option
@click.option(
    "--limit", type=click.IntRange(1, 50), default=6, show_default=True, help="Passages a search gives."
)
@scope_options
@click.option("--encoder", help="Folder or name of the encoder.")
@reranker_option
def locate_lost(setup: Setup, *, data: Path, limit: int, scope: Scope) -> int:
    """Say for each question in DATA that failed where its answer was lost."""
    questions = read_questions(data)
    bench, chain = _bench(setup, scope)
    report = locate(bench, chain, _model(setup, setup.settings.model or EXTRACTIVE), questions, limit=limit)
    if setup.as_json:
        print_json(report.model_dump(mode="json"))
    else:
        _print_lost(report, questions)
    return 0


def _bench(setup: Setup, scope: Scope) -> tuple[Bench, Chain]:
    index = setup.open_index()
    load = partial(load_encoder, setup.settings.encoder, progress=note)
    reranker = chosen_reranker(setup.settings.reranker, progress=note)
    retriever = Retriever(index, load, reranker)
    settings = RetrievalSettings()
    chain = Chain(index, settings, encoder=load, reranker=reranker, fail=(), clock=time.monotonic)
    return Bench(index, retriever, scope, setup.settings.budget), chain


def _model(setup: Setup, name: str) -> ChatModel:
    settings = setup.settings
    load = partial(load_encoder, settings.encoder, progress=note)
    compare = load if setup.open_index().info.encoder is not None else None
    return resolve_model(name, base_url=settings.base_url, encoder=compare, calling=settings.calling)


def _tell(name: str, done: int, total: int) -> None:
    if done % 25 == 0 or done == total:
        note(f"{name}: {done} of {total} questions")


def _print_answers(rows: list[AnswerFigures]) -> None:
    page = Page()
    page.line(f"{'':24}" + "".join(f"{spelled(one.model)[:20]:>22}" for one in rows), style="bold")
    for name in AnswerFigures.model_fields:
        if name in {"model", "statuses"}:
            continue
        page.line(
            f"{name.replace('_', ' '):24}" + "".join(f"{_cell(getattr(one, name)):>22}" for one in rows)
        )
    for one in rows:
        said = ", ".join(f"{number} {status}" for status, number in one.statuses.items())
        page.line(f"{spelled(one.model)}: {said}")


def _print_lost(report: LocateReport, questions: list[Question]) -> None:
    page = Page()
    page.line(f"{len(questions)} questions in {report.seconds:.1f} s")
    for stage, number in report.stages.items():
        page.line(f"{number:5}  {stage}", style="bold")
        for lost in [one for one in report.lost if str(one.stage) == stage][:_SHOWN]:
            rank = f", rank {lost.rank}" if lost.rank is not None else ""
            oracle = (
                ""
                if lost.oracle is None
                else f", with its document alone {'used' if lost.oracle else 'not used'}"
            )
            page.line(f"{spelled(lost.id)}: {spelled(lost.question)}{rank}{oracle}", indent=7)
            if lost.place:
                page.line(
                    f"expected {spelled(lost.place)}{f' ({spelled(lost.why)})' if lost.why else ''}", indent=9
                )


def _cell(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:.3f}" if isinstance(value, float) else str(value)
