"""A question as it is meant after the turns before it; what it leaves out is carried over by rule.

"And for the bond fund?", "no, the 2019 version", "its exit charge?" and "section 6?" leave most of what they
mean to earlier turns. Each turn is read after the one before it, so that a chain of them keeps its subject.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum

from pincite.agent.extractive.again import asks_again
from pincite.agent.extractive.correcting import corrected, correction
from pincite.agent.extractive.editions import Edition, edition_of, revised
from pincite.agent.extractive.parts import carried_words, points_back
from pincite.agent.extractive.pointing import named_place, pointed
from pincite.agent.extractive.question import Asked
from pincite.agent.extractive.roles import names_role
from pincite.agent.extractive.swapping import swapped
from pincite.agent.extractive.words import is_function_word, stem, words

_MOST_TOPIC = 120
_WH = (
    r"(?:what|which|who|whom|whose|when|where|why|how|was|welche[rsmn]?|wer|wem|wen|wann|wo|warum|wie|wieviele?"
    r"|quel(?:le)?s?|qui|quand|où|pourquoi|comment|combien|qué|cuál(?:es)?|quién(?:es)?|cuándo|dónde|cuánt[oa]s?"
    r"|cómo|che|quale|quali|chi|quando|dove|quant[oaie]|wat|wanneer|waar|waarom|hoe|hoeveel|welke?)\b"
)
_VERB = (
    r"(?:is|are|was|were|do|does|did|can|could|may|must|shall|should|will|would|has|have"
    r"|tell|show|give|list|explain|ist|sind|kann|darf|muss|est|sont|peut|es|son)\b"
)
_VERBS = re.compile(rf"\b{_VERB}", re.IGNORECASE)
_BEFORE = r"(?:(?:by|since|until|from|to|in|on|at|for|of|with|under|after|before)\s+)?"
_ASKS = re.compile(rf"{_BEFORE}(?:{_WH}|{_VERB})", re.IGNORECASE)
_SO = r"(?:true|valid|right|so|the\s+case|the\s+same|apply|applies|hold|go|count|work)"
_ALSO = (
    rf"(?:(?:is|are|was|were|does|do|did|would)\s+(?:that|this|it|the\s+same)\s+(?:also|too|then)?\s*{_SO}"
    rf"|(?:is|does)\s+(?:that|this|the\s+same)\s+also|(?:is\s+it\s+)?the\s+same)\s+(?:also\s+|too\s+|as\s+well\s+)?"
    r"(?:for|to|of|with)"
    r"|(?:gilt|trifft|stimmt|ist)\s+(?:das|dies|es)(?:\s+(?:auch|so|genauso|ebenso))*\s+(?:für|bei|auf)"
)
_ABOUT = re.compile(
    r"\s*(?:(?:ok(?:ay)?|so|but|well|right|thanks|then)\b[,.!\s]*)*"
    r"(?:(?:and|und|et|y|e|en|or)\b\s*,?\s*)?"
    rf"(?:(?:what|how)\s+about|{_ALSO}|was\s+ist\s+mit|wie\s+steht\s+es\s+mit|qu['’]en\s+est-il\s+d[eu]"
    r"|¿?\s*y\s+qué\s+hay\s+de|e\s+per|en\s+voor)\s+",
    re.IGNORECASE,
)
_TOO = re.compile(r"\s+(?:too|as\s+well|also|auch(?:\s+so)?|zu)$", re.IGNORECASE)
_AND = re.compile(
    r"\s*¿?\s*(?:(?:ok(?:ay)?|so|but|well)\b[,.\s]*)?(?:and|und|et|y|e|en|or)\b\s*,?\s*", re.IGNORECASE
)
_CORRECTS = re.compile(
    r"\s*(?:(?:no|nope|nein|non|nee|sorry|actually|rather|wait)\b[\s,.;:!–—-]*)*"
    r"(?:(?:i|we)\s+(?:meant|mean|was\s+asking\s+(?:about|for))|(?:ich\s+)?meinte|not\s+th(?:at|is)(?:\s+one)?[\s,.;:–—-]+"
    r"|make\s+(?:that|it)|instead)?[\s,.;:–—-]*",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"(?:i|i['’]\w+|it|it['’]s|we|you|they|he|she|there|that['’]?s|if|ich|wir|es|sie)\b", re.IGNORECASE
)
_MEANT = re.compile(r"\b(?:meant?|asking|meinte|not|make|instead|rather)\b", re.IGNORECASE)
_THING = re.compile(
    r"(?:the|an?|for|in|of|under|on|at|after|before|der|die|das|den|für|im|la|les?|pour|el|los?|para|[A-Z0-9])"
)
_OWNED = re.compile(r"(?:its|their|his|her|sein\w*|ihr\w*|son|sa|ses|su|sus)\s+", re.IGNORECASE)
_SAID_ABOUT = re.compile(
    r"(?:what\s+(?:did|have)\s+you\s+(?:just\s+)?(?:sa(?:y|id)|t(?:ell|old)\s+me)"
    r"|what\s+(?:was\s+(?:that|it)|was\s+your\s+answer)|(?:please\s+)?repeat\s+what\s+you\s+said"
    r"|was\s+hast\s+du)\s+(?:about|on|to|über|zu[rm]?)\s+(?P<what>.+?)(?:\s+gesagt)?",
    re.IGNORECASE,
)
_FRAGMENT_WORDS = 9


class Kind(Enum):
    """`alone` names its own subject; `follows` needs what came before; `open` may be either."""

    alone = 0
    follows = 1
    open = 2


@dataclass(frozen=True, slots=True)
class Place:
    """A place that an answer cited."""

    document: str
    title: str
    section: str
    number: str | None
    standing: str = ""


@dataclass(frozen=True, slots=True)
class Turn:
    """An earlier question with what was answered and the places cited for it, the first citation first."""

    text: str
    places: tuple[Place, ...] = ()
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Meant:
    """A question after the turns before it.

    `text` is what is asked, with a correction or a swapped name put in; `context` the words it needs beside
    its own; `topic` the naming words of what was asked and answered so far on this subject. `document` is
    where to look first, `section` the number last cited there, `cited` all places of the last answer. `place`
    is a place as it was worded, `edition` the version of a document that is still spoken of. `named` are
    words that were put for a name. `asks` unless it was a statement.
    """

    text: str
    kind: Kind = Kind.alone
    context: str = ""
    topic: str = ""
    document: str | None = None
    section: str | None = None
    cited: tuple[Place, ...] = ()
    place: str = ""
    edition: Edition | None = None
    named: str = ""
    asks: bool = False

    @property
    def query(self) -> str:
        """The question as a search of its own."""
        return f"{self.text} {self.context}".strip()


def meant(question: str, earlier: Sequence[Turn]) -> Meant:
    """What `question` asks after the turns in `earlier`, oldest first."""
    before: Meant | None = None
    read: list[tuple[Turn, Meant]] = []
    for turn in earlier:
        before = _answered(_spoken_of(turn.text, read) or _versioned(turn.text, before), turn)
        read.append((turn, before))
    return _spoken_of(question, read) or _versioned(question, before)


def _spoken_of(text: str, read: Sequence[tuple[Turn, Meant]]) -> Meant | None:
    """ "What did you say about the bond fund?": the last turn before it that speaks of all that is named."""
    asked = _SAID_ABOUT.fullmatch(text.strip(" ?.!"))
    if asked is None:
        return None
    wanted = {stem(word.term) for word in words(asked["what"]) if not is_function_word(word.term)}
    for turn, found in reversed(read):
        titles = " ".join(place.title for place in turn.places)
        said = f"{found.query} {turn.answer} {titles}" if turn.answer else ""
        if wanted and wanted <= {stem(word.term) for word in words(said)}:
            return found
    return None


def _versioned(text: str, before: Meant | None) -> Meant:
    """The turn with the version that it names, or that the one before it named when it only goes on."""
    found = _next(text, before)
    own = edition_of(found.text)
    if own is not None:
        return replace(found, edition=own)
    return (
        found if found.kind is Kind.follows and found.document is not None else replace(found, edition=None)
    )


def _next(text: str, before: Meant | None) -> Meant:
    if before is None:
        return Meant(text, asks=_asks(text))
    if asks_again(text):
        return before
    known = replace(before, context="", place="", topic=_topic(before), kind=Kind.follows, asks=_asks(text))
    place = _place(text, before)
    if place is not None:
        return replace(known, text=place, asks=True, place=_without_opening(text).strip(" ?.!"))
    wrong = correction(text)
    right = corrected(before.query, wrong, before.named) if wrong is not None else None
    if wrong is not None and right is not None:
        put, changed = right
        # Another section or person is looked for where the wrong one was.
        stays = known.document if _place(wrong.new, before) or names_role(wrong.new) else None
        return replace(known, text=put, document=stays, topic="", named=changed or before.named, asks=True)
    fragment, corrects = (wrong.new, True) if wrong is not None else _fragment(text)
    section = _place(fragment, before) if corrects else None
    asked = named_place(before.text)
    if section is not None and (asked is None or asked.alone):
        return replace(known, text=section, asks=True, place=fragment)
    fragment = section or fragment
    version = revised(before.text, fragment or text) if before.asks else None
    if version is not None:
        known = replace(known, document=None, topic="") if corrects else known
        return replace(known, text=version, context=before.context, asks=True)
    if fragment and before.asks:
        put, changed = swapped(before.query, fragment, before.named)
        known = replace(known, asks=True)
        # Another name is another document, and so is what a correction asks for; a search finds which.
        if changed or (corrects and section is None) or Asked(put).names != Asked(before.query).names:
            stays = known.document if names_role(fragment) and not changed else None
            return replace(known, text=put, document=stays, topic="", named=changed or before.named)
        return replace(known, text=put, kind=Kind.open)
    if _own_subject(text, before):
        return replace(known, text=text, kind=Kind.alone, document=None, section=None, named="")
    spoken = before.edition.left_out(before.query) if before.edition else before.query
    goes_on, points = _AND.match(text) is not None, points_back(text)
    if _asks(text) and not points and not _naming(text) and _naming(spoken):
        # "Why?", "for how long?" ask about what the question before them was about.
        return replace(known, text=text.rstrip(" ?.!"), context=" ".join(_naming(spoken).values()))
    if goes_on and known.document and not before.edition and not points:
        return replace(known, text=text, kind=Kind.open)
    if points or goes_on:
        return replace(known, text=text, context=carried_words(text, spoken) or before.context)
    # "Yes, it was in May" answers a question that was put back: never a question by itself.
    return replace(known, text=text, kind=Kind.open if _asks(text) else Kind.follows)


def _answered(asked: Meant, turn: Turn) -> Meant:
    """The turn after its answer: later ones stay with the document that was cited first.

    A place tells what it is about: the words of the turns before are no longer needed.
    """
    if not turn.places:
        return replace(asked, topic=f"{turn.answer} {asked.topic}".strip())
    first = turn.places[0]
    topic = f"{turn.answer} {first.title}".strip()
    return replace(asked, topic=topic, document=first.document, section=first.number, cited=turn.places)


def _fragment(text: str) -> tuple[str, bool]:
    """What a turn puts in place of a part of the question before it, empty when it is a question itself.

    With it, whether the turn corrects what was understood.
    """
    opening = _CORRECTS.match(text)
    at = opening.end() if opening and opening[0].strip() else 0
    about = _ABOUT.match(text, at)
    joined = about or _AND.match(text, at)
    rest = text[joined.end() if joined else at :].strip(" ?.!")
    clause = bool(_CLAUSE.match(rest) or (about is None and _ASKS.match(rest)))
    if at and not (joined or _MEANT.search(text[:at])):
        # Behind a bare "no" only a thing corrects; anything else answers a question that was put back.
        clause = clause or not (_THING.match(rest) or pointed(rest, "", None) or edition_of(rest))
    # "Its exit charge?" asks of the same thing what was asked of it before.
    owned = _OWNED.match(rest) is not None and _VERBS.search(rest) is None
    if not (at or joined or owned) or clause or len(words(rest)) > _FRAGMENT_WORDS:
        return "", False
    return _OWNED.sub("the ", _TOO.sub("", rest), count=1), at > 0


def _asks(text: str) -> bool:
    return bool(_ASKS.match(text.lstrip("¿ ")) or "?" in text or "？" in text)


def _own_subject(text: str, before: Meant) -> bool:
    """Whether a question names what it is about: a name of several words, or a code, not spoken of before."""
    asked = Asked(text)
    named = [
        *(name for name in asked.names if len(name) > 1),
        *([asked.codes] if asked.has_identifier else []),
    ]
    if not _asks(text) or not named:
        return False
    spoken = Asked(f"{before.query} {before.topic}").term_set
    return any(term not in spoken for name in named for term in name)


def _place(text: str, before: Meant) -> str | None:
    """ "And (c)?", "what does paragraph 3 say?": a place in the document that was cited last."""
    if before.document is None:
        return None
    return pointed(_without_opening(text), before.text, before.section)


def _without_opening(text: str) -> str:
    return text[match.end() :] if (match := _ABOUT.match(text) or _AND.match(text)) else text


def _topic(before: Meant) -> str:
    """The naming words of a turn and of those it followed, the newest first, each once."""
    found = _naming(before.text, before.context, before.topic)
    return " ".join(list(found.values())[:_MOST_TOPIC])


def _naming(*texts: str) -> dict[str, str]:
    """The naming words of the texts in order, each once, by stem."""
    found: dict[str, str] = {}
    for text in texts:
        for word in words(text):
            if not is_function_word(word.term):
                found.setdefault(stem(word.term), text[word.start : word.end])
    return found
