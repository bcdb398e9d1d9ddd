"""Delivery to a receiving process: what arrives, what is tried again and for how long, and where nothing is sent."""

import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from urllib.parse import quote

import pytest
from django.db import connection, transaction
from django.db.models.functions import Now
from django.test import Client
from django.utils import timezone
from django.utils.http import http_date

from ingest.webhooks import editing, sending
from ingest.webhooks.delivering import PAUSE_S, RECEIVER, Deliveries, overdue, tidy
from ingest.webhooks.models import Delivery, Event, Webhook
from ingest.webhooks.outbox import announce
from ingest.webhooks.sending import post, wait_s
from kb_project.clients.addresses import is_public, numeric
from kb_project.models import AuditEntry
from kb_project.operations.local_stack.machine import free_port
from tests.factories import first_topic, make_topic
from tests.ingest.webhooks.conftest import ReceivingProcess

pytestmark = pytest.mark.django_db
Make = Callable[..., Webhook]
DAY_S = 24 * 3600


def tell(number: int = 1, *, topic_id: int = 1, event: Event = Event.SOURCE_PUBLISHED) -> None:
    announce(event, topic_id=topic_id, data={"source": {"id": number, "title": "חוק"}})


def make_all_due() -> None:
    Delivery.objects.update(due_at=Now())
    Webhook.objects.update(held_until=None)


def test_what_is_announced_arrives_signed_and_in_order(make_webhook: Make, receiver: ReceivingProcess) -> None:
    other = make_topic()
    webhook = make_webhook("/ok/all")
    make_webhook("/ok/other", topic=other)
    make_webhook("/ok/deleted", events=[Event.SOURCE_DELETED])
    make_webhook("/ok/off", enabled=False)
    for number in (1, 2, 3):
        tell(number)
    tell(4, topic_id=other.pk)
    assert Deliveries.send() == 5
    got = receiver.received()
    assert [one.told["data"]["source"]["id"] for one in got if one.path == "/ok/all"] == [1, 2, 3, 4]
    assert [one.told["data"]["source"]["id"] for one in got if one.path == "/ok/other"] == [4]
    assert len(got) == 5
    first = got[0]
    timestamp = int(first.headers["webhook-timestamp"])
    assert abs(timestamp - timezone.now().timestamp()) < 60
    told = sending.headers(
        message=first.message, timestamp=timestamp, body=first.body.encode(), secrets=[webhook.secret]
    )
    assert told.items() <= first.headers.items()
    assert first.headers["content-type"] == "application/json"
    assert first.told["type"] == "source.published"
    assert set(Delivery.objects.values_list("status", "attempts", "answer_status", "fault")) == {
        ("delivered", 1, 204, "")
    }
    assert Deliveries.send() == 0


def test_nothing_is_announced_beside_a_transaction(make_webhook: Make) -> None:
    make_webhook()
    connection.in_atomic_block = False
    try:
        with pytest.raises(transaction.TransactionManagementError):
            tell()
    finally:
        connection.in_atomic_block = True
    assert not Delivery.objects.exists()


@pytest.mark.parametrize(
    ("path", "status", "fault"),
    [
        ("/status/500", 500, "status"),
        ("/redirect", 302, "status"),
        ("/drip", None, "timeout"),
        ("/garbage", None, "protocol"),
    ],
)
def test_whatever_a_receiver_does_ends_in_time(
    make_webhook: Make, receiver: ReceivingProcess, settings: Any, path: str, status: int | None, fault: str
) -> None:
    settings.KB_WEBHOOK_TIMEOUT_S = 0.5 if path == "/drip" else 10.0
    make_webhook(path)
    tell()
    assert Deliveries.send() == 1
    delivery = Delivery.objects.get()
    told = (delivery.status, delivery.answer_status, delivery.fault, delivery.attempts)
    assert told == ("waiting", status, fault, 1)
    assert delivery.why
    assert timedelta(seconds=5) < delivery.due_at - timezone.now() < timedelta(seconds=11)
    assert [one.path for one in receiver.received()] == [path]  # a redirect was not followed


def test_nobody_is_called_who_is_not_on_the_public_internet(receiver: ReceivingProcess) -> None:
    def fault(url: str, *networks: str) -> str | None:
        return post(url, headers={}, body=b"", networks=networks).fault

    port = receiver.url.rpartition(":")[2]
    assert fault(f"http://127.0.0.1:{free_port()}/", "127.0.0.0/8") == "unreachable"
    assert fault(f"https://127.0.0.1:{port}/ok/", "127.0.0.0/8") == "unreachable"  # it speaks no TLS
    assert fault("https://no-such-host.invalid/") == "unreachable"
    for host in ("localhost", "127.0.0.1", "2130706433", "[::1]", "[::ffff:127.0.0.1]", "169.254.169.254", "0.0.0.0"):
        for scheme in ("http", "https"):
            # The name is looked up at the connection, so it does not matter where it led when it was saved.
            assert fault(f"{scheme}://{host}:{port}/ok/", "10.0.0.0/8") == "refused", host
    assert receiver.received() == []


@pytest.mark.parametrize(
    ("host", "public"),
    [
        ("93.184.216.34", True),
        ("2606:2800:220:1::1", True),
        *(
            (host, False)
            for host in ("10.1.2.3", "172.16.0.1", "192.168.1.1", "100.64.0.1", "169.254.1.1", "224.0.0.1")
        ),
        *((host, False) for host in ("240.0.0.1", "255.255.255.255", "168.63.129.16", "192.0.0.192", "0.1.2.3")),
        *((host, False) for host in ("::", "fe80::1%eth0", "fd00::1", "fec0::1", "ff02::1", "64:ff9b::a00:1")),
        *((host, False) for host in ("2002:a00:1::", "2001:0:a00:1::", "::10.0.0.1", "::ffff:10.0.0.1")),
    ],
)
def test_which_addresses_are_public(host: str, public: bool) -> None:
    address = numeric(host)
    assert address is not None
    assert is_public(address) == public


def test_one_that_is_refused_is_tried_for_a_day_and_holds_up_no_other(
    make_webhook: Make, receiver: ReceivingProcess, caplog: pytest.LogCaptureFixture
) -> None:
    webhook = make_webhook("/ok/1", events=[Event.SOURCE_DELETED])
    tell(1, event=Event.SOURCE_DELETED)
    refused = Delivery.objects.get()
    Webhook.objects.update(url=f"{receiver.url}/refusing/{refused.message}")
    tell(2, event=Event.SOURCE_DELETED)
    assert Deliveries.send() == 1  # then the webhook rests
    Webhook.objects.update(held_until=None)
    assert Deliveries.send() == 1
    assert sorted(Delivery.objects.values_list("status", flat=True)) == ["delivered", "waiting"]
    for _ in range(3):
        make_all_due()
        assert Deliveries.send() == 1
    refused.refresh_from_db()
    assert (refused.status, refused.attempts) == ("waiting", 4)
    assert refused.due_at - timezone.now() > timedelta(seconds=60)
    assert {one.message for one in receiver.received()[2:]} == {refused.message}
    Delivery.objects.update(until=Now() - timedelta(seconds=1))
    make_all_due()
    Deliveries.send()
    refused.refresh_from_db()
    assert (refused.status, refused.attempts, refused.answer_status) == ("given_up", 5, 500)
    assert refused.message in caplog.text
    Webhook.objects.update(url=f"{receiver.url}/ok/1", held_until=None)
    again = editing.send_again(webhook.pk, refused.pk, by="dana")
    assert again.until - timezone.now() > timedelta(hours=23)
    assert Deliveries.send() == 1
    refused.refresh_from_db()
    assert (refused.status, refused.fault) == ("delivered", "")
    assert receiver.received()[-1].message == refused.message


def test_waits_grow_and_a_day_has_some_twenty_attempts() -> None:
    waits = [wait_s(failures) for failures in range(30)]
    assert waits[:4] == [10, 20, 40, 80]
    assert waits == sorted(waits)
    assert 15 < next(count for count in range(30) if sum(waits[:count]) > DAY_S) < 25


def test_a_webhook_is_held_by_one_sender(make_webhook: Make, receiver: ReceivingProcess) -> None:
    webhook = make_webhook()
    tell()
    Webhook.objects.update(held_until=Now() + timedelta(seconds=60))
    assert Deliveries.send() == 0
    Webhook.objects.update(held_until=Now() - timedelta(seconds=1))  # whoever had it was killed
    assert Deliveries.send() == 1
    webhook.refresh_from_db()
    assert webhook.held_until is None
    Webhook.objects.update(url=f"{receiver.url}/status/503")
    tell()
    Deliveries.send()
    webhook.refresh_from_db()
    assert webhook.held_until is not None
    assert webhook.held_until - timezone.now() <= timedelta(seconds=PAUSE_S)


def test_two_secrets_sign_for_a_day(make_webhook: Make, receiver: ReceivingProcess) -> None:
    webhook = make_webhook()
    renewed = editing.renew_secret(webhook.pk, by="dana")
    for count in (2, 1):
        tell()
        assert Deliveries.send() == 1
        got = receiver.received()[-1]
        message = {"message": got.message, "timestamp": int(got.headers["webhook-timestamp"])}
        secrets = [renewed.secret, webhook.secret][:count]
        signed = sending.headers(**message, body=got.body.encode(), secrets=secrets)  # type: ignore[arg-type]
        assert got.headers["webhook-signature"] == signed["webhook-signature"]
        Webhook.objects.update(former_until=Now() - timedelta(seconds=1))


def test_what_nobody_sends_is_noticed_and_what_is_refused_is_not(make_webhook: Make) -> None:
    webhook = make_webhook("/status/500")
    tell()
    assert overdue() == []
    Delivery.objects.update(due_at=Now() - timedelta(minutes=20))
    [(url, late)] = overdue()
    assert url == webhook.url
    assert late > timedelta(minutes=19)
    Webhook.objects.update(served_at=Now())  # it is refused again and again
    assert overdue() == []
    Webhook.objects.update(served_at=Now() - timedelta(minutes=16))
    assert len(overdue()) == 1
    Webhook.objects.update(enabled=False)
    assert overdue() == []


def test_the_log_is_kept_for_a_while(make_webhook: Make, settings: Any) -> None:
    webhook = make_webhook()
    for _ in range(3):
        tell()
    Deliveries.send()
    tell()
    old = Delivery.objects.order_by("pk")[:2]
    Delivery.objects.filter(pk__in=list(old.values_list("pk", flat=True))).update(ended_at=Now() - timedelta(days=31))
    assert tidy() == 2
    editing.change(webhook.pk, {"enabled": False}, by="dana")
    assert tidy() == 0
    Delivery.objects.update(until=Now() - timedelta(seconds=1))
    assert tidy() == 1
    assert [one.fault for one in Delivery.objects.order_by("pk")] == ["", "disabled"]
    editing.delete(webhook.pk, by="dana")
    assert not Delivery.objects.exists()


def test_messages_of_one_event_have_one_id(make_webhook: Make) -> None:
    for path in ("/ok/1", "/ok/2"):
        make_webhook(path, topic=first_topic())
    tell()
    first, second = Delivery.objects.all()
    assert first.message_id == second.message_id
    assert first.body == second.body


def test_an_event_of_a_later_release_is_shown_by_its_name(staff_client: Client) -> None:
    webhook = Webhook.objects.create(url="https://example.org/", events=["document.renamed"], secret="s")
    Delivery.objects.create(webhook=webhook, event="document.renamed", body="{}", until=timezone.now())
    for path in ("/webhooks/", f"/webhooks/{webhook.pk}/"):
        assert "document.renamed" in staff_client.get(path).content.decode()


def test_a_receiver_that_is_gone_is_told_nothing_more(make_webhook: Make, receiver: ReceivingProcess) -> None:
    webhook = make_webhook("/status/410")
    for number in (1, 2):
        tell(number)
    assert Deliveries.send() == 1
    webhook.refresh_from_db()
    assert not webhook.enabled
    assert sorted(Delivery.objects.values_list("status", "answer_status")) == [("given_up", 410), ("waiting", None)]
    make_all_due()
    assert Deliveries.send() == 0
    entry = AuditEntry.objects.order_by("-id")[0]
    assert (entry.by, entry.action, entry.after["enabled"]) == (RECEIVER, "webhook.edit", False)


@pytest.mark.parametrize(
    ("asked", "seconds"),
    [("7200", 7200), ("in two hours", 7200), ("9999999", 24 * 3600), ("soon", 10), ("-5", 10)],
)
def test_a_receiver_is_left_alone_as_long_as_it_asks(make_webhook: Make, asked: str, seconds: int) -> None:
    said = http_date(time.time() + seconds) if asked == "in two hours" else asked
    make_webhook(f"/later/{quote(said, safe='')}")
    for number in (1, 2):
        tell(number)
    now = timezone.now()
    assert Deliveries.send() == 1
    waits = [(due - now).total_seconds() for due in Delivery.objects.order_by("id").values_list("due_at", flat=True)]
    assert seconds - 60 < waits[0] < seconds + 60
    assert waits[1] > seconds - 60 if seconds > 10 else waits[1] < 60
