"""What a judge wrote is read as a person would read it; what is neither yes nor no is no verdict."""

from __future__ import annotations

import pytest

from pincite.evals.verdicts import verdict


@pytest.mark.parametrize(
    "said",
    [
        "yes",
        "**Yes**",
        "Yes, but only partly.",
        "Yes it does.",
        "There is no doubt: yes.",
        "Answer: yes\n\nIt says 900.",
        "There is no contradiction, so yes.",
        "The answer is yes.",
        '{"verdict": "yes"}',
        "Supported",
        "The statement is supported by the passages.",
        "This is not false.",
        "Hmm... yes?",
    ],
)
def test_yes(said: str) -> None:
    assert verdict(said) is True


@pytest.mark.parametrize(
    "said",
    [
        "no",
        "No, they say less.",
        "No they say less than it.",
        "No, that is true only in part.",
        "That is not true.",
        "Not supported",
        "unsupported",
        "It isn't supported by the passages.",
        "It isn’t true.",
        "The answer is: no",
        "Yes or no? No.",
        "I'd say no.",
        "The passages say 900, not 950. No.",
        '{"supported": false}',
        "It is true that rent is mentioned, but the answer is no.",
        "This cannot be true.",
    ],
)
def test_no(said: str) -> None:
    assert verdict(said) is False


@pytest.mark.parametrize(
    "said",
    [
        "",
        "perhaps",
        "I cannot say yes or no to that.",
        "yes/no",
        "Yes and no.",
        "Neither yes nor no.",
        "No doubt about it.",
        "I do not know whether this is true.",
        "I would not say yes.",
        "The claim is partially supported.",
        "It could be true or false.",
        "I think it is supported. But it is also false.",
    ],
)
def test_neither(said: str) -> None:
    assert verdict(said) is None
