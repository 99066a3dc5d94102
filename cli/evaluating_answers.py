"""`pincite eval answers` and `pincite eval locate`: the loop over one's own questions."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import click

from pincite.agent.model import ChatModel
from pincite.agent.models import EXTRACTIVE, resolve_model
from pincite.cli.evaluation_tables import print_answers, print_judge, print_ways, tell_missing
from pincite.cli.options import Setup, beginning_options, command, reranker_option, scope_options
from pincite.cli.progress import tell
from pincite.cli.terminal import Page, counted, note, print_json, spelled
from pincite.corpus.encoder import load_encoder
from pincite.corpus.scope import Scope
from pincite.errors import UsageError
from pincite.evals.answer_figures import AnswerFigures, Asked
from pincite.evals.answering import Bench, evaluate_answers, row
from pincite.evals.judging import Judge, JudgeFigures, agreement, judge_answers, read_labels
from pincite.evals.locating import LocateReport, locate
from pincite.evals.measures import library
from pincite.evals.questions import Question, read_questions
from pincite.evals.ways import WORDED, Way
from pincite.tools.chain import Chain, RetrievalSettings
from pincite.tools.reranker import chosen_reranker
from pincite.tools.retrieve import Retriever

_SHOWN = 20
_File = click.Path(path_type=Path, exists=True, dir_okay=False)

data_argument = click.argument("data", type=_File)
model_option = click.option("--model", help="A model's name, or extractive (default: extractive).")
base_url_option = click.option("--base-url", help="The model's OpenAI-compatible endpoint.")
calling_option = click.option(
    "--calling", type=click.Choice(["auto", "native", "json"]), help="How the model calls tools."
)
budget_option = click.option(
    "--budget", multiple=True, metavar="KEY=VALUE", help="A limit of each question (repeatable)."
)


@command("answers")
@data_argument
@model_option
@base_url_option
@calling_option
@budget_option
@beginning_options
@click.option(
    "--compare-ways",
    is_flag=True,
    help="Also answer in simpler ways: one search, decomposition, the whole corpus in the request.",
)
@click.option("--judge-model", help="A model that judges support and relevance.")
@click.option("--judge-base-url", help="The judge's OpenAI-compatible endpoint (default: the model's).")
@click.option("--judge-labels", type=_File, help="Cases labelled by a person, to measure the judge on.")
@scope_options
@click.option("--encoder", help="Folder or name of the encoder.")
@reranker_option
def answers(
    setup: Setup,
    *,
    data: Path,
    compare_ways: bool,
    judge_model: str | None,
    judge_base_url: str | None,
    judge_labels: Path | None,
    scope: Scope,
) -> int:
    """Ask the questions in DATA and measure the answers.

    DATA is a file of questions about the documents in --db, as for "eval retrieval"; "answers" in a line
    holds right answers in short. The built-in extractive mode is the row to compare with. A judge's scores
    are estimates; --judge-labels says how far they can be trusted.
    """
    questions = read_questions(data)
    library("sklearn.metrics")
    judge = _judge(setup, judge_model, judge_base_url, has_labels=judge_labels is not None)
    labels = read_labels(judge_labels) if judge_labels is not None else []
    bench, _ = _bench(setup, scope)
    tell_missing(bench.require_askable(questions))
    names = dict.fromkeys([setup.settings.model or EXTRACTIVE, EXTRACTIVE])
    ways = list(Way) if compare_ways else [Way.loop]
    loops: list[AnswerFigures] = []
    every: list[AnswerFigures] = []
    asked: list[list[Asked]] = []
    for name in names:
        for way in ways:
            if name == EXTRACTIVE and way in WORDED:
                continue
            told = partial(tell, f"questions asked of {name} ({way})")
            figures, found = evaluate_answers(bench, _model(setup, name), questions, told, way)
            every.append(figures)
            if way is Way.loop:
                loops.append(figures)
                asked.append(found)
    judged = [judge_answers(judge, found) for found in asked] if judge is not None else []
    if judge is not None and labels:
        note(f"judging {len(labels)} labelled cases")
        judged[0] = judged[0].model_copy(update={"agreement": agreement(judge, labels)})
    if setup.as_json:
        print_json(_json(loops, every if compare_ways else [], judged, asked[0]))
        return 0
    print_answers(loops)
    if compare_ways:
        print_ways(every)
    if judged:
        print_judge([(one.model, figures) for one, figures in zip(loops, judged, strict=True)])
    return 0


@command("locate")
@data_argument
@model_option
@base_url_option
@calling_option
@budget_option
@beginning_options
@click.option(
    "--limit", type=click.IntRange(1, 50), default=6, show_default=True, help="Passages a search gives."
)
@scope_options
@click.option("--encoder", help="Folder or name of the encoder.")
@reranker_option
def locate_lost(setup: Setup, *, data: Path, limit: int, scope: Scope) -> int:
    """Say for each question in DATA that failed where its answer was lost.

    What the model was shown and did not use is tried again with the expected places alone.
    """
    questions = read_questions(data)
    bench, chain = _bench(setup, scope)
    bench.require_askable(questions)
    model = _model(setup, setup.settings.model or EXTRACTIVE)
    report = locate(
        bench, chain, model, questions, limit=limit, tell=partial(tell, f"questions asked of {model.name}")
    )
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
    bench = Bench(
        index,
        retriever,
        scope,
        setup.settings.budget,
        beginning=setup.settings.beginning,
        prices=setup.settings.prices,
    )
    return bench, chain


def _model(setup: Setup, name: str) -> ChatModel:
    settings = setup.settings
    load = partial(load_encoder, settings.encoder, progress=note)
    compare = load if setup.open_index().info.encoder is not None else None
    return resolve_model(name, base_url=settings.base_url, encoder=compare, calling=settings.calling)


def _judge(setup: Setup, name: str | None, base_url: str | None, *, has_labels: bool) -> Judge | None:
    if name is None:
        if base_url is not None or has_labels:
            raise UsageError("there is no judge", hint="name one with --judge-model")
        return None
    if name == EXTRACTIVE:
        raise UsageError(f"the {EXTRACTIVE} mode cannot judge", hint="name a model with --judge-model")
    return Judge(resolve_model(name, base_url=base_url or setup.settings.base_url))


def _json(
    loops: Sequence[AnswerFigures],
    every: Sequence[AnswerFigures],
    judged: Sequence[JudgeFigures],
    asked: Sequence[Asked],
) -> dict[str, object]:
    main, *baseline = ({**figures.model_dump(mode="json"), "judge": None} for figures in loops)
    for shown, figures in zip([main, *baseline], judged, strict=False):
        shown["judge"] = figures.model_dump(mode="json")
    return {
        **main,
        "baseline": baseline[0] if baseline else None,
        "ways": [figures.model_dump(mode="json") for figures in every],
        "by_question": [row(one) for one in asked],
    }


def _print_lost(report: LocateReport, questions: list[Question]) -> None:
    page = Page()
    page.line(f"{counted(len(questions), 'question')} in {report.seconds:.1f} s")
    for stage, number in report.stages.items():
        page.line(f"{number:5}  {stage}", style="bold")
        for lost in [one for one in report.lost if str(one.stage) == stage][:_SHOWN]:
            rank = f", rank {lost.rank}" if lost.rank is not None else ""
            oracle = (
                ""
                if lost.oracle is None
                else f", with its place alone in the context {'used' if lost.oracle else 'not used'}"
            )
            page.line(f"{spelled(lost.id)}: {spelled(lost.question)}{rank}{oracle}", indent=7)
            expected = f"expected {spelled(lost.place)}" if lost.place else ""
            why = f"({spelled(lost.why)})" if lost.why else ""
            if expected or why:
                page.line(f"{expected} {why}".strip(), indent=9)
