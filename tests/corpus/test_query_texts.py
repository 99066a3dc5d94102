"""Whatever text is looked for by words: it finds what has its words, and is no fault of the index."""

from __future__ import annotations

import time

import pytest

from pincite.corpus.index import Index
from pincite.corpus.scope import Scope
from pincite.corpus.sync import sync

LEASE = "# 租约\n\n租户可以提前两个月书面通知房东终止租约。押金在租约结束之后三十天内退还给租户。\n"
CHINESE = (
    "租户可以在什么时候终止租约以及需要提前多少天通知房东并且押金在租约结束之后多久会退还给租户"
    "如果租户提前搬走是否需要支付额外的费用以及房东是否可以拒绝退还押金"
)
JAPANESE = "賃借人は契約を終了することができますかそれともいつまでに通知しなければなりませんか"
THAI = "ผู้เช่าบอกเลิกสัญญาเช่าได้เมื่อไรและต้องแจ้งล่วงหน้านานเท่าไร"
NOTHING = {
    "256 letters": "W" * 256,
    "1,000 letters": "W" * 1_000,
    "100,000 letters": "w" * 100_000,
    "a long word beside short ones": f"kumquats {'W' * 300} pomelos",
    "300 signs of 2 bytes": "ж" * 300,
    "300 signs of 4 bytes": "𐐨" * 300,
    "200 syllables": "계약" * 100,
    "400 digits": "9" * 400,
    "200 parts": "-".join(["ab"] * 200),
    "an address": "https://example.com/" + "a/" * 200,
    "marks only": "!!! ??? ... ,,, ()[]{}",
    "controls only": "\x00\x01\x1b[31m\x7f\x80",
    "no width": "\u200b\u200d\u2060" * 100,
    "one letter with 600 accents": "q" + "\u0301" * 600,
    "pictures": "😀" * 300,
    "half a pair": "\ud800\udc00\udfff"[::2],
    "syntax": '+kumquat -pomelo "x AND OR NOT (a:b)^2~3 [a TO b] {* ?',
    "3,000 words": " ".join(f"kumquat{n}" for n in range(3_000)),
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    folder = tmp_path_factory.mktemp("texts")
    (folder / "zh.md").write_text(LEASE, encoding="utf-8")
    (folder / "ja.md").write_text(
        "# 賃貸契約\n\n賃借人は二か月前に通知することにより契約を終了することができる。\n", encoding="utf-8"
    )
    (folder / "th.md").write_text("# สัญญาเช่า\n\nผู้เช่าอาจบอกเลิกสัญญาเช่าโดยแจ้งล่วงหน้าสองเดือน\n", encoding="utf-8")
    (folder / "en.md").write_text(
        f"# Zebras\n\nThe zebra fee is 7 crowns. Müllerstraße has stables. The key is {'K' * 300}.\n",
        encoding="utf-8",
    )
    db = tmp_path_factory.mktemp("db")
    sync([folder], db, vectors=False)
    return Index.open(db)


def found(index: Index, query: str) -> list[str]:
    return [hit.document.rpartition("/")[2] for hit in index.keyword(query, Scope(), 5)]


@pytest.mark.parametrize("query", NOTHING.values(), ids=NOTHING)
def test_what_no_text_has_finds_nothing(index: Index, query: str) -> None:
    assert found(index, query) == []


@pytest.mark.parametrize("query", NOTHING.values(), ids=NOTHING)
def test_beside_it_the_other_words_are_found(index: Index, query: str) -> None:
    assert found(index, f"zebra {query}") == ["en.md"]


@pytest.mark.parametrize(
    ("query", "document"),
    [(CHINESE, "zh.md"), (CHINESE * 5, "zh.md"), (JAPANESE, "ja.md"), (THAI, "th.md"), (THAI * 8, "th.md")],
)
def test_the_words_of_a_question_without_blanks_are_found(index: Index, query: str, document: str) -> None:
    assert found(index, query)[0] == document


def test_misspelt_words_are_compared_as_they_are_indexed(index: Index) -> None:
    for query in ("Zebrq", "ZEBRQ", "Mullerstrase", "MÜLLERSTRASE"):
        assert found(index, query) == ["en.md"], query


def test_many_long_words_that_nothing_has_hold_nobody_up(index: Index) -> None:
    words = " ".join(chr(97 + n % 26) + f"{n:b}".replace("0", "x").replace("1", "y") * 3 for n in range(256))
    started = time.process_time()
    assert found(index, words) == []
    assert time.process_time() - started < 2
