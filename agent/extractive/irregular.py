"""English verbs whose forms do not begin alike: each line is a base and the forms that stand for it."""

from __future__ import annotations

_FORMS = """
pay paid
make made
hold held
send sent
spend spent
lend lent
build built
sell sold
buy bought
bring brought
keep kept
leave left
lose lost
begin began begun
choose chose chosen
write wrote written
take took taken
become became
win won
lead led
meet met
teach taught
seek sought
bear bore borne
break broke broken
fall fell fallen
grow grew grown
rise rose risen
run ran
speak spoke spoken
understand understood
withdraw withdrew withdrawn
bind bound
deal dealt
lie lay lain
"""

BASES = {
    form: base for line in _FORMS.split("\n") if line for base, *forms in [line.split()] for form in forms
}
"""Each irregular form with its base."""
