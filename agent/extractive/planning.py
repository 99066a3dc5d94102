"""What to look up for a question, and when there is enough to answer: one part of it after the other."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field

from pincite.agent.extractive.choosing import Finding, Similarity, choose
from pincite.agent.extractive.compose import Statement
from pincite.agent.extractive.conversation import Arguments, Looked
from pincite.agent.extractive.named import named_document
from pincite.agent.extractive.navigating import Navigation, T, by_contents, named_place, read_place
from pincite.agent.extractive.parts import carried_words, found_words, parts_of, points_back
from pincite.agent.extractive.question import Asked
from pincite.agent.extractive.scoring import Candidate
from pincite.agent.tooling import READ, SEARCH
from pincite.tools.passage import Passage

# Look-ups for one question, the first search of each part aside: the budgets of a question allow more.
MOST_LOOKUPS = 8
_MOST_STATEMENTS = 3
_QUERY_CHARS = 1_000


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


def plan(question: str, earlier: Sequence[str], similarity: Similarity | None) -> Plan:
    """Yields the calls it needs, is sent what they gave, and returns the answer."""
    place = named_place(question)
    if place is not None and place.alone:
        said = yield from _asked(read_place(place, question))
        if said:
            return Reply(said, ())
    parts = parts_of(question)
    work = _Work(similarity, most=_MOST_STATEMENTS if len(parts) == 1 else 2)
    findings: list[Finding] = []
    for number, part in enumerate(parts):
        answers = [statement.text for finding in findings for statement in finding.statements]
        context = _context(part, parts[:number], answers, earlier)
        findings.append((yield from work.part(Asked(part, context), parts_left=len(parts) - number - 1)))
    statements = _each_once(findings)
    if len(parts) > 1 and not statements:
        whole = choose(Asked(question), list(work.seen.values()), similarity, most=_MOST_STATEMENTS)
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


def _context(part: str, before: Sequence[str], answers: Sequence[str], earlier: Sequence[str]) -> str:
    """Words that a part needs from what came before it: an earlier part with its answer, or question."""
    if before:
        if not points_back(part):
            return ""
        return found_words(part, answers) or carried_words(part, before[-1])
    return carried_words(part, earlier[-1]) if earlier else ""


def _each_once(findings: Sequence[Finding]) -> list[Statement]:
    said: dict[str, Statement] = {}
    for finding in findings:
        for statement in finding.statements:
            said.setdefault(statement.text, statement)
    return list(said.values())


@dataclass(slots=True)
class _Work:
    similarity: Similarity | None
    most: int
    lookups: int = 0
    seen: dict[str, Passage] = field(default_factory=dict)

    def part(self, asked: Asked, *, parts_left: int) -> Generator[Wanted, Looked, Finding]:
        """Search, go on or search again when that is thin, read on where a passage is cut."""
        looked = yield from self._look(SEARCH, {"query": _query(asked)})
        passages = dict.fromkeys(looked.passages)
        finding = self._choose(asked, passages)
        for step in (self._referred, self._more, self._other_words, self._reading):
            if self.lookups + parts_left >= MOST_LOOKUPS:
                break
            wanted = step(asked, finding, looked, list(passages))
            if wanted is None:
                continue
            found = yield from self._look(wanted.tool, wanted.arguments)
            fresh = [passage for passage in found.passages if passage not in passages]
            if fresh:
                passages |= dict.fromkeys(fresh)
                finding = self._choose(asked, passages)
        document = named_document(asked, list(passages))
        if not finding.answered and document is not None and self.lookups + parts_left + 2 <= MOST_LOOKUPS:
            read = yield from _asked(by_contents(asked.terms, document))
            self.lookups += 2
            self.seen.update((passage.handle, passage) for passage in read)
            finding = self._choose(asked, passages | dict.fromkeys(read))
        return finding

    def _choose(self, asked: Asked, passages: dict[Passage, None]) -> Finding:
        return choose(asked, list(passages), self.similarity, most=self.most)

    def _look(self, tool: str, arguments: Arguments) -> Generator[Wanted, Looked, Looked]:
        self.lookups += 1
        looked = yield Wanted(tool, arguments)
        self.seen.update((passage.handle, passage) for passage in looked.passages)
        return looked

    def _referred(
        self, asked: Asked, finding: Finding, looked: Looked, passages: list[Passage]
    ) -> Wanted | None:
        """A section that the question names by number, in the document it names or that was found first."""
        if asked.reference is None or not passages:
            return None
        document = named_document(asked, passages) or passages[0].document
        place = named_place(asked.text)
        section = place.section if place is not None else asked.reference
        return Wanted(READ, {"document": document, "section": section})

    def _more(self, asked: Asked, finding: Finding, looked: Looked, passages: list[Passage]) -> Wanted | None:
        """The next passages of the same search, unless the first ones answer."""
        if finding.answered or looked.next is None:
            return None
        return Wanted(SEARCH, {"query": _query(asked), "from": looked.next})

    def _other_words(
        self, asked: Asked, finding: Finding, looked: Looked, passages: list[Passage]
    ) -> Wanted | None:
        """The naming words alone, within the document that the question names if it names one."""
        if finding.answered:
            return None
        query = asked.keywords[:_QUERY_CHARS]
        document = named_document(asked, passages)
        if document is not None:
            return Wanted(SEARCH, {"query": query, "document": document})
        return Wanted(SEARCH, {"query": query}) if query != _query(asked) else None

    def _reading(
        self, asked: Asked, finding: Finding, looked: Looked, passages: list[Passage]
    ) -> Wanted | None:
        """The section of the best hit, where its passage ends before the sentence or the list does."""
        cut: Candidate | None = finding.cut
        if cut is None:
            return None
        return Wanted(READ, {"document": cut.passage.document, "section": cut.passage.section})


def _query(asked: Asked) -> str:
    return f"{asked.text} {asked.context}".strip()[:_QUERY_CHARS]
