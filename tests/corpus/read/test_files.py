from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pincite.corpus.document import Document
from pincite.corpus.read import read
from pincite.corpus.read.source import load
from pincite.errors import READ_CODES, ReadError

ReadBytes = Callable[..., Document]


def _code(path: Path, root: Path | None = None) -> str:
    with pytest.raises(ReadError) as caught:
        read(path, root=root)
    assert caught.value.code in READ_CODES
    assert "\n" not in caught.value.message
    assert caught.value.hint
    return caught.value.code


def test_links_are_followed_inside_the_root_and_refused_outside(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "inside.txt").write_text("Inside.")
    (tmp_path / "secret.txt").write_text("Secret.")
    (root / "good.txt").symlink_to("inside.txt")
    (root / "bad.txt").symlink_to("../secret.txt")
    (root / "folder").symlink_to("..")
    assert read(root / "good.txt", root=root).text == "Inside."
    assert _code(root / "bad.txt", root) == "outside_root"
    assert _code(root / "folder" / "secret.txt", root) == "outside_root"


def test_a_root_that_is_a_link_itself_holds_its_files(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a.txt").write_text("Inside.")
    (tmp_path / "link").symlink_to("real")
    assert read(tmp_path / "link" / "a.txt", root=tmp_path / "link").text == "Inside."


def test_what_is_no_file_is_unreadable_and_never_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    (tmp_path / "folder.md").mkdir()
    (tmp_path / "dangling.md").symlink_to("nowhere")
    (tmp_path / "loop.md").symlink_to("loop.md")
    (tmp_path / "null.txt").symlink_to("/dev/null")
    with socket.socket(socket.AF_UNIX) as listener:
        monkeypatch.chdir(tmp_path)
        listener.bind("socket.txt")
        for name in (
            "pipe.txt",
            "folder.md",
            "dangling.md",
            "loop.md",
            "null.txt",
            "socket.txt",
            "missing.txt",
        ):
            assert _code(tmp_path / name) == "unreadable", name
    assert _code(tmp_path / "nul\0name.txt") == "unreadable"


def test_a_file_over_the_limit_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "large.txt"
    path.write_bytes(b"x" * 101)
    with pytest.raises(ReadError) as caught:
        load(path, limit=100)
    assert caught.value.code == "too_large"
    assert load(path, limit=101) == b"x" * 101


def test_the_message_is_one_line_whatever_the_name(tmp_path: Path) -> None:
    path = tmp_path / "two\nlines\x1b[31m.md"
    path.write_text("# Title\n\nText.")
    assert read(path).title == "Title"
    path.write_text("Text.")
    assert read(path).title == "two lines [31m"


@pytest.mark.parametrize(
    ("data", "name", "code"),
    [
        (b"\x89PNG\r\n\x1a\n0000", "picture.pdf", "unsupported_format"),
        (b"\x89PNG\r\n\x1a\n0000", "picture.txt", "unsupported_format"),
        (b"{\\rtf1 text}", "letter.txt", "unsupported_format"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "old.doc", "unsupported_format"),
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"),
            "locked.docx",
            "encrypted",
        ),
        (b"plain words", "words.pdf", "damaged"),
        (b"plain words", "words.docx", "damaged"),
        (b"PK\x03\x04 cut off", "cut.docx", "damaged"),
        (b'{"a": 1}', "data.json", "unsupported_format"),
        (b"plain words", "words.xlsx", "damaged"),
        (b"PK\x03\x04 cut off", "cut.epub", "damaged"),
        (b"", "empty.pdf", "empty"),
        (b" \n\t \xc2\xa0", "blank.html", "empty"),
        (b"<html><script>x</script></html>", "only_code.html", "empty"),
        (b"a\0b\0\1\2\3" * 40, "binary.txt", "not_text"),
    ],
)
def test_what_cannot_be_read_gets_its_code(read_bytes: ReadBytes, data: bytes, name: str, code: str) -> None:
    with pytest.raises(ReadError) as caught:
        read_bytes(data, name)
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("data", "name"),
    [
        ("<!DOCTYPE html><html><body><h1>Fees</h1><p>Twelve.</p></body></html>", "page.md"),
        ("\ufeff  <html><h1>Fees</h1><p>Twelve.</p></html>", "page.txt"),
        ('<?xml version="1.0"?><html xmlns="x"><body><h1>Fees</h1><p>Twelve.</p></body></html>', "page.xml"),
    ],
)
def test_content_decides_before_the_suffix(read_bytes: ReadBytes, data: str, name: str) -> None:
    document = read_bytes(data, name)
    assert [section.title for section in document.sections] == ["Fees"]
    assert "<" not in document.text


def test_the_name_given_decides_over_the_name_on_disk(tmp_path: Path) -> None:
    path = tmp_path / "upload-1234"
    path.write_text("# Fees\n\n- one")
    assert [s.title for s in read(path, name="folder/Fees.md").sections] == ["Fees"]
    assert read(path, name="folder/Fees.txt").title == "Fees"


def test_a_long_title_is_cut_at_a_word(read_bytes: ReadBytes) -> None:
    title = read_bytes("# " + "word " * 100 + "\n\nText.", "a.md").title
    assert len(title) <= 201
    assert title.endswith("word…")


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    data=st.one_of(
        st.binary(max_size=300),
        st.text(max_size=300).map(lambda text: text.encode("utf-8", "surrogatepass")),
        st.lists(
            st.sampled_from(
                [
                    "# a",
                    "\n",
                    "\n\n",
                    "- ",
                    "1. ",
                    "(a) ",
                    "|",
                    "|-|-|",
                    "```",
                    "> ",
                    "<p>",
                    "<table><tr><td>",
                    "</div>",
                    "Article 1",
                    "§ 2",
                    "ANNEX",
                    "\t",
                    "   ",
                    "[^1]",
                    "[^1]: x",
                    "---\n",
                    "a: b",
                    "\f",
                    "\u0301",
                    "é",
                    "。",
                ]
            ),
            max_size=40,
        ).map(lambda parts: "".join(parts).encode()),
    ),
    suffix=st.sampled_from(["", ".txt", ".md", ".html", ".xml", ".csv", ".docx", ".json", ".pdf", ".xyz"]),
)
def test_reading_never_raises_anything_but_a_read_error(tmp_path: Path, data: bytes, suffix: str) -> None:
    path = tmp_path / f"file{suffix}"
    path.write_bytes(data)
    try:
        document = read(path)
    except ReadError as error:
        assert error.code in READ_CODES
    else:
        assert document.text.strip()
        assert document.sections
        assert document.title


def test_encoded_data_is_no_text(read_bytes: ReadBytes) -> None:
    data = b"QUJD0123" * 150_000
    with pytest.raises(ReadError) as caught:
        read_bytes(b"Key:\n\n" + data + b"\n", "key.txt")
    assert caught.value.code == "too_large" and "1,200,000" in caught.value.message
    words = b"Apples are stored in the cellar.\n" * 50_000
    assert "cellar" in read_bytes(words + data[:1_100_000], "mostly_words.txt").text
