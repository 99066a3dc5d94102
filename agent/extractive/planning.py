"""What to look up for a question, and when there is enough to answer: one part of it after the other."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field, replace

from pincite.agent.extractive.choosing import Finding, Similarity, choose
from pincite.agent.extractive.compose import Statement
from pincite.agent.extractive.conversation import Arguments, Looked
from pincite.agent.extractive.followup import Kind, Meant, Turn, meant
from pincite.agent.extractive.given import nearest
from pincite.agent.extractive.named import named_document
from pincite.agent.extractive.navigating import Navigation, T, by_contents, read_place, speaks_of
from pincite.agent.extractive.opening import WORDS as OPENING_WORDS
from pincite.agent.extractive.opening import asked_opening
from pincite.agent.extractive.parts import context_of, parts_of
from pincite.agent.extractive.pointing import named_place
from pincite.agent.extractive.question import Asked
from pincite.agent.extractive.scoring import Candidate
from pincite.agent.extractive.smalltalk import is_small_talk
from pincite.agent.extractive.staying import choose_after, unsaid
from pincite.agent.extractive.versions import of_its_year, versioned
from pincite.agent.tooling import READ, SEARCH
from pincite.tools.passage import Passage

# Look-ups for one question, the first search of each part aside: the budgets of a question allow more.
MOST_LOOKUPS = 8
_MOST_STATEMENTS = 3
_QUERY_CHARS = 1_000
# Passages of a search with two queries.
_ALONE_LIMIT = 8


@dataclass(frozen=True, slots=True)
class Wanted:
    """A call that the plan needs next."""

    tool: str
    arguments: Arguments


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer: statements, and the parts for which there is no evidence."""

    statements: tuple[Statement, ...]
    unanswered: tuple[str, ...]

    @property
    def status(self) -> str:
        """answered, partial or not_found."""
        if not self.statements:
            return "not_found"
        return "partial" if self.unanswered else "answered"


Plan = Generator[Wanted, Looked, Reply]


def plan(
    question: str, earlier: Sequence[Turn], similarity: Similarity | None, given: Sequence[Passage] = ()
) -> Plan:
    """Yields the calls it needs, is sent what they gave, and returns the answer.

    `given` are all passages there are, where nothing needs to be searched.
    """
    subject = subject_of(question, earlier)
    subject, only = yield from _asked(versioned(subject, given))
    place = named_place(subject.text)
    if place is not None and place.alone:
        place = replace(place, document=min(only, default=place.document))
        said = yield from _asked(read_place(place, subject.text, subject.document, subject.place))
        if said:
            return Reply(said, ())
    parts = parts_of(subject.text)
    work = _Work(similarity, most=_MOST_STATEMENTS if len(parts) == 1 else 2, given=given, only=only)
    findings: list[Finding] = []
    for number, part in enumerate(parts):
        answers = [statement.text for finding in findings for statement in finding.statements]
        context = context_of(part, parts[:number], answers, subject.context)
        asked = Asked(part, context, subject.named)
        findings.append((yield from work.part(asked, _lead(asked, subject), len(parts) - number - 1)))
    statements = _each_once(findings)
    if place is not None and place.alone:
        statements = [one for one in statements if speaks_of(work.seen[one.handle], place)]
        return Reply(tuple(statements), ())
    if len(parts) > 1 and not statements:
        whole = choose(Asked(subject.query), list(work.seen.values()), similarity, most=_MOST_STATEMENTS)
        if whole.answered:
            return Reply(whole.statements, ())
    unanswered = [part for part, finding in zip(parts, findings, strict=True) if not finding.answered]
    return Reply(tuple(statements), tuple(unanswered))


def _asked(navigation: Navigation[T]) -> Generator[Wanted, Looked, T]:
    """The calls of a navigation as steps of the plan."""
    try:
        call = next(navigation)
        while True:
            looked = yield Wanted(*call)
            call = navigation.send(looked)
    except StopIteration as stop:
        result: T = stop.value
        return result


@dataclass(frozen=True, slots=True)
class _Lead:
    """How to begin: what to search for, and the document that the conversation is about.

    `by_itself`: the question may have left the subject, and is then searched without its words.
    """

    search: Arguments
    document: str | None = None
    by_itself: bool = False


def subject_of(question: str, earlier: Sequence[Turn]) -> Meant:
    """What is asked after the turns before it; those about no document change nothing."""
    return meant(question, [turn for turn in earlier if not is_small_talk(turn)])


def first_search(subject: Meant) -> Arguments:
    """The arguments of the search with which a question of one part begins."""
    return _lead(Asked(subject.text, subject.context, subject.named), subject).search


def _lead(asked: Asked, subject: Meant) -> _Lead:
    """After others a question is searched with the words of the subject so far, unless it names its own."""
    query = _query(asked)
    wide = f"{query} {subject.topic}".strip()[:_QUERY_CHARS]
    if subject.kind is Kind.alone and wide != query:
        return _Lead({"queries": [query, wide], "limit": _ALONE_LIMIT})
    return _Lead({"query": wide}, subject.document, by_itself=subject.kind is Kind.open and wide != query)


def _each_once(findings: Sequence[Finding]) -> list[Statement]:
    said: dict[str, Statement] = {}
    for finding in findings:
        for statement in finding.statements:
            said.setdefault(statement.text, statement)
    return list(said.values())


@dataclass(frozen=True, slots=True)
class _State:
    """Where the work on a part stands."""

    asked: Asked
    lead: _Lead
    finding: Finding
    looked: Looked
    passages: list[Passage]

    @property
    def stays(self) -> bool:
        """Whether the document that the conversation is about answers, and with no word missing from it."""
        said = {statement.handle for statement in self.finding.statements}
        stayed = any(p.document == self.lead.document for p in self.passages if p.handle in said)
        leaves = self.lead.by_itself and unsaid(self.asked, self.passages, self.lead.document)
        return stayed and not leaves


@dataclass(slots=True)
class _Work:
    similarity: Similarity | None
    most: int
    given: Sequence[Passage] = ()
    only: frozenset[str] = frozenset()
    lookups: int = 0
    seen: dict[str, Passage] = field(default_factory=dict)

    def part(self, asked: Asked, lead: _Lead, parts_left: int) -> Generator[Wanted, Looked, Finding]:
        """Search, go on or search again when that is thin, read on where a passage is cut."""
        if self.given:
            return self._among_given(asked, lead)
        looked = yield from self._look(SEARCH, lead.search)
        passages = dict.fromkeys(looked.passages)
        finding = self._choose(asked, passages, lead)
        for step in (
            self._opening,
            self._referred,
            self._inside,
            self._by_itself,
            self._more,
            self._other_words,
            self._reading,
        ):
            if self.lookups + parts_left >= MOST_LOOKUPS:
                break
            wanted = step(_State(asked, lead, finding, looked, list(passages)))
            if wanted is None:
                continue
            found = yield from self._look(wanted.tool, wanted.arguments)
            fresh = [passage for passage in found.passages if passage not in passages]
            if fresh:
                passages |= dict.fromkeys(fresh)
                finding = self._choose(asked, passages, lead)
        document = named_document(asked, list(passages))
        if not finding.answered and document is not None and self.lookups + parts_left + 2 <= MOST_LOOKUPS:
            read = yield from _asked(by_contents(asked.terms, document))
            self.lookups += 2
            self.seen.update((passage.handle, passage) for passage in read)
            finding = self._choose(asked, passages | dict.fromkeys(read), lead)
        return self._of_year(asked, list(passages), finding)

    def _of_year(self, asked: Asked, passages: Sequence[Passage], finding: Finding) -> Finding:
        """The finding, or what answers better in documents whose version is the year asked for."""
        plain, of_year = of_its_year(asked, passages)
        said = {statement.handle for statement in finding.statements}
        if not of_year or any(passage.handle in said for passage in of_year):
            return finding
        other = choose(plain, of_year, self.similarity, most=self.most)
        better = not finding.answered or (other.odds or 0.0) > (finding.odds or 0.0)
        return other if other.answered and better else finding

    def _among_given(self, asked: Asked, lead: _Lead) -> Finding:
        near = nearest(asked, self._of_only(self.given))
        if lead.document is not None:
            near += nearest(asked, [one for one in self.given if one.document == lead.document])
        self.seen.update((passage.handle, passage) for passage in near)
        return self._choose(asked, dict.fromkeys(near), lead)

    def _choose(self, asked: Asked, passages: dict[Passage, None], lead: _Lead) -> Finding:
        shown = list(passages)
        leaves = lead.by_itself
        return choose_after(asked, shown, lead.document, self.similarity, most=self.most, may_leave=leaves)

    def _look(self, tool: str, arguments: Arguments) -> Generator[Wanted, Looked, Looked]:
        self.lookups += 1
        if tool == SEARCH and len(self.only) == 1:
            arguments = arguments | {"document": min(self.only)}
        looked = yield Wanted(tool, arguments)
        looked = replace(looked, passages=self._of_only(looked.passages))
        self.seen.update((passage.handle, passage) for passage in looked.passages)
        return looked

    def _of_only(self, passages: Sequence[Passage]) -> tuple[Passage, ...]:
        """Those of the version that is asked for; all where none is."""
        return tuple(one for one in passages if not self.only or one.document in self.only)

    def _opening(self, at: _State) -> Wanted | None:
        """The opening of the one document in question, where a question about it as a whole is answered."""
        if at.finding.opening or asked_opening(at.asked.text) is None or not at.passages:
            return None
        documents = {passage.document for passage in at.passages}
        only = documents.pop() if len(documents) == 1 else at.lead.document
        document = named_document(at.asked, at.passages) or only
        return Wanted(SEARCH, {"query": OPENING_WORDS, "document": document}) if document else None

    def _referred(self, at: _State) -> Wanted | None:
        """A section that the question names by number, in the document it names or that was found first."""
        if at.asked.reference is None or not (at.passages or at.lead.document):
            return None
        document = named_document(at.asked, at.passages) or at.lead.document or at.passages[0].document
        place = named_place(at.asked.text)
        section = place.section if place is not None else at.asked.reference
        return Wanted(READ, {"document": document, "section": section})

    def _inside(self, at: _State) -> Wanted | None:
        """The same within the document that the conversation is about, unless that was found to answer."""
        if at.lead.document is None or at.stays:
            return None
        return Wanted(SEARCH, {"query": _query(at.asked), "document": at.lead.document})

    def _by_itself(self, at: _State) -> Wanted | None:
        """The question without the subject so far, unless that was found to answer it."""
        if not at.lead.by_itself or at.stays:
            return None
        return Wanted(SEARCH, {"query": _query(at.asked)})

    def _more(self, at: _State) -> Wanted | None:
        """The next passages of the same search, unless the first ones answer."""
        if at.finding.answered or at.looked.next is None:
            return None
        return Wanted(SEARCH, at.lead.search | {"from": at.looked.next})

    def _other_words(self, at: _State) -> Wanted | None:
        """The naming words alone, within the document that the question names if it names one."""
        if at.finding.answered:
            return None
        query = at.asked.keywords[:_QUERY_CHARS]
        document = named_document(at.asked, at.passages)
        if document is not None:
            return Wanted(SEARCH, {"query": query, "document": document})
        return Wanted(SEARCH, {"query": query}) if {"query": query} != at.lead.search else None

    def _reading(self, at: _State) -> Wanted | None:
        """The section of the best hit, where its passage ends before the sentence or the list does."""
        cut: Candidate | None = at.finding.cut
        if cut is None:
            return None
        return Wanted(READ, {"document": cut.passage.document, "section": cut.passage.section})


def _query(asked: Asked) -> str:
    return f"{asked.text} {asked.context}".strip()[:_QUERY_CHARS]
