"""The headers of every response, and those of a service that is served to others."""

import json
import os
import subprocess
import sys
from typing import Any

import pytest
from django.conf import settings as conf
from django.test import Client

from tests.factories import make_staff
from tests.security.paths import every_path
from tests.servers import PROJECT

pytestmark = pytest.mark.django_db

ALWAYS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}
UNSAFE_SOURCES = ("unsafe-inline", "unsafe-eval", "unsafe-hashes", "*", "http:", "https:", "blob:")


def production(*code: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a process of its own, with the settings of a service that is served over HTTPS."""
    given = {"KB_HTTPS": "1", "SECRET_KEY": "", "DJANGO_SETTINGS_MODULE": "kb_project.settings"}
    return subprocess.run(
        [sys.executable, "-c", *code], cwd=PROJECT, env={**os.environ, **given}, capture_output=True, text=True
    )


@pytest.mark.deep
def test_every_page_and_every_error_has_the_headers_and_a_strict_policy() -> None:
    for client, name in ((Client(), "nobody"), (Client(), "root")):
        if name == "root":
            client.force_login(make_staff(name, is_superuser=True))
        for path in [*(path.path for path in every_path() if path.path), "/nothing/here", "/kb/nothing", "/admin/x/"]:
            response = client.get(path)
            missing = {k: response.headers.get(k) for k, v in ALWAYS.items() if response.headers.get(k) != v}
            assert missing == {}, (name, path)
            assert "camera=()" in response.headers["Permissions-Policy"]
            policy = response.headers["Content-Security-Policy"]
            assert not [source for source in UNSAFE_SOURCES if source in policy.split()], path
            assert "default-src 'none'" in policy, path
            assert "frame-ancestors 'none'" in policy, path
            assert "Access-Control-Allow-Origin" not in response.headers, path
            if response.streaming or response.content:
                media_type, _, parameters = response.headers["Content-Type"].partition(";")
                assert media_type, path
                assert "charset=" in parameters or not media_type.startswith("text/"), path


def test_an_unexpected_error_has_them_too_and_tells_nothing(monkeypatch: pytest.MonkeyPatch, caplog: Any) -> None:
    from search.screens import search

    def break_down(*arguments: Any, **named: Any) -> None:
        raise RuntimeError("the secret of line 12")

    monkeypatch.setattr(search, "retrieve", break_down)
    client = Client(raise_request_exception=False)
    response = client.get("/?q=law&topic=1")
    assert response.status_code == 500
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert "default-src 'none'" in response.headers["Content-Security-Policy"]
    shown = response.content.decode()
    assert "secret" not in shown
    assert "Traceback" not in shown
    assert str(conf.BASE_DIR) not in shown
    assert "the secret of line 12" in caplog.text  # who may read the log learns it


def test_a_wrong_host_is_refused_without_details() -> None:
    response = Client().get("/", headers={"Host": "evil.example"})
    assert response.status_code == 400
    assert "ALLOWED_HOSTS" not in response.content.decode()


def test_pages_of_the_signed_in_are_kept_nowhere_and_public_ones_may_be(staff_client: Client) -> None:
    for path in ("/", "/review/", "/library/", "/labels/", "/synonyms/", "/evaluation/", "/status/", "/admin/"):
        assert "no-store" in staff_client.get(path).headers["Cache-Control"], path
    assert "no-store" not in Client().get("/").headers.get("Cache-Control", "")


def test_signing_out_has_the_browser_forget_what_it_kept(staff_client: Client) -> None:
    assert staff_client.post("/sign-out/").headers["Clear-Site-Data"] == '"storage"'


def test_a_link_to_signing_out_throws_no_draft_away(staff_client: Client) -> None:
    answer = staff_client.get("/sign-out/")
    assert answer.status_code == 405
    assert "Clear-Site-Data" not in answer.headers
    assert staff_client.get("/review/").status_code == 200


def test_static_files_have_the_headers_too() -> None:
    response = Client().get("/static/kb/site.js")
    assert response.status_code == 200
    assert {k: response.headers.get(k) for k in ALWAYS} == ALWAYS | {"X-Frame-Options": None}


# --- served over HTTPS ------------------------------------------------------------------------------------------

LOOK = """
import django, io, json; django.setup()
from django.core.management import call_command
from django.test import Client
from django.conf import settings
client = Client(headers={"Host": "localhost"})
page, plain = client.get("/admin/login/", secure=True), client.get("/review/?a=1")
api, probe = client.post("/kb/search", {}, content_type="application/json"), client.get("/healthz")
keyed = [client.get(path, headers={"Authorization": "Api-Key x"}) for path in ("/metrics", "/healthz", "/review/")]
secure_api = client.get("/kb/nothing", secure=True)
turned = client.post("/i18n/setlang/", {"language": "he"}, secure=True)
checked = io.StringIO()
call_command("check", "--deploy", "--fail-level", "WARNING", stdout=checked, stderr=checked)
print(json.dumps({
    "hsts": page.headers["Strict-Transport-Security"],
    "cookies": {m.key: [m["secure"], m["httponly"], m["samesite"], m["path"], m["domain"]]
                for r in (page, turned) for m in r.cookies.values()},
    "session": [settings.SESSION_COOKIE_NAME, settings.SESSION_COOKIE_SECURE, settings.SESSION_COOKIE_HTTPONLY,
                settings.SESSION_COOKIE_SAMESITE, settings.SESSION_COOKIE_DOMAIN],
    "plain": [plain.status_code, plain.headers["Location"]],
    "api": [api.status_code, api.headers["Content-Type"], api.json()["detail"]],
    "probe": probe.status_code,
    "keyed": [answer.status_code for answer in keyed],
    "secure_api": [secure_api.status_code, "Strict-Transport-Security" in secure_api.headers],
    "checked": checked.getvalue(),
}))
"""


@pytest.fixture(scope="module")
def served() -> dict[str, Any]:
    run = production(LOOK)
    assert run.returncode == 0, run.stderr
    return dict(json.loads(run.stdout))


def test_https_is_kept_for_a_year_and_below_the_host(served: dict[str, Any]) -> None:
    assert served["hsts"] == "max-age=31536000; includeSubDomains"
    assert served["secure_api"] == [404, True]


def test_cookies_are_bound_to_the_host_and_to_https(served: dict[str, Any]) -> None:
    assert {name: values[0] for name, values in served["cookies"].items()} == {
        "__Host-csrftoken": True,
        "__Host-django_language": True,
        "__Host-kb_taken": True,
    }
    assert all(values[2] == "Lax" and values[3] == "/" and not values[4] for values in served["cookies"].values())
    assert served["session"] == ["__Host-sessionid", True, True, "Lax", None]


def test_people_are_led_to_https_and_programs_are_refused(served: dict[str, Any]) -> None:
    assert served["plain"] == [301, "https://localhost/review/?a=1"]
    status, content_type, detail = served["api"]
    assert (status, content_type) == (403, "application/problem+json")
    assert "https" in detail
    assert served["probe"] == 200


def test_key_in_clear_is_refused_where_probes_are_answered_too(served: dict[str, Any]) -> None:
    assert served["keyed"] == [403, 403, 301]


def test_check_deploy_finds_nothing_with_settings_of_production(served: dict[str, Any]) -> None:
    assert "no issues" in served["checked"]
    assert conf.SILENCED_SYSTEM_CHECKS == ["security.W021"]


SETTINGS = """
import importlib, json, os, sys
from django.core.exceptions import ImproperlyConfigured
said = []
for name, value in json.loads(sys.argv[1]):
    kept = os.environ.get(name, "")
    os.environ[name] = value
    try:
        importlib.import_module("kb_project.settings")
    except ImproperlyConfigured as refusal:
        said.append(str(refusal))
    os.environ[name] = kept
print(json.dumps(said))
"""


def test_production_does_not_start_with_what_can_be_guessed() -> None:
    unsafe = [
        ("SECRET_KEY", "change-me"),
        ("SECRET_KEY", "a" * 60),
        ("SECRET_KEY", "django-insecure-" + "abcdefghijklmnopqrstuvwxyz" * 3),
        ("DEBUG", "1"),
    ]
    run = production(SETTINGS, json.dumps(unsafe))
    assert run.returncode == 0, run.stderr
    said = json.loads(run.stdout)
    assert [sentence.split()[0] for sentence in said] == [name for name, _ in unsafe]
    assert not [value for name, value in unsafe if name == "SECRET_KEY" and value in run.stdout]
