"""From a scope to the SQL predicate that LanceDB applies before it searches.

Values from outside (document ids, groups, section ids) enter SQL only through `quote`.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from pincite.corpus.scope import Scope

NOTHING = "FALSE"


def quote(text: str) -> str:
    """`text` as an SQL string literal: quotes doubled, everything else stands for itself."""
    return "'" + text.replace("'", "''") + "'"


def one_of(column: str, values: Iterable[str]) -> str:
    """`column` equals one of `values`; nothing for no values.

    A value that UTF-8 cannot hold (a lone surrogate) is in no row and is left out.
    """
    literals = [quote(value) for value in sorted(set(values)) if _storable(value)]
    return f"{column} IN ({', '.join(literals)})" if literals else NOTHING


def scope_predicate(scope: Scope) -> str:
    """The rows that `scope` may see; holds for rows of every kind."""
    day = day_of(scope).isoformat()
    parts = [
        f"(effective_from IS NULL OR effective_from <= DATE '{day}')",
        f"(effective_to IS NULL OR effective_to >= DATE '{day}')",
    ]
    if scope.any_day:
        parts = ["TRUE"]
    if scope.groups is not None:
        parts.append(_groups_predicate(scope.groups))
    if scope.documents is not None:
        parts.append(one_of("document", scope.documents))
    return " AND ".join(parts)


def day_of(scope: Scope) -> date:
    """The day whose versions are seen."""
    return scope.as_of or date.today()


def _groups_predicate(groups: frozenset[str]) -> str:
    """Rows without groups, and rows that share one with the caller."""
    literals = [quote(group) for group in sorted(groups) if _storable(group)]
    if not literals:
        return "groups IS NULL"
    return f"(groups IS NULL OR array_has_any(groups, [{', '.join(literals)}]))"


def _storable(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
