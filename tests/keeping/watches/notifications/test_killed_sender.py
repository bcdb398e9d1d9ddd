"""A worker that is killed while it sends: nothing is lost, and one mail or message at most comes twice."""

from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from email.message import EmailMessage
from subprocess import Popen
from typing import Any

import pytest
from django.db.models.functions import Now

from keeping.models import Channel, Watcher, WatchEvent, WatchWebhook
from keeping.tasks import look_for_watch_mails
from keeping.watches.webhook import editing
from tests.factories import first_topic
from tests.ingest.webhooks.conftest import ReceivingProcess
from tests.keeping.watches.watchers import person, watch, work
from tests.search.corpus import add_document
from tests.smtp_server import smtp_server
from tests.waiting import wait_until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.deep]
PEOPLE = 30


def test_a_killed_sender_loses_no_mail(start_classifier: Callable[..., Popen[bytes]], settings: Any) -> None:
    with smtp_server() as server:
        settings.EMAIL_URL = server.url
        environment = {"EMAIL_URL": server.url, "DEFAULT_FROM_EMAIL": "kb@acme.example"}
        people = [person(f"p{number}") for number in range(PEOPLE)]
        for who in people:
            watch(who, topic_id=first_topic().pk, how=Channel.MAIL_NOW)
        add_document("1. Quiet\nReaders are quiet.", title="Quiet Rules", kind="regulation")
        work()
        WatchEvent.objects.update(at=Now() - timedelta(minutes=1))
        first = start_classifier(**environment)

        def kill(message: EmailMessage) -> None:
            """The server has the message, and has not said so yet."""
            if len(server.messages) == PEOPLE // 2:
                first.kill()
                first.wait()

        server.on_message = kill
        look_for_watch_mails()
        wait_until(lambda: first.poll() is not None)
        assert len(server.messages) == PEOPLE // 2
        [held] = Watcher.objects.filter(sending_id__isnull=False)
        Watcher.objects.filter(pk=held.pk).update(held_until=Now() - timedelta(seconds=1))  # the lease has ended
        start_classifier(**environment)

        def all_sent() -> bool:
            look_for_watch_mails()  # as beat has it done
            return not Watcher.objects.filter(mailed_at=None).exists()

        wait_until(all_sent)
        came = Counter(message["To"] for message in server.messages)
        assert set(came) == {who.email for who in people}
        twice = [address for address, times in came.items() if times > 1]
        assert twice == [held.person.email]
        assert len({message["Message-ID"] for message in server.messages}) == PEOPLE


def test_a_message_that_nobody_recorded_comes_again(
    start_classifier: Callable[..., Popen[bytes]], receiver: ReceivingProcess
) -> None:
    """The sender is killed when the receiver has the message, and has not answered."""
    environment = {"KB_WATCH_WEBHOOK_NETWORKS": "127.0.0.0/8", "KB_WEBHOOK_TIMEOUT_S": "30"}
    watch(person(), topic_id=first_topic().pk)
    webhook, _is_new = editing.give(Watcher.objects.get(), f"{receiver.url}/drip")
    add_document("1. Quiet\nReaders are quiet.", title="Quiet Rules", kind="regulation")
    work()
    WatchEvent.objects.update(at=Now() - timedelta(minutes=1))
    first = start_classifier(**environment)
    look_for_watch_mails()
    wait_until(lambda: bool(receiver.received()))
    first.kill()
    first.wait()
    webhook.refresh_from_db()
    assert webhook.sending_id is not None
    WatchWebhook.objects.update(held_until=Now() - timedelta(seconds=1), url=f"{receiver.url}/ok/noa")
    start_classifier(**environment)

    def is_sent() -> bool:
        look_for_watch_mails()  # as beat has it done
        return WatchWebhook.objects.filter(sent_at__isnull=False, sending_id=None).exists()

    wait_until(is_sent)
    before, again = receiver.received()
    assert before.message == again.message
    assert before.told["data"] == again.told["data"]
