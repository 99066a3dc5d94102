"""Messages about no document: greetings, thanks, and questions about the conversation itself."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pincite.agent.extractive.again import asks_again
from pincite.agent.extractive.followup import Turn
from pincite.agent.extractive.talk_words import talks_about

_MOST_LISTED = 10
_MOST_CHARS = 300
_END = r"[\s,.!?;:)(~-]*"
_ADDRESSED = r"(?:\s+(?:there|all|everyone|again|so much|very much|a lot|pincite|zusammen|beaucoup))*"
_GREETING = re.compile(
    rf"(?:hi|hello|hey|good\s+(?:morning|afternoon|evening|day)|greetings|hallo|guten\s+(?:tag|morgen|abend)|moin"
    rf"|bonjour|salut|hola|buenos\s+d[ií]as|ciao|buongiorno|goedendag){_ADDRESSED}{_END}",
    re.IGNORECASE,
)
_THANKS = re.compile(
    rf"(?:(?:ok(?:ay)?|great|perfect|good|nice|super|no|all\s+right|got\s+it)[\s,.!]+)*"
    rf"(?:thanks|thank\s+you|thx|cheers|danke(?:\s+schön)?|vielen\s+dank|merci|gracias|grazie|bedankt){_ADDRESSED}"
    rf"(?:[\s,.!]+(?:that(?:['’]s|\s+is)\s+(?:all|it)|bye|goodbye))?{_END}",
    re.IGNORECASE,
)
_BYE = re.compile(
    rf"(?:bye|goodbye|good\s+night|see\s+you|that(?:['’]s|\s+is)\s+all|tschüss|auf\s+wiedersehen|au\s+revoir|adiós)"
    rf"{_ADDRESSED}{_END}",
    re.IGNORECASE,
)
_ABOUT_ITSELF = re.compile(
    r"(?:who|what)\s+are\s+you|what\s+(?:can|do)\s+you\s+(?:do|know)|how\s+do\s+you\s+work|help"
    r"|wer\s+bist\s+du|was\s+kannst\s+du|(?:can\s+you\s+help\s+me)",
    re.IGNORECASE,
)
_AGREES = (
    r"(?:ok(?:ay)?|yes|yeah|yep|no|nope|sure|fine|great|good|right|perfect|nice|cool|all\s*right|i\s+see|understood"
    r"|got\s+it|makes\s+sense|of\s+course|exactly|correct|ja|nein|doch|gut|genau|klar|alles\s+klar|verstanden"
    r"|prima|oui|non|d['’]accord|s[ií]|vale|va\s+bene|nee)"
)
_ACKNOWLEDGES = re.compile(rf"{_AGREES}(?:[\s,.!;:-]+{_AGREES})*{_END}", re.IGNORECASE)
_WHEN = (
    r"(?:\s+(?:you|first|last|before|so\s+far|at\s+first|until\s+now|earlier|just\s+now|zuerst|als\s+erstes"
    r"|zuletzt|eben|gerade|bisher|vorher|bis\s+jetzt))*"
)
_MY_QUESTION = re.compile(
    r"(?:(?:what|which)\s+(?:did\s+i\s+(?:just\s+)?ask(?:\s+you)?"
    r"|(?:was|were)\s+my\s+(?:(?:very\s+)?(?:first|last|previous|second)\s+)?questions?"
    r"|questions?\s+(?:did|have)\s+i\s+ask(?:ed)?|have\s+i\s+asked)"
    rf"|was\s+(?:habe|hatte)\s+ich(?:\s+(?:dich|sie))?{_WHEN}\s+gefragt"
    r"|was\s+war(?:en)?\s+meine\s+(?:(?:aller)?(?:erste|letzte|vorige|zweite)n?\s+)?fragen?"
    rf"|welche\s+fragen?\s+habe\s+ich(?:\s+dir)?{_WHEN}\s+gestellt){_WHEN}",
    re.IGNORECASE,
)
_HOW_MANY = re.compile(
    r"(?:how\s+many\s+(?:questions|things)\s+(?:did|have)\s+i\s+ask(?:ed)?"
    rf"|wie\s*viele\s+fragen\s+habe\s+ich(?:\s+dir)?{_WHEN}\s+gestellt){_WHEN}",
    re.IGNORECASE,
)
_SO_FAR = r"(?:\s+(?:so\s+far|until\s+now|today|about|for\s+me|please|bitte|bisher|bis\s+jetzt|heute|kurz))*"
_TALK = (
    r"(?:(?:this|our|the|das|unser|dieses)\s+)?(?:whole\s+)?"
    r"(?:conversation|chat|discussion|gespräch|unterhaltung)"
)
_ALL_SAID = (
    r"(?:(?:what|everything|all)\s+(?:that\s+)?you(?:\s+have|['’]ve)?\s+(?:told\s+me|said|answered)"
    r"|(?:all\s+)?your\s+answers?)"
)
_TALKED = re.compile(
    r"(?:(?:can|could|would)\s+you\s+(?:please\s+)?|please\s+|bitte\s+|kannst\s+du\s+(?:bitte\s+)?)?"
    r"(?:what\s+(?:have|did)\s+we\s+(?:talk(?:ed)?|discuss(?:ed)?|speak|spoken)(?:\s+about)?"
    rf"|(?:summari[sz]e|recap|sum\s+up)(?:\s+(?:{_TALK}|{_ALL_SAID}|that|it))?"
    rf"|(?:give\s+me\s+)?a\s+(?:short\s+|brief\s+)?(?:summary|recap)(?:\s+of\s+(?:{_TALK}|{_ALL_SAID}))?"
    r"|(?:über\s+was|worüber)\s+haben\s+wir(?:\s+bisher)?\s+(?:gesprochen|geredet)"
    rf"|(?:fass|fasse)\s+(?:{_TALK}|das|alles)(?:\s+bisher(?:ige)?)?\s+zusammen"
    rf"|fasse?\s+zusammen,?\s+was\s+(?:du|sie)(?:\s+mir)?{_SO_FAR}\s+gesagt\s+(?:hast|haben)"
    rf"|{_TALK}\s+zusammenfassen){_SO_FAR}",
    re.IGNORECASE,
)
_SOURCES = re.compile(
    r"(?:which|what)\s+(?:documents?|sources?|files?)\s+"
    r"(?:(?:did|have|do)\s+you\s+(?:used?|cited?|quoted?|look(?:ed)?\s+at)"
    r"|(?:is|was|are|were)\s+(?:that|this|it)\s+from)(?:\s+(?:for\s+(?:that|this)|so\s+far))?"
    r"|where\s+(?:did|do)\s+you\s+(?:get|have|find)\s+(?:that|this)(?:\s+from)?|where\s+(?:is|was)\s+(?:that|this)\s+from"
    r"|woher\s+(?:hast\s+du|haben\s+sie)\s+das|welche\s+(?:dokumente|quellen)\s+(?:hast\s+du|haben\s+sie)"
    r"(?:\s+(?:benutzt|verwendet|genutzt|zitiert))?",
    re.IGNORECASE,
)

_HELP = (
    "I answer questions about your documents with sentences of theirs, and name the place of each. "
    "Ask about something that stands in them."
)


def small_talk(text: str, earlier: Sequence[Turn]) -> tuple[str, ...]:
    """What to reply to a message about no document, the shorter reply last; empty for any other message."""
    said = " ".join(text.split())[:_MOST_CHARS]
    if _GREETING.fullmatch(said):
        return (f"Hello. {_HELP}",)
    if _THANKS.fullmatch(said):
        return ("You are welcome.",)
    if _BYE.fullmatch(said):
        return ("Goodbye. This session can be resumed later.",)
    asked = said.rstrip(" ?.!").strip("¿ ")
    if _ACKNOWLEDGES.fullmatch(said):
        return ("All right. Ask on when you like.",)
    if _ABOUT_ITSELF.fullmatch(asked):
        return (_HELP,)
    if _HOW_MANY.fullmatch(asked):
        return (f"{_listed(earlier)} This message comes after that.", _listed(earlier))
    if _TALKED.fullmatch(asked):
        return (_told(earlier), _listed(earlier))
    if _SOURCES.fullmatch(asked):
        return _sources(earlier)
    if _MY_QUESTION.fullmatch(asked) or talks_about(asked) == "questions":
        return (_one(asked, earlier),)
    return _unanswered(earlier) if asks_again(said) else ()


def is_small_talk(turn: Turn) -> bool:
    """Whether an earlier turn was about no document; a "yes" to what was asked back is not."""
    replies = small_talk(turn.text, ())
    meant = _ACKNOWLEDGES.fullmatch(turn.text.strip()) and turn.answer and turn.answer not in replies
    return bool(replies) and not meant


def _unanswered(earlier: Sequence[Turn]) -> tuple[str, ...]:
    """What to say when asked for the last answer and there was none; with one, it is given anew."""
    asked = [turn for turn in earlier if not is_small_talk(turn)]
    if not asked:
        return ("Nothing has been answered so far.",)
    if asked[-1].places:
        return ()
    return (f'I have found no answer to "{_quoted(asked[-1].text)}" in your documents.',)


def _told(earlier: Sequence[Turn]) -> str:
    """What was asked, each with where the answer was found."""
    asked = [turn for turn in earlier if not is_small_talk(turn)]
    if not asked:
        return "You have asked nothing about your documents so far."
    shown = [f"{number}. {_quoted(turn.text)} ({_found(turn)})" for number, turn in enumerate(asked, start=1)]
    left_out = "The last of your questions" if len(shown) > _MOST_LISTED else "You asked"
    how = 'To hear an answer again, ask "what did you say about ...?".'
    return f"{left_out}: {' '.join(shown[-_MOST_LISTED:])} {how}"


def _found(turn: Turn) -> str:
    titles = dict.fromkeys(place.title for place in turn.places)
    return f"answered from {', '.join(titles)}" if titles else "no answer found"


def _one(asked: str, earlier: Sequence[Turn]) -> str:
    """The question that is asked for: the first, the last, or all of them."""
    if not earlier:
        return "You have asked nothing before this."
    lower = asked.lower()
    if re.search(r"\b(?:first|zuerst|(?:aller)?ersten?|erstes)\b", lower):
        return f'Your first question was: "{_quoted(earlier[0].text)}"'
    if re.search(r"\b(?:questions|so far|bisher|bis jetzt|until now|fragen)\b", lower):
        return _listed(earlier)
    if re.search(r"\b(?:second|zweiten?)\b", lower) and len(earlier) > 1:
        return f'Your second question was: "{_quoted(earlier[1].text)}"'
    if re.search(r"\b(?:before (?:the )?last|vorletzten?)\b", lower) and len(earlier) > 1:
        return f'Your question before the last was: "{_quoted(earlier[-2].text)}"'
    return f'Before this you asked: "{_quoted(earlier[-1].text)}"'


def _listed(earlier: Sequence[Turn]) -> str:
    if not earlier:
        return "You have asked nothing before this."
    shown = [f"{number}. {_quoted(turn.text)}" for number, turn in enumerate(earlier, start=1)]
    left_out = "The last of your questions: " if len(shown) > _MOST_LISTED else "You asked: "
    return left_out + " ".join(shown[-_MOST_LISTED:])


def _sources(earlier: Sequence[Turn]) -> tuple[str, ...]:
    titles = [place.title for turn in reversed(earlier) for place in turn.places][:_MOST_LISTED]
    if not titles:
        return ("No answer has cited a document so far.",)
    named = "; ".join(dict.fromkeys(titles))
    # A title may hold a number that nobody wrote here, which a reply without citations must not.
    return (f"Cited so far: {named}.", "The documents are listed with each answer, where it was given.")


def _quoted(text: str) -> str:
    return " ".join(text.split())[:_MOST_CHARS].replace('"', "'")
