"""The second step of a question in two: what the first passages name, looked up with what they leave open."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from pincite.corpus.query_words import FUNCTION_WORDS, content_words, language_of
from pincite.corpus.rows import ChunkHit
from pincite.tools.mentions import first_of_documents

Search = Callable[[str], Sequence[ChunkHit]]

_WORD = re.compile(r"\w+")
# Words with a capital in a row ("Bank of England"), and years.
_CAPITAL = r"(?:(?:[^\W\d_a-z]\.)+|[^\W\d_a-z][\w'’-]*)"
_JOINED = r"(?:of|the|de|du|von|van)\s"
_NAME = re.compile(rf"{_CAPITAL}(?:\s(?:{_JOINED})?{_CAPITAL})*|\b\d{{4}}\b")
# A question has its mark, or begins as one does in the languages whose function words are known.
_QUESTION = re.compile(
    r"[?？؟]|^\W*(?:who|whom|whose|what|which|where|when|why|how|wer|wem|wen|wessen|was|welche[mnrs]?|wo|wann"
    r"|warum|wie|qui|que|quel(?:le)?s?|où|quand|pourquoi|comment|quién|qué|cuál|dónde|cuándo|cómo|chi|quale|dove"
    r"|wie|wat|welke|waar|quem|qual|onde)\b",
    re.IGNORECASE,
)
_LEAD = frozenset(word for words in FUNCTION_WORDS.values() for word in words)
# Words that share so many letters are taken for forms of one word.
_STEM = 6
# Where every noun has a capital, a single word with one is no name.
_NOUNS_IN_CAPITALS = frozenset({"de"})
# Passages that are followed, names of each that are looked up, and what the best find is worth of the
# score of the passage that names it. Fitted on the same halves as the numbers of fusion.
SOURCES = 2
NAMES = 10
WEIGHT = 0.8


def queries(query: str, ranking: Sequence[ChunkHit]) -> list[tuple[ChunkHit, tuple[str, ...], str]]:
    """Each passage to follow, the names in it, and what to search for.

    That is the names in it that the query does not hold, and the words of the query that it does not
    hold. A passage is followed when it holds a name of the query and leaves some of its words open. Only
    questions have a second step, statements have none.
    """
    if not _QUESTION.search(query):
        return []
    anchors = set(names(query, ""))
    wanted = [word for word in _WORD.findall(content_words(query)) if len(word) > 1]
    found = []
    for source in first_of_documents(ranking, SOURCES):
        held = {_stem(word) for word in _WORD.findall(f"{source.label}\n{source.text}")}
        left_open = [word for word in wanted if _stem(word) not in held]
        anchored = any(name in source.text or name in source.label for name in anchors)
        named = names(source.text, query)[:NAMES] if anchored and left_open else []
        if named:
            found.append((source, tuple(named), " ".join([*left_open, *named])))
    return found


def with_second_step(
    ranking: Sequence[ChunkHit], found: Sequence[tuple[ChunkHit, Sequence[str], Sequence[ChunkHit]]]
) -> list[ChunkHit]:
    """The ranking with what was found for its first passages: (passage, names in it, hits).

    A hit of another document that holds one of the names gets up to `WEIGHT` of the passage's score where
    its own is lower. Nothing overtakes a passage by being named in it.
    """
    gains: dict[tuple[str, str, int, int], float] = {}
    hits = {hit.key: hit for hit in ranking}
    for source, named, second in found:
        for hit in second:
            if hit.document == source.document or not any(
                name in hit.label or name in hit.text for name in named
            ):
                continue
            hits.setdefault(hit.key, hit.scored(0.0))
            gain = WEIGHT * source.score * hit.score / second[0].score
            gains[hit.key] = max(gain, gains.get(hit.key, 0.0))
    raised = [
        hit if hit.score >= gains.get(key, 0.0) else hit.scored(gains[key]) for key, hit in hits.items()
    ]
    return sorted(raised, key=lambda hit: -hit.score)


def names(text: str, query: str) -> list[str]:
    """Names and years in a text that the query does not hold, in their order, each once.

    A single word in capitals ("DNA", "CD4") is a sign for something and leads nowhere.
    """
    known = query.casefold()
    several = language_of(_WORD.findall(text)) in _NOUNS_IN_CAPITALS
    found = []
    for match in _NAME.finditer(text):
        parts = match[0].split()
        while parts and (parts[0].casefold() in _LEAD or not (parts[0][0].isupper() or parts[0].isdigit())):
            parts = parts[1:]
        name = " ".join(parts).strip(".'’-")
        single = len(parts) == 1 and (several or name == name.upper()) and not name.isdigit()
        if len(name) > 2 and not single and name.casefold() not in known:
            found.append(name)
    return list(dict.fromkeys(found))


def _stem(word: str) -> str:
    return word.casefold()[:_STEM]
