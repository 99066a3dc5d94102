"""Every rule of the quote check, in both directions, on small texts of our own."""

import pytest

from pincite.agent.check.quotes import Match, find_quote

FOUND_AS_WRITTEN = {
    "whole passage": ("The pump stops at night.", "The pump stops at night."),
    "inside a sentence": ("All staff must leave the hall at once.", "must leave the hall"),
    "after an opening bracket": ("Fees (see Annex 3 below) are due.", "see Annex 3 below"),
    "after an unspaced dash": ("Silence\u2014the usual case\u2014is consent.", "the usual case"),
    "after an en dash, which joins no words": (
        "The Tolvane\u2013Brackenfold lease has ended.",
        "Brackenfold lease has ended",
    ),
    "before a comma and blank": ("Read chapters 4, 5 and 6 today.", "Read chapters 4"),
    "before a full stop and blank": ("It ends after 90. Days are counted.", "It ends after 90"),
    "before a percent sign": ("A fee of 5% is due on Monday.", "A fee of 5"),
    "after a currency sign": ("Pay $340 per pallet now.", "340 per pallet"),
    "after an apostrophe": ("Il appartient \u00e0 l'acheteur de payer.", "acheteur de payer"),
    "before a closing apostrophe": ("the so called 'safe harbour' rule", "the so called 'safe harbour"),
    "plural possessive": ("The tenants' rights are listed.", "The tenants' rights are"),
    "suspended hyphen kept": ("Heiz- und Wasserkosten sind zu zahlen.", "Heiz- und Wasserkosten"),
    "starts inside a Chinese word": (
        "\u672c\u5408\u540c\u81ea\u53cc\u65b9\u7b7e\u5b57\u4e4b\u65e5\u8d77\u751f\u6548",
        "\u540c\u81ea\u53cc\u65b9\u7b7e",
    ),
    "starts at a Latin word after Chinese": (
        "\u8bf7\u4f7f\u7528API\u5bc6\u94a5\u767b\u5f55\u7cfb\u7edf",
        "API\u5bc6\u94a5\u767b\u5f55",
    ),
    "second occurrence is whole": ("unlimited use of it; limited use of it", "limited use of it"),
    "a letter before a superscript": ("The Buyer\u00b9 shall pay the price.", "The Buyer\u00b9 shall pay"),
    "number and unit split by NBSP": ("It takes 5\u00a0kg of sand per bag.", "It takes 5"),
    "a sign that is part of the quote": ("kept at -20 degrees or colder", "-20 degrees or colder"),
    "the whole range": ("Chapters 4\u20136 apply to all.", "Chapters 4\u20136 apply"),
    "ten characters exactly": ("ab cd efgh ij", "ab cd efgh"),
    "ends before a hyphen with a blank": ("the pre- and post-war years", "the pre- and post-war"),
    "Korean words with their endings": ("계약은 서명한 날부터 효력이 있다.", "서명한 날부터 효력이"),
    "Arabic with its vowel signs": ("على المؤجِّر أن يدفع الرسوم", "المؤجِّر أن يدفع"),
}

FOUND_NORMALIZED = {
    "ij ligature": ("De \u0133zeren deur blijft altijd dicht.", "De ijzeren deur blijft"),
    "capital IJ ligature": ("De \u0132zeren deur blijft altijd dicht.", "De IJzeren deur blijft"),
    "long s": ("Die Ge\u017fellfchaft haftet nicht daf\u00fcr.", "Die Gesellfchaft haftet nicht"),
    "long s with dot": ("The \u1e9bign of the hou\u017fe stands.", "The \u1e61ign of the house"),
    "every Latin ligature": (
        "o\ufb00 \ufb01n \ufb02y o\ufb03ce ba\ufb04e \ufb05ay \ufb06ep",
        "off fin fly office baffle stay step",
    ),
    "ligature in the quote": ("The final office copy stays here.", "The \ufb01nal o\ufb03ce copy"),
    "Arabic presentation forms": (
        "\ufe8e\ufedf\ufecc\ufed8\ufeaa \ufeb3\ufe8e\ufead \ufe8d\ufef5\ufee5",
        "\u0627\u0644\u0639\u0642\u062f \u0633\u0627\u0631 \u0627\u0644\u0622\u0646",
    ),
    "zero-width space inside a word": ("The re\u200bmit\u200btance is due.", "The remittance is due"),
    "zero-width joiner in the quote": ("The goods are paid for.", "The goods\u200d are paid for"),
    "bidi controls": ("\u202bThe clause \u2068number\u2069 is void.\u202c", "The clause number is void"),
    "Arabic letter mark and Mongolian separator": (
        "The\u061c clause\u180e number is void.",
        "The clause number is void",
    ),
    "soft hyphen in the quote": ("The warehouse is closed.", "The ware\u00adhouse is closed"),
    "two blanks": ("The lock  is changed yearly.", "The lock is changed"),
    "blank for no-break space": ("The lock\u00a0is changed yearly.", "The lock is changed"),
    "blank for thin and hair space": ("The lock\u2009is\u200achanged yearly.", "The lock is changed"),
    "blank for line and paragraph separators": (
        "The lock\u2028is\u2029changed yearly.",
        "The lock is changed",
    ),
    "blank for form feed and next line": ("The lock\fis\x85changed yearly.", "The lock is changed"),
    "tabs for blanks": ("The lock is changed yearly.", "The lock\tis\r\nchanged"),
    "grouped number with thin space": ("A sum of 10\u2009000 is due.", "A sum of 10 000 is due"),
    "blank beside Chinese": (
        "\u5408\u540c \u81ea \u53cc\u65b9\u7b7e\u5b57",
        "\u5408\u540c\u81ea\u53cc\u65b9\u7b7e\u5b57",
    ),
    "blank added beside Chinese": (
        "\u4f7f\u7528API\u5bc6\u94a5\u767b\u5f55",
        "\u4f7f\u7528 API \u5bc6\u94a5\u767b\u5f55",
    ),
    "line break beside kana": ("保証期間は\n三年間です", "保証期間は三年間です"),
    "blank beside a full-width mark": ("Model AB\uff1a \u3000X200 in stock", "Model AB:X200 in stock"),
    "blank and ASCII mark for a full-width mark": (
        "Model AB\uff1a\u3000X200 in stock",
        "Model AB: X200 in stock",
    ),
    "hyphen and line break with indent": ("the engage-\r\n   ment is over now", "the engagement is over"),
    "U+2010 and line break": ("the engage\u2010\nment is over now", "the engagement is over"),
    "U+2011 and line break": ("the engage\u2011\nment is over now", "the engage-ment is over"),
    "soft hyphen and line break joined": ("the engage\u00ad\nment is over now", "the engagement is over"),
    "soft hyphen and line break kept": ("the engage\u00ad\nment is over now", "the engage-ment is over"),
    "soft hyphen and line break with a blank": (
        "the engage\u00ad\nment is over now",
        "the engage- ment is over",
    ),
    "hyphen and page break": ("the engage-\fment is over now", "the engagement is over"),
    "line-break hyphen after an accent": (
        "la qualite\u0301-\nprix de la chose",
        "la qualitéprix de la chose",
    ),
    "hyphen between letter and digit": ("the COVID-\n19 rules have ended", "the COVID-19 rules have"),
    "range broken after its hyphen, blank kept": ("It takes 20-\n25 hours here.", "It takes 20- 25 hours"),
    "line break copied with another change": (
        "the \ufb01nal engage-\nment is over",
        "the final engage-\nment is over",
    ),
    "single curly for straight": ("the \u2018safe\u2019 harbour rule", "the 'safe' harbour rule"),
    "low single quotation mark": ("der \u201asichere\u2018 Hafen gilt", "der 'sichere' Hafen gilt"),
    "reversed quotation marks": ("the \u201fsafe\u201d harbour rule", 'the "safe" harbour rule'),
    "full-width quotation mark": ("the \uff02safe\uff02 harbour rule", 'the "safe" harbour rule'),
    "figure dash and horizontal bar": ("call 555\u20120199 now \u2015 please", "call 555-0199 now - please"),
    "em dash for minus": ("kept at \u221280 degrees here", "kept at \u201480 degrees here"),
    "small and full-width hyphens": ("type AB\uff0d12\ufe633 is here", "type AB-12-3 is here"),
    "full-width letters": ("\uff34\uff39\uff30\uff25 \uff21\uff22 is sold here", "TYPE AB is sold"),
    "full-width letter with a combining mark": ("caf\uff45\u0301 au lait ici", "caf\u00e9 au lait ici"),
    "decomposed Hangul": (
        "\u1100\u1168\u110b\u1163\u11a8\u110b\u1173\u11ab 서명한 날부터",
        "계약은 서명한 날부터",
    ),
    "Angstrom sign": ("a gap of 5 \u212b at most", "a gap of 5 \u00c5 at most"),
    "marks in another order": ("va\u0323\u0302y la\u0300 xong roi", "va\u0302\u0323y la\u0300 xong roi"),
    "leading ellipsis": ("All staff must leave the hall.", "\u2026must leave the hall"),
    "dots at both ends": ("All staff must leave the hall.", "... must leave the ....."),
    "spaced dots at the end": ("All staff must leave the hall.", "must leave the . . ."),
    "guillemets": ("All staff must leave the hall.", "\u00ab\u00a0must leave the hall\u00a0\u00bb"),
    "single guillemets": ("All staff must leave the hall.", "\u2039must leave the hall\u203a"),
    "German quotation marks": ("All staff must leave the hall.", "\u201emust leave the hall\u201c"),
    "white corner brackets": ("返金は一切いたしません。", "『返金は一切いたしません』"),
    "comma added": ("All staff must leave the hall at once.", "must leave the hall,"),
    "semicolon added": ("All staff must leave the hall at once.", "must leave the hall;"),
    "colon added": ("All staff must leave the hall at once.", "must leave the hall:"),
    "ideographic full stop added": ("返金は一切いたしませんので注意", "返金は一切いたしません。"),
    "full stop inside added marks": ("All staff must leave the hall at once.", '"must leave the hall."'),
    "full stop after added marks": ("All staff must leave the hall at once.", '"must leave the hall".'),
    "full stop and ellipsis": ("All staff must leave the hall at once.", "must leave the hall. ..."),
    "full stop for a comma": ("If they leave the hall, it is shut.", "they leave the hall."),
    "first letter raised behind a bracket": ("Fees (the annual ones) are due.", "(The annual ones) are"),
    "first letter behind added marks": ("In short, the fee is due.", "\u201cThe fee is due\u201d"),
    "Cyrillic first letter": ("Кроме того, плата не взимается летом.", "Плата не взимается летом"),
    "blank at the ends": ("All staff must leave the hall.", "\n must leave the hall \t"),
    "dash at the start": ("Two rules: \u2013 pay the fee; \u2013 leave the hall.", "- pay the fee"),
    "dash at the end": ("Two rules \u2013 pay \u2014 then leave.", "Two rules - pay -"),
}

NOT_FOUND = {
    "digit changed": ("Pay within 45 days of receipt.", "Pay within 46 days of receipt"),
    "digits dropped": ("A sum of 10 000 is due.", "A sum of 10000 is due"),
    "blank added inside a number": ("A sum of 10000 is due.", "A sum of 10 000 is due"),
    "comma for blank": ("A sum of 10 000 is due.", "A sum of 10,000 is due"),
    "superscript flattened": ("up to 10\u00b2 colonies per plate", "up to 102 colonies per plate"),
    "superscript added": ("up to 102 colonies per plate", "up to 10\u00b2 colonies per plate"),
    "fraction written out": ("use \u00bd cup of sugar", "use 1/2 cup of sugar"),
    "square metre sign": ("a room of 12 \u33a1 in size", "a room of 12 m2 in size"),
    "number sign": ("see \u2116 5 of the list", "see No 5 of the list"),
    "roman numeral character": ("see Annex \u2163 of it now", "see Annex IV of it now"),
    "half-width katakana": (
        "\uff83\uff9e\uff70\uff80\u3092\u4fdd\u5b58\u3059\u308b",
        "\u30c7\u30fc\u30bf\u3092\u4fdd\u5b58\u3059\u308b",
    ),
    "oe ligature letter": ("the \u0153uvre of the painter", "the oeuvre of the painter"),
    "sharp s": ("die Stra\u00dfe ist gesperrt", "die Strasse ist gesperrt"),
    "accent dropped": ("le caf\u00e9 est ferm\u00e9 ici", "le cafe est ferm\u00e9 ici"),
    "look-alike letter": ("the agent pays the price", "the \u0430gent pays the price"),
    "simplified for traditional": ("買方應於收貨後付款", "买方应于收货后付款"),
    "other digits": ("within \u096a\u096b days of receipt", "within 45 days of receipt"),
    "case inside": ("the Agent pays the price", "the agent pays the price"),
    "case of the second word's letter": ("In short, the fee is due now.", "the Fee is due now"),
    "bracketed capital": ("In short, the fee is due now.", "[T]he fee is due now"),
    "bracketed addition": ("In short, the fee is due now.", "the fee [of May] is due now"),
    "ellipsis in the middle": ("the fee for May is due now", "the fee \u2026 is due now"),
    "ellipsis written with dots": ("the fee \u2026 is due now", "the fee ... is due now"),
    "double for single marks": ("the 'safe' harbour rule", 'the "safe" harbour rule'),
    "guillemets inside": ("the \u00absafe\u00bb harbour rule", 'the "safe" harbour rule'),
    "quotation marks dropped inside": ('the "safe" harbour rule', "the safe harbour rule"),
    "prime for apostrophe": ("a beam of 5\u2032 and 3 feet", "a beam of 5' and 3 feet"),
    "hyphen dropped inside a line": ("the two-stage filter is new", "the twostage filter is new"),
    "hyphen for blank": ("the two stage filter is new", "the two-stage filter is new"),
    "blank after a hyphen inside a line": ("the two-stage filter is new", "the two- stage filter is new"),
    "break without hyphen joined": ("the engage\nment is over now", "the engagement is over"),
    "line-break hyphen turned into a blank": ("the engage-\nment is over now", "the engage ment is over"),
    "line-break hyphen between digits dropped": ("it takes 20-\n25 hours here", "it takes 2025 hours here"),
    "line-break hyphen before a digit dropped": ("the COVID-\n19 rules have ended", "the COVID19 rules have"),
    "en dash at a line's end joined": ("the engage\u2013\nment is over now", "the engagement is over"),
    "break after an en dash dropped": ("read chapters 4\u2013\n6 of the book", "read chapters 4-6 of the"),
    "bullet joined": ("it is over\n- now they pay it", "it is over- now they pay"),
    "length mark for kanji one": ("サーバーを施錠する", "サ一バ一を施錠する"),
    "wave dash for dash": ("open 9\u301c17 every single day", "open 9-17 every single day"),
    "two final marks added": ("All staff must leave the hall at once.", "must leave the hall.,"),
    "question mark added": ("All staff must leave the hall at once.", "must leave the hall?"),
    "comma added at the start": ("All staff must leave the hall at once.", ",must leave the hall"),
    "bracket added": ("All staff must leave the hall at once.", "(must leave the hall)"),
    "starts inside a word": ("an unlimited liability for it", "limited liability for it"),
    "ends inside a word": ("the payments are late now", "the payment"),
    "ends inside a word, whole elsewhere in other words": (
        "the payments are late now",
        "the payments are la",
    ),
    "starts after a hyphen": ("a non-refundable deposit of ten", "refundable deposit of ten"),
    "starts at a hyphen": ("a non-refundable deposit of ten", "-refundable deposit of ten"),
    "ends before a hyphen": ("it is a non-refundable deposit", "it is a non"),
    "ends after a hyphen": ("it is a non-refundable deposit", "it is a non-"),
    "starts after U+2011": ("a non\u2011refundable deposit of ten", "refundable deposit of ten"),
    "starts after a soft hyphen": ("an un\u00adlimited liability for it", "limited liability for it"),
    "starts after a zero-width space": ("an un\u200blimited liability for it", "limited liability for it"),
    "starts after a line-break hyphen": ("an un-\nlimited liability for it", "limited liability for it"),
    "ends before a line-break hyphen": ("we rescind the engage-\nment now", "we rescind the engage"),
    "ends before an apostrophe": ("that buyer can't pay for it", "that buyer can"),
    "ends before a curly apostrophe": ("that buyer can\u2019t pay for it", "that buyer can"),
    "ends after an apostrophe": ("that buyer can't pay for it", "that buyer can'"),
    "possessive cut": ("the roof of the Tenant's shed", "the roof of the Tenant"),
    "ends before a combining mark": ("il a mange\u0301 la pomme", "il a mange"),
    "ends before a voicing mark": ("甲は乙に通知か\u3099", "甲は乙に通知か"),
    "starts inside a ligature": ("the \ufb01nal of\ufb01ce copy", "inal o\ufb03ce copy"),
    "starts inside a grouped number": ("the cap is 2,500 crowns each year", "500 crowns each year"),
    "starts inside an apostrophe group": ("the cap is 2'500 crowns each year", "500 crowns each year"),
    "starts inside a NBSP group": ("the cap is 2\u00a0500 crowns each year", "500 crowns each year"),
    "starts inside a thin-space group": ("the cap is 2\u202f500 crowns each year", "500 crowns each year"),
    "starts inside a decimal": ("a rate of 12.5 percent a year", "5 percent a year"),
    "starts at the point of a decimal": ("a rate of 12.5 percent a year", ".5 percent a year"),
    "starts behind a bare decimal point": ("a rate of .05 percent a year", "05 percent a year"),
    "starts inside a time": ("we open at 10:30 every day", "30 every day"),
    "starts inside a slash date": ("filed on 05/03 by the clerk", "03 by the clerk"),
    "starts inside a range": ("it takes 20\u201325 hours of work", "25 hours of work"),
    "starts inside a hyphen range": ("it takes 20-25 hours of work", "25 hours of work"),
    "starts inside a full-width number": ("押金为３，６００元退租时返还", "６００元退租时返还"),
    "starts behind a minus sign": ("kept at \u221218 degrees or less", "18 degrees or less"),
    "starts behind a hyphen sign": ("kept at -18 degrees or less", "18 degrees or less"),
    "starts behind an en dash sign": ("kept at \u201318 degrees or less", "18 degrees or less"),
    "starts behind a plus sign": ("kept at +18 degrees or less", "18 degrees or less"),
    "starts behind a minus sign in Chinese": ("样品应保存于\u221220摄氏度以下", "20摄氏度以下"),
    "ends inside a decimal": ("the loan bears 12.5 percent", "the loan bears 12"),
    "ends inside a decimal, mark kept": ("the loan bears 12.5 percent", "the loan bears 12."),
    "ends inside a decimal, ellipsis added": ("the loan bears 12.5 percent", "the loan bears 12 ..."),
    "ends inside a grouped number": ("the sum due is 12,400 crowns", "the sum due is 12"),
    "ends inside a range": ("read all chapters 4\u20136 today", "read all chapters 4"),
    "ends before a superscript": ("no fewer than 10\u2076 spores", "no fewer than 10"),
    "ends before a negative power": ("no fewer than 10\u207b\u2076 moles", "no fewer than 10"),
    "ends before a fraction": ("turn the collar 1\u00bd times", "turn the collar 1"),
    "ends inside a number and letter": ("see the form 12b for it", "see the form 12"),
    "unit changed by its first letter": ("a laser of power, 5 mW at most", "5 MW at most"),
    "runs past the end": ("the log is kept and shown", "the log is kept and shown to all"),
    "words skipped": ("dividends are paid net of tax", "dividends are paid of tax"),
}


@pytest.mark.parametrize(("source", "quote"), FOUND_AS_WRITTEN.values(), ids=FOUND_AS_WRITTEN.keys())
def test_verbatim_words_are_exact(source: str, quote: str) -> None:
    found = find_quote(quote, source)
    assert found.match is Match.exact
    assert source[found.start : found.end] == quote


@pytest.mark.parametrize(("source", "quote"), FOUND_NORMALIZED.values(), ids=FOUND_NORMALIZED.keys())
def test_typographic_differences_are_normalized(source: str, quote: str) -> None:
    found = find_quote(quote, source)
    assert found.match is Match.normalized
    assert found.start is not None and found.end is not None
    assert 0 <= found.start < found.end <= len(source)


@pytest.mark.parametrize(("source", "quote"), NOT_FOUND.values(), ids=NOT_FOUND.keys())
def test_other_differences_are_not_found(source: str, quote: str) -> None:
    found = find_quote(quote, source)
    assert (found.match, found.start, found.end) == (Match.not_found, None, None)


def test_offsets_of_a_normalized_quote_point_into_the_original_text() -> None:
    source = "x\u00ad\u200by. De\ufb01ne\u0301 \u2013 the\u00a0\ufb01nal engage-\nment\u200b; end"
    found = find_quote("\u201cthe final engagement\u201d", source)
    assert source[found.start : found.end] == "the\u00a0\ufb01nal engage-\nment"


def test_marks_that_stand_in_the_source_belong_to_the_match() -> None:
    source = "As stated, \u201cNet Proceeds\u201d means the price received."
    found = find_quote('"Net Proceeds" means the price ...', source)
    assert source[found.start : found.end] == "\u201cNet Proceeds\u201d means the price"


def test_dashes_at_the_ends_are_part_of_the_match() -> None:
    source = "It froze: \u2212 5 or \u221265 \u00b0C inside."
    found = find_quote("-65 \u00b0C inside", source)
    assert source[found.start : found.end] == "\u221265 \u00b0C inside"
