"""Where not all that was found has room, what adds most for its length is shown; else all, as ranked."""

from __future__ import annotations

from typing import Any

import pytest

from pincite.corpus.index import Index
from pincite.corpus.rows import ChunkHit, SectionRow
from pincite.corpus.scope import Scope
from pincite.corpus.sync import sync
from pincite.corpus.tokens import estimate_tokens
from pincite.tools.context import ToolLimits
from pincite.tools.passage import Passage
from pincite.tools.retrieve import Retriever
from pincite.tools.toolbox import Toolbox
from pincite.tools.worth import Hit, Worth

LONG = " ".join(f"The crane at berth {n} lifts boats of up to {n + 3} tonnes." for n in range(1, 31))
SHORT = (
    "The crane at the {name} quay lifts boats of up to {n} tonnes after the inspection of the {name} quay."
)
QUERY = {"query": "how heavy a boat does the crane lift"}


def found(text: str, rank: int = 0, tokens: int | None = None) -> Hit:
    """A hit that is all of its section."""
    hit = ChunkHit(
        document=f"{rank}.md", document_title=f"Document {rank}", version="v", section="s", number=None,
        path=(), page=None, page_end=None, line=1, start=0, end=len(text), text=text,
        label=f"Document {rank}", score=1.0,
    )  # fmt: skip
    size = estimate_tokens(text) if tokens is None else tokens
    section = SectionRow(
        document=hit.document, document_title=hit.document_title, version="v", id="s", number=None, title="",
        path=(), parent=None, level=1, position=0, tree_last=0, start=0, end=len(text), tokens=size,
        page=None, page_end=None, line=1, has_heading=False, starts=(), units=(), tables=(), text=text,
    )  # fmt: skip
    return hit, section


def passage(text: str) -> Passage:
    return Passage(
        handle="",
        document="d",
        document_title="d",
        version="v",
        section="s",
        start=0,
        end=len(text),
        text=text,
    )


def worth(texts: list[str], query: str = "how high is the fee", tokens: list[int] | None = None) -> Worth:
    sizes = tokens or [100] * len(texts)
    hits = {at: found(text, at, size) for at, (text, size) in enumerate(zip(texts, sizes, strict=True))}
    return Worth(hits, [query], 400)


def test_among_equals_the_better_rank_is_taken_and_a_short_one_before_a_long_one_of_nearly_its_rank() -> None:
    assert worth(["Fee one.", "Fee two.", "Fee three."]).best({0, 1, 2}, 400) == 0
    assert worth(["Fee one.", "Fee two."], tokens=[400, 100]).best({0, 1}, 400) == 1
    # Both would be cut to the same room.
    assert worth(["Fee one.", "Fee two."], tokens=[400, 100]).best({0, 1}, 100) == 0
    assert worth(["Fee."] * 30, tokens=[400] * 29 + [300]).best(range(30), 400) == 0


def test_a_name_of_the_question_that_nothing_shown_holds_is_worth_a_place() -> None:
    texts = ["The fee of Alder is 5.", "The fee of Alder is paid yearly.", "A fee.", "The fee of Birch is 7."]
    one = worth(texts, "Is the fee of Alder or that of Birch higher?")
    one.take(0, passage(texts[0]))
    assert one.best({1, 2, 3}, 400) == 3
    one.take(3, passage(texts[3]))
    assert one.best({1, 2}, 400) == 1
    named = worth(texts, "what do they charge")
    named.take(0, passage(texts[0]))
    assert named.best({1, 2, 3}, 400) == 1


def test_what_was_shown_word_for_word_is_worth_nothing_and_what_differs_is() -> None:
    clause = "Notice is given in writing. It ends the lease after 30 days."
    texts = [clause, clause.replace(" ", "\n"), clause.replace("30", "60"), "Other things are said here."]
    one = worth(texts)
    one.take(0, passage(texts[0]))
    assert one.best({1, 2}, 400) == 2
    assert one.best({1, 3}, 400) == 3


@pytest.fixture(scope="module")
def harbour(tmp_path_factory: pytest.TempPathFactory, encoder: Any) -> Retriever:
    """Eight short documents and four long ones about cranes."""
    root = tmp_path_factory.mktemp("harbour")
    (root / "docs").mkdir()
    for n, name in enumerate(("north", "south", "east", "west", "inner", "outer", "old", "new")):
        text = f"# {name.title()} quay\n\n## Crane\n\n{SHORT.format(name=name, n=n + 2)}\n"
        (root / "docs" / f"{name}.md").write_text(text, encoding="utf-8")
    for at in range(4):
        text = f"# Berths {at}\n\n## Crane\n\n{LONG.replace('berth ', f'berth {at}/')}\n"
        (root / "docs" / f"berths-{at}.md").write_text(text, encoding="utf-8")
    sync([root / "docs"], root / "kb", encoder=encoder)
    return Retriever(Index.open(root / "kb"), lambda: encoder)


def toolbox(harbour: Retriever, tokens: int) -> Toolbox:
    index = harbour._index
    assert isinstance(index, Index)
    return Toolbox(index, harbour, Scope(), seed="s", limits=ToolLimits(call_tokens=tokens))


def ranked(harbour: Retriever) -> list[ChunkHit]:
    return list(harbour.retrieve(QUERY["query"], Scope(), k=50).hits)


def test_what_has_room_is_shown_as_it_is_ranked(harbour: Retriever) -> None:
    order = [hit.key[:2] for hit in ranked(harbour)]
    for limit in (1, 3, 6):
        result = toolbox(harbour, 20_000).call("search", {**QUERY, "limit": limit})
        assert [(one.document, one.section) for one in result.passages] == order[:limit]
    every = toolbox(harbour, 20_000).call("search", {**QUERY, "limit": 50})
    assert len(every.passages) == len(order)
    assert every.next is None


def test_where_it_has_not_more_places_are_shown_in_their_order_and_no_room_is_left(
    harbour: Retriever,
) -> None:
    order = [hit.document for hit in ranked(harbour)]
    result = toolbox(harbour, 900).call("search", {**QUERY, "limit": 7})
    shown = [one.document for one in sorted(result.passages, key=lambda one: int(one.handle[1:]))]
    assert shown[0] == order[0]
    assert [order.index(one) for one in shown] == sorted(order.index(one) for one in shown)
    size = sum(estimate_tokens(one.text) for one in result.passages)
    assert len(shown) == 7 or 900 - size < 60
    assert size <= 900
    again = toolbox(harbour, 900).call("search", {**QUERY, "limit": 7})
    assert again.text == result.text


def test_what_was_passed_over_comes_when_the_search_goes_on(harbour: Retriever) -> None:
    tools = toolbox(harbour, 500)
    seen: list[str] = []
    following = None
    for _ in range(30):
        result = tools.call("search", {**QUERY, "limit": 6, **({"from": following} if following else {})})
        seen += [one.document for one in result.passages]
        following = result.next
        if following is None:
            break
    assert following is None
    assert set(seen) == {hit.document for hit in ranked(harbour)}


@pytest.mark.parametrize(("tokens", "limit"), [(300, 20), (500, 6), (900, 12), (900, 20), (1500, 3)])
def test_pages_that_are_turned_by_hand_show_everything_once(
    harbour: Retriever, tokens: int, limit: int
) -> None:
    seen: list[tuple[str, str]] = []
    following = None
    for _ in range(40):
        # Each call is the first of its session: no ledger knows what was shown before.
        more: dict[str, Any] = {"from": following} if following else {}
        result = toolbox(harbour, tokens).call("search", {**QUERY, "limit": limit, **more})
        seen += [(one.document, one.section) for one in result.passages]
        following = result.next
        if following is None:
            break
    assert sorted(seen) == sorted(hit.key[:2] for hit in ranked(harbour))


def test_the_best_of_each_query_is_shown(harbour: Retriever) -> None:
    queries = ["crane old quay", "berth 1/ 2/ lifts", "crane new quay inspection"]
    best = [harbour.retrieve(query, Scope(), k=1).hits[0].document for query in queries]
    result = toolbox(harbour, 600).call("search", {"queries": queries, "limit": 40})
    assert set(best) <= {one.document for one in result.passages}
