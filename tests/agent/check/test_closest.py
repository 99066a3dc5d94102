"""The words of a passage that come nearest to a quote."""

from pincite.agent.check.closest import closest_words

LEASE = (
    "The Tenant shall pay a monthly rent of EUR 12,400, due in advance. Late payment bears interest. "
    "Either party may terminate this Lease by giving twelve months' written notice to the end of a quarter."
)


def test_a_changed_number_finds_the_right_one() -> None:
    assert "monthly rent of EUR 12,400" in closest_words("a monthly rent of EUR 14,200", LEASE)


def test_a_paraphrase_finds_the_sentence() -> None:
    words = closest_words("party may end this Lease by giving twelve months' notice", LEASE)
    assert "may terminate this Lease by giving twelve months' written notice" in words


def test_the_run_is_verbatim_and_no_longer_than_asked() -> None:
    words = closest_words(LEASE.replace("rent", "fee"), LEASE, words=10)
    assert words in LEASE
    assert len(words.split()) == 10


def test_a_short_quote_gets_words_around_it() -> None:
    words = closest_words("a quarter", LEASE)
    assert words.endswith("the end of a quarter.") and len(words.split()) >= 5


def test_chinese_runs_are_cut_by_characters() -> None:
    text = "甲方应于每季度结束后十个工作日内提交运行报告，乙方应在收到报告后五日内确认，逾期视为认可。" * 3
    words = closest_words("每季度结束后二十个工作日内提交运行报告", text)
    assert "结束后十个工作日内提交运行报告" in words
    assert words in text and len(words) <= 50


def test_normalisation_helps_and_the_original_is_given_back() -> None:
    text = "Upon request the \ufb01eld engineer visits the site within ten days of the call."
    assert "\ufb01eld engineer visits" in closest_words("the field technician visits the site", text)


def test_nothing_similar_is_nothing() -> None:
    assert closest_words("The landlord insures the roof", "Glass is collected every fourteen days.") == ""
    assert closest_words("", LEASE) == ""
    assert closest_words("...", LEASE) == ""
    assert closest_words("a monthly rent", "") == ""
    assert closest_words("a monthly rent", LEASE, words=0) == ""
