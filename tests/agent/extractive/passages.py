"""Passages for the tests of the offline mode."""

from __future__ import annotations

from pincite.tools.passage import Passage


def passage(
    text: str,
    *,
    title: str = "Handbook",
    path: tuple[str, ...] = (),
    number: int = 1,
    document: str = "",
    start: int = 0,
) -> Passage:
    """One passage that holds a section's whole text, which begins at `start` in its document."""
    return Passage(
        handle=f"P{number}",
        document=document or title,
        document_title=title,
        version="v",
        section=" > ".join(path) or "s",
        path=path,
        start=start,
        end=start + len(text),
        text=text,
    )
