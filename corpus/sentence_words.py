"""Words that tell whether a full stop ends a sentence, for English and German legal and financial prose."""

from __future__ import annotations

_NEVER = """
e.g i.e eg ie cf viz vs v approx ca abt resp incl excl esp al ibid op cit
mr mrs ms messrs dr prof hon rev gen sen rep gov capt lt col sgt maj adm mme mlle
z.b d.h m.e u.u m.w i.s i.d i.v z.t bzw ggf ggfs vgl sog insb insbes gem evtl einschl bspw inkl exkl ff
hr fr hrsg hg zzgl abzgl mind max min ger engl
"""
_NUMBERED = """
no nos nr nrn sec secs sect art arts fig figs eq eqs p pp para paras cl cls ch chs ex exh exhs app sched
vol vols
ed eds pt pts reg regs r rr s ss abs ziff lit rn rdnr rz kap anh anl tz bd aufl ziffn buchst subsec subpara
n fn tab tbl ann item bl doc ref rev ver vers tel fax ext apt ste rm sent bldg box
jan feb mar apr jun jul aug sep sept oct nov dec okt dez mrz
"""
_OFTEN = """
inc ltd corp co cos bros llc llp lp plc pty gmbh dept div assn assoc univ intl natl mfg mgmt
jr sr esq st mt ft ave blvd rd hwy sq
usw etc u.a o.a o.ä o.g s.o s.u v.a e.v a.m p.m am pm a.d b.c ph.d m.d ll.m ll.b
est hrs hr min mins yr yrs mo mos qty amt acct attn ass'n int'l
calif del mass conn penn wash tex ariz colo fla minn mich tenn ore
usd eur
"""
_STARTERS = """
the this that these those it its he she they we you i his her their our your there here
a an any all each every no none some such both either neither other another one most many
in on at by for from to upon under over with within without during after before until since while when where
whenever wherever as if unless although though because except subject notwithstanding provided however
further furthermore moreover in addition additionally accordingly therefore thus hence consequently
nevertheless
otherwise pursuant following nothing what who which whose why how is are was were does do did can may shall
section article clause paragraph exhibit schedule annex appendix
der die das dies diese dieser dieses ein eine einer eines es er sie wir ihr im am zum zur bei für mit nach
vor von wenn falls sofern soweit sobald nachdem bevor bis seit durch ohne gegen um auf aus an als auch daher
deshalb dennoch jedoch hierbei dabei hierzu dazu insbesondere alle jede jeder jedes keine kein beide andere
artikel absatz abschnitt
le la les un une des ce cette ces il elle ils elles si dans en au aux pour par sur
"""
_TAKES_NUMBER = """
section sections sec article articles art clause clauses paragraph paragraphs para subsection subsections
subparagraph subclause subclauses subparagraphs item items part parts chapter chapters exhibit exhibits
schedule
schedules annex annexes appendix appendices table figure page pages line lines note notes number numbers no
nos rule rules regulation form class series tranche type grade phase option step plan group category level
amendment addendum attachment recital recitals point points
artikel absatz absätze abs abschnitt kapitel anhang anlage ziffer nummer nr buchstabe satz punkt teil seite
§ §§ january february march april may june july august september october november december
januar februar märz april mai juni juli august september oktober november dezember
"""
_MONTHS = """
januar februar märz april mai juni juli august september oktober november dezember jänner
januari februari maart mei augustus janvier février mars avril juin juillet août septembre octobre
novembre décembre jan feb mär apr jun jul aug sep sept okt nov dez
"""
_BEFORE_ORDINAL = """
am der dem des den im vom zum zur bis ab seit ein eine einen einem einer eines jeder jedem jedes
dieser diesem dieses jeweils
"""
_COMPANY = "inc corp corporation ltd limited llc plc co company gmbh ag sa holdings group"

# The token before the full stop, in lower case and without that stop.
NEVER_ENDS = frozenset(_NEVER.split())  # another word always follows
NUMBERED = frozenset(_NUMBERED.split())  # a number, letter or name follows
OFTEN_INSIDE = frozenset(_OFTEN.split())  # may end a sentence or stand inside one

STARTERS = frozenset(_STARTERS.split())  # words that begin sentences and seldom stand capitalised inside one
TAKES_NUMBER = frozenset(_TAKES_NUMBER.split())  # words after which a number or a letter is a reference
MONTHS = frozenset(_MONTHS.split())
BEFORE_ORDINAL = frozenset(_BEFORE_ORDINAL.split())  # German words before "3." read as "third"
COMPANY_WORDS = frozenset(_COMPANY.split())
