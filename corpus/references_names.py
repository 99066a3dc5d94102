"""What an act, contract or manual is called: by itself, and by the references of others."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from pincite.corpus.references_grammar import ACT_NUMBER
from pincite.corpus.references_words import INSTRUMENT

_FAMILIES = (
    "regulation verordnung règlement reglamento",
    "directive richtlinie directiva",
    "decision beschluss beschlusses décision decisión",
    "treaty vertrag vertrags vertrages traité tratado",
    "charter charta charte carta",
    "act gesetz gesetzes loi ley law",
    "code gesetzbuch gesetzbuchs código",
    "agreement contract lease deed abkommen abkommens übereinkommen übereinkommens contrat accord contrato "
    "acuerdo",
    "convention protocol statute policy plan terms ordinance handbook manual rules",
)
_FAMILY = {word: words.split()[0] for words in _FAMILIES[:-1] for word in words.split()}
_DOCUMENT_NOUN = (
    r"(?:regulations?|directive|decision|treaty|charter|convention|protocol|statutes?|act|code|law|ordinance|agreement|contract|"
    r"lease|policy|plan|terms|conditions|rules?|schedule|constitution|manual|handbook|guidelines?|standards?|by-?laws|note|"
    r"indenture|letter|memorandum|order|deed|licen[cs]e|statement|specifications?|règlement|décision|traité|charte|loi|contrat|"
    r"accord|reglamento|directiva|decisión|tratado|carta|ley|contrato|acuerdo|código|constitución|"
    r"\w*(?:verordnung|richtlinie|beschlusse?s?|vertrage?s?|charta|gesetze?s?|gesetzbuche?s?|ordnung|abkommens?|übereinkommens?|bedingungen))"
)
_NOUN = re.compile(rf"\b{_DOCUMENT_NOUN}\b", re.IGNORECASE)
_BARE_NOUN = re.compile(rf"{INSTRUMENT}\Z", re.IGNORECASE)
_NUMBER = re.compile(r"\d{1,4}/\d{1,4}")
_LEAD_ENDS = re.compile(
    r"having regard|whereas|gestützt auf|in erwägung|vu le|considérant|vist[oa]s?\b|considerando|recitals",
    re.IGNORECASE,
)
_SHORT = re.compile(
    r"\((?:the |hereinafter |die |der |das |le |la |el )*[“\"‘„«]?(?P<name>[A-ZÀ-Þ][^()\n]{3,90}?)[”\"’“»]?\)"
)
_LEAD = 1_500
_ABBREVIATION = re.compile(r"(?=(?:[^A-Z]*[A-Z]){2})[A-Za-zäöü&-]{2,12}\Z")


@dataclass(frozen=True, slots=True)
class OwnNames:
    """What a document calls itself: its names, the numbers of its act, the kinds of act that it is."""

    names: tuple[str, ...] = ()
    numbers: frozenset[str] = frozenset()
    families: frozenset[str] = frozenset()
    keys: frozenset[str] = field(default=frozenset())

    def means(self, name: str) -> bool:
        """Whether a reference "of the NAME" means this document."""
        number = act_number(name)
        if number is not None:
            return number in self.numbers
        if name_key(name) in self.keys:
            return True
        return _BARE_NOUN.match(name) is not None and family(name) in self.families

    def pointed(self, word: str) -> bool:
        """Whether "this WORD" means the document: not "dieser Richtlinie" inside a regulation."""
        kind = family(word)
        return kind is None or not self.families or kind in self.families


def own_names(title: str, text: str) -> OwnNames:
    """The names that a document gives itself in its title and its first words."""
    lead = text[:_LEAD]
    ends = _LEAD_ENDS.search(lead)
    lead = lead[: ends.start()] if ends is not None else lead
    act = ACT_NUMBER.search(title) or _own_line(lead[:400])
    names = [title]
    if act is not None:
        names.append(" ".join(act[0].split()))
    short = [" ".join(match["name"].split()) for match in _SHORT.finditer(f"{title}\n{lead}")]
    names += [name for name in short if _NOUN.search(name)][:6]
    names += [initials(name) for name in names if initials(name)]
    numbers = frozenset(
        number for name in names[:2] if (number := act_number(name)) is not None and act is not None
    )
    heads = " ".join((title, act[0] if act is not None else "")).lower() if act is None else act[0].lower()
    families = frozenset(_FAMILY[word] for word in re.findall(r"[^\W\d_]+", heads) if word in _FAMILY)
    kept = tuple(dict.fromkeys(name for name in names if name))
    return OwnNames(kept, numbers, families, frozenset(name_key(name) for name in kept))


def _own_line(lead: str) -> re.Match[str] | None:
    """The number of an act where a line of its first words begins with it."""
    for line in re.finditer(r"^\W*", lead, re.MULTILINE):
        act = ACT_NUMBER.match(lead, line.end())
        if act is not None:
            return act
    return None


def act_number(name: str) -> str | None:
    """The number of a numbered act: "2016/679" of "Regulation (EU) 2016/679"."""
    found = _NUMBER.search(name)
    return found[0] if found is not None else None


def family(word: str) -> str | None:
    """The kind of act that a word names, the same in every language."""
    words = word.lower().split()
    return _FAMILY.get(words[-1]) if words else None


def names_document(name: str) -> bool:
    """Whether words behind "of the" can be the name of an act or a contract, not of a person or a body."""
    if _NUMBER.search(name) or _NOUN.search(name):
        return True
    return bool(_ABBREVIATION.match(name)) or bool(re.match(r"\d+ (?:C|U)", name))


def initials(name: str) -> str:
    """ "GDPR" of "General Data Protection Regulation"; empty for fewer than three words."""
    words = [word for word in re.findall(r"[^\W\d_]+", name) if word[0].isupper()]
    if not 3 <= len(words) <= 6 or any(char.isdigit() for char in name):
        return ""
    return "".join(word[0] for word in words)


def name_key(name: str) -> str:
    """Names are compared by their letters and digits, without an article in front."""
    words = re.findall(r"\w+", name.casefold())
    while words and words[0] in {"the", "der", "die", "das", "den", "le", "la", "les", "el", "los", "l"}:
        words.pop(0)
    return "".join(words)


def holds_words(text: str, wanted: Iterable[str]) -> bool:
    """Whether all words of a name stand in a text, in order."""
    words = re.findall(r"\w+", text.casefold())
    at = 0
    for word in wanted:
        try:
            at = words.index(word, at) + 1
        except ValueError:
            return False
    return True
