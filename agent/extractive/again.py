"""Asking for the last answer once more, or for its place: it is given anew with its citations."""

from __future__ import annotations

import re

from pincite.agent.extractive.talk_words import talks_about

_MOST_CHARS = 200
_ASK = (
    r"(?:(?:sorry|pardon|entschuldigung|ok(?:ay)?|and|und|but|aber)[\s,.!?]+)*"
    r"(?:(?:please|bitte)\s+|(?:can|could|would|will)\s+you\s+(?:please\s+)?"
    r"|(?:kannst\s+du|könntest\s+du|können\s+sie|könnten\s+sie)\s+(?:bitte\s+)?)?"
)
_END = r"(?:\s*,?\s*(?:please|bitte|again|noch\s*(?:ein)?mal|nochmals?|exactly|genau|before|just\s+now))*"
_THAT = r"(?:that|this|it|das|dies|es)"
_LAST = r"(?:(?:last|previous|latest|letzte[nrs]?|vorige[nrs]?)\s+)?"
_YOU_SAID = r"you\s+(?:have\s+)?(?:just\s+)?(?:said|told\s+me|answered)"
_ANSWER = (
    rf"(?:(?:your|the|that)\s+{_LAST}(?:answer|reply|response)|what\s+{_YOU_SAID}"
    rf"|(?:deine|ihre|die)\s+{_LAST}antwort)"
)
_AT = r"(?:just|gerade|eben|zuletzt|vorhin)"
_SAID = (
    rf"what\s+(?:did|have)\s+you\s+(?:{_AT}\s+)?(?:sa(?:y|id)|answer(?:ed)?|t(?:ell|old)\s+me)(?:\s+last)?",
    rf"what\s+was\s+(?:{_ANSWER}|that)",
    rf"was\s+(?:hast\s+du|haben\s+sie)\s+(?:mir\s+)?(?:{_AT}\s+)?(?:gesagt|geantwortet)",
    rf"was\s+war\s+{_ANSWER}",
    rf"i\s+did(?:n['’]t|\s+not)\s+(?:catch|get)\s+{_THAT}",
)
_REPEATED = (
    rf"(?:repeat|restate)(?:\s+(?:{_THAT}|{_ANSWER}))?",
    rf"(?:say|tell\s+me|give\s+me)\s+(?:{_THAT}\s+(?:again|once\s+more)|{_ANSWER}\s+(?:again|once\s+more))",
    r"(?:come|pardon|say)\s+again|pardon|once\s+more|one\s+more\s+time|noch\s*(?:ein)?mal|wie\s+bitte",
    rf"(?:wiederhol(?:e|en)?|sag(?:e|en)?)\s+(?:sie\s+)?(?:bitte\s+)?(?:{_THAT}|{_ANSWER})",
    rf"(?:{_THAT}|{_ANSWER})\s+(?:bitte\s+)?(?:wiederholen|noch\s*(?:ein)?mal\s+sagen)",
)
_PART = r"(?:document|file|source|section|paragraph|article|clause|page|part|place|passage)"
_TEIL = r"(?:dokument|datei|quelle|abschnitt|absatz|paragra(?:f|ph)en|artikel|seite|stelle|teil|klausel)"
_WRITTEN = r"(?:written|stated|said|mentioned|printed)"
_STANDS = r"(?:steht|stand|finde\s+ich|findet\s+man)"
_WHERE = (
    rf"where\s+(?:exactly\s+)?(?:(?:does|did)\s+(?:it|the\s+(?:text|document))\s+say\s+(?:that|this|so)"
    rf"|does\s+{_THAT}\s+stand|(?:is|was)\s+{_THAT}\s+{_WRITTEN}|(?:can|do)\s+i\s+(?:find|read)\s+{_THAT})",
    r"where\s+exactly|where\s+(?:is|are)\s+(?:your|the)\s+(?:source|citation|quotation|proof|evidence)s?",
    rf"(?:in|on)\s+(?:which|what)\s+{_PART}\s+(?:(?:is|was)\s+{_THAT}(?:\s+{_WRITTEN})?"
    rf"|does\s+(?:it|that|this)\s+(?:say\s+{_THAT}|stand)|(?:can|do)\s+i\s+(?:find|read)\s+{_THAT})",
    rf"(?:which|what)\s+{_PART}\s+says\s+(?:that|this|so)|says\s+who|how\s+do\s+you\s+know(?:\s+{_THAT})?",
    r"show\s+me\s+(?:where\s+(?:it|that)\s+(?:says\s+(?:that|so)|stands)|the\s+(?:source|passage|citation)s?)",
    rf"wo\s+(?:genau\s+)?{_STANDS}\s+{_THAT}(?:\s+(?:genau|geschrieben))?",
    rf"(?:in|auf|an)\s+welche[mnr]\s+{_TEIL}\s+{_STANDS}\s+{_THAT}",
    rf"woher\s+(?:weißt\s+du|wissen\s+sie)\s+{_THAT}",
    rf"zeig(?:e|en)?\s+(?:sie\s+)?mir\s+(?:die\s+(?:stelle|quelle)n?|wo\s+{_THAT}\s+steht)",
)
_FORM = re.compile(rf"{_ASK}(?:{'|'.join((*_SAID, *_REPEATED, *_WHERE))}){_END}", re.IGNORECASE)


def asks_again(text: str) -> bool:
    """Whether a message asks only for what was said last, or for where it stands."""
    said = " ".join(text.split()).strip(" ?.!¿¡")
    return len(said) <= _MOST_CHARS and (_FORM.fullmatch(said) is not None or talks_about(said) == "answers")
