"""Tools over a few passages, as the README of the shared cases describes them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any
from zlib import crc32

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pincite.tools.ledger import Ledger
from pincite.tools.passage import Passage
from pincite.tools.render import Nonces, render_block
from pincite.tools.result import ToolError, ToolResult
from pincite.tools.schema import ToolSchema

Record = dict[str, Any]


class _Arguments(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)


class Search(_Arguments):
    query: str = Field(max_length=2000)
    limit: int = Field(6, ge=1, le=50)
    document: str | None = None


class Contents(_Arguments):
    document: str


class Read(_Arguments):
    document: str
    section: str


class Define(_Arguments):
    term: str


_ARGUMENTS: dict[str, type[_Arguments]] = {
    "search": Search,
    "table_of_contents": Contents,
    "read_section": Read,
    "define": Define,
}


class StubTools:
    """Searches by exact query ("*" for any), reads sections by id; only documents in `scope` exist."""

    def __init__(
        self,
        search_results: dict[str, list[Record]],
        sections: dict[str, dict[str, list[Record]]],
        scope: Iterable[str],
        withdrawn: Iterable[str] = (),
    ) -> None:
        self.ledger = Ledger()
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self._results = search_results
        self._sections = sections
        self._scope = set(scope)
        self._withdrawn = set(withdrawn)
        self._nonces = Nonces("stub")

    def schemas(self, names: Sequence[str]) -> list[ToolSchema]:
        return [
            ToolSchema(
                name=name, description=f"The {name} tool.", parameters=_ARGUMENTS[name].model_json_schema()
            )
            for name in names
        ]

    def call(self, name: str, arguments: dict[str, Any]) -> ToolResult:
        self.calls.append((name, arguments))
        try:
            read = _ARGUMENTS[name].model_validate(arguments)
        except ValidationError as error:
            return self._error(name, "bad_arguments", str(error.errors()[0]["msg"]))
        if isinstance(read, Search):
            return self._search(read)
        if isinstance(read, Read):
            return self._read(read)
        assert isinstance(read, Contents)
        if read.document not in self._scope:
            return self._error(name, "no_such_document", "No such document.")
        listing = list(self._sections[read.document])
        return ToolResult(tool=name, text="\n".join(listing), data={"sections": listing})

    def _search(self, read: Search) -> ToolResult:
        if read.document is not None and read.document not in self._scope:
            return self._error("search", "no_such_document", "No such document.")
        if not any(sign.isalnum() for sign in read.query):
            return self._error("search", "bad_arguments", "query: holds no word")
        found = self._results.get(read.query, self._results.get("*", []))
        return self._shown("search", [hit for hit in found if hit["document"] in self._scope])

    def _read(self, read: Read) -> ToolResult:
        if read.document not in self._scope:
            return self._error("read_section", "no_such_document", "No such document.")
        found = self._sections[read.document].get(read.section)
        if found is None:
            return self._error("read_section", "no_such_section", "No such section.")
        return self._shown("read_section", found)

    def _shown(self, tool: str, records: Sequence[Record]) -> ToolResult:
        sent: list[Passage] = []
        named: list[str] = []
        for record in records:
            shown = self.ledger.show(self._passage(record))
            if shown is not None and shown.sent:
                sent.append(shown.passage)
            elif shown is not None:
                named.append(shown.passage.handle)
        # Withdrawal happens after a passage was shown.
        self.ledger.withdraw(self._withdrawn & set(self.ledger.passages))
        nonce = self._nonces.next([passage.text for passage in sent])
        text = render_block(sent, nonce) if sent else "No new passages."
        if named:
            text += f"\nShown above: {', '.join(named)}."
        return ToolResult(
            tool=tool, text=text, passages=tuple(sent), already_shown=tuple(named), used="keyword"
        )

    def _passage(self, record: Record) -> Passage:
        document, section, text = record["document"], record["section"], record["text"]
        # The same in every session, as offsets into a document are.
        start = 1_000 * (crc32(text.encode()) % 1_000_000)
        return Passage(
            handle="",
            document=document,
            document_title=document,
            version="v1",
            section=section,
            number=section,
            path=(f"{section} Heading",),
            page=record.get("page"),
            page_end=record.get("page"),
            places=tuple((start + at, page, line) for at, page, line in record.get("pages", ())),
            start=start,
            end=start + len(text),
            text=text,
        )

    @staticmethod
    def _error(tool: str, code: str, message: str) -> ToolResult:
        error = ToolError(code=code, message=message)
        return ToolResult(tool=tool, text=f"Error {code}: {message}", error=error)
