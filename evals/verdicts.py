"""Reading a judge's verdict: yes, no, or none, as a person would take what it wrote."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_CLAUSE = re.compile(r"([^.,;:!?\n()\[\]{}—–]+)([.,;:!?\n()\[\]{}—–]?)")
_WORD = re.compile(r"\w+(?:'\w+)?")
_ANSWERS = {"yes": True, "no": False}
_DESCRIBED = {"true": True, "correct": True, "supported": True, "false": False, "incorrect": False,
              "unsupported": False}  # fmt: skip
_NOT = frozenset({"not", "never", "neither", "nor", "cannot", "hardly", "without"})
# With one of these a clause speaks of a verdict and gives none.
_OPEN = frozenset(
    {"whether", "if", "or", "unclear", "unsure", "sure", "certain", "know", "could", "would", "might", "may",
     "either", "partly", "partially", "partial"}
)  # fmt: skip
# Behind "no" these begin what it is about; any other word makes it "no doubt", "no evidence".
_GOES_ON = frozenset(
    {"the", "it", "its", "they", "this", "that", "these", "those", "there", "he", "she", "we", "i", "because",
     "since", "as", "none", "nothing", "neither"}
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Clause:
    words: tuple[str, ...]
    end: str


def verdict(text: str) -> bool | None:
    """What a reply says: True for yes, False for no, None where it says neither or both.

    A yes or no at the beginning counts before one that stands alone or ends a clause later on, and those
    before "true", "supported" and the like, which a "not" in the same clause turns round.
    """
    clauses = [
        _Clause(tuple(_WORD.findall(said.casefold())), end)
        for said, end in _CLAUSE.findall(text.replace("’", "'"))
    ]
    clauses = [clause for clause in clauses if clause.words]
    if clauses and (first := _answer(clauses[0])) is not None:
        return first
    for read in (_answer, _description):
        found = {said for clause in clauses if (said := read(clause)) is not None}
        if found:
            return found.pop() if len(found) == 1 else None
    return None


def _answer(clause: _Clause) -> bool | None:
    """Yes or no as an answer: alone, in front of what it is about, or at the end ("the answer is no")."""
    first, last = clause.words[0], clause.words[-1]
    if len({*clause.words} & _ANSWERS.keys()) != 1:
        return None
    if len(clause.words) == 1 or first == "yes" or (first == "no" and clause.words[1] in _GOES_ON):
        return _ANSWERS[first]
    if last in _ANSWERS and not _open(clause.words) and not any(map(_negates, clause.words[:-1])):
        return _ANSWERS[last]
    return None


def _description(clause: _Clause) -> bool | None:
    """The verdict of "that is not true"; a word in front of a colon is a label, "true that …" goes on."""
    at = [place for place, word in enumerate(clause.words) if word in _DESCRIBED]
    if len(at) != 1 or _open(clause.words) or (clause.end == ":" and len(clause.words) == 1):
        return None
    before, behind = clause.words[: at[0]], clause.words[at[0] + 1 :]
    if behind[:1] == ("that",):
        return None
    turned = sum(map(_negates, before)) % 2 == 1
    return _DESCRIBED[clause.words[at[0]]] is not turned


def _negates(word: str) -> bool:
    return word in _NOT or word.endswith("n't") or word == "no"


def _open(words: Sequence[str]) -> bool:
    return not _OPEN.isdisjoint(words)
