"""Look-ups as people write them, over small acts and contracts in four languages."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite.corpus.outline import Outline
from pincite.corpus.read import read
from pincite.corpus.records import Origin, document_records
from pincite.corpus.table import SECTION, section_row
from pincite.tools.failures import ToolFailedError
from pincite.tools.finding import find_section
from pincite.tools.resolve import Target, resolve

LOI = """LOI N° 2031-14 SUR LES ABRIS DE RIVIÈRE

TITRE PREMIER
DISPOSITIONS GÉNÉRALES

Article 1er
Objet

La présente loi règle l'usage des abris construits au bord des rivières.

Elle ne s'applique pas aux abris militaires.

Article 2
Définitions

Au sens de la présente loi, on entend par :

a) « abri » : toute construction couverte de moins de vingt mètres carrés ;

b) « riverain » : le propriétaire d'un terrain bordant une rivière.

TITRE II
OBLIGATIONS

Chapitre Ier
Des riverains

Article 3
Entretien

1. Le riverain entretient l'abri à ses frais.

2. Le riverain avertit la mairie :

a) de tout dommage causé par une crue ;

b) de tout changement d'usage.

3. La mairie répond dans un délai de dix jours.

Article 3 bis
Dispense

Le maire peut dispenser un riverain âgé des obligations de l'article 3, paragraphe 2.

Chapitre II
Des visiteurs

Article 4
Accès

Les visiteurs accèdent à l'abri de jour. Ils n'y passent pas la nuit.

TITRE III
DISPOSITIONS FINALES

Article 5
Entrée en vigueur

La présente loi entre en vigueur le 1er mai 2031.

ANNEXE I
MODÈLE D'AVERTISSEMENT

1. Nom du riverain.

2. Nature du dommage.

ANNEXE II
TARIFS

1. Abri simple : dix euros.

2. Abri double : vingt euros.
"""
LEY = """LEY 7/2031, DE 4 DE MARZO, DE PALOMARES

TÍTULO PRELIMINAR
Disposiciones generales

Artículo 1. Objeto.

Esta ley regula la construcción y el cuidado de los palomares.

Artículo 2. Definiciones.

A los efectos de esta ley se entenderá por:

a) Palomar: la construcción destinada a la cría de palomas.

b) Titular: la persona que responde de un palomar.

TÍTULO I
De los titulares

CAPÍTULO PRIMERO
Obligaciones

Artículo 3. Limpieza.

1. El titular limpiará el palomar cada mes.

2. El titular anotará en un libro:

a) la fecha de la limpieza;

b) el número de aves;

c) las aves enfermas.

3. El libro se conservará cinco años.

CAPÍTULO II
Derechos

Artículo 4. Ayudas.

El titular podrá pedir ayudas al municipio. El municipio resolverá en dos meses.

TÍTULO II
Del control

CAPÍTULO PRIMERO
Inspección

Artículo 5. Visitas.

El inspector podrá visitar el palomar sin aviso.

Disposición transitoria única. Palomares antiguos.

Los palomares construidos antes de 2000 se adaptarán en tres años.

ANEXO
Modelo de libro

Fecha, número de aves, firma.
"""
VERTRAG = """MIETVERTRAG ÜBER EINE IMKERHÜTTE

§ 1 Mietgegenstand

(1) Vermietet wird die Hütte am Waldrand. Zum Gegenstand gehört der Bienenstand.

(2) Mitvermietet sind
a) der Schuppen,
b) der Brunnen und
c) drei Schlüssel.

§ 2 Mietzeit

Die Mietzeit beginnt am 1. April. Sie endet nach zwei Jahren.

§ 3 Miete

(1) Die Miete beträgt 80 Euro im Monat.

(2) Die Miete ist bis zum dritten Werktag zu zahlen. Maßgeblich ist der Eingang.

§ 3a Anpassung

Die Miete wird jährlich um zwei Prozent erhöht.

§ 4 Kündigung

(1) Die Kündigung bedarf der Schriftform.

(2) Aus wichtigem Grund kann fristlos gekündigt werden, insbesondere wenn
1. die Miete zwei Monate aussteht oder
2. die Hütte
a) beschädigt oder
b) untervermietet wird.

Anlage 1 Inventar

1. Ein Tisch aus Eiche mit zwei Schubladen.

2. Vier Stühle mit Lehne.

Anlage 2 Hausordnung

1. Feuer ist nur in der Feuerstelle erlaubt.

2. Der Hund des Nachbarn wird nicht gefüttert.
"""
USLM = """<?xml version="1.0" encoding="UTF-8"?>
<statuteCompilation xmlns="http://schemas.gpo.gov/xml/uslm">
<preface><property>LIGHTHOUSE RECORDS ACT</property></preface>
<main>
<section><num>SECTION 1.</num><editorialNote>[<ref>9 U.S.C. 101 note</ref>]</editorialNote>
<heading>SHORT TITLE.</heading>
<content>This Act may be cited as the Lighthouse Records Act.</content></section>
<title><num>TITLE I—</num><heading>RECORDS</heading>
<section><num>SEC. 101.</num><editorialNote>[<ref>9 U.S.C. 110</ref>]</editorialNote>
<heading>COST OF RECORDS.</heading>
<subsection><num>(a)</num><heading>Sense.—</heading><content>Records should be cheap.</content></subsection>
<subsection><num>(b)</num><heading>Statement.—</heading><chapeau>The keeper shall state—</chapeau>
<paragraph><num>(1)</num><content>the price of ink; and</content></paragraph>
<paragraph><num>(2)</num><content>the price of paper.</content></paragraph></subsection>
</section></title></main></statuteCompilation>
"""
# Contracts that came through a converter have whole pages on one line.
SUPPLY = (
    'SUPPLY AGREEMENT\n\nI. DEFINITIONS   "Seed" means wheat seed of the seller.   II. LICENSE   '
    "A. The seller lets the buyer sow.   B. The buyer shall not sell seed to others or let othe"
    "rs sow it.   C. Fields are named in a list.\n\nIII. SUPPLY   A. The seller delivers in March"
    " of each year of the term.   B. Termination is told to the Parties.   C. Sacks are returne"
    "d by the buyer before the end of the month of May.\n\n   I. The buyer may call for a count o"
    "f the sacks at any time of the year, on a working day, with a week's notice, and the selle"
    "r shall let him into the barn.\n\nIV. REPORTS   A. The buyer reports each harvest to the sel"
    "ler.   B. Failure to pay will end this after:   1. A letter of the seller;   2. Ten days f"
    "rom it.   C. The buyer keeps his books for ten years.\n\nV. TERM   The term is three years f"
    "rom the day on which the first sack was delivered to the yard of the buyer.\n"
)
DC = """<?xml version='1.0' encoding='utf-8'?>
<section xmlns="https://code.dccouncil.us/schemas/dc-library">
  <num>9-1208.04a</num>
  <heading>Keeping of harbor seals.</heading>
  <para>
    <num>(a)</num>
    <para><num>(1)</num><text>A keeper shall register each seal under
      § <cite path="§9-1208.02">9-1208.02</cite>:</text>
      <para><num>(A)</num><text>Within 10 days of its arrival; and</text></para>
      <para><num>(B)</num><text>Again whenever the seal is sold.</text></para>
    </para>
    <para><num>(2)</num><text>The Board may waive the fee.</text></para>
  </para>
  <para>
    <num>(b)</num>
    <para><num>(1)</num>
      <para><num>(A)</num><text>No keeper shall keep more than 3 seals.</text></para>
      <para><num>(B)</num>
        <para><num>(i)</num><text>A school may keep 5 seals.</text></para>
        <para><num>(ii)</num><text>A zoo may keep 12 seals.</text></para>
      </para>
      <para><num>(C)</num><text>Repealed.</text></para>
    </para>
    <text>This subsection does not apply to stranded seals.</text>
  </para>
  <para><num>(c)</num><text>Fish shall be fresh.</text></para>
</section>
"""


def _outline(tmp_path: Path, name: str, text: str) -> Outline:
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    records = document_records(read(file), Origin("d", "r", "f", "s", (), ""), ())
    return Outline([section_row(record) for record in records if record["kind"] == SECTION])


def _text(target: Target) -> str:
    row = target.row
    start, end = target.unit[1:] if target.unit else (row.start, row.end)
    return (row.text or "")[start - row.start : end - row.start]


@pytest.mark.parametrize(
    ("reference", "begins"),
    [
        ("article 3, paragraphe 2, point b)", "b) de tout changement"),
        ("l'article 1er, deuxième alinéa", "Elle ne s'applique pas"),
        ("art. 1er, al. 2", "Elle ne s'applique pas"),
        ("art. 3 bis", "Le maire peut dispenser"),
        ("article 3 bis", "Le maire peut dispenser"),
        ("annexe II, point 2", "2. Abri double"),
        ("article 4, deuxième phrase", "Ils n'y passent pas la nuit."),
        ("définition de « riverain »", "b) « riverain »"),
        ("Dispense", "Le maire peut dispenser"),
        ("Dispositions finales > Entrée en vigueur", "La présente loi entre"),
        ("chapitre premier du titre II, article 3, paragraphe 3", "3. La mairie répond"),
    ],
)
def test_a_french_act(tmp_path: Path, reference: str, begins: str) -> None:
    assert _text(find_section(_outline(tmp_path, "loi.txt", LOI), reference)).startswith(begins)


@pytest.mark.parametrize(
    ("reference", "begins"),
    [
        ("artículo 3.2.c)", "c) las aves enfermas."),
        ("art. 3, apartado 2, letra b)", "b) el número de aves;"),
        ("artículo 2, letra a)", "a) Palomar"),
        ("artículo 4, párrafo primero", "El titular podrá"),
        ("disposición transitoria única", "Los palomares construidos antes"),
        ("Palomares antiguos", "Los palomares construidos antes"),
        ("anexo", "Fecha, número de aves"),
        ("artículo 5", "El inspector podrá visitar"),
    ],
)
def test_a_spanish_act(tmp_path: Path, reference: str, begins: str) -> None:
    assert _text(find_section(_outline(tmp_path, "ley.txt", LEY), reference)).startswith(begins)


@pytest.mark.parametrize(
    ("reference", "begins"),
    [
        ("§ 1 Abs. 2 lit. b", "b) der Brunnen"),
        ("§ 3 Abs. 2 Satz 2", "Maßgeblich ist der Eingang."),
        ("§ 3 Abs. 2 S. 2", "Maßgeblich ist der Eingang."),
        ("§ 3 II 2", "Maßgeblich ist der Eingang."),
        ("§ 3a", "Die Miete wird jährlich"),
        ("§ 4 Abs. 2 Nr. 2 lit. b", "b) untervermietet wird."),
        ("Anlage 2 Nr. 1", "1. Feuer ist nur"),
    ],
)
def test_a_german_contract(tmp_path: Path, reference: str, begins: str) -> None:
    assert _text(find_section(_outline(tmp_path, "vertrag.txt", VERTRAG), reference)).startswith(begins)


@pytest.mark.parametrize(
    ("reference", "begins"),
    [
        ("§ 9-1208.04a(b)(1)(B)(ii)", "(ii) A zoo may keep 12 seals."),
        ("subsection (a)(1)(B)", "(B) Again whenever"),
        ("(b)(1)(C)", "(C) Repealed."),
        ("D.C. Code § 9-1208.04a(c)", "(c) Fish shall be fresh."),
        ("paragraph (2) of subsection (a)", "(2) The Board may waive"),
    ],
)
def test_a_section_of_the_dc_code(tmp_path: Path, reference: str, begins: str) -> None:
    assert _text(find_section(_outline(tmp_path, "9-1208.04a.xml", DC), reference)).startswith(begins)


@pytest.mark.parametrize(
    ("reference", "begins"),
    [
        ("s 101(b)(2)", "(2) the price of paper."),
        ("Sec. 101(b)(1)", "(1) the price of ink"),
        ("SHORT TITLE", "This Act may be cited"),
        ("Cost of Records > Sense", "Records should be cheap."),
    ],
)
def test_an_act_whose_headings_stand_behind_notes(tmp_path: Path, reference: str, begins: str) -> None:
    outline = _outline(tmp_path, "act.xml", USLM)
    assert _text(find_section(outline, reference)).startswith(begins)
    assert [row.title for row in outline.rows if row.number == "SEC. 101"] == ["COST OF RECORDS."]


@pytest.mark.parametrize(
    ("reference", "begins"),
    [
        ("II.B", "B. The buyer shall not sell"),
        ("Article IV.B.1", "1. A letter of the seller"),
        ("III.B", "B. Termination is told"),
        ("Article V", "The term is three years"),
    ],
)
def test_roman_numerals_and_letters_on_long_lines(tmp_path: Path, reference: str, begins: str) -> None:
    assert _text(find_section(_outline(tmp_path, "supply.txt", SUPPLY), reference)).startswith(begins)


@pytest.mark.parametrize(
    ("text", "reference", "near"),
    [
        (LOI, "article 6", "Article 5 Entrée en vigueur"),
        (LOI, "article 3, paragraphe 4", "Article 3(3)"),
        (LEY, "artículo 9", "Artículo 5 Visitas."),
        (VERTRAG, "§ 4 Abs. 3", "§ 4(2)"),
        (VERTRAG, "§ 7", "§ 4 Kündigung"),
        (SUPPLY, "Article VI", "V TERM"),
    ],
)
def test_a_number_that_is_not_there_brings_its_neighbours(
    tmp_path: Path, text: str, reference: str, near: str
) -> None:
    with pytest.raises(ToolFailedError) as failed:
        find_section(_outline(tmp_path, "text.txt", text), reference)
    assert failed.value.error.code == "no_such_section"
    assert near in failed.value.error.near


@pytest.mark.parametrize(
    ("text", "reference", "places"),
    [(LOI, "point 1", 3), (LEY, "capítulo primero", 2), (LEY, "letra a)", 2), (VERTRAG, "Abs. 2", 4)],
)
def test_each_candidate_of_an_ambiguous_number_can_be_opened_by_its_name(
    tmp_path: Path, text: str, reference: str, places: int
) -> None:
    outline = _outline(tmp_path, "text.txt", text)
    with pytest.raises(ToolFailedError) as failed:
        find_section(outline, reference)
    assert (failed.value.error.code, len(failed.value.error.near)) == ("ambiguous", places)
    opened = [find_section(outline, name) for name in failed.value.error.near]
    assert opened == resolve(outline, reference)


def test_every_section_opens_by_its_own_id(tmp_path: Path) -> None:
    # Ids are "s" and hexadecimal figures, most of which read like a number of a section.
    outline = _outline(tmp_path, "loi.txt", LOI)
    opened = [[target.row.id for target in resolve(outline, row.id)] for row in outline.rows]
    assert opened == [[row.id] for row in outline.rows]
    assert any(row.id[1].isdigit() for row in outline.rows)


@pytest.mark.parametrize("reference", ["start", "the beginning", "Anfang", "début", "inicio"])
def test_the_beginning_is_the_first_text(tmp_path: Path, reference: str) -> None:
    found = find_section(_outline(tmp_path, "loi.txt", LOI), reference)
    assert _text(found).startswith("La présente loi règle")
