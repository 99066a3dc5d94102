"""What is printed on pages as their number, where it is not the number of the page in the file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

LONGEST = 20


def page_labels(stated: Sequence[str], printed: Mapping[int, str]) -> dict[int, str]:
    """The labels of pages (from 1) that differ from their number: those that the file states for its pages,
    else the numbers that were found printed on them.

    Labels that only count the pages say nothing: a program wrote them, whatever is printed.
    """
    own = {at + 1: label for at, label in enumerate(stated) if label and len(label) <= LONGEST}
    labels = own if any(label != str(page) for page, label in own.items()) else printed
    return {page: label for page, label in labels.items() if label != str(page)}
