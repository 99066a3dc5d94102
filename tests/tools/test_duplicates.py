"""The same words in several documents are shown once, with the other places; what differs is shown."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pincite.corpus.index import Index
from pincite.corpus.scope import Scope
from pincite.corpus.sync import sync
from pincite.tools.duplicates import repeats, where
from pincite.tools.passage import Passage
from pincite.tools.render import header
from pincite.tools.retrieve import Retriever
from pincite.tools.showing import MANY, ends_first
from pincite.tools.toolbox import Toolbox

CLAUSE = (
    "The supplier shall keep the goods insured against loss and damage from the day on which they leave the "
    "warehouse until the day on which the buyer has paid the price in full, and shall on request show the "
    "policy and the receipt for the last premium within 14 days of the request to the buyer or its agent."
)


def passage(document: str, text: str, **more: Any) -> Passage:
    return Passage(
        handle="", document=document, document_title=document, version="v", section="s", line=3,
        path=("Insurance",), start=0, end=len(text), text=text, **more,
    )  # fmt: skip


def test_case_punctuation_and_line_breaks_do_not_make_a_difference() -> None:
    shown = passage("a.md", f"Insurance. {CLAUSE}")
    torn = CLAUSE.upper().replace(",", "").replace(" WAREHOUSE", " WARE-\nHOUSE")
    assert repeats(passage("b.md", torn), shown)
    assert where(passage("b.md", torn)) == "b.md, Insurance, line 3"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("warehouse", "ware\u00adhouse"),
        ("warehouse until", "ware-\n  house until"),
        ("goods insured", "\u201cgoods\u201d insured"),
        ("in full", "in-full"),
        ("in full", "in-\nfull"),
        ("in-full", "in\u2011full"),
        ("insured", "**insured**"),
        ("reinsured", "rein-\nsured"),
        ("coinsured", "co-insured"),
        ("the price", "price"),
        ("organised and favourably coloured", "organized and favorably colored"),
        ("its licence", "its license"),
        ("goods and chattels", "goods & chattels"),
        ("final", "\ufb01nal"),
        ("buyer's agent", "buyer\u2019s agent"),
        ("10-20 days", "10\u201320 days"),
    ],
)
def test_setting_and_spelling_do_not_make_a_difference(one: str, other: str) -> None:
    first, second = CLAUSE.replace("goods insured", one), CLAUSE.replace("goods insured", other)
    assert repeats(passage("b.md", first), passage("a.md", second))
    assert repeats(passage("b.md", second), passage("a.md", f"Before.\n\n{first} After."))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("14 days", "30 days"),
        ("14 days", "14.5 days"),
        ("1 000", "1000"),
        ("1.5", "15"),
        ("\u20ac14", "$14"),
        ("14%", "14"),
        ("-14", "14"),
        ("10\u00b2", "102"),
        ("E17", "E18"),
        ("\u2612 paid", "\u2610 paid"),
        ("2026-01-31", "2026-01-13"),
        ("shall keep", "shall not keep"),
        ("shall keep", "may keep"),
        ("may be", "maybe"),
        ("not able", "notable"),
        ("lawful", "unlawful"),
        ("un-ionised", "unionised"),
        ("re-lease", "release"),
        ("until", "after"),
        ("buyer", "lender"),
        ("Harbour Ltd", "Harbor Ltd"),
        ("tenant's", "tenants"),
        ("an agent", "agent"),
        ("every agent", "agent"),
        ("filled", "filed"),
    ],
)
def test_a_number_a_sign_a_negation_or_another_word_is_no_repetition(one: str, other: str) -> None:
    first, second = CLAUSE.replace("goods insured", one), CLAUSE.replace("goods insured", other)
    assert repeats(passage("b.md", first), passage("a.md", first))
    assert not repeats(passage("b.md", first), passage("a.md", second))
    assert not repeats(passage("b.md", second), passage("a.md", first))


@pytest.mark.parametrize(
    "shown",
    [
        f"It is not true that {CLAUSE}",
        f"None of the following is agreed:\n\n{CLAUSE}",
        f"{CLAUSE.removesuffix('.')} unless the buyer has waived this in writing.",
        f"Un{CLAUSE[0].lower()}{CLAUSE[1:]}",
        CLAUSE.partition(", and")[0],
    ],
)
def test_words_that_another_sentence_surrounds_are_no_repetition(shown: str) -> None:
    assert not repeats(passage("b.md", CLAUSE), passage("a.md", shown))


WORDS = CLAUSE.split()
# What may be said besides: a negation, a modal, a number, an amount, a date, a name, any word but "the".
MORE = st.one_of(
    st.sampled_from(("not", "no", "never", "may", "must", "only", "Alder", "10%", "$5", "2026-01-31", "1,5")),
    st.integers(-9999, 9999).map(str),
    st.text(st.characters(categories=("Ll", "Lu", "Lo", "Nd", "Sc", "Sm")), min_size=1).filter(
        lambda word: word.casefold() != "the"
    ),
)


@settings(deadline=None)
@given(at=st.integers(0, len(WORDS) - 1), more=MORE)
def test_nothing_that_is_said_besides_is_ever_left_out(at: int, more: str) -> None:
    longer = " ".join([*WORDS[:at], more, *WORDS[at:]])
    assert not repeats(passage("b.md", longer), passage("a.md", CLAUSE))
    assert not repeats(passage("b.md", CLAUSE), passage("a.md", longer))


@settings(deadline=None)
@given(at=st.integers(0, len(WORDS) - 1), other=MORE)
def test_nothing_that_is_said_instead_is_ever_left_out(at: int, other: str) -> None:
    changed = " ".join([*WORDS[:at], other, *WORDS[at + 1 :]])
    same = other.casefold() == WORDS[at].casefold().strip(",.")
    for one, two in ((changed, CLAUSE), (CLAUSE, changed)):
        assert repeats(passage("b.md", one), passage("a.md", two)) == same


@settings(deadline=None)
@given(at=st.integers(1, len(WORDS) - 1))
def test_nothing_that_is_missing_is_taken_for_said(at: int) -> None:
    shorter = " ".join([*WORDS[:at], *WORDS[at + 1 :]])
    same = WORDS[at] == "the"
    assert repeats(passage("b.md", CLAUSE), passage("a.md", shorter)) == same
    assert repeats(passage("b.md", shorter), passage("a.md", CLAUSE)) == same


GAPS = st.sampled_from((" ", "\n", "  ", "\n\t", " \u00b7 ", ", ", " the ", " (", ") "))
FORMS = st.sampled_from(("{}", '"{}"', "\u00ad{}", "**{}**", "\u201c{}\u201d"))


@settings(deadline=None, max_examples=50, suppress_health_check=[HealthCheck.too_slow])
@given(
    setting=st.lists(st.tuples(FORMS, GAPS), min_size=len(WORDS), max_size=len(WORDS)),
    case=st.sampled_from((str, str.upper, str.title)),
)
def test_however_a_text_is_set_it_says_the_same(
    setting: list[tuple[str, str]], case: Callable[[str], str]
) -> None:
    parts = (form.format(word) + gap for word, (form, gap) in zip(WORDS, setting, strict=True))
    text = case("".join(parts))
    assert repeats(passage("b.md", text), passage("a.md", CLAUSE))
    assert repeats(passage("b.md", CLAUSE), passage("a.md", text))


def test_short_texts_other_versions_and_the_same_document_are_kept() -> None:
    assert not repeats(passage("b.md", "The fee is 2%."), passage("a.md", "The fee is 2%."))
    assert not repeats(passage("a.md", CLAUSE), passage("a.md", CLAUSE))
    replaced = passage("b.md", CLAUSE, standing="version 2023, replaced", current=False)
    assert not repeats(replaced, passage("a.md", CLAUSE))


def test_a_header_names_three_places_and_counts_the_rest() -> None:
    shown = passage("a.md", CLAUSE, also_in=("b.md, line 1", "c.md", "d⟧.md", "e.md", "f.md"))
    assert header(shown.model_copy(update={"handle": "P1"})) == (
        "P1 | a.md | Insurance | line 3 | also in: b.md, line 1; c.md; d].md; 2 more"
    )


def test_a_search_shows_one_of_them_and_the_rest_of_the_room_goes_to_others(
    tmp_path: Path, encoder: Any
) -> None:
    (tmp_path / "docs").mkdir()
    for name in "abc":
        text = f"# Supply {name}\n\n## Insurance\n\n{CLAUSE}\n"
        (tmp_path / "docs" / f"{name}.md").write_text(text, encoding="utf-8")
    changed = CLAUSE.replace("14 days", "30 days")
    text = f"# Supply d\n\n## Insurance\n\n{changed}\n"
    (tmp_path / "docs" / "d.md").write_text(text, encoding="utf-8")
    sync([tmp_path / "docs"], tmp_path / "kb", encoder=encoder)
    index = Index.open(tmp_path / "kb")
    toolbox = Toolbox(index, Retriever(index, lambda: encoder), Scope(), seed="s")
    call = {"query": "must the goods be insured until the buyer has paid", "limit": 4}
    result = toolbox.call("search", call)
    clauses = [one for one in result.passages if "insured" in one.text]
    assert len(result.passages) == 4 and len(clauses) == 2
    assert {one.text.count("30 days") for one in clauses} == {0, 1}
    [kept] = [one for one in clauses if one.also_in]
    assert len(kept.also_in) == 2 and "also in: docs/" in result.text
    again = toolbox.call("search", call)
    assert not any("insured" in one.text for one in again.passages)
    assert {one.handle for one in clauses} <= set(again.already_shown)
    narrow = Scope(documents=frozenset({"docs/a.md", "docs/d.md"}))
    limited = Toolbox(index, Retriever(index, lambda: encoder), narrow, seed="s").call("search", call)
    assert limited.passages and all(not one.also_in for one in limited.passages)


def test_of_many_passages_the_best_stand_at_both_ends() -> None:
    ranked = [passage(f"{at}.md", CLAUSE) for at in range(MANY)]
    shown = [int(one.document.removesuffix(".md")) for one in ends_first(ranked)]
    assert shown == [0, 2, 4, 6, 7, 5, 3, 1]
