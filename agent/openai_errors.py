"""What went wrong at an OpenAI-compatible endpoint, as a `ModelError` that says what to do."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit

from pincite.agent.model import ModelError

if TYPE_CHECKING:
    import openai

_TOO_LONG = re.compile(
    r"context[ _-]?(?:length|window|size)|maximum context|n_ctx|prompt is too long|input is too long"
    r"|too many (?:input )?tokens|exceeds? .{0,40}(?:tokens|context)|reduce the length",
    re.IGNORECASE,
)
_NO_TOOLS = re.compile(
    r"(?:does not|doesn't|not) support (?:tools|tool[ _-]?(?:calls?|use|choice)|function)"
    r"|tools? (?:param(?:eter)?|calls?|use)? ?(?:is|are) not supported"
    r"|--jinja|--enable-auto-tool-choice|--tool-call-parser",
    re.IGNORECASE,
)
_LIMIT = 300
_BROKEN_OFF = re.compile(
    r"peer closed connection|incomplete (?:chunked read|message)|without sending|server disconnected|"
    r"connection reset|unexpected(?:ly)? (?:eof|closed)",
    re.IGNORECASE,
)
_SYSTEM = re.compile(r"\[Errno -?\d+\] (.+)")
# What servers repeat of a request: keys by their prefix, also half hidden ones, and long runs of signs.
_KEY_LIKE = re.compile(
    r"\b(?:(?:sk|pk|rk|key|api|gsk|hf|xai|token|bearer|basic)[-_ ](?=[\w*.-]*[\d*])[\w*.+/=-]{6,}"
    r"|(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z0-9]{24,})",
    re.IGNORECASE,
)
_STATUS = {
    400: "bad_request",
    401: "unauthorized",
    403: "unauthorized",
    408: "server_error",
    409: "server_error",
    413: "context_length",
    422: "bad_request",
    425: "server_error",
    429: "rate_limited",
}
_HINTS = {
    "unauthorized": "check the API key (OPENAI_API_KEY)",
    "no_such_model": "check the model's name",
    "not_found": "check the base URL (OPENAI_BASE_URL); it usually ends in /v1",
    "connection": "is the server running, and is the base URL right (OPENAI_BASE_URL)?",
    "quota_exceeded": "the account's quota is used up",
    "no_tools": "use the JSON mode for this model",
}


def status_error(error: openai.APIStatusError, wall: float) -> ModelError:
    """An HTTP error status. `wall` is the time now in seconds since 1970, for Retry-After dates."""
    said = _said(error.body) or error.message
    code = _STATUS.get(error.status_code, "server_error" if error.status_code >= 500 else "bad_request")
    name = str(error.code or "")
    if name == "context_length_exceeded" or (code != "rate_limited" and _TOO_LONG.search(said)):
        code = "context_length"
    elif name == "insufficient_quota":
        code = "quota_exceeded"
    elif error.status_code == 404:
        code = "no_such_model" if "model" in f"{name} {said}".lower() else "not_found"
    elif code in {"bad_request", "server_error"} and _NO_TOOLS.search(said):
        code = "no_tools"
    elif code == "bad_request" and re.search(
        r"model.{0,80}(?:not found|does not exist)", said, re.IGNORECASE
    ):
        code = "no_such_model"
    return ModelError(
        f"the server answered {error.status_code}: {_discreet(said)}",
        code=code,
        hint=_HINTS.get(code, ""),
        retry_after=retry_after(error.response.headers, wall),
    )


def redirect_error(error: openai.APIStatusError, address: str) -> ModelError | None:
    """What a redirect is, which is never followed: the request holds documents. None for other statuses."""
    if not 300 <= error.status_code < 400:
        return None
    try:
        target = urlsplit(urljoin(str(error.request.url), error.response.headers.get("location", "")))
        # Of the target only the host and path: the rest may carry secrets.
        there = one_line(f"{target.scheme}://{target.netloc.rpartition('@')[2]}{target.path}")
    except ValueError:
        there = "an address that cannot be read"
    message = f"the server at {address} redirects to {there}"
    return ModelError(message, code="redirected", hint="name that address if you trust it")


def connection_error(error: BaseException, address: str) -> ModelError:
    """No connection, or one that broke."""
    cause: BaseException = error
    while cause.__cause__ is not None:
        cause = cause.__cause__
    if _BROKEN_OFF.search(str(cause)):
        message = f"the server at {address} broke off its answer"
        return ModelError(message, code="connection", hint="see what the server says, or try again")
    system = _SYSTEM.search(str(cause))
    detail = one_line(system[1] if system else str(cause)).rstrip(".") or type(cause).__name__
    return ModelError(f"no connection to {address}: {detail}", code="connection", hint=_HINTS["connection"])


def body_error(body: Any) -> ModelError | None:
    """An error object that came with a good HTTP status; None when the body holds none."""
    error = body.get("error") if isinstance(body, dict) else None
    if not error or isinstance(body.get("choices"), list):
        return None
    said = _said(body) or str(error)
    code = "context_length" if _TOO_LONG.search(said) else "server_error"
    return ModelError(f"the server reported an error: {_discreet(said)}", code=code)


def retry_after(headers: Mapping[str, str], wall: float) -> float | None:
    """Seconds that the server asks to wait: retry-after-ms, or Retry-After in seconds or as a date."""
    for name, scale in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        text = headers.get(name, "").strip()
        if re.fullmatch(r"\d{1,12}(?:\.\d{0,9})?", text, re.ASCII):
            return float(text) / scale
    try:
        moment = parsedate_to_datetime(headers.get("retry-after", ""))
    except (ValueError, TypeError, IndexError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.fromtimestamp(wall, UTC)).total_seconds())


def one_line(text: str) -> str:
    """Text of a server as one printable line of limited length."""
    plain = "".join(sign if sign.isprintable() else " " for sign in text[: 4 * _LIMIT])
    plain = " ".join(plain.split())
    return plain if len(plain) <= _LIMIT else f"{plain[:_LIMIT]}…"


def _discreet(text: str) -> str:
    """Words of a server as one line, without what looks like a key."""
    return one_line(_KEY_LIKE.sub("[redacted]", text[: 4 * _LIMIT]))


def named_parameter(error: ModelError, sent: Mapping[str, Any], removable: tuple[str, ...]) -> str | None:
    """The removable parameter of `sent` that a bad request complains about."""
    if error.code not in {"bad_request", "server_error"}:
        return None
    for name in removable:
        if name in sent and re.search(rf"\b{name}\b", error.message):
            return name
    return None


def _said(body: object) -> str:
    """The message inside an error body, in the shapes servers use."""
    for _ in range(3):
        if isinstance(body, dict):
            body = body.get("error") or body.get("message") or body.get("detail") or ""
    return body if isinstance(body, str) else str(body or "")
