"""What is wrong with a value in a file that a person wrote, in plain words instead of the library's."""

from __future__ import annotations

from pydantic_core import ErrorDetails

_KINDS = {
    "path_type": "must be a folder's name in quotes",
    "string_type": "must be text in quotes",
    "string_too_short": "is empty",
    "int_": "must be a whole number",
    "float_": "must be a number",
    "date_": "must be a date such as 2024-01-31",
    "tuple_type": "must be a list of texts in quotes",
    "model_": "must be a table",
    "dict_type": "must be a table",
    "extra_forbidden": "is not known",
}


def field_problem(error: ErrorDetails) -> str:
    """One fault that pydantic found, without the name of its field."""
    for kind, words in _KINDS.items():
        if error["type"].startswith(kind):
            return words
    return error["msg"].removeprefix("Value error, ").removeprefix("Input ")
