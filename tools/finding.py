"""From what a call says to one section, or a plain error with the candidates."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.corpus.rows import SectionRow
from pincite.tools.failures import ToolFailedError
from pincite.tools.render import quoted
from pincite.tools.resolve import Target, addresses, nearest, resolve

_NEAR = 10


def find_section(rows: Sequence[SectionRow], reference: str) -> Target:
    """The one section or unit that `reference` names. ToolFailedError `no_such_section` or `ambiguous`."""
    found = resolve(rows, reference)
    if len(found) == 1:
        return found[0]
    if found:
        names = addresses(rows)
        near = tuple(f"{names[one.row.id]}{f' > {one.unit[0]}' if one.unit else ''}" for one in found[:_NEAR])
        raise ToolFailedError(
            "ambiguous", f"{quoted(reference)} names {len(found)} places.", "Name one of them.", near
        )
    raise ToolFailedError(
        "no_such_section",
        f"There is no section {quoted(reference)} in this document.",
        "Take a number or title from table_of_contents.",
        nearest(rows, reference),
    )
