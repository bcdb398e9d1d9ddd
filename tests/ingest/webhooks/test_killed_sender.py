"""A worker that is killed while it sends: nothing is lost, and next to nothing arrives twice."""

from collections.abc import Callable
from subprocess import Popen

import pytest
from django.db import transaction

import ingest.webhooks.tasks  # noqa: F401  it says when there is something to do
from ingest.webhooks.models import Delivery, Event, Webhook
from ingest.webhooks.outbox import announce
from kb_project.tasks import look_for_work
from tests.ingest.webhooks.conftest import ReceivingProcess
from tests.waiting import wait_until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.deep]
MESSAGES = 60
ALLOWED = {"KB_WEBHOOK_NETWORKS": "127.0.0.0/8", "KB_WEBHOOK_TIMEOUT_S": "30"}


def test_a_killed_worker_loses_no_message(
    start_classifier: Callable[..., Popen[bytes]],
    make_webhook: Callable[..., Webhook],
    receiver: ReceivingProcess,
) -> None:
    for number in (1, 2):
        make_webhook(f"/slow/{number}")
    for number in range(MESSAGES):
        with transaction.atomic():
            announce(Event.SOURCE_PUBLISHED, topic_id=1, data={"source": {"id": number}})
    sent = {(f"/slow/{number}", one.message) for number in (1, 2) for one in Delivery.objects.all()}
    first = start_classifier(**ALLOWED)
    wait_until(lambda: len(receiver.received()) > MESSAGES // 2)
    first.kill()
    first.wait()
    waiting = Delivery.objects.filter(status="waiting").count()
    assert 0 < waiting < 2 * MESSAGES

    def all_delivered() -> bool:
        look_for_work()  # as beat has it done
        return not Delivery.objects.filter(status="waiting").exists()

    start_classifier(**ALLOWED)
    wait_until(all_delivered)
    got = [(one.path, one.message) for one in receiver.received()]
    assert set(got) == sent
    assert len(got) - len(sent) <= 2  # what was under way to each webhook
