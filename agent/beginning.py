"""How a question begins: what is looked up before the model's first turn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from pincite.errors import NothingUsableError

FirstSearch = Literal["none", "question", "rewrite", "decompose", "hypothetical"]


class Beginning(BaseModel):
    """Off by default: the model then decides itself what to look up.

    `whole_corpus`: all that may be seen is given at once where it fits into a request. `first_search`, where
    it does not or is not wanted: "question" searches for the question as it is; beside it "rewrite" for a
    wording by the model, "decompose" for the questions it consists of, "hypothetical" for what a passage
    with the answer might say. For these three the model is asked once more.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    whole_corpus: bool = False
    first_search: FirstSearch = "none"

    def config(self) -> dict[str, object]:
        """For the transcript; nothing where all is as by default."""
        return {} if self == Beginning() else {"beginning": self.model_dump()}


def recorded_beginning(config: Mapping[str, object]) -> Beginning:
    """The one that a transcript's config names. NothingUsableError when it cannot be read."""
    try:
        return Beginning.model_validate(config.get("beginning") or {})
    except ValidationError as error:
        raise NothingUsableError(
            "the transcript does not say in a known way how its questions begin", code="damaged_transcript"
        ) from error
