"""A passage knows where each of its words stands in the source."""

from pincite.tools.passage import Passage


def passage(text: str, start: int, end: int) -> Passage:
    places = ((100, 4, 12), (120, 5, 1))
    return Passage(
        handle="P1",
        document="lease.pdf",
        document_title="Lease",
        version="v",
        section="s1",
        page=4,
        page_end=5,
        line=12,
        places=places,
        start=start,
        end=end,
        text=text,
    )


def test_words_behind_a_page_break_stand_on_the_later_page() -> None:
    shown = passage("Rent is due early. \nInterest is five percent.", 100, 145)
    at = shown.text.index("Interest")
    start, end = shown.span_of(at, at + 8)
    assert (start, end) == (120, 128)
    assert shown.place_at(start) == (5, 1)
    assert shown.place_at(119) == (4, 12)


def test_a_repeated_header_does_not_shift_the_words_under_it() -> None:
    shown = passage("Term\tRate\n24 months\t5.1 %", 110, 125)
    at = shown.text.index("24 months")
    assert shown.span_of(at, at + 9) == (110, 119)
    assert shown.span_of(0, 4) == (110, 125)


def test_without_inner_places_the_passage_stands_where_it_begins() -> None:
    shown = passage("Rent is due early.", 100, 118).model_copy(update={"places": ()})
    assert shown.place_at(110) == (4, 12)
