"""What a loading process does with a made law: chunk, stage and publish it, as the worker does with an upload.

To be imported where Django is set up (`bench.scale.database.in_django`).
"""

from functools import lru_cache
from pathlib import Path

from django.db import connection, transaction

from bench.scale.laws import Corpus, read_corpus
from bench.scale.orders import COMMON, RARE, IndexedLaw, Order, filename
from extraction.document import in_parts
from labels import assign
from labels.models import Label
from labels.naming import get_or_create
from search import publishing
from search.index import IndexContext, engine
from sources.models import Source
from topics.models import Topic


def store(order: Order) -> IndexedLaw:
    """Make the law and publish it with its labels in one transaction."""
    outline = order.outline
    text = _corpus(order.root).text(order.topic, order.number, outline=outline)
    context = IndexContext(topic_id=order.topic_id, kind=outline.kind, title=outline.title)
    pages = in_parts(line.strip() for line in text.split("\n"))
    with publishing.stage(pages, context=context) as staged, transaction.atomic():
        source = Source.objects.create(
            topic_id=order.topic_id,
            kind=outline.kind,
            title=outline.title,
            published_at=outline.published_at,
            filename=filename(order.number),
            size=len(text.encode()),
        )
        publishing.publish(staged, source=source, new=True)
        assign.start_with(source, list(Label.objects.filter(pk__in=order.label_ids)))
    return IndexedLaw(order.topic, order.number, staged.count)


@lru_cache(maxsize=1)
def _corpus(root: Path) -> Corpus:
    return read_corpus(root)


def make_topics(count: int) -> tuple[dict[int, int], dict[str, int]]:
    """The ids of the topics by place and of the labels by name, made if need be."""
    topics = {
        place: Topic.objects.get_or_create(
            slug=f"scale-{place + 1:02}", defaults={"name": f"Scale, topic {place + 1}"}
        )[0].pk
        for place in range(count)
    }
    return topics, {name: get_or_create(name, by="bench")[0].pk for name in (COMMON, RARE)}


def stored_numbers(topic_ids: dict[int, int]) -> dict[int, dict[int, int]]:
    """For each place the laws that are stored, by number, with how many chunks each has."""
    found: dict[int, dict[int, int]] = {place: {} for place in topic_ids}
    places = {topic_id: place for place, topic_id in topic_ids.items()}
    rows = Source.objects.filter(topic_id__in=places, filename__startswith="law-")
    for topic_id, name, chunks in rows.values_list("topic_id", "filename", "chunk_count"):
        found[places[topic_id]][int(name[4:10])] = chunks
    return found


def settle() -> None:
    """Do what beat does. No table is analysed by hand: nobody who uses the service does that."""
    engine().maintain()
    with connection.cursor() as cursor:
        cursor.execute("CHECKPOINT")
