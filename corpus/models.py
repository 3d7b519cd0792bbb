"""The corpus in PostgreSQL: laws, articles, versions, chunks, vectors, the change log, and the work done on them."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Max, Q
from django.utils.translation import gettext_lazy as _
from pgvector.django import HalfVectorField

from corpus import clock

if TYPE_CHECKING:
    from datetime import date


class Status(models.TextChoices):
    """Whether a law or a version has force."""

    IN_FORCE = "in_force", _("vigente")
    REPEALED = "repealed", _("derogado")
    ANNULLED = "annulled", _("anulado")
    EXPIRED = "expired", _("vigencia agotada")
    NOT_YET_IN_FORCE = "not_yet_in_force", _("aún no vigente")


class Kind(models.TextChoices):
    """What sort of provision an article is."""

    ARTICLE = "article", _("artículo")
    ADDITIONAL = "additional", _("disposición adicional")
    TRANSITIONAL = "transitional", _("disposición transitoria")
    FINAL = "final", _("disposición final")
    REPEALING = "repealing", _("disposición derogatoria")
    ANNEX = "annex", _("anexo")
    APPENDIX = "appendix", _("apéndice")
    PREAMBLE = "preamble", _("preámbulo")
    OTHER = "other", _("otra")


def in_order(start: str, end: str, name: str) -> models.CheckConstraint:
    """Constrain `end` not to come before `start` where both are known."""
    return models.CheckConstraint(
        condition=Q(**{f"{start}__isnull": True}) | Q(**{f"{end}__isnull": True}) | Q(**{f"{end}__gte": F(start)}),
        name=name,
    )


class Law(models.Model):
    """One law under its canonical id (`key`), as its source last told it."""

    class History(models.TextChoices):
        """How much of the past the source lets us know."""

        FULL = "full", _("todas las redacciones")
        CURRENT_ONLY = "current_only", _("sólo la redacción actual")

    key = models.CharField(_("identificador"), max_length=120, unique=True)
    boe_id = models.CharField("BOE", max_length=40, unique=True, null=True, blank=True)
    eli = models.CharField("ELI", max_length=200, blank=True, db_index=True)
    title = models.TextField(_("título"))
    short_title = models.TextField(_("título breve"), blank=True)
    rank = models.CharField(_("rango"), max_length=60, db_index=True)
    number = models.CharField(_("número oficial"), max_length=60, blank=True)
    jurisdiction = models.CharField(_("jurisdicción"), max_length=20, default="es", db_index=True)
    language = models.CharField(_("lengua"), max_length=10, default="es")
    department = models.TextField(_("departamento"), blank=True)
    subjects = ArrayField(models.TextField(), default=list, blank=True, verbose_name=_("materias"))
    enacted = models.DateField(_("fecha de la disposición"), null=True, blank=True)
    published = models.DateField(_("publicada"), null=True, blank=True)
    valid_from = models.DateField(_("vigente desde"), null=True, blank=True)
    valid_to = models.DateField(_("vigente hasta"), null=True, blank=True)
    status = models.CharField(_("estado"), max_length=20, choices=Status, default=Status.IN_FORCE)
    history = models.CharField(_("historia"), max_length=20, choices=History, default=History.FULL)
    source = models.CharField(_("fuente"), max_length=20)
    source_url = models.TextField(_("dirección de la fuente"), blank=True)
    source_updated_at = models.DateTimeField(_("actualizada en la fuente"), null=True, blank=True)
    source_sha256 = models.CharField(max_length=64, blank=True)
    importer_version = models.PositiveSmallIntegerField(default=0, editable=False)
    fetched_at = models.DateTimeField(_("obtenida"))
    fetched_from = models.TextField(_("obtenida de"), blank=True)
    source_etag = models.CharField(max_length=200, blank=True, editable=False)
    source_last_modified = models.CharField(max_length=60, blank=True, editable=False)
    characters_in_source = models.PositiveIntegerField(default=0)
    characters_kept = models.PositiveIntegerField(default=0)
    notes = models.JSONField(_("notas"), default=list, blank=True)
    warnings = models.JSONField(_("avisos"), default=list, blank=True)

    class Meta:
        verbose_name = _("norma")
        verbose_name_plural = _("normas")
        ordering: ClassVar = ["key"]
        constraints: ClassVar = [in_order("valid_from", "valid_to", "law_valid_in_order")]

    def __str__(self) -> str:
        return self.short_title or self.title

    @property
    def known_since(self) -> date | None:
        """The first day of which its source tells what it said; None where that is all its time."""
        return clock.known_since(self.history, self.source_updated_at, self.fetched_at)


class Article(models.Model):
    """One provision of a law under its citation key; `key` never depends on block ids or file order."""

    law = models.ForeignKey(Law, models.CASCADE, related_name="articles", db_index=False, verbose_name=_("norma"))
    key = models.CharField(_("clave"), max_length=160)
    kind = models.CharField(_("clase"), max_length=20, choices=Kind)
    label = models.TextField(_("nombre"))
    heading = models.TextField(_("rúbrica"), blank=True)
    path = ArrayField(models.TextField(), default=list, blank=True, verbose_name=_("situación"))
    position = models.PositiveIntegerField(_("orden"))
    source_block = models.CharField(max_length=80, blank=True)

    class Meta:
        verbose_name = _("artículo")
        verbose_name_plural = _("artículos")
        ordering: ClassVar = ["law", "position"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["law", "key"], name="article_key_unique")]
        indexes: ClassVar = [models.Index(fields=["key", "law"], name="article_of_any_law")]

    def __str__(self) -> str:
        return f"{self.law.key}:{self.key}"


class ArticleVersion(models.Model):
    """One redaction of an article: verbatim text and the days (both inclusive) it ran."""

    article = models.ForeignKey(
        Article, models.CASCADE, related_name="versions", db_index=False, verbose_name=_("artículo")
    )
    position = models.PositiveIntegerField(_("orden"))
    heading = models.TextField(_("rúbrica"), blank=True)
    text = models.TextField(_("texto"))
    sha256 = models.CharField(max_length=64)
    blocks = models.JSONField(_("estructura"), default=list, blank=True)
    notes = models.JSONField(_("notas"), default=list, blank=True)
    valid_from = models.DateField(_("vigente desde"), null=True, blank=True)
    valid_to = models.DateField(_("vigente hasta"), null=True, blank=True)
    published = models.DateField(_("publicada"), null=True, blank=True)
    amended_by = models.CharField(_("redacción dada por"), max_length=40, blank=True)
    status = models.CharField(_("estado"), max_length=20, choices=Status, default=Status.IN_FORCE)

    class Meta:
        verbose_name = _("redacción")
        verbose_name_plural = _("redacciones")
        ordering: ClassVar = ["article", "position"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["article", "position"], name="version_position_unique"),
            in_order("valid_from", "valid_to", "version_valid_in_order"),
        ]

    def __str__(self) -> str:
        return f"{self.article} ({self.valid_from or '?'} – {self.valid_to or ''})"


class Chunk(models.Model):
    """A passage of one version that is embedded: `version.text[start:end]`.

    `sha256` is of the text handed to the embedder (passage with its heading, without prefix), so
    equal passages share one vector and unchanged text is never embedded twice.
    """

    version = models.ForeignKey(
        ArticleVersion, models.CASCADE, related_name="chunks", db_index=False, verbose_name=_("redacción")
    )
    position = models.PositiveIntegerField(_("orden"))
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    sub_unit = models.CharField(_("subunidad"), max_length=80, blank=True)
    sha256 = models.CharField(max_length=64)

    class Meta:
        verbose_name = _("fragmento")
        verbose_name_plural = _("fragmentos")
        ordering: ClassVar = ["version", "position"]
        indexes: ClassVar = [models.Index(fields=["sha256"], name="chunk_sha256")]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["version", "position"], name="chunk_position_unique"),
            models.CheckConstraint(condition=Q(end__gt=F("start")), name="chunk_not_empty"),
        ]

    def __str__(self) -> str:
        return f"{self.version}[{self.start}:{self.end}]"


class EmbeddingModel(models.Model):
    """An embedder whose vectors are held, told apart by its fingerprint."""

    class State(models.TextChoices):
        """Where the model is in its life: only the active one answers."""

        BUILDING = "building", _("en construcción")
        ACTIVE = "active", _("activo")
        RETIRED = "retired", _("retirado")

    fingerprint = models.CharField(_("huella"), max_length=120, unique=True)
    dimensions = models.PositiveIntegerField(_("dimensiones"))
    query_prefix = models.CharField(max_length=200, blank=True)
    passage_prefix = models.CharField(max_length=200, blank=True)
    state = models.CharField(_("estado"), max_length=10, choices=State, default=State.BUILDING)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("modelo de vectores")
        verbose_name_plural = _("modelos de vectores")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["state"], condition=Q(state="active"), name="one_active_embedding_model")
        ]

    def __str__(self) -> str:
        return self.fingerprint


class ChunkEmbedding(models.Model):
    """The vector of a passage under one model, found by the passage's hash and kept while the text may return."""

    model = models.ForeignKey(EmbeddingModel, models.CASCADE, related_name="embeddings", verbose_name=_("modelo"))
    sha256 = models.CharField(max_length=64)
    vector = HalfVectorField()

    class Meta:
        verbose_name = _("vector")
        verbose_name_plural = _("vectores")
        constraints: ClassVar = [models.UniqueConstraint(fields=["model", "sha256"], name="embedding_unique")]

    def __str__(self) -> str:
        return f"{self.model}:{self.sha256[:12]}"


class CorpusChange(models.Model):
    """One entry of the change log that feeds every derived index.

    `revision` grows with commit order: a transaction takes the corpus lock before it writes its entries.
    `article_id` None means the whole law; ids may name rows that are gone, hence no foreign keys.
    """

    revision = models.BigAutoField(primary_key=True)
    law_id = models.BigIntegerField()
    article_id = models.BigIntegerField(null=True, blank=True)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("cambio del corpus")
        verbose_name_plural = _("cambios del corpus")
        ordering: ClassVar = ["revision"]

    def __str__(self) -> str:
        return f"{self.revision}: {self.law_id}/{self.article_id or '*'}"

    @classmethod
    def newest(cls) -> int:
        """Give the newest revision, 0 of an empty log: one query."""
        return cls.objects.aggregate(newest=Max("revision"))["newest"] or 0


class ImportRun(models.Model):
    """One run of an importer with what it did to each law."""

    class State(models.TextChoices):
        """How the run stands."""

        RUNNING = "running", _("en curso")
        DONE = "done", _("terminada")
        FAILED = "failed", _("con errores")
        CANCELLED = "cancelled", _("cancelada")

    class Scope(models.TextChoices):
        """Which laws a run over a source's own listing brings up to date."""

        ALL = "all", _("todas las normas de la fuente")
        HELD = "held", _("las normas que ya están")

    source = models.TextField(_("fuente"))
    state = models.CharField(_("estado"), max_length=10, choices=State, default=State.RUNNING)
    started_at = models.DateTimeField(_("empezada"), auto_now_add=True)
    finished_at = models.DateTimeField(_("acabada"), null=True, blank=True)
    created = models.PositiveIntegerField(_("nuevas"), default=0)
    updated = models.PositiveIntegerField(_("cambiadas"), default=0)
    unchanged = models.PositiveIntegerField(_("sin cambios"), default=0)
    skipped = models.PositiveIntegerField(_("omitidas"), default=0, db_default=0)
    failed = models.PositiveIntegerField(_("fallidas"), default=0)
    scope = models.CharField(_("alcance"), max_length=10, choices=Scope, blank=True)
    covers_until = models.DateField(_("cambios hasta"), null=True, blank=True)
    listed = models.PositiveIntegerField(_("normas en la lista"), null=True, blank=True)

    class Meta:
        verbose_name = _("importación")
        verbose_name_plural = _("importaciones")
        ordering: ClassVar = ["-started_at"]

    def __str__(self) -> str:
        return f"{self.source} ({self.started_at:%Y-%m-%d %H:%M})"

    @property
    def outcomes(self) -> dict[str, int]:
        """How many laws met which end."""
        return {outcome: getattr(self, outcome) for outcome in ImportEntry.Outcome.values}


class ImportEntry(models.Model):
    """What one import run did to one law, with the source's oddities and what changed."""

    class Outcome(models.TextChoices):
        """What became of the law."""

        CREATED = "created", _("nueva")
        UPDATED = "updated", _("cambiada")
        UNCHANGED = "unchanged", _("sin cambios")
        SKIPPED = "skipped", _("omitida")
        FAILED = "failed", _("fallida")

    run = models.ForeignKey(ImportRun, models.CASCADE, related_name="entries", verbose_name=_("importación"))
    path = models.TextField(_("fichero"))
    law_key = models.CharField(_("norma"), max_length=120, blank=True)
    outcome = models.CharField(_("resultado"), max_length=10, choices=Outcome)
    detail = models.TextField(_("detalle"), blank=True)
    changes = models.JSONField(_("cambios"), default=dict, blank=True)
    warnings = models.JSONField(_("avisos"), default=list, blank=True)

    class Meta:
        verbose_name = _("norma importada")
        verbose_name_plural = _("normas importadas")
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return f"{self.path}: {self.outcome}"


class Job(models.Model):
    """A piece of work that somebody asked for and the worker carries out: how far it is, and what came of it.

    `arguments` say what to do; `queued_as` is its number in the worker's queue, the same one through restarts.
    """

    class Task(models.TextChoices):
        """What is to be done."""

        IMPORT_FILES = "import_files", _("importar ficheros")
        IMPORT_BOE = "import_boe", _("importar del BOE")
        DELETE_LAWS = "delete_laws", _("borrar normas")
        EMBED = "embed", _("hacer los vectores que faltan")
        EMBED_ANEW = "embed_anew", _("rehacer los vectores de unas normas")
        REBUILD_INDEXES = "rebuild_indexes", _("rehacer los índices")
        LINK_CITATIONS = "link_citations", _("enlazar las citas")

    class State(models.TextChoices):
        """How the job stands."""

        QUEUED = "queued", _("en cola")
        RUNNING = "running", _("en curso")
        DONE = "done", _("terminado")
        FAILED = "failed", _("con errores")
        CANCELLED = "cancelled", _("cancelado")

    task = models.CharField(_("tarea"), max_length=20, choices=Task)
    arguments = models.JSONField(_("qué"), default=dict, blank=True)
    state = models.CharField(_("estado"), max_length=10, choices=State, default=State.QUEUED, db_index=True)
    requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("pedido por")
    )
    requested_at = models.DateTimeField(_("pedido"), auto_now_add=True)
    started_at = models.DateTimeField(_("empezado"), null=True, blank=True)
    finished_at = models.DateTimeField(_("acabado"), null=True, blank=True)
    done = models.PositiveIntegerField(_("hecho"), default=0)
    total = models.PositiveIntegerField(_("total"), null=True, blank=True)
    detail = models.TextField(_("detalle"), blank=True)
    run = models.ForeignKey(ImportRun, models.SET_NULL, null=True, related_name="jobs", verbose_name=_("importación"))
    queued_as = models.BigIntegerField(null=True, editable=False)
    is_stopping = models.BooleanField(default=False, editable=False)

    class Meta:
        verbose_name = _("trabajo")
        verbose_name_plural = _("trabajos")
        ordering: ClassVar = ["-pk"]

    def __str__(self) -> str:
        return f"{self.get_task_display()} ({self.pk})"

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come of it."""
        return self.state not in {self.State.QUEUED, self.State.RUNNING}


class LawCoverage(models.Model):
    """What is held of one law, counted when it last changed; `gaps` are numbers missing between its provisions."""

    law = models.OneToOneField(Law, models.CASCADE, primary_key=True, related_name="coverage")
    articles = models.PositiveIntegerField(_("artículos"))
    versions = models.PositiveIntegerField(_("redacciones"))
    chunks = models.PositiveIntegerField(_("fragmentos"))
    first_day = models.DateField(_("primera redacción"), null=True)
    last_day = models.DateField(_("última redacción"), null=True)
    gaps = ArrayField(models.TextField(), default=list, verbose_name=_("saltos de numeración"))
    revision = models.BigIntegerField()

    class Meta:
        verbose_name = _("cobertura de una norma")
        verbose_name_plural = _("cobertura de las normas")

    def __str__(self) -> str:
        return str(self.law_id)
