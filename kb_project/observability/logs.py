"""How the log is written: lines for a person or JSON for a program, with the ids of the moment, without secrets."""

import logging
import re
from typing import Any

from django.conf import settings
from pythonjsonlogger.core import RESERVED_ATTRS
from pythonjsonlogger.json import JsonFormatter

from kb_project.observability import tracing
from kb_project.observability.request_ids import current

MASK = "***"
IDS = ("request_id", "task_id", "job_id", "trace_id", "span_id")
# Settings whose values are secrets, wherever they turn up.
SECRET_SETTINGS = (
    "SECRET_KEY",
    "ANTHROPIC_API_KEY",
    "KB_LLM_API_KEY",
    "KB_EMBEDDING_API_KEY",
    "KB_RERANKER_API_KEY",
    "KB_QDRANT_API_KEY",
    "KB_BOOTSTRAP_API_KEY",
    "KB_ADMIN_PASSWORD",
)
# Of what libraries add: the request's text has the query string in it, the other is for terminals.
LEFT_OUT = ("request", "color_message")
MIN_SECRET_LENGTH = 8  # a shorter value would be masked in the middle of ordinary words
# What hides a secret, behind a sign without which it finds none: most lines have no sign, and a pattern that may begin
# anywhere takes as long to fail as the rest of the line to write. Signs are looked for in the line's case-folded text.
_PATTERNS = (
    (re.compile("api-key|bearer|basic"), re.compile(r"(?i)(\b(?:Api-Key|Bearer|Basic)\s+)[^\s\"'\\,;]+")),
    (
        re.compile(r"(?:auth|cook|key|passw|ecret|token|sess)\w*[\"'\\]*\s*[:=]"),
        re.compile(
            r"(?i)((?:\b|_)(?:authorization|cookie|set-cookie|x-api-key|api[_-]?key|password|passwd|secret(?:[_-]access)?[_-]?key|secret"
            r"|token|csrftoken|sessionid)[\"'\\]*\s*[:=]\s*[\"'\\]*)(?!(?:Api-Key|Bearer|Basic)\s)[^\s\"'\\,;&}]+"
        ),
    ),
    # The password of a URL.
    (re.compile("://"), re.compile(r"(\b[a-z][a-z0-9+.-]{0,30}://[^\s/@:\"'\\]*:)[^\s/@\"'\\]+(?=@)")),
    (re.compile("sk-"), re.compile(r"()\bsk-[A-Za-z0-9_-]{12,}")),
    # An API key of ours.
    (re.compile(r"\.[a-z0-9]{32}"), re.compile(r"()\b[A-Za-z0-9]{8}\.[A-Za-z0-9]{32}\b")),
)
_CONTROL = {code: f"\\x{code:02x}" for code in (*range(32), 127, 0x85, 0x2028, 0x2029)} | {9: "\t"}


def masked(text: str) -> str:
    """The text without what looks like a secret, and without the values of the settings that are."""
    folded = text.casefold()
    for sign, pattern in _PATTERNS:
        if sign.search(folded):
            text = pattern.sub(rf"\g<1>{MASK}", text)
    storage: Any = settings.STORAGES["default"]
    for value in (
        *(getattr(settings, name, "") for name in SECRET_SETTINGS),
        storage.get("OPTIONS", {}).get("secret_key"),
    ):
        value = str(value or "")
        if len(value) >= MIN_SECRET_LENGTH:
            text = text.replace(value, MASK)
    return text


class WithIds(logging.Filter):
    """Gives every record the ids of the request, task, job and span during which it was made."""

    def filter(self, record: logging.LogRecord) -> bool:
        for name, value in {**current(), **tracing.ids()}.items():
            if not hasattr(record, name):
                setattr(record, name, value)
        return True


class LineFormatter(logging.Formatter):
    """`2026-01-31 12:00:00,000 INFO ingest.stages.run [request_id=…]: message`, one line but for tracebacks."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s%(ids)s: %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:
        known = [f"{name}={getattr(record, name)}" for name in IDS if hasattr(record, name)]
        record.ids = f" [{' '.join(known)}]" if known else ""
        record.message = record.message.translate(_CONTROL)  # what was sent could else write lines of its own
        return super().formatMessage(record)

    def format(self, record: logging.LogRecord) -> str:
        return masked(super().format(record))


class JsonLines(JsonFormatter):
    """One JSON object to a line: `time`, `level`, `logger`, `message`, the ids, and what else the line was given."""

    def __init__(self) -> None:
        super().__init__(
            "%(levelname)s %(name)s %(message)s",
            rename_fields={"levelname": "level", "name": "logger"},
            timestamp="time",
            reserved_attrs=[*RESERVED_ATTRS, *LEFT_OUT],
            json_ensure_ascii=False,
        )

    def format(self, record: logging.LogRecord) -> str:
        return masked(super().format(record))


def configuration(*, form: str, level: str) -> dict[str, Any]:
    """The LOGGING of Django: one handler, to stderr. `form` is `json` or `line`."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {"()": "kb_project.observability.logs.LineFormatter"},
            "json": {"()": "kb_project.observability.logs.JsonLines"},
        },
        "filters": {"ids": {"()": "kb_project.observability.logs.WithIds"}},
        "handlers": {
            "console": {
                "class": "logging.StreamHandler",
                "formatter": form if form in ("json", "line") else "line",
                "filters": ["ids"],
            }
        },
        "root": {"handlers": ["console"], "level": level},
        "loggers": {
            "httpx": {"level": "WARNING"},  # of Qdrant's client: several requests to a search
            "httpx2": {"level": "WARNING"},  # of embedders: one to a search
            "mcp": {"level": "WARNING"},
            "pdfminer": {"level": "ERROR"},
            "django.request": {"level": "ERROR"},  # what was refused is in the line of its request
            "django.security.DisallowedHost": {"level": "CRITICAL"},  # the same; whoever likes can send one
            "celery.beat": {"level": "WARNING"},
            # uvicorn sets its own up first; one line to a request is enough, and ours knows the user.
            "uvicorn": {"handlers": [], "propagate": True},
            "uvicorn.access": {"handlers": [], "propagate": False, "level": "WARNING"},
        },
    }
