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
    assert "Words A note. mean things." in document.text
    assert "77" not in document.text


def test_numbered_paragraphs_are_addresses(read_bytes: ReadBytes) -> None:
    (scope,) = [section for section in read_bytes(ACT, "act.xml").sections if section.title == "Scope"]
    assert [unit.number for unit in scope.units] == ["1", "2", "2(a)"]


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
