"""What the best passages name: documents whose title stands in them, and chunks that hold a code or phrase
of the query letter by letter."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from pincite.corpus.query_words import adjacent_words, quoted_phrases
from pincite.corpus.rows import ChunkHit
from pincite.corpus.spellings import spellings

_IN_BRACKETS = re.compile(r"\s*\([^()]*\)\s*$")
# A code: letters or signs between digits or beside them, such as E17, ISO-9001, ISO 9001, 4.2(b), 2019/88.
_CODE = re.compile(
    r"(?<![\w])(?:[A-Z]{2,6} \d[\w.]*\w|(?=[^\s]*\d)(?=[^\s]*[^\d\s,.;:!?)])\w[\w./()\-‐‑–:§]*[\w)])"
)
_DIGITS = re.compile(r"\d+")
_SHORTEST_TITLE = 4
# Texts in which titles are looked for, and what a mention is worth of the score of the passage that makes it.
SOURCES = 5
MENTION_WEIGHT = 0.6
# How far below the passage that mentions them chunks end, in the order of their own scores.
_BELOW = 1e-6
# What a chunk gains that alone among all candidates holds a code or phrase of the query. Fitted on the halves
# that the numbers of fusion were fitted on: .1 to .3 are alike there.
EXACT_WEIGHT = 0.2
# The same for two words side by side, and how many pairs of a query are looked for.
ADJACENT_WEIGHT = 0.1
_MOST_PAIRS = 24


def raise_mentioned(ranking: Sequence[ChunkHit], *, weight: float = MENTION_WEIGHT) -> list[ChunkHit]:
    """The ranking with the best hit of each document moved up that good passages of others call by its title.

    An answer in two steps needs it: the first passage names what the second is about, and the question
    does not. Nothing overtakes a passage by being named in it. Only titles with a capital or a digit, or
    of several words, count, as they are written; a bracket at the end of a title ("Mercury (planet)") is
    left out. Scores are at least 0.
    """
    sources = first_of_documents(ranking, SOURCES)
    told: dict[str, float] = {}
    everything = "\n".join(one.text for one in sources)
    for document, title in {hit.document: hit.document_title for hit in ranking}.items():
        name = (_IN_BRACKETS.sub("", title) if ")" in title else title).strip()
        if len(name) < _SHORTEST_TITLE or not (" " in name or name != name.lower()):
            continue
        if name not in everything:
            continue
        scores = [one.score for one in sources if one.document != document and holds(one.text, name)]
        if scores:
            told[document] = max(scores)
    if not told:
        return list(ranking)
    raised = []
    for hit in ranking:
        limit = told.pop(hit.document, None)  # the first of the document is its best
        gained = 0.0 if limit is None else min(hit.score + weight * limit, limit - _BELOW * (1 - hit.score))
        raised.append(hit.scored(gained) if gained > hit.score else hit)
    return sorted(raised, key=lambda hit: -hit.score)


def raise_exact(query: str, ranking: Sequence[ChunkHit], *, weight: float = EXACT_WEIGHT) -> list[ChunkHit]:
    """The ranking with chunks moved up that hold a code or a quoted phrase of the query as it is written.

    Word search takes a code apart ("ISO-9001" is "iso" and "9001") and forgets the order of a phrase. Where
    no candidate has a code as it is written, another dash, a blank or nothing may stand between its parts. A
    single word in quotation marks is no phrase. What most candidates hold tells nothing and gains nothing.
    """
    phrases = [phrase for phrase in quoted_phrases(query) if " " in phrase or not phrase.isascii()]
    # The digit that makes a code of it may stand behind a sign that ends it ("and/or,2").
    exact = [*phrases, *(found[0] for found in _CODE.finditer(query) if _DIGITS.search(found[0]))]
    texts = [f"{hit.label}\n{hit.text}" for hit in ranking] if exact else []
    gains = [0.0] * len(ranking)
    for wanted in dict.fromkeys(exact):
        found = [holds(text, wanted, fold=True) for text in texts]
        way = None if any(found) or wanted in phrases else spellings(wanted)
        if way is not None:
            digits = max(_DIGITS.findall(wanted), key=len)
            found = [digits in text and any(way.found_in(text)) for text in texts]
        if any(found):
            worth = weight * (1 - sum(found) / len(found)) if len(found) > 1 else weight
            gains = [gain + worth * held for gain, held in zip(gains, found, strict=True)]
    return _gained(ranking, gains) if any(gains) else list(ranking)


def raise_adjacent(
    query: str, ranking: Sequence[ChunkHit], *, weight: float = ADJACENT_WEIGHT
) -> list[ChunkHit]:
    """The ranking with chunks moved up in which words stand side by side that do so in the query.

    "liquidity class" is a term, and a chunk with a liquidity risk and a risk class does not have it. A pair
    of words is worth the more, the fewer of the candidates have it; a final "s" of it does not count. All
    pairs together are worth no more than two.
    """
    pairs = [pair.removesuffix("s") for pair in adjacent_words(query)][:_MOST_PAIRS]
    texts = [f"{hit.label}\n{hit.text}".casefold().replace("\n", " ") for hit in ranking] if pairs else []
    gains = [0.0] * len(ranking)
    for pair in pairs:
        found = [pair in text for text in texts]
        if any(found):
            worth = weight * math.log((len(texts) + 1) / (sum(found) + 0.5)) / math.log(len(texts) + 1)
            gains = [gain + worth * held for gain, held in zip(gains, found, strict=True)]
    gains = [min(gain, 2 * weight) for gain in gains]
    return _gained(ranking, gains) if any(gains) else list(ranking)


def holds(text: str, wanted: str, *, fold: bool = False) -> bool:
    """Whether `wanted` stands in `text`, not as a part of a longer word or number; `fold`: in any case."""
    if fold:
        text, wanted = text.casefold(), wanted.casefold()
    at = text.find(wanted)
    while at >= 0:
        before, behind = text[at - 1 : at], text[at + len(wanted) : at + len(wanted) + 1]
        if not (before.isalnum() and wanted[0].isalnum()) and not (behind.isalnum() and wanted[-1].isalnum()):
            return True
        at = text.find(wanted, at + 1)
    return False


def first_of_documents(ranking: Sequence[ChunkHit], number: int) -> list[ChunkHit]:
    """The best hit of each of the first documents."""
    found: dict[str, ChunkHit] = {}
    for hit in ranking:
        found.setdefault(hit.document, hit)
        if len(found) == number:
            break
    return list(found.values())


def _gained(ranking: Sequence[ChunkHit], gains: Sequence[float]) -> list[ChunkHit]:
    raised = [hit.scored(hit.score + gain) if gain else hit for hit, gain in zip(ranking, gains, strict=True)]
    return sorted(raised, key=lambda hit: -hit.score)
