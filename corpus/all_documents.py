"""Every document of an index, for whoever looks after it."""

from __future__ import annotations

from pathlib import Path

from pincite.corpus.pointer import DEFAULT_TENANT, tenant_folder
from pincite.corpus.rows import DocumentRow
from pincite.corpus.store import TableReader
from pincite.corpus.table import DOCUMENT, DOCUMENT_COLUMNS, document_row

ALL_DOCUMENTS = f"kind = '{DOCUMENT}'"
"""The predicate of the rows that stand for documents."""


def all_documents(db: Path, *, tenant: str = DEFAULT_TENANT) -> list[DocumentRow]:
    """Every document of the index by id, whoever may see it and whenever it is in force."""
    reader = TableReader(tenant_folder(db, tenant))
    columns = list(DOCUMENT_COLUMNS)
    rows = reader.ask(lambda table: table.search().where(ALL_DOCUMENTS).select(columns).limit(None).to_list())
    return sorted((document_row(row) for row in rows), key=lambda document: document.id)
