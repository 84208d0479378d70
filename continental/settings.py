"""Every setting of the site, read from the environment in this one file.

A value that can't be used never stops the import: it is noted in ``ENVIRONMENT_PROBLEMS``, the default stands in,
and ``continental.checks`` reports it as a system check with an id.
"""

import os
import secrets
import zoneinfo
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import environ
from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

BASE_DIR = Path(__file__).resolve().parent.parent

env = environ.Env()

ENVIRONMENT_PROBLEMS: dict[str, str] = {}
"""What is wrong with each variable: its name and a sentence."""

_Value = TypeVar("_Value")


def _read(name: str, default: _Value, parse: Callable[[str], _Value]) -> _Value:
    """The variable ``name`` through ``parse``; where it is unset or ``parse`` raises ValueError, ``default``."""
    text = str(env.str(name, default="")).strip()
    if not text:
        return default
    try:
        return parse(text)
    except ValueError as error:
        ENVIRONMENT_PROBLEMS[name] = str(error)
        return default


def _switch(text: str) -> bool:
    lowered = text.lower()
    if lowered in {"1", "true", "yes", "on"}:
        return True
    if lowered in {"0", "false", "no", "off"}:
        return False
    raise ValueError(f"{text!r} is neither on nor off: use 1 or 0.")


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise ValueError(f"{text!r} is not a whole number from 1 up.")
    return int(text)


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _hosts(text: str) -> list[str]:
    for name in _names(text):
        if "/" in name or " " in name:
            raise ValueError(f"{name!r} is not a host name: leave out the scheme, the path and spaces.")
    return _names(text)


def _origins(text: str) -> list[str]:
    for origin in _names(text):
        parts = urlsplit(origin)
        if parts.scheme not in {"http", "https"} or not parts.netloc or parts.path:
            raise ValueError(f"{origin!r} is not an origin such as https://rummy.example.org.")
    return _names(text)


def _zone(text: str) -> str:
    if text not in zoneinfo.available_timezones():
        raise ValueError(f"{text!r} is not a time zone such as Europe/Madrid.")
    return text


def _language(text: str) -> str:
    codes = [code for code, _name in LANGUAGES]
    if text not in codes:
        raise ValueError(f"{text!r} is not a language of the site ({', '.join(codes)}).")
    return text


def _log_level(text: str) -> str:
    levels = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
    if text.upper() not in levels:
        raise ValueError(f"{text!r} is not a level of the log ({', '.join(levels)}).")
    return text.upper()


def _long_secret(text: str) -> str:
    if len(text) < 32:
        raise ValueError("it has fewer than 32 characters, so the cookies signed with it could be forged.")
    return text


def _folder(text: str) -> Path:
    path = Path(text)
    if not path.is_absolute():
        raise ValueError(f"{text!r} is not an absolute path.")
    if path.exists() and not path.is_dir():
        raise ValueError(f"{text!r} is a file, not a folder.")
    return path


def _database(text: str) -> dict[str, Any]:
    scheme = urlsplit(text).scheme
    if scheme not in {"sqlite", "postgres", "postgresql"}:
        raise ValueError(f"it begins with {(scheme or text)!r}: use sqlite:///path or postgresql://user@host/name.")
    config: dict[str, Any] = dict(env.db_url_config(text))
    if not config["NAME"] or config["NAME"] == ":memory:":
        raise ValueError("it names no database: the scores must outlive the process.")
    return config


def _kept_secret(path: Path) -> str:
    """The secret in ``path``, made on the first run and readable by its owner alone."""
    try:
        return path.read_text(encoding="ascii").strip()
    except FileNotFoundError:
        pass
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:  # another process won the race
        return path.read_text(encoding="ascii").strip()
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(secret := secrets.token_urlsafe(48))
    return secret


# What the site keeps

VAR_DIR = _read("VAR_DIR", BASE_DIR / "var", _folder)
"""The one folder that the site writes to: database, secret, photos, collected static files."""

SECRET_KEY = _read("SECRET_KEY", "", _long_secret) or _kept_secret(VAR_DIR / "secret-key")

_default_database: dict[str, Any] = {"ENGINE": "django.db.backends.sqlite3", "NAME": str(VAR_DIR / "continental.sqlite3")}
_database_config = _read("DATABASE_URL", _default_database, _database)
DATABASE_POOL_SIZE = _read("DATABASE_POOL_SIZE", 8, _count)

if _database_config["ENGINE"] == "django.db.backends.sqlite3":
    VAR_DIR.mkdir(parents=True, exist_ok=True)
    _database_config["OPTIONS"] = {
        # A write takes its lock when the transaction begins, so it waits for its turn instead of failing half-way.
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-16000;",
    }
else:
    _database_config["OPTIONS"] = {
        **_database_config.get("OPTIONS", {}),
        "pool": {"min_size": 1, "max_size": DATABASE_POOL_SIZE, "timeout": 10},
    }
DATABASES = {"default": _database_config}

# How the site is reached

DEBUG = _read("DEBUG", False, _switch)
HTTPS = _read("HTTPS", False, _switch)
"""Whether people reach the site over https. A table at home is plain http: secure cookies would never come back."""
BEHIND_PROXY = _read("BEHIND_PROXY", False, _switch)
"""Whether a proxy of the host's own sets X-Forwarded-Proto, and may be believed."""

ALLOWED_HOSTS = _read("ALLOWED_HOSTS", ["localhost", "127.0.0.1", "[::1]"], _hosts)
ALLOWED_HOSTS += _read("LAN_HOSTS", [], _hosts)  # set by `manage.py serve --lan`
CSRF_TRUSTED_ORIGINS: list[str] = _read("CSRF_TRUSTED_ORIGINS", [], _origins)

SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = HTTPS
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = LANGUAGE_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_AGE = 60 * 60 * 24 * 90
SECURE_HSTS_SECONDS = 60 * 60 * 24 * 30 if HTTPS else 0
SECURE_SSL_REDIRECT = HTTPS
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]  # a host's other subdomains are not ours to bind
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if BEHIND_PROXY else None
SECURE_REFERRER_POLICY = "same-origin"
# Over plain http a browser ignores this header and complains of it on every page.
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin" if HTTPS else None
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        # Bootstrap's style sheet draws its tick marks and arrows as data: images.
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "font-src": [SELF],
        "manifest-src": [SELF],
        "worker-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    },
}

# What the site is made of

INSTALLED_APPS = [
    "continental",
    "scoring",
    "players",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "crispy_forms",
    "crispy_bootstrap5",
    "csp",
    "django_htmx",
]
MIDDLEWARE = [
    # What guards a page comes first, so that it guards the refusals of all that follows too.
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "players.middleware.People",
]
ROOT_URLCONF = "continental.urls"
WSGI_APPLICATION = "continental.wsgi.application"
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
                "players.context.shell",
            ],
        },
    },
]
CRISPY_ALLOWED_TEMPLATE_PACKS = "bootstrap5"
CRISPY_TEMPLATE_PACK = "bootstrap5"

AUTH_USER_MODEL = "players.User"
LOGIN_URL = "players:sign-in"
LOGIN_REDIRECT_URL = LOGOUT_REDIRECT_URL = "players:home"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Languages and time

LANGUAGES = [("en", _("English")), ("es", _("Spanish"))]
LANGUAGE_CODE = _read("LANGUAGE_CODE", "en", _language)
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = _read("TIME_ZONE", "UTC", _zone)

# Static files: hashed names, kept for ever by browsers, compressed once

STATIC_URL = "static/"
STATIC_ROOT = VAR_DIR / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "continental.storage.StaticStorage"},
}
SERVESTATIC_USE_BROTLI = False
SERVESTATIC_USE_ZSTD = False
MEDIA_ROOT = VAR_DIR / "media"
PHOTO_DIR = VAR_DIR / "photos"
"""Photos of games. No address leads here: each is given out by a view that asks who wants to see it."""
FILE_UPLOAD_HANDLERS = [
    "scoring.uploads.CappedUpload",
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "django.core.files.uploadhandler.TemporaryFileUploadHandler",
]

# The log

LOG_LEVEL = _read("LOG_LEVEL", "INFO", _log_level)
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{", "datefmt": "%H:%M:%S"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": LOG_LEVEL},
    "loggers": {
        # Its own handlers would print each line twice.
        "django": {"handlers": [], "level": LOG_LEVEL, "propagate": True},
        "django.server": {"handlers": [], "level": LOG_LEVEL, "propagate": True},
        "uvicorn": {"level": "WARNING" if LOG_LEVEL == "INFO" else LOG_LEVEL},
    },
}
