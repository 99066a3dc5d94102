"""How one look-up's result differs from the recorded one, and whether that touches what was cited."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from pincite.transcripts.views import AttemptView, PassageView, attempts, error_code, passages, text, texts

Json = dict[str, Any]
# Handles that an answer cited, with the quoted words.
Cited = Mapping[str, Sequence[str]]
_SHOWN = 200
_NONCE = re.compile(r"(⟦/?)[0-9a-f]{12,}")


def drift(recorded: Json, live: Json, cited: Cited) -> Json | None:
    """What changed between two results of the same call; None for nothing but times and scores.

    `lost` and `gained` are passages of other sections, `changed` those of the same section with another
    text (`quotes_stand` says whether what was cited still stands there), `moved` those at another rank.
    `text` is there where only what stands around the passages differs, as in a table of contents.
    """
    old, new = passages(recorded), passages(live)
    pairs = _pair(old, new)
    lost = [at for at in range(len(old)) if at not in pairs]
    gained = sorted(set(range(len(new))) - set(pairs.values()))
    changed = [(a, b) for a, b in pairs.items() if old[a].text != new[b].text]
    moved = [(a, b) for a, b in pairs.items() if a != b]
    found: Json = {
        "lost": [{**_named(old[at], at), "cited": old[at].handle in cited} for at in lost],
        "gained": [_named(new[at], at) for at in gained],
        "moved": [{**_named(old[a], a), "to": b + 1} for a, b in moved],
        "changed": [_changed(old[a], new[b], a, cited) for a, b in changed],
        "named": _lists(texts(recorded, "already_shown"), texts(live, "already_shown")),
        "leg": _values(text(recorded, "used"), text(live, "used")),
        "attempts": _attempts(recorded, live),
        "error": _values(error_code(recorded), error_code(live)),
    }
    if not any(found.values()):
        said, says = plain(text(recorded, "text")), plain(text(live, "text"))
        if said == says:
            return None
        found["text"] = {"recorded": said, "live": says}
    touched = [old[at].handle for at in lost if old[at].handle in cited]
    touched += [old[a].handle for a, _ in changed if old[a].handle in cited]
    found["touches_cited"] = touched
    return {name: value for name, value in found.items() if value or name == "touches_cited"}


def plain(words: str) -> str:
    """A tool's text without its nonces, of which a call that shows nothing draws none."""
    return _NONCE.sub(r"\1nonce", words)


def _pair(old: Sequence[PassageView], new: Sequence[PassageView]) -> dict[int, int]:
    """Old positions to new ones: first passages with the same words, then those of the same section."""
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for exact in (True, False):
        there: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
        for at, passage in enumerate(new):
            if at not in taken:
                there[_key(passage, exact)].append(at)
        for at, passage in enumerate(old):
            if at not in pairs and there[_key(passage, exact)]:
                pairs[at] = there[_key(passage, exact)].pop(0)
                taken.add(pairs[at])
    return dict(sorted(pairs.items()))


def _key(passage: PassageView, exact: bool) -> tuple[str, ...]:
    place = (passage.document, passage.section)
    return (*place, passage.text) if exact else place


def _named(passage: PassageView, at: int) -> Json:
    return {
        "handle": passage.handle,
        "document": passage.document,
        "heading_path": passage.path,
        "rank": at + 1,
        "text": passage.text[:_SHOWN],
    }


def _changed(old: PassageView, new: PassageView, at: int, cited: Cited) -> Json:
    quotes = cited.get(old.handle, ())
    return {
        **_named(old, at),
        "cited": bool(quotes),
        "quotes_stand": all(" ".join(quote.split()) in " ".join(new.text.split()) for quote in quotes),
        "recorded": old.text,
        "live": new.text,
    }


def _attempts(recorded: Json, live: Json) -> list[Json]:
    """Legs that ended in another way; the nth try of a leg is compared with its nth."""
    old, new = _tries(recorded), _tries(live)
    found = []
    for key in dict.fromkeys([*old, *new]):
        one, other = old.get(key), new.get(key)
        if (one.outcome if one else None) != (other.outcome if other else None):
            found.append(
                {
                    "leg": key[0],
                    "recorded": one.outcome if one else None,
                    "live": other.outcome if other else None,
                    "reason": other.reason if other else "",
                }
            )
    return found


def _tries(result: Json) -> dict[tuple[str, int], AttemptView]:
    counts: Counter[str] = Counter()
    tries = {}
    for attempt in attempts(result):
        counts[attempt.leg] += 1
        tries[attempt.leg, counts[attempt.leg]] = attempt
    return tries


def _values(recorded: str, live: str) -> Json | None:
    return None if recorded == live else {"recorded": recorded or None, "live": live or None}


def _lists(recorded: list[str], live: list[str]) -> Json | None:
    return None if recorded == live else {"recorded": recorded, "live": live}
