"""A tool as a model is told of it: name, description, and the JSON schema of its arguments."""

from __future__ import annotations

import inspect
from typing import Any

from pydantic import BaseModel, ConfigDict

from pincite.tools.arguments import Arguments


class ToolSchema(BaseModel):
    """`parameters` is a JSON schema of type object."""

    model_config = ConfigDict(frozen=True)

    name: str
    description: str
    parameters: dict[str, Any]

    def openai(self) -> dict[str, Any]:
        """The form that chat-completions endpoints take."""
        return {"type": "function", "function": self.model_dump()}


def tool_schema(model: type[Arguments]) -> ToolSchema:
    """The schema of a tool, from the class of its arguments."""
    parameters = simple(model.model_json_schema(by_alias=True))
    parameters.pop("description", None)
    description = f"{inspect.getdoc(model)}\n\nExample: {model.example}"
    return ToolSchema(
        name=model.tool, description=description, parameters={**parameters, "additionalProperties": False}
    )


def simple(schema: Any) -> Any:
    """A schema without what small models stumble over: titles, null as a type, defaults of null."""
    if isinstance(schema, list):
        return [simple(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    kinds = [one for one in schema.get("anyOf", []) if one != {"type": "null"}]
    if len(kinds) == 1:
        schema = {**kinds[0], **{key: value for key, value in schema.items() if key != "anyOf"}}
    dropped = {"title"} | ({"default"} if schema.get("default", ...) is None else set())
    return {
        key: {name: simple(one) for name, one in value.items()} if key == "properties" else simple(value)
        for key, value in schema.items()
        if key not in dropped
    }
