"""How long a quote must be to count as evidence."""

import pytest

from pincite.agent.check.quotes import Match, find_quote, too_short

TOO_SHORT = {
    "empty": "",
    "blank": " \n\t\u200b",
    "two words": "Konventionalstrafe ausgeschlossen",
    "three short words": "it is so",
    "nine characters": "ab cd efg",
    "marks only": '"..." \u2026 "',
    "marks at the ends do not count": '"... Port Lessing ..."',
    "a final mark does not count": "ab cd efg.",
    "a dash is no word": "Port \u2014 Lessing",
    "three Chinese characters": "\u8fdd\u7ea6\u91d1",
    "three Chinese characters in brackets": "\u300c\u8fdd\u7ea6\u91d1\u300d\u3002",
    "three kana": "です。は",
    "blanks between three Chinese characters": "\u8fdd \u7ea6 \u91d1",
    "zero-width characters do not separate": "Konventional\u200bstrafe ist",
    "mostly Latin needs three words": "API\u5bc6\u94a5 token",
    "a word broken at a line's end is one word": "unbe-\nschadet bleibt",
}

LONG_ENOUGH = {
    "three words, ten characters": "ab cd efgh",
    "numbers are words": "12 4.80 1999",
    "four Chinese characters": "\u907f\u5149\u4fdd\u5b58",
    "half of them Chinese": "AB\u5bc6\u94a5",
    "four with digits": "15\u65e5\u5185",
    "katakana with a length mark": "サーバー",
    "Arabic": "لا يجوز فسخ العقد",
    "a no-break space separates words": "ab\u00a0cd\u00a0efgh",
}


@pytest.mark.parametrize("quote", TOO_SHORT.values(), ids=TOO_SHORT.keys())
def test_short_quotes_are_no_evidence(quote: str) -> None:
    assert too_short(quote)
    assert find_quote(quote, f"Before. {quote} After.").match is Match.not_found


@pytest.mark.parametrize("quote", LONG_ENOUGH.values(), ids=LONG_ENOUGH.keys())
def test_the_shortest_quotes_that_count(quote: str) -> None:
    assert not too_short(quote)
    assert find_quote(quote, f"Before. {quote} After.").match is Match.exact
