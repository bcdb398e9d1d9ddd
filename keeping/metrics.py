"""Metrics of watches."""

from collections.abc import Iterator

from django.db.models import Count
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric

from kb_project.observability.metrics import register
from keeping.models import Watch
from keeping.watches.notifications.mailing import Mails
from keeping.watches.notifications.posting import Posts


def read() -> Iterator[Metric]:
    """Watches by how they tell, and the people who wait for a mail or a message that nobody tried to send."""
    watches = GaugeMetricFamily("kb_watches", "Watches by how they tell.", labels=["how"])
    for how, count in Watch.objects.order_by().values_list("how").annotate(Count("pk")):
        watches.add_metric([how], count)
    yield watches
    yield GaugeMetricFamily(
        "kb_watch_mails_late", "People who wait for a mail that nobody tried to send for an hour.", value=Mails.late()
    )
    yield GaugeMetricFamily(
        "kb_watch_webhooks_late", "Webhooks of people that nobody tried to reach for an hour.", value=Posts.late()
    )


register("watches", read)
