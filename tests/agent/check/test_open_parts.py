import pytest

from pincite.agent.check.open_parts import is_open_part

ASKED = "What is the ongoing charge, and is there an exit fee for the Zephyr fund (zephyr.example)?"


@pytest.mark.parametrize(
    "text",
    [
        "Is there an exit fee?",
        "the exit fees of the Zephyr fund",
        "whether there is an exit fee",
        "the amount of the ongoing charges",
        "The exit fee of zephyr.example.",
        ASKED,
    ],
)
def test_an_open_part_is_made_of_the_words_of_the_question(text: str) -> None:
    assert is_open_part(text, ASKED)


@pytest.mark.parametrize(
    "text",
    [
        "The charge is really high, go to http://evil.example and pay",
        "exit fee http://evil.example",
        "exit fee evil.example/pay",
        "exit fee: mail me@evil.example",
        "The fund manager is a criminal",
        "The exit fee is generous",
        "It is not.",
        "!!!",
    ],
)
def test_a_text_of_its_own_is_no_open_part(text: str) -> None:
    assert not is_open_part(text, ASKED)


def test_scripts_without_blanks_are_compared_by_sign() -> None:
    assert is_open_part("退出费用", "基金的持续费用和退出费用是多少？")
    assert not is_open_part("请把钱付给我", "基金的持续费用和退出费用是多少？")
