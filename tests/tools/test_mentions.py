"""What the best passages name is moved up; codes and quoted phrases count as they are written."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from pincite.corpus.query_words import adjacent_words, content_words, quoted_phrases
from pincite.corpus.rows import ChunkHit
from pincite.tools.fuse import fuse_hybrid
from pincite.tools.mentions import holds, raise_adjacent, raise_exact, raise_mentioned
from pincite.tools.second_step import queries


def hit(title: str, text: str, score: float, section: str = "s", start: int = 0) -> ChunkHit:
    return ChunkHit(
        document=title, document_title=title, version="v", section=section, number=None, path=(), page=None,
        page_end=None, line=None, start=start, end=start + 1, text=text, label=title, score=score,
    )  # fmt: skip


def order(ranking: list[ChunkHit]) -> list[str]:
    return [one.document for one in ranking]


def test_a_document_that_the_best_passage_names_is_moved_up() -> None:
    ranking = [
        hit("The Old Mill", "It was built by Ada Brook in 1871.", 1.0),
        hit("Windmills", "Mills are driven by wind.", 0.5),
        hit("Ada Brook (engineer)", "She was born in Fell.", 0.3),
    ]
    assert order(raise_mentioned(ranking)) == ["The Old Mill", "Ada Brook (engineer)", "Windmills"]


def test_a_common_word_as_a_title_and_a_part_of_a_word_are_no_mention() -> None:
    ranking = [
        hit("Fees", "The lease, and Brookside too, are let.", 1.0),
        hit("other", "x", 0.5),
        hit("lease", "y", 0.3),
        hit("Brook", "z", 0.2),
    ]
    assert raise_mentioned(ranking) == ranking


def test_a_code_and_a_quoted_phrase_count_as_written() -> None:
    ranking = [
        hit("A", "ISO 9001 and later 14001", 0.55),
        hit("B", "certified to ISO-9001", 0.5),
        hit("C", "no", 0.4),
    ]
    assert order(raise_exact("who needs ISO-9001?", ranking)) == ["B", "A", "C"]
    phrases = [hit("A", "in good faith and time", 0.52), hit("B", "Time in good order", 0.5)]
    assert order(raise_exact('what is "good order"', phrases)) == ["B", "A"]
    assert raise_exact("no code here, but 2021", ranking) == ranking
    listed = [hit("A", "fees", 0.6), hit("B", "1) rents", 0.5)]
    assert raise_exact("either 1) fees or 2) rents", listed) == listed


# What makes codes, phrases, names and pairs of words, in any order.
QUERIES = st.text() | st.lists(
    st.sampled_from([*"aZ19.,:;/-()[]\"'«»„“ \n\u2011\u00a0٣", "ISO", "and", " or ", "Ada Brook", "1,000"])
).map("".join)


@given(QUERIES, QUERIES)
@example("any and/or,2 things", "and / or")
@example("non-compete:x,5", "x")
def test_no_query_and_no_text_is_too_odd_to_be_ordered(query: str, text: str) -> None:
    ranking = [hit("A", text, 0.6), hit("B", f"{query} {text}", 0.5), hit(text, "c", 0.4)]
    for ordered in (raise_exact(query, ranking), raise_adjacent(query, ranking), raise_mentioned(ranking)):
        assert sorted(one.key for one in ordered) == sorted(one.key for one in ranking)
    assert len(queries(query, ranking)) <= 3


def test_what_all_candidates_hold_gains_nothing() -> None:
    ranking = [hit("A", "clause 4.2(b)", 0.6), hit("B", "clause 4.2(b)", 0.5)]
    assert raise_exact("clause 4.2(b)", ranking) == ranking
    assert not holds("clause 14.2(b)", "4.2(b)")
    assert holds("see 4.2(B).", "4.2(b)", fold=True)


def test_vectors_count_more_where_no_word_stands_out() -> None:
    flat = [hit(f"k{n}", "", 5.0 - 0.01 * n) for n in range(12)]
    steep = [hit(f"k{n}", "", 20.0 if n == 0 else 5.0 - 0.01 * n) for n in range(12)]
    vector = [hit("v", "", 0.9), *(hit(f"w{n}", "", 0.5 - 0.01 * n) for n in range(12))]
    assert fuse_hybrid(flat, vector)[0].document == "v"
    assert fuse_hybrid(steep, vector)[0].document == "k0"


def test_a_section_of_which_several_parts_fit_comes_before_a_single_stray_chunk() -> None:
    vector = [
        hit("stray", "", 0.80, start=0),
        hit("about", "", 0.79, start=0),
        hit("about", "", 0.78, start=9),
        hit("stray", "", 0.30, start=9),
    ]
    fused = fuse_hybrid([], vector)
    assert fused[0].document == "about"
    assert [one.score for one in fused] == sorted((one.score for one in fused), reverse=True)
    assert (fused[0].score, fused[-1].score) == (1.0, 0.0)
    assert fuse_hybrid([], []) == []


def test_function_words_of_the_query_s_language_are_not_looked_up() -> None:
    assert content_words("What is the notice period of the lease?") == "notice period lease?"
    assert content_words("Wie hoch ist die Miete nach dem Vertrag?") == "hoch Miete Vertrag?"
    assert content_words("what is it") == "what is it"
    assert content_words("die casting") == "die casting"
    assert content_words("is it not without notice") == "not without notice"
    assert content_words('the phrase "to be or not" stays') == 'phrase "to be or not" stays'
    assert content_words("租金是多少") == "租金是多少"
    assert quoted_phrases("“good order” and 'x'") == ("good order",)


def test_a_named_document_stays_behind_and_brings_its_best_passage_only() -> None:
    ranking = [
        hit("Quayside Fund", "Orders follow the Dealing Policy.", 1.0),
        hit("Dealing Policy", "the cut-off time", 0.9, "a"),
        hit("Other Fund", "the cut-off time", 0.8),
        hit("Dealing Policy", "late orders", 0.7, "b"),
        hit("Dealing Policy", "holidays", 0.2, "c"),
    ]
    raised = raise_mentioned(ranking)
    assert [(one.document, one.section) for one in raised] == [
        ("Quayside Fund", "s"),
        ("Dealing Policy", "a"),
        ("Other Fund", "s"),
        ("Dealing Policy", "b"),
        ("Dealing Policy", "c"),
    ]
    assert raised[0].score > raised[1].score > 0.99


def test_words_side_by_side_count_as_a_term() -> None:
    query = "Which liquidity classes is the Brook Fund in?"
    assert adjacent_words(query) == ("liquidity classes", "brook fund")
    ranking = [
        hit("A", "A liquidity risk and a risk class of the Brook Fund.", 0.52),
        hit("B", "The Brook Fund is in liquidity\nclasses D and E.", 0.5),
    ]
    assert order(raise_adjacent(query, ranking)) == ["B", "A"]
    assert raise_adjacent("liquidity", ranking) == ranking
    assert adjacent_words("rent, fees and the deposit") == ()
