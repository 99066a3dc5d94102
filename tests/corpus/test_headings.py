from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.corpus.headings import find_headings
from pincite.corpus.labels import parse_label, roman, split_number
from pincite.corpus.lines import Line, lines_of
from pincite.corpus.sections import build_sections


def _tree(text: str) -> list[str]:
    """The headings as lines, each indented by its level."""
    sections = build_sections(
        text, find_headings(lines_of(text)), title="T", count=lambda words: len(words.split())
    )
    return ["  " * (section.level - 1) + section.path[-1] for section in sections if section.has_heading]


@pytest.mark.parametrize(
    ("heading", "number", "title"),
    [
        ("4.2 Payment", "4.2", "Payment"),
        ("1. Definitions", "1", "Definitions"),
        ("6.0 Force Majeure", "6.0", "Force Majeure"),
        ("1 Introduction", "1", "Introduction"),
        ("2A. Additional Duties", "2A", "Additional Duties"),
        ("Article 6 Lawfulness of processing", "Article 6", "Lawfulness of processing"),
        ("ARTICLE ONE - DEFINITIONS", "ARTICLE ONE", "DEFINITIONS"),
        ("Art. 6(1)(f)", "Art. 6(1)(f)", ""),
        ("Article 1er Objet", "Article 1er", "Objet"),
        ("Clause 11.3", "Clause 11.3", ""),
        ("Section 7 Fees", "Section 7", "Fees"),
        ("§ 7", "§ 7", ""),
        ("§ 12a Kaution", "§ 12a", "Kaution"),
        ("§ 2-1801.03(a)(1) Terms", "§ 2-1801.03(a)(1)", "Terms"),
        ("Annex I", "Annex I", ""),
        ('SCHEDULE "A" – PRICES', 'SCHEDULE "A"', "PRICES"),
        ("Item 7A. Risk", "Item 7A", "Risk"),
        ("Kapitel II: Grundsätze", "Kapitel II", "Grundsätze"),
        ("Capítulo III. Objeto", "Capítulo III", "Objeto"),
        ("A.1 Prompts", "A.1", "Prompts"),
        ("(a) In general", "(a)", "In general"),
        ("IV. Terms", "IV", "Terms"),
        ("第2条 契約期間", "第2条", "契約期間"),
        ("2023 Results", None, "2023 Results"),
        ("3 ways out", None, "3 ways out"),
        ("4.5 % fixed", None, "4.5 % fixed"),
        ("Part of the problem", None, "Part of the problem"),
        ("Title Insurance", None, "Title Insurance"),
        ("Article", None, "Article"),
        ("No Assignment", None, "No Assignment"),
    ],
)
def test_the_number_is_told_from_the_title(heading: str, number: str | None, title: str) -> None:
    assert split_number(heading) == (number, title)


@pytest.mark.parametrize(
    ("word", "value"), [("iv", 4), ("XLII", 42), ("MCMXC", 1990), ("iiii", None), ("", None), ("ab", None)]
)
def test_roman_numerals(word: str, value: int | None) -> None:
    assert roman(word) == value


def test_clauses_that_stand_alone_and_clauses_that_run_into_their_text() -> None:
    text = """SUPPLY AGREEMENT

This Agreement is made between the parties.

1. Definitions. In this Agreement the words below have these meanings.

2. Delivery; Risk. The Supplier shall deliver as follows:
(a) on time; and
(b) in full.

3. PRICE

3.1 Fees. The fees are set out in Schedule A.

3.2 Late Payment

Interest is due under Section 3.1 above.

Section 9 of the Act applies. See also clause
4. which is not here.

4. Term. Two years."""
    assert _tree(text) == [
        "SUPPLY AGREEMENT",
        "1 Definitions.",
        "2 Delivery; Risk.",
        "3 PRICE",
        "  3.1 Fees.",
        "  3.2 Late Payment",
        "4 Term.",
    ]


def test_an_act_with_chapters_sections_and_articles() -> None:
    lines = (
        "CHAPTER I/GENERAL PROVISIONS/Article 1/Subject matter/It applies to all./Article 2/Scope/"
        "1. It applies./CHAPTER II/HIGH RISK/SECTION 1/Classes/Article 3/Rules/Text of it./"
        "Article 4/Terms/Text./"
        "SECTION 2/Duties/Article 5/Makers/Text./Article 6/Users/Text./ANNEX I/List of acts/1. An act."
    )
    text = lines.replace("/", "\n\n")
    assert _tree(text) == [
        "CHAPTER I GENERAL PROVISIONS",
        "  Article 1 Subject matter",
        "  Article 2 Scope",
        "CHAPTER II HIGH RISK",
        "  SECTION 1 Classes",
        "    Article 3 Rules",
        "    Article 4 Terms",
        "  SECTION 2 Duties",
        "    Article 5 Makers",
        "    Article 6 Users",
        "ANNEX I List of acts",
    ]


def test_sections_below_articles_where_they_start_again_in_each() -> None:
    text = "\n\n".join(
        f"ARTICLE {article}\n\n"
        + "\n\n".join(f"Section {n}. {article} Words {n}\n\nSome text." for n in (1, 2, 3))
        for article in ("I", "II")
    )
    assert _tree(text)[:4] == [
        "ARTICLE I",
        "  Section 1 I Words 1",
        "  Section 2 I Words 2",
        "  Section 3 I Words 3",
    ]


def test_a_german_contract() -> None:
    text = (
        "Mietvertrag\n\n§ 1 Mietsache\n(1) Vermietet wird die Wohnung.\n\n"
        "§ 2 Miete\nDie Miete ist nach\n§ 3 Abs. 2 fällig.\n\n§ 3 Kaution\n\nDrei Mieten."
    )
    assert _tree(text) == ["§ 1 Mietsache", "§ 2 Miete", "§ 3 Kaution"]


def test_lines_in_capitals_alone() -> None:
    text = (
        "PRIVACY POLICY\n\nWe care.\n\nWHAT WE COLLECT\n\n1. Names.\n2. Mails.\n\n"
        "HOW WE USE IT\n\nTo answer. IN CAPITALS WE SAY:\nNO WARRANTY.\n\nCONTACT\n\nWrite."
    )
    assert _tree(text) == ["PRIVACY POLICY", "WHAT WE COLLECT", "HOW WE USE IT", "CONTACT"]


def test_a_table_of_contents_is_no_tree() -> None:
    entries = ["1. Definitions", "2. Delivery", "3. Price", "4. Term", "5. Law"]
    body = "\n\n".join(f"{entry}\n\nThe text of this clause, which says what holds." for entry in entries)
    expected = [entry.replace(".", "", 1) for entry in entries]
    for listed in (
        "\n".join(entries),
        "\n".join(f"{entry} {n}" for n, entry in enumerate(entries, 3)),
        "\n".join(f"{entry} ........ {n}" for n, entry in enumerate(entries, 3)),
    ):
        assert [line for line in _tree(f"CONTENTS\n\n{listed}\n\n{body}") if line != "CONTENTS"] == expected


@pytest.mark.parametrize(
    "text",
    [
        "The parties agree as set out in\nSection 4.2 Payment of the fees is due.",
        "It has come to pass that\n12. March was the day.",
        "Total\n\n313 Fergus Falls 491 23 93 19\n\n314 New Ulm 592 79 27 159\n\nend",
        "He was filed under\n\nChapter 11 Case No.\n\nand that was it.",
        "1. To answer you.\n2. To improve the service.\n3. To bill.",
        "A. Smith and B. Jones were there.",
        '"LIBOR"\n\nmeans the rate.',
    ],
)
def test_sentences_lists_and_tables_are_no_headings(text: str) -> None:
    assert _tree(text) == []


def test_an_exhibit_number_at_the_top_says_only_where_the_text_was_filed() -> None:
    text = (
        "Exhibit 10.5\n\nRESELLER AGREEMENT\n\nText.\n\n"
        "1. Term\n\nTwo years.\n\n2. Law\n\nOurs.\n\nEXHIBIT A\n\nPrices\n\nTen."
    )
    assert _tree(text) == ["RESELLER AGREEMENT", "1 Term", "2 Law", "EXHIBIT A Prices"]


def test_a_file_that_holds_one_section_of_a_code() -> None:
    assert _tree("§63. Taxable income defined\n\n(a) In general\n\nExcept as provided, it means this.") == [
        "§63 Taxable income defined",
        "  (a) In general",
    ]


def test_print_larger_than_the_body_makes_headings() -> None:
    rows = [
        ("Fund", 1),
        ("", 0),
        ("Costs", 2),
        ("The charge is due.", 0),
        ("", 0),
        ("Risks and", 2),
        ("returns", 2),
        ("They may fall.", 0),
    ]
    lines, at = [], 0
    for text, scale in rows:
        lines.append(Line(text, at, scale))
        at += len(text) + 1
    headings = find_headings(lines)
    whole = "\n".join(text for text, _ in rows)
    assert [whole[h.start : h.end] for h in headings] == ["Fund", "Costs", "Risks and\nreturns"]
    assert headings[0].level < headings[1].level == headings[2].level


@given(
    st.lists(
        st.sampled_from(
            [
                "1. Foo",
                "2. Bar",
                "1.1 Baz",
                "Article 3",
                "SECTION II",
                "ANNEX A",
                "CAPITALS HERE",
                "text.",
                "",
                "§ 4 Qux",
                "Article premier",
                "TITRE IER - OBJET",
                "Artículo 4 bis. Objeto",
                "Sección 1.ª Principios",
                "TÍTULO PRELIMINAR",
                "IV. TERMS",
                "B. Scope",
                "(a) In general",
                "7. The Supplier shall deliver what was ordered within ten days of the order.",
                "Whereas:",
                "(1) The first reason is that it must be so.",
                "(2) The second reason follows from the first.",
                "EXHIBIT B",
                "7",
                "Foo ... 3",
            ]
        ),
        max_size=40,
    )
)
def test_headings_are_in_order_and_do_not_overlap(rows: list[str]) -> None:
    text = "\n".join(rows)
    at = 0
    for heading in find_headings(lines_of(text)):
        assert at <= heading.start <= heading.end <= len(text)
        assert text[heading.start : heading.end].strip() or heading.number or heading.title
        at = heading.end


@given(st.text(max_size=80))
def test_any_line_can_be_asked_for_its_number(line: str) -> None:
    label = parse_label(line)
    assert label is None or label.number


CONTRACTS = Path(__file__).parents[2].parent / "shared" / "data" / "cuad" / "full_contract_txt"


@pytest.mark.skipif(not CONTRACTS.exists(), reason="the shared data are not here")
def test_no_heading_of_a_real_contract_is_a_long_sentence() -> None:
    count = 0
    for path in sorted(CONTRACTS.glob("*.txt")):
        text = path.read_text()
        for heading in find_headings(lines_of(text)):
            words = " ".join(text[heading.start : heading.end].split())
            count += 1
            assert len(words) < 250, words
            assert " shall " not in words, words
    assert count > 1000


def _of(text: str) -> list[str]:
    return [line for line in _tree(text) if line.strip() not in ("ACT", "DEED")]


def test_clauses_inside_a_line_that_holds_a_page() -> None:
    page = (
        "SERVICE AGREEMENT This agreement is made between Ann and Bo, who agree as follows: "
        "1. Services. Ann shall "
        "serve Bo as set out in Section 4. The service begins in May. 2. FEES 2.1 Amount The "
        "fee is ten. See also "
        "clause 3. COSTS are his. 3. COSTS Each party bears its own. 4. Term. It ends in June "
        "of the same year."
    )
    assert _of(page) == ["1 Services.", "2 FEES", "3 COSTS", "4 Term."]


def test_clauses_without_titles_are_counted_where_nothing_else_is() -> None:
    clause = (
        "The Recipient shall keep all that the Discloser says under this deed secret for as long as it must, "
        "and shall ask each of its advisers to whom it has to show any of it to do the same in writing"
    )
    text = "DEED\n\n" + "\n\n".join(f"{n}. {clause}, and shall not tell anybody, ever." for n in range(1, 5))
    assert _of(text) == ["1", "2", "3", "4"]
    mixed = text.replace(f"2. {clause}", f"2. Exceptions. {clause}")
    assert _of(mixed) == ["1", "2 Exceptions.", "3", "4"]


def test_a_plain_number_goes_on_where_a_word_was_printed_before() -> None:
    text = (
        "Section 1. Scope\n\nIt applies.\n\nSection 2. Fees\n\nTen.\n\n3.0 Force Majeure. Nobody is liable."
    )
    assert _tree(text) == ["Section 1 Scope", "Section 2 Fees", "3.0 Force Majeure."]


def test_plain_counts_nest_as_the_text_begins_them() -> None:
    text = (
        "I. INTRODUCTION\n\nHello.\n\nA. Purpose\n\nThis.\n\nB. Scope\n\nAll.\n\nII. "
        "HOURS\n\nA. Work\n\nEight.\n\n"
        "B. Breaks\n\n1. Lunch\n\nAt noon.\n\n2. Coffee\n\nAt ten."
    )
    assert _tree(text) == [
        "I INTRODUCTION",
        "  A Purpose",
        "  B Scope",
        "II HOURS",
        "  A Work",
        "  B Breaks",
        "    1 Lunch",
        "    2 Coffee",
    ]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (
            "TITRE IER - OBJET/Chapitre premier : Champ/Article premier/La loi vaut./Article 2 - "
            "Termes/Un port./"
            "TITRE II - PEINES/Article 3 bis/Une amende./Annexe A - Tarifs/Dix.",
            [
                "TITRE IER OBJET",
                "  Chapitre premier Champ",
                "    Article premier",
                "    Article 2 Termes",
                "TITRE II PEINES",
                "  Article 3 bis",
                "Annexe A Tarifs",
            ],
        ),
        (
            "TÍTULO PRELIMINAR/Artículo 1. Objeto./La ley./TÍTULO I/De los puertos/CAPÍTULO I/Normas/"
            "Sección 1.ª Principios/Artículo 2. Términos./Un puerto./Artículo 3. Registro/Uno./"
            "Anexo I/Tarifas/Diez.",
            [
                "TÍTULO PRELIMINAR",
                "  Artículo 1 Objeto.",
                "TÍTULO I De los puertos",
                "  CAPÍTULO I Normas",
                "    Sección 1.ª Principios",
                "      Artículo 2 Términos.",
                "      Artículo 3 Registro",
                "Anexo I Tarifas",
            ],
        ),
        (
            "Teil 1/Allgemeines/Abschnitt 1/Anwendung/§ 1 Zweck/(1) Es gilt./§ 2 Begriffe/Ein "
            "Hafen./Abschnitt 2/"
            "Betrieb/§ 3 Register/Nach § 2 ist eines zu führen./§ 3a (weggefallen)/Anlage 1 (zu § "
            "3)/Muster/Zeile.",
            [
                "Teil 1 Allgemeines",
                "  Abschnitt 1 Anwendung",
                "    § 1 Zweck",
                "    § 2 Begriffe",
                "  Abschnitt 2 Betrieb",
                "    § 3 Register",
                "    § 3a (weggefallen)",
                "Anlage 1 (zu § 3) Muster",
            ],
        ),
        (
            "PART 1/PRELIMINARY/1 Overview/(1) This Act is about goods./2 Interpretation/In this "
            "Act it is so./"
            "PART 2/DUTIES/3 Duty to label goods/(1) A seller must label goods.",
            [
                "PART 1 PRELIMINARY",
                "  1 Overview",
                "  2 Interpretation",
                "PART 2 DUTIES",
                "  3 Duty to label goods",
            ],
        ),
    ],
)
def test_acts_of_other_countries(lines: str, expected: list[str]) -> None:
    assert _tree(lines.replace("/", "\n\n")) == expected


def test_recitals_are_sections_below_a_preamble() -> None:
    text = (
        "REGULATION ON HARBOURS\n\nTHE COUNCIL,\n\nWhereas:\n\n(1) Harbours matter.\n\n(2) "
        "They need rules.\n\n"
        "HAS ADOPTED THIS REGULATION:\n\nArticle 1\n\nScope\n\nIt applies.\n\nArticle 2\n\nEntry\n\nNow."
    )
    sections = build_sections(text, find_headings(lines_of(text)), title="T", count=len)
    shown = [
        (s.level, s.number, text[s.start : s.end]) for s in sections if (s.number or "").startswith("Rec")
    ]
    assert shown == [(2, "Recital 1", "(1) Harbours matter."), (2, "Recital 2", "(2) They need rules.")]
    assert [s.path[-1] for s in sections if s.level == 1][-2:] == ["Article 1 Scope", "Article 2 Entry"]
    assert "HAS ADOPTED THIS REGULATION" in [s.title for s in sections if not s.has_heading]


def test_an_annex_that_runs_over_pages_is_one() -> None:
    text = (
        "1. Scope. It applies.\n\n2. Fees. Ten.\n\nEXHIBIT A\n\nPrices\n\nOne.\n\nEXHIBIT "
        "A\n\nPrices\n\nTwo.\n\n"
        "EXHIBIT B\n\nTerms\n\nThree."
    )
    assert _tree(text) == ["1 Scope.", "2 Fees.", "EXHIBIT A Prices", "EXHIBIT B Terms"]


def test_a_numeral_that_stands_between_does_not_end_the_count() -> None:
    clause = "The seller keeps each field book for ten years and shows it to the buyer on request. "
    numerals = ("I", "II", "III", "IV", "I", "V", "VI")
    text = "\n\n".join(f"{numeral}. BOOKS\n\n{clause * 3}" for numeral in numerals)
    assert _tree(text) == [f"{numeral} BOOKS" for numeral in ("I", "II", "III", "IV", "V", "VI")]


def test_titles_that_end_with_a_stop_and_provisions_behind_the_articles() -> None:
    text = (
        "Artículo 1. Ámbito de aplicación.\n\nEsta ley regula los palomares de los pueblos.\n\n"
        "Artículo 2. Libro de registro.\n\n1. El titular lleva un libro de registro.\n\n2. Lo guarda.\n\n"
        "Disposición adicional primera. Palomares antiguos.\n\nSe adaptarán en tres años.\n\n"
        "DISPOSICIÓN FINAL ÚNICA\n\nEntra en vigor en mayo.\n\nANEXO\nModelo de libro\n\nFecha y firma."
    )
    assert _tree(text) == [
        "Artículo 1 Ámbito de aplicación.",
        "Artículo 2 Libro de registro.",
        "Disposición adicional primera Palomares antiguos.",
        "DISPOSICIÓN FINAL ÚNICA",
        "ANEXO Modelo de libro",
    ]


def test_clauses_behind_acronyms_gaps_and_dashes_inside_long_lines() -> None:
    words = "The fund files the statement and sends a copy of it to each of the holders without delay. " * 2
    text = (
        f"SECTION 1. SERVICES {words}Papers are filed with the SEC. SECTION 2. TERM {words}\n\n"
        f"SECTION 3. FEES {words}\n\n"
        "SCHEDULE A - The Products Honey of the northern hives, wax of the southern ones, and candles of "
        f"every size that the yard can make SCHEDULE B - Least Amounts {words}\n\n"
        f"SCHEDULE C - THE PLACES {words}"
    )
    assert [one.split(" ")[1] for one in _tree(text)] == ["1", "2", "3", "A", "B", "C"]


def test_a_number_without_a_stop_before_capitals_begins_a_clause() -> None:
    clause = "The buyer shall have the chance to read the release before it is sent. " * 3
    first = f"1   PRICE\n\n{clause}\n\n2   REGULATION  FD\n\n{clause}"
    joined = f"{first}\n\n3   KCI  AUTHORIZATION KCI represents {clause}"
    below = (
        f"1 PRICE\n\n{clause}\n\n2 REGULATION FD\n\n{clause}\n\n3 KCI AUTHORIZATION\nKCI represents {clause}"
    )
    assert [one.split()[0] for one in _tree(joined)] == ["1", "2", "3"]
    assert _tree(below) == ["1 PRICE", "2 REGULATION FD", "3 KCI AUTHORIZATION"]


def test_numbers_in_front_of_articles_count_recitals() -> None:
    recital = "The seller keeps bees in the north and sells the honey of its hives to shops in the town. " * 2
    text = "WHEREAS:\n\n" + "\n\n".join(f"{n}. {recital}" for n in (1, 2, 3))
    text += "".join(f"\n\nARTICLE {word}\nTITLE\n\n{recital}" for word in ("ONE", "TWO", "THREE"))
    assert [one for one in _tree(text) if one.strip()[0].isdigit()] == []
