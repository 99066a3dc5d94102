"""Puts the server together."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse
from starlette.exceptions import HTTPException

from pincite.errors import PinciteError
from pincite.server.guard import App, Guard
from pincite.server.limits import TooManyError
from pincite.server.web import native, openai_api
from pincite.server.web.errors import PublicError, openai_error, status_of, told
from pincite.server.web.running import Site

_JSON = "application/json"
# What pydantic says of a body that is not there, or is no object.
_NO_OBJECT = frozenset({"missing", "model_attributes_type", "model_type", "dict_type"})
_PAGE = Path(__file__).parent / "page"
_FILES = {
    "/": ("index.html", "text/html; charset=utf-8"),
    "/icon.svg": ("icon.svg", "image/svg+xml"),
    "/page.js": ("page.js", "text/javascript; charset=utf-8"),
    "/parts.js": ("parts.js", "text/javascript; charset=utf-8"),
    "/page.css": ("page.css", "text/css; charset=utf-8"),
}


def make_app(site: Site, hosts: frozenset[str] | None = None) -> App:
    """The application; `hosts` as for `Guard`."""

    @asynccontextmanager
    async def life(_app: FastAPI) -> AsyncIterator[None]:
        yield
        site.close()

    app = FastAPI(
        title="pincite",
        description="Answers over documents; every citation was checked.",
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=life,
    )
    app.state.site = site
    app.include_router(native.public)
    app.include_router(native.router)
    app.include_router(openai_api.router)
    for path, (name, kind) in _FILES.items():
        _serve(app, path, name, kind)
    app.add_exception_handler(PinciteError, _failed)
    app.add_exception_handler(RequestValidationError, _malformed)
    app.add_exception_handler(HTTPException, _refused)
    app.add_exception_handler(Exception, _broken)
    return Guard(app, site.limits.body_bytes, hosts, site.limits.body_seconds)


def _serve(app: FastAPI, path: str, name: str, kind: str) -> None:
    async def page() -> FileResponse:
        return FileResponse(_PAGE / name, media_type=kind)

    app.add_api_route(path, page, methods=["GET", "HEAD"], include_in_schema=False)


def _answer(request: Request, error: PinciteError) -> JSONResponse:
    status = status_of(error)
    site: Site = request.app.state.site
    site.metrics.refused(error.code)
    headers = {"retry-after": str(error.retry_after)} if isinstance(error, TooManyError) else {}
    if status == 401:
        headers["www-authenticate"] = "Bearer"
    body = openai_error(error) if request.url.path.startswith("/v1") else {"error": told(error)}
    return JSONResponse(body, status, headers)


async def _failed(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, PinciteError)
    return _answer(request, error)


async def _malformed(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    if first["type"] == "json_invalid":
        return _no_json(request, f" ({first['ctx']['error']} at character {first['loc'][-1]})")
    if first["loc"] == ("body",) and first["type"] in _NO_OBJECT:
        return _no_object(request, first["type"] == "missing")
    place = ".".join(str(part) for part in first["loc"] if part != "body")
    status = 400 if request.url.path.startswith("/v1") else 422
    said = str(first["msg"]).removeprefix("Value error, ")
    text = f"{place}: {said}" if place else said
    return _answer(request, PublicError(text, "bad_arguments", status))


def _no_object(request: Request, missing: bool) -> JSONResponse:
    """What came is no JSON object, or is not taken for one because its header does not say so."""
    status = 400 if request.url.path.startswith("/v1") else 422
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if missing:
        said = "the body is missing: send one JSON object"
    elif kind == _JSON or kind.endswith("+json"):
        said = "the body must be one JSON object"
    else:
        said = f"the body is not said to be JSON: send it with the header Content-Type: {_JSON}"
    return _answer(request, PublicError(said, "bad_arguments", status))


def _no_json(request: Request, why: str = "") -> JSONResponse:
    status = 400 if request.url.path.startswith("/v1") else 422
    said = f"the body cannot be read as JSON{why}: send one object in double-quoted JSON"
    return _answer(request, PublicError(said, "bad_arguments", status))


async def _refused(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    if error.status_code == 400:
        # All that is refused so before a route has it is a body that no parser takes, such as 100,000 "[".
        return _no_json(request)
    codes = {404: "not_found", 405: "method_not_allowed"}
    code = codes.get(error.status_code, "refused")
    return _answer(request, PublicError(code.replace("_", " "), code, error.status_code))


async def _broken(request: Request, _error: Exception) -> JSONResponse:
    return _answer(request, PublicError("the server failed", "internal", 500))
