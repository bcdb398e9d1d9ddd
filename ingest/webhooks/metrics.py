"""Metrics of webhooks, from their deliveries."""

from collections.abc import Iterator

from django.db.models import Count, Min
from django.utils import timezone
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric

from ingest.webhooks.models import Delivery, DeliveryStatus
from kb_project.observability.metrics import register


def read() -> Iterator[Metric]:
    """What waits and what was given up. What was delivered would only count the days that it is kept for."""
    deliveries = GaugeMetricFamily("kb_webhook_deliveries", "Deliveries by their status.", labels=["status"])
    waiting = Delivery.objects.filter(status=DeliveryStatus.WAITING)
    found = waiting.aggregate(count=Count("pk"), oldest=Min("created_at"))
    deliveries.add_metric([DeliveryStatus.WAITING], found["count"])
    given_up = Delivery.objects.filter(status=DeliveryStatus.GIVEN_UP).count()
    deliveries.add_metric([DeliveryStatus.GIVEN_UP], given_up)
    yield deliveries
    age_s = (timezone.now() - found["oldest"]).total_seconds() if found["oldest"] else 0
    yield GaugeMetricFamily("kb_webhook_oldest_seconds", "Age of the oldest delivery that waits.", value=max(0, age_s))


register("webhooks", read)
