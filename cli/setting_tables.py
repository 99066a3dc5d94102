"""Settings that are tables: budgets and prices, from a file, a variable or flags."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

_NONE = "none"


def read_table(value: Any) -> Any:
    """A table of limits; text is read as `key=value, key=value`. ValueError says what is wrong with it."""
    if isinstance(value, dict):
        return {key: _limit(item) for key, item in value.items()}
    return {key: _limit(item) for key, item in _pairs(value)}


def read_prices(value: Any) -> Any:
    """Prices by model; text is read as `model=input/output` with `/cached` behind it if that is cheaper."""
    if isinstance(value, dict):
        return value
    return {model: _price(text) for model, text in _pairs(value)}


def merge(
    values: dict[str, Any], layer: dict[str, Any], origins: dict[str, str], origin: str, above: str = ""
) -> None:
    """Put a layer over `values`, tables key by key; `origins` learns where each key comes from."""
    for key, value in layer.items():
        name = f"{above}{key}"
        origins[name] = origin
        if isinstance(value, dict) and isinstance(values.get(key, {}), dict):
            values[key] = dict(values.get(key, {}))
            merge(values[key], value, origins, origin, f"{name}.")
        else:
            values[key] = value


def _pairs(value: Any) -> Iterable[tuple[str, str]]:
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list | tuple) or not all(isinstance(text, str) for text in texts):
        raise ValueError("it must be a table")
    for text in texts:
        for part in filter(None, (part.strip() for part in text.split(","))):
            # A model's name may hold "=" itself; a number never does.
            key, equals, item = part.rpartition("=")
            if not equals or not key.strip() or not item.strip():
                raise ValueError(f"{part!r} is not key=value")
            yield key.strip(), item.strip()


def _limit(value: Any) -> Any:
    return None if isinstance(value, str) and value.strip().lower() == _NONE else value


def _price(text: str) -> dict[str, str]:
    parts = [part.strip() for part in text.split("/")]
    if len(parts) not in {2, 3}:
        raise ValueError(f"{text!r} is not input/output or input/output/cached")
    return dict(zip(("input", "output", "cached"), parts, strict=False))
