from __future__ import annotations

import inspect
import subprocess
import sys

import pytest

import pincite

HEAVY = ("torch", "sentence_transformers", "openai", "lancedb", "pyarrow", "pydantic", "click", "numpy")


def _loaded_after(code: str) -> set[str]:
    script = f"import sys\n{code}\nprint('\\n'.join(name for name in {HEAVY!r} if name in sys.modules))"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


def test_the_public_names_are_few_and_each_is_there_with_a_description() -> None:
    assert sorted(pincite.__all__) == [
        "Agent",
        "Answer",
        "Budgets",
        "ExtractiveModel",
        "Index",
        "OpenAIModel",
        "PinciteError",
        "Scope",
        "ScriptedModel",
        "SyncReport",
        "ask",
        "open_index",
        "sync",
    ]
    for name in pincite.__all__:
        assert inspect.getdoc(getattr(pincite, name))
    assert set(pincite.__all__) <= set(dir(pincite))


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'answers'"):
        _ = pincite.answers


def test_importing_pincite_loads_nothing_heavy() -> None:
    assert _loaded_after("import pincite") == set()
    assert _loaded_after("import pincite.__main__") == set()


def test_the_public_names_load_no_model_library() -> None:
    loaded = _loaded_after("from pincite import *")
    assert loaded & {"torch", "sentence_transformers", "openai", "lancedb", "tiktoken"} == set()
