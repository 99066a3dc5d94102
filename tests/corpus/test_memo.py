"""What an index remembers is bounded by weight and never outlives its version."""

from __future__ import annotations

from pincite.corpus.memo import Memo


def _asked(memo: Memo, key: str, version: int, answer: str) -> bool:
    """Whether the answer had to be asked for."""
    asked = []

    def ask() -> str:
        asked.append(key)
        return answer

    assert memo.get(key, version, ask) == answer
    return bool(asked)


def test_answers_stay_as_long_as_all_of_them_weigh_little_enough() -> None:
    memo = Memo(10, len)
    assert _asked(memo, "a", 1, "xxxx")
    assert _asked(memo, "b", 1, "xxxx")
    assert not _asked(memo, "a", 1, "xxxx")
    assert _asked(memo, "c", 1, "xxxx")
    assert not _asked(memo, "a", 1, "xxxx")
    assert _asked(memo, "b", 1, "xxxx")


def test_an_answer_heavier_than_all_is_kept_until_the_next() -> None:
    memo = Memo(3, len)
    assert _asked(memo, "a", 1, "xxxxxx")
    assert not _asked(memo, "a", 1, "xxxxxx")
    assert _asked(memo, "b", 1, "x")
    assert not _asked(memo, "b", 1, "x")
    assert _asked(memo, "a", 1, "xxxxxx")


def test_a_new_version_forgets_every_answer() -> None:
    memo = Memo(10, len)
    assert _asked(memo, "a", 1, "old")
    assert _asked(memo, "a", 2, "new")
    assert not _asked(memo, "a", 2, "new")
