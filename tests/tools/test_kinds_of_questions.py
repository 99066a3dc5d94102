"""Negations, names, codes, quoted phrases and several languages: the right passage first, and why it is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from tests.tools.conftest import WordEncoder

from pincite.corpus import query_words
from pincite.corpus.index import Index
from pincite.corpus.rows import ChunkHit
from pincite.corpus.scope import Scope
from pincite.corpus.sync import sync
from pincite.tools import chain
from pincite.tools.retrieve import Retriever

ALL = Scope()
TEXTS = {
    "a-liable": "The ferryman is liable for wet cargo.",
    "b-liable": "The ferryman is liable for wet cargo too.",
    "z-not-liable": "The ferryman is not liable for wet cargo after a storm at night.",
    "a-with": "The mooring may in calm weather be ended with notice.",
    "z-without": "The mooring may after a storm be ended without notice.",
    "a-haftet": "Der Schlepper haftet für Schäden am Rumpf.",
    "z-haftet-nicht": "Der Schlepper haftet an Sonntagen nicht für Schäden am Rumpf.",
    "a-name": "The crane was drawn by Ida Lind and painted by Karl Brook.",
    "z-name": "The crane was drawn and painted after the flood by Ida Brook.",
    "a-code": "The gauge is made by form 7731 and is read by the EN desk.",
    "z-code": "The gauge is made to EN-7731 and is read by the night watch.",
    "a-phrase": "Am Steg gilt die Regel Ebbe vor Flut wie bisher.",
    "z-phrase": "Am Steg gilt die Regel Flut vor Ebbe wie bisher.",
}
ENGLISH_GERMAN = {"ropes": "taue", "inspected": "geprüft", "spring": "frühjahr", "harbour": "hafen"}
LANGUAGES = {
    "en-ropes": "Ropes are inspected every spring.",
    "de-ropes": "Taue werden in jedem Frühjahr geprüft.",
    "en-lamps": "Lamps are lit at dusk by the guard.",
    "de-lamps": "Lampen werden am Abend vom Wärter entzündet.",
    "en-fuel": "Fuel is sold at the pump on weekdays.",
    "de-fuel": "Treibstoff gibt es werktags an der Säule.",
}
QUOTES = ["„{}“", "«{}»", "»{}«", "“{}”", "‹{}›", "‚{}‘", '"{}"']


class Bilingual(WordEncoder):
    """Words of both languages that mean the same are one word."""

    def encode_query(self, text: str) -> np.ndarray:
        return super().encode_query(
            " ".join(ENGLISH_GERMAN.get(w.strip("?."), w) for w in text.lower().split())
        )


def made(where: Path, texts: dict[str, str], encoder: WordEncoder) -> Retriever:
    docs = where / "docs"
    docs.mkdir()
    for name, text in texts.items():
        (docs / f"{name}.md").write_text(f"# Note\n\n{text}\n", encoding="utf-8")
    sync([docs], where / "db", encoder=encoder)
    index = Index.open(where / "db")
    return Retriever(index, lambda: encoder)


@pytest.fixture(scope="module")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> Retriever:
    return made(tmp_path_factory.mktemp("harbour"), TEXTS, WordEncoder())


@pytest.fixture(scope="module")
def languages(tmp_path_factory: pytest.TempPathFactory) -> Retriever:
    return made(tmp_path_factory.mktemp("languages"), LANGUAGES, Bilingual())


def order(retriever: Retriever, query: str, leg: chain.LegName = "fused") -> list[str]:
    found = retriever.retrieve(query, ALL, k=3, legs=leg)
    return [hit.document.removeprefix("docs/").removesuffix(".md") for hit in found.hits]


NEGATIONS = [
    ("Is the ferryman not liable for wet cargo?", "z-not-liable", "not"),
    ("May the mooring be ended without notice?", "z-without", "without"),
    ("Wann haftet der Schlepper nicht für Schäden am Rumpf?", "z-haftet-nicht", "nicht"),
]


@pytest.mark.parametrize(("query", "wanted", "word"), NEGATIONS)
def test_a_negation_is_a_word_like_any_other(
    harbour: Retriever, monkeypatch: pytest.MonkeyPatch, query: str, wanted: str, word: str
) -> None:
    assert order(harbour, query)[0] == order(harbour, query, "keyword")[0] == wanted
    for language, words in query_words.FUNCTION_WORDS.items():
        monkeypatch.setitem(query_words.FUNCTION_WORDS, language, words | {word})
    assert order(harbour, query, "keyword")[0] != wanted


@pytest.mark.parametrize(
    ("query", "wanted", "part"),
    [
        ("Who is Ida Brook?", "z-name", "raise_adjacent"),
        ("gauge EN-7731", "z-code", "raise_exact"),
        ("gauge EN 7731", "z-code", "raise_exact"),
        ("gauge EN\u20137731", "z-code", "raise_exact"),
    ],
)
def test_names_and_codes_are_more_than_their_words(
    harbour: Retriever, monkeypatch: pytest.MonkeyPatch, query: str, wanted: str, part: str
) -> None:
    assert order(harbour, query)[0] == wanted
    monkeypatch.setattr(chain, part, _as_it_is)
    assert order(harbour, query)[0] != wanted


@pytest.mark.parametrize("quotes", QUOTES)
def test_a_quoted_phrase_counts_as_it_is_written(
    harbour: Retriever, monkeypatch: pytest.MonkeyPatch, quotes: str
) -> None:
    query = f"Flut Ebbe {quotes.format('Flut vor Ebbe')}"
    assert order(harbour, query)[0] == "z-phrase"
    monkeypatch.setattr(chain, "raise_exact", _as_it_is)
    monkeypatch.setattr(chain, "raise_adjacent", _as_it_is)
    assert order(harbour, query)[0] != "z-phrase"


@pytest.mark.parametrize(
    ("query", "first", "other"),
    [
        ("Which ropes are inspected in spring?", "en-ropes", "de-ropes"),
        ("Welche Taue werden im Frühjahr geprüft?", "de-ropes", "en-ropes"),
    ],
)
def test_a_question_finds_its_language_first_and_the_other_by_meaning(
    languages: Retriever, query: str, first: str, other: str
) -> None:
    found = order(languages, query)
    assert found[0] == first
    assert other in found
    assert other not in order(languages, query, "keyword")


def _as_it_is(query: str, ranking: Sequence[ChunkHit]) -> list[ChunkHit]:
    return list(ranking)
