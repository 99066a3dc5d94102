"""Units, scales and long numbers in words, in both directions."""

import pytest

from pincite.agent.check.numbers import Supply, unsupported_numbers

CHARGE = "The ongoing charge is 0.46% a year."

HELD = {
    "percent in words": ("It is 0.46 percent.", CHARGE),
    "per cent": ("It is 0.46 per cent.", CHARGE),
    "percent for a table": ("The charge is 0.46%.", "Charges (in %) | ongoing 0.46 | exit 0"),
    "German percent": ("The rate is 4,5%.", "Der Zins beträgt 4,5 Prozent."),
    "euros for a sign": ("The cap is EUR 5 million.", "The cap is €5m."),
    "a sign for euros": ("The cap is €5m.", "The cap is 5 million euros."),
    "German millions": ("The cap is EUR 5 million.", "Die Grenze liegt bei 5 Mio. EUR."),
    "millions for a table": ("Revenue was €12 million.", "EUR million | Revenue 12 | Costs 7"),
    "thousands": ("It costs $20k.", "It costs USD 20 thousand."),
    "range of millions": ("It costs €5 to 6 million.", "It costs from 5 million to 6 million euros."),
    "range that shares its unit": (
        "It costs €5 million to €6 million.",
        "It costs between €5 and 6 million.",
    ),
    "pounds in words": ("The fee is 240 pounds.", "The fee is £240."),
    "currency said elsewhere": ("The fee is £240.", "All sums are in pounds sterling. The fee is 240."),
    "a currency in another script": ("The rent is AED 48,000.", "الأجرة السنوية 48,000 درهم"),
    "no unit": ("The answer is 46.", "46 basis points"),
    "metres are no millions": ("The wall is 5 m high.", "The wall is 5 m high."),
    "basis points": ("It is 64 basis points.", "a spread of 64 bps"),
    "words for digits": ("The term is thirty days.", "within 30 days"),
    "long words for digits": ("It has sixty-four pages.", "It has 64 pages."),
    "words for words": ("It has sixty-four pages.", "There are sixty-four pages."),
    "half a million": ("It costs half a million.", "It costs 500,000."),
    "half a million for a part": ("About half a million came.", "0.5 million came"),
    "scaled words for a sign": ("The cap is five million euros.", "The cap is €5m."),
    "hundred thousand": ("It costs two hundred thousand euros.", "It costs EUR 200,000."),
    "German tens": ("The term is thirty days.", "Die Frist beträgt dreißig Tage."),
    "French tens": ("The term is thirty-five days.", "Le délai est de trente-cinq jours."),
    "an ordinal": ("It is the twenty-first edition.", "It is the 21st edition."),
    "a year in words": ("It began in nineteen eighty-four.", "It began in 1984."),
    "a doubled number": ("It takes thirty (30) days.", "It takes thirty (30) days."),
    "one hundred percent": ("It is one hundred percent wool.", "It is 100% wool."),
}

NOT_HELD = {
    "millions for percent": ("The charge is £0.46 million a month.", CHARGE, ["0.46"]),
    "a currency for percent": ("The charge is £0.46.", CHARGE, ["0.46"]),
    "basis points for percent": ("The charge is 0.46 basis points.", CHARGE, ["0.46"]),
    "basis points in words": ("It is sixty-four basis points.", CHARGE, ["sixty-four"]),
    "half a million": ("It is about half a million pounds.", CHARGE, ["half a million"]),
    "percent for euros": ("The fee is 5%.", "The fee is €5.", ["5"]),
    "another currency": ("The fee is $5.", "The fee is €5.", ["5"]),
    "another scale": ("The cap is €5 billion.", "The cap is €5 million.", ["5"]),
    "no scale": ("The cap is €5.", "The cap is €5 million.", ["5"]),
    "a currency out of nowhere": ("The fee is €240.", "The fee is 240.", ["240"]),
    "tens in words": ("The term is forty days.", "within 30 days", ["forty"]),
    "small words with another unit": ("The fee is five percent.", "The fee is five euros.", ["five"]),
    "millions in words": ("It costs five million.", "It costs five euros.", ["five million"]),
}


@pytest.mark.parametrize(("statement", "source"), HELD.values(), ids=HELD)
def test_a_unit_that_agrees_is_held(statement: str, source: str) -> None:
    assert unsupported_numbers(statement, Supply.of(source)) == []


@pytest.mark.parametrize(("statement", "source", "missing"), NOT_HELD.values(), ids=NOT_HELD)
def test_another_unit_is_not_held(statement: str, source: str, missing: list[str]) -> None:
    assert unsupported_numbers(statement, Supply.of(source)) == missing
