"""From what a call says to one section, or a plain error with the candidates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from pincite.corpus.outline import Outline, SectionText
from pincite.corpus.references_tree import Node
from pincite.corpus.rows import SectionRow
from pincite.tools.failures import ToolFailedError
from pincite.tools.naming import address
from pincite.tools.nearby import nearest
from pincite.tools.render import quoted
from pincite.tools.resolve import Target, resolve

_NEAR = 10


def find_section(
    rows: Sequence[SectionRow] | Outline,
    reference: str,
    text: SectionText | None = None,
    here: Node | None = None,
) -> Target:
    """The one section or unit that `reference` names. ToolFailedError `no_such_section` or `ambiguous`."""
    outline = rows if isinstance(rows, Outline) else Outline(rows)
    found = resolve(outline, reference, text, here)
    if len(found) == 1:
        return found[0]
    if found:
        near = candidates(outline, found)
        raise ToolFailedError(
            "ambiguous", f"{quoted(reference)} names {len(found)} places.", "Name one of them.", near
        )
    raise ToolFailedError(
        "no_such_section",
        f"There is no section {quoted(reference)} in this document.",
        "Take a number or title from table_of_contents.",
        nearest(outline, reference),
    )


def candidates(outline: Outline, found: Sequence[Target]) -> tuple[str, ...]:
    """Names that open each of several places: with the headings above where the number alone does not."""
    shown = found[:_NEAR]
    numbers = Counter(one.number for one in found)
    return tuple(
        address(outline, one.row)
        if one.unit is None
        else (one.number or "")
        if numbers[one.number] == 1
        else f"{address(outline, one.row)} > {one.unit[0]}"
        for one in shown
    )
