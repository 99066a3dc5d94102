"""The part of OpenAI's chat completions that is understood, and what is given back in its shape."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from pincite.agent.answer import Answer, Citation
from pincite.agent.outcome import Status
from pincite.corpus.tokens import count_tokens
from pincite.server.web.shapes import AnswerOut, Narrowed

MODEL = "pincite"


class Part(BaseModel):
    """A piece of a message."""

    model_config = ConfigDict(extra="allow")

    type: str
    text: str | None = None


class OpenAIError(BaseModel):
    """A failure in OpenAI's words."""

    message: str
    type: str
    param: str | None = None
    code: str | None = None


class OpenAIErrorOut(BaseModel):
    """The shape of every failure below /v1."""

    error: OpenAIError


class MessageIn(BaseModel):
    """A message of the conversation so far."""

    model_config = ConfigDict(extra="allow")

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: str | list[Part] | None = None

    @property
    def holds_more_than_text(self) -> bool:
        """Whether an image, a sound or a file is part of it."""
        return isinstance(self.content, list) and any(part.type != "text" for part in self.content)

    @property
    def text(self) -> str:
        """Its text."""
        if isinstance(self.content, list):
            return "\n".join(part.text or "" for part in self.content)
        return self.content or ""


class StreamOptions(BaseModel):
    """Whether the usage comes at the end of a stream."""

    model_config = ConfigDict(extra="allow")

    include_usage: bool = False


class OwnOptions(Narrowed):
    """What the official clients pass as `extra_body={"pincite": {...}}`."""

    session: str | None = Field(default=None, max_length=128)


class ResponseFormat(BaseModel):
    """The form that an answer is to have."""

    model_config = ConfigDict(extra="allow")

    type: str = Field(max_length=100)


class CompletionIn(BaseModel):
    """A request. Settings of sampling and length are taken within OpenAI's bounds and have no effect."""

    model_config = ConfigDict(extra="allow")

    model: str = Field(max_length=200)
    messages: list[MessageIn] = Field(min_length=1, max_length=2_000)
    stream: bool = False
    stream_options: StreamOptions | None = None
    n: int | None = Field(default=None, ge=1)
    max_tokens: int | None = Field(default=None, ge=1)
    max_completion_tokens: int | None = Field(default=None, ge=1)
    temperature: float | None = Field(default=None, ge=0, le=2)
    top_p: float | None = Field(default=None, ge=0, le=1)
    frequency_penalty: float | None = Field(default=None, ge=-2, le=2)
    presence_penalty: float | None = Field(default=None, ge=-2, le=2)
    stop: str | list[str] | None = None
    logprobs: bool | None = None
    top_logprobs: int | None = None
    response_format: ResponseFormat | None = None
    modalities: list[str] | None = None
    tools: list[Any] | None = None
    functions: list[Any] | None = None
    pincite: OwnOptions = Field(default_factory=OwnOptions)

    def unsupported(self) -> str:
        """What would make another answer of it than the server gives; empty for nothing."""
        form = self.response_format.type if self.response_format else "text"
        checks = (
            ("n: only one answer is given", (self.n or 1) != 1),
            ("tools: the server has its own and takes no others", self.tools or self.functions),
            ("response_format: an answer is text; the whole of it is in pincite", form != "text"),
            ("stop: an answer is given whole", self.stop),
            ("logprobs: there are none", self.logprobs or self.top_logprobs),
            ("modalities: an answer is text", set(self.modalities or ()) - {"text"}),
            ("messages: only text can be read", any(one.holds_more_than_text for one in self.messages)),
        )
        return next((said for said, asked in checks if asked), "")


def content_of(answer: Answer) -> tuple[list[str], list[dict[str, Any]]]:
    """The text of an answer in pieces that are sent one after the other, and its annotations.

    Each statement is followed by its markers, "[1][2]"; the places stand below. An annotation says where its
    marker stands in the whole text.
    """
    numbers: dict[Citation, int] = {}
    pieces: list[str] = []
    annotations: list[dict[str, Any]] = []
    length = 0
    for statement in answer.statements:
        text = f"{' ' if pieces else ''}{statement.text}"
        for citation in statement.citations:
            mark = f"[{numbers.setdefault(citation, len(numbers) + 1)}]"
            start = length + len(text) + 1
            annotations.append(_annotation(citation, start, start + len(mark)))
            text += f" {mark}"
        pieces.append(text)
        length += len(text)
    if not pieces:
        label = "(not from your documents) " if answer.status is Status.conversation else ""
        pieces.append(f"{label}{answer.text}")
    rest = [f"Not answered: {missing}" for missing in answer.unanswered]
    if answer.withheld:
        rest.append(f"Withheld, because the check did not pass: {len(answer.withheld)}")
    rest += [f'[{number}] {_where(citation)}: "{citation.quote}"' for citation, number in numbers.items()]
    if rest:
        pieces.append("\n\n" + "\n".join(rest))
    return pieces, annotations


def _annotation(citation: Citation, start: int, end: int) -> dict[str, Any]:
    title = f"{citation.document_title} > {citation.heading_path}"
    url = f"pincite:{citation.document}#{citation.section}"
    place = {"start_index": start, "end_index": end, "title": title, "url": url}
    return {"type": "url_citation", "url_citation": place, "pincite": citation.model_dump(mode="json")}


def _where(citation: Citation) -> str:
    printed = f"{citation.page_label} ({citation.page})" if citation.page_label else citation.page
    spot = f", page {printed}" if citation.page is not None else ""
    spot = spot or (f", line {citation.line}" if citation.line is not None else "")
    return " ".join(f"{citation.document_title} > {citation.heading_path}{spot}".split())


def usage_of(answer: Answer, asked: str, said: str) -> dict[str, int]:
    """Tokens; of a model that counts none, those of the question and the answer."""
    prompt = answer.usage.input_tokens or count_tokens(asked)
    completion = answer.usage.output_tokens or count_tokens(said)
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}


def own_part(answer: Answer) -> dict[str, Any]:
    """What OpenAI's shape has no place for."""
    return AnswerOut.of(answer).model_dump(mode="json")
