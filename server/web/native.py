"""The JSON API: ask, search, contents, read, open, sessions and their steps."""

from __future__ import annotations

import secrets
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import asdict
from difflib import get_close_matches
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.responses import StreamingResponse

from pincite.agent.answer import Citation
from pincite.agent.chat import recorded
from pincite.agent.events import Done, Progress, Retracted, Verified
from pincite.agent.opening import open_citation
from pincite.agent.sessions import list_sessions
from pincite.errors import PinciteError
from pincite.server.access import Caller
from pincite.server.web import history
from pincite.server.web.callers import TheCaller, TheOperator, TheSite
from pincite.server.web.errors import PublicError, told
from pincite.server.web.running import Asked, Site, answer_events, begun
from pincite.server.web.shapes import (
    AnswerOut,
    AskIn,
    ErrorOut,
    Health,
    Narrowed,
    OpenedOut,
    OpenIn,
    SearchIn,
    SessionOut,
    SessionsOut,
    StepsOut,
    TurnsOut,
)
from pincite.server.web.sse import MEDIA_TYPE, data, words
from pincite.tools.contract import (
    ContentsJson,
    DefineJson,
    ReadJson,
    SearchJson,
    json_define,
    json_read,
    json_search,
    json_toc,
)
from pincite.tools.result import ToolResult
from pincite.tools.toolbox import Toolbox

_FAILURES: dict[int | str, dict[str, Any]] = {
    code: {"model": ErrorOut} for code in (400, 401, 403, 404, 408, 409, 410, 413, 422, 429, 502, 503)
}


def known_query(request: Request) -> None:
    """PublicError for a parameter that there is not: a misspelt "documnet" would list everything."""
    route = request.scope["route"]
    names = [parameter.alias for parameter in route.dependant.query_params]
    for given in request.query_params:
        if given not in names:
            near = tuple(get_close_matches(given[:500], names, 1))
            raise PublicError(f"{given[:40]}: there is no such parameter", "bad_arguments", 422, near)


router = APIRouter(prefix="/api", responses=_FAILURES, dependencies=[Depends(known_query)])
public = APIRouter()

Name = Annotated[str | None, Query(max_length=500)]
NeededName = Annotated[str, Query(max_length=500)]


@public.get("/healthz")
def healthz() -> Health:
    """Whether the server answers."""
    return Health()


@public.get("/metrics", responses=_FAILURES)
def metrics(site: TheSite, _caller: TheOperator) -> Response:
    """Counts and times in Prometheus' text format."""
    return Response(site.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")


@router.post("/ask", response_model=AnswerOut)
async def ask(body: AskIn, request: Request, site: TheSite, caller: TheCaller) -> Any:
    """Answer a question. With `Accept: text/event-stream` it tells what happens meanwhile.

    Its events are `progress` (text), `statement` and `retracted` (a statement with its citations), and one
    `answer` or `error` at the end.
    """
    asked = Asked(body.question, body.session, tuple(body.documents), body.narrowing)
    events = answer_events(site, caller, asked)
    if MEDIA_TYPE in request.headers.get("accept", ""):
        return StreamingResponse(_stream(await begun(events)), media_type=MEDIA_TYPE)
    async for event in events:
        if isinstance(event, Done):
            return AnswerOut.of(event.answer)
    raise PinciteError("the question did not end", code="internal")


async def _stream(events: AsyncGenerator[Progress]) -> AsyncIterator[str]:
    try:
        async for event in events:
            match event:
                case Verified():
                    yield data(event.statement.model_dump(mode="json"), "statement")
                case Retracted():
                    yield data(event.statement.model_dump(mode="json"), "retracted")
                case Done():
                    yield data(AnswerOut.of(event.answer).model_dump(mode="json"), "answer")
                case _:
                    yield data({"text": words(event) or ""}, "progress")
    except PinciteError as error:
        yield data({"error": told(error)}, "error")


@router.post("/search")
def search(body: SearchIn, site: TheSite, caller: TheCaller) -> SearchJson:
    """Search by hand."""
    arguments = {"query": body.query, "queries": body.queries or None, "document": body.document}
    return json_search(
        _call(site, caller, "search", body, **arguments, limit=body.limit, **_from(body.start))
    )


@router.get("/contents")
def contents(
    site: TheSite,
    caller: TheCaller,
    *,
    document: Name = None,
    section: Name = None,
    depth: Annotated[int | None, Query(ge=1, le=20)] = None,
    folder: Name = None,
    find: Name = None,
    start: Name = None,
) -> ContentsJson:
    """The sections of a document, from `section` down; without one the documents, by folder when many.

    `folder` opens one, `find` searches the names; `start` is `next` of the last result.
    """
    arguments = {"document": document, "section": section, "depth": depth, "folder": folder, "find": find}
    return json_toc(_call(site, caller, "table_of_contents", Narrowed(), **arguments, **_from(start)))


@router.get("/read")
def read(
    site: TheSite,
    caller: TheCaller,
    *,
    document: NeededName,
    section: NeededName,
    relative_to: Name = None,
    start: Name = None,
) -> ReadJson:
    """A section with everything below it, as much as fits in one call; `start` is `more` of the last.

    `relative_to` is the section in which `section` stands as a reference, such as "paragraph 2".
    """
    arguments = {"document": document, "section": section, "relative_to": relative_to}
    return json_read(_call(site, caller, "read_section", Narrowed(), **arguments, **_from(start)))


@router.get("/define")
def define(site: TheSite, caller: TheCaller, term: NeededName, document: Name = None) -> DefineJson:
    """What a document, or all of them, mean by a term, where they define it."""
    return json_define(_call(site, caller, "define", Narrowed(), term=term, document=document))


@router.post("/open")
def open_cited(body: OpenIn, site: TheSite, caller: TheCaller) -> OpenedOut:
    """The section behind a citation, with the place of the quoted words in it."""
    citation = Citation(
        handle="", document=body.document, document_title="", version=body.version, section=body.section,
        number=None, heading_path="", page=body.page, page_end=None, line=None, span=body.span,
        quote=body.quote, match="exact",
    )  # fmt: skip
    index = site.tenants.ground(caller.tenant).index
    return OpenedOut.model_validate(asdict(open_citation(index, caller.scope, citation)))


@router.get("/sessions")
def sessions(site: TheSite, caller: TheCaller) -> SessionsOut:
    """The newest sessions of the caller."""
    found = list_sessions(site.tenants.ground(caller.tenant).index, caller.owner)
    return SessionsOut(sessions=[SessionOut.model_validate(asdict(one)) for one in found])


@router.get("/sessions/{session}")
def session_turns(session: str, site: TheSite, caller: TheCaller) -> TurnsOut:
    """The questions and answers of a session."""
    index = site.tenants.ground(caller.tenant).index
    return history.turns(index, caller.scope, session, recorded(index, session, caller.owner))


@router.get("/sessions/{session}/transcript")
def session_steps(session: str, site: TheSite, caller: TheCaller) -> StepsOut:
    """Everything that happened in a session, step by step."""
    index = site.tenants.ground(caller.tenant).index
    return history.steps(index, caller.scope, session, recorded(index, session, caller.owner))


def _from(start: str | None) -> dict[str, Any]:
    return {"from": start}


def _call(site: Site, caller: Caller, tool: str, narrowed: Narrowed, **arguments: Any) -> ToolResult:
    """One call of a tool, in a ledger of its own."""
    scope = site.scope(caller, narrowed.narrowing, narrowed.documents)
    ground = site.tenants.ground(caller.tenant)
    given = {name: value for name, value in arguments.items() if value is not None}
    result = Toolbox(ground.index, ground.retriever, scope, seed=secrets.token_hex(16)).call(tool, given)
    error = result.error
    if error is not None and error.code == "bad_arguments":
        # What the tools call "from" is "start" here, and their example is a call by a model.
        message = error.message.replace('"from":', '"start":', 1)
        return result.model_copy(update={"error": error.model_copy(update={"message": message, "hint": ""})})
    return result
