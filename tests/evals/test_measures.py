"""Worked values of ranking measures, intervals and paired comparisons."""

from __future__ import annotations

import pytest

pytest.importorskip("ir_measures")
pytest.importorskip("scipy")

from pincite.errors import NothingUsableError
from pincite.evals.measures import Unit, compare, interval, means, measure, results

FOUR = {"q": {"a": 1, "b": 1, "c": 1, "d": 1}}


def test_three_returned_two_relevant_of_four_first_at_rank_two() -> None:
    values = {name: one["q"] for name, one in measure(FOUR, {"q": ["x", "a", "b"]}, (3, 5)).items()}
    assert values["precision_of_returned@3"] == pytest.approx(2 / 3)
    assert values["precision_of_returned@5"] == pytest.approx(2 / 3)
    assert values["precision@3"] == pytest.approx(2 / 3)
    assert values["precision@5"] == pytest.approx(2 / 5)
    assert values["recall@3"] == pytest.approx(1 / 2)
    assert values["hit@3"] == 1
    assert values["MRR"] == pytest.approx(1 / 2)
    assert values["MAP"] == pytest.approx((1 / 2 + 2 / 3) / 4)
    assert values["complete@3"] == 0


def test_queries_without_anything_relevant_enter_no_mean() -> None:
    values = measure({**FOUR, "none": {"a": 0}, "empty": {}}, {"q": ["a"], "none": ["a"]}, (1,))
    assert set(values["recall@1"]) == {"q"}
    assert means(values)["recall@1"] == pytest.approx(1 / 4)


def test_a_query_for_which_nothing_came_back_counts_as_zero() -> None:
    values = measure({**FOUR, "missed": {"a": 1}}, {"q": ["a", "b", "c", "d"]}, (4,))
    assert values["recall@4"] == {"q": 1.0, "missed": 0.0}
    assert means(values)["recall@4"] == pytest.approx(0.5)


def test_the_order_given_is_the_order_measured() -> None:
    # trec_eval would order equal scores by name; ranks decide here
    assert measure({"q": {"a": 1}}, {"q": ["z", "m", "a"]}, (3,))["MRR"]["q"] == pytest.approx(1 / 3)


def test_grades_are_gains() -> None:
    values = measure({"q": {"a": 3, "b": 1}}, {"q": ["b", "a"]}, (2,))
    dcg, ideal = 1 + 3 / 1.5849625, 3 + 1 / 1.5849625
    assert values["nDCG@2"]["q"] == pytest.approx(dcg / ideal, abs=1e-4)


def test_an_interval_holds_the_mean_and_is_the_same_every_time() -> None:
    values = [0.0, 1.0] * 20
    low, high = interval(values)
    assert 0.3 < low < 0.5 < high < 0.7
    assert interval(values) == (low, high)
    assert interval([0.25]) == (0.25, 0.25)
    assert interval([]) == (0.0, 0.0)


def test_two_runs_are_compared_over_the_queries_that_both_have() -> None:
    first = {str(n): 0.2 for n in range(12)} | {"only here": 1.0}
    second = {str(n): 0.6 for n in range(12)}
    found = compare("nDCG@10", first, second)
    assert (found.queries, found.better, found.worse) == (12, 12, 0)
    assert found.difference == pytest.approx(0.4)
    assert found.p < 0.01
    same = compare("nDCG@10", first, first)
    assert (same.difference, same.p) == (0.0, 1.0)


def test_runs_without_a_common_query_are_an_error() -> None:
    with pytest.raises(NothingUsableError, match="no query in common"):
        compare("MAP", {"a": 1.0}, {"b": 1.0})


def test_a_result_that_shows_two_places_is_one_result_with_both() -> None:
    both: list[Unit] = [("a", "b"), "x", ("b", "c")]
    judged = {"q": {"a": 1, "b": 1, "c": 1, "d": 1}}
    values = {name: one["q"] for name, one in measure(judged, {"q": both}, (1, 2, 3)).items()}
    assert (values["recall@1"], values["recall@2"], values["recall@3"]) == (0.5, 0.5, 0.75)
    assert (values["precision@1"], values["precision@2"]) == (1.0, 0.5)
    assert values["precision@3"] == values["precision_of_returned@3"] == pytest.approx(2 / 3)
    assert (values["hit@1"], values["complete@3"], values["MRR"]) == (1.0, 0.0, 1.0)
    # behind one another a, b, x, c: (1 + 1 + 3/4) / 4
    assert values["MAP"] == pytest.approx(0.6875)
    alone = {name: one["q"] for name, one in measure({"q": {"a": 1, "b": 1}}, {"q": both}, (1, 5)).items()}
    assert alone["nDCG@5"] == alone["MAP"] == alone["complete@1"] == alone["recall@1"] == 1.0
    assert alone["precision@5"] == pytest.approx(0.2)


def test_what_brings_nothing_new_takes_no_rank() -> None:
    assert results(["a", ("a",), ("b", "a"), "b", "x"]) == {"a": ("a",), ("b", "a"): ("b",), "x": ("x",)}
