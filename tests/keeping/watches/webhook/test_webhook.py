"""`/kb/watches/webhook` and its forms: giving an address, its secret, ending it, and what is refused."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from rest_framework.test import APIClient

from kb_project.models import AuditEntry
from keeping.models import Watch, WatchWebhook
from tests.factories import first_topic
from tests.keeping.watches.watchers import person, watch
from tests.topics.keys import client_with_key
from topics.keys import make_personal_key

pytestmark = pytest.mark.django_db
PATH = "/kb/watches/webhook"
URL = "https://hooks.example.org/services/T1/mine"


@pytest.fixture
def noa() -> User:
    return person()


@pytest.fixture
def client(noa: User) -> APIClient:
    client = APIClient()
    client.force_login(noa)
    return client


def put(client: APIClient, url: Any = URL) -> Any:
    return client.put(PATH, {"url": url}, format="json")


def test_a_webhook_from_its_making_to_its_end(client: APIClient) -> None:
    assert client.get(PATH).status_code == 404
    made = put(client)
    assert made.status_code == 201
    secret = made.json()["secret"]
    assert secret.startswith("whsec_")
    shown = client.get(PATH)
    assert (shown.json()["url"], shown.json()["enabled"], shown.json()["sent_at"]) == (URL, True, None)
    assert secret not in shown.content.decode()
    again = put(client, "https://example.org/other")
    assert (again.status_code, again.json()["url"]) == (200, "https://example.org/other")
    assert "secret" not in again.json()
    renewed = client.post(f"{PATH}/secret").json()["secret"]
    assert WatchWebhook.objects.get().secrets == [renewed, secret]
    assert (client.delete(PATH).status_code, client.delete(PATH).status_code) == (204, 404)
    assert client.post(f"{PATH}/secret").status_code == 404
    entries = AuditEntry.objects.filter(object_type="watchwebhook").order_by("pk")
    verbs = ["watchwebhook.give", "watchwebhook.give", "watchwebhook.renew_secret", "watchwebhook.end"]
    assert list(entries.values_list("action", flat=True)) == verbs
    audited = str(list(entries.values()))
    assert "hooks.example.org" in audited
    for hidden in (secret, renewed, "services"):
        assert hidden not in audited


@pytest.mark.parametrize(
    "url", ["", "ftp://example.org", "http://example.org/", "https://127.0.0.1/", "https://a:b@example.org/", None]
)
def test_what_is_no_address_is_refused(client: APIClient, url: Any, settings: Any) -> None:
    settings.KB_WEBHOOK_NETWORKS = ["127.0.0.0/8"]  # what is opened to managers alone
    refused = put(client, url)
    assert (refused.status_code, refused.json()["code"], list(refused.json()["errors"])) == (400, "invalid", ["url"])
    assert not WatchWebhook.objects.exists()
    assert client.put(PATH, {"url": URL, "secret": "mine"}, format="json").json()["code"] == "unknown_parameter"


def test_webhooks_are_of_people_and_each_has_their_own(client: APIClient, noa: User) -> None:
    put(client)
    for other in (APIClient(), client_with_key(), client_with_key(admin=True)):
        assert {other.get(PATH).status_code, put(other).status_code} <= {401, 403}
    _key, plaintext = make_personal_key(noa, "program", with_rights=False, last_day=None)
    reads = APIClient(headers={"authorization": f"Api-Key {plaintext}"})
    assert (reads.get(PATH).status_code, put(reads).status_code, reads.delete(PATH).status_code) == (200, 403, 403)
    dan = APIClient()
    dan.force_login(person("dan"))
    assert (dan.get(PATH).status_code, dan.delete(PATH).status_code) == (404, 404)
    assert WatchWebhook.objects.get().watcher_id == noa.pk


@pytest.mark.parametrize("language", ["en", "he"])
def test_the_page_gives_changes_and_ends_it(noa: User, language: str) -> None:
    client = Client()
    client.force_login(noa)
    client.cookies["django_language"] = language
    assert "/watches/webhook/" not in client.get("/watches/").content.decode()
    watch(noa, topic_id=first_topic().pk, language=language)
    assert 'href="/watches/webhook/"' in client.get("/watches/").content.decode()
    assert 'name="url"' in client.get("/watches/webhook/").content.decode()
    refused = client.post("/watches/webhook/", {"url": "http://example.org/"})
    assert (refused.status_code, 'aria-invalid="true"' in refused.content.decode()) == (400, True)
    given = client.post("/watches/webhook/", {"url": f" {URL} "})
    secret = re.search(r'value="(whsec_[^"]+)"', given.content.decode())
    assert secret
    assert given["Cache-Control"] == "no-store"
    assert WatchWebhook.objects.get().secret == secret[1]
    renewed = client.post("/watches/webhook/secret/").content.decode()
    assert "whsec_" in renewed
    assert secret[1] not in renewed
    WatchWebhook.objects.update(enabled=False, fault="status")
    off = client.get("/watches/").content.decode()
    assert URL in off
    assert "whsec_" not in off
    said = {"en": "It is switched off", "he": "הוא כבוי"}[language]
    assert said in off
    assert client.post("/watches/webhook/", {"url": URL}).status_code == 302
    assert WatchWebhook.objects.get().enabled
    Watch.objects.all().delete()
    assert URL in client.get("/watches/").content.decode()  # it is there without a watch too
    client.get("/watches/webhook/end/")
    assert WatchWebhook.objects.exists()
    assert client.post("/watches/webhook/end/").status_code == 302
    assert not WatchWebhook.objects.exists()
    assert client.post("/watches/webhook/end/").status_code == 404
    assert Client().post("/watches/webhook/", {"url": URL}).headers["Location"].startswith("/sign-in/")
