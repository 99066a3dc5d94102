"""A question with several parts, taken apart: each part is searched and answered by itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pincite.agent.extractive.question import Asked
from pincite.agent.extractive.words import is_function_word, likeness, stem, words

MOST_PARTS = 4
_MOST_CHARS = 2_000
_BEFORE = r"(?:(?:by|since|until|from|to|in|on|at|for|of|with|under|after|before)\s+)?"
_WH = rf"{_BEFORE}(?:what|which|who|whom|whose|when|where|why|how)\b"
# "and is it …" asks; "and is payable …" goes on with the sentence.
_VERB_FIRST = (
    r"(?:is|are|was|were|do|does|did|can|may|must|has|have)\s+"
    r"(?:it|they|there|he|she|we|you|I|the|an?|this|that|these|those|any|all|some|my|our|its|their)\b"
)
_OTHERS = {
    "und": r"(?:was|welche[rsmn]?|wer|wem|wen|wann|wo|warum|wie|wieviele?|bis wann)\b",
    "et": r"(?:quel(?:le)?s?|qui|quand|où|pourquoi|comment|combien)\b",
    "y": r"(?:qué|cuál(?:es)?|quién(?:es)?|cuándo|dónde|cuánt[oa]s?|cómo)\b",
    "e": r"(?:che|quale|quali|chi|quando|dove|quant[oaie])\b",
    "en": r"(?:wat|wie|wanneer|waar|waarom|hoe|hoeveel|welke?)\b",
}
_AND = "|".join(
    rf"{joiner}\s+(?:{words_of})"
    for joiner, words_of in {"and": rf"(?:also\s+)?(?:{_WH}|{_VERB_FIRST})", **_OTHERS}.items()
)
_CLAUSE = re.compile(rf"\s*[,;]?\s*\b(?=(?:{_AND}))|\s*;\s*", re.IGNORECASE)
_JOINER = re.compile(rf"(?:and(?:\s+also)?|{'|'.join(_OTHERS)})\s+", re.IGNORECASE)
_LISTED = re.compile(rf",\s*(?={_BEFORE}(?:what|who|when|where|why|how)\b)", re.IGNORECASE)
_STARTS = re.compile(rf"(?:{_WH}|{_VERB_FIRST}|{'|'.join(_OTHERS.values())})", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[?？؟])\s*")
_CAPITALISED = r"[^\W\d_a-z][\w&.'’-]*"
_NAME = rf"{_CAPITALISED}(?:\s+(?:(?:of|de|du|der|von|for)\s+)?{_CAPITALISED}){{1,7}}"
_TWO_NAMES = re.compile(
    rf"\b(?:the|of|for|in|from|under)\s+(?P<one>{_NAME})(?:,?\s+and|\s+or|,?\s+versus|,?\s+vs\.?)\s+"
    rf"(?:(?:of|for|in|from|under)\s+)?(?:the\s+)?(?P<two>{_NAME})"
)
_CODE = r"[A-Z]{1,6}-?\d[\w-]*"
_CODES = re.compile(rf"\b{_CODE}(?:\s*(?:,|,?\s*\b(?:and|or|und|oder|et|ou|y|o|e|en|of)\b)\s*{_CODE})+\b")
_TWO_THINGS = re.compile(
    r"^(?P<head>(?:what|which)\s+(?:is|are|was|were)\s+)(?:both\s+)?(?:the\s+)?(?P<one>(?:[\w’'-]+\s+){1,4})"
    r"and\s+(?:the\s+)?(?P<two>[\w’'-]+(?:\s+[\w’'-]+){0,3})(?P<tail>\s+(?:of|for|in|under|on|at)\s+.+)$",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(
    r"\b(?:that|this|these|those|such|said|dies\w*|jene\w*|cette?|ces|es[ea]s?|est[eao]s?|quest[aoie])\s+(?P<noun>\w+)",
    re.IGNORECASE,
)
_PRONOUN = re.compile(
    r"\b(?:it|its|they|them|their|he|she|his|her|ihr\w*|sein\w*|il|elle|ils|elles|lo|su|sus)\b"
)
_FOLLOWS = re.compile(
    r"\s*(?:and|und|et|y|e|en)\b|\s*(?:what|how) about\b|\s*was ist mit\b|\s*qu'en est-il\b|\s*¿?y\b",
    re.IGNORECASE,
)
_AROUND = 2


def parts_of(question: str) -> list[str]:
    """The parts of a question in order, at most four; the question itself when it has one.

    Parts are question sentences, question clauses joined by "and", and one part for each of two names,
    codes or things that are asked about together.
    """
    text = " ".join(question[:_MOST_CHARS].split())
    clauses = [part for sentence in _sentences(text) for part in _clauses(sentence)]
    parts = [part for clause in clauses for part in _joined(clause)]
    if len(parts) > MOST_PARTS:
        parts = [*parts[: MOST_PARTS - 1], " ".join(parts[MOST_PARTS - 1 :])]
    return parts or [text]


def _sentences(text: str) -> Iterator[str]:
    """Question sentences; what stands before the first one and asks nothing goes with it."""
    pending = ""
    for piece in _SENTENCE.split(text):
        if not piece.strip():
            continue
        whole = f"{pending} {piece}".strip()
        if _content(piece) or not pending:
            yield whole
            pending = ""
        else:
            pending = whole
    if pending:
        yield pending


def _clauses(sentence: str) -> list[str]:
    """The clauses of one sentence that each ask something; unsplit when one of them would say nothing."""
    pieces = [piece.strip() for piece in _CLAUSE.split(sentence) if piece.strip()]
    if len(pieces) > 1:
        # "How …, what … and who …": with an "and" behind it, a comma before a question word lists clauses.
        pieces = [*_LISTED.split(pieces[0]), *(_JOINER.sub("", piece, count=1) for piece in pieces[1:])]
    asks = all(_STARTS.match(piece) and _content(piece) for piece in pieces[1:])
    return pieces if len(pieces) > 1 and asks and _content(pieces[0]) else [sentence]


def _joined(clause: str) -> list[str]:
    codes = _CODES.search(clause)
    if codes:
        named = dict.fromkeys(re.findall(rf"\b{_CODE}", codes[0]))
        return [clause[: codes.start()] + code + clause[codes.end() :] for code in named]
    names = _TWO_NAMES.search(clause)
    if names:
        start = names.start("one")
        ends = clause[names.end("two") :]
        return [
            clause[:start] + names[name].strip() + (" " if ends[:1].isalnum() else "") + ends
            for name in ("one", "two")
        ]
    things = _TWO_THINGS.match(clause)
    if things and _content(things["one"]) and _content(things["two"]):
        return [f"{things['head']}{things[name].strip()}{things['tail']}" for name in ("one", "two")]
    return [clause]


def _content(text: str) -> list[str]:
    return [word.term for word in words(text) if not is_function_word(word.term)]


def points_back(part: str) -> bool:
    """Whether a part needs an earlier one to be understood: "that class", "it"."""
    return bool(_pointer(part) or _PRONOUN.search(part.lower()))


def _pointer(part: str) -> re.Match[str] | None:
    """The first "that class"; behind a noun, "that" begins a clause instead ("an order that arrives")."""
    for match in _POINTS_BACK.finditer(part):
        before = words(part[: match.start()])
        relative = match[0].lower().startswith("that") and before and not is_function_word(before[-1].term)
        if not relative:
            return match
    return None


def found_words(part: str, answers: Sequence[str]) -> str:
    """The words that an earlier answer has for what `part` points back to: "that class" gives "class D".

    The noun and up to two words on each side of it that are no function words; empty when no answer
    holds the noun.
    """
    match = _pointer(part)
    if not match:
        return ""
    noun = words(match["noun"])
    if not noun or is_function_word(noun[0].term):
        return ""
    for answer in answers:
        found = words(answer)
        for at, word in enumerate(found):
            if likeness(noun[0].term, word.term) >= 0.7:
                near = found[max(at - _AROUND, 0) : at + _AROUND + 1]
                kept = [near_word for near_word in near if not is_function_word(near_word.term)]
                return " ".join(answer[kept_word.start : kept_word.end] for kept_word in kept)
    return ""


def context_of(part: str, before: Sequence[str], answers: Sequence[str], context: str) -> str:
    """Words that a part needs from what came before it: an earlier part with its answer, or `context`."""
    if before and points_back(part):
        return found_words(part, answers) or carried_words(part, before[-1]) or context
    return "" if before else context


def carried_words(part: str, before: str) -> str:
    """The words that a part or a follow-up question leaves to the one before it; empty when it stands alone.

    "What is its exit charge?" takes the names asked about before, "And the Aqueduct fund?" what was asked
    about them.
    """
    here, earlier = Asked(part), Asked(before)
    if points_back(part) and not here.names:
        names = [term for name in earlier.names for term in name]
        return _words_of(before, names or earlier.terms)
    if _FOLLOWS.match(part) and here.names:
        names = [term for name in earlier.names for term in name]
        return _words_of(before, [term for term in earlier.terms if term not in names])
    if _FOLLOWS.match(part):
        return _words_of(before, [term for name in earlier.names for term in name])
    return ""


def _words_of(text: str, terms: Sequence[str]) -> str:
    kept = [text[word.start : word.end] for word in words(text) if stem(word.term) in terms]
    return " ".join(dict.fromkeys(kept))
