"""Which numbers of a statement stand in a source, rule by rule, in both directions."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.agent.check.numbers import Supply, unsupported_numbers

HELD = {
    "as written": ("Pay 240 crowns.", "240 crowns are due."),
    "comma group": ("Pay 1,000 crowns.", "1000 crowns are due."),
    "blank group": ("Pay 12 400 crowns.", "12,400 crowns are due."),
    "NBSP group": ("Pay 12\u00a0400 crowns.", "12400 crowns are due."),
    "thin-space group": ("Pay 12\u2009400 crowns.", "12 400 crowns are due."),
    "narrow NBSP group": ("Pay 1\u202f234\u202f567 crowns.", "1,234,567 crowns are due."),
    "apostrophe group": ("Pay 1'234'567 crowns.", "1234567 crowns are due."),
    "curly apostrophe group": ("Pay 1\u2019000 crowns.", "1,000 crowns are due."),
    "Indian groups": ("Pay 12,34,567 rupees.", "1234567 rupees are due."),
    "German against English decimals": ("Es wiegt 2.250,50 kg.", "It weighs 2,250.50 kg."),
    "English against German decimals": ("It weighs 1,234,567.8 kg.", "Es wiegt 1.234.567,8 kg."),
    "German decimals without groups": ("Es wiegt 2.250,50 kg.", "Es wiegt 2250,50 kg."),
    "blank group with decimals": ("Il pèse 2 250,50 kg.", "Il pèse 2250,50 kg."),
    "apostrophe group with decimals": ("It weighs 2'250.50 kg.", "It weighs 2,250.50 kg."),
    "points in groups of three, twice": ("Zahlbar sind 1.500.000 Euro.", "1,500,000 euros are due."),
    "decimal comma as written": ("Der Zins ist 4,5 %.", "The rate is 4,5 %."),
    "one point before three digits as written": ("nach 1.500 Stunden", "nach 1.500 Stunden"),
    "full-width digits": ("押金３，６００元", "押金3,600元"),
    "full-width in the statement": ("押金3.5元", "押金３．５元"),
    "Arabic-Indic digits": ("بعد ٣٠ يوماً", "بعد 30 يوماً"),
    "Arabic separators": ("الأجرة ٤٨٬٠٠٠ درهم", "الأجرة 48,000 درهم"),
    "Devanagari digits": ("वर्ष में १५ दिन", "वर्ष में 15 दिन"),
    "minus sign against hyphen": ("kept at \u221280 \u00b0C", "kept at -80 \u00b0C"),
    "en dash sign": ("kept at \u201380 \u00b0C", "kept at \u221280 \u00b0C"),
    "sign in brackets": ("kept cold (-80 \u00b0C)", "kept at -80 \u00b0C"),
    "sign behind a Chinese letter": ("保存于\u221220摄氏度", "保存于-20摄氏度"),
    "range as two numbers": ("between 20 and 200 spores", "20\u2013200 spores"),
    "percent range": ("between 5 and 15 percent", "5%\u201315%"),
    "range read as two numbers": ("20-25 hours", "20 to 25 hours"),
    "number behind a hyphenated name": ("Table HT-6 is sold", "Table HT-6 is sold"),
    "number in a name": ("Error E17 is fatal", "Error E17 is fatal"),
    "sentence end": ("It ends after 90.", "After 90, it ends."),
    "section number": ("See section 12.2.", "Section 12.2 applies"),
    "superscript": ("about 10\u2075 spores", "some 10\u2075 spores"),
    "negative power": ("about 10\u207b\u00b3 moles", "some 10\u207b\u00b3 moles"),
    "power in plain text": ("about 10\u2075 spores", "some 10^5 spores"),
    "fraction": ("turn it 1\u00bd times", "1\u00bd turns"),
    "fraction alone": ("use \u00bd cup of it", "\u00bd cup"),
    "leading zero": ("at 07:30 sharp", "at 7:30 sharp"),
    "bare decimal point": ("p < .05 was used", "p < 0.05 was used"),
    "number split by a zero-width space": ("Pay 12\u200b400 crowns.", "12400 crowns"),
    "word for digit": ("within 8 days", "within eight days"),
    "digit for word": ("within eight days", "within 8 days"),
    "capital word": ("Eight days remain.", "8 days remain"),
    "hyphenated word": ("a seven-year term", "7 years"),
    "hyphenated word in the statement": ("a term of 7 years", "a seven-year term"),
    "twelve (12)": ("twelve (12) months", "twelve months"),
    "one in a source": ("one working day", "1 working day"),
    "one in a statement is not checked": ("a day", "one day, and no one may object"),
    "German word": ("alle zwölf Monate", "every 12 months"),
    "decomposed German word": ("alle zwo\u0308lf Monate", "every twelve months"),
    "capital German word": ("Zwanzig Tage", "20 days"),
    "French word": ("quinze jours", "15 days"),
    "French hyphenated word": ("dix-sept jours", "17 days"),
    "French twenty": ("vingt jours", "20 days"),
    "French and English at once": ("six mois", "six months"),
    "Chinese words": ("十五日内，二十天，两年", "15, 20 and 2"),
    "Chinese section": ("第六条", "Section 6"),
    "word broken at a line's end": ("eigh-\nteen months", "18 months"),
    "hyphenated word broken at a line's end": ("a seven-\nyear term", "7 years"),
    "range of words": ("four-five days", "4 to 5 days"),
    "word before a blank and a noun": ("two quarters unpaid", "2 quarters"),
    "words in a list": ("one, two and three days", "1, 2, 3"),
    "ordinals are not checked": ("a day", "the third working day"),
    "ordinal digits against an ordinal word": ("the third working day", "the 3rd working day"),
    "ordinal digits": ("the 3rd working day", "the 3rd working day"),
    "words above twenty": ("30 days, 200, twenty-one", "thirty days, two hundred, twenty-one"),
    "handles are no numbers": ("a day", "a day (see P3, [p12])"),
    "minus as a word": ("minus 80 degrees", "-80 degrees"),
    "nothing to check": ("a day", "no numbers at all"),
}

MISSING = {
    "changed": ("Pay 240 crowns.", "241 crowns", ["241"]),
    "part of a number": ("spun at 1500 g", "500 g", ["500"]),
    "part of a decimal": ("margin of 11.2%", "2% and 11%", ["2", "11"]),
    "part of a blank group": ("Pay 12 400 crowns.", "400 crowns or 12", ["400", "12"]),
    "trailing zero of a section": ("See section 12.2.", "section 12.20", ["12.20"]),
    "rounded": ("rose 4.87%", "rose 4.9%", ["4.9"]),
    "decimal comma against point": ("Der Zins ist 4,5 %.", "The rate is 4.5 %.", ["4.5"]),
    "one point is no group": ("nach 1.500 Stunden", "after 1500 hours", ["1500"]),
    "one comma that is no group": ("Der Zins ist 4,55 %.", "455", ["455"]),
    "comma behind a zero is no group": ("Es sind 0,125 mm.", "0125", ["0125"]),
    "point for comma in groups": ("Pay 1,500 crowns.", "1.500 crowns", ["1.500"]),
    "sign lost": ("kept at \u221280 \u00b0C", "kept at 80 \u00b0C", ["80"]),
    "sign added": ("kept at 80 \u00b0C", "kept at -80 \u00b0C", ["-80"]),
    "sign lost behind a Chinese letter": ("保存于-20摄氏度", "保存于20摄氏度", ["20"]),
    "power flattened": ("about 10\u2075 spores", "about 105 spores, 10", ["105", "10"]),
    "power in plain text flattened": ("about 10^5 spores", "about 105 spores", ["105"]),
    "power changed": ("about 10\u2075 spores", "about 10\u2076 spores", ["10\u2076"]),
    "whole part of a fraction": ("turn it 1\u00bd times", "1 turn", ["1"]),
    "half is no 50": ("half of the orders", "50% of the orders", ["50"]),
    "sum": ("120 in the north and 80 in the south", "200 in both", ["200"]),
    "unit converted": ("2 kg of sand", "2000 g of sand", ["2000"]),
    "word against another": ("six rents", "seven rents", ["seven"]),
    "hyphenated word": ("six rents", "a seven-year term", ["seven"]),
    "twenty in twenty-one": ("twenty-one joined", "20 or 21 or 1 joined", ["20", "21", "1"]),
    "twenty one with a blank": ("twenty one joined", "20 or 1", ["20", "1"]),
    "two in two hundred": ("two hundred joined", "2 or 200", ["2", "200"]),
    "five in hundred and five": ("one hundred and five joined", "5", ["5"]),
    "two in two-thirds": ("two-thirds joined", "2", ["2"]),
    "nineteen in a year": ("since nineteen eighty-four", "19 or 4", ["19", "4"]),
    "five in two point five": ("two point five litres", "5 or 2", ["5", "2"]),
    "vingt in vingt-cinq": ("vingt-cinq jours", "20, 5 or 25", ["20", "5", "25"]),
    "vingt in vingt-six": ("vingt-six jours", "6 or 20", ["6", "20"]),
    "vingt et un": ("vingt et un jours", "20 or 1", ["20", "1"]),
    "quatre in quatre-vingts": ("quatre-vingts jours", "4 or 20", ["4", "20"]),
    "dix in soixante-dix": ("soixante-dix jours", "10", ["10"]),
    "dix in dix-sept": ("dix-sept jours", "10 or 7", ["10", "7"]),
    "German words inside a word": ("einundzwanzig Tage, zweihundert", "20, 2, 21", ["20", "2", "21"]),
    "Chinese compound": ("二十五日内", "20, 5, 25", ["20", "5", "25"]),
    "Chinese hundred": ("三百元", "3 or 300", ["3", "300"]),
    "Chinese one is not supplied": ("逾期一日", "1 day", ["1"]),
    "German word in a statement is not checked, its digit is": ("elf Tage", "12 Tage oder zwölf", ["12"]),
    "number only in a handle": ("guests are signed in", "7 guests (P7)", ["7"]),
    "ordinal word supplies no plain number": ("the third working day", "3 days", ["3"]),
    "other ordinal": ("the third working day", "the 5th working day", ["5"]),
    "letters are no handle": ("a day", "form P3a and XP4", ["3", "4"]),
    "in the order of the statement": (
        "nothing here",
        "seven of 12 on 5 May 2021",
        ["seven", "12", "5 May 2021"],
    ),
    "as the statement writes it": ("nothing here", "EUR ８４，０００ and 1 000", ["８４，０００", "1 000"]),
}


@pytest.mark.parametrize(("source", "statement"), HELD.values(), ids=HELD.keys())
def test_numbers_that_stand_in_the_source(source: str, statement: str) -> None:
    assert unsupported_numbers(statement, Supply.of(source)) == []


@pytest.mark.parametrize(("source", "statement", "missing"), MISSING.values(), ids=MISSING.keys())
def test_numbers_that_do_not(source: str, statement: str, missing: list[str]) -> None:
    assert unsupported_numbers(statement, Supply.of(source)) == missing


def test_sources_add_up() -> None:
    held = Supply.of("five days", "on 5 March 2021")
    held.merge(Supply.of("Section 9.1"))
    assert unsupported_numbers("Section 9.1 gives 5 days from 2021-03-05.", held) == []


@settings(deadline=None)
@given(st.text(max_size=80))
def test_a_text_supplies_its_own_numbers(text: str) -> None:
    missing = unsupported_numbers(text, Supply.of(text))
    assert missing == []


@settings(deadline=None)
@given(st.integers(min_value=0, max_value=10**12), st.integers(min_value=0, max_value=10**12))
def test_numbers_agree_in_every_grouping_and_only_with_themselves(number: int, other: int) -> None:
    held = Supply.of(f"It is {number:,} in all.")
    for mark in (",", " ", "\u00a0", "\u2009", "\u202f", "'", ""):
        assert unsupported_numbers(f"{number:,}".replace(",", mark), held) == []
    if other != number:
        assert unsupported_numbers(f"about {other}", held) == [str(other)]


def test_very_long_digit_runs_are_numbers_too() -> None:
    digits = "9" * 6_000
    assert unsupported_numbers(digits, Supply.of(f"a {digits} b")) == []
    assert unsupported_numbers(digits, Supply.of("nothing")) == [digits]
