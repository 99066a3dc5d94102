from __future__ import annotations

from pathlib import Path

import pytest

from pincite.agent.budget import Budgets, Limits, Price
from pincite.cli.settings import load_settings
from pincite.errors import UsageError

HOME = {"XDG_CONFIG_HOME": "/nowhere"}


def test_tables_are_merged_key_by_key(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(
        '[budget]\ncost = 0.5\nseconds = "none"\n[session]\ncost = 2\n'
        '[prices."gpt-4.1"]\ninput = 2\noutput = 8\n[prices.x]\ninput = 9\noutput = 9\n'
    )
    given = {"PINCITE_BUDGET": "model_calls=3, cost=0.3", "PINCITE_PRICES": "llama:8b=0/0, x=1/2/0.5"}
    settings = load_settings({"budget": ("cost=0.1",)}, config=file, environment=given)
    assert settings.budget == Budgets(model_calls=3, cost=0.1, seconds=None)
    assert settings.session == Limits(cost=2)
    assert settings.prices == {
        "gpt-4.1": Price(input=2, output=8),
        "llama:8b": Price(input=0, output=0),
        "x": Price(input=1, output=2, cached=0.5),
    }


@pytest.mark.parametrize(
    ("variable", "value", "said"),
    [
        ("PINCITE_BUDGET", "cots=1", "unknown setting PINCITE_BUDGET.cots in the environment"),
        ("PINCITE_SESSION", "repairs=1", "unknown setting PINCITE_SESSION.repairs"),
        ("PINCITE_PRICES", "a=1", "PINCITE_PRICES in the environment: '1' is not input/output"),
        ("PINCITE_PRICES", "a=-1/2", "PINCITE_PRICES.a.input in the environment"),
        ("PINCITE_CALLING", "x", "PINCITE_CALLING in the environment"),
    ],
)
def test_a_bad_variable_is_named(variable: str, value: str, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        load_settings({}, environment={**HOME, variable: value})
    assert caught.value.message.startswith(said)


@pytest.mark.parametrize(
    ("content", "named"),
    [
        ("budget = 3", "budget in "),
        ("prices = 1", "prices in "),
        ("[budget]\nx = 1", "unknown setting budget.x in "),
        ("[prices]\na = 1", "prices.a in "),
        ("[prices.a]\ninput = 1", "prices.a.output in "),
        ("[session]\nseconds = inf", "session.seconds in "),
    ],
)
def test_a_bad_table_of_the_file_is_named(tmp_path: Path, content: str, named: str) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(content)
    with pytest.raises(UsageError) as caught:
        load_settings({}, config=file, environment={})
    assert caught.value.message.startswith(named)
