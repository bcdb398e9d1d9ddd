"""Publish documents, and compare others with them as classification does. It needs Django."""

import random
import resource
import time
from pathlib import Path

from django.db import transaction
from tqdm import tqdm

from bench.nearly_same.documents import Document
from bench.nearly_same.result import Result
from extraction import extract
from extraction.document import Page
from ingest.job_states import Status
from ingest.models import Job, Similar
from ingest.similar import finding
from ingest.stages.classify.head import HEAD_PAGES, head_pages
from ingest.stages.classify.rules_classifier import RulesClassifier
from law.metadata.head import DocumentHead
from search import publishing as published
from search.index import IndexContext, engine
from sources.models import Chunk, Source
from topics.models import Topic

WAITING = 500
SEED = 7
PARAGRAPHS_OF_A_MADE = 25


def measure(documents: list[Document], *, made: int) -> Result:
    """Publish all documents, then compare each with the topic."""
    result, topic = Result(), Topic.objects.create(name="Nearly the same", slug="nearly-the-same")
    source_ids = {one.name: _publish(one, topic) for one in tqdm(documents, desc="published")}
    _publish_made(documents, topic, made)
    engine().maintain(thorough=True)
    result.sources, result.passages = Source.objects.count(), Chunk.objects.count()
    names = {pk: name for name, pk in source_ids.items()}
    for one in tqdm(documents, desc="compared"):
        text, title = _head(Path(one.again or one.path))
        job = Job(topic=topic, content_sha256="-")
        started = time.perf_counter()
        found = finding.similar_sources(job, text, title=title)
        result.took_ms.append(1000 * (time.perf_counter() - started))
        own = found.pop(source_ids[one.name], None)
        if found:
            others = ", ".join(f"{names.get(pk, 'made')} {share:.2f}" for pk, share in found.items())
            result.wrong[one.name] = others
        if one.again:
            _note_pair(result, one, own)
    _compare_jobs(documents[:WAITING], topic, result)
    result.peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return result


def _note_pair(result: Result, one: Document, share: float | None) -> None:
    name = " → ".join(one.formats)
    result.asked[name] = result.asked.get(name, 0) + 1
    result.found[name] = result.found.get(name, 0) + (share is not None)
    if share is not None:
        result.shares.append(share)
    else:
        result.missed.append(f"{one.name}: {name}")


def _publish(one: Document, topic: Topic) -> int:
    path = Path(one.path)
    source = Source.objects.create(topic=topic, kind="law", title=_head(path)[1] or one.name, content_sha256=path.name)
    _index(source, list(extract(path)))
    return source.pk


def _index(source: Source, pages: list[Page]) -> None:
    with published.stage(pages, context=IndexContext.of(source)) as staged, transaction.atomic():
        published.publish(staged, source=source, new=True)


def _publish_made(documents: list[Document], topic: Topic, count: int) -> None:
    """Documents of paragraphs that are mixed from all, so that they have the words that documents have."""
    chance = random.Random(SEED)
    paragraphs = [
        paragraph
        for one in documents
        if not one.again
        for paragraph in Path(one.path).read_text("utf-8").splitlines()
        if len(paragraph) > 40
    ]
    for number in tqdm(range(count), desc="made"):
        source = Source.objects.create(topic=topic, kind="law", title=f"Made {number}", content_sha256=f"made {number}")
        _index(source, [Page(None, tuple(chance.choices(paragraphs, k=PARAGRAPHS_OF_A_MADE)))])
        if number % 500 == 0:
            engine().maintain()


def _head(path: Path) -> tuple[str, str]:
    """The text that classification reads, and the title that it proposes."""
    pages = []
    for page in extract(path):
        pages.append(page)
        if len(pages) == HEAD_PAGES:
            break
    head = DocumentHead(pages=tuple(head_pages(pages)), filename=path.name)
    proposal = RulesClassifier().classify(head, deadline_s=45, is_unwanted=lambda: False)
    return head.text, proposal.title or ""


def _compare_jobs(documents: list[Document], topic: Topic, result: Result) -> None:
    """Each as a file of a batch that waits, compared with those before it."""
    for one in tqdm(documents, desc="waiting"):
        text, title = _head(Path(one.path))
        job = Job.objects.create(
            topic=topic,
            kind="law",
            status=Status.AWAITING_REVIEW,
            filename=one.name,
            content_sha256=f"waiting {Path(one.path).name}",
            ai_suggestions={"title": title},
        )
        started = time.perf_counter()
        with transaction.atomic():
            finding.begin(topic.pk)
            finding.keep(job, text, sources={})
        result.jobs_ms.append(1000 * (time.perf_counter() - started))
    result.jobs_ms = result.jobs_ms[-50:]
    for row in Similar.objects.all():
        result.wrong.setdefault(row.job.filename, f"waiting {row.other and row.other.filename} {row.similarity:.2f}")
