"""`manage.py reindex_all`: read, cut and index the stored files again, or fill an index with what there is."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from tqdm import tqdm

from ingest.documents.reindex import reindex
from kb_project.configuration.startup import ServiceCommand
from kb_project.errors import ApiError, Unavailable
from kb_project.operations.checks import INDEXES
from search.index import named
from sources.models import Source
from topics.models import Topic


class Command(ServiceCommand):
    """Queues a job for each source. Searches find its old passages until the worker has done it."""

    help = "Have every document read, cut and indexed again from its stored file, by the worker."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--topic", metavar="SLUG", help="only the documents of this topic")
        parser.add_argument(
            "--without-provisions", action="store_true", help="only those indexed before provisions had addresses"
        )
        parser.add_argument(
            "--index",
            choices=INDEXES,
            help="read no file: fill this index anew from the database, beside the one in use, then use the new one",
        )

    def handle(self, *, topic: str | None, without_provisions: bool, index: str | None, **options: Any) -> None:
        if index is not None:
            if topic is not None or without_provisions:
                raise CommandError("--index fills the whole index: it takes neither --topic nor --without-provisions.")
            self._fill(index)
            return
        sources = Source.objects.order_by("pk")
        if topic is not None:
            if not Topic.objects.filter(slug=topic).exists():
                raise CommandError(f"There is no topic {topic!r}.")
            sources = sources.filter(topic__slug=topic)
        if without_provisions:
            sources = sources.filter(provisions__isnull=True)
        ids = list(sources.values_list("pk", flat=True))
        refused = 0
        for source_id in tqdm(ids, desc="queueing", unit="document", file=self.stderr, leave=False):
            try:
                reindex(source_id, by="manage.py reindex_all")
            except ApiError as refusal:
                refused += 1
                self.stdout.write(f"refused  source {source_id}: {refusal.detail}")
        self.stdout.write(f"{len(ids) - refused} queued, {refused} refused.")
        if refused:
            raise CommandError(f"{refused} could not be queued.")

    def _fill(self, index: str) -> None:
        if index == "qdrant" and not settings.KB_QDRANT_URL:
            raise CommandError("KB_QDRANT_URL must name the Qdrant server.")
        with tqdm(desc="filling", unit="document", file=self.stderr, leave=False) as bar:

            def report(done: int, total: int) -> None:
                bar.total = total
                bar.update(done)

            try:
                named(index).fill(on_progress=report)
            except Unavailable as refusal:
                raise CommandError(f"{refusal.detail} What was brought in stays; run the command again.") from refusal
        self.stdout.write(f"The index in {index} is filled.")
        if index != settings.KB_INDEX:
            self.stdout.write(f"Searches use it once the service is started with KB_INDEX={index}.")
