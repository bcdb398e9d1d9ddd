"""What is said when nobody sends: `/readyz`, the integrity run, metrics; and settings that cannot be."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.checks import run_checks
from django.db.models.functions import Now

from ingest.webhooks import editing
from ingest.webhooks.integrity import check_outbox
from ingest.webhooks.models import Delivery
from kb_project.observability.metrics import exposition
from kb_project.operations.integrity.registry import named
from kb_project.operations.readiness import NotReady

pytestmark = pytest.mark.django_db


def test_an_outbox_that_nobody_empties_is_told_everywhere() -> None:
    check = named("unserved_webhooks")
    assert check is not None
    webhook = editing.create(
        topic=None, values={"url": "https://example.org/", "events": ["source.deleted"]}, by="test"
    )
    editing.ping(webhook.pk)
    check_outbox()
    assert list(check.findings()) == []
    hour = timedelta(hours=1)
    Delivery.objects.update(due_at=Now() - hour, created_at=Now() - hour)
    with pytest.raises(NotReady, match="1 webhooks"):
        check_outbox()
    (finding,) = check.findings()
    assert finding.object == "webhook https://example.org/"
    assert "60 minutes" in finding.sentence
    told = exposition()[0].decode()
    assert 'kb_webhook_deliveries{status="waiting"} 1.0' in told
    assert "kb_webhook_oldest_seconds 36" in told


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("KB_WEBHOOK_NETWORKS", ["10.0.0.0/99"]),
        ("KB_WEBHOOK_TIMEOUT_S", 0),
        ("KB_WEBHOOK_RETRY_HOURS", -1),
        ("KB_WEBHOOK_LOG_DAYS", 0),
    ],
)
def test_a_setting_that_cannot_be_stops_the_start(settings: Any, name: str, value: Any) -> None:
    setattr(settings, name, value)
    assert [str(error.msg).split()[0] for error in run_checks() if error.is_serious()] == [name]
