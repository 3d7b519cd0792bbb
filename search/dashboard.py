"""What an administrator wants to know first: is the corpus current, complete, indexed, embedded; what was not found."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Literal

from django.conf import settings
from django.db.models import Count, Max, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format, number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from corpus import coverage, jobs
from corpus.models import ImportEntry, ImportRun, Job, Law
from search import citation_linking, holdings
from search.query_statistics import unanswered

if TYPE_CHECKING:
    from datetime import datetime

    from search.holdings import Derived, Totals

Tone = Literal["ok", "attention", "wrong", "unknown"]
RECENT_DAYS = 7
FAILURES_SHOWN = 10
STALE_DAYS = 30
QUESTIONS_NAMED = 3
LOST_SHARE = 0.1
"""With a greater share of questions without hits than this, somebody should look at them."""


@dataclass(frozen=True)
class Card:
    """One question with its answer in a few words, the numbers behind it, and where more is told."""

    question: str
    tone: Tone
    answer: str
    facts: tuple[str, ...] = ()
    url: str = ""


@dataclass(frozen=True)
class Dashboard:
    """All of it."""

    cards: tuple[Card, ...]
    failed_jobs: list[Job] = field(default_factory=list)
    failed_entries: list[ImportEntry] = field(default_factory=list)


def look(*, may_read_questions: bool = False) -> Dashboard:
    """Look at everything: a fixed number of queries, whatever the corpus holds; at questions, if they may be read."""
    coverage.catch_up()
    totals, derived = holdings.totals(), holdings.derived()
    since = timezone.now() - timedelta(days=RECENT_DAYS)
    last = ImportRun.objects.first()
    failed = (
        ImportEntry.objects.filter(run=last, outcome=ImportEntry.Outcome.FAILED) if last else ImportEntry.objects.none()
    )
    return Dashboard(
        cards=(
            _current(last),
            _complete(totals),
            _indexed(derived),
            _embedded(totals, derived),
            _linked(derived),
            _working(since),
            *([_finding()] if may_read_questions else []),
        ),
        failed_jobs=list(Job.objects.filter(state=Job.State.FAILED, requested_at__gt=since)[:FAILURES_SHOWN]),
        failed_entries=list(failed[:FAILURES_SHOWN]),
    )


def _current(last: ImportRun | None) -> Card:
    newest = Law.objects.aggregate(fetched=Max("fetched_at"), updated=Max("source_updated_at"))
    url = reverse("admin:corpus_importrun_changelist")
    if last is None or newest["fetched"] is None:
        return Card(_("¿Está al día?"), "attention", _("Todavía no hay ninguna norma."), url=url)
    is_stale = newest["fetched"] < timezone.now() - timedelta(days=STALE_DAYS)
    facts = (
        _("Lo último se trajo el %(day)s.") % {"day": _day(newest["fetched"])},
        _("El texto más reciente es del %(day)s.") % {"day": _day(newest["updated"])},
        _("Última importación: %(state)s.") % {"state": last.get_state_display()},
    )
    if last.state == ImportRun.State.FAILED:
        return Card(_("¿Está al día?"), "wrong", _("La última importación tuvo errores."), facts, url)
    answer = _("Hace más de un mes que no se trae nada.") if is_stale else _("Sí, según la última importación.")
    return Card(_("¿Está al día?"), "attention" if is_stale else "ok", answer, facts, url)


def _complete(totals: Totals) -> Card:
    facts = (
        _("%(laws)s normas, %(articles)s preceptos, %(versions)s redacciones.")
        % {"laws": _number(totals.laws), "articles": _number(totals.articles), "versions": _number(totals.versions)},
        ngettext("%s norma con saltos de numeración.", "%s normas con saltos de numeración.", totals.laws_with_gaps)
        % _number(totals.laws_with_gaps),
        ngettext("%s norma sólo con la redacción actual.", "%s normas sólo con la redacción actual.",
                 totals.laws_without_history) % _number(totals.laws_without_history),
    )  # fmt: skip
    lost = totals.incomplete_laws
    answer = (
        ngettext("%s norma ha perdido texto.", "%s normas han perdido texto.", lost) % _number(lost)
        if lost
        else _("Sí: de cada fuente se conserva al menos el 99,5 %.")
    )
    return Card(_("¿Está completo?"), "attention" if lost else "ok", answer, facts, reverse("coverage"))


def _indexed(derived: Derived) -> Card:
    facts = (
        _("Revisión %(held)s de %(all)s.")
        % {
            "held": derived.index_revision if derived.index_revision is not None else "–",
            "all": derived.corpus_revision,
        },
    )
    if derived.index_revision is None:
        return Card(_("¿Está indexado?"), "wrong", _("No hay índice léxico, o se está haciendo."), facts)
    lag = derived.index_lag
    answer = ngettext("Falta %s cambio.", "Faltan %s cambios.", lag) % _number(lag) if lag else _("Sí, del todo.")
    return Card(_("¿Está indexado?"), "attention" if lag else "ok", answer, facts)


def _embedded(totals: Totals, derived: Derived) -> Card:
    missing = totals.chunks_without_vector
    facts = (
        _("%(done)s de %(all)s fragmentos.")
        % {"done": _number(totals.chunks - missing), "all": _number(totals.chunks)},
        _("Modelo: %(model)s.") % {"model": derived.embedding_model or "–"},
    )
    url = f"{reverse('coverage')}?lacking=vectors"
    if derived.embedding_model is None:
        return Card(_("¿Tiene vectores?"), "wrong", _("Ninguno: sólo se busca por palabras."), facts, url)
    answer = (
        ngettext("A %s fragmento le falta el vector.", "A %s fragmentos les falta el vector.", missing)
        % _number(missing)
        if missing
        else _("Sí, todos los fragmentos.")
    )
    return Card(_("¿Tiene vectores?"), "attention" if missing else "ok", answer, facts, url)


def _linked(derived: Derived) -> Card:
    is_behind = citation_linking.is_behind()
    facts = (_("Revisión %(held)s de %(all)s.") % {"held": derived.citations_revision, "all": derived.corpus_revision},)
    answer = _("Faltan textos por leer.") if is_behind else _("Sí, todas.")
    return Card(_("¿Están enlazadas las citas?"), "attention" if is_behind else "ok", answer, facts)


def _working(since: datetime) -> Card:
    counts = Job.objects.aggregate(
        running=Count("pk", filter=Q(state=Job.State.RUNNING)),
        queued=Count("pk", filter=Q(state=Job.State.QUEUED)),
        failed=Count("pk", filter=Q(state=Job.State.FAILED, requested_at__gt=since)),
    )
    facts = (
        _("%(running)s en curso, %(queued)s en cola.") % counts,
        ngettext("%s con errores esta semana.", "%s con errores esta semana.", counts["failed"]) % counts["failed"],
    )
    url = reverse("admin:corpus_job_changelist")
    if not jobs.is_worker_alive():
        return Card(_("¿Se atienden los trabajos?"), "wrong", _("No: arranque «serve» o «run_jobs»."), facts, url)
    return Card(_("¿Se atienden los trabajos?"), "attention" if counts["failed"] else "ok", _("Sí."), facts, url)


def _finding() -> Card:
    question, url = _("¿Qué se busca y no se encuentra?"), reverse("admin:search_querylog_statistics")
    if not settings.QUERY_LOG:
        return Card(question, "unknown", _("No se sabe: el registro de consultas está apagado (QUERY_LOG)."), url=url)
    told = unanswered(RECENT_DAYS, QUESTIONS_NAMED)
    if not told.asked:
        return Card(question, "unknown", _("Esta semana no se ha preguntado nada."), url=url)
    counts = {"without": _number(told.without_hits), "asked": _number(told.asked)}
    answer = _("Esta semana, %(without)s de %(asked)s consultas sin resultados.") % counts
    named = ", ".join(f"«{one.query}» ({_number(one.times)})" for one in told.finding_nothing)
    facts = (
        *([_("Lo que más: %(questions)s.") % {"questions": named}] if named else []),
        _("Con poca confianza: %(unsure)s.") % {"unsure": _number(told.unsure)},
    )
    tone: Tone = "attention" if told.without_hits > LOST_SHARE * told.asked else "ok"
    return Card(question, tone, answer, facts, url)


def _day(moment: datetime | None) -> str:
    return date_format(timezone.localtime(moment), "d/m/Y") if moment else "–"


def _number(value: int) -> str:
    return number_format(value, 0, use_l10n=True, force_grouping=True)
