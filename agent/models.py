"""From a model's name to the model. A name is the user's choice; a key alone chooses nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from pincite.agent.extractive.model import ExtractiveModel
from pincite.agent.extractive.similarity import SentenceEncoder
from pincite.agent.model import ChatModel
from pincite.agent.openai_model import OpenAIModel

EXTRACTIVE = "extractive"
Calling = Literal["auto", "native", "json"]


def resolve_model(
    name: str | None,
    *,
    base_url: str | None = None,
    encoder: Callable[[], SentenceEncoder] | None = None,
    calling: Calling = "auto",
    stream: bool = False,
) -> ChatModel:
    """The model of that name; without a name, or with "extractive", the built-in extractive one.

    `base_url` is the endpoint of a named model, `encoder` what the extractive one compares sentences with.
    `calling` sets by hand how a named model calls tools: natively, or as one JSON object a turn. With
    `stream` its statements can be told while it still writes.
    Raises UsageError when a hosted model has no key.
    """
    if name is None or name == EXTRACTIVE:
        return ExtractiveModel(encoder)
    return OpenAIModel(
        name, base_url=base_url, mode="tools" if calling == "native" else calling, stream=stream
    )
