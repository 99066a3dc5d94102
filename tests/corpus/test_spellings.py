"""What the texts write otherwise than the question is found: numbers, codes, compounds, scripts."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite.corpus import index as index_module
from pincite.corpus import store
from pincite.corpus.index import Index
from pincite.corpus.scope import Scope
from pincite.corpus.spellings import fold, spellings
from pincite.corpus.sync import sync

ALL = Scope()
TEXTS = {
    # what is wanted begins with z, so that it never comes first by its name alone
    "z-grouped": "The ceiling of the Marlow loan is 48,000 crowns.",
    "a-grouped": "Of 48 lots, 000 to 017 are sold.",
    "z-plain": "Der Deckel des Darlehens liegt bei 73500 Kronen.",
    "z-spaced": "Le plafond est de 61 200 couronnes.",
    "a-spaced": "Lot 61 was let, and 200 are free.",
    "z-decimal": "Der Zins ist 4,125 Prozent.",
    "z-dashed": "Certified to ISO\u20119001 in May.",
    "a-dashed": "Form 9001 of the ISO desk, with annex 14001.",
    "z-joined": "Pump TX440 is out of order.",
    "a-joined": "The TX line has 440 parts.",
    "z-split": "Die Frist zur Räumung beträgt vier Wochen.",
    "a-split": "Der Zaun ist grün.",
    "z-compound": "Die Pachtvertragsverlängerung bedarf der Schrift.",
    "z-dutch": "De opzegtermijn voor de loods is zes weken.",
    "z-accent": "The crème brûlée is served cold.",
    "z-decomposed": "The fiance\u0301e signs as witness.",
    "z-sharp": "Die Straße am Anleger ist gesperrt.",
    "z-umlaut": "Das Gehör ist zu schützen.",
    "z-written-out": "Der Moertel ist nach drei Tagen fest.",
    "z-ligature": "The of\ufb01cial o\ufb03ce of the ferryman.",
    "z-soft": "A re\u00addeemer of bonds.",
    "z-apostrophe": "The harbourmaster’s ladder.",
    "z-wide": "部品ＱＲ７７は倉庫にある。",
    "z-square": "The shed has 31 m² of floor.",
    "z-vowels": "يُدْفَعُ الإِيجَارُ فِي أَوَّلِ الشَّهْرِ.",
    "a-arabic": "يصلح المالك السقف في الصيف.",
    "z-article": "تسلم المفاتيح عند الباب.",
    "z-persian": "کلیدها نزد نگهبان است.",
    "z-chinese": "租客必须提前三个月书面通知房东。",
    "a-chinese": "押金为两个月租金。",
    "z-japanese": "賃貸契約の解約は三か月前に通知する。",
    "z-korean": "임대차계약을 해지하려면 세 달 전에 통지해야 한다.",
    "a-korean": "임대료는 매월 지급한다.",
    "z-russian": "Ёлка стоит у входа.",
    "z-greek": "Η προθεσμία είναι τρεις μήνες.",
}
# Questions that word search alone answers, as the index cuts and folds words.
BY_WORDS = [
    ("creme brulee", "z-accent"),
    ("QR77", "z-wide"),
    ("提前通知", "z-chinese"),
    ("多久通知房东", "z-chinese"),
    ("解約の通知", "z-japanese"),
]
# Those that the reading of files has made plain already.
PLAIN = [
    ("CRÈME", "z-accent"),
    ("official office", "z-ligature"),
    ("redeemer", "z-soft"),
    ("fiancée", "z-decomposed"),
    ("fiancee", "z-decomposed"),
]
# Questions whose words no chunk has as they are.
OTHERWISE = [
    ("48000", "z-grouped"),
    ("48.000", "z-grouped"),
    ("Who borrows 48 000?", "z-grouped"),
    ("48\u202f000", "z-grouped"),
    ("48'000", "z-grouped"),
    ("73,500", "z-plain"),
    ("73.500", "z-plain"),
    ("٤٨٠٠٠", "z-grouped"),
    ("٤٨٬٠٠٠", "z-grouped"),
    ("61200", "z-spaced"),
    ("61,200", "z-spaced"),
    ("4.125", "z-decimal"),
    ("ISO9001", "z-dashed"),
    ("TX-440", "z-joined"),
    ("TX 440", "z-joined"),
    ("TX\u2011440", "z-joined"),
    ("Räumungsfrist", "z-split"),
    ("Wie lang ist die Räumungsfrist?", "z-split"),
    ("Verlängerung", "z-compound"),
    ("Verlängerung des Pachtvertrags", "z-compound"),
    ("termijn", "z-dutch"),
    ("cre\u0300me", "z-accent"),
    ("Strasse", "z-sharp"),
    ("STRASSE", "z-sharp"),
    ("Gehoer", "z-umlaut"),
    ("Mörtel", "z-written-out"),
    ("harbourmaster's", "z-apostrophe"),
    ("m2", "z-square"),
    ("إيجار", "z-vowels"),
    ("الايجار", "z-vowels"),
    ("للإيجار", "z-vowels"),
    ("الإيجـــار", "z-vowels"),
    ("والمفاتيح", "z-article"),
    ("مفاتيح", "z-article"),
    ("كليدها", "z-persian"),
    ("계약 해지", "z-korean"),
    ("елка", "z-russian"),
    ("προθεσμια", "z-greek"),
]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    return made(tmp_path_factory.mktemp("spellings"))


def made(where: Path) -> Index:
    docs = where / "docs"
    docs.mkdir()
    for name, text in TEXTS.items():
        (docs / f"{name}.md").write_text(f"# Note\n\n{text}\n", encoding="utf-8")
    sync([docs], where / "db", vectors=False)
    return Index.open(where / "db")


def first(index: Index, query: str) -> str | None:
    hits = index.keyword(query, ALL, 5)
    return hits[0].document.removeprefix("docs/").removesuffix(".md") if hits else None


@pytest.mark.parametrize(("query", "wanted"), [*PLAIN, *BY_WORDS, *OTHERWISE])
def test_what_is_written_otherwise_comes_first(index: Index, query: str, wanted: str) -> None:
    assert first(index, query) == wanted


def test_without_other_spellings_none_of_them_does(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index_module, "otherwise", lambda words, *_: list(words))
    monkeypatch.setattr(index_module, "with_misspelt", lambda words, exact, *_: exact)
    assert [query for query, wanted in OTHERWISE if first(index, query) == wanted] == []
    assert [query for query, wanted in BY_WORDS if first(index, query) != wanted] == []


def test_without_the_cutting_into_words_of_many_scripts_none_of_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from lancedb.index import FTS

    monkeypatch.setattr(store, "text_index", lambda: FTS(base_tokenizer="whitespace", ascii_folding=False))
    monkeypatch.setattr(index_module, "otherwise", lambda words, *_: list(words))
    monkeypatch.setattr(index_module, "with_misspelt", lambda words, exact, *_: exact)
    plain = made(tmp_path)
    assert [query for query, wanted in BY_WORDS if first(plain, query) == wanted] == []


def test_memory_and_disk_find_the_same(index: Index) -> None:
    folder = index.info.folder
    on_disk, resident = Index(folder, memory=0), Index(folder)
    for _ in range(3):
        resident.keyword("note", ALL, 1)
    assert resident.in_memory()
    few = Scope(documents=frozenset({"docs/a-grouped.md", "docs/z-sharp.md", "docs/z-chinese.md"}))
    for query, _ in OTHERWISE:
        for scope in (ALL, few):
            assert resident.keyword(query, scope, 9) == on_disk.keyword(query, scope, 9)


def test_what_a_scope_does_not_see_spells_nothing(index: Index) -> None:
    without = Scope(documents=frozenset(f"docs/{name}.md" for name in TEXTS if name != "z-sharp"))
    assert "docs/z-sharp.md" not in {hit.document for hit in index.keyword("Strasse", without, 9)}


def test_a_word_that_is_there_is_left_as_it_is(index: Index) -> None:
    assert [hit.document for hit in index.keyword("Zaun", ALL, 9)] == ["docs/a-split.md"]
    assert [hit.document for hit in index.keyword("Frist Wochen", ALL, 9)][:1] == ["docs/z-split.md"]


@pytest.mark.parametrize(
    "word", ["(", "[", "a", "", "\\", ".*", "\ud800x", "x" * 5_000, "ÿ\u0301" * 300, "ا"]
)
def test_any_sign_makes_a_pattern_or_none(index: Index, word: str) -> None:
    index.keyword(f"{word} Zaun", ALL, 3)
    spellings(word)
    assert fold(fold(word)) == fold(word)


def test_numbers_that_differ_are_not_the_same() -> None:
    way = spellings("1.000")
    assert way is not None
    assert [*way.found_in("1000, 1,000 and 1 000, not 10,000, 1,0001, 01000 or 1.00")] == [
        "1000",
        "1,000",
        "1 000",
    ]
    date = spellings("2019/88")
    assert date is not None
    assert [*date.found_in("2019-88 201988 2019/889")] == ["2019-88"]


def test_a_run_of_letters_without_end_costs_nothing() -> None:
    way = spellings("Kündigung")
    assert way is not None
    assert [*way.found_in("x" * 200_000 + "kündigung" * 1_000 + " Vorkündigungen")] == ["Vorkündigungen"]


def test_a_question_behind_two_thousand_pasted_words_is_heard(index: Index) -> None:
    pasted = " ".join(f"filler{number}" for number in range(2_000))
    assert first(index, f"{pasted} Who repairs the Marlow loan ceiling?") == "z-grouped"
    assert first(index, f"Who repairs the Marlow loan ceiling? {pasted}") == "z-grouped"
