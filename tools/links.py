"""What a text that is shown points to: its references and where they lead, the defined terms it uses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from pincite.corpus.definitions import Definition
from pincite.corpus.outline import Outline, full_number, label
from pincite.corpus.references import AMBIGUOUS, EXTERNAL, FOUND, MISSING, RefTarget
from pincite.corpus.rows import SectionRow
from pincite.tools.context import Context
from pincite.tools.follow import linked, other_document, placed
from pincite.tools.passage import Passage
from pincite.tools.render import one_line

# So many references and terms are named in a result's text; the data holds all.
_NAMED, _TERMS = 12, 8
# So many references to other documents are looked up for one result.
_LOOKED_UP = 8
# Links say where they lead, which costs less to look up.
_LINKED = 60


def outgoing(
    context: Context, outline: Outline, read: Iterable[tuple[SectionRow, Passage]]
) -> list[dict[str, Any]]:
    """The references in the passages: {text, start, end, section, status, act, targets}, each place once.

    A target is {document, section, number, title}; one in another document of the scope is looked up.
    """
    found: list[dict[str, Any]] = []
    looked_up = 0
    for row, passage in read:
        for one in row.references:
            if not passage.start <= one.start < passage.end:
                continue
            targets = [_target(outline, row.document, target) for target in one.targets]
            words = " ".join((row.text or "")[one.start - row.start : one.end - row.start].split())
            status = one.status
            if status in {EXTERNAL, MISSING} and looked_up < (_LINKED if one.href else _LOOKED_UP):
                looked_up += 1
                targets = (
                    placed(linked(context, row.document, one.href))
                    if one.href
                    else other_document(context, row.document, words, one.act)
                )
                status = FOUND if len(targets) == 1 else AMBIGUOUS if targets else status
            if one.href and not targets and status == EXTERNAL:
                # A way to a file that is not at hand is no reference in words.
                continue
            found.append(
                {
                    "text": words,
                    "section": row.id,
                    "start": one.start,
                    "end": one.end,
                    "status": status,
                    "act": one.act,
                    "targets": targets,
                    **({"href": one.href} if one.href else {}),
                }
            )
    return found


def reference_lines(references: Sequence[dict[str, Any]], document: str) -> list[str]:
    """One line for each different reference, for the data region."""
    lines: dict[str, None] = {}
    for one in references:
        lines[f"Refers to: {one_line(_described(one, document))}"] = None
    shown = list(lines)[:_NAMED]
    return [*shown, *([f"Refers to {len(lines) - _NAMED} more."] if len(lines) > _NAMED else [])]


def _described(one: dict[str, Any], document: str) -> str:
    act = f" of {one['act']}" if one["act"] and one["act"].casefold() not in one["text"].casefold() else ""
    if not one["targets"]:
        why = "not in this document" if one["status"] == MISSING else "another document, not at hand"
        return f"{one['text']}{act} ({why})"
    names = [
        target["number"] or target["title"]
        if target["document"] == document
        else f"{target['document']}, {target['number'] or target['title']}"
        for target in one["targets"]
    ]
    shown = names if len(names) <= 4 else [*names[:2], "…", names[-1]]
    plain = "".join(names[0].casefold().split()) == "".join(one["text"].casefold().split()) and not act
    return one["text"] if plain and len(names) == 1 else f"{one['text']}{act} = {'; '.join(shown)}"


def _target(outline: Outline, document: str, target: RefTarget) -> dict[str, Any]:
    row = outline.by_id[target.section]
    number = full_number(row.number, target.unit) if target.unit else row.number
    return {"document": document, "section": row.id, "number": number, "title": row.title}


def terms_used(outline: Outline, read: Iterable[tuple[SectionRow, Passage]]) -> list[dict[str, Any]]:
    """The defined terms of the document that the passages use and do not define: {term, section, number}."""
    passages = list(read)
    pattern = outline.terms_in([passage.text for _, passage in passages])
    if pattern is None:
        return []
    found: dict[str, dict[str, Any]] = {}
    for row, passage in passages:
        for match in pattern.finditer(passage.text):
            spoken = match[0]
            term = _spelled(outline, spoken.casefold())
            if term is None or (term[0].isupper() and not spoken[0].isupper()):
                continue
            at, one = outline.terms[term]
            home = outline.rows[at]
            if home.id == row.id and one.start <= passage.start + match.start() < one.end:
                continue
            found.setdefault(term, {"term": one.term, "section": home.id, "number": _place(home, one)})
    return list(found.values())


def terms_line(terms: Sequence[dict[str, Any]]) -> list[str]:
    """The terms in one line for the data region; nothing for none."""
    if not terms:
        return []
    names = [f'"{one["term"]}" ({one["number"]})' if one["number"] else f'"{one["term"]}"' for one in terms]
    more = f" and {len(names) - _TERMS} more" if len(names) > _TERMS else ""
    return [one_line(f"Defined terms: {', '.join(names[:_TERMS])}{more}", 600)]


def _spelled(outline: Outline, spoken: str) -> str | None:
    """The term that a word of a text is, its ending left off where it has one."""
    for cut in range(4):
        term = outline.folded_terms.get(spoken[: len(spoken) - cut])
        if term is not None:
            return term
    return None


def _place(row: SectionRow, one: Definition) -> str:
    unit = next((name for name, start, end in reversed(row.units) if start <= one.start < end), None)
    return full_number(row.number, unit) if unit else row.number or label(row)
