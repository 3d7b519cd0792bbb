"""How the page tells a text's standing: never an old version under a fresh stamp."""

from datetime import date

import pytest

from search.responses import Resolution, VersionSummary
from search.standing import Standing, standing, version_lines

TODAY = date(2026, 6, 1)
OLD = VersionSummary(valid_from=date(2019, 2, 1), valid_to=date(2025, 4, 30), amended_by="BOE-A-2019-900", url="/old")
NEW = VersionSummary(valid_from=date(2025, 5, 1), valid_to=None, amended_by="BOE-A-2025-901", url="/new")
COMING = VersionSummary(valid_from=date(2027, 1, 1), valid_to=None, amended_by=None, url="/coming")


def shown(version, status="in_force", versions=(OLD, NEW)):
    return Resolution(
        input="x", outcome="found", status=status, valid_from=version.valid_from, valid_to=version.valid_to,
        versions=list(versions),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("resolution", "told"),
    [
        (shown(NEW), Standing("in_force", "vigente")),
        (
            shown(OLD),
            Standing("past", "redacción anterior", "past",
                     "Redacción anterior: rigió del 01/02/2019 al 30/04/2025.", "past", "/now",
                     "Ver la redacción vigente"),
        ),
        (
            shown(COMING, "not_yet_in_force", (OLD, NEW, COMING)),
            Standing("not_yet_in_force", "aún no vigente", "coming", "Aún no vigente: empieza a regir el 01/01/2027.",
                     "coming", "/now", "Ver la redacción vigente"),
        ),
        (
            shown(NEW, versions=(OLD, NEW, COMING)),
            Standing("in_force", "vigente", "", "Este texto cambiará el 01/01/2027.", "coming", "/coming",
                     "Ver la redacción futura"),
        ),
        (
            shown(OLD, "repealed", (OLD,)),
            Standing("repealed", "derogado", "ended", "Derogado: este texto ya no rige. Es el último que estuvo en "
                     "vigor, hasta el 30/04/2025.", "ended"),
        ),
        (
            shown(OLD, versions=(OLD,)),
            Standing("past", "redacción anterior", "past",
                     "Redacción anterior: rigió del 01/02/2019 al 30/04/2025.", "past", "/now", "Ver cómo está hoy"),
        ),
    ],
)  # fmt: skip
def test_the_standing_is_told(resolution, told):
    assert standing(resolution, TODAY, "/now") == told


def test_versions_are_listed_newest_first():
    lines = version_lines(shown(OLD, versions=(OLD, NEW, COMING)), TODAY)
    assert [(line.url, line.span, line.note, line.is_shown) for line in lines] == [
        ("/coming", "desde el 01/01/2027", "aún no vigente", False),
        ("/new", "desde el 01/05/2025", "BOE-A-2025-901", False),
        ("/old", "del 01/02/2019 al 30/04/2025", "BOE-A-2019-900", True),
    ]
