"""Every setting, for a club and for a large site alike; the environment makes the difference.

Without any variable set this is the club: SQLite, and everything inside one process. README.md lists them.
"""

import os
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import environ
from kombu.entity import Queue

from config import env, keys
from config.logs import FORMATS, logging_config

VERSION = "0.1.0"
BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(env.text("DATA_DIR", str(BASE_DIR / "var"))).resolve()

# Where it is served, and to whom.

DEBUG = env.flag("DEBUG", False)
HOST = env.text("HOST", "127.0.0.1")
PORT = env.whole("PORT", 8000, most=65535)
HTTPS = env.flag("HTTPS", False)
TRUSTED_PROXIES = env.whole("TRUSTED_PROXIES", 0, most=10)

# `manage.py serve`: threads that answer requests, and whether the background work runs inside.
SERVE_THREADS = env.whole("SERVE_THREADS", 8, least=1, most=256)
SERVE_HEAD_SECONDS = env.whole("SERVE_HEAD_SECONDS", 20, least=1, most=600)
SERVE_WORKER = env.flag("SERVE_WORKER", True)

_everywhere = HOST in {"0.0.0.0", "::"}
_loopback = ("localhost", "127.0.0.1", "[::1]")
_own_host = "127.0.0.1" if _everywhere else f"[{HOST}]" if ":" in HOST else HOST
BASE_URL = env.address("BASE_URL", f"http://{_own_host}:{PORT}")
# Addresses are built from it where it was told; else from the name that each request was sent to.
BASE_URL_TOLD = bool(os.environ.get("BASE_URL"))
_named = (*_loopback, _own_host, urlsplit(BASE_URL).hostname or _own_host)
# Who listens on every address without saying a name is reached by names that nobody told us.
_any_name = _everywhere and not BASE_URL_TOLD
ALLOWED_HOSTS = env.words("ALLOWED_HOSTS", ("*",) if _any_name else _named)
CSRF_TRUSTED_ORIGINS = env.words("CSRF_TRUSTED_ORIGINS", (BASE_URL,) if HTTPS else ())

# Secrets.

SECRET_KEY = env.secret("SECRET_KEY") or keys.kept_secret_key(DATA_DIR)
SECRET_KEY_FALLBACKS = env.secrets("SECRET_KEY_FALLBACKS")
# The first key seals, every one of them opens: put a new one in front, and take the old one away later.
SEALING_KEYS = keys.checked_sealing_keys(env.secrets("SEALING_KEYS") or keys.kept_sealing_keys(DATA_DIR))

# What it is made of.

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "csp",
    "django_htmx",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "accounts",
    "games",
]
MIDDLEWARE = [
    "config.request_ids.RequestIdMiddleware",
    "config.charsets.Utf8Middleware",
    "config.health.HealthMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "config.caching.PrivateMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "accounts.sessions.RollingSessionMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "csp.middleware.CSPMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "games.web.zone.ZoneMiddleware",
    "games.web.busy.BusyMiddleware",
]
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
ASGI_APPLICATION = "config.asgi.application"
AUTH_USER_MODEL = "accounts.User"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
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
                "games.web.visit.visitor",
            ],
            "builtins": ["django.templatetags.static", "games.web.tags"],
        },
    }
]

# Rows.


def _sqlite(path: Path) -> dict[str, Any]:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": path,
        "CONN_MAX_AGE": None,
        "OPTIONS": {
            # A transaction takes SQLite's one writing lock when it begins; there are no row locks.
            "transaction_mode": "IMMEDIATE",
            "timeout": 10,
            # Each of a dozen connections keeps half a megabyte of pages; the system keeps the rest once.
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-512;",
        },
    }


def _postgresql(url: str) -> dict[str, Any]:
    database: dict[str, Any] = environ.Env.db_url_config(url)
    if database.get("ENGINE") != "django.db.backends.postgresql":
        raise env.WrongEnvironment(
            "DATABASE_URL", "not understood", "postgresql://USER:PASSWORD@HOST:PORT/NAME"
        )
    pool = env.whole("DATABASE_POOL", 0, most=1000)
    options = {**database.get("OPTIONS", {}), "connect_timeout": 5}
    # Both are needed before PostgreSQL plans a statement only once.
    options |= {"server_side_binding": True, "prepare_threshold": 1}
    if pool:
        options["pool"] = {"min_size": min(2, pool), "max_size": pool, "timeout": 10}
    return {**database, "OPTIONS": options, "CONN_MAX_AGE": 0 if pool else None}


_database_url = env.secret("DATABASE_URL")
DATABASES = {
    "default": _postgresql(_database_url) if _database_url else _sqlite(DATA_DIR / "longbluff.sqlite3")
}

# Mail, where there is a server that takes it.

_email_url = env.secret("EMAIL_URL")
MAIL = bool(_email_url)
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env.text("DEFAULT_FROM_EMAIL", "Longbluff <longbluff@localhost>")
EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
EMAIL_TIMEOUT = 10
globals().update(env.mail_server("EMAIL_URL", _email_url))

# Redis, where there is one: cache, and broker of the background work.

REDIS_URL = env.secret("REDIS_URL")
_redis_patience = {"socket_connect_timeout": 1, "socket_timeout": 5}
CACHES: dict[str, dict[str, Any]] = {
    "default": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "OPTIONS": {"MAX_ENTRIES": 20_000},
    }
}
if REDIS_URL:
    CACHES["default"] = {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "longbluff",
        "OPTIONS": {"socket_connect_timeout": 1, "socket_timeout": 1},
    }

CELERY_TIMEZONE = "UTC"
CELERY_BROKER_URL = REDIS_URL or "memory://localhost/"
CELERY_BROKER_CONNECTION_TIMEOUT = 1
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # a worker waits for its broker as long as it takes
CELERY_BROKER_TRANSPORT_OPTIONS = (
    # A door that hands out work gives up at once: the rows remember, a task is only a hint.
    {**_redis_patience, "max_retries": 0, "interval_start": 0, "interval_step": 0, "interval_max": 0}
    if REDIS_URL
    else {"polling_interval": 0.01}
)
CELERY_TASK_PUBLISH_RETRY = False
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_STORE_ERRORS_EVEN_IF_IGNORED = False
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_REDIRECT_STDOUTS = False  # our lines of the log would become words in lines of its own
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_DEFAULT_QUEUE = "default"
CELERY_TASK_QUEUES = [Queue("time"), Queue("computers"), Queue("default")]
CELERY_TASK_ROUTES = {
    "games.run_due_tables": {"queue": "time"},
    "games.leave_absent": {"queue": "time"},
    "games.run_due_computers": {"queue": "computers"},
    "games.run_computer": {"queue": "computers"},
}
CELERY_BEAT_SCHEDULE_FILENAME = str(DATA_DIR / "beat-schedule")
# A beat that nobody took is worth nothing once the next one is there.
CELERY_BEAT_SCHEDULE = {
    "run-due-tables": {"task": "games.run_due_tables", "schedule": 1.0, "options": {"expires": 5}},
    "run-due-computers": {"task": "games.run_due_computers", "schedule": 1.0, "options": {"expires": 5}},
    "leave-absent": {"task": "games.leave_absent", "schedule": 5.0, "options": {"expires": 10}},
    "close-untouched": {"task": "games.close_untouched", "schedule": 3600.0, "options": {"expires": 600}},
    "forget-old-requests": {
        "task": "games.forget_old_requests",
        "schedule": 3600.0,
        "options": {"expires": 600},
    },
    "archive-recent": {"task": "games.archive_recent", "schedule": 60.0, "options": {"expires": 60}},
    "archive-all": {"task": "games.archive_all", "schedule": 3600.0, "options": {"expires": 600}},
    "analyse-matches": {"task": "games.analyse_matches", "schedule": 60.0, "options": {"expires": 60}},
    "prune-matches": {"task": "games.prune_matches", "schedule": 300.0, "options": {"expires": 300}},
}
if MAIL:
    CELERY_BEAT_SCHEDULE["send-notices"] = {
        "task": "games.send_notices",
        "schedule": 30.0,
        "options": {"expires": 30},
    }

# The game.

COMPUTER_THINK_SECONDS = env.seconds("COMPUTER_THINK_SECONDS", 0.8, most=10)
# After so many days a finished match is read from its archive alone; 0 keeps the rows of every move for ever.
ARCHIVE_AFTER_DAYS = env.whole("ARCHIVE_AFTER_DAYS", 30, most=36500)

# Accounts, which do without mail where there is none.

AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",  # the admin signs in by username
    "allauth.account.auth_backends.AuthenticationBackend",
]
LOGIN_URL = "sign-in"
LOGIN_REDIRECT_URL = "home"
ACCOUNT_ADAPTER = "accounts.adapter.AccountAdapter"
ACCOUNT_SIGNUP_FORM_CLASS = "accounts.forms.SignUp"
ACCOUNT_USER_DISPLAY = "accounts.adapter.shown"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_SIGNUP_REDIRECT_URL = "me"
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_EMAIL_NOTIFICATIONS = MAIL
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
# Without mail an e-mail is a name to sign in by, and nothing is sent or confirmed.
ACCOUNT_EMAIL_VERIFICATION = "mandatory" if MAIL else "none"
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED = ACCOUNT_EMAIL_VERIFICATION_SUPPORTS_RESEND = MAIL
ACCOUNT_PASSWORD_RESET_BY_CODE_ENABLED = ACCOUNT_LOGIN_BY_CODE_ENABLED = MAIL
ALLAUTH_TRUSTED_PROXY_COUNT = TRUSTED_PROXIES
MFA_ADAPTER = "accounts.adapter.PasskeyAdapter"
MFA_SUPPORTED_TYPES = ["webauthn"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_PASSKEY_SIGNUP_ENABLED = MAIL
MFA_ALLOW_UNVERIFIED_EMAIL = not MAIL
MESSAGE_TAGS = {40: "wrong"}  # an error

# Streams of one process: in all, and to one address of another machine.

STREAMS_MOST = env.whole("STREAMS_MOST", 4000, most=100_000)
STREAMS_PER_ADDRESS = env.whole("STREAMS_PER_ADDRESS", 200, most=100_000)

# The API.

SIGN_IN_ATTEMPTS = env.whole("SIGN_IN_ATTEMPTS", 10, most=10_000)
THROTTLE_LOOPBACK = env.flag("THROTTLE_LOOPBACK", True)
REST_FRAMEWORK = {
    "DEFAULT_RENDERER_CLASSES": ["games.api.rendering.JSONRenderer"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "games.api.rendering.AlwaysJSON",
    "DEFAULT_PARSER_CLASSES": ["games.api.parsing.StrictJSONParser"],
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "games.api.auth.BearerAuthentication",
        "games.api.auth.SiteSessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": [],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_THROTTLE_RATES": {
        "guests": env.rate("THROTTLE_GUESTS", "60/min"),
        "tables": env.rate("THROTTLE_TABLES", "60/min"),
        "play": env.rate("THROTTLE_PLAY", "1200/min"),
    },
    "EXCEPTION_HANDLER": "games.api.errors.handle",
    # How many proxies of ours stand in front, so that a client's own X-Forwarded-For counts for nothing.
    "NUM_PROXIES": TRUSTED_PROXIES,
    "UNAUTHENTICATED_USER": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Longbluff",
    "DESCRIPTION": "Liar's Dice by correspondence.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "LICENSE": {"name": "MIT"},
    "TAGS": [
        {"name": "people", "description": "Guests, and what waits for whoever asks."},
        {"name": "lobby", "description": "Finding, making, joining and leaving tables."},
        {"name": "play", "description": "One table: its view, acting, its past rounds and its archive."},
    ],
    # An enumeration stands where it is used; two fields of one name need not have the same words.
    "POSTPROCESSING_HOOKS": ["games.api.schema.finish.finish"],
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    # Without an address to validate at: the reference asks nobody but this site.
    "SWAGGER_UI_SETTINGS": {"deepLinking": True, "validatorUrl": None},
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
}
# Bodies are small here; what is larger is not read into memory.
DATA_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024

# Language, time and static files.

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_I18N = True
USE_TZ = True
STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

# Safety.

PASSWORD_HASHERS = [
    "accounts.hashers.SmallArgon2Hasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
X_FRAME_OPTIONS = "DENY"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SESSION_ENGINE = "accounts.session_store"
SESSION_COOKIE_HTTPONLY = True
CSRF_FAILURE_VIEW = "config.errors.forged"
SESSION_COOKIE_AGE = 180 * 24 * 3600  # a guest is nobody else than their session
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if HTTPS else 0
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if TRUSTED_PROXIES else None

# Nothing inline, nothing from elsewhere.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "object-src": ["'none'"],
        "base-uri": ["'none'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
    }
}

# Reports and logs, which show no dice and no secrets, with DEBUG on neither.

DEFAULT_EXCEPTION_REPORTER = "config.reporting.HidingReporter"
DEFAULT_EXCEPTION_REPORTER_FILTER = "config.reporting.HidingFilter"
LOG_LEVEL = env.choice("LOG_LEVEL", "INFO", ("DEBUG", "INFO", "WARNING", "ERROR"))
LOG_FORMAT = env.choice("LOG_FORMAT", "json", FORMATS)
LOGGING = logging_config(LOG_LEVEL, LOG_FORMAT)
