"""Words that stand for one another in questions and documents; a few, of everyday and contract language."""

from __future__ import annotations

from collections import defaultdict

_GROUPS = """
contract agreement
end terminate expire cancel cease lapse
end termination expiration expiry cancellation
start begin commence
start beginning commencement outset
buy purchase acquire
employee worker staff personnel
company firm corporation enterprise
permit allow authorize authorise
forbid prohibit restrict ban
require oblige need
requirement obligation duty
renew extend prolong
renewal extension
inform notify
provide supply furnish
landlord lessor
tenant lessee renter
seller vendor
buyer purchaser
country nation state
law statute legislation
yearly annual annually
vehicle car automobile
doctor physician
illness disease sickness
holiday vacation leave
error fault failure malfunction
repair fix mend
liability responsibility
liable responsible
cap limit limitation ceiling
assign transfer
confidential secret
audit inspect inspection examine
pay reimburse remunerate
choose select pick
display indicate
ask request
answer reply respond
keep retain store
delete erase destroy
job work employment occupation
establish create
launch inception
lead head direct
use utilize utilise employ
build construct
kill murder slay
large big great
small little
fast quick rapid
help assist support
help assistance support
vertrag vereinbarung
kundigen beenden
beginn anfang
mieter pachter
vermieter verpachter
contrat accord convention
resilier rompre
contrato acuerdo convenio
"""


def _others() -> dict[str, frozenset[str]]:
    others: dict[str, set[str]] = defaultdict(set)
    for line in _GROUPS.split("\n"):
        group = line.split()
        for word in group:
            others[word] |= set(group) - {word}
    return {word: frozenset(found) for word, found in others.items()}


_SYNONYMS = _others()
_ENDINGS = ("", "s", "es", "d", "ed", "ing", "r")


def _bases(term: str) -> set[str]:
    """The listed words of which `term` may be a form."""
    ends = {term.removesuffix(ending) for ending in _ENDINGS}
    return {base for end in ends for base in (end, end + "e", end + "y") if base in _SYNONYMS}


def are_synonyms(one: str, two: str) -> bool:
    """Whether two folded words, or words of which they are forms, stand in one group."""
    left, right = _bases(one), _bases(two)
    return any(right & _SYNONYMS[base] for base in left)
