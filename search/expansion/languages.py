"""The languages that the documents of a topic are written in."""

import time
from collections import Counter
from functools import lru_cache

from django.db.models.functions import Left

from law.languages.scripts import main_language
from sources.models import Chunk, Source

LOOKED_AT = 200  # of the newest documents
BEGINNING = 200  # characters of a document; its title may be the name of a file
LEAST_SHARE = 0.1  # of them; what is rarer is not searched for in another language
MOST = 2
REMEMBERED_S = 60
KEPT = 500  # topics


def languages_of(topic_id: int | None) -> tuple[str, ...]:
    """The codes of up to two languages (ISO 639-1), the one with most documents first; without a topic, of all.

    A process looks again after a minute.
    """
    return _languages_of(topic_id, int(time.monotonic() / REMEMBERED_S))


@lru_cache(maxsize=KEPT)
def _languages_of(topic_id: int | None, _period: int) -> tuple[str, ...]:
    sources = Source.objects.filter(topic_id=topic_id) if topic_id else Source.objects.all()
    newest = list(sources.order_by("-pk").values_list("pk", flat=True)[:LOOKED_AT])
    texts = Chunk.objects.filter(source_id__in=newest, seq=0).values_list(Left("text", BEGINNING), flat=True)
    counts = Counter(main_language(text).code for text in texts)
    return tuple(code for code, count in counts.most_common(MOST) if count >= LEAST_SHARE * counts.total())
