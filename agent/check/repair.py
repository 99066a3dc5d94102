"""The words of the one message that sends a rejected answer back to the model."""

import json
import re
from collections.abc import Mapping, Sequence

from pincite.agent.check.answer import Problem, ProblemCode, ShownPassage
from pincite.agent.check.closest import closest_words

_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff]"
)
_MOST_CHARACTERS = 300


def explain(problems: Sequence[Problem], shown: Mapping[str, ShownPassage]) -> str:
    """One line for each problem: the statement's index, the reason, for quotes the passage's closest words.

    What comes from a passage or the model stands as a JSON string, so that none of it reads as a message.
    """
    return "\n".join(_line(problem, shown) for problem in problems)


def _line(problem: Problem, shown: Mapping[str, ShownPassage]) -> str:
    where = "answer" if problem.statement is None else f"statement {problem.statement}"
    about = [problem.code.value]
    if problem.passage is not None:
        about.append(f"passage {_quoted(problem.passage)}")
    if problem.number is not None:
        about.append(f"number {_quoted(problem.number)}")
    if problem.quote:
        about.append(f"quote {_quoted(problem.quote)}")
    line = f"{where}: {', '.join(about)}. {problem.detail}"
    return line + _closest(problem, shown)


def _closest(problem: Problem, shown: Mapping[str, ShownPassage]) -> str:
    if (
        problem.passage is None
        or problem.passage not in shown
        or problem.code not in (ProblemCode.quote_not_found, ProblemCode.quote_too_short)
    ):
        return ""
    words = closest_words(problem.quote or "", shown[problem.passage].text)
    return f" Closest words there: {_quoted(words)}." if words else ""


def _quoted(text: str) -> str:
    """A JSON string on one line: control, invisible and direction characters escaped, long text cut."""
    text = text if len(text) <= _MOST_CHARACTERS else text[:_MOST_CHARACTERS] + "…"
    return _UNSEEN.sub(lambda found: f"\\u{ord(found.group()):04x}", json.dumps(text, ensure_ascii=False))
