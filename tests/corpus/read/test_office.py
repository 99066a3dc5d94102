"""Workbooks, presentations, books and mails."""

from __future__ import annotations

import io
import sys
import zipfile
from collections.abc import Callable, Mapping
from email.message import EmailMessage
from pathlib import Path

import pytest

from pincite.corpus.document import Document
from pincite.errors import ReadError

ReadBytes = Callable[..., Document]
CONTAINER = (
    '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="OPS/book.opf"/></rootfiles></container>'
)
OPF = """<package xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:title>Harbour Manual</dc:title></metadata><manifest>
<item id="a" href="one.xhtml" media-type="application/xhtml+xml"/>
<item id="b" href="two%20b.xhtml" media-type="application/xhtml+xml"/>
<item id="n" href="nav.xhtml" media-type="application/xhtml+xml"/></manifest>
<spine><itemref idref="b"/><itemref idref="a"/></spine></package>"""


def _zip(files: Mapping[str, str]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return buffer.getvalue()


def _book(**more: str) -> bytes:
    page = "<html xmlns='http://www.w3.org/1999/xhtml'><body><h1>{}</h1><p>{}</p></body></html>"
    return _zip(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": CONTAINER,
            "OPS/book.opf": OPF,
            "OPS/one.xhtml": page.format("Moorings", "Tie twice."),
            "OPS/two b.xhtml": page.format("Berths", "Book early."),
            "OPS/nav.xhtml": page.format("Contents", "Berths, Moorings"),
            **more,
        }
    )


def test_a_book_is_read_in_the_order_of_its_spine(read_bytes: ReadBytes) -> None:
    document = read_bytes(_book(), "manual.epub")
    assert document.title == "Harbour Manual"
    assert [section.title for section in document.sections] == ["Berths", "Moorings"]
    assert "Book early." in document.text
    assert "Contents" not in document.text


def test_a_locked_book_says_so(read_bytes: ReadBytes) -> None:
    rights = (
        '<e xmlns:x="y"><x:EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#aes128-cbc"/></e>'
    )
    with pytest.raises(ReadError) as caught:
        read_bytes(_book(**{"META-INF/encryption.xml": rights}), "manual.epub")
    assert caught.value.code == "encrypted"


def _workbook() -> bytes:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    prices = book.active
    prices.title = "Prices"
    for row in (["Item", None, "Price"], ["Rope", None, 12.0], ["Buoy", None, 7.5], [None, None, None]):
        prices.append(row)
    dates = book.create_sheet("Dates")
    dates.append(["Due"])
    import datetime

    dates.append([datetime.datetime(2026, 3, 1)])
    book.create_sheet("Empty")
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def test_each_sheet_is_a_table_below_its_name(read_bytes: ReadBytes) -> None:
    document = read_bytes(_workbook(), "prices.xlsx")
    assert [section.title for section in document.sections] == ["Prices", "Dates"]
    assert [document.text[start:end] for start, end in document.tables] == [
        "Item\tPrice\nRope\t12\nBuoy\t7.5",
        "Due\n2026-03-01",
    ]


def test_a_workbook_with_entities_is_refused(read_bytes: ReadBytes) -> None:
    parts = {}
    with zipfile.ZipFile(io.BytesIO(_workbook())) as archive:
        for name in archive.namelist():
            parts[name] = archive.read(name).decode()
    parts["xl/workbook.xml"] = '<!DOCTYPE a [<!ENTITY x "y">]>' + parts["xl/workbook.xml"].partition("?>")[2]
    with pytest.raises(ReadError) as caught:
        read_bytes(_zip(parts), "prices.xlsx")
    assert caught.value.code == "unsafe_xml"


@pytest.mark.parametrize("name", ["xl/workbook.xml", "ppt/presentation.xml"])
def test_an_office_file_that_is_only_a_name_is_damaged(read_bytes: ReadBytes, name: str) -> None:
    pytest.importorskip("openpyxl")
    pytest.importorskip("pptx")
    with pytest.raises(ReadError) as caught:
        read_bytes(_zip({name: "<a/>"}), "office.xlsx")
    assert caught.value.code == "damaged"


def test_each_slide_is_a_section_and_a_page(read_bytes: ReadBytes) -> None:
    pptx = pytest.importorskip("pptx")
    show = pptx.Presentation()
    for title, text in (("Fees", "Twelve a day."), ("", "No title here.")):
        slide = show.slides.add_slide(show.slide_layouts[1])
        slide.shapes.title.text = title
        slide.placeholders[1].text = text
    table = show.slides[0].shapes.add_table(2, 2, 0, 0, 100, 100).table
    for row, words in enumerate((("Boat", "Fee"), ("Small", "12"))):
        for column, word in enumerate(words):
            table.cell(row, column).text = word
    show.slides[0].notes_slide.notes_text_frame.text = "Say it slowly."
    buffer = io.BytesIO()
    show.save(buffer)
    document = read_bytes(buffer.getvalue(), "fees.pptx")
    assert [section.title for section in document.sections] == ["Fees", "Slide 2"]
    assert "Boat\tFee\nSmall\t12" in document.text
    assert "Notes: Say it slowly." in document.text
    assert document.place(document.text.index("No title")).page == 2


MAIL = (
    b"From: Ann <ann@example.org>\r\nTo: bo@example.org\r\nSubject: =?utf-8?q?K=C3=BCndigung?=\r\n"
    b"MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=X\r\n\r\n--X\r\n"
    b"Content-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: 8bit\r\n\r\n"
    b"Bis M\xe4rz.\r\n--X\r\n"
    b"Content-Type: text/html\r\n\r\n<p>the same</p>\r\n--X\r\n"
    b"Content-Type: application/pdf; name=a.pdf\r\n"
    b"Content-Disposition: attachment; filename=a.pdf\r\n\r\nQUJD\r\n--X\r\n"
    b"Content-Type: message/rfc822\r\n\r\n"
    b"From: cy@example.org\r\nSubject: Earlier\r\n\r\nI said so.\r\n--X--\r\n"
)


def test_a_mail_is_its_subject_headers_and_text(read_bytes: ReadBytes) -> None:
    document = read_bytes(MAIL, "notice.eml")
    assert document.title == "Kündigung"
    assert "From: Ann <ann@example.org>" in document.text
    assert "Bis März." in document.text
    assert "the same" not in document.text
    assert [section.title for section in document.sections if section.has_heading] == ["Earlier"]
    assert "I said so." in document.text
    assert document.warnings == ("the attachment a.pdf was not read",)


def test_a_mail_without_plain_text_is_read_as_html(read_bytes: ReadBytes) -> None:
    document = read_bytes(b"Subject: Hi\nContent-Type: text/html\n\n<h1>Fees</h1><p>Ten.</p>", "a.eml")
    assert [section.title for section in document.sections if section.has_heading] == ["Fees"]


@pytest.mark.parametrize("data", [b"\xff\xfe\x00", b"Content-Type: multipart/mixed\n\n", b"From: \xff\n\nx"])
def test_broken_mails_are_read_or_refused(read_bytes: ReadBytes, data: bytes, tmp_path: Path) -> None:
    try:
        assert read_bytes(data, "a.eml").text
    except ReadError as error:
        assert error.code in ("damaged", "empty")


def _slides() -> bytes:
    pptx = pytest.importorskip("pptx")
    show = pptx.Presentation()
    show.slides.add_slide(show.slide_layouts[1]).shapes.title.text = "Fees"
    buffer = io.BytesIO()
    show.save(buffer)
    return buffer.getvalue()


MAKERS: dict[str, tuple[Callable[..., bytes], str]] = {
    "book.epub": (_book, "OPS/book.opf"),
    "prices.xlsx": (_workbook, "xl/worksheets/sheet1.xml"),
    "show.pptx": (_slides, "ppt/slides/slide1.xml"),
}


def _changed(
    data: bytes, change: Callable[[str, bytes], bytes], more: Mapping[str, bytes] | None = None
) -> bytes:
    """An archive with its members changed, and others added."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, change(name, old.read(name)))
        for name, content in (more or {}).items():
            new.writestr(name, content)
    return buffer.getvalue()


def _code(read_bytes: ReadBytes, data: bytes, name: str) -> str:
    with pytest.raises(ReadError) as caught:
        read_bytes(data, name)
    assert "\n" not in caught.value.message
    return caught.value.code


ENTITIES = [
    b'<!ENTITY e0 "lol">',
    *(b'<!ENTITY e%d "%s">' % (at, b"&e%d;" % (at - 1) * 10) for at in range(1, 12)),
]
BOMB = b"<!DOCTYPE a [" + b"".join(ENTITIES) + b"]>"


@pytest.mark.parametrize("name", MAKERS)
def test_bombs_are_refused_in_every_archive(read_bytes: ReadBytes, name: str) -> None:
    make, part = MAKERS[name]
    data = make()

    def with_entities(member: str, content: bytes) -> bytes:
        return (
            BOMB + content.partition(b"?>")[2]
            if member == part and b"?>" in content
            else (BOMB + content if member == part else content)
        )

    assert _code(read_bytes, _changed(data, with_entities), name) == "unsafe_xml"
    for more in ({"x/bomb.bin": bytes(40_000_000)}, {f"x/{at}": b"" for at in range(10_001)}):
        assert _code(read_bytes, _changed(data, lambda _, content: content, more), name) == "too_large"


@pytest.mark.parametrize("name", MAKERS)
def test_cut_locked_and_misnamed_archives(read_bytes: ReadBytes, name: str) -> None:
    make, part = MAKERS[name]
    data = make()
    for stop in (len(data) // 2, len(data) - 10, 40):
        assert _code(read_bytes, data[:stop], name) == "damaged"
    locked = bytearray(data)
    at = locked.rfind(part.encode()) - 46
    locked[at + 8] |= 1
    assert _code(read_bytes, bytes(locked), name) == "encrypted"
    torn = bytearray(data)
    at = torn.find(part.encode()) + len(part)
    torn[at : at + 40] = b"\xff" * 40
    assert _code(read_bytes, bytes(torn), name) == "damaged"
    # The content tells what a file is, whatever it is called.
    other = next(one for one in ("a.docx", "a.txt", "a.pdf") if one != name)
    assert read_bytes(data, other).text == read_bytes(data, name).text


def test_entities_in_a_part_of_another_name_are_refused(read_bytes: ReadBytes) -> None:
    data = _changed(
        _workbook(), lambda _, content: content, {"xl/worksheets/evil.dat": BOMB + b"<a>&e9;</a>"}
    )
    assert _code(read_bytes, data, "prices.xlsx") == "unsafe_xml"
    picture = _changed(_slides(), lambda _, content: content, {"ppt/media/a.svg": b"<!DOCTYPE svg><svg/>"})
    assert "Fees" in read_bytes(picture, "show.pptx").text


def test_a_chapter_with_entities_is_read_without_them(read_bytes: ReadBytes) -> None:
    page = (
        '<!DOCTYPE html [<!ENTITY e "boom">]><html><body><h1>Berths</h1><p>A &e; &amp; b.</p></body></html>'
    )
    text = read_bytes(_book(**{"OPS/two b.xhtml": page}), "manual.epub").text
    assert "boom" not in text.replace('"boom"', "") and "& b." in text


def test_an_older_book_names_the_type_of_its_list(read_bytes: ReadBytes) -> None:
    opf = f'<!DOCTYPE package PUBLIC "+//ISBN 0-9673008-1-9//DTD OEB 1.2 Package//EN" "oeb12.dtd">{OPF}'
    assert read_bytes(_book(**{"OPS/book.opf": opf}), "manual.epub").title == "Harbour Manual"


@pytest.mark.parametrize(
    ("module", "name", "maker"), [("openpyxl", "a.xlsx", "prices.xlsx"), ("pptx", "a.pptx", "show.pptx")]
)
def test_a_missing_extra_is_named_in_one_line(
    read_bytes: ReadBytes, monkeypatch: pytest.MonkeyPatch, module: str, name: str, maker: str
) -> None:
    data = MAKERS[maker][0]()
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ReadError) as caught:
        read_bytes(data, name)
    assert caught.value.code == "unsupported_format"
    assert "`formats` extra" in caught.value.message and "\n" not in caught.value.message


def test_tables_of_a_sheet_stand_apart_with_their_titles(read_bytes: ReadBytes) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in (
        ["Berths of the harbour"], ["as of May"], ["Berth", "Fee"], ["A1", 10], [], ["A2", 12], [],
        ["Lamps"], ["Lamp", "Watt"], ["North", 60], [],
        [None, None, "Keeper", "Nights"], [None, None, "Ann", 3],
    ):  # fmt: skip
        book.active.append(row)
    buffer = io.BytesIO()
    book.save(buffer)
    document = read_bytes(buffer.getvalue(), "a.xlsx")
    assert [document.text[start:end] for start, end in document.tables] == [
        "Berth\tFee\nA1\t10\nA2\t12", "Lamp\tWatt\nNorth\t60", "Keeper\tNights\nAnn\t3",
    ]  # fmt: skip
    assert "Berths of the harbour\n\nas of May\n\nBerth\tFee" in document.text


def test_a_sheet_that_is_said_to_be_huge_is_read_as_far_as_it_goes(read_bytes: ReadBytes) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active["A1"], book.active["A2"], book.active["XFD1048576"] = "Rope", 12, "far away"
    buffer = io.BytesIO()
    book.save(buffer)
    document = read_bytes(buffer.getvalue(), "a.xlsx")
    assert "Rope\n12" in document.text and "far away" not in document.text
    assert any("far below" in warning for warning in document.warnings)


def test_odd_parts_of_a_mail(read_bytes: ReadBytes) -> None:
    message = EmailMessage()
    message["Subject"], message["From"] = "Ümläut – Angebot", "Käthe <k@x.example>"
    message.set_content("Grüße aus dem Hafen.", charset="iso-8859-15")
    message.add_alternative("<p>Not this one.</p>", subtype="html")
    message.add_attachment(b"%PDF-1.4", maintype="application", subtype="pdf", filename="Räng\n2.pdf")
    inner = EmailMessage()
    inner["Subject"] = "The first letter"
    inner.set_content("Inner words.")
    message.add_attachment(inner)
    document = read_bytes(bytes(message), "a.eml")
    assert document.title == "Ümläut – Angebot"
    assert "Grüße aus dem Hafen." in document.text and "Not this one" not in document.text
    assert [section.title for section in document.sections][-1] == "The first letter"
    assert "Attachments: Räng" in document.text
    assert any("Räng" in warning and "was not read" in warning for warning in document.warnings)
