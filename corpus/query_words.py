"""Which words of a question are looked up: not those that every text of its language holds.

BM25 gives such words little weight, but a long question has many of them, and together they outweigh what
it is about. The lists hold articles, pronouns, prepositions, auxiliaries and question words; no negation,
no number, no unit and no modal, which may be what a clause turns on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_QUOTED = re.compile(
    r'"([^"\n]{2,200})"|“([^”\n]{2,200})”|„([^“”\n]{2,200})[“”]|«([^»\n]{2,200})»|»([^«»\n]{2,200})«|‹([^›\n]{2,200})›|‚([^‘’\n]{2,200})‘|「([^」\n]{2,200})」'
)

# A single word may belong to another language, or be what is asked about.
_SURE = 2

_LISTS = {
    "en": (
        "a about am an and any are as at be been being but by can could did do does doing for from had "
        "has have having he her here hers him his how i if in into is it its itself me my of on or our "
        "ours she so some such than that the their theirs them then there these they this those to us was "
        "we were what when where whether which while who whom whose why with would you your yours"
    ),
    "de": (
        "aber als am an auf aus bei beim bin bis da dabei damit dann das dass dem den denn der deren des "
        "dessen die dies diese diesem diesen dieser dieses du durch ein eine einem einen einer eines er "
        "es für hat hatte hatten ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in ins ist kann mit nach "
        "oder sein seine seinem seinen seiner sich sie sind so über um und uns vom von vor war waren "
        "warum was welche welchem welchen welcher welches wem wen wenn wer werden wessen wie wird wo "
        "wurde wurden zu zum zur"
    ),
    "fr": (
        "a au aux avec c ce ces cet cette comment d dans de des du elle elles en est et eu il ils j je l "
        "la le les leur leurs lui m ma mais me mes mon n nos notre nous on ont ou où par pour pourquoi qu "
        "quand que quel quelle quelles quels qui quoi s sa se ses son sont sur t ta te tes tu un une vos "
        "votre vous y été était"
    ),
    "es": (
        "a al como cómo con cual cuál cuales cuáles cuando cuándo de del donde dónde el él ella ellas "
        "ellos en era es esa ese eso esta está este esto fue ha han la las le les lo los me mi o para "
        "pero por porque que qué quien quién se ser su sus te tu tú un una unas uno unos y ya yo"
    ),
    "it": (
        "a ai al alla alle anche c che chi ci come con cosa cui d da dai dal dalla dei del della delle di "
        "dove e è era gli ha hanno i il in io l la le lo ma mi nei nel nella o per perché qual quale "
        "quali quando quanto questa questo se si sono su sua suo sul sulla tra un una uno"
    ),
    "nl": (
        "aan als bij daar dan dat de deze die dit door een en er had heb heeft het hij hoe hun ik in is "
        "je kan maar met naar of om onder ook op over te tot uit van voor waar waarom wanneer was wat we "
        "welke wie wij wordt worden zij zijn zich zo"
    ),
    "pt": (
        "a ao aos as à às com como da das de do dos e ela ele em era essa esse esta está este eu foi há "
        "isso isto já lhe mais mas me na nas no nos o os ou para pela pelo por porque qual quais quando "
        "que quem se ser seu sua são também te um uma você"
    ),
}
FUNCTION_WORDS = {language: frozenset(words.split()) for language, words in _LISTS.items()}


def quoted_phrases(query: str) -> tuple[str, ...]:
    """What stands in quotation marks in a query, of two characters or more."""
    return tuple(next(part for part in found if part).strip() for found in _QUOTED.findall(query))


def language_of(words: Iterable[str]) -> str | None:
    """The language that most of the function words belong to; None with fewer than two of them."""
    folded = [word.casefold() for word in words]
    counts = {name: sum(map(known.__contains__, folded)) for name, known in FUNCTION_WORDS.items()}
    language = max(counts, key=lambda name: counts[name])
    return language if counts[language] >= _SURE else None


def content_words(query: str) -> str:
    """The query without the function words of its language; quoted phrases keep theirs.

    The language is the one that most of them belong to. With fewer than two of them it is too uncertain
    ("die casting"), and then, or where nothing else would be left, the query stays as it is.
    """
    language = language_of(_WORD.findall(query))
    if language is None:
        return query
    known = FUNCTION_WORDS[language]
    spans = [found.span() for found in _QUOTED.finditer(query)]

    def without(found: re.Match[str]) -> str:
        inside = any(start <= found.start() < end for start, end in spans)
        return found[0] if inside or found[0].casefold() not in known else " "

    kept = _WORD.sub(without, query)
    return " ".join(kept.split()) if _WORD.search(kept) else query


def adjacent_words(query: str) -> tuple[str, ...]:
    """Pairs of words with nothing but a blank between them, in lower case, without function words."""
    words = list(_WORD.finditer(query))
    known = FUNCTION_WORDS[language_of(word[0] for word in words) or "en"]
    return tuple(
        dict.fromkeys(
            f"{first[0]} {second[0]}".casefold()
            for first, second in pairwise(words)
            if query[first.end() : second.start()].isspace()
            and first[0].casefold() not in known
            and second[0].casefold() not in known
        )
    )
