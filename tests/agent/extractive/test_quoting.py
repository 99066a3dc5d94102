"""Quotes are runs of 5 to 25 words that stand in the passage."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.agent.check.quotes import Match, find_quote, too_short
from pincite.agent.extractive.quoting import MOST_WORDS, count, quotes


def nothing(run: str) -> float:
    return 0.0


def test_a_sentence_of_up_to_25_words_is_quoted_whole() -> None:
    text = "One. The tenant pays the rent on the first day of each month. Two."
    assert quotes(text, 5, 61, nothing) == ["The tenant pays the rent on the first day of each month."]


def test_a_longer_one_is_cut_at_a_clause_and_covered_by_two_quotes() -> None:
    one = "When the roof leaks after a storm that the weather office has named and measured,"
    two = "the landlord pays for the repair of the roof and for what the water spoiled in the rooms below."
    assert quotes(f"{one} {two}", 0, len(one) + len(two) + 1, nothing) == [one, two]


def test_of_a_very_long_one_the_part_that_was_asked_about_is_quoted() -> None:
    filler = " ".join(f"word{n}" for n in range(60))
    text = f"{filler} the deposit is nine hundred euros {filler}."
    found = quotes(text, 0, len(text), lambda run: float("deposit" in run))
    assert any("deposit" in quote for quote in found)
    assert all(count(quote) <= MOST_WORDS for quote in found)


def test_a_short_sentence_grows_into_its_neighbour() -> None:
    text = "It is free. Children need a ticket of their own."
    assert quotes(text, 0, 11, nothing) == ["It is free. Children need"]


def quoted(text: str, words: str) -> list[str]:
    start = text.index(words)
    return quotes(text, start, start + len(words), nothing)


def test_a_list_item_is_quoted_without_the_next_one() -> None:
    text = "Facts:\n\n- Keeper: Alma Varga Trust\n- Opened: 3 May 1999\n- Rooms: 4\n\nCome and see us."
    assert quoted(text, "Keeper: Alma Varga Trust") == ["Keeper: Alma Varga Trust"]
    assert quoted(text, "Rooms: 4") == ["Opened: 3 May 1999\n- Rooms: 4"]


def test_a_row_that_is_too_short_for_the_check_is_quoted_with_the_whole_row_before_it() -> None:
    text = "Item\tWeight\nShares of companies\t95%\nCash\t5%\n\nThe figures are of June."
    assert quoted(text, "Cash\t5%") == ["Shares of companies\t95%\nCash\t5%"]
    assert quoted(text, "Shares of companies\t95%") == ["Shares of companies\t95%"]


def test_a_short_sentence_does_not_grow_into_the_next_paragraph() -> None:
    text = "Dogs are welcome here. They stay free.\n\nCats\n\nCats stay at home."
    assert quoted(text, "They stay free.") == ["welcome here. They stay free."]


def test_a_short_passage_is_quoted_as_it_is() -> None:
    assert quotes("Opens at nine.", 0, 14, nothing) == ["Opens at nine."]
    assert quotes("Yes.", 0, 4, nothing) == []


def test_chinese_counts_characters() -> None:
    text = "承租人应当在每月的第一天支付租金。" * 6
    found = quotes(text, 0, len(text), nothing)
    assert found
    assert all(4 <= len(quote) <= 52 for quote in found)


WORD = st.text(
    st.characters(categories=["L", "N", "P", "Zs"]) | st.sampled_from("\t\n\u00a0-.,"), max_size=12
)


@settings(max_examples=150, deadline=None)
@given(st.lists(WORD, max_size=90), st.data())
def test_every_quote_is_found_again_and_has_at_most_25_words(parts: list[str], data: st.DataObject) -> None:
    text = " ".join(parts)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    for quote in quotes(text, start, end, lambda run: float(len(set(run)))):
        assert find_quote(quote, text).match is not Match.not_found
        assert not too_short(quote)
        assert count(quote) <= MOST_WORDS
