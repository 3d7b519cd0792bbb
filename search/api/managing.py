"""Managing the corpus: the jobs that the admin asks for too, and how they go."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from ninja import Body, Field, File, Form, Path, Query, Router, Schema, Status
from ninja.files import UploadedFile

from corpus import jobs, uploads
from corpus.jobs import Task
from corpus.models import ImportEntry, Job
from corpus.ranks import BOE_ID
from search.api.errors import LONGEST_NAME, ErrorBody
from search.api.keys import ManageKey
from search.api.parameters import PageParameters, Whole, WholeBody
from search.api.queueing import ACCEPTED, JobState, queued, state_of
from search.asked import without_controls
from search.errors import InputError, UnknownParameter, UnknownValue
from search.requests import held_laws, no_such_law

if TYPE_CHECKING:
    from django.http import HttpRequest

router = Router(auth=ManageKey(), tags=["manage"])
MOST_IDS = 500
ENTRIES_SHOWN = 100
NO_SUCH_JOB = {"responses": {404: {"description": "`not_found`: there is no such job."}}}


class UploadRefused(InputError):
    """An upload is not taken."""

    code = "upload_refused"


class LawImported(Schema):
    """What an import did to one law."""

    path: str
    law: str
    outcome: str
    detail: str


class JobDetail(JobState):
    """A job with what its import did to each law, the first hundred."""

    outcomes: dict[str, int]
    laws: list[LawImported]


class JobPage(Schema):
    """A page of jobs, newest first; `next` is the address of the page after it."""

    items: list[JobState]
    total: int
    limit: int
    offset: int
    next: str | None


class ImportChoices(WholeBody):
    """How texts are imported."""

    force: bool = Field(False, description="Take a source that is older than what is held, too.")
    embed: bool = Field(False, description="Make the missing vectors afterwards.")


class BoeIds(ImportChoices):
    """Laws of the BOE."""

    ids: list[str] = Field(
        ...,
        min_length=1,
        max_length=MOST_IDS,
        description="BOE ids of consolidated laws.",
        json_schema_extra={
            "example": ["BOE-A-2003-23186"],
            "items": {"type": "string", "pattern": f"^{BOE_ID.pattern}$"},
        },
    )


class LawsToEmbed(WholeBody):
    """Which laws."""

    laws: list[str] = Field(
        default_factory=list,
        min_length=1,
        max_length=MOST_IDS,
        description="Laws whose vectors are made anew, by canonical or BOE id; without it, the missing are made.",
        json_schema_extra={"example": ["ley-990-2019"]},
    )


class JobInPath(Schema):
    """A job."""

    job: Whole = Field(..., ge=1, le=2**63 - 1, description="A job's number.", json_schema_extra={"example": 1})


@router.post(
    "/imports/upload",
    operation_id="import_upload",
    summary="Import files",
    description="`.xml`, `.akn`, `.md`, or `.zip` of them. What is asked for is queued, and done by the worker.",
    response={202: JobState, 400: ErrorBody, 422: ErrorBody},
    openapi_extra={"responses": {202: {"description": ACCEPTED}}},
)
def import_upload(
    request: HttpRequest, files: File[list[UploadedFile]], asked: Form[ImportChoices]
) -> Status[JobState]:
    """Keep files and queue their import."""
    _refuse_other_fields(request)
    try:
        kept = uploads.keep(files)
    except uploads.UploadRefused as refused:
        raise UploadRefused(refused.detail, parameter="files", limit=refused.limit) from refused
    names = [uploads.name_of(file) for file in files]
    return queued(request, Task.IMPORT_FILES, {"upload": kept, "names": names, **asked.model_dump()})


@router.post(
    "/imports/boe",
    operation_id="import_boe",
    summary="Import laws of the BOE",
    description="Fetched from the address that the installation names, never from one that is given.",
    response={202: JobState, 400: ErrorBody, 422: ErrorBody},
    openapi_extra={"responses": {202: {"description": ACCEPTED}}},
)
def import_boe(request: HttpRequest, body: Body[BoeIds]) -> Status[JobState]:
    """Queue the import of laws by BOE id."""
    for place, boe_id in enumerate(body.ids):
        if not BOE_ID.fullmatch(boe_id):
            detail = _("«%(id)s» no es un identificador del BOE: BOE-A-2003-23186.") % {"id": boe_id[:80]}
            raise UnknownValue(detail, parameter=f"ids.{place}")
    return queued(request, Task.IMPORT_BOE, body.model_dump())


@router.post(
    "/embeddings",
    operation_id="embed",
    summary="Make vectors",
    response={202: JobState, 400: ErrorBody, 422: ErrorBody},
    openapi_extra={"responses": {202: {"description": ACCEPTED}}},
)
def embed(request: HttpRequest, body: Body[LawsToEmbed]) -> Status[JobState]:
    """Queue the making of missing vectors, or of those of some laws anew."""
    if not body.laws:
        return queued(request, Task.EMBED, {})
    held = held_laws(body.laws)
    for place, name in enumerate(body.laws):
        if name not in held:
            raise no_such_law(name, f"laws.{place}")
    return queued(request, Task.EMBED_ANEW, {"laws": list(dict.fromkeys(held[name] for name in body.laws))})


@router.get("/jobs", operation_id="list_jobs", summary="List jobs", response={200: JobPage, 422: ErrorBody})
def list_jobs(request: HttpRequest, asked: Query[PageParameters]) -> JobPage:
    """List jobs, newest first, whoever asked for them."""
    total = Job.objects.count()
    items = [state_of(job) for job in Job.objects.all()[asked.offset : asked.offset + asked.limit]]
    return JobPage(items=items, total=total, **asked.place, next=asked.next(request, len(items), total))


@router.get(
    "/jobs/{job}",
    operation_id="get_job",
    summary="Follow a job",
    response={200: JobDetail, 404: ErrorBody, 422: ErrorBody},
    openapi_extra=NO_SUCH_JOB,
)
def get_job(request: HttpRequest, path: Path[JobInPath]) -> JobDetail | Status[ErrorBody]:
    """Say how a job stands, and what it did to each law."""
    job = Job.objects.select_related("run").filter(pk=path.job).first()
    if job is None:
        return _no_job()
    entries = ImportEntry.objects.filter(run=job.run)[:ENTRIES_SHOWN] if job.run else ()
    return JobDetail(
        **state_of(job).model_dump(),
        outcomes=job.run.outcomes if job.run else {},
        laws=[_imported(entry) for entry in entries],
    )


@router.post(
    "/jobs/{job}/cancel",
    operation_id="cancel_job",
    summary="Cancel a job",
    description="At once while it waits, else after the law or batch that is under way; what is over stays as it is.",
    response={202: JobState, 404: ErrorBody, 422: ErrorBody},
    openapi_extra={"responses": {202: {"description": "What the job is now."}, **NO_SUCH_JOB["responses"]}},
)
def cancel_job(request: HttpRequest, path: Path[JobInPath]) -> Status[JobState] | Status[ErrorBody]:
    """Ask a job to stop."""
    job = Job.objects.filter(pk=path.job).first()
    if job is None:
        return _no_job()
    jobs.cancel(job)
    job.refresh_from_db()
    return Status(202, state_of(job))


def _refuse_other_fields(request: HttpRequest) -> None:
    """Raise `UnknownParameter` for a field of the form that would be overlooked."""
    known = ["files", *ImportChoices.model_fields]
    for name in (*request.POST, *request.FILES):
        if name not in known:
            told = without_controls(name)[:LONGEST_NAME]
            detail = _("No hay ningún parámetro «%s».") % told
            raise UnknownParameter(detail, parameter=told, limit=", ".join(sorted(known)))


def _imported(entry: ImportEntry) -> LawImported:
    return LawImported(path=entry.path, law=entry.law_key, outcome=entry.outcome, detail=entry.detail)


def _no_job() -> Status[ErrorBody]:
    return Status(404, ErrorBody(code="not_found", detail=_("No hay ningún trabajo con ese número."), parameter="job"))
