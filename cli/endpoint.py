"""A quick look at an OpenAI-compatible endpoint: does it answer, take the key, know the model?"""

from __future__ import annotations

import http.client
import json
import threading
from urllib.parse import urlsplit

from pincite.corpus.reasons import in_words
from pincite.errors import PinciteError, ServiceError

SECONDS = 2.0
_MOST_BYTES = 2_000_000


def probe(base_url: str, model: str, key: str | None) -> PinciteError | None:
    """What is wrong with the endpoint, or None; takes about two seconds at most, follows no redirect."""
    outcome: list[PinciteError | None] = []
    # A thread, because looking up a name has no time limit of its own.
    worker = threading.Thread(target=lambda: outcome.append(_ask(base_url, model, key)), daemon=True)
    worker.start()
    worker.join(SECONDS)
    if not outcome:
        return ServiceError(f"no answer within {SECONDS:g} seconds", hint="is the server running?")
    return outcome[0]


def _ask(base_url: str, model: str, key: str | None) -> PinciteError | None:
    try:
        status, body = _get(f"{base_url.rstrip('/')}/models", key)
    except (OSError, http.client.HTTPException, ValueError) as error:
        reason = in_words(error, "it is no http or https address, or does not speak HTTP")
        return ServiceError(f"cannot be reached: {reason}", hint="check base_url and that the server runs")
    if status in {401, 403}:
        what = "refuses the key" if key else "wants a key"
        return ServiceError(f"{what} (status {status})", hint="set OPENAI_API_KEY")
    if status != http.client.OK:
        # Not every server lists its models; that it answers is all that can be said.
        return None
    names = _names(body)
    if names and model not in names:
        hint = "name one that it has"
        return ServiceError("has no model of that name", hint=hint, near=tuple(names[:5]))
    return None


def _get(url: str, key: str | None) -> tuple[int, bytes]:
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError("it is not an http or https address")
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = kind(parts.hostname, parts.port, timeout=SECONDS)
    try:
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        connection.request("GET", parts.path, headers=headers)
        response = connection.getresponse()
        return response.status, response.read(_MOST_BYTES)
    finally:
        connection.close()


def _names(body: bytes) -> list[str]:
    try:
        models = json.loads(body)["data"]
        return [str(entry["id"]) for entry in models]
    except (ValueError, TypeError, KeyError, RecursionError):
        return []
