"""Writes Akoma Ntoso documents of an invented country, for tests of what reads them."""

from __future__ import annotations

AKN_3 = "http://docs.oasis-open.org/legaldocml/ns/akn/3.0"

BODY = """
<chapter eId="chp_1"><num>Chapitre 1er</num><heading>Objet</heading>
  <article eId="chp_1__art_1"><num>Art. 1<sup>er</sup>.</num><heading>Champ d'application</heading>
    <paragraph eId="chp_1__art_1__para_1"><num>1.</num><content><p>La présente loi règle les phares.<authorialNote
      eId="n1"><p>Voir <ref href="/eli/loi/2001/7">la loi 7</ref>.</p></authorialNote></p></content>
    </paragraph>
    <paragraph eId="chp_1__art_1__para_2"><num>2.</num><intro><p>Elle s'applique :</p></intro>
      <point eId="chp_1__art_1__para_2__point_a"><num>a)</num><content><p>aux phares côtiers ;</p></content></point>
      <point eId="chp_1__art_1__para_2__point_b"><num>b)</num><content><p>aux feux flottants.</p></content></point>
      <wrapUp><p>Les balises en sont exclues.</p></wrapUp></paragraph>
  </article>
</chapter>
<chapter eId="chp_2"><num>Chapitre 2</num><heading>Redevance</heading>
  <article eId="chp_2__art_2"><num>Art. 2</num><heading>Montant</heading>
    <content><table><tr><th><p>Hauteur</p></th><th><p>Redevance</p></th></tr>
      <tr><td><p>moins de 20 m</p></td><td><p>9 %</p></td></tr></table>
      <p><img src="/f.png" alt="Formule de la redevance"/></p></content></article>
  <article eId="chp_2__art_2bis"><num>Art. 2bis</num><heading>Modification</heading>
    <content><p>L'article 20 de la loi 7 est remplacé :<mod><quotedStructure startQuote="« " endQuote=" »">
      <article eId="chp_2__art_2bis__qstr__art_20"><num>Art. 20</num><content><p>Texte cité.</p></content></article>
      </quotedStructure></mod></p></content></article>
  <article eId="chp_2__art_3-5"><num>Art. 3–5</num><content><p>Abrogés</p></content></article>
  <article eId="chp_2__art_6"><num>Art. 6</num><content><p>Le gardien <ins>ou la gardienne</ins><del>du phare</del>
    allume le feu.</p></content></article>
</chapter>
"""


def document(
    body: str = BODY, *, language: str = "fr", number: str = "990", state: str = "", attributes: str = "",
    meta: str = "", country: str = "xx", namespace: str = AKN_3, after: str = "", dates: str = "",
) -> bytes:  # fmt: skip
    """Give a document of the invented law on lighthouses."""
    work = f"https://lois.example.org/eli/loi/2024/{number}"
    expression = "/".join(filter(None, (work, state, language)))
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<akomaNtoso xmlns="{namespace}"><act name="loi" {attributes}><meta><identification source="#x">
<FRBRWork><FRBRthis value="{work}/main"/><FRBRuri value="{work}"/><FRBRdate date="2024-02-01" name="dateIssued"/>
<FRBRdate date="2024-03-01" name="dateEntryInForce"/><FRBRcountry value="{country}"/><FRBRnumber value="{number}"/>
<FRBRname xml:lang="fr" value="Loi sur les phares (norme inventée)" shortForm="LPh"/>
<FRBRname xml:lang="de" value="Gesetz über Leuchttürme (erfundener Erlass)" shortForm="LtG"/></FRBRWork>
<FRBRExpression><FRBRthis value="{expression}/main"/><FRBRuri value="{expression}"/>
<FRBRdate date="2024-02-01" name="dateIssued"/>{dates}<FRBRlanguage language="{language}"/></FRBRExpression>
<FRBRManifestation><FRBRthis value="{expression}/xml"/><FRBRdate date="2026-01-01" name="dateProduced"/>
</FRBRManifestation>
</identification>{meta}</meta>
<preface><p><docTitle>Loi sur les phares</docTitle></p></preface>
<preamble><p>Le peuple décide :</p></preamble>
<body>{body}</body><conclusions><p>Fait à Port-Inventé.</p></conclusions>{after}</act></akomaNtoso>""".encode()
