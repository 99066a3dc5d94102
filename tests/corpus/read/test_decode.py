from __future__ import annotations

import codecs
import random

import pytest

from pincite.corpus.read.decode import decode
from pincite.errors import ReadError

GERMAN = "Überprüfung der Gebühren für Förderanträge, § 7 Absatz 2.\n"
TYPOGRAPHIC = "The “Fee” is €500 – payable on the supplier’s invoice… as agreed™.\n"
JAPANESE = "業務委託契約書\n第1条 受託者は委託者に対し、毎月末日までに報告書を提出する。\n"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (GERMAN, "latin-1"),
        ("Überprüfung", "latin-1"),
        ("café", "cp1252"),
        ("Le prêt à la consommation est régi par l'article 3, où l'intérêt est fixé.", "cp1252"),
        (TYPOGRAPHIC, "cp1252"),
        ("Área mínima: 20 m², 3½ años", "cp1252"),
        (
            "Wykonawca zobowiązuje się do świadczenia usług zgodnie z umową, łącznie z żądaniem.\n" * 3,
            "cp1250",
        ),
        ("Исполнитель обязуется оказать услуги в соответствии с договором.\n" * 3, "cp1251"),
        ("Исполнитель обязуется оказать услуги в соответствии с договором.\n" * 3, "koi8-r"),
        ("Ο προμηθευτής υποχρεούται να παραδώσει τα αγαθά εντός τριάντα ημερών.\n" * 3, "cp1253"),
        (JAPANESE * 4, "shift_jis"),
        (JAPANESE * 4, "euc-jp"),
        ("本合同由甲乙双方签订，自签字之日起生效。合同期限为一年。\n" * 4, "gb18030"),
        ("본 계약은 서명일로부터 효력이 발생한다. 계약 기간은 일년으로 한다.\n" * 4, "euc-kr"),
        (GERMAN, "utf-8"),
        (GERMAN, "utf-16-le"),
        (GERMAN, "utf-16-be"),
        (JAPANESE, "utf-8"),
    ],
)
def test_text_comes_back_as_it_was_written(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding)) == text


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (codecs.BOM_UTF32_BE, "utf-32-be"),
    ],
)
def test_a_byte_order_mark_decides_and_is_dropped(mark: bytes, encoding: str) -> None:
    assert decode(mark + GERMAN.encode(encoding)) == GERMAN


def test_line_ends_become_line_feeds() -> None:
    assert decode(b"a\r\nb\rc\nd") == "a\nb\nc\nd"


@pytest.mark.parametrize("seed", range(40))
def test_random_bytes_are_refused_not_shown(seed: int) -> None:
    with pytest.raises(ReadError) as caught:
        decode(random.Random(seed).randbytes(400))
    assert caught.value.code == "not_text"


def test_an_unknown_old_character_set_is_refused_rather_than_guessed() -> None:
    with pytest.raises(ReadError) as caught:
        decode("Die Prüfung der Gebühren für Anträge".encode("cp437"))
    assert caught.value.code == "not_text"


@pytest.mark.parametrize("data", [b"", b"\xef\xbb\xbf", b" \t\r\n\xc2\xa0\xe2\x80\x83"])
def test_white_space_alone_is_empty(data: bytes) -> None:
    with pytest.raises(ReadError) as caught:
        decode(data)
    assert caught.value.code == "empty"
