"""What the search keeps in PostgreSQL: citations read from the texts, keys of the API, questions and evaluations."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar
from uuid import uuid4

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from corpus.models import Article, ArticleVersion, Law


class CitedTarget(models.Model):
    """One thing that texts cite, as it was read, and what of the corpus it is: one row for all that cite it alike.

    `reading` is the law and the unit as they were named, from which the rest follows; `digest` is its hash. `names`
    are all by which the law may be known: what any law of the corpus goes by that comes, goes or is renamed is looked
    for among them. `law_key`, `unit` and `path` are the canonical citation, of a law that is absent too.
    """

    class State(models.TextChoices):
        """Whether the corpus has what is cited."""

        RESOLVED = "resolved", _("resuelta")
        LAW_ABSENT = "law_absent", _("norma que no está en el corpus")
        UNRESOLVED = "unresolved", _("sin resolver")

    digest = models.CharField(max_length=64, unique=True)
    reading = models.JSONField(_("lectura"))
    names = ArrayField(models.TextField(), default=list, verbose_name=_("nombres de la norma"))
    law = models.ForeignKey(Law, models.SET_NULL, null=True, related_name="+", verbose_name=_("norma"))
    law_key = models.TextField(_("identificador de la norma"), blank=True)
    unit = models.TextField(_("clave"), blank=True)
    path = models.TextField(_("subunidad"), blank=True)
    state = models.CharField(_("estado"), max_length=10, choices=State, default=State.UNRESOLVED)
    articles = models.ManyToManyField(Article, related_name="cited_as", verbose_name=_("artículos"))

    class Meta:
        verbose_name = _("destino de citas")
        verbose_name_plural = _("destinos de citas")
        indexes: ClassVar = [GinIndex(fields=["names"], name="cited_target_names")]

    def __str__(self) -> str:
        return self.citation or self.digest[:12]

    @property
    def citation(self) -> str:
        """The canonical citation, empty where the law is not known."""
        below = ".".join(filter(None, (self.unit, self.path)))
        return f"{self.law_key}:{below}" if self.law_key and below else self.law_key


class Citation(models.Model):
    """A place in one redaction where something is cited: `version.text[start:end]`."""

    version = models.ForeignKey(
        ArticleVersion, models.CASCADE, related_name="citations", verbose_name=_("redacción que cita")
    )
    target = models.ForeignKey(CitedTarget, models.CASCADE, related_name="citations", verbose_name=_("lo citado"))
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    text = models.TextField(_("texto"))

    class Meta:
        verbose_name = _("cita")
        verbose_name_plural = _("citas")
        ordering: ClassVar = ["version", "start", "id"]
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(end__gt=F("start")), name="citation_not_empty"),
        ]

    def __str__(self) -> str:
        return f"{self.version}: {self.text}"


class ReadVersion(models.Model):
    """A redaction whose citations are held, as its text (`sha256`) was when they were read."""

    version = models.OneToOneField(ArticleVersion, models.CASCADE, primary_key=True, related_name="+")
    sha256 = models.CharField(max_length=64)

    class Meta:
        verbose_name = _("redacción leída")
        verbose_name_plural = _("redacciones leídas")

    def __str__(self) -> str:
        return str(self.version_id)


class CitationCount(models.Model):
    """How many other provisions cite one, in any of their redactions."""

    article = models.OneToOneField(Article, models.CASCADE, primary_key=True, related_name="citation_count")
    citing = models.PositiveIntegerField(_("preceptos que lo citan"))

    class Meta:
        verbose_name = _("recuento de citas")
        verbose_name_plural = _("recuentos de citas")

    def __str__(self) -> str:
        return f"{self.article_id}: {self.citing}"


class GraphState(models.Model):
    """How far the citations have followed the corpus: one row.

    `revision` is of the corpus's change log; `reader` is the release that read the texts.
    """

    revision = models.BigIntegerField(default=0)
    reader = models.PositiveSmallIntegerField(default=0)

    class Meta:
        verbose_name = _("estado de las citas")
        verbose_name_plural = _("estado de las citas")
        constraints: ClassVar = [models.CheckConstraint(condition=Q(pk=1), name="one_graph_state")]

    def __str__(self) -> str:
        return f"{self.revision}"


class ApiKey(models.Model):
    """What a program may ask of the API, and how much; of the key itself only the SHA-256 (`digest`) is held.

    `prefix` tells keys apart in lists. `requests_per_minute` None takes the setting's number, 0 is without limit.
    """

    class Scope(models.TextChoices):
        """What a key is good for."""

        READ = "read", _("leer: buscar, resolver citas, listar")
        VERIFY = "verify", _("comprobar: extraer y verificar citas de textos")
        MANAGE = "manage", _("gestionar: importar y borrar normas")

    name = models.CharField(_("para quién o para qué"), max_length=120)
    prefix = models.CharField(_("principio"), max_length=16, editable=False)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    scopes = ArrayField(models.CharField(max_length=10, choices=Scope), verbose_name=_("permisos"))
    requests_per_minute = models.PositiveIntegerField(
        _("peticiones por minuto"), null=True, blank=True, help_text=_("Vacío, las de la instalación; 0, sin límite.")
    )
    created_at = models.DateTimeField(_("creada"), auto_now_add=True)
    expires_at = models.DateTimeField(_("caduca"), null=True, blank=True)
    revoked_at = models.DateTimeField(_("revocada"), null=True, blank=True, editable=False)
    last_used_at = models.DateTimeField(_("usada"), null=True, blank=True, editable=False)

    class Meta:
        verbose_name = _("clave de la API")
        verbose_name_plural = _("claves de la API")
        ordering: ClassVar = ["name", "created_at"]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"

    def is_valid(self, now: datetime) -> bool:
        """Say whether the key is still good."""
        return self.revoked_at is None and (self.expires_at is None or now < self.expires_at)


class Spending(models.Model):
    """How many requests a caller made in a period of `seconds`, and in the one before; `period` is its number.

    The table is unlogged: writing to it waits for no disk, and a crash of the database forgets it.
    """

    caller = models.TextField(_("quién"), primary_key=True)
    period = models.BigIntegerField()
    seconds = models.PositiveIntegerField()
    counted = models.PositiveIntegerField()
    before = models.PositiveIntegerField()

    class Meta:
        verbose_name = _("peticiones contadas")
        verbose_name_plural = verbose_name

    def __str__(self) -> str:
        return f"{self.caller}: {self.counted}"


class QueryLog(models.Model):
    """A question as it was answered: kept only where QUERY_LOG is on, and of who asked it nothing at all.

    `filters` holds what the request set beside the question, `hits` the citations shown, from `first_rank` on;
    `chosen_rank` is of the first that was opened. The id is drawn at random, and tells nothing.
    """

    class Channel(models.TextChoices):
        """Where the question was asked."""

        PAGE = "page", _("página")
        API = "api", _("API")
        MCP = "mcp", _("MCP")

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    at = models.DateTimeField(_("cuándo"), db_index=True)
    channel = models.CharField(_("por dónde"), max_length=10, choices=Channel)
    query = models.TextField(_("consulta"))
    asked_mode = models.CharField(_("modo pedido"), max_length=10)
    mode = models.CharField(_("modo"), max_length=10)
    missing = models.CharField(_("lo que faltó"), max_length=20, blank=True)
    filters = models.JSONField(_("condiciones"), default=dict, blank=True)
    corpus_revision = models.BigIntegerField(_("revisión del corpus"))
    milliseconds = models.FloatField(_("milisegundos"))
    total = models.PositiveIntegerField(_("resultados"))
    confidence = models.FloatField(_("confianza"), null=True)
    first_rank = models.PositiveIntegerField(default=1)
    hits = models.JSONField(_("lo mostrado"), default=list, blank=True)
    chosen_rank = models.PositiveIntegerField(_("posición de lo abierto"), null=True)

    class Meta:
        verbose_name = _("consulta registrada")
        verbose_name_plural = _("consultas registradas")
        ordering: ClassVar = ["-at"]

    def __str__(self) -> str:
        return self.query

    @property
    def chosen(self) -> str:
        """The citation that was opened."""
        return self.hits[self.chosen_rank - self.first_rank] if self.chosen_rank else ""


class EvaluationRun(models.Model):
    """What one set of labelled questions came to in one mode, with all that the figures hang on.

    `means` holds, by measure, the mean and the bounds of its confidence interval; milliseconds are at limit 10.
    """

    at = models.DateTimeField(_("cuándo"), auto_now_add=True)
    version = models.CharField(_("versión"), max_length=40)
    set_name = models.CharField(_("preguntas"), max_length=120)
    mode = models.CharField(_("modo"), max_length=10)
    questions = models.PositiveIntegerField(_("n.º de preguntas"))
    laws = models.PositiveIntegerField(_("normas elegidas"), default=0, help_text=_("0, todas las del corpus"))
    corpus_revision = models.BigIntegerField(_("revisión del corpus"))
    fingerprint = models.CharField(_("modelo"), max_length=120, blank=True)
    settings = models.JSONField(_("ajustes"), default=dict, blank=True)
    means = models.JSONField(_("medias"))
    p50_ms = models.FloatField("p50 (ms)")
    p95_ms = models.FloatField("p95 (ms)")

    class Meta:
        verbose_name = _("evaluación")
        verbose_name_plural = _("evaluaciones")
        ordering: ClassVar = ["-at", "set_name", "mode"]
        indexes: ClassVar = [models.Index(fields=["set_name", "mode", "at"], name="evaluation_history")]

    def __str__(self) -> str:
        return f"{self.set_name}, {self.mode}"
