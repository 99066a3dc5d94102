"""The arguments of the tools. Docstrings and descriptions are what a model reads."""

from __future__ import annotations

import json
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Annotated, Any, ClassVar, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)
from pydantic_core import ErrorDetails

from pincite.corpus.typed import typed
from pincite.tools.failures import bad_arguments
from pincite.tools.render import quoted

QUERY_LIMIT = 2000
QUERIES_LIMIT = 8
NAME_LIMIT = 1000


def _text(value: Any) -> Any:
    """Text without half surrogate pairs; a bare number is meant as text, a list of one as its member."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


def _words(value: Any) -> Any:
    """Text to look for, without what nobody sees in it."""
    text = _text(value)
    return typed(text) if isinstance(text, str) else text


def blank(value: Any) -> bool:
    """Whether a value stands for none given: null, or text without a sign."""
    return value is None or (isinstance(value, str) and not value.strip())


def whole_number(value: Any) -> Any:
    """A whole number, also written as text or as 6.0."""
    if isinstance(value, str) and len(value) < NAME_LIMIT:
        value = value.strip()
        return int(value[:12]) if value.lstrip("+-").isdecimal() else value
    if isinstance(value, bool) or (isinstance(value, float) and not value.is_integer()):
        raise ValueError("must be a whole number")
    return value


def _searchable(query: str) -> str:
    if len(query) > QUERY_LIMIT:
        raise ValueError(f"is longer than {QUERY_LIMIT:,} characters")
    if not any(sign.isalnum() for sign in query):
        raise ValueError("holds no letter and no digit")
    return query


Query = Annotated[str, BeforeValidator(_words), AfterValidator(_searchable)]
Name = Annotated[str, BeforeValidator(_text), Field(max_length=NAME_LIMIT)]
Words = Annotated[str, BeforeValidator(_words), Field(max_length=NAME_LIMIT)]
Go = Annotated[
    str | None,
    Field(alias="from", max_length=100, description="Only to go on: what the last result gave as next."),
]


class Arguments(BaseModel):
    """Arguments of one tool: its name, what a model reads about it, and a call that works."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    tool: ClassVar[str]
    example: ClassVar[str]

    @model_validator(mode="before")
    @classmethod
    def _without_blanks(cls, data: Any) -> Any:
        """Small models write "" or null for what they leave out."""
        if not isinstance(data, Mapping):
            return data
        return {key: value for key, value in data.items() if not blank(value)}


class SearchArguments(Arguments):
    """Search the documents by words and by meaning. Gives passages with handles (P1, P2, ...) to cite.

    Ask for one thing in a query, in words that the document would use. When the question has several
    parts, give the first as "query" and the others as "queries".
    """

    # "queries" alone is taken too, but a grammar made from the schema then always asks for something.
    model_config = ConfigDict(json_schema_extra={"required": ["query"]})

    tool = "search"
    example = '{"query": "notice period for ending the lease"}'

    query: Query | None = Field(None, description="What to look for: a few words or one sentence.")
    queries: list[Query] | None = Field(
        None, max_length=QUERIES_LIMIT, description="Further queries, one for each other part."
    )
    limit: Annotated[int, BeforeValidator(whole_number)] = Field(
        6, ge=1, le=50, description="How many passages, 1 to 50."
    )
    document: Name | None = Field(
        None, description="Search only this document: its id, path or title. Leave out to search all."
    )
    start: Go = None

    @model_validator(mode="before")
    @classmethod
    def _lists(cls, data: Any) -> Any:
        """Several queries under "query", or one under "queries", also as JSON text, are meant well."""
        if not isinstance(data, Mapping):
            return data
        data = dict(data)
        if isinstance(data.get("query"), list) and "queries" not in data:
            data["queries"] = data.pop("query")
        if isinstance(data.get("queries"), str):
            data["queries"] = _listed(data["queries"])
        return data

    @property
    def parts(self) -> list[str]:
        """The queries, each once."""
        return list(dict.fromkeys([*([self.query] if self.query else []), *(self.queries or [])]))


class ContentsArguments(Arguments):
    """List the documents, or the sections of one document with their numbers, titles, pages and sizes.

    Without "document": the documents, by folder when they are many; "folder" opens one, "find" searches
    their names. With it: its table of contents, from "section" down if given, as deep as fits.
    """

    tool = "table_of_contents"
    example = '{"document": "lease.md"}'

    document: Name | None = Field(None, description="A document's id, path or title.")
    section: Name | None = Field(None, description="Only this section and what is below it.")
    # The bounds belong to the number: beside null they would be no keywords of JSON Schema.
    depth: Annotated[int, Field(ge=1, le=20), BeforeValidator(whole_number)] | None = Field(
        None, description="How many levels of sections. Leave out: as many as fit."
    )
    folder: Name | None = Field(None, description="Only the documents in this folder.")
    find: Words | None = Field(None, description="Only documents whose name holds these words.")
    start: Go = None


class ReadArguments(Arguments):
    """Read a section of a document with everything below it, in order. Gives passages to cite.

    Use it when you know the section's number or title, or when a passage that search found is cut off.
    """

    tool = "read_section"
    example = '{"document": "lease.md", "section": "4.2"}'

    document: Name = Field(description="The document's id, path or title.")
    section: Name = Field(
        description='The section\'s number ("4.2", "Article 6(1)(f)"), its title, its id, or a reference '
        'as a passage words it ("paragraph 2", "this Chapter").'
    )
    relative_to: Name | None = Field(
        None, description="Only to follow a relative reference: the section, or the passage, it stands in."
    )
    start: Go = None


class DefineArguments(Arguments):
    """Look up what a document means by a defined term. Gives the passages that define it, to cite.

    Use it for a capitalised or quoted term ("Effective Date", "personal data") before you rely on its
    everyday meaning.
    """

    tool = "define"
    example = '{"term": "Effective Date", "document": "lease.md"}'

    term: Query = Field(description="The term, as the document writes it.")
    document: Name | None = Field(None, description="Only this document's definitions. Leave out for all.")


A = TypeVar("A", bound=Arguments)


def parse(model: type[A], arguments: object) -> A:
    """The arguments, checked. ToolFailedError `bad_arguments` names the first field that is wrong."""
    if not isinstance(arguments, Mapping):
        raise bad_arguments("arguments", "must be one JSON object", model.example)
    known = {name: info.alias or name for name, info in model.model_fields.items()}
    refuse_unknown(arguments, known, model.example)
    try:
        return model.model_validate(arguments)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = str(first["loc"][0]) if first["loc"] else "arguments"
        named = field if field in known.values() else "arguments"
        raise bad_arguments(named, _problem(first), model.example) from None


def refuse_unknown(given: Mapping[Any, Any], known: Mapping[str, str], example: str) -> None:
    """ToolFailedError for an argument that there is not: a misspelt "documnet" would search everything.

    `known` holds the name of each argument by what it is called elsewhere.
    """
    names = tuple(dict.fromkeys(known.values()))
    for key, value in given.items():
        if key in names or blank(value):
            continue
        meant = [known[key]] if key in known else get_close_matches(str(key)[:NAME_LIMIT], names, 1)
        problem = "there is no such argument"
        if not meant:
            problem += f", only {', '.join(names)}"
        raise bad_arguments(quoted(str(key), 40)[1:-1], problem, example, tuple(meant))


_WORDS = {
    "missing": "is missing",
    "string_type": "must be text",
    "list_type": "must be a list of texts",
    "string_too_long": "is longer than {max_length:,} characters",
    "too_long": "holds more than {max_length:,} entries",
    "greater_than_equal": "must be at least {ge}",
    "less_than_equal": "must be at most {le}",
}


def _problem(error: ErrorDetails) -> str:
    """What is wrong, in our words and not in those of the library that found it."""
    kind = error["type"]
    if kind == "too_long" and isinstance(error["input"], str):
        kind = "string_too_long"
    if kind == "value_error":
        return str(error["ctx"]["error"])
    if kind.startswith(("int_", "float_")):
        return "must be a whole number"
    return _WORDS.get(kind, "cannot be used as it is").format(**error.get("ctx", {}))


def _listed(text: str) -> list[Any]:
    try:
        value = json.loads(text[: QUERIES_LIMIT * QUERY_LIMIT])
    except (ValueError, RecursionError):
        return [text]
    return value if isinstance(value, list) else [text]
