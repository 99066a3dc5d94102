"""Documents and sections as MCP resources, in pages."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs, quote, unquote, urlencode, urlsplit

from mcp import MCPError
from mcp_types import INVALID_PARAMS, ListResourcesResult, Resource, ResourceTemplate, TextResourceContents

from pincite.server.access import Caller
from pincite.server.mcp.sessions import McpTools
from pincite.server.tenants import Tenants
from pincite.tools.contract import ContentsJson, json_read, json_toc
from pincite.tools.result import ToolResult

DOCUMENTS = "pincite://documents"
_PAGE = 200
_JSON, _TEXT = "application/json", "text/plain"
TEMPLATES = [
    ResourceTemplate(
        uri_template=f"{DOCUMENTS}{{?folder,find,from}}",
        name="documents",
        title="Documents",
        mime_type=_JSON,
        description="The documents, each with the address of its contents; by folder when they are many. "
        "`next` is what `from` takes to go on.",
    ),
    ResourceTemplate(
        uri_template=f"{DOCUMENTS}/{{document}}{{?section,depth,from}}",
        name="contents",
        title="Contents",
        mime_type=_JSON,
        description="The sections of a document, from `section` down.",
    ),
    ResourceTemplate(
        uri_template=f"{DOCUMENTS}/{{document}}/sections/{{section}}{{?from}}",
        name="section",
        title="Section",
        mime_type=_TEXT,
        description="A section with everything below it; a last line tells where a long one goes on.",
    ),
]


def list_documents(tenants: Tenants, caller: Caller, cursor: str | None) -> ListResourcesResult:
    """A page of the documents that the caller may see. MCPError for a cursor that was not given out."""
    at = 0 if cursor is None else int(cursor) if cursor.isdecimal() and len(cursor) < 10 else -1
    if at < 0:
        raise MCPError(INVALID_PARAMS, "this is no cursor of this server")
    index = tenants.ground(caller.tenant).index
    rows = index.documents(caller.scope, limit=_PAGE + 1, offset=at)
    found = [
        Resource(uri=_address(row.id), name=row.id, title=row.title, mime_type=_JSON) for row in rows[:_PAGE]
    ]
    if cursor is None:
        found.insert(0, Resource(uri=DOCUMENTS, name="documents", title="All documents", mime_type=_JSON))
    return ListResourcesResult(resources=found, next_cursor=str(at + _PAGE) if len(rows) > _PAGE else None)


def read_resource(own: McpTools, headers: Mapping[str, str] | None, uri: str) -> TextResourceContents:
    """What an address holds for this caller. Raises MCPError and PinciteError."""
    document, section, query = _parsed(uri)
    # A resource counts as shown to nobody: it has a ledger of its own.
    tools = own.fresh(headers)
    if section is not None:
        given = {**query, "document": document, "section": section}
        return _section(uri, tools.call("read_section", given))
    given = {**query, **({"document": document} if document is not None else {})}
    found = json_toc(_or_raise(uri, tools.call("table_of_contents", given)))
    body = found.model_dump(mode="json") if document is not None else _documents(found)
    if found.next is not None:
        body["next_address"] = _next(uri, query, found.next)
    return TextResourceContents(uri=uri, mime_type=_JSON, text=json.dumps(body, ensure_ascii=False))


def _documents(found: ContentsJson) -> dict[str, Any]:
    rows = [{**row.model_dump(mode="json"), "contents": _address(row.document)} for row in found.documents]
    folders = [
        {**row.model_dump(mode="json"), "documents_in_it": f"{DOCUMENTS}?{urlencode({'folder': row.folder})}"}
        for row in found.folders
    ]
    return {"documents": rows, "folders": folders, "next": found.next}


def _section(uri: str, result: ToolResult) -> TextResourceContents:
    found = json_read(_or_raise(uri, result))
    text = found.text or ""
    if found.more is not None:
        text += f"\n\n[goes on at {_next(uri, {}, found.more)}]"
    return TextResourceContents(uri=uri, mime_type=_TEXT, text=text)


def _address(document: str) -> str:
    return f"{DOCUMENTS}/{quote(document, safe='')}"


def _next(uri: str, query: Mapping[str, str], following: str) -> str:
    return f"{uri.partition('?')[0]}?{urlencode({**query, 'from': following})}"


def _parsed(uri: str) -> tuple[str | None, str | None, dict[str, str]]:
    """(document, section, query) of an address. MCPError for one of nothing."""
    try:
        parts = urlsplit(uri)
        query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
    except ValueError:
        raise _unknown(uri) from None
    steps = [unquote(step) for step in parts.path.split("/")[1:]]
    if (parts.scheme, parts.netloc) == ("pincite", "documents"):
        match steps:
            case [] | [""]:
                return None, None, query
            case [document]:
                return document, None, query
            case [document, "sections", section]:
                return document, section, query
            case _:
                pass
    raise _unknown(uri)


def _unknown(uri: str) -> MCPError:
    return MCPError(INVALID_PARAMS, "not_found: there is no such resource", {"uri": uri})


def _or_raise(uri: str, result: ToolResult) -> ToolResult:
    error = result.error
    if error is not None:
        told = {"uri": uri, "code": error.code, "hint": error.hint, "near": list(error.near)}
        raise MCPError(INVALID_PARAMS, f"{error.code}: {error.message}", told)
    return result
