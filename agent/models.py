"""From a model's name to the model. A name is the user's choice; a key alone chooses nothing."""

from __future__ import annotations

from collections.abc import Callable

from pincite.agent.extractive.model import ExtractiveModel
from pincite.agent.model import ChatModel
from pincite.agent.openai_model import OpenAIModel

EXTRACTIVE = "extractive"
