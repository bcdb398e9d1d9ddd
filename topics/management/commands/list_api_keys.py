"""`manage.py list_api_keys`: what each key may do, and whether it still opens anything, never a secret."""

from datetime import datetime
from typing import Any

from django.utils import timezone

from kb_project.configuration.startup import ServiceCommand
from topics.keys import listed_keys
from topics.models import ApiKey

HEADINGS = ("PREFIX", "STATE", "SCOPE", "TOPIC", "CREATED", "EXPIRES", "LAST USED", "MADE BY", "NAME")


class Command(ServiceCommand):
    help = "List the API keys, oldest first."

    def handle(self, *args: Any, **options: Any) -> None:
        rows = [HEADINGS, *(_cells(key) for key in listed_keys())]
        widths = [max(len(row[column]) for row in rows) for column in range(len(HEADINGS) - 1)]
        for row in rows:
            self.stdout.write(
                "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[-1]])
            )


def _cells(key: ApiKey) -> tuple[str, ...]:
    return (
        key.prefix,
        key.state.value,
        "admin" if key.admin else "public",
        key.topic.slug if key.topic else "every topic",
        _moment(key.created_at),
        _moment(key.expires_at),
        _moment(key.last_used_at),
        key.made_by.get_username() if key.made_by else "–",
        key.name,
    )


def _moment(at: datetime | None) -> str:
    return f"{timezone.localtime(at):%Y-%m-%d %H:%M}" if at else "–"
