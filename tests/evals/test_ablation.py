"""The ablation: tables over small invented sets, places found again in what was read, passages shown."""

from __future__ import annotations

import argparse
import csv
import hashlib
import io
import json
import re
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("ir_measures")

from pincite.corpus.chunk import ChunkBudget
from pincite.corpus.encoder_spec import EncoderSpec
from pincite.corpus.rows import ChunkHit
from pincite.corpus.scope import Scope
from pincite.evals.ablation import OWN, averaged, main, markdown, put_into, tables, written
from pincite.evals.ablation_cuts import CUTS, RememberingEncoder
from pincite.evals.ablation_passages import BUDGETS, READINGS, passages, places_shown, sections_of
from pincite.evals.ablation_place_sets import PLACED, own_documents, placed_set
from pincite.evals.ablation_places import Making, Stretch, shows
from pincite.evals.ablation_sets import read_set
from pincite.evals.ablation_ways import ways
from pincite.evals.beir import BeirDocument
from pincite.evals.bench_index import as_document, build_index
from pincite.evals.progress import quiet, told_on_stderr

SHIPS = ("herons", "lanterns", "anchors", "ropes", "pilots", "ferries")


class WordEncoder:
    """A vector of hashed words, without a model; remembers what it encoded."""

    def __init__(self) -> None:
        self.spec = EncoderSpec(
            name="words",
            digest="words",
            dimension=16,
            query_prefix="",
            document_prefix="",
            max_length=256,
            tokenizer="words",
        )
        self.encoded: list[str] = []

    def count(self, text: str) -> int:
        return 2 + len(re.findall(r"\w+|[^\w\s]", text))

    def count_many(self, texts: Sequence[str]) -> list[int]:
        return [self.count(text) for text in texts]

    def encode_query(self, text: str) -> np.ndarray:
        numbers = np.full(16, 0.01, dtype=np.float32)
        for word in re.findall(r"\w+", text.casefold()):
            numbers[hashlib.blake2b(word.encode(), digest_size=1).digest()[0] % 16] += 1
        return numbers / np.linalg.norm(numbers)

    def encode_documents(
        self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None
    ) -> np.ndarray:
        self.encoded += texts
        if progress is not None:
            progress(len(texts))
        return np.stack([self.encode_query(text) for text in texts])


def beir(folder: Path) -> None:
    (folder / "qrels").mkdir(parents=True)
    rows = [
        {"_id": f"d{n}", "title": name, "text": f"Of {name} there are {n}."} for n, name in enumerate(SHIPS)
    ]
    asked = [{"_id": f"q{n}", "text": f"how many {name}"} for n, name in enumerate(SHIPS)]
    grades = "".join(f"q{n}\td{n}\t{1 + n % 2}\n" for n in range(len(SHIPS)))
    (folder / "corpus.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    (folder / "queries.jsonl").write_text("\n".join(map(json.dumps, asked)), encoding="utf-8")
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n" + grades, encoding="utf-8")


def squad(path: Path, articles: dict[str, list[tuple[str, list[tuple[str, str]]]]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    data = [
        {
            "title": title,
            "paragraphs": [
                {
                    "context": context,
                    "qas": [
                        {
                            "question": question,
                            "answers": [{"text": answer, "answer_start": context.index(answer)}],
                        }
                        for question, answer in asked
                    ],
                }
                for context, asked in paragraphs
            ],
        }
        for title, paragraphs in articles.items()
    ]
    path.write_text(json.dumps({"data": data}), encoding="utf-8")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("data")
    beir(root / "cranfield" / "derived_beir")
    squad(
        root / "policyqa" / "data" / "dev.json",
        {
            "harbour.example": [
                ("We keep the names of pilots for one year.", [("How long are names kept?", "one year")]),
                ("Lanterns are counted every night. Nobody sells the count.", [("Who sells it?", "Nobody")]),
            ],
            "quay.example": [("Ropes are checked by hand.", [("How long are names kept?", "by hand")])],
        },
    )
    pages = {
        "Berths#1_0": "Berths are let by the day.\n\nA berth costs nine crowns. It is paid at noon.",
        "Ferries#2_0": "Ferries leave at six.\n\nThe last ferry is the night boat.",
    }
    turns = [
        ("user:hello \tagent:A place. \tuser:what is a berth", "Berths#1_0", "A berth costs nine crowns."),
        ("user:which is the last ferry", "Ferries#2_0", "The last ferry is the night boat."),
    ]
    table = io.StringIO()
    rows = csv.DictWriter(table, ["id", "question", "context", "answers", "spans", "domain", "title"])
    rows.writeheader()
    for question, title, answer in turns:
        found = {"text": [answer], "answer_start": [pages[title].index(answer)]}
        rows.writerow({"question": question, "title": title, "context": pages[title], "answers": str(found)})
    (root / "doc2dial").mkdir()
    with zipfile.ZipFile(root / "doc2dial" / "doc2dial_rc_val.csv.zip", "w") as archive:
        archive.writestr("rows.csv", table.getvalue())
    return root


def options(data: Path, db: Path, what: str, own: Path | None = None) -> argparse.Namespace:
    return argparse.Namespace(data=data, db=db, what=what, half="held", own=own)


def test_every_way_of_merging_gets_a_row_and_graded_sets_a_binary_column(data: Path, tmp_path: Path) -> None:
    names = ["Cranfield", "PolicyQA", "doc2dial, all turns"]
    found, means = tables(options(data, tmp_path, "ways"), names, WordEncoder(), quiet).values()
    assert list(found) == list(ways())
    assert {"0.5 and z-scores", "0.5 and sections", "0.5 and weight by query"} < set(found)
    for row in found.values():
        assert list(row) == ["Cranfield", "Cranfield (binary)", "PolicyQA", "doc2dial, all turns"]
        assert all(0 <= value <= 1 for cell in row.values() for value in cell)
    assert found["keyword alone"]["Cranfield"][0] == 1.0
    assert list(means["keyword alone"]) == ["all (3)", "in English (3)"]


def test_cuts_are_measured_by_documents_and_by_places_shown(data: Path, tmp_path: Path) -> None:
    names = ["Cranfield", "PolicyQA policies"]
    found = tables(options(data, tmp_path, "cuts"), names, WordEncoder(), quiet)
    by_documents, by_places = found.values()
    assert [list(row) for row in by_documents.values()] == [["Cranfield"]] * len(CUTS)
    assert [list(row) for row in by_places.values()] == [["PolicyQA policies"]] * len(CUTS)
    # everything fits into the smallest budget
    assert set(by_places["without the label"]["PolicyQA policies"]) == {1.0}


def test_readings_are_measured_on_a_folder_of_ones_own(data: Path, tmp_path: Path) -> None:
    own = tmp_path / "own"
    (own / "corpus").mkdir(parents=True)
    text = "# Rules\n\n## Fee\n\nThe fee is two crowns.\n\n## Noise\n\nNo bells after nine.\n"
    (own / "corpus" / "rules.md").write_text(text, encoding="utf-8")
    asked = [
        {"question": "How high is the fee?", "expected": [{"document": "rules.md", "quote": "two  Crowns"}]},
        {"question": "What is not there?", "expected": [{"document": "rules.md", "quote": "three crowns"}]},
    ]
    (own / "questions.jsonl").write_text("\n".join(map(json.dumps, asked)), encoding="utf-8")
    placed = own_documents(own)
    assert list(placed.queries) == ["1"]
    wanted = options(data, tmp_path / "db", "passages", own)
    found = tables(wanted, ["doc2dial pages"], WordEncoder(), quiet)
    (table,) = found.values()
    assert list(table) == list(READINGS)
    assert {tuple(row) for row in table.values()} == {("doc2dial pages", OWN)}
    assert all(row[OWN] == (1.0, 1.0, 1.0) for row in table.values())
    page = put_into("a\n<!-- ablation: passages -->\nold\n<!-- end -->\nz", "passages", written(found))
    assert "old" not in page
    assert "places shown within 500 / 1,000 / 2,000 tokens:" in page
    with pytest.raises(ValueError, match="0 places"):
        put_into(page, "elsewhere", "x")


def test_a_dialogue_is_read_as_its_last_turn_or_all_turns(data: Path) -> None:
    last = read_set("doc2dial, last turn", data, "held").task
    every = read_set("doc2dial, all turns", data, "held").task
    assert sorted(last.queries.values()) == ["hello", "which is the last ferry"]
    assert "hello\nA place.\nwhat is a berth" in every.queries.values()
    pages = placed_set("doc2dial pages", data)
    texts = {f"eval/{name}": document.text for name, document in pages.documents}
    shown = {texts[one.document][one.start : one.end] for (place,) in pages.places.values() for one in place}
    assert shown == {"A berth costs nine crowns", "The last ferry is the night boat"}
    assert all(len(scope.documents or ()) == 1 for scope in pages.scopes.values())


def test_a_question_about_one_policy_is_asked_of_that_one(data: Path) -> None:
    policies = placed_set("PolicyQA policies", data)
    assert sorted(policies.queries.values()).count("How long are names kept?") == 2
    names = {one for scope in policies.scopes.values() for one in scope.documents or ()}
    assert names == {"eval/harbour.example", "eval/quay.example"}
    assert "SQuAD2 articles" in PLACED


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


def test_passages_fill_the_budget_and_small_ones_reach_further(tmp_path: Path) -> None:
    text = "\n\n".join(
        f"Pier {n} keeps a lamp. " + "It burns all night in wind and rain. " * 12 for n in range(40)
    )
    encoder = WordEncoder()
    document = BeirDocument(_id="piers", title="Piers", text=text)
    index = build_index([document], "piers", tmp_path, encoder, budget=ChunkBudget(target=100))
    ranking = index.keyword("lamp of pier 7", Scope(), 200)
    sections = sections_of({"q": ranking}, index)
    counts = {}
    for name, reading in READINGS.items():
        by_budget = list(passages(ranking, sections, reading))
        assert len(by_budget) == len(BUDGETS)
        for budget, shown in zip(BUDGETS, by_budget, strict=True):
            assert sum(len(one.text) for one in shown) < 8 * budget
        counts[name] = len(by_budget[-1])
    assert counts["any number per section, the chunk alone"] > counts["any number per section, 400 tokens"]
    assert counts["one per section, all of it"] == 1
    first = next(passages(ranking, sections, READINGS["any number per section, the chunk alone"]))[0]
    inside = Stretch(first.document, first.start, first.end)
    assert places_shown([[inside], [Stretch("other", 0, 9)]], [first]) == 0.5


def test_a_text_is_encoded_once_for_all_ways_of_cutting() -> None:
    encoder = WordEncoder()
    remembering = RememberingEncoder(encoder)
    done: list[int] = []
    first = remembering.encode_documents(["a", "b"], progress=done.append)
    again = remembering.encode_documents(["b", "c", "b"], progress=done.append)
    assert encoder.encoded == ["a", "b", "c"]
    assert done == [2, 3]
    assert np.array_equal(again[0], first[1])
    assert np.array_equal(again[2], first[1])


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


def test_no_half_is_asked_for_of_a_set_that_nothing_was_fitted_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["--data", str(tmp_path), "--db", str(tmp_path), "--half", "tuned", "--set", "CUAD"])
    assert "nothing was fitted on CUAD" in capsys.readouterr().err
