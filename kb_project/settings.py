"""Settings, read once from the environment (and `.env`). Every variable has a default that makes `make run` work."""

import os
from typing import Any

import environ

from kb_project.configuration.api_settings import *  # noqa: F403
from kb_project.configuration.celery_settings import *  # noqa: F403
from kb_project.configuration.environment import (
    BASE_DIR,
    DATA_DIR,
    env,
    kept_secret_key,
    running_stack,
    server_url,
    server_urls,
)
from kb_project.configuration.provider_settings import *  # noqa: F403
from kb_project.configuration.security_settings import api_path_pattern, refuse_unsafe
from kb_project.configuration.sign_in_settings import *  # noqa: F403
from kb_project.configuration.standby_settings import standby_databases
from kb_project.observability import logs

# --- Django ----------------------------------------------------------------------------------------------------
DEBUG = env.bool("DEBUG", default=False)
SECRET_KEY = env.str("SECRET_KEY", default="") or kept_secret_key()
KB_HTTPS = env.bool("KB_HTTPS", default=False)  # served to others, over HTTPS: docs/security.md
if KB_HTTPS:
    refuse_unsafe(secret_key=SECRET_KEY, debug=DEBUG)
# This machine's own names are always allowed: probes ask there, whatever the service is called by others.
ALLOWED_HOSTS = [*env.list("ALLOWED_HOSTS", default=[]), "localhost", "127.0.0.1", "[::1]"]
KB_PUBLIC_URL = env.str("KB_PUBLIC_URL", default="").rstrip("/")  # as people and programs have it
KB_SECURITY_CONTACT = env.list("KB_SECURITY_CONTACT", default=[])  # mailto:…, https://…, of /.well-known/security.txt
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
ROOT_URLCONF = "kb_project.urls"
ASGI_APPLICATION = "kb_project.asgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
APPEND_SLASH = False  # an API path is exactly what the contract says

INSTALLED_APPS = [
    "kb_project",
    "topics",
    "topics.oauth",
    "ingest.webhooks",
    "sources",
    "labels",
    "search",
    "answers",
    "reading",
    "ingest",
    "keeping",
    "kb_project.accounts.admin_config.KnowledgeBaseAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.postgres",
    "django.contrib.staticfiles",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_htmx",
]
MIDDLEWARE = [
    "kb_project.web.middleware.RequestLog",
    "kb_project.web.middleware.SecurityHeaders",
    "kb_project.web.static_files.Compression",
    "django.middleware.security.SecurityMiddleware",
    "kb_project.web.static_files.StaticFiles",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "kb_project.web.middleware.ScreenLanguage",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "kb_project.accounts.second_factor.entering.SecondFactorRequired",
    "kb_project.web.middleware.PageMessages",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "kb_project.screens.errors.RefusalPages",
]
KB_AUDIT_READS = env.bool("KB_AUDIT_READS", default=False)  # of topics that only members see
if KB_AUDIT_READS:
    MIDDLEWARE.append("topics.reads.ReadLog")
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "kb_project.screens.forms.day_format",
                "search.shown.law_day.held_day",
                "ingest.review.waiting.waiting_for_review",
                "topics.oauth.screens.agents_offered",
                "keeping.watches.notifications.bell.watch_news",
            ]
        },
    }
]

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("he", "עברית")]
FORMAT_MODULE_PATH = "kb_project.formats"
LOCALE_PATHS = [BASE_DIR / "locale"]
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
TIME_ZONE = env.str("TIME_ZONE", default="UTC")
USE_TZ = True
NUMBER_GROUPING = 3  # where numbers are grouped at all; the Hebrew formats do not say

STATIC_URL = "static/"

CSRF_FAILURE_VIEW = "kb_project.screens.errors.csrf_failure"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
# The prefix makes a browser refuse such a cookie from another host, and over plain HTTP.
_cookie_prefix = "__Host-" if KB_HTTPS else ""
SESSION_COOKIE_NAME = f"{_cookie_prefix}sessionid"
CSRF_COOKIE_NAME = f"{_cookie_prefix}csrftoken"
LANGUAGE_COOKIE_NAME = f"{_cookie_prefix}django_language"
LAW_DAY_COOKIE_NAME = f"{_cookie_prefix}kb_law_day"
TAKEN_COOKIE_NAME = f"{_cookie_prefix}kb_taken"  # of a form that was sent, for a script
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = KB_HTTPS
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_AGE = env.int("KB_SESSION_HOURS", default=12) * 3600
SESSION_ENGINE = "kb_project.accounts.sessions.store"
KB_SESSION_IDLE_MINUTES = env.int("KB_SESSION_IDLE_MINUTES", default=120)  # without a request; 0: no limit
KB_ADMIN_KEY_DAYS = env.int("KB_ADMIN_KEY_DAYS", default=365)  # of a key with rights made without a last day; 0: no end
SECURE_SSL_REDIRECT = KB_HTTPS
# A program that speaks HTTP is refused (kb_project.web.middleware): a redirect would hide that its key was sent
# in clear.
SECURE_REDIRECT_EXEMPT = [api_path_pattern()]
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if KB_HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = KB_HTTPS
SILENCED_SYSTEM_CHECKS = ["security.W021"]  # preloading is for the owner of the domain to decide
# Failed sign-ins in a period: of one account from one address, of one account, from one address.
KB_LOGIN_FAILURES = {
    "account_and_address": env.str("KB_LOGIN_FAILURES_PAIR", default="10/h"),
    "account": env.str("KB_LOGIN_FAILURES_ACCOUNT", default="100/h"),
    "address": env.str("KB_LOGIN_FAILURES_ADDRESS", default="100/h"),
}

# --- database and broker ---------------------------------------------------------------------------------------
_stack = running_stack()
EXTERNAL_DATABASE_URL = server_url("DATABASE_URL", password="DATABASE_PASSWORD")
EXTERNAL_REDIS_URL = server_url("REDIS_URL", password="REDIS_PASSWORD")
DATABASE_URL = EXTERNAL_DATABASE_URL or _stack.get("database_url", "postgres:///kb")
REDIS_URL = EXTERNAL_REDIS_URL or _stack.get("redis_url", "redis://127.0.0.1:6379/0")
REDIS_PATIENCE_S = 0.25  # of requests, which can do without; then it is not asked for a while

if not DATABASE_URL.startswith(("postgres://", "postgresql://")):
    env.mistakes.append("DATABASE_URL must begin with postgres://; search lives in PostgreSQL.")
    DATABASE_URL = "postgres:///kb"
DATABASES: dict[str, dict[str, Any]] = {"default": environ.Env.db_url_config(DATABASE_URL)}
DATABASES["default"]["ENGINE"] = "kb_project.database.postgresql"
DATABASES["default"]["OPTIONS"] = {
    "connect_timeout": 5,
    "application_name": "kb",
    # A server that is gone without a word, as one without power is, is given up after some seconds, not a quarter of an
    # hour: what waits for it fails, and the next connection finds the one that took its place.
    "tcp_user_timeout": 8000,
    "keepalives_idle": 5,
    "keepalives_interval": 1,
    "keepalives_count": 3,
    **DATABASES["default"].get("OPTIONS", {}),
}
# Only a web process pools: it serves each request on another thread. kb_project.asgi says that this is one.
KB_DB_POOL_SIZE = env.int("KB_DB_POOL_SIZE", default=10)
DB_POOL_SIZE = KB_DB_POOL_SIZE if env.bool("KB_WEB_PROCESS", default=False) else 0
_prepared_after = env.int("KB_DB_PREPARE_AFTER", default=2)
if DB_POOL_SIZE:
    # After the timeout the backend (kb_project/postgresql) looks whether the server is away, or only all are in use.
    DATABASES["default"]["OPTIONS"]["pool"] = {
        "min_size": 1,
        "max_size": DB_POOL_SIZE,
        "max_idle": 120.0,  # seconds, then one that a burst needed is closed
        "timeout": 1.5,
    }
    # Connections of a pool live long enough for the server to keep the plans of what every search asks
    # (kb_project/database/rows.py); 0 for a pooler between the two that cannot pass prepared statements on.
    if _prepared_after:
        DATABASES["default"]["OPTIONS"].setdefault("prepare_threshold", _prepared_after)
else:
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
    DATABASES["default"]["CONN_MAX_AGE"] = 60
KB_APP_ROLE = env.str("KB_APP_ROLE", default="")
# Hot standbys that documents are read from; kb_project/database/standbys
DATABASE_REPLICA_URLS = server_urls("DATABASE_REPLICA_URLS", password="DATABASE_PASSWORD")
_replicas = standby_databases(DATABASES["default"], DATABASE_REPLICA_URLS)
DATABASES |= _replicas
DATABASE_REPLICAS = list(_replicas)
if DATABASE_REPLICAS:
    DATABASE_ROUTERS = ["kb_project.database.standbys.routing.StandbyRouter"]
    MIDDLEWARE.insert(
        MIDDLEWARE.index("django.contrib.sessions.middleware.SessionMiddleware"),
        "kb_project.web.middleware.StandbyConsistency",
    )

CACHES = {
    "default": {
        "BACKEND": "kb_project.clients.redis_client.SharedCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "kb",
    },
    "pictures": {  # of pages: too large for Redis, and cheap to make again on another machine
        "BACKEND": "django.core.cache.backends.filebased.FileBasedCache",
        "LOCATION": DATA_DIR / "pictures",
        "TIMEOUT": 24 * 3600,
        "OPTIONS": {"MAX_ENTRIES": 2000},
    },
}

# --- background work -------------------------------------------------------------------------------------------
# The rest is in kb_project/configuration/celery_settings.py.
CELERY_BROKER_URL = REDIS_URL
CELERY_TIMEZONE = TIME_ZONE

# --- manage.py up ----------------------------------------------------------------------------------------------
KB_BIND = env.str("KB_BIND", default="127.0.0.1")
KB_PORT = env.int("KB_PORT", default=8000)
_processes = env.int("KB_WEB_PROCESSES", default=None)
KB_WEB_PROCESSES = (os.cpu_count() or 1) if _processes is None else _processes
KB_LOCAL_WEB_PROCESSES = 1 if _processes is None else _processes  # each takes 100 MB of a machine that does more
# At SIGTERM: how long a web process still takes connections, and how long after that what runs may take.
KB_WEB_LEAVE_S = env.float("KB_WEB_LEAVE_S", default=5.0)
KB_WEB_GRACE_S = env.float("KB_WEB_GRACE_S", default=30.0)
KB_TRUSTED_PROXIES = env.list("KB_TRUSTED_PROXIES", default=[])  # whose X-Forwarded-… headers are believed
KB_DEMO = env.bool("KB_DEMO", default=True)
KB_ADMIN_USER = env.str("KB_ADMIN_USER", default="admin")
KB_ADMIN_PASSWORD = env.str("KB_ADMIN_PASSWORD", default="")
KB_BOOTSTRAP_API_KEY = env.str("KB_BOOTSTRAP_API_KEY", default="")

# --- the search index: postgres, or qdrant (docs/deployment.md) ------------------------------------------------
KB_INDEX = env.str("KB_INDEX", default="") or "postgres"
KB_QDRANT_URL = env.str("KB_QDRANT_URL", default="")
KB_QDRANT_API_KEY = env.str("KB_QDRANT_API_KEY", default="")
KB_QDRANT_COLLECTION = env.str("KB_QDRANT_COLLECTION", default="") or "kb"  # what its collections' names begin with

# --- files -----------------------------------------------------------------------------------------------------
KB_STORAGE = env.str("KB_STORAGE", default="filesystem")
_s3_options = {
    "bucket_name": env.str("KB_S3_BUCKET", default="kb-documents"),
    "endpoint_url": env.str("KB_S3_ENDPOINT_URL", default="") or None,
    "region_name": env.str("KB_S3_REGION", default="") or None,
    "access_key": env.str("AWS_ACCESS_KEY_ID", default="") or None,
    "secret_key": env.str("AWS_SECRET_ACCESS_KEY", default="") or None,
    "file_overwrite": True,  # each key is written once; without this every save first asks S3 whether it is there
    "querystring_expire": 300,
}
STORAGES = {
    "default": {
        "filesystem": {
            "BACKEND": "sources.files.local_storage.DurableFileSystemStorage",
            "OPTIONS": {"location": DATA_DIR / "files", "allow_overwrite": True},
        },
        "s3": {"BACKEND": "sources.files.s3_storage.DocumentS3Storage", "OPTIONS": _s3_options},
    }[KB_STORAGE if KB_STORAGE in ("filesystem", "s3") else "filesystem"],
    "staticfiles": {"BACKEND": "kb_project.web.static_files.HashedStorage"},
}
KB_MAX_UPLOAD_MB = env.int("KB_MAX_UPLOAD_MB", default=100)
KB_MAX_BATCH_MB = env.int("KB_MAX_BATCH_MB", default=1000)  # of all files that one request brings
KB_UPLOAD_TIMEOUT_S = env.float("KB_UPLOAD_TIMEOUT_S", default=900.0)  # in which such a request must have arrived
KB_MAX_PAGES = env.int("KB_MAX_PAGES", default=5000)
KB_EXTRACTION_MEMORY_MB = env.int("KB_EXTRACTION_MEMORY_MB", default=1024)
KB_EXTRACTION_TIMEOUT_S = env.int("KB_EXTRACTION_TIMEOUT_S", default=1800)
FILE_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024
DATA_UPLOAD_MAX_MEMORY_SIZE = 4 * 1024 * 1024  # kb_project.web.request_body takes in less, but for messages of MCP
DATA_UPLOAD_MAX_NUMBER_FILES = 1000

# --- trash -----------------------------------------------------------------------------------------------------
KB_TRASH_DAYS = env.int("KB_TRASH_DAYS", default=30)  # how long what was deleted on a screen can be put back; 0: not

# --- webhooks --------------------------------------------------------------------------------------------------
KB_WEBHOOK_NETWORKS = env.list("KB_WEBHOOK_NETWORKS", default=[])  # where they may lead besides the public internet
KB_WATCH_WEBHOOK_NETWORKS = env.list("KB_WATCH_WEBHOOK_NETWORKS", default=[])  # and those of people's watches
KB_WEBHOOK_TIMEOUT_S = env.float("KB_WEBHOOK_TIMEOUT_S", default=10.0)  # of one attempt, all of it
KB_WEBHOOK_RETRY_HOURS = env.float("KB_WEBHOOK_RETRY_HOURS", default=24.0)  # then a delivery is given up
KB_WEBHOOK_LOG_DAYS = env.int("KB_WEBHOOK_LOG_DAYS", default=30)  # how long deliveries that ended are kept

# --- logs ------------------------------------------------------------------------------------------------------
LOG_LEVEL = env.str("LOG_LEVEL", default="INFO")
KB_LOG_FORMAT = env.str("KB_LOG_FORMAT", default="line")  # or json
LOGGING = logs.configuration(form=KB_LOG_FORMAT, level=LOG_LEVEL)

ENVIRONMENT_MISTAKES = env.mistakes  # told by kb_project.operations.checks
