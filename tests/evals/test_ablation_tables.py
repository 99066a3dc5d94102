"""The ablation's labels, found again in what was read of a file, and its tables as markdown."""

from __future__ import annotations

import pytest

from pincite.corpus.rows import ChunkHit
from pincite.evals.ablation import averaged, markdown
from pincite.evals.ablation_places import Making, Stretch, shows
from pincite.evals.beir import BeirDocument
from pincite.evals.bench_index import as_document
from pincite.evals.progress import told_on_stderr


def test_labels_are_found_again_where_reading_left_lines_out() -> None:
    raw = "Page 1\nThe fee is low.\nPage 2\nThe fee is high.\nPage 3\nThe end.\n"
    read = as_document(BeirDocument(_id="x", text="The fee is low.\nThe fee is high.\nThe end."))
    made = Making()
    made.add("x", raw, read)
    at = raw.rindex("The fee")
    made.ask("second?", "x", [[(at, at + 7)]])
    made.ask("lost?", "x", [[(raw.index("Page 2"), raw.index("Page 2") + 6)]])
    placed = made.made(scoped=False)
    assert placed.lost == 1
    ((place,),) = placed.places.values()
    assert [(one.start, one.end) for one in place] == [
        (read.text.rindex("The fee"), read.text.rindex("The fee") + 7)
    ]


def hit(start: int, end: int) -> ChunkHit:
    return ChunkHit(
        document="d", document_title="d", version="v", section="s", number=None, path=(), page=None,
        page_end=None, line=None, start=start, end=end, text="x", label="", score=1.0,
    )  # fmt: skip


def test_a_chunk_shows_half_of_a_place_or_lies_in_a_longer_one() -> None:
    place = Stretch("d", 100, 200)
    assert shows(hit(150, 400), place)
    assert not shows(hit(151, 400), place)
    assert shows(hit(0, 1000), place)
    assert shows(hit(190, 210), place)
    assert not shows(hit(191, 211), place)
    assert not shows(hit(100, 200), Stretch("e", 100, 200))


def test_a_mean_counts_each_set_once_and_graded_sets_by_their_grades() -> None:
    row: dict[str, tuple[float, ...]] = {
        "CISI": (0.5, 1.0),
        "CISI (binary)": (0.9, 1.0),
        "XQuAD zh": (0.25, 1.0),
        "XQuAD en": (0.75, 1.0),
    }
    assert averaged({"way": row}) == {"way": {"all (3)": (0.5,), "in English (2)": (0.625,)}}


def test_many_sets_are_parted_by_kind() -> None:
    names = ["SciFact", "CISI", "SQuAD2", "XQuAD en", "XQuAD de", "PolicyQA", "CUAD", "doc2dial, last turn"]
    text = markdown({"row": dict.fromkeys(names, (1.0, 0.25))})
    heads = [line for line in text.splitlines() if line.startswith("| |")]
    assert heads == [
        "| | SciFact | CISI | SQuAD2 |",
        "| | XQuAD en | XQuAD de |",
        "| | PolicyQA | CUAD | doc2dial, last turn |",
    ]
    assert "| row | 1.000 / .250 |" in text


def test_without_a_terminal_each_part_is_told_once(capsys: pytest.CaptureFixture[str]) -> None:
    with told_on_stderr() as tell:
        for done in range(3):
            tell("searching", done, 3)
        tell("reading", 5, 0)
    assert capsys.readouterr().err == "searching: 0 of 3\nreading: 5\n"
