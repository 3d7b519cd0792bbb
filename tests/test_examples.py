"""The invented laws: plainly invented, in the real schema, and exercising what they were written for."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING

import pytest
from lxml import etree

from corpus.models import Article, ArticleVersion, Law
from search.lookup import lookup

if TYPE_CHECKING:
    from pathlib import Path

EXAMPLES = ["es-ga-ley-990-2019", "ley-990-2019", "ley-992-2022", "orden-hac-9993-2023", "rd-9991-2020"]
INVENTED_ID = re.compile(r"BOE-A-\d{4}-99\d{3}")
KINDS = {"article", "additional", "transitional", "repealing", "final", "annex", "preamble"}


@pytest.fixture(params=EXAMPLES)
def tree(request: pytest.FixtureRequest, examples_dir: Path) -> etree._ElementTree:
    return etree.parse(examples_dir / f"{request.param}.xml")


def test_the_folder_holds_these_laws(examples_dir: Path) -> None:
    assert sorted(path.stem for path in examples_dir.glob("*.xml")) == EXAMPLES


def test_a_law_says_that_it_is_invented(tree: etree._ElementTree) -> None:
    assert "(norma inventada)" in str(tree.findtext(".//metadatos/titulo"))
    assert "Norma inventada" in str(tree.findtext(".//analisis/notas/nota"))
    assert "Norma inventada" in str(tree.findtext(".//bloque[@tipo='nota_inicial']//p"))


def test_no_number_is_one_that_the_gazette_gives_out(tree: etree._ElementTree) -> None:
    assert INVENTED_ID.fullmatch(str(tree.findtext(".//metadatos/identificador")))
    assert int(re.findall(r"\d+", str(tree.findtext(".//metadatos/numero_oficial")))[0]) >= 990
    amending = {version.get("id_norma") for version in tree.iter("version")}
    assert all(INVENTED_ID.fullmatch(str(norm)) for norm in amending)


def test_an_example_has_the_shape_of_the_real_responses(tree: etree._ElementTree, boe_xml: Path) -> None:
    real = [etree.parse(path) for path in sorted(boe_xml.glob("*/full.xml"))]

    def shape(trees: list[etree._ElementTree], names: str) -> set[str]:
        elements = [element for one in trees for element in one.iterfind(names)]
        return {f"{element.tag} {name}" for element in elements for name in ("", *element.attrib)}

    # Only a law that has been repealed has this field, and none of the nine has.
    allowed = shape(real, ".//metadatos/*") | {"fecha_derogacion "}
    assert shape([tree], ".//metadatos/*") <= allowed
    assert shape([tree], ".//texto//*") <= shape(real, ".//texto//*")
    classes = {p.get("class") for one in real for p in one.iterfind(".//texto//p")}
    assert {p.get("class") for p in tree.iterfind(".//texto//p")} <= classes


def test_block_ids_are_unique(tree: etree._ElementTree) -> None:
    ids = [block.get("id") for block in tree.iter("bloque")]
    assert len(ids) == len(set(ids))


@pytest.mark.usefixtures("live")
@pytest.mark.django_db
class TestImported:
    """What the importer makes of them."""

    def test_every_law_has_its_id_and_standing(self) -> None:
        assert list(Law.objects.values_list("key", "status", "valid_from", "valid_to")) == [
            ("es-ga-ley-990-2019", "repealed", date(2019, 8, 1), date(2024, 12, 31)),
            ("ley-990-2019", "in_force", date(2019, 4, 1), None),
            ("ley-992-2022", "in_force", date(2022, 7, 1), None),
            ("orden-hac-9993-2023", "in_force", date(2023, 5, 13), None),
            ("rd-9991-2020", "in_force", date(2021, 1, 1), None),
        ]
        # "Artículos 8 a 10" names three provisions at once: its "a" stands in no label.
        assert {warning["block"] for law in Law.objects.all() for warning in law.warnings} == {"a8a10"}

    def test_every_kind_of_provision_is_there(self) -> None:
        assert set(Article.objects.filter(law__key="ley-990-2019").values_list("kind", flat=True)) == KINDS

    def test_keys_do_not_follow_block_ids(self) -> None:
        rows = Article.objects.filter(law__key="ley-990-2019", source_block__in=["a1-2", "a1-3", "ai", "ai-2"])
        assert {row.source_block: row.key for row in rows} == {
            "a1-2": "art-10",
            "a1-3": "art-11",
            "ai": "anexo-i",
            "ai-2": "anexo-ii",
        }

    def test_three_versions_out_of_order_are_put_in_order(self) -> None:
        versions = ArticleVersion.objects.filter(article__law__key="ley-990-2019", article__key="art-11")
        assert [(one.valid_from, one.valid_to, one.amended_by) for one in versions] == [
            (date(2019, 4, 1), date(2022, 6, 30), "BOE-A-2019-99001"),
            (date(2022, 7, 1), date(2025, 3, 31), "BOE-A-2022-99003"),
            (date(2025, 4, 1), None, "BOE-A-2025-99007"),
        ]
        assert {one.heading for one in versions} == {"Recargos por presentación fuera de plazo"}

    def test_a_decree_keeps_its_own_provisions_apart_from_the_regulation(self) -> None:
        keys = list(Article.objects.filter(law__key="rd-9991-2020").values_list("key", flat=True))
        assert [key for key in keys if key.startswith("norma.")] == [
            "norma.preambulo", "norma.art-unico", "norma.da-unica", "norma.dt-unica", "norma.dd-unica", "norma.df-1",
            "norma.df-2",
        ]  # fmt: skip
        assert {"art-1", "art-3-bis", "art-8", "da-1", "da-2", "df-unica", "anexo"} <= set(keys)

    def test_quoted_articles_stay_inside_the_provision_that_quotes_them(self) -> None:
        keys = set(Article.objects.filter(law__key="ley-992-2022").values_list("key", flat=True))
        assert "art-4-bis" not in keys
        quoting = ArticleVersion.objects.get(article__law__key="ley-992-2022", article__key="df-1")
        assert "«Artículo 4 bis. Exención por motivos de salud." in quoting.text

    def test_the_quoted_words_are_those_of_the_law_they_amend(self) -> None:
        quoting = ArticleVersion.objects.get(article__law__key="ley-992-2022", article__key="df-1").text
        for key, day in (("art-4-bis", date(2022, 7, 1)), ("art-11", date(2022, 7, 1))):
            amended = ArticleVersion.objects.get(
                article__law__key="ley-990-2019", article__key=key, valid_from=day
            ).text
            assert amended in quoting

    def test_a_table_keeps_its_cells_apart(self) -> None:
        tariff = ArticleVersion.objects.filter(article__law__key="ley-990-2019", article__key="art-8")[0]
        assert "Hoteles de cinco estrellas\t3,50\t2,00\n" in tariff.text
        table = next(block for block in tariff.blocks if block["kind"] == "table")
        assert [cell["is_header"] for cell in table["rows"][0]] == [True, True, True]

    @pytest.mark.parametrize(
        ("citation", "status", "text"),
        [
            ("ley-990-2019:art-4.ñ", "in_force", "ñ) Los niños en acogimiento y las familias que los acogen."),
            ("ley-990-2019:art-4.n", "in_force", "n) Los donantes de médula ósea, durante la donación."),
            ("ley-990-2019:art-9.1.b.2", "in_force", "2.º Si es otra equivalente"),
            ("ley-990-2019:art-2.b.3", "in_force", "3.º Los campamentos de turismo"),
            ("ley-990-2019:art-6", "repealed", "Serán responsables solidarias"),
            ("ley-990-2019:dt-2", "expired", "Hasta el 31 de marzo de 2020"),
            ("rd-9991-2020:art-6", "annulled", "La Administración podrá exigir"),
            ("ley-992-2022:art-9", "repealed", "(Sin contenido)"),
            ("es-ga-ley-990-2019:art-1", "repealed", "Esta ley regula las ayudas"),
            ("ley-990-2019:art-8@2030-01-01", "in_force", "1. La cuota íntegra"),
        ],
    )
    def test_each_special_case_reads_as_it_should(self, citation: str, status: str, text: str) -> None:
        found = lookup(citation)
        assert (found.outcome, found.status) == ("found", status)
        assert str(found.text).startswith(text)

    def test_a_number_two_laws_share_means_the_states_and_names_the_other(self) -> None:
        found = lookup("Ley 990/2019")
        assert (found.citation, [one.citation for one in found.candidates]) == ("ley-990-2019", ["es-ga-ley-990-2019"])
