"""Metrics of the work that waits for the corpus and the index."""

from collections.abc import Iterator

from django.db.models import Count
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric

from kb_project.observability.metrics import register
from search.embedders.vector_progress import progress
from search.models import CollectionWork
from sources.models import ChangeWork, ReferenceWork


def read() -> Iterator[Metric]:
    waiting = GaugeMetricFamily(
        "kb_reference_work", "Notes of references to read or to resolve; zero soon after the last document."
    )
    waiting.add_metric([], ReferenceWork.objects.count())
    yield waiting
    brought = GaugeMetricFamily(
        "kb_collection_work",
        "Notes of sources to bring into the index outside the database, by collection.",
        labels=["collection", "state"],
    )
    noted = CollectionWork.objects.order_by().values_list("collection", "collection__state")
    for pk, state, count in noted.annotate(Count("pk")):
        brought.add_metric([str(pk), state], count)
    yield brought
    found = progress()
    meanings = GaugeMetricFamily(
        "kb_passages",
        "Passages, and those of them that have a vector.",
        labels=["of"],
    )
    meanings.add_metric(["all"], found.passages)
    meanings.add_metric(["with_vector"], found.vectors)
    yield meanings
    compared = GaugeMetricFamily("kb_change_work", "Notes of versions to compare; zero soon after the last document.")
    compared.add_metric([], ChangeWork.objects.count())
    yield compared


register("search", read)
