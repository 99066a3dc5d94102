"""Versions of a document: "no, the 2019 version", "in the lease of 2019", "version 2.1"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pincite.agent.extractive.pointing import SAYS, asks_for_more
from pincite.agent.extractive.words import is_function_word, likeness, stem, words

_YEAR = r"(?:1[89]|20)\d\d"
_VERSION = (
    r"(?:versions?|editions?|revisions?|releases?|drafts?|ones?|fassung|ausgabe|auflage|versión|edición"
    r"|édition|versione|edizione|versie|uitgave)"
)
_PREPOSITION = (
    r"(?:in|of|from|for|under|by|with|to|according\s+to|nach|laut|gemäß|von|aus|im|dans|selon|en|según)"
)
_THE = r"(?:the|that|this|our|my|der|die|das|dem|den|des|la|le|el|il|de)"
_OF = r"(?:of|from|dated|for|as\s+of|von|vom|aus|d[eu]|del)"
_THE_YEAR = r"(?:(?:the\s+)?year\s+|dem\s+jahre?\s+|jahr\s+)?"
_LEAD = rf"(?:\b{_PREPOSITION}\s+)?(?:\b{_THE}\s+)?"
_FORMS = [
    # the 2019 version, the 2.1 version of the lease
    rf"(?P<all>{_LEAD}\b(?P<mark>{_YEAR}|v?\d+(?:\.\d+)+|v\d+)(?:er)?\s+(?P<version>{_VERSION})\b(?:\s+{_OF}\b(?!\s*\d))?)",
    # the version of 2019, the one from 2019, version 2
    rf"(?P<all>{_LEAD}\b(?P<version>{_VERSION})\s+(?:{_OF}\s+{_THE_YEAR}|no\.?\s*|number\s+|\()?"
    rf"(?P<mark>{_YEAR}|v?\d+(?:\.\d+)*)\b\)?)",
    # the 2019 lease
    rf"\b{_THE}\s+(?P<all>(?P<mark>{_YEAR})(?:er)?\s+)(?P<noun>[^\W\d_][\w-]*(?:\s+[^\W\d_][\w-]*){{0,2}})",
    # the lease of 2019, the lease (2019)
    rf"(?P<noun>[^\W\d_][\w-]*)(?P<all>\s+(?:{_OF}\s+{_THE_YEAR}|\()(?P<mark>{_YEAR})\b\)?)",
]
_EDITION = [re.compile(form, re.IGNORECASE) for form in _FORMS]
_ONLY_YEAR = re.compile(rf"(?:{_PREPOSITION}\s+)?{_THE_YEAR}(?P<mark>{_YEAR})", re.IGNORECASE)
_IN_YEAR = re.compile(rf"(?:\b{_PREPOSITION}\s+)?{_THE_YEAR}\b(?P<mark>{_YEAR})\b", re.IGNORECASE)
_CLAUSE = re.compile(r"[,;.?!]")
_OPENS = re.compile(rf"{_PREPOSITION}\s", re.IGNORECASE)
_NUMBER = re.compile(r"\d+(?:\.\d+)*")
_SAME = 0.7


@dataclass(frozen=True, slots=True)
class Edition:
    """A version that is asked for: its year or number, and words for the document, none beside "version".

    `said` is all that can be left out of the question once the version is known.
    """

    mark: str
    nouns: tuple[str, ...]
    said: str

    @property
    def bare(self) -> str:
        """Its number, without the "v"."""
        return self.mark.lower().removeprefix("v")

    def left_out(self, text: str) -> str:
        """A question without the version."""
        left = " ".join(text.replace(self.said, " ", 1).split())
        return re.sub(r"\s+(?=[?.!,;])", "", left)

    def is_called(self, *names: str) -> bool:
        """Whether a document of these names may be the one: its names hold a word for it, if there is any."""
        held = _content(" ".join(names))
        return not self.nouns or any(likeness(noun, one) >= _SAME for noun in self.nouns for one in held)

    def is_of(self, label: str, *names: str) -> bool:
        """Whether a document with this version label, and these other names, is of this version."""
        if self.bare in _NUMBER.findall(label):
            return True
        if re.fullmatch(_YEAR, self.bare):
            return any(self.bare in _NUMBER.findall(name) for name in names)
        return any(
            re.search(rf"\bv(?:er(?:sion)?)?[\s._-]*{re.escape(self.bare)}\b", name, re.I) for name in names
        )


def edition_of(text: str) -> Edition | None:
    """The version that a question names; None when it names none."""
    for form in _EDITION:
        found = form.search(text)
        if found is None:
            continue
        parts = found.groupdict()
        behind = _CLAUSE.split(text[found.end() :])[0] if parts.get("version") else str(parts["noun"])
        nouns = _content(behind if parts.get("noun") or re.search(rf"\b{_OF}$", found["all"], re.I) else "")
        if parts.get("version") or nouns:
            return Edition(found["mark"], tuple(nouns[:2]), found["all"].strip())
    return None


def revised(question: str, turn: str) -> str | None:
    """`question` about the version that `turn` names and nothing else; None when it names none."""
    question, turn = question.rstrip(" ?.!"), turn.strip(" ?.!")
    year, new, old = _ONLY_YEAR.fullmatch(turn), edition_of(turn), edition_of(question)
    rest = new.left_out(turn) if new is not None else turn
    nouns = new.nouns if new is not None else ()
    if year is None and (new is None or any(one not in nouns for one in _asked(rest))):
        return None
    mark = year["mark"] if year is not None else new.mark if new is not None else ""
    if old is not None and nouns in {(), old.nouns}:
        return question.replace(old.said, old.said.replace(old.mark, mark), 1)
    if old is not None:
        question = old.left_out(question)
    elif re.search(rf"\b{_YEAR}\b", question):
        return None
    if new is None or SAYS.search(rest):
        called = f"{mark} {' '.join(nouns) or 'version'}" if re.fullmatch(_YEAR, mark) else f"version {mark}"
        return f"{question} in the {called}"
    return f"{question} {turn}" if _OPENS.match(turn) else f"{question} in {turn}"


def _asked(text: str) -> list[str]:
    """The words of a question that ask for something in particular."""
    return _content(text) if asks_for_more(text) else []


def year_of(question: str) -> Edition | None:
    """A question's only year as what may be the version of a document."""
    found = list(_IN_YEAR.finditer(question))
    return Edition(found[0]["mark"], (), found[0][0]) if len(found) == 1 else None


def plain_name(title: str) -> str:
    """A title without years and numbers: what the versions of a document have in common."""
    return " ".join(word for word in title.split() if not any(map(str.isdigit, word)))


def _content(text: str) -> list[str]:
    return [stem(word.term) for word in words(text) if not is_function_word(word.term) and not word.exact]
