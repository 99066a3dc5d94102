from __future__ import annotations

import io
import zipfile
from collections.abc import Callable

import pytest

from pincite.corpus.document import Document
from pincite.errors import ReadError

ReadBytes = Callable[..., Document]
MakeDocx = Callable[..., bytes]
Outline = Callable[[Document], list[tuple[int, str]]]


def _run(text: str) -> str:
    return f'<w:r><w:t xml:space="preserve">{text}</w:t></w:r>'


def _par(inner: str, properties: str = "") -> str:
    return f"<w:p>{f'<w:pPr>{properties}</w:pPr>' if properties else ''}{inner}</w:p>"


def _styled(text: str, style: str) -> str:
    return _par(_run(text), f'<w:pStyle w:val="{style}"/>')


def _numbered(text: str, level: int = 0, num: int = 1) -> str:
    return _par(_run(text), f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{num}"/></w:numPr>')


def _level(at: int, form: str, text: str) -> str:
    inner = f'<w:start w:val="1"/><w:numFmt w:val="{form}"/><w:lvlText w:val="{text}"/>'
    return f'<w:lvl w:ilvl="{at}">{inner}</w:lvl>'


NUMBERING = (
    '<w:numbering><w:abstractNum w:abstractNumId="0">'
    + _level(0, "decimal", "%1.")
    + _level(1, "decimal", "%1.%2")
    + _level(2, "lowerLetter", "(%3)")
    + _level(3, "lowerRoman", "(%4)")
    + '</w:abstractNum><w:abstractNum w:abstractNumId="1">'
    + _level(0, "bullet", "•")
    + '</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    '<w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>'
    '<w:num w:numId="3"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/>'
    "</w:lvlOverride></w:num></w:numbering>"
)


def test_heading_styles_make_the_tree(read_bytes: ReadBytes, make_docx: MakeDocx, outline: Outline) -> None:
    body = (
        _styled("The Deal", "T")
        + _styled("Services", "H1")
        + _par(_run("One."))
        + _styled("Fees", "H2")
        + _styled("Term", "H1")
    )
    document = read_bytes(make_docx(body), "a.docx")
    assert document.title == "The Deal"
    assert outline(document) == [(1, "The Deal"), (1, "Services"), (2, "Fees"), (1, "Term")]


def test_styles_inherit_their_level_and_an_outline_level_is_enough(
    read_bytes: ReadBytes, make_docx: MakeDocx, outline: Outline
) -> None:
    styles = (
        '<w:styles><w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>'
        '<w:style w:type="paragraph" w:styleId="Eigen"><w:name w:val="Eigene"/>'
        '<w:basedOn w:val="berschrift1"/></w:style>'
        '<w:style w:type="paragraph" w:styleId="Loop"><w:name w:val="Loop"/>'
        '<w:basedOn w:val="Loop"/></w:style></w:styles>'
    )
    body = (
        _styled("Eins", "Eigen")
        + _styled("text", "Loop")
        + _par(_run("Zwei"), '<w:outlineLvl w:val="1"/>')
        + _par(_run("body"), '<w:pStyle w:val="berschrift1"/><w:outlineLvl w:val="9"/>')
        + _styled("Drei", "berschrift1")
    )
    document = read_bytes(make_docx(body, {"styles": styles}), "a.docx")
    assert outline(document) == [(1, "Eins"), (2, "Zwei"), (1, "Drei")]


def test_numbers_are_printed_as_word_prints_them(
    read_bytes: ReadBytes, make_docx: MakeDocx, outline: Outline
) -> None:
    body = "".join(
        _numbered(text, level)
        for text, level in [("a", 0), ("b", 1), ("c", 1), ("d", 2), ("e", 3), ("f", 2), ("g", 0), ("h", 1)]
    )
    body += _numbered("dot", 0, 2) + _numbered("seven", 0, 3) + _numbered("eight", 0, 3)
    text = read_bytes(make_docx(body, {"numbering": NUMBERING}), "a.docx").text
    assert [line.strip() for line in text.split("\n") if line] == [
        "1. a",
        "1.1 b",
        "1.2 c",
        "(a) d",
        "(i) e",
        "(b) f",
        "2. g",
        "2.1 h",
        "- dot",
        "7. seven",
        "8. eight",
    ]


def test_a_numbered_heading_knows_its_number(
    read_bytes: ReadBytes, make_docx: MakeDocx, outline: Outline
) -> None:
    numbered = '<w:pStyle w:val="{}"/><w:numPr><w:ilvl w:val="{}"/><w:numId w:val="1"/></w:numPr>'
    body = (
        _par(_run("Services"), numbered.format("H1", 0))
        + _par(_run("x"))
        + _par(_run("Fees"), numbered.format("H2", 1))
    )
    document = read_bytes(make_docx(body, {"numbering": NUMBERING}), "a.docx")
    assert [(section.number, section.title) for section in document.sections] == [
        ("1", "Services"),
        ("1.1", "Fees"),
    ]
    assert outline(document) == [(1, "1 Services"), (2, "1.1 Fees")]


def test_changes_are_read_as_accepted(read_bytes: ReadBytes, make_docx: MakeDocx) -> None:
    body = _par(
        _run("Fees are ")
        + '<w:del w:id="1"><w:r><w:delText>GONE</w:delText></w:r></w:del><w:moveFrom w:id="2">'
        + _run("MOVED")
        + "</w:moveFrom>"
        + '<w:ins w:id="3">'
        + _run("due")
        + '</w:ins><w:moveTo w:id="4">'
        + _run(" now")
        + "</w:moveTo>"
    )
    assert read_bytes(make_docx(body), "a.docx").text == "Fees are due now"


def test_nothing_that_word_shows_is_lost_and_nothing_comes_twice(
    read_bytes: ReadBytes, make_docx: MakeDocx
) -> None:
    box = "<w:txbxContent>" + _par(_run("Boxed.")) + "</w:txbxContent>"
    body = (
        "<w:sdt><w:sdtPr/><w:sdtContent>"
        + _par(_run("Controlled."))
        + "</w:sdtContent></w:sdt>"
        + _par(
            "<w:hyperlink><w:r><w:t>Linked</w:t></w:r></w:hyperlink><w:r><w:tab/></w:r><w:sdt><w:sdtContent>"
            + _run("inline")
            + "</w:sdtContent></w:sdt><w:r><w:br/><w:t>next</w:t></w:r>"
        )
        + _par(
            "<w:r><mc:AlternateContent><mc:Choice><wps:txbx>" + box + "</wps:txbx></mc:Choice><mc:Fallback>"
            "<v:textbox>" + box + "</v:textbox></mc:Fallback></mc:AlternateContent></w:r>"
        )
        + _par('<w:r><w:fldChar w:fldCharType="begin"/><w:instrText>PAGE</w:instrText></w:r>' + _run("7"))
        + _par("<w:r><w:rPr><w:vanish/></w:rPr><w:t>HIDDEN</w:t></w:r>" + _run("shown"))
    )
    text = read_bytes(make_docx(body), "a.docx").text
    assert text == "Controlled.\n\nLinked inline\nnext\n\nBoxed.\n\n7\n\nshown"


def test_tables_have_their_header_and_merged_cells(read_bytes: ReadBytes, make_docx: MakeDocx) -> None:
    def cell(text: str, properties: str = "") -> str:
        return f"<w:tc><w:tcPr>{properties}</w:tcPr>{_par(_run(text))}</w:tc>"

    body = (
        "<w:tbl><w:tr>" + cell("Year") + cell("Half") + cell("Price") + "</w:tr>"
        "<w:tr>" + cell("2024", '<w:vMerge w:val="restart"/>') + cell("1") + cell("11") + "</w:tr>"
        "<w:tr>" + cell("", "<w:vMerge/>") + cell("2") + cell("12") + "</w:tr>"
        "<w:tr><w:trPr><w:del w:id='1'/></w:trPr>" + cell("x") + cell("y") + cell("z") + "</w:tr>"
        "<w:tr>" + cell("Total", '<w:gridSpan w:val="2"/>') + cell("23") + "</w:tr></w:tbl>"
    )
    document = read_bytes(make_docx(body), "a.docx")
    assert document.text == "Year\tHalf\tPrice\n2024\t1\t11\n2024\t2\t12\nTotal\t\t23"
    assert document.tables == ((0, len(document.text)),)


def test_a_table_that_frames_headings_is_read_as_text(
    read_bytes: ReadBytes, make_docx: MakeDocx, outline: Outline
) -> None:
    body = (
        "<w:tbl><w:tr><w:tc>"
        + _styled("Fees", "H1")
        + _par(_run("Twelve."))
        + "</w:tc><w:tc>"
        + _styled("Term", "H1")
        + "</w:tc></w:tr></w:tbl>"
    )
    assert outline(read_bytes(make_docx(body), "a.docx")) == [(1, "Fees"), (1, "Term")]


def test_notes_stand_at_the_end_of_their_section(read_bytes: ReadBytes, make_docx: MakeDocx) -> None:
    notes = (
        '<w:footnotes><w:footnote w:id="-1" w:type="separator">' + _par("") + "</w:footnote>"
        '<w:footnote w:id="1">'
        + _par(_run("Calendar days."))
        + '</w:footnote><w:footnote w:id="2">'
        + _par(_run("Net."))
        + "</w:footnote></w:footnotes>"
    )
    body = (
        _styled("Term", "H1")
        + _par(_run("Thirty days") + '<w:r><w:footnoteReference w:id="1"/></w:r>' + _run("."))
        + _styled("Fees", "H1")
        + _par(_run("Ten") + '<w:r><w:footnoteReference w:id="2"/></w:r>')
    )
    assert read_bytes(make_docx(body, {"footnotes": notes}), "a.docx").text == (
        "Term\n\nThirty days.\n\n[1] Calendar days.\n\nFees\n\nTen\n\n[2] Net."
    )


def test_the_strict_form_reads_alike(read_bytes: ReadBytes, make_docx: MakeDocx) -> None:
    body = _styled("Services", "H1") + _numbered("First") + _styled("Fees", "H2") + _par(_run("Ten."))
    loose = read_bytes(make_docx(body, {"numbering": NUMBERING}), "a.docx")
    strict = read_bytes(make_docx(body, {"numbering": NUMBERING}, strict=True), "b.docx")
    assert strict.text == loose.text == "Services\n\n1. First\n\nFees\n\nTen."
    assert strict.sections == loose.sections


def test_typed_numbers_make_the_tree_where_no_styles_do(
    read_bytes: ReadBytes, make_docx: MakeDocx, outline: Outline
) -> None:
    body = _styled("The Deal", "T") + "".join(
        _par(_run(f"{n}. {title}")) + _par(_run("Some words that say what holds here."))
        for n, title in enumerate(["Purpose", "Fees", "Term"], start=1)
    )
    assert outline(read_bytes(make_docx(body), "a.docx")) == [
        (1, "The Deal"),
        (1, "1 Purpose"),
        (1, "2 Fees"),
        (1, "3 Term"),
    ]


@pytest.mark.parametrize("part", ["document", "styles", "footnotes"])
def test_a_document_type_in_any_part_is_refused(
    read_bytes: ReadBytes, make_docx: MakeDocx, part: str
) -> None:
    data = make_docx(_par(_run("Text.")), {"footnotes": "<w:footnotes></w:footnotes>"})
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(buffer, "w") as new:
        for name in old.namelist():
            xml = old.read(name)
            new.writestr(name, b'<!DOCTYPE x [<!ENTITY e "v">]>' + xml if name == f"word/{part}.xml" else xml)
    with pytest.raises(ReadError) as caught:
        read_bytes(buffer.getvalue(), "a.docx")
    assert caught.value.code == "unsafe_xml"


def _archive(members: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (_archive({"word/document.xml": bytes(40_000_000)}), "too_large"),
        (_archive({f"word/{n}.xml": b"x" for n in range(10_001)}), "too_large"),
        (_archive({"content.xml": b"<x/>"}), "unsupported_format"),
        (_archive({"hello.txt": b"no document"}), "unsupported_format"),
        (_archive({"word/document.xml": b"<x/>"}), "damaged"),
        (b"PK\x05\x06" + bytes(18), "unsupported_format"),
    ],
)
def test_archives_that_are_no_usable_document(read_bytes: ReadBytes, data: bytes, code: str) -> None:
    with pytest.raises(ReadError) as caught:
        read_bytes(data, "a.docx")
    assert caught.value.code == code


def test_a_member_that_lies_about_its_size_is_damaged(read_bytes: ReadBytes, make_docx: MakeDocx) -> None:
    data = bytearray(make_docx(_par(_run("Text. " * 1000))))
    at = data.rfind(b"word/document.xml") - 46
    data[at + 24 : at + 28] = (50).to_bytes(4, "little")
    with pytest.raises(ReadError) as caught:
        read_bytes(bytes(data), "a.docx")
    assert caught.value.code == "damaged"


def test_a_protected_archive_is_encrypted(read_bytes: ReadBytes, make_docx: MakeDocx) -> None:
    data = bytearray(make_docx(_par(_run("Text."))))
    at = data.rfind(b"word/document.xml") - 46
    data[at + 8] |= 1
    with pytest.raises(ReadError) as caught:
        read_bytes(bytes(data), "a.docx")
    assert caught.value.code == "encrypted"


def _list(levels: str, num: str = "") -> dict[str, str]:
    return {
        "numbering": f'<w:numbering><w:abstractNum w:abstractNumId="0">{levels}</w:abstractNum>'
        f'<w:num w:numId="1"><w:abstractNumId w:val="0"/>{num}</w:num></w:numbering>'
    }


@pytest.mark.parametrize(
    ("levels", "depths", "printed"),
    [
        (
            _level(0, "upperRoman", "Article %1") + _level(1, "decimal", "Section %1.%2"),
            [0, 1, 1, 0, 1],
            ["Article I", "Section I.1", "Section I.2", "Article II", "Section II.1"],
        ),
        (
            _level(0, "cardinalText", "ARTICLE %1:") + _level(1, "ordinal", "%2"),
            [0, 0, 1, 1, 1],
            ["ARTICLE One:", "ARTICLE Two:", "1st", "2nd", "3rd"],
        ),
        # "isLgl" prints the levels above in digits.
        (
            _level(0, "upperRoman", "%1")
            + _level(1, "decimal", "%1.%2").replace("<w:start", "<w:isLgl/><w:start"),
            [0, 0, 1],
            ["I", "II", "2.1"],
        ),
        # A level that never restarts, and one that does so only behind the highest.
        (
            _level(0, "decimal", "%1")
            + _level(1, "lowerLetter", "%2").replace("<w:lvlText", '<w:lvlRestart w:val="0"/><w:lvlText'),
            [0, 1, 1, 0, 1],
            ["1", "a", "b", "2", "c"],
        ),
        (
            _level(0, "decimal", "%1") + _level(1, "decimal", "%1.%2")
            + _level(2, "lowerRoman", "(%3)").replace("<w:lvlText", '<w:lvlRestart w:val="1"/><w:lvlText'),
            [0, 1, 2, 1, 2, 0, 1, 2],
            ["1", "1.1", "(i)", "1.2", "(ii)", "2", "2.1", "(i)"],
        ),
        (
            _level(0, "upperLetter", "Schedule %1"),
            [0] * 28,
            [f"Schedule {letters}" for letters in (*"ABCDEFGHIJKLMNOPQRSTUVWXYZ", "AA", "BB")],
        ),
        (_level(0, "decimalZero", "§ %1"), [0, 0], ["§ 01", "§ 02"]),
    ],
)  # fmt: skip
def test_odd_lists_print_their_numbers_as_word_does(
    read_bytes: ReadBytes, make_docx: MakeDocx, levels: str, depths: list[int], printed: list[str]
) -> None:
    body = "".join(_numbered(f"word{at}", depth) for at, depth in enumerate(depths))
    lines = [line for line in read_bytes(make_docx(body, _list(levels)), "a.docx").text.split("\n") if line]
    assert [line.strip() for line in lines] == [f"{number} word{at}" for at, number in enumerate(printed)]


def test_a_style_is_numbered_at_the_level_that_names_it(
    read_bytes: ReadBytes, make_docx: MakeDocx, outline: Outline
) -> None:
    def style(name: str, number: int) -> str:
        return (
            f'<w:style w:type="paragraph" w:styleId="{name}"><w:name w:val="heading {number}"/><w:pPr>'
            '<w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>'
        )

    styles = f"<w:styles>{style('A', 1)}{style('B', 2)}</w:styles>"
    levels = "".join(
        _level(at, "decimal", text).replace("<w:numFmt", f'<w:pStyle w:val="{name}"/><w:numFmt')
        for at, (name, text) in enumerate((("A", "%1."), ("B", "%1.%2")))
    )
    body = "".join(
        _styled(words, name) for words, name in (("One", "A"), ("Two", "B"), ("Three", "B"), ("Four", "A"))
    )
    document = read_bytes(make_docx(body, {"styles": styles, **_list(levels)}), "a.docx")
    assert outline(document) == [(1, "1 One"), (2, "1.1 Two"), (2, "1.2 Three"), (1, "2 Four")]
