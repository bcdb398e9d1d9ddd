"""`/admin/kb/webhooks`: what can be made, what is refused, and what a pinned key sees."""

from typing import Any

import pytest

from ingest.webhooks import editing
from ingest.webhooks.editing import MAX_PINGS, MAX_WEBHOOKS
from ingest.webhooks.models import Delivery, Webhook
from kb_project.models import AuditEntry
from tests.factories import make_topic
from tests.topics.keys import client_with_key

pytestmark = pytest.mark.django_db
PATH = "/admin/kb/webhooks"
GOOD: dict[str, Any] = {"url": "https://example.org/hook", "events": ["source.published", "source.deleted"]}


def test_a_webhook_from_its_making_to_its_end() -> None:
    client = client_with_key(admin=True)
    made = client.post(PATH, GOOD, format="json")
    assert made.status_code == 201
    webhook, secret = made.json(), made.json()["secret"]
    assert secret.startswith("whsec_")
    assert (webhook["topic_id"], webhook["enabled"]) == (None, True)
    one = f"{PATH}/{webhook['id']}"
    (listed,) = client.get(PATH).json()["results"]
    assert (listed["url"], listed["waiting"], listed["given_up"]) == (GOOD["url"], 0, 0)
    assert secret not in client.get(one).content.decode() + client.get(PATH).content.decode()
    changed = client.patch(one, {"events": ["job.awaiting_review"]}, format="json").json()
    assert changed["events"] == ["job.awaiting_review"]
    renewed = client.post(f"{one}/secret").json()["secret"]
    assert renewed != secret
    pinged = client.post(f"{one}/ping")
    assert (pinged.status_code, pinged.json()["event"], pinged.json()["status"]) == (202, "ping", "waiting")
    assert client.get(PATH).json()["results"][0]["waiting"] == 1
    (delivery,) = client.get(f"{one}/deliveries", {"status": "waiting"}).json()["results"]
    assert delivery["message"].startswith("msg_")
    assert client.get(f"{one}/deliveries", {"status": "given_up"}).json()["count"] == 0
    assert client.post(f"{one}/deliveries/{delivery['id']}/send").status_code == 202
    client.patch(one, {"enabled": False}, format="json")
    for path in (f"{one}/ping", f"{one}/deliveries/{delivery['id']}/send"):
        refused = client.post(path)
        assert (refused.status_code, refused.json()["code"]) == (409, "wrong_state")
    assert client.delete(one).status_code == 204
    assert not Delivery.objects.exists()
    assert client.get(one).status_code == 404
    kept = list(AuditEntry.objects.filter(object_type="webhook").values_list("action", flat=True))
    assert sorted(set(kept)) == ["webhook.create", "webhook.delete", "webhook.edit", "webhook.send_again"]
    audited = str(list(AuditEntry.objects.values_list("before", "after")))
    assert secret not in audited
    assert renewed not in audited


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("url", url) for url in ("", "ftp://example.org", "https://", "https://[::1", "https://example.org:99999/")),
        *(("url", url) for url in ("https://a:b@example.org/", "https://example.org/#a", "https://דוגמה.example/")),
        *(
            ("url", url)
            for url in ("http://example.org/", "https://127.0.0.1/", "https://2130706433/", "https://[fe80::1]/")
        ),
        ("url", "https://169.254.169.254/latest"),
        ("url", "https://example.org/" + "a" * 500),
        *(("events", events) for events in ([], ["source.poem"], ["ping"], "source.deleted")),
        ("enabled", "yes"),
    ],
)
def test_what_cannot_be_is_refused_with_its_field(field: str, value: Any) -> None:
    refused = client_with_key(admin=True).post(PATH, {**GOOD, field: value}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (400, "invalid")
    assert [name.partition(".")[0] for name in refused.json()["errors"]] == [field]
    assert not Webhook.objects.exists()


def test_networks_of_the_settings_are_allowed(settings: Any) -> None:
    settings.KB_WEBHOOK_NETWORKS = ["10.1.0.0/16"]
    client = client_with_key(admin=True)
    for url, status in (("http://10.1.2.3/hook", 201), ("http://10.2.2.3/hook", 400), ("http://inside.example/", 201)):
        assert client.post(PATH, {**GOOD, "url": url}, format="json").status_code == status, url


def test_there_is_a_bound_to_webhooks_and_to_tests_that_wait() -> None:
    client = client_with_key(admin=True)
    one = f"{PATH}/{client.post(PATH, GOOD, format='json').json()['id']}"
    assert [client.post(f"{one}/ping").status_code for _ in range(MAX_PINGS + 1)] == [202] * MAX_PINGS + [409]
    Webhook.objects.bulk_create(Webhook(url=GOOD["url"], events=[], secret="-") for _ in range(MAX_WEBHOOKS - 1))
    assert client.post(PATH, GOOD, format="json").status_code == 400


def test_a_pinned_key_sees_and_makes_those_of_its_topic_alone() -> None:
    mine, other = make_topic(slug="mine"), make_topic(slug="other")
    theirs = [editing.create(topic=topic, values=GOOD, by="test") for topic in (None, other)]
    client = client_with_key(admin=True, topic=mine)
    assert client.get(PATH).json()["count"] == 0
    for webhook in theirs:
        one = f"{PATH}/{webhook.pk}"
        delivery = editing.ping(webhook.pk)
        answers = [
            *(client.get(path) for path in (one, f"{one}/deliveries")),
            *(client.post(path) for path in (f"{one}/secret", f"{one}/ping", f"{one}/deliveries/{delivery.pk}/send")),
            client.patch(one, {"enabled": False}, format="json"),
            client.delete(one),
        ]
        assert {answer.status_code for answer in answers} == {404}
    made = client.post(PATH, GOOD, format="json").json()
    assert made["topic_id"] == mine.pk
    assert client.post(PATH, {**GOOD, "topic_id": other.pk}, format="json").status_code == 403
    assert [one["id"] for one in client.get(PATH).json()["results"]] == [made["id"]]
    elsewhere = editing.ping(theirs[0].pk)
    assert client.post(f"{PATH}/{made['id']}/deliveries/{elsewhere.pk}/send").status_code == 404
