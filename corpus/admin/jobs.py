"""Jobs in the admin: asked for on their own pages, watched as they go, cancelled, and asked for again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import Case, When
from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_POST
from procrastinate.contrib.django.models import ProcrastinateJob

from corpus import jobs
from corpus.admin.job_forms import BoeForm, UploadForm
from corpus.admin.source import SourceAdmin, change_list, warning_list
from corpus.jobs import State, Task
from corpus.models import ImportEntry, Job
from corpus.progress import duration

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.forms import Form
    from django.http import HttpRequest
    from django.urls import URLPattern
    from django.utils.safestring import SafeString

ENTRIES_SHOWN = 100
WARNINGS_SHOWN = 20
LONG_LIST = 80
FAILED_FIRST = Case(When(outcome=ImportEntry.Outcome.FAILED, then=0), default=1)
# What is asked for by a button alone.
PLAIN_TASKS = {Task.IMPORT_BOE, Task.EMBED, Task.REBUILD_INDEXES, Task.LINK_CITATIONS}
TONES = {State.DONE: "success", State.FAILED: "error", State.CANCELLED: "warning"}

admin.site.unregister(ProcrastinateJob)


@admin.register(Job)
class JobAdmin(SourceAdmin):
    """Jobs, newest first, each with a page that follows it."""

    list_display = ("__str__", "what", "state", "progress", "requested_by", "asked_at", "took")
    list_filter = ("state", "task")
    list_select_related = ("requested_by",)
    show_full_result_count = False
    change_form_template = "admin/corpus/job/change_form.html"

    def get_urls(self) -> list[URLPattern]:
        """Add the pages and buttons that ask for jobs and stop them."""
        own = [
            path("import/", self._guarded(self.import_view), name="corpus_job_import"),
            path("ask/<slug:task>/", self._guarded(self.ask_view), name="corpus_job_ask"),
            path("<int:pk>/progress/", self.admin_site.admin_view(self.progress_view), name="corpus_job_progress"),
            path("<int:pk>/cancel/", self._guarded(self.cancel_view), name="corpus_job_cancel"),
            path("<int:pk>/retry/", self._guarded(self.retry_view), name="corpus_job_retry"),
        ]
        return own + super().get_urls()

    def import_view(self, request: HttpRequest) -> HttpResponse:
        """Show both forms, or take one: the files are kept and a job is queued, nothing more."""
        upload, boe = UploadForm(), BoeForm()
        if request.method == "POST" and "ids" in request.POST.get("form", ""):
            boe = BoeForm(request.POST)
            if boe.is_valid():
                asked = {"ids": boe.cleaned_data["ids"], **_choices(boe)}
                return self._asked(request, jobs.ask(Task.IMPORT_BOE, asked, user=_user(request)))
        elif request.method == "POST":
            upload = UploadForm(request.POST, request.FILES)
            if upload.is_valid():
                asked = {"upload": upload.kept, "names": upload.names, **_choices(upload)}
                return self._asked(request, jobs.ask(Task.IMPORT_FILES, asked, user=_user(request)))
        context = self.admin_site.each_context(request) | {
            "title": _("Importar normas"), "upload": upload, "boe": boe, "opts": self.opts,
        }  # fmt: skip
        return TemplateResponse(request, "admin/corpus/job/import.html", context)

    @method_decorator(require_POST)
    def ask_view(self, request: HttpRequest, task: str) -> HttpResponse:
        """Queue a job that needs no more than its name."""
        if task not in PLAIN_TASKS:
            raise Http404(task)
        return self._asked(request, jobs.ask_once(Task(task), user=_user(request)))

    @method_decorator(require_GET)
    def progress_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Give the part of a job's page that changes."""
        job = get_object_or_404(Job.objects.select_related("run", "requested_by"), pk=pk)
        if not self.has_view_permission(request, job):
            raise PermissionDenied
        # htmx stops asking when it is told that all is over, and shows the whole page once.
        response = render(request, "admin/corpus/job/_progress.html", followed(job))
        if job.is_over:
            response["HX-Refresh"] = "true"
        return response

    @method_decorator(require_POST)
    def cancel_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Stop a job."""
        job = get_object_or_404(Job, pk=pk)
        if jobs.cancel(job):
            messages.warning(request, _("Se ha pedido que «%(job)s» pare.") % {"job": job})
        else:
            messages.info(request, _("«%(job)s» ya había acabado.") % {"job": job})
        return HttpResponseRedirect(page_of(job))

    @method_decorator(require_POST)
    def retry_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Queue a job like one that is over."""
        return self._asked(request, jobs.ask_again(get_object_or_404(Job, pk=pk), user=_user(request)))

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show how the job stands."""
        job = self.get_object(request, object_id)
        shown = followed(job) if job else {}
        return super().change_view(
            request,
            object_id,
            form_url,
            {"title": str(job).capitalize(), "subtitle": None, **shown, **(extra_context or {})},
        )

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Say whether anything carries jobs out."""
        return super().changelist_view(
            request,
            {"is_worker_alive": jobs.is_worker_alive(), "may_ask": self._may_ask(request), **(extra_context or {})},
        )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Job]:
        """Bring along what a row or page shows."""
        queryset: QuerySet[Job] = super().get_queryset(request)
        return queryset.select_related("run", "requested_by")

    @admin.display(description=gettext_lazy("qué"))
    def what(self, job: Job) -> str:
        """Name what the job is about, cut."""
        return Truncator(named(job)).chars(LONG_LIST)

    @admin.display(description=gettext_lazy("hecho"))
    def progress(self, job: Job) -> str:
        """Say how far it is."""
        return f"{job.done} / {job.total}" if job.total else ""

    @admin.display(description=gettext_lazy("pedido"), ordering="pk")
    def asked_at(self, job: Job) -> str:
        """Say when it was asked for."""
        return date_format(timezone.localtime(job.requested_at), "d/m/Y H:i")

    @admin.display(description=gettext_lazy("duración"))
    def took(self, job: Job) -> str:
        """Say how long it took, or has been at it."""
        return duration(seconds_of(job)) if job.started_at else ""

    def _may_ask(self, request: HttpRequest) -> bool:
        return request.user.has_perm("corpus.add_job")

    def _guarded(self, view: Any) -> Any:
        """Let only those who may ask for jobs in."""

        def guarded(request: HttpRequest, **named: Any) -> HttpResponse:
            if not self._may_ask(request):
                raise PermissionDenied
            answer: HttpResponse = view(request, **named)
            return answer

        return self.admin_site.admin_view(guarded)

    def _asked(self, request: HttpRequest, job: Job) -> HttpResponse:
        messages.success(request, asked_for(job))
        return HttpResponseRedirect(page_of(job))


def asked_for(job: Job) -> SafeString:
    """Say that a job is queued, with a link to its page."""
    return format_html(_('En cola: <a href="{}">{}</a>.'), page_of(job), str(job))


def ask_for(request: HttpRequest, task: Task, laws: list[str]) -> Job:
    """Queue a job over laws in the name of whoever asks."""
    return jobs.ask(task, {"laws": laws}, user=_user(request))


def page_of(job: Job) -> str:
    """Give the address of a job's page."""
    return reverse("admin:corpus_job_change", args=[job.pk])


def named(job: Job) -> str:
    """Name what a job is about: files, laws, ids."""
    return ", ".join(
        map(str, next((job.arguments[key] for key in ("names", "laws", "ids") if key in job.arguments), []))
    )


def seconds_of(job: Job) -> float:
    """Give how long a job took, or has been at it so far."""
    if not job.started_at:
        return 0.0
    return ((job.finished_at or timezone.now()) - job.started_at).total_seconds()


def followed(job: Job) -> dict[str, Any]:
    """Give everything that a job's page shows."""
    seconds = seconds_of(job)
    rate = job.done / seconds if seconds and job.done else 0.0
    entries = ImportEntry.objects.none()
    if job.run_id:
        entries = ImportEntry.objects.filter(run=job.run_id).exclude(outcome="unchanged", warnings=[])
    found = list(entries.order_by(FAILED_FIRST, "pk")[: ENTRIES_SHOWN + 1])
    return {
        "job": job,
        "named": named(job),
        "tone": TONES.get(State(job.state), "info"),
        "percent": 100 * job.done // job.total if job.total else 0,
        "rate": rate,
        "seconds": duration(seconds),
        "left": duration((job.total - job.done) / rate) if rate and job.total and not job.is_over else "",
        "entries": [_shown(entry) for entry in found[:ENTRIES_SHOWN]],
        "has_more_entries": len(found) > ENTRIES_SHOWN,
    }


def _shown(entry: ImportEntry) -> dict[str, Any]:
    return {
        "entry": entry,
        "changes": change_list(entry.changes) if entry.changes else "",
        "warnings": warning_list(entry.warnings[:WARNINGS_SHOWN]) if entry.warnings else "",
        "has_more_warnings": len(entry.warnings) > WARNINGS_SHOWN,
    }


def _user(request: HttpRequest) -> User:
    assert isinstance(request.user, User)  # noqa: S101 (the admin lets nobody else in)
    return request.user


def _choices(form: Form) -> dict[str, bool]:
    return {"embed": form.cleaned_data["embed"], "force": form.cleaned_data["force"]}
