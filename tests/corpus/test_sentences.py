"""Sentences of legal and financial prose: where they end, where they do not."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.corpus.sentences import sentence_spans


def split(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)]


# Each list is the text in its right sentences, to be joined by one space.
JOINED = [
    ["The fee is 1.25 % p.a.", "It is paid quarterly."],
    ["Payment is due in 30 days.", "Interest accrues after that."],
    ["See Section 4.2.1 for details.", "Section 12.3 applies as well."],
    ["as set out in Section 12.3.", "The Borrower shall notify the Agent."],
    ["pursuant to paragraph (a).", "The Lender may object."],
    ["under Exhibit A.", "The parties agree otherwise."],
    ["The assets, e.g. loans and bonds, are pledged.", "Others are not."],
    ["Costs (i.e. the total expense ratio) are shown.", "They include taxes."],
    ["Assets, e.g., Loans, are pledged."],
    ["Costs, i.e., All costs of the fund, are shown."],
    ["Marbury v. Madison, 5 U.S. 137 (1803), was decided.", "Later cases follow it."],
    ["He was represented by Mr. Smith and Dr. Jones.", "Both were heard."],
    ["Microsoft Corp. and Acme Inc. are parties.", "Globex Ltd. is not."],
    ["The issuer is Acme Inc.", "The guarantor is Globex Ltd.", "It is a company under the laws of Bermuda."],
    ["U.S. Treasury bonds and U.K. gilts are eligible.", "Others need consent."],
    ["The law of the U.S.", "This Agreement is governed by it."],
    ["Loans made by J. P. Morgan and John F. Kennedy Jr. were repaid.", "No others exist."],
    ["Notice is given to No. 5 Main St. and to Nos. 6 and 7.", "It takes effect at once."],
    ["Is consent needed?", "No.", "The Agent decides alone."],
    ["The amount is $1.5 million.", "25 shares were issued."],
    ["The rate is 3.5%.", '"Business Day" means a day on which banks are open.'],
    ['The term "Product." means goods.', "It excludes services."],
    ['He said "We accept."', "Then he left."],
    ['He asked "Do you accept?" and left.'],
    ["They agreed (see Art. 6 para. 2 sent. 1 GDPR.)", "No objection was raised."],
    ["Everything was paid (and more.)", "Nothing is owed."],
    ["The seller warrants title... and quiet enjoyment.", "It gives no other warranty."],
    ["He waited...", "Then he signed."],
    ["[…] the parties agreed.", "They signed."],
    ["Really?!", "Yes!", "It is so."],
    ["Yahoo! Inc. is the licensor.", "It owns the mark."],
    ["The office opens at 9 a.m. and closes at 5 p.m. Eastern Time.", "It is closed on Sundays."],
    ["It closes at 5 p.m.", "The next day it opens again."],
    ["Loans, bonds, etc. are assets.", "Cash is too."],
    ["Loans, bonds, etc.", "Cash is an asset too."],
    ["1. Definitions.", "In this Agreement the following terms apply."],
    ["1.1. The Seller sells the goods.", "1.2. The Buyer pays the price."],
    ["Section 12.3. The Borrower shall pay.", "Section 12.4. The Lender shall release."],
    ["ARTICLE 1. DEFINITIONS"],
    ["(a) The Borrower pays.", "(b) The Lender releases."],
    ["A. The Company sells software.", "B. The Customer buys it."],
    ["iv. The fourth item counts.", "v. The fifth does not."],
    ["The period ends on Dec. 31, 2020.", "On Jan. 1 a new one begins."],
    ["It was signed in 2019.", "The term ended in 2021."],
    ["See Fig. 3 and Table 2.", "Both show the trend."],
    ["See pp. 12-14 and vol. III.", "The rest is not relevant."],
    ["Smith et al. found this.", "Others did not."],
    ["The Plan (the “Plan”) ends.", "“Plan” means the 2010 plan."],
    ["The price is fixed.'", "The buyer agreed."],
    ["Visit www.example.com/a.html or mail a.b@example.org.", "Both work."],
    ["The file is named report.v2.pdf.", "Open it."],
    ["Transphorm, Inc. a Delaware corporation, signs."],
    ["It holds a Ph.D. in law.", "She teaches."],
    ["The Agreement ends.3", "All rights revert."],
    ["The dividend of 4 May 2021 was 0.85 Swiss francs a share.", "None came in 2022."],
    ["It was 3.5 I think.", "Others said 4.25 The Hague metres."],
    ["Pay $1.50 USD for each copy and .75 Euros for a page.", "See rule 8.1 Prices."],
    ["All is paid.", "SCOPE OF THE WARRANTY", "6.1 The maker repairs it.", "6.2 The buyer sends it back."],
    ["It ends.", "9. TERM AND NOTICE", "9.1 This lease runs for a year."],
    ["ISO AND DIN 5.5 apply."],
    ["This is the end.", "8.1 The seller is liable.", "8.2 The buyer pays."],
    ["They agreed (in writing).12", "The Seller signed."],
    ["The liability cap is EUR 1.000.000,00.", "Mehr wird nicht gezahlt."],
    ["Der Fonds kann z. B. Anleihen kaufen.", "Er darf auch Aktien halten."],
    ["Der Fonds kann z.B. Anleihen kaufen.", "Er darf auch Aktien halten."],
    ["Die Kosten, d. h. Gebühren, trägt der Mieter.", "Das gilt auch für Steuern."],
    ["Gemäß Art. 6 Abs. 1 lit. b DSGVO ist das zulässig.", "Die Einwilligung ist nicht nötig."],
    [
        "Nach § 4 Nr. 3 bzw. § 5 Satz 2 gilt das.",
        "Es gilt nicht nach § 6 Abs. 2.",
        "Die Frist beträgt 14 Tage.",
    ],
    ["Die Frist beginnt am 1. Januar 2020 und endet am 15. März 2021.", "Danach verjährt der Anspruch."],
    ["Im 2. Quartal sank der Umsatz.", "Der 3. Abschnitt zeigt das."],
    ["Herr Dr. Müller und Prof. Dr. Schmidt sind Vorstand.", "Sie vertreten gemeinsam."],
    ["Der Verein heißt Sportfreunde e. V. und sitzt in Köln.", "Er ist gemeinnützig."],
    ["Vgl. auch Rn. 12 ff. der Begründung.", "Anders der BGH."],
    ["Le contrat prend fin.", "Les parties sont libérées.", "À défaut, il continue."],
    ["Договор вступает в силу.", "Он действует один год."],
    ["ينتهي العقد بعد سنة.", "هل يمكن تجديده؟", "نعم."],
    ["यह समझौता लागू है।", "यह एक वर्ष तक चलेगा।"],
    ["All of the foregoing, including cl. 4(b) and sched. 2, applies.", "Cl. 5 does not."],
    ["The fee is approx. 30 days' rent.", "It is due now."],
    ["He lives at 5 Oak Rd. and owns it.", "She rents."],
    ["Class A. shares vote."],
    ["The rights of Class A.", "The holders vote."],
    ["This was repeated in Reg. S-K and Rule 10b-5.", "Both apply."],
    ["Pursuant to 17 C.F.R. § 240.24b-2 it was omitted.", "The rest is public."],
    ["The Company sold its shares in Foo S.A. and Bar N.V. last year.", "Both are liquidated."],
    ["Please note: payment is due.", "Late payment bears interest."],
]


@pytest.mark.parametrize("sentences", JOINED, ids=lambda s: s[0][:40])
def test_prose_is_cut_where_sentences_end(sentences: list[str]) -> None:
    assert split(" ".join(sentences)) == sentences


# Each list is the text in its right sentences, separators given.
WRITTEN = [
    ("A blank line ends it\n\nNew paragraph", ["A blank line ends it", "New paragraph"]),
    (
        "A line that is\nwrapped in the middle. And goes\non here.",
        ["A line that is\nwrapped in the middle.", "And goes\non here."],
    ),
    (
        "The Borrower shall:\n(a) pay the fees; and\n(b) give notice.",
        ["The Borrower shall:", "(a) pay the fees; and", "(b) give notice."],
    ),
    (
        "Needed are:\n- a passport\n- a form\n• a photo",
        ["Needed are:", "- a passport", "- a form", "• a photo"],
    ),
    ("Steps\n1. Stop the pump.\n2. Open the valve.", ["Steps", "1. Stop the pump.", "2. Open the valve."]),
    ("as defined in Section\n12. The Borrower pays.", ["as defined in Section\n12.", "The Borrower pays."]),
    (
        "subject to paragraph\n(b) of this Article, it holds.",
        ["subject to paragraph\n(b) of this Article, it holds."],
    ),
    (
        "within the meaning of clauses\n(a) and (b), it holds.",
        ["within the meaning of clauses\n(a) and (b), it holds."],
    ),
    ("a total of\n1.5 million euros was paid.", ["a total of\n1.5 million euros was paid."]),
    ("Fund\tTER\nAlpha\t0.15 %\nBeta\t1. 20 %", ["Fund\tTER", "Alpha\t0.15 %", "Beta\t1. 20 %"]),
    (
        "Costs are below.\nFund\tTER\nAlpha\t0.15 %\nThey include taxes.",
        ["Costs are below.", "Fund\tTER", "Alpha\t0.15 %", "They include taxes."],
    ),
    (
        "The parties agree.\nGOVERNING LAW\nThe law of Bermuda applies.",
        ["The parties agree.", "GOVERNING LAW", "The law of Bermuda applies."],
    ),
    (
        "Governing Law\nThe law of Bermuda applies to this Agreement.",
        ["Governing Law", "The law of Bermuda applies to this Agreement."],
    ),
    ("(a)\nThe Borrower pays.", ["(a)\nThe Borrower pays."]),
    ("1.1\nThe Borrower pays.", ["1.1\nThe Borrower pays."]),
    (
        "RECITALS     Accuray manufactures and sells radiosurgery systems.     1. DEFINITIONS. Terms apply.",
        [
            "RECITALS",
            "Accuray manufactures and sells radiosurgery systems.",
            "1. DEFINITIONS.",
            "Terms apply.",
        ],
    ),
    ("Name        Title        Date", ["Name        Title        Date"]),
    ("Page one ends\fPage two begins", ["Page one ends", "Page two begins"]),
    (
        "本契約は署名した日から効力を生じる。義務は履行される！本当か？「はい。」彼は言った。",
        [
            "本契約は署名した日から効力を生じる。",
            "義務は履行される！",
            "本当か？",
            "「はい。」",
            "彼は言った。",
        ],
    ),
    ("  \n\n  padded.  \n\n", ["padded."]),
    ("", []),
    (" \n\t ", []),
    (".", ["."]),
    ("...", ["..."]),
    ("* * *", ["* * *"]),
    ("Line one.\r\nLine two.", ["Line one.", "Line two."]),
]


@pytest.mark.parametrize(("text", "sentences"), WRITTEN, ids=lambda v: repr(v)[:40])
def test_lines_lists_and_tables(text: str, sentences: list[str]) -> None:
    assert split(text) == sentences


def test_a_long_enumeration_is_cut_before_its_items_and_a_short_one_is_not() -> None:
    short = "The Seller shall (a) deliver the goods; (b) insure them; and (c) issue an invoice."
    assert split(short) == [short]
    item = (
        "take all reasonable steps that are needed to keep the goods insured against loss, damage and theft"
    )
    parts = ["The Seller shall:", f"(a) {item};", f"(b) {item};", f"(c) {item}; and", f"(d) {item}."]
    assert split(" ".join(parts)) == parts


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet=st.sampled_from("aB1. \n\t(.);:!?\"'。…§-Z\u00a0\f"), max_size=120))
def test_spans_are_ordered_trimmed_and_cover_every_character(text: str) -> None:
    spans = sentence_spans(text)
    last = 0
    for start, end in spans:
        assert last <= start < end
        assert not text[last:start].strip()
        assert text[start:end] == text[start:end].strip()
        last = end
    assert not text[last:].strip()


@pytest.mark.parametrize(
    "text",
    [
        "a" * 1_000_000,
        ". " * 500_000,
        "\n" * 1_000_000,
        "(a) x; " * 150_000,
        "a. B" * 250_000,
        "\n \t" * 300_000,
        "\t" * 1_000_000 + "a",
        " " * 1_000_000 + "a",
        "1. " * 300_000,
        "A\nB" * 300_000,
        '."' * 500_000,
        "    A" * 200_000,
    ],
    ids=lambda t: repr(t[:6]),
)
def test_time_is_linear_on_awkward_text(text: str) -> None:
    started = time.perf_counter()
    sentence_spans(text)
    assert time.perf_counter() - started < 20
