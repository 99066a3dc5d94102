"""Answers as a model sends them, read leniently: the check that follows judges what they say."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, model_validator


def _empty_for_null(value: Any) -> Any:
    return [] if value is None else value


def _blank_for_null(value: Any) -> Any:
    return "" if value is None else value


class CitationDraft(BaseModel):
    """A passage by its handle and the words quoted from it; null stands for something the model left open."""

    passage: str | None
    quote: str | None


class StatementDraft(BaseModel):
    """One statement. A flat {text, passage, quote} becomes a statement with one citation."""

    citations: Annotated[list[CitationDraft], BeforeValidator(_empty_for_null)] = []
    text: Annotated[str, BeforeValidator(_blank_for_null)]

    @model_validator(mode="before")
    @classmethod
    def _unflatten(cls, value: Any) -> Any:
        if not isinstance(value, dict) or value.get("citations"):
            return value
        flat = {key: value[key] for key in ("passage", "quote") if key in value}
        if all(part is None for part in flat.values()):
            return value
        return {**value, "citations": [flat]}


class AnswerDraft(BaseModel):
    """A whole answer before the check."""

    statements: Annotated[list[StatementDraft], BeforeValidator(_empty_for_null)] = []
    unanswered: Annotated[list[str], BeforeValidator(_empty_for_null)] = []
    status: Literal["answered", "partial", "not_found", "conversation"]
