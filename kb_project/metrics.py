"""What the last run of the integrity checks left, and what models cost, for Prometheus."""

from collections.abc import Iterator

from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric

from kb_project.llm import spending
from kb_project.observability.metrics import register
from kb_project.operations.integrity.run import summary


def _integrity() -> Iterator[Metric]:
    last = summary()
    if last is None:
        return
    yield GaugeMetricFamily(
        "kb_integrity_findings", "Objects that the last integrity run left wrong.", value=last["findings"]
    )
    yield GaugeMetricFamily(
        "kb_integrity_failed_checks", "Checks that broke off in the last integrity run.", value=last["failed"]
    )
    yield GaugeMetricFamily(
        "kb_integrity_checked_timestamp_seconds", "When it ended.", value=last["checked_at"].timestamp()
    )


register("integrity", _integrity)
register("models", spending.read)
