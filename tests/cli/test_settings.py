from __future__ import annotations

from pathlib import Path

import pytest

from pincite.cli.settings import Settings, load_settings, settings_file
from pincite.errors import UsageError


@pytest.fixture
def user_file(tmp_path: Path) -> Path:
    file = tmp_path / "pincite" / "pincite.toml"
    file.parent.mkdir()
    return file


def _environment(user_file: Path, **values: str) -> dict[str, str]:
    return {"XDG_CONFIG_HOME": str(user_file.parent.parent), **values}


def test_defaults_name_no_model_and_the_index_of_the_current_folder() -> None:
    settings = load_settings({}, environment={"XDG_CONFIG_HOME": "/nowhere"})
    assert settings == Settings()
    assert (settings.model, settings.db, settings.tenant) == (None, Path(".pincite"), "default")


def test_flags_win_over_the_environment_and_that_over_the_file(user_file: Path) -> None:
    user_file.write_text('model = "from-file"\ntenant = "from-file"\nencoder = "from-file"\n')
    environment = _environment(user_file, PINCITE_MODEL="from-environment", PINCITE_TENANT="from-environment")
    settings = load_settings({"model": "from-flag", "db": None}, environment=environment)
    assert (settings.model, settings.tenant, settings.encoder) == (
        "from-flag",
        "from-environment",
        "from-file",
    )


def test_a_key_alone_selects_no_model() -> None:
    environment = {
        "OPENAI_API_KEY": "k",
        "OPENAI_BASE_URL": "http://localhost:1",
        "XDG_CONFIG_HOME": "/nowhere",
    }
    assert load_settings({}, environment=environment).model is None


def test_a_settings_file_beside_the_documents_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pincite.toml").write_text('base_url = "https://elsewhere.example"\n')
    monkeypatch.chdir(tmp_path)
    assert load_settings({}, environment={"XDG_CONFIG_HOME": "/nowhere"}).base_url is None


def test_an_empty_variable_is_as_good_as_none(user_file: Path) -> None:
    assert load_settings({}, environment=_environment(user_file, PINCITE_MODEL="")).model is None


def test_unknown_keys_are_named(user_file: Path) -> None:
    user_file.write_text('modle = "x"\n')
    with pytest.raises(UsageError, match="unknown setting modle in ") as caught:
        load_settings({}, environment=_environment(user_file))
    assert "model" in caught.value.near
    user_file.unlink()
    with pytest.raises(UsageError, match="unknown setting PINCITE_MODLE in the environment"):
        load_settings({}, environment=_environment(user_file, PINCITE_MODLE="x"))


@pytest.mark.parametrize(
    ("content", "named"),
    [
        ("model = 3", "model"),
        ('tenant = "../other"', "tenant"),
        ('base_url = "file:///etc/passwd"', "base_url"),
        ('model = ""', "model"),
    ],
)
def test_bad_values_are_named_with_their_key(user_file: Path, content: str, named: str) -> None:
    user_file.write_text(content)
    with pytest.raises(UsageError, match=rf"^{named} in .*pincite\.toml: "):
        load_settings({}, environment=_environment(user_file))


@pytest.mark.parametrize("content", [b"model = ", b"\xff\xfe", b"[[["])
def test_a_file_that_is_not_toml_is_a_usage_error(user_file: Path, content: bytes) -> None:
    user_file.write_bytes(content)
    with pytest.raises(UsageError, match="cannot be read"):
        load_settings({}, environment=_environment(user_file))


def test_a_named_settings_file_must_exist(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no settings file"):
        settings_file(tmp_path / "none.toml", {})
    with pytest.raises(UsageError, match="there is no settings file"):
        settings_file(None, {"PINCITE_CONFIG": str(tmp_path)})
    named = tmp_path / "mine.toml"
    named.write_text('db = "~/kb"\n')
    assert load_settings({}, config=named, environment={}).db == Path("~/kb").expanduser()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("db = 5", "db in {}: must be a folder's name in quotes"),
        ("model = 5", "model in {}: must be text in quotes"),
        ("redact = 5", "redact in {}: must be a list of texts in quotes"),
        ("budget = {seconds = 'x'}", "budget.seconds in {}: must be a number"),
        ("budget = {model_calls = 1.5}", "budget.model_calls in {}: must be a whole number"),
        ("prices = {a = 5}", "prices.a in {}: must be a table"),
    ],
)
def test_a_value_of_the_wrong_kind_is_told_in_our_words(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "pincite.toml"
    file.write_text(text)
    with pytest.raises(UsageError) as caught:
        load_settings({}, config=file, environment={})
    assert caught.value.message == words.format(file)


@pytest.mark.parametrize("folder", ["", " "])
def test_a_folder_without_a_name_is_not_the_current_one(folder: str) -> None:
    with pytest.raises(UsageError, match="db on the command line: is empty"):
        load_settings({"db": folder}, environment={"XDG_CONFIG_HOME": "/nowhere"})
