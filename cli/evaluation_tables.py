"""Tables of measured answers on a terminal or in a pipe."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.cli.terminal import Page, counted, note, spelled
from pincite.evals.answer_figures import AnswerFigures
from pincite.evals.first_search import FirstSearchReport
from pincite.evals.judging import Agreement, JudgeFigures
from pincite.evals.measures import Comparison
from pincite.evals.report import RetrievalReport
from pincite.evals.ways import Way

_WIDTH, _NAMES = 22, 56
_BY_KIND = ("accuracy", "evidence_shown", "citation_recall", "all_cited")
_NOT_ROWS = frozenset({"model", "way", "statuses", "left_out", "by_kind"})


def tell_missing(places: int) -> None:
    """Say that expected places are not in the index: no search and no model can find them."""
    if places:
        are = "is" if places == 1 else "are"
        note(
            f"{counted(places, 'expected place')} {are} not in the index "
            "(of your own questions, pincite eval locate says which)"
        )


def print_answers(rows: Sequence[AnswerFigures]) -> None:
    """A column for each model."""
    page = Page()
    page.line(f"{'':24}" + "".join(f"{spelled(one.model)[:20]:>{_WIDTH}}" for one in rows), style="bold")
    for name in AnswerFigures.model_fields:
        if name not in _NOT_ROWS:
            cells = "".join(f"{_cell(getattr(one, name)):>{_WIDTH}}" for one in rows)
            page.line(f"{name.replace('_', ' '):24}{cells}")
    for one in rows:
        said = ", ".join(f"{number} {status}" for status, number in one.statuses.items())
        page.line(f"{spelled(one.model)}: {said}")
        for kind, found in one.by_kind.items():
            parts = [f"{name.replace('_', ' ')} {_cell(found[name])}" for name in _BY_KIND]
            many = counted(int(found["questions"] or 0), "question")
            page.line(f"{spelled(kind)}: {many}, {', '.join(parts)}", indent=2)


def print_comparison(name: str, differences: Sequence[Comparison]) -> None:
    """How the same queries did in two runs; nothing where there are no figures."""
    if not differences:
        return
    page = Page()
    page.line()
    page.line(f"compared with {name}, {differences[0].queries} queries that both have", style="bold")
    for one in differences:
        page.line(
            f"{one.measure:12} {one.first:.4f} -> {one.second:.4f}  {one.difference:+.4f} "
            f"({one.low:+.4f} to {one.high:+.4f}), p = {one.p:.3f}, better {one.better}, worse {one.worse}"
        )


def print_first_search(plain: RetrievalReport, one: FirstSearchReport) -> None:
    """What a model's queries did to a search, and what they cost."""
    print_comparison(f"the question alone: {one.way}, worded by {spelled(one.model)}", one.comparison)
    page = Page()
    asked = counted(one.asked, "question")
    failed = f", {counted(one.failures, 'call')} failed" if one.failures else ""
    page.line(f"{one.worded} of {asked} worded, {one.queries:.1f} queries a question{failed}")
    page.line(
        f"of the model, a question: {one.input_tokens.mean:.0f} tokens read, {one.output_tokens.mean:.0f} "
        f"written, {one.model_seconds.mean:.1f} s (median {one.model_seconds.median:.1f})"
    )
    page.line(
        f"tokens returned {plain.tokens_returned.mean:.0f} -> {one.report.tokens_returned.mean:.0f}; "
        f"ms of searching (median) {plain.search_ms.median:.1f} -> {one.report.search_ms.median:.1f}"
    )


def print_ways(rows: Sequence[AnswerFigures]) -> None:
    """A line for each model and way of answering."""
    page = Page()
    page.line()
    heads = ("accuracy", "shown", "cited", "calls", "tokens", "seconds", "cost")
    page.line(f"{'way':{_NAMES + 1}}" + "".join(f"{head:>10}" for head in heads), style="bold")
    for one in rows:
        shares = [_cell(value) for value in (one.accuracy, one.evidence_shown, one.citation_recall)]
        means = [f"{one.model_calls:.1f}", f"{one.tokens:.0f}", f"{one.seconds:.2f}"]
        cells = [*shares, *means, "-" if one.cost is None else f"{one.cost:.4f}"]
        name = f"{Way[one.way]}, {spelled(one.model)}"[:_NAMES]
        page.line(f"{name:{_NAMES + 1}}" + "".join(f"{cell:>10}" for cell in cells))
    page.line(
        "accuracy: ended as it should; shown, cited: expected places that the model saw, and cited; the rest "
        "are means of a question, cost of all"
    )
    for one in rows:
        if one.left_out:
            many = counted(one.left_out, "question")
            page.line(f"{Way[one.way]}, {spelled(one.model)}: {many} could not begin so")


def print_judge(figures: Sequence[tuple[str, JudgeFigures]]) -> None:
    """Estimates of a judge, and how far it agrees with a person; each with the name of the model judged."""
    page = Page()
    page.line()
    page.line(f"estimates by the judge {spelled(figures[0][1].model)}", style="bold")
    for name, one in figures:
        page.line(
            f"{spelled(name)}: support {_cell(one.support)} ({counted(one.statements, 'statement')}), "
            f"relevance {_cell(one.relevance)} ({counted(one.answers, 'answer')}); "
            f"{counted(one.failures, 'verdict')} not given"
        )
    found = figures[0][1].agreement
    if found is None:
        page.line("its agreement with a person is not measured (--judge-labels FILE)")
        return
    for what, agreement in found.items():
        page.line(f"{what}: {_agreement(agreement)}")


def _agreement(one: Agreement) -> str:
    return (
        f"agrees with the labels in {_cell(one.agreement)} of {one.cases - one.failures} cases, kappa "
        f"{_cell(one.kappa)}; says yes to {_cell(one.judge_yes)}, the labels to {_cell(one.labels_yes)}; "
        f"{counted(one.failures, 'verdict')} not given"
    )


def _cell(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:.3f}" if isinstance(value, float) else str(value)
