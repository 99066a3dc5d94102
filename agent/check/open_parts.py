"""Is an open part of a question, as a model words it, really a part of what the user asked?

Open parts are shown beside verified statements but cite nothing, so they may say nothing of their own.
"""

from __future__ import annotations

import re

from pincite.agent.check.normalise import fold

_ADDRESS = re.compile(
    r"[a-z][a-z0-9+.-]*:/{1,2}\S+|www\.\S+|[\w.+-]+@[\w-]+\.\w+|(?<![\w.])[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}(?:/\S*)?",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]+")
# Scripts that put no blanks between words: each sign counts as one.
_UNSPACED = re.compile("[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]")
# Words that say nothing by themselves, and those in which one asks.
_WORDS_EN = (
    "a an the this that these those it its they them their there here what which who whom whose when where "
    "why how whether if is are was were be been being do does did has have had can could may might must "
    "shall should will would of to in on at by for from with without about between under over after "
    "before during until as than and or nor not no any some all each every other also only "
    "i you we my your our me us "
    "amount date detail details information level name number part question size time value"
)
_WORDS_DE = (
    "der die das den dem des ein eine einer eines einem einen und oder nicht kein keine ist sind war wird "
    "werden wie was wer wann wo warum ob von zu zum zur im in auf mit für über bei nach vor"
)
_WORDS_FR = (
    "le la les un une des du de et ou ne pas est sont qui que quel quelle quels quelles quand comment "
    "pourquoi où si à au aux en par pour sur avec dans"
)
_EMPTY = frozenset(f"{_WORDS_EN} {_WORDS_DE} {_WORDS_FR}".split())
_STEM = 5
# A model may bring in one word of four, such as "amount" in a language that the list lacks.
_ENOUGH = 0.75


def is_open_part(text: str, asked: str) -> bool:
    """Whether `text` is made of the words of `asked`, and names no address that `asked` does not."""
    folded, source = fold(text).text.lower(), fold(asked).text.lower()
    if any(found.rstrip(".,;:!?)") not in source for found in _ADDRESS.findall(folded)):
        return False
    words = _content(_ADDRESS.sub(" ", folded))
    known = {_stem(word) for word in _content(source)}
    return bool(words) and sum(_stem(word) in known for word in words) >= _ENOUGH * len(words)


def _content(text: str) -> set[str]:
    words = set(_UNSPACED.findall(text))
    words |= {word for word in _WORD.findall(_UNSPACED.sub(" ", text)) if len(word) > 1}
    return words - _EMPTY


def _stem(word: str) -> str:
    shorter = word.removesuffix("s") if len(word) > 3 else word
    return shorter[:_STEM]
