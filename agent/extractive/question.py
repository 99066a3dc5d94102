"""What one question, or one part of it, asks for: its terms, names, codes and the kind of answer."""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from pincite.agent.extractive.cues import AnswerKind, asked_kind
from pincite.agent.extractive.function_words import MEASURES
from pincite.agent.extractive.words import Word, is_function_word, stem, words

_NAME_JOINERS = frozenset({"of", "the", "for", "de", "des", "du", "la", "der", "von", "&", "-"})
_REFERENCE = re.compile(
    r"(?:§§?|\b(?:section|sec\.|article|art\.|clause|paragraph|para\.|rule|annex|schedule|chapter"
    r"|artikel|paragraf|absatz|kapitel|article|chapitre|articulo|artículo|seccion|sección|articolo))"
    r"\s*(?P<number>(?:\d+[a-z]?|[IVXLC]+|[A-Z])(?:[.\-]\d+[a-z]?)*(?:\s?\([0-9A-Za-z]{1,5}\))*)(?!\w)"
    r"|第\s*(?P<cjk>\d+|[一二三四五六七八九十百]+)\s*[条條章]",
    re.IGNORECASE,
)
_CASE_SENSITIVE_NUMBER = re.compile(r"(?:\d|[IVXLC]+\b|[A-Z]\b)")
_MOST_CHARS = 2_000
_MEASURE_NOUNS = {
    "large": "size",
    "big": "size",
    "high": "height",
    "tall": "height",
    "long": "length",
    "wide": "width",
    "deep": "depth",
    "heavy": "weight",
    "old": "age",
}


@dataclass(frozen=True)
class Asked:
    """One question or part. `text` is as asked, `context` what an earlier part found for its "that".

    `named` are words that stand for a name without capitals: "the bond fund" after a question about a fund.
    """

    text: str
    context: str = ""
    named: str = ""

    @cached_property
    def _content(self) -> tuple[Word, ...]:
        found = words(self.text[:_MOST_CHARS])
        measured = {right.start for left, right in pairwise(found) if _asks_measure(left.term, right.term)}
        found = [*found, *words(self.context)]
        content = [w for w in found if not is_function_word(w.term) and w.start not in measured]
        return tuple(content or found)

    @cached_property
    def terms(self) -> tuple[str, ...]:
        """Stems of the words that name something, each once; of all words when none does."""
        return tuple(dict.fromkeys(stem(word.term) for word in self._content))

    @cached_property
    def measured(self) -> tuple[str, ...]:
        """The nouns of measure questions: "how large" asks for a size."""
        found = words(self.text[:_MOST_CHARS])
        return tuple(
            dict.fromkeys(
                _MEASURE_NOUNS[right.term]
                for left, right in pairwise(found)
                if left.term == "how" and right.term in _MEASURE_NOUNS
            )
        )

    @cached_property
    def term_set(self) -> frozenset[str]:
        """`terms`, for look-up."""
        return frozenset(self.terms)

    @cached_property
    def kind(self) -> AnswerKind:
        """The kind of answer the words point to."""
        return asked_kind(self.text)

    @cached_property
    def codes(self) -> tuple[str, ...]:
        """Terms that are numbers or codes, which a sentence or its label holds or not."""
        found = words(self.text[:_MOST_CHARS])
        return tuple(dict.fromkeys(w.term for w in found if w.exact and any(map(str.isdigit, w.term))))

    @cached_property
    def has_identifier(self) -> bool:
        """Whether a code of letters and digits is asked about ("E17", "LK-44"): it means one thing only."""
        return any(any(map(str.isalpha, code)) for code in self.codes)

    @cached_property
    def names(self) -> tuple[tuple[str, ...], ...]:
        """Runs of capitalised words ("Polestar Global Equity Fund") as stems, without function words."""
        named = tuple(stem(word.term) for word in words(self.named) if not is_function_word(word.term))
        found = _names(self.text[:_MOST_CHARS])
        here = all(term in self.term_set for term in named)
        return tuple([*found, named] if named and here else found)

    @cached_property
    def reference(self) -> str | None:
        """A section number the question names ("4.2(b)", "12"), as written; None for none."""
        match = _REFERENCE.search(self.text)
        if not match:
            return None
        number = match["number"] or match["cjk"]
        return number if match["cjk"] or _CASE_SENSITIVE_NUMBER.match(number) else None

    def without(self, naming: AbstractSet[str]) -> str:
        """The question without the words of these terms; whole when nothing would be left."""
        text = self.text[:_MOST_CHARS]
        gone = [word for word in words(text) if stem(word.term) in naming]
        for word in reversed(gone):
            text = text[: word.start] + text[word.end :]
        rest = " ".join(f"{text} {self.context}".split())
        return rest if any(not is_function_word(word.term) for word in words(rest)) else self.text

    @property
    def keywords(self) -> str:
        """The terms alone, in order: other words for a second search."""
        return " ".join(dict.fromkeys(word.term for word in self._content))


def _asks_measure(left: str, right: str) -> bool:
    """Whether two words are a question for a measure: "how long" names nothing that an answer repeats."""
    return left in ("how", "wie", "hoe") and right in MEASURES


def _names(text: str) -> list[tuple[str, ...]]:
    """Capitalised runs; the first word of the text counts only inside a longer run."""
    names: list[tuple[str, ...]] = []
    run: list[Word] = []
    for word in [*words(text), None]:
        if word is not None and _raised(text, word) and (not run or _joined(text, run[-1], word)):
            run.append(word)
            continue
        if run and word is not None and word.term in _NAME_JOINERS:
            continue
        names.extend(_closed(text, run))
        run = [word] if word is not None and _raised(text, word) else []
    return names


def _raised(text: str, word: Word) -> bool:
    first = text[word.start]
    return first.isupper() or (word.exact and any(map(str.isalpha, word.term)) and first.isascii())


def _joined(text: str, left: Word, right: Word) -> bool:
    """Whether two capitalised words belong to one name: side by side or with a small word between."""
    gap = text[left.end : right.start]
    return len(gap) <= 8 and not re.search(r"[.,;:?!()\n]", gap) and set(gap.split()) <= _NAME_JOINERS


def _closed(text: str, run: list[Word]) -> list[tuple[str, ...]]:
    opens = bool(run) and not text[: run[0].start].strip(" \t\"'“‘(")
    kept = run[1:] if opens and (len(run) == 1 or is_function_word(run[0].term)) else run
    terms = tuple(stem(word.term) for word in kept if not is_function_word(word.term))
    return [terms] if terms else []
