"""The caller of a request, by its bearer token."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from pincite.server.access import Caller, bearer
from pincite.server.web.errors import PublicError
from pincite.server.web.running import Site


def site_of(request: Request) -> Site:
    """The server that a request reached."""
    site: Site = request.app.state.site
    return site


def caller_of(request: Request) -> Caller:
    """Who calls; counted against their rate. Raises PublicError and TooManyError."""
    site = site_of(request)
    caller = site.access.caller(bearer(request.headers.get("authorization", "")))
    if caller is None:
        raise PublicError("a valid bearer token is needed", "unauthorized", 401)
    site.requests.take(f"{caller.tenant}/{caller.owner}")
    return caller


def operator_of(request: Request) -> Caller:
    """As `caller_of`, for what tells about all tenants together."""
    caller = caller_of(request)
    if not caller.operator:
        raise PublicError("this token is not an operator's", "forbidden", 403)
    return caller


TheSite = Annotated[Site, Depends(site_of)]
TheCaller = Annotated[Caller, Depends(caller_of)]
TheOperator = Annotated[Caller, Depends(operator_of)]
