"""Messages about no document: greetings, thanks, and questions about the conversation itself."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pincite.agent.extractive.followup import Turn

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
_MY_QUESTION = re.compile(
    r"(?:(?:what|which)\s+(?:did\s+i\s+(?:just\s+)?ask(?:\s+you)?|was\s+my\s+(?:first|last|previous|second)?\s*question"
    r"|questions?\s+(?:did|have)\s+i\s+ask(?:ed)?)|was\s+habe\s+ich\s+(?:dich\s+)?gefragt)"
    r"(?:\s+(?:you|first|last|before|so\s+far|at\s+first|until\s+now|earlier|just\s+now|zuerst|zuletzt|bisher|vorher))*",
    re.IGNORECASE,
)
_HOW_MANY = re.compile(
    r"how\s+many\s+(?:questions|things)\s+(?:did|have)\s+i\s+ask(?:ed)?(?:\s+(?:you|so\s+far|until\s+now))*",
    re.IGNORECASE,
)
_TALKED = re.compile(
    r"(?:what\s+(?:have|did)\s+we\s+(?:talk(?:ed)?|discuss(?:ed)?|speak|spoken)(?:\s+about)?"
    r"|summari[sz]e\s+(?:this|our|the)\s+(?:conversation|chat|discussion))(?:\s+(?:so\s+far|until\s+now|today))*",
    re.IGNORECASE,
)
_SOURCES = re.compile(
    r"(?:which|what)\s+(?:documents?|sources?|files?)\s+(?:(?:did|have|do)\s+you\s+(?:use[d]?|cite[d]?|quote[d]?|look(?:ed)?\s+at)"
    r"|(?:is|was|are|were)\s+(?:that|this|it)\s+from)(?:\s+(?:for\s+(?:that|this)|so\s+far))?"
    r"|where\s+(?:did|do)\s+you\s+(?:get|have|find)\s+(?:that|this)(?:\s+from)?",
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
    if _ABOUT_ITSELF.fullmatch(asked):
        return (_HELP,)
    if _HOW_MANY.fullmatch(asked):
        return (f"{_listed(earlier)} This message comes after that.", _listed(earlier))
    if _MY_QUESTION.fullmatch(asked):
        return (_one(asked, earlier),)
    if _TALKED.fullmatch(asked):
        return (_listed(earlier),)
    if _SOURCES.fullmatch(asked):
        return _sources(earlier)
    return ()


def _one(asked: str, earlier: Sequence[Turn]) -> str:
    """The question that is asked for: the first, the last, or all of them."""
    if not earlier:
        return "You have asked nothing before this."
    lower = asked.lower()
    if re.search(r"\b(?:first|zuerst)\b", lower):
        return f'Your first question was: "{_quoted(earlier[0].text)}"'
    if re.search(r"\b(?:questions|so far|bisher|until now)\b", lower):
        return _listed(earlier)
    if re.search(r"\bsecond\b", lower) and len(earlier) > 1:
        return f'Your second question was: "{_quoted(earlier[1].text)}"'
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
