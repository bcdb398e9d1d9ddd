"""Metrics of watches, and whether what they tell is sent: one of the integrity run."""

from collections.abc import Iterator

from django.db.models import Count
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric

from kb_project.observability.metrics import register
from kb_project.operations.integrity.registry import Finding, IntegrityCheck
from kb_project.operations.integrity.registry import register as register_check
from keeping.models import Watch
from keeping.watches.telling import mailing, posting


def read() -> Iterator[Metric]:
    """Watches by how they tell, and the people who wait for a mail or a message that nobody tried to send."""
    watches = GaugeMetricFamily("kb_watches", "Watches by how they tell.", labels=["how"])
    for how, count in Watch.objects.order_by().values_list("how").annotate(Count("pk")):
        watches.add_metric([how], count)
    yield watches
    yield GaugeMetricFamily(
        "kb_watch_mails_late", "People who wait for a mail that nobody tried to send for an hour.", value=mailing.late()
    )
    yield GaugeMetricFamily(
        "kb_watch_webhooks_late", "Webhooks of people that nobody tried to reach for an hour.", value=posting.late()
    )


def find_unsent() -> Iterator[Finding]:
    if waiting := mailing.late():
        detail = gettext_noop("Nobody has tried to send %(count)d mails for an hour.")
        yield Finding("mails of watches", detail, {"count": waiting})
    if waiting := posting.late():
        detail = gettext_noop("Nobody has tried to reach %(count)d webhooks for an hour.")
        yield Finding("webhooks of watches", detail, {"count": waiting})


register("watches", read)
register_check(
    IntegrityCheck(
        name="unsent_watch_news",
        meaning=_("What watches tell by mail or to a webhook is sent, or tried, within an hour."),
        find=find_unsent,
        advice=_("See that the classifier, which also sends what watches tell, scheduler and broker run."),
        quick=True,
    )
)
