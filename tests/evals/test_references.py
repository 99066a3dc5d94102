"""References of real statutes lead where the cases say."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite.corpus.read import read
from pincite.corpus.references import EXTERNAL, FOUND, find_references
from pincite.evals.references import measure

SHARED = Path(__file__).resolve().parents[3] / "shared"
needs_shared = pytest.mark.skipif(not (SHARED / "cases").is_dir(), reason="the shared cases are not at hand")


@needs_shared
@pytest.mark.parametrize("only", ["gdpr", "sara", "PHORM", "Monsanto"])
def test_the_cases_lead_where_they_must(only: str) -> None:
    faults = {ident: said for ident, _, said in measure(SHARED / "cases", SHARED / "data", only) if said}
    assert faults == {}


@needs_shared
@pytest.mark.parametrize("language", ["en", "de"])
def test_every_reference_of_a_regulation_is_resolved_or_external(language: str) -> None:
    folder = SHARED / "data" / "gdpr_xml" / "consolidated-with-corrected-preamble"
    document = read(folder / f"gdpr-consolidated-with-corrected-preamble-{language}.xml")
    found = [one for section in find_references(document) for one in section]
    assert len(found) > 500
    assert {one.status for one in found} == {FOUND, EXTERNAL}
