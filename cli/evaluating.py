"""`pincite eval`: measurements on judged data sets and on one's own questions."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import get_args

import click

from pincite.agent.model import ChatModel
from pincite.agent.models import EXTRACTIVE, resolve_model
from pincite.cli.evaluating_answers import answers, base_url_option, locate_lost
from pincite.cli.evaluation_tables import print_comparison, print_first_search, tell_missing
from pincite.cli.options import Setup, command, reranker_option, scope_options
from pincite.cli.progress import tell
from pincite.cli.terminal import Page, note, print_json, spelled
from pincite.cli.written import require_replaceable, write_output
from pincite.corpus.encoder import find_encoder, load_encoder
from pincite.corpus.index import Index
from pincite.corpus.scope import Scope
from pincite.errors import NothingUsableError, UsageError
from pincite.evals.beir import is_beir, read_beir
from pincite.evals.bench_index import build_index
from pincite.evals.first_search import (
    FirstSearchReport,
    Worded,
    compared,
    first_search_report,
    word,
)
from pincite.evals.html_report import render_html
from pincite.evals.measures import Comparison
from pincite.evals.pairing import paired
from pincite.evals.questions import read_questions
from pincite.evals.report import RetrievalReport, read_report
from pincite.evals.retrieval import Task, beir_task, evaluate, question_task
from pincite.tools.reranker import chosen_reranker

_SHOWN = ("nDCG@10", "MAP", "MRR", "hit@1", "hit@3", "hit@10", "recall@10", "recall@100", "precision@5",
          "precision_of_returned@5", "complete@10")  # fmt: skip


@click.group("eval", context_settings={"help_option_names": ["-h", "--help"]})
def evaluate_group() -> None:
    """Measure retrieval and answers on judged data."""


@command("retrieval")
@click.argument("data", type=click.Path(path_type=Path, exists=True))
@click.option("--split", help="Which file of qrels/ to take (default: test, or the only one).")
@click.option("--no-vectors", is_flag=True, help="Keyword search only: do not load the encoder.")
@click.option(
    "--limit",
    type=click.IntRange(1, 50),
    default=6,
    show_default=True,
    help="Passages a search gives, for counting tokens.",
)
@click.option("--html", type=click.Path(path_type=Path, dir_okay=False), help="Write a report with plots.")
@click.option("--save", type=click.Path(path_type=Path, dir_okay=False), help="Keep the run, query by query.")
@click.option(
    "--compare",
    "other",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="A run that --save kept: how does this one differ?",
)
@click.option(
    "--first-search",
    "ways",
    type=click.Choice(get_args(Worded)),
    multiple=True,
    help="Also search for what --model words for each query, and compare (repeatable).",
)
@click.option("--model", help="The model that words queries, for --first-search.")
@base_url_option
@scope_options
@click.option("--encoder", help="Folder or name of the encoder.")
@reranker_option
def retrieval(
    setup: Setup,
    *,
    data: Path,
    split: str | None,
    no_vectors: bool,
    limit: int,
    html: Path | None,
    save: Path | None,
    other: Path | None,
    ways: tuple[Worded, ...],
    scope: Scope,
) -> int:
    """Measure retrieval on DATA.

    DATA is a folder with corpus.jsonl, queries.jsonl and qrels/*.tsv, which gets an index of its own in
    --db, or a file of your questions about the documents in --db: JSON lines with "question" and
    "expected", a list of {"document", "section", "quote"}, empty for no answer.

    With --first-search the model is asked for queries as "ask --first-search" does, and the question and
    its queries are searched for in turns.
    """
    # Before hours of work, not behind them.
    for target, begins in ((html, "<!doctype html>"), (save, '{"name":')):
        if target is not None:
            require_replaceable(target, begins)
    earlier = read_report(other) if other is not None else None
    model = _wording_model(setup) if ways else None
    task, index, with_vectors, earlier = _prepared(setup, data, split, scope, earlier, vectors=not no_vectors)
    encoder = load_encoder(setup.settings.encoder, progress=note) if with_vectors else None
    measured = partial(
        evaluate,
        index=index,
        encoder=encoder,
        reranker=chosen_reranker(setup.settings.reranker, progress=note),
        scope=scope,
        tell=partial(tell, "queries searched"),
        limit=limit,
    )
    report = measured(task)
    tell_missing(report.not_in_index)
    worded: list[FirstSearchReport] = []
    if model is not None:
        for way in dict.fromkeys(ways):
            wordings = word(
                model, way, task, setup.settings.budget.seconds, partial(tell, f"questions worded ({way})")
            )
            worded.append(
                first_search_report(wordings, report, measured(replace(task, also=wordings.queries)))
            )
    differences = compared(earlier, report) if earlier is not None else ()
    if html is not None:
        write_output(html, render_html(report, differences))
    if save is not None:
        write_output(save, report.model_dump_json())
    if setup.as_json:
        shown = report.model_dump(mode="json", exclude={"per_query"})
        if earlier is not None:
            shown["comparison"] = [_plain(one) for one in differences]
        if worded:
            shown["first_searches"] = [
                one.model_dump(mode="json", exclude={"report": {"per_query"}}) for one in worded
            ]
        print_json(shown)
    else:
        print_retrieval(report)
        print_comparison("the earlier run", differences)
        for one in worded:
            print_first_search(report, one)
    return 0


def _wording_model(setup: Setup) -> ChatModel:
    name, base_url = setup.settings.model, setup.settings.base_url
    if name is None or name == EXTRACTIVE:
        raise UsageError(
            f"the {EXTRACTIVE} mode words no queries",
            hint="name a model with --model, or leave out --first-search",
        )
    return resolve_model(name, base_url=base_url)


def _prepared(
    setup: Setup,
    data: Path,
    split: str | None,
    scope: Scope,
    earlier: RetrievalReport | None,
    *,
    vectors: bool,
) -> tuple[Task, Index, bool, RetrievalReport | None]:
    """The queries, the index they are asked of, whether it has vectors that are to be used, and what of an
    earlier run can be compared.
    """
    if data.is_dir():
        if not is_beir(data):
            raise NothingUsableError(
                f"{data} holds no corpus.jsonl and queries.jsonl",
                hint="name such a folder, or a questions file",
            )
        folder = read_beir(data, split)
        if folder.unknown_queries:
            are = "query is" if folder.unknown_queries == 1 else "queries are"
            note(f"{folder.unknown_queries} judged {are} not in queries.jsonl and left out")
        task = beir_task(folder)
        earlier = _comparable(earlier, task)
        encoder = (
            load_encoder(setup.settings.encoder, progress=note)
            if vectors and find_encoder(setup.settings.encoder)
            else None
        )
        index = build_index(folder.documents(), folder.digest, setup.settings.db, encoder, progress=tell)
        return task, index, encoder is not None, earlier
    if split is not None:
        raise UsageError("--split is for a folder with judgements", hint="leave it out")
    index = setup.open_index()
    task = question_task(data.stem, read_questions(data), index, scope)
    return task, index, vectors and index.info.encoder is not None, _comparable(earlier, task)


def _comparable(earlier: RetrievalReport | None, task: Task) -> RetrievalReport | None:
    """Of an earlier run the queries that this one has too, before any is asked again."""
    if earlier is None:
        return None
    found = paired(earlier, task.queries, {query: task.judgements[query] for query in task.judged})
    if found.left_out:
        note(f"not compared: {found.left_out}")
    return found.earlier


def print_retrieval(report: RetrievalReport) -> None:
    """The figures as a table, a column for each leg."""
    page = Page()
    page.line(spelled(report.name), style="bold")
    page.line(
        f"{report.queries} queries with judgements, {report.unjudged} without (left out), "
        f"{report.no_answer.queries} without an answer (nothing found for {report.no_answer.found_nothing}); "
        f"{report.documents} documents in {report.chunks} chunks"
    )
    if not report.metrics:
        page.line("no figures: no query has an expected place")
        return
    columns = {"overall": (report.metrics, report.intervals)}
    columns |= {leg: (one.metrics, one.intervals) for leg, one in report.by_leg.items()}
    page.line(f"{'':24}" + "".join(f"{leg:>22}" for leg in columns))
    for name in _SHOWN:
        cells = "".join(
            f"{metrics[name]:>8.4f} ({spans[name][0]:.3f}-{spans[name][1]:.3f})"
            for metrics, spans in columns.values()
        )
        page.line(f"{name:24}{cells}")
    for kind, metrics in report.by_kind.items():
        figures = ", ".join(f"{name} {metrics[name]:.3f}" for name in ("nDCG@10", "hit@3", "complete@10"))
        page.line(f"{spelled(kind)}: {metrics['queries']:.0f} queries, {figures}")
    times = "".join(f"{one.ms.median:>22.1f}" for one in report.by_leg.values())
    page.line(f"{'ms (median)':24}{report.search_ms.median:>22.1f}{times}")
    page.line(
        f"tokens returned {report.tokens_returned.mean:.0f} (mean of {report.tokens_returned.count}, limit "
        f"{report.passages_limit}); encoding {report.encode_ms.median:.1f} ms; {report.seconds:.1f} s in all"
    )


def _plain(one: Comparison) -> dict[str, object]:
    return {name: getattr(one, name) for name in Comparison.__slots__}


for _command in (retrieval, answers, locate_lost):
    evaluate_group.add_command(_command)
