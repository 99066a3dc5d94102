"""A small knowledge base in a real index, and an encoder of few words that needs no model."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from hashlib import blake2b
from pathlib import Path

import numpy as np
import pytest

from pincite.corpus.encoder import EncoderSpec
from pincite.corpus.index import Index
from pincite.corpus.scope import Scope
from pincite.corpus.sync import sync
from pincite.tools.ledger import Ledger
from pincite.tools.retrieve import Retriever
from pincite.tools.toolbox import Toolbox

LEASE = """# Lease of the boathouse

The harbour club lets the boathouse to the tenant.

## 4 Rent

### 4.1 Amount

The rent is 1,250 crowns a month, including water.

### 4.2 Payment

Rent is due on the first working day of the month.

(a) The tenant pays by bank transfer.

(b) A late payment costs 15 crowns for each week begun.

(c) Cheques are not accepted.

## 5 Ending the lease

Each side may end the lease with three months' notice in writing.

## 6 Keys

### 6.1 Payment

A lost key costs 40 crowns.
"""

HANDBOOK = """# Harbour handbook

## Berths

| Berth | Length | Fee |
|---|---|---|
{rows}

## Night watch

{watch}

## Fuel

The fuel pump is open from eight to six. Code E17 means that the tank is empty.
"""


class WordEncoder:
    """Unit vectors of hashed words: texts that share words are near each other."""

    def __init__(self) -> None:
        self.spec = EncoderSpec(
            name="words", digest="0" * 64, dimension=64, query_prefix="", document_prefix="",
            max_length=256, tokenizer="words",
        )  # fmt: skip

    def count(self, text: str) -> int:
        return len(re.findall(r"\w+|[^\w\s]", text)) + 2

    def encode_query(self, text: str) -> np.ndarray:
        vector = np.zeros(64, dtype=np.float32)
        for word in re.findall(r"\w+", text.lower()):
            vector[blake2b(word.encode(), digest_size=1).digest()[0] % 64] += 1.0
        return vector / max(1.0, float(np.linalg.norm(vector)))

    def encode_documents(
        self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None
    ) -> np.ndarray:
        return np.stack([self.encode_query(text) for text in texts])


def handbook() -> str:
    rows = "\n".join(f"| B{n} | {6 + n % 5} metres | {100 + 7 * n} crowns |" for n in range(1, 121))
    watch = "\n\n".join(
        f"Round {n}. The watch walks along pier {n} and looks at every mooring line. "
        f"Lamp number {n * 3} is switched on after sunset. What is found is written into book {n}."
        for n in range(1, 61)
    )
    return HANDBOOK.format(rows=rows, watch=watch)


@pytest.fixture(scope="session")
def encoder() -> WordEncoder:
    return WordEncoder()


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three documents, one of them in a folder of its own."""
    root = tmp_path_factory.mktemp("club") / "club"
    (root / "payroll").mkdir(parents=True)
    (root / "lease.md").write_text(LEASE, encoding="utf-8")
    (root / "handbook.md").write_text(handbook(), encoding="utf-8")
    pay = "# Wages\n\n## Harbour master\n\nThe harbour master earns 3,100 crowns a month.\n"
    (root / "payroll" / "wages.md").write_text(pay, encoding="utf-8")
    return root


@pytest.fixture(scope="session")
def db(folder: Path, encoder: WordEncoder, tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = tmp_path_factory.mktemp("db")
    report = sync([folder], where, encoder=encoder)
    assert (report.added, report.failed) == (3, [])
    return where


@pytest.fixture(scope="session")
def plain_db(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same without vectors."""
    where = tmp_path_factory.mktemp("plain")
    sync([folder], where, vectors=False)
    return where


@pytest.fixture
def index(db: Path) -> Index:
    return Index.open(db)


@pytest.fixture
def retriever(index: Index, encoder: WordEncoder) -> Retriever:
    return Retriever(index, lambda: encoder)


@pytest.fixture
def public() -> Scope:
    """Everything but the payroll."""
    return Scope(documents=frozenset({"club/lease.md", "club/handbook.md"}))


@pytest.fixture
def toolbox(index: Index, retriever: Retriever, public: Scope) -> Toolbox:
    return Toolbox(index, retriever, public, Ledger(), seed="seed")
