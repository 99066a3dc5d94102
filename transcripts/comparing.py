"""A comparison of two runs as lines for a terminal and as a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pincite.transcripts import views
from pincite.transcripts.compare import Compared, Comparison, Lookup, Pair
from pincite.transcripts.diff import around
from pincite.transcripts.page import page
from pincite.transcripts.show import Line, neutral


def comparison_lines(comparison: Comparison) -> Iterator[Line]:
    """The lines of a comparison: A is marked -, B is marked +, what is the same has no mark."""
    for sign, name, model in zip("-+", comparison.names, comparison.models, strict=True):
        yield Line(neutral(f"{sign} {name} ({model})"), style="head")
    for name, one, other in comparison.settings:
        yield Line(neutral(f"{name}: {one or 'nothing'} -> {other or 'nothing'}"), indent=2, style="dim")
    for compared in comparison.questions:
        yield from _question(compared)


def comparison_page(comparison: Comparison) -> str:
    """The page of a comparison as HTML."""
    return page(
        "compare.html",
        comparison=comparison,
        described=[
            [(_sign(pair), _said(pair), _passages(pair)) for pair in one.lookups]
            for one in comparison.questions
        ],
    )


def _question(compared: Compared) -> Iterator[Line]:
    one, other = (run.text if run else None for run in (compared.one, compared.other))
    yield Line("")
    if one == other:
        yield Line(neutral(f"question {compared.number}: {one}"), style="head")
    else:
        yield Line(f"question {compared.number}", style="head")
        yield from _rows([(one, other)])
    for pair in compared.lookups:
        sign = _sign(pair)
        for text in _said(pair):
            yield Line(neutral(text), indent=2, style=_style(sign))
        for text in _passages(pair):
            yield Line(neutral(text), indent=4, style="" if pair.same else "bad")
    before, after = compared.status
    yield Line(neutral(f"  {before}" if before == after else f"~ {before} -> {after}"), indent=2)
    yield from _rows(compared.statements)
    if any(a != b for a, b in compared.citations):
        yield Line("citations", indent=2, style="dim")
        yield from _rows(compared.citations)
    changed = [(name, a, b) for name, a, b in compared.usage if a != b]
    for name, a, b in changed:
        yield Line(f"{name}: {_number(a)} -> {_number(b)}", indent=2, style="dim")


def _rows(rows: Iterable[tuple[str | None, str | None]]) -> Iterator[Line]:
    for one, other in rows:
        if one == other:
            yield Line(neutral(f"  {one}"), indent=2)
            continue
        if one is not None:
            yield Line(neutral(f"- {one}"), indent=2, style="bad")
        if other is not None:
            yield Line(neutral(f"+ {other}"), indent=2, style="cited")


def _sign(pair: Pair) -> str:
    if pair.same:
        return " "
    if pair.other is None:
        return "-"
    return "+" if pair.one is None else "~"


def _style(sign: str) -> str:
    return {"-": "bad", "+": "cited"}.get(sign, "")


def _said(pair: Pair) -> list[str]:
    """The calls: one line when they are the same or only one run has it."""
    if pair.one is not None and pair.other is not None:
        if pair.one.said == pair.other.said:
            return [f"{_sign(pair)} {_call(pair.one)}"]
        return [f"- {_call(pair.one)}", f"+ {_call(pair.other)}"]
    alone = pair.one or pair.other
    return [f"{_sign(pair)} {_call(alone)}"] if alone else []


def _call(lookup: Lookup) -> str:
    error = views.error_code(lookup.result)
    used = error or views.text(lookup.result, "used")
    return f"{lookup.said}{f' [{used}]' if used else ''}"


def _passages(pair: Pair) -> list[str]:
    """What the results differ in; all that a look-up gave which only one run has."""
    found = pair.drift or {}
    rows = []
    alone = (pair.one or pair.other) if pair.one is None or pair.other is None else None
    if alone is not None:
        rows += [
            f"{_sign(pair)} {passage.document} > {passage.path} (rank {at})"
            for at, passage in enumerate(views.passages(alone.result), start=1)
        ]
    for name, sign in (("lost", "-"), ("gained", "+"), ("changed", "~")):
        for passage in found.get(name, ()):
            rows.append(f"{sign} {passage['document']} > {passage['heading_path']} (rank {passage['rank']})")
            if name == "changed":
                one, other = around(passage["recorded"], passage["live"], 160)
                rows += [f"    - {one}", f"    + {other}"]
    for passage in found.get("moved", ()):
        where = f"{passage['document']} > {passage['heading_path']}"
        rows.append(f"~ {where}: rank {passage['rank']} -> {passage['to']}")
    if "text" in found:
        one, other = around(found["text"]["recorded"], found["text"]["live"], 160)
        rows += ["~ its text", f"    - {one}", f"    + {other}"]
    for leg in found.get("attempts", ()):
        rows.append(f"~ leg {leg['leg']}: {leg['recorded'] or 'not tried'} -> {leg['live'] or 'not tried'}")
    return rows


def _number(value: float | None) -> str:
    return "none" if value is None else f"{value:g}"
