"""Whether a message is made of words about the conversation only, however they are put."""

from __future__ import annotations

import re
from typing import Literal

_WORD = re.compile(r"[^\W\d_]+")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_QUESTIONS = _words("ask asked question questions frage fragen gefragt gestellt")
_ANSWERS = _words(
    "say said saying tell told telling answer answers answered reply replied repeat repeated rephrase "
    "reword sure mean meant antwort antworten geantwortet gesagt sagen sag sagtest wiederhole "
    "wiederholen wiederholst sicher meinst meintest"
)
_WHO = _words(
    "i me my we us our you your yourself ich mir mich mein meine meinen wir uns unsere du dir dich dein "
    "deine deiner deinen sie ihnen ihre ihrer"
)
# Nothing of a document is asked for with these alone.
_BESIDE = _words(
    "a again all an and are at be before beginning but by can could did do does earlier else exactly "
    "first for has have how in is it just last more now of oh ok okay on once one ones other please "
    "previous really right second so sorry that the then thing things this to up very was way well were "
    "what when which word words would aber am anderen anderem anders bisher bist bitte das dass dem den "
    "denn der dich die du eben ein eine einmal erste ersten erstes es gerade genau hast hat habe haben "
    "ist kannst können könntest könnten letzte letzten letzter mal mit nochmal noch oder sind so und "
    "vorher vorhin vorige vorigen vorletzte vorletzten war waren was welche welcher wie worten wort "
    "zuerst zuletzt zweite zweiten"
)
_KNOWN = _QUESTIONS | _ANSWERS | _WHO | _BESIDE
_BEFORE_LAST = re.compile(
    r"(?:what|which)\s+(?:was|were)\s+the\s+(?P<what>question|answer)s?\s+before\s+(?:the\s+)?(?:last|that|this)"
    r"(?:\s+one)?",
    re.IGNORECASE,
)


def talks_about(message: str) -> Literal["questions", "answers"] | None:
    """What a message asks about the conversation: what was asked, or what was said; None for any other.

    It has to name one of both, somebody who talks, and nothing else.
    """
    before_last = _BEFORE_LAST.fullmatch(message.strip(" ?.!"))
    if before_last is not None:
        return "questions" if before_last["what"].lower() == "question" else "answers"
    said = frozenset(word.casefold() for word in _WORD.findall(message))
    if not said <= _KNOWN or not said & _WHO:
        return None
    if said & _QUESTIONS:
        return "questions"
    return "answers" if said & _ANSWERS else None
