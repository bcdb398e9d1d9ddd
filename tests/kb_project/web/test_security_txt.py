"""`/.well-known/security.txt`: whom to tell of a weakness."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import Client

from kb_project.configuration.startup import run_startup_checks

PATH = "/.well-known/security.txt"


@pytest.mark.django_db
def test_it_names_the_contact_of_the_setting_or_is_absent(client: Client, settings: Any) -> None:
    assert client.get(PATH).status_code == 404
    settings.KB_SECURITY_CONTACT = ["mailto:security@acme.example", "https://acme.example/report"]
    settings.KB_PUBLIC_URL = "https://kb.acme.example"
    answer = client.get(PATH)
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    fields = [line.split(": ", 1) for line in answer.content.decode().splitlines()]
    assert [value for name, value in fields if name == "Contact"] == settings.KB_SECURITY_CONTACT
    assert dict(fields)["Canonical"] == "https://kb.acme.example/.well-known/security.txt"
    expires = datetime.strptime(dict(fields)["Expires"], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    assert timedelta(0) < expires - datetime.now(UTC) < timedelta(days=366)
    assert client.post(PATH).status_code == 405


def test_a_contact_that_cannot_be_followed_stops_the_start(settings: Any) -> None:
    settings.KB_SECURITY_CONTACT = ["security@acme.example"]
    with pytest.raises(ImproperlyConfigured, match=r"KB_SECURITY_CONTACT names 'security@acme\.example'"):
        run_startup_checks()
