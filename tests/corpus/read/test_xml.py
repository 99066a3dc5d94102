from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pincite.corpus.document import Document
from pincite.errors import ReadError

ReadBytes = Callable[..., Document]
Outline = Callable[[Document], list[tuple[int, str]]]

ACT = """<?xml version="1.0"?>
<act><meta><id>77</id></meta><title>Data Act</title>
 <chapter><num>CHAPTER I</num><heading>General</heading>
  <article><num>Article 1</num><heading>Scope</heading>
   <para><no>1.</no><text>This Act <b>applies</b> to all.</text></para>
   <para><no>2.</no><text>It does not apply to:</text>
    <list><item><no>(a)</no><p>cats;</p></item></list></para>
  </article>
  <article><num>Article 2</num><heading>Terms</heading>
   <p>Words<note><p>A note.</p></note> mean things.</p></article>
 </chapter></act>"""


def test_elements_with_a_heading_make_the_tree(read_bytes: ReadBytes, outline: Outline) -> None:
    document = read_bytes(ACT, "act.xml")
    assert document.title == "Data Act"
    assert [entry for entry in outline(document) if document.sections[0].path[-1] != entry[1]] == [
        (1, "CHAPTER I General"),
        (2, "Article 1 Scope"),
        (2, "Article 2 Terms"),
    ]
    assert "1. This Act applies to all.\n\n2. It does not apply to:\n\n(a) cats;" in document.text
    assert "Words mean things.\n\n[1] A note." in document.text
    assert "77" not in document.text


def test_numbered_paragraphs_are_addresses(read_bytes: ReadBytes) -> None:
    (scope,) = [section for section in read_bytes(ACT, "act.xml").sections if section.title == "Scope"]
    assert [unit.number for unit in scope.units] == ["1", "2", "2(a)"]


FORMEX = """<ACT><BIB.INSTANCE><LG.DOC>DE</LG.DOC></BIB.INSTANCE><TITLE><TI><P>Verordnung</P></TI></TITLE>
<PREAMBLE><PREAMBLE.INIT>DER RAT,</PREAMBLE.INIT><GR.CONSID><GR.CONSID.INIT>in Erwägung:</GR.CONSID.INIT>
<CONSID><NP><NO.P>(1)</NO.P><TXT>Ein
<QUOT.START CODE="201E"/>Hafen<QUOT.END CODE="201C"/> ist gut.</TXT></NP></CONSID>
<CONSID><NP><NO.P>(2)</NO.P><TXT>Zwei sind besser.</TXT></NP></CONSID></GR.CONSID>
<PREAMBLE.FINAL>HAT ERLASSEN:</PREAMBLE.FINAL></PREAMBLE>
<ENACTING.TERMS><ARTICLE><TI.ART>Artikel 1</TI.ART><STI.ART>Ziel</STI.ART>
<PARAG><NO.PARAG>(1)</NO.PARAG><ALINEA><P>Es gilt:</P><LIST>
<ITEM><NP><NO.P>a)</NO.P><TXT>hier;</TXT></NP></ITEM>
<ITEM><NP><NO.P>b)</NO.P><TXT>dort<NOTE><P>ABl. 1.</P></NOTE>.</TXT></NP></ITEM></LIST></ALINEA></PARAG>
<PARAG><NO.PARAG>(2)</NO.PARAG><ALINEA>Sonst nicht.</ALINEA></PARAG></ARTICLE></ENACTING.TERMS>
<FINAL><P>Geschehen.</P></FINAL></ACT>"""


def _tree(document: Document) -> list[str]:
    """Numbers and titles by level; sections without a heading in their text are marked."""
    return [
        "  " * (s.level - 1) + ("" if s.has_heading else "~") + f"{s.number or ''} {s.title}".strip()
        for s in document.sections
    ]


def test_recitals_are_sections_that_carry_their_number(read_bytes: ReadBytes) -> None:
    document = read_bytes(FORMEX, "a.xml")
    assert _tree(document) == [
        "~Verordnung",
        "~Präambel",
        "  Erwägungsgrund 1",
        "  Erwägungsgrund 2",
        "  ~HAT ERLASSEN:",
        "Artikel 1 Ziel",
        "~Geschehen.",
    ]
    (first,) = [section for section in document.sections if section.number == "Erwägungsgrund 1"]
    assert document.text[first.start : first.end] == "(1) Ein „Hafen“ ist gut."


def test_units_and_notes_of_an_article(read_bytes: ReadBytes) -> None:
    document = read_bytes(FORMEX, "a.xml")
    (article,) = [section for section in document.sections if section.number == "Artikel 1"]
    spans = {unit.number: document.text[unit.start : unit.end] for unit in article.units}
    assert spans == {
        "(1)": "(1) Es gilt:\n\na) hier;\n\nb) dort.",
        "(1)(a)": "a) hier;",
        "(1)(b)": "b) dort.",
        "(2)": "(2) Sonst nicht.",
    }
    assert document.text[article.start : article.end].endswith("[1] ABl. 1.")


USLM = """<uscDoc xmlns="http://xml.house.gov/schemas/uslm/1.0"><main><title><num value="9">Title 9—</num>
<heading>HARBORS</heading><toc><tocItem>1</tocItem></toc>
<section><num value="1">§ 1.</num><heading> Duties</heading>
<subsection><num>(a)</num><heading> In general</heading><chapeau>The master shall—</chapeau>
<paragraph><num>(1)</num><content> report; and</content></paragraph>
<paragraph><num>(2)</num><chapeau> tell—</chapeau>
<subparagraph><num>(A)</num><content> all.</content></subparagraph>
</paragraph></subsection><subsection><num>(b)</num><content> No boats.</content></subsection>
<continuation>Flush words.</continuation></section>
<section status="repealed"><num value="2">[§ 2.</num><heading> Repealed]</heading></section>
</title></main></uscDoc>"""


def test_a_code_in_uslm(read_bytes: ReadBytes) -> None:
    document = read_bytes(USLM, "usc09.xml")
    assert _tree(document) == [
        "Title 9 HARBORS",
        "  § 1 Duties",
        "    (a) In general",
        "    (b)",
        "    ~Flush words.",
        "  § 2 Repealed]",
    ]
    general = document.sections[2]
    assert [unit.number for unit in general.units] == ["(1)", "(2)", "(2)(A)"]
    outer = general.units[1]
    assert document.text[outer.start : outer.end] == "(2) tell—\n\n(A) all."


AKN = """<akomaNtoso xmlns="http://docs.oasis-open.org/legaldocml/ns/akn/3.0"><act><meta/><preface><p>
<docTitle>Loi sur les ports</docTitle></p></preface><body><chapter><num>Chapitre Ier</num>
<heading>Objet</heading><article><num>Article premier</num>
<paragraph><num>1.</num><list><intro><p>La loi règle:</p></intro>
<point><num>a)</num><content><p>les quais.</p></content></point></list></paragraph></article>
<article><num>Art. 2</num><content><p>Est remplacé par: <quotedStructure><article><num>Article 5</num>
<heading>Ancien</heading><content><p>Cité.</p></content></article></quotedStructure></p></content></article>
</chapter></body></act></akomaNtoso>"""


def test_an_act_in_akoma_ntoso_and_the_articles_it_quotes(read_bytes: ReadBytes) -> None:
    document = read_bytes(AKN, "loi.xml")
    assert document.title == "Loi sur les ports"
    assert _tree(document)[1:] == ["Chapitre Ier Objet", "  Article premier", "  Art. 2"]
    assert [unit.number for unit in document.sections[2].units] == ["1", "1(a)"]
    last = document.sections[-1]
    assert document.text[last.start : last.end] == "Est remplacé par:\n\nArticle 5 Ancien\n\nCité."


def test_a_file_that_holds_one_section_of_a_code(read_bytes: ReadBytes) -> None:
    document = read_bytes(
        '<section xmlns="https://code.dccouncil.us/schemas/dc-library"><num>2-18.03</num><heading>Fines.</heading>'
        "<text>In this chapter:</text><para><num>(a)</num><para><num>(1)</num><text>One.</text></para>"
        "<para><num>(2)</num><heading>Time. --</heading><text>Ten days.</text></para></para></section>",
        "2-18.03.xml",
    )
    assert _tree(document) == ["§ 2-18.03 Fines."]
    (section,) = document.sections
    assert [unit.number for unit in section.units] == ["(a)", "(a)(1)", "(a)(2)"]
    assert document.text[section.start : section.end].endswith("(a) (1) One.\n\n(2) Time. -- Ten days.")


def test_rows_of_cells_are_a_table(read_bytes: ReadBytes) -> None:
    document = read_bytes(
        "<d><p>x</p><TBL><ROW><CELL>A</CELL><CELL>B</CELL></ROW><ROW><CELL>1</CELL><CELL>2</CELL></ROW></TBL></d>",
        "a.xml",
    )
    ((start, end),) = document.tables
    assert document.text[start:end] == "A\tB\n1\t2"


@pytest.mark.parametrize(
    "xml",
    [
        '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>',
        '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY % p SYSTEM "file:///etc/passwd"> %p;]><a>b</a>',
        '<!DOCTYPE a [<!ELEMENT a ANY><!ENTITY x SYSTEM "file:///etc/passwd">]><a b="&x;">c</a>',
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_entity_declarations_are_refused(read_bytes: ReadBytes, xml: str, encoding: str) -> None:
    with pytest.raises(ReadError) as caught:
        read_bytes(xml.encode(encoding), "a.xml")
    assert caught.value.code == "unsafe_xml"


def test_a_document_type_elsewhere_is_never_opened(read_bytes: ReadBytes, tmp_path: Path) -> None:
    (tmp_path / "types.dtd").write_text('<!ENTITY secret "SECRET">')
    xml = f'<!DOCTYPE a SYSTEM "{(tmp_path / "types.dtd").as_uri()}"><a><p>Text.</p></a>'
    assert read_bytes(xml, "a.xml").text == "Text."


@pytest.mark.parametrize(
    ("xml", "code"),
    [
        ("<a><b>cut off", "damaged"),
        ("<a>&undeclared;</a>", "damaged"),
        ('<?xml version="1.0" encoding="no-such"?><a>x</a>', "damaged"),
        ("<a>" * 5000, "too_large"),
        ("<a/>", "empty"),
    ],
)
def test_broken_xml_gets_its_code(read_bytes: ReadBytes, xml: str, code: str) -> None:
    with pytest.raises(ReadError) as caught:
        read_bytes(xml, "a.xml")
    assert caught.value.code == code


GDPR = Path(__file__).parents[3].parent / "shared" / "data" / "gdpr_xml" / "original"


@pytest.mark.skipif(not GDPR.exists(), reason="the shared data are not here")
def test_a_regulation_in_formex_reads_as_text_with_its_articles() -> None:
    from pincite.corpus.read import read

    document = read(GDPR / "L_2016119EN.01000101.xml")
    articles = [section for section in document.sections if (section.number or "").startswith("Article ")]
    assert [section.number for section in articles] == [f"Article {n}" for n in range(1, 100)]
    (sixth,) = [section for section in articles if section.number == "Article 6"]
    assert sixth.path == ("CHAPTER II Principles", "Article 6 Lawfulness of processing")
    spans = {unit.number: document.text[unit.start : unit.end] for unit in sixth.units}
    assert spans["1(f)"].startswith(
        "(f) processing is necessary for the purposes of the legitimate interests"
    )
    assert spans["1(f)"].endswith("where the data subject is a child.")


def _bodies(document: Document) -> dict[str, str]:
    """The text of each section by the last part of its path."""
    return {section.path[-1]: document.text[section.start : section.end] for section in document.sections}


AMENDING = """<akomaNtoso xmlns="http://docs.oasis-open.org/legaldocml/ns/akn/3.0"><act><body><part>
<num>Part 1</num><heading>Lamps</heading><section><num>1</num><heading>Duty</heading><subsection>
<num>(1)</num><intro><p>A keeper must—</p></intro><paragraph><num>(a)</num><content>
<p>light it<authorialNote marker="1"><p>From May.</p></authorialNote>,</p></content></paragraph>
<paragraph><num>(b)</num><intro><p>log</p></intro><subparagraph><num>(i)</num><content><p>hours.</p>
</content></subparagraph><wrapUp><p>each night.</p></wrapUp></paragraph></subsection></section><section>
<num>2</num><heading>Amendment</heading><subsection><num>(1)</num><content><p>In section 7 for <mod>
<quotedText>“day”</quotedText></mod> substitute <mod><quotedText>“night”</quotedText></mod>.</p>
</content></subsection><subsection><num>(2)</num><content><p>After section 4 insert—<mod>
<quotedStructure><section><num>4A</num><heading>Night</heading><subsection><num>(1)</num><content>
<p>Nobody works.</p></content></subsection></section></quotedStructure></mod></p></content></subsection>
</section><section><num>3</num><heading>Fees</heading><content><p>Fees:</p><table>
<caption>Yearly</caption><tr><th><p>Lamp</p></th><th><p>Fee</p></th></tr><tr><td><p>Small</p></td><td>
<p>10</p></td></tr><tfoot><p>Net of tax.</p></tfoot></table><blockList>
<listIntroduction>There are</listIntroduction><item><num>(a)</num><blockList><listIntroduction>small
ones</listIntroduction><item><num>(i)</num><p>red.</p></item></blockList></item></blockList></content>
</section></part></body><attachments><attachment><doc><mainBody><hcontainer name="schedule">
<num>Schedule 1</num><heading>Forms</heading><paragraph><num>1</num><heading>Form A</heading><content>
<p>A form.</p></content></paragraph></hcontainer></mainBody></doc></attachment></attachments></act>
</akomaNtoso>"""


def test_what_an_act_quotes_attaches_and_lists(read_bytes: ReadBytes, outline: Outline) -> None:
    document = read_bytes(AMENDING, "a.xml")
    assert [name for _, name in outline(document)] == [
        "Part 1 Lamps", "§ 1 Duty", "§ 2 Amendment", "§ 3 Fees", "Schedule 1 Forms", "1 Form A",
    ]  # fmt: skip
    bodies = _bodies(document)
    assert bodies["§ 1 Duty"].split("\n\n") == [
        "(1) A keeper must—", "(a) light it,", "(b) log", "(i) hours.", "each night.", "[1] From May.",
    ]  # fmt: skip
    assert "In section 7 for “day” substitute “night”." in bodies["§ 2 Amendment"]
    assert "4A Night\n\n(1) Nobody works." in bodies["§ 2 Amendment"]
    assert bodies["§ 3 Fees"] == (
        "Fees:\n\nYearly\n\nLamp\tFee\nSmall\t10\n\nNet of tax.\n\nThere are\n\n(a) small ones\n\n(i) red."
    )
    units = {unit.number for section in document.sections for unit in section.units}
    assert {"(1)(b)(i)", "(a)(i)"} <= units


PUBLIC_LAW = """<pLaw xmlns="http://schemas.gpo.gov/xml/uslm" xmlns:h="http://www.w3.org/1999/xhtml">
<main><longTitle><docTitle>An Act</docTitle><officialTitle>To make lamps safe.</officialTitle>
</longTitle><section><num value="1">SECTION 1.</num><heading> Short title.</heading>
<content> This Act is the “<shortTitle>Lamp Safety Act</shortTitle>”.</content></section><section>
<num value="2">SEC. 2. </num><heading>Amendments.</heading><subsection><num>(a) </num>
<chapeau>Section 5 is amended—</chapeau><paragraph><num>(1) </num>
<content>by striking “<quotedText>day</quotedText>” and inserting
“<quotedText>night</quotedText>”<footnote><num>1</num> So in original.</footnote>; and</content>
</paragraph><paragraph><num>(2) </num><content>by adding: <quotedContent><section><num>“SEC. 6.</num>
<heading>Oil.</heading><content>Oil is clean.</content></section></quotedContent></content></paragraph>
<continuation>at once.</continuation></subsection><subsection><num>(b) </num>
<content>The amounts: <h:table><h:tr><h:th>Year</h:th><h:th>Sum</h:th></h:tr><h:tr><h:td>2030</h:td>
<h:td>5</h:td></h:tr></h:table></content></subsection></section></main></pLaw>"""


def test_an_amending_law_in_uslm(read_bytes: ReadBytes, outline: Outline) -> None:
    document = read_bytes(PUBLIC_LAW, "a.xml")
    assert document.title == "Lamp Safety Act"
    assert [name for _, name in outline(document)][1:] == ["SECTION 1 Short title.", "SEC. 2 Amendments."]
    body = _bodies(document)["SEC. 2 Amendments."]
    assert "(1) by striking “day” and inserting “night”; and" in body
    assert "Oil is clean." in body and "at once." in body and body.endswith("[1] So in original.")
    assert "Year\tSum\n2030\t5" in body
    assert [unit.number for unit in document.sections[-1].units] == ["(a)", "(a)(1)", "(a)(2)", "(b)"]


CODE = """<container xmlns="https://code.dccouncil.us/schemas/dc-library"><prefix>Chapter</prefix>
<num>1</num><heading>Keepers.</heading><section><num>9-101</num><heading>Duty.</heading><para>
<num>(a)</num><heading>Who.</heading><text>A keeper.</text></para><table><tr><td>Lamp</td><td>Fee</td>
</tr><tr><td>Small</td><td>10</td></tr></table></section><section><num>9-102</num>
<reason>Repealed</reason><heading>Oil.</heading></section></container>"""


def test_a_repealed_section_says_so_and_a_table_behind_a_paragraph_is_none_of_it(
    read_bytes: ReadBytes,
) -> None:
    document = read_bytes(CODE, "a.xml")
    titles = {section.number: section.title for section in document.sections}
    assert titles["§ 9-102"] == "Oil. [Repealed]"
    assert _bodies(document)["(a) Who."] == "A keeper."
    assert "Lamp\tFee\nSmall\t10" in document.text


TABLED = """<ACT><ENACTING.TERMS><ARTICLE><TI.ART>Article 1</TI.ART><STI.ART>Fees</STI.ART><PARAG>
<NO.PARAG>1.</NO.PARAG><ALINEA>They are:<TBL><TITLE><TI><P>Table 1</P></TI></TITLE><CORPUS><ROW>
<CELL>Lamp</CELL><CELL>Fee<NOTE><P>Net.</P></NOTE></CELL></ROW><ROW><CELL>Small</CELL><CELL>10</CELL>
</ROW></CORPUS></TBL></ALINEA></PARAG></ARTICLE></ENACTING.TERMS><ANNEX><TITLE><TI><P>ANNEX I</P></TI>
<STI><P>OILS</P></STI></TITLE><CONTENTS><GR.SEQ LEVEL="1"><TITLE><TI><NP><NO.P>1.</NO.P>
<TXT>Whale oil</TXT></NP></TI></TITLE><P>Never.</P></GR.SEQ></CONTENTS></ANNEX></ACT>"""


def test_tables_keep_their_captions_and_notes_and_annexes_their_parts(
    read_bytes: ReadBytes, outline: Outline
) -> None:
    document = read_bytes(TABLED, "a.xml")
    assert outline(document) == [(1, "Article 1 Fees"), (1, "ANNEX I OILS"), (2, "1 Whale oil")]
    assert _bodies(document)["Article 1 Fees"] == (
        "1. They are:\n\nTable 1\n\nLamp\tFee\nSmall\t10\n\n[1] Net."
    )
