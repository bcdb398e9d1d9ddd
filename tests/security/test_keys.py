"""API keys: how they are kept, shown and ended, and that nothing of them is ever written down."""

import hmac
import json
import logging
import re
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection
from django.test import Client
from rest_framework.test import APIClient

from kb_project import audit
from kb_project.observability import logs
from tests.factories import make_staff
from tests.topics.keys import authorization
from topics import keys
from topics.keys import issue_key, revoke
from topics.models import ApiKey

pytestmark = pytest.mark.django_db


def status_with(plaintext: str, path: str = "/kb/topics") -> int:
    return APIClient().get(path, **authorization(plaintext)).status_code


def test_nothing_stored_opens_anything() -> None:
    key, plaintext = issue_key(name="script", admin=True, by="dana")
    with connection.cursor() as cursor:
        cursor.execute("SELECT row_to_json(k)::text FROM kb_api_key k WHERE id = %s", [key.pk])
        stored = cursor.fetchone()[0]
    secret = plaintext.partition(".")[2]
    assert secret not in stored
    assert key.prefix in stored  # by which people know it
    assert len(secret) == 32
    assert status_with(f"{key.prefix}.{key.secret_hash[:32]}") == 401
    assert status_with(plaintext) == 200


def test_secrets_are_compared_in_a_time_that_does_not_depend_on_them(monkeypatch: pytest.MonkeyPatch) -> None:
    _, plaintext = issue_key(name="script", by="dana")
    compared: list[tuple[str, str]] = []
    compare = hmac.compare_digest

    def noted(a: str, b: str) -> bool:
        compared.append((a, b))
        return compare(a, b)

    monkeypatch.setattr(keys.hmac, "compare_digest", noted)
    assert status_with(plaintext) == 200
    assert status_with(plaintext[:-1] + ("a" if plaintext[-1] != "a" else "b")) == 401
    assert [len(a) == len(b) == 64 for a, b in compared] == [True, True]


def test_a_key_is_shown_once(client: Client) -> None:
    client.force_login(make_staff("dana"))
    answer = client.post("/keys/new/", {"name": "script", "admin": "", "topic": "", "expires_at": ""})
    key = ApiKey.objects.get(name="script")
    assert re.search(rf'value="{key.prefix}\.[A-Za-z0-9]{{32}}"', answer.content.decode())
    assert answer.headers["Cache-Control"] == "no-store"
    out = StringIO()
    call_command("list_api_keys", stdout=out)
    for shown in (client.get("/keys/").content.decode(), out.getvalue()):
        assert key.prefix in shown
        assert not re.search(rf"{key.prefix}\.\w", shown)
        assert key.secret_hash not in shown


def test_a_revoked_key_ends_with_the_next_request() -> None:
    key, plaintext = issue_key(name="script", by="dana")
    assert status_with(plaintext) == 200
    revoke(key, by="dana")
    assert status_with(plaintext) == 401


@pytest.mark.parametrize("ends", ["deactivated", "deleted"])
def test_the_keys_of_an_account_end_with_it(ends: str) -> None:
    dana = make_staff("dana")
    _, plaintext = issue_key(name="script", admin=True, by="dana")
    _, of_another = issue_key(name="other", admin=True, by="manage.py create_api_key")
    assert status_with(plaintext, "/admin/kb/jobs") == 200
    if ends == "deactivated":
        User.objects.filter(pk=dana.pk).update(is_active=False)
    else:
        dana.delete()
    assert status_with(plaintext, "/admin/kb/jobs") == 401
    assert status_with(of_another, "/admin/kb/jobs") == 200


def test_a_manager_has_no_say_over_superusers_nor_over_what_the_roles_are(client: Client) -> None:
    """Whoever opens the account of one could do all that it can."""
    client.force_login(make_staff("miri"))
    root = make_staff("root", is_superuser=True)
    for verb in ("link", "deactivate", "activate"):
        assert client.post(f"/people/{root.pk}/{verb}/").status_code == 403
    assert client.post(f"/people/{root.pk}/", {"role": "reviewer"}).status_code == 400
    invited = {"addresses": "mine@acme.example", "role": "superuser"}
    assert client.post("/people/invite/", invited).status_code == 400
    assert client.get("/admin/auth/group/").status_code == 403
    assert client.get("/admin/auth/user/").status_code == 404
    assert User.objects.filter(is_superuser=True, is_active=True).get() == root


def test_no_secret_is_in_the_log_the_audit_or_an_answer(
    settings: Any, caplog: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.ANTHROPIC_API_KEY = "sk-ant-0123456789abcdef"
    settings.LOG_LEVEL = "DEBUG"
    stream = StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logs.LineFormatter())
    lines = StringIO()
    as_json = logging.StreamHandler(lines)
    as_json.setFormatter(logs.JsonLines())
    root = logging.getLogger()
    root.addHandler(handler)
    root.addHandler(as_json)
    monkeypatch.setattr(root, "level", logging.DEBUG)
    try:
        make_staff("dana")
        _, plaintext = issue_key(name="script", admin=True, by="dana")
        api = APIClient(raise_request_exception=False)
        answers = [
            api.get("/admin/kb/jobs", **authorization(plaintext)),
            api.get("/admin/kb/jobs", **authorization(plaintext[:-1] + "0")),
            api.get("/kb/topics", {"key": plaintext}, **authorization(plaintext)),
            api.post("/kb/search", {"query": plaintext}, format="json", **authorization(plaintext)),
            api.get(f"/kb/{plaintext}", **authorization(plaintext)),
            api.post("/mcp/general/", {}, format="json", HTTP_AUTHORIZATION=f"Bearer {plaintext}"),
        ]
        browser = Client()
        browser.post("/admin/login/", {"username": "dana", "password": "correct horse battery"})
        browser.post("/admin/login/?password=correct+horse+battery", {"username": "dana", "password": "x"})
        session = browser.cookies["sessionid"].value
        browser.get("/review/")
    finally:
        root.removeHandler(handler)
        root.removeHandler(as_json)
    written = stream.getvalue() + lines.getvalue()
    secret = plaintext.partition(".")[2]
    assert "/admin/kb/jobs" in written
    for one in (secret, "correct horse", "correct+horse", session, settings.ANTHROPIC_API_KEY, settings.SECRET_KEY):
        assert one not in written
    told = json.dumps([answer.content.decode() for answer in answers[1:3]])
    assert secret not in told
    assert not [entry for entry in audit.AuditEntry.objects.all() if secret in json.dumps([entry.before, entry.after])]
