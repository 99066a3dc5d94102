"""Which documents are of the version that a question names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from pincite.agent.extractive.conversation import Listed, Looked
from pincite.agent.extractive.editions import Edition, plain_name, year_of
from pincite.agent.extractive.followup import Meant
from pincite.agent.extractive.navigating import Navigation
from pincite.agent.extractive.pointing import asks_for_more
from pincite.agent.extractive.question import Asked
from pincite.agent.tooling import CONTENTS, SEARCH
from pincite.tools.passage import Passage

# Titles whose versions are looked for, each with a call.
_MOST_TITLES = 2


def versioned(subject: Meant, given: Sequence[Passage]) -> Navigation[tuple[Meant, frozenset[str]]]:
    """The question without the version of a document that it names, and the documents of that version.

    Without any the words mean something else, and are asked for. `given` are all passages there are.
    """
    edition = subject.edition
    if edition is None or not asks_for_more(f"{edition.left_out(subject.text)} {subject.context}"):
        return subject, frozenset()
    shown = _of_passages(given)
    only = _those(edition, shown) if shown else (yield from _of_version(edition, subject))
    if not only:
        year = f"in {edition.mark}"
        text = subject.text if edition.nouns else subject.text.replace(edition.said, year, 1)
        context = subject.context if edition.mark in text else f"{subject.context} {edition.mark}".strip()
        return replace(subject, text=text, context=context), only
    stays = subject.document if subject.document in only else min(only) if len(only) == 1 else None
    return replace(subject, text=edition.left_out(subject.text), topic="", document=stays), only


def of_its_year(asked: Asked, passages: Sequence[Passage]) -> tuple[Asked, list[Passage]]:
    """What is asked without its year, and the passages of documents of that year's version."""
    edition = year_of(asked.text)
    if edition is None:
        return asked, []
    documents = _those(edition, _of_passages(passages))
    text = edition.left_out(asked.text)
    return replace(asked, text=text), [one for one in passages if one.document in documents]


def _of_version(edition: Edition, subject: Meant) -> Navigation[frozenset[str]]:
    """The documents of that version: cited last, or beside those, or called so, or beside what is found."""
    cited = [Listed(one.document, one.title, one.standing) for one in subject.cited]
    found = _those(edition, cited)
    if not found:
        found = yield from _beside(edition, cited)
    for noun in edition.nouns:
        listed = (yield CONTENTS, {"find": noun}) if not found else Looked()
        found = found or _those(edition, listed.documents)
    if not found and not edition.nouns and not cited:
        hits = yield SEARCH, {"query": edition.left_out(subject.text) or subject.text}
        shown = _of_passages(hits.passages)
        found = _those(edition, shown) or (yield from _beside(edition, shown))
    return found


def _of_passages(passages: Iterable[Passage]) -> list[Listed]:
    """The documents of passages, in order."""
    return list(dict.fromkeys(Listed(one.document, one.document_title, one.standing) for one in passages))


def _beside(edition: Edition, documents: Sequence[Listed]) -> Navigation[frozenset[str]]:
    """Documents of that version with the same title as one of these, years and numbers aside."""
    names = dict.fromkeys(plain_name(one.title) for one in documents)
    for name in list(filter(None, names))[:_MOST_TITLES]:
        if not edition.is_called(name):
            continue
        listed = yield CONTENTS, {"find": name}
        same = [one for one in listed.documents if plain_name(one.title).casefold() == name.casefold()]
        found = _those(edition, same)
        if found:
            return found
    return frozenset()


def _those(edition: Edition, listed: Iterable[Listed]) -> frozenset[str]:
    return frozenset(
        one.document
        for one in listed
        if edition.is_of(one.standing, one.title, one.document.rpartition("/")[2])
        and edition.is_called(one.title, one.document.rpartition("/")[2])
    )
