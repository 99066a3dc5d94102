"""Questions about a document as a whole: what it is called, between whom it is, of which date.

The document answers them in its opening, which shares few words with such a question.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum

from pincite.agent.extractive.cues import AnswerKind, holds_kind
from pincite.agent.extractive.scoring import Candidate
from pincite.agent.extractive.words import fold

_INSTRUMENT = (
    r"(?:contract|agreement|lease|deed|treaty|convention|licen[cs]e|amendment|memorandum|document|instrument|policy"
    r"|vertrag(?:es|s)?|vereinbarung|\w+vertrag(?:es|s)?|abkommens?|dokuments?|contrat|accord|bail|convention"
    r"|contrato|acuerdo|convenio|documento|contratto|accordo)"
)
_THE = r"(?:the|this|that|our|an?|der|des|die|dieser|dieses|diesem|le|la|du|ce|cette|el|del|este|il|questo)"
_SIGNED = (
    r"(?:signed|made|dated|executed|entered into|concluded|agreed|unterzeichnet|geschlossen|abgeschlossen"
    r"|datiert|signe|conclu|date|firmado|celebrado|fechado|suscrito|firmato|concluso)"
)
_ASKS_PARTIES = re.compile(
    r"\b(?:who|which|what|name|list|identify)(?: (?:is|are|were|was))?(?: the)?"
    r"(?: (?:two|or|more|contracting|names? of(?: the)?))* parties\b"
    rf"|\bwho (?:signed|entered into|concluded|made) {_THE}(?: \w+){{0,3}} {_INSTRUMENT}\b"
    rf"|\b(?:between|among) (?:whom|which parties|which companies)\b"
    r"|\bwer sind die (?:vertrags)?part(?:eien|ner)\b|\bzwischen wem\b|\bwer hat den vertrag\b"
    r"|\b(?:qui|quelles) sont les parties\b|\bentre qui\b"
    r"|\bquien(?:es)? son las partes\b|\bentre quien(?:es)?\b|\bchi sono le parti\b"
)
_ASKS_TITLE = re.compile(
    rf"\b(?:name|title)s? of {_THE}(?: \w+)? {_INSTRUMENT}\b"
    rf"|\b(?:what|how) is {_THE} {_INSTRUMENT} (?:called|titled|named|entitled)\b"
    rf"|\bwhat (?:kind|type|sort) of {_INSTRUMENT} is (?:this|it)\b"
    rf"|\bwie heisst {_THE} {_INSTRUMENT}\b|\btitel {_THE} {_INSTRUMENT}\b"
    rf"|\b(?:titre|nom) {_THE} {_INSTRUMENT}\b|\btitulo {_THE} {_INSTRUMENT}\b"
)
_ASKS_DATE = re.compile(
    rf"\bdate of {_THE}(?: \w+)? {_INSTRUMENT}\b"
    rf"|\b(?:when|what date|which date|what day)\b.{{0,20}} {_THE}(?: \w+){{0,3}} {_INSTRUMENT} {_SIGNED}\b"
    rf"|\bwhen did (?:\w+ ){{1,6}}(?:sign|enter into|conclude) {_THE}(?: \w+){{0,3}} {_INSTRUMENT}\b"
    rf"|\b(?:effective|commencement|start) date\b(?! (?:of|for) (?!{_THE}? ?{_INSTRUMENT}))"
    rf"|\b(?:when|date)\b.{{0,12}} {_THE}(?: \w+){{0,3}} {_INSTRUMENT}"
    r"(?: (?:is|becomes?|be|comes?|takes?|goes?))? (?:effective|into (?:force|effect)|effect|start|begin)"
    rf"|\bwann (?:wurde|ist|tritt) {_THE}(?: \w+){{0,2}} {_INSTRUMENT}\b|\bdatum {_THE} {_INSTRUMENT}\b"
    rf"|\bquand {_THE}(?: \w+){{0,2}} {_INSTRUMENT}\b|\bdate {_THE} {_INSTRUMENT}\b"
    rf"|\bcuando se (?:firmo|celebro|suscribio) {_THE}(?: \w+){{0,2}} {_INSTRUMENT}\b"
    rf"|\bfecha {_THE} {_INSTRUMENT}\b"
)
_WORD = r"(?:\W+(?!shall\b|may\b|will\b|must\b|contains\b|constitutes\b|whereas\b)\w+)"
_OPENS = re.compile(
    rf"\b(?:this|present){_WORD}{{1,24}}?\W+(?:made|entered\s+into|dated|executed|concluded|effective|by\s+and\s+(?:between|among))\b"
    rf"|\b{_INSTRUMENT}\b(?:\W*\([^)]*\))?\W+(?:is\W+)?(?:(?:made|dated|by|between|among|entered)\b)"
    rf"|\b(?:dieser?|diese[ms]|der|die|das){_WORD}{{1,24}}?\W+(?:zwischen|geschlossen|vereinbart)\b"
    rf"|\b{_INSTRUMENT}\W+(?:zwischen|entre|tra|fra)\b"
    rf"|\b(?:le|la|el|il|ce|cet){_WORD}{{1,24}}?\W+(?:conclue?|celebrado|suscrito|concluso|entre)\b"
)
_RECITES = re.compile(
    r"\W*(?:\(?\w{1,3}[.)]\s*)?"
    r"(?:whereas|recitals?|in consideration|now,? therefore|in witness|unter|considerant)\b"
)
_NAMES_INSTRUMENT = re.compile(rf"\b{_INSTRUMENT}\b")
# Where a document's opening ends at the latest, in characters: behind it another document is spoken of.
_REACH = 12_000
WORDS = "this agreement is made and entered into as of, by and between"
"""What to search for in the document: the words of an opening."""


class Opening(StrEnum):
    """What of a document's opening is asked for."""

    parties = "parties"
    called = "called"
    date = "date"


def asked_opening(question: str) -> Opening | None:
    """What of a document's opening a question asks for; None when it asks for something else."""
    text = " ".join(fold(question).split())
    if _ASKS_PARTIES.search(text):
        return Opening.parties
    if _ASKS_TITLE.search(text):
        return Opening.called
    if _ASKS_DATE.search(text):
        return Opening.date
    return None


def opening_of(question: str, found: Sequence[Candidate]) -> Candidate | None:
    """The opening of the one document that all segments are of, if it says what is asked of it."""
    asked = asked_opening(question)
    if asked is None or len({candidate.passage.document for candidate in found}) != 1:
        return None
    early = [candidate for candidate in found if _place(candidate) < _REACH]
    return next((one for one in sorted(early, key=_place) if opens(asked, one.full)), None)


def said_of(question: str, opening: Candidate, said: str) -> str:
    """The opening's words, behind the heading over it where the name is asked and only the heading has it."""
    headings = [heading for heading in opening.headings if _NAMES_INSTRUMENT.search(fold(heading))]
    if asked_opening(question) is not Opening.called or not headings or fold(headings[-1]) in fold(said):
        return said
    return f"{headings[-1]}: {said}"


def _place(candidate: Candidate) -> int:
    return candidate.passage.start + candidate.segment.start


def opens(asked: Opening, words: str) -> bool:
    """Whether a sentence is an opening that says what is asked: who, of which date, or what it is."""
    text = fold(words)
    if _RECITES.match(text) or not _NAMES_INSTRUMENT.search(text) or not _OPENS.search(text):
        return False
    if asked is Opening.date:
        return holds_kind(AnswerKind.date, words, frozenset())
    if asked is Opening.parties:
        return bool(re.search(r"\b(?:between|among|by|zwischen|entre|tra|fra)\b", text)) and holds_kind(
            AnswerKind.name, words, frozenset()
        )
    return True
